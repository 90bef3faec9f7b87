"""Writing a deal on the sheet and settling the sheet, in exact fractions."""

from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .cards import HANDS, LEVELS, by_index

Conventions = dict[str, Any]
Result = dict[str, Any]

WHISTS_PER_POINT = 10
"""A point of help, and a point on the mountain, is worth ten whists."""


def _zeros(n: int) -> list[Fraction]:
    return [Fraction(0)] * n


def _zero_table(n: int) -> list[list[Fraction]]:
    return [_zeros(n) for _ in range(n)]


@dataclass
class Sheet:
    """The score sheet: `whists[i][j]` is what player i has written on player j."""

    n: int = 3
    target: int = 10
    pool: list[Fraction] = field(default_factory=list)
    mountain: list[Fraction] = field(default_factory=list)
    whists: list[list[Fraction]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pool = self.pool or _zeros(self.n)
        self.mountain = self.mountain or _zeros(self.n)
        self.whists = self.whists or _zero_table(self.n)

    def copy(self) -> "Sheet":
        """Return an independent copy, e.g. to keep the sheet as it was before a deal."""
        return deepcopy(self)


@dataclass
class Records:
    """What one deal gives each player, before any help.

    `pool` lists (player, gain) in the order of writing, `mountain[player]` and `whists[i][j]` are
    changes.
    """

    pool: list[tuple[int, Fraction]] = field(default_factory=list)
    mountain: list[Fraction] = field(default_factory=lambda: _zeros(3))
    whists: list[list[Fraction]] = field(default_factory=lambda: _zero_table(3))


def level_value(conv: Conventions, name: str, level: int) -> Fraction:
    """Take a value by level, e.g. `level_value(conv, "whist", 6)`."""
    return Fraction(conv[f"values.{name}"][LEVELS.index(level)])


# One deal


def score_deal(conv: Conventions, result: Result, player_of: list[int]) -> Records:
    """Score a finished deal; `player_of[hand]` is the player who sat in that hand."""
    records = Records()
    if result["kind"] == "raspas":
        _score_raspas(conv, result, player_of, records)
    elif result["kind"] == "misere":
        _score_misere(conv, result, player_of, records)
    elif result["conceded"]:
        _score_concession(conv, result, player_of, records)
    else:
        _score_tricks(conv, result, player_of, records)
    return records


def undertricks(result: Result) -> int:
    """Tricks the declarer of a trick contract is short; none if the cards were not played."""
    if not result["played"]:
        return 0
    return max(0, result["level"] - result["tricks"][result["declarer"]])


def _score_misere(
    conv: Conventions, result: Result, player_of: list[int], records: Records
) -> None:
    """Misere: pool points for no trick, else mountain by the trick; nobody writes whists."""
    declarer = result["declarer"]
    taken = result["tricks"][declarer]
    if taken == 0:
        records.pool.append((player_of[declarer], Fraction(conv["misere.made"])))
    else:
        records.mountain[player_of[declarer]] += Fraction(conv["misere.undertrick"]) * taken


def _score_concession(
    conv: Conventions, result: Result, player_of: list[int], records: Records
) -> None:
    """Concession: an agreed number of undertricks at the level bid, and no whists."""
    price = level_value(conv, "undertrick", result["level"])
    records.mountain[player_of[result["declarer"]]] += price * conv["contract.concession"]


def _score_tricks(
    conv: Conventions, result: Result, player_of: list[int], records: Records
) -> None:
    """A trick contract (Code of Preferans 3.8.1): declarer, whists, consolation, remise."""
    level = result["level"]
    declarer = player_of[result["declarer"]]
    short = undertricks(result)
    if short == 0:
        records.pool.append((declarer, level_value(conv, "made", level)))
    else:
        records.mountain[declarer] += level_value(conv, "undertrick", level) * short
    for hand, whists in defenders_whists(conv, result).items():
        records.whists[player_of[hand]][declarer] += whists
    for hand, points in whisters_remise(conv, result).items():
        records.mountain[player_of[hand]] += points


def _hands_with(result: Result, status: str) -> list[int]:
    return [hand for hand in sorted(result["whist"]) if result["whist"][hand] == status]


def defenders_whists(conv: Conventions, result: Result) -> dict[int, Fraction]:
    """Whists each defender writes on the declarer: half-whist, tricks and consolation."""
    level = result["level"]
    whisters = _hands_with(result, "whist")
    passers = _hands_with(result, "pass")
    price = level_value(conv, "whist", level)
    whists = {hand: Fraction(0) for hand in result["whist"]}
    if not whisters:
        for hand in _hands_with(result, "half"):
            whists[hand] = price * level_value(conv, "duty", level) / 2
        return whists

    defenders_tricks = 10 - result["tricks"][result["declarer"]]
    short = undertricks(result)
    consolation = level_value(conv, "consolation", level) * short
    if len(whisters) == 2:
        for hand in whisters:
            whists[hand] = price * result["tricks"][hand] + consolation
        return whists

    whister, passer = whisters[0], passers[0]
    whists[whister] = price * defenders_tricks
    if short > 0 and conv["whist.style"] == "gentleman":
        whists[whister] = whists[passer] = price * defenders_tricks / 2
    whists[whister] += consolation
    if conv["whist.consolation_passer"] == "own":
        whists[passer] += consolation
    elif conv["whist.consolation_passer"] == "to_whister":
        whists[whister] += consolation
    return whists


def whisters_remise(conv: Conventions, result: Result) -> dict[int, Fraction]:
    """Mountain points of whisters short of their duty (Code of Preferans 3.8.2)."""
    level = result["level"]
    whisters = _hands_with(result, "whist")
    if not whisters or (level == 10 and conv["whist.ten"] == "checked"):
        return {}
    price = level_value(conv, "remise", level)
    duty = level_value(conv, "duty", level)
    if len(whisters) == 1:
        taken = 10 - result["tricks"][result["declarer"]]
        return {whisters[0]: price * max(Fraction(0), duty - taken)}
    if level <= 7:
        shares = _low_shortages(conv, result, whisters, duty)
    else:
        shares = _high_shortages(conv, result, whisters, duty)
    return {hand: price * share for hand, share in shares.items()}


def _own_shortages(result: Result, whisters: list[int], quota: Fraction) -> dict[int, Fraction]:
    return {hand: max(Fraction(0), quota - result["tricks"][hand]) for hand in whisters}


def _pair_shortage(result: Result, whisters: list[int], duty: Fraction) -> Fraction:
    return max(Fraction(0), duty - sum(result["tricks"][hand] for hand in whisters))


def _low_shortages(
    conv: Conventions, result: Result, whisters: list[int], duty: Fraction
) -> dict[int, Fraction]:
    """Two whisters at six or seven, where each owes half of the duty (Code 4.2.1)."""
    own = _own_shortages(result, whisters, duty / 2)
    pair = _pair_shortage(result, whisters, duty)
    if conv["whist.remise"] == "personal_always":
        return own
    if pair == 0:
        return {}
    if conv["whist.remise"] == "personal_if_pair_short":
        return own
    return {hand: min(shortage, pair) for hand, shortage in own.items()}


def _high_shortages(
    conv: Conventions, result: Result, whisters: list[int], duty: Fraction
) -> dict[int, Fraction]:
    """Two whisters at eight to ten, where the pair owes one trick."""
    if conv["whist.remise"] == "personal_always":
        return _own_shortages(result, whisters, duty)
    pair = _pair_shortage(result, whisters, duty)
    if conv["whist.duty_one"] == "both_full":
        return {hand: pair for hand in whisters}
    if conv["whist.duty_one"] == "split":
        return {hand: pair / 2 for hand in whisters}
    last = result["last_whister"]
    return {} if last is None else {last: pair}


def _score_raspas(
    conv: Conventions, result: Result, player_of: list[int], records: Records
) -> None:
    """Raspas (Code of Preferans 3.7.2): tricks to the mountain or into whists; zero bonus."""
    multiplier = by_index(conv["raspas.progression"], result["raspas_index"])
    price = Fraction(conv["raspas.price"] * multiplier)
    if conv["raspas.column"] == "mountain":
        _raspas_to_mountain(conv, result, player_of, records, price)
    else:
        _raspas_to_whists(conv, result, player_of, records, price)

    bonus = conv["raspas.zero_prices"] * price + conv["raspas.zero_points"]
    for hand in HANDS:
        if result["tricks"][hand] == 0:
            if conv["raspas.zero_column"] == "pool":
                records.pool.append((player_of[hand], bonus))
            elif conv["raspas.zero_column"] == "mountain":
                records.mountain[player_of[hand]] -= bonus


def _raspas_to_mountain(
    conv: Conventions, result: Result, player_of: list[int], records: Records, price: Fraction
) -> None:
    """Code of Preferans 3.7.2.1; an amnesty takes the smallest count off everyone's."""
    tricks = result["tricks"]
    forgiven = min(tricks) if conv["raspas.amnesty"] else 0
    for hand in HANDS:
        records.mountain[player_of[hand]] += price * (tricks[hand] - forgiven)


def _raspas_to_whists(
    conv: Conventions, result: Result, player_of: list[int], records: Records, price: Fraction
) -> None:
    """Code of Preferans 3.7.2.2: the lowest taker writes on each who took more."""
    tricks = result["tricks"]
    fewest = min(tricks)
    winners = [hand for hand in HANDS if tricks[hand] == fewest]
    losers = [hand for hand in HANDS if tricks[hand] > fewest]
    for winner in winners:
        for loser in losers:
            counted = tricks[loser]
            if conv["raspas.whists"] == "difference":
                counted -= fewest
            amount = price * counted
            if conv["raspas.tie"] == "halve":
                amount /= len(winners)
            records.whists[player_of[winner]][player_of[loser]] += amount


# The sheet


def apply_deal(conv: Conventions, sheet: Sheet, records: Records) -> None:
    """Write the records of a deal on the sheet (in place), with help where pools are capped."""
    for i in range(sheet.n):
        sheet.mountain[i] += records.mountain[i]
        for j in range(sheet.n):
            sheet.whists[i][j] += records.whists[i][j]
    for player, gain in records.pool:
        if conv["end.when"] == "each":
            _gain_with_help(conv, sheet, player, gain)
        else:
            sheet.pool[player] += gain


def _gain_with_help(conv: Conventions, sheet: Sheet, player: int, gain: Fraction) -> None:
    """Help (Code of Preferans 4.2.3): what does not fit into one's own pool helps another.

    The points go to the fullest open pool, of equal ones to the nearest clockwise; the helper
    writes ten whists a point on the helped. What is left when all pools are closed comes off the
    player's own mountain or is lost.
    """
    gain -= _fill(sheet, player, gain)
    while gain > 0 and _open_pools(sheet):
        helped = _player_to_help(sheet, player)
        points = _fill(sheet, helped, gain)
        sheet.whists[player][helped] += WHISTS_PER_POINT * points
        gain -= points
    if conv["end.leftover"] == "mountain":
        sheet.mountain[player] -= gain


def _fill(sheet: Sheet, player: int, gain: Fraction) -> Fraction:
    """Write as much of the gain as the player's pool can take; return how much that was."""
    points = min(gain, sheet.target - sheet.pool[player])
    sheet.pool[player] += points
    return points


def _open_pools(sheet: Sheet) -> list[int]:
    return [player for player in range(sheet.n) if sheet.pool[player] < sheet.target]


def _player_to_help(sheet: Sheet, helper: int) -> int:
    clockwise = [(helper + step) % sheet.n for step in range(1, sheet.n)]
    candidates = [player for player in clockwise if player in _open_pools(sheet)]
    fullest = max(sheet.pool[player] for player in candidates)
    return next(player for player in candidates if sheet.pool[player] == fullest)


def next_raspas_index(conv: Conventions, k: int, result: Result) -> int:
    """The raspas index of the next deal: one more after raspas, 0 after a deal that exits."""
    if result["kind"] == "raspas":
        return k + 1
    return 0 if _exits(conv, result) else k


def _exits(conv: Conventions, result: Result) -> bool:
    if conv["raspas.exit_on"] == "any_bid":
        return True
    if conv["raspas.exit_on"] == "made":
        return is_made(result)
    whisted = bool(_hands_with(result, "whist"))
    return result["kind"] == "tricks" and is_made(result) and whisted


def is_made(result: Result) -> bool:
    """Whether the declarer made his contract; without play he did, unless he conceded."""
    if result["conceded"]:
        return False
    if result["kind"] == "misere":
        return result["tricks"][result["declarer"]] == 0
    return undertricks(result) == 0


def is_over(conv: Conventions, sheet: Sheet) -> bool:
    """Every pool closed (Code of Preferans 4.2.14), or the sum of the pools reached (4.2.3.3)."""
    if conv["end.when"] == "each":
        return all(pool == sheet.target for pool in sheet.pool)
    return sum(sheet.pool) >= sheet.target * sheet.n


def settle(conv: Conventions, sheet: Sheet) -> list[Fraction]:
    """Everyone's result in whists (Code of Preferans 4.2.14); the sum is exactly zero.

    Pool points missing or in excess go on or off the mountain first (4.2.3 and 4.2.3.3), which is
    the rule for an early stop too. A mountain point costs its owner ten whists, divided among all
    players, the owner included.
    """
    mountain = [
        sheet.mountain[i] + conv["end.pool_weight"] * (sheet.target - sheet.pool[i])
        for i in range(sheet.n)
    ]
    mean = sum(mountain, Fraction(0)) / sheet.n
    finals = []
    for i in range(sheet.n):
        written = sum(sheet.whists[i], Fraction(0))
        against = sum((sheet.whists[j][i] for j in range(sheet.n)), Fraction(0))
        finals.append(written - against + WHISTS_PER_POINT * (mean - mountain[i]))
    assert sum(finals) == 0
    return finals


def deal_values(conv: Conventions, before: Sheet, after: Sheet) -> list[Fraction]:
    """What a deal was worth to each player: settlement after it minus settlement before it."""
    old, new = settle(conv, before), settle(conv, after)
    return [new[i] - old[i] for i in range(after.n)]
