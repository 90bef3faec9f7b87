"""What must hold for every finished deal and pulka, whoever plays: checked over whole arrays.

The rules are told here once more, in words of their own; nothing of the engine is asked, except
that the scorer must give the same sheet again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks import invariants_of_two, invariants_refet
from benchmarks.played import Array, Played, ladder, level_of
from benchmarks.whist_outcomes import DEALER, FIRST, NOBODY, SECOND, outcomes
from scoring.batch import to_results, write_pulkas
from scoring.contract import (
    MISERE,
    MISERE_GAME,
    MISERE_WITHOUT,
    N_CONTRACTS,
    N_ROWS,
    NO_TRUMP,
    RASPAS,
    TRICKS,
)
from scoring.result import HALF_WHISTED, NO_DECISION, UNIT, WHISTED
from sim.deals import N_DEALS, draw_deal, unrank

MOST_IN_A_ROW = 3
"""Dark passes in a row and bombs count up to eight times the price (a fir-tree twice that)."""
LONGEST_ROW = 7
"""Raspas in a row are counted up to this number."""
N_SAMPLED = 50
"""Rows of a run whose cards are looked up by their number."""


Check = Callable[[Played], Array]
DEAL_CHECKS: dict[str, Check] = {}
"""What holds of deals: a sentence, and which rows break it."""
PULKA_CHECKS: dict[str, Check] = {}
"""What holds of pulkas: a sentence, and which rows break it."""
REFET_DEAL_CHECKS: dict[str, Check] = {}
REFET_PULKA_CHECKS: dict[str, Check] = {}
"""The same of the refet game: what holds of all games, and its own."""


def deals_have(sentence: str, of_all: bool = False) -> Callable[[Check], Check]:
    """Decorator: a function that tells for each deal whether it breaks the sentence, ``of_all``
    games or of all but the refet game."""

    def keep(check: Check) -> Check:
        DEAL_CHECKS[sentence] = check
        if of_all:
            REFET_DEAL_CHECKS[sentence] = check
        return check

    return keep


def pulkas_have(sentence: str, of_all: bool = False) -> Callable[[Check], Check]:
    """The same for each pulka."""

    def keep(check: Check) -> Check:
        PULKA_CHECKS[sentence] = check
        if of_all:
            REFET_PULKA_CHECKS[sentence] = check
        return check

    return keep


def checks_of(run: Played) -> tuple[dict[str, Check], dict[str, Check]]:
    """The checks of deals and of pulkas for this run's family."""
    if run.variant.has_columns:
        return REFET_DEAL_CHECKS, REFET_PULKA_CHECKS
    return DEAL_CHECKS, PULKA_CHECKS


def find_violation(run: Played) -> str | None:
    """The first deal or pulka that breaks a rule, in one sentence; None if there is none.

    Checks stand in an order: each may count on what those before it have found.
    """
    of_deals, of_pulkas = checks_of(run)
    for sentence, check in of_deals.items():
        broken = np.flatnonzero(check(run))
        if len(broken):
            row = run.deals[broken[0]]
            where = f"pulka {row['pulka']}, deal {row['deal']} (number {row['number']})"
            return f"{run.variant.name}, {run.n} players, {where}: not so that {sentence}"
    for sentence, check in of_pulkas.items():
        broken = np.flatnonzero(check(run))
        if len(broken):
            where = f"pulka {run.pulkas[broken[0]]['pulka']}"
            return f"{run.variant.name}, {run.n} players, {where}: not so that {sentence}"
    return None


RANGES = {
    "kind": (RASPAS, MISERE_GAME),
    "declarer": (-1, 3),
    "level": (6, 10),
    "strain": (0, NO_TRUMP),
    "decision": (NO_DECISION, HALF_WHISTED),
    "last_whister": (-1, 3),
    "played": (0, 1),
    "open_play": (0, 1),
    "without_talon": (0, 1),
    "off_mountain": (0, 1),
    "raspas_index": (0, LONGEST_ROW),
    "dark_level": (0, MOST_IN_A_ROW),
    "bomb_level": (0, MOST_IN_A_ROW + 1),
    "bid": (-1, N_CONTRACTS - 1),
    "tricks": (0, 10),
    "number": (0, N_DEALS - 1),
    "contra": (0, 0),
    "contra_by": (-1, -1),
    "refet": (0, 0),
    "may_refet": (0, 0),
    "remaining": (0, 0),
    "refets_written": (0, 0),
}
"""The lowest and the highest value of what other checks count with."""


