"""The records of ``tests/data``, as the scorer takes them: by the Python API, and in protocols."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scoring.contract import MISERE_GAME, RASPAS, ROWS, STRAIN_LETTERS, STRAIN_SYMBOLS, TRICKS
from scoring.protocol.keeping import Pulka, keep_protocol
from scoring.protocol.notation import TALON_WORDS
from scoring.protocol.reading import parse_protocol
from scoring.result import DECISIONS, WHISTED
from scoring.score_sheet import DealResult, Entries, ScoreSheet
from scoring.settlement import Matrix
from scoring.variant import Variant, find_variant

DATA = Path(__file__).parent / "data"

Record = Mapping[str, Any]
Settings = Mapping[str, Any]


def _read(path: Path) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return records


@functools.cache
def _variant(name: str) -> Variant:
    return find_variant(name)


RECORDS = {path.stem: _read(path) for path in sorted(DATA.glob("*.json"))}


@dataclass(frozen=True)
class Table:
    """A record with its players seated, each ``shift`` places on from his place in the record."""

    record: Record
    shift: int = 0

    @property
    def n(self) -> int:
        return len(self.record["seats"])

    @property
    def names(self) -> list[str]:
        """The players in clockwise order from seat 0."""
        return sorted(self.record["seats"], key=self.seat)

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

    def conventions(self, settings: Settings | None = None) -> dict[str, Any]:
        """The record's conventions, and ``settings`` on top."""
        return {**self.record.get("conventions", {}), **(settings or {})}

    def variant(self, settings: Settings | None = None) -> Variant:
        return _variant(self.record["variant"]).with_settings(self.conventions(settings))

    def sheet(self, settings: Settings | None = None) -> ScoreSheet:
        """A sheet with the pools, mountains and whists the record begins with."""
        total = self.record.get("total")
        target = self.record.get("target") if total is None else total // self.n
        sheet = ScoreSheet(self.variant(settings), self.n, target, total)
        self.fill(sheet, self.record)
        return sheet

    def fill(self, sheet: ScoreSheet, amounts: Mapping[str, Any]) -> None:
        """Overwrite the columns that are given; players not named there have nothing."""
        columns = {key: self.row(amounts[key]) for key in ("pool", "mountain") if key in amounts}
        whists = self.matrix(amounts.get("whists", {}))
        sheet.set(
            **columns,
            whists={(i, j): x for i, row in enumerate(whists) for j, x in enumerate(row) if x},
        )

    def result(self, deal: Record, raspas_index: int | None = None) -> DealResult:
        """A deal of the record. Where it names no strain, a different one at each seat."""
        dealer = self.seat(deal.get("dealer", self.record.get("dealer")))
        tricks = self.tricks(deal["tricks"])
        if deal["level"] == "raspas":
            return DealResult(dealer, RASPAS, tricks=tricks, raspas_index=raspas_index)
        declarer = self.seat(deal["declarer"])
        if deal["level"] == "misere":
            return DealResult(dealer, MISERE_GAME, declarer, tricks=tricks)
        calls = {self.seat(p): DECISIONS.index(call) for p, call in deal["calls"].items()}
        whisters = [seat for seat, call in calls.items() if call == WHISTED]
        return DealResult(
            dealer,
            TRICKS,
            declarer,
            deal["level"],
            self.strain(deal),
            tricks,
            calls,
            whisters[-1] if whisters else -1,
            deal["concession"],
            open_play=deal.get("open", False),
            talon_units=TALON_WORDS[deal.get("talon", "nothing")],
        )

    def strain(self, deal: Record) -> int:
        return self.shift if deal["strain"] is None else STRAIN_LETTERS.index(deal["strain"])

    def tricks(self, tricks: Mapping[str, int] | None) -> list[int] | None:
        return None if tricks is None else [int(x) for x in self.row(tricks)]

    def deals(self) -> list[Record]:
        """The record's deals; raspas in a row may be given by their tricks alone."""
        deals = self.record["deals"] if "deals" in self.record else [self.record["deal"]]
        return [x if "level" in x else {"level": "raspas", "tricks": x} for x in deals]

    def table_deals(self) -> list[Record]:
        """The deals of a table of razboinik, the players in turn, each his rows in order."""
        left = {player: list(rows.items()) for player, rows in self.record["short"].items()}
        dealer = self.record["dealer"]
        declares = self.variant().conventions["razboinik.declarer"] == "dealer"
        deals = []
        while any(left.values()):
            other = next(name for name in self.names if name != dealer)
            declarer, defender = (dealer, other) if declares else (other, dealer)
            row, short = left[declarer].pop(0)
            taken = short if row == "misere" else int(row) - short
            deals.append(
                {
                    "dealer": dealer,
                    "level": row if row == "misere" else int(row),
                    "strain": None,
                    "declarer": declarer,
                    "calls": {},
                    "tricks": {declarer: taken, defender: 10 - taken},
                    "concession": 0,
                }
            )
            dealer = other
        return deals

    def cells(self, rows: Mapping[str, Mapping[str, Any]]) -> list[list[Fraction | None]]:
        """Points by seat and row; None in rows that are not named."""
        table: list[list[Fraction | None]] = [[None] * len(ROWS) for _ in range(self.n)]
        for player, points in rows.items():
            for row, amount in points.items():
                table[self.seat(player)][ROWS.index(row)] = Fraction(amount)
        return table

    def unwhisted(self, player: str, points: int, settings: Settings | None = None) -> Record:
        """The contract worth so many pool points, left unwhisted, with the player eldest."""
        made = self.variant(settings).conventions["values.made"]
        place = self.names.index(player)
        steps = (-1, *range(1, min(self.n, 3)))
        dealer, *defenders = (self.names[(place + k) % self.n] for k in steps)
        return {
            "level": 6 + made.index(points),
            "strain": None,
            "declarer": player,
            "calls": dict.fromkeys(defenders, "pass"),
            "tricks": None,
            "concession": 0,
            "dealer": dealer,
        }


