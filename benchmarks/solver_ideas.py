"""What each idea of the solver is worth: ``python -m benchmarks.solver_ideas``.

The same lists of positions with one idea taken out at a time: trick-nodes of a position, exact,
and CPU milliseconds, the clearing of the table among them. The sources know no switches: a fresh
process replaces functions before they are first compiled, into a cache folder of its own. What
positions are worth has to come out the same every time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import numpy as np

from benchmarks.fit_solver import count
from benchmarks.solver_sets import N_DEALS, SETS, IntArray
from scoring.contract import NO_TRUMP
from scoring.kernel import kernel
from sim.solver import MISERE_STRAIN, bounds, ordering, search, table
from sim.solver.planes import MISERE_GAME, PLANE
from sim.solver.workspace import WEIGHTS_USED

ROOT = Path(__file__).parent.parent
PASSES = 3
"""The fastest of so many is told."""
_keep, _bucket_of = table.keep, table.bucket_of


@kernel
def _all(cards: int) -> int:
    """In the place of ``lowest_of_runs``."""
    return cards


@kernel
def _all_thirds(cards: int, beaten: int) -> int:
    """In the place of ``third_moves``."""
    return cards


@kernel
def _find_nothing(work: Any, bucket: int, signature: int, key: int, need: int) -> int:
    """In the place of ``probe``."""
    return table.UNKNOWN


@kernel
def _keep_nothing(work: Any, bucket: int, signature: int, key: int, need: int, found: int) -> None:
    """In the place of ``keep``."""


@kernel
def _keep_whole(work: Any, bucket: int, signature: int, key: int, need: int, found: int) -> None:
    """In the place of ``keep``: every place is relevant."""
    _keep(work, bucket, signature, key, need, found & 1 | PLANE << 1)


@kernel
def _bucket_of_key(game: int, signature: int, key: int) -> int:
    """In the place of ``bucket_of``: the bucket follows from the whole key, as at misère."""
    return _bucket_of(MISERE_GAME, signature, key)


@kernel
def _no_bound(game: int, low: int, high: int, layouts: Any, leader: int, n: int, need: int) -> int:
    """In the place of ``bound``."""
    return bounds.UNKNOWN


@kernel
def _no_trumps(d: int, n: int, need: int) -> int:
    """In the place of ``_sure_trumps``."""
    return bounds.UNKNOWN


@kernel
def _no_partner(a: int, b: int, c: int, d: int, leader: int, n: int, need: int) -> int:
    """In the place of ``_cash_with_partner``."""
    return bounds.UNKNOWN


@dataclass(frozen=True)
class Idea:
    """What is replaced to be without an idea, and whether the weights stay."""

    patches: tuple[tuple[ModuleType, str, Any], ...] = ()
    ordered: bool = True


NOTHING = "nothing"
IDEAS = {
    NOTHING: Idea(),
    "equal cards": Idea(
        ((ordering, "lowest_of_runs", _all), (ordering, "third_moves", _all_thirds))
    ),
    "ordering (lowest card first)": Idea(ordered=False),
    "the table": Idea(((search, "probe", _find_nothing), (search, "keep", _keep_nothing))),
    "partition (exact table)": Idea(
        ((search, "keep", _keep_whole), (search, "bucket_of", _bucket_of_key))
    ),
    "static bounds": Idea(((search, "bound", _no_bound),)),
    "sure trump tricks": Idea(((bounds, "_sure_trumps", _no_trumps),)),
    "the lead given to the partner": Idea(((bounds, "_cash_with_partner", _no_partner),)),
}
"""Ideas that can be left out, by name."""


def measure(idea: Idea, rows: IntArray, passes: int = PASSES) -> dict[str, Any]:
    """Nodes of all positions together, milliseconds of one, and the tricks of each, in a process
    where the idea's patches are in place."""
    weights = WEIGHTS_USED * idea.ordered
    games = np.digitize(rows[:, 0], (NO_TRUMP, MISERE_STRAIN))
    nodes, tricks = np.zeros((2, len(rows)), np.int64)
    seconds = []
    count(0, weights[0], rows[:1])
    for _ in range(passes):
        start = time.process_time()
        for game in np.unique(games).tolist():
            chosen = games == game
            nodes[chosen], tricks[chosen] = count(game, weights[game], rows[chosen])
        seconds.append(time.process_time() - start)
    return {
        "nodes": int(nodes.sum()),
        "ms": 1000 * min(seconds) / len(rows),
        "tricks": tricks.tolist(),
    }


def take_out(idea: Idea) -> None:
    """Put an idea's patches in place; nothing may have been compiled yet."""
    for module, name, replacement in idea.patches:
        assert hasattr(module, name)
        setattr(module, name, replacement)


def measure_all(name: str, lists: Path) -> dict[str, dict[str, Any]]:
    """What :func:`measure` finds of each list of a file, without an idea."""
    idea = IDEAS[name]
    take_out(idea)
    with np.load(lists) as rows:
        return {kind: measure(idea, rows[kind]) for kind in rows}


def run(name: str, lists: Path) -> dict[str, dict[str, Any]]:
    """The same in a fresh process."""
    module = "benchmarks.solver_ideas"
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-m", module, "--without", name, "--lists", str(lists)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": ""},
        )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def cell(found: dict[str, Any], usual: dict[str, Any]) -> str:
    """A cell of the table: nodes of a position, how many times the usual, milliseconds."""
    if found is not usual and found["nodes"] == usual["nodes"]:
        return "="
    nodes = f"{found['nodes'] / len(found['tricks']):,.0f}".replace(",", " ")
    times = "" if found is usual else f" ×{found['nodes'] / usual['nodes']:.2f}"
    return f"{nodes}{times}, {found['ms']:.2f} ms"


def tell(results: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The results as a table."""
    lines = ["| without | " + " | ".join(SETS) + " |", "|---|" + "---|" * len(SETS)]
    for name, found in results.items():
        cells = (cell(found[kind], results[NOTHING][kind]) for kind in SETS)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def check(results: dict[str, dict[str, dict[str, Any]]]) -> None:
    """AssertionError unless every position is worth the same without each of the ideas."""
    for name, found in results.items():
        for kind, one in found.items():
            assert one["tricks"] == results[NOTHING][kind]["tricks"], f"{kind} without {name}"


@click.command()
@click.option("--deals", default=200, show_default=True, help="Positions of a set at most.")
@click.option("--without", type=click.Choice(list(IDEAS)), hidden=True)
@click.option("--lists", type=click.Path(path_type=Path), hidden=True)
def main(deals: int, without: str | None, lists: Path | None) -> None:
    """Tell what the five sets take without each idea."""
    if without is not None and lists is not None:
        click.echo(json.dumps(measure_all(without, lists)))
        return
    rows = {kind: draw(N_DEALS)[:deals] for kind, draw in SETS.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lists.npz"
        np.savez(path, **rows)
        results = {name: run(name, path) for name in IDEAS}
    check(results)
    click.echo(tell(results))


if __name__ == "__main__":
    main()
