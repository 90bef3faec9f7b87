"""Stage ``closed``: what played games make of the tables, and the tables of the defence.

A declarer plays his best contract by ``play_*``, met in three ways; and the bot bids itself, both
whist, and its overtricks are counted from each defender's hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.contract import N_STRAINS, TRICKS
from scoring.result import WHISTED

from ..botcall import Bot
from ..state import CLOSED, N_HANDS, OPENED
from .fits import (
    Array,
    add_up,
    columns_of,
    outcome_counts,
    outcomes,
    predict,
    solve,
    split_table,
    suit_columns,
    whole_table,
)
from .kernels.hands import N_ENTRIES, N_MASKS, POSITION, count_strains, lay_away
from .kernels.scripted import (
    BOTH_WHIST,
    CODE,
    DECLARER,
    FIRST_WHISTS,
    FREE,
    LAID,
    N_SCRIPT,
    NUMBER,
    OPENS,
    SECOND_WHISTS,
    WHISTERS,
    Stage,
)
from .labels import draw
from .recipe import Recipe, digest_of
from .shards import Parts, Workshop, split
from .tables import ROUNDS, Errors, Tables

BOTH, LONE_CLOSED, LONE_OPEN = range(3)
WAYS = ("both", "lone_closed", "lone_open")
"""How a contract is met."""
MARGIN = 0.3
"""Tricks above its level that a contract is to promise."""
ODD_ONE = 10
"""One deal in so many is played in a strain that goes round."""
CLOSED_RIDGE = 100.0
"""Of what played games add to tables of open cards."""
N_MARGINS, SPAN, FEWEST = 9, 5, 500
"""What two passes say: margins -1 .. 1 tricks in quarters, overtricks -SPAN .. SPAN, games that
tell."""

Rules = Sequence[Array]


def closed_shard(key: int, n: int, rules: Array, bot: Bot, bid: Array, play: Array) -> Parts:
    """Hands ``before`` the talon and as ``kept``, ``strain``, ``position``, and ``tricks`` of the
    declarer by way, -1 where the rules did not allow it; ``best`` tells a chosen strain."""
    numbers, hands = draw(key, n)
    turn = np.arange(n)
    position = _declarers(bid, hands)
    before = hands[turn, position]
    kept, expected = np.zeros((n, N_STRAINS), np.int64), np.zeros((n, N_STRAINS))
    lay_away(play, before | hands[:, 3], position, kept, expected)
    best = expected.argmax(axis=1)
    strain = np.where(turn % ODD_ONE == 0, turn // ODD_ONE % N_STRAINS, best)
    kept, expected = kept[turn, strain], expected[turn, strain]
    level = np.clip((expected - MARGIN).astype(np.int64), 6, 10)
    script = np.full((n, N_SCRIPT), FREE, np.int64)
    script[:, NUMBER], script[:, DECLARER] = numbers, position
    script[:, LAID], script[:, CODE] = (before | hands[:, 3]) & ~kept, 5 * (level - 6) + strain
    stage = Stage(rules, bot)
    tricks = np.stack([_played(stage, key, script, way) for way in range(len(WAYS))], axis=1)
    return {
        "before": before,
        "kept": kept,
        "strain": strain,
        "position": position,
        "best": strain == best,
        "tricks": tricks,
    }


def _declarers(bid: Array, hands: Array) -> Array:
    """The hand that declares: in one deal of two the one that would bid highest, else any in turn.

    Who declares has mostly bid highest, but does not know it when he bids first.
    """
    turn = np.arange(len(hands))
    most = np.zeros((len(hands), N_HANDS))
    expected = np.zeros((len(hands), N_STRAINS))
    for hand in range(N_HANDS):
        count_strains(bid, hands[:, hand].copy(), np.full(len(hands), hand), expected)
        most[:, hand] = expected.max(axis=1)
    return np.where(turn % 2 == 0, turn // 2 % N_HANDS, most.argmax(axis=1))


def _played(stage: Stage, key: int, script: Array, way: int) -> Array:
    """Tricks of the declarers of a script met in one way, -1 where it was not."""
    turn = np.arange(len(script))
    lone = np.where(turn % 2 == 0, FIRST_WHISTS, SECOND_WHISTS)
    script[:, WHISTERS] = BOTH_WHIST if way == BOTH else lone
    script[:, OPENS] = OPENED if way == LONE_OPEN else CLOSED
    rows = stage.play(key, script)
    whisters = (rows["decision"] == WHISTED).sum(axis=1)
    as_told = (rows["kind"] == TRICKS) & (rows["played"] == 1)
    as_told &= whisters == (2 if way == BOTH else 1)
    return np.where(as_told, rows["tricks"][turn, rows["declarer"]], -1)


def defence_shard(key: int, n: int, rules: Array, bot: Bot) -> Parts:
    """Games that the bot bid and both whisted: ``hands`` [n, 4], ``declarer`` (a hand), ``level``,
    ``strain``, ``tricks``."""
    numbers, hands = draw(key, n)
    script = np.full((n, N_SCRIPT), FREE, np.int64)
    script[:, NUMBER], script[:, WHISTERS] = numbers, BOTH_WHIST
    rows = Stage(rules, bot).play(key, script)
    chosen = (rows["kind"] == TRICKS) & (rows["played"] == 1)
    chosen &= (rows["decision"] == WHISTED).sum(axis=1) == 2
    rows, hands = rows[chosen], hands[chosen]
    declarer = (rows["declarer"] - rows["dealer"] - 1) % N_HANDS
    tricks = rows["tricks"][np.arange(len(rows)), rows["declarer"]]
    return {
        "hands": hands,
        "declarer": declarer,
        "level": rows["level"],
        "strain": rows["strain"],
        "tricks": tricks,
    }


def closed_games(
    recipe: Recipe, shop: Workshop, rules: Rules, bot: Bot, tables: Tables
) -> list[Parts]:
    bid, play = whole_table("open_bid", tables), whole_table("open_play", tables)
    digest = digest_of(recipe.as_json(), bot.name, bot.digest, bid.tolist(), play.tolist())

    def make(k: int, key: int) -> Parts:
        return closed_shard(key, recipe.shard, rules[k % len(rules)], bot, bid, play)

    return shop.shards("closed", recipe.closed, digest, make)


def defence_games(recipe: Recipe, shop: Workshop, rules: Rules, bot: Bot) -> list[Parts]:
    digest = digest_of(recipe.as_json(), bot.name, bot.digest)

    def make(k: int, key: int) -> Parts:
        return defence_shard(key, recipe.shard, rules[k % len(rules)], bot)

    return shop.shards("defence", recipe.defence, digest, make)


def fit_declarer(
    recipe: Recipe, shop: Workshop, rules: Rules, bot: Bot, tables: Tables
) -> tuple[Tables, Errors]:
    """The declarer's tables corrected, and his outcomes by the way he is met."""
    games = closed_games(recipe, shop, rules, bot, tables)
    part, held = split(games, recipe.hold_out)
    found: Tables = {}
    errors: Errors = {}
    for when in ("play", "bid"):
        prior = whole_table(f"open_{when}", tables)
        table = _corrected(prior, part, when)
        found |= split_table(when, table)
        columns, column_held = _columns(table, part, when), _columns(table, held, when)
        errors[f"{when}_open_cards_mean"] = _errors(prior, column_held, held, BOTH)[0]
        for way, word in enumerate(WAYS):
            mean, spread = _errors(table, column_held, held, way)
            errors |= {f"{when}_{word}_mean": mean, f"{when}_{word}_sd": spread}
            counts = _counts(table, columns, part, way)
            if when == "play":
                found[f"{word}_outcome"] = outcomes(counts)
            if way == BOTH:
                found[f"{when}_outcome"] = outcomes(counts)
    return found, errors


