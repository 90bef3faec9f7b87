"""Properties of the refet game's scoring that hold for every pulka, on random hands."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from score_bridge import REFET

from scoring.contract import (
    BETL,
    MISERE_GAME,
    PREFERANS,
    RASPAS,
    REFET_SPADES,
    TRICKS,
    refet_strain,
)
from scoring.refet import hand_value
from scoring.refet_result import defenders_of, is_played, sums_up, why_impossible
from scoring.result import INVITED, PASSED, WHISTED
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import Variant, find_variant

SETTINGS = settings(derandomize=True, deadline=None, max_examples=12)
HEAVY = settings(derandomize=True, deadline=None, max_examples=60)
CHOICES: dict[str, Sequence[Any]] = {
    "bidding.preferans": (False, True),
    "contra.levels": (0, 1, 2, 4),
    "contra.by": ("who_came", "either"),
    "contra.soup": ("all", "each_own"),
    "follow.short": ("own_or_pair", "own"),
    "follow.invite": (False, True),
    "spades.needs_contra": (False, True),
    "spades.left": ("refet_or_made", "refet_or_four", "refet_or_nothing", "made"),
    "spades.nobody_comes": ("left", "made"),
    "betl.lost_contra": ("contra_five", "each_five", "contra_ten"),
    "tricks.stop": (False, True),
    "tricks.soup_most": (5, 10),
    "refets.few": (0, 1, 2),
    "refets.hat": ("below_zero", "at_zero"),
    "refets.frozen": (False, True),
    "refets.for_dealer": (False, True),
    "last.made": ("cap", "stop"),
    "last.double_fall": (False, True),
    "last.write_off": ("exact", "whole"),
}
NAMES = ("one", "two", "three", "four")
T = TypeVar("T")
for_each_table = pytest.mark.parametrize(
    ("name", "n"), [(name, n) for name in REFET for n in (3, 4)]
)
"""The test for every shipped variant, with three and four players."""


@st.composite
def house(draw: st.DrawFn, name: str) -> Variant:
    """A shipped variant, or one with some conventions changed."""
    keys = draw(st.lists(st.sampled_from(sorted(CHOICES)), unique=True, max_size=5))
    return find_variant(name, {key: draw(st.sampled_from(CHOICES[key])) for key in keys})


@st.composite
def hands(draw: st.DrawFn, conventions: Mapping[str, Any], n: int, dealer: int) -> DealResult:
    """A hand that can have come about."""
    if draw(st.integers(0, 5)) == 0:
        return DealResult(dealer, RASPAS)
    most = PREFERANS if conventions["bidding.preferans"] else PREFERANS - 1
    base = draw(st.integers(REFET_SPADES, most))
    declarer = (dealer + draw(st.integers(1, 3))) % n
    hand = DealResult(
        dealer,
        MISERE_GAME if base == BETL else TRICKS,
        declarer,
        10 if base == PREFERANS else 6,
        0 if base == BETL else refet_strain(base),
        without_talon=draw(st.integers(0, 3)) == 0,
    )
    hand = draw(_called(conventions, hand, n))
    if not is_played(conventions, hand):
        return hand
    return replace(hand, tricks=draw(_tricks(conventions, hand, n)))


@st.composite
def _called(
    draw: st.DrawFn, conventions: Mapping[str, Any], hand: DealResult, n: int
) -> DealResult:
    """What the opponents say, drawn until it is possible."""
    defenders = defenders_of(hand, n)
    calls = st.sampled_from(
        [
            (WHISTED, WHISTED),
            (WHISTED, PASSED),
            (PASSED, WHISTED),
            (PASSED, PASSED),
            (WHISTED, INVITED),
            (INVITED, WHISTED),
        ]
    )
    contra = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4])
    both = dict.fromkeys(defenders, WHISTED)
    for _ in range(20):
        decisions = dict(zip(defenders, draw(calls), strict=True))
        level = draw(contra)
        by = draw(st.sampled_from(list(defenders))) if level else -1
        tried = replace(hand, decisions=decisions, contra=level, contra_by=by)
        if hand.kind == MISERE_GAME or hand.level == 10:
            tried = replace(tried, decisions=both)
        if _can_be_said(conventions, tried, n):
            return tried
    return replace(hand, decisions=both)


def _can_be_said(conventions: Mapping[str, Any], hand: DealResult, n: int) -> bool:
    """Whether the calls are possible, whatever the tricks."""
    why = why_impossible(conventions, hand, NAMES[:n])
    return not why or why.startswith("the hand is played")


@st.composite
def _tricks(draw: st.DrawFn, conventions: Mapping[str, Any], hand: DealResult, n: int) -> list[int]:
    playing = [
        p
        for p in defenders_of(hand, n)
        if hand.contra or hand.level == 10 or hand.decisions[p] in (WHISTED, INVITED)
    ]
    taken = draw(st.integers(0, 10))
    counts = [0] * n
    counts[hand.declarer] = taken
    first = draw(st.integers(0, 10 - taken))
    shares = [first, 10 - taken - first] if len(playing) == 2 else [10 - taken]
    for player, share in zip(playing, shares, strict=True):
        counts[player] = share
    stopped = counts.copy()
    stopped[hand.declarer] = draw(st.integers(0, taken))
    return stopped if sums_up(conventions, hand, stopped) else counts


@st.composite
def pulkas(draw: st.DrawFn, variant: Variant, n: int) -> list[DealResult]:
    """The hands of a pulka, the deal passing on."""
    first = draw(st.integers(0, n - 1))
    count = draw(st.integers(1, 12))
    return [draw(hands(variant.conventions, n, (first + k) % n)) for k in range(count)]


def turned(row: Sequence[T]) -> list[T]:
    return [row[i - 1] for i in range(len(row))]


def turned_hand(hand: DealResult, n: int) -> DealResult:
    """The same hand with everybody one place on."""

    def on(player: int) -> int:
        return -1 if player < 0 else (player + 1) % n

    return replace(
        hand,
        dealer=on(hand.dealer),
        declarer=on(hand.declarer),
        contra_by=on(hand.contra_by),
        tricks=None if hand.tricks is None else turned(hand.tricks),
        decisions={on(player): call for player, call in hand.decisions.items()},
    )


def is_made(hand: DealResult) -> bool:
    if hand.tricks is None:
        return True
    taken = hand.tricks[hand.declarer]
    return taken == 0 if hand.kind == MISERE_GAME else taken >= hand.level


def check_pulka(name: str, n: int, data: st.DataObject, start: int) -> None:
    """What holds of each hand, the refets and the settlement, until the pulka is over."""
    variant = data.draw(house(name))
    sheet = ScoreSheet(variant, n, start)
    assert sheet.settle() == [0] * n and sheet.refets == [0] * n
    for hand in data.draw(pulkas(variant, n)):
        if sheet.is_over():
            assert sum(sheet.columns) <= 0
            break
        left, refets, given_before = sum(sheet.columns), sheet.refets, sheet.refets_given
        on_refet, gives = sheet.on_refet(hand), sheet.gives_refets(hand)
        hat, value = sheet.is_under_hat(), Fraction(int(hand_value(sheet._row(hand))), 12)
        entries = sheet.write(hand)
        change = sum(entries.columns)
        check_hand(variant, hand, entries.columns, value, left)
        if variant.conventions["last.made"] == "cap":
            assert left + change >= 0
        assert min(map(min, entries.soup)) >= 0 and not any(entries.soup[hand.declarer])
        if n == 4:
            assert not entries.columns[hand.dealer] and not any(entries.soup[hand.dealer])
        check_refets(sheet, hand, refets, given_before, (on_refet, gives, hat))
        found = sheet.settlement()
        assert sum(sheet.settle()) == 0
        assert found.result == sheet.settle() == found.first_way == found.second_way
        assert [sum(found.terms(i)) for i in range(n)] == found.result
        assert sum(found.written_off) == sum(sheet.columns)


@for_each_table
@SETTINGS
@given(data=st.data(), start=st.integers(2, 60))
def test_a_pulka(name: str, n: int, data: st.DataObject, start: int) -> None:
    """Every variant under random house rules."""
    check_pulka(name, n, data, start)


@pytest.mark.slow
@for_each_table
@HEAVY
@given(data=st.data(), start=st.integers(2, 60))
def test_many_pulkas(name: str, n: int, data: st.DataObject, start: int) -> None:
    """The same, longer."""
    check_pulka(name, n, data, start)


def check_hand(
    variant: Variant,
    hand: DealResult,
    columns: Sequence[Fraction],
    value: Fraction,
    left: Fraction | int,
) -> None:
    """Columns move by the value, down for the declarer alone; their sum falls only by a contract
    made without a follower who is short, so never under contra."""
    change = sum(columns)
    if hand.kind == RASPAS:
        assert not any(columns)
        return
    others = [x for player, x in enumerate(columns) if player != hand.declarer]
    assert min(others) >= 0 and sum(x > 0 for x in others) <= 2
    doubled = variant.conventions["last.double_fall"] and value > left
    allowed = {0, value, 2 * value if doubled else value, left, min(value, Fraction(4))}
    assert {abs(x) for x in columns} <= allowed
    if change < 0:
        assert hand.contra == 0 and is_made(hand) and columns[hand.declarer] < 0 and not any(others)
    if hand.tricks is not None and not is_made(hand):
        assert columns[hand.declarer] >= value
        assert not any(others) or variant.conventions["follow.short"] == "own"


def check_refets(
    sheet: ScoreSheet,
    hand: DealResult,
    refets: Sequence[int],
    given_before: int,
    told: tuple[bool, bool, bool],
) -> None:
    """One to all where nobody is under the hat and the limit is not reached; one is used by its
    declarer alone."""
    on_refet, gives, hat = told
    conventions = sheet.variant.conventions
    assert min(sheet.refets) >= 0
    assert max(sheet.refets) <= sheet.refets_given <= max(sheet.refets_most, given_before)
    change = [a - b for a, b in zip(sheet.refets, refets, strict=True)]
    if gives:
        assert not hat and sheet.refets_given == given_before + 1
        sits_out = sheet.n == 4 and not conventions["refets.for_dealer"]
        assert change == [0 if sits_out and p == hand.dealer else 1 for p in range(sheet.n)]
        return
    assert sheet.refets_given == given_before
    assert all(x == 0 for p, x in enumerate(change) if p != hand.declarer)
    if hand.declarer >= 0:
        assert change[hand.declarer] in (0, -1) and (on_refet or not change[hand.declarer])
        if hand.tricks is not None:
            assert change[hand.declarer] == -on_refet


@for_each_table
@SETTINGS
@given(data=st.data(), start=st.integers(2, 60))
def test_everybody_moves_round_the_table(
    name: str, n: int, data: st.DataObject, start: int
) -> None:
    """No seat is better: the same hands one place on write and settle the same one place on.

    Ties go by seats where columns are written off in whole points, and soup beyond five tricks is
    cut.
    """
    variant = data.draw(house(name)).with_settings({"last.write_off": "exact"})
    one, two = (ScoreSheet(variant, n, start) for _ in range(2))
    for hand in data.draw(pulkas(variant, n)):
        one.write(hand)
        two.write(turned_hand(hand, n))
    assert two.columns == turned(one.columns) and two.refets == turned(one.refets)
    assert two.soup == turned([turned(row) for row in one.soup])
    assert two.settle() == turned(one.settle()) and two.is_over() == one.is_over()


COLUMN = st.integers(-200, 200)


@pytest.mark.parametrize("n", [3, 4])
@SETTINGS
@given(data=st.data())
def test_a_constant_in_all_columns_settles_nothing(n: int, data: st.DataObject) -> None:
    """Exactly written off, only differences of the columns count; in whole points nearly so."""
    columns = data.draw(st.lists(COLUMN, min_size=n, max_size=n))
    more = data.draw(COLUMN)
    pairs = [(i, j) for i, j in itertools.permutations(range(n), 2)]
    soup = data.draw(st.dictionaries(st.sampled_from(pairs), st.integers(0, 900)))
    results = {}
    for rule in ("exact", "whole"):
        variant = find_variant("refet", {"last.write_off": rule})
        for shift in (0, more, n * more):
            sheet = ScoreSheet(variant, n, 30)
            sheet.set_columns([c + shift for c in columns], soup)
            results[rule, shift] = sheet.settle()
            assert sum(sheet.settle()) == 0
            assert sheet.settlement().first_way == sheet.settle()
    assert results["exact", 0] == results["exact", more] == results["exact", n * more]
    assert results["whole", 0] == results["whole", n * more]
    if sum(columns) % n == 0:
        assert results["whole", 0] == results["exact", 0]
    for whole, exact in zip(results["whole", 0], results["exact", 0], strict=True):
        assert abs(whole - exact) < 10


@SETTINGS
@given(data=st.data())
def test_factors_multiply(data: st.DataObject) -> None:
    """Each contra doubles all that is written, and so does a refet (Lesnoy)."""
    variant = find_variant("refet")
    hand = data.draw(hands(variant.conventions, 3, 2))
    if hand.kind == RASPAS or hand.contra == 0:
        return
    sheet = ScoreSheet(variant, 3, 10_000)
    single = sheet.entries(replace(hand, contra=1, refet=False))
    for level, refet in itertools.product(range(1, 5), (False, True)):
        factor = 2 ** (level - 1) * (2 if refet else 1)
        entries = sheet.entries(replace(hand, contra=level, refet=refet))
        assert entries.columns == [factor * x for x in single.columns]
        assert entries.soup == [[factor * x for x in row] for row in single.soup]


def test_the_strategy_draws_every_kind_of_hand() -> None:
    """Each hand is possible, and none of these is left out."""
    seen: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(data=st.data())
    def draw(data: st.DataObject) -> None:
        variant = find_variant("refet", {"bidding.preferans": True})
        hand = data.draw(hands(variant.conventions, 4, 3))
        assert not why_impossible(variant.conventions, hand, NAMES)
        seen.update(kinds(hand))

    draw()
    assert all(seen[kind] for kind in KINDS), seen


KINDS = (
    *("all pass", "betl", "preferans", "contra", "mordcontra", "invited", "nobody comes"),
    *("stopped early", "spades left", "drawn in", "game"),
)


def kinds(hand: DealResult) -> Iterator[str]:
    """What kinds of hand this is."""
    calls = list(hand.decisions.values())
    suit = hand.kind == TRICKS and hand.level == 6
    for kind, found in (
        ("all pass", hand.kind == RASPAS),
        ("betl", hand.kind == MISERE_GAME),
        ("preferans", hand.level == 10),
        ("contra", hand.contra == 1),
        ("mordcontra", hand.contra == 4),
        ("invited", INVITED in calls),
        ("nobody comes", suit and WHISTED not in calls),
        ("stopped early", hand.tricks is not None and sum(hand.tricks) < 10),
        ("spades left", suit and WHISTED in calls and hand.tricks is None),
        ("drawn in", hand.contra > 0 and PASSED in calls),
        ("game", hand.without_talon),
    ):
        if found:
            yield kind
