"""The command ``preferans solve`` for tests, and hands that several solve."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

from cli_bridge import USAGE, refused, run

from sim.cards import format_hand
from sim.solver import MISERE_STRAIN, solve

N_STRAINS = MISERE_STRAIN + 1
SEVEN_SPADES = "K.JT9.T87.KT8 | AQJT98.8.K9.A | .AKQ7.AQJ.QJ9"
SMALL = "A7... | KQ... | .A..A"
"""Two tricks: ♠ by hand 0 are two, and one for the leader of the aces."""


@functools.cache
def warm() -> None:
    """Compile the solver, so that the command does not tell of it."""
    solve(SMALL, 0)


def text_of(*arguments: object) -> str:
    """What ``preferans solve`` prints; nothing on stderr, where no terminal is."""
    warm()
    done = run("solve", *arguments)
    assert done.err == ""
    return done.out


def json_of(*arguments: object) -> Any:
    return json.loads(text_of(*arguments, "--json"))


def refusal(*arguments: object, code: int = USAGE) -> str:
    warm()
    return refused("solve", *arguments, code=code)


def told(hands: Sequence[int]) -> str:
    """Hands as they are typed."""
    return " | ".join(map(format_hand, hands))
