"""What the fit of the refet game's tables is made of: explorers, deals with their cards, followers,
chances by bucket, rules of thumb to start from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from benchmarks.fitting import (
    USUAL_SPREAD,
    Array,
    N,
    count_hands,
    prior_tables,
    suit_columns,
)
from bots.api import (
    ALONE,
    BIDDING,
    CARD,
    COME,
    COMES,
    CONTRA,
    CONTRACT,
    DISCARD,
    NO_CONTRA,
    PASS,
    SAYS_CONTRA,
    STAYS,
    below,
    bot,
    ctz,
    kernel,
)
from bots.cautious import N_MEMORY, decide
from bots.club_play import choose_card
from bots.hand_tables import BUCKETS, catch_table, fitted_tables
from bots.layout import PLAY_SUITS
from bots.refet_layout import (
    BETL_PLAY,
    COUNTS,
    FILE,
    N_PLACES,
    N_SHIFTS,
    refet_tables,
    refet_weights,
)
from bots.refet_prices import CONTRA as UNDER_CONTRA
from bots.refet_prices import FREE, INVITING, LONE, MOST, PAIR, RECONTRA
from bots.refet_value import SCORE_BUCKETS
from bots.valuation import clean_chance, discard_for, plan_ducking
from scoring.contract import (
    BETL,
    MISERE_GAME,
    NO_TRUMP,
    SPADES,
    TRICKS,
    refet_base,
)
from scoring.kernel import outline
from scoring.result import INVITED, WHISTED
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.deals import unrank
from sim.engine import Shard

SCALE = 100000
PRIOR = 20.0
"""Deals that a prior counts for in each bucket."""
BOLDER = 25.0
"""Whists by which one of three overvalues bidding, so that weaker games are seen too."""
AGAIN = 0.6
"""Chance that a refet kept is used in a later deal."""
OUTBID = 0.3
"""Chance that a number worth bidding is outbid."""
STRAYS = 5
"""One in so many words of a wanderer's defence is by lot."""
MIGHT = 0.02
"""Chance, suit by suit, from which the ducker tries betl."""


@kernel
def _wanders(view: Any, word: int) -> int:
    if view.phase == CONTRA:
        return SAYS_CONTRA if view.contra == 0 and below(word, 4) == 0 else NO_CONTRA
    if view.legal >> COMES & 1:
        return STAYS if below(word, 3) == 0 else COMES
    return ALONE + below(word, 2)


@bot(memory=N_MEMORY, options={"bias": 0.0}, weights=refet_weights)
def wanderer(view: Any, own: Any) -> int:
    """``cautious`` who now and then follows or says contra by lot."""
    if view.phase == COME or view.phase == CONTRA:
        if below(view.random, STRAYS) == 0:
            return _wanders(view, view.random * STRAYS & (1 << 63) - 1)
    return decide(view, own)


@bot(memory=1, options={"bias": 0.0}, weights=refet_weights)
def ducker(view: Any, own: Any) -> int:
    """Plays betl whenever it is not hopeless."""
    w = own.weights
    if view.phase == CARD:
        return choose_card(view, 0)
    if view.phase == BIDDING:
        others = view.legal & ~(1 << PASS)
        return ctz(others) if clean_chance(w, view.hand) > MIGHT and others else PASS
    if view.phase == DISCARD:
        if view.discard == 0:
            own.memory[0] = plan_ducking(w, view.hand, BETL_PLAY)
        return ctz(own.memory[0] & view.legal)
    return BETL if view.phase == CONTRACT else NO_CONTRA


@bot(memory=N_MEMORY, options={"bias": 0.0}, weights=refet_weights)
def player(view: Any, own: Any) -> int:
    """``cautious``, compiled with the others here."""
    return decide(view, own)


def rules_for(settings: Mapping[str, Any] | None = None) -> Array:
    return find_variant("serbian", settings).rules(3)


