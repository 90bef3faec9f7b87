"""Tricks of the refet game, of two cards or three, until the declarer cannot make his contract."""

from .cards import HANDS, Conventions, next_hand, rank_of, suit_of
from .refet_auction import SUIT_CONTRACTS

N_TRICKS = 10
NEEDED = {"betl": 0, "preferans": 10}
"""Tricks of the declarer; in suits and at sans six."""


def needed(contract: str) -> int:
    """How many tricks the declarer must take; at betl exactly so many."""
    return NEEDED.get(contract, 6)


def is_made(contract: str, taken: int) -> bool:
    """Whether a declarer with so many of ten tricks has made his contract."""
    return taken == 0 if contract == "betl" else taken >= needed(contract)


def trump_of(contract: str) -> str | None:
    """The trump suit."""
    return contract[0].upper() if contract in SUIT_CONTRACTS else None


def first_leader(conv: Conventions, contract: str, declarer: int, in_play: list[int]) -> int:
    """The first hand that plays; at sans and preferans the one before the declarer.

    The game goes through the declarer (под разыгрывающего): he plays second.
    """
    if contract in ["sans", "preferans"] and conv["tricks.through"]:
        before = next_hand(next_hand(declarer))
        return before if before in in_play else next_hand(declarer)
    return in_play[0]


class RefetPlay:
    """The card play of `in_play`, the hands that came or were drawn in, and the declarer."""

    def __init__(
        self,
        conv: Conventions,
        hands: list[list[str]],
        contract: str,
        declarer: int,
        in_play: list[int],
    ) -> None:
        self.conv = conv
        self.hands = hands
        self.contract = contract
        self.declarer = declarer
        self.in_play = in_play
        self.trump = trump_of(contract)
        self.leader = first_leader(conv, contract, declarer, in_play)
        self.past_tricks: list[list[tuple[int, str]]] = []
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0 for _ in HANDS]

    @property
    def mover(self) -> int:
        """Whose card it is."""
        return next_hand(self.trick[-1][0], self.in_play) if self.trick else self.leader

    @property
    def over(self) -> bool:
        """Whether ten tricks are played, or the declarer has failed where that ends the play."""
        failed = self.conv["tricks.stop"] and self.is_lost()
        return not self.trick and (failed or len(self.past_tricks) == N_TRICKS)

    def is_lost(self) -> bool:
        """Whether the declarer can no longer make his contract."""
        own = self.tricks[self.declarer]
        if self.contract == "betl":
            return own > 0
        return sum(self.tricks) - own > N_TRICKS - needed(self.contract)

    def cards_played(self) -> list[str]:
        """List the cards played."""
        return [card for trick in [*self.past_tricks, self.trick] for _, card in trick]

    def legal(self) -> list[str]:
        """Follow suit; without the suit a trump; without either any card.

        At some tables a card that beats the trick so far, if there is one: among those that follow
        suit (must head), or among the trumps on another suit (must overtrump).
        """
        held = self.hands[self.mover]
        if not self.trick:
            return list(held)
        led = suit_of(self.trick[0][1])
        same = [card for card in held if suit_of(card) == led]
        trumps = [card for card in held if suit_of(card) == self.trump]
        if same:
            return self._beating(same) if self.conv["tricks.must_head"] else same
        if trumps:
            return self._beating(trumps) if self.conv["tricks.must_overtrump"] else trumps
        return list(held)

    def _beating(self, cards: list[str]) -> list[str]:
        """Those that would win the trick so far, or all if none would."""
        beating = [card for card in cards if self._wins([*self.trick, (-1, card)]) == -1]
        return beating or cards

    def _wins(self, trick: list[tuple[int, str]]) -> int:
        """Who has the highest trump, or else the highest card of the suit led."""
        trumps = [play for play in trick if suit_of(play[1]) == self.trump]
        of_suit = [play for play in trick if suit_of(play[1]) == suit_of(trick[0][1])]
        return max(trumps or of_suit, key=lambda play: rank_of(play[1]))[0]

    def trick_winner(self) -> int:
        """Who takes the trick so far."""
        return self._wins(self.trick)

    def apply(self, card: str) -> None:
        """Play a card of the mover."""
        self.hands[self.mover].remove(card)
        self.trick.append((self.mover, card))
        if len(self.trick) == len(self.in_play):
            self.leader = self.trick_winner()
            self.tricks[self.leader] += 1
            self.past_tricks.append(self.trick)
            self.trick = []
