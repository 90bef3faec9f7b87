"""Texts of variants and values of conventions for tests, good and bad."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from scoring.convention import Convention
from scoring.errors import WrongUse
from scoring.variant import Variant, VariantError, find_variant, parse_variant

BASES = ("sochi", "razboinik", "refet")
"""A variant of each family."""
HEADS = {base: f'title = "Ours"\nbase = "{base}"\n' for base in BASES}
HEAD = HEADS["sochi"]
FUZZ = settings(derandomize=True, deadline=None, max_examples=200)


def refused(text: str, where: str = "ours.toml") -> str:
    """The one sentence with which a text is refused; it begins with the name of the file."""
    with pytest.raises(VariantError) as caught:
        parse_variant(text, "ours", where)
    message = str(caught.value)
    assert "\n" not in message and isinstance(caught.value, WrongUse)
    return message


def write(folder: Path, name: str, text: str) -> str:
    """Put a file there; returns its path as it would be written."""
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def base_of(convention: Convention) -> str:
    """A variant in which the convention has a meaning."""
    return next(base for base in BASES if convention in find_variant(base).own_conventions())


def head_of(convention: Convention) -> str:
    """The heading of a file with that base."""
    return HEADS[base_of(convention)]


def other_value(variant: Variant, convention: Convention) -> Any:
    """An allowed value that is not the variant's."""
    now = variant.conventions[convention.key]
    return next(value for value in good_values(convention) if value != now)


NINE_UNDER_MISERE = tuple(
    "six seven eight nine misere misere_without nine_without ten ten_without".split()
)


def good_values(convention: Convention) -> list[Any]:
    """Allowed values of a convention, the extreme ones among them."""
    low, high = convention.low, convention.high
    return {
        "boolean": [True, False],
        "choice": list(convention.values),
        "integer": [low, high],
        "by_level": [(low,) * 5, (high,) * 5, (low, high, low, high, low)],
        "series": [(low,), (high,) * 8, (low, high)],
        "level_set": [(), (6, 7, 8, 9, 10), (10, 6)],
        "word_set": [convention.needs[:1], convention.values, convention.values[1:]],
        "order": [convention.values, NINE_UNDER_MISERE],
    }[convention.kind]


def lacking(convention: Convention) -> list[Any]:
    """Sets of words without the one that is needed, where one is."""
    others = [word for word in convention.values if word not in convention.needs]
    return [[], others] if convention.needs else []


def bad_values(convention: Convention) -> list[Any]:
    """Values of a wrong type, a wrong length, or out of range."""
    low, high = convention.low, convention.high
    nothing: list[Any] = ["sideways", "", 1.5, [[1]], {"a": 1}, [True], ["6"], [1.0]]
    return (
        nothing
        + {
            "boolean": [0, 1, "true", [], []],
            "choice": [True, 0, list(convention.values), str(convention.default).upper()],
            "integer": [low - 1, high + 1, True, str(low), [low], 10**30],
            "by_level": [[low] * 4, [low] * 6, low, [low] * 4 + [high + 1], [low - 1] * 5, []],
            "series": [[], [low] * 9, low, [low - 1], [high + 1], [low, True]],
            "level_set": [[5], [11], [6, 6], 6, [True]],
            "word_set": [["seven"], [*convention.values[:1]] * 2, 6, [0], *lacking(convention)],
            "order": [
                [],
                list(convention.values[:-1]),
                [*convention.values[:-1], *convention.values[:1]],
                list(convention.values[::-1]),
                "six",
                [0],
            ],
        }[convention.kind]
    )


def in_toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(in_toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {in_toml(one)}" for key, one in value.items()) + "}"
    return str(value)


def setting(convention: Convention, value: Any) -> str:
    """A variant file of the convention's family with this one convention."""
    table, key = convention.key.split(".")
    return f"{head_of(convention)}\n[{table}]\n{key} = {in_toml(value)}\n"
