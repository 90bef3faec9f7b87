"""What a deal is worth by the coefficients, and how true that is.

Coefficients are fitted to differences between candidates. A *level* for each row, fitted to what
candidates of the row brought where they were chosen, makes of them values of the deal itself: the
row and its level together, times the candidate's features; a curve for each kind of decision
straightens what is left. Decisions do not need either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.result import UNIT

from .coefficients import Floats, Ints
from .kernels.exploring import N_HEAD, ROW, VALUE
from .student import Student

_RIDGE = 30.0
_FEWEST = 400
"""Decisions of a bucket whose mean says something."""
N_BUCKETS = 6
_KNOTS = 30
Kinds = dict[str, list[int]]


@dataclass(frozen=True)
class Bucket:
    """Decisions of a kind with like predictions: mean prediction and outcome in whists, and the
    standard error of their difference."""

    kind: str
    decisions: int
    predicted: float
    realised: float
    error: float


def _values(student: Student, rows: Floats, chosen: Ints) -> Floats:
    """What the rows make of candidates, in whists."""
    features = chosen[:, N_HEAD:] / student.grain
    return np.asarray((features * rows[chosen[:, ROW]]).sum(axis=1))


def _fit_levels(student: Student, rows: Floats, chosen: Ints) -> Floats:
    """[row, feature]: the levels, zero where no candidate of a row was chosen."""
    chosen = chosen[np.argsort(chosen[:, ROW], kind="stable")]
    unit = chosen[:, N_HEAD] / student.grain
    rest = (chosen[:, VALUE] / UNIT - _values(student, rows, chosen)) / unit
    design = chosen[:, N_HEAD:] / student.grain / unit[:, None]
    levels = np.zeros_like(rows)
    starts = np.flatnonzero(np.diff(chosen[:, ROW], prepend=-1))
    for first, last in zip(starts, [*starts[1:], len(chosen)], strict=True):
        met, n = design[first:last], design.shape[1]
        gram, target = _RIDGE * np.eye(n), np.zeros(n)
        for i in range(n):
            target[i] = (met[:, i] * rest[first:last]).sum()
            for j in range(n):
                gram[i, j] += (met[:, i] * met[:, j]).sum()
        levels[chosen[first, ROW]] = np.linalg.solve(gram, target)
    return levels


def _split(predicted: Floats, most: int) -> list[Ints]:
    """Decisions of a kind by their predictions, in parts of like size."""
    order = np.argsort(predicted, kind="stable")
    return np.array_split(order, max(1, min(most, len(order) // _FEWEST)))


@dataclass(frozen=True)
class Judge:
    """Tells what a deal is worth: coefficients with their levels, by kind of decision the rows of
    the chosen candidates and a curve [knot, (prediction, outcome)]."""

    student: Student
    rows: Floats
    kinds: Kinds
    curves: dict[str, Floats]

    def chosen(self, kind: str, samples: Ints) -> tuple[Floats, Floats]:
        """Predictions and outcomes of the decisions of a kind, in whists."""
        these = samples[np.isin(samples[:, ROW], self.kinds[kind])]
        predicted = _values(self.student, self.rows, these)
        if kind in self.curves:
            told, came = self.curves[kind].T
            beyond = predicted - np.clip(predicted, told[0], told[-1])
            predicted = np.interp(predicted, told, came) + beyond
        return predicted, these[:, VALUE] / UNIT


def fit_judge(student: Student, rows: Floats, kinds: Kinds, samples: Ints) -> Judge:
    """From decisions that were played (``environment.explore_round``, plain)."""
    judge = Judge(student, rows + _fit_levels(student, rows, samples), kinds, {})
    curves = {}
    for kind in kinds:
        predicted, realised = judge.chosen(kind, samples)
        parts = _split(predicted, _KNOTS)
        if len(parts[0]) >= _FEWEST:
            curves[kind] = np.array([[predicted[k].mean(), realised[k].mean()] for k in parts])
    return Judge(student, judge.rows, kinds, curves)


def calibration(judge: Judge, samples: Ints) -> list[Bucket]:
    """Predictions and outcomes of decisions that the judge has not seen, by kind."""
    found = []
    for kind in judge.kinds:
        predicted, realised = judge.chosen(kind, samples)
        for part in _split(predicted, N_BUCKETS):
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
