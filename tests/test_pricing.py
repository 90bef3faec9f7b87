"""Exact prices against published values, for any rules: zero sums, the scorer asked another way,
and the command that prints them."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bots.prices import contract_values, misere_prices
from scoring.contract import TRICKS
from scoring.pricing import BOTH, FREE, HALF, LONE, PriceError, Prices
from scoring.result import HALF_WHISTED, PASSED, WHISTED
from scoring.score_sheet import DealResult, ScoreSheet
from scoring.variant import find_variant, variant_names
from sim.chances import talon_chance
from sim.cli import cli

DATA = Path(__file__).parent / "data" / "prices"
LEVELS = (6, 7, 8, 9, 10)
TABLES = [
    (name, n)
    for name in variant_names()
    for n in find_variant(name).players
    if find_variant(name).has_pool
]

every_table = pytest.mark.parametrize(("name", "n"), TABLES)


def records(name: str) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return data


def each(name: str) -> Any:
    return pytest.mark.parametrize("record", [pytest.param(r, id=r["id"]) for r in records(name)])


def prices_of(record: dict[str, Any]) -> Prices:
    settings = record.get("conventions", {})
    return Prices(find_variant(record["variant"], settings), record["players"])


@pytest.mark.parametrize(("name", "count"), [("values", 41), ("break_even", 8)])
def test_no_record_is_lost(name: str, count: int) -> None:
    found = records(name)
    assert len(found) == len({record["id"] for record in found}) == count
    assert all(record["status"] in ("stated", "derived") and record["source"] for record in found)


@each("values")
def test_published_values(record: dict[str, Any]) -> None:
    """What a deal is worth to its declarer, or to the first player at raspas."""
    prices = prices_of(record)
    if "contract" in record:
        one = record["contract"]
        values = prices.contract(one["level"], one["tricks"], one["way"])
    elif "misere" in record:
        values = prices.misere(record["misere"])
    else:
        values = prices.raspas(record["raspas"], record.get("before", 0))
    assert values[0] == Fraction(record["expect"])
    assert sum(values) == 0 and len(values) == record["players"]


@each("break_even")
def test_litvins_table(record: dict[str, Any]) -> None:
    """The chance to be a trick short at which either of two contracts is worth the same."""
    found = prices_of(record).break_even(record["level"])
    assert found.short == Fraction(record["short"]) and found.extra == 1 - found.short
    if "value" in record:
        assert found.value == Fraction(record["value"])
    if "printed" in record:
        assert found.value is not None
        printed = [f"{float(found.short):.3f}", f"{float(found.value):.1f}"]
        assert printed == list(record["printed"])


def test_misere_by_good_cards() -> None:
    """Lesnoy's misère of Sochi with four players, 75(2p - 1), where he rounds the chance p to two
    digits; seven good cards are the first with a chance above one half, and the first that pay."""
    prices = Prices(find_variant("sochi"), 4)
    for good, worth in ((11, "39"), (7, "7.5"), (6, "-3"), (5, "-13.5")):
        rounded = Fraction(f"{float(talon_chance(good)):.2f}")
        assert prices.misere_chance(rounded) == Fraction(worth)
    paying = [g for g in range(1, 15) if prices.misere_chance(talon_chance(g)) > 0]
    assert paying[0] == 7 and talon_chance(6) < Fraction(1, 2) < talon_chance(7)


@every_table
def test_every_price_sums_to_zero(name: str, n: int) -> None:
    """What the declarer wins the others lose, whatever the variant, the whist and the tricks."""
    prices = Prices(find_variant(name), n)
    for level, tricks in product(LEVELS, range(11)):
        for way in prices.ways(level):
            values = prices.contract(level, tricks, way)
            assert len(values) == n and sum(values) == 0
    assert all(sum(prices.misere(k)) == 0 for k in range(11))
    assert sum(prices.raspas((3, 7, *[0] * (n - 2)))) == 0


@every_table
def test_more_tricks_are_better(name: str, n: int) -> None:
    """Each trick short costs more, a made contract wins; misère and raspas want few tricks."""
    prices = Prices(find_variant(name), n)
    underbid = find_variant(name).conventions["contract.underbid_fails"]
    for level in LEVELS:
        for way in prices.ways(level):
            values = [prices.contract(level, k, way)[0] for k in range(11)]
            assert values[level] > 0 or way in ("half", "nobody", "open", "blind")
            if way not in ("half", "nobody"):
                assert values[: level + 1] == sorted(set(values[: level + 1]))
                assert underbid or values[level:] == sorted(values[level:])
    miseres = [prices.misere(k)[0] for k in range(11)]
    assert miseres == sorted(set(miseres), reverse=True) and miseres[0] > 0
    shares = [prices.raspas_share(k) for k in range(11)]
    if find_variant(name).conventions["raspas.whists"] != "difference":
        assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(("name", "n"), [("sochi", 3), ("leningrad", 4), ("rostov", 3)])
def test_prices_are_those_of_the_sheet(name: str, n: int) -> None:
    """A deal written on a sheet of Python's and settled gives the same, with either's odd trick."""
    variant = find_variant(name)
    prices = Prices(variant, n)
    calls = {"one": (WHISTED, PASSED), "both": (WHISTED, WHISTED), "half": (HALF_WHISTED, PASSED)}
    for level, tricks, way in product(LEVELS, range(11), calls):
        total = [Fraction(0)] * n
        for odd in range(2):
            mine = (10 - tricks + odd) // 2
            cards = (tricks, mine, 10 - tricks - mine, 0)[:n]
            sheet = ScoreSheet(variant, n)
            result = DealResult(
                dealer=n - 1,
                kind=TRICKS,
                declarer=0,
                level=level,
                tricks=None if way == "half" else cards,
                decisions=dict(enumerate(calls[way], 1)),
                last_whister=2 if way == "both" else 1,
            )
            sheet.write(result)
            total = [a + b / 2 for a, b in zip(total, sheet.settle(), strict=True)]
        assert prices.contract(level, tricks, way) == tuple(total)


@pytest.mark.parametrize("n", [3, 4])
def test_the_bot_counts_with_the_same_values(n: int) -> None:
    """The float prices of ``cautious`` are the exact ones where there is no race for a prize."""
    variant = find_variant("sochi")
    prices, rules = Prices(variant, n), variant.rules(n)
    for pattern, way in ((LONE, "one"), (BOTH, "both"), (FREE, "nobody"), (HALF, "half")):
        for player in range(n):
            exact = [
                [float(prices.contract(level, k, way)[player]) for k in range(11)]
                for level in LEVELS
            ]
            assert np.allclose(contract_values(rules, pattern, player), exact, atol=1e-9)
    exact_misere = [float(prices.misere(k)[0]) for k in (0, 2)]
    assert misere_prices(rules, 2).tolist() == pytest.approx(exact_misere)


def test_break_even_is_where_both_are_equal() -> None:
    """At that chance the two contracts are worth the same, below it the higher is worth more."""
    seen = 0
    for (name, n), level in product(TABLES, LEVELS[:-1]):
        prices = Prices(find_variant(name), n)
        way = prices.ways(level)[0]
        one = prices.break_even(level, way)
        values = [
            [prices.contract(k, level + t, way)[0] for t in (1, 0)] for k in (level + 1, level)
        ]
        low = [(1 - one.short) * made + one.short * short for made, short in values]
        if one.value is None:
            assert one.short in (0, 1)
            continue
        seen += 1
        assert low == [one.value] * 2 and 0 < one.short < 1
        half = one.short / 2
        above, below = ((1 - half) * made + half * short for made, short in values)
        assert above > below
    assert seen > 100


def test_twice_the_prices_change_no_break_even() -> None:
    """Leningrad with Sochi's responsibility: all values twice, the same chances."""
    settings = {"whist.style": "greedy", "values.remise": [4, 8, 12, 16, 20]}
    for n in (3, 4):
        one, two = Prices(find_variant("sochi"), n), Prices(find_variant("leningrad", settings), n)
        for level in LEVELS[:-1]:
            found, double = one.break_even(level), two.break_even(level)
            assert found.short == double.short and found.value is not None
            assert double.value == 2 * found.value


