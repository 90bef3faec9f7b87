"""Golden deals of the refet game: what is written by hand arithmetic and by a second scorer, what
they cover, how they are told, and what records of the refet game may not say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from naive.refet_scoring import RefetResult
from naive.refet_sheet import RefetSheet, settle_refet, write_refet_deal
from record_makers import FOLDER
from record_scripts_refet import REFET_FILES

from scoring.contract import REFET_CONTRACTS, REFET_SPADES
from scoring.refet import hand_value
from scoring.result import INVITED, MAX_PLAYERS, UNIT, WHISTED
from scoring.variant import find_variant
from sim.convert.playing import Played, play_record
from sim.convert.writing import complete
from sim.records.jsonform import parse_json
from sim.records.model import RecordFormError
from sim.records.text import format_text, parse_text
from sim.records.words import spell
from sim.telling import format_story

WRITTEN = """
clubs after two holds, each for himself | 2*5 | 0 10 0 | 10 -10 10 | |
diamonds at the number bid, the dealer declares | 2*3 | 1 9 0 | 6 -6 6 | 0>1:1*6 |
a game from the hand, its suit named at last | 2*(4+1) | 9 0 1 | -10 10 10 | 2>0:1*10 |
three games, the second in a higher suit | 2*(5+1) | 2 0 8 | 0 12 -12 | 0>2:2*12 |
two games after a number, the first is better | 2*(3+1) | 10 0 0 | -8 0 8 | |
a game in spades from the hand needs no contra | 2*(2+1) | 0 10 0 | 6 -6 6 | |
game sans above a game, led through the declarer | 2*(7+1) | 1 0 9 | 16 16 -16 | 0>2:1*16 |
sans bid to seven, the talon not shown | 2*7 | 0 0 10 | 14 0 -14 | |
numbers may jump, sans at no number | 2*7 | 0 10 0 | 14 -14 14 | |
the next holds before another raises | 2*4 | 9 1 0 | -8 8 8 | 1>0:1*8 |
passed by all, a refet for everybody | | | | | 1 1 1
passed by all, the refets of this pulka are written | | | | |
passed by all, a player is under the hat | | | | |
passed by all, a player at zero is under the hat | | | | |
passed by all, the dealer who sits out has no refet | | | | | 1 1 1
both come, one is short | 2*5 | 0 10 0 | 10 -10 10 | |
both come, less than two but four together | 2*5 | 1 3 6 | 0 0 -10 | 0>2:1*10 1>2:3*10 |
both come, less than two is short with four together | 2*5 | 6 4 0 | -10 0 10 | 1>0:4*10 |
a follower is short though the declarer fails | 2*5 | 0 3 5 | 10 10 0 | 2>1:5*10 |
both come, the declarer fails and play stops | 2*3 | 1 1 4 | 6 0 0 | 1>0:1*6 2>0:4*6 |
the declarer fails and play goes on, soup for five tricks | 2*4 | 3 3 4 | 8 0 0 | 1>0:1*8 2>0:4*8 |
the first comes and plays alone | 2*5 | 0 8 2 | 0 -10 0 | 2>1:2*10 |
the second comes and plays alone, short | 2*5 | 0 0 10 | 0 10 -10 | |
the first invites, four together | 2*5 | 6 1 3 | -10 0 0 | 1>0:4*10 |
the second invites, less than four together | 2*5 | 1 9 0 | 10 -10 0 | 0>1:1*10 |
who invited writes for both | 2*4 | 3 2 5 | 0 0 8 | 0>2:5*8 |
nobody comes | 2*5 | | -10 0 0 | |
nobody is invited in this variant | 2*5 | 0 9 1 | 0 -10 10 | 2>1:1*10 |
beating is compulsory | 2*5 | 0 1 9 | 10 10 -10 | 1>2:1*10 |
the last tricks are certain | 2*5 | 8 2 0 | -10 0 0 | 1>0:2*10 |
contra, who stayed away is drawn in, the contra fails | 2*5*2 | 0 10 0 | 0 -20 20 | |
recontra, the declarer fails | 2*3*4 | 2 3 3 | 0 0 24 | 1>2:5*24 |
subcontra | 2*5*8 | 9 1 0 | -80 80 0 | 1>0:1*80 |
mordcontra, the most there is | 2*5*16 | 0 10 0 | 160 -160 0 | |
recontra is the most in this variant | 2*4*4 | 3 2 0 | 0 0 32 | 0>2:5*32 |
contra of who stayed away | 2*4*2 | 3 2 3 | 16 0 0 | 2>0:5*16 |
under contra each writes his own soup | 2*4*2 | 2 1 3 | 0 16 0 | 0>1:2*16 2>1:3*16 |
nobody says contra in this variant | 2*5 | 1 0 9 | 10 10 -10 | 0>2:1*10 |
spades under contra | 2*2*2 | 8 2 0 | -8 8 0 | 1>0:2*8 |
spades without contra, a refet for everybody | 2*2 | | | | 1 1 1
spades without contra, one follower, the refets are written | 2*2 | | 0 0 -4 | |
spades without contra, four are written | 2*2*2 | | -4 0 0 | | -1 0 0
spades without contra, nothing is written | 2*2*2 | | | |
spades without contra always count as made | 2*2 | | 0 0 -4 | |
nobody comes at spades, which are left | 2*2 | | | | 1 1 1
nobody comes at spades, which are made | 2*2 | | 0 -4 0 | |
spades are played without contra | 2*2 | 0 0 10 | 4 0 -4 | |
betl of the eldest, made | 2*6 | 5 0 5 | 0 -12 0 | |
game betl, failed | 2*(6+1) | 2 3 1 | 0 0 14 | 0>2:5*14 1>2:5*14 |
betl under contra, made, the declarer's hand open | 2*6*2 | 2 8 0 | 0 24 -24 | |
betl under contra, failed | 2*6*2 | 0 3 1 | 0 0 24 | 0>2:5*24 |
betl under contra, failed, each opponent writes | 2*6*2 | 1 5 1 | 0 0 24 | 0>2:5*24 1>2:5*24 |
betl under recontra, failed, ten tricks of soup | 2*6*4 | 1 2 1 | 48 0 0 | 1>0:10*48 |
preferans after the talon | 2*8 | 0 10 0 | 0 -16 0 | |
game preferans, contra | 2*(8+1)*2 | 0 0 1 | 36 0 0 | 2>0:5*36 |
a refet doubles the hand and is crossed off | 2*5*2 | 0 10 0 | 20 -20 20 | | 0 -1 0
one of two refets is used, though nobody comes | 2*5*2 | | 0 0 -20 | | 0 0 -1
a refet is frozen while a player is under the hat | 2*5 | 10 0 0 | -10 10 0 | |
the last hand is cut to what is left of the columns | 2*5 | 0 8 2 | 0 -6 0 | 2>1:2*6 |
the last hand in full, the columns end below nothing | 2*5 | 2 0 8 | 0 0 -10 | 0>2:2*10 |
a follower is short, so that the last hand is not the last | 2*5 | 9 1 0 | -10 10 10 | 1>0:1*10 |
who fails with more than is left writes it twice | 2*4 | 2 1 3 | 0 16 0 | 0>1:2*8 2>1:3*8 |
"""
"""Of each golden deal of three players: its note, the value of the hand (twice the base, one more
from the hand, doubled by contra and refet), tricks by player, what is written into the columns,
soup by whom on whom (tricks times the value), refets; empty where nothing is written or played."""


def by_hand(cell: str) -> list[int]:
    """Numbers by player; an empty cell is nobody's."""
    return [int(x) for x in cell.split()] or [0, 0, 0]


