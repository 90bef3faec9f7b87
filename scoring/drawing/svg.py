"""The drawn sheet as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from .layout import WORDS, lay_out
from .page import INK, WIDTH, Layout, Line, Text
from .picture import Grid, Ledger, Picture

FONTS = "DejaVu Sans, Verdana, Arial, sans-serif"


def _number(x: float) -> str:
    return f"{x:.1f}".rstrip("0").rstrip(".")


def _said(text: str) -> str:
    """A text as XML content, without characters that XML has not."""
    return escape("".join(c for c in text if c.isprintable()))


def _line(line: Line) -> str:
    ends = zip(("x1", "y1", "x2", "y2"), (*line.start, *line.end), strict=True)
    places = " ".join(f'{key}="{_number(x)}"' for key, x in ends)
    colour = "" if line.colour == INK else f' stroke="{line.colour}"'
    return f'<line {places} stroke-width="{_number(line.width)}"{colour}/>'


def _text(text: Text) -> str:
    x, y = map(_number, text.at)
    turn = f' transform="rotate({_number(text.turn)} {x} {y})"' if text.turn else ""
    look = f'font-size="{_number(text.size)}" fill="{text.colour}"'
    return f'<text x="{x}" y="{y}" {look}{turn}>{_said(text.text)}</text>'


def _circle(layout: Layout) -> list[str]:
    if layout.circle is None:
        return []
    (x, y), radius = layout.circle
    place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
    return [f'<circle {place} fill="#ffffff" stroke="{INK}" stroke-width="1.5"/>']


def svg_sheet(picture: Picture | Grid | Ledger, words: Mapping[str, str] = WORDS) -> str:
    """The sheet as an SVG document."""
    layout = lay_out(picture, words)
    width, height = _number(WIDTH), _number(layout.height)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f"<title>{_said(picture.title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<g stroke="{INK}" stroke-linecap="round">',
        *map(_line, layout.lines),
        "</g>",
        *_circle(layout),
        f'<g font-family="{FONTS}" text-anchor="middle">',
        *map(_text, layout.texts),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