def _columns(table: Array, part: Parts, when: str) -> Array:
    """Columns of the hands: in the strain that was played, and before the talon in the strain that
    is then the best."""
    if when == "play":
        return columns_of(part["kept"], part["strain"], part["position"])
    every = np.zeros((len(part["before"]), N_STRAINS))
    for strain in range(N_STRAINS):
        columns = columns_of(part["before"], np.full(len(every), strain), part["position"])
        every[:, strain] = predict(table, columns)
    return columns_of(part["before"], every.argmax(axis=1), part["position"])


def _met(part: Parts, way: int) -> Array:
    """Games in the strain chosen that were met in this way."""
    return np.asarray(part["best"] & (part["tricks"][:, way] >= 0))


def _counts(table: Array, columns: Array, part: Parts, way: int) -> Array:
    met = _met(part, way)
    return outcome_counts(predict(table, columns[met]), part["tricks"][met, way])


def _errors(table: Array, columns: Array, part: Parts, way: int) -> tuple[float, float]:
    """Mean and SD of the tricks more than expected."""
    met = _met(part, way)
    residual = part["tricks"][met, way] - predict(table, columns[met])
    return float(residual.mean()), float(residual.std())


def _corrected(prior: Array, part: Parts, when: str) -> Array:
    """A table of open cards shifted by position to what both whisters leave, then fitted."""
    table = prior
    met = _met(part, BOTH) if when == "bid" else part["tricks"][:, BOTH] >= 0
    tricks = part["tricks"][met, BOTH].astype(float)
    for _ in range(ROUNDS):
        columns = _columns(table, part, when)[met]
        cell, residual = columns[:, 4] - POSITION, tricks - predict(prior, columns)
        count = np.bincount(cell, minlength=2 * N_HANDS)
        shifted = prior.copy()
        shifted[POSITION:] += np.bincount(cell, residual, 2 * N_HANDS) / np.maximum(1, count)
        table = solve(add_up(N_ENTRIES, columns, tricks), shifted, CLOSED_RIDGE)
    return table


