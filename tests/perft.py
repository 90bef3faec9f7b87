"""Exact counts of call sequences, by the rules core and by the naive twin.

``python tests/perft.py`` counts all cases of ``data/counts/perft.json`` on both sides and writes
the file anew where they agree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from naive.auction import Auction
from naive.cards import PACK
from naive.deal import NaiveDeal
from naive.dummy import seats_of
from naive.razboinik import RazboinikDeal
from naive.rows import ROWS
from naive.walks import SUITED, act
from naive.whist import WhistCalls
from perft_refet import (
    core_bidding,
    core_follow,
    followed,
    twin_bidding,
    twin_follow,
)
from perft_sides import (
    CoreCalls,
    TwinCalls,
    TwinDeal,
    count_by_depth,
    count_by_state,
    count_whole,
    lowest,
)

from scoring.contract import format_contract
from scoring.kernel import to_records
from scoring.variant import Variant, find_variant
from sim.state import (
    AGREE,
    AUCTION,
    CONTRACT,
    DARK,
    DEALER_WHIST,
    DISCARD,
    FIRST_BID,
    LOOK,
    OPEN,
    PASS,
    PHASES,
    REFUSE,
    ROW,
    WHIST,
)
from sim.table import Table

DATA = Path(__file__).parent / "data" / "counts" / "perft.json"
CONTRACTS = ("6S", "6C", "7S", "8S", "9S", "10S")
"""Contracts whose whist calls are counted: one a level, and two of six for Stalingrad."""


WORDS_OF_TWO = (WHIST, OPEN)
WORDS_BEFORE = (AGREE, DARK)
WORDS_OF_ROWS = (ROW, CONTRACT)
"""Phases that are counted: of two players the defender's words, those before the auction, and the
declarer's words in razboinik. The cards that are laid away between are not counted."""


def core_table(variant: Variant, players: int, raspas_index: int) -> tuple[Table, Any]:
    """A table with a deal laid, the eldest looking, and its rules as the core takes them."""
    rules = variant.rules(players)
    table = Table(rules)
    table.lay(0, raspas_index=raspas_index)
    if int(table.view["phase"]) == AGREE:
        table.apply(REFUSE)
    if int(table.view["phase"]) == DARK:
        table.apply(LOOK)
    return table, to_records(rules)[0]


def core_auction(variant: Variant, players: int, raspas_index: int) -> CoreCalls:
    """An auction on the core."""
    table, rules = core_table(variant, players, raspas_index)
    return CoreCalls(table.view, table.hidden, rules, (AUCTION,))


def twin_auction(variant: Variant, players: int, raspas_index: int) -> TwinCalls:
    """An auction on the twin."""
    hands = seats_of(dict(variant.conventions), players)[:3]
    return TwinCalls(Auction(dict(variant.conventions), raspas_index, False, hands))


def core_whist(variant: Variant, players: int, contract: str) -> CoreCalls:
    """The whist calls over a contract of the eldest on the core; of two, open or closed too."""
    table, rules = core_table(variant, players, 0)
    names = [format_contract(code).replace("♠", "S").replace("♣", "C") for code in range(25)]
    code = names.index(contract)
    passes = [PASS] * (min(players, 3) - 1)
    for action in (FIRST_BID + code, *passes):
        table.apply(action)
    for _ in range(2):
        table.apply(lowest(table.legal))
    table.apply(code)
    phases = WORDS_OF_TWO if players == 2 else (WHIST, DEALER_WHIST)
    return CoreCalls(table.view, table.hidden, rules, phases)


def twin_whist(variant: Variant, players: int, contract: str) -> TwinCalls | TwinDeal:
    """The same on the twin."""
    conv = dict(variant.conventions)
    if players > 2:
        return TwinCalls(WhistCalls(conv, contract, 0, players))
    deal = NaiveDeal(conv, SUITED, PACK[:2], 0, players)
    if deal.phase == PHASES[DARK]:
        deal.apply("look")
    act(deal, f"{contract} pass")
    act(deal, " ".join(deal.legal()[:2]))
    deal.apply(contract)
    return TwinDeal(deal, WORDS_OF_TWO)


def core_before(variant: Variant, players: int) -> CoreCalls:
    """The words before the first auction of a pulka on the core."""
    rules = variant.rules(players)
    table = Table(rules)
    table.lay(0)
    return CoreCalls(table.view, table.hidden, to_records(rules)[0], WORDS_BEFORE)


