"""Protocols: what is derived from what is written, agreements, endings, wrong records."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from score_bridge import (
    THREE,
    column,
    game,
    refusal,
    results,
    whists,
)

from scoring.contract import MISERE_GAME, RASPAS
from scoring.protocol.keeping import Pulka
from scoring.protocol.telling import describe, pulka_json, pulka_text
from scoring.protocol.words import Words
from scoring.score_sheet import DealResult

OPEN = {"pool": 10_000}
"""The head of a protocol that does not end."""


def result_of(pulka: Pulka, number: int = -1) -> DealResult:
    """The result of a deal, the last by default."""
    result = pulka.deals()[number].result
    assert result is not None
    return result


def last(*deals: Any, **head: Any) -> DealResult:
    """The result of the last of some deals."""
    return result_of(game(*deals, **head))


def dealers(pulka: Pulka) -> str:
    """The first letters of those who dealt, and of who deals next."""
    played = [step.names[step.result.dealer] for step in pulka.deals() if step.result is not None]
    return "".join(name[0] for name in (*played, pulka.names[pulka.dealer]))


# Who deals


def raspas(players: int, dealer: int) -> dict[str, Any]:
    """Raspas of Sochi at a table of three or four, the dealer of four with no trick."""
    names = ("Anna", "Boris", "Vera", "Gleb")[:players]
    hands = [name for k, name in enumerate(names) if players == 3 or k != dealer]
    return {"raspas": dict(zip(hands, (2, 3, 5), strict=True))}


def test_the_deal_passes_to_the_left() -> None:
    """The last player deals first, or the one the head names; then the deal passes on."""
    assert dealers(game()) == "V"
    assert dealers(game(players=4)) == "G"
    assert dealers(game(dealer="Anna")) == "A"
    assert dealers(game(*[raspas(3, 0)] * 4)) == "VABVA"
    four = [raspas(4, k % 4) for k in (3, 0, 1, 2, 3)]
    assert dealers(game(*four, players=4)) == "GABVGA"
    assert dealers(game(*[raspas(3, 0)] * 3, dealer="Boris")) == "BVAB"


def test_a_given_dealer() -> None:
    """An entry may name its dealer; the deal goes on from him."""
    deals = [raspas(3, 0), {"dealer": "Vera", **raspas(3, 2)}, raspas(3, 0)]
    assert dealers(game(*deals)) == "VVAB"
    assert dealers(game("Anna 6/=, Boris pass, Vera pass, dealer Boris")) == "BV"
    four = {"dealer": "Boris", "Gleb": "6/=", "Vera": "pass", "Anna": "pass"}
    assert dealers(game(four, players=4)) == "BV"


def test_the_deal_stays_at_klassika() -> None:
    """After raspas the deal stays, at most three times; after a contract it passes."""
    played = "Boris 7/=, Vera pass, Anna pass"
    assert dealers(game(raspas(3, 2), variant="klassika")) == "VV"
    assert dealers(game(*[raspas(3, 2)] * 3, variant="klassika")) == "VVVA"
    assert dealers(game(*[raspas(3, 2)] * 4, variant="klassika")) == "VVVAA"
    assert dealers(game(raspas(3, 2), played, raspas(3, 0), variant="klassika")) == "VVAA"
    passing = {"conventions": {"deal.after_raspas": "passes"}}
    assert dealers(game(raspas(3, 2), raspas(3, 0), variant="klassika", **passing)) == "VAB"


# Tricks

DERIVED = {
    "Anna 6/-1, Boris whist 3, Vera whist": [5, 3, 2],
    "Anna 6/-1, Vera whist 2, Boris whist": [5, 3, 2],
    "Anna 6/-1, Boris whist, Vera pass": [5, 5, 0],
    "Anna 6/-1, Boris pass, Vera whist": [5, 0, 5],
    "Anna 6/-1, Boris whist 3, Vera pass": [5, 3, 2],
    "Anna 6, Boris whist 3, Vera whist 2": [5, 3, 2],
    "Anna 6, Boris whist 5, Vera pass": [5, 5, 0],
    "Anna 6/+4, Boris whist, Vera whist": [10, 0, 0],
    "Anna 6/=, Boris whist 0, Vera whist": [6, 0, 4],
    "Anna misere/=": [0, 10, 0],
    "Anna M/-3": [3, 7, 0],
    "Anna M/-10": [10, 0, 0],
    "Anna 0, Boris 4": [0, 4, 6],
    "Vera 10, Anna 0": [0, 0, 10],
}
DERIVED_IN_TABLES = [
    ({"Anna": "6/-1", "Boris": "whist", "Vera": "whist", "tricks": {"Vera": 2}}, [5, 3, 2]),
    ({"Anna": "6", "Boris": "whist", "Vera": "pass", "tricks": {"Anna": 5}}, [5, 5, 0]),
    ({"Anna": "6", "Boris": "whist", "Vera": "pass", "tricks": {"Anna": 5, "Vera": 1}}, [5, 4, 1]),
    ({"Anna": "6", "Boris": "whist", "Vera": "whist", "tricks": {"Anna": 5, "Vera": 1}}, [5, 4, 1]),
    ({"Anna": "6", "Boris": "whist 5", "Vera": "pass", "tricks": {"Vera": 1}}, [4, 5, 1]),
    ({"Anna": "M", "tricks": {"Anna": 3}}, [3, 7, 0]),
    ({"Anna": "M", "tricks": {"Boris": 4, "Vera": 3}}, [3, 4, 3]),
    ({"Anna": "M/-3", "tricks": {"Boris": 4}}, [3, 4, 3]),
    ({"raspas": {"Anna": 0, "Boris": "4"}}, [0, 4, 6]),
    ({"Anna": 0, "raspas": {"Boris": 4}}, [0, 4, 6]),
]


@pytest.mark.parametrize("deal, tricks", [*DERIVED.items(), *DERIVED_IN_TABLES], ids=str)
def test_derived_tricks(deal: Any, tricks: list[int]) -> None:
    """The count that is missing follows from the others; a lone whister's are the defence's."""
    result = last(deal, **OPEN)
    assert result.tricks == tricks and sum(tricks) == 10


@pytest.mark.parametrize("variant", THREE)
def test_whists_do_not_depend_on_who_took_the_lone_whisters_tricks(variant: str) -> None:
    """All the tricks of the defence are the lone whister's, whoever took them."""
    short = game("Anna 9/-2, Boris whist, Vera pass", variant=variant, **OPEN)
    for count in range(4):
        split = game(f"Anna 9/-2, Boris whist {count}, Vera pass", variant=variant, **OPEN)
        assert split.sheet.whists == short.sheet.whists
        assert split.sheet.mountain == short.sheet.mountain


