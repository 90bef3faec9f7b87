"""How the players of a random deal choose: with a bias that reaches rare branches of the rules."""

from __future__ import annotations

import random
from typing import Any

from scoring.contract import MISERE, MISERE_WITHOUT
from sim.cards import cards_of, mask_of
from sim.deals import N_DEALS, rank
from sim.state import (
    AUCTION,
    CALL_PASS,
    CARD,
    CONCEDE,
    CONTRACT,
    DARK,
    DEALER_WHIST,
    FIRST_BID,
    HOLD,
    N_HANDS,
    PASS,
    WHIST,
)


class Mood:
    """How the players of one deal choose: random, with a bias that reaches rare branches.

    In half of the deals one hand is ahead: the others mostly pass, and it names its longest suit.
    """

    def __init__(self, chance: random.Random, hands: list[int]) -> None:
        self.chance = chance
        self.hands = hands
        self.passes = chance.choice((0.2, 0.5, 0.5, 0.8, 0.97))
        self.misere = chance.choice((0.0, 0.1, 0.6))
        self.leap = chance.choice((0.0, 0.1, 0.5))
        self.without = chance.choice((0.0, 0.1, 0.5))
        self.shy = chance.choice((0.0, 0.0, 0.6))
        self.styles = [chance.choice(("high", "low", "any")) for _ in range(N_HANDS)]
        self.ahead = chance.choice((0, 1, 2, -1, -1, -1))
        if self.ahead >= 0:
            self._get_ahead()

    def pass_all(self) -> None:
        """Everybody passes."""
        self.passes, self.misere, self.without, self.ahead = 1.0, 0.0, 0.0, -1

    def _get_ahead(self) -> None:
        points = [sum(card & 7 for card in cards_of(hand)) for hand in self.hands]
        low = self.misere > 0.5
        self.ahead = points.index(min(points) if low else max(points))
        self.styles = ["any"] * N_HANDS
        self.styles[self.ahead] = "low" if low else "high"
        self.passes = 0.9

    def choose(self, view: Any, legal: list[int]) -> int:
        """One of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        phase, mover = int(view["phase"]), int(view["mover"])
        if phase == DARK and self.passes == 1.0:
            return self.chance.choice((*legal, legal[-1]))
        if phase == AUCTION:
            return self._call(mover == self.ahead, legal)
        if phase == CONTRACT:
            return self._contract(mover, legal)
        if phase in (WHIST, DEALER_WHIST) and CALL_PASS in legal:
            if self.chance.random() < self.shy:
                return CALL_PASS
        if phase == CARD and self.chance.random() < 0.85:
            return self._card(self.styles[mover], legal)
        return self.chance.choice(legal)

    def _call(self, ahead: bool, legal: list[int]) -> int:
        chance = self.chance
        if FIRST_BID + MISERE in legal and chance.random() < self.misere * (
            ahead or self.ahead < 0
        ):
            return FIRST_BID + MISERE
        if chance.random() < (0.1 if ahead else self.passes):
            return PASS
        if HOLD in legal and chance.random() < 0.6:
            return HOLD
        bids = [action for action in legal if action >= FIRST_BID] or [PASS]
        without = [action for action in bids if action >= FIRST_BID + MISERE_WITHOUT]
        if without and chance.random() < self.without:
            return without[0] if chance.random() < 0.4 else chance.choice(without)
        return chance.choice(bids if chance.random() < self.leap else bids[:2])

    def _contract(self, hand: int, legal: list[int]) -> int:
        if CONCEDE in legal and self.chance.random() < 0.25:
            return CONCEDE
        if hand != self.ahead:
            return legal[0] if self.chance.random() < 0.5 else self.chance.choice(legal)
        lengths = [(self.hands[hand] >> 8 * suit & 255).bit_count() for suit in range(4)]
        longest = lengths.index(max(lengths))
        named = [code for code in legal if code != CONCEDE and code % 5 == longest] or legal
        return named[0] if self.chance.random() < 0.3 else self.chance.choice(named)

    def _card(self, style: str, legal: list[int]) -> int:
        if style == "any":
            return self.chance.choice(legal)
        return (max if style == "high" else min)(legal, key=lambda card: (card & 7, card))


def random_number(chance: random.Random) -> int:
    """A deal number: uniform, or of a deal with one hand strong or weak in all or in one suit."""
    if chance.random() < 0.3:
        return chance.randrange(N_DEALS)
    slope = chance.choice((-30.0, -5.0, 5.0, 30.0))
    suit = chance.randrange(8)
    bonus = {card: slope * (card & 7) + 20 * (card >> 3 == suit) for card in range(32)}
    cards = sorted(range(32), key=lambda card: bonus[card] + 24 * chance.random(), reverse=True)
    special, others = cards[:10], cards[10:]
    chance.shuffle(others)
    hands = [others[:10], others[10:20]]
    hands.insert(chance.randrange(3), special)
    return rank(mask_of(hands[0]), mask_of(hands[1]), mask_of(others[20:]))
