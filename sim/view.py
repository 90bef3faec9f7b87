"""What the mover may know and do: the view's private slots, filled before each decision."""

from __future__ import annotations

from scoring.kernel import Record, i64, kernel, u64

from .auction import legal_calls
from .play import legal_cards
from .rng import splitmix
from .state import AUCTION, CARD, CLOSED, CONTRACT, DISCARD, OPENED, WHIST
from .talon import legal_contracts, legal_discards
from .whist import legal_whists


@kernel
def legal_actions(view: Record, hidden: Record, rules: Record) -> int:
    """Mask of the legal actions of the present phase."""
    phase = view.phase
    if phase == CARD:
        return legal_cards(view, hidden.hands[view.mover])
    if phase == AUCTION:
        return legal_calls(view, rules)
    if phase == DISCARD:
        return legal_discards(view, hidden)
    if phase == CONTRACT:
        return legal_contracts(view, rules)
    if phase == WHIST:
        return legal_whists(view, rules)
    return 1 << CLOSED | 1 << OPENED


@kernel
def prepare(view: Record, hidden: Record, rules: Record) -> None:
    """Fill what belongs to the decision: legal actions, who decides, the hand to move."""
    view.legal = legal_actions(view, hidden, rules)
    view.player = view.decides_for[view.mover]
    view.hand = hidden.hands[view.mover]


@kernel
def reveal_private(view: Record, hidden: Record) -> None:
    """Fill what only the decider may know: his discard and his random word."""
    player = view.player
    own_discard = view.declarer >= 0 and player == view.player_of[view.declarer]
    view.discard = hidden.discard if own_discard else 0
    view.random = i64(splitmix(hidden.key[player], hidden.drawn[player]) >> u64(1))
    hidden.drawn[player] += 1
