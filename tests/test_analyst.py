"""The deal analyst: the identity of par, best discards and contracts by plain loops, raspas."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from bot_runs import play, rules_of
from record_makers import FOLDER, random_record

from bots import find_bot
from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS
from scoring.conventions import REFET
from scoring.kernel import JIT
from sim.analyst import Analysis, Deal, analyse, read_deal
from sim.analyst.deal import why_outside
from sim.analyst.play import judge_play
from sim.analyst.raspas import judge_raspas, payoffs
from sim.analyst.report import analysis_json, format_analysis
from sim.analyst.talon import offers
from sim.cards import cards_of, format_card, mask_of, parse_card
from sim.convert.playing import Played, play_record
from sim.records.text import parse_text
from sim.records.words import DUMMY
from sim.show import replay_deal
from sim.solver import MISERE_STRAIN, solve, solve_cards
from sim.state import CARD, N_HANDS
from sim.table import Table

TABLES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "sochi": ("sochi", 3, {}),
    "rostov": ("rostov", 3, {}),
    "four": ("fspr", 4, {"whist.dealer_may": True}),
    "dealer plays": ("sochi", 4, {}),
    "two": ("classic_two", 2, {}),
    "two, talon wins": ("classic_two", 2, {"raspas.talon_two": "may_win"}),
    "rows": ("razboinik", 2, {}),
    "dead rows": ("razboinik", 2, {"razboinik.dummy": "dead"}),
    "refet": ("refet", 3, {}),
    "preferans": ("refet", 4, {"bidding.preferans": True, "tricks.stop": False}),
    "dark": ("klassika", 3, {}),
    "passed along": ("piter", 3, {"raspas.talon": "pass_along"}),
}
"""Variants, players and settings of the runs whose deals are judged."""
MANY = pytest.mark.skipif(not JIT, reason="thousands of hands are solved, too many in plain Python")


def golden(name: str) -> list[Played]:
    path = FOLDER / f"{name}.deal"
    records = parse_text(path.read_text(encoding="utf-8"), name)
    return [play_record(one, name) for one in records]


def played_deals(name: str, pulkas: int = 12, bot: str = "random") -> Iterator[Deal]:
    """The deals of a seeded run, one after the other, each read as its table has just left it."""
    variant, players, settings = TABLES[name]
    batch = play(variant, [find_bot(bot)] * players, pulkas, 4, 11, 12, settings)
    assert batch.plays is not None
    table, pulka = None, -1
    for row, plays in zip(batch.deals, batch.plays, strict=True):
        if row["pulka"] != pulka or table is None:
            table, pulka = Table(rules_of(variant, settings, players, 4)), int(row["pulka"])
        decisions = plays[: row["n_decisions"]].tolist()
        yield read_deal(replay_deal(table, int(row["number"]), decisions), table)


def stopped_early(deal: Deal) -> bool:
    """Whether the refet game stopped, its declarer unable to make the contract."""
    return deal.story.family == REFET and deal.finished < 10


@pytest.mark.parametrize("name", TABLES)
def test_tricks_are_par_and_what_was_given(name: str) -> None:
    """Of every contract played: the engine's tricks = par + the defence's gifts - the declarer's;
    each card leads from the value before it to the value after it."""
    seen = gifts = 0
    for deal in played_deals(name):
        if deal.declarer < 0 or not deal.began:
            continue
        judged = judge_play(deal)
        sign = -1 if deal.is_misere else 1
        expected = judged.par
        for card, step in zip(judged.cards, deal.plays, strict=True):
            assert card.gave >= 0 and (card.card in card.best) == (card.gave == 0)
            assert (card.card, card.owner, card.by) == (step.action, step.owner, step.player)
            expected += -sign * card.gave if card.hand == deal.declarer else sign * card.gave
            assert card.expected == expected
        assert judged.expected == judged.par + sign * (judged.by_defence - judged.by_declarer)
        assert judged.finished == deal.finished
        if not stopped_early(deal):
            taken = int(deal.story.row["tricks"][deal.owners[deal.declarer]])
            assert judged.expected == taken
        seen += 1
        gifts += judged.by_defence + judged.by_declarer
    assert seen > 8 and gifts > seen


@pytest.mark.parametrize("name", ["misere_2", "misere_3", "misere_4", "refet_betl_3"])
def test_misere_turns_the_sign(name: str) -> None:
    """The same at misère, where the declarer's gifts are tricks that he takes."""
    gifts = {"defence": 0, "declarer": 0}
    for played in golden(name):
        deal = read_deal(played.story, played.table)
        if not deal.is_misere or not deal.plays or why_outside(deal):
            continue
        judged = judge_play(deal)
        assert judged.expected == judged.par - judged.by_defence + judged.by_declarer
        row = deal.story.row
        if row is not None and not stopped_early(deal):
            assert judged.expected == int(row["tricks"][deal.owners[deal.declarer]])
        gifts["defence"] += judged.by_defence
        gifts["declarer"] += judged.by_declarer
    assert gifts["defence"] > 2 and gifts["declarer"] > 2


