"""What must hold for every deal and pulka, whoever plays: all variants, bots, sizes of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside_bots import Uniform
from random_play import TABLES
from shipped_bots import slow_mark

from benchmarks.invariants import find_violation
from benchmarks.played import Played
from bots import bot_descriptions
from bots.api import below, bot, nth_bit, popcount
from scoring.contract import N_ROWS, RASPAS
from scoring.result import HALF_WHISTED, NO_DECISION, PASSED, UNIT, WHISTED
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.engine import Batch, Shard
from sim.run import make_run, study
from sim.table import Table

SEED = 77
FIRST, LAST = 1000, 1003
POOL = 4
MAX_DEALS = 12
BOTS = ("wild", "outside", *bot_descriptions())
PLAYERS = (2, 3, 4)

Seat = Callable[[str], Bot]
Row = Any


@bot(memory=2)
def remembers(view: Any, own: Any) -> int:
    """Uniform, and fails unless its memory is that of this player, pulka and table."""
    now = 1000 * view.deal + view.n_calls + view.n_plays
    if own.memory[0] > now or (own.memory[1] != 0 and own.memory[1] != view.player + 1):
        raise ValueError("this is not my memory")
    own.memory[0] = now
    own.memory[1] = view.player + 1
    return nth_bit(view.legal, below(view.random, popcount(view.legal)))


class Run:
    """A few pulkas of one variant with one bot in every seat."""

    def __init__(self, name: str, bot: Bot, n: int) -> None:
        self.variant = find_variant(name)
        self.pool = POOL if self.variant.has_target else 0
        self.rules = self.variant.rules(n, self.pool)
        self.bot = bot
        self.n = n
        self.batch = self.play()

    def play(self, first: int = FIRST, last: int = LAST, **options: Any) -> Batch:
        """Play a range of pulkas again, with other options of the shard."""
        return self.shard(first, last, **options).run()

    def shard(self, first: int = FIRST, last: int = LAST, **options: Any) -> Shard:
        options = {"max_deals": MAX_DEALS, "record_plays": True, "row_limit": 256} | options
        return Shard(self.rules, [self.bot] * self.n, SEED, first, last, **options)

    def played(self, batch: Batch) -> Played:
        """The rows of a batch and what they were played with."""
        parts = (self.variant, self.n, self.pool, SEED, MAX_DEALS)
        return Played(*parts, batch.deals, batch.pulkas)

    def pulkas(self) -> Iterator[tuple[Row, np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
        """Each pulka's row, the rows of its deals, and their recorded decisions."""
        deals, plays = self.batch.deals, self.batch.plays
        assert plays is not None
        for row in self.batch.pulkas:
            mine = deals["pulka"] == row["pulka"]
            yield row, deals[mine], plays[mine]


def seat_any(seat: Seat, name: str) -> Bot:
    """A bot by name; ``outside`` is a class, so that many tables are played side by side."""
    return Bot("outside", Uniform) if name == "outside" else seat(name)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((v, b, n), id=f"{v}-{b}-{n}", marks=slow_mark(b, v))
        for v, n in TABLES
        for b in BOTS
    ],
)
def run(request: pytest.FixtureRequest, seat: Seat) -> Run:
    name, bot, n = request.param
    return Run(name, seat_any(seat, bot), n)


def recorded(batch: Batch) -> list[list[int]]:
    """The decisions of each deal, without what stands behind the last one."""
    assert batch.plays is not None
    counts = batch.deals["n_decisions"]
    return [row[:n].tolist() for row, n in zip(batch.plays, counts, strict=True)]


def same_rows(one: Batch, two: Batch) -> bool:
    """Whether two batches are equal in every byte of their rows and in every decision."""
    return (
        one.deals.tobytes() == two.deals.tobytes()
        and one.pulkas.tobytes() == two.pulkas.tobytes()
        and recorded(one) == recorded(two)
    )


@pytest.mark.parametrize("n", PLAYERS)
def test_the_wild_bot_reaches_all_kinds_of_deals(n: int, seat: Seat) -> None:
    """So that the tests below mean something: raspas, contracts and misère, played and not."""
    batch = Run("sochi", seat("wild"), n).play(0, 60)
    counts = np.bincount(batch.deals["kind"], minlength=3)
    assert counts.min() >= 10 and 0 < batch.pulkas["unfinished"].sum() < len(batch.pulkas)
    decisions = set(batch.deals["decision"].ravel().tolist())
    called = {PASSED, WHISTED} | ({HALF_WHISTED} if n > 2 else set())
    assert decisions == {NO_DECISION} | called and set(batch.deals["open_play"]) == {0, 1}


def test_invariants(run: Run) -> None:
    """Every rule that ``benchmarks.invariants`` tells of deals and pulkas."""
    assert run.batch.pulkas["pulka"].tolist() == list(range(FIRST, LAST))
    assert find_violation(run.played(run.batch)) is None


