"""Coefficients of candidates' values, fitted to explored decisions.

Candidates of a decision are compared with each other: what all of them share, such as the luck of
the deal, cancels when the mean of the decision is taken from their values and features. Least
squares with a ridge around what was believed before gives the rows of one context together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scoring.result import UNIT

from .kernels.exploring import GROUP, N_HEAD, ROW, VALUE

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

RIDGE = 30.0
"""Decisions that what was believed before counts for."""
NEAR = 0.5
"""Units by which a candidate may be worse and still says half as much about the choice."""


def _candidate_values(samples: Ints, rows: Floats, grain: float) -> tuple[Floats, Floats]:
    """What the coefficients make of each candidate, in units, and the units."""
    features = samples[:, N_HEAD:] / grain
    unit = features[:, 0]
    return (features * rows[samples[:, ROW]]).sum(axis=1) / unit, unit


def _closeness(values: Floats, starts: Ints, counts: Ints) -> Floats:
    """How much each candidate says about the choice: as much as it is near to being chosen.

    What is far from it may be valued wrongly without harm.
    """
    best = np.repeat(np.maximum.reduceat(values, starts), counts)
    is_best = values == best
    others = np.where(is_best, -np.inf, values)
    second = np.repeat(np.maximum.reduceat(others, starts), counts)
    gap = best - np.where(is_best, second, values)
    gap[~np.isfinite(gap)] = 0.0
    return np.asarray(1.0 / (1.0 + (gap / NEAR) ** 2))


def _centred(values: Floats, weights: Floats, starts: Ints, counts: Ints) -> Floats:
    """Values less the weighted mean of their decision; decisions stand one after the other."""
    shape = (-1, *[1] * (values.ndim - 1))
    sums = np.add.reduceat(values * weights.reshape(shape), starts)
    means = sums / np.add.reduceat(weights, starts).reshape(shape)
    return np.asarray(values - np.repeat(means, counts, axis=0))


def _fit_block(samples: Ints, rows: range, believed: Floats, now: Floats, grain: float) -> Floats:
    """[row, feature] of one context, fitted to its samples in order of decisions.

    ``believed`` are the coefficients before anything is learned, ``now`` all of those by which the
    samples were played; features are stored in 1 / ``grain`` of a whist and measured by the first
    feature, which is the unit.
    """
    n_features = believed.shape[1]
    guess, unit = _candidate_values(samples, now, grain)
    starts = np.flatnonzero(np.diff(samples[:, GROUP], prepend=-1))
    counts = np.diff(starts, append=len(samples))
    weights = _closeness(guess, starts, counts)
    design = np.zeros((len(samples), len(rows) * n_features))
    columns = (samples[:, ROW] - rows.start)[:, None] * n_features + np.arange(n_features)
    features = samples[:, N_HEAD:] / grain
    np.put_along_axis(design, columns, features / unit[:, None], axis=1)
    value = samples[:, VALUE] / UNIT / unit
    design = _centred(design, weights, starts, counts)
    value = _centred(value, weights, starts, counts)
    prior = believed.ravel()
    weighted = design * weights[:, None]
    gram = weighted.T @ design + RIDGE * np.eye(len(prior))
    shift = np.linalg.solve(gram, weighted.T @ (value - design @ prior))
    return np.asarray((prior + shift).reshape(believed.shape))


def fit_rows(
    samples: Ints, blocks: Sequence[range], believed: Floats, now: Floats, grain: float
) -> tuple[Floats, Ints]:
    """The coefficients of all contexts, and how many samples each had; who was never met stays as
    believed. ``blocks`` are the rows of each context, one after the other."""
    fitted = believed.copy()
    context = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    of_sample = context[samples[:, ROW]]
    order = np.argsort(of_sample, kind="stable")
    samples = samples[order]
    counts = np.bincount(of_sample, minlength=len(blocks))
    stops = np.cumsum(counts)
    for block, count, stop in zip(blocks, counts, stops, strict=True):
        if count:
            chosen = slice(block.start, block.stop)
            part = samples[stop - count : stop]
            fitted[chosen] = _fit_block(part, block, believed[chosen], now, grain)
    return fitted, counts
