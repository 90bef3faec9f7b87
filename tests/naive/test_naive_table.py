"""The procedure at the table by hand: dark pass, without talon, dealer's whist, misere."""

import pytest

from naive.bundles import FINKA, LENINGRAD, SOCHI, Conventions
from naive.cards import DEALER, LADDER, MISERE_WITHOUT, PACK, RUNGS, ladder, level_of, trump_of
from naive.deal import NaiveDeal
from naive.pulka import by_player
from naive.talon import contracts_after, quick_tricks
from naive.walks import SUITED, act, play_lowest, start

WITHOUT: Conventions = SOCHI | {"auction.without_talon": ["misere", "nine", "ten"]}
DARK: Conventions = SOCHI | {"auction.dark_pass": True}


# The ladder


def test_names_without_the_talon():
    assert level_of("9NT-wt") == 9 and trump_of("9NT-wt") is None
    assert level_of("10H-wt") == 10 and trump_of("10H-wt") == "H"
    assert level_of(MISERE_WITHOUT) is None and trump_of(MISERE_WITHOUT) is None


def test_ladder_without_talon():
    assert ladder(SOCHI) == LADDER
    rungs = ladder(WITHOUT)
    assert len(rungs) == 37
    assert rungs[20:23] == ["9NT", "misere-wt", "9S-wt"] and rungs[-1] == "10NT-wt"
    some = ladder(SOCHI | {"auction.without_talon": ["nine"]})
    assert len(some) == 31 and "misere-wt" not in some and "10S-wt" not in some
    order = [*RUNGS]
    order.remove("misere_without")
    order.insert(order.index("ten") + 1, "misere_without")
    rungs = ladder(WITHOUT | {"auction.ladder": order})
    assert rungs.index("10NT") < rungs.index("misere-wt") < rungs.index("10S-wt")


def test_lowest_level_after_raspas():
    hard = WITHOUT | {"raspas.exit_levels": [6, 8, 9, 10]}
    assert start(hard, index=1).legal()[1:3] == ["8S", "8C"]
    assert {"misere", "misere-wt"} <= set(start(hard, index=1).legal())
    assert start(hard, index=2).legal() == [
        "pass",
        *RUNGS["nine"],
        *RUNGS["nine_without"],
        *RUNGS["ten"],
        *RUNGS["ten_without"],
    ]
    assert "9S-wt" not in start(hard, index=5).legal()
    free = hard | {"raspas.exit_is_min_bid": False}
    assert start(free, index=5).legal() == ["pass", *ladder(WITHOUT)]


# The dark pass


def test_dark_pass_before_the_cards_are_seen():
    deal = start(DARK)
    assert deal.phase == "dark" and deal.mover == deal.decider == 0
    assert deal.legal() == ["look", "dark pass"]
    assert deal.visible(0) == set() and deal.visible(1) == set(SUITED[1])
    deal.apply("look")
    assert deal.phase == "auction" and deal.mover == 0 and deal.visible(0) == set(SUITED[0])
    act(deal, "pass pass pass")
    play_lowest(deal)
    assert not deal.result()["dark_pass"]


def test_all_pass_after_a_dark_pass():
    deal = start(DARK, "dark_pass")
    assert deal.mover == 1 and deal.visible(0) == set(SUITED[0])
    act(deal, "pass pass")
    assert deal.phase == "card"
    play_lowest(deal)
    assert deal.result()["dark_pass"]


def test_a_bid_after_a_dark_pass():
    deal = start(DARK, "dark_pass 6S 6C")
    assert deal.mover == 1 and "hold" in deal.legal()  # two are left
    deal.apply("pass")
    assert deal.phase == "discard" and deal.declarer == 2
    assert start(DARK, "dark_pass pass 6S").phase == "discard"
    act(deal, "S7 S8 6C pass pass")
    assert not deal.result()["dark_pass"]


# The auction


def test_hold_may_end_the_auction():
    ends = SOCHI | {"auction.hold": "ends_auction"}
    deal = start(ends, "6S 6C pass hold")
    assert deal.phase == "discard" and deal.declarer == 0 and deal.auction.bid == "6C"
    deal = start(SOCHI, "6S 6C pass hold")
    assert deal.phase == "auction" and deal.mover == 1


def test_misere_may_go_on_to_misere_without_the_talon():
    deal = start(WITHOUT, "misere 9S pass")
    assert deal.legal() == ["pass", "misere-wt"]
    assert start(WITHOUT, "misere 9S pass misere-wt 9S-wt").legal() == ["pass"]
    off = WITHOUT | {"auction.misere_then_without_talon": False}
    assert start(off, "misere 9S pass").legal() == ["pass"]
    assert start(WITHOUT, "misere 9S-wt pass").legal() == ["pass"]  # too late
    assert start(WITHOUT, "misere-wt 9S-wt pass").legal() == ["pass"]


