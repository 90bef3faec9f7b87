"""Fixpoints: where they are looked up, what stands in, and how they are learned."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_bridge import refused, run

from bots.hand_tables import BUCKETS, read_weights
from bots.layout import PLAY_PRICE
from bots.study import fixpoints
from bots.study.environment import biased, learned, priced, rules_of_thumb, unit_of, weights_with
from bots.study.fixpoints import STUDIED, FixpointError, digest_of, nearest_variant, tuned_path
from bots.study.rows import BLOCKS, GRAIN, N_FEATURES
from bots.study.student import parts
from scoring.result import UNIT
from scoring.variant import find_variant, variant_names
from sim.training.calibration import calibration, fit_judge, worst
from sim.training.coefficients import ENOUGH, LEAST, NEAR, RIDGE, fit_rows, strayed_weights
from sim.training.environment import explore_round
from sim.training.kernels.exploring import ACTION, CHOSEN, GROUP, N_HEAD, ROW, STRAYED, VALUE
from sim.training.recipe import FULL, QUICK, TrainingError
from sim.training.settling import MOST_GAIN, SCALE, parse_tables, settle, settle_all
from sim.training.shifts import largest, shift_gains, shifted
from sim.training.student import Student

STUDENT = Student(**parts())
SOCHI = find_variant("sochi")
TINY = replace(QUICK.environments, explored=200, paired=120)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with nothing tuned, and nothing warned of yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    fixpoints._warn.cache_clear()
    return tmp_path / "preferans" / "fixpoints"


# Looking up


def test_what_is_stored_is_what_is_played() -> None:
    """Every shipped fixpoint is that of its own variant, to the last coefficient."""
    shipped = fixpoints.shipped()
    assert shipped
    for one in shipped:
        rules = find_variant(one["variant"]).rules(one["players"])
        assert fixpoints.packed(learned(rules) - rules_of_thumb()) == one["rows"]
        assert nearest_variant(rules)[2] == 0


@pytest.mark.parametrize("given", [{}, {"pool": 17}])
def test_no_warning_where_only_the_pool_differs(given: Any, capfd: Any) -> None:
    """How long a pulka is changes no prices on an empty sheet."""
    rules = SOCHI.rules(3, given.get("pool"))
    assert (learned(rules) == learned(SOCHI.rules(3))).all()
    assert capfd.readouterr().err == ""


def test_a_house_variant_plays_as_the_nearest_with_one_warning(capfd: Any) -> None:
    """One line on stderr, once, whoever asks again; no Python warning."""
    rules = find_variant("sochi", {"raspas.price": 10}).rules(3)
    place, name, different = nearest_variant(rules)
    assert name and different > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [learned(rules) for _ in range(3)]
    expected = fixpoints.unpacked(fixpoints.shipped()[place]["rows"]) + rules_of_thumb()
    assert all((one == expected).all() for one in found)
    told = capfd.readouterr().err
    assert told.count("\n") == 1 and told.startswith("expert is not tuned") and name in told
    assert "preferans tune" in told


def test_nothing_stored_is_rules_of_thumb() -> None:
    """Without any fixpoint of the family there are rules of thumb."""
    with STUDENT.taught({**read_weights("expert"), "fixpoints": []}):
        assert (learned(SOCHI.rules(3)) == rules_of_thumb()).all()
    assert (learned(SOCHI.rules(3)) != rules_of_thumb()).any()


def test_a_user_s_own_file_comes_first(own_folder: Path) -> None:
    """It is found by conventions alone; other conventions and players do not see it."""
    rules = SOCHI.rules(3)
    mine = rules_of_thumb()
    mine[3, 2] += 0.25
    path = tuned_path(rules)
    assert path.parent == own_folder
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"rows": fixpoints.packed(mine - rules_of_thumb())}), "utf-8")
    assert (learned(rules) == mine).all() and (learned(SOCHI.rules(3, 50)) == mine).all()
    assert (learned(SOCHI.rules(4)) != mine).any()
    assert (learned(find_variant("rostov").rules(3)) != mine).any()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"rows": {"0": ["x"]}}', '{"rows": 3}'])
def test_a_broken_file_is_named(text: str) -> None:
    """One sentence with the path and what to do."""
    path = tuned_path(SOCHI.rules(3))
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    with pytest.raises(FixpointError, match="no tuned variant") as error:
        learned(SOCHI.rules(3))
    assert str(path) in str(error.value)


def test_digests_tell_conventions_and_players_apart() -> None:
    """No two shipped variants that differ share a digest."""
    found: dict[str, bytes] = {}
    for name in variant_names():
        variant = find_variant(name)
        for players in variant.players:
            rules = variant.rules(players)
            parts = np.concatenate(fixpoints._conventions(rules)).tobytes()
            assert found.setdefault(digest_of(rules), parts) == parts
    assert len(found) > 20


def test_every_start_moves_the_bids() -> None:
    """By so many whists, whatever the unit; the unit is what the price table says."""
    for name in ("sochi", "leningrad", "refet"):
        rules = find_variant(name).rules(3)
        moved = biased(rules, rules_of_thumb(), 6.0) - rules_of_thumb()
        changed = moved[moved != 0]
        assert len(changed) > 10 and np.allclose(changed * unit_of(rules), 6.0)
    assert unit_of(SOCHI.rules(3)) == priced(SOCHI.rules(3))[PLAY_PRICE + BUCKETS - 1]


# Fits


def _plain_fit(samples: Any, rows: range, believed: Any, now: Any, strayed: float) -> Any:
    """Weighted least squares by the book: means of decisions taken, a ridge around beliefs."""
    n = believed.shape[1]
    width = n * len(rows)
    gram, target = RIDGE * np.eye(width), np.zeros(width)
    samples = samples[np.isin(samples[:, ROW], rows)]
    for group in np.unique(samples[:, GROUP]):
        part = samples[samples[:, GROUP] == group]
        features = part[:, N_HEAD:] / part[:, N_HEAD : N_HEAD + 1]
        design = np.zeros((len(part), width))
        for k, row in enumerate(part[:, ROW] - rows.start):
            design[k, n * row : n * row + n] = features[k]
        guess = design @ now[rows.start : rows.stop].ravel()
        gap = guess.max() - guess
        others = guess[guess < guess.max()]
        if len(others):
            gap[guess == guess.max()] = guess.max() - others.max()
        weights = (strayed if part[0, STRAYED] else 1.0) / (1 + (gap / NEAR) ** 2)
        value = part[:, VALUE] / UNIT * GRAIN / part[:, N_HEAD]
        design = design - weights @ design / weights.sum()
        value = value - weights @ value / weights.sum()
        gram += design.T * weights @ design
        rest = value - design @ believed[rows.start : rows.stop].ravel()
        target += design.T @ (weights * rest)
    return believed[rows.start : rows.stop] + np.linalg.solve(gram, target).reshape(-1, n)


def test_fits_are_least_squares() -> None:
    """Made-up decisions of two contexts; who was never met stays as believed."""
    chance = np.random.default_rng(5)
    samples = []
    for group in range(900):
        block = BLOCKS[(0, 7)[group % 2]]
        unit = int(GRAIN * chance.integers(1, 4))
        for row in chance.choice(block, chance.integers(2, 5), replace=False):
            features = [unit, *chance.integers(-9 * GRAIN, 9 * GRAIN, N_FEATURES - 1)]
            value = chance.integers(-200, 200)
            samples.append([group, row, 0, 0, group % 3 == 0, value, *features])
    noted = np.array(samples)
    assert noted.shape[1] == N_HEAD + N_FEATURES
    believed = rules_of_thumb()
    now = believed + chance.normal(size=believed.shape) / 9
    fitted, counts = fit_rows(noted, BLOCKS, believed, now, float(GRAIN))
    assert counts.sum() == len(noted) and (counts > 0).sum() == 2
    strayed = ENOUGH / 300
    rest = np.ones(len(believed), bool)
    for block in (BLOCKS[0], BLOCKS[7]):
        rest[block.start : block.stop] = False
        plain = _plain_fit(noted, block, believed, now, strayed)
        assert np.allclose(fitted[block.start : block.stop], plain)
        assert np.abs(plain - believed[block.start : block.stop]).max() > 0.1
    assert (fitted[rest] == believed[rest]).all()


def test_strayed_decisions_count_where_there_are_no_others() -> None:
    """Fully where few decisions are of everybody's own choice, the less the more there are."""
    counts = {0: (10, 500), 1: (1000, 500), 2: (100_000, 500)}
    parts = []
    for block, (own, strayed) in counts.items():
        part = np.zeros((2 * (own + strayed), N_HEAD), np.int64)
        part[:, ROW] = BLOCKS[block].start
        part[2 * own :, STRAYED] = 1
        parts.append(part)
    samples = np.concatenate(parts)
    samples[:, GROUP] = np.arange(len(samples)) // 2
    block_of = np.repeat(np.arange(len(BLOCKS)), [len(block) for block in BLOCKS])
    weights = strayed_weights(samples, block_of, len(BLOCKS))
    assert weights[:4].tolist() == [1.0, ENOUGH / 1000, LEAST, 1.0]


