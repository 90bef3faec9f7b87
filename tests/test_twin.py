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

from scoring.variant import Variant, find_variant, variant_names
from sim.cards import mask_of
from sim.deals import rank

NAMES = [name for name in variant_names() if not find_variant(name).has_columns]
"""The variants; those of the refet game have tests of their own."""

N_DEALS = 110
N_COMBINATIONS = 400
N_TWO = 250
N_TABLES = 40
DEALS_OF_COMBINATION = 6
MOST_DEALS = 12
TIMES = 10
"""How many times as many deals the long tests play.

Of three and four players, of two, and of razboinik so many combinations of conventions are drawn;
of razboinik each is played to the end of its table.
"""

BRANCHES = {
    "hold": 4,
    "misere made": 1,
    "misere set": 4,
    "open play": 10,
    "lone whister closed": 10,
    "raspas, number 1 in a row": 10,
    "raspas without a trick": 10,
    "over": 1,
    "whist, whist": 3,
}
"""How often at least a run of ``N_DEALS`` deals of three and as many of four players meets each
branch, in any variant."""

COMBINED_BRANCHES = {
    **BRANCHES,
    "conceded": 50,
    "help": 20,
    "help to two": 5,
    "points left over": 10,
    "time called": 40,
    "a deal after the time": 40,
    "the deal stays": 40,
    "bombs": 100,
    # the auction
    "hold and raise": 5,
    "hold that ends the auction": 20,
    "misere overbid": 30,
    "misere, then without the talon": 2,
    "bid without the talon overbid": 20,
    "dark pass and raspas": 50,
    "dark pass and a bid": 50,
    "misere of first hand": 20,
    # whist
    "whist by force": 50,
    "whist, pass": 40,
    "whist, pass, whist": 5,
    "whist, pass, half, pass": 3,
    "whist, pass, half, whist": 3,
    "pass, whist": 40,
    "pass, half, pass": 20,
    "pass, half, whist": 10,
    "pass, pass": 40,
    "pass, pass, pass": 20,
    "pass, pass, whist": 10,
    "half-whist returned, all to one": 5,
    "the dealer is asked": 30,
    "the dealer is asked after half-whist": 5,
    "the dealer whists with the first hand": 8,
    "the dealer whists with the second hand": 8,
    "the dealer whists open": 8,
    "the dealer leads the first card": 5,
    "open after the first card": 20,
    "whisters took nothing": 3,
    **{f"level {level} set, {n} whisting": 5 for level in range(6, 11) for n in (1, 2)},
    **{f"level {level} made, {n} whisting": 1 for level in range(6, 11) for n in (1, 2)},
    # the talon
    "9 without the talon": 10,
    "10 without the talon": 10,
    "misere without the talon": 10,
    "asked for the points": 50,
    "off the mountain instead": 20,
    **{f"talon units {units}": 1 for units in range(4)},
    # misere
    "misere, trust": 20,
    "misere, catch, trust": 10,
    "misere, catch, catch": 10,
    "misere, first trick dark": 20,
    # raspas
    **{f"raspas of 3, {rule}": 30 for rule in ("closed", "suit_only", "pass_along")},
    **{f"raspas of 4, {rule}": 30 for rule in ("closed", "dealer_plays", "pass_along")},
    "raspas, number 2 in a row": 20,
    "raspas, number 3 in a row": 20,
    "talon suit not followed": 20,
    "the dealer's talon takes 0": 20,
    "the dealer's talon takes 1": 10,
    "the dealer's talon takes 2": 1,
    "third lead after the dealer's talon": 5,
}
"""What a run of ``N_COMBINATIONS`` must meet."""


TWO, SHARE_OF_TWO = 2, 3
"""Two players play one third of the deals of a variant; all rules are met under any conventions."""
VARIANT_OF_TWO = {
    "misere set": 1,
    "raspas of two, dummy dead": 5,
    "the defender passes": 1,
    "the defender whists open": 2,
}
"""What a run of ``N_DEALS / SHARE_OF_TWO`` deals must meet in a variant for two players alone."""

