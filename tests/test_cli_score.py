"""The command ``preferans score`` from end to end, and every example of its documentation."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from cli_bridge import ROOT, RUNNER, USAGE, outside
from jsonschema import Draft202012Validator
from score_bridge import EXAMPLES, score, score_json, score_refused, warm

from sim.cli import cli

FRIDAY = EXAMPLES / "friday.toml"
OPEN = 'players = ["Anna", "Boris", "Vera"]\nvariant = "sochi"\npool = 10\n'
THIRDS = OPEN + 'deals = ["Anna 2, Boris 3, Vera 5"]\n'
"""Mountains 2, 3 and 5 to be settled, so that results have thirds."""


@pytest.fixture
def thirds(tmp_path: Path) -> Path:
    path = tmp_path / "thirds.toml"
    path.write_text(THIRDS, encoding="utf-8")
    return path


def rows(text: str, title: str) -> list[str]:
    """The numbers of the row of the settlement that begins with a title."""
    (line,) = [line for line in text.splitlines() if line.startswith(f"{title}  ")]
    return line.removeprefix(title).split()


# The documentation

DOC = ROOT / "docs" / "protocol.md"
BLOCK = re.compile(r"(?:<!-- tests/examples/(\S+) -->\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block; ``name`` is the example file it shows."""

    name: str | None
    kind: str
    text: str


def blocks() -> list[Block]:
    found = [Block(*match.groups()) for match in BLOCK.finditer(DOC.read_text(encoding="utf-8"))]
    assert len(found) == DOC.read_text(encoding="utf-8").count("```") // 2
    assert {block.kind for block in found} == {"toml", "csv", "text", "console"}
    return found


def completed(snippet: str) -> str:
    """A short example with the players and the variant it leaves out."""
    head = "" if "players = " in snippet else 'players = ["Anna", "Boris", "Vera"]\n'
    return head + ("" if "variant = " in snippet else 'variant = "sochi"\n') + snippet


def short_examples() -> Iterator[tuple[str, list[str]]]:
    """Each protocol of the documentation with the lines that its report has in this order."""
    waiting: list[str] = []
    for block in blocks():
        if block.kind == "toml":
            waiting.append(block.text)
        elif block.kind == "text":
            yield from ((text, block.text.splitlines()) for text in waiting)
            waiting = []
        else:
            yield from ((text, []) for text in waiting)
            waiting = []
    assert not waiting


@pytest.mark.parametrize("text, told", list(short_examples()))
def test_short_examples_of_the_documentation(text: str, told: list[str], tmp_path: Path) -> None:
    """Each is scored, and the report has the lines that stand under it."""
    (tmp_path / "short.toml").write_text(completed(text), encoding="utf-8")
    report = iter(score(tmp_path / "short.toml", "--every-deal").out.splitlines())
    for line in told:
        assert any(line == reported.strip() for reported in report), line


@pytest.mark.parametrize("block", [x for x in blocks() if x.name], ids=lambda x: x.name)
def test_whole_examples_of_the_documentation(block: Block) -> None:
    """They stand in files, too."""
    assert block.name is not None
    assert (EXAMPLES / block.name).read_text(encoding="utf-8") == block.text


def commands() -> Iterator[tuple[str, str]]:
    """The commands of the documentation with what they are said to print."""
    for block in blocks():
        if block.kind == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
                command, _, printed = part.partition("\n")
                yield command, printed


