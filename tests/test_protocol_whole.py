"""Protocols as wholes: notations, settlement, money, the JSON Schema, pictures."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from protocol_bridge import Table, keep, notations
from random_protocols import legal_deals, protocols, to_toml
from score_bridge import (
    EXAMPLES,
    THREE,
    TWO,
    example,
    game,
    game_of,
    protocol,
)

from scoring.drawing.picture import Picture
from scoring.protocol.json_schema import protocol_schema
from scoring.protocol.keeping import Pulka
from scoring.protocol.money import payments, to_money
from scoring.protocol.picturing import make_picture
from scoring.protocol.reading import ProtocolError, parse_protocol
from scoring.protocol.telling import pulka_json, pulka_text
from scoring.tables import format_exact

SETTINGS = settings(derandomize=True, deadline=None, max_examples=100)
OPEN = {"pool": 10_000}
"""The head of a protocol that does not end."""


# The same deal in different files


def settle_all(texts: Sequence[str]) -> None:
    """The texts are one pulka, told with the same words."""
    first, *others = [game_of(text) for text in texts]
    for other in others:
        assert pulka_json(other, every_deal=True) == pulka_json(first, every_deal=True)


@SETTINGS
@given(st.lists(legal_deals(("Anna", "Boris", "Vera")), max_size=6))
def test_toml_and_json(deals: list[dict[str, Any]]) -> None:
    """A protocol is the same in TOML, in JSON, and with lines for tables."""
    data = {"players": ["Anna", "Boris", "Vera"], "variant": "sochi", **OPEN, "deals": deals}
    lines = [", ".join(f"{key} {value}" for key, value in deal.items()) for deal in deals]
    as_json = json.dumps(data)
    settle_all([as_json, to_toml(data), to_toml({**data, "deals": lines})])


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A deal as a record of worked examples has it, in Sochi."""
    dealer, declarer = draw(st.permutations("ABC"))[:2]
    order = ["ABC"[("ABC".index(declarer) + k) % 3] for k in (1, 2)]
    levels = st.sampled_from([6, 7, 8, 9, 10])
    head = {"dealer": dealer, "declarer": declarer, "strain": draw(st.sampled_from("SCDH"))}
    calls = draw(st.sampled_from([("whist", "whist"), ("whist", "pass"), ("pass", "whist")]))
    taken = draw(st.integers(0, 10))
    first = draw(st.integers(0, 10 - taken))
    split = (first, 10 - taken - first)
    if "pass" in calls:
        split = tuple(10 - taken if call == "whist" else 0 for call in calls)
    tricks = {declarer: taken, **dict(zip(order, split, strict=True))}
    return {
        **head,
        "level": draw(levels),
        "calls": dict(zip(order, calls, strict=True)),
        "tricks": tricks,
        "concession": 0,
    }


@SETTINGS
@given(records())
def test_one_deal_in_every_notation(record: dict[str, Any]) -> None:
    """Symbols, letters and Russian letters; results, tricks and calls with numbers."""
    table = Table({"seats": "ABC", "variant": "sochi", "target": 10_000})
    told = set()
    for _, entry in notations(table, record):
        (one,) = pulka_json(keep(table, [entry]), every_deal=True)["entries"]
        del one["text"], one["deal"]["contract"]  # a bare level names no suit
        told.add(json.dumps(one))
    assert len(told) == 1


# Settlement


@st.composite
def sheets(draw: st.DrawFn) -> Pulka:
    """A sheet of any variant with a pool, for two to four, filled by single records."""
    players = draw(st.integers(2, 4))
    names = ("Anna", "Boris", "Vera", "Gleb")[:players]
    entries = draw(st.lists(_record_of(names), max_size=8))
    rounding = draw(st.sampled_from(["exact", "code"]))
    return game(
        *entries,
        players=players,
        variant=draw(st.sampled_from(TWO if players == 2 else THREE)),
        conventions={"end.rounding": rounding},
        stake=draw(st.sampled_from([1, 0.1, 0.5, "0.03", 7, "1.37"])),
    )


def _record_of(names: Sequence[str]) -> st.SearchStrategy[dict[str, Any]]:
    amounts = st.integers(-99, 99).filter(bool)
    points = st.builds(
        lambda who, column, amount: {"misrecord": who, "column": column, "amount": amount},
        st.sampled_from(names),
        st.sampled_from(["pool", "mountain"]),
        amounts,
    )
    pairs = st.permutations(names).map(lambda order: order[:2])
    written = st.builds(
        lambda pair, amount: {
            "misrecord": pair[0],
            "column": "whists",
            "on": pair[1],
            "amount": amount,
        },
        pairs,
        amounts,
    )
    return points | written


@SETTINGS
@given(sheets())
def test_both_ways_of_settling(pulka: Pulka) -> None:
    """By pairs and by the mean comes out the same, exact or moved, and sums to zero."""
    found = pulka.sheet.settlement()
    assert found.first_way == found.second_way == found.result == pulka.sheet.settle()
    assert sum(found.result) == 0
    if pulka.protocol.variant.conventions["end.rounding"] == "code":
        assert all(x.denominator in (1, 2) for x in found.share)


