"""A careful club player by rules of thumb.

He counts sure and likely tricks suit by suit, and takes the values of results from the variant's
own scorer when he is seated, so that a dearer raspas makes thin sixes worth bidding.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.convention import MAX_PROGRESSION

from .api import (
    AUCTION,
    CALL_HALF,
    CALL_PASS,
    CALL_WHIST,
    CARD,
    CONCEDE,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    HOLD,
    MISERE,
    MISERE_GAME,
    NO_TRUMP,
    OPENED,
    PASS,
    WHIST,
    WHISTED,
    bot,
    ctz,
    kernel,
    popcount,
    suit_ranks,
)
from .club_play import choose_card
from .hand_tables import (
    BOTH,
    BUCKETS,
    FREE,
    HALF,
    LONE,
    N_MASKS,
    PARTNER,
    catch_table,
    concession_prices,
    contract_values,
    declarer_prices,
    expect,
    fitted_tables,
    misere_prices,
    raspas_prices,
)

DECLARER_OVER = 0.4
"""Tricks a declarer is expected to make above his contract, against an average defence."""
RASPAS_CHANCE = (0.25, 0.4, 1.0)
"""Chance that all pass if I pass, by the number of players who have passed."""
CAUGHT_TRICKS = 2
UNWHISTED = (0.3, 0.3, 0.5, 0.7, 0.9)
"""Chance that nobody whists, by level: what a club player has learned to expect."""

TABLES = (
    "play_trump",
    "play_side",
    "play_no_trump",
    "bid_trump",
    "bid_side",
    "bid_no_trump",
    "raspas",
    "defence_trump",
    "defence_side",
    "play_position",
    "bid_position",
)
"""Fitted tables in the order of the weights; CATCH follows them."""
(PLAY_SUITS, _, _, BID_SUITS, _, _, DUCK, DEFENCE_TRUMP, DEFENCE_SIDE, PLAY_POSITION) = (
    N_MASKS * k for k in range(10)
)
BID_POSITION = PLAY_POSITION + 6
CATCH = BID_POSITION + 6
TRUMP, SIDE, PLAIN = (N_MASKS * k for k in range(3))
"""Offsets within the three tables at PLAY_SUITS and BID_SUITS: trumps, side suit, at no trump."""
_TABLE = 5 * BUCKETS
BID_PRICE = CATCH + N_MASKS
PLAY_PRICE = BID_PRICE + _TABLE
LONE_PRICE, PARTNER_PRICE, BOTH_PRICE, FREE_PRICE, HALF_PRICE = (
    PLAY_PRICE + _TABLE * k for k in range(1, 6)
)
RASPAS_PRICE = HALF_PRICE + _TABLE
CONCEDE_PRICE = RASPAS_PRICE + MAX_PROGRESSION * BUCKETS
MISERE_MADE = CONCEDE_PRICE + 5
MISERE_FAILED = MISERE_MADE + 1
DEFEND = MISERE_FAILED + 1
BIAS = DEFEND + 1

_NEVER = -1e9


def make_weights(rules: np.ndarray[Any, Any], options: Mapping[str, float]) -> Any:
    """Suit tables (tricks), then the variant's prices (whists), in the order of the offsets."""
    fitted = fitted_tables()
    chances = {
        name: fitted[f"{name}_outcome"].reshape(BUCKETS, 11)
        for name in ("bid", "play", "defence", "raspas")
    }
    defence = [
        expect(contract_values(rules, pattern), chances["defence"])
        for pattern in (LONE, PARTNER, BOTH, FREE, HALF)
    ]
    usual = int(4 * (6 + DECLARER_OVER))
    parts = [
        *(fitted[name] for name in TABLES),
        catch_table(),
        declarer_prices(rules, chances["bid"], UNWHISTED),
        declarer_prices(rules, chances["play"], UNWHISTED),
        *defence,
        raspas_prices(rules, chances["raspas"]),
        concession_prices(rules),
        misere_prices(rules, CAUGHT_TRICKS),
        np.array([defence[BOTH - LONE][0, usual], options["bias"]]),
    ]
    return np.concatenate([part.ravel() for part in parts])


@kernel
def _bucket(tricks: float) -> int:
    return min(BUCKETS - 1, max(0, int(tricks * 4 + 0.5)))


@kernel
def _price(w: Any, table: int, level: int, tricks: float) -> float:
    return w[table + (level - 6) * BUCKETS + _bucket(tricks)]


@kernel
def _sum_suits(w: Any, hand: int, table: int) -> float:
    """Sum of a table over the four suits of a hand."""
    return (
        w[table + suit_ranks(hand, 0)]
        + w[table + suit_ranks(hand, 1)]
        + w[table + suit_ranks(hand, 2)]
        + w[table + suit_ranks(hand, 3)]
    )


