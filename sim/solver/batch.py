"""Many positions at once, over threads, each with a workspace of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np

from scoring.contract import N_STRAINS, NO_TRUMP
from scoring.kernel import outline

from ..cards import ALL_CARDS, HAND_SIZE
from ..state import N_HANDS
from .position import Position, PositionError
from .values import N_GAMES, count_tricks, first_guess
from .workspace import NODES, make_workspace, prepare

IntArray = np.ndarray[Any, np.dtype[np.int64]]
Advance = Callable[[int], None]

_CHUNK = 128
"""Positions of one piece of work: short enough that a stop is heeded soon."""
_mine = threading.local()


def own_workspace() -> IntArray:
    """The workspace of this thread."""
    if not hasattr(_mine, "work"):
        _mine.work = make_workspace()
    work: IntArray = _mine.work
    return work


@outline
def solve_rows(work: Any, rows: Any, tricks: Any) -> None:
    """Positions before a lead, [k, 6] without the table's cards, to the declarer's tricks [k]."""
    for k in range(len(rows)):
        strain, h0, h1, h2 = rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3]
        declarer, leader = rows[k, 4], rows[k, 5]
        guess = first_guess(strain, rows[k, 1 + declarer])
        position = (strain, h0, h1, h2, declarer, leader, -1, -1)
        tricks[k] = count_tricks(work, position, guess)


@outline
def _count_rows(work: Any, rows: Any, tricks: Any, nodes: Any) -> None:
    """The same with a workspace made ready for each, and the trick-nodes that each took."""
    for k in range(len(rows)):
        prepare(work)
        solve_rows(work, rows[k : k + 1], tricks[k : k + 1])
        nodes[k] = work[NODES]


@outline
def _table_rows(work: Any, hands: Any, leaders: Any, tables: Any) -> None:
    """Hands [k, 3] to tables [k, strains, declarers, leaders]."""
    for k in range(len(hands)):
        h0, h1, h2 = hands[k, 0], hands[k, 1], hands[k, 2]
        for strain in range(tables.shape[1]):
            for declarer in range(N_HANDS):
                tricks = first_guess(strain, hands[k, declarer])
                for j in range(len(leaders)):
                    position = (strain, h0, h1, h2, declarer, leaders[j], -1, -1)
                    tricks = count_tricks(work, position, tricks)
                    tables[k, strain, declarer, j] = tricks


def _spread(
    n: int, job: Callable[[IntArray, slice], None], workers: int | None, advance: Advance | None
) -> None:
    """Do a job for each chunk of ``n`` rows on some threads (None: one for each core)."""

    def piece(start: int) -> int:
        stop = min(start + _CHUNK, n)
        job(own_workspace(), slice(start, stop))
        return stop - start

    pool = ThreadPoolExecutor(workers or os.cpu_count() or 1)
    try:
        for done in as_completed([pool.submit(piece, k) for k in range(0, n, _CHUNK)]):
            size = done.result()
            if advance is not None:
                advance(size)
    finally:
        pool.shutdown(cancel_futures=True)


def _check_rows(rows: IntArray) -> None:
    """PositionError naming the first row [strain, hands, declarer, leader] that is no position."""
    hands, seats = rows[:, 1:4], rows[:, 4:6]
    good = ((hands >= 0) & (hands <= ALL_CARDS)).all(axis=1)
    good &= ((seats >= 0) & (seats < N_HANDS)).all(axis=1)
    good &= (rows[:, 0] >= 0) & (rows[:, 0] < N_GAMES)
    sizes = np.bitwise_count(hands)
    most = sizes.max(axis=1, initial=0)[:, None]
    a, b, c = hands.T
    good &= ((a & b | a & c | b & c) == 0) & (most[:, 0] > 0) & (most[:, 0] <= HAND_SIZE)
    good &= ((sizes == 0) | (sizes == most)).all(axis=1) & ((sizes > 0).sum(axis=1) > 1)
    good &= (np.take_along_axis(sizes, np.clip(seats, 0, N_HANDS - 1), axis=1) > 0).all(axis=1)
    for row in np.flatnonzero(~good)[:1].tolist():
        strain, h0, h1, h2, declarer, leader = rows[row].tolist()
        try:
            Position((h0, h1, h2), strain, declarer, leader)
        except PositionError as error:
            raise PositionError(f"row {row}: {error}") from None


def _as_rows(hands: Any, strain: Any, declarer: Any, leader: Any) -> IntArray:
    """Arrays (or single numbers for all) as checked rows [k, 6]."""
    hands = np.asarray(hands, np.int64)
    if hands.ndim != 2 or hands.shape[1] != N_HANDS:
        raise PositionError(f"hands of shape {hands.shape}: [positions, 3] is wanted")
    rows = np.empty((len(hands), 6), np.int64)
    rows[:, 1:4] = hands
    for column, name, values in (
        (0, "strain", strain),
        (4, "declarer", declarer),
        (5, "leader", leader),
    ):
        try:
            rows[:, column] = values
        except ValueError:
            raise PositionError(
                f"{name} of shape {np.shape(values)}: one for all or one for each of {len(hands)}"
            ) from None
    _check_rows(rows)
    return rows


def solve_many(
    hands: Any,
    strain: Any,
    declarer: Any = 0,
    leader: Any = 0,
    workers: int | None = None,
    advance: Advance | None = None,
) -> IntArray:
    """The declarer's tricks of many positions before a lead, int64 [n].

    ``hands`` are masks [n, 3] in the order of play; strain, declarer and leader are one number for
    all or one for each. ``workers`` threads share the work (None: one for each core); results do
    not depend on them. ``advance(n)`` is called as positions are done. Raises PositionError.
    """
    rows = _as_rows(hands, strain, declarer, leader)
    tricks = np.zeros(len(rows), np.int64)
    _spread(len(rows), lambda work, at: solve_rows(work, rows[at], tricks[at]), workers, advance)
    return tricks


def count_nodes(
    hands: Any, strain: Any, declarer: Any = 0, leader: Any = 0
) -> tuple[IntArray, IntArray]:
    """As :func:`solve_many`, and the trick-nodes that each position took from an empty table."""
    rows = _as_rows(hands, strain, declarer, leader)
    tricks, nodes = np.zeros((2, len(rows)), np.int64)
    _count_rows(own_workspace(), rows, tricks, nodes)
    return tricks, nodes


def solve_tables(
    hands: Any,
    leaders: Sequence[int] = (0,),
    misere: bool = True,
    workers: int | None = None,
    advance: Advance | None = None,
) -> IntArray:
    """What many deals are worth to each declarer: int64 [n, strains, declarers, leaders].

    Strains are the four suits, no trump, and misère unless it is left out. Three hands play.
    Raises PositionError.
    """
    rows = _as_rows(hands, NO_TRUMP, 0, 0)
    for hand in range(1, N_HANDS):
        rows[:, 4:] = hand
        _check_rows(rows)
    which = _as_rows(rows[:1, 1:4].repeat(len(leaders), axis=0), NO_TRUMP, 0, leaders)[:, 5]
    n_strains = N_GAMES if misere else N_STRAINS
    tables = np.zeros((len(rows), n_strains, N_HANDS, len(which)), np.int64)
    _spread(
        len(rows),
        lambda work, at: _table_rows(work, rows[at, 1:4], which, tables[at]),
        workers,
        advance,
    )
    return tables
