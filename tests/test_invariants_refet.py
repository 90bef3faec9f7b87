"""Deals and pulkas of the refet game, watched from the first call to the settlement.

A witness referees every call and card, a sheet kept by hand writes every hand; both must find what
the engine finds. All that the rules know comes about, and is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from random_play import house_refet
from test_hidden_information import watch_deal
from witness import as_plain
from witness_refet import PREFERANS, SANS, RefetWitness

from benchmarks.refet_ledger import Hand, Sheet, Written, hands_of
from scoring.contract import MISERE_GAME, RASPAS
from scoring.result import INVITED, PASSED, UNIT, WHISTED
from scoring.variant import Variant, find_variant, variant_names
from sim.state import HOLD, PASS
from sim.table import Table

TARGETS = (3, 5, 12, 30)
MOST = 12
"""Starts of the columns, and the most deals of a pulka: most are played under a few points."""
VARIANTS = tuple(name for name in variant_names() if find_variant(name).has_columns)
RARE = {"bidding.preferans": True, "bidding.jumps": True, "bidding.hold": "next"}
"""Conventions with which the highest numbers are bid, and held."""


class Watched:
    """A pulka whose deals are watched and written by hand; ``met`` counts what has come about."""

    def __init__(self, variant: Variant, n: int, target: int) -> None:
        self.variant, self.n = variant, n
        self.table = Table(variant.rules(n, target))
        self.sheet = Sheet(variant.conventions, n, target)
        self.met: Counter[Any] = Counter()

    def play_deal(self, chance: random.Random) -> bool:
        """Play a deal; True if the pulka is over."""
        before = self.sheet.settle()
        witness, row = watch_deal(self.variant, self.table, chance)
        assert isinstance(witness, RefetWitness) and not self.table.view["row"][0] != -1
        (hand,) = hands_of(np.array([row]))
        sheet = self.sheet
        told = (sheet.on_refet(hand), sheet.may_refet, UNIT * sheet.left)
        assert tuple(row[name] for name in ("refet", "may_refet", "remaining")) == told
        self._count_words(witness, hand)
        left, value, hat = sheet.left, sheet.value(hand) if hand.kind else 0, sheet.under_hat
        written = sheet.write(hand)
        self._count_written(hand, written, left, value, hat)
        values = np.subtract(sheet.settle(), before).tolist()
        assert row["value"].tolist()[: self.n] == values and sum(values) == 0
        self._compare()
        return sheet.left <= 0

    def _compare(self) -> None:
        """The table's sheet is the one kept by hand."""
        view, sheet, n = self.table.view, self.sheet, self.n
        assert as_plain(view["mountain"])[:n] == [UNIT * x for x in sheet.columns]
        soup = np.reshape(as_plain(view["whists"]), (4, 4))[:n, :n]
        assert soup.tolist() == [[UNIT * x for x in line] for line in sheet.soup]
        assert as_plain(view["refets"])[:n] == sheet.refets
        assert view["refets_given"] == sheet.given and not any(as_plain(view["pool"]))

    def _count_words(self, witness: RefetWitness, hand: Hand) -> None:
        """What was said and played."""
        met, parts = self.met, set(hand.parts)
        if hand.kind == RASPAS:
            met["passed by all"] += 1
            return
        met["contract", hand.base, hand.from_hand] += 1
        met["contra", hand.contra] += 1
        by = hand.parts[hand.contra_by]
        calls = [call for _, call in witness.said if call != PASS]
        highest = PREFERANS if witness.rules["bidding.preferans"] else SANS
        for word, seen in {
            "invited": INVITED in parts,
            "two hands": len(witness.in_play) == 2 and hand.played,
            "nobody comes": WHISTED not in parts,
            "several games": len(witness.suits) > 1,
            "gives way": any(call == PASS for _, call in witness.suits),
            "held": HOLD in calls,
            "the highest is held": calls[-1] == HOLD and witness.bid == highest,
            "a game over a number": calls[0] < 9 <= calls[-1],
            "drawn in": hand.contra > 0 and PASSED in parts,
            "contra of who stays": hand.contra > 0 and by == PASSED,
            "stopped": hand.played and sum(hand.tricks) < 10,
            "led through": hand.played and hand.base in (7, 8) and witness.plays[0][0] != 0,
            "talon unseen": not hand.from_hand and not witness.turned,
        }.items():
            met[word] += bool(seen)

    def _count_written(
        self, hand: Hand, written: Written, left: int, value: int, hat: bool
    ) -> None:
        """What was written, and how it differs from the usual."""
        met, sheet = self.met, self.sheet
        change = sum(written.column)
        assert change >= 0 or (hand.made and not hand.contra)
        assert all(points % 2 == 0 for points in written.column) or left % 2
        met["under the hat"] += hat
        if hand.kind == RASPAS:
            return
        his = written.column[hand.declarer]
        spades = sheet.is_left(hand)
        for word, seen in {
            "made": hand.made and hand.played,
            "failed": not hand.made,
            "short": change > his,
            "short though it failed": change > his > 0,
            "cut": change < 0 and -change == left < value,
            "below nothing": sheet.left < 0,
            "doubled fall": his == 2 * value > 0,
            "soup cut": hand.played and sum(hand.tricks) - max(0, hand.tricks[hand.declarer]) > 5,
            "spades left": spades,
            "spades credited": spades and his < 0,
            "spades worth nothing": spades and his == 0,
            "betl lost": hand.kind == MISERE_GAME and not hand.made and not hand.contra,
            "betl lost under contra": hand.kind == MISERE_GAME and not hand.made and hand.contra,
            "two soups under contra": hand.contra and sum(x > 0 for x in written.soup) == 2,
        }.items():
            met[word] += bool(seen)


