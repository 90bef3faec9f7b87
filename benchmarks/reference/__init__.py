"""The plain C program that plays the engine's pulkas: compiled on demand, run, and compared.

``playout.c`` is written from the rules beside the engine, so equal checksums also check the engine.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine import Batch

SOURCE = Path(__file__).with_name("playout.c")
FLAGS = ("-std=c11", "-O3", "-march=native")
PLAYERS = 3

_DEAL_WORDS = (
    "pulka",
    "deal",
    "number",
    "dealer",
    "kind",
    "level",
    "strain",
    "declarer",
    "last_whister",
    "open_play",
    "played",
    "raspas_index",
    "bid",
    "n_bids",
    "n_decisions",
    "tricks",
    "decision",
    "value",
)
_PULKA_WORDS = ("pulka", "n_deals", "unfinished", "pool", "mountain", "whists", "result")
_FOLD = np.uint64(0x9E3779B97F4A7C15)


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    folder = Path(base) if base else Path(tempfile.gettempdir())
    return folder / "preferans-reference"


@functools.cache
def build() -> Path | None:
    """Compile ``playout.c`` with the system's ``cc`` into a cache folder; None without a compiler.

    Raises ``subprocess.CalledProcessError`` if the compiler refuses the source.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    stamp = SOURCE.read_bytes() + version + repr(FLAGS).encode()
    program = _cache_folder() / f"playout-{hashlib.sha256(stamp).hexdigest()[:16]}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        fresh = program.with_name(f"{program.name}.{os.getpid()}")
        subprocess.run([compiler, *FLAGS, "-o", str(fresh), str(SOURCE)], check=True)
        fresh.replace(program)
    return program


def run(
    variant: str, seed: int, pulkas: int, target: int, bot: str = "random"
) -> dict[str, Any]:
    """Play in C; ``seconds`` (CPU), ``deals``, ``decisions``, ``checksum`` and the arguments."""
    words = [variant, str(seed), str(pulkas), str(target), bot]
    done = subprocess.run([_program(), *words], capture_output=True, check=True, text=True)
    return dict(json.loads(done.stdout))


def run_rows(variant: str, seed: int, pulkas: int, target: int, bot: str) -> np.ndarray[Any, Any]:
    """The same, but every deal as a row of int64 in the columns of :func:`deal_words`."""
    words = [variant, str(seed), str(pulkas), str(target), bot, "rows"]
    done = subprocess.run([_program(), *words], capture_output=True, check=True, text=True)
    lines = done.stdout.splitlines()[:-1]
    return np.array([line.split(",") for line in lines], np.int64)


def _program() -> str:
    program = build()
    if program is None:
        raise RuntimeError("there is no C compiler: cc is not found")
    return str(program)


def _words(rows: np.ndarray[Any, Any], names: tuple[str, ...]) -> np.ndarray[Any, Any]:
    columns = []
    for name in names:
        column = rows[name]
        if name == "whists":
            column = column.reshape(-1, 4, 4)[:, :PLAYERS, :PLAYERS].reshape(-1, PLAYERS**2)
        elif column.ndim == 2:
            column = column[:, :PLAYERS]
        columns.append(column.reshape(len(rows), -1))
    return np.hstack(columns)


def deal_words(batch: Batch) -> np.ndarray[Any, Any]:
    """The deals of three players as int64, a row each, in the order of the C program's words."""
    return _words(batch.deals, _DEAL_WORDS)


def word_names() -> list[str]:
    """Names of the columns of :func:`deal_words`."""
    arrays = ("tricks", "decision", "value")
    return [
        f"{name}[{i}]" if name in arrays else name
        for name in _DEAL_WORDS
        for i in range(PLAYERS if name in arrays else 1)
    ]


def _fold(words: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> int:
    """Each row folded into a word, mixed (splitmix64's finaliser), and all added."""
    z = places.astype(np.uint64)
    for column in words.T:
        z = z * _FOLD + column.astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int(np.sum(z ^ (z >> np.uint64(31)), dtype=np.uint64))


def checksum(batch: Batch) -> str:
    """Checksum of a run of the engine (one whole batch from pulka 0), as the C program prints it."""
    pulkas = _words(batch.pulkas, _PULKA_WORDS)
    total = _fold(deal_words(batch), np.arange(len(batch.deals)))
    return f"{(total + _fold(pulkas, pulkas[:, 0])) % 2**64:016x}"
