"""One deal for two, three or four players, from the first call to the last trick.

A deal goes through some of these phases: agree (to raspas without an auction), dark (look, or pass
in the dark), auction, pass_along, discard, contract, whist, dealer_whist, catch, open, card,
points, and done.
"""

from typing import Any

from .auction import Auction
from .cards import (
    DEALER,
    HANDS,
    MISERE,
    PACK,
    Conventions,
    is_misere,
    is_without_talon,
    level_of,
    pair_choices,
    sort_cards,
    trump_of,
)
from .dummy import dummy_hand, lowest_card, seats_of
from .play import Play
from .talon import PassAlong, contracts_after, quick_tricks
from .whist import D1, D2, LoneDefender, WhistCalls, defenders_of, is_checked_ten


class NaiveDeal:
    """A deal in progress: `legal()` lists what `mover` may do, `apply(action)` does it.

    `hands` are three lists of ten cards, numbered in turn order from the eldest hand; `talon` holds
    two cards, the first of which is turned first at talon-led raspas; `raspas_index` counts the
    raspas played since the last exit; `n` players sit at the table; `first_deal` tells the first
    deal of a pulka. Of four the dealer has no cards: he is mover or decider as number 3. Of two one
    hand is the `dummy`, and `seats` are the hands of the players, the eldest first. Public while
    playing: `phase`, `mover` (whose word or card it is), `decider` (who decides on it; None if
    nobody does), `hands` (what is still held), `declarer`, `contract`, and what the parts of the
    deal say: `auction`, `whist`, `passing`, `play`.
    """

    def __init__(
        self,
        conv: Conventions,
        hands: list[list[str]],
        talon: list[str],
        raspas_index: int,
        n: int = 3,
        first_deal: bool = False,
    ) -> None:
        assert [len(hand) for hand in hands] == [10, 10, 10] and len(talon) == 2
        assert sort_cards([*hands[0], *hands[1], *hands[2], *talon]) == PACK
        self.conv = conv
        self.n = n
        self.hands = [sort_cards(hand) for hand in hands]
        self.talon = list(talon)
        self.raspas_index = raspas_index
        self.dummy = dummy_hand(conv, n)
        self.seats = seats_of(conv, n)

        self.phase = ""
        self.mover: int | None = None
        self.agree_words: list[str] = []
        self.dark_pass = False
        self.auction = self._new_auction()
        self.passing: PassAlong | None = None
        self.declarer: int | None = None
        self.contract: str | None = None
        self.conceded = False
        self.discards: list[str] = []
        self.whist: WhistCalls | LoneDefender | None = None
        self.catch_words: list[str] = []
        self.catcher: int | None = None
        self.open_play = False
        self.open_is_asked = False
        self.play: Play | None = None
        self.points_are_asked = False
        self.off_mountain = False

        self._begin(first_deal)

    def _begin(self, first_deal: bool) -> None:
        """Ask who agrees to raspas, where that is done, before the cards are looked at."""
        agreed = self.conv["raspas.agreed"]
        if agreed == "any_deal" or (agreed == "first_deal" and first_deal):
            self._ask("agree", self.seats[0])
        else:
            self._begin_auction()

    def _new_auction(self) -> Auction:
        hands = [seat for seat in self.seats if seat != DEALER]
        return Auction(self.conv, self.raspas_index, self.dark_pass, hands)

    def _begin_auction(self) -> None:
        if self.conv["auction.dark_pass"]:
            self._ask("dark", self.seats[0])
        else:
            self._ask("auction", self.auction.mover)

    def _ask(self, phase: str, mover: int | None) -> None:
        self.phase = phase
        self.mover = mover

    # What everybody may ask

    @property
    def decider(self) -> int | None:
        """Who decides for the mover: somebody else may play his cards."""
        if self.phase in ["open", "card"]:
            assert self.mover is not None
            return self.who_plays(self.mover)
        return self.mover

    def who_plays(self, hand: int) -> int | None:
        """In open play the lone whister plays both defending hands, at misere the catcher does.

        The dummy is played by the defender, or by nobody.
        """
        if hand == self.dummy:
            return self.defender() if self._is_dummy_taken() else None
        if hand in self.hands_face_up():
            if self.open_play:
                return self.whisters()[0]
            if self.catcher is not None:
                return self.catcher
        return DEALER if hand == self.taken else hand

    def defender(self) -> int:
        """Of two players he who does not declare."""
        return next(seat for seat in self.seats if seat != self.declarer)

    def _is_dummy_taken(self) -> bool:
        """Whether the defender plays the dummy: open, at misere, and at a ten that is checked."""
        if self.contract is None or self.conceded:
            return False
        checked = is_checked_ten(self.conv, self.contract)
        return self.open_play or checked or is_misere(self.contract)

    @property
    def taken(self) -> int | None:
        """The hand with which the dealer whists."""
        return self.whist.taken if self.whist else None

    def whisters(self) -> list[int]:
        """List who whists, in the end."""
        return self.whist.whisters() if self.whist else []

    @property
    def trick(self) -> list[tuple[int, str]]:
        """The cards on the table, with the hands that played them."""
        return self.play.trick if self.play else []

    @property
    def past_tricks(self) -> list[list[tuple[int, str]]]:
        """The tricks that are finished."""
        return self.play.past_tricks if self.play else []

    @property
    def tricks(self) -> list[int]:
        """Tricks by seat; those of a hand that the dealer has taken are his.

        So are those of the dummy the defender's, if he plays it, or else nobody's.
        """
        counts = list(self.play.tricks) if self.play else [0, 0, 0, 0]
        if self.taken is not None:
            counts[DEALER], counts[self.taken] = counts[self.taken], 0
        if self.dummy is not None:
            owner = self.who_plays(self.dummy)
            if owner is not None:
                counts[owner] += counts[self.dummy]
            counts[self.dummy] = 0
        return counts[: max(self.n, len(HANDS))]

    def legal(self) -> list[str]:
        """Every legal action of `mover` in this phase; nothing once the deal is done."""
        words = {
            "agree": ["refuse", "agree"],
            "dark": ["look", "dark pass"],
            "open": self._ways_to_whist(),
            "catch": ["trust", "catch"],
            "points": ["pool", "off mountain"],
        }
        if self.phase in words:
            return words[self.phase]
        if self.phase == "auction":
            return self.auction.legal()
        if self.phase == "discard":
            return pair_choices(self.hands[self.declarer], self.discards)
        if self.phase == "contract":
            return contracts_after(self.conv, self.auction.bid)
        part = {
            "pass_along": self.passing,
            "whist": self.whist,
            "dealer_whist": self.whist,
            "card": self.play,
        }.get(self.phase)
        actions = part.legal() if part else []
        return actions if self.decider is not None else actions and [lowest_card(actions)]

    def _ways_to_whist(self) -> list[str]:
        """Closed or open; of two players the defender may have only one of both."""
        if self.dummy is None:
            return ["closed", "open"]
        ways = {"blind": "closed", "open": "open"}
        return [ways[way] for way in ways if way in self.conv["dummy.defence"]]

    def apply(self, action: str) -> None:
        """Carry out one legal action of `mover`."""
        assert action in self.legal(), f"{action} is not legal: {self.legal()}"
        getattr(self, f"_apply_{self.phase}")(action)

    # Before the cards are played

    def _apply_agree(self, word: str) -> None:
        """The first refusal opens the deal as usual; if all agree there is no auction.

        The dealer of four has no cards and is not asked.
        """
        self.agree_words.append(word)
        dealt = self.auction.hands
        if word == "refuse":
            self._begin_auction()
        elif len(self.agree_words) < len(dealt):
            self.mover = dealt[len(self.agree_words)]
        else:
            self._start_raspas()

    def _apply_dark(self, action: str) -> None:
        self.dark_pass = action == "dark pass"
        self.auction = self._new_auction()
        self._ask("auction", self.auction.mover)

    def _apply_auction(self, call: str) -> None:
        self.auction.apply(call)
        if not self.auction.over:
            self.mover = self.auction.mover
        elif self.auction.bid is None:
            self._start_raspas()
        else:
            self.declarer = self.auction.bidder
            self._start_contract()

    def raspas_rule(self) -> str:
        """What becomes of the talon at raspas."""
        names = {2: "raspas.talon_two", 3: "raspas.talon", 4: "raspas.talon_four"}
        return self.conv[names[self.n]]

    def _start_raspas(self) -> None:
        if self.dummy is not None and self.conv["dummy.raspas"] == "no_raspas":
            self._finish()
        elif self.raspas_rule() == "pass_along":
            self.passing = PassAlong(self.hands, self.talon)
            self._ask("pass_along", self.passing.mover)
        else:
            self._start_play()

    def _apply_pass_along(self, card: str) -> None:
        self.passing.apply(card)
        if self.passing.over:
            self._start_play()
        else:
            self.mover = self.passing.mover

    def _start_contract(self) -> None:
        """Turn the talon up for everyone, at misere too, unless the bid is without it."""
        self.mover = self.declarer
        if not is_without_talon(self.auction.bid):
            self.hands[self.declarer] = sort_cards(self.hands[self.declarer] + self.talon)
            self.phase = "discard"
        elif is_misere(self.auction.bid):
            self._start_misere()
        else:
            self.phase = "contract"

    def _apply_discard(self, card: str) -> None:
        self.hands[self.declarer].remove(card)
        self.discards.append(card)
        if len(self.discards) == 2:
            if self.auction.bid == MISERE:
                self._start_misere()
            else:
                self.phase = "contract"

    def _apply_contract(self, action: str) -> None:
        if action == "concede":
            self.contract = self.auction.bid
            self.conceded = True
            self._finish()
            return
        self.contract = action
        if self.dummy is None:
            self.whist = WhistCalls(self.conv, self.contract, self.declarer, self.n)
        else:
            self.whist = LoneDefender(self.conv, self.contract, self.defender())
        self._go_on_whisting()

    def _apply_whist(self, word: str) -> None:
        self.whist.apply(word)
        self._go_on_whisting()

    _apply_dealer_whist = _apply_whist

    def _go_on_whisting(self) -> None:
        """Ask for the next word, or for open or closed play, or play, or end the deal."""
        if not self.whist.over:
            dealer = self.whist.mover == DEALER
            self._ask("dealer_whist" if dealer else "whist", self.whist.mover)
        elif not self.whisters():
            self._ask_for_points()
        elif self._is_open_to_ask() and self._is_asked_before_the_lead():
            self._ask_for_open()
        else:
            self._start_play()

    def _is_open_to_ask(self) -> bool:
        """Whether a lone whister has still to say if he plays open or closed."""
        checked = is_checked_ten(self.conv, self.contract)
        return len(self.whisters()) == 1 and not self.open_is_asked and not checked

    def _is_asked_before_the_lead(self) -> bool:
        """He says so first, or after a first card that is dark, which is not the dummy's."""
        return not self.conv["whist.first_card_dark"] or self.dummy == 0

    def _ask_for_open(self) -> None:
        """Ask the lone whister; the dealer is asked for the hand he has taken."""
        self._ask("open", self.whisters()[0] if self.taken is None else self.taken)

    def _apply_open(self, action: str) -> None:
        self.open_is_asked = True
        self.open_play = action == "open"
        if self.play is None:
            self._start_play()
        else:
            self.play.in_play = self.hands_in_play()
            self._ask("card", self.play.mover)

    def _start_misere(self) -> None:
        self.contract = self.auction.bid
        if self.conv["misere.defence"] == "catch_or_trust" and self.dummy is None:
            self._ask("catch", defenders_of(self.declarer)[D1])
        else:
            self._start_play()

    def _apply_catch(self, word: str) -> None:
        """Who trusts leaves both hands to the other; if both catch, each plays his own."""
        defenders = defenders_of(self.declarer)
        self.catch_words.append(word)
        if word == "trust":
            self.catcher = defenders[D2] if self.mover == defenders[D1] else defenders[D1]
            self._start_play()
        elif self.mover == defenders[D1]:
            self.mover = defenders[D2]
        else:
            self._start_play()

    # Card play and the end

    def _start_play(self) -> None:
        rule = self.raspas_rule() if self.declarer is None else "closed"
        wins = rule in ["dealer_plays", "may_win"]
        leading = self.talon if wins or rule == "suit_only" else []
        trump = trump_of(self.contract)
        in_play = self.hands_in_play()
        self.play = Play(self.conv, self.hands, trump, leading, wins, in_play)
        self._ask("card", self.play.mover)

    def hands_in_play(self) -> list[int]:
        """The hands that play cards: the dummy may be out."""
        return list(HANDS) if self._dummy_plays() else list(self.seats)

    def _dummy_plays(self) -> bool:
        """The dummy plays for the defender, or its lowest card for nobody, or not at all.

        Before he has said whether he opens it, it may still play.
        """
        if self.declarer is None:
            return self.conv["dummy.raspas"] == "lowest" or self.dummy is None
        may_still = self._is_open_to_ask() or self._is_dummy_taken()
        return self.dummy is None or may_still or self.conv["dummy.blind"] == "lowest"

    def _apply_card(self, card: str) -> None:
        self.play.apply(card)
        self.mover = self.play.mover
        if self.play.over:
            self._ask_for_points()
        elif self._is_open_to_ask():
            self._ask_for_open()  # after the first card, which was dark

    def _may_write_off(self) -> bool:
        """Whether the declarer's points could go off his mountain: unwhisted, or a made misere."""
        if self.conv["values.off_mountain_instead"] == 0 or self.declarer is None:
            return False
        if is_misere(self.contract):
            return self.tricks[self.declarer] == 0
        return set(self.whist.parts.values()) == {"pass"}

    def _ask_for_points(self) -> None:
        if self._may_write_off():
            self.points_are_asked = True
            self._ask("points", self.declarer)
        else:
            self._finish()

    def _apply_points(self, action: str) -> None:
        self.off_mountain = action == "off mountain"
        self._finish()

    def _finish(self) -> None:
        self._ask("done", None)

    def kind(self) -> str:
        """Return "raspas", "tricks" or "misere"."""
        if self.declarer is None:
            return "raspas"
        return "misere" if is_misere(self.contract) else "tricks"

    def result(self) -> dict[str, Any]:
        """What the scorer needs to know of a finished deal, by seat; `seats` are the players'."""
        assert self.phase == "done"
        return {
            "kind": self.kind(),
            "seats": list(self.seats),
            "declarer": self.declarer,
            "contract": self.contract,
            "level": None if self.contract is None else level_of(self.contract),
            "without_talon": is_without_talon(self.contract),
            "tricks": self.tricks,
            "whist": dict(self.whist.parts) if self.whist else {},
            "last_whister": self.whist.last_whister if self.whist else None,
            "conceded": self.conceded,
            "played": self.play is not None,
            "open": self.open_play,
            "raspas_index": self.raspas_index,
            "dark_pass": self.dark_pass and self.declarer is None,
            "off_mountain": self.off_mountain,
            "talon_units": quick_tricks(self.talon) if self.discards else 0,
        }

    # Who sees what

    def hands_face_up(self) -> list[int]:
        """The defenders' hands in open play, at misere and at a ten that is only checked.

        The dummy alone, where it is turned up before the defender is asked.
        """
        early = self.dummy is not None and self.conv["dummy.opened"] == "before_whist"
        alone = [self.dummy] if early and self.whist is not None else []
        if self.play is None or self.declarer is None:
            return alone
        if is_misere(self.contract):
            return defenders_of(self.declarer) if self._is_misere_open() else []
        if self.open_play or is_checked_ten(self.conv, self.contract):
            return defenders_of(self.declarer)
        return alone

    def _is_misere_open(self) -> bool:
        """Before the first lead, or after it if it is the declarer's, or after the first trick.

        Of two players the defender cannot choose the dummy's card without seeing it.
        """
        if self.conv["misere.first_trick_dark"] and self.dummy is None:
            return len(self.past_tricks) > 0
        return self.declarer != self.play.in_play[0] or len(self.play.cards_played()) > 0

    def talon_face_up(self) -> list[str]:
        """The talon cards everybody has seen."""
        if self.declarer is not None:
            return [] if is_without_talon(self.auction.bid) else list(self.talon)
        if self.play is not None:
            return self.play.leading[: len(self.past_tricks) + 1]
        return []

    def put_away(self, seat: int) -> list[str]:
        """The cards this player discarded, gave to the next hand or laid away."""
        if seat == self.declarer:
            return list(self.discards)
        return list(self.passing.given[seat]) if self.passing and seat in HANDS else []

    def received(self, seat: int) -> list[str]:
        """The cards this player was given when cards were passed along; of first hand the talon."""
        return list(self.passing.received[seat]) if self.passing and seat in HANDS else []

    def visible(self, seat: int) -> set[str]:
        """All cards that the player of a seat has seen up to this moment."""
        known = set(self.talon_face_up())
        if self.play is not None:
            known |= set(self.play.cards_played())
        for other in self.hands_face_up():
            known |= set(self.hands[other])
        own = self.taken if seat == DEALER else seat
        in_the_dark = self.phase == "agree" or (self.phase == "dark" and own == self.seats[0])
        if own is not None and not in_the_dark:
            known |= set(self.hands[own])
        return known | set(self.put_away(seat)) | set(self.received(seat))