def product(text: str) -> int:
    """The value of a product such as ``2*(4+1)*2``."""
    return int(eval(text)) if text else 0


@pytest.fixture(scope="module")
def golden() -> dict[str, list[Played]]:
    """The golden deals of the refet game, played again."""
    found = {}
    for name in REFET_FILES:
        text = (FOLDER / f"{name}.deal").read_text(encoding="utf-8")
        found[name] = [play_record(record, name) for record in parse_text(text, name)]
    return found


def changes(played: Played, field: str) -> list[int]:
    """What a deal changed on the sheet."""
    story = played.story
    return [after - now for after, now in zip(story.after[field], story.sheet[field], strict=True)]


def test_golden_deals_by_hand(golden: dict[str, list[Played]]) -> None:
    """Columns, soup and refets of every golden deal of three are those of the arithmetic."""
    rows = [[cell.strip() for cell in line.split("|")] for line in WRITTEN.strip().splitlines()]
    deals = [
        played
        for name, found in golden.items()
        if name.endswith("3")
        for played in found
        if played.story.row is not None
    ]
    for (note, value, taken, columns, soup, refets), played in zip(rows, deals, strict=True):
        row = played.story.row
        assert played.record.note == note
        declares = int(row["declarer"]) >= 0
        assert (int(hand_value(row)) if declares else 0) == UNIT * product(value), note
        assert [int(count) for count in row["tricks"][:3]] == by_hand(taken), note
        assert int(row["played"]) == bool(taken), note
        assert changes(played, "mountain")[:3] == [UNIT * x for x in by_hand(columns)], note
        written = [0] * MAX_PLAYERS**2
        for entry in soup.split():
            pair, amount = entry.split(":")
            written[MAX_PLAYERS * int(pair[0]) + int(pair[2])] = UNIT * product(amount)
        assert changes(played, "whists") == written, note
        assert changes(played, "refets")[:3] == by_hand(refets), note


