"""The solver at no trump against DDS, Bo Haglund's solver for bridge, which endplay brings along.

Why our positions are bridge endings stands in ``benchmarks.dds``.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from solver_positions import draw_position

from benchmarks import dds
from benchmarks.solver_sets import deals, make_rows
from scoring.contract import NO_TRUMP
from scoring.kernel import JIT
from sim.cards import HAND_SIZE, cards_of
from sim.solver import Position, rate_position, solve_many, solve_position
from sim.state import N_HANDS

pytest.importorskip("endplay", reason="endplay has no wheel here, and so there is no DDS")

SEED = 20_261
N_DEALS = 500 if JIT else 3
N_ALL_DEALS = 5_000 if JIT else 6
N_POSITIONS = 2_000 if JIT else 60
N_MORE_POSITIONS = 20_000 if JIT else 200
LARGEST = HAND_SIZE if JIT else 5


def check_deals(hands: np.ndarray) -> None:
    """Deals of ten cards each, every declarer and leader, by the tables of DDS."""
    for declarer in range(N_HANDS):
        tables = dds.Tables(make_rows(hands, NO_TRUMP, declarer).tolist())
        tables.run()
        for role, theirs in enumerate(tables.tricks().T):
            leader = (declarer + role) % N_HANDS
            ours = solve_many(hands, NO_TRUMP, declarer, leader)
            np.testing.assert_array_equal(ours, theirs, f"{declarer=} {leader=}")


def draw_positions(seed: int, n: int) -> list[Position]:
    """Positions at no trump of one to ten tricks, some in the middle of one, some of two hands."""
    chance = Random(seed)
    sizes = range(1, LARGEST + 1)
    return [draw_position(chance, chance.choice(sizes), [NO_TRUMP]) for _ in range(n)]


def check_positions(positions: list[Position]) -> None:
    """Values of positions, each solved by itself."""
    theirs = dds.solve_boards(position.packed for position in positions)
    for position, tricks in zip(positions, theirs.tolist(), strict=True):
        assert solve_position(position) == tricks, position


def check_cards(positions: list[Position]) -> None:
    """The value of every card that may be played."""
    theirs = dds.value_cards(position.packed for position in positions)
    for position, values in zip(positions, theirs, strict=True):
        assert list(values) == cards_of(position.legal), position
        assert rate_position(position) == values, position


def test_whole_deals() -> None:
    """The deals of the first numbers of seed 1, which reach from no trick to nearly all."""
    hands = deals(N_DEALS)
    check_deals(hands)
    assert len(set(solve_many(hands, NO_TRUMP).tolist())) >= (8 if JIT else 1)


@pytest.mark.slow
def test_many_whole_deals() -> None:
    """Five thousand deals, 45 000 values."""
    check_deals(deals(N_ALL_DEALS))


def test_positions_are_of_all_kinds() -> None:
    """What the next two tests look at has every size, all hands to move, and two hands alone."""
    drawn = draw_positions(SEED, N_POSITIONS)
    assert {position.n_tricks for position in drawn} == set(range(1, LARGEST + 1))
    kinds = {
        (len(p.table), (p.mover - p.declarer) % N_HANDS)
        for p in drawn
        if p.n_tricks > 1 and all(p.hands)
    }
    assert kinds == {(laid, role) for laid in range(N_HANDS) for role in range(N_HANDS)}
    assert {len(p.table) for p in drawn if p.n_tricks > 1 and not all(p.hands)} == {0, 1}


def test_positions() -> None:
    """Endings and tricks half played."""
    check_positions(draw_positions(SEED, N_POSITIONS))


def test_cards() -> None:
    """The same positions by the value of each card."""
    check_cards(draw_positions(SEED, N_POSITIONS))


@pytest.mark.slow
def test_many_positions() -> None:
    """Ten times as many of both."""
    drawn = draw_positions(SEED + 1, N_MORE_POSITIONS)
    check_positions(drawn)
    check_cards(drawn)


def test_twin_of_a_deal() -> None:
    """Written out: the declarer North, ♠9 T; the defenders East, ♣J Q, and West, ♠7 8; the fourth
    hand South, with a two of each suit that comes first."""
    twin = dds.make_twin((NO_TRUMP, 0b11, 0b1100, 0b110000 << 8, 1, 2, -1, -1))
    assert twin.cards == [
        [0b11 << 9, 0, 0, 0],
        [0, 0, 0, 0b11 << 11],
        [1 << 2, 0, 0, 1 << 2],
        [0b11 << 7, 0, 0, 0],
    ]
    assert (twin.leader, twin.trick, twin.mover, twin.n_tricks) == (1, [], 1, 2)
    assert (twin.tricks_of_declarer(2), twin.trump) == (0, NO_TRUMP)


def test_twin_of_a_trick_begun() -> None:
    """♠8 is led by East: South follows with the two before West is to move."""
    twin = dds.make_twin((NO_TRUMP, 1 | 1 << 8, 1 << 9, 1 << 2 | 1 << 10, 0, 1, 1, -1))
    assert (twin.leader, twin.trick, twin.mover, twin.n_tricks) == (1, [(0, 8), (0, 2)], 3, 2)
    assert twin.cards[2] == [0, 0, 0, 1 << 2]


def test_twin_of_two_hands() -> None:
    """East does not play: he has low cards too, and throws one away on ♣A of North."""
    twin = dds.make_twin((NO_TRUMP, 1, 0, 0b11 << 16, 0, 0, 15, -1))
    assert twin.trick == [(3, 14), (2, 2), (3, 2)]
    assert (twin.mover, twin.n_tricks) == (3, 2)
    assert twin.cards[1:3] == [[0, 1 << 2, 0, 0], [1 << 2, 0, 0, 0]]


def test_equal_cards_and_other_tricks() -> None:
    """The same cards left under two tricks begun are two boards: ♥K takes one of them alone."""
    begun = [(NO_TRUMP, 1 << 30, 0, 0, 0, 1, led, 27) for led in (25, 31)]
    assert [solve_position(Position(p[1:4], p[0], p[4], p[5], p[6:])) for p in begun] == [1, 0]
    assert dds.solve_boards(begun).tolist() == [1, 0]
