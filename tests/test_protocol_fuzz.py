"""Random protocols: each is kept and settles to zero, or is refused with one line, never else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from cli_bridge import RUNNER, USAGE
from hypothesis import given, settings
from hypothesis import strategies as st
from random_protocols import (
    HEAD_VALUES,
    JUNK,
    KEYS,
    NAMES,
    SCALARS,
    TOML_JUNK,
    WORDS,
    entries,
    legal_deals,
    legal_refets,
    legal_tables,
    mistaken_deals,
    mistaken_refets,
    mistaken_tables,
    protocols,
    to_toml,
)
from score_bridge import EXAMPLES, warm

from scoring.errors import WrongUse
from scoring.protocol.keeping import Pulka, keep_protocol
from scoring.protocol.notation import parse_call, parse_count, parse_order, parse_result
from scoring.protocol.picturing import make_picture
from scoring.protocol.reading import parse_protocol, parse_stake
from scoring.protocol.refet_notation import parse_level, parse_refet_call, parse_refet_order
from scoring.protocol.telling import pulka_json, pulka_text
from scoring.protocol.tournament import COLUMNS, read_tournament, standings_json, standings_text
from scoring.variant import find_variant
from sim.cli import cli

FUZZ = settings(derandomize=True, deadline=None, max_examples=120)
HEAVY = settings(derandomize=True, deadline=None, max_examples=5000)
COMMAND = settings(derandomize=True, deadline=None, max_examples=30)

# What must hold


def check_pulka(pulka: Pulka) -> None:
    """Whatever is kept settles to exactly zero by both ways, and can be told and drawn."""
    found = pulka.sheet.settlement()
    assert sum(pulka.sheet.settle()) == 0
    assert found.first_way == found.second_way == found.result
    for language in ("en", "ru"):
        pulka_text(pulka, language, every_deal=True).encode()
        make_picture(pulka, language)
    json.dumps(pulka_json(pulka, every_deal=True), ensure_ascii=False).encode()
    for step in pulka.deals():
        if step.result is not None and step.result.tricks is not None:
            stops = bool(step.refets) or len(step.names) == 2
            assert sum(step.result.tricks) == 10 or stops


def check_refusal(error: WrongUse) -> None:
    """One line that a terminal can show."""
    message = str(error)
    assert message.startswith("game: ") and len(message) < 1500
    assert message.isprintable(), message
    message.encode()


def check_protocol(text: str) -> bool:
    """A text as a protocol: whether it was kept."""
    try:
        pulka = keep_protocol(parse_protocol(text, "game"))
    except WrongUse as error:
        check_refusal(error)
        return False
    check_pulka(pulka)
    return True


def check_tournament(text: str) -> bool:
    """A text as a tournament: whether it was kept."""
    try:
        pulkas = read_tournament(text, "game", find_variant("sochi"))
    except WrongUse as error:
        check_refusal(error)
        return False
    for pulka in pulkas:
        check_pulka(pulka)
    standings_text(pulkas, "ru").encode()
    assert sum(sum(pulka.sheet.settle()) for pulka in pulkas) == 0
    assert len(standings_json(pulkas)) == len({name for pulka in pulkas for name in pulka.names})
    return True


def check_both(text: str) -> bool:
    return check_protocol(text) | check_tournament(text)


# Texts

PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(["\n", '"', "'", "{", "}", "[", "]", "[[deals]]", "=", ",", ";", "\r", "\t"]),
    st.text(max_size=3),
)


def changed(texts: list[str]) -> st.SearchStrategy[str]:
    """One of the texts with some pieces cut out, put in, or moved."""

    @st.composite
    def change(draw: st.DrawFn) -> str:
        text = draw(st.sampled_from(texts))
        for _ in range(draw(st.integers(1, 4))):
            start = draw(st.integers(0, len(text)))
            end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 40])))
            piece = draw(PIECES | st.just(text[start:end] * 2))
            text = text[:start] + piece + text[end:]
        return text

    return change()


def shuffled_lines(texts: list[str]) -> st.SearchStrategy[str]:
    """The lines of one of the texts in another order, some left out."""
    lines = st.sampled_from(texts).map(str.splitlines)
    orders = lines.flatmap(lambda one: st.lists(st.sampled_from(one), max_size=len(one) + 2))
    return orders.map("\n".join)


def examples_of(suffix: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob(f"*{suffix}"))]


HEAD = {"players": NAMES[:3], "variant": "sochi"}


def with_deals(deals: list[Any]) -> str:
    return json.dumps({**HEAD, "pool": 1000, "deals": deals})


def of_two(deals: list[Any]) -> str:
    return json.dumps({**HEAD, "players": NAMES[:2], "pool": 1000, "deals": deals})


def as_table(deals: list[Any]) -> str:
    return json.dumps({"players": NAMES[:2], "variant": "razboinik", "deals": deals})


def of_refet(deals: list[Any], players: int = 3) -> str:
    head = {"players": NAMES[:players], "variant": "serbian", "pool": 10_000}
    return json.dumps({**head, "deals": deals})


def spoilt_heads(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A head with some keys of any value."""
    keys = st.sampled_from([*HEAD_VALUES, *HEAD, "deals"])
    return st.dictionaries(keys, values, max_size=2).map(lambda more: {**HEAD, **more})


