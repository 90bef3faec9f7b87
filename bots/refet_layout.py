"""The weights of ``cautious`` at the refet game: tables and prices, where they stand, how they are
made.

The suit tables of other games stand in front (``layout``); from PLAY_PRICE on there are tables of
its own, then prices by bucket.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .hand_tables import BUCKETS, N_MASKS, Floats, catch_table, fitted_tables
from .layout import PLAY_PRICE, TABLES
from .prices import Rules
from .refet_prices import (
    CONTRA,
    FREE,
    INVITING,
    LONE,
    MOST,
    N_WAYS,
    RECONTRA,
    Price,
    all_or_nothing_price,
    answered,
    betl_price,
    declarer_price,
    defend_prices,
    pair_price,
    way_price,
)

N_SHIFTS = 18
"""Shifts by contract 2..8, from the hand 9 more."""
N_PLACES = 4
"""Shifts by place: after the declarer or before him, at no trump the same."""
OWN_ALONE, OWN_OF_PAIR, OF_BOTH = range(3)
"""What a follower counts: his tricks alone, his beside another, those of both."""
COUNTS = ("alone", "pair", "both")
N_COUNT = 3 * N_MASKS + N_SHIFTS + N_PLACES
COUNT_SHIFT = 3 * N_MASKS
COUNT_PLACE = COUNT_SHIFT + N_SHIFTS

FOLLOWER = PLAY_PRICE
"""By count: tables of trumps, side suits and no trump; shifts by contract, by place."""
BETL_PLAY, BETL_BID, BETL_DEFENCE = (FOLLOWER + 3 * N_COUNT + N_MASKS * k for k in range(3))
"""Tables for betl: danger with the cards to be played, before the talon, by what a defender has."""
_PRICE = 3 * BUCKETS
(
    PLAY_SUIT,
    PLAY_SANS,
    PLAY_SPADES,
    BID_SUIT,
    BID_SANS,
    BID_SPADES,
    PLAY_BETL,
    BID_BETL,
    PLAY_PREFERANS,
    BID_PREFERANS,
    UNDER_CONTRA,
    BETL_UNDER_CONTRA,
    ALONE_PRICE,
    INVITES_PRICE,
    PAIR_PRICE,
    SAYS_CONTRA_PRICE,
    AFTER_RECONTRA,
    BETL_LET,
    BETL_CONTRA,
    BETL_AFTER_RECONTRA,
    PREFERANS_LET,
    PREFERANS_CONTRA,
    STAYS_PRICE,
    LEFT_PRICE,
    N_PRICES,
) = (BETL_DEFENCE + N_MASKS + _PRICE * k for k in range(25))
"""Prices in three parts by bucket: of a declarer after and before the talon, of one under contra;
of followers; last of one who stays away while another comes, and of one who leaves a contract."""
LEFT_CHANCE = N_PRICES
"""Chances that plain spades are left, after and before the talon."""
DEFENDING = LEFT_CHANCE + 2 * BUCKETS
ALL_PASS = DEFENDING + BUCKETS
"""Chance that all pass if I do, by how many passed before."""
COMES_TOO = ALL_PASS + 3
"""Chance that the next follower comes if I stay away, if I come."""
REFET_WORTH = COMES_TOO + 2
OUTBID = REFET_WORTH + 1
REFET_BIAS = OUTBID + 1
N_REFET_WEIGHTS = REFET_BIAS + 1

FILE = Path(__file__).parent / "weights" / "refet.json"


@functools.cache
def refet_tables() -> dict[str, Floats]:
    """The tables of ``weights/refet.json`` by name (stored in hundred-thousandths)."""
    data = json.loads(FILE.read_text("utf-8"))
    return {name: np.array(values) / 100000 for name, values in data["tables"].items()}


def _ten_tricks(all_ten: Floats) -> Floats:
    """[bucket, failed]: chances that a declarer takes all tricks, or not."""
    return np.stack([all_ten, 1 - all_ten], axis=1)


def _declarer(rules: Rules, own: Mapping[str, Floats]) -> list[Price]:
    prices = []
    for when in ("play", "bid"):
        for name in ("suit", "sans", "spades"):
            ways = own[f"{when}_{name}_ways"].reshape(BUCKETS, N_WAYS, MOST + 1)
            prices.append(declarer_price(rules, ways))
    for when in ("play", "bid"):
        prices.append(betl_price(rules, own[f"{when}_betl_ways"].reshape(BUCKETS, 3, 2)))
    plain = all_or_nothing_price(rules, 10, 0, 0)
    for when in ("play", "bid"):
        chances = fitted_tables()[f"{when}_outcome"].reshape(BUCKETS, 11)
        prices.append(plain.expect(_ten_tricks(chances[:, 10])))
    under = own["under_contra"].reshape(BUCKETS, MOST + 1)
    prices.append(way_price(rules, CONTRA, 0).expect(under))
    betl = own["betl_under_contra"].reshape(BUCKETS, 2)
    prices.append(all_or_nothing_price(rules, 0, 1, 0).expect(betl))
    return prices


def _with_recontra(rules: Rules, own: Mapping[str, Floats]) -> Price:
    """[k]: what contra is worth to who says it, some answered."""
    made, failed = own["recontra_share"].tolist()
    shares = np.full(MOST + 1, made)
    shares[MOST] = failed
    return answered([way_price(rules, way, 1) for way in (CONTRA, RECONTRA)], shares)


def _follower(rules: Rules, own: Mapping[str, Floats]) -> list[Price]:
    alone, invited, contrad, doubled = (
        own[f"{name}_outcome"].reshape(BUCKETS, MOST + 1)
        for name in ("alone", "invite", "contra", "recontra")
    )
    pair = own["pair_outcome"].reshape(BUCKETS, (MOST + 1) ** 2)
    betl = own["betl_outcome"].reshape(BUCKETS, 2)
    betl_doubled = own["betl_recontra_outcome"].reshape(BUCKETS, 2)
    let, contra = (all_or_nothing_price(rules, 0, k, 1) for k in range(2))
    all_let, all_contra = (all_or_nothing_price(rules, 10, k, 1) for k in range(2))
    ten = _ten_tricks(contrad[:, 0])
    usual = np.tile(own["stays_outcome"], (BUCKETS, 1))
    nobody = np.zeros((BUCKETS, MOST + 1))
    nobody[:, 0] = 1.0
    return [
        way_price(rules, LONE, 1).expect(alone),
        way_price(rules, INVITING, 1).expect(invited),
        pair_price(rules).expect(pair),
        _with_recontra(rules, own).expect(contrad),
        way_price(rules, RECONTRA, 1).expect(doubled),
        let.expect(betl),
        contra.expect(betl),
        all_or_nothing_price(rules, 0, 2, 1).expect(betl_doubled),
        all_let.expect(ten),
        all_contra.expect(ten),
        way_price(rules, LONE, 2).expect(usual),
        way_price(rules, FREE, 1).expect(nobody),
    ]


def refet_weights(rules: Rules, options: Mapping[str, float]) -> Any:
    """Suit tables, then prices, in the order of the offsets."""
    own = refet_tables()
    parts = [*(fitted_tables()[name] for name in TABLES), catch_table()]
    for name in COUNTS:
        parts += [own[f"{name}_{what}"] for what in ("tricks", "shift", "place")]
    parts += [own[name] for name in ("betl_play", "betl_bid", "betl_defence")]
    for price in [*_declarer(rules, own), *_follower(rules, own)]:
        parts += price
    parts += [own["play_left"], own["bid_left"]]
    parts.append(defend_prices(rules, own["defend_points"].reshape(BUCKETS, 4)))
    parts += [own["all_pass"], own["comes_too"], own["refet_worth"], own["outbid"]]
    parts.append(np.array([options["bias"]]))
    weights = np.concatenate([np.asarray(part, np.float64).ravel() for part in parts])
    assert len(weights) == N_REFET_WEIGHTS
    return weights
