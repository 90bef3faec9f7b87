"""A deal of razboinik made into a result: whose turn it is, and which rows are open.

Source: Essay "Preferans", the game for two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..contract import MISERE_GAME, ROWS, TRICKS
from ..score_sheet import DealResult
from .contracts import ContractReader
from .notation import EntryError

ROW_KEYS = ("dealer", "declarer", "contract", "result", "tricks", "note")
"""The keys of a deal that have a meaning in razboinik."""


@dataclass(frozen=True)
class RowReader(ContractReader):
    """Reads the entries of deals of razboinik; ``dealer`` deals next."""

    def read(self, entry: Mapping[str, Any]) -> DealResult:
        """The result of a deal's entry. EntryError if it cannot be read or contradicts itself."""
        said = self.said(entry)
        for key in entry:
            if key not in ROW_KEYS and key not in self.names:
                raise EntryError(f"{key} has no meaning in razboinik")
        declarer, order = self.order(entry, said)
        for player in said:
            if player != declarer:
                raise EntryError(f"{self.names[player]} has a call, but nobody whists in razboinik")
        self._check_turn(entry, declarer)
        if order.without_talon:
            raise EntryError(f"{order.text()}: in razboinik nothing is bid without the talon")
        tricks = self.tricks_table(entry)
        if order.result is None and not tricks:
            raise EntryError("result is missing: write =, -1, +1 or the tricks")
        self.agree_with_result(tricks, declarer, order)
        self.fill_last(tricks, range(len(self.names)))
        result = DealResult(
            self.dealer,
            MISERE_GAME if order.is_misere else TRICKS,
            declarer,
            order.level or 6,
            0 if order.is_misere else order.strain,
            [tricks[p] for p in range(len(self.names))],
        )
        self._check_open(result)
        return result

    def _check_turn(self, entry: Mapping[str, Any], declarer: int) -> None:
        """The deal alternates, and with it the declarer (``razboinik.declarer``)."""
        dealer = self.names[self.dealer]
        if "dealer" in entry and self.player(entry["dealer"], "dealer") != self.dealer:
            raise EntryError(f"dealer = {entry['dealer']!r}, but it is {dealer}'s deal")
        rule = self.convention("razboinik.declarer")
        turn = self.dealer if rule == "dealer" else 1 - self.dealer
        if declarer != turn:
            raise EntryError(
                f"it is not {self.names[declarer]}'s turn: {dealer} deals, so {self.names[turn]} "
                f"declares (razboinik.declarer = {rule})"
            )

    def _check_open(self, result: DealResult) -> None:
        cells = self.sheet.rows[result.declarer]
        if cells[result.row] is not None:
            left = ", ".join(row for row, points in zip(ROWS, cells, strict=True) if points is None)
            raise EntryError(
                f"{self.names[result.declarer]} has played {ROWS[result.row]} already; left: {left}"
            )
