"""Exact chances of the books and of counts made apart, by the project's own functions: how missing
cards lie, what the talon brings, and which suits of a misère are safe."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.hand_tables import catch_table, suit_table
from sim.cards import RANKS, mask_of
from sim.chances import UNSEEN, holding_chance, talon_chance

DATA = Path(__file__).parent / "data" / "prices"

CLEAN_BY_LENGTH = (1, 1, 2, 5, 14, 28, 20, 7, 1)
"""Safe holdings of a suit at misère by their number of cards."""
CLEAN_HAND = Fraction(101, 139035)
"""Chance that ten cards are safe in every suit when others lead."""
HOLES = {
    "8": "1/323",
    "9": "9/17",
    "T": "256/323",
    "79": "0",
    "7T": "35/646",
    "7J": "517/646",
    "7Q": "597/646",
    "7K": "316/323",
    "7A": "1",
    "78J": "0",
    "78Q": "531/646",
    "78K": "611/646",
    "78A": "1",
    "789A": "28/323",
    "79J": "0",
    "79Q": "531/646",
    "79K": "611/646",
    "79JA": "28/323",
}
"""Chance that a suit of a misère is caught when both others lead it at will and throw none of it
(дырки; Lesnoy, Russian Preferans, has those of 8, 9 and the bare jack)."""

CAUGHT_LESS = ("7T", "7J", "7Q", "7K", "78Q", "78K", "79Q", "79K")
"""Those that are caught more often by who may choose what to lead."""


def each(name: str) -> Any:
    records = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return pytest.mark.parametrize("record", [pytest.param(r, id=r["id"]) for r in records])


def ranks_of(text: str) -> int:
    return mask_of(RANKS.index(rank) for rank in text)


@each("chances")
def test_how_cards_lie(record: dict[str, Any]) -> None:
    """Litvin's tables of splits and of two suits at once, third queens, the Mississippi hand; where
    the talon is unknown, first what lies in it."""
    whole = Fraction(1)
    if "talon" in record:
        missing, there = record["talon"]
        whole = holding_chance([missing], [there], UNSEEN, 2)
    chance = whole * sum(
        holding_chance(record["groups"], held, record["unseen"], record["places"])
        for held in record["held"]
    )
    chance *= record["hands"]
    assert chance == Fraction(record["chance"])
    if "printed" in record:
        digits = len(record["printed"].split(".")[1])
        assert round(float(chance), digits) == float(record["printed"])


@each("talon")
def test_what_the_talon_brings(record: dict[str, Any]) -> None:
    """At least one of so many cards, or two of them."""
    unseen = record.get("unseen", UNSEEN)
    if "both" in record:
        chance = holding_chance([record["both"]], [2], unseen, 2)
    elif unseen == UNSEEN:
        chance = talon_chance(record["good"])
    else:
        chance = 1 - holding_chance([record["good"]], [0], unseen, 2)
    assert chance == Fraction(record["chance"])


@pytest.mark.parametrize("missing", range(9))
def test_chances_of_a_suit_are_whole(missing: int) -> None:
    """They sum to one, and are those by which the bots' tables are weighted."""
    chances = [holding_chance([missing], [k]) for k in range(missing + 2)]
    assert sum(chances) == 1 and chances[-1] == 0
    held = (1 << (8 - missing)) - 1
    for k, chance in enumerate(chances[:-1]):
        lies = suit_table(lambda own, left, right, k=k: float(len(left) == k))  # type: ignore[misc]
        assert lies[held] == pytest.approx(float(chance), abs=1e-12)


def test_safe_suits() -> None:
    """79 of the 256 holdings of a suit are safe at misère, so many of each length."""
    safe = [mask for mask in range(256) if catch_table()[mask] == 0]
    by_length = np.bincount([mask.bit_count() for mask in safe], minlength=9)
    assert by_length.tolist() == list(CLEAN_BY_LENGTH) and len(safe) == 79
    ways = np.polynomial.polynomial.polypow(by_length, 4)
    assert Fraction(int(ways[10]), comb(32, 10)) == CLEAN_HAND


@pytest.mark.parametrize("text", HOLES)
def test_holes(text: str) -> None:
    """The table's others lead their lowest each time: with some holes that catches less."""
    found, exact = catch_table()[ranks_of(text)], float(Fraction(HOLES[text]))
    if text in CAUGHT_LESS:
        assert 0 < found < exact - 0.02
    else:
        assert found == pytest.approx(exact, abs=1e-12)
