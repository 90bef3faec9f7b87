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


TABLES: dict[str, tuple[str, ...]] = {
    "suit_only": ("sochi", "--players", "3"),
    "dealer_plays": ("finka", "--players", "4"),
    "claims": ("sochi", "--players", "4", "--claims"),
    "passed": ("piter", "--players", "3", "--set", "raspas.talon=pass_along"),
    "closed": ("rostov", "--players", "4", "--set", "misere.defence=catch_or_trust"),
    "dead": ("classic_two", "--set", "raspas.talon_two=suit_only", "--set", "dummy.seat=first"),
    "lowest": (
        *("classic_two", "--set", "raspas.talon_two=may_win", "--set", "dummy.raspas=lowest"),
        *("--set", "dummy.blind=lowest", "--set", "raspas.agreed=any_deal"),
    ),
    "rows": ("razboinik", "--claims"),
    "dead rows": ("razboinik", "--set", "razboinik.dummy=dead", "--set", "dummy.seat=last"),
}
TABLES_OF_REFET: dict[str, tuple[str, ...]] = {
    "refet": ("refet", "--players", "3"),
    "prefko": ("prefko", "--players", "4", "--claims", "--set", "tricks.through=false"),
    "plain spades": (
        *("ipref", "--players", "3", "--set", "spades.needs_contra=false"),
        *("--set", "tricks.stop=false"),
    ),
}
"""Variants and options of small runs whose deals are told."""
TALON_LED = ("suit_only", "dealer_plays", "claims", "dead", "lowest")
DUMMY = -1
"""Stands for the dummy among the players."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Finds a small recorded run with raspas, contracts and misère, played once for the module."""
    made: dict[str, Path] = {}
    home = tmp_path_factory.mktemp("told")
    bot = home / "wildly.py"
    bot.write_text("from benchmarks.reference.bots import wild\n", encoding="utf-8")

    def find(name: str) -> Path:
        if name not in made:
            variant, *more = {**TABLES, **TABLES_OF_REFET}[name]
            folder = home / name
            size = 20 if name in ("refet", "plain spades") else 6
            pool = () if variant == "razboinik" else ("--pool", size)
            options = ("--bots", f"{bot}:wild", "--pulkas", 8, *pool, "--record", "plays")
            run("simulate", "--variant", variant, "--out", folder, *options, *more)
            made[name] = folder
        return made[name]

    return find


def player_in(name: str) -> int:
    """The player of a number, or DUMMY."""
    return DUMMY if name == "dummy" else int(name)


