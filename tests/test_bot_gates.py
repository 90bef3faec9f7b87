"""Gates that every serious bot must pass, and those of good judgement for the good ones.

A new bot goes into ``BOTS``, with the share of the usual number of deals that it has time for; one
that is meant to be good also into ``GOOD``. The bounds are stated beside each gate.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from bot_runs import play
from gate_runs import (
    MISERE_GAME,
    RASPAS,
    TRICKS,
    Seats,
    compare,
    explored_gaps,
    hands_of,
    is_laydown,
    may_lay_down,
    played_hands,
    relabelled,
    run_of,
    suits,
    sure_trumps,
)
from shipped_bots import answer_as_in_sochi

from bots import find_bot
from bots.hand_tables import catch_table
from bots.study.environment import learned, unit_of
from bots.study.fixpoints import shipped
from bots.study.rows import OPEN_ROW, WHIST_ROW
from bots.study.student import parts
from scoring.contract import NO_TRUMP
from scoring.variant import find_variant, variant_names
from sim.cards import ALL_CARDS, cards_of, mask_of
from sim.deals import draw_deal, unrank
from sim.duel.match import make_match
from sim.duel.playing import play_match
from sim.solver import solve_many
from sim.training.calibration import calibration, fit_judge
from sim.training.environment import explore_round
from sim.training.student import Student

BOTS = {"cautious": 1.0, "expert": 1.0}
"""Bots that play sensibly, each with the share of the usual deals that its speed allows."""
GOOD: tuple[str, ...] = ("expert",)
"""Bots of good judgement."""
UNTUNED = {"expert": "expert@learned=0"}
"""A bot that is tuned to variants, as it plays by prices alone: under conventions that it is not
tuned to it answers as in the nearest variant, whatever they cost."""


def good_bots() -> tuple[str, ...]:
    """The bots that must pass the gates of good judgement."""
    return GOOD


every_bot = pytest.mark.parametrize("bot", BOTS)
every_good_bot = pytest.mark.parametrize("bot", good_bots())

NAMES = ("sochi", "leningrad", "rostov")
LIKE_LENINGRAD = {
    "end.when": "sum",
    "help.pool": False,
    "whist.long": True,
    "raspas.progression": [1],
    "raspas.zero_prices": 0,
    "raspas.zero_points": 1,
}
"""What Sochi lacks of Leningrad besides prices."""
LIKE_SOCHI = {
    "whist.style": "greedy",
    "values.remise": [4, 8, 12, 16, 20],
    "raspas.zero_prices": 0,
    "raspas.zero_points": 1,
}
"""Leningrad with Sochi's responsibility: twice Sochi in every price."""
HUMAN = {6: (4.31, 2.06, 6.43), 7: (4.72, 2.31, 7.48), 8: (5.17, 2.49, 8.52), 9: (5.38, 2.61, 9.27)}
"""Of people's suit contracts by level: mean trumps, aces, and tricks with all cards open."""
TRUMPS_OFF, ACES_OFF, TRICKS_OFF = 0.35, 0.35, 0.5
NINES_ACES_OFF = 0.7
"""How far a bot's means may be from them; nines are few, and people's were laid away anew."""


def pulkas_of(bot: str, usual: int) -> int:
    return max(1, round(usual * BOTS.get(bot, 1.0)))


# Everybody's books


@every_bot
@pytest.mark.parametrize("n", (3, 4))
def test_every_deal_sums_to_zero(bot: str, n: int) -> None:
    """In every variant of so many players, and so do the pulkas, which are their deals' sums."""
    for name in variant_names():
        if n not in find_variant(name).players:
            continue
        batch = play(name, [find_bot(bot)] * n, pulkas_of(bot, 10), max_deals=60)
        values = batch.deals["value"]
        assert np.any(values) and not np.any(values.sum(axis=1))
        for k, pulka in enumerate(batch.pulkas["pulka"]):
            mine = values[batch.deals["pulka"] == pulka]
            assert np.array_equal(mine.sum(axis=0), batch.pulkas["result"][k])


