"""Two players and the dummy by hand: seats, the defender's words, misere, raspas, the records."""

from fractions import Fraction

import pytest

from naive.bundles import INDIVISIBLE, SOCHI, Conventions
from naive.cards import PACK
from naive.deal import NaiveDeal
from naive.dummy import lowest_card
from naive.pulka import by_player, new_pulka
from naive.scoring import Before, Result, score_deal
from naive.sheet import new_sheet, settle, write_deal
from naive.walks import SUITED, act, play_lowest

SIX = "6S pass S7 S8 6S"
"""The eldest plays six spades; in the middle sits the dummy."""


def two(conv: Conventions, actions: str = "", index: int = 0, first: bool = False) -> NaiveDeal:
    """A deal of the sorted pack: talon S7 S8, hand 2 holds the hearts."""
    deal = NaiveDeal(conv, SUITED, PACK[:2], index, 2, first)
    act(deal, actions)
    return deal


@pytest.mark.parametrize(
    ("seat", "dummy", "seats"), [("middle", 1, [0, 2]), ("first", 0, [1, 2]), ("last", 2, [0, 1])]
)
def test_seats(seat, dummy, seats):
    deal = two(SOCHI | {"dummy.seat": seat})
    assert (deal.dummy, deal.seats, deal.mover) == (dummy, seats, seats[0])
    assert deal.visible(seats[0]) == set(SUITED[seats[0]])
    deal.apply("6S")
    assert deal.mover == seats[1]


def test_the_eldest_may_hold():
    deal = two(SOCHI, "6S 6C")
    assert deal.mover == 0 and "hold" in deal.legal()
    act(deal, "hold")
    assert "hold" not in deal.legal()
    act(deal, "pass")
    assert deal.declarer == 0 and deal.phase == "discard"


# The defender


def test_open_both_hands_are_the_defenders():
    deal = two(SOCHI, f"{SIX} whist")
    assert deal.phase == "open" and deal.mover == 2 and deal.legal() == ["closed", "open"]
    deal.apply("open")
    assert deal.hands_face_up() == [1, 2] and deal.who_plays(1) == 2
    assert len(deal.visible(0)) == 12 + 20
    deal.apply(deal.legal()[0])
    assert (deal.mover, deal.decider) == (1, 2)
    play_lowest(deal)
    result = deal.result()
    assert result["open"] and sum(result["tricks"]) == 10 and result["tricks"][1] == 0
    assert result["whist"] == {2: "whist"} and result["last_whister"] == 2


def test_blind_the_dummy_is_out():
    deal = two(SOCHI, f"{SIX} whist closed")
    assert deal.hands_in_play() == [0, 2] and deal.hands_face_up() == []
    act(deal, deal.legal()[0])
    assert deal.mover == 2
    play_lowest(deal)
    assert all(len(trick) == 2 for trick in deal.past_tricks) and not deal.result()["open"]


def test_blind_the_dummy_plays_its_lowest_card_for_nobody():
    deal = two(SOCHI | {"dummy.blind": "lowest"}, f"{SIX} whist closed S9")
    assert deal.mover == 1 and deal.decider is None and deal.legal() == ["D7"]
    assert lowest_card(["C8", "D8", "S9", "H8"]) == "C8"
    play_lowest(deal)
    nobodys = deal.play.tricks[1]
    assert sum(deal.tricks) == 10 - nobodys and deal.tricks[1] == 0


def test_the_first_card_is_dark():
    dark = SOCHI | {"whist.first_card_dark": True}
    deal = two(dark, f"{SIX} whist")
    assert deal.phase == "card" and deal.mover == 0
    deal.apply(deal.legal()[-1])
    assert deal.phase == "open" and deal.mover == 2
    deal.apply("closed")
    assert deal.phase == "card" and deal.mover == 2
    first = two(dark | {"dummy.seat": "first"}, "6S pass S7 S8 6S whist")
    assert first.phase == "open"
    first.apply("closed")
    assert first.phase == "card" and first.mover == 1


def test_the_dummy_is_seen_before_the_choice():
    early = SOCHI | {"dummy.opened": "before_whist"}
    deal = two(early, SIX)
    assert deal.phase == "whist" and deal.hands_face_up() == [1]
    assert set(SUITED[1]) <= deal.visible(0) and not set(SUITED[2]) & deal.visible(0)
    assert deal.who_plays(1) is None
    deal.apply("whist")
    deal.apply("closed")
    assert deal.hands_face_up() == [1] and deal.hands_in_play() == [0, 2]
    assert two(early, f"{SIX} pass").phase == "done"
    assert two(SOCHI, SIX).hands_face_up() == []


