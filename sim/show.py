"""A deal played again at a table, each move noted for who tells it or writes it down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.conventions import RAZBOINIK, REFET
from scoring.errors import PreferansError
from scoring.kernel import to_records
from scoring.result import MAX_PLAYERS
from scoring.sheet import SHEET_FIELDS

from .cards import cards_of, format_card, format_suit_hand
from .deals import check_number, second_first, unrank
from .illegal import why_illegal
from .play import who_takes
from .position import Position
from .records.actions import owner, word_of
from .records.words import DUMMY
from .state import CARD, DEALER_HAND, N_HANDS, N_TRICKS, PHASES
from .table import Table

THE_TALON = -2
"""Stands for who took a trick where a card of the talon took it, for nobody."""


class RecordError(PreferansError):
    """A record that cannot be replayed: one sentence saying which move and why."""


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


@dataclass(frozen=True)
class Step:
    """One move of a deal, forced ones included.

    ``hand`` is the hand that moved (or DEALER_HAND), ``owner`` its player (or DUMMY), ``player``
    who decided (another where he moves an open hand, -1 for a dummy's card that nobody chooses);
    ``word`` is what was said or played, ``asked`` whether there was a choice.
    """

    phase: int
    hand: int
    owner: int
    player: int
    action: int
    word: str
    asked: bool


@dataclass
class Trick:
    """The cards of a trick in order; ``lead`` is the card of the talon that led (-1: none).

    ``lead_plays`` tells whether this card may take the trick; ``winner`` is the owner of the hand
    that took it, or THE_TALON (None: it broke off).
    """

    lead: int
    lead_plays: bool
    steps: list[Step] = field(default_factory=list)
    winner: int | None = None


@dataclass
class Story:
    """A deal played at a table: the cards and the sheet before it, its moves, its scored row.

    ``players`` are the owners of the hands; ``row`` is None where the deal breaks off; ``claimed``
    tricks were certain in the end, for ``claimer``; ``contract`` is the code that was played, of
    the refet game its base (-1 at raspas); ``after`` is the sheet after the deal.
    """

    number: int
    dealer: int
    hands: list[int]
    talon: list[int]
    rules: Any
    sheet: dict[str, Any]
    claims: bool
    players: list[int]
    steps: list[Step] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    claimed: int = 0
    claimer: int = DUMMY
    contract: int = -1
    row: Any = None
    after: dict[str, Any] = field(default_factory=dict)

    @property
    def n_players(self) -> int:
        return int(self.rules["n_players"])

    @property
    def family(self) -> int:
        return int(self.rules["family"])

    @property
    def is_razboinik(self) -> bool:
        return self.family == RAZBOINIK

    @property
    def is_refet(self) -> bool:
        return self.family == REFET

    def of(self, *phases: int) -> list[Step]:
        """The moves of some phases."""
        return [step for step in self.steps if step.phase in phases]


def sheet_of(view: Any) -> dict[str, Any]:
    """A copy of what stands on the sheet: lists and integers by field."""
    copy: dict[str, Any] = {}
    for name in (str(entry[0]) for entry in SHEET_FIELDS):
        value = view[name]
        copy[name] = [int(x) for x in value] if hasattr(value, "__len__") else int(value)
    return copy


def begin_story(table: Table) -> Story:
    """The story of a deal that has just been laid."""
    view, hidden = table.view, table.hidden
    number = int(hidden["number"])
    return Story(
        number=number,
        dealer=int(view["dealer"]),
        hands=[int(hand) for hand in unrank(number)[:N_HANDS]],
        talon=[int(card) for card in hidden["talon_order"]],
        rules=table.rules,
        sheet=sheet_of(view),
        claims=bool(int(hidden["claims"])),
        players=[int(player) for player in view["player_of"]],
    )


def _open_trick(story: Story, view: Any) -> None:
    """Begin a trick, which the talon may have led already."""
    led_by_talon = int(view["led"]) >= 0
    lead = int(view["talon_card"][int(view["trick"])]) if led_by_talon else -1
    story.tricks.append(Trick(lead, int(view["trick_card"][DEALER_HAND]) >= 0))


def _close_trick(story: Story, before: list[int], view: Any) -> None:
    """Note who took the trick, and who has the tricks that are certain after it."""
    trick = story.tricks[-1]
    won = [int(view["tricks"][p]) - before[p] for p in range(MAX_PLAYERS)]
    if int(view["phase"]) != CARD and int(view["trick"]) < N_TRICKS:
        left = N_TRICKS - int(view["trick"])
        # the refet game stops before the last trick once its declarer cannot make his contract
        story.claimed = sum(won) - 1 if story.is_refet else left
        story.claimer = int(who_takes(view, int(view["leader"])))
        if story.claimer >= 0:
            won[story.claimer] -= story.claimed
    if trick.lead < 0:
        trick.winner = int(view["player_of"][int(view["leader"])])
    elif sum(won):
        trick.winner = won.index(1)
    else:
        trick.winner = _winner_for_nobody(trick)


def _winner_for_nobody(trick: Trick) -> int:
    """Who took a trick that the talon led, where it is no player's: the talon, or the dummy."""
    cards = [step.action for step in trick.steps]
    beaten = any(card >> 3 == trick.lead >> 3 and card > trick.lead for card in cards)
    return THE_TALON if trick.lead_plays and not beaten else DUMMY


def take_step(story: Story, table: Table, action: int) -> None:
    """Apply a legal action and add it to the story."""
    view = table.view
    phase, legal = int(view["phase"]), table.legal
    step = Step(
        phase,
        int(view["mover"]),
        owner(view),
        int(view["player"]),
        action,
        word_of(view, action),
        legal & (legal - 1) != 0,
    )
    story.steps.append(step)
    before, trick = [int(count) for count in view["tricks"]], int(view["trick"])
    if phase == CARD:
        if int(view["in_trick"]) == 0:
            _open_trick(story, view)
        story.tricks[-1].steps.append(step)
    table.apply(action)
    if int(view["trick"]) > trick:
        _close_trick(story, before, view)


def end_story(story: Story, table: Table) -> None:
    """Score the deal if it is over."""
    story.contract = int(table.view["contract"])
    if table.done:
        story.row = to_records(table.finish()[0])[0]
        story.after = sheet_of(table.view)


def only_action(legal: int) -> int:
    """The action of a mask that has one; -1 where there is a choice."""
    return legal.bit_length() - 1 if legal & (legal - 1) == 0 else -1


def is_legal(table: Table, action: int) -> bool:
    return 0 <= action < 63 and bool(table.legal >> action & 1)


def replay_deal(table: Table, number: int, decisions: Sequence[int]) -> Story:
    """Play a recorded deal (``decisions`` without forced ones). RecordError if illegal."""
    try:
        table.lay(check_number(number))
    except ValueError as error:
        raise RecordError(str(error)) from None
    story = begin_story(table)
    given = iter(decisions)
    count = 0
    while not table.done:
        action = only_action(table.legal)
        if action < 0:
            action = next(given, -1)
            count += 1
        if not is_legal(table, action):
            raise RecordError(_why_not(table, count, action))
        take_step(story, table, action)
    if next(given, None) is not None:
        raise RecordError(f"the record goes on after the deal ended with decision {count}")
    end_story(story, table)
    return story


def _why_not(table: Table, count: int, action: int) -> str:
    """What is wrong with a decision of a recorded deal."""
    place = f"decision {count} of the record, in phase {PHASES[int(table.view['phase'])]},"
    if action < 0:
        return f"{place} is missing"
    said = f"({action}) {word_of(table.view, action)}".rstrip()
    return f"{place} {said} is not legal: {why_illegal(Position(table), action)}"
