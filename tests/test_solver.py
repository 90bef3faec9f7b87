"""The open-cards solver against trying every card in plain Python, and what must not matter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from naive.cards import PACK
from naive.endings import legal as naive_legal
from naive.endings import next_to_play
from solver_positions import (
    STRAINS,
    draw_hands,
    draw_position,
    draw_positions,
    garbage_workspace,
    naive_position,
    playing_of,
)

from scoring.contract import NO_TRUMP
from scoring.kernel import JIT
from sim.cards import cards_of, follow, format_hand, mask_of, parse_card, suit_mask, trump_mask
from sim.solver import (
    Position,
    PositionError,
    best_cards,
    count_nodes,
    count_tricks,
    find_card,
    find_line,
    make_workspace,
    parse_hands,
    rate_cards,
    rate_position,
    solve,
    solve_cards,
    solve_line,
    solve_many,
    solve_position,
    solve_table,
    solve_tables,
    takes_at_least,
)

TESTS = Path(__file__).resolve().parent


# Against every card tried


def check_position(work: Any, position: Position) -> None:
    """Everything the solver says about a position is what trying every card finds."""
    game, at = naive_position(position)
    hands, leader, table = at
    mover = next_to_play(*at)
    assert mover == position.mover
    allowed = naive_legal(hands[mover], table, game.trump)
    assert [PACK[card] for card in cards_of(position.legal)] == allowed
    value, values = game.value(*at), game.values(*at)
    assert solve_position(position) == value, position
    rates = rate_position(position)
    assert {PACK[card]: tricks for card, tricks in rates.items()} == values, position
    assert [PACK[card] for card in best_cards(position, rates)] == game.best(*at)
    for need in range(-1, position.n_tricks + 2):
        assert takes_at_least(work, position.packed, need) == (value >= need), (position, need)
    line = [(hand, PACK[card]) for hand, card in find_line(position)]
    assert line == game.line(*at), position


def check_positions(positions: Any) -> Counter[str]:
    """Check positions with one workspace that is never cleared; what they were like."""
    work = make_workspace()
    seen: Counter[str] = Counter()
    for position in positions:
        check_position(work, position)
        two = "two" if len(playing_of(position)) == 2 else "three"
        seen[f"strain {position.strain}"] += 1
        seen[f"declarer {position.declarer} leader {position.leader}"] += 1
        seen[f"{two} hands, {len(position.table)} on the table"] += 1
        seen[f"{position.n_tricks} tricks"] += 1
    return seen


KINDS = 6 + 9 + 5
"""Strains; declarers and leaders; tables of three hands and of two."""


@pytest.mark.parametrize(("n", "n_positions"), [(1, 150), (2, 250), (3, 300), (4, 160), (5, 12)])
def test_endings_are_those_of_every_card_tried(n: int, n_positions: int) -> None:
    seen = check_positions(draw_positions(20 + n, n_positions, [n]))
    assert seen[f"{n} tricks"] == n_positions
    assert len(seen) == KINDS + 1 or n == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "n_positions"), [(1, 2000), (2, 6000), (3, 6000), (4, 6500), (5, 1000)]
)
def test_many_endings_are_those_of_every_card_tried(n: int, n_positions: int) -> None:
    seen = check_positions(draw_positions(1000 + n, n_positions, [n]))
    assert len(seen) == KINDS + 1 and min(seen.values()) > n_positions // 60


@pytest.mark.slow
def test_endings_of_one_deal_from_every_seat() -> None:
    """The same 200 deals of three cards with every strain, declarer and leader."""
    chance = Random(77)
    for _ in range(200):
        hands = tuple(draw_hands(chance, 3))
        check_positions(
            Position((hands[0], hands[1], hands[2]), strain, declarer, leader)
            for strain in STRAINS
            for declarer in range(3)
            for leader in range(3)
        )


def test_cards_that_may_be_played_are_the_engine_s() -> None:
    """The solver's rule is that of the engine's card play (``sim.cards.follow``)."""
    for position in draw_positions(3, 400, range(1, 11)):
        held = position.hands[position.mover]
        if position.table:
            trumps = trump_mask(min(position.strain, NO_TRUMP))
            held = follow(held, suit_mask(position.table[0] >> 3), trumps)
        assert position.legal == held


# Whole deals by themselves


def check_line(position: Position) -> None:
    """A line is legal, is played by who is to move, and comes to the value; each of its cards is
    the lowest of the best, and every value follows from those one card later."""
    value = solve_position(position)
    taken = 0
    left: Position | None = position
    for hand, card in find_line(position):
        assert left is not None and left.mover == hand and left.legal >> card & 1
        rates = rate_position(left)
        best = best_cards(left, rates)
        assert rates[card] == solve_position(left) and best[0] == card
        assert taken + rates[card] == value
        for other, tricks in rates.items():
            after, taker = left.after(other)
            rest = solve_position(after) if after is not None else 0
            assert tricks == rest + (taker == position.declarer)
        left, taker = left.after(card)
        taken += taker == position.declarer
    assert left is None and taken == value


@pytest.mark.parametrize("strain", STRAINS)
def test_lines_of_whole_deals(strain: int) -> None:
    chance = Random(strain)
    for n in (6, 8, 10):
        check_line(draw_position(chance, n, [strain]))


@pytest.mark.slow
@pytest.mark.parametrize("strain", STRAINS)
def test_lines_of_many_deals(strain: int) -> None:
    chance = Random(100 + strain)
    for _ in range(40):
        check_line(draw_position(chance, chance.randrange(6, 11), [strain]))


def test_ace_and_the_next_suit_s_seven_are_no_sequence() -> None:
    """♠A and ♣7 in one hand, with almost all cards of both suits in play."""
    chance = Random(40)
    differ = 0
    for _ in range(60):
        cards = chance.sample(range(16), 16)
        cards.remove(7)
        cards.remove(8)
        hands = [mask_of([7, 8, *cards[:3]]), mask_of(cards[3:8]), mask_of(cards[8:13])]
        strain, declarer = chance.randrange(6), chance.randrange(3)
        position = Position((hands[0], hands[1], hands[2]), strain, declarer, 0)
        values = rate_position(position)
        for card, tricks in values.items():
            after, _ = position.after(card)
            assert after is not None and solve_position(after) == tricks
        differ += values[7] != values[8]
    assert differ > 10


# What must not matter


def answers(work: Any, position: Position) -> tuple[int, ...]:
    """All that compiled code can be asked about a position."""
    packed = position.packed
    tricks = count_tricks(work, packed, 1)
    values = np.empty(32, np.int64)
    best = rate_cards(work, packed, values)
    assert best == tricks
    return tricks, find_card(work, packed, tricks), *values.tolist()


def test_order_and_memory_do_not_matter() -> None:
    """The same answers with a workspace of each position's own, with one that held garbage and is
    never cleared, and in the opposite order."""
    positions = list(draw_positions(8, 120, range(4, 9)))
    alone = [answers(make_workspace(), position) for position in positions]
    shared = garbage_workspace(1)
    assert [answers(shared, position) for position in positions] == alone
    assert [answers(shared, position) for position in reversed(positions)] == alone[::-1]
    other = garbage_workspace(2)
    assert [answers(other, position) for position in reversed(positions)] == alone[::-1]
    assert len(set(alone)) == len(alone)


@pytest.mark.slow
def test_one_memory_for_many_positions() -> None:
    """4 000 positions of all sizes and strains in a workspace that is never cleared."""
    shared = garbage_workspace(3)
    for position in draw_positions(9, 4000, range(2, 10)):
        assert answers(shared, position) == answers(make_workspace(), position), position


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_moves_does_not_matter(seed: int) -> None:
    """Any weights of the ordering give the same answers."""
    from sim.solver.workspace import N_WEIGHTS, WEIGHTS

    work = make_workspace()
    weights = np.random.default_rng(seed).integers(-3000, 3000, 3 * N_WEIGHTS)
    assert not np.array_equal(work[WEIGHTS : WEIGHTS + 3 * N_WEIGHTS], weights)
    work[WEIGHTS : WEIGHTS + 3 * N_WEIGHTS] = weights
    for position in draw_positions(10 + seed, 60, range(3, 8)):
        assert answers(work, position) == answers(make_workspace(), position), position


def test_the_guess_does_not_matter() -> None:
    work = make_workspace()
    for position in draw_positions(11, 40, range(1, 9)):
        found = {count_tricks(work, position.packed, guess) for guess in (*range(-2, 12), 99)}
        assert found == {solve_position(position)}


def test_questions_agree_with_the_count() -> None:
    """One question about each number of tricks, whole deals too."""
    work = make_workspace()
    for position in draw_positions(12, 60, range(5, 11)):
        tricks = solve_position(position)
        for need in range(position.n_tricks + 2):
            assert takes_at_least(work, position.packed, need) == (tricks >= need)


# Many at once


def draw_rows(seed: int, n_rows: int) -> tuple[Any, Any, Any, Any]:
    """Positions before a lead: hands, strains, declarers, leaders."""
    chance = Random(seed)
    hands = [draw_hands(chance, chance.randrange(4, 9)) for _ in range(n_rows)]
    columns = ([chance.randrange(k) for _ in hands] for k in (6, 3, 3))
    return np.array(hands), *map(np.array, columns)


def test_workers_do_not_matter() -> None:
    """Any number of threads gives what one position at a time gives."""
    hands, strains, declarers, leaders = draw_rows(1, 700)
    rows = zip(hands, strains, declarers, leaders, strict=True)
    singly = [solve([int(x) for x in h], int(s), int(d), int(who)) for h, s, d, who in rows]
    for workers in (1, 2, 3, None):
        done: list[int] = []
        many = solve_many(hands, strains, declarers, leaders, workers, done.append)
        assert many.tolist() == singly and many.dtype == np.int64
        assert sum(done) == len(hands) and len(done) > 1
    tricks, nodes = count_nodes(hands, strains, declarers, leaders)
    assert tricks.tolist() == singly and 0 <= nodes.min() < nodes.max()
    assert np.array_equal(nodes, count_nodes(hands, strains, declarers, leaders)[1])


def test_one_number_for_all() -> None:
    hands, strains, _, leaders = draw_rows(2, 50)
    same = solve_many(hands, strains, 2, leaders)
    assert np.array_equal(same, solve_many(hands, strains, np.full(50, 2), leaders))
    assert solve_many(np.zeros((0, 3)), 4).shape == (0,)


def test_tables() -> None:
    """[position, strain, declarer, leader], the leaders in the order asked for."""
    hands = draw_rows(3, 12)[0]
    tables = solve_tables(hands, (0, 1, 2))
    assert tables.shape == (12, 6, 3, 3)
    for strain in range(6):
        for declarer in range(3):
            for leader in range(3):
                row = solve_many(hands, strain, declarer, leader)
                assert np.array_equal(tables[:, strain, declarer, leader], row)
    assert np.array_equal(solve_tables(hands, (2, 0), False, 3), tables[:, :5, :, [2, 0]])
    assert np.array_equal(solve_table([int(x) for x in hands[0]]), tables[0])


def test_text_and_masks_are_the_same() -> None:
    text = "AK.7.. | QJ..8. | T9...7"
    hands = parse_hands(text)
    assert " | ".join(map(format_hand, hands)) == text
    for strain in STRAINS:
        assert solve(text, strain, 1, 2) == solve(hands, strain, 1, 2)
        assert solve_cards(text, strain, 1, 2) == solve_cards(hands, strain, 1, 2)
        assert solve_line(text, strain, 1, 2) == solve_line(hands, strain, 1, 2)
    table = [parse_card("♠A")]
    assert solve("K.7.. | QJ..8. | T9...7", NO_TRUMP, 0, 0, table) == 2 + 1


# Plain Python

SCRIPT = "import json, test_solver; print(json.dumps(test_solver.plain_answers()))"


def plain_answers() -> dict[str, Any]:
    """Values, cards and lines of some positions, and whether the code is compiled."""
    positions = list(draw_positions(14, 40, (1, 2, 3, 4, 5)))
    found = [(answers(make_workspace(), one), find_line(one)) for one in positions]
    return {"jit": JIT, "found": found, "table": solve_tables([[0x7, 0x38, 0x1C0]]).tolist()}


def test_plain_python_gives_the_same() -> None:
    path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout)
    assert theirs["jit"] is False
    ours = json.loads(json.dumps(plain_answers()))
    assert theirs["found"] == ours["found"] and theirs["table"] == ours["table"]


# Mistakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AK... | QJ...", "2 of them; write three, parted by |"),
        ("AK... | QJ... | T9... | 87...", "4 of them; write three"),
        ("", "1 of them"),
        ("AK... | QJ.. | T9...", "has 3 suits: write four"),
        ("AX... | QJ... | T9...", "'X' is not a rank (789TJQKA)"),
        ("AA... | QJ... | T9...", "has ♠A twice"),
        ("AK... | KJ... | T9...", "hands 0 and 1 both have ♠K"),
        ("AK... | QJ... | KA...", "hands 0 and 2 both have ♠K ♠A"),
        ("AKQJT987.AKQ.. | ... | ...", "hand 0 has 11 cards (AKQJT987.AKQ..): ten at most"),
    ],
)
def test_hands_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_hands(text)
    assert message in str(error.value) and "\n" not in str(error.value)


THREE = (0x3, 0xC, 0x30)
TWO = (0x3, 0, 0x30)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"strain": 6}, "strain 6: a trump suit 0..3, no trump 4, misère 5"),
        ({"strain": -1}, "strain -1: a trump suit"),
        ({"declarer": 3}, "declarer 3: a hand is 0, 1 or 2"),
        ({"leader": -1}, "leader -1: a hand is 0, 1 or 2"),
        ({"hands": (0x3, 0xC)}, "2 hands: a position has three"),
        ({"hands": (0x3, 0xC, 1 << 32)}, "hand 2: 4294967296 is no mask of the 32 cards"),
        ({"hands": (0x3, 0xC, -1)}, "hand 2: -1 is no mask"),
        ({"hands": (0x3, 0xC, 0x10)}, "hands of 2, 2 and 1 cards: each"),
        ({"hands": (0x3, 0, 0)}, "at least two play"),
        ({"hands": (0, 0, 0)}, "hands of 0, 0 and 0 cards"),
        ({"hands": (0x7FF, 0, 0x7FF000)}, "hand 0 has 11 cards"),
        ({"hands": TWO, "declarer": 1}, "declarer 1 has no cards"),
        ({"hands": TWO, "leader": 1}, "leader 1 has no cards"),
        ({"table": (6,)}, "hands of 3, 2 and 2 cards, those on the table counted"),
        ({"hands": (0x1, 0x4, 0x30), "table": (1, 3)}, None),
        ({"hands": (0x1, 0x4, 0x10), "table": (1, 3, 5)}, "3 cards on the table: two at most"),
        ({"hands": (0x1, 0, 0x10), "table": (1, 5)}, "hands of 2, 1 and 1 cards"),
        ({"hands": (0x1, 0xC, 0), "leader": 0, "table": (1, 5)}, "hands of 2, 3 and 0 cards"),
        ({"hands": (0x1, 0x4, 0), "leader": 0, "table": (1, 3)}, "the trick on the table is compl"),
        ({"hands": (0x1, 0xC, 0x30), "table": (32,)}, "card 32 on the table: a card is 0..31"),
        ({"hands": (0x1, 0xC, 0x30), "table": (2,)}, "hand 1 has ♠9, which lies on the table"),
        ({"hands": (0x1, 0x4, 0x30), "table": (1, 1)}, "♠8 lies on the table twice"),
    ],
)
def test_positions_that_cannot_be(told: dict[str, Any], message: str | None) -> None:
    wanted = {"hands": THREE, "strain": 4, **told}
    if message is None:
        assert Position(**wanted).legal
        return
    with pytest.raises(PositionError) as error:
        Position(**wanted)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"hands": [[1, 2]]}, "hands of shape (1, 2): [positions, 3] is wanted"),
        ({"hands": [1, 2, 4]}, "hands of shape (3,)"),
        ({"strain": [1, 2, 3]}, "strain of shape (3,): one for all or one for each of 2"),
        ({"leader": [[1], [2]]}, "leader of shape (2, 1): one for all or one for each of 2"),
        ({"hands": [[1, 2, 4], [1, 2, 2]]}, "row 1: hands 1 and 2 both have ♠8"),
        ({"hands": [[1, 2, 4], [1, 2, 24]]}, "row 1: hands of 1, 1 and 2 cards"),
        ({"hands": [[1, 2, 4], [1, 2, -4]]}, "row 1: hand 2: -4 is no mask"),
        ({"strain": [4, 6]}, "row 1: strain 6"),
        ({"declarer": [0, 3]}, "row 1: declarer 3"),
        ({"hands": [[1, 2, 4], [0, 2, 4]]}, "row 1: declarer 0 has no cards"),
    ],
)
def test_rows_that_cannot_be(told: dict[str, Any], message: str) -> None:
    wanted = {"hands": [[1, 2, 4], [1, 2, 4]], "strain": 4, **told}
    with pytest.raises(PositionError) as error:
        solve_many(**wanted)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_tables_want_three_hands() -> None:
    with pytest.raises(PositionError, match="row 0: declarer 1 has no cards"):
        solve_tables([[1, 0, 4]])