@deals_have("every number is in its range, and the dealer at the table", True)
def _in_range(run: Played) -> Array:
    """The other checks count on it."""
    wrong = (run.deals["dealer"] < 0) | (run.deals["dealer"] >= run.n)
    columns = run.variant.has_columns
    for name, (low, high) in (invariants_refet.RANGES if columns else RANGES).items():
        values = run.deals[name].reshape(len(run.deals), -1)
        wrong |= ((values < low) | (values > high)).any(axis=1)
    return wrong


# Cards and tricks


@deals_have("deals are counted from 0 within pulkas in order", True)
def _counted(run: Played) -> Array:
    steps = np.diff(run.deals["deal"], prepend=-1)
    return np.where(run.first, run.deals["deal"] != 0, steps != 1)


@deals_have(
    "a deal's number follows from seed, pulka and deal, and its talon has these units", True
)
def _numbered(run: Played) -> Array:
    broken = np.zeros(len(run.deals), bool)
    left = run.razboinik and run.rule("razboinik.talon") == "none"
    left |= run.variant.has_columns and not run.rule("bidding.talon_shown")
    for k in np.linspace(0, len(run.deals) - 1, min(N_SAMPLED, len(run.deals))).astype(int):
        row = run.deals[k]
        number = int(row["number"])
        units = quick_tricks(int(unrank(number)[3]))
        if row["kind"] == RASPAS or row["without_talon"] or left:
            units = 0
        drawn = draw_deal(run.seed, int(row["pulka"]), int(row["deal"]))
        broken[k] |= number != drawn or int(row["talon_units"]) != units
    return broken


def quick_tricks(talon: int) -> int:
    """Quick tricks in two cards (быстрые взятки; Rules of the sport federation 6)."""
    cards = sorted((card & 7, card >> 3) for card in range(32) if talon >> card & 1)
    (low, suit), (high, other) = cards
    if (low, high) == (7, 7):
        return 3
    if suit == other and (low, high) in ((6, 7), (5, 6)):
        return low - 4
    return int(high == 7)


def _most_lost(run: Played) -> Array:
    """The most tricks that may be nobody's: a dummy's that plays its lowest cards, and those of
    the talon's two cards where they may win."""
    if run.n != 2 or not run.has_auction:
        return np.zeros(len(run.deals), int)
    blind = (run.kind == TRICKS) & (run.deals["open_play"] == 0) & ~run.checked
    raspas = run.kind == RASPAS
    lowest = blind & (run.rule("dummy.blind") == "lowest")
    lowest |= raspas & (run.rule("dummy.raspas") == "lowest")
    may_win = 2 if run.rule("raspas.talon_two") == "may_win" else 0
    return np.where(lowest, 10, np.where(raspas, may_win, 0))


@deals_have("a played deal has ten tricks, less those that are nobody's, and another none")
def _ten_tricks(run: Played) -> Array:
    tricks = run.deals["tricks"].sum(axis=1)
    return (tricks > 10 * run.played) | (tricks < (10 - _most_lost(run)) * run.played)


@deals_have("who does not exist, sits out or gave his hand to the dealer takes no trick")
def _no_tricks(run: Played) -> Array:
    absent = run.deals["tricks"][:, run.n :].any(axis=1)
    leads = run.n == 4 and run.rule("raspas.talon_four") == "dealer_plays"
    his = run.of(run.sitting, "tricks")
    allowed = np.where(run.kind == RASPAS, 2 if leads else 0, 0)
    allowed = np.where(run.of(run.sitting, "decision") == WHISTED, 10, allowed)
    gave = np.zeros(len(run.deals), bool)
    for place in (1, 2):
        player = run.defender(place)
        out = (run.kind == TRICKS) & run.played & run.has_auction
        out &= run.of(player, "decision") == NO_DECISION
        gave |= out & (run.of(player, "tricks") > 0)
    return absent | (his > allowed) | gave


