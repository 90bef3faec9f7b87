"""The long run under all rules: it plays what it says, and its invariants notice what is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks import invariants, played, soak
from benchmarks.invariants import (
    DEAL_CHECKS,
    PULKA_CHECKS,
    REFET_DEAL_CHECKS,
    REFET_PULKA_CHECKS,
    find_violation,
)
from benchmarks.played import Played
from scoring.convention import BOOLEAN, CHOICE, LEVEL_SET, ORDER, WORD_SET
from scoring.conventions import CONVENTIONS
from scoring.kernel import JIT
from scoring.variant import find_variant, variant_names
from sim.botcall import Bot
from sim.engine import Shard

SEED = 3
SHORT = 1000 if JIT else 26
N_HOUSES = 240
CHECKS = {*DEAL_CHECKS, *PULKA_CHECKS}
CHECKS_OF_REFET = {*REFET_DEAL_CHECKS, *REFET_PULKA_CHECKS}
SPOILED: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("klassika", 3, 12, {"auction.without_talon": ["misere", "nine", "ten"], "end.when": "time"}),
    ("finka", 4, 12, {"values.off_mountain_instead": 1, "auction.jumps": False}),
    ("hard_piter", 4, 12, {"contract.concession": 3, "whist.responsible_after_close": True}),
    ("classic_two", 2, 1, {}),
    ("gusarik_indivisible", 2, 12, {"dummy.raspas": "lowest"}),
    ("razboinik", 2, 8, {}),
)
"""Variants whose rows are spoiled, players, deals a pulka: dark passes and bombs, time, four
players, the concession, two players."""
SPOILED_REFET: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("refet", 3, 30, {"spades.needs_contra": False}),
    ("iklub", 4, 30, {"contra.by": "either"}),
    ("prefko", 3, 30, {"contra.soup": "each_own", "tricks.stop": False}),
    ("ipref", 4, 30, {"betl.lost_contra": "each_five"}),
)
"""The same for the refet game: played spades, contra by who stays away, all ten tricks."""


def play(name: str, n: int, most: int, settings: dict[str, Any], one: Bot) -> Played:
    """A few pulkas of a house variant."""
    variant = find_variant(name, settings)
    pool = 4 if variant.has_target else 0
    shard = Shard(variant.rules(n, pool), [one] * n, SEED, 0, 5, max_deals=most, row_limit=256)
    batch = shard.run()
    return Played(variant, n, pool, SEED, most, batch.deals, batch.pulkas)


def spoiled(chance: random.Random, run: Played) -> Played:
    """The same rows with one number of one row changed."""
    deals, pulkas = run.deals.copy(), run.pulkas.copy()
    rows = chance.choice((deals, deals, deals, pulkas))
    row = rows[chance.randrange(len(rows))]
    name = chance.choice(row.dtype.names)
    delta = chance.choice((-12, -2, -1, 1, 1, 2, 3))
    if row.dtype[name].shape:
        row[name][chance.randrange(len(row[name]))] += delta
    else:
        row[name] += delta
    return replace(run, deals=deals, pulkas=pulkas)


def spoil_scorer(chance: random.Random, scorer: Callable[..., Any]) -> Callable[..., Any]:
    """The scorer with an error of a point or two somewhere."""

    def score(*given: Any) -> Any:
        found = scorer(*given)
        rows = found[1] if isinstance(found, tuple) else found
        name = chance.choice([name for name in rows.dtype.names if rows.dtype[name].shape])
        row = rows[name][chance.randrange(len(rows))]
        row[chance.randrange(len(row))] += chance.choice((-24, -12, 12, 24))
        return found

    return score


def notice(
    settings: Any, checks: set[str], one: Bot, monkeypatch: pytest.MonkeyPatch, scorers: Any
) -> None:
    """Spoil rows, and now and then what a scorer says, until each check was the first to notice."""
    chance = random.Random(SEED)
    runs = [play(*run, one) for run in settings]
    assert [find_violation(run) for run in runs] == [None] * len(runs)
    idle = set(checks)
    for k in range(3000):
        run = runs[k % len(runs)]
        with monkeypatch.context() as patch:
            if scorers and k % 3 == 0:
                module, name = chance.choice(scorers)
                patch.setattr(module, name, spoil_scorer(chance, getattr(module, name)))
                told = find_violation(replace(run)) or ""
            else:
                told = find_violation(spoiled(chance, run)) or ""
        idle.discard(told.partition(": not so that ")[2])
        if not idle:
            return
    pytest.fail(f"nothing was noticed by: {'; '.join(idle)}")


def test_every_invariant_notices_something(
    seat: Callable[[str], Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No check is idle: for each there is a number whose change it is the first to notice."""
    notice(SPOILED, CHECKS, seat("wild"), monkeypatch, ())


