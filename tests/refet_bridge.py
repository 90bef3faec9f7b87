"""Records of the refet game (``tests/data/refet.json``) as the scorer takes them, and protocols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from protocol_bridge import RECORDS, Record, Settings, Table, keep

from scoring.contract import (
    MISERE_GAME,
    RASPAS,
    REFET_CONTRACTS,
    TRICKS,
    refet_strain,
)
from scoring.protocol.keeping import Pulka
from scoring.result import INVITED, PASSED, WHISTED
from scoring.score_sheet import DealResult, Entries, ScoreSheet

CALLS = {"comes": WHISTED, "stays": PASSED, "invited": INVITED}
SYMBOLS = {"spades": "♠", "diamonds": "♦", "hearts": "♥", "clubs": "♣"}
RUSSIAN = {
    **{"spades": "пики", "diamonds": "бубны", "hearts": "черви", "clubs": "трефы"},
    **{"betl": "мизер", "sans": "бескозырная", "preferans": "преферанс"},
    **{"comes": "вист", "stays": "пас", "invites": "зовёт", "invited": "зван"},
    **{"contra": "контра", "recontra": "реконтра", "subcontra": "субконтра"},
    "mordcontra": "мордконтра",
}
LEVELS = ("", "contra", "recontra", "subcontra", "mordcontra")
UNPLAYED = ((6, "diamonds"), (8, "hearts"), (10, "clubs"), (14, "sans"))
"""Contracts that nobody comes to, and what their columns fall by."""


class RefetTable(Table):
    """A record of the refet game, its players ``shift`` seats on."""

    @property
    def start(self) -> int | None:
        return self.record.get("pool")

    def board(self, settings: Settings | None = None) -> ScoreSheet:
        """The sheet with which the record begins."""
        sheet = ScoreSheet(self.variant(settings), self.n, self.start)
        record = self.record
        if "columns" in record:
            sheet.set_columns(self.row(record["columns"]))
        soup = self.matrix(record.get("soup", {}))
        sheet.set_columns(
            soup={(i, j): x for i, row in enumerate(soup) for j, x in enumerate(row) if x}
        )
        return sheet

    def hand(self, deal: Record) -> DealResult:
        """A deal of the record; its dealer matters with four players alone."""
        dealer = self.seat(deal.get("dealer", self.record["seats"][-1]))
        if "all_pass" in deal:
            return DealResult(dealer, RASPAS)
        base = REFET_CONTRACTS.index(deal["contract"]) + 2
        is_betl = deal["contract"] == "betl"
        declarer = self.seat(deal["declarer"])
        calls = {self.seat(p): CALLS[call] for p, call in deal["calls"].items()}
        return DealResult(
            dealer,
            MISERE_GAME if is_betl else TRICKS,
            declarer,
            10 if deal["contract"] == "preferans" else 6,
            0 if is_betl else refet_strain(base),
            self.tricks(deal["tricks"]),
            calls,
            without_talon=deal.get("from_hand", False),
            contra=deal.get("contra", 0),
            contra_by=self.seat(deal["contra_by"]) if "contra_by" in deal else -1,
        )

    def written(self, amounts: Mapping[str, Any]) -> Entries:
        """Columns and soup as entries."""
        return Entries(
            [Fraction(0)] * self.n,
            self.row(amounts.get("columns", {})),
            self.matrix(amounts.get("soup", {})),
        )


def refet_tables(key: str = "id") -> list[Any]:
    """Every record (that expects ``key``) at every seat, as parameters of a test."""
    return [
        pytest.param(RefetTable(record, shift), id=f"{record['id']}-at-{shift}")
        for record in RECORDS["refet"]
        for shift in range(len(record["seats"]))
        if key in record or key in record["expect"]
    ]


def check_sheet(table: RefetTable, sheet: ScoreSheet, expect: Mapping[str, Any]) -> None:
    """What stands on the sheet, as far as the record says."""
    for key, found in (("columns", sheet.columns), ("refets", sheet.refets)):
        for player, amount in expect.get(key, {}).items():
            assert found[table.seat(player)] == amount, key
    if "soup" in expect:
        assert sheet.soup == table.matrix(expect["soup"])
    if "given" in expect:
        assert sheet.refets_given == expect["given"]


def check_refet_settlement(table: RefetTable, sheet: ScoreSheet) -> None:
    """The result and what it is made of."""
    expect = table.record["expect"]["settlement"]
    found = sheet.settlement()
    final = table.row(expect["final"])
    assert sheet.settle() == found.result == found.first_way == found.second_way == final
    assert sum(final) == 0
    for key, values in (
        ("off", found.written_off),
        ("lowered", found.lowered),
        ("tenfold", found.tenfold),
    ):
        if key in expect:
            assert values == table.row(expect[key]), key
    for player, terms in expect.get("terms", {}).items():
        seat = table.seat(player)
        assert found.terms(seat)[0] == terms[0] and sorted(found.terms(seat)) == sorted(terms)
        assert sum(found.terms(seat)) == found.result[seat]


# Protocols


def names_of(deal: Record, game: str) -> str:
    return f"game {game}" if deal.get("from_hand") else game


def outcome(deal: Record) -> str:
    """``=``, ``-1``, ``+1``."""
    taken = deal["tricks"].get(deal["declarer"], 0)
    level = {"betl": 0, "preferans": 10}.get(deal["contract"], 6)
    over = level - taken if deal["contract"] == "betl" else taken - level
    return "=" if over == 0 else f"{over:+d}"


def refet_notations(table: RefetTable, deal: Record) -> Iterator[tuple[str, Any]]:
    """Names of notations, and the deal in each of them."""
    head = {"dealer": deal["dealer"]} if "dealer" in deal else {}
    if "all_pass" in deal:
        yield "keys", head | {"all_pass": True}
        words = "".join(f"dealer {x}, " for x in head.values())
        yield "line", f"{words}all pass"
        yield "russian", f"{words}все пас"
        return
    symbol = SYMBOLS.get(deal["contract"], deal["contract"])
    if deal["tricks"] is None:
        order = names_of(deal, deal["contract"])
        yield "short", head | {deal["declarer"]: order, **deal["calls"]}
        yield (
            "keys",
            head
            | {"declarer": deal["declarer"], "contract": names_of(deal, symbol)}
            | deal["calls"],
        )
        yield "line", in_line(head | {deal["declarer"]: order, **deal["calls"]})
        return
    order = f"{names_of(deal, deal['contract'])}/{outcome(deal)}"
    calls = said_calls(table, deal)
    yield "short", head | {deal["declarer"]: order, **calls, **_whole(table, deal)}
    yield "line", in_line(head | {deal["declarer"]: order, **calls})
    tricks = {p: deal["tricks"].get(p, 0) for p in players_of(table, deal)}
    keyed = {"declarer": deal["declarer"], "contract": names_of(deal, symbol)}
    keyed |= {"tricks": tricks, **deal["calls"]}
    if "contra" in deal:
        keyed |= {"contra": deal["contra"], "contra_by": deal["contra_by"]}
    yield "keys", head | keyed


def players_of(table: RefetTable, deal: Record) -> list[str]:
    """Who plays cards in the deal."""
    sitter = deal.get("dealer") if table.n == 4 else None
    everybody = "contra" in deal or deal["contract"] in ("betl", "preferans")
    staying = {p for p, call in deal["calls"].items() if call == "stays" and not everybody}
    return [p for p in table.names if p != sitter and p not in staying]


def said_calls(table: RefetTable, deal: Record) -> dict[str, str]:
    """Calls with tricks: the one who said contra says so, who is drawn in has his number alone."""
    said = {}
    inviting = "invited" in deal["calls"].values()
    for player in players_of(table, deal):
        if player == deal["declarer"]:
            continue
        count = deal["tricks"].get(player, 0)
        call = deal["calls"].get(player, "comes")
        if call == "comes" and inviting:
            call = "invites"
        if player == deal.get("contra_by"):
            call = LEVELS[deal["contra"]]
        elif call == "stays":
            call = ""
        said[player] = f"{call} {count}".strip()
    return said | {p: call for p, call in deal["calls"].items() if p not in said}


def _whole(table: RefetTable, deal: Record) -> dict[str, int]:
    """A call that is tricks alone, as a number."""
    calls = said_calls(table, deal)
    return {p: int(call) for p, call in calls.items() if call.isdigit()}


def in_line(entry: Mapping[str, Any]) -> str:
    """An entry in one line, in Russian."""
    parts = []
    for key, value in entry.items():
        words = [RUSSIAN.get(word, word) for word in str(value).replace("/", " / ").split()]
        parts.append(f"{key} {' '.join(words).replace('game', 'игра')}")
    return "; ".join(parts)


def lead_to(table: RefetTable) -> tuple[int, list[Any]]:
    """The start of the columns, and lines of hands that lead to the record's sheet.

    Soup is written by lone followers; contracts to which nobody comes bring the columns down.
    """
    columns = table.row(table.record["columns"])
    lines: list[Any] = []
    change = [Fraction(0)] * table.n
    for writer, amounts in table.record.get("soup", {}).items():
        for on, amount in amounts.items():
            for value, game, count in _soup_hands(amount):
                lines.append(
                    _lone(
                        table,
                        on,
                        f"{game}/{'-1' if count == 5 else f'+{4 - count}'}",
                        writer,
                        count,
                    )
                )
                change[table.seat(on)] += value if count == 5 else -value
    start = int(max(c - x for c, x in zip(columns, change, strict=True)))
    while any(0 < start + x - c < 6 for c, x in zip(columns, change, strict=True)):
        start += 2
    for i, name in enumerate(table.names):
        left = int(start + change[i] - columns[i])
        for _, game in _falls(left):
            lines.append(_lone(table, name, game))
    return start, lines


def _lone(table: RefetTable, declarer: str, order: str, follower: str = "", count: int = 0) -> Any:
    """A hand with at most one follower; of four players another deals."""
    others = [p for p in table.names if p not in (declarer, follower)]
    dealer = others.pop() if table.n == 4 else others[0]
    staying = [p for p in table.names if p not in (declarer, follower)]
    if table.n == 4:
        staying.remove(dealer)
    calls = dict.fromkeys(staying, "stays")
    if follower:
        calls[follower] = f"comes {count}"
    return {"dealer": dealer, declarer: order, **calls}


def _falls(points: int) -> list[tuple[int, str]]:
    """Contracts that nobody comes to, whose values sum to so many points."""
    if points == 0:
        return []
    for value, game in UNPLAYED:
        if points == value or points - value >= 6:
            return [(value, game), *_falls(points - value)]
    raise AssertionError(points)


def _soup_hands(amount: int) -> list[tuple[int, str, int]]:
    """Values, contracts and a lone follower's tricks that sum to so much soup."""
    if amount == 0:
        return []
    for value, game in UNPLAYED[::-1]:
        for count in (5, 4, 3, 2):
            if amount >= value * count:
                rest = amount - value * count
                if rest == 0 or rest >= 12:
                    found = _soup_hands(rest)
                    if found or rest == 0:
                        return [(value, game, count), *found]
    return []


def keep_refet(
    table: RefetTable, entries: Sequence[Any], settings: Settings | None = None
) -> Pulka:
    """A protocol of the record's players, variant and sheet with these entries."""
    lead: list[Any] = []
    start = table.start
    if "columns" in table.record:
        start, lead = lead_to(table)
    head = {} if start is None else {"pool": start}
    return keep(table, [*lead, *entries], settings, **head)
