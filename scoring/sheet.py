"""The score sheet (пулька на бумаге): writing entries with help, the end, settlement.

Kernels take a ``sheet`` record by attribute (fields of ``SHEET_FIELDS``, twelfths of a point or
whist); ``scoring.score_sheet`` is the same for Python, in exact fractions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .contract import MISERE_GAME, N_ROWS, RASPAS, TRICKS
from .convention import MAX_PROGRESSION
from .conventions import (
    AFTER_STAYS,
    BOMBS_NEXT_CONTRACT,
    BOMBS_NONE,
    DIVISOR_OPPONENTS,
    END_EACH,
    END_SUM,
    END_SUM_AND_EXIT,
    END_TIME,
    END_TIME_AND_CLOSE,
    EXIT_ANY_BID,
    LEFTOVER_MOUNTAIN,
    LEFTOVER_TO_ZERO,
    OVERSHOOT_TRUNCATE,
    POOL_FAMILY,
    RAZBOINIK,
    REFET,
    ROUND_EXACT,
    SURPLUS_HALF,
    TREES_LOWEST,
    TREES_NONE,
    ZERO_CLOSED_MOUNTAIN,
)
from .deal_score import row_of, row_points, score_deal, takes_part, write_on_others
from .kernel import Record, kernel, outline
from .refet import columns_sum, count_refets, read_refets, settle_refet
from .result import (
    ENTRY_FIELDS,
    MAX_PLAYERS,
    RESULT_FIELDS,
    TWO_PLAYERS,
    UNIT,
    WHISTED,
    is_made,
    is_thrown_in,
)

SHEET_FIELDS = [
    ("pool", np.int64, MAX_PLAYERS),
    ("mountain", np.int64, MAX_PLAYERS),
    ("whists", np.int64, MAX_PLAYERS * MAX_PLAYERS),
    ("bombs", np.int64, MAX_PLAYERS),
    ("fir_trees", np.int64, MAX_PLAYERS),
    ("row", np.int64, TWO_PLAYERS * N_ROWS),
    ("refets", np.int64, MAX_PLAYERS),
    ("refets_given", np.int64),
    ("raspas_index", np.int64),
    ("dark_row", np.int64),
    ("stays", np.int64),
    ("n_deals", np.int64),
    ("deals_left", np.int64),
    ("clock", np.int64),
    ("first_pool", np.int64),
    ("first_mountain", np.int64),
    ("ended", np.int64),
]
"""The sheet: pool (пуля) and mountain (гора) by player and ``whists[4 * i + j]`` (висты) written by
player i on player j, in twelfths; ``bombs`` and ``fir_trees`` by player; ``row[6 * i + k]``,
razboinik's table in twelfths, -1 while a row is open (its sums stand in the mountain); of the refet
game the contract column stands in the mountain and soup in the whists, with unused ``refets`` by
player and ``refets_given``, how often they were written;
``raspas_index`` and ``dark_row``, raspas and dark passes in a row that count for the next deal;
``stays``, raspas in a row after which the deal stays with its dealer (0: it passes on);
``n_deals`` written; ``deals_left`` after time was called (-1: not called); ``clock``, seconds that
the deals took; ``first_pool`` and ``first_mountain``, 1 once somebody closed his; ``ended``, 1 once
the prize for the lowest mountain was written."""

ENTRY_DTYPE = np.dtype(ENTRY_FIELDS, align=True)
RESULT_DTYPE = np.dtype(RESULT_FIELDS, align=True)
SHEET_DTYPE = np.dtype(SHEET_FIELDS, align=True)

MOST_DARK = 3
"""Dark passes and bombs count up to eight times the price."""


@outline
def clear_sheet(rules: Record, sheet: Record) -> None:
    """An empty sheet."""
    start = rules.target if rules.family == REFET else rules.start_mountain
    for i in range(MAX_PLAYERS):
        sheet.pool[i] = 0
        sheet.mountain[i] = UNIT * start if i < rules.n_players else 0
        sheet.bombs[i] = 0
        sheet.fir_trees[i] = 0
        sheet.refets[i] = 0
    for k in range(TWO_PLAYERS * N_ROWS):
        sheet.row[k] = -1
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        sheet.whists[k] = 0
    sheet.refets_given = 0
    sheet.raspas_index = 0
    sheet.dark_row = 0
    sheet.stays = 0
    sheet.n_deals = 0
    sheet.deals_left = -1
    sheet.clock = 0
    sheet.first_pool = 0
    sheet.first_mountain = 0
    sheet.ended = 0


@outline
def copy_sheet(source: Record, sheet: Record) -> None:
    """Write a whole sheet on another."""
    for i in range(MAX_PLAYERS):
        sheet.pool[i] = source.pool[i]
        sheet.mountain[i] = source.mountain[i]
        sheet.bombs[i] = source.bombs[i]
        sheet.fir_trees[i] = source.fir_trees[i]
        sheet.refets[i] = source.refets[i]
    for k in range(TWO_PLAYERS * N_ROWS):
        sheet.row[k] = source.row[k]
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        sheet.whists[k] = source.whists[k]
    sheet.refets_given = source.refets_given
    sheet.raspas_index = source.raspas_index
    sheet.dark_row = source.dark_row
    sheet.stays = source.stays
    sheet.n_deals = source.n_deals
    sheet.deals_left = source.deals_left
    sheet.clock = source.clock
    sheet.first_pool = source.first_pool
    sheet.first_mountain = source.first_mountain
    sheet.ended = source.ended


@kernel
def _total_pool(rules: Record, sheet: Record) -> int:
    total = 0
    for i in range(rules.n_players):
        total += sheet.pool[i]
    return total


@kernel
def is_sum_reached(rules: Record, sheet: Record) -> bool:
    """Whether the pools together have reached the agreed sum."""
    return _total_pool(rules, sheet) >= UNIT * rules.total


@kernel
def read_sheet(rules: Record, sheet: Record, result: Record) -> None:
    """Put into a result what the sheet before the deal decides (``dark_level`` 1: a dark pass)."""
    if rules.family == REFET:
        read_refets(rules, sheet, result)
    result.raspas_index = sheet.raspas_index
    result.after_close = 0
    if rules.whist_responsible_after_close == 1 and is_sum_reached(rules, sheet):
        result.after_close = 1
    result.bomb_level = 0
    if result.declarer >= 0:
        tree = 1 if sheet.fir_trees[result.declarer] > 0 else 0
        result.bomb_level = sheet.bombs[result.declarer] + tree
    if result.dark_level > 0:
        result.dark_level = min(sheet.dark_row + 1, MOST_DARK)


@kernel
def _fullest_open_pool(rules: Record, sheet: Record, helper: int) -> int:
    """Whose pool is helped: the largest open one, a tie to the nearest on the left; -1: none."""
    best = -1
    for step in range(1, rules.n_players):
        other = (helper + step) % rules.n_players
        pool = sheet.pool[other]
        if pool < UNIT * rules.target and (best < 0 or pool > sheet.pool[best]):
            best = other
    return best


@kernel
def _lowest_open_mountain(rules: Record, sheet: Record, helper: int) -> int:
    """Whose mountain is helped: the smallest above zero, a tie to the nearest on the left."""
    best = -1
    for step in range(1, rules.n_players):
        other = (helper + step) % rules.n_players
        mountain = sheet.mountain[other]
        if mountain > 0 and (best < 0 or mountain < sheet.mountain[best]):
            best = other
    return best


@kernel
def _write_help(rules: Record, sheet: Record, helper: int, other: int, points: int) -> None:
    sheet.whists[MAX_PLAYERS * helper + other] += rules.help_whists * points


@kernel
def _to_zero(sheet: Record, player: int, points: int) -> int:
    """Write points off a mountain, at most down to zero; how many were written off."""
    taken = min(points, max(0, sheet.mountain[player]))
    sheet.mountain[player] -= taken
    return taken


@kernel
def _write_off(rules: Record, sheet: Record, player: int, points: int) -> None:
    """Write points off one's mountain down to zero, then help (Finka); the rest is lost."""
    points -= _to_zero(sheet, player, points)
    while points > 0 and rules.help_mountain == 1:
        other = _lowest_open_mountain(rules, sheet, player)
        if other < 0:
            break
        given = _to_zero(sheet, other, points)
        _write_help(rules, sheet, player, other, given)
        points -= given