def tables(name: str, key: str = "id") -> list[Any]:
    """Every record of a file (that has ``key``) at every seat, as parameters of a test."""
    return [
        pytest.param(Table(record, shift), id=f"{record['id']}-at-{shift}")
        for record in RECORDS[name]
        for shift in range(len(record["seats"]))
        if key in record
    ]


def written(sheet: ScoreSheet) -> Entries:
    """What stands on the sheet, as entries (pool with help already given)."""
    return Entries(sheet.pool, sheet.mountain, sheet.whists)


def change(before: Entries, after: Entries) -> Entries:
    """What was written between two states of a sheet."""

    def less(x: Sequence[Fraction], y: Sequence[Fraction]) -> list[Fraction]:
        return [a - b for a, b in zip(x, y, strict=True)]

    whists = [less(x, y) for x, y in zip(after.whists, before.whists, strict=True)]
    return Entries(less(after.pool, before.pool), less(after.mountain, before.mountain), whists)


# What a settlement is checked for, however the sheet was kept


def check_settlement(table: Table, sheet: ScoreSheet) -> None:
    """The record's result and all steps of the arithmetic it names, by both ways of settling."""
    expect = table.record["expect"]
    final = table.row(expect["final"])
    found = sheet.settlement()
    assert sheet.settle() == found.result == found.first_way == found.second_way == final
    assert sum(final) == 0
    for key, names in (
        ("amnestied", found.amnestied),
        ("moved", found.moved),
        ("share", found.share),
        ("mountain_part", found.mountain_part),
        ("whists_part", found.whist_part),
    ):
        if key in expect:
            assert names == table.row(expect[key]), key
    if "compensation" in expect:
        assert found.compensation == table.matrix(expect["compensation"])
    if "mean" in expect:  # the source has full pools; ours are equally far from full
        assert found.mean - (found.carried[0] - sheet.mountain[0]) == expect["mean"]
    check_pairs(table, found.pairs, expect.get("pairs", {}))
    check_totals(table, sheet, expect.get("totals", {}))


def check_pairs(table: Table, pairs: Matrix, expect: Mapping[str, Mapping[str, Any]]) -> None:
    """What one player wins of another, and the other loses."""
    for one, balances in expect.items():
        for other, balance in balances.items():
            i, j = table.seat(one), table.seat(other)
            assert pairs[i][j] == -pairs[j][i] == Fraction(str(balance))


def check_totals(table: Table, sheet: ScoreSheet, expect: Mapping[str, Mapping[str, Any]]) -> None:
    """Whists of one player on another with his share of the other's mountain."""
    share = sheet.settlement().share
    for one, totals in expect.items():
        for other, total in totals.items():
            i, j = table.seat(one), table.seat(other)
            assert sheet.whists[i][j] + share[j] == total


