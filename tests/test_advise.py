"""Advice: any decision of a deal described by its player, and the bot that is asked about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_bridge import refused, run
from described import asked_hand, command_of, describe

from bots import find_bot
from scoring.variant import find_variant
from sim.advice.ask import MAGIC, N_ESTIMATES, Estimate, Mind, estimate_of, read_estimates
from sim.advice.evening import Evening, decider
from sim.advice.position import Described, NoDecision, find_decision
from sim.show import Story
from sim.state import CARD, DISCARD, PASS_ALONG, PHASES, VIEW_DTYPE
from sim.table import Table

GAMES = [
    ("sochi", 3),
    ("rostov", 3),
    ("leningrad", 4),
    ("finka", 4),
    ("kazakhstan", 3),
    ("fspr", 4),
    ("klassika", 3),
    ("classic_two", 2),
    ("gusarik", 2),
    ("razboinik", 2),
    ("refet", 3),
    ("serbian", 4),
    ("prefko", 3),
]
PRIVATE = ("random", "rules")
"""Fields of a view that a description does not fix."""


def view_data(table: Table) -> dict[str, Any]:
    """What the asked player knows, as plain data."""
    names = [name for name in VIEW_DTYPE.names or () if name not in PRIVATE]
    return {name: np.asarray(table.view[name]).tolist() for name in names}


def clean(data: dict[str, Any]) -> dict[str, Any]:
    """The same without calls and cards beyond those made, which are left from other deals."""
    return {
        **data,
        "calls": data["calls"][: data["n_calls"]],
        "plays": data["plays"][: data["n_plays"]],
    }


class Describing:
    """Seats bots and describes each of their decisions to `advise`."""

    def __init__(self, name: str, players: int, bots: Sequence[str]) -> None:
        self.rules = find_variant(name).rules(players)
        self.bots = bots
        self.seen: Counter[str] = Counter()
        self.described: list[Described] = []
        self.story: Story | None = None

    def begin(self, story: Story) -> None:
        self.story = story

    def tell(self, step: Any) -> None:
        """Nothing: the story has the moves."""

    def deal(self, seed: int) -> None:
        """The first deal of a pulka, every decision described by its player."""
        minds = [Mind(find_bot(name), self.rules) for name in self.bots]

        def seated(mind: Mind) -> Any:
            choose = decider(mind)

            def ask(table: Table) -> Sequence[int]:
                self.check(table)
                return choose(table)

            return ask

        deciders = {player: seated(mind) for player, mind in enumerate(minds)}
        Evening(self.rules, seed, deciders).deal(self)

    def check(self, table: Table) -> None:
        assert self.story is not None
        phase = int(table.view["phase"])
        passed = any(step.phase == PASS_ALONG for step in self.story.steps)
        second = phase == DISCARD and int(table.view["discard"])
        if asked_hand(table) < 0 or passed or second:
            return
        if phase == PASS_ALONG and asked_hand(table) > 0:
            return
        said = describe(table, self.story)
        decision = find_decision(self.rules, said)
        assert clean(view_data(decision.table)) == clean(view_data(table))
        self.seen[PHASES[phase]] += 1
        self.described.append(said)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_described_decision_is_the_decision(name: str, players: int) -> None:
    """What a bot is shown of a described decision is what its player sees at the table."""
    lines = (["cautious"] * players, ["random"] * players, ["random", *["cautious"] * 3][:players])
    seen: Counter[str] = Counter()
    for seed, bots in enumerate(lines * 4):
        game = Describing(name, players, bots)
        game.deal(seed)
        seen += game.seen
    assert seen["card"] > 80 and len(seen) >= 3, seen


def test_the_command_line_describes_the_same(tmp_path: Path) -> None:
    """Each decision of a deal on the command line: the bot's choice is a legal word."""
    game = Describing("sochi", 3, ["cautious"] * 3)
    game.deal(2)
    for said in game.described[::4]:
        words = ["advise", *command_of(said), "--variant", "sochi", "--json"]
        data = json.loads(run(*words).out)
        assert set(data["choice"].split()) <= set(data["legal"]) | set(data["choice"].split())
        assert data["position"] == (said.position or 0) + 1 and not data["forced"]
    assert len(game.described) > 10
