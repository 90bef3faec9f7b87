"""Decisions explored: each candidate of a decision is played out with the same cards.

Bots play deals from an empty sheet. Wherever one of them studies his candidates (``bots.study``),
every candidate is tried at a copy of the table and the deal played to its end by the bots; what it
brought is kept with the candidate's features. So passing is valued by what the bots make of it, not
by open cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.kernel import (
    JIT,
    copy_record,
    ctz,
    entry,
    i64,
    make_records,
    outline,
    sealed,
    to_records,
    u64,
)
from scoring.result import MAX_PLAYERS
from scoring.rules import RULES_DTYPE

from ..botcall import OWN_DTYPE, Bot, address_of, call_bot, give
from ..pulka import apply_action, begin_deal, begin_pulka, finish_deal
from ..rng import mix64
from ..state import CARD, DEAL_ROW_DTYPE, DONE, HIDDEN_DTYPE, VIEW_DTYPE
from ..view import prepare, reveal_private

SEED, FIRST, LAST, STUDY_ADDRESS, WIDTH, N_CONFIG = range(6)
GROUP, ROW, ACTION, CHOSEN, VALUE, N_HEAD = range(6)
"""Words of a sample before its features: number of the decision, the candidate's row, its action,
whether the bot chose it, its value in twelfths of a whist."""
MOST_WORDS = 1024
_WANDERS = 10
"""One decision in so many is followed by a random candidate, so that all of them are met."""
_PROGRESS = (0, 0, 1, 2)
"""Raspas in a row before the deal, by a random word."""

_SIGNATURE: tuple[Any, ...] = ()

if JIT:
    from numba import from_dtype, types

    def _records(dtype: np.dtype[Any]) -> Any:
        return types.Array(from_dtype(dtype), 1, "C")

    _WORDS = types.Array(types.int64, 1, "C")
    _SIGNATURE = (
        types.int64(
            _records(VIEW_DTYPE),
            _records(HIDDEN_DTYPE),
            _records(RULES_DTYPE),
            _records(OWN_DTYPE),
            _records(DEAL_ROW_DTYPE),
            _WORDS,
            _WORDS,
            _WORDS,
            types.Array(types.int64, 3, "C"),
            _WORDS,
            types.Array(types.int64, 2, "C"),
        ),
    )


@outline
def _play_out(view: Any, hidden: Any, rules: Any, owns: Any, addresses: Any, row: Any) -> None:
    """Play the second table to the end of its deal, and score it."""
    while view.phase != DONE:
        prepare(view, hidden, rules)
        legal = view.legal
        if legal & (legal - 1) == 0:
            action = ctz(legal)
        else:
            reveal_private(view, hidden)
            player = view.player
            action = call_bot(addresses[player], view, owns[MAX_PLAYERS + player])
        apply_action(view, hidden, rules, action)
    finish_deal(view, hidden, rules, row)


@entry(*_SIGNATURE)
def explore_deals(
    views: Any,
    hiddens: Any,
    all_rules: Any,
    owns: Any,
    rows: Any,
    addresses: Any,
    config: Any,
    workspace: Any,
    memory: Any,
    noted: Any,
    samples: Any,
) -> int:
    """Explore deals ``config[FIRST] .. config[LAST] - 1``, or as many as there is room for; returns
    the number of samples and leaves in ``config[FIRST]`` the first deal that was not played."""
    rules = all_rules[0]
    n_features = config[WIDTH]
    size = 2 + n_features
    n = 0
    group = 0
    for deal in range(config[FIRST], config[LAST]):
        if n + 64 * MAX_PLAYERS > len(samples):
            return n
        config[FIRST] = deal + 1
        view, hidden = views[0], hiddens[0]
        begin_pulka(view, hidden, rules, deal)
        chance = mix64(u64(deal) ^ u64(config[SEED]))
        view.raspas_index = _PROGRESS[i64(chance & u64(3))]
        for player in range(MAX_PLAYERS):
            for k in range(memory.shape[2]):
                memory[0, player, k] = 0
        begin_deal(view, hidden, rules, config[SEED])
        while view.phase != DONE and view.n_plays < 2:
            prepare(view, hidden, rules)
            legal = view.legal
            if legal & (legal - 1) == 0:
                apply_action(view, hidden, rules, ctz(legal))
                continue
            reveal_private(view, hidden)
            player = view.player
            action = call_bot(addresses[player], view, owns[player])
            count = 0
            if view.phase != CARD:
                count = call_bot(config[STUDY_ADDRESS], view, owns[player])
            if count > 1:
                for k in range(1 + count * size):
                    noted[k] = workspace[k]
                for k in range(count):
                    at = 1 + k * size
                    copy_record(views, 1, 0)
                    copy_record(hiddens, 1, 0)
                    for j in range(MAX_PLAYERS):
                        for i in range(memory.shape[2]):
                            memory[1, j, i] = memory[0, j, i]
                    apply_action(views[1], hiddens[1], rules, noted[at])
                    _play_out(views[1], hiddens[1], rules, owns, addresses, rows[0])
                    samples[n, GROUP] = group
                    samples[n, ROW] = noted[at + 1]
                    samples[n, ACTION] = noted[at]
                    samples[n, CHOSEN] = 1 if noted[at] == action else 0
                    samples[n, VALUE] = rows[0].value[player]
                    for i in range(n_features):
                        samples[n, N_HEAD + i] = noted[at + 2 + i]
                    n += 1
                group += 1
                chance = mix64(chance)
                if i64(chance >> u64(8)) % _WANDERS == 0:
                    action = noted[1 + size * (i64(chance >> u64(20)) % count)]
            apply_action(view, hidden, rules, action)
    return n


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

    def samples(self, seed: int, first: int, last: int) -> np.ndarray[Any, Any]:
        """int64 [sample, N_HEAD + feature]: what was explored in these deals."""
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
        config[[SEED, FIRST, LAST, WIDTH]] = seed, first, last, self.n_features
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
                np.zeros(MOST_WORDS, np.int64),
                room,
            )
            part = room[:n].copy()
            part[:, GROUP] += groups
            groups = int(part[-1, GROUP]) + 1 if n else groups
            found.append(part)
        return np.concatenate(found)


def explore(explorer: Explorer, seed: int, deals: Sequence[int]) -> np.ndarray[Any, Any]:
    """The samples of a range of deals."""
    return explorer.samples(seed, deals[0], deals[-1] + 1)
