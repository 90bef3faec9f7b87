"""Datasets in trouble: stopped and resumed runs, folders in use, full disks, damaged files; nothing
half-written is ever read."""

from __future__ import annotations

import errno
import gc
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
import pyarrow.dataset as pa_dataset
import pyarrow.parquet as pq
import pytest
from store_bridge import DATASETS, PULKAS, ROOT, SHARDS, contents, hidden, part, small_run

from bots import find_bot
from scoring.errors import PreferansError, WrongUse
from scoring.variant import find_variant
from sim.run import SHARD_PULKAS, Run, make_run, study
from sim.store import MANIFEST, Dataset, ExistingData, StoreError, create_dataset, open_dataset

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
        "players was 3": replace(run, players=4, bots=(*run.bots, run.bots[0])),
        "claims was False": replace(run, claims=True),
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


MANIFESTS: dict[str, tuple[dict[str, Any], str]] = {
    "of an older version": (
        {"schema_version": 1},
        "has schema version 1, of another version of this program, which reads version 4: "
        "simulate the run again into another folder",
    ),
    "of no version": ({"schema_version": None}, "no manifest of this program"),
    "of five": ({"players": 5}, "is damaged: players = 5 and 3 bots"),
    "with a bot too few": ({"players": 4}, "is damaged: players = 4 and 3 bots"),
    "with a digest too many": ({"bot_digests": ["", "", "", ""]}, "is damaged: players = 3"),
    "with other claims": ({"claims": 1}, "is damaged: claims = 1"),
    "without a pool": ({"pool": 0}, "is damaged: pool = 0"),
}


@pytest.mark.parametrize("kind", MANIFESTS)
def test_a_manifest_that_does_not_fit(kind: str, tmp_path: Path) -> None:
    """A manifest of another version, or with values that cannot be: one sentence naming it."""
    create_dataset(tmp_path, small_run(4).info(), False, False)
    path = tmp_path / MANIFEST
    change, words = MANIFESTS[kind]
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(StoreError) as caught:
        open_dataset(tmp_path)
    assert str(caught.value).startswith(f"{path} ") and words in str(caught.value)
    assert one_sentence(caught.value)


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