def test_values_are_made_true() -> None:
    """Made-up outcomes that differ from what the coefficients say by a level of the row, and by a
    curve: predictions of other decisions are true in every bucket; by the bare coefficients they
    are not."""
    chance = np.random.default_rng(6)
    rows = rules_of_thumb()
    kinds = STUDENT.kinds(SOCHI.rules(3))
    row = kinds["open"][0]
    samples = np.zeros((60_000, N_HEAD + N_FEATURES), np.int64)
    samples[:, GROUP], samples[:, ROW], samples[:, CHOSEN] = np.arange(60_000), row, 1
    features = chance.integers(-5, 5, (60_000, N_FEATURES))
    features[:, 0] = 4
    samples[:, N_HEAD:] = features * int(GRAIN)
    level = np.zeros(N_FEATURES)
    level[[0, 2]] = 1.5, -0.5
    straight = features @ (rows[row] + level)
    outcome = straight + 3 * np.sin(straight / 3) + chance.normal(size=60_000)
    samples[:, VALUE] = np.rint(UNIT * outcome)
    judge = fit_judge(STUDENT, rows, kinds, samples[:30_000])
    told = calibration(judge, samples[30_000:])
    assert len(told) > 2 and {one.kind for one in told} == {"open"} and worst(told) < 0.3
    bare = replace(judge, rows=rows, curves={})
    assert worst(calibration(bare, samples[30_000:])) > 3


