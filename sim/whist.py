"""The defenders' calls (вист): whist, pass, half-whist and its return, open or closed play.

Sources: Code of Preferans 3.8; Variant rules: Leningradka, Piter, Finka, Kazakhstanka (long whist,
return at eight and above, the dealer's whist). D1 is the hand after the declarer, D2 the other
defender.
"""

from __future__ import annotations

from scoring.contract import SPADES
from scoring.conventions import (
    BLIND_DEAD,
    DEFENCE_CATCH_OR_TRUST,
    DEFEND_BLIND,
    DEFEND_OPEN,
    DEFEND_PASS,
    OPENED_BEFORE_WHIST,
)
from scoring.deal_score import is_checked
from scoring.kernel import Record, kernel
from scoring.result import HALF_WHISTED, MAX_PLAYERS, PASSED, WHISTED

from .auction import log_call, next_hand
from .state import (
    CALL_FIRST_HAND,
    CALL_HALF,
    CALL_PASS,
    CALL_SECOND_HAND,
    CALL_WHIST,
    CATCH,
    CLOSED,
    DEALER_HAND,
    DEALER_WHIST,
    N_HANDS,
    OPEN,
    OPENED,
    TRUST,
    WHIST,
)

FIRST, SECOND, LONG, RETURN, LONG_RETURN = range(5)
"""Stages: D1's call, D2's call, D1 again after whist-pass (half?), D1 again after pass-half or
pass-pass (return?), D2 again after whist-pass-half (return?)."""

NOT_PLAYED, LONE_WHISTER, PLAYED = range(3)
"""How the calls ended: no card is played, a lone whister must choose, both defenders play closed
(or lie open for a checked ten)."""


@kernel
def first_defender(view: Record) -> int:
    """D1: the hand after the declarer."""
    return next_hand(view.declarer)


@kernel
def second_defender(view: Record) -> int:
    """D2: the hand before the declarer."""
    return N_HANDS - 1 if view.declarer == 0 else view.declarer - 1


@kernel
def is_stalingrad(view: Record, rules: Record) -> bool:
    """Whether both must whist at these six spades (Сталинград)."""
    return view.level == 6 and view.strain == SPADES and rules.whist_stalingrad == 1


@kernel
def lone_defender(view: Record) -> int:
    """With two players, the hand of the declarer's opponent."""
    return N_HANDS - view.declarer - view.dummy


@kernel
def _open_whist_of_two(view: Record, hidden: Record, rules: Record) -> bool:
    """Ask the only defender; False at a checked ten, where he plays both hands open."""
    view.mover = lone_defender(view)
    if is_checked(rules, view):
        view.whist_call[view.mover] = WHISTED
        view.last_whister = view.mover
        take_defence(view, view.mover)
        return False
    if rules.dummy_opened == OPENED_BEFORE_WHIST:
        view.shown[view.dummy] = hidden.hands[view.dummy]
    return True


@kernel
def open_whist(view: Record, hidden: Record, rules: Record) -> bool:
    """Ask the defenders; False where the rules force both to defend (Сталинград, a checked ten)."""
    view.whist_stage = FIRST
    view.phase = WHIST
    if view.dummy >= 0:
        return _open_whist_of_two(view, hidden, rules)
    view.mover = first_defender(view)
    if is_stalingrad(view, rules) or is_checked(rules, view):
        view.whist_call[first_defender(view)] = WHISTED
        view.whist_call[second_defender(view)] = WHISTED
        view.last_whister = second_defender(view)
        return False
    return True


@kernel
def _half_allowed(view: Record, rules: Record) -> bool:
    return rules.whist_half_levels >> view.level & 1 == 1


@kernel
def legal_whists(view: Record, rules: Record) -> int:
    """Mask of pass, whist, half-whist for the defender who is asked.

    The only defender of two players has no half-whist.
    """
    if view.dummy >= 0:
        may_pass = rules.dummy_defence >> DEFEND_PASS & 1 == 1 and not is_stalingrad(view, rules)
        return 1 << CALL_WHIST | (1 << CALL_PASS if may_pass else 0)
    either = 1 << CALL_PASS | 1 << CALL_WHIST
    if view.whist_stage == LONG:
        return 1 << CALL_WHIST | 1 << CALL_HALF
    if view.whist_stage == SECOND and _half_allowed(view, rules):
        if view.whist_call[first_defender(view)] == PASSED:
            if rules.whist_both_may_pass == 0:
                return 1 << CALL_WHIST | 1 << CALL_HALF
            return either | 1 << CALL_HALF
    return either


@kernel
def _ask(view: Record, stage: int, hand: int) -> int:
    view.whist_stage = stage
    view.mover = hand
    return -1


@kernel
def find_lone_whister(view: Record) -> int:
    """The only hand that whists; -1 where none does or both do."""
    found = -1
    for hand in range(N_HANDS):
        if view.whist_call[hand] == WHISTED:
            if found >= 0:
                return -1
            found = hand
    return found


@kernel
def chooses_after_card(view: Record, rules: Record) -> bool:
    """Whether a lone whister chooses open or closed once the first card lies.

    A dummy who leads is opened, or not, before his card (convention: our choice).
    """
    return rules.whist_first_card_dark == 1 and view.dummy != 0


@kernel
def ask_open(view: Record, whister: int) -> None:
    """Ask a lone whister: open or closed."""
    view.phase = OPEN
    view.mover = whister


