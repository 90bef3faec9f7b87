"""Gates on the solver's work: trick-nodes of fixed sets of deals, each from an empty table.

Nodes are counted, not timed, so they are the same on every machine.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.solver_sets import N_DEALS, SETS
from scoring.kernel import JIT
from sim.solver import count_nodes, solve_many

GATES = {
    "best contract": 600,
    "random trump": 1_050,
    "no trump": 1_500,
    "misère worth bidding": 8_000,
    "random misère": 16_000,
}
"""The most nodes that a set may need in the mean."""
FEWER = 300
compiled = pytest.mark.skipif(not JIT, reason="whole deals take minutes with the JIT off")


def mean_nodes(name: str, n_deals: int) -> float:
    """Nodes of a position in the mean, and at least a good part of the deals gives one."""
    rows = SETS[name](n_deals)
    assert len(rows) > n_deals // 5
    _, nodes = count_nodes(rows[:, 1:4], rows[:, 0], rows[:, 4], rows[:, 5])
    return float(nodes.mean())


@compiled
@pytest.mark.parametrize("name", GATES)
def test_nodes(name: str) -> None:
    """A part of the deals."""
    assert mean_nodes(name, FEWER) <= GATES[name]


@compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", GATES)
def test_nodes_of_all(name: str) -> None:
    """All thousand deals."""
    assert mean_nodes(name, N_DEALS) <= GATES[name]


@compiled
def test_nodes_are_repeatable() -> None:
    """Nodes do not hang on what was solved before, nor on which rows are together; values are
    those of a table in use."""
    rows = np.concatenate([make(20) for make in SETS.values()])
    columns = rows[:, 1:4], rows[:, 0], rows[:, 4], rows[:, 5]
    tricks, nodes = count_nodes(*columns)
    again, nodes_again = count_nodes(*(column[::-1] for column in columns))
    assert (nodes_again[::-1] == nodes).all()
    assert (again[::-1] == tricks).all()
    assert (solve_many(*columns) == tricks).all()
    assert nodes.min() >= 1 and len(set(nodes.tolist())) > 20


def test_every_set_has_a_gate() -> None:
    """Nothing is left out, and a set of fewer deals is the beginning of a larger one."""
    assert list(GATES) == list(SETS)
    for name in ("random trump", "no trump", "random misère"):
        assert (SETS[name](8)[:5] == SETS[name](5)).all()
