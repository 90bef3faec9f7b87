"""The solver's speed: ``python -m benchmarks.solver``; what it means stands in ``NOTES.md``."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import click
import numpy as np

from benchmarks import dds
from benchmarks.measure import Sample, median_cpu, median_ratio, pin, take_turns, unpin
from benchmarks.solver_sets import N_DEALS, SEED, SETS, IntArray, deals, endings, make_rows
from benchmarks.speed import Start, describe_machine, tell_machine, tell_starts, time_start
from scoring.contract import NO_TRUMP
from scoring.kernel import outline
from scoring.tables import format_table
from sim.cards import HAND_SIZE, N_CARDS
from sim.solver import (
    Position,
    count_nodes,
    make_workspace,
    prepare,
    rate_cards,
    solve,
    solve_many,
    solve_position,
    solve_tables,
)
from sim.solver.batch import own_workspace, solve_rows
from sim.state import N_HANDS

KINDS = {"trump": "random trump", "no trump": "no trump", "misère": "random misère"}
"""What is measured by cards left, and the set that it is cut from."""
FIVE = 5
TABLES = 200
"""Deals of the tables."""
GOALS = {
    "no trump, deals by those of DDS": 1.5,
    "a trump, deals by those of DDS": 3.0,
    "misère worth bidding, a second": 1000.0,
    "random misère, a second": 450.0,
}
FIRST_SOLVE = "from sim.solver import solve; solve('AK... | QJ... | T9...', strain=4)"


@outline
def rate_loop(work: Any, rows: Any, values: Any) -> None:
    """The values of the leader's cards of each row."""
    for k in range(len(rows)):
        h0, h1, h2 = rows[k, 1], rows[k, 2], rows[k, 3]
        position = (rows[k, 0], h0, h1, h2, rows[k, 4], rows[k, 5], -1, -1)
        rate_cards(work, position, values[k])


@dataclass(frozen=True)
class Solving:
    """One set: its positions, trick-nodes from an empty table, milliseconds of one solve called
    from Python, and solves a second of a batch on one core."""

    name: str
    positions: int
    nodes: float
    nodes_median: float
    nodes_p99: float
    ms_median: float
    ms_p99: float
    ms: float
    per_second: float


@dataclass(frozen=True)
class Ending:
    """Positions of ``cards`` cards each: nodes, and microseconds in a compiled loop."""

    kind: str
    cards: int
    nodes: float
    us: float


@dataclass(frozen=True)
class Rival:
    """A job that DDS does too: ours and theirs a second, and the median of their ratio."""

    job: str
    ours: float
    theirs: float
    ratio: float


def columns(rows: IntArray) -> tuple[Any, Any, Any, Any]:
    """Rows as ``solve_many`` and ``count_nodes`` take them."""
    return rows[:, 1:4], rows[:, 0], rows[:, 4], rows[:, 5]


def positions_of(rows: IntArray) -> list[Position]:
    """Rows as positions."""
    return [Position((a, b, c), s, d, f) for s, a, b, c, d, f in rows.tolist()]


def timed(n: int, call: Callable[[], Any], work: Any = None) -> Sample:
    """One run of a job of ``n`` positions; ``work`` is made ready before, lest it still knows what
    it found the last time (a batch has a new workspace anyway)."""
    if work is not None:
        prepare(work)
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return Sample(n, 0, time.process_time() - cpu, time.perf_counter() - wall)


def median_time(n: int, call: Callable[[], Any], rounds: int, work: Any = None) -> float:
    """Median CPU seconds of one of ``n`` positions."""
    call()
    return median_cpu([timed(n, call, work) for _ in range(rounds)]) / n


def single_times(positions: list[Position], rounds: int) -> Any:
    """Milliseconds of each solve by the clock, from an empty table, the least of some rounds: other
    jobs only add."""
    least = np.full(len(positions), np.inf)
    for _ in range(rounds):
        for k, position in enumerate(positions):
            prepare(own_workspace())
            start = time.perf_counter_ns()
            solve_position(position)
            least[k] = min(least[k], time.perf_counter_ns() - start)
    return least / 1e6


def measure_sets(n: int, rounds: int) -> list[Solving]:
    """The five sets."""
    found = []
    for name, make in SETS.items():
        rows = make(n)
        _, nodes = count_nodes(*columns(rows))
        seconds = median_time(len(rows), partial(solve_many, *columns(rows), workers=1), rounds)
        ms = single_times(positions_of(rows), min(rounds, 3))
        found.append(
            Solving(
                name,
                len(rows),
                float(nodes.mean()),
                float(np.median(nodes)),
                float(np.percentile(nodes, 99)),
                float(np.median(ms)),
                float(np.percentile(ms, 99)),
                1e3 * seconds,
                1 / seconds,
            )
        )
    return found