@kernel
def _count(w: Any, hand: int, strain: int, position: int, suits: int, side: float) -> float:
    """Tricks expected of a declarer's hand in a strain.

    ``position`` is the number of the hand (0 leads), ``suits`` PLAY_SUITS or BID_SUITS, ``side``
    the sum of the hand as side suits.
    """
    place = PLAY_POSITION if suits == PLAY_SUITS else BID_POSITION
    if strain == NO_TRUMP:
        return _sum_suits(w, hand, suits + PLAIN) + w[place + 3 + position]
    ranks = suit_ranks(hand, strain)
    return side - w[suits + SIDE + ranks] + w[suits + TRUMP + ranks] + w[place + position]


@kernel
def _best_price(
    w: Any, hand: int, position: int, suits: int, table: int, allowed: int
) -> tuple[int, float]:
    """The contract code of a mask with the best price, and that price."""
    side = _sum_suits(w, hand, suits + SIDE)
    best = -1
    best_price = _NEVER
    for strain in range(5):
        tricks = _count(w, hand, strain, position, suits, side)
        for level in range(6, 11):
            code = 5 * (level - 6) + strain
            if allowed >> code & 1:
                price = _price(w, table, level, tricks)
                if price > best_price:
                    best = code
                    best_price = price
    return best, best_price


