"""One deal for three players, from the first call of the auction to the last trick."""

from typing import Any

from .cards import (
    LADDER,
    MISERE,
    PACK,
    by_index,
    level_of,
    next_hand,
    rank_of,
    sort_cards,
    suit_of,
    trump_of,
)

Conventions = dict[str, Any]

# D1 is the defender next clockwise from the declarer, D2 the other one.
D1, D2 = 0, 1

# What the defenders end up as, D1 and D2, by all the words said (Code of Preferans 3.8).
WHIST_ENDINGS: dict[tuple[str, ...], tuple[str, str]] = {
    ("whist", "whist"): ("whist", "whist"),
    ("whist", "pass"): ("whist", "pass"),
    ("whist", "pass", "whist"): ("whist", "pass"),
    ("whist", "pass", "half", "whist"): ("pass", "whist"),
    ("whist", "pass", "half", "pass"): ("half", "pass"),
    ("pass", "whist"): ("pass", "whist"),
    ("pass", "pass"): ("pass", "pass"),
    ("pass", "half", "whist"): ("whist", "pass"),
    ("pass", "half", "pass"): ("pass", "half"),
    ("pass", "pass", "whist"): ("whist", "pass"),
    ("pass", "pass", "pass"): ("pass", "pass"),
}


class NaiveDeal:
    """A deal in progress: `legal()` lists what `mover` may do, `apply(action)` does it.

    `hands` are three lists of ten cards, numbered in turn order from the eldest hand; `talon` holds
    two cards, the first of which is turned first at talon-led raspas; `raspas_index` counts the
    raspas played since the last exit. Public while playing: `phase` ("auction", "discard",
    "contract", "whist", "open", "card", "done"), `mover`, `decider`, `hands` (what is still held),
    `declarer`, `contract`, `tricks`.
    """

    def __init__(
        self, conv: Conventions, hands: list[list[str]], talon: list[str], raspas_index: int
    ) -> None:
        assert [len(hand) for hand in hands] == [10, 10, 10] and len(talon) == 2
        assert sort_cards([*hands[0], *hands[1], *hands[2], *talon]) == PACK
        self.conv = conv
        self.hands = [sort_cards(hand) for hand in hands]
        self.talon = list(talon)
        self.raspas_index = raspas_index

        self.phase = "auction"
        self.mover: int | None = 0
        self.calls: list[tuple[int, str]] = []
        self.passed: list[int] = []
        self.bid: str | None = None
        self.bidder: int | None = None

        self.declarer: int | None = None
        self.contract: str | None = None
        self.conceded = False
        self.discards: list[str] = []

        self.whist_calls: list[tuple[int, str]] = []
        self.whist: dict[int, str] = {}
        self.open_play = False

        self.trick: list[tuple[int, str]] = []
        self.past_tricks: list[list[tuple[int, str]]] = []
        self.tricks = [0, 0, 0]

    # What everybody may ask

    @property
    def decider(self) -> int | None:
        """The hand whose player decides: in open play the lone whister plays both defenders."""
        if self.phase == "card" and self.open_play and self.mover != self.declarer:
            return self._whisters()[0]
        return self.mover

    def legal(self) -> list[str]:
        """Every legal action of `mover` in this phase; nothing once the deal is done."""
        if self.phase == "auction":
            return self._legal_calls()
        if self.phase == "discard":
            return self._legal_discards()
        if self.phase == "contract":
            return self._legal_contracts()
        if self.phase == "whist":
            return self._legal_whist_words()
        if self.phase == "open":
            return ["closed", "open"]
        if self.phase == "card":
            return self._legal_cards()
        return []

    def apply(self, action: str) -> None:
        """Carry out one legal action of `mover`."""
        assert action in self.legal(), f"{action} is not legal: {self.legal()}"
        if self.phase == "auction":
            self._apply_call(action)
        elif self.phase == "discard":
            self._apply_discard(action)
        elif self.phase == "contract":
            self._apply_contract(action)
        elif self.phase == "whist":
            self._apply_whist_word(action)
        elif self.phase == "open":
            self.open_play = action == "open"
            self._start_play()
        else:
            self._apply_card(action)

    def visible(self, hand: int) -> set[str]:
        """All cards whose place the player of `hand` may know at this moment."""
        known = set(self.hands[hand]) | set(self._cards_played())
        for other in self._hands_face_up():
            known |= set(self.hands[other])
        known |= set(self._talon_face_up())
        if hand == self.declarer:
            known |= set(self.discards)
        return known

    def result(self) -> dict[str, Any]:
        """What the scorer needs to know of a finished deal."""
        assert self.phase == "done"
        return {
            "kind": self._kind(),
            "declarer": self.declarer,
            "contract": self.contract,
            "level": None if self.contract is None else level_of(self.contract),
            "tricks": list(self.tricks),
            "whist": dict(self.whist),
            "last_whister": self._last_whister(),
            "conceded": self.conceded,
            "played": len(self.past_tricks) == 10,
            "open": self.open_play,
            "raspas_index": self.raspas_index,
        }

    # Auction: first hand begins, a pass is final, each bid outranks the standing one

    def _legal_calls(self) -> list[str]:
        calls = ["pass"]
        if self._may_hold():
            calls.append("hold")
        return calls + self._open_bids()

    def _calls_of(self, hand: int) -> list[str]:
        return [call for caller, call in self.calls if caller == hand]

    def _is_bound_by_misere(self, hand: int) -> bool:
        """Whether the hand bid a misere that forbids it any further bid."""
        first_word = self.conv["auction.misere"] == "first_word"
        return first_word and MISERE in self._calls_of(hand)

    def _may_hold(self) -> bool:
        """Hold: two bidders are left, the senior of them takes over the junior's bid."""
        if self.conv["auction.hold"] == "off" or self.bid is None or self.bid == MISERE:
            return False
        if self._is_bound_by_misere(self.mover):
            return False
        return len(self.passed) == 1 and self.mover < self.bidder

    def _open_bids(self) -> list[str]:
        if self._is_bound_by_misere(self.mover):
            return []
        bids = [bid for bid in LADDER if self._is_higher(bid) and self._is_allowed(bid)]
        return bids if self.conv["auction.jumps"] else bids[:1]

    def _is_higher(self, bid: str) -> bool:
        return self.bid is None or LADDER.index(bid) > LADDER.index(self.bid)

    def _is_allowed(self, bid: str) -> bool:
        """Test the lowest level after raspas, and when misere may be said at all."""
        lowest = by_index(self.conv["raspas.exit_levels"], self.raspas_index)
        if bid != MISERE:
            return level_of(bid) >= lowest
        if self.conv["auction.misere"] == "first_word" and self._calls_of(self.mover):
            return False
        return lowest <= 8

    def _apply_call(self, call: str) -> None:
        self.calls.append((self.mover, call))
        if call == "pass":
            self.passed.append(self.mover)
        else:
            self.bidder = self.mover
            if call != "hold":
                self.bid = call
        if len(self.passed) == 3:
            self._start_play()
        elif len(self.passed) == 2 and self.bid is not None:
            self._start_discard()
        else:
            self.mover = next_hand(self.mover)
            while self.mover in self.passed:
                self.mover = next_hand(self.mover)

    # Talon, discard, contract

    def _start_discard(self) -> None:
        """Turn the talon up for everyone; the declarer takes it, at misere too."""
        self.declarer = self.bidder
        self.mover = self.declarer
        self.hands[self.declarer] = sort_cards(self.hands[self.declarer] + self.talon)
        self.phase = "discard"

    def _legal_discards(self) -> list[str]:
        """The lower card of the pair first, so that each pair can be said in one way only."""
        held = self.hands[self.declarer]
        if not self.discards:
            return held[:-1]
        first = self.discards[0]
        return [card for card in held if PACK.index(card) > PACK.index(first)]

    def _apply_discard(self, card: str) -> None:
        self.hands[self.declarer].remove(card)
        self.discards.append(card)
        if len(self.discards) == 2:
            if self.bid == MISERE:
                self.contract = MISERE
                self._start_play()
            else:
                self.phase = "contract"

    def _legal_contracts(self) -> list[str]:
        """Any contract not below the winning bid, never a misere; or the concession."""
        contracts = [c for c in LADDER[LADDER.index(self.bid) :] if c != MISERE]
        if self.conv["contract.concession"]:
            contracts.append("concede")
        return contracts

    def _apply_contract(self, action: str) -> None:
        if action == "concede":
            self.contract = self.bid
            self.conceded = True
            self._finish()
            return
        self.contract = action
        forced = self.conv["whist.stalingrad"] and self.contract == "6S"
        if forced or self._is_checked_ten():
            self.whist = {hand: "whist" for hand in self._defenders()}
            self._start_play()
        else:
            self.phase = "whist"
            self.mover = self._defenders()[D1]

    def _is_checked_ten(self) -> bool:
        """A ten that is only checked: no whist calls, the defenders lay their hands open."""
        if self.contract is None or self.conv["whist.ten"] != "checked":
            return False
        return level_of(self.contract) == 10

    # Whist

    def _defenders(self) -> list[int]:
        """D1 and D2: the hands next clockwise from the declarer."""
        first = next_hand(self.declarer)
        return [first, next_hand(first)]

    def _words(self) -> tuple[str, ...]:
        return tuple(word for _, word in self.whist_calls)

    def _has_half_whist(self) -> bool:
        return level_of(self.contract) in self.conv["whist.half_levels"]

    def _next_whist_turn(self) -> tuple[int, list[str]] | None:
        """Who speaks next (D1 or D2) and with which words; None when the calls are over."""
        words = self._words()
        if words == ():
            return D1, ["pass", "whist"]
        if words == ("whist",):
            return D2, ["pass", "whist"]
        if words == ("pass",):
            return D2, ["pass", "whist"] + (["half"] if self._has_half_whist() else [])
        if words == ("whist", "pass") and self.conv["whist.long"] and self._has_half_whist():
            return D1, ["whist", "half"]
        if words == ("whist", "pass", "half"):
            return D2, ["pass", "whist"]
        if words == ("pass", "half"):
            return D1, ["pass", "whist"]
        high = level_of(self.contract) >= 8
        if words == ("pass", "pass") and high and self.conv["whist.return_on_high"]:
            return D1, ["pass", "whist"]
        return None

    def _legal_whist_words(self) -> list[str]:
        turn = self._next_whist_turn()
        assert turn is not None
        return turn[1]

    def _apply_whist_word(self, word: str) -> None:
        self.whist_calls.append((self.mover, word))
        turn = self._next_whist_turn()
        if turn is not None:
            self.mover = self._defenders()[turn[0]]
            return
        statuses = WHIST_ENDINGS[self._words()]
        self.whist = dict(zip(self._defenders(), statuses, strict=True))
        whisters = self._whisters()
        if len(whisters) == 0:
            self._finish()
        elif len(whisters) == 1:
            self.phase = "open"
            self.mover = whisters[0]
        else:
            self._start_play()

    def _whisters(self) -> list[int]:
        return [hand for hand, status in self.whist.items() if status == "whist"]

    def _last_whister(self) -> int | None:
        said = [hand for hand, word in self.whist_calls if word == "whist"]
        return said[-1] if said else None

    # Card play: first hand leads to the first trick of every game

    def _kind(self) -> str:
        if self.declarer is None:
            return "raspas"
        return "misere" if self.contract == MISERE else "tricks"

    def _start_play(self) -> None:
        self.phase = "card"
        self.mover = 0

    def _finish(self) -> None:
        self.phase = "done"
        self.mover = None

    def _is_talon_led(self) -> bool:
        """Whether this is a raspas whose first two tricks follow the talon cards."""
        return self.declarer is None and self.conv["raspas.talon"] == "suit_only"

    def _talon_card_led(self) -> str | None:
        """The talon card that names the suit of this trick."""
        if self._is_talon_led() and len(self.past_tricks) < 2:
            return self.talon[len(self.past_tricks)]
        return None

    def _suit_to_follow(self) -> str | None:
        led = self._talon_card_led()
        if led is not None:
            return suit_of(led)
        if self.trick:
            return suit_of(self.trick[0][1])
        return None

    def _legal_cards(self) -> list[str]:
        """Follow suit; without the suit a trump; without either any card (no need to beat)."""
        held = self.hands[self.mover]
        suit = self._suit_to_follow()
        if suit is None:
            return list(held)
        same = [card for card in held if suit_of(card) == suit]
        trumps = [card for card in held if suit_of(card) == trump_of(self.contract)]
        return same or trumps or list(held)

    def _apply_card(self, card: str) -> None:
        self.hands[self.mover].remove(card)
        self.trick.append((self.mover, card))
        if len(self.trick) < 3:
            self.mover = next_hand(self.mover)
            return
        winner = self._trick_winner()
        self.tricks[winner] += 1
        self.past_tricks.append(self.trick)
        self.trick = []
        self.mover = self._next_leader(winner)
        if len(self.past_tricks) == 10:
            self._finish()

    def _highest(self, suit: str | None) -> int | None:
        """Who played the highest card of a suit to this trick; None if nobody played it."""
        of_suit = [(rank_of(card), hand) for hand, card in self.trick if suit_of(card) == suit]
        return max(of_suit)[1] if of_suit else None

    def _trick_winner(self) -> int:
        led = self._talon_card_led()
        if led is not None:
            return self._talon_trick_winner(led)
        winner = self._highest(trump_of(self.contract))
        if winner is None:
            winner = self._highest(suit_of(self.trick[0][1]))
        assert winner is not None
        return winner

    def _talon_trick_winner(self, led: str) -> int:
        """The talon card itself never wins; if nobody has its suit a convention decides."""
        winner = self._highest(suit_of(led))
        if winner is None and self.conv["raspas.nobody_follows"] == "highest_of_first":
            winner = self._highest(suit_of(self.trick[0][1]))
        return 0 if winner is None else winner

    def _next_leader(self, winner: int) -> int:
        """The winner leads; at a talon-led raspas first hand begins tricks 2 and (usually) 3."""
        coming = len(self.past_tricks) + 1
        if self._is_talon_led() and coming == 2:
            return 0
        if self._is_talon_led() and coming == 3 and self.conv["raspas.third_lead"] == "first_hand":
            return 0
        return winner

    # Who sees what

    def _cards_played(self) -> list[str]:
        return [card for trick in [*self.past_tricks, self.trick] for _, card in trick]

    def _hands_face_up(self) -> list[int]:
        """The defenders' hands in open play, at misere and at a ten that is only checked."""
        if self.phase not in ["card", "done"] or self.declarer is None or self.conceded:
            return []
        if self.contract == MISERE:
            waits = self.declarer == 0 and not self._cards_played()
            return [] if waits else self._defenders()
        if self.open_play or self._is_checked_ten():
            return self._defenders()
        return []

    def _talon_face_up(self) -> list[str]:
        if self.declarer is not None:
            return list(self.talon)
        if self.phase in ["card", "done"] and self._is_talon_led():
            return self.talon[: len(self.past_tricks) + 1]
        return []
