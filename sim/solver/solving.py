"""One position at a time: its value, its cards, a line of play, a table, the end of raspas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.contract import NO_TRUMP

from ..cards import N_CARDS, cards_of
from ..state import N_HANDS
from .batch import IntArray, own_workspace, solve_tables
from .endings import MOST_CARDS, finish
from .position import Hands, Position, PositionError, as_hands
from .values import count_tricks, find_card, first_guess, rate_cards
from .workspace import N_COUNTS

Line = list[tuple[int, int]]
"""(hand, card) of each card in the order of play."""


def solve_position(position: Position) -> int:
    """The declarer's tricks from here on, the trick on the table among them."""
    guess = first_guess(position.strain, position.hands[position.declarer])
    return int(count_tricks(own_workspace(), position.packed, guess))


def solve(
    hands: Hands, strain: int, declarer: int = 0, leader: int = 0, table: Sequence[int] = ()
) -> int:
    """The declarer's tricks with all cards open and both defenders against him.

    ``hands`` are three masks in the order of play, or text; ``strain`` a trump suit 0..3, no trump
    4, or ``MISERE_STRAIN``; ``table`` the cards of a trick begun. Raises PositionError.

    >>> solve("AK... | QJ... | T9...", strain=4)
    2
    """
    return solve_position(Position(as_hands(hands), strain, declarer, leader, tuple(table)))


def rate_position(position: Position) -> dict[int, int]:
    """The declarer's tricks after each card that the hand to move may play, in order of cards."""
    values = np.empty(N_CARDS, np.int64)
    rate_cards(own_workspace(), position.packed, values)
    return {card: int(values[card]) for card in cards_of(position.legal)}


def solve_cards(
    hands: Hands, strain: int, declarer: int = 0, leader: int = 0, table: Sequence[int] = ()
) -> dict[int, int]:
    """The declarer's tricks after each card that may be played; arguments as :func:`solve`."""
    return rate_position(Position(as_hands(hands), strain, declarer, leader, tuple(table)))


def best_cards(position: Position, values: dict[int, int]) -> list[int]:
    """The cards after which the hand to move does best, of the values of all."""
    best = (max if position.wants_many else min)(values.values())
    return [card for card, tricks in values.items() if tricks == best]


def find_line(position: Position) -> Line:
    """How play goes when every hand plays best, to the end; of equally good cards the lowest.

    The line follows from values alone, so it is always the same.
    """
    line: Line = []
    tricks = solve_position(position)
    left: Position | None = position
    while left is not None:
        card = int(find_card(own_workspace(), left.packed, tricks))
        line.append((left.mover, card))
        left, taker = left.after(card)
        tricks -= taker == position.declarer
    return line


def solve_line(
    hands: Hands, strain: int, declarer: int = 0, leader: int = 0, table: Sequence[int] = ()
) -> Line:
    """A line of best play (:func:`find_line`); arguments as :func:`solve`."""
    return find_line(Position(as_hands(hands), strain, declarer, leader, tuple(table)))


def solve_table(hands: Hands) -> IntArray:
    """The declarer's tricks by [strain, declarer, leader]: the suits, no trump, misère."""
    return solve_tables(np.array([as_hands(hands)]), range(N_HANDS), workers=1)[0]


def _check_payoffs(payoffs: IntArray, taken: Sequence[int], position: Position) -> None:
    if payoffs.shape != (N_HANDS, N_COUNTS, N_COUNTS):
        raise PositionError(f"payoffs of shape {payoffs.shape}: [3, 11, 11] is wanted")
    if len(taken) != N_HANDS or min(taken) < 0 or sum(taken) + position.n_tricks >= N_COUNTS:
        raise PositionError(
            f"tricks taken {tuple(taken)} and {position.n_tricks} left: three counts, ten in all"
        )
    if position.n_tricks > MOST_CARDS:
        raise PositionError(
            f"raspas with {position.n_tricks} cards each: {MOST_CARDS} at most can be judged"
        )


def solve_raspas(
    hands: Hands,
    leader: int,
    payoffs: IntArray,
    taken: Sequence[int] = (0, 0, 0),
    table: Sequence[int] = (),
) -> tuple[tuple[int, int, int], Line]:
    """The end of raspas when each hand plays for its own payoff (max^n, ``sim.solver.endings``).

    ``payoffs`` int64 [hand, t0, t1] is what a hand gets when hand 0 ends with t0 tricks and hand 1
    with t1, those ``taken`` before counted, and hand 2 with the rest. At most six cards each.
    Returns the tricks of the three hands at the end and the line. Raises PositionError.
    """
    start = Position(as_hands(hands), NO_TRUMP, leader, leader, tuple(table))
    payoffs = np.ascontiguousarray(payoffs, np.int64)
    _check_payoffs(payoffs, taken, start)
    counts = list(taken)
    line: Line = []
    left: Position | None = start
    while left is not None:
        card = finish(own_workspace(), left.packed, counts[0], counts[1], payoffs)
        line.append((left.mover, int(card)))
        left, taker = left.after(int(card))
        if taker >= 0:
            counts[taker] += 1
    return (counts[0], counts[1], counts[2]), line