def test_claims_leave_the_identity() -> None:
    """Tricks that were certain and not played count as the engine counts them."""
    early = 0
    rules = rules_of("sochi", {}, 3, 4)
    for deal in played_deals("sochi", 4, "cautious"):
        table = Table(rules)
        table.hidden["claims"] = 1
        table.lay(deal.story.number, deal.story.dealer, deal.story.sheet["raspas_index"])
        actions = [step.action for step in deal.story.steps]
        while not table.done:
            table.apply(actions.pop(0))
        again = read_deal(deal.story, table)
        if deal.declarer < 0 or not again.began or again.finished == 10:
            continue
        steps = deal.story.steps[: len(deal.story.steps) - len(actions)]
        judged = judge_play(replace(again, story=replace(deal.story, steps=steps)))
        assert judged.finished == again.finished < 10
        assert judged.expected == int(deal.story.row["tricks"][deal.owners[deal.declarer]])
        early += 1
    assert early > 3


# A deal to be judged by hand

BLUNDER = """
deal
variant  sochi
players  3
dealer   2
player 0 SAKQJT98 CAK D7 H-
player 1 S- CQJT987 D98 HT9
player 2 S7 C- DAKQJT HAKQJ
talon    H7 H8
auction  6S, pass, pass
discard  H7 H8
contract 6S
whist    whist, pass
open     closed
trick 1  {cards}
unfinished
"""
"""The declarer is on lead: nine tricks, for he draws the only trump against him and loses ♦7, now
or later, to the hand with that trump and without clubs. If he leads clubs first, it ruffs: 8."""


def record(text: str) -> Played:
    return play_record(parse_text(text, "a text")[0], "a text")


def judged(text: str) -> Analysis:
    one = record(text)
    return analyse(one.story, one.table)


def test_a_blunder_judged_by_hand() -> None:
    """The ace of clubs before the trumps costs a trick; any spade keeps it, and so does ♦7."""
    one = judged(BLUNDER.format(cards="CA, C7, S7"))
    assert one.play is not None and one.discards is not None
    assert one.play.par == 9 and one.play.expected == 8 and one.play.taken == 0
    ace, seven, ruff = one.play.cards
    assert (ace.card, ace.gave, ace.expected) == (parse_card("CA"), 1, 8)
    assert ace.best == (*(parse_card(f"S{rank}") for rank in "89TJQKA"), parse_card("D7"))
    assert seven.gave == ruff.gave == 0 and ruff.best == (parse_card("S7"),)
    assert (one.play.by_declarer, one.play.by_defence, one.play.rest) == (1, 0, 8)
    pairs = {tuple(map(format_card, pair)) for pair in one.discards.best}
    assert pairs == {("♦7", "♥7"), ("♦7", "♥8"), ("♥7", "♥8")}
    assert one.discards.tricks == one.discards.reached == 9 and one.discards.cost == 0
    (best,) = one.contracts
    assert best.offer is not None and best.found is not None
    assert (best.offer.name, best.offer.value, best.found.tricks) == ("9♠", 8, 9)
    assert [x.tricks for x in best.strains[:5]] == [9, 2, 0, 0, 9]
    text = format_analysis(one).splitlines()
    assert text[0] == "contract  6♠ by player 0"
    assert text[1] == "par       9 tricks with all cards open, made"
    assert text[3] == "   1. 0:♣A gave 1 trick away, ♠8 ♠9 ♠T ♠J ♠Q ♠K ♠A ♦7 keep it"
    assert text[-1] == "best      9♠ (8 points), 9 tricks after ♦7 ♥7"


