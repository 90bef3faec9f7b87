"""Outside bots that several tests seat: classes that answer batches of observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from random_play import bits

from scoring.contract import MISERE
from sim.state import AUCTION, BIDDING, COME, CONTRA, CONTRACT, FIRST_BID, NO_CONTRA, PASS, STAYS

MISERE_ACTION = FIRST_BID + MISERE
Rows = np.ndarray[Any, Any]


class Uniform:
    """Uniform over the legal actions by the player's random word: the bot ``random`` in NumPy."""

    def __init__(self, rules: Any, seed: int) -> None:
        self.rules, self.seed = rules, seed

    def act(self, seen: Rows) -> Rows:
        legal, word = seen["legal"], seen["random"]
        count = np.bitwise_count(legal).astype(np.int64)
        low, high = word & 0xFFFFFFFF, word >> 32
        chosen = (high * count + (low * count >> 32)) >> 31  # word * count / 2**63
        places = (legal[:, None] >> np.arange(63)) & 1
        return np.argmax(np.cumsum(places, axis=1) == chosen[:, None] + 1, axis=1)


class Wild(Uniform):
    """The jitted bot ``wild`` once more: passes often, bids low, comes and doubles seldom."""

    def act(self, seen: Rows) -> Rows:
        answers = super().act(seen)
        for k, row in enumerate(seen):
            legal, dice = bits(int(row["legal"])), int(row["random"]) & 63
            if row["phase"] == AUCTION:
                bids = [action for action in legal if action != PASS]
                answers[k] = PASS if dice < 44 or not bids else bids[0]
                if dice < 4 and MISERE_ACTION in legal:
                    answers[k] = MISERE_ACTION
            elif row["phase"] == BIDDING and dice < 62:
                answers[k] = PASS if dice < 44 else legal[1]
            elif row["phase"] == COME and STAYS in legal and dice < 46:
                answers[k] = STAYS
            elif row["phase"] == CONTRA and dice < 40:
                answers[k] = NO_CONTRA
            elif row["phase"] == CONTRACT and dice < 48:
                answers[k] = legal[0]
        return answers
