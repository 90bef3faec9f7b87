"""The estimates: every metric, interval and paired difference against plain Python over rows."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from naive_estimates import (
    LEVELS,
    OF_FOUR,
    PER_DEAL,
    PER_PULKA,
    Tables,
    assert_same,
    naive_difference,
    naive_estimate,
    rare_bound,
    rows_of,
)

from benchmarks.reference.bots import wild
from bots import find_bot
from scoring.variant import find_variant, variant_names
from sim.analysis import COLUMNS, METRICS, Estimate, Metric, Moments, pulka_sums, student_quantile
from sim.botcall import Bot
from sim.report import format_estimate, format_moments
from sim.run import Run, RunError, make_run, simulate, study
from sim.schema import PULKA_COLUMNS, deal_columns, deals_table, make_schema, pulkas_table

PULKAS = 31
T_30 = 2.04227
"""Two-sided 95 % point of Student's t with 30 degrees of freedom, for 31 pulkas."""
BY_NAME = {metric.name: metric for metric in METRICS[3]}


# Runs

LINE_UPS: dict[str, list[str]] = {
    "random": ["random"],
    "cautious": ["cautious"],
    "mixed": ["wild", "random", "cautious"],
    "four": ["wild", "random", "wild", "random"],
}
PLAYERS = {line_up: 4 if line_up == "four" else 3 for line_up in LINE_UPS}


def a_run(name: str, line_up: str, pulkas: int = PULKAS, seed: int = 5) -> Run:
    """A small run; with several bots concessions, raspas, misère and unfinished pulkas happen."""
    names = LINE_UPS[line_up]
    variant = find_variant(name, {"contract.concession": 3} if len(names) > 1 else None)
    bots = [Bot("wild", wild) if bot == "wild" else find_bot(bot) for bot in names]
    return make_run(variant, bots, pulkas, 5, seed, PLAYERS[line_up], max_deals=12)


def tables(run: Run) -> Tables:
    """Deals and pulkas of a run as tables."""
    parts = []
    for shard in range(run.n_shards()):
        batch, n = run.shard(shard).run(), run.players
        deals = deals_table(batch, n, make_schema(deal_columns(False), {}))
        parts.append((deals, pulkas_table(batch, n, make_schema(PULKA_COLUMNS, {}))))
    deals, pulkas = zip(*parts, strict=True)
    return pa.concat_tables(deals), pa.concat_tables(pulkas)


def moments_of(*runs: Tables, players: int = 3) -> Moments:
    """The sums of some runs of equal length."""
    found = Moments([f"run{k}" for k in range(len(runs))], players)
    found.add([pulka_sums(deals, pulkas, players) for deals, pulkas in runs])
    return found


# The engine's metrics against the naive ones


def test_the_naive_side_knows_every_metric() -> None:
    """No metric is left out below, and each is made of the columns that are summed."""
    assert not set(PER_DEAL) & set(PER_PULKA)
    for players, absent in ((3, OF_FOUR), (4, set())):
        names = [metric.name for metric in METRICS[players]]
        assert set(PER_DEAL) | set(PER_PULKA) == set(names) | absent and not absent & set(names)
        used = {name for metric in METRICS[players] for name in (metric.over, metric.by)}
        assert used == set(COLUMNS[players]) and len(names) == len(set(names))


@pytest.mark.parametrize("line_up", LINE_UPS)
@pytest.mark.parametrize("name", variant_names())
def test_every_metric(name: str, line_up: str) -> None:
    """Value and interval of every metric."""
    run, players = tables(a_run(name, line_up)), PLAYERS[line_up]
    moments, rows = moments_of(run, players=players), rows_of(run)
    assert moments.n == PULKAS
    for metric in METRICS[players]:
        assert_same(moments.estimate(0, metric), naive_estimate(rows, metric, T_30), metric.name)


