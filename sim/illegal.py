"""Why an action is not legal, by the rules: a clause for each reason, about ``he``, the mover.

The engine decides what is legal (the masks of ``sim.view``); here its refusals are put into words.
"""

from __future__ import annotations

from collections.abc import Callable

from scoring.contract import (
    MISERE,
    MISERE_ROW,
    MISERE_WITHOUT,
    N_CONTRACTS,
    N_ROWS,
    N_STRAINS,
    RASPAS,
    ROWS,
    format_contract,
    is_misere,
)
from scoring.conventions import (
    HOLD_OFF,
    MISERE_FIRST_WORD,
    ROW_BEFORE,
)

from .cards import N_CARDS, SUIT_SYMBOLS, suit_mask, told_cards, trump_mask
from .illegal_refet import (
    why_no_refet_bid,
    why_no_refet_contract,
    why_no_suit,
    why_not_beating,
    why_not_coming,
    why_not_contra,
)
from .play import legal_cards
from .position import Position
from .records.actions import defenders
from .records.words import WITH_HAND
from .state import (
    AUCTION,
    BIDDING,
    CALL_HALF,
    CALL_PASS,
    CARD,
    CLOSED,
    COME,
    CONCEDE,
    CONTRA,
    CONTRACT,
    DEALER_WHIST,
    DISCARD,
    FIRST_BID,
    HOLD,
    OPEN,
    OPENED,
    PASS_ALONG,
    PHASES,
    ROW,
    SUIT,
    TAKE_TALON,
    WHIST,
)
from .whist import FIRST, LONG, SECOND, is_stalingrad

ORDER = "order ♠ ♣ ♦ ♥, from the seven to the ace"
"""Order of cards that are laid away."""


# The auction


def _why_no_hold(at: Position) -> str:
    bid = int(at.view["bid"])
    active = int(at.view["active"]).bit_count()
    own = int(at.view["last_bid"][at.mover])
    if at.rule("auction_hold") == HOLD_OFF:
        return "there is no hold in this variant (auction.hold)"
    if bid < 0:
        return "there is no bid to hold"
    if is_misere(bid):
        return f"{format_contract(bid)} cannot be held"
    if is_misere(own) and at.rule("auction_misere") == MISERE_FIRST_WORD:
        return "who bid misere may not hold (auction.misere)"
    if active != 2:
        return f"hold is for two bidders, and {active} have not passed"
    return "only the senior of two bidders may hold, and he is the junior"


def _why_bound(at: Position, code: int) -> str:
    """Why a bid is not open to who bid misère, or misère not to who bid; empty where it is."""
    own = int(at.view["last_bid"][at.mover])
    if at.rule("auction_misere") != MISERE_FIRST_WORD or own < 0:
        return ""
    if own == MISERE and at.rule("auction_misere_then_without_talon"):
        if code != MISERE_WITHOUT:
            return "he bid misere and may only pass or bid misere wt (auction.misere)"
    elif is_misere(own):
        return f"he bid {format_contract(own)} and may only pass (auction.misere)"
    elif is_misere(code):
        return f"misere may only be a first word, and he has bid {format_contract(own)}"
    return ""


def _why_too_low(at: Position, code: int) -> str:
    """Why the row of raspas forbids a level; empty where it does not."""
    lowest, row = int(at.view["min_level"]), int(at.view["raspas_index"])
    if int(at.rules["bids_from_level"][lowest - 6]) >> code & 1:
        return ""
    more = " and misere may not be bid above eight" if is_misere(code) else ""
    return f"the lowest level after {row} raspas in a row is {lowest}{more} (raspas.exit_levels)"


def _why_no_bid(at: Position, code: int) -> str:
    bid = int(at.view["bid"])
    if not at.is_on_ladder(code):
        return _not_on_ladder(code)
    why = _why_bound(at, code) or _why_too_low(at, code)
    if why:
        return why
    if not at.outranks(code, bid):
        return f"{format_contract(code)} does not outrank {format_contract(bid)}"
    lowest = int(at.view["legal"]) >> FIRST_BID
    next_bid = format_contract(lowest.bit_length() - 1)
    return f"bids may not jump, and the next bid is {next_bid} (auction.jumps)"


