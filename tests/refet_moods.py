"""How the players of a random deal of the refet game choose: so that all of it comes about."""

from __future__ import annotations

import random
from typing import Any

from twin_moods import Mood

from scoring.variant import Variant
from sim.state import (
    BIDDING,
    COME,
    COMES,
    CONTRA,
    CONTRACT,
    GAME_BETL,
    GAME_CALL,
    HOLD,
    NO_CONTRA,
    PASS,
    SAYS_CONTRA,
    STAYS,
)


def mood_of(variant: Variant, chance: random.Random, hands: list[int]) -> Mood:
    """How the players of a deal of this variant choose."""
    return (RefetMood if variant.has_columns else Mood)(chance, hands)


class RefetMood(Mood):
    """Passes, games, contra and company by the mood of the deal; cards as everywhere."""

    def __init__(self, chance: random.Random, hands: list[int]) -> None:
        super().__init__(chance, hands)
        self.games = chance.choice((0.0, 0.1, 0.6))
        self.high = chance.choice((0.0, 0.3))
        self.cheap = chance.choice((0.3, 0.8))
        self.comes = chance.choice((0.0, 0.5, 0.8, 1.0))
        self.doubles = chance.choice((0.0, 0.3, 0.9))

    def choose(self, view: Any, legal: list[int]) -> int:
        """One of the legal actions."""
        phase, chance = int(view["phase"]), self.chance
        if phase == BIDDING:
            return self._bid(int(view["mover"]) == self.ahead, legal)
        if phase == CONTRACT and chance.random() < self.cheap:
            return legal[0]
        if phase == COME and STAYS in legal:
            return COMES if chance.random() < self.comes else STAYS
        if phase == CONTRA:
            return SAYS_CONTRA if chance.random() < self.doubles else NO_CONTRA
        if phase == CONTRACT:
            return chance.choice(legal)
        return super().choose(view, legal)

    def _bid(self, ahead: bool, legal: list[int]) -> int:
        chance = self.chance
        games = [call for call in legal if call >= GAME_CALL]
        if games and chance.random() < self.games:
            high = [call for call in games if call >= GAME_BETL]
            return chance.choice(high) if high and chance.random() < self.high else games[0]
        numbers = [call for call in legal if HOLD <= call < GAME_CALL]
        if not numbers or chance.random() < (0.1 if ahead else self.passes):
            return PASS
        return chance.choice(numbers) if chance.random() < self.leap else numbers[0]
