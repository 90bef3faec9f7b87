"""What must hold for every deal and pulka, whoever plays: all variants with all shipped bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bots import bot_descriptions
from bots.api import below, bot, nth_bit, popcount
from scoring.contract import RASPAS
from scoring.conventions import END_EACH
from scoring.deal_score import HALF_WHISTED, UNIT, WHISTED
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.deals import draw_deal
from sim.engine import Batch, Shard
from sim.playable import playable_names
from sim.table import Table

SEED = 77
FIRST, LAST = 1000, 1006
POOL = 4
MAX_DEALS = 12
BOTS = ("wild", *bot_descriptions())

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


class Lowest:
    """An outside bot, so that many tables are played side by side."""

    def __init__(self, rules: Any, seed: int) -> None:
        pass

    def act(self, seen: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        legal = seen["legal"]
        return np.bitwise_count((legal & -legal) - 1).astype(np.int64)


class Run:
    """A few pulkas of one variant with one bot in every seat."""

    def __init__(self, name: str, bot: Bot, pool: int = POOL) -> None:
        self.variant = find_variant(name)
        self.pool = pool
        self.bot = bot
        self.batch = self.play()

    def play(self, first: int = FIRST, last: int = LAST, **options: Any) -> Batch:
        """Play a range of pulkas again, with other options of the shard."""
        return self.shard(first, last, **options).run()

    def shard(self, first: int = FIRST, last: int = LAST, **options: Any) -> Shard:
        options = {"max_deals": MAX_DEALS, "record_plays": True, "row_limit": 256} | options
        return Shard(self.rules, [self.bot] * 3, SEED, first, last, **options)

    @property
    def rules(self) -> np.ndarray[Any, Any]:
        return self.variant.rules(3, self.pool)

    def pulkas(self) -> Iterator[tuple[Row, np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
        """Each pulka's row, the rows of its deals, and their recorded decisions."""
        deals, plays = self.batch.deals, self.batch.plays
        assert plays is not None
        for row in self.batch.pulkas:
            mine = deals["pulka"] == row["pulka"]
            yield row, deals[mine], plays[mine]


@pytest.fixture(
    scope="module", params=[(v, b) for v in playable_names() for b in BOTS], ids="-".join
)
def run(request: pytest.FixtureRequest, seat: Seat) -> Run:
    name, bot = request.param
    return Run(name, seat(bot))


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


def test_the_wild_bot_reaches_all_kinds_of_deals(seat: Seat) -> None:
    """So that the tests below mean something: raspas, contracts and misère, played and not."""
    batch = Run("sochi", seat("wild")).play(0, 60)
    counts = np.bincount(batch.deals["kind"], minlength=3)
    assert counts.min() >= 10 and 0 < batch.pulkas["unfinished"].sum() < len(batch.pulkas)
    decisions = set(batch.deals["decision"].ravel().tolist())
    assert {WHISTED, HALF_WHISTED} < decisions and set(batch.deals["open_play"]) == {0, 1}


def test_ten_tricks_or_none(run: Run) -> None:
    """Played deals have ten tricks; the others, and players who do not exist, none."""
    deals = run.batch.deals
    assert np.array_equal(deals["tricks"].sum(axis=1), 10 * deals["played"])
    assert not deals["tricks"][:, 3].any() and not deals["value"][:, 3].any()
    assert np.all(deals["played"][deals["kind"] == RASPAS] == 1)


def test_parts_of_a_deal(run: Run) -> None:
    """A declarer has no part in the whist; who whisted is a defender; a bid won the auction."""
    for row in run.batch.deals:
        raspas = row["kind"] == RASPAS
        assert (row["declarer"] == -1) == (row["bid"] == -1) == (row["n_bids"] == 0) == raspas
        whisters = np.flatnonzero(row["decision"] == WHISTED).tolist()
        assert row["declarer"] not in np.flatnonzero(row["decision"])
        assert row["last_whister"] in (whisters or [-1])
        assert row["open_play"] <= (len(whisters) == 1)


def test_values_balance(run: Run) -> None:
    """Values of a deal sum to zero, values of a pulka to its result."""
    assert not run.batch.deals["value"].sum(axis=1).any()
    for pulka, deals, _ in run.pulkas():
        assert np.array_equal(deals["value"].sum(axis=0), pulka["result"])
        assert pulka["result"].sum() == 0


def test_pulkas_are_made_of_their_deals(run: Run) -> None:
    """Deals counted from 0, the dealer passes to the left from the last player, none is missing."""
    assert run.batch.pulkas["pulka"].tolist() == list(range(FIRST, LAST))
    for pulka, deals, _ in run.pulkas():
        n = int(pulka["n_deals"])
        assert deals["deal"].tolist() == list(range(n)) and n <= MAX_DEALS
        assert deals["dealer"].tolist() == [(2 + k) % 3 for k in range(n)]
        assert n == MAX_DEALS or not pulka["unfinished"]


def test_numbers_are_those_of_the_seed(run: Run) -> None:
    """The number of a deal follows from seed, pulka and deal alone."""
    for row in run.batch.deals:
        assert row["number"] == draw_deal(SEED, int(row["pulka"]), int(row["deal"]))


def result_of(row: Row) -> DealResult:
    """A row as the scorer's Python interface takes it."""
    names = ("dealer", "kind", "declarer", "level", "strain", "last_whister", "concession")
    return DealResult(
        **{name: int(row[name]) for name in names},
        raspas_index=int(row["raspas_index"]),
        tricks=row["tricks"][:3].tolist() if row["played"] else None,
        decisions={i: int(row["decision"][i]) for i in range(3) if row["decision"][i]},
    )


