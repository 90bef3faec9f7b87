"""The driver: tables run through the rules core, decisions go to bots of both kinds.

:func:`step` runs every table up to its next decision of an outside bot, to the end of its pulkas,
or until the row buffers are full; :class:`Shard` calls it until a range of pulkas is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.kernel import (
    JIT,
    PlainRecord,
    ctz,
    entry,
    i64,
    make_records,
    sealed,
    to_array,
    to_records,
    u64,
)
from scoring.result import MAX_PLAYERS
from scoring.rules import RULES_DTYPE

from .botcall import OWN_DTYPE, Bot, BotError, Policy, address_of, call_bot, explain, give
from .pulka import (
    apply_action,
    begin_deal,
    begin_pulka,
    finish_deal,
    finish_pulka,
    resume_pulka,
)
from .rng import splitmix
from .state import (
    DEAL_ROW_DTYPE,
    DONE,
    HIDDEN_DTYPE,
    IDLE,
    MAX_DECISIONS,
    PHASES,
    PULKA_ROW_DTYPE,
    START_DTYPE,
    VIEW_DTYPE,
)
from .view import prepare, reveal_private

SEED, LAST_PULKA, MAX_DEALS, RECORD_PLAYS, POISON, ROW_LIMIT, N_CONFIG = range(7)
"""Slots of the configuration: seed, end of the range of pulkas, most deals a pulka, whether plays
are recorded (or with their phases), whether the workspace is filled with garbage before each call,
rows in a buffer."""
WITH_PHASES = 2
"""Plays are recorded, and ``MAX_DECISIONS`` further on the phase of each."""

AT_TABLE, AT_PLAYER, AT_ACTION, N_DECISIONS, N_ROWS, N_PULKAS, N_CURSOR = range(7)
"""Slots of the cursor: where a bot is being asked, what it answered, counts so far."""

FULL = -1
ILLEGAL = -2
"""Results of ``step`` besides the number of waiting tables: buffers full, illegal action."""

OUTSIDE_TABLES = 256
ROWS = 16_384 if JIT else 512

_SIGNATURE: tuple[Any, ...] = ()

if JIT:
    from numba import from_dtype, types

    def _records(dtype: np.dtype[Any]) -> Any:
        return types.Array(from_dtype(dtype), 1, "C")

    _INTS = types.Array(types.int64, 1, "C")
    _BYTES = types.Array(types.uint8, 2, "C")
    _SIGNATURE = (
        types.int64(
            _records(VIEW_DTYPE),
            _records(HIDDEN_DTYPE),
            _records(RULES_DTYPE),
            _records(OWN_DTYPE),
            _INTS,
            _INTS,
            _INTS,
            _INTS,
            _records(DEAL_ROW_DTYPE),
            _records(PULKA_ROW_DTYPE),
            types.Array(types.int64, 2, "C"),
            _INTS,
            _BYTES,
            _BYTES,
            types.Array(types.int64, 3, "C"),
            _records(START_DTYPE),
        ),
    )


@entry(*_SIGNATURE)
def step(
    views: Any,
    hiddens: Any,
    all_rules: Any,
    owns: Any,
    addresses: Any,
    actions: Any,
    config: Any,
    cursor: Any,
    rows: Any,
    pulka_rows: Any,
    waiting: Any,
    workspace: Any,
    logs: Any,
    plays: Any,
    memory: Any,
    starts: Any,
) -> int:
    """Run all tables on; returns how many wait for an outside bot, FULL, or ILLEGAL.

    ``waiting[player, 0]`` counts the waiting tables of a player and ``waiting[player, 1:]`` lists
    them; ``actions[table]`` is an outside bot's answer, -1 where there is none. ``logs`` holds the
    recorded decisions of the deal at each table, ``plays`` those of each finished row. ``starts``
    holds the sheet that pulkas start from, or nothing.
    """
    rules = all_rules[0]
    seed = config[SEED]
    total = 0
    for player in range(MAX_PLAYERS):
        waiting[player, 0] = 0
    for table in range(len(views)):
        view = views[table]
        hidden = hiddens[table]
        cursor[AT_TABLE] = table
        while True:
            if view.phase == DONE:
                if cursor[N_ROWS] == config[ROW_LIMIT]:
                    return FULL
                k = cursor[N_ROWS]
                cursor[N_ROWS] = k + 1
                over = finish_deal(view, hidden, rules, rows[k])
                if config[RECORD_PLAYS]:
                    for j in range(hidden.n_decisions):
                        plays[k, j] = logs[table, j]
                        if config[RECORD_PLAYS] == WITH_PHASES:
                            plays[k, MAX_DECISIONS + j] = logs[table, MAX_DECISIONS + j]
                if over or view.deal + 1 >= config[MAX_DEALS]:
                    finish_pulka(view, hidden, pulka_rows[cursor[N_PULKAS]], over)
                    cursor[N_PULKAS] += 1
                    view.phase = IDLE
                else:
                    begin_deal(view, hidden, rules, seed)
            if view.phase == IDLE:
                if hidden.next_pulka >= config[LAST_PULKA]:
                    break
                begin_pulka(view, hidden, rules, hidden.next_pulka)
                if len(starts) > 0:
                    resume_pulka(view, hidden, rules, starts[0])
                hidden.next_pulka += len(views)
                for player in range(MAX_PLAYERS):
                    for j in range(memory.shape[2]):
                        memory[table, player, j] = 0
                begin_deal(view, hidden, rules, seed)
            if hidden.waiting == 0:
                prepare(view, hidden, rules)
            if view.legal & (view.legal - 1) == 0:
                action = ctz(view.legal)
            else:
                player = view.player
                cursor[AT_PLAYER] = player
                if hidden.waiting == 0:
                    reveal_private(view, hidden)
                if addresses[player] == 0:
                    hidden.waiting = 1
                    action = actions[table]
                    if action < 0:
                        waiting[player, 0] += 1
                        waiting[player, waiting[player, 0]] = table
                        total += 1
                        break
                    actions[table] = -1
                    hidden.waiting = 0
                else:
                    if config[POISON]:
                        for j in range(len(workspace)):
                            workspace[j] = i64(splitmix(cursor[N_DECISIONS], j) >> u64(1))
                    action = call_bot(addresses[player], view, owns[table * MAX_PLAYERS + player])
                if action < 0 or action > 62 or view.legal >> action & 1 == 0:
                    cursor[AT_ACTION] = action
                    return ILLEGAL
                if config[RECORD_PLAYS]:
                    logs[table, hidden.n_decisions] = action
                    if config[RECORD_PLAYS] == WITH_PHASES:
                        logs[table, MAX_DECISIONS + hidden.n_decisions] = view.phase
                hidden.n_decisions += 1
                cursor[N_DECISIONS] += 1
            apply_action(view, hidden, rules, action)
    return total


def _joined(parts: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


@dataclass
class Batch:
    """Finished rows: deals in play order, pulkas, and the recorded decisions of each deal (or
    None).

    ``deals`` has ``DEAL_ROW_DTYPE``, ``pulkas`` ``PULKA_ROW_DTYPE``; ``plays`` is uint8 of shape
    (deals, 128), of which the first ``n_decisions`` count; ``phases``, where asked for, has the
    phase of each.
    """

    deals: np.ndarray[Any, Any]
    pulkas: np.ndarray[Any, Any]
    plays: np.ndarray[Any, Any] | None
    phases: np.ndarray[Any, Any] | None = None


def describe_action(phase: int, action: int) -> str:
    """An action and its phase in words, for messages."""
    return f"action {action} in phase {PHASES[phase]}"


def seat_weights(bots: Sequence[Bot], rules: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """The weights of each player's bot under packed rules; made once for equal bots."""
    made = {id(one): one.weights(rules) for one in bots}
    return [made[id(one)] for one in bots]


