"""Datasets on disk: their columns, what each file says of its run, and that contents are the same
however a run was played, stopped and resumed, while nothing half-written is ever read."""

from __future__ import annotations

import errno
import gc
import hashlib
import importlib.metadata
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pa_dataset
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from conftest import wild

from bots import FOLDER as BOTS
from bots import find_bot
from scoring.errors import PreferansError, WrongUse
from scoring.variant import Variant, find_variant, parse_variant
from sim.botcall import Bot
from sim.cli import cli
from sim.engine import Batch
from sim.playable import playable_names
from sim.run import SHARD_PULKAS, Run, make_run, study
from sim.schema import PULKA_COLUMNS, SCHEMA_VERSION, deal_columns
from sim.store import MANIFEST, Dataset, ExistingData, StoreError, create_dataset, open_dataset

ROOT = Path(__file__).resolve().parent.parent
PULKAS = 2 * SHARD_PULKAS + 76
SHARDS = 3
DATASETS = ("deals", "pulkas")
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


# Runs


def house() -> Variant:
    """A variant in which every column comes into use: concessions are allowed."""
    return find_variant("sochi", {"contract.concession": 3})


def line_up() -> list[Bot]:
    """Three different jitted bots, so that every kind of deal happens."""
    return [Bot("wild", wild), find_bot("random"), find_bot("cautious")]


def small_run(pulkas: int = PULKAS, record_plays: bool = True, seed: int = 11) -> Run:
    """Three shards, the last of them short; some pulkas are stopped by the limit of deals."""
    return make_run(house(), line_up(), pulkas, 4, seed, max_deals=9, record_plays=record_plays)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small run, played by one worker without a break."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    study([small_run()], [folder], workers=1)
    return folder


@pytest.fixture(scope="module")
def batch() -> Batch:
    """The rows of the small run as the engine gives them."""
    run = small_run()
    parts = [run.shard(shard).run() for shard in range(run.n_shards())]
    plays = [one.plays for one in parts if one.plays is not None]
    return Batch(
        np.concatenate([one.deals for one in parts]),
        np.concatenate([one.pulkas for one in parts]),
        np.concatenate(plays),
    )


