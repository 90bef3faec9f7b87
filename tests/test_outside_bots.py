"""Outside bots: classes that answer batches of observations, at one table with jitted bots.

They play by the same rules core, see copies of their own rows only, and are found by name or file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots import UnknownBot, bot_descriptions, find_bot
from scoring.contract import MISERE
from scoring.conventions import BY_KEY
from scoring.variant import find_variant
from sim import engine
from sim.botcall import Bot, BotError
from sim.deals import draw_deal, unrank
from sim.engine import Batch, Shard
from sim.playable import playable_names
from sim.state import AUCTION, CARD, CONTRACT, FIRST_BID, HIDDEN_DTYPE, PASS, VIEW_DTYPE

SEED = 4
FIRST, LAST = 50, 54
MISERE_ACTION = FIRST_BID + MISERE
Seat = Callable[[str], Bot]
Rows = np.ndarray[Any, Any]


def bits(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    return [k for k in range(63) if mask >> k & 1]


class Uniform:
    """Uniform over the legal actions by the player's random word: the bot ``random`` in NumPy."""

    def __init__(self, rules: Any, seed: int) -> None:
        self.rules, self.seed = rules, seed

    def act(self, seen: Rows) -> Rows:
        legal, word = seen["legal"], seen["random"]
        count = np.bitwise_count(legal).astype(np.int64)
        low, high = word & 0xFFFFFFFF, word >> 32
        chosen = (high * count + (low * count >> 32)) >> 31  # word * count / 2**63
        places = (legal[:, None] >> np.arange(63)) & 1
        return np.argmax(np.cumsum(places, axis=1) == chosen[:, None] + 1, axis=1)


class Wild(Uniform):
    """The jitted bot ``wild`` once more: passes often, bids low."""

    def act(self, seen: Rows) -> Rows:
        answers = super().act(seen)
        for k, row in enumerate(seen):
            legal, dice = bits(int(row["legal"])), int(row["random"]) & 63
            if row["phase"] == AUCTION:
                bids = [action for action in legal if action != PASS]
                answers[k] = PASS if dice < 44 or not bids else bids[0]
                if dice < 4 and MISERE_ACTION in legal:
                    answers[k] = MISERE_ACTION
            elif row["phase"] == CONTRACT and dice < 48:
                answers[k] = legal[0]
        return answers


def play(name: str, bots: Iterable[Bot], first: int = FIRST, last: int = LAST) -> Batch:
    """A few pulkas of a variant with these bots, plays recorded."""
    rules = find_variant(name).rules(3, 4)
    options: dict[str, Any] = {"max_deals": 10, "record_plays": True, "row_limit": 256}
    return Shard(rules, list(bots), SEED, first, last, **options).run()


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


@pytest.mark.parametrize("name", playable_names())
@pytest.mark.parametrize("inside", list(product((False, True), repeat=3)), ids=str)
def test_a_class_plays_as_the_jitted_bot(name: str, inside: tuple[bool, ...]) -> None:
    """``random`` as a jitted bot or as a class, in every mix of the three seats: equal bytes."""
    jitted, outside = find_bot("random"), Bot("uniform", Uniform)
    mixed = play(name, [jitted if seat else outside for seat in inside])
    assert_same(mixed, play(name, [jitted] * 3))


@pytest.mark.parametrize("name", playable_names())
@pytest.mark.parametrize("player", [0, 1, 2])
def test_a_class_among_other_bots(name: str, player: int, seat: Seat) -> None:
    """The same for the wild bot, with whom raspas, misère and open play happen."""
    bots = [seat("wild")] * 3
    jitted = play(name, bots, 0, 30)
    bots[player] = Bot("wild too", Wild)
    assert_same(jitted, play(name, bots, 0, 30))
    assert set(jitted.deals["kind"]) == {0, 1, 2} and set(jitted.deals["open_play"]) == {0, 1}


@pytest.mark.parametrize("n_tables", [1, 3])
def test_batches_do_not_matter(n_tables: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tables are played side by side, and in however many shards."""
    bots = [find_bot("random"), Bot("uniform", Uniform), Bot("uniform too", Uniform)]
    whole = play("sochi", bots)
    monkeypatch.setattr(engine, "OUTSIDE_TABLES", n_tables)
    assert_same(whole, play("sochi", bots))
    parts = [play("sochi", bots, FIRST, FIRST + 1), play("sochi", bots, FIRST + 1, LAST)]
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


def spied(name: str, pulka: int) -> list[Any]:
    """Every observation of one pulka with the spy in all seats."""
    play(name, [Bot("spy", Spy)] * 3, pulka, pulka + 1)
    return [row for rows in Spy.seen for row in rows]


def check_observation(row: Any, hands: list[int], talon: int) -> None:
    """A row holds cards of its own player, and of others only what lies open."""
    player, mover, declarer = int(row["player"]), int(row["mover"]), int(row["declarer"])
    hand = int(row["hand_of"][player])
    taken = int(row["talon"]) if declarer == hand else 0
    own = hands[hand] | taken
    shown = [int(mask) for mask in row["shown"]]
    assert row["rules"] == 0
    assert int(row["hand"]) & ~(own if mover == hand else shown[mover]) == 0
    assert row["hand"] and int(row["hand"]) & int(row["played"]) == 0
    assert int(row["discard"]) & ~own == 0 and (declarer == hand or row["discard"] == 0)
    assert int(row["talon"]) & ~talon == 0
    if declarer < 0:
        n_turned = int(row["trick"]) + 1 if row["phase"] == CARD else 0
        assert len(bits(int(row["talon"]))) <= min(n_turned, 2)
    for other in range(3):
        lies_open = row["phase"] == CARD and declarer >= 0 and other != declarer
        assert shown[other] & ~(hands[other] if lies_open else 0) == 0
        cards = hands[other] | (talon if other == declarer else 0)
        assert int(row["played_by"][other]) & ~cards == 0
    played = [int(play) & 31 for play in row["plays"][: int(row["n_plays"])]]
    assert sum(1 << card for card in played) == row["played"]
    on_talon = [int(card) for card in row["talon_card"] if card >= 0]
    assert sum(1 << card for card in on_talon) == row["talon"]


@pytest.mark.parametrize("name", playable_names())
def test_observations_carry_nothing_hidden(name: str) -> None:
    """Rows have the fields of the view alone, no address, and only cards their player knows."""
    kept_secret = {"hands", "talon_order", "key", "drawn", "pulka", "number"}
    assert kept_secret <= set(HIDDEN_DTYPE.names or ()) - set(VIEW_DTYPE.names or ())
    phases = set()
    for pulka in range(6):
        rows = spied(name, pulka)
        for row in rows:
            assert row.dtype == VIEW_DTYPE
            *hands, talon = unrank(draw_deal(SEED, pulka, int(row["deal"])))
            check_observation(row, [int(mask) for mask in hands], int(talon))
            phases.add(int(row["phase"]))
        words = {int(row["random"]) for row in rows}
        assert len(words) == len(rows)
    assert len(phases) == 6


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
    for word in ("worlds", "worlds=", "worlds=many", "=3"):
        assert f"NAME@key=number, not {word!r}" in refused(f"random@{word}")


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
