"""Candidates of a decision, and the rows of coefficients that value them.

A candidate is an action with a few features, all in whists: prices from the variant's own scorer,
tricks times the price of a made six. Its value is their sum weighted by the coefficients of its row
in the *environment* of the variant, which self-play has fitted. So whatever doubles all prices
changes no decision.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import outline

from ..api import kernel

N_FEATURES = 8
CANDIDATE = 2 + N_FEATURES
"""Words of a candidate: action, row, features."""
MOST_CANDIDATES = 40
STUDY = 1 + MOST_CANDIDATES * CANDIDATE
"""Words of workspace that a study takes: how many candidates, then each."""
STANDS = N_FEATURES - 1
"""The feature of what the sheet changes of a contract; self-play from empty sheets never sees it,
so that its coefficient stays one."""
GRAIN = 65536
"""Features are kept in 1 / GRAIN of a whist."""

_LEVELS = 5
AUCTION_CONTEXTS = 27
"""Nobody has bid (by how many passed), or by level of the standing bid (misère last), whether I
have bid, whether another is in the auction besides the bidder."""
PASSES, BIDS, BIDS_MISERE, BIDS_WITHOUT = range(4)
N_AUCTION = 4
WHIST_FIRST, WHIST_AFTER_WHIST, WHIST_AFTER_PASS, WHIST_LONG, WHIST_RETURN, WHIST_OF_TWO = range(6)
N_WHIST = 3
"""Pass, whist, half-whist."""
N_CONTRACT = 6
"""By level, then the concession; in rows by the declarer's hand."""

AUCTION_ROW = 0
WHIST_ROW = AUCTION_ROW + AUCTION_CONTEXTS * N_AUCTION
OPEN_ROW = WHIST_ROW + 6 * _LEVELS * N_WHIST
CONTRACT_ROW = OPEN_ROW + 2 * _LEVELS * 2
CATCH_ROW = CONTRACT_ROW + 3 * N_CONTRACT
DEALER_ROW = CATCH_ROW + 2 * 2
BIDDING_ROW = DEALER_ROW + _LEVELS * 3
BIDDING_CONTEXTS = 12
N_BIDDING = 6
COME_ROW = BIDDING_ROW + BIDDING_CONTEXTS * N_BIDDING
COME_CONTEXTS = 4 * 7
N_COME = 4
CONTRA_ROW = COME_ROW + COME_CONTEXTS * N_COME
CONTRA_CONTEXTS = 4 * 7
N_CONTRA = 2
NAMING_ROW = CONTRA_ROW + CONTRA_CONTEXTS * N_CONTRA
N_NAMING = 7
N_ROWS_OF_STUDY = NAMING_ROW + 2 * N_NAMING
N_COEFFICIENTS = N_ROWS_OF_STUDY * N_FEATURES


@kernel
def note(out: Any, action: int, row: int, a: float, b: float, c: float, d: float, e: float) -> None:
    """Add a candidate with up to five features; the rest are zero."""
    at = 1 + out[0] * CANDIDATE
    out[0] += 1
    out[at] = action
    out[at + 1] = row
    out[at + 2] = int(a * GRAIN)
    out[at + 3] = int(b * GRAIN)
    out[at + 4] = int(c * GRAIN)
    out[at + 5] = int(d * GRAIN)
    out[at + 6] = int(e * GRAIN)
    for k in range(7, CANDIDATE):
        out[at + k] = 0


@kernel
def note_more(out: Any, f: float, g: float) -> None:
    """Two more features of the candidate noted last."""
    at = 1 + (out[0] - 1) * CANDIDATE
    out[at + 7] = int(f * GRAIN)
    out[at + 8] = int(g * GRAIN)


@kernel
def note_standing_change(out: Any, change: int) -> None:
    """What the sheet changes of the contract noted last, in 1 / GRAIN of a whist."""
    out[1 + (out[0] - 1) * CANDIDATE + 2 + STANDS] = change


@kernel
def candidate_value(out: Any, at: int, coefficients: Any, first: int) -> float:
    """The value in whists of the candidate at a word; ``first`` is the environment's place."""
    place = first + out[at + 1] * N_FEATURES
    value = 0.0
    for k in range(N_FEATURES):
        value += coefficients[place + k] * out[at + 2 + k]
    return value / GRAIN


@outline
def best_candidate(out: Any, coefficients: Any, first: int) -> int:
    """The action of the candidate worth most, of equals the first; -1 where none is noted."""
    best = -1
    most = 0.0
    for k in range(out[0]):
        at = 1 + k * CANDIDATE
        value = candidate_value(out, at, coefficients, first)
        if best < 0 or value > most:
            best = out[at]
            most = value
    return best


def _blocks() -> list[range]:
    spans = (
        (AUCTION_ROW, AUCTION_CONTEXTS, N_AUCTION),
        (WHIST_ROW, 6 * _LEVELS, N_WHIST),
        (OPEN_ROW, 2 * _LEVELS, 2),
        (CONTRACT_ROW, 3, N_CONTRACT),
        (CATCH_ROW, 2, 2),
        (DEALER_ROW, _LEVELS, 3),
        (BIDDING_ROW, BIDDING_CONTEXTS, N_BIDDING),
        (COME_ROW, COME_CONTEXTS, N_COME),
        (CONTRA_ROW, CONTRA_CONTEXTS, N_CONTRA),
        (NAMING_ROW, 2, N_NAMING),
    )
    return [range(row + k * size, row + (k + 1) * size) for row, n, size in spans for k in range(n)]


BLOCKS = _blocks()
"""The rows of each context: candidates that are compared with each other."""
