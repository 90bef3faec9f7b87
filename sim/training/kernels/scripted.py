"""Deals played by a bot along a script: who declares, what he lays away and plays, who whists.

What a script leaves open the bot decides. Cards are always its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.contract import TRICKS_MASK
from scoring.kernel import JIT, ctz, make_records, outline, sealed, to_array, to_records

from ...botcall import OWN_DTYPE, Bot, address_of, call_bot
from ...pulka import advance, begin_pulka, finish_deal, lay_deal
from ...rng import splitmix
from ...state import (
    AUCTION,
    CALL_PASS,
    CALL_WHIST,
    CONTRACT,
    DEAL_ROW_DTYPE,
    DEALER_WHIST,
    DISCARD,
    DONE,
    FIRST_BID,
    HIDDEN_DTYPE,
    OPEN,
    PASS,
    VIEW_DTYPE,
    WHIST,
)
from ...view import ready, reveal_private

NUMBER, DECLARER, LAID, CODE, WHISTERS, OPENS, N_SCRIPT = range(7)
"""Columns of a script: the deal's number; the hand that declares, the two cards it lays away, its
contract; a mask of places after the declarer (1: the next hand, 2: the one after it) that whist;
CLOSED or OPENED for a lone whister. FREE leaves a choice to the bot."""
FREE = -1
BOTH_WHIST, FIRST_WHISTS, SECOND_WHISTS = 3, 1, 2

Array = np.ndarray[Any, np.dtype[Any]]


@outline
def _bid(view: Any, script: Any) -> int:
    """Who is to declare bids the lowest game, the others pass."""
    bids = view.legal >> FIRST_BID & TRICKS_MASK
    if view.mover == script[DECLARER] and view.bidder != view.mover and bids:
        return FIRST_BID + ctz(bids)
    return PASS


@outline
def _whist(view: Any, script: Any) -> int:
    """Whist where the script says so, else pass, where that is allowed."""
    place = (view.mover - view.declarer + 2) % 3
    if script[WHISTERS] >> place & 1 or view.legal >> CALL_PASS & 1 == 0:
        return CALL_WHIST
    return CALL_PASS


@outline
def _scripted(view: Any, script: Any) -> int:
    """The action that the script wants; FREE where the bot is to choose."""
    phase = view.phase
    if phase == AUCTION and script[DECLARER] >= 0:
        return _bid(view, script)
    if phase == DISCARD and script[LAID] > 0:
        return ctz(script[LAID] & view.legal)
    if phase == CONTRACT and script[CODE] >= 0:
        return script[CODE]
    if phase == WHIST and script[WHISTERS] >= 0:
        return _whist(view, script)
    if phase == DEALER_WHIST and script[WHISTERS] >= 0:
        return CALL_PASS
    return script[OPENS] if phase == OPEN else FREE


@outline
def play_scripts(
    views: Any,
    hiddens: Any,
    all_rules: Any,
    owns: Any,
    memory: Any,
    address: int,
    key: int,
    scripts: Any,
    rows: Any,
) -> int:
    """Play a deal for each script on an empty sheet, the dealers in turn; returns the number of
    deals played: fewer than scripts where an action was not legal."""
    view = views[0]
    hidden = hiddens[0]
    rules = all_rules[0]
    for k in range(len(scripts)):
        script = scripts[k]
        begin_pulka(view, hidden, rules, k)
        view.deal = 0
        view.dealer = k % view.n_players
        for player in range(len(memory)):
            hidden.key[player] = splitmix(key, len(memory) * k + player)
            hidden.drawn[player] = 0
            for j in range(memory.shape[1]):
                memory[player, j] = 0
        lay_deal(view, hidden, rules, script[NUMBER])
        while view.phase != DONE:
            ready(view, hidden, rules)
            if view.legal & (view.legal - 1) == 0:
                action = ctz(view.legal)
            else:
                action = _scripted(view, script)
                if action < 0:
                    reveal_private(view, hidden)
                    action = call_bot(address, view, owns[view.player])
                if action < 0 or action > 62 or view.legal >> action & 1 == 0:
                    return k
            advance(view, hidden, rules, action)
        finish_deal(view, hidden, rules, rows[k])
    return len(scripts)


class Stage:
    """A bot in all seats of a variant, ready to play scripts; one for each thread."""

    def __init__(self, rules: Array, bot: Bot) -> None:
        needs = bot.needs
        assert needs is not None
        self._bot, self._rules = bot, rules
        self._records = to_records(rules)
        self._views = make_records(VIEW_DTYPE, 1)
        self._hiddens = make_records(HIDDEN_DTYPE, 1)
        self._views[0]["rules"] = rules.ctypes.data if JIT else sealed(rules)
        self._weights = bot.weights(rules)
        self._memory = np.zeros((4, needs.memory), np.int64)
        self._workspace = np.zeros(needs.workspace, np.int64)
        self._address = address_of(bot.maker, bot.name)
        self._owns = make_records(OWN_DTYPE, 4)
        for player in range(4):
            self._give(player, "weights", self._weights)
            self._give(player, "memory", self._memory[player])
            self._give(player, "workspace", self._workspace)

    def _give(self, player: int, name: str, array: Array) -> None:
        self._owns[player][name] = array.ctypes.data if JIT else array
        self._owns[player][f"n_{name}"] = len(array)

    def play(self, key: int, scripts: Array) -> Array:
        """The rows of the deals, one for each script. BotError if the bot does what is not
        legal."""
        from ...botcall import BotError

        rows = make_records(DEAL_ROW_DTYPE, len(scripts))
        done = play_scripts(
            self._views,
            self._hiddens,
            self._records,
            self._owns,
            self._memory,
            self._address,
            key,
            scripts,
            rows,
        )
        if done < len(scripts):
            number = int(scripts[done, NUMBER])
            raise BotError(f"bot {self._bot.name}: an action is not legal in deal {number}")
        return to_array(rows, DEAL_ROW_DTYPE, len(scripts))
