"""What a row of razboinik's table costs ``cautious``, and the rows that are left after it.

Points are linear and each player fills a table of his own, so that what is open decides what is to
come: the value of a set of open rows is the mean, over a sample of deals, of the best that can be
done with the hand now, from one row on to six. Values are whole thousandths of a whist, whose sums
are exact on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoring.batch import value_results
from scoring.contract import LEVEL_ROWS, MISERE_GAME, MISERE_ROW, N_ROWS, TRICKS
from scoring.conventions import (
    DECLARER_ELDEST,
    ROW_AFTER,
    ROW_BEFORE,
    ROW_MISERE_BEFORE,
    ROW_NO_TALON,
)
from scoring.result import UNIT

from .hand_tables import BUCKETS, Floats
from .prices import Rules, blank_results, convention, expect
from .prices_two import Tables, play_word, seats_of, tables_of_two
from .samples import Ints, best_tricks, bucket, fewest_tricks, sample_hands, sum_of

FINE = 8
"""Buckets of a trick at misère; of other tricks there are four."""
N_SETS = 1 << N_ROWS
_THOUSAND = 1000


def row_values(rules: Rules) -> Floats:
    """[row, k]: value in whists of a row with k tricks of the declarer."""
    results = blank_results(rules, (N_ROWS, 11), TRICKS)
    results["level"][:MISERE_ROW] = np.arange(6, 11)[:, None]
    results["kind"][MISERE_ROW] = MISERE_GAME
    results["played"] = 1
    results["tricks"][..., 0] = np.arange(11)
    results["tricks"][..., 1] = 10 - np.arange(11)
    values = value_results(rules, results.ravel())[:, 0] / UNIT
    return values.reshape(N_ROWS, 11)


def row_prices(rules: Rules, fitted: Tables, when: str) -> Floats:
    """[row, bucket]: value of a row by the expected tricks (row 5: by the fine bucket of those at
    misère): before the talon (``bid``), after it (``play``), or without it (``raw``)."""
    word = play_word(rules)
    values = row_values(rules)
    chances, at_misere = (
        fitted[f"two_{word}_{name}_outcome"].reshape(BUCKETS, 11)
        for name in (when, f"misere_{when}")
    )
    levels = expect(values[:MISERE_ROW], chances)
    return np.concatenate([levels, expect(values[MISERE_ROW:], at_misere)])


def _thousandths(prices: Floats, levels: Ints, misere: Ints) -> Ints:
    """[row, deal]: values by the buckets of each deal."""
    whole = np.rint(prices * _THOUSAND).astype(np.int64)
    return np.concatenate([whole[:MISERE_ROW, levels], whole[MISERE_ROW:, misere]])


def sample_values(rules: Rules, fitted: Tables, prices: dict[str, Floats]) -> dict[str, Ints]:
    """[row, deal] of ``bid``, ``play`` and ``raw``: what each row is worth with the sample's hands,
    in thousandths, by the prices of each."""
    eldest, dealer = seats_of(rules)
    place = eldest if convention(rules, "razboinik_declarer") == DECLARER_ELDEST else dealer
    tables = tables_of_two(rules, fitted)
    ten, twelve = sample_hands()
    found = {}
    for when, price in prices.items():
        if when == "play":
            levels = best_tricks(tables, "play", twelve, place, True)
            misere = fewest_tricks(tables["misere_play"], twelve)
        else:
            kind = "bid" if when == "bid" else "play"
            levels = best_tricks(tables, kind, ten, place, False)
            misere = sum_of(tables[f"misere_{kind}"], ten)
        found[when] = _thousandths(price, bucket(levels, 4), bucket(misere, FINE))
    return found


def _best_of(values: Ints, left: Ints, rows: int, among: int) -> Ints:
    """By deal: the best of some rows, with the rows of the set that are left after it."""
    best = np.full(values.shape[1], -(10**12))
    for k in range(N_ROWS):
        if among >> k & 1:
            best = np.maximum(best, values[k] + left[rows & ~(1 << k)])
    return best


def _mean(values: Ints) -> int:
    return int(values.sum()) // len(values)


def _value_of_set(mode: int, values: dict[str, Ints], left: Ints, rows: int) -> tuple[int, int]:
    """The value of a set of open rows, and what the talon is worth before it is seen."""
    if mode != ROW_MISERE_BEFORE:
        when = {ROW_BEFORE: "bid", ROW_AFTER: "play", ROW_NO_TALON: "raw"}[mode]
        return _mean(_best_of(values[when], left, rows, rows)), 0
    misere = _best_of(values["bid"], left, rows, rows & ~LEVEL_ROWS)
    if not rows & LEVEL_ROWS:
        return _mean(misere), 0
    taken = _best_of(values["play"], left, rows, rows & LEVEL_ROWS)
    guess = _best_of(values["bid"], left, rows, rows & LEVEL_ROWS)
    gain = _mean(taken - guess)
    return _mean(np.where(misere > guess + gain, misere, taken)), gain


def rows_left(rules: Rules, values: dict[str, Ints]) -> tuple[Floats, Floats]:
    """[set]: whists that a set of open rows is worth, and what a look at the talon adds there to
    the best level row that one would name before it."""
    mode = convention(rules, "razboinik_talon")
    left, gains = np.zeros(N_SETS, np.int64), np.zeros(N_SETS, np.int64)
    for rows in range(1, N_SETS):
        left[rows], gains[rows] = _value_of_set(mode, values, left, rows)
    return left / _THOUSAND, gains / _THOUSAND


class RowTables(NamedTuple):
    """What razboinik adds to the weights: prices after the talon and before it, and by set of open
    rows what :func:`rows_left` says."""

    prices: Floats
    bid_prices: Floats
    left: Floats
    gains: Floats


def row_tables(rules: Rules, fitted: Tables) -> RowTables:
    """Tables of rows by the variant's own prices; without the talon there is nothing before it."""
    used = ("play", "bid")
    if convention(rules, "razboinik_talon") == ROW_NO_TALON:
        used = ("raw", "raw")
    prices = {when: row_prices(rules, fitted, when) for when in used}
    left, gains = rows_left(rules, sample_values(rules, fitted, prices))
    return RowTables(prices[used[0]], prices[used[1]], left, gains)
