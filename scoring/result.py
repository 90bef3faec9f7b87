"""The result of one deal, which is all that scoring sees of it, and the layout of what it writes.

A kernel takes records by attribute: ``result`` has the fields of ``RESULT_FIELDS``, ``entries``
those of ``ENTRY_FIELDS``. All amounts are in twelfths of a point or whist, so that halves and
thirds are exact integers.
"""

from __future__ import annotations

import numpy as np

from .contract import MISERE_GAME, RASPAS
from .kernel import Record, kernel

UNIT = 12
"""Twelfths in a point or whist."""
MAX_PLAYERS = 4
TWO_PLAYERS = 2
"""Two players have a dummy (болван) for a third hand: there is one defender."""

NO_DECISION, PASSED, WHISTED, HALF_WHISTED, INVITED = range(5)
"""A defender's part in a deal: none, pass (пас), whist (вист), half-whist (полвиста); in the refet
game he does not come, he comes (dođem), or he was invited (pozvan)."""
DECISIONS = ("", "pass", "whist", "half", "invited")

RESULT_FIELDS = [
    ("dealer", np.int64),
    ("kind", np.int64),
    ("level", np.int64),
    ("strain", np.int64),
    ("declarer", np.int64),
    ("concession", np.int64),
    ("decision", np.int64, MAX_PLAYERS),
    ("last_whister", np.int64),
    ("open_play", np.int64),
    ("played", np.int64),
    ("tricks", np.int64, MAX_PLAYERS),
    ("without_talon", np.int64),
    ("off_mountain", np.int64),
    ("talon_units", np.int64),
    ("raspas_index", np.int64),
    ("dark_level", np.int64),
    ("bomb_level", np.int64),
    ("after_close", np.int64),
    ("contra", np.int64),
    ("contra_by", np.int64),
    ("refet", np.int64),
    ("may_refet", np.int64),
    ("remaining", np.int64),
]
"""All that scoring sees of a deal. Players are 0..3, -1 is nobody.

``kind`` is RASPAS, TRICKS or MISERE_GAME; ``level`` 6..10 and ``strain`` 0..4 (0 unless TRICKS);
``concession`` the undertricks written without play; ``decision`` by player (NO_DECISION ...; with
four players a whisting dealer has taken the hand of the defender without a decision);
``last_whister`` who whisted last; ``open_play`` 1 if the defence lay open; ``played`` 1 if cards
were played (raspas without it is a deal thrown in); ``tricks`` by player, an open dummy's with the
defender's; ``without_talon`` 1 if the talon was left (без прикупа);
``off_mountain`` 1 if the declarer wishes to write off his mountain; ``talon_units`` quick tricks in
the talon. What the sheet knew before the deal: ``raspas_index`` raspas in a row, ``dark_level``
dark passes in a row with this deal's, ``bomb_level`` bombs of the declarer, ``after_close`` 1 if
the pools had reached the agreed sum.

The refet game: ``level`` is 6 for suits and sans, 10 for preferans, betl is the misère;
``without_talon`` 1 from the hand (igra); ``contra`` 0..4 and ``contra_by``, who said it; raspas are
the hand passed by all. Of the sheet: ``refet`` 1 if the declarer plays on one (рефет),
``may_refet`` 1 if refets may be written, ``remaining`` the columns' sum in twelfths (0: no limit to
what is written)."""

ENTRY_FIELDS = [
    ("gain", np.int64, MAX_PLAYERS),
    ("bonus", np.int64, MAX_PLAYERS),
    ("mountain_entry", np.int64, MAX_PLAYERS),
    ("whist_entry", np.int64, MAX_PLAYERS * MAX_PLAYERS),
]
"""What a deal writes, in twelfths, before help: pool points for a made contract (``gain``) and at
raspas (``bonus``), mountain points, and whists, ``whist_entry[4 * i + j]`` by player i on player
j."""


@kernel
def sits_out(rules: Record, result: Record, player: int) -> bool:
    """Whether this is the dealer at a table of four (сидит на прикупе)."""
    return rules.n_players == MAX_PLAYERS and player == result.dealer


@kernel
def is_made(rules: Record, result: Record) -> bool:
    """Whether the declarer made what he ordered; a contract left unwhisted counts as made."""
    if result.kind == MISERE_GAME:
        return result.tricks[result.declarer] == 0
    if result.concession > 0:
        return False
    over = result.tricks[result.declarer] - result.level
    return result.played == 0 or over == 0 or (over > 0 and rules.contract_underbid_fails == 0)


@kernel
def is_thrown_in(result: Record) -> bool:
    """Whether all passed and nothing was played, where two players have no raspas."""
    return result.kind == RASPAS and result.played == 0
