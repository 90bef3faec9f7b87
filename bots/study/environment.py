"""How the others answer under a variant: the coefficients that value candidates (``rows``).

Before anything is learned they are rules of thumb: prices as they are, and a usual chance that all
pass. Self-play fits them to each variant (``weights/environments.json``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.conventions import REFET
from scoring.variant import find_variant

from ..hand_tables import BUCKETS, Floats
from ..layout import N_WEIGHTS, PLAY_PRICE, make_weights
from ..prices import Rules, convention, n_players
from ..refet_layout import N_REFET_WEIGHTS, refet_weights
from ..valuation import RASPAS_CHANCE
from .rows import (
    AUCTION_CONTEXTS,
    AUCTION_ROW,
    BIDS,
    BIDS_MISERE,
    BIDS_WITHOUT,
    CATCH_ROW,
    CONTRACT_ROW,
    DEALER_ROW,
    N_AUCTION,
    N_COEFFICIENTS,
    N_CONTRACT,
    N_FEATURES,
    N_ROWS_OF_STUDY,
    N_WHIST,
    OPEN_ROW,
    PASSES,
    WHIST_AFTER_WHIST,
    WHIST_OF_TWO,
    WHIST_ROW,
)

COEFFICIENTS = max(N_WEIGHTS, N_REFET_WEIGHTS)
"""Where the coefficients stand in the weights of ``expert``, behind tables and prices."""


def rules_of_thumb() -> Floats:
    """[row, feature]: the coefficients before anything is learned."""
    rows = np.zeros((N_ROWS_OF_STUDY, N_FEATURES))
    for context in range(AUCTION_CONTEXTS):
        row = AUCTION_ROW + N_AUCTION * context
        chance = RASPAS_CHANCE[context] if context < len(RASPAS_CHANCE) else 0.0
        rows[row + PASSES, 1:3] = 1.0 - chance, chance
        for call in (BIDS, BIDS_MISERE, BIDS_WITHOUT):
            rows[row + call, 1] = 1.0
    for kind in range(6):
        for k in range(5):
            row = WHIST_ROW + (5 * kind + k) * N_WHIST
            paired = kind == WHIST_AFTER_WHIST
            rows[row, 2 if paired else 1] = 1.0
            rows[row + 1, 2 if paired else 1] = 1.0
            rows[row + 2, 1] = 1.0
            if kind == WHIST_OF_TWO:
                rows[row + 1, 1] = 1.0
    for k in range(5):
        rows[OPEN_ROW + 2 * k : OPEN_ROW + 2 * k + 2, 1] = 1.0
        rows[OPEN_ROW + 2 * k + 1, 0] = 0.01
        rows[OPEN_ROW + 10 + 2 * k, 2] = 1.0
        rows[OPEN_ROW + 11 + 2 * k, 1] = 1.0
        rows[DEALER_ROW + 3 * k + 1, [1, 3]] = 0.001, 1.0
        rows[DEALER_ROW + 3 * k + 2, [2, 3]] = 0.001, 1.0
    rows[CONTRACT_ROW : CONTRACT_ROW + 3 * N_CONTRACT, 1] = 1.0
    rows[CATCH_ROW + 1, 1] = 1.0
    rows[CATCH_ROW + 2, 0] = 0.1
    return rows


def learned(rules: Rules) -> Floats | None:
    """The fitted coefficients of the rules, or of the nearest ones; None if there are none."""
    return None


def priced(rules: Rules, options: Mapping[str, Any]) -> Floats:
    """Tables and prices for whatever game is played, as ``cautious`` has them."""
    make = refet_weights if convention(rules, "family") == REFET else make_weights
    weights = np.zeros(COEFFICIENTS)
    made = make(rules, {"bias": 0.0})
    weights[: len(made)] = made
    return weights


def expert_weights(rules: Rules, options: Mapping[str, Any]) -> Floats:
    """Tables, prices under the variant's own payoffs, and the environment."""
    if options["tuned"]:
        tuned = find_variant(options["tuned"])
        rules = tuned.rules(n_players(rules))
    weights = priced(rules, options)
    rows = rules_of_thumb()
    if convention(rules, "family") != REFET:
        unit = weights[PLAY_PRICE + BUCKETS - 1]
        if unit > 0:
            for context in range(AUCTION_CONTEXTS):
                rows[AUCTION_ROW + N_AUCTION * context + BIDS, 0] += options["bias"] / unit
    given = learned(rules) if options["start"] else None
    if given is not None:
        rows += given
    return np.concatenate([weights, rows.ravel()])


assert N_COEFFICIENTS == N_ROWS_OF_STUDY * N_FEATURES
