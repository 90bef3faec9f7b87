"""Spoilt games in PPN: each is imported with its slips, or refused with one line, never else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ppn_bridge import DATA, FORMS, play_game, text_of

from scoring.errors import WrongUse
from scoring.protocol.telling import pulka_json, pulka_text
from sim.convert.playing import play_record
from sim.convert.ppn import PpnImport, import_ppn

FUZZ = settings(derandomize=True, deadline=None, max_examples=60)
HEAVY = settings(derandomize=True, deadline=None, max_examples=3000)

TEXTS = [
    *((DATA / name).read_text(encoding="utf-8") for name in ("sample.ppn", "sample_older.ppn")),
    (DATA / "correct.ppn").read_text(encoding="utf-8"),
    *(text_of(play_game(seed, most=4), form) for seed in (3, 5) for form in FORMS[:3]),
]
WORDS = (
    "0",
    "1",
    "3",
    "8",
    "9",
    "P",
    "M3",
    "G",
    "G4",
    "G7",
    "I1",
    "K2",
    "S3",
    "XX",
    "VW",
    "[",
    "]",
)
JUNK = st.sampled_from(
    ["", " ", "\x00", "♠", "[", "]", "…", "9" * 30, "-", ":", ",", "\u0661", "L"]
)


def check(found: PpnImport) -> None:
    """Whatever is imported settles, can be told, and its records can be played; one that breaks off
    has a slip."""
    assert sum(found.pulka.sheet.settle()) == 0
    pulka_text(found.pulka, "ru", every_deal=True)
    json.dumps(pulka_json(found.pulka, every_deal=True))
    assert all("\n" not in slip and slip.isprintable() for slip in found.slips)
    for k, record in enumerate(found.records, 1):
        play_record(record, "deal")
        if record.unfinished:
            assert any(re.match(rf"deal {k}( \(line [0-9]+\))?: ", slip) for slip in found.slips)


def import_or_refuse(text: str) -> bool:
    """Whether it was imported; if not, it was refused in one line."""
    try:
        found = import_ppn(text, "x")
    except WrongUse as error:
        assert str(error).startswith("x: ") and "\n" not in str(error)
        return False
    check(found)
    return True


@st.composite
def spoilt_letters(draw: st.DrawFn) -> str:
    """A game with some letters changed, put in, or taken out."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text) - 1))
        gone = draw(st.integers(0, 2))
        letter = st.sampled_from("123456789ABCDEFGHIJKLMNOPQRSTUVW,:- []")
        text = text[:place] + draw(JUNK | letter) + text[place + gone :]
    return text


@st.composite
def mixed_deals(draw: st.DrawFn) -> str:
    """A game with some fields taken from its other deals, and deals left out or exchanged."""
    lines = draw(st.sampled_from(TEXTS)).splitlines()
    places = [k for k, line in enumerate(lines) if re.match(r"\[?[0-9].{60}", line)]
    for _ in range(draw(st.integers(1, 4))):
        one, other = draw(st.sampled_from(places)), draw(st.sampled_from(places))
        words, others = lines[one].split(" "), lines[other].split(" ")
        field = draw(st.integers(0, min(len(words), len(others)) - 1))
        words[field] = others[field]
        lines[one] = " ".join(words)
    gone = draw(st.lists(st.sampled_from(places), max_size=1))
    return "\n".join(line for k, line in enumerate(lines) if k not in gone)


@st.composite
def spoilt_words(draw: st.DrawFn) -> str:
    """A game with a word or two exchanged, left out, or put in."""
    lines = draw(st.sampled_from(TEXTS)).splitlines()
    for _ in range(draw(st.integers(1, 2))):
        k = draw(st.integers(0, len(lines) - 1))
        words = lines[k].split(" ")
        place = draw(st.integers(0, len(words) - 1))
        new = draw(st.sampled_from(WORDS) | st.none())
        words[place : place + 1] = [] if new is None else [new]
        lines[k] = " ".join(words)
    return "\n".join(lines)


SCALARS: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(WORDS) | st.just(10**400)
)
LISTS = st.lists(SCALARS, max_size=2)
KEYS = st.sampled_from(["p1", "p2", "main", "tricks", "cards"])
VALUES = SCALARS | LISTS | st.dictionaries(KEYS, SCALARS | LISTS, max_size=2)


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in JSON data, as the holder and the key."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    found = []
    for key, value in items:
        found.append((data, key))
        if isinstance(value, dict | list):
            found += _places(value)
    return found


@st.composite
def spoilt_json(draw: st.DrawFn) -> str:
    """A game in JSON with some values changed, often to that of another deal."""
    data = json.loads(text_of(play_game(draw(st.sampled_from([3, 5])), most=3), "json"))
    deals = data["deals"]
    for _ in range(draw(st.integers(0, 2))):
        one, other = draw(st.sampled_from(deals)), draw(st.sampled_from(deals))
        key = draw(st.sampled_from([key for key in one if key in other]))
        one[key] = other[key]
    for _ in range(draw(st.integers(0, 1))):
        holder, key = draw(st.sampled_from(_places(data)))
        holder[key] = draw(VALUES)
    return json.dumps({"deals": data["deals"]} if draw(st.booleans()) else data)


@FUZZ
@given(spoilt_letters())
def test_spoilt_letters(text: str) -> None:
    import_or_refuse(text)


@FUZZ
@given(spoilt_words())
def test_spoilt_words(text: str) -> None:
    import_or_refuse(text)


@FUZZ
@given(mixed_deals())
def test_mixed_deals(text: str) -> None:
    import_or_refuse(text)


@FUZZ
@given(spoilt_json())
def test_spoilt_json(text: str) -> None:
    import_or_refuse(text)


@pytest.mark.slow
@HEAVY
@given(spoilt_letters() | spoilt_words() | mixed_deals() | spoilt_json())
def test_spoilt_games_in_plenty(text: str) -> None:
    import_or_refuse(text)
