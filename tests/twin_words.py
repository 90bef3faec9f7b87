"""The two notations of the engine and of the naive twin: contracts, actions, cards, amounts."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from naive.cards import PACK, RUNGS
from naive.razboinik import TAKE_TALON as TALON_WORD
from naive.rows import ROWS

from scoring.contract import RUNGS as CODES
from scoring.result import MAX_PLAYERS, UNIT
from sim.state import (
    AGREE,
    AGREES,
    AUCTION,
    CALL_FIRST_HAND,
    CALL_HALF,
    CALL_PASS,
    CALL_SECOND_HAND,
    CALL_WHIST,
    CARD,
    CATCH,
    CATCHES,
    CLOSED,
    CONCEDE,
    CONTRACT,
    DARK,
    DARK_PASS,
    DEALER_WHIST,
    DISCARD,
    FIRST_BID,
    HOLD,
    LOOK,
    OFF_MOUNTAIN,
    OPEN,
    OPENED,
    PASS,
    PASS_ALONG,
    POINTS,
    REFUSE,
    ROW,
    TAKE_TALON,
    TO_POOL,
    TRUST,
    WHIST,
)

CONTRACTS = {
    code: name for rung in CODES for code, name in zip(CODES[rung], RUNGS[rung], strict=True)
}
"""The twin's name of each contract code."""

_CARD_NAMES = dict(enumerate(PACK))
ACTION_NAMES: dict[int, dict[int, str]] = {
    AGREE: {REFUSE: "refuse", AGREES: "agree"},
    DARK: {LOOK: "look", DARK_PASS: "dark pass"},
    AUCTION: {
        PASS: "pass",
        HOLD: "hold",
        **{FIRST_BID + code: name for code, name in CONTRACTS.items()},
    },
    ROW: {**dict(enumerate(ROWS)), TAKE_TALON: TALON_WORD},
    PASS_ALONG: _CARD_NAMES,
    DISCARD: _CARD_NAMES,
    CONTRACT: {**CONTRACTS, CONCEDE: "concede"},
    WHIST: {CALL_PASS: "pass", CALL_WHIST: "whist", CALL_HALF: "half"},
    DEALER_WHIST: {CALL_PASS: "pass", CALL_FIRST_HAND: "first", CALL_SECOND_HAND: "second"},
    OPEN: {CLOSED: "closed", OPENED: "open"},
    CATCH: {TRUST: "trust", CATCHES: "catch"},
    CARD: _CARD_NAMES,
    POINTS: {TO_POOL: "pool", OFF_MOUNTAIN: "off mountain"},
}
"""The twin's word for each action of each phase."""

CALLS = (AGREE, DARK, AUCTION, ROW, CONTRACT, WHIST, DEALER_WHIST, OPEN, CATCH)
"""Phases of words, which everybody hears."""

DECISION_WORDS = (None, "pass", "whist", "half")
KIND_WORDS = ("raspas", "tricks", "misere")


def bits(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def names(mask: Any) -> frozenset[str]:
    """The twin's names of a set of cards."""
    return _names(int(mask))


@functools.lru_cache(maxsize=1 << 15)
def _names(mask: int) -> frozenset[str]:
    return frozenset(PACK[card] for card in bits(mask))


def fractions(values: Any, n: int) -> list[Fraction]:
    """Twelfths of n players as exact fractions; who is not there must have nothing."""
    amounts = [Fraction(int(value), UNIT) for value in values]
    assert not any(amounts[n:])
    return amounts[:n]


def matrix(values: Any, n: int) -> list[list[Fraction]]:
    """Sixteen twelfths as a square table of fractions."""
    rows = [values[MAX_PLAYERS * i : MAX_PLAYERS * (i + 1)] for i in range(MAX_PLAYERS)]
    assert not any(any(row) for row in rows[n:])
    return [fractions(row, n) for row in rows[:n]]


def code_name(code: Any) -> str | None:
    """The twin's name of a contract code; None for -1."""
    return CONTRACTS[int(code)] if int(code) >= 0 else None
