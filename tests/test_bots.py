"""The shipped bots: every one ends whole pulkas of every variant, legally and repeatably; the
cautious one plays sensibly, and cares for the values of the variant it plays."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from bot_runs import DOUBLE, SINGLE, fresh, play, rotated, same, steps_of
from random_conventions import draw_settings
from random_play import house_razboinik, house_refet, house_variant
from shipped_bots import SHARES, answer_as_in_sochi, seated, slowly, some

from bots import bot_descriptions, find_bot, layout
from bots.api import bot as make_bot
from bots.cautious import N_MEMORY, decide
from bots.club_play import choose_card
from scoring.contract import CLUBS, DIAMONDS, HEARTS, MISERE, SPADES
from scoring.result import HALF_WHISTED, WHISTED
from scoring.variant import find_variant, variant_names
from sim.analysis import Moments
from sim.botcall import Bot
from sim.deals import draw_deal
from sim.engine import Shard
from sim.run import simulate
from sim.show import replay_deal
from sim.state import (
    AUCTION,
    BIDDING,
    CARD,
    CATCH,
    CATCHES,
    COME,
    CONTRA,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    HOLD,
    PASS,
    PASS_ALONG,
    SUIT,
    TRUST,
)
from sim.table import Table

BOTS = tuple(bot_descriptions())
LEVELS = (6, 7, 8, 9, 10)
RASPAS, TRICKS, MISERE_GAME = range(3)
MISERE_BID = FIRST_BID + MISERE

VARIANTS = [name for name in variant_names() if 3 in find_variant(name).players]
"""Those of three and four players; what is played by two is in ``test_bots_two``."""
WITH_POOL = [name for name in VARIANTS if find_variant(name).has_pool]
PLAYED_APART = [name for name in WITH_POOL if name != "code"]
"""The Code is Sochi played to 50 points, so its raspas are as frequent and as dear."""

every_bot = pytest.mark.parametrize("bot", BOTS)
every_bot_and_variant = pytest.mark.parametrize(
    ("bot", "name"), [slowly(bot, name) for bot in BOTS for name in VARIANTS]
)
every_pool = pytest.mark.parametrize("name", WITH_POOL)
every_table = pytest.mark.parametrize("n", (3, 4))
four_slowly = pytest.mark.parametrize("n", (3, pytest.param(4, marks=pytest.mark.slow)))
LONG = 120
"""Deals that are enough of a pulka."""
FUZZED = ("cautious", "expert", "random")
WITHOUT_TALON = {"auction.without_talon": ["misere", "nine", "ten"]}


def rate(bot: str, metric: str, key: str = "", value: Any = None) -> float:
    """A metric of sochi with this bot in all seats, perhaps with one convention changed."""
    return value_of(study("sochi", bot, key, value), metric)


@functools.cache
def study(name: str, bot: str, key: str = "", value: Any = None, n: int = 3) -> Moments:
    """The estimates of 2000 pulkas to 10 points."""
    variant = find_variant(name, {key: value} if key else None)
    return simulate(variant, [find_bot(bot)], 2000, pool=10, seed=8, players=n)


def value_of(moments: Moments, metric: str) -> float:
    (found,) = (one for one in moments.metrics if one.name == metric)
    value = moments.estimate(0, found).value
    assert value is not None
    return value


# Every bot


def test_the_bots() -> None:
    """There are bots, each with a description of one line and at its name."""
    assert {"random", "cautious"} <= set(BOTS)
    for name, text in bot_descriptions().items():
        assert len(text) > 10 and "\n" not in text and text.endswith(".")
        assert find_bot(name).name == name


@every_bot_and_variant
@every_table
def test_whole_pulkas_end(bot: str, name: str, n: int) -> None:
    """Every pulka ends by itself, and every deal in it is legal.

    An illegal action would stop the engine; here recorded deals are played once more, action by
    action, on a table that checks them. (A row of raspas that only a made seven ends is long for
    ``random``; columns of the refet game rise without end where he plays it, and for long where a
    slow bot does.)
    """
    columns = find_variant(name).has_columns and bot in ("random", *SHARES)
    batch = play(name, [seated(bot)] * n, some(bot, 4), max_deals=60 if columns else 5000)
    unfinished = batch.pulkas["unfinished"]
    assert unfinished.any() if columns and bot == "random" else columns or not unfinished.any()
    assert (batch.pulkas["n_deals"] > 0).all()
    assert (batch.pulkas["result"].sum(axis=1) == 0).all()
    assert batch.plays is not None
    rules = find_variant(name).rules(n, 4)
    table, pulka = Table(rules), 0
    for row, plays in list(zip(batch.deals, batch.plays, strict=True))[:100]:
        if row["pulka"] != pulka:
            table, pulka = Table(rules), int(row["pulka"])
        assert int(row["number"]) == draw_deal(3, pulka, int(row["deal"]))
        story = replay_deal(table, int(row["number"]), plays[: row["n_decisions"]].tolist())
        for field in ("kind", "level", "strain", "declarer", "tricks", "value", "raspas_index"):
            assert np.array_equal(story.row[field], row[field])


@every_bot_and_variant
@every_table
def test_the_seed_decides(bot: str, name: str, n: int) -> None:
    """The same seed gives the same bytes, another seed other deals, in any part of a run."""
    bots, most = [seated(bot)] * n, some(bot, LONG)
    whole = play(name, bots, 8, max_deals=most)
    assert same(whole, play(name, [seated(bot) for _ in range(n)], 8, max_deals=most))
    other = play(name, bots, 8, seed=4, max_deals=most)
    assert not set(whole.deals["number"].tolist()) & set(other.deals["number"].tolist())
    rules = find_variant(name).rules(n, 4)
    part = Shard(rules, bots, 3, 5, 8, most, record_plays=True).run()
    assert part.deals.tobytes() == whole.deals[whole.deals["pulka"] >= 5].tobytes()


@every_bot_and_variant
@every_table
def test_any_table(bot: str, name: str, n: int) -> None:
    """Each bot plays at a table with every other, at every seat."""
    for other in set(BOTS) - {bot}:
        for player in range(n):
            bots = [seated(other)] * n
            bots[player] = seated(bot)
            batch = play(name, bots, 2, max_deals=min(some(bot, 20), some(other, 20)))
            assert len(batch.pulkas) == 2


@every_bot
def test_garbage_in_the_workspace_does_not_matter(bot: str) -> None:
    """What lies in the workspace before a call changes nothing."""
    rules = find_variant("sochi").rules(3, 4)
    one, other = (
        Shard(rules, [seated(bot)] * 3, 3, 0, some(bot, 10), record_plays=True, poison=poison).run()
        for poison in (False, True)
    )
    assert same(one, other)


@every_bot_and_variant
@every_table
def test_it_bids_and_plays(bot: str, name: str, n: int) -> None:
    """In some pulkas a bot declares contracts from every seat, makes some and fails some."""
    pulkas, most = (40, 5) if bot in SHARES else (80, LONG)
    deals = play(name, [seated(bot)] * n, pulkas, max_deals=most).deals
    games = deals[deals["kind"] == TRICKS]
    assert set(range(n)) == set(games["declarer"].tolist())
    assert set(games["strain"].tolist()) >= {SPADES, CLUBS, DIAMONDS, HEARTS}  # no trump is rare
    assert len(set(games["level"].tolist())) >= 2 or find_variant(name).has_columns
    tricks = games["tricks"][np.arange(len(games)), games["declarer"]]
    failed = (games["played"] == 1) & (tricks < games["level"])
    assert 0 < failed.sum() < len(games)


def fuzz(draws: int, seed: int) -> dict[str, int]:
    """Quick bots under random conventions; how often what is seldom came about.

    An illegal action would stop the engine.
    """
    chance = random.Random(seed)
    bots = [find_bot(name) for name in FUZZED]
    seen = dict.fromkeys(("without_talon", "off_mountain", "concession", "dark_level"), 0)
    seen["dealer_whists"] = 0
    for _ in range(draws):
        n = chance.choice((3, 4))
        variant = find_variant(chance.choice(WITH_POOL), draw_settings(chance))
        seats = [chance.choice(bots) for _ in range(n)]
        shard = Shard(variant.rules(n, chance.choice((4, 12))), seats, chance.randrange(99), 0, 20)
        shard.max_deals = 60
        deals = shard.run().deals
        for field in deals.dtype.names:
            if field in seen:
                seen[field] += int((deals[field] > 0).sum())
        seen["dealer_whists"] += int(dealer_whists(deals).sum()) if n == 4 else 0
    return seen


def dealer_whists(deals: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Which deals the sitting-out dealer (of four) whisted."""
    return np.asarray(deals["decision"][np.arange(len(deals)), deals["dealer"]] == WHISTED)


