"""The two forms of a deal record: what they hold, that nothing is lost, and what is refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from record_makers import random_record

from sim.convert.playing import play_record
from sim.convert.writing import complete
from sim.deals import N_DEALS, second_first, unrank
from sim.records.jsonform import format_json, parse_json, record_schema
from sim.records.model import Move, Record, RecordFormError, read_data, record_data
from sim.records.text import format_text, parse_text
from sim.records.words import DUMMY, SECTIONS, spell

SCHEMA = Draft202012Validator(record_schema())
SCHEMA_FILE = Path(__file__).parent.parent / "docs" / "record.schema.json"

N_RANDOM = 180


@pytest.fixture(scope="module")
def randoms() -> list[Record]:
    """Whole records of random deals under random conventions."""
    return [random_record(random.Random(seed)) for seed in range(N_RANDOM)]


def with_moves(record: Record, change: Callable[[tuple[Move, ...]], tuple[Move, ...]]) -> Record:
    """A record with the moves of each section, and of each trick, changed."""
    moves = {section: change(found) for section, found in record.moves.items()}
    return replace(record, moves=moves, tricks=tuple(map(change, record.tricks)))


def only(asked: set[tuple[int, str]]) -> Callable[[tuple[Move, ...]], tuple[Move, ...]]:
    """A change that leaves some moves."""
    return lambda moves: tuple(move for move in moves if (move.player, move.word) in asked)


def played(record: Record) -> Record:
    """The record as it is written after it has been played again."""
    return complete(play_record(record, "a record"))


# Nothing is lost


def test_both_forms_read_back(randoms: list[Record]) -> None:
    """Text and JSON give the same record, alone and many in a file, and fit the schema."""
    for record in randoms:
        text, data = format_text([record]), format_json([record])
        assert parse_text(text, "a text") == [record] == parse_json(data, "JSON")
        assert format_text(parse_text(text, "a text")) == text
        assert format_json(parse_json(data, "JSON")) == data
        SCHEMA.validate(json.loads(data))
        assert all(len(line) <= 100 or line.startswith("set ") for line in text.splitlines())
    assert parse_text(format_text(randoms), "a text") == randoms
    assert parse_json(format_json(randoms), "JSON") == randoms


def test_records_are_played_again(randoms: list[Record]) -> None:
    """The engine makes the same record of a record; every section is met."""
    seen: Counter[str] = Counter()
    for record in randoms:
        assert played(record) == record
        seen.update(list(record.moves))
        seen["unfinished"] += record.unfinished
        seen["reversed"] += record.reversed
        seen["talon"] += "talon" in format_text([record]).partition("trick 1")[2]
        seen["dummy"] += any(move.player == DUMMY for trick in record.tricks for move in trick)
        seen["two cards"] += any(len(trick) == 2 for trick in record.tricks[:-1])
        seen["rows"] += "rows" in record.sheet
        seen["fir-trees"] += "fir_trees" in record.sheet
        seen["thrown in"] += record.value == (0, 0) and not record.tricks
        seen["columns"] += "columns" in record.sheet
        seen["soup"] += "soup" in record.sheet
        seen["refets"] += "refets" in record.sheet
        three = record.players > 2
        seen["two of three"] += three and any(len(trick) == 2 for trick in record.tricks[:-1])
        seen["stopped"] += 0 < len(record.tricks) < 10 and not record.unfinished
    more = {"talon", "dummy", "two cards", "rows", "fir-trees", "thrown in"}
    more |= {"columns", "soup", "refets", "two of three", "stopped"}
    wanted = {*SECTIONS, "unfinished", "reversed", *more} - {"tricks"}
    assert wanted <= {key for key, count in seen.items() if count}, seen


def test_players_may_be_left_out(randoms: list[Record]) -> None:
    """Moves without players are the moves of those whose turn it is."""
    for record in randoms:
        bare = with_moves(record, lambda moves: tuple(Move(None, move.word) for move in moves))
        assert parse_text(format_text([bare]), "a text") == [bare]
        assert played(bare) == record


def test_forced_moves_may_be_left_out(randoms: list[Record]) -> None:
    """Moves with one legal choice need not be written, nor the leads of the talon."""
    left_out = 0
    for record in randoms:
        if record.unfinished:
            continue
        steps = play_record(record, "a record").story.steps
        short = with_moves(record, only({(s.owner, s.word) for s in steps if s.asked}))
        left_out += sum(map(len, record.tricks)) - sum(map(len, short.tricks))
        assert played(short) == record
        bare = replace(
            short,
            tricks=tuple(tuple(Move(None, m.word) for m in trick) for trick in short.tricks),
        )
        assert played(bare) == record
    assert left_out > 300


def test_number_or_cards_are_enough(randoms: list[Record]) -> None:
    """The cards follow from the number, and the number from the cards in their order."""
    for record in randoms[:25]:
        assert played(replace(record, hands=None, talon=None)) == record
        assert played(replace(record, number=None, reversed=False)) == record
        assert played(replace(record, taken=None, value=None, pool=record.pool)) == record


def test_a_deal_may_break_off_anywhere(randoms: list[Record]) -> None:
    """Cut after any card, the record says unfinished and is played up to there."""
    chance = random.Random(1)
    for record in [one for one in randoms if len(one.tricks) > 3][:30]:
        k = chance.randrange(1, len(record.tricks))
        last = record.tricks[k][: chance.randrange(1, 4)]
        if len(last) == len(record.tricks[k]) or last[-1].word.startswith("talon"):
            last = last[:1]
        if any(move.word.startswith("talon") for move in last):
            continue
        cut = replace(
            record,
            tricks=(*record.tricks[:k], last),
            moves={s: m for s, m in record.moves.items() if s != "points"},
            unfinished=True,
            taken=None,
            value=None,
        )
        assert played(cut) == cut


# The cards


def talon_text(number: int, turned: bool) -> str:
    """The lines of the cards of a deal, the talon's in one order or the other."""
    first, second, third, talon = (int(x) for x in unrank(number))
    record = Record("sochi", 3, 2, number, hands=(first, second, third), talon=())
    low, high = (talon & -talon).bit_length() - 1, talon.bit_length() - 1
    order = (high, low) if second_first(number) != turned else (low, high)
    return format_text([replace(record, talon=order)]).rstrip()


