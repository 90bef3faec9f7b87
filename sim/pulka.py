"""A pulka (пулька): deals, each scored on the sheet, until the variant's end."""

from __future__ import annotations

from scoring.contract import N_ROWS, NO_TRUMP, RASPAS, TRICKS
from scoring.conventions import RAZBOINIK, REFET, SEAT_FIRST, SEAT_LAST
from scoring.kernel import Record, ctz, kernel, msb, outline
from scoring.result import MAX_PLAYERS, NO_DECISION, TWO_PLAYERS
from scoring.sheet import (
    clear_sheet,
    copy_sheet,
    is_over,
    next_dealer,
    settle,
    spend_time,
    write_deal,
)

from .auction import apply_agree, apply_call, apply_dark, open_auction
from .bidding import (
    ALL_PASSED,
    NAMED,
    UNNAMED,
    apply_bid,
    apply_refet_contract,
    apply_suit,
    open_bidding,
    open_naming,
)
from .cards import quick_tricks
from .deals import draw_deal, player_keys, second_first, unrank
from .follow import apply_come, apply_contra, open_follow
from .play import (
    apply_card,
    end_deal,
    open_play,
    open_raspas,
    passes_along,
    resume_play,
)
from .rows import apply_row, open_defence, open_table
from .state import (
    AGREE,
    AUCTION,
    BIDDING,
    CARD,
    CATCH,
    COME,
    CONTRA,
    CONTRACT,
    DARK,
    DEALER_WHIST,
    DISCARD,
    DONE,
    FIRST_BID,
    N_HANDS,
    OPEN,
    PASS_ALONG,
    ROW,
    SUIT,
    WHIST,
)
from .talon import (
    apply_contract,
    apply_discard,
    apply_pass_along,
    open_contract,
    open_pass_along,
    turn_talon,
)
from .whist import (
    LONE_WHISTER,
    NOT_PLAYED,
    PLAYED,
    apply_catch,
    apply_dealer_whist,
    apply_open,
    apply_whist,
    ask_open,
    chooses_after_card,
    find_lone_whister,
    open_catch,
    open_whist,
)


@outline
def begin_pulka(view: Record, hidden: Record, rules: Record, pulka: int) -> None:
    """An empty sheet; the last player deals first, so that player 0 is the eldest."""
    clear_sheet(rules, view)
    settle(rules, view, hidden.balance)
    view.deal = -1
    view.n_players = rules.n_players
    view.dealer = rules.n_players - 2
    hidden.pulka = pulka


@outline
def resume_pulka(view: Record, hidden: Record, rules: Record, start: Record) -> None:
    """Go on from a sheet in mid-game (``START_DTYPE``) instead of the empty one."""
    copy_sheet(start, view)
    settle(rules, view, hidden.balance)
    view.deal = start.n_deals - 1
    view.dealer = start.dealer
    if start.stays == 0:
        view.dealer = (start.dealer + rules.n_players - 1) % rules.n_players


@kernel
def _clear_deal(view: Record) -> None:
    view.n_calls = 0
    view.active = (1 << N_HANDS) - 1
    view.dark = 0
    view.bid = -1
    view.bidder = -1
    view.held = 0
    view.min_level = 6
    view.kind = RASPAS
    view.declarer = -1
    view.row_named = -1
    view.n_plays = 0
    view.played = 0
    view.talon = 0
    view.level = 6
    view.strain = NO_TRUMP
    view.contract = -1
    view.without_talon = 0
    view.concession = 0
    view.off_mountain = 0
    view.open_play = 0
    view.contra = 0
    view.contra_by = -1
    view.catcher = -1
    view.last_whister = -1
    view.trick = 0
    view.in_trick = 0
    view.led = -1
    for k in range(2):
        view.talon_card[k] = -1
    for hand in range(N_HANDS):
        view.last_bid[hand] = -1
        view.whist_call[hand] = NO_DECISION
        view.played_by[hand] = 0
        view.shown[hand] = 0
        view.voids[hand] = 0
    for hand in range(N_HANDS + 1):
        view.trick_card[hand] = -1
    for player in range(MAX_PLAYERS):
        view.tricks[player] = 0


@kernel
def _dummy_hand(rules: Record) -> int:
    """The dummy's hand with two players, else -1."""
    if rules.n_players != TWO_PLAYERS:
        return -1
    if rules.dummy_seat == SEAT_FIRST:
        return 0
    return 2 if rules.dummy_seat == SEAT_LAST else 1


@kernel
def _seat_hands(view: Record, rules: Record) -> None:
    """The hands go round from the player after the dealer, who is the last of three players and
    has none of four; two players have the dummy among them."""
    view.in_play = (1 << N_HANDS) - 1
    view.dummy = _dummy_hand(rules)
    for player in range(MAX_PLAYERS):
        view.hand_of[player] = -1
    player = view.dealer
    for hand in range(N_HANDS):
        if hand == view.dummy:
            view.player_of[hand] = -1
            view.decides_for[hand] = -1
            continue
        player = 0 if player == view.n_players - 1 else player + 1
        view.player_of[hand] = player
        view.decides_for[hand] = player
        view.hand_of[player] = hand


