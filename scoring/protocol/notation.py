"""Short notation: contracts, results, calls and whole deals as people write them.

``6♣/-1`` is the notation of tournament sheets (Code of Preferans 4.2.11): the contract, then ``=``
for made exactly, ``-1`` for one trick short, ``+1`` for one over; at misère ``-2`` is two tricks
taken. The longer forms are our own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..contract import N_STRAINS, STRAIN_LETTERS, STRAIN_SYMBOLS
from ..errors import WrongUse, nearest, quoted
from ..result import HALF_WHISTED, PASSED, WHISTED

UNNAMED = -1
"""Strain of a contract written without one; no score depends on it."""


class EntryError(WrongUse):
    """An entry that cannot be read or contradicts itself: one sentence saying why."""


@dataclass(frozen=True)
class Order:
    """A contract as ordered; ``level`` 0 is misère. ``result``: tricks over (below 0: short)."""

    level: int
    strain: int
    without_talon: bool
    result: int | None

    @property
    def is_misere(self) -> bool:
        return self.level == 0

    def text(self) -> str:
        """``6♣``, ``9NT wt``, ``misere``, without the result."""
        name = "misere"
        if not self.is_misere:
            name = str(self.level)
            if self.strain != UNNAMED:
                name += STRAIN_SYMBOLS[self.strain]
        return f"{name} wt" if self.without_talon else name


_RUSSIAN = {"П": 0, "Т": 1, "Б": 2, "Ч": 3, "БК": 4}
_OUTLINED = dict(zip("♤♧♢♡", range(4), strict=True))
_STRAINS = {
    **{symbol: k for k, symbol in enumerate(STRAIN_SYMBOLS)},
    **{letter: k for k, letter in enumerate(STRAIN_LETTERS)},
    **_RUSSIAN,
    **_OUTLINED,
}
assert set(_STRAINS.values()) == set(range(N_STRAINS))
_MISERE = ("MISERE", "MISÈRE", "M", "М", "МИЗЕР")
_ORDER = re.compile(
    rf"(?P<level>10|[6-9])?\s*(?P<word>{'|'.join(sorted({*_STRAINS, *_MISERE}, key=len)[::-1])})?"
    r"\s*(?P<wt>WT|БП)?\s*(?:/\s*(?P<result>.*))?"
)
MOST_LETTERS = 40
"""No contract is written with more."""
CALLS = {
    "whist": WHISTED,
    "w": WHISTED,
    "вист": WHISTED,
    "в": WHISTED,
    "pass": PASSED,
    "p": PASSED,
    "пас": PASSED,
    "п": PASSED,
    "half": HALF_WHISTED,
    "half-whist": HALF_WHISTED,
    "h": HALF_WHISTED,
    "полвиста": HALF_WHISTED,
}
MANNERS = {
    "open": True,
    "открыл": True,
    "открыла": True,
    "открыто": True,
    "blind": False,
    "вслепую": False,
    "втёмную": False,
    "втемную": False,
}
"""How a lone whister plays: with the other defending hand turned up, or on his own cards."""
THROWN_IN = ("thrown in", "thrown-in", "пересдача")
"""Words of a line for ``thrown_in``."""
ALL_PASS = ("all pass", "all passed", "все пас", "все спасовали", "svi dalje")
"""Words of a line for ``all_pass``."""
CONTRA = {
    "contra": 1,
    "kontra": 1,
    "контра": 1,
    "recontra": 2,
    "rekontra": 2,
    "реконтра": 2,
    "subcontra": 3,
    "subkontra": 3,
    "субконтра": 3,
    "mordcontra": 4,
    "mordkontra": 4,
    "mortkontra": 4,
    "мордконтра": 4,
}
"""Words for how far a game is doubled (Preferansklub rules 10)."""
_LINE_WORDS = {
    **dict.fromkeys(THROWN_IN, ("thrown_in", "")),
    **dict.fromkeys(ALL_PASS, ("all_pass", "")),
    **{word: ("contra", word) for word in CONTRA},
}
"""What stands alone in a line, as a key and its value."""
TALON_WORDS = {"nothing": 0, "ace": 1, "marriage": 1, "ace_king": 2, "two_aces": 3}
"""Quick tricks in the talon, in units: an ace, king and queen of a suit, ace and king of a suit."""


def parse_result(text: Any) -> int:
    """Tricks over the contract (0 made exactly, -1 one short) of ``=``, ``-1``, ``+1``."""
    if type(text) is int and -10 <= text <= 10:
        return text
    if isinstance(text, str):
        word = text.strip().translate(str.maketrans("–−—", "---"))
        if word in ("=", "0"):
            return 0
        word = "".join(word.split())
        if re.fullmatch(r"[+-](10|[0-9])", word, re.ASCII):
            return int(word)
    raise EntryError(f"result {quoted(text)} is not known: write = (made), -1 (short) or +1 (over)")


def parse_order(text: Any) -> Order:
    """The contract of ``6♣``, ``6C/-1``, ``9NT wt``, ``misere``, ``M/-2``, or of a bare level."""
    said = text if isinstance(text, str) else quoted(text)
    word = said.strip().upper().replace("\ufe0f", "")
    match = _ORDER.fullmatch(word) if len(word) <= MOST_LETTERS else None
    is_misere = match is not None and match["word"] in _MISERE
    if match is None or isinstance(text, bool) or (match["level"] is None) != is_misere:
        raise EntryError(
            f"contract {quoted(text)} is not known: write a level 6..10 and S, C, D, H or NT (6C, "
            "6♣/-1), or misere (M/=)"
        )
    return Order(
        0 if is_misere else int(match["level"]),
        UNNAMED if is_misere or match["word"] is None else _STRAINS[match["word"]],
        match["wt"] is not None,
        None if match["result"] is None else parse_result(match["result"]),
    )


def is_number(text: str) -> bool:
    """Whether a text is a whole number in ordinary digits, not too long to be meant."""
    return re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) is not None


class Call(NamedTuple):
    """A defender's decision, his tricks, and whether he plays with open hands, where he says so."""

    decision: int
    tricks: int | None = None
    is_open: bool | None = None


