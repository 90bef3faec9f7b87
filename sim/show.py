"""A deal played again at a table, and told in words: calls, tricks, score and sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring.contract import RASPAS, TRICKS, format_contract
from scoring.deal_score import DECISIONS, MAX_PLAYERS, UNIT
from scoring.errors import PreferansError
from scoring.sheet import SHEET_FIELDS
from scoring.tables import format_exact, format_table

from .cards import cards_of, format_card, format_suit_hand
from .deals import check_number, second_first, unrank
from .illegal import Position, why_illegal
from .records.actions import owner, word_of
from .records.words import WITH_HAND
from .state import (
    AUCTION,
    CARD,
    CATCH,
    CONTRACT,
    DARK,
    DARK_PASS,
    DEALER_WHIST,
    DISCARD,
    N_HANDS,
    N_TRICKS,
    OPEN,
    PASS_ALONG,
    PHASES,
    POINTS,
    WHIST,
)
from .table import Table


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
    lines.append(f"talon        {_cards(talon_cards(number))}")
    return "\n".join(lines)


def _cards(cards: Sequence[int]) -> str:
    return " ".join(map(format_card, cards))


@dataclass(frozen=True)
class Step:
    """One move of a deal, forced ones included.

    ``hand`` is the hand that moved (or DEALER_HAND), ``owner`` its player, ``player`` who decided
    (another where he moves an open hand); ``word`` is what was said or played, ``asked`` whether
    there was a choice.
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
    """The cards of a trick in order; ``lead`` is the card of the talon that led (-1: none)."""

    lead: int
    steps: list[Step] = field(default_factory=list)
    winner: int = -1


