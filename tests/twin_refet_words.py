"""The two notations of the refet game: calls, words and contracts of the engine and of the twin."""

from __future__ import annotations

from typing import Any

from naive.cards import PACK
from naive.refet_auction import BASES, GAMES, SUIT_CONTRACTS, YIELD

from scoring.contract import MISERE_GAME, NO_TRUMP, PREFERANS, RASPAS, TRICKS, refet_strain
from scoring.result import INVITED, PASSED, WHISTED
from sim.state import (
    ALONE,
    BIDDING,
    CARD,
    COME,
    COMES,
    CONTRA,
    CONTRACT,
    DISCARD,
    GAME_CALL,
    HOLD,
    INVITES,
    NO_CONTRA,
    PASS,
    SAYS_CONTRA,
    STAYS,
    SUIT,
)

NUMBERS = {base: str(base) for base in BASES.values()}
CALLS = {**NUMBERS, **dict(enumerate(GAMES, start=GAME_CALL))}
"""The twin's word for a standing call."""

CONTRACTS = {base: name for name, base in BASES.items()}
_CARDS = dict(enumerate(PACK))
ACTION_NAMES: dict[int, dict[int, str]] = {
    BIDDING: {PASS: "pass", HOLD: "hold", **CALLS},
    SUIT: {PASS: YIELD, **{BASES[name]: name for name in SUIT_CONTRACTS}},
    DISCARD: _CARDS,
    CONTRACT: CONTRACTS,
    COME: {STAYS: "stays", COMES: "comes", ALONE: "alone", INVITES: "invites"},
    CONTRA: {NO_CONTRA: "no contra", SAYS_CONTRA: "contra"},
    CARD: _CARDS,
}
"""The twin's word for each action of each phase."""

WORDS = (BIDDING, SUIT, CONTRACT, COME, CONTRA)
"""Phases of words, which everybody hears."""

PARTS = {PASSED: "stays", WHISTED: "comes", INVITED: "invited"}


def call_name(code: Any) -> str | None:
    """The twin's name of a call; None for -1."""
    return CALLS[int(code)] if int(code) >= 0 else None


def kind_of(contract: str | None) -> tuple[int, int, int]:
    """Kind, level and strain of a contract as the engine keeps them; level and strain of tricks."""
    if contract is None:
        return RASPAS, 0, 0
    if contract == "betl":
        return MISERE_GAME, 0, 0
    base = BASES[contract]
    if base == PREFERANS:
        return TRICKS, 10, NO_TRUMP
    return TRICKS, 6, int(refet_strain(base))
