"""Whole pulkas as the engine played them, read by the words of the rules: for the invariants.

Players of a deal: the declarer, D1 after him in turn order, D2 the other defender, and with four
players the dealer, who sits out. Of two players D1 is the only defender.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from benchmarks.refet_ledger import Ledger, keep
from scoring.batch import score_results, to_results
from scoring.contract import (
    MISERE,
    MISERE_GAME,
    MISERE_WITHOUT,
    N_CONTRACTS,
    NINE_WITHOUT,
    RASPAS,
    TRICKS,
)
from scoring.result import HALF_WHISTED, WHISTED
from scoring.variant import Variant

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Played:
    """Whole pulkas of one variant, rows sorted by (pulka, deal), and what they were played with.

    ``pool`` is the target in points per player; ``seed`` and ``most`` (deals a pulka) are
    those of the shard.
    """

    variant: Variant
    n: int
    pool: int
    seed: int
    most: int
    deals: Array
    pulkas: Array

    def rule(self, key: str) -> Any:
        """The value of a convention."""
        return self.variant.conventions[key]

    @cached_property
    def kind(self) -> Array:
        return self.deals["kind"]

    @cached_property
    def played(self) -> Array:
        return self.deals["played"] == 1

    @cached_property
    def first(self) -> Array:
        """Whether a row is the first of its pulka."""
        return np.diff(self.deals["pulka"], prepend=-1) != 0

    @cached_property
    def starts(self) -> Array:
        """The first row of each pulka."""
        return np.flatnonzero(self.first)

    @cached_property
    def ends(self) -> Array:
        """The row after the last of each pulka."""
        return np.append(self.starts[1:], len(self.deals)).astype(np.int64)

    def of(self, players: Array, column: str) -> Array:
        """A column by player, of one player in each row; 0 where he is nobody."""
        values = self.deals[column][np.arange(len(self.deals)), np.maximum(players, 0)]
        return np.where(players >= 0, values, 0)

    def defender(self, place: int) -> Array:
        """D1 (place 1) or D2 (place 2) as a player; -1 at raspas, and D2 of two players."""
        if self.n == 2:
            only = np.where(self.kind == RASPAS, -1, 1 - self.deals["declarer"])
            return only if place == 1 else np.full(len(only), -1)
        hand = (self.deals["declarer"] - self.deals["dealer"] - 1) % self.n
        player = (self.deals["dealer"] + 1 + (hand + place) % 3) % self.n
        return np.where(self.kind == RASPAS, -1, player)

    @cached_property
    def sitting(self) -> Array:
        """The dealer of four as a player; -1 with fewer."""
        return self.deals["dealer"] if self.n == 4 else np.full(len(self.deals), -1)

    @cached_property
    def taken(self) -> Array:
        """Tricks of the declarer."""
        return self.of(self.deals["declarer"], "tricks")

    @cached_property
    def whisters(self) -> Array:
        return np.sum(self.deals["decision"] == WHISTED, axis=1)

    @cached_property
    def left_alone(self) -> Array:
        """Contracts without a whist or a half-whist, not conceded."""
        spoken = np.isin(self.deals["decision"], (WHISTED, HALF_WHISTED)).any(axis=1)
        contract = (self.kind == TRICKS) & self.has_auction
        return contract & (self.deals["concession"] == 0) & ~spoken

    @cached_property
    def has_auction(self) -> bool:
        """Whether contracts are bid and whisted; razboinik names rows of a table."""
        return self.variant.has_pool

    @cached_property
    def razboinik(self) -> bool:
        """Whether rows of a table are played, to a sum of points lost."""
        return not self.variant.has_target

    @cached_property
    def ledger(self) -> Ledger:
        """The sheets of the refet game, kept by hand."""
        conventions = self.variant.conventions
        return keep(conventions, self.n, self.pool, self.deals, self.starts)

    @cached_property
    def entries(self) -> Array:
        """What the scorer writes for each deal, before help."""
        return score_results(self.variant.rules(self.n, self.pool), to_results(self.deals))

    @cached_property
    def checked(self) -> Array:
        """Tens that are only checked."""
        ten = (self.kind == TRICKS) & (self.deals["level"] == 10) & self.has_auction
        return ten & (self.rule("whist.ten") == "checked")

    @cached_property
    def thrown_in(self) -> Array:
        """Deals in which all passed and nothing is played."""
        return (self.kind == RASPAS) & ~self.played

    @cached_property
    def made(self) -> Array:
        """Contracts and misères that are made; one left unplayed counts as made."""
        over = self.taken - self.deals["level"]
        enough = over == 0 if self.rule("contract.underbid_fails") else over >= 0
        tricks = (self.deals["concession"] == 0) & (~self.played | enough)
        return np.where(self.kind == MISERE_GAME, self.taken == 0, (self.kind == TRICKS) & tricks)

    @cached_property
    def exit_level(self) -> Array:
        """The lowest level that ends the row of raspas before each deal."""
        levels = np.array(self.rule("raspas.exit_levels"))
        return levels[np.minimum(self.deals["raspas_index"], len(levels) - 1)]

    @cached_property
    def lowest_level(self) -> Array:
        """The lowest level that could be bid."""
        if self.rule("raspas.exit_is_min_bid"):
            return self.exit_level
        return np.full(len(self.deals), 6)

    @cached_property
    def rungs(self) -> Array:
        """The place of each contract code on the ladder; -1 where it may not be bid."""
        places = np.full(N_CONTRACTS, -1)
        for place, code in enumerate(ladder(self.variant)):
            places[code] = place
        return places

    @cached_property
    def contract(self) -> Array:
        """The code of the final contract; that of a misère by its talon."""
        level, strain = self.deals["level"], self.deals["strain"]
        without = self.deals["without_talon"] == 1
        tricks = np.where(without, NINE_WITHOUT + 5 * (level - 9), 5 * (level - 6)) + strain
        return np.where(self.kind == MISERE_GAME, np.where(without, MISERE_WITHOUT, MISERE), tricks)

    def next_of(self, values: Array) -> Array:
        """What the next row of the pulka says; for the last rows what they say themselves."""
        return np.append(values[1:], values[-1:])

    @cached_property
    def last(self) -> Array:
        """Whether a row is the last of its pulka."""
        return np.append(self.first[1:], True)

    @cached_property
    def exits(self) -> Array:
        """Whether a deal ends a row of raspas."""
        bids = self.kind != RASPAS
        high = (self.kind == MISERE_GAME) | (self.deals["level"] >= self.exit_level)
        if self.rule("raspas.exit_on") == "any_bid":
            return bids & high
        misere = self.kind == MISERE_GAME
        fits = np.where(misere, self.rule("raspas.exit_misere"), True)
        if not self.rule("raspas.exit_ten"):
            fits &= misere | (self.deals["level"] != 10)
        if not self.rule("raspas.exit_unwhisted"):
            fits &= misere | (self.whisters > 0)
        return bids & high & self.made & fits


def ladder(variant: Variant) -> list[int]:
    """Contract codes in the order of the variant's ladder, those it does not allow left out."""
    numbers = {"six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
    codes = []
    for word in variant.conventions["auction.ladder"]:
        name, _, without = word.partition("_")
        if without and name not in variant.conventions["auction.without_talon"]:
            continue
        if name == "misere":
            codes.append(MISERE_WITHOUT if without else MISERE)
        else:
            lowest = 5 * (numbers[name] - 6)
            lowest += NINE_WITHOUT - 15 if without else 0
            codes += range(lowest, lowest + 5)
    return codes


def level_of(codes: Array) -> Array:
    """The level of each bid; of misère eight, the highest lowest level under which it may be
    bid."""
    level = np.where(codes >= NINE_WITHOUT, 9 + (codes - NINE_WITHOUT) // 5, 6 + codes // 5)
    return np.where((codes == MISERE) | (codes == MISERE_WITHOUT), 8, level)
