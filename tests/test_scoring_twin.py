"""The scorer against the naive twin: the same random results, every entry and every settlement.

Both sides are written from the rules independently. After each deal they must agree on the entries,
the sheet after help and prizes, the row of raspas, whether the pulka is over, and the settlement by
both ways, all exact. Arrays of results scored at once must agree with single sheets.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from naive.scoring import Result
from random_conventions import draw_settings
from random_results import RandomResults, RandomRows, deal_result
from sheet_bridge import TwinSheets, play_pulka, play_razboinik

from scoring.batch import score_results, value_results, write_pulkas
from scoring.contract import RASPAS
from scoring.result import MAX_PLAYERS, UNIT
from scoring.score_sheet import DealResult, Matrix, ScoreSheet
from scoring.variant import Variant, find_variant, variant_names

N_DEALS = 400
N_COMBINATIONS = 700
N_TWO = 250
N_TABLES = 60
"""Pulkas of three and four players, of two, and of razboinik under random conventions."""
MOST_DEALS = 16
TWO = 2

TABLES = [
    (name, n)
    for name in variant_names()
    for n in find_variant(name).players
    if not find_variant(name).has_columns
]
for_each_table = pytest.mark.parametrize(("name", "n"), TABLES)
"""The test for every shipped variant with each number of players that can play it."""

BRANCHES = {
    "misere made": 2,
    "misere failed": 2,
    "not whisted": 1,
    "remise of one": 2,
    "raspas, number 2 in a row": 5,
    "raspas, number 3 in a row": 2,
    "raspas, two without a trick": 5,
    "raspas, nobody without a trick": 5,
    **{f"level {level} {end}, 1 whisting": 1 for level in (6, 7, 8) for end in ("made", "set")},
    **{f"level {level} {end}, 2 whisting": 1 for level in (6, 7) for end in ("made", "set")},
}
"""How often at least ``N_DEALS`` deals meet each branch of the rules, in any variant."""

COMBINED_BRANCHES = {
    **{f"level {level} {end}, 1 whisting": 20 for level in range(6, 11) for end in ("made", "set")},
    **{f"level {level} {end}, 2 whisting": 20 for level in range(6, 11) for end in ("made", "set")},
    **{f"level {level} too many, {k} whisting": 5 for level in range(6, 10) for k in (1, 2)},
    **{f"half-whist at {level}": 1 for level in range(6, 11)},
    **{f"half-whist returned, {end}": 20 for end in ("made", "set", "too many")},
    **{f"dealer whists, {end}": 10 for end in ("made", "set", "too many")},
    "not whisted": 100,
    "concession": 100,
    "gentleman's whist": 100,
    "gentleman's whist, made": 50,
    "gentleman's whist, the returner takes all": 10,
    "passer's tricks are lost": 100,
    "passer's tricks are lost, gentleman's whist": 50,
    **{f"consolation of the passer: {way}": 100 for way in ("own", "none", "to_whister")},
    "consolation, of the dealer": 100,
    "consolation, not of the dealer": 100,
    "consolation, of the owner of the dealer's hand": 5,
    "consolation, not of the owner of the dealer's hand": 5,
    "remise of one": 200,
    "remise of one, the whole price": 5,
    "remise of a whisting dealer": 5,
    "no remise of a whisting dealer": 5,
    "remise of two, low, capped": 30,
    "remise of two, low, personal_if_pair_short": 30,
    "remise of two, low, personal_always": 50,
    "remise of two, high, personal_always": 50,
    "remise of two, high, last_personal": 10,
    **{f"remise of two, high, {way}": 4 for way in ("last", "both_full", "split")},
    "misere made": 100,
    "misere failed": 100,
    "misere made, half with the dealer": 50,
    "misere failed, half with the dealer": 50,
    "misere, whists of the defenders": 50,
    "off the mountain instead": 100,
    "talon bonus of the dealer": 50,
    "talon bonus, the dealer declares": 20,
    "talon bonus, half each": 100,
    "talon bonus of the sitting dealer": 200,
    "talon bonus at misere": 50,
    **{f"raspas, number {k} in a row": 50 for k in range(1, 10)},
    **{f"dark pass, number {k} in a row": 20 for k in range(1, 5)},
    **{
        f"raspas by {column}, {k} lowest": 20
        for column in ("mountain", "whists")
        for k in (1, 2, 3)
    },
    "raspas, nobody without a trick": 200,
    "raspas, two without a trick": 200,
    "raspas, amnesty": 100,
    "raspas, difference": 100,
    "dealer takes tricks with the talon": 100,
    "dealer takes no trick with the talon": 100,
    "dealer is the only lowest": 20,
    "dealer's pool points": 100,
    **{f"contract with {k} bombs": 5 for k in (1, 2, 3)},
    "a bomb": 200,
    "no fourth bomb": 5,
    "bomb kept": 20,
    "bomb used up": 50,
    "gain, help to 1 pools": 30,
    "gain, help to 2 pools": 10,
    "gain, help to 3 pools": 2,
    "bonus, help to 1 pools": 2,
    "bonus, help to 2 pools": 1,
    "gain, help to 1 mountains": 30,
    "gain, help to 2 mountains": 10,
    "gain, help to 3 mountains": 1,
    "help in both columns": 5,
    "mountain first, all": 100,
    "mountain first, part": 30,
    "off the mountain and left over": 20,
    "gain left over, mountain": 10,
    "gain left over, mountain_to_zero": 5,
    "gain left over, lost": 10,
    "bonus left over, mountain": 3,
    "bonus left over, mountain_to_zero": 3,
    "bonus left over, lost": 1,
    "bonus left over, off the own mountain": 10,
    "cut off at the sum": 30,
    "beyond the sum": 10,
    "prize for the first pool": 50,
    "prize for the first mountain": 20,
    **{f"prize for the lowest mountain, {k} sharing": 2 for k in (1, 2, 3)},
    "exit: any_bid": 100,
    "exit: made": 50,
    "no exit: level": 100,
    "no exit: not made": 100,
    "no exit: misere": 10,
    "no exit: ten": 5,
    "no exit: not whisted": 5,
    "over: each": 10,
    **{f"over: {when}": 20 for when in ("sum", "sum_and_exit", "time", "time_and_close")},
    "sum reached in a row of raspas": 20,
    "time called": 50,
    "time called in a round": 20,
    "time is up and no pool is full": 50,
    "points moved (4.2.12)": 300,
}
"""How often at least ``N_COMBINATIONS`` short pulkas meet each branch of the rules."""


BRANCHES_OF_TWO = {
    "misere made": 2,
    "misere failed": 2,
    "not whisted": 5,
    "whist of two open, made": 5,
    "whist of two open, set": 5,
    "whist of two blind, made": 5,
    "whist of two blind, set": 5,
    "remise of two players, open": 3,
    "raspas, number 2 in a row": 5,
    "raspas, nobody without a trick": 20,
}
"""How often at least ``N_DEALS`` deals of two players meet each branch, in any variant."""

COMBINED_OF_TWO = {
    **{f"level {level} {end}, of two": 10 for level in range(6, 11) for end in ("made", "set")},
    **{f"level {level} too many, of two": 2 for level in range(6, 10)},
    **{
        f"whist of two {way}, {end}": 20
        for way in ("open", "blind")
        for end in ("made", "set", "too many")
    },
    **{f"ten checked of two, {end}": 8 for end in ("made", "set")},
    "remise of two players, open": 40,
    "remise of two players, blind": 40,
    "tricks of nobody": 20,
    "no gentleman's whist of two": 50,
    "nobody's consolation of two": 50,
    "not whisted": 100,
    "concession": 40,
    "misere made": 100,
    "misere failed": 80,
    "misere, whists of the defenders": 20,
    "off the mountain instead": 60,
    "talon bonus of the dealer": 40,
    "talon bonus, the dealer declares": 40,
    "talon bonus, half each": 60,
    "talon bonus at misere": 20,
    "thrown in": 150,
    "thrown in after a dark pass": 50,
    **{f"raspas, number {k} in a row": 15 for k in range(1, 10)},
    **{f"raspas by {column}, 1 lowest": 100 for column in ("mountain", "whists")},
    **{f"raspas by {column}, 2 lowest": 5 for column in ("mountain", "whists")},
    "raspas of two, tricks of nobody": 100,
    "raspas, nobody without a trick": 100,
    "contract with a fir-tree": 80,
    "contract with several fir-trees": 30,
    "contract with a fir-tree and bombs": 10,
    **{f"contract with {k} bombs": 2 for k in (1, 2, 3)},
    "gain, help to 1 pools": 20,
    "bonus, help to 1 pools": 2,
    "gain, help to 1 mountains": 10,
    "half points left over": 15,
    **{f"gain left over, {way}": 8 for way in ("mountain", "mountain_to_zero", "lost")},
    "cut off at the sum": 10,
    "beyond the sum": 5,
    "prize for the first pool": 20,
    "prize for the first mountain": 10,
    "prize for the lowest mountain, 1 sharing": 5,
    **{f"over: {when}": 5 for when in ("each", "sum", "sum_and_exit", "time", "time_and_close")},
    "time called in a round": 10,
}
"""How often at least ``N_TWO`` short pulkas of two players meet each branch of the rules."""

ROWS = ("6", "7", "8", "9", "10", "misere")
BRANCHES_OF_TABLES = {
    **{f"row {row} {end}": 3 for row in ROWS for end in ("made", "set")},
    "more tricks than the row": 20,
    "the table is full": 30,
}
"""How often at least ``N_TABLES`` tables of razboinik meet each branch of its rules."""


def branches_of(variant: Variant, n: int) -> dict[str, int]:
    """What a run must meet, by the variant's own conventions."""
    conv = variant.conventions
    if not variant.has_pool:
        return BRANCHES_OF_TABLES
    if n == TWO:
        return BRANCHES_OF_TWO
    wanted = dict(BRANCHES)
    if conv["help.pool"]:
        wanted |= {"gain, help to 1 pools": 2, "gain, help to 2 pools": 1}
    if conv["whist.half_levels"]:
        wanted |= {"half-whist": 1, "half-whist returned, made": 1}
    if conv["whist.style"] == "gentleman":
        wanted["gentleman's whist"] = 10
    if not conv["end.when"].startswith("time"):
        wanted[f"over: {conv['end.when']}"] = 2
    else:
        wanted |= {"time called": 2, "time called in a round": 1}
    return wanted


