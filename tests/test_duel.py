"""Duels: the difference of two bots is exact, fair to both, and made of its parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from cli_bridge import SOURCE
from store_bridge import TABLES, write_stateful

from bots import find_bot
from scoring.kernel import make_records, to_array, to_records
from scoring.result import UNIT
from scoring.sheet import SHEET_DTYPE, copy_sheet
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.duel.match import SHARD_DEALS, Match, make_match
from sim.duel.parts import part_names
from sim.duel.playing import MIN_DIFFERENT, next_look, play_match
from sim.duel.results import PairTally, Results
from sim.duel.seatings import A, B, make_seatings
from sim.duel.sheet import read_start
from sim.duel.storing import Sink
from sim.duel.tally import Tally
from sim.engine import Shard
from sim.show import replay_deal
from sim.state import PHASES, START_DTYPE
from sim.table import Table

ROOT = Path(__file__).resolve().parent.parent
BOLD = "cautious@bias=12"


def match(one: str, other: str, deals: int = 300, variant: str = "sochi", **more: Any) -> Match:
    return make_match(variant, [find_bot(one), find_bot(other)], deals, **more)


def sums(results: Results) -> list[int]:
    return results.pairs[0].sums


def stored(made: Match, path: Path) -> list[dict[str, Any]]:
    """All tables of a match."""
    with Sink(path, made) as sink:
        play_match(made, workers=1, sink=sink)
    return list(pq.read_table(path).to_pylist())


# The estimator


def test_seatings() -> None:
    """A at each seat among B's, then B among A's; two players have both at once."""
    assert [one.name for one in make_seatings(3, 3)] == ["ABB", "BAB", "BBA"]
    assert [one.name for one in make_seatings(3)] == "ABB BAB BBA BAA ABA AAB".split()
    assert [one.name for one in make_seatings(2)] == ["AB", "BA"]
    assert len(make_seatings(4)) == 8 and make_seatings(4)[5].name == "ABAA"


@pytest.mark.parametrize("variant, n", [("sochi", 3), ("finka", 4), ("gusarik", 2), ("refet", 3)])
def test_the_difference_from_its_definition(variant: str, n: int) -> None:
    """Mean and SD are those of A's mean value minus B's by seating and deal, in fractions."""
    made = match("cautious", BOLD, 40, variant, players=n)
    results = play_match(made)
    differences = [Fraction(0)] * 40
    for seating in made.seatings:
        line_up = [made.bots[one] for one in seating.line_up]
        rows = Shard(made.rules, line_up, 0, 0, 40, max_deals=1).run().deals
        for k, values in enumerate(rows["value"][:, :n].tolist()):
            of = {
                bot: [
                    Fraction(x, UNIT)
                    for x, who in zip(values, seating.line_up, strict=True)
                    if who == bot
                ]
                for bot in (A, B)
            }
            ahead = sum(of[A]) / len(of[A]) - sum(of[B]) / len(of[B])
            differences[k] += ahead / len(made.seatings)
    tally = results.pairs[0]
    assert tally.filled[0] == sum(x != 0 for x in differences) > 0
    assert tally.mean(0) == pytest.approx(float(sum(differences) / 40), abs=1e-12)
    sd = np.std([float(x) for x in differences], ddof=1)
    assert tally.sd(0) == pytest.approx(sd, rel=1e-9)


@pytest.mark.parametrize("count", [3, 6])
def test_equal_bots_differ_by_nothing(count: int, tmp_path: Path) -> None:
    """Exactly zero in every deal, though the bot has dice of its own for each instance."""
    path = write_stateful(tmp_path, f"duel{count}")
    for bot in ("cautious", "random", f"{path}:Stateful"):
        results = play_match(match(bot, bot, 60, seatings=count))
        assert sums(results) == results.pairs[0].squares == [0] * len(sums(results))
        assert results.pairs[0].difference.as_json()["low"] == 0
        assert results.pairs[0].alike == 60 * count


@pytest.mark.parametrize("variant, n", [("rostov", 3), ("sochi", 4), ("sochi", 2), ("serbian", 3)])
def test_turned_round(variant: str, n: int) -> None:
    """A - B is B - A with the sign changed; the questions change places, and parts their sign."""
    one = play_match(match(BOLD, "cautious", variant=variant, players=n))
    other = play_match(match("cautious", BOLD, variant=variant, players=n))
    ours, theirs = sums(one), [-x for x in sums(other)]
    assert ours[0] == theirs[0] != 0
    if n > 2:
        assert ours[1:3] == [theirs[2], theirs[1]] and ours[3:] == theirs[3:]
        assert one.pairs[0].parted == other.pairs[0].parted


def test_half_of_the_seatings_is_its_question() -> None:
    """Three seatings ask of A among B's, as six do besides."""
    three = play_match(match(BOLD, "cautious", seatings=3)).pairs[0]
    six = play_match(match(BOLD, "cautious")).pairs[0]
    assert three.difference == three.questions()["a_among_b"] == six.questions()["a_among_b"]
    assert list(three.questions()) == ["a_among_b"] and len(six.questions()) == 2


