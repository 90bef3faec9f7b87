"""What must hold of deals and pulkas of the refet game: checked over whole arrays.

Sources: Lesnoy, Russian Preferans; Preferansklub rules 7-13. What is written is held against sheets
kept by hand (``benchmarks.refet_ledger``); the entries of the scorer have rules of their own.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.played import Array, Played
from benchmarks.refet_ledger import BASES, BETL, PREFERANS
from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS, SPADES
from scoring.result import INVITED, NO_DECISION, PASSED, UNIT, WHISTED
from sim.state import GAME_BETL, GAME_CALL

Check = Callable[[Played], Array]

RANGES = {
    "kind": (RASPAS, MISERE_GAME),
    "declarer": (-1, 3),
    "level": (6, 10),
    "strain": (0, NO_TRUMP),
    "decision": (NO_DECISION, INVITED),
    "played": (0, 1),
    "without_talon": (0, 1),
    "contra": (0, 4),
    "contra_by": (-1, 3),
    "refet": (0, 1),
    "refets_written": (0, 1),
    "may_refet": (0, 1),
    "bid": (-1, 12),
    "tricks": (0, 10),
}
"""The lowest and the highest value of what other checks count with."""
PAIRS = {
    (PASSED, PASSED),
    (WHISTED, PASSED),
    (PASSED, WHISTED),
    (WHISTED, WHISTED),
    (WHISTED, INVITED),
    (INVITED, WHISTED),
}
"""What the first and the second defender may have said."""
FOREIGN = ("concession", "open_play", "off_mountain", "dark_level", "bomb_level", "after_close")


def _foreign(run: Played) -> Array:
    """Nothing of other games stands in a row."""
    deals = run.deals
    wrong = (deals["last_whister"] != -1) | (deals["raspas_index"] != 0)
    for name in FOREIGN:
        wrong |= deals[name] != 0
    return wrong | ((deals["bid"] < 0) != (run.kind == RASPAS))


def _base(run: Played) -> Array:
    """What each contract counts; 0 where all passed."""
    base = np.array(BASES)[run.deals["strain"]]
    base = np.where(run.deals["level"] == 10, PREFERANS, base)
    base = np.where(run.kind == MISERE_GAME, BETL, base)
    return np.where(run.kind == RASPAS, 0, base)


def _contract(run: Played) -> Array:
    """The contract follows from the last call: not below a number, a suit after a game, or what
    was called."""
    bid, base = run.deals["bid"], _base(run)
    highest = PREFERANS if run.rule("bidding.preferans") else PREFERANS - 1
    game = bid >= GAME_CALL
    wrong = (bid > highest) & ~game | (bid > GAME_CALL - PREFERANS + 3 + highest)
    wrong |= (run.kind != RASPAS) & ((run.deals["without_talon"] == 1) != game)
    wrong |= ~game & (base < bid) & (bid >= 0)
    wrong |= (bid == GAME_CALL) & (base >= BETL)
    wrong |= (bid >= GAME_BETL) & (base != bid - GAME_BETL + BETL)
    wrong |= base > highest
    empty = (run.deals["level"] != 6) | (run.deals["strain"] != 0) | (run.deals["declarer"] != -1)
    ten = (run.deals["level"] == 10) & (run.deals["strain"] != NO_TRUMP)
    return wrong | ((run.kind == RASPAS) & empty) | ten | ((run.kind > 0) & ~_sits_in(run))


def _sits_in(run: Played) -> Array:
    """Whether the declarer is one of those who hold cards."""
    declarer = run.deals["declarer"]
    return (declarer >= 0) & (declarer < run.n) & (declarer != run.sitting)


def _plain_spades(run: Played) -> Array:
    plain = (_base(run) == BASES[SPADES]) & (run.deals["without_talon"] == 0)
    return np.asarray(plain & run.rule("spades.needs_contra"))


def _all_or_nothing(run: Played) -> Array:
    return np.isin(_base(run), (BETL, PREFERANS))


def _parts(run: Played) -> Array:
    """Both defenders have their part, nobody else; who is invited has who invited him."""
    parts = [run.of(run.defender(place), "decision") for place in (1, 2)]
    codes = parts[0] * 8 + parts[1]
    wrong = (run.kind != RASPAS) & ~np.isin(codes, [one * 8 + two for one, two in PAIRS])
    wrong |= _all_or_nothing(run) & (codes != WHISTED * 9)
    everybody = run.deals["decision"].sum(axis=1)
    wrong |= np.where(run.kind == RASPAS, everybody, everybody - parts[0] - parts[1]) != 0
    invited = (run.deals["decision"] == INVITED).any(axis=1)
    may = np.full(len(invited), bool(run.rule("follow.invite"))) & ~_plain_spades(run)
    return wrong | (invited & (~may | (run.deals["contra"] > 0)))


def _contra(run: Played) -> Array:
    """Contra is said by a defender who came, or by the other where one came, and answered."""
    contra, by = run.deals["contra"], run.deals["contra_by"]
    said = run.of(by, "decision")
    came = run.whisters > 0
    may = (said == WHISTED) | ((said == PASSED) & (run.rule("contra.by") == "either"))
    wrong = (contra > 0) != (by >= 0)
    return wrong | (contra > run.rule("contra.levels")) | ((contra > 0) & ~(may & came))


def _played(run: Played) -> Array:
    """A hand is played where somebody came, and plain spades under contra only."""
    due = (run.whisters > 0) & (~_plain_spades(run) | (run.deals["contra"] > 0))
    return run.played != due


def _tricks(run: Played) -> Array:
    """All ten tricks, or as many as it took to fail; none of who does not play."""
    tricks, declarer = run.deals["tricks"], run.deals["declarer"]
    total = tricks.sum(axis=1)
    lost = total - run.taken
    due = np.where(run.kind == MISERE_GAME, run.taken == 1, lost == 11 - run.deals["level"])
    stopped = due & bool(run.rule("tricks.stop"))
    more = np.where(run.kind == MISERE_GAME, run.taken > 1, lost > 11 - run.deals["level"])
    wrong = run.played & (total != 10) & ~stopped
    wrong |= run.played & more & bool(run.rule("tricks.stop"))
    wrong |= ~run.played & (total != 0)
    others = np.zeros(len(tricks), np.int64)
    for place in (1, 2):
        player = run.defender(place)
        away = (run.of(player, "decision") == PASSED) & (run.deals["contra"] == 0)
        wrong |= away & (run.of(player, "tricks") > 0)
        others += run.of(player, "tricks")
    return wrong | ((declarer >= 0) & (total != run.taken + others))


def _refets(run: Played) -> Array:
    """What the sheet before the deal says of it, and whether it left a refet."""
    wrong = np.zeros(len(run.deals), bool)
    for name in ("refet", "may_refet", "remaining", "refets_written"):
        wrong |= run.deals[name] != getattr(run.ledger, name)
    return wrong


def _values(run: Played) -> Array:
    return (run.deals["value"] != run.ledger.value).any(axis=1)


def _even(run: Played) -> Array:
    """Column points are even while what is left is; neither pools nor bonuses are written."""
    entries, unit = run.entries, 2 * UNIT if run.n * run.pool % 2 == 0 else UNIT
    wrong = (entries["mountain_entry"] % unit != 0).any(axis=1)
    return wrong | entries["gain"].any(axis=1) | entries["bonus"].any(axis=1)


def _falls(run: Played) -> Array:
    """The columns' sum falls by a made hand with nobody short, and that has no contra."""
    entries = run.entries["mountain_entry"]
    declarer = run.deals["declarer"]
    his = np.where(declarer >= 0, entries[np.arange(len(entries)), declarer], 0)
    change, short = entries.sum(axis=1), entries.sum(axis=1) - his
    may_fall = (his < 0) & (short == 0) & (run.deals["contra"] == 0)
    return ((change < 0) & ~may_fall) | (short < 0) | ((his < 0) & (short > 0) & (change < 0))


