"""The refet game for ``cautious``: coming, inviting, contra and its answers."""

from __future__ import annotations

from typing import Any

from scoring.contract import BETL, PREFERANS, refet_strain
from scoring.kernel import outline
from scoring.refet import needs_contra

from .api import (
    ALONE,
    COMES,
    INVITES,
    NO_CONTRA,
    NO_DECISION,
    SAYS_CONTRA,
    STAYS,
    WHISTED,
    kernel,
)
from .layout import PLAY_SUITS, SIDE
from .refet_layout import (
    AFTER_RECONTRA,
    ALONE_PRICE,
    BETL_AFTER_RECONTRA,
    BETL_CONTRA,
    BETL_DEFENCE,
    BETL_LET,
    BETL_UNDER_CONTRA,
    COMES_TOO,
    INVITES_PRICE,
    LEFT_PRICE,
    OF_BOTH,
    OWN_ALONE,
    OWN_OF_PAIR,
    PAIR_PRICE,
    PREFERANS_CONTRA,
    PREFERANS_LET,
    SAYS_CONTRA_PRICE,
    STAYS_PRICE,
    UNDER_CONTRA,
)
from .refet_value import (
    betl_score,
    follower_bucket,
    left_points,
    points_of,
    price_of,
    score_bucket,
)
from .valuation import NEVER, bucket_of, count_tricks, sum_suits

MARGINS = (2.0, 1.0, 2.0, 3.0)
"""Whists a point that contra and each answer must promise: who doubles again is surer too."""


@kernel
def hand_points(view: Any) -> int:
    """The value of the hand before contra, in points."""
    return points_of(view, view.contract, view.without_talon, view.player_of[view.declarer])


@kernel
def _counted(view: Any, w: Any, table: int, count: int) -> float:
    """What a way to follow is worth by what its follower counts."""
    return price_of(view, w, table, follower_bucket(view, w, count), hand_points(view))


@kernel
def _may_say_contra(view: Any) -> bool:
    return view.rules.contra_levels > 0


@kernel
def _contra_worth(view: Any, w: Any) -> float:
    if not _may_say_contra(view):
        return NEVER
    return _counted(view, w, SAYS_CONTRA_PRICE, OF_BOTH)


@kernel
def invite_worth(view: Any, w: Any) -> float:
    if view.rules.follow_invite == 0:
        return NEVER
    return _counted(view, w, INVITES_PRICE, OF_BOTH)


@kernel
def alone_worth(view: Any, w: Any) -> float:
    """What coming alone is worth: to play alone, or together by contra."""
    return max(_counted(view, w, ALONE_PRICE, OWN_ALONE), _contra_worth(view, w))


@kernel
def pair_worth(view: Any, w: Any) -> float:
    return max(_counted(view, w, PAIR_PRICE, OWN_OF_PAIR), _contra_worth(view, w))


@outline
def choose_come(view: Any, w: Any) -> int:
    """Come, stay away or invite by what each is worth.

    Where spades are played under contra only, who comes owes nothing yet and may say it.
    """
    alone = alone_worth(view, w)
    together = invite_worth(view, w)
    if view.legal >> INVITES & 1:
        return INVITES if together > alone else ALONE
    if needs_contra(view.rules, view):
        return COMES
    alone = max(alone, together)
    stays = price_of(view, w, STAYS_PRICE, 0, hand_points(view))
    nobody = price_of(view, w, LEFT_PRICE, 0, hand_points(view))
    call = view.whist_call[3 - view.declarer - view.mover]
    comes = pair_worth(view, w)
    if call == NO_DECISION:
        stays = nobody + (stays - nobody) * w[COMES_TOO]
        comes = alone + (comes - alone) * w[COMES_TOO + 1]
    elif call != WHISTED:
        stays = nobody
        comes = alone
    return COMES if comes > stays else STAYS


@kernel
def _quiet_worth(view: Any, w: Any) -> float:
    """What a contract is worth to a follower who does not say contra."""
    points = hand_points(view)
    if needs_contra(view.rules, view):
        return price_of(view, w, LEFT_PRICE, 0, left_points(view, points))
    if view.whist_call[view.mover] != WHISTED:
        return price_of(view, w, STAYS_PRICE, 0, points)
    if view.whist_call[3 - view.declarer - view.mover] == WHISTED:
        return _counted(view, w, PAIR_PRICE, OWN_OF_PAIR)
    return _counted(view, w, ALONE_PRICE, OWN_ALONE)


@kernel
def contra_gain(view: Any, w: Any) -> float:
    """What a follower gains by contra."""
    if view.contract == BETL:
        bucket = score_bucket(sum_suits(w, view.hand, BETL_DEFENCE))
        points = hand_points(view)
        let = price_of(view, w, BETL_LET, bucket, points)
        return price_of(view, w, BETL_CONTRA, bucket, points) - let
    if view.contract == PREFERANS:
        let = _counted(view, w, PREFERANS_LET, OF_BOTH)
        return _counted(view, w, PREFERANS_CONTRA, OF_BOTH) - let
    return _contra_worth(view, w) - _quiet_worth(view, w)


@kernel
def recontra_gain(view: Any, w: Any) -> float:
    """What a declarer under contra is worth, which his answer doubles."""
    if view.contract == BETL:
        bucket = score_bucket(betl_score(w, view.hand, PLAY_SUITS))
        return price_of(view, w, BETL_UNDER_CONTRA, bucket, hand_points(view))
    if view.contract == PREFERANS:
        return 0.0
    side = sum_suits(w, view.hand, PLAY_SUITS + SIDE)
    strain = refet_strain(view.contract)
    tricks = count_tricks(w, view.hand, strain, view.mover, PLAY_SUITS, side)
    return price_of(view, w, UNDER_CONTRA, bucket_of(tricks), hand_points(view))


@kernel
def subcontra_gain(view: Any, w: Any) -> float:
    """The same for who said contra, after the declarer's answer."""
    if view.contract == BETL:
        bucket = score_bucket(sum_suits(w, view.hand, BETL_DEFENCE))
        return price_of(view, w, BETL_AFTER_RECONTRA, bucket, hand_points(view))
    if view.contract == PREFERANS:
        return 0.0
    return _counted(view, w, AFTER_RECONTRA, OF_BOTH)


@outline
def choose_contra(view: Any, w: Any) -> int:
    """Contra, or an answer, where doubling is worth something."""
    if view.contra == 0:
        gain = contra_gain(view, w)
    elif view.contra & 1:
        gain = recontra_gain(view, w)
    else:
        gain = subcontra_gain(view, w)
    return SAYS_CONTRA if gain > MARGINS[view.contra] * hand_points(view) else NO_CONTRA
