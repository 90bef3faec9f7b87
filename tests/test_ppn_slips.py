"""Each kind of slip seeded into a correct game in PPN is told, and what cannot be read refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cli_bridge import refused
from ppn_bridge import DATA, play_game, text_of

from scoring.protocol.reading import ProtocolError
from sim.convert.ppn import import_ppn

CORRECT = (DATA / "correct.ppn").read_text(encoding="utf-8")
SEEDED: list[dict[str, Any]] = json.loads((DATA / "slips.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("seed", SEEDED, ids=lambda seed: f"{seed['old']!r} to {seed['new']!r}")
def test_seeded_slips_are_told(seed: dict[str, Any]) -> None:
    """One change in the correct file; its slips, and no others, are told."""
    assert seed["old"] in CORRECT
    text = CORRECT.replace(seed["old"], seed["new"], 1)
    assert import_ppn(text, "x").slips == seed["slips"]


def test_a_deal_after_the_end() -> None:
    game = next(g for s in range(4, 40) if (g := play_game(s, 8, most=40)).is_over)
    text = text_of(game)
    *_, last = text.splitlines()
    more = last.replace(f"[{len(game.deals)} ", f"[{len(game.deals) + 1} ")
    slips = import_ppn(f"{text}{more}\n", "x").slips
    assert slips[-1].endswith(
        f": it is not written, for the game ended with deal {len(game.deals)} "
        f"(line {len(text.splitlines())})"
    )


def test_every_change_of_an_amount_is_told() -> None:
    """Whichever number of a summary is changed, by whatever, there is a slip of that deal."""
    lines = text_of(play_game(1)).splitlines()
    n = 0
    for k, line in enumerate(lines):
        words = line.rstrip("]").split()
        if len(words) < 10:
            continue
        for j, part in enumerate(words[-1].split(",")):
            cells = part.split(":")
            for i in range(1, len(cells)):
                sign, digits = (
                    (cells[i][0], cells[i][1:]) if cells[i][0] in "LR" else ("", cells[i])
                )
                changed = [*cells[:i], f"{sign}{int(digits) + 2}", *cells[i + 1 :]]
                parts = words[-1].split(",")
                parts[j] = ":".join(changed)
                bad = f"{' '.join([*words[:-1], ','.join(parts)])}]"
                slips = import_ppn("\n".join([*lines[:k], bad, *lines[k + 1 :]]), "x").slips
                assert len(slips) == 1 and f"(line {k + 1})" in slips[0]
                n += 1
    assert n > 15


REFUSED = (
    ("[1 123", "[x 123", "line 14: x = '123 HIJK"),
    ("[1 123", "(1 123", "line 14: '(1 123 HIJK"),
    ("[1 123", "[1 213", "line 14: deal order = '213' must be 123, 231 or 312, the dealer last"),
    ("78123", "7812", "must be the 32 cards 1 to 9 and A to W, each once; 3 is missing"),
    ("2,P,P", "2,P", "line 14: bids = '2,P' must be three bids, parted by commas"),
    ("2,P,P", "2,P,9", "line 14: bids = '9' must be P, 2 to 8, M2 to M8 (mine), G (a game) or G2"),
    ("P,P,P]", "P,P,P 1]", "line 15: all passed, but '1' stands after the bids"),
    ("P,P,P]", "2,P,P]", "line 15: main is missing after '2,P,P'"),
    ("1 VW 4 8", "4 VW 4 8", "line 14: main = '4' must be the id of a player, 1, 2 or 3"),
    ("1 VW 4 8", "1 V 4 8", "discarded = 'V' must be two cards of 1 to 9 and A to W, or XX"),
    ("1 VW 4 8", "1 VW 9 8", "contract = '9' must be 2 to 8, or G2 to G8 for a game"),
    ("1 VW 4 8", "1 VW 4 1", "accepted = '1' must be 0, 8 (both) or a follower's id, and player 1"),
    ("1 VW 4 8", "1 VW 4 B", "accepted = 'B' must be a whole number from 0 to 9"),
    ("8 K3", "8 Z3", "kontra = 'Z3' must be 0, or I, K, R, S or M and who began: 2 or 3"),
    ("8 K3", "8 K1", "kontra = 'K1' must be 0, or I, K, R, S or M and who began: 2 or 3"),
    ("8 K3", "8 K", "kontra = 'K' must be 0, or I, K, R, S or M and who began: 2 or 3"),
    ("0 0 8 1 O9D1", "0 0 x 1 O9D1", "value = 'x' must be a whole number from 0 to "),
    ("0 0 8 1 O9D1", "0 0 8 4 O9D1", "starts = '4' must be the id of a player, 1, 2 or 3"),
    ("0 0 8 1 O9D1", "0 0 8 1 1 O9D1", "is one field too many between value and summary"),
    ("0 0 8 1 O9D1", "0 0 8 1 O9x1", "throws = 'O9x1' must be two or three cards and who won"),
    ("0 0 8 1 O9D1", "0 0 8 1 O9D4", "throws = 'O9D4' must be cards and who won them, 1, 2, 3"),
    ("0 0 8 1 O9D1", "0 0 8 1 O9D1,O9D1", "throws has 11 tricks, and there are at most 10"),
    ("M10:-8,", "M10:-8;", "line 14: summary = 'M10:-8;F0:L0:8,F0:R0:8' must be three parts"),
    ("M10:-8,", "X10:-8,", "line 14: summary = 'X10:-8' must be 0, M7:-8, F3:L24 or F1:R20:20"),
    ("M10:-8,", "M11:-8,", "tricks of the summary = '11' must be a whole number from 0 to 10"),
    ("[Bula 20]", "[Bula twenty]", "x: Bula = 'twenty' must be a whole number"),
    ("[Bula 20]", "[Bula 0]", "x: pool 0 is not possible"),
    ("[Bula 20]", "Bula 20", "line 1: 'Bula 20' is neither a tag, [Bula 60], nor a deal"),
    ("[Refe 1]", "[Bula 1]", "line 2: the tag Bula stands twice"),
    ("[Refe 1]", "[Refe -1]", "x: Refe = '-1' must be a whole number"),
    ("[Player3 Vera]", "[Player3 Ana]", "x: two players have the name Ana"),
    ("[Result1 160]", "[Result1 x]", "x: Result1 = 'x' must be a whole number"),
    ("[Place1 1]", "[Place1 Mira]", "x: Place1 = 'Mira' is no player: 1, 2, 3, or Ana"),
)


@pytest.mark.parametrize("old, new, message", REFUSED)
def test_what_cannot_be_read_is_refused(old: str, new: str, message: str) -> None:
    """In one sentence with line, field, value, and what is allowed."""
    assert old in CORRECT
    with pytest.raises(ProtocolError) as caught:
        import_ppn(CORRECT.replace(old, new, 1), "x")
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value).startswith("x: ")


OLDER = (
    (" 2,P,P VW ", " X,P,P VW ", "bids = 'X' must be"),
    (" 4 B ", " 4 8 ", "came = '8' must be 0, L, R or B"),
    (" 4 B 0 ", " 4 B K ", "kontra = 'K' must be 0, or I, K, R, S or M and who began: L or R"),
    ("O9DM", "O9D1", "throws = 'O9D1' must be cards and who won them, M, L, R"),
    (" 10:0:-8:0,", " 10:0:-8,", "summary = '10:0:-8' must be"),
    (" 10:0:-8:0,", " 1 2 10:0:-8:0,", "after value stand play and score"),
)
OLDER_LINE = (
    "1. 3 HIJKLMNO781234569ABCDEFGPQRSTUVW 2,P,P VW 4 B 0 8 O9DM,NAEM,MBFM,LCGM,K1PM,J2QM,I3RM,"
    "H4SM,85TM,76UM 10:0:-8:0,0:0:8:0,0:0:8:0"
)


def test_the_older_form_by_hand() -> None:
    """The first deal of the correct file; a pass may be D."""
    for line in (OLDER_LINE, OLDER_LINE.replace("2,P,P", "2,D,D")):
        found = import_ppn(f'[Bula "20"]\n[Refe "1"]\n{line}\n...', "x")
        assert [slip for slip in found.slips if not slip.startswith("the tag")] == []
        assert found.pulka.sheet.columns == [12, 28, 28]


@pytest.mark.parametrize("old, new, message", OLDER)
def test_mistakes_of_the_older_form(old: str, new: str, message: str) -> None:
    assert old in OLDER_LINE
    with pytest.raises(ProtocolError) as caught:
        import_ppn(OLDER_LINE.replace(old, new, 1), "x")
    assert str(caught.value).startswith("x: line 1: ") and message in str(caught.value)


JSON_MISTAKES: tuple[tuple[str, Any, str], ...] = (
    ("dealOrder", None, "dealOrder is missing"),
    ("dealOrder", [1], "dealOrder = [1] must be a word or a whole number"),
    ("cards", {"p1": "1"}, "must have p1, p2, p3, t"),
    ("bids", {"p1": "2", "p2": True, "p3": "P"}, "bids = '1' must be P"),
    ("main", 7, "main = '7' must be the id of a player"),
    ("throws", "O9D1", "throws = 'O9D1' must be a list of tricks"),
    ("throws", [{"winner": 1}], "throws: cards = None must be a word or a whole number"),
    ("throws", [{"cards": "O9D", "winner": 1, "starts": 9}], "starts = '9' must be the id"),
    ("summary", {"p1": 5}, "summary of p1 = 5 must have main"),
    ("summary", {"p1": {"tricks": 99}}, "summary of p1: tricks = '99' must be a whole number"),
    ("summary", None, "summary = None must have p1, p2, p3"),
    ("refa", 7, "refa = '7' must be 0 or 1"),
)


@pytest.mark.parametrize("key, value, message", JSON_MISTAKES)
def test_mistakes_of_the_json_form(key: str, value: Any, message: str) -> None:
    data = json.loads(text_of(play_game(1), "json"))
    place = next(k for k, deal in enumerate(data["deals"]) if "main" in deal)
    data["deals"][place][key] = value
    with pytest.raises(ProtocolError) as caught:
        import_ppn(json.dumps(data), "x")
    assert str(caught.value).startswith(f"x: deal {place + 1}: ") and message in str(caught.value)


def test_leaders_of_the_json_form() -> None:
    """JSON alone tells who leads to each trick."""
    data = json.loads(text_of(play_game(1), "json"))
    k, deal = next((k, x) for k, x in enumerate(data["deals"], 1) if len(x.get("throws", ())) > 1)
    right = deal["throws"][1]["starts"]
    deal["throws"][1]["starts"] = wrong = right % 3 + 1
    slips = import_ppn(json.dumps(data), "x").slips
    lead = f"it is for player {right} to lead"
    assert slips == [f"deal {k}: trick 2: player {wrong} starts, and {lead}"]


@pytest.mark.parametrize("text", ["", "[Bula 20]\n", "{}", "[]", '{"deals": 5}', "{"])
def test_files_without_deals(text: str) -> None:
    with pytest.raises(ProtocolError):
        import_ppn(text, "x")


def test_the_command_refuses_with_one_sentence() -> None:
    assert "no contract columns" in refused("score", DATA / "correct.ppn", "--variant", "sochi")
    assert "end.rounding" in refused("score", DATA / "correct.ppn", "--rounding", "code")
