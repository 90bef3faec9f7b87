"""Records of two players with the dummy, and of razboinik: whose cards, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sim.cards import format_suit_hand
from sim.convert.playing import play_record
from sim.convert.writing import complete
from sim.records.jsonform import parse_json
from sim.records.model import Record, RecordFormError
from sim.records.text import parse_text
from sim.records.words import DUMMY

HANDS = {
    "player 0": "♠AKQJ ♣AKQ ♦AK ♥7",
    "player 1": "♠T987 ♣JT9 ♦QJ ♥8",
    "dummy": "♠- ♣87 ♦T987 ♥AKQJ",
}
SEATS = {"middle": [0, DUMMY, 1], "first": [DUMMY, 0, 1], "last": [0, 1, DUMMY]}


def played(record: Record) -> Record:
    """The record as it is written after it has been played again."""
    return complete(play_record(record, "a record"))


def test_the_dummys_seat() -> None:
    """The cards are written by player; ``dummy.seat`` says in which hand each is."""
    numbers = set()
    for seat, owners in SEATS.items():
        head = ["deal", "variant classic_two", f"set dummy.seat = {seat}", "players 2", "dealer 1"]
        hands = [f"{name} {hand}" for name, hand in HANDS.items()]
        text = "\n".join([*head, *hands, "talon ♥T ♥9", "unfinished"])
        record = parse_text(text, "game")[0]
        story = play_record(record, "game").story
        assert story.players == owners
        assert format_suit_hand(story.hands[owners.index(DUMMY)]) == HANDS["dummy"]
        whole = played(record)
        assert played(replace(whole, hands=None, dummy=None, talon=None)) == whole
        numbers.add(whole.number)
    assert len(numbers) == 3


FAMILY_CASES = [
    ("razboinik", "pool 20", "game: razboinik has no pool: it ends when all rows are played"),
    ("razboinik", "players 3", "game: razboinik is played by 2 players, not by 3"),
    ("gusarik", "players 4", "game: gusarik is played by 2 players, not by 4"),
    ("razboinik", "sheet pool 1 2", "game: sheet pool has no meaning in the family razboinik"),
    ("razboinik", "sheet n_deals 2", "game: sheet n_deals has no meaning in the family razboinik"),
    (
        "gusarik",
        "sheet rows - - - - - - / - - - - - -",
        "game: sheet rows has no meaning in the family pool",
    ),
    (
        "razboinik",
        "sheet rows 0 0 0 0 0 0 / - - - - - -",
        "game: sheet rows: player 0 declares, and has no open row",
    ),
    (
        "razboinik",
        "set raspas.price = 3",
        "game: its settings: raspas.price has no meaning in the family razboinik",
    ),
]


@pytest.mark.parametrize("variant, line, message", FAMILY_CASES, ids=[x[2] for x in FAMILY_CASES])
def test_what_a_family_has_not(variant: str, line: str, message: str) -> None:
    """A record has what its variant's family knows."""
    head = ["deal 5", f"variant {variant}", "dealer 1", line, "unfinished"]
    head += [] if line.startswith("players") else ["players 2"]
    record = parse_text("\n".join(head), "game")[0]
    with pytest.raises(RecordFormError) as error:
        play_record(record, "game")
    assert str(error.value) == message


HEAD_OF_THREE = "deal 5\nvariant sochi\nplayers 3\ndealer 2\n"
HEAD = "deal 5\nvariant classic_two\nplayers 2\ndealer 1\n"
PLAYERS = "player 0 ♠AKQJT987 ♣AK\nplayer 1 ♥AKQJT987 ♦AK\ntalon ♣7 ♣8"

WRONG_TEXTS = [
    (HEAD_OF_THREE + "dummy ♠A", "line 5: dummy: there is a dummy with two players only"),
    (
        HEAD_OF_THREE + "trick 1 dummy:♠A",
        "line 5: tricks 1: 'dummy' must be a whole number from 0 to 2",
    ),
    (HEAD + "dummy", "line 5: dummy: nothing stands after it"),
    (HEAD + "dummy ♠A\nDummy ♠A", "line 6: dummy: stands twice (first in line 5)"),
    (HEAD + "player 0 ♠A", "line 5: hands: the hand of player 1 is missing"),
    (HEAD + "dummy ♠A", "line 5: dummy: A... has 1 cards, not 10"),
    (HEAD + PLAYERS, "line 5: hands: all hands and the talon belong together: one is missing"),
    (
        HEAD + PLAYERS + "\ndummy ♠A ♣AQJT98 ♦QJT",
        "line 5: hands: ♣A is dealt twice",
    ),
    (
        HEAD + "sheet rows - 4 - / - - - - - -",
        "line 5: sheet rows: [None, 4, None] must be a list of 6",
    ),
    (HEAD + "trick 1 2:♠A", "line 5: tricks 1: 2 must be a whole number from 0 to 1"),
]


@pytest.mark.parametrize("text, message", WRONG_TEXTS, ids=[m for _, m in WRONG_TEXTS])
def test_what_a_text_may_not_say(text: str, message: str) -> None:
    """One sentence with the line, the field and what may be written."""
    with pytest.raises(RecordFormError) as error:
        parse_text(text, "game")
    assert str(error.value) == f"game, {message}"


OPEN_ROWS: list[Any] = [[None] * 6] * 2
WRONG_JSON: list[tuple[dict[str, Any], str]] = [
    ({"players": 3, "dummy": "AKQJT987.AK.."}, "dummy: there is a dummy with two players only"),
    ({"players": 3, "auction": [["dummy", "pass"]]}, "auction: 'dummy' must be a whole number"),
    ({"players": 3, "sheet": {"rows": OPEN_ROWS}}, "sheet rows: rows are those of razboinik, the"),
    ({"sheet": {"rows": [[0] * 6] * 3}}, "sheet rows: [[0, 0, 0, 0, 0, 0], "),
    ({"sheet": {"rows": [[0] * 5] * 2}}, "sheet rows: [0, 0, 0, 0, 0] must be a list of 6"),
    ({"sheet": {"rows": [[-1] * 6] * 2}}, "sheet rows: -1: a row costs nothing or points above"),
    ({"sheet": {"fir_trees": [0, -1]}}, "sheet fir_trees: -1 must be a whole number from 0 to "),
    ({"auction": [[2, "pass"]]}, "auction: 2 must be a whole number from 0 to 1"),
    ({"agree": [[0, "yes"]]}, "agree: 'yes' is not one of refuse, agree"),
    ({"row": [[0, "5"]]}, "row: '5' is not one of 6, 7, 8, 9, 10, misere, talon"),
    ({"hands": ["AKQJT987.AK.."] * 3}, "hands: ['AKQJT987.AK..', "),
    ({"hands": ["AKQJT987.AK.."] * 2}, "hands: all hands and the talon belong together"),
    ({"dummy": "AKQJT987.AK.."}, "hands: all hands and the talon belong together"),
]


@pytest.mark.parametrize("changes, message", WRONG_JSON, ids=[m for _, m in WRONG_JSON])
def test_what_json_may_not_say(changes: dict[str, Any], message: str) -> None:
    """One sentence with the deal, the field and what may be written."""
    deal = {"number": 5, "variant": "sochi", "players": 2, "dealer": 1, **changes}
    with pytest.raises(RecordFormError) as error:
        parse_json(json.dumps({"version": 1, "deals": [deal]}), "game")
    assert str(error.value).startswith(f"game, deal 1: {message}")