@pytest.mark.parametrize("number", [0, 1, 2, 12345, N_DEALS - 1])
def test_the_order_of_the_talon(number: int) -> None:
    """A number fixes the order; the other order is that of the number reversed."""
    as_dealt = parse_text(f"{talon_text(number, False)}\nunfinished", "game")[0]
    assert not played(as_dealt).reversed
    turned = talon_text(number, True) + "\nunfinished"
    with pytest.raises(RecordFormError, match=f"is that of deal {number} reversed$"):
        play_record(parse_text(turned, "game")[0], "game")
    said = turned.replace(f"deal       {number}", f"deal       {number} reversed")
    assert played(parse_text(said, "game")[0]).reversed
    bare = played(parse_text(turned.replace(f"deal       {number}", "deal"), "game")[0])
    assert bare.reversed and bare.number == number


def test_a_number_of_other_cards() -> None:
    """A number and cards that contradict each other are refused."""
    text = talon_text(5, False).replace("deal       5", "deal 6") + "\nunfinished"
    with pytest.raises(RecordFormError, match="the cards are not those of deal 6, but of 5"):
        play_record(parse_text(text, "game")[0], "game")


# By hand

BY_HAND = """
# Friday
DEAL                     # by hand
variant Сочи
Players 3
dealer 2
PLAYER 1 ST987 CJT9 DQJ H8
player 0 ♠AKQJ ♣AKQ ♦AK ♥7
player 2 .87.T987.AKQJ
talon ht H9
auction 0:6NT, pass,
        2 : pass
discard h7 ♥9
contract 7nt
whist Whists, passes
open  closed
unfinished
"""


def test_a_record_by_hand() -> None:
    """Comments, letters for suits, hands in any order and notation, lines that go on."""
    record = parse_text(BY_HAND, "game")[0]
    assert record.moves["auction"] == (Move(0, "6NT"), Move(None, "pass"), Move(2, "pass"))
    assert record.moves["whist"] == (Move(None, "whist"), Move(None, "pass"))
    whole = played(record)
    assert whole.variant == "sochi" and whole.pool == 20 and whole.number is not None
    assert format_text([whole]).splitlines()[-5:] == [
        "discard    0:♥7 ♥9",
        "contract   0:7NT",
        "whist      1:whist, 2:pass",
        "open       1:closed",
        "unfinished",
    ]


