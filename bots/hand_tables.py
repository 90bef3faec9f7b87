"""Rules of thumb for a hand, as tables: what a suit is worth, and what a result is worth.

Suit tables have 256 entries, one for each set of ranks held (bit 0 = seven ... bit 7 = ace). The
chance to be caught at misère comes from enumerating how the missing cards can lie in two hidden
hands; the tables of expected tricks are fitted to the bot's own play (``weights/cautious.json``).
Price tables come from the variant's own scorer. Only + - * / are used, so that every machine gets
the same bits.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from scoring.batch import score_results, value_results
from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.convention import MAX_PROGRESSION
from scoring.deal_score import HALF_WHISTED, PASSED, UNIT, WHISTED
from scoring.sheet import RESULT_DTYPE

N_MASKS = 256
BUCKETS = 41
"""Expected tricks in quarters, 0 .. 10."""
HIDDEN = 10

Floats = np.ndarray[Any, np.dtype[np.float64]]
Rules = np.ndarray[Any, np.dtype[Any]]
SuitPlay = Callable[[tuple[int, ...], tuple[int, ...], tuple[int, ...]], float]


def _ranks(mask: int) -> tuple[int, ...]:
    return tuple(rank for rank in range(8) if mask >> rank & 1)


def _splits(missing: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Ways the missing cards lie in two hidden hands of ten, with their number of deals."""
    n = len(missing)
    for choice in range(1 << n):
        left = tuple(card for k, card in enumerate(missing) if choice >> k & 1)
        right = tuple(card for k, card in enumerate(missing) if not choice >> k & 1)
        yield left, right, math.comb(2 * HIDDEN - n, HIDDEN - len(left))


def suit_table(play: SuitPlay) -> Floats:
    """Mean of ``play(own, left, right)`` over all splits, for every set of ranks held."""
    table = np.zeros(N_MASKS)
    for mask in range(N_MASKS):
        missing = _ranks(255 ^ mask)
        total = weights = 0.0
        for left, right, ways in _splits(missing):
            total += ways * play(_ranks(mask), left, right)
            weights += ways
        table[mask] = total / weights
    return table


def _caught(own: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...]) -> float:
    """1 if the others, leading their lowest each time, can force the holder to take a trick."""
    hands = [list(left), list(right)]
    mine = list(own)
    while mine and any(hands):
        top = max(hand.pop(0) for hand in hands if hand)
        lower = [c for c in mine if c < top]
        if not lower:
            return 1.0
        mine.remove(lower[-1])
    return 0.0


@functools.cache
def catch_table() -> Floats:
    """Chance, by ranks held in a suit, to be caught in it at misère."""
    return suit_table(_caught)


@functools.cache
def fitted_tables() -> dict[str, Floats]:
    """The tables of ``weights/cautious.json`` by name, in tricks (stored in thousandths)."""
    data = json.loads((Path(__file__).parent / "weights" / "cautious.json").read_text("utf-8"))
    return {name: np.array(values) / 1000 for name, values in data["tables"].items()}


DECLARER, LONE, PARTNER, BOTH, FREE, HALF = range(6)
"""Whose value, and how it was whisted: the declarer against two whisters; a defender who whists
alone, whose partner whists alone, both whist, nobody whists, who has half-whist."""

_CALLS = {
    DECLARER: (WHISTED, WHISTED),
    LONE: (WHISTED, PASSED),
    PARTNER: (PASSED, WHISTED),
    BOTH: (WHISTED, WHISTED),
    FREE: (PASSED, PASSED),
    HALF: (HALF_WHISTED, PASSED),
}


RACE = 0.4
"""How much of a target's share of the pool brings one nearer to the prize for the first full pool:
with this a player alone gains nothing by bidding more or less boldly."""


def _race_value(rules: Rules, results: Rules, player: int) -> Floats:
    """Whists that pool points are worth on the way to the prize for the first full pool."""
    n = int(rules["n_players"][0])
    entries = score_results(rules, results)
    gains = (entries["gain"] + entries["bonus"])[:, :n] / UNIT
    lead = gains[:, player] - (gains.sum(axis=1) - gains[:, player]) / (n - 1)
    swing = n * int(rules["prize_first_pool"][0])
    return np.asarray(RACE * swing * lead / int(rules["target"][0]), np.float64)


