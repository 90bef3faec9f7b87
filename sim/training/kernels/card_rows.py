"""Card decisions of self-play, and what each legal card brings on the cards as they really lie.

The deals of self-play are drawn as the bots' calls leave them, so what a card brings on the true
cards is on the average what it is worth to a player who does not see them. Two things are noted for
each card: tricks by the solver (at raspas by play), and the deal's value when the bots play on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.contract import MISERE_GAME, RASPAS
from scoring.kernel import (
    JIT,
    copy_record,
    ctz,
    i64,
    kernel,
    make_records,
    outline,
    sealed,
    to_records,
    u64,
)
from scoring.result import MAX_PLAYERS

from ...botcall import OWN_DTYPE, Bot, address_of, call_bot, give
from ...cards import HAND_SIZE, N_CARDS
from ...pulka import advance, begin_deal, begin_pulka, finish_deal
from ...rng import below, mix64
from ...solver import MISERE_STRAIN, WORKSPACE, rate_cards
from ...solver import prepare as prepare_solver
from ...state import CARD, DEAL_ROW_DTYPE, DONE, HIDDEN_DTYPE, N_HANDS, VIEW_DTYPE
from ...view import ready, reveal_private

SEED, FIRST, LAST, RATE, STUDY_ADDRESS, N_CONFIG = range(6)
"""Configuration: seed, range of deals, decisions in a thousand that are noted, the study."""
CONTEXT, N_SAID, MASKS = 0, 1, 2
TRICKS_AT = MASKS + HAND_SIZE
VALUES_AT = TRICKS_AT + HAND_SIZE
ROW = VALUES_AT + HAND_SIZE
"""Words of a row: context, number of cards, then by card its features, the tricks of the mover's
side (fewer for who wants few: negative), the value of the deal to the mover's player."""
SAID = 2 + 2 * HAND_SIZE
"""Words that a study writes: context, number of cards, then each card and its features."""

Array = np.ndarray[Any, np.dtype[Any]]


@kernel
def _table_card(view: Any, k: int) -> int:
    """The k-th card of the trick on the table, -1 if it is not laid."""
    hand = view.leader
    for _ in range(N_HANDS):
        if view.in_play >> hand & 1:
            if k == 0:
                return view.trick_card[hand]
            k -= 1
        hand = (hand + 1) % N_HANDS
    return -1


@outline
def _solve(view: Any, hidden: Any, work: Any, values: Any) -> None:
    """The declarer's tricks after each card, with all cards open."""
    prepare_solver(work)
    h0 = hidden.hands[0] if view.in_play & 1 else 0
    h1 = hidden.hands[1] if view.in_play & 2 else 0
    h2 = hidden.hands[2] if view.in_play & 4 else 0
    strain = MISERE_STRAIN if view.kind == MISERE_GAME else view.strain
    first, second = _table_card(view, 0), _table_card(view, 1)
    rate_cards(work, (strain, h0, h1, h2, view.declarer, view.leader, first, second), values)


@outline
def _play_out(
    views: Any, hiddens: Any, rules: Any, owns: Any, addresses: Any, row: Any, card: int
) -> None:
    """Play a card at a copy of the table and the deal to its end; score it."""
    copy_record(views, 1, 0)
    copy_record(hiddens, 1, 0)
    view, hidden = views[1], hiddens[1]
    advance(view, hidden, rules, card)
    while view.phase != DONE:
        ready(view, hidden, rules)
        action = ctz(view.legal)
        if view.legal & (view.legal - 1):
            reveal_private(view, hidden)
            action = call_bot(addresses[view.player], view, owns[MAX_PLAYERS + view.player])
        advance(view, hidden, rules, action)
    finish_deal(view, hidden, rules, row)


@outline
def _copy_memory(memory: Any, to: int, at: int) -> None:
    for player in range(MAX_PLAYERS):
        for k in range(memory.shape[2]):
            memory[to, player, k] = memory[at, player, k]


