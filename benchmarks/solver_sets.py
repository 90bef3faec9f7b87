"""The five sets of positions that the solver's goals are about: its nodes, and its time.

Deals come from their numbers, so they are the same everywhere; the eldest hand leads. A set of
fewer deals is the beginning of a larger one. Nothing was fitted to the deals of ``SEED``: the fit
of the ordering draws sets of other seeds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scoring.contract import N_STRAINS, NO_TRUMP
from sim.cards import N_SUITS
from sim.deals import draw_deal, unrank
from sim.solver import MISERE_STRAIN, solve_tables
from sim.solver.values import N_GAMES
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
def deals(n: int = N_DEALS, seed: int = SEED, pulka: int = 0) -> IntArray:
    """The hands [n, 3] of the deals of a pulka."""
    return np.array([unrank(draw_deal(seed, pulka, k))[:N_HANDS] for k in range(n)])


def make_rows(hands: IntArray, strain: Any, declarer: Any, leader: Any = ELDEST) -> IntArray:
    """Positions before a lead; strain, declarer and leader are one for all or one for each."""
    rows = np.empty((len(hands), 6), np.int64)
    rows[:, 0], rows[:, 1:4], rows[:, 4], rows[:, 5] = strain, hands, declarer, leader
    return rows


def _drawn(n: int, seed: int) -> IntArray:
    """A trump suit and a declarer for each deal."""
    return np.random.default_rng(seed).integers([N_SUITS, N_HANDS], size=(n, 2))


def best_contracts(n: int = N_DEALS, seed: int = SEED, pulka: int = 0) -> IntArray:
    """What is really played: of the fifteen contracts of a deal the one with most tricks, of
    equals the first by strain and declarer. Deals where none is worth six are left out."""
    tricks = solve_tables(deals(n, seed, pulka), (ELDEST,), misere=False, workers=1).reshape(n, -1)
    best = tricks.argmax(axis=1)
    played = tricks.max(axis=1) >= LEAST_CONTRACT
    strain, declarer = np.unravel_index(best, (N_STRAINS, N_HANDS))
    return make_rows(deals(n, seed, pulka), strain, declarer)[played]


def random_trumps(n: int = N_DEALS, seed: int = SEED, pulka: int = 0) -> IntArray:
    """A trump suit and a declarer drawn at random."""
    drawn = _drawn(n, seed)
    return make_rows(deals(n, seed, pulka), drawn[:, 0], drawn[:, 1])


def no_trumps(n: int = N_DEALS, seed: int = SEED, pulka: int = 0) -> IntArray:
    """No trump, a declarer drawn at random."""
    return make_rows(deals(n, seed, pulka), NO_TRUMP, _drawn(n, seed)[:, 1])


def worthy_miseres(n: int = N_DEALS, seed: int = SEED, pulka: int = 0) -> IntArray:
    """Misère of every hand of the deals that loses two tricks at most."""
    tables = solve_tables(deals(n, seed, pulka), (ELDEST,), workers=1)[:, MISERE_STRAIN, :, 0]
    deal, declarer = np.nonzero(tables <= WORTH_BIDDING)
    return make_rows(deals(n, seed, pulka)[deal], MISERE_STRAIN, declarer)


def random_miseres(n: int = N_DEALS, seed: int = SEED, pulka: int = 0) -> IntArray:
    """Misère, a declarer drawn at random."""
    return make_rows(deals(n, seed, pulka), MISERE_STRAIN, _drawn(n, seed)[:, 1])


SETS: dict[str, Callable[..., IntArray]] = {
    "best contract": best_contracts,
    "random trump": random_trumps,
    "no trump": no_trumps,
    "misère worth bidding": worthy_miseres,
    "random misère": random_miseres,
}


def draw_rows(
    name: str, n: int, seed: int, pulka: int = 0, strains: Sequence[int] = range(N_GAMES)
) -> IntArray:
    """``n`` positions of a set in some strains, from as many deals as it takes."""
    n_deals = n
    while True:
        rows = SETS[name](n_deals, seed, pulka)
        rows = rows[np.isin(rows[:, 0], strains)]
        if len(rows) >= n:
            return rows[:n]
        n_deals *= 2


def endings(rows: IntArray, cards: int, seed: int) -> IntArray:
    """The same positions with so many cards of each hand, by lot."""
    dice = np.random.default_rng(seed)
    rows = rows.copy()
    for row in rows:
        for hand in range(1, 4):
            held = np.flatnonzero(row[hand] >> np.arange(32) & 1)
            row[hand] = (1 << dice.choice(held, cards, replace=False)).sum()
    return rows
