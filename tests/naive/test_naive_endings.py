"""The naive endings by hand: small positions whose play and value anybody can follow."""

import random

import pytest

from naive.bundles import SOCHI
from naive.cards import PACK
from naive.endings import EachForHimself, Hands, OpenGame, legal, next_to_play, steps, trick_taker
from naive.play import Play


def hands_of(text: str) -> Hands:
    """Hands written ``SA HK | S7 S8 | D9 D8``."""
    return tuple(tuple(part.split()) for part in text.split("|"))


def value(text: str, trump: str | None = None, misere: bool = False, leader: int = 0) -> int:
    """What hand 0 takes as the declarer."""
    return OpenGame(0, trump, misere).value(hands_of(text), leader)


def test_suit_then_trump_then_anything() -> None:
    held = ("S7", "CA", "DK")
    assert legal(held, (), "C") == ["S7", "CA", "DK"]
    assert legal(held, ((0, "SA"),), "C") == ["S7"]
    assert legal(held, ((0, "HA"),), "C") == ["CA"]
    assert legal(held, ((0, "HA"),), "H") == ["S7", "CA", "DK"]
    assert legal(held, ((0, "HA"),), None) == ["S7", "CA", "DK"]
    assert legal(held, ((0, "CA"),), "S") == ["CA"]


def test_who_takes_a_trick() -> None:
    assert trick_taker(((1, "S7"), (2, "HA"), (0, "S8")), None) == 0
    assert trick_taker(((1, "S7"), (2, "HA"), (0, "S8")), "H") == 2
    assert trick_taker(((1, "S7"), (2, "HA"), (0, "DA")), "C") == 1
    assert trick_taker(((2, "ST"), (0, "S9")), None) == 2


def test_the_rule_is_that_of_the_naive_play() -> None:
    """The same cards may be played and the same hand takes as in the game of ten tricks."""
    chance = random.Random(5)
    for _ in range(60):
        pack = chance.sample(PACK, 30)
        hands = tuple(tuple(pack[10 * k : 10 * k + 10]) for k in range(3))
        trump = chance.choice(["S", "C", "D", "H", None])
        play = Play(SOCHI, [list(hand) for hand in hands], trump, [], False)
        leader, table = 0, ()
        while not play.over:
            assert next_to_play(hands, leader, table) == play.mover
            after = {card: rest for card, *rest in steps(hands, leader, table, trump)}
            assert set(after) == set(play.legal())
            card = chance.choice(sorted(after))
            hands, leader, table, taker = after[card]
            play.apply(card)
            assert leader == (play.leader if taker is not None else leader)
            assert taker is None or play.tricks[taker] > 0
        assert not any(hands)


@pytest.mark.parametrize(
    ("text", "trump", "leader", "tricks"),
    [
        ("SA SQ | SK S7 | S9 S8", None, 1, 2),  # the king before the fork, K or 7
        ("SA SQ | SK S7 | S9 S8", None, 2, 1),  # the king behind the fork
        ("SA SQ | SK S7 | S9 S8", None, 0, 1),  # the fork itself leads
        ("SA SK | HA HK | DA DK", None, 0, 2),
        ("SA SK | HA HK | DA DK", None, 1, 0),
        ("SA SK | HA HK | DA D7", "H", 0, 0),
        ("H7 S7 | SA SK | DA DK", "H", 1, 1),  # S7 follows, then H7 ruffs
        ("H7 D7 | SA SK | CA CK", "H", 1, 2),  # ruffs, then leads the last seven
        ("D7 D8 | SA DK | CA DA", None, 0, 0),
    ],
)
def test_values_by_hand(text: str, trump: str | None, leader: int, tricks: int) -> None:
    assert value(text, trump, leader=leader) == tricks


def test_misere_by_hand() -> None:
    """Seven and nine duck everything; of eight and ten one takes the seven led."""
    assert value("S7 S9 | S8 ST | HA HK", misere=True, leader=1) == 0
    assert value("S8 ST | S7 S9 | HA HK", misere=True, leader=1) == 1
    assert value("S8 ST | S7 HA | HQ HK", misere=True, leader=1) == 2
    assert value("S8 H7 | S7 HA | HQ HK", misere=True, leader=1) == 1
    assert value("S8 H7 | S9 HA | HQ HK", misere=True, leader=2) == 0


def test_values_cards_and_line() -> None:
    """The fork: the king covers or not, it is the same; the line takes the first of the pack."""
    game = OpenGame(0)
    hands = hands_of("SA SQ | SK S7 | S9 S8")
    assert game.values(hands, 1) == {"SK": 2, "S7": 2}
    assert game.values(hands, 0) == {"SA": 1, "SQ": 1}
    assert game.best(hands, 1) == ["S7", "SK"]
    assert game.line(hands, 1) == [(1, "S7"), (2, "S8"), (0, "SQ"), (0, "SA"), (1, "SK"), (2, "S9")]
    assert game.values(hands_of("SA SQ | S7 | S9 S8"), 1, ((1, "SK"),)) == {"S8": 2, "S9": 2}


def test_two_hands() -> None:
    """An empty hand does not play, wherever it sits."""
    assert value("SA SQ | | SK S7", None, leader=2) == 2
    assert value("SA SQ | SK S7 |", None, leader=0) == 1
    assert next_to_play(hands_of("SA | | SK"), 0, ((0, "SQ"),)) == 2


def test_each_for_himself_by_hand() -> None:
    """The ace and the king lie with two hands: who leads to whom depends on what they want."""
    hands = hands_of("SA S7 | SK S8 | SQ S9")
    few = EachForHimself(lambda hand, counts: -counts[hand])
    many = EachForHimself(lambda hand, counts: counts[hand])
    assert few.end(hands, 0, (0, 0, 0))[0] == (1, 0, 1)
    assert many.end(hands, 0, (0, 0, 0))[0] == (1, 1, 0)
    same = EachForHimself(lambda hand, counts: 0)
    counts, line = same.end(hands, 0, (2, 3, 3))
    assert line == [(0, "S7"), (1, "S8"), (2, "S9"), (2, "SQ"), (0, "SA"), (1, "SK")]
    assert counts == (3, 3, 4)
