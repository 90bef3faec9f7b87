"""Random combinations of conventions, for tests that compare two ways of keeping score."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from scoring.conventions import FAMILIES, POOL_FAMILY, conventions_of

LADDERS = (
    "six seven eight misere nine misere_without nine_without ten ten_without",
    "six seven eight misere nine misere_without nine_without ten ten_without",
    "six seven eight nine misere nine_without misere_without ten ten_without",
    "six seven eight misere nine nine_without ten misere_without ten_without",
    "six seven eight misere misere_without nine nine_without ten ten_without",
    "six misere misere_without seven eight nine ten nine_without ten_without",
    "misere six seven misere_without eight nine nine_without ten ten_without",
    "six seven eight nine ten ten_without nine_without misere misere_without",
)
"""Orders of the rungs: usual ones and odd ones."""

VALUES: Mapping[str, tuple[Any, ...]] = {
    "values.made": ((2, 4, 6, 8, 10), (1, 3, 5, 7, 9), (4, 4, 4, 4, 4)),
    "values.undertrick": ((2, 4, 6, 8, 10), (4, 8, 12, 16, 20), (1, 0, 3, 7, 11)),
    "values.whist": ((2, 4, 6, 8, 10), (4, 8, 12, 16, 20), (1, 3, 5, 7, 9)),
    "values.remise": ((2, 4, 6, 8, 10), (1, 2, 3, 4, 5), (4, 8, 12, 16, 20)),
    "values.consolation": ((2, 4, 6, 8, 10), (10, 10, 10, 10, 10), (0, 1, 2, 3, 4)),
    "values.duty": ((4, 2, 1, 1, 1), (4, 2, 1, 1, 0), (4, 2, 1, 0, 0)),
    "values.off_mountain_instead": (0, 1, 2),
    "misere.made": (10, 7),
    "misere.undertrick": (10, 20, 3),
    "misere.whists": (0, 0, 5),
    "auction.without_talon": ((), ("misere", "nine", "ten"), ("misere",), ("nine", "ten")),
    "auction.ladder": tuple(tuple(order.split()) for order in LADDERS),
    "contract.concession": (0, 2, 3),
    "whist.half_levels": ((6, 7), (6,), (), (6, 7, 8, 9, 10)),
    "raspas.price": (1, 2, 5),
    "raspas.progression": ((1,), (1, 2, 3), (1, 2, 4, 8), (1, 2, 3, 4, 5, 6, 7, 8)),
    "raspas.exit_levels": ((6,), (6, 7), (6, 7, 8), (7, 8, 9), (9, 10)),
    "raspas.zero_prices": (0, 1, 2),
    "raspas.zero_points": (0, 1, 3),
    "raspas.dealer_pool": (0, 1),
    "raspas.dark_factor": (1, 2, 3),
    "dummy.defence": (
        ("open", "blind", "pass"),
        ("open", "pass"),
        ("blind", "pass"),
        ("open", "blind"),
        ("open",),
        ("blind",),
    ),
    "dummy.blind_duty": ((4, 2, 1, 1, 1), (2, 1, 1, 1, 0), (3, 2, 0, 0, 0)),
    "deal.stays_most": (1, 2, 3),
    "start.mountain": (0, 0, 5, 20),
    "help.whists": (10, 10, 7),
    "prize.misere_made": (0, 50),
    "prize.raspas_zero": (0, 25),
    "prize.first_pool": (0, 50),
    "prize.first_mountain_three": (0, 80),
    "prize.first_mountain_four": (0, 60),
    "prize.min_mountain": (0, 50),
    "end.pool_weight": (0, 1, 2),
    "end.mountain_whists": (10, 10, 20, 8),
    "end.minutes": (1, 4, 8, 60),
    "end.deal_seconds": (100, 1, 60, 600),
    "end.unplayed_seconds": (40, 1, 60),
    "records.penalty_factor": (1,),
    "razboinik.price": ((2, 4, 6, 8, 10), (1, 3, 0, 7, 12)),
    "razboinik.misere": (10, 3),
    "contra.levels": (4, 4, 2, 1, 0),
    "tricks.soup_most": (5, 5, 10, 3),
    "refets.few": (1, 2, 0),
    "refets.many": (3, 2, 8),
    "refets.many_from": (50, 10, 100),
}
"""Values to draw from for conventions that are numbers or lists; choices and switches take all
theirs. A half duty (an odd duty at six or seven) is left out: no rules know one."""


def draw_settings(chance: random.Random, family: str = FAMILIES[POOL_FAMILY]) -> dict[str, Any]:
    """A random value for every convention of a family."""
    settings = {}
    for convention in conventions_of(family):
        values = VALUES.get(convention.key) or convention.values or (False, True)
        settings[convention.key] = chance.choice(values)
    return settings
