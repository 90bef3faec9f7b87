"""A position with all cards open, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.contract import NO_TRUMP, TRICKS
from scoring.errors import WrongUse, quoted

from ..cards import ALL_CARDS, HAND_SIZE, format_card, format_hand, parse_hand, told_cards
from ..play import card_key, first_leader, is_led_through
from ..state import N_HANDS
from .values import MISERE_STRAIN, N_GAMES, legal, mover, wants_many

Hands = str | Sequence[int]
"""Three hands in the order of play: masks, or text ``AKQ.T98.J7.A8 | … | …``."""


class PositionError(WrongUse):
    """Hands or a position that cannot be: one sentence saying what is wrong."""


def parse_hands(text: str) -> tuple[int, int, int]:
    """Three hands written ``AKQ.T98.J7.A8 | … | …`` in the order of play, suits ♠.♣.♦.♥; a hand
    that does not play is left empty, ``...``. Raises PositionError."""
    parts = text.split("|")
    if len(parts) != N_HANDS:
        raise PositionError(
            f"hands {quoted(text.strip())}: {len(parts)} of them; write three, parted by |"
        )
    try:
        a, b, c = (parse_hand(part.strip()) for part in parts)
    except ValueError as error:
        raise PositionError(str(error)) from None
    check_hands((a, b, c))
    return a, b, c


def masked(hands: tuple[int, int, int], in_play: int) -> tuple[int, int, int]:
    """Three hands, those that do not play empty; bit k of ``in_play``: hand k plays."""
    a, b, c = (cards if in_play >> k & 1 else 0 for k, cards in enumerate(hands))
    return a, b, c


def check_hands(hands: Sequence[int], on_table: int = 0) -> None:
    """PositionError unless three hands can be: no card twice, cards that exist, at most ten in a
    hand, and at least two hands that play. Sizes are checked with the position."""
    if len(hands) != N_HANDS:
        raise PositionError(f"{len(hands)} hands: a position has three, in the order of play")
    for k, hand in enumerate(hands):
        if not 0 <= hand <= ALL_CARDS:
            raise PositionError(f"hand {k}: {hand} is no mask of the 32 cards")
        if hand & on_table:
            raise PositionError(
                f"hand {k} has {told_cards(hand & on_table)}, which lies on the table"
            )
        for j in range(k):
            if hand & hands[j]:
                raise PositionError(f"hands {j} and {k} both have {told_cards(hand & hands[j])}")
        if hand.bit_count() > HAND_SIZE:
            raise PositionError(
                f"hand {k} has {hand.bit_count()} cards ({format_hand(hand)}): ten at most"
            )


def why_other_rules(rules: Any) -> str:
    """Why tricks under packed rules are not the solver's; empty if they are."""
    if int(rules["tricks_must_head"]) or int(rules["tricks_must_overtrump"]):
        return (
            "a card has to beat those before it where it can (tricks.must_head, "
            "tricks.must_overtrump), and the solver plays without that rule"
        )
    return ""


def leader_by_rules(rules: Any, strain: int, declarer: int, in_play: int) -> int:
    """The hand that leads first under packed rules; bit k of ``in_play``: hand k plays."""
    return int(first_leader(is_led_through(rules, TRICKS, strain), declarer, in_play))


