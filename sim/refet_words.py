"""Words of the refet game, where they are others than the pool game's."""

from __future__ import annotations

from scoring.contract import PREFERANS, REFET_SPADES

CALLS = (
    "pass",
    "hold",
    *map(str, range(REFET_SPADES, PREFERANS + 1)),
    "game",
    "game betl",
    "game sans",
    "game preferans",
)
"""Words of the actions of the bidding, by their number (``sim.state``)."""
PASSED_BY_ALL = "passed"
HAND_KINDS = (PASSED_BY_ALL, "tricks", "betl")
"""Kinds of a hand, as ``scoring.contract.KINDS``."""
FOLLOWS = ("", "stays", "comes", "half", "invited")
"""A defender's part, as ``scoring.result.DECISIONS``; there are no half-whists."""
