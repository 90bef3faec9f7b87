"""Cards in a game and at misère: what each is worth with all cards open, over the worlds."""

from __future__ import annotations

from typing import Any

from scoring.kernel import i64, outline, u64
from sim.rng import splitmix
from sim.rollout import ask_here, forget, price_tricks
from sim.solver import MISERE_STRAIN, prepare, rate_cards
from sim.worlds import (
    ASIDE,
    DISCARDED,
    MAX_DISCARDS,
    N_PLACES,
    draw_world,
    has_taken_talon,
    list_discards,
)

from ..api import MISERE_GAME, N_HANDS, RASPAS, ctz, kernel
from .guesses import likelihood, recall, world_of
from .places import (
    N_CARDS,
    N_PAYS,
    PAIRS,
    PAYS,
    RATES,
    SOLVER,
    TABLE_AT,
    TRICKS_SUM,
    WORLD,
    WORLDS,
    add,
    best_action,
    clear,
    option,
)

_FINEST = 1000.0
"""What the likeliest discard counts."""


@kernel
def is_solvable(view: Any) -> bool:
    """Whether open cards say what a card is worth: not at raspas, where each plays for himself, nor
    with a hand that nobody decides for, nor where cards must be beaten."""
    if view.kind == RASPAS or view.rules.tricks_must_head + view.rules.tricks_must_overtrump > 0:
        return False
    for hand in range(N_HANDS):
        if view.in_play >> hand & 1 and view.decides_for[hand] < 0:
            return False
    return True


@kernel
def _is_known(view: Any) -> bool:
    """Whether no other hand in play is hidden."""
    for hand in range(N_HANDS):
        if view.in_play >> hand & 1 and hand != view.mover and view.shown[hand] == 0:
            return False
    return True


@kernel
def _table_card(view: Any, k: int) -> int:
    """The k-th card on the table after the leader's, -1 for none."""
    hand = view.leader
    for _ in range(N_HANDS):
        if view.trick_card[hand] >= 0:
            if k == 0:
                return view.trick_card[hand]
            k -= 1
        hand = 0 if hand == N_HANDS - 1 else hand + 1
    return -1


@outline
def _rate(view: Any, own: Any, times: int) -> None:
    """Add what each legal card is worth in WORLD, with all cards open, so many times."""
    out = own.workspace
    strain = MISERE_STRAIN if view.kind == MISERE_GAME else view.strain
    position = (
        strain,
        out[WORLD] if view.in_play & 1 else 0,
        out[WORLD + 1] if view.in_play & 2 else 0,
        out[WORLD + 2] if view.in_play & 4 else 0,
        view.declarer,
        view.leader,
        _table_card(view, 0),
        _table_card(view, 1),
    )
    values = out[RATES : RATES + N_CARDS]
    rate_cards(out[SOLVER:], position, values)
    taken = view.tricks[view.player_of[view.declarer]]
    wants = (view.mover == view.declarer) == (view.kind != MISERE_GAME)
    out[1] += times
    rest = view.legal
    while rest:
        card = ctz(rest)
        rest &= rest - 1
        add(out, card, out[PAYS + taken + values[card]], times)
        out[TRICKS_SUM + card] += times * (values[card] if wants else -values[card])


@kernel
def _hidden_hand(view: Any) -> int:
    """The hand that is hidden where only one is, -1 if none is."""
    found = -1
    for hand in range(N_HANDS):
        if hand != view.mover and view.shown[hand] == 0:
            found = hand
    return found


@kernel
def _lay_pair(view: Any, own: Any, pair: int) -> int:
    """Let a pair lie away in WORLD; how often it counts."""
    out = own.workspace
    hand = _hidden_hand(view)
    cards = out[WORLD + ASIDE] | out[WORLD + DISCARDED] | (out[WORLD + hand] if hand >= 0 else 0)
    if hand >= 0:
        out[WORLD + hand] = cards & ~pair
    out[WORLD + (DISCARDED if has_taken_talon(view) else ASIDE)] = pair
    return max(1, int(_FINEST * likelihood(view, own, view.random)))


@outline
def _lay_next(view: Any, own: Any, k: int, n_pairs: int) -> int:
    """Lay the k-th world, of all that may be where few are; how often it counts, 0 for an end."""
    out = own.workspace
    if n_pairs > 0:
        if k == 0 and draw_world(view, view.random, 0, out[WORLD : WORLD + N_PLACES]) < 0:
            return 0
        return _lay_pair(view, own, out[PAIRS + k])
    if k > 0 and _is_known(view):
        return 0
    return world_of(view, own, k, i64(splitmix(view.random, k) >> u64(1)))


@outline
def choose_in_game(view: Any, own: Any) -> int:
    """The card that is worth most over the worlds: all, by how likely each pair lies away, where
    one hand alone is hidden."""
    out = own.workspace
    forget(own)
    usual = ask_here(view, own)
    clear(out)
    prepare(out[SOLVER:])
    price_tricks(out, TABLE_AT, view, out[PAYS : PAYS + N_PAYS])
    n_pairs = list_discards(view, out[PAIRS : PAIRS + MAX_DISCARDS])
    recall(view, own)
    for k in range(n_pairs if n_pairs > 0 else option(own, WORLDS)):
        times = _lay_next(view, own, k, n_pairs)
        if times == 0:
            break
        _rate(view, own, times)
    return best_action(out, view.legal, usual)