def test_a_variant_in_a_file(tmp_path: Path) -> None:
    """The path of a house variant is taken from the folder of the records."""
    house = 'title = "House"\nbase = "sochi"\n[raspas]\nprice = 7\n'
    (tmp_path / "house.toml").write_text(house, encoding="utf-8")
    text = "deal 5\nvariant house.toml\nplayers 3\ndealer 0\nset raspas.price = 7\nunfinished"
    record = parse_text(text, "game")[0]
    found = play_record(record, "game", tmp_path)
    assert found.variant.conventions["raspas.price"] == 7
    whole = complete(found)
    assert whole.variant == "house.toml" and whole.settings == {}
    with pytest.raises(RecordFormError, match="^game: house.toml: cannot be read"):
        play_record(record, "game")


HEAD = "deal 5\nvariant sochi\nplayers 3\ndealer 2\n"

WRONG_TEXTS = [
    ("", "game holds no record: a record begins with a line deal"),
    ("# nothing\n\n", "game holds no record: a record begins with a line deal"),
    (
        "variant sochi",
        "game, line 1: a record begins with a line deal, not with variant",
    ),
    (
        "  deal 5",
        "game, line 1: a line that begins with a space goes on with the line before it, and there "
        "is none",
    ),
    ("deal 5", "game, line 1: players: players is missing: 2, 3 or 4"),
    (
        "deal 5\nplayers 3\ndealer 0",
        "game, line 1: variant: variant is missing: its name, or a .toml file",
    ),
    (
        "deal 5\nplayers 3\nvariant sochi",
        "game, line 1: dealer: dealer is missing: the player who deals",
    ),
    (
        "deal five",
        "game, line 1: number: write deal, or deal and its number, or deal NUMBER reversed",
    ),
    (
        HEAD.replace("5", "-1"),
        f"game, line 1: number: deal number -1 is not possible: write 0 to {N_DEALS - 1}",
    ),
    (
        HEAD.replace("deal 5", "deal"),
        "game, line 1: number: the cards are missing: write a number, or all hands",
    ),
    (
        HEAD.replace("deal 5", "deal reversed"),
        "game, line 1: number: the cards are missing: write a number, or all hands",
    ),
    (HEAD + "acution pass", "game, line 5: acution begins no line; did you mean auction?"),
    (HEAD + "auction", "game, line 5: auction: nothing stands after it"),
    (HEAD + "discard ,", "game, line 5: discard: an entry between two commas is empty"),
    (
        BY_HAND.replace("DEAL ", "DEAL reversed "),
        "game, line 3: reversed: only the talon of a number is reversed",
    ),
    (
        HEAD + "auction pass,,pass",
        "game, line 5: auction: '' is not a call: write pass, hold, or "
        "a contract such as 6S, 7NT, misere, 9S wt; in the refet game a number from 2 to 8, game, "
        "game betl, game sans",
    ),
    (HEAD + "auction pass\nauction pass", "game, line 6: auction: stands twice (first in line 5)"),
    (HEAD + "auction 3:pass", "game, line 5: auction: 3 must be a whole number from 0 to 2"),
    (
        HEAD + "whist halt",
        "game, line 5: whist: 'halt' is not one of pass, whist, half; did you mean half?",
    ),
    (
        HEAD + "trick 1 ♠1",
        "game, line 5: tricks 1: card '♠1' is not known: write suit S C D H "
        "and rank 7 8 9 T J Q K A",
    ),
    (HEAD + "trick ♠A", "game, line 5: tricks: write the trick's number, 1 to 10, and its cards"),
    (
        HEAD + "trick 11 ♠A",
        "game, line 5: tricks: write the trick's number, 1 to 10, and its cards",
    ),
    (HEAD + "trick 2 ♠A\ntrick 1 ♠K", "game, line 6: tricks 1: trick 1 stands after trick 2"),
    (
        HEAD + "set raspas.prise = 10",
        "game, line 5: settings raspas.prise: raspas.prise is not a "
        "convention; did you mean raspas.price?",
    ),
    (
        HEAD + "set raspas.price = ten",
        "game, line 5: settings raspas.price: raspas.price = 'ten'; "
        "allowed: an integer from 0 to 1000",
    ),
    (
        HEAD + "set raspas.price",
        "game, line 5: settings: write KEY = VALUE, for example raspas.price = 10",
    ),
    (HEAD + "sheet moon 3", "game, line 5: sheet moon: moon is not on a sheet"),
    (HEAD + "sheet pool 1 2", "game, line 5: sheet pool: [1, 2] must be a list of 3"),
    (
        HEAD + "sheet pool 1 2 1/7",
        "game, line 5: sheet pool: '1/7' must be a number up to "
        "1000000, whole or in twelfths such as 5/2",
    ),
    (
        HEAD + "sheet whists 1 2 3 / 1 0 1 / 1 1 0",
        "game, line 5: sheet whists: a player has whists on himself",
    ),
    (
        HEAD + "sheet raspas_index 8",
        "game, line 5: sheet raspas_index: 8 must be a whole number from 0 to 7",
    ),
    (HEAD + "claims off", "game, line 5: claims: write claims on, or leave it out"),
    (HEAD + "unfinished yes", "game, line 5: unfinished: write unfinished, or leave it out"),
    (HEAD + "pool 0", "game, line 5: pool: 0 must be a whole number from 1 to 10000"),
    (
        HEAD + "player 5 ♠A",
        "game, line 5: hands: write a player's number and his hand, ♠AKQ ♣T98 ♦J7 ♥-",
    ),
    (
        HEAD + "player 0 ♠A ♠K",
        "game, line 5: hands 0: '♠K': write each suit once, ♠AKQ ♣T98 ♦J7 ♥-",
    ),
    (HEAD + "player 0 ♠AA", "game, line 5: hands 0: hand 'AA...' has ♠A twice"),
    (HEAD + "player 0 ♠A", "game, line 5: hands: the hand of player 1 is missing"),
    (
        HEAD + "player 0 ♠A\nplayer 1 ♠K\nplayer 2 ♠Q",
        "game, line 5: hands: A... has 1 cards, not 10",
    ),
    (
        HEAD + "talon ♠A ♥7",
        "game, line 1: hands: all hands and the talon belong together: one is missing",
    ),
    (BY_HAND.replace("talon ht H9", "talon h7 H9"), "game, line 7: hands: ♥7 is dealt twice"),
    (
        BY_HAND.replace("Players 3", "Players 4"),
        "game, line 9: hands 2: player 2 has no cards in this deal",
    ),
    (HEAD + "value 1 2", "game, line 5: value: [1, 2] must be a list of 3"),
    (HEAD + "note a # b\nnote c", "game, line 6: note: stands twice (first in line 5)"),
]


