"""The command ``preferans`` for the refet game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import OF_REFET, TINY, everything_in, refused, run

from scoring.variant import find_variant, variant_names
from sim.store import open_dataset

VARIANTS = [name for name in variant_names() if find_variant(name).has_columns]
RANDOM = ("--bots", "random", "--max-deals", "20")


def kept(folder: Path, variant: str, *arguments: object) -> Any:
    """What a tiny run prints as JSON."""
    command = ("simulate", "--variant", variant, "--out", folder, *TINY, *RANDOM, *arguments)
    return json.loads(run(*command, "--json").out)


# Variants


def test_the_list_shows_the_start() -> None:
    """The start of a column stands where others have their pool."""
    text = run("variants").out
    for name, start in (("refet", 30), ("slovenian", 30), ("serbian", 100), ("iklub", 60)):
        assert re.search(rf"^{name} +(refet|serbian|-) +3, 4 +{start} ", text, re.MULTILINE)
    data = {one["name"]: one for one in json.loads(run("variants", "--json").out)}
    assert (data["ipref"]["family"], data["ipref"]["pool"]) == ("refet", 100)


def test_a_variant_shows_its_conventions() -> None:
    """Those of the refet game alone, with what differs from the base marked."""
    text = run("variants", "serbian").out
    assert "\ndefault pool: 100, at which each contract column starts\n" in text
    tables = set(re.findall(r"^[ *] (\w+)\.", text, re.MULTILINE))
    assert tables == {"bidding", "follow", "contra", "spades", "betl", "tricks", "refets", "last"}
    marked = dict(re.findall(r"^\* (\S+) +(\S+)", text, re.MULTILINE))
    assert marked == {
        "spades.nobody_comes": "made",
        "refets.few": "2",
        "refets.many": "8",
        "refets.many_from": "400",
        "last.write_off": "whole",
    }
    assert run("variants", "Сербский").out == text


# Runs


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_simulate(variant: str, players: int, tmp_path: Path) -> None:
    """The variant's own start, or the one asked for; columns, soup and refets; its own figures."""
    found = kept(tmp_path / "run", variant, "--players", players)
    told = found["run"]
    assert (told["players"], told["pool"], told["schema_version"]) == (players, 4, 4)
    names = list(found["variants"][variant])
    known = [metric.name for metric in OF_REFET[players]]
    if variant in ("iklub", "prefko"):
        known = [name for name in known if name not in ("subcontra_rate", "mordcontra_rate")]
    assert [name for name in names if "preferans" not in name] == known
    assert ("made_preferans" in names) == (variant == "prefko")
    dataset = open_dataset(tmp_path / "run")
    pulkas, deals = dataset.read("pulkas"), dataset.read("deals")
    for name in ("pool_0", "row_6_0", "row_misere_1"):
        assert pulkas[name].null_count == 8
    for name in ("mountain_0", "whists_0_1", "refets_0", "refets_given"):
        assert pulkas[name].null_count == 0
    assert pulkas["refets_3"].null_count == (0 if players == 4 else 8)
    for name in ("open", "dark", "off_mountain", "raspas_index", "talon_units"):
        assert deals[name].null_count == deals.num_rows
    assert set(deals["kind"].to_pylist()) <= {"passed", "tricks", "betl"}


def test_the_start_is_the_variants(tmp_path: Path) -> None:
    """Without ``--pool`` the columns start where the variant says."""
    command = ("simulate", "--variant", "serbian", "--out", tmp_path / "run", "--pulkas", "3")
    run(*command, "--bots", "random", "--max-deals", "1")
    dataset = open_dataset(tmp_path / "run")
    assert dataset.info.pool == 100
    for row in dataset.read("pulkas").to_pylist():
        changes = [row[f"mountain_{i}"] - 1200 for i in range(3)]
        assert row["unfinished"] and sum(change != 0 for change in changes) <= 2


def test_the_figures_are_told(tmp_path: Path) -> None:
    """A line a figure with its unit; without invitations and contras there are no such figures."""
    command = ("simulate", "--variant", "refet", "--out", tmp_path / "1", *TINY, *RANDOM)
    lines = run(*command).out.splitlines()[1:]
    for line, metric in zip(lines, OF_REFET[3], strict=True):
        assert line.startswith(metric.title)
    settings = ("--set", "contra.levels=0", "--set", "follow.invite=false", "--overwrite")
    settings = (*settings, "--set", "spades.needs_contra=false")
    text = run(*command, *settings).out
    assert not re.search("contra|invites", text) and "comes, per follower asked" in text
    values = open_dataset(tmp_path / "1").read("deals")
    assert set(values["contra"].to_pylist()) == {0}


