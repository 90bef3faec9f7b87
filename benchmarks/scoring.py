"""Speed of the scorer over arrays: ``python -m benchmarks.scoring`` prints a table.

The results are those of played deals: of Sochi for all variants that three can play, of a variant's
own for those of two. Each call takes turns with a copy of the same array of
results, so that the ratio tells how far the scorer is from just moving the memory.
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from benchmarks.measure import make_shard, pin, unpin
from scoring.batch import score_results, to_results, value_results, write_pulkas
from scoring.tables import format_table
from scoring.variant import find_variant, variant_names

PULKAS = 500
ROUNDS = 15
TARGET = 20
Array = np.ndarray[Any, Any]


def played_results(variant: str) -> tuple[Array, Array]:
    """Results of played deals that a variant can score, and where each pulka ends."""
    for_three = 3 in find_variant(variant).players
    return _results_of("sochi" if for_three else variant)


@functools.cache
def _results_of(variant: str) -> tuple[Array, Array]:
    """Results of deals played by ``cautious`` in a variant."""
    deals = make_shard(variant, "cautious", PULKAS).run().deals
    _, counts = np.unique(deals["pulka"], return_counts=True)
    return to_results(deals), np.cumsum(counts).astype(np.int64)


def calls(name: str) -> dict[str, Callable[[], Any]]:
    """The batch calls on the same results, under a variant."""
    results, ends = played_results(name)
    variant = find_variant(name)
    rules = variant.rules(None, TARGET if variant.has_pool else None)
    return {
        "entries": lambda: score_results(rules, results),
        "values": lambda: value_results(rules, results),
        "pulkas": lambda: write_pulkas(rules, results, ends),
    }


@dataclass(frozen=True)
class Pace:
    """Deals a second of a call, and its time by that of a copy of the results."""

    deals_per_second: float
    time_by_copy: float


def measure(variant: str, call: Callable[[], Any], rounds: int = ROUNDS) -> Pace:
    """Medians over rounds of CPU time; the copy takes turns with the call."""
    results, _ = played_results(variant)
    call()
    ours, ratios = [], []
    for _ in range(rounds):
        start = time.process_time()
        call()
        middle = time.process_time()
        for _ in range(10):
            results.copy()
        end = time.process_time()
        ours.append(middle - start)
        ratios.append((middle - start) / ((end - middle) / 10))
    return Pace(len(results) / statistics.median(ours), statistics.median(ratios))


def report(rounds: int) -> str:
    """The table: every variant, millions of deals a second on one core."""
    rows = [["variant", "entries", "values", "whole pulkas", "time of values by a copy"]]
    for variant in variant_names():
        paces = {name: measure(variant, call, rounds) for name, call in calls(variant).items()}
        cells = [f"{paces[name].deals_per_second / 1e6:.1f}" for name in paces]
        rows.append([variant, *cells, f"{paces['values'].time_by_copy:.1f}"])
    return "million deals a second on one core\n" + format_table(rows)


@click.command()
@click.option("--rounds", default=ROUNDS, show_default=True, help="Rounds; the median counts.")
def main(rounds: int) -> None:
    """Measure the batch calls of the scorer under every variant."""
    cores = pin()
    click.echo(report(rounds))
    unpin(cores)


if __name__ == "__main__":
    main()
