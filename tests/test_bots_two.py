"""The shipped bots with two players and the dummy, and at razboinik: whole pulkas, sensible
figures, and care for the values and conventions of what is played."""

from __future__ import annotations

import functools
import random
from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from bot_runs import DOUBLE, SINGLE, play, rotated, rules_of, same, steps_of
from random_play import house_variant
from shipped_bots import answer_as_in_sochi, seated, some

from bots import bot_descriptions, find_bot, layout, row_choice
from bots.api import below, ctz, kernel, nth_bit, popcount
from bots.api import bot as make_bot
from bots.cautious import N_MEMORY, decide
from bots.valuation import discard_for, plan_ducking
from scoring.contract import MISERE, MISERE_ROW, N_ROWS
from scoring.conventions import ROW_AFTER
from scoring.result import WHISTED
from scoring.sheet import open_rows
from scoring.variant import find_variant, variant_names
from sim.botcall import Bot
from sim.cards import parse_hand
from sim.engine import Shard
from sim.show import replay_deal
from sim.state import AGREE, AGREES, CONTRACT, DISCARD, OPEN, ROW, TAKE_TALON
from sim.table import Table

OF_POOL = [name for name in variant_names() if find_variant(name).has_pool]

RASPAS, TRICKS, MISERE_GAME = range(3)
PAIRS = ("classic_two", "gusarik_indivisible", "leningrad", "klassika", "razboinik")
"""Variants that differ much with two players."""
POOLS = ("sochi", "leningrad", "rostov", "gusarik_indivisible")
TALONS = ("misere_before", "row_before", "row_after", "none")
DUMMIES = ("open", "dead")
BOTS = tuple(bot_descriptions())
BLIND_PAYS = {"dummy.blind_duty": [1, 1, 0, 0, 0]}

Settings = Mapping[str, Any]
Rows = np.ndarray[Any, Any]

every_bot = pytest.mark.parametrize("bot", BOTS)
every_pair = pytest.mark.parametrize("name", PAIRS)
every_pool = pytest.mark.parametrize("name", POOLS)
every_talon = pytest.mark.parametrize("talon", TALONS)
every_dummy = pytest.mark.parametrize("dummy", DUMMIES)


def cautious(bias: float = 0.0) -> Bot:
    return find_bot(f"cautious@bias={bias}")


def deals_of(name: str, settings: Settings | None = None, pulkas: int = 300) -> Rows:
    """Deals of two cautious players."""
    return play(name, [cautious()] * 2, pulkas, 10, settings=settings).deals


# Every bot


@every_bot
@every_pair
def test_whole_pulkas_end(bot: str, name: str) -> None:
    """Pulkas end by themselves, and their deals are legal, played once more on a table."""
    batch = play(name, [seated(bot)] * 2, some(bot, 4), max_deals=5000)
    assert not batch.pulkas["unfinished"].any()
    assert (batch.pulkas["result"].sum(axis=1) == 0).all()
    assert batch.plays is not None
    table, pulka = Table(rules_of(name, None, 2, 4)), 0
    for row, plays in list(zip(batch.deals, batch.plays, strict=True))[:60]:
        if row["pulka"] != pulka:
            table, pulka = Table(rules_of(name, None, 2, 4)), int(row["pulka"])
        story = replay_deal(table, int(row["number"]), plays[: row["n_decisions"]].tolist())
        for field in ("kind", "level", "strain", "declarer", "tricks", "value"):
            assert np.array_equal(story.row[field], row[field])


@every_bot
@every_pair
def test_the_seed_decides(bot: str, name: str) -> None:
    """The same seed gives the same bytes."""
    one, two = (play(name, [seated(bot)] * 2, some(bot, 5)) for _ in range(2))
    assert same(one, two)


def fuzz(draws: int, seed: int) -> dict[str, int]:
    """Quick bots under random conventions; how often what is seldom came about.

    An illegal action would stop the engine.
    """
    chance = random.Random(seed)
    bots = [find_bot(name) for name in ("cautious", "expert", "random")]
    seen = dict.fromkeys(("blind", "open", "left", "raspas", "thrown_in", "rows", "misere"), 0)
    for _ in range(draws):
        variant = house_variant(chance, 2)
        rules = variant.rules(2, chance.choice((4, 12)) if variant.has_pool else None)
        seats = [chance.choice(bots) for _ in range(2)]
        deals = Shard(rules, seats, chance.randrange(99), 0, 10, 60).run().deals
        kind, played = deals["kind"], deals["played"] == 1
        whisted = (deals["decision"] == WHISTED).any(axis=1)
        seen["blind"] += int((whisted & (deals["open_play"] == 0) & (deals["level"] < 10)).sum())
        seen["open"] += int((whisted & (deals["open_play"] == 1)).sum())
        seen["left"] += int(((kind == TRICKS) & ~played).sum())
        seen["raspas"] += int(((kind == RASPAS) & played).sum())
        seen["thrown_in"] += int(((kind == RASPAS) & ~played).sum())
        seen["rows"] += len(deals) if not variant.has_pool else 0
        seen["misere"] += int((kind == MISERE_GAME).sum())
    return seen


