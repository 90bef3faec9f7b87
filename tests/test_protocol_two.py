"""Protocols of two players with the dummy: calls, tricks that are nobody's, agreements, endings."""

from __future__ import annotations

from typing import Any

import pytest
from score_bridge import TWO, column, game, refusal, results, whists

from scoring.contract import MISERE_GAME, RASPAS
from scoring.protocol.keeping import Pulka
from scoring.protocol.telling import describe, pulka_json, pulka_text
from scoring.protocol.words import Words
from scoring.result import PASSED, WHISTED
from scoring.score_sheet import DealResult

PAIR: dict[str, Any] = {"players": 2, "variant": "classic_two", "pool": 10_000}
"""The head of a protocol of two players that does not end."""


def pair(*deals: Any, variant: str = "classic_two", **conventions: Any) -> Pulka:
    """The pulka of two players, under conventions with two underscores for the dot."""
    settings = {key.replace("__", "."): value for key, value in conventions.items()}
    return game(*deals, **{**PAIR, "variant": variant}, conventions=settings)


def last(*deals: Any, **head: Any) -> DealResult:
    """The result of the last of some deals."""
    result = pair(*deals, **head).deals()[-1].result
    assert result is not None
    return result


def told(pulka: Pulka, language: str = "en") -> list[str]:
    """The deals in words."""
    return [describe(step, Words(language)) for step in pulka.deals()]


# Calls

OPEN = ["Boris open 5", "Boris whist open 5", "Boris: w open 5", "Boris вист открыл 5"]
OPEN += ["Boris открыла 5", "Boris открыто", "Boris whist 5, open", "Boris whist, open"]
BLIND = ["Boris blind 5", "Boris whist blind 5", "Boris вслепую 5", "Boris втёмную"]
BLIND += ["Boris втемную 5", "Boris вист вслепую 5", "Boris ВТЁМНУЮ"]


@pytest.mark.parametrize("call", [*OPEN, *BLIND])
def test_words_of_the_whist(call: str) -> None:
    """He turns up the dummy, or plays on his own cards; a number are his tricks."""
    result = last(f"Anna 6♣/-1, {call}")
    assert result.tricks == [5, 5] and result.decisions == {1: WHISTED}
    assert result.open_play == (call in OPEN) and result.last_whister == 1


def test_the_key_of_an_open_whist() -> None:
    """``open`` says it too, either way."""
    for flag in (True, False):
        deal = {"Anna": "6/=", "Boris": "whist", "open": flag}
        assert last(deal).open_play == flag


def test_a_whist_without_a_choice() -> None:
    """Where the defender has no choice nothing needs to be said of the dummy."""
    assert last("Anna 6/=, Boris whist 4", variant="gusarik").open_play
    assert last("Anna 6/=, Boris whist 4", dummy__defence=["open"]).open_play
    assert not last("Anna 6/=, Boris whist 4", dummy__defence=["blind", "pass"]).open_play
    assert last("Anna 6/=, Boris open 4", variant="gusarik").open_play


def test_a_pass() -> None:
    """The contract is made and not played, at each level, in each variant."""
    for variant in TWO:
        for level in range(6, 11):
            if (
                level == 10
                and pair(variant=variant).protocol.variant.conventions["whist.ten"] == "checked"
            ):
                continue
            result = last(f"Anna {level}/=, Boris pass", variant=variant)
            assert result.tricks is None and result.decisions == {1: PASSED}


def test_words_of_the_report() -> None:
    """How he whisted stands with his call; the report can be read again."""
    deals = ["Anna 6♣/-1, Boris open 5", "Boris 7/=, Anna blind 3", "Anna 8/=, Boris pass"]
    pulka = pair(*deals)
    assert told(pulka) == [
        "Anna 6♣/-1, Boris whist open 5 (Boris deals)",
        "Boris 7/=, Anna whist blind 3 (Anna deals)",
        "Anna 8/=, Boris pass, not played (Boris deals)",
    ]
    assert told(pulka, "ru")[:2] == [
        "Anna 6♣/-1, Boris вист открыто 5 (сдаёт Boris)",
        "Boris 7/=, Anna вист втёмную 3 (сдаёт Anna)",
    ]
    for language in ("en", "ru"):
        again = [
            line.partition(" (")[0].replace(", not played", "") for line in told(pulka, language)
        ]
        again[2] = deals[2]
        assert pair(*again).sheet.whists == pulka.sheet.whists
    calls = [one["deal"] for one in pulka_json(pulka, every_deal=True)["entries"]]
    assert [(one["calls"], one["open"]) for one in calls] == [
        ({"Boris": "whist"}, True),
        ({"Anna": "whist"}, False),
        ({"Boris": "pass"}, None),
    ]


def test_open_words_of_three() -> None:
    """The same words say that the lone whister of three played with open hands."""
    deal = "Anna 6/=, Boris whist {} 4, Vera pass"
    for word, flag in (("open", True), ("blind", False)):
        result = game(deal.format(word), pool=100).deals()[0].result
        assert result is not None and result.open_play == flag
    assert "open only with one whister" in refusal("Anna 6/=, Boris open 4, Vera whist 0")


