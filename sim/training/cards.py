"""Weights of a card policy from self-play: the cards that bring most on the cards as they lie.

A policy scores each legal card by the sum of the weights of what is said of it (bits of a mask) in
a context. The weights are those of the least regret that a softmax of the scores expects, found by
gradient descent from the weights they start at; the next round plays with them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from scoring.errors import WrongUse
from scoring.result import UNIT
from scoring.variant import find_variant

from ..botcall import Bot
from ..cards import HAND_SIZE
from .kernels.card_rows import CONTEXT, MASKS, N_SAID, TRICKS_AT, VALUES_AT, Noter

N_BITS = 64
"""Bits of a mask, and weights of a context."""
THOUSANDTHS = 1000
"""A weight is kept in whole thousandths."""
_FAR = -1e9
_BATCH = 1024
_AVERAGED = 0.7
"""The weights of the last steps, from this part on, are averaged."""
_FEWEST = 200
"""Decisions of a context that are worth a fit."""

Array = np.ndarray[Any, np.dtype[Any]]
WeightsFor = Callable[[Array, Array], Array]
"""Packed rules and card weights to the weights of the bot that plays."""
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Recipe:
    """``tables`` are variants, players and deals of a shard; ``rate`` in a thousand decisions are
    noted; every ``hold_out``-th decision is kept from the fit and tells its regret."""

    tables: tuple[tuple[str, int, int], ...]
    seed: int = 1
    rounds: int = 2
    shards: int = 3
    rate: int = 150
    steps: int = 300
    pace: float = 0.05
    ridge: float = 20.0
    hold_out: int = 8


FULL = Recipe(
    (
        ("sochi", 3, 24000),
        ("rostov", 3, 12000),
        ("classic_two", 2, 6000),
        ("gusarik", 2, 3000),
        ("refet", 3, 12000),
        ("razboinik", 2, 1500),
    )
)
QUICK = replace(
    FULL, tables=tuple((name, n, 200) for name, n, _ in FULL.tables), rounds=1, shards=1, steps=60
)
"""For a try: the same steps, in seconds."""


@dataclass(frozen=True)
class Regret:
    """What a context loses a decision on the decisions held out, in the unit of its labels: with
    cards at random, with the weights at the start, with the fitted ones."""

    context: int
    decisions: int
    random: float
    before: float
    fitted: float


@dataclass(frozen=True)
class Policy:
    """The policy to be trained: the bot that plays, its study, how its weights are made, the names
    of the contexts, and what a trick and a whist count in the labels of each [context, 2]."""

    bot: Bot
    study: Any
    weights_for: WeightsFor
    contexts: Sequence[str]
    worth: Array


def _shard(policy: Policy, recipe: Recipe, weights: Array, table: int, shard: int) -> Array:
    name, n, deals = recipe.tables[table]
    rules = find_variant(name).rules(n)
    noter = Noter(rules, policy.bot, policy.study, policy.weights_for(rules, weights))
    return noter.rows(recipe.seed, shard * deals, (shard + 1) * deals, recipe.rate)


def _kept(path: Path | None, make: Callable[[], Array]) -> Array:
    """An array from its file, or made and written there whole."""
    if path is not None and path.is_file():
        return np.array(np.load(path))
    rows = make()
    if path is not None:
        half = path.with_suffix(".partial.npy")
        np.save(half, rows)
        os.replace(half, path)
    return rows


def note_round(
    policy: Policy, recipe: Recipe, weights: Array, turn: int, work: Path | None
) -> Array:
    """The decisions of a round; each shard is kept in the folder ``work``, if there is one."""
    from tqdm import tqdm

    if work is not None:
        try:
            work.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUse(f"{work} cannot be made: {error.strerror}") from None
    jobs = [(table, shard) for table in range(len(recipe.tables)) for shard in range(recipe.shards)]
    played_by = hashlib.sha256(weights.tobytes()).hexdigest()[:10]
    parts = []
    for table, shard in tqdm(jobs, desc=f"round {turn + 1}: cards", unit="shard", disable=None):
        name, n, deals = recipe.tables[table]
        first = turn * recipe.shards + shard
        file = f"{name}-{n}-{deals}-{recipe.rate}-{recipe.seed}-{first}-{played_by}.npy"
        path = None if work is None else work / file
        parts.append(_kept(path, partial(_shard, policy, recipe, weights, table, first)))
    return np.concatenate(parts)


def bits_of(masks: Array) -> Array:
    """Masks as vectors of 0 and 1."""
    words = np.ascontiguousarray(masks, "<i8").view(np.uint8).reshape(*masks.shape, 8)
    return np.unpackbits(words, axis=-1, bitorder="little").astype(np.float32)


def regrets_of(rows: Array, worth: Array) -> tuple[Array, Array]:
    """[decision, card]: which cards there are, and what each gives away against the best."""
    there = np.arange(HAND_SIZE) < rows[:, N_SAID, None]
    scale = worth[rows[:, CONTEXT]]
    labels = scale[:, :1] * rows[:, TRICKS_AT : TRICKS_AT + HAND_SIZE]
    labels = labels + scale[:, 1:] * rows[:, VALUES_AT : VALUES_AT + HAND_SIZE] / UNIT
    labels = np.where(there, labels, _FAR)
    return there, np.where(there, labels.max(axis=1, keepdims=True) - labels, 0.0)


def _chosen(bits: Array, there: Array, regrets: Array, weights: Array) -> float:
    """The mean regret of the cards of the highest scores, rounded as they are kept."""
    kept = np.rint(THOUSANDTHS * weights)
    scores = np.where(there, bits @ kept.astype(np.float64), _FAR * THOUSANDTHS)
    return float(regrets[np.arange(len(bits)), scores.argmax(axis=1)].mean())


def _descend(
    bits: Array, there: Array, regrets: Array, start: Array, recipe: Recipe, seed: int
) -> Array:
    """The weights of the least expected regret, and a ridge towards those at the start (Adam)."""
    chance = np.random.default_rng(seed)
    n = len(bits)
    weights, slope, square = start.copy(), np.zeros(N_BITS), np.zeros(N_BITS)
    total, count = np.zeros(N_BITS), 0
    for step in range(1, recipe.steps + 1):
        at = chance.integers(0, n, _BATCH) if n > _BATCH else np.arange(n)
        some = bits[at]
        scores = np.where(there[at], some @ weights.astype(np.float32), _FAR)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = scores / scores.sum(axis=1, keepdims=True)
        expected = (chances * regrets[at]).sum(axis=1, keepdims=True)
        pull = (chances * (regrets[at] - expected)).astype(np.float32)
        gradient = pull.ravel() @ some.reshape(-1, N_BITS) / len(at)
        gradient = gradient + recipe.ridge / n * (weights - start)
        slope = 0.9 * slope + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient * gradient
        pace = recipe.pace * (1 - 0.9 * step / recipe.steps)
        size = np.sqrt(square / (1 - 0.99**step)) + 1e-4
        weights = weights - pace * slope / (1 - 0.9**step) / size
        if step > _AVERAGED * recipe.steps:
            total += weights
            count += 1
    return total / count


def fit_weights(
    rows: Array, start: Array, policy: Policy, recipe: Recipe
) -> tuple[Array, list[Regret]]:
    """Card weights [context, N_BITS] from noted decisions, and the regret of each context.

    A context that the fit does not make better, or that has few decisions, keeps its weights.
    """
    from tqdm import tqdm

    weights = start.copy()
    told = []
    there, regrets = regrets_of(rows, policy.worth)
    held = np.arange(len(rows)) % recipe.hold_out == 0
    for context in tqdm(range(len(policy.contexts)), desc="fit", unit="context", disable=None):
        mine = np.flatnonzero(rows[:, CONTEXT] == context)
        if len(mine) < _FEWEST:
            continue
        bits = bits_of(rows[mine, MASKS : MASKS + HAND_SIZE])
        own, other = held[mine], ~held[mine]
        to_fit = bits[other], there[mine][other], regrets[mine][other]
        seed = recipe.seed + context
        found = _descend(*to_fit, start[context], recipe, seed)
        if _chosen(*to_fit, found) < _chosen(*to_fit, start[context]):
            weights[context] = found
        if own.any():
            kept_out = bits[own], there[mine][own], regrets[mine][own]
            any_card = kept_out[2].sum(axis=1) / kept_out[1].sum(axis=1)
            before, after = (_chosen(*kept_out, w) for w in (start[context], weights[context]))
            told.append(Regret(context, len(mine), float(any_card.mean()), before, after))
    return weights, told


def train(
    policy: Policy, start: Array, recipe: Recipe, work: Path | None, tell: Tell
) -> tuple[Array, list[Regret]]:
    """Rounds of self-play and fits; the weights and the regrets of the last round.

    Every round starts its fit from ``start`` and uses the decisions of all rounds but the first,
    whose bot played by other weights than those that are wanted.
    """
    weights, told = start, list[Regret]()
    rows: list[Array] = []
    for turn in range(recipe.rounds):
        rows.append(note_round(policy, recipe, weights, turn, work))
        used = rows if len(rows) == 1 else rows[1:]
        weights, told = fit_weights(np.concatenate(used), start, policy, recipe)
        tell(tell_regrets(told, policy.contexts, rows=5))
    return weights, told


def judge(
    policy: Policy, start: Array, weights: Array, recipe: Recipe, seed: int
) -> tuple[int, float, float, float]:
    """Decisions of a small set of deals of their own, and what is lost in each of them: by cards at
    random, by the weights at the start, and by these, which play all seats."""
    parts = [
        _shard(policy, replace(recipe, seed=seed), weights, table, 0)
        for table in range(len(recipe.tables))
    ]
    rows = np.concatenate(parts)
    there, regrets = regrets_of(rows, policy.worth)
    lost = np.zeros((3, len(rows)))
    lost[0] = regrets.sum(axis=1) / there.sum(axis=1)
    for row, context in enumerate(rows[:, CONTEXT]):
        bits = bits_of(rows[row : row + 1, MASKS : MASKS + HAND_SIZE])
        for k, given in enumerate((start, weights)):
            lost[1 + k, row] = _chosen(
                bits, there[row : row + 1], regrets[row : row + 1], given[context]
            )
    random, before, fitted = lost.mean(axis=1).tolist()
    return len(rows), random, before, fitted


def mean_regrets(told: Sequence[Regret]) -> tuple[float, float, float]:
    """Random, before and fitted over all contexts, by their decisions."""
    total = max(1, sum(one.decisions for one in told))
    random, before, fitted = (
        sum(one.decisions * getattr(one, name) for one in told) / total
        for name in ("random", "before", "fitted")
    )
    return random, before, fitted


def tell_regrets(told: Sequence[Regret], contexts: Sequence[str], rows: int) -> str:
    """The mean regrets, and the contexts that lose most."""
    worst = sorted(told, key=lambda one: -one.decisions * one.fitted)[:rows]
    lines = [
        "regret a decision: random {:.3f}, before {:.3f}, fitted {:.3f}".format(*mean_regrets(told))
    ]
    lines += [
        f"  {contexts[one.context]:40} {one.decisions:8} {one.random:7.3f} {one.before:7.3f} "
        f"{one.fitted:7.3f}"
        for one in worst
    ]
    return "\n".join(lines)