BRANCHES_OF_TWO = {
    **{f"dummy {seat}": 300 for seat in ("first", "middle", "last")},
    # before and in the auction
    "raspas agreed": 50,
    "raspas refused by number 1": 100,
    "raspas refused by number 2": 50,
    "dark pass and raspas": 100,
    "dark pass and a bid": 50,
    "hold": 20,
    "hold and raise": 4,
    "hold that ends the auction": 8,
    "misere overbid": 15,
    "bid without the talon overbid": 5,
    "9 without the talon": 5,
    "10 without the talon": 5,
    "misere without the talon": 5,
    "conceded": 50,
    # the only defender
    "the defender passes": 50,
    "the defender passes, the dummy seen": 20,
    "the defender may not pass": 80,
    "Stalingrad for one": 10,
    "ten checked by two hands": 20,
    **{
        f"the defender whists {way}, {how}": 5
        for way in ("open", "blind, dummy dead", "blind, dummy lowest")
        for how in (
            "after the choice",
            "after the first card",
            "the dummy seen",
            "dummy first",
            "dummy middle",
            "dummy last",
        )
    },
    "remise of one defender, open": 5,
    "remise of one defender, blind": 15,
    "tricks of nobody against a contract": 20,
    **{f"level {level} set, 1 whisting": 10 for level in range(6, 11)},
    **{f"level {level} made, 1 whisting": 1 for level in range(6, 11)},
    "asked for the points": 40,
    "off the mountain instead": 20,
    # misere
    "misere against both hands, open": 30,
    "misere against both hands, dark": 30,
    "misere, the declarer leads to two": 10,
    "misere, the dummy leads": 20,
    "misere made": 10,
    "misere set": 50,
    # raspas
    **{f"raspas of two, dummy {what}": 80 for what in ("dead", "lowest", "thrown in")},
    **{f"raspas of 2, {rule}": 60 for rule in ("closed", "suit_only", "may_win")},
    **{f"raspas of two, dummy lowest, {r}": 20 for r in ("closed", "suit_only", "may_win")},
    **{f"raspas, number {k} in a row": 40 for k in (1, 2, 3)},
    "dummy takes tricks of nobody": 60,
    "talon suit not followed": 20,
    **{f"the talon takes {k}": 4 for k in range(3)},
    "third lead after the talon of two": 5,
    # the sheet
    "fir-trees": 100,
    "fir-trees of some": 40,
    "a fir-tree used up": 30,
    "a fir-tree used up, others left": 10,
    "bombs": 50,
    "help": 5,
    "half points left over": 2,
    "the deal stays": 30,
    "time called": 20,
    "a deal after the time": 20,
    "over": 20,
}
"""What a run of ``N_TWO`` combinations must meet with two players."""

ROWS = ("6", "7", "8", "9", "10", "misere")
TABLE_OF_VARIANT = {f"row {row} set": 1 for row in ROWS}
"""What a run of ``N_DEALS / SHARE_OF_TWO`` deals of razboinik must meet by its own conventions."""

BRANCHES_OF_TABLES = {
    **{f"row {row} set": 30 for row in ROWS},
    **{f"row {row} made": 2 for row in ROWS},
    **{
        f"talon {way}, row {row}": 4
        for way in ("misere_before", "row_before", "row_after", "none")
        for row in ROWS
    },
    **{
        f"razboinik, {kind}, dummy {dummy} {seat}": 2
        for kind in ("misere", "tricks")
        for dummy in ("open", "dead")
        for seat in ("first", "middle", "last")
    },
    **{f"{who} declares": 100 for who in ("eldest", "dealer")},
    "the declarer leads to misere": 20,
    "the last row": 60,
    "the table is full": N_TABLES,
}
"""What a run of ``N_TABLES`` combinations must meet."""


def play_pulka(
    variant: Variant, n: int, target: int, chance: random.Random, n_deals: int, label: str
) -> Counter[str]:
    """A pulka on both sides, of at most so many deals; in some pulkas most deals are raspas."""
    pulka = TwinPulka(variant, n, target, label)
    raspas = chance.choice((0.0, 0.0, 0.0, 0.0, 0.7))
    while not pulka.over and pulka.reached["deals"] < n_deals:
        pulka.play_deal(random_number(chance), chance, chance.random() < raspas)
        pulka.reached["deals"] += 1
    return pulka.reached