class Told:
    """A deal as it was told, to be judged without the engine; ``lowest``: so a dummy may play."""

    def __init__(self, text: str, row: dict[str, Any], players: int, lowest: bool) -> None:
        self.text, self.row = text, row
        hands = re.findall(r"^  (?:player )?(\d|dummy) +(\S.+)$", text, re.MULTILINE)
        self.hands = {player_in(name): set(cards_in(cards)) for name, cards in hands[:3]}
        self.seats = list(self.hands)
        order = [(row["dealer"] + 1 + k) % players for k in range(3)]
        assert [x for x in self.seats if x != DUMMY] == order[: min(players, 3)]
        self.talon = self.cards("  talon")
        self.trump = row["strain"] if row["kind"] == "tricks" else None
        self.taken = [0] * players
        self.by: set[tuple[int, int]] = set()
        alone = players == 2 and self.is_dummy_alone()
        self.lowest = alone and lowest
        if alone and not lowest:
            self.seats.remove(DUMMY)

    def is_dummy_alone(self) -> bool:
        """Whether nobody plays the dummy's hand."""
        if self.text.startswith("Razboinik"):
            return not self.row["open"]
        return self.row["kind"] == "raspas" or "blind" in self.line("play")

    def line(self, name: str) -> str:
        """What a line says that begins with this name; empty if there is none."""
        found = re.search(rf"^{name} +(.+)$", self.text, re.MULTILINE)
        return found[1] if found else ""

    def cards(self, name: str) -> list[str]:
        return cards_in(self.line(name))

    def tricks(self) -> list[list[str]]:
        """The parts of each trick: cards, the talon's card, the winner."""
        numbered = re.findall(r"^ +(\d+)\. (.+)$", self.text, re.MULTILINE)
        assert [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))
        return [trick.split("  ") for _, trick in numbered]

    def change_hands(self) -> None:
        """Talon and discard, cards passed along, and the dealer's whist with another's hand."""
        assert len(set.union(*self.hands.values()) | set(self.talon)) == 32
        if self.line("discard"):
            mine = self.hands[self.row["declarer"]]
            mine |= set(self.talon)
            mine -= set(self.cards("discard"))
        received = set(self.talon)
        passed = re.findall(r"(\S\S \S\S)(?: to player| away)", self.line("passed"))
        for player, given in zip(self.seats, passed, strict=False):
            self.hands[player] |= received
            received = set(cards_in(given))
            assert received <= self.hands[player]
            self.hands[player] -= received
        taken = re.search(r"with the hand of player (\d)", self.line("dealer"))
        if taken:
            self.hands[self.row["dealer"]] = self.hands.pop(int(taken[1]))
            self.seats[self.seats.index(int(taken[1]))] = self.row["dealer"]

    def play(self, leader: int, parts: list[str], led: str) -> str:
        """Judge a trick that ``led`` (or its first card) leads; whose hand takes it."""
        plays = []
        for part in parts:
            found = re.fullmatch(r"(\d|dummy):(..)(?: by (\d))?", part)
            assert found, part
            plays.append((player_in(found[1]), found[2]))
            if found[3]:
                self.by.add((int(found[3]), plays[-1][0]))
        turn, n = self.seats.index(leader), len(self.seats)
        assert [player for player, _ in plays] == [self.seats[(turn + k) % n] for k in range(n)]
        suit = led[0] if led else plays[0][1][0]
        for player, card in plays:
            legal = self.legal(self.hands[player], suit if led or player != leader else "")
            assert card in legal
            if player == DUMMY and self.lowest:
                assert card == min(legal, key=lambda c: (RANKS.index(c[1]), "♠♣♦♥".index(c[0])))
            self.hands[player].remove(card)
        return self.winner(plays, suit, led)

    def legal(self, hand: set[str], suit: str) -> set[str]:
        """Cards that follow the suit, else trumps, else all."""
        follow = {card for card in hand if card[0] == suit}
        return follow or (suit and {card for card in hand if card[0] == self.trump}) or hand

    def winner(self, plays: list[tuple[int, str]], suit: str, led: str) -> str:
        named = [("dummy" if player == DUMMY else str(player), card) for player, card in plays]
        if led and (len(self.taken) == 4 or "talon:" in self.text):
            leads = str(self.row["dealer"]) if len(self.taken) == 4 else "talon"
            named = [(leads, led), *named]
        elif led and all(card[0] != suit for _, card in plays):
            return named[0][0]
        keys = {p: (c[0] == self.trump, c[0] == suit, RANKS.index(c[1])) for p, c in named}
        return max(keys, key=lambda player: keys[player])

    def count(self, taker: str) -> None:
        """Count a trick; a dummy's is the defender's who moves it, or nobody's like the talon's."""
        if taker.isdigit():
            self.taken[int(taker)] += 1
        elif taker == "dummy" and not self.lowest:
            self.taken[1 - self.row["declarer"]] += 1


RANKS = "789TJQKA"


def judge(one: Told, talon_led: bool) -> None:
    """Cards are held, suits followed, tricks taken and led as the rules have it."""
    one.change_hands()
    leader = one.seats[0]
    for k, (*parts, end) in enumerate(one.tricks()):
        led = one.talon[k] if talon_led and one.row["kind"] == "raspas" and k < 2 else ""
        if led and parts[0].endswith(led):
            first = one.row["dealer"] if len(one.taken) == 4 else "talon"
            assert parts.pop(0) == f"{first}:{led}"
        elif led:
            assert len(one.taken) != 4 and parts.pop() == f"(talon {led})"
        winner = one.play(leader, parts, led)
        assert end == f"-> {winner}"
        one.count(winner)
        leader = one.seats[0] if led else player_in(winner)
    for player, count in re.findall(r"player (\d): (\d+) of 10", one.line("certain")):
        one.taken[int(player)] += int(count)
    assert one.taken == [one.row[f"tricks_{i}"] for i in range(len(one.taken))]
    lost = re.search(r"nobody: (\d+)", one.line("taken"))
    assert sum(one.taken) + int(lost[1] if lost else 0) == 10


