"""Compile what most tests need: ``python tests/warm.py PART``.

Two workers that begin with nothing compiled would both compile the same; the parts are compiled
side by side before (``conftest``).
"""

from __future__ import annotations

import sys

from thinking import TINY, Walk

from benchmarks.reference.bots import wild
from bots import find_bot
from bots.study.environment import learned
from bots.study.student import parts
from scoring.variant import find_variant
from sim.advice.ask import Mind
from sim.botcall import Bot
from sim.engine import Shard
from sim.training.environment import explore_round
from sim.training.student import Student

RULES = find_variant("sochi").rules(3)


def engine() -> None:
    """Whole runs, and decisions explored."""
    for one in (Bot("wild", wild), find_bot("random"), find_bot("expert")):
        Shard(RULES, [one] * 3, 0, 0, 1, max_deals=1).run()
    explore_round(Student(**parts()), RULES, learned(RULES), 0, 2)


def tables() -> None:
    """Single tables, and a bot that thinks ahead."""
    mind = Mind(find_bot(TINY), RULES)
    for table in Walk(RULES, 0).deals(1):
        mind.ask(table)


PARTS = {"engine": engine, "tables": tables}

if __name__ == "__main__":
    PARTS[sys.argv[1]]()
