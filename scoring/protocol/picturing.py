"""A kept pulka as a picture to draw: each column's cumulative entries in order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..drawing.picture import Picture, PlayerColumns
from ..tables import format_exact
from .keeping import Pulka, Step
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


def make_picture(pulka: Pulka, language: str = "en", terminal: bool = False) -> Picture:
    """The drawing of a pulka; for the terminal the footer is the whole settlement."""
    words = Words(language)
    centre = [str(pulka.sheet.target)]
    if pulka.protocol.stake is not None:
        centre.append(pulka.protocol.stake_text())
    if terminal:
        footer = settlement_text(pulka, words).splitlines()
    else:
        told = told_by_name(pulka.names, pulka.sheet.settle())
        footer = [f"{words('result')}: {told}", *payment_lines(pulka, words)]
    return Picture(
        heading(pulka, words, language),
        [_columns(pulka, player) for player in range(len(pulka.names))],
        centre,
        footer,
    )
