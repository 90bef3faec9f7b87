"""The fit of the solver's ordering, on lists small enough for a test."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.fit_solver import (
    FILE,
    LARGEST,
    LISTS,
    TRAINING,
    Task,
    changed,
    climb,
    count,
    draw_task,
    find_idle,
    main,
    make_task,
    tell,
    try_out,
)
from benchmarks.solver_sets import LEAST_CONTRACT, WORTH_BIDDING, draw_rows, endings
from scoring.contract import N_STRAINS
from sim.solver import MISERE_STRAIN, solve_many
from sim.solver.workspace import (
    GAMES,
    LEAD_FEATURES,
    N_FOLLOW,
    N_LEAD,
    N_WEIGHTS,
    THIRD,
    WEIGHTS_USED,
    pack_weights,
)

SEED = 77
CARDS = 7
UNREAD_OF_DECLARER = ("under_declarer", "partner_ruffs", "partner_void")
UNREAD_WITHOUT_TRUMPS = ("trump", "winning_trump", "ruffed", "partner_ruffs")


def task_of(game: str, deals: int, cards: int = CARDS) -> Task:
    """A list of endings, priced for weights that are all 0."""
    rows = endings(draw_task(game, SEED, TRAINING, deals), cards, SEED)
    return make_task(game, rows, np.zeros(N_WEIGHTS, np.int64))


@pytest.fixture(scope="module")
def no_trump() -> Task:
    """Endings at no trump."""
    return task_of("no_trump", 40)


def test_a_climb_finds_better_weights(no_trump: Task) -> None:
    """From nothing the climb finds weights that take fewer nodes and change no value; the cost told
    is that of the nodes."""
    nothing = np.zeros(N_WEIGHTS, np.int64)
    weights, cost, done = climb(no_trump, nothing, SEED, 60, 10.0)
    (before, tricks), (after, others) = (
        count(no_trump.game, each, no_trump.rows) for each in (nothing, weights)
    )
    assert done == 60
    assert (tricks == others).all() and len(set(tricks.tolist())) > 3
    assert after.sum() < 0.97 * before.sum()
    assert cost == pytest.approx(after.sum() / before.sum())


def test_a_climb_is_repeatable(no_trump: Task) -> None:
    """Equal seeds climb alike, others do not."""
    nothing = np.zeros(N_WEIGHTS, np.int64)
    first, again, other = (
        climb(no_trump, nothing, seed, 30, 10.0)[0].tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_a_climb_loses_nothing(no_trump: Task) -> None:
    """However few the trials, the weights are no worse than before."""
    start = WEIGHTS_USED[no_trump.game]
    before = count(no_trump.game, start, no_trump.rows)[0].sum()
    for trials in (0, 5):
        weights = climb(no_trump, start, SEED, trials, 10.0)[0]
        assert count(no_trump.game, weights, no_trump.rows)[0].sum() <= before


@pytest.mark.parametrize("game", GAMES)
def test_weights_that_are_never_read_are_idle(game: str) -> None:
    """They are found, whatever they were, and become 0; those that matter are not among them."""
    task = task_of(game, 30)
    start = WEIGHTS_USED[task.game] | 1
    idle = find_idle(task, start)
    lead = idle[: 3 * N_LEAD].reshape(3, N_LEAD)
    unread = set(UNREAD_WITHOUT_TRUMPS if game != "suit" else ())
    for role, found in enumerate(lead):
        here = unread | set(UNREAD_OF_DECLARER if role == 0 else ())
        names = {name for name, dead in zip(LEAD_FEATURES, found, strict=True) if dead}
        assert here <= names and not names & {"winner", "rank", "length", "rivals"}
    third_of_declarer = idle[THIRD : THIRD + N_FOLLOW]
    assert third_of_declarer[[2, 3, 6, 7]].all() and not third_of_declarer[:2].any()
    assert idle.sum() < N_WEIGHTS / 3
    weights = climb(task, start, SEED, 0, 10.0)[0]
    assert (weights[idle] == 0).all() and weights.any()


def test_trials_are_given_up_only_if_they_are_worse(no_trump: Task) -> None:
    """A trial has a cost if it is less than the best one, else none."""
    dice = np.random.default_rng(SEED)
    start = WEIGHTS_USED[no_trump.game]
    least = try_out(no_trump, start, np.zeros(0))
    assert least is not None
    answers = set()
    for _ in range(20):
        weights = changed(start, np.arange(N_WEIGHTS), dice)
        assert 1 <= (weights != start).sum() <= 3 and np.abs(weights).max() <= LARGEST
        nodes = count(no_trump.game, weights, no_trump.rows)[0]
        found = try_out(no_trump, weights, least)
        if found is not None:
            assert found == pytest.approx(np.cumsum(nodes * no_trump.price))
            assert found[-1] < least[-1]
        answers.add(found is not None)
    assert answers == {True, False}
    assert try_out(no_trump, start, least) is None
    assert try_out(no_trump, start, least * 0.9) is None


def test_lists_are_what_they_say() -> None:
    """Misères worth bidding lose few tricks, best contracts make most; lists are repeatable and
    have no deal in common."""
    rows = draw_rows("misère worth bidding", 20, SEED)
    assert (rows[:, 0] == MISERE_STRAIN).all() and len(rows) == 20
    assert (solve_many(rows[:, 1:4], rows[:, 0], rows[:, 4]) <= WORTH_BIDDING).all()
    assert (draw_rows("misère worth bidding", 20, SEED) == rows).all()
    best = draw_rows("best contract", 20, SEED)
    most = solve_many(best[:, 1:4], best[:, 0], best[:, 4])
    for strain in range(N_STRAINS):
        for declarer in range(3):
            assert (solve_many(best[:, 1:4], strain, declarer) <= most).all()
    assert most.min() >= LEAST_CONTRACT
    for game, kinds in LISTS.items():
        lists = [draw_task(game, SEED, number, 8) for number in (0, 1)]
        assert [len(one) for one in lists] == [8, 8]
        assert not set(lists[0][:, 1].tolist()) & set(lists[1][:, 1].tolist())
        assert len(kinds) in (1, 2)
    short = endings(best, 5, SEED)
    assert (np.bitwise_count(short[:, 1:4]) == 5).all()
    assert (short[:, 1:4] & ~best[:, 1:4] == 0).all()


def test_the_file_comes_back() -> None:
    """Weights told and packed are the same, any and those in use."""
    dice = np.random.default_rng(SEED)
    for packed in (dice.integers(-LARGEST, LARGEST, (3, N_WEIGHTS)), WEIGHTS_USED):
        assert (pack_weights(json.loads(tell(packed))) == packed).all()
    assert (pack_weights(json.loads(FILE.read_text(encoding="utf-8"))) == WEIGHTS_USED).all()


def fit(out: Path, *options: str) -> str:
    """Run the command on a tiny list; its words."""
    arguments = ["--game", "no_trump", "--trials", "2", "--deals", "6", "--out", str(out)]
    done = CliRunner().invoke(main, [*arguments, *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_writes_what_is_better(tmp_path: Path) -> None:
    """It writes if the list held out takes fewer nodes, or if it must; other games stay."""
    written = set()
    for seed in ("1", "2", "3", "4"):
        out = tmp_path / seed
        output = fit(out, "--seed", seed)
        better = "held out: 6 positions, -" in output
        assert out.exists() == better == ("written: " in output)
        written.add(better)
        fit(out, "--seed", seed, "--write")
        text = out.read_text(encoding="utf-8")
        packed = pack_weights(json.loads(text))
        others = [k for k, game in enumerate(GAMES) if game != "no_trump"]
        assert (packed[others] == WEIGHTS_USED[others]).all()
    assert written == {True, False}
    fit(tmp_path / "again", "--seed", "4", "--write")
    assert (tmp_path / "again").read_text(encoding="utf-8") == text


def test_too_few_deals() -> None:
    """A list of less than two positions is refused."""
    done = CliRunner().invoke(main, ["--deals", "1"])
    assert done.exit_code == 2 and "from 2 up" in done.output
