"""The auction (торговля): calls, the hold, raspas when all pass (Code of Preferans 3.4)."""

from __future__ import annotations

from scoring.contract import MISERE, MISERE_GAME, MISERE_WITHOUT, TRICKS, is_misere
from scoring.conventions import (
    AGREED_FIRST_DEAL,
    AGREED_OFF,
    HOLD_ENDS_AUCTION,
    HOLD_OFF,
    MISERE_FIRST_WORD,
)
from scoring.kernel import Record, ctz, kernel, popcount
from scoring.rules import lowest_bid
from scoring.sheet import exit_level

from .state import AGREE, AGREES, AUCTION, DARK, DARK_PASS, FIRST_BID, HOLD, N_HANDS, PASS

_MISERES = 1 << MISERE | 1 << MISERE_WITHOUT


@kernel
def log_call(view: Record, action: int) -> None:
    """Append a public call of the mover."""
    view.calls[view.n_calls] = view.phase << 8 | view.mover << 6 | action
    view.n_calls += 1


@kernel
def open_auction(view: Record, rules: Record) -> None:
    """Start with the eldest player, where it is allowed with the question of raspas by agreement.

    A dummy has no word.
    """
    if view.dummy >= 0:
        view.active &= ~(1 << view.dummy)
    view.mover = ctz(view.active)
    if rules.raspas_exit_is_min_bid == 1:
        view.min_level = exit_level(rules, view.raspas_index)
    agreed = rules.raspas_agreed
    if agreed == AGREED_OFF or (agreed == AGREED_FIRST_DEAL and view.deal > 0):
        _open_calls(view, rules)
    else:
        view.phase = AGREE


@kernel
def _open_calls(view: Record, rules: Record) -> None:
    """The eldest may first be asked to pass in the dark."""
    view.phase = DARK if rules.auction_dark_pass == 1 else AUCTION
    view.mover = ctz(view.active)


@kernel
def apply_agree(view: Record, rules: Record, action: int) -> bool:
    """Agree to raspas, or refuse: then the auction begins; True once all have agreed."""
    log_call(view, action)
    if action != AGREES:
        _open_calls(view, rules)
        return False
    left = view.active >> (view.mover + 1)
    if left == 0:
        return True
    view.mover += 1 + ctz(left)
    return False


@kernel
def next_hand(hand: int) -> int:
    """The hand to the left."""
    return 0 if hand == N_HANDS - 1 else hand + 1


@kernel
def next_active(view: Record) -> int:
    """The next hand to the left that has not passed."""
    hand = view.mover
    for _ in range(N_HANDS):
        hand = next_hand(hand)
        if view.active >> hand & 1:
            break
    return hand


@kernel
def apply_dark(view: Record, action: int) -> None:
    """Look, or pass without looking (тёмный пас): then the next hand has the word."""
    log_call(view, action)
    view.phase = AUCTION
    if action == DARK_PASS:
        view.dark = 1
        view.active &= ~(1 << view.mover)
        view.mover = next_active(view)


@kernel
def may_hold(view: Record, rules: Record) -> bool:
    """Hold («здесь»): of two bidders left, the senior over the junior's bid; never over misère.

    Who bid misère as his first word has no further call but pass.
    """
    if is_misere(view.last_bid[view.mover]) and rules.auction_misere == MISERE_FIRST_WORD:
        return False
    return (
        rules.auction_hold != HOLD_OFF
        and view.bid >= 0
        and not is_misere(view.bid)
        and view.mover < view.bidder
        and popcount(view.active) == 2
    )


@kernel
def _bound_by_misere(bids: int, own: int, rules: Record) -> int:
    """Bids left to a player who last bid ``own``, where misère is a first word (кабальный)."""
    if own == MISERE:
        return bids & 1 << MISERE_WITHOUT if rules.auction_misere_then_without_talon == 1 else 0
    if own == MISERE_WITHOUT:
        return 0
    return bids & ~_MISERES if own >= 0 else bids


@kernel
def legal_calls(view: Record, rules: Record) -> int:
    """Mask of calls: pass, hold, and bids that outrank the standing one."""
    bids = rules.bids_above[view.bid + 1] & rules.bids_from_level[view.min_level - 6]
    if rules.auction_misere == MISERE_FIRST_WORD:
        bids = _bound_by_misere(bids, view.last_bid[view.mover], rules)
    if rules.auction_jumps == 0 and bids != 0:
        bids = 1 << lowest_bid(rules, bids)
    legal = 1 << PASS | bids << FIRST_BID
    if may_hold(view, rules):
        legal |= 1 << HOLD
    return legal


@kernel
def apply_call(view: Record, rules: Record, action: int) -> bool:
    """Apply a call; True if the auction is over (``view.declarer`` is -1 after three passes)."""
    log_call(view, action)
    if action == PASS:
        view.active &= ~(1 << view.mover)
    else:
        if action != HOLD:
            view.bid = action - FIRST_BID
        elif rules.auction_hold == HOLD_ENDS_AUCTION:
            view.active = 1 << view.mover
        view.bidder = view.mover
        view.last_bid[view.mover] = view.bid
    if view.active == 0:
        return True
    if view.bid >= 0 and view.active & (view.active - 1) == 0:
        view.declarer = view.bidder
        view.contract = view.bid
        view.without_talon = 1 if view.bid >= MISERE_WITHOUT else 0
        view.kind = MISERE_GAME if is_misere(view.bid) else TRICKS
        return True
    view.mover = next_active(view)
    return False
