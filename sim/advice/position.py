"""A decision described by one player: his cards, the calls, the talon, the cards played so far.

The cards that he cannot see are dealt in some way that fits what was played; the observation of the
asked player, which alone a bot reads, does not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.errors import WrongUse, quoted

from ..cards import (
    ALL_CARDS,
    HAND_SIZE,
    N_CARDS,
    TALON_SIZE,
    cards_of,
    format_card,
    mask_of,
    told_cards,
)
from ..deals import player_keys, rank
from ..illegal import why_illegal
from ..play import legal_plays
from ..position import Position
from ..records.actions import SECTION_OF, action_of, word_of
from ..records.words import spell
from ..show import is_legal, only_action
from ..state import CARD, N_HANDS, PASS_ALONG
from ..table import Table
from .ask import reveal
from .screen import PAIR_PHASES

MOST_WORDS = 3
"""Words of the longest call: ``whist with 2``."""
_HIDDEN = -1
"""Stands for a card that another hand has laid away."""


class NoDecision(WrongUse):
    """A decision that cannot be asked about: one sentence saying what is missing or wrong."""


@dataclass(frozen=True)
class Described:
    """What the asked player says. Hands are numbered from 0; ``position`` None: who is to move.

    ``cards`` holds his ten cards, or twelve with the talon; ``opened`` the hands that lie open, as
    they were at the first card.
    """

    cards: int
    position: int | None = None
    calls: Sequence[str] = ()
    talon: Sequence[int] = ()
    played: Sequence[int] = ()
    opened: Mapping[int, int] = field(default_factory=dict)

    @property
    def dealt(self) -> int:
        """The ten cards he was dealt. NoDecision."""
        count = self.cards.bit_count()
        if count == HAND_SIZE:
            if self.cards & mask_of(self.talon):
                both = told_cards(self.cards & mask_of(self.talon))
                raise NoDecision(f"{both} is in the hand and in the talon")
            return self.cards
        if count != HAND_SIZE + TALON_SIZE:
            raise NoDecision(f"the hand has {count} cards: give ten, or twelve with the talon")
        talon = mask_of(self.talon)
        if len(self.talon) != TALON_SIZE or talon & ~self.cards:
            raise NoDecision("of twelve cards two are the talon's: say which by --talon")
        return self.cards & ~talon


def _of_hand(hand: int) -> str:
    return f"hand {hand + 1}"


class _Trace:
    """The calls and cards as described, made on a table where the other hands hold anything."""

    def __init__(self, rules: np.ndarray[Any, Any], said: Described) -> None:
        self.said = said
        self.me = said.position
        self.own = said.dealt
        self.table = Table(rules)
        self.moves: list[int] = []
        self.must = [0] * N_HANDS
        self.never = [0] * N_HANDS
        self.declarer_laid = False
        self._words = list(said.calls)
        self._cards = list(said.played)
        self.table.lay(0)
        for place, card in enumerate(said.talon):
            self.table.hidden["talon_order"][place] = card
        if len(said.talon) == TALON_SIZE:
            self.table.hidden["talon"] = mask_of(said.talon)
        if self.me is not None:
            self.table.hidden["hands"][self.me] = self.own

    @property
    def phase(self) -> int:
        return int(self.table.view["phase"])

    @property
    def mover(self) -> int:
        return int(self.table.view["mover"])

    def run(self) -> None:
        """Make all moves. NoDecision."""
        self._loosen()
        while not self.table.done and self._step():
            self._loosen()
        if self.table.done:
            raise NoDecision("nothing is left to decide: the deal is over")
        if self._words:
            raise NoDecision(f"--calls: {quoted(' '.join(self._words))} comes too late")
        if self._cards:
            raise NoDecision(
                f"--cards: no card is played yet, it is for {_of_hand(self.mover)} to decide: "
                f"{SECTION_OF[self.phase]}"
            )

    def _loosen(self) -> None:
        """Let the other hands hold anything that the asked player does not see."""
        view, hidden = self.table.view, self.table.hidden
        if self.phase not in PAIR_PHASES:
            for hand in range(N_HANDS):
                if hand != self.me:
                    hidden["hands"][hand] = ALL_CARDS & ~self.own & ~int(view["played"])

    def _step(self) -> bool:
        """Make one move; False where none is described."""
        if self.phase == CARD:
            return bool(self._cards) and self._play(self._cards.pop(0))
        if self.phase in PAIR_PHASES:
            return self._lay_away()
        return self._call()

    def _call(self) -> bool:
        forced = only_action(self.table.legal)
        found = self._read()
        if found is None and forced < 0:
            return False
        self._apply(forced if found is None else found)
        return True

    def _read(self) -> int | None:
        """The action of the next words; None where there are none, or not those of a forced
        move."""
        view, slip = self.table.view, ""
        for n in range(min(MOST_WORDS, len(self._words)), 0, -1):
            text = " ".join(self._words[:n])
            try:
                word = spell(SECTION_OF[self.phase], text)
                action = action_of(view, word)
            except ValueError as error:
                slip = str(error)
                continue
            if not is_legal(self.table, action):
                if only_action(self.table.legal) >= 0:
                    return None
                why = why_illegal(Position(self.table), action)
                place = f"call {len(self.moves) + 1}"
                raise NoDecision(f"--calls: {place}, {word} of {self._who()} is not legal: {why}")
            del self._words[:n]
            return action
        if slip and only_action(self.table.legal) < 0:
            raise NoDecision(f"--calls: {slip}")
        return None

    def _who(self) -> str:
        return _of_hand(self.mover) if self.mover < N_HANDS else "the dealer"

    def _lay_away(self) -> bool:
        """Two cards laid away: by the asked player as he says, by another unseen."""
        if self.phase == PASS_ALONG and self.mover > 0:
            raise NoDecision("of cards passed along only the eldest hand, 1, is advised")
        if len(self.said.talon) < TALON_SIZE:
            raise NoDecision("the talon has been taken here: give its two cards by --talon")
        if self.me is None and (not self._words or self._is_card(self._words[0])):
            self.me = self.mover
            self.table.hidden["hands"][self.me] = self.own | mask_of(self.said.talon)
        if self.mover != self.me:
            return self._lay_unseen()
        if not self._words:
            return False
        if len(self._words) < TALON_SIZE:
            raise NoDecision("--calls: two cards are laid away, and one is written")
        words, self._words = self._words[:TALON_SIZE], self._words[TALON_SIZE:]
        for card in sorted(self._card(word) for word in words):
            if not is_legal(self.table, card):
                why = why_illegal(Position(self.table), card)
                raise NoDecision(f"--calls: {format_card(card)} cannot be laid away: {why}")
            self._apply(card)
        return True

    def _lay_unseen(self) -> bool:
        if self.phase == PASS_ALONG:
            raise NoDecision("of cards passed along only the eldest hand, 1, is advised")
        self.declarer_laid = True
        hand = self.mover
        self.table.hidden["hands"][hand] = (1 << (HAND_SIZE + TALON_SIZE)) - 1
        for card in range(TALON_SIZE):
            self.table.view["legal"] = 1 << card
            self.table.apply(card)
            self.moves.append(_HIDDEN)
        return True

    def _is_card(self, word: str) -> bool:
        try:
            self._card(word)
        except NoDecision:
            return False
        return True

    def _card(self, word: str) -> int:
        try:
            return action_of(self.table.view, spell("discard", word))
        except ValueError as error:
            raise NoDecision(f"--calls: {error}") from None

    def _play(self, card: int) -> bool:
        """Play a card; of another hand note what it shows about the cards it lacks."""
        hand, view = self.mover, self.table.view
        if int(view["played"]) >> card & 1:
            raise NoDecision(f"--cards: {format_card(card)} is played twice")
        if hand != self.me:
            if self.own >> card & 1:
                raise NoDecision(
                    f"--cards: {format_card(card)} is in the hand, and it is for "
                    f"{_of_hand(hand)} to play"
                )
            self._note(hand, card)
            self.table.view["legal"] = 1 << card
        elif not is_legal(self.table, card):
            why = why_illegal(Position(self.table), card)
            raise NoDecision(f"--cards: {format_card(card)} is not legal: {why}")
        self._apply(card)
        return True

    def _note(self, hand: int, card: int) -> None:
        table = self.table
        for other in range(N_CARDS):
            if other != card and not int(table.view["played"]) >> other & 1:
                table.hidden["hands"][hand] = 1 << card | 1 << other
                legal = int(legal_plays(table.view, table.hidden, table.rules))
                if not legal >> card & 1:
                    self.never[hand] |= 1 << other
        self.must[hand] |= 1 << card
        table.hidden["hands"][hand] = ALL_CARDS & ~self.own & ~int(table.view["played"])

    def _apply(self, action: int) -> None:
        self.moves.append(action)
        self.table.apply(action)


def _spread(cards: int, room: dict[int, int], never: Mapping[int, int]) -> dict[int, int] | None:
    """Give each card to a place with room that may have it; None where that cannot be."""
    held: dict[int, list[int]] = {place: [] for place in room}

    def give(card: int, tried: set[int]) -> bool:
        for place in room:
            if place in tried or never.get(place, 0) >> card & 1:
                continue
            tried.add(place)
            if len(held[place]) < room[place]:
                held[place].append(card)
                return True
            for k, other in enumerate(held[place]):
                if give(other, tried):
                    held[place][k] = card
                    return True
        return False

    if all(give(card, set()) for card in cards_of(cards)):
        return {place: mask_of(some) for place, some in held.items()}
    return None


@dataclass
class Decision:
    """A table at the decision of the asked player; ``forced`` is the only action (-1: a choice)."""

    table: Table
    position: int
    forced: int


_TALON, _LAID = N_HANDS, N_HANDS + 1
"""Places of cards besides the hands: the talon, and what another declarer has laid away."""


class _Deal:
    """A deal that fits a trace: the hands at the first card, the talon, another's discard."""

    def __init__(self, trace: _Trace) -> None:
        self._trace = trace
        self._talon = mask_of(trace.said.talon)
        self._declarer = int(trace.table.view["declarer"]) if trace.declarer_laid else -1
        self._places = self._find()

    def _find(self) -> dict[int, int]:
        """The cards of each place. NoDecision."""
        trace, taken = self._trace, self._talon if self._declarer >= 0 else 0
        others = [hand for hand in range(N_HANDS) if hand != trace.me]
        bases = {hand: trace.said.opened.get(hand, 0) or trace.must[hand] for hand in others}
        never = {
            hand: trace.never[hand] | (0 if hand == self._declarer else taken) for hand in others
        }
        sizes = dict.fromkeys(others, HAND_SIZE)
        if self._declarer >= 0:
            bases[_LAID], sizes[_LAID] = 0, TALON_SIZE
        else:
            bases[_TALON], sizes[_TALON] = self._talon, TALON_SIZE
        known = trace.own
        for place, cards in bases.items():
            twice = cards & (known | (0 if place == self._declarer else taken))
            if twice:
                raise NoDecision(
                    f"{told_cards(twice)} cannot be in two places: compare the hand, --talon, "
                    "--cards and --open"
                )
            known |= cards
        room = {place: size - bases[place].bit_count() for place, size in sizes.items()}
        given = _spread(ALL_CARDS & ~known, room, never) if min(room.values()) >= 0 else None
        if given is None:
            raise NoDecision("no deal fits the cards that were played: compare --cards")
        return {place: bases[place] | given[place] for place in sizes}

    def dealt(self) -> tuple[list[int], int]:
        """The hands as they were dealt, and the talon."""
        assert self._trace.me is not None
        places = {**self._places, self._trace.me: self._trace.own}
        if self._declarer >= 0:
            places[self._declarer] = (places[self._declarer] | places[_LAID]) & ~self._talon
        return [places[hand] for hand in range(N_HANDS)], places.get(_TALON, self._talon)

    def discard(self) -> list[int]:
        """What the declarer, who is another, lays away."""
        return cards_of(self._places[_LAID])


