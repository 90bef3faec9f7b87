"""Runs small enough to store in tests, and digests of what a dataset holds."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.reference.bots import wild
from bots import find_bot
from scoring.variant import Variant, find_variant, variant_names
from sim.botcall import Bot
from sim.run import SHARD_PULKAS, Run, make_run
from sim.store import MANIFEST, open_dataset

ROOT = Path(__file__).resolve().parent.parent
PULKAS = 2 * SHARD_PULKAS + 76
SHARDS = 3
DATASETS = ("deals", "pulkas")
TABLES = [(name, n) for name in variant_names() for n in find_variant(name).players]
"""Every shipped variant with each number of its players."""


HOUSE = {
    "contract.concession": 3,
    "auction.dark_pass": True,
    "auction.without_talon": ["misere", "nine", "ten"],
    "values.off_mountain_instead": 2,
    "whist.dealer_may": True,
}


def house() -> Variant:
    """A variant in which every column comes into use."""
    return find_variant("sochi", HOUSE)


def line_up(players: int = 3) -> list[Bot]:
    """Different jitted bots, so that every kind of deal happens."""
    bots = [Bot("wild", wild), find_bot("random"), find_bot("cautious")]
    return bots if players == 3 else [bots[0], bots[1], bots[0], bots[0]][:players]


def small_run(
    pulkas: int = PULKAS, record_plays: bool = True, seed: int = 11, players: int = 3
) -> Run:
    """Three shards, the last of them short; some pulkas are stopped by the limit of deals."""
    bots = line_up(players)
    return make_run(house(), bots, pulkas, 4, seed, players, 9, record_plays=record_plays)


def two_run(raspas: str = "dead", pulkas: int = 300) -> Run:
    """Two players of the house variant with checked tens; ``raspas`` is the dummy's part there."""
    played = find_variant("sochi", {**HOUSE, "whist.ten": "checked", "dummy.raspas": raspas})
    return make_run(played, line_up(2), pulkas, 4, 11, 2, 9, record_plays=True)


def razboinik_run(pulkas: int = 300, most: int = 12) -> Run:
    """Razboinik, whose tables stay open with fewer than twelve deals."""
    bots = line_up(2)
    return make_run("razboinik", bots, pulkas, seed=11, max_deals=most, record_plays=True)


def refet_run(players: int = 3, pulkas: int = 300) -> Run:
    """A house variant of the refet game with preferans, to be bid and named; some pulkas end."""
    settings = {"bidding.preferans": True, "bidding.jumps": True, "refets.few": 3}
    bots = line_up(4)[:players]
    played = find_variant("serbian", settings)
    return make_run(played, bots, pulkas, 6, 11, players, 12, record_plays=True)


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


def write_stateful(folder: Path, stem: str) -> Path:
    """A file with a class bot that keeps a state; no two files of bots may have one name."""
    path = folder / f"stateful_bot_of_{stem}.py"
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
