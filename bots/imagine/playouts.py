"""Actions played out by the policy, which sees no more than its player would."""

from __future__ import annotations

from typing import Any

from scoring.kernel import i64, outline, u64
from sim.rng import splitmix
from sim.rollout import ask_here, forget, play_action
from sim.worlds import N_PLACES

from ..api import ctz
from .guesses import recall, world_of
from .places import GAPS, N_ACTIONS, TABLE_AT, WORLD, add, best_beyond_doubt, clear


@outline
def _play_worlds(view: Any, own: Any, actions: int, usual: int, worlds: int) -> None:
    """Play each action of a mask out over the worlds, with the same cards and random words."""
    out = own.workspace
    clear(out)
    recall(view, own)
    world = out[WORLD : WORLD + N_PLACES]
    for k in range(worlds):
        key = i64(splitmix(view.random, k) >> u64(1))
        if world_of(view, own, k, key) == 0:
            return
        out[1] += 1
        base = 0
        rest = actions & ~(1 << usual)
        action = usual
        while action < N_ACTIONS:
            value = play_action(out, TABLE_AT, view, world, key, own, action, -1)
            add(out, action, value, 1)
            if action == usual:
                base = value
            out[GAPS + action] += (value - base) * (value - base)
            action = ctz(rest)
            rest &= rest - 1


@outline
def choose_by_play(view: Any, own: Any, actions: int, worlds: int, sure: float) -> int:
    """The policy's action, unless another turns out better beyond doubt."""
    forget(own)
    usual = ask_here(view, own)
    if actions & ~(1 << usual) == 0:
        own.workspace[0] = 0
        return usual
    _play_worlds(view, own, actions | 1 << usual, usual, worlds)
    if own.workspace[1] == 0:
        return usual
    return best_beyond_doubt(own.workspace, actions, usual, sure)
