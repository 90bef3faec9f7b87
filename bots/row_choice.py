"""Razboinik («разбойник») for ``cautious``: which row to fill with the hand, and what to lay away.

A row is worth its points now and the rows that are left after it (``row_prices``); the best sum is
chosen, before the talon and after it.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import LEVEL_ROWS
from scoring.conventions import ROW_AFTER
from scoring.kernel import outline
from scoring.sheet import open_rows

from .api import (
    MISERE,
    MISERE_GAME,
    MISERE_ROW,
    N_STRAINS,
    TAKE_TALON,
    kernel,
)
from .hand_tables import BUCKETS
from .layout import (
    BID_SUITS,
    MISERE_BID,
    MISERE_PLAY,
    PLAY_SUITS,
    ROW_BID_PRICE,
    ROW_PRICE,
    ROWS_LEFT,
    SIDE,
    TALON_GAIN,
)
from .valuation import (
    NEVER,
    bucket_of,
    count_tricks,
    discard_for,
    fine_bucket,
    plan_ducking,
    sum_suits,
)


@kernel
def _after(w: Any, rows: int, row: int) -> float:
    """What the other open rows are worth when this one is filled."""
    return w[ROWS_LEFT + (rows & ~(1 << row))]


@kernel
def _best_level(w: Any, table: int, rows: int, among: int, tricks: float) -> tuple[int, float]:
    """The best of some level rows with the expected tricks, and its value; -1 if there is none."""
    best = -1
    most = NEVER
    for row in range(MISERE_ROW):
        if among >> row & 1:
            value = w[table + row * BUCKETS + bucket_of(tricks)] + _after(w, rows, row)
            if value > most:
                best = row
                most = value
    return best, most


@kernel
def _misere_worth(w: Any, table: int, rows: int, tricks: float) -> float:
    price = w[table + MISERE_ROW * BUCKETS + fine_bucket(tricks)]
    return price + _after(w, rows, MISERE_ROW)


@kernel
def best_strain(w: Any, hand: int, position: int, suits: int, lays: bool) -> tuple[int, float]:
    """The strain with the most tricks expected, and these: after its discard where two cards go."""
    best = 0
    most = NEVER
    side = sum_suits(w, hand, suits + SIDE)
    for strain in range(N_STRAINS):
        tricks = count_tricks(w, hand, strain, position, suits, side)
        if lays:
            tricks -= discard_for(w, hand, strain)[1]
        if tricks > most:
            best = strain
            most = tricks
    return best, most


@outline
def choose_row(view: Any, w: Any) -> int:
    """The row to name before the talon is seen, or the talon."""
    rows = open_rows(view, view.player)
    tricks = best_strain(w, view.hand, view.mover, BID_SUITS, False)[1]
    misere = NEVER
    if rows >> MISERE_ROW & 1:
        misere = _misere_worth(w, ROW_BID_PRICE, rows, sum_suits(w, view.hand, MISERE_BID))
    row, value = _best_level(w, ROW_BID_PRICE, rows, rows & LEVEL_ROWS, tricks)
    if view.legal >> TAKE_TALON & 1:
        row = TAKE_TALON
        value += w[TALON_GAIN + rows]
    return MISERE_ROW if misere > value else row


@kernel
def _allowed(view: Any) -> int:
    """Mask of the rows that may still be named: one, if it is named."""
    return 1 << view.row_named if view.row_named >= 0 else open_rows(view, view.player)


@outline
def plan_row_discard(view: Any, w: Any) -> int:
    """The two cards to lay away: those of the row and strain that are best with the other ten."""
    twelve = view.hand
    ducking = plan_ducking(w, twelve, MISERE_PLAY)
    if view.kind == MISERE_GAME:
        return ducking
    rows = open_rows(view, view.player)
    strain, tricks = best_strain(w, twelve, view.mover, PLAY_SUITS, True)
    pair = discard_for(w, twelve, strain)[0]
    if not _misere_may_follow(view):
        return pair
    _, value = _best_level(w, ROW_PRICE, rows, _allowed(view) & LEVEL_ROWS, tricks)
    left = sum_suits(w, twelve & ~ducking, MISERE_PLAY)
    return ducking if _misere_worth(w, ROW_PRICE, rows, left) > value else pair


@kernel
def _misere_may_follow(view: Any) -> bool:
    """Whether misère can be named after the discard."""
    return (
        view.row_named < 0
        and view.rules.razboinik_talon == ROW_AFTER
        and (open_rows(view, view.player) >> MISERE_ROW & 1 == 1)
    )


@outline
def choose_row_contract(view: Any, w: Any) -> int:
    """The contract of an open row with the ten cards that are left."""
    rows = open_rows(view, view.player)
    strain, tricks = best_strain(w, view.hand, view.mover, PLAY_SUITS, False)
    row, value = _best_level(w, ROW_PRICE, rows, _allowed(view) & LEVEL_ROWS, tricks)
    if view.legal >> MISERE & 1:
        if _misere_worth(w, ROW_PRICE, rows, sum_suits(w, view.hand, MISERE_PLAY)) > value:
            return MISERE
    return N_STRAINS * row + strain