SEEN = {
    *(("contract", base, game) for base in range(2, 9) for game in (0, 1)),
    *(("contra", level) for level in range(5)),
    *("passed by all", "invited", "two hands", "nobody comes", "several games", "gives way"),
    *("held", "the highest is held", "a game over a number", "drawn in", "contra of who stays"),
    *("stopped", "led through", "talon unseen", "under the hat", "made", "failed", "short"),
    *("short though it failed", "cut", "below nothing", "doubled fall", "soup cut"),
    *("spades left", "spades credited", "spades worth nothing", "betl lost"),
    *("betl lost under contra", "two soups under contra", "refet used", "refets given"),
}
"""All that must come about."""


def watch(n: int, n_deals: int, seed: int) -> Counter[Any]:
    """Watch pulkas of all variants and of random conventions; what came about."""
    chance = random.Random(f"{seed} {n} {n_deals}")
    met: Counter[Any] = Counter()
    while n_deals > 0:
        variant = house_refet(chance)
        if chance.random() < 0.4:
            variant = find_variant(chance.choice(VARIANTS))
        elif chance.random() < 0.3:
            variant = variant.with_settings(RARE)
        pulka = Watched(variant, n, chance.choice(TARGETS))
        for _ in range(MOST):
            n_deals -= 1
            used = sum(pulka.sheet.refets)
            over = pulka.play_deal(chance)
            given = sum(pulka.sheet.refets) - used
            pulka.met["refet used"] += given < 0
            pulka.met["refets given"] += given > 0
            if over:
                break
        met += pulka.met
    return met


@pytest.mark.parametrize("n", [3, 4])
def test_deals_and_sheets_are_as_the_rules_say(n: int) -> None:
    """Every word, card and point, under many conventions; and all there is comes about."""
    met = watch(n, 1000, 1)
    assert SEEN <= set(met), f"never: {SEEN - set(met)}"


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4])
def test_many_deals_and_sheets(n: int) -> None:
    """The same with many more deals, in which everything comes many times."""
    met = watch(n, 20_000, 2)
    assert min(met[word] for word in SEEN) > 9, sorted((met[word], word) for word in SEEN)