@kernel
def _fill_pool(rules: Record, sheet: Record, player: int, points: int) -> int:
    """Write points into a pool, where pools are capped at most up to the target; how many."""
    room = points
    if rules.help_pool == 1:
        room = UNIT * rules.target - sheet.pool[player]
    elif rules.end_overshoot == OVERSHOOT_TRUNCATE:
        room = UNIT * rules.total - _total_pool(rules, sheet)
    given = min(points, max(0, room))
    sheet.pool[player] += given
    return given


@kernel
def surplus_points(rules: Record, points: int) -> int:
    """Mountain points for pool points that fit no pool: as many, or half (Code 4.1.1)."""
    if rules.n_players == TWO_PLAYERS and rules.end_surplus == SURPLUS_HALF:
        return points // 2
    return points


@kernel
def _help_pools(rules: Record, sheet: Record, player: int, points: int) -> None:
    """Help (американская помощь) from the fullest open pool down, and what is left over.

    Sources: Code of Preferans 4.2.3; left over 4.1.1.
    """
    while points > 0:
        other = _fullest_open_pool(rules, sheet, player)
        if other < 0:
            break
        given = _fill_pool(rules, sheet, other, points)
        _write_help(rules, sheet, player, other, given)
        points -= given
    if rules.end_leftover == LEFTOVER_TO_ZERO:
        _to_zero(sheet, player, points)
    elif rules.end_leftover == LEFTOVER_MOUNTAIN:
        if rules.help_mountain == 1:
            _write_off(rules, sheet, player, points)
        else:
            sheet.mountain[player] -= surplus_points(rules, points)