def test_any_conventions() -> None:
    """Under whatever conventions no bot does what is not legal."""
    assert min(fuzz(100, 1).values()) > 0


@pytest.mark.slow
def test_many_conventions() -> None:
    """The same for many more."""
    assert min(fuzz(2500, 2).values()) > 0


# The cautious bot, with a pool


def taken_of(deals: Rows) -> Rows:
    """Tricks of the declarer."""
    return np.asarray(deals["tricks"][np.arange(len(deals)), np.maximum(deals["declarer"], 0)])


@every_pool
def test_figures_of_two_players(name: str) -> None:
    """Contracts are made as often as those of careful players, misères mostly; there are raspas,
    whists and contracts left alone."""
    deals = deals_of(name, pulkas=500)
    kind, taken = deals["kind"], taken_of(deals)
    made = (deals["played"] == 0) | (taken >= deals["level"])
    assert 0.75 < made[(kind == TRICKS) & (deals["level"] == 6)].mean() < 0.92
    assert made[(kind == TRICKS) & (deals["level"] > 6)].mean() > 0.85
    assert 0.12 < (kind == RASPAS).mean() < 0.4
    assert 0.005 < (kind == MISERE_GAME).mean() < 0.06
    assert (taken[kind == MISERE_GAME] == 0).mean() > 0.6
    assert 0.25 < (deals["decision"][kind == TRICKS] == WHISTED).any(axis=1).mean() < 0.99
    for level in (6, 7):
        played = (kind == TRICKS) & (deals["level"] == level) & (deals["played"] == 1)
        assert -0.4 < (taken - level)[played].mean() < 1.4


@pytest.mark.parametrize("name", OF_POOL)
def test_cautious_beats_random(name: str) -> None:
    """By hundreds of whists a deal."""
    won, doubt = rotated(name, cautious(), find_bot("random"), 100, 2, 30)
    assert won - doubt > 150


@every_pool
@pytest.mark.parametrize("bias", [-6, pytest.param(-3, marks=pytest.mark.slow), 3, 6])
def test_another_bias_does_not_pay(name: str, bias: int) -> None:
    """Who alone shifts his bidding gains less than a whist a deal by it."""
    won, doubt = rotated(name, cautious(bias), cautious(), 1500, 2)
    assert doubt < 0.3 and won + doubt < 1.0


def test_the_bias_is_monotone() -> None:
    """The more whists are added to the value of bidding, the fewer raspas."""
    rates = [
        (play("sochi", [cautious(bias)] * 2, 150, 10).deals["kind"] == RASPAS).mean()
        for bias in (-10, -5, 0, 5, 10)
    ]
    assert rates == sorted(rates, reverse=True) and rates[0] > 1.5 * rates[2] > 2 * rates[-1]


def test_dear_raspas_are_avoided() -> None:
    """The dearer a trick at raspas, the fewer raspas."""
    rates = [
        (deals_of("sochi", {"raspas.price": price}, 150)["kind"] == RASPAS).mean()
        for price in (1, 3, 10)
    ]
    assert rates == sorted(rates, reverse=True) and rates[-1] < 0.8 * rates[0]


