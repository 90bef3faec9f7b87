"""A bot asked about one decision of a table, as the engine asks it, and what it has estimated.

A bot that thinks may leave the estimates of its decision in its workspace: ``[0]`` is ``MAGIC``,
``[1]`` the number of worlds it has looked at, and for each action ``a`` the three words from
``[2 + 3 * a]`` are 1 if it was rated, the sum of its values over the worlds, and the sum of their
squares; values are in twelfths of a whist for the player who decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.kernel import JIT, PlainRecord, make_records, sealed, to_array
from scoring.result import UNIT

from ..botcall import OWN_DTYPE, Bot, BotError, Policy, address_of, ask_bot, explain, give
from ..deals import draw_deal, player_keys
from ..engine import describe_action
from ..show import is_legal, only_action
from ..state import HIDDEN_DTYPE, VIEW_DTYPE
from ..table import Table
from ..view import reveal_private

MAGIC = 0x5AD71CE
N_ACTIONS = 63
AT_WORLDS, AT_ACTIONS, PER_ACTION = 1, 2, 3
N_ESTIMATES = AT_ACTIONS + PER_ACTION * N_ACTIONS
"""Words of a workspace that estimates take."""
_SPREADS = 1.96
"""Standard errors on each side of a mean in a 95 % interval."""


@dataclass(frozen=True)
class Estimate:
    """What an action is worth in whists: the mean over the worlds and the half-width of its 95 %
    interval (None: of one world nothing is known about the spread)."""

    mean: float
    half_width: float | None


@dataclass(frozen=True)
class Advice:
    """A bot's choice, and its estimates by action, if it makes any, over so many worlds."""

    action: int
    worlds: int = 0
    estimates: dict[int, Estimate] = field(default_factory=dict)

    def ranked(self) -> list[tuple[int, Estimate]]:
        """Actions with their estimates, the best first."""
        return sorted(self.estimates.items(), key=lambda item: -item[1].mean)


def estimate_of(n: int, total: int, squares: int) -> Estimate:
    """The estimate of an action from its sums over ``n`` worlds.

    >>> estimate_of(2, 36, 720)
    Estimate(mean=1.5, half_width=0.98)
    """
    mean = total / n / UNIT
    if n < 2:
        return Estimate(mean, None)
    variance = (n * squares - total * total) / (n * (n - 1))
    return Estimate(mean, _SPREADS * (max(variance, 0.0) / n) ** 0.5 / UNIT)


def read_estimates(workspace: np.ndarray[Any, Any], legal: int) -> tuple[int, dict[int, Estimate]]:
    """The worlds and the estimates of legal actions in a workspace; none if a bot left none."""
    if len(workspace) < N_ESTIMATES or int(workspace[0]) != MAGIC:
        return 0, {}
    worlds = int(workspace[AT_WORLDS])
    if worlds < 1:
        return 0, {}
    found = {}
    for action in range(N_ACTIONS):
        start = AT_ACTIONS + PER_ACTION * action
        rated, total, squares = (int(x) for x in workspace[start : start + PER_ACTION])
        if rated == 1 and legal >> action & 1:
            found[action] = estimate_of(worlds, total, squares)
    return worlds, found


