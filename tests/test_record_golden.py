"""The golden records: frozen in both forms, played again, scored a second time, told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import run
from naive.pulka import Pulka, new_pulka, new_razboinik
from naive.rows import ROWS
from naive.scoring import Result
from naive.sheet import settle
from record_makers import FILES, FOLDER

from scoring.contract import KINDS, MISERE_GAME, RASPAS, TRICKS, format_contract
from scoring.result import DECISIONS, WHISTED
from sim.convert.playing import Played, play_record
from sim.convert.writing import complete
from sim.records.jsonform import format_json, parse_json
from sim.records.model import Record
from sim.records.text import format_text, parse_text
from sim.state import CARD, DARK_PASS, OPEN
from sim.telling import format_story

GOLDEN = sorted(FOLDER.glob("*.deal"))
NAMES = [path.stem for path in GOLDEN]


def read(path: Path) -> list[Record]:
    """The records of a text file."""
    return parse_text(path.read_text(encoding="utf-8"), path.name)


@pytest.fixture(scope="module")
def golden() -> dict[str, list[Played]]:
    """The golden deals, played again."""
    return {path.stem: [play_record(record, path.stem) for record in read(path)] for path in GOLDEN}


def every(golden: dict[str, list[Played]], players: int) -> Iterator[Played]:
    """The golden deals with so many players, but for the refet game (``test_records_refet``)."""
    for name, found in golden.items():
        if name.endswith(str(players)) and not name.startswith("refet"):
            yield from found


# The golden files


def test_golden_families() -> None:
    """Every file of scripts is there, each deal with its note."""
    assert set(NAMES) == set(FILES)
    for path in GOLDEN:
        notes = [record.note for record in read(path)]
        assert notes == [script.note for script in FILES[path.stem]]


@pytest.mark.parametrize("path", GOLDEN, ids=NAMES)
def test_golden_deals(path: Path, golden: dict[str, list[Played]]) -> None:
    """Text and JSON are as they were frozen, say the same, and are what the engine plays."""
    text, data = (p.read_text(encoding="utf-8") for p in (path, path.with_suffix(".json")))
    whole = [complete(played) for played in golden[path.stem]]
    assert format_text(whole) == text and format_json(whole) == data
    assert parse_json(data, path.name) == read(path) == whole


def kind_of(played: Played) -> str:
    """What was played, by its contract or the mode of its raspas."""
    row, variant = played.story.row, played.variant.conventions
    if row is None or int(row["kind"]) == RASPAS:
        four = played.record.players == 4
        return f"raspas {variant['raspas.talon_four' if four else 'raspas.talon']}"
    if int(row["kind"]) == MISERE_GAME:
        return format_contract(played.story.contract)
    return f"{int(row['level'])}{' wt' * int(row['without_talon'])}"


@pytest.mark.parametrize("players", [3, 4])
def test_golden_deals_cover_the_game(players: int, golden: dict[str, list[Played]]) -> None:
    """Every contract and every mode of raspas, and each way in which a deal may go."""
    kinds = Counter(kind_of(played) for played in every(golden, players))
    contracts = {"6", "7", "8", "9", "10", "misere", "9 wt", "10 wt", "misere wt"}
    modes = {"closed", "pass_along", "dealer_plays" if players == 4 else "suit_only"}
    assert set(kinds) == contracts | {f"raspas {mode}" for mode in modes}
    seen: Counter[str] = Counter()
    for played in every(golden, players):
        seen.update(branches(played))
    wanted = set(BRANCHES) - (set() if players == 4 else {"the dealer whists", "dealer open"})
    assert {key for key, count in seen.items() if count} == wanted, seen


def way_of_two(played: Played) -> str:
    """What two players played, and how: by the defender's choice or the conventions."""
    row, conv = played.story.row, played.variant.conventions
    words = {section: [m.word for m in found] for section, found in played.record.moves.items()}
    if row is None:
        return "breaks off"
    if not played.variant.has_pool:
        named = "misere" if int(row["kind"]) == MISERE_GAME else int(row["level"])
        return f"{named}, {conv['razboinik.talon']}, {conv['razboinik.dummy']}"
    if int(row["kind"]) == MISERE_GAME:
        return format_contract(played.story.contract)
    if int(row["kind"]) == TRICKS:
        how = words.get("open", words.get("whist", words["contract"]))[0]
        return f"blind {conv['dummy.blind']}" if how == "blind" else how
    talon = f"raspas {conv['raspas.talon_two']} {conv['dummy.raspas']}"
    return talon if int(row["played"]) else "thrown in"


