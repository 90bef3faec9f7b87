"""The command ``preferans`` for tests: in this process, in its own, and bots of a user."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from scoring.conventions import FAMILIES, RAZBOINIK, REFET
from sim.cli import cli
from sim.game import Game
from sim.metrics import Metric, metrics_of

ROOT = Path(__file__).resolve().parent.parent
TINY = ("--pulkas", "8", "--pool", "4", "--seed", "1", "--workers", "1")
METRICS: dict[int, tuple[Metric, ...]] = {n: metrics_of(Game(players=n)) for n in (2, 3, 4)}
"""By number of players, in the pool family, what seldom can happen left out."""
OF_RAZBOINIK = metrics_of(Game(FAMILIES[RAZBOINIK], 2))
OF_REFET: dict[int, tuple[Metric, ...]] = {
    n: metrics_of(Game(FAMILIES[REFET], n, invite=True, contras=4)) for n in (3, 4)
}
"""By number of players, without preferans."""
METRIC_NAMES = [metric.name for metric in METRICS[3]]
RUNNER = CliRunner()

FAILED, USAGE = 1, 2
"""Exit codes: something failed, and the arguments do not fit."""


@dataclass
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """The one line of an error."""
        return self.err.strip().splitlines()[-1].removeprefix("Error: ")


def run(*arguments: object, code: int = 0) -> Done:
    """The command in this process: the exit code as expected, and no traceback."""
    result = RUNNER.invoke(cli, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(f"a traceback instead of a message: {result.exception!r}") from None
    done = Done(result.exit_code, result.stdout, result.stderr)
    assert "Traceback" not in done.out + done.err
    assert done.code == code, done.err or done.out
    return done


def outside(*arguments: object, **options: Any) -> Done:
    """The command in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from sim.cli import main; main()", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        **options,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


def refused(*arguments: object, code: int = USAGE) -> str:
    """The one sentence with which arguments are refused: on stderr, under the usage or alone."""
    done = run(*arguments, code=code)
    assert done.out == ""
    lines = done.err.rstrip("\n").splitlines()
    lines = [line for line in lines if not line.startswith("compiling the engine")]
    if code == USAGE:
        assert lines[0].startswith("Usage: ") and lines[1].startswith("Try ") and not lines[2]
        lines = lines[3:]
    assert len(lines) == 1 and lines[0].startswith("Error: "), done.err
    return done.message


def simulate(folder: Path, *arguments: object) -> Done:
    """A tiny run of rostov into a folder."""
    return run("simulate", "--variant", "rostov", "--out", folder, *TINY, *arguments)


def everything_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its contents."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def cards_in(text: str) -> list[str]:
    """The cards of a hand as it is shown, suit and rank."""
    cards, suit = [], ""
    for sign in text:
        if sign in "♠♣♦♥":
            suit = sign
        elif sign in "789TJQKA":
            cards.append(suit + sign)
    return cards


SOURCE = '''"""Bots of a user, good and bad."""
import numpy as np
from bots.api import CARD, bot, ctz


@bot()
def lowest(view, own):
    return ctz(view.legal)


@bot()
def illegal(view, own):
    if view.phase == CARD:
        return 61
    return ctz(view.legal)


@bot()
def failing(view, own):
    if view.phase == CARD:
        raise ValueError("no idea")
    return ctz(view.legal)


@bot()
def speechless(view, own):
    return "pass"


@bot()
def fractional(view, own):
    return 0.5 + ctz(view.legal)


@bot()
def one_argument(view):
    return ctz(view.legal)


@bot()
def curious(view, own):
    return view.hands_of_all


@bot()
def thief(view, own):
    view.tricks[0] = 10
    return ctz(view.legal)


def undecorated(view, own):
    return 0


NUMBER = 3


class NoAct:
    def __init__(self, rules, seed):
        pass


class Lowest:
    def __init__(self, rules, seed, shift=0.0):
        self.asked = 0

    def answers(self, seen):
        return [(int(x) & -int(x)).bit_length() - 1 for x in seen["legal"]]

    def act(self, seen):
        return self.answers(seen)


class Illegal(Lowest):
    def act(self, seen):
        return [61 if row["phase"] == CARD else a for row, a in zip(seen, self.answers(seen))]


class Negative(Lowest):
    def act(self, seen):
        return [-1] * len(seen)


class Failing(Lowest):
    def act(self, seen):
        if (seen["phase"] == CARD).any():
            raise ValueError("no idea")
        return self.answers(seen)


class FailingAtLength(Lowest):
    def act(self, seen):
        raise ValueError("no idea:\\nfirst,\\nsecond")


class Speechless(Lowest):
    def act(self, seen):
        return None


class Wordy(Lowest):
    def act(self, seen):
        return ["pass"] * len(seen)


class Fractional(Lowest):
    def act(self, seen):
        return np.array(self.answers(seen)) + 0.5


class Short(Lowest):
    def act(self, seen):
        return self.answers(seen)[1:]


class Ragged(Lowest):
    def act(self, seen):
        return [[0], [1, 2]] * len(seen)


class Unmade(Lowest):
    def __init__(self, rules, seed):
        raise RuntimeError("no room")


class Bare:
    def act(self, seen):
        return [0] * len(seen)
'''
