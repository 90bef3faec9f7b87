"""Positions as endings of bridge, for Bo Haglund's double dummy solver DDS, which endplay bundles.

A position at no trump *is* a bridge ending: the declarer's partner, the fourth hand, holds nothing
but cards below the seven, which bridge has and preferans has not. It sits opposite the declarer,
between the defenders; it takes no trick, so it never leads, and the order of the others stays. A
hand that does not play holds such cards too. With a trump suit the fourth hand has none of it, but
bridge does not oblige to trump: that twin has other values and is good for comparing speed alone.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.contract import NO_TRUMP
from sim.cards import N_SUITS, cards_of, suit_ranks
from sim.state import N_HANDS

SEATS = (0, 1, 3)
"""Where the declarer and the two defenders sit, clockwise; the fourth hand is at 2."""
N_SEATS = 4
SUITS = (0, 3, 2, 1)
"""Our suits in the order of DDS, which is its own inverse: ♠ ♥ ♦ ♣."""
SEVEN = 7
MOST_BOARDS = 200
MOST_TABLES = 200

_DEAL = np.dtype(
    [
        ("trump", np.int32),
        ("first", np.int32),
        ("trick_suit", np.int32, 3),
        ("trick_rank", np.int32, 3),
        ("cards", np.uint32, (N_SEATS, N_SUITS)),
    ]
)
_BOARDS = np.dtype(
    [
        ("n", np.int32),
        ("deals", _DEAL, MOST_BOARDS),
        ("target", np.int32, MOST_BOARDS),
        ("solutions", np.int32, MOST_BOARDS),
        ("mode", np.int32, MOST_BOARDS),
    ]
)
_SOLVED = np.dtype(
    [
        ("nodes", np.int32),
        ("cards", np.int32),
        ("suit", np.int32, 13),
        ("rank", np.int32, 13),
        ("equals", np.int32, 13),
        ("score", np.int32, 13),
    ]
)
_SOLVED_BOARDS = np.dtype([("n", np.int32), ("boards", _SOLVED, MOST_BOARDS)])
_TABLE_DEALS = np.dtype([("n", np.int32), ("cards", np.uint32, (MOST_TABLES, N_SEATS, N_SUITS))])
_TABLES = np.dtype([("n", np.int32), ("tricks", np.int32, (MOST_TABLES, 5, N_SEATS))])
"""The structures of DDS."""

ONE_CARD, EVERY_CARD = 1, 3
"""Solutions asked for: the value with one best card, or the value of every card."""

IntArray = np.ndarray[Any, np.dtype[Any]]


@functools.cache
def load() -> Any:
    """The functions of DDS, or None where there is no endplay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from endplay import _dds
        except ImportError:
            return None
    return _dds


def set_threads(n: int) -> None:
    """How many threads DDS may use; 0: as many as there are cores."""
    load().SetMaxThreads(n)


@dataclass(frozen=True)
class Twin:
    """A position as a bridge ending: the trick begun as (suit, rank), masks of cards by seat and
    suit, the seat to move, the number of tricks left."""

    trump: int
    leader: int
    trick: list[tuple[int, int]]
    cards: list[list[int]]
    mover: int
    n_tricks: int

    def tricks_of_declarer(self, tricks: int) -> int:
        """The declarer's tricks, from those of the side to move."""
        return tricks if self.mover % 2 == 0 else self.n_tricks - tricks


def _low_cards(strain: int) -> list[tuple[int, int]]:
    """The cards below the seven (suit, rank), suit by suit in turn, without trumps."""
    suits = [SUITS[suit] for suit in range(N_SUITS) if suit != strain]
    return [(suit, rank) for rank in range(2, SEVEN) for suit in suits]


def _take_low(hand: list[tuple[int, int]], led: int) -> tuple[int, int]:
    """Take a card to lay from a hand of low cards: of the suit led if there is one."""
    card = next((card for card in hand if card[0] == led), hand[0])
    hand.remove(card)
    return card


def make_twin(position: Iterable[int]) -> Twin:
    """The bridge ending of a position, given as ``Position.packed``."""
    strain, h0, h1, h2, declarer, leader, *table = position
    table = [card for card in table if card >= 0]
    role = (leader - declarer) % N_HANDS
    hands = [(h0, h1, h2)[(declarer + k) % N_HANDS] for k in range(N_HANDS)]
    n_tricks = hands[role].bit_count() + (len(table) > 0)
    deck = _low_cards(strain)
    low = {
        seat: deck[k * n_tricks :][:n_tricks] for k, seat in enumerate(_idle(hands, role, table))
    }
    trick: list[tuple[int, int]] = []
    seat = SEATS[role]
    while table:
        card = table.pop(0)
        trick.append((SUITS[card >> 3], SEVEN + (card & 7)))
        seat = (seat + 1) % N_SEATS
        while seat in low:
            trick.append(_take_low(low[seat], trick[0][0]))
            seat = (seat + 1) % N_SEATS
    cards = [[0] * N_SUITS for _ in range(N_SEATS)]
    for mask, at in zip(hands, SEATS, strict=True):
        for suit in range(N_SUITS):
            cards[at][SUITS[suit]] = suit_ranks(mask, suit) << SEVEN
    for at, held in low.items():
        for suit, rank in held:
            cards[at][suit] |= 1 << rank
    trump = SUITS[strain] if strain < NO_TRUMP else NO_TRUMP
    return Twin(trump, SEATS[role], trick, cards, seat, n_tricks)