def _soup(run: Played) -> Array:
    """Soup is on the declarer, of his opponents, for so many tricks as may be written."""
    entries = run.entries["whist_entry"].reshape(-1, 4, 4)
    declarer = run.deals["declarer"]
    on_him = entries[np.arange(len(entries)), :, declarer] * (declarer >= 0)[:, None]
    wrong = (entries.sum(axis=2) != on_him).any(axis=1) | (entries < 0).any(axis=(1, 2))
    value = 2 * UNIT * (_base(run) + run.deals["without_talon"]) << run.deals["contra"]
    value = value << run.deals["refet"]
    most = np.where(_all_or_nothing(run), 10, run.rule("tricks.soup_most"))
    wrong |= on_him.sum(axis=1) > most * value
    return wrong | (on_him[np.arange(len(on_him)), np.maximum(declarer, 0)] != 0)


def _sitting(run: Played) -> Array:
    """Who sits out or stays out writes nothing."""
    entries, deals = run.entries, run.deals
    writes = (entries["mountain_entry"] != 0) | entries["whist_entry"].reshape(-1, 4, 4).any(axis=2)
    at_table = np.zeros_like(writes)
    rows = np.arange(len(deals))
    for player in (deals["declarer"], run.defender(1), run.defender(2)):
        at_table[rows, np.maximum(player, 0)] |= player >= 0
    away = (deals["decision"] == PASSED) & (deals["contra_by"][:, None] != np.arange(4))
    each_own = (deals["contra"] > 0) & (run.rule("contra.soup") == "each_own")
    return (writes & (~at_table | (away & ~each_own[:, None]))).any(axis=1)


