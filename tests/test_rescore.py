"""Recorded results under another variant, and which variants the engine plays."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_bridge import run

from bots import find_bot
from scoring.contract import RASPAS, TRICKS
from scoring.deal_score import UNIT
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import find_variant, variant_names
from sim.playable import PLAYED, NotPlayable, check_playable, is_playable, playable_names
from sim.rescore import make_rescore, rescore
from sim.run import simulate
from sim.schema import batch_tables, deal_rows
from sim.store import Dataset, open_dataset

PULKAS = 60


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Pulkas of Rostov to 10."""
    folder = tmp_path_factory.mktemp("rescore") / "rostov"
    simulate("rostov", [find_bot("cautious")], PULKAS, folder, 10, 5)
    return open_dataset(folder)


def result_of(row: Any) -> DealResult:
    """A row of the engine as a result given by hand."""
    raspas = int(row["kind"]) == RASPAS
    return DealResult(
        int(row["dealer"]),
        int(row["kind"]),
        int(row["declarer"]),
        int(row["level"]),
        int(row["strain"]),
        [int(x) for x in row["tricks"][:3]] if row["played"] else None,
        {} if raspas else {i: int(d) for i, d in enumerate(row["decision"][:3]) if d},
        int(row["last_whister"]),
        int(row["concession"]),
    )


def test_rows_come_back_from_tables(source: Dataset) -> None:
    """Tables made into rows and back are the same tables."""
    deals = source.read("deals")
    rows = deal_rows(deals)
    pulkas = source.read("pulkas")
    job = make_rescore(source, source.variant(), 10, 0)
    again = batch_tables(job.score(rows), 3, False, {})
    assert again[0].equals(deals) and again[1].equals(pulkas)


def test_the_last_whister_is_the_later_of_two(source: Dataset) -> None:
    """He follows from the calls: they go round from the declarer."""
    for row in deal_rows(source.read("deals")):
        whisters = [i for i in range(3) if row["decision"][i] == 2]
        if row["kind"] != TRICKS or not whisters:
            assert row["last_whister"] == -1
        else:
            steps = [(i - int(row["declarer"])) % 3 for i in whisters]
            assert (int(row["last_whister"]) - int(row["declarer"])) % 3 == max(steps)


@pytest.mark.parametrize("name", variant_names())
def test_rescored_as_by_hand(source: Dataset, name: str) -> None:
    """Each pulka is that of a sheet on which its results are written until it is over."""
    variant = find_variant(name)
    time_after = 12 if variant.conventions["end.when"].startswith("time") else 0
    rows = deal_rows(source.read("deals"))
    batch = make_rescore(source, variant, 10, time_after).score(rows)
    written = 0
    for pulka in batch.pulkas:
        sheet = ScoreSheet(variant, 3, 10)
        for row in rows[rows["pulka"] == pulka["pulka"]]:
            if time_after and sheet.n_deals == time_after:
                sheet.call_time()
            if sheet.is_over():
                break
            before = sheet.settle()
            sheet.write(result_of(row))
            value = [a - b for a, b in zip(sheet.settle(), before, strict=True)]
            assert [Fraction(int(x), UNIT) for x in batch.deals["value"][written][:3]] == value
            written += 1
        if time_after and sheet.n_deals == time_after and not sheet.is_over():
            sheet.call_time()
        assert pulka["n_deals"] == sheet.n_deals
        assert bool(pulka["unfinished"]) != sheet.is_over()
        assert [Fraction(int(x), UNIT) for x in pulka["result"][:3]] == sheet.settle()
        assert [Fraction(int(x), UNIT) for x in pulka["pool"][:3]] == sheet.pool
        assert [Fraction(int(x), UNIT) for x in pulka["mountain"][:3]] == sheet.mountain
    assert written == len(batch.deals)


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


def test_what_is_not_played_is_refused() -> None:
    """Every shipped variant is played whole or refused with the way to play it without."""
    assert {"sochi", "leningrad", "rostov", "kazakhstan"} <= set(playable_names())
    for name in set(variant_names()) - set(playable_names()):
        with pytest.raises(NotPlayable) as caught:
            check_playable(find_variant(name))
        assert name in str(caught.value) and "--set '" in str(caught.value)
        values = {key: played[0] for key, played in PLAYED.items()}
        assert is_playable(find_variant(name, values))
        check_playable(find_variant(name, values))
    told = run("simulate", "--variant", "piter", "--out", "nowhere", code=2).err
    assert "auction.without_talon" in told
