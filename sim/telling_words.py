"""Pieces of a deal told in words: lines with a heading, what players said, exact amounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from scoring.result import UNIT
from scoring.tables import format_exact

from .records.words import told_owner
from .show import Step


def twelfths(value: Any) -> str:
    """An amount in twelfths as an exact number."""
    return format_exact(Fraction(int(value), UNIT))


def by_player(words: Sequence[str]) -> str:
    """What belongs to each player; nothing where there is no word."""
    return ", ".join(f"player {player}: {word}" for player, word in enumerate(words) if word)


def said(steps: Sequence[Step]) -> str:
    """Who said what."""
    return ", ".join(f"{told_owner(step.owner)}: {step.word}" for step in steps)


def laid(steps: Sequence[Step]) -> str:
    """Cards one after the other."""
    return " ".join(step.word for step in steps)


def heading(name: str, text: str) -> Iterator[str]:
    """A line under its name; none without a text."""
    if text:
        yield f"{name:9} {text}"
