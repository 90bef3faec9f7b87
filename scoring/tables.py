"""Plain text for people: aligned tables, exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = Sequence[str]

_VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
}


def format_table(rows: Sequence[Row], right: int = 1) -> str:
    """Columns aligned; the first ``right`` columns to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if k < right else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def format_exact(value: Fraction | int) -> str:
    """An exact number: whole, with a vulgar fraction, or as whole and ratio.

    >>> format_exact(Fraction(-65, 3)), format_exact(7), format_exact(Fraction(13, 12))
    ('-21⅔', '7', '1 1/12')
    """
    exact = Fraction(value)
    whole, rest = divmod(abs(exact), 1)
    sign = "-" if exact < 0 else ""
    if rest == 0:
        return f"{sign}{whole}"
    if rest in _VULGAR:
        return f"{sign}{whole or ''}{_VULGAR[rest]}"
    return f"{sign}{f'{whole} ' if whole else ''}{rest}"


def number_json(x: Fraction) -> int | str:
    """A whole number as it is, another as text ``"65/3"``, which is exact."""
    return int(x) if x.denominator == 1 else str(x)
