"""The command ``preferans`` for two players with the dummy, and for razboinik."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import METRICS, OF_RAZBOINIK, TINY, everything_in, refused, run

from scoring.contract import ROWS
from scoring.variant import find_variant
from sim.store import open_dataset

RANDOM = ("--bots", "random")
OF_ROWS = ("--pulkas", "8", "--seed", "1", "--workers", "1", *RANDOM)
"""A tiny run of razboinik, which has no pool."""


def kept(folder: Path, variant: str, *arguments: object) -> Any:
    """What a tiny run prints as JSON."""
    tiny = TINY if find_variant(variant).has_target else OF_ROWS
    command = ("simulate", "--variant", variant, "--out", folder, *tiny, *RANDOM, *arguments)
    return json.loads(run(*command, "--json").out)


def names_of(found: dict[str, Any]) -> list[str]:
    return list(found["variants"].popitem()[1])


# Runs


@pytest.mark.parametrize("variant", ["classic_two", "gusarik", "leningrad"])
def test_two_players(variant: str, tmp_path: Path) -> None:
    """The variant's own number of players, or the number asked for; two bots, or one for both."""
    asked = [] if find_variant(variant).players == (2,) else ["--players", "2"]
    found = kept(tmp_path / "run", variant, *asked, "--bots", "random,cautious")["run"]
    assert (found["players"], found["bots"], found["pool"]) == (2, ["random", "cautious"], 4)
    pulkas, deals = (open_dataset(tmp_path / "run").read(name) for name in ("pulkas", "deals"))
    assert set(deals["dealer"].to_pylist()) == {0, 1} and deals["dealer"][0].as_py() == 1
    assert deals["value_2"].null_count == deals.num_rows
    assert deals["tricks_1"].null_count == deals["played"].to_pylist().count(False)
    for name in ("pool_2", "whists_0_2", "row_6_0", "row_misere_1"):
        assert pulkas[name].null_count == 8


def test_figures_of_two(tmp_path: Path) -> None:
    """The table has the lines of two players, and no others."""
    command = ("--out", tmp_path / "run", *TINY, *RANDOM)
    lines = run("simulate", "--variant", "classic_two", *command).out.splitlines()[1:]
    blind = [line for line in lines if line.startswith("blind, share of whists")]
    titles = [metric.title for metric in METRICS[2]]
    assert len(blind) == 1 and len(lines) == len(titles) + 1
    for line, title in zip([one for one in lines if one not in blind], titles, strict=True):
        assert line.startswith(title)
    assert not re.search("half-whist|seat|thrown in|player 2", "\n".join(lines))
    assert "value of the eldest" in titles and "value of the dealer" in titles


def test_figures_only_where_they_can_happen(tmp_path: Path) -> None:
    """Blind whists and deals thrown in have figures under the conventions that know them."""
    usual = names_of(kept(tmp_path / "1", "classic_two"))
    assert "blind_rate" in usual and "thrown_in_rate" not in usual
    assert "blind_rate" not in names_of(kept(tmp_path / "2", "gusarik"))
    throwing = kept(tmp_path / "3", "gusarik", "--set", "dummy.raspas=no_raspas")
    assert "thrown_in_rate" in names_of(throwing)
    found = json.loads(run("compare", "classic_two", "gusarik", *TINY, *RANDOM, "--json").out)
    blind = [found["variants"][name]["blind_rate"]["value"] for name in ("classic_two", "gusarik")]
    assert blind[0] > 0 and blind[1] is None
    assert found["differences"]["classic_two - gusarik"]["blind_rate"]["value"] is None


def test_the_seat_of_the_dummy(tmp_path: Path) -> None:
    """``--set dummy.seat`` moves the hands; the deal numbers stay those of the seed."""
    told = []
    for k, seat in enumerate(("middle", "first", "last")):
        folder = tmp_path / str(k)
        found = kept(folder, "classic_two", "--set", f"dummy.seat={seat}", "--record", "plays")
        assert f'seat = "{seat}"' in found["run"]["variant_toml"]
        deals = open_dataset(folder).read("deals")
        told.append((deals["number"][0].as_py(), deals["plays"].to_pylist()))
    assert len({number for number, _ in told}) == 1
    assert len({repr(plays) for _, plays in told}) == 3


def test_razboinik(tmp_path: Path) -> None:
    """Twelve deals a pulka, a table of rows, no auction and no pool; figures of its own."""
    found = kept(tmp_path / "run", "razboinik", "--claims", "--record", "plays")
    assert (found["run"]["players"], found["run"]["pool"]) == (2, 0)
    assert names_of(found) == [metric.name for metric in OF_RAZBOINIK]
    pulkas, deals = (open_dataset(tmp_path / "run").read(name) for name in ("pulkas", "deals"))
    assert pulkas["n_deals"].to_pylist() == [12] * 8 and deals.num_rows == 96
    for name in ("pool_0", "whists_0_1"):
        assert pulkas[name].null_count == 8
    for name in (f"row_{row}_{i}" for row in ROWS for i in range(2)):
        assert pulkas[name].null_count == 0
    for name in ("bid", "n_bids", "decision_0", "raspas_index", "off_mountain"):
        assert deals[name].null_count == 96
    command = ("--out", tmp_path / "text", *OF_ROWS)
    lines = run("simulate", "--variant", "разбойник", *command).out.splitlines()[1:]
    for line, metric in zip(lines, OF_RAZBOINIK, strict=True):
        assert line.startswith(metric.title)