@pytest.mark.parametrize("command, printed", list(commands()))
def test_commands_of_the_documentation(
    command: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command works, and prints what stands under it."""
    shutil.copytree(EXAMPLES, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    program, first, *arguments = shlex.split(command)
    assert (program, first) == ("preferans", "score")
    if printed.startswith("Error: "):
        assert f"Error: {score_refused(*arguments)}\n" == printed
        return
    done = score(*arguments)
    assert done.err == "" and printed in ("", done.out)


def test_the_documentation_names_every_option_and_key() -> None:
    """No option, no key of a protocol and no column of a tournament is left out."""
    from scoring.protocol.contracts import DEAL_KEYS
    from scoring.protocol.notation import TALON_WORDS
    from scoring.protocol.reading import CONTROL_KEYS, HEAD_KEYS
    from scoring.protocol.tournament import COLUMNS

    text = DOC.read_text(encoding="utf-8")
    keys = (*HEAD_KEYS, *DEAL_KEYS, *CONTROL_KEYS, *TALON_WORDS, *COLUMNS)
    inner = [key for more in CONTROL_KEYS.values() for key in more]
    for key in (*keys, *inner):
        assert re.search(rf"`{key}\b|\b{key}`|^{key},|,{key},", text, re.M), key
    for option in re.findall(r"--[a-z-]+", score("--help").out):
        assert f"`{option}" in text or option == "--help", option


def test_the_documentation_names_every_key_of_the_json() -> None:
    """The keys of the JSON output, and only they, stand in its table."""
    text = DOC.read_text(encoding="utf-8").partition("### JSON output")[2]
    named = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (.*?) \|", text, re.M))))
    assert named == set(score_json(FRIDAY, "--every-deal"))


# Files and standard input


@pytest.mark.parametrize("name", ["friday.toml", "friday.json"])
def test_friday(name: str) -> None:
    """Figures counted by hand, deal by deal.

    Pools are full: the misere of Vera, help of 4 by Boris and of 1 by Vera, one point off her
    mountain. The mean mountain is 11.
    """
    told = score_json(EXAMPLES / name)
    assert told["sheet"] == {
        "pool": [10, 10, 10],
        "mountain": [0 + 10, 4 + 4 + 4, 6 + 6 - 1],
        "whists": [[0, 8, 6], [8 + 40, 0, 2], [4 + 10, 16 + 8, 0]],
    }
    assert told["over"] is True and told["deals"] == 9
    assert told["settlement"]["result"] == [10 - 48, -10 + 18, 0 + 30]
    assert told["money"] == ["-19", "4", "15"]
    assert [tuple(x.values()) for x in told["payments"]] == [
        ("Anna", "Vera", "15.00"),
        ("Anna", "Boris", "4.00"),
    ]


def test_four_at_leningrad() -> None:
    """Figures counted by hand: the mean mountain is 5 after the pools are carried over double."""
    told = score_json(EXAMPLES / "four.toml")
    assert told["sheet"]["pool"] == [0, 6, 6, 10] and told["total"] == 20 and told["over"]
    assert told["settlement"]["carried_mountain"] == [6 + 10, -2, 8 - 2, 10 - 10]
    assert told["settlement"]["mean_mountain"] == 5
    assert told["settlement"]["result"] == [-110 - 12, 70 + 6, -10 - 10, 50 + 16]


def test_finka_by_time() -> None:
    """Figures counted by hand: prizes, help in the pool, write-offs, a last round."""
    told = score_json(EXAMPLES / "finka.toml")
    assert told["sheet"]["mountain"] == [20 - 2 + 8 - 10, 20 + 8 - 6, 20 + 12 - 2]
    assert told["sheet"]["whists"] == [[0, 20 + 120, 120], [16, 0, 8], [4, 48 + 24, 0]]
    assert told["over"] and told["deals"] == 6
    assert [Fraction(x) for x in told["settlement"]["result"]] == [
        Fraction(1000, 3),
        Fraction(-464, 3),
        Fraction(-536, 3),
    ]


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir()))
def test_standard_input(name: str) -> None:
    """``-`` reads the same from standard input, whatever the format, and with a byte-order mark."""
    data = (EXAMPLES / name).read_bytes()
    for arguments in (["--json"], ["--lang", "ru"]):
        file = RUNNER.invoke(cli, ["score", str(EXAMPLES / name), *arguments])
        for mark in (b"", b"\xef\xbb\xbf"):
            stdin = RUNNER.invoke(cli, ["score", "-", *arguments], input=mark + data)
            assert stdin.exit_code == file.exit_code and stdin.stdout == file.stdout
            here = file.stderr.replace(str(EXAMPLES / name), "standard input")
            assert stdin.stderr == here


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_line_ends_and_byte_order_marks(newline: str, tmp_path: Path) -> None:
    """Files as Windows writes them are read as others."""
    for name in ("friday.toml", "friday.json", "tournament.csv"):
        text = (EXAMPLES / name).read_text(encoding="utf-8").replace("\n", newline)
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert score(tmp_path / name).out == score(EXAMPLES / name).out


def test_a_variant_beside_the_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant's file is looked for beside the protocol, wherever the command is run."""
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "ours.toml").write_text(
        'title = "Ours"\nbase = "sochi"\npool = 7\n[raspas]\nprice = 3\n', encoding="utf-8"
    )
    path = tmp_path / "club" / "game.toml"
    path.write_text(THIRDS.replace("sochi", "ours.toml"), encoding="utf-8")
    for here in (tmp_path, tmp_path / "club"):
        monkeypatch.chdir(here)
        assert score_json(path)["sheet"]["mountain"] == [6, 9, 15]


# Options


