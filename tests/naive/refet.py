"""One deal of the refet game (рефет) for three or four, from the first call to the last trick.

A deal goes through some of these phases: bidding, suit (of several games), discard, contract, come,
contra, card, and done.
"""

from typing import Any

from .cards import DEALER, HANDS, PACK, Conventions, pair_choices, sort_cards
from .refet_auction import (
    BASES,
    SUIT_CONTRACTS,
    RefetAuction,
    SuitCalls,
    contracts,
    is_number,
)
from .refet_follow import (
    ALL_PLAY,
    ContraCalls,
    FollowCalls,
    followers_of,
    is_plain_spades,
    who_may_contra,
)
from .refet_play import RefetPlay


class RefetDeal:
    """A deal in progress: `legal()` lists what `mover` may do, `apply(action)` does it.

    `hands` are three lists of ten cards, numbered in turn order from the hand after the dealer; of
    four players the dealer has no cards, and his seat is number 3. Everybody plays his own cards.
    Public while playing: `phase`, `mover`, `hands` (what is still held), `declarer`, `contract`,
    `from_hand` (igra), and what the parts of the deal say: `auction`, `suits`, `follow`, `contra`,
    `play`.
    """

    def __init__(
        self, conv: Conventions, hands: list[list[str]], talon: list[str], n: int = 3
    ) -> None:
        assert [len(hand) for hand in hands] == [10, 10, 10] and len(talon) == 2
        assert sort_cards([*hands[0], *hands[1], *hands[2], *talon]) == PACK
        self.conv = conv
        self.n = n
        self.seats = [*HANDS, DEALER][:n]
        self.hands = [sort_cards(hand) for hand in hands]
        self.talon = list(talon)
        self.auction = RefetAuction(conv)
        self.suits: SuitCalls | None = None
        self.declarer: int | None = None
        self.contract: str | None = None
        self.from_hand = False
        self.discards: list[str] = []
        self.follow: FollowCalls | None = None
        self.contra: ContraCalls | None = None
        self.play: RefetPlay | None = None
        self._ask("bidding", self.auction.mover)

    def _ask(self, phase: str, mover: int | None) -> None:
        self.phase = phase
        self.mover = mover

    def legal(self) -> list[str]:
        """Every legal action of `mover` in this phase; nothing once the deal is done."""
        if self.phase == "discard":
            return pair_choices(self.hands[self.declarer], self.discards)
        if self.phase == "contract":
            return self._contracts_to_name()
        part = {
            "bidding": self.auction,
            "suit": self.suits,
            "come": self.follow,
            "contra": self.contra,
            "card": self.play,
        }.get(self.phase)
        return part.legal() if part else []

    def apply(self, action: str) -> None:
        """Carry out one legal action of `mover`."""
        assert action in self.legal(), f"{action} is not legal: {self.legal()}"
        getattr(self, f"_apply_{self.phase}")(action)

    # Until the contract is named

    def _apply_bidding(self, call: str) -> None:
        auction = self.auction
        auction.apply(call)
        if not auction.over:
            self.mover = auction.mover
        elif auction.bid is None:
            self._ask("done", None)
        elif auction.suit_callers():
            self.suits = SuitCalls(auction.suit_callers())
            self._ask("suit", self.suits.mover)
        else:
            self.declarer = auction.bidder
            self._start_contract(auction.bid)

    def _apply_suit(self, word: str) -> None:
        self.suits.apply(word)
        if self.suits.over:
            self.declarer = self.suits.winner
            self.from_hand = True
            self._name(self.suits.best)
        else:
            self.mover = self.suits.mover

    def _start_contract(self, bid: str) -> None:
        """A number takes the talon; a game plays its own ten cards, and its talon stays unseen."""
        self.from_hand = not is_number(bid)
        if bid == "game":
            self._ask("contract", self.declarer)
        elif self.from_hand:
            self._name(bid.removeprefix("game "))
        else:
            self.hands[self.declarer] = sort_cards(self.hands[self.declarer] + self.talon)
            self._ask("discard", self.declarer)

    def _apply_discard(self, card: str) -> None:
        self.hands[self.declarer].remove(card)
        self.discards.append(card)
        if len(self.discards) == 2:
            self._ask("contract", self.declarer)

    def _contracts_to_name(self) -> list[str]:
        """Of a game any suit; of a number what is worth as much or more."""
        if self.from_hand:
            return list(SUIT_CONTRACTS)
        return [name for name in contracts(self.conv) if BASES[name] >= int(self.auction.bid)]

    def _apply_contract(self, contract: str) -> None:
        self._name(contract)

    # Who plays

    def _name(self, contract: str) -> None:
        """Against betl and preferans both play; else they are asked."""
        self.contract = contract
        if contract in ALL_PLAY:
            self._ask_for_contra(followers_of(self.declarer))
        else:
            self.follow = FollowCalls(self.conv, self.declarer, contract, self.from_hand)
            self._ask("come", self.follow.mover)

    def _apply_come(self, word: str) -> None:
        self.follow.apply(word)
        if not self.follow.over:
            self.mover = self.follow.mover
        elif not self.follow.came():
            self._ask("done", None)
        elif self.follow.inviter is not None:
            self._start_play()
        else:
            came = self.follow.came()
            self._ask_for_contra(who_may_contra(self.conv, came, self.follow.followers))

    def _ask_for_contra(self, askers: list[int]) -> None:
        self.contra = ContraCalls(self.conv, self.declarer, askers)
        self._go_on_doubling()

    def _apply_contra(self, word: str) -> None:
        self.contra.apply(word)
        self._go_on_doubling()

    def _go_on_doubling(self) -> None:
        plain = is_plain_spades(self.conv, self.contract, self.from_hand)
        if not self.contra.over:
            self._ask("contra", self.contra.mover)
        elif plain and self.contra.level == 0:
            self._ask("done", None)
        else:
            self._start_play()

    def hands_that_play(self) -> list[int]:
        """All, but for a follower who did not come and was not drawn in by contra or invited."""
        doubled = self.contra is not None and self.contra.level > 0
        if self.follow is None or doubled or self.follow.inviter is not None:
            return list(HANDS)
        return [hand for hand in HANDS if hand in [self.declarer, *self.follow.came()]]

    # Card play and the end

    def _start_play(self) -> None:
        in_play = self.hands_that_play()
        self.play = RefetPlay(self.conv, self.hands, self.contract, self.declarer, in_play)
        self._ask("card", self.play.mover)

    def _apply_card(self, card: str) -> None:
        self.play.apply(card)
        if self.play.over:
            self._ask("done", None)
        else:
            self.mover = self.play.mover

    def parts(self) -> dict[int, str]:
        """What each follower ended as: he comes, stays away, or was invited."""
        if self.declarer is None:
            return {}
        if self.follow is None:
            return dict.fromkeys(followers_of(self.declarer), "comes")
        came = self.follow.came()
        away = "stays" if self.follow.inviter is None else "invited"
        return {hand: "comes" if hand in came else away for hand in self.follow.followers}

    def result(self) -> dict[str, Any]:
        """What the scorer needs to know of a finished deal, by seat; of no play no tricks."""
        assert self.phase == "done"
        return {
            "declarer": self.declarer,
            "contract": self.contract,
            "from_hand": self.from_hand,
            "parts": self.parts(),
            "contra": self.contra.level if self.contra else 0,
            "contra_by": self.contra.by if self.contra else None,
            "tricks": list(self.play.tricks) if self.play else None,
        }

    # What all hear and see

    def leader_of_auction(self) -> int | None:
        """Who has the standing call, of several games the highest suit named so far."""
        named = self.suits is not None and self.suits.winner is not None
        return self.suits.winner if named else self.auction.bidder

    def hands_face_up(self) -> list[int]:
        """At some tables the declarer of betl lays his hand open before the first lead."""
        is_open = self.contract == "betl" and self.conv["betl.open"]
        return [self.declarer] if is_open and self.play is not None else []

    def talon_face_up(self) -> list[str]:
        """The talon that is taken is shown, but not at all tables (берут втёмную)."""
        taken = self.declarer is not None and not self.from_hand
        return list(self.talon) if taken and self.conv["bidding.talon_shown"] else []

    def put_away(self, seat: int) -> list[str]:
        """The cards this player discarded."""
        return list(self.discards) if seat == self.declarer else []

    def visible(self, seat: int) -> set[str]:
        """All cards that the player of a seat has seen up to this moment."""
        known = set(self.talon_face_up()) | set(self.put_away(seat))
        if self.play is not None:
            known |= set(self.play.cards_played())
        for hand in {seat, *self.hands_face_up()} - {DEALER}:
            known |= set(self.hands[hand])
        return known
