"""The auction: the eldest begins, a pass is final, each bid outranks the standing one."""

from .cards import (
    HANDS,
    MISERE,
    MISERE_WITHOUT,
    Conventions,
    by_index,
    is_misere,
    ladder,
    level_of,
    next_hand,
)


class Auction:
    """An auction in progress among `hands`; `mover` is asked until it is `over`.

    If the eldest passed in the dark, before he saw his cards, the next begins.
    """

    def __init__(
        self, conv: Conventions, raspas_index: int, dark_pass: bool, hands: list[int] = HANDS
    ) -> None:
        self.conv = conv
        self.hands = hands
        self.ladder = ladder(conv)
        self.lowest = 6
        if conv["raspas.exit_is_min_bid"]:
            self.lowest = by_index(conv["raspas.exit_levels"], raspas_index)
        self.calls: list[tuple[int, str]] = []
        self.passed: list[int] = hands[:1] if dark_pass else []
        self.bid: str | None = None
        self.bidder: int | None = None
        self.over = False
        self.mover = hands[1 if dark_pass else 0]

    def legal(self) -> list[str]:
        """Pass, perhaps hold, and the bids."""
        return ["pass", *self._hold(), *self._bids()]

    def _hold(self) -> list[str]:
        """Hold («здесь»): of the last two bidders the senior takes over the junior's bid."""
        if self.conv["auction.hold"] == "off" or self.bid is None or is_misere(self.bid):
            return []
        two_are_left = len(self.passed) == len(self.hands) - 2
        senior = self.bidder is not None and self.mover < self.bidder
        bound = self._is_misere_binding() and any(map(is_misere, self._calls_of(self.mover)))
        return ["hold"] if two_are_left and senior and not bound else []

    def _bids(self) -> list[str]:
        bids = [bid for bid in self.ladder if self._is_higher(bid) and self._is_allowed(bid)]
        return bids if self.conv["auction.jumps"] else bids[:1]

    def _calls_of(self, hand: int) -> list[str]:
        return [call for caller, call in self.calls if caller == hand]

    def _is_misere_binding(self) -> bool:
        """Whether a misere must be the first word and is the last one (кабальный)."""
        return self.conv["auction.misere"] == "first_word"

    def _is_higher(self, bid: str) -> bool:
        return self.bid is None or self.ladder.index(bid) > self.ladder.index(self.bid)

    def _is_allowed(self, bid: str) -> bool:
        if self._is_misere_binding() and not self._is_unbound(bid):
            return False
        if is_misere(bid):
            return self.lowest <= 8
        return level_of(bid) >= self.lowest

    def _is_unbound(self, bid: str) -> bool:
        """Whether what the mover said before leaves him this bid, where misere is binding."""
        said = self._calls_of(self.mover)
        if MISERE_WITHOUT in said:
            return False
        if MISERE in said:
            return bid == MISERE_WITHOUT and self.conv["auction.misere_then_without_talon"]
        return not (said and is_misere(bid))

    def apply(self, call: str) -> None:
        """Say a call for the mover."""
        self.calls.append((self.mover, call))
        if call == "pass":
            self.passed.append(self.mover)
        else:
            self.bidder = self.mover
            if call != "hold":
                self.bid = call
        held = call == "hold" and self.conv["auction.hold"] == "ends_auction"
        left = [hand for hand in self.hands if hand not in self.passed]
        won = len(left) == 1 and self.bid is not None
        self.over = held or won or not left
        if not self.over:
            self.mover = next_hand(self.mover, left)
