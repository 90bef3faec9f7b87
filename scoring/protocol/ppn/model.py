"""A game in PPN (Portable Preferans Notation): its tags and its deals.

Source: Portable Preferans Notation. Players are 1, 2, 3 in the notation and 0, 1, 2 here; they sit
in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...contract import BETL, PREFERANS, REFET_CONTRACTS, REFET_SPADES

CARDS = "123456789ABCDEFGHIJKLMNOPQRSTUVW"
"""Cards by suit (spades, diamonds, hearts, clubs), each from the seven to the ace."""
HAND = 10
SEATS = 3
DOUBLINGS = ("kontra", "rekontra", "subkontra", "mortkontra")
_GAMES = 20
"""Rank of a game in a suit, above all numbers and holds."""


class Bid(NamedTuple):
    """The highest bid of a player: a number 2..8, held (M, mine) or not, or a game: its contract,
    0 where no suit is named. A pass is number 0 and no game."""

    number: int = 0
    is_held: bool = False
    is_game: bool = False

    @property
    def rank(self) -> int:
        """Order of bids; a pass is 0."""
        return _GAMES + self.number if self.is_game else 2 * self.number + self.is_held

    def text(self) -> str:
        """As it is written: ``P``, ``3``, ``M3``, ``G``, ``G4``."""
        if self.is_game:
            return f"G{self.number or ''}"
        return f"{'M' * self.is_held}{self.number}" if self.number else "P"


class Part(NamedTuple):
    """What the summary has of a player who played: his tricks, and what he wrote in the left soup,
    the middle (his column), and the right soup. ``is_main`` None: the form does not tell."""

    tricks: int
    left: int = 0
    middle: int = 0
    right: int = 0
    is_main: bool | None = None


class Throws(NamedTuple):
    """A trick: the cards as thrown, who won it, and who led to it (-1: not written)."""

    cards: str
    winner: int
    leader: int = -1


@dataclass(frozen=True)
class PpnPlay:
    """What was played in a deal, as written.

    ``discarded`` is empty at a game; ``base`` is the contract, 2..8; ``came`` the followers who
    decided to play; ``doubled`` how often the game was doubled, ``by`` who began it, or who invited
    the other where ``invites``; ``refa`` and ``starts`` are None and -1 where they are not written.
    """

    main: int
    discarded: str
    base: int
    is_game: bool
    came: frozenset[int]
    doubled: int
    invites: bool
    by: int
    refa: bool | None
    value: int
    starts: int
    throws: tuple[Throws, ...]
    summary: tuple[Part | None, ...]

    def contract_text(self) -> str:
        """The contract and its doubling in words: ``game hearts, rekontra``."""
        name = f"{'game ' * self.is_game}{REFET_CONTRACTS[self.base - REFET_SPADES]}"
        return f"{name}, {DOUBLINGS[self.doubled - 1]}" if self.doubled else name


@dataclass(frozen=True)
class PpnDeal:
    """A deal as written; ``where`` names it in messages. ``play`` None: all passed."""

    where: str
    id: int
    order: tuple[int, ...]
    cards: str
    bids: tuple[Bid, ...]
    play: PpnPlay | None

    @property
    def dealer(self) -> int:
        return self.order[-1]

    def hand(self, player: int) -> str:
        """The cards dealt to a player."""
        place = HAND * self.order.index(player)
        return self.cards[place : place + HAND]

    @property
    def talon(self) -> str:
        return self.cards[SEATS * HAND :]


@dataclass(frozen=True)
class PpnGame:
    """A game: tags by name, deals in order; ``is_excerpt`` where the file says that more followed
    (``...``), ``is_bare`` where it has deals alone, without tags."""

    where: str
    tags: Mapping[str, str]
    deals: tuple[PpnDeal, ...]
    is_excerpt: bool
    is_bare: bool


def told(player: int) -> str:
    """A player in a message."""
    return f"player {player + 1}"


def all_passed(bids: Sequence[Bid]) -> bool:
    """Whether all passed."""
    return not any(bid.rank for bid in bids)


def winner_of(order: Sequence[int], bids: Sequence[Bid]) -> int:
    """Who won the auction by the highest bids of all: of equal games the earlier one."""
    best = max(bid.rank for bid in bids)
    return order[[bid.rank for bid in bids].index(best)]


def is_together(base: int) -> bool:
    """Whether both followers play, whoever came: betl and preferans."""
    return base in (BETL, PREFERANS)
