"""An evening at the table: a pulka of one person against bots, each deal recorded as it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from scoring.errors import PreferansError, WrongUse
from scoring.sheet import is_over
from scoring.variant import Variant

from ..botcall import Bot
from ..convert.writing import make_record, name_variant
from ..records.model import Record
from ..records.text import format_text, parse_text
from ..show import Story, begin_story, end_story, only_action, take_step
from ..table import Table
from .ask import Mind, deal_next, reveal


class Asked(Protocol):
    """Who decides for a player: the actions to take now, one or two cards laid away."""

    def __call__(self, table: Table) -> Sequence[int]: ...


class Watched(Protocol):
    """Who watches the table."""

    def begin(self, story: Story) -> None: ...

    def tell(self, step: Any) -> None: ...


class RecordFile:
    """A file of records to which deals are added."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.suffix.casefold() == ".json":
            raise WrongUse(
                f"--record {path}: deals are added as text; `preferans convert` writes JSON of it"
            )
        try:
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            with path.open("a", encoding="utf-8"):
                pass
        except UnicodeDecodeError:
            raise WrongUse(f"--record {path}: the file is not text in UTF-8") from None
        except OSError as error:
            raise WrongUse(f"--record {path}: {error.strerror or error}") from error
        self._is_empty = not before.strip()
        if not self._is_empty:
            parse_text(before, str(path))

    def add(self, record: Record) -> None:
        """Add a deal at the end. PreferansError if it cannot be written."""
        text = format_text([record])
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(text if self._is_empty else f"\n{text}")
        except OSError as error:
            raise PreferansError(f"{self.path} cannot be written: {error.strerror}") from error
        self._is_empty = False


class Evening:
    """A pulka at one table, dealt as the pulka number 0 of a run with this seed.

    ``deciders`` has who decides for each player; with jitted bots alone the moves are those of the
    engine.
    """

    def __init__(
        self, rules: np.ndarray[Any, Any], seed: int, deciders: Mapping[int, Asked]
    ) -> None:
        self.rules = rules
        self.table = Table(rules)
        self._seed = seed
        self._deciders = dict(deciders)

    def seat(self, player: int, decider: Asked) -> None:
        """Seat who decides for a player."""
        self._deciders[player] = decider

    @property
    def over(self) -> bool:
        """Whether the pulka has ended."""
        return bool(is_over(self.table.rules, self.table.view))

    def deal(self, watched: Watched | None = None) -> Story:
        """Play the next deal."""
        table = self.table
        deal_next(table, self._seed)
        story = begin_story(table)
        if watched is not None:
            watched.begin(story)
        given: list[int] = []
        while not table.done:
            action = only_action(table.legal)
            if action < 0:
                reveal(table)
                table.hidden["n_decisions"] = int(table.hidden["n_decisions"]) + 1
                if not given:
                    given = list(self._deciders[int(table.view["player"])](table))
                action = given.pop(0)
            elif given:
                given.pop(0)
            take_step(story, table, action)
            if watched is not None:
                watched.tell(story.steps[-1])
        end_story(story, table)
        return story


def decider(mind: Mind) -> Asked:
    """A bot as who decides."""

    def ask(table: Table) -> Sequence[int]:
        return [mind.ask(table).action]

    return ask


def recorder(
    file: RecordFile | None, variant: Variant, players: int, pool: int, note: str
) -> Callable[[Story, int], None]:
    """Writes down a deal that was played, and its number from 1; nothing without a file."""
    name = name_variant(variant, players)

    def write(story: Story, k: int) -> None:
        if file is not None:
            file.add(make_record(story, name, pool, f"{note}, deal {k}"))

    return write


def find_seats(bots: Sequence[Bot], players: int, me: int) -> dict[int, Bot]:
    """The bots of the other players: one for all, or one for each in order. WrongUse."""
    others = [player for player in range(players) if player != me]
    if len(bots) == 1:
        bots = list(bots) * len(others)
    if len(bots) != len(others):
        raise WrongUse(
            f"--bots: {len(bots)} bots for {len(others)} other players: name one for all, "
            f"or {len(others)}"
        )
    return dict(zip(others, bots, strict=True))
