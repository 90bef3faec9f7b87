"""The drawn sheet: everything on it, in its place, turned to its player; SVG, PNG and text."""

from __future__ import annotations

import builtins
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.drawing.grid import STEP, edges
from scoring.drawing.layout import (
    LABEL,
    MOUNTAIN,
    POOL,
    SMALLEST,
    WHISTS,
    lay_out,
    sectors,
    whist_fields,
)
from scoring.drawing.page import LEFT, RIGHT, TOP, Text, text_width
from scoring.drawing.page import WIDTH as PAGE
from scoring.drawing.picture import Grid, Picture, PlayerColumns
from scoring.drawing.png import png_sheet
from scoring.drawing.svg import svg_sheet
from scoring.drawing.text import WIDTH, text_sheet
from scoring.errors import PreferansError

NAMES = ("Anna", "Борис <&>", "Vera", "Gleb")
SETTINGS = settings(derandomize=True, deadline=None, max_examples=60)
SVG = "{http://www.w3.org/2000/svg}"


def a_picture(n: int, count: int, names: Sequence[str] = NAMES) -> Picture:
    """A sheet with ``count`` entries in every column, each number once on the sheet."""
    numbers = iter(range(101, 100_000))

    def column() -> list[str]:
        return [str(next(numbers)) for _ in range(count)]

    players = [
        PlayerColumns(names[i], column(), column(), {j: column() for j in range(n) if j != i})
        for i in range(n)
    ]
    return Picture("A title", players, ("20", "0.5 €"), ("the last line",))


def last_entries(picture: Picture) -> list[str]:
    """The current number of every column."""
    columns = [
        column
        for player in picture.players
        for column in (player.pool, player.mountain, *player.whists.values())
    ]
    return [f"{column[-1]}." for column in columns if column]


def svg_texts(svg: str) -> list[str]:
    """The texts of an SVG document."""
    root = ElementTree.fromstring(svg.encode())
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def corners(text: Text) -> list[tuple[float, float]]:
    """The corners of the room of a text on the page."""
    half = text_width(text.text, text.size) / 2
    angle = math.radians(text.turn)
    cos, sin = math.cos(angle), math.sin(angle)
    box = [(x, y) for x in (-half, half) for y in (-0.75 * text.size, 0.2 * text.size)]
    return [(text.at[0] + x * cos - y * sin, text.at[1] + x * sin + y * cos) for x, y in box]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("count", [0, 1, 5, 15, 60])
def test_everything_is_drawn(n: int, count: int) -> None:
    """Title, names, centre, footer and every current entry, in all three drawings."""
    picture = a_picture(n, count)
    svg = " ".join(svg_texts(svg_sheet(picture)))
    text = text_sheet(picture)
    for word in ("A title", "20", "0.5 €", "the last line", *NAMES[:n], *last_entries(picture)):
        assert word in svg and word in text


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("count", [1, 4, 12, 60])
def test_texts_lie_inside_their_columns(n: int, count: int) -> None:
    """Each text of a column lies in the band of its player and column."""
    picture = a_picture(n, count)
    where = column_keys(picture)
    seen = set()
    for text in lay_out(picture).texts:
        keys = {where[word[:-1]] for word in text.text.split() if word[:-1] in where}
        if not keys:
            continue
        assert len(keys) == 1
        seen |= keys
        check_inside(picture, key_of(picture, keys.pop()), text)
    assert len(seen) == n * (n + 1)


def column_keys(picture: Picture) -> dict[str, int]:
    """Each entry of the sheet and the number of its column."""
    found = {}
    for k, (_, _, column) in enumerate(all_columns(picture)):
        found.update(dict.fromkeys(column, k))
    return found


def all_columns(picture: Picture) -> list[tuple[int, int, Sequence[str]]]:
    """Player, column (0 mountain, 1 pool, 1 + step: whists on the step-th opponent), entries."""
    n = len(picture.players)
    return [
        (i, k, column)
        for i, player in enumerate(picture.players)
        for k, column in enumerate(
            (player.mountain, player.pool, *(player.whists[(i + s) % n] for s in range(1, n)))
        )
    ]