@pytest.mark.parametrize("text, message", WRONG_TEXTS, ids=[m for _, m in WRONG_TEXTS])
def test_what_a_text_may_not_say(text: str, message: str) -> None:
    """One sentence with the line, the field and what may be written."""
    with pytest.raises(RecordFormError) as error:
        parse_text(text, "game")
    assert str(error.value) == message


def json_text(**changes: Any) -> str:
    """A JSON file of one record with some fields changed (None: left out)."""
    data = {"number": 5, "variant": "sochi", "players": 3, "dealer": 2, **changes}
    deal = {key: value for key, value in data.items() if value is not None}
    return json.dumps({"version": 1, "deals": [deal]})


WRONG_JSON = [
    ("{", "game: not a JSON file: "),
    ("[]", "game: records are a table with version and deals"),
    ('{"version": 1}', "game: deals must be a list of records, at least one"),
    ('{"version": 2, "deals": []}', "game: version 2: this program reads 1"),
    ('{"version": 1, "deals": [], "x": 1}', "game: x is not a key"),
    ('{"version": 1, "version": 1}', "game: not a JSON file: version stands twice"),
    ('{"version": 1, "deals": [5]}', "game, deal 1: 5 must be a table"),
    (json_text(auktion=[]), "game, deal 1: auktion is not a key; did you mean auction?"),
    (json_text(players=5), "game, deal 1: players: 5 must be a whole number from 2 to 4"),
    (json_text(number="5"), "game, deal 1: number: '5' must be the number of a deal"),
    (json_text(auction=[[0]]), "game, deal 1: auction: [0] must be a list of 2"),
    (json_text(auction=[["0", "pass"]]), "game, deal 1: auction: '0' must be a whole number"),
    (json_text(auction=[[0, 7]]), "game, deal 1: auction: 7 must be text"),
    (json_text(auction="pass"), "game, deal 1: auction: 'pass' must be a list of 0 to 96"),
    (json_text(tricks=[[[0, "SA"]] * 5]), "game, deal 1: tricks 1: "),
    (json_text(claims=1), "game, deal 1: claims: 1 must be true or false"),
    (json_text(note="a  b"), "game, deal 1: note: 'a  b' must be one line of single-spaced"),
    (json_text(note=""), "game, deal 1: note: '' must have 1 to 200 letters"),
    (json_text(variant=" "), "game, deal 1: variant: ' ' must be the name of a variant"),
    (json_text(hands=["AKQ...", "", ""]), "game, deal 1: hands: AKQ... has 3 cards, not 10"),
    (json_text(hands=["", "", ""]), "game, deal 1: hands: hand '' has 1 suits"),
    (json_text(hands=["A" * 70, "", ""]), f"game, deal 1: hands: '{'A' * 70}' is too long"),
    (
        json_text(reversed=True, number=None, hands=[".." * 2] * 3, talon=["S7", "S8"]),
        "game, deal 1: hands: hand '....' has 5 suits",
    ),
    (json_text(settings=[]), "game, deal 1: settings: [] must be a table"),
    (json_text(reversed=True, number=None), "game, deal 1: number: the cards are missing"),
    (json_text(value=["1/0", 0, 0]), "game, deal 1: value: '1/0' must be a number"),
    (json_text(taken=[11, 0, 0]), "game, deal 1: taken: 11 must be a whole number from 0 to 10"),
]


