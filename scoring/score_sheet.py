"""The score sheet for Python: results of deals, entries and settlement in exact fractions.

Everything is computed by the kernels the engine uses (``scoring.deal_score``, ``scoring.sheet``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from . import deal_score, refet, sheet
from .contract import N_ROWS, RASPAS, ROWS
from .deal_result import DealResult as DealResult
from .deal_result import Entries as Entries
from .deal_result import SheetError as SheetError
from .kernel import make_records, to_array, to_records
from .refet_result import why_impossible
from .result import MAX_PLAYERS, UNIT
from .settlement import Matrix, Mountains, Settlement, work_out
from .sheet import ENTRY_DTYPE, SHEET_DTYPE
from .variant import Variant, find_variant

POOL, MOUNTAIN, WHISTS = "pool", "mountain", "whists"
COLUMNS = (POOL, MOUNTAIN, WHISTS)


@dataclass(frozen=True)
class Correction:
    """What a correction wrote: points struck off, and whether the offender was penalised.

    ``penalty`` is in whists written by ``by`` on the offender, or, with ``by`` -1, in points on the
    offender's mountain; 0 for a warning or a slip that harmed its writer alone.
    """

    struck: int
    penalty: int
    by: int


@dataclass(frozen=True)
class _WrongRecord:
    player: int
    column: str
    amount: int
    on: int


def _fractions(values: Sequence[int], n: int) -> list[Fraction]:
    return [Fraction(int(x), UNIT) for x in values[:n]]


def _matrix(values: Sequence[int], n: int) -> Matrix:
    return [_fractions(values[MAX_PLAYERS * i :], n) for i in range(n)]


def put_rows(record: Any, rows: Sequence[Sequence[int | Fraction | None]]) -> None:
    """Write razboinik's table, points by player and row (None: open), with its sums on a sheet's
    record."""
    for player, cells in enumerate(rows):
        for row, points in enumerate(cells):
            value = -1 if points is None else int(UNIT * points)
            record["row"][N_ROWS * player + row] = value
        record["mountain"][player] = int(UNIT * sum(x for x in cells if x is not None))


class ScoreSheet:
    """A sheet kept by the same kernels as the engine's, read in exact fractions.

    A sheet of razboinik is its table (``rows``); its sums stand in ``mountain``. One of the refet
    game has ``columns``, ``soup`` and ``refets``.
    ``n_players`` as in ``Variant.table_size``; ``target`` is in pool points per player (default:
    the variant's); ``total`` of all players, for variants that end by the sum (default:
    ``n_players`` targets).

    >>> from scoring.contract import RASPAS
    >>> sheet = ScoreSheet(find_variant("rostov"))
    >>> _ = sheet.write(DealResult(dealer=2, kind=RASPAS, tricks=(0, 4, 6)))
    >>> sheet.pool[0], sheet.whists[0], sum(sheet.settle())
    (Fraction(1, 1), [Fraction(0, 1), Fraction(20, 1), Fraction(30, 1)], Fraction(0, 1))
    """

    def __init__(
        self,
        variant: Variant,
        n_players: int | None = None,
        target: int | None = None,
        total: int | None = None,
    ) -> None:
        self.variant = variant
        self.n = variant.table_size(n_players)
        self.target = variant.target(target)
        self.total = self.target * self.n if total is None else total
        self._rules = to_records(variant.rules(self.n, self.target, self.total))
        self._sheet = make_records(SHEET_DTYPE, 1)
        self._entries = make_records(ENTRY_DTYPE, 1)
        self._wrong: list[tuple[int, _WrongRecord]] = []
        self._erred: set[int] = set()
        sheet.clear_sheet(self._rules[0], self._sheet[0])

    def set(
        self,
        pool: Sequence[int | Fraction] = (),
        mountain: Sequence[int | Fraction] = (),
        whists: Mapping[tuple[int, int], int | Fraction] | None = None,
    ) -> None:
        """Overwrite points by player and whists by (writer, on whom): a sheet in mid-game.

        SheetError for razboinik and the refet game, which have :meth:`set_rows` and
        :meth:`set_columns`.
        """
        if not self.variant.has_pool:
            has = "contract columns and soup" if self.variant.has_columns else "a table of rows"
            raise SheetError(f"{self.variant.name} has {has} and no pool")
        record = self._sheet[0]
        for player, points in enumerate(pool):
            record["pool"][player] = int(UNIT * points)
        self._put(mountain, whists or {})
        record["first_pool"] = int(max(self.pool) >= self.target)
        record["first_mountain"] = int(min(self.mountain) <= 0)

    def _put(
        self,
        mountain: Sequence[int | Fraction],
        whists: Mapping[tuple[int, int], int | Fraction],
    ) -> None:
        record = self._sheet[0]
        for player, points in enumerate(mountain):
            record["mountain"][player] = int(UNIT * points)
        for (writer, on), amount in whists.items():
            record["whists"][MAX_PLAYERS * writer + on] = int(UNIT * amount)

    def set_columns(
        self,
        columns: Sequence[int | Fraction] = (),
        soup: Mapping[tuple[int, int], int | Fraction] | None = None,
        refets: Sequence[int] = (),
        refets_given: int | None = None,
    ) -> None:
        """Overwrite the refet game's columns and unused refets by player, soup by (writer, on
        whom), and how often refets were given (by default as many as somebody has left).

        SheetError for other games.
        """
        if not self.variant.has_columns:
            raise SheetError(f"{self.variant.name} has no contract columns, soup and refets")
        self._put(columns, soup or {})
        record = self._sheet[0]
        for player, count in enumerate(refets):
            record["refets"][player] = count
        if refets or refets_given is not None:
            record["refets_given"] = max(self.refets) if refets_given is None else refets_given

    def set_rows(self, rows: Sequence[Sequence[int | Fraction | None]]) -> None:
        """Overwrite razboinik's table by both players, as in :attr:`rows`; SheetError elsewhere."""
        if self.variant.has_target:
            has = "contract columns and soup" if self.variant.has_columns else ""
            has = has or "pool, mountain and whists"
            raise SheetError(f"{self.variant.name} has {has}, and no rows")
        put_rows(self._sheet[0], rows)

    def _row(self, result: DealResult) -> Any:
        played = result.kind != RASPAS and result.declarer >= 0 and result.tricks is not None
        if not self.variant.has_target and not played:
            raise SheetError(f"each deal of {self.variant.name} has a declarer and is played")
        if self.variant.has_columns:
            self._check_refet(result)
        row = to_records(result.pack())[0]
        sheet.read_sheet(self._rules[0], self._sheet[0], row)
        if result.raspas_index is not None:
            row["raspas_index"] = result.raspas_index
        if result.refet is not None:
            row["refet"] = result.refet
        return row

    def _score(self, row: Any) -> Entries:
        deal_score.score_deal(self._rules[0], row, self._entries[0])
        entries = self._entries[0]
        gain = _fractions(entries["gain"], self.n)
        bonus = _fractions(entries["bonus"], self.n)
        return Entries(
            [a + b for a, b in zip(gain, bonus, strict=True)],
            _fractions(entries["mountain_entry"], self.n),
            _matrix(entries["whist_entry"], self.n),
        )

    def entries(self, result: DealResult) -> Entries:
        """What the deal writes, without writing it."""
        return self._score(self._row(result))

    def write(self, result: DealResult) -> Entries:
        """Write a deal on the sheet, help and prizes included; returns its entries before help.

        SheetError if it is none of razboinik's deals, or its row is filled; or if a result of the
        refet game cannot have come about, or says of refets what the sheet does not.
        """
        row = self._row(result)
        if not self.variant.has_target:
            self._check_open(result)
        if result.refet is not None and result.refet != self.on_refet(result):
            has = "no refet" if result.refet else "a refet"
            raise SheetError(f"player {result.declarer} has {has} to play on")
        entries = self._score(row)
        sheet.write_entries(self._rules[0], self._sheet[0], self._entries[0], result.dealer)
        sheet.count_deal(self._rules[0], self._sheet[0], row)
        return entries

    def _check_open(self, result: DealResult) -> None:
        if self.rows[result.declarer][result.row] is not None:
            raise SheetError(f"player {result.declarer} has played {ROWS[result.row]} before")

    def _check_refet(self, result: DealResult) -> None:
        names = [f"player {player}" for player in range(self.n)]
        why = why_impossible(self.variant.conventions, result, names)
        if why:
            raise SheetError(why)

    def on_refet(self, result: DealResult) -> bool:
        """Whether, by the sheet, the declarer of this hand plays on a refet."""
        if not self.variant.has_columns:
            return False
        return bool(self._row(replace(result, refet=None))["refet"])

    def gives_refets(self, result: DealResult) -> bool:
        """Whether this hand, passed by all or left without contra, gives every player a refet."""
        if not self.variant.has_columns:
            return False
        return bool(refet.gives_refets(self._rules[0], self._row(result)))

    def record(self) -> np.ndarray[Any, Any]:
        """The sheet as the kernels have it: a copy, one row of ``SHEET_DTYPE``."""
        return to_array(self._sheet, SHEET_DTYPE, 1)

    def gain(self, player: int, points: int) -> None:
        """Write the points of a made contract won by a player, with help. SheetError without a
        pool."""
        if not self.variant.has_pool:
            raise SheetError(f"{self.variant.name} has no pool")
        sheet.write_gain(self._rules[0], self._sheet[0], player, UNIT * points)

    def call_time(self) -> None:
        """Time is up: no more deals, or the rest of the round and a last one (``end.last_round``).

        SheetError if the variant does not end by time, or time was called before.
        """
        if not self.variant.has_pool:
            when = "the columns sum to nothing" if self.variant.has_columns else "all is played"
            raise SheetError(f"{self.variant.name} does not end by time, but when {when}")
        if not self.variant.conventions["end.when"].startswith("time"):
            raise SheetError(
                f"{self.variant.name} does not end by time (end.when = "
                f"{self.variant.conventions['end.when']})"
            )
        if self._sheet[0]["deals_left"] >= 0:
            raise SheetError("time was called before")
        sheet.call_time(self._rules[0], self._sheet[0])

    @property
    def pool(self) -> list[Fraction]:
        """Pool points (пуля) by player."""
        return _fractions(self._sheet[0]["pool"], self.n)

    @property
    def mountain(self) -> list[Fraction]:
        """Mountain points (гора) by player."""
        return _fractions(self._sheet[0]["mountain"], self.n)

    @property
    def whists(self) -> Matrix:
        """``whists[i][j]``: whists (висты) of player i on player j."""
        return _matrix(self._sheet[0]["whists"], self.n)

    @property
    def columns(self) -> list[Fraction]:
        """The refet game's contract columns (колонка контрактов) by player; empty for others."""
        return self.mountain if self.variant.has_columns else []

    @property
    def soup(self) -> Matrix:
        """``soup[i][j]``: the refet game's soup (юха) of player i on player j; empty for others."""
        return self.whists if self.variant.has_columns else []

    @property
    def refets(self) -> list[int]:
        """The refet game's unused refets by player; empty for others."""
        if not self.variant.has_columns:
            return []
        return [int(x) for x in self._sheet[0]["refets"][: self.n]]

    @property
    def refets_given(self) -> int:
        """How often refets were given to all."""
        return int(self._sheet[0]["refets_given"])

    @property
    def refets_most(self) -> int:
        """How often refets may be given in this pulka, by its start."""
        return int(refet.most_refets(self._rules[0]))

    def is_under_hat(self) -> bool:
        """Whether somebody is under the hat (под шляпой), so that no refets are given."""
        return bool(refet.is_under_hat(self._rules[0], self._sheet[0]))

    @property
    def rows(self) -> list[list[Fraction | None]]:
        """Razboinik's table: points by player and row (6..10, misère), None while it is open.

        Empty for a sheet with a target.
        """
        if self.variant.has_target:
            return []
        cells = [int(x) for x in self._sheet[0]["row"]]
        points = [None if cell < 0 else Fraction(cell, UNIT) for cell in cells]
        return [points[N_ROWS * i : N_ROWS * (i + 1)] for i in range(self.n)]

    def next_dealer(self, dealer: int) -> int:
        """Who deals after this dealer: the player to the left, or he again after raspas."""
        return int(sheet.next_dealer(self._rules[0], self._sheet[0], dealer))

    @property
    def raspas_index(self) -> int:
        """Raspas in a row that count for the next deal."""
        return int(self._sheet[0]["raspas_index"])

    @property
    def fir_trees(self) -> list[int]:
        """Marks by player, each of which doubles a contract to come (``raspas.fir_trees``)."""
        return [int(x) for x in self._sheet[0]["fir_trees"][: self.n]]

    @property
    def n_deals(self) -> int:
        """Deals written so far."""
        return int(self._sheet[0]["n_deals"])

    @property
    def exit_level(self) -> int:
        """Lowest level that would end the present row of raspas."""
        return int(sheet.exit_level(self._rules[0], self.raspas_index))

    def is_over(self) -> bool:
        """Whether the pulka has ended."""
        return bool(sheet.is_over(self._rules[0], self._sheet[0]))

    def settle(self) -> list[Fraction]:
        """Final result in whists by player; sums to exactly zero."""
        balance = np.zeros(MAX_PLAYERS, np.int64)
        sheet.settle(self._rules[0], self._sheet[0], balance)
        return _fractions(balance.tolist(), self.n)

    def settlement(self) -> Settlement:
        """The settlement with its arithmetic, by both ways of Code of Preferans 4.2.14; they settle
        the refet game as well (Lesnoy, Russian Preferans)."""
        rules = self._rules[0]
        if self.variant.has_columns:
            return self._settlement_of_columns()
        carried = self._carried()
        moved = [
            Fraction(int(sheet.moved_points(rules, int(UNIT * (m - min(carried))))), UNIT)
            for m in carried
        ]
        per_point, divisor = int(sheet.point_whists(rules)), int(sheet.mountain_divisor(rules))
        return work_out(Mountains(carried, moved, per_point, divisor), self.whists, self.settle())

    def _settlement_of_columns(self) -> Settlement:
        rules, record = self._rules[0], self._sheet[0]
        off = [int(refet.written_off(rules, record, player)) for player in range(self.n)]
        mean = sum(self.columns, Fraction(0)) / self.n
        moved = [mean - Fraction(points, UNIT) for points in off]
        mountains = Mountains(self.columns, moved, refet.POINT_WHISTS, self.n, paid=False)
        return work_out(mountains, self.whists, self.settle())

    @property
    def pool_weight(self) -> Fraction:
        """Mountain points for a pool point carried over at settlement (``end.pool_weight``)."""
        weight = UNIT * self.variant.conventions["end.pool_weight"]
        return Fraction(int(sheet.surplus_points(self._rules[0], weight)), UNIT)

    def _carried(self) -> list[Fraction]:
        """Mountains with the pool carried over, counted from target, mean or zero (end.carry)."""
        origin = {
            "target": Fraction(self.total, self.n),
            "mean": sum(self.pool, Fraction(0)) / self.n,
            "zero": Fraction(0),
        }[self.variant.conventions["end.carry"]]
        return [
            m + self.pool_weight * (origin - p)
            for m, p in zip(self.mountain, self.pool, strict=True)
        ]

    def _add(self, player: int, column: str, amount: int, on: int) -> None:
        record = self._sheet[0]
        if column == WHISTS:
            record["whists"][MAX_PLAYERS * player + on] += UNIT * amount
        else:
            record[column][player] += UNIT * amount

    def check_wrong_records(self) -> None:
        """SheetError in games that have no penalty for wrong records."""
        if not self.variant.has_pool:
            right = "deal" if self.variant.has_columns else "row"
            raise SheetError(
                f"{self.variant.name} has no penalty for wrong records: write the {right} as it was"
            )

    def _check_record(self, player: int, column: str, amount: int, on: int) -> None:
        self.check_wrong_records()
        if column not in COLUMNS:
            raise SheetError(f"column {column!r} is not on a sheet: {', '.join(COLUMNS)}")
        if (column == WHISTS) != (0 <= on < self.n and on != player):
            raise SheetError("a record of whists names another player on whom, others name nobody")
        if amount == 0:
            raise SheetError("a wrong record must differ from the right one")

    def misrecord(self, player: int, column: str, amount: int, on: int = -1) -> None:
        """A player writes ``amount`` too much (below zero: too little, or forgets an entry).

        SheetError for a column that the sheet does not have.
        """
        self._check_record(player, column, amount, on)
        self._add(player, column, amount, on)
        self._wrong.append((self.n_deals, _WrongRecord(player, column, amount, on)))

    def correct(
        self,
        player: int,
        column: str,
        amount: int,
        on: int = -1,
        *,
        pencil: bool = False,
        after_auction: bool = False,
        agreed: bool = False,
    ) -> Correction:
        """Correct a wrong record made by :meth:`misrecord` (Code of Preferans 4.2.7-4.2.10).

        It must be noticed before the auction of the next deal has ended; later (a deal was written
        since, or ``after_auction``) only if all have ``agreed``. A false gain is struck and costs
        the offender as much again: the player written on may write as many whists, a pool or
        mountain entry goes to the offender's mountain. Free are the first error
        (``records.first_error_free``), a slip noticed pencil in hand, and one that harmed its
        writer alone. SheetError if there is no such record or it is too late.
        """
        self._check_record(player, column, amount, on)
        wrong = _WrongRecord(player, column, amount, on)
        made = [k for k, (_, one) in enumerate(self._wrong) if one == wrong]
        if not made:
            raise SheetError("there is no such wrong record to correct")
        if (self._wrong[made[-1]][0] != self.n_deals or after_auction) and not agreed:
            raise SheetError(
                "too late: the auction of the next deal has ended, so the record stands unless "
                "all agree (Code of Preferans 4.2.9)"
            )
        del self._wrong[made[-1]]
        self._add(player, column, -amount, on)
        false_gain = amount < 0 if column == MOUNTAIN else amount > 0
        if pencil or not false_gain:
            return Correction(amount, 0, -1)
        free = self._is_free(player)
        self._erred.add(player)
        penalty = abs(amount) * self.variant.conventions["records.penalty_factor"]
        if free or penalty == 0:
            return Correction(amount, 0, -1)
        if column == WHISTS:
            self._add(on, WHISTS, penalty, player)
            return Correction(amount, penalty, on)
        self._add(player, MOUNTAIN, penalty, -1)
        return Correction(amount, penalty, -1)

    def _is_free(self, player: int) -> bool:
        rule = self.variant.conventions["records.first_error_free"]
        return rule != "no" and (player not in self._erred if rule == "player" else not self._erred)

    def join(self, last_dealer: int) -> ScoreSheet:
        """The sheet with a fourth player, who sits down to deal next (Code of Preferans 3.1.2).

        He becomes player ``last_dealer + 1``; those after him move up by one. He enters with the
        mean of the others' pools, rounded down, and of their mountains, rounded up. SheetError
        unless three play, and the variant can be played by four.
        """
        if self.n != 3:
            raise SheetError(f"only a fourth player can join; {self.n} play")
        if MAX_PLAYERS not in self.variant.players:
            raise SheetError(f"{self.variant.name} is not played by four, so nobody can join")
        if not self.variant.has_pool:
            raise SheetError(f"{self.variant.name} has no rule for a fourth player who joins")
        total = None if self.total == self.target * self.n else self.total
        joined = ScoreSheet(self.variant, 4, self.target, total)
        new = last_dealer + 1
        place = [i if i < new else i + 1 for i in range(self.n)]
        pool, mountain = self.pool, self.mountain
        pool.insert(new, Fraction(floor(sum(pool) / self.n)))
        mountain.insert(new, Fraction(ceil(sum(mountain) / self.n)))
        whists = {
            (place[i], place[j]): amount
            for i, row in enumerate(self.whists)
            for j, amount in enumerate(row)
            if i != j
        }
        joined.set(pool, mountain, whists)
        before, after = self._sheet[0], joined._sheet[0]
        carried = ("raspas_index", "dark_row", "n_deals", "deals_left", "clock")
        for name in (*carried, "first_pool", "first_mountain"):
            after[name] = before[name]
        for i, j in enumerate(place):
            for name in ("bombs", "fir_trees"):
                after[name][j] = before[name][i]
        joined._erred = {place[i] for i in self._erred}
        joined._wrong = [
            (k, _WrongRecord(place[w.player], w.column, w.amount, -1 if w.on < 0 else place[w.on]))
            for k, w in self._wrong
        ]
        return joined


