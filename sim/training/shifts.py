"""Whether it pays to be bolder: thresholds of one seat shifted, the others as they are.

At a fixpoint no shift of one player's threshold gains anything. A seat plays with shifted constants
against the stored coefficients over the same deals, each seat over its part of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.result import UNIT

from ..engine import Shard
from .student import Floats, Student

SHIFTS = (-0.5, -0.25, 0.25, 0.5)
"""In units of a made six."""
_THREADS = 2


@dataclass(frozen=True)
class Gain:
    """What a shift of a threshold wins a deal for the seat that does it, in whists, with its
    standard error."""

    threshold: str
    shift: float
    mean: float
    error: float


def _bounds(deals: int, players: int) -> list[tuple[int, int]]:
    """The deals in which each seat is the one that shifts."""
    return [(deals * k // players, deals * (k + 1) // players) for k in range(players)]


def _values(
    student: Student, rules: Any, seats: list[Floats], seed: int, part: tuple[int, int]
) -> Any:
    bots = [student.bot] * len(seats)
    first, last = part
    return Shard(rules, bots, seed, first, last, 1, weights=seats).run().deals["value"]


def shifted(rows: Floats, which: Sequence[int], shift: float) -> Floats:
    """Coefficients with the constants of these rows moved."""
    moved = rows.copy()
    moved[list(which), 0] += shift
    return moved


def shift_gains(
    student: Student,
    rules: Any,
    rows: Floats,
    seed: int,
    deals: int,
    shifts: Sequence[float] = SHIFTS,
) -> list[Gain]:
    """The gain of each shift of each threshold over so many deals, all seats together."""
    players = int(rules["n_players"][0])
    own = student.weights(rules, rows)
    bounds = _bounds(deals, players)
    usual = _values(student, rules, [own] * players, seed, (0, deals))
    stored = [usual[first:last, k] for k, (first, last) in enumerate(bounds)]

    def gain(job: tuple[str, list[int], float]) -> Gain:
        name, which, shift = job
        other = student.weights(rules, shifted(rows, which, shift))
        won = []
        for k, part in enumerate(bounds):
            seats = [other if seat == k else own for seat in range(players)]
            won.append(_values(student, rules, seats, seed, part)[:, k] - stored[k])
        paired = np.concatenate(won) / UNIT
        return Gain(name, shift, float(paired.mean()), float(paired.std() / len(paired) ** 0.5))

    thresholds = student.thresholds(rules)
    jobs = [(name, which, shift) for name, which in thresholds.items() for shift in shifts]
    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(gain, jobs))


def largest(gains: Sequence[Gain]) -> Gain:
    return max(gains, key=lambda one: one.mean)


def format_gains(gains: Sequence[Gain]) -> str:
    """A table: thresholds by shifts, gains with standard errors in whists a deal."""
    from scoring.tables import format_table

    shifts = sorted({one.shift for one in gains})
    found = {(one.threshold, one.shift): one for one in gains}
    rows = [["threshold", *(f"{shift:+.2f}" for shift in shifts)]]
    for name in dict.fromkeys(one.threshold for one in gains):
        told = [found[name, shift] for shift in shifts]
        rows.append([name, *(f"{one.mean:+.3f} ± {one.error:.3f}" for one in told)])
    return format_table(rows)
