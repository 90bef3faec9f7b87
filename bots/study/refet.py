"""What ``expert`` compares in the refet game: calls, contracts, coming, contra and its answers."""

from __future__ import annotations

from typing import Any

from scoring.contract import BETL, PREFERANS, REFET_SPADES, refet_strain
from scoring.kernel import outline

from ..api import (
    ALONE,
    COMES,
    GAME_BETL,
    GAME_CALL,
    GAME_PREFERANS,
    HOLD,
    INVITES,
    NO_CONTRA,
    NO_DECISION,
    PASS,
    SAYS_CONTRA,
    STAYS,
    WHISTED,
    ctz,
    kernel,
    popcount,
)
from ..hand_tables import BUCKETS
from ..layout import BID_SUITS, PLAY_SUITS, SIDE
from ..refet_choice import at_least, defending_worth, passing_worth, refet_cost
from ..refet_follow import (
    alone_worth,
    contra_gain,
    hand_points,
    invite_worth,
    pair_worth,
    recontra_gain,
    subcontra_gain,
)
from ..refet_layout import LEFT_PRICE, OF_BOTH, OWN_ALONE, PLAY_SUIT, STAYS_PRICE
from ..refet_value import SUITS, best_contract, follower_bucket, price_of
from ..valuation import count_tricks, sum_suits
from .rows import (
    BIDDING_ROW,
    COME_ROW,
    CONTRA_ROW,
    N_BIDDING,
    N_COME,
    N_CONTRA,
    N_NAMING,
    NAMING_ROW,
    note,
    note_more,
)

_BASES = 7
UNIT_POINTS = 4
"""Points of a made game in spades, the unit of features."""


@kernel
def _unit(w: Any) -> float:
    """The price of a contract in spades that cannot fail."""
    return UNIT_POINTS * (w[PLAY_SUIT + BUCKETS - 1] + w[PLAY_SUIT + 2 * BUCKETS - 1])


@kernel
def _over(view: Any, w: Any, base: int, suits: int) -> float:
    """Tricks that a declarer expects above six; of betl none, his prices say all."""
    if base == BETL:
        return 0.0
    side = sum_suits(w, view.hand, suits + SIDE)
    return count_tricks(w, view.hand, refet_strain(base), view.mover, suits, side) - 6.0


@kernel
def _note_over(out: Any, over: float, unit: float) -> None:
    """Tricks above what is owed, in two pieces, of the candidate noted last."""
    note_more(out, over * unit, min(over, 0.0) * unit)


@kernel
def _bidding_context(view: Any) -> int:
    if view.bid < 0:
        return 3 - popcount(view.active)
    high = 3 if view.bid >= GAME_CALL else (2 if view.bid > 5 else (1 if view.bid > 3 else 0))
    return 3 + 2 * high + (1 if view.last_bid[view.mover] >= 0 else 0)


@outline
def study_bid(view: Any, w: Any, out: Any) -> None:
    """Pass, the lowest number or a hold, each game from the hand."""
    row = BIDDING_ROW + N_BIDDING * _bidding_context(view)
    unit = _unit(w)
    cost = refet_cost(view, w)
    passing = passing_worth(view, w)
    numbers = view.legal & ~(1 << PASS) & (1 << GAME_CALL) - 1
    value = -2.0 * unit
    over = -2.0
    call = PASS
    if numbers:
        call = ctz(numbers)
        lowest = view.bid if call == HOLD else call
        base, best = best_contract(view, w, view.hand, BID_SUITS, at_least(view, lowest), 0)
        value = max(value, best)
        over = _over(view, w, base, BID_SUITS)
    note(out, PASS, row, unit, passing, defending_worth(view, w), value, cost)
    if call != PASS:
        note(out, call, row + 1, unit, value, max(value, 0.0), passing, cost)
        _note_over(out, over, unit)
    for game in range(GAME_CALL, GAME_PREFERANS + 1):
        if view.legal >> game & 1:
            bases = SUITS if game == GAME_CALL else 1 << BETL + game - GAME_BETL
            base, worth = best_contract(view, w, view.hand, PLAY_SUITS, bases, 1)
            worth = max(worth, -4.0 * unit)
            note(out, game, row + 2 + game - GAME_CALL, unit, worth, max(worth, 0.0), passing, cost)
            _note_over(out, _over(view, w, base, PLAY_SUITS), unit)


