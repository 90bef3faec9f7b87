"""Calls to be counted, on records of the engine and on the naive twin, and ways to count them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from naive.auction import Auction
from naive.cards import is_misere
from naive.deal import NaiveDeal
from naive.refet import RefetDeal
from naive.whist import WhistCalls

from scoring.contract import MISERE, MISERE_WITHOUT
from scoring.kernel import JIT, PlainRecord
from sim.pulka import apply_action
from sim.state import CONTRACT, DISCARD, PHASES
from sim.view import prepare


class CoreCalls:
    """The calls of an auction, or over a contract, on records of the engine."""

    def __init__(self, view: Any, hidden: Any, rules: Any, phases: tuple[int, ...]) -> None:
        self.view, self.hidden, self.rules, self.phases = view, hidden, rules, phases

    @property
    def over(self) -> bool:
        return int(self.view["phase"]) not in self.phases

    def actions(self) -> list[int]:
        """The legal calls."""
        return [action for action in range(63) if int(self.view["legal"]) >> action & 1]

    def after(self, action: int) -> CoreCalls:
        """The calls after one more; this one stays as it is."""
        view, hidden = _copy(self.view), _copy(self.hidden)
        apply_action(view, hidden, self.rules, action)
        prepare(view, hidden, self.rules)
        while int(view["phase"]) == DISCARD and CONTRACT in self.phases:
            apply_action(view, hidden, self.rules, lowest(int(view["legal"])))
            prepare(view, hidden, self.rules)
        return CoreCalls(view, hidden, self.rules, self.phases)

    def key(self) -> Any:
        """What the rest of an auction depends on."""
        v = self.view
        words = {-1: "", MISERE: "misere", MISERE_WITHOUT: "misere wt"}
        last = tuple(words.get(int(bid), "bid") for bid in v["last_bid"])
        return int(v["mover"]), int(v["active"]), int(v["bid"]), int(v["bidder"]), last


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _copy(record: Any) -> Any:
    if JIT:
        return record.copy()
    fields = {k: list(x) if isinstance(x, list) else x for k, x in record.fields().items()}
    return PlainRecord(fields)


class TwinCalls:
    """The same on the naive twin."""

    def __init__(self, calls: Auction | WhistCalls) -> None:
        self.calls = calls

    @property
    def over(self) -> bool:
        return self.calls.over

    def actions(self) -> list[str]:
        return self.calls.legal()

    def after(self, action: str) -> TwinCalls:
        new = object.__new__(type(self.calls))
        fields = vars(self.calls).items()
        new.__dict__.update((k, x.copy() if isinstance(x, list | dict) else x) for k, x in fields)
        new.apply(action)
        return TwinCalls(new)

    def key(self) -> Any:
        auction = self.calls
        assert isinstance(auction, Auction)
        said = ["" for _ in range(3)]
        for hand, call in auction.calls:
            if call == "hold":
                said[hand] = "bid"
            elif call != "pass":
                said[hand] = call if is_misere(call) else "bid"
        return auction.mover, tuple(auction.passed), auction.bid, auction.bidder, tuple(said)


class TwinDeal:
    """The words of some phases of a deal on the naive twin."""

    def __init__(self, deal: NaiveDeal | RefetDeal, phases: tuple[int, ...]) -> None:
        self.deal, self.phases = deal, phases

    @property
    def over(self) -> bool:
        return self.deal.phase not in [PHASES[phase] for phase in self.phases]

    def actions(self) -> list[str]:
        return self.deal.legal()

    def after(self, action: str) -> TwinDeal:
        conv = self.deal.conv
        deal = deepcopy(self.deal, {id(conv): conv})  # conventions do not change
        deal.apply(action)
        while deal.phase == PHASES[DISCARD] and CONTRACT in self.phases:
            deal.apply(deal.legal()[0])
        return TwinDeal(deal, self.phases)


Calls = CoreCalls | TwinCalls | TwinDeal


def count_by_depth(calls: Any, depth: int) -> list[int]:
    """Sequences of 1 .. ``depth`` calls, those that end sooner left out."""
    counts = []
    row = [calls]
    for _ in range(depth):
        row = [one.after(action) for one in row if not one.over for action in one.actions()]
        counts.append(len(row))
    return counts


def count_whole(calls: Any) -> int:
    """Complete sequences, one by one."""
    if calls.over:
        return 1
    return sum(count_whole(calls.after(action)) for action in calls.actions())


def count_by_state(calls: Any, known: dict[Any, int] | None = None) -> int:
    """Complete sequences by dynamic programming over what the rest depends on."""
    if calls.over:
        return 1
    known = {} if known is None else known
    key = calls.key()
    if key not in known:
        known[key] = sum(count_by_state(calls.after(a), known) for a in calls.actions())
    return known[key]
