"""What the mover may know and do: the view's private slots, filled before each decision."""

from __future__ import annotations

from scoring.conventions import RAZBOINIK, REFET
from scoring.kernel import Record, i64, kernel, outline, u64

from .auction import legal_calls
from .bidding import legal_bids, legal_refet_contracts, legal_suits
from .follow import legal_comes, legal_contras
from .play import legal_plays
from .rng import splitmix
from .rows import legal_row_contracts, legal_rows
from .state import (
    AGREE,
    AUCTION,
    BIDDING,
    CARD,
    COME,
    CONTRA,
    CONTRACT,
    DARK,
    DEALER_HAND,
    DEALER_WHIST,
    DISCARD,
    MAX_DECISIONS,
    OPEN,
    PASS_ALONG,
    POINTS,
    ROW,
    SUIT,
    WHIST,
)
from .talon import legal_contracts, legal_discards
from .whist import legal_dealer_whists, legal_openings, legal_whists

_EITHER = 0b11
"""Refuse or agree, look or dark pass, trust or catch, pool or mountain."""


@kernel
def _legal_contracts(view: Record, rules: Record) -> int:
    if rules.family == RAZBOINIK:
        return legal_row_contracts(view, rules)
    if rules.family == REFET:
        return legal_refet_contracts(view, rules)
    return legal_contracts(view, rules)


@kernel
def _legal_seldom(view: Record, rules: Record) -> int:
    if view.phase == OPEN:
        return legal_openings(view, rules)
    if view.phase == ROW:
        return legal_rows(view, rules)
    if view.phase == COME:
        return legal_comes(view)
    if view.phase == CONTRA:
        return legal_contras()
    if view.phase == SUIT:
        return legal_suits(view)
    return legal_dealer_whists() if view.phase == DEALER_WHIST else _EITHER


@kernel
def legal_actions(view: Record, hidden: Record, rules: Record) -> int:
    """Mask of the legal actions of the present phase."""
    phase = view.phase
    if phase == CARD:
        return legal_plays(view, hidden, rules)
    if phase == AUCTION:
        return legal_calls(view, rules)
    if phase == BIDDING:
        return legal_bids(view, rules)
    if phase == DISCARD or phase == PASS_ALONG:
        return legal_discards(view, hidden)
    if phase == CONTRACT:
        return _legal_contracts(view, rules)
    if phase == WHIST:
        return legal_whists(view, rules)
    return _legal_seldom(view, rules)


@kernel
def prepare(view: Record, hidden: Record, rules: Record) -> None:
    """Fill what belongs to the decision: legal actions, who decides, the hand to move."""
    view.legal = legal_actions(view, hidden, rules)
    if view.mover == DEALER_HAND:
        view.player = view.dealer
        view.hand = 0
    else:
        view.player = view.decides_for[view.mover]
        unseen = view.phase == DARK or view.phase == AGREE
        view.hand = 0 if unseen else hidden.hands[view.mover]


@outline
def ready(view: Record, hidden: Record, rules: Record) -> None:
    """:func:`prepare` with a body of its own, for all but the driver: compiled once."""
    prepare(view, hidden, rules)


@kernel
def reveal_private(view: Record, hidden: Record) -> None:
    """Fill what only the decider may know: cards he laid away or received, his random word."""
    player = view.player
    hand = view.hand_of[player]
    view.discard = hidden.discard[hand] if hand >= 0 else 0
    view.received = hidden.received[hand] if hand >= 0 else 0
    # the last choice has a word of its own, so that it does not depend on cards left unplayed
    word = MAX_DECISIONS if view.phase == POINTS else hidden.drawn[player]
    view.random = i64(splitmix(hidden.key[player], word) >> u64(1))
    hidden.drawn[player] += 1
