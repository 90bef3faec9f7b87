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
class Grid:
    """A table to draw, as razboinik has it: ``rows`` of cells, the first of them the headings.

    The last row holds the sums; ``footer`` are lines under the drawing.
    """

    title: str
    rows: Sequence[Sequence[str]]
    footer: Sequence[str] = field(default_factory=tuple)