def test_six_spades_by_force() -> None:
    """He whists, and says how."""
    for deal in ("Anna 6♠/=, Boris blind 4", {"Anna": "6♠/=", "open": False}):
        assert last(deal, whist__stalingrad=True).decisions == {1: WHISTED}
    assert last("Anna 6♣/=, Boris pass", whist__stalingrad=True).tricks is None
    pulka = pair("Anna 6♠/=", variant="gusarik", whist__stalingrad=True)
    assert whists(pulka) == {("Boris", "Anna"): "8"}


def test_a_checked_ten() -> None:
    """It has no call, lies open, and costs no remise."""
    for deal in ("Anna 10/=", "Anna 10/=, Boris whist", "Anna 10/=, Boris open 0"):
        pulka = pair(deal, whist__ten="checked")
        assert pulka.sheet.mountain == [0, 0] and pulka.sheet.pool == [10, 0]
        assert told(pulka)[0].startswith("Anna 10/=, Boris whist open 0")
    assert pair("Anna 10/=, Boris open 0").sheet.mountain == [0, 10]


# Tricks


@pytest.mark.parametrize(
    "deal, tricks",
    [
        ("Anna 6/-1, Boris open", [5, 5]),
        ("Anna 6, Boris blind 5", [5, 5]),
        ("Anna 6/+4, Boris open", [10, 0]),
        ({"Anna": "6", "Boris": "open", "tricks": {"Anna": 7}}, [7, 3]),
        ("Boris M/-3", [7, 3]),
        ({"Boris": "M", "tricks": {"Anna": 9}}, [9, 1]),
        ("Anna 4, Boris 6", [4, 6]),
        ("Boris 0, Anna 10", [10, 0]),
        ({"raspas": {"Anna": 4}}, [4, 6]),
    ],
    ids=str,
)
def test_derived_tricks(deal: Any, tricks: list[int]) -> None:
    """What one did not take is the other's, the dummy's with it."""
    assert last(deal).tricks == tricks


def test_tricks_of_a_dummy_for_nobody() -> None:
    """A dummy that plays its lowest cards has tricks that nobody writes."""
    assert last("Anna 6/=, Boris blind 2", dummy__blind="lowest").tricks == [6, 2]
    assert last("Anna 6/+4, Boris blind", dummy__blind="lowest").tricks == [10, 0]
    assert last("Anna 6/=, Boris open", dummy__blind="lowest").tricks == [6, 4]
    assert last("Anna 3, Boris 4", dummy__raspas="lowest").tricks == [3, 4]
    assert last("Anna 4, Boris 4", raspas__talon_two="may_win").tricks == [4, 4]


# Raspas


def test_the_deal_alternates() -> None:
    """The second player deals first; an entry may name its dealer."""
    pulka = pair("Anna 4, Boris 6", "Anna 4, Boris 6", "Anna 4, Boris 6, dealer Boris")
    assert [line.rpartition("(")[2] for line in told(pulka)] == [
        *("Boris deals)", "Anna deals)", "Boris deals)"),
    ]
    assert told(pulka)[2].startswith("raspas, number 3 in a row, Anna 4, Boris 6")
    assert pulka.sheet.mountain == [4 + 8 + 12, 6 + 12 + 18]
    kept = pair("Anna 4, Boris 6", variant="klassika")
    assert kept.dealer == 1


@pytest.mark.parametrize("word", ["thrown in", "Thrown-in", "thrown_in", "пересдача"])
def test_a_deal_thrown_in(word: str) -> None:
    """Nothing is written, and the deal passes on; the next raspas are as if it had not been."""
    head: dict[str, Any] = {"dummy__raspas": "no_raspas"}
    pulka = pair(word, "Anna 6/=, Boris pass", {"thrown_in": True, "note": "again"}, **head)
    assert pulka.sheet.pool == [2, 0] and pulka.sheet.n_deals == 3 and pulka.sheet.raspas_index == 0
    assert told(pulka)[::2] == ["thrown in (Boris deals)", "thrown in (Boris deals) [again]"]
    assert told(pulka, "ru")[0] == "пересдача (сдаёт Boris)"
    entry = pulka_json(pulka, every_deal=True)["entries"][0]
    assert entry["deal"]["kind"] == "raspas" and entry["deal"]["tricks"] is None
    assert entry["writes"] == {"pool": [0, 0], "mountain": [0, 0], "whists": [[0, 0], [0, 0]]}
    assert "   -\n" in pulka_text(pulka, every_deal=True)
    staying = {"deal__after_raspas": "stays", **head}
    assert pair(word, **staying).dealer == 0


def test_a_dark_pass_and_its_bomb() -> None:
    """The eldest of two has a bomb."""
    pulka = pair("Anna 4, Boris 6, dark", "Anna 7/=, Boris pass", variant="klassika")
    assert pulka.sheet.mountain == [8, 12] and pulka.sheet.pool == [2 * 4, 0]