def test_misere_without_the_talon_is_a_first_word_too():
    said = start(WITHOUT, "6S 6C pass").legal()
    assert "misere-wt" not in said and "9S-wt" in said and "hold" in said
    assert "hold" not in start(WITHOUT, "6S misere-wt pass").legal()
    free = WITHOUT | {"auction.misere": "any_turn"}
    assert {"misere", "misere-wt", "hold"} <= set(start(free, "6S 6C pass").legal())
    assert "hold" in start(free, "misere 9S pass").legal()
    assert "hold" not in start(WITHOUT, "misere 9S pass").legal()


def test_only_the_lowest_rung_that_one_may_bid():
    steps = WITHOUT | {"auction.jumps": False}
    assert start(steps, "pass").legal() == ["pass", "6S"]
    walk = "6S 6C 6D pass 6H 6NT 7S 7C 7D 7H 7NT 8S 8C 8D 8H 8NT"
    deal = start(steps | {"auction.hold": "off"}, walk)
    assert deal.legal() == ["pass", "9S"]  # misere is no first word any more


# Talon, contract


def test_without_the_talon_nobody_sees_it():
    deal = start(WITHOUT | {"contract.concession": 3}, "pass pass 9H-wt")
    assert deal.phase == "contract" and deal.mover == 2
    assert deal.legal() == ["9H-wt", "9NT-wt", *RUNGS["ten_without"]]
    assert deal.visible(2) == set(SUITED[2]) and deal.visible(0) == set(SUITED[0])
    act(deal, "9NT-wt whist pass closed")
    assert deal.mover == 0 and deal.visible(2) == set(SUITED[2])
    play_lowest(deal)
    result = deal.result()
    assert result["without_talon"] and result["level"] == 9 and result["talon_units"] == 0


def test_contracts_stay_on_their_side_of_the_talon():
    assert contracts_after(WITHOUT, "10H") == ["10H", "10NT"]
    assert contracts_after(WITHOUT, "9NT") == ["9NT", *RUNGS["ten"]]
    assert contracts_after(WITHOUT, "10NT-wt") == ["10NT-wt"]
    nines = SOCHI | {"auction.without_talon": ["nine"], "contract.concession": 2}
    assert contracts_after(nines, "9H-wt") == ["9H-wt", "9NT-wt"]
    assert contracts_after(nines, "10NT") == ["10NT", "concede"]


def test_misere_without_the_talon_is_played_at_once():
    deal = start(WITHOUT, "pass pass misere-wt")
    assert deal.phase == "card" and deal.contract == "misere-wt"
    assert len(deal.visible(2)) == 30 and deal.visible(0) == {*SUITED[0], *SUITED[1]}
    play_lowest(deal)
    result = deal.result()
    assert result["kind"] == "misere" and result["without_talon"] and result["level"] is None


@pytest.mark.parametrize(
    ("talon", "units"),
    [
        ("SA HA", 3),
        ("SK SA", 2),
        ("SA HK", 1),
        ("SA SQ", 1),
        ("H7 DA", 1),
        ("SK SQ", 1),
        ("SK HQ", 0),
        ("SK HK", 0),
        ("SQ SJ", 0),
    ],
)
def test_quick_tricks_in_the_talon(talon, units):
    assert quick_tricks(talon.split()) == quick_tricks(talon.split()[::-1]) == units


def test_quick_tricks_count_where_the_talon_was_taken():
    hands = [PACK[:7] + PACK[8:11], PACK[11:15] + PACK[16:22], PACK[22:32]]
    conv = WITHOUT | {"contract.concession": 3}
    for calls, units in [
        ("pass pass 6S SA CA concede", 3),
        ("pass pass 6S SA CA 6S pass pass", 3),
        ("pass pass misere SA CA", 3),
        ("pass pass misere-wt", 0),
        ("pass pass pass", 0),
    ]:
        deal = NaiveDeal(conv, hands, ["SA", "CA"], 0)
        act(deal, calls)
        play_lowest(deal)
        assert deal.result()["talon_units"] == units


# Whist

SIX = "pass pass 6S S7 S8 6S"
EIGHT = "pass pass 8S S7 S8 8S"


