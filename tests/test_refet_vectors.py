"""The refet game against worked examples: every record of ``tests/data/refet.json``.

Each is tested at every seat, on the sheet and in protocols in every notation. A protocol from the
middle of a pulka is led up to by hands.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from protocol_bridge import RECORDS
from refet_bridge import (
    RefetTable,
    check_refet_settlement,
    check_sheet,
    keep_refet,
    refet_notations,
    refet_tables,
)

from scoring.conventions import BY_KEY
from scoring.protocol.telling import pulka_json
from scoring.refet import hand_value
from scoring.score_sheet import Entries, ScoreSheet


def claims(reproduced: bool) -> list[Any]:
    """Records whose source claims what some named option gives, or none does."""
    return [
        pytest.param(RefetTable(record), id=record["id"])
        for record in RECORDS["refet"]
        if "source_claims" in record and ("claims_conventions" in record) == reproduced
    ]


def played(table: RefetTable, settings: Any = None) -> tuple[ScoreSheet, ScoreSheet, Entries]:
    """The sheet before the last deal of the record, after it, and what it wrote."""
    before, after = table.board(settings), table.board(settings)
    *lead, last = map(table.hand, table.record["deals"])
    for deal in lead:
        assert not after.is_over()
        before.write(deal)
        after.write(deal)
    return before, after, after.write(last)


@pytest.mark.parametrize("table", refet_tables("writes"))
def test_hand(table: RefetTable) -> None:
    """What a hand writes in columns and soup; refets used and given; the end; the hat."""
    expect = table.record["expect"]
    before, after, entries = played(table)
    last = table.hand(table.record["deals"][-1])
    assert entries == table.written(expect["writes"])
    assert before.entries(last) == entries
    for i, j in itertools.product(range(table.n), repeat=2):
        assert after.columns[i] - before.columns[i] == entries.columns[i]
        assert after.soup[i][j] - before.soup[i][j] == entries.soup[i][j]
    if "value" in expect:
        assert hand_value(before._row(last)) == 12 * expect["value"]
    if "refet" in expect:
        assert before.on_refet(last) == expect["refet"]
    if "to_all" in expect:
        assert before.gives_refets(last) == expect["to_all"]
    if "hat" in expect:
        assert after.is_under_hat() == expect["hat"]
    if "over" in expect:
        assert after.is_over() == expect["over"]
    check_sheet(table, after, expect.get("sheet", {}))


@pytest.mark.parametrize("table", refet_tables("settlement"))
def test_settlement_of_columns(table: RefetTable) -> None:
    """The arithmetic of a sheet, interrupted or at its end."""
    sheet = played(table)[1] if table.record["deals"] else table.board()
    check_refet_settlement(table, sheet)
    check_sheet(table, sheet, table.record["expect"].get("sheet", {}))


@pytest.mark.parametrize("table", refet_tables("over"))
def test_whether_it_is_over(table: RefetTable) -> None:
    """The columns sum to nothing, or not."""
    sheet = played(table)[1] if table.record["deals"] else table.board()
    assert sheet.is_over() == table.record["expect"]["over"]


@pytest.mark.parametrize("table", claims(True))
def test_claim(table: RefetTable) -> None:
    """A source against the rule is right by the option the record names."""
    claim = table.written(table.record["source_claims"])
    assert played(table)[2] != claim
    assert played(table, table.record["claims_conventions"])[2] == claim


FOLLOWING = {
    key: BY_KEY[key].values
    for key in ("follow.short", "contra.soup", "last.made", "betl.lost_contra")
}


@pytest.mark.parametrize("table", claims(False))
def test_slip(table: RefetTable) -> None:
    """No combination of options gives a slip."""
    claim = table.written(table.record["source_claims"])
    for values in itertools.product(*FOLLOWING.values()):
        settings = dict(zip(FOLLOWING, values, strict=True))
        assert played(table, settings)[2] != claim


# Protocols


@pytest.mark.parametrize("table", refet_tables("writes"))
def test_hand_in_protocols(table: RefetTable) -> None:
    """The same in every notation, after hands that lead up to it."""
    expect = table.record["expect"]
    *lead, last = [dict(refet_notations(table, deal)) for deal in table.record["deals"]]
    before = [one["keys"] for one in lead]
    assert len(last) == 3
    for name, entry in last.items():
        pulka = keep_refet(table, [*before, entry])
        step = pulka.steps[-1]
        assert step.entries == table.written(expect["writes"]), name
        if "to_all" in expect:
            assert step.gave_refets == expect["to_all"]
        if "refet" in expect:
            assert step.used_refet == expect["refet"]
        if "over" in expect:
            assert pulka.is_over == expect["over"]
        check_sheet(table, pulka.sheet, expect.get("sheet", {}))
        told = pulka_json(pulka, every_deal=True)["entries"][-1]
        assert told["writes"]["columns"] == step.entries.columns
        assert told["writes"]["soup"] == step.entries.soup


@pytest.mark.parametrize("table", refet_tables("writes"))
def test_a_refet_that_is_said(table: RefetTable) -> None:
    """The sheet knows of refets; what an entry says of them must be so."""
    *lead, last = [next(refet_notations(table, deal))[1] for deal in table.record["deals"]]
    step = keep_refet(table, [*lead, last]).steps[-1]
    right = step.used_refet or step.gave_refets
    assert keep_refet(table, [*lead, {**last, "refet": right}]).steps[-1].entries == step.entries
    with pytest.raises(ValueError, match="refet = (true|false), but"):
        keep_refet(table, [*lead, {**last, "refet": not right}])


@pytest.mark.parametrize("table", refet_tables("settlement"))
def test_settlement_in_protocols(table: RefetTable) -> None:
    """The sheet and its settlement, told as JSON too."""
    deals = [next(refet_notations(table, deal))[1] for deal in table.record["deals"]]
    pulka = keep_refet(table, deals)
    if not deals:
        assert (pulka.sheet.columns, pulka.sheet.soup) == (
            table.board().columns,
            table.board().soup,
        )
    check_refet_settlement(table, pulka.sheet)
    told = pulka_json(pulka)["settlement"]
    expect = table.record["expect"]["settlement"]
    assert [Fraction(x) for x in told["result"]] == table.row(expect["final"])
    assert [sum(map(Fraction, terms)) for terms in told["terms"]] == table.row(expect["final"])


@pytest.mark.parametrize("table", claims(True))
def test_claim_in_protocols(table: RefetTable) -> None:
    """A source against the rule, by the option that the protocol names."""
    deals = [dict(refet_notations(table, deal))["keys"] for deal in table.record["deals"]]
    pulka = keep_refet(table, deals, table.record["claims_conventions"])
    assert pulka.steps[-1].entries == table.written(table.record["source_claims"])
