"""One pulka on the project's score sheet and on the naive twin's, compared after every deal."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from naive.rows import ROWS
from naive.scoring import Records, Result
from naive.sheet import call_time, is_over, new_sheet, new_table, settle, write_deal
from random_results import RandomResults, RandomRows, deal_result
from result_branches import count_deal_branches, count_row_branches, count_sheet_branches

from scoring.convention import MAX_PROGRESSION
from scoring.score_sheet import Entries, ScoreSheet
from scoring.variant import Variant


def same(what: str, ours: Any, theirs: Any) -> None:
    """AssertionError unless scorer and twin agree."""
    assert ours == theirs, f"{what}: scorer {ours}, twin {theirs}"


class TwinSheets:
    """A pulka kept twice; every difference is an AssertionError that names the deals."""

    def __init__(
        self, variant: Variant, n: int, target: int, total: int | None, label: str
    ) -> None:
        self.conv = dict(variant.conventions)
        self.board = ScoreSheet(variant, n, target, total)
        self.sheet = new_sheet(self.conv, n, target, total) if variant.has_pool else new_table()
        self.label = f"{label}, {n} players, pool {target}, total {self.sheet.total}"
        self.history: list[str] = []
        self.reached: Counter[str] = Counter()

    def call_time(self) -> None:
        """Time is up, on both sheets."""
        self.history.append("time")
        self.board.call_time()
        call_time(self.conv, self.sheet)
        self._explained(self._compare_sheet)
        self.reached["time called in a round"] += self.sheet.n_deals % self.sheet.n > 0
        self.reached["time called"] += 1

    def write(self, result: Result, chance: random.Random) -> None:
        """Write a deal on both sheets and compare everything."""
        self.history.append(repr(result))
        more = {"open_play": chance.random() < 0.5, "without_talon": chance.random() < 0.1}
        deal = deal_result(result, chance.randrange(5), **more)
        before = self.sheet.copy()
        entries = self.board.write(deal)
        records = write_deal(self.conv, self.sheet, result)
        self._explained(lambda: self._compare(entries, records))
        if self.sheet.rows:
            count_row_branches(self.reached, before, result, records)
        else:
            count_deal_branches(self.reached, self.conv, before, result, records)
            count_sheet_branches(self.reached, self.conv, before, self.sheet, result, records)
        self.reached["deals"] += 1

    def is_over(self) -> bool:
        """Whether the pulka has ended."""
        return self.board.is_over()

    def _explained(self, check: Any) -> None:
        try:
            check()
        except AssertionError as error:
            deals = "\n".join(self.history)
            raise AssertionError(f"{error}\n{self.label}\n{deals}") from error

    def _compare(self, entries: Entries, records: Records) -> None:
        gains = [a + b for a, b in zip(records.gain, records.bonus, strict=True)]
        same("pool entries", entries.pool, gains)
        same("mountain entries", entries.mountain, records.mountain)
        same("whist entries", entries.whists, records.whists)
        self._compare_sheet()

    def _compare_sheet(self) -> None:
        board, sheet = self.board, self.sheet
        same("pool", board.pool, sheet.pool)
        same("mountain", board.mountain, sheet.mountain)
        same("whists", board.whists, sheet.whists)
        same("raspas index", board.raspas_index, min(sheet.raspas_index, MAX_PROGRESSION - 1))
        same("rows", board.rows if sheet.rows else [], self._rows())
        same("is over", board.is_over(), is_over(self.conv, sheet))
        found = board.settlement()
        finals = settle(self.conv, sheet)
        same("settlement", found.result, finals)
        same("first way", found.first_way, finals)
        same("second way", found.second_way, finals)
        self.reached["points moved (4.2.12)"] += any(found.moved)

    def _rows(self) -> list[list[Any]]:
        return [[rows[row] for row in ROWS] for rows in self.sheet.rows]


def play_razboinik(variant: Variant, chance: random.Random, label: str) -> Counter[str]:
    """A whole razboinik on both sheets; the branches reached."""
    sheets = TwinSheets(variant, 2, 0, None, label)
    results = RandomRows(chance, sheets.conv)
    while not sheets.is_over():
        sheets.write(results.draw(), chance)
    return sheets.reached


def play_pulka(
    variant: Variant, n: int, chance: random.Random, n_deals: int, label: str
) -> Counter[str]:
    """A random pulka of at most so many deals on both sheets; the branches reached."""
    target = chance.choice((1, 2, 4, 8, 16)) * (variant.conventions["values.made"][0] // 2 or 1)
    total = chance.choice((None, None, chance.randint(1, target * n + 3)))
    sheets = TwinSheets(variant, n, target, total, label)
    results = RandomResults(chance, sheets.conv, n)
    timed = sheets.conv["end.when"].startswith("time")
    for _ in range(n_deals):
        if timed and sheets.sheet.deals_left is None and chance.random() < 0.1:
            sheets.call_time()
        if sheets.is_over():
            break
        sheets.write(results.draw(), chance)
    return sheets.reached
