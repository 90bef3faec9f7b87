"""Why a move that a record has was not asked for in the deal: a clause for each reason."""

from __future__ import annotations

from collections.abc import Callable

from scoring.contract import MISERE_GAME, RASPAS
from scoring.conventions import AGREED_FIRST_DEAL, AGREED_OFF, ROW_AFTER, ROW_NO_TALON
from scoring.deal_score import is_checked
from scoring.refet import is_all_or_nothing
from scoring.result import MAX_PLAYERS, PASSED

from .illegal_refet import is_under_contra_only
from .position import Position
from .records.actions import defenders
from .state import AGREE, AGREES, ALONE, COME, CONTRA, DONE, INVITES, SUIT
from .whist import is_stalingrad

_NEVER_IN_REFET = {
    "agree": "there are no raspas in the refet game",
    "dark": "there is no pass in the dark in the refet game",
    "passed": "no cards are passed along in the refet game",
    "whist": "a follower comes or stays in the refet game (the line come)",
    "open": "followers play with closed hands in the refet game",
    "catch": "nobody catches or trusts in the refet game",
    "points": "a contract made is written off the column in the refet game",
}
"""Why nobody is asked, of what only other games have."""


def _were_agreed(at: Position) -> bool:
    """Whether all have agreed to raspas."""
    n = int(at.view["n_calls"])
    last = int(at.view["calls"][n - 1]) if n else -1
    return last >> 8 == AGREE and last & 63 == AGREES and at.phase != AGREE


def _why_no_auction(at: Position) -> str:
    """Why there was none at all; empty where there was one."""
    if at.is_razboinik:
        return "there is no auction in razboinik"
    return "all have agreed to raspas (raspas.agreed)" if _were_agreed(at) else ""


def _asked_agree(at: Position) -> str:
    agreed = at.rule("raspas_agreed")
    if at.is_razboinik:
        return "there are no raspas in razboinik"
    if agreed == AGREED_OFF:
        return "raspas are not agreed on in this variant (raspas.agreed)"
    if agreed == AGREED_FIRST_DEAL and int(at.view["deal"]) > 0:
        return "raspas are agreed on before the first deal of a pulka only (raspas.agreed)"
    return "all have agreed, or one has refused"


def _asked_dark(at: Position) -> str:
    why = _why_no_auction(at)
    if not why and not at.rule("auction_dark_pass"):
        return "the eldest is not asked in this variant (auction.dark_pass)"
    return why or "the eldest has had his say"


def _asked_call(at: Position) -> str:
    return _why_no_auction(at) or "the auction was over"


def _have_all_passed(at: Position) -> bool:
    """Whether there is no declarer, in the refet game."""
    return at.phase == DONE and int(at.view["declarer"]) < 0


def _was_said(at: Position, phase: int, action: int = -1) -> bool:
    """Whether a word, or any, was said in a phase."""
    calls = [int(call) for call in at.view["calls"][: int(at.view["n_calls"])]]
    return any(call >> 8 == phase and action in (-1, call & 63) for call in calls)


def _asked_suit(at: Position) -> str:
    if not at.is_refet:
        return "only the refet game has suits of several games"
    if _was_said(at, SUIT):
        return "everybody who called a game has named its suit"
    return "suits are named here where several called a game and nobody more"


def _asked_come(at: Position) -> str:
    if not at.is_refet:
        return "only the refet game has followers who come"
    if _have_all_passed(at):
        return "all have passed"
    if is_all_or_nothing(at.view):
        return "both opponents play at betl and preferans without a question"
    if _was_said(at, COME, ALONE) or _was_said(at, COME, INVITES):
        return "the followers have had their say"
    if not at.rule("follow_invite"):
        return "the followers have had their say, and nobody is invited (follow.invite)"
    if is_under_contra_only(at):
        return (
            "the followers have had their say, and nobody is invited at spades that are played "
            "under contra only (spades.needs_contra)"
        )
    return "the followers have had their say"


def _asked_contra(at: Position) -> str:
    if not at.is_refet:
        return "there is contra in the refet game only"
    most = at.rule("contra_levels")
    if _have_all_passed(at):
        return "all have passed"
    if most == 0:
        return "nobody says contra in this variant (contra.levels)"
    if int(at.view["contra"]) == most:
        return f"a game is doubled {most} times at most in this variant (contra.levels)"
    if _was_said(at, COME, INVITES):
        return "who has invited may not say contra"
    if not _was_said(at, CONTRA):
        return "nobody has come"
    if int(at.view["contra"]):
        return "the last doubling was not answered"
    return "everybody who may say contra has been asked (contra.by)"


def _why_not_played(at: Position) -> str:
    """Why no card is played in a deal of the refet game."""
    if _have_all_passed(at):
        return "all have passed, and no card is played"
    if is_under_contra_only(at):
        return "spades without contra are not played (spades.needs_contra)"
    return "nobody has come, and no card is played"


