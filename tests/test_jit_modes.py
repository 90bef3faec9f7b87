"""The same sources give the same rows compiled and as plain Python, whatever Python's hash seed."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from scoring.variant import Variant
    from sim.botcall import Bot

TESTS = Path(__file__).resolve().parent
SCRIPT = "import json, test_jit_modes; print(json.dumps(test_jit_modes.digests({})))"
MODES = {
    "jit": {"NUMBA_DISABLE_JIT": "0", "PYTHONHASHSEED": "1"},
    "jit, other hash seed": {"NUMBA_DISABLE_JIT": "0", "PYTHONHASHSEED": "4242"},
    "plain Python": {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "99"},
}


RARE = {
    "auction.dark_pass": True,
    "auction.without_talon": ["misere", "nine", "ten"],
    "contract.concession": 3,
    "deal.after_raspas": "stays",
    "misere.defence": "catch_or_trust",
    "dummy.blind": "lowest",
    "dummy.opened": "before_whist",
    "raspas.agreed": "any_deal",
    "raspas.fir_trees": "each",
    "raspas.talon": "pass_along",
    "raspas.talon_four": "pass_along",
    "raspas.talon_two": "may_win",
    "values.off_mountain_instead": 2,
    "whist.dealer_may": True,
    "whist.first_card_dark": True,
}
"""Conventions that few variants have."""
LOWEST = {"dummy.raspas": "lowest", "dummy.seat": "first", "raspas.talon_two": "suit_only"}
"""Two players: conventions of raspas with the dummy."""
RARE_OF_REFET = {
    "betl.lost_contra": "each_five",
    "betl.open": True,
    "bidding.hold": "next",
    "bidding.jumps": True,
    "bidding.talon_shown": False,
    "contra.levels": 4,
    "contra.soup": "each_own",
    "refets.frozen": True,
    "spades.needs_contra": False,
    "tricks.must_head": True,
    "tricks.must_overtrump": True,
    "tricks.through": False,
}
"""Conventions of the refet game that few variants have."""
TALONS = ("row_before", "row_after", "none")
"""Ways of razboinik to take the talon besides that of the variant."""
SLOW_TABLES = ("sochi", "rostov", "refet", "classic_two", "razboinik")
"""Where each bot plays alone, a slow one a deal or two: he solves open cards, which takes seconds
in Python."""


def digest_of(variant: Variant, bots: list[Bot], pulkas: int = 4, most: int = 8) -> str:
    """Digest of pulkas to six of a variant: all rows and all recorded decisions."""
    from sim.engine import Shard

    rules = variant.rules(len(bots), 6 if variant.has_target else None)
    shard = Shard(rules, bots, 2024, 0, pulkas, max_deals=most, record_plays=True, row_limit=64)
    batch = shard.run()
    assert batch.plays is not None
    digest = hashlib.sha256(batch.deals.tobytes() + batch.pulkas.tobytes())
    for row, n in zip(batch.plays, batch.deals["n_decisions"], strict=True):
        digest.update(row[:n].tobytes())
    return digest.hexdigest()


def digests(every: bool) -> dict[str, str]:
    """Digests of mixed tables of two, three and four players under some variants or every one, and
    with rare conventions, and of each bot in all seats under some."""
    from shipped_bots import SHARES, seated

    from benchmarks.reference.bots import wild
    from bots import bot_descriptions
    from scoring.kernel import JIT
    from scoring.variant import find_variant, variant_names
    from sim.botcall import Bot

    quick = [name for name in bot_descriptions() if name not in SHARES]
    bots = [Bot("wild", wild), *map(seated, quick)]
    variants = [find_variant(name) for name in (variant_names() if every else SLOW_TABLES)]
    runs = [(one, (2 * bots)[:n]) for one in variants for n in one.players if n > 2]
    runs += [(one, [bots[0], bots[-1]]) for one in variants if 2 in one.players]
    alone = [find_variant(name) for name in SLOW_TABLES]
    runs += [(one, [each] * one.table_size(None)) for one in alone for each in bots]
    rare = find_variant("finka", RARE)
    runs += [(replace(rare, name="rare"), (2 * bots)[:n]) for n in rare.players]
    rare = find_variant("prefko", RARE_OF_REFET)
    runs += [(replace(rare, name="rare refet"), (2 * bots)[:n]) for n in rare.players]
    runs.append((replace(find_variant("gusarik", LOWEST), name="lowest"), bots[:2]))
    for word in TALONS:
        settings = {"razboinik.talon": word, "razboinik.dummy": "dead"}
        runs.append((replace(find_variant("razboinik", settings), name=word), bots[:2]))
    found = {"jit": str(JIT)}
    for variant, table in runs:
        key = f"{variant.name}: {', '.join(one.name for one in table)}"
        found[key] = digest_of(variant, table)
    for name, bot in itertools.product(SLOW_TABLES, SHARES):
        variant = find_variant(name)
        table = [seated(bot)] * variant.table_size(None)
        found[f"{name}: {bot}"] = digest_of(variant, table, 2, 1)
    return found


def digests_by_mode(every: bool) -> dict[str, dict[str, str]]:
    """The digests of each mode, from a Python of its own."""
    path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    outputs = {}
    for mode, settings in MODES.items():
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(every)],
            env={**os.environ, **settings, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        outputs[mode] = json.loads(done.stdout.splitlines()[-1])
    return outputs


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_rows_do_not_depend_on_the_mode(every: bool) -> None:
    """Two runs are compiled, one is not, different tables give different rows; and every run of
    every bot and variant is equal to that of the compiled code."""
    found = digests_by_mode(every)
    assert [run["jit"] for run in found.values()] == ["True", "True", "False"]
    ours = found["jit"]
    assert len(set(ours.values())) > len(ours) // 2 > 10
    for theirs in found.values():
        assert [key for key in ours if ours[key] != theirs[key] and key != "jit"] == []
