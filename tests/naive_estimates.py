"""The naive side of the estimates: every metric, interval and difference in plain Python.

It loops over ``to_pylist()`` of the datasets and knows statistics from books only: a ratio's
residuals by pulka, Student's t from a printed table, the binomial bound at 0 and 1.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest
from refet_estimates import PER_END, PER_HAND

from sim.analysis import Estimate
from sim.metrics import Metric

LEVELS = (6, 7, 8, 9, 10)
ROWS = ("6", "7", "8", "9", "10", "misere")
Row = dict[str, Any]
Tables = tuple[pa.Table, pa.Table]
Rows = tuple[list[Row], list[Row]]


# The naive side: what each metric counts


def is_game(row: Row, level: int) -> bool:
    return row["kind"] == "tricks" and row["level"] == level


def is_failed(row: Row) -> bool:
    """A contract that was conceded or played with too few tricks."""
    if row["concession"] is not None:
        return True
    return bool(row["played"]) and row[f"tricks_{row['declarer']}"] < row["level"]


def declarer_tricks(row: Row) -> int:
    return int(row[f"tricks_{row['declarer']}"])


def is_contract(row: Row) -> bool:
    """A contract to which the defenders were asked to whist."""
    return row["kind"] == "tricks" and row["concession"] is None


def table(row: Row, name: str) -> list[int]:
    """An amount of each player at the table, which is one of two, three or four."""
    return [row[f"{name}_{i}"] for i in range(4) if row[f"{name}_{i}"] is not None]


def sitting_dealer(row: Row) -> int | None:
    """The dealer where he holds no cards: where there are four players."""
    return row["dealer"] if row["value_3"] is not None else None


def calls(row: Row, word: str) -> int:
    """Defenders who called this, the sitting dealer not counted."""
    return sum(row[f"decision_{i}"] == word for i in range(4) if i != sitting_dealer(row))


def defenders(row: Row) -> int:
    """Players who are asked to whist a contract: two, or the only opponent."""
    return is_contract(row) * (1 if row["value_2"] is None else 2)


def is_raspas(row: Row) -> bool:
    return bool(row["kind"] == "raspas" and row["played"])


def chose_open(row: Row, answer: bool | None = None) -> bool:
    """Whether the opponent of two players chose open or blind; with ``answer``, this of them."""
    chosen = row["kind"] == "tricks" and row["open"] is not None
    return chosen and (answer is None or row["open"] is answer)


def is_left(row: Row) -> bool:
    """A contract that was left to the dealer: no defender whisted it."""
    return is_contract(row) and calls(row, "whist") == 0


def dealer_whists(row: Row) -> bool:
    return row[f"decision_{sitting_dealer(row)}"] == "whist"


def cost(row: Row) -> float:
    """Whists that change hands in a deal: half of the sum of the absolute values."""
    return 0.5 * sum(abs(value) / 12 for value in table(row, "value"))


def seat_value(row: Row, seat: int) -> float:
    """Value of a player from the eldest; the last of two, three or four is the dealer."""
    players = len(table(row, "value"))
    order = [*range(players), *range(players)][row["dealer"] + 1 :]
    return row[f"value_{order[seat]}"] / 12


Count = Callable[[Row], float]
PER_DEAL: dict[str, tuple[Count, Count]] = {
    "raspas_rate": (is_raspas, lambda r: 1),
    "thrown_in_rate": (lambda r: r["kind"] == "raspas" and not r["played"], lambda r: 1),
    "share_misere": (lambda r: r["kind"] == "misere", lambda r: 1),
    "made_misere": (
        lambda r: r["kind"] == "misere" and declarer_tricks(r) == 0,
        lambda r: r["kind"] == "misere",
    ),
    "failed_misere": (
        lambda r: r["kind"] == "misere" and declarer_tricks(r) > 0,
        lambda r: r["kind"] == "misere",
    ),
    "misere_tricks": (
        lambda r: declarer_tricks(r) if r["kind"] == "misere" else 0,
        lambda r: r["kind"] == "misere",
    ),
    "whist_rate": (lambda r: calls(r, "whist"), defenders),
    "half_whist_rate": (lambda r: calls(r, "half"), defenders),
    "blind_rate": (lambda r: chose_open(r, False), chose_open),
    "whisted_rate": (lambda r: r["kind"] == "tricks" and r["played"], is_contract),
    "without_talon_rate": (
        lambda r: r["contract"].endswith(" wt"),
        lambda r: r["kind"] != "raspas",
    ),
    "dealer_whist_rate": (dealer_whists, is_left),
    "open_rate": (
        lambda r: r["kind"] == "tricks" and r["open"],
        lambda r: r["kind"] == "tricks" and r["played"],
    ),
    "raspas_cost": (
        lambda r: cost(r) if is_raspas(r) else 0,
        is_raspas,
    ),
    "game_cost": (
        lambda r: cost(r) if r["declarer"] is not None else 0,
        lambda r: r["declarer"] is not None,
    ),
    **PER_HAND,
}
for _level in LEVELS:
    PER_DEAL |= {
        f"share_{_level}": (lambda r, n=_level: is_game(r, n), lambda r: 1),
        f"made_{_level}": (
            lambda r, n=_level: is_game(r, n) and not is_failed(r),
            lambda r, n=_level: is_game(r, n),
        ),
        f"failed_{_level}": (
            lambda r, n=_level: is_game(r, n) and is_failed(r),
            lambda r, n=_level: is_game(r, n),
        ),
        f"declarer_tricks_{_level}": (
            lambda r, n=_level: declarer_tricks(r) if is_game(r, n) and r["played"] else 0,
            lambda r, n=_level: is_game(r, n) and r["played"],
        ),
    }
for _seat in range(4):
    PER_DEAL[f"seat_{_seat}"] = (lambda r, n=_seat: seat_value(r, n), lambda r: 1)

PER_PULKA: dict[str, Count] = {
    "deals_per_pulka": lambda p: p["n_deals"],
    "result_spread": lambda p: statistics.fmean((x / 12) ** 2 for x in table(p, "result")),
    "unfinished_rate": lambda p: p["unfinished"],
    **{f"player_{i}": (lambda p, n=i: p[f"result_{n}"] / 12) for i in range(4)},
    **{f"points_player_{i}": (lambda p, n=i: points_of(p, n)) for i in range(2)},
    **{f"win_{i}": (lambda p, n=i: p[f"result_{n}"] > p[f"result_{1 - n}"]) for i in range(2)},
    "margin": lambda p: abs(points_of(p, 0) - points_of(p, 1)),
    "draw_rate": lambda p: points_of(p, 0) == points_of(p, 1),
}

PER_ROW: dict[str, tuple[Count, Count]] = {**PER_END}
"""Figures from what is written at the end, of razboinik in the rows of its table."""
for _row in ROWS:
    PER_ROW[f"points_{_row}"] = (
        lambda p, g=_row: sum(written(p, g)) / 12,
        lambda p, g=_row: len(written(p, g)),
    )
    PER_DEAL[f"turn_{_row}"] = (
        lambda r, g=_row: r["turn"] if names_row(r, g) else 0,
        lambda r, g=_row: names_row(r, g),
    )


def names_row(row: Row, game: str) -> bool:
    return game == (row["kind"] if row["level"] is None else str(row["level"]))


def written(pulka: Row, game: str) -> list[int]:
    """What stands in a row of both players; an open one has nothing."""
    return [p for i in range(2) if (p := pulka[f"row_{game}_{i}"]) is not None]


def points_of(pulka: Row, player: int) -> float:
    return sum(pulka[f"row_{game}_{player}"] or 0 for game in ROWS) / 12


def rows_of(run: Tables, conventions: Mapping[str, Any]) -> Rows:
    """Deals and pulkas as plain Python; ``turn``: the how manieth game of its declarer it is."""
    deals, pulkas = run[0].to_pylist(), run[1].to_pylist()
    turns: Counter[tuple[int, int]] = Counter()
    for row in deals:
        turns[row["pulka"], row["declarer"]] += 1
        row["turn"] = turns[row["pulka"], row["declarer"]]
        row["conventions"] = conventions
    return deals, pulkas


def pairs(run: Rows, name: str) -> list[tuple[float, float]]:
    """Numerator and denominator of a metric for each pulka."""
    deals, pulkas = run
    if name in PER_PULKA:
        return [(float(PER_PULKA[name](row)), 1.0) for row in pulkas]
    if name in PER_ROW:
        over, by = PER_ROW[name]
        return [(float(over(row)), float(by(row))) for row in pulkas]
    over, by = PER_DEAL[name]
    sums = {row["pulka"]: [0.0, 0.0] for row in pulkas}
    for row in deals:
        sums[row["pulka"]][0] += float(over(row))
        sums[row["pulka"]][1] += float(by(row))
    return [(a, b) for a, b in sums.values()]


# The naive side: statistics

Interval = tuple[float | None, float | None, float | None]


def residuals(run: Rows, metric: Metric) -> tuple[float, list[float]] | None:
    """A metric and what each pulka adds to its error (to first order)."""
    rows = pairs(run, metric.name)
    total = math.fsum(b for _, b in rows)
    if total == 0:
        return None
    ratio = math.fsum(a for a, _ in rows) / total
    errors = [(a - ratio * b) / total for a, b in rows]
    if not metric.root:
        return ratio, errors
    value = math.sqrt(ratio)
    return value, [error / (2 * value) for error in errors]


def half_width(errors: Sequence[float], t: float) -> float:
    """t times the standard error of the sum of errors that pulkas add independently."""
    return t * math.sqrt(len(errors)) * statistics.stdev(errors)


def rare_bound(trials: float) -> float:
    """The rate at which no success in so many trials has a chance of 2.5 %, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 - middle) ** trials > 0.025 else (low, middle)
    return low


