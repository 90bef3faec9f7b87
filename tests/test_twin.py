"""The engine against the naive twin: the same random pulkas, every decision and every entry.

Both sides are written from the rules independently. At each decision they must agree on phase,
mover, decider, legal actions and on the cards whose place each player may know; after each deal on
the result, the entries, the sheet after help, the deal values and the settlement, all exact.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from random_conventions import draw_settings
from twin_bridge import TwinPulka, random_number

from scoring.variant import find_variant
from sim.playable import PLAYED, playable_names

N_DEALS = max(500, 4500 // len(playable_names()))
N_COMBINATIONS = 320
DEALS_OF_COMBINATION = 6

BRANCHES = {
    "hold": 20,
    "hold and raise": 5,
    "misere made": 20,
    "misere set": 20,
    "misere of first hand": 20,
    "misere overbid": 20,
    "open play": 50,
    "lone whister closed": 50,
    "whisters took nothing": 3,
    "raspas, number 1 in a row": 30,
    "raspas, number 2 in a row": 3,
    "raspas without a trick": 20,
    "over": 20,
    "pass, pass": 40,
    "pass, whist": 40,
    "whist, whist": 40,
    "pass, half, pass": 5,
    "pass, half, whist": 5,
    **{f"level {level} set, {n} whisting": 1 for level in range(6, 11) for n in (1, 2)},
}
"""How often at least a run of ``N_DEALS`` deals meets each branch of the rules, in any variant."""

RARE = {f"level {level} made, {n} whisting": 1 for level in range(6, 11) for n in (1, 2)}
"""Branches that take more deals."""


def play_pulkas(name: str, seed: int, n_deals: int) -> Counter[str]:
    """Play pulkas of a variant on both sides until so many deals are done."""
    chance = random.Random(f"{name} {seed}")
    variant = find_variant(name)
    reached: Counter[str] = Counter()
    while reached["deals"] < n_deals:
        target = chance.choice((2, 6, 10, 20))
        label = f"variant {name}, pool {target}"
        pulka = TwinPulka(variant.conventions, variant.rules(3, target), target, label)
        while not pulka.over and reached["deals"] < n_deals:
            pulka.play_deal(random_number(chance), chance)
            reached["deals"] += 1
        reached += pulka.reached
    return reached


def play_combinations(seed: int, n: int, deals_each: int) -> Counter[str]:
    """Play a short pulka on both sides under each of ``n`` random sets of conventions."""
    chance = random.Random(f"combinations {seed}")
    reached: Counter[str] = Counter()
    for _ in range(n):
        settings = draw_settings(chance, PLAYED)
        variant = find_variant("sochi", settings)
        target = chance.choice((2, 6, 10))
        label = f"pool {target}, {settings}"
        pulka = TwinPulka(variant.conventions, variant.rules(3, target), target, label)
        for _ in range(deals_each):
            if not pulka.over:
                pulka.play_deal(random_number(chance), chance)
                reached["deals"] += 1
        reached += pulka.reached
    return reached


def check_reached(reached: Counter[str], wanted: Mapping[str, int], times: int = 1) -> None:
    """Every branch must have been met often enough for the comparison to mean something."""
    missed = {k: reached[k] for k, n in wanted.items() if reached[k] < n * times}
    assert not missed, f"rare branches met too seldom: {missed}"


def branches_of(name: str) -> dict[str, int]:
    """What a run must meet, by the variant's own conventions."""
    conv = find_variant(name).conventions
    wanted = dict(BRANCHES)
    if conv["help.pool"]:
        wanted |= {"help": 40, "help to two": 5, "points left over": 10}
    if conv["whist.long"]:
        wanted |= {f"whist, pass, {end}": 3 for end in ("whist", "half, pass", "half, whist")}
    else:
        wanted["whist, pass"] = 40
    if conv["raspas.talon"] == "suit_only":
        wanted["talon suit not followed"] = 5
    return wanted


COMBINED_BRANCHES = (
    BRANCHES
    | RARE
    | {
        "conceded": 50,
        "help": 20,
        "help to two": 5,
        "points left over": 10,
        "whist by force": 50,
        "whist, pass": 40,
        "pass, pass, pass": 5,
        "pass, pass, whist": 5,
        "whist, pass, whist": 3,
        "whist, pass, half, pass": 3,
        "whist, pass, half, whist": 3,
        "raspas, number 3 in a row": 5,
        "talon suit not followed": 20,
    }
)


@pytest.mark.parametrize("name", playable_names())
def test_engine_and_twin_play_the_same_pulkas(name: str) -> None:
    """Whole pulkas of a shipped variant, equal in every decision, entry and settlement."""
    check_reached(play_pulkas(name, 1, N_DEALS), branches_of(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", playable_names())
def test_engine_and_twin_play_the_same_pulkas_for_long(name: str) -> None:
    """The same with ten times as many other deals."""
    check_reached(play_pulkas(name, 2, 10 * N_DEALS), branches_of(name) | RARE, 5)


def test_engine_and_twin_agree_under_any_conventions() -> None:
    """Short pulkas under random combinations of all conventions at once."""
    reached = play_combinations(1, N_COMBINATIONS, DEALS_OF_COMBINATION)
    check_reached(reached, COMBINED_BRANCHES)


@pytest.mark.slow
def test_engine_and_twin_agree_under_any_conventions_for_long() -> None:
    """The same with ten times as many other combinations."""
    reached = play_combinations(2, 10 * N_COMBINATIONS, DEALS_OF_COMBINATION)
    check_reached(reached, COMBINED_BRANCHES, 5)


def test_long_rows_of_raspas_repeat_the_last_price() -> None:
    """Twelve raspas in a row, more than any list of prices has entries."""
    settings = {
        "raspas.progression": (1, 2, 3, 4, 5, 6, 7, 8),
        "raspas.exit_levels": (6, 6, 7, 7, 8, 8, 9, 10),
    }
    variant = find_variant("sochi", settings)
    pulka = TwinPulka(variant.conventions, variant.rules(3, 1000), 1000, "twelve raspas")
    chance = random.Random(3)
    for _ in range(12):
        pulka.play_deal(random_number(chance), chance, all_pass=True)
    assert pulka.sheet.raspas_index == 12
