"""Why an action of the refet game is not legal: a clause for each reason, as in ``sim.illegal``."""

from __future__ import annotations

from scoring.contract import BETL, PREFERANS, REFET_CLUBS, REFET_CONTRACTS, REFET_SPADES
from scoring.conventions_refet import HOLD_NEXT
from scoring.refet import needs_contra

from .bidding import LOWEST_HELD
from .cards import told_cards
from .play import legal_cards
from .position import Position
from .records.words import CONTRA_WORDS, NO_CONTRA_WORD, SUIT_WORDS
from .refet_words import CALLS
from .state import ALONE, COMES, GAME_CALL, GAME_PREFERANS, HOLD, INVITES, PASS, STAYS
from .whist import find_lone_whister

_NO_PREFERANS = "preferans is not played in this variant (bidding.preferans)"


def _base_word(base: int) -> str:
    return REFET_CONTRACTS[base - REFET_SPADES]


# The auction


def _why_no_hold(at: Position) -> str:
    bid = int(at.view["bid"])
    if bid < 0:
        return "there is no number to hold"
    if bid >= GAME_CALL:
        return f"{CALLS[bid]} cannot be held"
    if bid < LOWEST_HELD:
        return f"the lowest number that is held is {LOWEST_HELD}"
    if at.rule("bidding_hold") == HOLD_NEXT:
        return f"{bid} has been held, and the next call is higher (bidding.hold)"
    return "of the players left only the one who bids first may hold (bidding.hold)"


def _why_no_number(at: Position, number: int) -> str:
    bid = int(at.view["bid"])
    if bid >= GAME_CALL:
        return f"after {CALLS[bid]} no number is bid"
    if number <= bid:
        return f"{number} does not outrank {bid}"
    if int(at.view["legal"]) >> HOLD & 1:
        if at.rule("bidding_hold") == HOLD_NEXT:
            return f"{bid} is held before it is raised (bidding.hold)"
        return f"of the players left he bids first, and holds {bid} or passes (bidding.hold)"
    lowest = max(bid + 1, REFET_SPADES)
    return f"numbers rise one step at a time, and the next is {lowest} (bidding.jumps)"


def _why_no_game(at: Position, action: int) -> str:
    own, bid = int(at.view["last_bid"][at.mover]), int(at.view["bid"])
    if own >= 0:
        return f"a game is called as a first word, and he has said {CALLS[own]}"
    return f"{CALLS[action]} does not outrank {CALLS[bid]}"


def why_no_refet_bid(at: Position, action: int) -> str:
    """Why a call of the auction is not."""
    if not PASS <= action < len(CALLS):
        return "a call is pass, hold, a number from 2 to 8, or a game"
    if action in (PREFERANS, GAME_PREFERANS) and not at.rule("bidding_preferans"):
        return _NO_PREFERANS
    if action == HOLD:
        return _why_no_hold(at)
    return _why_no_game(at, action) if action >= GAME_CALL else _why_no_number(at, action)


def why_no_suit(at: Position, action: int) -> str:
    """Why the suit of one of several games is not."""
    best = int(at.view["contract"])
    if action == PASS:
        return "who called a game first names its suit"
    if not REFET_SPADES <= action < BETL:
        return f"a game is in {', '.join(SUIT_WORDS)}, or the other's is better (pass)"
    return f"{_base_word(action)} does not outrank {_base_word(best)}"


def why_no_refet_contract(at: Position, base: int) -> str:
    """Why a contract may not be named."""
    if not REFET_SPADES <= base <= PREFERANS:
        return f"he names {', '.join(REFET_CONTRACTS[:-1])} or {REFET_CONTRACTS[-1]}"
    if int(at.view["without_talon"]) and base > REFET_CLUBS:
        return "who called a game names its suit"
    if base == PREFERANS and not at.rule("bidding_preferans"):
        return _NO_PREFERANS
    return f"{_base_word(base)} is below his bid, {int(at.view['bid'])}"


# Who comes, contra


def is_under_contra_only(at: Position) -> bool:
    """Whether these are plain spades that are played under contra only."""
    return bool(needs_contra(at.rules, at.view))


def _why_no_invitation(at: Position) -> str:
    if not at.rule("follow_invite"):
        return "nobody is invited in this variant (follow.invite)"
    if is_under_contra_only(at):
        return "nobody is invited at spades that are played under contra only (spades.needs_contra)"
    return "only who came alone plays alone or invites, once both have spoken"


def why_not_coming(at: Position, action: int) -> str:
    """Why a follower may not say so."""
    if int(find_lone_whister(at.view)) == at.mover and action in (STAYS, COMES):
        return "he has come, and plays alone or invites the other"
    if action in (ALONE, INVITES):
        return _why_no_invitation(at)
    return "a follower stays or comes, and who came alone plays alone or invites"


def why_not_contra(at: Position, _action: int) -> str:
    """Why neither contra nor silence is meant."""
    said = int(at.view["contra"])
    return f"the next word here is {CONTRA_WORDS[said]} or {NO_CONTRA_WORD}"


# The play


def why_not_beating(at: Position, card: int) -> str:
    """Why a card that follows or trumps is not high enough."""
    key = "tricks.must_head" if card >> 3 == int(at.view["led"]) else "tricks.must_overtrump"
    better = int(at.view["legal"]) & int(legal_cards(at.view, at.hand))
    return f"{at.who} must beat the trick so far and can, with {told_cards(better)} ({key})"
