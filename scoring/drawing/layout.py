"""Geometry of the drawn sheet: lines and texts, from which SVG and PNG are both made.

A player's part is laid out in his own frame: ``u`` runs along his edge from his left to his right,
``v`` from the centre of the sheet to his edge. His digits stand with their base toward him (Code of
Preferans 4.2.5). Nearest the centre is his mountain, then his pool, at his edge his whists, one
part for each opponent on that opponent's side. Lengths are in units of the page, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .grid import lay_out_grid
from .ledger import lay_out_ledger
from .page import (
    BOTTOM,
    GREY,
    INK,
    LEFT,
    RED,
    RIGHT,
    TOP,
    Layout,
    Line,
    Point,
    Text,
    footer_texts,
    text_width,
    title_text,
)
from .picture import Grid, Ledger, Picture, PlayerColumns

MOUNTAIN, POOL, WHISTS = (0.17, 0.42), (0.42, 0.66), (0.66, 1.0)
"""Where a column begins and ends, as parts of the way from the centre to the edge."""

LARGEST, SMALLEST = 22.0, 11.0
LABEL = 10.0
MARGIN = 8.0

WORDS: Mapping[str, str] = {"pool": "pool", "mountain": "mountain", "whists": "whists on"}
"""Words printed in the drawing."""


@dataclass(frozen=True)
class Sector:
    """A player's part: its frame on the page, and its bounds ``left + left_slope * v`` ...."""

    origin: Point
    turn: int
    depth: float
    left: float
    left_slope: float
    right: float
    right_slope: float

    def place(self, u: float, v: float) -> Point:
        """A point of the frame on the page."""
        x, y = self.origin
        offsets = {0: (u, v), 90: (-v, u), 180: (-u, -v), -90: (v, -u)}
        dx, dy = offsets[self.turn]
        return x + dx, y + dy

    def bounds(self, v: float) -> tuple[float, float]:
        """Where the part begins and ends at a depth."""
        return self.left + self.left_slope * v, self.right + self.right_slope * v


def sectors(n_players: int) -> list[Sector]:
    """The parts in clockwise order from the player at the bottom.

    Two: halves that face each other. Four: the diagonals divide the sheet. Three: rays to the lower
    corners and straight up, the centre placed so that all parts are equally large.
    """
    middle = (LEFT + RIGHT) / 2
    half = (RIGHT - LEFT) / 2
    rise = (BOTTOM - TOP) / 2
    if n_players == 2:
        centre = (middle, (TOP + BOTTOM) / 2)
        return [Sector(centre, turn, rise, -half, 0, half, 0) for turn in (0, 180)]
    if n_players == 4:
        centre = (middle, (TOP + BOTTOM) / 2)
        across, along = half / rise, rise / half
        return [
            Sector(centre, 0, rise, 0, -across, 0, across),
            Sector(centre, 90, half, 0, -along, 0, along),
            Sector(centre, 180, rise, 0, -across, 0, across),
            Sector(centre, -90, half, 0, -along, 0, along),
        ]
    above = (BOTTOM - TOP) / 3
    below = BOTTOM - TOP - above
    centre = (middle, TOP + above)
    slope = below / half
    return [
        Sector(centre, 0, below, 0, -half / below, 0, half / below),
        Sector(centre, 90, half, -above, 0, 0, slope),
        Sector(centre, -90, half, 0, -slope, above, 0),
    ]


@dataclass(frozen=True)
class Field:
    """The room for one column: a band of a sector, or a part of a band."""

    sector: Sector
    inner: float
    outer: float
    part: tuple[float, float] = (0.0, 1.0)

    def span(self, v: float) -> tuple[float, float]:
        """Where the field begins and ends at a depth."""
        left, right = self.sector.bounds(v)
        first, last = self.part
        return left + first * (right - left), left + last * (right - left)

    def room(self, top: float, bottom: float) -> tuple[float, float]:
        """Middle and length free for a line of text between two depths."""
        spans = (self.span(top), self.span(bottom))
        left = max(span[0] for span in spans) + MARGIN
        right = min(span[1] for span in spans) - MARGIN
        return (left + right) / 2, max(0.0, right - left)


def fill_lines(entries: Sequence[str], lengths: Sequence[float], size: float) -> list[str] | None:
    """The entries wrapped into lines of those lengths; None if they do not fit."""
    lines = [""] * len(lengths)
    k = 0
    for entry in entries:
        while k < len(lines):
            longer = f"{lines[k]} {entry}".lstrip()
            if text_width(longer, size) <= lengths[k]:
                lines[k] = longer
                break
            k += 1
        else:
            return None
    return lines