def test_who_answers_leaves_what_he_cannot_whist() -> None:
    """A defender who answers alone whists what he has tricks for, says half-whist where he may, and
    else leaves the contract."""
    prices = Prices(find_variant("sochi"), 4)
    assert [prices.answer(6, k) for k in (5, 6, 7, 10)] == ["one", "one", "half", "half"]
    assert [prices.answer(9, k) for k in (8, 9, 10)] == ["one", "one", "nobody"]
    two = Prices(find_variant("classic_two"))
    assert {two.answer(level, k) for level in LEVELS for k in range(11)} >= {"open", "nobody"}


def test_what_has_no_price() -> None:
    """One sentence with what is allowed."""
    sochi = Prices(find_variant("sochi"), 3)
    for wrong, said in (
        (lambda: Prices(find_variant("serbian")), "serbian is of the family refet"),
        (lambda: sochi.contract(5, 6, "one"), "levels are 6 to 10"),
        (lambda: sochi.contract(6, 6, "dealer"), "write one or both or half or nobody"),
        (lambda: sochi.misere(11), "write 0 to 10"),
        (lambda: sochi.raspas((5, 5)), "write 3 numbers, ten tricks in all"),
        (lambda: sochi.break_even(10), "write 6 to 9"),
    ):
        with pytest.raises(PriceError, match=said):
            wrong()