def test_both_may_not_pass_at_levels_of_half_whist():
    assert start(FINKA, f"{SIX} pass").legal() == ["whist", "half"]
    assert start(FINKA, f"{EIGHT} pass").legal() == ["pass", "whist"]
    assert start(FINKA, f"{SIX} pass half").legal() == ["pass", "whist"]


@pytest.mark.parametrize(
    ("words", "takes_all", "parts"),
    [
        ("pass half whist", False, {0: "whist", 1: "pass"}),
        ("pass half whist", True, {0: "whist", 1: "half"}),
        ("whist pass half whist", False, {0: "pass", 1: "whist"}),
        ("whist pass half whist", True, {0: "half", 1: "whist"}),
        ("whist pass whist", True, {0: "whist", 1: "pass"}),
        ("pass half pass", True, {0: "pass", 1: "half"}),
    ],
)
def test_a_returned_half_whist(words, takes_all, parts):
    deal = start(LENINGRAD | {"whist.returner_takes_all": takes_all}, f"{SIX} {words}")
    assert deal.whist.parts == parts


def test_who_whisted_last():
    """Who goes from whist to half-whist has unsaid his whist."""
    long = SOCHI | {"whist.long": True}
    for words, last in [
        ("whist whist", 1),
        ("whist pass whist", 0),
        ("whist pass half whist", 1),
        ("whist pass half pass", None),
        ("pass half whist", 0),
        ("pass half pass", None),
        ("pass pass", None),
    ]:
        assert start(long, f"{SIX} {words}").whist.last_whister == last


def test_last_whister_where_both_are_forced():
    forced = start(SOCHI | {"whist.stalingrad": True}, SIX)
    assert forced.whist.last_whister == 1 and not forced.open_play
    ten = start(WITHOUT | {"whist.ten": "checked"}, "10S-wt pass pass 10S-wt")
    assert ten.phase == "card" and ten.whist.last_whister == 2
    assert ten.hands_face_up() == [1, 2] and ten.decider == 0


FOUR: Conventions = SOCHI | {"whist.dealer_may": True}


def test_the_dealer_is_asked_when_nobody_whists():
    deal = start(FOUR, f"{SIX} pass pass", n=4)
    assert deal.phase == "dealer_whist" and deal.mover == deal.decider == DEALER
    assert deal.legal() == ["pass", "first", "second"]
    assert deal.visible(DEALER) == {"S7", "S8"}
    assert start(FOUR, f"{SIX} pass half pass", n=4).phase == "dealer_whist"
    assert start(FOUR, f"{EIGHT} pass pass", n=4).phase == "dealer_whist"
    long = FOUR | {"whist.long": True}
    assert start(long, f"{SIX} whist pass half pass", n=4).phase == "dealer_whist"
    assert start(FOUR, f"{SIX} pass whist", n=4).phase == "open"
    assert start(FOUR, f"{SIX} pass pass", n=3).phase == "done"
    assert start(SOCHI, f"{SIX} pass pass", n=4).phase == "done"


def test_the_dealer_declines():
    deal = start(FOUR, f"{SIX} pass half pass pass", n=4)
    assert deal.phase == "done"
    assert deal.result()["whist"] == {0: "pass", 1: "half"} and not deal.result()["played"]
    assert deal.result()["tricks"] == [0, 0, 0, 0]


def test_the_dealer_whists_with_the_second_hand():
    deal = start(FOUR, f"{SIX} pass half pass second", n=4)
    assert deal.phase == "open" and (deal.mover, deal.decider) == (1, DEALER)
    assert deal.whist.parts == {DEALER: "whist", 0: "pass"}
    assert deal.visible(DEALER) == {"S7", "S8", *SUITED[1]}
    deal.apply("closed")
    assert (deal.mover, deal.decider) == (0, 0)
    deal.apply(deal.legal()[0])
    assert (deal.mover, deal.decider) == (1, DEALER)
    play_lowest(deal)
    result = deal.result()
    assert result["last_whister"] == DEALER and sum(result["tricks"]) == 10
    assert result["tricks"][1] == 0  # his cards' tricks are the dealer's
    assert result["tricks"][DEALER] == deal.play.tricks[1]
    scored = by_player(FOUR, result, 3)
    assert scored.whist == {3: "whist", 0: "pass"} and scored.sitter() == 1


def test_the_dealer_whists_open_with_the_first_hand():
    deal = start(FOUR, f"{SIX} pass pass first open", n=4)
    assert (deal.mover, deal.decider) == (0, DEALER)
    deal.apply(deal.legal()[0])
    assert (deal.mover, deal.decider) == (1, DEALER)
    assert {*SUITED[0], *SUITED[1]} <= deal.visible(2)
    deal.apply(deal.legal()[0])
    assert (deal.mover, deal.decider) == (2, 2)


