"""``preferans duel`` and ``preferans tournament``: what they print, keep and refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from cli_bridge import FAILED, RUNNER, SOURCE, refused, run

from scoring.variant import find_variant
from sim.cli import cli
from sim.cli_tools import INTERRUPTED
from sim.duel.results import Results
from sim.duel.storing import TABLE_COLUMNS
from sim.schema import TWELFTHS

BOLD = "cautious@bias=12"
SHORT = ("--deals", 60, "--workers", 1)
PROTOCOL = """
players = ["Anna", "Boris", "Vera"]
variant = "sochi"
pool = 8
deals = ["Anna 6♣/=, Boris whist 4, Vera pass", "Anna 0, Boris 4, Vera 6"]
"""


def found(*arguments: object) -> dict[str, Any]:
    """The JSON of a command."""
    return dict(json.loads(run(*arguments, *SHORT, "--json").out))


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A protocol in mid-game."""
    path = tmp_path / "evening.toml"
    path.write_text(PROTOCOL, encoding="utf-8")
    return path


# Duels


def test_json() -> None:
    """One object with the difference, its spread, both questions and the parts."""
    data = found("duel", "cautious", BOLD)
    assert data["bots"] == {"A": "cautious", "B": BOLD}
    assert data["variant"] == "sochi" and data["players"] == 3 and data["pool"] == 20
    assert data["deals"] == 60 and data["seatings"] == "ABB BAB BBA BAA ABA AAB".split()
    assert data["until"] is data["reached"] is data["sheet"] is None
    difference = data["difference"]
    assert difference["low"] < difference["value"] < difference["high"]
    assert difference["unit"] == "whists"
    assert difference["high"] - difference["value"] == pytest.approx(data["half_width"])
    assert data["sd"] > 0 and 0 < data["deals_that_differ"] <= 1
    mean = (data["a_among_b"]["value"] + data["b_among_a"]["value"]) / 2
    assert mean == pytest.approx(difference["value"])
    parts = data["parts"].values()
    assert sum(one["value"] for one in parts) == pytest.approx(difference["value"])
    assert sum(one["share"] for one in parts) + data["alike"] == pytest.approx(1)
    assert data["parts"]["auction"]["low"] < data["parts"]["auction"]["high"]


def test_text() -> None:
    """The same for people: parts that happened, and what they sum to."""
    data, text = found("duel", "cautious", BOLD), run("duel", "cautious", BOLD, *SHORT).out
    assert text.startswith(f"A cautious, B {BOLD}\nsochi to 20, 3 players, seed 0: 60 base deals")
    assert "A - B, B among A's (BAA ABA AAB)" in text and f"{data['sd']:.2f}" in text
    happened = [name for name, one in data["parts"].items() if one["share"]]
    told = [name for name in data["parts"] if f"\n{name}  " in text]
    assert told == happened and "\nnothing  " in text and "\nin all  " in text
    three = run("duel", "cautious", BOLD, *SHORT, "--seatings", 3).out
    assert "60 base deals in 3 seatings" in three and "among" not in three


def test_equal_texts_are_one_bot() -> None:
    """A difference of exactly zero."""
    data = found("duel", "random", "random", "--players", 4)
    assert {data["difference"][key] for key in ("value", "low", "high")} == {0}
    assert data["alike"] == 1 and len(data["seatings"]) == 8 and data["sd"] == 0


def test_until_says_whether_it_was_reached() -> None:
    """In text and in JSON; the most deals are those of --deals."""
    wide = found("duel", "cautious", "random", "--until", 500)
    assert wide["until"] == 500 and wide["reached"] is True
    narrow = run("duel", "cautious", "random", *SHORT, "--until", 0.5).out
    assert "half-width 0.5: not reached after 60 base deals" in narrow
    arguments = ("duel", "cautious", "random", "--deals", 2000, "--until", 30)
    assert "half-width 30: reached after 512 base deals" in run(*arguments).out


def test_settings_and_players() -> None:
    """Conventions, pool, seed and the number of players change what is played."""
    plain = found("duel", "cautious", "random")
    for more in (("--set", "raspas.price=10"), ("--players", 2), ("--seed", 5)):
        assert found("duel", "cautious", "random", *more)["difference"] != plain["difference"]
    data = found("duel", "cautious", "random", "--variant", "razboinik")
    assert data["pool"] is None and data["players"] == 2 and data["seatings"] == ["AB", "BA"]


