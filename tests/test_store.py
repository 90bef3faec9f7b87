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
import pyarrow.dataset as pa_dataset
import pyarrow.parquet as pq
import pytest
from store_bridge import (
    DATASETS,
    PULKAS,
    SHARDS,
    TABLES,
    contents,
    line_up,
    part,
    razboinik_run,
    refet_run,
    rows_of,
    small_run,
    two_run,
    write_stateful,
)

from bots import FOLDER as BOTS
from bots import find_bot
from scoring.variant import find_variant, parse_variant
from sim.engine import Batch
from sim.run import SHARD_PULKAS, Run, make_run, study
from sim.schema import PULKA_COLUMNS, SCHEMA_VERSION, deal_columns, deal_rows
from sim.store import open_dataset

FOUR = 300
"""Pulkas of the small run of four players."""
STRAINS = ("♠", "♣", "♦", "♥", "NT")


@dataclass
class Kept:
    """A run in its folder, and its rows as the engine gives them."""

    folder: Path
    run: Run
    batch: Batch


RUNS = {
    "two": two_run,
    "throwing in": lambda: two_run("no_raspas", 100),
    "three": small_run,
    "four": lambda: small_run(FOUR, players=4),
    "razboinik": razboinik_run,
    "open rows": lambda: razboinik_run(40, 7),
    "refet": refet_run,
    "refet of four": lambda: refet_run(4),
}


