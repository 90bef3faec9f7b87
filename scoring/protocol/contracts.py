"""What an entry says of a contract: who declares what, and the tricks written."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..errors import nearest, quoted, shown
from .notation import EntryError, Order, parse_call, parse_count, parse_order, parse_result
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
    "thrown_in",
    "hand",
    "all_pass",
    "contra",
    "contra_by",
    "refet",
    "note",
)
"""Keys of a deal besides the players' names."""
REFET_KEYS = ("all_pass", "contra", "contra_by", "refet")
"""Those of them that have a meaning in the refet game alone."""


@dataclass(frozen=True)
class ContractReader(Seats):
    """Reads what entries say of contracts. Its methods raise EntryError."""

    HINT: ClassVar[str] = (
        "no declarer: write declarer and contract, a player with a contract (Anna = "
        '"6♣/-1"), or the tricks of all players at raspas'
    )
    """What is said where nobody has a contract."""

    def parse_order(self, text: Any) -> Order:
        """A contract as it is written in the family that is played."""
        return parse_order(text)

    def check_call(self, text: Any, name: str) -> None:
        """EntryError unless this is an opponent's call."""
        parse_call(text, name)

    def said(self, entry: Mapping[str, Any]) -> dict[int, Any]:
        """What stands beside the players' names; all other keys are keys of a deal."""
        for key in entry:
            if key not in DEAL_KEYS and key not in self.names:
                near = nearest(key, (*self.names, *DEAL_KEYS))
                raise EntryError(f"{shown(key)} is neither a player nor a key of a deal{near}")
        return {self.names.index(key): value for key, value in entry.items() if key in self.names}

    def order(self, entry: Mapping[str, Any], said: Mapping[int, Any]) -> tuple[int, Order]:
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
            order = self.parse_order(entry["contract"])
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
            order = replace(order, result=result)
        return declarer, order

    def _why_no_declarer(
        self, entry: Mapping[str, Any], said: Mapping[int, Any], orders: Mapping[int, Order]
    ) -> str:
        if orders:
            return f"two players have a contract: {' and '.join(self.names[p] for p in orders)}"
        if "contract" in entry:
            order = self.parse_order(entry["contract"])
            return f"declarer is missing: whose contract is {order.text()}?"
        for player, value in said.items():
            try:
                self.check_call(value, self.names[player])
            except EntryError:
                self.parse_order(value)  # raises: a word that is neither call nor contract
        return self.HINT

    def _orders(self, said: Mapping[int, Any]) -> dict[int, Order]:
        """The players whose word is a contract."""
        orders: dict[int, Order] = {}
        for player, value in said.items():
            try:
                self.check_call(value, self.names[player])
            except EntryError:
                with contextlib.suppress(EntryError):
                    orders[player] = self.parse_order(value)
        return orders

    # tricks

    def tricks_table(self, entry: Mapping[str, Any]) -> dict[int, int]:
        """The counts of ``tricks = {B = 5}``."""
        table = entry.get("tricks", {})
        if not isinstance(table, Mapping):
            raise EntryError(f"tricks = {quoted(table)} must give tricks by player: {{B = 5}}")
        return {
            self.player(name, "tricks"): parse_count(count, f"tricks of {name}")
            for name, count in table.items()
        }

    def put(self, counts: dict[int, Any], player: int, count: Any) -> None:
        """Add the tricks of a player, who may have the same written already."""
        if player in counts and counts[player] != count:
            raise EntryError(
                f"tricks of {self.names[player]} are given twice: {counts[player]} and {count}"
            )
        counts[player] = count

    def agree(self, tricks: dict[int, int], declarer: int, taken: int) -> None:
        """Put the declarer's tricks by the result; EntryError if he has others written."""
        if tricks.setdefault(declarer, taken) != taken:
            raise EntryError(
                f"the result gives {self.names[declarer]} {taken} tricks, but {tricks[declarer]} "
                "are written"
            )

    def agree_with_result(self, tricks: dict[int, int], declarer: int, order: Order) -> None:
        """Put the declarer's tricks by the result, where the entry has one."""
        if order.result is None:
            return
        if order.is_misere and order.result > 0:
            raise EntryError(f"a {order.text()} is made (=) or has tricks taken (-1)")
        taken = -order.result if order.is_misere else order.level + order.result
        self.agree(tricks, declarer, taken)
        if not 0 <= taken <= 10:
            raise EntryError(f"{order.text()} with result {order.result:+d} makes {taken} tricks")

    def check_playing(self, tricks: Mapping[int, int], players: Sequence[int]) -> None:
        """EntryError if somebody else has tricks."""
        for player in tricks:
            if player not in players:
                raise EntryError(f"{self.names[player]} does not play, so he takes no tricks")

    def fill_last(self, tricks: dict[int, int], players: Sequence[int], least: int = 10) -> None:
        """Derive the one missing count; EntryError unless all counts sum to ten.

        Where a dummy's or a talon's tricks are nobody's, they sum to ``least`` to ten, and none is
        derived.
        """
        missing = [p for p in players if p not in tricks]
        known = sum(tricks[p] for p in players if p in tricks)
        if len(missing) > 1 or (missing and least < 10):
            who = " and ".join(self.names[p] for p in missing)
            raise EntryError(f"tricks of {who} are missing")
        if missing and known <= 10:
            tricks[missing[0]] = 10 - known
        elif missing or not least <= known <= 10:
            parts = " + ".join(str(tricks[p]) for p in players if p in tricks)
            total = "10" if least == 10 else f"{least} to 10"
            raise EntryError(f"tricks must sum to {total}, but {parts} = {known}")
