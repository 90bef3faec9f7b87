"""One table driven from Python, move by move, on the compiled rules core: for replay and tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.kernel import (
    JIT,
    make_records,
    sealed,
    to_array,
    to_records,
)
from scoring.sheet import next_dealer

from .pulka import advance, begin_pulka, finish_deal, lay_deal
from .state import DEAL_ROW_DTYPE, DONE, HIDDEN_DTYPE, VIEW_DTYPE
from .view import ready


class Table:
    """A pulka at one table. ``view`` and ``hidden`` are records read by ``table.view["field"]``.

    It is made with an array of one row of ``RULES_DTYPE``, kept as the record ``rules``. A deal is
    laid by number; then, until ``done``, ``legal`` is the mask of actions and :meth:`apply` takes
    one; :meth:`finish` scores it.
    """

    def __init__(self, rules: np.ndarray[Any, Any]) -> None:
        self._keep = rules
        self.rules = to_records(rules)[0]
        self.view = make_records(VIEW_DTYPE, 1)[0]
        self.hidden = make_records(HIDDEN_DTYPE, 1)[0]
        self._row = make_records(DEAL_ROW_DTYPE, 1)
        self.view["rules"] = rules.ctypes.data if JIT else sealed(rules)
        begin_pulka(self.view, self.hidden, self.rules, 0)

    def lay(self, number: int, dealer: int | None = None, raspas_index: int | None = None) -> None:
        """Lay the next deal; the dealer passes on unless given, so does the row of raspas."""
        view = self.view
        view["deal"] = int(view["deal"]) + 1
        passed_on = next_dealer(self.rules, view, int(view["dealer"]))
        view["dealer"] = passed_on if dealer is None else dealer
        if raspas_index is not None:
            view["raspas_index"] = raspas_index
        lay_deal(view, self.hidden, self.rules, number)
        self._prepare()

    @property
    def done(self) -> bool:
        return int(self.view["phase"]) == DONE

    @property
    def legal(self) -> int:
        """Mask of the legal actions of the present phase."""
        return int(self.view["legal"])

    def _prepare(self) -> None:
        if not self.done:
            ready(self.view, self.hidden, self.rules)

    def apply(self, action: int) -> None:
        """Apply an action; ValueError if it is not legal."""
        if self.done or not 0 <= action < 63 or not self.legal >> action & 1:
            raise ValueError(f"action {action} is not legal here")
        advance(self.view, self.hidden, self.rules, action)
        self._prepare()

    def hands(self) -> list[int]:
        """The cards held now, by hand."""
        return [int(hand) for hand in self.hidden["hands"]]

    def hands_at_play(self) -> tuple[int, int, int]:
        """The cards held when the first card was led: those held now and those played since."""
        played = self.view["played_by"]
        a, b, c = (hand | int(cards) for hand, cards in zip(self.hands(), played, strict=True))
        return a, b, c

    def finish(self) -> tuple[np.ndarray[Any, Any], bool]:
        """Score a deal that is done; its row (``DEAL_ROW_DTYPE``), and if the pulka ended."""
        over = finish_deal(self.view, self.hidden, self.rules, self._row[0])
        return to_array(self._row, DEAL_ROW_DTYPE, 1), bool(over)