@deals_have("raspas and misère are played; a contract is played exactly if somebody whisted")
def _played(run: Played) -> Array:
    """Two players may have no raspas; all of razboinik is played."""
    raspas = not (run.n == 2 and run.rule("dummy.raspas") == "no_raspas")
    due = np.where(run.kind == RASPAS, raspas, True)
    if run.has_auction:
        due = np.where(run.kind == TRICKS, run.whisters > 0, due)
    return run.played != due


# The auction and the contract


@deals_have("all passed exactly if nobody bid, and then there is no declarer and no contract")
def _raspas(run: Played) -> Array:
    deals, raspas = run.deals, run.kind == RASPAS
    wrong = (deals["declarer"] < 0) != raspas
    if run.has_auction:
        wrong |= ((deals["bid"] < 0) != raspas) | ((deals["n_bids"] == 0) != raspas)
    empty = (
        "concession",
        "off_mountain",
        "without_talon",
        "talon_units",
        "open_play",
        "bomb_level",
    )
    for name in empty:
        wrong |= raspas & (deals[name] != 0)
    return wrong | ((run.kind != TRICKS) & ((deals["level"] != 6) | (deals["strain"] != 0)))


@deals_have("the declarer holds cards")
def _declarer(run: Played) -> Array:
    declarer = run.deals["declarer"]
    return (declarer >= run.n) | ((declarer >= 0) & (declarer == run.sitting))


@deals_have("the bid stands on the ladder, and not below the lowest level")
def _bid(run: Played) -> Array:
    bid = run.deals["bid"]
    off_ladder = run.rungs[np.maximum(bid, 0)] < 0
    return (bid >= 0) & (off_ladder | (level_of(bid) < run.lowest_level))


@deals_have("there are no more bids than rungs, and without jumps the first is the lowest")
def _n_bids(run: Played) -> Array:
    codes = np.array(ladder(run.variant))
    allowed = level_of(codes)[None, :] >= run.lowest_level[:, None]
    wrong = run.deals["n_bids"] > allowed.sum(axis=1)
    if not run.rule("auction.jumps"):
        lowest = codes[np.argmax(allowed, axis=1)]
        wrong |= (run.deals["n_bids"] == 1) & (run.deals["bid"] != lowest)
    return wrong


@deals_have("the contract is of the bid's kind and talon, and is the bid or outranks it")
def _contract(run: Played) -> Array:
    bid, bids = run.deals["bid"], (run.kind != RASPAS) & run.has_auction
    wrong = bids & ((run.deals["without_talon"] == 1) != (bid >= MISERE_WITHOUT))
    is_misere = (bid == MISERE) | (bid == MISERE_WITHOUT)
    wrong |= bids & (is_misere != (run.kind == MISERE_GAME))
    rungs = run.rungs[np.clip(run.contract, 0, len(run.rungs) - 1)]
    return wrong | (bids & (rungs < run.rungs[np.maximum(bid, 0)]))


@deals_have("only a contract with the talon is conceded, at the bid, for the agreed undertricks")
def _conceded(run: Played) -> Array:
    agreed = run.rule("contract.concession")
    conceded = run.deals["concession"] != 0
    fits = (run.kind == TRICKS) & (run.deals["without_talon"] == 0)
    fits &= ~run.played & (run.contract == run.deals["bid"])
    fits &= (run.deals["concession"] == agreed) & ~run.deals["decision"].any(axis=1)
    return conceded & ~fits


# Whist


