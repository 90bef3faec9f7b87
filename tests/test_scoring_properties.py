"""Properties of scoring that hold for every pulka, on random deals."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.result import HALF_WHISTED, NO_DECISION, PASSED, WHISTED
from scoring.score_sheet import DealResult, Matrix, ScoreSheet
from scoring.variant import Variant, find_variant, variant_names

SETTINGS = settings(derandomize=True, deadline=None, max_examples=50)
BOTH_WHIST = (WHISTED, WHISTED)
ONE_WHISTS = ((WHISTED, PASSED), (PASSED, WHISTED))
NOT_PLAYED = ((PASSED, PASSED), (PASSED, HALF_WHISTED), (HALF_WHISTED, PASSED))
"""Decisions of the two defenders; a half-whist of the first is the long whist's."""

T = TypeVar("T")
Deals = list[DealResult]


def turned(row: Sequence[T], places: int = 1) -> list[T]:
    """A row by player after everybody has moved some places on."""
    return [row[(i - places) % len(row)] for i in range(len(row))]


def turned_matrix(matrix: Sequence[Sequence[T]]) -> list[list[T]]:
    return turned([turned(row) for row in matrix])


def turned_deal(deal: DealResult, n: int, places: int = 1) -> DealResult:
    """The same deal with dealer and players some places on."""

    def on(player: int) -> int:
        return -1 if player < 0 else (player + places) % n

    return replace(
        deal,
        dealer=on(deal.dealer),
        declarer=on(deal.declarer),
        last_whister=on(deal.last_whister),
        tricks=None if deal.tricks is None else turned(deal.tricks, places),
        decisions={on(player): decision for player, decision in deal.decisions.items()},
    )


def splits(total: int, n: int = 3) -> list[tuple[int, ...]]:
    """All ways in which so many players may take so many tricks; of two players' some may be lost.

    The dummy of two plays for nobody in some games.
    """
    every = itertools.product(range(total + 1), repeat=n)
    return [s for s in every if sum(s) == total or (n == 2 and sum(s) < total)]


def in_turn(n: int, player: int) -> list[int]:
    """The defenders against a declarer, from his left; with four players 0 deals and sits out."""
    others = [(player + step) % n for step in range(1, n)]
    return [other for other in others if n < 4 or other != 0]


def seated(n: int, players: Sequence[int], counts: Sequence[int]) -> list[int]:
    tricks = [0] * n
    for player, count in zip(players, counts, strict=True):
        tricks[player] = count
    return tricks


def raspas_deals(n: int, dealer_plays: bool) -> Deals:
    """With four players the dealer may take up to two tricks with the talon."""
    eldest = [step % n for step in (1, 2, 3)[:n]]
    if n < 4 or not dealer_plays:
        ways = splits(10, len(eldest))
        return [DealResult(0, RASPAS, tricks=seated(n, eldest, s)) for s in ways]
    return [
        DealResult(0, RASPAS, tricks=[talon, *split])
        for talon in range(3)
        for split in splits(10 - talon)
    ]


def misere_deals(n: int, declarer: int) -> Deals:
    players = [declarer, *in_turn(n, declarer)]
    return [
        DealResult(0, MISERE_GAME, declarer, tricks=seated(n, players, split))
        for split in splits(10, len(players))
        if sum(split) == 10
    ]


def contract_deals(n: int, declarer: int, level: int) -> Deals:
    """A contract: conceded, not played (passed or half-whisted), or played."""
    defenders = in_turn(n, declarer)
    contract = DealResult(0, TRICKS, declarer, level, strain=level - 6)
    deals = [replace(contract, concession=short) for short in (2, 3)]
    if n == 2:
        return deals + deals_of_two(contract, *defenders)
    for calls in NOT_PLAYED[: 3 if level <= 7 else 1]:
        deals.append(replace(contract, decisions=dict(zip(defenders, calls, strict=True))))
    for calls in (BOTH_WHIST, *ONE_WHISTS):
        decisions = dict(zip(defenders, calls, strict=True))
        last = [player for player in defenders if decisions[player] == WHISTED][-1]
        played = replace(contract, decisions=decisions, last_whister=last)
        for split in splits(10):
            deals.append(replace(played, tricks=seated(n, [declarer, *defenders], split)))
    return deals


