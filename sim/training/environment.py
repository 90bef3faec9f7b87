"""The environment of a variant: how all players answer each other when each prices what he can do.

Rounds of self-play. In each, decisions are explored and their values fitted; the coefficients then
move a part of the way to the fitted ones, less and less, so that the players' answers to each other
settle instead of chasing one another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .coefficients import Floats, Ints, fit_rows
from .explore import Explorer
from .student import Student

STEPS = (0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.15, 0.1)
"""What part of the way the coefficients move, by round."""
ROUGH = 0.4
"""Rounds with a step of so much or more explore a quarter of the deals: they only find the way."""
_PARTS = 2
"""Ranges of deals explored side by side; fixed, so that nothing depends on the machine."""


def explore_round(
    student: Student, rules: Any, rows: Floats, seed: int, deals: int, plain: bool = False
) -> Ints:
    """The samples of one round, all seats playing by these coefficients."""
    weights = student.weights(rules, rows)
    explorer = Explorer(rules, student.bot, student.study, rows.shape[1], weights)
    bounds = [deals * k // _PARTS for k in range(_PARTS + 1)]

    def part(k: int) -> Ints:
        return explorer.samples(seed, bounds[k], bounds[k + 1], plain)

    with ThreadPoolExecutor(_PARTS) as pool:
        parts = list(pool.map(part, range(_PARTS)))
    groups = 0
    for samples in parts:
        samples[:, 0] += groups
        groups = int(samples[-1, 0]) + 1 if len(samples) else groups
    return np.concatenate(parts)


def tune(
    student: Student,
    rules: Any,
    start: Floats,
    seed: int,
    deals: int,
    steps: Sequence[float] = STEPS,
    on_round: Callable[[int, Floats], None] | None = None,
) -> Floats:
    """The coefficients after as many rounds as there are steps, ``deals`` explored in each of the
    last."""
    rows = start.copy()
    for k, step in enumerate(steps):
        explored = deals // 4 if step >= ROUGH else deals
        samples = explore_round(student, rules, rows, seed + k, explored)
        fitted, _ = fit_rows(samples, student.blocks, student.believed, rows, student.grain)
        rows += step * (fitted - rows)
        if on_round is not None:
            on_round(k, rows)
    return rows
