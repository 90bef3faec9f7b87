"""The project's errors: each message is one sentence for a person."""

from __future__ import annotations


class PreferansError(Exception):
    """Something failed; the command ends with exit code 1."""


class WrongUse(PreferansError, ValueError):
    """Arguments or files that do not fit; the command ends with exit code 2."""
