"""The JSON Schema of protocol files, made from the same tables as the reader."""

from __future__ import annotations

from typing import Any

from ..convention import (
    BOOLEAN,
    BY_LEVEL,
    CHOICE,
    INTEGER,
    LEVEL_SET,
    MAX_PROGRESSION,
    ORDER,
    WORD_SET,
    Convention,
)
from ..conventions import CONVENTIONS
from ..score_sheet import COLUMNS
from ..variant import MAX_POOL
from .contracts import DEAL_KEYS
from .notation import TALON_WORDS
from .reading import CONTROL_KEYS, HEAD_KEYS, MAX_ENTRIES

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 60}
_COUNTS: Schema = {
    "type": "object",
    "additionalProperties": {"type": ["integer", "string"]},
    "description": "tricks by player",
}


def _count(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _convention(convention: Convention) -> Schema:
    """What a convention may be; the values are those of ``preferans variants``."""
    kind = convention.kind
    number = _count(convention.low, convention.high)
    words: Schema = {
        "type": "array",
        "items": {"enum": list(convention.values)},
        "uniqueItems": True,
    }
    schemas: dict[str, Schema] = {
        BOOLEAN: _FLAG,
        CHOICE: {"enum": list(convention.values)},
        INTEGER: number,
        BY_LEVEL: {"type": "array", "items": number, "minItems": 5, "maxItems": 5},
        LEVEL_SET: {"type": "array", "items": _count(6, 10), "uniqueItems": True},
        WORD_SET: words,
        ORDER: {**words, "minItems": len(convention.values)},
    }
    series: Schema = {
        "type": "array",
        "items": number,
        "minItems": 1,
        "maxItems": MAX_PROGRESSION,
    }
    return {**schemas.get(kind, series), "description": convention.meaning}


def _conventions() -> Schema:
    """Dotted keys, or tables of the parts after the dot."""
    properties: Schema = {c.key: _convention(c) for c in CONVENTIONS}
    for c in CONVENTIONS:
        head, key = c.key.split(".")
        table = properties.setdefault(
            head, {"type": "object", "properties": {}, "additionalProperties": False}
        )
        table["properties"][key] = _convention(c)
    return {"type": "object", "properties": properties, "additionalProperties": False}


_DEAL: dict[str, Schema] = {
    "dealer": {**_NAME, "description": "who deals; without it the deal passes to the left"},
    "declarer": _NAME,
    "contract": {
        "type": ["string", "integer"],
        "description": "6♣ or 6C, 9NT wt, misere; a bare level; with the result: 6♣/-1; in the "
        "refet game clubs, 5♣, game hearts, betl",
    },
    "result": {
        "type": ["string", "integer"],
        "description": "= made, -1 one trick short, +1 one over; at misere tricks taken, -2",
    },
    "tricks": _COUNTS,
    "raspas": _COUNTS,
    "open": {
        **_FLAG,
        "description": "the lone whister played with open hands; of two players, the dummy's too",
    },
    "concession": {
        "type": ["boolean", "integer", "string"],
        "description": "the declarer wrote the agreed undertricks instead of playing",
    },
    "talon": {
        "anyOf": [_count(0, 3), _TEXT],
        "description": f"quick tricks in the talon: 0 to 3, or {', '.join(TALON_WORDS)}",
    },
    "off_mountain": {**_FLAG, "description": "the declarer writes off his mountain instead"},
    "dark": {**_FLAG, "description": "the eldest passed without looking (raspas)"},
    "thrown_in": {**_FLAG, "description": "both of two players passed, and no raspas are played"},
    "hand": {**_NAME, "description": "whose hand the dealer whists with"},
    "all_pass": {**_FLAG, "description": "the refet game: all passed"},
    "contra": {
        "anyOf": [_count(1, 4), _FLAG, _TEXT],
        "description": "the refet game: contra, recontra, subcontra, mordcontra, or 1 to 4",
    },
    "contra_by": {**_NAME, "description": "the refet game: who said contra"},
    "refet": {
        **_FLAG,
        "description": "checked: the declarer plays on a refet; where all pass, each gets one",
    },
    "note": _TEXT,
}
_EVENT: dict[str, Schema] = {
    "misrecord": {**_NAME, "description": "who wrote wrongly"},
    "correction": {**_NAME, "description": "whose wrong record is corrected"},
    "join": {**_NAME, "description": "a fourth player, who deals next"},
    "time": {"const": True, "description": "time is up before the next deal"},
    "stop": {"const": True, "description": "all agree to stop"},
    "column": {"enum": list(COLUMNS)},
    "on": {**_NAME, "description": "the player written on, for whists"},
    "amount": {"type": "integer", "description": "what was written too much; below 0: too little"},
    "pencil": {**_FLAG, "description": "noticed pencil in hand (Code of Preferans 4.2.8)"},
    "after_auction": {**_FLAG, "description": "noticed after the next auction (4.2.9)"},
    "agreed": {**_FLAG, "description": "all agree to a late correction"},
}
assert set(_DEAL) == set(DEAL_KEYS)


def _event(kind: str) -> Schema:
    keys = (kind, *CONTROL_KEYS[kind])
    required = [kind, *(key for key in keys if key in ("column", "amount"))]
    properties = {key: _EVENT[key] for key in keys} | {"note": _TEXT}
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def protocol_schema() -> Schema:
    """JSON Schema of a protocol; a TOML protocol has the same structure."""
    deal: Schema = {
        "type": "object",
        "properties": _DEAL,
        "additionalProperties": {
            "type": ["string", "integer"],
            "description": "a player's part: a contract (6♣/-1), whist, pass, half, whist 5, whist "
            "open 5, blind 3, or his tricks at raspas; in the refet game comes 2, stays, invites, "
            "invited, contra 5",
        },
        "not": {"anyOf": [{"required": [kind]} for kind in CONTROL_KEYS]},
        "minProperties": 1,
    }
    line: Schema = {
        "type": "string",
        "description": "a deal in one line: Anna 6♣/-1, Boris whist 5, Vera pass",
    }
    properties: dict[str, Schema] = {
        "title": _TEXT,
        "date": _TEXT,
        "players": {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 4},
        "variant": {**_TEXT, "description": "name, alias, or path of a .toml file"},
        "conventions": _conventions(),
        "pool": {
            **_count(1, MAX_POOL),
            "description": "pool points per player; in the refet game the start of each contract "
            "column; razboinik has none",
        },
        "total": {"type": "integer", "minimum": 1, "description": "pool points of all players"},
        "dealer": {**_NAME, "description": "the first dealer; without it the last player"},
        "stake": {"type": ["number", "string"], "description": "money per whist"},
        "currency": _TEXT,
        "deals": {
            "type": "array",
            "maxItems": MAX_ENTRIES,
            "items": {"anyOf": [line, deal, *map(_event, CONTROL_KEYS)]},
        },
    }
    assert set(properties) == set(HEAD_KEYS)
    return {
        "$schema": DIALECT,
        "title": "Protocol of a pulka of Preferans",
        "type": "object",
        "properties": properties,
        "required": ["players", "variant"],
        "additionalProperties": False,
    }