def check_reached(reached: Counter[str], wanted: Mapping[str, int], times: int = 1) -> None:
    """Every branch must have been met often enough for the comparison to mean something."""
    missed = {k: reached[k] for k, least in wanted.items() if reached[k] < least * times}
    assert not missed, f"rare branches met too seldom: {missed}"


def play_pulkas(name: str, n: int, seed: int, n_deals: int) -> Counter[str]:
    """Keep pulkas of a variant on both sheets until so many deals are done."""
    chance = random.Random(f"{name} {n} {seed}")
    variant = find_variant(name)
    reached: Counter[str] = Counter()
    while reached["deals"] < n_deals:
        if variant.has_pool:
            reached += play_pulka(variant, n, chance, MOST_DEALS, name)
        else:
            reached += play_razboinik(variant, chance, name)
    return reached


def draw_variant(chance: random.Random) -> tuple[Variant, str]:
    """A variant of random conventions, and the words to name it in a failure."""
    settings = draw_settings(chance)
    return find_variant("sochi", settings), str(settings)


def draw_razboinik(chance: random.Random) -> tuple[Variant, str]:
    """The same of razboinik."""
    variant = find_variant("razboinik")
    settings = draw_settings(chance, variant.family)
    return variant.with_settings(settings), str(settings)


def play_tables(seed: int, n_tables: int) -> Counter[str]:
    """Keep a razboinik on both sheets under each of some random sets of its conventions."""
    chance = random.Random(f"razboinik {seed}")
    reached: Counter[str] = Counter()
    for _ in range(n_tables):
        variant, label = draw_razboinik(chance)
        reached += play_razboinik(variant, chance, label)
    return reached


