"""A record as Python and as JSON data, checked by its form; whether it can be played is not asked.

The JSON data are the one description of a record: the text form is another layout of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring.contract import N_ROWS
from scoring.convention import MAX_PROGRESSION
from scoring.conventions import BY_KEY, RAZBOINIK, REFET
from scoring.errors import WrongUse, nearest, one_line, quoted, shown
from scoring.result import MAX_PLAYERS, TWO_PLAYERS, UNIT
from scoring.sheet import MOST_DARK
from scoring.tables import number_json
from scoring.variant import MAX_POOL, TABLE_SIZES

from ..cards import ALL_CARDS, HAND_SIZE, format_card, format_hand, parse_card, parse_hand
from ..deals import check_number
from ..state import MAX_CALLS, N_HANDS, N_TRICKS
from .words import DUMMY, DUMMY_WORD, SECTIONS, owner_data, spell

MOST_POINTS = 1_000_000
"""Bound of what may stand on a sheet before a deal."""
MOST_NOTE = 200
MOST_LETTERS = 60
"""Bound of a word, a card, or a hand."""
MOST_IN_TRICK = N_HANDS + 1
MOST_DEALS = 100_000
MOST_REFETS = 1000

COUNTS: Mapping[str, int] = {
    "refets_given": MOST_REFETS,
    "raspas_index": MAX_PROGRESSION - 1,
    "dark_row": MOST_DARK,
    "stays": 1000,
    "n_deals": MOST_DEALS,
    "deals_left": 100,
    "clock": 10_000_000,
    "first_pool": 1,
    "first_mountain": 1,
    "ended": 1,
}
"""Numbers on the sheet before a deal (``scoring.sheet``), and the most each may be."""
AMOUNTS = ("pool", "mountain", "whists", "columns", "soup")
MARKS: Mapping[str, int] = {
    "bombs": MOST_DARK,
    "fir_trees": MOST_DEALS,
    "refets": MOST_REFETS,
}
"""Marks by player, and the most each may have."""
BY_PLAYER = (*AMOUNTS, *MARKS, "rows")
TABLES = ("whists", "soup", "rows")
"""What stands on a sheet in a row for each player."""
SHEET_KEYS = (*BY_PLAYER, *COUNTS)
FIELDS: Mapping[str, str] = {"columns": "mountain", "soup": "whists", "rows": "row"}
"""Fields of the sheet that have another name than in a record: the refet game's contract columns
and soup stand in those of others, razboinik's rows in one."""
_OF_REFET = ("columns", "soup", "refets", "refets_given")
KEYS = (
    "number",
    "reversed",
    "note",
    "variant",
    "settings",
    "pool",
    "players",
    "dealer",
    "claims",
    "sheet",
    "hands",
    "dummy",
    "talon",
    *SECTIONS,
    "unfinished",
    "taken",
    "value",
)
"""The keys of a record in JSON, in order."""

Data = dict[str, Any]


def sheet_keys(family: int) -> tuple[str, ...]:
    """What stands on a sheet of a family."""
    if family == RAZBOINIK:
        return ("rows",)
    if family == REFET:
        return (*_OF_REFET, "n_deals")
    return tuple(key for key in SHEET_KEYS if key != "rows" and key not in _OF_REFET)


class RecordFormError(WrongUse):
    """A record that cannot be read: one sentence with the place and what may be written."""


