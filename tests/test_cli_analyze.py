"""``preferans analyze``: files of records and runs judged with all cards open, and refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_bridge import FAILED, RUNNER, TINY, USAGE, refused, run, simulate
from record_makers import FOLDER

from scoring.kernel import JIT
from sim.cli import cli
from sim.convert.playing import play_record
from sim.records.text import parse_text
from sim.store import open_dataset

MANY = pytest.mark.skipif(not JIT, reason="thousands of hands are solved, too many in plain Python")
MISERE = FOLDER / "misere_3.deal"

TOLD = """\
Sochi to 20, deal 1 of {path}
contract  misere by player 1
par       at least 3 tricks with all cards open, down
play      player 1 took 0 tricks: the defence gave 3 away, the declarer 0
   5. 2:♠K gave 3 tricks away, ♥8 keeps it
gave      player 2: 3
discard   ♣7 ♦7 is worth 3 tricks; the best, 1 of 66, is worth 0 tricks: ♠9 ♠T
makes     ♠ 0, ♣ 0, ♦ 3, ♥ 0, NT 0, misere 0
best      misere (10 points), 0 tricks after ♠9 ♠T
"""


def test_a_deal_is_told() -> None:
    """A misère of a file, from par to the best contract."""
    assert run("analyze", MISERE, "--deal", 1).out == TOLD.format(path=MISERE)


@MANY
def test_all_deals_of_a_file() -> None:
    """Without a number each deal is told, in the file's order, a blank line between two."""
    n = len(parse_text(MISERE.read_text(encoding="utf-8"), "misere"))
    whole = run("analyze", MISERE).out
    titles = re.findall(r"^\S.*, deal (\d+) of ", whole, re.MULTILINE)
    assert titles == [str(k) for k in range(1, n + 1)] and n > 3
    assert whole.startswith(TOLD.format(path=MISERE) + "\n")
    assert whole.endswith(run("analyze", MISERE, "--deal", n).out)


@MANY
def test_json_has_every_card() -> None:
    """The JSON of a file: a list, for each deal par, cards with their values, the discard and
    contracts; from the text form and from JSON, and from standard input."""
    data = json.loads(run("analyze", MISERE, "--json").out)
    assert [one["deal"] for one in data] == list(range(1, len(data) + 1))
    first = data[0]
    assert (first["kind"], first["contract"], first["declarer"]) == ("misere", "misere", 1)
    play = first["play"]
    assert (play["par"], play["par_makes"], play["taken"], play["rest"]) == (3, False, 0, 0)
    assert (play["defence_gave"], play["declarer_gave"]) == (3, 0)
    assert play["gave"] == [{"player": 2, "tricks": 3}]
    assert len(play["cards"]) == 30 and {x["trick"] for x in play["cards"]} == set(range(1, 11))
    (slip,) = [x for x in play["cards"] if x["gave"]]
    assert slip == {
        "trick": 5,
        "player": 2,
        "by": 2,
        "card": "♠K",
        "gave": 3,
        "expected": 0,
        "best": ["♥8"],
    }
    assert first["discard"]["made"] == ["♣7", "♦7"] and first["discard"]["best"] == [["♠9", "♠T"]]
    assert (first["discard"]["reached"], first["discard"]["tricks"]) == (3, 0)
    (best,) = first["contracts"]
    assert best["best"] == {
        "contract": "misere",
        "value": 10,
        "tricks": 0,
        "discard": ["♠9", "♠T"],
    }
    assert first["raspas"] is None and first["not_judged"] is None
    assert json.loads(run("analyze", MISERE.with_suffix(".json"), "--json").out) == data
    text = MISERE.read_text(encoding="utf-8")
    done = RUNNER.invoke(cli, ["analyze", "-", "--json"], input=text)
    assert done.exit_code == 0 and json.loads(done.stdout) == data


@MANY
def test_raspas_are_told() -> None:
    """No par, but what each can be made to take, the end, and contracts with the talon."""
    path = FOLDER / "raspas_3.deal"
    lines = run("analyze", path, "--deal", 2).out.splitlines()
    assert lines[1] == (
        "raspas    each plays for himself, so that there is no par; the talon leads to the first "
        "two tricks, which are not judged"
    )
    most = "player 2: 1, player 0: 7, player 1: 6"
    assert lines[2] == f"at most   {most} in all, whatever the others do from trick 3 on"
    assert "   3. 2:♦7 may cost 3 more: at most 4 instead of 1, ♠9 ♣T ♣J ♦Q keep it" in lines
    assert lines[-4] == "taken     player 0: 5, player 1: 3, player 2: 2"
    assert [line.split()[0] for line in lines[-3:]] == ["talon"] * 3
    data = json.loads(run("analyze", path, "--deal", 2, "--json").out)[0]
    raspas = data["raspas"]
    assert raspas["first_trick"] == 3 and len(raspas["cards"]) == 24
    assert [x["tricks"] for x in raspas["at_most"]] == [7, 6, 1]
    assert len(raspas["last_six"]["line"]) == 18
    assert sum(x["tricks"] for x in raspas["last_six"]["tricks"]) == 10
    assert data["play"] is None and len(data["contracts"]) == 3


