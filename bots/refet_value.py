"""What a hand is worth to ``cautious`` at the refet game: expected tricks, prices, the sheet.

The value of a hand and what is left of the columns are whole points.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import (
    BETL,
    PREFERANS,
    REFET_CLUBS,
    REFET_SPADES,
    SANS,
    refet_strain,
)
from scoring.conventions_refet import (
    LAST_CAP,
    LEFT_MADE,
    LEFT_REFET_OR_FOUR,
    LEFT_REFET_OR_NOTHING,
)
from scoring.kernel import outline
from scoring.refet import columns_sum, may_write_refets, plays_on_refet

from .api import NO_TRUMP, UNIT, kernel, suit_ranks
from .hand_tables import BUCKETS, N_MASKS
from .layout import PLAY_SUITS, SIDE
from .refet_layout import (
    BETL_BID,
    BETL_PLAY,
    BID_BETL,
    BID_PREFERANS,
    BID_SANS,
    BID_SPADES,
    BID_SUIT,
    COUNT_PLACE,
    COUNT_SHIFT,
    FOLLOWER,
    LEFT_CHANCE,
    LEFT_PRICE,
    N_COUNT,
    PLAY_BETL,
    PLAY_PREFERANS,
    PLAY_SANS,
    PLAY_SPADES,
    PLAY_SUIT,
)
from .valuation import NEVER, bucket_of, count_tricks, sum_suits

SUITS = (1 << REFET_CLUBS + 1) - (1 << REFET_SPADES)
"""Mask of the suit contracts."""
SCORE_BUCKETS = 4.0
"""Buckets to a unit of a betl table, none at the middle."""


@kernel
def score_bucket(score: float) -> int:
    """The bucket of a sum of one of the tables for betl."""
    return min(BUCKETS - 1, max(0, int(score * SCORE_BUCKETS + BUCKETS // 2 + 0.5)))


@kernel
def points_of(view: Any, base: int, without: int, declarer: int) -> int:
    """The value of a hand that this player declares, before contra, in points."""
    return 2 * (base + without) << (1 if plays_on_refet(view.rules, view, declarer) else 0)


@outline
def price_of(view: Any, w: Any, table: int, bucket: int, points: int) -> float:
    """Whists at a price, of a hand with this value."""
    left = max(0, columns_sum(view.rules, view)) // UNIT
    place = table + bucket
    price = points * w[place + BUCKETS]
    if points > left > 0:
        if view.rules.last_double_fall == 1:
            price += points * w[place + 2 * BUCKETS]
        if view.rules.last_made == LAST_CAP:
            return price + left * w[place]
    return price + points * w[place]


@kernel
def left_points(view: Any, points: int) -> int:
    """What a declarer is credited with for plain spades left unplayed."""
    if view.rules.spades_left != LEFT_MADE and may_write_refets(view.rules, view):
        return 0
    if view.rules.spades_left == LEFT_REFET_OR_NOTHING:
        return 0
    return min(points, 4) if view.rules.spades_left == LEFT_REFET_OR_FOUR else points


@kernel
def _table_of(base: int, without: int, suits: int) -> int:
    """The prices of a contract."""
    plays = suits == PLAY_SUITS
    if base == SANS:
        return PLAY_SANS if plays else BID_SANS
    if base == REFET_SPADES and without == 0:
        return PLAY_SPADES if plays else BID_SPADES
    if base == PREFERANS:
        return PLAY_PREFERANS if plays else BID_PREFERANS
    return PLAY_SUIT if plays else BID_SUIT


@kernel
def _left_value(view: Any, w: Any, bucket: int, suits: int, points: int) -> float:
    """What plain spades bring by being left: minus what it takes from each follower."""
    chance = w[LEFT_CHANCE + (0 if suits == PLAY_SUITS else BUCKETS) + bucket]
    loss = price_of(view, w, LEFT_PRICE, 0, left_points(view, points))
    return -chance * loss * (view.n_players - 1)


@kernel
def betl_score(w: Any, hand: int, suits: int) -> float:
    return sum_suits(w, hand, BETL_PLAY if suits == PLAY_SUITS else BETL_BID)


@kernel
def betl_worth(view: Any, w: Any, hand: int, suits: int, without: int) -> float:
    points = points_of(view, BETL, without, view.player)
    table = PLAY_BETL if suits == PLAY_SUITS else BID_BETL
    return price_of(view, w, table, score_bucket(betl_score(w, hand, suits)), points)


@outline
def contract_worth(view: Any, w: Any, base: int, without: int, tricks: float, suits: int) -> float:
    """Whists of a contract for tricks with so many expected by its declarer."""
    points = points_of(view, base, without, view.player)
    bucket = bucket_of(tricks)
    value = price_of(view, w, _table_of(base, without, suits), bucket, points)
    if base == REFET_SPADES and without == 0 and view.rules.spades_needs_contra == 1:
        value += _left_value(view, w, bucket, suits, points)
    return value


@outline
def best_contract(
    view: Any, w: Any, hand: int, suits: int, allowed: int, without: int
) -> tuple[int, float]:
    """The contract of a mask 2..8 that is worth most, and how much; -1 if there is none.

    ``suits`` is BID_SUITS before the talon is taken, PLAY_SUITS with the cards to be played.
    """
    side = sum_suits(w, hand, suits + SIDE)
    best = -1
    most = NEVER
    for base in range(REFET_SPADES, PREFERANS + 1):
        if not allowed >> base & 1:
            continue
        if base == BETL:
            value = betl_worth(view, w, hand, suits, without)
        else:
            tricks = count_tricks(w, hand, refet_strain(base), view.mover, suits, side)
            value = contract_worth(view, w, base, without, tricks, suits)
        if value > most:
            best = base
            most = value
    return best, most


@kernel
def follower_bucket(view: Any, w: Any, count: int) -> int:
    """The bucket of what a follower counts (OWN_ALONE ...) against the contract."""
    place = FOLLOWER + N_COUNT * count
    hand = view.hand
    after = view.mover == (0 if view.declarer == 2 else view.declarer + 1)
    cell = 0 if after else 1
    if view.strain == NO_TRUMP:
        tricks = sum_suits(w, hand, place + 2 * N_MASKS) + w[place + COUNT_PLACE + 2 + cell]
    else:
        ranks = suit_ranks(hand, view.strain)
        tricks = sum_suits(w, hand, place + N_MASKS) + w[place + COUNT_PLACE + cell]
        tricks += w[place + ranks] - w[place + N_MASKS + ranks]
    return bucket_of(tricks + w[place + COUNT_SHIFT + view.contract + 9 * view.without_talon])


@kernel
def usual_defence(w: Any, hand: int) -> int:
    """The bucket of the tricks expected as a lone follower of nobody knows what."""
    return bucket_of(sum_suits(w, hand, FOLLOWER + N_MASKS))
