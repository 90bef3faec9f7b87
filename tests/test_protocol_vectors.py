"""The scorer against worked examples: every record of ``tests/data`` in protocols.

A protocol is built as data, written as JSON, read, and kept. Examples from the middle of a pulka
are led up to: unwhisted contracts fill the pools, raspas make a row, and records of single amounts
put right what still differs. As in ``test_scoring_vectors`` every record is tested at every seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from protocol_bridge import (
    RECORDS,
    Settings,
    Table,
    change,
    check_ending,
    check_settlement,
    check_table,
    keep,
    lead_up,
    notations,
    protocol_settings,
    tables,
    written,
)
from score_bridge import THREE

from scoring.protocol.keeping import MISRECORD, Pulka, Step, keep_protocol
from scoring.protocol.reading import ProtocolError, parse_protocol
from scoring.protocol.telling import money_of, pulka_json
from scoring.score_sheet import Entries


def last_entries(pulka: Pulka) -> Entries:
    """What the last deal of a protocol wrote, before help."""
    entries = pulka.steps[-1].entries
    assert entries is not None
    return entries


def last_change(table: Table, pulka: Pulka) -> Entries:
    """What the last entry of a protocol changed on the sheet."""
    before = written(table.sheet())
    if len(pulka.steps) > 1:
        step = pulka.steps[-2]
        before = Entries(step.pool, step.mountain, step.whists)
    return change(before, written(pulka.sheet))


def prepared(table: Table, settings: Settings | None = None) -> list[Any]:
    """Entries that lead to the record's sheet, of a pulka that is not over."""
    lead = lead_up(table, settings)
    pulka = keep(table, lead, settings)
    assert written(pulka.sheet) == written(table.sheet(protocol_settings(table, settings)))
    assert not pulka.is_over
    return lead


def claimed(name: str) -> list[Any]:
    """Records of a file whose claim against the rule a named option gives."""
    return [
        pytest.param(Table(record), id=record["id"])
        for record in RECORDS[name]
        if "claims_conventions" in record
    ]


# Contracts


@pytest.mark.parametrize("table", tables("contracts"))
def test_contract(table: Table) -> None:
    """A deal in every notation: what it writes, and what it changes on the sheet."""
    record = table.record
    expected = table.entries(record["expect"])
    for name, entry in notations(table, record["deal"]):
        pulka = keep(table, [entry])
        assert last_entries(pulka) == table.entries(record.get("entries", record["expect"])), name
        assert last_change(table, pulka) == expected, name
        assert pulka.dealer == (table.seat(record["dealer"]) + 1) % table.n


@pytest.mark.parametrize("table", claimed("contracts"))
def test_claim_of_a_contract(table: Table) -> None:
    """A program's answer against the rule, by the option that the protocol names."""
    claim = table.entries(table.record["source_claims"])
    for _, entry in notations(table, table.record["deal"]):
        pulka = keep(table, [entry], table.record["claims_conventions"])
        assert last_entries(pulka) == claim


@pytest.mark.parametrize("level", [8, 9, 10])
@pytest.mark.parametrize("name", THREE)
def test_half_whist_at_eight_is_refused(name: str, level: int) -> None:
    """No variant lets a protocol have a half-whist at eight or more."""
    table = Table({"seats": "DAB", "variant": name})
    with pytest.raises(ProtocolError, match="half-whist is said at|nobody passes"):
        keep(table, [f"D {level}, A pass, B half"])


# Raspas


@pytest.mark.parametrize("table", tables("raspas"))
def test_raspas(table: Table) -> None:
    """Raspas in a row in every notation, after real raspas where the record has some before."""
    record = table.record
    written_deals = [dict(notations(table, deal)) for deal in table.deals()]
    lead = lead_up(table)
    for name in written_deals[0]:
        pulka = keep(table, [*lead, *(deal[name] for deal in written_deals)])
        assert written(pulka.sheet) == table.entries(record["expect"]), name
        assert pulka.sheet.raspas_index == record["before"] + len(written_deals)
        check_prices(table, pulka.deals()[record["before"] :])


