"""The refet game by hand: auction, who comes, contra, play, what is written, refets, settlement.

Examples are those of Lesnoy, Russian Preferans, and of the Preferansklub rules.
"""

import random

import pytest

from naive.bundles import REFET, Conventions
from naive.cards import HANDS, PACK, suit_of
from naive.refet import RefetDeal
from naive.refet_scoring import RefetBefore, RefetResult, hand_value, score_refet
from naive.refet_sheet import (
    RefetSheet,
    by_player,
    is_over,
    is_under_hat,
    may_refet,
    most_refets,
    settle_refet,
    write_refet_deal,
    written_off,
)
from naive.walks import SUITED, act, play_lowest, shuffled

EMPTY = RefetBefore()


def begin(actions: str = "", change: Conventions | None = None, n: int = 3) -> RefetDeal:
    """A deal of the sorted pack: talon S7 S8, the hearts with hand 2."""
    deal = RefetDeal(REFET | (change or {}), SUITED, PACK[:2], n)
    act(deal, actions)
    return deal


def played(contract: str, tricks: str, parts: str = "comes comes", **more: object) -> RefetResult:
    """Player 0 declares, player 2 has dealt; tricks of all three, and what the others said."""
    counts = [int(count) for count in tricks.split()] or None
    return RefetResult(
        3,
        2,
        0,
        contract,
        parts=dict(zip([1, 2], parts.split(), strict=True)),
        tricks=counts,
        **more,
    )


def score(
    result: RefetResult, change: Conventions | None = None, before: RefetBefore = EMPTY
) -> tuple[list[int], list[int]]:
    """Column entries, and the soup of players 1 and 2 on the declarer."""
    records = score_refet(REFET | (change or {}), result, before)
    assert all(row[1:] == [0, 0] for row in records.soup) and records.soup[0][0] == 0
    return records.column, [records.soup[1][0], records.soup[2][0]]


# The auction


def test_numbers_rise_by_one_and_the_first_holds():
    deal = begin()
    assert deal.legal() == ["pass", "2", "game", "game betl", "game sans"]
    act(deal, "2 3")
    assert deal.legal() == ["pass", "4", "game", "game betl", "game sans"]
    act(deal, "4")
    assert deal.mover == 0 and deal.legal() == ["pass", "hold"]
    act(deal, "pass")
    assert deal.mover == 1 and deal.legal() == ["pass", "hold"]
    act(deal, "hold")
    assert deal.mover == 2 and deal.legal() == ["pass", "5"]
    act(deal, "pass")
    assert (deal.phase, deal.declarer, deal.auction.bid) == ("discard", 1, "4")


def test_nobody_holds_a_two():
    deal = begin("pass 2")
    assert deal.mover == 2 and "hold" not in deal.legal()
    assert "hold" not in begin("2", {"bidding.hold": "next"}).legal()


def test_a_number_is_offered_to_the_next():
    deal = begin("2 3", {"bidding.hold": "next"})
    assert deal.legal() == ["pass", "hold", "game", "game betl", "game sans"]
    act(deal, "hold")
    assert deal.mover == 0 and deal.legal() == ["pass", "4"]
    assert begin("2 3 pass", {"bidding.hold": "next"}).legal() == ["pass", "hold"]


def test_after_a_held_seven_the_others_pass():
    deal = begin("2 pass 3 hold 4 hold 5 hold 6 hold 7 hold")
    assert deal.legal() == ["pass"]
    act(deal, "pass S7 S8")
    assert deal.declarer == 0 and deal.legal() == ["sans"]
    longer = begin("2 pass 3 hold 4 hold 5 hold 6 hold 7 hold", {"bidding.preferans": True})
    assert longer.legal() == ["pass", "8"]


def test_jumps():
    deal = begin("2", {"bidding.jumps": True})
    assert deal.legal()[:6] == ["pass", "3", "4", "5", "6", "7"]


def test_games_are_first_words():
    deal = begin("2 game")
    assert deal.legal() == ["pass", "game", "game betl", "game sans"]
    act(deal, "game_betl")
    assert deal.mover == 0 and deal.legal() == ["pass"]
    act(deal, "pass pass")
    assert (deal.phase, deal.declarer, deal.contract) == ("contra", 2, "betl")
    assert deal.from_hand and deal.talon_face_up() == [] and len(deal.hands[2]) == 10


