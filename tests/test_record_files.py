"""Files of records: the golden ones, those of the documentation, and the commands on them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import FAILED, ROOT, RUNNER, USAGE, outside, refused, run
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.pulka import new_pulka
from naive.scoring import Result
from naive.sheet import settle
from record_makers import FAMILIES, FOLDER

from scoring.contract import KINDS, MISERE_GAME, RASPAS, TRICKS, format_contract
from scoring.deal_score import DECISIONS, WHISTED
from sim.cli import cli
from sim.convert.playing import Played, play_record
from sim.convert.writing import complete
from sim.records.jsonform import format_json, parse_json, record_schema
from sim.records.model import Record
from sim.records.text import format_text, parse_text
from sim.show import format_story
from sim.state import CARD, DARK_PASS, OPEN

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
    """The golden deals with so many players."""
    for name, found in golden.items():
        if name.endswith(str(players)):
            yield from found


# The golden files


def test_golden_families() -> None:
    """Every family is there with three and with four players, the dealer's whist with four."""
    wanted = {f"{family}_{n}" for family in FAMILIES for n in (3, 4)} - {"dealer_3"}
    assert set(NAMES) == wanted
    for path in GOLDEN:
        notes = [record.note for record in read(path)]
        assert notes == [script.note for script in FAMILIES[path.stem[:-2]]]


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
    if sum(story.claimed):
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
        concession=int(row["concession"]),
        off_mountain=bool(row["off_mountain"]),
        talon_units=int(row["talon_units"]),
        dark_pass=any(step.word == "dark pass" for step in played.story.steps),
    )


@pytest.mark.parametrize("players", [3, 4])
def test_golden_values_by_the_naive_scorer(players: int, golden: dict[str, list[Played]]) -> None:
    """What each golden deal is worth comes out of a second scorer, written from the rules."""
    for played in every(golden, players):
        record = played.record
        if played.story.row is None:
            continue
        conv = dict(played.variant.conventions)
        pulka = new_pulka(conv, players, played.variant.target(record.pool))
        pulka.dealer, sheet = record.dealer, pulka.sheet
        for name, value in record.sheet.items():
            if hasattr(sheet, name):
                setattr(sheet, name, list(value) if isinstance(value, tuple) else value)
        before = settle(conv, sheet)
        pulka.write(naive_result(played))
        after = settle(conv, sheet)
        values = tuple(a - b for a, b in zip(after, before, strict=True))
        assert record.value == values, record.note


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


# The documentation

DOC = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- example -->\n```(json)?\n(.*?)```", DOC, re.DOTALL)


def test_documented_examples() -> None:
    """The examples of the documentation are records, and are played."""
    assert len(EXAMPLES) == 4
    for form, text in EXAMPLES:
        records = (parse_json if form else parse_text)(text, "an example")
        for record in records:
            whole = complete(play_record(record, "an example"))
            if "taken" in text:
                assert format_text([whole]) == text
            elif not form:
                assert "unfinished" in text


