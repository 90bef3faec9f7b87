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
from scripted_person import Script, play

from bots import find_bot
from scoring.variant import find_variant
from sim.advice.ask import MAGIC, N_ESTIMATES, Estimate, Mind, estimate_of, read_estimates
from sim.advice.evening import Evening, decider
from sim.advice.position import Described, NoDecision, find_decision
from sim.show import Story
from sim.state import DISCARD, PASS_ALONG, PHASES, VIEW_DTYPE
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


def describe_deals(name: str, players: int, seeds: Sequence[int]) -> Counter[str]:
    """Deals with line-ups in turn; how many decisions were described, by phase."""
    lines = (["cautious"] * players, ["random", *["cautious"] * 3][:players], ["random"] * players)
    seen: Counter[str] = Counter()
    for seed in seeds:
        game = Describing(name, players, lines[seed % len(lines)])
        game.deal(seed)
        seen += game.seen
    return seen


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_described_decision_is_the_decision(name: str, players: int) -> None:
    """What a bot is shown of a described decision is what its player sees at the table."""
    seen = describe_deals(name, players, (1, 3))
    assert seen["card"] > 5 and len(seen) >= 2, seen


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_many_described_decisions(name: str, players: int) -> None:
    seen = describe_deals(name, players, range(4, 64))
    assert seen["card"] > 500 and len(seen) >= 3, seen


def test_the_command_line_describes_the_same() -> None:
    """Each decision of a deal on the command line: the bot's choice is a legal word."""
    game = Describing("sochi", 3, ["cautious"] * 3)
    game.deal(2)
    assert len(game.described) > 10
    for said in game.described[::4]:
        data = asked(*command_of(said), "--variant", "sochi", "--bot", "expert")
        assert data["position"] == (said.position or 0) + 1 and not data["forced"]
        if data["decision"] != "discard":
            assert data["choice"] in data["legal"]


def asked(*arguments: str) -> dict[str, Any]:
    """The advice as data."""
    data: dict[str, Any] = json.loads(run("advise", *arguments, "--json").out)
    return data


# Estimates

ESTIMATING = f"{Path(__file__).parent / 'estimating_bot.py'}:estimating"
HAND = "AKQT.T98.J7.A"
SOCHI = ("--variant", "sochi")


def test_estimates_are_shown_best_first() -> None:
    """Means and intervals of the values in the workspace, in whists."""
    data = asked(HAND, *SOCHI, "--calls", "pass 6S", "--bot", ESTIMATING)
    assert data["decision"] == "auction" and data["position"] == 3 and data["worlds"] == 4
    rated = data["estimates"]
    assert data["choice"] == rated[0]["action"] == "misere"
    assert {one["action"] for one in rated} == set(data["legal"]) - {"pass"}
    assert [one["mean"] for one in rated] == sorted((one["mean"] for one in rated), reverse=True)
    # an action's values are 0, 1, 2, 3 whists above its number; their variance is 5/3
    assert rated[0]["mean"] == 2 + 25 + 1.5
    assert rated[0]["half_width"] == pytest.approx(1.96 * (5 / 3 / 4) ** 0.5)
    text = run("advise", HAND, *SOCHI, "--calls", "pass 6S", "--bot", ESTIMATING).out
    lines = text.splitlines()
    assert lines[0] == "Sochi, hand 3: ♠AKQT ♣T98 ♦J7 ♥A" and lines[1] == "auction"
    assert lines[2].endswith("misere (4 worlds; whists, 95 % intervals)")
    assert lines[3].split() == ["misere", "28.50", "[27.23,", "29.77]"]


def test_pairs_of_a_discard_are_ranked() -> None:
    """All 66 pairs of twelve cards, the second card's estimate after the first."""
    words = ("--calls", "6S pass pass", "--talon", "H7 D9", "--bot", ESTIMATING)
    data = asked(HAND, *SOCHI, "--position", "1", *words)
    assert data["decision"] == "discard" and data["hand"] == "AKQT.T98.J97.A7"
    assert len(data["estimates"]) == 66 == len({one["action"] for one in data["estimates"]})
    assert data["choice"] == "♥7 ♥A"
    twelve = asked("AKQT.T98.J97.A7", *SOCHI, *words)
    assert twelve == data