@pytest.mark.parametrize("name", TABLES)
def test_replay_tells_legal_play(name: str, told: Callable[[str], Path]) -> None:
    """Each player plays cards of his own, follows suit, and who takes a trick leads the next.

    At talon-led raspas the talon leads the first two tricks, and the eldest hand plays first to the
    first three. Only open hands are moved by others.
    """
    folder = told(name)
    players = open_dataset(folder).info.players
    seen: set[str] = set()
    deals = [run("replay", folder, "--pulka", k).out.split("\n\n") for k in range(8)]
    rows = open_dataset(folder).read("deals").to_pylist()
    assert sum(map(len, deals)) == len(rows)
    for row in rows:
        text = deals[row["pulka"]][row["deal"]]
        one = Told(text, row, players, name == "lowest")
        if row["played"]:
            judge(one, name in TALON_LED)
            seen.add(row["kind"])
            moves = "trust" in one.line("catch") or (players == 2 and row["kind"] == "misere")
            assert bool(one.by) <= (moves or bool(row["open"])), text
            seen |= {"moved"} if one.by else set()
        words = ("dealer", "passed", "catch", "certain", "agree", "row")
        seen |= {key for key in words if one.line(key)}
        seen |= {key for key in ("-> talon", "-> dummy", "play      ", "nobody") if key in text}
    wanted = {"tricks", "misere", *MORE.get(name, {"raspas", "moved"})}
    assert seen >= wanted, (seen, wanted)


MORE = {
    "dealer_plays": {"raspas", "moved", "dealer"},
    "passed": {"raspas", "moved", "passed"},
    "closed": {"raspas", "moved", "catch"},
    "claims": {"raspas", "moved", "certain"},
    "dead": {"raspas", "moved", "-> dummy"},
    "lowest": {"raspas", "moved", "agree", "-> talon", "-> dummy", "nobody"},
    "rows": {"moved", "row", "certain"},
    "dead rows": {"row"},
}
"""What some of the runs shall have besides contracts and misère."""


def playing(one: Told, text: str) -> list[int]:
    """The players of the refet game who play cards: not who stayed away without a contra."""
    said = [re.findall(r"player (\d): (\w+)", one.line(line)) for line in ("come", "contra")]
    words = {int(player): word for player, word in said[0]}
    doubled = any("contra" in word for _, word in said[1])
    invited = "invites" in words.values()
    away = () if doubled or invited else [p for p, word in words.items() if word == "stays"]
    return [player for player in one.seats if player not in away]


def first_leader(one: Told, through: bool) -> int:
    """The first who plays; at sans and preferans through the declarer who sits before him."""
    declarer = one.row["declarer"]
    if not (through and one.row["strain"] == "NT" and one.row["kind"] == "tricks"):
        return one.seats[0]
    turn = one.seats.index(declarer)
    return one.seats[turn - 1]