def test_fir_trees() -> None:
    """A mark of raspas doubles one contract, won or lost, and is used up."""
    deals = ["Anna 4, Boris 6", "Anna 6/-1, Boris open", "Anna 7/=, Boris pass, dealer Boris"]
    pulka = pair(*deals, raspas__fir_trees="each")
    assert pulka.sheet.fir_trees == [0, 1]
    assert pulka.sheet.mountain == [4 + 2 * 2, 6] and pulka.sheet.pool == [4, 0]
    assert whists(pulka) == {("Boris", "Anna"): str(2 * 12)}
    lowest = pair(*deals, raspas__fir_trees="lowest")
    assert lowest.sheet.fir_trees == [0, 0] and lowest.sheet.mountain == pulka.sheet.mountain
    both = pair("Anna 5, Boris 5", raspas__fir_trees="lowest")
    assert both.sheet.fir_trees == [1, 1]
    three = game("Anna 2, Boris 3", {"join": "Gleb"}, conventions={"raspas.fir_trees": "lowest"})
    assert three.sheet.fir_trees == [1, 0, 0, 0]


# Agreements, money, endings


def test_by_agreement() -> None:
    """Concession, without the talon, off the mountain: as ever."""
    conceded = last("Anna 7♥, concession", contract__concession=3)
    assert (conceded.concession, conceded.tricks) == (3, None)
    piter = pair("Anna 9NT wt/=, Boris pass", "Boris misere wt/=", variant="piter")
    assert piter.sheet.pool == [8, 10]
    off = pair("Anna 8/=, Boris pass, off_mountain", values__off_mountain_instead=2)
    assert off.sheet.mountain == [-12, 0]


def test_misere() -> None:
    """The defender plays both hands; nobody calls."""
    result = last("Boris мизер/-2")
    assert (result.kind, result.declarer, result.open_play) == (MISERE_GAME, 1, True)
    assert last("Anna 4, Boris 6").kind == RASPAS


def test_wrong_records() -> None:
    """The other writes the penalty."""
    wrong = {"column": "whists", "on": "Boris", "amount": 6}
    twice = [{"misrecord": "Anna", **wrong}, {"correction": "Anna", **wrong}] * 2
    assert whists(pair(*twice)) == {("Boris", "Anna"): "6"}


def test_money() -> None:
    """The loser pays the winner, in one payment."""
    pulka = game("Anna 6/-1, Boris open", players=2, stake="0.10", pool=10)
    assert results(pulka) == {"Anna": "-22", "Boris": "22"}
    assert "Anna pays Boris: 2.20" in pulka_text(pulka)
    drawn = game("Anna 5, Boris 5", players=2, pool=10)
    assert "nobody owes anything" in pulka_text(drawn)


def test_the_settlement_of_two_mountains() -> None:
    """Divided by two, or whole; missing points in full, or by half."""
    deals = ["Anna 8/-1, Boris open", "Boris 7/=, Anna pass"]
    divided = game(*deals, players=2, variant="gusarik", pool=5)
    assert divided.sheet.settlement().carried == [6 + 5, 1]
    assert results(divided) == {"Anna": str(-50 - 24), "Boris": str(50 + 24)}
    assert "pool carried over, 1 each" in pulka_text(divided)
    whole = game(*deals, players=2, variant="gusarik_indivisible", pool=5)
    assert whole.sheet.settlement().carried == [6 + 2.5, 0.5]
    assert results(whole) == {"Anna": str(-80 - 24), "Boris": str(80 + 24)}
    assert "pool carried over, ½ each" in pulka_text(whole)
    assert whole.sheet.settlement().difference == 104


def test_the_end_of_a_pulka_of_two() -> None:
    """Two pools are full; help goes to the other; a total is that of both."""
    pulka = game("Anna 10/=, Boris pass", "Boris 6/=, Anna pass", players=2, pool=6)
    assert pulka.sheet.pool == [6, 6] and pulka.is_over and pulka.ended == 2
    assert whists(pulka) == {("Anna", "Boris"): "40"}
    assert column(pulka.names, pulka.sheet.mountain) == {}
    by_sum = game("Anna 10/=, Boris pass", players=2, variant="leningrad", total=10)
    assert by_sum.is_over and "to 10 together" in pulka_text(by_sum)


@pytest.mark.parametrize("variant", TWO)
def test_every_variant(variant: str) -> None:
    """Two play any variant with a pool; results sum to zero by both ways."""
    deals = ["Anna 4, Boris 6", "Boris 9/-2, Anna open 3", "Anna 8/+1, Boris whist, open"]
    pulka = pair(*deals, "Boris M/-1", "Anna 0, Boris 10", variant=variant)
    found = pulka.sheet.settlement()
    assert sum(found.result) == 0 and found.first_way == found.second_way == found.result
    assert found.difference == max(found.result)
