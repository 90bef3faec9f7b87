"""How the others answer under a variant: the coefficients that value candidates (``rows``).

Before anything is learned they are rules of thumb: prices as they are, and a usual chance that all
pass. Self-play fits them to each variant (``weights/environments.json``).
"""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scoring.conventions import POOL_FAMILY, REFET
from scoring.variant import find_variant

from ..card_policy import card_weights
from ..hand_tables import BUCKETS, Floats, expert_tables
from ..layout import N_WEIGHTS, PLAY_PRICE, make_weights
from ..prices import Rules, convention, n_players
from ..refet_follow import MARGINS
from ..refet_layout import N_REFET_WEIGHTS, refet_weights
from ..valuation import RASPAS_CHANCE
from .misere import MISERE_TABLES
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

FILE = Path(__file__).parent.parent / "weights" / "environments.json"
PARTS = 10_000
"""Coefficients are stored in 1 / PARTS."""


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


@functools.cache
def stored() -> dict[tuple[str, int], Floats]:
    """By variant and players: what self-play changed of the rules of thumb."""
    data = json.loads(FILE.read_text("utf-8"))
    return {(one["variant"], one["players"]): unpacked(one["rows"]) for one in data["fixpoints"]}


def unpacked(rows: Mapping[str, list[int]]) -> Floats:
    changes = np.zeros((N_ROWS_OF_STUDY, N_FEATURES))
    for row, numbers in rows.items():
        changes[int(row), : len(numbers)] = np.array(numbers) / PARTS
    return changes


def packed(rows: Floats) -> dict[str, list[int]]:
    """Changes of the rules of thumb as they are stored: the rows that differ, in 1 / PARTS."""
    changes = np.rint((rows - rules_of_thumb()) * PARTS).astype(int)
    return {str(k): np.trim_zeros(row, "b").tolist() for k, row in enumerate(changes) if row.any()}


def _conventions(rules: Rules) -> Floats:
    """All that is packed but how long a pulka is."""
    names = [name for name in rules.dtype.names or () if name not in ("target", "total")]
    return np.concatenate([np.asarray(rules[name][0], np.float64).ravel() for name in names])


@functools.cache
def _known(family: int, players: int) -> list[tuple[str, Floats]]:
    """The variants of a family whose fixpoint for so many players is stored, with conventions."""
    found = []
    for name, n in stored():
        if n == players:
            rules = find_variant(name).rules(n)
            if convention(rules, "family") == family:
                found.append((name, _conventions(rules)))
    return found


def nearest_variant(rules: Rules) -> tuple[str, int]:
    """The variant with a stored fixpoint that has the fewest other conventions, and how many; an
    empty name if there is none."""
    own = _conventions(rules)
    best, fewest = "", len(own) + 1
    for name, other in _known(convention(rules, "family"), n_players(rules)):
        different = int((own != other).sum())
        if different < fewest:
            best, fewest = name, different
    return best, fewest


def learned(rules: Rules) -> Floats:
    """[row, feature]: the coefficients of the rules' own fixpoint, else of the nearest variant's,
    with a warning, else rules of thumb."""
    name, different = nearest_variant(rules)
    if not name:
        return rules_of_thumb()
    if different:
        warnings.warn(
            f"expert is not tuned to these conventions: he answers as in {name}, which differs in "
            f"{different} of them; `preferans tune` does it in minutes",
            stacklevel=2,
        )
    return rules_of_thumb() + stored()[name, n_players(rules)]


def priced(rules: Rules) -> Floats:
    """Tables and prices for whatever game is played, as ``cautious`` has them."""
    if convention(rules, "family") == REFET:
        made = refet_weights(rules, {"bias": 0.0})
    else:
        made = make_weights(rules, {"bias": 0.0}, expert_tables())
    weights = np.zeros(COEFFICIENTS)
    weights[: len(made)] = made
    return weights


def weights_with(rules: Rules, rows: Floats) -> Floats:
    """The weights of ``expert`` with these coefficients."""
    misere = [expert_tables()[name] for name in MISERE_TABLES]
    has_pool = convention(rules, "family") == POOL_FAMILY
    standing = standing_weights(rules) if has_pool else np.zeros(N_STATE_WEIGHTS)
    return np.concatenate([priced(rules), rows.ravel(), card_weights(), *misere, standing])


def biased(rules: Rules, rows: Floats, bias: float) -> Floats:
    """Coefficients with every bid valued so many whists higher."""
    moved = rows.copy()
    unit = priced(rules)[PLAY_PRICE + BUCKETS - 1]
    if convention(rules, "family") == POOL_FAMILY:
        moved[AUCTION_ROW + BIDS : WHIST_ROW : N_AUCTION, 0] += bias / unit
    return moved


def expert_weights(rules: Rules, options: Mapping[str, Any]) -> Floats:
    """Tables, prices under the variant's own payoffs, and the environment."""
    if options["tuned"]:
        rules = find_variant(options["tuned"]).rules(n_players(rules))
    rows = learned(rules) if options["learned"] else rules_of_thumb()
    return weights_with(rules, biased(rules, rows, options["bias"]) if options["bias"] else rows)
