"""A bot that imagines the cards he does not see and asks the exact solver, or plays deals out.

Worlds are drawn from those that fit what he knows, likelier where ``expert`` would have called as
the others did. In a game and at misère each card is worth the mean, over the worlds, of what the
variant pays for the tricks that follow it with all cards open; at raspas, in the auction and at the
whist each action is played out by ``expert``, who sees no more than his player would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.kernel import i64, outline, u64
from sim.rng import splitmix
from sim.rollout import (
    TABLE,
    ask_here,
    calls_surprise,
    forget,
    play_action,
    price_tricks,
)
from sim.solver import MISERE_STRAIN, WORKSPACE, prepare, rate_cards
from sim.worlds import DISCARDED, MAX_DISCARDS, N_PLACES, draw_world, list_discards

from .api import (
    CARD,
    DISCARD,
    MISERE_GAME,
    N_HANDS,
    PASS_ALONG,
    POINTS,
    RASPAS,
    bot,
    ctz,
    kernel,
    popcount,
)
from .expert import OPTIONS as EXPERT_OPTIONS
from .expert import expert, study
from .study.environment import expert_weights
from .study.rows import CANDIDATE, STUDY

MAGIC = 0x5AD71CE
"""Stands first in the workspace where the decision was estimated."""
N_ACTIONS = 63
ESTIMATES = 2
"""Where the estimates stand, three words an action: rated, sum and sum of squares of its values in
twelfths over ``workspace[1]`` worlds."""
N_CARDS = 32

WORLD = max(STUDY, ESTIMATES + 3 * N_ACTIONS)
GAPS = WORLD + N_PLACES
"""Sums of squared differences to the policy's action, by action."""
PAIRS = GAPS + N_ACTIONS
PAYS = PAIRS + MAX_DISCARDS
RATES = PAYS + 11
TABLE_AT = RATES + N_CARDS
SOLVER = TABLE_AT + TABLE
N_WORKSPACE = SOLVER + WORKSPACE

PLANNED = 0
N_MEMORY = 1

OPTIONS = ("worlds", "rollouts", "raspas_worlds")
_DOUBT = 0.15
"""How likely a call is that ``expert`` would not have made."""
_TRIES = 12
"""Worlds drawn for one that is kept."""
_SURE = 2.0
_FEW = 12
"""Legal actions that are all compared where nothing is studied."""


def sampling_weights(rules: Any, options: Mapping[str, Any]) -> Any:
    """The weights of ``expert``, then the numbers of worlds."""
    numbers = [options[name] for name in OPTIONS]
    return np.append(expert_weights(rules, {**EXPERT_OPTIONS, **options}), numbers)


@kernel
def _option(own: Any, k: int) -> int:
    """An option that is a number: they stand last in the weights."""
    return int(own.weights[len(own.weights) - len(OPTIONS) + k])


@kernel
def _clear(out: Any) -> None:
    out[0] = MAGIC
    out[1] = 0
    for k in range(3 * N_ACTIONS):
        out[ESTIMATES + k] = 0


@kernel
def _add(out: Any, action: int, value: int) -> None:
    at = ESTIMATES + 3 * action
    out[at] = 1
    out[at + 1] += value
    out[at + 2] += value * value


@outline
def _draw(view: Any, own: Any, key: int) -> int:
    """Fill WORLD with a world that the calls make likely; 0 if none fits at all."""
    out = own.workspace
    world = out[WORLD : WORLD + N_PLACES]
    n = 0
    for k in range(_TRIES):
        n = draw_world(view, key, n, world)
        if n < 0:
            return 0
        surprises = calls_surprise(out, TABLE_AT, view, world, own, key)
        chance = 1.0
        for _ in range(surprises):
            chance *= _DOUBT
        word = i64(splitmix(key, n + 1000) >> u64(11))
        if word < chance * (1 << 53) or k == _TRIES - 1:
            return 1
    return 1


@kernel
def _table_card(view: Any, k: int) -> int:
    """The k-th card on the table after the leader's, -1 for none."""
    hand = view.leader
    for _ in range(N_HANDS):
        if view.trick_card[hand] >= 0:
            if k == 0:
                return view.trick_card[hand]
            k -= 1
        hand = 0 if hand == N_HANDS - 1 else hand + 1
    return -1


@kernel
def _rate(view: Any, own: Any, world: Any) -> None:
    """Add what each legal card is worth in a world with all cards open."""
    out = own.workspace
    strain = MISERE_STRAIN if view.kind == MISERE_GAME else view.strain
    h0 = world[0] if view.in_play & 1 else 0
    h1 = world[1] if view.in_play & 2 else 0
    h2 = world[2] if view.in_play & 4 else 0
    position = (
        strain,
        h0,
        h1,
        h2,
        view.declarer,
        view.leader,
        _table_card(view, 0),
        _table_card(view, 1),
    )
    values = out[RATES : RATES + N_CARDS]
    rate_cards(out[SOLVER:], position, values)
    taken = view.tricks[view.player_of[view.declarer]]
    out[1] += 1
    rest = view.legal
    while rest:
        card = ctz(rest)
        rest &= rest - 1
        _add(out, card, out[PAYS + taken + values[card]])