def play_pulkas(name: str, n: int, seed: int, n_deals: int) -> Counter[str]:
    """Pulkas of a variant until so many deals are done."""
    chance = random.Random(f"{name} {n} {seed}")
    variant = find_variant(name)
    reached: Counter[str] = Counter()
    while reached["deals"] < n_deals:
        target = chance.choice((2, 6, 10, 20))
        label = f"variant {name}, pool {target}"
        reached += play_pulka(variant, n, target, chance, n_deals - reached["deals"], label)
    return reached


def play_combinations(seed: int, n_combinations: int, sizes: tuple[int, ...]) -> Counter[str]:
    """A short pulka under each of so many random sets of conventions."""
    chance = random.Random(f"combinations {seed}")
    reached: Counter[str] = Counter()
    for _ in range(n_combinations):
        settings = draw_settings(chance)
        variant = find_variant("sochi", settings)
        n, target = chance.choice(sizes), chance.choice((2, 6, 10))
        label = f"pool {target}, {settings}"
        reached += play_pulka(variant, n, target, chance, DEALS_OF_COMBINATION, label)
    return reached


def play_tables(seed: int, n_combinations: int) -> Counter[str]:
    """A whole razboinik under each of so many random sets of its conventions."""
    chance = random.Random(f"razboinik {seed}")
    razboinik = find_variant("razboinik")
    reached: Counter[str] = Counter()
    for _ in range(n_combinations):
        settings = draw_settings(chance, razboinik.family)
        variant = razboinik.with_settings(settings)
        reached += play_pulka(variant, TWO, 0, chance, MOST_DEALS, f"razboinik, {settings}")
    return reached


def check_reached(reached: Counter[str], wanted: Mapping[str, int], times: int = 1) -> None:
    """Every branch must have been met often enough for the comparison to mean something."""
    missed = {k: reached[k] for k, least in wanted.items() if reached[k] < least * times}
    assert not missed, f"rare branches met too seldom: {missed}"


def branches_of(name: str) -> dict[str, int]:
    """What a run must meet, by the variant's own conventions and numbers of players."""
    variant = find_variant(name)
    if not variant.has_pool:
        return TABLE_OF_VARIANT
    conv = variant.conventions
    if variant.players == (TWO,):
        return VARIANT_OF_TWO
    wanted = dict(BRANCHES)
    wanted[f"raspas of 2, {conv['raspas.talon_two']}"] = 2
    wanted[f"raspas of 3, {conv['raspas.talon']}"] = 5
    wanted[f"raspas of 4, {conv['raspas.talon_four']}"] = 5
    if conv["help.pool"]:
        wanted["help"] = 5
    if conv["whist.long"]:
        wanted["whist, pass, whist"] = 1
    if conv["whist.dealer_may"]:
        wanted["the dealer whists"] = 1
    if conv["auction.without_talon"]:
        wanted["10 without the talon"] = 2
    if conv["auction.dark_pass"]:
        wanted["dark pass and raspas"] = 5
    if conv["end.when"].startswith("time"):
        del wanted["over"]
    if conv["deal.after_raspas"] == "stays":
        wanted["the deal stays"] = 5
    return wanted