CELLS = st.one_of(
    st.sampled_from(["", "", "1", "Anna;Boris;Vera", "Anna", "6♣", "=", "-1", "raspas", "yes"]),
    st.sampled_from(
        ["Boris whist, Vera pass", "Anna 2, Boris 3", "Anna 6/=, Boris pass, Vera pass"]
    ),
    st.sampled_from(WORDS),
    st.text(max_size=6),
)


@st.composite
def tables_of_cells(draw: st.DrawFn) -> str:
    """A heading of our columns and rows of cells, quoted as CSV has it."""
    heading = draw(st.permutations(COLUMNS).map(lambda one: one[:8]))
    heading = heading if draw(st.integers(0, 4)) == 0 else ["table", "players", *heading[:6]]
    delimiter = draw(st.sampled_from(",;\t"))
    rows = draw(st.lists(st.lists(CELLS, min_size=1, max_size=len(heading)), max_size=4))
    filled = [["1", "Anna;Boris;Vera", *row] for row in rows]
    quoted = [
        delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row)
        for row in [heading, *filled]
    ]
    return "\n".join(quoted)


KINDS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], bool]]] = {
    "text": (st.text(), check_both),
    "text of words": (st.lists(PIECES, max_size=20).map(" ".join), check_both),
    "bytes": (st.binary().map(lambda x: x.decode("utf-8", "replace")), check_both),
    "changed TOML": (changed(examples_of("toml")), check_protocol),
    "changed JSON": (changed(examples_of("json")), check_protocol),
    "changed CSV": (changed(examples_of("csv")), check_tournament),
    "lines of TOML": (shuffled_lines(examples_of("toml")), check_protocol),
    "lines of CSV": (shuffled_lines(examples_of("csv")), check_tournament),
    "JSON": (JUNK.map(json.dumps), check_both),
    "JSON heads": (spoilt_heads(JUNK).map(json.dumps), check_protocol),
    "TOML heads": (spoilt_heads(TOML_JUNK).map(to_toml), check_protocol),
    "protocols": (protocols().map(json.dumps), check_protocol),
    "protocols in TOML": (protocols().map(to_toml), check_protocol),
    "entries": (st.lists(entries(), max_size=3).map(with_deals), check_protocol),
    "entries of TOML": (
        st.dictionaries(KEYS, TOML_JUNK, max_size=4).map(lambda x: to_toml({**HEAD, "deals": [x]})),
        check_protocol,
    ),
    "mistaken deals": (st.lists(mistaken_deals(), max_size=2).map(with_deals), check_protocol),
    "entries of two": (st.lists(entries(NAMES[:2]), max_size=3).map(of_two), check_protocol),
    "hands of the refet game": (
        st.lists(mistaken_refets() | entries(), max_size=2).map(of_refet),
        check_protocol,
    ),
    "tables of razboinik": (mistaken_tables().map(as_table), check_protocol),
    "cells": (tables_of_cells(), check_tournament),
}


