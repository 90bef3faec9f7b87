"""Razboinik («разбойник»): who declares fills a row of his table, without an auction.

Source: Essay "Preferans", the game for two. When the talon is taken and when the row is named are
conventions (our choice where it is silent).
"""

from __future__ import annotations

from scoring.contract import LEVEL_ROWS, MISERE, MISERE_GAME, MISERE_ROW, N_STRAINS, TRICKS
from scoring.conventions import (
    DECLARER_ELDEST,
    ROW_AFTER,
    ROW_MISERE_BEFORE,
    ROW_NO_TALON,
    ROW_OPEN,
)
from scoring.kernel import Record, kernel
from scoring.sheet import open_rows

from .auction import log_call
from .state import CONTRACT, ROW, TAKE_TALON
from .talon import turn_talon
from .whist import lone_defender, take_defence


@kernel
def _rows_left(view: Record) -> int:
    """Mask of the rows that the declarer may still play."""
    return open_rows(view, view.player_of[view.declarer])


@kernel
def open_table(view: Record, hidden: Record, rules: Record) -> None:
    """Ask the deal's declarer for a row, or give him the talon first."""
    declarer = view.dealer
    if rules.razboinik_declarer == DECLARER_ELDEST:
        declarer = 1 - view.dealer
    view.declarer = view.hand_of[declarer]
    view.mover = view.declarer
    view.kind = TRICKS
    if rules.razboinik_talon == ROW_AFTER:
        turn_talon(view, hidden)
    elif rules.razboinik_talon == ROW_NO_TALON:
        view.phase = CONTRACT
    else:
        view.phase = ROW


@kernel
def legal_rows(view: Record, rules: Record) -> int:
    """Mask of the rows that may be named before the talon is seen, and of taking it first."""
    rows = _rows_left(view)
    if rules.razboinik_talon != ROW_MISERE_BEFORE:
        return rows
    take = 1 << TAKE_TALON if rows & LEVEL_ROWS else 0
    return rows & ~LEVEL_ROWS | take


@kernel
def apply_row(view: Record, hidden: Record, action: int) -> None:
    """Name a row, or none yet; the talon is turned up and taken."""
    log_call(view, action)
    if action != TAKE_TALON:
        view.row_named = action
        if action == MISERE_ROW:
            view.kind = MISERE_GAME
            view.contract = MISERE
    turn_talon(view, hidden)


@kernel
def legal_row_contracts(view: Record, rules: Record) -> int:
    """Mask of contract codes: the strains of the row that was named, or of all open rows."""
    rows = _rows_left(view)
    if view.row_named >= 0:
        rows = 1 << view.row_named
    elif rules.razboinik_talon == ROW_MISERE_BEFORE:
        rows &= LEVEL_ROWS
    codes = 1 << MISERE if rows >> MISERE_ROW & 1 else 0
    for k in range(MISERE_ROW):
        if rows >> k & 1:
            codes |= ((1 << N_STRAINS) - 1) << N_STRAINS * k
    return codes


@kernel
def open_defence(view: Record, rules: Record) -> None:
    """The defender plays the dummy's hand too, both open; or the dummy is out of play."""
    if rules.razboinik_dummy == ROW_OPEN:
        view.open_play = 1
        take_defence(view, lone_defender(view))
    else:
        view.in_play &= ~(1 << view.dummy)