@pytest.fixture(scope="module")
def stateful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a class bot that keeps a state."""
    path = tmp_path_factory.mktemp("bots") / "stateful_bot_of_a_user.py"
    path.write_text(STATEFUL, encoding="utf-8")
    return path


def column_digest(column: pa.ChunkedArray) -> bytes:
    """Digest of the values of a column and of where it is null."""
    digest = hashlib.sha256(np.asarray(pc.is_null(column)).tobytes())
    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    if pa.types.is_integer(column.type):
        digest.update(np.asarray(pc.fill_null(column, 0).cast(pa.int64())).tobytes())
    else:
        digest.update(repr(column.to_pylist()).encode())
    return digest.digest()


def table_digest(table: pa.Table) -> str:
    """Digest of names, types and values, whatever the chunks."""
    digest = hashlib.sha256()
    for field in table.schema:
        digest.update(f"{field.name} {field.type}\n".encode())
        digest.update(column_digest(table.column(field.name)))
    return digest.hexdigest()


def contents(folder: Path) -> dict[str, Any]:
    """What a dataset holds: names of its files, digests of both tables, and its manifest."""
    dataset = open_dataset(folder)
    found: dict[str, Any] = {MANIFEST: (folder / MANIFEST).read_text(encoding="utf-8")}
    for name in DATASETS:
        found[name] = table_digest(dataset.read(name))
        found[f"{name} files"] = [path.name for path in dataset.files(name)]
    return found


def part(folder: Path, dataset: str, shard: int) -> Path:
    return folder / dataset / f"part-{shard:06d}.parquet"


def hidden(path: Path) -> Path:
    """The name under which a file is written before it is renamed."""
    return path.with_name(f".{path.name}.tmp")


def rows_of(folder: Path, dataset: str) -> list[dict[str, Any]]:
    return open_dataset(folder).read(dataset).to_pylist()


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
        in_tricks = {"tricks", "level", "concession"}
        assert bool(column.unit) == (stem in exact | in_tricks or column.name == "n_deals")
        assert ("twelfths" in column.unit) == (stem in exact)
    names = [column.name for column in deal_columns(record_plays)]
    assert len(set(names)) == len(names) and ("plays" in names) == record_plays


def test_types_are_narrow(whole: Path) -> None:
    """No type is wider than its values need; words are dictionaries; comments are in the file."""
    wide = {"pulka": pa.int64(), "number": pa.int64(), "plays": pa.binary()}
    words = {"kind", "contract", "strain", "bid", *(f"decision_{i}" for i in range(4))}
    middle = {"deal", "n_decisions", "n_deals"}
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
            elif field.name in ("open", "played", "unfinished"):
                expected = pa.bool_()
            elif field.name.partition("_")[0] in amounts:
                expected = pa.int32()
            assert field.type == expected, field.name
            assert field.metadata[b"comment"], field.name


def test_deals_hold_what_the_engine_gave(whole: Path, batch: Batch) -> None:
    """Each row in words and numbers is the engine's row, null exactly where it is documented."""
    rows = rows_of(whole, "deals")
    assert len(rows) == len(batch.deals)
    assert batch.plays is not None
    used = set()
    for row, deal, plays in zip(rows, batch.deals, batch.plays, strict=True):
        kind = ("raspas", "tricks", "misere")[deal["kind"]]
        tricks, played = kind == "tricks", bool(deal["played"])
        strain = STRAINS[deal["strain"]]
        bid = int(deal["bid"])
        expected: dict[str, Any] = {
            **{name: int(deal[name]) for name in ("pulka", "deal", "number", "dealer", "n_bids")},
            **{name: int(deal[name]) for name in ("raspas_index", "n_decisions")},
            "kind": kind,
            "contract": f"{deal['level']}{strain}" if tricks else kind,
            "level": int(deal["level"]) if tricks else None,
            "strain": strain if tricks else None,
            "declarer": None if kind == "raspas" else int(deal["declarer"]),
            "concession": int(deal["concession"]) or None,
            "open": bool(deal["open_play"]),
            "played": played,
            "plays": plays[: deal["n_decisions"]].tobytes(),
        }
        if kind == "raspas":
            expected["bid"] = None
        else:
            expected["bid"] = "misere" if bid == 25 else f"{6 + bid // 5}{STRAINS[bid % 5]}"
        for i in range(4):
            call = (None, "pass", "whist", "half")[deal["decision"][i]] if i < 3 else None
            expected[f"decision_{i}"] = call
            expected[f"tricks_{i}"] = int(deal["tricks"][i]) if played and i < 3 else None
            expected[f"value_{i}"] = int(deal["value"][i]) if i < 3 else None
        assert row == expected
        used |= {(name, value is None) for name, value in row.items()}
    nullable = {"level", "strain", "declarer", "bid", "concession"}
    nullable |= {f"{stem}_{i}" for stem in ("decision", "tricks", "value") for i in range(4)}
    for name in (column.name for column in deal_columns(True)):
        has_null, has_value = (name, True) in used, (name, False) in used
        assert has_value == (not name.endswith("_3")), name
        assert has_null == (name in nullable and not name.startswith("value")) or (
            name == "value_3"
        ), name


def test_pulkas_hold_what_the_engine_gave(whole: Path, batch: Batch) -> None:
    """The same for pulkas; everything of player 3, who is not at the table, is null."""
    rows = rows_of(whole, "pulkas")
    assert len(rows) == PULKAS and {row["unfinished"] for row in rows} == {False, True}
    for row, pulka in zip(rows, batch.pulkas, strict=True):
        expected: dict[str, Any] = {
            "pulka": int(pulka["pulka"]),
            "n_deals": int(pulka["n_deals"]),
            "unfinished": bool(pulka["unfinished"]),
        }
        for i in range(4):
            for name in ("pool", "mountain", "result"):
                expected[f"{name}_{i}"] = int(pulka[name][i]) if i < 3 else None
            for j in range(4):
                if i != j:
                    pair = int(pulka["whists"][4 * i + j]) if max(i, j) < 3 else None
                    expected[f"whists_{i}_{j}"] = pair
        assert row == expected


