"""What a hand is worth to ``cautious``: expected tricks, chances and prices, and what to lay away.

Hands are counted suit by suit with the fitted tables of ``hand_tables``; what the result is worth
comes from ``prices``. Both lie one after the other in the bot's weights (``layout``).
"""

from __future__ import annotations

from typing import Any

from scoring.convention import MAX_PROGRESSION
from scoring.kernel import outline
from scoring.sheet import MOST_DARK

from .api import (
    NINE_WITHOUT,
    NO_TRUMP,
    TRICKS_MASK,
    WITHOUT_MASK,
    kernel,
    popcount,
    suit_ranks,
)
from .hand_tables import BUCKETS
from .layout import (
    ALL_PASS,
    BID_POSITION,
    BID_PRICE,
    BID_SUITS,
    BLIND_SIDE,
    BLIND_TRUMP,
    CAUGHT,
    DECLARER_TABLE,
    DEFENCE_SIDE,
    DEFENCE_TRUMP,
    DEFEND,
    DUCK,
    EXPECTED_UNITS,
    MISERE_BID,
    MISERE_BID_PRICE,
    MISERE_FAILED,
    MISERE_MADE,
    MISERE_PLAY,
    MISERE_PLAY_PRICE,
    PLAIN,
    PLAY_POSITION,
    PLAY_PRICE,
    PLAY_SUITS,
    RASPAS_PLACE,
    RASPAS_PRICE,
    SIDE,
    TALON_COST,
    TRUMP,
)
from .prices import FORCED
from .row_prices import FINE

RASPAS_CHANCE = (0.25, 0.4, 1.0)
"""Chance that all pass if I pass, by the number of players who have passed."""
NEVER = -1e9
UNSEEN_TALON = -1
"""Quick tricks of a talon that is still to be taken."""


@kernel
def bucket_of(tricks: float) -> int:
    """The bucket of expected tricks."""
    return min(BUCKETS - 1, max(0, int(tricks * 4 + 0.5)))


@kernel
def fine_bucket(tricks: float) -> int:
    """The bucket of expected tricks at misère, with two players."""
    return min(BUCKETS - 1, max(0, int(tricks * FINE + 0.5)))


@kernel
def price_of(w: Any, table: int, level: int, tricks: float) -> float:
    """The price in a table of a contract in which the declarer is expected to take so many."""
    return w[table + (level - 6) * BUCKETS + bucket_of(tricks)]


@kernel
def sum_suits(w: Any, hand: int, table: int) -> float:
    """Sum of a table over the four suits of a hand."""
    return (
        w[table + suit_ranks(hand, 0)]
        + w[table + suit_ranks(hand, 1)]
        + w[table + suit_ranks(hand, 2)]
        + w[table + suit_ranks(hand, 3)]
    )


@kernel
def count_tricks(w: Any, hand: int, strain: int, position: int, suits: int, side: float) -> float:
    """Tricks expected of a declarer's hand in a strain.

    ``position`` is the number of the hand (0 leads), ``suits`` PLAY_SUITS or BID_SUITS, ``side``
    the sum of the hand as side suits.
    """
    place = PLAY_POSITION if suits == PLAY_SUITS else BID_POSITION
    if strain == NO_TRUMP:
        return sum_suits(w, hand, suits + PLAIN) + w[place + 3 + position]
    ranks = suit_ranks(hand, strain)
    return side - w[suits + SIDE + ranks] + w[suits + TRUMP + ranks] + w[place + position]


@kernel
def _declarer_deals(view: Any) -> bool:
    """Whether the mover would declare as the dealer (of three players)."""
    return view.mover == view.hand_of[view.dealer]


@kernel
def talon_cost(view: Any, w: Any, row: int) -> float:
    """Whists for each quick trick in the talon, at level 6 + row or (row 5) at misère."""
    return w[TALON_COST + (6 if _declarer_deals(view) else 0) + row]


@kernel
def _bid_table(view: Any) -> int:
    return BID_PRICE + (DECLARER_TABLE if _declarer_deals(view) else 0)


