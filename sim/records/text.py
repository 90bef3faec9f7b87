"""The text form of records: a line a field, made to be read and written by people.

A record begins with its line ``deal``; a line that begins with a space goes on with the line before
it; ``#`` begins a comment. The lines are another layout of the JSON data (``records.model``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.errors import PreferansError, nearest, quoted, shown
from scoring.variant import TABLE_SIZES, parse_setting, toml_value

from ..cards import SUIT_LETTERS, SUIT_SYMBOLS, format_suit_hand
from ..state import N_HANDS
from .model import (
    BY_PLAYER,
    COUNTS,
    TABLES,
    Data,
    FieldError,
    Record,
    RecordFormError,
    read_data,
    read_hand,
    record_data,
)
from .words import CARD_SECTIONS, DUMMY_WORD, FROM_TALON, SECTIONS

COLUMN = 11
WIDTH = 100
_COMMENT = re.compile(r"(^|\s)#.*")
_ENTRY = re.compile(rf"([0-3]|(?i:{DUMMY_WORD}))(?:\s*:\s*|\s+)(\S.*)")
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_PLAYERS = "0123"

CALL_SECTIONS = tuple(section for section in SECTIONS if section != "tricks")
KEYWORDS = (
    "note",
    "variant",
    "set",
    "pool",
    "players",
    "dealer",
    "claims",
    "sheet",
    "player",
    DUMMY_WORD,
    "talon",
    *CALL_SECTIONS,
    "trick",
    "unfinished",
    "taken",
    "value",
)
"""The words that begin the lines of a record after its line ``deal``."""


# Reading


@dataclass
class _Line:
    number: int
    keyword: str
    rest: str


@dataclass
class _Reader:
    """The lines of one record on their way to JSON data; ``line_of`` finds a field's line."""

    head: _Line
    data: Data = field(default_factory=dict)
    line_of: dict[str, int] = field(default_factory=dict)
    hands: dict[int, str] = field(default_factory=dict)
    tricks: dict[int, list[Any]] = field(default_factory=dict)

    def take(self, line: _Line, key: str) -> None:
        """Note where a field stands; FieldError if it stood before."""
        if key in self.line_of:
            raise FieldError(key, f"stands twice (first in line {self.line_of[key]})")
        self.line_of[key] = line.number

    def line(self, key: str) -> int:
        """The line of a field, or of the nearest field it is a part of."""
        while key and key not in self.line_of:
            key = key.rpartition(".")[0]
        return self.line_of.get(key, self.head.number)


def _integer(text: str) -> Any:
    """An integer where there is one, else the text, which the check of the data refuses."""
    return int(text) if _WHOLE.fullmatch(text) else text


def _numbers(text: str) -> list[Any]:
    return [_integer(word) for word in text.split()]


def _owner(word: str) -> int | str:
    return int(word) if word in _PLAYERS else DUMMY_WORD


def _entries(text: str, section: str) -> list[list[Any]]:
    """``0:pass, 1:6♠``: pairs of a player (the dummy, or None) and a word; several cards share a
    player."""
    moves: list[list[Any]] = []
    for part in text.split(","):
        entry = part.strip()
        found = _ENTRY.fullmatch(entry)
        player, rest = (_owner(found[1]), found[2]) if found else (None, entry)
        many = section in CARD_SECTIONS and not rest.casefold().startswith(FROM_TALON)
        moves += [[player, word] for word in (rest.split() if many else [rest])]
    if not moves:
        raise FieldError(section, "an entry between two commas is empty")
    return moves


def _hand(text: str, key: str) -> str:
    """A hand ``♠AKQ ♣T98 ♦J7 ♥-``, ``SAKQ CT98 DJ7 H`` or ``AKQ.T98.J7.`` in the last form."""
    if "." in text:
        return text
    suits = [""] * 4
    seen = set()
    for word in text.upper().split():
        sign = word[0]
        suit = SUIT_SYMBOLS.find(sign) if sign in SUIT_SYMBOLS else SUIT_LETTERS.find(sign)
        if suit < 0 or suit in seen:
            raise FieldError(key, f"{quoted(word)}: write each suit once, ♠AKQ ♣T98 ♦J7 ♥-")
        seen.add(suit)
        suits[suit] = "" if word[1:] == "-" else word[1:]
    return ".".join(suits)


def _read_deal(reader: _Reader) -> None:
    words = reader.head.rest.split()
    if words[-1:] == ["reversed"]:
        words.pop()
        reader.data["reversed"] = True
    if len(words) > 1 or (words and not _WHOLE.fullmatch(words[0])):
        raise FieldError("number", "write deal, or deal and its number, or deal NUMBER reversed")
    if words:
        reader.data["number"] = int(words[0])