def fuzz_refet(draws: int, seed: int) -> None:
    """The same under random conventions of the refet game, till all words of it are said."""
    chance = random.Random(seed)
    bots = [find_bot(name) for name in FUZZED]
    phases: set[int] = set()
    for _ in range(draws):
        n = chance.choice((3, 4))
        rules = house_refet(chance).rules(n, chance.choice((4, 12)))
        seats = [chance.choice(bots) for _ in range(n)]
        batch = Shard(rules, seats, chance.randrange(99), 0, 5, 30, record_plays=True).run()
        assert batch.plays is not None
        row, plays = batch.deals[-1], batch.plays[-1]
        decisions = plays[: row["n_decisions"]].tolist()
        story = replay_deal(fresh(Table(rules), row), int(row["number"]), decisions)
        phases |= {step.phase for step in story.steps}
    assert phases == {BIDDING, SUIT, DISCARD, CONTRACT, COME, CONTRA, CARD}


def test_any_conventions() -> None:
    """Under whatever conventions no bot does what is not legal."""
    assert min(fuzz(150, 1).values()) > 0
    fuzz_refet(80, 1)


@pytest.mark.parametrize("bot", SHARES)
@pytest.mark.parametrize("draw", [house_variant, house_razboinik, house_refet])
@pytest.mark.parametrize("draws", [12, pytest.param(300, marks=pytest.mark.slow)])
def test_slow_bots_under_any_conventions(bot: str, draw: Any, draws: int) -> None:
    """Nor does one that thinks for long: a deal or two under each of some random conventions."""
    chance = random.Random(f"{draws} {bot}")
    kinds: set[int] = set()
    for _ in range(draws):
        n = 2 if draw is house_razboinik else chance.choice((2, 3, 4)[draw is house_refet :])
        variant = draw(chance, n) if draw is house_variant else draw(chance)
        rules = variant.rules(n, 4 if variant.has_target else None)
        shard = Shard(rules, [seated(bot)] * n, chance.randrange(99), 0, 1, 2)
        deals = shard.run().deals
        assert not deals["value"].sum(axis=1).any()
        kinds |= set(deals["kind"].tolist())
    assert TRICKS in kinds and len(kinds) > 1