def test_tricks_of_the_passer_that_are_lost() -> None:
    """Where the passer's tricks are nobody's, somebody has to say who took them."""
    lost = {"conventions": {"whist.passer_tricks": "lost"}, **OPEN}
    assert "tricks of Boris and Vera are missing" in refusal(
        "Anna 6/-1, Boris whist, Vera pass", **lost
    )
    assert last("Anna 6/-1, Boris whist 3, Vera pass", **lost).tricks == [5, 3, 2]


def test_tricks_at_a_table_of_four() -> None:
    """The dealer sits out; at raspas with an open talon he has the tricks of its cards."""
    head: dict[str, Any] = {"players": 4, **OPEN}
    assert last("Anna 6/-1, Boris whist, Vera pass", **head).tricks == [5, 5, 0, 0]
    assert last("Anna 2, Boris 3, Vera 5", **head).tricks == [2, 3, 5, 0]
    assert last("Anna 2, Boris 3, Vera 4", **head).tricks == [2, 3, 4, 1]
    assert last("Anna 2, Boris 3, Gleb 1", **head).tricks == [2, 3, 4, 1]
    assert last("Anna 2, Boris 3", variant="rostov", **head).tricks == [2, 3, 5, 0]
    assert last("Anna 2, Boris 3, Gleb 0", variant="rostov", **head).tricks == [2, 3, 5, 0]


# Calls


def calls(result: DealResult) -> dict[int, int]:
    return dict(result.decisions)