@dataclass
class Shard:
    """Plays the pulkas ``first .. last - 1`` of a run with these bots.

    Results depend on (seed, pulka) alone for jitted bots; an outside bot has one instance for the
    shard, made with the shard's seed. ``on_progress`` is called with the number of finished pulkas;
    ``weights`` are those of ``seat_weights`` where they are at hand; with ``claims`` a deal ends
    when its remaining tricks are certain, which saves decisions and changes no result of a bot that
    remembers nothing from deal to deal. ``record_phases`` keeps with the plays the phase of each;
    ``start`` is a sheet (one row of ``START_DTYPE``) from which every pulka goes on, its deals
    counted in ``max_deals``.
    """

    rules: np.ndarray[Any, Any]
    bots: Sequence[Bot]
    seed: int
    first: int
    last: int
    max_deals: int = 500
    record_plays: bool = False
    poison: bool = False
    claims: bool = False
    row_limit: int = ROWS
    on_progress: Callable[[int], None] | None = None
    weights: Sequence[np.ndarray[Any, Any]] | None = None
    record_phases: bool = False
    start: np.ndarray[Any, Any] | None = None
    n_decisions: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.record_plays |= self.record_phases
        self._plain_rules = sealed(self.rules)
        self._outside = self._make_outside()
        self._make_tables(OUTSIDE_TABLES if self._outside else 1)
        self._seat()

    def _make_outside(self) -> list[tuple[Any, list[int]]]:
        """Instances of outside bots with their players; one for equal bots."""
        groups: dict[int, tuple[Bot, list[int]]] = {}
        for player, one in enumerate(self.bots):
            if one.needs is None:
                groups.setdefault(id(one), (one, []))[1].append(player)
        made = []
        for one, players in groups.values():
            try:
                instance = one.maker(self._plain_rules, self._bot_seed(players[0]), **one.options)
            except Exception as error:
                raise BotError(f"bot {one.name} could not be made: {error!r}") from error
            made.append((instance, players))
        return made

    def _bot_seed(self, player: int) -> int:
        sequence = np.random.SeedSequence([self.seed, self.first, player])
        return int(sequence.generate_state(1, np.uint64)[0] >> 1)

    def _make_tables(self, n: int) -> None:
        n = max(1, min(n, self.last - self.first))
        self._n = n
        self._views = make_records(VIEW_DTYPE, n)
        self._hiddens = make_records(HIDDEN_DTYPE, n)
        self._all_rules = to_records(self.rules)
        for table in range(n):
            self._views[table]["phase"] = IDLE
            self._views[table]["rules"] = self.rules.ctypes.data if JIT else self._plain_rules
            self._hiddens[table]["next_pulka"] = self.first + table
            self._hiddens[table]["claims"] = int(self.claims)
        self._actions = np.full(n, -1, np.int64)
        self._cursor = np.zeros(N_CURSOR, np.int64)
        self._config = np.zeros(N_CONFIG, np.int64)
        self._config[SEED] = self.seed
        self._config[LAST_PULKA] = self.last
        self._config[MAX_DEALS] = self.max_deals
        self._config[RECORD_PLAYS] = WITH_PHASES if self.record_phases else self.record_plays
        self._config[POISON] = self.poison
        self._config[ROW_LIMIT] = self.row_limit
        self._rows = make_records(DEAL_ROW_DTYPE, self.row_limit)
        self._pulka_rows = make_records(PULKA_ROW_DTYPE, self.row_limit)
        self._waiting = np.zeros((MAX_PLAYERS, n + 1), np.int64)
        self._starts = to_records(np.zeros(0, START_DTYPE) if self.start is None else self.start)
        width = 2 * MAX_DECISIONS if self.record_phases else MAX_DECISIONS
        self._logs = np.zeros((n, width), np.uint8)
        self._plays = np.zeros((self.row_limit if self.record_plays else 1, width), np.uint8)

    def _seat(self) -> None:
        """Fill the addresses of jitted bots and their own arrays."""
        needs = [one.needs for one in self.bots]
        self._weights = self.weights or seat_weights(self.bots, self.rules)
        n_memory = max((need.memory for need in needs if need), default=0)
        n_workspace = max((need.workspace for need in needs if need), default=0)
        self._memory = np.zeros((self._n, MAX_PLAYERS, n_memory), np.int64)
        self._workspace = np.zeros(n_workspace, np.int64)
        self._addresses = np.zeros(MAX_PLAYERS, np.int64)
        for player, one in enumerate(self.bots):
            if one.needs is not None:
                self._addresses[player] = address_of(one.maker, one.name)
        self._owns = make_records(OWN_DTYPE, self._n * MAX_PLAYERS)
        policies = self._make_policies()
        for table in range(self._n):
            for player, need in enumerate(needs):
                if need is not None:
                    own = self._owns[table * MAX_PLAYERS + player]
                    memory = self._memory[table, player, : need.memory]
                    give(own, "weights", self._weights[player])
                    give(own, "memory", memory)
                    give(own, "workspace", self._workspace)
                    if id(self.bots[player]) in policies:
                        policies[id(self.bots[player])].lend(own)

    def _make_policies(self) -> dict[int, Policy]:
        """What the seated bots ask when they think ahead, by the bot."""
        self._policies: dict[int, Policy] = {}
        for one in self.bots:
            if one.policy is not None and id(one) not in self._policies:
                self._policies[id(one)] = Policy(one.policy, self.rules)
        return self._policies

    def batches(self) -> Iterator[Batch]:
        """Play on; finished rows come in batches, at most ``row_limit`` deals each."""
        while True:
            waiting = self._step()
            if waiting > 0:
                self._ask_outside()
            elif waiting == FULL or self._cursor[N_ROWS]:
                yield self._drain()
            if waiting == 0:
                return

    def run(self) -> Batch:
        """Play the whole shard; rows sorted by (pulka, deal)."""
        parts = list(self.batches())
        deals = _joined([part.deals for part in parts])
        pulkas = _joined([part.pulkas for part in parts])
        plays = phases = None
        if self.record_plays:
            plays = _joined([part.plays for part in parts if part.plays is not None])
        if self.record_phases:
            phases = _joined([part.phases for part in parts if part.phases is not None])
        if self._n > 1:  # tables took turns
            order = np.lexsort((deals["deal"], deals["pulka"]))
            deals = np.take(deals, order)
            pulkas = np.take(pulkas, np.argsort(pulkas["pulka"]))
            plays = None if plays is None else plays[order]
            phases = None if phases is None else phases[order]
        return Batch(deals, pulkas, plays, phases)

    def _step(self) -> int:
        try:
            result = step(
                self._views,
                self._hiddens,
                self._all_rules,
                self._owns,
                self._addresses,
                self._actions,
                self._config,
                self._cursor,
                self._rows,
                self._pulka_rows,
                self._waiting,
                self._workspace,
                self._logs,
                self._plays,
                self._memory,
                self._starts,
            )
        except Exception as error:
            raise BotError(f"{self._whereabouts()}: {explain(error)}") from error
        self.n_decisions = int(self._cursor[N_DECISIONS])
        if result == ILLEGAL:
            table = int(self._cursor[AT_TABLE])
            raise self._illegal(table, int(self._cursor[AT_ACTION]))
        return int(result)

    def _whereabouts(self, table: int | None = None, player: int | None = None) -> str:
        table = int(self._cursor[AT_TABLE]) if table is None else table
        player = int(self._cursor[AT_PLAYER]) if player is None else player
        hidden, view = self._hiddens[table], self._views[table]
        return (
            f"bot {self.bots[player].name} (player {player}) "
            f"in pulka {hidden['pulka']}, deal {view['deal']}"
        )

    def _illegal(self, table: int, action: int) -> BotError:
        view = self._views[table]
        where = self._whereabouts(table, int(view["player"]))
        legal = [k for k in range(63) if int(view["legal"]) >> k & 1]
        return BotError(
            f"{where}: {describe_action(int(view['phase']), action)} is not legal "
            f"(legal actions: {', '.join(map(str, legal))})"
        )

    def _drain(self) -> Batch:
        n_rows, n_pulkas = int(self._cursor[N_ROWS]), int(self._cursor[N_PULKAS])
        self._cursor[N_ROWS] = self._cursor[N_PULKAS] = 0
        if self.on_progress is not None:
            self.on_progress(n_pulkas)
        return Batch(
            to_array(self._rows, DEAL_ROW_DTYPE, n_rows),
            to_array(self._pulka_rows, PULKA_ROW_DTYPE, n_pulkas),
            self._plays[:n_rows, :MAX_DECISIONS].copy() if self.record_plays else None,
            self._plays[:n_rows, MAX_DECISIONS:].copy() if self.record_phases else None,
        )

    def _ask_outside(self) -> None:
        """Ask each outside bot about its waiting views, in (pulka, player) order."""
        for instance, players in self._outside:
            asked = [
                (int(self._hiddens[table]["pulka"]), player, int(table))
                for player in players
                for table in self._waiting[player, 1 : 1 + self._waiting[player, 0]]
            ]
            if not asked:
                continue
            tables = [table for _, _, table in sorted(asked)]
            observations = self._observe(tables)
            where = self._whereabouts(tables[0], int(observations["player"][0]))
            try:
                answers = instance.act(observations)
            except Exception as error:
                raise BotError(f"{where}: {explain(error)}") from error
            self._take(tables, self._checked(answers, len(tables), where))

    def _observe(self, tables: list[int]) -> np.ndarray[Any, Any]:
        """Copies of the waiting views alone, without the address of the rules."""
        if JIT:
            rows = np.take(self._views, tables)
        else:
            chosen = [PlainRecord({**self._views[t].fields(), "rules": 0}) for t in tables]
            rows = to_array(chosen, VIEW_DTYPE, len(tables))
        rows["rules"] = 0
        return rows

    def _checked(self, answers: Any, n: int, where: str) -> np.ndarray[Any, Any]:
        try:
            array = np.asarray(answers)
        except ValueError:
            raise BotError(f"{where}: act() returned no array of actions") from None
        if array.shape != (n,) or not np.issubdtype(array.dtype, np.integer):
            raise BotError(
                f"{where}: act() must return {n} integers, one for each observation, "
                f"not {type(answers).__name__} of shape {array.shape} and type {array.dtype}"
            )
        return array.astype(np.int64)

    def _take(self, tables: list[int], answers: np.ndarray[Any, Any]) -> None:
        for table, answer in zip(tables, answers.tolist(), strict=True):
            legal = int(self._views[table]["legal"])
            if not 0 <= answer < 63 or not legal >> answer & 1:
                raise self._illegal(table, answer)
            self._actions[table] = answer