@SETTINGS
@given(sheets())
def test_json_is_exact(pulka: Pulka) -> None:
    """Every number of the JSON output is whole or the text of a fraction; results sum to zero."""
    told = json.loads(json.dumps(pulka_json(pulka, every_deal=True)))
    found = pulka.sheet.settlement()
    steps = told["settlement"]
    assert sum(map(Fraction, steps["result"])) == 0
    for key, values in (
        ("result", found.result),
        ("carried_mountain", found.carried),
        ("share_to_each", found.share),
        ("mountain_part", found.mountain_part),
        ("whist_part", found.whist_part),
    ):
        assert list(map(Fraction, steps[key])) == values
    assert Fraction(steps["mean_mountain"]) == found.mean
    assert sum(map(Fraction, told["money"])) == 0
    values = [list(map(Fraction, one["value"])) for one in told["entries"]]
    assert [sum(x, Fraction(0)) for x in zip(*values, strict=True)] in ([], found.result)


# Money

FRACTIONS = st.fractions(-2000, 2000, max_denominator=12)
BALANCES = st.lists(FRACTIONS, min_size=2, max_size=3).map(lambda row: [*row, -sum(row)])
STAKES = st.decimals("0.001", 1000, places=3) | st.sampled_from(
    [Decimal("0.01"), Decimal("0.5"), Decimal(1), Decimal("1e-6"), Decimal(10) ** 9]
)


@SETTINGS
@given(BALANCES, STAKES)
def test_money_is_balanced(balance: list[Fraction], stake: Decimal) -> None:
    """Whole cents that sum to zero, each within a cent of the exact amount."""
    money = to_money(balance, stake)
    assert sum(money) == 0
    for amount, exact in zip(money, balance, strict=True):
        assert abs(Fraction(amount) - exact * Fraction(stake)) < Fraction(1, 100)
        assert amount == amount.quantize(Decimal("0.01"))


@SETTINGS
@given(BALANCES, STAKES)
def test_payments(balance: list[Fraction], stake: Decimal) -> None:
    """They settle all debts, with at most one payment less than there are players."""
    for amounts in (balance, to_money(balance, stake)):
        left: list[Any] = list(amounts)
        paid = payments(amounts)
        assert len(paid) <= len(amounts) - 1
        for payer, payee, amount in paid:
            assert amount > 0 and payer != payee
            left[payer] += amount
            left[payee] -= amount
        assert not any(left)


def test_money_of_a_pulka() -> None:
    """A stake may be a number or a text; payments are in money, or in whists without a stake."""
    deal = "Anna 6/-1, Boris whist, Vera pass"
    for stake, told in ((0.5, "0.5"), ("0.50", "0.50"), (2, "2")):
        pulka = game(deal, pool=10, stake=stake, currency="EUR")
        assert f"money, {told} EUR a whist" in pulka_text(pulka)
        money = [Fraction(x) for x in pulka_json(pulka)["money"]]
        exact = [x * Fraction(str(stake)) for x in pulka.sheet.settle()]
        assert all(abs(a - b) < Fraction(1, 100) for a, b in zip(money, exact, strict=True))
    pulka = game(deal, pool=10)
    assert "Anna pays Boris: 18⅔ whists" in pulka_text(pulka)
    assert pulka_json(pulka)["payments"][0]["amount"] == "56/3"


# The JSON Schema

SCHEMA = Draft202012Validator(protocol_schema())
MENDED = settings(SETTINGS, max_examples=400)


def test_the_schema_is_valid() -> None:
    """A schema of the dialect it names."""
    Draft202012Validator.check_schema(protocol_schema())


