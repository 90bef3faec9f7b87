"""Worlds as likely as what the others have called, laid away and played, and those kept in mind."""

from __future__ import annotations

from typing import Any

from scoring.kernel import i64, outline, u64
from sim.rng import splitmix
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

from ..api import CARD, N_HANDS, kernel, popcount
from .places import BEST, KEPT, MOST_KEPT, N_KEPT, STAMP, TABLE_AT, WORLD

_LESS = 0.79
"""How much less likely a world is for each unit of surprise (``sim.rollout.surprises``)."""
_MOST = 64
"""Units of surprise that are told apart."""
_TRIES = 60
"""Worlds drawn for one that is kept."""
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


@outline
def draw(view: Any, own: Any, key: int) -> int:
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
    """Fill WORLD with the k-th world in mind, or with a new one; 0 if none fits at all."""
    out = own.workspace
    memory = own.memory
    at = KEPT + N_PLACES * k
    if k < memory[N_KEPT]:
        for place in range(N_PLACES):
            out[WORLD + place] = memory[at + place]
        return 1
    if draw(view, own, key) == 0:
        return 0
    if k == memory[N_KEPT] and k < MOST_KEPT and view.phase == CARD:
        for place in range(N_PLACES):
            memory[at + place] = out[WORLD + place]
        memory[N_KEPT] = k + 1
    return 1
