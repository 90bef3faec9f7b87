"""What a hand of the refet game writes: contract column, soup, refets, the last hand.

The column (колонка контрактов, bule) falls from the start of the pulka and stands in the place of
the mountain, soup (юха, supa) in that of the whists. Sources: Lesnoy, Russian Preferans (the
Central-European game); Preferansklub rules 9-13; conventions name the others.
"""

from __future__ import annotations

from typing import Any

from .contract import MISERE_GAME, RASPAS, SPADES, refet_base
from .conventions_refet import (
    BETL_CONTRA_TEN,
    BETL_EACH_FIVE,
    HAT_AT_ZERO,
    LAST_CAP,
    LEFT_MADE,
    LEFT_REFET_OR_FOUR,
    LEFT_REFET_OR_NOTHING,
    NOBODY_MADE,
    SHORT_OWN,
    SOUP_ALL,
    WRITE_OFF_EXACT,
)
from .kernel import Record, kernel, outline
from .result import INVITED, MAX_PLAYERS, UNIT, WHISTED, is_made, sits_out

CONTRA_DUTY = 5
"""Tricks that both defenders owe under contra."""
PAIR_DUTY = 4
"""Tricks that two followers owe together, invited or each for himself."""
OWN_DUTY = 2
"""Tricks that a follower owes by himself."""
POINT_WHISTS = 10
"""What a column point is worth at settlement."""
FIXED_SOUP = 5
"""Tricks for which soup is written when betl or preferans fail, however many there were."""


@kernel
def hand_value(result: Record) -> int:
    """Value of a hand in column points or for a trick (twelfths): twice the base, one more from the
    hand (без прикупа, igra), doubled by each contra and by a refet."""
    base = refet_base(result.kind, result.level, result.strain) + result.without_talon
    return (2 * UNIT * base << result.contra) << result.refet


@kernel
def is_plain_spades(result: Record) -> bool:
    """Whether this is the contract of two, not from the hand."""
    return result.kind != MISERE_GAME and result.strain == SPADES and result.without_talon == 0


@kernel
def needs_contra(rules: Record, result: Record) -> bool:
    """Whether this contract is played under contra only."""
    return rules.spades_needs_contra == 1 and is_plain_spades(result)


@kernel
def is_all_or_nothing(result: Record) -> bool:
    """Betl or preferans: both opponents play, nobody is asked whether he comes."""
    return result.kind == MISERE_GAME or result.level == 10


@kernel
def _is_left(rules: Record, result: Record) -> bool:
    """Whether these are plain spades left unplayed for want of a contra (``spades.left``)."""
    if result.played == 1 or not needs_contra(rules, result):
        return False
    if rules.spades_nobody_comes == NOBODY_MADE:
        for i in range(rules.n_players):
            if result.decision[i] == WHISTED:
                return True
        return False
    return True


@kernel
def gives_refets(rules: Record, result: Record) -> bool:
    """Whether this hand leaves every player a refet, as a hand passed by all does."""
    if result.may_refet == 0:
        return False
    if result.kind == RASPAS:
        return True
    return _is_left(rules, result) and rules.spades_left != LEFT_MADE


@kernel
def _write_left_spades(rules: Record, result: Record, entries: Record, value: int) -> None:
    if gives_refets(rules, result):
        return
    if rules.spades_left == LEFT_REFET_OR_FOUR:
        value = min(value, 4 * UNIT)
    if rules.spades_left != LEFT_REFET_OR_NOTHING:
        entries.mountain_entry[result.declarer] -= value


@outline
def soup_tricks(rules: Record, result: Record, player: int) -> int:
    """A defender's tricks that count as soup: the larger share counts first, of equals his who
    sits nearer after the declarer (convention: our choice)."""
    own = result.tricks[player]
    first = 0
    for step in range(1, rules.n_players):
        other = (result.declarer + step) % rules.n_players
        nearer = step < (player - result.declarer) % rules.n_players
        if other != player and (
            result.tricks[other] > own or (result.tricks[other] == own and nearer)
        ):
            first += result.tricks[other]
    return min(own, max(0, rules.tricks_soup_most - first))


