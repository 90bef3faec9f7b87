"""The five sets of positions that the solver's goals are about: its nodes, and its time.

Deals come from their numbers, so they are the same everywhere; the eldest hand leads. A set of
fewer deals is the beginning of a larger one. Nothing was fitted to these deals: the fit of the
ordering has lists of its own (``benchmarks.solver_lists``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from scoring.contract import N_STRAINS, NO_TRUMP
from sim.cards import N_SUITS
from sim.deals import draw_deal, unrank
from sim.solver import MISERE_STRAIN, solve_tables
from sim.state import N_HANDS

SEED = 1
N_DEALS = 1000
ELDEST = 0
LEAST_CONTRACT = 6
"""The lowest contract of the game."""
WORTH_BIDDING = 2
"""Misère that loses no more tricks than this with open cards."""

IntArray = np.ndarray[Any, np.dtype[np.int64]]
"""Rows [strain, the three hands, declarer, leader], as ``sim.solver.batch`` has them."""


@functools.cache
def deals(n: int = N_DEALS) -> IntArray:
    """The hands [n, 3] of the deals of seed 1."""
    return np.array([unrank(draw_deal(SEED, 0, k))[:N_HANDS] for k in range(n)])


def make_rows(hands: IntArray, strain: Any, declarer: Any, leader: Any = ELDEST) -> IntArray:
    """Positions before a lead; strain, declarer and leader are one for all or one for each."""
    rows = np.empty((len(hands), 6), np.int64)
    rows[:, 0], rows[:, 1:4], rows[:, 4], rows[:, 5] = strain, hands, declarer, leader
    return rows


def _drawn(n: int) -> IntArray:
    """A trump suit and a declarer for each deal."""
    return np.random.default_rng(SEED).integers([N_SUITS, N_HANDS], size=(n, 2))


def best_contracts(n: int = N_DEALS) -> IntArray:
    """What is really played: of the fifteen contracts of a deal the one with most tricks, of
    equals the first by strain and declarer. Deals where none is worth six are left out."""
    tricks = solve_tables(deals(n), (ELDEST,), misere=False, workers=1).reshape(n, -1)
    best = tricks.argmax(axis=1)
    played = tricks.max(axis=1) >= LEAST_CONTRACT
    strain, declarer = np.unravel_index(best, (N_STRAINS, N_HANDS))
    return make_rows(deals(n), strain, declarer)[played]


def random_trumps(n: int = N_DEALS) -> IntArray:
    """A trump suit and a declarer drawn at random."""
    drawn = _drawn(n)
    return make_rows(deals(n), drawn[:, 0], drawn[:, 1])


def no_trumps(n: int = N_DEALS) -> IntArray:
    """No trump, a declarer drawn at random."""
    return make_rows(deals(n), NO_TRUMP, _drawn(n)[:, 1])


def worthy_miseres(n: int = N_DEALS) -> IntArray:
    """Misère of every hand of the deals that loses two tricks at most."""
    tables = solve_tables(deals(n), (ELDEST,), workers=1)[:, MISERE_STRAIN, :, 0]
    deal, declarer = np.nonzero(tables <= WORTH_BIDDING)
    return make_rows(deals(n)[deal], MISERE_STRAIN, declarer)


def random_miseres(n: int = N_DEALS) -> IntArray:
    """Misère, a declarer drawn at random."""
    return make_rows(deals(n), MISERE_STRAIN, _drawn(n)[:, 1])


SETS: dict[str, Callable[[int], IntArray]] = {
    "best contract": best_contracts,
    "random trump": random_trumps,
    "no trump": no_trumps,
    "misère worth bidding": worthy_miseres,
    "random misère": random_miseres,
}
