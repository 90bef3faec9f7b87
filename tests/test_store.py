"""Datasets on disk: their columns, what each file says of its run, and that contents are the same
however a run was played."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pa_dataset
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from store_bridge import (
    DATASETS,
    HOUSE,
    PULKAS,
    SHARDS,
    contents,
    house,
    line_up,
    part,
    rows_of,
    small_run,
)

from bots import FOLDER as BOTS
from bots import find_bot
from scoring.variant import find_variant, parse_variant, variant_names
from sim.cli import cli
from sim.engine import Batch
from sim.run import SHARD_PULKAS, Run, make_run, study
from sim.schema import PULKA_COLUMNS, SCHEMA_VERSION, deal_columns, deal_rows
from sim.store import open_dataset
from sim.table import Table

FOUR = 300
"""Pulkas of the small run of four players."""
STRAINS = ("♠", "♣", "♦", "♥", "NT")

STATEFUL = '''"""A bot of a user that remembers: its answers come from a generator of its own."""
import numpy as np


class Stateful:
    """Uniform over the legal actions, from one stream for all tables of its shard."""

    def __init__(self, rules, seed):
        self.stream = np.random.default_rng(seed)

    def act(self, seen):
        out = []
        for legal in seen["legal"].tolist():
            actions = [k for k in range(63) if legal >> k & 1]
            out.append(actions[int(self.stream.integers(len(actions)))])
        return out
'''


@dataclass
class Kept:
    """A run in its folder, and its rows as the engine gives them."""

    folder: Path
    run: Run
    batch: Batch


@pytest.fixture(scope="module", params=[3, 4], ids="{} players".format)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The small run, of three and of four players."""
    if request.param == 3:
        run, folder = small_run(), request.getfixturevalue("whole")
    else:
        run, folder = small_run(FOUR, players=4), tmp_path_factory.mktemp("four") / "run"
        study([run], [folder], workers=1)
    parts = [run.shard(shard).run() for shard in range(run.n_shards())]
    plays = [one.plays for one in parts if one.plays is not None]
    batch = Batch(
        np.concatenate([one.deals for one in parts]),
        np.concatenate([one.pulkas for one in parts]),
        np.concatenate(plays),
    )
    return Kept(folder, run, batch)


