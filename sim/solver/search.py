"""The search: does the declarer take at least so many of the tricks left?

One call judges one position between two tricks; inside it three nested loops lay the three cards.
Beside the answer each call returns the places of the key that the answer hangs on, so that the
table can answer every position that looks the same there (partition search; M. Ginsberg, 1996).

Where a move decides, its places are enough. Where all moves fail, the places of all of them count,
and a card tried stands for its whole run: if the top of the run counts, so does all of it.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import ctz, kernel, outline

from .bounds import bound
from .layouts import layout_number
from .ordering import list_leads, list_seconds, list_thirds, listed
from .planes import (
    MISERE_GAME,
    NONE,
    PLANE,
    beats,
    held,
    in_order,
    next_role,
    one_card,
    remove_trick,
    suit_of,
    winner_of,
)
from .table import bucket_of, keep, probe, signature_of
from .workspace import NODES, list_at


@kernel
def _up_from(card: int) -> int:
    """The places of a suit from a card up."""
    return suit_of(card) & -1 << card


@kernel
def _of_winner(a: int, b: int, c: int, winning: int) -> int:
    """Places that decide who wins a trick: none if the winning card alone is of its suit."""
    suit = winning >> 3
    same = (a >> 3 == suit) + (b >> 3 == suit) + (c >> 3 == suit)
    return _up_from(winning) if same > 1 else 0


@kernel
def _put_back(places: int, card: int) -> int:
    """Places after the trick, seen from before it: a card among them takes one of its own."""
    if places >> card & 1:
        return places | places >> 1 & 0x7F << (card & 24)
    return places


@kernel
def _put_back_trick(places: int, a: int, b: int, c: int) -> int:
    """The same for a trick, the highest card first."""
    a, b, c = in_order(a, b, c)
    return _put_back(_put_back(_put_back(places, c), b), a)


@kernel
def _whole_run(places: int, owned: int, card: int) -> int:
    """Places with those of a whole run, if its top is among them; ``card`` is its lowest."""
    if card == NONE:
        return places
    suit = owned & suit_of(card)
    top = card + ctz(~(suit >> card)) - 1
    if top > card and places >> top & 1:
        return places | _up_from(card)
    return places


@kernel
def _last_trick(game: int, low: int, high: int, leader: int) -> int:
    """The answer with one card each, for one trick wanted."""
    after = next_role(leader)
    last = next_role(after)
    a = one_card(held(low, high, leader))
    b = one_card(held(low, high, after))
    c = one_card(held(low, high, last))
    winner, winning = winner_of(game, leader, a, b, c)
    return (1 if winner == 0 else 0) | _of_winner(a, b, c, winning) << 1


@kernel
def wanted(game: int, role: int) -> int:
    """The answer a role wants: the declarer many tricks, at misère few."""
    return 1 if (role == 0) != (game == MISERE_GAME) else 0


@outline
def search(work: Any, game: int, key: int, leader: int, n: int, need: int) -> int:
    """Whether the declarer takes at least ``need`` of the ``n`` tricks left: bit 0; above it, the
    relevant places (32 bits)."""
    if need <= 0:
        return 1
    if need > n:
        return 0
    work[NODES] += 1
    low, high = key & PLANE, key >> 32 & PLANE
    if n == 1:
        return _last_trick(game, low, high, leader)
    layouts = (
        layout_number(low, high, 0),
        layout_number(low, high, 1),
        layout_number(low, high, 2),
        layout_number(low, high, 3),
    )
    signature = signature_of(game, layouts, leader)
    bucket = bucket_of(game, signature, key)
    found = probe(work, bucket, signature, key, need)
    if found >= 0:
        return found
    found = bound(game, low, high, layouts, leader, n, need)
    if found >= 0:
        return found
    after = next_role(leader)
    last = next_role(after)
    leads, seconds, thirds = list_at(n, 0), list_at(n, 1), list_at(n, 2)
    own, of_second, of_third = (
        held(low, high, leader),
        held(low, high, after),
        held(low, high, last),
    )
    wish_1, wish_2, wish_3 = wanted(game, leader), wanted(game, after), wanted(game, last)
    answer, places = 1 - wish_1, 0
    for i in range(list_leads(work, leads, game, low, high, leader)):
        a = listed(work[leads + i])
        answer_2, places_2 = 1 - wish_2, 0
        for j in range(list_seconds(work, seconds, game, low, high, after, a)):
            b = listed(work[seconds + j])
            best, winner, beaten = a, leader, b
            if beats(game, b, a):
                best, winner, beaten = b, after, a
            answer_3, places_3 = 1 - wish_3, 0
            for k in range(
                list_thirds(work, thirds, game, low, high, last, a, best, winner, beaten)
            ):
                c = listed(work[thirds + k])
                top, taker = best, winner
                if beats(game, c, best):
                    top, taker = c, last
                still = need - 1 if taker == 0 else need
                found = search(work, game, remove_trick(key, a, b, c), taker, n - 1, still)
                here = _put_back_trick(found >> 1, a, b, c) | _of_winner(a, b, c, top)
                if found & 1 == wish_3:
                    answer_3, places_3 = wish_3, here
                    break
                places_3 |= _whole_run(here, of_third | 1 << beaten, c)
            if answer_3 == wish_2:
                answer_2, places_2 = wish_2, places_3
                break
            places_2 |= _whole_run(places_3, of_second, b)
        if answer_2 == wish_1:
            answer, places = wish_1, places_2
            break
        places |= _whole_run(places_2, own, a)
    places = (PLANE if game == MISERE_GAME else places) & (low | high)
    keep(work, bucket, signature, key, need, answer | places << 1)
    return answer | places << 1
