"""What a deal is worth by the coefficients, and how true that is.

Coefficients are fitted to differences between candidates. A *level* for each row, fitted to what
candidates of the row brought where they were chosen, makes of them values of the deal itself: the
row and its level together, times the candidate's features. Decisions do not need it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.result import UNIT

from .coefficients import Floats, Ints
from .kernels.exploring import CHOSEN, N_HEAD, ROW, STRAYED, VALUE
from .student import Student

_RIDGE = 30.0
_FEWEST = 400
"""Decisions of a bucket whose mean says something."""
N_BUCKETS = 6


@dataclass(frozen=True)
class Bucket:
    """Decisions of a kind with like predictions: mean prediction and outcome in whists, and the
    standard error of their difference."""

    kind: str
    decisions: int
    predicted: float
    realised: float
    error: float


def _chosen(samples: Ints) -> Ints:
    """The chosen candidate of each decision."""
    return np.asarray(samples[(samples[:, CHOSEN] == 1) & (samples[:, STRAYED] == 0)])


def _values(student: Student, rows: Floats, chosen: Ints) -> Floats:
    """What the rows make of candidates, in whists."""
    features = chosen[:, N_HEAD:] / student.grain
    return np.asarray((features * rows[chosen[:, ROW]]).sum(axis=1))


def fit_levels(student: Student, rows: Floats, samples: Ints) -> Floats:
    """[row, feature]: the levels, zero where no candidate of a row was chosen."""
    chosen = _chosen(samples)
    unit = chosen[:, N_HEAD] / student.grain
    rest = (chosen[:, VALUE] / UNIT - _values(student, rows, chosen)) / unit
    design = chosen[:, N_HEAD:] / student.grain / unit[:, None]
    levels = np.zeros_like(rows)
    for row in np.unique(chosen[:, ROW]):
        met = chosen[:, ROW] == row
        n = design.shape[1]
        gram, target = _RIDGE * np.eye(n), np.zeros(n)
        for i in range(n):
            target[i] = (design[met, i] * rest[met]).sum()
            for j in range(n):
                gram[i, j] += (design[met, i] * design[met, j]).sum()
        levels[row] = np.linalg.solve(gram, target)
    return levels


def calibration(
    student: Student, rows: Floats, levels: Floats, kinds: dict[str, list[int]], samples: Ints
) -> list[Bucket]:
    """Predictions and outcomes of decisions that the levels have not seen, by kinds: rows of the
    chosen candidates."""
    chosen = _chosen(samples)
    predicted = _values(student, rows + levels, chosen)
    realised = chosen[:, VALUE] / UNIT
    found = []
    for kind, which in kinds.items():
        of_kind = np.flatnonzero(np.isin(chosen[:, ROW], which))
        order = of_kind[np.argsort(predicted[of_kind], kind="stable")]
        n = max(1, min(N_BUCKETS, len(order) // _FEWEST))
        for part in np.array_split(order, n):
            if len(part) >= _FEWEST:
                apart = realised[part] - predicted[part]
                means = float(predicted[part].mean()), float(realised[part].mean())
                error = float(apart.std() / len(part) ** 0.5)
                found.append(Bucket(kind, len(part), *means, error))
    return found


def worst(buckets: Sequence[Bucket]) -> float:
    """The largest difference that chance does not explain."""
    apart = [max(0.0, abs(b.realised - b.predicted) - 2 * b.error) for b in buckets]
    return max(apart, default=0.0)


def format_buckets(buckets: Sequence[Bucket]) -> str:
    """A table: kinds, decisions, predicted and realised whists."""
    from scoring.tables import format_table

    rows = [["decision", "number", "predicted", "realised"]]
    rows += [
        [b.kind, str(b.decisions), f"{b.predicted:.2f}", f"{b.realised:.2f} ± {b.error:.2f}"]
        for b in buckets
    ]
    return format_table(rows)
