"""Rules of thumb for a hand, as tables: what a suit is worth.

Suit tables have 256 entries, one for each set of ranks held (bit 0 = seven ... bit 7 = ace). The
chance to be caught at misère comes from enumerating how the missing cards can lie in two hidden
hands; the tables of expected tricks are fitted to the bot's own play (``weights/cautious.json``).
Only + - * / are used, so that every machine gets the same bits.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

N_MASKS = 256
BUCKETS = 41
"""Expected tricks in quarters, 0 .. 10."""
HIDDEN = 10

Floats = np.ndarray[Any, np.dtype[np.float64]]
SuitPlay = Callable[[tuple[int, ...], tuple[int, ...], tuple[int, ...]], float]


def _ranks(mask: int) -> tuple[int, ...]:
    return tuple(rank for rank in range(8) if mask >> rank & 1)


def _splits(missing: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Ways the missing cards lie in two hidden hands of ten, with their number of deals."""
    n = len(missing)
    for choice in range(1 << n):
        left = tuple(card for k, card in enumerate(missing) if choice >> k & 1)
        right = tuple(card for k, card in enumerate(missing) if not choice >> k & 1)
        yield left, right, math.comb(2 * HIDDEN - n, HIDDEN - len(left))


def suit_table(play: SuitPlay) -> Floats:
    """Mean of ``play(own, left, right)`` over all splits, for every set of ranks held."""
    table = np.zeros(N_MASKS)
    for mask in range(N_MASKS):
        missing = _ranks(255 ^ mask)
        total = weights = 0.0
        for left, right, ways in _splits(missing):
            total += ways * play(_ranks(mask), left, right)
            weights += ways
        table[mask] = total / weights
    return table


def _caught(own: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...]) -> float:
    """1 if the others, leading their lowest each time, can force the holder to take a trick."""
    hands = [list(left), list(right)]
    mine = list(own)
    while mine and any(hands):
        top = max(hand.pop(0) for hand in hands if hand)
        lower = [c for c in mine if c < top]
        if not lower:
            return 1.0
        mine.remove(lower[-1])
    return 0.0


@functools.cache
def catch_table() -> Floats:
    """Chance, by ranks held in a suit, to be caught in it at misère."""
    return suit_table(_caught)


GIVEN: dict[str, dict[str, Any]] = {}
"""What stands in for a file of weights, by its name: what a training run has learned so far."""


@functools.cache
def _read_file(name: str) -> dict[str, Any]:
    path = Path(__file__).parent / "weights" / f"{name}.json"
    return dict(json.loads(path.read_text("utf-8")))


def read_weights(name: str) -> dict[str, Any]:
    """What a file of ``weights`` says."""
    return GIVEN.get(name) or _read_file(name)


def _tables(name: str) -> dict[str, Floats]:
    """The tables of a file by name, in tricks (stored in thousandths)."""
    tables = read_weights(name)["tables"].items()
    return {name: np.array(values) / 1000 for name, values in tables}


@functools.cache
def fitted_tables() -> dict[str, Floats]:
    """The tables of ``weights/cautious.json``."""
    return _tables("cautious")


@functools.cache
def expert_tables() -> dict[str, Floats]:
    """Those of ``weights/expert.json`` (``preferans train``), and what it does not have of
    :func:`fitted_tables`."""
    return {**fitted_tables(), **_tables("expert")}