@pytest.mark.slow
def test_many_conventions() -> None:
    """The same for many more."""
    assert min(fuzz(4000, 2).values()) > 0
    fuzz_refet(4000, 2)


# The cautious bot


@every_pool
def test_a_misere_is_the_first_word(name: str) -> None:
    """Cautious says misère where it may be said: as his first call, over no bid of nine or ten."""
    batch = play(name, [find_bot("cautious")] * 3, 150, pool=10)
    assert batch.plays is not None
    rules = find_variant(name).rules(3, 10)
    with_talon = batch.deals["without_talon"] == 0
    chosen = np.flatnonzero((batch.deals["kind"] == MISERE_GAME) & with_talon)
    assert len(chosen) > 15
    for k in chosen.tolist():
        row = batch.deals[k]
        decisions = batch.plays[k, : row["n_decisions"]].tolist()
        story = replay_deal(fresh(Table(rules), row), int(row["number"]), decisions)
        calls = [step for step in story.steps if step.phase == AUCTION]
        (bid,) = (k for k, step in enumerate(calls) if step.action == MISERE_BID)
        before = calls[:bid]
        assert calls[bid].owner not in {step.owner for step in before}
        bids = [step.action - FIRST_BID for step in before if step.action not in (PASS, HOLD)]
        assert all(code < 15 for code in bids)
        assert all(step.action == PASS for step in calls[bid + 1 :])
        assert int(row["declarer"]) == calls[bid].player


@every_pool
@every_table
def test_most_contracts_are_made(name: str, n: int) -> None:
    """Cautious makes well over 70 % of his contracts and most at each level, and over 60 % of his
    misères; he has a raspas rate."""
    moments = study(name, "cautious", n=n)
    made = games = 0.0
    for level in LEVELS:
        share = value_of(moments, f"share_{level}")
        if share > 0.005:
            made += share * value_of(moments, f"made_{level}")
            games += share
            assert value_of(moments, f"made_{level}") > 0.54, level
            assert abs(value_of(moments, f"declarer_tricks_{level}") - level - 0.3) < 0.8
    assert games > 0.5 and made / games > 0.7
    assert value_of(moments, "made_misere") > 0.6
    assert 0.01 < value_of(moments, "raspas_rate") < 0.5
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


