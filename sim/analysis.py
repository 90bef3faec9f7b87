"""What a run shows: ratios over deals with intervals clustered by pulka, and paired differences.

Deals inside a pulka are not independent, so every figure is a ratio of two sums over pulkas and its
variance comes from the pulkas (linearised ratio, Student's t). Runs with the same seed deal the
same cards, so a difference of two variants is paired by pulka. Only sums and cross products are
kept: memory does not grow with the number of pulkas.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scoring.deal_score import MAX_PLAYERS, UNIT

from .state import N_HANDS

CONFIDENCE = 0.95
LEVELS = (6, 7, 8, 9, 10)

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Metric:
    """A figure: the ratio of two sums over pulkas, or the square root of it.

    ``share`` marks a rate between 0 and 1; ``unit`` is what the value counts.
    """

    name: str
    title: str
    over: str
    by: str
    unit: str = ""
    share: bool = False
    root: bool = False


def _seat_titles(n_players: int) -> list[str]:
    """Whose deal value a seat's is: of the three hands, and with four players of the dealer."""
    titles = [f"value of seat {hand + 1} from the eldest" for hand in range(N_HANDS)]
    return titles if n_players < MAX_PLAYERS else [*titles, "value of the sitting dealer"]


_DEALERS_WHIST = Metric(
    "dealer_whist_rate",
    "dealer's whists, share of left to him",
    "dealer_whists",
    "left",
    share=True,
)
"""Of the contracts that no defender whisted; 0 where the dealer may not (``whist.dealer_may``)."""


def _metrics(n_players: int) -> tuple[Metric, ...]:
    games = (*map(str, LEVELS), "misere")
    return (
        Metric("raspas_rate", "raspas, share of deals", "raspas", "deals", share=True),
        Metric("deals_per_pulka", "deals per pulka", "deals", "pulkas", "deals"),
        *(
            Metric(f"share_{g}", f"{g}, share of deals", f"games_{g}", "deals", share=True)
            for g in games
        ),
        *(
            Metric(f"made_{g}", f"{g} made, share", f"made_{g}", f"games_{g}", share=True)
            for g in games
        ),
        *(
            Metric(f"failed_{g}", f"{g} failed, share", f"failed_{g}", f"games_{g}", share=True)
            for g in games
        ),
        Metric(
            "without_talon_rate",
            "without the talon, share of games",
            "without_talon",
            "games",
            share=True,
        ),
        Metric("whist_rate", "whists per defender asked", "whists", "defenders", share=True),
        Metric("half_whist_rate", "half-whists per defender", "halves", "defenders", share=True),
        *([_DEALERS_WHIST] if n_players == MAX_PLAYERS else []),
        Metric("whisted_rate", "contracts played out", "whisted", "contracts", share=True),
        Metric("open_rate", "played open, share of played", "opened", "whisted", share=True),
        *(
            Metric(
                f"declarer_tricks_{level}",
                f"declarer's tricks at {level}, played",
                f"tricks_{level}",
                f"played_{level}",
                "tricks",
            )
            for level in LEVELS
        ),
        Metric(
            "misere_tricks",
            "declarer's tricks at misere",
            "tricks_misere",
            "games_misere",
            "tricks",
        ),
        Metric("raspas_cost", "cost of a raspas", "raspas_cost", "raspas", "whists"),
        Metric("game_cost", "cost of another deal", "game_cost", "games", "whists"),
        Metric(
            "result_spread",
            "spread of a result (SD)",
            "result_square",
            "pulkas",
            "whists",
            root=True,
        ),
        *(
            Metric(f"seat_{h}", title, f"seat_{h}", "deals", "whists")
            for h, title in enumerate(_seat_titles(n_players))
        ),
        *(
            Metric(f"player_{i}", f"result of player {i}", f"result_{i}", "pulkas", "whists")
            for i in range(n_players)
        ),
        Metric("unfinished_rate", "unfinished pulkas", "unfinished", "pulkas", share=True),
    )


METRICS: dict[int, tuple[Metric, ...]] = {n: _metrics(n) for n in (N_HANDS, MAX_PLAYERS)}
"""Metrics by number of players."""


def _columns(n_players: int) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for metric in METRICS[n_players]:
        names[metric.over] = names[metric.by] = None
    return tuple(names)


COLUMNS = {n: _columns(n) for n in METRICS}
"""The sums that the metrics are made of, in order."""


def _array(table: pa.Table, name: str) -> Array:
    """A numeric column with nulls as zeros."""
    column = table.column(name)
    if column.null_count:
        column = pc.fill_null(column, False if pa.types.is_boolean(column.type) else 0)
    return np.asarray(column)


def _is_null(table: pa.Table, name: str) -> Array:
    return np.asarray(pc.is_null(table.column(name)))


