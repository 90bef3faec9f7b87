"""What results are worth to ``cautious`` with two players, in whists, by the variant's own scorer.

Player 0 declares, player 1 defends with the dummy (болван): turned up and played by him (open), or
he whists on his own cards (blind) while the dummy is out of play (dead) or plays its lowest card
for nobody (lowest). Only + - * / are used, so that every machine gets the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.convention import MAX_PROGRESSION
from scoring.conventions import (
    BLIND_DEAD,
    DEFEND_BLIND,
    DEFEND_OPEN,
    DEFEND_PASS,
    DUMMY_DEAD,
    DUMMY_NO_RASPAS,
    RAZBOINIK,
    ROW_DEAD,
    SEAT_FIRST,
    SEAT_LAST,
    TEN_CHECKED,
    TWO_MAY_WIN,
    TWO_SUIT_ONLY,
)
from scoring.result import NO_DECISION, PASSED, WHISTED

from .hand_tables import BUCKETS, Floats
from .prices import (
    DARK_LEVELS,
    LEVELS,
    Rules,
    blank_results,
    convention,
    expect,
    soundness,
    whists_of,
    written_best,
)

Tables = Mapping[str, Floats]

OPEN, BLIND, LEFT = range(3)
"""How the only defender meets a contract: with the dummy's cards too, on his own alone, or not."""

_CALLS = {OPEN: WHISTED, BLIND: WHISTED, LEFT: PASSED}


def seats_of(rules: Rules) -> tuple[int, int]:
    """The hands of the two players, the one who does not deal first."""
    seat = convention(rules, "dummy_seat")
    if seat == SEAT_FIRST:
        return 1, 2
    return (0, 1) if seat == SEAT_LAST else (0, 2)


def play_word(rules: Rules) -> str:
    """Whose fitted tables count a declarer's tricks: those of an ``open`` dummy, or of a ``dead``.

    Where a dummy that plays its lowest card is never turned up, those of an open one serve.
    """
    if convention(rules, "family") == RAZBOINIK:
        return "dead" if convention(rules, "razboinik_dummy") == ROW_DEAD else "open"
    if may_defend(rules, DEFEND_OPEN) or blind_word(rules) == "lowest":
        return "open"
    return "dead"


def _positions(rules: Rules, word: str, shifts: Floats) -> Floats:
    """Shifts by hand, at suits and at no trump; with a dead dummy one leads and one follows."""
    if word == "open":
        return shifts
    by_hand = np.zeros((2, 3))
    for hand, place in zip(seats_of(rules), (0, 2), strict=True):
        by_hand[:, hand] = shifts.reshape(2, 3)[:, place]
    return by_hand.ravel()


def tables_of_two(rules: Rules, fitted: Tables) -> dict[str, Floats]:
    """The fitted tables of two players by the names of those of three, with those of misère, and
    of the defender who whists on his own cards (``blind_trump``, ``blind_side``)."""
    word = play_word(rules)
    tables = {}
    for when in ("play", "bid"):
        for what in ("trump", "side", "no_trump"):
            tables[f"{when}_{what}"] = fitted[f"two_{word}_{when}_{what}"]
        shifts = fitted[f"two_{word}_{when}_position"]
        tables[f"{when}_position"] = _positions(rules, word, shifts)
        tables[f"misere_{when}"] = fitted[f"two_{word}_misere_{when}"]
    for what in ("trump", "side"):
        tables[f"defence_{what}"] = fitted[f"two_open_defence_{what}"]
        tables[f"blind_{what}"] = fitted[f"two_{blind_defence(rules)}_defence_{what}"]
    dummy = raspas_words(rules)[0]
    tables["raspas"] = fitted[f"two_{dummy}_raspas"]
    tables["raspas_place"] = np.zeros(3)
    tables["raspas_place"][list(seats_of(rules))] = fitted[f"two_{dummy}_raspas_place"]
    return tables


def declarer_chances(rules: Rules, fitted: Tables, when: str) -> tuple[Floats, Floats]:
    """[bucket, k]: chances of k declarer tricks against an open dummy and at a blind whist, before
    (``when`` is ``bid``) and after the talon (``play``)."""
    words = dict.fromkeys((play_word(rules), blind_word(rules)))
    names = (f"two_open_{when}_outcome", f"two_{'_'.join(words)}_{when}_outcome")
    opened, blinded = (fitted[name].reshape(BUCKETS, 11) for name in names)
    return opened, blinded


def may_defend(rules: Rules, how: int) -> bool:
    """Whether a way to defend is among those of ``dummy.defence``."""
    return bool(convention(rules, "dummy_defence") >> how & 1)


