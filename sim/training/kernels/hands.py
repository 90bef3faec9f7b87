"""Deals drawn by key, hands counted with additive tables, and the discard that costs least.

``table`` holds trump, side and no-trump entries by the ranks of a suit, then shifts by position: at
a trump by hand 0, 1, 2, and the same at no trump.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import N_STRAINS, NO_TRUMP
from scoring.kernel import kernel, outline

from ...cards import N_SUITS, suit_ranks
from ...deals import draw_deal, unrank
from ...state import N_HANDS

N_MASKS = 256
TRUMP, SIDE, PLAIN, POSITION = (N_MASKS * k for k in range(4))
N_ENTRIES = POSITION + 2 * N_HANDS
_MANY = 1e9


@outline
def draw_hands(key: int, numbers: Any, hands: Any) -> None:
    """Draw deals: their numbers [n], and the masks of the hands and the talon [n, 4]."""
    for k in range(len(numbers)):
        number = draw_deal(key, 0, k)
        h0, h1, h2, talon = unrank(number)
        numbers[k] = number
        hands[k, 0] = h0
        hands[k, 1] = h1
        hands[k, 2] = h2
        hands[k, 3] = talon


@outline
def deal_numbers(numbers: Any, hands: Any) -> None:
    """The hands and the talon [n, 4] of deals by their numbers."""
    for k in range(len(numbers)):
        h0, h1, h2, talon = unrank(numbers[k])
        hands[k, 0] = h0
        hands[k, 1] = h1
        hands[k, 2] = h2
        hands[k, 3] = talon


@kernel
def _part(strain: int, suit: int) -> int:
    """Where the entries of a suit stand in this strain."""
    if strain == NO_TRUMP:
        return PLAIN
    return TRUMP if strain == suit else SIDE


@kernel
def count_tricks(table: Any, hand: int, strain: int, position: int) -> float:
    """Tricks expected of a hand as the declarer's."""
    tricks = table[POSITION + (N_HANDS if strain == NO_TRUMP else 0) + position]
    for suit in range(N_SUITS):
        tricks += table[_part(strain, suit) + suit_ranks(hand, suit)]
    return tricks


@kernel
def cheapest_discard(table: Any, hand: int, strain: int) -> int:
    """The two cards that cost the fewest tricks: the lowest of two suits, or two of one."""
    first = second = double = 0
    first_loss = second_loss = double_loss = _MANY
    for suit in range(N_SUITS):
        ranks = suit_ranks(hand, suit)
        if ranks == 0:
            continue
        part = _part(strain, suit)
        one = ranks & -ranks
        rest = ranks ^ one
        loss = table[part + ranks] - table[part + rest]
        if loss < first_loss:
            second = first
            second_loss = first_loss
            first = one << 8 * suit
            first_loss = loss
        elif loss < second_loss:
            second = one << 8 * suit
            second_loss = loss
        if rest:
            two = rest & -rest
            loss = table[part + ranks] - table[part + (rest ^ two)]
            if loss < double_loss:
                double = (one | two) << 8 * suit
                double_loss = loss
    return first | second if first_loss + second_loss < double_loss else double


@outline
def count_hands(table: Any, hands: Any, strains: Any, positions: Any, expected: Any) -> None:
    """Tricks expected of each hand in its strain."""
    for k in range(len(hands)):
        expected[k] = count_tricks(table, hands[k], strains[k], positions[k])


@outline
def count_strains(table: Any, hands: Any, positions: Any, expected: Any) -> None:
    """Tricks expected of each hand in every strain, [n, 5]."""
    for k in range(len(hands)):
        for strain in range(N_STRAINS):
            expected[k, strain] = count_tricks(table, hands[k], strain, positions[k])


@outline
def lay_away(table: Any, twelve: Any, positions: Any, kept: Any, expected: Any) -> None:
    """The ten cards kept of twelve in every strain, and their tricks expected, both [n, 5]."""
    for k in range(len(twelve)):
        for strain in range(N_STRAINS):
            rest = twelve[k] & ~cheapest_discard(table, twelve[k], strain)
            kept[k, strain] = rest
            expected[k, strain] = count_tricks(table, rest, strain, positions[k])
