"""What ``expert`` studies: sure tricks, discards, candidates, the sheet; how they are fitted."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from bots.expert import expert, study
from bots.layout import PLAY_SUITS, SIDE
from bots.study.environment import COEFFICIENTS, N_FEATURES, rules_of_thumb, weights_with
from bots.study.fixpoints import packed, unpacked
from bots.study.pool import cheapest_pair, sure_tricks
from bots.study.rows import BLOCKS, GRAIN, N_ROWS_OF_STUDY
from bots.study.standing import CHANGES
from bots.valuation import count_tricks, sum_suits
from scoring.batch import empty_sheet, value_on_sheets, value_results
from scoring.contract import NO_TRUMP
from scoring.kernel import JIT
from scoring.result import UNIT
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.cards import ALL_CARDS, cards_of, mask_of, parse_hand
from sim.engine import Shard
from sim.solver import solve
from sim.training.coefficients import fit_rows
from sim.training.explore import Explorer
from sim.training.kernels.exploring import CHOSEN, GROUP, ROW, VALUE

THUMB = Bot("expert@learned=0", expert, {"learned": 0.0})


def dealt(chance: random.Random, own: int) -> list[int]:
    """The hand, and two hands of ten of the other cards."""
    rest = cards_of(ALL_CARDS & ~own)
    chance.shuffle(rest)
    return [own, mask_of(rest[:10]), mask_of(rest[10:20])]


def strong(chance: random.Random) -> int:
    """Ten cards, high ones likelier."""
    cards = sorted(range(32), key=lambda card: -(card & 7) - 6 * chance.random())
    return mask_of(cards[:10])


def test_sure_tricks_are_sure() -> None:
    """However the others lie and play, who leads takes as many, by the solver."""
    chance = random.Random(5)
    most = 0
    for _ in range(150):
        own = strong(chance)
        strain = chance.randrange(5)
        sure = sure_tricks(own, strain)
        most = max(most, sure)
        assert solve(dealt(chance, own), strain) >= sure
    assert most >= 6


def test_sure_tricks_of_known_hands() -> None:
    """Suits from the top, drawn trumps, long cards behind them; nothing without the trumps."""
    assert sure_tricks(parse_hand("AKQJT98.A.A."), 0) == 9
    assert sure_tricks(parse_hand("AKQJ.AKQ.AKQ."), NO_TRUMP) == 10
    assert sure_tricks(parse_hand("KQJT987.A.A.A"), 0) == 0
    assert sure_tricks(parse_hand("AKQ87.AK.A.AK"), 0) == 10
    assert sure_tricks(parse_hand("AK987.AK.A.AK"), 0) == 2


def test_the_cheapest_pair_is_the_cheapest_of_all() -> None:
    """Of all 66 pairs none costs fewer expected tricks."""
    w = weights_with(find_variant("sochi").rules(3), rules_of_thumb())
    chance = random.Random(6)

    def tricks(hand: int, strain: int) -> float:
        side = sum_suits(w, hand, PLAY_SUITS + SIDE)
        return float(count_tricks(w, hand, strain, 0, PLAY_SUITS, side))

    for _ in range(30):
        twelve = mask_of(chance.sample(range(32), 12))
        strain = chance.randrange(5)
        pair, loss = cheapest_pair(w, twelve, strain)
        left = max(
            tricks(twelve & ~mask_of(two), strain)
            for two in itertools.combinations(cards_of(twelve), 2)
        )
        assert int(pair).bit_count() == 2
        assert tricks(twelve & ~pair, strain) == pytest.approx(left)
        assert tricks(twelve, strain) - loss == pytest.approx(left)


def test_contexts_share_the_rows() -> None:
    """Every row of coefficients belongs to one context."""
    rows = [row for block in BLOCKS for row in block]
    assert rows == list(range(N_ROWS_OF_STUDY))


def test_changes_of_the_rules_of_thumb_are_kept() -> None:
    """What is stored is read again, to the grain of the file."""
    rows = rules_of_thumb()
    rows[3, 2] += 0.25
    rows[100] -= 1.5
    assert np.abs(unpacked(packed(rows - rules_of_thumb())) + rules_of_thumb() - rows).max() < 1e-4


def _sample(group: int, row: int, features: Any, value: float) -> list[int]:
    return [group, row, 0, 0, 0, round(UNIT * value), *(round(GRAIN * x) for x in features)]


def test_the_fit_finds_what_made_the_values() -> None:
    """Candidates valued by known coefficients, and by luck that all of a decision share."""
    chance = np.random.default_rng(7)
    truth = chance.normal(size=(N_ROWS_OF_STUDY, N_FEATURES))
    block = BLOCKS[4]
    rows = []
    for group in range(4000):
        luck = 100 * chance.normal()
        for row in block:
            features = 13.0 * chance.normal(size=N_FEATURES)
            features[0] = 13.0
            rows.append(_sample(group, row, features, truth[row] @ features + luck))
    believed = np.zeros((N_ROWS_OF_STUDY, N_FEATURES))
    fitted, counts = fit_rows(np.array(rows), BLOCKS, believed, believed, float(GRAIN))
    assert counts[4] == len(rows)
    assert counts.sum() == len(rows)
    found = fitted[block.start : block.stop]
    wanted = truth[block.start : block.stop]
    assert np.abs(found[:, 1:] - wanted[:, 1:]).max() < 0.05
    # a constant common to all candidates decides nothing
    assert np.ptp(found[:, 0] - wanted[:, 0]) < 0.1
    other = [row for row in range(N_ROWS_OF_STUDY) if row not in block]
    assert (fitted[other] == 0).all()


def test_what_is_explored_is_what_is_played() -> None:
    """The candidate that the bot chooses brings what the deal brought in the engine."""
    rules = find_variant("rostov").rules(3)
    n = 60 if JIT else 4
    samples = Explorer(rules, THUMB, study, N_FEATURES).samples(3, 0, n)
    deals = Shard(rules, [THUMB] * 3, 3, 0, n, 1).run().deals
    first = 0
    for deal in deals:
        # the eldest speaks first, and nothing of this deal was tried before
        same = [s for s in samples if s[GROUP] == first]
        chosen = [s for s in same if s[CHOSEN]]
        assert len(chosen) == 1
        assert chosen[0][VALUE] == deal["value"][0]
        first = _next_deal(samples, first)


def _next_deal(samples: Any, group: int) -> int:
    """The number of the next decision of an eldest who opens: rows of the first context."""
    later = samples[(samples[:, GROUP] > group) & (samples[:, ROW] < len(BLOCKS[0]))]
    return int(later[0, GROUP]) if len(later) else -1


def test_values_on_an_empty_sheet_are_values_on_sheets() -> None:
    """The two ways to value results agree, in all variants with a pool."""
    from bots.prices import unplayed

    for name in ("sochi", "rostov_prizes", "finka", "kazakhstan", "code"):
        rules = find_variant(name).rules(3)
        made = unplayed(rules)
        sheets = np.repeat(empty_sheet(rules), len(made))
        assert (value_on_sheets(rules, made, sheets) == value_results(rules, made)).all()


@pytest.mark.parametrize(
    ("name", "matters"),
    [("sochi", 0), ("leningrad", 0), ("code", 0), ("rostov_prizes", 1), ("finka", 1)],
)
def test_the_sheet_is_asked_where_it_matters(name: str, matters: int) -> None:
    """Where prizes hang on the pools, and nowhere else."""
    w = weights_with(find_variant(name).rules(3), rules_of_thumb())
    assert w[COEFFICIENTS + CHANGES] == matters
