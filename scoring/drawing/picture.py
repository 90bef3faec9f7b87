"""What a drawn sheet shows: the columns as players write them, without arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PlayerColumns:
    """One player's part: each column is the list of cumulative entries, oldest first.

    ``whists`` is keyed by the index of the player written on.
    """

    name: str
    pool: Sequence[str]
    mountain: Sequence[str]
    whists: Mapping[int, Sequence[str]]


@dataclass(frozen=True)
class Picture:
    """A sheet to draw; 2, 3 or 4 ``players`` in clockwise order.

    ``centre`` is what stands in the middle (the target, the stake); ``footer`` holds lines under
    the drawing, such as the settlement.
    """

    title: str
    players: Sequence[PlayerColumns]
    centre: Sequence[str] = field(default_factory=tuple)
    footer: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class Refet:
    """A mark of the refet game in a contract column: a stroke, crossed once it is used."""

    crossed: bool = False


Cell = str | Refet
"""What stands in a line of a column; an empty text is nothing."""


@dataclass(frozen=True)
class Block:
    """A player's columns in the refet game: ``heads`` over them, the contract column at ``main``.

    ``lines`` are those of :class:`Ledger`, each with a cell for every column.
    """

    name: str
    heads: Sequence[str]
    main: int
    lines: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Ledger:
    """The refet game's sheet to draw: a block of columns for each player, a line for each hand.

    ``labels`` number the lines; the first holds the start of the columns. ``footer`` are lines
    under the drawing.
    """

    title: str
    labels: Sequence[str]
    blocks: Sequence[Block]
    footer: Sequence[str] = field(default_factory=tuple)


MOST_LINES = 60
"""Lines of a ledger that are drawn after its first; the oldest are left out to keep to them."""


def newest_lines(ledger: Ledger) -> tuple[list[str], list[list[Sequence[Cell]]]]:
    """Labels and, by block, lines that are drawn: the first, a dotted one for those left out, the
    newest."""
    n = len(ledger.labels)
    if n <= MOST_LINES + 1:
        return list(ledger.labels), [list(block.lines) for block in ledger.blocks]
    rest = n - MOST_LINES + 1
    labels = [ledger.labels[0], "…", *ledger.labels[rest:]]
    lines = []
    for block in ledger.blocks:
        dots: list[Cell] = ["…"] * len(block.heads)
        lines.append([block.lines[0], dots, *block.lines[rest:]])
    return labels, lines


@dataclass(frozen=True)
class Grid:
    """A table to draw, as razboinik has it: ``rows`` of cells, the first of them the headings.

    The last row holds the sums; ``footer`` are lines under the drawing.
    """

    title: str
    rows: Sequence[Sequence[str]]
    footer: Sequence[str] = field(default_factory=tuple)
