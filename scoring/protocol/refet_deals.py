"""A deal of the refet game made into a result: who came, contra, tricks as far as they are written.

Sources: Preferansklub rules 9-13; Lesnoy, Russian Preferans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..contract import MISERE_GAME, RASPAS, TRICKS
from ..refet_result import (
    FAILING_TRICKS,
    is_all_or_nothing,
    is_played,
    needs_contra,
    plays,
    why_impossible,
)
from ..result import INVITED, PASSED, WHISTED
from ..score_sheet import DealResult
from .contracts import REFET_KEYS, ContractReader
from .notation import EntryError, Order, parse_flag
from .refet_notation import RefetCall, parse_level, parse_refet_call, parse_refet_order

_KEYS = ("dealer", "declarer", "contract", "result", "tricks", "note", *REFET_KEYS)


@dataclass(frozen=True)
class RefetReader(ContractReader):
    """Reads the entries of deals of the refet game."""

    HINT = (
        'no declarer: write a player with a contract (Anna = "clubs/="), declarer and contract, '
        "or all pass"
    )

    def parse_order(self, text: Any) -> Order:
        return parse_refet_order(text)

    def check_call(self, text: Any, name: str) -> None:
        parse_refet_call(text, name)

    def read(self, entry: Mapping[str, Any]) -> DealResult:
        """The result of a deal's entry. EntryError if it cannot be read or contradicts itself."""
        said = self.said(entry)
        for key in entry:
            if key not in _KEYS and key not in self.names:
                raise EntryError(f"{key} has no meaning in {self.sheet.variant.name}")
        result = self._all_pass(entry) if parse_flag(entry, "all_pass") else None
        if result is None:
            result = self._contract(entry, said)
        self._check_refet(entry, result)
        return result

    def _all_pass(self, entry: Mapping[str, Any]) -> DealResult:
        for key in entry:
            if key not in ("all_pass", "dealer", "refet", "note"):
                raise EntryError(f"{key} has no meaning where all pass")
        return DealResult(self.dealer, RASPAS)

    def _contract(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> DealResult:
        declarer, order = self.order(entry, said)
        if self.sitter in said:
            name = self.names[self.sitter]
            raise EntryError(f"{name} deals and sits out, so he neither comes nor takes tricks")
        calls = {
            player: parse_refet_call(value, self.names[player])
            for player, value in said.items()
            if player != declarer
        }
        hand = self._called(entry, declarer, order, calls)
        tricks = self.tricks_table(entry)
        for player, call in calls.items():
            if call.tricks is not None:
                self.put(tricks, player, call.tricks)
        hand = replace(hand, tricks=self._tricks(hand, order, tricks))
        why = why_impossible(self.sheet.variant.conventions, hand, self.names)
        if why:
            raise EntryError(why)
        return hand

    # calls

    def _called(
        self,
        entry: Mapping[str, Any],
        declarer: int,
        order: Order,
        calls: Mapping[int, RefetCall],
    ) -> DealResult:
        """The contract with what the opponents said; who said nothing is derived where he can
        be."""
        level, by = self._contra(entry, declarer, calls)
        hand = DealResult(
            self.dealer,
            MISERE_GAME if order.is_misere else TRICKS,
            declarer,
            order.level or 6,
            order.strain,
            without_talon=order.without_talon,
            contra=level,
            contra_by=by,
        )
        defenders = self.hands_after(declarer)
        given = {p: call.decision for p, call in calls.items() if call.decision is not None}
        inviters = [p for p, call in calls.items() if call.invites]
        if len(inviters) > 1:
            raise EntryError(f"{' and '.join(self.names[p] for p in inviters)} invite each other")
        if is_all_or_nothing(hand):
            given = dict.fromkeys(defenders, WHISTED) | given
        for player, other in (defenders, defenders[::-1]):
            self._derive(given, player, other, hand, calls, inviters)
        for player in inviters:
            other = next(p for p in defenders if p != player)
            if given[other] != INVITED:
                raise EntryError(
                    f"{self.names[player]} invites {self.names[other]}, so {self.names[other]} is "
                    "invited: he neither comes nor stays by himself"
                )
        return replace(hand, decisions={p: given[p] for p in defenders if p in given})

    def _derive(
        self,
        given: dict[int, int],
        player: int,
        other: int,
        hand: DealResult,
        calls: Mapping[int, RefetCall],
        inviters: Sequence[int],
    ) -> None:
        """The part of a player who has no call of his own: drawn in by contra, invited, the
        inviter, or one who came since he has tricks."""
        if player in given:
            return
        if hand.contra:
            given[player] = WHISTED if player == hand.contra_by else PASSED
        elif other in inviters:
            given[player] = INVITED
        elif given.get(other) == INVITED or player in calls:
            given[player] = WHISTED

    def _contra(
        self, entry: Mapping[str, Any], declarer: int, calls: Mapping[int, RefetCall]
    ) -> tuple[int, int]:
        """How far doubling went, and who said contra: by the keys, or with a player's call."""
        sayers = [p for p, call in calls.items() if call.contra]
        if len(sayers) > 1:
            who = " and ".join(self.names[p] for p in sayers)
            raise EntryError(f"{who} both say contra; the first contra ends the asking")
        level = calls[sayers[0]].contra if sayers else 0
        by = sayers[0] if sayers else -1
        if "contra_by" in entry:
            by = self.player(entry["contra_by"], "contra_by")
            if by == declarer:
                raise EntryError(f"{self.names[by]} declares, so he cannot say contra")
            if sayers and by != sayers[0]:
                raise EntryError(
                    f"contra_by = {self.names[by]!r}, but {self.names[sayers[0]]} says contra"
                )
            level = level or 1
        if entry.get("contra") is False:
            if by >= 0:
                raise EntryError(f"contra = false, but {self.names[by]} says contra")
        elif "contra" in entry:
            keyed = parse_level(entry["contra"], "contra")
            if level > 1 and keyed != level:
                raise EntryError(f"contra is given twice: levels {level} and {keyed}")
            level = keyed
            if by < 0:
                by = self._only_comer(declarer, calls)
        return level, by

    def _only_comer(self, declarer: int, calls: Mapping[int, RefetCall]) -> int:
        """Who said a contra that names nobody: the only one who came."""
        came = [p for p, call in calls.items() if call.decision == WHISTED]
        if len(came) != 1:
            raise EntryError("contra: who said it? write Boris contra, or contra_by")
        return came[0]

    # tricks

    def _tricks(self, hand: DealResult, order: Order, tricks: dict[int, int]) -> list[int] | None:
        """The tricks of a hand that is played, completed; None if it is not."""
        conventions = self.sheet.variant.conventions
        if not is_played(conventions, hand):
            if not tricks and (order.result is None or self._is_credited(hand, order)):
                return None
            return self._row(tricks)  # refused with a reason
        self.agree_with_result(tricks, hand.declarer, order)
        playing = [p for p in self.hands_after(hand.declarer) if plays(hand, p)]
        self.check_playing(tricks, [hand.declarer, *playing])
        self._fill(hand, tricks, playing)
        return self._row(tricks)

    def _is_credited(self, hand: DealResult, order: Order) -> bool:
        """Whether ``=`` says only that nobody came and the contract counts as made."""
        left = needs_contra(self.sheet.variant.conventions, hand)
        if left and self.convention("spades.nobody_comes") == "left":
            return False
        return WHISTED not in hand.decisions.values() and order.result == 0

    def _row(self, tricks: Mapping[int, int]) -> list[int]:
        return [tricks.get(p, 0) for p in range(len(self.names))]

    def _fill(self, hand: DealResult, tricks: dict[int, int], playing: Sequence[int]) -> None:
        """Derive the declarer's tricks, or what is missing of the defence's."""
        missing = [p for p in playing if p not in tricks]
        defence = sum(tricks[p] for p in playing if p in tricks)
        if hand.declarer not in tricks:
            if missing or hand.kind == MISERE_GAME:
                raise EntryError("result is missing: write =, -1, +1 or the tricks")
            tricks[hand.declarer] = max(0, 10 - defence)
            return
        if not missing:
            return
        left = self._defence(hand, tricks[hand.declarer], defence) - defence
        if len(missing) > 1:
            missing = [self._answers(hand, missing)]
        if left < 0:
            left = 0  # refused for the sum
        tricks[missing[0]] = left

    def _defence(self, hand: DealResult, taken: int, known: int) -> int:
        """The defence's tricks together: play stops at the fifth, unless more are written."""
        stops = hand.level == 6 and hand.kind == TRICKS and taken < 6
        if stops and self.convention("tricks.stop") and known <= FAILING_TRICKS:
            return FAILING_TRICKS
        return 10 - taken

    def _answers(self, hand: DealResult, missing: Sequence[int]) -> int:
        """Who has tricks of two that are not told apart: no score depends on it where one writes
        for both."""
        inviters = [p for p, call in hand.decisions.items() if call == WHISTED]
        if is_all_or_nothing(hand):
            return missing[0]
        if hand.contra and self.convention("contra.soup") == "all":
            return hand.contra_by
        if INVITED in hand.decisions.values() and len(inviters) == 1:
            return inviters[0]
        who = " and ".join(self.names[p] for p in missing)
        raise EntryError(f"tricks of {who} are missing")

    # refets

    def _check_refet(self, entry: Mapping[str, Any], result: DealResult) -> None:
        """EntryError if the entry says of a refet what the sheet does not."""
        if "refet" not in entry:
            return
        said, sheet = parse_flag(entry, "refet"), self.sheet
        gives = result.kind == RASPAS or sheet.gives_refets(result)
        if said == (sheet.gives_refets(result) if gives else sheet.on_refet(result)):
            return
        if not gives:
            has = "has no refet" if said else "plays on a refet"
            raise EntryError(
                f"refet = {str(said).lower()}, but {self.names[result.declarer]} {has}"
            )
        if not said:
            raise EntryError("refet = false, but every player gets a refet")
        why = "a player is under the hat (refets.hat)"
        if not sheet.is_under_hat():
            why = f"{sheet.refets_given} of {sheet.refets_most} are written (refets)"
        raise EntryError(f"refet = true, but nobody gets a refet: {why}")