def _not_on_ladder(code: int) -> str:
    return f"{format_contract(code)} is not bid in this variant (auction.without_talon)"


def _why_no_call(at: Position, action: int) -> str:
    if action == HOLD:
        return _why_no_hold(at)
    if not FIRST_BID <= action < FIRST_BID + N_CONTRACTS:
        return "a call is pass, hold or a contract"
    return _why_no_bid(at, action - FIRST_BID)


# Cards laid away, the contract


def _why_not_laid(at: Position, card: int) -> str:
    if not 0 <= card < N_CARDS:
        return "it is no card"
    laid = int(at.hidden["discard"][at.mover])
    if laid >> card & 1:
        return "he has laid it away already"
    if not at.hand >> card & 1:
        return "he holds no such card"
    if laid:
        return (
            f"the second card laid away must be higher than the first, {told_cards(laid)} ({ORDER})"
        )
    return f"of two cards laid away the lower comes first, and this is his highest ({ORDER})"


def _why_no_contract(at: Position, action: int) -> str:
    if at.is_razboinik:
        return _why_no_row_contract(at, action)
    if at.is_refet:
        return why_no_refet_contract(at, action)
    bid, without = int(at.view["bid"]), int(at.view["without_talon"]) == 1
    if action == CONCEDE:
        if without:
            return "who bid without the talon may not concede"
        return "conceding is not allowed in this variant (contract.concession)"
    if not 0 <= action < N_CONTRACTS:
        return "he names a contract or concedes"
    if is_misere(action):
        return "who bid for tricks may not turn to misere"
    if without and action < MISERE:
        return "who bid without the talon names a contract without it"
    if not without and action > MISERE:
        return "the talon is taken, so a contract without it may not be named"
    if not at.is_on_ladder(action):
        return _not_on_ladder(action)
    return f"{format_contract(action)} is below his bid, {format_contract(bid)}"


# Razboinik


def _why_filled(at: Position, row: int) -> str:
    """Why a row may not be named again; empty while it is open."""
    first = N_ROWS * int(at.view["player_of"][at.mover])
    return f"his row {ROWS[row]} is filled" if int(at.view["row"][first + row]) >= 0 else ""


def _why_no_row(at: Position, action: int) -> str:
    if not 0 <= action <= TAKE_TALON:
        return "a row is 6 to 10 or misere, or the talon is taken"
    named_first = at.rule("razboinik_talon") == ROW_BEFORE
    if action == TAKE_TALON:
        if named_first:
            return "every row is named before the talon is taken (razboinik.talon)"
        return "only his row misere is open, and it is named before the talon is taken"
    why = _why_filled(at, action)
    return why or "this row is named after the talon is taken (razboinik.talon)"


def _why_no_row_contract(at: Position, action: int) -> str:
    if not 0 <= action < N_CONTRACTS or action > MISERE:
        return "the declarer names a contract of an open row"
    row = MISERE_ROW if action == MISERE else action // N_STRAINS
    named = int(at.view["row_named"])
    if named >= 0:
        return f"he has named the row {ROWS[named]}"
    return _why_filled(at, row) or "misere is named before the talon is taken (razboinik.talon)"


# The whist


def _why_no_half(at: Position) -> str:
    stage, level = int(at.view["whist_stage"]), int(at.view["level"])
    levels = at.rule("whist_half_levels")
    if not levels >> level & 1:
        said = ", ".join(str(k) for k in range(6, 11) if levels >> k & 1) or "no level"
        return f"half-whist is said at {said} only (whist.half_levels)"
    if stage == FIRST:
        return "the first defender says pass or whist, half-whist only after he has whisted alone"
    if stage == SECOND:
        return "the second defender says half-whist only after the first has passed"
    return "asked again, a defender says whist or pass"


