"""Recorded results scored again under another variant, in order, until its pulka ends.

The auction and the play were made under the first variant; only the score sheet is another's. In
the refet game this goes for the contras too, and for play that stopped once the declarer had failed
(``tricks.stop``): the tricks are those taken by then. A sheet that counts more than five of the
defence as soup, or asks two of each follower whatever the declarer did, might have had more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from scoring.batch import to_results, write_pulkas
from scoring.errors import WrongUse
from scoring.result import MAX_PLAYERS, WHISTED
from scoring.variant import Variant

from .analysis import Moments
from .engine import Batch
from .game import Game, game_of
from .refets import refets_written
from .report import format_target
from .schema import batch_tables, deal_rows
from .state import PULKA_ROW_DTYPE
from .store import Dataset, RunInfo, StoreError, create_dataset
from .sums import pulka_sums

Array = np.ndarray[Any, Any]


_AS_PLAYED = ("blind", "thrown_in", "preferans", "invite", "contras", "contra_spades")
"""What can happen in a game, whatever its score."""


class RescoreError(WrongUse):
    """A variant under which the results cannot be scored: one sentence saying why."""


@dataclass(frozen=True)
class Rescore:
    """A dataset and the variant, target and time limit to score it under.

    ``time_after`` is in deals; 0 leaves it to the variant's clock (``end.minutes``).
    """

    source: Dataset
    variant: Variant
    pool: int
    time_after: int = 0

    @property
    def played(self) -> str:
        """The variant under which the deals were bid and played."""
        return self.source.info.rescored_from or self.source.info.variant

    @property
    def game(self) -> Game:
        """What the deals are scored as; what could happen in them is as they were played."""
        played = self.source.game
        scored = game_of(self.variant, played.players)
        return replace(scored, **{name: getattr(played, name) for name in _AS_PLAYED})

    @property
    def names(self) -> list[str]:
        """The played variant, and the scoring one with where its deals come from."""
        played = self.played
        return [played, f"{played} scored as {self.variant.name}"]

    def headline(self, pulkas: int) -> str:
        """Under what so many pulkas were played, and under what they are scored."""
        name, scored = self.variant.name, format_target(self.variant, self.pool)
        if not self.variant.has_target:
            return (
                f"{pulkas} pulkas played under {self.played}, scored under {scored};\n"
                f"rows and contracts were not chosen for {name}\n"
            )
        start = "from" if self.variant.has_columns else "to"
        stopped = ", and tricks are those of the play" if self.variant.has_columns else ""
        return (
            f"{pulkas} pulkas bid and played under {self.played} {start} {self.source.info.pool}, "
            f"scored under {scored};\nthe bidding was not made for {name}{stopped}; pulkas whose "
            "deals ran out are unfinished\n"
        )

    def info(self) -> RunInfo:
        """The arguments of the rescored dataset."""
        return replace(
            self.source.info,
            variant=self.variant.name,
            variant_toml=self.variant.toml(),
            rules_digest=self.variant.digest(),
            pool=self.pool,
            record_plays=False,
            rescored_from=self.played,
        )

    def score(self, deals: Array) -> Batch:
        """The deals that count under the new variant, and the pulkas they make.

        A pulka whose deals run out before its end is settled early and flagged unfinished. Who
        wrote off his mountain fills his pool where he has no choice.
        """
        numbers, starts, counts = np.unique(deals["pulka"], return_index=True, return_counts=True)
        deals = deals.copy()
        if self.source.game.checked_ten and self.game.has_dummy:
            deals["open_play"] |= _checked_tens(deals)
        results = to_results(deals)
        if not self.variant.conventions["values.off_mountain_instead"]:
            results["off_mountain"] = 0
        rules = self.variant.rules(self.source.info.players, self.pool)
        ends = (starts + counts).astype(np.int64)
        values, sheets, ended = write_pulkas(rules, results, ends, self.time_after)
        deals["value"] = values
        for name in ("off_mountain", "raspas_index", "refet"):
            deals[name] = results[name]
        if self.variant.has_columns:
            deals["refets_written"] = refets_written(rules, results)
        counted = np.arange(len(deals)) - np.repeat(starts, counts) < np.repeat(
            sheets["n_deals"], counts
        )
        pulkas = np.zeros(len(numbers), PULKA_ROW_DTYPE)
        pulkas["pulka"] = numbers
        pulkas["n_deals"] = sheets["n_deals"]
        pulkas["unfinished"] = ~ended
        for name in ("pool", "mountain", "whists", "row", "refets", "refets_given"):
            pulkas[name] = sheets[name]
        pulkas["result"] = np.add.reduceat(values, starts, axis=0)
        return Batch(deals[counted], pulkas, None)


def _checked_tens(deals: Array) -> Array:
    """1 where the whist of a ten was checked: two players' is then one with the dummy open."""
    return (deals["level"] == 10) & (deals["decision"] == WHISTED).any(axis=1)


def make_rescore(source: Dataset, variant: Variant, pool: int | None, time_after: int) -> Rescore:
    """A checked rescoring; ``pool`` defaults to the variant's. Raises RescoreError, VariantError.

    With four players the dealer takes part in the raspas, or not, as he did when they were played.
    """
    family = source.variant().family
    if variant.family != family:
        raise RescoreError(
            f"{source.info.variant} cannot be scored as {variant.name}: the one is of the family "
            f"{family}, the other of {variant.family}"
        )
    variant.table_size(source.info.players)
    if variant.has_pool and source.info.players == MAX_PLAYERS:
        key = "raspas.talon_four"
        variant = variant.with_settings({key: source.variant().conventions[key]})
    return Rescore(source, variant, variant.target(pool), time_after)


def rescore(job: Rescore, out: Path | None = None, overwrite: bool = False) -> Moments:
    """Score every finished shard again; estimates of the run as played and as rescored.

    With ``out`` the rescored deals and pulkas are kept as a dataset. Raises StoreError.
    """
    shards = job.source.shards()
    if not shards:
        raise StoreError(f"{job.source.folder} has no finished shards to score")
    kept = None if out is None else create_dataset(out, job.info(), False, overwrite)
    moments = Moments(job.names, [job.source.game, job.game])
    for k in shards:
        deals, pulkas = (job.source.read_part(name, k) for name in ("deals", "pulkas"))
        batch = job.score(deal_rows(deals, job.source.game))
        if kept is None:
            tables = batch_tables(batch, job.game, False, {})
        else:
            tables = kept.write(k, batch)
        before = pulka_sums(deals, pulkas, job.source.game)
        moments.add([before, pulka_sums(tables[0], tables[1], job.game)])
    return moments
