"""Geometry of the refet game's sheet: players side by side, a line for each hand.

As in the sources each player has his contract column between those for his soup on the others
(Preferansklub rules 13), a line is a hand, and a refet is a stroke in the contract column, with a
diagonal stroke through it once it is used (Lesnoy, Russian Preferans).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .page import (
    GREY,
    LEFT,
    PALE,
    RED,
    RIGHT,
    TOP,
    Layout,
    Line,
    Text,
    fitting,
    footer_texts,
    title_text,
)
from .picture import Block, Cell, Ledger, Refet, newest_lines

NAME, HEAD, STEP = 40.0, 24.0, 28.0
"""Heights of the players' names, of the heads of columns, of a line."""
GAP = 14.0
"""Room between two players."""
_NAME_SIZE, _HEAD_SIZE, _SIZE, _LABEL_SIZE = 20.0, 11.0, 17.0, 11.0
_THICK, _THIN, _FAINT = 2.0, 1.0, 0.7
_STROKE = 2.2


def block_edges(ledger: Ledger) -> list[list[float]]:
    """The borders of each player's columns from left to right; the contract column is wider."""
    n = len(ledger.blocks)
    width = (RIGHT - LEFT - (n - 1) * GAP) / n
    edges = []
    for k, block in enumerate(ledger.blocks):
        parts = [1.25 if j == block.main else 1.0 for j in range(len(block.heads))]
        left = LEFT + k * (width + GAP)
        borders = [left]
        for part in parts:
            borders.append(borders[-1] + width * part / sum(parts))
        edges.append(borders)
    return edges


def first_line() -> float:
    """Where the lines begin."""
    return TOP + NAME + HEAD


def _mark(refet: Refet, left: float, right: float, top: float) -> Iterator[Line]:
    """The stroke across most of the column, and the diagonal one through it."""
    middle, height, half = (left + right) / 2, top + STEP / 2, 0.36 * (right - left)
    yield Line((middle - half, height), (middle + half, height), _STROKE)
    if refet.crossed:
        across, up = 0.22 * (right - left), 0.4 * STEP
        yield Line((middle - across, height + up), (middle + across, height - up), _STROKE, RED)


def _cells(
    block: Block, lines: Sequence[Sequence[Cell]], borders: Sequence[float]
) -> tuple[list[Line], list[Text]]:
    """The entries of a player, and his refets."""
    marks: list[Line] = []
    texts = []
    for k, line in enumerate(lines):
        top = first_line() + k * STEP
        for j, cell in enumerate(line):
            left, right = borders[j], borders[j + 1]
            if isinstance(cell, Refet):
                marks += _mark(cell, left, right, top)
            elif cell:
                size = fitting(cell, _SIZE, right - left - 6.0)
                base = top + STEP / 2 + 0.36 * _SIZE
                texts.append(Text(cell, ((left + right) / 2, base), size))
    return marks, texts


def _heads(block: Block, borders: Sequence[float]) -> list[Text]:
    left, right = borders[0], borders[-1]
    size = fitting(block.name, _NAME_SIZE, right - left - 12.0)
    texts = [Text(block.name, ((left + right) / 2, TOP + 0.68 * NAME), size)]
    for head, start, end in zip(block.heads, borders, borders[1:], strict=False):
        size = fitting(head, _HEAD_SIZE, end - start - 6.0)
        texts.append(Text(head, ((start + end) / 2, TOP + NAME + 0.68 * HEAD), size, 0.0, GREY))
    return texts


def _frame(block: Block, borders: Sequence[float], bottom: float, n: int) -> list[Line]:
    """Faint lines under the hands, the columns' borders, thick ones round the contract column."""
    left, right = borders[0], borders[-1]
    lines = [
        Line((left, y), (right, y), _FAINT, PALE)
        for y in (first_line() + k * STEP for k in range(1, n))
    ]
    for j, x in enumerate(borders[1:-1], 1):
        thick = j in (block.main, block.main + 1)
        lines.append(Line((x, TOP + NAME), (x, bottom), _THICK if thick else _THIN))
    corners = [(left, TOP), (right, TOP), (right, bottom), (left, bottom)]
    lines += [Line(a, b, _THICK) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    lines += [Line((left, y), (right, y), _THIN) for y in (TOP + NAME, first_line())]
    return lines


def lay_out_ledger(ledger: Ledger) -> Layout:
    """The whole page: title, the players' columns, footer."""
    labels, shown = newest_lines(ledger)
    n = len(labels)
    bottom = first_line() + n * STEP
    lines: list[Line] = []
    marks: list[Line] = []
    texts = [title_text(ledger.title)]
    for block, cells, borders in zip(ledger.blocks, shown, block_edges(ledger), strict=True):
        lines += _frame(block, borders, bottom, n)
        own_marks, entries = _cells(block, cells, borders)
        marks += own_marks
        texts += _heads(block, borders) + entries
    for k, label in enumerate(labels):
        base = first_line() + (k + 0.5) * STEP + 0.36 * _LABEL_SIZE
        if label:
            size = fitting(label, _LABEL_SIZE, LEFT - 20.0)
            texts.append(Text(label, (LEFT / 2 + 4.0, base), size, 0.0, GREY))
    footer, height = footer_texts(ledger.footer, bottom + 40.0)
    return Layout(height, [*lines, *marks], None, [*texts, *footer])
