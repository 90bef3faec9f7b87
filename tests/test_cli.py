"""The command ``preferans``: help, lists, runs and comparisons."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from cli_bridge import (
    FAILED,
    METRIC_NAMES,
    METRICS,
    ROOT,
    TINY,
    USAGE,
    cards_in,
    everything_in,
    outside,
    refused,
    run,
    simulate,
)

import bots
import scoring.variant
from bots import bot_descriptions
from scoring.variant import find_variant, variant_names
from sim.cli import cli
from sim.deals import N_DEALS
from sim.store import open_dataset

# Help

COMMANDS = [
    *("advise", "analyze", "bots", "compare", "convert", "deal", "duel", "play", "prices"),
    *("replay", "rescore", "score", "simulate", "solve", "tournament", "train", "tune", "variants"),
]


def commands() -> list[tuple[str, click.Command]]:
    return [("", cli), *sorted(cli.commands.items())]


def test_the_commands() -> None:
    """The commands that there are, each listed with its purpose by ``--help``."""
    assert sorted(cli.commands) == COMMANDS
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
    assert tables == set(COMMANDS) - {"convert", "deal", "play", "replay", "train", "tune"}


def test_defaults_are_shown() -> None:
    """The help of a run shows the default of every option that has one."""
    for name in ("simulate", "compare"):
        text = " ".join(run(name, "--help").out.split())
        defaults = ("expert", "1000", "0", "500", "the variant's", "all cores")
        for default in (*defaults, "3, or the variant's own"):
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
    """A line for each variant, with base, players, pool and both titles; the same as JSON."""
    lines = [re.split("  +", line) for line in run("variants").out.splitlines()]
    assert lines[0] == ["variant", "base", "players", "pool", "title"]
    assert [line[0] for line in lines[1:]] == list(variant_names())
    found = json.loads(run("variants", "--json").out)
    for line, data in zip(lines[1:], found, strict=True):
        variant = find_variant(data["name"])
        players = ", ".join(map(str, variant.players))
        pool = str(variant.pool) if variant.has_target else "-"
        title = f"{variant.title} ({variant.title_ru})"
        assert line[1:] == [variant.base or "-", players, pool, title]
        assert data["aliases"] == list(variant.aliases)
        assert data["players"] == list(variant.players)
        assert data["pool"] == (variant.pool if variant.has_target else None)


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_is_shown(name: str) -> None:
    """Its conventions with value and meaning; what differs from the base is marked."""
    variant = find_variant(name)
    text = run("variants", name).out
    assert variant.title in text and variant.title_ru in text and variant.source in text
    pool = (
        f"default pool: {variant.pool}" if variant.has_target else "pool: none; the game ends when"
    )
    assert f"\n{pool}" in text
    assert f"\nplayers: {', '.join(map(str, variant.players))}\n" in text
    own = variant.own_conventions()
    marked = re.findall(r"^\* (\S+) ", text, re.MULTILINE)
    assert marked == [c.key for c in own if c.key in variant.differs]
    assert marked or name == "classic_two" or not variant.base
    assert len(re.findall(r"^[ *] \w+\.\w+ ", text, re.MULTILINE)) == len(own)
    data = json.loads(run("variants", name, "--json").out)
    assert list(data["conventions"]) == [c.key for c in own]
    for convention in own:
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
        assert re.search(r"^kursk +sochi +2, 3, 4 +20 +Kursk", run("variants").out, re.MULTILINE)
        assert "lowest    Plays the lowest legal action." in run("bots").out.splitlines()
        done = run("compare", "КУРСК", "sochi", *TINY, "--bots", "cautious,lowest,cautious")
        assert (
            "8 pulkas each (kursk to 4, sochi to 4), 3 players, bots cautious, lowest, seed 1"
            in done.out
        )
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
    options += ["--max-deals", "3", "--record", "plays", "--seed", "77", "--claims", "--json"]
    found = json.loads(simulate(tmp_path / "run", *options).out)["run"]
    assert found["bots"] == ["random", "cautious@bias=2.5", "random"]
    assert found["players"] == 3 and found["claims"] is True
    assert found["seed"] == 77 and found["max_deals"] == 3 and found["record_plays"] is True
    for line in ("price = 9", "concession = 2", "progression = [1, 2]"):
        assert line in found["variant_toml"].splitlines()
    deals = open_dataset(tmp_path / "run").read("pulkas").column("n_deals").to_pylist()
    assert max(deals) == 3


def test_four_players(tmp_path: Path) -> None:
    """Four players have a fourth seat, that of the dealer, and results of their own."""
    options = ["--players", "4", "--bots", "random,random,random,random", "--claims"]
    done = simulate(tmp_path / "run", *options)
    titles = [metric.title for metric in METRICS[4]]
    assert "value of the sitting dealer" in titles and "result of player 3" in titles
    lines = done.out.splitlines()[1:]
    assert all(line.startswith(title) for line, title in zip(lines, titles, strict=True))
    found = json.loads(simulate(tmp_path / "again", *options, "--json").out)
    assert (found["run"]["players"], found["run"]["claims"]) == (4, True)
    assert found["run"]["bots"] == ["random"] * 4
    assert list(found["variants"]["rostov"]) == [metric.name for metric in METRICS[4]]
    both = ["compare", "rostov", "finka", *TINY, "--bots", "random", *options[:2]]
    assert "(rostov to 4, finka to 4), 4 players, bots random, seed 1" in run(*both).out
    deals = open_dataset(tmp_path / "run").read("deals")
    assert deals.column("value_3").null_count == 0
    assert set(deals.column("dealer").to_pylist()) == {0, 1, 2, 3}


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
        "8 pulkas each (rostov to 4, sochi to 4, leningrad to 4), 3 players, bots expert, seed 1"
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
    for name, one in found["variants"]["same"].items():
        other = found["variants"]["rostov"][name]
        bounds = ("value", "low", "high")
        assert [one[b] for b in bounds] == pytest.approx([other[b] for b in bounds], abs=1e-9)
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


@pytest.mark.slow
def test_the_first_run_says_that_it_compiles(tmp_path: Path) -> None:
    """One line before the engine is compiled, and none when it comes from the cache."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        outside("compare", "sochi", "--pulkas", 3, "--pool", 4, env=environment) for _ in range(2)
    )
    assert first.code == second.code == 0 and first.out == second.out
    assert "compiling the engine, once" in first.err and second.err == ""