@deals_have("the defenders' parts and the last whister are an end of the whist calls")
def _parts(run: Played) -> Array:
    whisted = (run.kind == TRICKS) & (run.deals["concession"] == 0) & run.has_auction
    seats = {FIRST: run.defender(1), SECOND: run.defender(2), DEALER: run.sitting}
    parts = [run.of(player, "decision") for player in seats.values()]
    last = np.full(len(run.deals), -2)
    last[run.deals["last_whister"] < 0] = NOBODY
    for place, player in seats.items():
        last[(run.deals["last_whister"] == player) & (player >= 0)] = place
    codes = sum(part << 3 * k for k, part in enumerate((*parts, last + 2)))
    silent = ~run.deals["decision"].any(axis=1) & (run.deals["last_whister"] == -1)
    wrong = ~whisted & ~silent
    contracts = np.unique(np.stack([run.deals["level"], run.deals["strain"]])[:, whisted], axis=1)
    for level, strain in contracts.T:
        mine = whisted & (run.deals["level"] == level) & (run.deals["strain"] == strain)
        ends = outcomes(run.variant, int(level), int(strain), run.n)
        known = [sum(x << 3 * k for k, x in enumerate((*end[:3], end[3] + 2))) for end in ends]
        wrong |= mine & ~np.isin(codes, known)
    return wrong


@deals_have("a declarer has no part in the whist, nor has who does not exist")
def _no_part(run: Played) -> Array:
    absent = run.deals["decision"][:, run.n :].any(axis=1)
    return absent | (run.of(run.deals["declarer"], "decision") != NO_DECISION)


@deals_have("only a lone whister plays open, where he may choose to")
def _open(run: Played) -> Array:
    """Two players may have to play open, or blind, and a ten is only checked; in razboinik the
    convention says it all."""
    opened = run.deals["open_play"] != 0
    if not run.has_auction:
        return opened != (run.rule("razboinik.dummy") == "open")
    may = must = run.whisters == 1
    if run.n == 2:
        may = must = may & ~run.checked
        may = may & ("open" in run.rule("dummy.defence"))
        must = must & ("blind" not in run.rule("dummy.defence"))
        return (opened & ~may) | (must & ~opened)
    return opened & ~may


@deals_have("only a contract left alone or a made misère is written off the mountain")
def _off_mountain(run: Played) -> Array:
    written = run.deals["off_mountain"] != 0
    may = run.left_alone | ((run.kind == MISERE_GAME) & run.made)
    if run.rule("values.off_mountain_instead") == 0:
        may = np.zeros(len(may), bool)
    return written & ~may


# From deal to deal


def _row_of_raspas(run: Played) -> Array:
    """The place of each raspas in its unbroken row of raspas, from 1; 0 for other deals, and for
    those thrown in."""
    raspas = (run.kind == RASPAS) & run.played
    index = np.arange(len(raspas))
    breaks = np.where(raspas & ~run.first, -1, index - (raspas & run.first))
    return np.where(raspas, index - np.maximum.accumulate(breaks), 0)


@deals_have("the last player deals first; the deal passes to the left, or stays after raspas", True)
def _dealer(run: Played) -> Array:
    dealer = run.deals["dealer"]
    stays = np.zeros(len(dealer), bool)
    if run.rule("deal.after_raspas") == "stays":
        place = _row_of_raspas(run)
        stays = (place > 0) & (place % run.rule("deal.stays_most") != 0)
    due = np.where(stays, dealer, (dealer + 1) % run.n)
    return np.where(run.first, dealer != run.n - 1, False) | (
        ~run.last & (run.next_of(dealer) != due)
    )


@deals_have("raspas in a row are counted from 0, up to a deal that ends the row")
def _raspas_index(run: Played) -> Array:
    index = run.deals["raspas_index"]
    raspas = (run.kind == RASPAS) & run.played
    due = np.where(raspas, np.minimum(index + 1, LONGEST_ROW), index)
    due = np.where(run.exits, 0, due)
    return (run.first & (index != 0)) | (~run.last & (run.next_of(index) != due))


@deals_have("dark passes count at raspas, one more each time in a row, up to three")
def _dark_level(run: Played) -> Array:
    dark = run.deals["dark_level"]
    before = np.append(0, np.where(run.last | run.thrown_in, 0, dark)[:-1])
    due = np.minimum(before + 1, MOST_IN_A_ROW)
    allowed = (run.kind == RASPAS) & run.rule("auction.dark_pass")
    return (dark != 0) & ~(allowed & (dark == due))