def test_a_bad_discard_costs() -> None:
    """Who keeps two losers and lays the king of clubs away has eight tricks."""
    one = judged(BLUNDER.replace("discard  H7 H8", "discard  CK H8").format(cards="SA, C7, S7"))
    assert one.play is not None and one.discards is not None
    assert (one.play.par, one.discards.reached, one.discards.tricks) == (8, 8, 9)
    assert one.discards.cost == 1 and one.discards.made not in one.discards.best


def test_a_misere_judged_by_hand() -> None:
    """A hand of the lowest cards takes nothing unless it gives itself a trick."""
    text = """
deal
variant  sochi
players  3
dealer   2
player 0 S789 C789 D78 H78
player 1 STJQKA CTJQKA D- H-
player 2 S- C- DTJQKA HTJQKA
talon    D9 H9
auction  misere, pass, pass
discard  D9 H9
unfinished
"""
    one = judged(text)
    assert one.play is not None and not one.play.cards
    assert one.play.par == 0 and one.deal.is_made(one.play.par)
    (best,) = one.contracts
    assert best.offer is not None and best.offer.name == "misere"
    assert "par       0 tricks with all cards open, made\n" in format_analysis(one)
    assert "play      no card was played\n" in format_analysis(one)


# Discards and contracts by plain loops


def value_of(hands: list[int], strain: int, declarer: int, leader: int) -> int:
    return solve((hands[0], hands[1], hands[2]), strain, declarer, leader)


@MANY
@pytest.mark.parametrize("name", ["contracts_3", "misere_4", "defence_2", "refet_follow_3"])
def test_discards_by_a_plain_loop(name: str) -> None:
    """The 66 discards solved one by one: the best, who reaches it, and the cost of the real one."""
    seen = 0
    for played in golden(name)[:4]:
        one = analyse(played.story, played.table)
        if one.discards is None:
            continue
        deal, declarer = one.deal, one.deal.declarer
        twelve = deal.hands[declarer] | mask_of(deal.discard)
        found = {}
        for pair in combinations(cards_of(twelve), 2):
            hands = [cards * (deal.in_play >> k & 1) for k, cards in enumerate(deal.hands)]
            hands[declarer] = twelve & ~mask_of(pair)
            found[pair] = value_of(hands, deal.strain, declarer, deal.leader)
        best = (min if deal.kind == MISERE_GAME else max)(found.values())
        assert len(found) == 66 and one.discards.tricks == best
        assert list(one.discards.best) == [pair for pair in found if found[pair] == best]
        assert one.discards.reached == found[deal.discard] == (one.play and one.play.par)
        seen += 1
    assert seen > 1