def play_combinations(seed: int, n_pulkas: int, sizes: tuple[int, ...]) -> Counter[str]:
    """Keep a pulka on both sheets under each of some random sets of conventions."""
    chance = random.Random(f"combinations {seed}")
    reached: Counter[str] = Counter()
    for _ in range(n_pulkas):
        variant, label = draw_variant(chance)
        reached += play_pulka(variant, chance.choice(sizes), chance, MOST_DEALS, label)
    return reached


@for_each_table
def test_scorer_and_twin_keep_the_same_sheets(name: str, n: int) -> None:
    """Pulkas of a shipped variant, equal in every entry, sheet and settlement."""
    check_reached(play_pulkas(name, n, 1, N_DEALS), branches_of(find_variant(name), n))


@pytest.mark.slow
@for_each_table
def test_scorer_and_twin_keep_the_same_sheets_for_long(name: str, n: int) -> None:
    """The same with ten times as many other deals."""
    check_reached(play_pulkas(name, n, 2, 10 * N_DEALS), branches_of(find_variant(name), n), 5)


def test_scorer_and_twin_agree_under_any_conventions() -> None:
    """Pulkas under random combinations of all conventions at once."""
    check_reached(play_combinations(1, N_COMBINATIONS, (3, 4)), COMBINED_BRANCHES)


