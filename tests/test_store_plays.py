"""Datasets with the plays recorded: how large they are, and that the deals come out of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from store_bridge import HOUSE, TABLES, house, line_up, part, write_stateful

from bots import find_bot
from scoring.variant import find_variant, variant_names
from sim.cli import cli
from sim.run import SHARD_PULKAS, make_run, study
from sim.schema import deal_rows
from sim.store import open_dataset
from sim.table import Table


@pytest.fixture(scope="module")
def stateful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a class bot that keeps a state."""
    return write_stateful(tmp_path_factory.mktemp("bots"), "a_replay")


@pytest.mark.parametrize("bot", ["random", "cautious"])
@pytest.mark.parametrize("variant", variant_names())
def test_a_record_is_short(bot: str, variant: str, tmp_path: Path) -> None:
    """A byte for each decision, at most 48 a deal on the average."""
    pool = 6 if find_variant(variant).has_target else None
    study([make_run(variant, [find_bot(bot)], 100, pool, 1, record_plays=True)], [tmp_path])
    table = open_dataset(tmp_path).read("deals", ["plays", "n_decisions"])
    lengths = np.asarray(pc.binary_length(table.column("plays")))
    assert np.array_equal(lengths, np.asarray(table.column("n_decisions")))
    assert 10 < lengths.mean() <= 48


STORED = [(name, n) for name, n in TABLES if n > 2 or name in ("piter", "gusarik", "razboinik")]


@pytest.mark.parametrize("variant, players", STORED)
def test_a_deal_is_small_on_disk(variant: str, players: int, tmp_path: Path) -> None:
    """Without plays a deal takes at most 24 bytes in a whole shard."""
    run = make_run(variant, line_up()[:1], SHARD_PULKAS, seed=1, players=players)
    study([run], [tmp_path], workers=1)
    rows = pq.read_metadata(part(tmp_path, "deals", 0)).num_rows
    size = part(tmp_path, "deals", 0).stat().st_size
    assert size / rows <= 24, f"{size / rows:.1f} bytes a deal"
    assert "plays" not in pq.read_schema(part(tmp_path, "deals", 0)).names


def replay(table: Table, row: dict[str, Any]) -> Any:
    """The engine's row of a recorded deal, which is played to its end by the record alone."""
    decisions = iter(row["plays"])
    table.lay(row["number"])
    while not table.done:
        legal = table.legal
        table.apply(next(decisions) if legal & (legal - 1) else legal.bit_length() - 1)
    assert next(decisions, None) is None
    return table.finish()[0][0]


REPLAYED = [
    (name, n) for name in ("house", "piter", "finka", "klassika", "rostov") for n in (2, 3, 4)
]
REPLAYED += [("gusarik", 2), ("razboinik", 2), ("serbian", 3), ("prefko", 4)]


@pytest.mark.parametrize("claims", [False, True])
@pytest.mark.parametrize("variant, players", REPLAYED)
def test_a_record_replays(variant: str, players: int, claims: bool, tmp_path: Path) -> None:
    """A recorded deal comes out as it was, also where claims ended it."""
    played = house() if variant == "house" else find_variant(variant)
    pool = 6 if played.has_target else None
    run = make_run(played, line_up(4)[:players], 5, pool, 1, players, 8, True, claims)
    study([run], [tmp_path])
    dataset, table = open_dataset(tmp_path), Table(run.variant.rules(players, pool))
    assert dataset.info.claims == claims
    deals = dataset.read("deals")
    for row, engine in zip(deals.to_pylist(), deal_rows(deals, dataset.game), strict=True):
        if row["deal"] == 0:
            table = Table(run.variant.rules(players, pool))
            table.hidden["claims"] = int(claims)
        found = replay(table, row)
        for name in ("kind", "level", "declarer", "decision", "tricks", "played", "value"):
            assert np.array_equal(found[name], engine[name]), (row["pulka"], row["deal"], name)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_claims_save_decisions_alone(players: int, tmp_path: Path) -> None:
    """With claims a run has the same deals with the same scores, and fewer decisions.

    No decision follows the cards here: a bot's random words go by its decisions.
    """
    variant = find_variant("sochi", {**HOUSE, "values.off_mountain_instead": 0})
    tables = []
    for claims in (False, True):
        run = make_run(variant, line_up(4)[:players], 60, 6, 1, players, 20, True, claims)
        study([run], [tmp_path / str(claims)])
        tables.append(open_dataset(tmp_path / str(claims)).read("deals"))
    before, after = tables
    asked = [np.asarray(table.column("n_decisions")) for table in tables]
    assert (asked[1] <= asked[0]).all() and asked[1].sum() < 0.97 * asked[0].sum()
    same = [name for name in before.column_names if name not in ("plays", "n_decisions")]
    assert before.select(same).equals(after.select(same))


LINE_UPS = ("cautious", "random,cautious,random", "{file}:Stateful,random,cautious")


@pytest.mark.parametrize("bots", LINE_UPS)
def test_replay_from_the_record_or_the_seed(bots: str, stateful: Path, tmp_path: Path) -> None:
    """A deal is told in the same words from its record and played again, with any line-up."""
    pulkas = SHARD_PULKAS + 9
    told: list[list[str]] = []
    deals = [(0, 0), (0, 1), (6, 1), (SHARD_PULKAS - 1, 0), (SHARD_PULKAS, 1), (pulkas - 1, 0)]
    for record in ([], ["--record", "plays"]):
        folder = str(tmp_path / f"run{len(record)}")
        options = ["--pulkas", str(pulkas), "--pool", "9", "--max-deals", "3", "--out", folder]
        names = bots.format(file=stateful)
        done = CliRunner().invoke(
            cli, ["simulate", "--variant", "rostov", "--bots", names, *options, *record]
        )
        assert done.exit_code == 0, done.output
        told.append([])
        for pulka, deal in deals:
            done = CliRunner().invoke(
                cli, ["replay", folder, "--pulka", str(pulka), "--deal", str(deal)]
            )
            assert done.exit_code == 0, done.output
            told[-1].append(done.output)
    assert told[0] == told[1] and len(set(told[0])) == len(deals)
