"""The command ``preferans``: what it prints, and that every mistake ends in one clear sentence."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import bots
import scoring.variant
from bots import bot_descriptions
from scoring.conventions import CONVENTIONS
from scoring.variant import find_variant, variant_names
from sim.analysis import METRICS
from sim.cli import cli
from sim.deals import N_DEALS
from sim.store import open_dataset

ROOT = Path(__file__).resolve().parent.parent
TINY = ("--pulkas", "8", "--pool", "4", "--seed", "1", "--workers", "1")
METRIC_NAMES = [metric.name for metric in METRICS[3]]
RUNNER = CliRunner()

FAILED, USAGE = 1, 2
"""Exit codes: something failed, and the arguments do not fit."""


@dataclass
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """The one line of an error."""
        return self.err.strip().splitlines()[-1].removeprefix("Error: ")


def run(*arguments: object, code: int = 0) -> Done:
    """The command in this process: the exit code as expected, and no traceback."""
    result = RUNNER.invoke(cli, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(f"a traceback instead of a message: {result.exception!r}") from None
    done = Done(result.exit_code, result.stdout, result.stderr)
    assert "Traceback" not in done.out + done.err
    assert done.code == code, done.err or done.out
    return done


def outside(*arguments: object, **options: Any) -> Done:
    """The command in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from sim.cli import main; main()", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        **options,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


def refused(*arguments: object, code: int = USAGE) -> str:
    """The one sentence with which arguments are refused: on stderr, under the usage or alone."""
    done = run(*arguments, code=code)
    assert done.out == ""
    lines = done.err.rstrip("\n").splitlines()
    lines = [line for line in lines if not line.startswith("compiling the engine")]
    if code == USAGE:
        assert lines[0].startswith("Usage: ") and lines[1].startswith("Try ") and not lines[2]
        lines = lines[3:]
    assert len(lines) == 1 and lines[0].startswith("Error: "), done.err
    return done.message


def simulate(folder: Path, *arguments: object) -> Done:
    """A tiny run of rostov into a folder."""
    return run("simulate", "--variant", "rostov", "--out", folder, *TINY, *arguments)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny dataset with its plays."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    simulate(folder, "--record", "plays")
    return folder


