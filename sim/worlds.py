"""Hidden cards as a player may imagine them: a world drawn, or all discards that fit.

A *world* says where every card lies that has not been played: in the three hands, aside in a talon
that nobody has taken, in the declarer's discard (снос). It fits what a player knows: his cards and
those shown, the talon turned up, what he laid away himself, how many cards each hand holds, and the
suits that a hand has shown to lack. What else may follow from cards and calls is left to the asker.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import RASPAS
from scoring.conventions import RAZBOINIK
from scoring.kernel import constants, kernel, nth_bit, outline, popcount

from .cards import ALL_CARDS, HAND_SIZE, N_CARDS, TALON_SIZE
from .rng import below, splitmix
from .state import N_HANDS, PASS_ALONG

ASIDE, DISCARDED = N_HANDS, N_HANDS + 1
"""Places of a world besides the hands 0..2: cards aside that the player does not know, and the
declarer's discard if it is hidden from him."""
N_PLACES = N_HANDS + 2
MAX_DISCARDS = 66
"""Ways to lay two of twelve cards away."""


def _binomials() -> list[int]:
    rows = [[1] + [0] * N_CARDS]
    for _ in range(N_CARDS):
        last = rows[-1]
        rows.append([1] + [last[k - 1] + last[k] for k in range(1, N_CARDS + 1)])
    return [number for row in rows for number in row]


_BINOMIAL = constants(_binomials())


@kernel
def _ways(n: int, k: int) -> int:
    """Ways to choose k of n cards, none if k is not 0..n."""
    return _BINOMIAL[(N_CARDS + 1) * n + k] if 0 <= k <= n else 0


@kernel
def has_taken_talon(view: Any) -> bool:
    """Whether the declarer has taken the talon, turned up or not."""
    if view.kind == RASPAS or view.declarer < 0 or view.without_talon == 1:
        return False
    return view.rules.family != RAZBOINIK or view.talon != 0


@kernel
def _is_passed_on(view: Any) -> bool:
    """Whether the cards the player laid away at raspas went to the next hand."""
    return view.kind == RASPAS and view.phase != PASS_ALONG and view.mover != N_HANDS - 1


@kernel
def _seen_of(view: Any, hand: int) -> int:
    """The cards of a hand that the player sees, 0 if he does not see them."""
    return view.hand if hand == view.mover else view.shown[hand]


@kernel
def _hidden_count(view: Any, hand: int) -> int:
    """How many cards a hand holds that the player does not see."""
    return 0 if _seen_of(view, hand) else HAND_SIZE - popcount(view.played_by[hand])


@kernel
def unseen_cards(view: Any) -> int:
    """Cards whose place the player does not know, out of play or not."""
    known = view.hand | view.played
    for hand in range(N_HANDS):
        known |= view.shown[hand]
    if view.kind == RASPAS:
        known |= view.talon
    if not _is_passed_on(view):
        known |= view.discard
    return ALL_CARDS & ~known


@kernel
def _lacking(voids: int) -> int:
    """Mask of the cards of a mask of suits."""
    return 255 * (voids & 1 | (voids & 2) << 7 | (voids & 4) << 14 | (voids & 8) << 21)


@kernel
def may_hold(view: Any, hand: int, unseen: int) -> int:
    """Which of the cards not seen a hand may hold: none of a suit it has shown to lack, none that
    the declarer took up before all eyes, none that were passed on past it."""
    cards = unseen & ~_lacking(view.voids[hand])
    if view.kind != RASPAS:
        return cards if hand == view.declarer else cards & ~view.talon
    return cards & ~view.discard if hand < view.mover and _is_passed_on(view) else cards


@outline
def _pick(cards: int, count: int, key: int, n: int) -> int:
    """A random set of ``count`` of some cards; it uses at most ``count`` random words from n on."""
    size = popcount(cards)
    few = min(count, size - count)
    taken = 0
    for k in range(few):
        taken |= 1 << nth_bit(cards & ~taken, below(splitmix(key, n + k), size - k))
    return taken if few == count else cards & ~taken


@kernel
def _lone_hands(view: Any) -> tuple[int, int, int]:
    """The hands with hidden cards, -1 for none, a declarer first."""
    found = (-1, -1, -1)
    start = max(view.declarer, 0)
    for k in range(N_HANDS - 1, -1, -1):
        hand = (start + k) % N_HANDS
        if _hidden_count(view, hand) > 0:
            found = (hand, found[0], found[1])
    return found


