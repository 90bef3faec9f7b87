"""Stage ``tables``: additive tables of tricks with the cards open, and outcomes by what they say.

``play_*`` count a hand after its discard, ``bid_*`` one before the talon; ``open_play_*`` and
``open_bid_*`` stay as they are fitted here when played games correct the others.
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
from .kernels.hands import N_ENTRIES
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
    return shop.shards(
        "random", recipe.random, digest, lambda _, key: random_shard(key, recipe.shard)
    )


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


def strains_of(part: Parts, hands: Array) -> tuple[Array, Array]:
    """Columns [5 n, 5] of hands ([n, 5] or [n]) of ``own`` shards in every strain, the strains side
    by side, and the tricks of what is kept."""
    n = len(part["position"])
    strain = np.tile(np.arange(N_STRAINS), n)
    every = hands.ravel() if hands.ndim == 2 else np.repeat(hands, N_STRAINS)
    columns = columns_of(every, strain, np.repeat(part["position"], N_STRAINS))
    return columns, part["tricks"].ravel().astype(float)


def best_strain(table: Array, columns: Array) -> Array:
    """The strain that each hand would choose, of columns that stand side by side."""
    return predict(table, columns).reshape(-1, N_STRAINS).argmax(axis=1)


def _weights(best: Array) -> Array:
    """Weight of each strain of each hand: one for the best, OTHER_STRAINS for the others."""
    return np.where(np.arange(N_STRAINS) == best[:, None], 1.0, OTHER_STRAINS).ravel()


def _final(play: Array, part: Parts, columns: Array, bid: Array) -> Array:
    """Tricks by strain as a hand before the talon must see them: its best strain brings what is
    then played in the best one after the talon."""
    tricks = part["tricks"].astype(float)
    turn = np.arange(len(tricks))
    after = best_strain(play, strains_of(part, part["kept"])[0])
    tricks[turn, best_strain(bid, columns)] = tricks[turn, after]
    return tricks.ravel()


def _fit_play(first: Array, part: Parts, more: Sums) -> Array:
    columns, tricks = strains_of(part, part["kept"])
    table = first
    for _ in range(ROUNDS):
        sums = add_up(N_ENTRIES, columns, tricks, _weights(best_strain(table, columns)))
        others = (OTHER_STRAINS * more.gram, OTHER_STRAINS * more.right)
        table = solve(Sums(sums.gram + others[0], sums.right + others[1]))
    return table


def _fit_bid(first: Array, play: Array, part: Parts) -> Array:
    columns, _ = strains_of(part, part["before"])
    table = first
    for _ in range(ROUNDS):
        tricks = _final(play, part, columns, table)
        table = solve(add_up(N_ENTRIES, columns, tricks, _weights(best_strain(table, columns))))
    return table


def fit_tables(recipe: Recipe, shop: Workshop) -> tuple[Tables, Errors]:
    """Both tables, their outcomes, and errors on shards held out."""
    random, random_held = split(random_labels(recipe, shop), recipe.hold_out)
    more = _sums_of_random(random)
    first = solve(more)
    own, own_held = split(own_labels(recipe, shop, first), recipe.hold_out)
    play = _fit_play(first, own, more)
    bid = _fit_bid(first, play, own)
    tables: Tables = {}
    errors: Errors = {"random_sd": _random_sd(play, random_held)}
    for when, table in (("play", play), ("bid", bid)):
        tables |= split_table(when, table) | split_table(f"open_{when}", table)
        expected, tricks = _of_best(when, table, play, own)
        tables[f"{when}_outcome"] = outcomes(outcome_counts(expected, tricks))
        expected, tricks = _of_best(when, table, play, own_held)
        errors[f"{when}_mean"] = float((tricks - expected).mean())
        errors[f"{when}_sd"] = float((tricks - expected).std())
    return tables, errors


def _of_best(when: str, table: Array, play: Array, part: Parts) -> tuple[Array, Array]:
    """Tricks expected of each hand in its best strain, and those it takes in the end."""
    turn = np.arange(len(part["position"]))
    columns, _ = strains_of(part, part["kept" if when == "play" else "before"])
    expected = predict(table, columns).reshape(-1, N_STRAINS)
    after = best_strain(play, strains_of(part, part["kept"])[0])
    return expected.max(axis=1), part["tricks"][turn, after].astype(float)


def _random_sd(play: Array, held: Parts) -> float:
    columns = columns_of(held["hand"], held["strain"], held["position"])
    return float((held["tricks"] - predict(play, columns)).std())