def deals_of_two(contract: DealResult, defender: int) -> Deals:
    """A contract against one defender, who passes, or whists with the dummy or without it."""
    whisted = replace(contract, decisions={defender: WHISTED}, last_whister=defender)
    ways = [(is_open, split) for is_open in (True, False) for split in splits(10, 2)]
    return [replace(contract, decisions={defender: PASSED})] + [
        replace(whisted, open_play=is_open, tricks=seated(2, [contract.declarer, defender], split))
        for is_open, split in ways
        if sum(split) == 10 or not is_open
    ]


@functools.cache
def kinds_of_deal(n: int, dealer_plays: bool) -> tuple[Deals, Deals, Deals]:
    """Every result of a deal given by player 0: raspas, misère, contracts."""
    declarers = [step % n for step in (1, 2, 3)[:n]]
    miseres = [misere_deals(n, declarer) for declarer in declarers]
    contracts = [contract_deals(n, d, level) for d in declarers for level in range(6, 11)]
    return raspas_deals(n, dealer_plays), sum(miseres, []), sum(contracts, [])


def round_the_table(n: int, first: int, deals: Deals) -> Deals:
    """The deals given in turn, beginning with the dealer ``first``."""
    return [turned_deal(deal, n, first + number) for number, deal in enumerate(deals)]


@functools.cache
def pulkas(n: int, dealer_plays: bool) -> st.SearchStrategy[Deals]:
    """Deals of a pulka; the raspas index is set when a deal is written."""
    deal = st.one_of([st.sampled_from(kind) for kind in kinds_of_deal(n, dealer_plays)])
    deals = st.lists(deal, min_size=1, max_size=12)
    return st.builds(functools.partial(round_the_table, n), st.integers(0, n - 1), deals)


def draw_pulka(data: st.DataObject, variant: Variant, n: int) -> Deals:
    dealer_plays = variant.conventions["raspas.talon_four"] == "dealer_plays"
    return data.draw(pulkas(n, dealer_plays))


def conventions_of(name: str) -> Mapping[str, Any]:
    return find_variant(name).conventions


@functools.cache
def conceding(name: str) -> Variant:
    """A shipped variant with concessions allowed."""
    return find_variant(name, {"contract.concession": 3})


def indexed(sheet: ScoreSheet, deal: DealResult) -> DealResult:
    return replace(deal, raspas_index=sheet.raspas_index) if deal.kind == RASPAS else deal


def play(sheet: ScoreSheet, deals: Deals) -> list[list[Fraction]]:
    """Write the deals; the deal values by player."""
    values = []
    for deal in deals:
        before = sheet.settle()
        sheet.write(indexed(sheet, deal))
        values.append([a - b for a, b in zip(sheet.settle(), before, strict=True)])
    return values


OF_TWO_TOO = ("sochi", "leningrad", "rostov", "kazakhstan", "finka", "hard_piter")
"""Variants for three and four that are tested with two players as well: others differ from these
in what two players do not meet."""


def tables(names: Iterable[str]) -> list[tuple[str, int]]:
    """The variants that have a pool, each with the numbers of players that can play it."""
    found = [find_variant(name) for name in names]
    return [
        (variant.name, n)
        for variant in found
        for n in variant.players
        if variant.has_pool and (n > 2 or variant.name in OF_TWO_TOO or 3 not in variant.players)
    ]


for_each_table = pytest.mark.parametrize(("name", "n"), tables(variant_names()))
"""The test for every shipped variant of the pool, with each number of players."""


def sum_of(matrix: Matrix) -> Fraction:
    return sum((sum(row, Fraction(0)) for row in matrix), Fraction(0))


@for_each_table
@SETTINGS
@given(data=st.data(), target=st.integers(2, 30))
def test_settlement_is_zero_sum_and_adds_up(
    name: str, n: int, data: st.DataObject, target: int
) -> None:
    sheet = ScoreSheet(conceding(name), n, target)
    assert sheet.settle() == [0] * n
    total = [Fraction(0)] * n
    for deal in draw_pulka(data, conceding(name), n):
        (value,) = play(sheet, [deal])
        assert sum(value) == 0
        assert sum(sheet.settle()) == 0
        total = [a + b for a, b in zip(total, value, strict=True)]
    assert total == sheet.settle()


@for_each_table
@SETTINGS
@given(data=st.data(), target=st.integers(2, 30))
def test_everybody_moves_round_the_table(
    name: str, n: int, data: st.DataObject, target: int
) -> None:
    deals = draw_pulka(data, conceding(name), n)
    sheet, moved = (ScoreSheet(conceding(name), n, target) for _ in range(2))
    values = play(sheet, deals)
    assert play(moved, [turned_deal(deal, n) for deal in deals]) == [turned(v) for v in values]
    assert moved.pool == turned(sheet.pool)
    assert moved.mountain == turned(sheet.mountain)
    assert moved.whists == turned_matrix(sheet.whists)
    assert moved.is_over() == sheet.is_over()


