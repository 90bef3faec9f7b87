"""The drawn sheet as PNG, by matplotlib (the extra ``plot``)."""

from __future__ import annotations

import io
from collections.abc import Mapping

from ..errors import PreferansError
from .layout import WORDS, lay_out
from .page import INK, WIDTH
from .picture import Grid, Ledger, Picture

DOTS_PER_UNIT = 2.0
_DPI = 100.0
_POINTS = 72.0 / _DPI
"""Points of type in a unit of the page."""


def png_sheet(picture: Picture | Grid | Ledger, words: Mapping[str, str] = WORDS) -> bytes:
    """The sheet as a PNG of two dots a unit. PreferansError without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import Circle
    except ImportError:
        raise PreferansError(
            'a PNG needs matplotlib: pip install "preferans[plot]", or write an .svg'
        ) from None
    layout = lay_out(picture, words)
    figure = Figure(figsize=(WIDTH / _DPI, layout.height / _DPI))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(layout.height, 0)
    axes.axis("off")
    for line in layout.lines:
        xs, ys = zip(line.start, line.end, strict=True)
        axes.plot(xs, ys, color=line.colour, linewidth=line.width * _POINTS, solid_capstyle="round")
    if layout.circle is not None:
        at, radius = layout.circle
        axes.add_patch(
            Circle(at, radius, facecolor="white", edgecolor=INK, linewidth=1.5 * _POINTS, zorder=3)
        )
    for text in layout.texts:
        axes.text(
            *text.at,
            text.text,
            fontsize=text.size * _POINTS,
            color=text.colour,
            rotation=-text.turn,
            rotation_mode="anchor",
            horizontalalignment="center",
            verticalalignment="baseline",
            parse_math=False,
            zorder=4,
        )
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=_DPI * DOTS_PER_UNIT, metadata={"Software": None})
    return out.getvalue()
