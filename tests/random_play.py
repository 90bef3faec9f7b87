"""Variants of random conventions, with a bias towards those that bring the rare phases."""

from __future__ import annotations

import random

from random_conventions import draw_settings

from scoring.result import TWO_PLAYERS
from scoring.variant import Variant, find_variant, variant_names

TABLES = tuple((name, n) for name in variant_names() for n in find_variant(name).players)
"""All variants, each with the numbers of players that can play it."""

RARE = {
    "values.off_mountain_instead": 2,
    "misere.defence": "catch_or_trust",
    "whist.both_may_pass": True,
    "whist.dealer_may": True,
}
"""Conventions with which the rarest phases come."""

REFET_NUMBERS = {
    "contra.levels": (0, 1, 2, 4, 4, 4),
    "tricks.soup_most": (5, 5, 3, 10),
    "refets.few": (0, 1, 2),
    "refets.many": (0, 3),
    "refets.many_from": (20, 50),
}
"""Numbers to draw from for the refet game."""


def bits(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    return [k for k in range(63) if mask >> k & 1]


def house_variant(chance: random.Random, n: int = 3) -> Variant:
    """A variant with random values of all conventions, half of the time those of rare phases.

    For two players one of four is a razboinik.
    """
    if n == TWO_PLAYERS and chance.random() < 0.25:
        return house_razboinik(chance)
    rare = RARE if chance.random() < 0.5 else {}
    return find_variant("sochi").with_settings({**draw_settings(chance), **rare})


def house_razboinik(chance: random.Random) -> Variant:
    """A razboinik with random values of all its conventions."""
    variant = find_variant("razboinik")
    return variant.with_settings(draw_settings(chance, variant.family))


def house_refet(chance: random.Random) -> Variant:
    """A refet game with random values of all its conventions."""
    variant = find_variant("refet")
    numbers = {key: chance.choice(values) for key, values in REFET_NUMBERS.items()}
    return variant.with_settings({**draw_settings(chance, variant.family), **numbers})
