"""``python -m pytest benchmarks --benchmark-only`` times, though the project's options say no."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    if getattr(config.option, "benchmark_only", False):
        config.option.benchmark_enable = True
