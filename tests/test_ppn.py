"""PPN is read in all its forms, scored by the rules, and made into records that play again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli_bridge import FAILED, run
from ppn_bridge import DATA, FORMS, Habits, PlayedGame, counts_of, play_game, ppn_variant, text_of

from scoring.contract import BETL
from scoring.protocol.keeping import keep_protocol
from scoring.protocol.ppn import looks_like_ppn, read_ppn
from scoring.protocol.ppn.results import running_score
from scoring.protocol.reading import parse_protocol
from scoring.variant import find_variant
from sim.convert.playing import play_record
from sim.convert.ppn import import_ppn
from sim.convert.writing import complete, make_record, name_variant
from sim.records.text import format_text, parse_text

HABITS = (Habits(), Habits(0.3, 0.05, 0.2), Habits(0.3, 0.9, 0.7, 0.3))
GAMES = 15


def games(seeds: range) -> list[PlayedGame]:
    """Games of different habits, starts and numbers of refas; every third may come to its end."""
    return [
        play_game(seed, (60, 8, 40)[seed % 3], seed % 4, HABITS[seed % 3], (10, 40, 10)[seed % 3])
        for seed in seeds
    ]


def sample(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


# The published example


@pytest.mark.parametrize("name", ["sample.ppn", "sample_older.ppn", "sample.json"])
def test_the_published_example_has_these_slips(name: str) -> None:
    """Portable Preferans Notation, example: in the newest form, the older one, and JSON."""
    slips = import_ppn(sample(name), name).slips
    assert slips == sample(f"{name}.slips").splitlines()


def only_deal(number: int) -> str:
    """A deal of the example in a file of its own, without tags that it does not bear out."""
    lines = sample("sample.ppn").splitlines()
    tags = [line for line in lines if line.startswith(("[Bula", "[Refe", "[Player"))]
    return "\n".join([*tags, lines[11 + number], "..."])


@pytest.mark.parametrize(
    "number, main, follower, value, slip",
    [
        (1, 1, 2, 8, "column of player 3 is nothing, by the rules +8"),
        (3, 2, 1, 10, "soup of player 2 is nothing, by the rules R30"),
        (4, 1, 2, 64, ""),
    ],
)
def test_deals_of_the_example_alone(
    number: int, main: int, follower: int, value: int, slip: str
) -> None:
    """Hearts with a failed invitation 8, 24 and 8; clubs 10 and 30; subkontra 64 and 192: without a
    refa from the deal passed by all."""
    found = import_ppn(only_deal(number), "x.ppn")
    sheet = found.pulka.sheet
    assert sheet.columns[main] == 60 - value and sheet.columns[follower] == 60 + value
    assert sheet.soup[follower][main] == 3 * value
    amounts = [one for one in found.slips if "value" in one or "soup" in one or "column" in one]
    assert amounts if slip else not amounts
    assert any(slip in one for one in found.slips) and not any("value" in one for one in amounts)


def test_running_score() -> None:
    """Columns 60, 50, 60 and no soup are -600, -500, -600 (Prefko rules)."""
    text = 'players = ["A", "B", "C"]\nvariant = "prefko"\ndeals = ["B clubs/=, C stays, A stays"]'
    sheet = keep_protocol(parse_protocol(text, "x")).sheet
    assert sheet.columns == [60, 50, 60]
    assert running_score(sheet) == [-600, -500, -600]


def without_tags(slips: list[str]) -> list[str]:
    """Slips of deals, of a file without all tags."""
    return [slip for slip in slips if not slip.startswith("the tag")]


def test_values() -> None:
    """The values of the suits, and two more for a game; betl, sans and preferans are among the
    games that are played below (Prefko rules)."""
    text = sample("correct.ppn")
    line = text.splitlines()[15]
    assert "XX G4 0 0 1 20 0 0 M10:-20,0,0" in line
    for base, value in zip(range(2, BETL), (4, 6, 8, 10), strict=True):
        plain = line.replace("G,P,P", "2,P,P").replace("XX G4 0 0 1 20", f"VW {base} 0 0 {value}")
        game = line.replace("G4 0 0 1 20", f"G{base} 0 0 {value + 2}")
        for deal, worth in ((plain, value), (game, value + 2)):
            alone = "\n".join([*text.splitlines()[:2], deal.replace("-20", str(-worth)), "..."])
            assert without_tags(import_ppn(alone, "x").slips) == [], (base, worth)


# Correct files


def test_a_file_by_hand() -> None:
    """Seven deals counted by hand: followers short, all pass, a game nobody follows, spades without
    kontra, betl on a refa, an invitation, kontra."""
    found = import_ppn(sample("correct.ppn"), "correct.ppn")
    assert found.slips == []
    sheet = found.pulka.sheet
    assert found.pulka.names == ("Ana", "Bora Babic", "Vera")
    assert sheet.columns == [20 - 8 - 8 + 8 - 16, 20 + 8 + 24, 20 + 8 - 20 - 8 + 16]
    assert sheet.soup == [[0, 120, 0], [0, 0, 0], [0, 120, 0]]
    assert sheet.refets == [0, 0, 0] and sheet.refets_given == 1


@pytest.fixture(scope="module")
def some_games() -> list[PlayedGame]:
    return games(range(GAMES))


def test_the_games_have_everything(some_games: list[PlayedGame]) -> None:
    missing = [what for what, count in counts_of(some_games).items() if count == 0]
    assert missing == []


def check_round_trip(game: PlayedGame, form: str) -> None:
    """What the engine played is read without a slip, and gives the same sheet and records."""
    text = text_of(game, form)
    assert looks_like_ppn(text)
    found = import_ppn(text, "x")
    assert found.slips == []
    sheet, last = found.pulka.sheet, game.deals[-1]
    assert sheet.columns == last.columns and sheet.soup == last.soup
    assert sheet.refets == [int(x) for x in game.table.view["refets"][:3]]
    assert found.pulka.is_over == game.is_over
    name = name_variant(ppn_variant(game.refas), 3)
    for k, (record, deal) in enumerate(zip(found.records, game.deals, strict=True), 1):
        right = make_record(deal.story, name, game.start, f"PPN deal {k}")
        assert record == right


@pytest.mark.parametrize("form", FORMS)
def test_round_trip(form: str, some_games: list[PlayedGame]) -> None:
    for game in some_games:
        check_round_trip(game, form)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_round_trip_of_many(form: str) -> None:
    for game in games(range(GAMES, 30 * GAMES)):
        check_round_trip(game, form)


def test_places_and_results_by_player(some_games: list[PlayedGame]) -> None:
    """Without places, results are the players'; the settlement is taken as well."""
    game = some_games[0]
    lines = [x for x in text_of(game).splitlines() if not x.startswith(("[Place", "[Result"))]
    settled = [int(x) for x in import_ppn(text_of(game), "x").pulka.sheet.settle()]
    assert settled != game.running()
    for scores in (settled, game.running()):
        tags = [f"[Result{k} {score}]" for k, score in enumerate(scores, 1)]
        assert import_ppn("\n".join(tags + lines), "x").slips == []


