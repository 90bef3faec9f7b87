"""Outside bots: classes that answer batches of observations, at one table with jitted bots.

They play by the same rules core, see copies of their own rows only, and are found by name or file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside_bots import Rows, Uniform, Wild
from random_play import TABLES
from witness import UNWATCHED, Witness
from witness_refet import watching

from bots import UnknownBot, bot_descriptions, find_bot
from scoring.conventions import BY_KEY
from scoring.variant import find_variant
from sim import engine
from sim.botcall import Bot, BotError
from sim.engine import Batch, Shard
from sim.state import (
    AUCTION,
    BIDDING,
    CARD,
    COME,
    CONTRACT,
    DISCARD,
    HIDDEN_DTYPE,
    ROW,
    VIEW_DTYPE,
)
from sim.table import Table

SEED = 4
FIRST, LAST = 50, 54
POOL = 4
MIXES = (
    *product((False, True), repeat=2),
    *product((False, True), repeat=3),
    (False,) * 4,
    (True, False, True, False),
    (False,) + (True,) * 3,
)
"""Which seats a jitted bot takes; the others are a class."""
SEATS = ((2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 0), (4, 3))
"""Numbers of players, and the seat of a class among jitted bots."""
Seat = Callable[[str], Bot]


def play(name: str, bots: Sequence[Bot], first: int = FIRST, last: int = LAST) -> Batch:
    """A few pulkas of a variant with these bots, plays recorded."""
    variant = find_variant(name)
    rules = variant.rules(len(bots), POOL if variant.has_target else None)
    options: dict[str, Any] = {"max_deals": 10, "record_plays": True, "row_limit": 256}
    return Shard(rules, bots, SEED, first, last, **options).run()


def recorded(batch: Batch) -> list[list[int]]:
    """The decisions of each deal."""
    assert batch.plays is not None
    counts = batch.deals["n_decisions"]
    return [row[:n].tolist() for row, n in zip(batch.plays, counts, strict=True)]


def assert_same(one: Batch, two: Batch) -> None:
    """Equal rows and decisions."""
    assert one.deals.tobytes() == two.deals.tobytes()
    assert one.pulkas.tobytes() == two.pulkas.tobytes()
    assert recorded(one) == recorded(two)


@pytest.mark.parametrize(
    ("name", "inside"),
    [(name, inside) for name, n in TABLES for inside in MIXES if len(inside) == n],
    ids=str,
)
def test_a_class_plays_as_the_jitted_bot(name: str, inside: tuple[bool, ...]) -> None:
    """``random`` as a jitted bot or as a class, in mixes of the seats: equal bytes."""
    jitted, outside = find_bot("random"), Bot("uniform", Uniform)
    mixed = play(name, [jitted if seat else outside for seat in inside])
    assert_same(mixed, play(name, [jitted] * len(inside)))


@pytest.mark.parametrize(
    ("name", "n", "player"),
    [(name, n, player) for name, m in TABLES for n, player in SEATS if n == m],
)
def test_a_class_among_other_bots(name: str, n: int, player: int, seat: Seat) -> None:
    """The same for the wild bot, with whom raspas, misère and open play happen."""
    bots = [seat("wild")] * n
    jitted = play(name, bots, 0, 20)
    bots[player] = Bot("wild too", Wild)
    assert_same(jitted, play(name, bots, 0, 20))
    variant = find_variant(name)
    assert set(jitted.deals["kind"]) == ({0, 1, 2} if variant.has_target else {1, 2})
    opened = {0, 1} if variant.has_pool else {int(not variant.has_columns)}
    assert set(jitted.deals["open_play"]) == opened


@pytest.mark.parametrize("name", ["sochi", "classic_two", "razboinik", "refet"])
@pytest.mark.parametrize("n_tables", [1, 3])
def test_batches_do_not_matter(name: str, n_tables: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tables are played side by side, and in however many shards."""
    bots = [Bot("uniform", Uniform), Bot("uniform too", Uniform), find_bot("random")]
    bots = bots[: find_variant(name).table_size(None)]
    whole = play(name, bots)
    monkeypatch.setattr(engine, "OUTSIDE_TABLES", n_tables)
    assert_same(whole, play(name, bots))
    parts = [play(name, bots, FIRST, FIRST + 1), play(name, bots, FIRST + 1, LAST)]
    assert np.concatenate([part.deals for part in parts]).tobytes() == whole.deals.tobytes()