def test_golden_deals_cover_the_game_of_two(golden: dict[str, list[Played]]) -> None:
    """Each choice of the defender, each mode of raspas, each row and talon of razboinik."""
    found = list(every(golden, 2))
    seen = {way_of_two(played) for played in found}
    ways = {"open", "pass", "blind dead", "blind lowest", "10♥", "concede", "misere", "misere wt"}
    talons = {f"raspas {talon} dead" for talon in ("closed", "suit_only", "may_win")}
    lowest = {talon.replace("dead", "lowest") for talon in talons}
    assert seen >= ways | talons | lowest | {"thrown in", "breaks off"}
    rows = {way.split(", ")[0] for way in seen if way.endswith((", open", ", dead"))}
    assert rows == {"6", "7", "8", "9", "10", "misere"}
    modes = {way.split(", ")[1] for way in seen if way.endswith((", open", ", dead"))}
    assert modes == {"misere_before", "row_before", "row_after", "none"}
    levels = {kind_of(played) for played in found if played.variant.has_pool}
    assert levels >= {"6", "7", "8", "9", "10", "9 wt"}
    seats = {played.variant.conventions["dummy.seat"] for played in found}
    assert seats == {"first", "middle", "last"}


BRANCHES = (
    "dark pass, raspas",
    "dark pass, contract",
    "hold",
    "conceded",
    "off the mountain",
    "into the pool",
    "both whist",
    "both by force",
    "checked",
    "open",
    "closed",
    "after the first card",
    "half-whist stands",
    "half-whist returned",
    "long whist",
    "return on high",
    "the dealer whists",
    "dealer open",
    "trusts",
    "catches, trusts",
    "both catch",
    "breaks off",
    "claims",
    "bomb",
)


def branches(played: Played) -> Iterator[str]:
    """What a golden deal touches."""
    story, record = played.story, played.record
    row = story.row
    if row is None:
        yield "breaks off"
        return
    words = {section: [m.word for m in found] for section, found in record.moves.items()}
    whist = words.get("whist", [])
    called = tuple(word for word in whist if not word.startswith("whist with"))
    kind = int(row["kind"])
    if story.steps[0].action == DARK_PASS and "dark" in words:
        yield f"dark pass, {'raspas' if kind == RASPAS else 'contract'}"
    if "hold" in words["auction"]:
        yield "hold"
    if int(row["concession"]):
        yield "conceded"
    for word, name in (("mountain", "off the mountain"), ("pool", "into the pool")):
        if words.get("points") == [word]:
            yield name
    yield from words.get("open", [])
    opened = [k for k, step in enumerate(story.steps) if step.phase == OPEN]
    if opened and story.steps[opened[0] - 1].phase == CARD:
        yield "after the first card"
    yield from _whist_branches(called, int(row["level"]), int(row["played"]))
    if len(called) < len(whist):
        yield "the dealer whists"
        if words["open"] == ["open"]:
            yield "dealer open"
    if kind == TRICKS and not whist and not int(row["concession"]):
        yield "checked" if int(row["level"]) == 10 else "both by force"
    catch = {("trust",): "trusts", ("catch", "trust"): "catches, trusts"}
    if "catch" in words:
        yield catch.get(tuple(words["catch"]), "both catch")
    if story.claimed:
        yield "claims"
    if int(row["bomb_level"]):
        yield "bomb"


