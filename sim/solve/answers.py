"""Deals solved: what was asked of each, and the answers as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..cards import format_card, format_hand
from ..records.words import owner_data
from ..solver import (
    Line,
    Position,
    best_cards,
    find_line,
    rate_position,
    solve_many,
    solve_position,
    solve_tables,
)
from ..state import N_HANDS
from .asked import STRAIN_WORDS, Deal, Wanted

Advance = Callable[[int], None]


@dataclass
class Answer:
    """What was found about a deal; ``tricks`` are the declarer's from here on."""

    deal: Deal
    tricks: int | None = None
    cards: dict[int, int] = field(default_factory=dict)
    line: Line = field(default_factory=list)
    table: Any = None

    @property
    def best(self) -> list[int]:
        """The best cards of the hand to move."""
        return best_cards(self.deal.position(), self.cards)


def count_steps(deals: Sequence[Deal], wanted: Wanted) -> int:
    """How often ``solve_deals`` says that it is a step further."""
    named = sum(deal.strain is not None for deal in deals)
    return named * (1 + wanted.cards + wanted.line) + len(deals) * wanted.table


def solve_deals(deals: Sequence[Deal], wanted: Wanted, advance: Advance) -> list[Answer]:
    """The answers, in the order of the deals. ``advance(n)`` is called after every n steps."""
    answers = [Answer(deal) for deal in deals]
    named = [answer for answer in answers if answer.deal.strain is not None]
    for answer, tricks in zip(named, _tricks([x.deal for x in named], advance), strict=True):
        answer.tricks = tricks
    for answer in named:
        if wanted.cards:
            answer.cards = rate_position(answer.deal.position())
            advance(1)
        if wanted.line:
            answer.line = find_line(answer.deal.position())
            advance(1)
    if wanted.table:
        hands = np.array([deal.tabled for deal in deals], np.int64)
        tables = solve_tables(hands, range(N_HANDS), advance=advance)
        for answer, table in zip(answers, tables.tolist(), strict=True):
            answer.table = table
    return answers


def _tricks(deals: Sequence[Deal], advance: Advance) -> list[int]:
    """The declarer's tricks of deals with a strain."""
    if any(deal.on_table for deal in deals):
        found = []
        for deal in deals:
            found.append(solve_position(deal.position()))
            advance(1)
        return found
    if not deals:
        return []
    hands = np.array([deal.hands for deal in deals], np.int64)
    strains, declarers, leaders = zip(
        *((deal.strain, deal.declarer, deal.first) for deal in deals), strict=True
    )
    tricks = solve_many(hands, strains, declarers, leaders, advance=advance)
    return [int(count) for count in tricks]


def by_trick(answer: Answer) -> Iterator[tuple[Line, int]]:
    """The line by trick, with the cards that lay on the table, and the hand that takes each."""
    left: Position | None = answer.deal.position()
    first = answer.deal.first
    trick = [((first + k) % N_HANDS, card) for k, card in enumerate(answer.deal.on_table)]
    for hand, card in answer.line:
        assert left is not None
        trick.append((hand, card))
        left, taker = left.after(card)
        if taker >= 0:
            yield trick, taker
            trick = []


def answer_json(answer: Answer, wanted: Wanted) -> dict[str, Any]:
    """An answer as JSON data; what was not asked for is left out."""
    deal = answer.deal
    told: dict[str, Any] = {}
    if deal.number is not None:
        told["number"] = deal.number
        told["talon"] = [format_card(card) for card in deal.talon]
    if deal.players:
        told["players"] = [owner_data(player) for player in deal.players]
    told["hands"] = [format_hand(hand) for hand in deal.hands]
    if deal.on_table:
        told["on_table"] = [format_card(card) for card in deal.on_table]
    told["strain"] = None if deal.strain is None else STRAIN_WORDS[deal.strain]
    told["declarer"], told["leader"] = deal.declarer, deal.first
    told["tricks_left"] = deal.position().n_tricks
    told["declarer_tricks"] = answer.tricks
    if answer.tricks is not None and wanted.cards:
        told["mover"] = deal.position().mover
        told["cards"] = {format_card(card): tricks for card, tricks in answer.cards.items()}
        told["best"] = [format_card(card) for card in answer.best]
    if answer.tricks is not None and wanted.line:
        told["line"] = [
            {"cards": [[hand, format_card(card)] for hand, card in trick], "taker": taker}
            for trick, taker in by_trick(answer)
        ]
    if wanted.table:
        told["table"] = answer.table
    return told
