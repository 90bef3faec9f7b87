"""A match: what two or more bots play against each other, and the tables it takes."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.variant import Variant, find_variant

from ..botcall import Bot
from ..engine import Batch, Shard
from ..game import Game, game_of
from ..run import Progress, RunError, package_version
from .parts import part_names
from .seatings import LETTERS, Seating, make_seatings

SHARD_DEALS = 512
"""Base deals in a shard; fixed, so that results do not depend on the number of workers."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Start:
    """A sheet in mid-game from which each base deal is played, and the file it stands in.

    ``record`` is one row of ``START_DTYPE``; ``total`` is the agreed pool of all players, where it
    was given.
    """

    record: Array
    total: int | None
    where: str


@dataclass(frozen=True)
class Match:
    """Bots, the base deals they play, and in which seatings each pair plays them.

    A base deal is the first deal of the pulka of its number: its cards and the random words of each
    seat depend on (seed, number) alone, not on who sits there. ``deals`` is the most of them.
    """

    variant: Variant
    bots: tuple[Bot, ...]
    players: int
    pool: int
    seed: int
    deals: int
    seatings: tuple[Seating, ...]
    start: Start | None = None

    @functools.cached_property
    def game(self) -> Game:
        """What is played."""
        return game_of(self.variant, self.players)

    @functools.cached_property
    def rules(self) -> Array:
        """The packed rules."""
        total = None if self.start is None else self.start.total
        return self.variant.rules(self.players, self.pool or None, total)

    @functools.cached_property
    def weights(self) -> list[Array]:
        """Each bot's weights under the rules, the same arrays for all shards."""
        return [one.weights(self.rules) for one in self.bots]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two bots, in order."""
        return list(itertools.combinations(range(len(self.bots)), 2))

    @property
    def n_shards(self) -> int:
        return -(-self.deals // SHARD_DEALS)

    @functools.cached_property
    def compared(self) -> tuple[int, ...]:
        """The bots that fill a table alone, with which seatings of one bot among them are
        compared."""
        among = {pair[one.among] for pair in self.pairs for one in self.seatings}
        return tuple(sorted(among))

    @property
    def n_tables(self) -> int:
        """How many tables play each base deal."""
        return len(self.compared) + len(self.pairs) * len(self.seatings)

    def play(
        self, line_up: Sequence[int], shard: int, phases: bool, on_progress: Progress | None
    ) -> Batch:
        """The base deals of a shard at one table; ``line_up`` has the number of a bot by player."""
        first = shard * SHARD_DEALS
        last = min(first + SHARD_DEALS, self.deals)
        return Shard(
            self.rules,
            [self.bots[one] for one in line_up],
            self.seed,
            first,
            last,
            max_deals=1,
            record_plays=True,
            record_phases=phases,
            row_limit=last - first,
            on_progress=on_progress,
            weights=[self.weights[one] for one in line_up],
            start=None if self.start is None else self.start.record,
        ).run()

    def manifest(self) -> dict[str, Any]:
        """The arguments as they are kept beside the data."""
        return {
            "variant": self.variant.name,
            "variant_toml": self.variant.toml(),
            "rules_digest": self.variant.digest(),
            "players": self.players,
            "pool": self.pool,
            "bots": [one.name for one in self.bots],
            "bot_digests": [one.digest for one in self.bots],
            "seed": self.seed,
            "most_deals": self.deals,
            "seatings": [one.name for one in self.seatings],
            "sheet": "" if self.start is None else self.start.where,
            "shard_deals": SHARD_DEALS,
            "version": package_version(),
        }

    @functools.cached_property
    def parts(self) -> tuple[str, ...]:
        """The parts of a deal in which tables may differ first."""
        return part_names(self.game)


def _seated(bots: Sequence[Bot | Any]) -> tuple[Bot, ...]:
    """The bots, equal ones as one and the same, so that an outside bot has one instance a table."""
    made: list[Bot] = []
    for one in bots:
        found = one if isinstance(one, Bot) else Bot(one.__name__, one)
        found.check()
        made.append(next((other for other in made if other == found), found))
    return tuple(made)


def make_match(
    variant: Variant | str,
    bots: Sequence[Bot | Any],
    deals: int,
    players: int | None = None,
    pool: int | None = None,
    seed: int = 0,
    seatings: int | None = None,
    start: Start | None = None,
) -> Match:
    """A checked match of two or more bots.

    A bare jitted function or class is taken as a bot; ``players`` and ``pool`` may be left to the
    variant, ``seatings`` (as many as players, or twice as many) to ``make_seatings``. Raises
    RunError, VariantError or BotError.
    """
    if not 2 <= len(bots) <= len(LETTERS):
        raise RunError(f"{len(bots)} bots cannot be compared: name 2 to {len(LETTERS)}")
    if deals < 1:
        raise RunError(f"{deals} deals cannot be played: write 1 or more")
    if not 0 <= seed < 1 << 63:
        raise RunError(f"seed {seed} is not possible: write 0 to {(1 << 63) - 1}")
    chosen = find_variant(variant) if isinstance(variant, str) else variant
    n_players = chosen.table_size(players)
    target = chosen.target(pool)
    seated = make_seatings(n_players, seatings)
    return Match(chosen, _seated(bots), n_players, target, seed, deals, seated, start)
