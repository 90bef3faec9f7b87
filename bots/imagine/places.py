"""Where things stand in the workspace and the memory of ``sampling``, and the sums of estimates."""

from __future__ import annotations

from typing import Any

from sim.rollout import TABLE
from sim.solver import WORKSPACE
from sim.worlds import MAX_DISCARDS, N_PLACES

from ..api import ctz, kernel
from ..expert import N_WORDS
from ..study.rows import STUDY
from ..study.standing import WORDS

MAGIC = 0x5AD71CE
"""Stands first in the workspace where the decision was estimated."""
N_ACTIONS = 63
ESTIMATES = 2
"""Where the estimates stand, three words an action: rated, sum and sum of squares of its values in
twelfths over ``workspace[1]`` worlds."""
N_CARDS = 32
N_PAYS = 11
"""A declarer takes 0..10 tricks."""

WORLD = max(STUDY, WORDS, ESTIMATES + 3 * N_ACTIONS)
BEST = WORLD + N_PLACES
"""The best world tried so far."""
GAPS = BEST + N_PLACES
"""Sums of squared differences to the policy's action, by action."""
TRICKS_SUM = GAPS + N_ACTIONS
"""Sums of the tricks of one's own side, by action."""
PAIRS = TRICKS_SUM + N_ACTIONS
PAYS = PAIRS + MAX_DISCARDS
RATES = PAYS + N_PAYS
MOST_PLANS = 32
PLAN = 5
"""Words of a pair that may be laid away: its cards, sum and sum of squares of its values, sum and
sum of squares of the differences to the first pair."""
PLANS = RATES + N_CARDS
TABLE_AT = PLANS + PLAN * MOST_PLANS
SOLVER = TABLE_AT + TABLE
N_WORKSPACE = SOLVER + WORKSPACE

MOST_RATED = 6
"""Pairs to lay away that are rated to the end."""
PLANNED, PLAN_WORLDS, N_RATED, STAMP, N_KEPT = range(N_WORDS, N_WORDS + 5)
"""Words of memory behind those of ``expert``: two cards to lay away, over how many worlds they were
rated, how many pairs were; the deal (from 1) whose worlds are kept, and how many."""
RATED = N_KEPT + 1
"""The pairs, with sum and sum of squares of their values."""
KEPT = RATED + 3 * MOST_RATED
MOST_KEPT = 128
N_MEMORY = KEPT + N_PLACES * MOST_KEPT

OPTIONS = ("worlds", "rollouts", "raspas_worlds")
WORLDS, ROLLOUTS, RASPAS_WORLDS = range(3)


@kernel
def option(own: Any, k: int) -> int:
    """An option that is a number: they stand last in the weights."""
    return int(own.weights[len(own.weights) - len(OPTIONS) + k])


@kernel
def clear(out: Any) -> None:
    """Begin the estimates of a decision."""
    out[0] = MAGIC
    out[1] = 0
    for k in range(3 * N_ACTIONS):
        out[ESTIMATES + k] = 0
    for k in range(N_ACTIONS):
        out[GAPS + k] = 0
        out[TRICKS_SUM + k] = 0


@kernel
def add(out: Any, action: int, value: int, times: int) -> None:
    """Add the value of an action in a world that counts so many times."""
    at = ESTIMATES + 3 * action
    out[at] = 1
    out[at + 1] += times * value
    out[at + 2] += times * value * value


@kernel
def best_action(out: Any, actions: int, usual: int) -> int:
    """The action worth most; of equals by tricks, then ``usual``, then the lowest."""
    best = usual
    most = out[ESTIMATES + 3 * usual + 1]
    tricks = out[TRICKS_SUM + usual]
    rest = actions
    while rest:
        action = ctz(rest)
        rest &= rest - 1
        value = out[ESTIMATES + 3 * action + 1]
        better = value == most and out[TRICKS_SUM + action] > tricks
        if out[ESTIMATES + 3 * action] == 1 and (value > most or better):
            best = action
            most = value
            tricks = out[TRICKS_SUM + action]
    return best


@kernel
def is_sure(gain: int, squares: int, n: int, sure: float) -> bool:
    """Whether a mean gain over ``n`` worlds is more than so many standard errors."""
    mean = gain / n
    spread = squares / n - mean * mean
    return gain > 0 and mean * mean * n > sure * sure * spread


@kernel
def best_beyond_doubt(out: Any, actions: int, usual: int, sure: float) -> int:
    """The policy's action, unless others are better by ``sure`` standard errors: then the best."""
    base = out[ESTIMATES + 3 * usual + 1]
    best = usual
    most = 0
    rest = actions & ~(1 << usual)
    while rest:
        action = ctz(rest)
        rest &= rest - 1
        gain = out[ESTIMATES + 3 * action + 1] - base
        if gain > most and is_sure(gain, out[GAPS + action], out[1], sure):
            best = action
            most = gain
    return best
