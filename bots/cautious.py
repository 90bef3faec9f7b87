"""A careful club player by rules of thumb.

He counts sure and likely tricks suit by suit, and takes the values of results from the variant's
own scorer when he is seated, so that a dearer raspas makes thin sixes worth bidding.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.kernel import outline
from scoring.rules import lowest_bid

from .api import (
    AUCTION,
    BIDDING,
    CALL_FIRST_HAND,
    CALL_HALF,
    CALL_PASS,
    CALL_SECOND_HAND,
    CALL_WHIST,
    CARD,
    CATCH,
    CATCHES,
    COME,
    CONCEDE,
    CONTRA,
    CONTRACT,
    DARK,
    DEALER_WHIST,
    DISCARD,
    FIRST_BID,
    HALF_WHISTED,
    HOLD,
    LOOK,
    MISERE,
    MISERE_GAME,
    MISERE_WITHOUT,
    OFF_MOUNTAIN,
    OPEN,
    PASS,
    PASS_ALONG,
    POINTS,
    RAZBOINIK,
    REFET,
    REFUSE,
    ROW,
    SUIT,
    TO_POOL,
    TRICKS_MASK,
    TRUST,
    WHIST,
    WHISTED,
    WITHOUT_MASK,
    bot,
    ctz,
    kernel,
    popcount,
    quick_tricks,
)
from .club_play import ALL_HANDS, cards_in_doubt, choose_card
from .defence_two import choose_open, choose_whist_of_two
from .layout import (
    BIAS,
    BOTH_PRICE,
    CONCEDE_PRICE,
    DEALER_GAIN,
    DUCK,
    FREE_PRICE,
    HALF_PRICE,
    LONE_PRICE,
    MISERE_PLAY,
    MOUNTAIN_GAIN,
    PARTNER_PRICE,
    make_weights,
)
from .prices import Rules, convention
from .refet_choice import choose_bid, choose_game_suit, choose_refet_contract, plan_refet_discard
from .refet_follow import choose_come, choose_contra
from .refet_layout import refet_weights
from .row_choice import choose_row, choose_row_contract, plan_row_discard
from .valuation import (
    CLEAN,
    NEVER,
    UNSEEN_TALON,
    best_price,
    best_without,
    defence_effect,
    highest_worth,
    misere_value,
    pass_value,
    plan_discard,
    plan_ducking,
    price_of,
    talon_cost,
)

PLANNED, GUESSED, GUESSED_AT, N_MEMORY = range(4)
"""Words of memory: two cards to lay away; two that a declarer of misère may have laid away, and
the deal (counted from 1) of that guess."""

_LOW_CARDS = 0x03030303
"""Sevens and eights."""
_USUAL_LOW = 2.5
"""Sevens and eights in a hand of ten, on the average."""


@kernel
def _held(view: Any) -> int:
    """Mask of the standing bid where it may be held."""
    return 1 << view.bid if view.legal >> HOLD & 1 else 0


@outline
def _call_without(view: Any, w: Any, bids: int, floor: float) -> int:
    """The call where no bid with the talon is worth it: a bid without the talon, or pass.

    With the talon one may always lay it away again, so this is for outbidding alone.
    """
    if bids >> MISERE_WITHOUT & 1 and not bids >> MISERE & 1:
        if misere_value(view, w, False) > floor:
            return FIRST_BID + MISERE_WITHOUT
    above = view.rules.bids_above[view.bid + 1] & view.rules.bids_from_level[view.min_level - 6]
    above = (above | _held(view)) & WITHOUT_MASK
    if above and best_without(view, w, above)[1] > floor:
        if _held(view) & WITHOUT_MASK:
            return HOLD
        lowest = lowest_bid(view.rules, bids & WITHOUT_MASK)
        if lowest >= 0:
            return FIRST_BID + lowest
    return PASS


@kernel
def _choose_call(view: Any, w: Any) -> int:
    """The lowest step while the hand is worth more than passing; misère on safe suits.

    What may be played is every contract above the standing bid, also where jumps are not allowed.
    A bomb and a mark of raspas (ёлочка) multiply all that comes of his own contract.
    """
    bids = view.legal >> FIRST_BID
    held = _held(view)
    tricks_bids = bids & TRICKS_MASK
    tree = 1 if view.fir_trees[view.player] > 0 else 0
    floor = (pass_value(view, w) - w[BIAS]) / (1 << (view.bombs[view.player] + tree))
    allowed = held & TRICKS_MASK
    if tricks_bids:
        allowed |= view.rules.bids_above[view.bid + 1] & TRICKS_MASK & -(1 << ctz(tricks_bids))
    if bids >> MISERE & 1:
        value = misere_value(view, w, True)
        if value > floor and value > best_price(view, w, allowed, UNSEEN_TALON)[1]:
            return FIRST_BID + MISERE
    if highest_worth(view, w, allowed, floor) >= 0:
        return HOLD if held & TRICKS_MASK else FIRST_BID + ctz(tricks_bids)
    if (bids | held) >> MISERE_WITHOUT:
        return _call_without(view, w, bids, floor)
    return PASS


@kernel
def _misere_table(view: Any) -> int:
    """What a declarer of misère lays away by."""
    return MISERE_PLAY if view.dummy >= 0 else CLEAN


@kernel
def _choose_discard(view: Any, own: Any) -> int:
    """Plan the pair at the first card, keep it for the second."""
    if view.discard == 0:
        plan = 0
        if view.rules.family == RAZBOINIK:
            plan = plan_row_discard(view, own.weights)
        elif view.rules.family == REFET:
            plan = plan_refet_discard(view, own.weights)
        elif view.phase == PASS_ALONG:
            plan = plan_ducking(own.weights, view.hand, DUCK)
        elif view.kind == MISERE_GAME:
            plan = plan_ducking(own.weights, view.hand, _misere_table(view))
        else:
            plan = plan_discard(view, own.weights, quick_tricks(view.talon))
        own.memory[PLANNED] = plan
    planned = own.memory[PLANNED] & view.legal
    return ctz(planned if planned else view.legal)


@kernel
def _choose_contract(view: Any, w: Any) -> int:
    """The contract with the best price, or the concession where it costs less."""
    if view.rules.family == RAZBOINIK:
        return choose_row_contract(view, w)
    if view.rules.family == REFET:
        return choose_refet_contract(view, w)
    if view.without_talon == 1:
        return best_without(view, w, view.legal)[0]
    units = quick_tricks(view.talon)
    code, price = best_price(view, w, view.legal & TRICKS_MASK, units)
    if view.legal >> CONCEDE & 1:
        row = view.bid // 5
        if w[CONCEDE_PRICE + row] - units * talon_cost(view, w, row) > price:
            return CONCEDE
    return code


@kernel
def _choose_whist(view: Any, w: Any) -> int:
    """Whist, half-whist or pass by what each is worth with the tricks expected."""
    if view.dummy >= 0:
        return choose_whist_of_two(view, w)
    tricks = view.level + defence_effect(w, view.hand, view.strain)
    partner = view.whist_call[3 - view.declarer - view.mover]
    with_partner = partner == WHISTED
    best = CALL_PASS
    price = price_of(w, PARTNER_PRICE if with_partner else FREE_PRICE, view.level, tricks)
    if not view.legal >> CALL_PASS & 1:
        price = NEVER
    whist = price_of(w, BOTH_PRICE if with_partner else LONE_PRICE, view.level, tricks)
    if whist > price:
        best = CALL_WHIST
        price = whist
    if view.legal >> CALL_HALF & 1:
        if price_of(w, HALF_PRICE, view.level, tricks) > price:
            best = CALL_HALF
    return best


@kernel
def _choose_dealer_whist(view: Any, w: Any) -> int:
    """Whist where it is worth more than leaving the contract, with the hand that promises more.

    That is one that said half-whist, else one that bid higher, else the first defender's: he
    passed while the other could still whist.
    """
    if w[DEALER_GAIN + view.level - 6] <= 0:
        return CALL_PASS
    first = 0 if view.declarer == 2 else view.declarer + 1
    second = 3 - view.declarer - first
    if view.whist_call[first] == HALF_WHISTED:
        return CALL_FIRST_HAND
    if view.whist_call[second] == HALF_WHISTED or view.last_bid[second] > view.last_bid[first]:
        return CALL_SECOND_HAND
    return CALL_FIRST_HAND


@kernel
def _choose_catch(view: Any) -> int:
    """Catch with more than the usual number of low cards, they make the plan; the second trusts
    one who catches: one plan for both hands."""
    second = view.mover == (2 if view.declarer == 0 else view.declarer - 1)
    if second:
        return TRUST
    return CATCHES if popcount(view.hand & _LOW_CARDS) > _USUAL_LOW else TRUST


@kernel
def _choose_points(view: Any, w: Any) -> int:
    """Where the points are worth more."""
    row = 5 if view.kind == MISERE_GAME else view.level - 6
    return OFF_MOUNTAIN if w[MOUNTAIN_GAIN + row] > 0 else TO_POOL


@outline
def laid_away(view: Any, own: Any) -> int:
    """The discard that a defender who sees both hands expects of a declarer of misère.

    His twelve cards are known then: he will have laid away what one would oneself.
    """
    if view.talon == 0 or view.in_play != ALL_HANDS:
        return 0
    if own.memory[GUESSED_AT] != view.deal + 1:
        twelve = cards_in_doubt(view)
        if popcount(twelve) > 12:
            return 0
        own.memory[GUESSED] = plan_ducking(own.weights, twelve, _misere_table(view))
        own.memory[GUESSED_AT] = view.deal + 1
    return own.memory[GUESSED] & ~view.played


@kernel
def decide(view: Any, own: Any) -> int:
    """The decision of ``cautious`` in any phase."""
    phase = view.phase
    if phase == CARD:
        seen = view.kind == MISERE_GAME and view.mover != view.declarer
        return choose_card(view, laid_away(view, own) if seen else 0)
    if phase == AUCTION:
        return _choose_call(view, own.weights)
    if phase == DISCARD or phase == PASS_ALONG:
        return _choose_discard(view, own)
    if phase == CONTRACT:
        return _choose_contract(view, own.weights)
    if phase == WHIST:
        return _choose_whist(view, own.weights)
    return _choose_seldom(view, own.weights)


@outline
def _choose_seldom(view: Any, w: Any) -> int:
    """The phases that few variants have.

    Before the cards are seen raspas and an ordinary deal are worth the same to both sides, so a
    player who trusts his bidding does not agree to raspas; nor does he pass in the dark.
    """
    phase = view.phase
    if phase == BIDDING:
        return choose_bid(view, w)
    if phase == COME:
        return choose_come(view, w)
    if phase == CONTRA:
        return choose_contra(view, w)
    if phase == SUIT:
        return choose_game_suit(view, w)
    if phase == OPEN:
        return choose_open(view, w)
    if phase == ROW:
        return choose_row(view, w)
    if phase == DEALER_WHIST:
        return _choose_dealer_whist(view, w)
    if phase == CATCH:
        return _choose_catch(view)
    if phase == POINTS:
        return _choose_points(view, w)
    return LOOK if phase == DARK else REFUSE


def seat_weights(rules: Rules, options: Mapping[str, float]) -> Any:
    """The weights for whatever game is played."""
    if convention(rules, "family") == REFET:
        return refet_weights(rules, options)
    return make_weights(rules, options)


@bot(memory=N_MEMORY, options={"bias": 0.0}, weights=seat_weights)
def cautious(view: Any, own: Any) -> int:
    """Rule-of-thumb club player; option bias = whists added to the value of bidding."""
    return decide(view, own)