@pytest.mark.parametrize(
    "name", sorted(x.name for x in EXAMPLES.iterdir() if x.suffix in (".toml", ".json"))
)
def test_examples_fit_the_schema(name: str) -> None:
    """Examples in JSON, and those in TOML as the same structure."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    SCHEMA.validate(json.loads(text) if name.endswith("json") else tomllib.loads(text))


BROKEN_HEADS: list[dict[str, Any]] = [
    {"players": ["Anna"]},
    {"players": ["Anna", 3]},
    {"players": ["Anna", "Boris", 3]},
    {"players": ["Anna", "Boris", ""]},
    {"players": "Anna, Boris, Vera"},
    {"players": None},
    {"variant": None},
    {"variant": 1},
    {"pool": 0},
    {"pool": 10_001},
    {"pool": "10"},
    {"pool": True},
    {"stake": True},
    {"stake": []},
    {"title": 5},
    {"currency": 5},
    {"date": 5},
    {"deals": {}},
    {"deals": [5]},
    {"deals": [{}]},
    {"deals": [{"Anna": None}]},
    {"deals": [{"stop": False}]},
    {"deals": [{"time": 1}]},
    {"deals": [{"misrecord": "Anna", "column": "moon", "amount": 1}]},
    {"deals": [{"misrecord": "Anna", "amount": 1}]},
    {"deals": [{"Anna": 5, "Boris": 5, "open": "yes"}]},
    {"deals": [{"thrown_in": 1}]},
    {"conventions": []},
    {"conventions": {"raspas.prise": 1}},
    {"conventions": {"raspas.price": 1001}},
    {"conventions": {"raspas": {"prise": 1}}},
    {"conventions": {"whist.style": "meek"}},
    {"conventions": {"values.made": [1, 2, 3]}},
    {"conventions": {"raspas.progression": []}},
    {"dealer": 5},
    {"total": 0},
    {"tilte": "Friday"},
]


@pytest.mark.parametrize("change", BROKEN_HEADS, ids=str)
def test_broken_protocols_do_not_fit_the_schema(change: dict[str, Any]) -> None:
    """What is wrong by its form is wrong by the schema, and for the reader."""
    data = {**json.loads(protocol("Anna 2, Boris 3")), **change}
    data = {key: x for key, x in data.items() if x is not None or key == "deals"}
    assert not SCHEMA.is_valid(data)
    with pytest.raises(ProtocolError):
        game_of(json.dumps(data))


@MENDED
@given(protocols())
def test_whatever_is_read_fits_the_schema(data: dict[str, Any]) -> None:
    """A protocol the reader keeps is valid by the schema."""
    text = json.dumps(data)
    try:
        game_of(text)
    except ProtocolError:
        return
    SCHEMA.validate(json.loads(text))


NOT_IN_THE_SCHEMA: list[dict[str, Any]] = [
    {"pool": None},
    {"total": None},
    {"stake": None},
    {"date": 5},
    {"date": None},
    {"date": ["2026"]},
    {"conventions": {"contract.concession": 3}, "deals": [{"Anna": "6", "concession": "3"}]},
]


@pytest.mark.parametrize("change", NOT_IN_THE_SCHEMA, ids=str)
def test_reader_and_schema_agree(change: dict[str, Any]) -> None:
    """Values that one of them might take: both do, or neither."""
    data = {**json.loads(protocol("Anna 2, Boris 3")), **change}
    try:
        parse_protocol(json.dumps(data), "game")
        game_of(json.dumps(data))
        kept = True
    except ProtocolError:
        kept = False
    assert kept == SCHEMA.is_valid(data)


# Pictures


def check_picture(pulka: Pulka) -> None:
    """Each column is what was written one under another, and ends with what the sheet says."""
    picture = make_picture(pulka)
    sheet = pulka.sheet
    assert isinstance(picture, Picture)
    assert [one.name for one in picture.players] == list(pulka.names)
    for i, one in enumerate(picture.players):
        columns = [(one.pool, sheet.pool[i]), (one.mountain, sheet.mountain[i])]
        assert sorted(one.whists) == [j for j in range(len(pulka.names)) if j != i]
        columns += [(one.whists[j], sheet.whists[i][j]) for j in one.whists]
        for written, value in columns:
            assert (written[-1] if written else "0") == format_exact(value)
            assert all(a != b for a, b in zip(written, written[1:], strict=False))


@pytest.mark.parametrize("name", ["friday.toml", "four.toml", "finka.toml", "records.toml"])
def test_pictures_of_the_examples(name: str) -> None:
    """Also where a fourth player joined, and where mountains begin with twenty."""
    check_picture(example(name))


def test_a_picture() -> None:
    """Cumulative entries as players write them, the target and the stake in the middle."""
    pulka = example("friday.toml")
    picture = make_picture(pulka)
    assert isinstance(picture, Picture)
    assert picture.players[0].pool == ["2", "3", "5", "9", "10"]
    assert picture.players[1].mountain == ["4", "8", "12"]
    assert picture.players[1].whists[0] == ["8", "48"]
    assert picture.centre[0] == "10" and "0.5 EUR" in picture.centre[1]
    assert "Friday" in picture.title and "Sochi" in picture.title
    assert "Anna -38, Boris 8, Vera 30" in picture.footer[0]
    assert picture.footer[1:] == ["Anna pays Vera: 15.00 EUR", "Anna pays Boris: 4.00 EUR"]
    assert make_picture(example("finka.toml"), "ru").players[0].mountain[0] == "20"


def test_a_picture_of_an_empty_sheet() -> None:
    """Nothing stands on it but the mountains of Finka."""
    for one in make_picture(game()).players:
        assert not one.pool and not one.mountain and not any(one.whists.values())
    assert [one.mountain for one in make_picture(game(variant="finka")).players] == [["20"]] * 3


@SETTINGS
@given(sheets())
def test_pictures(pulka: Pulka) -> None:
    """Of any sheet."""
    check_picture(pulka)


@SETTINGS
@given(st.lists(legal_deals(("Anna", "Boris", "Vera", "Gleb")), max_size=8))
def test_pictures_of_played_pulkas(deals: list[dict[str, Any]]) -> None:
    """Of any deals at a table of four."""
    check_picture(game(*deals, players=4, **OPEN))