@pytest.fixture(scope="module", params=RUNS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The small run, of two, three and four players; razboinik, and the refet game."""
    run = RUNS[request.param]()
    if request.param == "three":
        folder = request.getfixturevalue("whole")
    else:
        folder = tmp_path_factory.mktemp("kept") / "run"
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
    return write_stateful(tmp_path_factory.mktemp("bots"), "a_user")


# Columns


@pytest.mark.parametrize("record_plays", [False, True])
def test_columns_are_documented(record_plays: bool) -> None:
    """Every column has a comment, and a unit where it is an amount."""
    columns = [*deal_columns(record_plays), *PULKA_COLUMNS]
    for column in columns:
        meta = column.field().metadata
        assert meta[b"comment"] and meta[b"unit"].decode() == column.unit
        stem = column.name.partition("_")[0]
        exact = {"value", "pool", "mountain", "whists", "row", "result"}
        in_tricks = {"tricks", "level", "concession", "talon"}
        assert bool(column.unit) == (stem in exact | in_tricks or column.name == "n_deals")
        assert ("twelfths" in column.unit) == (stem in exact)
    names = [column.name for column in deal_columns(record_plays)]
    assert len(set(names)) == len(names) and ("plays" in names) == record_plays


def test_types_are_narrow(whole: Path) -> None:
    """No type is wider than its values need; words are dictionaries; comments are in the file."""
    wide = {"pulka": pa.int64(), "number": pa.int64(), "plays": pa.binary()}
    words = {"kind", "contract", "strain", "bid", *(f"decision_{i}" for i in range(4))}
    middle = {"deal", "n_decisions", "n_deals", "refets_given", *(f"refets_{i}" for i in range(4))}
    flags = {"open", "played", "unfinished", "without_talon", "off_mountain"}
    flags |= {"refet", "refets_written"}
    amounts = {"value", "pool", "mountain", "whists", "row", "result"}
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


CALLS = ["pass", "hold", *"2345678", "game", "game betl", "game sans", "game preferans"]
OF_AUCTION = {"bid", "n_bids", "without_talon", *(f"decision_{i}" for i in range(4))}
OF_POOL = {"talon_units", "concession", "off_mountain", "raspas_index", "dark"}
OF_REFET = {"contra", "contra_by", "refet", "refets_written"}
NOTHING = {
    "pool": OF_REFET,
    "razboinik": OF_AUCTION | OF_POOL | OF_REFET,
    "refet": OF_POOL | {"open"},
}
"""What a family has nothing for."""


def hand_name(deal: Any) -> str:
    """The contract of the refet game."""
    kind, level, strain = deal["kind"], deal["level"], STRAINS[deal["strain"]]
    if kind == 0:
        return "passed"
    suits = {"♠": "spades", "♦": "diamonds", "♥": "hearts", "♣": "clubs", "NT": "sans"}
    name = "betl" if kind == 2 else "preferans" if level == 10 else suits[strain]
    return f"game {name}" if deal["without_talon"] else name


def in_words_of_refet(deal: Any) -> dict[str, Any]:
    """What is told in other words in the refet game, or there alone."""
    contra_by = int(deal["contra_by"])
    calls = (None, "stays", "comes", "?", "invited")
    return {
        "kind": ("passed", "tricks", "betl")[deal["kind"]],
        "contract": hand_name(deal),
        "bid": None if deal["kind"] == 0 else CALLS[deal["bid"]],
        "contra": int(deal["contra"]),
        "contra_by": None if contra_by < 0 else contra_by,
        "refet": bool(deal["refet"]),
        "refets_written": bool(deal["refets_written"]),
        **{f"decision_{i}": calls[deal["decision"][i]] for i in range(4)},
    }


def opened(kept: Kept, deal: Any) -> bool | None:
    """How a defence lay; of two players only where the defender chose: a ten is checked here."""
    if kept.run.players == 2 and kept.run.variant.has_pool:
        chose = deal["level"] < 10 and 2 in deal["decision"]
        return bool(deal["open_play"]) if chose else None
    return bool(deal["open_play"])


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
        of_refet = kept.run.game.has_columns
        same = ("pulka", "deal", "number", "dealer", "n_bids", "raspas_index", "n_decisions")
        expected: dict[str, Any] = {
            **{name: int(deal[name]) for name in (*same, "talon_units")},
            "kind": kind,
            "contract": f"{name} wt" if deal["without_talon"] else name,
            "level": int(deal["level"]) if tricks else None,
            "strain": strain if tricks else None,
            "declarer": None if kind == "raspas" else int(deal["declarer"]),
            "bid": None if kind == "raspas" or of_refet else CODES[deal["bid"]],
            "concession": int(deal["concession"]) or None,
            "open": opened(kept, deal),
            "played": played,
            "without_talon": bool(deal["without_talon"]),
            "off_mountain": bool(deal["off_mountain"]),
            "dark": int(deal["dark_level"]),
            "plays": plays[: deal["n_decisions"]].tobytes(),
        }
        for i in range(4):
            if not of_refet:
                call = (None, "pass", "whist", "half")[deal["decision"][i]] if i < n else None
                expected[f"decision_{i}"] = call
            expected[f"tricks_{i}"] = int(deal["tricks"][i]) if played and i < n else None
            expected[f"value_{i}"] = int(deal["value"][i]) if i < n else None
        if of_refet:
            expected |= in_words_of_refet(deal)
        expected |= dict.fromkeys(NOTHING[kept.run.variant.family])
        assert row == expected
        used |= {(name, value is None) for name, value in row.items()}
    assert_nulls(kept, used)


def assert_nulls(kept: Kept, used: set[tuple[str, bool]]) -> None:
    """Columns were null, and were not, exactly where it is documented."""
    n, family = kept.run.players, kept.run.variant.family
    absent = {f"{stem}_{i}" for stem in ("decision", "tricks", "value") for i in range(n, 4)}
    absent |= NOTHING[family]
    nullable = {"level", "strain"}
    if family != "razboinik":
        nullable |= {"declarer", "bid", *(f"decision_{i}" for i in range(4))}
        nullable |= {f"tricks_{i}" for i in range(4)}
        nullable |= {"contra_by"} if family == "refet" else {"concession"}
        nullable |= {"open"} if n == 2 else set()
    for name in (column.name for column in deal_columns(True)):
        assert ((name, False) in used) == (name not in absent), name
        assert ((name, True) in used) == (name in nullable | absent), name


def test_everything_happens_in_the_small_runs(kept: Kept) -> None:
    """No column above is always the same: whatever a deal can be is there."""
    rows = rows_of(kept.folder, "deals")
    contracts = {row["contract"] for row in rows}
    if kept.run.game.has_columns:
        suits = ("spades", "diamonds", "hearts", "clubs", "betl", "sans", "preferans")
        assert contracts == {"passed", *suits, *(f"game {suit}" for suit in suits)}
        assert {row["contra"] for row in rows} == {0, 1, 2, 3, 4}
        assert {row["bid"] for row in rows} == {None, *CALLS[2:]}
        calls = {row[f"decision_{i}"] for row in rows for i in range(4)}
        assert calls == {None, "stays", "comes", "invited"}
        for name in ("refet", "refets_written", "played", "without_talon"):
            assert {row[name] for row in rows} == {False, True}
        return
    if not kept.run.variant.has_pool:
        assert contracts >= {"misere", "6♠", "7♣", "8♦", "9♥", "10NT"} and "raspas" not in contracts
        return
    assert contracts >= {"raspas", "misere", "misere wt", "9♠ wt", "10NT wt"}
    assert {row["talon_units"] for row in rows} == {0, 1, 2, 3}
    two = kept.run.players == 2
    assert {row["dark"] for row in rows} >= ({0, 1} if kept.run.game.thrown_in else {0, 1, 2})
    assert {row["open"] for row in rows} == {False, True} | ({None} if two else set())
    for name in ("without_talon", "off_mountain", "played"):
        assert {row[name] for row in rows} == {False, True}
    if two:
        thrown_in = kept.run.game.thrown_in
        raspas = {row["played"] for row in rows if row["kind"] == "raspas"}
        assert raspas == {not thrown_in}
        assert any(row["level"] == 10 and "whist" in row.values() for row in rows)
    if kept.run.players == 4:
        assert {row[f"decision_{row['dealer']}"] for row in rows} == {None, "whist"}
        assert any(row[f"tricks_{row['dealer']}"] for row in rows if row["kind"] == "raspas")


def assert_rows_come_back(folder: Path, deals: Any) -> None:
    """``deal_rows`` gives the engine's rows, but for what the sheet alone decides, and the talon
    where nothing is written for it.

    Who whisted last counts where somebody whisted.
    """
    dataset = open_dataset(folder)
    rows = deal_rows(dataset.read("deals"), dataset.game)
    whisted = (deals["decision"] == 2).any(axis=1)
    assert whisted.any() == (deals["bid"] >= 0).any()
    assert (rows["last_whister"][~whisted] == -1).all()
    left_out = {"bomb_level", "after_close", "may_refet", "remaining"}
    if not dataset.game.has_pool:
        left_out.add("talon_units")
    for name in set(rows.dtype.names or ()) - left_out:
        among = whisted if name == "last_whister" else slice(None)
        assert np.array_equal(rows[name][among], deals[name][among]), name


def test_rows_come_back(kept: Kept) -> None:
    """A table read is the rows that were written."""
    assert_rows_come_back(kept.folder, kept.batch.deals)


def test_pulkas_hold_what_the_engine_gave(kept: Kept) -> None:
    """The same for pulkas; everything of a player who is not at the table is null, what the family
    does not have, and a row that is open."""
    rows, n, game = rows_of(kept.folder, "pulkas"), kept.run.players, kept.run.game
    most = kept.run.max_deals
    assert len(rows) == kept.run.pulkas
    ended = {most < 12} if game.has_rows else {False, True}
    assert {row["unfinished"] for row in rows} == ended
    for row, pulka in zip(rows, kept.batch.pulkas, strict=True):
        expected: dict[str, Any] = {
            "pulka": int(pulka["pulka"]),
            "n_deals": int(pulka["n_deals"]),
            "unfinished": bool(pulka["unfinished"]),
            "refets_given": int(pulka["refets_given"]) if game.has_columns else None,
        }
        names = {"pool": game.has_pool, "refets": game.has_columns, "mountain": True}
        for i in range(4):
            for name, known in (names | {"result": True}).items():
                there = i < n and known
                expected[f"{name}_{i}"] = int(pulka[name][i]) if there else None
            for j in range(4):
                if i != j:
                    there = max(i, j) < n and not game.has_rows
                    pair = int(pulka["whists"][4 * i + j]) if there else None
                    expected[f"whists_{i}_{j}"] = pair
        cells = [f"row_{row}_{i}" for i in range(2) for row in (6, 7, 8, 9, 10, "misere")]
        expected |= {
            k: int(x) if x >= 0 else None for k, x in zip(cells, pulka["row"], strict=True)
        }
        assert row == expected
        open_rows = [name for name in cells if row[name] is None]
        assert len(open_rows) == (12 - row["n_deals"] if game.has_rows else 12)


def test_rows_are_what_the_deals_wrote(kept: Kept) -> None:
    """Each row of a table is the price of what its deal fell short, on the declarer's side; the
    mountain is their sum, and the result the difference of both."""
    if not kept.run.game.has_rows:
        return
    prices = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}
    tables = {row["pulka"]: row for row in rows_of(kept.folder, "pulkas")}
    for deal in rows_of(kept.folder, "deals"):
        level, tricks = deal["level"], deal[f"tricks_{deal['declarer']}"]
        short = 10 * tricks if level is None else prices[level] * max(0, level - tricks)
        row = f"row_{level or 'misere'}_{deal['declarer']}"
        assert tables[deal["pulka"]][row] == 12 * short
    for table in tables.values():
        sums = [sum(table[f"row_{r}_{i}"] or 0 for r in (*prices, "misere")) for i in range(2)]
        assert sums == [table["mountain_0"], table["mountain_1"]]
        assert table["result_0"] == sums[1] - sums[0]


def test_refets_are_those_of_the_deals(kept: Kept) -> None:
    """Each hand that leaves refets gives one to every player, up to three times; the declarer's is
    crossed off where he has one. A pulka ends when nothing is left of the columns."""
    if not kept.run.game.has_columns:
        return
    ends = {row["pulka"]: row for row in rows_of(kept.folder, "pulkas")}
    given = dict.fromkeys(ends, 0)
    left = {pulka: [0] * kept.run.players for pulka in ends}
    barred = 0
    for deal in rows_of(kept.folder, "deals"):
        pulka, declarer = deal["pulka"], deal["declarer"]
        refets = left[pulka]
        assert deal["refet"] == (declarer is not None and refets[declarer] > 0)
        if deal["refets_written"]:
            assert declarer is None or (deal["contract"] == "spades" and not deal["played"])
            given[pulka] += 1
            left[pulka] = [count + 1 for count in refets]
        elif deal["refet"]:
            refets[declarer] -= 1
        barred += declarer is None and not deal["refets_written"]
    assert max(given.values()) == 3 and barred
    for pulka, row in ends.items():
        assert row["refets_given"] == given[pulka]
        assert [row[f"refets_{i}"] for i in range(kept.run.players)] == left[pulka]
        total = sum(row[f"mountain_{i}"] for i in range(kept.run.players))
        assert (total <= 0) != row["unfinished"]


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


def a_run(variant: str, players: int, pulkas: int, pool: int, **options: Any) -> Run:
    """A run to a pool, where the variant has one."""
    target = pool if find_variant(variant).has_target else None
    return make_run(variant, line_up(4)[:players], pulkas, target, 3, players, **options)


@pytest.mark.parametrize("variant, players", TABLES)
def test_every_variant_is_kept(variant: str, players: int, tmp_path: Path) -> None:
    """Each shipped variant with each number of players: rows as the engine gave them, sums of 0."""
    run = a_run(variant, players, 30, 6, max_deals=40)
    moments = study([run], [tmp_path], workers=1)
    assert moments.n == 30 and moments.games == (open_dataset(tmp_path).game,) == (run.game,)
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
