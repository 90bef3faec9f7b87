"""Exact counts of auctions and whist calls: the rules core and the naive twin, against data."""

from __future__ import annotations

from typing import Any

import pytest
from perft import count_case, load_cases

CASES = load_cases()
HEAVY = ("without talon", "hard piter")
"""Names of cases with long ladders: their states take seconds to count."""


def is_heavy(case: dict[str, Any]) -> bool:
    """Whether a case is counted in the slow tests alone."""
    if case["count"] == "depth":
        return case["name"] != "auction to depth 4, usual ladder"
    return case["count"] == "state" and any(word in case["name"] for word in HEAVY)


def cases(heavy: bool) -> list[Any]:
    """The cases of one kind, by name."""
    return [pytest.param(c, id=c["name"]) for c in CASES if is_heavy(c) == heavy]


@pytest.mark.parametrize("side", ["core", "twin"])
@pytest.mark.parametrize("case", cases(heavy=False))
def test_counts(case: dict[str, Any], side: str) -> None:
    """Whist calls whole, auctions to depth four, on five rungs whole, by state on the ladder."""
    assert count_case(case, side) == case["expect"]


@pytest.mark.slow
@pytest.mark.parametrize("side", ["core", "twin"])
@pytest.mark.parametrize("case", cases(heavy=True))
def test_more_counts(case: dict[str, Any], side: str) -> None:
    """The same in other ways to bid, with bids without the talon and raised levels."""
    assert count_case(case, side) == case["expect"]


def test_the_usual_ladder_by_hand() -> None:
    """Depth one and two of the usual ladder: 26 bids and pass; then each may be outbid or passed.

    After a pass again 27 words; after the bid on rung r (of 26) pass and 26 - r bids.
    """
    usual = next(case for case in CASES if case["name"] == "auction to depth 4, usual ladder")
    assert usual["expect"][:2] == [27, 27 + sum(1 + 26 - r for r in range(1, 27))]


def test_the_whist_sequences_of_finka_by_hand() -> None:
    """The seven sequences of the rules at six and seven, two of them with three words of the
    dealer; five at eight and above, one of them with three."""
    by_players = {case["players"]: case["expect"] for case in CASES if "finka" in case["name"]}
    assert by_players[3]["6S"] == by_players[3]["7S"] == 7
    assert by_players[4]["6S"] == by_players[4]["7S"] == 5 + 2 * 3
    assert by_players[3]["8S"] == 5 and by_players[4]["10S"] == 4 + 3
