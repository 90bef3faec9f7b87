"""Decisions of seeded deals that a policy has played, asked of a bot that thinks ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bots import find_bot
from scoring.kernel import make_records
from sim.advice.ask import Mind, deal_next, reveal
from sim.botcall import OWN_DTYPE, Bot, Policy, address_of, ask_bot, give
from sim.state import CARD
from sim.table import Table

TINY = "sampling@worlds=2@rollouts=2@raspas_worlds=2"
"""As quick as may be."""


class Thinker:
    """A jitted bot with a policy, asked beside a table; its workspace is read and written."""

    def __init__(self, maker: Any, rules: np.ndarray[Any, Any]) -> None:
        bot = Bot(maker.__name__, maker)
        assert bot.needs is not None and bot.policy is not None
        self._address = address_of(maker, bot.name)
        self.work = np.zeros(bot.needs.workspace, np.int64)
        self.memory = np.zeros(bot.needs.memory, np.int64)
        self._weights = bot.policy.weights(rules)
        self._own = make_records(OWN_DTYPE, 1)[0]
        give(self._own, "weights", self._weights)
        give(self._own, "memory", self.memory)
        give(self._own, "workspace", self.work)
        self._policy = Policy(bot.policy, rules)
        self._policy.lend(self._own)

    def ask(self, table: Table) -> int:
        """The bot's answer at a decision whose private slots are filled."""
        return int(ask_bot(self._address, table.view, self._own))


class Walk:
    """The decisions of seeded deals that a bot makes in all seats."""

    def __init__(self, rules: np.ndarray[Any, Any], seed: int, bot: str = "expert") -> None:
        self.table = Table(rules)
        self.rows: list[Any] = []
        """Of the deals that are over."""
        self.chosen = -1
        """What is done at the present decision."""
        self._seed = seed
        players = int(rules["n_players"][0])
        self._minds = [Mind(find_bot(bot), rules) for _ in range(players)]

    def deals(self, n: int) -> Iterator[Table]:
        """The table at each decision of some deals, its private slots filled."""
        table = self.table
        for _ in range(n):
            deal_next(table, self._seed)
            while not table.done:
                self.chosen = table.legal.bit_length() - 1
                if table.legal & (table.legal - 1):
                    reveal(table)
                    self.chosen = self._minds[int(table.view["player"])].ask(table).action
                    yield table
                table.apply(self.chosen)
            self.rows.append(table.finish()[0][0])


def world_as_it_lies(table: Table) -> list[int]:
    """Where the cards are, as a world of the player who decides (``sim.worlds``)."""
    view, hidden = table.view, table.hidden
    declarer = int(view["declarer"])
    away = int(hidden["discard"][declarer]) if declarer >= 0 else 0
    taken = declarer >= 0 and int(view["talon"]) != 0
    aside = 0 if taken else int(hidden["talon"]) & ~int(view["talon"])
    mine = declarer >= 0 and int(view["hand_of"][int(view["player"])]) == declarer
    return [*table.hands(), aside, 0 if mine else away]


def is_card(table: Table) -> bool:
    """Whether a card is asked for."""
    return int(table.view["phase"]) == CARD
