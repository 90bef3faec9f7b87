"""Stage ``labels``: what hands are worth with the cards open, by the exact solver.

Two kinds of shards: hands as dealt in a strain that goes round (``random``), and hands with their
talon after the best discard in every strain by the present tables (``own``): what the tables
overrate is chosen oftenest, so they must be told of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.contract import N_STRAINS

from ..solver.batch import own_workspace, solve_rows
from ..state import N_HANDS
from .fits import Array
from .kernels.hands import draw_hands, lay_away
from .shards import Parts


def draw(key: int, n: int) -> tuple[Array, Array]:
    """Numbers of deals, and their hands and talon [n, 4]."""
    numbers, hands = np.zeros(n, np.int64), np.zeros((n, 4), np.int64)
    draw_hands(key, numbers, hands)
    return numbers, hands


def solve_hands(hands: Array, own: Array, strain: Any, declarer: Array) -> Array:
    """Tricks of declarers whose hand of the deal is replaced by ``own``; hand 0 leads."""
    rows = np.zeros((len(hands), 6), np.int64)
    rows[:, 0] = strain
    rows[:, 1:4] = hands[:, :N_HANDS]
    rows[np.arange(len(rows)), 1 + declarer] = own
    rows[:, 4] = declarer
    tricks = np.zeros(len(rows), np.int64)
    solve_rows(own_workspace(), rows, tricks)
    return tricks


def random_shard(key: int, n: int) -> Parts:
    """Hands as dealt: ``hand``, ``strain``, ``position``, ``tricks``."""
    _, hands = draw(key, n)
    turn = np.arange(n)
    strain, declarer = turn % N_STRAINS, turn // N_STRAINS % N_HANDS
    own = hands[turn, declarer]
    tricks = solve_hands(hands, own, strain, declarer)
    return {"hand": own, "strain": strain, "position": declarer, "tricks": tricks}


def own_shard(key: int, n: int, table: Array) -> Parts:
    """Hands ``before`` the talon, and in every strain what is ``kept`` of the twelve cards, the
    tricks ``expected`` of it and the ``tricks`` it takes, [n, 5]."""
    _, hands = draw(key, n)
    declarer = np.arange(n) % N_HANDS
    before = hands[np.arange(n), declarer]
    kept, expected = np.zeros((n, N_STRAINS), np.int64), np.zeros((n, N_STRAINS))
    lay_away(table, before | hands[:, 3], declarer, kept, expected)
    tricks = np.stack(
        [solve_hands(hands, kept[:, strain], strain, declarer) for strain in range(N_STRAINS)],
        axis=1,
    )
    return {
        "before": before,
        "position": declarer,
        "kept": kept,
        "expected": expected,
        "tricks": tricks,
    }
