"""Deals have numbers: 0 .. 32!/(10!³·2!) - 1, a bijection with (hand 0, hand 1, hand 2, talon).

A number splits into digits (hand 0 of 32 cards, hand 1 of the 22 left, talon of the 12 left); each
digit unranks by halves through tables. The number also fixes the order of the two talon cards
(convention: our choice, by a mixed bit of the number).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scoring.kernel import i64, kernel, popcount, u64, umulh

from .cards import ALL_CARDS, HAND_SIZE, N_CARDS, TALON_SIZE
from .rng import mix64, philox

N_DEALS = math.factorial(32) // (math.factorial(10) ** 3 * 2)
"""2 753 294 408 504 640, the number of different deals."""

DEAL_STREAM = 0
KEY_STREAM = 1
"""Second key word of Philox: the blocks that give deals, and players' random words."""

_N_SECOND = math.comb(22, 10)
_N_TALON = math.comb(12, 2)
_FIRST_HALF = 16
_SECOND_HALF = 11

IntArray = np.ndarray[Any, np.dtype[Any]]


def _half_tables(width: int) -> tuple[IntArray, IntArray, IntArray]:
    """Masks of ``width`` bits ordered by (bits, value); where each count starts; rank of a mask."""
    masks = np.arange(1 << width, dtype=np.int64)
    counts = np.bitwise_count(masks).astype(np.int64)
    order = np.lexsort((masks, counts))
    start = np.array(
        [sum(math.comb(width, j) for j in range(k)) for k in range(width + 2)], np.int64
    )
    rank = np.empty(1 << width, np.int64)
    rank[order] = np.arange(1 << width)
    rank -= start[counts]
    return order.astype(np.uint16), start, rank.astype(np.uint16)


def _split_starts(width: int) -> IntArray:
    """How many ten-card subsets have fewer than j cards in the lower half, j = 0 .. 11."""
    ways = [math.comb(width, k) * math.comb(width, HAND_SIZE - k) for k in range(HAND_SIZE + 1)]
    return np.array([sum(ways[:j]) for j in range(HAND_SIZE + 2)], np.int64)


def _scatter_table() -> IntArray:
    """[mask, bits]: the low bits of ``bits`` put at the set places of an 8-bit mask."""
    mask, bits = np.meshgrid(np.arange(256), np.arange(256), indexing="ij")
    out = np.zeros((256, 256), np.int64)
    used = np.zeros((256, 256), np.int64)
    for place in range(8):
        on = mask >> place & 1
        out |= (on & (bits >> used)) << place
        used += on
    return out.astype(np.uint8)


_SUB16, _START16, _RANK16 = _half_tables(_FIRST_HALF)
_SUB11, _START11, _RANK11 = _half_tables(_SECOND_HALF)
_SPLIT16, _SPLIT11 = _split_starts(_FIRST_HALF), _split_starts(_SECOND_HALF)
_UPPER16 = np.array([math.comb(16, 10 - k) for k in range(11)], np.int64)
_UPPER11 = np.array([math.comb(11, 10 - k) for k in range(11)], np.int64)
_PAIRS = np.array([(1 << a) | (1 << b) for b in range(12) for a in range(b)], np.int64)
_SCATTER = _scatter_table()


@kernel
def _scatter(bits: int, into: int) -> int:
    """The low bits of ``bits`` put at the set places of a 32-bit mask."""
    out = 0
    for lane in range(0, 32, 8):
        mask = (into >> lane) & 255
        n = popcount(mask)
        out |= i64(_SCATTER[mask, bits & ((1 << n) - 1)]) << lane
        bits >>= n
    return out


@kernel
def _gather(cards: int, places: int) -> int:
    """The inverse of ``_scatter``: the bits of ``cards`` at the set places, closed up."""
    out = 0
    bit = 1
    while places:
        low = places & -places
        if cards & low:
            out |= bit
        bit <<= 1
        places ^= low
    return out


