"""Who sits where in a duel, and the difference of a base deal.

In a seating (рассадка) one bot sits alone among copies of the other. With n players there are n
seatings of A among B's (ABB, BAB, BBA) and n of B among A's (BAA, ABA, AAB); with two players AB
and BA are both at once.

The difference d of a base deal is the mean, over its seatings, of the mean value of A's seats minus
the mean value of B's seats: how many whists a deal an A is ahead of a B at the same table. Base
deals are drawn independently, so the mean of d over them is unbiased. All seats are weighted alike
and a table's values sum to zero, so that d is zero in every deal where A decides as B; and as the
table of B's alone sums to zero as well, n seatings are the paired difference of A's value and B's
on the same seat and cards, times n / (n - 1): what one player wins by playing A instead of B, and
what the others lose by it.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.result import TWO_PLAYERS

from ..run import RunError

Array = np.ndarray[Any, Any]

A, B = range(2)
LETTERS = string.ascii_uppercase
"""Of the bots of a match, in order."""


@dataclass(frozen=True)
class Seating:
    """Which of the two bots sits alone (A or B), and where; ``lone`` decides for one player."""

    lone: int
    seat: int
    players: int

    @property
    def line_up(self) -> tuple[int, ...]:
        """The bot at each seat, A or B."""
        return tuple(
            self.lone if player == self.seat else self.among for player in range(self.players)
        )

    @property
    def among(self) -> int:
        """The bot that has the other seats."""
        return 1 - self.lone

    @property
    def name(self) -> str:
        """Such as ``ABB``."""
        return "".join(LETTERS[one] for one in self.line_up)

    def difference(self, values: Array) -> Array:
        """A's mean value minus B's by deal, times ``players - 1``; values by (deal, player)."""
        alone = values[:, self.seat]
        rest = values[:, : self.players].sum(axis=1) - alone
        ahead = (self.players - 1) * alone - rest
        return ahead if self.lone == A else -ahead


def make_seatings(players: int, count: int | None = None) -> tuple[Seating, ...]:
    """The seatings of a duel: A among B's, then B among A's where ``count`` is twice as large.

    By default all there are. RunError for another count.
    """
    allowed = (players,) if players == TWO_PLAYERS else (players, 2 * players)
    wanted = allowed[-1] if count is None else count
    if wanted not in allowed:
        raise RunError(
            f"{wanted} seatings are not possible with {players} players: "
            f"write {' or '.join(map(str, allowed))}"
        )
    lone = (A, B)[: wanted // players]
    return tuple(Seating(one, seat, players) for one in lone for seat in range(players))