@kernel
def _row(code: int, level: int) -> int:
    """The row of a declarer's prices: six spades have their own."""
    return FORCED if code == 0 else level - 6


@kernel
def _best_level(
    view: Any, w: Any, place: int, strain: int, allowed: int, units: int
) -> tuple[int, float]:
    """The contract of a mask in this strain with the best price, and that price.

    ``place`` is that of the expected tricks in the table's first row.
    """
    best = -1
    most = NEVER
    for level in range(6, 11):
        code = 5 * (level - 6) + strain
        if allowed >> code & 1:
            price = w[place + _row(code, level) * BUCKETS]
            if units > 0:
                price -= units * talon_cost(view, w, level - 6)
            if price > most:
                best = code
                most = price
    return best, most


@kernel
def best_price(view: Any, w: Any, allowed: int, units: int) -> tuple[int, float]:
    """The contract of a mask of codes 0..24 with the best price for the hand, and that price.

    ``units`` are the quick tricks in the talon, UNSEEN_TALON before it is taken.
    """
    suits = BID_SUITS if units == UNSEEN_TALON else PLAY_SUITS
    table = _bid_table(view) if units == UNSEEN_TALON else PLAY_PRICE
    side = sum_suits(w, view.hand, suits + SIDE)
    best = -1
    most = NEVER
    for strain in range(5):
        bucket = bucket_of(count_tricks(w, view.hand, strain, view.mover, suits, side))
        code, price = _best_level(view, w, table + bucket, strain, allowed, units)
        if price > most:
            best = code
            most = price
    return best, most


@kernel
def best_without(view: Any, w: Any, allowed: int) -> tuple[int, float]:
    """The same among the contracts without the talon: the hand is played as it is."""
    down = NINE_WITHOUT - 15
    code, price = best_price(view, w, (allowed & WITHOUT_MASK) >> down, 0)
    return code + down, price