def _is_word(table: pa.Table, name: str, word: str) -> Array:
    """Where a column of words holds ``word``."""
    column = table.column(name).unify_dictionaries().combine_chunks()
    words = column.dictionary.to_pylist()
    if word not in words:
        return np.zeros(len(column), bool)
    return np.asarray(pc.fill_null(column.indices, -1)) == words.index(word)


def _by_player(table: pa.Table, stem: str, n_players: int) -> Array:
    return np.column_stack([_array(table, f"{stem}_{i}") for i in range(n_players)])


def _calls(deals: pa.Table, word: str, n_players: int) -> Array:
    """Where a player's call was ``word``: booleans (deals, players)."""
    return np.column_stack([_is_word(deals, f"decision_{i}", word) for i in range(n_players)])


def _whists(deals: pa.Table, n_players: int, asked: Array) -> dict[str, Array]:
    """The columns of whists, ``asked`` where the defenders were to call; a sitting dealer's
    whist counts apart."""
    whists = _calls(deals, "whist", n_players)
    by_dealer = whists[np.arange(deals.num_rows), _array(deals, "dealer")]
    by_defenders = whists.sum(axis=1)
    out = {
        "defenders": 2 * asked,
        "whists": by_defenders,
        "halves": _calls(deals, "half", n_players).sum(axis=1),
    }
    if n_players == MAX_PLAYERS:
        out["whists"] = by_defenders - by_dealer
        out["dealer_whists"] = by_dealer
        out["left"] = asked & (out["whists"] == 0)
    return out


def _per_deal(deals: pa.Table, n_players: int) -> dict[str, Array]:
    """The columns that are sums over deals, a value a deal."""
    rows = np.arange(deals.num_rows)
    raspas = _is_null(deals, "declarer")
    level = _array(deals, "level")
    misere = ~raspas & (level == 0)
    declarer = _array(deals, "declarer")
    tricks = _by_player(deals, "tricks", n_players)[rows, declarer]
    played = _array(deals, "played")
    conceded = ~_is_null(deals, "concession")
    contract = level > 0
    values = _by_player(deals, "value", n_players) / UNIT
    cost = np.abs(values).sum(axis=1) / 2
    out: dict[str, Array] = {
        "deals": np.ones(len(rows)),
        "raspas": raspas,
        "games": ~raspas,
        "contracts": contract & ~conceded,
        "without_talon": _array(deals, "without_talon"),
        "whisted": contract & played,
        "opened": contract & _array(deals, "open"),
        "raspas_cost": cost * raspas,
        "game_cost": cost * ~raspas,
        "games_misere": misere,
        "made_misere": misere & (tricks == 0),
        "failed_misere": misere & (tricks > 0),
        "tricks_misere": misere * tricks,
        **_whists(deals, n_players, contract & ~conceded),
    }
    for one in LEVELS:
        games = level == one
        failed = games & (conceded | (played & (tricks < one)))
        out[f"games_{one}"] = games
        out[f"failed_{one}"] = failed
        out[f"made_{one}"] = games & ~failed
        out[f"played_{one}"] = games & played
        out[f"tricks_{one}"] = (games & played) * tricks
    dealer = _array(deals, "dealer")
    for hand in range(n_players):
        out[f"seat_{hand}"] = values[rows, (dealer + 1 + hand) % n_players]
    return out


def pulka_sums(deals: pa.Table, pulkas: pa.Table, n_players: int) -> Array:
    """The sums of ``COLUMNS`` for each pulka: float64 (pulkas, columns), whists and counts."""
    first = _array(pulkas, "pulka")
    place = np.searchsorted(first, _array(deals, "pulka"))
    per_deal = _per_deal(deals, n_players)
    results = _by_player(pulkas, "result", n_players) / UNIT
    per_pulka = {
        "pulkas": np.ones(len(first)),
        "unfinished": _array(pulkas, "unfinished"),
        "result_square": (results**2).mean(axis=1),
        **{f"result_{i}": results[:, i] for i in range(n_players)},
    }
    columns: list[Array] = []
    for name in COLUMNS[n_players]:
        if name in per_pulka:
            column = per_pulka[name]
        else:
            column = np.bincount(place, per_deal[name], len(first))
        columns.append(np.asarray(column, np.float64))
    return np.column_stack(columns)


ROUNDING = 1e-12
"""A variance below this share of the terms that cancel in it is rounding, not spread."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; all None where there is nothing to estimate."""

    value: float | None
    low: float | None
    high: float | None
    unit: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"value": self.value, "low": self.low, "high": self.high, "unit": self.unit}


def student_quantile(df: int) -> float:
    """Two-sided 95 % point of Student's t (Cornish-Fisher expansion, exact for 1 and 2)."""
    p = 0.5 + CONFIDENCE / 2
    if df == 1:
        return math.tan(math.pi * (p - 0.5))
    if df == 2:
        a = 2 * p - 1
        return a * math.sqrt(2 / (1 - a * a))
    z = NormalDist().inv_cdf(p)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / df**k for k, term in enumerate(terms))


