"""The score sheet: deals written with help and prizes, the end of the pulka, the settlement."""

from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction

from .cards import by_index
from .rows import Rows, minus_points, new_rows, open_rows, result_row
from .scoring import (
    MOST_DARK,
    Before,
    Conventions,
    Records,
    Result,
    is_made,
    raspas_players,
    score_deal,
    zero_table,
    zeros,
)


@dataclass
class Sheet:
    """The score sheet: `whists[i][j]` is what player i has written on player j.

    `total` is the sum of the pools agreed upon, as a rule `n` targets. `raspas_index` and
    `dark_row` count raspas and dark passes in a row. `deals_left` is None until time is called. In
    razboinik there are the tables of `rows` as well, and each mountain is the sum of its table.
    """

    n: int = 3
    target: int = 10
    total: int = 0
    pool: list[Fraction] = field(default_factory=list)
    mountain: list[Fraction] = field(default_factory=list)
    whists: list[list[Fraction]] = field(default_factory=list)
    raspas_index: int = 0
    dark_row: int = 0
    bombs: list[int] = field(default_factory=list)
    fir_trees: list[int] = field(default_factory=list)
    n_deals: int = 0
    deals_left: int | None = None
    first_pool_is_won: bool = False
    first_mountain_is_won: bool = False
    rows: list[Rows] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.total = self.total or self.n * self.target
        self.pool = self.pool or zeros(self.n)
        self.mountain = self.mountain or zeros(self.n)
        self.whists = self.whists or zero_table(self.n)
        self.bombs = self.bombs or [0] * self.n
        self.fir_trees = self.fir_trees or [0] * self.n

    def copy(self) -> "Sheet":
        """Return an independent copy, e.g. to keep the sheet as it was before a deal."""
        return deepcopy(self)

    def pools_full(self) -> bool:
        """Whether the pools have reached the agreed sum."""
        return sum(self.pool) >= self.total

    def before_deal(self) -> Before:
        """What the scorer of the next deal needs to know."""
        return Before(
            self.raspas_index,
            self.dark_row,
            tuple(self.bombs),
            tuple(self.fir_trees),
            self.pools_full(),
        )


def new_sheet(conv: Conventions, n: int = 3, target: int = 10, total: int | None = None) -> Sheet:
    """Return the sheet of a pulka that begins."""
    start = [Fraction(conv["start.mountain"])] * n
    return Sheet(n, target, n * target if total is None else total, mountain=start)


def new_table() -> Sheet:
    """Return the sheet of razboinik that begins: two tables of rows, no pool to play to."""
    return Sheet(2, 0, 0, rows=new_rows())


def write_row(conv: Conventions, sheet: Sheet, result: Result) -> Records:
    """Write a deal of razboinik into its row; return its record."""
    records = Records(sheet.n)
    points = minus_points(conv, result)
    row = result_row(result)
    assert result.declarer is not None and sheet.rows[result.declarer][row] is None
    records.mountain[result.declarer] = points
    sheet.rows[result.declarer][row] = points
    sheet.mountain[result.declarer] += points
    sheet.n_deals += 1
    return records


def write_deal(conv: Conventions, sheet: Sheet, result: Result) -> Records:
    """Score a deal and write it on the sheet; return its records as they were before help."""
    if sheet.rows:
        return write_row(conv, sheet, result)
    was_over = is_over(conv, sheet)
    records = score_deal(conv, result, sheet.before_deal())
    write_records(conv, sheet, records, result.in_turn())
    _count_deal(conv, sheet, result)
    if is_over(conv, sheet) and not was_over:
        _prize_for_lowest_mountain(conv, sheet)
    return records


def write_records(conv: Conventions, sheet: Sheet, records: Records, in_turn: list[int]) -> None:
    """First mountains and whists, then what goes into pools, in turn from the eldest."""
    for i in range(sheet.n):
        sheet.mountain[i] += records.mountain[i]
        for j in range(sheet.n):
            sheet.whists[i][j] += records.whists[i][j]
    for player in in_turn:
        if records.gain[player] > 0:
            write_gain(conv, sheet, player, records.gain[player])
        if records.bonus[player] > 0:
            write_bonus(conv, sheet, player, records.bonus[player])


# Pools, help and mountains


