"""Published problems with all cards open, and deals whose tables are known (``data/solver``)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.contract import NO_TRUMP
from sim.cards import HAND_SIZE, SUIT_SYMBOLS, format_hand
from sim.solver import (
    MISERE_STRAIN,
    Position,
    best_cards,
    find_line,
    parse_hands,
    rate_position,
    solve,
    solve_many,
    solve_position,
    solve_table,
    solve_tables,
)

FOLDER = Path(__file__).parent / "data" / "solver"
PROBLEMS = json.loads((FOLDER / "problems.json").read_text(encoding="utf-8"))
TABLES = json.loads((FOLDER / "tables.json").read_text(encoding="utf-8"))
BY_NAME = {problem["id"]: problem for problem in PROBLEMS}
STATUSES = {"stated", "derived", "contradiction"}


def strain_of(word: str) -> int:
    """A strain as the data write it: a suit's sign or misère."""
    return MISERE_STRAIN if word == "misere" else SUIT_SYMBOLS.index(word)


def position_of(problem: dict[str, Any], leader: int | None = None) -> Position:
    first = problem["leader"] if leader is None else leader
    hands = parse_hands(problem["hands"])
    return Position(hands, strain_of(problem["strain"]), problem["declarer"], first)


def agrees(claims: dict[str, int], tricks: int) -> bool:
    """Whether the declarer's tricks are what an author says: his, the defenders', or the least."""
    (what,) = claims
    if what == "at_least":
        return tricks >= claims[what]
    return claims[what] == (tricks if what == "declarer" else HAND_SIZE - tricks)


@pytest.mark.parametrize("problem", PROBLEMS, ids=list(BY_NAME))
def test_problems(problem: dict[str, Any]) -> None:
    """The value, and the author's answer where the author is right."""
    assert solve_position(position_of(problem)) == problem["tricks"]
    assert problem["status"] in STATUSES
    if problem["status"] == "derived":
        assert "source_claims" not in problem
    else:
        right = agrees(problem["source_claims"], problem["tricks"])
        assert right == (problem["status"] == "stated")


@pytest.mark.parametrize("problem", PROBLEMS, ids=list(BY_NAME))
def test_lines_of_problems(problem: dict[str, Any]) -> None:
    """The line comes to the value by cards that are each the lowest of the best."""
    left: Position | None = position_of(problem)
    taken = 0
    for hand, card in find_line(position_of(problem)):
        assert left is not None and left.mover == hand
        assert best_cards(left, rate_position(left))[0] == card
        left, taker = left.after(card)
        taken += taker == problem["declarer"]
    assert left is None and taken == problem["tricks"]


def test_the_data() -> None:
    """Whole hands as the project writes them, and something of each kind."""
    for row in (*PROBLEMS, *TABLES):
        hands = parse_hands(row["hands"])
        assert [hand.bit_count() for hand in hands] == 3 * [HAND_SIZE]
        assert " | ".join(map(format_hand, hands)) == row["hands"]
    assert len(BY_NAME) == len(PROBLEMS) and len({row["hands"] for row in TABLES}) == len(TABLES)
    seen = Counter(problem["status"] for problem in PROBLEMS)
    assert seen["stated"] >= 12 and seen["contradiction"] == 1 and seen["derived"] >= 8
    assert all(problem["source"] for problem in PROBLEMS)


def test_misere_of_kovalevskaya() -> None:
    """It is caught for one trick, but only by the right lead."""
    problem = BY_NAME["kovalevskaya-misere"]
    assert solve_position(position_of(problem)) == 1
    values = rate_position(position_of(problem))
    assert set(values.values()) == {0, 1}


def test_who_leads_matters() -> None:
    """Ten tricks of the whisters if the right one leads, eight if the other does."""
    problem = BY_NAME["kommersant"]
    assert [solve_position(position_of(problem, leader)) for leader in (2, 0)] == [0, 2]


def test_tables() -> None:
    """40 deals by strain, declarer and leader: 2 160 values of a program written apart."""
    hands = np.array([parse_hands(row["hands"]) for row in TABLES])
    wanted = np.array([row["tricks"] for row in TABLES])
    assert wanted.shape == (40, MISERE_STRAIN + 1, 3, 3) and len(np.unique(wanted)) > 8
    assert np.array_equal(solve_tables(hands, range(3)), wanted)
    assert np.array_equal(solve_table(TABLES[0]["hands"]), wanted[0])
    for leader in range(3):
        column = solve_many(hands, NO_TRUMP, 1, leader)
        assert np.array_equal(column, wanted[:, NO_TRUMP, 1, leader])
    assert solve(TABLES[1]["hands"], 0, 2, 2) == wanted[1, 0, 2, 2]