def naive_estimate(run: Rows, metric: Metric, t: float) -> Interval:
    """Value and interval of a metric."""
    found = residuals(run, metric)
    if found is None:
        return None, None, None
    value, errors = found
    if not metric.share:
        half = half_width(errors, t)
        return value, value - half, value + half
    events = math.fsum(b for _, b in pairs(run, metric.name))
    if value == 0:
        return 0.0, 0.0, rare_bound(min(len(errors), events))
    if value == 1:
        return 1.0, 1 - rare_bound(min(len(errors), events)), 1.0
    half = half_width(errors, t)
    return value, max(0.0, value - half), min(1.0, value + half)


def naive_difference(one: Rows, other: Rows, metric: Metric, t: float) -> Interval:
    """Paired difference of a metric: the pulkas of both runs have the same cards."""
    found = residuals(one, metric), residuals(other, metric)
    if found[0] is None or found[1] is None:
        return None, None, None
    (a, plus), (b, minus) = found
    if metric.share and {a, b} <= {0.0, 1.0}:
        _, low, high = naive_estimate(one, metric, t)
        _, low2, high2 = naive_estimate(other, metric, t)
        assert low is not None and high is not None and low2 is not None and high2 is not None
        return a - b, low - high2, high - low2
    half = half_width([x - y for x, y in zip(plus, minus, strict=True)], t)
    return a - b, a - b - half, a - b + half


def assert_same(found: Estimate, expected: Interval, name: str) -> None:
    """Equal up to rounding, and to the last digit of the printed t in the bounds."""
    value, low, high = expected
    slack = 1e-5 * (high - low) if low is not None and high is not None else 0.0
    for ours, naive in ((found.value, value), (found.low, low), (found.high, high)):
        if naive is None:
            assert ours is None, name
        else:
            assert ours == pytest.approx(naive, rel=1e-9, abs=1e-7 + slack), name
