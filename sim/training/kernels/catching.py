"""Misère suit by suit: how a suit is caught when it is played alone, and hands made of suits.

A *lie* of a suit says where each of its eight cards is, as a number in base four: out of play, in
the declarer's hand, in that of the defender after him, or of the one before him.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import ctz, kernel, outline

from ...cards import ALL_CARDS
from ...clean import clean_chance, lay_for_misere
from ...deals import draw_deal, unrank
from ...solver import takes_at_least

N_LIES = 1 << 16
OWN, AFTER, BEFORE = range(1, 4)


@kernel
def _cards(lie: int, whose: int) -> int:
    """The ranks of a lie that one hand holds."""
    mask = 0
    for k in range(8):
        if lie >> 2 * k & 3 == whose:
            mask |= 1 << k
    return mask


@kernel
def _without(lie: int, card: int) -> int:
    """A lie without a card; -1 is none."""
    return lie & ~(3 << 2 * card) if card >= 0 else lie


@kernel
def _next(cards: int, before: int) -> int:
    """The next card of a mask above one (-1: the lowest); -1 after the last."""
    rest = cards & -(1 << (before + 1))
    return ctz(rest) if rest else -1


@kernel
def _after_trick(caught: Any, lie: int, own: int, after: int, before: int) -> int:
    """1 if the declarer takes this trick, or is caught later."""
    if own > after and own > before:
        return 1
    return caught[_without(_without(_without(lie, own), after), before)]


@outline
def _last_in_turn(caught: Any, lie: int) -> int:
    """1 if the defender after the declarer can lead so that he is caught: he plays last."""
    own, after, before = _cards(lie, OWN), _cards(lie, AFTER), _cards(lie, BEFORE)
    led = _next(after, -1)
    while led >= 0:
        other = _next(before, -1)
        while True:
            escapes = False
            card = _next(own, -1)
            while card >= 0 and not escapes:
                escapes = _after_trick(caught, lie, card, led, other) == 0
                card = _next(own, card)
            if not escapes:
                return 1
            other = _next(before, other) if other >= 0 else -1
            if other < 0:
                break
        led = _next(after, led)
    return 0


@outline
def _any_after(caught: Any, lie: int, card: int, led: int) -> int:
    """1 if some card of the defender who plays after the declarer's ``card`` catches him."""
    after = _cards(lie, AFTER)
    other = _next(after, -1)
    while True:
        if _after_trick(caught, lie, card, other, led) == 1:
            return 1
        other = _next(after, other) if other >= 0 else -1
        if other < 0:
            return 0


@outline
def _second_in_turn(caught: Any, lie: int) -> int:
    """1 if the defender before the declarer can lead so that he is caught: he plays second."""
    own, before = _cards(lie, OWN), _cards(lie, BEFORE)
    led = _next(before, -1)
    while led >= 0:
        card = _next(own, -1)
        while card >= 0 and _any_after(caught, lie, card, led) == 1:
            card = _next(own, card)
        if card < 0:
            return 1
        led = _next(before, led)
    return 0


@outline
def _first_in_turn(caught: Any, lie: int) -> int:
    """1 if the declarer is caught when he leads."""
    own, before = _cards(lie, OWN), _cards(lie, BEFORE)
    card = _next(own, -1)
    while card >= 0:
        led = _next(before, -1)
        escapes = True
        while escapes:
            escapes = _any_after(caught, lie, card, led) == 0
            led = _next(before, led) if led >= 0 else -1
            if led < 0:
                break
        if escapes:
            return 0
        card = _next(own, card)
    return 1


@outline
def catch_lies(caught: Any, leading: Any) -> None:
    """Fill for every lie whether the declarer is caught: defenders may lead the suit as often as
    they like, from either hand; and when he leads it first himself (never without a card)."""
    for n in range(9):
        for lie in range(N_LIES):
            own = 0
            for k in range(8):
                own += 1 if lie >> 2 * k & 3 == OWN else 0
            if own != n:
                continue
            caught[lie] = 0
            leading[lie] = 0
            if n > 0:
                if _last_in_turn(caught, lie) == 1 or _second_in_turn(caught, lie) == 1:
                    caught[lie] = 1
                leading[lie] = _first_in_turn(caught, lie)


@outline
def draw_miseres(
    catch: Any, lead: Any, correction: Any, key: int, least: float, found: Any, hands: Any
) -> None:
    """Fill ``found`` [n, 4] with hands worth a misère after the talon: the hand, what was laid
    away, position, risky suits; and ``hands`` [n, 3] as they are played."""
    n = 0
    k = 0
    while n < len(found):
        h0, h1, h2, talon = unrank(draw_deal(key, 0, k))
        position = k % 3
        k += 1
        own = h0 if position == 0 else (h1 if position == 1 else h2)
        laid, _ = lay_for_misere(catch, lead, correction, own | talon, position)
        ten = (own | talon) ^ laid
        chance, risky = clean_chance(catch, lead, ten, laid, position)
        if chance < least:
            continue
        hands[n, 0] = ten if position == 0 else h0
        hands[n, 1] = ten if position == 1 else h1
        hands[n, 2] = ten if position == 2 else h2
        found[n, 0] = ten
        found[n, 1] = laid
        found[n, 2] = position
        found[n, 3] = risky
        n += 1


@outline
def solve_miseres(
    work: Any, hands: Any, positions: Any, strain: int, need: int, caught: Any
) -> None:
    """Whether each declarer takes ``need`` tricks in ``strain``, all cards open, hand 0 leading."""
    for k in range(len(hands)):
        h0, h1, h2 = hands[k, 0], hands[k, 1], hands[k, 2]
        where = (strain, h0, h1, h2, positions[k], 0, -1, -1)
        caught[k] = takes_at_least(work, where, need)


@outline
def suit_chances(catch: Any, lead: Any, found: Any, chances: Any) -> None:
    """The chance by suits of each of the hands of :func:`draw_miseres`."""
    for k in range(len(found)):
        chances[k], _ = clean_chance(catch, lead, found[k, 0], found[k, 1], found[k, 2])


@outline
def chance_with_talon(catch: Any, lead: Any, correction: Any, own: int, position: int) -> float:
    """The mean over all talons of the chance after the best discard."""
    total = 0.0
    unseen = ALL_CARDS & ~own
    while unseen:
        one = unseen & -unseen
        unseen ^= one
        others = unseen
        while others:
            other = others & -others
            others ^= other
            total += lay_for_misere(catch, lead, correction, own | one | other, position)[1]
    return total / 231


@outline
def draw_bids(
    catch: Any, lead: Any, correction: Any, key: int, least: float, hands: Any, chances: Any
) -> None:
    """Fill hands that might bid misère [n, 2], with their position, and their ``chances``.

    Might: without the two worst cards they stay clean with a chance of at least ``least``.
    """
    n = 0
    k = 0
    while n < len(hands):
        h0, h1, h2, _ = unrank(draw_deal(key, 0, k))
        position = k % 3
        k += 1
        own = h0 if position == 0 else (h1 if position == 1 else h2)
        laid, _ = lay_for_misere(catch, lead, correction, own, position)
        if clean_chance(catch, lead, own ^ laid, laid, position)[0] < least:
            continue
        hands[n, 0] = own
        hands[n, 1] = position
        chances[n] = chance_with_talon(catch, lead, correction, own, position)
        n += 1
