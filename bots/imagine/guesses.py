"""Worlds as likely as what the others have called, laid away and played, and those kept in mind.

The first is the best of some that are drawn, each next one is reached from the last by exchanging
hidden cards in pairs, where a world that agrees less with what was done is entered the more seldom
(Metropolis): so that rare calls are believed, which hardly any random hand would make.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import i64, outline, u64
from sim.rng import below, splitmix
from sim.rollout import surprises
from sim.worlds import (
    ASIDE,
    DISCARDED,
    N_PLACES,
    draw_world,
    has_taken_talon,
    may_hold,
    unseen_cards,
)

from ..api import CARD, N_HANDS, kernel, nth_bit, popcount
from .places import BEST, KEPT, MOST_KEPT, N_KEPT, STAMP, TABLE_AT, WORLD

_LESS = 0.79
"""How much less likely a world is for each unit of surprise (``sim.rollout.surprises``)."""
_MOST = 64
"""Units of surprise that are told apart."""
_TRIES = 40
"""Worlds drawn for the first."""
_STEPS = 32
"""Exchanges tried from one world to the next."""
_WORDS = 3000
"""Number of the first random word of the exchanges."""
_WHOLE = 1 << 53


@outline
def likelihood(view: Any, own: Any, key: int) -> float:
    """How well the world in WORLD agrees with what the others did: 1 if the policy would have."""
    out = own.workspace
    world = out[WORLD : WORLD + N_PLACES]
    chance = 1.0
    for _ in range(surprises(out, TABLE_AT, view, world, own, key, _MOST)):
        chance *= _LESS
    return chance


@kernel
def _allowed(word: int) -> int:
    """With how many units of surprise a world is kept, by 53 random bits."""
    chance = _LESS * _WHOLE
    units = 0
    while chance > word and units < _MOST:
        chance *= _LESS
        units += 1
    return units


@kernel
def _place_of(world: Any, card: int) -> int:
    for place in range(N_PLACES):
        if world[place] >> card & 1:
            return place
    return -1


@kernel
def _may_lie(view: Any, place: int, card: int, unseen: int) -> bool:
    return place >= N_HANDS or may_hold(view, place, unseen) >> card & 1 == 1


@kernel
def _hidden(view: Any, world: Any) -> int:
    """The cards of a world that the player does not see."""
    cards = world[ASIDE] | world[DISCARDED]
    for hand in range(N_HANDS):
        if hand != view.mover and view.shown[hand] == 0:
            cards |= world[hand]
    return cards


@outline
def wander(view: Any, own: Any, key: int, steps: int) -> None:
    """Exchange hidden cards of WORLD, so often tried."""
    out = own.workspace
    world = out[WORLD : WORLD + N_PLACES]
    unseen = unseen_cards(view)
    hidden = _hidden(view, world)
    units = surprises(out, TABLE_AT, view, world, own, key, _MOST)
    for k in range(steps):
        word = _WORDS + 3 * k
        first = nth_bit(hidden, below(splitmix(key, word), popcount(hidden)))
        a = _place_of(world, first)
        others = hidden & ~world[a]
        if others == 0:
            return
        second = nth_bit(others, below(splitmix(key, word + 1), popcount(others)))
        b = _place_of(world, second)
        if not (_may_lie(view, b, first, unseen) and _may_lie(view, a, second, unseen)):
            continue
        both = 1 << first | 1 << second
        world[a] ^= both
        world[b] ^= both
        most = units + _allowed(i64(splitmix(key, word + 2) >> u64(11)))
        found = surprises(out, TABLE_AT, view, world, own, key, most)
        if found <= most:
            units = found
        else:
            world[a] ^= both
            world[b] ^= both


@outline
def _draw_best(view: Any, own: Any, key: int) -> int:
    """Fill WORLD with a world as likely as it agrees, of those tried in vain the one that agrees
    most; 0 if none fits at all."""
    out = own.workspace
    world = out[WORLD : WORLD + N_PLACES]
    n = 0
    least = _MOST + 1
    for _ in range(_TRIES):
        n = draw_world(view, key, n, world)
        if n < 0:
            return 0
        allowed = _allowed(i64(splitmix(key, n + 1000) >> u64(11)))
        found = surprises(out, TABLE_AT, view, world, own, key, max(allowed, least - 1))
        if found <= allowed:
            return 1
        if found < least:
            least = found
            for place in range(N_PLACES):
                out[BEST + place] = world[place]
    if least <= _MOST:
        for place in range(N_PLACES):
            world[place] = out[BEST + place]
    return 1


@outline
def draw(view: Any, own: Any, k: int, key: int) -> int:
    """Fill WORLD with the k-th world, made of the last, which still stands there; 0 if none fits at
    all."""
    if k == 0 and _draw_best(view, own, key) == 0:
        return 0
    wander(view, own, key, _STEPS if k > 0 else 2 * _STEPS)
    return 1


@kernel
def _fits(view: Any, unseen: int, kept: Any, at: int) -> bool:
    """Whether a kept world, what has been played taken off, still fits all that is known."""
    for hand in range(N_HANDS):
        cards = kept[at + hand]
        if hand == view.mover or view.shown[hand]:
            if cards != (view.hand if hand == view.mover else view.shown[hand]):
                return False
        elif cards & ~may_hold(view, hand, unseen):
            return False
        elif popcount(cards) != 10 - popcount(view.played_by[hand]):
            return False
    hidden = kept[at] | kept[at + 1] | kept[at + 2] | kept[at + ASIDE] | kept[at + DISCARDED]
    return unseen & ~hidden == 0 and popcount(kept[at + ASIDE] | kept[at + DISCARDED]) <= 2


@outline
def recall(view: Any, own: Any) -> None:
    """Keep of the worlds in mind those of this deal that still fit."""
    memory = own.memory
    if memory[STAMP] != view.deal + 1 or view.phase != CARD:
        memory[STAMP] = view.deal + 1
        memory[N_KEPT] = 0
        return
    unseen = unseen_cards(view)
    known = view.played | (view.talon if has_taken_talon(view) == 0 else 0)
    n = 0
    for k in range(memory[N_KEPT]):
        at = KEPT + N_PLACES * k
        to = KEPT + N_PLACES * n
        for place in range(N_PLACES):
            memory[to + place] = memory[at + place] & ~(view.played if place < 3 else known)
        if _fits(view, unseen, memory, to):
            n += 1
    memory[N_KEPT] = n


@outline
def world_of(view: Any, own: Any, k: int, key: int) -> int:
    """Fill WORLD with the k-th world in mind, or with a new one, made of the last, which still
    stands there; 0 if none fits at all."""
    out = own.workspace
    memory = own.memory
    at = KEPT + N_PLACES * k
    if k < memory[N_KEPT]:
        for place in range(N_PLACES):
            out[WORLD + place] = memory[at + place]
        return 1
    if draw(view, own, k, key) == 0:
        return 0
    if k == memory[N_KEPT] and k < MOST_KEPT and view.phase == CARD:
        for place in range(N_PLACES):
            memory[at + place] = out[WORLD + place]
        memory[N_KEPT] = k + 1
    return 1
