"""Variants of random conventions, with a bias towards those that bring the rare phases."""

from __future__ import annotations

import random

from random_conventions import draw_settings

from scoring.variant import Variant, find_variant

RARE = {
    "values.off_mountain_instead": 2,
    "misere.defence": "catch_or_trust",
    "whist.both_may_pass": True,
}
"""Conventions with which the rarest phases come."""


def bits(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    return [k for k in range(63) if mask >> k & 1]


def house_variant(chance: random.Random) -> Variant:
    """A variant with random values of all conventions, half of the time those of rare phases."""
    rare = RARE if chance.random() < 0.5 else {}
    return find_variant("sochi").with_settings({**draw_settings(chance), **rare})