@kernel
def write_gain(rules: Record, sheet: Record, player: int, gain: int) -> None:
    """Write the points of a made contract: pool, help, and mountain where it is written off."""
    points = gain
    if rules.values_mountain_first == 1:
        points -= _to_zero(sheet, player, points)
    points -= _fill_pool(rules, sheet, player, points)
    if rules.help_pool == 1:
        _help_pools(rules, sheet, player, points)
    if rules.values_off_mountain_too == 1:
        _write_off(rules, sheet, player, gain)


@kernel
def _write_bonus(rules: Record, sheet: Record, player: int, bonus: int) -> None:
    """Write pool points won at raspas."""
    left = bonus - _fill_pool(rules, sheet, player, bonus)
    if rules.help_pool == 1:
        if rules.raspas_zero_closed == ZERO_CLOSED_MOUNTAIN:
            _to_zero(sheet, player, left)
        else:
            _help_pools(rules, sheet, player, left)


@kernel
def _write_firsts(rules: Record, sheet: Record, player: int) -> None:
    """Prizes for the first who closes his pool, and his mountain."""
    if sheet.first_pool == 0 and sheet.pool[player] >= UNIT * rules.target:
        sheet.first_pool = 1
        write_on_others(rules, sheet.whists, player, UNIT * rules.prize_first_pool)
    if sheet.first_mountain == 0 and rules.help_mountain == 1 and sheet.mountain[player] <= 0:
        sheet.first_mountain = 1
        prize = rules.prize_first_mountain_three
        if rules.n_players == MAX_PLAYERS:
            prize = rules.prize_first_mountain_four
        write_on_others(rules, sheet.whists, player, UNIT * prize)


@outline
def write_entries(rules: Record, sheet: Record, entries: Record, dealer: int) -> None:
    """Write a deal's entries; gains in turn order from the eldest (convention: our choice)."""
    for i in range(rules.n_players):
        sheet.mountain[i] += entries.mountain_entry[i]
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        sheet.whists[k] += entries.whist_entry[k]
    player = dealer
    for _ in range(rules.n_players):
        player = 0 if player == rules.n_players - 1 else player + 1
        if entries.gain[player] > 0:
            write_gain(rules, sheet, player, entries.gain[player])
        if entries.bonus[player] > 0:
            _write_bonus(rules, sheet, player, entries.bonus[player])
        if entries.gain[player] > 0 or entries.bonus[player] > 0:
            _write_firsts(rules, sheet, player)


@kernel
def exit_level(rules: Record, raspas_index: int) -> int:
    """Lowest level that ends a row of ``raspas_index`` raspas."""
    return rules.raspas_exit_levels[min(raspas_index, len(rules.raspas_exit_levels) - 1)]


@kernel
def exits_raspas(rules: Record, result: Record) -> bool:
    """Whether this deal ends a row of raspas (выход из распасов)."""
    if result.kind == RASPAS:
        return False
    if result.kind == TRICKS and result.level < exit_level(rules, result.raspas_index):
        return False
    if rules.raspas_exit_on == EXIT_ANY_BID:
        return True
    if not is_made(rules, result):
        return False
    if result.kind == MISERE_GAME:
        return rules.raspas_exit_misere == 1
    if result.level == 10 and rules.raspas_exit_ten == 0:
        return False
    if rules.raspas_exit_unwhisted == 1:
        return True
    whisted = False
    for i in range(rules.n_players):
        whisted = whisted or result.decision[i] == WHISTED
    return whisted