@MANY
def test_the_best_contract_by_a_plain_loop() -> None:
    """Each strain and misère over all discards; of what is made the highest points, of equal ones
    the lowest bid: sixes to tens at 2 to 10 points and misère, below nine, at 10."""
    ladder = [(level, strain) for level in (6, 7, 8) for strain in range(5)]
    ladder += [(0, MISERE_STRAIN)]
    ladder += [(level, strain) for level in (9, 10) for strain in range(5)]
    points = {0: 10, 6: 2, 7: 4, 8: 6, 9: 8, 10: 10}
    names = []
    for played in golden("contracts_3")[:3] + golden("misere_3")[:1] + golden("without_3")[3:]:
        one = analyse(played.story, played.table)
        (best,) = one.contracts
        deal, declarer = one.deal, one.deal.declarer
        twelve = deal.hands[declarer] | mask_of(deal.discard)
        most = {}
        for strain in range(MISERE_STRAIN + 1):
            found = []
            for pair in combinations(cards_of(twelve), 2):
                hands = list(deal.hands)
                hands[declarer] = twelve & ~mask_of(pair)
                found.append((value_of(hands, strain, declarer, 0), pair))
            count = (min if strain == MISERE_STRAIN else max)(tricks for tricks, _ in found)
            first = next(pair for tricks, pair in found if tricks == count)
            most[strain] = count
            told = best.strains[strain]
            assert (told.strain, told.tricks, told.discard) == (strain, count, first)
        made = [
            (points[level], -at, level, strain)
            for at, (level, strain) in enumerate(ladder)
            if (most[strain] == 0 if level == 0 else most[strain] >= level)
        ]
        offer = best.offer
        names.append(offer and offer.name)
        if not made:
            assert offer is None
            continue
        value, _, level, strain = max(made)
        assert offer is not None
        assert (offer.value, offer.order, offer.strain) == (value, level, strain)
    assert None in names and "misere" in names and len(set(names)) > 3


@MANY
@pytest.mark.parametrize("through", [True, False])
def test_who_leads_at_sans(through: bool) -> None:
    """At sans the hand before the declarer leads, without tricks.through the eldest."""
    differ = 0
    files = [*golden("refet_last_3"), *golden("refet_follow_3")]
    for played in [one for one in files if one.record.tricks and not one.record.claims][:6]:
        settings = {**played.record.settings, "tricks.through": through}
        plain = replace(played.record, settings=settings, moves=calls_only(played), tricks=())
        again = play_record(replace(plain, unfinished=True, taken=None, value=None), "sans")
        one = analyse(again.story, again.table)
        deal, declarer = one.deal, one.deal.declarer
        twelve = deal.hands[declarer] | mask_of(deal.discard)
        found: dict[int, list[int]] = {leader: [] for leader in range(N_HANDS)}
        for pair in combinations(cards_of(twelve), 2):
            hands = list(deal.hands)
            hands[declarer] = twelve & ~mask_of(pair)
            for leader, counts in found.items():
                counts.append(value_of(hands, NO_TRUMP, declarer, leader))
        leader = (declarer - 1) % N_HANDS if through else 0
        assert one.contracts[0].strains[NO_TRUMP].tricks == max(found[leader])
        differ += max(found[0]) != max(found[(declarer - 1) % N_HANDS])
    assert differ > 0


def calls_only(played: Played) -> dict[str, Any]:
    """The moves of a record before its first card."""
    return {name: moves for name, moves in played.record.moves.items() if name != "points"}


@MANY
def test_offers_follow_the_variant() -> None:
    """Open rows of razboinik, bases of the refet game, games from the hand, the lowest level."""
    found = [analyse(one.story, one.table) for one in golden("refet_calls_3")]
    named = [best.offer.name for one in found for best in one.contracts if best.offer]
    assert {"sans", "game sans", "game clubs", "hearts", "betl"} <= set(named)
    for one in found:
        for best in one.contracts:
            if best.offer and best.offer.name.endswith("sans"):
                assert best.strains[NO_TRUMP].tricks >= 6
                assert best.offer.value == 2 * (7 + one.deal.without_talon)
    rows = [one for one in played_deals("rows", 2) if any(x >= 0 for x in one.story.sheet["row"])]
    for deal in rows:
        owner = deal.owners[deal.declarer]
        open_rows = [x < 0 for x in deal.story.sheet["row"][6 * owner : 6 * owner + 6]]
        orders = {offer.order for offer in offers(deal, owner)}
        assert orders == {
            order for order, free in zip((6, 7, 8, 9, 10, 0), open_rows, strict=True) if free
        }
    assert len(rows) > 10
    late = [one for one in golden("raspas_3") if one.record.note.startswith("after two raspas")]
    deal = read_deal(late[0].story, late[0].table)
    assert min(x.order for x in offers(deal, 0) if x.order) == 7