def _whists(rules: Rules, results: Rules, player: int) -> Floats:
    """Value in whists of each result for a player, on an empty sheet."""
    values = value_results(rules, results)[:, player] / UNIT
    return np.asarray(values + _race_value(rules, results, player), np.float64)


def contract_values(rules: Rules, pattern: int) -> Floats:
    """[level - 6, k]: value of a contract that ends with k declarer tricks, in whists.

    Player 0 declares, 1 and 2 defend; the defence's tricks are shared evenly, an odd one either
    way.
    """
    results = np.zeros((5, 11, 2), RESULT_DTYPE)
    results["dealer"] = 2
    results["kind"] = TRICKS
    results["level"] = np.arange(6, 11)[:, None, None]
    results["decision"][..., 1], results["decision"][..., 2] = _CALLS[pattern]
    results["last_whister"] = 2 if _CALLS[pattern][1] == WHISTED else 1
    results["played"] = pattern not in (FREE, HALF)
    tricks = np.arange(11)[:, None]
    defence = 10 - tricks
    mine = np.concatenate([defence // 2, defence - defence // 2], axis=1)
    results["tricks"][..., 0] = tricks
    results["tricks"][..., 1] = mine
    results["tricks"][..., 2] = defence - mine
    values = _whists(rules, results.ravel(), 0 if pattern == DECLARER else 1).reshape(5, 11, 2)
    return (values[..., 0] + values[..., 1]) / 2


def expect(values: Floats, chances: Floats) -> Floats:
    """[..., bucket]: sum over k = 0..10 of value times chance, added in that order."""
    total = np.zeros((*values.shape[:-1], len(chances)))
    for k in range(11):
        total += values[..., k, None] * chances[:, k]
    return total


def declarer_prices(rules: Rules, chances: Floats, unwhisted: tuple[float, ...]) -> Floats:
    """[level - 6, bucket]: a declarer's value when ``bucket / 4`` tricks are expected and by level
    a share of sound games goes unwhisted.

    A game half a trick short of its level or worse is always whisted.
    """
    prices = expect(contract_values(rules, DECLARER), chances)
    free_value = -2 * contract_values(rules, FREE)[:, 0]
    for level in range(6, 11):
        for bucket in range(BUCKETS):
            sound = min(1.0, max(0.0, bucket / 4 - level + 0.5))
            free = unwhisted[level - 6] * sound
            price = prices[level - 6, bucket]
            prices[level - 6, bucket] = (1 - free) * price + free * free_value[level - 6]
    return prices


def raspas_prices(rules: Rules, chances: Floats) -> Floats:
    """[raspas in a row, bucket]: value in whists of a raspas with ``bucket / 4`` tricks expected.

    The tricks of the other two are shared as by tossing a coin for each.
    """
    shape = (MAX_PROGRESSION, 11, 11)
    results = np.zeros(shape, RESULT_DTYPE)
    results["dealer"] = 2
    results["kind"] = RASPAS
    results["declarer"] = -1
    results["played"] = 1
    results["raspas_index"] = np.arange(MAX_PROGRESSION)[:, None, None]
    weights = np.zeros((11, 11))
    for tricks in range(11):
        rest = 10 - tricks
        for left in range(rest + 1):
            weights[tricks, left] = math.comb(rest, left) / 2**rest
            results["tricks"][:, tricks, left, :3] = (tricks, left, rest - left)
    values = _whists(rules, results.ravel(), 0).reshape(shape)
    means = np.zeros(shape[:2])
    for left in range(11):
        means += values[..., left] * weights[:, left]
    return expect(means, chances)


def misere_prices(rules: Rules, caught_tricks: int) -> Floats:
    """Value in whists of a clean misère, and of one caught for ``caught_tricks``."""
    results = np.zeros(2, RESULT_DTYPE)
    results["dealer"] = 2
    results["kind"] = MISERE_GAME
    results["played"] = 1
    results["tricks"][1, 0] = caught_tricks
    return _whists(rules, results, 0)


def concession_prices(rules: Rules) -> Floats:
    """[level - 6]: value in whists of conceding at a level by the variant's concession."""
    results = np.zeros(5, RESULT_DTYPE)
    results["dealer"] = 2
    results["kind"] = TRICKS
    results["level"] = np.arange(6, 11)
    results["concession"] = rules["contract_concession"][0]
    return _whists(rules, results, 0)
