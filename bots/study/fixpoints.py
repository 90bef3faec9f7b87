"""Fixpoints of variants, where they are kept: in ``weights/expert.json``, and those that a user has
tuned in a folder of his own.

A fixpoint is stored as what self-play changed of the rules of thumb, under a digest of the
conventions that were played.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scoring.conventions import POOL_FAMILY, REFET
from scoring.errors import PreferansError
from scoring.variant import find_variant

from ..hand_tables import Floats, read_weights
from ..prices import Rules, convention, n_players
from .rows import N_FEATURES, N_ROWS_OF_STUDY

PARTS = 10_000
"""Coefficients are stored in 1 / PARTS."""
STUDIED = (POOL_FAMILY, REFET)
"""Families whose decisions are studied."""


class FixpointError(PreferansError):
    """A file of a tuned variant that cannot be read."""


def packed(changes: Floats) -> dict[str, list[int]]:
    """Changes of the rules of thumb as they are stored: the rows that differ, in 1 / PARTS."""
    parts = np.rint(changes * PARTS).astype(int)
    return {str(k): np.trim_zeros(row, "b").tolist() for k, row in enumerate(parts) if row.any()}


def unpacked(rows: Mapping[str, list[int]]) -> Floats:
    """The changes again, [row, feature]."""
    changes = np.zeros((N_ROWS_OF_STUDY, N_FEATURES))
    for row, numbers in rows.items():
        changes[int(row), : len(numbers)] = np.array(numbers) / PARTS
    return changes


def _conventions(rules: Rules) -> list[Floats]:
    """All that is packed but how long a pulka is."""
    names = [name for name in rules.dtype.names or () if name not in ("target", "total")]
    return [np.asarray(rules[name][0], np.float64).ravel() for name in names]


def digest_of(rules: Rules) -> str:
    """A short digest of the conventions and of the number of players."""
    parts = np.concatenate(_conventions(rules)).astype("<f8").tobytes()
    return hashlib.sha256(parts).hexdigest()[:16]


def tuned_path(rules: Rules) -> Path:
    """Where the fixpoint of these rules is kept if a user has tuned them."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "preferans" / "fixpoints" / f"{digest_of(rules)}.json"


def _tuned(path: Path) -> Floats | None:
    """The changes of a file that a user has tuned, None without one. FixpointError."""
    try:
        return unpacked(json.loads(path.read_text("utf-8"))["rows"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise FixpointError(
            f"{path} is no tuned variant: remove it, or write it again by `preferans tune`"
        ) from None


def shipped() -> list[dict[str, Any]]:
    """The fixpoints of ``weights/expert.json``."""
    return list(read_weights("expert").get("fixpoints", []))


@functools.cache
def _known(family: int, players: int) -> list[tuple[int, str, list[Floats]]]:
    """Place and name of the shipped fixpoints of a family for so many players, with
    conventions."""
    found = []
    for place, one in enumerate(shipped()):
        if one["players"] == players:
            rules = find_variant(one["variant"]).rules(players)
            if convention(rules, "family") == family:
                found.append((place, one["variant"], _conventions(rules)))
    return found


def nearest_variant(rules: Rules) -> tuple[int, str, int]:
    """Place and name of the shipped fixpoint with the fewest other conventions, and how many; an
    empty name if there is none."""
    own = _conventions(rules)
    best, name, fewest = -1, "", len(own) + 1
    for place, other_name, other in _known(convention(rules, "family"), n_players(rules)):
        different = sum(not np.array_equal(a, b) for a, b in zip(own, other, strict=True))
        if different < fewest:
            best, name, fewest = place, other_name, different
    return best, name, fewest


@functools.cache
def _warn(digest: str, name: str, different: int) -> None:
    """Tell once for each set of conventions whose fixpoint stands in for theirs."""
    count = "1 of them" if different == 1 else f"{different} of them"
    print(
        f"expert is not tuned to these conventions: he answers as in {name}, which differs in "
        f"{count}; `preferans tune` learns them in minutes",
        file=sys.stderr,
    )


@functools.cache
def _places() -> dict[str, int]:
    return {one["conventions"]: k for k, one in enumerate(shipped()) if "conventions" in one}


def forget() -> None:
    """Let the shipped fixpoints be read again."""
    _known.cache_clear()
    _places.cache_clear()


def changes_for(rules: Rules) -> Floats:
    """What is learned of the rules: from the user's own file, else the shipped fixpoint of the same
    conventions, else with a warning the nearest, else nothing."""
    found = _tuned(tuned_path(rules))
    if found is not None:
        return found
    place = _places().get(digest_of(rules))
    if place is None:
        place, name, different = nearest_variant(rules)
        if not name:
            return np.zeros((N_ROWS_OF_STUDY, N_FEATURES))
        if different:
            _warn(digest_of(rules), name, different)
    return unpacked(shipped()[place]["rows"])
