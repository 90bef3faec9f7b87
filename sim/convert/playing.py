"""A record played again in the engine, move by move, each checked by the rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from scoring.conventions import FAMILIES
from scoring.errors import PreferansError
from scoring.result import MAX_PLAYERS, TWO_PLAYERS, UNIT
from scoring.score_sheet import put_rows
from scoring.sheet import open_rows, settle
from scoring.variant import Variant, VariantError, find_variant

from ..cards import format_card, mask_of
from ..deals import rank
from ..illegal import why_illegal
from ..position import Position
from ..records.actions import SECTION_OF, action_of, owner, word_of
from ..records.model import (
    AMOUNTS,
    FIELDS,
    MARKS,
    TABLES,
    Move,
    Record,
    RecordFormError,
    sheet_keys,
)
from ..records.words import CARD_SECTIONS, DUMMY, FROM_TALON, told_owner
from ..show import Story, begin_story, end_story, is_legal, only_action, take_step, talon_cards
from ..state import AUCTION, BIDDING, CARD, CONTRACT, DEALER_WHIST, OPEN, ROW, WHIST
from ..table import Table
from ..unasked import why_not_asked


class IllegalMove(PreferansError):
    """A record that cannot have been played: the deal, the move, whose, and why not."""


@dataclass
class Played:
    """A record that was played again: its story, the table after it, and its variant.

    ``base`` is the variant it names, ``variant`` the same with its settings.
    """

    record: Record
    story: Story
    table: Table
    base: Variant
    variant: Variant


# Laying the deal


def record_variant(record: Record, where: str, folder: Path) -> tuple[Variant, Variant]:
    """The variant a record names, and the same with its settings; a .toml file is in ``folder``."""
    name = record.variant
    try:
        base = find_variant(str(folder / name) if name.endswith(".toml") else name)
        return base, base.with_settings(record.settings, "its settings")
    except VariantError as error:
        raise RecordFormError(f"{where}: {error}") from None


def _owners(record: Record, rules: Any) -> list[int]:
    """The players of the hands in turn order, and DUMMY, as the engine seats them."""
    table = Table(rules)
    table.lay(0, dealer=record.dealer)
    return [int(player) for player in table.view["player_of"]]


def _dealt(record: Record, rules: Any) -> tuple[int, ...]:
    """The written hands in turn order."""
    assert record.hands is not None
    players = iter(record.hands)
    owners = _owners(record, rules)
    return tuple(record.dummy or 0 if owner == DUMMY else next(players) for owner in owners)


def record_number(record: Record, rules: Any, where: str) -> tuple[int, bool]:
    """The number of the deal, and whether the talon is reversed. RecordFormError on a conflict."""
    number, is_reversed = record.number, record.reversed
    if record.hands is None or record.talon is None:
        assert number is not None
        return number, is_reversed
    hands = _dealt(record, rules)
    found = int(rank(hands[0], hands[1], mask_of(record.talon)))
    if number is not None and number != found:
        raise RecordFormError(f"{where}: the cards are not those of deal {number}, but of {found}")
    order = talon_cards(found)
    given = list(record.talon)
    if number is None:
        return found, given != order
    if given != (order[::-1] if is_reversed else order):
        said = " ".join(map(format_card, given))
        wish = f"deal {number}" if is_reversed else f"deal {number} reversed"
        raise RecordFormError(f"{where}: the talon {said} in this order is that of {wish}")
    return number, is_reversed


def _put(view: Any, name: str, value: Any, n: int) -> None:
    """Put a field of the sheet before the deal; rows with their sums and their deals."""
    field = FIELDS.get(name, name)
    if name == "rows":
        put_rows(view, value)
        view["n_deals"] = sum(points is not None for row in value for points in row)
    elif name in TABLES:
        for i in range(n):
            for j in range(n):
                view[field][MAX_PLAYERS * i + j] = int(UNIT * value[i][j])
    elif name in AMOUNTS:
        for i in range(n):
            view[field][i] = int(UNIT * value[i])
    elif name in MARKS:
        for i in range(n):
            view[name][i] = value[i]
    else:
        view[name] = value


def _lay(record: Record, rules: Any, number: int, is_reversed: bool) -> Table:
    table = Table(rules)
    table.hidden["claims"] = int(record.claims)
    given = {"refets_given": max(record.sheet.get("refets", (0,))), **record.sheet}
    for name, value in given.items():
        _put(table.view, name, value, record.players)
    balance = np.zeros(MAX_PLAYERS, np.int64)
    settle(table.rules, table.view, balance)
    for player in range(MAX_PLAYERS):
        table.hidden["balance"][player] = int(balance[player])
    table.view["deal"] = int(table.view["n_deals"]) - 1
    table.lay(number, dealer=record.dealer)
    if is_reversed:
        first, second = (int(card) for card in table.hidden["talon_order"])
        table.hidden["talon_order"][0], table.hidden["talon_order"][1] = second, first
    return table


def _check_sheet(record: Record, variant: Variant, where: str) -> None:
    """RecordFormError for what does not stand on a sheet of the variant's family."""
    sheet = record.sheet
    for name in sheet:
        if name not in sheet_keys(FAMILIES.index(variant.family)):
            raise RecordFormError(
                f"{where}: sheet {name} has no meaning in the family {variant.family}"
            )
    most = max(sheet.get("refets", (0,)))
    if most > sheet.get("refets_given", most):
        raise RecordFormError(
            f"{where}: sheet refets: a player has {most}, and refets were written "
            f"{sheet['refets_given']} times (refets_given)"
        )