def _why_no_whist_of_two(at: Position, action: int) -> str:
    if action == CALL_HALF:
        return "there is no half-whist with two players"
    if action != CALL_PASS:
        return "a defender says pass or whist"
    if is_stalingrad(at.view, at.rules):
        return "six spades must be whisted (whist.stalingrad)"
    return "the defender may not pass in this variant (dummy.defence)"


def _why_no_whist(at: Position, action: int) -> str:
    if at.of_two:
        return _why_no_whist_of_two(at, action)
    if action == CALL_HALF:
        return _why_no_half(at)
    if action == CALL_PASS:
        if int(at.view["whist_stage"]) == LONG:
            return "he has whisted and may only stay with it or go down to half-whist"
        return "after the first pass he must whist or say half (whist.both_may_pass)"
    return "a defender says pass, whist or half"


def _why_no_dealer_whist(at: Position, action: int) -> str:
    takes = " or ".join(f"{WITH_HAND}{at.view['player_of'][hand]}" for hand in defenders(at.view))
    return f"the dealer says pass, {takes}"


def _why_not_opened(at: Position, action: int) -> str:
    if not at.of_two:
        return "a lone whister says closed or open"
    if action == CLOSED:
        return "the defender may not whist blind in this variant (dummy.defence)"
    if action == OPENED:
        return "the defender may only whist blind in this variant (dummy.defence)"
    return "a defender says blind or open"


# The play


def _why_no_dummy_card(at: Position) -> str:
    """Why a card of a dummy that nobody decides for is not the one it plays."""
    key = "dummy.raspas" if int(at.view["kind"]) == RASPAS else "dummy.blind"
    return f"the dummy plays its lowest legal card, {told_cards(int(at.view['legal']))} ({key})"


def _is_dead_dummys(at: Position, card: int) -> bool:
    dummy = int(at.view["dummy"])
    if dummy < 0 or int(at.view["in_play"]) >> dummy & 1:
        return False
    return bool(int(at.hidden["hands"][dummy]) >> card & 1)


def _why_no_card(at: Position, card: int) -> str:
    hand, led, strain = at.hand, int(at.view["led"]), int(at.view["strain"])
    if not 0 <= card < N_CARDS:
        return "it is no card"
    if int(at.view["played"]) >> card & 1:
        return "this card has been played"
    if not hand >> card & 1:
        if _is_dead_dummys(at, card):
            return "it is the dummy's, which is out of play"
        return f"{at.who} holds no such card"
    if int(legal_cards(at.view, hand)) >> card & 1:
        if at.is_refet:
            return why_not_beating(at, card)
        return _why_no_dummy_card(at)
    follow = hand & suit_mask(led)
    if follow:
        return f"{at.who} must follow {SUIT_SYMBOLS[led]} and holds {told_cards(follow)}"
    trumps = hand & trump_mask(strain)
    return f"{at.who} has no {SUIT_SYMBOLS[led]} and must trump, holding {told_cards(trumps)}"


_EITHER = {
    "agree": "a player refuses or agrees",
    "dark": "the eldest looks or passes in the dark",
    "catch": "a defender of misere says trust or catch",
    "points": "it is written into the pool or off the mountain",
}

_REASONS: dict[int, Callable[[Position, int], str]] = {
    AUCTION: _why_no_call,
    BIDDING: why_no_refet_bid,
    SUIT: why_no_suit,
    ROW: _why_no_row,
    PASS_ALONG: _why_not_laid,
    DISCARD: _why_not_laid,
    CONTRACT: _why_no_contract,
    WHIST: _why_no_whist,
    DEALER_WHIST: _why_no_dealer_whist,
    OPEN: _why_not_opened,
    COME: why_not_coming,
    CONTRA: why_not_contra,
    CARD: _why_no_card,
}


def why_illegal(at: Position, action: int) -> str:
    """Why an action that is not legal is not, in the present phase."""
    reason = _REASONS.get(at.phase)
    return reason(at, action) if reason else _EITHER[PHASES[at.phase]]