def measure_tables(n: int, rounds: int) -> dict[str, float]:
    """Tables of deals an hour on one core: the fifteen contracts, misère too, and all leaders."""
    jobs = {
        "15 contracts, eldest leads": ((0,), False),
        "18 values, misère too": ((0,), True),
        "45 values, each leader": ((0, 1, 2), False),
    }
    return {
        name: 3600
        / median_time(n, partial(solve_tables, deals(n), leaders, misere, workers=1), rounds)
        for name, (leaders, misere) in jobs.items()
    }


def measure_cards(n: int, rounds: int) -> dict[str, float]:
    """The time of the values of all ten leads by that of the deal's value, in turns."""
    found = {}
    work = make_workspace()
    for kind, name in KINDS.items():
        rows = SETS[name](n)
        values, tricks = np.zeros((n, N_CARDS), np.int64), np.zeros(n, np.int64)
        jobs = {
            "all": partial(timed, n, partial(rate_loop, work, rows, values), work),
            "one": partial(timed, n, partial(solve_rows, work, rows, tricks), work),
        }
        take_turns(jobs, 1)
        samples = take_turns(jobs, rounds)
        found[kind] = median_ratio(samples["all"], samples["one"])
    return found


def measure_endings(n: int, rounds: int) -> list[Ending]:
    """Positions by the number of cards left, drawn from whole deals by lot."""
    found = []
    work = make_workspace()
    for kind, name in KINDS.items():
        whole = SETS[name](n)
        for cards in range(1, HAND_SIZE + 1):
            rows = endings(whole, cards, SEED)
            tricks = np.zeros(n, np.int64)
            _, nodes = count_nodes(*columns(rows))
            seconds = median_time(n, partial(solve_rows, work, rows, tricks), rounds, work)
            found.append(Ending(kind, cards, float(nodes.mean()), 1e6 * seconds))
    return found


def measure_calls(n: int, rounds: int) -> dict[str, float]:
    """Microseconds of an ending of five cards with a trump, by the way it is asked for."""
    rows = endings(SETS["random trump"](n), FIVE, SEED)
    tricks = np.zeros(n, np.int64)
    positions = positions_of(rows)
    told = [((a, b, c), s, d, f) for s, a, b, c, d, f in rows.tolist()]
    work = own_workspace()
    ways: dict[str, Callable[[], Any]] = {
        "in a compiled loop": partial(solve_rows, work, rows, tricks),
        "a batch from Python": partial(solve_many, *columns(rows), workers=1),
        "solve_position": lambda: [solve_position(position) for position in positions],
        "solve, with its checks": lambda: [solve(*one) for one in told],
    }
    return {way: 1e6 * median_time(n, call, rounds, work) for way, call in ways.items()}


def each_leader(rows: IntArray) -> IntArray:
    """Each row three times, once for each leader, so that what one finds serves the next."""
    hands, strain, declarer, _ = columns(rows)
    by_leader = [make_rows(hands, strain, declarer, k) for k in range(N_HANDS)]
    return np.stack(by_leader, axis=1).reshape(-1, rows.shape[1])


def as_positions(rows: IntArray) -> list[list[int]]:
    """Rows with no card on the table."""
    return [[*row, -1, -1] for row in rows.tolist()]


def race(name: str, rows: IntArray, theirs: Any, ours: Callable[[], Any], rounds: int) -> Rival:
    """We and DDS in turns at the same positions."""
    n = len(rows)
    rivals = {
        "ours": lambda: timed(n, ours, own_workspace()),
        "dds": lambda: timed(n, theirs.run),
    }
    take_turns(rivals, 1)
    samples = take_turns(rivals, rounds)
    pace = {who: n / median_cpu(some) for who, some in samples.items()}
    ratio = 1 / median_ratio(samples["ours"], samples["dds"])
    return Rival(name, pace["ours"], pace["dds"], ratio)


def measure_dds(n: int, rounds: int) -> list[Rival]:
    """DDS on one thread, in turns with us, on the same deals; its clock runs in its calls alone."""
    dds.set_threads(1)
    plain, suits, played = (SETS[name](n) for name in ("no trump", "random trump", "best contract"))
    found = []
    for name, rows in (
        ("no trump", plain),
        ("a trump", suits),
        ("best contract, a trump", played[played[:, 0] != NO_TRUMP]),
    ):
        boards = dds.Boards(as_positions(rows))
        ours = partial(solve_many, *columns(rows), workers=1)
        found.append(race(name, rows, boards, ours, rounds))
    for name, rows in (
        ("no trump, by every leader", plain),
        ("spades, by every leader", make_rows(suits[:, 1:4], 0, suits[:, 4])),
    ):
        tables = dds.Tables(as_positions(rows))
        ours = partial(solve_many, *columns(each_leader(rows)), workers=1)
        found.append(race(name, rows, tables, ours, rounds))
    leads = dds.Boards(as_positions(plain), dds.EVERY_CARD)
    values = np.zeros((n, N_CARDS), np.int64)
    rate = partial(rate_loop, own_workspace(), plain, values)
    found.append(race("no trump, every lead", plain, leads, rate, rounds))
    check_leads(values, leads)
    dds.set_threads(0)
    return found