def check_ending(table: Table, sheet: ScoreSheet) -> None:
    """Pools at the end, and what they put on the mountains."""
    expect = table.record["expect"]
    assert sheet.pool == table.row(expect["pool"])
    assert sum(sheet.pool) == expect.get("sum", sum(expect["pool"].values()))
    assert sheet.is_over() == expect["over"]
    moved = [a - b for a, b in zip(sheet.settlement().carried, sheet.mountain, strict=True)]
    assert moved == table.row(expect["to_mountain"])


def check_table(table: Table, sheet: ScoreSheet) -> None:
    """The rows of razboinik's table, the sums, and what the winner wins."""
    expect = table.record["expect"]
    final = table.row(expect["final"])
    found = sheet.settlement()
    assert sheet.rows == table.cells(expect["rows"])
    assert found.points == sheet.mountain == table.row(expect["points"])
    assert found.difference == max(final)
    assert sheet.settle() == found.result == found.first_way == found.second_way == final
    assert sheet.is_over() == expect["over"]
    assert sheet.n_deals == expect.get("deals", len(table.table_deals()))


# Protocols


def keep(
    table: Table, entries: Sequence[Any], settings: Settings | None = None, **head: Any
) -> Pulka:
    """A protocol of the record's players and variant with these entries, read and kept."""
    data = {
        "players": table.names,
        "variant": table.record["variant"],
        "conventions": protocol_settings(table, settings),
        "deals": list(entries),
        **head,
    }
    for key, name in (("target", "pool"), ("total", "total")):
        if key in table.record:
            data[name] = table.record[key]
    return keep_protocol(parse_protocol(json.dumps(data, ensure_ascii=False), "game.json"))


def protocol_settings(table: Table, settings: Settings | None = None) -> dict[str, Any]:
    """Conventions of the record, those its protocol needs besides, and ``settings`` on top."""
    needed = table.record.get("protocol_conventions", {})
    return {**table.conventions(needed), **(settings or {})}


def lead_up(table: Table, settings: Settings | None = None) -> list[Any]:
    """Entries that lead to the sheet the record begins with.

    Pools are filled by unwhisted contracts and raspas come before as many as the record has; what
    then still differs is put right by records of single amounts.
    """
    entries = [*_pool_deals(table, settings), *_raspas_row(table)]
    reached = keep(table, entries, settings).sheet
    wanted = table.sheet(protocol_settings(table, settings))
    return entries + list(_records(table, change(written(reached), written(wanted))))


def _pool_deals(table: Table, settings: Settings | None) -> Iterator[Any]:
    """Unwhisted contracts that fill the pools as far as they can; none once time is called."""
    if "time" in table.record:
        return
    needed = protocol_settings(table, settings)
    values = table.variant(needed).conventions
    may_pass = values["whist.both_may_pass"] or table.n == 2
    levels = () if may_pass else values["whist.half_levels"]
    worth = [x for k, x in enumerate(values["values.made"]) if 6 + k not in levels]
    for player, points in table.record.get("pool", {}).items():
        for value in reversed(worth):
            while points >= value:
                points -= value
                yield next(notations(table, table.unwhisted(player, value, needed)))[1]


def _raspas_row(table: Table) -> Iterator[Any]:
    for _ in range(table.record.get("before", 0)):
        dealer = table.record["dealer"]
        hands = [p for p in table.names if table.n < 4 or p != dealer]
        split = (4, 6) if table.n == 2 else (4, 3, 3)
        yield {"dealer": dealer, **dict(zip(hands, split, strict=True))}


def _records(table: Table, amounts: Entries) -> Iterator[dict[str, Any]]:
    """Records of single amounts that change the sheet so."""
    names = table.names
    for i, name in enumerate(names):
        for column, amount in (("pool", amounts.pool[i]), ("mountain", amounts.mountain[i])):
            if amount:
                yield {"misrecord": name, "column": column, "amount": int(amount)}
        for j, amount in enumerate(amounts.whists[i]):
            if amount:
                yield {
                    "misrecord": name,
                    "column": "whists",
                    "on": names[j],
                    "amount": int(amount),
                }


# The deals of a record in every notation

RUSSIAN = ("П", "Т", "Б", "Ч", "БК")
"""Strains in Russian, in bidding order."""