@outline
def _note(
    views: Any,
    hiddens: Any,
    rules: Any,
    owns: Any,
    addresses: Any,
    rows: Any,
    work: Any,
    values: Any,
    said: Any,
    memory: Any,
    out: Any,
) -> None:
    """Fill a row from what a study said of the cards."""
    view = views[0]
    player = view.player
    raspas = view.kind == RASPAS
    if not raspas:
        _solve(view, hiddens[0], work, values)
    sign = 1 if (view.mover == view.declarer) != (view.kind == MISERE_GAME) else -1
    out[CONTEXT] = said[0]
    out[N_SAID] = said[1]
    for k in range(said[1]):
        card = said[2 + 2 * k]
        _copy_memory(memory, 1, 0)
        _play_out(views, hiddens, rules, owns, addresses, rows[0], card)
        out[MASKS + k] = said[3 + 2 * k]
        out[TRICKS_AT + k] = -rows[0].tricks[player] if raspas else sign * values[card]
        out[VALUES_AT + k] = rows[0].value[player]


@outline
def note_deals(
    views: Any,
    hiddens: Any,
    all_rules: Any,
    owns: Any,
    addresses: Any,
    rows: Any,
    work: Any,
    values: Any,
    said: Any,
    memory: Any,
    config: Any,
    out: Any,
) -> int:
    """Play deals from an empty sheet and note card decisions while there is room; returns how
    many."""
    rules = all_rules[0]
    view, hidden = views[0], hiddens[0]
    n = 0
    for deal in range(config[FIRST], config[LAST]):
        begin_pulka(view, hidden, rules, deal)
        for player in range(MAX_PLAYERS):
            for k in range(memory.shape[2]):
                memory[0, player, k] = 0
        begin_deal(view, hidden, rules, config[SEED])
        chance = mix64(u64(deal) ^ u64(config[SEED]))
        while view.phase != DONE:
            ready(view, hidden, rules)
            action = ctz(view.legal)
            if view.legal & (view.legal - 1):
                reveal_private(view, hidden)
                action = call_bot(addresses[view.player], view, owns[view.player])
                chance = mix64(chance)
                noted = below(i64(chance >> u64(1)), 1000) < config[RATE]
                if view.phase == CARD and noted and n < len(out):
                    call_bot(config[STUDY_ADDRESS], view, owns[view.player])
                    _note(
                        views,
                        hiddens,
                        rules,
                        owns,
                        addresses,
                        rows,
                        work,
                        values,
                        said,
                        memory,
                        out[n],
                    )
                    n += 1
            advance(view, hidden, rules, action)
    return n


@dataclass
class Noter:
    """Notes card decisions of one variant, the same bot at every seat.

    ``study`` is a jitted function of a bot's kind that writes ``SAID`` words into the workspace:
    what it has to say of each legal card.
    """

    rules: Array
    bot: Bot
    study: Any
    weights: Array | None = None

    def rows(self, seed: int, first: int, last: int, rate: int) -> Array:
        """int64 [decision, ROW]: of the decisions in these deals, ``rate`` in a thousand."""
        needs = self.bot.needs
        assert needs is not None
        views, hiddens = make_records(VIEW_DTYPE, 2), make_records(HIDDEN_DTYPE, 2)
        for k in range(2):
            views[k]["rules"] = self.rules.ctypes.data if JIT else sealed(self.rules)
        weights = self.bot.weights(self.rules) if self.weights is None else self.weights
        memory = np.zeros((2, MAX_PLAYERS, max(1, needs.memory)), np.int64)
        said = np.zeros(max(SAID, needs.workspace), np.int64)
        owns = make_records(OWN_DTYPE, 2 * MAX_PLAYERS)
        for k in range(2 * MAX_PLAYERS):
            give(owns[k], "weights", weights)
            give(owns[k], "memory", memory[k // MAX_PLAYERS, k % MAX_PLAYERS])
            give(owns[k], "workspace", said)
        addresses = np.full(MAX_PLAYERS, address_of(self.bot.maker, self.bot.name), np.int64)
        config = np.zeros(N_CONFIG, np.int64)
        config[[SEED, FIRST, LAST, RATE]] = seed, first, last, rate
        config[STUDY_ADDRESS] = address_of(self.study, "study")
        out = np.zeros((MOST_DECISIONS * (last - first), ROW), np.int64)
        n = note_deals(
            views,
            hiddens,
            to_records(self.rules),
            owns,
            addresses,
            make_records(DEAL_ROW_DTYPE, 1),
            np.zeros(WORKSPACE, np.int64),
            np.zeros(N_CARDS, np.int64),
            said,
            memory,
            config,
            out,
        )
        return out[:n].copy()


MOST_DECISIONS = N_HANDS * HAND_SIZE
"""Card decisions of a deal."""
