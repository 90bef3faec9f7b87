"""Stage ``misere``: the chance to stay clean.

Suits alone are exact: every lie of the hidden cards, played as well as can be. What suits do to
each other (discards, the lead that is lost) is one logistic curve for each position and number of
risky suits, fitted to solved hands and kept as a table. Before the talon an additive table tells
the chance after the best discard on the average.
"""

from __future__ import annotations

import math

import numpy as np

from ..clean import N_HOLDINGS
from ..solver import MISERE_STRAIN
from ..solver.batch import own_workspace
from .fits import BUCKETS, Array, add_up, bucket_of, chances, predict, solve, suit_columns
from .kernels.catching import (
    AFTER,
    BEFORE,
    N_LIES,
    OWN,
    catch_lies,
    draw_bids,
    draw_miseres,
    solve_miseres,
    suit_chances,
)
from .kernels.hands import N_MASKS
from .recipe import Recipe, digest_of
from .shards import Parts, Workshop, split
from .tables import Errors, Tables

WORTH = 0.1
"""Hands with a lesser chance by suits are not bid."""
POSITIONS, RISKS = 3, 3
"""Rows of the correction: the hand's number, and one, two, more risky suits."""
MIDDLE = 5.0
"""Even odds of a bid in the units of its table, so that 0 .. 10 are its buckets."""
_HIDDEN = 10
_LEAST, _MOST = 0.005, 0.995


def catch_tables() -> tuple[Array, Array]:
    """Chance by holding to be caught in a suit, and when the declarer leads it; in thousandths,
    never rounded to none."""
    caught, leading = np.zeros(N_LIES, np.int64), np.zeros(N_LIES, np.int64)
    catch_lies(caught, leading)
    lies = np.arange(N_LIES)
    places = lies[:, None] >> 2 * np.arange(8) & 3
    digit = np.where(places == OWN, 1, np.where(places == 0, 2, 0))
    holdings = (digit * 3 ** np.arange(8)).sum(axis=1)
    after, before = (places == AFTER).sum(axis=1), (places == BEFORE).sum(axis=1)
    ways = np.array(
        [
            math.comb(2 * _HIDDEN - int(a + b), _HIDDEN - int(a))
            for a, b in zip(after, before, strict=True)
        ],
        float,
    )
    total = np.bincount(holdings, ways, N_HOLDINGS)
    catch, lead = (
        _thousandths(np.bincount(holdings, ways * x, N_HOLDINGS) / total) for x in (caught, leading)
    )
    return catch, lead


def _thousandths(share: Array) -> Array:
    least = np.where(share > 0, 0.001, 0.0)
    return np.asarray(np.maximum(least, np.rint(1000 * share) / 1000))


def no_correction() -> Array:
    """[row, bucket]: the chance by suits itself."""
    return np.tile(np.arange(BUCKETS) / (BUCKETS - 1), (POSITIONS * RISKS, 1))


def misere_shard(key: int, n: int, catch: Array, lead: Array, correction: Array) -> Parts:
    """``found`` as in ``catching.draw_miseres``, the chance by suits of each, and 1 if the solver
    finds it ``clean``."""
    found, hands = np.zeros((n, 4), np.int64), np.zeros((n, 3), np.int64)
    draw_miseres(catch, lead, correction, key, WORTH, found, hands)
    caught, by_suits = np.zeros(n, np.int64), np.zeros(n)
    solve_miseres(own_workspace(), hands, found[:, 2].copy(), MISERE_STRAIN, 1, caught)
    suit_chances(catch, lead, found, by_suits)
    return {"found": found, "chance": by_suits, "clean": 1 - caught}


def bid_shard(key: int, n: int, catch: Array, lead: Array, correction: Array) -> Parts:
    """``hands`` [n, 2] before the talon with their position, and the ``chance`` of each."""
    hands, chance = np.zeros((n, 2), np.int64), np.zeros(n)
    draw_bids(catch, lead, correction, key, 2 * WORTH, hands, chance)
    return {"hands": hands, "chance": chance}


def _logit(chance: Array) -> Array:
    inside = np.clip(chance, _LEAST, _MOST)
    return np.asarray(np.log(inside / (1 - inside)))


