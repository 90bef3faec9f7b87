"""The sheet of the refet game in Python: results that cannot have been, refets, mid-game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from score_bridge import REFET

from scoring.contract import CLUBS, MISERE_GAME, NO_TRUMP, RASPAS, SPADES, TRICKS
from scoring.result import HALF_WHISTED, INVITED, PASSED, WHISTED
from scoring.score_sheet import DealResult, ScoreSheet, SheetError, settle
from scoring.variant import find_variant


def sheet(name: str = "serbian", n: int = 3, start: int = 100, **settings: Any) -> ScoreSheet:
    keys = {key.replace("__", "."): value for key, value in settings.items()}
    return ScoreSheet(find_variant(name, keys), n, start)


def clubs(tricks: Any = (6, 2, 2), kind: int = TRICKS, **more: Any) -> DealResult:
    """Clubs of player 0, to which both come, with some fields changed."""
    calls = {1: WHISTED, 2: WHISTED}
    made = DealResult(2, kind, 0, 6, CLUBS, tricks, calls)
    return replace(made, **more)


IMPOSSIBLE: dict[str, tuple[DealResult, dict[str, Any]]] = {
    "all have passed, so nobody declares": (DealResult(2, RASPAS, tricks=(3, 3, 4)), {}),
    "a contract has a declarer": (clubs(declarer=-1), {}),
    "a contract is for six tricks, or preferans for all ten, not for 7": (clubs(level=7), {}),
    "preferans, all ten tricks, is played without trumps": (clubs(level=10), {}),
    "preferans is not played": (clubs((10, 0, 0), level=10, strain=NO_TRUMP), {}),
    "there is no half-whist": (clubs(decisions={1: WHISTED, 2: HALF_WHISTED}), {}),
    "player 0 is no opponent": (clubs(decisions={0: WHISTED, 1: WHISTED, 2: PASSED}), {}),
    "call of player 2 is missing": (clubs(decisions={1: WHISTED}), {}),
    "player 2 is invited, but player 1, who would invite, does not come": (
        clubs(decisions={1: PASSED, 2: INVITED}),
        {},
    ),
    "player 1 says contra, but the game has none": (clubs(contra_by=1), {}),
    "contra is said by an opponent: say who": (clubs(contra=1), {}),
    "contra is said by an opponent": (clubs(contra=1, contra_by=0), {}),
    "contra mordcontra is not possible": (clubs(contra=4, contra_by=1), {"contra__levels": 3}),
    "contra 5 is not possible; allowed: contra, recontra": (clubs(contra=5, contra_by=1), {}),
    "contra contra is not possible; allowed: none": (
        clubs(contra=1, contra_by=1),
        {"contra__levels": 0},
    ),
    "player 2 does not come, so he cannot say contra": (
        clubs(decisions={1: WHISTED, 2: PASSED}, contra=1, contra_by=2),
        {},
    ),
    "nobody comes, so player 2 cannot": (
        clubs(decisions={1: PASSED, 2: PASSED}, contra=1, contra_by=2),
        {"contra__by": "either"},
    ),
    "plain spades are not played without contra": (clubs(strain=SPADES), {}),
    "nobody comes, so no card is played": (clubs(decisions={1: PASSED, 2: PASSED}), {}),
    "the hand is played, so its tricks": (clubs(None), {}),
    "tricks are those of 3 players": (clubs((6, 4)), {}),
    "player 1 cannot take 11 tricks": (clubs((0, 11, 0)), {}),
    "player 2 does not play, so he takes": (clubs(decisions={1: WHISTED, 2: PASSED}), {}),
    "tricks must sum to 10, or end with the defence's fifth, but 6 [+] 3 [+] 2 = 11": (
        clubs((6, 3, 2)),
        {},
    ),
    "tricks must sum to 10, but": (clubs((2, 3, 2)), {"tricks__stop": False}),
    "or end with the defence's first, but 8 [+] 1 [+] 2": (
        clubs((8, 1, 2), level=10, strain=NO_TRUMP),
        {"bidding__preferans": True},
    ),
    "at betl both opponents play": (
        clubs((0, 5, 5), kind=MISERE_GAME, decisions={1: WHISTED, 2: PASSED}),
        {},
    ),
}


@pytest.mark.parametrize("words", IMPOSSIBLE)
def test_impossible_results(words: str) -> None:
    """Each with one sentence; nothing is written."""
    result, settings = IMPOSSIBLE[words]
    board = sheet(**settings)
    for act in (board.write, board.entries):
        with pytest.raises(SheetError, match=words):
            act(result)
    assert board.columns == [100] * 3 and board.n_deals == 0


def test_possible_results() -> None:
    """What looks like them and may be: plain spades under contra or by agreement, a play that
    stopped."""
    board = sheet()
    board.write(clubs(strain=SPADES, contra=1, contra_by=1))
    board.write(clubs((2, 3, 2)))
    board.write(clubs((1, 2, 0), kind=MISERE_GAME, decisions={}))
    board.write(clubs(None, strain=SPADES))
    assert board.n_deals == 4
    assert sheet(spades__needs_contra=False).write(clubs(strain=SPADES)).columns[0] == -4
    assert sheet(n=4).write(DealResult(0, RASPAS)).columns == [0] * 4
    sitting = DealResult(0, TRICKS, 0, 6, CLUBS, (6, 2, 2, 0), {1: WHISTED, 2: WHISTED})
    with pytest.raises(SheetError, match="player 0 deals and sits out"):
        sheet(n=4).write(sitting)


def test_a_refet_is_the_sheets() -> None:
    """What a result says of a refet may be asked, but not written against the sheet."""
    board = sheet()
    doubled = clubs(refet=True)
    assert board.entries(doubled).columns[0] == -20 and not board.on_refet(doubled)
    with pytest.raises(SheetError, match="player 0 has no refet to play on"):
        board.write(doubled)
    board.write(DealResult(1, RASPAS))
    with pytest.raises(SheetError, match="player 0 has a refet to play on"):
        board.write(clubs(refet=False))
    board.write(doubled)
    assert board.columns == [80, 100, 100] and board.refets == [0, 1, 1]


def test_a_sheet_in_mid_game() -> None:
    """Columns, soup and refets as they stand; the hat; the limit of refets."""
    board = sheet()
    board.set_columns((20, -2, 30), {(0, 1): 12, (1, 0): Fraction(8)}, (1, 0, 0))
    assert (board.columns, board.refets, board.refets_given) == ([20, -2, 30], [1, 0, 0], 1)
    assert board.soup == [[0, 12, 0], [8, 0, 0], [0, 0, 0]] and board.is_under_hat()
    assert board.on_refet(clubs()) and not board.gives_refets(DealResult(2, RASPAS))
    board.set_columns((20, 2, 30), refets_given=2)
    assert board.refets_most == 2 and not board.gives_refets(DealResult(2, RASPAS))
    board.set_columns(refets=(0, 0, 0))
    assert board.gives_refets(DealResult(2, RASPAS))
    for name, act in {
        "serbian has contract columns and soup and no pool": lambda: board.set([1, 2, 3]),
        "serbian has contract columns and soup, and no rows": lambda: board.set_rows([[1]]),
        "serbian has no pool": lambda: board.gain(0, 4),
        "sochi has no contract columns": lambda: sheet("sochi").set_columns([1]),
    }.items():
        with pytest.raises(SheetError, match=name):
            act()
    other = sheet("sochi", start=10)
    assert (other.columns, other.soup, other.refets) == ([], [], [])


@pytest.mark.parametrize("name", REFET)
def test_settlement_of_a_sheet(name: str) -> None:
    """An interrupted pulka of any variant; whole points where the variant says so."""
    variant = find_variant(name)
    board = ScoreSheet(variant, 3, 30)
    board.set_columns((24, 34, 28), {(0, 1): 10})
    found = board.settlement()
    whole = variant.conventions["last.write_off"] == "whole"
    assert found.written_off == ([28, 29, 29] if whole else [Fraction(86, 3)] * 3)
    assert sum(found.lowered) == 0 and found.result == board.settle()
    assert found.tenfold == [-10 * x for x in found.lowered]
    assert (found.soup_for, found.soup_against) == ([10, 0, 0], [0, 10, 0])
    with pytest.raises(SheetError, match="has contract columns and soup and no pool"):
        settle(name, [0] * 3, [0] * 3, [[0] * 3] * 3)