def _read_setting(reader: _Reader, line: _Line) -> None:
    try:
        key, value = parse_setting(line.rest)
    except PreferansError:
        raise FieldError("settings", "write KEY = VALUE, for example raspas.price = 10") from None
    reader.take(line, f"settings.{key}")
    reader.data.setdefault("settings", {})[key] = value


def _cells(text: str) -> list[Any]:
    """The entries of a row of a table; ``-`` is an empty one."""
    return [None if word == "-" else _integer(word) for word in text.split()]


def _read_sheet(reader: _Reader, line: _Line) -> None:
    name, _, rest = line.rest.partition(" ")
    reader.take(line, f"sheet.{name}")
    value: Any = _numbers(rest)
    if name in TABLES:
        value = [_cells(row) for row in rest.split("/ ")]
    elif name in COUNTS and len(value) == 1:
        value = value[0]
    reader.data.setdefault("sheet", {})[name] = value


def _read_player(reader: _Reader, line: _Line) -> None:
    player, _, rest = line.rest.partition(" ")
    if player not in tuple(_PLAYERS) or not rest:
        raise FieldError("hands", "write a player's number and his hand, ♠AKQ ♣T98 ♦J7 ♥-")
    reader.line_of.setdefault("hands", line.number)
    reader.hands[int(player)] = _checked_hand(reader, line, rest, f"hands.{player}")


def _read_dummy(reader: _Reader, line: _Line) -> None:
    if not line.rest:
        raise FieldError(DUMMY_WORD, "nothing stands after it")
    reader.data[DUMMY_WORD] = _checked_hand(reader, line, line.rest, DUMMY_WORD)


def _checked_hand(reader: _Reader, line: _Line, text: str, key: str) -> str:
    reader.take(line, key)
    hand = _hand(text, key)
    read_hand(hand, key)
    return hand


def _read_trick(reader: _Reader, line: _Line) -> None:
    number, _, rest = line.rest.partition(" ")
    if not _WHOLE.fullmatch(number) or not 1 <= int(number) <= 10 or not rest:
        raise FieldError("tricks", "write the trick's number, 1 to 10, and its cards")
    k = int(number)
    reader.take(line, f"tricks.{k}")
    if reader.tricks and k < max(reader.tricks):
        raise FieldError(f"tricks.{k}", f"trick {k} stands after trick {max(reader.tricks)}")
    reader.tricks[k] = _entries(rest, "tricks")


def _read_word(reader: _Reader, line: _Line, word: str) -> None:
    if line.rest != word:
        raise FieldError(
            line.keyword, f"write {f'{line.keyword} {word}'.rstrip()}, or leave it out"
        )
    reader.data[line.keyword] = True


def _read_line(reader: _Reader, line: _Line) -> None:
    """One line into the JSON data. FieldError."""
    keyword, rest = line.keyword, line.rest
    special = {
        "set": _read_setting,
        "sheet": _read_sheet,
        "player": _read_player,
        DUMMY_WORD: _read_dummy,
        "trick": _read_trick,
    }
    if keyword in special:
        special[keyword](reader, line)
        return
    if keyword not in KEYWORDS:
        raise FieldError("deal", f"{shown(keyword)} begins no line{nearest(keyword, KEYWORDS)}")
    reader.take(line, keyword)
    if keyword == "claims":
        _read_word(reader, line, "on")
    elif keyword == "unfinished":
        _read_word(reader, line, "")
    elif not rest:
        raise FieldError(keyword, "nothing stands after it")
    elif keyword in CALL_SECTIONS:
        reader.data[keyword] = _entries(rest, keyword)
    elif keyword in ("pool", "players", "dealer"):
        reader.data[keyword] = _integer(rest)
    elif keyword in ("taken", "value"):
        reader.data[keyword] = _numbers(rest)
    else:
        reader.data[keyword] = rest.split() if keyword == "talon" else rest


def _seat(reader: _Reader) -> None:
    """The hands by player as hands from the eldest. FieldError."""
    n, dealer = reader.data.get("players"), reader.data.get("dealer")
    if not reader.hands or n not in TABLE_SIZES:
        return
    if not isinstance(dealer, int) or not 0 <= dealer < n:
        return
    order = [(dealer + 1 + place) % n for place in range(min(n, N_HANDS))]
    for player in reader.hands:
        if player not in order:
            raise FieldError(f"hands.{player}", f"player {player} has no cards in this deal")
    for player in order:
        if player not in reader.hands:
            raise FieldError("hands", f"the hand of player {player} is missing")
    reader.data["hands"] = [reader.hands[player] for player in order]


def _read_record(lines: Sequence[_Line], where: str) -> Record:
    head = lines[0]
    reader = _Reader(head)
    number = head.number
    try:
        _read_deal(reader)
        for line in lines[1:]:
            number = line.number
            _read_line(reader, line)
        number = 0
        _seat(reader)
        most = max(reader.tricks, default=0)
        reader.data["tricks"] = [reader.tricks.get(k, []) for k in range(1, most + 1)]
        return read_data(reader.data)
    except FieldError as error:
        place = number or reader.line(error.key)
        raise RecordFormError(f"{where}, line {place}: {error.told()}") from None


