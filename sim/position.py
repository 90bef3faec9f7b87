"""A table at a decision, for who puts its rules into words."""

from __future__ import annotations

from scoring.conventions import RAZBOINIK, REFET
from scoring.result import TWO_PLAYERS

from .records.words import DUMMY
from .table import Table


class Position:
    """A table at a decision: its public record, its rules, and the hand that moves."""

    def __init__(self, table: Table) -> None:
        self.view = table.view
        self.hidden = table.hidden
        self.rules = table.rules

    @property
    def phase(self) -> int:
        return int(self.view["phase"])

    @property
    def mover(self) -> int:
        return int(self.view["mover"])

    @property
    def hand(self) -> int:
        """The cards of the hand that moves."""
        return int(self.hidden["hands"][self.mover])

    @property
    def of_two(self) -> bool:
        """Whether two play, with a dummy."""
        return int(self.view["n_players"]) == TWO_PLAYERS

    @property
    def is_razboinik(self) -> bool:
        return self.rule("family") == RAZBOINIK

    @property
    def is_refet(self) -> bool:
        return self.rule("family") == REFET

    @property
    def who(self) -> str:
        """The hand that moves, as the subject of a clause."""
        return "the dummy" if int(self.view["player_of"][self.mover]) == DUMMY else "he"

    def rule(self, name: str) -> int:
        """A convention, as it is packed."""
        return int(self.rules[name])

    def outranks(self, code: int, bid: int) -> bool:
        """Whether a contract outranks a bid (-1: none) on the ladder."""
        return bool(int(self.rules["bids_above"][bid + 1]) >> code & 1)

    def is_on_ladder(self, code: int) -> bool:
        return self.outranks(code, -1)
