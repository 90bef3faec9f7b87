"""Playing a match: shards of base deals by worker threads, summed up in order.

With a half-width to reach, the sums are looked at after fixed numbers of shards, which grow by a
quarter, so that the end depends neither on workers nor on time. To stop as soon as an interval is
narrow makes it a little too narrow at times; growing steps keep these looks few.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..engine import Batch
from ..run import Progress, RunError, default_workers
from .match import Array, Match
from .parts import ALIKE, Parting
from .results import PairTally, Results
from .seatings import Seating
from .storing import Sink, SinkTable

MIN_DIFFERENT = 30
"""Base deals of a pair that must differ before its interval may end a match."""


@dataclass
class Played:
    """A shard of a match: by pair the columns of ``PairTally`` and the parts by (deal, seating);
    the tables, where they are kept."""

    pairs: list[tuple[Array, Array]]
    tables: list[SinkTable]


class _Stopped(Exception):
    """The match ended while a shard was under way."""


class _Hall:
    """Plays shards of one match, table by table, until told to stop."""

    def __init__(self, match: Match, keep_tables: bool, on_progress: Progress | None) -> None:
        self._match = match
        self._keep_tables = keep_tables
        self._on_progress = on_progress
        self.stop = threading.Event()

    def _table(self, line_up: tuple[int, ...], shard: int, phases: bool = False) -> Batch:
        if self.stop.is_set():
            raise _Stopped
        return self._match.play(line_up, shard, phases, self._on_progress)

    def play(self, shard: int) -> Played:
        """All tables of a shard; _Stopped when told to stop."""
        match = self._match
        alone = {
            one: self._table((one,) * match.players, shard, phases=True) for one in match.compared
        }
        partings = {one: Parting(batch, match.game) for one, batch in alone.items()}
        played = Played([], [SinkTable((one,) * match.players, x) for one, x in alone.items()])
        for pair in match.pairs:
            columns = PairColumns(match, len(alone[match.compared[0]].deals))
            for k, seating in enumerate(match.seatings):
                line_up = tuple(pair[one] for one in seating.line_up)
                table, other = self._table(line_up, shard), pair[seating.among]
                part, place = partings[other].find(table, seating.seat)
                columns.add(k, seating, table, alone[other], part)
                if self._keep_tables:
                    played.tables.append(SinkTable(line_up, table, seating.seat, part, place))
            played.pairs.append((columns.amounts, columns.parts))
        return played


class PairColumns:
    """The columns of ``PairTally`` by base deal: differences summed over seatings, and by parts
    what each table is worth more than the one that it is compared with."""

    def __init__(self, match: Match, deals: int) -> None:
        self.amounts = np.zeros((deals, PairTally.N_WHOLE + len(match.parts)), np.int64)
        self.parts = np.full((deals, len(match.seatings)), ALIKE)

    def add(self, k: int, seating: Seating, table: Batch, base: Batch, part: Array) -> None:
        """Add the table of the ``k``-th seating."""
        self.parts[:, k] = part
        ahead = seating.difference(table.deals["value"])
        self.amounts[:, PairTally.WHOLE] += ahead
        self.amounts[:, PairTally.question(seating.lone)] += ahead
        differs = np.flatnonzero(part != ALIKE)
        gained = ahead - seating.difference(base.deals["value"])
        self.amounts[differs, PairTally.N_WHOLE + part[differs]] += gained[differs]


def _in_order(hall: _Hall, n_shards: int, workers: int) -> Generator[Played, None, None]:
    """The shards of a match in order; a few are under way. When the caller has enough, the rest is
    dropped."""
    waiting: deque[Future[Played]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        shards = iter(range(n_shards))

        def submit(how_many: int) -> None:
            for shard in itertools.islice(shards, how_many):
                waiting.append(pool.submit(hall.play, shard))

        try:
            submit(workers + 1)
            while waiting:
                played = waiting.popleft().result()
                submit(1)
                yield played
        finally:
            hall.stop.set()
            for future in waiting:
                future.cancel()


def next_look(shards: int) -> int:
    """After how many shards the sums are looked at again."""
    return shards + max(1, shards // 4)


def play_match(
    match: Match,
    until: float | None = None,
    workers: int | None = None,
    on_progress: Progress | None = None,
    sink: Sink | None = None,
) -> Results:
    """Play a match and sum it up; with ``until`` it ends as soon as every pair's difference has an
    interval of at most that half-width, in whists.

    ``on_progress`` is called with numbers of finished deals, from worker threads; ``sink`` is given
    the rows of each shard in order. Raises RunError, BotError, StoreError.
    """
    if until is not None and not until > 0:
        raise RunError(f"a half-width of {until:g} whists is not possible: write more than 0")
    results = Results(match, until)
    hall = _Hall(match, sink is not None, on_progress)
    look = 1
    shards = _in_order(hall, match.n_shards, workers or default_workers())
    try:
        for done, played in enumerate(shards, 1):
            results.add(played.pairs)
            if sink is not None:
                sink.write(played.tables)
            if until is not None and done == look:
                look = next_look(look)
                if results.is_narrow(MIN_DIFFERENT):
                    break
    finally:
        shards.close()
    return results
