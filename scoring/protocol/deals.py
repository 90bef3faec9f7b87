"""One deal of a protocol made into a result: what can be derived is, contradictions are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..contract import MISERE_GAME, RASPAS, TRICKS
from ..errors import quoted
from ..result import WHISTED
from ..score_sheet import DealResult
from .calls import Calls, is_checked, read_calls
from .contracts import REFET_KEYS, ContractReader
from .notation import (
    TALON_WORDS,
    EntryError,
    Order,
    is_number,
    parse_count,
    parse_flag,
)
from .two import least_raspas, least_tricks, read_call_of_two

_CONTRACT_ONLY = ("declarer", "contract", "result", "tricks", "open", "concession", "talon")


@dataclass(frozen=True)
class DealReader(ContractReader):
    """Reads the entries of deals at a table."""

    def read(self, entry: Mapping[str, Any]) -> DealResult:
        """The result of a deal's entry. EntryError if it cannot be read or contradicts itself."""
        said = self.said(entry)
        for key in REFET_KEYS:
            if key in entry:
                raise EntryError(f"{key} has no meaning in {self.sheet.variant.name}")
        if parse_flag(entry, "thrown_in"):
            return self._thrown_in(entry)
        if "raspas" in entry or (said and all(type(x) is int for x in said.values())):
            is_contract = len(said) == 1 and any(key in entry for key in ("result", "concession"))
            if "declarer" not in entry and "contract" not in entry and not is_contract:
                return self._raspas(entry, said)
        return self._contract(entry, said)

    # raspas

    def _has_raspas(self) -> bool:
        """Whether raspas are played when all have passed; else the deal is thrown in."""
        return not (self.is_two and self.convention("dummy.raspas") == "no_raspas")

    def _thrown_in(self, entry: Mapping[str, Any]) -> DealResult:
        if self._has_raspas():
            raise EntryError("no deal is thrown in: raspas are played (dummy.raspas)")
        for key in entry:
            if key not in ("thrown_in", "dealer", "note"):
                raise EntryError(f"{key} has no meaning in a deal that is thrown in")
        return DealResult(self.dealer, RASPAS)

    def _raspas(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> DealResult:
        wrong = [key for key in (*_CONTRACT_ONLY, "off_mountain", "hand") if key in entry]
        if wrong:
            raise EntryError(f"{wrong[0]} has no meaning at raspas")
        if not self._has_raspas():
            raise EntryError("no raspas are played: write thrown in (dummy.raspas)")
        counts = dict(said)
        table = entry.get("raspas", {})
        if not isinstance(table, Mapping):
            raise EntryError(f"raspas = {quoted(table)} must give tricks by player: {{B = 3}}")
        for name, count in table.items():
            self.put(counts, self.player(name, "raspas"), count)
        tricks = {p: parse_count(count, self.names[p]) for p, count in counts.items()}
        hands = [p for p in range(len(self.names)) if p != self.sitter]
        if self.sitter >= 0 and self.convention("raspas.talon_four") == "dealer_plays":
            hands.append(self.sitter)
        elif tricks.pop(self.sitter, 0):
            raise EntryError(
                f"{self.names[self.sitter]} deals and sits out, the talon stays closed "
                "(raspas.talon_four), so he takes no tricks"
            )
        if self.is_two and len(tricks) < len(hands) and "raspas" not in entry:
            missing = next(p for p in hands if p not in tricks)
            raise EntryError(
                f"tricks of {self.names[missing]} are missing at raspas, or the result and the "
                "call at a contract"
            )
        self.fill_last(tricks, hands, least_raspas(self))
        if self.sitter in hands and tricks[self.sitter] > 2:
            raise EntryError(
                f"{self.names[self.sitter]} deals and plays the talon's two cards, so he "
                "cannot take more than 2 tricks"
            )
        dark = parse_flag(entry, "dark")
        if dark and not self.convention("auction.dark_pass"):
            raise EntryError("dark = true, but a dark pass is not allowed (auction.dark_pass)")
        row = [tricks.get(p, 0) for p in range(len(self.names))]
        return DealResult(self.dealer, RASPAS, tricks=row, dark_pass=dark)

    # contracts

    def _contract(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> DealResult:
        declarer, order = self.order(entry, said)
        calls = {p: value for p, value in said.items() if p != declarer}
        if "raspas" in entry:
            raise EntryError("raspas has no meaning with a contract")
        if parse_flag(entry, "dark"):
            raise EntryError("dark marks a dark pass of the eldest that ended in raspas")
        self._check_bid(order)
        if order.is_misere:
            result = self._misere(entry, declarer, order, calls)
        elif "concession" in entry and entry["concession"] is not False:
            result = self._concession(entry, declarer, order, calls)
        else:
            result = self._played(entry, declarer, order, calls)
        self._check_off_mountain(result)
        return result

    def _check_bid(self, order: Order) -> None:
        if order.without_talon:
            allowed = self.convention("auction.without_talon")
            word = {0: "misere", 9: "nine", 10: "ten"}.get(order.level)
            if word not in allowed:
                may = ", ".join(allowed) or "nothing"
                raise EntryError(
                    f"{order.text()}: without the talon one may bid {may} (auction.without_talon)"
                )
        lowest = self.sheet.exit_level
        level = 8 if order.is_misere else order.level
        if self.convention("raspas.exit_is_min_bid") and level < lowest:
            raise EntryError(
                f"{order.text()} may not be bid: after {self.sheet.raspas_index} raspas in a row "
                f"the lowest bid is {lowest} (raspas.exit_levels)"
            )

    def _common(self, entry: Mapping[str, Any], declarer: int, order: Order) -> dict[str, Any]:
        """What all results of a contract have."""
        units = self._talon_units(entry, order)
        kind = MISERE_GAME if order.is_misere else TRICKS
        return {
            "dealer": self.dealer,
            "kind": kind,
            "declarer": declarer,
            "level": order.level or 6,
            "strain": order.strain if kind == TRICKS else 0,
            "without_talon": order.without_talon,
            "off_mountain": parse_flag(entry, "off_mountain"),
            "talon_units": units,
        }

    def _talon_units(self, entry: Mapping[str, Any], order: Order) -> int:
        if "talon" not in entry:
            return 0
        value = entry["talon"]
        units = TALON_WORDS.get(value, value) if isinstance(value, str) else value
        if isinstance(units, str) and is_number(units):
            units = int(units)
        if type(units) is not int or not 0 <= units <= 3:
            raise EntryError(
                f"talon = {quoted(value)} is not known: {', '.join(TALON_WORDS)}, or 0 to 3 "
                "quick tricks"
            )
        if units and not self.convention("talon.bonus"):
            raise EntryError("talon: nothing is written for quick tricks (talon.bonus)")
        if units and order.without_talon:
            raise EntryError("talon: the talon of a contract without the talon is not shown")
        return units

    def _misere(
        self, entry: Mapping[str, Any], declarer: int, order: Order, calls: Mapping[int, Any]
    ) -> DealResult:
        if calls:
            who = self.names[next(iter(calls))]
            raise EntryError(f"{who} has a call, but nobody whists on a misere")
        for key in ("concession", "hand"):
            if key in entry:
                raise EntryError(f"{key} has no meaning at misere")
        parse_flag(entry, "open")
        tricks = self.tricks_table(entry)
        if order.result is None and not tricks:
            raise EntryError("result is missing: write misere/= or, with tricks taken, misere/-2")
        self.agree_with_result(tricks, declarer, order)
        defenders = self.hands_after(declarer)
        hands = [declarer, *defenders]
        self.check_playing(tricks, hands)
        if declarer not in tricks:
            self.fill_last(tricks, hands)
        if not any(p in tricks for p in defenders):
            # who of the defenders took them is nowhere written
            tricks.update(dict.fromkeys(defenders, 0) | {defenders[0]: 10 - tricks[declarer]})
        self.fill_last(tricks, hands)
        row = [tricks.get(p, 0) for p in range(len(self.names))]
        return DealResult(tricks=row, open_play=True, **self._common(entry, declarer, order))

    def _concession(
        self, entry: Mapping[str, Any], declarer: int, order: Order, calls: Mapping[int, Any]
    ) -> DealResult:
        allowed = self.convention("contract.concession")
        if allowed == 0:
            raise EntryError("a concession is not allowed (contract.concession)")
        given = entry["concession"]
        count = allowed if given is True else parse_count(given, "concession", 3)
        if count != allowed or (order.result is not None and order.result != -count):
            raise EntryError(f"a concession writes {allowed} undertricks (contract.concession)")
        wrong = [key for key in ("tricks", "open", "hand") if key in entry]
        if wrong or calls:
            raise EntryError("a conceded contract is neither whisted nor played")
        return DealResult(concession=count, **self._common(entry, declarer, order))

    def _played(
        self, entry: Mapping[str, Any], declarer: int, order: Order, calls: Mapping[int, Any]
    ) -> DealResult:
        said = self._calls(entry, declarer, order, calls)
        tricks = self.tricks_table(entry)
        for player, count in said.tricks.items():
            self.put(tricks, player, count)
        whisters = [p for p, call in said.decisions.items() if call == WHISTED]
        checked = is_checked(self, order)
        if said.is_open and len(whisters) != 1 and not checked:
            raise EntryError("open = true, but a defence lies open only with one whister")
        common = self._common(entry, declarer, order)
        if not whisters:
            if tricks or order.result not in (None, 0):
                raise EntryError(
                    "nobody whists, so the contract counts as made (=) and no card is played"
                )
            return DealResult(decisions=said.decisions, **common)
        is_open = bool(said.is_open) or checked
        self.check_playing(tricks, [declarer, *said.decisions])
        self.agree_with_result(tricks, declarer, order)
        lone = whisters[0] if len(whisters) == 1 else -1
        self._count_tricks(tricks, [declarer, *said.decisions], lone, least_tricks(self, is_open))
        return DealResult(
            tricks=[tricks.get(p, 0) for p in range(len(self.names))],
            decisions=said.decisions,
            last_whister=whisters[-1],
            open_play=is_open,
            **common,
        )

    def _calls(
        self, entry: Mapping[str, Any], declarer: int, order: Order, calls: Mapping[int, Any]
    ) -> Calls:
        defenders = self.hands_after(declarer)
        if self.is_two:
            return read_call_of_two(self, entry, order, defenders[0], calls)
        return read_calls(self, entry, order, defenders, calls)

    def _count_tricks(
        self, tricks: dict[int, int], players: Sequence[int], lone: int, least: int
    ) -> None:
        """Complete ``tricks`` of the declarer and his ``players``, the ``lone`` whister among them.

        They sum to ``least`` to ten.
        """
        declarer, *partners = players
        if declarer not in tricks:
            if lone in tricks:
                for player in partners:
                    tricks.setdefault(player, 0)
            if least < 10 or not all(p in tricks for p in partners):
                raise EntryError("result is missing: write =, -1, +1 or the tricks")
            self.fill_last(tricks, players)
        taken = tricks[declarer]
        if not any(p in tricks for p in partners):
            if taken == 10:
                tricks.update(dict.fromkeys(partners, 0))
            elif least == 10 and lone >= 0 and self.convention("whist.passer_tricks") == "whister":
                # all the defence's tricks are the whister's, whoever took them
                tricks.update({p: 10 - taken if p == lone else 0 for p in partners})
        self.fill_last(tricks, players, least)

    def _check_off_mountain(self, result: DealResult) -> None:
        if not result.off_mountain:
            return
        if not self.convention("values.off_mountain_instead"):
            raise EntryError("off_mountain is not allowed (values.off_mountain_instead)")
        made_misere = (
            result.kind == MISERE_GAME
            and result.tricks is not None
            and result.tricks[result.declarer] == 0
        )
        unwhisted = result.kind == TRICKS and result.tricks is None and not result.concession
        if not made_misere and not unwhisted:
            raise EntryError("off_mountain needs an unwhisted contract or a made misere")
