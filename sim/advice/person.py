"""The person at the table: he is shown what he may do, and answers in the words of a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..cards import cards_of, format_card, parse_card
from ..illegal import why_illegal
from ..position import Position
from ..records.actions import action_of, word_of
from ..records.words import spell
from ..show import is_legal
from ..table import Table
from .screen import Say, Screen, has_pairs, section_of

Read = Callable[[], str | None]
"""Reads an answer; None at the end of the input."""
Hint = Callable[[], Sequence[str]]
WIDTH = 78


class Quit(Exception):
    """The person leaves the table."""


class NotUnderstood(Exception):
    """An answer that is no legal action: one sentence."""


@dataclass
class Choices:
    """What may be answered: the words in order; numbered, unless words are numbers themselves."""

    table: Table

    def __post_init__(self) -> None:
        view = self.table.view
        self.pairs = has_pairs(view)
        if self.pairs:
            self.actions = cards_of(int(view["hand"]))
            self.words = [format_card(card) for card in self.actions]
        else:
            legal = self.table.legal
            self.actions = [action for action in range(63) if legal >> action & 1]
            self.words = [word_of(view, action) for action in self.actions]
        self.numbered = not any(word.isdigit() for word in self.words)

    def lines(self) -> list[str]:
        """The words, with their numbers, in lines."""
        entries = list(self.words)
        if self.numbered:
            entries = [f"{k} {word}" for k, word in enumerate(self.words, 1)]
        lines = [""]
        for entry in entries:
            if lines[-1] and len(lines[-1]) + len(entry) + 2 > WIDTH:
                lines.append("")
            lines[-1] += f"  {entry}"
        return lines

    def parse(self, text: str) -> list[int]:
        """The actions of an answer: one, or two cards. NotUnderstood."""
        return self._pair(text) if self.pairs else [self._action(text)]

    def _numbered(self, word: str) -> int:
        """The action of a number in the list; -1 where the word is none."""
        if not (self.numbered and word.isascii() and word.isdigit()):
            return -1
        if not 1 <= int(word) <= len(self.actions):
            raise NotUnderstood(f"there is no number {word[:9]}: write 1 to {len(self.actions)}")
        return self.actions[int(word) - 1]

    def _action(self, text: str) -> int:
        action = self._numbered(text)
        if action >= 0:
            return action
        view = self.table.view
        try:
            word = spell(section_of(view), text)
            action = action_of(view, word)
        except ValueError as error:
            raise NotUnderstood(str(error)) from None
        if not is_legal(self.table, action):
            why = why_illegal(Position(self.table), action)
            raise NotUnderstood(f"{word} is not legal: {why}")
        return action

    def _pair(self, text: str) -> list[int]:
        words = text.replace(",", " ").split()
        if len(words) != 2:
            raise NotUnderstood("two cards are laid away: write both, such as SA H7")
        cards = sorted({self._card(word) for word in words})
        if len(cards) != 2:
            raise NotUnderstood("two different cards are laid away")
        return cards

    def _card(self, word: str) -> int:
        card = self._numbered(word)
        if card >= 0:
            return card
        try:
            card = parse_card(word)
        except ValueError as error:
            raise NotUnderstood(str(error)) from None
        if card not in self.actions:
            raise NotUnderstood(f"{format_card(card)} is not in the hand")
        return card


class Person:
    """Asks the person; ``read`` reads an answer, ``say`` tells him, ``hint`` finds advice."""

    def __init__(self, read: Read, say: Say, hint: Hint) -> None:
        self._read = read
        self._say = say
        self._hint = hint

    def choose(self, table: Table, screen: Screen) -> list[int]:
        """The person's actions at a decision: one, or two cards laid away. Quit."""
        choices = Choices(table)
        screen.show()
        self._ask(choices, screen)
        while True:
            text = self._read()
            if text is None:
                raise Quit
            word = text.strip()
            if word.casefold() in ("q", "quit"):
                raise Quit
            if word == "?":
                for line in self._hint():
                    self._say(line)
            elif not word:
                self._ask(choices, screen)
            else:
                try:
                    return choices.parse(word)
                except NotUnderstood as error:
                    self._say(f"{error}")

    def _ask(self, choices: Choices, screen: Screen) -> None:
        self._say(screen.question())
        for line in choices.lines():
            self._say(line)
