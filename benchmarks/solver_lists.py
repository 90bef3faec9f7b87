"""Lists of positions that the solver's ordering is fitted on and tried out on, and endings.

Deals are the project's own, by ``draw_deal``; the two cards of the talon lie aside and the first
hand leads. A list is a function of its kind, seed and number, so that two numbers of one seed are
two lists without a deal in common (but by chance).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.contract import NO_TRUMP
from scoring.kernel import outline
from sim.deals import draw_deal, unrank
from sim.solver import MISERE_STRAIN, make_workspace, solve_many, takes_at_least

Array = np.ndarray[Any, np.dtype[Any]]

WORTH = 2
"""A misère with so many tricks at most is worth bidding."""


@outline
def _deal(seed: int, number: int, first: int, hands: Any) -> None:
    """The hands [k, 3] of the deals of a list from the ``first`` on."""
    for k in range(len(hands)):
        h0, h1, h2, _ = unrank(draw_deal(seed, number, first + k))
        hands[k, 0] = h0
        hands[k, 1] = h1
        hands[k, 2] = h2


@outline
def _mark_worth(work: Any, rows: Any, worth: Any) -> None:
    """Mark the misères that are worth bidding."""
    for k in range(len(rows)):
        h0, h1, h2 = rows[k, 1], rows[k, 2], rows[k, 3]
        position = (MISERE_STRAIN, h0, h1, h2, rows[k, 4], 0, -1, -1)
        worth[k] = 1 - takes_at_least(work, position, WORTH + 1)


def _best_contracts(rows: Array, dice: np.random.Generator) -> None:
    """Give each deal the trump and the declarer with the most tricks; equal ones by lot."""
    worth = np.empty((len(rows), 4, 3))
    for trump in range(4):
        for declarer in range(3):
            worth[:, trump, declarer] = solve_many(rows[:, 1:4], trump, declarer, workers=1)
    worth += dice.random(worth.shape)
    best = worth.reshape(len(rows), 12).argmax(axis=1)
    rows[:, 0], rows[:, 4] = best // 3, best % 3


def _some(kind: str, seed: int, number: int, first: int, n: int) -> Array:
    """The positions that ``n`` deals give: at ``bid`` fewer."""
    dice = np.random.default_rng((seed, number, first))
    rows = np.zeros((n, 6), np.int64)
    hands = np.zeros((n, 3), np.int64)
    _deal(seed, number, first, hands)
    rows[:, 1:4] = hands
    rows[:, 4] = dice.integers(3, size=n)
    if kind == "best":
        _best_contracts(rows, dice)
    elif kind == "trump":
        rows[:, 0] = dice.integers(4, size=n)
    else:
        rows[:, 0] = NO_TRUMP if kind == "no_trump" else MISERE_STRAIN
    if kind == "bid":
        worth = np.zeros(n, np.int64)
        _mark_worth(make_workspace(), rows, worth)
        rows = rows[worth == 1]
    return rows


def draw_rows(kind: str, seed: int, number: int, n: int) -> Array:
    """The ``n`` positions [strain, three hands, declarer, leader] of a list.

    Kinds: ``best``, the trump and the declarer with most tricks; ``trump``, any of them;
    ``no_trump``; ``bid``, a misère worth bidding; ``misere``, any.
    """
    parts: list[Array] = []
    first, size = 0, n
    while sum(map(len, parts)) < n:
        parts.append(_some(kind, seed, number, first, size))
        first += size
    return np.concatenate(parts)[:n]


def endings(rows: Array, cards: int, seed: int) -> Array:
    """The same positions with so many cards of each hand, by lot."""
    dice = np.random.default_rng(seed)
    rows = rows.copy()
    for row in rows:
        for hand in range(1, 4):
            held = np.flatnonzero(row[hand] >> np.arange(32) & 1)
            row[hand] = (1 << dice.choice(held, cards, replace=False)).sum()
    return rows
