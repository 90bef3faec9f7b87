"""Coefficients of candidates' values, fitted to explored decisions.

Candidates of a decision are compared with each other: what all of them share, such as the luck of
the deal, cancels when the mean of the decision is taken from their values and features. Least
squares with a ridge around what was believed before gives the rows of one context together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .kernels.comparing import add_decisions
from .kernels.exploring import GROUP, ROW, STRAYED

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

RIDGE = 30.0
"""Decisions that what was believed before counts for."""
NEAR = 0.5
"""Units by which a candidate may be worse and still says half as much about the choice."""
ENOUGH, LEAST = 250.0, 0.02
"""After somebody strayed, others have hands there than by his own choice: where more decisions than
``ENOUGH`` are of the latter, strayed ones count the less, but no less than ``LEAST``."""


def strayed_weights(samples: Ints, block_of: Ints, n_blocks: int) -> Floats:
    """What a decision of each block counts after somebody strayed: where nobody comes by his own
    choice it is all there is."""
    first = np.diff(samples[:, GROUP], prepend=-1) > 0
    chosen = samples[first & (samples[:, STRAYED] == 0), ROW]
    own = np.bincount(block_of[chosen], minlength=n_blocks)
    return np.asarray(np.clip(ENOUGH / np.maximum(own, 1), LEAST, 1.0))


def fit_rows(
    samples: Ints, blocks: Sequence[range], believed: Floats, now: Floats, grain: float
) -> tuple[Floats, Ints]:
    """The coefficients of all contexts, and how many samples each had; who was never met stays as
    believed.

    ``blocks`` are the rows of each context, one after the other, ``believed`` the coefficients
    before anything is learned, ``now`` those by which the samples were played; features are stored
    in 1 / ``grain`` of a whist and measured by the first feature, which is the unit.
    """
    n_features = believed.shape[1]
    widest = n_features * max(len(block) for block in blocks)
    block_of = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    start_of = np.array([block.start for block in blocks])
    grams = np.zeros((len(blocks), widest, widest))
    targets = np.zeros((len(blocks), widest))
    counts = np.zeros(len(blocks), np.int64)
    strayed = strayed_weights(samples, block_of, len(blocks))
    add_decisions(
        samples, grain, now, believed, NEAR, block_of, start_of, strayed, grams, targets, counts
    )
    fitted = believed.copy()
    for k, block in enumerate(blocks):
        n = n_features * len(block)
        shift = np.linalg.solve(grams[k, :n, :n] + RIDGE * np.eye(n), targets[k, :n])
        fitted[block.start : block.stop] += shift.reshape(-1, n_features)
    return fitted, counts
