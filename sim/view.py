"""What the mover may know and do: the view's private slots, filled before each decision."""

from __future__ import annotations

from scoring.kernel import Record, i64, kernel, u64

from .auction import legal_calls
from .play import legal_cards
from .rng import splitmix
from .state import (
    AUCTION,
    CARD,
    CONTRACT,
    DARK,
    DEALER_HAND,
    DEALER_WHIST,
    DISCARD,
    MAX_DECISIONS,
    PASS_ALONG,
    POINTS,
    WHIST,
)
from .talon import legal_contracts, legal_discards
from .whist import legal_dealer_whists, legal_whists

_EITHER = 0b11
"""Look or dark pass, closed or open, trust or catch, pool or mountain."""


@kernel
def legal_actions(view: Record, hidden: Record, rules: Record) -> int:
    """Mask of the legal actions of the present phase."""
    phase = view.phase
    if phase == CARD:
        return legal_cards(view, hidden.hands[view.mover])
    if phase == AUCTION:
        return legal_calls(view, rules)
    if phase == DISCARD or phase == PASS_ALONG:
        return legal_discards(view, hidden)
    if phase == CONTRACT:
        return legal_contracts(view, rules)
    if phase == WHIST:
        return legal_whists(view, rules)
    return legal_dealer_whists() if phase == DEALER_WHIST else _EITHER


@kernel
def prepare(view: Record, hidden: Record, rules: Record) -> None:
    """Fill what belongs to the decision: legal actions, who decides, the hand to move."""
    view.legal = legal_actions(view, hidden, rules)
    if view.mover == DEALER_HAND:
        view.player = view.dealer
        view.hand = 0
    else:
        view.player = view.decides_for[view.mover]
        view.hand = 0 if view.phase == DARK else hidden.hands[view.mover]


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
