"""What the fits of ``cautious`` share: rules of thumb, explorers, least squares, the file.

Least squares with a ridge give additive tables, one entry for each set of ranks in a suit, shrunk
towards rules of thumb where a set is rare.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bots import hand_tables
from bots.api import (
    AUCTION,
    CALL_WHIST,
    CARD,
    CLOSED,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    NO_TRUMP,
    OPEN,
    PASS,
    WHIST,
    below,
    bot,
    ctz,
    kernel,
)
from bots.cautious import N_MEMORY, decide
from bots.club_play import choose_card
from bots.layout import PLAY_SUITS, SIDE, make_weights
from bots.prices import N_MARGINS, SPAN
from bots.valuation import count_tricks, discard_for, sum_suits
from scoring.kernel import outline
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.deals import unrank
from sim.engine import Shard

FILE = Path(hand_tables.__file__).parent / "weights" / "cautious.json"
RIDGE = 40.0
PRIOR_WEIGHT = 20.0
USUAL_SPREAD = (0.03, 0.10, 0.22, 0.30, 0.22, 0.10, 0.03)
BUCKETS = hand_tables.BUCKETS
N = hand_tables.N_MASKS
Array = np.ndarray[Any, np.dtype[Any]]
Ranks = tuple[int, ...]


def _led_from_top(own: Ranks, left: Ranks, right: Ranks) -> float:
    """Tricks in a suit led by its holder from the top; the others beat when they can."""
    hands = [list(left), list(right)]
    tricks = 0
    for card in reversed(own):
        beaten = False
        for hand in hands:
            higher = [c for c in hand if c > card]
            if higher and not beaten:
                hand.remove(higher[0])
                beaten = True
            elif hand:
                hand.pop(0)
        tricks += not beaten
    return tricks


def _cashed_against(own: Ranks, left: Ranks, right: Ranks) -> float:
    """Tricks in a suit the others cash from the top: what they cannot take is won."""
    hands = [list(left), list(right)]
    mine = list(own)
    tricks = 0
    while mine:
        leader = 0 if not hands[1] or (hands[0] and hands[0][-1] > hands[1][-1]) else 1
        if not hands[leader]:
            return tricks + len(mine)
        led = hands[leader].pop()
        if hands[1 - leader]:
            hands[1 - leader].pop(0)
        higher = [c for c in mine if c > led]
        mine.remove(higher[0] if higher else mine[0])
        tricks += bool(higher)
    return tricks


def _ducked(own: Ranks, left: Ranks, right: Ranks) -> float:
    """Tricks in a suit at raspas: all play low, the holder ducks whenever he can."""
    hands = [list(left), list(right)]
    mine = list(own)
    tricks = 0
    while mine and any(hands):
        top = max(hand.pop(0) for hand in hands if hand)
        lower = [c for c in mine if c < top]
        tricks += not lower
        mine.remove(lower[-1] if lower else mine[-1])
    return tricks


def prior_tables() -> dict[str, Array]:
    """Rules of thumb the fits start from and fall back to."""
    top = hand_tables.suit_table(_led_from_top)
    cashed = hand_tables.suit_table(_cashed_against)
    ducked = hand_tables.suit_table(_ducked)
    stopper = np.minimum(2.0, cashed)
    side = (top + cashed) / 2
    return {
        "play_trump": top,
        "play_side": side,
        "play_no_trump": side,
        "bid_trump": top,
        "bid_side": side,
        "bid_no_trump": side,
        "raspas": ducked,
        "defence_trump": -stopper,
        "defence_side": -stopper,
        "play_position": np.zeros(6),
        "bid_position": np.zeros(6),
        **{
            f"{name}_outcome": outcomes(np.zeros(0), np.zeros(0))
            for name in ("play", "bid", "raspas", "defence")
        },
        "passed_outcome": np.tile(np.arange(2 * SPAN + 1) == SPAN, (N_MARGINS, 1)).astype(float),
        "dealer_raspas": np.array([1.0, 0.0, 0.0]),
    }


def explorer_weights(rules: Any, options: Mapping[str, float]) -> Any:
    return np.append(make_weights(rules, {"bias": 0.0}), options["best"])


@kernel
def _best_strain(w: Any, twelve: int, position: int) -> int:
    """The strain with the most tricks expected after its discard."""
    best = 0
    most = -1000.0
    for strain in range(5):
        rest = twelve & ~discard_for(w, twelve, strain)[0]
        side = sum_suits(w, rest, PLAY_SUITS + SIDE)
        tricks = count_tricks(w, rest, strain, position, PLAY_SUITS, side)
        if tricks > most:
            best = strain
            most = tricks
    return best


@bot(memory=2, options={"best": 0.0}, weights=explorer_weights)
def explorer(view: Any, own: Any) -> int:
    """Plays a six in a random strain, or in the one that promises most."""
    w = own.weights
    if view.phase == CARD:
        return choose_card(view, 0)
    if view.phase == AUCTION:
        bids = view.bid < 0 and (view.mover == 2 or below(view.random, 3) == 0)
        return FIRST_BID if bids else PASS
    if view.phase == DISCARD:
        if view.discard == 0:
            strain = below(view.random, 5)
            if w[len(w) - 1] > 0:
                strain = _best_strain(w, view.hand, view.mover)
            own.memory[1] = strain
            own.memory[0] = discard_for(w, view.hand, strain)[0]
        return ctz(own.memory[0] & view.legal & ~view.discard)
    if view.phase == CONTRACT:
        return own.memory[1]
    if view.phase == WHIST:
        return CALL_WHIST
    return CLOSED


@bot(memory=N_MEMORY, options={"bias": 0.0}, weights=make_weights)
def whister(view: Any, own: Any) -> int:
    """``cautious`` with every contract whisted by both and played closed."""
    if view.phase == WHIST:
        return CALL_WHIST
    return CLOSED if view.phase == OPEN else decide(view, own)


@outline
def count_hands(
    w: Any, hands: Any, strains: Any, positions: Any, suits: int, expected: Any
) -> None:
    """Tricks expected of each hand in its strain, or (strain -1) in its best one."""
    for k in range(len(hands)):
        side = sum_suits(w, hands[k], suits + SIDE)
        if strains[k] >= 0:
            expected[k] = count_tricks(w, hands[k], strains[k], positions[k], suits, side)
        else:
            expected[k] = -1000.0
            for strain in range(5):
                tricks = count_tricks(w, hands[k], strain, positions[k], suits, side)
                expected[k] = max(expected[k], tricks)


@outline
def deal_hands(w: Any, numbers: Any, declarer: Any, strain: Any, hands: Any) -> None:
    """hands[k] = three hands, and the declarer's hand after his discard, of each deal."""
    for k in range(len(numbers)):
        hand0, hand1, hand2, talon = unrank(numbers[k])
        hands[k, 0] = hand0
        hands[k, 1] = hand1
        hands[k, 2] = hand2
        if declarer[k] >= 0:
            twelve = hands[k, declarer[k]] | talon
            hands[k, 3] = twelve & ~discard_for(w, twelve, strain[k])[0]