def write_gain(conv: Conventions, sheet: Sheet, player: int, points: Fraction) -> None:
    """Points of a made contract: into the pool, with help, and in some variants off the mountain.

    What is left when all pools are closed comes off the player's mountain, even below zero (Code of
    Preferans 4.1.1), or only down to zero, or is lost.
    """
    gain = points
    if conv["values.mountain_first"]:
        gain -= _lower(sheet, player, gain)
    gain -= _fill_own(conv, sheet, player, gain)
    if conv["help.pool"]:
        gain -= _help_pools(conv, sheet, player, gain)
        _write_leftover(conv, sheet, player, gain)
    if conv["values.off_mountain_too"]:
        _write_off_with_help(conv, sheet, player, points)
    _prizes_for_the_first(conv, sheet, player)


def write_bonus(conv: Conventions, sheet: Sheet, player: int, points: Fraction) -> None:
    """Pool points won at raspas; what does not fit helps too, or comes off the own mountain."""
    left = points - _fill_own(conv, sheet, player, points)
    if conv["help.pool"]:
        if conv["raspas.zero_closed"] == "mountain":
            _lower(sheet, player, left)
        else:
            left -= _help_pools(conv, sheet, player, left)
            _write_leftover(conv, sheet, player, left)
    _prizes_for_the_first(conv, sheet, player)


def _fill(sheet: Sheet, player: int, points: Fraction) -> Fraction:
    """Write as much as the player's pool can take; return how much that was."""
    taken = max(Fraction(0), min(points, sheet.target - sheet.pool[player]))
    sheet.pool[player] += taken
    return taken


def _fill_own(conv: Conventions, sheet: Sheet, player: int, points: Fraction) -> Fraction:
    """Write into the own pool; without help only the agreed sum of all pools may be a limit."""
    if conv["help.pool"]:
        return _fill(sheet, player, points)
    if conv["end.overshoot"] == "truncate":
        points = max(Fraction(0), min(points, sheet.total - sum(sheet.pool)))
    sheet.pool[player] += points
    return points


def _lower(sheet: Sheet, player: int, points: Fraction) -> Fraction:
    """Write off the player's mountain, not below zero; return how much that was."""
    taken = max(Fraction(0), min(points, sheet.mountain[player]))
    sheet.mountain[player] -= taken
    return taken


def _others(sheet: Sheet, player: int) -> list[int]:
    """List the other players clockwise."""
    return [(player + step) % sheet.n for step in range(1, sheet.n)]


def _help_pools(conv: Conventions, sheet: Sheet, helper: int, points: Fraction) -> Fraction:
    """Help (Code of Preferans 4.2.3): what does not fit into one's own pool helps another.

    The points go to the fullest open pool, of equal ones to the nearest clockwise; the helper
    writes whists on the helped. Returns how much was given away.
    """
    left = points
    while left > 0:
        open_pools = [j for j in _others(sheet, helper) if sheet.pool[j] < sheet.target]
        if not open_pools:
            break
        helped = max(open_pools, key=lambda j: sheet.pool[j])  # of equal ones the first
        given = _fill(sheet, helped, left)
        sheet.whists[helper][helped] += conv["help.whists"] * given
        left -= given
    return points - left


def _write_leftover(conv: Conventions, sheet: Sheet, player: int, points: Fraction) -> None:
    if conv["end.leftover"] == "mountain_to_zero":
        _lower(sheet, player, points)
    elif conv["end.leftover"] == "mountain" and conv["help.mountain"]:
        _write_off_with_help(conv, sheet, player, points)
    elif conv["end.leftover"] == "mountain":
        sheet.mountain[player] -= points * surplus_share(conv, sheet)


def surplus_share(conv: Conventions, sheet: Sheet) -> Fraction:
    """Mountain points of two players for a pool point: half at some tables (Code 4.1.1 c)."""
    half = sheet.n == 2 and conv["end.surplus"] == "half"
    return Fraction(1, 2) if half else Fraction(1)