def parse_call(text: Any, who: str) -> Call:
    """The call of ``whist``, ``pass``, ``half``, ``whist 5``, ``whist open 5``, ``blind 3``."""
    words = text.casefold().split() if isinstance(text, str) else []
    tricks = int(words.pop()) if len(words) > 1 and is_number(words[-1]) else None
    is_open = MANNERS[words.pop()] if words and words[-1] in MANNERS else None
    decision = CALLS.get(" ".join(words))
    if not words and is_open is not None:
        decision = WHISTED
    if decision is None or (is_open is not None and decision != WHISTED):
        raise EntryError(
            f"{who} = {quoted(text)} is no call: write whist, pass, half, or whist 5 (tricks), "
            "whist open 5, blind 5"
        )
    return Call(decision, tricks, is_open)


_FLAGS = ("open", "dark", "off_mountain", "thrown_in", "all_pass", "refet")
_TABLES = ("tricks", "raspas")


def _item(text: str, names: Sequence[str], keys: Sequence[str]) -> tuple[str, str]:
    """The player or key at the head of an item, and the rest; the longest head wins."""
    heads = sorted((*names, *keys), key=len, reverse=True)
    for head in heads:
        if text == head or text.startswith((f"{head} ", f"{head}=", f"{head}:")):
            return head, text[len(head) :].lstrip(" =:")
    near = nearest(text.partition(" ")[0], heads)
    raise EntryError(
        f"{quoted(text)} begins with no player and no key: players are {', '.join(names)}{near}"
    )


def parse_deal_text(text: str, names: Sequence[str], keys: Sequence[str]) -> dict[str, Any]:
    """An entry of a line such as ``Anna 6♣/-1, Boris whist 5, Vera pass``.

    Items stand between commas or semicolons: a player and what he did, or a key and its value; a
    key alone is true.
    """
    entry: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", text))):
        head, value = _LINE_WORDS.get(part.casefold()) or _item(part, names, keys)
        if head in entry:
            raise EntryError(f"{head} stands twice")
        if head in names and not value:
            raise EntryError(f"nothing is said of {head}")
        if head in _FLAGS and value:
            raise EntryError(f"{head} stands alone in a line")
        if head in _TABLES:
            raise EntryError(f"{head}: in a line write a player's tricks with him: Boris whist 4")
        entry[head] = value or True
    said = [entry[name] for name in names if name in entry]
    if said and "declarer" not in entry and all(map(is_number, said)):
        entry.update({name: int(entry[name]) for name in names if name in entry})
    return entry


def parse_count(value: Any, what: str, most: int = 10) -> int:
    """A number of tricks 0..most, written as an integer or in digits."""
    if isinstance(value, str) and is_number(value.strip()):
        value = int(value)
    if type(value) is not int or not 0 <= value <= most:
        raise EntryError(f"{what} = {quoted(value)} must be a number of tricks from 0 to {most}")
    return value


def parse_flag(entry: Mapping[str, Any], key: str) -> bool:
    """A switch of an entry, false where it is missing."""
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise EntryError(f"{key} = {quoted(value)} must be true or false")
    return value
