"""``cautious`` at the refet game: sensible figures under each variant's payoffs, care for the
conventions that change them, and choices that win more than their absence would."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from bot_runs import play, rotated

from bots import find_bot, refet_layout
from bots.api import (
    BIDDING,
    COME,
    COMES,
    CONTRA,
    GAME_CALL,
    INVITES,
    NO_CONTRA,
    PASS,
    STAYS,
    ctz,
)
from bots.api import bot as make_bot
from bots.cautious import N_MEMORY, decide
from bots.hand_tables import BUCKETS
from bots.refet_prices import (
    CONTRA as UNDER_CONTRA,
)
from bots.refet_prices import (
    FREE,
    INVITING,
    LONE,
    RECONTRA,
    all_or_nothing_price,
    pair_price,
    way_price,
)
from scoring.contract import (
    BETL,
    MISERE_GAME,
    NO_TRUMP,
    RASPAS,
    REFET_CLUBS,
    REFET_SPADES,
    SANS,
    refet_base,
)
from scoring.result import INVITED, WHISTED
from scoring.variant import find_variant, variant_names
from sim.botcall import Bot
from sim.deals import unrank

VARIANTS = tuple(name for name in variant_names() if find_variant(name).has_columns)
START = 30
Rows = np.ndarray[Any, Any]
Settings = Mapping[str, Any]

every_variant = pytest.mark.parametrize("name", VARIANTS)
every_table = pytest.mark.parametrize("n", (3, 4))


def cautious(bias: float = 0.0) -> Bot:
    return find_bot(f"cautious@bias={bias}")


class Played:
    """Deals of a run, and by deal: the base, whether it was made, who came, whether it was played
    as plain spades."""

    def __init__(self, deals: Rows) -> None:
        self.deals = deals
        self.game = deals["kind"] != RASPAS
        strain = np.where(deals["kind"] == MISERE_GAME, NO_TRUMP, deals["strain"])
        columns = (deals["kind"], deals["level"], strain)
        self.base = np.array([refet_base(*map(int, row)) for row in zip(*columns, strict=True)])
        self.base[~self.game] = 0
        own = deals["tricks"][np.arange(len(deals)), deals["declarer"]]
        held = np.where(deals["kind"] == MISERE_GAME, own == 0, own >= deals["level"])
        self.played = deals["played"] == 1
        self.made = held | ~self.played
        self.came = (deals["decision"] == WHISTED).sum(axis=1)
        self.invited = (deals["decision"] == INVITED).any(axis=1)
        self.contra = deals["contra"] > 0
        hand = deals["without_talon"] == 1
        self.plain_spades = (self.base == REFET_SPADES) & ~hand
        self.open = self.game & ~self.plain_spades & (self.base <= SANS) & (self.base != BETL)
        """Contracts for six tricks at which somebody may come or stay away."""

    def rate(self, happened: Rows, among: Rows) -> float:
        return float(happened[among].mean())


@functools.cache
def study(name: str, n: int = 3, pulkas: int = 1000, start: int = START) -> Played:
    """Pulkas of the variant as it is."""
    batch = play(name, [cautious()] * n, pulkas, start)
    assert not batch.pulkas["unfinished"].any()
    assert 8 < batch.pulkas["n_deals"].mean() < 30
    return Played(batch.deals)


def with_settings(name: str, settings: Settings, start: int = START, pulkas: int = 250) -> Played:
    return Played(play(name, [cautious()] * 3, pulkas, start, settings=settings).deals)


# Figures


@every_variant
@every_table
def test_contracts_are_made(name: str, n: int) -> None:
    """All contracts are named, and made as often as those of careful players; few hands are passed
    by all, and a good part is played from the hand."""
    seen = study(name, n)
    assert set(range(REFET_SPADES, SANS + 1)) <= set(seen.base[seen.game].tolist())
    for base in range(REFET_SPADES + 1, SANS + 1):
        assert 0.65 < seen.rate(seen.made, seen.played & (seen.base == base)) < 0.97, base
    assert 0.7 < seen.rate(seen.made, seen.game) < 0.95
    assert 0.02 < 1 - seen.game.mean() < 0.25
    assert 0.1 < seen.rate(seen.deals["without_talon"] == 1, seen.game) < 0.45
    assert seen.rate(seen.deals["bid"] == REFET_SPADES, seen.game) > 0.2
    assert (seen.deals["refet"] == 1).mean() > 0.03


@every_variant
@every_table
def test_followers_come(name: str, n: int) -> None:
    """Contracts are left alone, met by one, by one who invites and by two; two make them fail more
    often than one."""
    seen = study(name, n)
    lone = seen.open & (seen.came == 1) & ~seen.invited & ~seen.contra
    pair = seen.open & (seen.came == 2) & ~seen.contra
    assert 0.05 < seen.rate(seen.came == 0, seen.open) < 0.35
    assert 0.3 < seen.rate(lone, seen.open) < 0.75
    assert 0.05 < seen.rate(pair, seen.open) < 0.45
    assert seen.rate(seen.invited, seen.open) > 0.01
    assert 2 * seen.rate(~seen.made, lone) < seen.rate(~seen.made, pair) < 0.5


@every_variant
def test_contra_mostly_succeeds(name: str) -> None:
    """Contra is said, mostly against plain spades, and more contracts fail under it than not."""
    seen = study(name)
    assert seen.contra.sum() > 20
    assert seen.rate(~seen.made, seen.contra) > 0.5
    assert seen.rate(seen.contra, seen.plain_spades) > 10 * seen.rate(seen.contra, seen.open)
    assert (seen.plain_spades & ~seen.played).sum() > 20


@pytest.mark.slow
@every_variant
def test_recontra_mostly_succeeds(name: str) -> None:
    """Most contracts that are doubled twice are made."""
    seen = study(name, 3, 6000)
    again = seen.deals["contra"] == 2
    assert again.sum() > 50 and seen.rate(seen.made, again) > 0.6


def test_a_good_suit_is_never_passed_out() -> None:
    """No hand passed by all holds a suit of six with its ace and king."""
    seen = study("refet")
    for number in seen.deals["number"][~seen.game]:
        for hand in unrank(int(number))[:3]:
            ranks = [hand >> 8 * suit & 255 for suit in range(4)]
            assert not any(r.bit_count() >= 6 and r >> 6 == 0b11 for r in ranks)


# Payoffs


def test_prices_of_the_defence() -> None:
    """With three players a point of the column is worth twenty thirds to its owner and ten thirds
    to the others, a trick one."""
    rules = find_variant("refet").rules(3)
    third = 10 / 3
    free = way_price(rules, FREE, 0)
    assert free.capped[0] == pytest.approx(2 * third) and free.full[0] == 0
    lone = way_price(rules, LONE, 1)
    assert lone.capped[2:5] == pytest.approx(-third + np.arange(2, 5))
    assert lone.full[:2] == pytest.approx(-third - 2 * third + np.arange(2))
    assert lone.full[5] == pytest.approx(third + 5)
    contra, again = (way_price(rules, way, 1).full for way in (UNDER_CONTRA, RECONTRA))
    assert contra[5] == pytest.approx(2 * (third + 5)) and again == pytest.approx(2 * contra)
    assert contra[4] == pytest.approx(2 * (-3 * third + 4))
    invites = way_price(rules, INVITING, 1)
    assert invites.full[3] == pytest.approx(-3 * third + 3)
    assert invites.capped[4] == pytest.approx(-third + 4)
    own, other = 1, 3
    pair = pair_price(rules)
    assert pair.capped[6 * own + other] == pytest.approx(-third + own)
    strict = pair_price(find_variant("ipref").rules(3))
    assert strict.full[6 * own + other] == pytest.approx(-3 * third + own)
    assert strict.full[6 * own + 4] == pytest.approx(third - 2 * third + own)
    betl = all_or_nothing_price(rules, 0, 0, 1)
    assert betl.full[1] == pytest.approx(third + 5) and betl.capped[0] == pytest.approx(-third)


def test_a_failed_last_hand_may_cost_twice() -> None:
    """Only where the convention says so, and then by the whole value."""
    assert not way_price(find_variant("refet").rules(3), LONE, 0).fall.any()
    fall = way_price(find_variant("iklub").rules(3), LONE, 0).fall
    assert fall[5] == pytest.approx(-20 / 3) and not fall[:5].any()


def test_the_whole_value_where_nothing_is_cut() -> None:
    """Where the last hand is written in full, no price has a part that is cut down."""
    weights = refet_layout.refet_weights(find_variant("ipref").rules(3), {"bias": 0.0})
    first, last = refet_layout.PLAY_SUIT, refet_layout.LEFT_PRICE
    for place in range(first, last + 1, 3 * BUCKETS):
        assert not weights[place : place + BUCKETS].any()


@every_variant
def test_no_contra_where_there_is_none(name: str) -> None:
    """Neither said nor wanted: plain spades are then left, unless they are played without."""
    seen = with_settings(name, {"contra.levels": 0}, pulkas=60)
    assert not seen.contra.any() and not seen.played[seen.plain_spades].any()
    seen = with_settings(name, {"contra.levels": 1}, pulkas=60)
    assert seen.deals["contra"].max() == 1
    free = with_settings(name, {"spades.needs_contra": False}, pulkas=60)
    assert free.rate(free.played, free.plain_spades) > 0.5


def test_nobody_leans_on_another_where_he_may_not() -> None:
    """Where each owes two tricks whatever the other takes, fewer come as the second."""
    shares = []
    for short in ("own_or_pair", "own"):
        seen = with_settings("refet", {"follow.short": short})
        shares.append(seen.rate(seen.came == 2, seen.open))
    assert shares[1] < 0.8 * shares[0]


def test_invitations_where_they_are_made() -> None:
    """Without invitations nobody invites, and most of those who would come all the same."""
    plain = study("refet")
    seen = with_settings("refet", {"follow.invite": False})
    assert plain.invited.any() and not seen.invited.any()
    assert seen.rate(seen.came > 0, seen.open) > 0.9 * plain.rate(plain.came > 0, plain.open)


def test_near_the_end_little_is_ventured() -> None:
    """With two points left of each column a made hand is worth little where it is cut down, and a
    failed one all or twice as much: more pass, and safer contracts are named than where the last
    hand is written in full; early in a pulka all is the same."""
    for start, differs in ((2, True), (START, False)):
        passed, named = [], []
        for settings in (
            {"last.made": "stop"},
            {"last.made": "cap"},
            {"last.made": "cap", "last.double_fall": True},
        ):
            bots = [cautious()] * 3
            seen = Played(play("refet", bots, 1500, start, max_deals=1, settings=settings).deals)
            passed.append(1 - seen.game.mean())
            named.append(float(seen.base[seen.game].mean()))
        if differs:
            assert passed[2] > 1.2 * passed[1] > 1.3 * passed[0]
            assert named[2] < named[1] - 0.2 < named[0] - 0.5
        else:
            assert len(set(passed)) == len(set(named)) == 1


FEW = "refets.few"


def after_refets(settings: Settings) -> dict[tuple[int, int], Any]:
    """By pulka and number of the deal, those that follow the first hand passed by all."""
    deals = play("refet", [cautious()] * 3, 1200, START, settings=settings).deals
    found, seen = {}, set()
    for before, row in zip(deals[:-1], deals[1:], strict=True):
        if before["kind"] == RASPAS and before["pulka"] not in seen:
            seen.add(before["pulka"])
            if row["pulka"] == before["pulka"] and before["may_refet"] == (settings[FEW] > 0):
                found[int(row["pulka"]), int(row["deal"])] = row
    return found


def test_a_refet_held_changes_the_auction() -> None:
    """The same cards after the same hands: with a refet in every hand contracts are worth double,
    so some auctions end otherwise, most do not."""
    without, held = (after_refets({FEW: few}) for few in (0, 1))
    both = sorted(without.keys() & held.keys())
    assert len(both) > 100
    assert all(without[key]["number"] == held[key]["number"] for key in both)
    assert all(held[key]["refet"] == (held[key]["declarer"] >= 0) for key in both)
    differ = [
        without[key]["bid"] != held[key]["bid"] or without[key]["declarer"] != held[key]["declarer"]
        for key in both
    ]
    assert 0.01 < np.mean(differ) < 0.4


# Duels


@every_variant
@every_table
def test_cautious_beats_random(name: str, n: int) -> None:
    """One against the others and the others against one: hundreds of whists a deal."""
    random = find_bot("random")
    won, doubt = rotated(name, cautious(), random, 60, n, 20)
    assert won - doubt > 60
    lost, doubt = rotated(name, random, cautious(), 60, n, 20)
    assert lost + doubt < -60


OPTIONS = {"comes": -1.0, "invites": -1.0, "contra": -1.0, "answers": -1.0, "games": -1.0}


def stubborn_weights(rules: Any, options: Mapping[str, float]) -> Any:
    """Those of ``cautious``, with what is always (1) or never (0) said at the end."""
    weights = refet_layout.refet_weights(rules, {"bias": 0.0})
    return np.append(weights, [options[key] for key in OPTIONS])


@make_bot(memory=N_MEMORY, options=OPTIONS, weights=stubborn_weights)
def stubborn(view: Any, own: Any) -> int:
    """``cautious`` with a habit: who always or never comes, invites, says contra, answers it or
    calls a game from the hand."""
    w = own.weights
    habits = len(w) - 5
    if view.phase == COME and view.legal >> COMES & 1 and w[habits] >= 0:
        return COMES if w[habits] > 0 else STAYS
    if view.phase == COME and view.legal >> INVITES & 1 and w[habits + 1] >= 0:
        return INVITES if w[habits + 1] > 0 else INVITES - 1
    if view.phase == CONTRA and view.contra == 0 and w[habits + 2] >= 0:
        return NO_CONTRA + (1 if w[habits + 2] > 0 else 0)
    if view.phase == CONTRA and view.contra > 0 and w[habits + 3] >= 0:
        return NO_CONTRA + (1 if w[habits + 3] > 0 else 0)
    action = decide(view, own)
    if view.phase == BIDDING and w[habits + 4] == 0 and action >= GAME_CALL:
        numbers = view.legal & (1 << GAME_CALL) - 1 & ~(1 << PASS)
        return ctz(numbers) if numbers else PASS
    return action


def gain_of(habit: str, value: int, name: str, pulkas: int, n: int = 3) -> tuple[float, float]:
    """What a habit wins a deal from those who do without it."""
    return rotated(name, Bot("habit", stubborn, {habit: float(value)}), cautious(), pulkas, n)


@pytest.mark.parametrize(
    ("habit", "value", "loss"),
    [("comes", 1, 3), ("comes", 0, 3), ("invites", 1, 1), ("contra", 1, 20)],
)
@pytest.mark.parametrize("name", ["refet", "ipref"])
def test_habits_are_dear(name: str, habit: str, value: int, loss: float) -> None:
    """Who always comes, stays away, invites or says contra loses whists a deal by it."""
    won, doubt = gain_of(habit, value, name, 500)
    assert won + doubt < -loss


@pytest.mark.slow
@pytest.mark.parametrize(
    ("habit", "value"),
    [("contra", 0), ("answers", 0), ("answers", 1), ("invites", 0), ("games", 0)],
)
def test_what_is_seldom_said_pays(habit: str, value: int) -> None:
    """Who never says contra, recontra, invites or plays from the hand loses by it, little as it
    is."""
    won, doubt = gain_of(habit, value, "refet", 60000)
    assert won + doubt < 0


@pytest.mark.parametrize("bias", [-12, 12])
@pytest.mark.parametrize(
    "name", [VARIANTS[0], *(pytest.param(v, marks=pytest.mark.slow) for v in VARIANTS[1:])]
)
def test_another_bias_does_not_pay(name: str, bias: int) -> None:
    """Who alone values bidding a dozen whists higher or lower gains nothing by it."""
    won, doubt = rotated(name, cautious(bias), cautious(), 2500)
    assert doubt < 0.6 and won + doubt < 0.6


def test_the_bias_is_monotone() -> None:
    """The more whists are added to the value of bidding, the fewer hands are passed by all."""
    rates = [
        (play("refet", [cautious(bias)] * 3, 150, START).deals["kind"] == RASPAS).mean()
        for bias in (-20, -10, 0, 10, 20)
    ]
    assert rates == sorted(rates, reverse=True) and rates[0] > 1.5 * rates[2] > 2 * rates[-1]
    assert REFET_CLUBS in study("refet").base
