"""Decisions explored: each candidate of a decision is played out with the same cards.

Bots play deals from an empty sheet. Wherever one of them studies his candidates (``bots.study``),
every candidate is tried at a copy of the table and the deal played to its end by the bots; what it
brought is kept with the candidate's features. So passing is valued by what the bots make of it, not
by open cards. Or, much faster, the deals are only played, and what was chosen is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.kernel import (
    JIT,
    copy_record,
    ctz,
    entry,
    i64,
    kernel,
    outline,
    u64,
)
from scoring.result import MAX_PLAYERS
from scoring.rules import RULES_DTYPE

from ...botcall import OWN_DTYPE, call_bot
from ...pulka import advance, begin_deal, begin_pulka, finish_deal
from ...rng import mix64
from ...state import CARD, DEAL_ROW_DTYPE, DONE, HIDDEN_DTYPE, VIEW_DTYPE
from ...view import ready, reveal_private

SEED, FIRST, LAST, STUDY_ADDRESS, WIDTH, PLAIN, N_CONFIG = range(7)
"""``PLAIN`` deals are only played: nobody strays, one sample a decision."""
GROUP, ROW, ACTION, CHOSEN, STRAYED, VALUE, N_HEAD = range(7)
"""Words of a sample before its features: number of the decision, the candidate's row, its action,
whether the bot chose it, whether somebody strayed from his own choice before it in this deal, its
value in twelfths of a whist."""
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
        ready(view, hidden, rules)
        legal = view.legal
        if legal & (legal - 1) == 0:
            action = ctz(legal)
        else:
            reveal_private(view, hidden)
            player = view.player
            action = call_bot(addresses[player], view, owns[MAX_PLAYERS + player])
        advance(view, hidden, rules, action)
    finish_deal(view, hidden, rules, row)


@outline
def _copy_memory(memory: Any) -> None:
    for player in range(MAX_PLAYERS):
        for k in range(memory.shape[2]):
            memory[1, player, k] = memory[0, player, k]


@kernel
def _note(sample: Any, noted: Any, at: int, n_features: int) -> None:
    """Row, action and features of a candidate."""
    sample[ROW] = noted[at + 1]
    sample[ACTION] = noted[at]
    for i in range(n_features):
        sample[N_HEAD + i] = noted[at + 2 + i]


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
    plain = config[PLAIN]
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
        strayed = 0
        first = n
        while view.phase != DONE and view.n_plays < 2:
            ready(view, hidden, rules)
            legal = view.legal
            if legal & (legal - 1) == 0:
                advance(view, hidden, rules, ctz(legal))
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
                    chosen = 1 if noted[at] == action else 0
                    if chosen == 0 and plain:
                        continue
                    _note(samples[n], noted, at, n_features)
                    samples[n, GROUP] = group
                    samples[n, CHOSEN] = chosen
                    samples[n, STRAYED] = strayed
                    samples[n, VALUE] = player
                    if not plain:
                        copy_record(views, 1, 0)
                        copy_record(hiddens, 1, 0)
                        _copy_memory(memory)
                        advance(views[1], hiddens[1], rules, noted[at])
                        _play_out(views[1], hiddens[1], rules, owns, addresses, rows[0])
                        samples[n, VALUE] = rows[0].value[player]
                    n += 1
                group += 1
                chance = mix64(chance)
                if not plain and i64(chance >> u64(8)) % _WANDERS == 0:
                    other = noted[1 + size * (i64(chance >> u64(20)) % count)]
                    strayed |= 1 if other != action else 0
                    action = other
            advance(view, hidden, rules, action)
        if plain:
            _copy_memory(memory)
            _play_out(view, hidden, rules, owns, addresses, rows[0])
            for k in range(first, n):
                samples[k, VALUE] = rows[0].value[samples[k, VALUE]]
    return n
