"""A bot that leaves estimates of its decision in its workspace, of four worlds."""

from __future__ import annotations

from typing import Any

from bots.api import bot

WORLDS = 4
WHIST = 12


@bot(workspace=2 + 3 * 63)
def estimating(view: Any, own: Any) -> int:
    """Likes high numbers: in world w an action is worth its number and w whists; rates no pass."""
    best = 0
    own.workspace[0] = 0x5AD71CE
    own.workspace[1] = WORLDS
    for action in range(63):
        start = 2 + 3 * action
        own.workspace[start] = 0
        if view.legal >> action & 1:
            best = action
            own.workspace[start] = 1 if action > 0 else 0
            own.workspace[start + 1] = 0
            own.workspace[start + 2] = 0
            for world in range(WORLDS):
                value = WHIST * (action + world)
                own.workspace[start + 1] += value
                own.workspace[start + 2] += value * value
    return best
