"""The one JIT decorator, integer intrinsics, and records that work with the JIT on or off.

Every compiled function of the project is made by :func:`kernel`. With ``NUMBA_DISABLE_JIT=1`` the
same sources run as plain Python and give the same results: that is the debugging and coverage path.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import config, njit, types
from numba.extending import intrinsic

JIT: bool = not config.DISABLE_JIT
"""False when ``NUMBA_DISABLE_JIT=1``."""

F = TypeVar("F", bound=Callable[..., Any])
Record = Any
"""A numba record (JIT on) or a :class:`PlainRecord` (JIT off): fields by attribute in kernels,
by ``record["name"]`` in Python."""

_PACKAGES = ("scoring", "sim", "bots")
UNCOMPILED = (
    *("deal_result", "drawing", "protocol", "refet_result", "score_sheet", "settlement", "tables"),
    *("advice", "fixpoints", "student", "variant"),
    *("analysis", "analyst", "cli", "cli_score", "cli_tools", "convert", "duel", "game", "illegal"),
    *("illegal_refet", "metrics", "position", "ppn", "records", "refet_words", "report", "rescore"),
    *("run", "schema", "show", "solve", "solving", "store", "sums", "telling", "telling_refet"),
    *("telling_words", "training", "unasked"),
    *("chances", "prices_commands", "pricing"),
)
"""Modules and folders without compiled code or constants of it; their edits keep the compiled
code."""
_CONSTANTS = ".constants.json"
"""How the names of files end whose numbers are constants of compiled code."""
_STALE_SECONDS = 30 * 24 * 3600


def _cache_root() -> Path:
    base = config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "preferans"


def _sources_digest() -> str:
    """Digest of our sources, the versions of numba and NumPy, and numba's options.

    numba stamps a cached function with the hash of its own file only; a cache folder named by this
    digest makes an edit anywhere in the packages a fresh start.
    """
    digest = hashlib.sha256()
    home = Path(__file__).resolve().parent.parent
    for package in _PACKAGES:
        sources = [*(home / package).rglob("*.py"), *(home / package).rglob(f"*{_CONSTANTS}")]
        for path in sorted(sources):
            if path.stem in UNCOMPILED or path.parent.name in UNCOMPILED:
                continue
            digest.update(str(path.relative_to(home)).encode() + b"\0" + path.read_bytes())
    options = (numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT, sys.version_info)
    digest.update(repr(options).encode())
    return digest.hexdigest()[:16]


def _prune(root: Path, keep: Path) -> None:
    for old in root.iterdir():
        if old != keep and time.time() - old.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(old, ignore_errors=True)


def _open_cache() -> Path | None:
    folder = _cache_root() / _sources_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _prune(folder.parent, folder)
    except OSError:
        warnings.warn(
            f"compiled code is not kept: {folder} is not writable (set NUMBA_CACHE_DIR)",
            stacklevel=2,
        )
        return None
    return folder


CACHE_DIR: Path | None = _open_cache() if JIT else None
"""Folder of the compiled code; None when it cannot be written or the JIT is off."""


def is_cold() -> bool:
    """True if nothing has been compiled yet for these sources, so that a run must compile first."""
    return JIT and (CACHE_DIR is None or next(CACHE_DIR.rglob("*.nbi"), None) is None)


def _compile(function: Callable[..., Any], signatures: Sequence[Any], inline: bool) -> Any:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_DIR or before)
    try:
        return njit(
            *signatures,
            nogil=True,
            error_model="numpy",
            cache=CACHE_DIR is not None,
            forceinline=inline,
        )(function)
    finally:
        config.CACHE_DIR = before


def kernel(function: F) -> F:
    """Compile a small function that is inlined into its callers."""
    return cast(F, _compile(function, (), True)) if JIT else function


def outline(function: F) -> F:
    """Compile a function that keeps a body of its own (large or rarely called)."""
    return cast(F, _compile(function, (), False)) if JIT else function


def entry(*signature: Any) -> Callable[[F], F]:
    """Compile, with this explicit numba signature, a function that Python calls."""

    def decorate(function: F) -> F:
        return cast(F, _compile(function, signature, False)) if JIT else function

    return decorate


def constants(values: Sequence[int] | np.ndarray[Any, Any]) -> Any:
    """Whole numbers that kernels read and never change: int64 array, or a list (JIT off)."""
    array = np.ascontiguousarray(values, np.int64)
    return array if JIT else array.tolist()


class PlainRecord:
    """A record of Python ints and lists for the JIT-off path (much faster than ``numpy.record``).

    With ``sealed=True`` fields cannot be set and arrays are tuples.
    """

    def __init__(self, fields: dict[str, Any], sealed: bool = False) -> None:
        if sealed:
            fields = {k: tuple(x) if isinstance(x, list) else x for k, x in fields.items()}
        self.__dict__.update(fields)
        self.__dict__["_sealed"] = sealed

    def __setattr__(self, name: str, value: object) -> None:
        if self.__dict__["_sealed"]:
            raise AttributeError(f"{name} is read-only here")
        self.__dict__[name] = value

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __setitem__(self, name: str, value: object) -> None:
        setattr(self, name, value)

    def fields(self) -> dict[str, Any]:
        return {k: x for k, x in self.__dict__.items() if k != "_sealed"}


def _plain(values: np.void) -> dict[str, Any]:
    assert values.dtype.names is not None
    return {name: values[name].tolist() for name in values.dtype.names}


def make_records(dtype: np.dtype[Any], n: int) -> Any:
    """``n`` zeroed records: a structured array, or a list of :class:`PlainRecord` (JIT off)."""
    array = np.zeros(n, dtype)
    return array if JIT else [PlainRecord(_plain(row)) for row in array]


def to_records(array: np.ndarray[Any, Any]) -> Any:
    """A structured array in the form kernels take (itself, or a list of :class:`PlainRecord`)."""
    return array if JIT else [PlainRecord(_plain(row)) for row in array]


def to_array(records: Any, dtype: np.dtype[Any], n: int) -> np.ndarray[Any, Any]:
    """A copy of the first ``n`` records as a structured array."""
    if JIT:
        return np.array(records[:n])
    out = np.zeros(n, dtype)
    assert dtype.names is not None
    for name in dtype.names:
        for k in range(n):
            out[name][k] = getattr(records[k], name)
    return out


def as_array(records: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """All records as a structured array, without a copy where they are one."""
    return records if JIT else to_array(records, dtype, len(records))


def sealed(array: np.ndarray[Any, Any]) -> PlainRecord:
    """The first row of a structured array as a read-only record of Python ints and tuples."""
    return PlainRecord(_plain(array[0]), sealed=True)


M64 = (1 << 64) - 1

if JIT:

    @kernel
    def copy_record(records: Any, to: int, at: int) -> None:
        """Copy one record of an array over another."""
        records[to] = records[at]

else:

    def copy_record(records: Any, to: int, at: int) -> None:
        for name, value in records[at].fields().items():
            records[to][name] = list(value) if isinstance(value, list) else value


if JIT:
    from llvmlite import ir

    u64: Any = np.uint64
    i64: Any = np.int64

    @kernel
    def signed(x: int) -> int:
        """The int64 of the low 64 bits, which compiled code has anyway."""
        return x

    @intrinsic
    def umulh(typing_context: Any, a: Any, b: Any) -> Any:
        """High 64 bits of the unsigned 128-bit product."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), generate

    @intrinsic
    def ctz(typing_context: Any, mask: Any) -> Any:
        """Index of the lowest set bit; 64 for an empty mask."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), generate

    @intrinsic
    def popcount(typing_context: Any, mask: Any) -> Any:
        """Number of set bits."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), generate

    @intrinsic
    def msb(typing_context: Any, mask: Any) -> Any:
        """Index of the highest set bit; -1 for an empty mask."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.int64), generate

else:

    def u64(x: int) -> int:
        return int(x) & M64

    def i64(x: int) -> int:
        return int(x)

    def signed(x: int) -> int:
        x = int(x) & M64
        return x - (1 << 64) if x >> 63 else x

    def umulh(a: int, b: int) -> int:
        return (int(a) * int(b)) >> 64

    def ctz(mask: int) -> int:
        return (int(mask) & -int(mask)).bit_length() - 1 if mask else 64

    def popcount(mask: int) -> int:
        return int(mask).bit_count()

    def msb(mask: int) -> int:
        return int(mask).bit_length() - 1


_BYTES = 0x0101010101010101
_HIGH_BITS = 0x8080808080808080


def _place_table() -> np.ndarray[Any, Any]:
    """[byte, n]: index of the ``n``-th set bit of a byte."""
    table = np.zeros((256, 8), np.uint8)
    for byte in range(256):
        places = [place for place in range(8) if byte >> place & 1]
        table[byte, : len(places)] = places
    return table


_PLACES = _place_table()


@kernel
def nth_bit(mask: int, n: int) -> int:
    """Index of the ``n``-th set bit (0 = lowest) of a 63-bit mask, without branches on the data.

    Bits are counted in all bytes at once and summed from the lowest byte up; the byte is the first
    whose sum exceeds ``n``.
    """
    sums = u64(mask)
    sums = u64(sums - ((sums >> u64(1)) & u64(0x5555555555555555)))
    sums = u64((sums & u64(0x3333333333333333)) + ((sums >> u64(2)) & u64(0x3333333333333333)))
    sums = u64(u64((sums + (sums >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)) * u64(_BYTES))
    passed = u64((u64(u64(n) * u64(_BYTES)) | u64(_HIGH_BITS)) - sums) & u64(_HIGH_BITS)
    place = 8 * popcount(i64(passed))
    before = i64(u64(u64(sums << u64(8)) >> u64(place)) & u64(255))
    return place + i64(_PLACES[mask >> place & 255, (n - before) & 7])