def _write(field: Field, entries: Sequence[str], colour: str) -> list[Text]:
    """A column's entries with dots: as large as they fit; the oldest are left out if they must."""
    said = [f"{entry}." for entry in entries]
    size = LARGEST
    while size >= SMALLEST:
        texts = _set_lines(field, said, size, colour)
        if texts is not None:
            return texts
        size -= 1.0
    kept: list[Text] | None = None
    first, last = 1, len(said)
    while first < last:
        middle = (first + last) // 2
        texts = _set_lines(field, ["…", *said[middle:]], SMALLEST, colour)
        if texts is None:
            first = middle + 1
        else:
            kept, last = texts, middle
    return kept or _set_lines(field, said[-1:], SMALLEST / 2, colour) or []


def _set_lines(field: Field, tokens: Sequence[str], size: float, colour: str) -> list[Text] | None:
    """The tokens set in a field below its label; None if they do not fit in that size."""
    step = 1.15 * size
    inner, outer = field.inner + LABEL + 6, field.outer - 5
    tops = [inner + k * step for k in range(int((outer - inner) / step))]
    rooms = [field.room(top, top + step) for top in tops]
    lines = fill_lines(tokens, [length for _, length in rooms], size)
    if lines is None:
        return None
    turn = field.sector.turn
    return [
        Text(line, field.sector.place(middle, top + 0.9 * size), size, turn, colour)
        for line, top, (middle, _) in zip(lines, tops, rooms, strict=True)
        if line
    ]


def _label(field: Field, text: str) -> list[Text]:
    """A small word at the inner border of a field, shortened to its room."""
    v = field.inner + LABEL + 2
    middle, length = field.room(field.inner, v)
    while text and text_width(text, LABEL) > length:
        text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
    place = field.sector.place(middle, v)
    return [Text(text, place, LABEL, field.sector.turn, GREY)] if text else []


def _band(sector: Sector, parts: tuple[float, float]) -> Field:
    return Field(sector, parts[0] * sector.depth, parts[1] * sector.depth)


def whist_fields(sector: Sector, n_players: int) -> list[Field]:
    """The whist parts from the player's left to his right: his opponents in clockwise order."""
    band = _band(sector, WHISTS)
    n = n_players - 1
    return [Field(sector, band.inner, band.outer, (k / n, (k + 1) / n)) for k in range(n)]


def _player_texts(
    picture: Picture, player: int, sector: Sector, words: Mapping[str, str]
) -> list[Text]:
    columns: PlayerColumns = picture.players[player]
    n = len(picture.players)
    texts = []
    for key, parts, entries, colour in (
        ("mountain", MOUNTAIN, columns.mountain, RED),
        ("pool", POOL, columns.pool, INK),
    ):
        field = _band(sector, parts)
        texts += _label(field, words[key]) + _write(field, entries, colour)
    for step, field in enumerate(whist_fields(sector, n), 1):
        other = (player + step) % n
        texts += _label(field, f"{words['whists']} {picture.players[other].name}")
        texts += _write(field, columns.whists.get(other, ()), INK)
    left, right = sector.bounds(sector.depth)
    name = sector.place((left + right) / 2, sector.depth + 24)
    return [*texts, Text(columns.name, name, 20.0, sector.turn)]


def _sector_lines(sector: Sector, n_players: int) -> list[Line]:
    """The part's border, and the lines between its columns and between opponents."""
    ends = [(v, bound) for v in (0.0, sector.depth) for bound in sector.bounds(v)]
    corners = [sector.place(bound, v) for v, bound in ends]
    border = [(corners[i], corners[j]) for i, j in ((0, 2), (2, 3), (3, 1), (1, 0))]
    lines = [Line(start, end, 2.0) for start, end in border if start != end]
    for part in (MOUNTAIN[1], POOL[1]):
        v = part * sector.depth
        left, right = sector.bounds(v)
        lines.append(Line(sector.place(left, v), sector.place(right, v), 1.0))
    for field in whist_fields(sector, n_players)[1:]:
        inner, outer = (sector.place(field.span(v)[0], v) for v in (field.inner, field.outer))
        lines.append(Line(inner, outer, 1.0))
    return lines


def lay_out(picture: Picture | Grid | Ledger, words: Mapping[str, str] = WORDS) -> Layout:
    """The whole page: title, sheet or table, names, footer."""
    if isinstance(picture, Ledger):
        return lay_out_ledger(picture)
    if isinstance(picture, Grid):
        return lay_out_grid(picture)
    n = len(picture.players)
    parts = sectors(n)
    lines: list[Line] = []
    texts = [title_text(picture.title)]
    for player, sector in enumerate(parts):
        lines += _sector_lines(sector, n)
        texts += _player_texts(picture, player, sector, words)
    centre = parts[0].origin
    radius = 0.8 * MOUNTAIN[0] * min(sector.depth for sector in parts)
    for k, text in enumerate(picture.centre):
        size = min(22.0 - 8.0 * min(k, 1), 1.7 * radius / max(1.0, text_width(text, 1.0)))
        offset = 7.0 + 18.0 * k - 9.0 * (len(picture.centre) - 1)
        texts.append(Text(text, (centre[0], centre[1] + offset), size))
    footer, height = footer_texts(picture.footer, BOTTOM + 64.0)
    return Layout(height, lines, (centre, radius), [*texts, *footer])