@kernel
def _lower_count(starts: Any, digit: int) -> int:
    count = 0
    for j in range(1, HAND_SIZE + 1):
        count += 1 if starts[j] <= digit else 0
    return count


@kernel
def unrank(number: int) -> tuple[int, int, int, int]:
    """The deal of a number: masks of hands 0, 1, 2 and of the talon."""
    high = number // _N_TALON
    talon_digit = number - high * _N_TALON
    first = high // _N_SECOND
    second = high - first * _N_SECOND

    k = _lower_count(_SPLIT16, first)
    first -= i64(_SPLIT16[k])
    low = first // i64(_UPPER16[k])
    up = first - low * i64(_UPPER16[k])
    hand0 = i64(_SUB16[_START16[k] + low]) | (
        i64(_SUB16[_START16[HAND_SIZE - k] + up]) << _FIRST_HALF
    )

    k = _lower_count(_SPLIT11, second)
    second -= i64(_SPLIT11[k])
    low = second // i64(_UPPER11[k])
    up = second - low * i64(_UPPER11[k])
    bits = i64(_SUB11[_START11[k] + low]) | (
        i64(_SUB11[_START11[HAND_SIZE - k] + up]) << _SECOND_HALF
    )
    rest = ALL_CARDS ^ hand0
    hand1 = _scatter(bits, rest)
    rest ^= hand1
    talon = _scatter(i64(_PAIRS[talon_digit]), rest)
    return hand0, hand1, rest ^ talon, talon


@kernel
def rank(hand0: int, hand1: int, talon: int) -> int:
    """The number of a deal; hand 2 is the cards left."""
    low = hand0 & ((1 << _FIRST_HALF) - 1)
    up = hand0 >> _FIRST_HALF
    k = popcount(low)
    first = i64(_SPLIT16[k]) + i64(_RANK16[low]) * i64(_UPPER16[k]) + i64(_RANK16[up])

    rest = ALL_CARDS ^ hand0
    bits = _gather(hand1, rest)
    low = bits & ((1 << _SECOND_HALF) - 1)
    up = bits >> _SECOND_HALF
    k = popcount(low)
    second = i64(_SPLIT11[k]) + i64(_RANK11[low]) * i64(_UPPER11[k]) + i64(_RANK11[up])

    pair = _gather(talon, rest ^ hand1)
    a = popcount((pair & -pair) - 1)
    b = popcount((pair & (pair - 1)) - 1)
    return (first * _N_SECOND + second) * _N_TALON + b * (b - 1) // 2 + a


@kernel
def draw_deal(seed: int, pulka: int, deal: int) -> int:
    """The number dealt as the ``deal``-th of a pulka: uniform, by exact rejection (Lemire)."""
    n = u64(N_DEALS)
    threshold = u64(u64(u64(0) - n) % n)
    block = 0
    while True:
        w0, w1, w2, w3 = philox(deal, pulka, block, 0, seed, DEAL_STREAM)
        for k in range(4):
            word = w0 if k == 0 else (w1 if k == 1 else (w2 if k == 2 else w3))
            if u64(word * n) >= threshold:
                return i64(umulh(word, n))
        block += 1


@kernel
def player_keys(seed: int, pulka: int, deal: int) -> tuple[int, int, int, int]:
    """One 64-bit key for each player's random words in a deal, independent of each other."""
    return philox(deal, pulka, 0, 0, seed, KEY_STREAM)


@kernel
def second_first(number: int) -> bool:
    """Whether the higher card of the talon counts as its first card."""
    return u64(mix64(number) & u64(1)) != u64(0)


def check_number(number: int) -> int:
    """The deal number, if it is one; ValueError otherwise."""
    if not 0 <= number < N_DEALS:
        raise ValueError(f"deal number {number} is not possible: write 0 to {N_DEALS - 1}")
    return number


assert N_CARDS == 3 * HAND_SIZE + TALON_SIZE
