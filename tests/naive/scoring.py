"""What one deal writes, before any help: by player, at tables of two to four, in fractions."""

from dataclasses import dataclass, field
from fractions import Fraction

from .cards import LEVELS, Conventions, by_index

MOST_DARK = 3
"""A fourth dark pass in a row costs no more than the third; nobody has more bombs than these."""


def zeros(n: int) -> list[Fraction]:
    """Return nothing for each of n players."""
    return [Fraction(0)] * n


def zero_table(n: int) -> list[list[Fraction]]:
    """Return nothing for each pair of n players."""
    return [zeros(n) for _ in range(n)]


@dataclass(frozen=True)
class Result:
    """A finished deal by player: all that the scorer may look at.

    `kind` is "raspas", "tricks" or "misere". `tricks` are all zero if no card was `played`; raspas
    that were not are a deal thrown in. Of two players the defender's tricks are those of all the
    hands he played, which if he whisted `blind` is his own. `whist`
    says what each defender ended as: "whist", "pass" or "half" (beside another's "whist": a
    half-whist that was returned). A dealer of four who whists with a defender's hand stands there
    instead of him. `concession` is the number of undertricks conceded. `off_mountain` is the
    declarer's wish to write off the mountain instead of into the pool. `talon_units` are the quick
    tricks in the talon. `dark_pass`: the eldest passed without looking.
    """

    kind: str
    dealer: int
    tricks: list[int]
    declarer: int | None = None
    level: int | None = None
    played: bool = True
    whist: dict[int, str] = field(default_factory=dict)
    last_whister: int | None = None
    blind: bool = False
    concession: int = 0
    off_mountain: bool = False
    talon_units: int = 0
    dark_pass: bool = False

    @property
    def n(self) -> int:
        """Players at the table."""
        return len(self.tricks)

    def in_turn(self) -> list[int]:
        """List all players from the eldest to the dealer."""
        return [(self.dealer + step) % self.n for step in range(1, self.n + 1)]

    def dealt(self) -> list[int]:
        """List those who were dealt cards: of four the dealer sits out."""
        return self.in_turn()[:3]

    def opponents(self) -> list[int]:
        """List those who were dealt cards against the declarer."""
        return [player for player in self.dealt() if player != self.declarer]

    def sitter(self) -> int | None:
        """Who of four takes no part in a contract: the dealer, or he whose hand the dealer took."""
        outside = set(range(self.n)) - {self.declarer} - set(self.whist)
        return outside.pop() if self.n == 4 and len(outside) == 1 else None

    def who_said(self, word: str) -> list[int]:
        """List the defenders who ended as "whist", "pass" or "half"."""
        return [player for player in sorted(self.whist) if self.whist[player] == word]


@dataclass(frozen=True)
class Before:
    """What the sheet says before a deal.

    `raspas_index` and `dark_row` count raspas and dark passes in a row, `bombs` and `fir_trees` are
    by player; `pools_full`: the pools have reached the agreed sum.
    """

    raspas_index: int = 0
    dark_row: int = 0
    bombs: tuple[int, ...] = (0, 0, 0, 0)
    fir_trees: tuple[int, ...] = (0, 0, 0, 0)
    pools_full: bool = False

    def doublings(self, declarer: int) -> int:
        """How often everything is doubled: once for each bomb, once if there are fir-trees."""
        return self.bombs[declarer] + (1 if self.fir_trees[declarer] else 0)


class Records:
    """What one deal gives each player.

    `gain` (contracts) and `bonus` (raspas) go into pools, with help; `mountain` and `whists[i][j]`
    (i on j) are changes as they stand.
    """

    def __init__(self, n: int) -> None:
        self.gain = zeros(n)
        self.bonus = zeros(n)
        self.mountain = zeros(n)
        self.whists = zero_table(n)

    def on_everyone(self, writer: int, amount: Fraction | int) -> None:
        """Write as many whists on each other player at the table."""
        for player in range(len(self.gain)):
            if player != writer:
                self.whists[writer][player] += amount

    def multiply(self, factor: int) -> None:
        """Make everything that is written so many times larger."""
        for row in [self.gain, self.bonus, self.mountain, *self.whists]:
            row[:] = [factor * amount for amount in row]