def test_suits_of_several_games():
    deal = begin("game game game")
    assert deal.phase == "suit" and deal.legal() == ["spades", "diamonds", "hearts", "clubs"]
    act(deal, "diamonds")
    assert deal.legal() == ["yours is better", "hearts", "clubs"]
    act(deal, "clubs")
    assert deal.legal() == ["yours is better"]
    act(deal, "yours_is_better")
    assert (deal.declarer, deal.contract, deal.phase) == (1, "clubs", "come")


def test_a_lone_game_names_any_suit():
    deal = begin("game pass pass")
    assert deal.phase == "contract"
    assert deal.legal() == ["spades", "diamonds", "hearts", "clubs"]


def test_all_pass():
    deal = begin("pass pass pass")
    assert deal.phase == "done" and deal.result()["declarer"] is None


def test_the_talon():
    deal = begin("pass 2 pass")
    assert deal.talon_face_up() == ["S7", "S8"] and len(deal.hands[1]) == 12
    hidden = begin("pass 2 pass", {"bidding.talon_shown": False})
    assert hidden.talon_face_up() == [] and "S7" in hidden.visible(1) - hidden.visible(0)
    act(hidden, "S7 S8")
    assert "S7" in hidden.visible(1) - hidden.visible(2)
    assert hidden.legal() == ["spades", "diamonds", "hearts", "clubs", "betl", "sans"]


# Who plays

CLUBS = "2 pass pass S7 S8 clubs "


def test_a_lone_follower_plays_tricks_of_two_cards():
    deal = begin(CLUBS + "stays comes")
    assert deal.mover == 2 and deal.legal() == ["alone", "invites"]
    act(deal, "alone no_contra")
    assert deal.phase == "card" and deal.play.in_play == [0, 2]
    play_lowest(deal)
    assert all(len(trick) == 2 for trick in deal.play.past_tricks)
    assert by_player(deal.result(), 2, 3).parts == {1: "stays", 2: "comes"}


def test_who_is_invited_plays():
    deal = begin(CLUBS + "comes stays invites")
    assert deal.phase == "card" and deal.play.in_play == HANDS
    assert deal.parts() == {1: "comes", 2: "invited"} and deal.contra is None
    assert begin(CLUBS + "comes stays", {"follow.invite": False}).phase == "contra"


def test_contra_draws_the_other_in():
    deal = begin(CLUBS + "stays comes alone contra")
    assert deal.mover == 0
    act(deal, "contra")
    assert deal.mover == 2
    act(deal, "contra contra")
    assert deal.phase == "card" and deal.play.in_play == HANDS
    assert (deal.contra.level, deal.contra.by) == (4, 2)
    assert deal.parts() == {1: "stays", 2: "comes"}


def test_contra_by_either():
    change = {"contra.by": "either"}
    deal = begin(CLUBS + "comes stays alone no_contra", change)
    assert (deal.phase, deal.mover) == ("contra", 2)
    assert begin(CLUBS + "stays stays", change).phase == "done"


@pytest.mark.parametrize(("levels", "phase"), [(0, "card"), (1, "card"), (2, "contra")])
def test_levels_of_contra(levels: int, phase: str):
    words = "comes comes contra" if levels else "comes comes"
    assert begin(CLUBS + words, {"contra.levels": levels}).phase == phase


def test_spades_need_a_contra():
    spades = "2 pass pass S7 S8 spades "
    assert begin(spades + "comes stays").phase == "contra"  # nobody is invited
    assert begin(spades + "comes comes no_contra no_contra").phase == "done"
    assert begin(spades + "comes comes no_contra contra no_contra").phase == "card"
    assert begin(spades + "comes comes no_contra no_contra", FREE).phase == "card"
    assert begin("game pass pass spades comes stays alone no_contra").phase == "card"


FREE = {"spades.needs_contra": False}


def test_both_play_against_betl():
    deal = begin("2 pass pass S7 S8 betl")
    assert (deal.phase, deal.mover) == ("contra", 1)
    act(deal, "no_contra no_contra")
    assert deal.phase == "card" and deal.hands_face_up() == []
    opened = begin("2 pass pass S7 S8 betl no_contra no_contra", {"betl.open": True})
    assert opened.hands_face_up() == [0] and opened.visible(1) >= set(opened.hands[0])


# Play


