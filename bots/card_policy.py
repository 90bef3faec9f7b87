"""Card play by weights: every legal card is scored by what can be said of it, the best is played.

What is said of a card are bits of a mask (``features``); the score is the sum of the weights of
those bits in the context: whose side one is on, trumps or none, the place in the trick. One bit is
the choice of the rules of thumb of ``club_play``, so weights of that bit alone play like those.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.kernel import outline

from .api import (
    MISERE_GAME,
    N_HANDS,
    NO_TRUMP,
    RASPAS,
    ctz,
    kernel,
    msb,
    popcount,
    suit_mask,
    trump_mask,
)
from .club_play import (
    ALL_HANDS,
    _above,
    _can_be_beaten,
    _is_caught,
    _is_last,
    _may_hold,
    _next,
    _others,
    _unseen,
    _winners,
)
from .club_play import choose_card as club_card
from .hand_tables import read_weights

N_FEATURES = 64
_ALONE = N_FEATURES - 1
"""Stands for no feature (``mark_alone``)."""
CLUB_WEIGHT = 2000
"""What the choice of the rules of thumb counts before anything is learned, in thousandths."""
ROLES = (
    *("declarer", "declarer_no_trump", "defender", "defender_no_trump"),
    *("defender_open", "defender_open_no_trump"),
    *("declarer_two", "declarer_two_no_trump", "defender_two", "defender_two_no_trump"),
    *("misere", "catcher", "raspas"),
)
_TWO, _MISERE, _CATCHER, _RASPAS = 6, 10, 11, 12
PLACES = (
    *("lead_0", "lead_1", "follow_0", "follow_1", "last_0", "last_1"),
    *("throw_0", "throw_1", "throw_last_0", "throw_last_1"),
)
N_PLACES = len(PLACES)
N_CONTEXTS = len(ROLES) * N_PLACES
N_CARD_WEIGHTS = N_CONTEXTS * N_FEATURES
CONTEXTS = tuple(f"{role}:{place}" for role in ROLES for place in PLACES)

Floats = np.ndarray[Any, np.dtype[np.float64]]


@functools.cache
def card_weights() -> Floats:
    """The card weights of ``weights/expert.json``."""
    return read_card_weights(read_weights("expert")["cards"]["weights"])


def read_card_weights(told: Mapping[str, Mapping[str, int]]) -> Floats:
    """Weights as a file tells them, in thousandths, in the order of the contexts."""
    weights = club_weights()
    for context, row in told.items():
        at = CONTEXTS.index(context) * N_FEATURES
        weights[at : at + N_FEATURES] = 0.0
        for feature, weight in row.items():
            weights[at + int(feature)] = weight
    return weights


def club_weights() -> Floats:
    """Weights that play as ``club_play`` does."""
    weights = np.zeros(N_CARD_WEIGHTS)
    weights[::N_FEATURES] = CLUB_WEIGHT
    return weights


def mark_alone(weights: Floats) -> Floats:
    """The same, contexts marked in which the rules of thumb decide alone: there nothing else need
    be looked at."""
    marked = weights.reshape(N_CONTEXTS, N_FEATURES).copy()
    marked[:, _ALONE] = (marked[:, 0] > 0) & ~marked[:, 1:].any(axis=1)
    return marked.ravel()


def tell_weights(weights: Floats) -> dict[str, dict[str, int]]:
    """Weights as they stand in the file: by context and feature, without those that are 0."""
    return {
        context: {str(k): int(w) for k, w in enumerate(row) if w}
        for context, row in zip(CONTEXTS, weights.reshape(N_CONTEXTS, N_FEATURES), strict=True)
    }


@kernel
def _role(view: Any) -> int:
    if view.kind == RASPAS:
        return _RASPAS
    declares = view.mover == view.declarer
    if view.kind == MISERE_GAME:
        return _MISERE if declares else _CATCHER
    no_trump = 1 if view.strain == NO_TRUMP else 0
    if view.in_play != ALL_HANDS:
        return _TWO + no_trump + (0 if declares else 2)
    if declares:
        return no_trump
    return no_trump + (4 if view.shown[3 - view.declarer - view.mover] else 2)


@kernel
def _flag(view: Any) -> int:
    if view.kind == RASPAS:
        return 1 if view.trick < 2 and view.talon_card[view.trick] >= 0 else 0
    following = _next(view, view.mover)
    if view.mover == view.declarer:
        return 1 if view.shown[following] else 0
    return 1 if following == view.declarer else 0


@kernel
def context_of(view: Any) -> int:
    """The context of a card decision."""
    place = _flag(view)
    if view.led >= 0:
        place += 4 if _is_last(view) else 2
        if not view.legal & (suit_mask(view.led) | trump_mask(view.strain)):
            place += 4
    return _role(view) * N_PLACES + place


@kernel
def _suits_led(view: Any, hand: int) -> int:
    """Mask of the suits that a hand has led."""
    stride = 3 if view.in_play == ALL_HANDS else 2
    suits = 0
    for k in range(view.trick):
        play = view.plays[stride * k]
        if play >> 5 == hand:
            suits |= 1 << ((play & 31) >> 3)
    return suits


@kernel
def _bit(condition: bool, place: int) -> int:
    return 1 << place if condition else 0


@kernel
def _steps(count: int, place: int, most: int) -> int:
    """One of the bits for 0, 1, ... most and more."""
    return 1 << (place + min(count, most))


@kernel
def _of_suit(
    card: int, mine: int, against: int, first: int, second: int, trumps: int, trick: int
) -> int:
    """Bits 2..31: how a card stands in its suit."""
    suit = suit_mask(card >> 3)
    above = _above(card)
    own = mine & suit
    out = against & suit
    higher = popcount(out & above)
    lower = popcount(out & ~above)
    length = popcount(own)
    bits = _steps(higher, 2, 3) | _steps(lower, 6, 3) | _steps(length - 1, 10, 3)
    is_trump = trumps & suit
    bits |= _bit(is_trump != 0, 14)
    bits |= _bit(own & ~above == 1 << card, 15) | _bit(own & above == 0, 16)
    below = own & ((1 << card) - 1)
    gap = out & ((1 << card) - 1) & ~((2 << msb(below)) - 1 if below else 0)
    bits |= _bit(below != 0 and gap == 0, 17)
    if not first & suit:
        bits |= _bit(first & trumps != 0, 18) | _bit(first & trumps == 0, 19)
    if not second & suit:
        bits |= _bit(second & trumps != 0, 20) | _bit(second & trumps == 0, 21)
    bits |= _bit(second & suit > first & suit and second & suit & above != 0, 22)
    bits |= _bit(higher == 0 and trick < 3, 23) | _bit(higher == 0 and trick >= 6, 24)
    bits |= _bit(higher == 0 and length >= 4, 25) | _bit(out == 0, 26)
    over_top = popcount(out & _above(msb(own)))
    bits |= _bit(over_top == 0 and higher > 0, 27)
    bits |= _bit(over_top == 1 and length >= 2, 28) | _bit(over_top == 2 and length >= 3, 29)
    bits |= _bit(over_top > 0 and length == over_top + 1, 30)
    bits |= _bit(over_top >= length, 31)
    return bits


@kernel
def _of_lead(card: int, mine: int, against: int, trumps: int, led: tuple[int, int, int]) -> int:
    """Bits 32..40: what is said of a lead."""
    suit = card >> 3
    bits = _bit(led[0] >> suit & 1 == 1, 32) | _bit(led[1] >> suit & 1 == 1, 33)
    bits |= _bit(led[2] >> suit & 1 == 1, 34)
    if trumps:
        own = mine & trumps
        out = against & trumps
        if trumps >> card & 1:
            bits |= _bit(popcount(own) > popcount(out), 35) | _bit(out == 0, 36)
            bits |= _bit(popcount(out) <= 2 and out != 0, 37)
        else:
            bits |= _bit(out == 0, 38) | _bit(own == 0, 39)
            bits |= _bit(own != 0 and popcount(mine & suit_mask(suit)) <= 2, 40)
    return bits


@kernel
def _of_follow(view: Any, card: int, unseen: int, winners: int, safe: bool, ours: bool) -> int:
    """Bits 41..51: what a card does to the trick. ``ours``: the own side wins it so far, ``safe``:
    for certain."""
    beats = winners >> card & 1 == 1
    sure = beats and not _can_be_beaten(view, card, unseen)
    suit = suit_mask(card >> 3)
    below = suit & ((1 << card) - 1)
    bits = _bit(beats, 41) | _bit(sure, 42)
    bits |= _bit(beats and winners & below == 0, 43)
    bits |= _bit(beats and ours, 44) | _bit(beats and safe, 45)
    bits |= _bit(view.led >= 0 and card >> 3 != view.led, 46)
    lowest = view.legal & below == 0
    higher_losers = view.legal & ~winners & _above(card)
    bits |= _bit(lowest and not beats, 47) | _bit(not beats and higher_losers == 0, 48)
    bits |= _bit(lowest and ours, 49) | _bit(lowest and safe, 50)
    bits |= _bit(beats and not sure and view.winner >= 0, 51)
    return bits


@kernel
def _of_few(card: int, mine: int, against: int, first: int, second: int, catches: bool) -> int:
    """Bits 54..61: where few tricks are wanted; ``first`` is the declarer's for a catcher."""
    suit = suit_mask(card >> 3)
    above = _above(card)
    own = mine & suit
    held = first & suit
    mate = second & suit
    if not catches:
        caught = _is_caught(against & suit, 0, own)
        return _bit(caught, 54) | _bit(not caught and own & (own - 1) != 0, 55)
    bits = _bit(_is_caught(own, mate, held), 54) | _bit(held == 0, 55)
    bits |= _bit(held != 0 and held & ~above == 0, 56)
    low = mate & -mate
    top = max(low, 1 << card)
    bits |= _bit(held != 0 and held & (top - 1) == 0, 57)
    bits |= _bit(held & above == 0 and held != 0, 58)
    bits |= _bit(held != 0 and popcount(held) == 1, 59)
    bits |= _bit(mate == 0, 60) | _bit(popcount(held & ~above) == 1, 61)
    return bits