def test_open_rows_are_null(tmp_path: Path) -> None:
    """A pulka that the limit of deals stops has open rows, and is flagged."""
    kept(tmp_path / "run", "razboinik", "--max-deals", "5")
    pulkas = open_dataset(tmp_path / "run").read("pulkas").to_pylist()
    for row in pulkas:
        table = [row[f"row_{name}_{i}"] for name in ROWS for i in range(2)]
        assert table.count(None) == 7 and row["unfinished"]


@pytest.mark.parametrize("variant", ["classic_two", "razboinik"])
def test_resume(variant: str, tmp_path: Path) -> None:
    """A lost shard comes back with ``--resume``, and the same figures."""
    folder, options = tmp_path / "run", ("--pulkas", "600", "--max-deals", "12")
    found = kept(folder, variant, *options)
    before = everything_in(folder)
    (folder / "deals" / "part-000001.parquet").unlink()
    assert kept(folder, variant, *options, "--resume") == found
    assert everything_in(folder) == before


@pytest.mark.parametrize("variant", ["classic_two", "razboinik"])
@pytest.mark.parametrize("claims", [[], ["--claims"]], ids=["", "claims"])
def test_claims_and_records(variant: str, claims: list[str], tmp_path: Path) -> None:
    """With ``--record plays`` a byte is kept for each decision, fewer with ``--claims``."""
    kept(tmp_path / "run", variant, "--record", "plays", *claims)
    dataset = open_dataset(tmp_path / "run")
    assert dataset.info.claims == bool(claims) and dataset.info.record_plays
    for row in dataset.read("deals").to_pylist():
        assert len(row["plays"]) == row["n_decisions"]


# Comparisons


def test_comparisons_of_two() -> None:
    """Variants for two side by side, any variant with two players, razboinik with a file."""
    three = ["compare", "classic_two", "gusarik", "gusarik_indivisible", *TINY, *RANDOM]
    head = run(*three).out.splitlines()[0]
    assert head == (
        "8 pulkas each (classic_two to 4, gusarik to 4, gusarik_indivisible to 4), 2 players, "
        "bots random, seed 1"
    )
    both = ["compare", "rostov", "sochi", *TINY, "--players", "2", "--bots", "random,cautious"]
    assert "(rostov to 4, sochi to 4), 2 players, bots random, cautious, seed 1" in run(*both).out


def test_comparison_of_razboinik(tmp_path: Path) -> None:
    """Its head names no target; settings are those of its family."""
    path = tmp_path / "dead.toml"
    path.write_text('title = "Dead"\nbase = "razboinik"\n[razboinik]\ndummy = "dead"\n')
    settings = ("--set", "razboinik.declarer=dealer", "--set", "dummy.seat=last")
    text = run("compare", "razboinik", path, *OF_ROWS, *settings).out
    head, table, differences = text.rstrip("\n").split("\n\n")
    assert head == "8 pulkas each (razboinik, dead), 2 players, bots random, seed 1"
    assert len(table.splitlines()) == len(differences.splitlines()) == 1 + len(OF_RAZBOINIK)
    twice = json.loads(run("compare", "razboinik", "razboinik", *OF_ROWS, "--json").out)
    assert list(twice["variants"]) == ["razboinik", "razboinik#2"]
    assert twice["variants"]["razboinik"] == twice["variants"]["razboinik#2"]


# Mistakes


REFUSED = {
    ("gusarik", "--players", "3"): "gusarik is played by 2 players, not by 3",
    ("razboinik", "--players", "4"): "razboinik is played by 2 players, not by 4",
    ("razboinik", "--pool", "10"): "razboinik has no pool: it ends when all rows are played",
    ("razboinik", "--set", "raspas.price=3"): (
        "--set: raspas.price has no meaning in the family razboinik"
    ),
    ("classic_two", "--set", "razboinik.talon=none"): (
        "--set: razboinik.talon has no meaning in the family pool"
    ),
    ("classic_two", "--bots", "random,random,random"): (
        "3 bots for 2 players: name one for all seats, or 2"
    ),
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_does_not_fit(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Players, pool, settings and bots that the variant does not have: one sentence."""
    variant, *options = arguments
    out = ("--out", tmp_path / "run")
    assert refused("simulate", "--variant", variant, *out, *options) == REFUSED[arguments]
    assert refused("compare", variant, *options) == REFUSED[arguments]
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_compared(tmp_path: Path) -> None:
    """Other numbers of players, and another sheet."""
    out = tmp_path / "run"
    message = refused("compare", "rostov", "gusarik", "--out", out)
    assert message == (
        "runs are compared pulka by pulka: players must be the same in all of them, not 3 and 2"
    )
    message = refused("compare", "razboinik", "gusarik", "--out", out)
    assert message.startswith("razboinik and gusarik have no figures to compare: ")
    assert not out.exists()
