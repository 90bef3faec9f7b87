"""What a policy of cards is trained with: a player of its cards who calls like ``cautious``, and
what he says of each card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.botcall import Bot

from ..api import CARD, MISERE_GAME, bot, kernel
from ..card_policy import (
    N_CARD_WEIGHTS,
    N_CONTEXTS,
    N_FEATURES,
    ROLES,
    card_weights,
    choose_card,
    club_weights,
    study_card,
)
from ..cautious import N_MEMORY, decide, laid_away, seat_weights
from ..hand_tables import Floats
from ..prices import Rules

OPEN = (1.0, 0.0)
PLAYED = (0.0, 1 / 60)
WITH_TRICKS = (0.2, 1 / 60)
WORTH = {"raspas": OPEN, "catcher": (0.5, 1 / 60), "defender": WITH_TRICKS}
"""What a trick and a whist count where cards are judged, by the first word of a role; else PLAYED.
Whists are what is played for; tricks, counted with open cards, have less noise and help defenders,
while a declarer thinks of his contract. At raspas tricks are whists."""
THOUSANDTHS = 1000
WORDS = 2 + 2 * 10
"""Of workspace: context, number of cards, and each card with what is said of it."""


def join_weights(rules: Rules, cards: Floats) -> Floats:
    """The weights of ``cautious``, then those of the cards, as the bots read them."""
    return np.concatenate([seat_weights(rules, {"bias": 0.0}), cards.ravel()])


def in_thousandths(rules: Rules, cards: Floats) -> Floats:
    """The same from the weights of a fit."""
    return join_weights(rules, np.rint(THOUSANDTHS * cards))


def weights_of(rules: Any, options: Mapping[str, float]) -> Floats:
    return join_weights(rules, card_weights() if options["learned"] else club_weights())


@kernel
def _away(view: Any, own: Any) -> int:
    seen = view.kind == MISERE_GAME and view.mover != view.declarer
    return laid_away(view, own) if seen else 0


@bot(memory=N_MEMORY, workspace=WORDS, options={"learned": 1.0}, weights=weights_of)
def card_player(view: Any, own: Any) -> int:
    """``cautious`` with the cards of the policy."""
    if view.phase == CARD:
        at = len(own.weights) - N_CARD_WEIGHTS
        return choose_card(view, own.weights, at, _away(view, own))
    return decide(view, own)


@bot(memory=N_MEMORY, workspace=WORDS, weights=weights_of, options={"learned": 1.0})
def card_study(view: Any, own: Any) -> int:
    """Says what there is to say of each card."""
    return study_card(view, _away(view, own), own.workspace)


def player_of_cards() -> Bot:
    return Bot("card_player", card_player)


def worth(first: bool) -> Floats:
    """[context, 2]: what a trick and a whist count; in the first round open tricks alone, so that
    there is somebody to play the deals out."""
    per_role = N_CONTEXTS // len(ROLES)
    by_role = [WORTH.get(role.split("_")[0], PLAYED) for role in ROLES for _ in range(per_role)]
    return np.array([OPEN] * N_CONTEXTS if first else by_role)


def start_weights() -> Floats:
    """Where a fit starts: the rules of thumb."""
    return club_weights().reshape(N_CONTEXTS, N_FEATURES) / THOUSANDTHS