def _whist_branches(called: tuple[str, ...], level: int, played: int) -> Iterator[str]:
    if called == ("whist", "whist"):
        yield "both whist"
    if "half" in called and not played:
        yield "half-whist stands"
    if called == ("pass", "half", "whist"):
        yield "half-whist returned"
    if called[:2] == ("whist", "pass") and len(called) > 2:
        yield "long whist"
    if called == ("pass", "pass", "whist") and level >= 8:
        yield "return on high"


def naive_result(played: Played) -> Result:
    """The result of a deal in the notation of the naive scorer."""
    row, n = played.story.row, played.record.players
    kind = KINDS[int(row["kind"])]
    decisions = {i: DECISIONS[int(d)] for i, d in enumerate(row["decision"][:n]) if d}
    whisters = [i for i in range(n) if int(row["decision"][i]) == WHISTED]
    return Result(
        kind=kind,
        dealer=played.record.dealer,
        tricks=[int(count) for count in row["tricks"][:n]],
        declarer=int(row["declarer"]) if kind != "raspas" else None,
        level=int(row["level"]) if kind == "tricks" else None,
        played=bool(row["played"]),
        whist=decisions,
        last_whister=int(row["last_whister"]) if whisters else None,
        blind=n == 2 and not int(row["open_play"]),
        concession=int(row["concession"]),
        off_mountain=bool(row["off_mountain"]),
        talon_units=int(row["talon_units"]),
        dark_pass=any(step.word == "dark pass" for step in played.story.steps),
    )


def naive_pulka(played: Played) -> Pulka:
    """The pulka before a deal in the naive scorer."""
    record, conv = played.record, dict(played.variant.conventions)
    if not played.variant.has_pool:
        pulka = new_razboinik(conv)
        for player, row in enumerate(record.sheet.get("rows", ())):
            pulka.sheet.rows[player] = dict(zip(ROWS, row, strict=True))
            pulka.sheet.mountain[player] = sum(filter(None, row), Fraction(0))
    else:
        pulka = new_pulka(conv, record.players, played.variant.target(record.pool))
        for name, value in record.sheet.items():
            if hasattr(pulka.sheet, name):
                setattr(pulka.sheet, name, list(value) if isinstance(value, tuple) else value)
    pulka.dealer = record.dealer
    return pulka


@pytest.mark.parametrize("players", [2, 3, 4])
def test_golden_values_by_the_naive_scorer(players: int, golden: dict[str, list[Played]]) -> None:
    """What each golden deal is worth comes out of a second scorer, written from the rules."""
    for played in every(golden, players):
        if played.story.row is None:
            continue
        pulka = naive_pulka(played)
        before = settle(pulka.conv, pulka.sheet)
        pulka.write(naive_result(played))
        after = settle(pulka.conv, pulka.sheet)
        values = tuple(a - b for a, b in zip(after, before, strict=True))
        assert played.record.value == values, played.record.note


def test_fractions_are_exact(golden: dict[str, list[Played]]) -> None:
    """Values of a deal sum to zero exactly."""
    values: list[Any] = [p.record.value for found in golden.values() for p in found]
    assert all(value is None or sum(value) == Fraction(0) for value in values)


# What is told