PARTS = {WHISTED: "comes", INVITED: "invited"}


def naive_result(played: Played) -> RefetResult:
    """The result of a deal in the notation of the naive scorer."""
    row, n = played.story.row, played.record.players
    if int(row["declarer"]) < 0:
        return RefetResult(n, played.record.dealer)
    sits = played.record.dealer if n == MAX_PLAYERS else -1
    followers = [i for i in range(n) if i not in (sits, int(row["declarer"]))]
    return RefetResult(
        n,
        played.record.dealer,
        declarer=int(row["declarer"]),
        contract=REFET_CONTRACTS[played.story.contract - REFET_SPADES],
        from_hand=bool(int(row["without_talon"])),
        parts={i: PARTS.get(int(row["decision"][i]), "stays") for i in followers},
        contra=int(row["contra"]),
        contra_by=int(row["contra_by"]) if int(row["contra"]) else None,
        tricks=[int(x) for x in row["tricks"][:n]] if int(row["played"]) else None,
    )


def naive_sheet(played: Played) -> RefetSheet:
    """The sheet before a deal in the naive scorer."""
    record, sheet = played.record, played.record.sheet
    naive = RefetSheet(record.players, played.variant.target(record.pool))
    naive.column = [int(x) for x in sheet.get("columns", naive.column)]
    naive.soup = [[int(x) for x in row] for row in sheet.get("soup", naive.soup)]
    naive.refets = list(sheet.get("refets", naive.refets))
    naive.refets_written = sheet.get("refets_given", max(naive.refets))
    return naive


def test_golden_values_by_the_naive_scorer(golden: dict[str, list[Played]]) -> None:
    """What each golden deal is worth, and its refets, come out of a second scorer."""
    for played in (one for found in golden.values() for one in found):
        if played.story.row is None:
            continue
        conv, sheet = dict(played.variant.conventions), naive_sheet(played)
        before = settle_refet(conv, sheet)
        write_refet_deal(conv, sheet, naive_result(played))
        after = settle_refet(conv, sheet)
        note = played.record.note
        assert played.record.value == tuple(b - a for a, b in zip(before, after, strict=True)), note
        assert played.story.after["refets"][: sheet.n] == sheet.refets, note
        assert played.story.after["refets_given"] == sheet.refets_written, note