def result_of(row: Row, n: int) -> DealResult:
    """A row as the scorer's Python interface takes it."""
    numbers = ("dealer", "kind", "declarer", "level", "strain", "last_whister", "concession")
    numbers += ("talon_units", "contra", "contra_by")
    flags = ("open_play", "without_talon", "off_mountain")
    fields: dict[str, Any] = {name: int(row[name]) for name in numbers}
    fields |= {name: bool(row[name]) for name in flags}
    return DealResult(
        **fields,
        dark_pass=row["dark_level"] > 0,
        tricks=row["tricks"][:n].tolist() if row["played"] else None,
        decisions={i: int(row["decision"][i]) for i in range(n) if row["decision"][i]},
    )


class Clock:
    """The time that deals take, where the variant ends by time."""

    def __init__(self, run: Run) -> None:
        self.rules = run.variant.conventions
        self.left = 60 * self.rules["end.minutes"]
        self.runs = self.rules["end.when"].startswith("time")

    def strikes(self, row: Row) -> bool:
        """Let a deal pass; True if it was the one that used the time up."""
        before = self.left
        self.left -= self.rules["end.deal_seconds" if row["played"] else "end.unplayed_seconds"]
        return self.runs and self.left <= 0 < before


def test_the_sheet_follows_from_the_rows(run: Run) -> None:
    """Scoring the rows again gives the values, the last sheet, and the end exactly when it came."""
    n = run.n
    for pulka, deals, _ in run.pulkas():
        sheet = ScoreSheet(run.variant, n, run.pool)
        clock = Clock(run)
        before = sheet.settle()
        dealer = n - 2
        for row in deals:
            dealer = sheet.next_dealer(dealer)
            assert not sheet.is_over() and row["dealer"] == dealer
            assert sheet.raspas_index == row["raspas_index"]
            sheet.write(result_of(row, n))
            if clock.strikes(row):
                sheet.call_time()
            after = sheet.settle()
            values = [UNIT * (new - old) for new, old in zip(after, before, strict=True)]
            assert values == row["value"][:n].tolist()
            before = after
        assert sheet.is_over() != bool(pulka["unfinished"])
        assert [UNIT * x for x in sheet.pool] == pulka["pool"][:n].tolist()
        assert [UNIT * x for x in sheet.mountain] == pulka["mountain"][:n].tolist()
        whists = pulka["whists"].reshape(4, 4)[:n, :n].tolist()
        assert [[UNIT * x for x in line] for line in sheet.whists] == whists
        if run.variant.has_columns:
            assert sheet.refets == pulka["refets"][:n].tolist()
        if not run.variant.has_target:
            cells = [[-1 if x is None else UNIT * x for x in line] for line in sheet.rows]
            assert cells == pulka["row"].reshape(n, N_ROWS).tolist()


