"""Files of records: those of the documentation, and the commands on them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_bridge import FAILED, ROOT, RUNNER, USAGE, outside, refused, run
from hypothesis import given, settings
from hypothesis import strategies as st
from record_makers import FOLDER

from sim.cli import cli
from sim.convert.playing import play_record
from sim.convert.writing import complete
from sim.records.jsonform import parse_json, record_schema
from sim.records.model import Record
from sim.records.text import format_text, parse_text


def read(path: Path) -> list[Record]:
    """The records of a text file."""
    return parse_text(path.read_text(encoding="utf-8"), path.name)


# The documentation

DOC = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- example -->\n```(json)?\n(.*?)```", DOC, re.DOTALL)


def test_documented_examples() -> None:
    """The examples of the documentation are records, and are played."""
    assert len(EXAMPLES) == 8
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