def _check_open_row(table: Table, where: str) -> None:
    """RecordFormError where who would declare at razboinik has no row left."""
    view = table.view
    declarer = int(view["declarer"])
    if declarer < 0:
        return
    player = int(view["player_of"][declarer])
    if open_rows(view, player) == 0:
        raise RecordFormError(f"{where}: sheet rows: player {player} declares, and has no open row")


def _set_table(record: Record, where: str, folder: Path) -> tuple[Table, Variant, Variant]:
    """The table with the deal laid, the variant and the same with its settings."""
    base, variant = record_variant(record, where, folder)
    _check_sheet(record, variant, where)
    try:
        rules = variant.rules(record.players, record.pool)
    except VariantError as error:
        raise RecordFormError(f"{where}: {error}") from None
    table = _lay(record, rules, *record_number(record, rules, where))
    _check_open_row(table, where)
    return table, base, variant


# The moves


class _Moves:
    """The moves of a record that have not been made, by section, tricks one by one."""

    def __init__(self, record: Record) -> None:
        self.left = {section: deque(moves) for section, moves in record.moves.items()}
        self.tricks = [deque(trick) for trick in record.tricks]

    def queue(self, section: str, trick: int) -> deque[Move]:
        """The moves that come next in a section; of tricks, in this one."""
        if section != "tricks":
            return self.left.setdefault(section, deque())
        return self.tricks[trick] if trick < len(self.tricks) else deque()

    def is_empty(self) -> bool:
        return not any(self.left.values()) and not any(self.tricks)

    def rest(self) -> Iterator[tuple[str, int, Move]]:
        """The first move left over in each section, and in each trick (from 1; 0: no trick)."""
        for section, moves in self.left.items():
            if moves:
                yield section, 0, moves[0]
        for k, trick in enumerate(self.tricks, 1):
            if trick:
                yield "tricks", k, trick[0]


_PLACES = {
    "agree": "before the cards are seen",
    "dark": "before the auction",
    "row": "the row",
    "passed": "passing along",
    "discard": "the discard",
    "contract": "the contract",
    "open": "open or closed",
    "catch": "catch or trust",
    "suit": "the suits of the games",
    "come": "who comes",
    "points": "the points",
}