@kernel
def _end_calls(view: Record, rules: Record) -> int:
    if find_lone_whister(view) >= 0:
        return LONE_WHISTER
    if view.whist_call[first_defender(view)] == WHISTED:
        return PLAYED
    if rules.n_players == MAX_PLAYERS and rules.whist_dealer_may == 1:
        view.phase = DEALER_WHIST
        return _ask(view, view.whist_stage, DEALER_HAND)
    return NOT_PLAYED


@kernel
def _after_second(view: Record, rules: Record) -> int:
    first = first_defender(view)
    second = second_defender(view)
    before = view.whist_call[first]
    now = view.whist_call[second]
    if before == WHISTED and now == PASSED:
        if rules.whist_long == 1 and _half_allowed(view, rules):
            return _ask(view, LONG, first)
    elif before == PASSED and now == HALF_WHISTED:
        return _ask(view, RETURN, first)
    elif before == PASSED and now == PASSED:
        if rules.whist_return_on_high == 1 and view.level >= 8:
            return _ask(view, RETURN, first)
    return _end_calls(view, rules)


@kernel
def apply_whist(view: Record, rules: Record, action: int) -> int:
    """Apply a defender's call; -1 if another is asked, else how the calls ended."""
    log_call(view, action)
    stage = view.whist_stage
    mover = view.mover
    other = first_defender(view) + second_defender(view) - mover
    returns = stage == RETURN or stage == LONG_RETURN
    if action == CALL_WHIST:
        view.whist_call[mover] = WHISTED
        view.last_whister = mover
        if returns and rules.whist_returner_takes_all == 0:
            view.whist_call[other] = PASSED
    elif action == CALL_HALF:
        view.whist_call[mover] = HALF_WHISTED
        view.last_whister = -1
    else:
        view.whist_call[mover] = PASSED
    if view.dummy >= 0:
        return LONE_WHISTER if action == CALL_WHIST else NOT_PLAYED
    if stage == FIRST:
        return _ask(view, SECOND, other)
    if stage == SECOND:
        return _after_second(view, rules)
    if stage == LONG and action == CALL_HALF:
        return _ask(view, LONG_RETURN, other)
    return _end_calls(view, rules)


@kernel
def apply_dealer_whist(view: Record, action: int) -> int:
    """The sitting-out dealer passes, or whists with a defender's hand, which is his from then on.

    Sources: Variant rules: Leningradka, Piter, Finka, Kazakhstanka; Rules of the sport federation
    (FSPR) 6. A half-whist is void then; that he is asked after any calls without a whister is our
    choice.
    """
    log_call(view, action)
    if action == CALL_PASS:
        return NOT_PLAYED
    hand = first_defender(view)
    other = second_defender(view)
    if action == CALL_SECOND_HAND:
        hand, other = other, hand
    view.hand_of[view.player_of[hand]] = -1
    view.hand_of[view.dealer] = hand
    view.player_of[hand] = view.dealer
    view.decides_for[hand] = view.dealer
    view.whist_call[hand] = WHISTED
    view.whist_call[other] = PASSED
    view.last_whister = hand
    return LONE_WHISTER


@kernel
def legal_dealer_whists() -> int:
    """Mask of pass, the first and the second defender's hand."""
    return 1 << CALL_PASS | 1 << CALL_FIRST_HAND | 1 << CALL_SECOND_HAND


@kernel
def take_defence(view: Record, hand: int) -> None:
    """From here on this hand's player moves both defending hands."""
    view.decides_for[first_defender(view)] = view.player_of[hand]
    view.decides_for[second_defender(view)] = view.player_of[hand]


@kernel
def legal_openings(view: Record, rules: Record) -> int:
    """Mask of closed and open; with two players closed is blind, without the dummy (втёмную)."""
    if view.dummy < 0:
        return 1 << CLOSED | 1 << OPENED
    blind = 1 << CLOSED if rules.dummy_defence >> DEFEND_BLIND & 1 else 0
    return blind | (1 << OPENED if rules.dummy_defence >> DEFEND_OPEN & 1 else 0)


@kernel
def apply_open(view: Record, rules: Record, action: int) -> None:
    """A lone whister plays closed, or open: then he also moves the passer's hand, or the dummy."""
    log_call(view, action)
    if action == OPENED:
        view.open_play = 1
        take_defence(view, view.mover)
    elif view.dummy >= 0 and rules.dummy_blind == BLIND_DEAD:
        view.in_play &= ~(1 << view.dummy)


@kernel
def open_catch(view: Record, rules: Record) -> bool:
    """Ask the defenders of a misère who catches; False where each plays his own hand.

    The only defender of two players plays the dummy too.
    """
    if view.dummy >= 0:
        take_defence(view, lone_defender(view))
        return False
    if rules.misere_defence != DEFENCE_CATCH_OR_TRUST:
        return False
    view.phase = CATCH
    view.mover = first_defender(view)
    return True


@kernel
def apply_catch(view: Record, action: int) -> bool:
    """Trust the other («доверяю») or catch («ловлю»); True if nothing more is asked.

    D1 speaks first; if he trusts, D2 plays both hands, and if both would catch each plays his own
    (convention: our choice).
    """
    log_call(view, action)
    first = first_defender(view)
    second = second_defender(view)
    if action == TRUST:
        view.catcher = second if view.mover == first else first
    elif view.mover == first:
        view.mover = second
        return False
    return True
