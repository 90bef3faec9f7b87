"""Raspas by hand, with the talon led or passed along, and what goes on from deal to deal."""

from typing import Any

import pytest

from naive.bundles import SOCHI, Conventions
from naive.cards import DEALER, PACK
from naive.deal import NaiveDeal
from naive.play import Play
from naive.pulka import new_pulka
from naive.scoring import Result
from naive.sheet import is_over
from naive.walks import SUITED, act, play_lowest, start

# Raspas


def deal_out(conv: Conventions, hands: str, talon: str, n: int) -> NaiveDeal:
    return NaiveDeal(conv, [hand.split() for hand in hands.split("|")], talon.split(), 0, n)


CLUBS = (
    "SA SK SQ SJ ST S9 S8 S7 DA DK |HA HK HQ HJ HT H9 H8 H7 DQ DJ |CK CQ CJ CT C9 C8 DT D9 D8 D7"
)


def test_the_dealer_leads_the_talon():
    deal = deal_out(SOCHI, CLUBS, "C7 CA", 4)
    act(deal, "pass pass pass")
    assert deal.trick == [(DEALER, "C7")] and deal.mover == 0
    assert deal.visible(DEALER) == {"C7"} and deal.visible(1) == {*deal.hands[1], "C7"}
    act(deal, "SA HA")
    assert set(deal.legal()) == {"CK", "CQ", "CJ", "CT", "C9", "C8"}
    deal.apply("C8")
    assert deal.tricks == [0, 0, 1, 0]
    assert deal.trick == [(DEALER, "CA")] and deal.mover == 0
    act(deal, "SK HK CK")
    assert deal.tricks == [0, 0, 1, 1] and deal.mover == 0 and deal.trick == []
    play_lowest(deal)
    assert sum(deal.tricks) == 10 and deal.tricks[DEALER] == 1


@pytest.mark.parametrize(("talon", "leader"), [("CA C7", 2), ("C7 CA", 0)])
def test_third_lead_after_the_talon_of_the_dealer(talon, leader):
    """The winner of the second trick may lead; the dealer has no cards to lead."""
    deal = deal_out(SOCHI | {"raspas.third_lead": "winner"}, CLUBS, talon, 4)
    act(deal, "pass pass pass SA HA C8 SK HK CK")
    assert deal.tricks[DEALER] == 1 and deal.mover == leader
    closed = deal_out(SOCHI | {"raspas.talon_four": "closed"}, CLUBS, talon, 4)
    act(closed, "pass pass pass")
    assert closed.trick == [] and closed.visible(DEALER) == set()


def test_two_cards_are_passed_along():
    conv = SOCHI | {"raspas.talon": "pass_along", "raspas.talon_four": "pass_along"}
    for n in (3, 4):
        deal = start(conv, "pass pass pass", n)
        assert deal.phase == "pass_along" and deal.mover == 0
        assert deal.hands[0] == PACK[:12] and deal.legal() == PACK[:11]
        assert deal.visible(1) == set(SUITED[1])
        act(deal, "S9 C7")
        assert deal.mover == 1 and deal.received(1) == ["S9", "C7"]
        assert deal.received(0) == ["S7", "S8"] and deal.put_away(0) == ["S9", "C7"]
        assert deal.hands[1] == ["S9", "C7", *SUITED[1]] and len(deal.visible(1)) == 12
        act(deal, "S9 DQ")
        assert deal.visible(1) == {"S9", "C7", *SUITED[1]}
        assert deal.mover == 2 and "S9" in deal.hands[2]
        act(deal, "S9")
        assert deal.legal()[0] == "DQ"
        act(deal, "DQ")
        assert deal.phase == "card" and deal.mover == 0 and deal.trick == []
        assert deal.visible(2) == {"S9", "DQ", *SUITED[2]}
        assert deal.visible(0) == {*PACK[:12]}
        assert [len(hand) for hand in deal.hands] == [10, 10, 10]
        play_lowest(deal)
        assert sum(deal.result()["tricks"]) == 10


def test_the_talon_cannot_win_where_it_names_suits():
    play = Play(SOCHI, [["S9"], ["SA"], ["C7"]], None, ["C8", "CA"], talon_wins=False)
    play.trick = [(0, "S9"), (1, "SA"), (2, "C7")]
    assert play.trick_winner() == 2


# From deal to deal


def raspas(dealer: int, n: int = 3, **more: Any) -> Result:
    return Result("raspas", dealer, [4, 3, 3, 0][:n], **more)


def unwhisted(dealer: int, declarer: int) -> Result:
    return Result(
        "tricks",
        dealer,
        [0, 0, 0],
        declarer=declarer,
        level=6,
        played=False,
        whist={player: "pass" for player in range(3) if player != declarer},
    )


def test_the_deal_passes_to_the_left():
    pulka = new_pulka(SOCHI, 3, 10)
    for dealer in (2, 0, 1, 2):
        assert pulka.dealer == dealer
        pulka.write(raspas(dealer))
    four = new_pulka(SOCHI, 4, 10)
    four.write(raspas(3, 4))
    assert four.dealer == 0


def test_the_deal_may_stay_after_raspas():
    conv = SOCHI | {"deal.after_raspas": "stays", "deal.stays_most": 2}
    pulka = new_pulka(conv, 3, 10)
    dealers = []
    for _ in range(5):
        dealers.append(pulka.dealer)
        pulka.write(raspas(pulka.dealer))
    assert dealers == [2, 2, 0, 0, 1]
    pulka.write(unwhisted(1, 0))
    assert pulka.dealer == 2
    pulka.write(raspas(2))
    assert pulka.dealer == 2


def test_time_goes_by_the_deals():
    conv = SOCHI | {"end.when": "time", "end.minutes": 4, "prize.min_mountain": 30}
    pulka = new_pulka(conv, 3, 10)
    pulka.write(raspas(2))
    pulka.write(raspas(0))
    assert pulka.clock == 200 and not pulka.over
    pulka.write(unwhisted(1, 0))
    assert pulka.clock == 240 and pulka.over
    # mountains 12, 9, 9: the two lowest share the prize on the third
    assert pulka.sheet.mountain == [12, 9, 9]
    assert [row[0] for row in pulka.sheet.whists] == [0, 15, 15]


def test_a_last_round_after_the_time():
    conv = SOCHI | {"end.when": "time", "end.minutes": 3, "end.last_round": True}
    pulka = new_pulka(conv, 3, 10)
    n_deals = 0
    while not is_over(conv, pulka.sheet):
        pulka.write(raspas(pulka.dealer))
        n_deals += 1
    assert n_deals == 6  # time is up after two deals; one ends the round, three are the last