def test_every_invariant_of_refet_notices_something(
    seat: Callable[[str], Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of the refet game, whose rows and whose scorer may be wrong."""
    scorers = ((played, "score_results"), (invariants, "write_pulkas"))
    notice(SPOILED_REFET, CHECKS_OF_REFET, seat("wild"), monkeypatch, scorers)


def test_a_violation_is_told_in_one_sentence(seat: Callable[[str], Bot]) -> None:
    """With the variant, the players, the deal and its number."""
    run = play("sochi", 4, 12, {}, seat("wild"))
    deals = run.deals.copy()
    deals["tricks"][7, 2] += 1
    row = deals[7]
    told = find_violation(replace(run, deals=deals)) or ""
    where = f"sochi, 4 players, pulka {row['pulka']}, deal {row['deal']} (number {row['number']})"
    rule = "a played deal has ten tricks, less those that are nobody's, and another none"
    assert told == f"{where}: not so that {rule}"


@pytest.mark.parametrize("name", ["sochi", "razboinik", "refet"])
def test_house_rules_are_drawn_from_all(name: str) -> None:
    """Many draws set every switch both ways, and every choice and list to more than one value."""
    chance, variant = random.Random(SEED), find_variant(name)
    found: dict[str, set[Any]] = {convention.key: set() for convention in CONVENTIONS}
    for _ in range(200):
        for key, value in soak.house_rules(chance, variant).conventions.items():
            found[key].add(value)
    for convention in variant.own_conventions():
        if convention.kind in (BOOLEAN, CHOICE):
            assert found[convention.key] == set(convention.values or (False, True))
        elif convention.kind in (LEVEL_SET, WORD_SET, ORDER) or convention.key in soak.NUMBERS:
            assert len(found[convention.key]) > 1


def test_a_short_soak() -> None:
    """Each variant by all its numbers of players, as it is and as house rules: nothing breaks."""
    lines = list(soak.soak(SHORT, SEED))
    assert [line.split(":")[0] for line in lines] == [*variant_names(), "in all"]
    assert "no rule broken" in lines[-1] and int(lines[-1].split()[2]) >= SHORT


def test_house_rules_of_two(seat: Callable[[str], Bot]) -> None:
    """Two players under many house rules: their first deals write what the rules say, and longer
    pulkas break none."""
    chance, bots = random.Random(SEED), [seat("wild"), seat("random")]
    known = [one for one in map(find_variant, variant_names()) if 2 in one.players]
    for k in range(N_HOUSES):
        variant = soak.house_rules(chance, chance.choice(known))
        pool = chance.choice(soak.POOLS) if variant.has_pool else 0
        line_up, (most, pulkas) = [bots[k % 2]] * 2, ((1, 30), (14, 5))[k // 2 % 2]
        shard = Shard(variant.rules(2, pool), line_up, k, 0, pulkas, max_deals=most, row_limit=70)
        batch = shard.run()
        run = Played(variant, 2, pool, k, most, batch.deals, batch.pulkas)
        assert find_violation(run) is None, variant.conventions


@pytest.mark.slow
def test_a_longer_soak() -> None:
    """The same with many more deals."""
    assert "no rule broken" in list(soak.soak(200 * SHORT, SEED + 1))[-1]


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and exit code 0; with a rule broken the sentence and exit code 1."""
    runner = CliRunner()
    monkeypatch.setattr(soak, "BOTS", ("random",))
    monkeypatch.setattr(soak, "variant_names", lambda: ("sochi", "finka"))
    done = runner.invoke(soak.main, ["--deals", "20", "--seed", "5"])
    assert done.exit_code == 0 and len(done.output.splitlines()) == 3
    monkeypatch.setattr(soak, "find_violation", lambda run: "sochi: not so")
    failed = runner.invoke(soak.main, ["--deals", "20"])
    assert failed.exit_code == 1
    assert failed.output == "sochi: not so (bots random, random; its own rules)\n"
