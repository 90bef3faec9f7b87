"""How the whist calls of a contract can end, spelled out call by call from the rules.

Sources: Code of Preferans 3.8; Variant rules: Leningradka, Piter, Finka, Kazakhstanka; Essay
"Preferans", the game for two. D1 is the player after the declarer, D2 the other defender; of two
players D1 is the only one.
"""

from __future__ import annotations

from scoring.contract import SPADES
from scoring.result import HALF_WHISTED, NO_DECISION, PASSED, WHISTED
from scoring.variant import Variant

NOBODY, FIRST, SECOND, DEALER = range(4)
"""Who whisted last: nobody, D1, D2, the sitting-out dealer."""

Outcome = tuple[int, int, int, int]
"""The parts of D1, D2 and the dealer, and who whisted last."""


def _unwhisted(variant: Variant, n_players: int, first: int, second: int) -> set[Outcome]:
    """Nobody whists, or the sitting-out dealer does with a defender's hand."""
    ends = {(first, second, NO_DECISION, NOBODY)}
    if n_players == 4 and variant.conventions["whist.dealer_may"]:
        ends.add((NO_DECISION, PASSED, WHISTED, DEALER))
        ends.add((PASSED, NO_DECISION, WHISTED, DEALER))
    return ends


def _outcomes_of_two(variant: Variant, must: bool) -> set[Outcome]:
    """The only defender whists, or passes where he may."""
    ends = {(WHISTED, NO_DECISION, NO_DECISION, FIRST)}
    if not must and "pass" in variant.conventions["dummy.defence"]:
        ends.add((PASSED, NO_DECISION, NO_DECISION, NOBODY))
    return ends


def outcomes(variant: Variant, level: int, strain: int, n_players: int) -> set[Outcome]:
    """Every end of the calls on a contract of this level and strain."""
    rules = variant.conventions
    six_spades = (level, strain) == (6, SPADES)
    must = six_spades and rules["whist.stalingrad"]
    must = must or (level == 10 and rules["whist.ten"] != "whisted")
    if n_players == 2:
        return _outcomes_of_two(variant, must)
    if must:
        return {(WHISTED, WHISTED, NO_DECISION, SECOND)}
    half = level in rules["whist.half_levels"]
    returned = HALF_WHISTED if rules["whist.returner_takes_all"] else PASSED
    ends = {
        (WHISTED, WHISTED, NO_DECISION, SECOND),
        (WHISTED, PASSED, NO_DECISION, FIRST),
        (PASSED, WHISTED, NO_DECISION, SECOND),
    }
    if half:  # pass, half-whist: D1 leaves it or returns
        ends |= _unwhisted(variant, n_players, PASSED, HALF_WHISTED)
        ends.add((WHISTED, returned, NO_DECISION, FIRST))
    if half and rules["whist.long"]:  # whist, pass, half-whist: D2 leaves it or returns
        ends |= _unwhisted(variant, n_players, HALF_WHISTED, PASSED)
        ends.add((returned, WHISTED, NO_DECISION, SECOND))
    if not half or rules["whist.both_may_pass"]:
        ends |= _unwhisted(variant, n_players, PASSED, PASSED)
    return ends
