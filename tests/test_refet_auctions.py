"""Auctions of the refet game told in rule books: on the engine and on the naive twin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from naive.cards import PACK
from naive.refet import RefetDeal
from naive.walks import SUITED
from random_play import bits
from twin_refet_words import ACTION_NAMES, CONTRACTS, call_name

from scoring.variant import find_variant
from sim.state import BIDDING, CONTRACT, DISCARD, PHASES, SUIT
from sim.table import Table

DATA = Path(__file__).parent / "data" / "auctions" / "refet.json"
CASES: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
each_case = pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])


def hand_of(case: dict[str, Any], player: str) -> int:
    """The hand of a player: the one after the dealer is the eldest."""
    seats = str(case["seats"])
    return (seats.index(player) - seats.index(case["dealer"]) - 1) % len(seats)


def conventions_of(case: dict[str, Any]) -> Any:
    """The variant of a case."""
    return find_variant(case["variant"], case["conventions"])


class EngineSide:
    """An auction of the engine in the words of the twin."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.table = Table(conventions_of(case).rules(case["players"]))
        self.table.lay(0)

    @property
    def phase(self) -> str:
        """The phase by its name."""
        return PHASES[int(self.table.view["phase"])]

    @property
    def mover(self) -> int:
        """The hand that is asked."""
        return int(self.table.view["mover"])

    def legal(self) -> list[str]:
        """What it may say."""
        words = ACTION_NAMES[int(self.table.view["phase"])]
        return [words[action] for action in bits(self.table.legal)]

    def apply(self, word: str) -> None:
        """It says so."""
        words = ACTION_NAMES[int(self.table.view["phase"])]
        self.table.apply(next(action for action, one in words.items() if one == word))

    def outcome(self) -> tuple[int, bool, str | None, str | None]:
        """Declarer, whether from the hand, the winning call, and the contract if it is named."""
        view = self.table.view
        named = self.phase not in (PHASES[DISCARD], PHASES[CONTRACT], "done")
        contract = CONTRACTS[int(view["contract"])] if named else None
        from_hand = bool(view["without_talon"])
        return int(view["declarer"]), from_hand, call_name(view["bid"]), contract


class TwinSide(RefetDeal):
    """An auction of the twin."""

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(dict(conventions_of(case).conventions), SUITED, PACK[:2], case["players"])

    def outcome(self) -> tuple[int, bool, str | None, str | None]:
        """The same of the twin."""
        declarer = -1 if self.declarer is None else self.declarer
        return declarer, self.from_hand, self.auction.bid, self.contract


Side = EngineSide | TwinSide
BEFORE = (PHASES[BIDDING], PHASES[SUIT])


def contracts_named(side: Side) -> list[str]:
    """What the declarer may name, with the talon after two cards are laid away; or has named."""
    contract = side.outcome()[-1]
    if contract is not None:
        return [contract]
    while side.phase == PHASES[DISCARD]:
        side.apply(side.legal()[0])
    return side.legal()


@pytest.mark.parametrize("make", [EngineSide, TwinSide])
@each_case
def test_auction(case: dict[str, Any], make: type[Side]) -> None:
    """Who speaks, what he may say, who declares, and what he may play."""
    side, expect = make(case), case["expect"]
    for player, word in case["calls"]:
        assert side.mover == hand_of(case, player)
        assert word in side.legal()
        side.apply(word)
    if "next" in expect:
        assert side.mover == hand_of(case, expect["next"])
        assert sorted(side.legal()) == sorted(expect["legal"])
        return
    while side.phase in BEFORE:  # the others can only pass
        assert side.legal() == ["pass"]
        side.apply("pass")
    if expect["declarer"] is None:
        assert side.phase == "done" and side.outcome()[0] == -1
        return
    declarer, from_hand, bid, _ = side.outcome()
    assert declarer == hand_of(case, expect["declarer"])
    assert (from_hand, bid) == (expect["from_hand"], expect["bid"])
    assert contracts_named(side) == expect["contracts"]
