"""The talon (прикуп), the discard (снос) and the final contract (Code of Preferans 3.5)."""

from __future__ import annotations

from scoring.contract import MISERE, MISERE_GAME, N_STRAINS, NO_TRUMP
from scoring.kernel import Record, kernel, msb

from .auction import log_call
from .state import CONCEDE, CONTRACT, DISCARD


@kernel
def turn_talon(view: Record, hidden: Record) -> None:
    """Turn the talon up for all and give it to the declarer."""
    view.talon = hidden.talon
    view.talon_card[0] = hidden.talon_order[0]
    view.talon_card[1] = hidden.talon_order[1]
    hidden.hands[view.declarer] |= hidden.talon
    hidden.discard = 0
    view.phase = DISCARD
    view.mover = view.declarer


@kernel
def legal_discards(view: Record, hidden: Record) -> int:
    """Mask of cards: two single decisions, the second above the first, so a pair has one order."""
    hand = hidden.hands[view.declarer]
    if hidden.discard:
        return hand & ~(hidden.discard | (hidden.discard - 1))
    return hand & ~(1 << msb(hand))


@kernel
def apply_discard(view: Record, hidden: Record, card: int) -> bool:
    """Lay one card away; True after the second."""
    second = hidden.discard != 0
    hidden.discard |= 1 << card
    hidden.hands[view.declarer] &= ~(1 << card)
    return second


@kernel
def open_contract(view: Record) -> bool:
    """Ask for the final contract; False at misère, which is played as bid."""
    if view.kind == MISERE_GAME:
        name_contract(view, MISERE)
        return False
    view.phase = CONTRACT
    return True


@kernel
def legal_contracts(view: Record, rules: Record) -> int:
    """Mask of contract codes not below the winning bid, and the concession where it is allowed."""
    contracts = (rules.bids_above[view.bid + 1] | 1 << view.bid) & ~(1 << MISERE)
    return contracts | (1 << CONCEDE if rules.contract_concession > 0 else 0)


@kernel
def name_contract(view: Record, code: int) -> None:
    """Fix level and strain of the contract that is played."""
    view.contract = code
    if code == MISERE:
        view.strain = NO_TRUMP
    else:
        view.level = 6 + code // N_STRAINS
        view.strain = code % N_STRAINS


@kernel
def apply_contract(view: Record, rules: Record, action: int) -> bool:
    """Name the final contract; False if the declarer conceded («уход») and the deal is over."""
    log_call(view, action)
    if action == CONCEDE:
        name_contract(view, view.bid)
        view.concession = rules.contract_concession
        return False
    name_contract(view, action)
    return True
