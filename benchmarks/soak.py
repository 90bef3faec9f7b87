"""A long run under all rules at once: ``python -m benchmarks.soak`` plays a million deals.

Every variant, as it is and as house rules drawn at random, is played by all the numbers of players
that can play it, with line-ups of ``random``, ``wild`` and ``cautious``. All rows are held against
the invariants; the first that breaks one ends the run.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import click
import numpy as np

from benchmarks.invariants import find_violation
from benchmarks.measure import seat
from benchmarks.played import Played
from scoring.contract import KINDS
from scoring.convention import (
    BOOLEAN,
    BY_LEVEL,
    CHOICE,
    LEVEL_SET,
    LEVELS,
    ORDER,
    WORD_SET,
    Convention,
)
from scoring.variant import Variant, find_variant, variant_names
from sim.botcall import BotError
from sim.engine import Batch, Shard

DEALS = 1_000_000
BOTS = ("random", "wild", "cautious")
CHANGED = 0.4
"""The part of the conventions that house rules draw anew."""
NUMBERS = {
    "values.off_mountain_instead": (0, 1, 2),
    "misere.whists": (0, 5),
    "contract.concession": (0, 2, 3),
    "raspas.progression": ((1,), (1, 2, 3), (1, 2, 4, 8)),
    "raspas.exit_levels": ((6,), (6, 7), (6, 7, 8), (7, 8, 9), (9, 10)),
    "raspas.dealer_pool": (0, 1),
    "raspas.dark_factor": (1, 2, 3),
    "dummy.blind_duty": ((4, 2, 1, 1, 1), (2, 1, 1, 0, 0), (5, 3, 2, 1, 1)),
    "deal.stays_most": (1, 2, 3),
    "start.mountain": (0, 5, 20),
    "prize.misere_made": (0, 50),
    "prize.raspas_zero": (0, 25),
    "prize.first_pool": (0, 50),
    "prize.min_mountain": (0, 50),
    "end.minutes": (1, 8, 20),
    "razboinik.misere": (1, 10, 25),
    "contra.levels": (0, 1, 2, 4),
    "tricks.soup_most": (3, 5, 10),
    "refets.few": (0, 1, 2),
    "refets.many": (0, 3),
    "refets.many_from": (1, 5, 50),
}
"""Numbers that house rules may draw; other numbers stay those of the variant."""
PULKAS = 48
"""The most pulkas of one chunk."""
POOLS = (2, 6, 12)
MOST = (1, 25, 60)
"""Targets of the pulkas, and the most deals of one."""


def _other_order(chance: random.Random, convention: Convention) -> list[str]:
    """The words of an order shuffled, each as soon as what must stand before it is there."""
    left, order = list(convention.values), []
    while left:
        free = [x for x in left if not any(a in left for a, b in convention.before if b == x)]
        order.append(chance.choice(free))
        left.remove(order[-1])
    return order


def _draw(chance: random.Random, convention: Convention) -> Any:
    """A value of a convention that is a choice of some kind."""
    if convention.kind == BOOLEAN:
        return chance.random() < 0.5
    if convention.kind == CHOICE:
        return chance.choice(convention.values)
    if convention.kind == ORDER:
        return _other_order(chance, convention)
    members: tuple[Any, ...] = LEVELS if convention.kind == LEVEL_SET else convention.values
    chosen = {member for member in members if chance.random() < 0.5}
    if convention.needs and not chosen & set(convention.needs):
        chosen.add(chance.choice(convention.needs))
    return [member for member in members if member in chosen]


def house_rules(chance: random.Random, variant: Variant) -> Variant:
    """The variant with conventions drawn at random: choices, switches, lists, some numbers."""
    settings: dict[str, Any] = {}
    for convention in variant.own_conventions():
        if chance.random() > CHANGED:
            continue
        if convention.key in NUMBERS:
            settings[convention.key] = chance.choice(NUMBERS[convention.key])
        elif convention.kind in (BOOLEAN, CHOICE, LEVEL_SET, WORD_SET, ORDER):
            settings[convention.key] = _draw(chance, convention)
        elif convention.kind == BY_LEVEL and convention.key != "values.duty":
            settings[convention.key] = [chance.randrange(0, 21, 2) for _ in LEVELS]
    return variant.with_settings(settings)


@dataclass
class Tally:
    """What was played of one variant, or in all."""

    deals: int = 0
    pulkas: int = 0
    decisions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, batch: Batch) -> None:
        """Count the rows of a chunk."""
        self.deals += len(batch.deals)
        self.pulkas += len(batch.pulkas)
        self.decisions += int(batch.deals["n_decisions"].sum())
        numbers = np.bincount(batch.deals["kind"], minlength=len(KINDS))
        self.kinds.update(dict(zip(KINDS, numbers.tolist(), strict=True)))

    def __str__(self) -> str:
        kinds = ", ".join(f"{self.kinds[kind]} {kind}" for kind in KINDS)
        return f"{self.deals} deals in {self.pulkas} pulkas ({kinds}), {self.decisions} decisions"


class Soak:
    """The chunks of one variant: players, rules, line-up and options drawn from the seed."""

    def __init__(self, name: str, seed: int) -> None:
        self.variant = find_variant(name)
        self.chance = random.Random(f"{seed} {name}")
        self.seed = seed
        self.size = PULKAS
        self.n_pulkas = 0

    def chunks(self, n_deals: int) -> Iterator[tuple[Batch, str | None]]:
        """Chunks until that many deals are played; each with what is wrong with it, if any."""
        played = chunk = 0
        self.size = max(2, min(PULKAS, n_deals // 60))
        sizes = self.variant.players
        while played < n_deals:
            usual = chunk // len(sizes) % 2 == 0
            batch, wrong = self._chunk(sizes[chunk % len(sizes)], usual)
            played += len(batch.deals)
            chunk += 1
            yield batch, wrong

    def _chunk(self, n_players: int, as_it_is: bool) -> tuple[Batch, str | None]:
        chance = self.chance
        variant = self.variant if as_it_is else house_rules(chance, self.variant)
        pool = chance.choice(POOLS) if variant.has_target else 0
        most = chance.choice(MOST)
        first = self.n_pulkas
        self.n_pulkas += self.size
        line_up = [seat(chance.choice(BOTS)) for _ in range(n_players)]
        shard = Shard(
            variant.rules(n_players, pool),
            line_up,
            self.seed,
            first,
            self.n_pulkas,
            max_deals=most,
            claims=chance.random() < 0.5,
            row_limit=self.size * most,
        )
        batch = shard.run()
        run = Played(variant, n_players, pool, self.seed, most, batch.deals, batch.pulkas)
        wrong = find_violation(run)
        if wrong is not None:
            names = ", ".join(one.name for one in line_up)
            wrong += f" (bots {names}; {_changes(self.variant, variant)})"
        return batch, wrong


def _changes(usual: Variant, variant: Variant) -> str:
    """What house rules changed in a variant, as settings."""
    before = usual.conventions
    changed = [f"{k}={v}" for k, v in variant.conventions.items() if v != before[k]]
    return "with " + ", ".join(changed) if changed else "its own rules"


def soak(n_deals: int, seed: int) -> Iterator[str]:
    """Play; yields a line for each variant and one in all. AssertionError at a violation."""
    total = Tally()
    start = time.perf_counter()
    names = variant_names()
    for name in names:
        tally = Tally()
        for batch, wrong in Soak(name, seed).chunks(-(-n_deals // len(names))):
            assert wrong is None, wrong
            tally.add(batch)
            total.add(batch)
        yield f"{name}: {tally}"
    yield f"in all: {total}, no rule broken, {time.perf_counter() - start:.0f} s"


@click.command()
@click.option("--deals", default=DEALS, show_default=True, help="Deals to play at least.")
@click.option("--seed", default=1, show_default=True, help="Seed of cards, bots and rules.")
def main(deals: int, seed: int) -> None:
    """Play many deals under all variants and random house rules; exit code 1 at a violation."""
    try:
        for line in soak(deals, seed):
            click.echo(line)
    except (AssertionError, BotError) as error:
        click.echo(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
