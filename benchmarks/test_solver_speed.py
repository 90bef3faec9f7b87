"""Speed of the solver: ``python -m pytest benchmarks --benchmark-only``. Nothing asserts a time.

Without timing (``--benchmark-disable``) each entry checks what its call finds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from benchmarks import dds, measure
from benchmarks.solver import (
    KINDS,
    as_positions,
    columns,
    each_leader,
    race,
    rate_loop,
)
from benchmarks.solver_sets import SEED, SETS, deals, endings, make_rows
from scoring.contract import NO_TRUMP
from sim.cards import HAND_SIZE, N_CARDS
from sim.solver import MISERE_STRAIN, count_nodes, make_workspace, prepare, solve_many, solve_tables
from sim.solver.batch import solve_rows
from sim.state import N_HANDS

N = 100
"""Deals of each entry."""
ROUNDS = 5

pytestmark = pytest.mark.benchmark(timer=time.process_time)


def run(benchmark: Any, call: Callable[[], Any], work: Any = None) -> Any:
    """Time a call on one core, each round with the workspace made ready."""
    cores = measure.pin()
    try:
        setup = partial(prepare, work) if work is not None else None
        return benchmark.pedantic(call, setup=setup, rounds=ROUNDS, warmup_rounds=1)
    finally:
        measure.unpin(cores)


@pytest.mark.parametrize("name", SETS)
def test_set(name: str, benchmark: Any) -> None:
    """A batch of each of the five sets; a table in use finds what an empty one does."""
    rows = SETS[name](N)
    found = run(benchmark, partial(solve_many, *columns(rows), workers=1))
    tricks, nodes = count_nodes(*columns(rows))
    assert (found == tricks).all()
    benchmark.extra_info["positions"] = len(rows)
    benchmark.extra_info["nodes"] = round(float(nodes.mean()))


@pytest.mark.parametrize("misere", [False, True])
def test_tables(misere: bool, benchmark: Any) -> None:
    """Whole tables; every cell is what the position by itself is worth."""
    n = N // 5
    tables = run(benchmark, partial(solve_tables, deals(n), (0,), misere, workers=1))
    assert tables.shape == (n, MISERE_STRAIN + misere, N_HANDS, 1)
    for strain in range(tables.shape[1]):
        for declarer in range(N_HANDS):
            alone = solve_many(deals(n), strain, declarer, workers=1)
            assert (tables[:, strain, declarer, 0] == alone).all()


@pytest.mark.parametrize("kind", KINDS)
def test_all_leads(kind: str, benchmark: Any) -> None:
    """The values of all leads; the best is the value of the deal."""
    rows = SETS[KINDS[kind]](N)
    values = np.zeros((N, N_CARDS), np.int64)
    work = make_workspace()
    run(benchmark, partial(rate_loop, work, rows, values), work)
    assert ((values >= 0).sum(axis=1) == HAND_SIZE).all()
    declarer_leads = rows[:, 4] == rows[:, 5]
    most = declarer_leads != (rows[:, 0] == MISERE_STRAIN)
    least = np.where(values >= 0, values, N_CARDS).min(axis=1)
    assert (np.where(most, values.max(axis=1), least) == solve_many(*columns(rows))).all()


@pytest.mark.parametrize("cards", range(1, HAND_SIZE + 1))
@pytest.mark.parametrize("kind", KINDS)
def test_endings(kind: str, cards: int, benchmark: Any) -> None:
    """Positions of a few cards in a compiled loop; a table in use finds what an empty one does."""
    rows = endings(SETS[KINDS[kind]](N), cards, SEED)
    tricks = np.zeros(N, np.int64)
    work = make_workspace()
    run(benchmark, partial(solve_rows, work, rows, tricks), work)
    assert (tricks == count_nodes(*columns(rows))[0]).all()


@pytest.mark.parametrize("each", ["leader", "board"])
def test_dds(each: str, benchmark: Any) -> None:
    """No trump by DDS, on one thread, and by us: the same tricks; the ratio is told."""
    if dds.load() is None:
        pytest.skip("endplay has no wheel here, and so there is no DDS")
    rows = make_rows(deals(N), NO_TRUMP, np.arange(N) % N_HANDS)
    wanted = each_leader(rows) if each == "leader" else rows
    make = dds.Tables if each == "leader" else dds.Boards
    theirs = make(as_positions(rows))
    ours = partial(solve_many, *columns(wanted), workers=1)
    dds.set_threads(1)
    try:
        run(benchmark, theirs.run)
        benchmark.extra_info["ratio"] = race(each, rows, theirs, ours, ROUNDS).ratio
    finally:
        dds.set_threads(0)
    tricks = theirs.tricks()
    if each == "leader":
        role = (wanted[:, 5] - wanted[:, 4]) % N_HANDS
        tricks = tricks[np.arange(N).repeat(N_HANDS), role]
    assert (ours() == tricks).all()
