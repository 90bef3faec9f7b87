"""Explorers: bots whose every candidate is played out (``kernels.exploring``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.kernel import JIT, make_records, sealed, to_records
from scoring.result import MAX_PLAYERS

from ..botcall import OWN_DTYPE, Bot, address_of, give
from ..state import DEAL_ROW_DTYPE, HIDDEN_DTYPE, VIEW_DTYPE
from .kernels.exploring import (
    FIRST,
    GROUP,
    LAST,
    N_CONFIG,
    N_HEAD,
    PLAIN,
    SEED,
    STUDY_ADDRESS,
    WIDTH,
    explore_deals,
)

_NOTED = 1024
"""Words for the candidates of a decision."""


@dataclass
class Explorer:
    """Explores deals of one variant with the same bot at every seat.

    ``study`` is the bot's own function that notes candidates, ``n_features`` how many each has.
    """

    rules: np.ndarray[Any, Any]
    bot: Bot
    study: Any
    n_features: int
    weights: np.ndarray[Any, Any] | None = None

    def samples(
        self, seed: int, first: int, last: int, plain: bool = False
    ) -> np.ndarray[Any, Any]:
        """int64 [sample, N_HEAD + feature]: what was explored in these deals, or only chosen."""
        needs = self.bot.needs
        assert needs is not None
        views, hiddens = make_records(VIEW_DTYPE, 2), make_records(HIDDEN_DTYPE, 2)
        for k in range(2):
            views[k]["rules"] = self.rules.ctypes.data if JIT else sealed(self.rules)
        weights = self.bot.weights(self.rules) if self.weights is None else self.weights
        memory = np.zeros((2, MAX_PLAYERS, max(1, needs.memory)), np.int64)
        workspace = np.zeros(needs.workspace, np.int64)
        owns = make_records(OWN_DTYPE, 2 * MAX_PLAYERS)
        for k in range(2 * MAX_PLAYERS):
            give(owns[k], "weights", weights)
            give(owns[k], "memory", memory[k // MAX_PLAYERS, k % MAX_PLAYERS])
            give(owns[k], "workspace", workspace)
        addresses = np.full(MAX_PLAYERS, address_of(self.bot.maker, self.bot.name), np.int64)
        config = np.zeros(N_CONFIG, np.int64)
        config[[SEED, FIRST, LAST, WIDTH, PLAIN]] = seed, first, last, self.n_features, plain
        config[STUDY_ADDRESS] = address_of(self.study, "study")
        found = []
        room = np.zeros((1 << 17, N_HEAD + self.n_features), np.int64)
        groups = 0
        while config[FIRST] < last:
            n = explore_deals(
                views,
                hiddens,
                to_records(self.rules),
                owns,
                make_records(DEAL_ROW_DTYPE, 1),
                addresses,
                config,
                workspace,
                memory,
                np.zeros(_NOTED, np.int64),
                room,
            )
            part = room[:n].copy()
            part[:, GROUP] += groups
            groups = int(part[-1, GROUP]) + 1 if n else groups
            found.append(part)
        return np.concatenate(found)