class FieldError(ValueError):
    """What is wrong with one field; ``key`` is its path in the JSON data."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key

    def told(self) -> str:
        """The field and what is wrong with it."""
        if self.key == "deal":
            return str(self)
        return f"{shown(self.key.replace('.', ' ', 1))}: {self}"


@dataclass(frozen=True)
class Move:
    """A word or a card, and the player whose call or hand it is (DUMMY; None: not written)."""

    player: int | None
    word: str


Moves = tuple[Move, ...]


@dataclass(frozen=True)
class Record:
    """One deal as written down.

    ``number`` and ``hands`` with ``talon`` may both be there or one of them; ``reversed`` tells
    that the talon's cards lie in the other order than in the deal of that number. ``sheet`` has
    what stood on the sheet before the deal (none: an empty one), ``hands`` those of the players
    from the eldest and ``dummy`` the dummy's of two players, ``moves`` the moves by section but for
    the ``tricks``; ``taken`` are tricks and ``value`` whists by player.
    """

    variant: str
    players: int
    dealer: int
    number: int | None = None
    reversed: bool = False
    note: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    pool: int | None = None
    claims: bool = False
    sheet: Mapping[str, Any] = field(default_factory=dict)
    hands: tuple[int, ...] | None = None
    dummy: int | None = None
    talon: tuple[int, ...] | None = None
    moves: Mapping[str, Moves] = field(default_factory=dict)
    tricks: tuple[Moves, ...] = ()
    unfinished: bool = False
    taken: tuple[int, ...] | None = None
    value: tuple[Fraction, ...] | None = None

    def player_of(self, place: int) -> int:
        """The player who was dealt the hand in this place of ``hands``."""
        return (self.dealer + 1 + place) % self.players


# Reading


def _integer(value: Any, key: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise FieldError(key, f"{quoted(value)} must be a whole number from {low} to {high}")
    return value


def _flag(value: Any, key: str) -> bool:
    if not isinstance(value, bool):
        raise FieldError(key, f"{quoted(value)} must be true or false")
    return value


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise FieldError(key, f"{quoted(value)} must be text")
    return value


def _word(value: Any, key: str) -> str:
    """A text of a length that may be a word; FieldError."""
    text = _text(value, key)
    if len(text) > MOST_LETTERS:
        raise FieldError(key, f"{quoted(text)} is too long")
    return text


def _list(value: Any, key: str, most: int, least: int = 0) -> list[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        span = f"{least}" if least == most else f"{least} to {most}"
        raise FieldError(key, f"{quoted(value)} must be a list of {span}")
    return value


def _table(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise FieldError(key, f"{quoted(value)} must be a table")
    return value


def _note(value: Any, key: str) -> str:
    note = _text(value, key)
    if note != " ".join(note.split()) or not note.isprintable() or "#" in note:
        raise FieldError(key, f"{quoted(note)} must be one line of single-spaced words without #")
    if not 1 <= len(note) <= MOST_NOTE:
        raise FieldError(key, f"{quoted(note)} must have 1 to {MOST_NOTE} letters")
    return note


def _name(value: Any, key: str) -> str:
    name = _text(value, key)
    if not name or name != " ".join(name.split()) or not name.isprintable() or "#" in name:
        raise FieldError(key, f"{quoted(name)} must be the name of a variant or a .toml file")
    return name


def read_setting(key: str, value: Any) -> Any:
    """The value of a convention as it is kept. FieldError."""
    path = f"settings.{key}"
    if key not in BY_KEY:
        raise FieldError(path, f"{shown(key)} is not a convention{nearest(key, BY_KEY)}")
    try:
        return BY_KEY[key].check(value)
    except ValueError as error:
        raise FieldError(path, one_line(error)) from None


def _settings(value: Any, key: str) -> Data:
    return {name: read_setting(name, x) for name, x in _table(value, key).items()}


_AMOUNT = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,2})?", re.ASCII)


def _amount(value: Any, key: str) -> Fraction:
    """An exact amount in twelfths: an integer, or ``"65/3"``. FieldError."""
    exact = None
    if type(value) is int:
        exact = Fraction(value)
    elif isinstance(value, str) and _AMOUNT.fullmatch(value) and not value.endswith(("/0", "/00")):
        exact = Fraction(value)
    if exact is None or UNIT % exact.denominator or abs(exact) > MOST_POINTS:
        raise FieldError(
            key,
            f"{quoted(value)} must be a number up to {MOST_POINTS}, whole or in twelfths such as "
            "5/2",
        )
    return exact


def _amounts(value: Any, key: str, n: int) -> tuple[Fraction, ...]:
    return tuple(_amount(x, key) for x in _list(value, key, n, n))


def _whists(value: Any, key: str, n: int) -> tuple[tuple[Fraction, ...], ...]:
    rows = tuple(_amounts(row, key, n) for row in _list(value, key, n, n))
    if any(rows[i][i] for i in range(n)):
        raise FieldError(key, f"a player has {key.rpartition('.')[2]} on himself")
    return rows


def _row_points(value: Any, key: str) -> Fraction | None:
    """What a row of razboinik's table cost; None while it is open."""
    points = None if value is None else _amount(value, key)
    if points is not None and points < 0:
        raise FieldError(key, f"{quoted(value)}: a row costs nothing or points above zero")
    return points


