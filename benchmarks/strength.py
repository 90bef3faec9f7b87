"""How strong the bots are: ``python -m benchmarks.strength`` plays duels and tells what they won.

``expert`` against ``cautious`` in every variant, ``sampling`` against ``expert`` in one or more of
each family, and ``expert`` tuned to another variant. Each difference is that of ``preferans duel``.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import click

from benchmarks.speed import describe_machine, tell_machine
from bots import find_bot
from bots.study.fixpoints import nearest_variant
from scoring.tables import Row, format_table
from scoring.variant import find_variant, variant_names
from sim.duel.match import SHARD_DEALS, Match, make_match
from sim.duel.playing import play_match
from sim.duel.results import Results
from sim.duel.telling import format_whists
from sim.run import default_workers

SEED = 2026
SAMPLED = ("rostov", "sochi", "leningrad", "piter", "classic_two", "razboinik", "refet")
"""Where ``sampling`` plays, which thinks for long."""
ELSEWHERE = (("rostov", "sochi"), ("sochi", "rostov"))
"""Variants, each with another to which an ``expert`` may be tuned."""
PILOT = 24
"""Base deals by whose time the others are numbered."""


@dataclass(frozen=True)
class Duel:
    """Two bots in a variant, what a match of them has come to, and how long it took."""

    a: str
    b: str
    results: Results
    seconds: float

    @property
    def match(self) -> Match:
        return self.results.match


def _matched(variant: str, a: str, b: str, deals: int, alone: bool = False) -> Match:
    """A match of a variant's usual number of players; ``alone``: A among B's only."""
    players = find_variant(variant).table_size(None)
    seatings = players if alone and players > 2 else None
    return make_match(variant, [find_bot(a), find_bot(b)], deals, seed=SEED, seatings=seatings)


def _timed(match: Match) -> tuple[Results, float]:
    start = time.perf_counter()
    results = play_match(match)
    return results, time.perf_counter() - start


def play_duel(variant: str, a: str, b: str, deals: int) -> Duel:
    """A match of so many base deals, with everything compiled before."""
    play_match(_matched(variant, a, b, 1))
    return Duel(a, b, *_timed(_matched(variant, a, b, deals)))


def play_for(variant: str, a: str, b: str, seconds: float) -> Duel:
    """A match, A alone among B's, of as many base deals as a pilot lets expect to take so long.

    Whole shards for each of the workers, or a part of one if that is too long.
    """
    play_match(_matched(variant, a, b, 1, alone=True))
    _, spent = _timed(_matched(variant, a, b, PILOT, alone=True))
    each = spent / PILOT
    whole = SHARD_DEALS * default_workers()
    shards = int(seconds / (each * SHARD_DEALS))
    deals = whole * shards if shards else max(PILOT, int(seconds / each))
    return Duel(a, b, *_timed(_matched(variant, a, b, deals, alone=True)))


def tuned_to(match: Match) -> str:
    """The variant whose fixpoint ``expert`` answers by, and a dash if there is none."""
    _, name, _ = nearest_variant(match.rules)
    return name or "-"


def difference_rows(duels: Sequence[Duel], first: str) -> list[Row]:
    """Duels as the rows of a table."""
    rows: list[Row] = [[first, "players", "tuned to", "A - B, whists a deal", "base deals", "s"]]
    for duel in duels:
        match = duel.match
        rows.append(
            [
                match.variant.name,
                str(match.players),
                tuned_to(match),
                format_whists(duel.results.pairs[0].difference),
                f"{duel.results.n:,}",
                f"{duel.seconds:.1f}",
            ]
        )
    return rows


def part_rows(duel: Duel) -> list[Row]:
    """Where A parts from B, and what that is worth to him: B's regret, or his if it is negative."""
    tally = duel.results.pairs[0]
    head = f"{duel.match.variant.name}: {duel.a} parts from {duel.b} first in"
    rows: list[Row] = [[head, "share", "A - B, whists a deal", "a time"]]
    for k, name in enumerate(duel.match.parts):
        if tally.parted[k]:
            share, part = tally.share(tally.parted[k]), tally.part(k)
            each = "" if part.value is None else f"{part.value / share:.2f}"
            rows.append([name, f"{100 * share:.2f}%", format_whists(part), each])
    return [*rows, ["in all", "100.00%", format_whists(tally.difference), ""]]


def measure(deals: int, seconds: float) -> list[tuple[str, list[Duel]]]:
    """The duels of each table."""
    plain = [play_duel(name, "expert", "cautious", deals) for name in variant_names()]
    sampled = [play_for(name, "sampling", "expert", seconds) for name in SAMPLED]
    elsewhere = [
        play_duel(name, f"expert@tuned={other}", "expert", deals) for name, other in ELSEWHERE
    ]
    return [
        ("A expert, B cautious", plain),
        ("A sampling, alone among B expert", sampled),
        ("A expert tuned to another variant, B expert", elsewhere),
    ]


def format_tables(tables: Sequence[tuple[str, Sequence[Duel]]], parts: bool) -> str:
    """The report as text."""
    told = [f"{tell_machine(describe_machine())}\n95 % intervals by base deal, seed {SEED}"]
    told += [format_table(difference_rows(duels, head)) for head, duels in tables]
    if parts:
        told += [format_table(part_rows(duel)) for _, duels in tables[1:] for duel in duels]
    return "\n\n".join(told)


@click.command()
@click.option("--deals", default=20_000, show_default=True, help="Base deals of a quick duel.")
@click.option("--seconds", default=30.0, show_default=True, help="About so long a slow one takes.")
@click.option("--parts", is_flag=True, help="Tell too in which decisions the bots part.")
def main(deals: int, seconds: float, parts: bool) -> None:
    """Play the duels and print the tables."""
    warnings.filterwarnings("ignore", "expert is not tuned")
    click.echo(format_tables(measure(deals, seconds), parts))


if __name__ == "__main__":
    main()
