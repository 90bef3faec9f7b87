"""The page of a drawing: its lines and texts, title and footer.

Lengths are in units of the page, y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 1000.0
LEFT, RIGHT, TOP, BOTTOM = 60.0, 940.0, 90.0, 730.0
"""The edges of the sheet on the page."""
_FOOTER_STEP = 22.0
_FOOTER_SIZE = 16.0
_TITLE_SIZE = 24.0

INK, RED, GREY, PALE = "#1d2733", "#8c1c1c", "#8a929c", "#d5dade"

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A straight line, its width and its colour."""

    start: Point
    end: Point
    width: float = 1.2
    colour: str = INK


@dataclass(frozen=True)
class Text:
    """A text whose middle of the baseline is ``at``, turned clockwise by ``turn`` degrees."""

    text: str
    at: Point
    size: float
    turn: float = 0.0
    colour: str = INK


@dataclass(frozen=True)
class Layout:
    """All that is drawn on a page ``WIDTH`` wide, in drawing order; the circle is the middle of the
    sheet, where it has one."""

    height: float
    lines: list[Line]
    circle: tuple[Point, float] | None
    texts: list[Text]


def text_width(text: str, size: float) -> float:
    """Room for a text in any usual sans-serif font, a little generous."""
    return size * sum(0.34 if c in ". ,:;il'|" else 0.66 for c in text)


def fitting(text: str, size: float, room: float) -> float:
    """The size at which a text fits into a room: as given, or smaller."""
    return size * min(1.0, room / max(1.0, text_width(text, size)))


def title_text(title: str) -> Text:
    """The title, shrunk to the page."""
    return Text(title, (WIDTH / 2, 34.0), fitting(title, _TITLE_SIZE, WIDTH - 40.0))


def footer_texts(lines: Sequence[str], top: float) -> tuple[list[Text], float]:
    """The lines under a drawing, the first with its base at ``top``, and the height of the page."""
    texts = [
        Text(
            line,
            (WIDTH / 2, top + k * _FOOTER_STEP),
            fitting(line, _FOOTER_SIZE, _FOOTER_SIZE * 55.0),
        )
        for k, line in enumerate(lines)
    ]
    return texts, top + len(lines) * _FOOTER_STEP + 10.0