def test_first_leads():
    assert begin(CLUBS + "comes comes no_contra no_contra").mover == 0
    after = "pass 2 pass S7 S8 clubs comes stays alone no_contra"
    assert begin(after).mover == 1  # the first hand is out
    sans = "pass 2 pass S7 S8 sans "
    assert begin(sans + "comes comes no_contra no_contra").mover == 0
    assert begin(sans + "comes stays alone no_contra").mover == 2
    later = sans + "comes comes no_contra no_contra"
    assert begin(later.replace("pass 2 pass", "pass pass 2")).mover == 1
    assert begin(later.replace("pass 2 pass", "pass pass 2"), {"tricks.through": False}).mover == 0


def card_deal(hands: list[str], trump: str, change: Conventions) -> RefetDeal:
    """Three hands that begin as said; the first declares and leads."""
    named = [hand.split() for hand in hands]
    rest = [card for card in PACK if card not in sum(named, [])]
    full = [cards + [rest.pop() for _ in range(10 - len(cards))] for cards in named]
    deal = RefetDeal(REFET | change, full, rest)
    act(deal, f"game pass pass {trump} comes comes no_contra no_contra")
    return deal


def test_must_head():
    hands = ["C9 H7", "CT C7 CA S7 D7", "S8 S9 SA"]
    free = card_deal(hands, "spades", {})
    free.apply("C9")
    assert [card for card in free.legal() if suit_of(card) == "C"] == free.legal()
    assert "C7" in free.legal()
    head = card_deal(hands, "spades", {"tricks.must_head": True})
    head.apply("C9")
    assert "C7" not in head.legal() and {"CT", "CA"} <= set(head.legal())


def test_must_overtrump():
    hands = ["D7 D8 D9 DT DJ DQ DK DA", "ST", "S9 SJ"]
    for change, low in (({}, True), ({"tricks.must_overtrump": True}, False)):
        deal = card_deal(hands, "spades", change)
        deal.apply("D7")
        assert deal.legal() == ["ST"]
        deal.apply("ST")
        assert {suit_of(card) for card in deal.legal()} == {"S"} and "SJ" in deal.legal()
        assert ("S9" in deal.legal()) == low


def test_play_stops_when_the_declarer_has_failed():
    deal = begin("2 pass pass S7 S8 betl no_contra no_contra")
    while deal.phase == "card":
        deal.apply(deal.legal()[-1])
    lost = deal.play.tricks[0] > 0
    assert lost == (len(deal.play.past_tricks) < 10)
    long = begin("2 pass pass S7 S8 betl no_contra no_contra", {"tricks.stop": False})
    play_lowest(long)
    assert sum(long.play.tricks) == 10


# What is written


def test_lesnoys_pulka():
    """A, B and C (0, 1, 2) from 30: the columns, soup, refets and the settlement of the example."""
    sheet = RefetSheet(3, 30)
    c_diamonds = RefetResult(3, 1, 2, "diamonds", parts={0: "comes", 1: "comes"}, tricks=[2, 2, 6])
    write_refet_deal(REFET, sheet, c_diamonds)
    b_clubs = RefetResult(3, 2, 1, "clubs", parts={2: "comes", 0: "stays"}, tricks=[0, 7, 3])
    write_refet_deal(REFET, sheet, b_clubs)
    write_refet_deal(REFET, sheet, RefetResult(3, 0))
    assert sheet.refets == [1, 1, 1] and not may_refet(REFET, sheet)
    a_clubs = RefetResult(3, 1, 0, "clubs", parts={1: "stays", 2: "comes"}, tricks=[7, 0, 3])
    write_refet_deal(REFET, sheet, a_clubs)
    assert sheet.column == [10, 20, 24] and sheet.refets == [0, 1, 1]
    assert sheet.soup == [[0, 0, 12], [0, 0, 12], [60, 30, 0]]
    assert written_off(REFET, sheet) == [18, 18, 18]
    assert settle_refet(REFET, sheet) == [32, -38, 6]


def test_values():
    assert hand_value(played("spades", ""), False) == 4
    assert hand_value(played("clubs", "", from_hand=True), False) == 12
    assert hand_value(played("sans", "", from_hand=True, contra=2), True) == 128
    assert hand_value(played("preferans", ""), False) == 16


