"""Training of tables: the whole recipe in small, the same bytes however it is run, its parts."""

from __future__ import annotations

import functools
import itertools
import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_bridge import refused, run

import bots
from bots.hand_tables import expert_tables, fitted_tables
from bots.layout import make_weights
from bots.study.student import parts
from scoring.contract import N_STRAINS, TRICKS
from scoring.result import PASSED, WHISTED
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.state import CLOSED, OPENED
from sim.training.kernels.catching import AFTER, BEFORE, OWN, catch_lies
from sim.training.kernels.hands import N_ENTRIES, lay_away
from sim.training.kernels.scripted import (
    BOTH_WHIST,
    CODE,
    DECLARER,
    FIRST_WHISTS,
    FREE,
    LAID,
    N_SCRIPT,
    NUMBER,
    OPENS,
    WHISTERS,
    Stage,
)
from sim.training.labels import draw
from sim.training.misere import catch_tables
from sim.training.pipeline import train
from sim.training.recipe import FULL, QUICK, TrainingError
from sim.training.shards import Workshop, key_of
from sim.training.student import Student

WEIGHTS = Path(bots.__file__).parent / "weights"
TINY = replace(QUICK, shard=256, closed=6, defence=6, raspas=12, catch=48, bids=16)
TINY = replace(TINY, cards=replace(TINY.cards, tables=(("sochi", 3, 200),)))
STUDENT = Student(**parts())
Seat = Callable[[str], Bot]
BOUNDS = {
    "play_sd": 0.8,
    "random_sd": 1.2,
    "bid_sd": 1.4,
    "play_both_sd": 1.0,
    "bid_both_sd": 1.4,
    "defence_sd": 1.3,
    "raspas_sd": 1.9,
    "misere_sd": 0.45,
    "misere_bid_sd": 0.25,
}
"""Held-out errors of good tables are a tenth or more below; of no tables, above."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, seat: Seat) -> tuple[Path, dict[str, float]]:
    """The file and the errors of a tiny run by one worker, without a folder of shards."""
    path = tmp_path_factory.mktemp("trained") / "tables.json"
    return path, train(TINY, STUDENT, seat("cautious"), path, workers=1, say=lambda _: None)


def test_errors_on_what_was_held_out(trained: tuple[Path, dict[str, float]]) -> None:
    """All are finite, and the tables know something; a sure misère is never caught."""
    path, errors = trained
    assert json.loads(path.read_text("utf-8"))["held_out"] == errors
    assert all(math.isfinite(error) for error in errors.values())
    assert {name: errors[name] for name in BOUNDS if errors[name] >= BOUNDS[name]} == {}
    assert errors["misere_sure_caught"] == 0


def test_the_file_has_the_tables_of_cautious(trained: tuple[Path, dict[str, float]]) -> None:
    """Names, sizes and units of what ``cautious`` has of three players, and chances that are
    some."""
    data = json.loads(trained[0].read_text("utf-8"))
    tables = {name: np.array(values) for name, values in data["tables"].items()}
    of_three = {n: t for n, t in fitted_tables().items() if not n.startswith("two_")}
    assert {n: t.shape for n, t in of_three.items()} == {n: tables[n].shape for n in of_three}
    assert data["version"] == 1 and data["recipe"]["shard"] == TINY.shard
    assert [(one["variant"], one["players"]) for one in data["fixpoints"]] == [
        ("sochi", 2),
        ("sochi", 3),
        ("sochi", 4),
    ]
    assert data["cards"]["judged"][0] > 300 and data["cards"]["weights"]
    outcomes = [name for name in tables if name.endswith("_outcome") and name != "passed_outcome"]
    assert {"play_outcome", "both_outcome", "lone_open_outcome"} <= set(outcomes)
    for name in outcomes:
        sums = tables[name].reshape(41, 11).sum(axis=1)
        assert (np.abs(sums - 1000) <= 6).all(), name
    for name in ("raspas_zero", "raspas_smallest", "misere_catch", "misere_clean"):
        assert (tables[name] >= 0).all() and (tables[name] <= 1000).all()
    aces = tables["play_trump"][0b10000000] - tables["play_trump"][0b1]
    assert aces > 500, "a bare ace of trumps is worth more than a bare seven"


class _Stopped(Exception):
    """Stands for Ctrl-C."""


def test_same_bytes_after_a_break(
    trained: tuple[Path, dict[str, float]], tmp_path: Path, seat: Seat
) -> None:
    """Two workers, four breaks, one shard spoilt, a temporary file left: the same bytes."""
    out, work = tmp_path / "tables.json", tmp_path / "work"
    bot = seat("cautious")

    def stop_at(stage: str) -> Callable[[str], None]:
        def say(line: str) -> None:
            if line.startswith(stage):
                raise _Stopped

        return say

    for stage in ("tables", "raspas", "regret", "sochi, 4"):
        with pytest.raises(_Stopped):
            train(TINY, STUDENT, bot, out, work, workers=2, say=stop_at(stage))
        assert not out.exists()
    assert len(list(work.rglob("fixpoints/*.json"))) == 2
    shards = sorted(work.rglob("*.npz"))
    assert len(shards) == TINY.random + TINY.own + TINY.closed + TINY.defence + TINY.raspas + (
        2 * TINY.miseres + 1
    )
    shards[0].write_bytes(shards[0].read_bytes()[:100])
    shards[-1].unlink()
    (shards[1].parent / "00001.1.tmp").write_bytes(b"half")
    kept = shards[2].stat().st_mtime_ns
    train(TINY, STUDENT, bot, out, work, workers=2, say=lambda _: None)
    assert out.read_bytes() == trained[0].read_bytes()
    assert shards[2].stat().st_mtime_ns == kept


def test_stages_alone_keep_the_others(
    trained: tuple[Path, dict[str, float]], tmp_path: Path, seat: Seat
) -> None:
    """A stage run again on its own file changes nothing; with another seed its own tables alone."""
    out = tmp_path / "tables.json"
    out.write_bytes(trained[0].read_bytes())
    train(TINY, STUDENT, seat("cautious"), out, stages=["misere"], say=lambda _: None)
    assert out.read_bytes() == trained[0].read_bytes()
    train(
        replace(TINY, seed=1), STUDENT, seat("cautious"), out, stages=["misere"], say=lambda _: None
    )
    before, after = (json.loads(p.read_text("utf-8"))["tables"] for p in (trained[0], out))
    changed = {name for name in before if before[name] != after[name]}
    assert changed and all(name.startswith("misere") for name in changed)
    assert "misere_catch" not in changed


def test_the_command(tmp_path: Path) -> None:
    """It names what it does not know, and what it needs."""
    out = str(tmp_path / "tables.json")
    assert "labels, tables" in refused("train", "--out", out, "--stages", "fit")
    assert "stage tables" in refused("train", "--out", out, "--stages", "closed", "--quick")
    nowhere = str(tmp_path / "nowhere" / "tables.json")
    assert "cannot be written" in refused("train", "--out", nowhere)
    assert "0" in refused("train", "--seed", "-1")
    assert "--quick" in run("train", "--help").out
    (tmp_path / "tables.json").write_text("[]", "utf-8")
    assert "no file of tables" in refused("train", "--out", out, "--stages", "misere")


def test_an_outside_bot_is_refused(tmp_path: Path) -> None:
    """Games by the thousand want compiled code."""

    class Outside:
        def __init__(self, rules: Any, seed: int) -> None:
            """Nothing to keep."""

        def act(self, observations: Any) -> Any:
            return np.zeros(len(observations), np.int64)

    with pytest.raises(TrainingError, match="outside bot"):
        train(TINY, STUDENT, Bot("outside", Outside), tmp_path / "tables.json")


def test_keys_differ() -> None:
    """No two shards of a run share their random numbers."""
    keys = {key_of(seed, what, k) for seed in (0, 1) for what in ("own", "four") for k in range(99)}
    assert len(keys) == 2 * 2 * 99


def test_shards_in_order(tmp_path: Path) -> None:
    """Shards come in order whoever makes them, and once made are read."""
    made = []

    def make(k: int, key: int) -> dict[str, Any]:
        made.append(k)
        return {"k": np.array([k])}

    for _ in range(2):
        shards = Workshop(tmp_path, 0, 3).shards("own", 20, "x", make)
        assert [int(one["k"][0]) for one in shards] == list(range(20))
    assert sorted(made) == list(range(20))


# Scripts


@pytest.mark.parametrize("name", ["sochi", "leningrad"])
def test_scripts_are_followed(name: str, seat: Seat) -> None:
    """Who declares, what is laid away, the contract and who whists are as the script says."""
    numbers, hands = draw(5, 300)
    turn = np.arange(300)
    declarer, lone = turn % 3, turn % 2 == 0
    twelve = hands[turn, declarer] | hands[:, 3]
    lowest = twelve & -twelve
    second = (twelve ^ lowest) & -(twelve ^ lowest)
    script = np.full((300, N_SCRIPT), FREE, np.int64)
    script[:, NUMBER], script[:, DECLARER] = numbers, declarer
    script[:, LAID], script[:, CODE] = lowest | second, 1 + turn % 19
    script[:, WHISTERS] = np.where(lone, FIRST_WHISTS, BOTH_WHIST)
    script[:, OPENS] = np.where(turn % 4 == 0, OPENED, CLOSED)
    stage = Stage(find_variant(name).rules(3), seat("cautious"))
    rows = stage.play(7, script)
    assert (rows["kind"] == TRICKS).all() and (rows["number"] == numbers).all()
    assert ((rows["declarer"] - rows["dealer"] - 1) % 3 == declarer).all()
    assert (5 * (rows["level"] - 6) + rows["strain"] == script[:, CODE]).all()
    after = rows["decision"][turn, (rows["declarer"] + 1) % 3]
    before = rows["decision"][turn, (rows["declarer"] + 2) % 3]
    assert (after == WHISTED).all() and (before == np.where(lone, PASSED, WHISTED)).all()
    assert (rows["open_play"] == (turn % 4 == 0)).all()
    assert (rows["tricks"][:, :3].sum(axis=1) == 10).all()
    again = Stage(find_variant(name).rules(3), seat("cautious")).play(7, script)
    assert (again == rows).all()


def test_free_scripts_are_the_bot_s_own_deals(seat: Seat) -> None:
    """A script that leaves all open is a deal as the bot plays it: some are raspas, some not."""
    numbers, _ = draw(6, 400)
    script = np.full((400, N_SCRIPT), FREE, np.int64)
    script[:, NUMBER] = numbers
    rows = Stage(find_variant("sochi").rules(3), seat("cautious")).play(8, script)
    assert len(np.unique(rows["kind"])) >= 2
    assert (rows["value"].sum(axis=1) == 0).all()


# Hands


def test_what_is_laid_away_costs_least() -> None:
    """No other two of the lowest cards of suits leave more tricks."""
    dice = np.random.default_rng(3)
    table = dice.normal(size=N_ENTRIES)
    _, hands = draw(9, 60)
    twelve, position = hands[:, 0] | hands[:, 3], np.arange(60) % 3
    kept, expected = np.zeros((60, N_STRAINS), np.int64), np.zeros((60, N_STRAINS))
    lay_away(table, twelve, position, kept, expected)
    for k, strain in itertools.product(range(60), range(N_STRAINS)):
        best = max(
            _tricks(table, rest, strain, int(position[k])) for rest in _without_two(int(twelve[k]))
        )
        assert expected[k, strain] == pytest.approx(best)
        assert expected[k, strain] == pytest.approx(
            _tricks(table, int(kept[k, strain]), strain, int(position[k]))
        )


def _tricks(table: Any, hand: int, strain: int, position: int) -> float:
    part = [2 if strain == 4 else int(suit != strain) for suit in range(4)]
    total = sum(table[256 * part[suit] + (hand >> 8 * suit & 255)] for suit in range(4))
    return float(total + table[768 + (3 if strain == 4 else 0) + position])


def _without_two(hand: int) -> set[int]:
    """A hand without the lowest card of two suits, or the two lowest of one."""
    rests = {hand}
    for _ in range(2):
        rests = {
            rest & ~(held & -held)
            for rest in rests
            for suit in range(4)
            if (held := rest & 255 << 8 * suit)
        }
    return rests


# Misère


Cards = frozenset[int]


@functools.cache
def _is_caught(own: Cards, after: Cards, before: Cards) -> bool:
    """Whether defenders who lead this suit from either hand can make the declarer take a trick."""
    for led in after:
        for other in before or {-1}:
            if own and all(_loses(own, after, before, card, led, other) for card in own):
                return True
    for led in before:
        if own and all(
            any(_loses(own, after, before, card, other, led) for other in after or {-1})
            for card in own
        ):
            return True
    return False


def _loses(own: Cards, after: Cards, before: Cards, card: int, one: int, two: int) -> bool:
    return card > max(one, two) or _is_caught(own - {card}, after - {one}, before - {two})


@functools.cache
def _lies() -> tuple[Any, Any]:
    caught, leading = np.zeros((2, 1 << 16), np.int64)
    catch_lies(caught, leading)
    return caught, leading


def test_suits_against_a_plain_search() -> None:
    """Every lie of a sample is caught or not as a search by sets of cards says, led or leading."""
    caught, leading = _lies()
    dice = random.Random(4)
    counts = [0, 0]
    for _ in range(600):
        places = [dice.choice((0, OWN, OWN, AFTER, BEFORE)) for _ in range(8)]
        lie = sum(place << 2 * k for k, place in enumerate(places))
        own, after, before = (
            frozenset(k for k in range(8) if places[k] == whose) for whose in (OWN, AFTER, BEFORE)
        )
        assert bool(caught[lie]) == _is_caught(own, after, before)
        leads = bool(own) and all(
            any(
                _loses(own, after, before, card, one, two)
                for one in after or {-1}
                for two in before or {-1}
            )
            for card in own
        )
        assert bool(leading[lie]) == leads
        counts[caught[lie]] += 1
    assert min(counts) > 100


def test_clean_holdings_are_those_that_are_known() -> None:
    """By length 1, 1, 2, 5, 14, 28, 20, 7, 1 sets of ranks are never caught."""
    catch, lead = catch_tables()
    own = [sum(3**k for k in range(8) if mask >> k & 1) for mask in range(256)]
    clean = [mask for mask in range(256) if catch[own[mask]] == 0]
    assert [sum(m.bit_count() == n for m in clean) for n in range(9)] == [
        *(1, 1, 2, 5, 14, 28, 20, 7, 1)
    ]
    assert (lead >= catch - 1e-9).all(), "who leads a suit himself is no safer in it"


# The tables that are shipped


def test_the_shipped_file() -> None:
    """It is made by the full recipe with the first seed, and small; held-out errors are those of
    good tables."""
    data = (WEIGHTS / "expert.json").read_bytes()
    assert len(data) < 1_000_000
    told = json.loads(data)
    assert told["recipe"] == json.loads(json.dumps({"bot": "cautious", **FULL.told()}))
    errors = told["held_out"]
    assert errors["play_sd"] < 0.62 and abs(errors["play_mean"]) < 0.03
    assert errors["play_both_sd"] < 0.83 and abs(errors["play_both_mean"]) < 0.02
    assert errors["misere_sure"] > 100 and errors["misere_sure_caught"] == 0


def test_weights_of_either_tables() -> None:
    """``make_weights`` takes both; without any it means those of ``cautious``."""
    options = {"bias": 0.0}
    for name, players in (("sochi", 3), ("rostov", 4), ("classic_two", 2)):
        rules = find_variant(name).rules(players)
        usual = make_weights(rules, options)
        assert np.array_equal(usual, make_weights(rules, options, fitted_tables()))
        other = make_weights(rules, options, expert_tables())
        assert other.shape == usual.shape and np.isfinite(other).all()
        assert np.array_equal(other, usual) == (players == 2)
