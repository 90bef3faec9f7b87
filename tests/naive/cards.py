"""Cards, contracts and the ladder of bids as plain strings, with the few functions all files need.

A card is suit + rank ("SA", "H7", "DT"). A contract is level + strain ("6S", "10NT") or "misere",
with "-wt" behind it if it is bid without the talon ("9S-wt", "misere-wt"). The three hands are
numbered in turn order from the eldest; at a table of four the dealer's seat is number 3, at a table
of two one hand is the dummy's.
"""

from typing import Any

Conventions = dict[str, Any]

SUITS = ["S", "C", "D", "H"]
"""Suits in bidding order, the lowest first."""

RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]
"""Ranks ascending; the order is the same in every kind of game."""

STRAINS = [*SUITS, "NT"]
LEVELS = [6, 7, 8, 9, 10]
HANDS = [0, 1, 2]
DEALER = 3
"""The seat of the dealer at a table of four, who is dealt no cards; in a trick, of the talon."""

WITHOUT = "-wt"
"""What follows the name of a contract without the talon (без прикупа)."""
MISERE = "misere"
MISERE_WITHOUT = MISERE + WITHOUT

PACK = [suit + rank for suit in SUITS for rank in RANKS]
"""The 32 cards by suit in bidding order, then by rank."""


def _level(level: int, mark: str = "") -> list[str]:
    return [f"{level}{strain}{mark}" for strain in STRAINS]


RUNGS: dict[str, list[str]] = {
    "six": _level(6),
    "seven": _level(7),
    "eight": _level(8),
    "misere": [MISERE],
    "nine": _level(9),
    "misere_without": [MISERE_WITHOUT],
    "nine_without": _level(9, WITHOUT),
    "ten": _level(10),
    "ten_without": _level(10, WITHOUT),
}
"""The bids of each rung of the ladder, in the usual order of the rungs."""


def ladder(conv: Conventions) -> list[str]:
    """All bids ascending: the rungs in their order, without the talon only where that is played."""
    bids = []
    for rung in conv["auction.ladder"]:
        game = rung.removesuffix("_without")
        if rung == game or game in conv["auction.without_talon"]:
            bids += RUNGS[rung]
    return bids


LADDER = [bid for rung, bids in RUNGS.items() if not rung.endswith("_without") for bid in bids]
"""The ladder where no bid is without the talon: 6S 6C ... 8NT misere 9S ... 10NT."""


def suit_of(card: str) -> str:
    """Return the suit letter of a card."""
    return card[0]


def rank_of(card: str) -> int:
    """Return the rank of a card as a number, 0 for a seven to 7 for an ace."""
    return RANKS.index(card[1])


def sort_cards(cards: list[str]) -> list[str]:
    """Sort cards by suit in bidding order, then by rank."""
    return sorted(cards, key=PACK.index)


def pair_choices(held: list[str], chosen: list[str]) -> list[str]:
    """Which card may be put away next of two; the lower card first, so each pair has one order."""
    if not chosen:
        return held[:-1]
    return [card for card in held if PACK.index(card) > PACK.index(chosen[0])]


def next_hand(hand: int, among: list[int] = HANDS) -> int:
    """Return the next hand clockwise, of those named."""
    hand = (hand + 1) % 3
    while hand not in among:
        hand = (hand + 1) % 3
    return hand


def is_misere(contract: str | None) -> bool:
    """Whether a contract is misere, with the talon or without."""
    return contract in [MISERE, MISERE_WITHOUT]


def is_without_talon(contract: str | None) -> bool:
    """Whether the talon stays where it is."""
    return contract is not None and contract.endswith(WITHOUT)


def level_of(contract: str) -> int | None:
    """Return the number of tricks a contract promises; None for misere."""
    if is_misere(contract):
        return None
    return int(contract.removesuffix(WITHOUT).rstrip("SCDHNT"))


def strain_of(contract: str) -> str:
    """Return the suit of a tricks contract, or "NT"."""
    return contract.removesuffix(WITHOUT)[len(str(level_of(contract))) :]


def trump_of(contract: str | None) -> str | None:
    """Return the trump suit; None at no trumps, at misere and at raspas (no contract)."""
    if contract is None or is_misere(contract) or strain_of(contract) == "NT":
        return None
    return strain_of(contract)


def by_index(values: list[int], index: int) -> int:
    """Take the value for a raspas index from a list whose last value repeats."""
    return values[min(index, len(values) - 1)]
