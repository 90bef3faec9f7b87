"""A deal of PPN played again in the engine, as far as its bids, cards and throws can be.

Source: Portable Preferans Notation. The calls of an auction are found from the highest bids of all:
one who has not reached his own goes on, since numbers rise in steps of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.contract import (
    BETL,
    CLUBS,
    DIAMONDS,
    HEARTS,
    PREFERANS,
    REFET_SPADES,
    SANS,
    SPADES,
)
from scoring.deal_result import DealResult
from scoring.protocol.ppn.model import CARDS, SEATS, Bid, PpnDeal, PpnPlay, Throws, told
from scoring.refet_result import plays
from scoring.result import INVITED, WHISTED

from ..cards import format_card, mask_of
from ..deals import rank
from ..illegal import why_illegal
from ..position import Position
from ..records.actions import word_of
from ..show import Story, begin_story, is_legal, take_step
from ..state import (
    ALONE,
    BIDDING,
    CARD,
    COME,
    COMES,
    CONTRA,
    CONTRACT,
    DISCARD,
    GAME_BETL,
    GAME_CALL,
    HOLD,
    INVITES,
    NO_CONTRA,
    PASS,
    SAYS_CONTRA,
    STAYS,
    SUIT,
)
from ..table import Table

_SUITS = (SPADES, DIAMONDS, HEARTS, CLUBS)
_NUMBERS = (1 << PREFERANS + 1) - (1 << REFET_SPADES)


def card_of(sign: str) -> int:
    """The engine's card for a sign of the notation.

    >>> card_of("1"), card_of("9"), card_of("W")
    (0, 16, 15)
    """
    suit, height = divmod(CARDS.index(sign), 8)
    return 8 * _SUITS[suit] + height


def lay_ppn(table: Table, deal: PpnDeal) -> None:
    """Lay the cards of a deal, with the talon in its order."""
    first, second = (mask_of(map(card_of, deal.hand(player))) for player in deal.order[:2])
    talon = [card_of(sign) for sign in deal.talon]
    table.lay(int(rank(first, second, mask_of(talon))), dealer=deal.dealer)
    for k, card in enumerate(talon):
        table.hidden["talon_order"][k] = card


class PpnPlayer:
    """Plays a deal of PPN that is laid at a table; ``slips`` tell what does not fit.

    ``result`` is what the scorer reads in the deal, without tricks. Play breaks off at the first
    move that cannot be; ``is_whole`` tells that none was.
    """

    def __init__(self, table: Table, deal: PpnDeal, result: DealResult) -> None:
        self.table = table
        self.deal = deal
        self.result = result
        self.story: Story = begin_story(table)
        self.slips: list[str] = []
        self.is_whole = False
        self._reached = [Bid()] * SEATS
        self._broke_at = 0

    @property
    def view(self) -> Any:
        return self.table.view

    @property
    def tricks(self) -> list[int] | None:
        """The tricks by player, if cards were played to the end."""
        played = self.is_whole and int(self.view["n_plays"]) > 0
        return [int(count) for count in self.view["tricks"][:SEATS]] if played else None

    def play(self) -> None:
        """Play as far as the deal can be played."""
        self.is_whole = self._play_on()
        if not self.is_whole and self.deal.play is not None:
            self._check_holdings(self.deal.play)

    def _play_on(self) -> bool:
        """Whether all moves could be made."""
        is_called = is_begun = False
        while True:
            phase = int(self.view["phase"])
            if not is_called and phase not in (BIDDING, SUIT):
                is_called = True
                if not self._is_auction_right():
                    return False
            if not is_begun and (phase == CARD or self.table.done):
                is_begun = True
                if not self._is_said():
                    return False
            if self.table.done:
                return self._is_over()
            if not self._move(phase):
                return False

    def _move(self, phase: int) -> bool:
        """Make the next move, if there is one that can be made."""
        action, place = self._action(phase)
        if action < 0:
            return False
        if not is_legal(self.table, action):
            word = word_of(self.view, action)
            why = why_illegal(Position(self.table), action)
            self.slips.append(f"{place}: {word} of {told(self._mover())} cannot be: {why}")
            return False
        n_tricks = int(self.view["trick"])
        take_step(self.story, self.table, action)
        if int(self.view["trick"]) > n_tricks:
            self._check_winner(n_tricks)
        return True

    def _action(self, phase: int) -> tuple[int, str]:
        """The next move by the record (-1: none) and its place, the field that has it."""
        play, view = self.deal.play, self.view
        if phase in (BIDDING, SUIT):
            return (self._call if phase == BIDDING else self._suit)(), self._told_bids()
        assert play is not None
        if phase == DISCARD:
            return self._discard(play), "discarded"
        if phase == CONTRACT:
            return play.base, "contract"
        if phase == COME:
            return self._come(play), "accepted"
        if phase == CONTRA:
            first = int(view["contra"]) == 0
            says = play.doubled > int(view["contra"]) and (not first or self._mover() == play.by)
            return SAYS_CONTRA if says else NO_CONTRA, "kontra"
        return self._card(play), f"trick {int(view['trick']) + 1}"

    def _mover(self) -> int:
        return int(self.view["player_of"][int(self.view["mover"])])

    # The auction

    def _told_bids(self) -> str:
        return f"bids {','.join(bid.text() for bid in self.deal.bids)}"

    def _call(self) -> int:
        """The mover's call: a game at once, else a step up to his highest bid."""
        mover, bid = int(self.view["mover"]), int(self.view["bid"])
        wish, legal = self.deal.bids[mover], self.table.legal
        if wish.is_game:
            if self._reached[mover].rank:
                return PASS
            self._reached[mover] = wish
            return GAME_CALL if wish.number < BETL else GAME_BETL + wish.number - BETL
        numbers = legal & _NUMBERS
        number = (numbers & -numbers).bit_length() - 1
        step = Bid(bid, True) if legal >> HOLD & 1 else Bid(number)
        if step.number < REFET_SPADES or step.rank > wish.rank:
            return PASS
        self._reached[mover] = step
        return HOLD if step.is_held else number

    def _suit(self) -> int:
        """The suit of the mover's game, or «yours is better»."""
        number = self.deal.bids[int(self.view["mover"])].number
        return number if number else PASS

    def _is_auction_right(self) -> bool:
        """Whether the auction came to these bids, and to the main player and his contract."""
        for player, bid, wish in zip(self.deal.order, self._reached, self.deal.bids, strict=True):
            if bid.rank != wish.rank:
                self.slips.append(
                    f"{self._told_bids()} cannot be: {told(player)} comes to {bid.text()}"
                )
                return False
        play, declarer = self.deal.play, int(self.view["declarer"])
        if play is None or declarer < 0:
            return True
        winner = int(self.view["player_of"][declarer])
        if winner != play.main:
            self.slips.append(f"main is {told(play.main)}, by the bids {told(winner)}")
            return False
        return self._is_game_right(play)

    def _is_game_right(self, play: PpnPlay) -> bool:
        """Whether contract and discard are those of a game, or of a number, as was bid."""
        if play.is_game != bool(self.view["without_talon"]):
            was = "no game" if play.is_game else "a game"
            self.slips.append(f"contract is {'G' * play.is_game}{play.base}, but {was} was bid")
            return False
        named = self.deal.bids[self.deal.order.index(play.main)].number
        if play.is_game and named not in (0, play.base):
            self.slips.append(f"contract is G{play.base}, but G{named} was bid")
            return False
        if play.is_game and play.discarded:
            self.slips.append(f"discarded is {play.discarded}, but a game leaves the talon (XX)")
        return True

    def _discard(self, play: PpnPlay) -> int:
        """The lower card first."""
        if not play.discarded:
            self.slips.append("discarded is XX, but the talon was taken")
            return -1
        laid = int(self.table.hidden["discard"][int(self.view["mover"])])
        return sorted(map(card_of, play.discarded))[1 if laid else 0]

    # What the followers say

    def _come(self, play: PpnPlay) -> int:
        if self.table.legal >> ALONE & 1:
            return INVITES if play.invites else ALONE
        return COMES if self.result.decisions.get(self._mover()) == WHISTED else STAYS

    def _is_said(self) -> bool:
        """Whether all was said that the record has, and who starts; what cannot be said of kontra
        and invitation is the scorer's to tell."""
        play, view = self.deal.play, self.view
        if play is None:
            return True
        if int(view["contract"]) != play.base:
            self.slips.append(f"contract is {play.base}, by the bids {int(view['contract'])}")
            return False
        invited = INVITED in [int(call) for call in view["whist_call"]]
        if int(view["contra"]) != play.doubled or invited != play.invites:
            return False
        if self.table.done:
            if play.throws:
                self.slips.append("throws: tricks stand there, but no card is played")
            return not play.throws
        if play.starts not in (-1, self._mover()):
            self.slips.append(f"{told(play.starts)} starts, by the rules {told(self._mover())}")
        return True

    # The throws

    def _card(self, play: PpnPlay) -> int:
        number, place = int(self.view["trick"]), int(self.view["in_trick"])
        self._broke_at = number
        if number >= len(play.throws):
            self.slips.append(f"throws break off after {number} tricks")
            return -1
        trick = play.throws[number]
        hands = int(self.view["in_play"]).bit_count()
        if place == 0 and trick.leader not in (-1, self._mover()):
            self.slips.append(
                f"trick {number + 1}: {told(trick.leader)} starts, and it is for "
                f"{told(self._mover())} to lead"
            )
        if len(trick.cards) != hands:
            self.slips.append(
                f"trick {number + 1}: {len(trick.cards)} cards, but {hands} hands play"
            )
            return -1
        return card_of(trick.cards[place])

    def _check_winner(self, number: int) -> None:
        assert self.deal.play is not None
        written, right = self.deal.play.throws[number].winner, self.story.tricks[number].winner
        if right is not None and written != right:
            self.slips.append(
                f"trick {number + 1} is {told(written)}'s, by the cards {told(right)}'s"
            )

    def _is_over(self) -> bool:
        """Whether nothing is left to play, once the deal is over."""
        play, number = self.deal.play, int(self.view["trick"])
        if play is not None and len(play.throws) > number:
            more = len(play.throws) - number
            noun = "trick stands" if more == 1 else "tricks stand"
            self.slips.append(f"{more} more {noun} after trick {number}, with which play ends")
        return True

    # Throws that the engine cannot play

    def _check_holdings(self, play: PpnPlay) -> None:
        """Note the first trick, of those not looked at, with a card that cannot be thrown."""
        wrong = list(self._wrong_tricks(play)) if len(self._playing(play)) > 1 else []
        if self._broke_at or int(self.view["phase"]) == CARD:
            wrong = [(number, why) for number, why in wrong if number > self._broke_at]
        if wrong:
            number, why = wrong[0]
            more = f"; {len(wrong) - 1} more tricks have such cards" if wrong[1:] else ""
            self.slips.append(f"trick {number + 1}: {why}{more}")

    def _wrong_tricks(self, play: PpnPlay) -> Iterator[tuple[int, str]]:
        held = {player: set(self.deal.hand(player)) for player in range(SEATS)}
        if not play.is_game:
            held[play.main] |= set(self.deal.talon)
            held[play.main] -= set(play.discarded)
        thrown: set[str] = set()
        leader = self._first_leader(play) if play.starts < 0 else play.starts
        for number, trick in enumerate(play.throws):
            why = self._why_wrong(trick, self._turn(leader, play), held, thrown)
            if why:
                yield number, why
            thrown |= set(trick.cards)
            leader = trick.winner

    def _playing(self, play: PpnPlay) -> list[int]:
        return [p for p in self.deal.order if p == play.main or plays(self.result, p)]

    def _first_leader(self, play: PpnPlay) -> int:
        """Who leads first where it is not written."""
        playing = self._playing(play)
        return playing[playing.index(play.main) - 1 if play.base in (SANS, PREFERANS) else 0]

    def _turn(self, leader: int, play: PpnPlay) -> list[int]:
        playing = self._playing(play)
        return [p for p in ((leader + k) % SEATS for k in range(SEATS)) if p in playing]

    def _why_wrong(
        self,
        trick: Throws,
        turn: Sequence[int],
        held: dict[int, set[str]],
        thrown: set[str],
    ) -> str:
        """Why a card of a trick cannot be thrown; empty where all can."""
        if len(trick.cards) != len(turn):
            return f"{len(trick.cards)} cards, but {len(turn)} hands play"
        for sign, player in zip(trick.cards, turn, strict=True):
            card = f"{format_card(card_of(sign))} of {told(player)} cannot be"
            if sign in thrown or trick.cards.count(sign) > 1:
                return f"{card}: it has been thrown"
            if sign not in held[player]:
                return f"{card}: he does not hold it"
        return ""
