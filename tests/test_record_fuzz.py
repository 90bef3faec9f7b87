"""Records that are spoilt in any way: read and played, or refused with one sentence, never else."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_makers import FOLDER, random_record

from scoring.errors import PreferansError, WrongUse
from sim.convert.playing import IllegalMove, play_record
from sim.convert.writing import complete
from sim.records.jsonform import format_json, parse_json
from sim.records.model import KEYS, Move, Record
from sim.records.text import KEYWORDS, format_text, parse_text
from sim.records.words import DUMMY, SECTIONS

FUZZ = settings(derandomize=True, deadline=None, max_examples=150)
HEAVY = settings(derandomize=True, deadline=None, max_examples=8000)


def played(record: Record) -> Record:
    """The record as it is written after it has been played again."""
    return complete(play_record(record, "a record"))


def check_text(text: str) -> bool:
    """Whatever a text holds: it is read and played, or refused with one line."""
    try:
        records = (parse_json if text.lstrip()[:1] in ("{", "[") else parse_text)(text, "game")
        assert parse_text(format_text(records), "game") == records
        assert parse_json(format_json(records), "game") == records
        for record in records:
            whole = played(record)
            assert played(whole) == whole
    except PreferansError as error:
        message = str(error)
        assert isinstance(error, WrongUse | IllegalMove)
        assert message and message.isprintable() and len(message) < 600, message
        message.encode()
        return False
    return True


TEXTS = sorted(
    path
    for path in FOLDER.iterdir()
    if path.stem.endswith(("_2", "_4")) or path.stem.startswith("refet")
)
PIECES = st.one_of(
    st.sampled_from([*KEYWORDS, *KEYS, "deal", "pass", "6♠", "♠A", "♥7", "9♠ wt", "talon ♠A"]),
    st.sampled_from(
        ["game", "game betl", "hearts", "comes", "invites", "contra", "columns", "refets"]
    ),
    st.sampled_from(["blind", "agree", "dummy:♠A", "row 7", "rows", "razboinik", "players 2"]),
    st.sampled_from(
        ["\n", ",", ":", "0:", "3:", "dummy:", "#", "{", "}", "[", "]", '"', "null", "1e9", "-"]
    ),
    st.sampled_from(["\x00", "\x0b", "\u2028", "\ud800", "\x7f", "٣", "²", "9" * 700, "/0"]),
    st.text(max_size=3),
)


@st.composite
def changed(draw: st.DrawFn) -> str:
    """A golden file, some records long, with pieces cut out, put in, or moved."""
    path = draw(st.sampled_from(TEXTS))
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".deal":
        deals = text.split("\n\n")
        start = draw(st.integers(0, len(deals) - 1))
        text = "\n\n".join(deals[start : start + draw(st.integers(1, 2))])
    else:
        data = json.loads(text)
        data["deals"] = [draw(st.sampled_from(data["deals"]))]
        text = json.dumps(data, ensure_ascii=False)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 40])))
        text = text[:start] + draw(PIECES | st.just(text[start:end] * 2)) + text[end:]
    return text


@FUZZ
@given(changed())
def test_changed_texts(text: str) -> None:
    """No text gives anything but records or one sentence."""
    check_text(text)


@pytest.mark.slow
@HEAVY
@given(changed())
def test_many_changed_texts(text: str) -> None:
    """The same, more often."""
    check_text(text)


WORDS = {
    "agree": ("agree", "refuse"),
    "row": ("6", "10", "misere", "talon"),
    "dark": ("look", "dark pass"),
    "auction": (
        *("pass", "hold", "6♠", "7NT", "misere", "misere wt", "9♠ wt", "10NT"),
        *("2", "3", "4", "7", "8", "game", "game betl", "game sans", "game preferans"),
    ),
    "suit": ("pass", "spades", "diamonds", "hearts", "clubs"),
    "contract": (
        *("6♠", "8♥", "misere", "9♠ wt", "10NT wt", "concede"),
        *("spades", "hearts", "betl", "sans", "preferans"),
    ),
    "come": ("stays", "comes", "alone", "invites"),
    "contra": ("none", "contra", "recontra", "subcontra", "mordcontra"),
    "whist": ("pass", "whist", "half", "whist with 0", "whist with 3"),
    "open": ("open", "closed", "blind"),
    "catch": ("trust", "catch"),
    "points": ("pool", "mountain"),
    "tricks": ("♠A", "♥7", "♦T", "talon ♠A", "talon ♥7"),
}


def disturbed(record: Record, chance: random.Random) -> Record:
    """A record with one move put in, taken out, or changed."""
    section = chance.choice([*SECTIONS, "tricks", "tricks"])
    tricks = [list(trick) for trick in record.tricks] or [[]]
    moves = {name: list(found) for name, found in record.moves.items()}
    place = chance.choice(tricks) if section == "tricks" else moves.setdefault(section, [])
    where = chance.randrange(len(place) + 1)
    dummy = (DUMMY,) if record.players == 2 else ()
    player = chance.choice((None, *dummy, *range(record.players)))
    word = chance.choice(WORDS.get(section, WORDS["tricks"][:3]))
    place[where : where + chance.randrange(2)] = [Move(player, word)] * chance.randrange(3)
    kept = {name: tuple(found) for name, found in moves.items() if found}
    return replace(record, moves=kept, tricks=tuple(map(tuple, tricks)), taken=None, value=None)


def test_disturbed_moves() -> None:
    """One move too many, too few, or another: the record is played or refused, never else."""
    refused = 0
    records = [random_record(random.Random(seed)) for seed in range(100)]
    for k, record in enumerate(8 * records):
        try:
            played(disturbed(record, random.Random(k)))
        except IllegalMove as error:
            refused += 1
            assert str(error).isprintable() and str(error).startswith("a record, ")
    assert 300 < refused < 800


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 11)
    | st.sampled_from(["pass", "♠A", "6♠", "5/2", "", "AKQJT98...", 10**400, 1.5]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


TABLES = st.sampled_from([("sochi", 3), ("classic_two", 2), ("razboinik", 2), ("prefko", 4)])


@FUZZ
@given(TABLES, st.dictionaries(st.sampled_from([*KEYS, "colour"]), JSON_VALUES))
def test_any_json_data(table: tuple[str, int], changes: dict[str, Any]) -> None:
    """Any JSON data is a record, or is refused for a field it has."""
    variant, players = table
    base = {"number": 5, "variant": variant, "players": players, "dealer": 1, "unfinished": True}
    check_text(json.dumps({"version": 1, "deals": [{**base, **changes}]}))