def level_value(conv: Conventions, name: str, level: int | None) -> Fraction:
    """Take a value by level, e.g. `level_value(conv, "whist", 6)`."""
    assert level is not None
    return Fraction(conv[f"values.{name}"][LEVELS.index(level)])


def score_deal(conv: Conventions, result: Result, before: Before) -> Records:
    """Score a finished deal, by what the sheet said before it."""
    records = Records(result.n)
    if result.kind == "raspas":
        if result.played:
            _score_raspas(conv, result, before, records)
        return records
    if result.kind == "misere":
        _score_misere(conv, result, records)
    elif result.concession:
        _score_concession(conv, result, records)
    else:
        _score_tricks(conv, result, before, records)
    _write_talon_bonus(conv, result, records)
    assert result.declarer is not None
    records.multiply(2 ** before.doublings(result.declarer))
    return records


# What became of the contract


def undertricks(result: Result) -> int:
    """Tricks the declarer of a trick contract is short; none if the cards were not played."""
    if not result.played:
        return 0
    return max(0, result.level - result.tricks[result.declarer])


def overtricks(conv: Conventions, result: Result) -> int:
    """Tricks above the order, if they are punished (недозаказ)."""
    if not conv["contract.underbid_fails"] or not result.played:
        return 0
    return max(0, result.tricks[result.declarer] - result.level)


def is_made(conv: Conventions, result: Result) -> bool:
    """Whether the declarer made his contract; without play he did, unless he conceded."""
    if result.concession:
        return False
    if result.kind == "misere":
        return result.tricks[result.declarer] == 0
    return undertricks(result) == 0 and overtricks(conv, result) == 0


# Contracts


def _write_made(
    conv: Conventions, result: Result, records: Records, player: int, points: Fraction
) -> None:
    """Points of a made contract: into the pool, or off the mountain where that is allowed."""
    rate = conv["values.off_mountain_instead"]
    if rate and result.off_mountain and (result.kind == "misere" or not result.played):
        records.mountain[player] -= rate * points
    else:
        records.gain[player] += points


def _score_misere(conv: Conventions, result: Result, records: Records) -> None:
    """Misere: pool points for no trick, else mountain by the trick.

    At some tables the dealer of four shares both half and half, the defenders write whists on a
    failed misere, and a made one has a prize.
    """
    declarer = result.declarer
    shares = {declarer: Fraction(1)}
    if result.n == 4 and conv["misere.half_with_dealer"]:
        shares = {declarer: Fraction(1, 2), result.dealer: Fraction(1, 2)}
    taken = result.tricks[declarer]
    for player, share in shares.items():
        if taken == 0:
            _write_made(conv, result, records, player, share * conv["misere.made"])
        else:
            records.mountain[player] += share * conv["misere.undertrick"] * taken
    if taken == 0:
        records.on_everyone(declarer, conv["prize.misere_made"])
    for player in result.opponents():
        records.whists[player][declarer] += conv["misere.whists"] * taken


def _score_concession(conv: Conventions, result: Result, records: Records) -> None:
    """Concession («уход без трёх»): undertricks at the level bid, and no whists."""
    price = level_value(conv, "undertrick", result.level)
    records.mountain[result.declarer] += price * result.concession


def _score_tricks(conv: Conventions, result: Result, before: Before, records: Records) -> None:
    """A trick contract (Code of Preferans 3.8.1): declarer, whists, consolation, remise."""
    declarer, level = result.declarer, result.level
    if is_made(conv, result):
        _write_made(conv, result, records, declarer, level_value(conv, "made", level))
    else:
        wrong = undertricks(result) + overtricks(conv, result)
        records.mountain[declarer] += level_value(conv, "undertrick", level) * wrong
    for written in (defenders_whists(conv, result), consolation(conv, result)):
        for player, whists in written.items():
            records.whists[player][declarer] += whists
    for player, points in whisters_remise(conv, result, before.pools_full).items():
        records.mountain[player] += points


