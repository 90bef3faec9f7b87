"""Bit intrinsics and the digest of the sources."""

from __future__ import annotations

import random
from pathlib import Path

from scoring.kernel import UNCOMPILED, ctz, kernel, msb, nth_bit, popcount

ROOT = Path(__file__).resolve().parent.parent


@kernel
def bits_of(mask: int) -> tuple[int, int, int]:
    """The three intrinsics, which have no Python entry of their own with the JIT on."""
    return ctz(mask), popcount(mask), msb(mask)


def test_bits_against_python() -> None:
    """Lowest, number and highest of the bits, and the n-th of them, on masks of all densities."""
    dice = random.Random(0)
    masks = [1, 2, 1 << 62, (1 << 63) - 1, 0x8080808080808080 >> 1]
    masks += [
        dice.getrandbits(63) & dice.getrandbits(63) | 1 << dice.randrange(63) for _ in range(999)
    ]
    masks += [1 << dice.randrange(63) for _ in range(99)]
    for mask in masks:
        places = [place for place in range(63) if mask >> place & 1]
        assert bits_of(mask) == (places[0], len(places), places[-1])
        assert [nth_bit(mask, n) for n in range(len(places))] == places


def test_nothing_is_compiled_outside_the_digest() -> None:
    """The modules left out of the digest of the sources hold no compiled code."""
    for package in ("scoring", "sim", "bots"):
        for path in (ROOT / package).rglob("*.py"):
            if path.stem in UNCOMPILED:
                text = path.read_text(encoding="utf-8")
                for mark in ("@kernel", "@outline", "@entry", "@bot("):
                    assert f"\n{mark}" not in text, f"{path} holds {mark}"
