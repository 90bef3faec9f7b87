"""Fit what ``cautious`` knows of two players and the dummy, part of ``benchmarks.fit_cautious``.

The same method as with three: an explorer plays sixes in every strain against an open dummy, a dead
one and one that plays its lowest card; another fills razboinik's row of misère with any hand; and
``cautious`` with every contract whisted plays pulkas. Names of tables begin with ``two_``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import numpy as np

from benchmarks.fitting import (
    BUCKETS,
    Array,
    N,
    count_hands,
    deal_hands,
    explorer,
    outcomes,
    play,
    position_shift,
    save,
    solve,
    suit_columns,
    tricks_of,
    whister,
)
from bots import hand_tables
from bots.api import (
    AUCTION,
    CONTRACT,
    FIRST_BID,
    MISERE,
    MISERE_GAME,
    MISERE_ROW,
    NO_TRUMP,
    PASS,
    RASPAS,
    ROW,
    TAKE_TALON,
    TRICKS,
    bot,
    kernel,
)
from bots.cautious import N_MEMORY, decide
from bots.layout import BID_SUITS, MISERE_PLAY, PLAY_SUITS, SIDE, make_weights
from bots.prices_two import seats_of
from bots.row_prices import FINE
from bots.valuation import count_tricks, plan_ducking, sum_suits
from scoring.kernel import outline
from scoring.variant import find_variant
from sim.deals import unrank

Tables = dict[str, Array]
Settings = Mapping[str, Any]

SEATS = ("middle", "first", "last")
DUMMIES: dict[str, Settings] = {
    "open": {"dummy.defence": ["open"]},
    "dead": {"dummy.defence": ["blind"], "dummy.blind": "dead"},
    "lowest": {"dummy.defence": ["blind"], "dummy.blind": "lowest"},
}
"""How a contract is met, by the word in the names of tables."""
DEFENCES: dict[str, Settings] = {
    **DUMMIES,
    "open_dead": {"dummy.defence": ["open", "blind"], "dummy.blind": "dead"},
    "open_lowest": {"dummy.defence": ["open", "blind"], "dummy.blind": "lowest"},
}
"""The same, and with a blind whist where the dummy may be turned up."""
TALONS = ("closed", "suit_only", "may_win")
WEIGHT = 20.0
"""Of rules of thumb in what is counted."""
ENOUGH = 5.75
"""Tricks before the talon with which a six is bid on the average."""


def prior_tables_of_two() -> Tables:
    """What the fits start from: the tables of three players."""
    three = hand_tables.fitted_tables()
    tables: Tables = {}
    for word in ("open", "dead"):
        for when in ("play", "bid"):
            for what in ("trump", "side", "no_trump", "position", "outcome"):
                tables[f"two_{word}_{when}_{what}"] = three[f"{when}_{what}"]
            tables[f"two_{word}_misere_{when}"] = three["raspas"]
        for when in ("play", "bid", "raw"):
            none = np.zeros(0)
            tables[f"two_{word}_misere_{when}_outcome"] = outcomes(none, none, FINE)
        tables[f"two_{word}_raw_outcome"] = three["play_outcome"]
    for word in DEFENCES:
        tables[f"two_{word}_effect"] = (np.arange(BUCKETS) == BUCKETS // 2 + 1).astype(float)
        tables[f"two_{word}_usual"] = np.array([6.0])
        for what in ("trump", "side", "outcome"):
            tables[f"two_{word}_defence_{what}"] = three[f"defence_{what}"]
    for word in ("dead", "lowest"):
        for when in ("play", "bid"):
            tables[f"two_open_{word}_{when}_outcome"] = three[f"{when}_outcome"]
    tables["two_lowest_nobody"] = shares(np.zeros(0), np.zeros(0), 2)
    for dummy in ("dead", "lowest"):
        tables[f"two_{dummy}_raspas"] = three["raspas"]
        tables[f"two_{dummy}_raspas_place"] = np.zeros(2)
        for talon in TALONS:
            name = f"two_raspas_{dummy}_{talon}"
            parts = (2 if dummy == "dead" else 3) + (talon == "may_win")
            tables[f"{name}_outcome"] = three["raspas_outcome"]
            tables[f"{name}_nobody"] = shares(np.zeros(0), np.zeros(0), parts - 1)
    return tables


def shares(taken: Array, nobody: Array, parts: int) -> Array:
    """[k, j]: chance that j tricks are nobody's when one side takes k; where few are counted, an
    equal part of the rest (all is somebody's if there is one part)."""
    counts = np.zeros((11, 11))
    np.add.at(counts, (taken.astype(int), nobody.astype(int)), 1.0)
    for k in range(11):
        counts[k, round((10 - k) * (parts - 1) / parts) if parts > 1 else 0] += WEIGHT
    return counts / counts.sum(axis=1, keepdims=True)


@kernel
def _best_raw(w: Any, hand: int, position: int, suits: int) -> tuple[int, float]:
    """The strain with the most tricks expected of a hand as it is, and these."""
    best = 0
    most = -1000.0
    side = sum_suits(w, hand, suits + SIDE)
    for strain in range(5):
        tricks = count_tricks(w, hand, strain, position, suits, side)
        if tricks > most:
            best = strain
            most = tricks
    return best, most


@bot(memory=N_MEMORY, options={"misere": 0.0}, weights=lambda *args: _row_weights(*args))
def row_explorer(view: Any, own: Any) -> int:
    """Fills the row of misère, or that of six in the strain that promises most."""
    w = own.weights
    misere = w[len(w) - 1] > 0
    if view.phase == ROW:
        return MISERE_ROW if misere else TAKE_TALON
    if view.phase == CONTRACT:
        return MISERE if misere else _best_raw(w, view.hand, view.mover, PLAY_SUITS)[0]
    return decide(view, own)


@bot(memory=N_MEMORY, options={"bias": 0.0}, weights=make_weights)
def waiter(view: Any, own: Any) -> int:
    """``cautious`` who bids a six if he expects ENOUGH tricks, whatever raspas are worth."""
    if view.phase == AUCTION:
        tricks = _best_raw(own.weights, view.hand, view.mover, BID_SUITS)[1]
        return FIRST_BID if view.bid < 0 and tricks > ENOUGH else PASS
    return decide(view, own)


def _row_weights(rules: Any, options: Mapping[str, float]) -> Array:
    return np.append(make_weights(rules, {"bias": 0.0}), options["misere"])


@outline
def duck_hands(w: Any, numbers: Any, declarer: Any, hands: Any) -> None:
    """hands[k, 3] = the declarer's hand after he laid two cards away for misère."""
    for k in range(len(numbers)):
        twelve = hands[k, declarer[k]] | unrank(numbers[k])[3]
        hands[k, 3] = twelve & ~plan_ducking(w, twelve, MISERE_PLAY)


class Run:
    """Deals of two equal bots, with the hands of the players and of the declarer."""

    def __init__(
        self,
        who: Any,
        options: Mapping[str, float],
        variant: str,
        settings: Settings,
        seed: int,
        pulkas: int,
        max_deals: int = 200,
    ) -> None:
        self.rules = find_variant(variant, settings).rules(2)
        self.w = make_weights(self.rules, {"bias": 0.0})
        self.rows = play(who, options, variant, seed, pulkas, 2, settings, max_deals)
        self.eldest, self.dealer = seats_of(self.rules)
        dealt = self.rows["declarer"] == self.rows["dealer"]
        hand = np.where(dealt, self.dealer, self.eldest)
        self.declarer = np.where(self.rows["declarer"] < 0, -1, hand)
        self.hands = np.zeros((len(self.rows), 4), np.int64)
        strain = self.rows["strain"].copy()
        deal_hands(self.w, self.rows["number"].copy(), self.declarer, strain, self.hands)

    def hand_of(self, player: Array) -> Array:
        """The cards of a player in each deal."""
        place = np.where(player == self.rows["dealer"], self.dealer, self.eldest)
        return self.hands[np.arange(len(self.rows)), place]

    def taken(self) -> Array:
        """Tricks of the declarer."""
        return tricks_of(self.rows, self.rows["declarer"])

    def kept(self, chosen: Array) -> Run:
        """The chosen deals of the run."""
        part = object.__new__(Run)
        part.rules, part.w, part.eldest, part.dealer = self.rules, self.w, self.eldest, self.dealer
        part.rows, part.hands = self.rows[chosen], self.hands[chosen]
        part.declarer = self.declarer[chosen]
        return part


def explore(word: str, best: float, seed: int, pulkas: int) -> list[Run]:
    """Sixes met in one way, the dummy at every place."""
    runs = []
    for k, seat in enumerate(SEATS):
        settings = {**DUMMIES[word], "dummy.seat": seat}
        run = Run(explorer, {"best": best}, "classic_two", settings, seed + k, pulkas)
        runs.append(run.kept(run.rows["kind"] == TRICKS))
    return runs


def place_of(run: Run, word: str) -> Array:
    """The declarer's hand; with a dead dummy 0 if he leads, 2 if he follows."""
    if word == "open":
        return run.declarer
    return np.where(run.declarer == run.eldest, 0, 2)


def fit_declarer(word: str, seed: int, pulkas: int, tables: Tables) -> list[Run]:
    """Play and bid tables; returns the runs in which he plays his best strain."""
    uniform = explore(word, 0.0, seed, pulkas)
    best = explore(word, 1.0, seed + 3, pulkas)
    for when, runs in (("play", uniform + best), ("bid", uniform)):
        own = np.concatenate(
            [
                run.hands[:, 3] if when == "play" else run.hand_of(run.rows["declarer"])
                for run in runs
            ]
        )
        strain = np.concatenate([run.rows["strain"] for run in runs])
        place = np.concatenate([place_of(run, word) for run in runs])
        tricks = np.concatenate([run.taken() for run in runs])
        columns = suit_columns(own, strain, 0, 1, 2)
        names = [f"two_{word}_{when}_{what}" for what in ("trump", "side", "no_trump")]
        table, shift, spread = solve(columns, tricks, np.concatenate([tables[n] for n in names]))
        for k, name in enumerate(names):
            tables[name] = table[k * N : (k + 1) * N]
        shifts = position_shift(strain, place, tricks - table[columns].sum(axis=1))
        tables[f"two_{word}_{when}_position"] = shifts
        click.echo(f"{word} {when}: {len(own)} deals, mean {shift:.2f}, residual SD {spread:.2f}")
        click.echo(f"  by position {np.round(shifts, 2).tolist()}")
    return best


def fit_outcomes(name: str, runs: list[Run], tables: Tables, settings: Settings) -> None:
    """Tricks by expected tricks, counted with the tables that such settings use."""
    expected: tuple[list[Array], list[Array]] = ([], [])
    tricks = np.concatenate([run.taken() for run in runs])
    for run, seat in zip(runs, SEATS, strict=True):
        rules = find_variant("classic_two", {**settings, "dummy.seat": seat}).rules(2)
        w = make_weights(rules, {"bias": 0.0})
        strain = run.rows["strain"].copy()
        before = run.hand_of(run.rows["declarer"])
        cases = (
            (run.hands[:, 3], strain, PLAY_SUITS),
            (before, np.full_like(strain, -1), BID_SUITS),
        )
        for k, (hands, strains, suits) in enumerate(cases):
            found = np.zeros(len(hands))
            count_hands(w, hands.copy(), strains, run.declarer, suits, found)
            expected[k].append(found)
    for k, when in enumerate(("play", "bid")):
        counted = np.concatenate(expected[k])
        tables[f"two_{name}_{when}_outcome"] = outcomes(counted, tricks)
        error = tricks - counted
        click.echo(f"  {name} {when}: mean error {error.mean():.2f}, SD {error.std():.2f}")


def fit_declarers(seed: int, pulkas: int, tables: Tables) -> None:
    best = {
        word: fit_declarer(word, seed + 10 * k, pulkas, tables)
        for k, word in enumerate(("open", "dead"))
    }
    best["lowest"] = explore("lowest", 1.0, seed + 20, pulkas)
    keep(tables)
    for name, runs, settings in (
        ("open", "open", "open"),
        ("dead", "dead", "dead"),
        ("open_dead", "dead", "open"),
        ("open_lowest", "lowest", "open"),
    ):
        fit_outcomes(name, best[runs], tables, DUMMIES[settings])
    keep(tables)


def keep(tables: Tables) -> None:
    """Write the tables beside the others, for the next run of the bot."""
    save({**hand_tables.fitted_tables(), **tables}, {})


def fit_rows(word: str, seed: int, pulkas: int, tables: Tables) -> None:
    """Misère with any hand, and contracts without the talon, as razboinik has them."""
    settings = {"razboinik.dummy": word}
    without = {**settings, "razboinik.talon": "none"}
    names = (f"two_{word}_misere_play", f"two_{word}_misere_bid")
    taken = Run(row_explorer, {"misere": 1.0}, "razboinik", settings, seed, pulkas, 2)
    raw = Run(row_explorer, {"misere": 1.0}, "razboinik", without, seed + 1, pulkas, 2)
    numbers = taken.rows["number"].copy()
    duck_hands(taken.w, numbers, taken.declarer, taken.hands)
    assert (taken.rows["kind"] == MISERE_GAME).all() and (raw.rows["kind"] == MISERE_GAME).all()
    for name, hands in zip(
        names, (taken.hands[:, 3], taken.hand_of(taken.rows["declarer"])), strict=True
    ):
        column = _plain_columns(hands)
        table, shift, spread = solve(column, taken.taken(), tables[name])
        tables[name] = table + shift / 4
        counted = tables[name][column].sum(axis=1)
        tables[f"{name}_outcome"] = outcomes(counted, taken.taken(), FINE)
        click.echo(f"{name}: mean {shift:.2f}, residual SD {spread:.2f}")
    counted = tables[names[0]][_plain_columns(raw.hand_of(raw.rows["declarer"]))].sum(axis=1)
    tables[f"two_{word}_misere_raw_outcome"] = outcomes(counted, raw.taken(), FINE)
    sixes = Run(row_explorer, {"misere": 0.0}, "razboinik", without, seed + 2, pulkas, 2)
    found = np.zeros(len(sixes.rows))
    before = sixes.hand_of(sixes.rows["declarer"])
    count_hands(sixes.w, before, sixes.rows["strain"].copy(), sixes.declarer, PLAY_SUITS, found)
    tables[f"two_{word}_raw_outcome"] = outcomes(found, sixes.taken())
    click.echo(f"  {word} raw: mean error {(sixes.taken() - found).mean():.2f}")


def _plain_columns(hands: Array) -> Array:
    return suit_columns(hands, np.full(len(hands), NO_TRUMP), 0, 0, 0)


def own_play(word: str, seed: int, pulkas: int) -> Run:
    """Pulkas of ``cautious`` with every contract met in one way."""
    return Run(whister, {}, "classic_two", DEFENCES[word], seed, pulkas)


def fit_raspas(dummy: str, seed: int, pulkas: int, tables: Tables) -> None:
    """Raspas tables for a dummy, and what the place and the talon make of them."""
    columns, tricks, dealt, talons = [], [], [], []
    for k, talon in enumerate(TALONS):
        settings = {"dummy.raspas": dummy, "raspas.talon_two": talon}
        run = Run(waiter, {}, "classic_two", settings, seed + k, pulkas)
        part = run.kept(run.rows["kind"] == RASPAS)
        for player in range(2):
            columns.append(_plain_columns(part.hand_of(np.full(len(part.rows), player))))
            tricks.append(part.rows["tricks"][:, [player, 1 - player]])
            dealt.append(part.rows["dealer"] == player)
            talons.append(np.full(len(part.rows), k))
    column, own_and_his = np.concatenate(columns), np.concatenate(tricks).astype(float)
    dealer, talon_of = np.concatenate(dealt).astype(int), np.concatenate(talons)
    mine, nobody = own_and_his[:, 0], 10 - own_and_his.sum(axis=1)
    name = f"two_{dummy}_raspas"
    table, shift, spread = solve(column, mine, tables[name])
    tables[name] = table + shift / 4
    counted = tables[name][column].sum(axis=1)
    place = np.bincount(dealer, mine - counted, 2) / np.bincount(dealer, minlength=2)
    tables[f"{name}_place"] = place
    click.echo(f"raspas, {dummy}: mean {shift:.2f}, residual SD {spread:.2f}")
    click.echo(f"  eldest and dealer {np.round(place, 2).tolist()}")
    for k, talon in enumerate(TALONS):
        chosen = talon_of == k
        parts = (1 if dummy == "dead" else 2) + (talon == "may_win")
        tables[f"two_raspas_{dummy}_{talon}_outcome"] = outcomes(
            (counted + place[dealer])[chosen], mine[chosen]
        )
        tables[f"two_raspas_{dummy}_{talon}_nobody"] = shares(mine[chosen], nobody[chosen], parts)
        click.echo(f"  {talon}: {chosen.sum() // 2} deals, tricks {mine[chosen].mean():.2f}")


def fit_defence(run: Run, word: str, tables: Tables) -> None:
    """Defence tables from games met in one way."""
    part = run.kept((run.rows["kind"] == TRICKS) & (run.rows["played"] == 1))
    rows, taken = part.rows, part.taken()
    hands = part.hand_of(1 - rows["declarer"])
    column = suit_columns(hands, rows["strain"], 1, 0, 0)
    names = [f"two_{word}_defence_{what}" for what in ("side", "trump")]
    table, shift, spread = solve(
        column, taken - rows["level"], np.concatenate([tables[name] for name in names])
    )
    tables[names[0]], tables[names[1]] = table[:N] + shift / 4, table[N:] + shift / 4
    expected = rows["level"] + shift + table[column].sum(axis=1)
    tables[f"two_{word}_defence_outcome"] = outcomes(expected, taken)
    click.echo(f"{word} defence: {len(rows)} games, over {shift:.2f}, residual SD {spread:.2f}")
    tables[f"two_{word}_usual"] = np.array([np.bincount(rows["level"]).argmax()])
    bucket = np.clip(np.rint(4 * (expected - rows["level"])), -(BUCKETS // 2), BUCKETS // 2)
    effect = np.bincount(bucket.astype(int) + BUCKETS // 2, minlength=BUCKETS)
    tables[f"two_{word}_effect"] = effect / len(rows)
    for level in range(6, 11):
        chosen = rows["level"] == level
        click.echo(f"  {level}: {chosen.sum()}, over {(taken - level)[chosen].mean():.2f}")
    if word == "lowest":
        own = tricks_of(rows, 1 - rows["declarer"])
        tables["two_lowest_nobody"] = shares(taken, 10 - taken - own, 2)


def fit_two(seed: int, pulkas: int, rounds: int) -> None:
    """Rounds of play and fit; the first starts from the tables of three players."""
    prior = prior_tables_of_two()
    keep(prior)
    for k in range(rounds):
        click.echo(f"two players, round {k + 1}")
        fitted = hand_tables.fitted_tables()
        _fit_round(seed + 100 * k, pulkas, {name: fitted[name].copy() for name in prior})


def _fit_round(seed: int, pulkas: int, tables: Tables) -> None:
    fit_declarers(seed, pulkas // 6, tables)
    for k, word in enumerate(("open", "dead")):
        fit_rows(word, seed + 30 + 3 * k, 10 * pulkas, tables)
    keep(tables)
    for k, dummy in enumerate(("dead", "lowest")):
        fit_raspas(dummy, seed + 40 + 3 * k, pulkas // 3, tables)
    keep(tables)
    for k, word in enumerate(DEFENCES):
        fit_defence(own_play(word, seed + 50 + k, pulkas // 3), word, tables)
    keep(tables)