def _write_talon_bonus(conv: Conventions, result: Result, records: Records) -> None:
    """Whists for quick tricks in the talon (платный прикуп), whatever became of the contract."""
    if not conv["talon.bonus"]:
        return
    if result.kind == "misere":
        price = Fraction(conv["misere.made"] if conv["talon.bonus_at_misere"] else 0)
    else:
        price = level_value(conv, "whist", result.level)
    amount = price * result.talon_units
    if result.n == 4 or conv["talon.bonus_three"] == "dealer":
        shares = {result.dealer: amount} if result.dealer != result.declarer else {}
    else:
        opponents = result.opponents()
        shares = {player: amount / len(opponents) for player in opponents}
    for player, whists in shares.items():
        records.whists[player][result.declarer] += whists


def defenders_whists(conv: Conventions, result: Result) -> dict[int, Fraction]:
    """Whists of the defenders on the declarer for tricks, or for a half-whist that stands."""
    price = level_value(conv, "whist", result.level)
    whisters = result.who_said("whist")
    if not whisters:
        duty = level_value(conv, "duty", result.level)
        return {player: price * duty / 2 for player in result.who_said("half")}
    if len(whisters) == 2:
        return {player: price * result.tricks[player] for player in whisters}
    return _lone_whisters_whists(conv, result, whisters[0], price)


def _lone_whisters_whists(
    conv: Conventions, result: Result, whister: int, price: Fraction
) -> dict[int, Fraction]:
    """The whister's tricks and the passer's; gentleman's whist shares them half and half.

    The one defender of two players writes his tricks; there is nobody to share them.
    """
    if result.n == 2:
        return {whister: price * result.tricks[whister]}
    failed = undertricks(result) > 0
    counted = 10 - result.tricks[result.declarer]
    if failed and conv["whist.passer_tricks"] == "lost":
        counted = result.tricks[whister]
    shared = conv["whist.style"] == "gentleman" and (failed or conv["whist.gentleman_made"])
    if conv["whist.returner_takes_all"] and result.who_said("half"):
        shared = False
    if shared:
        return {player: price * counted / 2 for player in result.whist}
    return {whister: price * counted}


def consolation(conv: Conventions, result: Result) -> dict[int, Fraction]:
    """Consolation for the declarer's undertricks (Code of Preferans 3.8.1.2)."""
    amount = level_value(conv, "consolation", result.level) * undertricks(result)
    whisters = result.who_said("whist")
    written = {player: amount for player in whisters}
    if len(whisters) == 1 and result.n > 2:
        if conv["whist.consolation_passer"] == "own":
            written = {player: amount for player in result.whist}
        elif conv["whist.consolation_passer"] == "to_whister":
            written = {whisters[0]: 2 * amount}
    sitter = result.sitter()
    if sitter is not None and conv["whist.consolation_dealer"]:
        written[sitter] = amount
    return written


# Remise of the whisters (Code of Preferans 3.8.2, 4.2.1)


def whisters_remise(conv: Conventions, result: Result, pools_full: bool) -> dict[int, Fraction]:
    """Mountain points of whisters short of their duty.

    At some tables a trick costs the whole price once the pools are full.
    """
    whole = pools_full and conv["whist.responsible_after_close"]
    price = level_value(conv, "undertrick" if whole else "remise", result.level)
    return {player: price * short for player, short in _whisters_short(conv, result).items()}


def _whisters_short(conv: Conventions, result: Result) -> dict[int, Fraction]:
    """Tricks the whisters have to answer for."""
    whisters = result.who_said("whist")
    if not whisters or (result.level == 10 and conv["whist.ten"] == "checked"):
        return {}
    if result.n == 2:
        return _lone_shortage(conv, result, whisters[0])
    duty = level_value(conv, "duty", result.level)
    if len(whisters) == 2:
        shortages = _low_shortages if result.level <= 7 else _high_shortages
        return shortages(conv, result, whisters, duty)
    whister = whisters[0]
    dealer_sits = result.n == 4 and whister == result.dealer
    if dealer_sits and not conv["whist.dealer_responsible"]:
        return {}
    return {whister: max(Fraction(0), duty - (10 - result.tricks[result.declarer]))}


def _lone_shortage(conv: Conventions, result: Result, whister: int) -> dict[int, Fraction]:
    """Two players: who whists on his own cards alone may owe another number of tricks."""
    duty = level_value(conv, "duty", result.level)
    if result.blind:
        duty = Fraction(conv["dummy.blind_duty"][LEVELS.index(result.level)])
    return {whister: max(Fraction(0), duty - result.tricks[whister])}


