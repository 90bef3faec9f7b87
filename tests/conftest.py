"""What several tests of the engine share: a bot that reaches every branch, and bots by name."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import simulate

from bots import find_bot
from bots.api import AUCTION, CONTRACT, FIRST_BID, MISERE, PASS, below, bot, ctz, nth_bit, popcount
from sim.botcall import Bot


@bot()
def wild(view: Any, own: Any) -> int:
    """Passes half of the time and bids low, so that raspas, misère and half-whists happen."""
    legal = view.legal
    dice = view.random & 63
    if view.phase == AUCTION:
        misere = FIRST_BID + MISERE
        if legal >> misere & 1 and dice < 4:
            return misere
        bids = legal & ~(1 << PASS)
        return PASS if dice < 36 or bids == 0 else ctz(bids)
    if view.phase == CONTRACT and dice < 48:
        return ctz(legal)
    return nth_bit(legal, below(view.random, popcount(legal)))


@pytest.fixture(scope="session")
def seat() -> Callable[[str], Bot]:
    """Finds a bot: the shipped ones by their names, and ``wild``."""

    def find(name: str) -> Bot:
        return Bot("wild", wild) if name == "wild" else find_bot(name)

    return find


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny dataset with its plays."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    simulate(folder, "--record", "plays")
    return folder


@pytest.fixture
def copy(recorded: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    shutil.copytree(recorded, tmp_path / "copy")
    return tmp_path / "copy"
