"""A kept pulka as a picture to draw: each column's cumulative entries in order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..drawing.picture import Block, Cell, Grid, Ledger, Picture, PlayerColumns, Refet
from ..tables import format_exact
from .keeping import Pulka, Step
from .refet_telling import terms_lines
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


def _refet_lines(pulka: Pulka, player: int) -> dict[int, Refet]:
    """The player's refets by the number of the entry that gave them; the oldest are used first."""
    marks: dict[int, Refet] = {}
    for step in pulka.deals():
        if step.gave_refets and step.refets[player] > sum(not x.crossed for x in marks.values()):
            marks[step.number] = Refet()
        if step.used_refet and step.result is not None and step.result.declarer == player:
            first = next(number for number, mark in marks.items() if not mark.crossed)
            marks[first] = Refet(crossed=True)
    return marks


def _block(pulka: Pulka, player: int, words: Words) -> Block:
    """A player's columns: soup on the next, contracts, soup on the others; a line for each entry
    in which it changes."""
    n = len(pulka.names)
    others = [(player + step) % n for step in range(1, n)]
    columns = [others[0], -1, *others[1:]]
    heads = [words("contracts") if j < 0 else pulka.names[j] for j in columns]
    start = Fraction(pulka.sheet.target)
    before = [start if j < 0 else Fraction(0) for j in columns]
    lines: list[list[Cell]] = [[format_exact(start) if j < 0 else "" for j in columns]]
    marks = _refet_lines(pulka, player)
    for step in pulka.deals():
        after = [step.mountain[player] if j < 0 else step.whists[player][j] for j in columns]
        line: list[Cell] = [
            format_exact(x) if x != y else "" for x, y in zip(after, before, strict=True)
        ]
        if step.number in marks:
            line[1] = marks[step.number]
        lines.append(line)
        before = after
    return Block(pulka.names[player], heads, 1, lines)


def make_picture(
    pulka: Pulka, language: str = "en", terminal: bool = False
) -> Picture | Grid | Ledger:
    """The drawing of a pulka; for the terminal the footer is the whole settlement."""
    words = Words(language)
    title = heading(pulka, words, language)
    footer = settlement_text(pulka, words).splitlines() if terminal else _footer(pulka, words)
    variant = pulka.protocol.variant
    if variant.has_columns:
        labels = ["", *(str(step.number) for step in pulka.deals())]
        blocks = [_block(pulka, player, words) for player in range(len(pulka.names))]
        return Ledger(title, labels, blocks, footer)
    if not variant.has_pool:
        return Grid(title, table_rows(variant, pulka.sheet.rows, pulka.names, words), footer)
    centre = [str(pulka.sheet.target)]
    if pulka.protocol.stake is not None:
        centre.append(pulka.protocol.stake_text())
    columns = [_columns(pulka, player) for player in range(len(pulka.names))]
    return Picture(title, columns, centre, footer)


def _footer(pulka: Pulka, words: Words) -> list[str]:
    """The results in a few lines."""
    if pulka.protocol.variant.has_columns:
        terms = terms_lines(pulka.sheet.settlement(), pulka.names)
        return [*terms, *payment_lines(pulka, words)]
    if not pulka.protocol.variant.has_pool:
        told = winner_line(pulka.sheet.settlement(), pulka.names, words)
        return [told, *payment_lines(pulka, words)]
    told = told_by_name(pulka.names, pulka.sheet.settle())
    return [f"{words('result')}: {told}", *payment_lines(pulka, words)]