def _own_shortages(result: Result, whisters: list[int], quota: Fraction) -> dict[int, Fraction]:
    return {player: max(Fraction(0), quota - result.tricks[player]) for player in whisters}


def _pair_shortage(result: Result, whisters: list[int], duty: Fraction) -> Fraction:
    return max(Fraction(0), duty - sum(result.tricks[player] for player in whisters))


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
    return {player: min(shortage, pair) for player, shortage in own.items()}


def _high_shortages(
    conv: Conventions, result: Result, whisters: list[int], duty: Fraction
) -> dict[int, Fraction]:
    """Two whisters at eight to ten, where the pair owes one trick."""
    if conv["whist.remise"] == "personal_always":
        return _own_shortages(result, whisters, duty)
    pair = _pair_shortage(result, whisters, duty)
    if conv["whist.duty_one"] == "both_full":
        return {player: pair for player in whisters}
    if conv["whist.duty_one"] == "split":
        return {player: pair / 2 for player in whisters}
    last = result.last_whister
    if last is None:
        return {}
    if conv["whist.duty_one"] == "last_personal":
        return _own_shortages(result, [last], duty)
    return {last: pair}


# Raspas (Code of Preferans 3.7.2)


def raspas_price(conv: Conventions, result: Result, before: Before) -> Fraction:
    """Price of a trick: by raspas in a row, and by dark passes in a row, this one included."""
    price = conv["raspas.price"] * by_index(conv["raspas.progression"], before.raspas_index)
    if result.dark_pass:
        price *= conv["raspas.dark_factor"] ** min(before.dark_row + 1, MOST_DARK)
    return Fraction(price)


def _dealer_leads_talon(conv: Conventions, result: Result) -> bool:
    """The dealer of four leads the talon's cards and may take tricks with them."""
    return result.n == 4 and conv["raspas.talon_four"] == "dealer_plays"


def raspas_players(conv: Conventions, result: Result) -> list[int]:
    """Who takes part in raspas, in turn: of four the dealer only if he plays the talon."""
    return result.in_turn() if _dealer_leads_talon(conv, result) else result.dealt()


def _score_raspas(conv: Conventions, result: Result, before: Before, records: Records) -> None:
    """Tricks to the mountain or into whists; who took none has a bonus, and perhaps a prize."""
    price = raspas_price(conv, result, before)
    players = raspas_players(conv, result)
    if conv["raspas.column"] == "mountain":
        _raspas_to_mountain(conv, result, records, players, price)
    else:
        _raspas_to_whists(conv, result, records, players, price)

    bonus = conv["raspas.zero_prices"] * price + conv["raspas.zero_points"]
    entitled = players if conv["raspas.dealer_zero"] else result.dealt()
    for player in [player for player in entitled if result.tricks[player] == 0]:
        records.on_everyone(player, conv["prize.raspas_zero"])
        if conv["raspas.zero_column"] == "pool":
            records.bonus[player] += bonus
        elif conv["raspas.zero_column"] == "mountain":
            records.mountain[player] -= bonus
    if result.n == 4 and result.dealer not in players:
        records.bonus[result.dealer] += conv["raspas.dealer_pool"]


def _raspas_to_mountain(
    conv: Conventions, result: Result, records: Records, players: list[int], price: Fraction
) -> None:
    """Code of Preferans 3.7.2.1; an amnesty takes the smallest count off everyone's."""
    forgiven = min(result.tricks[player] for player in players) if conv["raspas.amnesty"] else 0
    for player in players:
        records.mountain[player] += price * (result.tricks[player] - forgiven)


def _raspas_to_whists(
    conv: Conventions, result: Result, records: Records, players: list[int], price: Fraction
) -> None:
    """Code of Preferans 3.7.2.2: the lowest taker writes on each who took more."""
    tricks = result.tricks
    fewest = min(tricks[player] for player in players)
    winners = [player for player in players if tricks[player] == fewest]
    losers = [player for player in players if tricks[player] > fewest]
    for winner in winners:
        for loser in losers:
            counted = tricks[loser]
            if conv["raspas.whists"] == "difference":
                counted -= fewest
            amount = price * counted
            if conv["raspas.tie"] == "halve":
                amount /= len(winners)
            records.whists[winner][loser] += amount
