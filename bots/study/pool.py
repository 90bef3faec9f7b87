"""What ``expert`` compares in the auction, at the whist and for the contract of the pool family."""

from __future__ import annotations

from typing import Any

from scoring.contract import N_STRAINS
from scoring.convention import MAX_PROGRESSION
from scoring.kernel import outline
from scoring.rules import lowest_bid
from scoring.sheet import MOST_DARK
from sim.standing import N_MADE

from ..api import (
    CALL_HALF,
    CALL_PASS,
    CALL_WHIST,
    CATCHES,
    CLOSED,
    CONCEDE,
    FIRST_BID,
    HOLD,
    MISERE,
    MISERE_WITHOUT,
    NINE_WITHOUT,
    NO_TRUMP,
    OPENED,
    PASS,
    PASSED,
    TRICKS_MASK,
    TRUST,
    WHISTED,
    WITHOUT_MASK,
    ctz,
    is_misere,
    kernel,
    msb,
    popcount,
    quick_tricks,
    suit_ranks,
)
from ..hand_tables import BUCKETS
from ..layout import (
    BID_SUITS,
    BOTH_PRICE,
    CONCEDE_PRICE,
    DEALER_GAIN,
    DEFENCE_SIDE,
    DEFEND,
    DUCK,
    EXPECTED_UNITS,
    FREE_PRICE,
    HALF_PRICE,
    LONE_PRICE,
    MISERE_FAILED,
    MISERE_MADE,
    PARTNER_PRICE,
    PLAIN,
    PLAY_PRICE,
    PLAY_SUITS,
    RASPAS_PLACE,
    RASPAS_PRICE,
    SIDE,
    TRUMP,
)
from ..prices import FORCED
from ..valuation import (
    NEVER,
    UNSEEN_TALON,
    best_price,
    best_without,
    bucket_of,
    count_tricks,
    defence_effect,
    misere_value,
    price_of,
    sum_suits,
    talon_cost,
)
from .misere import chance_as_it_is, chance_before_talon
from .rows import (
    AUCTION_ROW,
    BIDS,
    BIDS_MISERE,
    BIDS_WITHOUT,
    CATCH_ROW,
    CONTRACT_ROW,
    DEALER_ROW,
    GRAIN,
    N_AUCTION,
    N_CONTRACT,
    N_FEATURES,
    N_WHIST,
    OPEN_ROW,
    PASSES,
    STANDS,
    WHIST_AFTER_PASS,
    WHIST_AFTER_WHIST,
    WHIST_FIRST,
    WHIST_LONG,
    WHIST_OF_TWO,
    WHIST_RETURN,
    WHIST_ROW,
    note,
    note_more,
    note_standing_change,
)
from .standing import made_bid_change, made_play_change

_FIRST, _SECOND, _LONG = range(3)
"""Stages of the whist calls; the others are returns (``sim.whist``)."""


@kernel
def made_six(w: Any) -> float:
    """The unit of features that count tricks: the price of a six that cannot fail."""
    return w[PLAY_PRICE + BUCKETS - 1]


@kernel
def raspas_price(view: Any, w: Any) -> float:
    """Whists of raspas now, by the tricks the hand promises there."""
    tricks = sum_suits(w, view.hand, DUCK) + w[RASPAS_PLACE + view.mover]
    row = min(view.raspas_index, MAX_PROGRESSION - 1)
    if view.dark == 1:
        row += min(view.dark_row + 1, MOST_DARK) * MAX_PROGRESSION
    return w[RASPAS_PRICE + row * BUCKETS + bucket_of(tricks)]


@kernel
def _most_tricks(view: Any, w: Any) -> float:
    """Tricks expected in the best strain, before the talon."""
    side = sum_suits(w, view.hand, BID_SUITS + SIDE)
    most = 0.0
    for strain in range(N_STRAINS):
        most = max(most, count_tricks(w, view.hand, strain, view.mover, BID_SUITS, side))
    return most