class _Marks:
    """Bombs and fir-trees of the players of a pulka, deal by deal."""

    def __init__(self, run: Played) -> None:
        self.bomb_rule = run.rule("auction.bombs")
        self.tree_rule = run.rule("raspas.fir_trees")
        sits = run.n == 4 and run.rule("raspas.talon_four") != "dealer_plays"
        self.players = [
            set(range(run.n)) - ({dealer} if sits else set()) for dealer in range(run.n)
        ]
        self.bombs, self.trees = [0] * 4, [0] * 4

    def double(self, declarer: int) -> int:
        """How many times all that is written for a contract doubles."""
        return self.bombs[declarer] + (self.trees[declarer] > 0)

    def after_contract(self, declarer: int, made: bool) -> None:
        """The contract uses marks up."""
        if made or self.bomb_rule == "next_contract":
            self.bombs[declarer] = 0
        self.trees[declarer] = max(0, self.trees[declarer] - 1)

    def after_raspas(self, dealer: int, dark: int, tricks: list[int]) -> None:
        """Raspas that were played leave marks."""
        players = self.players[dealer]
        if self.bomb_rule != "none" and dark:
            eldest = (dealer + 1) % len(self.players)
            self.bombs[eldest] = min(self.bombs[eldest] + 1, MOST_IN_A_ROW)
        if self.tree_rule != "none":
            most = min(tricks[i] for i in players) if self.tree_rule == "lowest" else 10
            for i in players:
                self.trees[i] += tricks[i] <= most


@deals_have("bombs and fir-trees of raspas double their owner's contracts")
def _bomb_level(run: Played) -> Array:
    if run.rule("auction.bombs") == "none" and run.rule("raspas.fir_trees") == "none":
        return run.deals["bomb_level"] != 0
    broken = np.zeros(len(run.deals), bool)
    marks = _Marks(run)
    names = ("dealer", "declarer", "dark_level", "bomb_level", "tricks", "played")
    columns = [run.deals[name].tolist() for name in names]
    rest = (run.first.tolist(), run.made.tolist())
    for k, (dealer, declarer, dark, level, tricks, played, first, made) in enumerate(
        zip(*columns, *rest, strict=True)
    ):
        marks = _Marks(run) if first else marks
        if declarer >= 0:
            broken[k] = level != marks.double(declarer)
            marks.after_contract(declarer, made)
        elif played:
            marks.after_raspas(dealer, dark, tricks)
    return broken


@deals_have("the whist turns responsible once for all, and only by the convention")
def _after_close(run: Played) -> Array:
    after = run.deals["after_close"]
    if not run.rule("whist.responsible_after_close"):
        return after != 0
    return (run.first & (after != 0)) | (~run.last & (run.next_of(after) < after))


# Points


@deals_have("what a deal is worth sums to zero", True)
def _values(run: Played) -> Array:
    value = run.deals["value"]
    return (value.sum(axis=1) != 0) | value[:, run.n :].any(axis=1)


@pulkas_have("there is one row for each pulka, and its deals are all there", True)
def _whole(run: Played) -> Array:
    if len(run.pulkas) != len(run.starts):
        return np.ones(len(run.pulkas), bool)
    wrong = run.pulkas["pulka"] != run.deals["pulka"][run.starts]
    return wrong | (run.pulkas["n_deals"] != run.ends - run.starts)


@pulkas_have("the result is the sum of its deals, and sums to zero", True)
def _results(run: Played) -> Array:
    sums = np.add.reduceat(run.deals["value"], run.starts)
    result = run.pulkas["result"]
    return (sums != result).any(axis=1) | (result.sum(axis=1) != 0)


@pulkas_have("pools are not below zero, nor over what they are filled to")
def _pools(run: Played) -> Array:
    pool = run.pulkas["pool"]
    wrong = np.any(pool < 0, axis=1) | pool[:, run.n :].any(axis=1)
    if run.rule("help.pool"):
        wrong |= (pool > UNIT * run.pool).any(axis=1)
    elif run.rule("end.overshoot") == "truncate":
        wrong |= pool.sum(axis=1) > UNIT * run.pool * run.n
    return wrong