@kernel
def _count_bombs(rules: Record, sheet: Record, result: Record) -> None:
    if rules.auction_bombs == BOMBS_NONE:
        return
    if result.kind == RASPAS:
        if result.dark_level > 0:
            eldest = (result.dealer + 1) % rules.n_players
            sheet.bombs[eldest] = min(sheet.bombs[eldest] + 1, MOST_DARK)
    elif rules.auction_bombs == BOMBS_NEXT_CONTRACT or is_made(rules, result):
        sheet.bombs[result.declarer] = 0


@kernel
def _count_fir_trees(rules: Record, sheet: Record, result: Record) -> None:
    """Raspas leave marks, a contract uses one of its declarer's up (ёлочки)."""
    if rules.raspas_fir_trees == TREES_NONE:
        return
    if result.kind != RASPAS:
        sheet.fir_trees[result.declarer] = max(0, sheet.fir_trees[result.declarer] - 1)
        return
    most = 10
    if rules.raspas_fir_trees == TREES_LOWEST:
        for i in range(rules.n_players):
            if takes_part(rules, result, i):
                most = min(most, result.tricks[i])
    for i in range(rules.n_players):
        if takes_part(rules, result, i) and result.tricks[i] <= most:
            sheet.fir_trees[i] += 1


@kernel
def _count_stays(rules: Record, sheet: Record, result: Record) -> None:
    """Whether the deal stays after this one (relic rule of Klassika)."""
    stays = sheet.stays + 1
    if result.kind != RASPAS or rules.deal_after_raspas != AFTER_STAYS or is_thrown_in(result):
        stays = 0
    sheet.stays = stays if stays < rules.deal_stays_most else 0


@kernel
def next_dealer(rules: Record, sheet: Record, dealer: int) -> int:
    """Who deals next: the player to the left, or the dealer again."""
    if sheet.stays > 0:
        return dealer
    return 0 if dealer == rules.n_players - 1 else dealer + 1


@kernel
def _count_game(rules: Record, sheet: Record, result: Record) -> None:
    """What a game or raspas changes for later deals; a deal thrown in passes the deal on."""
    _count_stays(rules, sheet, result)
    if is_thrown_in(result):
        return
    _count_bombs(rules, sheet, result)
    _count_fir_trees(rules, sheet, result)
    if result.kind == RASPAS:
        sheet.raspas_index = min(sheet.raspas_index + 1, MAX_PROGRESSION - 1)
        sheet.dark_row = min(sheet.dark_row + 1, MOST_DARK) if result.dark_level > 0 else 0
    else:
        sheet.dark_row = 0
        if exits_raspas(rules, result):
            sheet.raspas_index = 0


@outline
def count_deal(rules: Record, sheet: Record, result: Record) -> None:
    """Count a deal that was written: raspas in a row, bombs, deals left, prizes at the end."""
    if rules.family == RAZBOINIK:
        place = N_ROWS * result.declarer + row_of(result)
        sheet.row[place] = row_points(rules, result)
    elif rules.family == REFET:
        count_refets(rules, sheet, result)
    else:
        _count_game(rules, sheet, result)
    sheet.n_deals += 1
    if sheet.deals_left > 0:
        sheet.deals_left -= 1
    _write_last_prize(rules, sheet)


@kernel
def write_deal(rules: Record, sheet: Record, result: Record, entries: Record) -> None:
    """A whole deal: what the sheet decides of it, what it writes, and its part in the count."""
    read_sheet(rules, sheet, result)
    score_deal(rules, result, entries)
    write_entries(rules, sheet, entries, result.dealer)
    count_deal(rules, sheet, result)


@kernel
def _write_min_mountain(rules: Record, sheet: Record) -> None:
    """The prize for the lowest mountain; those who tie share it and write nothing on each other."""
    lowest = sheet.mountain[0]
    for i in range(1, rules.n_players):
        lowest = min(lowest, sheet.mountain[i])
    tied = 0
    for i in range(rules.n_players):
        tied += 1 if sheet.mountain[i] == lowest else 0
    amount = UNIT * rules.prize_min_mountain // tied
    for i in range(rules.n_players):
        for j in range(rules.n_players):
            if sheet.mountain[i] == lowest and sheet.mountain[j] > lowest:
                sheet.whists[MAX_PLAYERS * i + j] += amount


@kernel
def _write_last_prize(rules: Record, sheet: Record) -> None:
    """The prize of the end, once, where the pulka has ended."""
    if rules.prize_min_mountain > 0 and sheet.ended == 0 and is_over(rules, sheet):
        sheet.ended = 1
        _write_min_mountain(rules, sheet)


@outline
def call_time(rules: Record, sheet: Record) -> None:
    """Time is up before the next deal: no more deals, or the round's rest and a last round."""
    sheet.deals_left = 0
    if rules.end_last_round == 1:
        n = rules.n_players
        sheet.deals_left = (n - sheet.n_deals % n) % n + n
    _write_last_prize(rules, sheet)


