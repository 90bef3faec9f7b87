"""Tables of razboinik by hand: turns, rows, sums, money, drawings, and the sheet in Python."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from score_bridge import game, game_of, protocol

from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.drawing.picture import Grid
from scoring.drawing.svg import svg_sheet
from scoring.drawing.text import text_sheet
from scoring.protocol.keeping import Pulka
from scoring.protocol.picturing import make_picture
from scoring.protocol.telling import describe, pulka_json, pulka_text
from scoring.protocol.words import Words
from scoring.score_sheet import DealResult, ScoreSheet, SheetError
from scoring.variant import find_variant

HEAD: dict[str, Any] = {"players": 2, "variant": "razboinik"}
ESSAY = [
    *("Anna 7♥/-2", "Boris 6/-1", "Anna misere/-3", "Boris 8♣/-1", "Anna 10/-2", "Boris M/-2"),
    *("Anna 6/+1", "Boris 9NT/-2", "Anna 8/=", "Boris 7/=", "Anna 9/=", "Boris 10/="),
]
"""The example of the essay as a whole table: sums 58 and 44."""


def table(*deals: Any, **head: Any) -> Pulka:
    return game(*deals, **HEAD, **head)


# Entries


def test_a_whole_table() -> None:
    """Twelve deals, each row once for each player; the lower sum wins the difference."""
    pulka = table(*ESSAY)
    assert pulka.is_over and pulka.ended == 12 and not table(*ESSAY[:11]).is_over
    assert pulka.sheet.rows == [[0, 8, 0, 0, 20, 30], [2, 0, 6, 16, 0, 20]]
    assert pulka.sheet.settle() == [-14, 14]
    dealers = [step.result.dealer for step in pulka.deals() if step.result]
    assert dealers == [1, 0] * 6


NOTATIONS = [
    "Anna 8♥/-3",
    "Anna: 8H/–3",
    "Anna 8ч/-3, dealer Boris",
    "Anna 8/-3, note late",
    "declarer Anna, contract 8, result -3",
    {"Anna": "8", "tricks": {"Anna": 5}},
    {"Anna": "8", "tricks": {"Boris": 5}},
    {"Anna": 8, "result": "-3"},
    {"declarer": "Anna", "contract": "8NT/-3", "tricks": {"Anna": 5, "Boris": 5}},
]


@pytest.mark.parametrize("deal", NOTATIONS, ids=str)
def test_one_deal_in_many_notations(deal: Any) -> None:
    """By the line, by keys, by tricks; the suit costs nothing and may be left out."""
    pulka = table(deal)
    assert pulka.sheet.rows == [[None, None, 18, None, None, None], [None] * 6]
    assert pulka.steps[0].result is not None and pulka.steps[0].result.tricks == [5, 5]


def test_misere_and_tricks_over() -> None:
    """Ten for each trick of a misere; tricks over are worth nothing."""
    pulka = table("Anna мизер/-4", "Boris 6/+4", "Anna 10/=", "Boris M/=")
    assert pulka.sheet.rows == [[*[None] * 4, 0, 40], [0, *[None] * 4, 0]]


def test_whose_turn_it_is() -> None:
    """The head may name the first dealer; the dealer may be the one who declares."""
    assert table("Boris 6/=", dealer="Anna").sheet.rows[1][0] == 0
    dealing = {"conventions": {"razboinik.declarer": "dealer"}}
    assert table("Boris 6/=", "Anna 7/-1", **dealing).sheet.rows[0][1] == 4


def test_a_table_that_is_not_full() -> None:
    """It is settled by the sums so far, also when all agree to stop."""
    pulka = table(*ESSAY[:3])
    assert pulka.sheet.settle() == [-36, 36] and not pulka.is_over
    assert "not over yet; settled as if stopped here" in pulka_text(pulka)
    stopped = table(*ESSAY[:3], {"stop": True, "note": "the train comes"})
    assert stopped.stopped and stopped.sheet.settle() == pulka.sheet.settle()
    assert "stopped by consent [the train comes]" in pulka_text(stopped, every_deal=True)
    assert table().sheet.settle() == [0, 0]


# Telling


def test_the_report() -> None:
    """The paper table, the sums, the winner and the money."""
    report = pulka_text(table(*ESSAY, title="Train", stake=0.5, currency="EUR"))
    assert report.splitlines() == [
        "Train, Razboinik, deals: 12, the pulka is over",
        "",
        "sheet",
        "game (price of a trick)  Anna  Boris",
        "6 (2)                       0     -2",
        "7 (4)                      -8      0",
        "8 (6)                       0     -6",
        "9 (8)                       0    -16",
        "10 (10)                   -20      0",
        "misere (10)               -30    -20",
        "sum                       -58    -44",
        "",
        "settlement",
        "                         Anna  Boris",
        "points                    -58    -44",
        "result, points            -14     14",
        "money, 0.5 EUR a point  -7.00   7.00",
        "",
        "Boris wins by 14",
        "",
        "who pays whom",
        "  Anna pays Boris: 7.00 EUR",
    ]


def test_the_report_of_every_deal() -> None:
    """Each deal with its points, its value, and the table after it."""
    pulka = table("Anna 8♥/-3", {"Boris": "M/=", "note": "at last"})
    assert [describe(step, Words()) for step in pulka.steps] == [
        "Anna 8♥/-3 (Boris deals)",
        "Boris misere/= (Anna deals) [at last]",
    ]
    lines = [line.strip() for line in pulka_text(pulka, every_deal=True).splitlines()]
    assert lines[3:5] == ["Anna: -18", "value of the deal: Anna -18, Boris 18"]
    assert lines[15:17] == ["-", "value of the deal: Anna 0, Boris 0"]
    russian = pulka_text(pulka, "ru", every_deal=True)
    for words in (
        "игра (цена взятки)",
        "мизер (10)",
        "сумма",
        "итог, очки",
        "выигрывает Boris: 18",
    ):
        assert words in russian
    assert "Anna платит Boris: очков: 18" in russian


def test_nobody_wins() -> None:
    """Equal sums are a draw."""
    report = pulka_text(table("Anna 7/-1", "Boris 6/-2"))
    assert "nobody wins" in report and "nobody owes anything" in report
    told = pulka_json(table("Anna 7/-1", "Boris 6/-2"))["settlement"]
    assert (told["difference"], told["winner"]) == (0, None)


def test_json() -> None:
    """Pool and total are null; rows are null while they are open."""
    told = pulka_json(table("Anna 8♥/-3", stake=2), every_deal=True)
    assert told["pool"] is None and told["total"] is None
    empty = dict.fromkeys(("6", "7", "8", "9", "10", "misere"))
    sheet = {"rows": [{**empty, "8": 18}, empty], "points": [18, 0]}
    assert told["sheet"] == sheet
    assert told["settlement"] == {
        "points": [18, 0],
        "difference": 18,
        "winner": "Boris",
        "result": [-18, 18],
    }
    assert told["money"] == ["-36", "36"]
    (entry,) = told["entries"]
    assert entry["deal"] == {
        "kind": "tricks",
        "dealer": "Boris",
        "declarer": "Anna",
        "contract": "8♥",
        "result": "-3",
        "calls": {},
        "open": None,
        "tricks": [5, 5],
        "raspas_index": None,
    }
    assert entry["writes"] == {"points": [18, 0]}
    assert entry["value"] == [-18, 18] and entry["sheet"] == sheet


def test_the_drawn_table() -> None:
    """The paper table, in SVG and in text; the footer has the winner and who pays."""
    pulka = table(*ESSAY[:8], title="Train")
    picture = make_picture(pulka)
    assert isinstance(picture, Grid)
    assert picture.rows[0] == ["game (price of a trick)", "Anna", "Boris"]
    assert picture.rows[2:4] == [["7 (4)", "-8", ""], ["8 (6)", "", "-6"]]
    assert picture.rows[-1] == ["sum", "-58", "-44"]
    assert picture.footer == ["Boris wins by 14", "Anna pays Boris: 14 points"]
    for drawn in (svg_sheet(picture), text_sheet(picture)):
        assert all(cell in drawn for row in picture.rows for cell in row)
        assert all(line in drawn for line in picture.footer)
    whole = make_picture(pulka, "ru", terminal=True)
    assert "итог, очки" in text_sheet(whole)


# The sheet in Python


def sheet() -> ScoreSheet:
    return ScoreSheet(find_variant("razboinik"))


def played(declarer: int, level: int, taken: int, kind: int = TRICKS) -> DealResult:
    """A deal of a declarer who is the eldest."""
    tricks = (taken, 10 - taken) if declarer == 0 else (10 - taken, taken)
    return DealResult(1 - declarer, kind, declarer, level, tricks=tricks)


def test_a_sheet_of_rows() -> None:
    """Deals fill rows; the sums are mountains, and a point is a whist."""
    board = sheet()
    assert (board.n, board.target, board.total) == (2, 0, 0)
    entries = board.write(played(0, 8, 5))
    assert (entries.mountain, entries.pool) == ([18, 0], [0, 0])
    assert board.write(played(1, 6, 3, MISERE_GAME)).mountain == [0, 30]
    assert board.rows == [[None, None, 18, None, None, None], [*[None] * 5, 30]]
    found = board.settlement()
    assert (found.points, found.difference, found.result) == ([18, 30], 12, [12, -12])
    assert found.share == [0, 12] and found.pairs == [[0, 12], [-12, 0]]
    assert board.entries(played(0, 8, 4)).mountain == [24, 0]


def test_what_no_table_has() -> None:
    """Each with one sentence: rows played before, raspas, unplayed deals, a pool, wrong records."""
    board = sheet()
    board.write(played(0, 8, 5))
    refused = {
        "player 0 has played 8 before": lambda: board.write(played(0, 8, 8)),
        "has a declarer and is played": lambda: board.write(DealResult(0, RASPAS, tricks=(4, 6))),
        "each deal of razboinik": lambda: board.entries(DealResult(0, TRICKS, 1, 7)),
        "razboinik has no pool": lambda: board.gain(0, 4),
        "no penalty for wrong": lambda: board.misrecord(0, "mountain", 4),
        "write the row as it was": lambda: board.correct(0, "mountain", 4),
        "does not end by time": board.call_time,
        "razboinik has a table of rows": lambda: board.set([1, 2]),
        "only a fourth player can join; 2 play": lambda: board.join(0),
        "sochi has pool, mountain and whists": lambda: ScoreSheet(
            find_variant("sochi"), 2
        ).set_rows([[1]]),
    }
    for words, act in refused.items():
        with pytest.raises(SheetError, match=words):
            act()
    assert board.mountain == [18, 0] and board.n_deals == 1
    assert ScoreSheet(find_variant("sochi"), 2).rows == []


def test_a_table_in_mid_game() -> None:
    """Rows may be put on the sheet as they stand."""
    board = sheet()
    board.set_rows([[0, 8, None, None, 20, 30], [2, None, 6, Fraction(16), None, 20]])
    assert board.mountain == [58, 44] and board.settle() == [-14, 14]
    board.write(played(0, 9, 8))
    assert board.mountain == [66, 44] and not board.is_over()
    board.set_rows([[0] * 6, [0] * 6])
    assert board.is_over() and board.settlement().difference == 0


def test_three_whose_variant_is_not_for_four(tmp_path: Any) -> None:
    """Nobody can join where the variant is played by three alone."""
    path = tmp_path / "three.toml"
    path.write_text('title = "Three"\nbase = "sochi"\nplayers = [3]\n', encoding="utf-8")
    board = ScoreSheet(find_variant(str(path)))
    with pytest.raises(SheetError, match="three is not played by four, so nobody can join"):
        board.join(2)


def test_a_house_table() -> None:
    """Other prices stand in the first column."""
    pulka = game_of(
        protocol("Anna 6/-1", **HEAD, conventions={"razboinik": {"price": [5, 4, 3, 2, 1]}})
    )
    assert pulka.sheet.rows[0][0] == 5 and "6 (5) " in pulka_text(pulka)
