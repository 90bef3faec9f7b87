"""Stage ``cards``: the policy of cards, from rounds of self-play (``cards``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from .cards import (
    QUICK,
    THOUSANDTHS,
    Array,
    Policy,
    Recipe,
    Regret,
    fit_weights,
    judge,
    note_round,
    tell_regrets,
    train,
)
from .student import Student

JUDGED_SEED = 1001


def card_policy(student: Student, first: bool = False) -> Policy:
    """What is trained; in the ``first`` round cards are judged by open tricks alone."""
    return Policy(
        student.card_player,
        student.card_study,
        student.card_weights,
        student.card_contexts,
        student.card_worth(first),
    )


def judged(student: Student, weights: Array) -> list[float]:
    """Decisions and regrets of the weights in a small set of deals (``judge``)."""
    kept = np.rint(THOUSANDTHS * weights) / THOUSANDTHS
    found = judge(card_policy(student), student.card_start, kept, QUICK, JUDGED_SEED)
    return [round(x, 4) for x in found]


def fit_cards(
    student: Student, recipe: Recipe, work: Path | None, say: Callable[[str], None]
) -> dict[str, Any]:
    """The weights as a file tells them, with the regret of each context."""
    folder = None if work is None else work / "cards"
    start, told = student.card_start, list[Regret]()
    first = card_policy(student, first=True)
    weights, _ = train(first, start, replace(recipe, rounds=1), folder, say)
    policy = card_policy(student)
    for turn in range(1, max(2, recipe.rounds)):
        rows = note_round(policy, recipe, weights, turn, folder)
        weights, told = fit_weights(rows, start, policy, recipe)
    say(tell_regrets(told, policy.contexts, rows=5))
    return {
        "what": "weights of what is said of a card, by context; thousandths",
        "recipe": asdict(recipe),
        "judged": judged(student, weights),
        "regret": {
            policy.contexts[one.context]: [
                one.decisions,
                *(round(x, 4) for x in (one.random, one.before, one.fitted)),
            ]
            for one in told
        },
        "weights": student.tell_cards(np.rint(THOUSANDTHS * weights).ravel()),
    }
