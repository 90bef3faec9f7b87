"""Small runs for the tests of estimates, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
from naive_estimates import Tables

from benchmarks.reference.bots import wild
from bots import find_bot
from scoring.conventions import FAMILIES, POOL_FAMILY, RAZBOINIK, REFET
from scoring.variant import find_variant, variant_names
from sim.analysis import Moments
from sim.botcall import Bot
from sim.game import Game
from sim.run import Run, make_run
from sim.schema import batch_tables
from sim.sums import pulka_sums

PULKAS = 31
THREE = Game()
TWO = Game(players=2, blind=True, thrown_in=True)
OF_RAZBOINIK = Game(FAMILIES[RAZBOINIK], 2)
OF_REFET = Game(FAMILIES[REFET], preferans=True, invite=True, contras=4)
GAMES = (TWO, THREE, Game(players=4), OF_RAZBOINIK, OF_REFET, replace(OF_REFET, players=4))
"""In which everything may happen that has a figure."""


@dataclass(frozen=True)
class LineUp:
    """Bots at a table, one for all seats or one each, what is set, and the limit of deals."""

    bots: tuple[str, ...]
    players: int = 3
    settings: dict[str, Any] = field(default_factory=dict)
    most: int = 12


_CONCEDING = {"contract.concession": 3}
LINE_UPS = {
    "random": LineUp(("random",)),
    "cautious": LineUp(("cautious",)),
    "mixed": LineUp(("wild", "random", "cautious"), settings=_CONCEDING),
    "four": LineUp(("wild", "random", "wild", "random"), 4, _CONCEDING),
    "two": LineUp(("wild", "random"), 2, _CONCEDING),
    "throwing in": LineUp(("wild",), 2, {"dummy.raspas": "no_raspas"}),
    "razboinik": LineUp(("wild", "random"), 2),
    "dead dummy": LineUp(("random", "wild"), 2, {"razboinik.dummy": "dead"}, most=7),
    "refet": LineUp(("random",), settings={"bidding.preferans": True}),
    "hands": LineUp(("wild", "random", "wild")),
    "refet of four": LineUp(("random",), 4, {"bidding.preferans": True}),
    "hands of four": LineUp(("random", "wild") * 2, 4, {"refets.for_dealer": False}),
}
"""With several bots concessions, raspas, misère and unfinished pulkas happen."""
WITH_ROWS = ("razboinik", "dead dummy")
WITH_COLUMNS = ("refet", "hands", "refet of four", "hands of four")
WITH_POOL = tuple(one for one in LINE_UPS if one not in WITH_ROWS + WITH_COLUMNS)
_FAMILIES = {RAZBOINIK: WITH_ROWS, REFET: WITH_COLUMNS, POOL_FAMILY: WITH_POOL}


def fits(name: str, line_up: str) -> bool:
    """Whether a line-up can play a variant."""
    variant = find_variant(name)
    known = _FAMILIES[FAMILIES.index(variant.family)]
    return line_up in known and LINE_UPS[line_up].players in variant.players


CASES = [(name, one) for one in LINE_UPS for name in variant_names() if fits(name, one)]


def a_run(name: str, line_up: str, pulkas: int = PULKAS, seed: int = 5) -> Run:
    """A small run."""
    table = LINE_UPS[line_up]
    variant = find_variant(name, table.settings)
    bots = [Bot("wild", wild) if bot == "wild" else find_bot(bot) for bot in table.bots]
    pool = 5 if variant.has_target else None
    return make_run(variant, bots, pulkas, pool, seed, table.players, max_deals=table.most)


def tables(run: Run) -> Tables:
    """Deals and pulkas of a run as tables."""
    parts = []
    for shard in range(run.n_shards()):
        parts.append(batch_tables(run.shard(shard).run(), run.game, False, {}))
    deals, pulkas = zip(*parts, strict=True)
    return pa.concat_tables(deals), pa.concat_tables(pulkas)


def moments_of(*runs: Tables, games: Sequence[Game] = ()) -> Moments:
    """The sums of some runs of equal length, by default with three players."""
    played = games or [THREE] * len(runs)
    found = Moments([f"run{k}" for k in range(len(runs))], played)
    parts = zip(runs, played, strict=True)
    found.add([pulka_sums(deals, pulkas, game) for (deals, pulkas), game in parts])
    return found
