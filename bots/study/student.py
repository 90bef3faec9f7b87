"""What training is handed to teach ``expert``: his candidates, his coefficients, and how what is
learned is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scoring.conventions import REFET

from .. import FOLDER, find_bot
from ..card_policy import CONTEXTS, card_weights, tell_weights
from ..expert import study
from ..hand_tables import GIVEN, Floats, expert_tables
from ..prices import Rules, convention, n_players
from . import cards, fixpoints
from .environment import biased, learned, rules_of_thumb, unit_of, weights_with
from .rows import (
    AUCTION_ROW,
    BIDDING_ROW,
    BIDS,
    BIDS_MISERE,
    BLOCKS,
    CATCH_ROW,
    COME_ROW,
    CONTRA_ROW,
    CONTRACT_ROW,
    GRAIN,
    N_AUCTION,
    N_BIDDING,
    N_COME,
    N_CONTRA,
    N_CONTRACT,
    N_ROWS_OF_STUDY,
    N_WHIST,
    NAMING_ROW,
    OPEN_ROW,
    PASSES,
    WHIST_AFTER_PASS,
    WHIST_AFTER_WHIST,
    WHIST_FIRST,
    WHIST_OF_TWO,
    WHIST_ROW,
)

_OPENING = 3
"""Contexts of the auction in which nobody has bid."""


def thresholds(rules: Rules) -> dict[str, list[int]]:
    """By name: the rows whose constants shift one threshold of a player."""
    if convention(rules, "family") == REFET:
        bids = [row for row in range(BIDDING_ROW, COME_ROW) if (row - BIDDING_ROW) % N_BIDDING]
        return {
            "opening bids": [row for row in bids if row < BIDDING_ROW + _OPENING * N_BIDDING],
            "later bids": [row for row in bids if row >= BIDDING_ROW + _OPENING * N_BIDDING],
            "coming": list(range(COME_ROW + 1, CONTRA_ROW, N_COME)),
            "contra": list(range(CONTRA_ROW + 1, NAMING_ROW, N_CONTRA)),
        }
    calls = list(range(AUCTION_ROW, WHIST_ROW, N_AUCTION))
    found = {
        "opening bids": [row + BIDS for row in calls[:_OPENING]],
        "later bids": [row + BIDS for row in calls[_OPENING:]],
        "misère": [row + BIDS_MISERE for row in calls],
    }
    kinds = {"whist first": WHIST_FIRST, "whist after a pass": WHIST_AFTER_PASS}
    kinds["whist after a whist"] = WHIST_AFTER_WHIST
    if n_players(rules) == 2:
        kinds = {"whist": WHIST_OF_TWO}
    for name, kind in kinds.items():
        found[name] = [WHIST_ROW + (5 * kind + k) * N_WHIST + 1 for k in range(5)]
    for k in range(1, 5):
        found[f"contract of {6 + k}"] = [CONTRACT_ROW + N_CONTRACT * d + k for d in range(3)]
    return found


def kinds(rules: Rules) -> dict[str, list[int]]:
    """By name: the rows of the candidates of one kind of decision."""
    if convention(rules, "family") == REFET:
        return {
            "bid": [row for row in range(BIDDING_ROW, COME_ROW) if (row - BIDDING_ROW) % N_BIDDING],
            "pass": list(range(BIDDING_ROW, COME_ROW, N_BIDDING)),
            "contract": list(range(NAMING_ROW, N_ROWS_OF_STUDY)),
            "coming": list(range(COME_ROW, CONTRA_ROW)),
        }
    opening = range(AUCTION_ROW, AUCTION_ROW + _OPENING * N_AUCTION, N_AUCTION)
    return {
        "open": [row + BIDS for row in opening],
        "raspas": [row + PASSES for row in opening],
        "misère": list(range(AUCTION_ROW + BIDS_MISERE, WHIST_ROW, N_AUCTION)),
        "contract": list(range(CONTRACT_ROW, CATCH_ROW)),
        "whist": list(range(WHIST_ROW, OPEN_ROW)),
    }


def is_studied(rules: Rules) -> bool:
    return convention(rules, "family") in fixpoints.STUDIED


def _forget() -> None:
    fixpoints.forget()
    for cached in (expert_tables, card_weights):
        cached.cache_clear()


@contextmanager
def taught(data: dict[str, Any]) -> Iterator[None]:
    """Within, ``expert`` knows this instead of what his file says."""
    GIVEN["expert"] = data
    _forget()
    try:
        yield
    finally:
        del GIVEN["expert"]
        _forget()


def _packed(rows: Floats) -> dict[str, list[int]]:
    return fixpoints.packed(rows - rules_of_thumb())


def _unpacked(told: dict[str, list[int]]) -> Floats:
    return fixpoints.unpacked(told) + rules_of_thumb()


def _code() -> str:
    """Digest of the bots' sources: what is learned depends on them, and on the file of tables."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def parts() -> dict[str, Any]:
    """The fields of a ``sim.training.student.Student``."""
    return {
        "bot": find_bot("expert"),
        "code": _code(),
        "study": study,
        "weights": weights_with,
        "believed": rules_of_thumb(),
        "blocks": BLOCKS,
        "grain": float(GRAIN),
        "biased": biased,
        "unit": unit_of,
        "thresholds": thresholds,
        "kinds": kinds,
        "is_studied": is_studied,
        "learned": learned,
        "packed": _packed,
        "unpacked": _unpacked,
        "digest": fixpoints.digest_of,
        "tuned_path": fixpoints.tuned_path,
        "taught": taught,
        "card_player": cards.player_of_cards(),
        "card_study": cards.card_study,
        "card_weights": cards.in_thousandths,
        "card_start": cards.start_weights(),
        "card_contexts": CONTEXTS,
        "card_worth": cards.worth,
        "tell_cards": tell_weights,
    }
