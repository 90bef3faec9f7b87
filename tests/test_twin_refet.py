"""The refet game on the engine against the naive twin: every decision and every entry.

Both sides are written from the rules independently, as in ``test_twin``. Auctions, and the words of
those who follow, are besides compared in full: all that can be said.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from naive.refet_auction import BASES, SUIT_CONTRACTS
from perft_refet import core_bidding, core_follow, twin_bidding, twin_follow
from perft_sides import CoreCalls, TwinDeal
from random_conventions import draw_settings
from twin_bridge import same
from twin_moods import random_number
from twin_refet_bridge import TwinRefet, compare_bidding, compare_public
from twin_refet_words import ACTION_NAMES

from scoring.variant import Variant, find_variant, variant_names
from sim.state import BIDDING, PHASES

NAMES = [name for name in variant_names() if find_variant(name).has_columns]
SIZES = (3, 4)
STARTS = (2, 6, 10, 30, 60)
N_DEALS = 70
N_COMBINATIONS = 160
DEALS_OF_PULKA = 30
DEALS_OF_COMBINATION = 12
TIMES = 10
"""How many times as many deals the long tests play."""

BRANCHES = {
    "passed by all": 5,
    "a refet used": 3,
    "no refets: under the hat": 1,
    "nobody comes": 1,
    "comes, comes": 5,
    "contra": 2,
    "stopped early": 5,
    "led under the declarer": 2,
    "a game lost": 2,
    "betl lost": 1,
    "last hand lost": 1,
}
"""How often a run of ``N_DEALS`` deals of three and as many of four players meets each branch, in
any variant."""

DOUBLED = [" under contra", " under recontra", " under subcontra", " under mordcontra"]
ENDINGS = ("made", "lost")
COMBINED_BRANCHES = {
    # the auction
    **{f"hold, {rule}": 20 for rule in ("earliest", "next")},
    **{f"several holds, {rule}": 5 for rule in ("earliest", "next")},
    "holds of two players, next": 3,
    "the last number held": 2,
    "number bid and outbid by a game": 10,
    "jump": 10,
    "a game beaten by a stronger one": 20,
    "2 games in a suit": 10,
    "3 games in a suit": 2,
    "a higher suit": 5,
    "the first suit stands": 5,
    # contracts
    **{f"{contract} from the hand": 5 for contract in BASES},
    **{f"{name} with the talon, {base}": 3 for name, base in BASES.items()},
    **{f"{name} with the talon, 2": 1 for name in BASES},
    # who plays
    "stays, stays": 20,
    "comes, comes": 50,
    **{
        f"{words}, {more}": 5
        for words in ("comes, stays", "stays, comes")
        for more in ("alone", "invites")
    },
    **{f"2 hands play {contract}": 3 for contract in SUIT_CONTRACTS},
    "2 hands play sans": 3,
    "the first hand does not lead": 5,
    "led under the declarer": 20,
    "led by the other follower": 1,
    "betl laid open": 10,
    "stopped early": 50,
    "played on after a loss": 20,
    "must_head": 50,
    "must_overtrump": 50,
    # contra
    "contra by the second": 10,
    "contra of one who stayed away": 5,
    "drawn in by contra": 10,
    **{f"a game {ending}{contra}": 1 for ending in ENDINGS for contra in ["", *DOUBLED]},
    **{f"{name} {ending}": 2 for name in BASES if name != "spades" for ending in ENDINGS},
    **{f"{name} {ending} under contra": 1 for name in BASES for ending in ENDINGS},
    **{f"{name} lost under mordcontra": 1 for name in ("spades", "betl", "sans")},
    **{f"betl lost under contra, {way}": 5 for way in ("contra_five", "each_five", "contra_ten")},
    **{
        f"{ending}, contra, {way}, {short} short": 5
        for way in ("all", "each_own")
        for ending, short in (("made", 1), ("lost", 0))
    },
    # followers
    **{f"made, {who}, {k} short": 1 for who in ("1 came", "invited") for k in (0, 1)},
    **{f"made, 2 came, {rule}, {k} short": 1 for rule in ("own", "own_or_pair") for k in (0, 1)},
    "lost, 2 came, own, 1 short": 1,
    "soup cut off": 10,
    "soup of equal shares cut off": 1,
    # spades without contra
    **{
        f"spades left, {left}, {way}": 1
        for left, way in (
            ("refet_or_made", "refets"),
            ("refet_or_made", "written"),
            ("refet_or_four", "refets"),
            ("refet_or_four", "written"),
            ("refet_or_nothing", "refets"),
            ("refet_or_nothing", "nothing"),
            ("made", "written"),
        )
    },
    "spades left, nobody comes": 2,
    "nobody comes to spades": 2,
    # refets and the last hand
    "refets": 50,
    "no refet for the dealer": 10,
    "a refet used": 20,
    "a refet used, others kept": 5,
    "a refet used under the hat": 2,
    "a frozen refet": 2,
    "no refets: under the hat": 20,
    "no refets: no more": 20,
    "last hand made, cap": 2,
    "last hand made, with soup": 1,
    "last hand made, stop": 2,
    "double fall": 5,
    "last hand lost, not doubled": 5,
    "over": 10,
}
"""What a run of ``N_COMBINATIONS`` must meet."""


def play_pulka(
    variant: Variant, n: int, chance: random.Random, n_deals: int, label: str
) -> Counter[str]:
    """A pulka on both sides, of at most so many deals; in some pulkas many are passed by all."""
    pulka = TwinRefet(variant, n, chance.choice(STARTS), label)
    passed = chance.choice((0.0, 0.1, 0.5))
    while not pulka.over and pulka.reached["deals"] < n_deals:
        pulka.play_deal(random_number(chance), chance, chance.random() < passed)
        pulka.reached["deals"] += 1
    return pulka.reached


def play_variant(name: str, seed: int, n_deals: int) -> Counter[str]:
    """So many deals of a variant with each number of players."""
    total: Counter[str] = Counter()
    for n in SIZES:
        chance = random.Random(f"{name} {n} {seed}")
        reached: Counter[str] = Counter()
        while reached["deals"] < n_deals:
            most = min(DEALS_OF_PULKA, n_deals - reached["deals"])
            reached += play_pulka(find_variant(name), n, chance, most, f"variant {name}")
        total += reached
    return total


def play_combinations(seed: int, n_combinations: int) -> Counter[str]:
    """A short pulka under each of so many random sets of conventions."""
    chance = random.Random(f"refet {seed}")
    refet = find_variant("refet")
    reached: Counter[str] = Counter()
    for _ in range(n_combinations):
        settings = draw_settings(chance, refet.family)
        variant, n = refet.with_settings(settings), chance.choice(SIZES)
        reached += play_pulka(variant, n, chance, DEALS_OF_COMBINATION, str(settings))
    return reached


def check_reached(reached: Counter[str], wanted: Mapping[str, int], times: int = 1) -> None:
    """Every branch must have been met often enough for the comparison to mean something."""
    missed = {k: reached[k] for k, least in wanted.items() if reached[k] < least * times}
    assert not missed, f"rare branches met too seldom: {missed}"


@pytest.mark.parametrize("name", NAMES)
def test_engine_and_twin_play_the_same_pulkas(name: str) -> None:
    """Whole pulkas of a shipped variant, equal in every decision, entry and settlement."""
    check_reached(play_variant(name, 1, N_DEALS), BRANCHES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_twin_play_the_same_pulkas_for_long(name: str) -> None:
    """The same with ten times as many other deals."""
    check_reached(play_variant(name, 2, TIMES * N_DEALS), BRANCHES, TIMES // 2)


def test_engine_and_twin_agree_under_any_conventions() -> None:
    """Short pulkas under random combinations of all conventions at once."""
    check_reached(play_combinations(1, N_COMBINATIONS), COMBINED_BRANCHES)


@pytest.mark.slow
def test_engine_and_twin_agree_under_any_conventions_for_long() -> None:
    """The same with ten times as many other combinations."""
    check_reached(play_combinations(2, TIMES * N_COMBINATIONS), COMBINED_BRANCHES, TIMES // 2)


# All that can be said


def walk(core: CoreCalls, twin: TwinDeal) -> int:
    """Say all that can be said on both sides; how many ways there are to the end of the words."""
    compare_public(core, twin.deal)
    same("over", core.over, twin.over)
    if core.over:
        return 1
    phase = int(core.view["phase"])
    same("phase", PHASES[phase], twin.deal.phase)
    same("mover", int(core.view["mover"]), twin.deal.mover)
    if phase == BIDDING:
        compare_bidding(core.view, twin.deal)
    words = ACTION_NAMES[phase]
    same("legal actions", [words[action] for action in core.actions()], twin.actions())
    return sum(walk(core.after(action), twin.after(words[action])) for action in core.actions())


def combined(**values: Sequence[Any]) -> list[dict[str, Any]]:
    """All combinations of some values of conventions (``_`` for the dot)."""
    keys = [key.replace("_", ".", 1) for key in values]
    return [dict(zip(keys, chosen, strict=True)) for chosen in itertools.product(*values.values())]


def walk_auctions(n: int, ways: list[dict[str, Any]]) -> None:
    """Walk whole auctions, of which no two ways have equally many."""
    found = []
    for settings in ways:
        variant = find_variant("refet").with_settings(settings)
        found.append(walk(core_bidding(variant, n), twin_bidding(variant, n)))
    assert len(set(found)) == len(ways) and min(found) > 100


def test_every_auction() -> None:
    """All that can be said in an auction, with jumps or with preferans or without both."""
    holders = ("earliest", "next")
    ways = combined(bidding_hold=holders, bidding_jumps=(False, True))
    walk_auctions(3, ways + combined(bidding_hold=holders, bidding_preferans=(True,)))


@pytest.mark.slow
def test_every_auction_of_four() -> None:
    """The same of four players, also with jumps and preferans."""
    flags = (False, True)
    ways = combined(bidding_hold=("earliest", "next"), bidding_jumps=flags, bidding_preferans=flags)
    walk_auctions(4, ways)


def test_every_word_of_the_followers() -> None:
    """All that can be said over a contract, by all the conventions of followers and contra."""
    ways = combined(
        follow_invite=(False, True),
        contra_levels=(0, 1, 2, 4),
        contra_by=("who_came", "either"),
        spades_needs_contra=(False, True),
    )
    found = 0
    for settings in ways:
        variant = find_variant("prefko").with_settings(settings)
        for contract in ("spades", "clubs", "betl", "preferans", "game spades", "game sans"):
            found += walk(core_follow(variant, 3, contract), twin_follow(variant, 3, contract))
    assert found > 1000