class Mind:
    """A bot beside a table: its weights, memory and workspace, or its instance.

    The memory begins with zeros and lasts as long as the mind: one pulka of one player.
    """

    def __init__(self, bot: Bot, rules: np.ndarray[Any, Any], seed: int = 0) -> None:
        bot.check()
        self.bot = bot
        self._workspace = np.zeros(bot.needs.workspace if bot.needs else 0, np.int64)
        if bot.needs is None:
            self._instance = self._make(rules, seed)
            return
        self._address = address_of(bot.maker, bot.name)
        self._own = make_records(OWN_DTYPE, 1)[0]
        self._arrays = {
            "weights": bot.weights(rules),
            "memory": np.zeros(bot.needs.memory, np.int64),
            "workspace": self._workspace,
        }
        for name, array in self._arrays.items():
            give(self._own, name, array)
        self._policy = None if bot.policy is None else Policy(bot.policy, rules)
        if self._policy is not None:
            self._policy.lend(self._own)

    def _make(self, rules: np.ndarray[Any, Any], seed: int) -> Any:
        try:
            return self.bot.maker(sealed(rules), seed, **self.bot.options)
        except Exception as error:
            raise BotError(f"bot {self.bot.name} could not be made: {error!r}") from error

    def _act(self, view: Any) -> int:
        """The action of an outside bot, from a copy of the view without the address of the
        rules."""
        if JIT:
            seen = np.array([view], VIEW_DTYPE)
            seen["rules"] = 0
        else:
            seen = to_array([PlainRecord({**view.fields(), "rules": 0})], VIEW_DTYPE, 1)
        answer = np.asarray(self._instance.act(seen))
        if answer.shape != (1,) or not np.issubdtype(answer.dtype, np.integer):
            raise TypeError("act() must return one integer for each observation")
        return int(answer[0])

    def ask(self, table: Table) -> Advice:
        """The bot's advice at a decision, whose private slots are filled. BotError."""
        view = table.view
        where = f"bot {self.bot.name} (player {int(view['player'])}) in deal {int(view['deal'])}"
        if len(self._workspace):
            self._workspace[0] = 0  # estimates of another decision are none of this one
        try:
            if self.bot.needs is None:
                action = self._act(view)
            else:
                action = int(ask_bot(self._address, view, self._own))
        except Exception as error:
            raise BotError(f"{where}: {explain(error)}") from error
        if not is_legal(table, action):
            said = describe_action(int(view["phase"]), action)
            raise BotError(f"{where}: {said} is not legal")
        return Advice(action, *read_estimates(self._workspace, table.legal))


def reveal(table: Table) -> None:
    """Fill the private slots of who decides, as the engine does once for each decision."""
    reveal_private(table.view, table.hidden)


def deal_next(table: Table, seed: int) -> None:
    """Lay the next deal of the pulka number 0 of a seed, as a run deals it."""
    deal = int(table.view["deal"]) + 1
    for player, key in enumerate(player_keys(seed, 0, deal)):
        table.hidden["key"][player] = key
        table.hidden["drawn"][player] = 0
    table.lay(int(draw_deal(seed, 0, deal)))


def twin(table: Table, rules: np.ndarray[Any, Any]) -> Table:
    """A copy of a table at a decision, to look one move ahead."""
    copy = Table(rules)
    for dtype, old, new in (
        (VIEW_DTYPE, table.view, copy.view),
        (HIDDEN_DTYPE, table.hidden, copy.hidden),
    ):
        assert dtype.names is not None
        for name in dtype.names:
            if name != "rules":
                new[name] = list(old[name]) if isinstance(old[name], list) else old[name]
    return copy


def ask_pairs(
    mind: Mind, table: Table, rules: np.ndarray[Any, Any], every: bool
) -> tuple[tuple[int, int], int, dict[tuple[int, int], Estimate]]:
    """Two cards laid away, asked one after the other: the bot's pair, the worlds, and the
    estimates of pairs, where the bot rates cards: of ``every`` first card, or of its choice."""
    first = mind.ask(table)
    rated: dict[tuple[int, int], Estimate] = {}
    pair, worlds = (first.action, -1), first.worlds
    for card in {first.action, *(first.estimates if every else ())}:
        after = twin(table, rules)
        after.apply(card)
        forced = only_action(after.legal)
        if forced >= 0:
            worth = first.estimates.get(card)
            second = Advice(forced, worlds, {} if worth is None else {forced: worth})
        else:
            reveal(after)
            second = mind.ask(after)
        if card == first.action:
            pair = (card, second.action)
        rated |= {(card, other): value for other, value in second.estimates.items()}
    return pair, worlds, rated
