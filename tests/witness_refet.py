"""Somebody who watches one deal of the refet game: a referee of every call and card.

He is told what was said and played, keeps the record by the rules in plain Python, and says who is
to speak, what he may say, and what he may know. Sources: Preferansklub rules 7-11; iPref rules;
Lesnoy, Russian Preferans.
"""

from __future__ import annotations

from typing import Any

from witness import HANDS, Witness, mask

from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS, TRICKS
from scoring.result import INVITED, NO_DECISION, PASSED, WHISTED
from scoring.variant import Variant
from sim.state import (
    ALONE,
    BIDDING,
    CARD,
    COME,
    COMES,
    CONTRA,
    CONTRACT,
    DISCARD,
    DONE,
    GAME_CALL,
    GAME_PREFERANS,
    HOLD,
    INVITES,
    NO_CONTRA,
    PASS,
    SAYS_CONTRA,
    STAYS,
    SUIT,
)
from sim.table import Table

SPADES, DIAMONDS, HEARTS, CLUBS, BETL, SANS, PREFERANS = range(2, 9)
TO_FAIL = 5
"""Tricks of the defence with which a contract of six is lost."""


def watching(variant: Variant, n: int, table: Table) -> Witness:
    """A witness of the deal that was just laid."""
    return (RefetWitness if variant.has_columns else Witness)(variant, n, table)