@pytest.fixture(scope="module")
def stateful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a class bot that keeps a state."""
    path = tmp_path_factory.mktemp("bots") / "stateful_bot_of_a_user.py"
    path.write_text(STATEFUL, encoding="utf-8")
    return path


# Columns


@pytest.mark.parametrize("record_plays", [False, True])
def test_columns_are_documented(record_plays: bool) -> None:
    """Every column has a comment, and a unit where it is an amount."""
    columns = [*deal_columns(record_plays), *PULKA_COLUMNS]
    for column in columns:
        meta = column.field().metadata
        assert meta[b"comment"] and meta[b"unit"].decode() == column.unit
        stem = column.name.partition("_")[0]
        exact = {"value", "pool", "mountain", "whists", "result"}
        in_tricks = {"tricks", "level", "concession", "talon"}
        assert bool(column.unit) == (stem in exact | in_tricks or column.name == "n_deals")
        assert ("twelfths" in column.unit) == (stem in exact)
    names = [column.name for column in deal_columns(record_plays)]
    assert len(set(names)) == len(names) and ("plays" in names) == record_plays


def test_types_are_narrow(whole: Path) -> None:
    """No type is wider than its values need; words are dictionaries; comments are in the file."""
    wide = {"pulka": pa.int64(), "number": pa.int64(), "plays": pa.binary()}
    words = {"kind", "contract", "strain", "bid", *(f"decision_{i}" for i in range(4))}
    middle = {"deal", "n_decisions", "n_deals"}
    flags = {"open", "played", "unfinished", "without_talon", "off_mountain"}
    amounts = {"value", "pool", "mountain", "whists", "result"}
    for name in DATASETS:
        schema = pq.read_schema(part(whole, name, 0))
        for field in schema:
            expected: Any = pa.int8()
            if field.name in wide:
                expected = wide[field.name]
            elif field.name in words:
                expected = pa.dictionary(pa.int8(), pa.string())
            elif field.name in middle:
                expected = pa.int16()
            elif field.name in flags:
                expected = pa.bool_()
            elif field.name.partition("_")[0] in amounts:
                expected = pa.int32()
            assert field.type == expected, field.name
            assert field.metadata[b"comment"], field.name


CODES = [f"{level}{strain}" for level in range(6, 11) for strain in STRAINS]
CODES += ["misere", "misere wt", *(f"{code} wt" for code in CODES[15:])]


def test_deals_hold_what_the_engine_gave(kept: Kept) -> None:
    """Each row in words and numbers is the engine's row, null exactly where it is documented."""
    rows, n = rows_of(kept.folder, "deals"), kept.run.players
    batch = kept.batch
    assert len(rows) == len(batch.deals)
    assert batch.plays is not None
    used = set()
    for row, deal, plays in zip(rows, batch.deals, batch.plays, strict=True):
        kind = ("raspas", "tricks", "misere")[deal["kind"]]
        tricks, played = kind == "tricks", bool(deal["played"])
        strain = STRAINS[deal["strain"]]
        name = f"{deal['level']}{strain}" if tricks else kind
        same = ("pulka", "deal", "number", "dealer", "n_bids", "raspas_index", "n_decisions")
        expected: dict[str, Any] = {
            **{name: int(deal[name]) for name in (*same, "talon_units")},
            "kind": kind,
            "contract": f"{name} wt" if deal["without_talon"] else name,
            "level": int(deal["level"]) if tricks else None,
            "strain": strain if tricks else None,
            "declarer": None if kind == "raspas" else int(deal["declarer"]),
            "bid": None if kind == "raspas" else CODES[deal["bid"]],
            "concession": int(deal["concession"]) or None,
            "open": bool(deal["open_play"]),
            "played": played,
            "without_talon": bool(deal["without_talon"]),
            "off_mountain": bool(deal["off_mountain"]),
            "dark": int(deal["dark_level"]),
            "plays": plays[: deal["n_decisions"]].tobytes(),
        }
        for i in range(4):
            call = (None, "pass", "whist", "half")[deal["decision"][i]] if i < n else None
            expected[f"decision_{i}"] = call
            expected[f"tricks_{i}"] = int(deal["tricks"][i]) if played and i < n else None
            expected[f"value_{i}"] = int(deal["value"][i]) if i < n else None
        assert row == expected
        used |= {(name, value is None) for name, value in row.items()}
    nullable = {"level", "strain", "declarer", "bid", "concession"}
    nullable |= {f"{stem}_{i}" for stem in ("decision", "tricks") for i in range(4)}
    absent = {f"{stem}_3" for stem in ("decision", "tricks", "value") if n == 3}
    for name in (column.name for column in deal_columns(True)):
        assert ((name, False) in used) == (name not in absent), name
        assert ((name, True) in used) == (name in nullable | absent), name


def test_everything_happens_in_the_small_runs(kept: Kept) -> None:
    """No column above is always the same: whatever a deal can be is there."""
    rows = rows_of(kept.folder, "deals")
    assert {row["contract"] for row in rows} >= {
        "raspas",
        "misere",
        "misere wt",
        "9♠ wt",
        "10NT wt",
    }
    assert {row["talon_units"] for row in rows} == {0, 1, 2, 3}
    assert {row["dark"] for row in rows} >= {0, 1, 2}
    for name in ("without_talon", "off_mountain", "open", "played"):
        assert {row[name] for row in rows} == {False, True}
    if kept.run.players == 4:
        assert {row[f"decision_{row['dealer']}"] for row in rows} == {None, "whist"}
        assert any(row[f"tricks_{row['dealer']}"] for row in rows if row["kind"] == "raspas")


def assert_rows_come_back(folder: Path, deals: Any) -> None:
    """``deal_rows`` gives the engine's rows, but for what the sheet alone decides.

    Who whisted last counts where somebody whisted.
    """
    rows = deal_rows(open_dataset(folder).read("deals"))
    whisted = (deals["decision"] == 2).any(axis=1)
    assert whisted.any() and (rows["last_whister"][~whisted] == -1).all()
    for name in set(rows.dtype.names or ()) - {"bomb_level", "after_close"}:
        among = whisted if name == "last_whister" else slice(None)
        assert np.array_equal(rows[name][among], deals[name][among]), name


def test_rows_come_back(kept: Kept) -> None:
    """A table read is the rows that were written."""
    assert_rows_come_back(kept.folder, kept.batch.deals)


