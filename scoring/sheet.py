"""The score sheet (пулька на бумаге): writing entries with help, the end, settlement.

Kernels take a ``sheet`` record by attribute (fields of ``SHEET_FIELDS``, twelfths of a point or
whist); :class:`ScoreSheet` is the same for Python, in exact fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from .contract import MISERE_GAME, RASPAS, TRICKS
from .conventions import (
    END_EACH,
    EXIT_ANY_BID,
    EXIT_MADE_AND_WHISTED,
    LEFTOVER_MOUNTAIN,
    MAX_PROGRESSION,
)
from .deal_score import (
    ENTRY_FIELDS,
    MAX_PLAYERS,
    NO_DECISION,
    PASSED,
    RESULT_FIELDS,
    UNIT,
    WHISTED,
    score_deal,
)
from .kernel import Record, kernel, make_records, outline, to_records
from .variant import Variant

SHEET_FIELDS = [
    ("pool", np.int64, MAX_PLAYERS),
    ("mountain", np.int64, MAX_PLAYERS),
    ("whists", np.int64, MAX_PLAYERS * MAX_PLAYERS),
    ("raspas_index", np.int64),
]
"""The sheet in twelfths: pool (пуля) and mountain (гора) by player, ``whists[4 * i + j]`` (висты)
written by player i on player j; ``raspas_index`` = raspas in a row that count for the next deal."""

WHISTS_PER_POINT = 10
"""A mountain point, and a point of help, is worth ten whists (Code of Preferans 4.2.3)."""

ENTRY_DTYPE = np.dtype(ENTRY_FIELDS, align=True)
RESULT_DTYPE = np.dtype(RESULT_FIELDS, align=True)
SHEET_DTYPE = np.dtype(SHEET_FIELDS, align=True)


@kernel
def _neediest(rules: Record, sheet: Record, helper: int) -> int:
    """Who is helped: the largest open pool, a tie to the nearest on the helper's left; -1: none."""
    best = -1
    for step in range(1, rules.n_players):
        other = (helper + step) % rules.n_players
        pool = sheet.pool[other]
        if pool < UNIT * rules.target and (best < 0 or pool > sheet.pool[best]):
            best = other
    return best


@kernel
def write_gain(rules: Record, sheet: Record, player: int, gain: int) -> None:
    """Write pool points: into one's own pool up to the target, then help (американская помощь).

    Help is written as ten whists a point on the player helped; what is left when all pools are
    full goes off one's mountain or is lost (Code of Preferans 4.1.1, 4.2.3).
    """
    if rules.end_when != END_EACH:
        sheet.pool[player] += gain
        return
    own = min(gain, UNIT * rules.target - sheet.pool[player])
    sheet.pool[player] += own
    gain -= own
    while gain > 0:
        other = _neediest(rules, sheet, player)
        if other < 0:
            break
        given = min(gain, UNIT * rules.target - sheet.pool[other])
        sheet.pool[other] += given
        sheet.whists[MAX_PLAYERS * player + other] += WHISTS_PER_POINT * given
        gain -= given
    if gain > 0 and rules.end_leftover == LEFTOVER_MOUNTAIN:
        sheet.mountain[player] -= gain


@outline
def write_entries(rules: Record, sheet: Record, entries: Record, dealer: int) -> None:
    """Write a deal's entries; gains in turn order from the eldest (convention: our choice)."""
    for i in range(rules.n_players):
        sheet.mountain[i] += entries.mountain_entry[i]
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        sheet.whists[k] += entries.whist_entry[k]
    player = dealer
    for _ in range(rules.n_players):
        player = 0 if player == rules.n_players - 1 else player + 1
        if entries.gain[player] > 0:
            write_gain(rules, sheet, player, entries.gain[player])


@kernel
def exits_raspas(rules: Record, result: Record) -> bool:
    """Whether this deal ends a row of raspas (выход из распасов)."""
    if result.kind == RASPAS:
        return False
    if rules.raspas_exit_on == EXIT_ANY_BID:
        return True
    if result.kind == MISERE_GAME:
        made = result.tricks[result.declarer] == 0
        return made and rules.raspas_exit_on != EXIT_MADE_AND_WHISTED
    made = result.concession == 0 and (
        result.played == 0 or result.tricks[result.declarer] >= result.level
    )
    if rules.raspas_exit_on != EXIT_MADE_AND_WHISTED:
        return made
    whisted = False
    for i in range(rules.n_players):
        whisted = whisted or result.decision[i] == WHISTED
    return made and whisted