def test_pulkas_and_deals_agree(whole: Path) -> None:
    """Deals are numbered from 0 in each pulka, and a pulka's result is the sum of its deals."""
    deals, pulkas = rows_of(whole, "deals"), rows_of(whole, "pulkas")
    assert [row["pulka"] for row in pulkas] == list(range(PULKAS))
    by_pulka: dict[int, list[dict[str, Any]]] = {}
    for row in deals:
        by_pulka.setdefault(row["pulka"], []).append(row)
    assert list(by_pulka) == list(range(PULKAS))
    for row in pulkas:
        mine = by_pulka[row["pulka"]]
        assert [deal["deal"] for deal in mine] == list(range(row["n_deals"]))
        for i in range(3):
            assert sum(deal[f"value_{i}"] for deal in mine) == row[f"result_{i}"]


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


# Interrupted runs


def lose(*parts: tuple[str, int]) -> Callable[[Path], None]:
    """A crash after which these files are missing."""

    def crash(folder: Path) -> None:
        for name, shard in parts:
            part(folder, name, shard).unlink()

    return crash


def lose_in_the_middle(folder: Path) -> None:
    """A crash while shard 1 was written: half a file under its hidden name."""
    path = part(folder, "deals", 1)
    hidden(path).write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    path.unlink()
    part(folder, "pulkas", 1).unlink()


def lose_everything(folder: Path) -> None:
    """A crash right after the manifest was written, and garbage under hidden names."""
    for name in DATASETS:
        for shard in range(SHARDS):
            path = part(folder, name, shard)
            path.unlink()
            hidden(path).write_bytes(b"PAR1 and garbage")


CRASHES = {
    "pulkas of the first": (lose(("pulkas", 0)), [1, 2]),
    "deals of the second": (lose(("deals", 1)), [0, 2]),
    "both of the last": (lose(("deals", 2), ("pulkas", 2)), [0, 1]),
    "one of each": (lose(("pulkas", 0), ("deals", 2)), [1]),
    "half a file": (lose_in_the_middle, [0, 2]),
    "everything": (lose_everything, []),
}