def _asked_row(at: Position) -> str:
    if not at.is_razboinik:
        return "only razboinik has rows"
    if at.rule("razboinik_talon") in (ROW_AFTER, ROW_NO_TALON):
        return "the contract names the row in this variant (razboinik.talon)"
    return "the row was named, or the talon taken"


def _asked_passed(at: Position) -> str:
    if at.of_two:
        return "two players pass no cards along"
    if int(at.view["kind"]) != RASPAS:
        return "a contract was bid, and cards are passed along at raspas only"
    four = int(at.view["n_players"]) == MAX_PLAYERS
    key = "raspas.talon_four" if four else "raspas.talon"
    return f"every hand has passed two cards along, or raspas are played without ({key})"


def _asked_discard(at: Position) -> str:
    if _have_all_passed(at) and at.is_refet:
        return "all have passed, and nobody takes the talon"
    if int(at.view["kind"]) == RASPAS:
        return "nobody takes the talon at raspas"
    if at.is_razboinik and at.rule("razboinik_talon") == ROW_NO_TALON:
        return "the talon is left in this variant (razboinik.talon)"
    if int(at.view["without_talon"]):
        return "the talon was not taken"
    return "two cards were laid away"


def _asked_contract(at: Position) -> str:
    kind = int(at.view["kind"])
    if at.is_refet:
        return "all have passed" if _have_all_passed(at) else "the contract was named"
    if kind == RASPAS:
        return "at raspas there is no contract"
    if at.is_razboinik:
        return "misere was named" if kind == MISERE_GAME else "the contract was named"
    return "misere is played as it was bid" if kind == MISERE_GAME else "the contract was named"


def _asked_whist(at: Position) -> str:
    view = at.view
    kind = int(view["kind"])
    if at.is_razboinik:
        return "nobody whists in razboinik"
    if kind == RASPAS:
        return "nobody whists at raspas"
    if kind == MISERE_GAME:
        return "nobody whists at misere"
    if int(view["concession"]):
        return "the contract was conceded"
    if is_checked(at.rules, view):
        return "a ten is checked without a question (whist.ten)"
    if at.of_two:
        return "the only defender has had his say"
    if is_stalingrad(view, at.rules):
        return "both must whist at six spades (whist.stalingrad)"
    nobody = all(int(view["whist_call"][hand]) == PASSED for hand in defenders(view))
    if nobody and int(view["n_players"]) == MAX_PLAYERS and not at.rule("whist_dealer_may"):
        return "the defenders' calls were over, and the dealer may not whist (whist.dealer_may)"
    return "the calls were over"


def _asked_open(at: Position) -> str:
    if at.is_razboinik:
        return "nobody is asked in razboinik (razboinik.dummy)"
    if at.of_two:
        return "only a defender who whists is asked, once"
    return "only a lone whister is asked, once"


def _asked_catch(at: Position) -> str:
    if int(at.view["kind"]) != MISERE_GAME:
        return "only the defenders of a misere are asked"
    if at.of_two:
        return "with two players there is one defender"
    if not at.rule("misere_defence"):
        return "each defender plays his own hand in this variant (misere.defence)"
    return "the defenders had their say"


def _asked_card(at: Position) -> str:
    thrown_in = at.phase == DONE and int(at.view["n_plays"]) == 0 and not at.is_refet
    if int(at.view["kind"]) == RASPAS and thrown_in:
        return "the deal is thrown in (dummy.raspas)"
    if int(at.view["n_plays"]) == 0 and at.is_refet:
        return _why_not_played(at)
    if int(at.view["n_plays"]) == 0:
        return "no card is played in this deal"
    if int(at.hidden["claims"]) and int(at.view["trick"]) < 10:
        return "the remaining tricks were certain (claims)"
    if at.is_refet and at.phase == DONE and int(at.view["trick"]) < 10:
        return "the declarer could not make his contract any more, and play stopped (tricks.stop)"
    return "every hand has played to this trick"


def _asked_points(at: Position) -> str:
    if at.is_razboinik:
        return "what a row costs is written by the play"
    if not at.rule("values_off_mountain_instead"):
        return "points go into the pool in this variant (values.off_mountain_instead)"
    return "only after an unwhisted contract or a made misere the declarer is asked, once"


_ASKED: dict[str, Callable[[Position], str]] = {
    "agree": _asked_agree,
    "dark": _asked_dark,
    "auction": _asked_call,
    "suit": _asked_suit,
    "row": _asked_row,
    "passed": _asked_passed,
    "discard": _asked_discard,
    "contract": _asked_contract,
    "whist": _asked_whist,
    "open": _asked_open,
    "catch": _asked_catch,
    "come": _asked_come,
    "contra": _asked_contra,
    "tricks": _asked_card,
    "points": _asked_points,
}


def why_not_asked(at: Position, section: str) -> str:
    """Why a move of a section has no place in the deal as it stands now."""
    if at.is_refet and section in _NEVER_IN_REFET:
        return _NEVER_IN_REFET[section]
    return _ASKED[section](at)
