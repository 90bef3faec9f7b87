"""Somebody who watches one deal and says what each player may know: no more and no less.

He is told the cards at the start and every call and card, keeps the public record by the rules in
plain Python, and expects the fields of the view from it. He is a referee too: a card that is not
legal is an error, and so is another card of a dummy for whom nobody decides than its lowest.
"""

from __future__ import annotations

from typing import Any

from scoring.contract import (
    MISERE,
    MISERE_GAME,
    MISERE_WITHOUT,
    NINE_WITHOUT,
    NO_TRUMP,
    RASPAS,
    TRICKS,
)
from scoring.sheet import SHEET_FIELDS
from scoring.variant import Variant
from sim.deals import unrank
from sim.state import (
    AGREE,
    AGREES,
    AUCTION,
    CARD,
    CATCH,
    CONCEDE,
    CONTRACT,
    DARK,
    DARK_PASS,
    DEALER_HAND,
    DEALER_WHIST,
    DISCARD,
    FIRST_BID,
    HOLD,
    OPEN,
    PASS,
    PASS_ALONG,
    PHASES,
    POINTS,
    REFUSE,
    ROW,
    TAKE_TALON,
    VIEW_DTYPE,
    WHIST,
)
from sim.table import Table

HANDS = range(3)
SHEET = tuple(str(field[0]) for field in SHEET_FIELDS)
UNWATCHED = {"phase", "mover", "legal", "random", "whist_stage", "whist_call", "last_whister"}
UNWATCHED |= {"best_key", "deal", "rules", "off_mountain", "concession"}
"""Fields of the view he has no word of: whose turn it is and what is legal, calls summed up, the
number of the deal, and what is decided last."""
IN_TRICK = ("trick", "leader", "led", "winner", "in_trick", "trick_card")
"""Fields that mean something while a card is asked for."""


