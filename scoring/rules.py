"""The packed Rules record: all conventions of a run as integers, for kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .contract import N_CONTRACTS, contract_level, is_misere, ladder_codes
from .convention import LEVELS
from .conventions import CONVENTIONS, POOL_FAMILY
from .kernel import Record, ctz, kernel

RULES_DTYPE = np.dtype(
    [
        *((c.field, np.int64, c.shape()) for c in CONVENTIONS),
        ("family", np.int64),
        ("n_players", np.int64),
        ("target", np.int64),
        ("total", np.int64),
        ("bids_above", np.int64, N_CONTRACTS + 1),
        ("bids_from_level", np.int64, 5),
    ],
    align=True,
)
"""The packed rules of a run: all conventions, ``family`` (POOL_FAMILY ...), ``n_players``,
``target`` (pool points per player), ``total`` (of all players, for variants that end by the sum),
``bids_above[1 + code]`` (mask of codes that outrank a bid; ``[0]``: no bid yet) and
``bids_from_level[level - 6]`` (mask of codes allowed when that is the lowest level)."""


def _masks_above(ladder: Sequence[int]) -> list[int]:
    masks = [sum(1 << code for code in ladder)]
    for code in range(N_CONTRACTS):
        above = ladder[ladder.index(code) + 1 :] if code in ladder else ()
        masks.append(sum(1 << other for other in above))
    return masks


def _masks_from_level() -> list[int]:
    """Misère may be bid while the lowest level is at most eight."""
    codes = range(N_CONTRACTS)
    return [
        sum(1 << c for c in codes if (8 if is_misere(c) else contract_level(c)) >= level)
        for level in LEVELS
    ]


@kernel
def lowest_bid(rules: Record, bids: int) -> int:
    """The code of a mask of bids that all others of it outrank; -1 if it is empty."""
    rest = bids
    while rest:
        code = ctz(rest)
        if bids & ~rules.bids_above[code + 1] == 1 << code:
            return code
        rest &= rest - 1
    return -1


def pack_rules(
    values: Mapping[str, Any],
    n_players: int,
    target: int,
    total: int | None = None,
    family: int = POOL_FAMILY,
) -> np.ndarray[Any, Any]:
    """The Rules record (array of one row of ``RULES_DTYPE``) for checked convention values."""
    rules = np.zeros(1, RULES_DTYPE)
    for convention in CONVENTIONS:
        rules[convention.field] = convention.pack(values[convention.key])
    rules["family"] = family
    rules["n_players"] = n_players
    rules["target"] = target
    rules["total"] = target * n_players if total is None else total
    ladder = ladder_codes(values["auction.ladder"], values["auction.without_talon"])
    rules["bids_above"] = _masks_above(ladder)
    rules["bids_from_level"] = _masks_from_level()
    return rules
