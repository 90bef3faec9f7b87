"""The refet game's auction (licitacija): numbers in steps of one, the hold, games from the hand.

Sources: Preferansklub rules 7-8; iPref rules 4 (who may hold, ``bidding.hold``).
"""

from __future__ import annotations

from scoring.contract import (
    BETL,
    MISERE_GAME,
    PREFERANS,
    REFET_CLUBS,
    REFET_SPADES,
    SANS,
    TRICKS,
    refet_strain,
)
from scoring.conventions_refet import HOLD_NEXT
from scoring.kernel import Record, ctz, kernel

from .auction import log_call, next_active
from .state import (
    BIDDING,
    CONTRACT,
    GAME_BETL,
    GAME_CALL,
    GAME_PREFERANS,
    GAME_SANS,
    HOLD,
    N_HANDS,
    PASS,
    SUIT,
)
from .talon import take_talon, turn_talon

LOWEST_HELD = 3
"""The first number that may be held."""
_SUITS = (1 << REFET_CLUBS + 1) - (1 << REFET_SPADES)

ASKED, ALL_PASSED, NAMED, UNNAMED = range(4)
"""After a call: another is asked, all have passed, the contract is known, or it is to be named."""


@kernel
def open_bidding(view: Record) -> None:
    """Start with the first hand."""
    view.phase = BIDDING
    view.mover = 0


@kernel
def highest_number(rules: Record) -> int:
    """The highest contract that may be bid: sans, or preferans where it is played."""
    return PREFERANS if rules.bidding_preferans == 1 else SANS


@kernel
def _span(low: int, high: int) -> int:
    """Mask of the numbers low..high."""
    return (1 << high + 1) - (1 << low) if low <= high else 0


@kernel
def legal_games(view: Record, rules: Record) -> int:
    """Mask of game calls, of who has not called before: from the standing one up, betl, sans and
    preferans only above it."""
    if view.last_bid[view.mover] >= 0:
        return 0
    highest = GAME_PREFERANS if rules.bidding_preferans == 1 else GAME_SANS
    lowest = view.bid if view.bid <= GAME_CALL else view.bid + 1
    return _span(max(GAME_CALL, lowest), highest)


@kernel
def _must_hold(view: Record, rules: Record) -> bool:
    """Whether who does not pass has to hold the standing number: he may not raise it."""
    if view.bid < LOWEST_HELD:
        return False
    if rules.bidding_hold == HOLD_NEXT:
        return view.held == 0
    return view.mover == ctz(view.active) and view.last_bid[view.mover] >= 0


@kernel
def legal_numbers(view: Record, rules: Record) -> int:
    """Mask of hold and numbers; none after a game call."""
    if view.bid >= GAME_CALL:
        return 0
    if _must_hold(view, rules):
        return 1 << HOLD
    lowest = max(REFET_SPADES, view.bid + 1)
    highest = highest_number(rules)
    return _span(lowest, highest if rules.bidding_jumps == 1 else min(lowest, highest))


@kernel
def legal_bids(view: Record, rules: Record) -> int:
    """Mask of calls: pass, hold, numbers 2..8, games."""
    return 1 << PASS | legal_numbers(view, rules) | legal_games(view, rules)


@kernel
def _only_games_left(view: Record) -> bool:
    """Whether all who are left called a game in a suit: they name it in turn."""
    for hand in range(N_HANDS):
        if view.active >> hand & 1 and view.last_bid[hand] != GAME_CALL:
            return False
    return True


@kernel
def name_refet_contract(view: Record, base: int) -> None:
    """Fix the contract that is played by its base value 2..8."""
    view.contract = base
    view.kind = MISERE_GAME if base == BETL else TRICKS
    view.level = 10 if base == PREFERANS else 6
    view.strain = refet_strain(base)


@kernel
def _end_bidding(view: Record) -> int:
    """The last bidder declares: a game from the hand without the talon."""
    view.declarer = view.bidder
    view.kind = TRICKS
    view.contract = view.bid
    if view.bid < GAME_CALL:
        return UNNAMED
    view.without_talon = 1
    if view.bid == GAME_CALL:
        return UNNAMED
    name_refet_contract(view, BETL + view.bid - GAME_BETL)
    return NAMED


@kernel
def apply_bid(view: Record, action: int) -> int:
    """Apply a call; ASKED, or how the auction ended."""
    log_call(view, action)
    if action == PASS:
        view.active &= ~(1 << view.mover)
        if view.active == 0:
            return ALL_PASSED
    else:
        view.held = 1 if action == HOLD else 0
        if action != HOLD:
            view.bid = action
        view.bidder = view.mover
        view.last_bid[view.mover] = view.bid
    if view.bid >= 0 and view.active & (view.active - 1) == 0:
        return _end_bidding(view)
    if _only_games_left(view):
        view.phase = SUIT
        view.mover = ctz(view.active)
        view.contract = PASS
        return ASKED
    view.mover = next_active(view)
    return ASKED


@kernel
def legal_suits(view: Record) -> int:
    """Mask of the suits above the best one named so far, and of «yours is better»."""
    if view.contract == PASS:
        return _SUITS
    return 1 << PASS | _span(view.contract + 1, REFET_CLUBS)


@kernel
def apply_suit(view: Record, action: int) -> int:
    """Name the suit of a game, or give way; NAMED once all have spoken."""
    log_call(view, action)
    if action != PASS:
        view.contract = action
        view.bidder = view.mover
    left = view.active >> (view.mover + 1)
    if left:
        view.mover += 1 + ctz(left)
        return ASKED
    view.declarer = view.bidder
    view.without_talon = 1
    name_refet_contract(view, view.contract)
    return NAMED


@kernel
def open_naming(view: Record, hidden: Record, rules: Record) -> None:
    """The declarer takes the talon, or names the suit of his game from the hand."""
    if view.without_talon == 1:
        view.phase = CONTRACT
        view.mover = view.declarer
    elif rules.bidding_talon_shown == 1:
        turn_talon(view, hidden)
    else:
        take_talon(view, hidden)


@kernel
def legal_refet_contracts(view: Record, rules: Record) -> int:
    """Mask of contracts 2..8 that are not below the number bid, or the suits of a game."""
    if view.without_talon == 1:
        return _SUITS
    return _span(view.bid, highest_number(rules))


@kernel
def apply_refet_contract(view: Record, action: int) -> None:
    """Name the contract."""
    log_call(view, action)
    name_refet_contract(view, action)
