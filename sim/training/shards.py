"""Shards of work on some threads, kept in a folder so that an interrupted run goes on.

A shard is a dictionary of arrays that depends on its key alone. It is written under a temporary
name and renamed: what has its name is whole.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from .recipe import TrainingError

Array = np.ndarray[Any, np.dtype[Any]]
Parts = dict[str, Array]
Make = Callable[[int, int], Parts]
"""Shard number and its key to its arrays."""

_STAGE_CODES = {"random": 1, "own": 2, "closed": 3, "defence": 4, "raspas": 5, "four": 6}
_STAGE_CODES |= {"catch": 7, "bids": 8}


def key_of(seed: int, what: str, shard: int) -> int:
    """The 63-bit key of a shard's random numbers."""
    sequence = np.random.SeedSequence([seed, _STAGE_CODES[what], shard])
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))


class Workshop:
    """Makes shards, or finds them in the folder ``work``; without one they are kept in memory."""

    def __init__(self, work: Path | None, seed: int, workers: int | None) -> None:
        self.work, self.seed = work, seed
        self.workers = workers or os.cpu_count() or 1
        self._made: dict[tuple[str, str], list[Parts]] = {}

    def shards(self, what: str, n: int, digest: str, make: Make) -> list[Parts]:
        """``n`` shards in order; ``digest`` names what they depend on besides seed and number."""
        if (what, digest) not in self._made:
            self._made[what, digest] = self._all(what, n, digest, make)
        return self._made[what, digest]

    def _all(self, what: str, n: int, digest: str, make: Make) -> list[Parts]:
        from tqdm import tqdm

        folder = None if self.work is None else self.work / f"{what}-{digest}"
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise TrainingError(f"{folder} cannot be made: {error.strerror}") from None
        lock = threading.Lock()
        with tqdm(total=n, desc=what, unit="shard", disable=None, file=sys.stderr) as bar:

            def one(k: int) -> Parts:
                path = None if folder is None else folder / f"{k:05}.npz"
                parts = _read(path)
                if parts is None:
                    parts = make(k, key_of(self.seed, what, k))
                    _write(path, parts)
                with lock:
                    bar.update()
                return parts

            pool = ThreadPoolExecutor(self.workers)
            try:
                return list(pool.map(one, range(n)))
            finally:
                pool.shutdown(cancel_futures=True)


def _read(path: Path | None) -> Parts | None:
    """A shard from its file; None if it is not there or cannot be read."""
    if path is None:
        return None
    try:
        with path.open("rb") as file, np.load(file) as data:
            return dict(data)
    except (OSError, ValueError, BadZipFile):
        return None


def _write(path: Path | None, parts: Parts) -> None:
    if path is None:
        return
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        np.savez(file, **parts)  # type: ignore[arg-type]
    temporary.replace(path)


def joined(shards: list[Parts]) -> Parts:
    """The rows of all shards in order."""
    return {name: np.concatenate([one[name] for one in shards]) for name in shards[0]}


def split(shards: list[Parts], hold_out: int) -> tuple[Parts, Parts]:
    """Rows to fit, and rows held out: those of every ``hold_out``-th shard."""
    fitted = [one for k, one in enumerate(shards) if k % hold_out]
    return joined(fitted), joined(shards[::hold_out])