# The parts


@pytest.mark.parametrize("variant, n", TABLES)
def test_parts_sum_to_the_whole(variant: str, n: int) -> None:
    """Every variant is played; in each the parts and the alike make up all tables and amounts."""
    tally = play_match(match("cautious", "random", 12, variant, players=n)).pairs[0]
    assert sum(tally.sums[PairTally.N_WHOLE :]) == tally.sums[0] != 0
    assert sum(tally.parted) + tally.alike == 12 * len(tally.seatings)


def test_parts_sum_deal_by_deal(tmp_path: Path) -> None:
    """In each base deal; a table without a part is worth what the table of one bot is."""
    made = match("cautious", "random", 40)
    rows = stored(made, tmp_path / "x.parquet")
    by_deal: dict[int, dict[str, Any]] = {}
    for row in rows:
        by_deal.setdefault(row["base_deal"], {})[row["seating"]] = row
    assert len(by_deal) == 40 and all(len(tables) == 8 for tables in by_deal.values())
    whole, parts, alike = 0, dict.fromkeys(made.parts, 0), 0
    for tables in by_deal.values():
        assert len({row["number"] for row in tables.values()}) == 1
        for seating in made.seatings:
            row, base = tables[seating.name], tables["AB"[seating.among] * 3]
            sign = 1 if seating.lone == A else -1
            won = [sign * (3 * one[f"value_{seating.seat}"]) for one in (row, base)]
            whole += won[0]
            assert row["lone"] == seating.seat and base["part"] is base["lone"] is None
            if row["part"] is None:
                assert won[0] == won[1] and row["decision"] is None
                alike += 1
            else:
                parts[row["part"]] += won[0] - won[1]
    tally = play_match(made).pairs[0]
    assert alike == tally.alike > 0
    assert [whole, *parts.values()] == [tally.sums[0], *tally.sums[3:]]


SLIPPING = '''"""A bot of a user: as random, but one decision in eight is the lowest action."""


class Slipping:
    def __init__(self, rules, seed):
        pass

    def act(self, seen):
        out = []
        for legal, word in zip(seen["legal"].tolist(), seen["random"].tolist()):
            actions = [k for k in range(63) if legal >> k & 1]
            out.append(actions[0 if word % 8 == 0 else 2 * word * len(actions) >> 64])
        return out
'''

PART_OF_PHASE = {
    **dict.fromkeys(("agree", "dark", "auction", "bidding", "suit"), "auction"),
    **dict.fromkeys(("whist", "dealer_whist"), "whist"),
    "open": "open or closed",
    "pass_along": "raspas",
}


