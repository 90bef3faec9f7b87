"""Stage ``tables``: additive tables of tricks with the cards open, and outcomes by what they say.

``play_*`` count a hand after its discard, ``bid_*`` one before the talon.
"""

from __future__ import annotations

import numpy as np

from scoring.contract import N_STRAINS

from .fits import (
    Array,
    Sums,
    add_up,
    columns_of,
    outcome_counts,
    outcomes,
    predict,
    solve,
    split_table,
)
from .hands import N_ENTRIES
from .labels import own_shard, random_shard
from .recipe import Recipe, digest_of
from .shards import Parts, Workshop, split

Tables = dict[str, Array]
Errors = dict[str, float]

OTHER_STRAINS = 0.03
"""Weight of strains that a hand would not choose, and of hands as dealt: what a hand is worth in
its best strain is asked for, and additive tables cannot be right about both."""
ROUNDS = 2
"""Fits, each with the best strains by the one before it."""


def random_labels(recipe: Recipe, shop: Workshop) -> list[Parts]:
    digest = digest_of(recipe.seed, recipe.shard)
    return shop.shards("random", recipe.random, digest, lambda _, key: random_shard(key, recipe.shard))


def first_table(recipe: Recipe, shop: Workshop) -> Array:
    """The table by which the second round of labels lays away: fitted to random hands alone."""
    part, _ = split(random_labels(recipe, shop), recipe.hold_out)
    return solve(_sums_of_random(part))


def own_labels(recipe: Recipe, shop: Workshop, table: Array) -> list[Parts]:
    digest = digest_of(recipe.seed, recipe.shard, table.tolist())
    n = recipe.shard
    return shop.shards("own", recipe.own, digest, lambda _, key: own_shard(key, n, table))


def make_labels(recipe: Recipe, shop: Workshop) -> None:
    """Solve all that the fit needs."""
    own_labels(recipe, shop, first_table(recipe, shop))


def _sums_of_random(part: Parts) -> Sums:
    columns = columns_of(part["hand"], part["strain"], part["position"])
    return add_up(N_ENTRIES, columns, part["tricks"].astype(float))


def strains_of(part: Parts, when: str) -> tuple[Array, Array]:
    """Columns [5 n, 5] and tricks of the hands of ``own`` shards, the strains side by side."""
    n = len(part["position"])
    strain = np.tile(np.arange(N_STRAINS), n)
    hands = part["kept"].ravel() if when == "play" else np.repeat(part["before"], N_STRAINS)
    columns = columns_of(hands, strain, np.repeat(part["position"], N_STRAINS))
    return columns, part["tricks"].ravel().astype(float)


def _weights(table: Array, columns: Array) -> Array:
    """Weight of each strain of each hand: one for the best, OTHER_STRAINS for the others."""
    best = predict(table, columns).reshape(-1, N_STRAINS).argmax(axis=1)
    return np.where(np.arange(N_STRAINS) == best[:, None], 1.0, OTHER_STRAINS).ravel()


def fit_tables(recipe: Recipe, shop: Workshop) -> tuple[Tables, Errors]:
    """Both tables, their outcomes, and errors on shards held out."""
    random, random_held = split(random_labels(recipe, shop), recipe.hold_out)
    more = _sums_of_random(random)
    first = solve(more)
    own, own_held = split(own_labels(recipe, shop, first), recipe.hold_out)
    tables: Tables = {}
    errors: Errors = {}
    for when in ("play", "bid"):
        columns, tricks = strains_of(own, when)
        table = first
        for _ in range(ROUNDS):
            sums = add_up(N_ENTRIES, columns, tricks, _weights(table, columns))
            if when == "play":
                sums = Sums(
                    sums.gram + OTHER_STRAINS * more.gram, sums.right + OTHER_STRAINS * more.right
                )
            table = solve(sums)
        tables |= split_table(when, table)
        counts = outcome_counts(predict(table, columns), tricks, _weights(table, columns))
        tables[f"{when}_outcome"] = outcomes(counts)
        errors |= _errors(when, table, own_held)
        if when == "play":
            columns = columns_of(*(random_held[name] for name in ("hand", "strain", "position")))
            residual = random_held["tricks"] - predict(table, columns)
            errors["random_sd"] = float(residual.std())
    return tables, errors


def _errors(when: str, table: Array, held: Parts) -> Errors:
    """On hands held out: of all strains, and of the one that is best by the table."""
    columns, tricks = strains_of(held, when)
    expected = predict(table, columns).reshape(-1, N_STRAINS)
    residual = tricks.reshape(-1, N_STRAINS) - expected
    best = residual[np.arange(len(expected)), expected.argmax(axis=1)]
    return {
        f"{when}_sd": float(residual.std()),
        f"{when}_best_mean": float(best.mean()),
        f"{when}_best_sd": float(best.std()),
    }
