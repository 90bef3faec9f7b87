"""The calls of the defenders: whist, pass, half-whist, and the dealer who whists with a hand.

With two players there is one defender, beside the dummy.
"""

from .cards import DEALER, Conventions, level_of, next_hand

# D1 is the defender next clockwise from the declarer, D2 the other one.
D1, D2 = 0, 1

# What the defenders end up as, D1 and D2, by all the words said (Code of Preferans 3.8).
WHIST_ENDINGS: dict[tuple[str, ...], tuple[str, str]] = {
    ("whist", "whist"): ("whist", "whist"),
    ("whist", "pass"): ("whist", "pass"),
    ("whist", "pass", "whist"): ("whist", "pass"),
    ("whist", "pass", "half", "whist"): ("half", "whist"),
    ("whist", "pass", "half", "pass"): ("half", "pass"),
    ("pass", "whist"): ("pass", "whist"),
    ("pass", "pass"): ("pass", "pass"),
    ("pass", "half", "whist"): ("whist", "half"),
    ("pass", "half", "pass"): ("pass", "half"),
    ("pass", "pass", "whist"): ("whist", "pass"),
    ("pass", "pass", "pass"): ("pass", "pass"),
}


def defenders_of(declarer: int) -> list[int]:
    """D1 and D2: the hands next clockwise from the declarer."""
    return [next_hand(declarer), next_hand(next_hand(declarer))]


def is_checked_ten(conv: Conventions, contract: str | None) -> bool:
    """A ten that is only checked: no whist calls, the defenders lay their hands open."""
    return contract is not None and conv["whist.ten"] == "checked" and level_of(contract) == 10


def is_forced(conv: Conventions, contract: str) -> bool:
    """Both defend without a question: six spades at Stalingrad, or a ten that is checked."""
    stalingrad = conv["whist.stalingrad"] and contract == "6S"
    return stalingrad or is_checked_ten(conv, contract)


class WhistCalls:
    """The whist calls over a contract for tricks; `mover` is asked until it is `over`.

    Then `parts` says what each defender ended as: "whist", "pass" or "half". A dealer of four who
    whists stands there instead of the hand he has `taken`.
    """

    def __init__(self, conv: Conventions, contract: str, declarer: int, n: int) -> None:
        self.conv = conv
        self.level = level_of(contract)
        self.defenders = defenders_of(declarer)
        self.dealer_may = n == 4 and conv["whist.dealer_may"]
        self.calls: list[tuple[int, str]] = []
        self.parts: dict[int, str] = {}
        self.taken: int | None = None
        self.last_whister: int | None = None
        self.over = False
        self.mover = self.defenders[D1]
        if is_forced(conv, contract):
            self.parts = dict.fromkeys(self.defenders, "whist")
            self.last_whister = self.defenders[D2]
            self.over = True

    def whisters(self) -> list[int]:
        """List who whists, in the end."""
        return [seat for seat, part in self.parts.items() if part == "whist"]

    def legal(self) -> list[str]:
        """Words of the mover; the dealer says with whose hand he whists."""
        if self.mover == DEALER:
            return ["pass", "first", "second"]
        turn = self._next_turn()
        assert turn is not None
        return turn[1]

    def apply(self, word: str) -> None:
        """Say a word for the mover."""
        if self.mover == DEALER:
            self._apply_dealers_word(word)
            return
        self.calls.append((self.mover, word))
        if word == "whist":
            self.last_whister = self.mover
        elif word == "half":
            self.last_whister = None
        turn = self._next_turn()
        if turn is not None:
            self.mover = self.defenders[turn[0]]
            return
        self.parts = self._ending()
        if not self.whisters() and self.dealer_may:
            self.mover = DEALER
        else:
            self.over = True

    def _words(self) -> tuple[str, ...]:
        return tuple(word for _, word in self.calls)

    def _next_turn(self) -> tuple[int, list[str]] | None:
        """Who speaks next (D1 or D2) and with which words; None when the calls are over."""
        words = self._words()
        half = self.level in self.conv["whist.half_levels"]
        if words == ():
            return D1, ["pass", "whist"]
        if words == ("whist",):
            return D2, ["pass", "whist"]
        if words == ("pass",) and half:
            both_may = self.conv["whist.both_may_pass"]
            return D2, ["pass", "whist", "half"] if both_may else ["whist", "half"]
        if words == ("pass",):
            return D2, ["pass", "whist"]
        if words == ("whist", "pass") and half and self.conv["whist.long"]:
            return D1, ["whist", "half"]
        if words == ("whist", "pass", "half"):
            return D2, ["pass", "whist"]
        if words == ("pass", "half"):
            return D1, ["pass", "whist"]
        if words == ("pass", "pass") and self.level >= 8 and self.conv["whist.return_on_high"]:
            return D1, ["pass", "whist"]
        return None

    def _ending(self) -> dict[int, str]:
        """A returned half-whist is a pass, unless he who returned it takes everything."""
        parts = dict(zip(self.defenders, WHIST_ENDINGS[self._words()], strict=True))
        returned = "whist" in parts.values()
        if returned and not self.conv["whist.returner_takes_all"]:
            parts = {hand: "pass" if part == "half" else part for hand, part in parts.items()}
        return parts

    def _apply_dealers_word(self, word: str) -> None:
        """The dealer plays a hand as his own: its owner is out, the other defender has passed."""
        self.over = True
        if word == "pass":
            return
        taken, other = self.defenders if word == "first" else reversed(self.defenders)
        self.taken = taken
        self.parts = {DEALER: "whist", other: "pass"}
        self.last_whister = DEALER


class LoneDefender:
    """The whist of two players: the only defender whists or passes, and nobody speaks after him.

    The attributes are those of `WhistCalls`. At Stalingrad's six spades he may not pass; a ten that
    is checked he defends without a question.
    """

    def __init__(self, conv: Conventions, contract: str, defender: int) -> None:
        self.calls: list[tuple[int, str]] = []
        self.parts: dict[int, str] = {}
        self.taken: int | None = None
        self.last_whister: int | None = None
        self.over = False
        self.mover = defender
        may_pass = "pass" in conv["dummy.defence"] and not is_forced(conv, contract)
        self._words = ["pass", "whist"] if may_pass else ["whist"]
        if is_checked_ten(conv, contract):
            self._end("whist")

    def whisters(self) -> list[int]:
        """The defender, if he whists."""
        return [seat for seat, part in self.parts.items() if part == "whist"]

    def legal(self) -> list[str]:
        """Words of the defender."""
        return list(self._words)

    def apply(self, word: str) -> None:
        """Say the defender's word."""
        self.calls.append((self.mover, word))
        self._end(word)

    def _end(self, part: str) -> None:
        self.parts = {self.mover: part}
        self.last_whister = self.mover if part == "whist" else None
        self.over = True
