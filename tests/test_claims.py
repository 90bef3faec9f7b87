"""Claims: a deal whose remaining tricks are certain ends early, and nothing else changes.

A deal is played at two tables at once, at one with claims. What is certain is told here in plain
words, and every claim is played on at the other table: it must come to the same result.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from outside_bots import Uniform
from random_play import TABLES, bits, house_razboinik, house_refet, house_variant
from refet_moods import mood_of
from shipped_bots import slowly, some
from twin_moods import Mood, random_number

from bots import bot_descriptions
from scoring.contract import KINDS, MISERE_GAME, NO_TRUMP, RASPAS
from scoring.variant import Variant, find_variant
from sim.botcall import Bot
from sim.engine import Batch, Shard
from sim.state import CARD
from sim.table import Table

SEED = 21
PLAYERS = (2, 3, 4)
BOTS = ("wild", "outside", *bot_descriptions())
N_HOUSES = 16
ALL_ORDERS = 4
"""The most tricks left of which every way to play them is tried."""

Hands = tuple[frozenset[int], ...]
Seat = Callable[[str], Bot]


# Rows with and without claims


def play(variant: Variant, bots: list[Bot], claims: bool, n_pulkas: int = 6) -> Batch:
    """A few pulkas of these bots."""
    rules = variant.rules(len(bots), 4 if variant.has_target else None)
    options: dict[str, Any] = {"max_deals": 12, "claims": claims, "row_limit": 256}
    return Shard(rules, bots, SEED, 0, n_pulkas, **options).run()


def assert_same_but_shorter(whole: Batch, claimed: Batch) -> None:
    """All is equal but the number of decisions, which is never larger and in sum smaller."""
    fewer, all_of_them = claimed.deals["n_decisions"], whole.deals["n_decisions"]
    for name in set(whole.deals.dtype.names or ()) - {"n_decisions"}:
        assert np.array_equal(whole.deals[name], claimed.deals[name]), name
    assert whole.pulkas.tobytes() == claimed.pulkas.tobytes()
    assert np.all(fewer <= all_of_them) and fewer.sum() < all_of_them.sum()


@pytest.mark.parametrize(
    ("one", "name", "n"), [slowly(one, *table) for one in BOTS for table in TABLES]
)
def test_rows_are_the_same(one: str, name: str, n: int, seat: Seat) -> None:
    """Of bots that remember nothing from deal to deal, jitted or not, each row is the same.

    Their random words belong to the deal and the decision: those of a claimed deal are not asked
    for, those of the next deal are new.
    """
    bots = [Bot("outside", Uniform) if one == "outside" else seat(one)] * n
    variant = find_variant(name)
    pulkas = 30 if variant.has_columns and one == "wild" else max(3, some(one, 6))  # few of columns
    assert_same_but_shorter(*(play(variant, bots, claims, pulkas) for claims in (False, True)))


@pytest.mark.parametrize("n", PLAYERS)
def test_rows_are_the_same_where_points_are_asked_for(n: int, seat: Seat) -> None:
    """The one decision after the play, pool or mountain, does not hang on cards left unplayed."""
    settings = {"values.off_mountain_instead": 2, "auction.misere": "any_turn"}
    variant = find_variant("hard_piter", settings)
    bots = [seat("wild")] * n
    whole = play(variant, bots, False, 60)
    assert_same_but_shorter(whole, play(variant, bots, True, 60))
    assert whole.deals["off_mountain"].any()


# Two tables


def winner(cards: list[tuple[int, int]], strain: int) -> int:
    """The hand that takes a trick of (hand, card) pairs: the highest trump, else of the led
    suit."""
    led = cards[0][1] // 8
    trumps = [(card, hand) for hand, card in cards if card // 8 == strain]
    followed = [(card, hand) for hand, card in cards if card // 8 == led]
    return max(trumps or followed)[1]


def playable(hand: frozenset[int], led: int, strain: int) -> list[int]:
    """The cards a hand may play to a suit: of the suit, else trumps, else any."""
    suited = [card for card in hand if card // 8 == led]
    return suited or [card for card in hand if card // 8 == strain] or list(hand)


def takes_all_anyhow(hands: Hands, leader: int, strain: int) -> bool:
    """Whether the leader takes every trick, however everybody plays: all ways are tried.

    A hand without cards is out of play.
    """
    others = [hand for k in (1, 2) if hands[hand := (leader + k) % 3]]

    @cache
    def takes_all(left: Hands) -> bool:
        if not left[leader]:
            return True
        for lead in left[leader]:
            for replies in product(*(playable(left[h], lead // 8, strain) for h in others)):
                trick = [(leader, lead), *zip(others, replies, strict=True)]
                if winner(trick, strain) != leader:
                    return False
                played = dict(trick)
                if not takes_all(tuple(hand - {played.get(h)} for h, hand in enumerate(left))):
                    return False
        return True

    return takes_all(hands)


def is_sure(card: int, others: frozenset[int], strain: int) -> bool:
    """Whether a card wins whenever it is led: no higher one of its suit is out, and no trump."""
    higher = any(x // 8 == card // 8 and x > card for x in others)
    ruffed = card // 8 != strain and any(x // 8 == strain for x in others)
    return not higher and not ruffed


def leads_talon(table: Table, variant: Variant) -> bool:
    """Whether the talon leads to this trick."""
    view = table.view
    keys = {2: "raspas.talon_two", 3: "raspas.talon", 4: "raspas.talon_four"}
    mode = variant.conventions[keys[int(view["n_players"])]]
    led = mode in ("suit_only", "dealer_plays", "may_win")
    return bool(int(view["kind"]) == RASPAS and view["trick"] < 2 and led)


def held(table: Table) -> Hands:
    """The cards of the hands in play; none of a dead dummy."""
    playing = int(table.view["in_play"])
    return tuple(
        frozenset(bits(mask) if playing >> hand & 1 else ())
        for hand, mask in enumerate(table.hands())
    )


def claimant(table: Table, variant: Variant) -> int:
    """The hand to lead whose remaining cards are all sure, from the second trick on; else -1."""
    view = table.view
    if view["phase"] != CARD or view["in_trick"] or not view["trick"]:
        return -1
    if leads_talon(table, variant):
        return -1
    hands, leader = held(table), int(view["leader"])
    others = frozenset().union(*(hand for k, hand in enumerate(hands) if k != leader))
    sure = all(is_sure(card, others, int(view["strain"])) for card in hands[leader])
    return leader if sure else -1


def tricks_left(view: Any, variant: Variant, leader: int) -> int:
    """How many more tricks are played if one hand takes them all: the refet game may stop where the
    declarer has failed."""
    left, declarer = 10 - int(view["trick"]), int(view["declarer"])
    if not (variant.has_columns and variant.conventions["tricks.stop"]):
        return left
    own = int(view["tricks"][view["player_of"][declarer]])
    if view["kind"] == MISERE_GAME:
        return 1 if leader == declarer else left
    lost = int(view["trick"]) - own
    return left if leader == declarer else min(left, 11 - int(view["level"]) - lost)


class TwoTables:
    """The same pulka at two tables, at one of them with claims; what was claimed is counted."""

    def __init__(self, variant: Variant, n: int) -> None:
        self.variant = variant
        self.rules = variant.rules(n)
        self.claimed: Counter[Any] = Counter()
        self._sit_down()

    def _sit_down(self) -> None:
        self.whole, self.short = Table(self.rules), Table(self.rules)
        self.short.hidden["claims"] = 1

    def play_deal(self, chance: random.Random) -> None:
        """Play a deal; every claim must be due, proved, and played on to the same row."""
        number = random_number(chance)
        self.whole.lay(number)
        self.short.lay(number)
        chooser = mood_of(self.variant, chance, self.whole.hands())
        while not self.whole.done:
            leader = claimant(self.whole, self.variant)
            if leader >= 0:
                self._claim(leader)
                self._play_on(chance, leader)
            else:
                self._choose(chooser)
        assert self.short.done
        (whole, over), (short, _) = (table.finish() for table in (self.whole, self.short))
        for name in whole.dtype.names or ():
            assert np.array_equal(whole[name], short[name]), name
        if over and not self.variant.has_pool:  # no row is left to play
            self._sit_down()

    def _choose(self, chooser: Mood) -> None:
        for name in ("phase", "legal", "mover", "player"):
            assert self.short.view[name] == self.whole.view[name], f"{name}: an early claim?"
        action = chooser.choose(self.whole.view, bits(self.whole.legal))
        self.whole.apply(action)
        self.short.apply(action)

    def _claim(self, leader: int) -> None:
        """The short table is past its cards, and the claim holds however the rest is played."""
        view = self.whole.view
        left = tricks_left(view, self.variant, leader)
        assert self.short.view["phase"] != CARD, "a claim is missing"
        assert self.short.view["n_plays"] == view["n_plays"]
        player = int(view["player_of"][leader])
        if leader == view["dummy"]:
            player = int(view["decides_for"][leader])
        due = [int(n) + left * (k == player) for k, n in enumerate(view["tricks"])]
        assert [int(n) for n in self.short.view["tricks"]] == due
        n_cards = 10 - int(view["trick"])
        if n_cards <= ALL_ORDERS:
            assert takes_all_anyhow(held(self.whole), leader, int(view["strain"]))
        self.claimed[KINDS[view["kind"]]] += 1
        self.claimed["long" if n_cards > ALL_ORDERS else "short"] += 1
        trumps = view["strain"] != NO_TRUMP and any(
            card // 8 == view["strain"] for card in held(self.whole)[leader]
        )
        for word in ("trumps" if trumps else "", "open" if view["open_play"] else ""):
            self.claimed[word] += 1
        self.claimed["without talon"] += int(view["without_talon"])
        self.claimed["dealer's"] += int(player == view["dealer"] and view["n_players"] == 4)
        self.claimed["caught"] += int(view["catcher"] >= 0)
        self.claimed["dummy's"] += int(leader == view["dummy"])
        self.claimed["nobody's"] += int(player < 0)
        self.claimed["of two hands"] += int(int(view["in_play"]).bit_count() == 2)
        self.claimed["to fail"] += int(left < n_cards)

    def _play_on(self, chance: random.Random, leader: int) -> None:
        while self.whole.view["phase"] == CARD:
            assert self.whole.view["in_trick"] or self.whole.view["leader"] == leader
            self.whole.apply(chance.choice(bits(self.whole.legal)))


OF_TWO = {"dummy's", "nobody's"}
CLAIMED = {
    *KINDS,
    "long",
    "short",
    "trumps",
    "open",
    "without talon",
    "dealer's",
    "caught",
    "of two hands",
    "to fail",
} | OF_TWO
"""What can be claimed; some only of a dummy, or with it."""


def claimable(n: int) -> set[str]:
    """What can be claimed at a table of ``n`` players."""
    if n == 2:
        return CLAIMED - {"dealer's", "caught", "to fail"}
    return CLAIMED - OF_TWO - ({"dealer's"} if n == 3 else set())


def pulkas(chance: random.Random, n: int) -> Iterator[TwoTables]:
    """All shipped variants and some with random conventions, over and over."""
    variants = [find_variant(name) for name, players in TABLES if players == n]
    variants += [house_variant(chance, n) for _ in range(N_HOUSES)]
    if n == 2:
        variants += [house_razboinik(chance) for _ in range(4)]
    else:
        variants += [house_refet(chance) for _ in range(N_HOUSES // 2)]
    tables = [TwoTables(one, n) for one in variants]
    while True:
        yield from tables


def prove(n: int, n_deals: int) -> Counter[Any]:
    """Play deals at pairs of tables; what was claimed."""
    chance = random.Random(f"claims {n} {n_deals}")
    claimed: Counter[Any] = Counter()
    for _, tables in zip(range(n_deals), pulkas(chance, n), strict=False):
        tables.play_deal(chance)
        claimed += tables.claimed
        tables.claimed.clear()
    return claimed


@pytest.mark.parametrize("n", PLAYERS)
def test_claims_are_due_and_hold(n: int) -> None:
    """Exactly what is certain is claimed, and playing on gives the same row and sheet."""
    claimed = prove(n, 650)
    assert {word for word in CLAIMED if claimed[word]} == claimable(n), claimed


@pytest.mark.slow
@pytest.mark.parametrize("n", PLAYERS)
def test_thousands_of_claims_are_due_and_hold(n: int) -> None:
    """The same with many more deals."""
    claimed = prove(n, 4000)
    assert all(claimed[word] > 5 for word in claimable(n)), claimed


def test_what_is_sure() -> None:
    """The plain condition on a few hands: ace out, trump out, all trumps, nothing out."""
    spades, hearts = 0, 3
    assert is_sure(7, frozenset({6, 5}), hearts) and not is_sure(6, frozenset({7}), hearts)
    assert not is_sure(7, frozenset({24}), hearts) and is_sure(7, frozenset({24}), NO_TRUMP)
    assert is_sure(7, frozenset({6, 31}), spades)
    hands = (frozenset({7, 31}), frozenset({6, 5}), frozenset({4, 30}))
    assert takes_all_anyhow(hands, 0, NO_TRUMP) and not takes_all_anyhow(hands, 1, NO_TRUMP)
    assert not takes_all_anyhow((frozenset({7, 31}), frozenset({6, 5}), frozenset({8, 9})), 0, 1)
    of_two = (frozenset({6, 31}), frozenset[int](), frozenset({5, 30}))
    assert takes_all_anyhow(of_two, 0, NO_TRUMP) and not takes_all_anyhow(of_two, 2, NO_TRUMP)
