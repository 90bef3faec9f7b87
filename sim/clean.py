"""The chance that a misère stays clean, by tables of its suits (``preferans train``).

A *holding* says what the declarer knows of a suit, as a number in base three: each of its cards is
hidden, his own, or dead.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import constants, kernel, outline

from .cards import N_SUITS, suit_ranks

N_HOLDINGS = 3**8
_THREES = constants([sum(3**k for k in range(8) if mask >> k & 1) for mask in range(256)])


@kernel
def holding(own: int, dead: int, suit: int) -> int:
    """The holding of a suit by the cards one has and those that are dead."""
    return _THREES[suit_ranks(own, suit)] + 2 * _THREES[suit_ranks(dead, suit)]


@kernel
def clean_chance(catch: Any, lead: Any, own: int, dead: int, position: int) -> tuple[float, int]:
    """Chance that no suit is caught when each is played alone, and how many could be; hand 0 leads
    its best suit."""
    product = 1.0
    best = -1.0
    risky = 0
    for suit in range(N_SUITS):
        product *= 1.0 - catch[holding(own, dead, suit)]
        risky += 1 if catch[holding(own, dead, suit)] > 0 else 0
    if position > 0:
        return product, risky
    for suit in range(N_SUITS):
        if suit_ranks(own, suit):
            chance = 1.0 - lead[holding(own, dead, suit)]
            for other in range(N_SUITS):
                if other != suit:
                    chance *= 1.0 - catch[holding(own, dead, other)]
            best = max(best, chance)
    return best, risky


@kernel
def corrected(correction: Any, chance: float, risky: int, position: int) -> float:
    """The chance of a whole hand by that of its suits: ``correction`` [3, 3, 41]; certain if they
    are."""
    if chance == 1.0:
        return 1.0
    row = 3 * position + min(2, max(0, risky - 1))
    return correction[41 * row + int(40 * chance + 0.5)]


@outline
def lay_for_misere(
    catch: Any, lead: Any, correction: Any, twelve: int, position: int
) -> tuple[int, float]:
    """The two cards without which misère is likeliest to stay clean, and that chance."""
    best = 0
    most = -1.0
    rest = twelve
    while rest:
        one = rest & -rest
        rest ^= one
        others = rest
        while others:
            other = others & -others
            others ^= other
            pair = one | other
            chance, risky = clean_chance(catch, lead, twelve ^ pair, pair, position)
            # suits alone decide among equal corrections
            chance = corrected(correction, chance, risky, position) + chance / 1000
            if chance > most:
                best = pair
                most = chance
    return best, most