@dataclass
class Story:
    """A deal played at a table: the cards and the sheet before it, its moves, its scored row.

    ``row`` is None where the deal breaks off; ``claimed`` are tricks that were certain, by player;
    ``contract`` is the code that was played (-1 at raspas).
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
    claimed: list[int] = field(default_factory=lambda: [0] * MAX_PLAYERS)
    contract: int = -1
    row: Any = None

    @property
    def n_players(self) -> int:
        return int(self.rules["n_players"])

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
    return Story(
        number=int(hidden["number"]),
        dealer=int(view["dealer"]),
        hands=table.hands(),
        talon=[int(card) for card in hidden["talon_order"]],
        rules=table.rules,
        sheet=sheet_of(view),
        claims=bool(int(hidden["claims"])),
        players=[int(player) for player in view["player_of"]],
    )


def _open_trick(story: Story, view: Any) -> None:
    """Begin a trick, which the talon may have led already."""
    trick = int(view["trick"])
    led_by_talon = int(view["led"]) >= 0
    story.tricks.append(Trick(int(view["talon_card"][trick]) if led_by_talon else -1))


def _close_trick(story: Story, before: list[int], view: Any) -> None:
    """Note who took the trick, and who has the tricks that are certain after it."""
    won = [int(view["tricks"][p]) - before[p] for p in range(MAX_PLAYERS)]
    takers = [player for player, count in enumerate(won) if count]
    rest = sum(won) - 1
    winner = next((p for p in takers if won[p] != rest), takers[0])
    won[winner] -= 1
    story.tricks[-1].winner = winner
    story.claimed = won


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
    before = [int(count) for count in view["tricks"]]
    if phase == CARD:
        if int(view["in_trick"]) == 0:
            _open_trick(story, view)
        story.tricks[-1].steps.append(step)
    table.apply(action)
    if sum(int(count) for count in view["tricks"]) > sum(before):
        _close_trick(story, before, view)


def end_story(story: Story, table: Table) -> None:
    """Score the deal if it is over."""
    story.contract = int(table.view["contract"])
    if table.done:
        story.row = table.finish()[0][0]


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


# Telling


def _twelfths(value: Any) -> str:
    return format_exact(Fraction(int(value), UNIT))


def _by_player(words: Sequence[str]) -> str:
    return ", ".join(f"player {player}: {word}" for player, word in enumerate(words) if word)


def _said(steps: Sequence[Step]) -> str:
    return ", ".join(f"player {step.owner}: {step.word}" for step in steps)


def _laid(steps: Sequence[Step]) -> str:
    return " ".join(step.word for step in steps)


def _told_passed(story: Story) -> str:
    """Cards passed along: who gave what to whom."""
    steps = story.of(PASS_ALONG)
    told = []
    for hand in range(N_HANDS):
        pair = _laid(steps[2 * hand : 2 * hand + 2])
        if not pair:
            break
        took = " took the talon and" if hand == 0 else ""
        gave = f"gave {pair} to player {story.players[(hand + 1) % N_HANDS]}"
        did = gave if hand < N_HANDS - 1 else f"laid {pair} away"
        told.append(f"player {story.players[hand]}{took} {did}")
    return ", ".join(told)


def _heading(name: str, text: str) -> Iterator[str]:
    if text:
        yield f"{name:9} {text}"


def _told_cards(story: Story) -> Iterator[str]:
    sits = " and sits out" if story.n_players == MAX_PLAYERS else ""
    yield f"deal number {story.number}, player {story.dealer} deals{sits}"
    for player, hand in zip(story.players, story.hands, strict=True):
        yield f"  player {player}  {format_suit_hand(hand)}"
    yield f"  talon     {_cards(story.talon)}"


def _told_auction(story: Story) -> Iterator[str]:
    for step in story.of(DARK):
        did = "passes without looking" if step.action == DARK_PASS else "looks at his cards"
        yield f"dark      player {step.owner} {did}"
    yield from _heading("auction", _said(story.of(AUCTION)))
    yield from _heading("passed", _told_passed(story))
    yield from _heading("discard", _laid(story.of(DISCARD)))


def _told_contract(story: Story) -> Iterator[str]:
    row = story.row
    if row is None:
        yield from _heading("contract", _said(story.of(CONTRACT)))
        return
    if int(row["kind"]) == RASPAS:
        yield f"raspas    {int(row['raspas_index']) + 1} in a row"
        if int(row["dark_level"]):
            yield f"dark row  {int(row['dark_level'])} dark passes in a row"
        return
    yield f"contract  {format_contract(story.contract)} by player {int(row['declarer'])}"
    if int(row["concession"]):
        yield f"conceded  {int(row['concession'])} undertricks"
    if int(row["bomb_level"]):
        yield f"bombs     {int(row['bomb_level'])} of player {int(row['declarer'])}"
    if int(row["talon_units"]) and int(story.rules["talon_bonus"]):
        yield f"bonus     {int(row['talon_units'])} quick tricks in the talon"


def _told_force(story: Story) -> str:
    """Why both defend though nobody was asked; empty where it is not so."""
    row = story.row
    if row is None or int(row["kind"]) != TRICKS or int(row["concession"]) or story.of(WHIST):
        return ""
    return "a ten is checked with open hands" if int(row["level"]) == 10 else "both by force"


def _told_defence(story: Story) -> Iterator[str]:
    yield from _heading("whist", _said(story.of(WHIST)) or _told_force(story))
    for step in story.of(DEALER_WHIST):
        said = step.word.replace(WITH_HAND, f"{WITH_HAND}the hand of player ")
        yield f"dealer    player {step.owner}: {said}"
    for step in story.of(OPEN):
        after = (
            story.steps.index(step) > 0 and story.steps[story.steps.index(step) - 1].phase == CARD
        )
        yield f"play      player {step.owner}: {step.word}{', after the first card' * after}"
    yield from _heading("catch", _said(story.of(CATCH)))


def _told_card(step: Step) -> str:
    by = "" if step.player == step.owner else f" by {step.player}"
    return f"{step.owner}:{step.word}{by}"


def _told_trick(story: Story, number: int, trick: Trick) -> str:
    """A trick: cards in order, who moved another's hand, the talon's card, and the winner."""
    said = [_told_card(step) for step in trick.steps]
    if trick.lead >= 0 and story.n_players == MAX_PLAYERS:
        said.insert(0, f"{story.dealer}:{format_card(trick.lead)}")
    elif trick.lead >= 0:
        said.append(f"(talon {format_card(trick.lead)})")
    if trick.winner >= 0:
        said.append(f"-> {trick.winner}")
    return f"  {number:2}. {'  '.join(said)}"


def _told_play(story: Story) -> Iterator[str]:
    if story.tricks:
        yield "tricks"
        yield from (_told_trick(story, k, t) for k, t in enumerate(story.tricks, 1))
    if sum(story.claimed):
        claimed = [f"{count} of {N_TRICKS}" if count else "" for count in story.claimed]
        yield from _heading("certain", _by_player(claimed))


def _told_result(story: Story) -> Iterator[str]:
    row = story.row
    if row is None:
        yield "the deal breaks off here"
        return
    n = story.n_players
    if int(row["played"]):
        yield from _heading("taken", _by_player([str(int(count)) for count in row["tricks"][:n]]))
    yield from _heading("defence", _by_player([DECISIONS[int(d)] for d in row["decision"][:n]]))
    yield from _heading("points", _said(story.of(POINTS)))
    values = _by_player([_twelfths(value) for value in row["value"][:n]])
    yield f"value     {values} whists"


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


_PARTS: tuple[Callable[[Story], Iterator[str]], ...] = (
    _told_cards,
    _told_auction,
    _told_contract,
    _told_defence,
    _told_play,
    _told_result,
)


def format_story(story: Story, table: Table) -> str:
    """A replayed deal as text, with the sheet after it."""
    lines = [line for part in _PARTS for line in part(story)]
    if story.row is not None:
        lines += ["sheet after the deal", format_sheet(table, story.n_players)]
    return "\n".join(lines)