ONE_COLUMN = [name for name in variant_names() if not conventions_of(name)["help.mountain"]]


@pytest.mark.parametrize(("name", "n"), tables(ONE_COLUMN))
@SETTINGS
@given(data=st.data(), target=st.integers(2, 12))
def test_help_loses_no_points(name: str, n: int, data: st.DataObject, target: int) -> None:
    """Gains fill pools, or go off mountains when all pools are full; help is paid in whists.

    Off an indivisible mountain go half as many points.
    """
    variant = conceding(name).with_settings({"prize.first_pool": 0, "prize.min_mountain": 0})
    by_sum = not variant.conventions["help.pool"]
    sheet = ScoreSheet(variant, n, target)
    for deal in draw_pulka(data, variant, n):
        pool, mountain, whists = sheet.pool, sheet.mountain, sheet.whists
        entries = sheet.write(indexed(sheet, deal))
        filled = sum(sheet.pool) - sum(pool)
        leftover = sum(mountain) + sum(entries.mountain) - sum(sheet.mountain)
        leftover *= 2 if variant.conventions["end.surplus"] == "half" else 1
        assert leftover >= 0
        assert filled + leftover == sum(entries.pool)
        if leftover:
            assert sheet.is_over()
        help_whists = sum_of(sheet.whists) - sum_of(whists) - sum_of(entries.whists)
        own = [min(gain, target - p) for gain, p in zip(entries.pool, pool, strict=True)]
        if sum(gain > 0 for gain in entries.pool) == 1 and not by_sum:
            assert help_whists == 10 * (filled - sum(own))
        if by_sum:
            assert leftover == help_whists == 0


@for_each_table
@SETTINGS
@given(data=st.data(), added=st.integers(-50, 50))
def test_mountains_matter_by_their_differences(
    name: str, n: int, data: st.DataObject, added: int
) -> None:
    """Amnesty (амнистия) at settlement: the same number off every mountain changes nothing."""
    sheet = ScoreSheet(conceding(name), n, 10)
    play(sheet, draw_pulka(data, conceding(name), n))
    before = sheet.settle()
    mountain = [int(points) for points in sheet.mountain]
    assert mountain == sheet.mountain
    sheet.set(mountain=[points + added for points in mountain])
    assert sheet.settle() == before


ONE_VALUE = ("sochi", "rostov", "rostov_difference", "kazakhstan", "gusarik", "gusarik_indivisible")
"""Variants with help in one column and exact fractions, without prizes."""


@pytest.mark.parametrize(("name", "n"), tables(ONE_VALUE))
@SETTINGS
@given(data=st.data(), target=st.integers(2, 12))
def test_help_never_changes_the_value_of_a_point(
    name: str, n: int, data: st.DataObject, target: int
) -> None:
    """A deal is worth the same on any sheet (Code of Preferans 4.1.1): whether its points fill
    one's own pool, help another, or go off the mountain."""
    variant = conceding(name)
    sheet = ScoreSheet(variant, n, target)
    for deal in draw_pulka(data, variant, n):
        deal = replace(deal, raspas_index=sheet.raspas_index)
        empty = ScoreSheet(variant, n, target)
        empty.write(deal)
        before = sheet.settle()
        sheet.write(deal)
        assert [a - b for a, b in zip(sheet.settle(), before, strict=True)] == empty.settle()


@pytest.mark.parametrize(("name", "n"), tables(("rostov", "rostov_common_pool", "kazakhstan")))
@SETTINGS
@given(data=st.data(), target=st.integers(2, 12), chance=st.randoms(use_true_random=False))
def test_deal_order_is_irrelevant_in_rostov(
    name: str, n: int, data: st.DataObject, target: int, chance: Random
) -> None:
    """The same deals in another order settle equally, help and shortfalls included; the columns
    may differ. (Rules of the game of Preferans: Rostov, on duplicate tournaments.)"""
    variant = conceding(name)
    deals = draw_pulka(data, variant, n)
    mixed = deals[:]
    chance.shuffle(mixed)
    one, two = (ScoreSheet(variant, n, target) for _ in range(2))
    play(one, deals)
    play(two, mixed)
    assert one.settle() == two.settle()
    assert one.is_over() == two.is_over()


