"""The auction (торговля): calls, the hold, raspas when all pass (Code of Preferans 3.4)."""

from __future__ import annotations

from scoring.contract import MISERE, MISERE_GAME, RASPAS, TRICKS
from scoring.convention import MAX_PROGRESSION
from scoring.conventions import HOLD_MAY_RAISE, MISERE_FIRST_WORD
from scoring.kernel import Record, kernel, popcount

from .state import AUCTION, FIRST_BID, HOLD, N_HANDS, PASS


@kernel
def log_call(view: Record, action: int) -> None:
    """Append a public call of the mover."""
    view.calls[view.n_calls] = view.phase << 8 | view.mover << 6 | action
    view.n_calls += 1


@kernel
def open_auction(view: Record, rules: Record) -> None:
    """Start the auction with the eldest hand."""
    view.phase = AUCTION
    view.mover = 0
    view.active = (1 << N_HANDS) - 1
    view.bid = -1
    view.bidder = -1
    view.kind = RASPAS
    view.declarer = -1
    index = min(view.raspas_index, MAX_PROGRESSION - 1)
    view.min_level = rules.raspas_exit_levels[index]
    for hand in range(N_HANDS):
        view.last_bid[hand] = -1


@kernel
def may_hold(view: Record, rules: Record) -> bool:
    """Hold («здесь»): of two bidders left, the senior over the junior's bid; never over misère.

    Who bid misère as his first word has no further call but pass.
    """
    if view.last_bid[view.mover] == MISERE and rules.auction_misere == MISERE_FIRST_WORD:
        return False
    return (
        rules.auction_hold == HOLD_MAY_RAISE
        and view.bid >= 0
        and view.bid != MISERE
        and view.mover < view.bidder
        and popcount(view.active) == 2
    )


@kernel
def legal_calls(view: Record, rules: Record) -> int:
    """Mask of calls: pass, hold, and bids that outrank the standing one."""
    bids = rules.bids_above[view.bid + 1] & rules.bids_from_level[view.min_level - 6]
    own = view.last_bid[view.mover]
    if rules.auction_misere == MISERE_FIRST_WORD:
        if own == MISERE:
            bids = 0
        elif own >= 0:
            bids &= ~(1 << MISERE)
    if rules.auction_jumps == 0:
        bids = _lowest_rung(bids)
    legal = 1 << PASS | bids << FIRST_BID
    if may_hold(view, rules):
        legal |= 1 << HOLD
    return legal


@kernel
def _lowest_rung(bids: int) -> int:
    """The lowest bid of a mask on the ladder (misère stands below the nines)."""
    below_misere = bids & ((1 << 15) - 1)
    if below_misere:
        return below_misere & -below_misere
    misere = bids & (1 << MISERE)
    if misere:
        return misere
    return bids & -bids


@kernel
def next_hand(hand: int) -> int:
    """The hand to the left."""
    return 0 if hand == N_HANDS - 1 else hand + 1


@kernel
def _next_active(view: Record) -> int:
    hand = view.mover
    for _ in range(N_HANDS):
        hand = next_hand(hand)
        if view.active >> hand & 1:
            break
    return hand


@kernel
def apply_call(view: Record, action: int) -> bool:
    """Apply a call; True if the auction is over (``view.declarer`` is -1 after three passes)."""
    log_call(view, action)
    if action == PASS:
        view.active &= ~(1 << view.mover)
    else:
        if action != HOLD:
            view.bid = action - FIRST_BID
        view.bidder = view.mover
        view.last_bid[view.mover] = view.bid
    if view.active == 0:
        return True
    if view.bid >= 0 and view.active & (view.active - 1) == 0:
        view.declarer = view.bidder
        view.contract = view.bid
        view.kind = MISERE_GAME if view.bid == MISERE else TRICKS
        return True
    view.mover = _next_active(view)
    return False