def test_told_deals(golden: dict[str, list[Played]]) -> None:
    """A golden deal is told with all that happened."""
    told = {
        (name, played.record.note): format_story(played.story, played.table)
        for name, found in golden.items()
        for played in found
    }
    wanted = [
        (
            "dealer_4",
            "the dealer whists with the first hand, after a half-whist",
            [
                "player 3 deals and sits out",
                "whist     player 1: pass, player 2: half, player 1: pass",
                "dealer    player 3: whist with the hand of player 1",
                "play      player 3: open",
                "2:♠A by 3",
            ],
        ),
        ("raspas_4", "raspas, the talon names suits or is the dealer's", ["   1. 1:♦7  2:♦8"]),
        ("raspas_3", "raspas, the talon names suits or is the dealer's", ["  (talon "]),
        ("raspas_3", "raspas with two cards passed along", [" took the talon and gave ", " laid "]),
        (
            "raspas_3",
            "the third raspas in a row, the winner leads the third trick",
            [
                "raspas    3 in a row",
            ],
        ),
        (
            "raspas_3",
            "a dark pass and raspas, the second dark pass in a row",
            [
                " passes without looking",
                "dark row  2 dark passes in a row",
            ],
        ),
        ("raspas_4", "a dark pass and a contract with a bomb", ["bombs     1 of player 0"]),
        ("raspas_4", "the deal breaks off in the seventh trick", ["the deal breaks off here"]),
        (
            "contracts_3",
            "six spades by force (Stalingrad)",
            [
                "dark      player 2 looks at his cards",
                "whist     both by force",
            ],
        ),
        ("contracts_3", "10 that is checked", ["whist     a ten is checked with open hands"]),
        ("contracts_3", "conceded", ["contract  7♣ by player 2", "conceded  3 undertricks"]),
        ("contracts_3", "unwhisted, off the mountain", ["points    player 1: mountain"]),
        (
            "contracts_3",
            "open or closed after the first card",
            [
                "play      player 1: open, after the first card",
            ],
        ),
        (
            "contracts_3",
            "only the next bid, the last tricks certain",
            ["certain   player 0: 3 of 10"],
        ),
        (
            "misere_3",
            "misere, the first catches and the second trusts",
            [
                "contract  misere by player 1",
                "catch     player 2: catch, player 0: trust",
                "0:♠K by 2",
            ],
        ),
        ("without_3", "nine without the talon", ["contract  9♣ wt by player "]),
    ]
    for name, note, lines in wanted:
        for line in lines:
            assert line in told[name, note], (name, note, line)


TOLD_OF_TWO = [
    (
        "defence_2",
        "6, the defender opens the dummy",
        [
            "  dummy     ♠",
            "whist     player 0: whist\nplay      player 0: open\n",
            "  dummy:♠T by 0  ",
        ],
    ),
    (
        "defence_2",
        "7, blind, the dummy plays its lowest cards",
        ["play      player 0: blind", "  dummy:♣A  0:♣J  -> dummy", ", nobody: 1"],
    ),
    (
        "defence_2",
        "6 in hearts after a hold, blind, the dummy is out of play",
        ["   1. 0:♦A  1:♦Q  -> 0", "taken     player 0: 2, player 1: 8\n"],
    ),
    ("defence_2", "10 that is checked", ["whist     a ten is checked with open hands"]),
    (
        "defence_2",
        "a fir-tree doubles, and a bomb",
        [
            "bombs     1 of player 0",
            "fir-trees 2 of player 0, one counts",
            "whists on 1  fir-trees",
        ],
    ),
    ("raspas_2", "thrown in", ["raspas    thrown in\nvalue     player 0: 0, player 1: 0 whists"]),
    (
        "raspas_2",
        "raspas by agreement, the first deal of a pulka",
        ["agree     player 0: agree, player 1: agree\nraspas    1 in a row"],
    ),
    ("raspas_2", "raspas, the talon names suits", ["  (talon ♣A)  -> 0"]),
    ("raspas_2", "raspas, the talon's cards may win", ["   1. talon:♥K  1:♥9  0:♥7  -> talon"]),
    (
        "razboinik_2",
        "ten, the last row is forced",
        [
            "Razboinik, deal ",
            "row       player 1: talon",
            "contract  10NT by player 1",
            "points    40 in row 10 of player 1",
            "player  6  7  8  9  10  misere  points\n",
            "0       0  0  0  0   -       0       0",
        ],
    ),
]


def test_told_deals_of_two() -> None:
    """The dummy by its name, what nobody took, agreement, fir-trees, razboinik's table."""
    for name, note, lines in TOLD_OF_TWO:
        notes = [script.note for script in FILES[name]]
        done = run("replay", FOLDER / f"{name}.deal", "--deal", notes.index(note) + 1)
        for line in lines:
            assert line in done.out, (note, line, done.out)
