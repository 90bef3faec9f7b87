"""Two cards to lay away (снос), planned together: pairs rated over the worlds."""

from __future__ import annotations

from typing import Any

from scoring.contract import N_STRAINS
from scoring.kernel import i64, outline, u64
from sim.rng import splitmix
from sim.rollout import ask_here, forget, play_action, policy_pair
from sim.worlds import N_PLACES

from ..api import DISCARD, MISERE_GAME, POOL_FAMILY, ctz, kernel, popcount
from ..study.pool import cheapest_pair
from .guesses import draw
from .places import (
    ESTIMATES,
    MOST_PLANS,
    MOST_RATED,
    N_RATED,
    PLAN,
    PLAN_WORLDS,
    PLANNED,
    PLANS,
    RATED,
    ROLLOUTS,
    TABLE_AT,
    WORLD,
    clear,
    is_sure,
    option,
)

_SURE = 2.0
_SHORT = 4
"""One world in so many is looked at first."""


@kernel
def _note(out: Any, n: int, pair: int) -> int:
    """Add a pair that is not there yet; how many there are."""
    if n >= MOST_PLANS or popcount(pair) != 2:
        return n
    for k in range(n):
        if out[PLANS + PLAN * k] == pair:
            return n
    out[PLANS + PLAN * n] = pair
    return n + 1


@outline
def _list_plans(view: Any, own: Any, pair: int) -> int:
    """The policy's pair, the pair of each strain, and those that share a card with the first."""
    out = own.workspace
    n = _note(out, 0, pair)
    if view.rules.family == POOL_FAMILY and view.phase == DISCARD and view.kind != MISERE_GAME:
        for strain in range(N_STRAINS):
            n = _note(out, n, cheapest_pair(own.weights, view.hand, strain)[0])
    low = pair & -pair
    others = view.legal & ~pair
    while others:
        card = others & -others
        others ^= card
        n = _note(out, n, low | card)
        n = _note(out, n, pair ^ low | card)
    return n


@outline
def _rate_plans(view: Any, own: Any, n: int, first: int, worlds: int) -> int:
    """Sum the values of the pairs over worlds; how many were looked at."""
    out = own.workspace
    world = out[WORLD : WORLD + N_PLACES]
    for k in range(n):
        for word in range(1, PLAN):
            out[PLANS + PLAN * k + word] = 0
    for k in range(worlds):
        key = i64(splitmix(view.random, first + k) >> u64(1))
        if draw(view, own, k, key) == 0:
            return 0
        base = 0
        for plan in range(n):
            at = PLANS + PLAN * plan
            pair = out[at]
            low, high = ctz(pair), ctz(pair & (pair - 1))
            value = play_action(out, TABLE_AT, view, world, key, own, low, high)
            if plan == 0:
                base = value
            out[at + 1] += value
            out[at + 2] += value * value
            out[at + 3] += value - base
            out[at + 4] += (value - base) * (value - base)
    return worlds


@kernel
def _swap(out: Any, j: int, k: int) -> None:
    for word in range(PLAN):
        kept = out[PLANS + PLAN * j + word]
        out[PLANS + PLAN * j + word] = out[PLANS + PLAN * k + word]
        out[PLANS + PLAN * k + word] = kept


@kernel
def _keep_best(out: Any, n: int) -> int:
    """Bring the best pairs to the front, behind the policy's; how many are left."""
    left = min(n, MOST_RATED)
    for j in range(1, left):
        best = j
        for k in range(j + 1, n):
            if out[PLANS + PLAN * k + 1] > out[PLANS + PLAN * best + 1]:
                best = k
        _swap(out, j, best)
    return left


@outline
def _plan(view: Any, own: Any) -> int:
    """The pair to lay away; 0 where nothing is known better than the policy."""
    out = own.workspace
    if draw(view, own, 0, view.random) == 0:
        return 0
    pair = policy_pair(out, TABLE_AT, view, out[WORLD : WORLD + N_PLACES], own, view.random)
    n = _list_plans(view, own, pair)
    if n < 2:
        return pair
    short = max(2, option(own, ROLLOUTS) // _SHORT)
    first = 0
    worlds = 0
    for stage in range(2):
        worlds = _rate_plans(view, own, n, first, short if stage == 0 else option(own, ROLLOUTS))
        if stage == 0:
            n = _keep_best(out, n)
            first = short
    best = 0
    for k in range(1, n):
        at = PLANS + PLAN * k
        if worlds > 0 and out[at + 3] > out[PLANS + PLAN * best + 3]:
            if is_sure(out[at + 3], out[at + 4], worlds, _SURE):
                best = k
    _remember(own, n, worlds)
    return out[PLANS + PLAN * best]


@kernel
def _remember(own: Any, n: int, worlds: int) -> None:
    """Keep what the pairs are worth for the estimates of both cards."""
    own.memory[N_RATED] = n
    own.memory[PLAN_WORLDS] = worlds
    for k in range(n):
        for word in range(3):
            own.memory[RATED + 3 * k + word] = own.workspace[PLANS + PLAN * k + word]


@kernel
def _tell(view: Any, own: Any) -> None:
    """Leave the estimates of a card: those of the best pair with it and what is laid away."""
    out = own.workspace
    clear(out)
    out[1] = own.memory[PLAN_WORLDS]
    for k in range(own.memory[N_RATED]):
        at = RATED + 3 * k
        pair = own.memory[at]
        if view.discard & ~pair == 0:
            rest = pair & view.legal
            while rest:
                place = ESTIMATES + 3 * ctz(rest)
                rest &= rest - 1
                if out[place] == 0 or own.memory[at + 1] > out[place + 1]:
                    out[place] = 1
                    out[place + 1] = own.memory[at + 1]
                    out[place + 2] = own.memory[at + 2]


@outline
def choose_discard(view: Any, own: Any) -> int:
    """Plan the pair at the first card, keep it for the second."""
    if view.discard == 0:
        own.memory[N_RATED] = 0
        own.memory[PLANNED] = _plan(view, own)
    _tell(view, own)
    planned = own.memory[PLANNED] & view.legal
    if planned:
        return ctz(planned)
    forget(own)
    return ask_here(view, own)