def _write_off_with_help(conv: Conventions, sheet: Sheet, player: int, points: Fraction) -> None:
    """Off the own mountain down to zero, then, with help, off the lowest open mountain and so on.

    What is left when all mountains are closed is lost.
    """
    left = points - _lower(sheet, player, points)
    while left > 0 and conv["help.mountain"]:
        open_mountains = [j for j in _others(sheet, player) if sheet.mountain[j] > 0]
        if not open_mountains:
            break
        helped = min(open_mountains, key=lambda j: sheet.mountain[j])
        given = _lower(sheet, helped, left)
        sheet.whists[player][helped] += conv["help.whists"] * given
        left -= given


# Prizes


def _write_prize(sheet: Sheet, player: int, amount: int) -> None:
    for other in _others(sheet, player):
        sheet.whists[player][other] += amount


def _prizes_for_the_first(conv: Conventions, sheet: Sheet, player: int) -> None:
    """Prizes for the first full pool and the first closed mountain, by one's own gain."""
    if sheet.pool[player] >= sheet.target and not sheet.first_pool_is_won:
        sheet.first_pool_is_won = True
        _write_prize(sheet, player, conv["prize.first_pool"])
    closed = conv["help.mountain"] and sheet.mountain[player] <= 0
    if closed and not sheet.first_mountain_is_won:
        sheet.first_mountain_is_won = True
        size = "four" if sheet.n == 4 else "three"
        _write_prize(sheet, player, conv[f"prize.first_mountain_{size}"])


def _prize_for_lowest_mountain(conv: Conventions, sheet: Sheet) -> None:
    """At the end, before anything is carried over; those with equal mountains share the prize."""
    lowest = min(sheet.mountain)
    winners = [i for i in range(sheet.n) if sheet.mountain[i] == lowest]
    losers = [i for i in range(sheet.n) if sheet.mountain[i] > lowest]
    for winner in winners:
        for loser in losers:
            sheet.whists[winner][loser] += Fraction(conv["prize.min_mountain"], len(winners))


# From deal to deal


def _count_deal(conv: Conventions, sheet: Sheet, result: Result) -> None:
    """Count raspas and dark passes in a row, bombs, and the deals left when time is up."""
    if not is_thrown_in(result):
        _count_bombs(conv, sheet, result)
        _count_fir_trees(conv, sheet, result)
        dark_raspas = result.kind == "raspas" and result.dark_pass
        sheet.dark_row = sheet.dark_row + 1 if dark_raspas else 0
        sheet.raspas_index = next_raspas_index(conv, sheet.raspas_index, result)
    sheet.n_deals += 1
    if sheet.deals_left:
        sheet.deals_left -= 1


def is_thrown_in(result: Result) -> bool:
    """Two players who play no raspas: after two passes nothing happens but the deal is over."""
    return result.kind == "raspas" and not result.played


def _count_fir_trees(conv: Conventions, sheet: Sheet, result: Result) -> None:
    """Raspas leave marks (ёлочки), at some tables on the lowest takers; a contract uses one up."""
    rule = conv["raspas.fir_trees"]
    if rule == "none":
        return
    if result.kind != "raspas":
        sheet.fir_trees[result.declarer] = max(0, sheet.fir_trees[result.declarer] - 1)
        return
    players = raspas_players(conv, result)
    fewest = min(result.tricks[player] for player in players)
    for player in players:
        if rule == "each" or result.tricks[player] == fewest:
            sheet.fir_trees[player] += 1


def _count_bombs(conv: Conventions, sheet: Sheet, result: Result) -> None:
    """A dark pass at raspas gives the eldest a bomb; contracts use bombs up (бомба)."""
    if conv["auction.bombs"] == "none":
        return
    if result.kind == "raspas":
        if result.dark_pass:
            eldest = result.in_turn()[0]
            sheet.bombs[eldest] = min(sheet.bombs[eldest] + 1, MOST_DARK)
    elif conv["auction.bombs"] == "next_contract" or is_made(conv, result):
        sheet.bombs[result.declarer] = 0


def next_raspas_index(conv: Conventions, index: int, result: Result) -> int:
    """The raspas index of the next deal: one more after raspas, 0 after a deal that exits."""
    if result.kind == "raspas":
        return index + 1
    return 0 if _exits(conv, result, index) else index


