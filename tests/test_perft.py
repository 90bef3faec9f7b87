"""Exact counts of the words of a deal: the rules core and the naive twin, against data."""

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


def expected(name: str) -> Any:
    """The counts of a case."""
    return next(case["expect"] for case in CASES if case["name"] == name)


def test_auctions_of_two_by_hand() -> None:
    """Without hold each non-empty set of rungs, bid in turn, ends with a pass; or the eldest
    passes, and the dealer passes or bids once. Misère is a first and last word: of 26 rungs 15 are
    below it and 10 above."""
    assert expected("two players, whole auction on five rungs, no hold") == 2**5 - 1 + 1 + 5
    misere = (1 + 10) + 15 * (1 + 10)
    assert expected("two players, auction by state, no hold") == 2**25 - 1 + misere + 1 + 26


def test_words_of_the_defender_by_hand() -> None:
    """Pass, or whist and open or closed; of these what is allowed, and at Stalingrad no pass."""
    assert set(expected("defender's words, classic_two").values()) == {3}
    assert set(expected("defender's words, gusarik").values()) == {2}
    stalingrad = expected("defender's words, open, pass")
    assert (stalingrad["6S"], stalingrad["6C"]) == (1, 2)
    assert expected("defender's words, checked ten")["10S"] == 1


@pytest.mark.parametrize("way", ["misere_before", "row_before", "row_after", "none"])
def test_rows_of_razboinik_by_hand(way: str) -> None:
    """Five contracts of each open row but misère, which is one, whatever is named first."""
    counts = expected(f"rows of razboinik, talon {way}")
    for mask, (first, whole) in enumerate(counts, start=1):
        tricks, misere = (mask & 31).bit_count(), mask >> 5
        assert whole == 5 * tricks + misere
        before = {"misere_before": misere + (tricks > 0), "row_before": tricks + misere}
        assert first == before.get(way, whole)


def test_words_before_the_auction_by_hand() -> None:
    """One of those with cards refuses, or all agree; after a refusal the eldest may look or not."""
    assert expected("agreed raspas first_deal") == {"2": 3, "3": 4, "4": 4}
    assert expected("agreed raspas first_deal, dark pass") == {"2": 5, "3": 7, "4": 7}
    assert expected("agreed raspas off, dark pass") == {"2": 2, "3": 2, "4": 2}


def test_auctions_of_refet_by_hand() -> None:
    """Of two players left the elder holds n or passes, 2(8 - n) ways, and after a hold the other
    goes on in one way less: by first words of the eldest and of the next, with 10 ways to name two
    suits and 20 to name three."""
    three_left = 4 + (3 + 2)  # at six: the eldest passes, or holds and the next passes or says 7
    three_left += 8 + (7 + 6)  # at four: the same, or the next says 5 and the third passes
    passed = 5 + (1 + 10 + 3) + (1 + 10 + 2) + 2 + 1
    game = (1 + 10 + 2) + (10 + 20 + 2) + 2 + 1
    two = (1 + 10 + 3) + (1 + 10 + 2) + 2 + 1 + (10 + three_left + 3)
    betl, sans = (1 + 1) + 1, 1
    assert expected("refet auction") == passed + two + game + betl + sans


@pytest.mark.parametrize(
    ("name", "levels"), [("refet followers", 4), ("refet followers, iklub", 2)]
)
def test_words_of_the_followers_by_hand(name: str, levels: int) -> None:
    """Contra stops at any of its levels, said by either of two, or nobody says it; a lone follower
    has the same for himself, or invites; if nobody comes there are no words."""
    two, alone = 2 * levels + 1, levels + 1
    counts = expected(name)
    assert counts["clubs"] == counts["game spades"] == two + 2 * (alone + 1) + 1
    assert counts["spades"] == two + 2 * alone + 1
    assert counts["betl"] == two
