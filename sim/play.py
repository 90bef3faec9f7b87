"""Card play: ten tricks, follow suit or trump, talon-led raspas (Code of Preferans 3.7).

The end of a deal stands here too: tricks that are certain, and points off the mountain instead.
"""

from __future__ import annotations

from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS, TRICKS
from scoring.conventions import (
    DUMMY_DEAD,
    DUMMY_NO_RASPAS,
    FOUR_DEALER_PLAYS,
    FOUR_PASS_ALONG,
    NOBODY_HIGHEST_OF_FIRST,
    REFET,
    TALON_PASS_ALONG,
    TALON_SUIT_ONLY,
    THIRD_FIRST_HAND,
    TWO_CLOSED,
    TWO_MAY_WIN,
)
from scoring.deal_score import is_checked
from scoring.kernel import Record, ctz, kernel
from scoring.result import HALF_WHISTED, MAX_PLAYERS, TWO_PLAYERS, WHISTED

from .auction import next_hand
from .cards import N_SUITS, follow, lowest_rank, suit_mask, trump_mask
from .state import CARD, DEALER_HAND, DONE, N_HANDS, N_TRICKS, POINTS
from .whist import (
    ask_open,
    chooses_after_card,
    find_lone_whister,
    take_defence,
)

_FOLLOWS = 8
_TRUMPS = 16


@kernel
def passes_along(rules: Record) -> bool:
    """Whether two cards go from hand to hand before raspas are played (с передачей)."""
    if rules.n_players == MAX_PLAYERS:
        return rules.raspas_talon_four == FOUR_PASS_ALONG
    return rules.n_players != TWO_PLAYERS and rules.raspas_talon == TALON_PASS_ALONG


@kernel
def _is_talon_led(view: Record, rules: Record) -> bool:
    """Whether a talon card leads to this trick: the first two of such a raspas."""
    if view.kind != RASPAS or view.trick >= 2:
        return False
    if rules.n_players == MAX_PLAYERS:
        return rules.raspas_talon_four == FOUR_DEALER_PLAYS
    if rules.n_players == TWO_PLAYERS:
        return rules.raspas_talon_two != TWO_CLOSED
    return rules.raspas_talon == TALON_SUIT_ONLY


@kernel
def _talon_may_win(rules: Record) -> bool:
    """Whether a talon card that leads at raspas takes part in the trick."""
    if rules.n_players == TWO_PLAYERS:
        return rules.raspas_talon_two == TWO_MAY_WIN
    return rules.n_players == MAX_PLAYERS


@kernel
def first_playing(view: Record) -> int:
    """The first hand of those that play cards."""
    return ctz(view.in_play)


@kernel
def next_playing(view: Record, hand: int) -> int:
    """The next hand to the left that plays cards."""
    after = next_hand(hand)
    return after if view.in_play >> after & 1 else next_hand(after)


@kernel
def _lead_talon(view: Record, hidden: Record, rules: Record) -> None:
    """Turn a talon card: it names the suit, and with four players the dealer plays it.

    With two players it may take the trick, for nobody.
    """
    card = hidden.talon_order[view.trick]
    view.talon_card[view.trick] = card
    view.talon |= 1 << card
    view.led = card >> 3
    if _talon_may_win(rules):
        view.trick_card[DEALER_HAND] = card
        view.winner = DEALER_HAND
        view.best_key = card_key(card, view.led, NO_TRUMP)


@kernel
def _open_trick(view: Record, hidden: Record, rules: Record) -> None:
    view.mover = view.leader
    view.in_trick = 0
    view.led = -1
    view.winner = -1
    view.best_key = -1
    for hand in range(N_HANDS + 1):
        view.trick_card[hand] = -1
    if _is_talon_led(view, rules):
        _lead_talon(view, hidden, rules)


@kernel
def _show_defence(view: Record, hidden: Record) -> None:
    """Lay the defenders' hands open; a catcher of misère takes over both."""
    for hand in range(N_HANDS):
        if hand != view.declarer and view.in_play >> hand & 1:
            view.shown[hand] = hidden.hands[hand]
    if view.catcher >= 0:
        take_defence(view, view.catcher)


@kernel
def _is_first_trick_dark(view: Record, rules: Record) -> bool:
    """Whether a misère is laid open only after its first trick.

    Not with two players, where one mind plays both hands from the first card (our choice).
    """
    return rules.misere_first_trick_dark == 1 and view.dummy < 0