PASS, WHIST, HALF = 1, 2, 3


def test_the_pass_beside_a_half_whist() -> None:
    """The other defender passed; so he need not be named."""
    for deal in ("Anna 6/=, Vera half", "Anna 6, Vera полвиста", "Anna 7/=, Boris pass, Vera h"):
        result = last(deal)
        assert calls(result) == {1: PASS, 2: HALF} and result.tricks is None
    four = last("Boris 7/=, Gleb half, dealer Anna", players=4)
    assert calls(four) == {2: PASS, 3: HALF}


def test_a_long_whist() -> None:
    """Where whist, pass, half-whist may be said, the first defender may be the half-whister."""
    assert calls(last("Anna 6/=, Boris half", variant="leningrad")) == {1: HALF, 2: PASS}
    assert "Boris speaks first" in refusal("Anna 6/=, Boris half")


def test_a_returned_whist() -> None:
    """Pass, half-whist, whist: the first defender's last word is whist."""
    result = last("Anna 6/=, Boris whist, Vera half")
    assert calls(result) == {1: WHIST, 2: HALF} and result.tricks == [6, 4, 0]


@pytest.mark.parametrize("name", ["Anna", "Boris", "Vera"])
def test_the_last_whister(name: str) -> None:
    """At eight the last to whist writes the remise of a pair without a trick.

    He is the defender further from the declarer, however the entry is ordered.
    """
    names = ["Anna", "Boris", "Vera"]
    first, second = (names[(names.index(name) + k) % 3] for k in (1, 2))
    for deal in (
        f"{name} 8/+2, {first} whist 0, {second} whist 0",
        f"{second} whist, {first} whist, {name} 8/+2",
    ):
        pulka = game(deal)
        assert column(names, pulka.sheet.mountain) == {second: "6"}
        assert result_of(pulka).last_whister == names.index(second)


def test_the_last_whister_of_four() -> None:
    """The dealer between the defenders is passed over."""
    pulka = game("Vera 8/+2, Gleb whist, Boris whist, dealer Anna", players=4)
    assert column(pulka.names, pulka.sheet.mountain) == {"Boris": "6"}


def test_six_spades_by_force() -> None:
    """Where six spades are whisted by force (сталинград), nobody needs a call; other sixes do."""
    head: dict[str, Any] = {"variant": "klassika", **OPEN}
    for deal in (
        "Anna 6♠/=, Boris whist 3",
        {"Anna": "6S/=", "tricks": {"Boris": 3}},
        "Anna 6П/=, Boris w 3, Vera w",
    ):
        result = last(deal, **head)
        assert calls(result) == {1: WHIST, 2: WHIST} and result.tricks == [6, 3, 1]
    assert "nobody passes: 6♠ is whisted by force" in refusal("Anna 6♠/=, Boris pass", **head)
    assert "missing" in refusal("Anna 6♣/=, Boris whist 3", **head)
    assert "missing" in refusal("Anna 6♠/=, Boris whist 3")
    assert calls(last("Anna 6/=, Boris pass, Vera pass", **head)) == {1: PASS, 2: PASS}


def test_a_checked_ten() -> None:
    """A ten that is only checked has no calls, lies open, and costs nobody a remise."""
    head: dict[str, Any] = {"variant": "piter", **OPEN}
    made = game("Anna 10♠/=", **head)
    assert result_of(made).tricks == [10, 0, 0] and result_of(made).open_play
    assert made.sheet.mountain == [0, 0, 0] and made.sheet.pool == [10, 0, 0]
    failed = game({"Anna": "10/-2", "tricks": {"Boris": 2}}, **head)
    assert failed.sheet.mountain == [40, 0, 0]
    assert whists(failed) == {("Boris", "Anna"): "80", ("Vera", "Anna"): "40"}
    assert "nobody passes: a ten is only checked" in refusal("Anna 10/=, Boris pass", **head)


def test_a_whisted_ten() -> None:
    """Elsewhere a ten is whisted like a nine, with a duty of one."""
    pulka = game("Anna 10/=, Boris whist, Vera pass", **OPEN)
    assert pulka.sheet.mountain == [0, 10, 0]