def test_bots_of_a_user(tmp_path: Path) -> None:
    """By file, jitted and classes."""
    path = tmp_path / "bots_of_the_duels.py"
    path.write_text(SOURCE, encoding="utf-8")
    data = found("duel", f"{path}:Lowest", f"{path}:lowest")
    assert data["difference"]["value"] == 0 and data["bots"]["A"] == f"{path}:Lowest"
    message = refused("duel", "random", f"{path}:illegal", *SHORT, code=FAILED)
    assert "is not legal" in message and "in phase card" in message


# The file


def test_the_file(tmp_path: Path) -> None:
    """A row a base deal and table, commented columns, and what was played in the metadata."""
    path = tmp_path / "new" / "duel.parquet"
    run("duel", "cautious", BOLD, *SHORT, "--out", path)
    assert [one.name for one in path.parent.iterdir()] == ["duel.parquet"]
    table = pq.read_table(path)
    assert table.column_names == [one.name for one in TABLE_COLUMNS]
    assert len(table) == 60 * 8
    assert set(table.column("seating").to_pylist()[:8]) == {
        *("AAA", "BBB", "ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
    }
    assert table.column("base_deal").to_pylist() == [k // 8 for k in range(480)]
    assert all(field.metadata[b"comment"] for field in table.schema)
    assert table.schema.field("value_0").metadata[b"unit"].decode() == TWELFTHS
    meta = json.loads(table.schema.metadata[b"preferans"])
    assert meta["bots"] == ["cautious", BOLD] and meta["seed"] == 0 and meta["most_deals"] == 60
    assert len(meta["bot_digests"]) == 2 and meta["variant_toml"] == find_variant("sochi").toml()
    before = path.read_bytes()
    assert "exists already" in refused("duel", "random", BOLD, *SHORT, "--out", path)
    assert path.read_bytes() == before
    run("duel", "random", BOLD, *SHORT, "--out", path, "--overwrite")
    assert path.read_bytes() != before


def test_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    """No file, hidden or not, when a bot fails; and a file that cannot be written is named."""
    path = tmp_path / "bots_failing_in_duels.py"
    path.write_text(SOURCE, encoding="utf-8")
    out = tmp_path / "out" / "x.parquet"
    message = refused("duel", "random", f"{path}:Failing", *SHORT, "--out", out, code=FAILED)
    assert "no idea" in message and not list(out.parent.iterdir())
    message = refused("duel", "random", BOLD, *SHORT, "--out", path / "x.parquet", code=FAILED)
    assert f"{path / 'x.parquet'} cannot be written" in message


def test_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C stops the match with exit code 130 and leaves no file."""

    def interrupt(self: Results, pairs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Results, "add", interrupt)
    out = tmp_path / "out" / "x.parquet"
    arguments = ["duel", "random", "cautious", "--deals", "5000", "--out", str(out)]
    result = RUNNER.invoke(cli, arguments)
    assert result.exit_code == INTERRUPTED and result.stderr.endswith("stopped\n")
    assert not list(out.parent.iterdir())


# From a sheet


def test_from_a_sheet(sheet: Path) -> None:
    """The variant, players and pool are the protocol's; what may be named again must fit."""
    data = found("duel", "cautious", "random", "--sheet", sheet)
    assert data["sheet"] == str(sheet) and data["pool"] == 8
    again = found("duel", "cautious", "random", "--sheet", sheet, "--variant", "sochi")
    assert again == data
    empty = found("duel", "cautious", "random", "--pool", 8)
    assert empty["difference"] != data["difference"]
    for more, words in (
        (("--variant", "rostov"), "is a sheet of sochi, and cannot go on under rostov"),
        (("--players", 4), "is a sheet of 3 players, and cannot go on with 4"),
        (("--pool", 20), "is a sheet of a pool to 8, and cannot go on to 20"),
        (("--set", "raspas.price=3"), "--set needs --variant"),
        (
            ("--set", "raspas.price=9", "--variant", "sochi"),
            "is a sheet of sochi, and cannot go on under other conventions",
        ),
    ):
        assert words in refused("duel", "random", "random", "--sheet", sheet, *more)


def test_wrong_sheets(tmp_path: Path) -> None:
    """Files that are no protocol, or of a pulka that is over."""
    path = tmp_path / "x.toml"
    assert "cannot be read" in refused("duel", "random", "random", "--sheet", path)
    over = PROTOCOL.replace("sochi", "leningrad").replace("pool = 8", "pool = 1")
    over = over.partition("deals")[0] + 'deals = ["Anna 8♠/=, Boris pass, Vera pass"]'
    texts = {
        "players = ": "not a TOML file",
        "table,dealer\n1,2\n": "is no protocol of one pulka",
        PROTOCOL.replace("Boris 4, Vera 6", "Boris 9, Vera 6"): "entry 2",
        over: "the pulka is over, so no deal is left to play",
    }
    for text, words in texts.items():
        path.write_text(text, encoding="utf-8")
        assert words in refused("duel", "random", "random", "--sheet", path)


def test_other_sheets(tmp_path: Path) -> None:
    """Razboinik's table and the refet game's columns."""
    path = tmp_path / "x.toml"
    heads = {
        "razboinik": 'players = ["Anna", "Boris"]\n',
        "serbian": 'players = ["Anna", "Boris", "Vera"]\npool = 40\n',
    }
    for variant, head in heads.items():
        path.write_text(f'{head}variant = "{variant}"\n', encoding="utf-8")
        data = found("duel", "cautious", "random", "--sheet", path)
        assert data["variant"] == variant and data["difference"]["value"] != 0


# Mistakes


def test_mistakes() -> None:
    """One sentence each."""
    for arguments, words in (
        (("duel", "random"), "Missing argument 'B'"),
        (("duel", "random", "cautios"), "did you mean cautious"),
        (("duel", "random", "random@x=1"), "no option 'x'"),
        (("duel", "random", "random", "--variant", "sochy"), "did you mean sochi"),
        (("duel", "random", "random", "--players", 5), "not by 5"),
        (("duel", "random", "random", "--seatings", 4), "with 3 players: write 3 or 6"),
        (
            ("duel", "random", "random", "--seatings", 4, "--players", 2),
            "4 seatings are not possible with 2 players: write 2",
        ),
        (("duel", "random", "random", "--deals", 0), "0 deals cannot be played"),
        (("duel", "random", "random", "--seed", -1), "seed -1 is not possible"),
        (("duel", "random", "random", "--until", 0), "half-width of 0 whists"),
        (("duel", "random", "random", "--pool", 0), "pool 0 is not possible"),
        (("duel", "random", "random", "--set", "raspas.prise=1"), "raspas.price"),
        (("duel", "random", "random", "--workers", 0), "--workers"),
        (("duel", "random", "random", "--overwrite"), "--overwrite needs --out"),
        (("tournament", "random"), "1 bots cannot be compared: name 2 to 26"),
        (("tournament",), "Missing argument 'BOTS...'"),
    ):
        assert words in refused(*arguments)


# Tournaments


def test_tournament(tmp_path: Path) -> None:
    """All pairs on the same deals: each is the duel of the two; the ranking is by the mean."""
    bots = ("random", "cautious", BOLD)
    path = tmp_path / "t.parquet"
    data = found("tournament", *bots, "--out", path)
    assert data["bots"] == list(bots) and data["deals"] == 60 and len(data["pairs"]) == 3
    means = dict.fromkeys(bots, 0.0)
    for pair in data["pairs"]:
        duel = found("duel", pair["a"], pair["b"])
        assert {key: duel[key] for key in pair if key not in "ab"} == {
            key: pair[key] for key in pair if key not in "ab"
        }
        means[pair["a"]] += pair["difference"]["value"] / 2
        means[pair["b"]] -= pair["difference"]["value"] / 2
    ranking = data["ranking"]
    assert [one["bot"] for one in ranking] == sorted(bots, key=lambda name: -means[name])
    for one in ranking:
        assert one["value"] == pytest.approx(means[one["bot"]])
        assert one["low"] < one["value"] < one["high"]
    tables = set(pq.read_table(path).column("seating").to_pylist())
    assert len(tables) == 3 + 3 * 6 and {"AAA", "ACC", "CCB", "CCC"} <= tables


def test_tournament_text() -> None:
    """A line a bot, from the best, and a column each; a bot named twice has a number."""
    text = run("tournament", "random", "cautious", "random", *SHORT).out
    lines = text.splitlines()
    assert lines[0] == "3 bots, 3 pairs" and "60 base deals in 6 seatings" in lines[1]
    assert lines[3].split()[:5] == ["row", "-", "column,", "whists", "mean"]
    assert lines[3].split()[5:] == ["cautious", "random", "random#2"]
    assert lines[4].startswith("1. cautious") and lines[6].startswith("3. random#2")
    assert "0.00 [0.00, 0.00]" in lines[5]
    until = run("tournament", "random", "cautious", *SHORT, "--until", 400).out
    assert "half-width 400: reached after 60 base deals" in until
