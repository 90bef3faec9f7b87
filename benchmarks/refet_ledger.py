"""The sheet of the refet game kept by hand, in plain Python and whole points, for the invariants.

Sources: Lesnoy, Russian Preferans (values, refets, the last hand); Preferansklub rules 9-13; iPref,
iKlub and Prefko rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from scoring.contract import MISERE_GAME, RASPAS, SPADES
from scoring.result import INVITED, UNIT, WHISTED

Array = np.ndarray[Any, Any]
BASES = (2, 5, 3, 4, 7)
"""Values of spades, clubs, diamonds, hearts, sans; betl is worth 6, preferans 8."""
BETL, PREFERANS = 6, 8


class Hand(NamedTuple):
    """One row of a run."""

    dealer: int
    kind: int
    level: int
    strain: int
    declarer: int
    played: int
    from_hand: int
    contra: int
    contra_by: int
    parts: list[int]
    tricks: list[int]

    @property
    def base(self) -> int:
        """What the contract counts."""
        if self.kind == MISERE_GAME:
            return BETL
        return PREFERANS if self.level == 10 else BASES[self.strain]

    @property
    def made(self) -> bool:
        """Whether the declarer made it; all tricks are his where nobody plays."""
        own = self.tricks[self.declarer]
        if self.kind == MISERE_GAME:
            return own == 0
        return not self.played or own >= self.level

    @property
    def together(self) -> int:
        """Tricks of the defence."""
        return sum(self.tricks) - self.tricks[self.declarer]


FIELDS = ("dealer", "kind", "level", "strain", "declarer", "played", "without_talon", "contra")
COLUMNS = (*FIELDS, "contra_by", "decision", "tricks")


def hands_of(deals: Array) -> list[Hand]:
    """The rows of a run as hands."""
    columns = [deals[name].tolist() for name in COLUMNS]
    return [Hand(*fields) for fields in zip(*columns, strict=True)]


@dataclass
class Written:
    """What a hand writes: column points by player, and soup of defenders on the declarer."""

    column: list[int]
    soup: list[int]


@dataclass
class Sheet:
    """Contract columns, soup and refets of one pulka."""

    rules: Mapping[str, Any]
    n: int
    start: int
    columns: list[int] = field(init=False)
    soup: list[list[int]] = field(init=False)
    refets: list[int] = field(init=False)
    given: int = 0

    def __post_init__(self) -> None:
        self.columns = [self.start] * self.n
        self.soup = [[0] * self.n for _ in range(self.n)]
        self.refets = [0] * self.n

    @property
    def left(self) -> int:
        """What is still to be written off by all."""
        return sum(self.columns)

    @property
    def under_hat(self) -> bool:
        highest = 0 if self.rules["refets.hat"] == "at_zero" else -1
        return min(self.columns) <= highest

    @property
    def may_refet(self) -> bool:
        """Whether a refet may be written now."""
        many = self.start >= self.rules["refets.many_from"]
        most = self.rules["refets.many" if many else "refets.few"]
        return self.given < most and not self.under_hat

    def on_refet(self, hand: Hand) -> bool:
        """Whether the declarer plays on a refet of his."""
        if hand.declarer < 0 or not self.refets[hand.declarer]:
            return False
        return not (self.rules["refets.frozen"] and self.under_hat)

    def is_left(self, hand: Hand) -> bool:
        """Plain spades that are not played for want of a contra."""
        plain = hand.kind != MISERE_GAME and hand.strain == SPADES and not hand.from_hand
        if not plain or hand.played or not self.rules["spades.needs_contra"]:
            return False
        return WHISTED in hand.parts or self.rules["spades.nobody_comes"] == "left"

    def value(self, hand: Hand) -> int:
        """What a hand is worth in points or for a trick."""
        refet = 2 if self.on_refet(hand) else 1
        return 2 * (hand.base + hand.from_hand) * 2**hand.contra * refet

    def write(self, hand: Hand) -> Written:
        """Write a hand that all have played, or passed; what was written."""
        if hand.kind == RASPAS:
            self._give_refets(hand, self.may_refet)
            return Written([0] * self.n, [0] * self.n)
        refet, is_left = self.on_refet(hand), self.is_left(hand)
        gives = is_left and self.may_refet and self.rules["spades.left"] != "made"
        written = self._last(hand, self.value(hand), gives)
        for player in range(self.n):
            self.columns[player] += written.column[player]
            self.soup[player][hand.declarer] += written.soup[player]
        self._give_refets(hand, gives)
        nothing = is_left and self.rules["spades.left"] == "refet_or_nothing"
        if refet and not gives and not nothing:
            self.refets[hand.declarer] -= 1
        return written

    def _give_refets(self, hand: Hand, gives: bool) -> None:
        if not gives:
            return
        self.given += 1
        for player in range(self.n):
            sits = self.n == 4 and player == hand.dealer
            self.refets[player] += 1 if self.rules["refets.for_dealer"] or not sits else 0

    def _last(self, hand: Hand, value: int, gives: bool) -> Written:
        """What the hand writes, cut or doubled if it is too dear for what is left."""
        left, written = self.left, self._of(hand, value, gives)
        if self.rules["last.made"] == "cap" and left + sum(written.column) < 0:
            return self._of(hand, left, gives)
        if self.rules["last.double_fall"] and value > left and not hand.made:
            written.column[hand.declarer] += value
        return written

    def _of(self, hand: Hand, value: int, gives: bool) -> Written:
        """What the hand writes at this value."""
        written = Written([0] * self.n, [0] * self.n)
        if self.is_left(hand):
            rule = self.rules["spades.left"]
            credit = {"refet_or_nothing": 0, "refet_or_four": min(4, value)}.get(rule, value)
            written.column[hand.declarer] -= 0 if gives else credit
            return written
        written.column[hand.declarer] += -value if hand.made else value
        if not hand.played:
            return written
        if hand.kind == MISERE_GAME or hand.level == 10:
            self._all_or_nothing(hand, value, written)
        elif hand.contra or INVITED in hand.parts:
            self._for_both(hand, value, written)
        else:
            self._each_own(hand, value, written)
        return written

    def _defenders(self, hand: Hand) -> list[int]:
        """The opponents, in order after the declarer; not who sits out."""
        order = [(hand.declarer + k) % self.n for k in range(1, self.n)]
        return [player for player in order if self.n < 4 or player != hand.dealer]

    def _all_or_nothing(self, hand: Hand, value: int, written: Written) -> None:
        if hand.made:
            if hand.contra:
                written.column[hand.contra_by] += value
            return
        rule = self.rules["betl.lost_contra"]
        alone = hand.contra and rule != "each_five"
        tricks = 10 if alone and rule == "contra_ten" else 5
        for player in [hand.contra_by] if alone else self._defenders(hand):
            written.soup[player] += tricks * value

    def _counted(self, hand: Hand) -> dict[int, int]:
        """Tricks that count as soup: the larger share first, of equals the nearer's."""
        room = self.rules["tricks.soup_most"]
        counted = {}
        for player in sorted(self._defenders(hand), key=lambda p: -hand.tricks[p]):
            counted[player] = min(room, hand.tricks[player])
            room -= counted[player]
        return counted

    def _for_both(self, hand: Hand, value: int, written: Written) -> None:
        """Who said contra, or invited, answers for both."""
        his, duty = (hand.contra_by, 5) if hand.contra else (hand.parts.index(WHISTED), 4)
        for player, tricks in self._counted(hand).items():
            own = hand.contra and self.rules["contra.soup"] == "each_own"
            written.soup[player if own else his] += tricks * value
        if hand.together < duty:
            written.column[his] += value

    def _each_own(self, hand: Hand, value: int, written: Written) -> None:
        """Each for himself: two tricks, or four together."""
        came = [player for player in self._defenders(hand) if hand.parts[player] == WHISTED]
        pair = len(came) == 2 and self.rules["follow.short"] == "own_or_pair"
        for player in came:
            written.soup[player] += self._counted(hand)[player] * value
            if hand.tricks[player] < 2 and not (pair and hand.together >= 4):
                written.column[player] += value

    def settle(self) -> list[int]:
        """The settlement, in twelfths of a whist."""
        found = []
        for player in range(self.n):
            taken = sum(self.soup[player]) - sum(line[player] for line in self.soup)
            lowered = UNIT * self.left // self.n
            if self.rules["last.write_off"] == "whole":
                points, more = divmod(self.left, self.n)
                places = sorted(range(self.n), key=lambda p: -self.columns[p])
                lowered = UNIT * (points + (places.index(player) < more))
            found.append(10 * (lowered - UNIT * self.columns[player]) + UNIT * taken)
        return found


