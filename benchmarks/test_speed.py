"""Speed of the engine: ``python -m pytest benchmarks --benchmark-only``. Nothing asserts a time."""

from __future__ import annotations

import time
from typing import Any

import pytest

from benchmarks import measure, reference
from benchmarks.measure import Sample
from scoring.variant import variant_names
from sim.engine import Shard

PULKAS = 500
CHECKED = 200
ROUNDS = 15


def _skip_without_compiler() -> None:
    if reference.build() is None:
        pytest.skip("there is no C compiler")


@pytest.mark.parametrize("bot", reference.BOTS)
@pytest.mark.parametrize("variant", reference.VARIANTS)
def test_reference_plays_the_same(variant: str, bot: str) -> None:
    """Every deal and pulka of the C program is the engine's, to short and long targets."""
    _skip_without_compiler()
    for target, seed in ((1, 0), (3, 2**63 - 1), (measure.TARGET, measure.SEED)):
        measure.check_reference(variant, bot, CHECKED // target + 10, seed, target)


@pytest.fixture(scope="session")
def checked() -> bool:
    """Whether there is a reference to compare with; it must agree before anything is timed."""
    if reference.build() is None:
        return False
    for variant in reference.VARIANTS:
        for bot in reference.BOTS:
            measure.check_reference(variant, bot, CHECKED)
    return True


@pytest.mark.parametrize("bot", measure.BOTS)
@pytest.mark.parametrize("variant", variant_names())
@pytest.mark.benchmark(timer=time.process_time)
def test_speed(variant: str, bot: str, checked: bool, benchmark: Any) -> None:
    """One core through a shard, scores and rows included; C takes turns with ``random``."""
    compared = checked and bot == "random" and variant in reference.VARIANTS
    measure.play(measure.make_shard(variant, bot, 2))
    ours: list[Sample] = []
    theirs: list[Sample] = []

    def prepare() -> tuple[tuple[Shard], dict[str, Any]]:
        if compared:
            theirs.append(measure.play_reference(variant, PULKAS))
        return (measure.make_shard(variant, bot, PULKAS),), {}

    def play(shard: Shard) -> None:
        ours.append(measure.play(shard))

    cores = measure.pin()
    try:
        benchmark.pedantic(play, setup=prepare, rounds=ROUNDS)
    finally:
        measure.unpin(cores)
    cpu = measure.median_cpu(ours)
    benchmark.extra_info["deals_per_second"] = round(ours[0].deals / cpu)
    benchmark.extra_info["decisions_per_second"] = round(ours[0].decisions / cpu)
    if compared:
        benchmark.extra_info["time_by_c"] = round(measure.median_ratio(ours, theirs), 3)
