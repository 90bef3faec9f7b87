"""What hands of the refet game are worth to ``cautious``, in whists, by the variant's own scorer.

Player 0 declares, 1 and 2 follow, and of four the last deals and sits out. All that is written is
in proportion to the hand's value, so prices are whists for each point of it; a hand that ends the
pulka is written with less (``last.made``) or a failed one with more (``last.double_fall``), so each
price has three parts. Only + - * / are used, so that every machine gets the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from scoring.batch import value_results
from scoring.contract import DIAMONDS, MISERE_GAME, NO_TRUMP, TRICKS, refet_base
from scoring.result import INVITED, NO_DECISION, PASSED, UNIT, WHISTED

from .hand_tables import BUCKETS, Floats
from .prices import Rules, blank_results

Tables = Mapping[str, Floats]

FREE, LONE, PAIR, INVITING, CONTRA, RECONTRA = range(6)
"""How a contract is met: nobody comes, player 1 alone, both each for himself, 1 invites 2; 1 says
contra, and the declarer answers it."""
N_WAYS = 6
MOST = 5
"""Tricks of the followers after which play stops."""

_CALLS = {
    FREE: (NO_DECISION, PASSED, PASSED, NO_DECISION),
    LONE: (NO_DECISION, WHISTED, PASSED, NO_DECISION),
    PAIR: (NO_DECISION, WHISTED, WHISTED, NO_DECISION),
    INVITING: (NO_DECISION, WHISTED, INVITED, NO_DECISION),
    CONTRA: (NO_DECISION, WHISTED, PASSED, NO_DECISION),
    RECONTRA: (NO_DECISION, WHISTED, PASSED, NO_DECISION),
}


class Price(NamedTuple):
    """Whists for a point of a hand's value, the last axis by bucket or tricks.

    ``capped`` for the value that the last hand is cut down to, ``full`` for the whole value,
    ``fall`` what a failed last hand adds.
    """

    capped: Floats
    full: Floats
    fall: Floats

    def expect(self, chances: Floats) -> Price:
        """Prices by bucket from prices by outcome, ``chances[bucket, outcome]``."""
        return Price(*(_sum_over(part, chances) for part in self))

    def plus(self, other: Price) -> Price:
        return Price(*(mine + his for mine, his in zip(self, other, strict=True)))


def _sum_over(values: Floats, chances: Floats) -> Floats:
    """[bucket]: sum over outcomes of value times chance, added in that order."""
    total = np.zeros(len(chances))
    for k in range(len(values)):
        total += values[k] * chances[:, k]
    return total


def no_price() -> Price:
    return Price(*(np.zeros(BUCKETS) for _ in range(3)))


def _price(rules: Rules, results: Rules, player: int) -> Price:
    """The price of each of some results: what is written whole, and what with half its value left
    of the columns."""
    first = results[:1]
    kind, level, strain = (int(first[name][0]) for name in ("kind", "level", "strain"))
    points = 2 * refet_base(kind, level, strain)
    whole = value_results(rules, results)[:, player] / (UNIT * points)
    last = results.copy()
    last["remaining"] = UNIT * points // 2
    ended = value_results(rules, last)[:, player] / (UNIT * points)
    capped = ended == whole / 2
    nothing = np.zeros(len(results))
    return Price(
        np.where(capped, whole, nothing),
        np.where(capped, nothing, whole),
        np.where(capped, nothing, ended - whole),
    )


def _suit_results(rules: Rules, way: int, n: int) -> Rules:
    """Blank results of a suit contract that is met in a way."""
    results = blank_results(rules, (n,), TRICKS)
    results["level"] = 6
    results["strain"] = DIAMONDS
    results["decision"] = _CALLS[way]
    results["last_whister"] = 1
    results["played"] = way != FREE
    results["contra"] = {CONTRA: 1, RECONTRA: 2}.get(way, 0)
    results["contra_by"] = 1
    return results


def way_price(rules: Rules, way: int, player: int) -> Price:
    """[k]: price of a contract in which the followers take k tricks, up to five.

    Those of two each for himself are shared evenly, an odd one either way.
    """
    parts = []
    for odd in range(2):
        results = _suit_results(rules, way, MOST + 1)
        defence = np.arange(MOST + 1)
        own = (defence + odd) // 2 if way == PAIR else defence
        results["tricks"][:, 0] = np.where(defence == MOST, MOST, 10 - defence)
        results["tricks"][:, 1] = own
        results["tricks"][:, 2] = defence - own
        parts.append(_price(rules, results, player))
    return Price(*((one + other) / 2 for one, other in zip(*parts, strict=True)))


def pair_price(rules: Rules) -> Price:
    """[6 * own + other's]: price for player 1 of following with 2, each for himself."""
    results = _suit_results(rules, PAIR, (MOST + 1) ** 2)
    own, other = np.divmod(np.arange(len(results)), MOST + 1)
    defence = np.minimum(MOST, own + other)
    results["tricks"][:, 0] = 10 - defence
    results["tricks"][:, 1] = own
    results["tricks"][:, 2] = other
    return _price(rules, results, 1)


def all_or_nothing_price(rules: Rules, level: int, contra: int, player: int) -> Price:
    """[made, failed]: price of betl (level 0) or preferans (10), with contra so often."""
    results = blank_results(rules, (2,), TRICKS if level else MISERE_GAME)
    results["level"] = level if level else 6
    results["strain"] = NO_TRUMP if level else 0
    results["decision"] = _CALLS[PAIR]
    results["played"] = 1
    results["contra"] = contra
    results["contra_by"] = 1
    made, failed = (10, 9) if level else (0, 1)
    results["tricks"][:, 0] = (made, failed)
    results["tricks"][:, 1] = 10 - results["tricks"][:, 0]
    return _price(rules, results, player)


def declarer_price(rules: Rules, chances: Floats) -> Price:
    """By bucket: a declarer's price; ``chances[bucket, way, k]`` of how he is met, and of so many
    tricks of the followers."""
    total = no_price()
    for way in range(N_WAYS):
        total = total.plus(way_price(rules, way, 0).expect(chances[:, way]))
    return total


def betl_price(rules: Rules, chances: Floats) -> Price:
    """The same for betl: ``chances[bucket, contra, failed]``."""
    total = no_price()
    for contra in range(3):
        total = total.plus(all_or_nothing_price(rules, 0, contra, 0).expect(chances[:, contra]))
    return total


def answered(values: list[Price], shares: Floats) -> Price:
    """The price of a contra that is answered with a chance by outcome."""
    left, answered = (
        Price(*(part * share for part in value))
        for value, share in zip(values, (1 - shares, shares), strict=True)
    )
    return left.plus(answered)


def defend_prices(rules: Rules, points: Floats) -> Floats:
    """[bucket]: whists of one who lets others bid, by ``points[bucket, 4]``: the value, on the
    average, of what is made, failed, written as soup by him and as his own fall."""
    lone = way_price(rules, LONE, 1)
    mine = lone.capped + lone.full
    away = way_price(rules, LONE, 2)
    other = away.capped + away.full
    soup = mine[3] - mine[2]
    short = mine[1] - mine[2] + soup
    units = np.array([other[2], other[MOST], soup, short])
    total = np.zeros(len(points))
    for k in range(4):
        total += points[:, k] * units[k]
    return total
