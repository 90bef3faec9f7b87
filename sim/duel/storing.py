"""The tables of a match in one Parquet file, a row a base deal and table."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..engine import Batch
from ..schema import DEAL_COLUMNS, Column, batch_tables, make_schema, narrow_names
from ..state import PULKA_ROW_DTYPE
from ..store import ExistingData, StoreError
from .match import Array, Match
from .parts import ALIKE
from .seatings import LETTERS

_WORD = pa.dictionary(pa.int8(), pa.string())
_OF_DEAL = tuple(one for one in DEAL_COLUMNS if one.name not in ("pulka", "deal"))

TABLE_COLUMNS = (
    Column("base_deal", pa.int64(), "number of the base deal", narrow=False),
    Column(
        "seating",
        pa.dictionary(pa.int32(), pa.string()),
        "the bot of each player, by its letter: A is the first of the bots in the metadata",
    ),
    Column("lone", pa.int8(), "player whose bot sits alone; null where all have one bot"),
    Column(
        "part",
        _WORD,
        "where this table first differs from the table whose players all have the bot of the "
        "others; null where it does not, and in the latter",
    ),
    Column(
        "decision",
        pa.int16(),
        "place of the first decision that differs among those asked of bots, from 0; null likewise",
    ),
    *_OF_DEAL,
)
"""One row a base deal and table, in order of base deals; amounts are in twelfths of a whist."""


@dataclass(frozen=True)
class SinkTable:
    """A table's base deals of a shard: who sat there, what came of it, and, where one bot sat
    alone, his seat, the parts in which it differs (ALIKE: in none) and the places of the decision.
    """

    line_up: tuple[int, ...]
    batch: Batch
    lone: int = -1
    parts: Array | None = None
    places: Array | None = None


def _turned(columns: Sequence[Array]) -> Array:
    """Arrays by table, one value a deal, as one array by (deal, table)."""
    return np.stack(columns, axis=1).reshape(-1)


def tables_of(match: Match, tables: Sequence[SinkTable], schema: pa.Schema) -> pa.Table:
    """The rows of a shard."""
    n = len(tables[0].batch.deals)
    deals = _turned([one.batch.deals for one in tables])
    batch = Batch(deals, np.zeros(0, PULKA_ROW_DTYPE), None)
    played = batch_tables(batch, match.game, False, {})[0]
    none = np.full(n, ALIKE)
    parts = _turned([none if one.parts is None else one.parts for one in tables])
    places = _turned([none if one.places is None else one.places for one in tables])
    lone = _turned([np.full(n, one.lone) for one in tables])
    seatings = pa.array(["".join(LETTERS[bot] for bot in one.line_up) for one in tables])
    which = pa.array(np.tile(np.arange(len(tables), dtype=np.int32), n))
    words = pa.array(parts.astype(np.int8), mask=parts == ALIKE)
    arrays = {
        "base_deal": played.column("pulka"),
        "seating": pa.DictionaryArray.from_arrays(which, seatings),
        "lone": pa.array(lone, mask=lone < 0).cast(pa.int8()),
        "part": pa.DictionaryArray.from_arrays(words, pa.array(match.parts)),
        "decision": pa.array(places, mask=parts == ALIKE).cast(pa.int16()),
        **{one.name: played.column(one.name) for one in _OF_DEAL},
    }
    return pa.table([arrays[field.name] for field in schema], schema=schema)


class Sink:
    """A file that is written shard by shard under a hidden name, and takes its own when all is
    there. A context; leaving it by an exception leaves nothing."""

    def __init__(self, path: Path, match: Match, overwrite: bool = False) -> None:
        """Raises StoreError where the file cannot be written or is there already."""
        self._path = path
        self._match = match
        self._hidden = path.with_name(f".{path.name}.tmp")
        self._schema = make_schema(TABLE_COLUMNS, match.manifest())
        if path.is_dir():
            raise ExistingData(f"{path} is a folder: name a file in it")
        if path.exists() and not overwrite:
            raise ExistingData(f"{path} exists already: give --overwrite, or another file")
        with self._failing():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._hidden.open("wb")
        self._writer = pq.ParquetWriter(
            self._file,
            self._schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=narrow_names(TABLE_COLUMNS),
        )

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be written: {error.strerror or error}"
            ) from error

    def write(self, tables: Sequence[SinkTable]) -> None:
        """Add the rows of the next shard. StoreError."""
        with self._failing():
            self._writer.write_table(tables_of(self._match, tables, self._schema))

    def __enter__(self) -> Sink:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            with self._failing():
                self._writer.close()
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                if kind is None:
                    self._hidden.replace(self._path)
        finally:
            self._file.close()
            self._hidden.unlink(missing_ok=True)