@kernel
def find_inviter(rules: Record, result: Record) -> int:
    """Who invited the other to play for him; -1 if nobody did."""
    inviter = -1
    invited = False
    for i in range(rules.n_players):
        if result.decision[i] == WHISTED:
            inviter = i
        invited = invited or result.decision[i] == INVITED
    return inviter if invited else -1


@kernel
def _soup_of_all_or_nothing(rules: Record, result: Record, player: int) -> int:
    """Tricks for which a defender writes soup when betl or preferans fail."""
    if result.contra == 0 or rules.betl_lost_contra == BETL_EACH_FIVE:
        return FIXED_SOUP
    if player != result.contra_by:
        return 0
    return 2 * FIXED_SOUP if rules.betl_lost_contra == BETL_CONTRA_TEN else FIXED_SOUP


@kernel
def _soup_of(rules: Record, result: Record, player: int, leader: int, taken: int) -> int:
    """Tricks for which a defender writes soup: who leads the defence writes those of both."""
    if is_all_or_nothing(result):
        made = is_made(rules, result)
        return 0 if made else _soup_of_all_or_nothing(rules, result, player)
    if leader >= 0 and (result.contra == 0 or rules.contra_soup == SOUP_ALL):
        return min(taken, rules.tricks_soup_most) if player == leader else 0
    if leader < 0 and result.decision[player] != WHISTED:
        return 0
    return soup_tricks(rules, result, player)


@kernel
def _is_short(rules: Record, result: Record, player: int, leader: int, taken: int) -> bool:
    """Whether a defender took too few: who leads the defence answers for both."""
    if leader >= 0:
        if is_all_or_nothing(result):
            return player == leader and is_made(rules, result)
        return player == leader and taken < (CONTRA_DUTY if result.contra > 0 else PAIR_DUTY)
    if is_all_or_nothing(result) or result.decision[player] != WHISTED:
        return False
    saved = taken >= PAIR_DUTY and rules.follow_short != SHORT_OWN
    return result.tricks[player] < OWN_DUTY and not saved


@outline
def _write_hand(rules: Record, result: Record, entries: Record, value: int) -> None:
    """The declarer's entry, then each defender's: soup on the declarer, and his own if short."""
    declarer = result.declarer
    if _is_left(rules, result):
        _write_left_spades(rules, result, entries, value)
        return
    entries.mountain_entry[declarer] += -value if is_made(rules, result) else value
    if result.played == 0:
        return
    leader = result.contra_by if result.contra > 0 else find_inviter(rules, result)
    taken = -result.tricks[declarer]
    for i in range(rules.n_players):
        taken += result.tricks[i]
    for i in range(rules.n_players):
        if i != declarer and not sits_out(rules, result, i):
            soup = value * _soup_of(rules, result, i, leader, taken)
            entries.whist_entry[MAX_PLAYERS * i + declarer] = soup
            if _is_short(rules, result, i, leader, taken):
                entries.mountain_entry[i] += value


@kernel
def _column_change(rules: Record, entries: Record) -> int:
    change = 0
    for i in range(rules.n_players):
        change += entries.mountain_entry[i]
    return change


@outline
def score_refet(rules: Record, result: Record, entries: Record) -> None:
    """Write a hand into clear ``entries`` (twelfths); all pass writes nothing.

    ``result.remaining`` caps the last hand: one that would bring the columns' sum below zero is
    written with what is left of it for a value; 0 is no cap (Lesnoy, Russian Preferans).
    """
    if result.kind == RASPAS:
        return
    value = hand_value(result)
    _write_hand(rules, result, entries, value)
    left = result.remaining
    if left <= 0:
        return
    if rules.last_made == LAST_CAP and left + _column_change(rules, entries) < 0:
        for i in range(MAX_PLAYERS):
            entries.mountain_entry[i] = 0
        for k in range(MAX_PLAYERS * MAX_PLAYERS):
            entries.whist_entry[k] = 0
        _write_hand(rules, result, entries, left)
    elif rules.last_double_fall == 1 and value > left and not is_made(rules, result):
        entries.mountain_entry[result.declarer] += value


