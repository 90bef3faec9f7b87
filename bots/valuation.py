"""What a hand is worth to ``cautious``: expected tricks, chances and prices, and what to lay away.

Hands are counted suit by suit with the fitted tables of ``hand_tables``; what the result is worth
comes from ``prices``. Both lie one after the other in the bot's weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

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
from .hand_tables import BUCKETS, N_MASKS, catch_table, fitted_tables
from .prices import (
    DARK_LEVELS,
    FORCED,
    Defence,
    concession_prices,
    declarer_prices,
    defence_prices,
    misere_prices,
    mountain_gains,
    raspas_prices,
    talon_costs,
)

DECLARER_OVER = 0.4
"""Tricks a declarer is expected to make above his contract, against an average defence."""
RASPAS_CHANCE = (0.25, 0.4, 1.0)
"""Chance that all pass if I pass, by the number of players who have passed."""
CAUGHT_TRICKS = 2
UNWHISTED = (0.3, 0.3, 0.5, 0.7, 0.9)
"""Chance that nobody whists, by level: what a club player has learned to expect."""
EXPECTED_UNITS = 138 / 496
"""Quick tricks in a talon not yet seen."""

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
"""Fitted tables in the order of the weights; CAUGHT follows them."""
(PLAY_SUITS, _, _, BID_SUITS, _, _, DUCK, DEFENCE_TRUMP, DEFENCE_SIDE, PLAY_POSITION) = (
    N_MASKS * k for k in range(10)
)
BID_POSITION = PLAY_POSITION + 6
CAUGHT = BID_POSITION + 6
TRUMP, SIDE, PLAIN = (N_MASKS * k for k in range(3))
"""Offsets within the three tables at PLAY_SUITS and BID_SUITS: trumps, side suit, at no trump."""
_TABLE = 5 * BUCKETS
_DECLARER_TABLE = _TABLE + BUCKETS
PLAY_PRICE = CAUGHT + N_MASKS
BID_PRICE = PLAY_PRICE + _DECLARER_TABLE
"""Prices of a declarer who knows the talon; of one who does not, and of such a one who deals."""
LONE_PRICE = BID_PRICE + 2 * _DECLARER_TABLE
PARTNER_PRICE, BOTH_PRICE, FREE_PRICE, HALF_PRICE, RASPAS_PRICE = (
    LONE_PRICE + _TABLE * k for k in range(1, 6)
)
CONCEDE_PRICE = RASPAS_PRICE + DARK_LEVELS * MAX_PROGRESSION * BUCKETS
DEALER_GAIN = CONCEDE_PRICE + 5
MOUNTAIN_GAIN = DEALER_GAIN + 5
TALON_COST = MOUNTAIN_GAIN + 6
MISERE_MADE = TALON_COST + 12
MISERE_FAILED = MISERE_MADE + 1
DEFEND = MISERE_FAILED + 1
BIAS = DEFEND + 1

NEVER = -1e9
UNSEEN_TALON = -1
"""Quick tricks of a talon that is still to be taken."""


def make_weights(rules: np.ndarray[Any, Any], options: Mapping[str, float]) -> Any:
    """Suit tables (tricks), then the variant's prices (whists), in the order of the offsets."""
    fitted = fitted_tables()
    bid, play, raspas = (
        fitted[f"{name}_outcome"].reshape(BUCKETS, 11) for name in ("bid", "play", "raspas")
    )
    defence = defence_prices(rules, fitted)
    costs = talon_costs(rules)
    before = declarer_prices(rules, bid, UNWHISTED, defence.dealer_gains)
    parts = [
        *(fitted[name] for name in TABLES),
        catch_table(),
        declarer_prices(rules, play, UNWHISTED, defence.dealer_gains),
        *(before - EXPECTED_UNITS * cost[[*range(5), 0], None] for cost in costs),
        defence.lone,
        defence.partner,
        defence.both,
        defence.free,
        defence.half,
        raspas_prices(rules, raspas, fitted["dealer_raspas"]),
        concession_prices(rules),
        defence.dealer_gains,
        mountain_gains(rules),
        costs,
        misere_prices(rules, CAUGHT_TRICKS),
        np.array([_defending(defence), options["bias"]]),
    ]
    return np.concatenate([part.ravel() for part in parts])


def _defending(defence: Defence) -> float:
    """Value of defending against a usual six, whisted by both or left alone."""
    usual = int(4 * (6 + DECLARER_OVER))
    alone = UNWHISTED[0]
    return float((1 - alone) * defence.both[0, usual] + alone * defence.free[0, usual])


@kernel
def _bucket(tricks: float) -> int:
    return min(BUCKETS - 1, max(0, int(tricks * 4 + 0.5)))


@kernel
def price_of(w: Any, table: int, level: int, tricks: float) -> float:
    """The price in a table of a contract in which the declarer is expected to take so many."""
    return w[table + (level - 6) * BUCKETS + _bucket(tricks)]


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
    return BID_PRICE + (_DECLARER_TABLE if _declarer_deals(view) else 0)


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
        bucket = _bucket(count_tricks(w, view.hand, strain, view.mover, suits, side))
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
        bucket = _bucket(count_tricks(w, view.hand, strain, view.mover, BID_SUITS, side))
        code = 20 + strain
        while code > best:
            if allowed >> code & 1 and w[table + code // 5 * BUCKETS + bucket] > floor:
                best = code
            code -= 5
    if best == 0:
        tricks = count_tricks(w, view.hand, 0, view.mover, BID_SUITS, side)
        if w[table + FORCED * BUCKETS + _bucket(tricks)] <= floor:
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


@kernel
def misere_value(view: Any, w: Any, with_talon: bool) -> float:
    """What bidding misère is worth."""
    chance = misere_chance(w, view.hand, with_talon)
    value = chance * w[MISERE_MADE] + (1.0 - chance) * w[MISERE_FAILED]
    if with_talon:
        value -= EXPECTED_UNITS * talon_cost(view, w, 5)
    return value


@kernel
def pass_value(view: Any, w: Any) -> float:
    """What passing is worth: raspas, or defending against somebody else's contract."""
    if view.bid >= 0:
        return w[DEFEND]
    bucket = _bucket(sum_suits(w, view.hand, DUCK))
    row = min(view.raspas_index, MAX_PROGRESSION - 1)
    if view.dark == 1:
        row += min(view.dark_row + 1, MOST_DARK) * MAX_PROGRESSION
    chance = RASPAS_CHANCE[3 - popcount(view.active)]
    return chance * w[RASPAS_PRICE + row * BUCKETS + bucket] + (1.0 - chance) * w[DEFEND]


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
        _, price = _best_level(view, w, PLAY_PRICE + _bucket(tricks), strain, allowed, units)
        if price > most:
            best = pair
            most = price
    return best


@outline
def plan_ducking(w: Any, hand: int, at_misere: bool) -> int:
    """The two cards without which misère is the likeliest to stay clean, or at raspas the fewest
    tricks are expected."""
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
            worth = clean_chance(w, left) if at_misere else -sum_suits(w, left, DUCK)
            if worth > most:
                best = one | other
                most = worth
    return best


@kernel
def defence_effect(w: Any, hand: int, strain: int) -> float:
    """Tricks a declarer is expected to make above his level, against this defender's hand."""
    over = sum_suits(w, hand, DEFENCE_SIDE)
    if strain != NO_TRUMP:
        ranks = suit_ranks(hand, strain)
        over += w[DEFENCE_TRUMP + ranks] - w[DEFENCE_SIDE + ranks]
    return over