def check_leads(values: IntArray, leads: dds.Boards) -> None:
    """AssertionError unless DDS, having run, finds the values of all cards that we find."""
    for ours, theirs in zip(values.tolist(), leads.values(), strict=True):
        assert {card: tricks for card, tricks in enumerate(ours) if tricks >= 0} == theirs


def measure_starts(rounds: int) -> list[Start]:
    """The first solve in a fresh process: with nothing compiled, and from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = {"NUMBA_CACHE_DIR": folder}
        return [
            time_start("first solve, compiling all", FIRST_SOLVE, 1, fresh),
            time_start("first solve from the cache", FIRST_SOLVE, rounds, fresh),
            time_start("import sim.solver", "import sim.solver", rounds, fresh),
            time_start("import numba", "import numba", rounds, {}),
        ]


def reached(report: dict[str, Any]) -> dict[str, float]:
    """What stands against each of the goals, of those that were measured."""
    rivals = {r["job"]: r["ratio"] for r in report["dds"]}
    sets = {s["name"]: s["per_second"] for s in report["sets"]}
    found = {f"{job}, deals by those of DDS": ratio for job, ratio in rivals.items()}
    found |= {f"{name}, a second": rate for name, rate in sets.items()}
    return {goal: found[goal] for goal in GOALS if goal in found}


def _tables_of_sets(report: dict[str, Any]) -> list[str]:
    head = ["one position", "of", "nodes", "median", "p99", "ms", "median", "p99", "a second"]
    sets = [
        [
            s["name"],
            f"{s['positions']}",
            *(f"{s[key]:,.0f}" for key in ("nodes", "nodes_median", "nodes_p99")),
            *(f"{s[key]:.3f}" for key in ("ms", "ms_median", "ms_p99")),
            f"{s['per_second']:,.0f}",
        ]
        for s in report["sets"]
    ]
    by_cards = [["cards left", *(f"{kind} {unit}" for kind in KINDS for unit in ("nodes", "µs"))]]
    for cards in range(1, HAND_SIZE + 1):
        some = [e for e in report["endings"] if e["cards"] == cards]
        cells = [cell for e in some for cell in (f"{e['nodes']:,.1f}", f"{e['us']:,.2f}")]
        by_cards.append([f"{cards}", *cells])
    return [format_table([head, *sets]), format_table(by_cards)]


def format_report(report: dict[str, Any]) -> str:
    """The report as text."""
    tables = [["deals an hour", ""]]
    tables += [[name, f"{rate:,.0f}"] for name, rate in report["tables"].items()]
    cards = [["all ten leads by one value", ""]]
    cards += [[kind, f"{ratio:.2f}"] for kind, ratio in report["cards"].items()]
    calls = [["an ending of five cards, a trump", "µs"]]
    calls += [[way, f"{us:.2f}"] for way, us in report["calls"].items()]
    rivals = [["deals a second, one thread", "ours", "DDS", "ratio"]]
    rivals += [
        [r["job"], f"{r['ours']:,.0f}", f"{r['theirs']:,.0f}", f"{r['ratio']:.2f}"]
        for r in report["dds"]
    ]
    starts = tell_starts(report["starts"])
    goals = [["goals", "at least", "measured", ""]]
    goals += [
        [name, f"{GOALS[name]:,g}", f"{value:,.2f}", "met" if value >= GOALS[name] else "NOT met"]
        for name, value in reached(report).items()
    ]
    head = (
        f"{tell_machine(report['machine'])}\n"
        f"{report['deals']} deals; CPU time on one core, medians of {report['rounds']} rounds"
    )
    whole = [tables, cards, calls, rivals, starts, goals]
    filled = [format_table(table) for table in whole if len(table) > 1]
    return "\n\n".join([head, *_tables_of_sets(report), *filled])


def measure_all(n: int, rounds: int, starts: bool) -> dict[str, Any]:
    """The whole report."""
    report = {
        "deals": n,
        "rounds": rounds,
        "sets": [asdict(x) for x in measure_sets(n, rounds)],
        "endings": [asdict(x) for x in measure_endings(n, rounds)],
        "tables": measure_tables(min(n, TABLES), min(rounds, 3)),
        "cards": measure_cards(n, rounds),
        "calls": measure_calls(n, rounds),
        "dds": [asdict(x) for x in measure_dds(n, rounds)] if dds.load() else [],
        "starts": [asdict(x) for x in measure_starts(rounds)] if starts else [],
    }
    return {"machine": describe_machine(), **report}


@click.command()
@click.option("--deals", "n", default=N_DEALS, show_default=True, help="Deals of each set.")
@click.option("--rounds", default=5, show_default=True, help="Rounds; the median counts.")
@click.option("--starts/--no-starts", default=True, help="Time the start too (a minute).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def main(n: int, rounds: int, starts: bool, as_json: bool) -> None:
    """Measure the solver on one core, and DDS at the same jobs where there is endplay."""
    cores = pin()
    report = measure_all(n, rounds, starts)
    unpin(cores)
    click.echo(json.dumps(report, indent=1) if as_json else format_report(report))


if __name__ == "__main__":
    main()