@pytest.mark.parametrize("line_up", ["mixed", "four"])
def test_everything_happens_in_the_mixed_runs(line_up: str) -> None:
    """The comparison above is not one of zeros: every metric has something to estimate."""
    seen, players = set(), PLAYERS[line_up]
    for name in variant_names():
        moments = moments_of(tables(a_run(name, line_up)), players=players)
        for metric in METRICS[players]:
            value = moments.estimate(0, metric).value
            if value is not None and value != 0:
                seen.add(metric.name)
    assert {metric.name for metric in METRICS[players]} - seen == set()


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_every_difference(line_up: str) -> None:
    """Pairs of variants, paired by pulka."""
    names, players = ("piter", "finka", "rostov", "klassika"), PLAYERS[line_up]
    runs = [tables(a_run(name, line_up)) for name in names]
    moments, rows = moments_of(*runs, players=players), [rows_of(run) for run in runs]
    assert len(moments.pairs()) == len(runs) * (len(runs) - 1) // 2
    for one, other in [*moments.pairs(), (1, 0)]:
        for metric in METRICS[players]:
            expected = naive_difference(rows[one], rows[other], metric, T_30)
            assert_same(moments.difference(one, other, metric), expected, metric.name)


def test_pairing_helps() -> None:
    """The paired interval is narrower than that of two runs with different deals."""
    runs = [a_run(name, "cautious", 300) for name in ("sochi", "leningrad")]
    same = moments_of(*map(tables, runs))
    other = moments_of(tables(runs[0]), tables(a_run("leningrad", "cautious", 300, seed=6)))
    for name in ("deals_per_pulka", "raspas_rate"):
        paired, unpaired = (m.difference(0, 1, BY_NAME[name]) for m in (same, other))
        assert paired.high is not None and paired.low is not None
        assert unpaired.high is not None and unpaired.low is not None
        assert paired.high - paired.low < 0.8 * (unpaired.high - unpaired.low)


def test_a_run_against_itself() -> None:
    """The difference is 0 with an interval of no width (a rate of 0 or 1 keeps its bounds)."""
    run = tables(a_run("rostov", "cautious"))
    moments = moments_of(run, run)
    for metric in METRICS[3]:
        found, one = moments.difference(0, 1, metric), moments.estimate(0, metric)
        if one.value is None:
            assert found == Estimate(None, None, None, metric.unit)
        elif metric.share and one.value in (0, 1):
            assert one.low is not None and one.high is not None
            width = one.high - one.low
            assert (found.value, found.low, found.high) == (0, -width, width)
        else:
            assert found.value == 0 and found.low is not None and found.high is not None
            scale = max(1.0, abs(one.value))
            assert -1e-6 * scale < found.low <= 0 <= found.high < 1e-6 * scale


def test_runs_that_are_no_pairs() -> None:
    """Runs whose pulkas do not go in pairs are refused, with what differs and how."""
    for line_up, pulkas, seed, words in (
        ("four", 8, 5, "players must be the same in all of them, not 3 and 4"),
        ("random", 9, 5, "pulkas must be the same in all of them, not 8 and 9"),
        ("random", 8, 6, "seed must be the same in all of them, not 5 and 6"),
    ):
        with pytest.raises(RunError) as caught:
            study([a_run("sochi", "random", 8), a_run("rostov", line_up, pulkas, seed)])
        assert str(caught.value) == f"runs are compared pulka by pulka: {words}"


# Identities


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_shares_and_values_add_up(line_up: str) -> None:
    """Games and raspas are all deals; made and failed all games; values of seats sum to nothing."""
    players = PLAYERS[line_up]
    moments = moments_of(tables(a_run("fspr", line_up)), players=players)
    value = {metric.name: moments.estimate(0, metric).value for metric in METRICS[players]}
    games = [*LEVELS, "misere"]
    shares = [value["raspas_rate"], *(value[f"share_{game}"] for game in games)]
    assert sum(shares) == pytest.approx(1)
    for game in games:
        if value[f"made_{game}"] is not None:
            assert value[f"made_{game}"] + value[f"failed_{game}"] == pytest.approx(1)
    assert sum(value[f"seat_{seat}"] for seat in range(players)) == pytest.approx(0, abs=1e-9)
    assert sum(value[f"player_{i}"] for i in range(players)) == pytest.approx(0, abs=1e-9)
    assert value["whist_rate"] + value["half_whist_rate"] <= 1