def branches(played: Played) -> Iterator[str]:
    """What a golden deal touches."""
    row, record = played.story.row, played.record
    words = {section: [m.word for m in found] for section, found in record.moves.items()}
    if row is None:
        yield "breaks off"
        return
    yield from (word for found in words.values() for word in found if "♠" not in word)
    if int(row["declarer"]) < 0:
        yield f"all pass, {'refets' if sum(changes(played, 'refets')) else 'no refets'}"
        return
    hand = "game " * int(row["without_talon"])
    yield f"plays {hand}{REFET_CONTRACTS[played.story.contract - REFET_SPADES]}"
    yield f"contra {int(row['contra'])}"
    yield f"tricks {len(record.tricks)}, {len(record.tricks[0]) if record.tricks else 0} hands"
    yield "refet" if int(row["refet"]) else "no refet"
    if not int(row["played"]):
        yield f"left {played.variant.conventions['spades.left']}"


def test_golden_deals_cover_the_game(golden: dict[str, list[Played]]) -> None:
    """Every call, contract and doubling, two and three hands, and all that may be left unplayed."""
    every = [played for found in golden.values() for played in found]
    seen = {branch for played in every for branch in branches(played)}
    calls = {"pass", "hold", *"234567", "game", "game betl", "game sans", "game preferans"}
    assert seen >= calls | {"stays", "comes", "alone", "invites"}
    assert seen >= {"none", "contra", "recontra", "subcontra", "mordcontra"}
    assert seen >= {f"plays {word}" for word in REFET_CONTRACTS}
    assert seen >= {f"plays game {word}" for word in REFET_CONTRACTS}
    assert seen >= {f"contra {k}" for k in range(5)}
    assert seen >= {"tricks 10, 2 hands", "tricks 10, 3 hands", "tricks 0, 0 hands"}
    assert any(branch.startswith("tricks ") and int(branch[7]) in range(2, 10) for branch in seen)
    assert seen >= {"all pass, refets", "all pass, no refets", "refet", "no refet", "breaks off"}
    left = ("refet_or_made", "refet_or_four", "refet_or_nothing", "made")
    assert seen >= {f"left {word}" for word in left}
    names = {played.variant.name for played in every}
    assert names == {"refet", "slovenian", "serbian", "ipref", "iklub", "prefko"}


# What is told

TOLD = [
    (
        "clubs after two holds, each for himself",
        [
            "Refet",
            "auction   player 1: 2, player 2: 3, player 0: 4, player 1: mine 4, player 2: pass, ",
            "contract  clubs by player 1\ncome      player 2: comes, player 0: comes\n",
            "worth     10: clubs 10\nmade      by player 1\nfailed    player 0, player 2\n",
            "columns   player 0: 30 + 10 = 40, player 1: 30 - 10 = 20, player 2: 30 + 10 = 40\n",
            "player  column  refets  soup on 0  soup on 1  soup on 2\n",
        ],
    ),
    (
        "three games, the second in a higher suit",
        [
            "suit      player 1: diamonds, player 2: clubs, player 0: yours is better\n",
            "contract  game clubs by player 2\n",
            "soup      player 0 on player 2: 24\n",
        ],
    ),
    (
        "passed by all, a refet for everybody",
        ["left      all have passed\nrefets    one for player 0, player 1, player 2\n"],
    ),
    (
        "passed by all, the refets of this pulka are written",
        ["refets    none: those of this pulka have been written (1)\n"],
    ),
    ("passed by all, a player is under the hat", ["none: player 0 is under the hat\n"]),
    ("passed by all, a player at zero is under the hat", ["none: player 0 is under the hat\n"]),
    ("nobody comes", ["left      nobody has come\nworth     10: clubs 10\ncolumns   player 0: "]),
    (
        "the second invites, less than four together",
        [
            "come      player 2: stays, player 0: comes, player 0: invites\ntricks",
            "failed    player 0",
        ],
    ),
    ("the last tricks are certain", ["certain   player 0: 1 of 10\n"]),
    (
        "recontra, the declarer fails",
        [
            "contra    player 0: none, player 1: contra, player 2: recontra, player 1: none\n",
            "stopped   the contract could not be made any more\n",
            "worth     24: diamonds 6, recontra x4\nfailed    player 2\n",
        ],
    ),
    (
        "spades without contra, a refet for everybody",
        ["left      spades without contra are not played\n", "refets    one for player 0, "],
    ),
    (
        "spades without contra, nothing is written",
        ["worth     8: spades 4, refet x2\n", "refet     of player 1, kept\n"],
    ),
    (
        "game betl, failed",
        ["contract  game betl by player 2\ncome      both, without a question\n"],
    ),
    (
        "a refet doubles the hand and is crossed off",
        ["worth     20: clubs 10, refet x2\n", "refet     of player 1, used\n"],
    ),
    (
        "the last hand is cut to what is left of the columns",
        ["worth     10: clubs 10\ncut       to 6, what was left of the columns\n"],
    ),
    (
        "who fails with more than is left writes it twice",
        ["double    the declarer failed with more than 6, what was left\n"],
    ),
]