@outline
def _choose_in_game(view: Any, own: Any) -> int:
    """The card that is worth most over the worlds."""
    out = own.workspace
    _clear(out)
    prepare(out[SOLVER:])
    price_tricks(out, TABLE_AT, view, out[PAYS : PAYS + 11])
    pairs = out[PAIRS : PAIRS + MAX_DISCARDS]
    usual = _usual(view, own)
    n_pairs = list_discards(view, pairs)
    world = out[WORLD : WORLD + N_PLACES]
    if n_pairs > 0 and n_pairs <= MAX_DISCARDS:
        if draw_world(view, view.random, 0, world) < 0:
            return usual
        twelve = world[view.declarer] | world[DISCARDED]
        for k in range(n_pairs):
            world[view.declarer] = twelve & ~pairs[k]
            world[DISCARDED] = pairs[k]
            _rate(view, own, world)
        return _best(view, own, usual)
    for k in range(_option(own, 0)):
        key = i64(splitmix(view.random, k) >> u64(1))
        if _draw(view, own, key) == 0:
            return usual
        _rate(view, own, world)
        if k == 0 and _is_known(view):
            break
    return _best(view, own, usual)


@kernel
def _is_known(view: Any) -> bool:
    """Whether no other hand in play is hidden."""
    for hand in range(N_HANDS):
        if view.in_play >> hand & 1 and hand != view.mover and view.shown[hand] == 0:
            return False
    return True


@kernel
def _usual(view: Any, own: Any) -> int:
    """What the policy would do."""
    forget(own)
    return ask_here(view, own)


@kernel
def _best(view: Any, own: Any, usual: int) -> int:
    """The action worth most; of equals the one that the policy would take."""
    out = own.workspace
    best = usual
    most = out[ESTIMATES + 3 * usual + 1]
    rest = view.legal
    while rest:
        action = ctz(rest)
        rest &= rest - 1
        at = ESTIMATES + 3 * action
        if out[at] == 1 and out[at + 1] > most:
            best = action
            most = out[at + 1]
    return best


@kernel
def _best_beyond_doubt(own: Any, actions: int, usual: int) -> int:
    """The policy's action, unless another is better by ``_SURE`` standard errors: then the best of
    those."""
    out = own.workspace
    n = out[1]
    base = out[ESTIMATES + 3 * usual + 1]
    best = usual
    most = 0
    rest = actions & ~(1 << usual)
    while rest:
        action = ctz(rest)
        rest &= rest - 1
        gain = out[ESTIMATES + 3 * action + 1] - base
        if gain > most:
            mean = gain / n
            spread = out[GAPS + action] / n - mean * mean
            if mean * mean * n > _SURE * _SURE * spread:
                best = action
                most = gain
    return best


@outline
def _play_worlds(view: Any, own: Any, actions: int, usual: int, worlds: int) -> None:
    """Play each action of a mask out over the worlds, with the same cards and random words."""
    out = own.workspace
    _clear(out)
    for k in range(N_ACTIONS):
        out[GAPS + k] = 0
    world = out[WORLD : WORLD + N_PLACES]
    for k in range(worlds):
        key = i64(splitmix(view.random, k) >> u64(1))
        if _draw(view, own, key) == 0:
            return
        out[1] += 1
        base = 0
        rest = actions & ~(1 << usual)
        action = usual
        while action < N_ACTIONS:
            value = play_action(out, TABLE_AT, view, world, key, own, action, -1)
            _add(out, action, value)
            if action == usual:
                base = value
            out[GAPS + action] += (value - base) * (value - base)
            action = ctz(rest)
            rest &= rest - 1


@outline
def _choose_by_play(view: Any, own: Any, actions: int, worlds: int) -> int:
    usual = _usual(view, own)
    _play_worlds(view, own, actions | 1 << usual, usual, worlds)
    return _best_beyond_doubt(own, actions, usual)


@kernel
def _is_solvable(view: Any) -> bool:
    """Whether open cards say what a card is worth: not at raspas, where each plays for himself, nor
    with a hand that nobody decides for, nor where cards must be beaten."""
    if view.kind == RASPAS or view.rules.tricks_must_head + view.rules.tricks_must_overtrump > 0:
        return False
    for hand in range(N_HANDS):
        if view.in_play >> hand & 1 and view.decides_for[hand] < 0:
            return False
    return True


@kernel
def _candidates(view: Any, own: Any) -> int:
    """Mask of the actions worth comparing: those that ``expert`` studies, else all if few."""
    n = study(view, own)
    out = own.workspace
    actions = 0
    for k in range(n):
        actions |= 1 << out[1 + k * CANDIDATE]
    if n == 0 and popcount(view.legal) <= _FEW:
        return view.legal
    return actions


@outline
def _choose_discard(view: Any, own: Any) -> int:
    """The pair is planned at the first card, by playing out what each strain would lay away."""
    if view.discard == 0:
        own.memory[PLANNED] = _plan(view, own)
    planned = own.memory[PLANNED] & view.legal
    return ctz(planned if planned else view.legal)


@kernel
def _plan(view: Any, own: Any) -> int:
    """The policy's own plan: its first card, then what it adds to it."""
    return 0


@bot(
    memory=N_MEMORY,
    workspace=N_WORKSPACE,
    options={"tuned": "", "worlds": 24.0, "rollouts": 100.0, "raspas_worlds": 120.0},
    weights=sampling_weights,
    policy=expert,
)
def sampling(view: Any, own: Any) -> int:
    """Imagines worlds and asks the exact solver; worlds, rollouts, raspas_worlds = how many."""
    phase = view.phase
    if phase == CARD:
        if _is_solvable(view):
            return _choose_in_game(view, own)
        return _choose_by_play(view, own, view.legal, _option(own, 2))
    if phase == DISCARD or phase == PASS_ALONG or phase == POINTS:
        return ask_here(view, own)
    return _choose_by_play(view, own, _candidates(view, own), _option(own, 1))
