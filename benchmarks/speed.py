"""The table of speeds: ``python -m benchmarks.speed``; what it means stands in ``NOTES.md``."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numba

from benchmarks import reference
from benchmarks.measure import (
    BOTS,
    OTHERS,
    SEED,
    TARGET,
    USUAL,
    Sample,
    check_reference,
    load_average,
    make_shard,
    median_cpu,
    median_ratio,
    pace_ratio,
    pin,
    play,
    play_new,
    play_reference,
    take_turns,
    unpin,
)
from scoring.tables import format_table
from sim.run import make_run, study

HOME = Path(__file__).resolve().parent.parent
CHECKED = 300
C = "random in C"
WARM_UP = """
from benchmarks.measure import make_shard, play
for bot in ("random", "cautious"):
    play(make_shard("sochi", bot, 1))
"""
HELP = "import sys; from sim.cli import main; sys.argv = ['preferans', '--help']; main()"


@dataclass(frozen=True)
class Speed:
    """One line-up on one core; ``time_by_c``: its CPU time by that of the C reference,
    ``time_by_sochi``: a decision's CPU time by one of sochi, ``make_ms``: the cost of making a
    shard before it plays."""

    variant: str
    bot: str
    pulkas_per_second: float
    deals_per_second: float
    decisions_per_second: float
    ns_per_decision: float
    time_by_c: float | None
    time_by_sochi: float | None
    make_ms: float | None


@dataclass(frozen=True)
class WholeRun:
    """``study`` with one worker: playing, columns and estimates, and files if ``stored``."""

    bot: str
    stored: bool
    deals_per_second: float
    time_by_engine: float


@dataclass(frozen=True)
class Threads:
    """Two shards at once against one: CPU a deal, the wall clock, and the cores obtained."""

    bot: str
    cpu_ratio: float
    speed_up: float
    cores: float


@dataclass(frozen=True)
class Start:
    """A command in a fresh process."""

    name: str
    cpu: float
    wall: float


def measure_speeds(variant: str, pulkas: int, rounds: int, compared: bool) -> list[Speed]:
    """All bots in a variant, taking turns with each other and with C, or with themselves in
    sochi."""
    making: dict[str, list[float]] = {bot: [] for bot in BOTS}

    def play_fresh(bot: str) -> Sample:
        start = time.process_time()
        shard = make_shard(variant, bot, pulkas)
        making[bot].append(time.process_time() - start)
        return play(shard)

    rivals: dict[str, Callable[[], Sample]] = {bot: partial(play_fresh, bot) for bot in BOTS}
    if compared:
        rivals[C] = partial(play_reference, variant, pulkas)
    usual = {bot: f"{bot} in {USUAL}" for bot in BOTS if variant in OTHERS}
    rivals |= {name: partial(play_new, USUAL, bot, pulkas) for bot, name in usual.items()}
    samples = take_turns(rivals, rounds)
    speeds = []
    for name in rivals:
        if name in usual.values():
            continue
        cpu, one = median_cpu(samples[name]), samples[name][0]
        by_c = by_sochi = None
        if name == "random" and compared:
            by_c = median_ratio(samples[name], samples[C])
        if name in usual:
            by_sochi = pace_ratio(samples[name], samples[usual[name]])
        make = 1e3 * statistics.median(making[name]) if name in making else None
        speeds.append(
            Speed(
                variant,
                name,
                pulkas / cpu,
                one.deals / cpu,
                one.decisions / cpu,
                1e9 * cpu / one.decisions,
                by_c,
                by_sochi,
                make,
            )
        )
    return speeds


def measure_whole_runs(pulkas: int, rounds: int) -> list[WholeRun]:
    """All that the commands do with a run in sochi, one worker, against the engine alone."""

    def run(bot: str, stored: bool) -> Sample:
        one = make_run("sochi", [make_shard("sochi", bot, 1).bots[0]], pulkas, TARGET, SEED)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run" if stored else None
            wall, cpu = time.perf_counter(), time.process_time()
            study([one], [out], workers=1)
            return Sample(0, 0, time.process_time() - cpu, time.perf_counter() - wall)

    found = []
    for bot in BOTS:
        rivals: dict[str, Callable[[], Sample]] = {
            "shards": partial(play_new, "sochi", bot, pulkas),
            "in memory": partial(run, bot, False),
            "stored": partial(run, bot, True),
        }
        samples = take_turns(rivals, rounds)
        deals = samples["shards"][0].deals
        for name in ("in memory", "stored"):
            ratio = median_ratio(samples[name], samples["shards"])
            speed = deals / median_cpu(samples[name])
            found.append(WholeRun(bot, name == "stored", speed, ratio))
    return found


def measure_threads(pulkas: int, rounds: int) -> list[Threads]:
    """One shard alone, then two in two threads, on whatever cores there are."""

    def play_two(bot: str) -> Sample:
        shards = [make_shard("sochi", bot, pulkas) for _ in range(2)]
        wall, cpu = time.perf_counter(), time.process_time()
        list(pool.map(lambda shard: sum(len(b.deals) for b in shard.batches()), shards))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        return Sample(0, 0, cpu, wall)

    found = []
    with ThreadPoolExecutor(2) as pool:
        for bot in BOTS:
            rivals: dict[str, Callable[[], Sample]] = {
                "one": partial(play_new, "sochi", bot, pulkas),
                "two": partial(play_two, bot),
            }
            samples = take_turns(rivals, rounds)
            pairs = list(zip(samples["one"], samples["two"], strict=True))
            found.append(
                Threads(
                    bot,
                    statistics.median(two.cpu / (2 * one.cpu) for one, two in pairs),
                    statistics.median(2 * one.wall / two.wall for one, two in pairs),
                    statistics.median(two.cpu / two.wall for _, two in pairs),
                )
            )
    return found


def time_start(name: str, code: str, rounds: int, environment: dict[str, str]) -> Start:
    """Medians of a Python program in fresh processes."""
    cpus, walls = [], []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=HOME,
            env={**os.environ, **environment},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        walls.append(time.perf_counter() - wall)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return Start(name, statistics.median(cpus), statistics.median(walls))


def measure_starts(rounds: int) -> list[Start]:
    """A pulka of each bot with nothing compiled, then from the cache; and the command's help."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = {"NUMBA_CACHE_DIR": folder}
        found = [
            time_start("first run, compiling all", WARM_UP, 1, fresh),
            time_start("run from the cache", WARM_UP, rounds, fresh),
        ]
    found.append(time_start("import numba", "import numba", rounds, {}))
    if importlib.util.find_spec("sim.cli") is not None:
        found.append(time_start("preferans --help", HELP, rounds, {}))
    return found


