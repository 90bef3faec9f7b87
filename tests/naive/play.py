"""Ten tricks of three hands, at raspas with the talon leading the first two of them."""

from .cards import DEALER, HANDS, Conventions, next_hand, rank_of, suit_of


class Play:
    """The card play: first hand leads to the first trick of every game.

    `leading` are the talon cards that lead to tricks 1 and 2, as a suit to be followed only, or
    (`dealer_plays`) as cards of the dealer that may win. `tricks` are counted by hand, the last is
    the dealer's.
    """

    def __init__(
        self,
        conv: Conventions,
        hands: list[list[str]],
        trump: str | None,
        leading: list[str],
        dealer_plays: bool,
    ) -> None:
        self.conv = conv
        self.hands = hands
        self.trump = trump
        self.leading = leading
        self.dealer_plays = dealer_plays
        self.mover = 0
        self.past_tricks: list[list[tuple[int, str]]] = []
        self.tricks = [0, 0, 0, 0]
        self.trick: list[tuple[int, str]] = []
        self._begin_trick()

    @property
    def over(self) -> bool:
        """Whether all ten tricks are played."""
        return len(self.past_tricks) == 10

    def cards_played(self) -> list[str]:
        """List the cards played from the hands, and those the dealer played."""
        return [card for trick in [*self.past_tricks, self.trick] for _, card in trick]

    def talon_card(self) -> str | None:
        """The talon card that leads to this trick."""
        number = len(self.past_tricks)
        return self.leading[number] if number < len(self.leading) else None

    def _begin_trick(self) -> None:
        card = self.talon_card()
        self.trick = [(DEALER, card)] if card and self.dealer_plays else []

    def legal(self) -> list[str]:
        """Follow suit; without the suit a trump; without either any card (no need to beat)."""
        held = self.hands[self.mover]
        led = self.talon_card() or (self.trick[0][1] if self.trick else None)
        if led is None:
            return list(held)
        same = [card for card in held if suit_of(card) == suit_of(led)]
        trumps = [card for card in held if suit_of(card) == self.trump]
        return same or trumps or list(held)

    def apply(self, card: str) -> None:
        """Play a card of the mover."""
        self.hands[self.mover].remove(card)
        self.trick.append((self.mover, card))
        if len([hand for hand, _ in self.trick if hand in HANDS]) < 3:
            self.mover = next_hand(self.mover)
            return
        winner = self.trick_winner()
        self.tricks[winner] += 1
        self.past_tricks.append(self.trick)
        self.mover = self._next_leader(winner)
        self._begin_trick()

    def _highest(self, suit: str | None) -> int | None:
        """Who played the highest card of a suit to this trick; None if nobody played it."""
        of_suit = [(rank_of(card), hand) for hand, card in self.trick if suit_of(card) == suit]
        return max(of_suit)[1] if of_suit else None

    def trick_winner(self) -> int:
        """Who takes the trick that is complete."""
        led = self.talon_card()
        if led is not None and not self.dealer_plays:
            return self._suit_winner(led)
        winner = self._highest(self.trump)
        if winner is None:
            winner = self._highest(suit_of(self.trick[0][1]))
        assert winner is not None
        return winner

    def _suit_winner(self, led: str) -> int:
        """The talon card itself never wins; if nobody has its suit a convention decides."""
        winner = self._highest(suit_of(led))
        if winner is None and self.conv["raspas.nobody_follows"] == "highest_of_first":
            winner = self._highest(suit_of(self.trick[0][1]))
        return 0 if winner is None else winner

    def _next_leader(self, winner: int) -> int:
        """The winner leads; after a talon-led trick first hand, but perhaps not to the third."""
        coming = len(self.past_tricks) + 1
        if self.leading and coming == 2:
            return 0
        if self.leading and coming == 3 and self.conv["raspas.third_lead"] == "first_hand":
            return 0
        return 0 if winner == DEALER else winner