@dataclass(frozen=True)
class Ledger:
    """What the sheets say of a run: before each deal, whether it left refets and what it is worth,
    and at the end of each pulka; points and whists in twelfths."""

    refet: Array
    may_refet: Array
    remaining: Array
    refets_written: Array
    value: Array
    columns: Array
    soup: Array
    refets: Array
    refets_given: Array


def keep(rules: Mapping[str, Any], n: int, start: int, deals: Array, starts: Array) -> Ledger:
    """Keep the sheets of a run; ``starts`` are the first rows of its pulkas."""
    firsts = set(starts.tolist())
    told = np.zeros((len(deals), 4), np.int64)
    value = np.zeros((len(deals), 4), np.int64)
    columns, refets = (np.zeros((len(starts), 4), np.int64) for _ in range(2))
    soup, given = np.zeros((len(starts), 4, 4), np.int64), np.zeros(len(starts), np.int64)
    sheet, pulka, settled = Sheet(rules, n, start), -1, [0] * n
    for k, hand in enumerate(hands_of(deals)):
        if k in firsts:
            sheet, pulka = Sheet(rules, n, start), pulka + 1
            settled = sheet.settle()
        told[k, :3] = sheet.on_refet(hand), sheet.may_refet, UNIT * max(0, sheet.left)
        written = sheet.given
        sheet.write(hand)
        told[k, 3] = sheet.given - written
        after = sheet.settle()
        value[k, :n] = np.subtract(after, settled)
        settled = after
        columns[pulka, :n] = UNIT * np.array(sheet.columns)
        soup[pulka, :n, :n] = UNIT * np.array(sheet.soup)
        refets[pulka, :n], given[pulka] = sheet.refets, sheet.given
    return Ledger(*told.T, value, columns, soup, refets, given)
