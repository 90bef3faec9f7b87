"""Razboinik by hand: rows named before and after the talon, the dummy, the table and its sums."""

import random
from collections import Counter

import pytest
from random_conventions import draw_settings

from naive.bundles import RAZBOINIK, Conventions
from naive.cards import PACK, STRAINS
from naive.pulka import by_player, declarer_of, new_razboinik
from naive.razboinik import RazboinikDeal
from naive.rows import ROWS, open_rows
from naive.scoring import Result
from naive.sheet import new_table, settle, write_deal
from naive.walks import SUITED, act, play_lowest, play_out, random_razboinik


def begin(change: Conventions, rows: list[str] = ROWS, actions: str = "") -> RazboinikDeal:
    """A deal of the sorted pack: talon S7 S8, the dummy in the middle."""
    deal = RazboinikDeal(RAZBOINIK | change, SUITED, PACK[:2], rows)
    act(deal, actions)
    return deal


def contracts(rows: str) -> list[str]:
    return [row + strain for row in rows.split() for strain in STRAINS]


def test_misere_is_named_before_the_talon():
    deal = begin({})
    assert deal.phase == "row" and deal.mover == deal.declarer == 0
    assert deal.legal() == ["misere", "talon"] and deal.talon_face_up() == []
    deal.apply("talon")
    assert deal.phase == "discard" and deal.visible(2) == {*SUITED[2], "S7", "S8"}
    act(deal, "S7 S8")
    assert deal.legal() == contracts("6 7 8 9 10")
    assert begin({}, ["misere"]).legal() == ["misere"]
    assert begin({}, ["7", "9"]).legal() == ["talon"]
    assert begin({}, ["7", "9", "misere"], "talon S7 S8").legal() == contracts("7 9")
    assert begin({}, ROWS, "misere S7 S8").phase == "card"


def test_rows_named_at_other_moments():
    before = begin({"razboinik.talon": "row_before"}, ["6", "9", "misere"])
    assert before.legal() == ["6", "9", "misere"]
    act(before, "9 S7 S8")
    assert before.legal() == contracts("9")
    after = begin({"razboinik.talon": "row_after"}, ["8", "misere"])
    assert after.phase == "discard" and len(after.hands[0]) == 12
    act(after, "S7 S8")
    assert after.legal() == [*contracts("8"), "misere"]
    none = begin({"razboinik.talon": "none"}, ["10"])
    assert none.phase == "contract" and none.legal() == contracts("10")
    none.apply("10H")
    play_lowest(none)
    assert none.talon_face_up() == [] and none.result()["talon_units"] == 0


def test_the_defender_plays_an_open_dummy():
    deal = begin({}, ROWS, "talon S7 S8 6S")
    assert deal.hands_face_up() == [1, 2] and deal.who_plays(1) == 2
    deal.apply("S9")
    assert (deal.mover, deal.decider) == (1, 2)
    play_lowest(deal)
    result = deal.result()
    assert result["open"] and result["whist"] == {} and sum(result["tricks"]) == 10
    misere = begin({}, ROWS, "misere S7 S8")
    assert misere.hands_face_up() == []
    misere.apply("S9")
    assert misere.hands_face_up() == [1, 2]


def test_a_dead_dummy():
    dead = {"razboinik.dummy": "dead", "dummy.seat": "first", "razboinik.declarer": "dealer"}
    deal = begin(dead, ROWS, "misere S7 S8")
    assert deal.declarer == 2 and deal.mover == 1 and deal.hands_in_play() == [1, 2]
    assert deal.hands_face_up() == [1]
    tricks = begin(dead, ROWS, "talon S7 S8 6S")
    assert tricks.hands_face_up() == [] and tricks.who_plays(0) is None
    play_lowest(tricks)
    assert not tricks.result()["open"] and sum(tricks.tricks) == 10


@pytest.mark.parametrize(
    ("row", "taken", "points"),
    [("6", 6, 0), ("6", 10, 0), ("7", 5, 8), ("9", 8, 8), ("10", 8, 20), (None, 3, 30)],
)
def test_what_a_row_costs(row, taken, points):
    sheet = new_table()
    level = None if row is None else int(row)
    kind = "misere" if row is None else "tricks"
    write_deal(RAZBOINIK, sheet, Result(kind, 1, [taken, 10 - taken], declarer=0, level=level))
    assert sheet.mountain == [points, 0] and settle(RAZBOINIK, sheet) == [-points, points]
    assert sheet.rows[0][row or "misere"] == points


def test_random_tables_fill_and_balance() -> None:
    chance = random.Random(5)
    kinds: Counter[str] = Counter()
    for _ in range(25):
        conv = RAZBOINIK | draw_settings(chance, "razboinik")
        pulka = new_razboinik(conv)
        for number in range(12):
            assert not pulka.over and pulka.dealer == (number + 1) % 2
            rows = pulka.sheet.rows[declarer_of(pulka)]
            deal = random_razboinik(chance, conv, open_rows(rows))
            play_out(chance, deal)
            result = deal.result()
            kinds[result["kind"]] += 1
            pulka.write(by_player(conv, result, pulka.dealer))
        assert pulka.over
        sums = [sum(points for points in rows.values()) for rows in pulka.sheet.rows]
        assert sums == pulka.sheet.mountain
        assert settle(conv, pulka.sheet) == [sums[1] - sums[0], sums[0] - sums[1]]
    assert kinds == {"tricks": 250, "misere": 50}
