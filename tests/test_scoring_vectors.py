"""The scorer against worked examples: every record of ``tests/data`` through the public API.

Each record is tested at every seat: players, dealer and declarer move round the table together.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scoring.contract import MISERE_GAME, RASPAS, STRAIN_LETTERS, TRICKS
from scoring.conventions import BY_KEY
from scoring.deal_score import DECISIONS, WHISTED
from scoring.score_sheet import DealResult, Entries, Matrix, ScoreSheet
from scoring.variant import Variant, find_variant, variant_names

DATA = Path(__file__).parent / "data"

COUNTS = {
    "contracts": 109,
    "raspas": 28,
    "help": 19,
    "endings": 4,
    "settlements": 22,
    "hand_values": 4,
    "not_offered": 6,
}
"""Records in each file."""

CONTRADICTIONS = {"contracts": 4, "help": 2, "settlements": 6}
"""Records whose source claims something else than its rule gives, by file."""

DEAL_OPTIONS: dict[str, Sequence[Any]] = {
    key: BY_KEY[key].values
    for key in (
        "whist.style",
        "whist.remise",
        "whist.duty_one",
        "whist.ten",
        "whist.consolation_passer",
    )
}
DEAL_OPTIONS["values.consolation"] = [(0,) * 5, (2, 4, 6, 8, 10), (10,) * 5]
HELP_OPTIONS: dict[str, Sequence[Any]] = {
    key: BY_KEY[key].values for key in ("end.when", "end.leftover")
}
MADE = {2: 6, 4: 7, 6: 8, 8: 9, 10: 10}
"""Level of the contract that gains so many pool points."""


def read(name: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return records


RECORDS = {name: read(name) for name in COUNTS}


@dataclass(frozen=True)
class Table:
    """A record with its players seated, each ``shift`` places on from his place in the record."""

    record: Mapping[str, Any]
    shift: int = 0

    @property
    def n(self) -> int:
        return len(self.record["seats"])

    def seat(self, player: str) -> int:
        return int((self.record["seats"].index(player) + self.shift) % self.n)

    def row(self, amounts: Mapping[str, Any]) -> list[Fraction]:
        """Amounts by seat; players not named have none."""
        row = [Fraction(0)] * self.n
        for player, amount in amounts.items():
            row[self.seat(player)] = Fraction(str(amount))
        return row

    def matrix(self, whists: Mapping[str, Mapping[str, Any]]) -> Matrix:
        table = [[Fraction(0)] * self.n for _ in range(self.n)]
        for writer, amounts in whists.items():
            table[self.seat(writer)] = self.row(amounts)
        return table

    def entries(self, amounts: Mapping[str, Any]) -> Entries:
        return Entries(
            self.row(amounts.get("pool", {})),
            self.row(amounts.get("mountain", {})),
            self.matrix(amounts.get("whists", {})),
        )

    def variant(self, settings: Mapping[str, Any] | None = None) -> Variant:
        """The record's variant with its conventions, and ``settings`` on top."""
        conventions = self.record.get("conventions", {})
        return find_variant(self.record["variant"], {**conventions, **(settings or {})})

    def sheet(self, settings: Mapping[str, Any] | None = None) -> ScoreSheet:
        """A sheet with the record's pools, mountains and whists."""
        sheet = ScoreSheet(self.variant(settings), self.n, self.record.get("target"))
        self.fill(sheet, self.record)
        return sheet

    def fill(self, sheet: ScoreSheet, amounts: Mapping[str, Any]) -> None:
        sheet.set(
            [int(x) for x in self.row(amounts.get("pool", {}))],
            [int(x) for x in self.row(amounts.get("mountain", {}))],
            {
                (self.seat(writer), self.seat(on)): amount
                for writer, row in amounts.get("whists", {}).items()
                for on, amount in row.items()
            },
        )

    def deal(self) -> DealResult:
        """The record's deal. Where it names no strain, a different one at each seat."""
        deal = self.record["deal"]
        calls = {self.seat(p): DECISIONS.index(call) for p, call in deal["calls"].items()}
        whisters = [seat for seat, call in calls.items() if call == WHISTED]
        strain = self.shift if deal["strain"] is None else STRAIN_LETTERS.index(deal["strain"])
        if deal["level"] == "misere":
            return DealResult(
                self.seat(self.record["dealer"]),
                MISERE_GAME,
                self.seat(deal["declarer"]),
                tricks=self.tricks(deal["tricks"]),
            )
        return DealResult(
            self.seat(self.record["dealer"]),
            TRICKS,
            self.seat(deal["declarer"]),
            deal["level"],
            strain,
            self.tricks(deal["tricks"]),
            calls,
            whisters[-1] if whisters else -1,
            deal["concession"],
        )

    def tricks(self, tricks: Mapping[str, int] | None) -> list[int] | None:
        return None if tricks is None else [int(x) for x in self.row(tricks)]


