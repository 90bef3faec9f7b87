"""The scorer against worked examples: every record of ``tests/data`` through the Python API.

Each record is tested at every seat: players, dealer and declarer move round the table together.
"""

from __future__ import annotations

import fnmatch
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from protocol_bridge import (
    DATA,
    RECORDS,
    Table,
    change,
    check_ending,
    check_settlement,
    check_table,
    tables,
    written,
)

from scoring.conventions import BY_KEY
from scoring.score_sheet import Entries, ScoreSheet
from scoring.variant import find_variant, variant_names

COUNTS = {
    "contracts": 153,
    "endings": 8,
    "hand_values": 7,
    "help": 31,
    "prizes": 13,
    "raspas": 45,
    "record_errors": 8,
    "refet": 88,
    "rows": 12,
    "settlements": 35,
}
"""Records in each file."""

CONTRADICTIONS = {
    "contracts": 4,
    "endings": 1,
    "help": 2,
    "refet": 3,
    "rows": 2,
    "settlements": 6,
}
"""Records whose source claims something else than its rule gives, by file."""

BUGS = {
    "opt-gentleman-odd",
    "ros-commonpool-4p",
    "sp-settle",
    "ol-settle-3",
    "case-settle-3",
    "raz-3B-as-quoted",
    "derived-doc-half-bule",
}
"""Claims that no option gives, because they are slips in arithmetic or in print."""

DEAL_OPTIONS: dict[str, Sequence[Any]] = {
    key: BY_KEY[key].values
    for key in (
        "whist.style",
        "whist.remise",
        "whist.duty_one",
        "whist.passer_tricks",
        "whist.consolation_passer",
    )
}
DEAL_OPTIONS["whist.gentleman_made"] = (False, True)
DEAL_OPTIONS["values.consolation"] = [(0,) * 5, (2, 4, 6, 8, 10), (10,) * 5]
SETTLEMENT_OPTIONS: dict[str, Sequence[Any]] = {
    "end.pool_weight": range(5),
    "end.carry": BY_KEY["end.carry"].values,
    "end.divisor": BY_KEY["end.divisor"].values,
    "end.rounding": BY_KEY["end.rounding"].values,
}