def _exits(conv: Conventions, result: Result, index: int) -> bool:
    """Whether a deal with a bid ends a row of raspas (выход)."""
    if result.kind == "tricks" and result.level < by_index(conv["raspas.exit_levels"], index):
        return False
    if conv["raspas.exit_on"] == "any_bid":
        return True
    if not is_made(conv, result):
        return False
    if result.kind == "misere":
        return conv["raspas.exit_misere"]
    if result.level == 10 and not conv["raspas.exit_ten"]:
        return False
    return conv["raspas.exit_unwhisted"] or bool(result.who_said("whist"))


# The end of the pulka


def call_time(conv: Conventions, sheet: Sheet) -> None:
    """Time is up before the next deal: no more deals, or the round's rest and a last round."""
    assert sheet.deals_left is None
    was_over = is_over(conv, sheet)
    rest_of_round = -sheet.n_deals % sheet.n
    sheet.deals_left = rest_of_round + sheet.n if conv["end.last_round"] else 0
    if is_over(conv, sheet) and not was_over:
        _prize_for_lowest_mountain(conv, sheet)


def is_over(conv: Conventions, sheet: Sheet) -> bool:
    """Every pool closed (Code of Preferans 4.2.14), their sum reached (4.2.3.3), or time up.

    In razboinik, all rows played.
    """
    if sheet.rows:
        return not any(open_rows(rows) for rows in sheet.rows)
    closed = [pool >= sheet.target for pool in sheet.pool]
    return {
        "each": all(closed),
        "sum": sheet.pools_full(),
        "sum_and_exit": sheet.pools_full() and sheet.raspas_index == 0,
        "time": sheet.deals_left == 0,
        "time_and_close": sheet.deals_left == 0 and any(closed),
    }[conv["end.when"]]


# Settlement


def settle(conv: Conventions, sheet: Sheet) -> list[Fraction]:
    """Everyone's result in whists (Code of Preferans 4.2.14); the sum is exactly zero.

    Pool points go off the mountain first, so that those missing cost as much as mountain points (at
    an early stop too, 4.2.3 and 4.2.3.3). A mountain costs its owner a share on each other player.
    In razboinik the lower sum wins the difference, finished or not.
    """
    if sheet.rows:
        margin = sheet.mountain[1] - sheet.mountain[0]
        return [margin, -margin]
    everyone = range(sheet.n)
    weight = conv["end.pool_weight"] * surplus_share(conv, sheet)
    mountain = [sheet.mountain[i] - weight * sheet.pool[i] for i in everyone]
    mountain = [points - min(mountain) for points in mountain]
    whists = deepcopy(sheet.whists)
    divisor = sheet.n - 1 if conv["end.divisor"] == "opponents" else sheet.n
    if conv["end.rounding"] == "code":
        _move_points(conv, mountain, whists, divisor)
    price = Fraction(conv["end.mountain_whists"], divisor)
    finals = zeros(sheet.n)
    for i in everyone:
        for j in everyone:
            if i != j:
                finals[i] += whists[i][j] - whists[j][i] + price * (mountain[j] - mountain[i])
    assert sum(finals) == 0
    return finals


def _move_points(
    conv: Conventions, mountain: list[Fraction], whists: list[list[Fraction]], divisor: int
) -> None:
    """Code of Preferans 4.2.12: a point off or onto a mountain that does not divide.

    The others write whole whists on the owner of a point taken off, he on them for a point added.
    """
    whole = conv["end.mountain_whists"] // divisor
    for i in range(len(mountain)):
        point = point_to_move(mountain[i], divisor)
        mountain[i] += point
        for j in range(len(mountain)):
            if j != i and point < 0:
                whists[j][i] += whole
            if j != i and point > 0:
                whists[i][j] += whole


def point_to_move(mountain: Fraction, divisor: int) -> int:
    """-1, 0 or 1 point that makes whole whists of a mountain of ten whists a point."""
    halves = 2 * mountain
    if halves.denominator != 1:
        return 0
    if divisor == 3:
        return {0: 0, 1: 1, 2: -1}[int(halves) % 3]
    if divisor == 4 and int(halves) % 4 == 2:
        return -1
    return 0


def deal_values(conv: Conventions, before: Sheet, after: Sheet) -> list[Fraction]:
    """What a deal was worth to each player: settlement after it minus settlement before it."""
    old, new = settle(conv, before), settle(conv, after)
    return [new[i] - old[i] for i in range(after.n)]