def tables(name: str) -> list[Any]:
    """Every record of a file at every seat, as parameters of a test."""
    return [
        pytest.param(Table(record, shift), id=f"{record['id']}-at-{shift}")
        for record in RECORDS[name]
        for shift in range(len(record["seats"]))
    ]


def settings_of(options: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of the options."""
    for values in itertools.product(*options.values()):
        yield dict(zip(options, values, strict=True))


def written(sheet: ScoreSheet) -> Entries:
    """What stands on the sheet, as entries (pool with help already given)."""
    return Entries(sheet.pool, sheet.mountain, sheet.whists)


def help_without_deal(table: Table, settings: Mapping[str, Any] | None = None) -> ScoreSheet:
    sheet = table.sheet(settings)
    sheet.gain(table.seat(table.record["player"]), table.record["gain"])
    return sheet


def all_answers(table: Table, name: str) -> Iterator[Entries]:
    """What the record's deal or gain writes under every combination of options."""
    if name == "contracts":
        for settings in settings_of(DEAL_OPTIONS):
            yield table.sheet(settings).entries(table.deal())
    else:
        for settings in settings_of(HELP_OPTIONS):
            yield written(help_without_deal(table, settings))


@pytest.mark.parametrize("name", COUNTS)
def test_no_record_is_lost(name: str) -> None:
    ids = [record["id"] for record in RECORDS[name]]
    assert len(ids) == COUNTS[name]
    assert len(set(ids)) == len(ids)
    contradictions = sum("source_claims" in record for record in RECORDS[name])
    assert contradictions == CONTRADICTIONS.get(name, 0)


def test_every_file_is_read() -> None:
    assert {path.stem for path in DATA.glob("*.json")} == set(COUNTS)


@pytest.mark.parametrize("name", [name for name in COUNTS if name != "not_offered"])
def test_records_are_described(name: str) -> None:
    for record in RECORDS[name]:
        assert record["source"]
        assert len(record["seats"]) == record["players"]
        assert (record["status"] == "contradiction") == ("source_claims" in record)
        assert record["status"] in ("stated", "derived", "contradiction")


@pytest.mark.parametrize("table", tables("contracts"))
def test_contract(table: Table) -> None:
    sheet = table.sheet()
    expected = table.entries(table.record["expect"])
    assert sheet.entries(table.deal()) == expected
    assert sheet.write(table.deal()) == expected
    assert written(sheet) == expected


def test_claims_of_contracts() -> None:
    """A claim against the rule is given by the option named in the record, or by no option."""
    for record in RECORDS["contracts"]:
        if "source_claims" not in record:
            continue
        table = Table(record)
        claim = table.entries(record["source_claims"])
        if "claims_conventions" in record:
            assert table.sheet(record["claims_conventions"]).entries(table.deal()) == claim
        else:
            assert claim not in list(all_answers(table, "contracts"))


@pytest.mark.parametrize("table", tables("raspas"))
def test_raspas(table: Table) -> None:
    record = table.record
    sheet = table.sheet()
    dealer = table.seat(record["dealer"])
    total = [Fraction(0)] * table.n
    for index, tricks in enumerate(record["deals"], record["before"]):
        result = DealResult(dealer, RASPAS, tricks=table.tricks(tricks), raspas_index=index)
        gain = sheet.write(result).pool
        total = [a + b for a, b in zip(total, gain, strict=True)]
    expected = table.entries(record["expect"])
    assert total == expected.pool
    assert written(sheet) == expected
    assert sheet.raspas_index == len(record["deals"])


@pytest.mark.parametrize("table", tables("help"))
def test_help(table: Table) -> None:
    before = table.sheet()
    assert written(before) == table.entries(table.record)
    after = help_without_deal(table)
    assert written(after) == table.entries(table.record["expect"])
    assert after.is_over() == table.record["expect"]["over"]


@pytest.mark.parametrize("table", [p for p in tables("help") if p.values[0].record["gain"] in MADE])
def test_help_by_an_unwhisted_contract(table: Table) -> None:
    player = table.seat(table.record["player"])
    dealer = (player - 1) % table.n
    level = MADE[table.record["gain"]]
    sheet = table.sheet()
    sheet.write(DealResult(dealer, TRICKS, player, level))
    assert written(sheet) == table.entries(table.record["expect"])


def test_claims_of_help() -> None:
    for record in RECORDS["help"]:
        if "source_claims" in record:
            table = Table(record)
            claim = table.entries(record["source_claims"])
            assert claim not in list(all_answers(table, "help"))


@pytest.mark.parametrize("table", tables("endings"))
def test_ending(table: Table) -> None:
    record = table.record
    expect = record["expect"]
    sheet = table.sheet()
    assert not sheet.is_over()
    sheet.write(table.deal())
    assert sheet.pool == table.row(expect["pool"])
    assert sum(sheet.pool) == expect.get("sum", sum(expect["pool"].values()))
    assert sheet.is_over() == expect["over"]
    full = dict.fromkeys(record["seats"], record["target"])
    moved = Table({**record, "pool": full, "mountain": expect["to_mountain"]}, table.shift).sheet()
    assert sheet.settle() == moved.settle()


@pytest.mark.parametrize("table", tables("settlements"))
def test_settlement(table: Table) -> None:
    final = table.sheet().settle()
    assert final == table.row(table.record["expect"]["final"])
    assert sum(final) == 0


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
    for writer, on, sign in ((one, other, 1), (other, one, -1)):
        amount = record["whists"].get(writer, {}).get(on, 0)
        whists = Table({**record, "mountain": {}, "whists": {writer: {on: amount}}}, table.shift)
        mountain = Table(
            {**record, "mountain": {on: record["mountain"].get(on, 0)}, "whists": {}}, table.shift
        )
        balance += sign * whists.sheet().settle()[table.seat(writer)]
        balance += sign * mountain.sheet().settle()[table.seat(writer)]
    return balance


@pytest.mark.parametrize(
    "table", [p for p in tables("settlements") if "pairs" in p.values[0].record["expect"]]
)
def test_settlement_of_pairs(table: Table) -> None:
    for one, balances in table.record["expect"]["pairs"].items():
        for other, balance in balances.items():
            assert pair_balance(table, one, other) == Fraction(str(balance))


def test_claims_of_settlements() -> None:
    """No weight of the pool gives a settlement claimed against the rule."""
    for record in RECORDS["settlements"]:
        if "source_claims" in record:
            table = Table(record)
            claim = table.row(record["source_claims"]["final"])
            for weight in range(5):
                assert table.sheet({"end.pool_weight": weight}).settle() != claim


@pytest.mark.parametrize("table", tables("hand_values"))
def test_hand_value(table: Table) -> None:
    sheet = table.sheet()
    before = sheet.settle()
    assert sheet.write(table.deal()) == table.entries(table.record["expect"])
    values = [after - b for after, b in zip(sheet.settle(), before, strict=True)]
    for player, net in table.record["net"].items():
        assert values[table.seat(player)] == net
    assert sum(values) == 0


@pytest.mark.parametrize(
    "table", [pytest.param(Table(r), id=r["id"]) for r in RECORDS["not_offered"]]
)
def test_no_option_gives(table: Table) -> None:
    """Answers of other programs that we do not offer."""
    assert table.record["reason"]
    answer = table.entries(table.record["answer"])
    assert answer not in list(all_answers(table, table.record["file"]))


@pytest.mark.parametrize("name", variant_names())
def test_half_whist_at_six_and_seven_only(name: str) -> None:
    assert find_variant(name).conventions["whist.half_levels"] == (6, 7)