# Raspas


@pytest.mark.parametrize("name", ["sochi", "dealer plays", "two", "two, talon wins", "dark"])
def test_the_score_of_raspas_is_the_engine_s(name: str) -> None:
    """The payoff of the tricks that were taken is the value of the deal, to the twelfth."""
    seen = 0
    for deal in played_deals(name, 24, "cautious"):
        if deal.kind != RASPAS or not deal.began:
            continue
        tricks = [int(count) for count in deal.story.row["tricks"]]
        by_hand = [tricks[owner] if owner != DUMMY else 0 for owner in deal.owners]
        lost = {p: tricks[p] for p in range(deal.story.n_players) if p not in deal.owners}
        lost[DUMMY] = 10 - sum(tricks)
        table = payoffs(deal, lost)
        for hand, owner in enumerate(deal.owners):
            if owner != DUMMY:
                value = int(deal.story.row["value"][owner])
                assert table[hand, by_hand[0], by_hand[1]] == value
        seen += 1
        if seen == 8:
            break
    assert seen > 2


@pytest.mark.parametrize("name", ["rostov", "sochi", "dealer plays", "two, talon wins"])
def test_guarantees_of_raspas(name: str) -> None:
    """A hand takes no more than its guarantee and what its own cards added; the talon's tricks are
    left out; the last six tricks are legal and lead to their counts."""
    seen = 0
    for deal in played_deals(name, 24, "cautious"):
        if deal.kind != RASPAS or not deal.began:
            continue
        one = judge_raspas(deal)
        assert one is not None and one.end is not None
        assert one.first == (3 if deal.talon_led else 1)
        assert {card.trick for card in one.cards} == set(range(one.first, 11))
        tricks = deal.story.row["tricks"]
        for hand, owner in enumerate(deal.owners):
            mine = [card for card in one.cards if card.hand == hand]
            if not mine:
                assert one.guarantees[hand] == -1
                continue
            assert tricks[owner] <= one.guarantees[hand] + sum(card.gave for card in mine)
            assert tricks[owner] <= mine[-1].expected
            assert all((card.card in card.best) == (card.gave == 0) for card in mine)
        playing = [hand for hand in range(N_HANDS) if one.guarantees[hand] >= 0]
        if len(playing) == 2:
            nobodys = 10 - int(tricks[:2].sum())
            assert sum(one.guarantees[hand] for hand in playing) == 10 - nobodys
        last = {card for _, card in one.end.line}
        assert last == {step.action for step in deal.plays[-6 * len(playing) :]}
        seen += 1
        if seen == 5:
            break
    assert seen > 2


def test_a_card_of_raspas_judged_by_solve() -> None:
    """The gifts of the first trick of a raspas, from the solver's values of a misère."""
    deal = next(
        d for d in played_deals("rostov", 6, "cautious") if d.kind == RASPAS and not d.talon_led
    )
    one = judge_raspas(deal)
    assert one is not None
    table: list[int] = []
    hands = list(deal.hands)
    for card in one.cards[:3]:
        held = (hands[0], hands[1], hands[2])
        values = solve_cards(held, MISERE_STRAIN, card.hand, deal.leader, table)
        assert card.gave == values[card.card] - min(values.values())
        assert card.expected == values[card.card]
        hands[card.hand] &= ~(1 << card.card)
        table.append(card.card)


@MANY
def test_with_the_talon() -> None:
    """After raspas each player's best contract with the talon, from all twelve cards."""
    played = golden("raspas_3")[1]
    one = analyse(played.story, played.table)
    assert [best.owner for best in one.contracts] == list(one.deal.owners)
    best = one.contracts[0]
    twelve = played.story.hands[0] | mask_of(played.story.talon)
    found = []
    for pair in combinations(cards_of(twelve), 2):
        hands = [twelve & ~mask_of(pair), *played.story.hands[1:]]
        found.append(value_of(hands, 0, 0, 0))
    assert best.strains[0].tricks == max(found)


