"""Rules of thumb for a hand, as tables: what a suit is worth, and what a result is worth.

Suit tables have 256 entries, one for each set of ranks held (bit 0 = seven ... bit 7 = ace). The
chance to be caught at misère comes from enumerating how the missing cards can lie in two hidden
hands; the tables of expected tricks are fitted to the bot's own play (``weights/cautious.json``).
Price tables come from the variant's own scorer. Only + - * / are used, so that every machine gets the same bits.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.conventions import MAX_PROGRESSION
from scoring.deal_score import HALF_WHISTED, PASSED, WHISTED
from scoring.sheet import DealResult, ScoreSheet

N_MASKS = 256
BUCKETS = 41
"""Expected tricks in quarters, 0 .. 10."""
HIDDEN = 10

Floats = np.ndarray[Any, np.dtype[np.float64]]
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


def _contract_value(sheet: ScoreSheet, level: int, tricks: int, pattern: int) -> float:
    """Value in whists of a contract that ends with ``tricks`` for the declarer (player 0)."""
    calls = {
        DECLARER: (WHISTED, WHISTED),
        LONE: (WHISTED, PASSED),
        PARTNER: (PASSED, WHISTED),
        BOTH: (WHISTED, WHISTED),
        FREE: (PASSED, PASSED),
        HALF: (HALF_WHISTED, PASSED),
    }[pattern]
    played = pattern not in (FREE, HALF)
    defence = 10 - tricks
    total = 0.0
    for mine in (defence // 2, defence - defence // 2):
        value = sheet.value(
            DealResult(
                dealer=2,
                kind=TRICKS,
                declarer=0,
                level=level,
                tricks=(tricks, mine, defence - mine) if played else None,
                decisions={1: calls[0], 2: calls[1]},
                last_whister=2 if calls[1] == WHISTED else 1,
            )
        )
        total += float(value[0 if pattern == DECLARER else 1])
    return total / 2


def _expect(values: list[float], chances: Floats) -> float:
    """Sum of value times chance over 0..10 tricks, in that order."""
    total = 0.0
    for value, chance in zip(values, chances.tolist(), strict=True):
        total += value * chance
    return total


def contract_prices(sheet: ScoreSheet, pattern: int, chances: Floats) -> Floats:
    """[level - 6, bucket]: value in whists when ``bucket / 4`` declarer tricks are expected.

    ``chances[bucket, k]`` is the chance of k tricks.
    """
    table = np.zeros((5, BUCKETS))
    for level in range(6, 11):
        values = [_contract_value(sheet, level, tricks, pattern) for tricks in range(11)]
        for bucket in range(BUCKETS):
            table[level - 6, bucket] = _expect(values, chances[bucket])
    return table


def declarer_prices(sheet: ScoreSheet, chances: Floats, unwhisted: tuple[float, ...]) -> Floats:
    """[level - 6, bucket]: a declarer's value, when by level a share of sound games goes unwhisted.

    A game half a trick short of its level or worse is always whisted.
    """
    prices = contract_prices(sheet, DECLARER, chances)
    for level in range(6, 11):
        made = -2 * _contract_value(sheet, level, level, FREE)
        for bucket in range(BUCKETS):
            sound = min(1.0, max(0.0, bucket / 4 - level + 0.5))
            free = unwhisted[level - 6] * sound
            prices[level - 6, bucket] = (1 - free) * prices[level - 6, bucket] + free * made
    return prices


def raspas_prices(sheet: ScoreSheet, chances: Floats) -> Floats:
    """[raspas in a row, bucket]: value in whists of a raspas with ``bucket / 4`` tricks expected."""
    table = np.zeros((MAX_PROGRESSION, BUCKETS))
    for index in range(MAX_PROGRESSION):
        values = []
        for tricks in range(11):
            rest = 10 - tricks
            total = 0.0
            splits = range(rest + 1)
            for left in splits:
                result = DealResult(
                    dealer=2,
                    kind=RASPAS,
                    tricks=(tricks, left, rest - left),
                    raspas_index=index,
                )
                weight = math.comb(rest, left) / 2**rest
                total += weight * float(sheet.value(result)[0])
            values.append(total)
        for bucket in range(BUCKETS):
            table[index, bucket] = _expect(values, chances[bucket])
    return table


def misere_prices(sheet: ScoreSheet, caught_tricks: int) -> Floats:
    """Value in whists of a clean misère, and of one caught for ``caught_tricks``."""
    values = []
    for tricks in (0, caught_tricks):
        rest = 10 - tricks
        result = DealResult(
            dealer=2,
            kind=MISERE_GAME,
            declarer=0,
            tricks=(tricks, rest // 2, rest - rest // 2),
        )
        values.append(float(sheet.value(result)[0]))
    return np.array(values)


def concession_prices(sheet: ScoreSheet, undertricks: int) -> Floats:
    """[level - 6]: value in whists of conceding ``undertricks`` at a level."""
    return np.array(
        [
            float(
                sheet.value(
                    DealResult(
                        dealer=2, kind=TRICKS, declarer=0, level=level, concession=undertricks
                    )
                )[0]
            )
            for level in range(6, 11)
        ]
    )
