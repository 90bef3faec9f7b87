"""The JSON form of records, and its JSON Schema made from the same tables as the reader."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scoring.contract import N_ROWS
from scoring.conventions import CONVENTIONS
from scoring.errors import nearest, one_line, quoted, shown
from scoring.protocol.json_schema import DIALECT, protocol_schema
from scoring.protocol.reading import loads_json
from scoring.result import MAX_PLAYERS, TWO_PLAYERS
from scoring.variant import MAX_POOL, TABLE_SIZES

from ..deals import N_DEALS
from ..state import MAX_CALLS, N_HANDS, N_TRICKS
from .model import (
    COUNTS,
    KEYS,
    MARKS,
    MOST_IN_TRICK,
    MOST_NOTE,
    MOST_POINTS,
    SHEET_KEYS,
    FieldError,
    Record,
    RecordFormError,
    read_data,
    record_data,
)
from .words import DUMMY_WORD, SECTIONS

VERSION = 1
FILE_KEYS = ("version", "deals")

Schema = dict[str, Any]


def parse_json(text: str, where: str) -> list[Record]:
    """The records in a JSON text; ``where`` names it in errors. RecordFormError."""
    try:
        data = loads_json(text)
    except (ValueError, RecursionError) as error:
        raise RecordFormError(f"{where}: not a JSON file: {one_line(error)}") from None
    if not isinstance(data, dict):
        raise RecordFormError(f"{where}: records are a table with version and deals")
    for key in data:
        if key not in FILE_KEYS:
            raise RecordFormError(f"{where}: {shown(key)} is not a key{nearest(key, FILE_KEYS)}")
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordFormError(f"{where}: version {quoted(version)}: this program reads {VERSION}")
    deals = data.get("deals")
    if not isinstance(deals, list) or not deals:
        raise RecordFormError(f"{where}: deals must be a list of records, at least one")
    return [_read(one, f"{where}, deal {k}") for k, one in enumerate(deals, 1)]


def _read(data: Any, where: str) -> Record:
    try:
        return read_data(data)
    except FieldError as error:
        raise RecordFormError(f"{where}: {error.told()}") from None


def format_json(records: Iterable[Record]) -> str:
    """Records as JSON, a field a line; reads back as the same records."""
    deals = ",\n".join(_record_text(record) for record in records)
    return f'{{"version": {VERSION}, "deals": [\n{deals}\n]}}\n'


def _record_text(record: Record) -> str:
    lines = []
    for key, value in record_data(record).items():
        text = json.dumps(value, ensure_ascii=False)
        if key == "tricks":
            tricks = [f"   {json.dumps(trick, ensure_ascii=False)}" for trick in value]
            text = "[\n" + ",\n".join(tricks) + "\n  ]"
        lines.append(f'  "{key}": {text}')
    return " {\n" + ",\n".join(lines) + "\n }"


# The schema

_CARD = r"^[♠♣♦♥SCDHscdh][789TJQKAtjqka]$"


def _whole(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _array(items: Schema, least: int, most: int) -> Schema:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_AMOUNT: Schema = {
    "anyOf": [
        _whole(-MOST_POINTS, MOST_POINTS),
        {"type": "string", "pattern": r"^-?[0-9]{1,9}(/[0-9]{1,2})?$"},
    ]
}
_LEAST, _MOST = min(TABLE_SIZES), max(TABLE_SIZES)


def _by_player(items: Schema) -> Schema:
    return _array(items, _LEAST, _MOST)


_AMOUNTS = _by_player(_AMOUNT)
_PLAYER = _whole(0, MAX_PLAYERS - 1)
_OWNER: Schema = {"anyOf": [_PLAYER, {"const": DUMMY_WORD}, {"type": "null"}]}

_POOL_TOLD = "target in pool points per player; start of the contract columns in the refet game"

_SECTION_WORDS = {
    "agree": "agree or refuse, of each player asked to play raspas without an auction",
    "dark": "look or dark pass, of the eldest",
    "auction": "pass, hold, or a bid: 6♠, 7NT, misere, 9♠ wt; in the refet game 2 to 8, game, "
    "game betl, game sans, game preferans",
    "suit": "refet game, of several who called a game: pass, spades, diamonds, hearts, clubs",
    "row": "a row of razboinik: 6 to 10, misere, or talon (it is taken, the row named later)",
    "passed": "cards passed along at raspas, two of each hand in turn",
    "discard": "the two cards laid away, the higher card last",
    "contract": "the contract named, or concede; in the refet game spades, diamonds, hearts, "
    "clubs, betl, sans, preferans",
    "whist": "pass, whist, half; of the sitting-out dealer pass, or whist with N (a player)",
    "open": "closed or open, of a lone whister; with two players blind or open",
    "catch": "trust or catch, of the defenders of a misere",
    "come": "refet game: stays or comes, of each follower; of one who came alone, alone or invites",
    "contra": "refet game: none, or contra, recontra, subcontra, mordcontra",
    "points": "pool or mountain",
}


def _moves(meaning: str, most: int) -> Schema:
    pair: Schema = {
        "type": "array",
        "prefixItems": [_OWNER, _TEXT],
        "minItems": 2,
        "maxItems": 2,
    }
    return {**_array(pair, 0, most), "description": meaning}


def _settings() -> Schema:
    """Conventions that differ from the variant's, by dotted key."""
    known = protocol_schema()["properties"]["conventions"]["properties"]
    properties = {c.key: known[c.key] for c in CONVENTIONS}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _sheet() -> Schema:
    properties: Schema = {
        "pool": {**_AMOUNTS, "description": "pool points by player"},
        "mountain": {**_AMOUNTS, "description": "mountain points by player"},
        "whists": {
            **_by_player(_AMOUNTS),
            "description": "whists[i][j]: written by player i on player j",
        },
        "columns": {**_AMOUNTS, "description": "refet game: contract columns by player"},
        "soup": {
            **_by_player(_AMOUNTS),
            "description": "refet game: soup[i][j], written by player i on player j",
        },
        **{key: _by_player(_whole(0, most)) for key, most in MARKS.items()},
        "rows": {
            **_array(_array({"anyOf": [_AMOUNT, {"type": "null"}]}, N_ROWS, N_ROWS), 2, 2),
            "description": "razboinik: points of each player's rows 6 to 10 and misere; null: open",
        },
    }
    for key, most in COUNTS.items():
        properties[key] = _whole(-1 if key == "deals_left" else 0, most)
    assert set(properties) == set(SHEET_KEYS)
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "description": "the sheet before the deal; what is left out is as at the start",
    }