# The command


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, ["prices", *words])
    assert result.exit_code == code, result.output
    return result.output


@every_table
def test_every_variant_is_told(name: str, n: int) -> None:
    """Text and JSON for every variant and number of players, with the same break-evens."""
    text = run("--variant", name, "--players", str(n))
    assert text.startswith(f"{name}, {n} players: whists on an empty sheet")
    data = json.loads(run("--variant", name, "--players", str(n), "--json"))
    assert data["sides"] == ["declarer", "defender", "other", "dealer"][:n]
    assert set(data["contracts"]) == {"6", "7", "8", "9", "10"}
    for level, ways in data["break_even"].items():
        for one in ways.values():
            short = str(one["short"])
            words = {"0": "never more", "1": "always more"}.get(short, f"({short})")
            (line,) = (x for x in text.splitlines() if x.startswith(f"{level} or "))
            assert words in line


def test_the_command_tells_litvins_table() -> None:
    text = run("--players", "4")
    assert "6 or 7         9.7% (7/72), 10.61     5.8% (4/69), 13.59" in text
    rows = {line[:16].strip(): line.split() for line in text.splitlines()}
    assert rows["7, one whists"][3:] == "-334 -288 -242 -196 -150 -104 -58 18 22 36 50".split()
    assert rows["misère"][1:4] == ["75", "-75", "-150"]
    dear = run("--players", "4", "--set", "raspas.price=10")
    assert "raspas, 1 in a row" in dear and dear != text
    assert "defender, by the declarer's tricks" in run("--side", "defender")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--variant", "razboinik"], "prices are told of variants of the family pool"),
        (["--side", "dealer"], "with 3 players write declarer or defender or other"),
        (["--players", "5"], "sochi is played by 2, 3 or 4 players, not by 5"),
        (["--set", "raspas.prise=1"], "raspas.prise"),
    ],
)
def test_wrong_use_is_one_sentence(words: list[str], said: str) -> None:
    output = run(*words, code=2)
    assert said in output and "Traceback" not in output