def fit_defence(recipe: Recipe, shop: Workshop, rules: Rules, bot: Bot) -> tuple[Tables, Errors]:
    """The declarer's overtricks by a defender's hand, and what two passes would say of them."""
    part, held = split(defence_games(recipe, shop, rules, bot), recipe.hold_out)
    columns, over, level = _seen_by_defenders(part)
    shift = over.mean()
    sums = add_up(2 * N_MASKS, columns, over - shift)
    table = solve(sums)
    expected = level + shift + predict(table, columns)
    tables: Tables = {
        "defence_side": table[:N_MASKS] + shift / 4,
        "defence_trump": table[N_MASKS:] + shift / 4,
        "defence_outcome": outcomes(outcome_counts(expected, over + level)),
    }
    effect = (shift + predict(table, columns)).reshape(2, -1)
    tables["passed_outcome"] = _after_passes(effect.min(axis=0), over.reshape(2, -1)[0])
    columns, over, _ = _seen_by_defenders(held)
    residual = over - shift - predict(table, columns)
    return tables, {"defence_mean": float(residual.mean()), "defence_sd": float(residual.std())}


def _seen_by_defenders(part: Parts) -> tuple[Array, Array, Array]:
    """Columns, overtricks and level, of the hands after the declarers and then of those before."""
    turn = np.arange(len(part["level"]))
    columns = [
        suit_columns(part["hands"][turn, (part["declarer"] + place) % N_HANDS], part["strain"])
        for place in (1, 2)
    ]
    over = (part["tricks"] - part["level"]).astype(float)
    return np.concatenate(columns), np.tile(over, 2), np.tile(part["level"], 2)


def _after_passes(least: Array, over: Array) -> Array:
    """[margin, overtricks + SPAN]: chances where both defenders expect at least so many overtricks,
    ``least`` the less of the two; margins that hardly any reach are taken like the last that many
    do."""
    table = np.zeros((N_MARGINS, 2 * SPAN + 1))
    for k in range(N_MARGINS):
        passed = least >= (k - N_MARGINS // 2) / 4 - 0.125
        if k > 0 and passed.sum() < FEWEST:
            table[k] = table[k - 1]
            continue
        made = np.clip(over[passed], -SPAN, SPAN).astype(np.int64) + SPAN
        table[k] = np.bincount(made, minlength=2 * SPAN + 1) / max(1, len(made))
    return table