@kernel
def next_raspas_index(rules: Record, result: Record, index: int) -> int:
    """Raspas in a row after a deal, from the number before it (at most the tables' length)."""
    if result.kind == RASPAS:
        return min(index + 1, MAX_PROGRESSION - 1)
    return 0 if exits_raspas(rules, result) else index


@kernel
def is_over(rules: Record, sheet: Record) -> bool:
    """Whether the pulka has ended: every pool full, or the agreed sum reached."""
    total = 0
    full = True
    for i in range(rules.n_players):
        total += sheet.pool[i]
        full = full and sheet.pool[i] >= UNIT * rules.target
    if rules.end_when == END_EACH:
        return full
    return total >= UNIT * rules.target * rules.n_players


@outline
def settle(rules: Record, sheet: Record, balance: Any) -> None:
    """Settlement (расчёт): ``balance[player]`` in twelfths of a whist, summing to zero.

    Missing pool points go to the mountain with the variant's weight; a mountain point costs its
    owner ten whists, divided by all players including him (Code of Preferans 4.2.14). The same
    formula stops a pulka early. Exact: mountains are multiples of a half, so their sum in
    twelfths, times ten, divides by 3 and by 4.
    """
    n = rules.n_players
    total = 0
    for i in range(n):
        total += sheet.mountain[i] - rules.end_pool_weight * sheet.pool[i]
    share = WHISTS_PER_POINT * total // n
    for i in range(n):
        mountain = sheet.mountain[i] - rules.end_pool_weight * sheet.pool[i]
        worth = share - WHISTS_PER_POINT * mountain
        for j in range(n):
            worth += sheet.whists[MAX_PLAYERS * i + j] - sheet.whists[MAX_PLAYERS * j + i]
        balance[i] = worth


@outline
def _value_all(rules: Any, results: Any, sheets: Any, entries: Any, values: Any) -> None:
    for k in range(len(results)):
        sheet = sheets[0]
        for i in range(MAX_PLAYERS):
            sheet.pool[i] = 0
            sheet.mountain[i] = 0
        for i in range(MAX_PLAYERS * MAX_PLAYERS):
            sheet.whists[i] = 0
        score_deal(rules[0], results[k], entries[0])
        write_entries(rules[0], sheet, entries[0], results[k].dealer)
        settle(rules[0], sheet, values[k])


