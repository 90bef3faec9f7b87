"""The refet game for ``cautious``: what to bid, lay away and name.

A call is worth what the best contract is that may still be named then; it is compared with letting
the others bid.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import BETL, PREFERANS, REFET_SPADES, SANS, refet_strain
from scoring.kernel import outline
from scoring.refet import plays_on_refet

from .api import (
    GAME_BETL,
    GAME_CALL,
    GAME_PREFERANS,
    HOLD,
    PASS,
    ctz,
    kernel,
    popcount,
)
from .layout import BID_SUITS, PLAY_SUITS, SIDE
from .refet_layout import ALL_PASS, BETL_PLAY, DEFENDING, OUTBID, REFET_BIAS, REFET_WORTH
from .refet_value import (
    SUITS,
    best_contract,
    betl_worth,
    contract_worth,
    usual_defence,
)
from .valuation import NEVER, count_tricks, discard_for, plan_ducking, sum_suits


@kernel
def refet_cost(view: Any, w: Any) -> float:
    """What it costs that a refet is crossed off, which would have doubled a later contract."""
    return w[REFET_WORTH] if plays_on_refet(view.rules, view, view.player) else 0.0


@kernel
def defending_worth(view: Any, w: Any) -> float:
    """What the others' contract is worth, dearer where the highest bidder has a refet."""
    value = w[DEFENDING + usual_defence(w, view.hand)]
    if view.bidder >= 0 and plays_on_refet(view.rules, view, view.player_of[view.bidder]):
        value += value
    return value


@kernel
def passing_worth(view: Any, w: Any) -> float:
    """What passing is worth: the others' contract, or nothing if all pass."""
    value = defending_worth(view, w)
    if view.bid < 0:
        value -= value * w[ALL_PASS + 3 - popcount(view.active)]
    return value


@outline
def _best_game(view: Any, w: Any) -> tuple[int, float]:
    """The game from the hand that may be called and is worth most, and how much."""
    best = PASS
    most = NEVER
    for call in range(GAME_CALL, GAME_PREFERANS + 1):
        if not view.legal >> call & 1:
            continue
        bases = SUITS if call == GAME_CALL else 1 << BETL + call - GAME_BETL
        value = best_contract(view, w, view.hand, PLAY_SUITS, bases, 1)[1]
        if value > most:
            best = call
            most = value
    return best, most


@kernel
def at_least(view: Any, base: int) -> int:
    """Mask of the contracts from a number up."""
    highest = PREFERANS if view.rules.bidding_preferans == 1 else SANS
    return (1 << highest + 1) - (1 << base)


@outline
def choose_bid(view: Any, w: Any) -> int:
    """The lowest number while the hand is worth more than passing, or a game from the hand.

    Who bids a number may still be outbid, who calls a game hardly.
    """
    floor = passing_worth(view, w) + refet_cost(view, w) - w[REFET_BIAS]
    numbers = view.legal & ~(1 << PASS) & (1 << GAME_CALL) - 1
    best = PASS
    most = floor
    if numbers:
        call = ctz(numbers)
        lowest = view.bid if call == HOLD else call
        value = best_contract(view, w, view.hand, BID_SUITS, at_least(view, lowest), 0)[1]
        if value > floor:
            best = call
            most = value - w[OUTBID] * (value - floor)
    game, value = _best_game(view, w)
    return game if value > most else best


@outline
def choose_game_suit(view: Any, w: Any) -> int:
    """The suit of a game that is worth most, or «yours is better»."""
    suit, value = best_contract(view, w, view.hand, PLAY_SUITS, view.legal & SUITS, 1)
    if view.legal >> PASS & 1 and value < defending_worth(view, w) + refet_cost(view, w):
        return PASS
    return suit


@outline
def plan_refet_discard(view: Any, w: Any) -> int:
    """The two cards to lay away: those of the contract that is worth most after it."""
    twelve = view.hand
    allowed = at_least(view, view.bid)
    side = sum_suits(w, twelve, PLAY_SUITS + SIDE)
    best = 0
    most = NEVER
    for base in range(REFET_SPADES, PREFERANS + 1):
        if not allowed >> base & 1:
            continue
        if base == BETL:
            pair = plan_ducking(w, twelve, BETL_PLAY)
            value = betl_worth(view, w, twelve & ~pair, PLAY_SUITS, 0)
        else:
            strain = refet_strain(base)
            pair, loss = discard_for(w, twelve, strain)
            tricks = count_tricks(w, twelve, strain, view.mover, PLAY_SUITS, side) - loss
            value = contract_worth(view, w, base, 0, tricks, PLAY_SUITS)
        if value > most:
            best = pair
            most = value
    return best


@outline
def choose_refet_contract(view: Any, w: Any) -> int:
    """The contract that is worth most with the ten cards that are left."""
    return best_contract(view, w, view.hand, PLAY_SUITS, view.legal, view.without_talon)[0]
