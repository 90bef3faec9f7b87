"""The drawn sheet for the terminal: the players' boxes round the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .layout import WORDS
from .picture import Block, Cell, Grid, Ledger, Picture, Refet, newest_lines

WIDTH = 100
MOST_LINES = 3
"""Lines of a column; the oldest entries are left out to keep to them."""


def _wrap(label: str, entries: Sequence[str], width: int) -> list[str]:
    """A column after its label, in at most ``MOST_LINES`` lines that keep the newest entries."""
    tokens = [f"{entry}." for entry in entries]
    for dropped in range(len(tokens) + 1):
        shown = tokens if dropped == 0 else ["…", *tokens[dropped:]]
        lines = [label]
        for token in shown:
            if len(lines[-1]) + 1 + len(token) <= width:
                lines[-1] += f" {token}"
            else:
                lines.append(f"  {token}")
        if len(lines) <= MOST_LINES and all(len(line) <= width for line in lines):
            return lines
    return [_cut(label, width)]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _box(picture: Picture, player: int, width: int, words: Mapping[str, str]) -> list[str]:
    """A player's box: his name in its upper border, his columns inside."""
    columns = picture.players[player]
    n = len(picture.players)
    inner = width - 4
    rows = _wrap(words["mountain"], columns.mountain, inner)
    rows += _wrap(words["pool"], columns.pool, inner)
    for step in range(1, n):
        other = (player + step) % n
        label = _cut(f"{words['whists']} {picture.players[other].name}", inner - 9)
        rows += _wrap(label, columns.whists.get(other, ()), inner)
    name = _cut(columns.name, inner - 2)
    top = f"┌─ {name} " + "─" * (width - 5 - len(name)) + "┐"
    return [top, *(f"│ {row.ljust(inner)} │" for row in rows), "└" + "─" * (width - 2) + "┘"]


def _beside(left: list[str], centre: list[str], right: list[str], width: int) -> list[str]:
    """Two boxes at the sides, and the centre between them at half their height."""
    height = max(len(left), len(right))
    gap = width - len(left[0]) - len(right[0])
    rows = [[" " * len(left[0])] * height, [""] * height, [" " * len(right[0])] * height]
    rows[0][: len(left)] = left
    rows[2][: len(right)] = right
    first = max(0, (height - len(centre)) // 2)
    for k, line in enumerate(centre[:height]):
        rows[1][first + k] = _cut(line, max(1, gap - 2))
    return [(a + b.center(gap) + c).rstrip() for a, b, c in zip(*rows, strict=True)]


def _rule(corners: str, widths: Sequence[int]) -> str:
    """A line of a frame; ``corners``: at its left end, between columns, at its right end."""
    return corners[0] + corners[1].join("─" * (width + 2) for width in widths) + corners[2]


def _text_grid(grid: Grid, width: int) -> str:
    """A table in a frame, ruled under its headings and above its sums; long names are cut."""
    most = width - 3 * len(grid.rows[0]) - 1
    first = max(len(row[0]) for row in grid.rows)
    room = max(1, (most - first) // (len(grid.rows[0]) - 1))
    rows = [[row[0], *(_cut(cell, room) for cell in row[1:])] for row in grid.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_rule("┌┬┐", widths)]
    for k, (game, *cells) in enumerate(rows):
        if k in (1, len(rows) - 1):
            lines.append(_rule("├┼┤", widths))
        numbers = (cell.rjust(size) for cell, size in zip(cells, widths[1:], strict=True))
        lines.append(f"│ {' │ '.join([game.ljust(widths[0]), *numbers])} │")
    lines.append(_rule("└┴┘", widths))
    return "\n".join([_cut(grid.title, width), "", *lines, "", *grid.footer])


STROKE, CROSSED = "────", "─╱──"
"""A refet in the text drawing, and one that is used."""


def _said(cell: Cell) -> str:
    if isinstance(cell, Refet):
        return CROSSED if cell.crossed else STROKE
    return cell


def _ledger_block(block: Block, lines: Sequence[Sequence[Cell]], width: int) -> list[str]:
    """A player's columns in a frame, his name in its upper border."""
    cells = [[_said(cell) for cell in line] for line in lines]
    room = max(1, (width - 1) // len(block.heads) - 3)
    heads = [_cut(head, min(room, 9)) for head in block.heads]
    rows = [[_cut(cell, room) for cell in row] for row in (heads, *cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    inner = sum(widths) + 3 * len(widths) - 1
    name = _cut(block.name, inner - 4)
    drawn = [f"┌─ {name} " + "─" * (inner - 3 - len(name)) + "┐"]
    for row in rows:
        said = (cell.rjust(size) for cell, size in zip(row, widths, strict=True))
        drawn.append(f"│ {' │ '.join(said)} │")
    return [*drawn[:2], _rule("├┼┤", widths), *drawn[2:], _rule("└┴┘", widths)]


def _text_ledger(ledger: Ledger, width: int) -> str:
    """The players' columns side by side, as many in a row as there is room for."""
    labels, shown = newest_lines(ledger)
    margin = max(map(len, labels)) + 1
    rows: list[list[str]] = []
    for block, lines in zip(ledger.blocks, shown, strict=True):
        drawn = _ledger_block(block, lines, width - margin)
        if rows and len(rows[-1][0]) + 2 + len(drawn[0]) <= width:
            rows[-1] = [f"{left}  {right}" for left, right in zip(rows[-1], drawn, strict=True)]
        else:
            numbers = ["", "", "", *labels, ""]
            rows.append([f"{k:>{margin - 1}} {one}" for k, one in zip(numbers, drawn, strict=True)])
    bands = [line for band in rows for line in (*band, "")]
    return "\n".join([_cut(ledger.title, width), "", *bands, *ledger.footer])


def text_sheet(
    picture: Picture | Grid | Ledger, width: int = WIDTH, words: Mapping[str, str] = WORDS
) -> str:
    """The sheet drawn with box characters, at most ``width`` (60 or more) columns wide."""
    if isinstance(picture, Grid):
        return _text_grid(picture, width)
    if isinstance(picture, Ledger):
        return _text_ledger(picture, width)
    n = len(picture.players)
    side = (width - 12) // 2
    middle = min(width, side + 10)
    bottom = _box(picture, 0, middle, words)
    lines = [_cut(picture.title, width), ""]
    if n != 3:
        top = _box(picture, n // 2, middle, words)
        lines += [line.center(width).rstrip() for line in top]
    if n == 2:
        lines += [_cut(line, width).center(width).rstrip() for line in picture.centre]
    else:
        left, right = (_box(picture, player, side, words) for player in (1, n - 1))
        lines += _beside(left, list(picture.centre), right, width)
    lines += [line.center(width).rstrip() for line in bottom]
    return "\n".join([*lines, "", *picture.footer])
