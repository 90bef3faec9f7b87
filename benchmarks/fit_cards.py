"""Fit the card policy of the bots by self-play: ``python -m benchmarks.fit_cards``.

A bot that calls like ``cautious`` and plays cards by the policy plays at all seats; what each legal
card would have brought is noted, and the weights that choose best are kept for the next round.
Writes ``bots/weights/cards.json``. ``--duel N`` measures what is there instead: over N deals, each
with the policy at every seat in turn, what it wins from ``cautious``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from bots.api import CARD, MISERE_GAME, RASPAS, TRICKS, bot, kernel
from bots.card_policy import (
    CONTEXTS,
    FILE,
    N_CARD_WEIGHTS,
    N_CONTEXTS,
    N_FEATURES,
    ROLES,
    card_weights,
    choose_card,
    club_weights,
    study_card,
    tell_weights,
)
from bots.cautious import N_MEMORY, cautious, decide, laid_away, seat_weights
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.engine import Shard
from sim.training.cards import (
    FULL,
    QUICK,
    THOUSANDTHS,
    Policy,
    Recipe,
    Regret,
    fit_weights,
    judge,
    note_round,
    tell_regrets,
    train,
)
from sim.training.kernels.card_rows import SAID

Array = np.ndarray[Any, np.dtype[Any]]

OPEN = (1.0, 0.0)
PLAYED = (0.0, 1 / 60)
WITH_TRICKS = (0.2, 1 / 60)
WORTH = {"raspas": OPEN, "catcher": (0.5, 1 / 60), "defender": WITH_TRICKS}
"""What a trick and a whist count where cards are judged, by the first word of a role; else PLAYED.
Whists are what is played for; tricks, counted with open cards, have less noise and help defenders,
while a declarer thinks of his contract. At raspas tricks are whists."""
JUDGED_SEED = 1001
TABLES = ("sochi/3", "rostov/3", "classic_two/2", "refet/3")


def join_weights(rules: Array, cards: Array) -> Array:
    """The weights of ``cautious``, then those of the cards, as the bots read them."""
    return np.concatenate([seat_weights(rules, {"bias": 0.0}), cards.ravel()])


def in_thousandths(rules: Array, cards: Array) -> Array:
    """The same from the weights of a fit."""
    return join_weights(rules, np.rint(THOUSANDTHS * cards))


def weights_of(rules: Any, options: Mapping[str, float]) -> Array:
    return join_weights(rules, card_weights() if options["learned"] else club_weights())


@kernel
def _away(view: Any, own: Any) -> int:
    seen = view.kind == MISERE_GAME and view.mover != view.declarer
    return laid_away(view, own) if seen else 0


@bot(memory=N_MEMORY, workspace=SAID, options={"learned": 1.0}, weights=weights_of)
def card_player(view: Any, own: Any) -> int:
    """``cautious`` with the cards of the policy."""
    if view.phase == CARD:
        at = len(own.weights) - N_CARD_WEIGHTS
        return choose_card(view, own.weights, at, _away(view, own))
    return decide(view, own)


@bot(memory=N_MEMORY, workspace=SAID, weights=weights_of, options={"learned": 1.0})
def card_study(view: Any, own: Any) -> int:
    """Says what there is to say of each card."""
    return study_card(view, _away(view, own), own.workspace)


def card_policy(first: bool = False) -> Policy:
    """What is trained; the first round counts open tricks alone, so that there is somebody to play
    the deals out."""
    per_role = N_CONTEXTS // len(ROLES)
    worth = [WORTH.get(role.split("_")[0], PLAYED) for role in ROLES for _ in range(per_role)]
    worth = [OPEN] * N_CONTEXTS if first else worth
    bot_at_table = Bot("card_player", card_player)
    return Policy(bot_at_table, card_study, in_thousandths, CONTEXTS, np.array(worth))


def start_weights() -> Array:
    """Where a fit starts: the rules of thumb."""
    return club_weights().reshape(N_CONTEXTS, N_FEATURES) / THOUSANDTHS


def judged(weights: Array) -> list[float]:
    """Decisions and regrets of the weights in a small set of deals (``sim.training.cards``)."""
    kept = np.rint(THOUSANDTHS * weights) / THOUSANDTHS
    found = judge(card_policy(), start_weights(), kept, QUICK, JUDGED_SEED)
    return [round(x, 4) for x in found]


def fit_cards(recipe: Recipe, work: Path | None, file: Path) -> None:
    """Train and write the file."""
    start = start_weights()
    first = replace(recipe, rounds=1)
    weights, _ = train(card_policy(first=True), start, first, work, click.echo)
    told: list[Regret] = []
    for turn in range(1, recipe.rounds):
        rows = note_round(card_policy(), recipe, weights, turn, work)
        weights, told = fit_weights(rows, start, card_policy(), recipe)
    click.echo(tell_regrets(told, CONTEXTS, rows=20))
    data = {
        "what": "weights of what is said of a card, by context; thousandths",
        "made_by": "python -m benchmarks.fit_cards",
        "recipe": asdict(recipe),
        "judged": judged(weights),
        "regret": {
            CONTEXTS[one.context]: [
                one.decisions,
                *(round(x, 4) for x in (one.random, one.before, one.fitted)),
            ]
            for one in told
        },
        "weights": tell_weights(np.rint(THOUSANDTHS * weights).ravel()),
    }
    file.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    card_weights.cache_clear()


def duel(name: str, n: int, deals: int, seed: int) -> str:
    """What one policy wins a deal from the others, who play as ``cautious``, over all seats."""
    rules = find_variant(name).rules(n)
    ours, theirs = Bot("card_player", card_player), Bot("cautious", cautious)
    before = Shard(rules, [theirs] * n, seed, 0, deals, 1).run().deals
    total = np.zeros(deals)
    parts: dict[str, float] = {}
    for player in range(n):
        seats = [theirs] * n
        seats[player] = ours
        rows = Shard(rules, seats, seed, 0, deals, 1).run().deals
        gain = (rows["value"][:, player] - before["value"][:, player]) / 12
        total += gain / n
        side = np.where(rows["declarer"] == player, "declares", "defends")
        for kind, word in ((RASPAS, "raspas"), (TRICKS, "game"), (MISERE_GAME, "misère")):
            for role in ("declares", "defends"):
                mine = (rows["kind"] == kind) & (side == role)
                key = word if kind == RASPAS else f"{word} {role}"
                parts[key] = parts.get(key, 0.0) + float(gain[mine].sum()) / deals / n
    told = ", ".join(f"{key} {value:+.3f}" for key, value in parts.items() if value)
    error = total.std() / deals**0.5
    return f"{name}, {n} players: {total.mean():+.3f} ± {error:.3f} whists a deal ({told})"


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, for a try.")
@click.option("--rounds", type=click.IntRange(2), help="Rounds of self-play, two or more.")
@click.option("--shards", type=int, help="Shards of each table in a round.")
@click.option("--work", type=click.Path(path_type=Path), help="Folder where shards are kept.")
@click.option("--to", "file", type=click.Path(path_type=Path), default=FILE, help="File to write.")
@click.option("--duel", "deals", type=int, help="Measure over so many deals, fit nothing.")
def main(
    quick: bool,
    rounds: int | None,
    shards: int | None,
    work: Path | None,
    file: Path,
    deals: int | None,
) -> None:
    """Fit bots/weights/cards.json, or measure it."""
    if deals:
        for table in TABLES:
            name, _, n = table.partition("/")
            click.echo(duel(name, int(n), deals, 77))
        return
    recipe = QUICK if quick else FULL
    sizes = {"rounds": rounds or max(2, recipe.rounds), "shards": shards or recipe.shards}
    fit_cards(Recipe(**{**asdict(recipe), **sizes}), work, file)


if __name__ == "__main__":
    main()
