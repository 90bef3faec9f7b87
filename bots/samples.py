"""A sample of deals looked at with fitted tables, for what a hand is worth on the average.

All sums are of a few numbers in a fixed order, so that every machine gets the same bits.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from scoring.contract import NO_TRUMP
from scoring.kernel import outline
from sim.cards import HAND_SIZE, N_CARDS, TALON_SIZE
from sim.rng import splitmix

from .hand_tables import BUCKETS, N_MASKS, Floats
from .prices import Rules
from .prices_two import Tables, seats_of

SAMPLE = 2000
"""Deals in the sample."""
_PAIRS = [(i, j) for i in range(12) for j in range(i)]

Ints = np.ndarray[Any, np.dtype[np.int64]]


@outline
def _fill_words(words: Any) -> None:
    for k in range(len(words)):
        words[k] = splitmix(0, k)


@functools.cache
def sample_hands() -> tuple[Ints, Ints]:
    """The cards of a hand in the deals of the sample, and with the talon's.

    A deal's cards lie in the order of random words.
    """
    words = np.zeros(SAMPLE * N_CARDS, np.uint64)
    _fill_words(words)
    order = np.argsort(words.reshape(SAMPLE, N_CARDS), axis=1, kind="stable")
    cards = np.int64(1) << order.astype(np.int64)
    ten = cards[:, :HAND_SIZE].sum(axis=1)
    return ten, ten + cards[:, HAND_SIZE : HAND_SIZE + TALON_SIZE].sum(axis=1)


def _suits(hands: Ints) -> Ints:
    """[deal, suit]: ranks held."""
    return np.stack([hands >> 8 * suit & (N_MASKS - 1) for suit in range(4)], axis=1)


def _sum(parts: Floats) -> Floats:
    return np.asarray(parts[:, 0] + parts[:, 1] + parts[:, 2] + parts[:, 3])


def _parts(tables: Tables, when: str, ranks: Ints, strain: int) -> Floats:
    """[deal, suit]: tricks expected of each suit in a strain."""
    side = tables[f"{when}_no_trump" if strain == NO_TRUMP else f"{when}_side"]
    parts = side[ranks]
    if strain != NO_TRUMP:
        parts[:, strain] = tables[f"{when}_trump"][ranks[:, strain]]
    return parts


def _discard_loss(tables: Tables, ranks: Ints, strain: int) -> Floats:
    """Tricks that the cheapest discard costs: the lowest of two suits, or two of one suit."""
    one = ranks & -ranks
    rest = ranks ^ one
    two = rest & -rest
    full = _parts(tables, "play", ranks, strain)
    single = np.where(ranks > 0, full - _parts(tables, "play", rest, strain), 1e9)
    double = np.where(rest > 0, full - _parts(tables, "play", rest ^ two, strain), 1e9)
    single.sort(axis=1)
    return np.asarray(np.minimum(single[:, 0] + single[:, 1], double.min(axis=1)))


def best_tricks(tables: Tables, when: str, hands: Ints, place: int, lays_away: bool) -> Floats:
    """Tricks expected in the best strain."""
    ranks = _suits(hands)
    best = np.full(len(hands), -1e9)
    for strain in range(5):
        shift = tables[f"{when}_position"][3 * (strain == NO_TRUMP) + place]
        tricks = _sum(_parts(tables, when, ranks, strain)) + shift
        if lays_away:
            tricks = tricks - _discard_loss(tables, ranks, strain)
        best = np.maximum(best, tricks)
    return best


def fewest_tricks(table: Floats, twelve: Ints) -> Floats:
    """Tricks expected at misère after the best discard."""
    rest = twelve.copy()
    cards = np.zeros((12, len(twelve)), np.int64)
    for k in range(12):
        cards[k] = rest & -rest
        rest ^= cards[k]
    fewest = np.full(len(twelve), 1e9)
    for i, j in _PAIRS:
        fewest = np.minimum(fewest, _sum(table[_suits(twelve ^ cards[i] ^ cards[j])]))
    return fewest


def sum_of(table: Floats, hands: Ints) -> Floats:
    """The sum of a table over the four suits of each hand."""
    return _sum(table[_suits(hands)])


def bucket(tricks: Floats, scale: int) -> Ints:
    """The buckets of expected tricks, so many to a trick."""
    return np.clip((tricks * scale + 0.5).astype(np.int64), 0, BUCKETS - 1)


def all_pass_chance(rules: Rules, tables: Tables, bid: Floats, raspas: Floats) -> float:
    """Chance, of two players, that the dealer passes too, by what is worth more with his hand:
    ``bid`` are his prices [level - 6, bucket] before the talon, ``raspas`` those of raspas."""
    hand = seats_of(rules)[1]
    ten, _ = sample_hands()
    tricks = bucket(best_tricks(tables, "bid", ten, hand, False), 4)
    ducked = bucket(sum_of(tables["raspas"], ten) + tables["raspas_place"][hand], 4)
    passes = bid.max(axis=0)[tricks] <= raspas[0, 0][ducked]
    return int(passes.sum()) / SAMPLE
