"""A deal told in words: hands, auction, whist, play trick by trick, score and sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring.contract import KINDS, MISERE_GAME, RASPAS, TRICKS, contract_code, format_contract
from scoring.deal_score import DECISIONS, MAX_PLAYERS, UNIT
from scoring.errors import PreferansError
from scoring.tables import format_exact, format_table

from .cards import cards_of, format_card, format_suit_hand
from .deals import check_number, second_first, unrank
from .state import (
    AUCTION,
    CARD,
    CONCEDE,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    HOLD,
    OPEN,
    OPENED,
    PASS,
    PHASES,
    WHIST,
)
from .table import Table


class RecordError(PreferansError):
    """A record that cannot be replayed: one sentence saying which decision and why."""


def talon_cards(number: int) -> list[int]:
    """The two talon cards of a deal in their order."""
    cards = cards_of(int(unrank(number)[3]))
    return cards[::-1] if second_first(number) else cards


def format_deal(number: int) -> str:
    """The deal of a number: the three hands from the eldest, and the talon."""
    check_number(number)
    hands = unrank(number)
    lines = [f"deal {number}"]
    for hand, name in enumerate(("first hand ", "second hand", "third hand ")):
        lines.append(f"{name}  {format_suit_hand(int(hands[hand]))}")
    lines.append(f"talon        {' '.join(map(format_card, talon_cards(number)))}")
    return "\n".join(lines)


def format_action(phase: int, action: int) -> str:
    """An action in words."""
    if phase == AUCTION:
        words = {PASS: "pass", HOLD: "hold"}
        return words.get(action) or format_contract(action - FIRST_BID)
    if phase == CONTRACT:
        return "concedes" if action == CONCEDE else format_contract(action)
    if phase in (DISCARD, CARD):
        return format_card(action)
    if phase == WHIST:
        return ("pass", "whist", "half-whist")[action]
    return "open" if action == OPENED else "closed"


@dataclass
class Step:
    """One decision of a replayed deal, forced ones included."""

    phase: int
    hand: int
    player: int
    action: int


@dataclass
class Story:
    """A replayed deal: the cards as dealt, its steps, and its scored row."""

    number: int
    dealer: int
    hands: list[int]
    steps: list[Step] = field(default_factory=list)
    row: Any = None


def replay_deal(table: Table, number: int, decisions: Sequence[int]) -> Story:
    """Play a recorded deal (``decisions`` without forced ones). RecordError if illegal."""
    try:
        table.lay(check_number(number))
    except ValueError as error:
        raise RecordError(str(error)) from None
    view = table.view
    story = Story(number, int(view["dealer"]), table.hands())
    given = iter(decisions)
    count = 0
    while not table.done:
        legal = table.legal
        if legal & (legal - 1) == 0:
            action = legal.bit_length() - 1
        else:
            action = next(given, -1)
            count += 1
        phase, hand = int(view["phase"]), int(view["mover"])
        if not 0 <= action < 63 or not legal >> action & 1:
            said = "is missing" if action < 0 else f"({action}) is not legal"
            raise RecordError(f"decision {count} of the record, in phase {PHASES[phase]}, {said}")
        story.steps.append(Step(phase, hand, int(view["player"]), action))
        table.apply(action)
    if next(given, None) is not None:
        raise RecordError(f"the record goes on after the deal ended with decision {count}")
    story.row = table.finish()[0][0]
    return story


def _twelfths(value: Any) -> str:
    return format_exact(Fraction(int(value), UNIT))


def _calls(story: Story, phase: int) -> str:
    return ", ".join(
        f"player {step.player}: {format_action(phase, step.action)}"
        for step in story.steps
        if step.phase == phase
    )


def _tricks(story: Story, table: Table) -> Iterator[str]:
    cards = [step for step in story.steps if step.phase == CARD]
    talon = talon_cards(story.number)
    led_by_talon = int(story.row["kind"]) == RASPAS and int(table.view["talon_card"][0]) >= 0
    for k in range(0, len(cards), 3):
        trick = cards[k : k + 3]
        said = "  ".join(
            f"{(story.dealer + 1 + s.hand) % 3}:{format_card(s.action)}" for s in trick
        )
        lead = f"  (talon {format_card(talon[k // 3])})" if led_by_talon and k < 6 else ""
        yield f"  {k // 3 + 1:2}. {said}{lead}"


def format_sheet(table: Table, n_players: int) -> str:
    """Pool, mountain and whists by player, in points and whists."""
    view = table.view
    rows = [["player", "pool", "mountain", *(f"whists on {j}" for j in range(n_players))]]
    for i in range(n_players):
        whists = [
            "-" if i == j else _twelfths(view["whists"][MAX_PLAYERS * i + j])
            for j in range(n_players)
        ]
        rows.append([str(i), _twelfths(view["pool"][i]), _twelfths(view["mountain"][i]), *whists])
    return format_table(rows)


def format_story(story: Story, table: Table) -> str:
    """A replayed deal as text, with the sheet after it."""
    row = story.row
    n = 3
    players = [(story.dealer + 1 + hand) % n for hand in range(3)]
    lines = [f"deal number {story.number}, player {story.dealer} deals"]
    for hand, player in enumerate(players):
        lines.append(f"  player {player}  {format_suit_hand(story.hands[hand])}")
    lines.append(f"  talon     {' '.join(map(format_card, talon_cards(story.number)))}")
    lines.append(f"auction   {_calls(story, AUCTION)}")
    kind = int(row["kind"])
    if kind != RASPAS:
        discards = [format_card(s.action) for s in story.steps if s.phase == DISCARD]
        lines.append(f"discard   {' '.join(discards)}")
        named = format_contract(contract_code(int(row["level"]), int(row["strain"])))
        contract = KINDS[MISERE_GAME] if kind == MISERE_GAME else named
        lines.append(f"contract  {contract} by player {int(row['declarer'])}")
    else:
        lines.append(f"raspas    {int(row['raspas_index']) + 1} in a row")
    if kind == TRICKS and int(row["concession"]):
        lines.append(f"conceded  {int(row['concession'])} undertricks")
    for name, phase in (("whist     ", WHIST), ("play      ", OPEN)):
        if _calls(story, phase):
            lines.append(name + _calls(story, phase))
    if int(row["played"]):
        lines += ["tricks", *_tricks(story, table)]
        taken = ", ".join(f"player {i}: {int(row['tricks'][i])}" for i in range(n))
        lines.append(f"taken     {taken}")
    final = [f"player {i}: {DECISIONS[int(d)]}" for i, d in enumerate(row["decision"][:n]) if d]
    if final:
        lines.append(f"defence   {', '.join(final)}")
    values = ", ".join(f"player {i}: {_twelfths(row['value'][i])}" for i in range(n))
    lines += [f"value     {values} whists", "sheet after the deal", format_sheet(table, n)]
    return "\n".join(lines)