@pytest.mark.parametrize("text, message", WRONG_JSON, ids=[m for _, m in WRONG_JSON])
def test_what_json_may_not_say(text: str, message: str) -> None:
    """One sentence with the deal, the field and what may be written."""
    with pytest.raises(RecordFormError) as error:
        parse_json(text, "game")
    assert str(error.value).startswith(message)


def test_words_have_one_spelling() -> None:
    """What is read in several spellings is kept in one, which reads as itself."""
    told = {
        ("auction", "Hold"): "hold",
        ("auction", "10s  WT"): "10♠ wt",
        ("auction", "m"): "misere",
        ("contract", "concedes"): "concede",
        ("whist", "HALF-WHIST"): "half",
        ("whist", "Whist  with 3"): "whist with 3",
        ("dark", "dark"): "dark pass",
        ("tricks", "Talon  sa"): "talon ♠A",
        ("tricks", "h7"): "♥7",
        ("agree", "Agrees"): "agree",
        ("row", "Misere"): "misere",
        ("open", "BLIND"): "blind",
        ("catch", "Catches"): "catch",
        ("points", "Mountain"): "mountain",
    }
    for (section, text), word in told.items():
        assert spell(section, text) == word == spell(section, word)


# The schema


def test_the_schema_is_that_of_the_file() -> None:
    """``docs/record.schema.json`` is what ``preferans convert --schema`` prints."""
    Draft202012Validator.check_schema(record_schema())
    same = json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == record_schema()
    assert same, "write it again: preferans convert --schema > docs/record.schema.json"


@pytest.mark.parametrize("text", [text for text, _ in WRONG_JSON[1:]][:12])
def test_wrong_forms_do_not_fit_the_schema(text: str) -> None:
    """What is wrong by its form is wrong by the schema too."""
    if "stands twice" not in text and text.count('"version"') == 1:
        assert not SCHEMA.is_valid(json.loads(text))


def test_empty_tricks_at_the_end() -> None:
    """Tricks without a card at the end are as if they were not there."""
    text = json_text(tricks=[[[0, "SA"]], [], []], unfinished=True)
    assert parse_json(text, "game")[0].tricks == ((Move(0, "♠A"),),)


def test_data_of_a_record() -> None:
    """JSON data and records are the same thing."""
    record = parse_text(BY_HAND, "game")[0]
    assert read_data(record_data(record)) == record
