"""The talon (прикуп), the discard (снос), cards passed along (передача), the final contract.

Sources: Code of Preferans 3.5; Variant rules: Leningradka, Piter, Finka, Kazakhstanka (raspas with
passing along).
"""

from __future__ import annotations

from scoring.contract import (
    MISERE_GAME,
    NO_TRUMP,
    TRICKS_MASK,
    WITHOUT_MASK,
    contract_level,
    contract_strain,
    is_misere,
)
from scoring.kernel import Record, kernel, msb, popcount

from .auction import log_call
from .cards import HAND_SIZE
from .state import CONCEDE, CONTRACT, DISCARD, N_HANDS, PASS_ALONG


@kernel
def turn_talon(view: Record, hidden: Record) -> None:
    """Turn the talon up for all and give it to the declarer."""
    view.talon = hidden.talon
    view.talon_card[0] = hidden.talon_order[0]
    view.talon_card[1] = hidden.talon_order[1]
    take_talon(view, hidden)


@kernel
def take_talon(view: Record, hidden: Record) -> None:
    """Give the talon to the declarer, who lays two cards away."""
    hidden.hands[view.declarer] |= hidden.talon
    view.phase = DISCARD
    view.mover = view.declarer


@kernel
def open_pass_along(view: Record, hidden: Record) -> None:
    """Raspas with passing along: the eldest takes the talon unseen."""
    view.phase = PASS_ALONG
    view.mover = 0
    _receive(hidden, 0, hidden.talon)


@kernel
def _receive(hidden: Record, hand: int, cards: int) -> None:
    hidden.received[hand] = cards
    hidden.hands[hand] |= cards


@kernel
def legal_discards(view: Record, hidden: Record) -> int:
    """Mask of cards: two single decisions, the second above the first, so a pair has one order."""
    hand = hidden.hands[view.mover]
    laid = hidden.discard[view.mover]
    if laid:
        return hand & ~(laid | (laid - 1))
    return hand & ~(1 << msb(hand))


@kernel
def apply_discard(view: Record, hidden: Record, card: int) -> bool:
    """Lay one card away; True after the second."""
    hidden.discard[view.mover] |= 1 << card
    hidden.hands[view.mover] &= ~(1 << card)
    return popcount(hidden.hands[view.mover]) == HAND_SIZE


@kernel
def apply_pass_along(view: Record, hidden: Record, card: int) -> bool:
    """Lay one card away for the next hand; True after the last hand's second."""
    if not apply_discard(view, hidden, card):
        return False
    if view.mover == N_HANDS - 1:
        return True
    _receive(hidden, view.mover + 1, hidden.discard[view.mover])
    view.mover += 1
    return False


@kernel
def open_contract(view: Record) -> bool:
    """Ask for the final contract; False at misère, which is played as bid."""
    view.mover = view.declarer
    if view.kind == MISERE_GAME:
        name_contract(view, view.contract)
        return False
    view.phase = CONTRACT
    return True


@kernel
def legal_contracts(view: Record, rules: Record) -> int:
    """Mask of contract codes not below the winning bid, and the concession where it is allowed.

    Who bid without the talon plays without it; conceding comes with the talon (convention: our
    choice).
    """
    contracts = rules.bids_above[view.bid + 1] | 1 << view.bid
    if view.without_talon == 1:
        return contracts & WITHOUT_MASK
    concession = 1 << CONCEDE if rules.contract_concession > 0 else 0
    return contracts & TRICKS_MASK | concession


@kernel
def name_contract(view: Record, code: int) -> None:
    """Fix level and strain of the contract that is played."""
    view.contract = code
    if view.kind == MISERE_GAME:
        view.strain = NO_TRUMP
    else:
        view.level = contract_level(code)
        view.strain = contract_strain(code)


@kernel
def apply_contract(view: Record, rules: Record, action: int) -> bool:
    """Name the final contract; False if the declarer conceded («уход») and the deal is over."""
    log_call(view, action)
    if is_misere(action):
        view.kind = MISERE_GAME
    if action == CONCEDE:
        name_contract(view, view.bid)
        view.concession = rules.contract_concession
        return False
    name_contract(view, action)
    return True
