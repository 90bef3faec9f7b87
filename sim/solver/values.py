"""Answers about a position as it lies on the table: real cards, seats, and a trick half played.

A *position* is eight whole numbers: strain, the three hands in the order of play (masks of what is
left in them), declarer, leader, and the cards on the table, the leader's first, -1 where none lies.
The strain is a trump suit 0..3, no trump 4, or MISERE_STRAIN. A hand without cards does not play.
Every value is the number of tricks of the declarer from here on, the trick on the table among them.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import NO_TRUMP
from scoring.kernel import ctz, kernel, msb, outline, popcount

from ..cards import N_CARDS, follow, suit_mask, trump_mask
from .ordering import list_seconds, list_thirds, listed
from .planes import (
    MISERE_GAME,
    NO_TRUMP_GAME,
    NONE,
    PLANE,
    SUIT_GAME,
    beats,
    make_key,
    next_role,
    pushed_up,
    remove_trick,
    to_trump_suit,
    winner_of,
)
from .search import search, wanted
from .workspace import list_at

MISERE_STRAIN = 5
"""Stands where a strain does: no trump, and the declarer wants few tricks."""
N_GAMES = 6
"""Strains and misère."""
_ACES_AND_KINGS = 0xC0C0C0C0


@kernel
def game_of(strain: int) -> int:
    """What the search plays."""
    if strain < NO_TRUMP:
        return SUIT_GAME
    return NO_TRUMP_GAME if strain == NO_TRUMP else MISERE_GAME


@kernel
def _after(hand: int, first: int) -> int:
    """How many places after ``first`` a hand plays."""
    return hand - first if hand >= first else hand - first + 3


@kernel
def _turn(a: int, b: int, c: int, first: int) -> tuple[int, int, int]:
    """Three hands from the ``first`` on."""
    if first == 1:
        return b, c, a
    if first == 2:
        return c, a, b
    return a, b, c


@kernel
def _bit(card: int) -> int:
    return 1 << card if card >= 0 else 0


@kernel
def _trumps_last(cards: int, strain: int) -> int:
    """Cards with the trumps, if there are any, in suit 3."""
    return to_trump_suit(cards, strain) if strain < NO_TRUMP else cards


@kernel
def place_of(card: int, strain: int, in_play: int) -> int:
    """A card as a place of the key, -1 for none; ``in_play`` has the trumps in suit 3."""
    return pushed_up(msb(_trumps_last(_bit(card), strain)), in_play) if card >= 0 else -1


@kernel
def read_position(position: Any) -> tuple[tuple[int, int, int, int, int, int], int]:
    """A position as the search wants it, and the cards in play with the trumps in suit 3.

    The first: game; key, with the cards on the table; the leader's role; tricks left; the cards on
    the table as places (-1: not laid, NONE: that hand does not play).
    """
    strain, h0, h1, h2, declarer, leader, first, second = position
    a, b, c = _turn(h0, h1, h2, leader)
    does_not_play = first >= 0 and second < 0 and b == 0
    a = _trumps_last(a | _bit(first), strain)
    b = _trumps_last(b | _bit(second), strain)
    c = _trumps_last(c, strain)
    in_play = a | b | c
    one, two, three = _turn(a, b, c, _after(declarer, leader))
    led = place_of(first, strain, in_play)
    laid = NONE if does_not_play else place_of(second, strain, in_play)
    role = _after(leader, declarer)
    return (game_of(strain), make_key(one, two, three), role, popcount(a), led, laid), in_play


@kernel
def _lay(root: Any, card: int) -> tuple[tuple[int, int, int, int, int, int], int]:
    """The position after one card more (a place), and whether the declarer took a trick with it."""
    game, key, leader, n, a, b = root
    if a < 0:
        return (game, key, leader, n, card, b), 0
    if b < 0:
        return (game, key, leader, n, a, card), 0
    taker, _ = winner_of(game, leader, a, b, card)
    return (game, remove_trick(key, a, b, card), taker, n - 1, -1, -1), 1 if taker == 0 else 0


@outline
def _judge_third(work: Any, root: Any, need: int) -> int:
    """1 if the declarer takes ``need`` tricks after two cards."""
    game, key, leader, n, a, b = root
    second = next_role(leader)
    role = next_role(second)
    best, winner, beaten = a, leader, b
    if beats(game, b, a):
        best, winner, beaten = b, second, a
    wish = wanted(game, role)
    low, high = key & PLANE, key >> 32 & PLANE
    at = list_at(n, 2)
    for k in range(list_thirds(work, at, game, low, high, role, a, best, winner, beaten)):
        (_, rest, taker, left, _, _), taken = _lay(root, listed(work[at + k]))
        if search(work, game, rest, taker, left, need - taken) & 1 == wish:
            return wish
    return 1 - wish


@outline
def _judge_second(work: Any, root: Any, need: int) -> int:
    """1 if the declarer takes ``need`` tricks after a lead."""
    game, key, leader, n, a, _ = root
    role = next_role(leader)
    wish = wanted(game, role)
    at = list_at(n, 1)
    for k in range(list_seconds(work, at, game, key & PLANE, key >> 32 & PLANE, role, a)):
        after, _ = _lay(root, listed(work[at + k]))
        if _judge_third(work, after, need) == wish:
            return wish
    return 1 - wish


@outline
def _judge(work: Any, root: Any, need: int) -> int:
    """1 if the declarer takes ``need`` tricks from a position on."""
    game, key, leader, n, a, b = root
    if a < 0:
        return search(work, game, key, leader, n, need) & 1
    return _judge_second(work, root, need) if b < 0 else _judge_third(work, root, need)


@outline
def _find_tricks(work: Any, root: Any, guess: int) -> int:
    """The declarer's tricks from a position on, by questions that start at a guess."""
    least, most, need = 0, root[3], guess
    while least < most:
        need = min(max(need, least + 1), most)
        if _judge(work, root, need):
            least = need
            need += 1
        else:
            most = need - 1
            need -= 1
    return least