def test_what_the_defender_may_do():
    only = SOCHI | {"dummy.defence": ["blind"], "whist.stalingrad": True}
    assert two(only, SIX).legal() == ["whist"]
    assert two(only, f"{SIX} whist").legal() == ["closed"]
    forced = two(SOCHI | {"whist.stalingrad": True}, SIX)
    assert forced.legal() == ["whist"]
    assert two(SOCHI | {"whist.stalingrad": True}, "6S pass S7 S8 6C").legal() == ["pass", "whist"]


def test_a_checked_ten_is_open_and_owes_nothing():
    conv = SOCHI | {"whist.ten": "checked", "whist.first_card_dark": True}
    deal = two(conv, "6S pass S7 S8 10C")
    assert deal.phase == "card" and deal.hands_face_up() == [1, 2] and deal.who_plays(1) == 2
    play_lowest(deal)
    result = deal.result()
    assert not result["open"] and result["whist"] == {2: "whist"}
    records = score_deal(conv, by_player(conv, result, 1), Before())
    assert records.mountain[1] == 0


def test_misere_against_both_hands():
    deal = two(SOCHI | {"misere.defence": "catch_or_trust"}, "misere pass S7 S8")
    assert deal.phase == "card" and deal.mover == 0 and deal.hands_face_up() == []
    deal.apply(deal.legal()[0])
    assert deal.hands_face_up() == [1, 2] and (deal.mover, deal.decider) == (1, 2)
    later = two(SOCHI | {"misere.first_trick_dark": True}, "pass misere S7 S8")
    assert later.hands_face_up() == [0, 1]


# Raspas


def test_raspas_of_two():
    deal = two(SOCHI, "pass pass")
    assert deal.phase == "card" and deal.hands_in_play() == [0, 2] and deal.talon_face_up() == []
    play_lowest(deal)
    assert sum(deal.tricks) == 10
    thrown = two(SOCHI | {"dummy.raspas": "no_raspas"}, "pass pass")
    assert thrown.phase == "done" and not thrown.result()["played"]
    first = two(SOCHI | {"dummy.seat": "first"}, "pass pass")
    assert first.mover == 1
    lowest = two(SOCHI | {"dummy.seat": "first", "dummy.raspas": "lowest"}, "pass pass")
    assert (lowest.mover, lowest.decider) == (0, None) and lowest.legal() == ["C7"]


def deal_of(conv: Conventions, hands: str, talon: str) -> NaiveDeal:
    deal = NaiveDeal(conv, [hand.split() for hand in hands.split("|")], talon.split(), 0, 2)
    act(deal, "pass pass")
    return deal


NO_SPADES = (
    "HA HK HQ HJ HT CA CK CQ CJ CT |SK SQ SJ ST S9 S8 S7 D9 D8 D7 |H9 H8 H7 C9 C8 C7 DK DQ DJ DT"
)


@pytest.mark.parametrize(
    ("rule", "nobody", "tricks", "third"),
    [
        ("suit_only", "first_hand", [1, 0, 0, 0], 0),
        ("suit_only", "highest_of_first", [0, 0, 1, 0], 0),
        ("may_win", "first_hand", [0, 0, 0, 1], 0),
    ],
)
def test_nobody_follows_the_talon(rule, nobody, tricks, third):
    """The dummy has the other spades; to the first trick the higher heart is in hand 2."""
    conv = SOCHI | {"raspas.talon_two": rule, "raspas.nobody_follows": nobody}
    swapped = NO_SPADES.replace("HT", "xx").replace("H9", "HT").replace("xx", "H9")
    deal = deal_of(conv, swapped, "SA DA")
    assert len(deal.legal()) == 10 and deal.visible(0) == {*deal.hands[0], "SA"}
    act(deal, "H9")
    assert len(deal.legal()) == 10
    act(deal, "HT")
    assert deal.play.tricks == tricks and deal.mover == 0 and "DA" in deal.visible(2)
    act(deal, "CT")
    assert deal.legal() == ["DT", "DJ", "DQ", "DK"]
    act(deal, "DT")
    assert deal.mover == third


def test_third_lead_of_two():
    conv = SOCHI | {"raspas.talon_two": "may_win", "raspas.third_lead": "winner"}
    low = deal_of(conv, NO_SPADES, "SA DA")
    act(low, "HT H7 CT DK")
    assert low.play.tricks == [0, 0, 0, 2] and low.mover == 0
    hands = NO_SPADES.replace("D7", "DA")
    won = deal_of(conv, hands, "SA D7")
    act(won, "HT H7 CT DK")
    assert won.play.tricks == [0, 0, 1, 1] and won.mover == 2


