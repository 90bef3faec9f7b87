"""Each idea of the solver left out, in plain Python: the same values, and another number of nodes
where it matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.solver_ideas import IDEAS, NOTHING, cell, check, measure, tell
from benchmarks.solver_sets import SETS, endings

TESTS = Path(__file__).resolve().parent
SCRIPT = "import json, sys, test_solver_ideas as t; print(json.dumps(t.measured(sys.argv[1])))"
SAME = {
    "equal cards": set(),
    "ordering (lowest card first)": set(),
    "the table": set(),
    "partition (exact table)": {"misère worth bidding", "random misère"},
    "static bounds": set(),
    "sure trump tricks": {"no trump", "misère worth bidding", "random misère"},
    "the lead given to the partner": set(SETS) - {"no trump"},
}
"""Where an idea changes nothing; elsewhere it may."""


def measured(path: str) -> dict[str, dict[str, Any]]:
    """What is measured without each idea; patches are undone, for nothing is compiled."""
    results = {}
    with np.load(path) as rows:
        for name, idea in IDEAS.items():
            with pytest.MonkeyPatch.context() as patch:
                for module, what, replacement in idea.patches:
                    patch.setattr(module, what, replacement)
                results[name] = {kind: measure(idea, rows[kind], 1) for kind in rows}
    return results


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Six positions with six cards of each hand of every set, without each idea."""
    path = tmp_path_factory.mktemp("ideas") / "lists.npz"
    np.savez(path, **{kind: endings(draw(40)[:6], 6, 1) for kind, draw in SETS.items()})
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)],
        env=os.environ
        | {
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join(map(str, (TESTS.parent, TESTS))),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_ideas_change_nodes_and_no_value(results: dict[str, dict[str, Any]]) -> None:
    """Every value is the same; every idea takes effect, and nowhere where it should not."""
    check(results)
    usual = results[NOTHING]
    assert set(results) == set(IDEAS)
    assert all(len(set(found["tricks"])) > 1 for found in usual.values())
    for name, same in SAME.items():
        equal = {
            kind for kind in SETS if results[name][kind] | {"ms": 0} == usual[kind] | {"ms": 0}
        }
        assert same <= equal < set(SETS), name


def test_a_value_that_differs_is_found(results: dict[str, dict[str, Any]]) -> None:
    """The check is one."""
    kind = "no trump"
    wrong = results["the table"][kind] | {"tricks": [9] * 6}
    with pytest.raises(AssertionError, match="no trump without the table"):
        check(results | {"the table": results["the table"] | {kind: wrong}})


def test_the_table_told(results: dict[str, dict[str, Any]]) -> None:
    """A line for each idea that was measured, a cell for each set."""
    lines = tell(results).splitlines()
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == list(IDEAS)
    assert {line.count("|") for line in lines} == {len(SETS) + 2}
    usual = {"nodes": 2400, "ms": 0.25, "tricks": [1, 2]}
    assert cell(usual, usual) == "1 200, 0.25 ms"
    assert cell(usual | {"ms": 0.3}, usual) == "="
    assert cell(usual | {"nodes": 3000, "ms": 0.3}, usual) == "1 500 ×1.25, 0.30 ms"