def test_records_play_again(some_games: list[PlayedGame]) -> None:
    """The records of an import are records like others, those that break off too."""
    texts = [sample("sample.ppn"), text_of(some_games[0]), text_of(some_games[1], "json")]
    n_unfinished = 0
    for text in texts:
        records = import_ppn(text, "x").records
        assert parse_text(format_text(records), "x") == records
        for k, record in enumerate(records):
            whole = complete(play_record(record, f"deal {k}"))
            n_unfinished += record.unfinished
            assert replace(whole, settings=record.settings) == record
    assert n_unfinished == 3


# Variants and the command


def test_another_variant() -> None:
    """Start and refas are the file's, the rest is the variant's; ``pool`` wins."""
    text = sample("correct.ppn")
    found = import_ppn(text, "x", find_variant("serbian"))
    assert found.pulka.protocol.variant.name == "serbian" and found.slips == []
    assert found.pulka.protocol.variant.conventions["refets.many"] == 1
    assert import_ppn(text, "x", None, 40).pulka.sheet.target == 40
    strict = find_variant("serbian").with_settings({"contra.levels": 0})
    (slip,) = [slip for slip in import_ppn(text, "x", strict).slips if "(line 20)" in slip]
    assert slip.startswith("deal 7 (line 20): it is not written: contra")


