"""The card policy: legal, the same everywhere, blind to the names of suits, as good as it says."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bot_runs import rules_of, same
from random_play import TABLES, bits

from bots import find_bot
from bots.card_policy import (
    CONTEXTS,
    N_CARD_WEIGHTS,
    N_CONTEXTS,
    N_FEATURES,
    card_weights,
    club_weights,
    mark_alone,
    tell_weights,
)
from bots.hand_tables import read_weights
from bots.study.cards import card_player, card_study, join_weights, start_weights, weights_of
from bots.study.student import parts
from scoring.kernel import JIT, make_records, outline
from scoring.variant import find_variant
from sim.botcall import OWN_DTYPE, Bot, address_of, call_bot, give
from sim.engine import Shard
from sim.state import CARD, VIEW_DTYPE
from sim.table import Table
from sim.training import cards as training
from sim.training.card_stage import card_policy, judged
from sim.training.cards import QUICK, Policy, fit_weights, note_round
from sim.training.kernels.card_rows import CONTEXT, MASKS, N_SAID, ROW, SAID, TRICKS_AT
from sim.training.student import Student
from sim.view import prepare, reveal_private

TESTS = Path(__file__).resolve().parent
STUDENT = Student(**parts())
LEARNED, THUMB = Bot("cards", card_player), Bot("thumb", card_player, {"learned": 0.0})


@pytest.mark.parametrize(("name", "n"), TABLES)
def test_cards_are_legal(name: str, n: int) -> None:
    """In every variant, with garbage in the workspace; and the policy is not the rules of thumb."""
    rules = rules_of(name, None, n, 4)
    runs = [
        Shard(rules, [one] * n, 5, 0, 3, 12, record_plays=True, poison=True).run()
        for one in (LEARNED, THUMB, find_bot("cautious"))
    ]
    assert same(runs[1], runs[2]) and not same(runs[0], runs[1])


def test_weights_come_back_from_the_file() -> None:
    """What is written is what is read, and the rules of thumb stand where nothing was learned."""
    weights = card_weights()
    assert len(weights) == N_CARD_WEIGHTS == len(CONTEXTS) * N_FEATURES
    told = read_weights("expert")["cards"]["weights"]
    assert tell_weights(weights) == told and (weights == np.rint(weights)).all()
    assert (weights != club_weights()).sum() > 500


def test_marked_contexts_play_alike() -> None:
    """Where the rules of thumb decide alone the rest is not looked at, and need not be."""
    marked = mark_alone(card_weights())
    alone = marked.reshape(N_CONTEXTS, N_FEATURES)[:, -1]
    assert 0 < alone.sum() < N_CONTEXTS and not card_weights().reshape(N_CONTEXTS, -1)[:, -1].any()
    rules = find_variant("sochi").rules(3)
    runs = [
        Shard(rules, [LEARNED] * 3, 7, 0, 40, 12, record_plays=True, weights=[given] * 3).run()
        for given in (join_weights(rules, w) for w in (card_weights(), marked))
    ]
    assert same(*runs)


class Asker:
    """Calls the study and the player on a view, as the engine does."""

    def __init__(self, rules: Any) -> None:
        self.said = np.zeros(SAID, np.int64)
        self._arrays = weights_of(rules, {"learned": 1.0}), np.zeros(8, np.int64), self.said
        self._own = make_records(OWN_DTYPE, 1)[0]
        for name, array in zip(("weights", "memory", "workspace"), self._arrays, strict=True):
            give(self._own, name, array)
        self._study = address_of(card_study, "study")
        self._player = address_of(card_player, "player")

    def study(self, view: Any) -> tuple[int, dict[int, int]]:
        """Context, and what is said of each card."""
        _ask(self._study, view, self._own)
        told = self.said.tolist()
        return told[0], {told[2 + 2 * k]: told[3 + 2 * k] for k in range(told[1])}

    def choose(self, view: Any) -> int:
        return int(_ask(self._player, view, self._own))


@outline
def _ask(address: int, view: Any, own: Any) -> int:
    return call_bot(address, view, own)


@outline
def _show(view: Any, hidden: Any, rules: Any) -> None:
    prepare(view, hidden, rules)
    reveal_private(view, hidden)


OF_CARDS = ("hand", "legal", "discard", "received", "talon", "played", "played_by", "shown")


def renamed(view: Any, suits: list[int]) -> Any:
    """A view with other names for the suits."""
    other = make_records(VIEW_DTYPE, 1)[0]
    for name in VIEW_DTYPE.names or ():
        if isinstance(view[name], int | np.integer) or not hasattr(view[name], "__len__"):
            other[name] = view[name]
        else:
            for k, value in enumerate(view[name]):
                other[name][k] = value

    def card(old: int) -> int:
        return 8 * suits[old >> 3] + (old & 7) if old >= 0 else -1

    def masked(old: int) -> int:
        return sum(1 << card(k) for k in bits(old))

    for name in OF_CARDS:
        if name in ("played_by", "shown"):
            for k in range(3):
                other[name][k] = masked(int(view[name][k]))
        else:
            other[name] = masked(int(view[name]))
    for k in range(3):
        other["voids"][k] = sum(1 << suits[s] for s in bits(int(view["voids"][k])))
    for name in ("talon_card", "trick_card"):
        for k, old in enumerate(view[name]):
            other[name][k] = card(int(old))
    for k in range(int(view["n_plays"])):
        play = int(view["plays"][k])
        other["plays"][k] = play & ~31 | card(play & 31)
    for name in ("led", "strain"):
        old = int(view[name])
        other[name] = suits[old] if 0 <= old < 4 else old
    return other


@pytest.mark.parametrize(("name", "n"), [("sochi", 3), ("classic_two", 2), ("refet", 3)])
def test_suits_have_no_names(name: str, n: int) -> None:
    """With the suits renamed the same is said of the cards, and the same card is chosen.

    Where the rules of thumb take the first of equal suits, what they say is left out, and so are
    equal scores; so is who catches a misère, for whom they guess the discard.
    """
    chance = random.Random(name)
    rules = find_variant(name).rules(n)
    asker, table = Asker(rules), Table(rules)
    weights = card_weights().reshape(N_CONTEXTS, N_FEATURES)
    compared = chosen = 0
    for _ in range(40):
        table.lay(chance.randrange(10**15))
        while not table.done:
            legal = bits(table.legal)
            if int(table.view["phase"]) == CARD and len(legal) > 1:
                _show(table.view, table.hidden, table.rules)
                suits = chance.sample(range(4), 4)
                other = renamed(table.view, suits)
                context, said = asker.study(table.view)
                if CONTEXTS[context].startswith("catcher"):
                    table.apply(chance.choice(legal))
                    continue
                again, named = asker.study(other)
                moved = {8 * suits[c >> 3] + (c & 7): mask for c, mask in said.items()}
                assert context == again and moved.keys() == named.keys()
                assert {c: bits((moved[c] ^ named[c]) & ~3) for c in moved} == {
                    c: [] for c in moved
                }
                scores = sorted(sum(weights[context, bits(mask)]) for mask in said.values())
                compared += 1
                if moved == named and scores[-1] > scores[-2]:
                    card = asker.choose(table.view)
                    assert asker.choose(other) == 8 * suits[card >> 3] + (card & 7)
                    chosen += 1
            pass_more = legal[0] if chance.random() < 0.4 else chance.choice(legal)
            table.apply(pass_more)
        table.finish()
    assert compared > 150 and chosen > 100


def digest() -> str:
    """Of runs with the policy at all seats, and of decisions noted for a fit."""
    text = hashlib.sha256()
    for name, n in (("piter", 4), ("refet", 3), ("classic_two", 2)):
        rules = rules_of(name, None, n, 4)
        batch = Shard(rules, [LEARNED] * n, 6, 0, 2, 4).run()
        text.update(batch.deals.tobytes() + batch.pulkas.tobytes())
    small = replace(QUICK, tables=(("sochi", 3, 3),), rate=100)
    text.update(note_round(card_policy(STUDENT), small, start_weights(), 0, None).tobytes())
    return text.hexdigest()


def test_cards_do_not_depend_on_the_mode() -> None:
    """The same compiled and as plain Python."""
    path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    done = subprocess.run(
        [sys.executable, "-c", "import test_card_policy; print(test_card_policy.digest())"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1" if JIT else "0", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [digest()]


def test_a_fit_finds_what_is_best(tmp_path: Path) -> None:
    """Made-up decisions in which feature 5 is what counts, and the choice of thumb is a trap."""
    chance = np.random.default_rng(2)
    rows = np.zeros((2000, ROW), np.int64)
    rows[:, CONTEXT], rows[:, N_SAID] = 3, 4
    masks = chance.integers(0, 1 << 20, (len(rows), 4)) & ~(1 | 1 << 5)
    best = chance.integers(0, 4, len(rows))
    masks[np.arange(len(rows)), best] |= 1 << 5
    masks[np.arange(len(rows)), (best + 1) % 4] |= 1
    rows[:, MASKS : MASKS + 4] = masks
    rows[np.arange(len(rows)), TRICKS_AT + best] = 1
    policy = Policy(
        card_policy(STUDENT).bot, card_study, weights_of, CONTEXTS, np.ones((N_CONTEXTS, 2))
    )
    weights, told = fit_weights(rows, start_weights(), policy, replace(QUICK, steps=300))
    assert told[0].before == 1.0 and told[0].fitted < 0.02
    assert (weights[:3] == start_weights()[:3]).all()


def test_shards_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that was broken off goes on where it was, with the same decisions."""
    small = replace(QUICK, tables=(("sochi", 3, 20), ("refet", 3, 20)))
    first = note_round(card_policy(STUDENT), small, start_weights(), 0, tmp_path)
    next(tmp_path.glob("refet*")).unlink()
    asked = []
    shard = training._shard

    def counted(*args: Any) -> Any:
        asked.append(args)
        return shard(*args)

    monkeypatch.setattr(training, "_shard", counted)
    again = note_round(card_policy(STUDENT), small, start_weights(), 0, tmp_path)
    assert len(asked) == 1 and (again == first).all() and len(first) > 20


@pytest.mark.slow
def test_the_regret_is_what_the_file_says() -> None:
    """The small set of deals judged when the weights were fitted, judged again."""
    weights = card_weights().reshape(N_CONTEXTS, N_FEATURES) / training.THOUSANDTHS
    told = read_weights("expert")["cards"]["judged"]
    assert judged(STUDENT, weights) == told
    decisions, any_card, before, fitted = told
    assert decisions > 300 and fitted < 0.9 * before and before < 0.8 * any_card
