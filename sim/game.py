"""What is played, as far as a run's columns and figures depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.conventions import FAMILIES, POOL_FAMILY
from scoring.result import TWO_PLAYERS
from scoring.variant import USUAL_PLAYERS, Variant


@dataclass(frozen=True)
class Game:
    """The family of a variant, the number of players, and what can happen under its conventions.

    ``checked_ten``: a ten is checked, so that its whist is neither open nor blind. Of two players
    in the pool family: ``blind``, a whist may be open or blind (втёмную); ``thrown_in``, two passes
    end the deal.
    """

    family: str = FAMILIES[POOL_FAMILY]
    players: int = USUAL_PLAYERS
    checked_ten: bool = False
    blind: bool = False
    thrown_in: bool = False

    @property
    def has_pool(self) -> bool:
        """Whether there are a pool and whists; razboinik has a table of rows instead."""
        return self.family == FAMILIES[POOL_FAMILY]

    @property
    def has_dummy(self) -> bool:
        """Whether this is the pool family's game of two players and the dummy (болван)."""
        return self.has_pool and self.players == TWO_PLAYERS


def game_of(variant: Variant, players: int) -> Game:
    """The game of a variant with so many players."""
    conventions = variant.conventions
    two = variant.has_pool and players == TWO_PLAYERS
    return Game(
        variant.family,
        players,
        checked_ten=variant.has_pool and conventions["whist.ten"] == "checked",
        blind=two and {"open", "blind"} <= set(conventions["dummy.defence"]),
        thrown_in=two and conventions["dummy.raspas"] == "no_raspas",
    )