def test_a_whisting_dealer() -> None:
    """He takes the hand of one defender, whose owner is out; the other passes."""
    deal = "Anna 8/-1, Boris pass, Vera pass, Gleb whist, hand Vera"
    result = last(deal, players=4, variant="fspr")
    assert calls(result) == {3: WHIST, 1: PASS} and result.tricks == [7, 0, 0, 3]
    assert result.last_whister == 3
    pulka = game(deal, players=4, variant="fspr")
    assert column(pulka.names, pulka.sheet.mountain) == {"Anna": "12"}
    assert whists(pulka) == {
        ("Boris", "Anna"): str(18 + 12),
        ("Vera", "Anna"): "12",
        ("Gleb", "Anna"): str(18 + 12),
    }
    short = "Anna 6/+3, Boris pass, Vera half, Gleb whist 1, hand Vera"
    assert game(short, players=4, variant="fspr").sheet.mountain == [0] * 4
    assert game(short, players=4, variant="finka").sheet.mountain == [18, 20, 20, 20 + 3 * 4]


# Misere, raspas


def test_misere() -> None:
    """Nobody calls; it is played open; ten a trick goes on the mountain."""
    result = last("Boris мизер/-2", **OPEN)
    assert (result.kind, result.declarer, result.open_play) == (MISERE_GAME, 1, True)
    assert calls(result) == {} and game("Boris M/-2").sheet.mountain == [0, 20, 0]
    assert game("Boris misere/=").sheet.pool == [0, 10, 0]


def prices(pulka: Pulka) -> list[Fraction]:
    """The price of a trick at each raspas, from what Boris wrote for three tricks."""
    found = []
    for step in pulka.deals():
        assert step.result is not None and step.entries is not None
        if step.result.kind == RASPAS:
            found.append(step.entries.mountain[1] / 3)
    return found


def test_the_price_of_raspas_in_a_row() -> None:
    """Raspas are counted, and a contract begins a new row."""
    deals = [raspas(3, 0)] * 4
    played = "Anna 7/-1, Boris whist, Vera pass"
    pulka = game(*deals, played, raspas(3, 0), **OPEN)
    assert prices(pulka) == [1, 2, 3, 3, 1]
    assert [step.raspas_index for step in pulka.deals()] == [0, 1, 2, 3, 4, 0]
    told = [describe(step, Words()) for step in pulka.deals()]
    assert told[2].startswith("raspas, number 3 in a row, ")
    assert prices(game(*deals, variant="leningrad", **OPEN)) == [2, 2, 2, 2]
    assert prices(game(*deals, variant="hard_piter", **OPEN)) == [2, 4, 8, 8]


def test_the_way_out_of_raspas_at_piter() -> None:
    """A row goes on after a failed contract, and ends with a made seven."""
    head: dict[str, Any] = {"variant": "piter", **OPEN}
    failed = "Anna 7/-1, Boris whist, Vera pass"
    made = "Anna 7/=, Boris whist, Vera pass"
    pulka = game(raspas(3, 0), failed, raspas(3, 0), made, raspas(3, 0), **head)
    assert prices(pulka) == [2, 4, 2]
    assert "6 may not be bid: after 1 raspas in a row the lowest bid is 7" in refusal(
        raspas(3, 0), "Anna 6/=, Boris pass, Vera pass", **head
    )
    free = {"conventions": {"raspas.exit_is_min_bid": False}}
    pulka = game(raspas(3, 0), "Anna 6/=, Boris pass, Vera pass", raspas(3, 0), **head, **free)
    assert prices(pulka) == [2, 4]


def test_dark_passes() -> None:
    """A dark pass doubles the price; another in a row doubles it again; a bomb is left."""
    dark = "Anna 2, Boris 3, Vera 5, dark"
    head: dict[str, Any] = {"variant": "klassika", **OPEN}
    assert prices(game(dark, dark, **head)) == [1 * 2, 2 * 4]
    assert prices(game(dark, "Anna 2, Boris 3", **head)) == [2, 2]
    pulka = game(dark, "Anna 7/=, Boris pass, Vera pass", **head)
    assert pulka.sheet.pool == [2 * 4, 0, 0]


