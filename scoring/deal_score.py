"""What one deal writes: from its result to entries in pool, mountain and whists.

All amounts are in twelfths of a point or whist, so that halves and thirds are exact integers.
A kernel takes records by attribute: ``result`` has the fields of ``RESULT_FIELDS``, ``entries``
those of ``ENTRY_FIELDS``.
"""

from __future__ import annotations

import numpy as np

from .contract import MISERE_GAME, RASPAS
from .conventions import (
    DUTY_BOTH_FULL,
    DUTY_LAST,
    FOUR_DEALER_PLAYS,
    GENTLEMAN,
    PASSER_OWN,
    PASSER_TO_WHISTER,
    REMISE_CAPPED,
    REMISE_PERSONAL_ALWAYS,
    TEN_CHECKED,
    TIE_HALVE,
    TO_MOUNTAIN,
    WHISTS_DIFFERENCE,
    ZERO_MOUNTAIN,
    ZERO_NONE,
)
from .kernel import Record, kernel, outline

UNIT = 12
"""Twelfths in a point or whist."""
MAX_PLAYERS = 4

NO_DECISION, PASSED, WHISTED, HALF_WHISTED = range(4)
"""A defender's part in a deal: none, pass (пас), whist (вист), half-whist (полвиста)."""
DECISIONS = ("", "pass", "whist", "half")

RESULT_FIELDS = [
    ("dealer", np.int64),
    ("kind", np.int64),
    ("level", np.int64),
    ("strain", np.int64),
    ("declarer", np.int64),
    ("concession", np.int64),
    ("decision", np.int64, MAX_PLAYERS),
    ("last_whister", np.int64),
    ("open_play", np.int64),
    ("played", np.int64),
    ("tricks", np.int64, MAX_PLAYERS),
    ("raspas_index", np.int64),
]
"""All that scoring sees of a deal. Players are 0..3, -1 is nobody. ``kind`` is RASPAS, TRICKS or
MISERE_GAME; ``level`` 6..10 and ``strain`` 0..4 (0 unless TRICKS); ``concession`` the undertricks
written without play; ``decision`` by player (NO_DECISION ...); ``last_whister`` who whisted last;
``open_play`` 1 if the defence lay open; ``played`` 1 if cards were played; ``tricks`` by player;
``raspas_index`` raspas in a row before this deal."""

ENTRY_FIELDS = [
    ("gain", np.int64, MAX_PLAYERS),
    ("mountain_entry", np.int64, MAX_PLAYERS),
    ("whist_entry", np.int64, MAX_PLAYERS * MAX_PLAYERS),
]
"""What a deal writes, in twelfths: pool points gained by each player (before help), mountain
points, and whists, ``whist_entry[4 * i + j]`` written by player i on player j."""


@kernel
def raspas_multiplier(rules: Record, raspas_index: int) -> int:
    """Multiplier of the price of a raspas that follows ``raspas_index`` others."""
    return rules.raspas_progression[min(raspas_index, len(rules.raspas_progression) - 1)]


@kernel
def _clear(entries: Record) -> None:
    for i in range(MAX_PLAYERS):
        entries.gain[i] = 0
        entries.mountain_entry[i] = 0
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        entries.whist_entry[k] = 0


@kernel
def _score_misere(rules: Record, result: Record, entries: Record) -> None:
    """No whist, no duty, no consolation at misère."""
    declarer = result.declarer
    taken = result.tricks[declarer]
    if taken == 0:
        entries.gain[declarer] = UNIT * rules.misere_made
    else:
        entries.mountain_entry[declarer] = UNIT * rules.misere_undertrick * taken


@kernel
def _score_remise_of_one(
    rules: Record, result: Record, entries: Record, whister: int, defence: int
) -> None:
    """A lone whister answers for the whole duty, with all the defence's tricks (Code 3.8.2)."""
    step = result.level - 6
    short = rules.values_duty[step] - defence
    if short > 0:
        entries.mountain_entry[whister] += UNIT * rules.values_remise[step] * short


@kernel
def _score_remise_of_two(rules: Record, result: Record, entries: Record, defence: int) -> None:
    """Two whisters: the pair's duty first, then who of them was short (Code 3.8.2, 4.2.1)."""
    step = result.level - 6
    duty = rules.values_duty[step]
    price = UNIT * rules.values_remise[step]
    pair_short = max(0, duty - defence)
    always = rules.whist_remise == REMISE_PERSONAL_ALWAYS
    if duty == 0 or (pair_short == 0 and not always):
        return
    if duty > 1 or always:
        quota = (duty + 1) // 2
        left = pair_short if rules.whist_remise == REMISE_CAPPED else 2 * quota
        for i in range(rules.n_players):
            if result.decision[i] == WHISTED:
                own = min(left, max(0, quota - result.tricks[i]))
                left -= own
                entries.mountain_entry[i] += price * own
        return
    for i in range(rules.n_players):
        if result.decision[i] == WHISTED:
            if rules.whist_duty_one == DUTY_LAST:
                entries.mountain_entry[i] += price if i == result.last_whister else 0
            elif rules.whist_duty_one == DUTY_BOTH_FULL:
                entries.mountain_entry[i] += price
            else:
                entries.mountain_entry[i] += price // 2


@kernel
def _share_of_one(rules: Record, own: int, trick_whists: int, consolation: int) -> int:
    """Whists of a defender after a failed contract with one whister; ``own`` is his decision.

    Gentleman's whist shares the whists for tricks; consolation goes by its own convention.
    """
    tricks = trick_whists if own == WHISTED else 0
    if rules.whist_style == GENTLEMAN:
        tricks = trick_whists // 2
    if own == WHISTED:
        extra = consolation if rules.whist_consolation_passer == PASSER_TO_WHISTER else 0
        return tricks + consolation + extra
    return tricks + (consolation if rules.whist_consolation_passer == PASSER_OWN else 0)


