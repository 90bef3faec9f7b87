"""Card play: ten tricks, follow suit or trump, talon-led raspas (Code of Preferans 3.7)."""

from __future__ import annotations

from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS
from scoring.conventions import (
    NOBODY_HIGHEST_OF_FIRST,
    TALON_SUIT_ONLY,
    THIRD_FIRST_HAND,
)
from scoring.deal_score import is_checked
from scoring.kernel import Record, kernel

from .auction import next_hand
from .cards import suit_mask, trump_mask
from .state import CARD, DONE, N_HANDS, N_TRICKS

_FOLLOWS = 8
_TRUMPS = 16


@kernel
def _is_talon_led(view: Record, rules: Record) -> bool:
    """Whether this trick's suit is named by a talon card: the first two of such a raspas."""
    return view.kind == RASPAS and rules.raspas_talon == TALON_SUIT_ONLY and view.trick < 2


@kernel
def _open_trick(view: Record, hidden: Record, rules: Record) -> None:
    view.mover = view.leader
    view.in_trick = 0
    view.led = -1
    view.winner = -1
    view.best_key = -1
    for hand in range(N_HANDS):
        view.trick_card[hand] = -1
    if _is_talon_led(view, rules):
        card = hidden.talon_order[view.trick]
        view.talon_card[view.trick] = card
        view.talon |= 1 << card
        view.led = card >> 3


@kernel
def _show_defence(view: Record, hidden: Record) -> None:
    for hand in range(N_HANDS):
        if hand != view.declarer:
            view.shown[hand] = hidden.hands[hand]


@kernel
def open_play(view: Record, hidden: Record, rules: Record) -> None:
    """Start the play: the first hand leads, whatever is played; open hands are laid down."""
    view.phase = CARD
    view.trick = 0
    view.leader = 0
    if view.kind == MISERE_GAME:
        if view.declarer != 0:
            _show_defence(view, hidden)
    elif view.kind != RASPAS and (view.open_play == 1 or is_checked(rules, view)):
        _show_defence(view, hidden)
    _open_trick(view, hidden, rules)


@kernel
def legal_cards(view: Record, hand: int) -> int:
    """Mask of cards: follow suit, else trump, else anything."""
    if view.led < 0:
        return hand
    follow = hand & suit_mask(view.led)
    if follow:
        return follow
    trumps = hand & trump_mask(view.strain)
    return trumps if trumps else hand


@kernel
def card_key(card: int, led: int, strain: int) -> int:
    """Order of cards in a trick: trumps above the led suit above the rest."""
    suit = card >> 3
    key = card & 7
    if suit == led:
        key += _FOLLOWS
    if suit == strain:
        key += _TRUMPS
    return key


@kernel
def _note_void(view: Record, hand: int, suit: int) -> None:
    """Not following shows a void; not trumping as well shows that there is no trump."""
    if suit != view.led:
        view.voids[hand] |= 1 << view.led
        if suit != view.strain and view.strain != NO_TRUMP:
            view.voids[hand] |= 1 << view.strain


@kernel
def _winner_without_follower(view: Record, rules: Record) -> int:
    """Nobody follows the talon's suit: the first hand, or the highest of the suit he played."""
    if rules.raspas_nobody_follows != NOBODY_HIGHEST_OF_FIRST:
        return 0
    winner = 0
    for hand in range(1, N_HANDS):
        card = view.trick_card[hand]
        if card >> 3 == view.trick_card[0] >> 3 and card > view.trick_card[winner]:
            winner = hand
    return winner


@kernel
def _close_trick(view: Record, hidden: Record, rules: Record) -> None:
    led_by_talon = _is_talon_led(view, rules)
    if view.winner < 0:
        view.winner = _winner_without_follower(view, rules)
    view.tricks[view.player_of[view.winner]] += 1
    view.trick += 1
    view.leader = view.winner
    if led_by_talon and (view.trick == 1 or rules.raspas_third_lead == THIRD_FIRST_HAND):
        view.leader = 0
    if view.trick == N_TRICKS:
        view.phase = DONE
    else:
        _open_trick(view, hidden, rules)


@kernel
def apply_card(view: Record, hidden: Record, rules: Record, card: int) -> None:
    """Play the mover's card; finish the trick and the deal where it is the last."""
    hand = view.mover
    bit = 1 << card
    hidden.hands[hand] &= ~bit
    view.shown[hand] &= ~bit
    view.played |= bit
    view.played_by[hand] |= bit
    view.plays[view.n_plays] = hand << 5 | card
    view.n_plays += 1
    view.trick_card[hand] = card
    view.in_trick += 1
    if view.led < 0:
        view.led = card >> 3
    _note_void(view, hand, card >> 3)
    key = card_key(card, view.led, view.strain)
    if key >= _FOLLOWS and key > view.best_key:
        view.best_key = key
        view.winner = hand
    if view.kind == MISERE_GAME and view.n_plays == 1 and hand == view.declarer:
        _show_defence(view, hidden)
    if view.in_trick == N_HANDS:
        _close_trick(view, hidden, rules)
    else:
        view.mover = next_hand(hand)
