"""Who sits at the table: names, the dealer, the hands in turn order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import nearest, quoted
from ..result import MAX_PLAYERS, TWO_PLAYERS
from ..score_sheet import ScoreSheet
from .notation import EntryError


@dataclass(frozen=True)
class Seats:
    """Players in clockwise order, whose deal it is, and the sheet before the deal."""

    names: Sequence[str]
    dealer: int
    sheet: ScoreSheet

    def player(self, name: Any, key: str) -> int:
        """The player of a name."""
        if not isinstance(name, str) or name not in self.names:
            near = nearest(quoted(name), self.names)
            raise EntryError(f"{key} = {quoted(name)} is no player: {', '.join(self.names)}{near}")
        return self.names.index(name)

    def convention(self, key: str) -> Any:
        """A convention of the variant that is played."""
        return self.sheet.variant.conventions[key]

    @property
    def is_two(self) -> bool:
        """Whether two play, with a dummy for a third hand."""
        return len(self.names) == TWO_PLAYERS

    @property
    def sitter(self) -> int:
        """The dealer at a table of four, who has no hand; -1 at others."""
        return self.dealer if len(self.names) == MAX_PLAYERS else -1

    def hands_after(self, player: int) -> list[int]:
        """The other players who have a hand, clockwise from a player."""
        n = len(self.names)
        return [p for p in ((player + k) % n for k in range(1, n)) if p != self.sitter]