@kernel
def _is_open_from_the_start(view: Record, rules: Record) -> bool:
    """Whether the defence lies open before the first lead."""
    if rules.family == REFET:
        return False
    if view.kind == MISERE_GAME:
        return view.declarer != view.leader and not _is_first_trick_dark(view, rules)
    return view.kind == TRICKS and (view.open_play == 1 or is_checked(rules, view))


@kernel
def is_led_through(rules: Record, kind: int, strain: int) -> bool:
    """Whether the first lead is not the eldest's: at the refet game's sans and preferans."""
    led_through = rules.family == REFET and rules.tricks_through == 1
    return led_through and kind == TRICKS and strain == NO_TRUMP


@kernel
def first_leader(led_through: bool, declarer: int, in_play: int) -> int:
    """The first hand that plays, whatever is played; where the declarer is led through, the hand
    before him, so that he plays second. Bit k of ``in_play``: hand k plays."""
    if led_through:
        after = next_hand(declarer)
        before = next_hand(after)
        return before if in_play >> before & 1 else after
    return ctz(in_play)


@kernel
def open_play(view: Record, hidden: Record, rules: Record) -> None:
    """Start the play: the leader plays first; open hands are laid down."""
    view.phase = CARD
    view.trick = 0
    led_through = is_led_through(rules, view.kind, view.strain)
    view.leader = first_leader(led_through, view.declarer, view.in_play)
    if view.kind == MISERE_GAME and rules.betl_open == 1:
        view.shown[view.declarer] = hidden.hands[view.declarer]
    if _is_open_from_the_start(view, rules):
        _show_defence(view, hidden)
    _open_trick(view, hidden, rules)


@kernel
def open_raspas(view: Record, hidden: Record, rules: Record) -> None:
    """All have passed: the hands are played for few tricks, or (two players) thrown in."""
    if view.dummy >= 0:
        if rules.dummy_raspas == DUMMY_NO_RASPAS:
            view.phase = DONE
            return
        if rules.dummy_raspas == DUMMY_DEAD:
            view.in_play &= ~(1 << view.dummy)
    open_play(view, hidden, rules)


@kernel
def resume_play(view: Record, hidden: Record) -> None:
    """Go on after the first card, when a lone whister has chosen open or closed."""
    view.phase = CARD
    view.mover = next_playing(view, view.leader)
    if view.open_play == 1:
        _show_defence(view, hidden)


@kernel
def legal_cards(view: Record, hand: int) -> int:
    """Mask of cards: follow suit, else trump, else anything."""
    if view.led < 0:
        return hand
    return follow(hand, suit_mask(view.led), trump_mask(view.strain))


@kernel
def _must_beat(view: Record, rules: Record, cards: int) -> int:
    """Of the cards that may be played by suit, those that beat the trick where they have to."""
    suit = ctz(cards) >> 3
    beats = rules.tricks_must_overtrump == 1 and suit == view.strain
    if suit == view.led:
        beats = rules.tricks_must_head == 1
    if view.led < 0 or not beats:
        return cards
    better = 0
    rest = cards
    while rest:
        card = ctz(rest)
        rest &= rest - 1
        if card_key(card, view.led, view.strain) > view.best_key:
            better |= 1 << card
    return better if better else cards


@kernel
def legal_plays(view: Record, hidden: Record, rules: Record) -> int:
    """Mask of the mover's legal cards; a dummy nobody decides for plays its lowest of them.

    Of cards equally low it plays that of the first suit (convention: our choice).
    """
    legal = legal_cards(view, hidden.hands[view.mover])
    if rules.tricks_must_head + rules.tricks_must_overtrump > 0:
        legal = _must_beat(view, rules, legal)
    if view.decides_for[view.mover] < 0:
        return 1 << lowest_rank(legal)
    return legal


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
    first = first_playing(view)
    if rules.raspas_nobody_follows != NOBODY_HIGHEST_OF_FIRST:
        return first
    winner = first
    for hand in range(first + 1, N_HANDS):
        card = view.trick_card[hand]
        if card >> 3 == view.trick_card[first] >> 3 and card > view.trick_card[winner]:
            winner = hand
    return winner


@kernel
def _third_leader(view: Record, rules: Record) -> int:
    """Who leads after a talon-led trick that ``view.winner`` took."""
    if view.trick == 1 or view.winner == DEALER_HAND:
        return first_playing(view)
    if rules.raspas_third_lead == THIRD_FIRST_HAND:
        return first_playing(view)
    return view.winner