def _rows(value: Any, key: str, n: int) -> tuple[tuple[Fraction | None, ...], ...]:
    if n != TWO_PLAYERS:
        raise FieldError(key, "rows are those of razboinik, the game of two players")
    tables = [_list(row, key, N_ROWS, N_ROWS) for row in _list(value, key, n, n)]
    return tuple(tuple(_row_points(x, key) for x in row) for row in tables)


def _sheet_field(name: str, value: Any, n: int) -> Any:
    key = f"sheet.{name}"
    if name in MARKS:
        return tuple(_integer(x, key, 0, MARKS[name]) for x in _list(value, key, n, n))
    if name in BY_PLAYER:
        read = {"whists": _whists, "soup": _whists, "rows": _rows}.get(name, _amounts)
        return read(value, key, n)
    if name not in COUNTS:
        raise FieldError(key, f"{shown(name)} is not on a sheet{nearest(name, SHEET_KEYS)}")
    return _integer(value, key, -1 if name == "deals_left" else 0, COUNTS[name])


def _sheet(value: Any, key: str, n: int) -> Data:
    return {name: _sheet_field(name, x, n) for name, x in _table(value, key).items()}


def _parsed(value: Any, key: str, parse: Callable[[str], int]) -> int:
    try:
        return parse(_word(value, key))
    except FieldError:
        raise
    except ValueError as error:
        raise FieldError(key, one_line(error)) from None


def read_hand(value: Any, key: str) -> int:
    """The mask of a hand written as ``AKQ.T98.J7.A8``. FieldError."""
    return _parsed(value, key, parse_hand)


def _ten_cards(value: Any, key: str) -> int:
    hand = read_hand(value, key)
    if hand.bit_count() != HAND_SIZE:
        raise FieldError(key, f"{format_hand(hand)} has {hand.bit_count()} cards, not 10")
    return hand


def _hands(value: Any, key: str, n: int) -> tuple[int, ...]:
    most = min(n, N_HANDS)
    return tuple(_ten_cards(x, key) for x in _list(value, key, most, most))


def _dummy(value: Any, key: str, n: int) -> int:
    if n != TWO_PLAYERS:
        raise FieldError(key, "there is a dummy with two players only")
    return _ten_cards(value, key)


def _talon(value: Any, key: str) -> tuple[int, ...]:
    return tuple(_parsed(x, key, parse_card) for x in _list(value, key, 2, 2))


def _check_cards(record: Record) -> None:
    """All 32 cards once; a number, or hands and talon, or both."""
    parts = [record.hands, record.talon]
    if record.players == TWO_PLAYERS:
        parts.append(None if record.dummy is None else (record.dummy,))
    if None in parts and any(parts):
        raise FieldError("hands", "all hands and the talon belong together: one is missing")
    if record.hands is None or record.talon is None:
        if record.number is None:
            raise FieldError("number", "the cards are missing: write a number, or all hands")
        return
    if record.reversed and record.number is None:
        raise FieldError("reversed", "only the talon of a number is reversed")
    rest = ALL_CARDS
    for cards in (*record.hands, record.dummy or 0, *(1 << card for card in record.talon)):
        if cards & ~rest:
            twice = format_card((cards & ~rest).bit_length() - 1)
            raise FieldError("hands", f"{twice} is dealt twice")
        rest &= ~cards


def _move(value: Any, key: str, section: str, n: int) -> Move:
    pair = _list(value, key, 2, 2)
    player = pair[0]
    if player == DUMMY_WORD and n == TWO_PLAYERS:
        player = DUMMY
    elif player is not None:
        _integer(player, key, 0, n - 1)
    try:
        return Move(player, spell(section, _word(pair[1], key)))
    except FieldError:
        raise
    except ValueError as error:
        raise FieldError(key, one_line(error)) from None


def _moves(value: Any, section: str, n: int, key: str, most: int) -> Moves:
    return tuple(_move(one, key, section, n) for one in _list(value, key, most))


def _tricks(value: Any, n: int) -> tuple[Moves, ...]:
    given = _list(value, "tricks", N_TRICKS)
    tricks = [
        _moves(one, "tricks", n, f"tricks.{k}", MOST_IN_TRICK) for k, one in enumerate(given, 1)
    ]
    while tricks and not tricks[-1]:
        tricks.pop()
    return tuple(tricks)