def logistic(x: Array, happened: Array) -> Array:
    """Intercept and slope of a logistic curve, by Newton's steps, shrunk towards (0, 1)."""
    design = np.stack([np.ones(len(x)), x], axis=1)
    start = np.array([0.0, 1.0])
    beta = start.copy()
    for _ in range(25):
        p = 1 / (1 + np.exp(-design @ beta))
        slope = design.T @ (happened - p) - (beta - start)
        curve = design.T @ (design * (p * (1 - p))[:, None]) + np.eye(2)
        beta = beta + np.linalg.solve(curve, slope)
    return beta


def rows_of(found: Array) -> Array:
    """The row of the correction for each of the hands of a shard."""
    return np.asarray(RISKS * found[:, 2] + np.clip(found[:, 3] - 1, 0, RISKS - 1))


def fit_correction(part: Parts) -> Array:
    """[row, bucket of a fortieth]: the chance of a whole hand by that of its suits."""
    table = np.zeros((POSITIONS * RISKS, BUCKETS))
    row, clean = rows_of(part["found"]), part["clean"].astype(float)
    middle = _logit(np.arange(BUCKETS) / (BUCKETS - 1))
    for k in range(len(table)):
        chosen = (row == k) & (part["chance"] < 1)
        a, b = logistic(_logit(part["chance"][chosen]), clean[chosen])
        table[k] = 1 / (1 + np.exp(-(a + b * middle)))
    return np.asarray(np.rint(1000 * table) / 1000)


def fit_misere(recipe: Recipe, shop: Workshop) -> tuple[Tables, Errors]:
    """Catch tables, their correction for whole hands, and the table before the talon."""
    catch, lead = catch_tables()
    shares = digest_of(recipe.as_json(), catch.tolist(), lead.tolist())
    plain = no_correction().ravel()
    solved = shop.shards(
        "catch", recipe.miseres, shares,
        lambda _, key: misere_shard(key, recipe.catch, catch, lead, plain),
    )  # fmt: skip
    part, held = split(solved, recipe.hold_out)
    correction = fit_correction(part)
    clean = held["clean"]
    sure = held["chance"] == 1
    told = correction[rows_of(held["found"]), bucket_of(held["chance"], BUCKETS - 1)]
    told = np.where(sure, 1.0, told)
    errors = {
        "misere_sure": float(sure.sum()),
        "misere_sure_caught": float((clean[sure] == 0).sum()),
        "misere_mean": float((clean - told).mean()),
        "misere_sd": float((clean - told).std()),
        "misere_suits_mean": float((clean - held["chance"]).mean()),
        "misere_suits_sd": float((clean - held["chance"]).std()),
    }
    flat = correction.ravel()
    bids = shop.shards(
        "bids", recipe.miseres, digest_of(shares, flat.tolist()),
        lambda _, key: bid_shard(key, recipe.bids, catch, lead, flat),
    )  # fmt: skip
    tables, more = _fit_bid(*split(bids, recipe.hold_out))
    tables |= {"misere_catch": catch, "misere_catch_lead": lead, "misere_clean": correction}
    return tables, errors | more


def _fit_bid(part: Parts, held: Parts) -> tuple[Tables, Errors]:
    columns, position = suit_columns(part["hands"][:, 0]), part["hands"][:, 1]
    table = solve(add_up(N_MASKS, columns, _logit(part["chance"]))) + MIDDLE / 4
    usual = 1 / (1 + np.exp(MIDDLE - np.arange(BUCKETS) / 4))
    bucket = bucket_of(predict(table, columns))
    by_bucket = np.stack(
        [
            chances(bucket[position == k], part["chance"][position == k], usual, 2.0)
            for k in range(POSITIONS)
        ]
    )
    bucket = bucket_of(predict(table, suit_columns(held["hands"][:, 0])))
    wrong = held["chance"] - by_bucket[held["hands"][:, 1], bucket]
    errors = {"misere_bid_mean": float(wrong.mean()), "misere_bid_sd": float(wrong.std())}
    return {"misere_bid": table, "misere_bid_clean": by_bucket}, errors
