"""What the sheet adds to a made contract, or takes from it: prizes and the race for them.

Prices are those of an empty sheet. Where the sheet changes what a contract writes, the difference
is asked from the scorer once a deal; where it cannot, nothing is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.batch import empty_sheet, value_on_sheets
from scoring.kernel import outline
from scoring.result import UNIT
from sim.standing import CLOSES, GAINED, MADE, N_MADE, N_STANDING, STANDING, made_contracts

from ..api import N_STRAINS, kernel
from ..card_policy import N_CARD_WEIGHTS
from ..hand_tables import BUCKETS, N_MASKS, Floats, expert_tables
from ..prices import RACE, Rules, convention, n_players, unplayed
from ..valuation import bucket_of
from .misere import BID_CLEAN
from .rows import GRAIN, N_COEFFICIENTS

CHANGES = BID_CLEAN + 3 * BUCKETS
"""Place of: 1 if the sheet matters; whists that a pool point is worth in the race; values of made
contracts on an empty sheet, the race with them."""
RACE_POINT = CHANGES + 1
ON_EMPTY = RACE_POINT + 1
MADE_BID = ON_EMPTY + N_MADE
MADE_PLAY = MADE_BID + 5 * BUCKETS
"""Chance that a contract is made, by level and expected tricks, before the talon and with it."""
N_STATE_WEIGHTS = 2 + N_MADE + 10 * BUCKETS
ROUNDED = 3 * UNIT
"""Differences up to this are rounding."""
WORDS = STANDING + N_MADE * N_STANDING
"""Words of workspace."""


def _sheets(rules: Rules) -> Rules:
    """Sheets on which prizes are near, won or far."""
    target = UNIT * convention(rules, "target")
    shares = [(a, b) for a in (0.0, 0.5, 0.95, 1.0) for b in (0.0, 0.95, 1.0)]
    sheets = np.repeat(empty_sheet(rules), len(shares))
    for sheet, (own, others) in zip(sheets, shares, strict=True):
        sheet["pool"][: n_players(rules)] = int(target * others)
        sheet["pool"][0] = int(target * own)
        sheet["first_pool"] = int(max(own, others) == 1.0)
    return sheets


def standing_weights(rules: Rules) -> Floats:
    """What :func:`note_standing` needs of a variant with a pool."""
    made = unplayed(rules)
    sheets = _sheets(rules)
    values = value_on_sheets(rules, np.tile(made, len(sheets)), np.repeat(sheets, len(made)))
    by_sheet = values[:, 0].reshape(len(sheets), len(made))
    matters = bool((np.abs(by_sheet - by_sheet[0]) > ROUNDED).any())
    swing = RACE * n_players(rules) * convention(rules, "prize_first_pool")
    point = swing / convention(rules, "target")
    chances = [_made_chances(when) for when in ("bid", "play")]
    return np.concatenate([[matters, point], by_sheet[0] / UNIT, *chances])


def _made_chances(when: str) -> Floats:
    """By level and bucket: the chance of as many tricks."""
    outcome = expert_tables()[f"{when}_outcome"].reshape(BUCKETS, 11)
    return np.concatenate([outcome[:, level:].sum(axis=1) for level in range(6, 11)])


@kernel
def made_bid_change(w: Any, first: int, changes: Any, code: int, tricks: float) -> int:
    """What the sheet changes of a contract by the chance that it is made, before the talon."""
    row = code // N_STRAINS
    return int(changes[row] * w[first + MADE_BID + row * BUCKETS + bucket_of(tricks)])


@kernel
def made_play_change(w: Any, first: int, changes: Any, code: int, tricks: float) -> int:
    """The same with the cards that are played."""
    row = code // N_STRAINS
    return int(changes[row] * w[first + MADE_PLAY + row * BUCKETS + bucket_of(tricks)])


@kernel
def _race(view: Any, w: Any, first: int) -> float:
    """What one's lead is worth while nobody has closed his pool."""
    lead = 0.0
    for player in range(view.n_players):
        lead -= view.pool[player] / (view.n_players - 1)
    lead += view.pool[view.player] * view.n_players / (view.n_players - 1)
    return w[first + RACE_POINT] * lead / UNIT


@outline
def _ask_standing(view: Any, w: Any, first: int, words: Any, changes: Any) -> None:
    found = words[STANDING:WORDS]
    made_contracts(words, 0, view, found)
    for k in range(N_MADE):
        place = N_STANDING * k
        race = w[first + RACE_POINT] * found[place + GAINED] / UNIT
        now = found[place + MADE] / UNIT
        if view.first_pool == 0:
            now += -_race(view, w, first) if found[place + CLOSES] else race
        changes[k] = int((now - w[first + ON_EMPTY + k] - race) * GRAIN)


@kernel
def note_standing(view: Any, w: Any, first: int, words: Any, changes: Any, stamp: Any) -> None:
    """Keep in ``changes`` [N_MADE] what the sheet changes of made contracts, in 1 / GRAIN of a
    whist; ``stamp`` tells for which deal they were asked."""
    if w[first + CHANGES] > 0 and stamp[0] != view.deal + 1:
        _ask_standing(view, w, first, words, changes)
        stamp[0] = view.deal + 1


assert N_COEFFICIENTS + N_CARD_WEIGHTS + N_MASKS < CHANGES
