"""How likely a misère stays clean, by the learned tables of suits."""

from __future__ import annotations

from typing import Any

from scoring.kernel import outline
from sim.clean import N_HOLDINGS, clean_chance, corrected, lay_for_misere

from ..api import kernel
from ..card_policy import N_CARD_WEIGHTS
from ..hand_tables import BUCKETS, N_MASKS
from ..valuation import bucket_of, sum_suits
from .rows import N_COEFFICIENTS

CATCH, LEAD, CORRECTION, BID, BID_CLEAN = (
    N_COEFFICIENTS + N_CARD_WEIGHTS + k
    for k in (
        0,
        N_HOLDINGS,
        2 * N_HOLDINGS,
        2 * N_HOLDINGS + 9 * BUCKETS,
        2 * N_HOLDINGS + 9 * BUCKETS + N_MASKS,
    )
)
"""Places behind those of the prices: chances to be caught, the same where one leads, correction for
whole hands, suits before the talon and the chance by their sum."""
MISERE_TABLES = (
    *("misere_catch", "misere_catch_lead", "misere_clean"),
    *("misere_bid", "misere_bid_clean"),
)


@kernel
def _tables(w: Any, first: int) -> tuple[Any, Any, Any]:
    at = first + CATCH
    return (
        w[at : at + N_HOLDINGS],
        w[at + N_HOLDINGS : at + 2 * N_HOLDINGS],
        w[at + 2 * N_HOLDINGS : at + 2 * N_HOLDINGS + 9 * BUCKETS],
    )


@outline
def chance_as_it_is(w: Any, first: int, hand: int, position: int) -> float:
    """Chance of a clean misère with the ten cards dealt."""
    catch, lead, correction = _tables(w, first)
    chance, risky = clean_chance(catch, lead, hand, 0, position)
    return corrected(correction, chance, risky, position)


@kernel
def chance_before_talon(w: Any, first: int, hand: int, position: int) -> float:
    """Chance of a clean misère with the average talon, after the best discard."""
    bucket = bucket_of(sum_suits(w, hand, first + BID))
    return w[first + BID_CLEAN + BUCKETS * position + bucket]


@outline
def safest_pair(w: Any, first: int, twelve: int, position: int) -> int:
    """The two cards without which misère is likeliest to stay clean."""
    catch, lead, correction = _tables(w, first)
    return lay_for_misere(catch, lead, correction, twelve, position)[0]