def test_score_command(tmp_path: Path) -> None:
    """Without slips as any protocol; with them all are told, and the exit code is 1."""
    done = run("score", DATA / "correct.ppn")
    assert done.err == "" and "Bora Babic pays Ana: 370 whists" in done.out
    done = run("score", DATA / "sample.ppn", code=FAILED)
    slips = sample("sample.ppn.slips").splitlines()
    *told, last = done.err.splitlines()
    assert told == slips
    where = DATA / "sample.ppn"
    assert last == f"Error: {where} has 16 slips, told above; what is written is by the rules"
    assert "Prefko from 60, deals: 4" in done.out
    data = json.loads(run("score", where, "--json", "--every-deal", code=FAILED).out)
    assert data["slips"] == slips and len(data["entries"]) == 4
    assert json.loads(run("score", DATA / "correct.ppn", "--json").out)["slips"] == []
    path = tmp_path / "game.txt"
    path.write_text(sample("correct.ppn"), encoding="utf-8")
    money = run("score", path, "--stake", "2", "--currency", "RSD", "--every-deal").out
    assert "740.00 RSD" in money and "7. Ana hearts/+4" in money


def test_convert_and_replay_commands(tmp_path: Path, some_games: list[PlayedGame]) -> None:
    path, out = tmp_path / "game.ppn", tmp_path / "game.deal"
    path.write_text(text_of(some_games[0]), encoding="utf-8")
    run("convert", path, "--out", out)
    records = parse_text(out.read_text(encoding="utf-8"), "x")
    assert records == import_ppn(path.read_text(encoding="utf-8"), "x").records
    assert run("convert", out, "--check").out == ""
    assert "deal 2 of" in run("replay", path, "--deal", "2").out
    done = run("convert", DATA / "sample.ppn", "--to", "json", code=FAILED)
    assert len(json.loads(done.out)["deals"]) == 4 and "has 16 slips" in done.err
    done = run("convert", DATA / "sample.ppn", "--check", code=FAILED)
    assert done.out == "" and done.err.splitlines()[:-1] == sample("sample.ppn.slips").splitlines()
    done = run("replay", DATA / "sample.ppn", "--deal", "3", code=FAILED)
    assert "the deal breaks off here" in done.out and "has 16 slips" in done.err


def test_forms_are_told_apart() -> None:
    """No protocol, tournament or record begins like PPN."""
    from cli_bridge import ROOT

    others = [
        *(ROOT / "tests" / "examples").glob("*.toml"),
        *(ROOT / "tests" / "examples").glob("*.json"),
        *(ROOT / "tests" / "examples").glob("*.csv"),
        *(ROOT / "tests" / "data" / "records").glob("*"),
    ]
    assert len(others) > 20
    for path in others:
        assert not looks_like_ppn(path.read_text(encoding="utf-8")), path
    assert not looks_like_ppn("[conventions . raspas]\nprice = 10")
    for form in ("sample.ppn", "sample_older.ppn", "sample.json"):
        assert looks_like_ppn(sample(form)) and read_ppn(sample(form), "x").deals


def test_the_documentation_shows_the_slips() -> None:
    from cli_bridge import ROOT

    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert f"```text\n{sample('sample.ppn.slips')}Error: " in text
