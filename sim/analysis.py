"""What a run shows: ratios over deals with intervals clustered by pulka, and paired differences.

Deals inside a pulka are not independent, so every figure is a ratio of two sums over pulkas and its
variance comes from the pulkas (linearised ratio, Student's t). Runs with the same seed deal the
same cards, so a difference of two variants is paired by pulka. Only sums and cross products are
kept: memory does not grow with the number of pulkas.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from .game import Game
from .metrics import Metric, columns_of, metrics_of

CONFIDENCE = 0.95

Array = np.ndarray[Any, np.dtype[Any]]

ROUNDING = 1e-12
"""A variance below this share of the terms that cancel in it is rounding, not spread."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; all None where there is nothing to estimate."""

    value: float | None
    low: float | None
    high: float | None
    unit: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"value": self.value, "low": self.low, "high": self.high, "unit": self.unit}


def student_quantile(df: int) -> float:
    """Two-sided 95 % point of Student's t (Cornish-Fisher expansion, exact for 1 and 2)."""
    p = 0.5 + CONFIDENCE / 2
    if df == 1:
        return math.tan(math.pi * (p - 0.5))
    if df == 2:
        a = 2 * p - 1
        return a * math.sqrt(2 / (1 - a * a))
    z = NormalDist().inv_cdf(p)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / df**k for k, term in enumerate(terms))


class Moments:
    """Sums and cross products over pulkas of the columns of several runs side by side."""

    def __init__(self, names: Sequence[str], games: Sequence[Game]) -> None:
        """``games`` are what each run played: of one family and number of players."""
        self.names = tuple(names)
        self.games = tuple(games)
        self.columns = columns_of(games[0])
        self.n = 0
        size = len(names) * len(self.columns)
        self._sums = np.zeros(size)
        self._products = np.zeros((size, size))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The figures that there are in one run at least."""
        return metrics_of(*self.games)

    def add(self, parts: Sequence[Array]) -> None:
        """Add the same pulkas of each run (one ``pulka_sums`` array a run)."""
        rows = np.hstack(parts)
        self.n += len(rows)
        self._sums += rows.sum(axis=0)
        self._products += rows.T @ rows

    def _place(self, run: int, column: str) -> int:
        return run * len(self.columns) + self.columns.index(column)

    def _line(self, run: int, metric: Metric) -> tuple[float, dict[int, float]] | None:
        """Value of a metric and the weights of its linearised influence on the columns."""
        if not metric.is_of(self.games[run]):
            return None
        over, by = self._place(run, metric.over), self._place(run, metric.by)
        if self._sums[by] == 0:
            return None
        ratio = float(self._sums[over] / self._sums[by])
        slope = 1.0
        value = ratio
        if metric.root:
            value = math.sqrt(ratio)
            slope = 0.5 / value if value > 0 else 0.0
        weight = slope / float(self._sums[by])
        return value, {over: weight, by: -weight * ratio}

    def _half_width(self, weights: Mapping[int, float]) -> float | None:
        """Half the interval of a sum over pulkas of weighted columns that has mean zero."""
        if self.n < 2:
            return None
        terms = [
            a * b * float(self._products[i, j])
            for i, a in weights.items()
            for j, b in weights.items()
        ]
        square = sum(terms)
        if square < ROUNDING * sum(map(abs, terms)):
            square = 0.0
        variance = square * self.n / (self.n - 1)
        return student_quantile(self.n - 1) * math.sqrt(variance)

    def estimate(self, run: int, metric: Metric) -> Estimate:
        """A metric of one run with its interval."""
        line = self._line(run, metric)
        if line is None:
            return Estimate(None, None, None, metric.unit)
        value, weights = line
        half = self._half_width(weights)
        if half is None:
            return Estimate(value, None, None, metric.unit)
        if metric.share:
            low, high = self._share_bounds(run, metric, value, half)
            return Estimate(value, low, high, metric.unit)
        return Estimate(value, value - half, value + half, metric.unit)

    def _share_bounds(
        self, run: int, metric: Metric, value: float, half: float
    ) -> tuple[float, float]:
        """Bounds of a rate; at 0 and 1 the exact binomial bound, a pulka counted as one trial."""
        events = self._sums[self._place(run, metric.by)]
        trials = min(float(self.n), float(events))
        rare = 1 - ((1 - CONFIDENCE) / 2) ** (1 / trials)
        if value <= 0:
            return 0.0, rare
        if value >= 1:
            return 1 - rare, 1.0
        return max(0.0, value - half), min(1.0, value + half)

    def difference(self, one: int, other: int, metric: Metric) -> Estimate:
        """A metric of run ``one`` minus that of ``other``, paired by pulka."""
        first, second = self._line(one, metric), self._line(other, metric)
        if first is None or second is None:
            return Estimate(None, None, None, metric.unit)
        (a, plus), (b, minus) = first, second
        weights = dict(plus)
        for place, weight in minus.items():
            weights[place] = weights.get(place, 0.0) - weight
        half = self._half_width(weights)
        if half is None:
            return Estimate(a - b, None, None, metric.unit)
        if metric.share and {a, b} <= {0.0, 1.0}:
            return self._extreme_difference(one, other, metric)
        return Estimate(a - b, a - b - half, a - b + half, metric.unit)

    def _extreme_difference(self, one: int, other: int, metric: Metric) -> Estimate:
        """Difference of two rates that are 0 or 1: as wide as their own bounds allow."""
        a, b = self.estimate(one, metric), self.estimate(other, metric)
        assert a.value is not None and a.low is not None and a.high is not None
        assert b.value is not None and b.low is not None and b.high is not None
        return Estimate(a.value - b.value, a.low - b.high, a.high - b.low, metric.unit)

    def pairs(self) -> list[tuple[int, int]]:
        """Every pair of runs, in order."""
        count = len(self.names)
        return [(a, b) for a in range(count) for b in range(a + 1, count)]

    def as_json(self) -> dict[str, Any]:
        """All estimates: ``{"variants": {name: {metric: ...}}, "differences": {pair: ...}}``."""
        metrics = self.metrics
        return {
            "variants": {
                name: {m.name: self.estimate(run, m).as_json() for m in metrics}
                for run, name in enumerate(self.names)
            },
            "differences": {
                f"{self.names[a]} - {self.names[b]}": {
                    m.name: self.difference(a, b, m).as_json() for m in metrics
                }
                for a, b in self.pairs()
            },
        }
