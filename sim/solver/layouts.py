"""What is certain in one suit by itself, for every layout of a suit.

A *layout* says for each card of a suit still in play, from the highest down, which role holds it:
9 841 forms. Its number reads the owners 1..3 as digits in base 3, the highest card the lowest
digit. The tables are made with NumPy on import and are constants of the compiled search.

*Cashing*: who leads plays his highest cards while they are sure to win; every other hand follows
with its lowest. A hand without the suit discards, unless it ruffs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.kernel import constants, kernel

N_LAYOUTS = (3**9 - 1) // 2

Bytes = np.ndarray[Any, Any]
"""[layout]: cards of a suit as eight bits, or a number."""

_BITS = np.arange(256)
_HIGHEST = np.array([int(b).bit_length() - 1 for b in _BITS])
_LOWEST = np.array([(int(b) & -int(b)).bit_length() - 1 if b else 8 for b in _BITS])
_COUNT = np.array([int(b).bit_count() for b in _BITS])
_DIGITS = np.array([sum(3 ** (7 - k) for k in range(8) if b >> k & 1) for b in _BITS])

_PLANE_NUMBER = constants(_DIGITS)


@kernel
def layout_number(low: int, high: int, suit: int) -> int:
    """Number of a suit's layout, from both planes."""
    shift = 8 * suit
    return _PLANE_NUMBER[low >> shift & 0xFF] + 2 * _PLANE_NUMBER[high >> shift & 0xFF]


def _hands() -> Bytes:
    """[role, layout]: the cards of a role."""
    hands = np.zeros((3, N_LAYOUTS), np.int64)
    for length in range(9):
        owners = np.indices((3,) * length).reshape(length, 3**length)
        places = 1 << (7 - np.arange(length))
        numbers = (3 ** np.arange(length)) @ (owners + 1)
        for role in range(3):
            hands[role, numbers] = places @ (owners == role)
    return hands


def _without_top(cards: Bytes) -> Bytes:
    return np.where(cards > 0, cards & ~(1 << np.maximum(_HIGHEST[cards], 0)), 0)


def _cash(hands: Bytes, leader: int, ruffs: int) -> tuple[Bytes, Bytes]:
    """Tricks that the leader can cash, and how many of the highest places that hangs on.

    Bit k of ``ruffs``: the k-th hand after him ruffs if it is without the suit. A partner who would
    have to overtake with his lowest ends the count.
    """
    rest = hands.copy()
    others = ((leader + 1) % 3, (leader + 2) % 3)
    going = np.ones(hands.shape[1], bool)
    tricks = np.zeros(hands.shape[1], np.int64)
    depth = np.zeros(hands.shape[1], np.int64)
    for _ in range(8):
        top = _HIGHEST[rest[leader]]
        going &= top >= 0
        contested = np.zeros_like(going)
        for k, role in enumerate(others):
            void = rest[role] == 0
            contested |= ~void
            rival = _HIGHEST if 0 in (leader, role) else _LOWEST
            below = rival[rest[role]] < top
            going &= ~void if ruffs >> k & 1 else True
            going &= void | below
        tricks += going
        depth = np.where(going & contested, 8 - top, depth)
        rest[leader] = _without_top(rest[leader])
        for role in others:
            rest[role] &= rest[role] - 1
    return tricks, depth


def _sure_trumps(mine: Bytes, others: Bytes, known: int = 8) -> Bytes:
    """Trump tricks that a hand makes however it is played: its cards less those that others can
    cover, each with a card of its own above. Of the places below the ``known`` highest nothing
    but their number is taken for granted."""
    covered = np.zeros_like(mine)
    above = np.zeros_like(mine)
    for place in range(7, 7 - known, -1):
        above += others >> place & 1
        beaten = (mine >> place & 1) * (above > 0)
        above -= beaten
        covered += beaten
    hidden = (1 << (8 - known)) - 1
    above += _COUNT[others & hidden]
    covered += np.minimum(above, _COUNT[mine & hidden])
    return _COUNT[mine] - covered


def _sure_depth(mine: Bytes, others: Bytes) -> Bytes:
    """How many of the highest places the sure trump tricks hang on."""
    sure = _sure_trumps(mine, others)
    depth = np.full_like(mine, 8)
    for known in range(7, -1, -1):
        depth = np.where(_sure_trumps(mine, others, known) == sure, known, depth)
    return depth


def _rivals(hands: Bytes) -> tuple[tuple[Bytes, Bytes], ...]:
    """The trumps of each role and those that may cover them."""
    declarer, second, third = hands
    return (declarer, second | third), (second, declarer), (third, declarer)


def _pack_nibbles(values: list[Bytes]) -> Bytes:
    packed = np.zeros(N_LAYOUTS, np.int64)
    for k, value in enumerate(values):
        packed |= value << (4 * k)
    return packed


def _is_safe(declarer: Bytes, others: Bytes) -> Bytes:
    """Whether the declarer never has to take a trick in the suit when others lead it: his lowest
    card is below their lowest, his second below their second, and so on."""
    safe = np.ones(N_LAYOUTS, bool)
    for _ in range(8):
        safe &= (declarer == 0) | (others == 0) | (_LOWEST[declarer] < _LOWEST[others])
        declarer, others = declarer & (declarer - 1), others & (others - 1)
    return safe


def _misere(hands: Bytes) -> Bytes:
    """Bits: 1 safe; 2 and 4 role 1 or 2 leads his lowest and the declarer must take it; 8 whatever
    the declarer leads takes the trick."""
    declarer, second, third = hands
    lowest = _LOWEST[declarer]
    bits = _is_safe(declarer, second | third).astype(np.int64)
    under = [(cards > 0) & (_LOWEST[cards] < lowest) & (declarer > 0) for cards in hands]
    bits |= (under[1] & (under[2] | (third == 0))) * 2
    bits |= (under[2] & (under[1] | (second == 0))) * 4
    stuck = (under[1] | (second == 0)) & (under[2] | (third == 0))
    return bits | ((declarer == 0) | stuck) * 8


_HANDS = _hands()
_CASHED = [_cash(_HANDS, leader, ruffs) for leader in range(3) for ruffs in range(4)]

SURE = constants(
    _pack_nibbles([tricks for tricks, _ in _CASHED] + [_sure_trumps(*x) for x in _rivals(_HANDS)])
)
"""[layout], nibbles: 4 * leader + ruffs tricks to cash; 12 + role sure trump tricks."""

DEPTH = constants(
    _pack_nibbles([depth for _, depth in _CASHED] + [_sure_depth(*x) for x in _rivals(_HANDS)])
)
"""[layout], nibbles as in SURE: the number of highest places that the count hangs on."""

SHAPE = constants(
    _pack_nibbles([_COUNT[cards] for cards in _HANDS]) | _misere(_HANDS) << 12,
)
"""[layout]: lengths of the three hands (12 bits), then the four bits about misère."""

LENGTHS = (1 << 12) - 1
MISERE_SHIFT = 12


@kernel
def nibble(packed: int, k: int) -> int:
    """The k-th number of four bits."""
    return packed >> (4 * k) & 15
