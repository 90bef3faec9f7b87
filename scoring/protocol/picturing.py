"""A kept pulka as a picture to draw: each column's cumulative entries in order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..drawing.picture import Grid, Picture, PlayerColumns
from ..tables import format_exact
from .keeping import Pulka, Step
from .row_telling import table_rows, winner_line
from .telling import heading, payment_lines, settlement_text, told_by_name
from .words import Words

_PICTURE_WORDS = ("pool", "mountain", "whists")


def picture_words(language: str) -> dict[str, str]:
    """The words printed in the drawing."""
    words = Words(language)
    return {key: words(key) for key in _PICTURE_WORDS}


def _cumulative(values: Sequence[Fraction]) -> list[str]:
    """The entries a column got: its value each time it changed, beginning from nothing."""
    entries = []
    before = Fraction(0)
    for value in values:
        if value != before:
            entries.append(format_exact(value))
        before = value
    return entries


def _columns(pulka: Pulka, player: int) -> PlayerColumns:
    name = pulka.names[player]
    start = Fraction(pulka.protocol.variant.conventions["start.mountain"])
    seen = [(step, step.names.index(name)) for step in pulka.steps if name in step.names]

    def whists(step: Step, own: int, other: str) -> Fraction:
        return step.whists[own][step.names.index(other)] if other in step.names else Fraction(0)

    first = [start] if name in pulka.protocol.players else []
    return PlayerColumns(
        name,
        _cumulative([step.pool[i] for step, i in seen]),
        _cumulative([*first, *(step.mountain[i] for step, i in seen)]),
        {
            j: _cumulative([whists(step, i, other) for step, i in seen])
            for j, other in enumerate(pulka.names)
            if j != player
        },
    )


def make_picture(pulka: Pulka, language: str = "en", terminal: bool = False) -> Picture | Grid:
    """The drawing of a pulka; for the terminal the footer is the whole settlement."""
    words = Words(language)
    title = heading(pulka, words, language)
    footer = settlement_text(pulka, words).splitlines() if terminal else _footer(pulka, words)
    variant = pulka.protocol.variant
    if not variant.has_pool:
        return Grid(title, table_rows(variant, pulka.sheet.rows, pulka.names, words), footer)
    centre = [str(pulka.sheet.target)]
    if pulka.protocol.stake is not None:
        centre.append(pulka.protocol.stake_text())
    columns = [_columns(pulka, player) for player in range(len(pulka.names))]
    return Picture(title, columns, centre, footer)


def _footer(pulka: Pulka, words: Words) -> list[str]:
    """The results in a few lines."""
    if not pulka.protocol.variant.has_pool:
        told = winner_line(pulka.sheet.settlement(), pulka.names, words)
        return [told, *payment_lines(pulka, words)]
    told = told_by_name(pulka.names, pulka.sheet.settle())
    return [f"{words('result')}: {told}", *payment_lines(pulka, words)]
