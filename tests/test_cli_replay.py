"""``preferans replay``: a deal told as it was played, and records that are damaged."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_bridge import (
    FAILED,
    SOURCE,
    TINY,
    cards_in,
    refused,
    run,
    simulate,
)

from sim.deals import N_DEALS
from sim.store import open_dataset

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
