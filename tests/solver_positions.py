"""Positions for the proofs of the solver: random endings, and the same in the naive form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from naive.cards import PACK, SUITS
from naive.endings import Hands, OpenGame, Table

from scoring.contract import NO_TRUMP
from sim.cards import cards_of, mask_of
from sim.solver import MISERE_STRAIN, WORKSPACE, Position, prepare
from sim.solver.batch import IntArray

STRAINS = range(MISERE_STRAIN + 1)
TRUMPS = [*SUITS, None, None]
"""The trump suit of each strain in the naive form."""
THREE_HANDS = (0, 1, 2)


def draw_cards(chance: Random, n: int) -> list[int]:
    """Cards from all suits or a few of them, so that some suits are long and some hands void."""
    n_suits = chance.choice([k for k in (1, 2, 3, 4, 4) if 8 * k >= n])
    suits = chance.sample(range(4), n_suits)
    return chance.sample([8 * suit + rank for suit in suits for rank in range(8)], n)


def draw_hands(chance: Random, n: int, playing: Sequence[int] = THREE_HANDS) -> list[int]:
    """Hands of ``n`` cards, none for a hand that does not play."""
    cards = draw_cards(chance, n * len(playing))
    hands = [0, 0, 0]
    for k, hand in enumerate(playing):
        hands[hand] = mask_of(cards[n * k : n * (k + 1)])
    return hands


def draw_position(
    chance: Random, n: int, strains: Sequence[int] = STRAINS, two_of_ten: int = 2
) -> Position:
    """A random position of ``n`` tricks: any strain, declarer and leader, 0, 1 or 2 cards on the
    table; in so many of ten two hands play."""
    playing = list(THREE_HANDS)
    if chance.randrange(10) < two_of_ten:
        playing.remove(chance.choice(THREE_HANDS))
    hands = draw_hands(chance, n, playing)
    position = Position(
        (hands[0], hands[1], hands[2]),
        chance.choice(strains),
        chance.choice(playing),
        chance.choice(playing),
    )
    for _ in range(chance.choice((0, 0, 1, 2))):
        after, taker = position.after(chance.choice(cards_of(position.legal)))
        if after is None or taker >= 0:
            break
        position = after
    return position


def draw_positions(seed: int, n_positions: int, sizes: Sequence[int]) -> Iterator[Position]:
    """Random positions, each of one of the sizes."""
    chance = Random(seed)
    for _ in range(n_positions):
        yield draw_position(chance, chance.choice(sizes))


def naive_hands(hands: Sequence[int]) -> Hands:
    """Masks as the naive form has them."""
    return tuple(tuple(PACK[card] for card in cards_of(hand)) for hand in hands)


def naive_table(table: Sequence[int], leader: int, playing: Sequence[int]) -> Table:
    """Cards on the table, each with the hand that laid it."""
    order = [hand for step in range(3) if (hand := (leader + step) % 3) in playing]
    return tuple((order[k], PACK[card]) for k, card in enumerate(table))


def playing_of(position: Position) -> list[int]:
    """The hands that play: those with cards, and those whose last lies on the table."""
    laid = [(position.leader + k) % 3 for k in range(len(position.table))]
    return [hand for hand in THREE_HANDS if position.hands[hand] or hand in laid]


def naive_position(position: Position) -> tuple[OpenGame, tuple[Hands, int, Table]]:
    """A position as a game of the naive form and where it stands."""
    game = OpenGame(
        position.declarer, TRUMPS[position.strain], misere=position.strain == MISERE_STRAIN
    )
    table = naive_table(position.table, position.leader, playing_of(position))
    return game, (naive_hands(position.hands), position.leader, table)


def naive_value(hands: Sequence[int], strain: int, declarer: int, leader: int) -> int:
    """What the declarer takes, by trying every card."""
    game = OpenGame(declarer, TRUMPS[strain], misere=strain == MISERE_STRAIN)
    return game.value(naive_hands(hands), leader)


def garbage_workspace(seed: int) -> IntArray:
    """A workspace full of random words, made ready."""
    words = np.random.default_rng(seed).integers(
        np.iinfo(np.int64).min, np.iinfo(np.int64).max, WORKSPACE, np.int64, endpoint=True
    )
    prepare(words)
    return words


assert len(TRUMPS) == MISERE_STRAIN + 1 and TRUMPS[NO_TRUMP] is None
