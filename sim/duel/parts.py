"""Where two deals part: the first decision that differs, and the phase of the deal it belongs to.

A seating is compared with the table where its lone player too is the other bot: the same cards and
random words, so that (unless a bot keeps dice of its own) the first decision that differs is the
lone player's. All that the two deals differ in value is laid to the part of that decision; deals
decided alike are worth the same, so the parts sum to the whole difference exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS
from scoring.conventions import FAMILIES, RAZBOINIK, REFET

from ..engine import Batch
from ..game import Game
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
    DEALER_WHIST,
    DISCARD,
    MAX_DECISIONS,
    OPEN,
    PASS_ALONG,
    PHASES,
    POINTS,
    ROW,
    SUIT,
    WHIST,
)

Array = np.ndarray[Any, Any]

_BEFORE_CARDS = {
    "auction": (AGREE, DARK, AUCTION, BIDDING, SUIT),
    "row": (ROW,),
    "discard": (DISCARD,),
    "contract": (CONTRACT,),
    "whist": (WHIST, DEALER_WHIST),
    "open or closed": (OPEN,),
    "catch": (CATCH,),
    "come": (COME,),
    "contra": (CONTRA,),
    "raspas": (PASS_ALONG,),
    "points": (POINTS,),
}
_OF_POOL = ("auction", "discard", "contract", "whist", "open or closed", "catch", "points")
_OF_ROWS = ("row", "discard", "contract")
_OF_REFET = ("auction", "discard", "contract", "come", "contra")
_LEVELS = ("6", "7", "8", "9", "10", "misere")
_HANDS = ("suits", "sans", "preferans", "betl")
_ROLES = ("declarer", "defence")

ALIKE = -1
"""Instead of a part's number where all decisions are alike."""
_NOTHING = 255
"""Fills the place of decisions that were not made."""


def _contracts(game: Game) -> tuple[str, ...]:
    return _HANDS if game.has_columns else _LEVELS


def part_names(game: Game) -> tuple[str, ...]:
    """The parts of a deal: phases up to the first card, then the play by contract and by whether
    the lone player declares."""
    before = {FAMILIES[RAZBOINIK]: _OF_ROWS, FAMILIES[REFET]: _OF_REFET}.get(game.family, _OF_POOL)
    play = tuple(f"play {one}, {role}" for one in _contracts(game) for role in _ROLES)
    return (*before, *play, "raspas") if game.has_pool else (*before, *play)


def _contract_places(deals: Array, game: Game) -> Array:
    """Places of the final contracts in ``_contracts``."""
    misere = deals["kind"] == MISERE_GAME
    if not game.has_columns:
        return np.where(misere, len(_LEVELS) - 1, deals["level"] - 6)
    kinds = [misere, deals["level"] == 10, deals["strain"] == NO_TRUMP]
    return np.select(kinds, [3, 2, 1], 0)


class Parting:
    """The decisions of the deals of one table, with which other tables are compared."""

    def __init__(self, batch: Batch, game: Game) -> None:
        """``batch`` was played with its phases."""
        assert batch.phases is not None
        self._deals = batch.deals
        self._game = game
        self._plays = decisions(batch)
        self._phases = batch.phases
        self._names = part_names(game)
        self._of_phase = np.full(len(PHASES), ALIKE)
        for name, phases in _BEFORE_CARDS.items():
            if name in self._names:
                self._of_phase[list(phases)] = self._names.index(name)

    def find(self, batch: Batch, seat: int) -> tuple[Array, Array]:
        """For each deal the part in which the other table differs first (ALIKE: nowhere), and the
        place of that decision."""
        differs = decisions(batch) != self._plays
        place = differs.argmax(axis=1)
        phase = np.take_along_axis(self._phases, place[:, None], axis=1)[:, 0]
        in_play = self._of_play(seat)
        part = np.where(phase == CARD, in_play, self._of_phase[phase])
        return np.where(differs.any(axis=1), part, ALIKE), place

    def _of_play(self, seat: int) -> Array:
        """The part that the cards of each deal belong to, for a player."""
        deals = self._deals
        first = next(k for k, name in enumerate(self._names) if name.startswith("play "))
        role = (deals["declarer"] != seat).astype(np.int64)
        part = first + len(_ROLES) * _contract_places(deals, self._game) + role
        return np.where(deals["kind"] == RASPAS, len(self._names) - 1, part)


def decisions(batch: Batch) -> Array:
    """The decisions of a batch, those not made filled up."""
    assert batch.plays is not None
    made = np.arange(MAX_DECISIONS) < batch.deals["n_decisions"][:, None]
    return np.where(made, batch.plays, np.uint8(_NOTHING))
