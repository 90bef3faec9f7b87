"""The lead that cannot go wrong: trumps are drawn before sure tricks are cashed."""

from __future__ import annotations

from typing import Any

from scoring.contract import NO_TRUMP
from scoring.kernel import outline
from sim.cards import N_SUITS, suit_mask, trump_mask
from sim.worlds import unseen_cards

from ..api import kernel, msb, popcount


@kernel
def _masters(mine: int, theirs: int) -> int:
    """How many cards of a suit nothing outstanding beats."""
    return popcount(mine & -(1 << (msb(theirs) + 1))) if theirs else popcount(mine)


@outline
def trump_to_draw(view: Any) -> int:
    """The highest trump of a declarer who leads, where all he holds is sure once the others' trumps
    are drawn; -1 where nothing is to be drawn, or not all is sure."""
    if view.strain == NO_TRUMP or view.mover != view.declarer or view.led >= 0:
        return -1
    others = unseen_cards(view)
    for hand in range(3):
        if hand != view.mover:
            others |= view.shown[hand]
    trumps = trump_mask(view.strain)
    mine, theirs = view.hand & trumps, others & trumps
    if theirs == 0 or _masters(mine, theirs) < popcount(theirs):
        return -1
    for suit in range(N_SUITS):
        own, against = view.hand & suit_mask(suit), others & suit_mask(suit)
        high = _masters(own, against)
        if suit != view.strain and high < popcount(own) and high < popcount(against):
            return -1
    return msb(mine)