def play(maker: Any, biases: tuple[float, ...], seed: int, pulkas: int, settings: Any) -> Array:
    """The deals of pulkas of three equal bots, but for their bias."""
    bots = [Bot("fit", maker, {"bias": bias}) for bias in biases]
    return Shard(rules_for(settings), bots, seed, 0, pulkas, 200).run().deals


@outline
def lay_out(w: Any, rows: Any, hands: Any) -> None:
    """hands[k] = three hands, and the cards that the declarer plays with."""
    for k in range(len(rows)):
        number, declarer, strain, without, ducks = rows[k]
        hand0, hand1, hand2, talon = unrank(number)
        hands[k, 0] = hand0
        hands[k, 1] = hand1
        hands[k, 2] = hand2
        if declarer >= 0:
            own = hands[k, declarer]
            if without == 0:
                own |= talon
                if ducks == 1:
                    own &= ~plan_ducking(w, own, BETL_PLAY)
                else:
                    own &= ~discard_for(w, own, strain)[0]
            hands[k, 3] = own


class Deals:
    """Deals of a run with their cards, and what a declarer expected."""

    def __init__(self, rows: Array) -> None:
        self.rows = rows
        rules = rules_for()
        self.w = refet_weights(rules, {"bias": 0.0})
        self.declarer = np.where(
            rows["declarer"] < 0, -1, (rows["declarer"] - rows["dealer"] - 1) % 3
        )
        self.betl = rows["kind"] == MISERE_GAME
        self.tricks = (rows["kind"] == TRICKS) & (rows["level"] == 6)
        self.strain = np.where(self.betl, NO_TRUMP, rows["strain"])
        columns = (rows["number"], self.declarer, self.strain, rows["without_talon"], self.betl)
        self.hands = np.zeros((len(rows), 4), np.int64)
        lay_out(self.w, np.stack(columns, axis=1).astype(np.int64), self.hands)
        self.base = np.array(
            [
                refet_base(int(kind), int(level), int(strain))
                for kind, level, strain in zip(
                    rows["kind"], rows["level"], self.strain, strict=True
                )
            ]
        )
        self.plain_spades = self.tricks & (rows["strain"] == SPADES) & (rows["without_talon"] == 0)
        defence = (
            rows["tricks"].sum(axis=1) - rows["tricks"][np.arange(len(rows)), rows["declarer"]]
        )
        self.defence = np.minimum(MOST, defence)
        self.fell = rows["tricks"][np.arange(len(rows)), rows["declarer"]] > 0
        self.way = self._ways()
        self.left = self.plain_spades & (rows["played"] == 0)

    def _ways(self) -> Array:
        decision = self.rows["decision"]
        came = (decision == WHISTED).sum(axis=1)
        way = np.choose(np.minimum(came, 2), (FREE, LONE, PAIR))
        way[(decision == INVITED).any(axis=1)] = INVITING
        way[self.rows["contra"] == 1] = UNDER_CONTRA
        way[self.rows["contra"] > 1] = RECONTRA
        return way

    def expected(self) -> Array:
        """Tricks expected by the declarer with the cards he plays with."""
        count = np.zeros(len(self.rows))
        count_hands(self.w, self.hands[:, 3].copy(), self.strain, self.declarer, PLAY_SUITS, count)
        return count

    def player(self, hand: int) -> Array:
        return (self.rows["dealer"] + 1 + hand) % 3

    def call_of(self, hand: Array) -> Array:
        """The part of each deal's hand."""
        return self.rows["decision"][np.arange(len(hand)), (self.rows["dealer"] + 1 + hand) % 3]

    def followers(self, hand: int) -> Array:
        return (self.declarer >= 0) & (self.declarer != hand)


def buckets(values: Array) -> Array:
    return np.clip(np.floor(4 * values + 0.5), 0, BUCKETS - 1).astype(int)


def score_buckets(values: Array) -> Array:
    middle = BUCKETS // 2
    return np.clip(np.floor(SCORE_BUCKETS * values + middle + 0.5), 0, BUCKETS - 1).astype(int)