def play(
    who: Any,
    options: Mapping[str, float],
    variant: str,
    seed: int,
    pulkas: int,
    n_players: int = 3,
    settings: Mapping[str, Any] | None = None,
    max_deals: int = 200,
) -> Array:
    """The deals of pulkas in which one bot has all seats."""
    bots = [Bot("fit", who, options)] * n_players
    rules = find_variant(variant, settings).rules(n_players)
    return Shard(rules, bots, seed, 0, pulkas, max_deals).run().deals


def suit_columns(hands: Array, strain: Array, trump: int, side: int, plain: int) -> Array:
    """Column of each of a hand's four suits in the design matrix (tables side by side)."""
    columns = np.zeros((len(hands), 4), np.int64)
    for suit in range(4):
        ranks = hands >> (8 * suit) & 255
        table = np.where(strain == NO_TRUMP, plain, np.where(strain == suit, trump, side))
        columns[:, suit] = table * N + ranks
    return columns


def solve(columns: Array, target: Array, prior: Array) -> tuple[Array, float, float]:
    """Ridge least squares around a prior; returns the table, its intercept, and the residual SD."""
    size = len(prior)
    predicted = prior[columns].sum(axis=1)
    shift = float((target - predicted).mean())
    rest = target - predicted - shift
    gram = np.zeros(size * size)
    right = np.zeros(size)
    for a in range(4):
        right += np.bincount(columns[:, a], rest, size)
        for b in range(4):
            gram += np.bincount(columns[:, a] * size + columns[:, b], minlength=size * size)
    matrix = gram.reshape(size, size) + RIDGE * np.eye(size)
    table = prior + np.linalg.solve(matrix, right)
    residual = target - shift - table[columns].sum(axis=1)
    return table, shift, float(residual.std())


def tricks_of(rows: Array, player: Array) -> Array:
    return rows["tricks"][np.arange(len(rows)), player].astype(float)


def position_shift(strain: Array, hand: Array, residual: Array) -> Array:
    """Mean residual by (suit contract or no trump, the declarer's hand number)."""
    cell = 3 * (strain == NO_TRUMP) + hand
    return np.bincount(cell, residual, 6) / np.maximum(1, np.bincount(cell, minlength=6))


def outcomes(expected: Array, tricks: Array, scale: int = 4) -> Array:
    """[bucket, k]: chance of k tricks when bucket / scale are expected, smoothed over
    neighbours."""
    bucket = np.clip(np.rint(scale * expected), 0, BUCKETS - 1).astype(int)
    counts = np.bincount(bucket * 11 + tricks.astype(int), minlength=BUCKETS * 11)
    counts = counts.reshape(BUCKETS, 11).astype(float)
    padded = np.pad(counts, ((1, 1), (0, 0)))
    smooth = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    usual = np.zeros((BUCKETS, 11))
    for b in range(BUCKETS):
        for offset, chance in enumerate(USUAL_SPREAD, -(len(USUAL_SPREAD) // 2)):
            usual[b, min(10, max(0, round(b / scale) + offset))] += chance
    total = smooth + PRIOR_WEIGHT * usual
    return total / total.sum(axis=1, keepdims=True)


def save(tables: dict[str, Array], recipe: dict[str, int]) -> None:
    data = {
        "what": "expected tricks by ranks in a suit (bit 0 = seven), chances; thousandths",
        "made_by": "python -m benchmarks.fit_cautious",
        "recipe": recipe,
        "tables": {
            name: np.rint(1000 * table).astype(int).ravel().tolist()
            for name, table in tables.items()
        },
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    hand_tables.fitted_tables.cache_clear()
