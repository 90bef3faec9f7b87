"""What results are worth to ``cautious``: prices in whists, from the variant's own scorer.

A price is the value on an empty sheet of what is expected, for as many players as sit at the table.
Player 0 is the declarer, 1 and 2 defend, and of four the last deals and sits out; what differs with
two players is in ``prices_two``. Only + - * / are used, so that every machine gets the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from scoring.batch import score_results, value_results
from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.convention import MAX_PROGRESSION
from scoring.conventions import FOUR_DEALER_PLAYS, TEN_CHECKED
from scoring.pricing import BOTH, CALLS, DEALER, FREE, HALF, LONE, PARTNER, contract_results
from scoring.pricing import blank_results as blank_results
from scoring.result import MAX_PLAYERS, UNIT
from scoring.sheet import MOST_DARK

from .hand_tables import BUCKETS, Floats

Rules = np.ndarray[Any, np.dtype[Any]]

LEVELS = range(6, 11)
FORCED = 5
"""Row of a declarer's prices after those of the levels: six spades that both must whist."""
DARK_LEVELS = MOST_DARK + 1
N_MARGINS = 9
SPAN = 5
"""Margins -1 .. 1 tricks in quarters; overtricks -SPAN .. SPAN after two passes."""

RACE = 0.4
"""How much of a target's share of the pool brings one nearer to the prize for the first full pool:
with this a player alone gains nothing by bidding more or less boldly."""


def convention(rules: Rules, name: str) -> int:
    """A convention of packed rules that is one number."""
    return int(rules[name][0])


def n_players(rules: Rules) -> int:
    return convention(rules, "n_players")


def _race_value(rules: Rules, results: Rules, player: int) -> Floats:
    """Whists that pool points are worth on the way to the prize for the first full pool."""
    n = n_players(rules)
    entries = score_results(rules, results)
    gains = (entries["gain"] + entries["bonus"])[:, :n] / UNIT
    lead = gains[:, player] - (gains.sum(axis=1) - gains[:, player]) / (n - 1)
    swing = n * convention(rules, "prize_first_pool")
    return np.asarray(RACE * swing * lead / convention(rules, "target"), np.float64)


def whists_of(rules: Rules, results: Rules, player: int) -> Floats:
    """Value in whists of each result for a player, on an empty sheet; the shape is kept."""
    flat = results.ravel()
    values = value_results(rules, flat)[:, player] / UNIT + _race_value(rules, flat, player)
    return np.asarray(values.reshape(results.shape), np.float64)


def off_mountain_gains(rules: Rules, results: Rules) -> Floats:
    """Whists the declarer of each result gains by writing it off his mountain instead."""
    instead = results.copy()
    instead["off_mountain"] = 1
    return whists_of(rules, instead, 0) - whists_of(rules, results, 0)


def written_best(rules: Rules, results: Rules, player: int) -> Floats:
    """Value where the declarer may choose between pool and mountain, and takes the dearer."""
    written = results.copy()
    if convention(rules, "values_off_mountain_instead") > 0:
        written["off_mountain"] = off_mountain_gains(rules, results) > 0
    return whists_of(rules, written, player)


def contract_values(rules: Rules, pattern: int, player: int) -> Floats:
    """[level - 6, k]: a player's value of a contract that ends with k declarer tricks, in whists.

    The defence's tricks are shared evenly, an odd one either way.
    """
    results = contract_results(rules, pattern)
    value = written_best if pattern == FREE else whists_of
    values = value(rules, results, player)
    return np.asarray((values[..., 0] + values[..., 1]) / 2, np.float64)


def expect(values: Floats, chances: Floats) -> Floats:
    """[..., bucket]: sum over k = 0..10 of value times chance, added in that order."""
    total = np.zeros((*values.shape[:-1], len(chances)))
    for k in range(11):
        total += values[..., k, None] * chances[:, k]
    return total


class Defence(NamedTuple):
    """Prices [level - 6, bucket] of a defender, and what a sitting-out dealer gains by whisting
    after two passes, by level (nothing where he may not)."""

    lone: Floats
    partner: Floats
    both: Floats
    free: Floats
    half: Floats
    dealer_gains: Floats