def test_cost_of_a_raspas() -> None:
    """Half the sum of the absolute deal values, averaged over raspas."""
    deals, pulkas = tables(a_run("rostov", "mixed"))
    costs = [
        sum(abs(row[f"value_{i}"]) for i in range(3)) / 24
        for row in deals.to_pylist()
        if row["declarer"] is None
    ]
    found = moments_of((deals, pulkas)).estimate(0, BY_NAME["raspas_cost"])
    assert len(costs) > 5 and found.value == pytest.approx(statistics.fmean(costs))
    assert found.unit == "whists"


def test_spread_of_a_result() -> None:
    """The root of the mean square of a player's result."""
    deals, pulkas = tables(a_run("sochi", "mixed"))
    results = [row[f"result_{i}"] / 12 for row in pulkas.to_pylist() for i in range(3)]
    found = moments_of((deals, pulkas)).estimate(0, BY_NAME["result_spread"])
    assert found.value == pytest.approx(math.sqrt(statistics.fmean(x * x for x in results)))
    assert found.value == pytest.approx(statistics.pstdev(results), rel=1e-9)


def test_parts_add_up() -> None:
    """Sums taken in parts, however cut, give the same estimates as the whole at once."""
    deals, pulkas = tables(a_run("sochi", "mixed", 90))
    whole = moments_of((deals, pulkas))
    for cuts in ([45], [1, 2, 88], list(range(1, 90))):
        found = Moments(["run0"], 3)
        for first, last in zip([0, *cuts], [*cuts, 90], strict=True):
            inside = (np.asarray(deals["pulka"]) >= first) & (np.asarray(deals["pulka"]) < last)
            part = pulka_sums(deals.filter(pa.array(inside)), pulkas.slice(first, last - first), 3)
            assert part.shape == (last - first, len(COLUMNS[3]))
            found.add([part])
        assert found.n == whole.n
        for metric in METRICS[3]:
            ours, expected = found.estimate(0, metric), whole.estimate(0, metric)
            assert_same(ours, (expected.value, expected.low, expected.high), metric.name)


def test_shards_add_up() -> None:
    """A study over several shards sums up all of them: its figures are those of all rows."""
    run = a_run("rostov", "cautious", 600)
    found = study([run], workers=2)
    expected = moments_of(tables(run))
    assert found.n == expected.n == 600
    for metric in METRICS[3]:
        ours, naive = found.estimate(0, metric), expected.estimate(0, metric)
        assert_same(ours, (naive.value, naive.low, naive.high), metric.name)


def test_the_order_of_deals_does_not_matter() -> None:
    """Deals are assigned to pulkas by number, wherever the pulkas start."""
    run = a_run("sochi", "mixed", 40)
    deals, pulkas = tables(run)
    late = deals.filter(pa.array(np.asarray(deals["pulka"]) >= 10))
    sums = pulka_sums(late.take(pa.array(range(late.num_rows - 1, -1, -1))), pulkas.slice(10), 3)
    assert np.allclose(sums, pulka_sums(deals, pulkas, 3)[10:])


# Extreme cases


def made_up_sums(rows: Sequence[Sequence[float]], over: str, by: str) -> Any:
    """Sums of pulkas with these in two columns, zeros elsewhere."""
    sums = np.zeros((len(rows), len(COLUMNS[3])))
    sums[:, COLUMNS[3].index(over)] = [row[0] for row in rows]
    sums[:, COLUMNS[3].index(by)] = [row[1] for row in rows]
    return sums


def made_up(rows: Sequence[Sequence[float]], over: str, by: str) -> Moments:
    """Moments of one run of such pulkas."""
    found = Moments(["made up"], 3)
    found.add([made_up_sums(rows, over, by)])
    return found


def test_nothing_to_estimate() -> None:
    """Without a single event there is no value; without pulkas there is none at all."""
    rate = BY_NAME["made_10"]
    for moments in (made_up([(0, 0)] * 5, rate.over, rate.by), Moments(["none"], 3)):
        assert moments.estimate(0, rate) == Estimate(None, None, None, rate.unit)
        assert moments.estimate(0, rate).as_json() == {
            "value": None,
            "low": None,
            "high": None,
            "unit": rate.unit,
        }
    both = Moments(["a", "b"], 3)
    assert all(both.difference(0, 1, m).value is None for m in METRICS[3])


