"""Sums of least squares over decisions: candidates compared with each other.

What the candidates of a decision share, such as the luck of the deal, cancels when the mean of the
decision, by the weights of its candidates, is taken from their values and features.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import kernel, outline
from scoring.result import UNIT

from .exploring import GROUP, N_HEAD, ROW, STRAYED, VALUE

_FAR = 1e300


@kernel
def _valued(sample: Any, rows: Any, n_features: int) -> float:
    """What coefficients make of a candidate, in units, its first feature."""
    value = 0.0
    for k in range(n_features):
        value += rows[sample[ROW], k] * sample[N_HEAD + k]
    return value / sample[N_HEAD]


@outline
def weigh(samples: Any, first: int, last: int, rows: Any, near: float, weights: Any) -> float:
    """Weight the candidates ``first .. last - 1`` of a decision by how near to being chosen they
    are; the sum. What is far from it may be valued wrongly without harm."""
    n_features = rows.shape[1]
    best = -_FAR
    for k in range(first, last):
        weights[k - first] = _valued(samples[k], rows, n_features)
        best = max(best, weights[k - first])
    second = -_FAR
    for k in range(last - first):
        if weights[k] < best:
            second = max(second, weights[k])
    total = 0.0
    for k in range(last - first):
        gap = best - weights[k]
        if gap == 0.0 and second > -_FAR:
            gap = best - second
        weights[k] = 1.0 / (1.0 + (gap / near) * (gap / near))
        total += weights[k]
    return total


@outline
def add_decisions(
    samples: Any,
    grain: float,
    rows: Any,
    believed: Any,
    near: float,
    block_of: Any,
    start_of: Any,
    strayed: Any,
    grams: Any,
    targets: Any,
    counts: Any,
) -> None:
    """Add every decision to the sums of its block: ``grams`` [block, column, column], ``targets``
    [block, column] of what the believed coefficients leave, ``counts`` of samples.

    ``block_of`` and ``start_of`` tell the block of a row and the first row of a block, ``strayed``
    what a decision of a block counts after somebody strayed.
    """
    n_features = rows.shape[1]
    weights = [0.0] * 64
    rest = [0.0] * 64
    first = 0
    while first < len(samples):
        last = first
        while last < len(samples) and samples[last, GROUP] == samples[first, GROUP]:
            last += 1
        n = last - first
        total = weigh(samples, first, last, rows, near, weights)
        block = block_of[samples[first, ROW]]
        if samples[first, STRAYED]:
            total *= strayed[block]
            for i in range(n):
                weights[i] *= strayed[block]
        counts[block] += n
        mean = 0.0
        for i in range(n):
            value = samples[first + i, VALUE] * grain / (UNIT * samples[first + i, N_HEAD])
            rest[i] = value - _valued(samples[first + i], believed, n_features)
            mean += weights[i] * rest[i] / total
        for i in range(n):
            one = samples[first + i]
            at = (one[ROW] - start_of[block]) * n_features
            pull = weights[i] * (rest[i] - mean)
            for k in range(n_features):
                targets[block, at + k] += pull * one[N_HEAD + k] / one[N_HEAD]
            for j in range(n):
                other = samples[first + j]
                to = (other[ROW] - start_of[block]) * n_features
                share = -weights[i] * weights[j] / total
                if i == j:
                    share += weights[i]
                share /= 1.0 * one[N_HEAD] * other[N_HEAD]
                for k in range(n_features):
                    part = share * one[N_HEAD + k]
                    for h in range(n_features):
                        grams[block, at + k, to + h] += part * other[N_HEAD + h]
        first = last