@pytest.mark.parametrize(
    "variant, n", [("sochi", 3), ("finka", 4), ("gusarik", 2), ("razboinik", 2), ("prefko", 3)]
)
def test_where_tables_part(variant: str, n: int, tmp_path: Path) -> None:
    """Played again move by move, the decision that differs is the lone player's, in that phase."""
    path = tmp_path / f"slipping_in_{variant}.py"
    path.write_text(SLIPPING, encoding="utf-8")
    made = match("random", f"{path}:Slipping", 240 // n, variant, players=n)
    found = [
        row
        for row in stored(made, tmp_path / "x.parquet")
        if row["lone"] is not None and row["part"] is not None
    ]
    seen = set()
    for row in found:
        line_up = [made.bots[ord(one) - ord("A")] for one in row["seating"]]
        k = row["base_deal"]
        batch = Shard(made.rules, line_up, 0, k, k + 1, 1, record_plays=True).run()
        assert batch.plays is not None
        table = Table(made.rules)
        plays = batch.plays[0][: batch.deals["n_decisions"][0]].tolist()
        story = replay_deal(table, row["number"], plays)
        step = [one for one in story.steps if one.asked][row["decision"]]
        assert step.player == row["lone"]
        phase = PHASES[step.phase]
        seen.add(row["part"])
        if phase == "card":
            kind, level = row["kind"], row["level"]
            role = "declarer" if row["declarer"] == row["lone"] else "defence"
            if made.game.has_columns:
                hand = {"betl": "betl"}.get(kind, "sans" if row["strain"] == "NT" else "suits")
                wanted = f"play {'preferans' if level == 10 else hand}, {role}"
            else:
                wanted = "raspas" if kind == "raspas" else f"play {level or kind}, {role}"
        else:
            wanted = PART_OF_PHASE.get(phase, phase)
        assert row["part"] == wanted
    assert len(found) > 60 and len(seen) > 4


def test_part_names_are_different() -> None:
    """In every game, and each has its own."""
    for variant, n in TABLES:
        names = part_names(match("random", "random", 1, variant, players=n).game)
        assert len(set(names)) == len(names) > 5


# Repeatable


def test_workers_change_nothing(tmp_path: Path) -> None:
    """Figures and file are the same for one and for three worker threads; shards are joined."""
    made = match("cautious", "random", 2 * SHARD_DEALS + 76)
    found, files = [], []
    for workers in (1, 3):
        path = tmp_path / f"{workers}.parquet"
        with Sink(path, made) as sink:
            found.append(play_match(made, workers=workers, sink=sink).duel_json())
        files.append(path.read_bytes())
    assert found[0] == found[1] and found[0]["deals"] == made.deals
    assert files[0] == files[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.parquet", "3.parquet"]


def test_more_deals_are_the_same_deals(tmp_path: Path) -> None:
    """A longer match begins with the tables of a shorter one, whatever their shards."""
    short = stored(match(BOLD, "cautious", 100), tmp_path / "short.parquet")
    long = stored(match(BOLD, "cautious", SHARD_DEALS + 100), tmp_path / "long.parquet")
    assert long[: len(short)] == short
    assert [row["base_deal"] for row in long[::8]] == list(range(SHARD_DEALS + 100))


def small_json() -> str:
    """Two small duels as JSON, for a Python of its own."""
    found = [
        play_match(match("cautious", "random", 8, name, players=n)).duel_json()
        for name, n in (("sochi", 3), ("gusarik", 2), ("serbian", 3))
    ]
    return json.dumps(found)


def test_modes_agree() -> None:
    """The same figures compiled and as plain Python."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-c", "import test_duel; print(test_duel.small_json())"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(small_json())


def test_outside_bots(tmp_path: Path) -> None:
    """A class plays as its jitted twin does, to the last digit."""
    path = tmp_path / "bots_of_a_duel.py"
    path.write_text(SOURCE, encoding="utf-8")
    jitted, outside = f"{path}:lowest", f"{path}:Lowest"
    both = [play_match(match("random", one, 40)) for one in (jitted, outside)]
    assert sums(both[0]) == sums(both[1]) != [0] * len(sums(both[0]))
    assert not any(sums(play_match(match(jitted, outside, 40))))


# Statistics


def test_intervals_cover() -> None:
    """Of 2000 intervals of a skewed variable mostly zero, some 95 % hold its mean."""
    dice = np.random.default_rng(5)
    n, held = 400, 0
    for _ in range(2000):
        rows = (dice.random((n, 1)) < 0.3) * dice.integers(-20, 41, (n, 1))
        tally = Tally([2])
        tally.add(rows[: n // 2])
        tally.add(rows[n // 2 :])
        assert tally.mean(0) == pytest.approx(rows.mean() / 2)
        assert tally.sd(0) == pytest.approx(rows.std(ddof=1) / 2)
        found = tally.estimate(0)
        assert found.low is not None and found.high is not None
        held += found.low <= 0.3 * 10 / 2 <= found.high
    assert 0.935 <= held / 2000 <= 0.965


def test_intervals_cover_a_duel() -> None:
    """Of short duels' intervals, about as many as should hold the difference of a long one."""
    made = match("cautious", BOLD, 8192, seatings=3)
    whole = play_match(made)
    truth, held, n = whole.pairs[0].mean(0), 0, 60
    for k in range(n):
        short = play_match(match("cautious", BOLD, 100, seatings=3, seed=1000 + k))
        found = short.pairs[0].difference
        assert found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
    assert held / n > 0.85


def test_one_deal_has_no_interval() -> None:
    """A single base deal says nothing of its spread."""
    found = play_match(match("cautious", "random", 1)).duel_json()
    assert found["difference"]["low"] is found["half_width"] is None


def test_until() -> None:
    """A match stops at the first look at which it is narrow: it is the match of so many deals."""
    made = match("cautious", "random", 20 * SHARD_DEALS)
    looks = [1]
    while looks[-1] < 20:
        looks.append(next_look(looks[-1]))
    assert looks[:7] == [1, 2, 3, 4, 5, 6, 7] and looks[8:10] == [10, 12]
    half = play_match(match("cautious", "random", 3 * SHARD_DEALS)).pairs[0].half_width(0)
    assert half is not None
    results = [play_match(made, until=half * 1.0001, workers=workers) for workers in (1, 3)]
    assert results[0].n == 3 * SHARD_DEALS and results[0].heading()["reached"]
    assert results[0].duel_json() == results[1].duel_json()
    fixed = play_match(match("cautious", "random", results[0].n)).duel_json()
    assert {**results[0].duel_json(), "until": None, "reached": None} == fixed


def test_until_is_not_reached() -> None:
    """The most deals are played then; equal bots never stop it, having differed in no deal."""
    results = play_match(match("cautious", "random", 600), until=0.001)
    assert results.n == 600 and results.heading()["reached"] is False
    results = play_match(match("cautious", "cautious", 600), until=0.001)
    assert results.n == 600 and MIN_DIFFERENT > 0 and results.heading()["reached"] is True


# The sheet


def test_a_sheet_is_copied_whole() -> None:
    """Every field, to the last place."""
    source = np.zeros(1, SHEET_DTYPE)
    source.view(np.int64)[:] = np.arange(1, 1 + SHEET_DTYPE.itemsize // 8)
    target = make_records(SHEET_DTYPE, 1)
    copy_sheet(to_records(source)[0], target[0])
    assert to_array(target, SHEET_DTYPE, 1).tobytes() == source.tobytes()


@pytest.mark.parametrize("variant, n", [("rostov", 3), ("finka", 4), ("gusarik", 2), ("refet", 3)])
def test_to_go_on_from_a_sheet(variant: str, n: int) -> None:
    """A pulka stopped after each of its deals goes on with the very deal that it would have had."""
    found = find_variant(variant)
    rules = found.rules(n, 10)
    bots = [find_bot("cautious"), find_bot("random"), find_bot("cautious"), find_bot("random")][:n]
    batch = Shard(rules, bots, 4, 7, 8, 6, record_plays=True).run()
    assert batch.plays is not None and len(batch.deals) > 3
    table = Table(rules)
    for k, (row, plays) in enumerate(zip(batch.deals, batch.plays, strict=True)):
        start = np.zeros(1, START_DTYPE)
        for name in SHEET_DTYPE.names or ():
            start[name] = table.view[name]
        start["dealer"] = row["dealer"]
        again = Shard(rules, bots, 4, 7, 8, k + 1, record_plays=True, start=start).run()
        assert again.deals.tobytes() == batch.deals[k : k + 1].tobytes()
        replay_deal(table, int(row["number"]), plays[: row["n_decisions"]].tolist())


HEAD = 'players = ["Anna", "Boris", "Vera"]\nvariant = "leningrad"\npool = 12\n'
DEALS = 'deals = ["Anna 0, Boris 4, Vera 6", "Boris 7♥/-1, Vera whist 3, Anna whist 1"]\n'


def test_an_empty_protocol_is_an_empty_sheet() -> None:
    """Bitwise the same match."""
    start, pulka = read_start(HEAD, "evening.toml")
    plain = match("cautious", "random", 100, "leningrad", pool=12)
    ours = match("cautious", "random", 100, "leningrad", pool=12, start=start)
    assert pulka.sheet.n_deals == 0
    assert sums(play_match(plain)) == sums(play_match(ours))


def test_a_protocol_changes_what_deals_are_worth(tmp_path: Path) -> None:
    """The row of raspas and the dealer are those after the last entry."""
    start, pulka = read_start(HEAD + DEALS, "evening.toml")
    made = match("cautious", "random", 100, "leningrad", pool=12, start=start)
    rows = stored(made, tmp_path / "x.parquet")
    assert {row["dealer"] for row in rows} == {pulka.dealer} == {1}
    after = read_start(HEAD + DEALS.replace(', "Boris', "] #"), "evening.toml")[0]
    made = match("cautious", "random", 100, "rostov", pool=12, start=after)
    raspas = {row["raspas_index"] for row in stored(made, tmp_path / "y.parquet")}
    assert raspas == {1}


# The engine's part


def test_phases_are_recorded_beside_the_plays() -> None:
    """Rows and decisions are those of a record without phases; outside bots have them too."""
    rules = find_variant("sochi").rules(3, 10)
    bot = find_bot("random")
    plain, full = (
        Shard(rules, [bot] * 3, 2, 0, 30, 4, record_plays=True, record_phases=phases).run()
        for phases in (False, True)
    )
    assert plain.phases is None and full.phases is not None
    assert plain.plays is not None and full.plays is not None
    assert plain.deals.tobytes() == full.deals.tobytes()
    n = int(plain.deals["n_decisions"].max())
    made = np.arange(n) < plain.deals["n_decisions"][:, None]
    assert (np.where(made, plain.plays[:, :n], 0) == np.where(made, full.plays[:, :n], 0)).all()
    words = {PHASES[k] for k in full.phases[:, :n][made].tolist()}
    assert {"auction", "discard", "contract", "whist", "card"} <= words
    assert Bot(bot.name, bot.maker, {}, bot.digest) == bot
