"""Write the generated parts of README.md: ``python -m benchmarks.readme [PART ...]``."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

import click

from scoring.tables import format_table

README = Path(__file__).parent.parent / "README.md"
MAIN_JOB = ["compare", "rostov", "sochi", "leningrad", "--pulkas", "20000"]
BOLDER = (-3, -1, 0, 1, 3)
"""Whists by which all players value bidding higher, for the band of the rates of raspas."""
HANDS = "K.JT9.T87.KT8 | AQJT98.8.K9.A | .AKQ7.AQJ.QJ9"
OPEN_CARDS = (
    ["solve", HANDS, "--strain", "S", "--declarer", "1"],
    ["solve", HANDS, "--table", "--leader", "0"],
    ["analyze", "tests/data/records/contracts_3.deal", "--deal", "5"],
)
SOLVER_TABLES = ("one position", "deals a second, one thread")
"""Tables of ``benchmarks.solver`` that are shown, by how they begin."""


def _preferans(arguments: list[str]) -> str:
    return _run(["-c", "from sim.cli import main; main()", *arguments])


def _run(arguments: list[str]) -> str:
    result = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=README.parent
    )
    return result.stdout.rstrip()


def compare_part() -> str:
    """The main job's table, with how long it took with a warm cache."""
    _preferans([*MAIN_JOB[:-1], "10"])
    start = time.monotonic()
    table = _preferans(MAIN_JOB)
    seconds = time.monotonic() - start
    return f"```\n{table}\n```\n\n({seconds:.0f} seconds on this machine of two cores.)"


def band_part() -> str:
    """Rates of raspas of the main job by boldness."""
    job = [*MAIN_JOB, "--json"]
    rows: list[list[str]] = []
    for bias in BOLDER:
        told = json.loads(_preferans([*job, "--bots", f"expert@bias={bias}"]))["variants"]
        if not rows:
            rows.append(["raspas, share of deals", *told])
        rates = [f"{100 * one['raspas_rate']['value']:.1f}%" for one in told.values()]
        rows.append([f"expert@bias={bias}", *rates])
    return f"```\n{format_table(rows)}\n```"


def speed_part() -> str:
    """The speed table of ``benchmarks.speed``."""
    return f"```\n{_run(['-m', 'benchmarks.speed'])}\n```"


def open_cards_part() -> str:
    """What the commands about open cards say."""
    told = [f"$ {shlex.join(['preferans', *x])}\n{_preferans(x)}" for x in OPEN_CARDS]
    return "```\n" + "\n\n".join(told) + "\n```"


def solver_part() -> str:
    """Tables of ``benchmarks.solver``."""
    tables = _run(["-m", "benchmarks.solver", "--no-starts"]).split("\n\n")
    shown = [tables[0], *(table for table in tables if table.startswith(SOLVER_TABLES))]
    return "```\n" + "\n\n".join(shown) + "\n```"


def scoring_part() -> str:
    """The table of ``benchmarks.scoring``."""
    return f"```\n{_run(['-m', 'benchmarks.scoring'])}\n```"


def strength_part() -> str:
    """The tables of ``benchmarks.strength``."""
    return f"```\n{_run(['-m', 'benchmarks.strength'])}\n```"


def replace_part(text: str, name: str, part: str) -> str:
    """The text with the part between its markers replaced."""
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    head, rest = text.split(begin)
    return head + begin + part + "\n" + end + rest.split(end)[1]


MAKERS = {
    "compare": compare_part,
    "band": band_part,
    "open cards": open_cards_part,
    "speed": speed_part,
    "solver": solver_part,
    "scoring": scoring_part,
    "strength": strength_part,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(MAKERS)))
def main(parts: tuple[str, ...]) -> None:
    """Run the commands and write their output into README.md."""
    text = README.read_text(encoding="utf-8")
    for name in parts or tuple(MAKERS):
        text = replace_part(text, name, MAKERS[name]())
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
