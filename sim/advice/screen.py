"""What a person at the table sees: moves as they are made, and the table when he is asked.

Only what he may know is shown: his own hand once he has looked, what is public, his own discard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from scoring.contract import RASPAS, format_contract, format_refet_contract
from scoring.result import MAX_PLAYERS

from ..cards import format_card, format_suit_hand, told_cards
from ..records.actions import SECTION_OF
from ..records.words import DUMMY
from ..show import THE_TALON, Step, Story
from ..state import (
    AGREE,
    AUCTION,
    BIDDING,
    CARD,
    CATCH,
    COME,
    CONTRA,
    CONTRACT,
    DARK,
    DEALER_HAND,
    DEALER_WHIST,
    DISCARD,
    N_HANDS,
    OPEN,
    PASS_ALONG,
    POINTS,
    ROW,
    SUIT,
    WHIST,
)
from ..table import Table
from ..telling import format_sheet
from ..telling_words import heading

Say = Callable[[str], None]

PAIR_PHASES = (DISCARD, PASS_ALONG)
"""Phases in which two cards are laid away, one after the other."""
_UNSEEN = (AGREE, DARK)
_AUCTION = (AGREE, DARK, AUCTION, BIDDING, SUIT, ROW)
_DEFENCE = (WHIST, DEALER_WHIST, OPEN, CATCH, COME, CONTRA)

_QUESTIONS = {
    AGREE: "raspas without looking at the cards?",
    DARK: "look at your cards, or pass in the dark?",
    AUCTION: "your call?",
    BIDDING: "your call?",
    SUIT: "the suit of your game?",
    ROW: "which row do you play?",
    PASS_ALONG: "which two cards do you pass along?",
    DISCARD: "which two cards do you lay away?",
    CONTRACT: "your contract?",
    WHIST: "do you whist?",
    DEALER_WHIST: "you sit out: do you whist with a defender's hand?",
    OPEN: "how do you defend?",
    CATCH: "misere: do you catch, or trust the other to play both hands?",
    COME: "do you come?",
    CONTRA: "do you double?",
    POINTS: "where do the points go?",
}


class Screen:
    """Tells one player (``me``) of a table what happens, by ``say``, a line at a time."""

    def __init__(self, table: Table, me: int, say: Say) -> None:
        self._table = table
        self._me = me
        self._say = say
        self._talon = 0
        self._shown = 0
        self._hand_told = False

    def name(self, player: int) -> str:
        """A player as the person is told of him."""
        if player == self._me:
            return "you"
        return "the dummy" if player == DUMMY else f"player {player}"

    # The deal as it goes

    def begin(self, story: Story) -> None:
        """Tell of a deal that has just been laid: the sheet, who deals, the hand."""
        self._story = story
        self._talon = self._shown = 0
        self._hand_told = False
        number = int(self._table.view["deal"]) + 1
        sits = " and sits out" if story.n_players == MAX_PLAYERS else ""
        verb = "deal" if story.dealer == self._me else "deals"
        sits = sits.replace("sits", "sit") if story.dealer == self._me else sits
        self._say(f"\n== deal {number}: {self.name(story.dealer)} {verb}{sits} ==")
        self._say(format_sheet(replace(story, after=story.sheet), self._table))
        self._look()

    def _look(self) -> None:
        """Show the hand once the person has looked at it."""
        if not self._hand_told and int(self._table.view["phase"]) not in _UNSEEN:
            self._hand_told = True
            self._lines(heading("hand", self._own_hand()))

    def _own_hand(self) -> str:
        hand = int(self._table.view["hand_of"][self._me])
        if hand < 0:
            return ""
        cards = int(self._table.hidden["hands"][hand])
        return format_suit_hand(cards) if cards else ""

    def tell(self, step: Step) -> None:
        """Tell of a move that has just been made, and of what it has turned up."""
        who = self.name(step.owner)
        if step.phase in PAIR_PHASES:
            self._tell_laid(step, who)
        else:
            by = "" if step.player in (step.owner, DUMMY) else f", by {self.name(step.player)}"
            forced = ", the only one" if step.player == self._me and not step.asked else ""
            self._lines(heading(self._heading(step), f"{who}: {step.word}{by}{forced}"))
        if step.phase == CARD:
            self._tell_winner()
        self._look()
        self._tell_talon()
        self._tell_shown()

    def _heading(self, step: Step) -> str:
        if step.phase == CARD:
            return f"trick {len(self._story.tricks)}"
        return SECTION_OF[step.phase]

    def _tell_laid(self, step: Step, who: str) -> None:
        """Two cards laid away, the person's own by name."""
        cards = int(self._table.hidden["discard"][step.hand])
        if cards.bit_count() < 2:
            return
        mine = step.player == self._me
        said = told_cards(cards) if mine else "two cards"
        self._lines(heading(SECTION_OF[step.phase], f"{who}: {said}"))

    def _tell_winner(self) -> None:
        winner = self._story.tricks[-1].winner
        if winner is not None:
            who = "the talon" if winner == THE_TALON else self.name(winner)
            verb = "take" if winner == self._me else "takes"
            self._lines(heading("", f"{who} {verb} the trick"))

    def _tell_talon(self) -> None:
        """Cards of the talon that have been turned up since."""
        view = self._table.view
        new = int(view["talon"]) & ~self._talon
        if new:
            self._talon |= new
            cards = (int(card) for card in view["talon_card"])
            said = " ".join(format_card(card) for card in cards if card >= 0 and new >> card & 1)
            leads = ", which leads" if int(view["phase"]) == CARD else ""
            self._lines(heading("talon", said + leads))

    def _tell_shown(self) -> None:
        """Hands that have been laid open since."""
        for hand in range(N_HANDS):
            if int(self._table.view["shown"][hand]) and not self._shown >> hand & 1:
                self._shown |= 1 << hand
                if int(self._table.view["player_of"][hand]) != self._me:
                    self._lines(heading("open", self._open_hand(hand)))

    def _open_hand(self, hand: int) -> str:
        view = self._table.view
        who = self.name(int(view["player_of"][hand]))
        return f"{who}: {format_suit_hand(int(view['shown'][hand]))}"

    def _lines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self._say(line)

    # The table when he is asked

    def show(self) -> None:
        """Show the table as the person sees it when he is asked."""
        view = self._table.view
        self._say("")
        playing = int(view["phase"]) == CARD
        if not playing:
            self._lines(heading("auction", self._said(_AUCTION)))
        talon = [int(card) for card in view["talon_card"] if int(card) >= 0]
        self._lines(heading("talon", " ".join(map(format_card, talon))))
        self._lines(heading("contract", self._contract()))
        self._lines(heading("defence", self._said(_DEFENCE)))
        if playing:
            self._show_play()
        self._show_private()

    def _said(self, phases: Sequence[int]) -> str:
        steps = self._story.of(*phases)
        return ", ".join(f"{self.name(step.owner)}: {step.word}" for step in steps)

    def _contract(self) -> str:
        """What is played, or the winning bid before the contract is named; and by whom."""
        view = self._table.view
        declarer, code = int(view["declarer"]), int(view["contract"])
        if declarer < 0:
            is_raspas = int(view["kind"]) == RASPAS and int(view["phase"]) in (CARD, PASS_ALONG)
            return "raspas" if is_raspas else ""
        who = self.name(int(view["player_of"][declarer]))
        unnamed = self._story.is_refet and int(view["phase"]) in (DISCARD, CONTRACT)
        if code < 0 or unnamed:
            return f"by {who}"
        if self._story.is_refet:
            return f"{format_refet_contract(code, bool(int(view['without_talon'])))} by {who}"
        return f"{format_contract(code)} by {who}"

    def _show_play(self) -> None:
        view = self._table.view
        taken = [
            f"{self.name(player)} {int(view['tricks'][player])}"
            for player in range(self._story.n_players)
        ]
        self._lines(heading("taken", ", ".join(taken)))
        for hand in range(N_HANDS):
            is_mine = int(view["player_of"][hand]) == self._me
            if int(view["shown"][hand]) and not is_mine:
                self._lines(heading("open", self._open_hand(hand)))
        self._lines(heading("table", self._on_table()))

    def _on_table(self) -> str:
        """The cards of the trick, in the order of play."""
        view = self._table.view
        story = self._story
        cards = []
        if self._talon_leads():
            cards.append(f"talon {format_card(int(view['talon_card'][int(view['trick'])]))}")
        if int(view["in_trick"]) and story.tricks:
            steps = story.tricks[-1].steps
            cards += [f"{self.name(step.owner)} {step.word}" for step in steps]
        return ", ".join(cards)

    def _talon_leads(self) -> bool:
        """Whether a card of the talon has led to the trick on the table."""
        view = self._table.view
        trick = int(view["trick"])
        return int(view["declarer"]) < 0 and trick < 2 and int(view["talon_card"][trick]) >= 0

    def _show_private(self) -> None:
        """What only the person sees: his hand, or that of another which he plays."""
        view = self._table.view
        if int(view["phase"]) in _UNSEEN:
            return
        self._lines(heading("received", told_cards(int(view["received"]))))
        self._lines(heading("laid", told_cards(int(view["discard"]))))
        self._lines(heading("hand", self._own_hand()))
        mover = int(view["mover"])
        if mover < N_HANDS and int(view["player_of"][mover]) != self._me:
            who = self.name(int(view["player_of"][mover]))
            self._lines(heading("plays", f"{who}: {format_suit_hand(int(view['hand']))}"))

    def question(self) -> str:
        """What the person is asked."""
        view = self._table.view
        phase, mover = int(view["phase"]), int(view["mover"])
        if phase != CARD:
            return _QUESTIONS[phase]
        whose = int(view["player_of"][mover]) if mover != DEALER_HAND else self._me
        return (
            "your card?" if whose == self._me else f"a card of {self.name(whose)}, whom you play?"
        )


def section_of(view: Any) -> str:
    """The section of a record in which the present decision stands."""
    return SECTION_OF[int(view["phase"])]


def has_pairs(view: Any) -> bool:
    """Whether two cards are laid away."""
    return int(view["phase"]) in PAIR_PHASES