def blind_word(rules: Rules) -> str:
    """What the dummy does at a blind whist: ``dead`` or ``lowest``."""
    return "dead" if convention(rules, "dummy_blind") == BLIND_DEAD else "lowest"


def blind_defence(rules: Rules) -> str:
    """Whose fitted tables count a blind whist: a declarer who may meet an open dummy bids less."""
    return f"open_{blind_word(rules)}" if may_defend(rules, DEFEND_OPEN) else blind_word(rules)


def raspas_words(rules: Rules) -> tuple[str, str]:
    """The dummy at raspas (``dead`` or ``lowest``), and the talon (``closed``, ``suit_only``,
    ``may_win``)."""
    dummy = "dead" if convention(rules, "dummy_raspas") == DUMMY_DEAD else "lowest"
    talon = convention(rules, "raspas_talon_two")
    return dummy, {TWO_SUIT_ONLY: "suit_only", TWO_MAY_WIN: "may_win"}.get(talon, "closed")


def _deal_out(results: Rules) -> None:
    """Put tricks into results [..., k, j]: k are player 0's, j nobody's, the rest player 1's."""
    tricks = np.arange(11)[:, None]
    results["tricks"][..., 0] = tricks
    results["tricks"][..., 1] = np.maximum(0, 10 - tricks - np.arange(11))


def _mean_over(nobody: Floats, values: Floats) -> Floats:
    """[..., k]: the mean of values [..., k, j], where ``nobody[k, j]`` is the chance of j."""
    means = np.zeros(values.shape[:-1])
    for j in range(11):
        means += values[..., j] * nobody[:, j]
    return means


def contract_values_two(rules: Rules, how: int, player: int, nobody: Floats) -> Floats:
    """[level - 6, k]: a player's value of a contract that ends with k declarer tricks, in whists.

    ``nobody[k, j]`` is the chance that j of the other tricks are nobody's.
    """
    results = blank_results(rules, (5, 11, 11), TRICKS)
    results["level"] = np.arange(6, 11)[:, None, None]
    results["decision"] = (NO_DECISION, _CALLS[how], NO_DECISION, NO_DECISION)
    results["last_whister"] = 1
    results["open_play"] = how == OPEN
    results["played"] = how != LEFT
    _deal_out(results)
    value = written_best if how == LEFT else whists_of
    return _mean_over(nobody, value(rules, results, player))


def all_somebodys() -> Floats:
    """Chances of tricks that are nobody's, where none can be."""
    chances = np.zeros((11, 11))
    chances[:, 0] = 1.0
    return chances


def blind_nobody(rules: Rules, fitted: Tables) -> Floats:
    """[k, j]: chance at a blind whist that j tricks are nobody's when the declarer takes k."""
    if convention(rules, "dummy_blind") == BLIND_DEAD:
        return all_somebodys()
    return fitted["two_lowest_nobody"].reshape(11, 11)


class Meeting(NamedTuple):
    """Prices [level - 6, bucket] of a contract by how it is met."""

    open: Floats
    blind: Floats
    left: Floats


NOT_ALLOWED = -1e6
"""Price, for the defender, of what the rules do not let him do."""


def meetings(rules: Rules, player: int, opened: Floats, blinded: Floats, nobody: Floats) -> Meeting:
    """A player's prices of a contract by how it is met, by the declarer's expected tricks.

    ``opened`` and ``blinded`` are the chances [bucket, k] of k declarer tricks.
    """
    whole = all_somebodys()
    return Meeting(
        expect(contract_values_two(rules, OPEN, player, whole), opened),
        expect(contract_values_two(rules, BLIND, player, nobody), blinded),
        expect(contract_values_two(rules, LEFT, player, whole), opened),
    )


def defence_prices_two(rules: Rules, fitted: Tables) -> Meeting:
    """What each way to defend is worth to the only defender."""
    blind = blind_defence(rules)
    prices = meetings(
        rules,
        1,
        fitted["two_open_defence_outcome"].reshape(BUCKETS, 11),
        fitted[f"two_{blind}_defence_outcome"].reshape(BUCKETS, 11),
        blind_nobody(rules, fitted),
    )
    ways = (DEFEND_OPEN, DEFEND_BLIND, DEFEND_PASS)
    allowed = [
        price if may_defend(rules, way) else np.full_like(price, NOT_ALLOWED)
        for price, way in zip(prices, ways, strict=True)
    ]
    return Meeting(*allowed)