@pytest.mark.parametrize("kind", KINDS)
@FUZZ
@given(data=st.data())
def test_random_protocols(kind: str, data: st.DataObject) -> None:
    """Kept and balanced, or refused in one line."""
    strategy, check = KINDS[kind]
    check(data.draw(strategy))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@HEAVY
@given(data=st.data())
def test_many_random_protocols(kind: str, data: st.DataObject) -> None:
    """The same, longer."""
    strategy, check = KINDS[kind]
    check(data.draw(strategy))


@FUZZ
@given(st.lists(legal_deals(NAMES), max_size=6), st.booleans())
def test_legal_protocols_are_kept(deals: list[dict[str, Any]], as_toml: bool) -> None:
    """The random deals are not all refused: legal ones are kept, at a table of four too."""
    data = {"players": list(NAMES), "variant": "sochi", "pool": 1000, "deals": deals}
    assert check_protocol(to_toml(data) if as_toml else json.dumps(data))


@FUZZ
@given(st.lists(legal_deals(NAMES[:2]), max_size=6), legal_tables(), st.booleans())
def test_legal_protocols_of_two_are_kept(
    deals: list[dict[str, Any]], table: list[dict[str, Any]], as_toml: bool
) -> None:
    """So are those of two players, and tables of razboinik."""
    for text in (of_two(deals), as_table(table)):
        assert check_protocol(to_toml(json.loads(text)) if as_toml else text)


@FUZZ
@given(st.lists(legal_refets(NAMES), max_size=6), st.booleans())
def test_legal_protocols_of_the_refet_game_are_kept(
    deals: list[dict[str, Any]], as_toml: bool
) -> None:
    """And those of the refet game, with four players."""
    text = of_refet(deals, 4)
    assert check_protocol(to_toml(json.loads(text)) if as_toml else text)


# Single values


@FUZZ
@given(SCALARS | JUNK)
def test_random_values(value: Any) -> None:
    """Contracts, results, calls, counts, stakes: a value of the right type, or one line."""
    for read in (
        parse_order,
        parse_result,
        parse_refet_order,
        lambda x: parse_refet_call(x, "game: Anna"),
        lambda x: parse_level(x, "contra"),
        lambda x: parse_call(x, "game: Anna"),
        lambda x: parse_count(x, "game: tricks"),
        lambda x: parse_stake(x, "game"),
    ):
        try:
            read(value)
        except WrongUse as error:
            assert str(error).isprintable()


# The command


def check_command(*arguments: str, data: bytes) -> None:
    """Exit code 0 with a report, or 2 with the usage and one line; never a traceback."""
    done = RUNNER.invoke(cli, ["score", "-", *arguments], input=data)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code in (0, USAGE)
    if done.exit_code == USAGE:
        assert done.stdout == "" and done.stderr.splitlines()[-1].startswith("Error: ")
        assert len(done.stderr.splitlines()) == 4


ARGUMENTS = st.lists(
    st.sampled_from(
        ["--json", "--every-deal", "--lang=ru", "--rounding=code", "--stake=0.3", "--pool=9"]
    ),
    unique=True,
    max_size=3,
)


@COMMAND
@given(st.binary() | st.text().map(str.encode), ARGUMENTS)
def test_random_bytes_for_the_command(data: bytes, arguments: list[str]) -> None:
    """Anything on standard input."""
    warm()
    check_command(*arguments, data=data)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "bytes"])
@COMMAND
@given(data=st.data())
def test_random_protocols_for_the_command(kind: str, data: st.DataObject) -> None:
    """Random protocols and tournaments on standard input."""
    warm()
    text = data.draw(KINDS[kind][0])
    check_command(*data.draw(ARGUMENTS), data=text.encode())
