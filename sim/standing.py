"""What a made contract is worth on the sheet as it stands: prizes, the closing of pools, help."""

from __future__ import annotations

from typing import Any

from scoring.contract import MISERE_GAME, TRICKS
from scoring.kernel import outline
from scoring.result import NO_DECISION, PASSED
from scoring.sheet import settle

from .pulka import finish_deal
from .rollout import (
    HIDDEN_AT,
    ROW_AT,
    TABLE,
    copy_view,
    hidden_at,
    row_at,
    rules_of,
    view_at,
)
from .state import N_HANDS

N_MADE = 6
"""Contracts by level, 6 .. 10, then misère."""
MADE, GAINED, CLOSES, N_STANDING = range(4)
"""Words of each: deal value of the player in twelfths, twelfths of a pool point that he gains, and
1 if somebody closes his pool first with it."""
STANDING = TABLE
"""Words of workspace that it takes."""


@outline
def made_contracts(words: Any, at: int, view: Any, found: Any) -> None:
    """Fill ``found`` [N_MADE * N_STANDING] for the player who is asked.

    A contract for tricks is made with nobody whisting, misère with no trick.
    """
    rules = rules_of(view.rules)
    me = view.hand_of[view.player]
    for k in range(N_MADE):
        copy_view(words, at, view)
        laid = view_at(words, at)
        hidden = hidden_at(words, at + HIDDEN_AT)
        row = row_at(words, at + ROW_AT)
        settle(rules, laid, hidden.balance)
        hidden.number = 0
        hidden.talon = 0
        hidden.n_decisions = 0
        laid.kind = MISERE_GAME if k == N_MADE - 1 else TRICKS
        laid.level = 6 + min(k, 4)
        laid.strain = 1
        laid.declarer = me
        laid.talon = 0
        laid.n_plays = 1 if k == N_MADE - 1 else 0
        for hand in range(N_HANDS):
            laid.whist_call[hand] = PASSED if hand != me and hand != view.dummy else NO_DECISION
        finish_deal(laid, hidden, rules, row)
        place = N_STANDING * k
        found[place + MADE] = row.value[view.player]
        found[place + GAINED] = laid.pool[view.player] - view.pool[view.player]
        found[place + CLOSES] = laid.first_pool - view.first_pool
