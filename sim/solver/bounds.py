"""What is certain without searching.

Tricks: the side on lead cashes in each suit what nobody can take from it; a defender on lead at no
trump may also give the lead to his partner once, and each suit is cashed by the one who makes more
of it; trumps make tricks by themselves. Misère: a declarer whose every suit is safe takes none.

An answer is UNKNOWN, or 1 / 0 (the declarer takes ``need`` tricks, or surely not) in bit 0 and, in
the 32 bits above, the *relevant* places: the highest ones of each suit whose owners the answer
hangs on, when the lengths of all suits are given.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import kernel, popcount

from .layouts import DEPTH, LENGTHS, MISERE_SHIFT, SHAPE, SURE, nibble
from .planes import MISERE_GAME, NO_TRUMP_GAME, PLANE, held, next_role

UNKNOWN = -1
_SURE_TRUMPS = 12
_ALL = PLANE << 1


@kernel
def _places(depth: int, suit: int) -> int:
    """The ``depth`` highest places of a suit."""
    return (0xFF00 >> depth & 0xFF) << (8 * suit)


@kernel
def _judge(leader: int, tricks: int, n: int, need: int) -> int:
    """1 or 0 if the side on lead, sure of so many tricks, decides it; else UNKNOWN."""
    if leader == 0:
        return 1 if tricks >= need else UNKNOWN
    return 0 if n - tricks < need else UNKNOWN


@kernel
def _places_of(a: int, b: int, c: int, d: int, k: int, trumps_k: int) -> int:
    """The places that the tricks cashed hang on, by the suits' layouts."""
    places = _places(nibble(DEPTH[a], k), 0) | _places(nibble(DEPTH[b], k), 1)
    return places | _places(nibble(DEPTH[c], k), 2) | _places(nibble(DEPTH[d], trumps_k), 3)


@kernel
def _cash_suits(a: int, b: int, c: int, k: int) -> int:
    """Tricks that case ``k`` cashes in three suits."""
    return nibble(SURE[a], k) + nibble(SURE[b], k) + nibble(SURE[c], k)


@kernel
def _cash_with_trumps(
    a: int, b: int, c: int, d: int, second: int, third: int, leader: int, n: int, need: int
) -> int:
    """The leader draws trumps first; then a hand with trumps left ruffs what it is without."""
    drawn = nibble(SURE[d], 4 * leader)
    k = 4 * leader
    if popcount(second >> 24) > drawn:
        k += 1
    if popcount(third >> 24) > drawn:
        k += 2
    value = _judge(leader, drawn + _cash_suits(a, b, c, k), n, need)
    return value if value < 0 else value | _places_of(a, b, c, d, k, 4 * leader) << 1


@kernel
def _sure_trumps(d: int, n: int, need: int) -> int:
    """Trump tricks of the declarer, or of the better defender, however they are played."""
    if nibble(SURE[d], _SURE_TRUMPS) >= need:
        return 1 | _places(nibble(DEPTH[d], _SURE_TRUMPS), 3) << 1
    role = 1 if nibble(SURE[d], _SURE_TRUMPS + 1) >= nibble(SURE[d], _SURE_TRUMPS + 2) else 2
    if n - nibble(SURE[d], _SURE_TRUMPS + role) < need:
        return _places(nibble(DEPTH[d], _SURE_TRUMPS + role), 3) << 1
    return UNKNOWN


@kernel
def _cash_with_partner(a: int, b: int, c: int, d: int, leader: int, n: int, need: int) -> int:
    """A defender cashes, gives his partner the lead in a suit where that one has the highest card,
    and the partner cashes: in each suit the one who makes more of it does.

    In the suit led to him the partner cashes what he has. Each has cards enough to throw away that
    are not wanted, for together they make at most ``n`` tricks.
    """
    mine, his = 4 * leader, 4 * (3 - leader)
    total = 0
    loss = 99
    way = -1
    places = 0
    for suit in range(4):
        layout = a if suit == 0 else b if suit == 1 else c if suit == 2 else d
        by_me, by_him = nibble(SURE[layout], mine), nibble(SURE[layout], his)
        best = mine if by_me >= by_him else his
        total += max(by_me, by_him)
        places |= _places(nibble(DEPTH[layout], best), suit)
        can_give = by_him > 0 and nibble(SHAPE[layout], leader) > 0
        if can_give and max(by_me, by_him) - by_him < loss:
            loss = max(by_me, by_him) - by_him
            way = suit
    if way < 0 or n - (total - loss) >= need:
        return UNKNOWN
    layout = a if way == 0 else b if way == 1 else c if way == 2 else d
    return (places | _places(nibble(DEPTH[layout], his), way)) << 1


@kernel
def _misere_bound(a: int, b: int, c: int, d: int, leader: int, need: int) -> int:
    """Misère: all suits safe, or a trick that the declarer cannot refuse now."""
    all_of = SHAPE[a] & SHAPE[b] & SHAPE[c] & SHAPE[d] & ~LENGTHS
    any_of = SHAPE[a] | SHAPE[b] | SHAPE[c] | SHAPE[d]
    if leader == 0:
        return 1 | _ALL if need == 1 and all_of >> MISERE_SHIFT & 8 else UNKNOWN
    if all_of >> MISERE_SHIFT & 1:
        return _ALL
    return 1 | _ALL if need == 1 and any_of >> (MISERE_SHIFT + leader) & 1 else UNKNOWN


@kernel
def bound(game: int, low: int, high: int, layouts: Any, leader: int, n: int, need: int) -> int:
    """What is certain about ``need`` of the ``n`` tricks left (1 <= need <= n)."""
    a, b, c, d = layouts
    if game == MISERE_GAME:
        return _misere_bound(a, b, c, d, leader, need)
    if game == NO_TRUMP_GAME:
        k = 4 * leader
        value = _judge(leader, _cash_suits(a, b, c, k) + nibble(SURE[d], k), n, need)
        if value >= 0:
            return value | _places_of(a, b, c, d, k, k) << 1
        return UNKNOWN if leader == 0 else _cash_with_partner(a, b, c, d, leader, n, need)
    after = next_role(leader)
    second, third = held(low, high, after), held(low, high, next_role(after))
    found = _cash_with_trumps(a, b, c, d, second, third, leader, n, need)
    return found if found >= 0 else _sure_trumps(d, n, need)