def test_every_deal(tmp_path: Path) -> None:
    """Every entry with what it writes, its value, and the sheet after it; values add up."""
    told = score_json(FRIDAY, "--every-deal")
    assert [one["entry"] for one in told["entries"]] == list(range(1, 10))
    values = [[Fraction(x) for x in one["value"]] for one in told["entries"]]
    total = [sum(column, Fraction(0)) for column in zip(*values, strict=True)]
    assert total == told["settlement"]["result"]
    assert all(sum(row) == 0 for row in values)
    assert told["entries"][-1]["sheet"] == told["sheet"]
    text = score(FRIDAY, "--every-deal").out
    assert "8. Boris 9♦/=, Vera whist 1, Anna pass (Anna deals)" in text
    assert "   Boris: pool +8; Vera: whists on Boris +8" in text
    assert "   value of the deal: Anna " in text
    assert "entries" not in score_json(FRIDAY)
    heading, rest = score(FRIDAY).out.split("\n", 1)
    assert text.startswith(heading) and text.endswith(rest)


def test_rounding(thirds: Path) -> None:
    """Fractions stay exact, or a point is moved; the variant decides where nothing is said."""
    assert score_json(thirds)["settlement"]["result"] == ["40/3", "10/3", "-50/3"]
    assert score_json(thirds, "--rounding", "exact")["settlement"]["result"][0] == "40/3"
    moved = score_json(thirds, "--rounding", "code")["settlement"]
    assert moved["moved_points"] == [0, -1, 0] and moved["result"] == [13, 4, -17]
    assert score_json(thirds, "--variant", "code")["settlement"]["result"] == [13, 4, -17]
    exact = score_json(thirds, "--variant", "code", "--rounding", "exact")
    assert exact["settlement"]["result"] == ["40/3", "10/3", "-50/3"]


def test_stake_and_currency(thirds: Path) -> None:
    """Money in the given stake and currency, instead of the protocol's own."""
    assert score_json(thirds)["money"] is None
    told = score_json(thirds, "--stake", "1")
    assert told["money"] == ["13.34", "3.33", "-16.67"] and told["currency"] is None
    text = score(FRIDAY, "--stake", "2", "--currency", "USD").out
    assert rows(text, "money, 2 USD a whist") == ["-76.00", "16.00", "60.00"]
    assert "Anna pays Vera: 60.00 USD" in text and "EUR" not in text
    assert score_json(FRIDAY, "--currency", "USD")["currency"] == "USD"


def test_another_variant(thirds: Path) -> None:
    """``--variant`` and ``--pool`` win over the protocol's; its conventions still apply."""
    told = score_json(thirds, "--variant", "leningrad", "--pool", "6")
    assert told["variant"] == "leningrad" and told["pool"] == 6 and told["total"] == 18
    assert told["sheet"]["mountain"] == [4, 6, 10]
    assert score_json(thirds, "--variant", "rostov")["pool"] == 10
    text = thirds.read_text(encoding="utf-8") + '[conventions]\n"raspas.price" = 7\n'
    thirds.write_text(text, encoding="utf-8")
    assert score_json(thirds, "--variant", "leningrad")["sheet"]["mountain"] == [14, 21, 35]


def test_another_pool_than_a_total() -> None:
    """``--pool`` wins over a total too."""
    told = score_json(EXAMPLES / "four.toml", "--pool", "20")
    assert told["pool"] == 20 and told["total"] == 80 and not told["over"]


ENGLISH = re.compile(r"[A-Za-z]{2,}")


def test_russian() -> None:
    """Everything but names, money and titles is Russian, every word of every kind of entry."""
    for name, own in (
        ("friday.toml", {"Friday", "Anna", "Boris", "Vera", "EUR"}),
        ("four.toml", {"Club", "Anna", "Boris", "Vera", "Gleb"}),
        ("finka.toml", set()),
        ("records.toml", {"Anna", "Boris", "Vera", "Gleb", "he", "wrote", "for"}),
        ("lesnoy.toml", {"Lesnoy", "example"}),
        ("novisad.toml", {"Novi", "Sad", "Ana", "Boris", "Vera", "Gleb", "EUR"}),
    ):
        text = score(EXAMPLES / name, "--lang", "ru", "--every-deal").out
        assert set(ENGLISH.findall(text)) == own, name
    text = score(EXAMPLES / "tournament.csv", "--lang", "ru").out
    assert set(ENGLISH.findall(text)) == {"Anna", "Boris", "Vera", "Gleb", "Dina"}


