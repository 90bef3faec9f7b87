"""What each card of a contract or a misère gave away, with all cards open.

The value of a position is the tricks that the declarer takes from there on when he and the
defenders, together, play best. A card that changes it against its own side gives tricks away; no
card can gain. So at the end: tricks taken = par + what the defence gave - what the declarer gave
(at misère, where he wants none, the other way round).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..show import Step
from ..solver import Position, best_cards, rate_position, solve_position
from .deal import Deal


@dataclass(frozen=True)
class JudgedCard:
    """A card that was played: in which trick (from 1), of which hand and player (DUMMY), who chose
    it, the tricks it gave away, the cards that would have been best, and what is to be expected
    after it: the tricks that the declarer, at raspas the hand itself, ends with."""

    trick: int
    hand: int
    owner: int
    by: int
    card: int
    gave: int
    best: tuple[int, ...]
    expected: int


@dataclass(frozen=True)
class JudgedPlay:
    """The play of a contract: par, the cards, and the declarer's tricks.

    ``taken`` are his in the ``finished`` tricks, ``rest`` what the cards left are worth to him.
    """

    par: int
    cards: tuple[JudgedCard, ...]
    taken: int
    rest: int
    finished: int
    declarer: int

    @property
    def expected(self) -> int:
        """The declarer's tricks: those taken and what is left of it."""
        return self.taken + self.rest

    @property
    def by_declarer(self) -> int:
        """Tricks that the declarer gave away."""
        return sum(card.gave for card in self.cards if card.hand == self.declarer)

    @property
    def by_defence(self) -> int:
        """Tricks that the defenders gave away."""
        return sum(card.gave for card in self.cards if card.hand != self.declarer)


def gave_away(cards: tuple[JudgedCard, ...]) -> dict[int, int]:
    """Tricks given away by who chose the card; nobody who gave none away."""
    given: dict[int, int] = {}
    for card in cards:
        if card.gave:
            given[card.by] = given.get(card.by, 0) + card.gave
    return given


def judge_card(step: Step, trick: int, position: Position, taken: int) -> JudgedCard:
    """One card; ``taken`` are the tricks before it of the position's declarer."""
    values = rate_position(position)
    best = best_cards(position, values)
    value = values[step.action]
    gave = abs(value - values[best[0]])
    card = step.action
    return JudgedCard(
        trick, step.hand, step.owner, step.player, card, gave, tuple(best), taken + value
    )


def judge_play(deal: Deal) -> JudgedPlay:
    """All cards that were played, one after the other, and what is left."""
    left: Position | None = Position(deal.playing, deal.strain, deal.declarer, deal.leader)
    assert left is not None
    par = solve_position(left)
    cards, taken, finished = [], 0, 0
    for step in deal.plays:
        assert left is not None and left.mover == step.hand
        cards.append(judge_card(step, finished + 1, left, taken))
        left, taker = left.after(step.action)
        finished += taker >= 0
        taken += taker == deal.declarer
    rest = 0 if left is None else solve_position(left)
    return JudgedPlay(par, tuple(cards), taken, rest, finished, deal.declarer)
