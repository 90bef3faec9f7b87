"""Raspas with all cards open, as far as anything exact can be told.

Each hand plays for itself, so no card has one value. Told are

* the guarantee of a hand: the most tricks it may be made to take whatever the others do, that is
  its misère against both of them; a card can only keep or worsen the guarantee of the hand that
  plays it;
* the last six tricks as they go when each hand looks for its own score alone (max^n,
  ``sim.solver.endings``), the score being the exact value of the deal to its player.

Tricks that a card of the talon leads are outside the solver's rules; the judging begins after them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.contract import RASPAS
from scoring.deal_result import DealResult
from scoring.deal_score import score_deal
from scoring.kernel import make_records, to_records
from scoring.result import MAX_PLAYERS
from scoring.sheet import ENTRY_DTYPE, SHEET_DTYPE, read_sheet, settle, write_entries

from ..cards import mask_of
from ..records.words import DUMMY
from ..solver import MISERE_STRAIN, MOST_CARDS, Line, Position, masked, solve_position, solve_raspas
from ..state import N_HANDS, N_TRICKS
from .deal import Deal
from .play import JudgedCard, judge_card

_N_COUNTS = N_TRICKS + 1
_LED_BY_TALON = 2
"""Tricks to which the talon leads, where it does."""
_FIRST_OF_END = N_TRICKS - MOST_CARDS
"""Tricks before the last six."""


@dataclass(frozen=True)
class End:
    """The last six tricks when each plays for its own score: the tricks of the hands at the end,
    and the cards."""

    tricks: tuple[int, int, int]
    line: Line


@dataclass(frozen=True)
class JudgedRaspas:
    """What can be told of raspas: the first trick judged (from 1), the guarantees before it by
    hand (-1: does not play), its cards, and the end, None where play did not come so far."""

    first: int
    guarantees: tuple[int, int, int]
    cards: tuple[JudgedCard, ...]
    end: End | None


# The score of every end


def _put_sheet(sheet: Any, before: dict[str, Any]) -> None:
    """Write the sheet before the deal on a record."""
    for name, value in before.items():
        if isinstance(value, list):
            for k, amount in enumerate(value):
                sheet[name][k] = amount
        else:
            sheet[name] = value


def _value(deal: Deal, tricks: list[int], sheet: Any, entries: Any) -> list[int]:
    """What the deal is worth to each player, in twelfths, with these tricks by player."""
    story, balance = deal.story, np.zeros((2, MAX_PLAYERS), np.int64)
    result = DealResult(story.dealer, RASPAS, tricks=tricks, dark_pass=deal.dark)
    row = to_records(result.pack())[0]
    _put_sheet(sheet, story.sheet)
    settle(story.rules, sheet, balance[0])
    read_sheet(story.rules, sheet, row)
    score_deal(story.rules, row, entries)
    write_entries(story.rules, sheet, entries, story.dealer)
    settle(story.rules, sheet, balance[1])
    return (balance[1] - balance[0]).tolist()


def _splits(total: int) -> Iterator[tuple[int, int, int]]:
    """Each way to share tricks among three hands."""
    for a in range(total + 1):
        for b in range(total + 1 - a):
            yield a, b, total - a - b


def payoffs(deal: Deal, lost: dict[int, int]) -> Any:
    """What each end is worth to the player of each hand, int64 [hand, tricks of hand 0, of hand 1]
    in twelfths of a whist; ``lost`` are tricks by player that no hand took (DUMMY: nobody's)."""
    sheet, entries = make_records(SHEET_DTYPE, 1)[0], make_records(ENTRY_DTYPE, 1)[0]
    table = np.zeros((N_HANDS, _N_COUNTS, _N_COUNTS), np.int64)
    for split in _splits(N_TRICKS - sum(lost.values())):
        tricks = [lost.get(player, 0) for player in range(deal.story.n_players)]
        for hand, count in enumerate(split):
            if deal.owners[hand] != DUMMY:
                tricks[deal.owners[hand]] += count
        values = _value(deal, tricks, sheet, entries)
        for hand, owner in enumerate(deal.owners):
            if owner != DUMMY:
                table[hand, split[0], split[1]] = values[owner]
    return table


# The judging


def _first_position(deal: Deal, skipped: int) -> Position:
    """The position before the first trick that is judged."""
    tricks = deal.story.tricks
    gone = mask_of(step.action for trick in tricks[:skipped] for step in trick.steps)
    a, b, c = (cards & ~gone for cards in masked(deal.hands, deal.in_play))
    leader = tricks[skipped].steps[0].hand if skipped < len(tricks) else deal.next_leader
    return Position((a, b, c), MISERE_STRAIN, leader, leader)


def _taken_before(deal: Deal, skipped: int) -> tuple[list[int], dict[int, int]]:
    """Tricks of the hands in those that are not judged, and by player those that no hand took."""
    taken, lost = [0] * N_HANDS, dict[int, int]()
    for trick in deal.story.tricks[:skipped]:
        assert trick.winner is not None
        if trick.winner in deal.owners:
            taken[deal.owners.index(trick.winner)] += 1
        else:
            lost[trick.winner] = lost.get(trick.winner, 0) + 1
    return taken, lost


def _guarantees(position: Position, taken: list[int]) -> tuple[int, int, int]:
    """The most tricks that each hand may be made to take in all."""
    a, b, c = (
        taken[hand] + solve_position(replace(position, declarer=hand))
        if position.hands[hand]
        else -1
        for hand in range(N_HANDS)
    )
    return a, b, c


def judge_raspas(deal: Deal) -> JudgedRaspas | None:
    """Guarantees, cards and the end; None if play did not come beyond the talon's tricks."""
    skipped = _LED_BY_TALON if deal.talon_led else 0
    if deal.finished < skipped:
        return None
    taken, lost = _taken_before(deal, skipped)
    first = _first_position(deal, skipped)
    guarantees, cards, end = _guarantees(first, taken), [], None
    left: Position | None = first
    finished = skipped
    steps = [step for trick in deal.story.tricks[skipped:] for step in trick.steps]
    for step in [*steps, None]:
        if left is not None and not left.table and finished == _FIRST_OF_END:
            end = _judge_end(deal, left, taken, lost)
        if step is None or left is None:
            break
        mine = replace(left, declarer=step.hand)
        cards.append(judge_card(step, finished + 1, mine, taken[step.hand]))
        left, taker = left.after(step.action)
        if taker >= 0:
            taken[taker] += 1
            finished += 1
    return JudgedRaspas(skipped + 1, guarantees, tuple(cards), end)


def _judge_end(deal: Deal, left: Position, taken: list[int], lost: dict[int, int]) -> End:
    tricks, line = solve_raspas(left.hands, left.leader, payoffs(deal, lost), taken)
    return End(tricks, line)
