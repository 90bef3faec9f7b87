"""The end of raspas, each for himself, against every card tried in plain Python."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from naive.cards import PACK
from naive.endings import Counts, EachForHimself, Line
from solver_positions import (
    THREE_HANDS,
    draw_hands,
    draw_position,
    naive_hands,
    naive_table,
    playing_of,
)

from scoring.contract import NO_TRUMP, RASPAS
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import find_variant
from sim.cards import format_hand
from sim.solver import (
    MISERE_STRAIN,
    MOST_CARDS,
    Position,
    PositionError,
    solve,
    solve_raspas,
)

N_TRICKS = 10
SPLITS = [(a, b, N_TRICKS - a - b) for a in range(N_TRICKS + 1) for b in range(N_TRICKS + 1 - a)]
"""Tricks of the three hands at the end of a deal."""
PRICED = ["code", "sochi", "leningrad", "piter", "rostov", "rostov_difference", "klassika"]
"""Variants with raspas of different prices and columns."""


def draw_payoffs(seed: int, most: int) -> np.ndarray[Any, Any]:
    """Random payoffs; few different ones, so that many cards are equally good."""
    return np.random.default_rng(seed).integers(-most, most, (3, 11, 11), np.int64, endpoint=True)


def payoffs_by_tricks(payoff: Any) -> np.ndarray[Any, Any]:
    """Payoffs that are a function of a hand's own tricks."""
    payoffs = np.zeros((3, 11, 11), np.int64)
    for tricks in SPLITS:
        payoffs[:, tricks[0], tricks[1]] = [payoff(own) for own in tricks]
    return payoffs


def payoffs_of(name: str) -> np.ndarray[Any, Any]:
    """What raspas writes to each of three players under a variant: for himself and his whists,
    less his mountain and the whists on him."""
    variant = find_variant(name)
    payoffs = np.zeros((3, 11, 11), np.int64)
    for tricks in SPLITS:
        # Dealt by player 2: the eldest is player 0.
        entries = ScoreSheet(variant, 3).entries(DealResult(2, RASPAS, tricks=tricks))
        for hand in range(3):
            whists = sum(entries.whists[hand]) - sum(row[hand] for row in entries.whists)
            value = 10 * (entries.pool[hand] - entries.mountain[hand]) + whists
            payoffs[hand, tricks[0], tricks[1]] = int(60 * value)
    return payoffs


