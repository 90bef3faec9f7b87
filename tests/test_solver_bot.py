"""The solver called by a jitted bot in the engine's own loop."""

from __future__ import annotations

import numpy as np
import pytest
from bot_runs import play, same
from open_cards_bot import blind, open_cards

from scoring.contract import RASPAS, TRICKS
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.engine import Shard

BOT = Bot("open_cards", open_cards)
BLIND = Bot("blind", blind)


@pytest.mark.parametrize(
    ("name", "players"),
    [("sochi", 3), ("fspr", 4), ("classic_two", 2), ("razboinik", 2), ("refet", 3)],
)
def test_it_plays_every_game(name: str, players: int) -> None:
    """No answer is illegal, with three hands and with two, at games, misère and raspas."""
    deals = play(name, [BOT] * players, 6, max_deals=12).deals
    assert len(deals) >= 12
    assert TRICKS in set(deals["kind"].tolist())


def test_garbage_in_the_workspace_does_not_matter() -> None:
    """What lies in the workspace before a call changes nothing."""
    rules = find_variant("sochi").rules(3, 4)
    one, other = (
        Shard(rules, [BOT] * 3, 3, 0, 4, 30, record_plays=True, poison=poison).run()
        for poison in (False, True)
    )
    assert same(one, other)


def test_it_plays_raspas_better_than_at_random() -> None:
    """Who looks a trick ahead takes fewer tricks at raspas than two who play cards at random."""
    deals = play("sochi", [BOT, BLIND, BLIND], 40, max_deals=20).deals
    raspas = deals["tricks"][deals["kind"] == RASPAS]
    assert len(raspas) > 30
    mine, others = np.mean(raspas[:, 0]), np.mean(raspas[:, 1:3])
    assert mine < others - 1