def test_pulkas_hold_what_the_engine_gave(kept: Kept) -> None:
    """The same for pulkas; everything of a player 3 who is not at the table is null."""
    rows, n = rows_of(kept.folder, "pulkas"), kept.run.players
    assert len(rows) == kept.run.pulkas and {row["unfinished"] for row in rows} == {False, True}
    for row, pulka in zip(rows, kept.batch.pulkas, strict=True):
        expected: dict[str, Any] = {
            "pulka": int(pulka["pulka"]),
            "n_deals": int(pulka["n_deals"]),
            "unfinished": bool(pulka["unfinished"]),
        }
        for i in range(4):
            for name in ("pool", "mountain", "result"):
                expected[f"{name}_{i}"] = int(pulka[name][i]) if i < n else None
            for j in range(4):
                if i != j:
                    pair = int(pulka["whists"][4 * i + j]) if max(i, j) < n else None
                    expected[f"whists_{i}_{j}"] = pair
        assert row == expected


def test_pulkas_and_deals_agree(kept: Kept) -> None:
    """Deals are numbered from 0 in each pulka, and a pulka's result is the sum of its deals."""
    deals, pulkas = rows_of(kept.folder, "deals"), rows_of(kept.folder, "pulkas")
    assert [row["pulka"] for row in pulkas] == list(range(kept.run.pulkas))
    by_pulka: dict[int, list[dict[str, Any]]] = {}
    for row in deals:
        by_pulka.setdefault(row["pulka"], []).append(row)
    assert list(by_pulka) == list(range(kept.run.pulkas))
    for row in pulkas:
        mine = by_pulka[row["pulka"]]
        assert [deal["deal"] for deal in mine] == list(range(row["n_deals"]))
        for i in range(kept.run.players):
            assert sum(deal[f"value_{i}"] for deal in mine) == row[f"result_{i}"]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("variant", variant_names())
def test_every_variant_is_kept(variant: str, players: int, tmp_path: Path) -> None:
    """Three and four players of each shipped variant: rows as the engine gave them, sums of 0."""
    run = make_run(variant, line_up(4)[:players], 30, 6, 3, players, max_deals=40)
    moments = study([run], [tmp_path], workers=1)
    assert moments.n == 30 and moments.n_players == players
    assert_rows_come_back(tmp_path, run.shard(0).run().deals)
    pulkas = rows_of(tmp_path, "pulkas")
    assert len(pulkas) == 30
    for row in pulkas:
        assert sum(row[f"result_{i}"] for i in range(players)) == 0


# What a file says of its run


def test_metadata_of_every_file(whole: Path) -> None:
    """Each file tells the run it belongs to: variant, bots, seed, range of pulkas, versions."""
    run = small_run()
    for name in DATASETS:
        for shard in range(SHARDS):
            path = part(whole, name, shard)
            meta = json.loads(pq.read_schema(path).metadata[b"preferans"])
            parsed = parse_variant(meta["variant_toml"], meta["variant"], "the file")
            assert parsed.digest() == meta["rules_digest"] == run.variant.digest()
            assert parsed.conventions["contract.concession"] == 3 and meta["variant"] == "sochi"
            assert meta["bots"] == ["wild", "random", "cautious"]
            files = sorted([*BOTS.rglob("*.py"), *BOTS.rglob("*.json")])
            shared = hashlib.sha256(b"".join(one.read_bytes() for one in files)).hexdigest()[:16]
            assert meta["bot_digests"] == ["", shared, shared]
            assert (meta["seed"], meta["pool"], meta["players"]) == (11, 4, 3)
            assert (meta["pulkas"], meta["max_deals"]) == (PULKAS, 9)
            assert (meta["shard"], meta["shard_pulkas"]) == (shard, SHARD_PULKAS)
            assert meta["record_plays"] is True
            assert meta["version"] == importlib.metadata.version("preferans")
            assert meta["schema_version"] == SCHEMA_VERSION
            first = meta["shard"] * meta["shard_pulkas"]
            pulkas = pq.read_table(path, columns=["pulka"]).column("pulka").to_pylist()
            expected = range(first, min(first + SHARD_PULKAS, PULKAS))
            assert sorted(set(pulkas)) == list(expected)


def test_manifest_is_the_run(whole: Path) -> None:
    """``run.json`` reads back as the arguments, and says the same as the files."""
    dataset = open_dataset(whole)
    assert dataset.info == small_run().info()
    meta = json.loads(pq.read_schema(part(whole, "deals", 1)).metadata[b"preferans"])
    assert {k: v for k, v in meta.items() if k != "shard"} == dataset.info.manifest() | {
        "bots": meta["bots"],
        "bot_digests": meta["bot_digests"],
    }