def test_workers_and_resume(tmp_path: Path) -> None:
    """One worker and two write the same bytes; a lost shard comes back."""
    options = ("--pulkas", "600", "--max-deals", "8", "--record", "plays", "--players", "4")
    one = kept(tmp_path / "1", "prefko", *options)
    assert kept(tmp_path / "2", "prefko", *options, "--workers", "2") == one
    before = everything_in(tmp_path / "1")
    assert everything_in(tmp_path / "2") == before
    (tmp_path / "1" / "deals" / "part-000001.parquet").unlink()
    assert kept(tmp_path / "1", "prefko", *options, "--resume") == one
    assert everything_in(tmp_path / "1") == before


# Comparisons


SELDOM = '''"""A bot of a user that seldom bids, so that hands are passed by all."""
from bots.api import below, bot, nth_bit, popcount
from sim.state import BIDDING, PASS


@bot()
def seldom(view, own):
    if view.phase == BIDDING and view.random & 7 < 6:
        return PASS
    return nth_bit(view.legal, below(view.random, popcount(view.legal)))
'''


def test_how_refets_differ(tmp_path: Path) -> None:
    """The question of two rules: how often refets are written and used, and what they cost."""
    path = tmp_path / "seldom_bot_of_refets.py"
    path.write_text(SELDOM, encoding="utf-8")
    seldom = ("--bots", f"{path}:seldom", "--max-deals", "20")
    command = ("compare", "serbian", "refet", "--pulkas", "200", "--seed", "3", "--pool", "20")
    head, table, differences = run(*command, *seldom).out.rstrip("\n").split("\n\n")
    assert head == (
        f"200 pulkas each (serbian from 20, refet from 20), 3 players, bots {path}:seldom, seed 3"
    )
    for text in (table, differences):
        found = dict(re.findall(r"^(.+?)  +(\S.*)$", text, re.MULTILINE))
        for title in ("refets written per pulka", "refets used, share of written"):
            assert re.search(r"-?\d+(\.\d+)?%? \[", found[title])
    found = json.loads(run(*command, *seldom, "--json").out)
    rows = [found["variants"][name] for name in ("serbian", "refet")]
    paired = found["differences"]["serbian - refet"]
    for name in ("refets_per_pulka", "used_rate", "refet_rate", "refet_cost", "game_cost"):
        both = [row[name]["value"] for row in rows]
        assert min(both) > 0
        assert paired[name]["value"] == pytest.approx(both[0] - both[1])
        assert paired[name]["low"] <= paired[name]["value"] <= paired[name]["high"]
    assert paired["refets_per_pulka"]["low"] > 0 > paired["barred_rate"]["high"]


def test_a_setting_is_compared(tmp_path: Path) -> None:
    """A house rule in a file against its base; without refets their figures are nothing."""
    path = tmp_path / "none.toml"
    path.write_text('title = "None"\nbase = "serbian"\n[refets]\nfew = 0\n', encoding="utf-8")
    found = json.loads(run("compare", "serbian", path, *TINY, *RANDOM, "--json").out)
    none = found["variants"]["none"]
    assert none["refets_per_pulka"]["value"] == none["refet_rate"]["value"] == 0
    assert none["used_rate"]["value"] is None is none["refet_cost"]["value"]
    few = json.loads(
        run("compare", "serbian", *TINY, *RANDOM, "--set", "refets.few=1", "--json").out
    )
    assert "few = 1\n" in few["runs"]["serbian"]["variant_toml"]


# Mistakes


REFUSED = {
    ("refet", "--players", "2"): "refet is played by 3 or 4 players, not by 2",
    ("serbian", "--pool", "0"): ("pool 0 is not possible: write 1 to 10000 pool points per player"),
    ("refet", "--set", "raspas.price=3"): (
        "--set: raspas.price has no meaning in the family refet"
    ),
    ("sochi", "--set", "refets.few=2"): "--set: refets.few has no meaning in the family pool",
    ("refet", "--set", "refets.fev=2"): (
        "--set: refets.fev is not a convention; did you mean refets.few"
    ),
    ("refet", "--set", "contra.levels=5"): (
        "--set: contra.levels = 5; allowed: an integer from 0 to 4"
    ),
    ("refet", "--set", "spades.left=lost"): (
        "--set: spades.left = 'lost'; allowed: refet_or_made or refet_or_four or "
        "refet_or_nothing or made"
    ),
    ("refet", "--bots", "random,random"): ("2 bots for 3 players: name one for all seats, or 3"),
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_does_not_fit(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Players, start and settings that the variant does not have: one sentence."""
    variant, *options = arguments
    out = ("--out", tmp_path / "run")
    found = refused("simulate", "--variant", variant, *out, *options)
    assert found.startswith(REFUSED[arguments])
    assert refused("compare", variant, *options) == found
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_compared() -> None:
    """Another sheet, whatever the number of players."""
    assert refused("compare", "refet", "sochi") == (
        "refet and sochi have no figures to compare: the one is of the family refet, the other of "
        "pool"
    )
    assert "players must be the same" in refused("compare", "serbian", "razboinik")