def test_a_forced_card_is_said_to_be_the_only_one() -> None:
    said = run("advise", "K.JT9.T87.KT8", *SOCHI, "--position", "3", *FORCED).out
    assert said.splitlines()[-1] == "tricks, the only one: ♠K"


FORCED = (
    *("--calls", "6S pass pass 6S whist pass closed", "--talon", "H7 D9"),
    *("--cards", "SA S7"),
)


def test_a_workspace_of_garbage_gives_no_estimates() -> None:
    space = np.full(N_ESTIMATES, 7, np.int64)
    assert read_estimates(space, 1) == (0, {})
    space[:5] = MAGIC, 0, 1, 12, 144
    assert read_estimates(space, 1) == (0, {})
    space[1] = 1
    assert read_estimates(space, 1) == (1, {0: Estimate(1.0, None)})
    assert read_estimates(space[:-1], 1) == (0, {}) == read_estimates(space[:0], 1)
    assert read_estimates(space, 2) == (1, {})  # 7 rates nothing


def test_the_interval_of_equal_values_is_a_point() -> None:
    assert estimate_of(9, 9 * 24, 9 * 24 * 24) == Estimate(2.0, 0.0)


def test_hints_show_estimates() -> None:
    """The same at the table, a few lines."""
    done = play(Script(1, most=2, hints=True), *SOCHI, "--seed", 5, "--hints", ESTIMATING)
    assert "misere (4 worlds; whists, 95 % intervals)" in done.output, done.output


# What cannot be asked

OPENED = ("--calls", "pass 6S pass 6S whist pass open", "--talon", "H7 D9")
OPENED_TO_DECLARER = (
    *("--calls", "pass 6S pass H7 D9 6S whist pass open", "--talon", "H7 D9"),
    *("--cards", "S7"),
)
WRONG = [
    (("AKQ",), "hand 'AKQ' has 1 suits: write four, ♠.♣.♦.♥"),
    (("AKQ.T98.J7.A",), "the hand has 9 cards: give ten, or twelve with the talon"),
    (
        (HAND, "--calls", "hold"),
        "--calls: call 1, hold of hand 1 is not legal: there is no bid to hold",
    ),
    (
        (HAND, "--position", "2"),
        "it is not for hand 2 to decide but for hand 1 (auction): give more words by --calls, or "
        "another --position",
    ),
    (
        (HAND, "--calls", "6S pass pass"),
        "the talon has been taken here: give its two cards by --talon",
    ),
    (
        ("AKQT.T98.J97.A7", "--calls", "6S pass pass"),
        "of twelve cards two are the talon's: say which by --talon",
    ),
    ((HAND, "--talon", "SA D9"), "♠A is in the hand and in the talon"),
    ((HAND, "--cards", "SA"), "with cards played say whose hand it is by --position"),
    (
        (HAND, "--calls", "pass pass pass", "--position", "1"),
        "1 of the talon's cards is turned up here: give them in order by --talon",
    ),
    (
        ("K.JT9.T87.KT8", "--position", "3", *FORCED[:-1], "SA H7"),
        "♥7 cannot be in two places: compare the hand, --talon, --cards and --open",
    ),
    (
        (HAND, "--position", "1", *OPENED),
        "it is not for hand 1 to decide but for hand 3 (tricks): give more cards by --cards, or "
        "another --position",
    ),
    (
        (HAND, "--position", "2", *OPENED_TO_DECLARER),
        "hand 1 lies open here: give the ten cards it had at the first card by --open 1=CARDS",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_what_cannot_be_asked_is_a_sentence(arguments: Sequence[str], message: str) -> None:
    assert refused("advise", *arguments, *SOCHI).startswith(message)


def test_the_dummy_is_not_asked() -> None:
    rules = find_variant("classic_two").rules(2)
    with pytest.raises(NoDecision, match="is the dummy's"):
        find_decision(rules, Described((1 << 10) - 1, 1))
