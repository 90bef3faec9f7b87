"""The sheet of the refet game: columns, soup and refets, the end of the pulka, the settlement."""

from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .cards import Conventions
from .refet_scoring import RefetBefore, RefetRecords, RefetResult, score_refet

PER_POINT = 10
"""Whists for a point of the contract column."""


@dataclass
class RefetSheet:
    """`column[i]` begins at `start` and falls; `soup[i][j]` is what player i wrote on player j.

    `refets` are those that a player still holds, `refets_written` counts how often there were any.
    """

    n: int
    start: int
    column: list[int] = field(default_factory=list)
    soup: list[list[int]] = field(default_factory=list)
    refets: list[int] = field(default_factory=list)
    refets_written: int = 0
    n_deals: int = 0

    def __post_init__(self) -> None:
        self.column = self.column or [self.start] * self.n
        self.soup = self.soup or [[0] * self.n for _ in range(self.n)]
        self.refets = self.refets or [0] * self.n

    def copy(self) -> "RefetSheet":
        """Return an independent copy, e.g. to keep the sheet as it was before a deal."""
        return deepcopy(self)


def most_refets(conv: Conventions, sheet: RefetSheet) -> int:
    """How often refets may be written in a pulka of this start."""
    many = sheet.start >= conv["refets.many_from"]
    return conv["refets.many"] if many else conv["refets.few"]


def is_under_hat(conv: Conventions, sheet: RefetSheet) -> bool:
    """Whether a player has written off all his points (под шляпой)."""
    lowest = min(sheet.column)
    return lowest < 0 or (lowest == 0 and conv["refets.hat"] == "at_zero")


def may_refet(conv: Conventions, sheet: RefetSheet) -> bool:
    """Whether refets may be written now."""
    full = sheet.refets_written >= most_refets(conv, sheet)
    return not full and not is_under_hat(conv, sheet)


def before_deal(conv: Conventions, sheet: RefetSheet, declarer: int | None) -> RefetBefore:
    """What the scorer of the next deal needs to know."""
    frozen = conv["refets.frozen"] and is_under_hat(conv, sheet)
    held = declarer is not None and sheet.refets[declarer] > 0
    return RefetBefore(held and not frozen, may_refet(conv, sheet), sum(sheet.column))


def write_refet_deal(conv: Conventions, sheet: RefetSheet, result: RefetResult) -> RefetRecords:
    """Score a deal and write it on the sheet; return its records."""
    records = score_refet(conv, result, before_deal(conv, sheet, result.declarer))
    for i in range(sheet.n):
        sheet.column[i] += records.column[i]
        for j in range(sheet.n):
            sheet.soup[i][j] += records.soup[i][j]
    if records.refet_used:
        sheet.refets[result.declarer] -= 1
    for player in records.refets_for:
        sheet.refets[player] += 1
    sheet.refets_written += bool(records.refets_for)
    sheet.n_deals += 1
    return records


def is_over(sheet: RefetSheet) -> bool:
    """Whether the columns' sum is down to nothing."""
    return sum(sheet.column) <= 0


def written_off(conv: Conventions, sheet: RefetSheet) -> list[Fraction]:
    """What each column is lowered by, so that their sum is nothing.

    The mean; or whole points, the largest columns one more (Preferansklub rules 13, ex. 14 to 16).
    """
    rest = sum(sheet.column)
    if conv["last.write_off"] == "exact":
        return [Fraction(rest, sheet.n)] * sheet.n
    each, more = divmod(rest, sheet.n)
    largest = sorted(range(sheet.n), key=lambda player: -sheet.column[player])[:more]
    return [Fraction(each + (player in largest)) for player in range(sheet.n)]


def settle_refet(conv: Conventions, sheet: RefetSheet) -> list[Fraction]:
    """Everyone's result in whists: own soup less that of the others, and ten a column point."""
    off = written_off(conv, sheet)
    everyone = range(sheet.n)
    return [
        sum((sheet.soup[i][j] - sheet.soup[j][i] for j in everyone), Fraction(0))
        + PER_POINT * (off[i] - sheet.column[i])
        for i in everyone
    ]


def by_player(result: dict[str, Any], dealer: int, n: int) -> RefetResult:
    """The result of a deal by player instead of by seat, as the scorer wants it."""
    players = [(dealer + step) % n for step in range(1, n + 1)]
    tricks = None
    if result["tricks"] is not None:
        tricks = [0] * n
        for seat, count in enumerate(result["tricks"]):
            tricks[players[seat]] = count
    return RefetResult(
        n,
        dealer,
        declarer=None if result["declarer"] is None else players[result["declarer"]],
        contract=result["contract"],
        from_hand=result["from_hand"],
        parts={players[seat]: part for seat, part in result["parts"].items()},
        contra=result["contra"],
        contra_by=None if result["contra_by"] is None else players[result["contra_by"]],
        tricks=tricks,
    )
