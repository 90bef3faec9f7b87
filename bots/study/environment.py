"""How the others answer under a variant: the coefficients that value candidates (``rows``).

Before anything is learned they are rules of thumb: prices as they are, and a usual chance that all
pass. Self-play fits them to each variant (``fixpoints``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.conventions import POOL_FAMILY, REFET
from scoring.variant import find_variant

from ..card_policy import card_weights, mark_alone
from ..hand_tables import BUCKETS, Floats, expert_tables
from ..layout import N_WEIGHTS, PLAY_PRICE, make_weights
from ..prices import Rules, convention, n_players
from ..refet_follow import MARGINS
from ..refet_layout import N_REFET_WEIGHTS, PLAY_SUIT, refet_weights
from ..valuation import RASPAS_CHANCE
from .fixpoints import changes_for
from .misere import MISERE_TABLES
from .refet import UNIT_POINTS
from .rows import (
    AUCTION_CONTEXTS,
    AUCTION_ROW,
    BIDDING_ROW,
    BIDS,
    BIDS_MISERE,
    BIDS_WITHOUT,
    CATCH_ROW,
    COME_CONTEXTS,
    COME_ROW,
    CONTRA_CONTEXTS,
    CONTRA_ROW,
    CONTRACT_ROW,
    DEALER_ROW,
    N_AUCTION,
    N_BIDDING,
    N_COEFFICIENTS,
    N_COME,
    N_CONTRA,
    N_CONTRACT,
    N_FEATURES,
    N_NAMING,
    N_ROWS_OF_STUDY,
    N_WHIST,
    NAMING_ROW,
    OPEN_ROW,
    PASSES,
    STANDS,
    WHIST_AFTER_WHIST,
    WHIST_OF_TWO,
    WHIST_ROW,
)
from .standing import N_STATE_WEIGHTS, standing_weights

COEFFICIENTS = max(N_WEIGHTS, N_REFET_WEIGHTS)
"""Where the coefficients stand in the weights of ``expert``, behind tables and prices."""
CARDS = COEFFICIENTS + N_COEFFICIENTS
"""Where the weights of his card play stand."""


def rules_of_thumb() -> Floats:
    """[row, feature]: the coefficients before anything is learned."""
    rows = np.zeros((N_ROWS_OF_STUDY, N_FEATURES))
    for context in range(AUCTION_CONTEXTS):
        row = AUCTION_ROW + N_AUCTION * context
        chance = RASPAS_CHANCE[context] if context < len(RASPAS_CHANCE) else 0.0
        rows[row + PASSES, 1:3] = 1.0 - chance, chance
        for call in (BIDS, BIDS_MISERE, BIDS_WITHOUT):
            rows[row + call, 1] = 1.0
        rows[row + BIDS : row + BIDS_WITHOUT, STANDS] = 1.0
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
    rows[CONTRACT_ROW : CONTRACT_ROW + 3 * N_CONTRACT, STANDS] = 1.0
    rows[CATCH_ROW + 1, 1] = 1.0
    rows[CATCH_ROW + 2, 0] = 0.1
    _refet_rules_of_thumb(rows)
    return rows


def _refet_rules_of_thumb(rows: Floats) -> None:
    """The same for the refet game: half of what one bids is outbid, half of the others come."""
    for row in range(BIDDING_ROW, COME_ROW, N_BIDDING):
        rows[row : row + N_BIDDING, 1] = 1.0
        rows[row : row + N_BIDDING, 4] = -1.0
        rows[row, 4] = 0.0
    for context in range(COME_CONTEXTS):
        row = COME_ROW + N_COME * context
        stays, comes = ((0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0))[context // 7]
        rows[row, 1:3] = stays, comes
        rows[row + 1, 1:3] = (0.5, 0.5) if context < 7 else (comes, stays)
        rows[row + 2 : row + 4, 1] = 1.0
    for context in range(CONTRA_CONTEXTS):
        rows[CONTRA_ROW + N_CONTRA * context + 1, [1, 3]] = 1.0, -MARGINS[context // 7]
    rows[NAMING_ROW : NAMING_ROW + 2 * N_NAMING, 1] = 1.0


def learned(rules: Rules) -> Floats:
    """[row, feature]: the coefficients of the rules' own fixpoint, else of the nearest one."""
    return rules_of_thumb() + changes_for(rules)


def priced(rules: Rules) -> Floats:
    """Tables and prices for whatever game is played, as ``cautious`` has them."""
    if convention(rules, "family") == REFET:
        made = refet_weights(rules, {"bias": 0.0})
    else:
        made = make_weights(rules, {"bias": 0.0}, expert_tables())
    weights = np.zeros(COEFFICIENTS)
    weights[: len(made)] = made
    return weights


def weights_with(rules: Rules, rows: Floats, cards: Floats | None = None) -> Floats:
    """The weights of ``expert`` with these coefficients, and card weights other than his own."""
    cards = mark_alone(card_weights() if cards is None else cards)
    misere = [expert_tables()[name] for name in MISERE_TABLES]
    has_pool = convention(rules, "family") == POOL_FAMILY
    standing = standing_weights(rules) if has_pool else np.zeros(N_STATE_WEIGHTS)
    return np.concatenate([priced(rules), rows.ravel(), cards.ravel(), *misere, standing])


def unit_of(rules: Rules) -> float:
    """The unit of features in whists: the price of the least contract that cannot fail."""
    weights = priced(rules)
    if convention(rules, "family") == REFET:
        suits = weights[PLAY_SUIT + BUCKETS - 1] + weights[PLAY_SUIT + 2 * BUCKETS - 1]
        return float(UNIT_POINTS * suits)
    return float(weights[PLAY_PRICE + BUCKETS - 1])


def biased(rules: Rules, rows: Floats, bias: float) -> Floats:
    """Coefficients with every bid valued so many whists higher."""
    moved = rows.copy()
    more = bias / unit_of(rules)
    if convention(rules, "family") == POOL_FAMILY:
        moved[AUCTION_ROW + BIDS : WHIST_ROW : N_AUCTION, 0] += more
    else:
        for row in range(BIDDING_ROW, COME_ROW, N_BIDDING):
            moved[row + 1 : row + N_BIDDING, 0] += more
    return moved


def expert_weights(rules: Rules, options: Mapping[str, Any]) -> Floats:
    """Tables, prices under the variant's own payoffs, and the environment."""
    if options["tuned"]:
        rules = find_variant(options["tuned"]).rules(n_players(rules))
    rows = learned(rules) if options["learned"] else rules_of_thumb()
    return weights_with(rules, biased(rules, rows, options["bias"]) if options["bias"] else rows)
