"""Recorded results under another variant."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_bridge import refused, run
from store_bridge import house as house_variant
from store_bridge import line_up, razboinik_run, refet_run, two_run

from bots import find_bot
from scoring.contract import RASPAS, TRICKS
from scoring.result import UNIT, WHISTED
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import Variant, VariantError, find_variant, variant_names
from sim.rescore import RescoreError, make_rescore, rescore
from sim.run import Run, make_run, study
from sim.schema import batch_tables, deal_rows
from sim.store import Dataset, open_dataset

PULKAS = 60


def small(players: int) -> Run:
    """Three players of Rostov to 10; four of a house variant with dark passes, contracts without
    the talon, dealers who whist and declarers who write off their mountain."""
    if players == 3:
        return make_run("rostov", [find_bot("cautious")], PULKAS, 10, 5)
    return make_run(house_variant(), line_up(4), PULKAS, 8, 11, 4, max_deals=40)


RUNS = {
    "source": lambda: small(3),
    "house": lambda: small(4),
    "two": lambda: two_run(pulkas=PULKAS),
    "throwing in": lambda: two_run("no_raspas", PULKAS),
    "rows": lambda: razboinik_run(PULKAS),
    "hands": lambda: refet_run(3, PULKAS),
    "hands of four": lambda: refet_run(4, PULKAS),
}


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    """Pulkas of three and of four players; of two with open and blind whists and checked tens, or
    who throw the deal in after two passes; razboinik; the refet game of three and of four."""
    place = tmp_path_factory.mktemp("rescore")
    for name, run_of in RUNS.items():
        study([run_of()], [place / name])
    return {name: open_dataset(place / name) for name in RUNS}


@pytest.fixture
def source(datasets: dict[str, Dataset]) -> Dataset:
    """Pulkas of Rostov to 10."""
    return datasets["source"]


@pytest.fixture(params=RUNS)
def dataset(request: pytest.FixtureRequest, datasets: dict[str, Dataset]) -> Dataset:
    """Each of them."""
    return datasets[request.param]


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
        int(row["contra"]),
        int(row["contra_by"]),
    )


def test_rows_come_back_from_tables(dataset: Dataset) -> None:
    """Tables made into rows and back are the same tables."""
    info = dataset.info
    deals, pulkas = dataset.read("deals"), dataset.read("pulkas")
    job = make_rescore(dataset, dataset.variant(), info.pool, 0)
    again = batch_tables(job.score(deal_rows(deals, dataset.game)), job.game, False, {})
    kept = [name for name in deals.column_names if name != "plays"]
    assert again[0].equals(deals.select(kept)) and again[1].equals(pulkas)


def test_the_last_whister_is_the_later_of_two(dataset: Dataset) -> None:
    """He follows from the calls: they go round from the declarer; a whisting dealer is alone. The
    refet game knows no last one."""
    players, of_refet = dataset.info.players, dataset.game.has_columns
    alone = set()
    for row in deal_rows(dataset.read("deals"), dataset.game):
        whisters = [i for i in range(players) if row["decision"][i] == 2]
        if row["kind"] != TRICKS or not whisters or of_refet:
            assert row["last_whister"] == -1
        else:
            steps = [(i - int(row["declarer"])) % players for i in whisters]
            assert (int(row["last_whister"]) - int(row["declarer"])) % players == max(steps)
            if players == 4 and row["dealer"] in whisters:
                alone.add(len(whisters))
    assert alone == ({1} if players == 4 and not of_refet else set())


class ByHand:
    """A sheet on which results are written until it is over, with a clock where it ends by time."""

    def __init__(self, variant: Variant, players: int, pool: int | None, time_after: int) -> None:
        self.sheet = ScoreSheet(variant, players, pool)
        self.variant = variant
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


def jobs() -> list[tuple[str, str, int]]:
    """Dataset, variant to score it under, and after how many deals time is called (0: not)."""
    everywhere = [(name, 0) for name in variant_names()] + [(name, 6) for name in TIMED]
    found = [("rows", "razboinik", 0)]
    hands = [name for name in variant_names() if find_variant(name).has_columns]
    found += [(kept, name, 0) for kept in ("hands", "hands of four") for name in hands]
    for kept, players in (("source", 3), ("house", 4), ("two", 2)):
        for job in everywhere:
            variant = find_variant(job[0])
            if variant.has_pool and players in variant.players:
                found.append((kept, *job))
    found += [("throwing in", name, 0) for name in ("sochi", "gusarik_indivisible", "piter")]
    return found


def scored_as(name: str) -> Variant:
    """A variant with a short clock and a duty of blind whists, with other prices of the rows, or
    other refets (and all that was said allowed, as a sheet kept by hand wants it)."""
    if name == "razboinik":
        prices = {"razboinik.price": (1, 3, 5, 7, 20), "razboinik.misere": 4}
        return find_variant(name, prices)
    if find_variant(name).has_columns:
        as_played = {"bidding.preferans": True, "contra.levels": 4}
        return find_variant(name, {"refets.for_dealer": False, "refets.few": 2, **as_played})
    settings = {"dummy.blind_duty": (4, 3, 2, 2, 2), "end.minutes": 9}
    return find_variant(name, settings)


@pytest.mark.parametrize("kept, name, time_after", jobs())
def test_rescored_as_by_hand(
    kept: str, name: str, time_after: int, datasets: dict[str, Dataset]
) -> None:
    """Each pulka is that of a sheet on which its results are written until it is over.

    Time is called after so many deals, or by the clock. The whist of a checked ten is an open one
    of two players.
    """
    dataset, variant = datasets[kept], scored_as(name)
    pool = 3 if variant.has_target else None
    job = make_rescore(dataset, variant, pool, time_after)
    players, rows = dataset.info.players, deal_rows(dataset.read("deals"), dataset.game)
    if players == 4 and variant.has_pool:  # Who takes part in raspas is as they were played.
        variant = variant.with_settings({"raspas.talon_four": "dealer_plays"})
    batch = job.score(rows)
    if kept == "two":
        tens = (rows["level"] == 10) & (rows["decision"] == WHISTED).any(axis=1)
        assert tens.any() and not rows["open_play"][tens].any()
        rows["open_play"][tens] = 1
    written, ended = 0, set()
    for pulka in batch.pulkas:
        by_hand = ByHand(variant, players, pool, time_after)
        for row in rows[rows["pulka"] == pulka["pulka"]]:
            if by_hand.is_over():
                break
            value = by_hand.write(result_of(row, variant, players))
            found = batch.deals["value"][written][:players]
            assert [Fraction(int(x), UNIT) for x in found] == value
            written += 1
        assert_same_sheet(pulka, by_hand, players)
        ended.add(not pulka["unfinished"])
    assert written == len(batch.deals)
    assert True in ended


def assert_same_sheet(pulka: Any, by_hand: ByHand, players: int) -> None:
    """A rescored pulka's last sheet and settlement are those of the sheet kept by hand."""
    sheet = by_hand.sheet
    assert bool(pulka["unfinished"]) != by_hand.is_over()
    assert pulka["n_deals"] == sheet.n_deals
    assert [Fraction(int(x), UNIT) for x in pulka["result"][:players]] == sheet.settle()
    assert [Fraction(int(x), UNIT) for x in pulka["pool"][:players]] == sheet.pool
    assert [Fraction(int(x), UNIT) for x in pulka["mountain"][:players]] == sheet.mountain
    if by_hand.variant.has_columns:
        assert pulka["refets"][:players].tolist() == sheet.refets
        assert pulka["refets_given"] == sheet.refets_given
        soup = pulka["whists"].reshape(4, 4)[:players, :players]
        assert [[Fraction(int(x), UNIT) for x in row] for row in soup] == sheet.whists
    if not by_hand.variant.has_target:
        table = [Fraction(int(x), UNIT) for x in pulka["row"]]
        assert table == [points for row in sheet.rows for points in row]