class Lowest:
    """An outside bot that always takes the lowest action: it passes, and follows low."""

    def __init__(self, rules: Any, seed: int) -> None:
        pass

    def act(self, seen: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.array([(x & -x).bit_length() - 1 for x in seen["legal"].tolist()])


@pytest.mark.parametrize("n", PLAYERS)
@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_dealers_of_a_row_of_raspas(n: int, most: int) -> None:
    """After raspas the same player deals again, so many times in all (0: the deal passes on)."""
    rule = {"deal.after_raspas": "stays", "deal.stays_most": most} if most else {}
    variant = find_variant("leningrad", rule)
    lowest = [Bot("lowest", Lowest)] * n
    shard = Shard(variant.rules(n, 1000), lowest, SEED, 0, 2, max_deals=30, row_limit=99)
    deals = shard.run().deals
    for mine in (deals[:30], deals[30:]):
        assert set(mine["kind"]) == {RASPAS} and len(mine) == 30
        assert mine["dealer"].tolist() == [(n - 1 + k // max(most, 1)) % n for k in range(30)]


def test_a_limit_of_deals_cuts_the_same_pulkas_short(run: Run) -> None:
    """With fewer deals allowed the same deals are played, then the pulka is settled."""
    short = run.play(max_deals=3)
    kept = run.batch.deals[run.batch.deals["deal"] < 3]
    assert short.deals.tobytes() == kept.tobytes()
    assert short.pulkas["n_deals"].max() <= 3
    for pulka in short.pulkas:
        mine = short.deals[short.deals["pulka"] == pulka["pulka"]]
        assert np.array_equal(mine["value"].sum(axis=0), pulka["result"])


def test_shards_and_records_do_not_matter(run: Run) -> None:
    """Two shards give the rows of one, a full buffer now and then changes nothing, nor recording.

    ``on_progress`` hears of every pulka; the decisions of the rows sum to the shard's.
    """
    middle = FIRST + 1
    parts = [run.play(FIRST, middle), run.play(middle, LAST)]
    deals = np.concatenate([part.deals for part in parts])
    assert deals.tobytes() == run.batch.deals.tobytes()
    assert [x for part in parts for x in recorded(part)] == recorded(run.batch)
    assert same_rows(run.batch, run.play(row_limit=5))
    heard: list[int] = []
    shard = run.shard(on_progress=heard.append, row_limit=4, record_plays=False)
    batches = list(shard.batches())
    assert sum(heard) == LAST - FIRST and len(heard) == len(batches)
    assert max(len(batch.deals) for batch in batches) <= 4
    assert shard.n_decisions == run.batch.deals["n_decisions"].sum()
    assert all(batch.plays is None for batch in batches)
    bare = np.concatenate([batch.deals for batch in batches])
    assert np.sort(bare, order=("pulka", "deal")).tobytes() == run.batch.deals.tobytes()


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("n", PLAYERS)
def test_memory_is_kept_by_player_and_table(n: int, outside: bool) -> None:
    """Memory is zero when a pulka starts and is nobody else's, at one table and at many."""
    one = Bot("remembers", remembers)
    bots = [*[one] * (n - 1), Bot("outside", Uniform) if outside else one]
    rules = find_variant("rostov").rules(n, POOL)
    batch = Shard(rules, bots, SEED, FIRST, FIRST + 20, max_deals=MAX_DEALS, row_limit=256).run()
    assert len(batch.pulkas) == 20 and batch.pulkas["n_deals"].max() > 2


@pytest.mark.parametrize("name", ["classic_two", "razboinik", "refet"])
def test_workers_do_not_matter(name: str, seat: Seat, tmp_path: Path) -> None:
    """Two players, and the refet game: one worker and three write the same bytes, whatever shard is
    ready first."""
    bots = [seat("wild"), seat("random"), seat("wild")][: find_variant(name).table_size(None)]
    run = make_run(name, bots, 12, seed=SEED, record_plays=True)
    run = replace(run, shard_pulkas=2, max_deals=60)
    contents = []
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        study([run], [folder], workers=workers)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        contents.append({path.relative_to(folder): path.read_bytes() for path in files})
    assert contents[0] == contents[1] and len(contents[0]) > 12


def replay(table: Table, row: Row, plays: Any, n: int, shift: int) -> Row:
    """Play a recorded deal at a table, forced decisions by themselves; returns its row.

    ``shift`` seats everybody that many places further to the left.
    """
    table.lay(int(row["number"]), (int(row["dealer"]) + shift) % n)
    used = 0
    while not table.done:
        legal = table.legal
        forced = legal & (legal - 1) == 0
        table.apply(legal.bit_length() - 1 if forced else int(plays[used]))
        used += not forced
    assert used == row["n_decisions"]
    return table.finish()[0][0]


def test_recorded_plays_replay(run: Run) -> None:
    """Number and recorded decisions give back the whole row, and the sheet of the pulka."""
    kept_apart = ("pulka", "n_decisions")
    for pulka, deals, plays in run.pulkas():
        table = Table(run.rules)
        for row, moves in zip(deals, plays, strict=True):
            again = replay(table, row, moves, run.n, 0)
            for name in set(row.dtype.names) - set(kept_apart):
                assert np.array_equal(again[name], row[name]), name
        for name in ("pool", "mountain", "whists", "row", "refets", "refets_given"):
            assert np.array_equal(table.view[name], pulka[name]), name


def test_players_are_equal(run: Run) -> None:
    """Everybody seated further to the left: the same sheet with the players renamed.

    A settlement in whole points takes the odd one from the earlier player, whoever he is.
    """
    by_player = ["decision", "tricks", "value"]
    if run.variant.has_columns and run.variant.conventions["last.write_off"] == "whole":
        by_player.remove("value")
    names_player = ("dealer", "declarer", "last_whister", "contra_by")
    n = run.n
    for k, (pulka, deals, plays) in enumerate(run.pulkas()):
        shift = 1 + k % (n - 1)
        table = Table(run.rules)
        for row, moves in zip(deals, plays, strict=True):
            again = replay(table, row, moves, n, shift)
            for name in by_player:
                assert np.array_equal(again[name][:n], np.roll(row[name][:n], shift)), name
            for name in names_player:
                player = int(row[name])
                assert again[name] == (player if player < 0 else (player + shift) % n), name
        for name in ("pool", "mountain", "refets"):
            assert np.array_equal(table.view[name][:n], np.roll(pulka[name][:n], shift))
        assert np.array_equal(table.view["row"], np.roll(pulka["row"], N_ROWS * shift))
        whists = [np.reshape(record["whists"], (4, 4))[:n, :n] for record in (table.view, pulka)]
        assert np.array_equal(whists[0], np.roll(whists[1], (shift, shift), (0, 1)))
