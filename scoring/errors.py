"""The project's errors: each message is one sentence for a person."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PreferansError(Exception):
    """Something failed; the command ends with exit code 1."""


def one_line(error: object) -> str:
    """The text of an error on one line."""
    return " ".join(str(error).split())


MOST_QUOTED = 80


def quoted(value: object) -> str:
    """A value as it was given, shortened, for a message."""
    try:
        text = repr(value)
    except ValueError:  # a number of thousands of digits
        return "a huge number"
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def shown(text: str) -> str:
    """A name for a message: as it is if it is short and printable, else quoted."""
    return text if text.isprintable() and len(text) <= MOST_QUOTED else quoted(text)


def nearest(word: str, words: Iterable[str], most: int = 1, cutoff: float = 0.6) -> str:
    """``; did you mean X or Y?`` where a word is close to some of others, else nothing."""
    close = difflib.get_close_matches(word, list(words), most, cutoff)
    return f"; did you mean {' or '.join(close)}?" if close else ""


class WrongUse(PreferansError, ValueError):
    """Arguments or files that do not fit; the command ends with exit code 2."""