@dataclass(frozen=True)
class Position:
    """Three hands in the order of play, without the cards on the table, and what is played.

    ``hands`` are masks of cards, ``strain`` a trump suit 0..3, no trump 4 or ``MISERE_STRAIN``;
    ``declarer`` and ``leader`` are numbers of hands; ``table`` holds the cards of the trick begun,
    the leader's first. An empty hand does not play (two hands and a dead dummy; the refet game's
    single follower). Raises PositionError.
    """

    hands: tuple[int, int, int]
    strain: int
    declarer: int = 0
    leader: int = 0
    table: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(int(hand) for hand in self.hands))
        object.__setattr__(self, "table", tuple(int(card) for card in self.table))
        self._check_numbers()
        check_hands(self.hands, self._check_table())
        self._check_sizes()

    def _check_numbers(self) -> None:
        if not 0 <= self.strain < N_GAMES:
            raise PositionError(
                f"strain {self.strain}: a trump suit 0..3, no trump 4, misère {MISERE_STRAIN}"
            )
        for name, hand in (("declarer", self.declarer), ("leader", self.leader)):
            if not 0 <= hand < N_HANDS:
                raise PositionError(f"{name} {hand}: a hand is 0, 1 or 2, in the order of play")

    def _check_table(self) -> int:
        """The cards on the table as a mask."""
        if len(self.table) > N_HANDS - 1:
            raise PositionError(f"{len(self.table)} cards on the table: two at most")
        laid = 0
        for card in self.table:
            if not 0 <= card < 32:
                raise PositionError(f"card {card} on the table: a card is 0..31")
            laid |= 1 << card
        if laid.bit_count() != len(self.table):
            raise PositionError(f"{format_card(self.table[0])} lies on the table twice")
        return laid

    @property
    def _sizes(self) -> list[int]:
        """Cards of each hand, with the one it has on the table."""
        sizes = [hand.bit_count() for hand in self.hands]
        for k in range(len(self.table)):
            sizes[(self.leader + k) % N_HANDS] += 1
        return sizes

    def _check_sizes(self) -> None:
        """Every hand that plays has as many cards; two play at least."""
        sizes = self._sizes
        playing = {size for size in sizes if size}
        if len(playing) != 1 or sizes.count(0) > 1:
            laid = ", those on the table counted" if self.table else ""
            raise PositionError(
                f"hands of {sizes[0]}, {sizes[1]} and {sizes[2]} cards{laid}: "
                "each hand that plays has as many, and at least two play"
            )
        for name, hand in (("declarer", self.declarer), ("leader", self.leader)):
            if sizes[hand] == 0:
                raise PositionError(f"{name} {hand} has no cards")
        if len(self.table) == sizes.count(max(sizes)):
            raise PositionError("the trick on the table is complete: take it away")

    @property
    def packed(self) -> tuple[int, int, int, int, int, int, int, int]:
        """The position as compiled code takes it (``sim.solver.values``)."""
        first, second = (*self.table, -1, -1)[:2]
        return (self.strain, *self.hands, self.declarer, self.leader, first, second)

    @property
    def mover(self) -> int:
        """The hand to move."""
        return int(mover(self.packed))

    @property
    def legal(self) -> int:
        """Mask of the cards it may play."""
        return int(legal(self.packed))

    @property
    def wants_many(self) -> bool:
        """Whether it wants the declarer to take many tricks."""
        return bool(wants_many(self.packed))

    @property
    def n_tricks(self) -> int:
        """Tricks left, the one on the table among them."""
        return self._sizes[self.leader]

    def after(self, card: int) -> tuple[Position | None, int]:
        """The position after a card that may be played, None after the last one of all; and the
        hand that takes a trick with it, -1 while the trick goes on."""
        hand = self.mover
        a, b, c = (h & ~(1 << card) for h in self.hands)
        hands = (a, b, c)
        laid = {**self._laid(), hand: card}
        if len(laid) < N_HANDS - self._sizes.count(0):
            return replace(self, hands=hands, table=(*self.table, card)), -1
        led = laid[self.leader] >> 3
        strain = min(self.strain, NO_TRUMP)
        taker = max(laid, key=lambda h: card_key(laid[h], led, strain))
        if not any(hands):
            return None, taker
        return replace(self, hands=hands, leader=taker, table=()), taker

    def _laid(self) -> dict[int, int]:
        """The cards on the table by hand."""
        return {(self.leader + k) % N_HANDS: card for k, card in enumerate(self.table)}


def as_hands(hands: Hands) -> tuple[int, int, int]:
    """Hands given as text or as masks. Raises PositionError."""
    if isinstance(hands, str):
        return parse_hands(hands)
    check_hands(hands)
    a, b, c = (int(hand) for hand in hands)
    return a, b, c