def test_told_deals(golden: dict[str, list[Played]]) -> None:
    """Calls in words, what was not played and why, the value and what it is made of."""
    told = {
        played.record.note: f"{played.variant.title}\n{format_story(played.story, played.table)}\n"
        for name, found in golden.items()
        if name.endswith("3")
        for played in found
    }
    for note, lines in TOLD:
        for line in lines:
            assert line in told[note], (note, line, told[note])


# What a record holds


def test_words_have_one_spelling() -> None:
    """What is read in several spellings is kept in one."""
    told = {
        ("auction", "Mine"): "hold",
        ("auction", "7"): "7",
        ("auction", "Game  Betl"): "game betl",
        ("suit", "♥"): "hearts",
        ("suit", "Yours is better"): "pass",
        ("suit", "c"): "clubs",
        ("contract", "d"): "diamonds",
        ("contract", "SANS"): "sans",
        ("contract", "♠"): "spades",
        ("come", "Invite"): "invites",
        ("come", "stay"): "stays",
        ("contra", "Recontra"): "recontra",
        ("contra", "no contra"): "none",
    }
    for (section, text), word in told.items():
        assert spell(section, text) == word == spell(section, word)


def test_refets_need_not_be_counted() -> None:
    """Where only the players' refets are written, they were given as often as somebody has one."""
    text = f"{HEAD}sheet refets 1 0 1\nauction pass, pass, pass"
    played = play_record(parse_text(text, "game")[0], "game")
    assert "sheet      refets_given 1\n" in format_text([complete(played)])
    assert played.story.after["refets"][:3] == [1, 0, 1]


@pytest.mark.parametrize("name", ["refet", "slovenian", "serbian", "ipref", "iklub", "prefko"])
@pytest.mark.parametrize("players", [3, 4])
def test_the_sheet_starts_at_the_start(name: str, players: int) -> None:
    """A sheet that is as at the start of a pulka is left out, whatever the start is."""
    text = f"deal 5\nvariant {name}\npool 44\nplayers {players}\ndealer 0\nunfinished"
    columns = " ".join(["44"] * players)
    for more in ("", f"\nsheet columns {columns}", "\nsheet n_deals 0"):
        whole = complete(play_record(parse_text(text + more, "game")[0], "game"))
        assert whole.sheet == {} and whole.pool == 44
    assert complete(
        play_record(parse_text(text.replace("pool 44\n", ""), "game")[0], "game")
    ).pool == (find_variant(name).pool)


HEAD = "deal 5\nvariant refet\nplayers 3\ndealer 2\n"