def notations(table: Table, deal: Record) -> Iterator[tuple[str, Any]]:
    """Names of notations, and the deal in each of them."""
    head = {"dealer": deal.get("dealer", table.record.get("dealer"))}
    if deal["level"] == "raspas":
        yield from _raspas_notations(table, deal, head)
        return
    for key in ("concession", "talon"):
        if deal.get(key):
            head[key] = deal[key]
    order = "misere" if deal["level"] == "misere" else str(deal["level"])
    strain = table.strain(deal) if deal["level"] != "misere" else 0
    symbols = {"keys": STRAIN_SYMBOLS, "short": STRAIN_LETTERS, "line": RUSSIAN}
    names = {key: _order(deal, order, strain, signs) for key, signs in symbols.items()}
    yield "short", head | _short(deal, names["short"] + "/" + outcome(deal))
    yield "keys", head | _keys(deal, names["keys"])
    yield "line", _line(head | _short(deal, names["line"] + "/" + outcome(deal)))
    if deal["tricks"] is not None and deal["level"] != "misere":
        tricks = {p: deal["tricks"].get(p, 0) for p in (*deal["calls"], deal["declarer"])}
        entry = {deal["declarer"]: order, **_open(deal), **deal["calls"], "tricks": tricks}
        yield "tricks", head | entry


def _order(deal: Record, order: str, strain: int, signs: Sequence[str]) -> str:
    return order if deal["level"] == "misere" else f"{order}{signs[strain]}"


def outcome(deal: Record) -> str:
    """``=``, ``-1``, ``+1``: the result in the notation of tournament sheets."""
    if deal["concession"]:
        return f"-{deal['concession']}"
    if deal["tricks"] is None:
        return "="
    taken = deal["tricks"][deal["declarer"]]
    over = -taken if deal["level"] == "misere" else taken - deal["level"]
    return "=" if over == 0 else f"{over:+d}"


def _short(deal: Record, order: str) -> dict[str, Any]:
    """``{D = "6C/-1", A = "whist 3", B = "pass"}``; the pass beside a half-whist is left out."""
    calls = dict(deal["calls"])
    if "half" in calls.values():
        calls = {player: call for player, call in calls.items() if call == "half"}
    for player, call in calls.items():
        if call == "whist" and deal["tricks"] is not None:
            manner = {True: "open ", False: "blind ", None: ""}[deal.get("open")]
            calls[player] = f"whist {manner}{deal['tricks'].get(player, 0)}"
    return {deal["declarer"]: order, **calls}


def _keys(deal: Record, order: str) -> dict[str, Any]:
    """``{declarer = "D", contract = "6♣", result = "-1", A = "whist", tricks = {A = 5}}``."""
    entry = {"declarer": deal["declarer"], "contract": order, "result": outcome(deal)}
    if deal["tricks"] is not None and deal["calls"]:
        entry |= _open(deal)
        first = next(iter(deal["calls"]))
        entry["tricks"] = {first: deal["tricks"].get(first, 0)}
    return {**entry, **deal["calls"]}


def _open(deal: Record) -> dict[str, Any]:
    """``open``, where two players say how the whister plays."""
    return {"open": deal["open"]} if "open" in deal else {}


def _line(entry: Mapping[str, Any]) -> str:
    """An entry in one line, with Russian words for calls."""
    words = {"whist": "вист", "pass": "пас", "half": "полвиста", "misere": "мизер"}
    words |= {"open": "открыл", "blind": "втёмную"}
    parts = []
    for key, value in entry.items():
        text = str(value)
        for english, russian in words.items():
            text = text.replace(english, russian)
        parts.append(f"{key} {text}")
    return ", ".join(parts)


def _raspas_notations(
    table: Table, deal: Record, head: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    tricks = deal["tricks"]
    plays = [p for p in tricks if table.n < 4 or p != head["dealer"] or tricks[p]]
    all_but_one = {p: tricks[p] for p in plays[:-1]}
    if table.variant().conventions["raspas.talon_four"] == "dealer_plays":
        all_but_one = {p: tricks.get(p, 0) for p in table.names[:-1]}
    yield "short", {**head, **tricks}
    yield "keys", {**head, "raspas": tricks}
    yield "line", _line({**head, **tricks})
    if sum(tricks.values()) == 10:
        yield "derived", {**head, "raspas": all_but_one}