def test_plain_samples_are_what_was_chosen() -> None:
    """Deals that are only played: one sample a decision, nobody strayed, values that the same
    deals explored have for the chosen candidates of decisions before anybody strayed."""
    rules = SOCHI.rules(3)
    rows = learned(rules)
    plain = explore_round(STUDENT, rules, rows, 3, 300, True)
    explored = explore_round(STUDENT, rules, rows, 3, 300)
    assert len(np.unique(plain[:, GROUP])) == len(plain) and not plain[:, STRAYED].any()
    assert plain[:, CHOSEN].all()
    own = explored[(explored[:, CHOSEN] == 1) & (explored[:, STRAYED] == 0)]
    assert len(own) > 1000
    known = {
        tuple(one)
        for one in plain[:, [ROW, ACTION, VALUE, *range(N_HEAD, plain.shape[1])]].tolist()
    }
    told = own[:, [ROW, ACTION, VALUE, *range(N_HEAD, plain.shape[1])]].tolist()
    assert {tuple(one) for one in told} <= known


# Settling


def test_settled_twice_is_the_same_and_kept(tmp_path: Path) -> None:
    """The same bytes again; what is kept in the folder is not made again; a spoilt file is."""
    told: list[str] = []
    tables = [("sochi", 3), ("razboinik", 2)]
    first = settle_all(STUDENT, tables, 3, TINY, tmp_path, told.append)
    assert [one["variant"] for one in first] == ["sochi"], "nothing is learned of razboinik"
    (path,) = (tmp_path / "fixpoints").glob("*.json")
    lines = len(told)
    assert lines and settle_all(STUDENT, tables, 3, TINY, tmp_path, told.append) == first
    assert len(told) == lines
    whole = path.read_bytes()
    path.write_bytes(whole[:50])
    assert settle_all(STUDENT, tables, 3, TINY, tmp_path, told.append) == first
    assert path.read_bytes() == whole and len(told) > lines
    assert set(first[0]["band"]) == {"neutral", "timid", "bold"}
    other = settle_all(STUDENT, tables, 4, TINY, None, told.append)
    assert other[0]["rows"] != first[0]["rows"]


