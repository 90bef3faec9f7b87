"""Speed of the bots that study and imagine: ``python -m pytest benchmarks --benchmark-only``.

Nothing asserts a time. Without timing each entry checks that what is timed was played.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
import pytest

from benchmarks import measure
from benchmarks.measure import Sample
from bots import find_bot
from bots.api import CARD, bot, ctz
from bots.expert import expert
from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.kernel import i64, u64
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.engine import Shard
from sim.rng import splitmix
from sim.rollout import TABLE, ask_here, play_action
from sim.worlds import N_PLACES, draw_world

ROUNDS = 7
PULKAS = 300
DEALS = 120
"""Deals of a bot that thinks for long, each timed by itself."""
KINDS = {"raspas": RASPAS, "games": TRICKS, "misere": MISERE_GAME}
CARDS = 30
PLAYOUTS = 2000

pytestmark = pytest.mark.benchmark(timer=time.process_time)


class Thought(NamedTuple):
    """Deals that were timed one by one: their kinds, and CPU seconds."""

    kinds: Any
    seconds: Any

    def ms(self, kind: int) -> float | None:
        """Milliseconds a deal of a kind and bot, of three bots; None where there was none."""
        mine = self.seconds[self.kinds == kind]
        return round(1000 * float(mine.mean()) / 3, 2) if len(mine) else None


def think(one: Bot, name: str, deals: int) -> Thought:
    """Deals of three of a bot from an empty sheet, timed one by one."""
    rules = find_variant(name).rules(3)
    weights = [one.weights(rules)] * 3
    kinds, seconds = [], []
    for k in range(-1, deals):  # the first to compile
        shard = Shard(rules, [one] * 3, measure.SEED, max(k, 0), max(k, 0) + 1, 1, weights=weights)
        start = time.process_time()
        batch = shard.run()
        if k >= 0:
            seconds.append(time.process_time() - start)
            kinds.append(int(batch.deals["kind"][0]))
    return Thought(np.array(kinds), np.array(seconds))


@pytest.mark.parametrize("variant", ["sochi", "rostov", "classic_two", "razboinik", "refet"])
def test_expert(variant: str, benchmark: Any) -> None:
    """Time a decision of ``expert`` by that of ``cautious``, in turns."""
    ours: list[Sample] = []
    theirs: list[Sample] = []
    for name in ("expert", "cautious"):
        measure.play(measure.make_shard(variant, name, 2))

    def prepare() -> tuple[tuple[Shard], dict[str, Any]]:
        theirs.append(measure.play_new(variant, "cautious", PULKAS))
        return (measure.make_shard(variant, "expert", PULKAS),), {}

    cores = measure.pin()
    try:
        benchmark.pedantic(lambda x: ours.append(measure.play(x)), setup=prepare, rounds=ROUNDS)
    finally:
        measure.unpin(cores)
    assert ours[0].deals > PULKAS
    us = 1e6 * measure.median_cpu(ours) / ours[0].decisions
    benchmark.extra_info["us_per_decision"] = round(us, 4)
    benchmark.extra_info["time_by_cautious"] = round(measure.pace_ratio(ours, theirs), 3)


@pytest.mark.parametrize("variant", ["sochi", "rostov"])
@pytest.mark.parametrize("worlds", [20, 30])
def test_sampling(variant: str, worlds: int, benchmark: Any) -> None:
    """Milliseconds a deal and bot of ``sampling`` by kind of deal, and deals a second of three."""
    one = find_bot(f"sampling@worlds={worlds}")
    cores = measure.pin()
    try:
        found = benchmark.pedantic(think, (one, variant, DEALS), rounds=1)
    finally:
        measure.unpin(cores)
    assert len(found.kinds) == DEALS and (found.kinds == TRICKS).any()
    benchmark.extra_info["deals_per_second"] = round(DEALS / float(found.seconds.sum()), 1)
    for name, kind in KINDS.items():
        benchmark.extra_info[f"ms_{name}"] = found.ms(kind)


@bot(
    workspace=N_PLACES + TABLE,
    options={"playouts": 0.0},
    weights=lambda rules, options: np.array([options["playouts"]]),
    policy=expert,
)
def plays_out(view: Any, own: Any) -> int:
    """``expert`` who first imagines worlds and plays them out, at his first card of raspas."""
    if view.phase == CARD and view.kind == RASPAS and view.n_plays == 0:
        world = own.workspace[0:N_PLACES]
        for k in range(int(own.weights[0])):
            key = i64(splitmix(view.random, k) >> u64(1))
            if draw_world(view, key, 0, world) >= 0:
                card = ctz(view.legal)
                play_action(own.workspace, N_PLACES, view, world, key, own, card, -1)
    return ask_here(view, own)


def test_raspas_playouts(benchmark: Any) -> None:
    """Nanoseconds a card of raspas played out from its beginning, its world drawn and scored."""
    bots = [Bot("plays_out", plays_out, {"playouts": float(n)}) for n in (0, PLAYOUTS)]
    cores = measure.pin()
    try:
        idle = think(bots[0], "rostov", DEALS)
        busy = benchmark.pedantic(think, (bots[1], "rostov", DEALS), rounds=1)
    finally:
        measure.unpin(cores)
    assert np.array_equal(idle.kinds, busy.kinds)
    raspas = idle.kinds == RASPAS
    assert raspas.any()
    spent = float((busy.seconds - idle.seconds)[raspas].mean())
    benchmark.extra_info["ns_per_card"] = round(1e9 * spent / (PLAYOUTS * CARDS), 1)
