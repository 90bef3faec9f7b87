"""A settlement (расчёт) with its arithmetic, in exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

Matrix = list[list[Fraction]]


@dataclass(frozen=True)
class Settlement:
    """A settlement (расчёт) with its arithmetic, in exact fractions by player.

    ``carried``: mountains with the pool points carried over; ``amnestied``: less the smallest;
    ``moved``: the point moved by Code 4.2.12; ``share``: whists each other player gains from a
    mountain; ``compensation[i][j]``: whists i writes on j for moved points; ``written``: all
    whists, with these; ``pairs[i][j]``: what i wins of j, summed in ``first_way``; ``mean``: the
    mean mountain, without amnesty; ``mountain_part`` and ``whist_part`` add up to ``second_way``.
    Both ways (Code of Preferans 4.2.14) are ``result``.

    Of razboinik the mountains are the sums of the table and a point is a whist: see ``points`` and
    ``difference``. Of the refet game they are the contract columns, ``written`` is the soup, and
    what ``moved`` is by whole points written off: see ``columns`` to ``terms``.
    """

    carried: list[Fraction]
    amnestied: list[Fraction]
    moved: list[Fraction]
    share: list[Fraction]
    compensation: Matrix
    written: Matrix
    pairs: Matrix
    first_way: list[Fraction]
    mean: Fraction
    mountain_part: list[Fraction]
    whist_part: list[Fraction]
    second_way: list[Fraction]
    result: list[Fraction]

    @property
    def points(self) -> list[Fraction]:
        """Razboinik: the points that each player has against him."""
        return self.carried

    @property
    def difference(self) -> Fraction:
        """What the winner of two wins, in whists (razboinik: in points); 0 if nobody wins."""
        return max(self.result)

    @property
    def columns(self) -> list[Fraction]:
        """The refet game: the contract columns, which together are what is left to play."""
        return self.carried

    @property
    def written_off(self) -> list[Fraction]:
        """The refet game: what each column is lowered by, so that they sum to nothing."""
        return [self.mean - moved for moved in self.moved]

    @property
    def lowered(self) -> list[Fraction]:
        """The refet game: the columns, so lowered; below zero is good."""
        return [c - w for c, w in zip(self.columns, self.written_off, strict=True)]

    @property
    def tenfold(self) -> list[Fraction]:
        """The refet game: ten for a point of the lowered column, with its sign reversed."""
        return self.mountain_part

    @property
    def soup_for(self) -> list[Fraction]:
        """The refet game: soup that each player has written on the others."""
        return [sum(row, Fraction(0)) for row in self.written]

    @property
    def soup_against(self) -> list[Fraction]:
        """The refet game: soup that the others have written on him."""
        return [sum(column, Fraction(0)) for column in zip(*self.written, strict=True)]

    def terms(self, player: int) -> list[Fraction]:
        """What a player's result is the sum of: ten for a point, then soup by him and on him, from
        the next player on."""
        n = len(self.result)
        others = [(player + step) % n for step in range(1, n)]
        own = [self.written[player][j] for j in others]
        theirs = [-self.written[j][player] for j in others]
        return [self.tenfold[player], *(x for x in (*own, *theirs) if x)]


class Mountains(NamedTuple):
    """What is settled of mountains: with the pools carried over, and the points moved of them.

    A point costs ``whists``, divided by ``divisor``; moved points are ``paid`` for in whole whists,
    or not.
    """

    carried: Sequence[Fraction]
    moved: Sequence[Fraction]
    whists: int
    divisor: int
    paid: bool = True


def _compensation(mountains: Mountains) -> Matrix:
    """Whole whists for a moved point: on who wrote it off, of who added it (Code 4.2.12)."""
    n = len(mountains.moved)
    table = [[Fraction(0)] * n for _ in range(n)]
    for i, moved in enumerate(mountains.moved):
        for j in range(n):
            if i != j and moved and mountains.paid:
                writer, on = (j, i) if moved < 0 else (i, j)
                table[writer][on] += mountains.whists // mountains.divisor * abs(moved)
    return table


def work_out(
    mountains: Mountains, whists: Sequence[Sequence[Fraction]], result: list[Fraction]
) -> Settlement:
    """The settlement of mountains and ``whists[i][j]`` (by i on j), whose ``result`` is known."""
    everyone = range(len(result))
    per_point, divisor = Fraction(mountains.whists), mountains.divisor
    lowest = min(mountains.carried)
    amnestied = [m - lowest for m in mountains.carried]
    compensation = _compensation(mountains)
    share = [per_point * (m + p) / divisor for m, p in zip(amnestied, mountains.moved, strict=True)]
    written = [[whists[i][j] + compensation[i][j] for j in everyone] for i in everyone]
    pairs = [
        [
            written[i][j] + share[j] - written[j][i] - share[i] if i != j else Fraction(0)
            for j in everyone
        ]
        for i in everyone
    ]
    whole = [m + p for m, p in zip(mountains.carried, mountains.moved, strict=True)]
    mean = sum(whole, Fraction(0)) / len(result)
    mountain_part = [per_point * len(result) / divisor * (mean - m) for m in whole]
    whist_part = [
        sum((written[i][j] - written[j][i] for j in everyone), Fraction(0)) for i in everyone
    ]
    return Settlement(
        list(mountains.carried),
        amnestied,
        list(mountains.moved),
        share,
        compensation,
        written,
        pairs,
        [sum(row, Fraction(0)) for row in pairs],
        mean,
        mountain_part,
        whist_part,
        [a + b for a, b in zip(mountain_part, whist_part, strict=True)],
        result,
    )