@kernel
def _is_certain(view: Record, hidden: Record) -> bool:
    """Whether every card of the leader wins whenever he plays it: nothing is left to decide."""
    mine = hidden.hands[view.leader]
    others = 0
    for hand in range(N_HANDS):
        if view.in_play >> hand & 1 and hand != view.leader:
            others |= hidden.hands[hand]
    trumps = trump_mask(view.strain)
    if others & trumps and mine & ~trumps:
        return False
    for suit in range(N_SUITS):
        own = mine & suit_mask(suit)
        if own and (own & -own) < others & suit_mask(suit):
            return False
    return True


@kernel
def _may_write_off(view: Record, rules: Record) -> bool:
    """Whether the declarer may write a contract left alone, or a made misère, off his mountain."""
    if rules.values_off_mountain_instead == 0 or view.kind == RASPAS or view.concession > 0:
        return False
    if view.kind == MISERE_GAME:
        return view.tricks[view.player_of[view.declarer]] == 0
    for hand in range(N_HANDS):
        if view.whist_call[hand] == WHISTED or view.whist_call[hand] == HALF_WHISTED:
            return False
    return True


@kernel
def end_deal(view: Record, rules: Record) -> None:
    """The deal is over, unless the declarer may choose where to write it."""
    view.phase = DONE
    if _may_write_off(view, rules):
        view.phase = POINTS
        view.mover = view.declarer


@kernel
def who_takes(view: Record, hand: int) -> int:
    """Whose the tricks of a hand are: its player's; a talon card's the dealer's who led it, a
    dummy's his who decides for it, else nobody's (-1)."""
    if hand == DEALER_HAND:
        return view.dealer if view.n_players == MAX_PLAYERS else -1
    player = view.player_of[hand]
    return player if player >= 0 else view.decides_for[hand]


@kernel
def _take_tricks(view: Record, hand: int, n: int) -> None:
    player = who_takes(view, hand)
    if player >= 0:
        view.tricks[player] += n


@kernel
def _stops_in(view: Record, rules: Record, taker: int) -> int:
    """After how many more tricks play ends if one hand takes them all: where ``tricks.stop``, as
    soon as the declarer cannot make his contract; 0 or less if that is certain."""
    left = N_TRICKS - view.trick
    if rules.family != REFET or rules.tricks_stop == 0:
        return left
    own = view.tricks[view.player_of[view.declarer]]
    if view.kind == MISERE_GAME:
        return left if own == 0 and taker != view.declarer else min(left, 1 - own)
    to_fail = N_TRICKS + 1 - view.level - (view.trick - own)
    return left if to_fail > 0 and taker == view.declarer else min(left, to_fail)


@kernel
def _close_trick(view: Record, hidden: Record, rules: Record) -> None:
    if view.winner < 0:
        view.winner = _winner_without_follower(view, rules)
    _take_tricks(view, view.winner, 1)
    led_by_talon = _is_talon_led(view, rules)
    view.trick += 1
    view.leader = _third_leader(view, rules) if led_by_talon else view.winner
    left = _stops_in(view, rules, view.leader)
    if left <= 0:
        end_deal(view, rules)
        return
    if view.kind == MISERE_GAME and view.trick == 1 and _is_first_trick_dark(view, rules):
        _show_defence(view, hidden)
    if hidden.claims == 1 and not _is_talon_led(view, rules) and _is_certain(view, hidden):
        _take_tricks(view, view.leader, left)
        end_deal(view, rules)
        return
    _open_trick(view, hidden, rules)


@kernel
def _after_first_card(view: Record, hidden: Record, rules: Record) -> None:
    """A misère that the first hand plays is laid open; a whister in the dark chooses now."""
    if view.kind == MISERE_GAME and rules.family != REFET:
        if view.declarer == view.leader and not _is_first_trick_dark(view, rules):
            _show_defence(view, hidden)
    elif view.kind == TRICKS and chooses_after_card(view, rules):
        whister = find_lone_whister(view)
        if whister >= 0 and not is_checked(rules, view):
            ask_open(view, whister)


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
    view.mover = next_playing(view, hand)
    if view.mover == view.leader:
        _close_trick(view, hidden, rules)
        return
    if view.n_plays == 1:
        _after_first_card(view, hidden, rules)