def test_plain_pyarrow_reads_the_same(whole: Path) -> None:
    """Whoever opens the folder with pyarrow alone gets the same rows."""
    dataset = open_dataset(whole)
    for name in DATASETS:
        plain = pa_dataset.dataset(whole / name, format="parquet").to_table()
        assert plain.equals(dataset.read(name))
        some = dataset.read(name, ["pulka"])
        assert some.column("pulka").equals(plain.column("pulka")) and some.num_columns == 1
        parts = [dataset.read_part(name, shard) for shard in range(SHARDS)]
        assert (
            pa.concat_tables([one.replace_schema_metadata() for one in parts]).num_rows
            == plain.num_rows
        )
        order = plain.select([k for k in ("pulka", "deal") if k in plain.column_names])
        keys = [tuple(row.values()) for row in order.to_pylist()]
        assert keys == sorted(set(keys))


# Equal contents


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_do_not_matter(workers: int, whole: Path, tmp_path: Path) -> None:
    """One, two and three workers write tables that are equal, file by file."""
    study([small_run()], [tmp_path / "run"], workers=workers)
    assert contents(tmp_path / "run") == contents(whole)
    for name in DATASETS:
        for shard in range(SHARDS):
            one, other = (pq.read_table(part(f, name, shard)) for f in (whole, tmp_path / "run"))
            assert one.equals(other, check_metadata=True)


def test_workers_do_not_matter_to_a_class(stateful: Path, tmp_path: Path) -> None:
    """Nor with a class that keeps a state: it has one instance a shard."""
    bots = [find_bot(f"{stateful}:Stateful"), find_bot("random"), find_bot(f"{stateful}:Stateful")]
    found = []
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        study([make_run("rostov", bots, 600, 2, 5, max_deals=4)], [folder], workers=workers)
        found.append(contents(folder))
    assert found[0] == found[1]


def test_the_seed_matters(whole: Path, tmp_path: Path) -> None:
    """Another seed gives other deals: equality above is not that of constants."""
    study([small_run(seed=12)], [tmp_path / "run"], workers=2)
    ours, theirs = contents(tmp_path / "run"), contents(whole)
    assert all(ours[name] != theirs[name] for name in DATASETS)


def test_more_pulkas_have_the_same_beginning(whole: Path, tmp_path: Path) -> None:
    """A run's first shard does not depend on how many follow."""
    study([small_run(SHARD_PULKAS)], [tmp_path / "run"], workers=1)
    for name in DATASETS:
        one, other = (pq.read_table(part(f, name, 0)) for f in (whole, tmp_path / "run"))
        assert one.equals(other)


# Records of plays


@pytest.mark.parametrize("bot", ["random", "cautious"])
@pytest.mark.parametrize("variant", variant_names())
def test_a_record_is_short(bot: str, variant: str, tmp_path: Path) -> None:
    """A byte for each decision, at most 48 a deal on the average."""
    study([make_run(variant, [find_bot(bot)], 100, 6, 1, record_plays=True)], [tmp_path])
    table = open_dataset(tmp_path).read("deals", ["plays", "n_decisions"])
    lengths = np.asarray(pc.binary_length(table.column("plays")))
    assert np.array_equal(lengths, np.asarray(table.column("n_decisions")))
    assert 10 < lengths.mean() <= 48


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("variant", variant_names())
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


@pytest.mark.parametrize("claims", [False, True])
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("variant", ["house", "piter", "finka", "klassika", "rostov"])
def test_a_record_replays(variant: str, players: int, claims: bool, tmp_path: Path) -> None:
    """A recorded deal comes out as it was, also where claims ended it."""
    played = house() if variant == "house" else find_variant(variant)
    run = make_run(played, line_up(4)[:players], 5, 6, 1, players, 8, True, claims)
    study([run], [tmp_path])
    dataset, table = open_dataset(tmp_path), Table(run.variant.rules(players, 6))
    assert dataset.info.claims == claims
    deals = dataset.read("deals")
    for row, engine in zip(deals.to_pylist(), deal_rows(deals), strict=True):
        if row["deal"] == 0:
            table = Table(run.variant.rules(players, 6))
            table.hidden["claims"] = int(claims)
        found = replay(table, row)
        for name in ("kind", "level", "declarer", "decision", "tricks", "played", "value"):
            assert np.array_equal(found[name], engine[name]), (row["pulka"], row["deal"], name)


@pytest.mark.parametrize("players", [3, 4])
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
