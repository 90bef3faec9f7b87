"""Chances of how hidden cards lie, exactly: many hypergeometric tables of the books are one sum."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod

from .cards import HAND_SIZE, N_CARDS, TALON_SIZE

UNSEEN = N_CARDS - HAND_SIZE
"""Cards that a player does not see before the talon is turned up."""
UNSEEN_BY_DECLARER = 2 * HAND_SIZE


def holding_chance(
    groups: Sequence[int],
    held: Sequence[int],
    unseen: int = UNSEEN_BY_DECLARER,
    places: int = HAND_SIZE,
) -> Fraction:
    """The chance that one hidden hand holds exactly ``held`` cards of each of some groups.

    ``groups`` are the sizes of groups of cards that are missing, all among ``unseen`` cards of
    which the hand has ``places``. By default a declarer asks about one of two defenders.

    >>> holding_chance([4], [2]), holding_chance([1], [0], UNSEEN, TALON_SIZE)
    (Fraction(135, 323), Fraction(10, 11))
    """
    rest, left = unseen - sum(groups), places - sum(held)
    if left < 0 or min((*held, rest), default=0) < 0:
        return Fraction(0)
    ways = prod(comb(size, count) for size, count in zip(groups, held, strict=True))
    return Fraction(ways * comb(rest, left), comb(unseen, places))


def talon_chance(good: int) -> Fraction:
    """The chance that the talon has at least one of so many good cards (правило семи карт).

    >>> [talon_chance(good) for good in (6, 7)]
    [Fraction(37, 77), Fraction(6, 11)]
    """
    return 1 - holding_chance([good], [0], UNSEEN, TALON_SIZE)
