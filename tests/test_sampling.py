"""The bot that imagines worlds: they are likelier than chance, and he knows no more than he may."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bot_runs import rotated, same
from thinking import TINY, Thinker, Walk, is_card, world_as_it_lies

from bots import find_bot
from bots.api import AUCTION, DISCARD, FIRST_BID, MISERE, MISERE_GAME, bot
from bots.expert import expert
from bots.imagine.guesses import draw
from bots.imagine.places import KEPT, MOST_KEPT, N_KEPT, N_MEMORY, N_PLACES, N_WORKSPACE, WORLD
from scoring.kernel import JIT, i64, u64
from scoring.variant import find_variant
from sim.advice.ask import Mind, reveal, twin
from sim.cards import N_SUITS, mask_of, suit_ranks
from sim.deals import rank
from sim.engine import Shard
from sim.rng import splitmix
from sim.solver import MISERE_STRAIN, solve, solve_cards
from sim.state import WHIST
from sim.table import Table
from sim.worlds import draw_world

TESTS = Path(__file__).resolve().parent
DRAWN, ANY, COUNTS = N_WORKSPACE, N_WORKSPACE + 1, N_WORKSPACE + 1 + N_PLACES
"""How often to draw; a world of any kind; how often a hand held a card [3, 32], with weights and
then without."""


@bot(memory=N_MEMORY, workspace=COUNTS + 2 * 96, policy=expert)
def dreams(view: Any, own: Any) -> int:
    """Counts where cards lie in worlds drawn as ``sampling`` does, and in worlds of any kind."""
    work = own.workspace
    for k in range(work[DRAWN]):
        key = i64(splitmix(view.random, k) >> u64(1))
        for way in range(2):
            if way == 1:
                draw_world(view, key, 5000, work[ANY : ANY + N_PLACES])
            else:
                draw(view, own, k, key)
            at = ANY if way == 1 else WORLD
            for hand in range(3):
                for card in range(32):
                    work[COUNTS + 96 * way + 32 * hand + card] += work[at + hand] >> card & 1
    return 0


def losses(name: str, players: int, deals: int, draws: int) -> tuple[float, float, int]:
    """Mean log loss of the places of hidden cards, with weights and without, and how many cards
    there were."""
    rules = find_variant(name).rules(players)
    walk, thinker = Walk(rules, 3), Thinker(dreams, rules)
    loss, n = np.zeros(2), 0
    for table in walk.deals(deals):
        view = table.view
        if not is_card(table) or int(view["n_plays"]) > 8:
            continue
        thinker.work[DRAWN] = draws
        thinker.work[COUNTS:] = 0
        thinker.ask(table)
        counts = thinker.work[COUNTS:].reshape(2, 3, 32)
        for hand, held in enumerate(world_as_it_lies(table)[:3]):
            hidden = hand != int(view["mover"]) and not int(view["shown"][hand])
            for card in range(32) if hidden else ():
                chance = (counts[:, hand, card] + 0.5) / (draws + 1.0)
                loss -= np.log(chance if held >> card & 1 else 1.0 - chance)
                n += 1
    return float(loss[0] / n), float(loss[1] / n), n


@pytest.mark.parametrize(("name", "players"), [("sochi", 3), ("rostov", 4), ("refet", 3)])
def test_calls_and_cards_tell_where_cards_lie(name: str, players: int) -> None:
    """Weighted worlds say better than uniform ones where the hidden cards are."""
    weighted, uniform, cards = losses(name, players, 12, 40)
    assert cards > 1000
    assert weighted < uniform - 0.005


def test_worlds_have_the_declarers_trumps() -> None:
    """Asked whether they whist, players imagine declarers with nearly as many trumps as these have;
    worlds of any kind have far fewer."""
    rules = find_variant("sochi").rules(3)
    walk, thinker = Walk(rules, 5), Thinker(dreams, rules)
    held = np.zeros(3)
    n = 0
    for table in walk.deals(40):
        view = table.view
        declarer, strain = int(view["declarer"]), int(view["strain"])
        if int(view["phase"]) != WHIST or strain >= N_SUITS:
            continue
        thinker.work[DRAWN] = 40
        thinker.work[COUNTS:] = 0
        thinker.ask(table)
        suit = slice(8 * strain, 8 * strain + 8)
        counts = thinker.work[COUNTS:].reshape(2, 3, 32)[:, declarer, suit].sum(axis=1) / 40
        held += (suit_ranks(table.hands()[declarer], strain).bit_count(), *counts)
        n += 1
    true, imagined, of_any_kind = held / n
    assert n > 40 and abs(imagined - true) < 0.5 and true - of_any_kind > 1.0


def test_worlds_in_mind_fit() -> None:
    """What is kept from one card to the next has the right cards in play, and some are kept."""
    rules = find_variant("sochi").rules(3)
    walk, kept = Walk(rules, 4), 0
    mind = Mind(find_bot("sampling@worlds=12@raspas_worlds=12"), rules)
    for table in walk.deals(8):
        view = table.view
        if int(view["player"]) != 0 or not is_card(table):
            continue
        mind.ask(table)
        memory = mind._arrays["memory"]
        assert memory[N_KEPT] <= MOST_KEPT
        for k in range(int(memory[N_KEPT])):
            world = memory[KEPT + N_PLACES * k : KEPT + N_PLACES * (k + 1)].tolist()
            sizes = [hand.bit_count() for hand in table.hands()]
            assert [hand.bit_count() for hand in world[:3]] == sizes
            assert world[int(view["mover"])] == int(view["hand"])
            assert sum(world) & int(view["played"]) == 0
            kept += 1
    assert kept > 100


def asked(name: str, players: int, deals: int) -> list[int]:
    """What ``sampling`` would do at decisions of some deals, as few worlds as may be."""
    rules = find_variant(name).rules(players)
    walk = Walk(rules, 6)
    minds = [Mind(find_bot(TINY), rules) for _ in range(players)]
    found = []
    for table in walk.deals(deals):
        view = table.view
        if not is_card(table) or int(view["n_plays"]) > 14:
            found.append(minds[int(view["player"])].ask(table).action)
    return found


def test_he_does_not_see_hidden_cards() -> None:
    """Other hidden cards behind the same view change no answer."""
    rules = find_variant("sochi").rules(3)
    walk, moved = Walk(rules, 7), 0
    for table in walk.deals(4):
        view = table.view
        hands, mover = table.hands(), int(view["mover"])
        hidden = [h for h in range(3) if h != mover and not int(view["shown"][h])]
        answer = Mind(find_bot(TINY), rules).ask(table).action
        other = twin(table, rules)
        cards = 0
        for hand in hidden:
            cards |= hands[hand]
        loose = [card for card in range(32) if cards >> card & 1]
        for hand in hidden:
            n = hands[hand].bit_count()
            other.hidden["hands"][hand] = mask_of(loose[:n])
            loose = loose[n:]
        moved += other.hands() != hands
        other.hidden["talon"] = 0
        assert Mind(find_bot(TINY), rules).ask(other).action == answer
    assert moved > 40


def test_garbage_and_repetition() -> None:
    """What lies in the workspace changes nothing, and the seed decides."""
    for name in ("sochi", "refet"):
        rules = find_variant(name).rules(3)
        one, again, other = (
            Shard(rules, [find_bot(TINY)] * 3, 3, 0, 2, 12, record_plays=True, poison=poison).run()
            for poison in (False, False, True)
        )
        assert same(one, again) and same(one, other)


def test_answers_do_not_depend_on_the_mode() -> None:
    """The same answers compiled and as plain Python."""
    path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    done = subprocess.run(
        [sys.executable, "-c", "import test_sampling as t; print(t.asked('sochi', 3, 1))"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1" if JIT else "0", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[0] == str(asked("sochi", 3, 1))


def test_he_looks_at_as_many_worlds_as_asked() -> None:
    """Worlds and playouts are those of the options, and every card is rated."""
    rules = find_variant("sochi").rules(3)
    walk, mind = Walk(rules, 2), Mind(find_bot("sampling@worlds=6@rollouts=9"), rules)
    seen = set()
    for table in walk.deals(4):
        phase = int(table.view["phase"])
        advice = mind.ask(table)
        if phase == AUCTION and advice.worlds:
            assert advice.worlds == 9 and len(advice.estimates) > 1
            seen.add(phase)
        if phase == DISCARD and advice.worlds:
            assert advice.worlds == 9 and advice.action in advice.estimates
            seen.add(phase)
        if is_card(table) and table.view["kind"] == 1:
            assert set(advice.estimates) == {c for c in range(32) if table.legal >> c & 1}
            seen.add(phase)
    assert len(seen) == 3


def misere_after(table: Table, number: int, lays: Mind) -> int:
    """Lay a deal, let the eldest bid misère and lay away by a bot; the value with open cards."""
    table.lay(number)
    while not is_card(table):
        phase, legal = int(table.view["phase"]), table.legal
        action = (legal & -legal).bit_length() - 1
        if phase == AUCTION and int(table.view["mover"]) == 0:
            action = FIRST_BID + MISERE
        elif phase == DISCARD:
            reveal(table)
            action = lays.ask(table).action
        table.apply(action)
    return solve(table.hands(), MISERE_STRAIN, 0, 0)


def test_defenders_catch_misere() -> None:
    """Who plays both hands with all open but the discard catches a declarer that open cards catch
    for one trick, however well he plays, at least three times in four."""
    rules = find_variant("sochi").rules(3)
    lays = Mind(find_bot("expert"), rules)
    chance = random.Random(11)
    caught = tried = 0
    while tried < 12:
        cards = list(range(32))
        chance.shuffle(cards)
        low = sorted(cards[:14], key=lambda card: card & 7)
        cards = low[:10] + low[10:] + cards[14:]
        number = int(rank(mask_of(cards[:10]), mask_of(cards[12:22]), mask_of(cards[10:12])))
        table = Table(rules)
        if misere_after(table, number, lays) != 1:
            continue
        tried += 1
        assert int(table.view["kind"]) == MISERE_GAME
        minds = [Mind(find_bot("sampling@worlds=8"), rules) for _ in range(3)]
        while not table.done:
            view, action = table.view, table.legal.bit_length() - 1
            if table.legal & (table.legal - 1):
                if int(view["mover"]) == 0:
                    action = escape(table)
                else:
                    reveal(table)
                    action = minds[int(view["player"])].ask(table).action
            table.apply(action)
        caught += int(table.view["tricks"][int(view["player_of"][0])]) > 0
    assert caught >= 9


def escape(table: Table) -> int:
    """The declarer's best card with all cards open."""
    view = table.view
    laid = [int(view["trick_card"][(int(view["leader"]) + k) % 3]) for k in range(3)]
    hands = table.hands()
    values = solve_cards(
        hands, MISERE_STRAIN, 0, int(view["leader"]), [card for card in laid if card >= 0]
    )
    return min(values, key=lambda card: values[card])


@pytest.mark.slow
@pytest.mark.parametrize("others", ["expert", "cautious"])
def test_he_beats_the_others(others: str) -> None:
    """A few worlds are enough to win from those who imagine none."""
    one = find_bot("sampling@worlds=10@rollouts=40@raspas_worlds=40")
    won, doubt = rotated("sochi", one, find_bot(others), 20)
    assert won > 2 * doubt > 0
