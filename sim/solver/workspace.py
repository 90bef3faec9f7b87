"""The memory of a search: one int64 array that the caller keeps; a search allocates nothing.

It holds the table of positions already judged, the lists of moves of each depth, a counter, and
the weights of the ordering. Whatever it held before, :func:`prepare` makes it ready; after that
it serves any number of positions, one thread at a time, and what is in its table changes how long
a search takes but never what it finds.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scoring.kernel import constants, kernel, outline

WAYS = 8
BUCKET_BITS = 11
_N_BUCKETS = 1 << BUCKET_BITS

ENTRIES = WAYS * _N_BUCKETS
"""Entries of the table, of two words each; it stands first."""
TURNS = 2 * ENTRIES
"""Where the entry to be replaced next stands, for each bucket."""
_LISTS = TURNS + _N_BUCKETS
LIST = 16
"""Words of a list of moves; a depth has one for each seat of a trick."""
_LISTS_OF_DEPTH = 3 * LIST
_DEPTHS = 11
NODES = _LISTS + _DEPTHS * _LISTS_OF_DEPTH
"""The number of positions looked at (trick-nodes), for measuring."""
WEIGHTS = NODES + 1

LEAD_FEATURES = (
    *("winner", "one_above", "rank", "length", "rivals", "run", "winner_rank", "singleton"),
    *("trump", "winning_trump", "ruffed", "void", "low_or_partner", "under_declarer"),
    *("partner_ruffs", "partner_void"),
)
FOLLOW_FEATURES = (
    *("outcome_0", "outcome_1", "outcome_2", "outcome_3"),
    *("rank_0", "rank_1", "rank_2", "rank_3"),
    *("discard_rank", "discard_length", "discard_high", "discard_rivals"),
    *("discard_singleton", "discard_master"),
)
"""What the ordering (``sim.solver.ordering``) looks at: in a lead; in a second or third card."""
N_LEAD = len(LEAD_FEATURES)
N_FOLLOW = len(FOLLOW_FEATURES)
SECOND = 3 * N_LEAD
THIRD = SECOND + 3 * N_FOLLOW
N_WEIGHTS = THIRD + 3 * N_FOLLOW
"""Weights of one game: 16 for the lead of each role, 14 for its second and its third card."""

PAYOFFS = WEIGHTS + 3 * N_WEIGHTS
"""What each hand gets at the end of raspas [3, 11, 11]."""
N_COUNTS = 11
"""A hand takes 0..10 tricks."""
WORKSPACE = PAYOFFS + 3 * N_COUNTS * N_COUNTS
"""Words (int64) that a workspace needs."""

GAMES = ("suit", "no_trump", "misere")
_SEATS = {"lead": LEAD_FEATURES, "second": FOLLOW_FEATURES, "third": FOLLOW_FEATURES}
"""Seats in the trick and what is looked at there, in the order of the weights."""
_FILE = Path(__file__).parent / "weights.constants.json"


def pack_weights(told: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Weights as they are written in the file, by game, seat in the trick and feature, the three
    roles of each: as one array [game, weight] of int64."""
    rows = []
    for game in GAMES:
        row: list[int] = []
        for seat, names in _SEATS.items():
            row += np.array([told[game][seat][name] for name in names]).T.ravel().tolist()
        rows.append(row)
    return np.array(rows, np.int64)


def tell_weights(packed: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The inverse of :func:`pack_weights`."""
    told: dict[str, Any] = {}
    for game, row in zip(GAMES, packed, strict=True):
        told[game] = {}
        start = 0
        for seat, names in _SEATS.items():
            table = row[start : start + 3 * len(names)].reshape(3, len(names)).T.tolist()
            told[game][seat] = dict(zip(names, table, strict=True))
            start += 3 * len(names)
    return told


WEIGHTS_USED = pack_weights(json.loads(_FILE.read_text(encoding="utf-8")))
_WEIGHTS = constants(WEIGHTS_USED.ravel())


@outline
def prepare(work: Any) -> None:
    """Make a workspace ready; its contents may be anything."""
    for k in range(WEIGHTS):
        work[k] = 0
    for k in range(3 * N_WEIGHTS):
        work[WEIGHTS + k] = _WEIGHTS[k]


@kernel
def list_at(n: int, seat: int) -> int:
    """Where the moves of a seat (0 lead, 1 second, 2 third) stand with ``n`` tricks left."""
    return _LISTS + _LISTS_OF_DEPTH * n + LIST * seat


def make_workspace() -> np.ndarray[Any, Any]:
    """A workspace of one's own, ready."""
    work = np.zeros(WORKSPACE, np.int64)
    prepare(work)
    return work
