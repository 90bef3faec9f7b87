"""Datasets on disk: a folder with ``deals/``, ``pulkas/`` and ``run.json``, one file a shard each.

A file is written under a hidden name, synced and renamed, the deals of a shard before its pulkas:
a shard counts as finished when both are there, and anything else is written again by a resumed run.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as pa_dataset
import pyarrow.parquet as pq

from scoring.errors import PreferansError, WrongUse, one_line
from scoring.variant import Variant, VariantError, parse_variant

from .engine import Batch
from .game import Game, game_of
from .schema import (
    PULKA_COLUMNS,
    SCHEMA_VERSION,
    Column,
    batch_tables,
    deal_columns,
    make_schema,
    narrow_names,
)

MANIFEST = "run.json"
DATASETS = ("deals", "pulkas")


class StoreError(PreferansError):
    """A dataset that cannot be written or read: one sentence naming the path and the reason."""


class ExistingData(StoreError, WrongUse):
    """A folder that holds something already, and the arguments do not say what to do with it."""


@dataclass(frozen=True)
class RunInfo:
    """The arguments that fix the contents of a dataset; kept in ``run.json`` and in each file."""

    variant: str
    variant_toml: str
    rules_digest: str
    players: int
    pool: int
    bots: tuple[str, ...]
    bot_digests: tuple[str, ...]
    seed: int
    pulkas: int
    max_deals: int
    claims: bool
    record_plays: bool
    shard_pulkas: int
    version: str
    rescored_from: str = ""  # the variant under which the deals were bid and played

    def manifest(self) -> dict[str, Any]:
        """As JSON data."""
        return {"schema_version": SCHEMA_VERSION, **asdict(self)}


def part_name(shard: int) -> str:
    """File name of a shard in both datasets."""
    return f"part-{shard:06d}.parquet"


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


@dataclass(frozen=True)
class Dataset:
    """A run's folder on disk."""

    folder: Path
    info: RunInfo

    def variant(self) -> Variant:
        """The variant that was played. StoreError if the manifest is damaged."""
        try:
            return parse_variant(self.info.variant_toml, self.info.variant, "its variant")
        except VariantError as error:
            raise StoreError(f"{self.folder / MANIFEST} is damaged: {error}") from None

    @functools.cached_property
    def game(self) -> Game:
        """What is played. StoreError as for the variant."""
        return game_of(self.variant(), self.info.players)

    def columns(self, dataset: str) -> tuple[Column, ...]:
        """Columns of ``deals`` or ``pulkas``."""
        return deal_columns(self.info.record_plays) if dataset == "deals" else PULKA_COLUMNS

    def schema(self, dataset: str) -> pa.Schema:
        """The same as an Arrow schema."""
        return make_schema(self.columns(dataset), {})

    def part(self, dataset: str, shard: int) -> Path:
        return self.folder / dataset / part_name(shard)

    def is_finished(self, shard: int) -> bool:
        """Whether both files of a shard are in place."""
        return self._is_whole(part_name(shard))

    def _is_whole(self, part: str) -> bool:
        return all((self.folder / name / part).is_file() for name in DATASETS)

    def write(self, shard: int, batch: Batch) -> list[pa.Table]:
        """Write a shard's two files, whole or not at all, and return their tables.

        StoreError if they cannot be written.
        """
        meta = {**self.info.manifest(), "shard": shard}
        tables = batch_tables(batch, self.game, self.info.record_plays, meta)
        for name, table in zip(DATASETS, tables, strict=True):
            _write_table(table, self.part(name, shard), self.columns(name))
        return tables

    def read_part(self, dataset: str, shard: int) -> pa.Table:
        """One shard of a dataset. StoreError if the file is damaged."""
        path = self.part(dataset, shard)
        try:
            table = pq.read_table(path)
            same = table.schema.equals(self.schema(dataset))
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise StoreError(f"{path} is damaged or cannot be read: {one_line(error)}") from error
        if not same:
            raise StoreError(f"{path} is damaged: its columns are not those of {dataset}")
        return table

    def read(self, dataset: str, columns: list[str] | None = None) -> pa.Table:
        """A whole dataset (``deals`` or ``pulkas``) in order, finished shards only."""
        files = [str(path) for path in self.files(dataset)]
        if not files:
            table = self.schema(dataset).empty_table()
            return table if columns is None else table.select(columns)
        return pa_dataset.dataset(files, format="parquet").to_table(columns=columns)

    def shards(self) -> list[int]:
        """Numbers of finished shards in order."""
        return [int(path.stem.rpartition("-")[2]) for path in self.files("deals")]

    def files(self, dataset: str) -> list[Path]:
        """Files of finished shards in order."""
        found = sorted((self.folder / dataset).glob("part-*.parquet"))
        return [path for path in found if self._is_whole(path.name)]


