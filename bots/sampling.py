"""A bot that imagines the cards he does not see and asks the exact solver, or plays deals out.

Worlds are drawn from those that fit what he knows, likelier where ``expert`` would have done as the
others did. In a game and at misère each card is worth the mean, over the worlds, of what the
variant pays for the tricks that follow it with all cards open; at raspas, for the discard, in the
auction and at the whist each action is played out by ``expert``, who sees no more than his player
would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.rollout import ask_here, forget

from .api import CARD, DISCARD, PASS_ALONG, POINTS, bot, kernel, popcount
from .expert import OPTIONS as EXPERT_OPTIONS
from .expert import expert, study
from .imagine.discards import choose_discard
from .imagine.games import choose_in_game, is_solvable
from .imagine.places import N_MEMORY, N_WORKSPACE, OPTIONS, RASPAS_WORLDS, ROLLOUTS, option
from .imagine.playouts import choose_by_play
from .study.environment import expert_weights
from .study.rows import CANDIDATE

_SURE = 2.0
_SURE_OF_CARDS = 1.0
_FEW = 12
"""Legal actions that are all compared where nothing is studied."""


def sampling_weights(rules: Any, options: Mapping[str, Any]) -> Any:
    """The weights of ``expert``, then the numbers of worlds."""
    numbers = [options[name] for name in OPTIONS]
    return np.append(expert_weights(rules, {**EXPERT_OPTIONS, **options}), numbers)


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


@bot(
    memory=N_MEMORY,
    workspace=N_WORKSPACE,
    options={"tuned": "", "worlds": 24.0, "rollouts": 100.0, "raspas_worlds": 200.0},
    weights=sampling_weights,
    policy=expert,
)
def sampling(view: Any, own: Any) -> int:
    """Imagines worlds and asks the exact solver; worlds, rollouts, raspas_worlds = how many."""
    phase = view.phase
    if phase == CARD:
        if is_solvable(view):
            return choose_in_game(view, own)
        return choose_by_play(view, own, view.legal, option(own, RASPAS_WORLDS), _SURE_OF_CARDS)
    if phase == DISCARD or phase == PASS_ALONG:
        return choose_discard(view, own)
    if phase == POINTS:
        own.workspace[0] = 0
        forget(own)
        return ask_here(view, own)
    return choose_by_play(view, own, _candidates(view, own), option(own, ROLLOUTS), _SURE)
