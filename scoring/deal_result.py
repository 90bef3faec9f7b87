"""The result of a deal for Python, and what it writes, in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from .contract import MISERE_GAME, MISERE_ROW
from .errors import WrongUse
from .settlement import Matrix
from .sheet import RESULT_DTYPE


class SheetError(WrongUse):
    """Something that may not be written on a sheet: one sentence saying why."""


@dataclass(frozen=True)
class DealResult:
    """The result of one deal as the scorer sees it; players are 0..n-1.

    ``kind`` is RASPAS, TRICKS or MISERE_GAME (``scoring.contract``), ``decisions`` maps a defender
    to WHISTED, PASSED or HALF_WHISTED (``scoring.result``), ``tricks`` counts by player; None
    means that no card was played. ``talon_units`` are quick tricks in the talon. ``raspas_index``
    is the number of raspas in a row before the deal; None takes it from the sheet.

    Of the refet game, ``level`` is 6, or 10 for preferans, and betl is the misère; ``decisions``
    are WHISTED (he comes), PASSED or INVITED, ``contra`` 0..4 was said by ``contra_by``; ``refet``
    says whether the declarer plays on one, None takes it from the sheet. All pass is RASPAS.

    Of two players, ``tricks`` of the defender are those of both hands where ``open_play`` says that
    the dummy lay open, else his own; raspas without tricks are a deal thrown in. A deal of
    razboinik has its dealer, kind, declarer, level and tricks.
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
    raspas_index: int | None = None
    open_play: bool = False
    without_talon: bool = False
    off_mountain: bool = False
    talon_units: int = 0
    dark_pass: bool = False
    contra: int = 0
    contra_by: int = -1
    refet: bool | None = None

    @property
    def row(self) -> int:
        """The row of razboinik's table (``scoring.contract.ROWS``) that the deal fills."""
        return MISERE_ROW if self.kind == MISERE_GAME else self.level - 6

    def pack(self) -> np.ndarray[Any, Any]:
        """One row of ``RESULT_DTYPE``; what a sheet decides is zero unless given."""
        row = np.zeros(1, RESULT_DTYPE)
        names = ("dealer", "kind", "declarer", "level", "strain", "concession", "last_whister")
        for name in (
            *names,
            "contra",
            "contra_by",
            "open_play",
            "without_talon",
            "off_mountain",
            "talon_units",
        ):
            row[name] = getattr(self, name)
        row["raspas_index"] = self.raspas_index or 0
        row["dark_level"] = self.dark_pass
        row["refet"] = bool(self.refet)
        row["played"] = self.tricks is not None
        for player, count in enumerate(self.tricks or ()):
            row["tricks"][0, player] = count
        for player, decision in self.decisions.items():
            row["decision"][0, player] = decision
        return row


@dataclass(frozen=True)
class Entries:
    """What a deal writes: pool gains (before help), mountain points, ``whists[i][j]`` (i on j).

    The refet game writes ``columns`` and ``soup`` in the mountain's and the whists' place.
    """

    pool: list[Fraction]
    mountain: list[Fraction]
    whists: Matrix

    @property
    def columns(self) -> list[Fraction]:
        """The refet game: what the contract columns change by, below zero for a made contract."""
        return self.mountain

    @property
    def soup(self) -> Matrix:
        """The refet game: soup (юха) of player i on player j."""
        return self.whists