def settings_of(options: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of the options."""
    for values in itertools.product(*options.values()):
        yield dict(zip(options, values, strict=True))


def contradictions(name: str, reproduced: bool) -> list[Any]:
    """Records of a file whose claim some named option gives, or none does."""
    return [
        pytest.param(Table(record), id=record["id"])
        for record in RECORDS[name]
        if "source_claims" in record and ("claims_conventions" in record) == reproduced
    ]


def helped(table: Table, settings: Mapping[str, Any] | None = None) -> ScoreSheet:
    """The record's sheet after its gain."""
    sheet = table.sheet(settings)
    sheet.gain(table.seat(table.record["player"]), table.record["gain"])
    return sheet


def ended(table: Table, settings: Mapping[str, Any] | None = None) -> ScoreSheet:
    """The record's sheet after its deals, and after time was called where it was."""
    sheet = table.sheet(settings)
    if "time" in table.record:
        sheet.call_time()
    for deal in table.deals():
        assert not sheet.is_over()
        sheet.write(table.result(deal))
    return sheet


# The records


@pytest.mark.parametrize("name", COUNTS)
def test_no_record_is_lost(name: str) -> None:
    """Each file has as many records and contradictions as it should, under names of their own."""
    ids = [record["id"] for record in RECORDS[name]]
    assert len(ids) == COUNTS[name]
    assert len(set(ids)) == len(ids)
    claims = sum("source_claims" in record for record in RECORDS[name])
    assert claims == CONTRADICTIONS.get(name, 0)


def test_every_file_is_read() -> None:
    """No file of records is left out of the tests, and no two records have one name."""
    assert set(RECORDS) == set(COUNTS)
    ids = Counter(record["id"] for records in RECORDS.values() for record in records)
    assert set(ids.values()) == {1}


def test_disputes_name_their_records() -> None:
    """The records that the README names for each dispute are there."""
    text = (DATA / "README.md").read_text(encoding="utf-8").split("## Disputes")[1]
    ids = [record["id"] for records in RECORDS.values() for record in records]
    for name in re.findall(r"`([\w*-]+-[\w*-]+)`", text):
        assert fnmatch.filter(ids, name), name
    for name in BUGS:
        assert f"`{name}`" in text


@pytest.mark.parametrize("name", COUNTS)
def test_records_are_described(name: str) -> None:
    """Source, status and players are named; a claim that no option gives has its reason."""
    for record in RECORDS[name]:
        assert record["source"]
        assert len(record["seats"]) == record["players"]
        assert record["status"] in ("stated", "derived", "contradiction")
        assert (record["status"] == "contradiction") == ("source_claims" in record)
        assert ("reason" in record) == (record["id"] in BUGS)
        if record["id"] in BUGS:
            assert record["status"] == "contradiction" and "claims_conventions" not in record


# Contracts


@pytest.mark.parametrize("table", tables("contracts"))
def test_contract(table: Table) -> None:
    """What a deal writes, and what it changes on the sheet."""
    sheet = table.sheet()
    before = written(sheet)
    result = table.result(table.record["deal"])
    expected = table.entries(table.record["expect"])
    entries = table.entries(table.record.get("entries", table.record["expect"]))
    assert sheet.entries(result) == entries
    assert sheet.write(result) == entries
    assert change(before, written(sheet)) == expected


def scored(table: Table, settings: Mapping[str, Any]) -> Entries:
    """What the record's deal writes under other conventions."""
    return table.sheet(settings).entries(table.result(table.record["deal"]))


@pytest.mark.parametrize("table", contradictions("contracts", True))
def test_claim_of_a_contract(table: Table) -> None:
    """A program's answer against the rule is that of the option the record names."""
    claim = table.entries(table.record["source_claims"])
    assert scored(table, {}) != claim
    assert scored(table, table.record["claims_conventions"]) == claim


@pytest.mark.parametrize("table", contradictions("contracts", False))
def test_slip_in_a_contract(table: Table) -> None:
    """No combination of options gives a slip in arithmetic."""
    claim = table.entries(table.record["source_claims"])
    assert all(scored(table, settings) != claim for settings in settings_of(DEAL_OPTIONS))


@pytest.mark.parametrize("name", variant_names())
def test_half_whist_at_six_and_seven_only(name: str) -> None:
    """No variant has a half-whist at eight or more; razboinik has no whists at all."""
    levels = find_variant(name).conventions["whist.half_levels"]
    assert levels == (() if name == "klassika" else (6, 7))


# Raspas


@pytest.mark.parametrize("table", tables("raspas"))
def test_raspas(table: Table) -> None:
    """What raspas in a row write, the first of them after as many as the record says."""
    sheet = table.sheet()
    total = [Fraction(0)] * table.n
    for index, deal in enumerate(table.deals(), table.record["before"]):
        gain = sheet.write(table.result(deal, index)).pool
        total = [a + b for a, b in zip(total, gain, strict=True)]
    expected = table.entries(table.record["expect"])
    assert total == expected.pool
    assert written(sheet) == expected
    assert sheet.raspas_index == len(table.deals())


@pytest.mark.parametrize("table", tables("raspas", "prices"))
def test_price_of_raspas(table: Table) -> None:
    """The price of a trick in a row of raspas, which follows from the sheet itself."""
    sheet = table.sheet()
    for deal, price in zip(table.deals(), table.record["prices"], strict=True):
        mountain = sheet.write(table.result(deal)).mountain
        assert mountain == [price * tricks for tricks in table.row(deal["tricks"])]


# Help


@pytest.mark.parametrize("table", tables("help"))
def test_help(table: Table) -> None:
    """The sheet after pool points are won near the target."""
    assert written(table.sheet()) == table.entries(table.record)
    after = helped(table)
    assert written(after) == table.entries(table.record["expect"])
    assert after.is_over() == table.record["expect"]["over"]


@pytest.mark.parametrize("table", tables("help"))
def test_help_by_an_unwhisted_contract(table: Table) -> None:
    """The same by the contract that wins so many points."""
    record = table.record
    settings = record.get("protocol_conventions", {})
    sheet = table.sheet(settings)
    sheet.write(table.result(table.unwhisted(record["player"], record["gain"], settings)))
    assert written(sheet) == table.entries(record["expect"])


@pytest.mark.parametrize("table", contradictions("help", True))
def test_claim_of_help(table: Table) -> None:
    """A program's answer against the rule is that of the option the record names."""
    claim = table.entries(table.record["source_claims"])
    assert written(helped(table)) != claim
    assert written(helped(table, table.record["claims_conventions"])) == claim


# Prizes and endings


@pytest.mark.parametrize("table", tables("prizes"))
def test_prize(table: Table) -> None:
    """What a deal changes on the sheet, prizes included."""
    sheet = table.sheet()
    before = written(sheet)
    assert not sheet.is_over()
    sheet.write(table.result(table.record["deal"]))
    assert change(before, written(sheet)) == table.entries(table.record["expect"])
    assert sheet.is_over() == table.record["expect"].get("over", False)


@pytest.mark.parametrize("table", tables("endings"))
def test_ending(table: Table) -> None:
    """The last deals of a pulka; its money is that of full pools and the mountains moved."""
    sheet = ended(table)
    check_ending(table, sheet)
    moved = table.row(table.record["expect"]["to_mountain"])
    full = table.sheet()
    full.set(
        [sheet.target] * table.n,
        [a + b for a, b in zip(sheet.mountain, moved, strict=True)],
        {(i, j): x for i, row in enumerate(sheet.whists) for j, x in enumerate(row) if i != j},
    )
    assert sheet.settle() == full.settle()


@pytest.mark.parametrize("table", contradictions("endings", False))
def test_slip_in_an_ending(table: Table) -> None:
    """No way of carrying the pools to the mountains gives a slip in arithmetic."""
    claim = table.row(table.record["source_claims"]["to_mountain"])
    assert not any(table.sheet().mountain)
    for settings in settings_of(SETTLEMENT_OPTIONS):
        assert ended(table, settings).settlement().carried != claim


# Settlements


@pytest.mark.parametrize("table", tables("settlements"))
def test_settlement(table: Table) -> None:
    """The result and the arithmetic of a sheet."""
    check_settlement(table, table.sheet())


@pytest.mark.parametrize("table", tables("settlements"))
def test_exact_settlement(table: Table) -> None:
    """The result where fractions stay."""
    exact = table.record["expect"].get("exact")
    if exact is not None:
        assert table.sheet({"end.rounding": "exact"}).settle() == table.row(exact)


@pytest.mark.parametrize("table", tables("settlements", "rounded"))
def test_rounded_settlement(table: Table) -> None:
    """Whole whists that a program prints differ from the exact ones by less than one."""
    rounded = table.row(table.record["rounded"])
    assert sum(rounded) == 0
    for whole, exact in zip(rounded, table.sheet().settle(), strict=True):
        assert abs(whole - exact) < 1


@pytest.mark.parametrize("part", ["mountain", "whists"])
def test_settlement_in_parts(part: str) -> None:
    """Mountains alone and whists alone settle to the two parts of the second way of settling."""
    records = [r for r in RECORDS["settlements"] if f"{part}_part" in r["expect"]]
    assert records
    for record in records:
        table = Table({**record, "mountain": {}, "whists": {}, part: record[part]})
        assert table.sheet().settle() == table.row(record["expect"][f"{part}_part"])


def pair_balance(table: Table, one: str, other: str) -> Fraction:
    """What ``one`` wins of ``other``: their whists on each other, and shares in their mountains."""
    record = table.record
    balance = Fraction(0)
    lowest = min(record["mountain"].values()) if len(record["mountain"]) == table.n else 0
    for writer, on, sign in ((one, other, 1), (other, one, -1)):
        amount = record["whists"].get(writer, {}).get(on, 0)
        whists = Table({**record, "mountain": {}, "whists": {writer: {on: amount}}}, table.shift)
        points = record["mountain"].get(on, 0) - lowest
        mountain = Table({**record, "mountain": {on: points}, "whists": {}}, table.shift)
        balance += sign * whists.sheet().settle()[table.seat(writer)]
        balance += sign * mountain.sheet().settle()[table.seat(writer)]
    return balance


@pytest.mark.parametrize(
    "table", [p for p in tables("settlements") if "pairs" in p.values[0].record["expect"]]
)
def test_settlement_of_pairs(table: Table) -> None:
    """What one player wins of another, from sheets that hold nothing else."""
    for one, balances in table.record["expect"]["pairs"].items():
        for other, balance in balances.items():
            assert pair_balance(table, one, other) == Fraction(str(balance))


@pytest.mark.parametrize("table", contradictions("settlements", True))
def test_claim_of_a_settlement(table: Table) -> None:
    """A program's answer against the rule is that of the option the record names."""
    claim = table.row(table.record["source_claims"]["final"])
    assert table.sheet().settle() != claim
    assert table.sheet(table.record["claims_conventions"]).settle() == claim


@pytest.mark.parametrize("table", contradictions("settlements", False))
def test_slip_in_a_settlement(table: Table) -> None:
    """No way of settling gives a slip in arithmetic."""
    claim = table.row(table.record["source_claims"]["final"])
    for settings in settings_of(SETTLEMENT_OPTIONS):
        assert table.sheet(settings).settle() != claim


# Tables of razboinik


def kept_table(table: Table, settings: Mapping[str, Any] | None = None) -> ScoreSheet:
    """The record's table after its deals."""
    sheet = ScoreSheet(table.variant(settings))
    for deal in table.table_deals():
        assert not sheet.is_over()
        sheet.write(table.result(deal))
    return sheet


@pytest.mark.parametrize("table", tables("rows"))
def test_table(table: Table) -> None:
    """What the deals write in their rows, and what the sums come to."""
    sheet = kept_table(table)
    check_table(table, sheet)
    filled = ScoreSheet(table.variant())
    filled.set_rows(table.cells(table.record["expect"]["rows"]))
    assert (filled.rows, filled.settlement()) == (sheet.rows, sheet.settlement())


@pytest.mark.parametrize("table", contradictions("rows", True))
def test_claim_of_a_table(table: Table) -> None:
    """A misprint against the rule is the answer of the price that the record names."""
    claim = table.cells(table.record["source_claims"]["rows"])
    assert kept_table(table).rows != claim
    assert kept_table(table, table.record["claims_conventions"]).rows == claim


@pytest.mark.parametrize("table", contradictions("rows", False))
def test_slip_in_a_table(table: Table) -> None:
    """Neither price of a misere that the source has gives a sum whose line is lost."""
    claim = table.row(table.record["source_claims"]["points"])
    for price in (10, 30):
        assert kept_table(table, {"razboinik.misere": price}).mountain != claim


# Values of hands, wrong records


@pytest.mark.parametrize("table", tables("hand_values"))
def test_hand_value(table: Table) -> None:
    """What a deal is worth to a player: the settlement after it less the one before."""
    record = table.record
    sheet = table.sheet()
    before = sheet.settle()
    assert sheet.write(table.result(record["deal"])) == table.entries(record["expect"])
    values = [after - b for after, b in zip(sheet.settle(), before, strict=True)]
    for player, net in record["net"].items():
        assert values[table.seat(player)] == net
    assert sum(values) == 0
    if "share" in record:
        assert sheet.settlement().share == table.row(record["share"])


@pytest.mark.parametrize("table", tables("record_errors"))
def test_wrong_records(table: Table) -> None:
    """Wrong records, each corrected at once: what they cost their writers."""
    sheet = table.sheet()
    penalties = []
    for error in table.record["errors"]:
        on = table.seat(error["on"]) if "on" in error else -1
        wrong = (table.seat(error["player"]), error["column"], error["amount"], on)
        before = written(sheet)
        sheet.misrecord(*wrong)
        assert written(sheet) != before
        correction = sheet.correct(*wrong, pencil=error.get("pencil", False))
        assert correction.struck == error["amount"]
        penalties.append(correction.penalty)
    assert penalties == table.record["expect"]["penalties"]
    assert written(sheet) == table.entries(table.record["expect"])
