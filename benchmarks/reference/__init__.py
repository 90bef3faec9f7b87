"""The plain C program that plays the engine's pulkas: compiled on demand, run, and compared.

``playout.c`` has rules of its own, so equal checksums check the engine as well as the clock.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine import Batch

FOLDER = Path(__file__).parent
FLAGS = ("-std=c11", "-O3", "-march=native")
VARIANTS = ("leningrad", "rostov", "sochi")
BOTS = ("random", "wild")
PLAYERS = 3

_DEAL_WORDS = (
    *("pulka", "deal", "number", "dealer", "kind", "level", "strain", "declarer"),
    *("last_whister", "open_play", "played", "raspas_index", "bid", "n_bids", "n_decisions"),
    *("tricks", "decision", "value"),
)
_PULKA_WORDS = ("pulka", "n_deals", "unfinished", "pool", "mountain", "whists", "result")
_FOLD = np.uint64(0x9E3779B97F4A7C15)

Array = np.ndarray[Any, Any]


def _cache_folder() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    folder /= "preferans-reference"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="preferans-reference-"))


@functools.cache
def build() -> Path | None:
    """Compile ``playout.c`` with the system's ``cc`` into a cache folder; None without a compiler.

    Raises ``subprocess.CalledProcessError`` if the compiler refuses the source.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    stamp = hashlib.sha256(version + repr((FLAGS, platform.node())).encode())
    for name in ("playout.c", "deals.h"):
        stamp.update((FOLDER / name).read_bytes())
    program = _cache_folder() / f"playout-{stamp.hexdigest()[:16]}"
    if not program.exists():
        fresh = program.with_name(f"{program.name}.{os.getpid()}")
        source = str(FOLDER / "playout.c")
        subprocess.run([compiler, *FLAGS, "-o", str(fresh), source], check=True)
        fresh.replace(program)
    return program


def _play(*words: object) -> list[str]:
    program = build()
    if program is None:
        raise RuntimeError("the reference cannot be built: there is no C compiler (cc)")
    command = [str(program), *map(str, words)]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()


def run(variant: str, seed: int, pulkas: int, target: int, bot: str = "random") -> dict[str, Any]:
    """Play in C: ``seconds`` of CPU, ``deals``, ``decisions``, ``checksum``, and the arguments."""
    return dict(json.loads(_play(variant, seed, pulkas, target, bot)[-1]))


def run_rows(variant: str, seed: int, pulkas: int, target: int, bot: str = "random") -> Array:
    """The deals of :func:`run` in the columns of :func:`deal_words`."""
    lines = _play(variant, seed, pulkas, target, bot, "rows")[:-1]
    return np.array([line.split(",") for line in lines], np.int64)


def _words(rows: Array, names: tuple[str, ...]) -> Array:
    columns = []
    for name in names:
        column = rows[name]
        if name == "whists":
            square = column.reshape(-1, 4, 4)[:, :PLAYERS, :PLAYERS]
            column = square.reshape(-1, PLAYERS * PLAYERS)
        elif column.ndim == 2:
            column = column[:, :PLAYERS]
        columns.append(column.reshape(len(rows), -1))
    return np.hstack(columns)


def deal_words(batch: Batch) -> Array:
    """The engine's deals as the C program's words: int64, a row each."""
    return _words(batch.deals, _DEAL_WORDS)


def _fold(words: Array, places: Array) -> int:
    """Each row folded into a word and mixed (splitmix64), all added."""
    z = places.astype(np.uint64)
    for column in words.T:
        z = z * _FOLD + column.astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int(np.sum(z ^ (z >> np.uint64(31)), dtype=np.uint64))


def checksum(batch: Batch) -> str:
    """Checksum of a whole run of the engine from pulka 0, as the C program prints it."""
    pulkas = _words(batch.pulkas, _PULKA_WORDS)
    total = _fold(deal_words(batch), np.arange(len(batch.deals)))
    return f"{(total + _fold(pulkas, pulkas[:, 0])) % 2**64:016x}"


def first_difference(batch: Batch, rows: Array) -> str:
    """The first deal in which the engine and the C program (:func:`run_rows`) differ, in words."""
    names = [
        f"{name}[{i}]" if size > 1 else name
        for name in _DEAL_WORDS
        for size in [PLAYERS if batch.deals[name].ndim == 2 else 1]
        for i in range(size)
    ]
    ours = deal_words(batch)
    n = min(len(ours), len(rows))
    wrong = np.flatnonzero((ours[:n] != rows[:n]).any(axis=1))
    if len(wrong) == 0:
        return f"{len(ours)} deals, {len(rows)} in C; the first {n} are equal"
    pairs = zip(names, ours[wrong[0]].tolist(), rows[wrong[0]].tolist(), strict=True)
    fields = [f"{name} {a} (C: {b})" if a != b else f"{name} {a}" for name, a, b in pairs]
    return f"deal {wrong[0]}: " + ", ".join(fields)