@pytest.mark.slow
def test_scorer_and_twin_agree_under_any_conventions_for_long() -> None:
    """The same with ten times as many other combinations."""
    check_reached(play_combinations(2, 10 * N_COMBINATIONS, (3, 4)), COMBINED_BRANCHES, 5)


def test_scorer_and_twin_agree_with_two_players_under_any_conventions() -> None:
    """The same with two players and the dummy."""
    check_reached(play_combinations(3, N_TWO, (TWO,)), COMBINED_OF_TWO)


@pytest.mark.slow
def test_scorer_and_twin_agree_with_two_players_for_long() -> None:
    """The same with ten times as many other combinations."""
    check_reached(play_combinations(4, 10 * N_TWO, (TWO,)), COMBINED_OF_TWO, 5)


def test_scorer_and_twin_agree_in_razboinik() -> None:
    """Whole tables of razboinik under random combinations of its conventions."""
    check_reached(play_tables(1, N_TABLES), BRANCHES_OF_TABLES)


@pytest.mark.slow
def test_scorer_and_twin_agree_in_razboinik_for_long() -> None:
    """The same with ten times as many other combinations."""
    check_reached(play_tables(2, 10 * N_TABLES), BRANCHES_OF_TABLES, 5)


# Arrays of results


def draw_deals(chance: random.Random, variant: Variant, n: int, count: int) -> list[Any]:
    """Random results in the scorer's own words; of razboinik a table, or as much of it."""
    conv = variant.conventions
    results = RandomResults(chance, conv, n) if variant.has_pool else RandomRows(chance, conv)
    count = count if variant.has_pool else min(count, RandomRows.N_DEALS)
    return [deal_result(results.draw(), chance.randrange(5)) for _ in range(count)]


def rows_of(deals: list[DealResult]) -> Any:
    """The results as an array."""
    return np.concatenate([deal.pack() for deal in deals])


def twelfths(values: Any, n: int) -> list[Fraction]:
    """A row of twelfths by player as fractions; who is not at the table has nothing."""
    amounts = [Fraction(int(value), UNIT) for value in values]
    assert not any(amounts[n:])
    return amounts[:n]


def table_of(values: Any, n: int) -> Matrix:
    """Sixteen twelfths as a table of fractions."""
    rows = [twelfths(values[MAX_PLAYERS * i : MAX_PLAYERS * (i + 1)], n) for i in range(4)]
    assert not any(itertools.chain(*rows[n:]))
    return rows[:n]


@for_each_table
def test_score_results_writes_what_a_sheet_writes(name: str, n: int) -> None:
    """Entries of an array of results, as an empty sheet would write each."""
    chance = random.Random(f"score results {name} {n}")
    variant = find_variant(name)
    deals = draw_deals(chance, variant, n, 60)
    deals = [in_a_row(deal, chance.randrange(5)) for deal in deals]
    entries = score_results(variant.rules(n), rows_of(deals))
    assert len(entries) == len(deals)
    for deal, found in zip(deals, entries, strict=True):
        wanted = ScoreSheet(variant, n).entries(deal)
        assert twelfths(found["gain"] + found["bonus"], n) == wanted.pool
        assert twelfths(found["mountain_entry"], n) == wanted.mountain
        assert table_of(found["whist_entry"], n) == wanted.whists


def in_a_row(deal: DealResult, index: int) -> DealResult:
    """The deal after so many raspas in a row, if it is one itself."""
    if deal.kind != RASPAS:
        return deal
    return DealResult(
        deal.dealer, RASPAS, tricks=deal.tricks, raspas_index=index, dark_pass=deal.dark_pass
    )