class Moments:
    """Sums and cross products over pulkas of the columns of several runs side by side."""

    def __init__(self, names: Sequence[str], n_players: int) -> None:
        self.names = tuple(names)
        self.n_players = n_players
        self.n = 0
        size = len(names) * len(COLUMNS[n_players])
        self._sums = np.zeros(size)
        self._products = np.zeros((size, size))

    def add(self, parts: Sequence[Array]) -> None:
        """Add the same pulkas of each run (one ``pulka_sums`` array a run)."""
        rows = np.hstack(parts)
        self.n += len(rows)
        self._sums += rows.sum(axis=0)
        self._products += rows.T @ rows

    def _place(self, run: int, column: str) -> int:
        columns = COLUMNS[self.n_players]
        return run * len(columns) + columns.index(column)

    def _line(self, run: int, metric: Metric) -> tuple[float, dict[int, float]] | None:
        """Value of a metric and the weights of its linearised influence on the columns."""
        over, by = self._place(run, metric.over), self._place(run, metric.by)
        if self._sums[by] == 0:
            return None
        ratio = float(self._sums[over] / self._sums[by])
        slope = 1.0
        value = ratio
        if metric.root:
            value = math.sqrt(ratio)
            slope = 0.5 / value if value > 0 else 0.0
        weight = slope / float(self._sums[by])
        return value, {over: weight, by: -weight * ratio}

    def _half_width(self, weights: Mapping[int, float]) -> float | None:
        """Half the interval of a sum over pulkas of weighted columns that has mean zero."""
        if self.n < 2:
            return None
        terms = [
            a * b * float(self._products[i, j])
            for i, a in weights.items()
            for j, b in weights.items()
        ]
        square = sum(terms)
        if square < ROUNDING * sum(map(abs, terms)):
            square = 0.0
        variance = square * self.n / (self.n - 1)
        return student_quantile(self.n - 1) * math.sqrt(variance)

    def estimate(self, run: int, metric: Metric) -> Estimate:
        """A metric of one run with its interval."""
        line = self._line(run, metric)
        if line is None:
            return Estimate(None, None, None, metric.unit)
        value, weights = line
        half = self._half_width(weights)
        if half is None:
            return Estimate(value, None, None, metric.unit)
        if metric.share:
            low, high = self._share_bounds(run, metric, value, half)
            return Estimate(value, low, high, metric.unit)
        return Estimate(value, value - half, value + half, metric.unit)

    def _share_bounds(
        self, run: int, metric: Metric, value: float, half: float
    ) -> tuple[float, float]:
        """Bounds of a rate; at 0 and 1 the exact binomial bound, a pulka counted as one trial."""
        events = self._sums[self._place(run, metric.by)]
        trials = min(float(self.n), float(events))
        rare = 1 - ((1 - CONFIDENCE) / 2) ** (1 / trials)
        if value <= 0:
            return 0.0, rare
        if value >= 1:
            return 1 - rare, 1.0
        return max(0.0, value - half), min(1.0, value + half)

    def difference(self, one: int, other: int, metric: Metric) -> Estimate:
        """A metric of run ``one`` minus that of ``other``, paired by pulka."""
        first, second = self._line(one, metric), self._line(other, metric)
        if first is None or second is None:
            return Estimate(None, None, None, metric.unit)
        (a, plus), (b, minus) = first, second
        weights = dict(plus)
        for place, weight in minus.items():
            weights[place] = weights.get(place, 0.0) - weight
        half = self._half_width(weights)
        if half is None:
            return Estimate(a - b, None, None, metric.unit)
        if metric.share and {a, b} <= {0.0, 1.0}:
            return self._extreme_difference(one, other, metric)
        return Estimate(a - b, a - b - half, a - b + half, metric.unit)

    def _extreme_difference(self, one: int, other: int, metric: Metric) -> Estimate:
        """Difference of two rates that are 0 or 1: as wide as their own bounds allow."""
        a, b = self.estimate(one, metric), self.estimate(other, metric)
        assert a.value is not None and a.low is not None and a.high is not None
        assert b.value is not None and b.low is not None and b.high is not None
        return Estimate(a.value - b.value, a.low - b.high, a.high - b.low, metric.unit)

    def pairs(self) -> list[tuple[int, int]]:
        """Every pair of runs, in order."""
        count = len(self.names)
        return [(a, b) for a in range(count) for b in range(a + 1, count)]

    def as_json(self) -> dict[str, Any]:
        """All estimates: ``{"variants": {name: {metric: ...}}, "differences": {pair: ...}}``."""
        metrics = METRICS[self.n_players]
        return {
            "variants": {
                name: {m.name: self.estimate(run, m).as_json() for m in metrics}
                for run, name in enumerate(self.names)
            },
            "differences": {
                f"{self.names[a]} - {self.names[b]}": {
                    m.name: self.difference(a, b, m).as_json() for m in metrics
                }
                for a, b in self.pairs()
            },
        }