@every_pool
@every_table
def test_cautious_beats_random(name: str, n: int) -> None:
    """One against the others and the others against one: hundreds of whists a deal, far beyond
    doubt."""
    cautious, random = find_bot("cautious"), find_bot("random")
    won, doubt = rotated(name, cautious, random, 200, n, 30)
    assert won - doubt > 40
    lost, doubt = rotated(name, random, cautious, 200, n, 30)
    assert lost + doubt < -50


@every_pool
@four_slowly
@pytest.mark.parametrize("bias", [-6, 6])
def test_another_bias_does_not_pay(name: str, bias: int, n: int) -> None:
    """Who alone shifts his bidding by six whists gains less than half a whist a deal by it.

    Where games are written four times, four times as much.
    """
    won, doubt = rotated(name, find_bot(f"cautious@bias={bias}"), find_bot("cautious"), 2500, n)
    scale = find_variant(name).conventions["values.made"][0] / 2
    assert doubt < 0.3 * scale and won + doubt < 0.5 * scale


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


@every_bot
@every_table
def test_doubled_prices_change_no_decision(
    bot: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leningrad is twice Sochi: the same pulkas are played, for exactly twice the whists."""
    answer_as_in_sochi(monkeypatch, n)
    one, two = (
        play("sochi", [seated(bot)] * n, some(bot, 60), 12, 4, settings=settings)
        for settings in (SINGLE, DOUBLE)
    )
    for name in ("number", "kind", "level", "strain", "declarer", "decision", "tricks"):
        assert np.array_equal(one.deals[name], two.deals[name])
    assert one.plays is not None and two.plays is not None
    assert np.array_equal(one.plays, two.plays)
    assert np.array_equal(2 * one.deals["value"], two.deals["value"])
    assert np.array_equal(2 * one.pulkas["result"], two.pulkas["result"])


# What few variants have


def shifted_weights(rules: Any, options: Mapping[str, float]) -> Any:
    """The weights of ``cautious`` with other gains for the dealer's whist or off the mountain, and
    whether he plays blindly."""
    weights = layout.make_weights(rules, {"bias": 0.0})
    for name, offset, size in (
        ("dealer", layout.DEALER_GAIN, 5),
        ("mountain", layout.MOUNTAIN_GAIN, 6),
    ):
        if options[name]:
            weights[offset : offset + size] = options[name]
    return np.append(weights, options["blind"])


OPTIONS = {"dealer": 0.0, "mountain": 0.0, "blind": 0.0}


@make_bot(memory=N_MEMORY, options=OPTIONS, weights=shifted_weights)
def shifted(view: Any, own: Any) -> int:
    """``cautious`` with his mind made up: always (1) or never (-1); blind to what a declarer of
    misère may have laid away."""
    if view.phase == CARD and own.weights[len(own.weights) - 1] > 0:
        return choose_card(view, 0)
    return decide(view, own)


def deals_of(name: str, settings: Mapping[str, Any], n: int, pulkas: int = 600) -> Any:
    return play(name, [find_bot("cautious")] * n, pulkas, 10, settings=settings).deals


@pytest.mark.parametrize(
    ("name", "free", "pays"),
    [("sochi", False, False), ("sochi", True, True), ("leningrad", False, False)],
)
def test_the_dealer_whists_where_it_pays(name: str, free: bool, pays: bool) -> None:
    """The dealer takes over whists where he answers for nothing, and else seldom; who alone does
    otherwise loses by it."""
    settings = {"whist.dealer_may": True, "whist.dealer_responsible": not free}
    deals = deals_of(name, settings, 4)
    rate = dealer_whists(deals[deals["kind"] == TRICKS]).mean()
    assert rate > 0.2 if pays else rate < 0.01
    other = Bot("shifted", shifted, {"dealer": -1.0 if pays else 1.0})
    won, doubt = rotated(name, other, find_bot("cautious"), 500, 4, settings=settings)
    assert won + doubt < 0


@pytest.mark.parametrize(
    ("name", "instead", "pays"),
    [("sochi", 1, False), ("sochi", 2, True), ("piter", 2, False), ("piter", 3, True)],
)
@every_table
def test_off_the_mountain_where_it_is_dearer(name: str, instead: int, pays: bool, n: int) -> None:
    """Piter's pool points weigh two mountain points at the end, those of Sochi one."""
    deals = deals_of(name, {"values.off_mountain_instead": instead}, n)
    taken = deals["tricks"][np.arange(len(deals)), deals["declarer"]]
    made = (deals["kind"] == MISERE_GAME) & (taken == 0)
    left = (deals["kind"] == TRICKS) & (deals["played"] == 0) & (deals["decision"] < 2).all(axis=1)
    assert made.sum() > 50 and left.any()
    assert ((deals["off_mountain"] == 1) == (made | left if pays else False)).all()


def test_always_into_the_pool_loses_where_the_mountain_is_dearer() -> None:
    """Who alone writes into the pool where the mountain counts twice loses by it."""
    settings = {"values.off_mountain_instead": 2}
    pool = Bot("shifted", shifted, {"mountain": -1.0})
    won, doubt = rotated("sochi", pool, find_bot("cautious"), 1500, settings=settings)
    assert won + doubt < 0


@every_table
def test_without_the_talon_only_strong_hands(n: int) -> None:
    """Without the talon he outbids, seldom, and makes what he plays."""
    deals = deals_of("sochi", WITHOUT_TALON, n, 4000)
    bare = deals[deals["without_talon"] == 1]
    assert 20 < len(bare) < 0.005 * len(deals)
    tricks = bare["tricks"][np.arange(len(bare)), bare["declarer"]]
    game = bare["kind"] == TRICKS
    made = np.where(game, (tricks >= bare["level"]) | (bare["played"] == 0), tricks == 0)
    assert game.any() and made[game].mean() > 0.8 and made[~game].mean() > 0.55


def test_no_pass_in_the_dark() -> None:
    """He always looks, and who passes blindly has the raspas more often."""
    looking, blind = (
        play("klassika", [find_bot(bot)] * 3, 100, 10).deals["dark_level"]
        for bot in ("cautious", "random")
    )
    assert not looking.any() and (blind > 0).any()


@every_table
def test_dangerous_cards_are_passed_along(n: int) -> None:
    """At raspas he gives away high cards: a queen on the average, where a ten is the middle."""
    settings = {"raspas.talon": "pass_along", "raspas.talon_four": "pass_along"}
    batch = play("rostov", [find_bot("cautious")] * n, 20, 10, settings=settings)
    steps = steps_of(batch, "rostov", 10, settings, n, 200)
    ranks = [step.action % 8 for step in steps if step.phase == PASS_ALONG]
    assert len(ranks) > 100 and np.mean(ranks) > 4.5


def test_one_catches_or_trusts() -> None:
    """Who has the low cards catches a misère, and the other trusts him."""
    settings = {"misere.defence": "catch_or_trust"}
    batch = play("rostov_prizes", [find_bot("cautious")] * 3, 60, 10, settings=settings)
    steps = steps_of(batch, "rostov_prizes", 10, settings, count=600)
    calls = [step for step in steps if step.phase == CATCH]
    assert {step.action for step in calls} == {TRUST, CATCHES} and len(calls) > 20
    for one, two in zip(steps, steps[1:], strict=False):
        if one.phase == CATCH and one.action == CATCHES:
            assert two.phase == CATCH and two.action == TRUST


@every_table
def test_misere_is_caught_by_what_was_laid_away(n: int) -> None:
    """Defenders who think of the discard catch more misères than those who do not."""
    made = []
    for bot in (find_bot("cautious"), Bot("shifted", shifted, {"blind": 1.0})):
        rules = find_variant("sochi").rules(n, 20)
        deals = Shard(rules, [bot] * n, 11, 0, 2000).run().deals
        deals = deals[deals["kind"] == MISERE_GAME]
        made.append((deals["tricks"][np.arange(len(deals)), deals["declarer"]] == 0).mean())
    assert made[0] < made[1] - 0.005


@every_table
def test_a_paid_talon_is_feared(n: int) -> None:
    """Where quick tricks in the talon cost whists there are more raspas."""
    plain = value_of(study("sochi", "cautious", n=n), "raspas_rate")
    paid = value_of(study("sochi", "cautious", "talon.bonus", True, n=n), "raspas_rate")
    assert paid > 1.02 * plain
