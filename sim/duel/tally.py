"""Exact sums over base deals, and what they estimate.

All amounts are whole numbers, so sums do not depend on their order, and parts sum to their whole
to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis import Estimate, student_quantile

Array = np.ndarray[Any, Any]
UNIT_NAME = "whists"


class Tally:
    """Sums and squares of columns over base deals; the base deal is the cluster of an interval."""

    def __init__(self, units: Sequence[int]) -> None:
        """``units`` says for each column how many of its amounts are a whist."""
        self.units = tuple(units)
        self.n = 0
        self.sums = [0] * len(units)
        self.squares = [0] * len(units)
        self.filled = [0] * len(units)

    def add(self, rows: Array) -> None:
        """Add base deals: whole numbers by (deal, column)."""
        self.n += len(rows)
        found = rows.sum(axis=0), (rows * rows).sum(axis=0), (rows != 0).sum(axis=0)
        for total, more in zip((self.sums, self.squares, self.filled), found, strict=True):
            for k, x in enumerate(more.tolist()):
                total[k] += x

    def mean(self, column: int) -> float:
        """Whists a base deal."""
        return self.sums[column] / (self.n * self.units[column])

    def sd(self, column: int) -> float:
        """Standard deviation of a base deal, in whists."""
        if self.n < 2:
            return 0.0
        spread = self.n * self.squares[column] - self.sums[column] ** 2
        return math.sqrt(spread / (self.n * (self.n - 1))) / self.units[column]

    def half_width(self, column: int) -> float | None:
        """Half the 95 % interval of the mean (Student's t); None for a single base deal."""
        if self.n < 2:
            return None
        return student_quantile(self.n - 1) * self.sd(column) / math.sqrt(self.n)

    def estimate(self, column: int) -> Estimate:
        """The mean with its interval."""
        mean, half = self.mean(column), self.half_width(column)
        if half is None:
            return Estimate(mean, None, None, UNIT_NAME)
        return Estimate(mean, mean - half, mean + half, UNIT_NAME)