def value_results(
    rules: np.ndarray[Any, Any], results: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Deal values on an empty sheet: int64 (n, 4), twelfths of a whist by player.

    ``rules`` is one row of ``RULES_DTYPE``, ``results`` n rows of ``RESULT_DTYPE``.
    """
    values = np.zeros((len(results), MAX_PLAYERS), np.int64)
    _value_all(
        to_records(rules),
        to_records(results),
        make_records(SHEET_DTYPE, 1),
        make_records(ENTRY_DTYPE, 1),
        values,
    )
    return values


@dataclass(frozen=True)
class DealResult:
    """The result of one deal as the scorer sees it; players are 0..n-1.

    ``kind`` is RASPAS, TRICKS or MISERE_GAME (``scoring.contract``), ``decisions`` maps a defender
    to WHISTED, PASSED or HALF_WHISTED (``scoring.deal_score``), ``tricks`` counts by player; None
    means that no card was played.
    """

    dealer: int
    kind: int
    declarer: int = -1
    level: int = 6
    strain: int = 0
    tricks: Sequence[int] | None = None
    decisions: Mapping[int, int] = field(default_factory=dict)
    last_whister: int = -1
    concession: int = 0
    raspas_index: int = 0

    def pack(self) -> np.ndarray[Any, Any]:
        """One row of ``RESULT_DTYPE``."""
        row = np.zeros(1, RESULT_DTYPE)
        for name in ("dealer", "kind", "declarer", "level", "strain", "concession"):
            row[name] = getattr(self, name)
        row["raspas_index"] = self.raspas_index
        row["last_whister"] = self.last_whister
        row["played"] = self.tricks is not None
        for player, count in enumerate(self.tricks or ()):
            row["tricks"][0, player] = count
        for player, decision in self.decisions.items():
            row["decision"][0, player] = decision
        return row


Matrix = list[list[Fraction]]


def _fractions(values: Sequence[int], n: int) -> list[Fraction]:
    return [Fraction(int(x), UNIT) for x in values[:n]]


def _matrix(values: Sequence[int], n: int) -> Matrix:
    return [_fractions(values[MAX_PLAYERS * i :], n) for i in range(n)]


@dataclass(frozen=True)
class Entries:
    """What a deal writes: pool gains (before help), mountain points, ``whists[i][j]`` (i on j)."""

    pool: list[Fraction]
    mountain: list[Fraction]
    whists: Matrix


class ScoreSheet:
    """A sheet kept by the same kernels as the engine's, read in exact fractions.

    >>> from scoring.variant import find_variant
    >>> sheet = ScoreSheet(find_variant("rostov"))
    >>> _ = sheet.write(DealResult(dealer=2, kind=RASPAS, tricks=(0, 4, 6)))
    >>> sheet.pool[0], sheet.whists[0], sum(sheet.settle())
    (Fraction(1, 1), [Fraction(0, 1), Fraction(20, 1), Fraction(30, 1)], Fraction(0, 1))
    """

    def __init__(self, variant: Variant, n_players: int = 3, target: int | None = None) -> None:
        self.n = n_players
        self._rules = to_records(variant.rules(n_players, target))
        self._sheet = make_records(SHEET_DTYPE, 1)
        self._entries = make_records(ENTRY_DTYPE, 1)

    def set(
        self,
        pool: Sequence[int] = (),
        mountain: Sequence[int] = (),
        whists: Mapping[tuple[int, int], int] | None = None,
    ) -> None:
        """Overwrite points by player and whists by (writer, on whom): a sheet in mid-game."""
        sheet = self._sheet[0]
        for player, points in enumerate(pool):
            sheet["pool"][player] = UNIT * points
        for player, points in enumerate(mountain):
            sheet["mountain"][player] = UNIT * points
        for (writer, on), amount in (whists or {}).items():
            sheet["whists"][MAX_PLAYERS * writer + on] = UNIT * amount

    def entries(self, result: DealResult) -> Entries:
        """What the deal writes, without writing it."""
        row = to_records(result.pack())
        score_deal(self._rules[0], row[0], self._entries[0])
        entries = self._entries[0]
        return Entries(
            _fractions(entries["gain"], self.n),
            _fractions(entries["mountain_entry"], self.n),
            _matrix(entries["whist_entry"], self.n),
        )

    def write(self, result: DealResult) -> Entries:
        """Write a deal on the sheet, help included; returns its entries."""
        entries = self.entries(result)
        sheet = self._sheet[0]
        write_entries(self._rules[0], sheet, self._entries[0], result.dealer)
        row = to_records(result.pack())
        sheet["raspas_index"] = next_raspas_index(self._rules[0], row[0], sheet["raspas_index"])
        return entries

    def gain(self, player: int, points: int) -> None:
        """Write pool points won by a player, with help."""
        write_gain(self._rules[0], self._sheet[0], player, UNIT * points)

    @property
    def pool(self) -> list[Fraction]:
        return _fractions(self._sheet[0]["pool"], self.n)

    @property
    def mountain(self) -> list[Fraction]:
        return _fractions(self._sheet[0]["mountain"], self.n)

    @property
    def whists(self) -> Matrix:
        return _matrix(self._sheet[0]["whists"], self.n)

    @property
    def raspas_index(self) -> int:
        return int(self._sheet[0]["raspas_index"])

    def is_over(self) -> bool:
        """Whether the pulka has ended."""
        return bool(is_over(self._rules[0], self._sheet[0]))

    def settle(self) -> list[Fraction]:
        """Final result in whists by player; sums to exactly zero."""
        balance = np.zeros(MAX_PLAYERS, np.int64)
        settle(self._rules[0], self._sheet[0], balance)
        return _fractions(balance.tolist(), self.n)


__all__ = [
    "MISERE_GAME",
    "NO_DECISION",
    "PASSED",
    "RASPAS",
    "TRICKS",
    "WHISTED",
    "DealResult",
    "Entries",
    "ScoreSheet",
]
