"""Many tables driven through the batch interface by arbitrary legal and illegal answers.

Each run seats jitted and outside bots under random conventions, asks and answers step by step, and
holds the tables against what must be so in the middle of any deal. In the end everything is played
out: the rows must hold all invariants, keep every answer, and replay move by move.

All is drawn from one seeded generator, not by hypothesis: what that draws changes with the modules
that happen to be loaded, and every phase must be reached in any order of the tests.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from random_play import TABLES, bits, house_razboinik, house_refet, house_variant
from witness import mask

from benchmarks.invariants import find_violation
from benchmarks.played import Played
from benchmarks.reference.bots import wild
from bots import find_bot
from scoring.kernel import JIT
from scoring.result import PASSED
from scoring.variant import Variant, find_variant
from sim import engine
from sim.botcall import Bot, BotError
from sim.cards import ALL_CARDS
from sim.engine import FULL, N_ROWS, Batch, Shard
from sim.state import (
    AGREE,
    AUCTION,
    BIDDING,
    CARD,
    DARK,
    DEALER_HAND,
    IDLE,
    PASS,
    PASS_ALONG,
    PHASES,
    POINTS,
)
from sim.table import Table

N_PULKAS = 7
N_TABLES = 3
POOL = 3
MOST = 5
N_RUNS = 12 if JIT else 2
N_STEPS = 20
Rows = np.ndarray[Any, Any]
Draw = Callable[[random.Random, int], Variant]

NO_ACTIONS: dict[str, Callable[[int], Any]] = {
    "too few": lambda n: np.zeros(n - 1, np.int64),
    "nothing": lambda n: None,
    "fractions": lambda n: np.full(n, 0.5),
    "a column": lambda n: np.zeros((n, 1), np.int64),
    "texts": lambda n: ["pass"] * n,
    "ragged": lambda n: [[0], [0, 1]],
}
"""Answers that are no array of actions."""


class Asked:
    """An outside bot that answers as the machine has planned."""

    plan: Callable[[Rows], Any]

    def __init__(self, rules: Any, seed: int) -> None:
        pass

    def act(self, seen: Rows) -> Any:
        return Asked.plan(seen)


class Tables:
    """A shard with three tables, driven from outside.

    ``draw`` gives most of the variants, ``reached`` counts phases at the tables.
    """

    def __init__(self, n: int, draw: Draw, chance: random.Random) -> None:
        """Seat the bots under random conventions; player 0 is asked from outside."""
        self.chance, self.n, self.reached = chance, n, Counter[str]()
        self.variant = draw(chance, n)
        if chance.random() < 0.3:
            self.variant = find_variant(chance.choice([name for name, k in TABLES if k == n]))
        self.pool = POOL if self.variant.has_target else 0
        self.seed, self.claims = chance.randrange(1000), chance.random() < 0.5
        seats = ["one", *chance.choices(("one", "other", "random", "wild"), k=n - 1)]
        known = {"random": find_bot("random"), "wild": Bot("wild", wild)}
        known |= {name: Bot(name, Asked) for name in ("one", "other")}
        self.outside = [p for p, name in enumerate(seats) if name in ("one", "other")]
        options: dict[str, Any] = {"max_deals": MOST, "record_plays": True, "row_limit": 4}
        self.shard = Shard(
            self.variant.rules(n, self.pool),
            [known[name] for name in seats],
            self.seed,
            0,
            N_PULKAS,
            claims=self.claims,
            **options,
        )
        self.batches: list[Batch] = []
        self.answered: dict[tuple[int, int, int], int] = {}
        self.over = False
        self.run_on()

    def run_on(self) -> None:
        """Let the tables run until somebody must answer, or all is over."""
        waiting = FULL
        while waiting == FULL:
            waiting = self.shard._step()
            if waiting <= 0 and (waiting == FULL or self.shard._cursor[N_ROWS]):
                self.batches.append(self.shard._drain())
        self.over = waiting == 0

    def state(self) -> Any:
        """All that the tables hold, to compare."""
        shard = self.shard
        if JIT:
            tables = [shard._views.tobytes(), shard._hiddens.tobytes()]
        else:
            tables = [repr(x.fields()) for x in (*shard._views, *shard._hiddens)]
        counts = shard._cursor[engine.N_DECISIONS :].tolist()  # not where a bot was last asked
        return (*tables, counts, shard._waiting.tolist(), shard._logs.tolist())

    def waiting(self) -> list[int]:
        """The tables at which an answer is due."""
        return [k for k in range(N_TABLES) if self.shard._hiddens[k]["waiting"]]

    def choose(self, seen: Rows) -> Rows:
        """A legal answer to each observation."""
        legal = [bits(int(mask)) for mask in seen["legal"]]
        if self.chance.random() < 0.5:  # so that all pass in many a deal
            in_auction = np.isin(seen["phase"], (AUCTION, BIDDING)).tolist()
            legal = [[PASS] if x else y for x, y in zip(in_auction, legal, strict=True)]
        return np.array([self.chance.choice(actions) for actions in legal], np.int64)

    def spoil_one(self, seen: Rows) -> Rows:
        """Legal answers but for one."""
        answers = self.choose(seen)
        k = self.chance.randrange(len(seen))
        wrong = set(range(-3, 70)) - set(bits(int(seen["legal"][k])))
        answers[k] = self.chance.choice([*wrong, 2**62, -(2**62)])
        self.spoiled = (int(seen["player"][k]), PHASES[seen["phase"][k]], int(answers[k]))
        return answers

    def step(self) -> None:
        """One of the things that can be done now."""
        deeds: tuple[Callable[[], None], ...] = (self.step_after_the_end,)
        if not self.over:
            deeds = (
                self.answer,
                self.answer_illegally,
                self.answer_with_nonsense,
                self.step_without_an_answer,
            )
        self.chance.choice(deeds)()
        self.check()

    def answer(self) -> None:
        """Everybody who is asked answers, and the tables run on."""
        Asked.plan = self.choose
        tables = self.waiting()
        assert tables
        self.shard._ask_outside()
        for table in tables:
            action = int(self.shard._actions[table])
            assert int(self.shard._views[table]["legal"]) >> action & 1
            hidden = self.shard._hiddens[table]
            deal = int(self.shard._views[table]["deal"])
            key = (int(hidden["pulka"]), deal, int(hidden["n_decisions"]))
            assert key not in self.answered
            self.answered[key] = action
        self.run_on()

    def answer_illegally(self) -> None:
        """One answer is not legal: a line says whose, where and what is; nothing has changed."""
        Asked.plan = self.spoil_one
        before = self.state()
        with pytest.raises(BotError) as caught:
            self.shard._ask_outside()
        player, phase, action = self.spoiled
        message = str(caught.value)
        assert f"(player {player}) in pulka " in message and "\n" not in message
        assert f"action {action} in phase {phase} is not legal (legal actions: " in message
        assert self.state() == before

    def answer_with_nonsense(self) -> None:
        """An answer that is no array of actions: a line says so; nothing has changed."""
        kind = self.chance.choice(list(NO_ACTIONS))
        Asked.plan = lambda seen: NO_ACTIONS[kind](len(seen))
        before = self.state()
        with pytest.raises(BotError, match=r"^bot (one|other) .* in pulka \d+, deal \d+: act\(\)"):
            self.shard._ask_outside()
        assert self.state() == before

    def step_without_an_answer(self) -> None:
        """A step before anybody answers changes nothing."""
        self.shard._actions[:] = -1
        before = self.state()
        assert self.shard._step() == len(self.waiting())
        assert self.state() == before

    def step_after_the_end(self) -> None:
        """When all pulkas are played a step changes nothing."""
        before = self.state()
        assert self.shard._step() == 0
        assert self.state() == before

    def check(self) -> None:
        """What holds at each table in the middle of a deal."""
        for k in range(N_TABLES):
            view, hidden = self.shard._views[k], self.shard._hiddens[k]
            if view["phase"] != IDLE:
                check_cards(view, hidden)
                check_calls(view)
                check_decision(view, hidden, self.outside)
                self.reached[PHASES[view["phase"]]] += 1
                assert sum(map(int, hidden["balance"])) == 0

    def play_out(self) -> None:
        """Play on with legal answers; all rows hold the invariants and replay."""
        while not self.over:
            self.answer()
            self.check()
        deals = np.concatenate([batch.deals for batch in self.batches])
        plays = np.concatenate([batch.plays for batch in self.batches])
        pulkas = np.concatenate([batch.pulkas for batch in self.batches])
        order = np.lexsort((deals["deal"], deals["pulka"]))
        deals, plays = deals[order], plays[order]
        pulkas = pulkas[np.argsort(pulkas["pulka"])]
        parts = (self.variant, self.n, self.pool, self.seed, MOST)
        assert find_violation(Played(*parts, deals, pulkas)) is None
        assert pulkas["pulka"].tolist() == list(range(N_PULKAS))
        places = {(int(row["pulka"]), int(row["deal"])): k for k, row in enumerate(deals)}
        for (pulka, deal, index), action in self.answered.items():
            assert plays[places[pulka, deal], index] == action
        self.replay(deals, plays)

    def replay(self, deals: Rows, plays: Rows) -> None:
        """Every deal again at a table of its own."""
        for row, moves in zip(deals, plays, strict=True):
            if row["deal"] == 0:
                table = Table(self.variant.rules(self.n, self.pool))
                table.hidden["claims"] = int(self.claims)
            table.lay(int(row["number"]))
            used = 0
            while not table.done:
                forced = table.legal & (table.legal - 1) == 0
                table.apply(table.legal.bit_length() - 1 if forced else int(moves[used]))
                used += not forced
            again = table.finish()[0][0]
            assert used == row["n_decisions"]
            for name in set(row.dtype.names) - {"pulka", "n_decisions"}:
                assert np.array_equal(again[name], row[name]), name


def check_cards(view: Any, hidden: Any) -> None:
    """All cards are somewhere once; what was shown void stays void; plays add up."""
    hands = [int(hand) for hand in hidden["hands"]]
    declarer, played = int(view["declarer"]), int(view["played"])
    lying = int(hidden["talon"])
    taken = view["talon"] if view["bid"] < 0 else not view["without_talon"]  # or razboinik's
    if declarer >= 0 and taken:
        lying = int(hidden["discard"][declarer])
    elif any(map(int, hidden["received"])):  # two cards are passed along
        hand = int(view["mover"]) if view["phase"] == PASS_ALONG else 2
        lying = int(hidden["discard"][hand])
    assert sum(hands) + played + lying == ALL_CARDS
    assert hands[0] | hands[1] | hands[2] | played | lying == ALL_CARDS
    plays = [int(play) for play in view["plays"][: int(view["n_plays"])]]
    assert mask(play & 31 for play in plays) == played and len(plays) == played.bit_count()
    for hand in range(3):
        assert mask(p & 31 for p in plays if p >> 5 == hand) == view["played_by"][hand]
        for suit in bits(int(view["voids"][hand])):
            assert hands[hand] >> 8 * suit & 255 == 0
        assert int(view["shown"][hand]) in (0, hands[hand])
    check_tricks(view, len(plays))


def check_tricks(view: Any, n_plays: int) -> None:
    """Tricks add up; with two players some may be nobody's, and two hands may play them, as in the
    refet game."""
    tricks, playing = sum(map(int, view["tricks"])), bits(int(view["in_play"]))
    if view["phase"] == POINTS:  # all are counted, claimed ones too
        done = 10 if n_plays else 0
    else:
        done = int(view["trick"])
        assert done == n_plays // len(playing)
    nobodys = view["dummy"] >= 0 and (len(playing) == 3 or view["declarer"] < 0)
    assert tricks == done or (nobodys and tricks < done)
    for hand in {0, 1, 2} - set(playing):
        stays = view["whist_call"][hand] == PASSED and not view["contra"]
        assert (hand == view["dummy"] or stays) and view["played_by"][hand] == 0


def check_calls(view: Any) -> None:
    """Who passed says nothing more in the auction; bids and holds are by the others."""
    passed: set[int] = set()
    for call in view["calls"][: int(view["n_calls"])]:
        phase, hand, action = int(call) >> 8, int(call) >> 6 & 3, int(call) & 63
        if phase in (AUCTION, BIDDING):
            assert hand not in passed
            passed |= {hand} if action == PASS else set()
        elif phase == DARK:
            passed |= {hand} if action else set()
    left = bits(int(view["active"]))
    assert not passed & set(left)
    assert view["bidder"] < 0 or int(view["bidder"]) in left
    assert (view["bid"] < 0) == (view["bidder"] < 0)


def check_decision(view: Any, hidden: Any, outside: list[int]) -> None:
    """An outside bot that plays here is asked a real question, with its own cards alone."""
    assert hidden["waiting"] == 1 and int(view["player"]) in outside
    legal, mover = int(view["legal"]), int(view["mover"])
    assert legal.bit_count() > 1 and legal >= 0
    if mover == DEALER_HAND:
        assert view["hand"] == 0 and view["player"] == view["dealer"]
        return
    unseen = view["phase"] in (AGREE, DARK)
    assert view["hand"] == (0 if unseen else hidden["hands"][mover])
    assert view["player"] == view["decides_for"][mover]
    if view["player"] != view["player_of"][mover]:
        assert view["phase"] == CARD and view["shown"][mover] == view["hand"]
    if view["phase"] == CARD:
        assert legal & ~int(view["hand"]) == 0


def razboinik(chance: random.Random, n: int) -> Variant:
    """A razboinik."""
    return house_razboinik(chance)


def refet(chance: random.Random, n: int) -> Variant:
    """A refet game."""
    return house_refet(chance)


def catching(chance: random.Random, n: int) -> Variant:
    """A variant where a defender may catch a misère with both hands."""
    return house_variant(chance, n).with_settings({"misere.defence": "catch_or_trust"})


MACHINES = (
    (2, razboinik),
    (3, catching),
    *((n, house_variant) for n in (2, 3, 4)),
    *((n, refet) for n in (3, 4)),
)
"""Numbers of players, and what they play."""


def run_all(n_runs: int, n_steps: int) -> Counter[str]:
    """Run tables with each number of players, and with razboinik and the refet game: the phases
    that were reached."""
    reached = Counter[str]()
    for (n, draw), k in itertools.product(MACHINES, range(n_runs)):
        tables = Tables(n, draw, random.Random(f"{draw.__name__} {n} {k}"))
        tables.check()
        for _ in range(n_steps):
            tables.step()
        tables.play_out()
        reached += tables.reached
    return reached


def test_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arbitrary answers at three tables, in every phase."""
    monkeypatch.setattr(engine, "OUTSIDE_TABLES", N_TABLES)
    reached = run_all(N_RUNS, N_STEPS)
    if JIT:
        assert set(PHASES) - set(reached) == {"done", "idle"}


@pytest.mark.slow
def test_tables_at_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with many more answers."""
    monkeypatch.setattr(engine, "OUTSIDE_TABLES", N_TABLES)
    run_all(10 * N_RUNS, 3 * N_STEPS)