@every_bot
@pytest.mark.parametrize("name", NAMES)
def test_equal_players_win_nothing(bot: str, name: str) -> None:
    """Three of a bot: each player's mean result is within four standard errors of nothing."""
    result = run_of(bot, name, pulkas_of(bot, 1500)).pulkas["result"][:, :3] / 12
    errors = result.std(axis=0) / np.sqrt(len(result))
    assert (errors > 0).all() and (np.abs(result.mean(axis=0)) < 4 * errors).all()


@every_bot
def test_suits_are_alike(bot: str) -> None:
    """A deal whose suits have changed places is played alike: the kind of the deal is the same in
    97 of a hundred, declarer and level in 85, everybody's tricks in 70; mean levels and tricks are
    within four standard errors of the paired differences.

    The rest are ties broken by suit, and bids that a dearer suit may still outbid. (The means alone
    would say little: random deals with their suits moved are random deals.)
    """
    seats, chance = Seats(bot, "sochi"), Random(5)
    pairs = []
    for k in range(pulkas_of(bot, 800)):
        number = int(draw_deal(11, k, 0))
        order = chance.choice(list(permutations(range(4)))[1:])
        talon = cards_of(int(unrank(number)[3]))
        moved = [8 * order.index(card >> 3) | card & 7 for card in talon]
        pairs.append((seats.play(number, talon), seats.play(relabelled(number, order), moved)))
    one, other = (np.array([pair[k] for pair in pairs]) for k in range(2))
    game = np.ones(len(pairs), bool)
    for field in ("kind", "level", "declarer"):
        game &= one[field] == other[field]
    tricks = game & (one["tricks"] == other["tricks"]).all(axis=1)
    assert (one["kind"] == other["kind"]).mean() > 0.97
    assert game.mean() > 0.85 and tricks.mean() > 0.7
    assert set(one["kind"].tolist()) >= {RASPAS, TRICKS} and not np.array_equal(one, other)
    for field in ("level", "tricks"):
        first, second = (np.atleast_2d(rows[field].T)[0] for rows in (one, other))
        apart = (first - second).astype(float)
        assert abs(apart.mean()) < 4 * apart.std() / np.sqrt(len(apart)) + 1e-9