def test_followers():
    assert score(played("clubs", "6 2 2")) == ([-10, 0, 0], [20, 20])
    assert score(played("clubs", "6 3 1")) == ([-10, 0, 0], [30, 10])
    assert score(played("clubs", "6 3 1"), {"follow.short": "own"}) == ([-10, 0, 10], [30, 10])
    assert score(played("clubs", "7 2 1")) == ([-10, 0, 10], [20, 10])
    assert score(played("clubs", "9 1 0")) == ([-10, 10, 10], [10, 0])
    assert score(played("clubs", "9 1 0", "comes stays")) == ([-10, 10, 0], [10, 0])
    assert score(played("clubs", "5 4 1")) == ([10, 0, 0], [40, 10])
    assert score(played("clubs", "5 4 1"), {"follow.short": "own"}) == ([10, 0, 10], [40, 10])
    assert score(played("hearts", "7 2 1", "comes invited")) == ([-8, 8, 0], [24, 0])
    assert score(played("hearts", "6 1 3", "invited comes")) == ([-8, 0, 0], [0, 32])
    assert score(played("clubs", "", "stays stays")) == ([-10, 0, 0], [0, 0])


def test_soup_is_cut_off():
    lost = played("clubs", "3 2 5")
    assert score(lost) == ([10, 0, 0], [0, 50])
    assert score(lost, {"tricks.soup_most": 10}) == ([10, 0, 0], [20, 50])
    assert score(played("clubs", "4 3 3")) == ([10, 0, 0], [30, 20])  # the nearer of equal ones


def test_contra():
    game = played("clubs", "5 3 2", "comes stays", from_hand=True, contra=1, contra_by=1)
    assert score(game) == ([24, 0, 0], [120, 0])
    assert score(game, {"contra.soup": "each_own"}) == ([24, 0, 0], [72, 48])
    made = played("hearts", "6 2 2", contra=2, contra_by=2)
    assert score(made) == ([-32, 0, 32], [0, 128])
    rekontra = played("spades", "5 5 0", from_hand=True, contra=2, contra_by=1)
    assert score(rekontra, {}, RefetBefore(on_refet=True)) == ([48, 0, 0], [240, 0])


def test_betl():
    assert score(played("betl", "0 5 5")) == ([-12, 0, 0], [0, 0])
    assert score(played("betl", "1 0 0")) == ([12, 0, 0], [60, 60])
    assert score(played("betl", "1 0 0", from_hand=True)) == ([14, 0, 0], [70, 70])
    assert score(played("betl", "0 5 5", contra=1, contra_by=2)) == ([-24, 0, 24], [0, 0])
    lost = played("betl", "1 4 0", contra=1, contra_by=2)
    assert score(lost) == ([24, 0, 0], [0, 120])
    assert score(lost, {"betl.lost_contra": "each_five"}) == ([24, 0, 0], [120, 120])
    assert score(lost, {"betl.lost_contra": "contra_ten"}) == ([24, 0, 0], [0, 240])
    assert score(played("preferans", "9 1 0")) == ([16, 0, 0], [80, 80])
    assert score(played("preferans", "10 0 0")) == ([-16, 0, 0], [0, 0])


@pytest.mark.parametrize(
    ("left", "column", "on_a_refet"),
    [
        ("refet_or_made", -4, -8),
        ("refet_or_four", -4, -4),
        ("refet_or_nothing", 0, 0),
        ("made", -4, -8),
    ],
)
def test_spades_left(left: str, column: int, on_a_refet: int):
    change = {"spades.left": left}
    spades = played("spades", "")
    records = score_refet(REFET | change, spades, EMPTY)
    assert records.refets_for == ([] if left == "made" else [0, 1, 2])
    assert score(spades, change, RefetBefore(may_refet=False)) == ([column, 0, 0], [0, 0])
    held = RefetBefore(on_refet=True, may_refet=False)
    assert score(spades, change, held) == ([on_a_refet, 0, 0], [0, 0])
    assert score_refet(REFET | change, spades, held).refet_used == (column != 0)


def test_spades_to_which_nobody_comes():
    spades = played("spades", "", "stays stays")
    assert score(spades) == ([0, 0, 0], [0, 0])
    assert score(spades, {"spades.nobody_comes": "made"}) == ([-4, 0, 0], [0, 0])
    assert score(spades, FREE) == ([-4, 0, 0], [0, 0])
    assert score(played("spades", "", "stays stays", from_hand=True)) == ([-6, 0, 0], [0, 0])


