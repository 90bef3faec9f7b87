"""The sections of a record and the words of its moves, each in one spelling."""

from __future__ import annotations

import re
from collections.abc import Callable

from scoring.contract import (
    BETL,
    REFET_CONTRACTS,
    REFET_SPADES,
    ROWS,
    format_contract,
    parse_contract,
)
from scoring.errors import nearest, quoted
from scoring.refet_result import CONTRA_WORDS as CONTRA_LEVELS

from ..cards import SUIT_LETTERS, SUIT_SYMBOLS, format_card, parse_card
from ..refet_words import CALLS

SECTIONS = (
    "agree",
    "dark",
    "auction",
    "suit",
    "row",
    "passed",
    "discard",
    "contract",
    "whist",
    "open",
    "catch",
    "come",
    "contra",
    "tricks",
    "points",
)
"""What is decided in a deal, in the order of a record: raspas by agreement, look or dark pass,
auction, the suits of several games of the refet game, a row of razboinik, two cards passed along
(передача), discard (снос), final contract, whist calls with the sitting-out dealer's, open or
closed, who catches a misère, who comes in the refet game, contra, the tricks, into the pool or off
the mountain."""

CARD_SECTIONS = ("passed", "discard", "tricks")

DUMMY = -1
"""Stands for the dummy where the player of a hand or of a card is named."""
DUMMY_WORD = "dummy"

AGREE_WORDS = ("refuse", "agree")
LOOK_WORDS = ("look", "dark pass")
OPEN_WORDS = ("closed", "open")
OPEN_WORDS_OF_TWO = ("blind", "open")
CATCH_WORDS = ("trust", "catch")
POINT_WORDS = ("pool", "mountain")
"""Words of the phases with two actions, by the number of the action."""
WHIST_WORDS = ("pass", "whist", "half")
ROW_WORDS = (*ROWS, "talon")
"""A row of razboinik's table, or the talon first and the row later."""
CONCEDE_WORD = "concede"

SUIT_WORDS = REFET_CONTRACTS[: BETL - REFET_SPADES]
COME_WORDS = ("stays", "comes", "alone", "invites")
NO_CONTRA_WORD = "none"
CONTRA_WORDS = CONTRA_LEVELS[1:]
"""Words of the refet game: suits, who comes (dođem), doublings in their order."""

WITH_HAND = "whist with "
"""The dealer's whist; the player whose hand he takes follows."""
FROM_TALON = "talon "
"""Before a card of the talon that leads to a trick."""

_ALSO = {
    "refuses": "refuse",
    "agrees": "agree",
    "half-whist": "half",
    "concedes": CONCEDE_WORD,
    "passes": "pass",
    "whists": "whist",
    "holds": "hold",
    "looks": "look",
    "trusts": "trust",
    "catches": "catch",
    "dark": "dark pass",
    "mine": "hold",
    "come": "comes",
    "stay": "stays",
    "invite": "invites",
    "no contra": NO_CONTRA_WORD,
    "yours is better": "pass",
}


def _plain(text: str) -> str:
    word = " ".join(text.casefold().split())
    return _ALSO.get(word, word)


def _chosen(text: str, words: tuple[str, ...]) -> str:
    word = _plain(text)
    if word not in words:
        raise ValueError(f"{quoted(text)} is not one of {', '.join(words)}{nearest(word, words)}")
    return word


_SUITS = {
    sign.casefold(): word
    for signs in (SUIT_SYMBOLS, SUIT_LETTERS)
    for sign, word in zip(signs, ("spades", "clubs", "diamonds", "hearts"), strict=True)
}
"""Suits by their signs."""


def _suit(text: str) -> str:
    word = _plain(text)
    return _chosen(_SUITS.get(word, word), ("pass", *SUIT_WORDS))


def _call(text: str) -> str:
    word = _plain(text)
    if word in CALLS:
        return word
    try:
        return format_contract(parse_contract(word))
    except ValueError:
        raise ValueError(
            f"{quoted(text)} is not a call: write pass, hold, or a contract such as 6S, 7NT, "
            "misere, 9S wt; in the refet game a number from 2 to 8, game, game betl, game sans"
        ) from None


def _contract(text: str) -> str:
    word = _plain(text)
    word = _SUITS.get(word, word)
    if word == CONCEDE_WORD or word in REFET_CONTRACTS:
        return word
    try:
        return format_contract(parse_contract(word))
    except ValueError:
        raise ValueError(
            f"{quoted(text)} is not a contract: write 6S, 7NT, misere, 9S wt or concede; in the "
            f"refet game {', '.join(REFET_CONTRACTS)}"
        ) from None


def _whist(text: str) -> str:
    word = _plain(text)
    if re.fullmatch(rf"{WITH_HAND}[0-3]", word):
        return word
    return _chosen(text, WHIST_WORDS)


def _card(text: str) -> str:
    return format_card(parse_card(text))


def _trick_card(text: str) -> str:
    word = " ".join(text.split())
    if word.casefold().startswith(FROM_TALON):
        return FROM_TALON + _card(word[len(FROM_TALON) :])
    return _card(word)


_SPELL: dict[str, Callable[[str], str]] = {
    "agree": lambda text: _chosen(text, AGREE_WORDS),
    "dark": lambda text: _chosen(text, LOOK_WORDS),
    "auction": _call,
    "suit": _suit,
    "row": lambda text: _chosen(text, ROW_WORDS),
    "passed": _card,
    "discard": _card,
    "contract": _contract,
    "whist": _whist,
    "open": lambda text: _chosen(text, (*OPEN_WORDS, OPEN_WORDS_OF_TWO[0])),
    "catch": lambda text: _chosen(text, CATCH_WORDS),
    "come": lambda text: _chosen(text, COME_WORDS),
    "contra": lambda text: _chosen(text, (NO_CONTRA_WORD, *CONTRA_WORDS)),
    "tricks": _trick_card,
    "points": lambda text: _chosen(text, POINT_WORDS),
}
assert tuple(_SPELL) == SECTIONS


def owner_word(player: int) -> str:
    """The player of a move as a record names him: his number, or the dummy."""
    return DUMMY_WORD if player == DUMMY else str(player)


def owner_data(player: int | None) -> int | str | None:
    """The same as data for JSON; None where nobody is named."""
    return DUMMY_WORD if player == DUMMY else player


def told_owner(player: int) -> str:
    """The same in a sentence.

    >>> told_owner(0), told_owner(DUMMY)
    ('player 0', 'the dummy')
    """
    return "the dummy" if player == DUMMY else f"player {player}"


def spell(section: str, text: str) -> str:
    """The word of a move in its one spelling; ValueError says what may be written.

    >>> spell("auction", "9s WT"), spell("tricks", "ha"), spell("whist", "Half-whist")
    ('9♠ wt', '♥A', 'half')
    """
    return _SPELL[section](text)
