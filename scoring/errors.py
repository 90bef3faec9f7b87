"""The project's errors: each message is one sentence for a person."""

from __future__ import annotations


class PreferansError(Exception):
    """Something failed; the command ends with exit code 1."""


def one_line(error: object) -> str:
    """The text of an error on one line."""
    return " ".join(str(error).split())


class WrongUse(PreferansError, ValueError):
    """Arguments or files that do not fit; the command ends with exit code 2."""
