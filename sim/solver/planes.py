"""A position as one 64-bit key in which equal things look equal.

Each hand has a *role*: 0 the declarer, 1 and 2 the defenders in the order of play after him. A card
still in play has two bits, one in the low and one in the high 32 bits (the *planes*): 1 = the
declarer's, 2 = role 1's, 3 = role 2's, 0 = gone. A suit is a byte of each plane, its cards pushed
together under bit 7, so that only their order counts and not their names: two positions with the
same key are worth the same. The trump suit is always suit 3.

A hand may be empty from the start: then it does not play, and its place in a trick is :data:`NONE`.
"""

from __future__ import annotations

from scoring.kernel import constants, ctz, kernel, msb, popcount, signed

from ..cards import follow

SUIT_GAME = 0
NO_TRUMP_GAME = 1
MISERE_GAME = 2
"""What is played; the declarer wants many tricks in the first two, few in the third."""

NONE = 32
"""The card of a hand that does not play: of no suit, beating nothing."""

PLANE = 0xFFFFFFFF
TRUMP_SUIT = 3
TRUMPS = 0xFF << 24


def _both_planes(mask: int) -> int:
    wide = mask | mask << 32
    return wide - (1 << 64) if wide >> 63 else wide


def _lower_in_suit(card: int) -> int:
    return ((1 << card) - 1) & 0xFF << (card & 24)


_KEEP = constants([_both_planes(PLANE & ~(_lower_in_suit(c) | 1 << c)) for c in range(32)] + [-1])
"""[card]: the bits of a key that stay where they are when the card goes; of NONE, all."""
_BELOW = constants([_both_planes(_lower_in_suit(c)) for c in range(32)] + [0])
"""[card]: the bits that move up by one place."""


@kernel
def held(low: int, high: int, role: int) -> int:
    """The cards of a role, from both planes."""
    if role == 0:
        return low & ~high
    if role == 1:
        return high & ~low
    return low & high


@kernel
def next_role(role: int) -> int:
    """The role that plays after another."""
    return 0 if role == 2 else role + 1


@kernel
def suit_of(card: int) -> int:
    """Mask of the card's suit; empty for NONE."""
    return 0xFF << (card & 56) & PLANE


@kernel
def beats(game: int, card: int, best: int) -> int:
    """1 if a card laid after ``best`` beats it."""
    if card <= best:
        return 0
    if card >> 3 == best >> 3:
        return 1
    return 1 if game == SUIT_GAME and card >> 3 == TRUMP_SUIT else 0


@kernel
def playable(game: int, hand: int, led: int) -> int:
    """The cards of a hand that may be laid on a card led."""
    return follow(hand, suit_of(led), TRUMPS if game == SUIT_GAME else 0)


@kernel
def lowest_of_runs(cards: int) -> int:
    """Of cards in sequence, which are worth the same, the lowest."""
    return cards & ~(cards << 1 & 0xFEFEFEFE)


@kernel
def one_card(cards: int) -> int:
    """The lowest card of a mask; NONE of an empty one."""
    return min(ctz(cards), NONE)


@kernel
def winner_of(game: int, leader: int, a: int, b: int, c: int) -> tuple[int, int]:
    """Who takes the trick ``a b c`` that a role led, and with which card."""
    second = next_role(leader)
    best, winner = a, leader
    if beats(game, b, best):
        best, winner = b, second
    if beats(game, c, best):
        best, winner = c, next_role(second)
    return winner, best


@kernel
def in_order(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Three cards, the lowest first."""
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a, b, c


@kernel
def remove(key: int, card: int) -> int:
    """The key without a card."""
    return signed(key & _KEEP[card] | (key & _BELOW[card]) << 1)


@kernel
def remove_trick(key: int, a: int, b: int, c: int) -> int:
    """The key after a trick: its lowest card goes first, for that moves none of the others."""
    a, b, c = in_order(a, b, c)
    return remove(remove(remove(key, a), b), c)


@kernel
def make_key(declarer: int, second: int, third: int) -> int:
    """The key of three hands by role (masks of cards, trumps in suit 3)."""
    low = declarer | third
    high = second | third
    all_cards = low | high
    packed_low = 0
    packed_high = 0
    for suit in range(4):
        rest = all_cards >> (8 * suit) & 0xFF
        place = 1 << (8 * suit + 7)
        while rest:
            rank = msb(rest)
            rest ^= 1 << rank
            if low >> (8 * suit + rank) & 1:
                packed_low |= place
            if high >> (8 * suit + rank) & 1:
                packed_high |= place
            place >>= 1
    return signed(packed_low | packed_high << 32)


@kernel
def to_trump_suit(cards: int, trump: int) -> int:
    """Cards with the trump suit and suit 3 exchanged (the inverse is the same)."""
    if trump == TRUMP_SUIT:
        return cards
    shift = 8 * trump
    ours = cards >> shift & 0xFF
    theirs = cards >> 24 & 0xFF
    return cards & ~(0xFF << shift | TRUMPS) | ours << 24 | theirs << shift


@kernel
def pushed_up(card: int, in_play: int) -> int:
    """The card's place in a key made of the cards in play; NONE stays."""
    if card == NONE:
        return NONE
    suit = card & 24
    above = in_play >> suit & 0xFF
    return suit | 7 - popcount(above >> ((card & 7) + 1))
