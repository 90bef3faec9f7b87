"""Coefficients of candidates' values, fitted to explored decisions.

Candidates of a decision are compared with each other: what all of them share, such as the luck of
the deal, cancels when the mean of the decision is taken from their values and features. Least
squares with a ridge around what was believed before gives the rows of one context together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.result import UNIT

from .explore import GROUP, N_HEAD, ROW, VALUE

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

RIDGE = 30.0
"""Decisions that what was believed before counts for."""


def _centred(values: Floats, groups: Ints) -> Floats:
    """Values less the mean of their group; groups are numbered from 0 in order."""
    counts = np.bincount(groups)
    shape = (len(counts), *values.shape[1:])
    sums = np.zeros(shape)
    np.add.at(sums, groups, values)
    means = sums / counts.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values - means[groups])


def fit_block(samples: Ints, rows: range, believed: Floats, grain: float) -> Floats:
    """[row, feature] of one context, fitted to its samples (``explore``).

    ``believed`` are the coefficients before; features are stored in 1 / ``grain`` of a whist and
    measured by the first feature, which is the unit.
    """
    n_features = believed.shape[1]
    features = samples[:, N_HEAD:] / grain
    unit = features[:, :1]
    block = samples[:, ROW] - rows.start
    design = np.zeros((len(samples), len(rows) * n_features))
    columns = block[:, None] * n_features + np.arange(n_features)
    np.put_along_axis(design, columns, features / unit, axis=1)
    value = samples[:, VALUE] / UNIT / unit[:, 0]
    groups = np.unique(samples[:, GROUP], return_inverse=True)[1]
    design, value = _centred(design, groups), _centred(value, groups)
    prior = believed.ravel()
    gram = design.T @ design + RIDGE * np.eye(len(prior))
    shift = np.linalg.solve(gram, design.T @ (value - design @ prior))
    return np.asarray((prior + shift).reshape(believed.shape))


def fit_rows(samples: Ints, blocks: list[range], believed: Floats, grain: float) -> Floats:
    """The coefficients of all contexts that were met; the others stay as they were."""
    fitted = believed.copy()
    order = np.argsort(samples[:, ROW], kind="stable")
    samples = samples[order]
    starts = np.searchsorted(samples[:, ROW], [block.start for block in blocks])
    stops = np.searchsorted(samples[:, ROW], [block.stop for block in blocks])
    for block, start, stop in zip(blocks, starts, stops, strict=True):
        if stop > start:
            chosen = slice(block.start, block.stop)
            fitted[chosen] = fit_block(samples[start:stop], block, believed[chosen], grain)
    return fitted