def smoothed(bucket: Array, outcome: Array, n: int, prior: Array) -> Array:
    """[bucket, outcome]: chances, smoothed over neighbours and towards a prior."""
    counts = np.bincount(bucket * n + outcome, minlength=BUCKETS * n).reshape(BUCKETS, n)
    padded = np.pad(counts.astype(float), ((1, 1), (0, 0)))
    total = padded[:-2] + 2 * padded[1:-1] + padded[2:] + PRIOR * prior
    return total / total.sum(axis=1, keepdims=True)


def spread(mean: Array) -> Array:
    """[bucket, k]: chances of k = 0..5 tricks of followers around a mean."""
    chances = np.zeros((len(mean), MOST + 1))
    for b in range(len(mean)):
        for offset, chance in enumerate(USUAL_SPREAD, -(len(USUAL_SPREAD) // 2)):
            chances[b, int(min(MOST, max(0, np.rint(mean[b] + offset))))] += chance
    return chances


QUARTERS = np.arange(BUCKETS) / 4
UNUSED = ("betl_play_failed", "betl_bid_failed")
"""Tables that only the fit needs."""


def save(tables: dict[str, Array], recipe: dict[str, int]) -> None:
    data = {
        "what": "refet game: tricks by ranks in a suit (bit 0 = seven), chances, points; 1e-5",
        "made_by": "python -m benchmarks.fit_refet",
        "recipe": recipe,
        "tables": {
            name: np.rint(SCALE * table).astype(int).ravel().tolist()
            for name, table in tables.items()
            if name not in UNUSED
        },
    }
    FILE.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    refet_tables.cache_clear()


def ways_prior(shares: Array, mean: Array) -> Array:
    """[bucket, way * 6 + k]: shares of ways, tricks around a mean by bucket."""
    table = spread(mean)[:, None, :] * shares[None, :, None]
    table[:, FREE, 0] = shares[FREE]
    table[:, FREE, 1:] = 0
    return table.reshape(len(mean), -1)


def prior() -> dict[str, Array]:
    """Rules of thumb to start from."""
    thumb, fitted = prior_tables(), fitted_tables()
    tables: dict[str, Array] = {}
    cashed = -thumb["defence_side"]
    both = np.concatenate([-fitted["defence_trump"], *2 * [-fitted["defence_side"]]])
    for name in COUNTS:
        tables[f"{name}_tricks"] = both if name == "both" else np.tile(cashed, 3)
        shift = 3.7 if name == "both" else 0.3
        tables[f"{name}_shift"] = np.full(N_SHIFTS, shift)
        tables[f"{name}_place"] = np.zeros(N_PLACES)
    danger = -0.5 - 2 * np.log(np.maximum(0.02, 1 - catch_table()))
    tables["betl_play"] = danger
    tables["betl_bid"] = danger
    tables["betl_defence"] = np.zeros(N)
    for when in ("play", "bid"):
        shares = np.array([0.4, 0.2, 0.2, 0.1, 0.1, 0.0])
        for name in ("suit", "sans", "spades"):
            tables[f"{when}_{name}_ways"] = ways_prior(shares, 10 - QUARTERS)
        failed = 1 / (1 + np.exp(-(np.arange(BUCKETS) - BUCKETS // 2) / SCORE_BUCKETS))
        ways = np.zeros((BUCKETS, 3, 2))
        ways[:, 0] = np.stack([1 - failed, failed], axis=1)
        tables[f"{when}_betl_ways"] = ways
        tables[f"betl_{when}_failed"] = ways[:, 0]
        tables[f"{when}_left"] = np.full(BUCKETS, 0.0)
        tables[f"{when}_spades_ways"] = 0.5 * tables[f"{when}_spades_ways"]
    tables["under_contra"] = spread(10.5 - QUARTERS)
    tables["betl_under_contra"] = ways[:, 0]
    tables["alone_outcome"] = spread(QUARTERS)
    tables["invite_outcome"] = spread(QUARTERS)
    tables["contra_outcome"] = spread(QUARTERS)
    tables["recontra_outcome"] = spread(QUARTERS - 0.5)
    own = spread(QUARTERS)
    tables["pair_outcome"] = own[:, :, None] * spread(np.full(1, 2.0))[0][None, None, :]
    tables["betl_outcome"] = np.full((BUCKETS, 2), 0.5)
    tables["betl_recontra_outcome"] = np.tile([0.9, 0.1], (BUCKETS, 1))
    tables["recontra_share"] = np.array([0.3, 0.05])
    tables["stays_outcome"] = spread(np.full(1, 3.0))[0]
    tables["defend_points"] = np.tile([6.0, 1.5, 14.0, 0.5], (BUCKETS, 1))
    tables["all_pass"] = np.array([0.1, 0.3, 1.0])
    tables["comes_too"] = np.array([0.5, 0.5])
    tables["refet_worth"] = np.array([10.0])
    tables["outbid"] = np.array([OUTBID])
    return tables


def logistic(columns: Array, happened: Array, start: Array) -> Array:
    """Additive table whose sum over four suits tells what happened, shrunk to a start."""
    size = len(start)
    table = start.copy()
    ridge = 4.0 * np.eye(size)
    for _ in range(12):
        chance = 1 / (1 + np.exp(-np.clip(table[columns].sum(axis=1), -15, 15)))
        weight = chance * (1 - chance)
        gram = np.zeros(size * size)
        right = np.zeros(size)
        for a in range(4):
            right += np.bincount(columns[:, a], happened - chance, size)
            for b in range(4):
                both = columns[:, a] * size + columns[:, b]
                gram += np.bincount(both, weight, size * size)
        right -= 4.0 * (table - start)
        table += np.linalg.solve(gram.reshape(size, size) + ridge, right)
    return table


def chance_of(bucket: Array, happened: Array) -> Array:
    """[bucket, happened]: chances by the bucket of a score, towards those that it stands for."""
    middle = (np.arange(BUCKETS) - BUCKETS // 2) / SCORE_BUCKETS
    chance = 1 / (1 + np.exp(-middle))
    return smoothed(bucket, happened.astype(int), 2, np.stack([1 - chance, chance], axis=1))


def ranks_of(hands: Array) -> Array:
    return suit_columns(hands, np.full(len(hands), NO_TRUMP), 0, 0, 0)


class Followers(NamedTuple):
    """Followers of a run: cards, contract and place, tricks of their own and of both, and how they
    met the contract."""

    hands: Array
    strain: Array
    base: Array
    cell: Array
    own: Array
    both: Array
    way: Array
    answers: Array
    leads: Array

    def where(self, chosen: Array) -> Followers:
        return Followers(*(part[chosen] for part in self))

    def expected(self, tables: dict[str, Array], name: str) -> Array:
        """Tricks by a count."""
        columns = suit_columns(self.hands, self.strain, 0, 1, 2)
        shift = tables[f"{name}_shift"][self.base] + tables[f"{name}_place"][self.cell]
        return np.asarray(tables[f"{name}_tricks"][columns].sum(axis=1) + shift)


def followers_of(deals: Deals) -> Followers:
    """Those of contracts played for six tricks; ``leads`` who came first, invited, said contra."""
    rows = deals.rows
    who = np.arange(len(rows))
    parts = []
    for hand in range(3):
        chosen = deals.tricks & (rows["played"] == 1) & deals.followers(hand)
        player = deals.player(hand)
        own = np.minimum(MOST, rows["tricks"][who, player])
        after = (deals.declarer + 1) % 3 == hand
        leads = deals.call_of(np.full(len(rows), hand)) == WHISTED
        leads &= (rows["contra"] == 0) | (rows["contra_by"] == player)
        columns = (
            deals.hands[:, hand],
            deals.strain,
            deals.base + 9 * rows["without_talon"],
            np.where(after, 0, 1) + 2 * (deals.strain == NO_TRUMP),
            own,
            deals.defence,
            deals.way,
            rows["contra"],
            leads,
        )
        parts.append([column[chosen] for column in columns])
    return Followers(*(np.concatenate(part) for part in zip(*parts, strict=True)))