def test_one_instance_for_a_shard_with_rules_and_seed() -> None:
    """One instance for all seats of a bot; seeds differ by shard and are repeatable."""
    made: list[Uniform] = []

    class Kept(Uniform):
        def __init__(self, rules: Any, seed: int) -> None:
            super().__init__(rules, seed)
            made.append(self)

    one = Bot("kept", Kept)
    for first in (0, 0, 1):
        play("rostov", [one] * 3, first, first + 1)
    play("rostov", [one, one, Bot("kept", Kept)], 0, 1)
    seeds = [instance.seed for instance in made]
    assert len(made) == 5 and seeds[0] == seeds[1] == seeds[3]
    assert len({seeds[0], seeds[2], seeds[4]}) == 3
    conventions = find_variant("rostov").conventions
    for key, convention in BY_KEY.items():
        packed = convention.pack(conventions[key])
        assert np.array_equal(getattr(made[0].rules, convention.field), packed), key
    with pytest.raises(AttributeError):
        made[0].rules.raspas_price = 0


# What an outside bot sees


class Spy(Wild):
    """The wild bot that keeps what it was shown and spoils its copies."""

    seen: list[Rows]

    def __init__(self, rules: Any, seed: int) -> None:
        super().__init__(rules, seed)
        Spy.seen = []

    def act(self, seen: Rows) -> Rows:
        Spy.seen.append(seen.copy())
        answers = super().act(seen)
        for name in VIEW_DTYPE.names or ():
            seen[name] = -1
        return answers


def watch(name: str, n: int, pulka: int) -> set[int]:
    """Play a pulka with the spy in all seats and again at a table that a witness watches.

    Each observation says what the witness expects of its player's view. Returns its phases.
    """
    batch = play(name, [Bot("spy", Spy)] * n, pulka, pulka + 1)
    rows = [row for rows in Spy.seen for row in rows]
    assert all(row.dtype == VIEW_DTYPE and row["rules"] == 0 for row in rows)
    assert (
        len({int(row["random"]) for row in rows}) == len(rows) == batch.deals["n_decisions"].sum()
    )
    variant = find_variant(name)
    table = Table(variant.rules(n, POOL if variant.has_target else None))
    left = iter(rows)
    for deal, moves in zip(batch.deals, recorded(batch), strict=True):
        table.lay(int(deal["number"]))
        watch_deal(table, watching(variant, n, table), left, iter(moves))
    return {int(row["phase"]) for row in rows}


def watch_deal(table: Table, witness: Witness, rows: Iterator[Any], moves: Iterator[int]) -> None:
    """Do what was done in a deal, and hold each observation against the witness."""
    while not table.done:
        phase, mover, action = int(table.view["phase"]), int(table.view["mover"]), table.legal
        if action & (action - 1):
            row = next(rows)
            for name in ("phase", "mover", "legal", "deal", *UNWATCHED - {"random", "rules"}):
                assert np.array_equal(row[name], table.view[name]), name
            witness.check(row)
            action = next(moves)
        else:
            action = action.bit_length() - 1
        witness.hear(phase, mover, action)
        table.apply(action)
    table.finish()


@pytest.mark.parametrize(("name", "n"), TABLES)
def test_observations_carry_what_a_player_may_know(name: str, n: int) -> None:
    """Rows have the fields of the view alone, no address, and say what their player may know."""
    kept_secret = {"hands", "talon_order", "key", "drawn", "pulka", "number"}
    assert kept_secret <= set(HIDDEN_DTYPE.names or ()) - set(VIEW_DTYPE.names or ())
    phases: set[int] = set()
    for pulka in range(2):
        phases |= watch(name, n, pulka)
    variant = find_variant(name)
    if variant.has_pool:
        assert {AUCTION, CARD} < phases and len(phases) >= 5
    elif variant.has_columns:
        assert {BIDDING, COME} < phases and len(phases) >= 5
    else:
        assert {ROW, DISCARD, CONTRACT, CARD} == phases


def test_nothing_is_changed_through_an_observation() -> None:
    """What a bot writes into its copies changes nothing at the table."""
    assert_same(play("sochi", [Bot("spy", Spy)] * 3), play("sochi", [Bot("wild", Wild)] * 3))


# Finding bots