@for_each_table
def test_value_results_are_settlements_of_one_deal(name: str, n: int) -> None:
    """Deal values of an array of results, each on an empty sheet."""
    chance = random.Random(f"value results {name} {n}")
    variant = find_variant(name)
    deals = draw_deals(chance, variant, n, 60)
    values = value_results(variant.rules(n), rows_of(deals))
    assert len(values) == len(deals)
    for deal, value in zip(deals, values, strict=True):
        sheet = ScoreSheet(variant, n)
        sheet.write(deal)
        assert twelfths(value, n) == sheet.settle()


class OnePulka:
    """A pulka written deal by deal, until it is over or its deals run out."""

    def __init__(
        self, variant: Variant, n: int, target: int, deals: list[DealResult], time_after: int
    ) -> None:
        self.sheet = ScoreSheet(variant, n, target)
        self.values: list[list[Fraction]] = []
        self.indices: list[int] = []
        for deal in deals:
            if 0 < time_after == self.sheet.n_deals:
                self.sheet.call_time()
            if self.sheet.is_over():
                break
            before = self.sheet.settle()
            self.indices.append(self.sheet.raspas_index)
            self.sheet.write(deal)
            self.values.append([a - b for a, b in zip(self.sheet.settle(), before, strict=True)])


def check_pulkas(variant: Variant, n: int, chance: random.Random) -> int:
    """Some pulkas written at once and one by one; how many of them came to an end."""
    target = chance.choice((1, 2, 4, 8)) * (variant.conventions["values.made"][0] // 2 or 1)
    target = target if variant.has_pool else 0
    timed = variant.conventions["end.when"].startswith("time")
    time_after = chance.randint(1, 6) if timed else 0
    wanted = [k + (k == time_after) for k in (chance.randint(1, 14) for _ in range(8))]
    pulkas = [draw_deals(chance, variant, n, length) for length in wanted]
    lengths = list(map(len, pulkas))
    rows = rows_of(sum(pulkas, []))
    ends = np.cumsum(lengths).astype(np.int64)
    values, sheets, ended = write_pulkas(variant.rules(n, target), rows, ends, time_after)
    for p, deals in enumerate(pulkas):
        one = OnePulka(variant, n, target, deals, time_after)
        start = int(ends[p]) - lengths[p]
        found = [twelfths(value, n) for value in values[start : ends[p]]]
        written = len(one.values)
        assert found[:written] == one.values
        assert not any(itertools.chain(*found[written:]))
        assert rows["raspas_index"][start : start + written].tolist() == one.indices
        assert bool(ended[p]) == one.sheet.is_over()
        compare_sheet(sheets[p], one.sheet)
    return int(ended.sum())


def compare_sheet(found: Any, sheet: ScoreSheet) -> None:
    """A row of sheets against a sheet."""
    assert int(found["n_deals"]) == sheet.n_deals
    assert int(found["raspas_index"]) == sheet.raspas_index
    if not sheet.variant.has_pool:
        cells = [None if int(cell) < 0 else Fraction(int(cell), UNIT) for cell in found["row"]]
        assert cells == [*itertools.chain(*sheet.rows)]
    assert twelfths(found["pool"], sheet.n) == sheet.pool
    assert twelfths(found["mountain"], sheet.n) == sheet.mountain
    assert table_of(found["whists"], sheet.n) == sheet.whists


@for_each_table
def test_write_pulkas_keeps_the_sheets_of_single_deals(name: str, n: int) -> None:
    """Whole pulkas of an array of results, each until it ends or its deals run out."""
    chance = random.Random(f"write pulkas {name} {n}")
    assert sum(check_pulkas(find_variant(name), n, chance) for _ in range(3)) > 0


def test_write_pulkas_under_any_conventions() -> None:
    """The same under random combinations of all conventions."""
    chance = random.Random("write pulkas")
    ended = 0
    for _ in range(40):
        ended += check_pulkas(draw_variant(chance)[0], chance.choice((2, 3, 4)), chance)
    assert ended > 20


# Corners


def test_leftover_down_to_zero_where_mountains_help() -> None:
    """Points left when all pools are full lower the own mountain to zero; the rest is lost."""
    settings = {"help.mountain": True, "end.leftover": "mountain_to_zero", "start.mountain": 5}
    sheets = TwinSheets(find_variant("sochi", settings), 3, 1, None, "leftover")
    misere = Result("misere", 2, [0, 5, 5], declarer=0)
    sheets.write(misere, random.Random("leftover"))