class Player:
    """Plays a record at a table; every move is taken from it, or forced."""

    def __init__(self, record: Record, table: Table, where: str) -> None:
        self.record = record
        self.table = table
        self.where = where
        self.moves = _Moves(record)
        self.story = begin_story(table)

    def play(self) -> Story:
        """The story of the whole record. IllegalMove names the move that cannot be."""
        while not self.table.done:
            self._take_lead()
            if self.record.unfinished and self.moves.is_empty():
                break
            take_step(self.story, self.table, self._next())
        self._check_rest()
        if self.record.unfinished and self.table.done:
            raise IllegalMove(f"{self.where}: it says unfinished, but the deal is over")
        end_story(self.story, self.table)
        return self.story

    def _next(self) -> int:
        """The next move: as written, or the only one there is."""
        view = self.table.view
        section = SECTION_OF[int(view["phase"])]
        self._check_skipped(section)
        queue = self.moves.queue(section, int(view["trick"]))
        forced = only_action(self.table.legal)
        if forced >= 0 and not self._is_written(queue, forced):
            return forced
        if not queue:
            raise IllegalMove(self._missing())
        move = queue.popleft()
        mover = owner(view)
        if move.player not in (None, mover):
            raise self._refuse(
                move, f"it is for {told_owner(mover)} to move{self._why_not_he(move)}"
            )
        action = action_of(view, move.word)
        if not is_legal(self.table, action):
            raise self._refuse(move, why_illegal(Position(self.table), action))
        return action

    def _is_written(self, queue: Sequence[Move], forced: int) -> bool:
        """Whether a forced move stands in the record, or another of its player in its place."""
        if not queue:
            return False
        move, view = queue[0], self.table.view
        if move.player is not None:
            return move.player == owner(view)
        action = action_of(view, move.word)
        has_cards = SECTION_OF[int(view["phase"])] in CARD_SECTIONS
        is_taken = not self._is_anothers(action) if has_cards else self._is_asked_once()
        return action == forced or is_taken

    def _is_asked_once(self) -> bool:
        """Whether the present decision is the only one of its section."""
        phase = int(self.table.view["phase"])
        return phase in (ROW, CONTRACT, OPEN) or (
            phase == WHIST and self.record.players == TWO_PLAYERS
        )

    def _is_anothers(self, card: int) -> bool:
        """Whether a hand that is not to move holds a card."""
        mover = int(self.table.view["mover"])
        return any(cards >> card & 1 for h, cards in enumerate(self.table.hands()) if h != mover)

    def _take_lead(self) -> None:
        """Check a card of the talon that is written as the lead of a trick."""
        view = self.table.view
        queue = self.moves.queue("tricks", int(view["trick"]))
        if int(view["phase"]) != CARD or not queue or not queue[0].word.startswith(FROM_TALON):
            return
        move = queue.popleft()
        led = int(view["led"]) >= 0 and int(view["in_trick"]) == 0
        if not led:
            raise self._refuse(move, "no card of the talon leads to this trick")
        if move.player not in (None, self.record.dealer):
            raise self._refuse(move, "the dealer turns the talon")
        lead = format_card(int(view["talon_card"][int(view["trick"])]))
        if move.word != FROM_TALON + lead:
            raise self._refuse(move, f"the talon's card that leads here is {lead}")
        if queue and queue[0].word.startswith(FROM_TALON):
            raise self._refuse(queue[0], "a card of the talon leads once to a trick")

    def _why_not_he(self, move: Move) -> str:
        """Why the player of a move has none at all, if he has not."""
        view = self.table.view
        assert move.player is not None
        if move.player == DUMMY:
            return self._why_not_the_dummy()
        hand = int(view["hand_of"][move.player])
        if hand < 0:
            return f", and player {move.player} has no hand"
        phase = int(view["phase"])
        if phase in (AUCTION, BIDDING) and not int(view["active"]) >> hand & 1:
            return f", and player {move.player} has passed"
        if phase == CARD and not int(view["in_play"]) >> hand & 1:
            return f", and player {move.player} does not play"
        return ""

    def _why_not_the_dummy(self) -> str:
        view = self.table.view
        if int(view["phase"]) != CARD:
            return ", and the dummy has no word"
        is_dead = not int(view["in_play"]) >> int(view["dummy"]) & 1
        return ", and the dummy is out of play" if is_dead else ""

    def _place(self) -> str:
        """Where in the deal the next move stands: call 3 of the auction, trick 4."""
        view = self.table.view
        section = SECTION_OF[int(view["phase"])]
        if section == "tricks":
            return f"trick {int(view['trick']) + 1}"
        if int(view["phase"]) == DEALER_WHIST:
            return "the dealer's whist"
        if section in ("auction", "whist", "contra"):
            said = sum(1 for step in self.story.steps if SECTION_OF[step.phase] == section)
            return f"call {said + 1} of the {section}"
        return _PLACES[section]

    def _refuse(self, move: Move, why: str) -> IllegalMove:
        whose = owner(self.table.view) if move.player is None else move.player
        return IllegalMove(
            f"{self.where}, {self._place()}: {move.word} of {told_owner(whose)} is not legal: {why}"
        )

    def _missing(self) -> str:
        view, legal = self.table.view, self.table.legal
        words = [word_of(view, action) for action in range(63) if legal >> action & 1]
        shown = " ".join(words) if len(words) <= 12 else f"{' '.join(words[:12])} …"
        return (
            f"{self.where}, {self._place()}: the move of {told_owner(owner(view))} is missing "
            f"(legal: {shown}); a record that breaks off says unfinished"
        )

    def _check_skipped(self, section: str) -> None:
        """Moves left over in sections that the deal has passed by. IllegalMove."""
        view = self.table.view
        order = list(SECTION_OF.values())
        for name, trick, move in self.moves.rest():
            if name == "tricks":
                late = section == "tricks" and trick <= int(view["trick"])
            else:
                late = order.index(name) < order.index(section) and not self._may_come(name)
            if late:
                raise self._left_over(name, trick, move)

    def _may_come(self, name: str) -> bool:
        """A lone whister may be asked after the first card."""
        return SECTION_OF[OPEN] == name and int(self.table.view["n_plays"]) < 2

    def _check_rest(self) -> None:
        for name, trick, move in self.moves.rest():
            raise self._left_over(name, trick, move)

    def _left_over(self, name: str, trick: int, move: Move) -> IllegalMove:
        place = _PLACES.get(name, f"trick {trick}" if trick else f"the {name}")
        whose = "" if move.player is None else f" of {told_owner(move.player)}"
        why = why_not_asked(Position(self.table), name)
        return IllegalMove(f"{self.where}, {place}: {move.word}{whose} has no place: {why}")


# The result


def _check_result(record: Record, story: Story, where: str) -> None:
    """IllegalMove if the record tells another result than the engine."""
    n = record.players
    if story.row is None:
        if record.taken is not None or record.value is not None:
            raise IllegalMove(f"{where}: the deal breaks off, so nothing is taken and no value")
        return
    tricks = tuple(int(count) for count in story.row["tricks"][:n])
    if record.taken is not None and record.taken != tricks:
        said = " ".join(map(str, tricks))
        raise IllegalMove(f"{where}: taken should be {said} by the play")
    values = tuple(Fraction(int(value), UNIT) for value in story.row["value"][:n])
    if record.value is not None and record.value != values:
        raise IllegalMove(f"{where}: value should be {' '.join(map(str, values))} by the rules")


def play_record(record: Record, where: str, folder: Path = Path()) -> Played:
    """Play a record in the engine; a variant's .toml file is looked for in ``folder``.

    RecordFormError for a variant that cannot be played or cards that contradict each other,
    IllegalMove for what the rules do not allow; ``where`` names file and deal in both.
    """
    table, base, variant = _set_table(record, where, folder)
    story = Player(record, table, where).play()
    _check_result(record, story, where)
    return Played(record, story, table, base, variant)