@kernel
def highest_worth(view: Any, w: Any, allowed: int, floor: float) -> int:
    """The highest contract of a mask worth more than ``floor`` before the talon; -1 if none.

    Six spades come last and have a price of their own, so they are looked at once more.
    """
    table = _bid_table(view)
    side = sum_suits(w, view.hand, BID_SUITS + SIDE)
    best = -1
    for strain in range(5):
        bucket = bucket_of(count_tricks(w, view.hand, strain, view.mover, BID_SUITS, side))
        code = 20 + strain
        while code > best:
            if allowed >> code & 1 and w[table + code // 5 * BUCKETS + bucket] > floor:
                best = code
            code -= 5
    if best == 0:
        tricks = count_tricks(w, view.hand, 0, view.mover, BID_SUITS, side)
        if w[table + FORCED * BUCKETS + bucket_of(tricks)] <= floor:
            best = -1
    return best


@kernel
def clean_chance(w: Any, hand: int) -> float:
    """Chance that no suit of a misère hand is caught."""
    chance = 1.0
    for suit in range(4):
        chance *= 1.0 - w[CAUGHT + suit_ranks(hand, suit)]
    return chance


@kernel
def misere_chance(w: Any, hand: int, with_talon: bool) -> float:
    """Chance of a clean misère: with the talon the worst card may go, but it may hurt.

    Squared, for caution: suits are counted one by one, and the defenders see each other's cards.
    """
    chance = clean_chance(w, hand)
    if with_talon:
        best = 0.0
        rest = hand
        while rest:
            card = rest & -rest
            rest ^= card
            best = max(best, clean_chance(w, hand ^ card))
        chance = 0.5 * (best + chance)
    return chance * chance


@outline
def _misere_value_of_two(view: Any, w: Any, with_talon: bool) -> float:
    """The same against one who plays both hands, by the tricks expected."""
    if not with_talon:
        return w[MISERE_PLAY_PRICE + fine_bucket(sum_suits(w, view.hand, MISERE_PLAY))]
    value = w[MISERE_BID_PRICE + fine_bucket(sum_suits(w, view.hand, MISERE_BID))]
    return value - EXPECTED_UNITS * talon_cost(view, w, 5)


@kernel
def misere_value(view: Any, w: Any, with_talon: bool) -> float:
    """What bidding misère is worth."""
    if view.dummy >= 0:
        return _misere_value_of_two(view, w, with_talon)
    chance = misere_chance(w, view.hand, with_talon)
    value = chance * w[MISERE_MADE] + (1.0 - chance) * w[MISERE_FAILED]
    if with_talon:
        value -= EXPECTED_UNITS * talon_cost(view, w, 5)
    return value


@kernel
def _pass_value_with(view: Any, w: Any, tricks: float, chance: float) -> float:
    """What passing is worth when nobody has bid: so many tricks at raspas, if all pass."""
    row = min(view.raspas_index, MAX_PROGRESSION - 1)
    if view.dark == 1:
        row += min(view.dark_row + 1, MOST_DARK) * MAX_PROGRESSION
    raspas = w[RASPAS_PRICE + row * BUCKETS + bucket_of(tricks)]
    return chance * raspas + (1.0 - chance) * w[DEFEND]


@kernel
def _pass_value_of_two(view: Any, w: Any) -> float:
    """With two players the place at raspas counts, and whether the other passes is his affair."""
    tricks = sum_suits(w, view.hand, DUCK) + w[RASPAS_PLACE + view.mover]
    return _pass_value_with(view, w, tricks, 1.0 if popcount(view.active) == 1 else w[ALL_PASS])


@kernel
def pass_value(view: Any, w: Any) -> float:
    """What passing is worth: raspas, or defending against somebody else's contract."""
    if view.bid >= 0:
        return w[DEFEND]
    if view.dummy >= 0:
        return _pass_value_of_two(view, w)
    chance = RASPAS_CHANCE[3 - popcount(view.active)]
    return _pass_value_with(view, w, sum_suits(w, view.hand, DUCK), chance)


@kernel
def discard_for(w: Any, hand: int, strain: int) -> tuple[int, float]:
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
def plan_discard(view: Any, w: Any, units: int) -> int:
    """The discard with the best contract after it, ``units`` quick tricks lying in the talon."""
    hand = view.hand
    allowed = TRICKS_MASK & ~((1 << view.bid) - 1)
    side = sum_suits(w, hand, PLAY_SUITS + SIDE)
    best = 0
    most = NEVER
    for strain in range(5):
        pair, loss = discard_for(w, hand, strain)
        tricks = count_tricks(w, hand, strain, view.mover, PLAY_SUITS, side) - loss
        _, price = _best_level(view, w, PLAY_PRICE + bucket_of(tricks), strain, allowed, units)
        if price > most:
            best = pair
            most = price
    return best


CLEAN = -1
"""Instead of a table of tricks: the chance that misère stays clean."""


@outline
def plan_ducking(w: Any, hand: int, table: int) -> int:
    """The two cards without which the fewest tricks are expected by a table (DUCK, MISERE_PLAY), or
    misère is the likeliest to stay clean (CLEAN)."""
    best = 0
    most = NEVER
    rest = hand
    while rest:
        one = rest & -rest
        rest ^= one
        others = rest
        while others:
            other = others & -others
            others ^= other
            left = hand ^ one ^ other
            worth = clean_chance(w, left) if table == CLEAN else -sum_suits(w, left, table)
            if worth > most:
                best = one | other
                most = worth
    return best


@kernel
def defence_effect(w: Any, hand: int, strain: int) -> float:
    """Tricks a declarer is expected to make above his level, against this defender's hand."""
    return _effect(w, hand, strain, DEFENCE_TRUMP, DEFENCE_SIDE)


@kernel
def blind_effect(w: Any, hand: int, strain: int) -> float:
    """The same at a blind whist."""
    return _effect(w, hand, strain, BLIND_TRUMP, BLIND_SIDE)


@kernel
def _effect(w: Any, hand: int, strain: int, trump: int, side: int) -> float:
    over = sum_suits(w, hand, side)
    if strain != NO_TRUMP:
        ranks = suit_ranks(hand, strain)
        over += w[trump + ranks] - w[side + ranks]
    return over