@pytest.fixture
def copy(recorded: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    shutil.copytree(recorded, tmp_path / "copy")
    return tmp_path / "copy"


def everything_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its contents."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# Help


def commands() -> list[tuple[str, click.Command]]:
    return [("", cli), *sorted(cli.commands.items())]


def test_the_commands() -> None:
    """The commands that there are, each listed with its purpose by ``--help``."""
    assert sorted(cli.commands) == ["bots", "compare", "deal", "replay", "simulate", "variants"]
    text = run("--help").out
    for name, command in cli.commands.items():
        assert command.help
        first = command.help.split()[0]
        assert re.search(rf"^  {name} +{first} ", text, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_option_has_help(name: str) -> None:
    """Every option says what it does, every argument is in the usage; ``-h`` is ``--help``."""
    command = dict(commands())[name]
    arguments = [name] if name else []
    text = run(*arguments, "--help").out
    assert run(*arguments, "-h").out == text
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help and parameter.help[0].isupper(), parameter.name
            words = " ".join(text.split())
            assert " ".join(parameter.help.split()[:3]) in words
            assert all(option in text for option in parameter.opts)
        else:
            assert parameter.name is not None
            assert parameter.name.upper() in text.splitlines()[0]


def test_table_or_json() -> None:
    """Every command that prints a table takes ``--json``."""
    tables = {name for name, command in commands() if "as_json" in {p.name for p in command.params}}
    assert tables == {"variants", "bots", "simulate", "compare"}


def test_defaults_are_shown() -> None:
    """The help of a run shows the default of every option that has one."""
    for name in ("simulate", "compare"):
        text = " ".join(run(name, "--help").out.split())
        for default in ("cautious", "3", "1000", "0", "500", "the variant's", "all cores"):
            assert f"[default: {default}]" in text


def test_version() -> None:
    """``--version`` names the program."""
    assert re.search(r"version \d+\.\d+", run("--version").out)


@pytest.mark.parametrize("arguments", [("--help",), ("simulate", "--help"), ("bots",)], ids=str)
def test_help_is_fast(arguments: tuple[str, ...]) -> None:
    """Help and the list of bots come without numba, which takes a second to import."""
    script = (
        "import sys\nfrom sim.cli import cli\n"
        f"cli({list(arguments)!r}, standalone_mode=False)\n"
        "print('numba' in sys.modules, 'pyarrow' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout and done.stderr.split() == ["False", "False"]


# Variants and bots


def test_variants_are_listed() -> None:
    """A line for each variant, with base, pool and both titles; the same as JSON."""
    lines = run("variants").out.splitlines()
    assert lines[0].split() == ["variant", "base", "pool", "title"]
    assert [line.split()[0] for line in lines[1:]] == list(variant_names())
    found = json.loads(run("variants", "--json").out)
    for line, data in zip(lines[1:], found, strict=True):
        variant = find_variant(data["name"])
        assert line.split()[1:3] == [variant.base or "-", str(variant.pool)]
        assert variant.title in line and variant.title_ru in line
        assert data["aliases"] == list(variant.aliases) and data["pool"] == variant.pool


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_is_shown(name: str) -> None:
    """All conventions with value and meaning; what differs from the base is marked."""
    variant = find_variant(name)
    text = run("variants", name).out
    assert variant.title in text and variant.title_ru in text and variant.source in text
    assert f"default pool: {variant.pool} " in text
    marked = re.findall(r"^\* (\S+) ", text, re.MULTILINE)
    assert marked == [c.key for c in CONVENTIONS if c.key in variant.differs] != []
    data = json.loads(run("variants", name, "--json").out)
    assert list(data["conventions"]) == [c.key for c in CONVENTIONS]
    for convention in CONVENTIONS:
        (line,) = re.findall(rf"^[ *] {re.escape(convention.key)} .*", text, re.MULTILINE)
        assert convention.meaning in line
        shown = data["conventions"][convention.key]
        value = variant.conventions[convention.key]
        assert shown["value"] == (list(value) if isinstance(value, tuple) else value)
        assert shown["meaning"] == convention.meaning and shown["allowed"] == convention.allowed()
        assert shown["differs"] == (convention.key in variant.differs)
    assert data["name"] == name and data["base"] == (variant.base or None)


def test_a_variant_is_shown_by_any_name(tmp_path: Path) -> None:
    """Aliases in both scripts, however they are written, and the path of a file."""
    text = run("variants", "rostov").out
    for name in ("Rostov", "РОСТОВ", "moscow", " Московская "):
        assert run("variants", name).out == text
    path = tmp_path / "ours.toml"
    path.write_text('title = "Ours"\nbase = "rostov"\n[raspas]\nprice = 7\n', encoding="utf-8")
    text = run("variants", path).out
    assert text.startswith("ours: Ours") and "(* = differs from rostov)" in text
    assert re.findall(r"^\* (\S+) +(\S+)", text, re.MULTILINE) == [("raspas.price", "7")]


def test_bots_are_listed() -> None:
    """A line for each bot; the same as JSON."""
    found = json.loads(run("bots", "--json").out)
    assert found == bot_descriptions() and {"random", "cautious"} <= set(found)
    lines = run("bots").out.splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [[k, v] for k, v in found.items()]


def test_names_come_from_the_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file put into the folder of variants or bots is there, without another line of code."""
    variants, bots_folder = tmp_path / "variants", tmp_path / "bots"
    shutil.copytree(scoring.variant.FOLDER, variants)
    (variants / "kursk.toml").write_text(
        'title = "Kursk"\nbase = "sochi"\naliases = ["Курск"]\n[raspas]\nprice = 3\n',
        encoding="utf-8",
    )
    shutil.copytree(bots.FOLDER, bots_folder, ignore=shutil.ignore_patterns("__pycache__"))
    (bots_folder / "lowest_of_kursk.py").write_text(
        "from .api import bot, ctz\n\n\n@bot()\ndef lowest(view, own):\n"
        '    """Plays the lowest legal action."""\n    return ctz(view.legal)\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(scoring.variant, "FOLDER", variants)
    monkeypatch.setattr(bots, "FOLDER", bots_folder)
    monkeypatch.setattr(bots, "__path__", [*bots.__path__, str(bots_folder)])
    scoring.variant._aliases.cache_clear()
    try:
        assert re.search(r"^kursk +sochi +20 +Kursk", run("variants").out, re.MULTILINE)
        assert "lowest    Plays the lowest legal action." in run("bots").out.splitlines()
        done = run("compare", "КУРСК", "sochi", *TINY, "--bots", "cautious,lowest,cautious")
        assert "8 pulkas each (kursk to 4, sochi to 4), bots cautious, lowest, seed 1" in done.out
        assert "did you mean kursk?" in refused("variants", "kurks")
    finally:
        scoring.variant._aliases.cache_clear()
        sys.modules.pop("bots.lowest_of_kursk", None)


# Deals


def test_a_deal_is_shown() -> None:
    """Three hands of ten and the talon: 32 different cards; the bounds of the numbers."""
    seen = set()
    for number in (0, 1, 123_456_789_012_345, N_DEALS - 1):
        text = run("deal", number).out
        assert text.splitlines()[0] == f"deal {number}"
        seen.add(text)
        lines = text.splitlines()[1:]
        cards = [card for line in lines for card in cards_in(line.split("  ", 1)[1])]
        assert [line.split("  ")[0].rstrip() for line in lines] == [
            "first hand",
            "second hand",
            "third hand",
            "talon",
        ]
        assert len(cards) == len(set(cards)) == 32
    assert len(seen) == 4
    assert f"0 to {N_DEALS - 1:,}".replace(",", " ") in run("deal", "--help").out
    for number in (N_DEALS, 10**30):
        message = refused("deal", number)
        assert message == f"deal number {number} is not possible: write 0 to {N_DEALS - 1}"
    refused("deal", "-1")
    assert "'ace' is not a valid integer" in refused("deal", "ace")


# Runs


def check_estimates(found: dict[str, Any], names: list[str]) -> None:
    """``{"variants": {name: {metric: {"value", "low", "high"}}}, "differences": {pair: ...}}``."""
    assert list(found["variants"]) == names
    pairs = [f"{a} - {b}" for k, a in enumerate(names) for b in names[k + 1 :]]
    assert list(found["differences"]) == pairs
    for group in (*found["variants"].values(), *found["differences"].values()):
        assert list(group) == METRIC_NAMES
        for metric in METRICS[3]:
            one = group[metric.name]
            assert set(one) == {"value", "low", "high", "unit"} and one["unit"] == metric.unit
            if one["low"] is not None:
                assert one["low"] <= one["value"] <= one["high"]


def test_simulate_prints_a_table(tmp_path: Path) -> None:
    """Every metric has its line on stdout with value and interval; the rest goes to stderr."""
    done = simulate(tmp_path / "run")
    lines = done.out.splitlines()
    assert lines[0].split() == ["95", "%", "intervals", "rostov"]
    assert len(lines) == 1 + len(METRIC_NAMES)
    for line, metric in zip(lines[1:], METRICS[3], strict=True):
        assert line.startswith(metric.title)
    number = r"(\d+\.\d+)"
    rate = re.fullmatch(rf"raspas, share of deals +{number}% \[{number}, {number}\]", lines[1])
    deals = re.fullmatch(rf"deals per pulka, deals +{number} \[{number}, {number}\]", lines[2])
    assert rate is not None and deals is not None
    assert done.err.strip().endswith(f"8 pulkas in {tmp_path / 'run'}")
    dataset = open_dataset(tmp_path / "run")
    pulkas, table = dataset.read("pulkas"), dataset.read("deals")
    assert pulkas.num_rows == 8
    assert float(deals[1]) == pytest.approx(table.num_rows / 8, abs=0.06)
    raspas = table.column("kind").to_pylist().count("raspas")
    assert float(rate[1]) == pytest.approx(100 * raspas / table.num_rows, abs=0.06)


def test_simulate_prints_json(tmp_path: Path) -> None:
    """The same as JSON, with the arguments of the run."""
    done = simulate(tmp_path / "run", "--json")
    found = json.loads(done.out)
    check_estimates(found, ["rostov"])
    manifest = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert found["run"] == manifest
    assert (manifest["seed"], manifest["pulkas"], manifest["pool"]) == (1, 8, 4)
    rows = open_dataset(tmp_path / "run").read("deals").num_rows
    assert found["variants"]["rostov"]["deals_per_pulka"]["value"] == pytest.approx(rows / 8)


def test_options_reach_the_run(tmp_path: Path) -> None:
    """Bots by seat, settings, seed, pool, limit of deals, record: all are kept in the manifest."""
    options = ["--bots", "random,cautious@bias=2.5,random", "--set", "raspas.price=9"]
    options += ["--set", "contract.concession=2", "--set", "raspas.progression=[1, 2]"]
    options += ["--max-deals", "3", "--record", "plays", "--seed", "77", "--json"]
    found = json.loads(simulate(tmp_path / "run", *options).out)["run"]
    assert found["bots"] == ["random", "cautious@bias=2.5", "random"]
    assert found["seed"] == 77 and found["max_deals"] == 3 and found["record_plays"] is True
    for line in ("price = 9", "concession = 2", "progression = [1, 2]"):
        assert line in found["variant_toml"].splitlines()
    deals = open_dataset(tmp_path / "run").read("pulkas").column("n_deals").to_pylist()
    assert max(deals) == 3


def test_the_default_pool_is_the_variants(tmp_path: Path) -> None:
    """Without ``--pool`` a pulka is played to the pool of the variant."""
    options = ["--pulkas", "4", "--max-deals", "5", "--json"]
    found = json.loads(run("compare", "sochi", "leningrad", *options).out)["runs"]
    for name, manifest in found.items():
        assert manifest["pool"] == find_variant(name).pool


def test_compare_prints_tables() -> None:
    """Variants side by side, then the differences of every pair."""
    done = run("compare", "rostov", "sochi", "Ленинград", *TINY)
    head, table, differences = done.out.rstrip("\n").split("\n\n")
    assert head == (
        "8 pulkas each (rostov to 4, sochi to 4, leningrad to 4), bots cautious, seed 1"
    )
    titles = [metric.title for metric in METRICS[3]]
    for text in (table, differences):
        lines = text.splitlines()
        assert len(lines) == 1 + len(titles)
        assert all(line.startswith(t) for line, t in zip(lines[1:], titles, strict=True))
    assert table.splitlines()[0].split()[3:] == ["rostov", "sochi", "leningrad"]
    pairs = ["rostov - sochi", "rostov - leningrad", "sochi - leningrad"]
    assert re.split(r"  +", differences.splitlines()[0]) == ["differences", *pairs]


def test_compare_prints_json() -> None:
    """The shape that scripts rely on, and that rostov has dearer raspas than sochi."""
    found = json.loads(run("compare", "rostov", "sochi", *TINY, "--pulkas", "30", "--json").out)
    check_estimates(found, ["rostov", "sochi"])
    rate = found["variants"]["rostov"]["raspas_rate"]
    assert 0 <= rate["low"] < rate["value"] < rate["high"] <= 1
    cost = found["differences"]["rostov - sochi"]["raspas_cost"]
    one, other = (found["variants"][name]["raspas_cost"]["value"] for name in ("rostov", "sochi"))
    assert cost["value"] == pytest.approx(one - other)
    assert set(found["runs"]) == {"rostov", "sochi"}


def test_compare_of_one_variant() -> None:
    """One variant alone has no differences."""
    found = json.loads(run("compare", "sochi", *TINY, "--json").out)
    check_estimates(found, ["sochi"])
    assert found["differences"] == {}


def test_compare_keeps_datasets(tmp_path: Path) -> None:
    """With ``--out`` each run is kept in a folder of its own, equal to a run of ``simulate``."""
    out = tmp_path / "both"
    arguments = ["compare", "rostov", "sochi", "rostov", *TINY, "--out", out]
    text = run(*arguments).out
    assert sorted(path.name for path in out.iterdir()) == ["rostov", "rostov#2", "sochi"]
    simulate(tmp_path / "alone")
    for name in ("rostov", "rostov#2"):
        assert everything_in(out / name) == everything_in(tmp_path / "alone")
    assert "holds a dataset already" in refused(*arguments)
    before = everything_in(out)
    assert run(*arguments, "--resume").out == text
    assert everything_in(out) == before
    assert run(*arguments, "--overwrite").out == text
    assert everything_in(out) == before


def test_a_house_variant(tmp_path: Path) -> None:
    """A file with a base is compared with its base; only what it changes differs."""
    path = tmp_path / "our_club.toml"
    path.write_text(
        'title = "Our club"\nbase = "rostov"\npool = 6\n[raspas]\nprice = 50\n', encoding="utf-8"
    )
    found = json.loads(
        run("compare", path, "rostov", *TINY, "--pulkas", "30", "--seed", "4", "--json").out
    )
    check_estimates(found, ["our_club", "rostov"])
    ours, theirs = found["variants"]["our_club"], found["variants"]["rostov"]
    assert ours["raspas_cost"]["value"] is None or (
        ours["raspas_cost"]["value"] > theirs["raspas_cost"]["value"]
    )
    assert ours["raspas_rate"]["value"] < theirs["raspas_rate"]["value"]
    toml = found["runs"]["our_club"]["variant_toml"]
    assert "price = 50" in toml and 'style = "gentleman"' in toml
    same = tmp_path / "same.toml"
    same.write_text('title = "Same"\nbase = "rostov"\n', encoding="utf-8")
    found = json.loads(run("compare", same, "rostov", *TINY, "--json").out)
    assert found["variants"]["same"] == found["variants"]["rostov"]
    for one in found["differences"]["same - rostov"].values():
        assert one["value"] in (0, None)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_do_not_matter(workers: int, tmp_path: Path) -> None:
    """The same seed prints the same and writes the same bytes with any number of workers."""
    options = ["--pulkas", "600", "--workers", workers]
    done = simulate(tmp_path / "run", *options)
    other = simulate(tmp_path / "other", "--pulkas", "600", "--workers", "1")
    assert done.out == other.out
    assert everything_in(tmp_path / "run") == everything_in(tmp_path / "other")


def test_resume_and_overwrite(tmp_path: Path) -> None:
    """A lost shard comes back with ``--resume``; ``--overwrite`` replaces another run."""
    folder = tmp_path / "run"
    done = simulate(folder, "--pulkas", "600")
    before = everything_in(folder)
    (folder / "pulkas" / "part-000001.parquet").unlink()
    assert simulate(folder, "--pulkas", "600", "--resume").out == done.out
    assert everything_in(folder) == before
    simulate(folder, "--overwrite")
    simulate(tmp_path / "other")
    assert everything_in(folder) == everything_in(tmp_path / "other")


def test_the_command_in_its_own_process(tmp_path: Path) -> None:
    """The installed command prints what it prints here; no progress bar where no terminal is."""
    arguments = ["compare", "rostov", "sochi", *TINY]
    done = outside(*arguments)
    assert (done.code, done.out) == (0, run(*arguments).out)
    assert "pulka/s" not in done.err and "%|" not in done.err and "\r" not in done.err
    done = outside("simulate", "--variant", "rostof", "--out", tmp_path / "run")
    assert done.code == USAGE and done.out == "" and "did you mean rostov" in done.message
    done = outside("replay", tmp_path, "--pulka", "0", "--deal", "0")
    assert done.code == FAILED and done.err == f"Error: {tmp_path} is no dataset: " + (
        "run.json is missing\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_a_progress_bar() -> None:
    """The bar is drawn on stderr if that is a terminal; stdout stays clean for a pipe."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", "from sim.cli import main; main()"]
        + ["compare", "sochi", *TINY, "--pulkas", "600", "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # The terminal goes away with the process.
        while chunk := os.read(ours, 4096):
            shown += chunk
    out, _ = process.communicate()
    os.close(ours)
    assert process.returncode == 0
    check_estimates(json.loads(out), ["sochi"])
    assert b"600/600" in shown and b"pulka/s" in shown and b"100%" in shown


# Replay


def test_replay_tells_every_deal(recorded: Path) -> None:
    """Each deal of a pulka is told with its number, hands, calls, tricks, value and the sheet."""
    rows = open_dataset(recorded).read("deals").to_pylist()
    assert {row["kind"] for row in rows} >= {"raspas", "tricks"}
    for row in rows:
        if row["pulka"] > 3:
            break
        text = run("replay", recorded, "--pulka", row["pulka"], "--deal", row["deal"]).out
        lines = text.splitlines()
        assert lines[0] == f"Rostov (Moscow) to 4, pulka {row['pulka']}, deal {row['deal']}"
        assert lines[1] == f"deal number {row['number']}, player {row['dealer']} deals"
        if row["kind"] == "raspas":
            assert f"raspas    {row['raspas_index'] + 1} in a row" in lines
        else:
            assert f"contract  {row['contract']} by player {row['declarer']}" in lines
        if row["played"]:
            taken = [f"player {i}: {row[f'tricks_{i}']}" for i in range(3)]
            assert f"taken     {', '.join(taken)}" in lines
            assert sum(bool(re.match(r" +\d+\. ", line)) for line in lines) == 10
        values = [f"player {i}: {row[f'value_{i}'] / 12:g}" for i in range(3)]
        shown = [line for line in lines if line.startswith("value ")]
        if all(row[f"value_{i}"] % 12 == 0 for i in range(3)):
            assert shown == [f"value     {', '.join(values)} whists"]
        assert lines[-5] == "sheet after the deal" and lines[-4].split()[:3] == [
            "player",
            "pool",
            "mountain",
        ]


@pytest.fixture(scope="module")
def talon_led(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with raspas led by the talon, contracts and misère."""
    folder = tmp_path_factory.mktemp("talon") / "run"
    options = ("--pulkas", "40", "--pool", "6", "--bots", "cautious@bias=-9", "--record", "plays")
    run("simulate", "--variant", "sochi", "--out", folder, *options)
    return folder


def cards_in(text: str) -> list[str]:
    """The cards of a hand as it is shown, suit and rank."""
    cards, suit = [], ""
    for sign in text:
        if sign in "♠♣♦♥":
            suit = sign
        elif sign in "789TJQKA":
            cards.append(suit + sign)
    return cards


def test_replay_tells_legal_play(talon_led: Path) -> None:
    """Each player plays cards of his own, follows suit, and who takes a trick leads the next.

    At raspas of sochi the talon leads the first two tricks, and the eldest hand plays first to the
    first three.
    """
    seen = set()
    for row in open_dataset(talon_led).read("deals").to_pylist()[:100]:
        if not row["played"]:
            continue
        arguments = ("--pulka", row["pulka"], "--deal", row["deal"])
        text = run("replay", talon_led, *arguments).out
        hands = {
            int(player): set(cards_in(cards))
            for player, cards in re.findall(r"^  player (\d)  (.+)$", text, re.MULTILINE)
        }
        (talon,) = (cards_in(x) for x in re.findall(r"^  talon +(.+)$", text, re.MULTILINE))
        discard = [set(cards_in(x)) for x in re.findall(r"^discard +(.+)$", text, re.MULTILINE)]
        assert len(set.union(*hands.values()) | set(talon)) == 32
        if discard:
            hands[row["declarer"]] = (hands[row["declarer"]] | set(talon)) - discard[0]
        kind = row["kind"]
        trump = row["strain"] if kind == "tricks" else None
        leader, taken = (row["dealer"] + 1) % 3, [0, 0, 0]
        tricks = re.findall(r"^ +(\d+)\. (.+?)(?:  \(talon (..)\))?$", text, re.MULTILINE)
        assert [int(number) for number, _, _ in tricks] == list(range(1, 11))
        for k, (_, played, led_by) in enumerate(tricks):
            led_by_talon = kind == "raspas" and k < 2
            assert led_by == (talon[k] if led_by_talon else "")
            plays = [(int(one[0]), one[2:]) for one in played.split("  ")]
            order = [player for player, _ in plays]
            assert order == [(leader + step) % 3 for step in range(3)]
            led = (led_by or plays[0][1])[0]
            for player, card in plays:
                suits = {other[0] for other in hands[player]}
                assert card in hands[player]
                assert card[0] == led or led not in suits
                assert card[0] in (led, trump) or trump not in suits
                hands[player].remove(card)
            strength = [
                (card[0] == trump, card[0] == led, "789TJQKA".index(card[1])) for _, card in plays
            ]
            winner = order[strength.index(max(strength))]
            if led_by_talon and all(card[0] != led for _, card in plays):
                winner = leader
            taken[winner] += 1
            leader = (row["dealer"] + 1) % 3 if led_by_talon else winner
        assert taken == [row[f"tricks_{i}"] for i in range(3)]
        seen.add(kind)
    assert seen == {"raspas", "tricks", "misere"}


def test_replay_shows_the_last_sheet(recorded: Path) -> None:
    """After the last deal of a pulka the sheet is that of the dataset."""
    dataset = open_dataset(recorded)
    for row in dataset.read("pulkas").to_pylist()[:4]:
        done = run("replay", recorded, "--pulka", row["pulka"], "--deal", row["n_deals"] - 1)
        for i, line in enumerate(done.out.splitlines()[-3:]):
            cells = line.split()
            pairs = [row[f"whists_{i}_{j}"] if i != j else None for j in range(3)]
            values = [row[f"pool_{i}"], row[f"mountain_{i}"], *pairs]
            assert int(cells[0]) == i
            for cell, value in zip(cells[1:], values, strict=True):
                if value is None:
                    assert cell == "-"
                elif value % 12 == 0:
                    assert cell == str(value // 12)
                else:
                    top, bottom = map(int, cell.split("/"))
                    assert 12 * top == value * bottom


def test_replay_out_of_range(recorded: Path) -> None:
    """Pulkas and deals that are not there: the message says what is."""
    message = refused("replay", recorded, "--pulka", 8, "--deal", 0)
    assert message == "pulka 8 is not there: the run has 0 to 7"
    (last,) = open_dataset(recorded).read("pulkas").column("n_deals").to_pylist()[2:3]
    message = refused("replay", recorded, "--pulka", 2, "--deal", last)
    assert message == f"deal {last} is not there: the pulka has 0 to {last - 1}"
    for name, value in (("pulka", -1), ("deal", -1), ("pulka", "one")):
        values: dict[str, object] = {"pulka": 0, "deal": 0, name: value}
        options = [word for key, x in values.items() for word in (f"--{key}", x)]
        assert f"--{name}" in refused("replay", recorded, *options)
    assert "--deal" in refused("replay", recorded, "--pulka", 0)


def test_replay_of_nothing(tmp_path: Path) -> None:
    """A folder that is missing or holds something else is a failure that names it."""
    for folder in (tmp_path / "absent", tmp_path):
        message = refused("replay", folder, "--pulka", 0, "--deal", 0, code=FAILED)
        assert message == f"{folder} is no dataset: run.json is missing"


def spoil(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    """A change of the JSON data of a manifest."""

    def apply(text: bytes) -> bytes:
        data = json.loads(text)
        changed = change(data)
        return json.dumps(data if changed is None else changed).encode()

    return apply


MANIFESTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda text: b"",
    "cut off": lambda text: text[:100],
    "no text": lambda text: bytes(range(128, 256)),
    "a list": lambda text: b"[1, 2]",
    "of another version": spoil(lambda data: data.update(schema_version=99)),
    "of another program": lambda text: b'{"name": "another"}',
    "without a seed": spoil(lambda data: {k: v for k, v in data.items() if k != "seed"}),
    "with more": spoil(lambda data: data.update(colour="red")),
    "with words for pulkas": spoil(lambda data: data.update(pulkas="8")),
    "with a number for bots": spoil(lambda data: data.update(bots=3)),
    "with numbers for bots": spoil(lambda data: data.update(bots=[1, 2, 3])),
    "with a seed below 0": spoil(lambda data: data.update(seed=-1)),
    "without a pool": spoil(lambda data: data.update(pool=None)),
    "with a shard of none": spoil(lambda data: data.update(shard_pulkas=0)),
    "with no TOML": spoil(lambda data: data.update(variant_toml="no TOML")),
}


@pytest.mark.parametrize("record", [True, False], ids=["recorded", "played again"])
@pytest.mark.parametrize("kind", MANIFESTS)
def test_a_damaged_manifest(kind: str, record: bool, copy: Path) -> None:
    """Whatever is wrong with ``run.json``: a failure, one sentence, no traceback."""
    path = copy / "run.json"
    data = json.loads(path.read_bytes())
    data["record_plays"] = record
    path.write_bytes(MANIFESTS[kind](json.dumps(data).encode()))
    refused("replay", copy, "--pulka", 0, "--deal", 0, code=FAILED)


def test_a_lost_file(copy: Path) -> None:
    """A Parquet file that is not there is named."""
    path = copy / "deals" / "part-000000.parquet"
    path.unlink()
    assert str(path) in refused("replay", copy, "--pulka", 0, "--deal", 0, code=FAILED)


FILES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "garbage": lambda path: path.write_bytes(b"PAR1 garbage"),
    "with a name that is no text": lambda path: path.write_bytes(
        path.read_bytes().replace(b"number", b"n\xf5mber")
    ),
    "with a wrong name": lambda path: path.write_bytes(
        path.read_bytes().replace(b"value_0", b"valus_0").replace(b"number", b"numbur")
    ),
    "with other columns": lambda path: pq.write_table(pa.table({"pulka": [0], "deal": [0]}), path),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file(kind: str, copy: Path) -> None:
    """A damaged Parquet file is named, when replayed and when resumed."""
    path = copy / "deals" / "part-000000.parquet"
    FILES[kind](path)
    message = refused("replay", copy, "--pulka", 0, "--deal", 0, code=FAILED)
    assert str(path) in message
    options = ["--variant", "rostov", "--out", copy, *TINY, "--record", "plays", "--resume"]
    assert str(path) in refused("simulate", *options, code=FAILED)


def rewrite(path: Path, name: str, change: Callable[[list[Any]], list[Any]]) -> None:
    """Change the values of a column of a Parquet file."""
    table = pq.read_table(path)
    field = table.schema.field(name)
    column = pa.array(change(table.column(name).to_pylist()), field.type)
    pq.write_table(table.set_column(table.column_names.index(name), field, column), path)


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("plays", b"", "decision 1 of the record, in phase auction, is missing"),
        ("plays", b"\xff" * 30, "decision 1 of the record, in phase auction, (255) is not legal"),
        ("plays", b"\x00" * 99, ""),
        ("number", -1, "deal number -1"),
        ("number", N_DEALS, f"deal number {N_DEALS}"),
    ],
)
def test_a_record_that_is_wrong(name: str, value: Any, words: str, copy: Path) -> None:
    """A record that cannot have been played is a failure that names pulka and deal."""
    path = copy / "deals" / "part-000000.parquet"
    rewrite(path, name, lambda values: [value, *values[1:]])
    message = refused("replay", copy, "--pulka", 0, "--deal", 0, code=FAILED)
    assert "pulka 0, deal 0" in message and words in message


def test_a_manifest_that_promises_plays(tmp_path: Path) -> None:
    """A dataset whose files lack what its manifest promises is damaged."""
    simulate(tmp_path)
    path = tmp_path / "run.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, "record_plays": True}), encoding="utf-8")
    refused("replay", tmp_path, "--pulka", 0, "--deal", 0, code=FAILED)


def test_a_bot_that_has_changed(tmp_path: Path) -> None:
    """A deal is played again by a bot whose file has changed since: it must come out the same.

    A change that plays the same is told as before; another play is a failure that names the bot.
    """
    path = tmp_path / "changing_of_the_command_line.py"
    path.write_text(SOURCE, encoding="utf-8")
    simulate(tmp_path / "run", "--bots", f"cautious,{path}:lowest,random")
    arguments = ("replay", tmp_path / "run", "--pulka", 1, "--deal", 0)
    done = run(*arguments)
    for text in (f"{SOURCE}# A new line.\n", SOURCE.replace("ctz(view.legal)", "msb(view.legal)")):
        path.write_text(text.replace("CARD, bot, ctz", "CARD, bot, ctz, msb"), encoding="utf-8")
        del sys.modules[path.stem]
        if "return msb" not in text:
            assert run(*arguments).out == done.out
        else:
            message = refused(*arguments, code=FAILED)
            assert f"bots changed since the run: {path}:lowest" in message and "pulka 1 " in message


def test_a_record_that_goes_on(copy: Path) -> None:
    """A record with a decision too many."""
    path = copy / "deals" / "part-000000.parquet"
    rewrite(path, "plays", lambda values: [values[0] + b"\x00", *values[1:]])
    message = refused("replay", copy, "--pulka", 0, "--deal", 0, code=FAILED)
    assert re.search(r"pulka 0, deal 0: the record goes on after the deal ended", message)


# Mistakes in the arguments


def of_a_run(tmp_path: Path, *arguments: object) -> tuple[object, ...]:
    """A run into a new folder with some more arguments."""
    return ("simulate", "--variant", "rostov", "--out", tmp_path / "run", *TINY, *arguments)


def test_unknown_variants(tmp_path: Path) -> None:
    """The nearest name is suggested, and all are listed, in every command that takes one."""
    for arguments in (
        ("variants", "rostof"),
        ("compare", "sochi", "rostof"),
        ("simulate", "--variant", "rostof", "--out", tmp_path / "run"),
    ):
        message = refused(*arguments)
        assert "variant 'rostof' is not known; did you mean rostov" in message
        assert ", ".join(variant_names()) in message and ".toml" in message
    assert "did you mean" not in refused("variants", "zzzzzzzz")
    assert not (tmp_path / "run").exists()
    assert "Missing option '--variant'" in refused("simulate", "--out", tmp_path / "run")
    assert "Missing option '--out'" in refused("simulate", "--variant", "rostov")
    assert "Missing argument 'VARIANTS...'" in refused("compare")


HEAD = 'title = "Ours"\nbase = "rostov"\n'
VARIANT_FILES = {
    "title = ": ("not a TOML file",),
    "title = 'Ours'\n[raspas\n": ("not a TOML file", "line 2"),
    'title = "Ours"\nbase = "rostof"\n': ("'rostof' is not known", "did you mean rostov"),
    f"{HEAD}[raspas]\nprise = 3\n": ("raspas.prise is not a convention", "raspas.price"),
    f"{HEAD}[raspaz]\nprice = 3\n": ("raspaz is not a key", "did you mean raspas"),
    f'{HEAD}[raspas]\nprice = "3"\n': (
        "raspas.price = '3'",
        "allowed: an integer from 0 to 1000",
    ),
    f'{HEAD}[raspas]\ncolumn = "moon"\n': ("raspas.column = 'moon'", "mountain or whists"),
    f"{HEAD}[auction]\njumps = 1\n": ("auction.jumps = 1", "allowed: true or false"),
    f"{HEAD}[values]\nmade = [1, 2]\n": ("values.made = [1, 2]", "five integers"),
    f"{HEAD}raspas = 3\n": ("raspas must be a table",),
    f"{HEAD}pool = 0\n": ("pool = 0", "1 to 10000"),
    'base = "rostov"\n': ("title is missing",),
    'title = "Ours"\n': ("pool", "is missing"),
}


@pytest.mark.parametrize("text", VARIANT_FILES)
def test_wrong_variant_files(text: str, tmp_path: Path) -> None:
    """What is wrong with a variant file: the file, the key, the value, and what is allowed."""
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    for arguments in (("variants", path), ("compare", path, "sochi")):
        message = refused(*arguments)
        assert str(path) in message or "is not known" in message
        for words in VARIANT_FILES[text]:
            assert words in message


def test_variant_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is missing, a folder, or not text."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "binary.toml").write_bytes(bytes(range(128, 256)))
    for name in ("absent", "folder", "binary"):
        message = refused("variants", tmp_path / f"{name}.toml")
        assert message.startswith(f"{tmp_path / name}.toml: cannot be read: ")


SETTINGS = {
    "raspas.price": ("--set raspas.price: write KEY=VALUE", "raspas.price=10"),
    "=3": ("write KEY=VALUE",),
    "raspas.prise=3": ("raspas.prise is not a convention", "did you mean raspas.price"),
    "price=3": ("price is not a convention",),
    "raspas.price=dear": ("raspas.price = 'dear'", "an integer from 0 to 1000"),
    "raspas.price=": ("raspas.price = ''", "an integer from 0 to 1000"),
    "raspas.price=-1": ("raspas.price = -1", "an integer from 0 to 1000"),
    "raspas.price=1.5": ("raspas.price = 1.5", "an integer from 0 to 1000"),
    "raspas.column=moon": ("raspas.column = 'moon'", "allowed: mountain or whists"),
    "auction.jumps=yes": ("auction.jumps = 'yes'", "allowed: true or false"),
    "raspas.progression=3": ("raspas.progression = 3", "a list of 1 to 8 integers"),
    "values.made=[1, 2]": ("values.made = [1, 2]", "five integers"),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_wrong_settings(setting: str, tmp_path: Path) -> None:
    """``--set`` with a wrong key or value: what is wrong, and what is allowed."""
    for arguments in (of_a_run(tmp_path), ("compare", "rostov", "sochi", *TINY)):
        message = refused(*arguments, "--set", setting)
        assert "--set" in message
        for words in SETTINGS[setting]:
            assert words in message
    assert not (tmp_path / "run").exists()


NUMBERS = {
    ("--pulkas", "0"): "0 pulkas cannot be played: write 1 or more",
    ("--pulkas", "-5"): "-5 pulkas",
    ("--pulkas", "many"): "'many' is not a valid integer",
    ("--pool", "0"): "pool 0 is not possible: write 1 to 10000",
    ("--pool", "10001"): "pool 10001 is not possible: write 1 to 10000",
    ("--seed", "-1"): "seed -1 is not possible: write 0 to 9223372036854775807",
    ("--seed", str(1 << 63)): "is not possible: write 0 to 9223372036854775807",
    ("--players", "2"): "2 players cannot be played yet; allowed: 3",
    ("--players", "4"): "4 players cannot be played yet; allowed: 3",
    ("--max-deals", "0"): "a limit of 0 deals is not possible: write 1 or more",
    ("--workers", "0"): "Invalid value for '--workers'",
    ("--record", "all"): "Invalid value for '--record'",
    ("--resumee",): "--resume",
}


@pytest.mark.parametrize("arguments", NUMBERS, ids=" ".join)
def test_wrong_numbers(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """A number that is out of range is refused with the range, before anything is written."""
    for command in (of_a_run(tmp_path), ("compare", "rostov", "sochi", *TINY)):
        assert NUMBERS[arguments] in refused(*command, *arguments)
    assert not (tmp_path / "run").exists()


# Mistakes with folders


def test_an_unwritable_folder(tmp_path: Path) -> None:
    """A folder below a regular file cannot be made; a regular file is no folder."""
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    place = tmp_path / "file" / "run"
    for arguments in (("simulate", "--variant", "rostov"), ("compare", "rostov", "sochi")):
        message = refused(*arguments, *TINY, "--out", place, code=FAILED)
        assert message.startswith(str(place)) and "cannot be written" in message
    for option in ((), ("--resume",), ("--overwrite",)):
        message = refused(
            "simulate", "--variant", "rostov", *TINY, "--out", tmp_path / "file", *option
        )
        assert "is no dataset" in message
    assert (tmp_path / "file").read_text(encoding="utf-8") == "precious"


def test_an_existing_dataset(copy: Path) -> None:
    """It is not touched without ``--resume`` or ``--overwrite``, nor with other arguments."""
    before = everything_in(copy)
    arguments = ("simulate", "--variant", "rostov", "--out", copy, *TINY, "--record", "plays")
    message = refused(*arguments)
    assert str(copy) in message and "--resume" in message and "--overwrite" in message
    for change, words in (
        (("--seed", "2"), "seed was 1"),
        (("--pulkas", "9"), "pulkas was 8"),
        (("--pool", "5"), "pool was 4"),
        (("--bots", "random"), "bots was ['cautious', 'cautious', 'cautious']"),
        (("--set", "raspas.price=6"), "rules_digest was"),
        (("--max-deals", "6"), "max_deals was 500"),
        (("--variant", "sochi"), "variant was 'rostov'"),
    ):
        message = refused(*arguments, *change, "--resume")
        assert "cannot be resumed with other arguments" in message and words in message
    assert "exclude each other" in refused(*arguments, "--resume", "--overwrite")
    assert everything_in(copy) == before


@pytest.mark.parametrize("option", ["--resume", "--overwrite"])
def test_a_folder_without_a_dataset(option: str, tmp_path: Path) -> None:
    """``--resume`` and ``--overwrite`` leave a folder alone that this program did not write."""
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "thesis.txt").write_text("precious", encoding="utf-8")
    before = everything_in(tmp_path)
    arguments = ("simulate", "--variant", "rostov", "--out", tmp_path, *TINY, option)
    assert "is no dataset" in refused(*arguments)
    assert everything_in(tmp_path) == before


def test_a_folder_with_another_programs_manifest(tmp_path: Path) -> None:
    """Nor is it a dataset because something called ``run.json`` lies there."""
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "thesis.txt").write_text("precious", encoding="utf-8")
    (tmp_path / "run.json").write_text('{"name": "another"}', encoding="utf-8")
    before = everything_in(tmp_path)
    done = RUNNER.invoke(
        cli, ["simulate", "--variant", "rostov", "--out", str(tmp_path), *TINY, "--overwrite"]
    )
    assert everything_in(tmp_path) == before
    assert done.exit_code != 0 and "is no" in done.stderr


def test_options_that_need_a_folder() -> None:
    """``compare`` without ``--out`` has nothing to resume or overwrite."""
    for option in ("--resume", "--overwrite"):
        assert "need --out" in refused("compare", "rostov", "sochi", *TINY, option)


# Mistakes with bots

SOURCE = '''"""Bots of a user, good and bad."""
import numpy as np
from bots.api import CARD, bot, ctz


@bot()
def lowest(view, own):
    return ctz(view.legal)


@bot()
def illegal(view, own):
    if view.phase == CARD:
        return 61
    return ctz(view.legal)


@bot()
def failing(view, own):
    if view.phase == CARD:
        raise ValueError("no idea")
    return ctz(view.legal)


@bot()
def speechless(view, own):
    return "pass"


@bot()
def fractional(view, own):
    return 0.5 + ctz(view.legal)


@bot()
def one_argument(view):
    return ctz(view.legal)


@bot()
def curious(view, own):
    return view.hands_of_all


@bot()
def thief(view, own):
    view.tricks[0] = 10
    return ctz(view.legal)


def undecorated(view, own):
    return 0


NUMBER = 3


class NoAct:
    def __init__(self, rules, seed):
        pass


class Lowest:
    def __init__(self, rules, seed, shift=0.0):
        self.asked = 0

    def answers(self, seen):
        return [(int(x) & -int(x)).bit_length() - 1 for x in seen["legal"]]

    def act(self, seen):
        return self.answers(seen)


class Illegal(Lowest):
    def act(self, seen):
        return [61 if row["phase"] == CARD else a for row, a in zip(seen, self.answers(seen))]


class Negative(Lowest):
    def act(self, seen):
        return [-1] * len(seen)


class Failing(Lowest):
    def act(self, seen):
        if (seen["phase"] == CARD).any():
            raise ValueError("no idea")
        return self.answers(seen)


class FailingAtLength(Lowest):
    def act(self, seen):
        raise ValueError("no idea:\\nfirst,\\nsecond")


class Speechless(Lowest):
    def act(self, seen):
        return None


class Wordy(Lowest):
    def act(self, seen):
        return ["pass"] * len(seen)


class Fractional(Lowest):
    def act(self, seen):
        return np.array(self.answers(seen)) + 0.5


class Short(Lowest):
    def act(self, seen):
        return self.answers(seen)[1:]


class Ragged(Lowest):
    def act(self, seen):
        return [[0], [1, 2]] * len(seen)


class Unmade(Lowest):
    def __init__(self, rules, seed):
        raise RuntimeError("no room")


class Bare:
    def act(self, seen):
        return [0] * len(seen)
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with good and bad bots of a user."""
    path = tmp_path_factory.mktemp("users") / "bots_of_the_command_line.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_bots_of_a_user(file: Path, tmp_path: Path) -> None:
    """A jitted bot and a class from a file play together, and play alike."""
    tables = []
    for k, names in enumerate(("lowest,lowest,lowest", "lowest,Lowest,lowest@", "Lowest")):
        names = ",".join(f"{file}:{name}" for name in names.removesuffix("@").split(","))
        simulate(tmp_path / str(k), "--bots", names)
        tables.append(open_dataset(tmp_path / str(k)).read("deals"))
    assert tables[0].equals(tables[1]) and tables[0].equals(tables[2])


def test_wrong_names_of_bots(file: Path, tmp_path: Path) -> None:
    """A bot that is not known, with the nearest name; and a wrong number of bots."""
    command = of_a_run(tmp_path)
    message = refused(*command, "--bots", "cautios")
    assert "bot 'cautios' is not known; did you mean cautious?" in message
    assert ", ".join(bot_descriptions()) in message and "mybots.py:Name" in message
    assert "did you mean" not in refused(*command, "--bots", "zzzzzzzz")
    for names in ("random,random", "random,random,random,random"):
        count = names.count(",") + 1
        message = refused(*command, "--bots", names)
        assert message == f"{count} bots for 3 players: name one for all seats, or 3"
    for names in ("", "random,,random"):
        assert "name is empty" in refused(*command, "--bots", names)
    assert not (tmp_path / "run").exists()


def test_wrong_options_of_bots(file: Path, tmp_path: Path) -> None:
    """An option that a bot does not have, or that is no number."""
    command = of_a_run(tmp_path)
    message = refused(*command, "--bots", "cautious@bais=2")
    assert "cautious@bais=2 has no option 'bais'; its options: bias" in message
    message = refused(*command, "--bots", f"{file}:Lowest@shfit=2")
    assert "has no option 'shfit'; its options: shift" in message
    assert "it has none" in refused(*command, "--bots", "random@bias=2")
    for word in ("bias", "bias=", "bias=big"):
        message = refused(*command, "--bots", f"cautious@{word}")
        assert f"write options as NAME@key=number, not {word!r}" in message


def test_wrong_files_of_bots(file: Path, tmp_path: Path) -> None:
    """A file that is missing or broken, and names in a file that are no bots."""
    command = of_a_run(tmp_path)
    absent = tmp_path / "absent.py"
    assert f"there is no file {absent}" in refused(*command, "--bots", f"{absent}:Name")
    assert "has no 'absent'" in refused(*command, "--bots", f"{file}:absent")
    for stem, text, reason in (
        ("broken_of_the_command_line", "def f(:\n", "SyntaxError"),
        ("importing_of_the_command_line", "import no_such_module\n", "ModuleNotFoundError"),
        ("failing_of_the_command_line", "raise ValueError('a\\nb')\n", "ValueError"),
    ):
        path = tmp_path / f"{stem}.py"
        path.write_text(text, encoding="utf-8")
        message = refused(*command, "--bots", f"{path}:Name")
        assert str(path) in message and reason in message


NO_BOTS = {
    "undecorated": "put @bot() above def f(view, own)",
    "NUMBER": "neither a class with act(observations) nor a jitted bot",
    "NoAct": "the class has no method act(observations)",
    "one_argument": "it must take two arguments, (view, own)",
    "curious": "view has no attribute hands_of_all",
    "thief": "read-only",
    "speechless": "",
    "Unmade": "no room",
    "Bare": "could not be made",
}


@pytest.mark.parametrize("name", NO_BOTS)
def test_names_that_are_no_bots(name: str, file: Path, tmp_path: Path) -> None:
    """What is no bot is a wrong argument, a bot that does not work a failure; both are named."""
    code = USAGE if name in ("undecorated", "NUMBER", "NoAct") else FAILED
    message = refused(*of_a_run(tmp_path), "--bots", f"{file}:{name}", code=code)
    assert f"{file}:{name}" in message and NO_BOTS[name] in message


MISTAKES = {
    "illegal": "action 61 in phase card is not legal (legal actions: ",
    "Illegal": "action 61 in phase card is not legal (legal actions: ",
    "Negative": "action -1 in phase auction is not legal (legal actions: 0, ",
    "failing": "ValueError: no idea",
    "Failing": "ValueError: no idea",
    "FailingAtLength": "ValueError: no idea:",
    "fractional": "integer",
    "Fractional": "float64",
    "Speechless": "NoneType",
    "Wordy": "integers",
    "Short": "integers",
    "Ragged": "no array of actions",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_bot_makes_a_mistake(name: str, file: Path, tmp_path: Path) -> None:
    """A bot that plays what is not legal, raises, or answers with a wrong type, at seat 1.

    The command fails with one line: bot, player, pulka, deal, and what was wrong. A jitted bot's
    wrong type is found when it is compiled, before any pulka.
    """
    command = of_a_run(tmp_path, "--bots", f"cautious,{file}:{name},random")
    message = refused(*command, code=FAILED)
    assert MISTAKES[name] in message
    if name != "fractional":
        where = re.match(rf"bot {re.escape(str(file))}:{name} \(player 1\) .*", message)
        assert where, message
        assert re.search(r"in pulka \d, deal \d+", message), message
    else:
        assert message.startswith(f"bot {file}:{name} ")
    folder = tmp_path / "run"
    assert not list(folder.rglob("part-*")) and not list(folder.rglob(".*"))


def test_the_deal_of_a_mistake(file: Path, tmp_path: Path) -> None:
    """The pulka and deal in the message are those where it happened."""
    text = SOURCE.replace(
        "if view.phase == CARD:\n        return 61", "if view.deal == 2:\n        return 61"
    )
    path = tmp_path / "late_of_the_command_line.py"
    path.write_text(text, encoding="utf-8")
    command = of_a_run(tmp_path, "--bots", f"cautious,cautious,{path}:illegal")
    message = refused(*command, "--pool", "20", code=FAILED)
    assert message.startswith(f"bot {path}:illegal (player 2) in pulka 0, deal 2: action 61 in")


def test_a_mistake_in_its_own_process(file: Path, tmp_path: Path) -> None:
    """The same from outside: exit code 1, stdout empty, one line on stderr."""
    done = outside(*of_a_run(tmp_path, "--bots", f"{file}:illegal"))
    lines = [x for x in done.err.splitlines() if not x.startswith("compiling the engine")]
    assert (done.code, done.out, len(lines)) == (FAILED, "", 1)
    assert re.match(rf"Error: bot {file}:illegal \(player \d\) in pulka \d, deal \d+: ", lines[0])
