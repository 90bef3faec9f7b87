"""A person for tests: he reads what the terminal shows and answers by seeded choice."""

from __future__ import annotations

import io
import random
import re
import sys

from click.testing import CliRunner, Result

from sim.cli import cli

_ENTRY = re.compile(r" {2}(?:(\d+) )?(\S+(?: \S+)*)")


class Script(io.BufferedIOBase):
    """Standard input: each line is an answer to the list of choices that was shown last.

    ``asked`` counts the answers, ``questions`` are those he was asked; with ``hints`` he often asks
    for one first; after ``most`` answers the input ends.
    """

    def __init__(self, seed: int, most: int = 100_000, hints: bool = False) -> None:
        self._random = random.Random(seed)
        self._most = most
        self._hints = hints
        self.asked = 0
        self.questions: set[str] = set()

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        return b"" if size == 0 else self.read1()

    def read1(self, size: int = -1) -> bytes:
        if self.asked >= self._most:
            return b""
        self.asked += 1
        if self._hints and self.asked % 3 == 1:
            return b"?\n"
        return f"{self._answer()}\n".encode()

    def _shown(self) -> list[str]:
        sys.stdout.flush()
        text = sys.stdout.buffer.getvalue().decode()  # type: ignore[attr-defined]
        return text.splitlines()

    def _answer(self) -> str:
        """A choice from the last list: by number, or by word."""
        lines = self._shown()
        at = max(k for k, line in enumerate(lines) if line.endswith("?") and line[0] != ">")
        self.questions.add(lines[at])
        rows = []
        for line in lines[at + 1 :]:
            if not line.startswith("  "):
                break
            rows.append(line)
        entries = [_ENTRY.fullmatch(f"  {part}") for row in rows for part in row[2:].split("  ")]
        words = [entry[2] for entry in entries if entry is not None]
        numbers = [entry[1] for entry in entries if entry is not None]
        assert words, lines[at:]
        if "which two cards" in lines[at]:
            a, b = self._random.sample(range(len(words)), 2)
            return f"{numbers[a]} {words[b]}" if numbers[a] else f"{words[a]} {words[b]}"
        k = self._random.randrange(len(words))
        if "your call" in lines[at]:
            k = min(k, *(self._random.randrange(len(words)) for _ in range(5)))
        by_number = numbers[k] and self._random.random() < 0.5
        return numbers[k] if by_number else words[k]


def play(script: Script, *arguments: object) -> Result:
    """`preferans play` with a scripted person."""
    words = ["play", *map(str, arguments)]
    return CliRunner().invoke(cli, words, input=script)  # type: ignore[arg-type]
