"""Who comes (dođem) against a refet contract, who is invited, contra and its answers.

Sources: Preferansklub rules 9-10; iPref rules 7 (an invitation excludes contra); Prefko rules
(``contra.by``).
"""

from __future__ import annotations

from scoring.conventions_refet import CONTRA_EITHER
from scoring.kernel import Record, kernel
from scoring.refet import is_all_or_nothing, needs_contra
from scoring.result import INVITED, PASSED, WHISTED

from .auction import log_call
from .state import ALONE, COME, COMES, CONTRA, INVITES, NO_CONTRA, SAYS_CONTRA, STAYS
from .whist import NOT_PLAYED, PLAYED, find_lone_whister, first_defender, second_defender


@kernel
def _other_defender(view: Record, hand: int) -> int:
    return first_defender(view) + second_defender(view) - hand


@kernel
def open_follow(view: Record, rules: Record) -> int:
    """Ask who comes; at betl and preferans both play. -1 if somebody is asked, else PLAYED."""
    if is_all_or_nothing(view):
        view.whist_call[first_defender(view)] = WHISTED
        view.whist_call[second_defender(view)] = WHISTED
        return _open_contra(view, rules)
    view.phase = COME
    view.mover = first_defender(view)
    return -1


@kernel
def _may_invite(view: Record, rules: Record) -> bool:
    return rules.follow_invite == 1 and not needs_contra(rules, view)


@kernel
def legal_comes(view: Record) -> int:
    """Mask of staying away and coming; of a lone follower, of playing alone and inviting."""
    if find_lone_whister(view) == view.mover:
        return 1 << ALONE | 1 << INVITES
    return 1 << STAYS | 1 << COMES


@kernel
def apply_come(view: Record, rules: Record, action: int) -> int:
    """Apply a follower's word; -1 if somebody is asked, else NOT_PLAYED or PLAYED."""
    log_call(view, action)
    other = _other_defender(view, view.mover)
    if action == INVITES:
        view.whist_call[other] = INVITED
        return PLAYED
    if action == ALONE:
        return _open_contra(view, rules)
    view.whist_call[view.mover] = WHISTED if action == COMES else PASSED
    if view.mover == first_defender(view):
        view.mover = other
        return -1
    lone = find_lone_whister(view)
    if lone >= 0 and _may_invite(view, rules):
        view.mover = lone
        return -1
    if lone < 0 and action == STAYS:
        return NOT_PLAYED
    return _open_contra(view, rules)


@kernel
def _may_say_contra(view: Record, rules: Record, hand: int) -> bool:
    return view.whist_call[hand] == WHISTED or rules.contra_by == CONTRA_EITHER


@kernel
def _open_contra(view: Record, rules: Record) -> int:
    """Ask the defenders for contra, in order after the declarer."""
    if rules.contra_levels == 0:
        return _end_follow(view, rules)
    view.phase = CONTRA
    view.mover = first_defender(view)
    if not _may_say_contra(view, rules, view.mover):
        view.mover = second_defender(view)
    return -1


@kernel
def legal_contras() -> int:
    """Mask of not saying it, and saying contra or the answer to it."""
    return 1 << NO_CONTRA | 1 << SAYS_CONTRA


@kernel
def apply_contra(view: Record, rules: Record, action: int) -> int:
    """Apply a word on contra; -1 if somebody is asked, else NOT_PLAYED or PLAYED.

    The first contra ends the asking of defenders; then the declarer and who said it answer in turn
    until one does not, or the most is reached.
    """
    log_call(view, action)
    if action == SAYS_CONTRA:
        if view.contra == 0:
            view.contra_by = view.mover
        view.contra += 1
        if view.contra < rules.contra_levels:
            view.mover = view.declarer if view.contra & 1 else view.contra_by
            return -1
    elif view.contra == 0 and view.mover == first_defender(view):
        if _may_say_contra(view, rules, second_defender(view)):
            view.mover = second_defender(view)
            return -1
    return _end_follow(view, rules)


@kernel
def _end_follow(view: Record, rules: Record) -> int:
    """Without contra, who did not come is out of play, and spades may be left unplayed."""
    if view.contra > 0:
        return PLAYED
    if needs_contra(rules, view):
        return NOT_PLAYED
    lone = find_lone_whister(view)
    if lone >= 0:
        view.in_play &= ~(1 << _other_defender(view, lone))
    return PLAYED
