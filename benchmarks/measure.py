"""Timed runs of the engine and of the C reference, for ``test_speed.py`` and ``speed.py``.

Times are CPU seconds of the process, so that other jobs on the machine disturb them little; rivals
take turns and medians are compared.
"""

from __future__ import annotations

import functools
import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import reference
from benchmarks.reference.bots import wild
from bots import find_bot
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.engine import Shard

SEED = 1
TARGET = 20
BOTS = ("random", "cautious")
OTHERS = ("classic_two", "razboinik", "refet")
"""Variants of two players, and of columns, that are timed; no reference plays them."""
USUAL = "sochi"
"""What those are compared with."""
COLUMN_DEALS = 40
"""The most deals of a pulka of columns, which ``random`` never brings to an end."""


@dataclass(frozen=True)
class Sample:
    """What one run played, and its CPU and wall seconds."""

    deals: int
    decisions: int
    cpu: float
    wall: float


@functools.cache
def seat(name: str) -> Bot:
    """A bot by name: the shipped ones, and ``wild`` of the reference."""
    return Bot("wild", wild) if name == "wild" else find_bot(name)


@functools.cache
def _line_up(name: str, bot: str, target: int) -> tuple[Any, list[Bot]]:
    variant = find_variant(name)
    n = variant.table_size(None)
    return variant.rules(n, target if variant.has_target else None), [seat(bot)] * n


def make_shard(
    variant: str, bot: str, pulkas: int, seed: int = SEED, target: int = TARGET
) -> Shard:
    """A shard of equal bots, ready to play: three, or two where the variant is for two."""
    rules, bots = _line_up(variant, bot, target)
    limit = {"max_deals": COLUMN_DEALS} if find_variant(variant).has_columns else {}
    return Shard(rules, bots, seed, 0, pulkas, **limit)


def play(shard: Shard) -> Sample:
    """Play a shard to its end, rows and all; making it is not counted."""
    deals = 0
    wall, cpu = time.perf_counter(), time.process_time()
    for batch in shard.batches():
        deals += len(batch.deals)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Sample(deals, shard.n_decisions, cpu, wall)


def play_new(variant: str, bot: str, pulkas: int) -> Sample:
    """Make a shard and play it."""
    return play(make_shard(variant, bot, pulkas))


def play_reference(variant: str, pulkas: int) -> Sample:
    """The same pulkas of ``random`` in C."""
    wall = time.perf_counter()
    done = reference.run(variant, SEED, pulkas, TARGET)
    return Sample(done["deals"], done["decisions"], done["seconds"], time.perf_counter() - wall)


def check_reference(
    variant: str, bot: str, pulkas: int, seed: int = SEED, target: int = TARGET
) -> None:
    """AssertionError, with the first deal that differs, unless C plays what the engine plays."""
    shard = make_shard(variant, bot, pulkas, seed, target)
    batch = shard.run()
    arguments = (variant, seed, pulkas, target, bot)
    done = reference.run(*arguments)
    ours = (len(batch.deals), shard.n_decisions, reference.checksum(batch))
    if ours != (done["deals"], done["decisions"], done["checksum"]):
        rows = reference.run_rows(*arguments)
        raise AssertionError(f"{arguments}: {reference.first_difference(batch, rows)}")


def pin() -> set[int]:
    """Keep this process and its children on one core, if that can be; returns the cores it had."""
    if not hasattr(os, "sched_setaffinity"):
        return set()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    return set(cores)


def unpin(cores: set[int]) -> None:
    """Undo :func:`pin`."""
    if cores:
        os.sched_setaffinity(0, cores)


def take_turns(rivals: Mapping[str, Callable[[], Sample]], rounds: int) -> dict[str, list[Sample]]:
    """Run the rivals one after the other, ``rounds`` times over."""
    samples: dict[str, list[Sample]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, rival in rivals.items():
            samples[name].append(rival())
    return samples


def median_cpu(samples: Sequence[Sample]) -> float:
    """Median CPU seconds of runs of the same pulkas."""
    return statistics.median(sample.cpu for sample in samples)


def median_ratio(samples: Sequence[Sample], others: Sequence[Sample]) -> float:
    """Median over the rounds of our CPU time by theirs, each from the same round."""
    pairs = zip(samples, others, strict=True)
    return statistics.median(ours.cpu / theirs.cpu for ours, theirs in pairs)


def pace_ratio(samples: Sequence[Sample], others: Sequence[Sample]) -> float:
    """The same of CPU time a decision, where the others play something else."""
    pairs = zip(samples, others, strict=True)
    return statistics.median(
        ours.cpu / ours.decisions / (theirs.cpu / theirs.decisions) for ours, theirs in pairs
    )


def load_average() -> float | None:
    """Load of the last minute, where the system tells it."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None
