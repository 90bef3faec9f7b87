"""What a bot author needs: ``from bots.api import bot, kernel, ...``; see CONTRIBUTING.

A jitted bot may call functions marked with :func:`kernel`; all names below work in them.
"""

from __future__ import annotations

from scoring.contract import (
    MISERE,
    MISERE_GAME,
    NO_TRUMP,
    RASPAS,
    TRICKS,
)
from scoring.deal_score import HALF_WHISTED, NO_DECISION, PASSED, UNIT, WHISTED
from scoring.kernel import ctz, kernel, msb, nth_bit, popcount
from sim.botcall import bot
from sim.cards import suit_mask, suit_ranks, trump_mask
from sim.rng import below
from sim.state import (
    AUCTION,
    CALL_HALF,
    CALL_PASS,
    CALL_WHIST,
    CARD,
    CLOSED,
    CONCEDE,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    HOLD,
    OPEN,
    OPENED,
    PASS,
    VIEW_DTYPE,
    WHIST,
)

__all__ = [
    "AUCTION",
    "CALL_HALF",
    "CALL_PASS",
    "CALL_WHIST",
    "CARD",
    "CLOSED",
    "CONCEDE",
    "CONTRACT",
    "DISCARD",
    "FIRST_BID",
    "HALF_WHISTED",
    "HOLD",
    "MISERE",
    "MISERE_GAME",
    "NO_DECISION",
    "NO_TRUMP",
    "OPEN",
    "OPENED",
    "PASS",
    "PASSED",
    "RASPAS",
    "TRICKS",
    "UNIT",
    "VIEW_DTYPE",
    "WHIST",
    "WHISTED",
    "below",
    "bot",
    "ctz",
    "kernel",
    "msb",
    "nth_bit",
    "popcount",
    "suit_mask",
    "suit_ranks",
    "trump_mask",
]
