"""The scorer of the refet game against the naive twin: the same random results, all they write.

After each deal they must agree on columns, soup and refets, whether the pulka is over, and the
settlement, all exact; so must arrays of results scored at once.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from naive.refet_auction import BASES
from naive.refet_scoring import RefetRecords, RefetResult, score_refet
from naive.refet_sheet import (
    RefetSheet,
    before_deal,
    is_over,
    settle_refet,
    write_refet_deal,
)
from random_conventions import draw_settings
from refet_results import RandomRefet, refet_result
from twin_refet_branches import count_refet_sheet
from twin_words import fractions, matrix

from scoring.batch import score_results, value_results, write_pulkas
from scoring.result import UNIT
from scoring.score_sheet import Entries, ScoreSheet
from scoring.variant import Variant, find_variant, variant_names

STARTS = (2, 6, 10, 30, 60)
N_DEALS = 300
N_COMBINATIONS = 400
MOST_DEALS = 16
TIMES = 10
"""How many times as many pulkas the long tests keep."""

TABLES = [
    (name, n)
    for name in variant_names()
    for n in find_variant(name).players
    if find_variant(name).has_columns
]
for_each_table = pytest.mark.parametrize(("name", "n"), TABLES)
"""The test for every shipped variant of the family with each number of players."""

ENDINGS = ("made", "lost")
BRANCHES = {
    **{
        f"{name} {ending}": 1
        for name in ("diamonds", "clubs", "betl", "sans")
        for ending in ENDINGS
    },
    **{f"a game {ending}": 5 for ending in ENDINGS},
    "made, 2 came, 0 short": 1,
    "made, invited, 1 short": 1,
    "nobody comes": 5,
    "refets": 3,
    "a refet used": 5,
    "no refets: under the hat": 1,
    "last hand lost": 3,
    "over": 3,
}
"""How often at least ``N_DEALS`` deals meet each branch of the rules, in any variant."""

DOUBLED = (" under contra", " under recontra", " under subcontra", " under mordcontra")
COMBINED_BRANCHES = {
    **{f"{name} {ending}": 10 for name in BASES if name != "spades" for ending in ENDINGS},
    **{f"{name} {ending}{contra}": 2 for name in BASES for ending in ENDINGS for contra in DOUBLED},
    **{f"a game {ending}{contra}": 10 for ending in ENDINGS for contra in DOUBLED},
    **{f"betl lost under contra, {way}": 20 for way in ("contra_five", "each_five", "contra_ten")},
    **{
        f"{ending}, contra, {way}, {short} short": 20
        for way in ("all", "each_own")
        for ending, short in (("made", 1), ("lost", 0))
    },
    **{f"made, 1 came, {k} short": 10 for k in (0, 1)},
    **{f"made, invited, {k} short": 10 for k in (0, 1)},
    **{f"made, 2 came, {rule}, {k} short": 5 for rule in ("own", "own_or_pair") for k in (0, 1, 2)},
    "lost, 2 came, own, 1 short": 10,
    "soup cut off": 50,
    "soup of equal shares cut off": 5,
    "nobody comes": 50,
    "nobody comes to spades": 10,
    **{
        f"spades left, {left}, {way}": 5
        for left, way in (
            ("refet_or_made", "refets"),
            ("refet_or_made", "written"),
            ("refet_or_four", "refets"),
            ("refet_or_four", "written"),
            ("refet_or_nothing", "refets"),
            ("refet_or_nothing", "nothing"),
            ("made", "written"),
        )
    },
    **{
        f"spades left, {left}, {way}, with a refet": 1
        for left, way in (
            ("refet_or_made", "refets"),
            ("refet_or_made", "written"),
            ("refet_or_four", "written"),
            ("refet_or_nothing", "nothing"),
            ("made", "written"),
        )
    },
    "spades left, nobody comes": 10,
    "refets": 50,
    "no refet for the dealer": 10,
    "a refet used": 50,
    "a refet used, others kept": 10,
    "a refet used under the hat": 20,
    "a frozen refet": 20,
    "no refets: under the hat": 50,
    "no refets: no more": 50,
    **{f"a column at nothing, {hat}": 5 for hat in ("below_zero", "at_zero")},
    "last hand made, cap": 10,
    "last hand made, with soup": 5,
    "last hand made, stop": 10,
    "last hand made, a follower short": 10,
    "double fall": 20,
    "last hand lost, not doubled": 20,
    "over": 50,
}
"""How often at least ``N_COMBINATIONS`` short pulkas meet each branch of the rules."""


def same(what: str, ours: Any, theirs: Any) -> None:
    """AssertionError unless scorer and twin agree."""
    assert ours == theirs, f"{what}: scorer {ours}, twin {theirs}"


class TwinSheets:
    """A pulka kept twice; every difference is an AssertionError that names the deals."""

    def __init__(self, variant: Variant, n: int, start: int, label: str) -> None:
        self.conv = dict(variant.conventions)
        self.board = ScoreSheet(variant, n, start)
        self.sheet = RefetSheet(n, start)
        self.label = f"{label}, {n} players, start {start}"
        self.history: list[str] = []
        self.reached: Counter[str] = Counter()

    def write(self, result: RefetResult) -> None:
        """Write a deal on both sheets and compare everything."""
        self.history.append(repr(result))
        before = self.sheet.copy()
        known = before_deal(self.conv, before, result.declarer)
        entries = self.board.write(refet_result(result))
        records = write_refet_deal(self.conv, self.sheet, result)
        try:
            self._compare(entries, records)
        except AssertionError as error:
            deals = "\n".join(self.history)
            raise AssertionError(f"{error}\n{self.label}\n{deals}") from error
        count_refet_sheet(self.reached, self.conv, known, before, self.sheet, result, records)
        self.reached["deals"] += 1

    def _compare(self, entries: Entries, records: RefetRecords) -> None:
        board, sheet = self.board, self.sheet
        same("pool entries", entries.pool, [0] * sheet.n)
        same("column entries", entries.mountain, records.column)
        same("soup entries", entries.whists, records.soup)
        same("columns", board.columns, sheet.column)
        same("soup", board.soup, sheet.soup)
        same("refets", board.refets, sheet.refets)
        same("refets written", board.refets_given, sheet.refets_written)
        same("is over", board.is_over(), is_over(sheet))
        found, finals = board.settlement(), settle_refet(self.conv, sheet)
        same("settlement", found.result, finals)
        same("first way", found.first_way, finals)
        same("second way", found.second_way, finals)


def play_pulka(
    variant: Variant, n: int, chance: random.Random, n_deals: int, label: str
) -> Counter[str]:
    """A random pulka of at most so many deals on both sheets; the branches reached."""
    sheets = TwinSheets(variant, n, chance.choice(STARTS), label)
    results = RandomRefet(chance, sheets.conv, n)
    for _ in range(n_deals):
        if sheets.board.is_over():
            break
        sheets.write(results.draw())
    return sheets.reached


def check_reached(reached: Counter[str], wanted: Mapping[str, int], times: int = 1) -> None:
    """Every branch must have been met often enough for the comparison to mean something."""
    missed = {k: reached[k] for k, least in wanted.items() if reached[k] < least * times}
    assert not missed, f"rare branches met too seldom: {missed}"


def play_pulkas(name: str, n: int, seed: int, n_deals: int) -> Counter[str]:
    """Keep pulkas of a variant on both sheets until so many deals are done."""
    chance = random.Random(f"{name} {n} {seed}")
    reached: Counter[str] = Counter()
    while reached["deals"] < n_deals:
        reached += play_pulka(find_variant(name), n, chance, MOST_DEALS, name)
    return reached


def draw_variant(chance: random.Random) -> tuple[Variant, str]:
    """A variant of random conventions, and the words to name it in a failure."""
    variant = find_variant("refet")
    settings = draw_settings(chance, variant.family)
    return variant.with_settings(settings), str(settings)


def play_combinations(seed: int, n_pulkas: int) -> Counter[str]:
    """Keep a pulka on both sheets under each of some random sets of conventions."""
    chance = random.Random(f"refet {seed}")
    reached: Counter[str] = Counter()
    for _ in range(n_pulkas):
        variant, label = draw_variant(chance)
        reached += play_pulka(variant, chance.choice((3, 4)), chance, MOST_DEALS, label)
    return reached


@for_each_table
def test_scorer_and_twin_keep_the_same_sheets(name: str, n: int) -> None:
    """Pulkas of a shipped variant, equal in every entry, sheet and settlement."""
    check_reached(play_pulkas(name, n, 1, N_DEALS), BRANCHES)


@pytest.mark.slow
@for_each_table
def test_scorer_and_twin_keep_the_same_sheets_for_long(name: str, n: int) -> None:
    """The same with ten times as many other deals."""
    check_reached(play_pulkas(name, n, 2, TIMES * N_DEALS), BRANCHES, TIMES // 2)


def test_scorer_and_twin_agree_under_any_conventions() -> None:
    """Pulkas under random combinations of all conventions at once."""
    check_reached(play_combinations(1, N_COMBINATIONS), COMBINED_BRANCHES)


@pytest.mark.slow
def test_scorer_and_twin_agree_under_any_conventions_for_long() -> None:
    """The same with ten times as many other combinations."""
    check_reached(play_combinations(2, TIMES * N_COMBINATIONS), COMBINED_BRANCHES, TIMES // 2)


# Arrays of results


class Drawn:
    """Results of one pulka, by the twin and as rows that know what an empty sheet knows."""

    def __init__(self, chance: random.Random, variant: Variant, n: int, count: int) -> None:
        self.conv = dict(variant.conventions)
        self.empty = RefetSheet(n, chance.choice(STARTS))
        results = RandomRefet(chance, self.conv, n)
        self.results = [results.draw() for _ in range(count)]
        self.rows = np.concatenate([refet_result(result).pack() for result in self.results])
        for row, result in zip(self.rows, self.results, strict=True):
            known = before_deal(self.conv, self.empty, result.declarer)
            row["may_refet"], row["remaining"] = known.may_refet, UNIT * (known.remaining or 0)


def draw_many(seed: str, count: int) -> list[tuple[Variant, int, Drawn]]:
    """Results under the shipped variants and under random conventions."""
    chance = random.Random(seed)
    variants = [(find_variant(name), n) for name, n in TABLES]
    variants += [(draw_variant(chance)[0], chance.choice((3, 4))) for _ in range(30)]
    return [(variant, n, Drawn(chance, variant, n, count)) for variant, n in variants]


def test_score_results_writes_what_the_twin_writes() -> None:
    """Entries of an array of results, each on an empty sheet."""
    for variant, n, drawn in draw_many("score results", 40):
        entries = score_results(variant.rules(n, drawn.empty.start), drawn.rows)
        for result, found in zip(drawn.results, entries, strict=True):
            before = before_deal(drawn.conv, drawn.empty, result.declarer)
            wanted = score_refet(drawn.conv, result, before)
            same("columns", fractions(found["mountain_entry"], n), wanted.column)
            same("soup", matrix(found["whist_entry"], n), wanted.soup)
            assert not any(found["gain"]) and not any(found["bonus"])


def test_value_results_are_settlements_of_one_deal() -> None:
    """Deal values of an array of results, each on an empty sheet."""
    for variant, n, drawn in draw_many("value results", 40):
        values = value_results(variant.rules(n, drawn.empty.start), drawn.rows)
        for result, value in zip(drawn.results, values, strict=True):
            sheet = drawn.empty.copy()
            write_refet_deal(drawn.conv, sheet, result)
            same("value", fractions(value, n), settle_refet(drawn.conv, sheet))


def check_pulkas(variant: Variant, n: int, chance: random.Random) -> int:
    """Some pulkas written at once and on the twin's sheets; how many of them came to an end."""
    start, conv = chance.choice(STARTS[:-1]), dict(variant.conventions)
    lengths = [chance.randint(1, 14) for _ in range(8)]
    pulkas = [[RandomRefet(chance, conv, n)] * length for length in lengths]
    deals = [[results.draw() for results in pulka] for pulka in pulkas]
    rows = np.concatenate([refet_result(result).pack() for result in itertools.chain(*deals)])
    ends = np.cumsum(lengths).astype(np.int64)
    values, sheets, ended = write_pulkas(variant.rules(n, start), rows, ends)
    for p, results in enumerate(deals):
        first = int(ends[p]) - lengths[p]
        found = [fractions(value, n) for value in values[first : ends[p]]]
        sheet, wanted = RefetSheet(n, start), []
        for result in results:
            if is_over(sheet):
                break
            before = settle_refet(conv, sheet)
            write_refet_deal(conv, sheet, result)
            now = settle_refet(conv, sheet)
            wanted.append([b - a for a, b in zip(before, now, strict=True)])
        same("values", found[: len(wanted)], wanted)
        assert not any(itertools.chain(*found[len(wanted) :]))
        same("ended", bool(ended[p]), is_over(sheet))
        same("columns", fractions(sheets[p]["mountain"], n), sheet.column)
        same("soup", matrix(sheets[p]["whists"], n), sheet.soup)
        same("refets", [int(x) for x in sheets[p]["refets"]][:n], sheet.refets)
    return int(ended.sum())


def test_write_pulkas_keeps_the_twins_sheets() -> None:
    """Whole pulkas of an array of results, each until it ends or its deals run out."""
    chance = random.Random("write pulkas")
    ended = sum(check_pulkas(find_variant(name), n, chance) for name, n in TABLES)
    for _ in range(30):
        ended += check_pulkas(draw_variant(chance)[0], chance.choice((3, 4)), chance)
    assert ended > 30
