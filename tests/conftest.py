"""What several tests share: bots by name, and datasets."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_bridge import simulate
from shipped_bots import seated
from store_bridge import small_run

from benchmarks.reference.bots import wild
from sim.botcall import Bot
from sim.run import study


def pytest_configure(config: pytest.Config) -> None:
    """Before several workers start, compile side by side what all of them need."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        tests = Path(__file__).resolve().parent
        path = os.pathsep.join(map(str, (tests.parent, tests)))
        command = [sys.executable, str(tests / "warm.py")]
        running = [
            subprocess.Popen([*command, part], env={**os.environ, "PYTHONPATH": path})
            for part in ("engine", "tables")
        ]
        assert [one.wait() for one in running] == [0, 0]


@pytest.fixture(scope="session")
def seat() -> Callable[[str], Bot]:
    """Finds a bot: the shipped ones by their names (``shipped_bots``), and ``wild``."""

    def find(name: str) -> Bot:
        return Bot("wild", wild) if name == "wild" else seated(name)

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


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small run, played by one worker without a break."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    study([small_run()], [folder], workers=1)
    return folder
