"""Endings with all cards open, by trying every card: who takes how many tricks if all play best.

Written from the rules of trick play alone. No bounds, no equal cards, no order of moves: only a
memory of what positions between two tricks are worth.
"""

from collections.abc import Callable, Iterator

from .cards import HANDS, PACK, rank_of, suit_of

Hands = tuple[tuple[str, ...], ...]
"""The cards of the three hands in the order of play; a hand that never had a card does not play."""
Table = tuple[tuple[int, str], ...]
"""Who has laid what to the trick begun."""
Counts = tuple[int, int, int]
Line = list[tuple[int, str]]
End = tuple[Counts, Line]
"""How many tricks each hand has at the end, and the cards in the order of play."""


def legal(held: tuple[str, ...], table: Table, trump: str | None) -> list[str]:
    """The suit led must be followed; who is without it must trump; who has neither is free."""
    if not table:
        return list(held)
    led = suit_of(table[0][1])
    for suit in (led, trump):
        same = [card for card in held if suit_of(card) == suit]
        if same:
            return same
    return list(held)


def trick_taker(table: Table, trump: str | None) -> int:
    """Who takes a trick: the highest trump, without one the highest card of the suit led."""
    led = suit_of(table[0][1])
    suit = trump if any(suit_of(card) == trump for _, card in table) else led
    return max((rank_of(card), hand) for hand, card in table if suit_of(card) == suit)[1]


def next_to_play(hands: Hands, leader: int, table: Table) -> int | None:
    """Whose card it is; None when all who have cards have played to the trick."""
    passed = (table[-1][0] - leader) % 3 + 1 if table else 0
    for step in range(passed, 3):
        hand = (leader + step) % 3
        if hands[hand]:
            return hand
    return None


def steps(
    hands: Hands, leader: int, table: Table, trump: str | None
) -> Iterator[tuple[str, Hands, int, Table, int | None]]:
    """Every card that may be played, with the hands, leader and table after it, and who took."""
    hand = next_to_play(hands, leader, table)
    assert hand is not None
    for card in legal(hands[hand], table, trump):
        kept = tuple(c for c in hands[hand] if c != card)
        left = (*hands[:hand], kept, *hands[hand + 1 :])
        laid = (*table, (hand, card))
        if next_to_play(left, leader, laid) is None:
            taker = trick_taker(laid, trump)
            yield card, left, taker, (), taker
        else:
            yield card, left, leader, laid, None


class OpenGame:
    """One declarer against two hands that play together, under one trump suit or none.

    At misère the declarer wants few tricks. Values are his tricks from here on.
    """

    def __init__(self, declarer: int, trump: str | None = None, misere: bool = False) -> None:
        self.declarer = declarer
        self.trump = trump
        self.misere = misere
        self.known: dict[tuple[Hands, int], int] = {}

    def wants_many(self, hand: int) -> bool:
        """Whether a hand wants the declarer to take many tricks."""
        return (hand == self.declarer) != self.misere

    def values(self, hands: Hands, leader: int, table: Table = ()) -> dict[str, int]:
        """What the declarer takes after each card that may be played."""
        return {
            card: self.value(left, first, laid) + (taker == self.declarer)
            for card, left, first, laid, taker in steps(hands, leader, table, self.trump)
        }

    def value(self, hands: Hands, leader: int, table: Table = ()) -> int:
        """What the declarer takes."""
        if table:
            return self._search(hands, leader, table)
        if not any(hands):
            return 0
        if (hands, leader) not in self.known:
            self.known[hands, leader] = self._search(hands, leader, ())
        return self.known[hands, leader]

    def _search(self, hands: Hands, leader: int, table: Table) -> int:
        mover = next_to_play(hands, leader, table)
        assert mover is not None
        best = max if self.wants_many(mover) else min
        return best(self.values(hands, leader, table).values())

    def best(self, hands: Hands, leader: int, table: Table = ()) -> list[str]:
        """The cards that keep the value, in the order of the pack."""
        values = self.values(hands, leader, table)
        value = self.value(hands, leader, table)
        return [card for card in PACK if values.get(card) == value]

    def line(self, hands: Hands, leader: int, table: Table = ()) -> Line:
        """How play goes to the end when each plays the first of his best cards."""
        line: Line = []
        while table or any(hands):
            mover = next_to_play(hands, leader, table)
            assert mover is not None
            chosen = self.best(hands, leader, table)[0]
            line.append((mover, chosen))
            for card, *after, _ in steps(hands, leader, table, self.trump):
                if card == chosen:
                    hands, leader, table = after
                    break
        return line


class EachForHimself:
    """The end of raspas: every hand plays the card that ends best for itself, knowing that the
    others do; of cards that end equally well for it, the first of the pack.

    ``payoff(hand, tricks)`` is what a hand gets when the three have taken so many.
    """

    def __init__(self, payoff: Callable[[int, Counts], int]) -> None:
        self.payoff = payoff
        self.known: dict[tuple[Hands, int, Counts], End] = {}

    def end(self, hands: Hands, leader: int, taken: Counts, table: Table = ()) -> End:
        """How it ends when the hands have taken so many tricks before."""
        if table:
            return self._search(hands, leader, taken, table)
        if not any(hands):
            return taken, []
        key = hands, leader, taken
        if key not in self.known:
            self.known[key] = self._search(hands, leader, taken, ())
        return self.known[key]

    def _search(
        self, hands: Hands, leader: int, taken: Counts, table: Table
    ) -> tuple[Counts, Line]:
        mover = next_to_play(hands, leader, table)
        assert mover is not None
        ends = {}
        for card, left, first, laid, taker in steps(hands, leader, table, None):
            a, b, c = (taken[hand] + (hand == taker) for hand in HANDS)
            ends[card] = self.end(left, first, (a, b, c), laid)
        most = max(self.payoff(mover, counts) for counts, _ in ends.values())
        card = next(c for c in PACK if c in ends and self.payoff(mover, ends[c][0]) == most)
        counts, line = ends[card]
        return counts, [(mover, card), *line]