def key_of(picture: Picture, number: int) -> tuple[int, int]:
    """Player and column of a number of :func:`column_keys`."""
    player, column, _ = all_columns(picture)[number]
    return player, column


def check_inside(picture: Picture, key: tuple[int, int], text: Text) -> None:
    """The corners of a text in its player's frame lie within its column."""
    player, column = key
    n = len(picture.players)
    sector = sectors(n)[player]
    inner, outer = (MOUNTAIN, POOL)[column] if column < 2 else WHISTS
    assert text.turn == sector.turn
    for x, y in corners(text):
        dx, dy = x - sector.origin[0], y - sector.origin[1]
        u, v = {0: (dx, dy), 90: (dy, -dx), 180: (-dx, -dy), -90: (-dy, dx)}[sector.turn]
        assert inner * sector.depth - 1 <= v <= outer * sector.depth + 1
        left, right = sector.bounds(v)
        if column >= 2:
            left, right = whist_fields(sector, n)[column - 2].span(v)
        assert left - 1 <= u <= right + 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_parts_are_fair_and_cover_the_sheet(n: int) -> None:
    """All parts are equally large, and together they are the sheet."""
    areas = []
    for sector in sectors(n):
        (a, b), (c, d) = sector.bounds(0), sector.bounds(sector.depth)
        areas.append(((b - a) + (d - c)) / 2 * sector.depth)
    assert sum(areas) == pytest.approx(880 * 640)
    assert max(areas) == pytest.approx(min(areas))


def test_the_next_player_sits_to_the_left() -> None:
    """Clockwise from the bottom: left, top, right; whists on him stand on the left.

    Two face each other.
    """
    assert [s.turn for s in sectors(2)] == [0, 180]
    assert [s.turn for s in sectors(4)] == [0, 90, 180, -90]
    assert [s.turn for s in sectors(3)] == [0, 90, -90]
    for n in (3, 4):
        sector = sectors(n)[0]
        fields = whist_fields(sector, n)
        assert fields[0].span(sector.depth)[0] == sector.bounds(sector.depth)[0]
        assert fields[-1].span(sector.depth)[1] == sector.bounds(sector.depth)[1]


def test_long_columns_shrink_and_then_lose_the_oldest() -> None:
    """Numbers are never set smaller than legible; what is left out is marked."""
    sizes = {}
    for count in (1, 12, 300):
        texts = [
            t for t in lay_out(a_picture(4, count)).texts if t.text[:-1].split(".")[0].isdigit()
        ]
        sizes[count] = min(text.size for text in texts if text.text.endswith("."))
    assert sizes[1] > sizes[12] >= sizes[300] >= SMALLEST > LABEL
    many = a_picture(4, 300)
    assert any(text.text.startswith("…") for text in lay_out(many).texts)
    assert "…" in text_sheet(many)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("width", [60, 80, WIDTH, 140])
def test_the_text_drawing_keeps_its_width(n: int, width: int) -> None:
    """No line is longer, the boxes are whole, and long names are cut."""
    names = ["A name that never seems to come to its end, " * 2] * n
    text = text_sheet(a_picture(n, 40, names), width)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("┌") == text.count("┐") == text.count("└") == text.count("┘") == n


def test_boxes_of_two_face_each_other() -> None:
    """In the text drawing the second player sits opposite, the target between them."""
    lines = text_sheet(a_picture(2, 2)).splitlines()
    (top,) = [k for k, line in enumerate(lines) if NAMES[1] in line and "┌" in line]
    (bottom,) = [k for k, line in enumerate(lines) if NAMES[0] in line and "┌" in line]
    (middle,) = [k for k, line in enumerate(lines) if line.strip() == "20"]
    assert top < middle < bottom


# Tables