def test_the_sheet_follows_from_the_rows(run: Run) -> None:
    """Scoring the rows again gives the values, the last sheet, and the end exactly when it came."""
    for pulka, deals, _ in run.pulkas():
        sheet = ScoreSheet(run.variant, 3, run.pool)
        before = sheet.settle()
        for row in deals:
            assert not sheet.is_over() and sheet.raspas_index == row["raspas_index"]
            sheet.write(result_of(row))
            after = sheet.settle()
            values = [UNIT * (new - old) for new, old in zip(after, before, strict=True)]
            assert values == row["value"][:3].tolist()
            before = after
        assert sheet.is_over() != bool(pulka["unfinished"])
        assert [UNIT * x for x in sheet.pool] == pulka["pool"][:3].tolist()
        assert [UNIT * x for x in sheet.mountain] == pulka["mountain"][:3].tolist()
        whists = pulka["whists"].reshape(4, 4)[:3, :3].tolist()
        assert [[UNIT * x for x in line] for line in sheet.whists] == whists


def test_pools_end_as_the_variant_says(run: Run) -> None:
    """Every pool full and none above, or the agreed sum reached; not so while unfinished."""
    full = UNIT * POOL
    for pulka in run.batch.pulkas:
        pool = pulka["pool"][:3]
        if run.rules["end_when"][0] == END_EACH:
            assert pool.max() <= full
            over = pool.min() == full
        else:
            over = pool.sum() >= 3 * full
        assert over != bool(pulka["unfinished"])


@pytest.mark.parametrize("most", [1, 3])
def test_a_limit_of_deals_cuts_the_same_pulkas_short(run: Run, most: int) -> None:
    """With fewer deals allowed the same deals are played, then the pulka is settled."""
    short = run.play(max_deals=most)
    kept = run.batch.deals[run.batch.deals["deal"] < most]
    assert short.deals.tobytes() == kept.tobytes()
    assert short.pulkas["n_deals"].max() <= most
    for pulka in short.pulkas:
        mine = short.deals[short.deals["pulka"] == pulka["pulka"]]
        assert np.array_equal(mine["value"].sum(axis=0), pulka["result"])


def test_shards_do_not_matter(run: Run) -> None:
    """One shard, two shards, and small row buffers give the same bytes."""
    middle = (FIRST + LAST) // 2
    parts = [run.play(FIRST, middle), run.play(middle, LAST)]
    both = Batch(
        np.concatenate([part.deals for part in parts]),
        np.concatenate([part.pulkas for part in parts]),
        np.concatenate([part.plays for part in parts if part.plays is not None]),
    )
    assert same_rows(run.batch, both)
    assert same_rows(run.batch, run.play(row_limit=5))


def test_recording_changes_nothing(run: Run) -> None:
    """Without recorded plays the rows are the same, and there are none."""
    bare = run.play(record_plays=False)
    assert bare.plays is None
    assert bare.deals.tobytes() == run.batch.deals.tobytes()


def test_progress_and_decisions_are_counted(run: Run) -> None:
    """``on_progress`` hears of every pulka; the decisions of the rows sum to the shard's."""
    heard: list[int] = []
    shard = run.shard(on_progress=heard.append, row_limit=4)
    batches = list(shard.batches())
    assert sum(heard) == LAST - FIRST and len(heard) == len(batches)
    assert max(len(batch.deals) for batch in batches) <= 4
    assert shard.n_decisions == run.batch.deals["n_decisions"].sum()


@pytest.mark.parametrize("outside", [False, True])
def test_memory_is_kept_by_player_and_table(outside: bool) -> None:
    """Memory is zero when a pulka starts and is nobody else's, at one table and at many."""
    one = Bot("remembers", remembers)
    bots = [one, one, Bot("lowest", Lowest) if outside else one]
    rules = find_variant("rostov").rules(3, POOL)
    batch = Shard(rules, bots, SEED, FIRST, FIRST + 20, max_deals=MAX_DEALS, row_limit=256).run()
    assert len(batch.pulkas) == 20 and batch.pulkas["n_deals"].max() > 2


def replay(table: Table, row: Row, plays: Any, shift: int = 0) -> Row:
    """Play a recorded deal at a table, forced decisions by themselves; returns its row.

    ``shift`` seats everybody that many places further to the left.
    """
    table.lay(int(row["number"]), (int(row["dealer"]) + shift) % 3)
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
            again = replay(table, row, moves)
            for name in set(row.dtype.names) - set(kept_apart):
                assert np.array_equal(again[name], row[name]), name
        for name in ("pool", "mountain", "whists"):
            assert np.array_equal(table.view[name], pulka[name]), name


@pytest.mark.parametrize("shift", [1, 2])
def test_players_are_equal(run: Run, shift: int) -> None:
    """Everybody seated further to the left: the same sheet with the players renamed."""
    by_player = ("decision", "tricks", "value")
    names_player = ("dealer", "declarer", "last_whister")
    for pulka, deals, plays in run.pulkas():
        table = Table(run.rules)
        for row, moves in zip(deals, plays, strict=True):
            again = replay(table, row, moves, shift)
            for name in by_player:
                assert np.array_equal(again[name][:3], np.roll(row[name][:3], shift)), name
            for name in names_player:
                player = int(row[name])
                assert again[name] == (player if player < 0 else (player + shift) % 3), name
        for name in ("pool", "mountain"):
            assert np.array_equal(table.view[name][:3], np.roll(pulka[name][:3], shift))
        whists = [np.reshape(record["whists"], (4, 4))[:3, :3] for record in (table.view, pulka)]
        assert np.array_equal(whists[0], np.roll(whists[1], (shift, shift), (0, 1)))
