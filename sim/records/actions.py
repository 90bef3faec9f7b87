"""Between the engine's actions and the words of a record."""

from __future__ import annotations

from typing import Any

from scoring.contract import N_CONTRACTS, REFET_CONTRACTS, REFET_SPADES, format_contract

from ..cards import N_CARDS, format_card, parse_card
from ..refet_words import CALLS
from ..state import (
    AGREE,
    AUCTION,
    BIDDING,
    CARD,
    CATCH,
    COME,
    CONCEDE,
    CONTRA,
    CONTRACT,
    DARK,
    DEALER_WHIST,
    DISCARD,
    FIRST_BID,
    HOLD,
    N_HANDS,
    OPEN,
    PASS,
    PASS_ALONG,
    POINTS,
    ROW,
    SUIT,
    WHIST,
)
from ..whist import first_defender, second_defender
from .words import (
    AGREE_WORDS,
    CATCH_WORDS,
    COME_WORDS,
    CONCEDE_WORD,
    CONTRA_WORDS,
    LOOK_WORDS,
    NO_CONTRA_WORD,
    OPEN_WORDS,
    OPEN_WORDS_OF_TWO,
    POINT_WORDS,
    ROW_WORDS,
    SUIT_WORDS,
    WHIST_WORDS,
    WITH_HAND,
)

SECTION_OF = {
    AGREE: "agree",
    DARK: "dark",
    AUCTION: "auction",
    BIDDING: "auction",
    SUIT: "suit",
    ROW: "row",
    PASS_ALONG: "passed",
    DISCARD: "discard",
    CONTRACT: "contract",
    WHIST: "whist",
    DEALER_WHIST: "whist",
    OPEN: "open",
    CATCH: "catch",
    COME: "come",
    CONTRA: "contra",
    CARD: "tricks",
    POINTS: "points",
}
"""The section of a record in which the decisions of a phase stand."""

_CARD_WORDS = tuple(map(format_card, range(N_CARDS)))
_CONTRACT_WORDS = tuple(map(format_contract, range(N_CONTRACTS)))
_AUCTION_WORDS = {
    PASS: "pass",
    HOLD: "hold",
    **{FIRST_BID + code: word for code, word in enumerate(_CONTRACT_WORDS)},
}
_LISTS = {
    AGREE: AGREE_WORDS,
    DARK: LOOK_WORDS,
    BIDDING: CALLS,
    ROW: ROW_WORDS,
    PASS_ALONG: _CARD_WORDS,
    DISCARD: _CARD_WORDS,
    WHIST: WHIST_WORDS,
    OPEN: OPEN_WORDS,
    CATCH: CATCH_WORDS,
    COME: COME_WORDS,
    CARD: _CARD_WORDS,
    POINTS: POINT_WORDS,
}
"""Words of the phases whose actions are numbered from 0."""


def defenders(view: Any) -> tuple[int, int]:
    """The two defending hands, from the declarer's left."""
    return int(first_defender(view)), int(second_defender(view))


def owner(view: Any) -> int:
    """The player whose call or card is next: of the hand that moves, or the dealer, or DUMMY."""
    mover = int(view["mover"])
    return int(view["player_of"][mover]) if mover < N_HANDS else int(view["dealer"])


def is_refet(view: Any) -> bool:
    """Whether this is the refet game, once somebody has called."""
    return int(view["calls"][0]) >> 8 == BIDDING


def _words(view: Any, phase: int) -> dict[int, str]:
    """The words of all actions of a phase."""
    if phase == AUCTION:
        return _AUCTION_WORDS
    if phase == SUIT:
        return {PASS: "pass", **dict(enumerate(SUIT_WORDS, REFET_SPADES))}
    if phase == CONTRACT and is_refet(view):
        return dict(enumerate(REFET_CONTRACTS, REFET_SPADES))
    if phase == CONTRACT:
        return {**dict(enumerate(_CONTRACT_WORDS)), CONCEDE: CONCEDE_WORD}
    if phase == DEALER_WHIST:
        taken = [f"{WITH_HAND}{int(view['player_of'][hand])}" for hand in defenders(view)]
        return dict(enumerate(["pass", *taken]))
    if phase == CONTRA:
        return dict(enumerate((NO_CONTRA_WORD, *CONTRA_WORDS[int(view["contra"]) :][:1])))
    if phase == OPEN and int(view["dummy"]) >= 0:
        return dict(enumerate(OPEN_WORDS_OF_TWO))
    return dict(enumerate(_LISTS[phase]))


def word_of(view: Any, action: int) -> str:
    """The word of an action in the present phase; empty where the phase has no such action."""
    return _words(view, int(view["phase"])).get(action, "")


def action_of(view: Any, word: str) -> int:
    """The action of a word in the present phase; -1 where the phase has no such word."""
    phase = int(view["phase"])
    if phase == CARD or phase == DISCARD or phase == PASS_ALONG:
        return parse_card(word)
    known = {said: action for action, said in _words(view, phase).items()}
    return known.get(word, -1)