def check_prices(table: Table, steps: list[Step]) -> None:
    """The prices of a trick where the record names them."""
    for step, price in zip(steps, table.record.get("prices", []), strict=False):
        assert step.entries is not None and step.result is not None
        assert step.result.tricks is not None
        assert step.entries.mountain == [price * tricks for tricks in step.result.tricks]


# Help, prizes, endings


@pytest.mark.parametrize("table", tables("help"))
def test_help(table: Table) -> None:
    """The sheet after an unwhisted contract near the target, in every notation."""
    record = table.record
    settings = protocol_settings(table)
    deal = table.unwhisted(record["player"], record["gain"], settings)
    lead = prepared(table)
    for name, entry in notations(table, deal):
        pulka = keep(table, [*lead, entry])
        assert written(pulka.sheet) == table.entries(record["expect"]), name
        assert last_entries(pulka).pool == table.row({record["player"]: record["gain"]})
        if "protocol_conventions" not in record:
            assert pulka.is_over == record["expect"]["over"]


@pytest.mark.parametrize("table", claimed("help"))
def test_claim_of_help(table: Table) -> None:
    """A program's answer against the rule, by the option that the protocol names."""
    record = table.record
    settings = protocol_settings(table, record["claims_conventions"])
    deal = table.unwhisted(record["player"], record["gain"], settings)
    entry = next(notations(table, deal))[1]
    pulka = keep(table, [*prepared(table, settings), entry], settings)
    assert written(pulka.sheet) == table.entries(record["source_claims"])


@pytest.mark.parametrize("table", tables("prizes"))
def test_prize(table: Table) -> None:
    """What a deal changes on the sheet, prizes included, in every notation."""
    lead = prepared(table)
    for name, entry in notations(table, table.record["deal"]):
        pulka = keep(table, [*lead, entry])
        assert last_change(table, pulka) == table.entries(table.record["expect"]), name
        assert pulka.is_over == table.record["expect"].get("over", False)


@pytest.mark.parametrize("table", tables("endings"))
def test_ending(table: Table) -> None:
    """The last deals of a pulka, after which no deal is part of it."""
    lead = prepared(table)
    if "time" in table.record:
        lead.append({"time": True})
    deals = [dict(notations(table, deal)) for deal in table.deals()]
    for name in ("short", "keys", "line"):
        entries = [*lead, *(deal[name] for deal in deals)]
        pulka = keep(table, entries)
        check_ending(table, pulka.sheet)
        assert pulka.steps[-1].balance == pulka.sheet.settle()
    with pytest.raises(ProtocolError, match="the pulka ended with entry"):
        keep(table, [*entries, entries[-1]])


# Settlements


@pytest.mark.parametrize("table", tables("settlements"))
def test_settlement(table: Table) -> None:
    """The result and the arithmetic of a sheet, as the protocol is told too."""
    pulka = keep(table, lead_up(table))
    assert written(pulka.sheet) == written(table.sheet())
    check_settlement(table, pulka.sheet)
    final = table.row(table.record["expect"]["final"])
    assert (pulka.steps[-1].balance if pulka.steps else pulka.sheet.settle()) == final
    told = pulka_json(pulka)
    assert [Fraction(x) for x in told["settlement"]["result"]] == final
    assert [Fraction(x) for x in told["sheet"]["mountain"]] == pulka.sheet.mountain


@pytest.mark.parametrize("table", claimed("settlements"))
def test_claim_of_a_settlement(table: Table) -> None:
    """A program's answer against the rule, by the option that the protocol names."""
    pulka = keep(table, lead_up(table), table.record["claims_conventions"])
    assert pulka.sheet.settle() == table.row(table.record["source_claims"]["final"])


# Tables of razboinik