# What cannot be judged


def test_what_is_outside_the_solver_s_rules() -> None:
    """Cards that have to beat, and a dummy that plays for nobody: a sentence, no figures."""
    deals = [*golden("refet_follow_3"), *golden("raspas_2"), *golden("defence_2")]
    told = {}
    for played in deals:
        why = why_outside(read_deal(played.story, played.table))
        if why:
            one = analyse(played.story, played.table)
            assert one.play is one.raspas is one.discards is None and not one.contracts
            assert format_analysis(one) == f"not judged: {why}"
            told[why.split()[0]] = played
    assert set(told) == {"a", "the"}


@MANY
def test_what_was_not_played() -> None:
    """Deals left in the auction, thrown in, left by the whisters, and broken off."""
    whole = record(BLUNDER.format(cards="CA, C7, S7"))
    lines = BLUNDER.format(cards="CA, C7, S7").strip().splitlines()
    for at, words in {
        9: "not judged: the deal breaks off before a contract stands",
        12: "play      no card was played\n",
        14: "took 0 of 1 trick: the defence gave 0 away, the declarer 1; the rest was not played",
    }.items():
        one = judged("\n".join([*lines[:at], "unfinished"]))
        assert words in format_analysis(one), at
    assert whole.story.row is None
    assert "took 0 of 0 tricks" in format_analysis(judged(BLUNDER.format(cards="CA, C7")))
    thrown = [analyse(x.story, x.table) for x in golden("raspas_2")]
    assert (
        sum("passed    by all, and no card was played" in format_analysis(x) for x in thrown) == 1
    )
    left = [analyse(x.story, x.table) for x in golden("contracts_3")]
    assert any(one.play and not one.deal.began for one in left)


@MANY
def test_random_deals_are_judged() -> None:
    """Random deals under random conventions, of which some break off anywhere: the identity where
    it is played out, and always a text and JSON."""
    seen: Counter[str] = Counter()
    for seed in range(40):
        played = play_record(random_record(random.Random(seed)), "a random deal")
        one = analyse(played.story, played.table)
        seen[format_analysis(one).split()[0]] += 1
        assert json.loads(json.dumps(analysis_json(one)))["number"] == played.story.number
        row, deal = played.story.row, one.deal
        if one.play is None or row is None or not one.play.cards or stopped_early(deal):
            continue
        assert one.play.expected == int(row["tricks"][deal.owners[deal.declarer]])
        seen["judged"] += 1
    assert min(seen[name] for name in ("contract", "raspas", "not", "judged")) > 3


# JSON


@MANY
def test_every_golden_deal_is_told() -> None:
    """The text and JSON of a whole file of each kind: one form, the same figures."""
    keys: set[tuple[str, ...]] = set()
    for name in ("contracts_4", "misere_3", "raspas_4", "razboinik_2", "refet_last_3"):
        for played in golden(name)[:3]:
            one = analyse(played.story, played.table)
            data, text = analysis_json(one), format_analysis(one)
            keys.add(tuple(data))
            assert max(map(len, text.splitlines())) < 200
            if one.play is not None and one.deal.began:
                cards = data["play"]["cards"]
                assert len(cards) == len(one.deal.story.of(CARD))
                slips = [card for card in cards if card["gave"]]
                assert text.count(" away, ") == len(slips) + (one.play is not None)
                total = data["play"]["defence_gave"] + data["play"]["declarer_gave"]
                assert sum(x["tricks"] for x in data["play"]["gave"]) == total
            if one.discards is not None:
                assert len(data["discard"]["made"]) == 2 and data["discard"]["best"]
            for best in data["contracts"]:
                assert list(best["strains"]) == ["♠", "♣", "♦", "♥", "NT", "misere"]
    assert len(keys) == 1
