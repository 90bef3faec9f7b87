"""The table of razboinik: six rows for each player, and what is written into them."""

from fractions import Fraction

from .cards import LEVELS, MISERE, Conventions
from .scoring import Result

ROWS = [*(str(level) for level in LEVELS), MISERE]
"""The rows of a player's table, in the order in which they are written down."""

Rows = dict[str, Fraction | None]
"""Minus points by row, None while it is open."""


def new_rows() -> list[Rows]:
    """The tables of two players who have played nothing."""
    return [dict.fromkeys(ROWS) for _ in range(2)]


def open_rows(rows: Rows) -> list[str]:
    """The rows still to be played."""
    return [row for row in ROWS if rows[row] is None]


def result_row(result: Result) -> str:
    """The row in which a result is written."""
    return MISERE if result.kind == "misere" else str(result.level)


def minus_points(conv: Conventions, result: Result) -> Fraction:
    """The price of each trick short; at misere of each trick taken. Nothing else counts."""
    assert result.declarer is not None
    taken = result.tricks[result.declarer]
    if result.kind == "misere":
        return Fraction(conv["razboinik.misere"] * taken)
    assert result.level is not None
    price = conv["razboinik.price"][LEVELS.index(result.level)]
    return Fraction(price * max(0, result.level - taken))