def _lines(text: str, where: str) -> Iterator[_Line]:
    """The lines with a word, comments gone and continued lines joined."""
    last: _Line | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        said = _COMMENT.sub("", raw)
        words = said.split(maxsplit=1)
        if not words:
            continue
        if said[0].isspace():
            if last is None:
                raise RecordFormError(
                    f"{where}, line {number}: a line that begins with a space goes on with the "
                    "line before it, and there is none"
                )
            last.rest = f"{last.rest} {' '.join(said.split())}".lstrip()
            continue
        if last is not None:
            yield last
        rest = " ".join(words[1].split()) if len(words) > 1 else ""
        last = _Line(number, words[0].casefold(), rest)
    if last is not None:
        yield last


def parse_text(text: str, where: str) -> list[Record]:
    """The records in a text; ``where`` names it in errors. RecordFormError."""
    groups: list[list[_Line]] = []
    for line in _lines(text, where):
        if line.keyword == "deal":
            groups.append([])
        elif not groups:
            raise RecordFormError(
                f"{where}, line {line.number}: a record begins with a line deal, not with "
                f"{shown(line.keyword)}"
            )
        groups[-1].append(line)
    if not groups:
        raise RecordFormError(f"{where} holds no record: a record begins with a line deal")
    return [_read_record(group, where) for group in groups]


# Writing


def _wrapped(keyword: str, parts: Sequence[str], comma: str = ",") -> str:
    """A line of parts; it goes on in the next, after the column of the keywords."""
    lines = [keyword.ljust(COLUMN - 1)]
    for k, part in enumerate(parts):
        word = part + (comma if k < len(parts) - 1 else "")
        if len(lines[-1]) + 1 + len(word) > WIDTH and len(lines[-1]) >= COLUMN:
            lines.append(" " * (COLUMN - 1))
        lines[-1] += f" {word}"
    return "\n".join(line.rstrip() for line in lines)


def _move_parts(moves: Iterable[Sequence[Any]], section: str) -> list[str]:
    """The entries of a line: cards of one player in a row share an entry."""
    parts: list[str] = []
    before: Any = ()
    for player, word in moves:
        joins = section in CARD_SECTIONS and not word.startswith(FROM_TALON)
        if joins and parts and player == before:
            parts[-1] += f" {word}"
        else:
            parts.append(word if player is None else f"{player}:{word}")
        before = player if joins else ()
    return parts


def _sheet_lines(sheet: Data) -> Iterator[str]:
    for name, value in sheet.items():
        text = str(value)
        if name in TABLES:
            cells = [["-" if x is None else str(x) for x in row] for row in value]
            text = " / ".join(map(" ".join, cells))
        elif name in BY_PLAYER:
            text = " ".join(map(str, value))
        yield f"{'sheet':{COLUMN}}{name} {text}"


def _hand_lines(record: Record) -> Iterator[str]:
    for place, cards in enumerate(record.hands or ()):
        yield f"{f'player {record.player_of(place)}':{COLUMN}}{format_suit_hand(cards)}"
    if record.dummy is not None:
        yield f"{DUMMY_WORD:{COLUMN}}{format_suit_hand(record.dummy)}"


def _play_lines(data: Data) -> Iterator[str]:
    for section in SECTIONS:
        if section == "tricks":
            for k, trick in enumerate(data.get("tricks", []), 1):
                if trick:
                    yield _wrapped(f"trick {k}", _move_parts(trick, section))
        elif section in data:
            yield _wrapped(section, _move_parts(data[section], section))


def _record_lines(record: Record) -> Iterator[str]:
    data = record_data(record)
    number = [str(data["number"])] if "number" in data else []
    yield _wrapped("deal", number + ["reversed"] * record.reversed, "")
    for key in ("note", "variant"):
        if key in data:
            yield f"{key:{COLUMN}}{data[key]}"
    for key, value in data.get("settings", {}).items():
        yield f"{'set':{COLUMN}}{key} = {toml_value(value)}"
    for key in ("pool", "players", "dealer"):
        if key in data:
            yield f"{key:{COLUMN}}{data[key]}"
    if record.claims:
        yield f"{'claims':{COLUMN}}on"
    yield from _sheet_lines(data.get("sheet", {}))
    yield from _hand_lines(record)
    if "talon" in data:
        yield _wrapped("talon", data["talon"], "")
    yield from _play_lines(data)
    if record.unfinished:
        yield "unfinished"
    for key in ("taken", "value"):
        if key in data:
            yield _wrapped(key, [str(x) for x in data[key]], "")


def format_text(records: Iterable[Record]) -> str:
    """Records as text, a blank line between two; reads back as the same records."""
    return "\n\n".join("\n".join(_record_lines(record)) for record in records) + "\n"