def kept_table(table: Table, name: str, settings: Settings | None = None) -> Pulka:
    """The protocol of the record's deals in one notation, where they have it."""
    written_deals = [dict(notations(table, deal)) for deal in table.table_deals()]
    deals = [deal.get(name, deal["short"]) for deal in written_deals]
    return keep(table, deals, settings, dealer=table.record["dealer"])


@pytest.mark.parametrize("table", tables("rows"))
def test_table(table: Table) -> None:
    """The table and its sums in every notation, as the protocol is told too."""
    for name in ("short", "keys", "line", "tricks"):
        pulka = kept_table(table, name)
        check_table(table, pulka.sheet)
    told = pulka_json(pulka)
    final = table.row(table.record["expect"]["final"])
    assert [Fraction(x) for x in told["settlement"]["result"]] == final
    assert told["settlement"]["difference"] == max(final)
    winner = [name for name, won in zip(table.names, final, strict=True) if won > 0]
    assert told["settlement"]["winner"] == (winner[0] if winner else None)
    rows = [[row[key] for key in row] for row in told["sheet"]["rows"]]
    assert rows == pulka.sheet.rows and told["sheet"]["points"] == pulka.sheet.mountain


@pytest.mark.parametrize("table", claimed("rows"))
def test_claim_of_a_table(table: Table) -> None:
    """A misprint against the rule, by the price that the protocol names."""
    pulka = kept_table(table, "short", table.record["claims_conventions"])
    assert pulka.sheet.rows == table.cells(table.record["source_claims"]["rows"])


# Values of hands, wrong records


@pytest.mark.parametrize("table", tables("hand_values"))
def test_hand_value(table: Table) -> None:
    """What a deal is worth to a player, as the protocol tells it."""
    record = table.record
    for name, entry in notations(table, record["deal"]):
        pulka = keep(table, [entry])
        assert last_entries(pulka) == table.entries(record["expect"]), name
        value = pulka_json(pulka, every_deal=True)["entries"][0]["value"]
        assert pulka.steps[0].balance == [Fraction(x) for x in value]
        for player, net in record["net"].items():
            assert pulka.steps[0].balance[table.seat(player)] == net
        if "share" in record:
            assert pulka.sheet.settlement().share == table.row(record["share"])


def error_entry(kind: str, error: Mapping[str, Any]) -> dict[str, Any]:
    """A wrong record or its correction as an entry."""
    rest = {key: x for key, x in error.items() if key != "player"}
    if kind == MISRECORD:
        rest.pop("pencil", None)
    return {kind: error["player"], **rest}


@pytest.mark.parametrize("table", tables("record_errors"))
def test_wrong_records(table: Table) -> None:
    """Wrong records, each corrected at once."""
    kinds = ("misrecord", "correction")
    errors = table.record["errors"]
    pulka = keep(table, [error_entry(kind, error) for error in errors for kind in kinds])
    corrections = [step.correction for step in pulka.steps if step.correction is not None]
    assert [one.struck for one in corrections] == [error["amount"] for error in errors]
    assert [one.penalty for one in corrections] == table.record["expect"]["penalties"]
    assert written(pulka.sheet) == table.entries(table.record["expect"])


def test_a_late_correction() -> None:
    """After the next auction a wrong record stands, unless all agree (Code 4.2.9)."""
    table = Table({"seats": "ABC", "variant": "code"})
    wrong = {"column": "whists", "on": "B", "amount": 30}
    played = [{"misrecord": "A", **wrong}, "A 2, B 3, C 5"]
    with pytest.raises(ProtocolError, match="entry 3: too late"):
        keep(table, [*played, {"correction": "A", **wrong}])
    pulka = keep(table, [*played, {"correction": "A", **wrong, "agreed": True}])
    assert pulka.sheet.whists == [[0] * 3] * 3


# Notations as people write them