def test_raspas_by_agreement():
    conv = SOCHI | {"raspas.agreed": "first_deal", "auction.dark_pass": True}
    deal = two(conv, first=True)
    assert deal.phase == "agree" and deal.legal() == ["refuse", "agree"]
    assert deal.visible(0) == deal.visible(2) == set()
    assert two(conv, "agree agree", first=True).phase == "card"
    assert two(conv, "agree refuse", first=True).phase == "dark"
    assert two(conv).phase == "dark"
    three = NaiveDeal(conv, SUITED, PACK[:2], 0, 3, first_deal=True)
    act(three, "agree agree agree")
    assert three.phase == "card" and len(three.auction.calls) == 0


# What is written


def played(level: int, taken: int, others: int, **more) -> Result:
    """A contract of player 0 against player 1, who deals."""
    return Result(
        "tricks",
        1,
        [taken, others],
        declarer=0,
        level=level,
        whist={1: "whist"},
        last_whister=1,
        **more,
    )


def test_one_defender_writes_all():
    failed = score_deal(SOCHI, played(6, 4, 6), Before())
    assert failed.mountain == [4, 0] and failed.whists == [[0, 0], [2 * 6 + 2 * 2, 0]]
    gentle = SOCHI | {"whist.style": "gentleman", "whist.consolation_passer": "to_whister"}
    assert score_deal(gentle, played(6, 4, 6), Before()).whists == failed.whists
    assert score_deal(SOCHI, played(8, 10, 0), Before()).mountain == [0, 6]
    lost = score_deal(SOCHI, played(6, 4, 3, blind=True), Before())
    assert lost.whists[1][0] == 2 * 3 + 2 * 2


def test_blind_duty():
    conv = SOCHI | {"dummy.blind_duty": [2, 1, 1, 0, 0]}
    assert score_deal(conv, played(6, 9, 1, blind=True), Before()).mountain == [0, 2]
    assert score_deal(conv, played(6, 9, 1), Before()).mountain == [0, 6]


def test_the_talon_bonus_of_the_only_defender():
    conv = SOCHI | {"talon.bonus": True, "talon.bonus_three": "half_each"}
    unplayed = Result(
        "tricks",
        0,
        [0, 0],
        declarer=0,
        level=6,
        played=False,
        whist={1: "pass"},
        talon_units=2,
    )
    assert score_deal(conv, unplayed, Before()).whists == [[0, 0], [4, 0]]
    by_dealer = conv | {"talon.bonus_three": "dealer"}
    assert score_deal(by_dealer, unplayed, Before()).whists == [[0, 0], [0, 0]]


def test_fir_trees():
    conv = SOCHI | {"raspas.fir_trees": "lowest", "auction.bombs": "until_made"}
    sheet = new_sheet(conv, 2, 20)
    for tricks in ([3, 7], [5, 5], [10, 0]):
        write_deal(conv, sheet, Result("raspas", 1, tricks))
    assert sheet.fir_trees == [2, 2]
    sheet.bombs = [1, 0]
    failed = write_deal(conv, sheet, played(6, 4, 6))
    assert failed.mountain == [4 * 4, 0] and failed.whists[1][0] == 4 * 16
    assert sheet.fir_trees == [1, 2] and sheet.bombs == [1, 0]
    thrown = Result("raspas", 1, [0, 0], played=False, dark_pass=True)
    before = sheet.copy()
    assert write_deal(conv, sheet, thrown).mountain == [0, 0]
    assert sheet.fir_trees == [1, 2] and sheet.raspas_index == before.raspas_index


def test_a_deal_thrown_in_passes_on():
    conv = SOCHI | {"deal.after_raspas": "stays", "end.when": "time"}
    pulka = new_pulka(conv, 2, 10)
    pulka.write(Result("raspas", 1, [0, 0], played=False))
    assert pulka.dealer == 0 and pulka.clock == 40 and pulka.sheet.n_deals == 1
    pulka.write(Result("raspas", 0, [4, 6]))
    assert pulka.dealer == 0


def test_surplus_points_of_an_indivisible_mountain():
    """Code of Preferans 4.1.1 c: half of what does not fit into the pools goes off the mountain."""
    sheet = new_sheet(INDIVISIBLE, 2, 1)
    misere = Result("misere", 1, [0, 10], declarer=0)
    write_deal(INDIVISIBLE, sheet, misere)
    assert sheet.pool == [1, 1] and sheet.mountain == [-4, 0] and sheet.whists[0][1] == 10
    assert settle(INDIVISIBLE, sheet) == [50, -50]
    early = new_sheet(INDIVISIBLE, 2, 20)
    write_deal(INDIVISIBLE, early, misere)
    assert settle(INDIVISIBLE, early) == [50, -50]
    odd = new_sheet(INDIVISIBLE | {"misere.made": 7}, 2, 1)
    write_deal(INDIVISIBLE | {"misere.made": 7}, odd, misere)
    assert odd.mountain[0] == Fraction(-5, 2)
