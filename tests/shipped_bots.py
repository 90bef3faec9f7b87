"""The shipped bots as tests of all of them seat them: those that think for long think for less.

A slow bot is written in ``QUICK`` with options that make it quick and still take it through all its
code, and in ``SHARES`` with the share of the usual deals that it has time for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from bots import bot_descriptions, find_bot
from bots.study import environment
from scoring.variant import find_variant
from sim.botcall import Bot

NAMES = tuple(bot_descriptions())
QUICK = {"sampling": "sampling@worlds=2@rollouts=2@raspas_worlds=2"}
SHARES = {"sampling": 0.05}
FEW = ("sochi", "refet")
"""Variants under which a slow bot too is proved each time; under the others with ``-m slow``."""


def seated(name: str) -> Bot:
    """A bot by its name or with options; a slow one by its name alone with its quick options."""
    return find_bot(QUICK.get(name, name))


def share_of(name: str) -> float:
    """The share of the usual deals that a bot has time for."""
    return SHARES.get(name, 1.0)


def some(name: str, usual: int) -> int:
    """So many of the usual pulkas or deals, one at least."""
    return max(1, round(usual * share_of(name)))


def answer_as_in_sochi(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """Let bots that are tuned to variants answer as in Sochi under whatever rules."""
    rows = environment.learned(find_variant("sochi").rules(n))
    monkeypatch.setattr(environment, "learned", lambda rules: rows)


def slow_mark(name: str, other: Any, few: Iterable[Any] = FEW) -> Any:
    """The mark of a heavier proof for a slow bot, unless the other thing is among a few."""
    return pytest.mark.slow if name in SHARES and other not in few else ()


def slowly(name: str, *others: Any, few: Iterable[Any] = FEW) -> Any:
    """Parameters of a test, a heavier proof for a slow bot unless ``others[0]`` is among a few."""
    return pytest.param(name, *others, marks=slow_mark(name, others[0], few))