@kernel
def _auction_context(view: Any) -> int:
    active = popcount(view.active)
    if view.bid < 0:
        return 3 - active
    level = 5 if is_misere(view.bid) else (4 if view.bid > 24 else view.bid // N_STRAINS)
    bid_before = 1 if view.last_bid[view.mover] >= 0 else 0
    return 3 + 4 * level + 2 * bid_before + (1 if active == 3 else 0)


@kernel
def _multiplier(view: Any) -> int:
    """What multiplies all that comes of a contract of one's own: bombs and a mark (ёлочка)."""
    tree = 1 if view.fir_trees[view.player] > 0 else 0
    return 1 << (view.bombs[view.player] + tree)


@kernel
def _misere_chance(view: Any, w: Any, first: int, with_talon: bool) -> float:
    """Chance of a clean misère, with the talon or with the cards as they are."""
    if with_talon:
        return chance_before_talon(w, first, view.hand, view.mover)
    return chance_as_it_is(w, first, view.hand, view.mover)


@outline
def _misere_worth(view: Any, w: Any, chance: float, with_talon: bool) -> float:
    """What misère is worth; with two players by the tricks expected."""
    if view.dummy >= 0:
        return misere_value(view, w, with_talon)
    value = chance * w[MISERE_MADE] + (1.0 - chance) * w[MISERE_FAILED]
    return value - EXPECTED_UNITS * talon_cost(view, w, 5) if with_talon else value


@outline
def study_call(view: Any, w: Any, first: int, changes: Any, out: Any) -> None:
    """Pass; the lowest bid, or a hold, by the best contract that may follow; misère; a bid without
    the talon."""
    row = AUCTION_ROW + N_AUCTION * _auction_context(view)
    unit = made_six(w)
    bids = view.legal >> FIRST_BID
    held = 1 << view.bid if view.legal >> HOLD & 1 else 0
    tricks_bids = bids & TRICKS_MASK
    allowed = held & TRICKS_MASK
    if tricks_bids:
        allowed |= view.rules.bids_above[view.bid + 1] & TRICKS_MASK & -(1 << ctz(tricks_bids))
    times = _multiplier(view)
    most = _most_tricks(view, w)
    tricks = (most - 6.0) * unit
    against = -sum_suits(w, view.hand, DEFENCE_SIDE) * unit
    raspas = raspas_price(view, w) if view.bid < 0 else 0.0
    own = -2.0 * unit
    code = 0
    if allowed:
        code, price = best_price(view, w, allowed, UNSEEN_TALON)
        own = max(own, times * price)
    note(out, PASS, row + PASSES, unit, w[DEFEND], raspas, tricks, against)
    note_more(out, own, max(own, 0.0))
    if allowed:
        call = HOLD if held & TRICKS_MASK else FIRST_BID + ctz(tricks_bids)
        note(out, call, row + BIDS, unit, own, max(own, 0.0), tricks, against)
        note_more(out, raspas, 0.0)
        note_standing_change(out, made_bid_change(w, first, changes, code, most))
    if bids >> MISERE & 1:
        chance = _misere_chance(view, w, first, True)
        value = times * _misere_worth(view, w, chance, True)
        note(out, FIRST_BID + MISERE, row + BIDS_MISERE, unit, value, max(value, 0.0), own, raspas)
        note_standing_change(out, int(changes[N_MADE - 1] * chance))
    _study_without(view, w, first, out, row + BIDS_WITHOUT, times)


@kernel
def _study_without(view: Any, w: Any, first: int, out: Any, row: int, times: int) -> None:
    """Bids without the talon: to outbid alone, for with it one may lay it away again."""
    unit = made_six(w)
    bids = view.legal >> FIRST_BID
    held = 1 << view.bid if view.legal >> HOLD & 1 else 0
    if bids >> MISERE_WITHOUT & 1 and not bids >> MISERE & 1:
        value = times * _misere_worth(view, w, _misere_chance(view, w, first, False), False)
        note(out, FIRST_BID + MISERE_WITHOUT, row, unit, value, max(value, 0.0), 0.0, 0.0)
    above = view.rules.bids_above[view.bid + 1] & view.rules.bids_from_level[view.min_level - 6]
    above = (above | held) & WITHOUT_MASK & ~(1 << MISERE_WITHOUT)
    lowest = lowest_bid(view.rules, bids & WITHOUT_MASK & ~(1 << MISERE_WITHOUT))
    call = HOLD if held & WITHOUT_MASK else FIRST_BID + lowest
    if above and (lowest >= 0 or held & WITHOUT_MASK):
        value = times * best_without(view, w, above)[1]
        note(out, call, row, unit, value, max(value, 0.0), 0.0, 0.0)


@kernel
def _whist_kind(view: Any) -> int:
    if view.dummy >= 0:
        return WHIST_OF_TWO
    if view.whist_stage == _FIRST:
        return WHIST_FIRST
    if view.whist_stage == _LONG:
        return WHIST_LONG
    if view.whist_stage != _SECOND:
        return WHIST_RETURN
    partner = view.whist_call[3 - view.declarer - view.mover]
    return WHIST_AFTER_WHIST if partner == WHISTED else WHIST_AFTER_PASS


@outline
def study_whist(view: Any, w: Any, out: Any) -> None:
    """Pass, whist, half-whist by what each way to defend is worth with the tricks expected."""
    kind = _whist_kind(view)
    level = view.level
    row = WHIST_ROW + (5 * kind + level - 6) * N_WHIST
    unit = made_six(w)
    over = defence_effect(w, view.hand, view.strain)
    tricks = level + over
    excess = over * unit
    lone = price_of(w, LONE_PRICE, level, tricks)
    partner = price_of(w, PARTNER_PRICE, level, tricks)
    both = price_of(w, BOTH_PRICE, level, tricks)
    free = price_of(w, FREE_PRICE, level, tricks)
    if view.legal >> CALL_PASS & 1:
        note(out, CALL_PASS, row, unit, free, partner, excess, 0.0)
    note(out, CALL_WHIST, row + 1, unit, lone, both, excess, min(excess, 0.0))
    note_more(out, partner if view.dummy >= 0 else 0.0, min(excess + unit, 0.0))
    if view.legal >> CALL_HALF & 1:
        half = price_of(w, HALF_PRICE, level, tricks)
        note(out, CALL_HALF, row + 2, unit, half, free, excess, 0.0)


@outline
def study_open(view: Any, w: Any, out: Any) -> None:
    """Closed or open, by what a lone whist is worth; with two players closed is blind."""
    row = OPEN_ROW + 2 * (view.level - 6) + (10 if view.dummy >= 0 else 0)
    unit = made_six(w)
    hand = view.hand | view.played_by[view.mover]
    over = defence_effect(w, hand, view.strain)
    lone = price_of(w, LONE_PRICE, view.level, view.level + over)
    blind = price_of(w, PARTNER_PRICE, view.level, view.level + over)
    note(out, CLOSED, row, unit, lone, blind, over * unit, 0.0)
    note(out, OPENED, row + 1, unit, lone, blind, over * unit, 0.0)


@outline
def study_catch(view: Any, w: Any, out: Any) -> None:
    """Trust, or catch: who has more of the low cards that make the plan."""
    second = view.mover == (2 if view.declarer == 0 else view.declarer - 1)
    row = CATCH_ROW + (2 if second else 0)
    unit = made_six(w)
    low = (popcount(view.hand & 0x03030303) - 2.5) * unit
    note(out, TRUST, row, unit, low, 0.0, 0.0, 0.0)
    note(out, CATCHES, row + 1, unit, low, 0.0, 0.0, 0.0)


@outline
def study_dealer_whist(view: Any, w: Any, out: Any) -> None:
    """The sitting-out dealer leaves the contract, or whists with a hand that has passed."""
    row = DEALER_ROW + 3 * (view.level - 6)
    unit = made_six(w)
    gain = w[DEALER_GAIN + view.level - 6]
    first = 0 if view.declarer == 2 else view.declarer + 1
    second = 3 - view.declarer - first
    half = (1.0 if view.whist_call[first] != PASSED else 0.0) * unit
    bid = (1.0 if view.last_bid[second] > view.last_bid[first] else 0.0) * unit
    note(out, CALL_PASS, row, unit, half, bid, 0.0, 0.0)
    note(out, 1, row + 1, unit, half, bid, gain, 0.0)
    note(out, 2, row + 2, unit, half, bid, gain, 0.0)


@kernel
def _contract_row(view: Any, level: int) -> int:
    return CONTRACT_ROW + N_CONTRACT * view.declarer + level - 6


@kernel
def _contract_price(view: Any, w: Any, code: int, tricks: float, units: int) -> float:
    """The price of a contract (0..24) with the tricks expected."""
    level = 6 + code // N_STRAINS
    table = FORCED if code == 0 else level - 6
    price = w[PLAY_PRICE + table * BUCKETS + bucket_of(tricks)]
    if units > 0:
        price -= units * talon_cost(view, w, level - 6)
    return price


@kernel
def contract_value(
    view: Any, w: Any, first: int, changes: Any, code: int, tricks: float, units: int
) -> float:
    """What a contract is worth by the environment at ``first``, as :func:`study_contract` notes
    it."""
    level = 6 + code // N_STRAINS
    unit = made_six(w)
    price = _contract_price(view, w, code, tricks, units)
    over = tricks - level
    place = first + _contract_row(view, level) * N_FEATURES
    value = w[place] * unit + w[place + 1] * price
    value += w[place + STANDS] * made_play_change(w, first, changes, code, tricks) / GRAIN
    return value + (w[place + 2] * over + w[place + 3] * min(over, 0.0)) * unit


@kernel
def _from_the_top(ranks: int) -> tuple[int, bool]:
    """Tricks that a suit led from its top is sure of, and whether it draws all others' cards."""
    held = popcount(ranks)
    top = 7 - msb(~ranks & 255)
    draws = top >= 8 - held
    return held if draws else top, draws


@outline
def sure_tricks(hand: int, strain: int) -> int:
    """Tricks that cannot be lost by who leads first: trumps that draw all others, suits from the
    top."""
    total = 0
    for suit in range(4):
        sure, draws = _from_the_top(suit_ranks(hand, suit))
        if suit == strain and not draws:
            return sure
        total += sure
    return total


@kernel
def expected_tricks(view: Any, w: Any, hand: int, strain: int, side: float) -> float:
    """Tricks expected of ten cards that are played, at least those that are sure."""
    tricks = count_tricks(w, hand, strain, view.mover, PLAY_SUITS, side)
    return max(tricks, 1.0 * sure_tricks(hand, strain)) if view.mover == 0 else tricks


@kernel
def _best_of_level(
    view: Any, w: Any, level: int, allowed: int, units: int, down: int
) -> tuple[int, float]:
    """The dearest contract of a level, and its tricks; -1 if none is allowed."""
    best = -1
    most = NEVER
    found = 0.0
    side = sum_suits(w, view.hand, PLAY_SUITS + SIDE)
    for strain in range(N_STRAINS):
        code = N_STRAINS * (level - 6) + strain
        if allowed >> (code + down) & 1:
            tricks = expected_tricks(view, w, view.hand, strain, side)
            price = _contract_price(view, w, code, tricks, units) + 0.001 * tricks
            if price > most:
                best = code
                most = price
                found = tricks
    return best, found


@outline
def study_contract(view: Any, w: Any, first: int, changes: Any, out: Any) -> None:
    """The best contract of each level, and the concession."""
    unit = made_six(w)
    down = NINE_WITHOUT - 15 if view.without_talon == 1 else 0
    units = 0 if view.without_talon == 1 else quick_tricks(view.talon)
    for level in range(6, 11):
        code, tricks = _best_of_level(view, w, level, view.legal, units, down)
        if code >= 0:
            price = _contract_price(view, w, code, tricks, units)
            over = (tricks - level) * unit
            row = _contract_row(view, level)
            note(out, code + down, row, unit, price, over, min(over, 0.0), 0.0)
            note_standing_change(out, made_play_change(w, first, changes, code, tricks))
    if view.legal >> CONCEDE & 1:
        row = view.bid // N_STRAINS
        price = w[CONCEDE_PRICE + row] - units * talon_cost(view, w, row)
        note(out, CONCEDE, _contract_row(view, 11), unit, price, 0.0, 0.0, 0.0)


@kernel
def _table_for(strain: int, suit: int) -> int:
    if strain == NO_TRUMP:
        return PLAY_SUITS + PLAIN
    return PLAY_SUITS + (TRUMP if strain == suit else SIDE)


@outline
def cheapest_pair(w: Any, hand: int, strain: int) -> tuple[int, float]:
    """The two cards, of all 66 pairs, that cost the fewest tricks in a strain, and that cost."""
    first = second = double = 0
    first_loss = second_loss = double_loss = 1e9
    for suit in range(4):
        ranks = suit_ranks(hand, suit)
        table = _table_for(strain, suit)
        full = w[table + ranks]
        one = 0
        one_loss = 1e9
        rest = ranks
        while rest:
            card = rest & -rest
            rest ^= card
            loss = full - w[table + (ranks ^ card)]
            if loss < one_loss:
                one = card
                one_loss = loss
            more = rest
            while more:
                other = more & -more
                more ^= other
                loss = full - w[table + (ranks ^ card ^ other)]
                if loss < double_loss:
                    double = (card | other) << 8 * suit
                    double_loss = loss
        if one_loss < first_loss:
            second = first
            second_loss = first_loss
            first = one << 8 * suit
            first_loss = one_loss
        elif one_loss < second_loss:
            second = one << 8 * suit
            second_loss = one_loss
    if first_loss + second_loss < double_loss:
        return first | second, first_loss + second_loss
    return double, double_loss


@outline
def best_pair(view: Any, w: Any, first: int, changes: Any) -> int:
    """The discard with the most valuable contract after it, by the environment at ``first``."""
    hand = view.hand
    allowed = TRICKS_MASK & (view.rules.bids_above[view.bid + 1] | 1 << view.bid)
    units = quick_tricks(view.talon)
    best = 0
    most = NEVER
    for strain in range(N_STRAINS):
        pair = cheapest_pair(w, hand, strain)[0]
        ten = hand & ~pair
        tricks = expected_tricks(view, w, ten, strain, sum_suits(w, ten, PLAY_SUITS + SIDE))
        for code in range(strain, 25, N_STRAINS):
            if allowed >> code & 1:
                value = (
                    contract_value(view, w, first, changes, code, tricks, units) + 0.001 * tricks
                )
                if value > most:
                    best = pair
                    most = value
    return best
