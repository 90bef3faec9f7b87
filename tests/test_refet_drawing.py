"""The drawn sheet of the refet game: lines of hands, strokes for refets; SVG, PNG and text."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from score_bridge import example, game

from scoring.drawing.ledger import STEP, block_edges, first_line, lay_out_ledger
from scoring.drawing.page import RED
from scoring.drawing.picture import MOST_LINES, Ledger, Refet
from scoring.drawing.png import png_sheet
from scoring.drawing.svg import svg_sheet
from scoring.drawing.text import CROSSED, STROKE, text_sheet
from scoring.protocol.keeping import Pulka
from scoring.protocol.picturing import make_picture


def ledger(pulka: Pulka) -> Ledger:
    picture = make_picture(pulka)
    assert isinstance(picture, Ledger)
    return picture


def test_the_picture_of_lesnoys_example() -> None:
    """Each hand in its line, soup and contracts in their columns; refets as strokes."""
    picture = ledger(example("lesnoy.toml"))
    a, b, c = picture.blocks
    assert picture.labels == ["", "1", "2", "3", "4"]
    assert [a.heads, b.heads, c.heads] == [
        ["B", "contracts", "C"],
        ["C", "contracts", "A"],
        ["A", "contracts", "B"],
    ]
    assert a.lines == [
        ["", "30", ""],
        ["", "", "12"],
        ["", "", ""],
        ["", Refet(crossed=True), ""],
        ["", "10", ""],
    ]
    assert [line[1] for line in b.lines] == ["30", "", "20", Refet(), ""]
    assert [line[0] for line in c.lines] == ["", "", "", "", "60"]
    assert [line[2] for line in c.lines] == ["", "", "30", "", ""]
    assert picture.footer[0] == "A: 80+12-60 = +32"


def test_strokes_are_drawn() -> None:
    """A stroke for each refet in its column and line, a red one across what is used."""
    picture = ledger(example("lesnoy.toml"))
    layout = lay_out_ledger(picture)
    across = [line for line in layout.lines if line.colour == RED]
    level = [line for line in layout.lines if line.width > 2 and line.start[1] == line.end[1]]
    assert len(across) == 1 and len(level) == 3
    top = first_line() + 3 * STEP
    for line, borders in zip(level, block_edges(picture), strict=True):
        assert borders[1] < line.start[0] < line.end[0] < borders[2]
        assert line.start[1] == top + STEP / 2
    (x, y), (x2, y2) = across[0].start, across[0].end
    assert block_edges(picture)[0][1] < x < x2 < block_edges(picture)[0][2]
    assert top < y2 < y < top + STEP
    svg = svg_sheet(picture)
    assert svg.count(f'stroke="{RED}"') == 1
    ElementTree.fromstring(svg.encode())


@pytest.mark.parametrize("name", ["lesnoy.toml", "novisad.toml"])
@pytest.mark.parametrize("width", [60, 100, 140])
def test_the_drawing_in_text(name: str, width: int) -> None:
    """Boxes for three and four players, never wider; the strokes of the refets."""
    pulka = example(name)
    drawn = text_sheet(make_picture(pulka, terminal=True), width)
    boxes = [line for line in drawn.splitlines() if "│" in line or "─ " in line]
    assert max(map(len, boxes)) <= width
    assert drawn.count("┌") == drawn.count("┘") == len(pulka.names)
    assert drawn.count(STROKE) > 0
    assert drawn.count(CROSSED) == sum(step.used_refet for step in pulka.steps) > 0
    for line in ("result, whists", *pulka.names):
        assert line in drawn


def test_a_drawing_in_png() -> None:
    """Of four players, the same bytes each time."""
    pytest.importorskip("matplotlib")
    picture = ledger(example("novisad.toml"))
    data = png_sheet(picture)
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and png_sheet(picture) == data


def test_a_long_drawing_keeps_the_newest() -> None:
    """The start, a line of dots, and the newest lines; every cell in its place and legible."""
    hands = ["Anna clubs/=, Boris comes 2, Vera comes 2", "Anna clubs/-1, Boris comes 5, Vera pass"]
    picture = ledger(game(*hands * 50, variant="serbian", pool=100))
    layout = lay_out_ledger(picture)
    texts = [text.text for text in layout.texts]
    assert "100" in texts and "1" not in texts and "…" in texts
    assert f"{2 * 50}" in texts and sum(text == "…" for text in texts) == 1 + 9
    assert text_sheet(picture).count("\n") < MOST_LINES + 20
    edges = block_edges(picture)
    for text in layout.texts:
        if text.text.isdigit() and text.at[0] > 60:
            inside = [b for b in edges if b[0] < text.at[0] < b[-1]]
            assert len(inside) == 1 and text.size >= 11