def test_open_or_closed_after_the_first_card():
    dark = SOCHI | {"whist.first_card_dark": True}
    deal = start(dark, f"{SIX} pass whist")
    assert deal.phase == "card" and (deal.mover, deal.decider) == (0, 0)
    deal.apply("S9")
    assert deal.phase == "open" and deal.mover == 1 and deal.hands_face_up() == []
    deal.apply("open")
    assert deal.phase == "card" and deal.mover == 1 and deal.hands_face_up() == [0, 1]
    deal.apply(deal.legal()[0])
    assert deal.mover == deal.decider == 2
    two = start(dark, f"{SIX} whist whist S9")
    assert two.phase == "card" and two.mover == 1
    lead = start(dark, "6S pass pass S7 S8 6S whist pass S9")
    assert lead.phase == "open" and lead.mover == 1


# Points instead of the mountain

OFF: Conventions = WITHOUT | {"values.off_mountain_instead": 2}


def test_points_off_the_mountain_by_choice():
    deal = start(OFF, f"{SIX} pass pass")
    assert deal.phase == "points" and deal.mover == deal.decider == 2
    assert deal.legal() == ["pool", "off mountain"]
    deal.apply("off mountain")
    assert deal.phase == "done" and deal.result()["off_mountain"]
    assert not start(OFF, f"{SIX} pass pass pool").result()["off_mountain"]
    assert start(OFF, f"{SIX} pass half pass").phase == "done"
    asked = start(OFF | {"whist.dealer_may": True}, f"{SIX} pass pass pass", n=4)
    assert asked.phase == "points"
    conceded = start(OFF | {"contract.concession": 3}, "pass pass 6S S7 S8 concede")
    assert conceded.phase == "done"


def test_points_of_a_made_misere_by_choice():
    low = [["S7", "S9", "SJ", "C7", "C9", "CJ", "D7", "D9", "DJ", "H7"], PACK[15:16]]
    low[1] = [card for card in PACK if card not in low[0]][:10]
    rest = [card for card in PACK if card not in [*low[0], *low[1]]]
    deal = NaiveDeal(OFF, [*low, rest[:10]], rest[10:], 0)
    act(deal, "misere-wt pass pass")
    while deal.phase == "card":
        deal.apply(deal.legal()[0] if deal.mover == 0 else deal.legal()[-1])
    made = deal.tricks[0] == 0
    assert made and deal.phase == "points" and deal.mover == 0
    failed = start(OFF, "pass pass misere-wt")
    while failed.phase == "card":
        failed.apply(failed.legal()[-1])
    assert failed.tricks[2] > 0 and failed.phase == "done"


# Misere

CATCH: Conventions = WITHOUT | {"misere.defence": "catch_or_trust"}


@pytest.mark.parametrize(
    ("words", "deciders"),
    [("trust", (1, 1)), ("catch trust", (0, 0)), ("catch catch", (0, 1))],
)
def test_catch_or_trust(words, deciders):
    deal = start(CATCH, "pass pass misere-wt")
    assert deal.phase == "catch" and deal.mover == 0 and deal.legal() == ["trust", "catch"]
    assert deal.hands_face_up() == []
    act(deal, words)
    assert deal.phase == "card" and (deal.mover, deal.decider) == (0, deciders[0])
    deal.apply(deal.legal()[0])
    assert (deal.mover, deal.decider) == (1, deciders[1])
    deal.apply(deal.legal()[0])
    assert (deal.mover, deal.decider) == (2, 2)


def test_both_hands_are_moved_only_once_they_lie_open():
    deal = start(CATCH, "misere pass pass S7 S8")
    assert deal.phase == "catch" and deal.mover == 1
    deal.apply("trust")
    assert deal.phase == "card" and deal.hands_face_up() == []
    deal.apply(deal.legal()[0])
    assert deal.hands_face_up() == [1, 2] and (deal.mover, deal.decider) == (1, 2)
    dark = start(CATCH | {"misere.first_trick_dark": True}, "pass misere-wt pass trust")
    assert dark.mover == dark.decider == 0  # D1 is hand 2, so hand 0 will move both
    dark.apply(dark.legal()[0])
    dark.apply(dark.legal()[0])
    assert (dark.mover, dark.decider) == (2, 2) and dark.hands_face_up() == []
    dark.apply(dark.legal()[0])
    assert dark.hands_face_up() == [2, 0]
    while dark.mover != 2:
        dark.apply(dark.legal()[0])
    assert dark.decider == 0