def _record() -> Schema:
    properties: Schema = {
        "number": {**_whole(0, N_DEALS - 1), "description": "of the deal; it fixes all cards"},
        "reversed": {**_FLAG, "description": "the talon lies in the other order"},
        "note": {**_TEXT, "minLength": 1, "maxLength": MOST_NOTE},
        "variant": {**_TEXT, "minLength": 1, "description": "name, alias, or path of a .toml file"},
        "settings": _settings(),
        "pool": {**_whole(1, MAX_POOL), "description": _POOL_TOLD},
        "players": _whole(_LEAST, _MOST),
        "dealer": {**_PLAYER, "description": "the next player is the eldest"},
        "claims": {**_FLAG, "description": "the deal ends when its remaining tricks are certain"},
        "sheet": _sheet(),
        "hands": {
            **_array(_TEXT, TWO_PLAYERS, N_HANDS),
            "description": "AKQ.T98.J7.A8 (♠.♣.♦.♥) of each player with cards, from the eldest",
        },
        "dummy": {**_TEXT, "description": "the dummy's hand, with two players"},
        "talon": {
            **_array({**_TEXT, "pattern": _CARD}, 2, 2),
            "description": "its first and its second card",
        },
        **{key: _moves(meaning, MAX_CALLS) for key, meaning in _SECTION_WORDS.items()},
        "tricks": _array(
            _moves("the cards in order; talon ♠A: a card of the talon leads", MOST_IN_TRICK),
            0,
            N_TRICKS,
        ),
        "unfinished": {**_FLAG, "description": "the deal breaks off after the last move"},
        "taken": _by_player(_whole(0, N_TRICKS)),
        "value": {**_AMOUNTS, "description": "whists won by each player"},
    }
    assert set(properties) == set(KEYS) and set(_SECTION_WORDS) == set(SECTIONS) - {"tricks"}
    return {
        "type": "object",
        "properties": {key: properties[key] for key in KEYS},
        "required": ["variant", "players", "dealer"],
        "anyOf": [{"required": ["number"]}, {"required": ["hands", "talon"]}],
        "dependentRequired": {"hands": ["talon"], "talon": ["hands"]},
        "additionalProperties": False,
    }


def record_schema() -> Schema:
    """JSON Schema of a file of records."""
    return {
        "$schema": DIALECT,
        "title": "Records of deals of Preferans",
        "type": "object",
        "properties": {
            "version": {"const": VERSION},
            "deals": {"type": "array", "items": _record(), "minItems": 1},
        },
        "required": list(FILE_KEYS),
        "additionalProperties": False,
    }