@every_bot
@pytest.mark.parametrize("n", (3, 4))
def test_leningrad_is_twice_sochi(bot: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With Sochi's responsibility and raspas all prices are doubled: each decision is the same,
    each deal worth exactly twice as much."""
    answer_as_in_sochi(monkeypatch, n)
    one, two = (
        play(name, [find_bot(bot)] * n, pulkas_of(bot, 100), 12, 6, settings=settings)
        for name, settings in (("sochi", LIKE_LENINGRAD), ("leningrad", LIKE_SOCHI))
    )
    assert one.plays is not None and two.plays is not None and len(one.deals) > len(one.pulkas)
    assert np.array_equal(one.deals["number"], two.deals["number"])
    assert np.array_equal(one.plays, two.plays)
    assert np.array_equal(2 * one.deals["value"], two.deals["value"])
    assert np.array_equal(2 * one.pulkas["result"], two.pulkas["result"])


# Nothing that is worse whatever comes


def passed_games(bot: str, name: str, pulkas: int) -> tuple[int, int]:
    """Last hands with six sure trump tricks or more where raspas cost nothing, and how many of them
    went into raspas."""
    deals = run_of(bot, name, pulkas, free_raspas=True).deals
    sure = np.array([sure_trumps(hands_of(int(k))[2]) >= 6 for k in deals["number"]])
    return int(sure.sum()), int(sure[deals["kind"] == RASPAS].sum())


def laydowns(bot: str, name: str, pulkas: int) -> tuple[int, int, int]:
    """Declarers who held ten sure tricks on their own lead, how many of them ordered fewer, and how
    many did not take them all."""
    batch = run_of(bot, name, pulkas)
    games = np.flatnonzero(batch.deals["kind"] == TRICKS).tolist()
    which = [k for k in games if may_lay_down(batch.deals[k])]
    found = [one.row for one in played_hands(batch, name, which) if is_laydown(one.cards)]
    low = sum(int(row["level"]) < 10 for row in found)
    lost = sum(int(row["played"]) and int(row["tricks"][row["declarer"]]) < 10 for row in found)
    return len(found), low, lost


def caught_clean(bot: str, name: str, pulkas: int) -> tuple[int, int]:
    """Misères safe in every suit of a declarer who does not lead, and how many were caught."""
    batch = run_of(bot, name, pulkas)
    which = np.flatnonzero(batch.deals["kind"] == MISERE_GAME).tolist()
    safe = catch_table() == 0
    found = [
        int(one.row["tricks"][one.row["declarer"]])
        for one in played_hands(batch, name, which)
        if one.hand != 0 and all(safe[ranks] for ranks in suits(one.cards))
    ]
    return len(found), sum(tricks > 0 for tricks in found)


@every_bot
@pytest.mark.parametrize("name", NAMES)
def test_sure_games_are_not_passed_for_nothing(bot: str, name: str) -> None:
    """Where raspas cost nothing, a hand whose trumps alone take six tricks is never passed into
    them after two passes: the game wins something.

    (Where raspas have their price, passing may be right: with the low cards of so long a suit one
    takes no trick, and throws the others away.)
    """
    held, passed = passed_games(bot, name, pulkas_of(bot, 1500))
    assert held > 100 * BOTS.get(bot, 1.0) and passed == 0


@every_bot
@pytest.mark.parametrize("name", NAMES)
def test_clean_miseres_are_not_caught(bot: str, name: str) -> None:
    """A misère that no play can catch takes no trick."""
    held, caught = caught_clean(bot, name, pulkas_of(bot, 1500))
    assert held > 50 * BOTS.get(bot, 1.0) and caught == 0


@pytest.mark.slow
@every_good_bot
@pytest.mark.parametrize("name", NAMES)
def test_ten_sure_tricks_are_ordered(bot: str, name: str) -> None:
    """Who holds ten sure tricks on his own lead orders ten, and takes them."""
    held, low, lost = laydowns(bot, name, pulkas_of(bot, 4000))
    assert held > 0 and low == 0 and lost == 0


# What must move with the prices


@every_bot
@pytest.mark.parametrize(
    ("one", "other", "metric"),
    [
        ({"raspas.price": 1}, {"raspas.price": 3}, "raspas_rate"),
        ({"raspas.price": 3}, {"raspas.price": 6}, "raspas_rate"),
        ({"values.remise": [1, 2, 3, 4, 5]}, {}, "whist_rate"),
        ({}, {"values.remise": [4, 8, 12, 16, 20]}, "whist_rate"),
        ({}, {"values.undertrick": [1, 2, 3, 4, 5]}, "raspas_rate"),
        ({"values.undertrick": [4, 8, 12, 16, 20]}, {}, "raspas_rate"),
    ],
    ids=["dear raspas", "dearer raspas", "half duty", "double duty", "cheap", "dear undertricks"],
)
def test_prices_move_decisions(bot: str, one: Any, other: Any, metric: str) -> None:
    """Dearer raspas are fewer; whoever answers for more whists less; who pays less for tricks short
    bids more, so that fewer deals are raspas. The whole 95 % interval is on the right side."""
    apart = compare(UNTUNED.get(bot, bot), one, other, metric, pulkas_of(bot, 600))
    assert apart.low is not None and apart.low > 0


# Contracts like people's


def contract_hands(
    bot: str, name: str, pulkas: int, level: int, worlds: int = 10
) -> tuple[int, float, float, float]:
    """Suit contracts of a level: how many, mean trumps, aces, and tricks with all cards open
    against random hands, the first hand to lead."""
    batch = run_of(bot, name, pulkas)
    deals = batch.deals
    mine = (deals["kind"] == TRICKS) & (deals["level"] == level) & (deals["strain"] != NO_TRUMP)
    chance = Random(level)
    trumps, aces, tricks = [], [], []
    for one in played_hands(batch, name, np.flatnonzero(mine)[:400].tolist()):
        strain = int(one.row["strain"])
        trumps.append(suits(one.cards)[strain].bit_count())
        aces.append((one.cards & 0x80808080).bit_count())
        rest = cards_of(ALL_CARDS & ~one.cards)
        rows = []
        for _ in range(worlds):
            others = chance.sample(rest, 20)
            rows.append([one.cards, mask_of(others[:10]), mask_of(others[10:])])
        tricks.append(solve_many(np.array(rows), strain, 0, -one.hand % 3).mean())
    return len(trumps), float(np.mean(trumps)), float(np.mean(aces)), float(np.mean(tricks))


@pytest.mark.slow
@every_bot
@pytest.mark.parametrize("name", ["sochi", "leningrad"])
def test_contracts_are_like_peoples(bot: str, name: str) -> None:
    """Suit contracts rest on as many trumps and aces, and expect as many tricks, as those that
    people declared at www.gambler.ru: within a third of a card and half a trick."""
    for level, (trumps, aces, tricks) in HUMAN.items():
        found = contract_hands(bot, name, pulkas_of(bot, 1500), level)
        assert found[0] >= 100 * BOTS.get(bot, 1.0)
        assert abs(found[1] - trumps) < TRUMPS_OFF, (level, found)
        assert abs(found[2] - aces) < (NINES_ACES_OFF if level == 9 else ACES_OFF), (level, found)
        assert abs(found[3] - tricks) < TRICKS_OFF, (level, found)


# Judgement


STUDENT = Student(**parts())
FEWEST = 200
"""Decisions of a bucket whose mean says something."""
PREFERS = (1.0, 2.0, 4.0, 8.0, np.inf)
"""Whists by which an action is preferred, by the prices of Sochi; less is hardly a preference."""
MISJUDGED = 0.3
"""Whists by which a bucket may be misjudged, by the prices of Sochi."""
DOUBT = 3.5
"""Standard errors that it may be more: there are hundreds of buckets."""


def price_of(name: str) -> float:
    """A made six by that of Sochi."""
    return unit_of(find_variant(name).rules()) / unit_of(find_variant("sochi").rules())


@pytest.mark.slow
@pytest.mark.parametrize("name", [one["variant"] for one in shipped() if one["players"] == 3])
def test_what_expert_prefers_is_better(name: str) -> None:
    """The action that ``expert`` chooses brings more than another when both are played out, in all
    decisions and by kind: beyond doubt from two whists on, and not less from one on."""
    gaps = explored_gaps(name, 60_000)
    assert len(gaps.predicted) > 100_000
    predicted = gaps.predicted / price_of(name)
    kinds = {"all": gaps.row >= 0, "auction": gaps.row < WHIST_ROW, "later": gaps.row >= OPEN_ROW}
    for kind, these in kinds.items():
        for low, high in pairwise(PREFERS):
            came = gaps.realised[these & (predicted >= low) & (predicted < high)]
            if len(came) >= FEWEST:
                doubt = DOUBT * came.std() / np.sqrt(len(came)) if low == PREFERS[0] else 0
                assert came.mean() > -doubt, (kind, low, len(came), came.mean(), doubt)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sochi", "rostov", "leningrad", "finka", "refet", "classic_two"])
def test_expert_knows_what_deals_are_worth(name: str) -> None:
    """What a deal is worth to who opens, bids misère, names his contract, whists or passes into
    raspas, by his own valuation made true over some deals: of others it is true in every bucket."""
    rules = find_variant(name).rules()
    rows = learned(rules)
    own, others = (explore_round(STUDENT, rules, rows, seed, 200_000, True) for seed in (51, 52))
    told = calibration(fit_judge(STUDENT, rows, STUDENT.kinds(rules), own), others)
    assert {bucket.kind for bucket in told} == set(STUDENT.kinds(rules)) and len(told) > 20
    for bucket in told:
        apart = abs(bucket.realised - bucket.predicted)
        doubt = DOUBT * 2**0.5 * bucket.error  # that of both samples
        assert apart < MISJUDGED * price_of(name) + doubt, bucket


@pytest.mark.slow
@pytest.mark.parametrize(("name", "other"), [("rostov", "sochi"), ("sochi", "rostov")])
def test_answers_of_another_variant_lose(name: str, other: str) -> None:
    """An ``expert`` tuned to another variant is behind one tuned to this one, beyond doubt."""
    assert {(name, 3), (other, 3)} <= {(one["variant"], one["players"]) for one in shipped()}
    bots = [find_bot("expert"), find_bot(f"expert@tuned={other}")]
    found = play_match(make_match(name, bots, 8_192, seed=5)).pairs[0].difference
    assert found.low is not None and found.low > 0