@outline
def study_naming(view: Any, w: Any, out: Any) -> None:
    """Every contract that may be named."""
    unit = _unit(w)
    row = NAMING_ROW + N_NAMING * view.without_talon
    for base in range(REFET_SPADES, PREFERANS + 1):
        if view.legal >> base & 1:
            without = view.without_talon
            worth = best_contract(view, w, view.hand, PLAY_SUITS, 1 << base, without)[1]
            worth = max(worth, -4.0 * unit)
            note(out, base, row + base - REFET_SPADES, unit, worth, max(worth, 0.0), 0.0, 0.0)
            _note_over(out, _over(view, w, base, PLAY_SUITS), unit)


@kernel
def _come_context(view: Any) -> int:
    """First to speak, after one who comes, after one who stays, alone with the choice to invite."""
    if view.legal >> INVITES & 1:
        return 3
    call = view.whist_call[3 - view.declarer - view.mover]
    if call == NO_DECISION:
        return 0
    return 1 if call == WHISTED else 2


@kernel
def _above_duty(view: Any, w: Any, count: int, duty: float) -> float:
    """Tricks that a follower counts above what is owed; of betl none."""
    return follower_bucket(view, w, count) / 4.0 - duty if view.contract != BETL else 0.0


@outline
def study_come(view: Any, w: Any, out: Any) -> None:
    """Stay, come, play alone, invite, by what each is worth with what the follower counts."""
    context = _come_context(view)
    row = COME_ROW + N_COME * (_BASES * context + view.contract - REFET_SPADES)
    points = hand_points(view)
    unit = points * _unit(w) / UNIT_POINTS
    floor = -4.0 * unit
    alone = max(alone_worth(view, w), floor)
    together = max(invite_worth(view, w), floor)
    pair = max(pair_worth(view, w), floor)
    stays = price_of(view, w, STAYS_PRICE, 0, points)
    left = price_of(view, w, LEFT_PRICE, 0, points)
    own = _above_duty(view, w, OWN_ALONE, 2.0)
    both = _above_duty(view, w, OF_BOTH, 4.0)
    if view.legal >> STAYS & 1:
        note(out, STAYS, row, unit, stays, left, alone, pair)
    if view.legal >> COMES & 1:
        note(out, COMES, row + 1, unit, alone, pair, together, both * unit)
        _note_over(out, own, unit)
    if view.legal >> ALONE & 1:
        note(out, ALONE, row + 2, unit, alone, together, 0.0, both * unit)
        _note_over(out, own, unit)
    if view.legal >> INVITES & 1:
        note(out, INVITES, row + 3, unit, together, alone, 0.0, own * unit)
        _note_over(out, both, unit)


@outline
def study_contra(view: Any, w: Any, out: Any) -> None:
    """Contra or an answer, by what doubling is worth."""
    row = CONTRA_ROW + N_CONTRA * (_BASES * view.contra + view.contract - REFET_SPADES)
    points = hand_points(view)
    unit = points * _unit(w) / UNIT_POINTS
    if view.contra == 0:
        gain = contra_gain(view, w)
    elif view.contra & 1:
        gain = recontra_gain(view, w)
    else:
        gain = subcontra_gain(view, w)
    gain = max(gain, -4.0 * unit)
    if view.mover == view.declarer:
        over = _over(view, w, view.contract, PLAY_SUITS)
    else:
        over = _above_duty(view, w, OF_BOTH, 5.0)
    note(out, NO_CONTRA, row, unit, gain, 0.0, 0.0, 0.0)
    note(out, SAYS_CONTRA, row + 1, unit, gain, max(gain, 0.0), points, max(over, 0.0) * unit)
    _note_over(out, over, unit)
