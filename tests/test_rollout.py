"""Thinking ahead: what a bot plays out on an imagined table is what happens at a real one."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from thinking import Thinker, Walk, is_card, world_as_it_lies

from bots.expert import expert
from scoring.contract import MISERE_GAME, RASPAS
from scoring.kernel import ctz
from scoring.variant import find_variant
from sim.botcall import bot
from sim.cards import cards_of, mask_of
from sim.rollout import IMPOSSIBLE, TABLE, play_action, policy_pair, price_tricks, surprises
from sim.state import DISCARD

PAYS, ACTION, WORLD = 0, 11, 12
VALUE, SURPRISES, PAIR = range(WORLD + 5, WORLD + 8)
AT = PAIR + 1
KEY, MOST = 77, 99


@bot(workspace=AT + TABLE, policy=expert)
def looks_ahead(view: Any, own: Any) -> int:
    """Looks at a world that lies in his workspace; the pays by tricks where one declares."""
    work = own.workspace
    world = work[WORLD : WORLD + 5]
    work[SURPRISES] = surprises(work, AT, view, world, own, KEY, MOST)
    then = -1
    if view.phase == DISCARD and view.discard == 0:
        work[PAIR] = policy_pair(work, AT, view, world, own, KEY)
        then = ctz(work[PAIR] & ~(1 << work[ACTION]))
    work[VALUE] = play_action(work, AT, view, world, KEY, own, work[ACTION], then)
    if view.kind != RASPAS and view.declarer >= 0 and view.phase != DISCARD:
        price_tricks(work, AT, view, work[PAYS:ACTION])
    return 0


TABLES = [("sochi", 3), ("rostov", 3), ("leningrad", 4), ("refet", 3)]
TABLES += [("classic_two", 2), ("razboinik", 2)]


def look(name: str, players: int, n: int) -> Counter[str]:
    """Look ahead at every decision of some deals, in the world as it is."""
    rules = find_variant(name).rules(players)
    walk, thinker, found = Walk(rules, 5), Thinker(looks_ahead, rules), Counter[str]()
    asked: list[tuple[int, int, int, bool, list[int]]] = []
    for table in walk.deals(n):
        view, work = table.view, thinker.work
        work[:] = -(1 << 40)
        work[WORLD : WORLD + 5] = world_as_it_lies(table)
        work[ACTION] = walk.chosen
        thinker.ask(table)
        assert work[SURPRISES] == 0
        declares = is_card(table) and int(view["declarer"]) == int(view["mover"])
        if int(view["phase"]) == DISCARD and not int(view["discard"]):
            assert int(work[PAIR]) >> walk.chosen & 1 == 1
            found["discard"] += 1
        value, pays = int(work[VALUE]), work[PAYS:ACTION].tolist()
        if int(view["kind"]) != MISERE_GAME:  # its defenders keep in mind what they have guessed
            asked.append((len(walk.rows), int(view["player"]), value, declares, pays))
    for deal, player, value, declares, pays in asked:
        row = walk.rows[deal]
        assert value == row["value"][player]
        found["worth"] += value != 0
        if declares:
            assert value == pays[int(row["tricks"][player])]
            found["priced"] += 1
    return found


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_played_out_comes_about(name: str, players: int) -> None:
    """In the world as it is a decision is worth what the deal brings when it is played on, nothing
    that was done surprises, and the declarer's tricks are priced as they are paid."""
    found = look(name, players, 6)
    assert found["worth"] > 30 and found["priced"] > 10
    assert found["discard"] > 0


def test_other_cards_surprise() -> None:
    """With the hands of the others changed about, some calls and cards are not the policy's."""
    rules = find_variant("sochi").rules(3)
    walk, thinker, found = Walk(rules, 8), Thinker(looks_ahead, rules), Counter[str]()
    for table in walk.deals(10):
        world = world_as_it_lies(table)
        one, other = (h for h in range(3) if h != int(table.view["mover"]))
        if is_card(table) or int(table.view["n_calls"]) < 2:
            continue
        world[one], world[other] = world[other], world[one]
        thinker.work[WORLD : WORLD + 5] = world
        thinker.work[ACTION] = walk.chosen
        thinker.ask(table)
        found["surprised"] += int(thinker.work[SURPRISES]) > 0
        found["asked"] += 1
    assert found["asked"] > 10 and found["surprised"] > found["asked"] / 4


@pytest.mark.parametrize("name", ["sochi", "refet"])
def test_any_other_two_cards_could_lie_away(name: str) -> None:
    """Whatever two of his twelve cards the declarer had laid away, all that was done could have
    been done, in its order; that they are not those of the policy surprises."""
    rules = find_variant(name).rules(3)
    walk, thinker, chance = Walk(rules, 8), Thinker(looks_ahead, rules), Random(1)
    found = []
    for table in walk.deals(12):
        view, world = table.view, world_as_it_lies(table)
        declarer = int(view["declarer"])
        if declarer in (-1, int(view["mover"])) or int(view["n_plays"]) or not world[4]:
            continue
        twelve = world[declarer] | world[4]
        pair = mask_of(chance.sample(cards_of(twelve), 2))
        if pair != world[4]:
            world[declarer], world[4] = twelve & ~pair, pair
            thinker.work[WORLD : WORLD + 5] = world
            thinker.work[ACTION] = walk.chosen
            thinker.ask(table)
            found.append(int(thinker.work[SURPRISES]))
    assert len(found) > 10 and min(found) > 0 and max(found) < IMPOSSIBLE