@kernel
def _ways_to_split(sizes: tuple[int, int, int, int], of_a: int, ka: int, kb: int) -> int:
    """Worlds in which ``ka`` and ``kb`` of the cards that only A, only B may hold lie away."""
    na, nb, both, rest = sizes
    away = rest - ka - kb
    if away > both:
        return 0
    return _ways(na, ka) * _ways(nb, kb) * _ways(both, away) * _ways(both - away, of_a - na + ka)


@kernel
def _split_rest(sizes: tuple[int, int, int, int], of_a: int, word: int) -> tuple[int, int]:
    """How many of the cards that only hand A, or only hand B, may hold lie away; -1 if no world
    fits.

    ``sizes`` counts the cards that only A, only B, both may hold, and those of them that lie away;
    ``of_a`` the hidden cards of A. Each split comes as often as there are worlds of it.
    """
    rest = sizes[3]
    total = 0
    for ka in range(rest + 1):
        for kb in range(rest - ka + 1):
            total += _ways_to_split(sizes, of_a, ka, kb)
    left = below(word, total)
    for ka in range(rest + 1):
        for kb in range(rest - ka + 1):
            left -= _ways_to_split(sizes, of_a, ka, kb)
            if left < 0 and total > 0:
                return ka, kb
    return -1, -1


@outline
def draw_world(view: Any, key: int, n: int, world: Any) -> int:
    """Fill ``world`` [N_PLACES] with a world that fits, each as likely as any other.

    Random words are those of ``splitmix`` by ``key`` from number ``n`` on; returns the number of
    the next one, or -1 if nothing fits. Cards aside or discarded that the player knows are not in
    it: his own discard, talon cards turned up at raspas.
    """
    unseen = unseen_cards(view)
    for hand in range(N_HANDS):
        world[hand] = _seen_of(view, hand)
    world[ASIDE] = 0
    world[DISCARDED] = 0
    a, b, c = _lone_hands(view)
    count_a = _hidden_count(view, a) if a >= 0 else 0
    count_b = _hidden_count(view, b) if b >= 0 else 0
    count_c = _hidden_count(view, c) if c >= 0 else 0
    cards_a = may_hold(view, a, unseen) if a >= 0 else 0
    cards_b = may_hold(view, b, unseen) if b >= 0 else 0
    both = cards_a & cards_b
    only_a = cards_a & ~cards_b
    only_b = cards_b & ~cards_a
    neither = unseen & ~(cards_a | cards_b)
    rest = popcount(unseen) - count_a - count_b - count_c - popcount(neither)
    if rest < 0 or rest > TALON_SIZE:
        return -1
    na = popcount(only_a)
    sizes = (na, popcount(only_b), popcount(both), rest)
    ka, kb = _split_rest(sizes, count_a, splitmix(key, n))
    if ka < 0:
        return -1
    n += 1
    out = neither | _pick(only_a, ka, key, n) | _pick(only_b, kb, key, n + ka)
    n += ka + kb
    out |= _pick(both, rest - ka - kb, key, n)
    n += rest - ka - kb
    of_a = count_a - na + ka
    held_a = only_a & ~out | _pick(both & ~out, of_a, key, n)
    n += of_a
    held_b = unseen & ~out & ~held_a
    if a >= 0:
        world[a] = held_a
    if c >= 0:
        world[c] = _pick(held_b, count_c, key, n)
        n += count_c
        held_b &= ~world[c]
    if b >= 0:
        world[b] = held_b
    world[DISCARDED if has_taken_talon(view) else ASIDE] = out
    return n


@outline
def list_discards(view: Any, pairs: Any) -> int:
    """Fill ``pairs`` [MAX_DISCARDS] with what may lie away where a player sees all hands but one:
    the declarer's discards that fit, or talons left untouched; returns how many.

    0 where two hands are hidden, or no two cards lie away unseen.
    """
    unseen = unseen_cards(view)
    a, b, _ = _lone_hands(view)
    count = _hidden_count(view, a) if a >= 0 else 0
    if b >= 0 or popcount(unseen) - count != TALON_SIZE:
        return 0
    forced = unseen & ~(may_hold(view, a, unseen) if a >= 0 else 0)
    if popcount(forced) > TALON_SIZE:
        return 0
    found = 0
    first = unseen
    while first:
        low = first & -first
        first ^= low
        second = first
        while second:
            pair = low | second & -second
            second &= second - 1
            if forced & ~pair == 0:
                pairs[found] = pair
                found += 1
    return found
