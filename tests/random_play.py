"""Deals and choices at random, with a bias that reaches the rare branches of the rules."""

from __future__ import annotations

import random
from typing import Any

from random_conventions import draw_settings

from scoring.contract import MISERE, MISERE_WITHOUT, contract_strain
from scoring.variant import Variant, find_variant
from sim.cards import mask_of
from sim.deals import N_DEALS, rank
from sim.state import (
    AUCTION,
    CARD,
    CONCEDE,
    CONTRACT,
    DEALER_WHIST,
    FIRST_BID,
    HOLD,
    PASS,
    WHIST,
)

RARE = {
    "values.off_mountain_instead": 2,
    "misere.defence": "catch_or_trust",
    "whist.dealer_may": True,
    "whist.both_may_pass": True,
}
"""Conventions with which the rarest phases come."""
MISERE_BIDS = (FIRST_BID + MISERE, FIRST_BID + MISERE_WITHOUT)


def bits(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    return [k for k in range(63) if mask >> k & 1]


def random_number(chance: random.Random) -> int:
    """A deal number: uniform, or of a deal with one hand strong or weak in all or in one suit."""
    if chance.random() < 0.3:
        return chance.randrange(N_DEALS)
    slope, suit = chance.choice((-30.0, -5.0, 5.0, 30.0)), chance.randrange(8)
    place = {card: slope * (card & 7) + 20 * (card >> 3 == suit) for card in range(32)}
    order = sorted(range(32), key=lambda card: place[card] + 24 * chance.random(), reverse=True)
    special, others = order[:10], order[10:]
    chance.shuffle(others)
    hands = [others[:10], others[10:20]]
    hands.insert(chance.randrange(3), special)
    return rank(mask_of(hands[0]), mask_of(hands[1]), mask_of(others[20:]))


class Chooser:
    """How the players of one deal choose: at random, each deal with another inclination.

    ``passes`` and ``misere`` are chances in the auction, ``styles`` how hands play their cards; the
    ``meek`` do not whist. In half of the deals one hand bids alone, on its longest suit.
    """

    def __init__(self, chance: random.Random, hands: list[int]) -> None:
        self.chance = chance
        self.hands = hands
        self.passes = chance.choice((0.2, 0.6, 0.9, 0.97))
        self.misere = chance.choice((0.0, 0.1, 0.6))
        self.meek = chance.random() < 0.3
        self.styles = [chance.choice(("high", "low", "any")) for _ in hands]
        self.alone = -1
        if chance.random() < 0.5:
            points = [sum(card & 7 for card in bits(hand)) for hand in hands]
            wanted = min if self.misere > 0.5 else max
            self.alone = points.index(wanted(points))
            self.passes = 0.9

    def choose(self, view: Any, legal: list[int]) -> int:
        """One of the legal actions."""
        phase, mover = int(view["phase"]), int(view["mover"])
        if phase == AUCTION:
            return self._call(mover == self.alone, legal)
        if phase == CONTRACT:
            return self._contract(mover, legal)
        if phase in (WHIST, DEALER_WHIST) and self.meek:
            return legal[0]
        if phase == CARD and self.chance.random() < 0.85 and self.styles[mover] != "any":
            better = max if self.styles[mover] == "high" else min
            return better(legal, key=lambda card: (card & 7, card))
        return self.chance.choice(legal)

    def _call(self, alone: bool, legal: list[int]) -> int:
        miseres = [bid for bid in MISERE_BIDS if bid in legal]
        bold = alone or self.alone < 0
        if miseres and bold and self.chance.random() < self.misere:
            return self.chance.choice(miseres)
        if self.chance.random() < (0.1 if alone else self.passes):
            return PASS
        if HOLD in legal and self.chance.random() < 0.6:
            return HOLD
        bids = [action for action in legal if action >= FIRST_BID] or [PASS]
        return self.chance.choice(bids if self.chance.random() < 0.2 else bids[:2])

    def _contract(self, hand: int, legal: list[int]) -> int:
        if CONCEDE in legal and self.chance.random() < 0.25:
            return CONCEDE
        lengths = [(self.hands[hand] >> 8 * suit & 255).bit_count() for suit in range(4)]
        longest = lengths.index(max(lengths))
        suited = [code for code in legal if code != CONCEDE and contract_strain(code) == longest]
        return suited[0] if suited and self.chance.random() < 0.7 else self.chance.choice(legal)


def house_variant(chance: random.Random) -> Variant:
    """A variant with random values of all conventions, half of the time those of rare phases."""
    rare = RARE if chance.random() < 0.5 else {}
    return find_variant("sochi").with_settings({**draw_settings(chance), **rare})