@pytest.mark.parametrize("crash", CRASHES)
def test_resume_completes(crash: str, whole: Path, tmp_path: Path) -> None:
    """After any crash readers see whole shards alone, and a resumed run writes the same contents.

    Finished shards are not touched, and the estimates are those of the run without a break.
    """
    damage, left = CRASHES[crash]
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    damage(folder)
    dataset = open_dataset(folder)
    assert [shard for shard in range(SHARDS) if dataset.is_finished(shard)] == left
    for name in DATASETS:
        assert dataset.files(name) == [part(folder, name, shard) for shard in left]
        if left:
            found = set(dataset.read(name).column("pulka").to_pylist())
            assert {pulka // SHARD_PULKAS for pulka in found} == set(left)
            plain = pa_dataset.dataset(folder / name, format="parquet")
            assert not any(Path(file).name.startswith(".") for file in plain.files)
        else:
            assert dataset.read(name).num_rows == 0
    kept = [part(folder, name, shard) for name in DATASETS for shard in left]
    before = [path.stat().st_mtime_ns for path in kept]
    counts: list[int] = []
    moments = study([small_run()], [folder], workers=2, resume=True, on_progress=counts.append)
    assert contents(folder) == contents(whole)
    assert [path.stat().st_mtime_ns for path in kept] == before
    assert sum(counts) == PULKAS
    assert moments.as_json() == study([small_run()], workers=1).as_json()


def test_resume_of_a_finished_run_changes_nothing(whole: Path, tmp_path: Path) -> None:
    """All shards are read, none is written."""
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    study([small_run()], [folder], workers=1, resume=True)
    assert contents(folder) == contents(whole)


def test_a_new_folder_may_be_resumed(whole: Path, tmp_path: Path) -> None:
    """``--resume`` in a script starts the run the first time."""
    study([small_run()], [tmp_path / "run"], workers=1, resume=True)
    assert contents(tmp_path / "run") == contents(whole)


GATED = '''"""A bot of a user that can be held up."""
import os
import time

import numpy as np

made = 0


class Gated:
    """The lowest legal action; if there is a GATE, the third shard waits until it is opened."""

    def __init__(self, rules, seed):
        global made
        made += 1
        self.gate = os.environ.get("GATE") if made > 2 else None

    def act(self, seen):
        while self.gate and not os.path.exists(self.gate):
            time.sleep(0.01)
        legal = seen["legal"]
        return np.bitwise_count((legal & -legal) - 1).astype(np.int64)
'''


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of five shards that is held up in its third when it is told to."""
    path = tmp_path_factory.mktemp("bots") / "gated_bot_of_a_user.py"
    path.write_text(GATED, encoding="utf-8")
    bots = [find_bot(f"{path}:Gated"), find_bot("cautious"), find_bot("cautious")]
    return make_run("rostov", bots, 4 * SHARD_PULKAS + 100, 4, 3, max_deals=6)


@pytest.fixture(scope="module")
def unbroken(gated: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that run, played without a break."""
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    study([gated], [folder])
    return folder


SCRIPT = """
import signal
from sim.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # Ignored below a background shell.
main()
"""


def start(run: Run, folder: Path, gate: Path) -> subprocess.Popen[str]:
    """The command in a process of its own, which stops at the gate."""
    options = {
        "--variant": run.variant.name,
        "--bots": ",".join(one.name for one in run.bots),
        "--pulkas": run.pulkas,
        "--pool": run.pool,
        "--seed": run.seed,
        "--max-deals": run.max_deals,
        "--out": folder,
        "--workers": 2,
    }
    words = [str(word) for pair in options.items() for word in pair]
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "simulate", *words],
        cwd=ROOT,
        env={**os.environ, "GATE": str(gate)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_parts(process: subprocess.Popen[str], folder: Path, count: int) -> None:
    """Until so many shards are finished (the engine may have to be compiled first)."""
    limit = time.monotonic() + 300
    while len(list(folder.glob("pulkas/part-*.parquet"))) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_stopped_process_is_resumed(
    how: signal.Signals, gated: Run, unbroken: Path, tmp_path: Path
) -> None:
    """Killed, or stopped by Ctrl-C: the shards left are whole, and a resumed run completes them."""
    folder, gate = tmp_path / "run", tmp_path / "gate"
    process = start(gated, folder, gate)
    wait_for_parts(process, folder, 2)
    process.send_signal(how)
    if how == signal.SIGINT:
        time.sleep(0.5)  # The shards that are being played end before the command does.
        gate.touch()
    out, err = process.communicate(timeout=60)
    assert out == ""
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert err.splitlines()[-1] == "stopped; finished shards are kept"
        assert "Traceback" not in err and not list(folder.rglob(".*"))
    dataset = open_dataset(folder)
    assert dataset.info == gated.info()
    finished = [shard for shard in range(gated.n_shards()) if dataset.is_finished(shard)]
    assert finished[:2] == [0, 1] and len(finished) < gated.n_shards()
    for path in folder.glob("*/part-*.parquet"):
        assert pq.read_table(path).num_rows > 0
    moments = study([gated], [folder], workers=2, resume=True)
    assert moments.n == gated.pulkas and len(dataset.files("deals")) == gated.n_shards()
    for name in DATASETS:
        assert dataset.read(name).equals(open_dataset(unbroken).read(name))


def test_other_arguments_are_not_resumed(whole: Path) -> None:
    """A run with other arguments is refused with what differs; nothing changes on disk."""
    before = {path: path.stat().st_mtime_ns for path in whole.rglob("*")}
    run = small_run()
    others = {
        "seed was 11": replace(run, seed=12),
        f"pulkas was {PULKAS}": replace(run, pulkas=PULKAS + 1),
        "pool was 4": replace(run, pool=5),
        "max_deals was 9": replace(run, max_deals=10),
        "record_plays was True": replace(run, record_plays=False),
        "bots was ['wild', 'random', 'cautious']": replace(run, bots=(run.bots[1],) * 3),
        "bot_digests was": replace(run, bots=(replace(run.bots[0], digest="x"), *run.bots[1:])),
        "rules_digest was": replace(run, variant=find_variant("sochi")),
        "variant was 'sochi'": replace(run, variant=find_variant("rostov")),
    }
    for words, other in others.items():
        with pytest.raises(ExistingData, match="cannot be resumed with other arguments") as caught:
            study([other], [whole], resume=True)
        assert words in str(caught.value) and "\n" not in str(caught.value)
    assert {path: path.stat().st_mtime_ns for path in whole.rglob("*")} == before


# Folders that hold something


def test_an_existing_dataset_is_not_replaced_by_accident(whole: Path, tmp_path: Path) -> None:
    """Refused without ``resume`` or ``overwrite``; after ``overwrite`` no old shard is left."""
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    with pytest.raises(ExistingData, match="--resume .* --overwrite"):
        study([small_run(40)], [folder])
    assert contents(folder) == contents(whole)
    study([small_run(40)], [folder], overwrite=True)
    assert [path.name for path in sorted(folder.rglob("part-*"))] == ["part-000000.parquet"] * 2
    assert open_dataset(folder).read("pulkas").num_rows == 40


FOREIGN = {
    "no manifest": None,
    "a manifest of another program": '{"name": "something else"}',
    "a manifest that is no JSON": "something else",
}


@pytest.mark.parametrize("resume, overwrite", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_folder_is_left_alone(
    kind: str, resume: bool, overwrite: bool, tmp_path: Path
) -> None:
    """A folder that is no dataset is refused, and not a file of it is touched."""
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "part-000000.parquet").write_text("precious")
    (tmp_path / "letter.txt").write_text("precious")
    text = FOREIGN[kind]
    if text is not None:
        (tmp_path / MANIFEST).write_text(text)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(StoreError) as caught:
        study([small_run(4)], [tmp_path], resume=resume, overwrite=overwrite)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    """An empty folder is as good as a new one."""
    study([small_run(4)], [tmp_path])
    assert open_dataset(tmp_path).read("pulkas").num_rows == 4


# A full disk


def failure(run: Run, folder: Path, **options: Any) -> str:
    """The one sentence with which a run fails to be written: no traceback, no wrong use."""
    message = _failure(run, folder, options)
    gc.collect()  # The failed writer goes while nothing else is going on.
    assert "\n" not in message
    return message


def _failure(run: Run, folder: Path, options: dict[str, Any]) -> str:
    with pytest.raises(StoreError) as caught:
        study([run], [folder], workers=1, **options)
    assert not isinstance(caught.value, WrongUse)
    return str(caught.value)


class FullDisk(io.FileIO):
    """A file on a disk with room for ``room`` more bytes."""

    room = 0

    def write(self, data: Any) -> int:
        if self.tell() + len(memoryview(data)) > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("room", [0, 3, 1500, 9000])
@pytest.mark.parametrize("name", DATASETS)
def test_a_full_disk(
    name: str, room: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No room for a shard: one sentence, no part of it on disk, and a resumed run completes."""
    folder = tmp_path / "run"
    target = hidden(part(folder, name, 1))
    usual = Path.open

    def open_file(path: Path, *arguments: Any, **options: Any) -> Any:
        if path != target:
            return usual(path, *arguments, **options)
        file = FullDisk(path, "wb")
        file.room = room
        return file

    assert room < part(whole, name, 1).stat().st_size
    monkeypatch.setattr(Path, "open", open_file)
    words = os.strerror(errno.ENOSPC)
    assert failure(small_run(), folder) == f"{part(folder, name, 1)} cannot be written: {words}"
    monkeypatch.undo()
    assert not target.exists() and not part(folder, name, 1).exists()
    dataset = open_dataset(folder)
    assert dataset.is_finished(0) and not dataset.is_finished(1)
    study([small_run()], [folder], workers=1, resume=True)
    assert contents(folder) == contents(whole) and not list(folder.rglob(".*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", DATASETS)
def test_a_disk_that_is_really_full(name: str, whole: Path, tmp_path: Path) -> None:
    """The same with the error of the system itself, from a device that is always full."""
    folder = tmp_path / "run"
    create_dataset(folder, small_run().info(), False, False)
    hidden(part(folder, name, 1)).symlink_to("/dev/full")
    message = failure(small_run(), folder, resume=True)
    assert message.endswith(f"cannot be written: {os.strerror(errno.ENOSPC)}")
    assert not list(folder.rglob(".*")) and not part(folder, name, 1).exists()
    study([small_run()], [folder], workers=1, resume=True)
    assert contents(folder) == contents(whole)


def test_a_disk_that_fills_while_it_syncs(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that comes with ``fsync`` counts as well."""

    def refuse(descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    folder = tmp_path / "run"
    monkeypatch.setattr(os, "fsync", refuse)
    assert os.strerror(errno.EIO) in failure(small_run(), folder)
    monkeypatch.undo()
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [MANIFEST]
    study([small_run()], [folder], workers=1, resume=True)
    assert contents(folder) == contents(whole)


@pytest.mark.parametrize("resume, overwrite", [(True, False), (False, True)])
def test_no_room_for_the_manifest(
    resume: bool, overwrite: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that failed at its very beginning can be started again in the same folder."""

    def refuse(path: Path, *arguments: Any, **options: Any) -> int:
        path.write_bytes(b"{")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / "run"
    monkeypatch.setattr(Path, "write_text", refuse)
    assert f"{folder} cannot be written" in failure(small_run(4), folder)
    monkeypatch.undo()
    study([small_run(4)], [folder], resume=resume, overwrite=overwrite)
    assert open_dataset(folder).read("pulkas").num_rows == 4


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Below a regular file there is no place: a failure that names the folder."""
    (tmp_path / "file").write_text("precious")
    assert "cannot be written" in failure(small_run(4), tmp_path / "file" / "run")
    with pytest.raises(ExistingData, match="is no dataset"):
        study([small_run(4)], [tmp_path / "file"], overwrite=True)
    assert (tmp_path / "file").read_text() == "precious"


# Damaged datasets


def damaged(folder: Path, data: bytes) -> Dataset:
    path = part(folder, "deals", 1)
    path.write_bytes(data)
    return open_dataset(folder)


def one_sentence(error: BaseException) -> bool:
    return isinstance(error, PreferansError) and "\n" not in str(error).strip()


@pytest.mark.parametrize("kind", ["empty", "half", "garbage", "no end"])
def test_a_damaged_file_is_named(kind: str, whole: Path, tmp_path: Path) -> None:
    """A finished file that was damaged later: a failure naming it, when read and when resumed."""
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    good = part(whole, "deals", 1).read_bytes()
    data = {
        "empty": b"",
        "half": good[: len(good) // 2],
        "garbage": bytes(range(256)) * 9,
        "no end": good[:-1],
    }[kind]
    dataset = damaged(folder, data)
    for action in (
        lambda: dataset.read_part("deals", 1),
        lambda: study([small_run()], [folder], workers=1, resume=True),
    ):
        with pytest.raises(StoreError) as caught:
            action()
        assert str(part(folder, "deals", 1)) in str(caught.value)
        assert one_sentence(caught.value) and not isinstance(caught.value, WrongUse)


def test_flipped_bits(tmp_path: Path) -> None:
    """A file with a flipped bit is read (a value has changed) or refused in one sentence."""
    study([small_run(6)], [tmp_path])
    dataset = open_dataset(tmp_path)
    path = part(tmp_path, "deals", 0)
    good = path.read_bytes()
    dice = np.random.default_rng(0)
    outcomes = []
    for place in dice.integers(0, len(good), 200).tolist():
        data = bytearray(good)
        data[place] ^= 1 << int(dice.integers(8))
        path.write_bytes(data)
        try:
            dataset.read_part("deals", 0)
            outcomes.append("read")
        except Exception as error:
            outcomes.append("refused" if one_sentence(error) else f"{error!r} at {place}")
    assert set(outcomes) == {"read", "refused"}


# Records of plays


@pytest.mark.parametrize("bot", ["random", "cautious"])
@pytest.mark.parametrize("variant", playable_names())
def test_a_record_is_short(bot: str, variant: str, tmp_path: Path) -> None:
    """A byte for each decision, at most 48 a deal on the average."""
    study([make_run(variant, [find_bot(bot)], 100, 6, 1, record_plays=True)], [tmp_path])
    table = open_dataset(tmp_path).read("deals", ["plays", "n_decisions"])
    lengths = np.asarray(pc.binary_length(table.column("plays")))
    assert np.array_equal(lengths, np.asarray(table.column("n_decisions")))
    assert 10 < lengths.mean() <= 48


@pytest.mark.parametrize("variant", playable_names())
def test_a_deal_is_small_on_disk(variant: str, tmp_path: Path) -> None:
    """Without plays a deal takes at most 24 bytes in a whole shard."""
    study([make_run(variant, [find_bot("cautious")], SHARD_PULKAS, seed=1)], [tmp_path], workers=1)
    rows = pq.read_metadata(part(tmp_path, "deals", 0)).num_rows
    size = part(tmp_path, "deals", 0).stat().st_size
    assert size / rows <= 24, f"{size / rows:.1f} bytes a deal"
    assert "plays" not in pq.read_schema(part(tmp_path, "deals", 0)).names


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
