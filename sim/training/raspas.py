"""Stage ``raspas``: tricks of a hand when all have passed, from pulkas of the bot itself.

Who passes is the bot's affair, so hands are those that reach raspas.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.contract import RASPAS

from ..botcall import Bot
from ..engine import Shard
from ..state import N_HANDS
from .fits import (
    BUCKETS,
    Array,
    add_up,
    bucket_of,
    chances,
    outcome_counts,
    outcomes,
    predict,
    solve,
    suit_columns,
)
from .kernels.hands import N_MASKS, deal_numbers
from .recipe import Recipe, digest_of
from .shards import Parts, Workshop, joined, split
from .tables import Errors, Tables

MAX_DEALS = 200
DEALER_OUTCOMES = 3
"""A dealer who plays the talon's cards takes at most two tricks."""


def raspas_shard(key: int, pulkas: int, rules: Array, bot: Bot) -> Parts:
    """``hands`` [n, 3] and their ``tricks``, the ``dealer``'s tricks with four players."""
    n_players = int(rules["n_players"][0])
    batch = Shard(rules, [bot] * n_players, key, 0, pulkas, MAX_DEALS).run()
    rows = batch.deals[batch.deals["kind"] == RASPAS]
    hands = np.zeros((len(rows), 4), np.int64)
    deal_numbers(rows["number"].copy(), hands)
    players = (rows["dealer"][:, None] + 1 + np.arange(N_HANDS)) % n_players
    return {
        "hands": hands[:, :N_HANDS],
        "tricks": np.take_along_axis(rows["tricks"], players, axis=1),
        "dealer": rows["tricks"][np.arange(len(rows)), rows["dealer"]],
    }


def _games(
    what: str, n: int, recipe: Recipe, shop: Workshop, rules: Sequence[Array], bot: Bot
) -> list[Parts]:
    digest = digest_of(recipe.as_json(), bot.name, bot.digest)
    pulkas = max(1, recipe.shard // 64)

    def make(k: int, key: int) -> Parts:
        return raspas_shard(key, pulkas, rules[k % len(rules)], bot)

    return shop.shards(what, n, digest, make)


def fit_raspas(
    recipe: Recipe, shop: Workshop, rules: Sequence[Array], four: Sequence[Array], bot: Bot
) -> tuple[Tables, Errors]:
    """Tricks by suit, outcomes, the chances of no trick and of the fewest, and the dealer's."""
    part, held = split(_games("raspas", recipe.raspas, recipe, shop, rules, bot), recipe.hold_out)
    columns = suit_columns(part["hands"].ravel())
    tricks = part["tricks"].ravel().astype(float)
    shift = tricks.mean()
    table = solve(add_up(N_MASKS, columns, tricks - shift)) + shift / 4
    expected = predict(table, columns)
    bucket, usual = bucket_of(expected), np.linspace(1, 0, BUCKETS) ** 2
    tables: Tables = {
        "raspas": table,
        "raspas_outcome": outcomes(outcome_counts(expected, tricks)),
        "raspas_zero": chances(bucket, tricks == 0, usual),
        "raspas_smallest": chances(bucket, _share_of_fewest(part["tricks"]).ravel(), usual),
    }
    with_dealer = joined(_games("four", max(1, recipe.raspas // 8), recipe, shop, four, bot))
    counts = np.bincount(with_dealer["dealer"], minlength=DEALER_OUTCOMES)
    tables["dealer_raspas"] = counts[:DEALER_OUTCOMES] / max(1, counts.sum())
    residual = held["tricks"].ravel() - predict(table, suit_columns(held["hands"].ravel()))
    errors = {"raspas_mean": float(residual.mean()), "raspas_sd": float(residual.std())}
    errors["raspas_games"] = float(len(part["hands"]))
    return tables, errors


def _share_of_fewest(tricks: Array) -> Array:
    """[n, 3]: one for the hand with the fewest tricks, shared by those that have as few."""
    fewest = tricks == tricks.min(axis=1, keepdims=True)
    return fewest / fewest.sum(axis=1, keepdims=True)