def test_the_last_hand():
    six = RefetBefore(remaining=6)
    assert score(played("clubs", "6 2 2"), {}, six) == ([-6, 0, 0], [12, 12])
    assert score(played("clubs", "6 2 2"), {"last.made": "stop"}, six) == ([-10, 0, 0], [20, 20])
    assert score(played("clubs", "5 3 2"), {}, six) == ([10, 0, 0], [30, 20])
    assert score(played("clubs", "9 1 0", "comes stays"), {}, six) == ([-10, 10, 0], [10, 0])
    twice = {"last.double_fall": True}
    assert score(played("hearts", "5 5 0"), twice, six) == ([16, 0, 0], [40, 0])
    assert score(played("diamonds", "5 5 0"), twice, six) == ([6, 0, 0], [30, 0])


# Refets and the sheet


def test_how_many_refets():
    assert [most_refets(REFET, RefetSheet(3, start)) for start in (30, 49, 50, 100)] == [1, 1, 3, 3]


def test_the_hat():
    sheet = RefetSheet(3, 50, column=[0, 50, 60])
    assert not is_under_hat(REFET, sheet) and may_refet(REFET, sheet)
    assert is_under_hat(REFET | {"refets.hat": "at_zero"}, sheet)
    sheet.column[0] = -2
    assert is_under_hat(REFET, sheet)
    write_refet_deal(REFET, sheet, RefetResult(3, 0))
    assert sheet.refets == [0, 0, 0] and sheet.refets_written == 0


def test_a_refet_is_used_under_the_hat_unless_it_is_frozen():
    for frozen, column in ((False, 38), (True, 44)):
        sheet = RefetSheet(3, 50, column=[50, -2, 60], refets=[1, 1, 1])
        made = played("diamonds", "6 2 2")
        write_refet_deal(REFET | {"refets.frozen": frozen}, sheet, made)
        assert sheet.column[0] == column and sheet.refets[0] == frozen


def test_four_players():
    sheet = RefetSheet(4, 30)
    write_refet_deal(REFET | {"refets.for_dealer": False}, sheet, RefetResult(4, 1))
    assert sheet.refets == [1, 0, 1, 1] and sheet.refets_written == 1
    deal = begin("pass 2 pass S7 S8 clubs stays stays", n=4)
    result = by_player(deal.result(), 1, 4)
    assert (result.declarer, result.followers()) == (3, [0, 2])
    write_refet_deal(REFET, sheet, result)
    assert sheet.column == [30, 30, 30, 10] and sheet.refets == [1, 0, 1, 0]


def test_the_end():
    assert is_over(RefetSheet(3, 30, column=[10, 8, -18]))
    assert not is_over(RefetSheet(3, 30, column=[20, 10, -10]))


@pytest.mark.parametrize(
    ("column", "off"),
    [
        ([20, 30, 40], [30, 30, 30]),
        ([24, 34, 28], [28, 29, 29]),
        ([8, 2, 0], [4, 3, 3]),
        ([5, 5, 0], [4, 3, 3]),
        ([4, -6, 0], [0, -1, -1]),
    ],
)
def test_whole_points_written_off(column: list[int], off: list[int]):
    sheet = RefetSheet(3, 30, column=column)
    assert written_off(REFET | {"last.write_off": "whole"}, sheet) == off
    assert sum(settle_refet(REFET, sheet)) == 0


# Random deals


def test_random_deals_are_played_by_the_rules():
    """Cards are played once, suits are followed, and tricks add up, whatever is said."""
    chance = random.Random("naive refet")
    kinds = set()
    for _ in range(600):
        hands, talon = shuffled(chance)
        deal = RefetDeal(REFET | {"bidding.preferans": True}, hands, talon, chance.choice((3, 4)))
        while deal.phase != "done":
            assert deal.mover in HANDS
            deal.apply(chance.choice(deal.legal()))
        assert deal.legal() == [] and deal.mover is None
        kinds.add(deal.contract)
        if deal.play is None:
            continue
        check_play(deal)
    assert len(kinds) == 8


def check_play(deal: RefetDeal) -> None:
    """Look back at the tricks of a deal from its end."""
    play = deal.play
    cards = play.cards_played()
    assert len(set(cards)) == len(cards) == len(play.past_tricks) * len(play.in_play)
    assert sum(play.tricks) == len(play.past_tricks)
    held = {hand: set(deal.hands[hand]) for hand in play.in_play}
    for trick in reversed(play.past_tricks):
        led = suit_of(trick[0][1])
        assert sorted(hand for hand, _ in trick) == play.in_play
        for hand, card in trick:
            held[hand].add(card)
            suits = {suit_of(one) for one in held[hand]}
            must = led if led in suits else play.trump
            assert suit_of(card) == must or must not in suits
    assert all(len(cards) == 10 for cards in held.values())
