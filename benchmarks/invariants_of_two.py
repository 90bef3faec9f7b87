"""What must hold of deals and pulkas of two players, and of razboinik: checked over whole arrays.

Sources: Essay "Preferans", the game for two; Code of Preferans 3.8.2, 4.1.1. The rules are told in
words of their own, and points are counted in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.played import Array, Played
from scoring.contract import MISERE_GAME, N_ROWS, RASPAS
from scoring.result import UNIT

Check = Callable[[Played], Array]
Row = Any


# Razboinik


def _rows_played(run: Played) -> Array:
    """The row of the table that each deal fills, 0..5; misère is the last."""
    return np.where(run.kind == MISERE_GAME, N_ROWS - 1, run.deals["level"] - 6)


def _points(run: Played) -> Array:
    """The points that each deal of razboinik writes: a price for each trick short."""
    prices = np.array(run.rule("razboinik.price"))[run.deals["level"] - 6]
    tricks = prices * np.maximum(0, run.deals["level"] - run.taken)
    return np.where(run.kind == MISERE_GAME, run.rule("razboinik.misere") * run.taken, tricks)


def _declarers(run: Played) -> Array:
    """Razboinik: no auction, no whist, no raspas; who declares is said by the deal."""
    if run.has_auction:
        return np.zeros(len(run.deals), bool)
    deals = run.deals
    deals_himself = run.rule("razboinik.declarer") == "dealer"
    due = np.where(deals_himself, deals["dealer"], 1 - deals["dealer"])
    wrong = (deals["declarer"] != due) | (run.kind == RASPAS)
    for name in ("n_bids", "without_talon", "concession", "off_mountain", "raspas_index"):
        wrong |= deals[name] != 0
    return wrong | (deals["bid"] != -1) | deals["decision"].any(axis=1)


def _once(run: Played) -> Array:
    """Razboinik: no player fills a row twice."""
    if run.has_auction:
        return np.zeros(len(run.deals), bool)
    pulka = np.cumsum(run.first)
    cells = (2 * pulka + run.deals["declarer"]) * N_ROWS + _rows_played(run)
    again = np.ones(len(cells), bool)
    again[np.unique(cells, return_index=True)[1]] = False
    return again


def _worth(run: Played) -> Array:
    """Razboinik: what the declarer writes he loses to the other."""
    if run.has_auction:
        return np.zeros(len(run.deals), bool)
    points = UNIT * _points(run)
    declarer = run.deals["declarer"]
    return (run.of(declarer, "value") != -points) | (run.of(1 - declarer, "value") != points)


def _table(run: Played) -> Array:
    """The table has the points of each row that was played, and their sums; others have none."""
    cells = np.full((len(run.pulkas), 2 * N_ROWS), -1)
    sums = run.pulkas["row"].clip(0).reshape(-1, 2, N_ROWS).sum(axis=2)
    wrong = np.zeros(len(run.pulkas), bool)
    if not run.has_auction:
        pulka = np.cumsum(run.first) - 1
        cells[pulka, N_ROWS * run.deals["declarer"] + _rows_played(run)] = UNIT * _points(run)
        wrong = (run.pulkas["mountain"][:, :2] != sums).any(axis=1)
        wrong |= run.pulkas["pool"].any(axis=1) | run.pulkas["whists"].any(axis=1)
    return wrong | (run.pulkas["row"] != cells).any(axis=1)


# Two players with a pool


def _settled(run: Played) -> Array:
    """Two players: the result follows from pools, mountains and whists."""
    if run.n != 2:
        return np.zeros(len(run.pulkas), bool)
    pulkas = run.pulkas
    mountain = 2 * pulkas["mountain"]  # in halves of a twelfth
    owed, whists = 1, pulkas["whists"].reshape(-1, 4, 4)
    divisor = 1
    if run.has_auction:
        surplus = 1 if run.rule("end.surplus") == "half" else 2
        mountain = mountain - surplus * run.rule("end.pool_weight") * pulkas["pool"]
        owed = run.rule("end.mountain_whists")
        divisor = 1 if run.rule("end.divisor") == "opponents" else 2
    won = owed * (mountain[:, 1] - mountain[:, 0])
    won = won + 2 * divisor * (whists[:, 0, 1] - whists[:, 1, 0])
    return 2 * divisor * pulkas["result"][:, 0] != won


class _Sheet:
    """An empty sheet of two, on which one deal is written in plain Python; points and whists."""

    def __init__(self, rules: Mapping[str, Any], target: int) -> None:
        self.rules = rules
        self.target = target
        self.pool = [0, 0]
        self.mountain = [rules["start.mountain"]] * 2
        self.whists = [0, 0]
        """Of each player on the other."""

    def write(self, row: Row) -> None:
        """Write the first deal of a pulka."""
        if row["kind"] == RASPAS:
            if row["played"]:
                self._raspas(row)
        elif row["kind"] == MISERE_GAME:
            self._misere(row)
        else:
            self._contract(row)
        if row["kind"] != RASPAS:
            self._talon(row)

    def _contract(self, row: Row) -> None:
        rules, declarer = self.rules, int(row["declarer"])
        step, level, defender = int(row["level"]) - 6, int(row["level"]), 1 - declarer
        taken, defence = int(row["tricks"][declarer]), int(row["tricks"][defender])
        if row["concession"]:
            lost = int(row["concession"]) * rules["values.undertrick"][step]
            self.mountain[declarer] += lost
            return
        over = taken - level if row["played"] else 0
        if over < 0 or (over > 0 and rules["contract.underbid_fails"]):
            self.mountain[declarer] += abs(over) * rules["values.undertrick"][step]
        else:
            self._made(row, rules["values.made"][step])
        if not row["played"]:
            return
        self.whists[defender] += rules["values.whist"][step] * defence
        self.whists[defender] += rules["values.consolation"][step] * max(0, -over)
        if level == 10 and rules["whist.ten"] == "checked":
            return
        duty = rules["values.duty" if row["open_play"] else "dummy.blind_duty"][step]
        self.mountain[defender] += rules["values.remise"][step] * max(0, duty - defence)

    def _misere(self, row: Row) -> None:
        rules, declarer = self.rules, int(row["declarer"])
        taken = int(row["tricks"][declarer])
        if taken == 0:
            self._made(row, rules["misere.made"])
            self.whists[declarer] += rules["prize.misere_made"]
        self.mountain[declarer] += rules["misere.undertrick"] * taken
        self.whists[1 - declarer] += rules["misere.whists"] * taken

    def _raspas(self, row: Row) -> None:
        rules, tricks = self.rules, row["tricks"][:2].tolist()
        price = rules["raspas.price"] * rules["raspas.progression"][0]
        if row["dark_level"]:
            price *= rules["raspas.dark_factor"]
        bonus = rules["raspas.zero_prices"] * price + rules["raspas.zero_points"]
        fewest = min(tricks)
        for player, taken in enumerate(tricks):
            if rules["raspas.column"] == "mountain":
                less = fewest if rules["raspas.amnesty"] else 0
                self.mountain[player] += price * (taken - less)
            elif taken < tricks[1 - player]:
                less = taken if rules["raspas.whists"] == "difference" else 0
                self.whists[player] += price * (tricks[1 - player] - less)
            if taken == 0:
                self.whists[player] += rules["prize.raspas_zero"]
                if rules["raspas.zero_column"] == "mountain":
                    self.mountain[player] -= bonus
        if rules["raspas.zero_column"] == "pool":
            for player in (1 - int(row["dealer"]), int(row["dealer"])):
                if tricks[player] == 0:
                    self._won(player, bonus)

    def _talon(self, row: Row) -> None:
        """The talon bonus: to the only defender, or to the dealer unless he declares."""
        rules, declarer = self.rules, int(row["declarer"])
        if not rules["talon.bonus"]:
            return
        price = rules["values.whist"][int(row["level"]) - 6]
        if row["kind"] == MISERE_GAME:
            price = rules["misere.made"] if rules["talon.bonus_at_misere"] else 0
        if rules["talon.bonus_three"] == "half_each" or row["dealer"] != declarer:
            self.whists[1 - declarer] += price * int(row["talon_units"])

    def _made(self, row: Row, points: int) -> None:
        declarer = int(row["declarer"])
        if row["off_mountain"]:
            self.mountain[declarer] -= points * self.rules["values.off_mountain_instead"]
        else:
            self._gain(declarer, points)

    def _gain(self, player: int, points: int) -> None:
        """Into the pool; what is over helps the other, and what is left is off the mountain."""
        self._help(player, points - self._fill(player, points))

    def _won(self, player: int, points: int) -> None:
        """The same for points won at raspas."""
        left = points - self._fill(player, points)
        if self.rules["raspas.zero_closed"] == "help":
            self._help(player, left)
        elif self.rules["help.pool"]:
            self.mountain[player] -= min(left, max(0, self.mountain[player]))

    def _fill(self, player: int, points: int) -> int:
        room = points
        if self.rules["help.pool"]:
            room = self.target - self.pool[player]
        elif self.rules["end.overshoot"] == "truncate":
            room = 2 * self.target - sum(self.pool)
        filled = min(points, max(0, room))
        self.pool[player] += filled
        return filled

    def _help(self, player: int, points: int) -> None:
        if not self.rules["help.pool"]:
            return
        given = self._fill(1 - player, points)
        self.whists[player] += self.rules["help.whists"] * given
        left: Any = points - given
        if self.rules["end.leftover"] == "mountain":
            half = self.rules["end.surplus"] == "half"
            self.mountain[player] -= Fraction(left, 2) if half else left
        elif self.rules["end.leftover"] == "mountain_to_zero":
            self.mountain[player] -= min(left, max(0, self.mountain[player]))


UNTOLD = (
    *("values.mountain_first", "values.off_mountain_too", "help.mountain", "prize.first_pool"),
    *("prize.first_mountain_three", "prize.min_mountain"),
)
"""Conventions with which more is written than is told here."""


def _first_deals(run: Played) -> Array:
    """Two players: a pulka of one deal has on its sheet what the deal writes."""
    wrong = np.zeros(len(run.pulkas), bool)
    if run.n != 2 or not run.has_auction or any(run.rule(key) for key in UNTOLD):
        return wrong
    for k in np.flatnonzero(run.pulkas["n_deals"] == 1):
        sheet, pulka = _Sheet(run.variant.conventions, run.pool), run.pulkas[k]
        sheet.write(run.deals[run.starts[k]])
        whists = pulka["whists"].reshape(4, 4)
        seen = (pulka["pool"][:2], pulka["mountain"][:2], (whists[0, 1], whists[1, 0]))
        due = (sheet.pool, sheet.mountain, sheet.whists)
        wrong[k] = any(
            int(x) != UNIT * y
            for column, others in zip(seen, due, strict=True)
            for x, y in zip(column, others, strict=True)
        )
    return wrong


DEAL_CHECKS: dict[str, Check] = {
    "razboinik has neither auction nor whist, and declarers by the deal": _declarers,
    "no row of razboinik is played twice": _once,
    "a deal of razboinik is worth its price for each trick short": _worth,
}
PULKA_CHECKS: dict[str, Check] = {
    "razboinik's table has the points of its rows and their sums": _table,
    "a pulka of one deal of two has on its sheet what the deal writes": _first_deals,
    "two settle their pools, mountains and whists": _settled,
}
"""What holds of deals and of pulkas: a sentence, and which rows break it."""