def a_grid(names: Sequence[str] = NAMES[:2]) -> Grid:
    """A table of six rows with numbers of their own, an empty cell, and sums."""
    rows = [[f"{level} (2)", str(100 + level), str(200 + level)] for level in range(6, 12)]
    rows[1][2] = ""
    return Grid("A title", [["game", *names], *rows, ["sum", "300", "400"]], ("the last line",))


def test_a_table_is_drawn() -> None:
    """Each cell lies in its row and column; title and footer stand above and below."""
    grid = a_grid()
    layout = lay_out(grid)
    assert layout.circle is None
    borders = edges(3)
    assert borders[0] == LEFT and borders[-1] == pytest.approx(RIGHT)
    places = {text.text: text for text in layout.texts}
    assert len(places) == 3 * 8 - 1 + 2
    for k, row in enumerate(grid.rows):
        for j, cell in enumerate(row):
            if cell:
                for x, y in corners(places[cell]):
                    assert borders[j] < x < borders[j + 1]
                    assert TOP + k * STEP < y < TOP + (k + 1) * STEP
    assert places["A title"].at[1] < TOP
    assert TOP + 8 * STEP < places["the last line"].at[1] < layout.height
    assert len(layout.lines) == 9 + 4 + 2


def test_a_table_in_every_drawing() -> None:
    """Every cell stands in SVG and in text; long names shrink, and are cut in the text."""
    names = ("A name that never seems to come to its end", NAMES[1])
    for grid in (a_grid(), a_grid(names)):
        texts = svg_texts(svg_sheet(grid))
        assert all(cell in texts for row in grid.rows for cell in row if cell)
        assert "<circle" not in svg_sheet(grid)
    text = text_sheet(a_grid(names), 60)
    assert max(map(len, text.splitlines())) <= 60 and "…" in text
    assert all(f"│ {level:>3}" in text or str(level) in text for level in range(106, 112))
    assert text.count("┌") == text.count("┘") == 1 and text.count("├") == 2


def test_words_may_be_others() -> None:
    """The drawing in Russian has no English words."""
    words = {"pool": "пуля", "mountain": "гора", "whists": "висты на"}
    picture = a_picture(3, 2)
    for drawn in (" ".join(svg_texts(svg_sheet(picture, words))), text_sheet(picture, words=words)):
        assert all(word in drawn for word in words.values())
        assert not any(word in drawn for word in ("pool", "mountain", "whists"))


@pytest.mark.parametrize("kind", ["sheet", "table"])
def test_png(kind: str) -> None:
    """A PNG of two dots a unit, the same bytes each time."""
    pytest.importorskip("matplotlib")
    picture = a_picture(4, 6) if kind == "sheet" else a_grid()
    data = png_sheet(picture)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    layout = lay_out(picture)
    size = [int.from_bytes(data[k : k + 4]) for k in (16, 20)]
    assert size == pytest.approx([2 * PAGE, 2 * layout.height], abs=1)
    assert png_sheet(picture) == data


def test_png_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PreferansError, match=r"a PNG needs matplotlib: pip install"):
        png_sheet(a_picture(3, 1))


ENTRY = st.one_of(
    st.integers(-10_000, 100_000).map(str), st.sampled_from(["-6", "12½", "3 1/12", "0"])
)
COLUMN = st.lists(ENTRY, max_size=50)
WORD = st.text(min_size=1, max_size=60)


@SETTINGS
@given(st.data(), st.integers(2, 4))
def test_any_sheet(data: st.DataObject, n: int) -> None:
    """Nothing raises; the SVG is well formed; every current entry is on both drawings."""
    players = [
        PlayerColumns(
            data.draw(WORD),
            data.draw(COLUMN),
            data.draw(COLUMN),
            {j: data.draw(COLUMN) for j in range(n) if j != i},
        )
        for i in range(n)
    ]
    picture = Picture(data.draw(WORD), players, data.draw(st.lists(WORD, max_size=3)))
    svg = " ".join(svg_texts(svg_sheet(picture)))
    text = text_sheet(picture)
    for entry in last_entries(picture):
        assert entry in svg and entry in text
