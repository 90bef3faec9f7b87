"""What is played, as far as a run's columns and figures depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.conventions import FAMILIES, POOL_FAMILY, RAZBOINIK, REFET
from scoring.result import MAX_PLAYERS, TWO_PLAYERS
from scoring.variant import USUAL_PLAYERS, Variant


@dataclass(frozen=True)
class Game:
    """The family of a variant, the number of players, and what can happen under its conventions.

    ``checked_ten``: a ten is checked, so that its whist is neither open nor blind. Of two players
    in the pool family: ``blind``, a whist may be open or blind (втёмную); ``thrown_in``, two passes
    end the deal.

    Of the refet game: ``preferans``, it may be bid; ``invite``, a lone follower may invite the
    other; ``contras``, how often a hand may be doubled; ``contra_spades``, plain spades are played
    under contra only; ``own_duty``, two followers owe two tricks each whatever they have together;
    ``takers``, how many players get a refet at a time.
    """

    family: str = FAMILIES[POOL_FAMILY]
    players: int = USUAL_PLAYERS
    checked_ten: bool = False
    blind: bool = False
    thrown_in: bool = False
    preferans: bool = False
    invite: bool = False
    contras: int = 0
    contra_spades: bool = False
    own_duty: bool = False
    takers: int = 0

    @property
    def has_pool(self) -> bool:
        """Whether there are a pool and whists."""
        return self.family == FAMILIES[POOL_FAMILY]

    @property
    def has_rows(self) -> bool:
        """Whether there is razboinik's table of rows, without an auction."""
        return self.family == FAMILIES[RAZBOINIK]

    @property
    def has_columns(self) -> bool:
        """Whether there are the refet game's contract columns and soup."""
        return self.family == FAMILIES[REFET]

    @property
    def has_dummy(self) -> bool:
        """Whether this is the pool family's game of two players and the dummy (болван)."""
        return self.has_pool and self.players == TWO_PLAYERS

    @property
    def contra(self) -> bool:
        """Whether contra may be said."""
        return self.contras > 0

    @property
    def recontra(self) -> bool:
        """Whether the declarer may answer it."""
        return self.contras > 1

    @property
    def subcontra(self) -> bool:
        """Whether this may be answered."""
        return self.contras > 2

    @property
    def mordcontra(self) -> bool:
        """Whether this may be answered in turn."""
        return self.contras > 3


def game_of(variant: Variant, players: int) -> Game:
    """The game of a variant with so many players."""
    conventions = variant.conventions
    if variant.has_columns:
        sits = players == MAX_PLAYERS and not conventions["refets.for_dealer"]
        return Game(
            variant.family,
            players,
            preferans=conventions["bidding.preferans"],
            invite=conventions["follow.invite"],
            contras=conventions["contra.levels"],
            contra_spades=conventions["spades.needs_contra"],
            own_duty=conventions["follow.short"] == "own",
            takers=players - sits,
        )
    two = variant.has_pool and players == TWO_PLAYERS
    return Game(
        variant.family,
        players,
        checked_ten=variant.has_pool and conventions["whist.ten"] == "checked",
        blind=two and {"open", "blind"} <= set(conventions["dummy.defence"]),
        thrown_in=two and conventions["dummy.raspas"] == "no_raspas",
    )
