"""Runs of bots that their tests share: whole pulkas, their steps, and duels over all seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.variant import find_variant
from sim.botcall import Bot
from sim.engine import Batch, Shard
from sim.show import replay_deal
from sim.table import Table

SINGLE = {
    "end.when": "sum",
    "help.pool": False,
    "raspas.progression": [1],
    "raspas.zero_prices": 0,
    "raspas.zero_points": 1,
}
"""Sochi with Leningrad's end and raspas, so that doubling leaves the pool as it is."""
DOUBLE = {
    **SINGLE,
    "values.undertrick": [4, 8, 12, 16, 20],
    "values.whist": [4, 8, 12, 16, 20],
    "values.remise": [4, 8, 12, 16, 20],
    "values.consolation": [4, 8, 12, 16, 20],
    "misere.undertrick": 20,
    "raspas.price": 2,
    "end.pool_weight": 2,
}


def rules_of(name: str, settings: Mapping[str, Any] | None, n: int, pool: int) -> Any:
    """The rules of a variant with some settings; razboinik has no target."""
    variant = find_variant(name, settings)
    return variant.rules(n, pool if variant.has_target else None)


def play(
    name: str,
    bots: list[Bot],
    pulkas: int,
    pool: int = 4,
    seed: int = 3,
    max_deals: int = 500,
    settings: Mapping[str, Any] | None = None,
) -> Batch:
    """Pulkas of a variant, for as many players as bots, with all decisions."""
    rules = rules_of(name, settings, len(bots), pool)
    return Shard(rules, bots, seed, 0, pulkas, max_deals, record_plays=True).run()


def same(one: Batch, other: Batch) -> bool:
    """Equal rows and decisions."""
    assert one.plays is not None and other.plays is not None
    return (
        one.deals.tobytes() == other.deals.tobytes()
        and one.pulkas.tobytes() == other.pulkas.tobytes()
        and one.plays.tobytes() == other.plays.tobytes()
    )


def fresh(table: Table, row: Any) -> Table:
    """The table before this deal: the next to deal is its dealer, so many raspas lie behind."""
    table.view["deal"] = int(row["deal"]) - 1
    table.view["dealer"] = (int(row["dealer"]) - 1) % int(table.view["n_players"])
    table.view["raspas_index"] = int(row["raspas_index"])
    table.view["stays"] = 0
    return table


def steps_of(
    batch: Batch, name: str, pool: int, settings: Mapping[str, Any], n: int = 3, count: int = 300
) -> list[Any]:
    """The steps of the first deals of a run."""
    assert batch.plays is not None
    rules = rules_of(name, settings, n, pool)
    found: list[Any] = []
    for row, plays in list(zip(batch.deals, batch.plays, strict=True))[:count]:
        table = fresh(Table(rules), row)
        decisions = plays[: row["n_decisions"]].tolist()
        found += replay_deal(table, int(row["number"]), decisions).steps
    return found


def per_deal(
    values: list[np.ndarray[Any, Any]], deals: np.ndarray[Any, Any]
) -> tuple[float, float]:
    """Whists a deal of results rotated over the seats, and the half width of a 95 % interval."""
    total = np.sum(values, axis=0)
    mean = total.sum() / deals.sum()
    errors = total - mean * deals
    return float(mean), float(1.96 * np.sqrt((errors**2).sum()) / deals.sum())


def rotated(
    name: str,
    one: Bot,
    others: Bot,
    pulkas: int,
    n: int = 3,
    max_deals: int = 500,
    settings: Mapping[str, Any] | None = None,
) -> tuple[float, float]:
    """Whists a deal that a bot wins from the others, over all seats with the same deals."""
    rules = rules_of(name, settings, n, 10)
    values, deals = [], np.zeros(pulkas)
    for player in range(n):
        bots = [others] * n
        bots[player] = one
        rows = Shard(rules, bots, 21, 0, pulkas, max_deals).run().pulkas
        values.append(rows["result"][:, player] / 12)
        deals += rows["n_deals"]
    return per_deal(values, deals)