def test_who_gives_tricks_away_loses_by_a_shift() -> None:
    """Rows far from a fixpoint are found out: bids valued two sixes too high gain by less."""
    rules = SOCHI.rules(3)
    rows = learned(rules)
    bids = STUDENT.thresholds(rules)["opening bids"]
    wild = shifted(rows, bids, 2.0)
    gains = {
        one.shift: one
        for one in shift_gains(STUDENT, rules, wild, 1, 6000, (-2.0, 0.5))
        if one.threshold == "opening bids"
    }
    assert gains[-2.0].mean > 4 * gains[-2.0].error > 0
    assert largest(list(gains.values())).shift == -2.0


def test_variants_of_the_stage() -> None:
    """Names with or without players; what is wrong is told."""
    assert parse_tables("sochi/3, classic_two") == [("sochi", 3), ("classic_two", 2)]
    assert parse_tables("sochi") == [("sochi", n) for n in SOCHI.players]
    with pytest.raises(TrainingError, match="NAME/PLAYERS"):
        parse_tables("sochi/x")


def test_tune_writes_where_expert_looks(own_folder: Path, capfd: Any) -> None:
    """A house variant: tuned in small, told with its band and gains, and then played by."""
    house = ("--set", "raspas.price=10")
    rules = find_variant("sochi", {"raspas.price": 10}).rules(3)
    out = run("tune", "sochi", *house, "--quick").out
    assert "best shift" in out and "opening bids" in out and str(own_folder) in out
    capfd.readouterr()
    rows = json.loads(tuned_path(rules).read_text("utf-8"))["rows"]
    assert fixpoints.packed(learned(rules) - rules_of_thumb()) == rows
    assert capfd.readouterr().err == ""
    assert "nothing is learned" in refused("tune", "razboinik", "--quick")
    assert "not there" in refused("tune", "sochi", "--quick", "--out", own_folder / "no" / "x.json")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["sochi", "rostov", "leningrad", "classic_two", "refet", "serbian"]
)
def test_no_shift_pays(name: str) -> None:
    """At the stored fixpoint no shift of one seat's threshold gains a tenth of a whist, by deals
    that the fixpoint has not seen."""
    variant = find_variant(name)
    rules = variant.rules()
    scale = unit_of(find_variant(SCALE).rules(3)) / unit_of(rules)
    for one in shift_gains(STUDENT, rules, learned(rules), 77, 120_000):
        assert one.mean * scale < MOST_GAIN + 2 * one.error * scale, one


def test_every_variant_has_its_fixpoint() -> None:
    """Of the families that are studied, for every number of players; the file stays small."""
    wanted = {
        (name, players)
        for name in variant_names()
        for players in find_variant(name).players
        if int(find_variant(name).rules(players)["family"][0]) in STUDIED
    }
    found = {(one["variant"], one["players"]) for one in fixpoints.shipped()}
    assert found == wanted


def test_settle_tells_the_largest_gain() -> None:
    found = settle(STUDENT, SOCHI, 3, 1, TINY)
    assert found.gain == pytest.approx(largest(found.gains).mean)
    assert found.rows.shape == rules_of_thumb().shape
    assert len(weights_with(SOCHI.rules(3), found.rows)) == len(STUDENT.bot.weights(SOCHI.rules(3)))
    assert FULL.environments.paired >= 40_000