def _number(value: Any, key: str) -> int:
    if type(value) is not int or abs(value) > 1 << 63:
        raise FieldError(key, f"{quoted(value)} must be the number of a deal")
    try:
        return check_number(value)
    except ValueError as error:
        raise FieldError(key, one_line(error)) from None


def _need(data: Mapping[str, Any], key: str, meaning: str) -> Any:
    if key not in data:
        raise FieldError(key, f"{key} is missing: {meaning}")
    return data[key]


def _optional(
    data: Mapping[str, Any], key: str, read: Callable[[Any, str], Any], default: Any
) -> Any:
    return read(data[key], key) if key in data else default


def read_data(data: Any) -> Record:
    """The record in JSON data. FieldError names the field that is wrong."""
    for key in _table(data, "deal"):
        if key not in KEYS:
            raise FieldError("deal", f"{shown(key)} is not a key{nearest(key, KEYS)}")
    n = _integer(_need(data, "players", "2, 3 or 4"), "players", min(TABLE_SIZES), MAX_PLAYERS)
    moves = {
        section: _moves(data[section], section, n, section, MAX_CALLS)
        for section in SECTIONS
        if section != "tricks" and data.get(section, []) != []
    }
    record = Record(
        variant=_name(_need(data, "variant", "its name, or a .toml file"), "variant"),
        players=n,
        dealer=_integer(_need(data, "dealer", "the player who deals"), "dealer", 0, n - 1),
        number=_optional(data, "number", _number, None),
        reversed=_optional(data, "reversed", _flag, False),
        note=_optional(data, "note", _note, ""),
        settings=_optional(data, "settings", _settings, {}),
        pool=_optional(data, "pool", lambda x, key: _integer(x, key, 1, MAX_POOL), None),
        claims=_optional(data, "claims", _flag, False),
        sheet=_optional(data, "sheet", lambda x, key: _sheet(x, key, n), {}),
        hands=_optional(data, "hands", lambda x, key: _hands(x, key, n), None),
        dummy=_optional(data, "dummy", lambda x, key: _dummy(x, key, n), None),
        talon=_optional(data, "talon", _talon, None),
        moves=moves,
        tricks=_optional(data, "tricks", lambda x, key: _tricks(x, n), ()),
        unfinished=_optional(data, "unfinished", _flag, False),
        taken=_optional(data, "taken", lambda x, key: _taken(x, key, n), None),
        value=_optional(data, "value", lambda x, key: _amounts(x, key, n), None),
    )
    _check_cards(record)
    return record


def _taken(value: Any, key: str, n: int) -> tuple[int, ...]:
    return tuple(_integer(x, key, 0, N_TRICKS) for x in _list(value, key, n, n))


# Writing


def _sheet_data(name: str, value: Any) -> Any:
    if name in TABLES:
        return [[x if x is None else number_json(x) for x in row] for row in value]
    return [number_json(Fraction(x)) for x in value] if name in BY_PLAYER else value


def _moves_data(moves: Sequence[Move]) -> list[list[Any]]:
    return [[owner_data(m.player), m.word] for m in moves]


def _list_data(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def record_data(record: Record) -> Data:
    """The record as JSON data; what is empty is left out. Reads back as itself."""
    data: Data = {
        "number": record.number,
        "reversed": record.reversed or None,
        "note": record.note or None,
        "variant": record.variant,
        "settings": {k: _list_data(record.settings[k]) for k in BY_KEY if k in record.settings},
        "pool": record.pool,
        "players": record.players,
        "dealer": record.dealer,
        "claims": record.claims or None,
        "sheet": {k: _sheet_data(k, record.sheet[k]) for k in SHEET_KEYS if k in record.sheet},
        "hands": record.hands and list(map(format_hand, record.hands)),
        "dummy": None if record.dummy is None else format_hand(record.dummy),
        "talon": record.talon and list(map(format_card, record.talon)),
        **{s: _moves_data(record.moves.get(s, ())) for s in SECTIONS},
        "unfinished": record.unfinished or None,
        "taken": record.taken and list(record.taken),
        "value": record.value and [number_json(x) for x in record.value],
    }
    data["tricks"] = [_moves_data(trick) for trick in record.tricks]
    return {key: x for key, x in data.items() if x is not None and x != {} and x != []}
