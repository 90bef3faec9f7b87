"""The auction of the refet game: numbers in steps of one, hold, and games from the hand (igra)."""

from .cards import HANDS, Conventions, next_hand

BASES = {
    "spades": 2,
    "diamonds": 3,
    "hearts": 4,
    "clubs": 5,
    "betl": 6,
    "sans": 7,
    "preferans": 8,
}
"""The contracts and their bases; the number that allows a contract is its base."""

SUIT_CONTRACTS = ["spades", "diamonds", "hearts", "clubs"]
GAMES = ["game", "game betl", "game sans", "game preferans"]
"""Games from the hand, the weakest first: one in a suit that is named later, and the others."""

YIELD = "yours is better"


def contracts(conv: Conventions) -> list[str]:
    """The contracts that are played, the lowest first."""
    return [name for name in BASES if name != "preferans" or conv["bidding.preferans"]]


def is_number(call: str | None) -> bool:
    """Whether a call is a number; else it is a game, pass or hold, or there is none."""
    return call is not None and call.isdigit()


class RefetAuction:
    """An auction in progress; `mover` is asked until it is `over`.

    `bid` is the standing number or game and `bidder` who has it, by his own call or by a hold
    (`held`); `left` are the hands that have not passed.
    """

    def __init__(self, conv: Conventions) -> None:
        self.conv = conv
        self.top = max(BASES[name] for name in contracts(conv))
        self.calls: list[tuple[int, str]] = []
        self.left = list(HANDS)
        self.bid: str | None = None
        self.bidder: int | None = None
        self.held = False
        self.over = False
        self.mover = 0

    def legal(self) -> list[str]:
        """Pass, perhaps hold, the next number, and at the first call a game."""
        return ["pass", *self._hold(), *self._numbers(), *self._games()]

    def has_called(self, hand: int) -> bool:
        """Whether a hand has said something in this auction."""
        return any(caller == hand for caller, _ in self.calls)

    def _is_offered(self) -> bool:
        """Whether the standing number is the mover's to take over, who then may not raise it.

        The earliest player left may take over what a later one has said (Preferansklub rules 7); or
        each new number is offered to the next player, and then to the last (iPref rules).
        """
        if not is_number(self.bid) or int(self.bid) < 3:
            return False
        if self.conv["bidding.hold"] == "next":
            return not self.held
        return self.mover == self.left[0] and self.has_called(self.mover)

    def _hold(self) -> list[str]:
        return ["hold"] if self._is_offered() else []

    def _numbers(self) -> list[str]:
        if self._is_offered() or self.bid in GAMES:
            return []
        lowest = 2 if self.bid is None else int(self.bid) + 1
        numbers = [str(number) for number in range(lowest, self.top + 1)]
        return numbers if self.conv["bidding.jumps"] else numbers[:1]

    def _games(self) -> list[str]:
        """A stronger game; one in a suit also beside another, since the suits decide."""
        if self.has_called(self.mover):
            return []
        games = GAMES if self.conv["bidding.preferans"] else GAMES[:-1]
        if self.bid not in GAMES or self.bid == "game":
            return games
        return games[GAMES.index(self.bid) + 1 :]

    def apply(self, call: str) -> None:
        """Say a call for the mover."""
        self.calls.append((self.mover, call))
        if call == "pass":
            self.left.remove(self.mover)
        else:
            self.bidder = self.mover
            self.held = call == "hold"
            self.bid = self.bid if self.held else call
        self.over = self._is_over()
        if not self.over:
            self.mover = next_hand(self.mover, self.left)

    def _is_over(self) -> bool:
        """One is left with a bid, or several who all have a game in a suit.

        After the last number is held the others can only pass, and do.
        """
        all_called = all(self.has_called(hand) for hand in self.left)
        return all_called and (len(self.left) < 2 or self._games_called() == self.left)

    def _games_called(self) -> list[int]:
        """The hands left that called a game in a suit, where nothing is stronger."""
        if self.bid != "game":
            return []
        return [hand for hand in self.left if (hand, "game") in self.calls]

    def suit_callers(self) -> list[int]:
        """Who still has to name a suit against others; nobody, unless several called a game."""
        callers = self._games_called()
        return callers if len(callers) > 1 else []


class SuitCalls:
    """Several called a game: each in turn names a higher suit, or gives way.

    Of equal suits the earlier caller has his, since the later may not name it.
    """

    def __init__(self, callers: list[int]) -> None:
        self.callers = callers
        self.calls: list[tuple[int, str]] = []
        self.best: str | None = None
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        """Whether all have spoken."""
        return len(self.calls) == len(self.callers)

    @property
    def mover(self) -> int:
        """Whose word it is."""
        return self.callers[len(self.calls)]

    def legal(self) -> list[str]:
        """Suits, and to give way to one that was named."""
        if self.best is None:
            return list(SUIT_CONTRACTS)
        return [YIELD, *SUIT_CONTRACTS[SUIT_CONTRACTS.index(self.best) + 1 :]]

    def apply(self, word: str) -> None:
        """Say a word for the mover."""
        if word != YIELD:
            self.best, self.winner = word, self.mover
        self.calls.append((self.mover, word))