@MANY
def test_a_run_is_judged(recorded: Path, tmp_path: Path) -> None:
    """The deals of a pulka, from the record as played again from the seed; as their records are."""
    text = run("analyze", recorded, "--pulka", 1).out
    n = len([x for x in open_dataset(recorded).read("deals").to_pylist() if x["pulka"] == 1])
    told = text.rstrip("\n").split("\n\n")
    assert len(told) == n > 1
    last = run("analyze", recorded, "--pulka", 1, "--deal", n - 1).out
    assert told[-1] == last.rstrip("\n")
    simulate(tmp_path / "again")
    assert run("analyze", tmp_path / "again", "--pulka", 1).out == text
    path = tmp_path / "pulka.deal"
    path.write_text(run("replay", recorded, "--pulka", 1, "--as", "text").out, encoding="utf-8")
    of_file = run("analyze", path).out.rstrip("\n").split("\n\n")
    assert [x.split("\n", 1)[1] for x in of_file] == [x.split("\n", 1)[1] for x in told]
    data = json.loads(run("analyze", recorded, "--pulka", 1, "--json").out)
    assert [(one["pulka"], one["deal"]) for one in data] == [(1, k) for k in range(n)]


@MANY
def test_what_the_solver_has_no_rules_for(tmp_path: Path) -> None:
    """A deal whose rules are others is said in its place; if there is none but such, it fails."""
    path = FOLDER / "refet_follow_3.deal"
    records = parse_text(path.read_text(encoding="utf-8"), "refet")
    (at,) = [k for k, one in enumerate(records, 1) if one.settings.get("tricks.must_head", False)]
    assert play_record(records[at - 1], "refet").story.row is not None
    assert run("analyze", path).out.count("\nnot judged: a card has to beat") == 1
    message = refused("analyze", path, "--deal", at, code=FAILED)
    assert message == (
        f"Refet (Lesnoy) from 30, deal {at} of {path} cannot be judged: a card has to beat those "
        "before it where it can (tricks.must_head, tricks.must_overtrump), and the solver plays "
        "without that rule"
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((MISERE, "--pulka", 0), "--pulka is for a dataset, not for a file of records"),
        ((MISERE, "--deal", 99), "deal 99 is not there: the file has 1 to 8"),
        ((MISERE, "--deal", 0), "deal 0 is not there: the file has 1 to 8"),
    ],
)
def test_wrong_arguments(arguments: tuple[object, ...], message: str) -> None:
    """A file has no pulkas, and its deals are numbered from one."""
    n = len(parse_text(MISERE.read_text(encoding="utf-8"), "misere"))
    assert refused("analyze", *arguments) == message.replace("to 8", f"to {n}")


def test_wrong_runs(recorded: Path, tmp_path: Path) -> None:
    """A run wants a pulka, one that is there; a folder of something else is a failure."""
    message = "--pulka is missing: which pulka of the dataset?"
    assert refused("analyze", recorded) == message
    message = "pulka 8 is not there: the run has 0 to 7"
    assert refused("analyze", recorded, "--pulka", 8) == message
    message = f"{tmp_path} is no dataset: run.json is missing"
    assert refused("analyze", tmp_path, "--pulka", 0, code=FAILED) == message


def test_wrong_records(tmp_path: Path) -> None:
    """What is no record, and one that cannot have been played."""
    path = tmp_path / "one.deal"
    path.write_text("nothing", encoding="utf-8")
    message = f"{path}, line 1: a record begins with a line deal, not with nothing"
    assert refused("analyze", path) == message
    text = MISERE.read_text(encoding="utf-8").split("\n\n")[0]
    path.write_text(text.replace("auction    ", "auction    1:pass, "), encoding="utf-8")
    assert "auction" in refused("analyze", path, code=FAILED)
    done = RUNNER.invoke(cli, ["analyze", "-"], input="nothing")
    assert done.exit_code == USAGE and "standard input, line 1" in done.stderr


def test_a_run_with_other_rules(tmp_path: Path) -> None:
    """A run in which cards have to beat: every deal played is outside, said in one sentence."""
    options = ("--players", 3, "--set", "tricks.must_head=true", *TINY)
    run("simulate", "--variant", "refet", "--out", tmp_path / "run", *options)
    message = refused("analyze", tmp_path / "run", "--pulka", 0, code=FAILED)
    assert "pulka 0, deal 0 cannot be judged: a card has to beat" in message