@kernel
def _highest_worth(w: Any, hand: int, position: int, allowed: int, floor: float) -> int:
    """The highest contract code of a mask worth more than ``floor``; -1 if none."""
    side = _sum_suits(w, hand, BID_SUITS + SIDE)
    best = -1
    for strain in range(5):
        bucket = _bucket(_count(w, hand, strain, position, BID_SUITS, side))
        code = 20 + strain
        while code > best:
            if allowed >> code & 1 and w[BID_PRICE + code // 5 * BUCKETS + bucket] > floor:
                best = code
            code -= 5
    return best


@kernel
def _clean_chance(w: Any, hand: int) -> float:
    chance = 1.0
    for suit in range(4):
        chance *= 1.0 - w[CATCH + suit_ranks(hand, suit)]
    return chance


@kernel
def _misere_chance(w: Any, hand: int) -> float:
    """Chance of a clean misère before the talon: the worst card may go, the talon may hurt.

    Squared, for caution: suits are counted one by one, and the defenders see each other's cards.
    """
    best = 0.0
    rest = hand
    while rest:
        card = rest & -rest
        rest ^= card
        best = max(best, _clean_chance(w, hand ^ card))
    chance = 0.5 * (best + _clean_chance(w, hand))
    return chance * chance


@kernel
def _pass_value(view: Any, w: Any) -> float:
    """What passing is worth: raspas, or defending against somebody else's contract."""
    if view.bid >= 0:
        return w[DEFEND]
    bucket = _bucket(_sum_suits(w, view.hand, DUCK))
    index = min(view.raspas_index, MAX_PROGRESSION - 1)
    passed = 3 - popcount(view.active)
    chance = RASPAS_CHANCE[passed]
    return chance * w[RASPAS_PRICE + index * BUCKETS + bucket] + (1.0 - chance) * w[DEFEND]


@kernel
def _choose_call(view: Any, w: Any) -> int:
    """The lowest step while the hand is worth more than passing; misère on safe suits."""
    bids = view.legal >> FIRST_BID
    tricks_bids = bids & ((1 << MISERE) - 1)
    holding = view.legal >> HOLD & 1
    allowed = tricks_bids | (1 << view.bid if holding else 0)
    floor = _pass_value(view, w) - w[BIAS]
    if bids >> MISERE & 1:
        chance = _misere_chance(w, view.hand)
        value = chance * w[MISERE_MADE] + (1.0 - chance) * w[MISERE_FAILED]
        if (
            value > floor
            and value > _best_price(w, view.hand, view.mover, BID_SUITS, BID_PRICE, allowed)[1]
        ):
            return FIRST_BID + MISERE
    limit = _highest_worth(w, view.hand, view.mover, allowed, floor)
    if limit < 0:
        return PASS
    if holding:
        return HOLD
    return FIRST_BID + ctz(tricks_bids)


@kernel
def _discard_for(w: Any, hand: int, strain: int) -> tuple[int, float]:
    """The two cards that cost the fewest tricks in a strain, and that cost.

    The lowest of a suit go first: either one each of the two suits cheapest by one card, or two of
    one suit.
    """
    first = second = double = 0
    first_loss = second_loss = double_loss = 1e9
    for suit in range(4):
        ranks = suit_ranks(hand, suit)
        if ranks == 0:
            continue
        table = PLAY_SUITS + SIDE
        if strain == NO_TRUMP:
            table = PLAY_SUITS + PLAIN
        elif strain == suit:
            table = PLAY_SUITS + TRUMP
        shift = 8 * suit
        one = ranks & -ranks
        rest = ranks ^ one
        full = w[table + ranks]
        loss = full - w[table + rest]
        if loss < first_loss:
            second = first
            second_loss = first_loss
            first = one << shift
            first_loss = loss
        elif loss < second_loss:
            second = one << shift
            second_loss = loss
        if rest:
            two = rest & -rest
            loss = full - w[table + (rest ^ two)]
            if loss < double_loss:
                double = (one | two) << shift
                double_loss = loss
    if first_loss + second_loss < double_loss:
        return first | second, first_loss + second_loss
    return double, double_loss


@kernel
def _plan_discard(view: Any, w: Any) -> int:
    """The discard with the best contract after it."""
    hand = view.hand
    lowest = view.bid
    allowed = ((1 << MISERE) - 1) & ~((1 << lowest) - 1)
    side = _sum_suits(w, hand, PLAY_SUITS + SIDE)
    best = 0
    best_price = _NEVER
    for strain in range(5):
        pair, loss = _discard_for(w, hand, strain)
        tricks = _count(w, hand, strain, view.mover, PLAY_SUITS, side) - loss
        for level in range(6, 11):
            if allowed >> (5 * (level - 6) + strain) & 1:
                price = _price(w, PLAY_PRICE, level, tricks)
                if price > best_price:
                    best = pair
                    best_price = price
    return best


@kernel
def _plan_misere_discard(w: Any, hand: int) -> int:
    best = 0
    best_chance = -1.0
    rest = hand
    while rest:
        one = rest & -rest
        rest ^= one
        others = rest
        while others:
            other = others & -others
            others ^= other
            chance = _clean_chance(w, hand ^ one ^ other)
            if chance > best_chance:
                best = one | other
                best_chance = chance
    return best


@kernel
def _choose_discard(view: Any, own: Any) -> int:
    """Plan the pair at the first card, keep it for the second."""
    if view.discard == 0:
        if view.kind == MISERE_GAME:
            own.memory[0] = _plan_misere_discard(own.weights, view.hand)
        else:
            own.memory[0] = _plan_discard(view, own.weights)
    planned = own.memory[0] & view.legal
    return ctz(planned if planned else view.legal)


@kernel
def _choose_contract(view: Any, w: Any) -> int:
    code, price = _best_price(
        w, view.hand, view.mover, PLAY_SUITS, PLAY_PRICE, view.legal & ((1 << MISERE) - 1)
    )
    if view.legal >> CONCEDE & 1 and w[CONCEDE_PRICE + view.bid // 5] > price:
        return CONCEDE
    return code


@kernel
def _defence_effect(w: Any, hand: int, strain: int) -> float:
    """Tricks a declarer is expected to make above his level, against this defender's hand."""
    over = _sum_suits(w, hand, DEFENCE_SIDE)
    if strain != NO_TRUMP:
        ranks = suit_ranks(hand, strain)
        over += w[DEFENCE_TRUMP + ranks] - w[DEFENCE_SIDE + ranks]
    return over


@kernel
def _choose_whist(view: Any, w: Any) -> int:
    """Whist, half-whist or pass by what each is worth with the tricks expected."""
    tricks = view.level + _defence_effect(w, view.hand, view.strain)
    partner = view.whist_call[3 - view.declarer - view.mover]
    with_partner = partner == WHISTED
    best = CALL_PASS
    price = _price(w, PARTNER_PRICE if with_partner else FREE_PRICE, view.level, tricks)
    if not view.legal >> CALL_PASS & 1:
        price = _NEVER
    whist = _price(w, BOTH_PRICE if with_partner else LONE_PRICE, view.level, tricks)
    if whist > price:
        best = CALL_WHIST
        price = whist
    if view.legal >> CALL_HALF & 1:
        if _price(w, HALF_PRICE, view.level, tricks) > price:
            best = CALL_HALF
    return best


@kernel
def decide(view: Any, own: Any) -> int:
    """The decision of ``cautious`` in any phase."""
    if view.phase == CARD:
        return choose_card(view)
    if view.phase == AUCTION:
        return _choose_call(view, own.weights)
    if view.phase == DISCARD:
        return _choose_discard(view, own)
    if view.phase == CONTRACT:
        return _choose_contract(view, own.weights)
    if view.phase == WHIST:
        return _choose_whist(view, own.weights)
    return OPENED


@bot(memory=1, options={"bias": 0.0}, weights=make_weights)
def cautious(view: Any, own: Any) -> int:
    """Rule-of-thumb club player; option bias = whists added to the value of bidding."""
    return decide(view, own)