RASPAS_DEAL = DealResult(2, RASPAS, tricks=(0, 4, 6))
SIX = DealResult(2, TRICKS, 0, 6, decisions={1: PASSED, 2: PASSED})
NINE = DealResult(2, TRICKS, 0, 9, decisions={1: PASSED, 2: PASSED})
OTHER_NINE = DealResult(2, TRICKS, 1, 9, decisions={2: PASSED, 0: PASSED})


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("sochi", [RASPAS_DEAL, RASPAS_DEAL, SIX], [RASPAS_DEAL, SIX, RASPAS_DEAL]),
        ("rostov_prizes", [NINE, NINE, OTHER_NINE], [OTHER_NINE, NINE, NINE]),
        ("finka", [NINE] * 3 + [OTHER_NINE] * 3, [OTHER_NINE] * 3 + [NINE] * 3),
    ],
)
def test_where_deal_order_matters(name: str, one: Deals, other: Deals) -> None:
    """A progression of raspas, and prizes for the first to close a column, end it."""
    results = []
    for deals in (one, other):
        sheet = ScoreSheet(find_variant(name), 3, 4 if name == "rostov_prizes" else 40)
        for deal in deals:
            sheet.write(deal)
        results.append(sheet.settle())
    assert results[0] != results[1]


def test_the_end_of_a_rostov_pulka_depends_on_order() -> None:
    """Which deals are dealt at all is another matter: the nine first ends it three deals early."""
    lengths = set()
    for deals in ([SIX] * 3 + [NINE], [NINE] + [SIX] * 3):
        sheet = ScoreSheet(find_variant("rostov"), 3, 2)
        count = 0
        for deal in deals:
            if not sheet.is_over():
                sheet.write(deal)
                count += 1
        lengths.add(count)
    assert lengths == {3, 1}


@for_each_table
@SETTINGS
@given(data=st.data(), target=st.integers(2, 30), rounding=st.sampled_from(["exact", "code"]))
def test_both_ways_of_settlement_are_equal(
    name: str, n: int, data: st.DataObject, target: int, rounding: str
) -> None:
    """Code of Preferans 4.2.14: by pairs and by the mean mountain, before and after 4.2.12.

    Moving points makes whole whists of whole entries; with half points it may not.
    """
    variant = conceding(name).with_settings({"end.rounding": rounding})
    sheet = ScoreSheet(variant, n, target)
    play(sheet, draw_pulka(data, variant, n))
    found = sheet.settlement()
    assert found.first_way == found.second_way == found.result == sheet.settle()
    assert sum(found.result) == 0
    columns = [*sheet.mountain, *sheet.pool, *itertools.chain(*sheet.whists)]
    if rounding == "code" and all(x.denominator == 1 for x in columns):
        assert all(x.denominator == 1 for x in found.result)
        exact = ScoreSheet(conceding(name).with_settings({"end.rounding": "exact"}), n, target)
        exact.set(
            sheet.pool,
            sheet.mountain,
            {(i, j): sheet.whists[i][j] for i in range(n) for j in range(n) if i != j},
        )
        moved = [abs(a - b) for a, b in zip(found.result, exact.settle(), strict=True)]
        assert max(moved) <= 3


@pytest.mark.parametrize("style", ["greedy", "gentleman"])
@pytest.mark.parametrize(
    "zero",
    [
        {"raspas.zero_column": "pool", "raspas.zero_prices": 0, "raspas.zero_points": 1},
        {"raspas.zero_column": "mountain", "raspas.zero_prices": 1, "raspas.zero_points": 0},
    ],
    ids=["zero-to-pool", "zero-off-mountain"],
)
@pytest.mark.parametrize("n", [2, 3, 4])
@SETTINGS
@given(data=st.data())
def test_leningrad_is_twice_sochi(
    n: int, style: str, zero: dict[str, Any], data: st.DataObject
) -> None:
    """With equal conventions and the remise doubled too, every Leningrad deal is worth twice."""
    equal = {
        "whist.style": style,
        "raspas.progression": [1, 2, 3],
        "end.when": "sum",
        "help.pool": False,
        "contract.concession": 3,
        **zero,
    }
    sochi = find_variant("sochi", equal)
    leningrad = find_variant("leningrad", {**equal, "values.remise": [4, 8, 12, 16, 20]})
    deals = draw_pulka(data, sochi, n)
    single = play(ScoreSheet(sochi, n), deals)
    double = play(ScoreSheet(leningrad, n), deals)
    assert double == [[2 * value for value in row] for row in single]