@pulkas_have("mountains are below zero only where something can be written off beyond it")
def _mountains(run: Played) -> Array:
    mountain = run.pulkas["mountain"]
    wrong: Array = np.any(mountain[:, run.n :], axis=1)
    below = run.rule("raspas.zero_column") == "mountain" or run.rule("values.off_mountain_instead")
    leftover = run.rule("help.pool") and run.rule("end.leftover") == "mountain"
    if not below and (not leftover or run.rule("help.mountain")):
        wrong |= (mountain < 0).any(axis=1)
    return wrong


@pulkas_have("whists are not below zero, on oneself none", True)
def _whists(run: Played) -> Array:
    whists = run.pulkas["whists"].reshape(-1, 4, 4)
    own = np.einsum("pii->pi", whists).any(axis=1)
    absent = whists[:, run.n :].any(axis=(1, 2)) | whists[:, :, run.n :].any(axis=(1, 2))
    return (whists < 0).any(axis=(1, 2)) | own | absent


def _deals_by_time(run: Played) -> Array:
    """The deals of each pulka with its last round, if its time was up; else more than any."""
    seconds = (run.rule("end.unplayed_seconds"), run.rule("end.deal_seconds"))
    cost = np.where(run.played, seconds[1], seconds[0])
    total = np.cumsum(cost)
    before = np.repeat((total - cost)[run.starts], run.ends - run.starts)
    late = total - before >= 60 * run.rule("end.minutes")
    up_at = np.where(late, run.deals["deal"] + 1, np.iinfo(np.int64).max)
    at = np.minimum.reduceat(up_at, run.starts)
    if run.rule("end.last_round"):
        at = np.where(at <= run.most, at + -at % run.n + run.n, at)
    return at


@pulkas_have("it ends when the variant says so: not before, and not later")
def _ends(run: Played) -> Array:
    pool, when = run.pulkas["pool"][:, : run.n], run.rule("end.when")
    full = (pool >= UNIT * run.pool).sum(axis=1)
    n_deals = run.pulkas["n_deals"]
    too_long = n_deals > run.most
    if not run.has_auction:
        over = n_deals == 2 * N_ROWS
    elif when == "each":
        over = full == run.n
    elif when.startswith("sum"):
        over = pool.sum(axis=1) >= UNIT * run.pool * run.n
        if when == "sum_and_exit":
            over &= (
                run.exits[run.ends - 1]
                | ((run.kind != RASPAS) & (run.deals["raspas_index"] == 0))[run.ends - 1]
            )
    else:
        due = _deals_by_time(run)
        over = n_deals >= due
        if when == "time":
            too_long |= n_deals > due
        else:
            over &= full > 0
    early = (run.pulkas["unfinished"] == 1) & (n_deals < run.most)
    return too_long | early | (over == (run.pulkas["unfinished"] == 1))


DEAL_CHECKS |= invariants_of_two.DEAL_CHECKS
PULKA_CHECKS |= invariants_of_two.PULKA_CHECKS
REFET_DEAL_CHECKS |= invariants_refet.DEAL_CHECKS
REFET_PULKA_CHECKS |= invariants_refet.PULKA_CHECKS


@pulkas_have("the scorer writes the same sheet from the rows, and ends there", True)
def _scored_again(run: Played) -> Array:
    rules = run.variant.rules(run.n, run.pool)
    values, sheets, ended = write_pulkas(rules, to_results(run.deals), run.ends)
    wrong = ended == run.pulkas["unfinished"]
    wrong |= sheets["n_deals"] != run.pulkas["n_deals"]
    for name in ("pool", "mountain", "whists", "row"):
        wrong |= (sheets[name] != run.pulkas[name]).any(axis=1)
    differs = (values != run.deals["value"]).any(axis=1)
    return wrong | np.maximum.reduceat(differs, run.starts)