SOURCE = '''"""Bots of a user."""
from bots.api import bot, ctz

def weigh(rules, options):
    return [options["shift"], float(rules["n_players"][0])]

@bot(options={"shift": 0.0}, weights=weigh)
def lowest(view, own):
    """The lowest legal action, or the next ones."""
    legal = view.legal
    for _ in range(int(own.weights[0])):
        if legal & (legal - 1):
            legal &= legal - 1
    return ctz(legal)

class Lowest:
    def __init__(self, rules, seed, shift=0.0):
        self.shift = int(shift)
    def act(self, seen):
        out = []
        for legal in seen["legal"].tolist():
            for _ in range(self.shift):
                if legal & (legal - 1):
                    legal &= legal - 1
            out.append((legal & -legal).bit_length() - 1)
        return out

def plain(view, own):
    return 0

class Mute:
    def __init__(self, rules, seed):
        pass
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a user's bots."""
    path = tmp_path_factory.mktemp("user") / "bots_of_a_user.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def refused(text: str) -> str:
    """The one line with which a bot is refused."""
    with pytest.raises((UnknownBot, BotError)) as caught:
        find_bot(text)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 400
    return message


def test_shipped_bots_are_found() -> None:
    """Every described bot can be seated, has a description, and a digest of its file."""
    descriptions = bot_descriptions()
    assert "random" in descriptions
    for name, text in descriptions.items():
        found = find_bot(name)
        assert found.name == name and text and len(found.digest) == 16


@pytest.mark.parametrize("shift", [0, 2])
def test_options_reach_both_kinds(file: Path, shift: int) -> None:
    """``@shift=2`` goes to a jitted bot's weights and to a class, which then play alike."""
    jitted, outside = (find_bot(f"{file}:{name}@shift={shift}") for name in ("lowest", "Lowest"))
    assert jitted.options == outside.options == {"shift": float(shift)}
    assert jitted.name.endswith(f":lowest@shift={shift}")
    assert_same(play("sochi", [jitted] * 3), play("sochi", [outside, jitted, outside]))


def test_options_matter_and_have_defaults(file: Path) -> None:
    """Without options the defaults hold; another value plays otherwise."""
    plain, zero, two = (find_bot(f"{file}:lowest{end}") for end in ("", "@shift=0", "@shift=2"))
    assert_same(play("sochi", [plain] * 3), play("sochi", [zero] * 3))
    changed = play("sochi", [two] * 3)
    assert changed.deals.tobytes() != play("sochi", [zero] * 3).deals.tobytes()


def test_wrong_options(file: Path) -> None:
    """An unknown option names the known ones; a value must be a number."""
    for name in ("lowest", "Lowest"):
        message = refused(f"{file}:{name}@shiftt=2")
        assert "no option 'shiftt'" in message and "its options: shift" in message
    assert "it has none" in refused("random@worlds=20")
    for word in ("bias", "bias=", "bias=many", "=3"):
        assert f"NAME@key=number, not {word!r}" in refused(f"cautious@{word}")


def test_unknown_names() -> None:
    """The nearest name is suggested, and what else may be written."""
    message = refused("randon")
    assert "'randon' is not known; did you mean random?" in message and "mybots.py" in message
    assert "did you mean" not in refused("zzzzzz")
    assert "empty" in refused(" ")


def test_files_that_cannot_be_used(file: Path) -> None:
    """A missing file, a file that is not Python, one that fails, and a name taken by a module."""
    folder = file.parent
    assert f"there is no file {folder / 'absent.py'}" in refused(f"{folder / 'absent.py'}:Name")
    for stem, text, reason in (
        ("bad_syntax", "def f(:\n    pass\n", "SyntaxError"),
        ("bad_import", "import no_such_module_at_all\n", "ModuleNotFoundError"),
        (
            "bad_call",
            "from bots.api import bot\n@bot\ndef f(view, own):\n    return 0\n",
            "brackets",
        ),
    ):
        path = folder / f"{stem}.py"
        path.write_text(text, encoding="utf-8")
        message = refused(f"{path}:f")
        assert str(path) in message and reason in message
        assert refused(f"{path}:f") == message
    taken = folder / "statistics.py"
    taken.write_text(SOURCE, encoding="utf-8")
    assert "a module statistics" in refused(f"{taken}:lowest")


def test_names_in_a_file_that_are_no_bots(file: Path) -> None:
    """A function without ``@bot``, a class without ``act``, a number, and no such name."""
    assert "@bot()" in refused(f"{file}:plain")
    assert "no method act" in refused(f"{file}:Mute")
    assert "neither a class" in refused(f"{file}:__doc__")
    assert "has no 'absent'" in refused(f"{file}:absent")
    assert "has no ''" in refused(f"{file}:")