class Witness:
    """Watches a deal that was just laid at a table of ``n`` players."""

    def __init__(self, variant: Variant, n: int, table: Table) -> None:
        self.rules = variant.conventions
        self.n = n
        self.dealer = int(table.view["dealer"])
        self.deal = int(table.view["deal"])
        self.dummy = -1
        self.players = [(self.dealer + 1 + hand) % n for hand in HANDS]
        if n == 2:
            self.dummy = ("first", "middle", "last").index(self.rules["dummy.seat"])
            self.players = [1 - self.dealer, self.dealer]
            self.players.insert(self.dummy, -1)
        self.razboinik = variant.family == "razboinik"
        self.sheet = {name: as_plain(table.view[name]) for name in SHEET}
        self.held = [int(hand) for hand in unrank(int(table.hidden["number"]))[:3]]
        self.talon = [int(card) for card in table.hidden["talon_order"]]
        self.turned: list[int] = []
        self.given, self.received = [0] * 3, [0] * 3
        self.calls: list[int] = []
        self.in_play = {0, 1, 2}
        self.active = {0, 1, 2} if self.razboinik else {0, 1, 2} - {self.dummy}
        self.bid = self.bidder = self.declarer = self.contract = self.taken = -1
        self.bids = [-1] * 3
        self.dark = self.opened = self.named = self.conceded = 0
        self.opener = self.catcher = self.row = -1
        self.plays: list[tuple[int, int]] = []
        self.voids = [0] * 3
        self.trick: list[tuple[int, int]] = []
        self.tricks = [0] * 4
        self.n_tricks = self.leader = 0
        if self.razboinik:
            eldest = self.rules["razboinik.declarer"] == "eldest"
            self.declarer = self.players.index(1 - self.dealer if eldest else self.dealer)
            if self.rules["razboinik.talon"] == "row_after":
                self._take_talon()

    # What happens

    def hear(self, phase: int, hand: int, action: int) -> None:
        """A call or a card."""
        if phase in (AGREE, DARK, AUCTION):
            assert phase == self._opening(), f"nobody is asked to {PHASES[phase]} now"
        if phase not in (CARD, DISCARD, PASS_ALONG, POINTS):
            self.calls.append(phase << 8 | hand << 6 | action)
        if phase == DARK and action == DARK_PASS:
            self.dark = 1
            self.active.discard(hand)
        elif phase == AGREE:
            agreed = [call & 63 for call in self.calls] == [AGREES] * len(self.active)
            if agreed:
                self._start_raspas()
        elif phase == AUCTION:
            self._hear_bid(hand, action)
        elif phase == ROW:
            self._hear_row(action)
        elif phase in (DISCARD, PASS_ALONG):
            self._lay_away(hand, action)
        elif phase == CONTRACT:
            self.contract = self.bid if action == CONCEDE else action
            self.conceded = action == CONCEDE
            self.named = 1
            self._drop_dead_dummy()
        elif phase == DEALER_WHIST and action:
            self.taken = (self.declarer + action) % 3
            self.players[self.taken] = self.dealer
        elif phase == OPEN:
            self.opened, self.opener = action, hand
            if not action and self.rules["dummy.blind"] == "dead":
                self.in_play.discard(self.dummy)
        elif phase == CATCH and action == 0:
            self.catcher = sum({0, 1, 2} - {self.declarer, hand})
        elif phase == CARD:
            self._play(hand, action)

    def _opening(self) -> int:
        """What is asked before there is a contract: to agree to raspas, to pass in the dark, to
        bid."""
        said = {call >> 8: call & 63 for call in self.calls}
        agreed = self.rules["raspas.agreed"]
        if DARK in said or AUCTION in said:
            return AUCTION
        if agreed == "any_deal" or (agreed == "first_deal" and self.deal == 0):
            if said.get(AGREE) != REFUSE:
                return AGREE
        return DARK if self.rules["auction.dark_pass"] else AUCTION

    def _hear_bid(self, hand: int, action: int) -> None:
        if action == PASS:
            self.active.discard(hand)
        else:
            self.bid = self.bid if action == HOLD else action - FIRST_BID
            self.bidder, self.bids[hand] = hand, self.bid
            if action == HOLD and self.rules["auction.hold"] == "ends_auction":
                self.active = {hand}
        if not self.active:
            self._start_raspas()
        elif self.bid >= 0 and len(self.active) == 1:
            self.declarer, self.contract = self.bidder, self.bid
            if not self.without_talon:
                self._take_talon()

    def _hear_row(self, action: int) -> None:
        if action != TAKE_TALON:
            self.row = action
            self.contract = MISERE if action == 5 else -1
        self._take_talon()

    def _take_talon(self) -> None:
        self.turned = list(self.talon)
        self.held[self.declarer] |= mask(self.talon)

    @property
    def known_what(self) -> bool:
        """Whether razboinik's declarer has named all there is to name."""
        laid = self.declarer >= 0 and self.given[self.declarer].bit_count() == 2
        return bool(self.named or (self.row == 5 and laid))

    def _drop_dead_dummy(self) -> None:
        """In razboinik a dead dummy is out of play once it is known what is played."""
        if self.razboinik and self.rules["razboinik.dummy"] == "dead":
            self.in_play.discard(self.dummy)

    def _start_raspas(self) -> None:
        if self.n == 2 and self.rules["dummy.raspas"] == "dead":
            self.in_play.discard(self.dummy)
        if self.raspas == "pass_along":
            self.received[0] = mask(self.talon)
            self.held[0] |= self.received[0]
        else:
            self._turn()

    def _turn(self) -> None:
        """At talon-led raspas a card of the talon is turned; the dealer of four plays it, and with
        two players it may count as played by nobody."""
        self.trick = []
        if self.leads_talon:
            card = self.talon[self.n_tricks]
            self.turned.append(card)
            if self.raspas in ("dealer_plays", "may_win"):
                self.trick = [(DEALER_HAND, card)]

    def _lay_away(self, hand: int, card: int) -> None:
        self.held[hand] &= ~(1 << card)
        self.given[hand] |= 1 << card
        if self.kind == MISERE_GAME and self.given[hand].bit_count() == 2:
            self._drop_dead_dummy()
        if self.declarer < 0 and hand < 2 and self.given[hand].bit_count() == 2:
            self.received[hand + 1] = self.given[hand]
            self.held[hand + 1] |= self.given[hand]

    def _play(self, hand: int, card: int) -> None:
        led = self.led
        assert card in self._legal_cards(hand), f"hand {hand} may not play {card}"
        self.leader = self.leads
        self.held[hand] &= ~(1 << card)
        self.plays.append((hand, card))
        self.trick.append((hand, card))
        suit = card // 8
        if led >= 0 and suit != led:
            self.voids[hand] |= 1 << led
            if self.strain != NO_TRUMP and suit != self.strain:
                self.voids[hand] |= 1 << self.strain
        if self.in_trick == len(self.in_play):
            self._finish_trick()

    def _legal_cards(self, hand: int) -> list[int]:
        """What a hand may play: to a lead the suit, else a trump, else any card."""
        assert hand in self.in_play and hand == self.turn, f"hand {hand} is out of turn"
        cards = [card for card in range(32) if self.held[hand] >> card & 1]
        if self.led >= 0:
            suited = [card for card in cards if card // 8 == self.led]
            cards = suited or [card for card in cards if card // 8 == self.strain] or cards
        if self.decider(hand, True) < 0:
            return [min(cards, key=lambda card: (card % 8, card // 8))]
        return cards

    def _finish_trick(self) -> None:
        winner = self.winner
        if winner < 0:  # nobody followed the talon
            cards = dict(self.trick)
            same = [card for card in cards.values() if card // 8 == cards[self.first] // 8]
            first = self.rules["raspas.nobody_follows"] == "first_hand"
            highest = next(h for h, card in cards.items() if card == max(same))
            winner = self.first if first else highest
        self._count(winner)
        again = self.n_tricks == 0 or self.rules["raspas.third_lead"] == "first_hand"
        if self.leads_talon and (again or winner == DEALER_HAND):
            winner = self.first
        self.n_tricks += 1
        self.leader = winner
        self._turn()

    def _count(self, winner: int) -> None:
        """A trick is its player's; one of the talon's card the dealer's with four, else nobody's;
        one of the dummy's his who plays it, else nobody's."""
        if winner == DEALER_HAND:
            player = self.dealer if self.n == 4 else -1
        else:
            player = self.decider(winner, True)
            if winner != self.dummy:
                player = self.players[winner]
        if player >= 0:
            self.tricks[player] += 1

    # What is so

    @property
    def first(self) -> int:
        """The first hand that plays cards."""
        return min(self.in_play)

    @property
    def leads(self) -> int:
        """The hand that leads to this trick."""
        return self.leader if self.plays else self.first

    @property
    def in_trick(self) -> int:
        """Cards that hands have played to this trick."""
        return sum(hand != DEALER_HAND for hand, _ in self.trick)

    @property
    def turn(self) -> int:
        """The hand to play: to the left of the last that did, over those in play."""
        hand = self.leads
        for _ in range(self.in_trick):
            hand = next((hand + k) % 3 for k in (1, 2) if (hand + k) % 3 in self.in_play)
        return hand

    @property
    def defender(self) -> int:
        """With two players, the hand of the declarer's opponent."""
        return ({0, 1, 2} - {self.declarer, self.dummy}).pop()

    @property
    def raspas(self) -> str:
        """What becomes of the talon at raspas."""
        keys = {2: "raspas.talon_two", 3: "raspas.talon", 4: "raspas.talon_four"}
        return str(self.rules[keys[self.n]])

    @property
    def leads_talon(self) -> bool:
        """Whether the talon leads to this trick of raspas."""
        led = self.raspas in ("suit_only", "dealer_plays", "may_win")
        return self.declarer < 0 and self.n_tricks < 2 and led

    @property
    def without_talon(self) -> bool:
        return self.declarer >= 0 and self.bid >= MISERE_WITHOUT

    @property
    def kind(self) -> int:
        if self.declarer < 0:
            return RASPAS
        if self.razboinik:
            return MISERE_GAME if self.contract == MISERE else TRICKS
        return MISERE_GAME if self.bid in (MISERE, MISERE_WITHOUT) else TRICKS

    @property
    def level(self) -> int:
        if self.kind != TRICKS or not self.named:
            return 6
        high = self.contract >= NINE_WITHOUT
        return 9 + (self.contract - NINE_WITHOUT) // 5 if high else 6 + self.contract // 5

    @property
    def strain(self) -> int:
        if self.kind != TRICKS or not self.named:
            return NO_TRUMP
        return (self.contract - NINE_WITHOUT * (self.contract >= NINE_WITHOUT)) % 5

    @property
    def led(self) -> int:
        """The suit to follow; -1 before a lead."""
        if self.leads_talon:
            return self.turned[-1] // 8
        return self.trick[0][1] // 8 if self.trick else -1

    @property
    def winner(self) -> int:
        """The hand that wins the trick so far; -1 if nobody followed the talon."""
        for suit in (self.strain, self.led):
            followed = [(card, hand) for hand, card in self.trick if card // 8 == suit]
            if followed:
                return max(followed)[1]
        return -1

    @property
    def checked(self) -> bool:
        """Whether this is a ten that is only checked."""
        ten = self.kind == TRICKS and self.level == 10 and not self.razboinik
        return ten and self.rules["whist.ten"] == "checked"

    def lies_open(self, hand: int, playing: bool) -> bool:
        """Whether the hand lies open for all; ``playing`` once cards may be played."""
        if self.declarer in (-1, hand):
            return False
        if hand == self.dummy and self.turned_up:
            return True
        if not playing or hand not in self.in_play:
            return False
        if self.kind == TRICKS:
            return bool(self.opened or self.checked or self.opens_all)
        if self.rules["misere.first_trick_dark"] and self.n > 2:
            return self.n_tricks > 0
        return self.declarer != self.first or len(self.plays) > 0

    @property
    def turned_up(self) -> bool:
        """Whether the dummy of two players is turned up before the defender's choice."""
        before = self.n == 2 and self.rules["dummy.opened"] == "before_whist"
        contract = self.kind == TRICKS and self.named and not self.conceded
        return bool(before and contract and not self.razboinik and not self.checked)

    @property
    def opens_all(self) -> bool:
        """Whether razboinik is played with both defending hands open."""
        return self.razboinik and self.rules["razboinik.dummy"] == "open"

    def decider(self, hand: int, playing: bool) -> int:
        """The player who decides for a hand; -1 for a dummy that is nobody's."""
        if self.n == 2:
            misere = self.kind == MISERE_GAME and not self.razboinik
            taken = self.opened or self.checked or misere or self.opens_all
            mine = playing and self.declarer >= 0 and taken and hand != self.declarer
            return self.players[self.defender if mine else hand]
        if self.lies_open(hand, playing):
            mover = self.opener if self.opened else self.catcher
            return self.players[mover if mover >= 0 else hand]
        return self.players[hand]

    def known(self, player: int, phase: int) -> int:
        """All cards that a player has seen: his own, what he laid away or received, and the rest
        of what lay open."""
        playing = phase in (CARD, POINTS) or bool(self.plays)
        cards = mask(card for _, card in self.plays) | mask(self.turned)
        for hand in HANDS:
            if self.lies_open(hand, playing):
                cards |= self.held[hand]
            own = player in (self.players[hand], self.decider(hand, playing))
            if own and phase not in (AGREE, DARK):
                cards |= self.held[hand] | self.given[hand] | self.received[hand]
        return cards

    def expected(self, player: int, phase: int, mover: int) -> dict[str, Any]:
        """The fields of the view of a player who decides for ``mover``."""
        playing = phase == CARD or bool(self.plays)
        own = self.players.index(player) if player in self.players else -1
        dealers = mover == DEALER_HAND
        fields = {
            "player": self.dealer if dealers else self.decider(mover, playing),
            "hand": 0 if dealers or phase in (AGREE, DARK) else self.held[mover],
            "discard": self.given[own] if own >= 0 else 0,
            "received": self.received[own] if own >= 0 else 0,
            "n_players": self.n,
            "dealer": self.dealer,
            "player_of": self.players,
            "hand_of": [self.players.index(p) if p in self.players else -1 for p in range(4)],
            "decides_for": [self.decider(hand, playing) for hand in HANDS],
            "dummy": self.dummy,
            "in_play": mask(self.in_play),
            "shown": [self.held[h] if self.lies_open(h, playing) else 0 for h in HANDS],
            **self._expected_calls(),
            **self._expected_plays(),
            **self.sheet,
        }
        if phase == CARD:
            fields |= self._expected_trick()
        if self.n == 2 and phase in (AGREE, ROW, WHIST, OPEN):
            fields["legal"] = mask(self._choices(phase))
        if self.razboinik and phase == CONTRACT:
            fields["legal"] = mask(self._contracts())
        return fields

    def _choices(self, phase: int) -> list[int]:
        """What is asked of two players only, or otherwise than of more."""
        ways = self.rules["dummy.defence"]
        if phase == ROW:
            rows = self._open_rows()
            if self.rules["razboinik.talon"] == "row_before":
                return rows
            return [row for row in rows if row == 5] + [TAKE_TALON] * (min(rows) < 5)
        if phase == OPEN:
            return [way for way, word in enumerate(("blind", "open")) if word in ways]
        six_spades = self.contract == 0 and self.rules["whist.stalingrad"]
        return [0, 1] if phase == AGREE or ("pass" in ways and not six_spades) else [1]

    def _open_rows(self) -> list[int]:
        """The declarer's rows that he has not played."""
        first = 6 * self.players[self.declarer]
        return [row for row in range(6) if self.sheet["row"][first + row] < 0]

    def _contracts(self) -> list[int]:
        """Contracts of razboinik: any strain of a row, or of the one that was named before."""
        rows = self._open_rows() if self.row < 0 else [self.row]
        if self.rules["razboinik.talon"] == "misere_before":
            rows = [row for row in rows if row < 5]
        codes = [5 * row + strain for row in rows if row < 5 for strain in range(5)]
        return codes + [MISERE] * (5 in rows)

    def _expected_calls(self) -> dict[str, Any]:
        levels = self.rules["raspas.exit_levels"]
        low = levels[min(self.sheet["raspas_index"], len(levels) - 1)]
        return {
            "min_level": low if self.rules["raspas.exit_is_min_bid"] else 6,
            "active": mask(self.active),
            "bid": self.bid,
            "bidder": self.bidder,
            "held": 0,
            "last_bid": self.bids,
            "calls": self.calls,
            "n_calls": len(self.calls),
            "dark": self.dark,
            "kind": self.kind,
            "declarer": self.declarer,
            "row_named": self.row,
            "contract": self.contract,
            "level": self.level,
            "strain": self.strain,
            "without_talon": int(self.without_talon),
            "open_play": int(self.opened or (self.opens_all and self.known_what)),
            "contra": 0,
            "contra_by": -1,
            "catcher": self.catcher,
            "talon": mask(self.turned),
            "talon_card": [*self.turned, -1, -1][:2],
        }

    def _expected_plays(self) -> dict[str, Any]:
        return {
            "played": mask(card for _, card in self.plays),
            "played_by": [mask(c for hand, c in self.plays if hand == h) for h in HANDS],
            "plays": [hand << 5 | card for hand, card in self.plays],
            "n_plays": len(self.plays),
            "voids": self.voids,
            "tricks": self.tricks,
        }

    def _expected_trick(self) -> dict[str, Any]:
        return {
            "trick": self.n_tricks,
            "leader": self.leads,
            "led": self.led,
            "winner": self.winner,
            "in_trick": self.in_trick,
            "trick_card": [dict(self.trick).get(hand, -1) for hand in range(4)],
        }

    def check(self, view: Any) -> None:
        """AssertionError unless the view says what its player may know, and nothing else."""
        phase, mover = int(view["phase"]), int(view["mover"])
        expected = self.expected(int(view["player"]), phase, mover)
        watched = {*expected, *UNWATCHED, *(IN_TRICK if phase != CARD else ())}
        assert watched == set(VIEW_DTYPE.names or ())
        for name, value in expected.items():
            seen = view[name][: len(value)] if name in ("calls", "plays") else view[name]
            seen = as_plain(seen)
            assert seen == value, f"{name}: {seen}, not {value}"


def as_plain(value: Any) -> Any:
    """A field as an integer or a list of them."""
    return [int(x) for x in value] if hasattr(value, "__len__") else int(value)


def mask(cards: Any) -> int:
    """The mask of cards or hands."""
    return sum(1 << card for card in set(cards))