def test_refusals(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    """One sentence where the variant has another sheet, another number of players, or no pool."""
    for kept, name, words in (
        ("rows", "gusarik", "razboinik cannot be scored as gusarik: the one is of the family "),
        ("two", "razboinik", "sochi cannot be scored as razboinik: the one is of the family pool"),
        ("hands", "sochi", "serbian cannot be scored as sochi: the one is of the family refet"),
        ("source", "refet", "rostov cannot be scored as refet: the one is of the family pool"),
        ("source", "classic_two", "classic_two is played by 2 players, not by 3"),
        ("house", "gusarik", "gusarik is played by 2 players, not by 4"),
    ):
        with pytest.raises((RescoreError, VariantError)) as caught:
            make_rescore(datasets[kept], find_variant(name), None, 0)
        assert words in str(caught.value) and "\n" not in str(caught.value)
        folder = datasets[kept].folder
        message = refused("rescore", folder, "--variant", name, "--out", tmp_path / "out")
        assert message == str(caught.value)
    folder = datasets["rows"].folder
    assert "has no pool" in refused("rescore", folder, "--variant", "razboinik", "--pool", "5")
    assert not (tmp_path / "out").exists()


def test_rescored_figures_of_two(datasets: dict[str, Dataset]) -> None:
    """What happened is counted as it was played: blind whists also under a variant that has none,
    deals thrown in; a ten that was checked is an open whist where it is not checked."""
    moments = rescore(make_rescore(datasets["two"], find_variant("gusarik"), 4, 0))
    blind = {m.name: m for m in moments.metrics}["blind_rate"]
    before, after = (moments.estimate(k, blind).value for k in range(2))
    assert before is not None and after is not None and 0 < after < before
    moments = rescore(make_rescore(datasets["throwing in"], find_variant("gusarik"), 4, 0))
    thrown = {m.name: m for m in moments.metrics}["thrown_in_rate"]
    assert all(moments.estimate(k, thrown).value for k in range(2))


def test_rescore_of_razboinik(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    """Under other prices of a file: the same rows and tricks, other points; kept and read again."""
    path, out = tmp_path / "dear.toml", tmp_path / "out"
    path.write_text('title = "Dear"\nbase = "razboinik"\n[razboinik]\nmisere = 20\n')
    folder = datasets["rows"].folder
    told = run("rescore", folder, "--variant", path, "--out", out).out
    assert told.startswith(f"{PULKAS} pulkas played under razboinik, scored under dear;\n")
    found = json.loads(run("rescore", folder, "--variant", path, "--json").out)
    assert found["pool"] is None and found["scored_under"] == "dear"
    before, after = (found["variants"][n] for n in ("razboinik", "razboinik scored as dear"))
    assert after["points_misere"]["value"] == pytest.approx(2 * before["points_misere"]["value"])
    assert after["points_10"] == before["points_10"]
    first, second = (open_dataset(place).read("pulkas") for place in (folder, out))
    for name in ("row_misere_0", "row_misere_1"):
        assert [2 * x for x in first[name].to_pylist()] == second[name].to_pylist()
    assert first["row_9_1"].equals(second["row_9_1"])


@pytest.mark.parametrize("kept", ["hands", "hands of four"])
def test_rescore_of_the_refet_game(kept: str, datasets: dict[str, Dataset], tmp_path: Path) -> None:
    """Under rules that write no refets the same hands are worth less; contras stay as they were
    said. Contracts and who came are counted as they were played."""
    folder, out = datasets[kept].folder, tmp_path / "out"
    path = tmp_path / "plain.toml"
    text = 'title = "Plain"\nbase = "iklub"\n[refets]\nfew = 0\nmany = 0\n'
    path.write_text(text, encoding="utf-8")
    start = ("--pool", "10000")  # nothing ends, so that all hands count
    told = run("rescore", folder, "--variant", path, "--out", out, *start).out
    assert told.startswith(
        f"{PULKAS} pulkas bid and played under serbian from 6, scored under plain from 10000;\n"
        "the bidding was not made for plain, and tricks are those of the play; pulkas whose deals "
        "ran out are unfinished\n"
    )
    found = json.loads(run("rescore", folder, "--variant", path, *start, "--json").out)["variants"]
    before, after = found["serbian"], found["serbian scored as plain"]
    assert (after["refets_per_pulka"]["value"], after["refet_rate"]["value"]) == (0, 0)
    assert after["refet_cost"]["value"] is None and before["refet_rate"]["value"] > 0
    for name in ("share_betl", "made_preferans", "come_rate", "mordcontra_rate", "short_rate"):
        assert before[name]["value"] is not None and after[name] == before[name]
    first, second = (open_dataset(place).read("deals") for place in (folder, out))
    assert first["contra"].equals(second["contra"]) and first["tricks_1"].equals(second["tricks_1"])
    assert set(second["refet"].to_pylist()) == set(second["refets_written"].to_pylist()) == {False}
    doubled = 0
    rows = zip(first.to_pylist(), second.to_pylist(), strict=True)
    for one, other in rows:
        if one["refet"] and one["played"] and one["kind"] == "betl":
            doubled += abs(one["value_0"]) >= 2 * abs(other["value_0"]) > 0
    assert doubled


def test_who_takes_part_in_raspas_is_kept(datasets: dict[str, Dataset], tmp_path: Path) -> None:
    """Rescored twice, raspas in which the dealer played the talon are still his."""
    house = datasets["house"]
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
