"""Fit the ordering of the solver's moves: ``python -m benchmarks.fit_solver``.

Hill climbing, seeded, from the weights in use: a trial changes a few weights of one game and keeps
them if the positions of a training list take fewer trick-nodes. The two halves of a list (best
contracts and random ones, misères worth bidding and random ones) count the same. Weights that are
never read, or make nothing worse when they are 0, become 0. A list apart says whether it was worth
it; only then ``sim/solver/weights.constants.json`` is written.

With ``--trials`` the result follows from the weights in use, the seed and the numbers given; with
``--minutes`` from how fast the machine is, too.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.solver_sets import draw_rows
from scoring.contract import NO_TRUMP
from scoring.kernel import outline
from sim.solver import MISERE_STRAIN, workspace
from sim.solver.batch import solve_rows
from sim.solver.workspace import GAMES, N_WEIGHTS, NODES, WEIGHTS, make_workspace, prepare

Array = np.ndarray[Any, np.dtype[Any]]

FILE = Path(workspace.__file__).parent / "weights.constants.json"
LISTS = {
    "suit": ("best contract", "random trump"),
    "no_trump": ("no trump",),
    "misere": ("misère worth bidding", "random misère"),
}
"""The sets (``benchmarks.solver_sets``) that a game is fitted on, in equal parts."""
STRAINS = {"suit": range(NO_TRUMP), "no_trump": (NO_TRUMP,), "misere": (MISERE_STRAIN,)}
TRAINING, HELD_OUT = 0, 1
"""The pulkas whose deals the lists are made of."""
LARGEST = 127
"""No weight is larger."""
_PROBES = (LARGEST, -LARGEST)
_PATIENCE = 0.01
"""A trial that is so much worse after a part of the list is given up."""
_FIRST_LOOK = 8
"""The eighth part of a list is the first that can be enough."""


@dataclass(frozen=True)
class Task:
    """Positions of one game, [n, 6], and what a node of each costs: 1 is the whole list as it was
    at the start."""

    game: int
    rows: Array
    price: Array


@outline
def _count(
    work: Any, game: int, weights: Any, rows: Any, price: Any, least: Any, nodes: Any, tricks: Any
) -> int:
    """Nodes and tricks of each position, with weights of one's own; the number of positions done.

    ``least`` is the cost of the first k + 1 positions of the best so far, or empty: then nothing
    is given up.
    """
    cost = 0.0
    first = len(rows) // _FIRST_LOOK
    for k in range(len(rows)):
        prepare(work)
        for weight in range(N_WEIGHTS):
            work[WEIGHTS + N_WEIGHTS * game + weight] = weights[weight]
        solve_rows(work, rows[k : k + 1], tricks[k : k + 1])
        nodes[k] = work[NODES]
        cost += nodes[k] * price[k]
        if len(least) > 0 and k >= first and cost > least[k] * (1.0 + _PATIENCE):
            return k + 1
    return len(rows)


def count(game: int, weights: Array, rows: Array) -> tuple[Array, Array]:
    """Nodes and tricks of each position."""
    nodes, tricks = np.zeros((2, len(rows)), np.int64)
    nothing = np.zeros(0)
    work = make_workspace()
    _count(work, game, weights, rows, np.zeros(len(rows)), nothing, nodes, tricks)
    return nodes, tricks


def try_out(task: Task, weights: Array, least: Array) -> Array | None:
    """The cost of the first k + 1 positions, or None if it is not less in all than ``least``."""
    nodes, tricks = np.zeros((2, len(task.rows)), np.int64)
    arguments = (make_workspace(), task.game, weights, task.rows, task.price, least, nodes, tricks)
    if _count(*arguments) < len(task.rows):
        return None
    cost = np.cumsum(nodes * task.price)
    return cost if len(least) == 0 or cost[-1] < least[-1] else None


def draw_task(game: str, seed: int, number: int, deals: int) -> Array:
    """A list for a game, its kinds in turn."""
    kinds = LISTS[game]
    parts = [draw_rows(kind, deals // len(kinds), seed, number, STRAINS[game]) for kind in kinds]
    return np.stack(parts, axis=1).reshape(-1, parts[0].shape[1])


def make_task(game: str, rows: Array, weights: Array) -> Task:
    """A list with the prices that let its kinds count the same at the start."""
    index = GAMES.index(game)
    kinds = len(LISTS[game])
    totals = count(index, weights, rows)[0].reshape(-1, kinds).sum(axis=0)
    return Task(index, rows, np.tile(1 / (kinds * totals), len(rows) // kinds))


def find_idle(task: Task, weights: Array, sample: int = 64) -> Array:
    """Whether each weight is idle: nothing on some of the list changes if it is very large or very
    small."""
    rows = task.rows[:sample]
    usual, _ = count(task.game, weights, rows)
    idle = np.ones(N_WEIGHTS, bool)
    for k in range(N_WEIGHTS):
        for value in _PROBES:
            other = weights.copy()
            other[k] = value
            idle[k] &= (count(task.game, other, rows)[0] == usual).all()
    return idle


def changed(weights: Array, used: Array, dice: np.random.Generator) -> Array:
    """The weights with one to three of those in use changed, small steps more often."""
    weights = weights.copy()
    for k in dice.choice(used, min(len(used), dice.integers(1, 4)), replace=False):
        step = round(np.exp(dice.uniform(0, np.log(48))))
        weights[k] += step if dice.integers(2) else -step
    return weights.clip(-LARGEST, LARGEST)


def without_idle(task: Task, weights: Array, cost: Array) -> tuple[Array, Array]:
    """The weights, and their cost, with those 0 that make nothing dearer by it."""
    for k in np.flatnonzero(weights):
        other = weights.copy()
        other[k] = 0
        found = try_out(task, other, np.nextafter(cost, np.inf))
        if found is not None:
            weights, cost = other, found
    return weights, cost


def climb(
    task: Task, start: Array, seed: int, trials: int, minutes: float
) -> tuple[Array, float, int]:
    """The best weights found, their cost, and the number of trials, which end with ``trials`` or
    ``minutes`` of CPU."""
    dice = np.random.default_rng((seed, task.game))
    end = time.process_time() + 60 * minutes
    idle = find_idle(task, start)
    best = np.where(idle, 0, start)
    cost = try_out(task, best, np.zeros(0))
    assert cost is not None
    used = np.flatnonzero(~idle)
    done = 0
    while done < trials and time.process_time() < end and len(used):
        done += 1
        other = changed(best, used, dice)
        found = try_out(task, other, cost)
        if found is not None:
            best, cost = other, found
    best, cost = without_idle(task, best, cost)
    return best, float(cost[-1]), done


def fit(game: str, start: Array, seed: int, deals: int, trials: int, minutes: float) -> Array:
    """The fitted weights of a game, and what they are worth told."""
    task = make_task(game, draw_task(game, seed, TRAINING, deals), start)
    weights, cost, done = climb(task, start, seed, trials, minutes)
    click.echo(f"{game}: {done} trials, {(weights != 0).sum()} weights are not 0")
    click.echo(f"  training: {len(task.rows)} positions, {cost - 1:+.1%}")
    return weights


def compare(game: str, rows: Array, before: Array, after: Array) -> bool:
    """Tell the nodes of a list with both weights; whether the new ones take fewer."""
    index = GAMES.index(game)
    (old, tricks), (new, others) = (count(index, weights, rows) for weights in (before, after))
    assert (tricks == others).all(), f"{game}: weights change what positions are worth"
    kinds = len(LISTS[game])
    old, new = (nodes.reshape(-1, kinds).mean(axis=0) for nodes in (old, new))
    change = float((new / old).mean()) - 1
    means = ", ".join(
        f"{kind} {was:.0f} -> {now:.0f}"
        for kind, was, now in zip(LISTS[game], old.tolist(), new.tolist(), strict=True)
    )
    click.echo(f"  held out: {len(rows)} positions, {change:+.1%} (nodes {means})")
    return change < 0


def tell(packed: Array) -> str:
    """The text of the file: a line for each game and seat."""
    games = []
    for game, seats in workspace.tell_weights(packed).items():
        lines = (f'  "{seat}": {json.dumps(table)}' for seat, table in seats.items())
        games.append(f'"{game}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(games) + "\n}\n"


@click.command()
@click.option("--game", type=click.Choice(GAMES), multiple=True, help="Default: all three.")
@click.option("--minutes", default=8.0, show_default=True, help="CPU minutes a game at most.")
@click.option("--trials", default=100_000, show_default=True, help="Trials a game at most.")
@click.option("--deals", default=600, show_default=True, help="Positions of each list.")
@click.option("--seed", default=20_000, show_default=True, help="Seed of deals and trials.")
@click.option("--out", default=FILE, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Write the weights even if they are no better.")
def main(
    game: tuple[str, ...],
    minutes: float,
    trials: int,
    deals: int,
    seed: int,
    out: Path,
    write: bool,
) -> None:
    """Fit the weights of the games, and write those that are better on the list held out."""
    if deals < 2:
        raise click.BadParameter(f"{deals} is too few: from 2 up", param_hint="--deals")
    packed = workspace.WEIGHTS_USED.copy()
    better = write
    for name in game or GAMES:
        before = packed[GAMES.index(name)].copy()
        after = fit(name, before, seed, deals, trials, minutes)
        if compare(name, draw_task(name, seed, HELD_OUT, deals), before, after) or write:
            packed[GAMES.index(name)] = after
            better = True
    if better:
        out.write_text(tell(packed), encoding="utf-8")
        click.echo(f"written: {out}")
    else:
        click.echo("nothing is better: nothing is written")


if __name__ == "__main__":
    main()
