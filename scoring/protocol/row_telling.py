"""Razboinik told in text and JSON: the table as on paper, the sums and their difference.

Source: Essay "Preferans", the game for two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ..contract import MISERE_ROW, ROWS
from ..settlement import Settlement
from ..tables import format_exact, format_table, number_json
from ..variant import Variant
from .words import Words

Rows = Sequence[Sequence[Fraction | None]]


def prices(variant: Variant) -> list[int]:
    """The price of a trick short in each row, of a trick taken at misère."""
    return [*variant.conventions["razboinik.price"], variant.conventions["razboinik.misere"]]


def _sums(rows: Rows) -> list[Fraction]:
    return [sum((x for x in cells if x is not None), Fraction(0)) for cells in rows]


def _cell(points: Fraction | None) -> str:
    return "" if points is None else format_exact(-points)


def table_rows(variant: Variant, rows: Rows, names: Sequence[str], words: Words) -> list[list[str]]:
    """The paper table: games with the price of a trick, then what each player has against him.

    A row that is open is empty; the sums stand in the last line.
    """
    games = [*ROWS[:MISERE_ROW], words("misere")]
    lines = [[words("game and price"), *names]]
    for k, (game, price) in enumerate(zip(games, prices(variant), strict=True)):
        lines.append([f"{game} ({price})", *(_cell(own[k]) for own in rows)])
    return [*lines, [words("sum"), *(format_exact(-x) for x in _sums(rows))]]


def rows_text(variant: Variant, rows: Rows, names: Sequence[str], words: Words) -> str:
    """The table in plain text."""
    return format_table(table_rows(variant, rows, names, words))


def winner_line(settlement: Settlement, names: Sequence[str], words: Words) -> str:
    """Who wins, and by how many points."""
    if settlement.difference == 0:
        return words("nobody wins")
    winner = names[settlement.result.index(settlement.difference)]
    return words("wins by", winner, format_exact(settlement.difference))


def settlement_rows(
    settlement: Settlement, names: Sequence[str], words: Words
) -> Iterator[list[str]]:
    """The sums, and what each wins by the difference."""
    yield ["", *names]
    yield [words("points"), *(format_exact(-x) for x in settlement.points)]
    yield [words("result in points"), *map(format_exact, settlement.result)]


def rows_json(rows: Rows) -> dict[str, Any]:
    """The table by player and row; null in a row that is open."""
    return {
        "rows": [
            {
                row: None if points is None else number_json(points)
                for row, points in zip(ROWS, cells, strict=True)
            }
            for cells in rows
        ],
        "points": [number_json(x) for x in _sums(rows)],
    }


def settlement_json(settlement: Settlement, names: Sequence[str]) -> dict[str, Any]:
    """The sums, their difference, and who wins; null if nobody does."""
    difference = settlement.difference
    return {
        "points": [number_json(x) for x in settlement.points],
        "difference": number_json(difference),
        "winner": names[settlement.result.index(difference)] if difference else None,
        "result": [number_json(x) for x in settlement.result],
    }
