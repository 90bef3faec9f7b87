"""Recorded results under another variant."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_bridge import run
from store_bridge import house as house_variant
from store_bridge import line_up

from bots import find_bot
from scoring.contract import RASPAS, TRICKS
from scoring.deal_score import UNIT
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import Variant, find_variant, variant_names
from sim.rescore import make_rescore, rescore
from sim.run import make_run, simulate, study
from sim.schema import batch_tables, deal_rows
from sim.store import Dataset, open_dataset

PULKAS = 60


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Pulkas of Rostov to 10."""
    folder = tmp_path_factory.mktemp("rescore") / "rostov"
    simulate("rostov", [find_bot("cautious")], PULKAS, folder, 10, 5)
    return open_dataset(folder)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Pulkas of four players with dark passes, contracts without the talon, dealers who whist and
    declarers who write off their mountain."""
    folder = tmp_path_factory.mktemp("rescore") / "house"
    study([make_run(house_variant(), line_up(4), PULKAS, 8, 11, 4, max_deals=40)], [folder])
    return open_dataset(folder)


@pytest.fixture(scope="module", params=["source", "house"])
def dataset(request: pytest.FixtureRequest) -> Any:
    """Either of them."""
    return request.getfixturevalue(request.param)


def result_of(row: Any, variant: Variant, players: int) -> DealResult:
    """A row of the engine as a result given by hand."""
    raspas = int(row["kind"]) == RASPAS
    may = variant.conventions["values.off_mountain_instead"] > 0
    return DealResult(
        int(row["dealer"]),
        int(row["kind"]),
        int(row["declarer"]),
        int(row["level"]),
        int(row["strain"]),
        [int(x) for x in row["tricks"][:players]] if row["played"] else None,
        {} if raspas else {i: int(d) for i, d in enumerate(row["decision"][:players]) if d},
        int(row["last_whister"]),
        int(row["concession"]),
        None,
        bool(row["open_play"]),
        bool(row["without_talon"]),
        bool(row["off_mountain"]) and may,
        int(row["talon_units"]),
        bool(row["dark_level"]),
    )


def test_rows_come_back_from_tables(dataset: Dataset) -> None:
    """Tables made into rows and back are the same tables."""
    info = dataset.info
    deals, pulkas = dataset.read("deals"), dataset.read("pulkas")
    job = make_rescore(dataset, dataset.variant(), info.pool, 0)
    again = batch_tables(job.score(deal_rows(deals)), info.players, False, {})
    assert again[0].equals(deals) and again[1].equals(pulkas)


def test_the_last_whister_is_the_later_of_two(dataset: Dataset) -> None:
    """He follows from the calls: they go round from the declarer; a whisting dealer is alone."""
    players = dataset.info.players
    alone = set()
    for row in deal_rows(dataset.read("deals")):
        whisters = [i for i in range(players) if row["decision"][i] == 2]
        if row["kind"] != TRICKS or not whisters:
            assert row["last_whister"] == -1
        else:
            steps = [(i - int(row["declarer"])) % players for i in whisters]
            assert (int(row["last_whister"]) - int(row["declarer"])) % players == max(steps)
            if players == 4 and row["dealer"] in whisters:
                alone.add(len(whisters))
    assert alone == ({1} if players == 4 else set())


class ByHand:
    """A sheet on which results are written until it is over, with a clock where it ends by time."""

    def __init__(self, variant: Variant, players: int, pool: int, time_after: int) -> None:
        self.sheet = ScoreSheet(variant, players, pool)
        self.conventions = variant.conventions
        self.time_after = time_after
        self.clock = 0
        self.timed = variant.conventions["end.when"].startswith("time")

    def is_over(self) -> bool:
        """Whether no deal follows; time may be called after so many deals."""
        if self.time_after and self.sheet.n_deals == self.time_after:
            self.call_time()
        return self.sheet.is_over()

    def call_time(self) -> None:
        if self.timed:
            self.timed = False
            self.sheet.call_time()

    def write(self, result: DealResult) -> list[Fraction]:
        """Write a deal; what it was worth by player."""
        before = self.sheet.settle()
        self.sheet.write(result)
        name = "unplayed_seconds" if result.tricks is None else "deal_seconds"
        self.clock += self.conventions[f"end.{name}"]
        if not self.time_after and self.clock >= 60 * self.conventions["end.minutes"]:
            self.call_time()
        return [a - b for a, b in zip(self.sheet.settle(), before, strict=True)]


TIMED = [n for n in variant_names() if find_variant(n).conventions["end.when"].startswith("time")]
JOBS = [(name, 0) for name in variant_names()] + [(name, 6) for name in TIMED]


@pytest.mark.parametrize("name, time_after", JOBS)
def test_rescored_as_by_hand(dataset: Dataset, name: str, time_after: int) -> None:
    """Each pulka is that of a sheet on which its results are written until it is over.

    Time is called after so many deals, or by the clock.
    """
    variant = find_variant(name, {"end.minutes": 9} if name in TIMED else None)
    job = make_rescore(dataset, variant, 3, time_after)
    players, rows = dataset.info.players, deal_rows(dataset.read("deals"))
    if players == 4:  # Who takes part in raspas is a matter of how they were played.
        variant = variant.with_settings({"raspas.talon_four": "dealer_plays"})
    batch = job.score(rows)
    written, ended = 0, set()
    for pulka in batch.pulkas:
        by_hand = ByHand(variant, players, 3, time_after)
        for row in rows[rows["pulka"] == pulka["pulka"]]:
            if by_hand.is_over():
                break
            value = by_hand.write(result_of(row, variant, players))
            found = batch.deals["value"][written][:players]
            assert [Fraction(int(x), UNIT) for x in found] == value
            written += 1
        sheet = by_hand.sheet
        assert bool(pulka["unfinished"]) != by_hand.is_over()
        assert pulka["n_deals"] == sheet.n_deals
        assert [Fraction(int(x), UNIT) for x in pulka["result"][:players]] == sheet.settle()
        assert [Fraction(int(x), UNIT) for x in pulka["pool"][:players]] == sheet.pool
        assert [Fraction(int(x), UNIT) for x in pulka["mountain"][:players]] == sheet.mountain
        ended.add(not pulka["unfinished"])
    assert written == len(batch.deals)
    assert True in ended


def test_who_takes_part_in_raspas_is_kept(house: Dataset, tmp_path: Path) -> None:
    """Rescored twice, raspas in which the dealer played the talon are still his."""
    assert house.variant().conventions["raspas.talon_four"] == "dealer_plays"
    assert find_variant("rostov").conventions["raspas.talon_four"] == "closed"
    once = tmp_path / "once"
    rescore(make_rescore(house, find_variant("rostov"), 3, 0), once)
    for source in (house, open_dataset(once)):
        job = make_rescore(source, find_variant("kazakhstan"), 2, 0)
        assert job.info().rescored_from == "sochi" and job.variant.name == "kazakhstan"
        assert job.variant.conventions["raspas.talon_four"] == "dealer_plays"


def test_rescored_data_are_kept(source: Dataset, tmp_path: Path) -> None:
    """The kept dataset says where it comes from, sums up to the same, and is not replayed."""
    out = tmp_path / "sochi"
    moments = rescore(make_rescore(source, find_variant("sochi"), 10, 0), out)
    assert moments.n == PULKAS
    kept = open_dataset(out)
    assert (kept.info.variant, kept.info.rescored_from) == ("sochi", "rostov")
    results = np.column_stack([kept.read("pulkas").column(f"result_{i}") for i in range(3)])
    assert not results.sum(axis=1).any()
    again = run("rescore", str(out), "--variant", "rostov", "--json")
    assert json.loads(again.out)["bid_and_played_under"] == "rostov"
    refused = run("replay", str(out), "--pulka", "0", "--deal", "0", code=1)
    assert "replay the dataset they come from" in refused.err
    full = run("rescore", str(source.folder), "--variant", "sochi", "--out", str(out), code=2)
    assert "--overwrite" in full.err


def test_rescore_says_under_what_the_bidding_was_made(source: Dataset) -> None:
    """The head of the table, and unfinished pulkas where the deals ran out."""
    told = run("rescore", str(source.folder), "--variant", "kazakhstan").out
    assert told.startswith(f"{PULKAS} pulkas bid and played under rostov to 10, scored under ")
    assert "the bidding was not made for kazakhstan" in told
    assert "unfinished pulkas" in told and "100.0" in told


def test_rescore_of_nothing(tmp_path: Path) -> None:
    """A folder that holds no dataset."""
    assert "no dataset" in run("rescore", str(tmp_path), "--variant", "sochi", code=1).err
