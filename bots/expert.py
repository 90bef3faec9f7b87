"""A bot that prices every call under the variant's own payoffs.

What a hand makes is learned once, what it is worth comes from the variant's scorer when he is
seated, and how the others answer from self-play under that variant (its *environment*).
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import outline
from sim.standing import N_MADE

from .api import (
    AUCTION,
    BIDDING,
    CARD,
    CATCH,
    COME,
    CONTRA,
    CONTRACT,
    DEALER_WHIST,
    DISCARD,
    MISERE_GAME,
    OPEN,
    POOL_FAMILY,
    REFET,
    TRICKS,
    WHIST,
    bot,
    ctz,
    kernel,
    popcount,
)
from .card_policy import choose_card
from .cautious import GUESSED, GUESSED_AT, N_MEMORY, PLANNED, decide, laid_away
from .club_play import cards_in_doubt
from .study.environment import CARDS, COEFFICIENTS, expert_weights
from .study.misere import safest_pair
from .study.pool import (
    best_pair,
    study_call,
    study_catch,
    study_contract,
    study_dealer_whist,
    study_open,
    study_whist,
)
from .study.refet import study_bid, study_come, study_contra, study_naming
from .study.rows import STUDY, best_candidate
from .study.safe import trump_to_draw
from .study.standing import WORDS, note_standing

ASKED_AT, CHANGES_AT = N_MEMORY, N_MEMORY + 1
"""Words of memory behind those of ``cautious``: the deal (counted from 1) for which the sheet was
asked what it changes of made contracts, and these changes."""
N_WORDS = CHANGES_AT + N_MADE


@kernel
def _note_standing(view: Any, own: Any) -> None:
    """Before the contract is played: what the sheet changes."""
    if view.phase == AUCTION or view.phase == CONTRACT or view.phase == DISCARD:
        changes = own.memory[CHANGES_AT : CHANGES_AT + N_MADE]
        stamp = own.memory[ASKED_AT : ASKED_AT + 1]
        note_standing(view, own.weights, COEFFICIENTS, own.workspace, changes, stamp)


@outline
def study(view: Any, own: Any) -> int:
    """Note the candidates of a decision in the workspace; how many, 0 where nothing is studied."""
    out = own.workspace
    if view.rules.family == POOL_FAMILY:
        _note_standing(view, own)
    out[0] = 0
    if view.rules.family == POOL_FAMILY:
        _study_pool(view, own.weights, own.memory[CHANGES_AT : CHANGES_AT + N_MADE], out)
    elif view.rules.family == REFET:
        _study_refet(view, own.weights, out)
    return out[0]


@outline
def _study_pool(view: Any, w: Any, changes: Any, out: Any) -> None:
    phase = view.phase
    if phase == AUCTION:
        study_call(view, w, COEFFICIENTS, changes, out)
    elif phase == WHIST:
        study_whist(view, w, out)
    elif phase == CONTRACT:
        study_contract(view, w, COEFFICIENTS, changes, out)
    elif phase == OPEN:
        study_open(view, w, out)
    elif phase == CATCH:
        study_catch(view, w, out)
    elif phase == DEALER_WHIST:
        study_dealer_whist(view, w, out)


@outline
def _study_refet(view: Any, w: Any, out: Any) -> None:
    phase = view.phase
    if phase == BIDDING:
        study_bid(view, w, out)
    elif phase == CONTRACT:
        study_naming(view, w, out)
    elif phase == COME:
        study_come(view, w, out)
    elif phase == CONTRA:
        study_contra(view, w, out)


@kernel
def _has_learned_misere(view: Any) -> bool:
    """Whether the tables of misère are those of this game: three hands in play."""
    return view.rules.family == POOL_FAMILY and view.dummy < 0


@outline
def _plan(view: Any, own: Any) -> int:
    """The pair to lay away."""
    if view.kind == MISERE_GAME:
        return safest_pair(own.weights, COEFFICIENTS, view.hand, view.mover)
    _note_standing(view, own)
    changes = own.memory[CHANGES_AT : CHANGES_AT + N_MADE]
    return best_pair(view, own.weights, COEFFICIENTS, changes)


@kernel
def _discard(view: Any, own: Any) -> int:
    """Plan the pair at the first card, keep it for the second."""
    if view.discard == 0:
        own.memory[PLANNED] = _plan(view, own)
    planned = own.memory[PLANNED] & view.legal
    return ctz(planned if planned else view.legal)


@outline
def _laid_away(view: Any, own: Any) -> int:
    """The discard that a defender who sees both hands expects of a declarer of misère."""
    if not _has_learned_misere(view):
        return laid_away(view, own)
    if own.memory[GUESSED_AT] != view.deal + 1:
        twelve = cards_in_doubt(view)
        if view.talon == 0 or popcount(twelve) > 12:
            return 0
        own.memory[GUESSED] = safest_pair(own.weights, COEFFICIENTS, twelve, view.declarer)
        own.memory[GUESSED_AT] = view.deal + 1
    return own.memory[GUESSED] & ~view.played


OPTIONS = {"tuned": "", "bias": 0.0, "learned": 1.0}


@bot(
    memory=N_WORDS,
    workspace=max(STUDY, WORDS),
    options=OPTIONS,
    weights=expert_weights,
)
def expert(view: Any, own: Any) -> int:
    """Prices every call under the variant's own payoffs; tuned=VARIANT plays by another's."""
    phase = view.phase
    if phase == CARD:
        if view.kind == TRICKS:
            sure = trump_to_draw(view)
            if sure >= 0:
                return sure
        seen = view.kind == MISERE_GAME and view.mover != view.declarer
        return choose_card(view, own.weights, CARDS, _laid_away(view, own) if seen else 0)
    if phase == DISCARD and view.rules.family == POOL_FAMILY:
        if view.kind != MISERE_GAME or _has_learned_misere(view):
            return _discard(view, own)
    elif study(view, own) > 0:
        return best_candidate(own.workspace, own.weights, COEFFICIENTS)
    return decide(view, own)