def all_whisted(level: int) -> Iterator[tuple[int, int]]:
    """Tricks of two whisters against a made contract."""
    for first, second in itertools.product(range(11 - level), repeat=2):
        if first + second <= 10 - level:
            yield first, second


PAIRED = [
    name
    for name in variant_names()
    if find_variant(name).has_pool
    and 3 in find_variant(name).players
    and conventions_of(name)["whist.remise"] == "capped"
    and conventions_of(name)["whist.duty_one"] != "both_full"
]


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("level", range(6, 11))
def test_two_whisters_owe_what_the_pair_lacks(name: str, level: int) -> None:
    variant = find_variant(name)
    duty = variant.conventions["values.duty"][level - 6]
    price = variant.conventions["values.remise"][level - 6]
    if level == 10 and variant.conventions["whist.ten"] == "checked":
        price = 0
    sheet = ScoreSheet(variant)
    for first, second in all_whisted(level):
        tricks = (10 - first - second, first, second)
        calls = {1: WHISTED, 2: WHISTED}
        deal = DealResult(2, TRICKS, 0, level, 0, tricks, calls, last_whister=2)
        mountain = sheet.entries(deal).mountain
        assert sum(mountain) == price * max(0, duty - first - second)
        assert mountain[0] == 0
        for player in (1, 2):
            if tricks[player] >= (duty + 1) // 2:
                assert mountain[player] == 0


@pytest.mark.parametrize("n", [2, 3, 4])
def test_deals_of_the_strategy_are_possible(n: int) -> None:
    for deal in itertools.chain(*kinds_of_deal(n, True)):
        if deal.tricks is not None:
            nobodys = 0 if n > 2 or deal.open_play or deal.kind == MISERE_GAME else 10
            assert 10 - nobodys <= sum(deal.tricks) <= 10 and min(deal.tricks) >= 0
        if n == 4:
            assert deal.dealer not in (deal.declarer, *deal.decisions)
            assert deal.kind == RASPAS or not deal.tricks or deal.tricks[deal.dealer] == 0
        assert NO_DECISION not in deal.decisions.values()
        assert (deal.last_whister >= 0) == (WHISTED in deal.decisions.values())


# Razboinik


def rows_of_razboinik(level: int, taken: tuple[int, int]) -> Iterator[DealResult]:
    """Two deals in which each player declares the same row; level 0 is misère."""
    kind = TRICKS if level else MISERE_GAME
    for declarer, count in enumerate(taken):
        tricks = (count, 10 - count) if declarer == 0 else (10 - count, count)
        yield DealResult(1 - declarer, kind, declarer, level or 6, tricks=tricks)


@st.composite
def razboiniks(draw: st.DrawFn) -> Deals:
    """A whole table: six rows of each of two players, in any order of the rows."""
    counts = st.tuples(st.integers(0, 10), st.integers(0, 10))
    rows = draw(st.permutations([6, 7, 8, 9, 10, 0]))
    return [deal for level in rows for deal in rows_of_razboinik(level, draw(counts))]


@SETTINGS
@given(deals=razboiniks(), chance=st.randoms(use_true_random=False))
def test_the_lower_sum_of_razboinik_wins_the_difference(deals: Deals, chance: Random) -> None:
    """Zero-sum, the same in any order and from either side; it ends when all rows are played."""
    sheet, mixed, moved = (ScoreSheet(find_variant("razboinik")) for _ in range(3))
    total = [Fraction(0)] * 2
    for number, deal in enumerate(deals):
        assert not sheet.is_over() and sheet.n_deals == number
        (value,) = play(sheet, [deal])
        assert sum(value) == 0
        assert deal.declarer != deal.dealer and value[deal.declarer] <= 0
        total = [a + b for a, b in zip(total, value, strict=True)]
    assert sheet.is_over() and total == sheet.settle()
    sums = [sum(points for points in rows if points is not None) for rows in sheet.rows]
    assert sheet.settle() == [sums[1] - sums[0], sums[0] - sums[1]]
    play(mixed, chance.sample(deals, len(deals)))
    assert mixed.settle() == sheet.settle() and mixed.rows == sheet.rows
    play(moved, [turned_deal(deal, 2) for deal in deals])
    assert moved.settle() == turned(sheet.settle()) and moved.rows == turned(sheet.rows)