@outline
def lay_hands(
    view: Record,
    hidden: Record,
    rules: Record,
    hands: tuple[int, int, int],
    first: int,
    second: int,
) -> None:
    """Deal these hands and two talon cards in this order; open the auction, or ask for a row."""
    _clear_deal(view)
    _seat_hands(view, rules)
    for hand in range(N_HANDS):
        hidden.hands[hand] = hands[hand]
        hidden.discard[hand] = 0
        hidden.received[hand] = 0
    hidden.talon = 1 << first | 1 << second
    hidden.talon_order[0] = first
    hidden.talon_order[1] = second
    hidden.n_decisions = 0
    if rules.family == RAZBOINIK:
        open_table(view, hidden, rules)
    elif rules.family == REFET:
        open_bidding(view)
    else:
        open_auction(view, rules)


@outline
def lay_deal(view: Record, hidden: Record, rules: Record, number: int) -> None:
    """Deal the cards of a number and open the auction, or ask for a row."""
    hand0, hand1, hand2, talon = unrank(number)
    hidden.number = number
    low, high = ctz(talon), msb(talon)
    if second_first(number):
        lay_hands(view, hidden, rules, (hand0, hand1, hand2), high, low)
    else:
        lay_hands(view, hidden, rules, (hand0, hand1, hand2), low, high)


@kernel
def begin_deal(view: Record, hidden: Record, rules: Record, seed: int) -> None:
    """The next deal of the pulka, with its dealer; cards by the deal number."""
    view.deal += 1
    view.dealer = next_dealer(rules, view, view.dealer)
    key0, key1, key2, key3 = player_keys(seed, hidden.pulka, view.deal)
    hidden.key[0] = key0
    hidden.key[1] = key1
    hidden.key[2] = key2
    hidden.key[3] = key3
    for player in range(MAX_PLAYERS):
        hidden.drawn[player] = 0
    lay_deal(view, hidden, rules, draw_deal(seed, hidden.pulka, view.deal))


@kernel
def _after_auction(view: Record, hidden: Record, rules: Record) -> None:
    if view.kind == RASPAS:
        if passes_along(rules):
            open_pass_along(view, hidden)
        else:
            open_raspas(view, hidden, rules)
    elif view.without_talon == 0:
        turn_talon(view, hidden)
    elif not open_contract(view):
        _after_contract(view, hidden, rules)


@kernel
def _after_contract(view: Record, hidden: Record, rules: Record) -> None:
    asked = False
    if rules.family == RAZBOINIK:
        open_defence(view, rules)
    elif rules.family == REFET:
        asked = open_follow(view, rules) < 0
    elif view.kind == TRICKS:
        asked = open_whist(view, hidden, rules)
    else:
        asked = open_catch(view, rules)
    if not asked:
        open_play(view, hidden, rules)


@kernel
def _after_bidding(view: Record, hidden: Record, rules: Record, end: int) -> None:
    """Go on as the refet game's auction ended; nothing to do while somebody is asked."""
    if end == ALL_PASSED:
        view.phase = DONE
    elif end == UNNAMED:
        open_naming(view, hidden, rules)
    elif end == NAMED:
        _after_contract(view, hidden, rules)


@kernel
def _apply_contract(view: Record, hidden: Record, rules: Record, action: int) -> None:
    if rules.family == REFET:
        apply_refet_contract(view, action)
    elif not apply_contract(view, rules, action):
        view.phase = DONE
        return
    _after_contract(view, hidden, rules)


@kernel
def _after_whist(view: Record, hidden: Record, rules: Record, end: int) -> None:
    """Go on as the whist calls ended; nothing to do while somebody is asked (-1)."""
    if end == NOT_PLAYED:
        end_deal(view, rules)
    elif end == LONE_WHISTER and not chooses_after_card(view, rules):
        ask_open(view, find_lone_whister(view))
    elif end == LONE_WHISTER or end == PLAYED:
        open_play(view, hidden, rules)


@kernel
def _apply_open(view: Record, hidden: Record, rules: Record, action: int) -> None:
    apply_open(view, rules, action)
    if view.n_plays == 0:
        open_play(view, hidden, rules)
    else:
        resume_play(view, hidden)


