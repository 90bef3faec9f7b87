"""Cards, contracts and the bidding ladder as plain strings, with the few helpers both files need.

A card is suit + rank ("SA", "H7", "DT"), a contract is level + strain ("6S", "10NT") or "misere".
"""

SUITS = ["S", "C", "D", "H"]
"""Suits in bidding order, the lowest first."""

RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]
"""Ranks ascending; the order is the same in every kind of game."""

STRAINS = [*SUITS, "NT"]
LEVELS = [6, 7, 8, 9, 10]
HANDS = [0, 1, 2]
MISERE = "misere"

PACK = [suit + rank for suit in SUITS for rank in RANKS]
"""The 32 cards by suit in bidding order, then by rank."""


def _ladder() -> list[str]:
    """List the contracts in bidding order: misere stands between eight and nine."""
    rungs = []
    for level in LEVELS:
        if level == 9:
            rungs.append(MISERE)
        for strain in STRAINS:
            rungs.append(f"{level}{strain}")
    return rungs


LADDER = _ladder()
"""All bids ascending: 6S 6C 6D 6H 6NT 7S ... 8NT misere 9S ... 10NT."""


def suit_of(card: str) -> str:
    """Return the suit letter of a card."""
    return card[0]


def rank_of(card: str) -> int:
    """Return the rank of a card as a number, 0 for a seven to 7 for an ace."""
    return RANKS.index(card[1])


def sort_cards(cards: list[str]) -> list[str]:
    """Sort cards by suit in bidding order, then by rank."""
    return sorted(cards, key=PACK.index)


def next_hand(hand: int) -> int:
    """Return the next hand clockwise."""
    return (hand + 1) % 3


def level_of(contract: str) -> int | None:
    """Return the number of tricks a contract promises; None for misere."""
    if contract == MISERE:
        return None
    return int(contract.rstrip("SCDHNT"))


def trump_of(contract: str | None) -> str | None:
    """Return the trump suit; None at no trumps, at misere and at raspas (no contract)."""
    if contract is None or contract == MISERE:
        return None
    strain = contract[len(str(level_of(contract))) :]
    return None if strain == "NT" else strain


def by_index(values: list[int], index: int) -> int:
    """Take the value for a raspas index from a list whose last value repeats."""
    return values[min(index, len(values) - 1)]