def test_english() -> None:
    """There is no Russian word in an English report, whatever the notation of the entries."""
    for name in ("friday.toml", "four.toml", "records.toml", "novisad.toml", "tournament.csv"):
        arguments = () if name.endswith("csv") else ("--every-deal",)
        assert not re.search("[а-яА-Я]", score(EXAMPLES / name, *arguments).out)
    text = score(EXAMPLES / "finka.toml", "--every-deal").out
    assert set(re.findall("[а-яА-Я]+", text)) == {"Одесса", "Анна", "Борис", "Вера"}


def test_words_in_both_languages() -> None:
    """The two reports have the same numbers in the same places."""
    for name in ("friday.toml", "four.toml", "finka.toml", "lesnoy.toml", "novisad.toml"):
        english, russian = (
            score(EXAMPLES / name, "--lang", one, "--every-deal").out for one in ("en", "ru")
        )
        numbers = [re.findall(r"[-+]?\d+[⅓⅔½]?", text) for text in (english, russian)]
        assert len(english.splitlines()) == len(russian.splitlines())
        assert numbers[0] == numbers[1]


def test_states_in_the_heading(tmp_path: Path) -> None:
    """Whether a pulka is over, was stopped, or goes on."""
    path = tmp_path / "game.toml"
    for deals, english, russian in (
        ("", "not over yet; settled as if stopped here", "не сыграна; "),
        ("{stop = true}", "stopped by consent", "прекращена по общему согласию"),
    ):
        path.write_text(f"{OPEN}deals = [{deals}]", encoding="utf-8")
        assert score(path).out.splitlines()[0] == f"Sochi to 10, deals: 0, {english}"
        heading = score(path, "--lang", "ru").out.splitlines()[0]
        assert heading.startswith(f"Сочинка до 10, сдач: 0, {russian}")
        assert "nobody owes anything" in score(path).out


def test_json_is_the_same_in_any_language() -> None:
    """Programs read English."""
    assert score_json(FRIDAY, "--every-deal") == score_json(FRIDAY, "--every-deal", "--lang", "ru")


# The JSON Schema


def test_the_schema(tmp_path: Path) -> None:
    """It is printed without a file, is valid itself, and all examples are valid by it."""
    schema = json.loads(score("--schema").out)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert score("--schema", tmp_path / "absent").out == score("--schema").out


# Drawn sheets


def test_drawn_sheets(tmp_path: Path) -> None:
    """By the suffix, in any case of letters; the report is printed besides."""
    for name, begins in (("a.svg", b"<"), ("a.txt", b""), ("B.SVG", b"<")):
        path = tmp_path / name
        done = score(FRIDAY, "--sheet", path)
        assert done.out == score(FRIDAY).out
        data = path.read_bytes()
        assert data.startswith(begins) and "Anna" in data.decode() and b"48" in data
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "B.SVG").read_bytes()
    json_too = score(FRIDAY, "--json", "--sheet", tmp_path / "c.svg")
    assert json.loads(json_too.out) == score_json(FRIDAY)


def test_a_drawn_png(tmp_path: Path) -> None:
    """With the extra that draws it."""
    pytest.importorskip("matplotlib")
    score(FRIDAY, "--sheet", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_sheet_for_the_terminal(tmp_path: Path) -> None:
    """``-`` prints the drawing with the whole settlement under it, and nothing else."""
    score(FRIDAY, "--sheet", tmp_path / "a.txt")
    drawn = (tmp_path / "a.txt").read_text(encoding="utf-8")
    assert score(FRIDAY, "--sheet", "-").out == drawn
    settlement = score(FRIDAY).out.partition("settlement\n")[2]
    assert all(line.strip() in drawn for line in settlement.splitlines())
    russian = score(EXAMPLES / "finka.toml", "--sheet", "-", "--lang", "ru").out
    assert "пулька сыграна" in russian and not ENGLISH.findall(russian)


# Exit codes from outside


def test_exit_codes_from_outside(tmp_path: Path) -> None:
    """0 for a report on stdout; 2 and one sentence on stderr for a protocol that is refused."""
    warm()
    done = outside("score", FRIDAY)
    assert (done.code, done.out, done.err) == (0, score(FRIDAY).out, "")
    done = outside("score", EXAMPLES / "wrong.toml")
    assert done.code == USAGE and done.out == ""
    assert done.message.endswith("entry 3: tricks must sum to 10, but 0 + 4 + 7 = 11")
    done = outside("score", "-", input=FRIDAY.read_text(encoding="utf-8"))
    assert done.out == score(FRIDAY).out


def test_a_file_is_needed() -> None:
    """Without a file there is nothing to score."""
    assert score_refused() == "give a FILE, or - for standard input"