# By agreement


def test_concession() -> None:
    """The agreed undertricks at the level that was bid, whists for nobody, no play."""
    for count in (2, 3):
        head: dict[str, Any] = {"conventions": {"contract.concession": count}}
        for deal in (
            "Anna 7♥, concession",
            f"Anna 7♥/-{count}, concession {count}",
            {"declarer": "Anna", "contract": "7", "concession": count},
            {"Anna": "7", "concession": True},
        ):
            pulka = game(deal, **head)
            result = result_of(pulka)
            assert (result.concession, result.tricks) == (count, None)
            assert pulka.sheet.mountain == [4 * count, 0, 0] and whists(pulka) == {}
            assert f"conceded without {count}" in describe(pulka.steps[0], Words())
    assert last({"Anna": "6/=", "Vera": "half", "concession": False}).concession == 0


TALON = {"nothing": 0, "ace": 1, "marriage": 1, "ace_king": 2, "two_aces": 3, 0: 0, 2: 2, "3": 3}


@pytest.mark.parametrize("value", TALON)
def test_the_talon_bonus(value: Any) -> None:
    """The dealer writes it, with three players too; in the FSPR's rules each defender half."""
    deal = {"Anna": "7/=", "Boris": "pass", "Vera": "half", "talon": value}
    bonus = 8 * TALON[value]
    half = {("Vera", "Anna"): 8}

    def added(more: dict[tuple[str, str], int]) -> dict[tuple[str, str], str]:
        pairs = {**half, **{key: half.get(key, 0) + x for key, x in more.items()}}
        return {key: str(x) for key, x in pairs.items() if x}

    assert whists(game(deal, variant="finka")) == added({("Vera", "Anna"): bonus})
    four = game(deal, variant="finka", players=4)
    assert whists(four) == added({("Gleb", "Anna"): bonus})
    split = {("Boris", "Anna"): bonus // 2, ("Vera", "Anna"): bonus // 2}
    assert whists(game(deal, variant="fspr")) == added(split)
    four = game(deal, variant="fspr", players=4)
    assert whists(four) == added({("Gleb", "Anna"): bonus})


def test_the_talon_bonus_of_the_dealer_himself() -> None:
    """A dealer who declares has nobody to write it."""
    deal = "Vera 7/=, Boris half, talon two_aces"
    assert whists(game(deal, variant="finka")) == {("Boris", "Vera"): "8"}


def test_off_the_mountain() -> None:
    """An unwhisted contract or a made misere off the mountain, where the variant has it."""
    head: dict[str, Any] = {
        "variant": "piter",
        "conventions": {"values.off_mountain_instead": 2},
        **OPEN,
    }
    assert game("Anna 8/=, Boris pass, Vera pass, off_mountain", **head).sheet.mountain[0] == -12
    assert game("Anna M/=, off_mountain", **head).sheet.mountain[0] == -20
    assert game("Anna M/=", **head).sheet.pool[0] == 10


# A fourth player


def test_a_fourth_player_joins() -> None:
    """He sits left of the last dealer, deals next, and begins with the rounded means."""
    pulka = game(
        "Anna 7/=, Boris pass, Vera pass",
        "Boris 6/-1, Vera whist, Anna pass",
        {"join": "Gleb"},
        "Boris 6/=, Vera whist 4, Anna pass",
        {"dealer": "Boris", "Vera": "M/="},
    )
    assert pulka.names == ("Anna", "Gleb", "Boris", "Vera")
    step = pulka.steps[2]
    assert step.names == pulka.names and step.player == 1
    assert (step.pool, step.mountain) == ([4, 1, 0, 0], [0, 1, 2, 0])
    assert step.whists[0] == [0, 0, 2, 0] and step.whists[3] == [0, 0, 12, 0]
    assert [step.result.dealer for step in pulka.deals() if step.result] == [2, 0, 1, 2]
    assert pulka.sheet.pool == [4, 1, 2, 10]
    assert sum(pulka.sheet.settle()) == 0
    assert pulka_json(pulka)["players"] == ["Anna", "Gleb", "Boris", "Vera"]


def test_the_row_of_raspas_goes_on_for_four() -> None:
    """Raspas before the fourth came count for the price after it; so do wrong records."""
    wrong = {"column": "whists", "on": "Vera", "amount": 10}
    pulka = game(
        raspas(3, 0),
        {"misrecord": "Boris", **wrong},
        {"join": "Gleb"},
        {"correction": "Boris", **wrong},
        {"raspas": {"Anna": 2, "Boris": 3, "Vera": 5}},
        dealer="Vera",
    )
    assert pulka.names == ("Anna", "Boris", "Vera", "Gleb")
    assert pulka.deals()[1].raspas_index == 1 and whists(pulka) == {}
    assert pulka.sheet.mountain == [2 + 4, 3 + 6, 5 + 10, 4]


def test_a_fourth_player_before_the_first_deal() -> None:
    """He deals first."""
    pulka = game({"join": "Gleb"}, "Anna 6/=, Boris pass, Vera half")
    assert pulka.names == ("Anna", "Boris", "Gleb", "Vera") and result_of(pulka).dealer == 2


def test_a_fourth_player_where_the_deal_stays() -> None:
    """He deals next, from the left of the last dealer, though the deal would have stayed."""
    pulka = game(raspas(3, 2), {"join": "Gleb"}, variant="klassika")
    assert pulka.names == ("Anna", "Boris", "Vera", "Gleb") and pulka.dealer == 3


# Endings

MADE = "{} 10/=, {} pass, {} pass"


def tens(*names: str) -> list[str]:
    """Unwhisted tens of these players in turn."""
    table = ["Anna", "Boris", "Vera"]
    return [
        MADE.format(name, *(table[(table.index(name) + k) % 3] for k in (1, 2))) for name in names
    ]


def test_the_end_when_all_pools_are_full() -> None:
    """The deal that fills the last pool is the last."""
    deals = tens("Anna", "Boris", "Vera")
    assert not game(*deals[:2], pool=10).is_over
    pulka = game(*deals, pool=10)
    assert pulka.is_over and pulka.ended == 3
    assert refusal(*deals, deals[0], pool=10) == (
        "entry 4: the pulka ended with entry 3, so this deal is not part of it"
    )


def test_the_end_by_the_sum() -> None:
    """A total of all players, or the pool of each times their number."""
    deals = tens("Anna", "Boris", "Anna")
    assert game(*deals[:2], variant="leningrad", total=20).is_over
    assert not game(*deals[:2], variant="leningrad", total=21).is_over
    pulka = game(*deals, variant="leningrad", total=25)
    assert pulka.is_over and pulka.sheet.total == 25 and pulka.sheet.target == 8
    assert game(*deals, variant="leningrad", pool=10).sheet.total == 30
    assert "Leningrad to 25 together" in pulka_text(pulka)
    assert sum(pulka.sheet.settle()) == 0


def test_a_total_that_does_not_divide() -> None:
    """A third of it is each player's share, exactly."""
    pulka = game(variant="leningrad", total=100)
    assert pulka.sheet.settlement().carried == [Fraction(200, 3)] * 3


def test_the_end_outside_a_row_of_raspas() -> None:
    """At Piter the sum does not end a row of raspas; a made seven does."""
    head: dict[str, Any] = {"variant": "piter", "total": 10}
    pulka = game(raspas(3, 0), "Anna 8/-1, Boris whist, Vera pass", **head)
    assert not pulka.is_over
    opened = {"conventions": {"raspas.exit_unwhisted": False}}
    ten = tens("Anna")[0].replace("10", "9")
    pulka = game(raspas(3, 0), ten, ten, **head, **opened)
    assert pulka.sheet.pool[0] == 16 and not pulka.is_over
    pulka = game(raspas(3, 0), ten, ten, "Anna 7/=, Boris whist, Vera pass", **head, **opened)
    assert pulka.is_over


def test_the_end_by_time() -> None:
    """When time is up no deal is part of the pulka."""
    pulka = game(raspas(3, 0), {"time": True}, variant="fspr")
    assert pulka.is_over and pulka.ended == 2
    assert "the pulka ended with entry 2" in refusal(
        raspas(3, 0), {"time": True}, raspas(3, 0), variant="fspr"
    )
    assert not game(raspas(3, 0), variant="fspr").is_over


@pytest.mark.parametrize("before", range(7))
def test_the_last_round_at_finka(before: int) -> None:
    """When time is up the round is finished, and a whole last round is dealt."""
    left = -before % 3 + 3
    played = [*tens("Anna"), *[raspas(3, 0)] * (before + left)]
    deals, after = played[:before], played[before : before + left]
    head: dict[str, Any] = {"variant": "finka", "pool": 10}
    for count in range(left + 1):
        pulka = game(*deals, {"time": True}, *after[:count], **head)
        assert pulka.is_over == (count == left)
    refusal(*deals, {"time": True}, *after, raspas(3, 0), **head)


def test_finka_goes_on_until_a_pool_is_full() -> None:
    """If no pool is full after the last round, the first full pool ends the pulka."""
    head: dict[str, Any] = {"variant": "finka", "pool": 10}
    opening = [{"time": True}, *[raspas(3, 0)] * 5]
    assert not game(*opening, **head).is_over
    assert game(*opening, *tens("Anna"), **head).is_over


def test_stopped_by_consent() -> None:
    """Missing pool points go on the mountain; nothing comes after it."""
    pulka = game(*tens("Anna"), {"stop": True, "note": "the last train"}, pool=10)
    assert pulka.stopped and not pulka.is_over
    assert pulka.sheet.settlement().carried == [0, 10, 10]
    assert "stopped by consent [the last train]" in pulka_text(pulka, every_deal=True)
    assert results(pulka) == results(game(*tens("Anna"), pool=10))
    for entry in (raspas(3, 0), {"stop": True}, {"join": "Gleb"}):
        assert refusal({"stop": True}, entry) == "entry 2: the pulka was stopped before this entry"


def test_a_wrong_record_ends_no_pulka() -> None:
    """A false pool is not a full one."""
    wrong = {"column": "pool", "amount": 10}
    deals = [*tens("Anna", "Boris"), {"misrecord": "Vera", **wrong}]
    assert not game(*deals, pool=10).is_over
    pulka = game(*deals, {"correction": "Vera", **wrong}, pool=10)
    assert not pulka.is_over and pulka.sheet.pool == [10, 10, 0]


# Wrong records


def wrong_and_corrected(**flags: bool) -> Pulka:
    """A first error of Anna, free, and a second, both corrected."""
    first = {"column": "pool", "amount": 2}
    second = {"column": "whists", "on": "Boris", "amount": 30}
    return game(
        {"misrecord": "Anna", **first},
        {"correction": "Anna", **first},
        {"misrecord": "Anna", **second},
        {"correction": "Anna", **second, **flags},
    )


def test_penalties() -> None:
    """The first error is free; of a later one Boris may write as many whists."""
    assert whists(wrong_and_corrected()) == {("Boris", "Anna"): "30"}
    assert whists(wrong_and_corrected(pencil=True)) == {}
    told = pulka_text(wrong_and_corrected(), every_deal=True)
    assert "corrected: Anna, +2, pool; no penalty" in told
    assert "corrected: Anna, +30, whists on Boris; penalty: Boris writes 30 on him" in told


def test_the_deadline() -> None:
    """Before the next deal is written; after the auction, and later, only if all agree."""
    wrong = {"column": "mountain", "amount": -4}
    early = [{"misrecord": "Anna", **wrong}]
    late = [*early, raspas(3, 0)]
    assert game(*early, {"correction": "Anna", **wrong}).sheet.mountain == [0, 0, 0]
    for deals, flags in ((late, {}), (early, {"after_auction": True})):
        correction = {"correction": "Anna", **wrong, **flags}
        assert "too late" in refusal(*deals, correction)
        assert game(*deals, {**correction, "agreed": True}).sheet.mountain[0] == 2 * (
            len(deals) - 1
        )
