"""Speed of the batch scorer: ``python -m pytest benchmarks --benchmark-only``."""

from __future__ import annotations

import time
from typing import Any

import pytest

from benchmarks import measure, scoring
from scoring.variant import variant_names


@pytest.mark.parametrize("call", ["entries", "values", "pulkas"])
@pytest.mark.parametrize("variant", variant_names())
@pytest.mark.benchmark(timer=time.process_time)
def test_batch_scoring(variant: str, call: str, benchmark: Any) -> None:
    """Results of played deals scored on one core; the goal is five million deals a second."""
    run = scoring.calls(variant)[call]
    cores = measure.pin()
    try:
        benchmark(run)
        pace = scoring.measure(variant, run, 5)
    finally:
        measure.unpin(cores)
    benchmark.extra_info["deals_per_second"] = round(pace.deals_per_second)
    benchmark.extra_info["time_by_copy"] = round(pace.time_by_copy, 2)