@kernel
def _between(a: int, b: int) -> int:
    """The cards strictly between two of a suit, and above neither."""
    low, high = min(a, b), max(a, b)
    return ((1 << high) - 1) & ~((2 << low) - 1)


@kernel
def features(view: Any, frame: Any, card: int) -> int:
    """What is said of a card, as a mask of bits."""
    club, unseen, against, first, second, winners, safe, ours, led = frame
    trumps = trump_mask(view.strain)
    bits = _bit(card == club, 0)
    if card >> 3 == club >> 3 and card != club:
        bits |= _bit(_between(card, club) & against == 0, 1)
    bits |= _of_suit(card, view.hand, against, first, second, trumps, view.trick)
    if view.led < 0:
        bits |= _of_lead(card, view.hand, against, trumps, led)
    else:
        bits |= _of_follow(view, card, unseen, winners, safe, ours)
    bits |= _bit(card & 7 >= 6, 52) | _bit(card & 7 <= 1, 53)
    if view.kind == MISERE_GAME or view.kind == RASPAS:
        catches = view.kind == MISERE_GAME and view.mover != view.declarer
        bits |= _of_few(card, view.hand, against, first, second, catches)
    return bits


@kernel
def make_frame(view: Any, away: int, club: int) -> Any:
    """What all cards of a decision share; ``club`` is the choice of the rules of thumb."""
    unseen = _unseen(view)
    against = _others(view, unseen) & ~away
    a = _next(view, view.mover)
    b = 3 - view.mover - a
    if view.kind != RASPAS and b == view.declarer:
        a, b = b, a
    first = _may_hold(view, a, unseen) & ~away
    second = _may_hold(view, b, unseen) & ~away
    if view.in_play != ALL_HANDS:
        second = 0
    winners = 0
    ours = False
    safe = False
    led = (0, 0, 0)
    if view.led >= 0:
        winners = _winners(view)
        takes = view.winner >= 0 and view.winner < N_HANDS
        ours = takes and view.mover != view.declarer and view.winner != view.declarer
        ours = ours and view.kind != RASPAS
        safe = ours and not _can_be_beaten(view, view.trick_card[view.winner], unseen)
    else:
        led = (_suits_led(view, a), _suits_led(view, b), _suits_led(view, view.mover))
    return club, unseen, against, first, second, winners, safe, ours, led


@outline
def choose_card(view: Any, w: Any, at: int, away: int) -> int:
    """The legal card of the highest score, of equals the lowest."""
    start = at + context_of(view) * N_FEATURES
    club = club_card(view, away)
    if w[start + _ALONE] > 0:
        return club
    frame = make_frame(view, away, club)
    legal = view.legal
    best = -1
    most = 0.0
    while legal:
        card = ctz(legal)
        legal &= legal - 1
        bits = features(view, frame, card)
        score = 0.0
        while bits:
            score += w[start + ctz(bits)]
            bits &= bits - 1
        if best < 0 or score > most:
            best = card
            most = score
    return best


@outline
def study_card(view: Any, away: int, out: Any) -> int:
    """Write context, number of cards, then each card and its mask."""
    frame = make_frame(view, away, club_card(view, away))
    out[0] = context_of(view)
    legal = view.legal
    n = 0
    while legal:
        card = ctz(legal)
        legal &= legal - 1
        out[2 + 2 * n] = card
        out[3 + 2 * n] = features(view, frame, card)
        n += 1
    out[1] = n
    return n