def defence_prices(rules: Rules, fitted: Mapping[str, Floats]) -> Defence:
    """What each way to defend is worth, and the whist of a dealer who sits out.

    Where he will whist, passing and half-whist end in a contract that he plays.
    """
    chances = fitted["defence_outcome"].reshape(BUCKETS, 11)
    lone, partner, both, free, half = (
        expect(contract_values(rules, pattern, 1), chances)
        for pattern in (LONE, PARTNER, BOTH, FREE, HALF)
    )
    gains = np.zeros(5)
    if n_players(rules) == MAX_PLAYERS and convention(rules, "whist_dealer_may") == 1:
        outcomes = fitted["passed_outcome"].reshape(N_MARGINS, 2 * SPAN + 1)
        gains = _dealer_gains(rules, _passing_margins(rules, lone, free, half), outcomes)
        taken = gains > 0
        free[taken] = partner[taken]
        half[taken] = partner[taken]
    return Defence(lone, partner, both, free, half, gains)


def half_allowed(rules: Rules, level: int) -> bool:
    return bool(convention(rules, "whist_half_levels") >> level & 1)


def _last_paying(whist: Floats, other: Floats) -> int:
    """The last bucket at which whisting is worth more; -1 if none."""
    return int(max(np.flatnonzero(whist > other), default=-1))