def _write_table(table: pa.Table, path: Path, columns: tuple[Column, ...]) -> None:
    """Write a file whole or not at all; it is made in memory first, a few megabytes."""
    made = pa.BufferOutputStream()
    pq.write_table(
        table,
        made,
        compression="zstd",
        compression_level=1,
        use_dictionary=narrow_names(columns),
    )
    hidden = path.with_name(f".{path.name}.tmp")
    try:
        with hidden.open("wb") as sink:
            sink.write(made.getvalue())
            sink.flush()
            os.fsync(sink.fileno())
        hidden.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            hidden.unlink(missing_ok=True)
        raise StoreError(f"{path} cannot be written: {_reason(error)}") from error


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {_reason(error)}") from error
    except ValueError as error:
        raise StoreError(f"{path} is damaged: {error}") from error
    found = data.get("schema_version") if isinstance(data, dict) else None
    if not isinstance(found, int):
        raise StoreError(f"{path} is no manifest of this program: it has no schema_version")
    if found != SCHEMA_VERSION:
        raise StoreError(
            f"{path} has schema version {found}, of another version of this program, which reads "
            f"version {SCHEMA_VERSION}: simulate the run again into another folder"
        )
    return dict(data)


def open_dataset(folder: Path) -> Dataset:
    """The dataset in a folder. StoreError if there is none or its manifest is damaged."""
    manifest = folder / MANIFEST
    if not folder.exists():
        raise StoreError(f"{folder} does not exist")
    if not manifest.is_file():
        raise StoreError(f"{folder} is no dataset: {MANIFEST} is missing")
    data = _read_manifest(manifest)
    del data["schema_version"]
    try:
        values: dict[str, Any] = {
            key: tuple(x) if isinstance(x, list) else x for key, x in data.items()
        }
        info = RunInfo(**values)
    except TypeError as error:
        raise StoreError(f"{manifest} is damaged: {one_line(error)}") from error
    for one in fields(info):
        least = 0 if one.name in ("seed", "pool") else 1
        if not _fits(getattr(info, one.name), str(one.type), least):
            raise StoreError(f"{manifest} is damaged: {one.name} = {getattr(info, one.name)!r}")
    dataset = Dataset(folder, info)
    _check_table(dataset, manifest)
    return dataset


def _check_table(dataset: Dataset, manifest: Path) -> None:
    """StoreError if the manifest's variant is not played by so many, by these bots, to this pool
    (0 where it has none)."""
    info, variant = dataset.info, dataset.variant()
    seated = len(info.bots) == len(info.bot_digests) == info.players
    if info.players not in variant.players or not seated:
        raise StoreError(
            f"{manifest} is damaged: players = {info.players} and {len(info.bots)} bots"
        )
    if (info.pool > 0) != variant.has_target:
        raise StoreError(f"{manifest} is damaged: pool = {info.pool}")


def _fits(value: Any, kind: str, least: int) -> bool:
    """Whether a manifest's value is of its kind, a number not below ``least``."""
    if kind == "tuple[str, ...]":
        return isinstance(value, tuple) and all(isinstance(x, str) for x in value)
    if kind == "int":
        return type(value) is int and value >= least
    return isinstance(value, {"str": str, "bool": bool}[kind])


def _check_same(folder: Path, before: dict[str, Any], info: RunInfo) -> None:
    now = json.loads(json.dumps(info.manifest()))
    changed = [key for key in now if before.get(key) != now[key]]
    if changed:
        was = ", ".join(f"{key} was {before.get(key)!r}"[:120] for key in changed)
        raise ExistingData(f"{folder} cannot be resumed with other arguments: {was}")


def create_dataset(folder: Path, info: RunInfo, resume: bool, overwrite: bool) -> Dataset:
    """A folder ready for a run's shards.

    An existing dataset needs ``resume`` (same arguments; finished shards are kept) or
    ``overwrite``. Raises StoreError.
    """
    manifest = folder / MANIFEST
    try:
        if manifest.exists():
            before = _read_manifest(manifest)
            if resume:
                _check_same(folder, before, info)
                return Dataset(folder, info)
            if not overwrite:
                raise ExistingData(
                    f"{folder} holds a dataset already: give --resume to go on with it, "
                    "--overwrite to replace it, or another folder"
                )
        elif folder.exists() and not _is_vacant(folder):
            raise ExistingData(f"{folder} exists and is no dataset: give an empty or a new folder")
        _begin(folder, info)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {_reason(error)}") from error
    return Dataset(folder, info)


def _is_vacant(folder: Path) -> bool:
    """Whether a folder holds nothing, or only what a run leaves that is killed as it begins."""
    if not folder.is_dir():
        return False
    left = {folder / name for name in DATASETS if not any((folder / name).glob("*"))}
    return set(folder.iterdir()) <= left | {folder / f".{MANIFEST}.tmp"}


def _begin(folder: Path, info: RunInfo) -> None:
    """An empty dataset; the old data go only when the new manifest has been written."""
    folder.mkdir(parents=True, exist_ok=True)
    hidden = folder / f".{MANIFEST}.tmp"
    try:
        text = json.dumps(info.manifest(), ensure_ascii=False, indent=1)
        hidden.write_text(text + "\n", encoding="utf-8")
    except OSError:
        hidden.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise
    for name in DATASETS:
        if (folder / name).exists():
            shutil.rmtree(folder / name)
        (folder / name).mkdir()
    hidden.replace(folder / MANIFEST)
