"""The table of positions already judged (transposition table) with patterns.

An entry says: with these lengths of all suits in all hands, this role on lead, and these owners of
the *relevant* places, the declarer takes at least, or at most, so many tricks. Every position that
fits the pattern is answered. Entries with the same lengths share a bucket; at misère, where every
place is relevant, the bucket follows from the whole key. The oldest of a bucket is replaced.

An entry is two words: the signature (52 bits), number of tricks (4), at least (1); and the pattern,
the key without the owners of places that are not relevant.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import i64, kernel, signed, u64

from .bounds import UNKNOWN
from .layouts import LENGTHS, SHAPE
from .planes import MISERE_GAME, PLANE
from .workspace import BUCKET_BITS, TURNS, WAYS

_SIGNATURE = (1 << 52) - 1
_TRICKS = 52
_AT_LEAST = 56
_MIX = 0x9E3779B97F4A7C15
_MIX_AGAIN = 0xD6E8FEB86659FD93


@kernel
def signature_of(game: int, layouts: Any, leader: int) -> int:
    """The lengths of all suits in all hands, who leads, and the game."""
    a, b, c, d = layouts
    lengths = SHAPE[a] & LENGTHS | (SHAPE[b] & LENGTHS) << 12
    lengths |= (SHAPE[c] & LENGTHS) << 24 | (SHAPE[d] & LENGTHS) << 36
    return lengths | (leader + 4 * game) << 48


@kernel
def bucket_of(game: int, signature: int, key: int) -> int:
    """Where the bucket of a position starts."""
    mixed = u64(u64(signature) * u64(_MIX))
    if game == MISERE_GAME:
        mixed = mixed ^ u64(key)
    mixed = u64(u64(mixed ^ (mixed >> u64(32))) * u64(_MIX_AGAIN))
    return 2 * WAYS * i64(mixed >> u64(64 - BUCKET_BITS))


@kernel
def probe(work: Any, bucket: int, signature: int, key: int, need: int) -> int:
    """The answer of an entry that fits (as ``sim.solver.bounds``), or UNKNOWN."""
    for at in range(bucket, bucket + 2 * WAYS, 2):
        word = work[at]
        if word & _SIGNATURE == signature:
            pattern = work[at + 1]
            relevant = (pattern | pattern >> 32) & PLANE
            if signed((key ^ pattern) & signed(relevant | relevant << 32)) == 0:
                tricks = word >> _TRICKS & 15
                if word >> _AT_LEAST & 1:
                    if tricks >= need:
                        return 1 | relevant << 1
                elif tricks < need:
                    return relevant << 1
    return UNKNOWN


@kernel
def keep(work: Any, bucket: int, signature: int, key: int, need: int, found: int) -> None:
    """Keep an answer about ``need`` tricks."""
    value = found & 1
    relevant = found >> 1
    pattern = signed(key & signed(relevant | relevant << 32))
    tricks = need if value else need - 1
    place = -1
    for at in range(bucket, bucket + 2 * WAYS, 2):
        same = work[at + 1] == pattern and work[at] & _SIGNATURE == signature
        if same and work[at] >> _AT_LEAST & 1 == value:
            place = at
            break
    if place < 0:
        turn = TURNS + bucket // (2 * WAYS)
        place = bucket + 2 * work[turn]
        work[turn] = (work[turn] + 1) & (WAYS - 1)
    else:
        before = work[place] >> _TRICKS & 15
        tricks = max(tricks, before) if value else min(tricks, before)
    work[place] = signature | tricks << _TRICKS | value << _AT_LEAST
    work[place + 1] = pattern
