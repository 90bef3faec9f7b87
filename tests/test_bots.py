"""The shipped bots: every one ends whole pulkas of every variant, legally and repeatably; the
cautious one plays sensibly, and cares for the values of the variant it plays."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bots import bot_descriptions, find_bot
from scoring.contract import MISERE
from scoring.deal_score import HALF_WHISTED
from scoring.variant import find_variant
from sim.analysis import METRICS, Moments
from sim.botcall import Bot
from sim.deals import draw_deal
from sim.engine import Batch, Shard
from sim.playable import playable_names
from sim.run import make_run, simulate
from sim.show import replay_deal
from sim.state import AUCTION, CARD, FIRST_BID, HOLD, PASS
from sim.table import Table

BOTS = tuple(bot_descriptions())
METRIC = {metric.name: metric for metric in METRICS[3]}
LEVELS = (6, 7, 8, 9, 10)
RASPAS, TRICKS, MISERE_GAME = range(3)
MISERE_BID = FIRST_BID + MISERE

PLAYED_APART = [name for name in playable_names() if name != "code"]
"""The Code is Sochi played to 50 points, so its raspas are as frequent and as dear."""

every_bot = pytest.mark.parametrize("bot", BOTS)
every_variant = pytest.mark.parametrize("name", playable_names())


def play(
    name: str,
    bots: list[Bot],
    pulkas: int,
    pool: int = 4,
    seed: int = 3,
    max_deals: int = 500,
    settings: Mapping[str, Any] | None = None,
) -> Batch:
    """Pulkas of a variant, with all decisions."""
    rules = find_variant(name, settings).rules(3, pool)
    return Shard(rules, bots, seed, 0, pulkas, max_deals, record_plays=True).run()


def same(one: Batch, other: Batch) -> bool:
    """Equal rows and decisions."""
    assert one.plays is not None and other.plays is not None
    return (
        one.deals.tobytes() == other.deals.tobytes()
        and one.pulkas.tobytes() == other.pulkas.tobytes()
        and one.plays.tobytes() == other.plays.tobytes()
    )


def rate(bot: str, metric: str, key: str = "", value: Any = None) -> float:
    """A metric of sochi with this bot in all seats, perhaps with one convention changed."""
    return value_of(study("sochi", bot, key, value), metric)


@functools.cache
def study(name: str, bot: str, key: str = "", value: Any = None) -> Moments:
    """The estimates of 2000 pulkas to 10 points."""
    variant = find_variant(name, {key: value} if key else None)
    return simulate(variant, [find_bot(bot)], 2000, pool=10, seed=8)


def value_of(moments: Moments, metric: str) -> float:
    value = moments.estimate(0, METRIC[metric]).value
    assert value is not None
    return value


# Every bot


def test_the_bots() -> None:
    """There are bots, each with a description of one line and at its name."""
    assert {"random", "cautious"} <= set(BOTS)
    for name, text in bot_descriptions().items():
        assert len(text) > 10 and "\n" not in text and text.endswith(".")
        assert find_bot(name).name == name


@every_bot
@every_variant
def test_whole_pulkas_end(bot: str, name: str) -> None:
    """Every pulka ends by itself, with a full pool, and every deal in it is legal.

    An illegal action would stop the engine; here each recorded deal is played once more, action by
    action, on a table that checks it.
    """
    batch = play(name, [find_bot(bot)] * 3, 12)
    assert not batch.pulkas["unfinished"].any() and (batch.pulkas["n_deals"] > 0).all()
    assert (batch.pulkas["result"].sum(axis=1) == 0).all()
    assert batch.plays is not None
    rules = find_variant(name).rules(3, 4)
    table, pulka = Table(rules), 0
    for row, plays in zip(batch.deals, batch.plays, strict=True):
        if row["pulka"] != pulka:
            table, pulka = Table(rules), int(row["pulka"])
        assert int(row["number"]) == draw_deal(3, pulka, int(row["deal"]))
        story = replay_deal(table, int(row["number"]), plays[: row["n_decisions"]].tolist())
        for field in ("kind", "level", "strain", "declarer", "tricks", "value", "raspas_index"):
            assert np.array_equal(story.row[field], row[field])


@every_bot
@every_variant
def test_the_seed_decides(bot: str, name: str) -> None:
    """The same seed gives the same bytes, another seed other deals, in any part of a run."""
    bots = [find_bot(bot)] * 3
    whole = play(name, bots, 20)
    assert same(whole, play(name, [find_bot(bot) for _ in range(3)], 20))
    other = play(name, bots, 20, seed=4)
    assert not set(whole.deals["number"].tolist()) & set(other.deals["number"].tolist())
    rules = find_variant(name).rules(3, 4)
    part = Shard(rules, bots, 3, 15, 20, record_plays=True).run()
    assert part.deals.tobytes() == whole.deals[whole.deals["pulka"] >= 15].tobytes()


@every_bot
@every_variant
def test_any_table(bot: str, name: str) -> None:
    """Each bot plays at a table with every other, at every seat."""
    for other in BOTS:
        for player in range(3):
            bots = [find_bot(other)] * 3
            bots[player] = find_bot(bot)
            batch = play(name, bots, 2, max_deals=20)
            assert len(batch.pulkas) == 2


@every_bot
def test_garbage_in_the_workspace_does_not_matter(bot: str) -> None:
    """What lies in the workspace before a call changes nothing."""
    rules = find_variant("sochi").rules(3, 4)
    one, other = (
        Shard(rules, [find_bot(bot)] * 3, 3, 0, 10, record_plays=True, poison=poison).run()
        for poison in (False, True)
    )
    assert same(one, other)


@every_bot
@every_variant
def test_it_bids_and_plays(bot: str, name: str) -> None:
    """In some pulkas a bot declares contracts from every seat, makes some and fails some."""
    deals = play(name, [find_bot(bot)] * 3, 40).deals
    games = deals[deals["kind"] == TRICKS]
    assert {0, 1, 2} == set(games["declarer"].tolist())
    assert len(set(games["strain"].tolist())) == 5 and len(set(games["level"].tolist())) >= 2
    tricks = games["tricks"][np.arange(len(games)), games["declarer"]]
    failed = (games["played"] == 1) & (tricks < games["level"])
    assert 0 < failed.sum() < len(games)


# The cautious bot


@every_variant
def test_a_misere_is_the_first_word(name: str) -> None:
    """Cautious says misère where it may be said: as his first call, over no bid of nine or ten."""
    batch = play(name, [find_bot("cautious")] * 3, 300, pool=10)
    assert batch.plays is not None
    rules = find_variant(name).rules(3, 10)
    chosen = np.flatnonzero(batch.deals["kind"] == MISERE_GAME)
    assert len(chosen) > 30
    for k in chosen.tolist():
        row = batch.deals[k]
        decisions = batch.plays[k, : row["n_decisions"]].tolist()
        story = replay_deal(fresh(Table(rules), row), int(row["number"]), decisions)
        calls = [step for step in story.steps if step.phase == AUCTION]
        (bid,) = (k for k, step in enumerate(calls) if step.action == MISERE_BID)
        before = calls[:bid]
        assert calls[bid].hand not in {step.hand for step in before}
        bids = [step.action - FIRST_BID for step in before if step.action not in (PASS, HOLD)]
        assert all(code < 15 for code in bids)
        assert all(step.action == PASS for step in calls[bid + 1 :])
        assert int(row["declarer"]) == calls[bid].player


def fresh(table: Table, row: Any) -> Table:
    """The table before this deal: the next to deal is its dealer, so many raspas lie behind."""
    table.view["deal"] = int(row["deal"]) - 1
    table.view["dealer"] = (int(row["dealer"]) - 1) % 3
    table.view["raspas_index"] = int(row["raspas_index"])
    return table


@every_variant
def test_most_contracts_are_made(name: str) -> None:
    """Cautious makes well over 60 % of his contracts, and of his misères; he has a raspas rate."""
    moments = study(name, "cautious")
    made = games = 0.0
    for level in LEVELS:
        share = value_of(moments, f"share_{level}")
        if share > 0.005:
            made += share * value_of(moments, f"made_{level}")
            games += share
            assert value_of(moments, f"made_{level}") > 0.6, level
            assert abs(value_of(moments, f"declarer_tricks_{level}") - level - 0.3) < 0.8
    assert games > 0.5 and made / games > 0.7
    assert value_of(moments, "made_misere") > 0.6
    assert 0.02 < value_of(moments, "raspas_rate") < 0.5
    assert 0.2 < value_of(moments, "whist_rate") < 0.95


def test_dear_raspas_are_avoided() -> None:
    """The dearer a trick at raspas, the fewer raspas."""
    rates = [rate("cautious", "raspas_rate", "raspas.price", price) for price in (1, 2, 5, 10)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.7 * rates[0]


def test_variants_are_played_differently() -> None:
    """With the same cards the rate and the cost of raspas are others in each variant."""
    for metric in ("raspas_rate", "raspas_cost"):
        values = {value_of(study(name, "cautious"), metric) for name in PLAYED_APART}
        assert len(values) == len(PLAYED_APART)


def three_times(key: str) -> tuple[int, ...]:
    """The values of sochi, times three."""
    return tuple(3 * value for value in find_variant("sochi").conventions[key])


@pytest.mark.parametrize("key", ["values.undertrick", "values.consolation"])
def test_dear_failures_are_avoided(key: str) -> None:
    """What a failed contract costs, times three: fewer bids, and more of the contracts made."""
    dear = three_times(key)
    before, after = (
        {m: rate("cautious", m, *change) for m in ("raspas_rate", "made_6", "share_6")}
        for change in ((), (key, dear))
    )
    assert after["raspas_rate"] > 1.2 * before["raspas_rate"]
    assert after["made_6"] > before["made_6"] and after["share_6"] < before["share_6"]


def test_dear_remises_are_avoided() -> None:
    """What a defence short of its duty writes, times three: fewer whists."""
    dear = three_times("values.remise")
    after = rate("cautious", "whist_rate", "values.remise", dear)
    assert after < 0.8 * rate("cautious", "whist_rate")


def test_the_bias_is_monotone() -> None:
    """The more whists are added to the value of bidding, the fewer raspas."""
    names = [f"cautious@bias={bias}" for bias in (-10, -6, -3, 0, 3, 6, 10)]
    rates = [rate(name, "raspas_rate") for name in names]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 1.8 * rates[3] > 3 * rates[-1]
    assert rates[3] == rate("cautious", "raspas_rate")


def results(name: str, bots: list[Bot], pulkas: int, max_deals: int = 500) -> Batch:
    """Rows of a run to 10 points."""
    run = replace(make_run(name, bots, pulkas, 10, 21), max_deals=max_deals)
    parts = [run.shard(shard).run() for shard in range(run.n_shards())]
    return Batch(
        np.concatenate([one.deals for one in parts]),
        np.concatenate([one.pulkas for one in parts]),
        None,
    )


def per_deal(
    values: list[np.ndarray[Any, Any]], deals: np.ndarray[Any, Any]
) -> tuple[float, float]:
    """Whists a deal of results rotated over the seats, and the half width of a 95 % interval."""
    total = np.sum(values, axis=0)
    mean = total.sum() / deals.sum()
    errors = total - mean * deals
    return float(mean), float(1.96 * np.sqrt((errors**2).sum()) / deals.sum())


def rotated(name: str, one: Bot, others: Bot, pulkas: int, max_deals: int) -> tuple[float, float]:
    """Whists a deal that a bot wins from two others, over all three seats with the same deals."""
    values, deals = [], np.zeros(pulkas)
    for player in range(3):
        bots = [others] * 3
        bots[player] = one
        rows = results(name, bots, pulkas, max_deals).pulkas
        values.append(rows["result"][:, player] / 12)
        deals += rows["n_deals"]
    return per_deal(values, deals)


@every_variant
def test_cautious_beats_random(name: str) -> None:
    """One against two and two against one: hundreds of whists a deal, far beyond doubt."""
    cautious, random = find_bot("cautious"), find_bot("random")
    won, doubt = rotated(name, cautious, random, 200, 30)
    assert won - doubt > 50
    lost, doubt = rotated(name, random, cautious, 200, 30)
    assert lost + doubt < -50


@every_variant
@pytest.mark.parametrize("bias", [-6, 6])
def test_another_bias_does_not_pay(name: str, bias: int) -> None:
    """Who alone shifts his bidding by six whists gains less than half a whist a deal by it.

    Where games are written four times, four times as much.
    """
    won, doubt = rotated(name, find_bot(f"cautious@bias={bias}"), find_bot("cautious"), 2500, 500)
    scale = find_variant(name).conventions["values.made"][0] / 2
    assert doubt < 0.2 * scale and won + doubt < 0.5 * scale


def test_cautious_uses_what_the_rules_offer() -> None:
    """Lone whisters play open, holds and half-whists are said, hopeless contracts conceded."""
    settings = {"contract.concession": 3}
    batch = play("sochi", [find_bot("cautious")] * 3, 300, pool=10, settings=settings)
    deals = batch.deals
    assert (deals["open_play"] == 1).any() and (deals["kind"] == RASPAS).any()
    assert (deals["decision"][:, :3] == HALF_WHISTED).any() and (deals["concession"] > 0).any()
    steps = steps_of(batch, "sochi", 10, settings)
    assert len({step.action for step in steps if step.phase == CARD}) == 32
    assert any(step.action == HOLD for step in steps if step.phase == AUCTION)


def steps_of(
    batch: Batch, name: str, pool: int, settings: Mapping[str, Any], count: int = 300
) -> list[Any]:
    """The steps of the first deals of a run."""
    assert batch.plays is not None
    rules = find_variant(name, settings).rules(3, pool)
    found: list[Any] = []
    for row, plays in list(zip(batch.deals, batch.plays, strict=True))[:count]:
        table = fresh(Table(rules), row)
        decisions = plays[: row["n_decisions"]].tolist()
        found += replay_deal(table, int(row["number"]), decisions).steps
    return found


SINGLE = {
    "end.when": "sum",
    "help.pool": False,
    "raspas.progression": [1],
    "raspas.zero_prices": 0,
    "raspas.zero_points": 1,
}
"""Sochi with Leningrad's end and raspas, so that doubling leaves the pool as it is."""
DOUBLE = {
    **SINGLE,
    "values.undertrick": [4, 8, 12, 16, 20],
    "values.whist": [4, 8, 12, 16, 20],
    "values.remise": [4, 8, 12, 16, 20],
    "values.consolation": [4, 8, 12, 16, 20],
    "misere.undertrick": 20,
    "raspas.price": 2,
    "end.pool_weight": 2,
}


@every_bot
def test_doubled_prices_change_no_decision(bot: str) -> None:
    """Leningrad is twice Sochi: the same pulkas are played, for exactly twice the whists."""
    batches = [
        make_run(find_variant("sochi", settings), [find_bot(bot)], 60, 12, 4, record_plays=True)
        .shard(0)
        .run()
        for settings in (SINGLE, DOUBLE)
    ]
    one, two = batches
    for name in ("number", "kind", "level", "strain", "declarer", "decision", "tricks"):
        assert np.array_equal(one.deals[name], two.deals[name])
    assert one.plays is not None and two.plays is not None
    assert np.array_equal(one.plays, two.plays)
    assert np.array_equal(2 * one.deals["value"], two.deals["value"])
    assert np.array_equal(2 * one.pulkas["result"], two.pulkas["result"])