@every_bot
def test_doubled_prices_change_no_decision(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leningrad is twice Sochi with two players too."""
    answer_as_in_sochi(monkeypatch, 2)
    one, two = (
        play("sochi", [seated(bot)] * 2, some(bot, 60), 12, 4, settings=settings)
        for settings in (SINGLE, DOUBLE)
    )
    assert one.plays is not None and two.plays is not None
    assert np.array_equal(one.plays, two.plays)
    assert np.array_equal(2 * one.deals["value"], two.deals["value"])


def blind_share(settings: Settings) -> float:
    """Of the whisted contracts below ten, those played on one's own cards alone."""
    deals = deals_of("classic_two", settings, 150)
    whisted = (deals["decision"] == WHISTED).any(axis=1) & (deals["level"] < 10)
    return float((deals["open_play"][whisted] == 0).mean())


def test_blind_where_it_is_allowed_and_pays() -> None:
    """Never where the dummy must be turned up, always where it may not; hardly ever for the same
    duty, and often for a small one."""
    assert blind_share({"dummy.defence": ["open", "pass"]}) == 0
    assert blind_share({"dummy.defence": ["blind", "pass"]}) == 1
    assert blind_share({}) < 0.05
    assert 0.2 < blind_share(BLIND_PAYS) < 0.8


def test_stubborn_whisters_win_nothing() -> None:
    """Where both ways are worth something, who never turns the dummy up loses by it, and who
    always does gains less than half a whist a deal."""
    for stubborn, most in ((always_blind, -0.3), (always_open, 0.5)):
        bot = Bot("stubborn", stubborn)
        won, doubt = rotated("classic_two", bot, cautious(), 1500, 2, settings=BLIND_PAYS)
        assert won + doubt < most


@make_bot(memory=N_MEMORY, options={"bias": 0.0}, weights=layout.make_weights)
def always_open(view: Any, own: Any) -> int:
    """``cautious`` who turns the dummy up whenever he is asked."""
    return 1 if view.phase == OPEN else decide(view, own)


@make_bot(memory=N_MEMORY, options={"bias": 0.0}, weights=layout.make_weights)
def always_blind(view: Any, own: Any) -> int:
    """``cautious`` who never does."""
    return 0 if view.phase == OPEN else decide(view, own)


def test_a_dummy_that_is_shown_helps_to_choose() -> None:
    """Who sees the dummy before he whists lets the declarers gain less."""
    gains = []
    for opened in ("by_whist", "before_whist"):
        deals = deals_of("gusarik", {"dummy.opened": opened})
        sixes = deals[(deals["kind"] == TRICKS) & (deals["level"] == 6)]
        gains.append(sixes["value"][np.arange(len(sixes)), sixes["declarer"]].mean() / 12)
    assert gains[1] < gains[0] - 1


def test_left_alone_where_a_remise_is_dear() -> None:
    """An indivisible mountain makes a remise twice as dear, so fewer contracts are whisted."""
    shares = []
    for name in ("gusarik", "gusarik_indivisible"):
        deals = deals_of(name)
        shares.append((deals["played"][deals["kind"] == TRICKS] == 1).mean())
    assert shares[1] < 0.7 * shares[0]


def test_unseen_raspas_are_refused() -> None:
    """Nobody agrees before he has seen his cards; what follows is played as ever."""
    agreed = {"raspas.agreed": "any_deal"}
    asked, plain = (
        play("sochi", [cautious()] * 2, 30, 10, settings=settings) for settings in (agreed, {})
    )
    assert np.array_equal(asked.deals["value"], plain.deals["value"])
    steps = steps_of(asked, "sochi", 10, agreed, 2, 50)
    calls = [step.action for step in steps if step.phase == AGREE]
    assert calls and AGREES not in calls


def test_few_tricks_at_raspas_of_two_cards() -> None:
    """Five tricks each on the average with a dead dummy, fewer where others take some."""
    counts = {}
    for word, settings in {
        "dead": {},
        "may_win": {"raspas.talon_two": "may_win"},
        "lowest": {"dummy.raspas": "lowest"},
    }.items():
        deals = deals_of("classic_two", settings)
        counts[word] = deals["tricks"][deals["kind"] == RASPAS][:, :2].mean()
    assert counts["lowest"] < 3 < counts["may_win"] < 4.8 < counts["dead"] == 5


# Razboinik


@functools.cache
def weights_of(talon: str, dummy: str) -> Any:
    settings = {"razboinik.talon": talon, "razboinik.dummy": dummy}
    return layout.make_weights(find_variant("razboinik", settings).rules(2), {"bias": 0.0})


def left_of(talon: str, dummy: str) -> Any:
    """By set of open rows: points that they are expected to cost."""
    return -weights_of(talon, dummy)[layout.ROWS_LEFT : layout.ROWS_LEFT + (1 << N_ROWS)]


@every_talon
@every_dummy
def test_open_rows_cost(talon: str, dummy: str) -> None:
    """Nothing is left when all is filled; a higher row costs more, and a choice of rows saves some
    of what they cost alone."""
    left = left_of(talon, dummy)
    assert left[0] == 0
    for rows in range(1, 1 << N_ROWS):
        mine = [left[1 << k] for k in range(N_ROWS) if rows >> k & 1]
        if len(mine) > 1:
            assert 0.5 * sum(mine) < left[rows] < sum(mine)
    alone = [left[1 << k] for k in range(MISERE_ROW)]
    assert alone == sorted(alone) and alone[-1] > 4 * alone[0]


def test_what_is_known_saves_points() -> None:
    """The later the row is named the less it costs, and a talon left costs most."""
    for dummy in DUMMIES:
        costs = [left_of(talon, dummy)[-1] for talon in ("row_after", "misere_before")]
        costs += [left_of(talon, dummy)[-1] for talon in ("row_before", "none")]
        assert costs == sorted(costs)


def zeroed(rules: Any, options: Mapping[str, float]) -> Any:
    weights = layout.make_weights(rules, {"bias": 0.0})
    weights[layout.ROWS_LEFT : layout.ROWS_LEFT + (1 << N_ROWS)] = 0
    return weights


@make_bot(memory=N_MEMORY, weights=zeroed)
def greedy(view: Any, own: Any) -> int:
    """``cautious`` who fills the row that costs the fewest points now."""
    return decide(view, own)


@kernel
def _fill(view: Any, own: Any, row: int) -> int:
    """Fill this row, in the best strain and with the best discard for it."""
    w = own.weights
    if view.phase == DISCARD and view.discard == 0:
        strain = row_choice.best_strain(w, view.hand, view.mover, layout.PLAY_SUITS, True)[0]
        pair = discard_for(w, view.hand, strain)[0]
        own.memory[0] = plan_ducking(w, view.hand, layout.MISERE_PLAY) if row == 5 else pair
    if view.phase == DISCARD:
        return ctz(own.memory[0] & view.legal)
    if view.phase == ROW:
        return row if view.legal >> row & 1 else TAKE_TALON
    strain = row_choice.best_strain(w, view.hand, view.mover, layout.PLAY_SUITS, False)[0]
    return MISERE if row == MISERE_ROW else 5 * row + strain


@make_bot(memory=N_MEMORY + 2, options={"bias": 0.0}, weights=layout.make_weights)
def in_order(view: Any, own: Any) -> int:
    """Fills the rows from six to misère."""
    if view.phase == ROW or view.phase == DISCARD or view.phase == CONTRACT:
        return _fill(view, own, ctz(open_rows(view, view.player)))
    return decide(view, own)


@make_bot(memory=N_MEMORY + 2, options={"bias": 0.0}, weights=layout.make_weights)
def at_random(view: Any, own: Any) -> int:
    """Fills a row drawn by lot before he sees the talon."""
    if view.phase == ROW or view.phase == DISCARD or view.phase == CONTRACT:
        if own.memory[N_MEMORY] != view.deal + 1:
            rows = open_rows(view, view.player)
            own.memory[N_MEMORY] = view.deal + 1
            own.memory[N_MEMORY + 1] = nth_bit(rows, below(view.random, popcount(rows)))
        return _fill(view, own, own.memory[N_MEMORY + 1])
    return decide(view, own)


def points(bot: Bot, talon: str, dummy: str, tables: int = 400) -> tuple[float, float]:
    """Mean points of a bot's table against ``cautious``, and half of a 95 % interval."""
    settings = {"razboinik.talon": talon, "razboinik.dummy": dummy}
    rules = find_variant("razboinik", settings).rules(2)
    mine = Shard(rules, [bot, cautious()], 3, 0, tables).run().pulkas["mountain"][:, 0] / 12
    return float(mine.mean()), float(1.96 * mine.std() / np.sqrt(tables))


@pytest.mark.parametrize(
    ("talon", "dummy"),
    [
        pytest.param(t, d, marks=() if t == TALONS[0] else pytest.mark.slow)
        for t in TALONS
        for d in DUMMIES
    ],
)
def test_looking_at_the_rows_left_pays(talon: str, dummy: str) -> None:
    """Points a table: about what the weights foretell, and clearly fewer than by the cheapest row
    now, by rows in order or by lot, and than those of ``random``."""
    mine, doubt = points(cautious(), talon, dummy)
    assert abs(mine - left_of(talon, dummy)[-1]) < doubt + 4
    others = [Bot("other", maker) for maker in (greedy, in_order, at_random)]
    costs = [points(other, talon, dummy) for other in (*others, find_bot("random"))]
    assert all(mine + doubt + 4 < cost - wide for cost, wide in costs)
    assert costs[0][0] < min(costs[1][0], costs[2][0]) < 0.8 * costs[3][0]


@every_talon
@every_dummy
def test_every_row_is_filled_sensibly(talon: str, dummy: str) -> None:
    """The higher the row, the dearer and the seldomer made; all are filled once."""
    settings = {"razboinik.talon": talon, "razboinik.dummy": dummy}
    batch = play("razboinik", [cautious()] * 2, 150, settings=settings)
    deals = batch.deals
    assert len(deals) == 12 * 150
    row = np.where(deals["kind"] == MISERE_GAME, MISERE_ROW, deals["level"] - 6)
    cost = -deals["value"][np.arange(len(deals)), deals["declarer"]] / 12
    costs = [cost[row == k].mean() for k in range(N_ROWS)]
    made = [(cost[row == k] == 0).mean() for k in range(N_ROWS)]
    assert costs[:MISERE_ROW] == sorted(costs[:MISERE_ROW])
    assert all(made[k] < made[k - 1] + 0.01 for k in range(1, MISERE_ROW))
    assert (cost >= 0).all() and costs[MISERE_ROW] < 35


@every_dummy
def test_cautious_beats_random_at_razboinik(dummy: str) -> None:
    """By more than eight points a deal."""
    settings = {"razboinik.dummy": dummy}
    won, doubt = rotated("razboinik", cautious(), find_bot("random"), 100, 2, settings=settings)
    assert won - doubt > 8


Asked = namedtuple("Asked", "player hand mover legal row row_named kind rules")
"""What the choice of a row looks at."""
Talon = namedtuple("Talon", "razboinik_talon")
ALL_ROWS = (1 << N_ROWS) - 1
LEVELS = ALL_ROWS & ~(1 << MISERE_ROW)
TOPS = parse_hand("AKQJT987.A.A.")
"""Ten sure tricks in spades."""
SEVENS = parse_hand("789.789.78.79")
"""A hand that takes no trick."""
TALON = parse_hand("..KQ.")


def asked(hand: int, rows: int, legal: int, talon: int = ROW_AFTER) -> Asked:
    """A declarer with these cards, and these rows open, who leads."""
    filled = [-1 if rows >> k & 1 else 0 for k in range(N_ROWS)] + [-1] * N_ROWS
    return Asked(0, hand, 0, legal, np.array(filled), -1, TRICKS, Talon(talon))


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function of a compiled one: what it calls is compiled for this view."""
    return getattr(function, "py_func", function)


def codes_of(rows: int) -> int:
    """Mask of contract codes of some rows."""
    codes = sum(31 << 5 * k for k in range(MISERE_ROW) if rows >> k & 1)
    return codes | (1 << MISERE if rows >> MISERE_ROW & 1 else 0)


def contract_of(hand: int, rows: int, dummy: str = "open") -> int:
    """The contract named with ten cards by one whose rows are these."""
    view = asked(hand, rows, codes_of(rows))
    return int(plain(row_choice.choose_row_contract)(view, weights_of("row_after", dummy)))


@every_dummy
def test_ten_tops_fill_the_ten(dummy: str) -> None:
    """Ten sure tricks go into the dearest open row, in their suit."""
    assert contract_of(TOPS, ALL_ROWS, dummy) == 20
    assert contract_of(TOPS, ALL_ROWS & ~(1 << 4), dummy) == 15
    assert contract_of(TOPS, 0b000011, dummy) == 5


@every_dummy
def test_a_clean_hand_names_misere(dummy: str) -> None:
    """While the row is open; and a hand of tops never does, but as the last row."""
    assert contract_of(SEVENS, ALL_ROWS, dummy) == MISERE
    assert contract_of(SEVENS, LEVELS, dummy) < 5
    assert contract_of(TOPS, 1 << MISERE_ROW | 1, dummy) == 0
    assert contract_of(TOPS, 1 << MISERE_ROW, dummy) == MISERE


def test_misere_before_the_talon() -> None:
    """With the clean hand misère is named at once, with tops the talon is taken."""
    choose = plain(row_choice.choose_row)
    weights = weights_of("misere_before", "open")
    legal = 1 << MISERE_ROW | 1 << TAKE_TALON
    assert choose(asked(SEVENS, ALL_ROWS, legal), weights) == MISERE_ROW
    assert choose(asked(TOPS, ALL_ROWS, legal), weights) == TAKE_TALON
    assert choose(asked(SEVENS, LEVELS, 1 << TAKE_TALON), weights) == TAKE_TALON
    named = weights_of("row_before", "open")
    assert choose(asked(TOPS, ALL_ROWS, ALL_ROWS), named) == 4
    assert choose(asked(TOPS, 0b000101, 0b000101), named) == 2


def test_the_discard_goes_with_the_row() -> None:
    """For misère the king and queen go, for a contract in spades the low cards of other suits."""
    plan = plain(row_choice.plan_row_discard)
    weights = weights_of("row_after", "open")
    assert plan(asked(SEVENS | TALON, ALL_ROWS, 0), weights) == TALON
    kept = TOPS | parse_hand("..7.7")
    assert plan(asked(kept, ALL_ROWS, 0), weights) == parse_hand("..7.7")
