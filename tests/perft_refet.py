"""Call sequences of the refet game on both sides: whole auctions, and who comes and doubles."""

from __future__ import annotations

from naive.cards import PACK
from naive.refet import RefetDeal
from naive.refet_auction import SUIT_CONTRACTS, contracts
from naive.walks import SUITED
from perft_sides import CoreCalls, TwinDeal, lowest
from twin_refet_words import ACTION_NAMES

from scoring.kernel import to_records
from scoring.variant import Variant
from sim.state import BIDDING, COME, CONTRA, DISCARD, PHASES, SUIT
from sim.table import Table

WORDS_OF_BIDDING = (BIDDING, SUIT)
WORDS_OF_FOLLOWERS = (COME, CONTRA)


def core_bidding(variant: Variant, players: int) -> CoreCalls:
    """An auction on the core, and the suits of several games."""
    return _core(variant, players, [], WORDS_OF_BIDDING)


def twin_bidding(variant: Variant, players: int) -> TwinDeal:
    """The same on the twin."""
    return _twin(variant, players, [], WORDS_OF_BIDDING)


def core_follow(variant: Variant, players: int, contract: str) -> CoreCalls:
    """What is said over a contract of the eldest, on the core."""
    return _core(variant, players, _words_before(contract), WORDS_OF_FOLLOWERS)


def twin_follow(variant: Variant, players: int, contract: str) -> TwinDeal:
    """The same on the twin."""
    return _twin(variant, players, _words_before(contract), WORDS_OF_FOLLOWERS)


def followed(variant: Variant) -> list[str]:
    """Contracts over which something is said, with the talon and from the hand."""
    names = contracts(dict(variant.conventions))
    return [*names, *(f"game {name}" for name in names)]


def _words_before(contract: str) -> list[str]:
    """What is said until the eldest has named a contract; in between he lays two cards away."""
    name = contract.removeprefix("game ")
    if name == contract:
        return ["2", "pass", "pass", name]
    if name in SUIT_CONTRACTS:
        return ["game", "pass", "pass", name]
    return [contract, "pass", "pass"]


def _core(variant: Variant, players: int, words: list[str], phases: tuple[int, ...]) -> CoreCalls:
    rules = variant.rules(players)
    table = Table(rules)
    table.lay(0)
    for word in words:
        while table.view["phase"] == DISCARD:
            table.apply(lowest(table.legal))
        names = ACTION_NAMES[int(table.view["phase"])]
        table.apply(next(action for action, name in names.items() if name == word))
    return CoreCalls(table.view, table.hidden, to_records(rules)[0], phases)


def _twin(variant: Variant, players: int, words: list[str], phases: tuple[int, ...]) -> TwinDeal:
    deal = RefetDeal(dict(variant.conventions), SUITED, PACK[:2], players)
    for word in words:
        while deal.phase == PHASES[DISCARD]:
            deal.apply(deal.legal()[0])
        deal.apply(word)
    return TwinDeal(deal, phases)
