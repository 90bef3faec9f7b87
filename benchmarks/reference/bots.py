"""The bots of ``playout.c`` besides ``random``, for the engine; tests play with them too."""

from __future__ import annotations

from typing import Any

from bots.api import AUCTION, CONTRACT, FIRST_BID, MISERE, PASS, below, bot, ctz, nth_bit, popcount
from sim.state import BIDDING, COME, CONTRA, NO_CONTRA, STAYS


@bot()
def wild(view: Any, own: Any) -> int:
    """Bids seldom and low, so that raspas, misère and half-whist come often; in the refet game
    comes and doubles seldom, so that its pulkas end."""
    legal = view.legal
    dice = view.random & 63
    if view.phase == AUCTION:
        misere = FIRST_BID + MISERE
        if legal >> misere & 1 and dice < 4:
            return misere
        bids = legal & ~(1 << PASS)
        return PASS if dice < 44 or bids == 0 else ctz(bids)
    if view.phase == BIDDING and dice < 62:
        bids = legal & ~(1 << PASS)
        return PASS if dice < 44 or bids == 0 else ctz(bids)
    if view.phase == COME and legal >> STAYS & 1 and dice < 46:
        return STAYS
    if view.phase == CONTRA and dice < 40:
        return NO_CONTRA
    if view.phase == CONTRACT and dice < 48:
        return ctz(legal)
    return nth_bit(legal, below(view.random, popcount(legal)))
