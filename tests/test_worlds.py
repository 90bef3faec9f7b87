"""Worlds drawn for a player fit what a witness says he knows, each as likely as another."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_play import TABLES, bits, house_razboinik, house_refet, house_variant
from refet_moods import mood_of
from twin_moods import random_number
from witness import mask
from witness_refet import watching

from scoring.contract import RASPAS
from scoring.kernel import JIT, make_records, outline
from scoring.variant import Variant, find_variant
from sim.botcall import OWN_DTYPE, address_of, bot, call_bot
from sim.state import CARD, PHASES
from sim.table import Table
from sim.view import prepare, reveal_private
from sim.worlds import ASIDE, DISCARDED, MAX_DISCARDS, N_PLACES, draw_world, list_discards

TESTS = Path(__file__).resolve().parent
AT_LIST = N_PLACES
KEY, START, NEXT, LISTED = range(AT_LIST + MAX_DISCARDS, AT_LIST + MAX_DISCARDS + 4)
World = tuple[int, ...]


@bot(workspace=LISTED + 1)
def imagine(view: Any, own: Any) -> int:
    """Draws a world and lists discards into his workspace."""
    work = own.workspace
    work[NEXT] = draw_world(view, work[KEY], work[START], work[:N_PLACES])
    work[LISTED] = list_discards(view, work[AT_LIST : AT_LIST + MAX_DISCARDS])
    return 0


@outline
def _ask(address: int, view: Any, own: Any) -> int:
    return call_bot(address, view, own)


class Dreamer:
    """Asks for worlds as the engine asks a bot."""

    def __init__(self) -> None:
        self._address = address_of(imagine, "imagine")
        self._array = np.zeros(LISTED + 1, np.int64)
        self._own = make_records(OWN_DTYPE, 1)[0]
        self._own["workspace"] = self._array.ctypes.data if JIT else self._array
        self._own["n_workspace"] = len(self._array)

    def draw(self, view: Any, key: int, start: int = 0) -> tuple[World, int]:
        """A world, and the number of the next random word."""
        self._array[KEY], self._array[START] = key, start
        _ask(self._address, view, self._own)
        return tuple(self._array[:N_PLACES].tolist()), int(self._array[NEXT])

    def discards(self) -> list[int]:
        """What the last asking listed."""
        return self._array[AT_LIST : AT_LIST + int(self._array[LISTED])].tolist()


def true_world(table: Table, known: int) -> World:
    """How the cards lie, of those laid away or aside only what a player does not know."""
    hidden, hands = table.hidden, table.hands()
    laid = mask(card for discard in hidden["discard"] for card in bits(int(discard)))
    out = (1 << 32) - 1 & ~(hands[0] | hands[1] | hands[2] | int(table.view["played"]) | known)
    discarded = out & laid if int(table.view["kind"]) != RASPAS else 0
    return (*hands, out & ~discarded, discarded)


def shown_voids(view: Any, n_plays: int) -> list[set[int]]:
    """The suits that each hand has shown to lack, read from the list of plays and turned cards."""
    lacks: list[set[int]] = [set(), set(), set()]
    in_trick = bits(int(view["in_play"]))
    strain, talon = int(view["strain"]), [int(card) for card in view["talon_card"]]
    for k in range(n_plays):
        trick, place = divmod(k, len(in_trick))
        hand, card = int(view["plays"][k]) >> 5, int(view["plays"][k]) & 31
        if place == 0:
            led = card >> 3
            if int(view["kind"]) == RASPAS and trick < 2 and talon[trick] >= 0:
                led = talon[trick] >> 3
        if card >> 3 != led:
            lacks[hand].add(led)
            if card >> 3 != strain and strain < 4:
                lacks[hand].add(strain)
    return lacks


def assert_fits(table: Table, world: World, truth: World, placed: int) -> None:
    """The world agrees with all that the player knows, and with the counts of the true one."""
    view = table.view
    assert [place.bit_count() for place in world] == [place.bit_count() for place in truth]
    assert sum(world) == sum(truth)
    for place, true in zip(world, truth, strict=True):
        assert place & placed == true & placed
    lacks = shown_voids(view, int(view["n_plays"]))
    for hand in range(3):
        assert not {card >> 3 for card in bits(world[hand])} & lacks[hand]
    if int(view["kind"]) != RASPAS and int(view["declarer"]) >= 0:
        mine = world[int(view["declarer"])] | world[DISCARDED] | int(view["discard"])
        assert int(view["talon"]) & ~(mine | int(view["played"])) == 0
    if int(view["kind"]) == RASPAS and int(view["phase"]) == CARD:
        for hand in range(int(view["mover"])):  # what was passed on has gone by
            assert world[hand] & int(view["discard"]) == 0


@outline
def _show(view: Any, hidden: Any, rules: Any) -> None:
    prepare(view, hidden, rules)
    reveal_private(view, hidden)


Asked = tuple[Table, int]


def decisions(variant: Variant, n: int, chance: random.Random, deals: int) -> Iterator[Asked]:
    """Decisions of random deals as a bot would see them: the table, and the cards whose place its
    player knows."""
    table, over = Table(variant.rules(n)), False
    for _ in range(deals):
        table = Table(variant.rules(n)) if over else table
        view = table.view
        table.lay(random_number(chance))
        witness = watching(variant, n, table)
        chooser = mood_of(variant, chance, table.hands())
        while not table.done:
            legal = bits(table.legal)
            phase, mover = int(view["phase"]), int(view["mover"])
            if len(legal) > 1:
                _show(view, table.hidden, table.rules)
                known = witness.known(int(view["player"]), phase)
                yield table, placed_of(view, known)
            action = chooser.choose(view, legal)
            witness.hear(phase, mover, action)
            table.apply(action)
        over = table.finish()[1]


def placed_of(view: Any, known: int) -> int:
    """Of the cards a player knows, those of which he knows the place: not the talon that another
    took up, nor what he passed on at raspas, which may have been passed on again."""
    raspas = int(view["kind"]) == RASPAS
    if not raspas:
        known &= ~int(view["talon"])
    elif int(view["phase"]) == CARD and int(view["mover"]) < 2:
        known &= ~int(view["discard"])
    known |= int(view["hand"]) | int(view["played"]) | (0 if raspas else int(view["discard"]))
    return known | mask(card for hand in view["shown"] for card in bits(int(hand)))


def examine(asked: Iterator[Asked], chance: random.Random) -> Counter[str]:
    """Draw worlds at each decision; how often each phase was asked, and discards were listed."""
    dreamer, found = Dreamer(), Counter[str]()
    for table, placed in asked:
        truth = true_world(table, placed)
        world, after = dreamer.draw(table.view, chance.getrandbits(63), chance.randrange(9))
        assert after > 0
        assert_fits(table, world, truth, placed)
        listed = dreamer.discards()
        away, hidden = truth[ASIDE] | truth[DISCARDED], [h for h in range(3) if truth[h] & ~placed]
        assert bool(listed) == (away.bit_count() == 2 and len(hidden) < 2)
        if listed:
            assert {away, world[ASIDE] | world[DISCARDED]} <= set(listed)
            assert len(set(listed)) == len(listed)
        found[PHASES[int(table.view["phase"])]] += 1
        found["listed"] += bool(listed)
        found["moved"] += world != truth
    return found


@pytest.mark.parametrize(("name", "n"), TABLES)
def test_worlds_fit_what_is_known(name: str, n: int) -> None:
    """At random decisions of every variant."""
    chance = random.Random(f"{name} {n}")
    found = examine(decisions(find_variant(name), n, chance, 20), chance)
    assert found["card"] > 50 and found["moved"] > found["card"] / 2


FEW = {2: {"pass_along", "dealer_whist", "catch"}, 3: {"dealer_whist"}, 4: set[str]()}
"""Phases that some numbers of players do not have."""
OF_POOL = {"agree", "dark", "auction", "discard", "contract", "whist", "open", "card", "listed"}
OF_POOL |= {"pass_along", "dealer_whist", "catch"}


@pytest.mark.parametrize("n", FEW)
def test_worlds_fit_under_random_conventions(n: int) -> None:
    """In every phase, whatever the conventions are."""
    chance = random.Random(40 + n)
    found = Counter[str]()
    for _ in range(60):
        found += examine(decisions(house_variant(chance, n), n, chance, 3), chance)
    assert OF_POOL - FEW[n] <= {phase for phase, count in found.items() if count}


def test_worlds_fit_in_other_families() -> None:
    """Razboinik in all its ways, the refet game with two hands in play and three."""
    chance = random.Random(44)
    found = Counter[str]()
    for _ in range(20):
        found += examine(decisions(house_razboinik(chance), 2, chance, 2), chance)
        found += examine(decisions(house_refet(chance), chance.choice((3, 4)), chance, 8), chance)
    assert found["row"] and found["come"] and found["contra"] and found["bidding"]
    assert found["card"] > 500 and found["listed"] > 100


def all_worlds(table: Table, truth: World, placed: int) -> set[World]:
    """Every way to deal the cards whose place is not known that fits, by trying all."""
    loose = [card for place in truth for card in bits(place & ~placed)]
    sizes = [(place & ~placed).bit_count() for place in truth]
    fixed = [place & placed for place in truth]
    found = set()
    for order in set(itertools.permutations(k for k in range(5) for _ in range(sizes[k]))):
        world = list(fixed)
        for card, k in zip(loose, order, strict=True):
            world[k] |= 1 << card
        try:
            assert_fits(table, tuple(world), truth, placed)
        except AssertionError:
            continue
        found.add(tuple(world))
    return found


DRAWS = 60
"""Draws for each world there is."""


@pytest.mark.slow
def test_each_world_is_as_likely() -> None:
    """Chi-square of all draws at small endings against equal chances, with voids and without."""
    chance = random.Random(5)
    dreamer = Dreamer()
    total = freedom = with_voids = 0.0
    variants = [("sochi", 3), ("piter", 3), ("refet", 3), ("classic_two", 2)]
    for name, n in variants:
        left = 12
        for table, placed in decisions(find_variant(name), n, chance, 200):
            truth = true_world(table, placed)
            loose = sum((place & ~placed).bit_count() for place in truth)
            if not 2 < loose < 8 or left == 0:
                continue
            worlds = all_worlds(table, truth, placed)
            if len(worlds) < 2 or chance.random() < 0.5:
                continue
            left -= 1
            with_voids += len(worlds) < 20
            count = DRAWS * len(worlds)
            seen = Counter(
                dreamer.draw(table.view, chance.getrandbits(63))[0] for _ in range(count)
            )
            assert set(seen) <= worlds
            total += sum((seen[world] - DRAWS) ** 2 / DRAWS for world in worlds)
            freedom += len(worlds) - 1
        assert left == 0
    assert with_voids > 5
    assert abs(total - freedom) < 4 * (2 * freedom) ** 0.5


def digest() -> str:
    """Of the worlds drawn at seeded decisions."""
    chance = random.Random(9)
    dreamer = Dreamer()
    text = hashlib.sha256()
    for name, n in (("piter", 3), ("refet", 4), ("razboinik", 2)):
        for table, _ in decisions(find_variant(name), n, chance, 5):
            drawn = dreamer.draw(table.view, chance.getrandbits(63), 3)
            text.update(json.dumps([drawn, dreamer.discards()]).encode())
    return text.hexdigest()


def test_worlds_do_not_depend_on_the_mode() -> None:
    """The same words give the same worlds compiled and as plain Python."""
    path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    done = subprocess.run(
        [sys.executable, "-c", "import test_worlds; print(test_worlds.digest())"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1" if JIT else "0", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [digest()]