@kernel
def columns_sum(rules: Record, sheet: Record) -> int:
    """The contract columns together, in twelfths; the pulka ends when it is nothing."""
    total = 0
    for i in range(rules.n_players):
        total += sheet.mountain[i]
    return total


@kernel
def is_under_hat(rules: Record, sheet: Record) -> bool:
    """Whether somebody is under the hat (под шляпой)."""
    for i in range(rules.n_players):
        if sheet.mountain[i] < 0 or (rules.refets_hat == HAT_AT_ZERO and sheet.mountain[i] == 0):
            return True
    return False


@kernel
def most_refets(rules: Record) -> int:
    """How often refets may be written in this pulka, by its start."""
    return rules.refets_many if rules.target >= rules.refets_many_from else rules.refets_few


@kernel
def may_write_refets(rules: Record, sheet: Record) -> bool:
    """Whether a hand may leave every player a refet."""
    return sheet.refets_given < most_refets(rules) and not is_under_hat(rules, sheet)


@kernel
def plays_on_refet(rules: Record, sheet: Record, player: int) -> bool:
    """Whether this player, as declarer, uses a refet."""
    if sheet.refets[player] == 0:
        return False
    return rules.refets_frozen == 0 or not is_under_hat(rules, sheet)


@kernel
def read_refets(rules: Record, sheet: Record, result: Record) -> None:
    """Put into a result what the sheet decides: a refet used, whether more may be written, what is
    left of the columns."""
    result.may_refet = 1 if may_write_refets(rules, sheet) else 0
    result.remaining = max(0, columns_sum(rules, sheet))
    result.refet = 0
    if result.declarer >= 0 and plays_on_refet(rules, sheet, result.declarer):
        result.refet = 1


@kernel
def _writes_nothing(rules: Record, result: Record) -> bool:
    """Whether these are left spades for which nobody writes and nobody gets a refet."""
    return rules.spades_left == LEFT_REFET_OR_NOTHING and _is_left(rules, result)


@kernel
def count_refets(rules: Record, sheet: Record, result: Record) -> None:
    """Give every player a refet where the hand leaves one; else cross off the declarer's.

    Spades left without anything written leave his as it is (convention: our choice).
    """
    if gives_refets(rules, result):
        sheet.refets_given += 1
        for i in range(rules.n_players):
            if rules.refets_for_dealer == 1 or not sits_out(rules, result, i):
                sheet.refets[i] += 1
    elif result.refet == 1 and not _writes_nothing(rules, result):
        sheet.refets[result.declarer] -= 1


@kernel
def written_off(rules: Record, sheet: Record, player: int) -> int:
    """What a column is lowered by when a pulka is settled (twelfths), all together their sum.

    In whole points the largest columns, of equals the earlier player's, take one more
    (Preferansklub rules 13).
    """
    total = columns_sum(rules, sheet)
    if rules.last_write_off == WRITE_OFF_EXACT:
        return total // rules.n_players
    points = total // UNIT
    larger = 0
    for i in range(rules.n_players):
        own = sheet.mountain[player]
        if sheet.mountain[i] > own or (sheet.mountain[i] == own and i < player):
            larger += 1
    return UNIT * (points // rules.n_players + (1 if larger < points % rules.n_players else 0))


@kernel
def settle_refet(rules: Record, sheet: Record, balance: Any) -> None:
    """Settlement (расчёт) in twelfths of a whist: ten whists for each column point below what all
    are lowered by, and the difference of soup (Lesnoy, Russian Preferans)."""
    for i in range(rules.n_players):
        balance[i] = POINT_WHISTS * (written_off(rules, sheet, i) - sheet.mountain[i])
        for j in range(rules.n_players):
            soup = sheet.whists[MAX_PLAYERS * i + j] - sheet.whists[MAX_PLAYERS * j + i]
            balance[i] += soup
