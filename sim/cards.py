"""Cards: 0..31 = 8 * suit + rank, suits ♠ ♣ ♦ ♥, ranks 7 8 9 T J Q K A; sets are int64 masks."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.contract import NO_TRUMP
from scoring.kernel import ctz, kernel, popcount

ALL_CARDS = (1 << 32) - 1
N_CARDS = 32
N_SUITS = 4
HAND_SIZE = 10
TALON_SIZE = 2
RANKS = "789TJQKA"
SUIT_SYMBOLS = "♠♣♦♥"
SUIT_LETTERS = "SCDH"


@kernel
def suit_mask(suit: int) -> int:
    """Mask of the eight cards of a suit."""
    return 0xFF << (8 * suit)


@kernel
def trump_mask(strain: int) -> int:
    """Mask of the trumps; empty at no trump."""
    return 0 if strain == NO_TRUMP else 0xFF << (8 * strain)


@kernel
def follow(hand: int, suit: int, trumps: int) -> int:
    """The cards of a hand that may be played: of the suit led, else trumps, else any.

    ``suit`` and ``trumps`` are masks (Code of Preferans 3.7).
    """
    same = hand & suit
    if same:
        return same
    ruffs = hand & trumps
    return ruffs if ruffs else hand


@kernel
def suit_ranks(mask: int, suit: int) -> int:
    """The cards of one suit as 8 bits, bit 0 = seven, bit 7 = ace."""
    return (mask >> (8 * suit)) & 0xFF


@kernel
def lowest_rank(cards: int) -> int:
    """The card of the lowest rank in a mask, of equals the first suit's; -1 if it is empty."""
    best = -1
    for suit in range(N_SUITS):
        held = cards & suit_mask(suit)
        if held and (best < 0 or ctz(held) & 7 < best & 7):
            best = ctz(held)
    return best


_ACES = 0x80808080
_KINGS = _ACES >> 1


@kernel
def quick_tricks(talon: int) -> int:
    """Quick tricks in the talon (быстрые взятки): two aces 3, ace and king of a suit 2, another ace
    1, king and queen of a suit 1."""
    aces = talon & _ACES
    if popcount(aces) == 2:
        return 3
    if aces:
        return 2 if aces >> 1 & talon else 1
    return 1 if (talon & _KINGS) >> 1 & talon else 0


def cards_of(mask: int) -> list[int]:
    """The cards of a mask in ascending order."""
    return [card for card in range(N_CARDS) if mask >> card & 1]


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def format_card(card: int) -> str:
    """Text of a card.

    >>> format_card(7), format_card(24)
    ('♠A', '♥7')
    """
    return SUIT_SYMBOLS[card // 8] + RANKS[card % 8]


def told_cards(mask: int) -> str:
    """The cards of a mask, for a sentence."""
    return " ".join(map(format_card, cards_of(mask)))


def parse_card(text: str) -> int:
    """Card written as ``♠A`` or ``SA`` (a ten is ``T``). Raises ValueError.

    >>> parse_card("SA"), parse_card("♥7")
    (7, 24)
    """
    word = text.strip().upper()
    if len(word) == 2:
        for suits in (SUIT_SYMBOLS, SUIT_LETTERS):
            if word[0] in suits and word[1] in RANKS:
                return 8 * suits.index(word[0]) + RANKS.index(word[1])
    raise ValueError(f"card {text!r} is not known: write suit S C D H and rank {' '.join(RANKS)}")


def format_hand(mask: int) -> str:
    """Text of a hand, suits ♠.♣.♦.♥, ranks from the ace down.

    >>> format_hand(0b10000001)
    'A7...'
    """
    suits = []
    for suit in range(N_SUITS):
        ranks = suit_ranks(mask, suit)
        suits.append("".join(RANKS[r] for r in reversed(range(8)) if ranks >> r & 1))
    return ".".join(suits)


def parse_hand(text: str) -> int:
    """Mask of a hand written as ``AKQ.T98.J7.A8`` (♠.♣.♦.♥, an empty suit is left empty).

    Raises ValueError naming what is wrong.
    """
    suits = text.strip().upper().split(".")
    if len(suits) != N_SUITS:
        raise ValueError(f"hand {text!r} has {len(suits)} suits: write four, ♠.♣.♦.♥")
    mask = 0
    for suit, ranks in enumerate(suits):
        for rank in ranks:
            if rank not in RANKS:
                raise ValueError(f"hand {text!r}: {rank!r} is not a rank ({RANKS})")
            bit = 1 << (8 * suit + RANKS.index(rank))
            if mask & bit:
                raise ValueError(f"hand {text!r} has {SUIT_SYMBOLS[suit]}{rank} twice")
            mask |= bit
    return mask


def format_suit_hand(mask: int) -> str:
    """A hand for the eye: ``♠AKQ ♣T98 ♦J7 ♥A8``."""
    parts = format_hand(mask).split(".")
    return " ".join(SUIT_SYMBOLS[s] + (ranks or "-") for s, ranks in enumerate(parts))
