"""One deal of a protocol made into a result: what can be derived is, contradictions are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..contract import MISERE_GAME, RASPAS, TRICKS
from ..deal_score import WHISTED
from ..errors import nearest, quoted, shown
from ..score_sheet import DealResult
from .calls import is_checked, read_calls
from .notation import (
    TALON_WORDS,
    EntryError,
    Order,
    is_number,
    parse_call,
    parse_count,
    parse_flag,
    parse_order,
    parse_result,
)
from .seats import Seats

DEAL_KEYS = (
    "dealer",
    "declarer",
    "contract",
    "result",
    "tricks",
    "raspas",
    "open",
    "concession",
    "talon",
    "off_mountain",
    "dark",
    "hand",
    "note",
)
"""Keys of a deal besides the players' names."""

_CONTRACT_ONLY = ("declarer", "contract", "result", "tricks", "open", "concession", "talon")


@dataclass(frozen=True)
class DealReader(Seats):
    """Reads the entries of deals at a table."""

    def read(self, entry: Mapping[str, Any]) -> DealResult:
        """The result of a deal's entry. EntryError if it cannot be read or contradicts itself."""
        for key in entry:
            if key not in DEAL_KEYS and key not in self.names:
                near = nearest(key, (*self.names, *DEAL_KEYS))
                raise EntryError(f"{shown(key)} is neither a player nor a key of a deal{near}")
        said = {self.names.index(key): value for key, value in entry.items() if key in self.names}
        if "raspas" in entry or (said and all(type(x) is int for x in said.values())):
            is_contract = len(said) == 1 and any(key in entry for key in ("result", "concession"))
            if "declarer" not in entry and "contract" not in entry and not is_contract:
                return self._raspas(entry, said)
        return self._contract(entry, said)

    # raspas

    def _raspas(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> DealResult:
        wrong = [key for key in (*_CONTRACT_ONLY, "off_mountain", "hand") if key in entry]
        if wrong:
            raise EntryError(f"{wrong[0]} has no meaning at raspas")
        counts = dict(said)
        table = entry.get("raspas", {})
        if not isinstance(table, Mapping):
            raise EntryError(f"raspas = {quoted(table)} must give tricks by player: {{B = 3}}")
        for name, count in table.items():
            self._put(counts, self.player(name, "raspas"), count)
        tricks = {p: parse_count(count, self.names[p]) for p, count in counts.items()}
        hands = [p for p in range(len(self.names)) if p != self.sitter]
        if self.sitter >= 0 and self.convention("raspas.talon_four") == "dealer_plays":
            hands.append(self.sitter)
        elif tricks.pop(self.sitter, 0):
            raise EntryError(
                f"{self.names[self.sitter]} deals and sits out, the talon stays closed "
                "(raspas.talon_four), so he takes no tricks"
            )
        self._fill_last(tricks, hands, 10)
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

    def _put(self, counts: dict[int, Any], player: int, count: Any) -> None:
        if player in counts and counts[player] != count:
            raise EntryError(
                f"tricks of {self.names[player]} are given twice: {counts[player]} and {count}"
            )
        counts[player] = count

    def _fill_last(self, tricks: dict[int, int], players: Sequence[int], total: int) -> None:
        """Derive the one missing count; EntryError unless all counts sum to ``total``."""
        missing = [p for p in players if p not in tricks]
        known = sum(tricks[p] for p in players if p in tricks)
        if len(missing) > 1:
            who = " and ".join(self.names[p] for p in missing)
            raise EntryError(f"tricks of {who} are missing")
        if missing and known <= total:
            tricks[missing[0]] = total - known
        elif missing or known != total:
            parts = " + ".join(str(tricks[p]) for p in players if p in tricks)
            raise EntryError(f"tricks must sum to {total}, but {parts} = {known}")

    # contracts

    def _contract(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> DealResult:
        declarer, order = self._order(entry, said)
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

    def _order(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> tuple[int, Order]:
        """Who declares what: by the keys, or by the player whose word is a contract."""
        orders = self._orders(said)
        if "declarer" in entry:
            declarer = self.player(entry["declarer"], "declarer")
            if any(p != declarer for p in orders):
                raise EntryError("two players have a contract")
        elif len(orders) == 1:
            declarer = next(iter(orders))
        else:
            raise EntryError(self._why_no_declarer(entry, said, orders))
        if declarer == self.sitter:
            raise EntryError(f"{self.names[declarer]} deals and sits out, so he cannot declare")
        if "contract" in entry:
            order = parse_order(entry["contract"])
            if declarer in said:
                raise EntryError(f"the contract of {self.names[declarer]} stands twice")
        elif declarer in orders:
            order = orders[declarer]
        else:
            raise EntryError(f"contract of {self.names[declarer]} is missing")
        if "result" in entry:
            result = parse_result(entry["result"])
            if order.result is not None and order.result != result:
                raise EntryError(f"the result stands twice: {order.result:+d} and {result:+d}")
            order = Order(order.level, order.strain, order.without_talon, result)
        return declarer, order

    def _orders(self, said: Mapping[int, Any]) -> dict[int, Order]:
        """The players whose word is a contract."""
        orders: dict[int, Order] = {}
        for player, value in said.items():
            try:
                orders[player] = parse_order(value)
            except EntryError:
                continue
        return orders

    def _why_no_declarer(
        self, entry: Mapping[str, Any], said: Mapping[int, Any], orders: Mapping[int, Order]
    ) -> str:
        if orders:
            return f"two players have a contract: {' and '.join(self.names[p] for p in orders)}"
        if "contract" in entry:
            order = parse_order(entry["contract"])
            return f"declarer is missing: whose contract is {order.text()}?"
        for player, value in said.items():
            try:
                parse_call(value, self.names[player])
            except EntryError:
                parse_order(value)  # raises: a word that is neither call nor contract
        return (
            "no declarer: write declarer and contract, a player with a contract (Anna = "
            '"6♣/-1"), or the tricks of all players at raspas'
        )

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
        self._check_open(entry, True, "")
        tricks = self._tricks_table(entry)
        if order.result is not None:
            if order.result > 0:
                raise EntryError("a misere is made (=) or has tricks taken (-1)")
            self._agree(tricks, declarer, -order.result)
        elif not tricks:
            raise EntryError("result is missing: write misere/= or, with tricks taken, misere/-2")
        hands = [declarer, *self.hands_after(declarer)]
        self._check_playing(tricks, hands)
        if declarer not in tricks:
            self._fill_last(tricks, hands, 10)
        defenders = [p for p in hands if p != declarer]
        if not any(p in tricks for p in defenders):
            tricks[defenders[0]] = 10 - tricks[declarer]
            tricks[defenders[1]] = 0
        self._fill_last(tricks, hands, 10)
        row = [tricks.get(p, 0) for p in range(len(self.names))]
        return DealResult(tricks=row, open_play=True, **self._common(entry, declarer, order))

    def _check_playing(self, tricks: Mapping[int, int], players: Sequence[int]) -> None:
        for player in tricks:
            if player not in players:
                raise EntryError(f"{self.names[player]} does not play, so he takes no tricks")

    def _agree(self, tricks: dict[int, int], declarer: int, taken: int) -> None:
        """Put the declarer's tricks by the result; EntryError if he has others written."""
        if tricks.setdefault(declarer, taken) != taken:
            raise EntryError(
                f"the result gives {self.names[declarer]} {taken} tricks, but {tricks[declarer]} "
                "are written"
            )

    def _tricks_table(self, entry: Mapping[str, Any]) -> dict[int, int]:
        table = entry.get("tricks", {})
        if not isinstance(table, Mapping):
            raise EntryError(f"tricks = {quoted(table)} must give tricks by player: {{B = 5}}")
        return {
            self.player(name, "tricks"): parse_count(count, f"tricks of {name}")
            for name, count in table.items()
        }

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
        defenders = self.hands_after(declarer)
        decisions, said = read_calls(self, entry, order, defenders, calls)
        tricks = self._tricks_table(entry)
        for player, count in said.items():
            self._put(tricks, player, count)
        whisters = [p for p, call in decisions.items() if call == WHISTED]
        checked = is_checked(self, order)
        self._check_open(entry, len(whisters) == 1 or checked, "one whister")
        common = self._common(entry, declarer, order)
        if not whisters:
            if tricks or order.result not in (None, 0):
                raise EntryError(
                    "nobody whists, so the contract counts as made (=) and no card is played"
                )
            return DealResult(decisions=decisions, **common)
        partners = list(decisions)
        self._count_tricks(tricks, declarer, order, partners, whisters)
        last = whisters[-1]
        return DealResult(
            tricks=[tricks.get(p, 0) for p in range(len(self.names))],
            decisions=decisions,
            last_whister=last,
            open_play=parse_flag(entry, "open") or checked,
            **common,
        )

    def _check_open(self, entry: Mapping[str, Any], may_be_open: bool, needs: str) -> None:
        if parse_flag(entry, "open") and not may_be_open:
            raise EntryError(f"open = true, but a defence lies open only with {needs}")

    def _count_tricks(
        self,
        tricks: dict[int, int],
        declarer: int,
        order: Order,
        partners: Sequence[int],
        whisters: Sequence[int],
    ) -> None:
        """Complete ``tricks`` from the result and from what is written; all must agree."""
        self._check_playing(tricks, [declarer, *partners])
        if order.result is not None:
            self._agree(tricks, declarer, order.level + order.result)
        lone = whisters[0] if len(whisters) == 1 else -1
        if declarer not in tricks:
            if lone in tricks:
                for player in partners:
                    tricks.setdefault(player, 0)
            if not all(p in tricks for p in partners):
                raise EntryError("result is missing: write =, -1, +1 or the tricks")
            self._fill_last(tricks, [declarer, *partners], 10)
        taken = tricks[declarer]
        if not 0 <= taken <= 10:
            raise EntryError(f"{order.text()} with result {order.result:+d} makes {taken} tricks")
        if not any(p in tricks for p in partners):
            if taken == 10:
                tricks.update(dict.fromkeys(partners, 0))
            elif lone >= 0 and self.convention("whist.passer_tricks") == "whister":
                # all the defence's tricks are the whister's, whoever took them
                tricks.update({p: 10 - taken if p == lone else 0 for p in partners})
        self._fill_last(tricks, [declarer, *partners], 10)

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
