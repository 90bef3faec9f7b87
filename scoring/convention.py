"""What a convention is: how it is written in TOML, checked, and packed for kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import quoted

LEVELS = (6, 7, 8, 9, 10)
MAX_PROGRESSION = 8
"""Longest list of raspas multipliers or exits; the last entry repeats for ever."""

BY_LEVEL, INTEGER, BOOLEAN, CHOICE, LEVEL_SET, SERIES, WORD_SET, ORDER = (
    "by_level",
    "integer",
    "boolean",
    "choice",
    "level_set",
    "series",
    "word_set",
    "order",
)


@dataclass(frozen=True)
class Convention:
    """One convention: how it is written in TOML, checked, and packed."""

    key: str
    kind: str
    default: Any
    meaning: str
    unit: str = ""
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 1000
    before: tuple[tuple[str, str], ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        return self.key.replace(".", "_")

    def allowed(self) -> str:
        """What may be written, in words."""
        span = f"integers from {self.low} to {self.high}"
        return {
            BY_LEVEL: f"five {span} (for 6, 7, 8, 9, 10)",
            INTEGER: span.replace("integers", "an integer"),
            BOOLEAN: "true or false",
            CHOICE: " or ".join(self.values),
            LEVEL_SET: "a list of levels from 6 to 10",
            WORD_SET: f"a list of {', '.join(self.values)} {self._least()}",
            ORDER: f"all of {', '.join(self.values)} in another order, {self.unit}",
            SERIES: f"a list of 1 to {MAX_PROGRESSION} {span}",
        }[self.kind]

    def _least(self) -> str:
        return f"with {' or '.join(self.needs)}" if self.needs else "(or empty)"

    def check(self, value: Any) -> Any:
        """The value as it is kept (lists as tuples); ValueError says what is allowed."""
        if not self._fits(value):
            raise ValueError(f"{self.key} = {quoted(value)}; allowed: {self.allowed()}")
        return tuple(value) if isinstance(value, list | tuple) else value

    def _fits(self, value: Any) -> bool:
        if self.kind == BOOLEAN:
            return isinstance(value, bool)
        if self.kind == CHOICE:
            return value in self.values
        if self.kind == INTEGER:
            return self._is_int(value)
        if not isinstance(value, list | tuple):
            return False
        if self.kind in (LEVEL_SET, WORD_SET):
            members = LEVELS if self.kind == LEVEL_SET else self.values
            known = all(type(x) in (int, str) and x in members for x in value)
            enough = not self.needs or any(x in self.needs for x in value)
            return known and enough and len(set(value)) == len(value)
        if self.kind == ORDER:
            return self._is_order(value)
        sizes = (5, 5) if self.kind == BY_LEVEL else (1, MAX_PROGRESSION)
        return sizes[0] <= len(value) <= sizes[1] and all(map(self._is_int, value))

    def _is_order(self, value: Any) -> bool:
        """Whether all words stand there once, and each ``before`` pair in its order."""
        if not all(type(x) is str for x in value) or sorted(value) != sorted(self.values):
            return False
        return all(value.index(low) < value.index(high) for low, high in self.before)

    def _is_int(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def pack(self, value: Any) -> Any:
        """The value as int64 or a list of int64 for the Rules record."""
        if self.kind == CHOICE:
            return self.values.index(value)
        if self.kind == LEVEL_SET:
            return sum(1 << level for level in value)
        if self.kind == WORD_SET:
            return sum(1 << self.values.index(word) for word in value)
        if self.kind == ORDER:
            return [self.values.index(word) for word in value]
        if self.kind == SERIES:
            return [*value, *[value[-1]] * (MAX_PROGRESSION - len(value))]
        return value

    def shape(self) -> tuple[int, ...]:
        sizes = {BY_LEVEL: (5,), SERIES: (MAX_PROGRESSION,), ORDER: (len(self.values),)}
        return sizes.get(self.kind, ())


def levels(key: str, default: tuple[int, ...], meaning: str, unit: str) -> Convention:
    """A number for each level."""
    return Convention(key, BY_LEVEL, default, meaning, unit)


def flag(key: str, default: bool, meaning: str) -> Convention:
    """Yes or no."""
    return Convention(key, BOOLEAN, default, meaning)


def choice(key: str, values: tuple[str, ...], meaning: str, default: str = "") -> Convention:
    """A choice, by default the first of its values."""
    return Convention(key, CHOICE, default or values[0], meaning, values=values)


def amount(key: str, default: int, meaning: str, unit: str, low: int = 0) -> Convention:
    """A number with a unit."""
    return Convention(key, INTEGER, default, meaning, unit, low=low)
