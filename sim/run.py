"""Runs: pulkas in fixed shards, played by worker threads, kept as Parquet or summed up at once."""

from __future__ import annotations

import functools
import itertools
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from scoring.errors import WrongUse
from scoring.variant import Variant, find_variant

from .analysis import Moments
from .botcall import Bot, BotError
from .engine import Shard, seat_weights
from .game import Game, game_of
from .schema import batch_tables
from .store import DATASETS, Dataset, RunInfo, create_dataset
from .sums import pulka_sums

SHARD_PULKAS = 512
"""Pulkas in a shard; fixed, so that results do not depend on the number of workers."""
MAX_DEALS = 500

Array = np.ndarray[Any, Any]
Progress = Callable[[int], None]


class RunError(WrongUse):
    """Arguments of a run that do not fit: one sentence saying what is allowed."""


def package_version() -> str:
    """Version of the installed package."""
    try:
        return version("preferans")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class Run:
    """One variant played by one line-up; ``bots`` has a bot for each player."""

    variant: Variant
    bots: tuple[Bot, ...]
    pulkas: int
    pool: int
    seed: int
    players: int = 3
    max_deals: int = MAX_DEALS
    record_plays: bool = False
    claims: bool = False
    shard_pulkas: int = SHARD_PULKAS

    def info(self) -> RunInfo:
        """The arguments as they are kept beside the data."""
        return RunInfo(
            variant=self.variant.name,
            variant_toml=self.variant.toml(),
            rules_digest=self.variant.digest(),
            players=self.players,
            pool=self.pool,
            bots=tuple(one.name for one in self.bots),
            bot_digests=tuple(one.digest for one in self.bots),
            seed=self.seed,
            pulkas=self.pulkas,
            max_deals=self.max_deals,
            claims=self.claims,
            record_plays=self.record_plays,
            shard_pulkas=self.shard_pulkas,
            version=package_version(),
        )

    @functools.cached_property
    def game(self) -> Game:
        """What is played, as far as columns and figures depend on it."""
        return game_of(self.variant, self.players)

    @functools.cached_property
    def weights(self) -> list[Array]:
        """The bots' weights under the run's rules, the same arrays for all shards."""
        return seat_weights(self.bots, self.variant.rules(self.players, self.pool))

    def n_shards(self) -> int:
        return -(-self.pulkas // self.shard_pulkas)

    def shard(self, k: int, on_progress: Progress | None = None) -> Shard:
        """The ``k``-th shard, ready to play."""
        first = k * self.shard_pulkas
        return self._shard(first, min(first + self.shard_pulkas, self.pulkas), on_progress)

    def pulka(self, pulka: int) -> Shard:
        """A shard with this pulka: alone, or, as an outside bot may remember, the whole shard."""
        if any(one.needs is None for one in self.bots):
            return self.shard(pulka // self.shard_pulkas)
        return self._shard(pulka, pulka + 1, None)

    def _shard(self, first: int, last: int, on_progress: Progress | None) -> Shard:
        return Shard(
            self.variant.rules(self.players, self.pool),
            self.bots,
            self.seed,
            first,
            last,
            self.max_deals,
            self.record_plays,
            claims=self.claims,
            on_progress=on_progress,
            weights=self.weights,
        )


def make_run(
    variant: Variant | str,
    bots: Sequence[Bot | Any],
    pulkas: int,
    pool: int | None = None,
    seed: int = 0,
    players: int | None = None,
    max_deals: int = MAX_DEALS,
    record_plays: bool = False,
    claims: bool = False,
) -> Run:
    """A checked run. One bot fills all seats; a bare jitted function or class is taken as a bot.

    ``players`` and ``pool`` may be left to the variant. With ``claims`` deals end when their
    remaining tricks are certain. Raises RunError, VariantError or BotError.
    """
    if pulkas < 1:
        raise RunError(f"{pulkas} pulkas cannot be played: write 1 or more")
    if max_deals < 1:
        raise RunError(f"a limit of {max_deals} deals is not possible: write 1 or more")
    if not 0 <= seed < 1 << 63:
        raise RunError(f"seed {seed} is not possible: write 0 to {(1 << 63) - 1}")
    chosen = find_variant(variant) if isinstance(variant, str) else variant
    n_players = chosen.table_size(players)
    seated = [one if isinstance(one, Bot) else Bot(one.__name__, one) for one in bots]
    if len(seated) == 1:
        seated *= n_players
    if len(seated) != n_players:
        raise RunError(
            f"{len(seated)} bots for {n_players} players: name one for all seats, or {n_players}"
        )
    for one in seated:
        one.check()
    target = chosen.target(pool)
    return Run(
        chosen, tuple(seated), pulkas, target, seed, n_players, max_deals, record_plays, claims
    )


def _sum_up(run: Run, k: int, dataset: Dataset | None, on_progress: Progress | None) -> Array:
    """The sums of a shard: played and written, or read where it was finished already."""
    if dataset is not None and dataset.is_finished(k):
        if on_progress is not None:
            on_progress(min(run.shard_pulkas, run.pulkas - k * run.shard_pulkas))
        tables = [dataset.read_part(name, k) for name in DATASETS]
    else:
        batch = run.shard(k, on_progress).run()
        if dataset is None:
            tables = batch_tables(batch, run.game, run.record_plays, {})
        else:
            tables = dataset.write(k, batch)
    return pulka_sums(tables[0], tables[1], run.game)


def _sums_in_order(
    runs: Sequence[Run],
    datasets: Sequence[Dataset | None],
    workers: int,
    on_progress: Progress | None,
) -> Iterator[list[Array]]:
    """The sums of each shard, one array a run, in order of shards; a few shards are under way."""
    shards = range(max(run.n_shards() for run in runs))
    tasks = iter([(k, r) for k in shards for r in range(len(runs))])
    waiting: deque[Future[Array]] = deque()
    with ThreadPoolExecutor(workers) as pool:

        def submit(how_many: int) -> None:
            for k, r in itertools.islice(tasks, how_many):
                waiting.append(pool.submit(_sum_up, runs[r], k, datasets[r], on_progress))

        try:
            submit(2 * workers + len(runs))
            for _ in shards:
                parts = []
                for _ in runs:
                    parts.append(waiting.popleft().result())
                    submit(1)
                yield parts
        finally:
            for future in waiting:
                future.cancel()


def default_workers() -> int:
    """Worker threads: the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_pairs(runs: Sequence[Run]) -> None:
    """RunError if the pulkas of the runs do not go in pairs, or have different sheets."""
    for name in ("players", "pulkas", "seed"):
        values = list(dict.fromkeys(getattr(run, name) for run in runs))
        if len(values) > 1:
            raise RunError(
                f"runs are compared pulka by pulka: {name} must be the same in all of them, "
                f"not {values[0]} and {values[1]}"
            )
    for run in runs[1:]:
        if run.variant.family != runs[0].variant.family:
            raise RunError(
                f"{runs[0].variant.name} and {run.variant.name} have no figures to compare: the "
                f"one is of the family {runs[0].variant.family}, the other of "
                f"{run.variant.family}"
            )


def study(
    runs: Sequence[Run],
    folders: Sequence[Path | None] | None = None,
    workers: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_progress: Progress | None = None,
) -> Moments:
    """Play runs of equal length, seed and players, keep them in ``folders`` if given, sum them up.

    Raises RunError, BotError, StoreError.
    """
    _check_pairs(runs)
    places = list(folders) if folders is not None else [None] * len(runs)
    datasets = [
        None if folder is None else create_dataset(folder, run.info(), resume, overwrite)
        for folder, run in zip(places, runs, strict=True)
    ]
    moments = Moments(run_names(runs), [run.game for run in runs])
    for parts in _sums_in_order(runs, datasets, workers or default_workers(), on_progress):
        moments.add(parts)
    return moments


def run_names(runs: Sequence[Run]) -> list[str]:
    """A name for each run: the variant's, numbered where one comes twice."""
    names: list[str] = []
    for run in runs:
        name = run.variant.name
        taken = sum(1 for other in names if other.split("#")[0] == name)
        names.append(name if taken == 0 else f"{name}#{taken + 1}")
    return names


def simulate(
    variant: Variant | str,
    bots: Sequence[Bot | Any],
    pulkas: int,
    out: str | Path | None = None,
    pool: int | None = None,
    seed: int = 0,
    players: int | None = None,
    max_deals: int = MAX_DEALS,
    record_plays: bool = False,
    claims: bool = False,
    workers: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_progress: Progress | None = None,
) -> Moments:
    """Play pulkas of one variant and return their estimates; with ``out`` keep them as Parquet.

    ``bots`` is one bot or one for each player: from ``bots.find_bot("cautious")``, a function under
    ``@bot()``, or a class with ``act(observations)``. ``pool`` is the target in pool points per
    player, ``players`` their number; each may be left to the variant. With ``claims`` deals end
    when their remaining tricks are certain. ``on_progress`` is called with numbers of finished
    pulkas, from worker threads.
    """
    run = make_run(variant, bots, pulkas, pool, seed, players, max_deals, record_plays, claims)
    folder = None if out is None else Path(out)
    return study([run], [folder], workers, resume, overwrite, on_progress)


__all__ = ["BotError", "Run", "RunError", "make_run", "simulate", "study"]