def _lay(trace: _Trace, rules: np.ndarray[Any, Any], seed: int) -> Table:
    """The decision on a table with a whole deal, every move checked. NoDecision."""
    deal = _Deal(trace)
    hands, talon = deal.dealt()
    table = Table(rules)
    for player, key in enumerate(player_keys(seed, 0, 0)):
        table.hidden["key"][player] = key
    table.lay(int(rank(hands[0], hands[1], talon)))
    order = [*trace.said.talon, *cards_of(talon & ~mask_of(trace.said.talon))]
    for place, card in enumerate(order):
        table.hidden["talon_order"][place] = card
    laid: list[int] = []
    for move in trace.moves:
        action = move
        if move == _HIDDEN:
            laid = laid or deal.discard()
            action = laid.pop(0)
        if not is_legal(table, action):
            why = why_illegal(Position(table), action)
            word = word_of(table.view, action) or "this"
            whose = _of_hand(int(table.view["mover"]))
            raise NoDecision(f"{word} of {whose} is not legal: {why}")
        table.apply(action)
    return table


def _check_asked(trace: _Trace) -> int:
    """The hand that is asked; NoDecision where it is another's turn, or an open hand is missing."""
    view = trace.table.view
    decides = int(view["hand_of"][int(view["player"])]) if int(view["player"]) >= 0 else -1
    section = SECTION_OF[trace.phase]
    if decides < 0:
        raise NoDecision(f"it is for the dealer, who sits out, to decide: {section}")
    if trace.me is None:
        return decides
    if decides != trace.me:
        more = "cards by --cards" if trace.phase == CARD else "words by --calls"
        raise NoDecision(
            f"it is not for {_of_hand(trace.me)} to decide but for {_of_hand(decides)} "
            f"({section}): give more {more}, or another --position"
        )
    for hand in range(N_HANDS):
        if hand != trace.me and int(view["shown"][hand]) and hand not in trace.said.opened:
            raise NoDecision(
                f"{_of_hand(hand)} lies open here: give the ten cards it had at the first card by "
                f"--open {hand + 1}=CARDS"
            )
    return decides


def _check_talon(trace: _Trace) -> None:
    """NoDecision where a card of the talon leads and is not given."""
    view = trace.table.view
    turned = sum(1 for card in view["talon_card"] if int(card) >= 0)
    if turned > len(trace.said.talon):
        raise NoDecision(
            f"{turned} of the talon's cards {'is' if turned == 1 else 'are'} turned up here: give "
            "them in order by --talon"
        )


def find_decision(rules: np.ndarray[Any, Any], said: Described, seed: int = 0) -> Decision:
    """The table at the decision that is described, its private slots filled. NoDecision."""
    trace = _Trace(rules, said)
    if said.position is None and (said.played or said.opened):
        raise NoDecision("with cards played say whose hand it is by --position")
    if said.position is not None and said.position == int(trace.table.view["dummy"]):
        raise NoDecision(f"{_of_hand(said.position)} is the dummy's")
    trace.run()
    trace.me = _check_asked(trace)
    _check_talon(trace)
    table = _lay(trace, rules, seed)
    forced = only_action(table.legal)
    if forced < 0:
        reveal(table)
    return Decision(table, trace.me, forced)
