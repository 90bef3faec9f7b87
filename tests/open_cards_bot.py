"""A bot that plays as if the cards it does not see lay in order: it asks the open-cards solver."""

from __future__ import annotations

from typing import Any

from bots.api import below, bot, ctz, kernel, nth_bit, popcount
from scoring.contract import MISERE_GAME, RASPAS
from sim.cards import ALL_CARDS
from sim.solver import MISERE_STRAIN, WORKSPACE, prepare, rate_cards
from sim.state import AUCTION, CARD, N_TRICKS, PASS

_VALUES = WORKSPACE
_GAME_NEEDS = 32


@kernel
def _lowest(cards: int, n: int) -> int:
    """The n lowest cards of a mask."""
    taken = 0
    for _ in range(n):
        taken |= cards & ~taken & -(cards & ~taken)
    return taken


@kernel
def _guess(view: Any, hand: int, hidden: int) -> int:
    """The cards of a hand: seen, or the lowest of the hidden ones; none if it does not play."""
    if view.in_play >> hand & 1 == 0:
        return 0
    if hand == view.mover:
        return view.hand
    if view.shown[hand]:
        return view.shown[hand]
    laid = 1 if view.trick_card[hand] >= 0 else 0
    return _lowest(hidden, N_TRICKS - view.trick - laid)


@kernel
def _table_card(view: Any, k: int) -> int:
    """The k-th card on the table after the leader's, -1 for none."""
    hand = view.leader
    for _ in range(k):
        hand = (hand + 1) % 3
    return view.trick_card[hand] if view.in_trick > k else -1


@kernel
def _choose(view: Any, own: Any) -> int:
    """The best card by the solver, of equals the lowest; at raspas as a misère of one's own."""
    hidden = ALL_CARDS & ~(view.hand | view.played | view.discard | view.talon)
    for hand in range(3):
        hidden &= ~view.shown[hand]
    h0 = _guess(view, 0, hidden)
    if view.shown[0] == 0 and view.mover != 0:
        hidden &= ~h0
    h1 = _guess(view, 1, hidden)
    if view.shown[1] == 0 and view.mover != 1:
        hidden &= ~h1
    h2 = _guess(view, 2, hidden)
    few = view.kind == MISERE_GAME or view.kind == RASPAS
    strain = MISERE_STRAIN if few else view.strain
    declarer = view.mover if view.kind == RASPAS else view.declarer
    first, second = _table_card(view, 0), _table_card(view, 1)
    position = (strain, h0, h1, h2, declarer, view.leader, first, second)
    values = own.workspace[_VALUES : _VALUES + _GAME_NEEDS]
    prepare(own.workspace)
    best = rate_cards(own.workspace, position, values)
    for card in range(_GAME_NEEDS):
        if values[card] == best:
            return card
    return -1


@kernel
def _call(view: Any) -> int:
    """At random, but a pass three times in four where one may pass."""
    if view.phase == AUCTION and view.legal >> PASS & 1 and view.random & 3:
        return PASS
    return nth_bit(view.legal, below(view.random, popcount(view.legal)))


@bot(workspace=WORKSPACE + _GAME_NEEDS)
def open_cards(view: Any, own: Any) -> int:
    """Bids at random, plays cards as if he saw all of them."""
    if view.phase != CARD:
        return _call(view)
    is_led_by_talon = view.kind == RASPAS and view.trick < 2 and view.talon_card[view.trick] >= 0
    return ctz(view.legal) if is_led_by_talon else _choose(view, own)


@bot()
def blind(view: Any, own: Any) -> int:
    """Bids as ``open_cards``, plays cards at random."""
    return _call(view)