def test_one_pulka_has_no_interval() -> None:
    """From one pulka comes a value, and no interval; two are enough."""
    moments = moments_of(tables(a_run("sochi", "cautious", 1)))
    deals = moments.estimate(0, BY_NAME["deals_per_pulka"])
    assert deals.value is not None and deals.value >= 1 and deals.low is None is deals.high
    run = tables(a_run("sochi", "cautious", 2))
    two = moments_of(run)
    for metric in METRICS[3]:
        expected = naive_estimate(rows_of(run), metric, 12.7062)
        assert_same(two.estimate(0, metric), expected, metric.name)


@pytest.mark.parametrize("pulkas", [2, 10, 400])
@pytest.mark.parametrize("per_pulka", [1, 7])
def test_rates_of_zero_and_one(pulkas: int, per_pulka: int) -> None:
    """The bound that is not 0 or 1 is the exact binomial one, a pulka counted as a trial."""
    rate = BY_NAME["raspas_rate"]
    bound = rare_bound(pulkas)
    assert bound == pytest.approx(1 - 0.025 ** (1 / pulkas))
    never = made_up([(0, per_pulka)] * pulkas, rate.over, rate.by).estimate(0, rate)
    always = made_up([(per_pulka, per_pulka)] * pulkas, rate.over, rate.by).estimate(0, rate)
    assert (never.value, never.low) == (0, 0) and never.high == pytest.approx(bound)
    assert (always.value, always.high) == (1, 1) and always.low == pytest.approx(1 - bound)


@pytest.mark.parametrize("one", [0, 1])
@pytest.mark.parametrize("other", [0, 1])
def test_a_difference_of_extreme_rates(one: int, other: int) -> None:
    """Two rates of 0 or 1: their difference is as uncertain as both bounds allow."""
    rate = BY_NAME["made_6"]
    sums = [made_up_sums([(k, 1)] * 20, rate.over, rate.by) for k in (one, other)]
    moments = Moments(["one", "other"], 3)
    moments.add(sums)
    found, bound = moments.difference(0, 1, rate), rare_bound(20)
    assert found.value == one - other
    assert found.low == pytest.approx({0: -bound, 1: 1 - 2 * bound, -1: -1}[one - other])
    assert found.high == pytest.approx({0: bound, 1: 1, -1: 2 * bound - 1}[one - other])


def test_a_rate_of_few_events() -> None:
    """Where events are fewer than pulkas, each event is a trial."""
    rate = BY_NAME["made_6"]
    found = made_up([(1, 1)] * 3 + [(0, 0)] * 97, rate.over, rate.by).estimate(0, rate)
    assert found.value == 1 and found.low == pytest.approx(1 - rare_bound(3))


def test_a_rate_stays_between_zero_and_one() -> None:
    """The interval of a rate is cut at 0 and 1; that of another figure is not."""
    rows = [(1.0, 5.0)] + [(0.0, 5.0)] * 9
    rate, other = BY_NAME["raspas_rate"], BY_NAME["game_cost"]
    assert made_up(rows, rate.over, rate.by).estimate(0, rate).low == 0
    low = made_up(rows, other.over, other.by).estimate(0, other).low
    assert low is not None and low < 0


def test_a_constant_has_no_width() -> None:
    """The same ratio in every pulka leaves nothing to doubt."""
    metric = BY_NAME["deals_per_pulka"]
    found = made_up([(23, 1)] * 50, metric.over, metric.by).estimate(0, metric)
    assert found.value == 23
    assert found.low == pytest.approx(23, abs=1e-6) and found.high == pytest.approx(23, abs=1e-6)


def test_a_spread_of_nothing() -> None:
    """The root of zero has an interval of no width and no division by zero."""
    metric = BY_NAME["result_spread"]
    found = made_up([(0, 1)] * 5, metric.over, metric.by).estimate(0, metric)
    assert (found.value, found.low, found.high) == (0, 0, 0)


PRINTED = {1: 12.7062, 2: 4.30265, 3: 3.18245, 4: 2.77645, 5: 2.57058, 7: 2.36462}
PRINTED |= {10: 2.22814, 20: 2.08596, 30: 2.04227, 60: 2.00030, 100: 1.98397}


