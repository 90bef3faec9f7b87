"""Ten tricks of the hands in play, at raspas with the talon leading the first two of them."""

from .cards import DEALER, HANDS, Conventions, next_hand, rank_of, suit_of


class Play:
    """The card play: the first hand in play leads to the first trick of every game.

    `leading` are the talon cards that lead to tricks 1 and 2, as a suit to be followed only, or
    (`talon_wins`) as cards of the trick that may win it, for the dealer of four or for nobody.
    `tricks` are counted by hand, the last are the talon's. `in_play` lists the hands that play; of
    two players the dummy may be out.
    """

    def __init__(
        self,
        conv: Conventions,
        hands: list[list[str]],
        trump: str | None,
        leading: list[str],
        talon_wins: bool,
        in_play: list[int] = HANDS,
    ) -> None:
        self.conv = conv
        self.hands = hands
        self.trump = trump
        self.leading = leading
        self.talon_wins = talon_wins
        self.in_play = in_play
        self.leader = in_play[0]
        self.past_tricks: list[list[tuple[int, str]]] = []
        self.tricks = [0, 0, 0, 0]
        self.trick: list[tuple[int, str]] = []
        self._begin_trick()

    @property
    def over(self) -> bool:
        """Whether all ten tricks are played."""
        return len(self.past_tricks) == 10

    @property
    def mover(self) -> int:
        """Whose card it is."""
        played = [hand for hand, _ in self.trick if hand in HANDS]
        return next_hand(played[-1], self.in_play) if played else self.leader

    def cards_played(self) -> list[str]:
        """List the cards played from the hands, and the talon's that were part of a trick."""
        return [card for trick in [*self.past_tricks, self.trick] for _, card in trick]

    def talon_card(self) -> str | None:
        """The talon card that leads to this trick."""
        number = len(self.past_tricks)
        return self.leading[number] if number < len(self.leading) else None

    def _begin_trick(self) -> None:
        card = self.talon_card()
        self.trick = [(DEALER, card)] if card and self.talon_wins else []

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
        if len([hand for hand, _ in self.trick if hand in HANDS]) < len(self.in_play):
            return
        winner = self.trick_winner()
        self.tricks[winner] += 1
        self.past_tricks.append(self.trick)
        self.leader = self._next_leader(winner)
        self._begin_trick()

    def _highest(self, suit: str | None) -> int | None:
        """Who played the highest card of a suit to this trick; None if nobody played it."""
        of_suit = [(rank_of(card), hand) for hand, card in self.trick if suit_of(card) == suit]
        return max(of_suit)[1] if of_suit else None

    def trick_winner(self) -> int:
        """Who takes the trick that is complete."""
        led = self.talon_card()
        if led is not None and not self.talon_wins:
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
        return self.in_play[0] if winner is None else winner

    def _next_leader(self, winner: int) -> int:
        """The winner leads; after a talon-led trick first hand, but perhaps not to the third."""
        first = self.in_play[0]
        coming = len(self.past_tricks) + 1
        if self.leading and coming == 2:
            return first
        if self.leading and coming == 3 and self.conv["raspas.third_lead"] == "first_hand":
            return first
        return first if winner == DEALER else winner