def twin_before(variant: Variant, players: int) -> TwinDeal:
    """The same on the twin."""
    deal = NaiveDeal(dict(variant.conventions), SUITED, PACK[:2], 0, players, first_deal=True)
    return TwinDeal(deal, WORDS_BEFORE)


def core_rows(variant: Variant, open_rows: int) -> CoreCalls:
    """The words of a declarer with a mask of open rows, on the core."""
    rules = variant.rules()
    table = Table(rules)
    for k in range(len(ROWS)):
        for player in range(2):
            table.view["row"][len(ROWS) * player + k] = -1 if open_rows >> k & 1 else 0
    table.lay(0)
    view, hidden = table.view, table.hidden
    calls = CoreCalls(view, hidden, to_records(rules)[0], WORDS_OF_ROWS)
    while int(view["phase"]) == DISCARD:
        table.apply(lowest(table.legal))
    return calls


def twin_rows(variant: Variant, open_rows: int) -> TwinDeal:
    """The same on the twin."""
    rows = [row for k, row in enumerate(ROWS) if open_rows >> k & 1]
    deal = RazboinikDeal(dict(variant.conventions), SUITED, PACK[:2], rows)
    while deal.phase == PHASES[DISCARD]:
        deal.apply(deal.legal()[0])
    return TwinDeal(deal, WORDS_OF_ROWS)


def count_rows(start: Callable[[int], Any]) -> list[list[int]]:
    """First words, and complete sequences, by the mask of open rows (1, the six, to 63, all)."""
    tables = [start(open_rows) for open_rows in range(1, 1 << len(ROWS))]
    return [[len(calls.actions()), count_whole(calls)] for calls in tables]


Sides = Mapping[str, Callable[..., Any]]
AUCTION_SIDES: Sides = {"core": core_auction, "twin": twin_auction}
WHIST_SIDES: Sides = {"core": core_whist, "twin": twin_whist}
BEFORE_SIDES: Sides = {"core": core_before, "twin": twin_before}
ROW_SIDES: Sides = {"core": core_rows, "twin": twin_rows}
BIDDING_SIDES: Sides = {"core": core_bidding, "twin": twin_bidding}
FOLLOW_SIDES: Sides = {"core": core_follow, "twin": twin_follow}


def count_case(case: Mapping[str, Any], side: str) -> Any:
    """The counts of a case of the data file on one side."""
    settings = {k: tuple(x) if isinstance(x, list) else x for k, x in case["settings"].items()}
    variant = find_variant(case["variant"], settings)
    if case["count"] == "whist":
        start = partial(WHIST_SIDES[side], variant, case["players"])
        return {contract: count_whole(start(contract)) for contract in CONTRACTS}
    if case["count"] == "bidding":
        return count_whole(BIDDING_SIDES[side](variant, case["players"]))
    if case["count"] == "follow":
        start = partial(FOLLOW_SIDES[side], variant, case["players"])
        return {contract: count_whole(start(contract)) for contract in followed(variant)}
    if case["count"] == "rows":
        return count_rows(partial(ROW_SIDES[side], variant))
    if case["count"] == "before":
        return {n: count_whole(BEFORE_SIDES[side](variant, int(n))) for n in ("2", "3", "4")}
    calls = AUCTION_SIDES[side](variant, case.get("players", 3), case["raspas_index"])
    if case["count"] == "depth":
        return count_by_depth(calls, 4)
    return count_whole(calls) if case["count"] == "whole" else count_by_state(calls)


def load_cases() -> list[dict[str, Any]]:
    """The cases of the data file."""
    return list(json.loads(DATA.read_text(encoding="utf-8"))["cases"])


def _recount() -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    for case in data["cases"]:
        core, twin = (count_case(case, side) for side in ("core", "twin"))
        if core != twin:
            raise SystemExit(f"{case['name']}: the core counts {core}, the twin {twin}")
        case["expect"] = core
        print(case["name"], core)
    lines = ",\n".join("  " + json.dumps(case) for case in data["cases"])
    text = f'{{"about": {json.dumps(data["about"])},\n "cases": [\n{lines}\n]}}\n'
    DATA.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _recount()