@pytest.mark.parametrize("name", TABLES_OF_REFET)
def test_replay_tells_refet(name: str, told: Callable[[str], Path]) -> None:
    """Who came, and who was drawn in, plays legal cards; what is written is that of the dataset."""
    folder = told(name)
    players = open_dataset(folder).info.players
    deals = [run("replay", folder, "--pulka", k).out.split("\n\n") for k in range(8)]
    rows = open_dataset(folder).read("deals").to_pylist()
    assert sum(map(len, deals)) == len(rows)
    seen: set[str] = set()
    for row in rows:
        text = deals[row["pulka"]][row["deal"]]
        one = Told(text, row, players, False)
        seen |= {key for key in ("suit", "stopped", "left", "certain", "failed") if one.line(key)}
        if row["declarer"] is not None:
            assert f"contract  {row['contract']} by player {row['declarer']}\n" in text
            value = re.search(r"^worth +(\d+): ", text, re.MULTILINE)
            base = 2 * (REFET_BASES[row["contract"].split()[-1]] + row["without_talon"])
            assert value and int(value[1]) == base << row["contra"] + row["refet"]
        shown = re.findall(r"player \d: (-?[\d⅓⅔¼½¾]+)", one.line("value"))
        assert len(shown) == players and sum(row[f"value_{i}"] for i in range(players)) == 0
        if not row["played"]:
            continue
        one.change_hands()
        one.seats = playing(one, text)
        seen.add(f"{len(one.seats)} hands")
        leader = first_leader(one, name != "prefko")
        for *parts, end in one.tricks():
            winner = one.play(leader, parts, "")
            assert end == f"-> {winner}"
            one.count(winner)
            leader = int(winner)
        for player, count in re.findall(r"player (\d): (\d+) of 10", one.line("certain")):
            one.taken[int(player)] += int(count)
        assert one.taken == [row[f"tricks_{i}"] for i in range(players)]
        assert (sum(one.taken) < 10) == bool(one.line("stopped"))
    wanted = {"2 hands", "3 hands", "failed", "certain" if name == "prefko" else "failed"}
    assert seen >= wanted | ({"left"} if name == "refet" else set()), seen


REFET_BASES = dict(
    zip("spades diamonds hearts clubs betl sans preferans".split(), range(2, 9), strict=True)
)


@pytest.mark.parametrize("name", [*TABLES, *TABLES_OF_REFET])
def test_runs_are_written_as_records(
    name: str, told: Callable[[str], Path], tmp_path: Path
) -> None:
    """A pulka of a run as text and as JSON: played again it is the same, told the same."""
    folder, path = told(name), tmp_path / "pulka.deal"
    text = run("replay", folder, "--pulka", 1, "--as", "text").out
    path.write_text(text, encoding="utf-8")
    assert run("replay", folder, "--pulka", 1, "--as", "json").out == run("convert", path).out
    rows = [r for r in open_dataset(folder).read("deals").to_pylist() if r["pulka"] == 1]
    assert text.count("\nvalue ") == len(rows) > 2
    told_run = run("replay", folder, "--pulka", 1).out.splitlines()
    told_file = run("replay", path).out.splitlines()
    assert [x for x in told_file if ", deal " not in x] == [
        x for x in told_run if ", deal " not in x
    ]
    last = run("replay", folder, "--pulka", 1, "--deal", len(rows) - 1, "--as", "text").out
    assert text.endswith(last)


def test_a_house_variant_is_written_out(tmp_path: Path) -> None:
    """A run of a variant in a file gives records of a shipped variant and settings."""
    house = tmp_path / "house.toml"
    house.write_text('title = "House"\nbase = "rostov"\n[raspas]\nprice = 7\n', encoding="utf-8")
    options = (*TINY, "--bots", "random", "--record", "plays")
    run("simulate", "--variant", house, "--out", tmp_path / "run", *options)
    text = run("replay", tmp_path / "run", "--pulka", 0, "--deal", 0, "--as", "text").out
    assert "\nvariant    rostov\nset        raspas.price = 7\npool " in text
    (tmp_path / "one.deal").write_text(text, encoding="utf-8")
    run("convert", tmp_path / "one.deal", "--check")


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
    message = refused("replay", recorded, "--deal", 0)
    assert message == "--pulka is missing: which pulka of the dataset?"


def test_replay_of_nothing(tmp_path: Path) -> None:
    """A folder that is missing or holds something else is a failure that names it."""
    absent = tmp_path / "absent"
    for folder, words in (
        (absent, f"{absent} does not exist"),
        (tmp_path, f"{tmp_path} is no dataset: run.json is missing"),
    ):
        assert refused("replay", folder, "--pulka", 0, "--deal", 0, code=FAILED) == words


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