HEAD = 'players = ["A", "B", "C"]\nvariant = "sochi"\n'
ONE_DOWN = [[0, 0, 0], [12, 0, 0], [2, 0, 0]]
"""A six of A one trick short: B whists alone and writes five tricks, both write consolation."""


def kept(text: str) -> Pulka:
    """A protocol in TOML, read and kept."""
    return keep_protocol(parse_protocol(text, "game"))


@pytest.mark.parametrize(
    "deal",
    [
        '{declarer="A", contract="6♣", result="-1", B="whist", C="pass", tricks={B=5}}',
        '{A="6♣/-1", B="whist", C="pass"}',
        '{A="6C/-1", B="whist 5", C="pass"}',
        '{A="6т/–1", B="вист 5", C="пас"}',
        '{A="6", B="whist", C="pass", tricks={A=5}}',
        '{declarer="A", contract=6, result=-1, B="w", C="p"}',
        '"A 6♣/-1, B whist 5, C pass"',
        '"A: 6C/-1; B: whist; C: pass"',
        '"A 6 т / -1, B вист, C пас"',
    ],
)
def test_one_deal_in_many_notations(deal: str) -> None:
    """The same deal, as it may be written by hand."""
    pulka = kept(f"{HEAD}deals = [{deal}]")
    assert pulka.sheet.mountain == [2, 0, 0]
    assert pulka.sheet.whists == ONE_DOWN
    assert pulka.sheet.pool == [0, 0, 0]


@pytest.mark.parametrize(
    "deal",
    ['{A="8/-1", B="whist 2", C="whist 1"}', '"A 8/-1, B whist 2, C whist 1"'],
)
def test_a_contract_without_its_suit(deal: str) -> None:
    """The notation of tournament sheets: no score depends on the suit."""
    pulka = kept(f"{HEAD}deals = [{deal}]")
    assert pulka.sheet.mountain == [6, 0, 0]
    assert pulka.sheet.whists == [[0, 0, 0], [18, 0, 0], [12, 0, 0]]


@pytest.mark.parametrize(
    "deal",
    [
        "{A=2, B=3, C=5}",
        "{raspas={A=2, B=3, C=5}}",
        "{raspas={A=2, B=3}}",
        "{A=2, B=3}",
        '"A 2, B 3, C 5"',
        '"A=2; B=3"',
    ],
)
def test_raspas_in_many_notations(deal: str) -> None:
    """Raspas are the tricks of all; the last count follows from the others."""
    pulka = kept(f'players = ["A", "B", "C"]\nvariant = "rostov"\ndeals = [{deal}]')
    assert pulka.sheet.whists == [[0, 15, 25], [0, 0, 0], [0, 0, 0]]
    assert pulka.steps[0].raspas_index == 0 and pulka.sheet.raspas_index == 1


def test_a_pulka_in_tables_of_toml() -> None:
    """A whole protocol by hand: conventions as a table, deals as tables, time and stake."""
    text = """
players = ["Анна", "Борис", "Вера", "Глеб"]
variant = "ростов"
pool = 4
stake = 0.5

[conventions.raspas]
price = 10

[[deals]]
"Анна" = "6♣/="
"Борис" = "вист 4"
"Вера" = "пас"

[[deals]]
"Борис" = "мизер/="

[[deals]]
raspas = {"Вера" = 0, "Глеб" = 4, "Анна" = 6}
dealer = "Борис"
"""
    pulka = kept(text)
    assert pulka.steps[0].whists == [[0] * 4, [8, 0, 0, 0], [0] * 4, [0] * 4]
    assert pulka.steps[1].pool == [4, 4, 4, 0]
    assert pulka.sheet.pool == [4, 4, 4, 2]
    assert pulka.sheet.whists == [[0] * 4, [28, 0, 40, 10], [60, 0, 0, 50], [0] * 4]
    assert money_of(pulka) == [x / 2 for x in pulka.sheet.settle()]
    assert sum(pulka.sheet.settle()) == 0