def _idle(hands: list[int], leader: int, table: list[int]) -> list[int]:
    """The seats that hold low cards: the fourth, and that of a hand that does not play.

    A hand without cards does not play, unless its last one lies on the table.
    """
    laid = {(leader + k) % N_HANDS for k in range(len(table))}
    return [2] + [SEATS[k] for k in range(N_HANDS) if hands[k] == 0 and k not in laid]


def _pack(twins: list[Twin], solutions: int) -> IntArray:
    """At most 200 boards as DDS reads them. Every board is searched, even with one legal card."""
    packed = np.zeros((), _BOARDS)
    packed["n"] = len(twins)
    packed["target"], packed["solutions"], packed["mode"] = -1, solutions, 1
    for deal, twin in zip(packed["deals"], twins, strict=False):
        deal["trump"], deal["first"], deal["cards"] = twin.trump, twin.leader, twin.cards
        for k, (suit, rank) in enumerate(twin.trick):
            deal["trick_suit"][k], deal["trick_rank"][k] = suit, rank
    return packed


def _chunks(twins: list[Twin]) -> list[list[Twin]]:
    """Twins by calls of DDS: at most 200, and no two with the same cards left, which it takes for
    one board whatever lies on the table."""
    chunks: list[list[Twin]] = []
    seen: set[str] = set()
    for twin in twins:
        cards = str(twin.cards)
        if not chunks or cards in seen or len(chunks[-1]) == MOST_BOARDS:
            chunks.append([])
            seen = set()
        chunks[-1].append(twin)
        seen.add(cards)
    return chunks


class Boards:
    """Positions as boards for DDS, each by itself: one declarer, strain and leader."""

    def __init__(self, positions: Iterable[Iterable[int]], solutions: int = ONE_CARD) -> None:
        self.twins = [make_twin(position) for position in positions]
        self._packed = [_pack(chunk, solutions) for chunk in _chunks(self.twins)]
        self._solved = [np.zeros((), _SOLVED_BOARDS) for _ in self._packed]

    def run(self) -> None:
        """Solve them all: the calls of DDS and nothing else."""
        dds = load()
        for packed, solved in zip(self._packed, self._solved, strict=True):
            dds.SolveAllBoardsBin(
                dds.boards.from_buffer(packed), dds.solvedBoards.from_buffer(solved)
            )

    def _found(self) -> Iterator[tuple[Twin, Any]]:
        rows = [row for solved in self._solved for row in solved["boards"][: solved["n"]]]
        return zip(self.twins, rows, strict=True)

    def tricks(self) -> IntArray:
        """The declarer's tricks of each."""
        return np.array([twin.tricks_of_declarer(int(r["score"][0])) for twin, r in self._found()])

    def values(self) -> list[dict[int, int]]:
        """The declarer's tricks after each card of the hand to move, which must be one of ours."""
        return [_values_of(twin, row) for twin, row in self._found()]


def _values_of(twin: Twin, row: Any) -> dict[int, int]:
    """Cards of a solved board with what they are worth; DDS tells one of equal cards, with a mask
    of the others."""
    values = {}
    for k in range(int(row["cards"])):
        ranks = (1 << int(row["rank"][k]) | int(row["equals"][k])) >> SEVEN
        for rank in cards_of(ranks):
            card = 8 * SUITS[int(row["suit"][k])] + rank
            values[card] = twin.tricks_of_declarer(int(row["score"][k]))
    return dict(sorted(values.items()))


def solve_boards(positions: Iterable[Iterable[int]]) -> IntArray:
    """The declarer's tricks of positions, each by itself."""
    boards = Boards(positions)
    boards.run()
    return boards.tricks()


def value_cards(positions: Iterable[Iterable[int]]) -> list[dict[int, int]]:
    """The declarer's tricks after each card that may be played, for each position."""
    boards = Boards(positions, EVERY_CARD)
    boards.run()
    return boards.values()


class Tables:
    """Deals of one strain as tables for DDS: all four leaders of each, the fourth hand among them.

    Positions are before a lead; each gives a table of its declarer, its leader is not looked at.
    """

    def __init__(self, positions: Iterable[Iterable[int]]) -> None:
        self.twins = [make_twin(position) for position in positions]
        self._trump = self.twins[0].trump
        assert all(twin.trump == self._trump for twin in self.twins)
        self._packed, self._solved = [], []
        for start in range(0, len(self.twins), MOST_TABLES):
            some = self.twins[start : start + MOST_TABLES]
            packed = np.zeros((), _TABLE_DEALS)
            packed["n"] = len(some)
            packed["cards"][: len(some)] = [twin.cards for twin in some]
            self._packed.append(packed)
            self._solved.append(np.zeros((), _TABLES))

    def run(self) -> None:
        """Solve them all: the calls of DDS and nothing else."""
        dds = load()
        skipped = [strain != self._trump for strain in range(N_SUITS + 1)]
        for packed, solved in zip(self._packed, self._solved, strict=True):
            dds.CalcAllTables(
                dds.ddTableDeals.from_buffer(packed),
                -1,
                skipped,
                dds.ddTablesRes.from_buffer(solved),
                dds.allParResults(),
            )

    def tricks(self) -> IntArray:
        """The declarer's tricks [position, leader counted from the declarer].

        DDS tells 13 less what the leader's side takes, by the seat before the leader's.
        """
        found = np.concatenate([s["tricks"][:, self._trump] for s in self._solved])
        out = np.empty((len(self.twins), N_HANDS), np.int64)
        for row, (twin, by_seat) in enumerate(zip(self.twins, found, strict=False)):
            for role, seat in enumerate(SEATS):
                taken = 13 - int(by_seat[seat - 1])
                out[row, role] = taken if role == 0 else twin.n_tricks - taken
        return out
