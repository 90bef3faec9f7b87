"""Random words by counter: Philox4x64-10 blocks and splitmix64 sequences.

Philox (Salmon et al., Parallel random numbers: as easy as 1, 2, 3) is equal to
``numpy.random.Philox``; splitmix64 is Vigna's generator, read by counter.
"""

from __future__ import annotations

from scoring.kernel import i64, kernel, u64, umulh

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_PHILOX_M0 = 0xD2E7470EE14C6C93
_PHILOX_M1 = 0xCA5A826395121157
_PHILOX_W0 = 0x9E3779B97F4A7C15
_PHILOX_W1 = 0xBB67AE8584CAA73B


@kernel
def mix64(word: int) -> int:
    """The finaliser of splitmix64, a bijection of 64-bit words."""
    z = u64(word)
    z = u64((z ^ (z >> u64(30))) * u64(_MIX_1))
    z = u64((z ^ (z >> u64(27))) * u64(_MIX_2))
    return u64(z ^ (z >> u64(31)))


@kernel
def splitmix(key: int, n: int) -> int:
    """The ``n``-th word (n = 0, 1, ...) of the splitmix64 sequence started at ``key``."""
    return mix64(u64(u64(key) + u64(u64(_GOLDEN) * u64(n + 1))))


@kernel
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """The Philox4x64-10 block at counter ``c0..c3`` under the key ``k0, k1``."""
    c0 = u64(c0)
    c1 = u64(c1)
    c2 = u64(c2)
    c3 = u64(c3)
    k0 = u64(k0)
    k1 = u64(k1)
    for _ in range(10):
        high0 = umulh(u64(_PHILOX_M0), c0)
        low0 = u64(u64(_PHILOX_M0) * c0)
        high1 = umulh(u64(_PHILOX_M1), c2)
        low1 = u64(u64(_PHILOX_M1) * c2)
        c0 = u64(high1 ^ c1 ^ k0)
        c1 = low1
        c2 = u64(high0 ^ c3 ^ k1)
        c3 = low0
        k0 = u64(k0 + u64(_PHILOX_W0))
        k1 = u64(k1 + u64(_PHILOX_W1))
    return c0, c1, c2, c3


@kernel
def below(word: int, n: int) -> int:
    """A 63-bit random word scaled to 0..n-1 (Lemire; bias below n / 2**63)."""
    return i64(umulh(u64(u64(word) << u64(1)), u64(n)))