def score_deal(
    variant: Variant | str,
    result: DealResult,
    n_players: int | None = None,
    target: int | None = None,
) -> Entries:
    """What one deal writes under a variant, before help, in pool and mountain points and whists.

    >>> from scoring.contract import TRICKS
    >>> from scoring.result import PASSED, WHISTED
    >>> made = DealResult(2, TRICKS, declarer=0, level=7, tricks=(7, 3, 0),
    ...                   decisions={1: WHISTED, 2: PASSED}, last_whister=1)
    >>> entries = score_deal("sochi", made)
    >>> entries.pool[0], entries.whists[1][0]
    (Fraction(4, 1), Fraction(12, 1))
    """
    found = find_variant(variant) if isinstance(variant, str) else variant
    return ScoreSheet(found, n_players, target).entries(result)


def settle(
    variant: Variant | str,
    pool: Sequence[int | Fraction],
    mountain: Sequence[int | Fraction],
    whists: Sequence[Sequence[int | Fraction]],
    target: int | None = None,
) -> Settlement:
    """The settlement of a sheet by its columns; ``whists[i][j]`` is written by i on j.

    >>> settle("sochi", [20, 20, 20], [0, 6, 0], [[0] * 3] * 3).result[1]
    Fraction(-40, 1)
    """
    found = find_variant(variant) if isinstance(variant, str) else variant
    board = ScoreSheet(found, len(pool), target)
    written = {(i, j): x for i, row in enumerate(whists) for j, x in enumerate(row) if i != j}
    board.set(pool, mountain, written)
    return board.settlement()