class RefetWitness(Witness):
    """Watches a deal that was just laid; every word and card must be its hand's, and legal."""

    def __init__(self, variant: Variant, n: int, table: Table) -> None:
        super().__init__(variant, n, table)
        self.said: list[tuple[int, int]] = []
        """The auction: hands and calls."""
        self.suits: list[tuple[int, int]] = []
        """The suits of several games."""
        self.parts = [NO_DECISION] * 3
        self.contras: list[tuple[int, int]] = []
        self.base = 0
        self.asked_alone = False

    # What happens

    def hear(self, phase: int, hand: int, action: int) -> None:
        """A call or a card of the hand whose turn it is."""
        assert (phase, hand) == (self.due_phase, self.due_hand), "somebody is out of turn"
        assert action in self.choices(), f"hand {hand} may not say {action} in phase {phase}"
        if phase not in (CARD, DISCARD):
            self.calls.append(phase << 8 | hand << 6 | action)
        if phase == BIDDING:
            self._hear_call(hand, action)
        elif phase == SUIT:
            self.suits.append((hand, action))
            self._settle_games()
        elif phase == DISCARD:
            self._lay_away(hand, action)
        elif phase == CONTRACT:
            self.base = action
            self._after_contract()
        elif phase == COME:
            self._hear_come(hand, action)
        elif phase == CONTRA:
            self.contras.append((hand, action))
        else:
            self._play(hand, action)
        self._drop_who_stays()

    def _hear_call(self, hand: int, action: int) -> None:
        self.said.append((hand, action))
        if action == PASS:
            self.active.discard(hand)
        else:
            self.bid = self.bid if action == HOLD else action
            self.bids[hand], self.bidder = self.bid, hand
        if len(self.active) == 1 and self.bid >= 0:
            self._declare(self.bidder)

    def _declare(self, hand: int) -> None:
        self.declarer = hand
        if self.bid < GAME_CALL:
            self.held[hand] |= mask(self.talon)
            if self.rules["bidding.talon_shown"]:
                self.turned = list(self.talon)
        elif self.bid > GAME_CALL:
            self.base = self.bid - GAME_CALL + CLUBS
            self._after_contract()

    def _settle_games(self) -> None:
        """Once all with a game have spoken the highest suit declares."""
        if len(self.suits) == len(self.active):
            hand, self.base = max(self.suits, key=lambda said: said[1])
            self.declarer = self.bidder = hand
            self._after_contract()

    def _after_contract(self) -> None:
        """At betl and preferans nobody is asked whether he comes."""
        if self.all_or_nothing:
            for hand in self.defenders:
                self.parts[hand] = WHISTED

    def _hear_come(self, hand: int, action: int) -> None:
        if action in (ALONE, INVITES):
            self.asked_alone = True
            if action == INVITES:
                self.parts[self._other(hand)] = INVITED
        else:
            self.parts[hand] = WHISTED if action == COMES else PASSED

    def _drop_who_stays(self) -> None:
        """Who stayed away is out of play once there is no contra to draw him in."""
        if self.due_phase == CARD and not self.plays and not self.n_contra:
            self.in_play -= {hand for hand in HANDS if self.parts[hand] == PASSED}

    # Whose turn it is

    @property
    def due_phase(self) -> int:
        """What is asked next; DONE at the end."""
        if self.declarer < 0:
            if not self.active:
                return DONE
            games = all(self.bids[hand] == GAME_CALL for hand in self.active)
            return SUIT if games else BIDDING
        if self.base == 0:
            laid = self.given[self.declarer].bit_count()
            return DISCARD if self.bid < GAME_CALL and laid < 2 else CONTRACT
        if self._who_comes() >= 0:
            return COME
        if self._who_doubles() >= 0:
            return CONTRA
        return CARD if self.is_played and not self.is_decided else DONE

    @property
    def due_hand(self) -> int:
        """Whose word or card it is."""
        phase = self.due_phase
        if phase == BIDDING:
            return self._next_caller()
        if phase == SUIT:
            return min(self.active - {hand for hand, _ in self.suits})
        if phase == COME:
            return self._who_comes()
        if phase == CONTRA:
            return self._who_doubles()
        return self.turn if phase == CARD else self.declarer

    def _next_caller(self) -> int:
        if not self.said:
            return 0
        last = self.said[-1][0]
        return next(h for k in (1, 2, 3) if (h := (last + k) % 3) in self.active)

    def _who_comes(self) -> int:
        """Who is asked to come, or whether he plays alone; -1 if nobody is."""
        if self.all_or_nothing:
            return -1
        for hand in self.defenders:
            if self.parts[hand] == NO_DECISION:
                return hand
        lone = self.lone
        if lone < 0 or self.asked_alone or not self.rules["follow.invite"] or self.needs_contra:
            return -1
        return lone

    def _who_doubles(self) -> int:
        """Who is asked for contra or an answer to it; -1 if nobody is."""
        most = self.rules["contra.levels"]
        if INVITED in self.parts or WHISTED not in self.parts or self.n_contra == most:
            return -1
        if self.n_contra:
            last, word = self.contras[-1]
            other = self.declarer if last != self.declarer else self.contra_by
            return other if word == SAYS_CONTRA else -1
        either = self.rules["contra.by"] == "either"
        said = {hand for hand, _ in self.contras}
        for hand in self.defenders:
            if hand not in said and (either or self.parts[hand] == WHISTED):
                return hand
        return -1

    # What is so

    @property
    def defenders(self) -> list[int]:
        """Both, in order after the declarer."""
        return [(self.declarer + k) % 3 for k in (1, 2)]

    def _other(self, hand: int) -> int:
        return sum(self.defenders) - hand

    @property
    def lone(self) -> int:
        """The only one who came; -1 if none or both did."""
        came = [hand for hand in HANDS if self.parts[hand] == WHISTED]
        return came[0] if len(came) == 1 else -1

    @property
    def n_contra(self) -> int:
        return sum(word == SAYS_CONTRA for _, word in self.contras)

    @property
    def contra_by(self) -> int:
        return next((hand for hand, word in self.contras if word == SAYS_CONTRA), -1)

    @property
    def all_or_nothing(self) -> bool:
        return self.base in (BETL, PREFERANS)

    @property
    def needs_contra(self) -> bool:
        """Whether these are plain spades that are played under contra only."""
        plain = self.base == SPADES and not self.without_talon
        return plain and bool(self.rules["spades.needs_contra"])

    @property
    def is_played(self) -> bool:
        """Whether cards are played once all have spoken."""
        if self.n_contra:
            return True
        return WHISTED in self.parts and not self.needs_contra

    @property
    def is_decided(self) -> bool:
        """Whether play is over: all cards are out, or the declarer cannot make it any more."""
        if self.n_tricks == 10:
            return True
        own = self.tricks[self.players[self.declarer]]
        lost = self.n_tricks - own
        if self.base == BETL:
            failed = own > 0
        else:
            failed = lost >= (1 if self.base == PREFERANS else TO_FAIL)
        return failed and bool(self.rules["tricks.stop"])

    @property
    def without_talon(self) -> bool:
        return self.declarer >= 0 and self.bid >= GAME_CALL

    @property
    def kind(self) -> int:
        if self.declarer < 0:
            return RASPAS
        return MISERE_GAME if self.base == BETL else TRICKS

    @property
    def level(self) -> int:
        return 10 if self.base == PREFERANS else 6

    @property
    def strain(self) -> int:
        """Spades, clubs, diamonds, hearts are 0..3 on cards."""
        suits = {SPADES: 0, CLUBS: 1, DIAMONDS: 2, HEARTS: 3}
        return suits.get(self.base, NO_TRUMP)

    @property
    def leads(self) -> int:
        """The hand that leads: to the first trick the first that plays, but at sans and preferans
        the one before the declarer, or who plays against him alone."""
        if self.plays:
            return self.leader
        if self.base in (SANS, PREFERANS) and self.rules["tricks.through"]:
            return next(h for h in reversed(self.defenders) if h in self.in_play)
        return self.first

    def lies_open(self, hand: int, playing: bool) -> bool:
        """Only the declarer of an open betl shows his hand, once cards may be played."""
        is_his = hand == self.declarer and self.base == BETL
        return playing and is_his and bool(self.rules["betl.open"])

    # What may be said

    def choices(self) -> list[int]:
        """The legal actions of whose turn it is."""
        phase, hand = self.due_phase, self.due_hand
        if phase == BIDDING:
            return [PASS, *self._numbers(hand), *self._games(hand)]
        if phase == SUIT:
            best = max((suit for _, suit in self.suits), default=0)
            higher = [suit for suit in range(SPADES, CLUBS + 1) if suit > best]
            return [PASS, *higher] if self.suits else higher
        if phase == DISCARD:
            cards = [card for card in range(32) if self.held[hand] >> card & 1]
            laid = self.given[hand].bit_length()
            return [card for card in cards if card >= laid] if laid else cards[:-1]
        if phase == CONTRACT:
            if self.without_talon:
                return list(range(SPADES, CLUBS + 1))
            return list(range(self.bid, self.highest + 1))
        if phase == COME:
            return [ALONE, INVITES] if hand == self.lone else [STAYS, COMES]
        return [NO_CONTRA, SAYS_CONTRA] if phase == CONTRA else self._legal_cards(hand)

    @property
    def highest(self) -> int:
        """The highest number and contract."""
        return PREFERANS if self.rules["bidding.preferans"] else SANS

    def _numbers(self, hand: int) -> list[int]:
        """Hold, or the numbers: who has the right to hold may not raise."""
        if self.bid >= GAME_CALL:
            return []
        if self.bid >= DIAMONDS:
            if self.rules["bidding.hold"] == "next":
                holds = self.said_last_number != HOLD
            else:
                holds = hand == min(self.active) and self.bids[hand] >= 0
            if holds:
                return [HOLD]
        lowest = max(self.bid + 1, SPADES)
        numbers = list(range(lowest, self.highest + 1))
        return numbers if self.rules["bidding.jumps"] else numbers[:1]

    @property
    def said_last_number(self) -> int:
        """The last call that was no pass; PASS if all were."""
        return next((call for _, call in reversed(self.said) if call != PASS), PASS)

    def _games(self, hand: int) -> list[int]:
        """Games, to the first word only: over one in a suit any, else what is higher."""
        if any(one == hand for one, _ in self.said):
            return []
        top = GAME_PREFERANS if self.rules["bidding.preferans"] else GAME_PREFERANS - 1
        games = range(GAME_CALL, top + 1)
        return [game for game in games if game > self.bid or game == GAME_CALL == self.bid]

    def _legal_cards(self, hand: int) -> list[int]:
        cards = super()._legal_cards(hand)
        suit = cards[0] // 8
        rule = "tricks.must_head" if suit == self.led else "tricks.must_overtrump"
        if self.led < 0 or suit not in (self.led, self.strain) or not self.rules[rule]:
            return cards
        return [card for card in cards if self._beats(card)] or cards

    def _beats(self, card: int) -> bool:
        """Whether the card would take the trick so far."""
        best = next(one for hand, one in self.trick if hand == self.winner)
        if card // 8 == best // 8:
            return card > best
        return card // 8 == self.strain

    # What may be known

    def expected(self, player: int, phase: int, mover: int) -> dict[str, Any]:
        """The fields of the view, with whose turn it is and what is legal."""
        return super().expected(player, phase, mover) | {
            "phase": self.due_phase,
            "mover": self.due_hand,
            "legal": mask(self.choices()),
            "whist_call": self.parts,
        }

    def _expected_calls(self) -> dict[str, Any]:
        contract = self.base or (self.bid if self.declarer >= 0 else -1)
        if self.due_phase == SUIT:
            contract = max((suit for _, suit in self.suits), default=0)
        bidder = max(self.suits, key=lambda said: said[1])[0] if self.suits else self.bidder
        return super()._expected_calls() | {
            "held": int(self.said_last_number == HOLD),
            "bidder": bidder,
            "contract": contract,
            "contra": self.n_contra,
            "contra_by": self.contra_by,
        }