def play_variant(name: str, seed: int, n_deals: int) -> Counter[str]:
    """Pulkas of a variant with all numbers of players that can play it."""
    reached: Counter[str] = Counter()
    for n in find_variant(name).players:
        reached += play_pulkas(name, n, seed, n_deals // (1 if n > TWO else SHARE_OF_TWO))
    return reached


@pytest.mark.parametrize("name", NAMES)
def test_engine_and_twin_play_the_same_pulkas(name: str) -> None:
    """Whole pulkas of a shipped variant, equal in every decision, entry and settlement."""
    check_reached(play_variant(name, 1, N_DEALS), branches_of(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_twin_play_the_same_pulkas_for_long(name: str) -> None:
    """The same with ten times as many other deals."""
    check_reached(play_variant(name, 2, TIMES * N_DEALS), branches_of(name), TIMES // 2)


def test_engine_and_twin_agree_under_any_conventions() -> None:
    """Short pulkas under random combinations of all conventions at once."""
    check_reached(play_combinations(1, N_COMBINATIONS, (3, 4)), COMBINED_BRANCHES)


@pytest.mark.slow
def test_engine_and_twin_agree_under_any_conventions_for_long() -> None:
    """The same with ten times as many other combinations."""
    reached = play_combinations(2, TIMES * N_COMBINATIONS, (3, 4))
    check_reached(reached, COMBINED_BRANCHES, TIMES // 2)


def test_engine_and_twin_agree_with_two_players_under_any_conventions() -> None:
    """The same with two players and the dummy."""
    check_reached(play_combinations(3, N_TWO, (TWO,)), BRANCHES_OF_TWO)


@pytest.mark.slow
def test_engine_and_twin_agree_with_two_players_for_long() -> None:
    """The same with ten times as many other combinations."""
    reached = play_combinations(4, TIMES * N_TWO, (TWO,))
    check_reached(reached, BRANCHES_OF_TWO, TIMES // 2)


def test_engine_and_twin_agree_in_razboinik() -> None:
    """Whole tables of razboinik under random combinations of its conventions."""
    check_reached(play_tables(1, N_TABLES), BRANCHES_OF_TABLES)


@pytest.mark.slow
def test_engine_and_twin_agree_in_razboinik_for_long() -> None:
    """The same with ten times as many other combinations."""
    check_reached(play_tables(2, TIMES * N_TABLES), BRANCHES_OF_TABLES, TIMES // 2)


@pytest.mark.parametrize("n", (2, 3, 4))
def test_long_rows_of_raspas_repeat_the_last_price(n: int) -> None:
    """Twelve raspas in a row, more than any list of prices has entries."""
    settings = {
        "raspas.progression": (1, 2, 3, 4, 5, 6, 7, 8),
        "raspas.exit_levels": (6, 6, 7, 7, 8, 8, 9, 10),
        "raspas.dark_factor": 2,
        "auction.dark_pass": True,
        "auction.bombs": "until_made",
    }
    variant = find_variant("sochi", settings)
    pulka = TwinPulka(variant, n, 1000, "twelve raspas")
    chance = random.Random(3)
    for _ in range(12):
        pulka.play_deal(random_number(chance), chance, all_pass=True)
    assert pulka.sheet.raspas_index == 12


def deal_without_spades(chance: random.Random, dummy: int) -> int:
    """The number of a deal whose spades are the dummy's, but for one in the talon."""
    spades, others = list(range(8)), list(range(8, 32))
    chance.shuffle(spades)
    chance.shuffle(others)
    hands = [others[4:14], others[14:24]]
    hands.insert(dummy, spades[:7] + others[:3])
    return rank(mask_of(hands[0]), mask_of(hands[1]), mask_of([spades[7], others[3]]))


@pytest.mark.parametrize("seat", ["first", "middle", "last"])
@pytest.mark.parametrize("nobody", ["first_hand", "highest_of_first"])
@pytest.mark.parametrize("rule", ["suit_only", "may_win"])
def test_nobody_follows_the_talon_of_two(rule: str, nobody: str, seat: str) -> None:
    """Raspas in which the talon's suit is all with a dead dummy."""
    settings = {"raspas.talon_two": rule, "raspas.nobody_follows": nobody, "dummy.seat": seat}
    variant = find_variant("classic_two", {**settings, "raspas.third_lead": "winner"})
    pulka = TwinPulka(variant, TWO, 1000, str(settings))
    chance = random.Random(4)
    dummy = ("first", "middle", "last").index(seat)
    for _ in range(6):
        pulka.play_deal(deal_without_spades(chance, dummy), chance, all_pass=True)
    assert pulka.reached[f"nobody follows the talon, {rule}"] == 6
