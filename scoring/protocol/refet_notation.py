"""Short notation of the refet game: contracts, what the opponents say, contra, all pass.

A contract is a suit by sign, letter or name, its number 2..8, or both: ``clubs/=``, ``5♣/-1``,
``game hearts``, ``betl``. Names are those of Lesnoy, Russian Preferans, and of the Serbian rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..contract import (
    BETL,
    PREFERANS,
    REFET_CLUBS,
    REFET_CONTRACTS,
    REFET_DIAMONDS,
    REFET_HEARTS,
    REFET_SPADES,
    SANS,
    refet_base,
    refet_strain,
)
from ..errors import quoted
from ..result import INVITED, PASSED, WHISTED
from .notation import CONTRA, MOST_LETTERS, EntryError, Order, is_number, parse_count, parse_result

_NAMES = {
    REFET_SPADES: ("♠", "♤", "S", "SPADES", "PIK", "П", "ПИКИ", "ПИКА", "ПИК"),
    REFET_DIAMONDS: ("♦", "♢", "D", "DIAMONDS", "KARO", "Б", "БУБНЫ", "БУБНА", "КАРО"),
    REFET_HEARTS: ("♥", "♡", "H", "HEARTS", "HERC", "Ч", "ЧЕРВИ", "ЧЕРВА", "ГЕРЦ"),
    REFET_CLUBS: ("♣", "♧", "C", "CLUBS", "TREF", "Т", "ТРЕФЫ", "ТРЕФА", "ТРЕФ"),
    BETL: ("BETL", "BETTEL", "BERAC", "BERAČ", "MISERE", "M", "М", "МИЗЕР", "БЕТЛЬ", "БЕТЛ"),
    SANS: ("SANS", "SANAC", "SANS ATOUT", "NT", "БК", "САНС", "БЕСКОЗЫРНАЯ", "БЕЗ КОЗЫРЯ"),
    PREFERANS: ("PREFERANS", "ПРЕФЕРАНС"),
}
_BASES = {name: base for base, names in _NAMES.items() for name in names}
_FROM_HAND = ("GAME", "IGRA", "G", "ИГРА")
_WITHOUT = ("WT", "БП", "БЕЗ ПРИКУПА", "FROM THE HAND")


def _one_of(words: Any) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_ORDER = re.compile(
    rf"(?:(?P<game>{_one_of(_FROM_HAND)})\s*)?(?P<number>[2-8])?\s*(?P<word>{_one_of(_BASES)})?"
    rf"\s*(?P<without>{_one_of(_WITHOUT)})?\s*(?P<stroke>/\s*(?P<result>.*))?"
)
COMES = {
    **dict.fromkeys(("comes", "come", "came", "whist", "w", "dođem", "dodjem"), WHISTED),
    **dict.fromkeys(("вист", "в", "вистует", "идёт", "идет"), WHISTED),
    **dict.fromkeys(("stays", "stay", "stayed", "pass", "p", "ne dođem"), PASSED),
    **dict.fromkeys(("ne dodjem", "dalje", "пас", "не идёт", "не идет"), PASSED),
    **dict.fromkeys(("drawn in", "drawn", "втянут", "втянута", "по контре"), PASSED),
    **dict.fromkeys(("invited", "called", "pozvan", "зван", "звана", "приглашён"), INVITED),
    **dict.fromkeys(("приглашен", "приглашена"), INVITED),
}
INVITES = ("invites", "invite", "calls", "zove", "zovem", "зовёт", "зовет", "приглашает")


@dataclass(frozen=True)
class RefetOrder(Order):
    """A contract of the refet game: level 6, 10 for preferans, 0 for betl."""

    def text(self) -> str:
        """``clubs``, ``game betl``, without the result."""
        name = REFET_CONTRACTS[refet_base(2 if self.is_misere else 1, self.level, self.strain) - 2]
        return f"game {name}" if self.without_talon else name


def parse_refet_order(text: Any) -> RefetOrder:
    """The contract of ``clubs``, ``5♣/-1``, ``game hearts``, ``G4``, ``betl/=``, or of a number."""
    said = text if isinstance(text, str) else quoted(text)
    word = " ".join(said.upper().replace("\ufe0f", "").split())
    match = _ORDER.fullmatch(word) if len(word) <= MOST_LETTERS else None
    if match is None or isinstance(text, bool) or not (match["number"] or match["word"]):
        raise EntryError(
            f"contract {quoted(text)} is not known: write spades, diamonds, hearts, clubs, betl or "
            "sans (clubs/=, 5♣/-1), with game before it if it is from the hand"
        )
    base = int(match["number"]) if match["word"] is None else _BASES[match["word"]]
    if match["number"] not in (None, str(base)):
        raise EntryError(
            f"contract {quoted(text)}: {REFET_CONTRACTS[base - 2]} are {base}, not "
            f"{match['number']}"
        )
    return RefetOrder(
        {BETL: 0, PREFERANS: 10}.get(base, 6),
        0 if base == BETL else refet_strain(base),
        match["game"] is not None or match["without"] is not None,
        None if match["stroke"] is None else parse_result(match["result"]),
    )


class RefetCall(NamedTuple):
    """What an opponent says: his decision, whether he invites the other, the level of a contra he
    said, and his tricks, where they are written."""

    decision: int | None
    invites: bool = False
    contra: int = 0
    tricks: int | None = None


def parse_level(value: Any, key: str) -> int:
    """How far doubling went: a word, a number 1 to 4, or true for contra alone."""
    if value is True:
        return 1
    word = value.strip().casefold() if isinstance(value, str) else ""
    if word in CONTRA:
        return CONTRA[word]
    if is_number(word):
        value = int(word)
    if type(value) is not int or not 1 <= value <= 4:
        raise EntryError(
            f"{key} = {quoted(value)} is not known: contra, recontra, subcontra, mordcontra, or 1 "
            "to 4"
        )
    return value


def parse_refet_call(text: Any, who: str) -> RefetCall:
    """The call of ``comes``, ``comes 2``, ``stays``, ``invites 3``, ``contra 5``, or of tricks."""
    if type(text) is int:
        return RefetCall(None, tricks=parse_count(text, f"tricks of {who}"))
    words = text.casefold().split() if isinstance(text, str) else []
    has_tricks = bool(words) and is_number(words[-1])
    tricks = parse_count(words.pop(), f"tricks of {who}") if has_tricks else None
    contra = CONTRA[words.pop()] if words and words[-1] in CONTRA else 0
    call = " ".join(words)
    invites = call in INVITES
    decision = WHISTED if invites else COMES.get(call)
    if (call and decision is None) or (not call and contra == 0 and tricks is None):
        raise EntryError(
            f"{who} = {quoted(text)} is no call: write comes, stays, invites, invited or contra, "
            "or comes 3 (tricks), contra 5"
        )
    if contra and decision is None:
        decision = WHISTED
    return RefetCall(decision, invites, contra, tricks)