@pytest.mark.parametrize("df", PRINTED)
def test_student_quantile(df: int) -> None:
    """Against a printed table: exact for 1 and 2, within 1.3 per mille at 3, better after that."""
    tolerance = {3: 1.3e-3, 4: 4e-4, 5: 1.2e-4}.get(df, 5e-5 if df < 10 else 1e-5)
    tolerance = 1e-6 if df < 3 else tolerance
    assert student_quantile(df) == pytest.approx(PRINTED[df], rel=tolerance)


def test_student_quantile_falls() -> None:
    """It falls with the degrees of freedom, to that of the normal distribution."""
    values = [student_quantile(df) for df in range(1, 2000)]
    assert values == sorted(values, reverse=True)
    assert student_quantile(10**9) == pytest.approx(1.959964, abs=1e-6)


# Shown


def test_json_of_moments() -> None:
    """Plain JSON without NaN: every metric of every run, every difference."""
    names = ["rostov", "sochi"]
    moments = study([a_run(name, "cautious", 20) for name in names])
    found = moments.as_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert list(found) == ["variants", "differences"]
    assert list(found["variants"]) == names and list(found["differences"]) == ["rostov - sochi"]
    for k, name in enumerate(names):
        assert found["variants"][name] == {
            metric.name: moments.estimate(k, metric).as_json() for metric in METRICS[3]
        }


@pytest.mark.parametrize(
    "estimate, share, text",
    [
        (Estimate(None, None, None), False, "-"),
        (Estimate(0.5, None, None), True, "50.00%"),
        (Estimate(7.25, None, None), False, "7.25"),
        (Estimate(0.263, 0.261, 0.266), True, "26.30% [26.10, 26.60]"),
        (Estimate(0.263, 0.21, 0.316), True, "26.3% [21.0, 31.6]"),
        (Estimate(0.0005, 0.0, 0.001), True, "0.050% [0.000, 0.100]"),
        (Estimate(-3.14159, -13.0, 6.7), False, "-3.1 [-13.0, 6.7]"),
        (Estimate(3.14159, 3.0, 3.3), False, "3.14 [3.00, 3.30]"),
    ],
)
def test_text_of_an_estimate(estimate: Estimate, share: bool, text: str) -> None:
    """As many decimals as the interval is worth."""
    assert format_estimate(estimate, Metric("m", "m", "a", "b", share=share)) == text


@pytest.mark.parametrize("line_up", ["cautious", "four"])
def test_text_of_moments(line_up: str) -> None:
    """A line a metric with its unit, aligned; differences below."""
    moments = study([a_run(name, line_up, 20) for name in ("rostov", "sochi")])
    table, differences = format_moments(moments).split("\n\n")
    for text in (table, differences):
        lines = text.splitlines()[1:]
        for line, metric in zip(lines, METRICS[PLAYERS[line_up]], strict=True):
            label = f"{metric.title}, {metric.unit}" if metric.unit else metric.title
            assert line.startswith(f"{label}  ")


# Coverage


@pytest.mark.slow
@pytest.mark.parametrize(
    "bot, names",
    [
        ("cautious", ("raspas_rate", "deals_per_pulka", "seat_0", "share_6", "game_cost")),
        ("random", ("deals_per_pulka", "seat_0", "game_cost")),
    ],
)
def test_intervals_contain_the_truth(bot: str, names: tuple[str, ...]) -> None:
    """Of 600 studies of 40 pulkas each, 92 to 98 % have the truth in their 95 % interval.

    The truth comes from a run eight times as large as all studies together, of another seed. (With
    ``random`` a raspas is too rare for a study of 40 pulkas: its rate is tried with ``cautious``.)
    """
    studies, length = 600, 40
    truth = simulate("sochi", [find_bot(bot)], 8 * studies * length, pool=4, seed=1)
    deals, pulkas = tables(make_run("sochi", [find_bot(bot)], studies * length, 4, seed=2))
    sums = pulka_sums(deals, pulkas, 3)
    for name in names:
        metric = BY_NAME[name]
        value = truth.estimate(0, metric).value
        assert value is not None
        covered = 0
        for k in range(studies):
            one = Moments(["study"], 3)
            one.add([sums[k * length : (k + 1) * length]])
            found = one.estimate(0, metric)
            assert found.low is not None and found.high is not None
            covered += found.low <= value <= found.high
        assert 0.92 <= covered / studies <= 0.98, (name, covered / studies)