def test_documented_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines of Python in the documentation write the JSON of a file."""
    (code,) = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
    text = (FOLDER / "whist_3.deal").read_text(encoding="utf-8")
    (tmp_path / "friday.deal").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    wanted = (FOLDER / "whist_3.json").read_text(encoding="utf-8")
    assert capsys.readouterr().out == wanted + "\n"


def test_documented_words() -> None:
    """Every line of the text and every key of JSON is in the documentation."""
    from sim.records.model import COUNTS, KEYS
    from sim.records.text import KEYWORDS

    lines = set(re.findall(r"^\| `(\w+)", DOC, re.MULTILINE))
    assert {*KEYWORDS, "deal"} - {"first_mountain"} <= lines
    assert all(f"`{key}`" in DOC for key in KEYS if key not in {"auction", "passed"})
    assert all(re.search(rf"`(sheet )?{key} ", DOC) for key in COUNTS)


# The commands


def test_convert_there_and_back(tmp_path: Path) -> None:
    """Text to JSON and back, to standard output and to files, by suffix and by --to."""
    text = (FOLDER / "whist_4.deal").read_text(encoding="utf-8")
    data = (FOLDER / "whist_4.json").read_text(encoding="utf-8")
    assert run("convert", FOLDER / "whist_4.deal").out == data
    assert run("convert", FOLDER / "whist_4.json").out == text
    assert run("convert", FOLDER / "whist_4.json", "--to", "json").out == data
    for name, wanted in (("a.json", data), ("a.JSON", data), ("a.deal", text), ("a", text)):
        assert run("convert", FOLDER / "whist_4.deal", "--out", tmp_path / name).out == ""
        assert (tmp_path / name).read_text(encoding="utf-8") == wanted
    run("convert", FOLDER / "whist_4.deal", "--to", "json", "--out", tmp_path / "b.deal")
    assert run("convert", tmp_path / "b.deal").out == text
    done = run("convert", FOLDER / "whist_4.deal", "--check")
    assert done.out == "" and done.err == ""
    assert json.loads(run("convert", "--schema").out) == record_schema()


def test_convert_reads_standard_input() -> None:
    """A record in a pipe."""
    data = (FOLDER / "dealer_4.json").read_bytes()
    done = RUNNER.invoke(cli, ["convert", "-"], input=data)
    assert done.exit_code == 0
    assert done.stdout == (FOLDER / "dealer_4.deal").read_text(encoding="utf-8")
    done = RUNNER.invoke(cli, ["convert", "-"], input=b"deal\xff")
    assert done.exit_code == USAGE and "standard input is not text in UTF-8" in done.stderr


def test_convert_refuses(tmp_path: Path) -> None:
    """Illegal moves are failures; what is no record, and wrong arguments, are wrong use."""
    path = tmp_path / "game.deal"
    assert refused("convert") == "give a RECORD, or - for standard input"
    assert refused("convert", path).startswith(f"{path}: cannot be read: ")
    path.write_text("hello", encoding="utf-8")
    message = f"{path}, line 1: a record begins with a line deal, not with hello"
    assert refused("convert", path) == message
    assert refused("replay", path) == message
    path.write_bytes(b"\xff")
    assert refused("convert", path).startswith(f"{path}: cannot be read: ")
    text = (FOLDER / "contracts_3.deal").read_text(encoding="utf-8")
    path.write_text(text.replace("auction    1:6♠", "auction    1:hold"), encoding="utf-8")
    message = refused("convert", path, code=FAILED)
    assert message == (
        f"{path}, deal 1, call 1 of the auction: hold of player 1 is not legal: there is no bid to "
        "hold"
    )
    assert refused("replay", path, "--deal", 2, code=FAILED) == message
    path.write_text(text.replace("sochi", "sotchi"), encoding="utf-8")
    assert f"{path}, deal 1: variant 'sotchi' is not known" in refused("convert", path)
    path.write_text(text, encoding="utf-8")
    assert "--check writes nothing" in refused("convert", path, "--check", "--to", "json")
    message = refused("convert", path, "--out", tmp_path / "no" / "x", code=FAILED)
    assert message == f"{tmp_path / 'no' / 'x'} cannot be written: No such file or directory"
    assert "--pulka is for a dataset" in refused("replay", path, "--pulka", 0)
    assert refused("replay", path, "--deal", 0) == "deal 0 is not there: the file has 1 to 12"
    assert refused("replay", path, "--deal", 13) == "deal 13 is not there: the file has 1 to 12"


def test_replay_of_a_file() -> None:
    """All deals of a file are told, or one, or written as records."""
    path = FOLDER / "dealer_4.deal"
    out = run("replay", path).out
    titles = re.findall(r"^.* to 20, deal (\d) of (.*)$", out, re.MULTILINE)
    assert titles == [(str(k), str(path)) for k in range(1, 5)]
    assert out.count("sheet after the deal") == 4
    one = run("replay", path, "--deal", 3).out
    assert one.rstrip("\n") in out and one.count("deal number") == 1
    record = run("replay", path, "--deal", 3, "--as", "text").out
    assert record == format_text([read(path)[2]])
    assert run("replay", path, "--as", "json").out == run("convert", path).out


def test_convert_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The schema needs no engine; a record is converted without a word on standard error."""
    assert outside("convert", "--schema").code == 0
    done = outside("convert", FOLDER / "dealer_4.json", "--out", tmp_path / "x.deal")
    assert done.code == 0 and done.out == ""


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.binary(max_size=40) | st.text("deal auction\n\t#{}[]:,0♠A", max_size=40).map(str.encode))
def test_any_file(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever a file holds: one sentence, no traceback."""
    path = tmp_path_factory.getbasetemp() / "any.deal"
    path.write_bytes(data)
    assert refused("convert", path)


def test_fractions_are_exact(golden: dict[str, list[Played]]) -> None:
    """Values of a deal sum to zero exactly."""
    values: list[Any] = [p.record.value for found in golden.values() for p in found]
    assert all(value is None or sum(value) == Fraction(0) for value in values)