@kernel
def is_full(position: Any) -> bool:
    """Whether the third card is to be played."""
    _, h0, h1, h2, _, leader, first, second = position
    return second >= 0 or first >= 0 and _turn(h0, h1, h2, leader)[1] == 0


@kernel
def mover(position: Any) -> int:
    """The hand to move."""
    leader, first = position[5], position[6]
    if first < 0:
        return leader
    second = next_role(leader)
    return next_role(second) if is_full(position) else second


@kernel
def legal(position: Any) -> int:
    """The cards that the hand to move may play."""
    strain, h0, h1, h2, _, _, first, _ = position
    cards = _turn(h0, h1, h2, mover(position))[0]
    if first < 0:
        return cards
    return follow(cards, suit_mask(first >> 3), trump_mask(min(strain, NO_TRUMP)))


@kernel
def wants_many(position: Any) -> bool:
    """Whether the hand to move wants the declarer to take many tricks."""
    return (mover(position) == position[4]) != (position[0] == MISERE_STRAIN)


@kernel
def first_guess(strain: int, hand: int) -> int:
    """The number of tricks to ask about first: the declarer's trumps, aces and kings; at misère
    one."""
    if strain == MISERE_STRAIN:
        return 1
    return popcount(hand & trump_mask(strain)) + popcount(hand & _ACES_AND_KINGS)


@outline
def count_tricks(work: Any, position: Any, guess: int) -> int:
    """The declarer's tricks; a good guess saves time."""
    root, _ = read_position(position)
    return _find_tricks(work, root, guess)


@outline
def takes_at_least(work: Any, position: Any, need: int) -> int:
    """1 if the declarer takes at least ``need`` tricks, else 0: one question, which is cheaper."""
    root, _ = read_position(position)
    return _judge(work, root, need)


@outline
def rate_cards(work: Any, position: Any, values: Any) -> int:
    """Fill ``values`` [32]: the declarer's tricks after each legal card, -1 for any other card.

    Of cards in sequence the lowest is judged for all. Returns the value of the best card.
    """
    for card in range(N_CARDS):
        values[card] = -1
    root, in_play = read_position(position)
    many = wants_many(position)
    cards = legal(position)
    best, before = -1, -9
    tricks = first_guess(position[0], position[1 + position[4]])
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        place = place_of(card, position[0], in_play)
        if place != before + 1 or place & 7 == 0:
            after, taken = _lay(root, place)
            tricks = taken + _find_tricks(work, after, tricks - taken)
        before = place
        values[card] = tricks
        if best < 0 or (tricks > best) == many:
            best = tricks
    return best


@outline
def find_card(work: Any, position: Any, tricks: int) -> int:
    """The lowest card number that keeps the value ``tricks`` that the position has."""
    root, in_play = read_position(position)
    need, wish = (tricks, 1) if wants_many(position) else (tricks + 1, 0)
    cards = legal(position)
    while cards & (cards - 1):
        card = ctz(cards)
        after, taken = _lay(root, place_of(card, position[0], in_play))
        if _judge(work, after, need - taken) == wish:
            return card
        cards &= cards - 1
    return ctz(cards)
