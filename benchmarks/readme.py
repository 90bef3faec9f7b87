"""Write the generated parts of README.md: ``python -m benchmarks.readme [PART ...]``."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import click

README = Path(__file__).parent.parent / "README.md"
MAIN_JOB = ["compare", "rostov", "sochi", "leningrad", "--pulkas", "20000"]


def _run(arguments: list[str]) -> str:
    result = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=README.parent
    )
    return result.stdout.rstrip()


def compare_part() -> str:
    """The main job's table, with how long it took with a warm cache."""
    command = ["-c", "from sim.cli import main; main()", *MAIN_JOB]
    _run([*command[:-1], "10"])
    start = time.monotonic()
    table = _run(command)
    seconds = time.monotonic() - start
    return f"```\n{table}\n```\n\n({seconds:.0f} seconds on this machine of two cores.)"


def speed_part() -> str:
    """The speed table of ``benchmarks.speed``."""
    return f"```\n{_run(['-m', 'benchmarks.speed'])}\n```"


def scoring_part() -> str:
    """The table of ``benchmarks.scoring``."""
    return f"```\n{_run(['-m', 'benchmarks.scoring'])}\n```"


def replace_part(text: str, name: str, part: str) -> str:
    """The text with the part between its markers replaced."""
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    head, rest = text.split(begin)
    return head + begin + part + "\n" + end + rest.split(end)[1]


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(["compare", "scoring", "speed"]))
def main(parts: tuple[str, ...]) -> None:
    """Run the commands and write their output into README.md."""
    makers = {"compare": compare_part, "scoring": scoring_part, "speed": speed_part}
    text = README.read_text(encoding="utf-8")
    for name in parts or tuple(makers):
        text = replace_part(text, name, makers[name]())
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