def _passing_margins(rules: Rules, lone: Floats, free: Floats, half: Floats) -> list[int]:
    """By level, the declarer's overtricks, in quarters, from which both defenders pass."""
    margins = []
    for level in LEVELS:
        row = level - 6
        instead = free[row]
        if half_allowed(rules, level):
            instead = np.maximum(free[row], half[row])
        first, second = (_last_paying(lone[row], other) for other in (free[row], instead))
        margins.append((first + second) // 2 + 1 - 4 * level)
    return margins


def _dealer_gains(rules: Rules, margins: list[int], outcomes: Floats) -> Floats:
    """By level: whists a sitting-out dealer gains by whisting a hand that has passed.

    He sees no hand; what two passes say is in ``outcomes``, overtricks by the margin from which
    both pass.
    """
    whist = contract_values(rules, DEALER, MAX_PLAYERS - 1)
    leave = contract_values(rules, FREE, MAX_PLAYERS - 1)[:, 0]
    gains = np.zeros(5)
    for level, margin in zip(LEVELS, margins, strict=True):
        chances = outcomes[min(N_MARGINS - 1, max(0, margin + N_MARGINS // 2))]
        for over in range(-SPAN, SPAN + 1):
            tricks = min(10, level + over)
            gains[level - 6] += chances[over + SPAN] * whist[level - 6, tricks]
        gains[level - 6] -= chances.sum() * leave[level - 6]
    return gains


def soundness(level: int, bucket: int) -> float:
    """How sound a game is with ``bucket / 4`` tricks expected: not at all half a trick short of its
    level, wholly half a trick above it."""
    return min(1.0, max(0.0, bucket / 4 - level + 0.5))


def declarer_prices(
    rules: Rules, chances: Floats, unwhisted: tuple[float, ...], dealer_gains: Floats
) -> Floats:
    """[level - 6, bucket]: a declarer's value when ``bucket / 4`` tricks are expected and by level
    a share of sound games goes unwhisted; the row FORCED is six spades.

    A game half a trick short of its level or worse is always whisted, and so is a checked ten, six
    spades where both must whist, and what a sitting-out dealer whists.
    """
    whisted = expect(contract_values(rules, BOTH, 0), chances)
    free_value = contract_values(rules, FREE, 0)[:, 0]
    prices = np.zeros((6, BUCKETS))
    for level in LEVELS:
        row = level - 6
        checked = level == 10 and convention(rules, "whist_ten") == TEN_CHECKED
        share = 0.0 if checked or dealer_gains[row] > 0 else unwhisted[row]
        for bucket in range(BUCKETS):
            free = share * soundness(level, bucket)
            prices[row, bucket] = (1 - free) * whisted[row, bucket] + free * free_value[row]
    prices[FORCED] = whisted[0] if convention(rules, "whist_stalingrad") == 1 else prices[0]
    return prices


def raspas_prices(rules: Rules, chances: Floats, dealer: Floats) -> Floats:
    """[dark level, raspas in a row, bucket]: value of a raspas with ``bucket / 4`` tricks expected.

    The tricks of the other two are shared as by tossing a coin for each. ``dealer[d]`` is the
    chance that a dealer who plays the talon's cards takes d tricks with them, as much from each.
    """
    four = n_players(rules) == MAX_PLAYERS
    if not four or convention(rules, "raspas_talon_four") != FOUR_DEALER_PLAYS:
        return _raspas_with(rules, chances, 0)
    total = np.zeros((DARK_LEVELS, MAX_PROGRESSION, BUCKETS))
    for tricks, chance in enumerate(dealer.tolist()):
        left = np.rint(np.arange(BUCKETS) * (10 - tricks) / 10).astype(int)
        total += chance * _raspas_with(rules, chances[left], tricks)
    return total


def _raspas_with(rules: Rules, chances: Floats, dealer: int) -> Floats:
    """Prices of raspas in which the sitting-out dealer takes so many tricks."""
    shape = (DARK_LEVELS, MAX_PROGRESSION, 11, 11)
    results = blank_results(rules, shape, RASPAS)
    results["declarer"] = -1
    results["played"] = 1
    results["dark_level"] = np.arange(DARK_LEVELS)[:, None, None, None]
    results["raspas_index"] = np.arange(MAX_PROGRESSION)[:, None, None]
    weights = np.zeros((11, 11))
    for k in range(11):
        tricks = min(k, 10 - dealer)
        rest = 10 - dealer - tricks
        for left in range(rest + 1):
            weights[k, left] = math.comb(rest, left) / 2**rest
            results["tricks"][:, :, k, left, :3] = (tricks, left, rest - left)
    if n_players(rules) == MAX_PLAYERS:
        results["tricks"][..., 3] = dealer
    values = whists_of(rules, results, 0)
    means = np.zeros(shape[:3])
    for left in range(11):
        means += values[..., left] * weights[:, left]
    return expect(means, chances)


def misere_prices(rules: Rules, caught_tricks: int) -> Floats:
    """Value in whists of a clean misère, and of one caught for ``caught_tricks``."""
    results = blank_results(rules, (2,), MISERE_GAME)
    results["played"] = 1
    results["tricks"][1, 0] = caught_tricks
    clean = written_best(rules, results[:1], 0)
    return np.concatenate([clean, whists_of(rules, results[1:], 0)])


def concession_prices(rules: Rules) -> Floats:
    """[level - 6]: value in whists of conceding at a level by the variant's concession."""
    results = blank_results(rules, (5,), TRICKS)
    results["level"] = np.arange(6, 11)
    results["concession"] = convention(rules, "contract_concession")
    return whists_of(rules, results, 0)


def unplayed(rules: Rules) -> Rules:
    """Results by level of contracts left unwhisted, and of a clean misère."""
    results = blank_results(rules, (6,), TRICKS)
    results["level"][:5] = np.arange(6, 11)
    results["decision"][:5] = CALLS[FREE]
    results["kind"][5] = MISERE_GAME
    results["played"][5] = 1
    return results


def mountain_gains(rules: Rules) -> Floats:
    """By level, last for misère: whists gained by writing off the mountain instead of the pool."""
    if convention(rules, "values_off_mountain_instead") == 0:
        return np.zeros(6)
    return off_mountain_gains(rules, unplayed(rules))


def talon_costs(rules: Rules) -> Floats:
    """[declarer deals, level - 6 or 5 for misère]: whists a declarer pays for each quick trick in
    the talon (платный прикуп)."""
    costs = np.zeros((2, 6))
    for deals in range(2):
        plain = unplayed(rules)
        plain["dealer"] = 0 if deals else n_players(rules) - 1
        units = plain.copy()
        units["talon_units"] = 1
        costs[deals] = whists_of(rules, plain, 0) - whists_of(rules, units, 0)
    return costs