@kernel
def _apply_seldom(view: Record, hidden: Record, rules: Record, action: int) -> None:
    """The phases that few variants have."""
    phase = view.phase
    if phase == DARK:
        apply_dark(view, action)
    elif phase == PASS_ALONG:
        if apply_pass_along(view, hidden, action):
            open_play(view, hidden, rules)
    elif phase == DEALER_WHIST:
        _after_whist(view, hidden, rules, apply_dealer_whist(view, action))
    elif phase == CATCH:
        if apply_catch(view, action):
            open_play(view, hidden, rules)
    elif phase == AGREE:
        if apply_agree(view, rules, action):
            _after_auction(view, hidden, rules)
    elif phase == ROW:
        apply_row(view, hidden, action)
    elif phase == BIDDING:
        _after_bidding(view, hidden, rules, apply_bid(view, action))
    elif phase == SUIT:
        _after_bidding(view, hidden, rules, apply_suit(view, action))
    elif phase == COME:
        _after_whist(view, hidden, rules, apply_come(view, rules, action))
    elif phase == CONTRA:
        _after_whist(view, hidden, rules, apply_contra(view, rules, action))
    else:
        view.off_mountain = action
        view.phase = DONE


@kernel
def apply_action(view: Record, hidden: Record, rules: Record, action: int) -> None:
    """Apply a legal action and go on to the next decision, or to DONE."""
    phase = view.phase
    if phase == CARD:
        apply_card(view, hidden, rules, action)
    elif phase == AUCTION:
        if apply_call(view, rules, action):
            _after_auction(view, hidden, rules)
    elif phase == DISCARD:
        if apply_discard(view, hidden, action) and not open_contract(view):
            _after_contract(view, hidden, rules)
    elif phase == CONTRACT:
        _apply_contract(view, hidden, rules, action)
    elif phase == WHIST:
        _after_whist(view, hidden, rules, apply_whist(view, rules, action))
    elif phase == OPEN:
        _apply_open(view, hidden, rules, action)
    else:
        _apply_seldom(view, hidden, rules, action)


@outline
def advance(view: Record, hidden: Record, rules: Record, action: int) -> None:
    """:func:`apply_action` with a body of its own, for all but the driver: compiled once."""
    apply_action(view, hidden, rules, action)


@kernel
def _fill_row(view: Record, hidden: Record, row: Record) -> None:
    row.pulka = hidden.pulka
    row.deal = view.deal
    row.number = hidden.number
    row.dealer = view.dealer
    row.kind = view.kind
    row.level = view.level
    row.strain = view.strain if view.kind == TRICKS else 0
    row.declarer = view.player_of[view.declarer] if view.declarer >= 0 else -1
    row.concession = view.concession
    row.last_whister = view.player_of[view.last_whister] if view.last_whister >= 0 else -1
    row.open_play = view.open_play
    row.played = 1 if view.n_plays > 0 else 0
    row.contra = view.contra
    row.contra_by = view.player_of[view.contra_by] if view.contra_by >= 0 else -1
    row.without_talon = view.without_talon
    row.off_mountain = view.off_mountain
    taken = view.kind != RASPAS and view.talon != 0
    row.talon_units = quick_tricks(hidden.talon) if taken else 0
    row.dark_level = view.dark if view.kind == RASPAS else 0
    row.bid = view.bid
    row.n_decisions = hidden.n_decisions
    for player in range(MAX_PLAYERS):
        row.tricks[player] = view.tricks[player]
        row.decision[player] = NO_DECISION
    for hand in range(N_HANDS):
        if hand != view.dummy:
            row.decision[view.player_of[hand]] = view.whist_call[hand]
    n_bids = 0
    for k in range(view.n_calls):
        phase = view.calls[k] >> 8
        if (phase == AUCTION or phase == BIDDING) and view.calls[k] & 63 >= FIRST_BID:
            n_bids += 1
    row.n_bids = n_bids


@outline
def finish_deal(view: Record, hidden: Record, rules: Record, row: Record) -> bool:
    """Score the deal, write it on the sheet and into ``row``; True if the pulka is over."""
    _fill_row(view, hidden, row)
    given = view.refets_given
    write_deal(rules, view, row, hidden)
    row.refets_written = view.refets_given - given
    spend_time(rules, view, row)
    for player in range(MAX_PLAYERS):
        hidden.before[player] = hidden.balance[player]
    settle(rules, view, hidden.balance)
    for player in range(MAX_PLAYERS):
        row.value[player] = hidden.balance[player] - hidden.before[player]
    return is_over(rules, view)


@outline
def finish_pulka(view: Record, hidden: Record, row: Record, over: bool) -> None:
    """Copy the last sheet and its settlement into a pulka row."""
    row.pulka = hidden.pulka
    row.n_deals = view.deal + 1
    row.unfinished = 0 if over else 1
    row.refets_given = view.refets_given
    for player in range(MAX_PLAYERS):
        row.refets[player] = view.refets[player]
        row.pool[player] = view.pool[player]
        row.mountain[player] = view.mountain[player]
        row.result[player] = hidden.balance[player]
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        row.whists[k] = view.whists[k]
    for k in range(TWO_PLAYERS * N_ROWS):
        row.row[k] = view.row[k]