@kernel
def _score_whists(rules: Record, result: Record, entries: Record, n_whisters: int) -> None:
    """Whists of a played contract: for tricks, and consolation when the declarer failed."""
    declarer = result.declarer
    step = result.level - 6
    defence = 10 - result.tricks[declarer]
    undertricks = max(0, result.level - result.tricks[declarer])
    consolation = UNIT * rules.values_consolation[step] * undertricks
    price = UNIT * rules.values_whist[step]
    for i in range(rules.n_players):
        own = result.decision[i]
        written = 0
        if own == NO_DECISION:
            if i != declarer and i == result.dealer and rules.whist_consolation_dealer:
                written = consolation
        elif n_whisters == 2:
            written = price * result.tricks[i] + consolation
        elif undertricks > 0:
            written = _share_of_one(rules, own, price * defence, consolation)
        elif own == WHISTED:
            written = price * defence
        entries.whist_entry[MAX_PLAYERS * i + declarer] = written


@kernel
def _score_tricks(rules: Record, result: Record, entries: Record) -> None:
    declarer = result.declarer
    step = result.level - 6
    if result.concession > 0:
        entries.mountain_entry[declarer] = UNIT * rules.values_undertrick[step] * result.concession
        return
    n_whisters = 0
    whister = 0
    for i in range(rules.n_players):
        if result.decision[i] == WHISTED:
            n_whisters += 1
            whister = i
        elif result.decision[i] == HALF_WHISTED:
            pay = rules.values_whist[step] * rules.values_duty[step]
            entries.whist_entry[MAX_PLAYERS * i + declarer] = UNIT * pay // 2
    if result.played == 0:
        entries.gain[declarer] = UNIT * rules.values_made[step]
        return
    undertricks = result.level - result.tricks[declarer]
    if undertricks > 0:
        entries.mountain_entry[declarer] = UNIT * rules.values_undertrick[step] * undertricks
    else:
        entries.gain[declarer] = UNIT * rules.values_made[step]
    _score_whists(rules, result, entries, n_whisters)
    defence = 10 - result.tricks[declarer]
    if n_whisters == 1:
        _score_remise_of_one(rules, result, entries, whister, defence)
    elif not (result.level == 10 and rules.whist_ten == TEN_CHECKED):
        _score_remise_of_two(rules, result, entries, defence)


@kernel
def takes_part(rules: Record, result: Record, player: int) -> bool:
    """Whether the player's tricks count at raspas: all but a sitting-out dealer."""
    sits_out = rules.n_players == MAX_PLAYERS and player == result.dealer
    return not sits_out or rules.raspas_talon_four == FOUR_DEALER_PLAYS


@kernel
def _score_raspas_whists(
    rules: Record, result: Record, entries: Record, lowest: int, n_lowest: int, price: int
) -> None:
    """The lowest taker writes on each who took more (Code 3.7.2.2)."""
    for i in range(rules.n_players):
        if not takes_part(rules, result, i) or result.tricks[i] != lowest:
            continue
        for j in range(rules.n_players):
            if not takes_part(rules, result, j) or result.tricks[j] == lowest:
                continue
            amount = price * result.tricks[j]
            if rules.raspas_whists == WHISTS_DIFFERENCE:
                amount = price * (result.tricks[j] - lowest)
            if rules.raspas_tie == TIE_HALVE:
                amount = amount // n_lowest
            entries.whist_entry[MAX_PLAYERS * i + j] = amount


@kernel
def _score_zero(rules: Record, result: Record, entries: Record, player: int, price: int) -> None:
    """The bonus of a player who took no trick at raspas."""
    dealer_out = rules.n_players == MAX_PLAYERS and player == result.dealer
    if rules.raspas_zero_column == ZERO_NONE or (dealer_out and rules.raspas_dealer_zero == 0):
        return
    bonus = rules.raspas_zero_prices * price + UNIT * rules.raspas_zero_points
    if rules.raspas_zero_column == ZERO_MOUNTAIN:
        entries.mountain_entry[player] -= bonus
    else:
        entries.gain[player] += bonus


@kernel
def _score_raspas(rules: Record, result: Record, entries: Record) -> None:
    price = UNIT * rules.raspas_price * raspas_multiplier(rules, result.raspas_index)
    lowest = 10
    n_lowest = 0
    for i in range(rules.n_players):
        if takes_part(rules, result, i):
            if result.tricks[i] < lowest:
                lowest = result.tricks[i]
                n_lowest = 0
            if result.tricks[i] == lowest:
                n_lowest += 1
    for i in range(rules.n_players):
        if takes_part(rules, result, i):
            if rules.raspas_column == TO_MOUNTAIN:
                counted = result.tricks[i] - (lowest if rules.raspas_amnesty else 0)
                entries.mountain_entry[i] += price * counted
            if result.tricks[i] == 0:
                _score_zero(rules, result, entries, i, price)
        else:
            entries.gain[i] += UNIT * rules.raspas_dealer_pool
    if rules.raspas_column != TO_MOUNTAIN:
        _score_raspas_whists(rules, result, entries, lowest, n_lowest, price)


@outline
def score_deal(rules: Record, result: Record, entries: Record) -> None:
    """Write into ``entries`` what the deal's ``result`` is worth under ``rules`` (twelfths)."""
    _clear(entries)
    if result.kind == RASPAS:
        _score_raspas(rules, result, entries)
    elif result.kind == MISERE_GAME:
        _score_misere(rules, result, entries)
    else:
        _score_tricks(rules, result, entries)