def _cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def describe_machine() -> dict[str, Any]:
    """What the figures depend on besides the program."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "load": load_average(),
    }


def _count(value: float) -> str:
    return f"{value:,.0f}"


def tell_machine(machine: dict[str, Any]) -> str:
    """What ``describe_machine`` found, in a line."""
    load = "unknown" if machine["load"] is None else f"{machine['load']:.1f}"
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; Python "
        f"{machine['python']}, numba {machine['numba']}; {machine['date']}, load {load}"
    )


def tell_starts(starts: list[dict[str, Any]]) -> list[list[str]]:
    """Starts as the rows of a table."""
    rows = [["start", "CPU s", "wall s"]]
    return rows + [[s["name"], f"{s['cpu']:.2f}", f"{s['wall']:.2f}"] for s in starts]


def format_report(report: dict[str, Any]) -> str:
    """The report as text."""
    head = ["variant", "bots", "pulkas/s", "deals/s", "decisions/s", "ns/decision"]
    speeds = [[*head, "time by C", "by sochi", "make ms"]]
    speeds += [
        [
            s["variant"],
            s["bot"],
            _count(s["pulkas_per_second"]),
            _count(s["deals_per_second"]),
            _count(s["decisions_per_second"]),
            f"{s['ns_per_decision']:.1f}",
            f"{s['time_by_c']:.2f}" if s["time_by_c"] else "",
            f"{s['time_by_sochi']:.2f}" if s["time_by_sochi"] else "",
            f"{s['make_ms']:.1f}" if s["make_ms"] else "",
        ]
        for s in report["speeds"]
    ]
    whole_runs = [["whole run, sochi, one worker", "bots", "deals/s", "time by engine alone"]]
    whole_runs += [
        [
            "deals and pulkas to Parquet" if w["stored"] else "estimates alone",
            w["bot"],
            _count(w["deals_per_second"]),
            f"{w['time_by_engine']:.2f}",
        ]
        for w in report["whole_runs"]
    ]
    threads = [["two threads by one, sochi", "CPU a deal", "speed-up", "cores obtained"]]
    threads += [
        [t["bot"], f"{t['cpu_ratio']:.2f}", f"{t['speed_up']:.2f}", f"{t['cores']:.2f}"]
        for t in report["threads"]
    ]
    starts = tell_starts(report["starts"])
    parts = [
        f"{tell_machine(report['machine'])}\n"
        f"CPU time, medians of {report['rounds']} rounds of {report['pulkas']} pulkas to {TARGET}, "
        "all taking turns on one core",
        format_table(speeds, right=2),
        format_table(whole_runs, right=2),
        format_table(threads),
    ]
    if report["starts"]:
        parts.append(format_table(starts))
    return "\n\n".join(parts)


@click.command()
@click.option("--pulkas", default=1000, show_default=True, help="Pulkas a round.")
@click.option("--rounds", default=15, show_default=True, help="Rounds; the median counts.")
@click.option("--starts/--no-starts", default=True, help="Time the start too (a minute or two).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def main(pulkas: int, rounds: int, starts: bool, as_json: bool) -> None:
    """Measure the engine: one core, whole runs, threads, and the start.

    The variants are those of the reference in C, two of two players, and the refet game.
    """
    cores = pin()
    compared = reference.build() is not None
    if not compared:
        click.echo("there is no C compiler (cc): nothing to compare with", err=True)
    speeds: list[Speed] = []
    for variant in reference.VARIANTS:
        for bot in reference.BOTS if compared else ():
            check_reference(variant, bot, CHECKED)
        for bot in BOTS:
            play(make_shard(variant, bot, 2))
        speeds += measure_speeds(variant, pulkas, rounds, compared)
    for variant in OTHERS:
        for bot in BOTS:
            play(make_shard(variant, bot, 2))
        speeds += measure_speeds(variant, pulkas, rounds, False)
    whole_runs = measure_whole_runs(pulkas, rounds)
    unpin(cores)
    report = {
        "machine": describe_machine(),
        "pulkas": pulkas,
        "rounds": rounds,
        "speeds": [asdict(x) for x in speeds],
        "whole_runs": [asdict(x) for x in whole_runs],
        "threads": [asdict(x) for x in measure_threads(pulkas, rounds)],
        "starts": [asdict(x) for x in measure_starts(min(rounds, 5))] if starts else [],
    }
    click.echo(json.dumps(report, indent=1) if as_json else format_report(report))


if __name__ == "__main__":
    main()