def draw_taken(chance: Random, n: int) -> Counts:
    """Tricks taken before, so that with the ``n`` left they are ten at most."""
    a, b, c = (chance.choice([0, chance.randint(0, (N_TRICKS - n) // 3)]) for _ in range(3))
    return a, b, c


def check_end(position: Position, payoffs: np.ndarray[Any, Any], taken: Counts) -> Counts:
    """The tricks at the end and the whole line are those of every card tried."""
    game = EachForHimself(lambda hand, counts: int(payoffs[hand, counts[0], counts[1]]))
    table = naive_table(position.table, position.leader, playing_of(position))
    wanted = game.end(naive_hands(position.hands), position.leader, taken, table)
    counts, line = solve_raspas(position.hands, position.leader, payoffs, taken, position.table)
    named: Line = [(hand, PACK[card]) for hand, card in line]
    assert (counts, named) == wanted, (position, taken)
    return counts


def check_ends(seed: int, n: int, n_positions: int) -> None:
    """Random endings of raspas with random payoffs."""
    chance = Random(seed)
    seen: Counter[str] = Counter()
    for k in range(n_positions):
        position = draw_position(chance, n, [NO_TRUMP])
        payoffs = draw_payoffs(k, chance.choice([0, 1, 2, 100]))
        counts = check_end(position, payoffs, draw_taken(chance, n))
        seen[f"{len(playing_of(position))} hands, {len(position.table)} on the table"] += 1
        seen[f"{counts}"] += 1
    assert len(seen) > 12


@pytest.mark.parametrize(("n", "n_positions"), [(1, 60), (2, 120), (3, 120), (4, 40)])
def test_ends_of_raspas(n: int, n_positions: int) -> None:
    check_ends(n, n, n_positions)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "n_positions"), [(1, 1000), (2, 3000), (3, 3000), (4, 2000), (5, 150), (6, 12)]
)
def test_many_ends_of_raspas(n: int, n_positions: int) -> None:
    check_ends(70 + n, n, n_positions)


def check_priced_ends(name: str, payoffs: np.ndarray[Any, Any], n_positions: int) -> None:
    """Ends of whole deals of ten tricks."""
    chance = Random(f"{name} {n_positions}")
    for _ in range(n_positions):
        n = chance.choice((2, 3, 4))
        a, b, _ = draw_taken(chance, n)
        taken = (a, b, N_TRICKS - n - a - b)
        check_end(draw_position(chance, n, [NO_TRUMP]), payoffs, taken)


@pytest.mark.parametrize("name", PRICED)
def test_ends_with_a_variant_s_prices(name: str) -> None:
    """Payoffs of real raspas: who takes more loses more, whoever sits where."""
    payoffs = payoffs_of(name)
    assert payoffs[0, 0, 5] > payoffs[0, 1, 5] > payoffs[0, 10, 0]
    assert payoffs[0, 4, 3] == payoffs[1, 3, 4]
    check_priced_ends(name, payoffs, 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRICED)
def test_many_ends_with_a_variant_s_prices(name: str) -> None:
    check_priced_ends(name, payoffs_of(name), 400)


def test_nobody_does_worse_than_against_both() -> None:
    """Who wants many tricks gets those he makes as declarer, who wants few no more than at misère:
    both are certain whatever the others want."""
    chance = Random(9)
    better = 0
    for _ in range(150):
        n = chance.randrange(2, MOST_CARDS + 1)
        hands, leader = draw_hands(chance, n), chance.randrange(3)
        many, _ = solve_raspas(hands, leader, payoffs_by_tricks(lambda own: own))
        few, _ = solve_raspas(hands, leader, payoffs_by_tricks(lambda own: -own))
        assert sum(many) == sum(few) == n
        for hand in THREE_HANDS:
            sure = solve(hands, NO_TRUMP, hand, leader)
            most = solve(hands, MISERE_STRAIN, hand, leader)
            assert many[hand] >= sure and few[hand] <= most
            better += (many[hand] > sure) + (few[hand] < most)
    assert better > 100


def test_one_side_is_two_partners() -> None:
    """Where two hands have the opposite payoff of the third, it is the declarer's game."""
    chance = Random(10)
    for sign, strain in ((1, NO_TRUMP), (-1, MISERE_STRAIN)):
        for _ in range(80):
            n, declarer = chance.randrange(2, MOST_CARDS + 1), chance.randrange(3)
            hands, leader = draw_hands(chance, n), chance.randrange(3)
            payoffs = np.zeros((3, 11, 11), np.int64)
            for a in range(n + 1):
                for b in range(n + 1 - a):
                    own = sign * (a, b, n - a - b)[declarer]
                    payoffs[:, a, b] = -own
                    payoffs[declarer, a, b] = own
            counts, _ = solve_raspas(hands, leader, payoffs)
            assert counts[declarer] == solve(hands, strain, declarer, leader)


def test_memory_of_other_searches_does_not_matter() -> None:
    """The end of raspas and solves of the same positions by turns."""
    chance = Random(11)
    for _ in range(60):
        n = chance.randrange(2, MOST_CARDS + 1)
        hands, leader = draw_hands(chance, n), chance.randrange(3)
        payoffs = draw_payoffs(chance.randrange(99), 2)
        found = [(solve(hands, k, 1, leader), solve_raspas(hands, leader, payoffs)) for k in (4, 5)]
        again = [(solve(hands, k, 1, leader), solve_raspas(hands, leader, payoffs)) for k in (5, 4)]
        assert again == found[::-1]


def test_text_and_types() -> None:
    """Hands as text, payoffs of any whole type; the result is plain Python."""
    hands = [0x81, 0x42, 0x24]
    text = " | ".join(map(format_hand, hands))
    few = payoffs_by_tricks(lambda own: -own)
    found = solve_raspas(text, 0, few.astype(np.int32).tolist(), (3, 2, 3))
    assert found == solve_raspas(hands, 0, few, [3, 2, 3])
    assert all(type(x) is int for x in (*found[0], *found[1][0]))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"payoffs": np.zeros((3, 11))}, "payoffs of shape (3, 11): [3, 11, 11] is wanted"),
        ({"taken": (1, 2)}, "tricks taken (1, 2) and 2 left: three counts, ten in all"),
        ({"taken": (1, -1, 2)}, "tricks taken (1, -1, 2) and 2 left"),
        ({"taken": (4, 3, 2)}, "tricks taken (4, 3, 2) and 2 left"),
        (
            {"hands": "AKQJT98... | .AKQJT98.. | ..AKQJT98."},
            "7 cards each: 6 at most can be judged",
        ),
        ({"hands": "AK... | QJ... | A9..."}, "hands 0 and 2 both have ♠A"),
        ({"leader": 3}, "3: a hand is 0, 1 or 2"),
        ({"table": (1,)}, "hands of 3, 2 and 2 cards"),
    ],
)
def test_ends_that_cannot_be(told: dict[str, Any], message: str) -> None:
    hands = "AK... | QJ... | T9..."
    wanted = {"hands": hands, "leader": 0, "payoffs": draw_payoffs(1, 1), **told}
    with pytest.raises(PositionError) as error:
        solve_raspas(**wanted)
    assert message in str(error.value) and "\n" not in str(error.value)
