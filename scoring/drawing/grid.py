"""Geometry of a drawn table: a line for each row, the headings above and the sums below."""

from __future__ import annotations

from .page import (
    LEFT,
    RIGHT,
    TOP,
    Layout,
    Line,
    Text,
    fitting,
    footer_texts,
    title_text,
)
from .picture import Grid

STEP = 56.0
"""Height of a row."""
_FIRST = 0.4
"""The part of the width that the first column takes."""
_SIZE = 22.0
_THICK = 2.0


def edges(n_columns: int) -> list[float]:
    """The borders of the columns from left to right."""
    first = LEFT + _FIRST * (RIGHT - LEFT)
    others = n_columns - 1
    return [LEFT, *(first + k * (RIGHT - first) / others for k in range(others + 1))]


def lay_out_grid(grid: Grid) -> Layout:
    """The whole page: title, table, footer."""
    columns = edges(len(grid.rows[0]))
    n = len(grid.rows)
    heights = [TOP + k * STEP for k in range(n + 1)]
    lines = [Line((LEFT, y), (RIGHT, y)) for y in heights]
    lines += [Line((x, TOP), (x, heights[-1])) for x in columns]
    lines += [Line((LEFT, heights[k]), (RIGHT, heights[k]), _THICK) for k in (1, n - 1)]
    texts = [title_text(grid.title)]
    for k, row in enumerate(grid.rows):
        base = TOP + (k + 0.5) * STEP + 0.35 * _SIZE
        for cell, left, right in zip(row, columns, columns[1:], strict=False):
            if cell:
                size = fitting(cell, _SIZE, right - left - 20.0)
                texts.append(Text(cell, ((left + right) / 2, base), size))
    footer, height = footer_texts(grid.footer, heights[-1] + 40.0)
    return Layout(height, lines, None, [*texts, *footer])
