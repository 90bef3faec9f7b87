"""The bots of ``playout.c`` besides ``random``, for the engine; tests play with them too."""

from __future__ import annotations

from typing import Any

from bots.api import AUCTION, CONTRACT, FIRST_BID, MISERE, PASS, below, bot, ctz, nth_bit, popcount


@bot()
def wild(view: Any, own: Any) -> int:
    """Bids seldom and low, so that raspas, misère and half-whist come often."""
    legal = view.legal
    dice = view.random & 63
    if view.phase == AUCTION:
        misere = FIRST_BID + MISERE
        if legal >> misere & 1 and dice < 4:
            return misere
        bids = legal & ~(1 << PASS)
        return PASS if dice < 44 or bids == 0 else ctz(bids)
    if view.phase == CONTRACT and dice < 48:
        return ctz(legal)
    return nth_bit(legal, below(view.random, popcount(legal)))