def declarer_prices_two(
    rules: Rules, opened: Floats, blinded: Floats, nobody: Floats, unwhisted: Floats
) -> Floats:
    """[level - 6, bucket]: a declarer's value when ``bucket / 4`` tricks are expected and by level
    a share of sound games goes unwhisted; the last row is six spades, where both may be bound to
    whist.

    Who whists does what is better for him. A game half a trick short of its level or worse is
    always whisted, and so is a checked ten.
    """
    mine = meetings(rules, 0, opened, blinded, nobody)
    his = meetings(rules, 1, opened, blinded, nobody)
    opens = np.full((5, BUCKETS), may_defend(rules, DEFEND_OPEN))
    if may_defend(rules, DEFEND_BLIND):
        opens &= his.open >= his.blind
    checked = convention(rules, "whist_ten") == TEN_CHECKED
    if checked:
        opens[4] = True
    whisted = np.where(opens, mine.open, mine.blind)
    prices = np.zeros((6, BUCKETS))
    for level in LEVELS:
        row = level - 6
        stays = may_defend(rules, DEFEND_PASS) and not (checked and level == 10)
        share = unwhisted[row] if stays else 0.0
        for bucket in range(BUCKETS):
            free = share * soundness(level, bucket)
            prices[row, bucket] = (1 - free) * whisted[row, bucket] + free * mine.left[row, bucket]
    prices[5] = whisted[0] if convention(rules, "whist_stalingrad") == 1 else prices[0]
    return prices


def raspas_prices_two(rules: Rules, fitted: Tables) -> Floats:
    """[dark level, raspas in a row, bucket]: value of a raspas with ``bucket / 4`` tricks expected;
    nothing where it would be thrown in."""
    shape = (DARK_LEVELS, MAX_PROGRESSION, 11, 11)
    if convention(rules, "dummy_raspas") == DUMMY_NO_RASPAS:
        return np.zeros((*shape[:2], BUCKETS))
    results = blank_results(rules, shape, RASPAS)
    results["declarer"] = -1
    results["played"] = 1
    results["dark_level"] = np.arange(DARK_LEVELS)[:, None, None, None]
    results["raspas_index"] = np.arange(MAX_PROGRESSION)[:, None, None]
    _deal_out(results)
    name = "two_raspas_{}_{}".format(*raspas_words(rules))
    nobody = fitted[f"{name}_nobody"].reshape(11, 11)
    means = _mean_over(nobody, whists_of(rules, results, 0))
    return expect(means, fitted[f"{name}_outcome"].reshape(BUCKETS, 11))


def misere_prices_two(rules: Rules, chances: Floats) -> Floats:
    """[bucket]: value in whists of a misère by the fine bucket of its expected tricks."""
    results = blank_results(rules, (11,), MISERE_GAME)
    results["played"] = 1
    results["tricks"][:, 0] = np.arange(11)
    results["tricks"][:, 1] = 10 - np.arange(11)
    values = whists_of(rules, results, 0)
    values[:1] = written_best(rules, results[:1], 0)
    return expect(values, chances)


class Defending(NamedTuple):
    """What passing to the other is worth, and by level the chance that he leaves a contract."""

    value: float
    left: Floats


def usual_defence(rules: Rules, prices: Meeting, fitted: Tables) -> Defending:
    """What a defender makes of contracts of the usual level, and which he leaves.

    The tricks that his hand makes him expect above the level are spread as fitted; where he may
    choose, a hand that is so much worse blindly than the average is as much worse with the dummy.
    """
    words = ("open", blind_defence(rules))
    opened = may_defend(rules, DEFEND_OPEN)
    word = words[0] if opened else words[1]
    spread = fitted[f"two_{word}_effect"]
    usual = int(fitted[f"two_{word}_usual"][0])
    shifts = [_mean_effect(fitted[f"two_{name}_effect"]) - _mean_effect(spread) for name in words]
    value, left = 0.0, np.zeros(5)
    for k in range(BUCKETS):
        effect = (k - BUCKETS // 2) / 4
        for level in LEVELS:
            row = level - 6
            places = [
                min(BUCKETS - 1, max(0, int(4 * (level + effect + shift) + 0.5)))
                for shift in shifts
            ]
            met = max(prices.open[row, places[0]], prices.blind[row, places[1]])
            if prices.left[row, 0] > met:
                left[row] += spread[k]
            if level == usual:
                value += spread[k] * max(met, prices.left[row, 0])
    return Defending(float(value), left)


def _mean_effect(spread: Floats) -> float:
    total = 0.0
    for k in range(BUCKETS):
        total += spread[k] * ((k - BUCKETS // 2) / 4)
    return total