WRONG_TEXTS = [
    (
        "auction 9",
        "line 5: auction: '9' is not a call: write pass, hold, or a contract such as 6S, ",
    ),
    ("suit sans", "line 5: suit: 'sans' is not one of pass, spades, diamonds, hearts, clubs"),
    (
        "contract moon",
        "line 5: contract: 'moon' is not a contract: write 6S, 7NT, misere, 9S wt or ",
    ),
    ("come come back", "line 5: come: 'come back' is not one of stays, comes, alone, invites"),
    ("contra kontra", "line 5: contra: 'kontra' is not one of none, contra, recontra, subcontra, "),
    ("sheet columns 1 2", "line 5: sheet columns: [1, 2] must be a list of 3"),
    ("sheet columns 1 2 x", "line 5: sheet columns: 'x' must be a number up to 1000000, whole or "),
    ("sheet soup 0 1 2 / 1 0 1 / 1 1 1", "line 5: sheet soup: a player has soup on himself"),
    ("sheet refets 1 2 -1", "line 5: sheet refets: -1 must be a whole number from 0 to 1000"),
    (
        "sheet refets_given 1 1",
        "line 5: sheet refets_given: [1, 1] must be a whole number from 0 to ",
    ),
]


@pytest.mark.parametrize("line, message", WRONG_TEXTS, ids=[m for _, m in WRONG_TEXTS])
def test_what_a_text_may_not_say(line: str, message: str) -> None:
    """One sentence with the line, the field and what may be written."""
    with pytest.raises(RecordFormError) as error:
        parse_text(HEAD + line, "game")
    assert str(error.value).startswith(f"game, {message}")


WRONG_JSON: list[tuple[dict[str, Any], str]] = [
    ({"sheet": {"columns": 30}}, "sheet columns: 30 must be a list of 3"),
    ({"sheet": {"soup": [[0, 0, 0]]}}, "sheet soup: [[0, 0, 0]] must be a list of 3"),
    ({"sheet": {"refets": ["1", 0, 0]}}, "sheet refets: '1' must be a whole number from 0 to 1000"),
    ({"auction": [[0, 2]]}, "auction: 2 must be text"),
    ({"come": [[3, "comes"]]}, "come: 3 must be a whole number from 0 to 2"),
]


@pytest.mark.parametrize("changed, message", WRONG_JSON, ids=[m for _, m in WRONG_JSON])
def test_what_json_may_not_say(changed: dict[str, Any], message: str) -> None:
    """One sentence with the deal, the field and what may be written."""
    deal = {"number": 5, "variant": "refet", "players": 3, "dealer": 1, **changed}
    with pytest.raises(RecordFormError) as error:
        parse_json(json.dumps({"version": 1, "deals": [deal]}), "game")
    assert str(error.value) == f"game, deal 1: {message}"


FAMILY_CASES = [
    ("refet", "sheet pool 1 2 3", "sheet pool has no meaning in the family refet"),
    ("refet", "sheet mountain 1 2 3", "sheet mountain has no meaning in the family refet"),
    ("refet", "sheet raspas_index 1", "sheet raspas_index has no meaning in the family refet"),
    ("sochi", "sheet columns 1 2 3", "sheet columns has no meaning in the family pool"),
    ("sochi", "sheet refets_given 1", "sheet refets_given has no meaning in the family pool"),
    (
        "refet",
        "sheet refets 2 0 1\nsheet refets_given 1",
        "sheet refets: a player has 2, and refets were written 1 times (refets_given)",
    ),
    (
        "refet",
        "set raspas.price = 3",
        "its settings: raspas.price has no meaning in the family refet",
    ),
    (
        "sochi",
        "set contra.levels = 2",
        "its settings: contra.levels has no meaning in the family pool",
    ),
]


@pytest.mark.parametrize("variant, lines, message", FAMILY_CASES, ids=[x[2] for x in FAMILY_CASES])
def test_what_a_family_has_not(variant: str, lines: str, message: str) -> None:
    """A record has what its variant's family knows."""
    text = f"deal 5\nvariant {variant}\nplayers 3\ndealer 1\n{lines}\nunfinished"
    with pytest.raises(RecordFormError) as error:
        play_record(parse_text(text, "game")[0], "game")
    assert str(error.value) == f"game: {message}"


def test_values_are_exact(golden: dict[str, list[Played]]) -> None:
    """Values of a deal sum to nothing exactly, thirds among them."""
    values = [p.record.value for found in golden.values() for p in found if p.record.value]
    assert all(sum(value) == Fraction(0) for value in values)
    assert any(x.denominator == 3 for value in values for x in value)
