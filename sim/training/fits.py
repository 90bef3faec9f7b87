"""Least squares of additive tables, and chances of outcomes by what is expected."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from scoring.contract import NO_TRUMP

from .kernels.hands import N_ENTRIES, N_MASKS, POSITION

Array = np.ndarray[Any, np.dtype[Any]]

BUCKETS = 41
"""Expected tricks in quarters, 0 .. 10."""
OUTCOMES = 11
RIDGE = 20.0
_USUAL = (0.03, 0.10, 0.22, 0.30, 0.22, 0.10, 0.03)
"""Chances about what is expected, where hardly anything was counted."""
_WEIGHT = 5.0
"""Of these, in games."""


def columns_of(hands: Array, strain: Array, position: Array) -> Array:
    """[n, 5]: entries of a declarer's table that a hand uses, its four suits and its position."""
    columns = np.empty((len(hands), 5), np.int64)
    for suit in range(4):
        part = np.where(strain == NO_TRUMP, 2, np.where(strain == suit, 0, 1))
        columns[:, suit] = part * N_MASKS + (hands >> 8 * suit & (N_MASKS - 1))
    columns[:, 4] = POSITION + 3 * (strain == NO_TRUMP) + position
    return columns


def suit_columns(hands: Array, strain: Array | None = None) -> Array:
    """[n, 4]: the four suits of a hand in one table, or with a strain in two, trumps second."""
    columns = np.stack([hands >> 8 * suit & (N_MASKS - 1) for suit in range(4)], axis=1)
    if strain is None:
        return columns
    return np.asarray(columns + N_MASKS * (strain[:, None] == np.arange(4)))


class Sums(NamedTuple):
    """What least squares needs of any number of rows."""

    gram: Array
    right: Array


def add_up(size: int, columns: Array, target: Array, weight: Array | None = None) -> Sums:
    """The normal equations of rows whose ``columns`` are one and all others nothing."""
    if weight is None:
        weight = np.ones(len(target))
    gram, right = np.zeros(size * size), np.zeros(size)
    for a in range(columns.shape[1]):
        right += np.bincount(columns[:, a], weight * target, size)
        for b in range(columns.shape[1]):
            gram += np.bincount(columns[:, a] * size + columns[:, b], weight, size * size)
    return Sums(gram.reshape(size, size), right)


def _rank_features() -> Array:
    """[mask, feature]: ranks held, their number, and how many from the top."""
    masks = np.arange(N_MASKS)
    ranks = masks[:, None] >> np.arange(8) & 1
    lengths = ranks.sum(axis=1)[:, None] == np.arange(9)
    tops = np.cumprod(ranks[:, ::-1], axis=1)
    return np.concatenate([ranks, lengths, tops], axis=1).astype(float)


def _features(size: int) -> Array:
    """[entry, feature] of tables side by side; what stands after them are features of their own."""
    n_tables = size // N_MASKS
    rest = size - n_tables * N_MASKS
    one = _rank_features()
    features = np.zeros((size, n_tables * one.shape[1] + rest))
    for k in range(n_tables):
        rows = slice(k * N_MASKS, (k + 1) * N_MASKS)
        features[rows, k * one.shape[1] : (k + 1) * one.shape[1]] = one
    features[n_tables * N_MASKS :, n_tables * one.shape[1] :] = np.eye(rest)
    return features


def solve(sums: Sums, prior: Array | None = None, ridge: float = RIDGE) -> Array:
    """Ridge least squares around a prior; without one, around a fit by ranks and lengths, which
    tells what sets that are hardly ever held are worth."""
    gram, right = sums
    if prior is None:
        features = _features(len(right))
        small = features.T @ gram @ features
        prior = features @ np.linalg.solve(small + np.eye(len(small)), features.T @ right)
    step = np.linalg.solve(gram + ridge * np.eye(len(gram)), right - gram @ prior)
    return np.asarray(np.rint(1000 * (prior + step)) / 1000)


def predict(table: Array, columns: Array) -> Array:
    """The sum of a row's entries."""
    return np.asarray(table[columns].sum(axis=1))


def bucket_of(expected: Array, scale: int = 4) -> Array:
    """The bucket of what is expected."""
    return np.clip((scale * expected + 0.5).astype(np.int64), 0, BUCKETS - 1)


def outcome_counts(expected: Array, tricks: Array, weight: Array | None = None) -> Array:
    """[bucket, k]: how often k tricks came."""
    cell = bucket_of(expected) * OUTCOMES + tricks.astype(np.int64)
    counts = np.bincount(cell, weight, BUCKETS * OUTCOMES)
    return counts.reshape(BUCKETS, OUTCOMES).astype(float)


def outcomes(counts: Array) -> Array:
    """Chances by bucket, smoothed over its neighbours, towards a usual spread where few came."""
    padded = np.pad(counts, ((1, 1), (0, 0)))
    smooth = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    for bucket in range(BUCKETS):
        for offset, chance in enumerate(_USUAL, -(len(_USUAL) // 2)):
            k = min(OUTCOMES - 1, max(0, round(bucket / 4) + offset))
            smooth[bucket, k] += _WEIGHT * chance
    return np.asarray(smooth / smooth.sum(axis=1, keepdims=True))


def chances(bucket: Array, happened: Array, usual: Array, weight: float = 10.0) -> Array:
    """[bucket]: how often something happened, smoothed over neighbours, towards ``usual``."""
    counts = np.bincount(bucket, minlength=BUCKETS).astype(float)
    times = np.bincount(bucket, happened, BUCKETS)
    counts, times = (np.pad(x, 1) for x in (counts, times))
    counts, times = (x[:-2] + 2 * x[1:-1] + x[2:] for x in (counts, times))
    return np.asarray((times + weight * usual) / (counts + weight))


def split_table(prefix: str, table: Array) -> dict[str, Array]:
    """A declarer's table under the names of its parts."""
    parts = {
        f"{prefix}_{what}": table[k * N_MASKS : (k + 1) * N_MASKS] for k, what in enumerate(_PARTS)
    }
    return {**parts, f"{prefix}_position": table[POSITION:N_ENTRIES]}


_PARTS = ("trump", "side", "no_trump")


def whole_table(prefix: str, tables: dict[str, Array]) -> Array:
    """The inverse of :func:`split_table`."""
    names = (*_PARTS, "position")
    return np.ascontiguousarray(np.concatenate([tables[f"{prefix}_{what}"] for what in names]))