@kernel
def spend_time(rules: Record, sheet: Record, result: Record) -> None:
    """Let a written deal last as long as the variant says; call time when it is up."""
    ends_by_time = rules.end_when == END_TIME or rules.end_when == END_TIME_AND_CLOSE
    if rules.family != POOL_FAMILY or not ends_by_time:
        return
    sheet.clock += rules.end_deal_seconds if result.played == 1 else rules.end_unplayed_seconds
    if sheet.deals_left < 0 and sheet.clock >= 60 * rules.end_minutes:
        call_time(rules, sheet)


@kernel
def open_rows(sheet: Record, player: int) -> int:
    """Mask of a player's rows in razboinik's table that are still open."""
    rows = 0
    for k in range(N_ROWS):
        if sheet.row[N_ROWS * player + k] < 0:
            rows |= 1 << k
    return rows


@kernel
def is_over(rules: Record, sheet: Record) -> bool:
    """Whether the pulka has ended by the variant's rule (``end.when``), or no row is open."""
    if rules.family == RAZBOINIK:
        return open_rows(sheet, 0) | open_rows(sheet, 1) == 0
    if rules.family == REFET:
        return columns_sum(rules, sheet) <= 0
    when = rules.end_when
    if when == END_SUM or when == END_SUM_AND_EXIT:
        reached = is_sum_reached(rules, sheet)
        return reached and (when == END_SUM or sheet.raspas_index == 0)
    full = 0
    for i in range(rules.n_players):
        full += 1 if sheet.pool[i] >= UNIT * rules.target else 0
    if when == END_EACH:
        return full == rules.n_players
    return sheet.deals_left == 0 and (when == END_TIME or full > 0)


@kernel
def point_whists(rules: Record) -> int:
    """Whists that a mountain point costs its owner in all, before it is divided; a point of
    razboinik is worth one."""
    return 1 if rules.family == RAZBOINIK else rules.end_mountain_whists


@kernel
def mountain_divisor(rules: Record) -> int:
    """Among how many a mountain is divided; in razboinik the other player gets it whole."""
    if rules.family == RAZBOINIK:
        return 1
    return rules.n_players - (1 if rules.end_divisor == DIVISOR_OPPONENTS else 0)


@kernel
def carried_mountain(rules: Record, sheet: Record, player: int) -> int:
    """A mountain with the pool carried over at the variant's weight, up to a constant for all."""
    pool = surplus_points(rules, rules.end_pool_weight * sheet.pool[player])
    return sheet.mountain[player] - pool


@kernel
def moved_points(rules: Record, mountain: int) -> int:
    """Points (twelfths) to add to a mountain, the amnesty done, so that it divides (Code 4.2.12).

    One point is taken off or added, whichever makes ten mountains divisible; none where one point
    is not enough (a half point among four).
    """
    if rules.end_rounding == ROUND_EXACT:
        return 0
    divisor = mountain_divisor(rules)
    rest = mountain // (UNIT // 2) % divisor
    if divisor == 3 and rest == 1:
        return UNIT
    if (divisor == 3 or divisor == 4) and rest == 2:
        return -UNIT
    return 0


@outline
def settle(rules: Record, sheet: Record, balance: Any) -> None:
    """Settlement (расчёт): ``balance[player]`` in twelfths of a whist, summing to zero.

    Missing pool points go to the mountain with the variant's weight; a mountain point costs its
    owner ten whists, divided by all players including him (Code of Preferans 4.2.14). The same
    formula stops a pulka early. Exact: mountains are multiples of a half, so that ten of them in
    twelfths divide by 2, 3 and 4.
    """
    if rules.family == REFET:
        settle_refet(rules, sheet, balance)
        return
    n = rules.n_players
    divisor = mountain_divisor(rules)
    share = point_whists(rules) * (UNIT // divisor)
    lowest = carried_mountain(rules, sheet, 0)
    for i in range(n):
        lowest = min(lowest, carried_mountain(rules, sheet, i))
        balance[i] = 0
    for i in range(n):
        mountain = carried_mountain(rules, sheet, i) - lowest
        owed = share * mountain // UNIT
        moved = moved_points(rules, mountain)
        if moved != 0:
            # the moved point's share, less the whole whists that pay for it
            owed += share * moved // UNIT - rules.end_mountain_whists // divisor * moved
        for j in range(n):
            if j != i:
                gained = owed + sheet.whists[MAX_PLAYERS * j + i]
                balance[j] += gained
                balance[i] -= gained
