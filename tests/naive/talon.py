"""The talon: contracts after it, quick tricks in it, and the two cards passed along at raspas."""

from .cards import (
    HANDS,
    Conventions,
    is_misere,
    is_without_talon,
    ladder,
    pair_choices,
    rank_of,
    sort_cards,
    suit_of,
)


def contracts_after(conv: Conventions, bid: str) -> list[str]:
    """What the winner of the auction may name: no lower, never misere, without the talon or with.

    With the talon in his hand he may also concede («уход»), where that is allowed.
    """
    rungs = ladder(conv)
    named = [
        contract
        for contract in rungs[rungs.index(bid) :]
        if not is_misere(contract) and is_without_talon(contract) == is_without_talon(bid)
    ]
    if conv["contract.concession"] and not is_without_talon(bid):
        named.append("concede")
    return named


def quick_tricks(talon: list[str]) -> int:
    """Count the quick tricks in the talon (быстрые взятки)."""
    ranks = sorted((rank_of(card) for card in talon), reverse=True)
    ace, king, queen = 7, 6, 5
    one_suit = suit_of(talon[0]) == suit_of(talon[1])
    if ranks == [ace, ace]:
        return 3
    if ranks == [ace, king] and one_suit:
        return 2
    if ace in ranks or (ranks == [king, queen] and one_suit):
        return 1
    return 0


class PassAlong:
    """Raspas with two cards passed along (с передачей).

    First hand takes the talon unseen by the others and gives two of his twelve cards face down to
    the second, who gives two of his twelve to the third, who lays two away. `received` and `given`
    are the cards each hand got and put away.
    """

    def __init__(self, hands: list[list[str]], talon: list[str]) -> None:
        self.hands = hands
        self.mover = 0
        self.over = False
        self.received: list[list[str]] = [[], [], []]
        self.given: list[list[str]] = [[], [], []]
        self._receive(talon)

    def _receive(self, cards: list[str]) -> None:
        self.received[self.mover] = list(cards)
        self.hands[self.mover] = sort_cards(self.hands[self.mover] + cards)

    def legal(self) -> list[str]:
        """Cards the mover may put away."""
        return pair_choices(self.hands[self.mover], self.given[self.mover])

    def apply(self, card: str) -> None:
        """Put one card away; the second one hands the pair on."""
        self.hands[self.mover].remove(card)
        gift = self.given[self.mover]
        gift.append(card)
        if len(gift) < 2:
            return
        self.over = self.mover == HANDS[-1]
        if not self.over:
            self.mover += 1
            self._receive(gift)
