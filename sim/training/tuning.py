"""What ``preferans tune`` does: one variant's fixpoint, for a user's own folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scoring.variant import Variant

from .calibration import format_buckets
from .recipe import Settling, TrainingError
from .settling import format_fixpoints, settle, write_json
from .shifts import SHIFTS, format_gains
from .student import Student


def tune_variant(
    student: Student,
    variant: Variant,
    players: int | None,
    seed: int,
    sizes: Settling,
    out: Path | None,
    say: Callable[[str], None],
) -> Path:
    """Settle, tell how sure it is, and write the file; returns where."""
    n_players = variant.table_size(players)
    rules = variant.rules(n_players)
    if not student.is_studied(rules):
        raise TrainingError(f"{variant.name}: nothing is learned in this family of variants")
    path = student.tuned_path(rules) if out is None else out
    try:
        if out is None:
            path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.absolute().parent.is_dir():
            raise TrainingError(f"{path} cannot be written: its folder is not there")
    except OSError as error:
        raise TrainingError(f"{path.parent} cannot be made: {error.strerror}") from None
    every = replace(sizes, shifts=SHIFTS)
    found = settle(student, variant, n_players, seed, every, say)
    saved = found.saved(student, rules)
    say(format_fixpoints([saved]))
    say("whists a deal that one player wins by a shift of his thresholds, in made sixes")
    say(format_gains(found.gains))
    say("what the deal was worth to who decided so, in whists")
    say(format_buckets(found.buckets))
    write_json(path, saved)
    say(f"written to {path}")
    return path