def _sheets(run: Played) -> Array:
    """The last sheets: columns, soup and refets, no pools and no table of rows."""
    pulkas = run.pulkas
    wrong = (pulkas["mountain"] != run.ledger.columns).any(axis=1)
    wrong |= (pulkas["refets"] != run.ledger.refets).any(axis=1)
    wrong |= pulkas["refets_given"] != run.ledger.refets_given
    wrong |= (pulkas["whists"].reshape(-1, 4, 4) != run.ledger.soup).any(axis=(1, 2))
    return wrong | pulkas["pool"].any(axis=1) | (pulkas["row"] != -1).any(axis=1)


def _ends(run: Played) -> Array:
    """Over exactly when nothing is left of the columns, or the limit of deals stops it."""
    left = run.pulkas["mountain"].sum(axis=1)
    over = run.pulkas["unfinished"] == 0
    wrong = over != (left <= 0)
    if run.rule("last.made") == "cap":
        wrong |= left < 0
    return wrong | (~over & (run.pulkas["n_deals"] < run.most)) | (run.pulkas["n_deals"] > run.most)


DEAL_CHECKS: dict[str, Check] = {
    "nothing of other games stands in a row, and a call in all but those passed": _foreign,
    "the declarer holds cards, and his contract follows from the last call": _contract,
    "the defenders' parts are an end of their words": _parts,
    "contra is said by who may say it, as often as it may be": _contra,
    "a hand is played where somebody plays against it": _played,
    "a played hand has ten tricks, or stops when the declarer has failed": _tricks,
    "refets are given and used as the sheet says, and so much is left": _refets,
    "column points are even, and nothing is written in a pool": _even,
    "the columns' sum falls by made hands without contra or a short follower alone": _falls,
    "soup is written on the declarer for five tricks at most": _soup,
    "who sits out or stays out writes nothing": _sitting,
    "a hand is worth what is written for it": _values,
}
PULKA_CHECKS: dict[str, Check] = {
    "columns, soup and refets are what the hands wrote": _sheets,
    "a pulka of columns ends when nothing is left of them": _ends,
}
"""What holds of deals and of pulkas: a sentence, and which rows break it."""
