"""The end of raspas, exactly, when each of the hands plays for itself with all cards open (max^n).

Each hand in turn takes the card after which its own payoff is highest, knowing that the others do
the same with theirs; of cards equally good for it the lowest card number. That is what max^n finds
(C. Luckhardt and K. Irani, 1986). With more than two sides it is one reasonable line of play and
no minimax value: who does not mind between two cards decides what others get, and nobody is safe
from a hand that plays against its own payoff.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import NO_TRUMP
from scoring.kernel import ctz, i64, kernel, outline, signed, u64

from .ordering import third_moves
from .planes import (
    NO_TRUMP_GAME,
    NONE,
    PLANE,
    beats,
    held,
    lowest_of_runs,
    next_role,
    playable,
    remove_trick,
    winner_of,
)
from .values import legal, place_of, read_position
from .workspace import ENTRIES, N_COUNTS, PAYOFFS, prepare

MOST_CARDS = 6
"""Cards of each hand up to which it is affordable."""
_TAG = 12
"""No signature of the search has it, so that neither takes an entry of the other's for its own."""
_TAG_SHIFT = 48
_MIX = 0x9E3779B97F4A7C15


@kernel
def _payoff(work: Any, hand: int, counts: int) -> int:
    return work[PAYOFFS + (hand * N_COUNTS + (counts & 15)) * N_COUNTS + (counts >> 4)]


@kernel
def _entry(key: int, leader: int, counts: int) -> int:
    mixed = u64(u64(u64(key) ^ u64(counts * 4 + leader)) * u64(_MIX))
    return 2 * (i64(mixed >> u64(32)) & (ENTRIES - 1))


@kernel
def _counted(counts: int, taker: int) -> int:
    """Tricks of hand 0 (4 bits) and hand 1 after one more trick."""
    return counts + (1 if taker == 0 else 16 if taker == 1 else 0)


@kernel
def _moves(key: int, hand: int, laid: int, a: int, b: int) -> int:
    """The cards to try, the lowest of each run."""
    cards = held(key & PLANE, key >> 32 & PLANE, hand)
    if laid == 0:
        return lowest_of_runs(cards)
    cards = playable(NO_TRUMP_GAME, cards, a)
    if laid == 1:
        return lowest_of_runs(cards)
    return third_moves(cards, a if beats(NO_TRUMP_GAME, b, a) else b)


@outline
def play_on(
    work: Any, key: int, leader: int, n: int, counts: int, laid: int, a: int, b: int
) -> int:
    """How it ends: tricks of hand 0 (4 bits) and hand 1 (4 bits), above them the card to play (6).

    ``counts`` are the tricks so far, ``laid`` is the number of cards on the table, ``a`` and ``b``.
    (Every argument is computed where the function calls itself: with a literal among them numba
    compiles it once more, and a cache cannot join functions that call each other.)
    """
    if n == 0:
        return counts
    at = _entry(key, leader, counts)
    tag = counts << 16 | (_TAG + leader) << _TAG_SHIFT
    if laid == 0 and work[at] == key and work[at + 1] & ~0xFFFF == tag:
        return work[at + 1] & 0xFFFF
    hand = leader if laid == 0 else next_role(leader)
    if laid == 2:
        hand = next_role(hand)
    moves = _moves(key, hand, laid, a, b)
    best, most = -1, 0
    while best < 0 or moves:
        card = min(ctz(moves), NONE)
        moves &= moves - 1
        if laid == 0:
            end = play_on(work, key, leader, n, counts, laid + 1, card, b)
        elif laid == 1:
            end = play_on(work, key, leader, n, counts, laid + 1, a, card)
        else:
            taker, _ = winner_of(NO_TRUMP_GAME, leader, a, b, card)
            rest, sums = remove_trick(key, a, b, card), _counted(counts, taker)
            end = play_on(work, rest, taker, n - 1, sums, laid - 2, a, b)
        payoff = _payoff(work, hand, end & 0xFF)
        if best < 0 or payoff > most:
            best, most = end & 0xFF | card << 8, payoff
    if laid == 0:
        work[at] = signed(key)
        work[at + 1] = tag | best
    return best


@outline
def finish(work: Any, position: Any, first: int, second: int, payoffs: Any) -> int:
    """The card to play when hands 0 and 1 have so many tricks before; ``payoffs`` [hand, tricks of
    hand 0, tricks of hand 1]. The position is at no trump, and its declarer is not looked at."""
    prepare(work)
    for hand in range(3):
        for a in range(N_COUNTS):
            for b in range(N_COUNTS):
                work[PAYOFFS + (hand * N_COUNTS + a) * N_COUNTS + b] = payoffs[hand, a, b]
    _, h0, h1, h2, _, leader, led, followed = position
    root, in_play = read_position((NO_TRUMP, h0, h1, h2, 0, leader, led, followed))
    _, key, _, n, a, b = root
    laid = (a >= 0) + (b >= 0)
    card = play_on(work, key, leader, n, first | second << 4, laid, a, b) >> 8
    cards = legal(position)
    while place_of(ctz(cards), NO_TRUMP, in_play) != card:
        cards &= cards - 1
    return ctz(cards)
