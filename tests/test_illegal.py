"""Illegal moves of records: each is refused in one sentence that says why by the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from illegal_cases import CASES, SIX
from illegal_cases_of_two import CASES_OF_TWO
from illegal_cases_refet import CASES_OF_REFET
from record_makers import random_action, random_start

from scoring.conventions import BY_KEY
from sim.cards import cards_of, format_card
from sim.convert.playing import IllegalMove, play_record
from sim.deals import N_DEALS
from sim.illegal import why_illegal
from sim.play import legal_cards
from sim.position import Position
from sim.records.actions import SECTION_OF, is_refet
from sim.records.model import Record
from sim.records.text import parse_text
from sim.records.words import SECTIONS
from sim.show import is_legal
from sim.state import CARD, PHASES
from sim.unasked import why_not_asked

HANDS = (
    "♠AKQJ ♣AKQ ♦AK ♥7",
    "♠T987 ♣JT9 ♦QJ ♥8",
    "♠- ♣87 ♦T987 ♥AKQJ",
)
"""The hands from the eldest; the talon is ♥T ♥9."""


def write(
    lines: str,
    settings: Mapping[str, str] | None = None,
    players: int = 3,
    sheet: str = "",
    variant: str = "sochi",
) -> str:
    """A record of the deal above; the eldest is player 0, ``;`` parts its lines."""
    made = ["deal", f"variant {variant}", f"players {players}", f"dealer {players - 1}"]
    made += [f"set {key} = {value}" for key, value in (settings or {}).items()]
    made += [f"sheet {sheet}"] if sheet else []
    owners = ("player 0", "dummy" if players == 2 else "player 1", f"player {min(players - 1, 2)}")
    made += [f"{owner} {hand}" for owner, hand in zip(owners, HANDS, strict=True)]
    return "\n".join([*made, "talon ♥T ♥9", *lines.split("; "), "unfinished"])


def why(text: str) -> str:
    """The sentence with which a record is refused."""
    with pytest.raises(IllegalMove) as error:
        play_record(parse_text(text, "game")[0], "game, deal 1")
    message = str(error.value)
    assert message.startswith("game, deal 1, ") and message.isprintable()
    return message.removeprefix("game, deal 1, ")


ALL_CASES = [*CASES, *CASES_OF_TWO, *CASES_OF_REFET]


@pytest.mark.parametrize("lines, options, message", ALL_CASES, ids=[case[2] for case in ALL_CASES])
def test_why_a_move_is_refused(lines: str, options: dict[str, Any], message: str) -> None:
    """The deal, the move, whose it is, what it was, and the rule, in one sentence."""
    assert why(write(lines, **options)) == message


@pytest.mark.parametrize(
    "lines, message",
    [
        (
            "auction 6♠, pass",
            "call 3 of the auction: the move of player 2 is missing (legal: pass 6♣ 6♦ 6♥ 6NT 7♠ "
            "7♣ 7♦ 7♥ 7NT 8♠ 8♣ …); a record that breaks off says unfinished",
        ),
        (
            f"{SIX}; whist whist, whist; trick 1 ♠A",
            "trick 1: the move of player 1 is missing (legal: ♠7 ♠8 ♠9 ♠T); a record that breaks "
            "off says unfinished",
        ),
    ],
)
def test_a_move_that_is_missing(lines: str, message: str) -> None:
    """A deal that breaks off must say so."""
    assert why(write(lines).removesuffix("\nunfinished")) == message
    record = parse_text(write(lines), "game")[0]
    assert play_record(record, "game").story.row is None


def test_a_gap_is_no_end() -> None:
    """A missing move before others is refused, though the record says unfinished."""
    assert why(write("auction pass, pass; trick 1 ♠A")).startswith(
        "call 3 of the auction: the move"
    )


def test_a_deal_that_breaks_off_has_no_result() -> None:
    """Nothing is taken and no value before the end, but the talon may have led."""
    text = write("auction pass, pass, pass; trick 1 talon ♥T")
    assert len(play_record(parse_text(text, "game")[0], "game").story.steps) == 3
    with pytest.raises(IllegalMove, match="^game: the deal breaks off, so nothing is taken and"):
        play_record(parse_text(f"{text}\nvalue 0 0 0", "game")[0], "game")


def test_an_end_that_is_none() -> None:
    """A finished deal does not say unfinished, and tells no other result than the engine's."""
    text = write(f"{SIX}; whist pass, pass")
    with pytest.raises(IllegalMove, match="it says unfinished, but the deal is over"):
        play_record(parse_text(text, "game")[0], "game")
    text = text.removesuffix("unfinished")
    play_record(parse_text(text + "value 40/3 -20/3 -20/3", "game")[0], "game")
    with pytest.raises(IllegalMove, match="^game: value should be 40/3 -20/3 -20/3 by the rules$"):
        play_record(parse_text(text + "value 12 -6 -6", "game")[0], "game")
    with pytest.raises(IllegalMove, match="^game: taken should be 0 0 0 by the play$"):
        play_record(parse_text(text + "taken 10 0 0", "game")[0], "game")


GENERAL = {
    "a call is pass, hold or a contract",
    "it is no card",
    "he names a contract or concedes",
    "a defender says pass, whist or half",
    "the eldest looks or passes in the dark",
    "a lone whister says closed or open",
    "a defender of misere says trust or catch",
    "a player refuses or agrees",
    "a row is 6 to 10 or misere, or the talon is taken",
    "the declarer names a contract of an open row",
    "a defender says pass or whist",
    "a defender says blind or open",
    "it is written into the pool or off the mountain",
    "a call is pass, hold, a number from 2 to 8, or a game",
    "a game is in spades, diamonds, hearts, clubs, or the other's is better (pass)",
    "he names spades, diamonds, hearts, clubs, betl, sans or preferans",
    "a follower stays or comes, and who came alone plays alone or invites",
    "the next word here is contra or none",
    "the next word here is recontra or none",
    "the next word here is subcontra or none",
    "the next word here is mordcontra or none",
}
"""Reasons for numbers that are no action of the phase; the dealer's names the hands."""

OF_TWO = (
    "there is no half-whist with two players",
    "(dummy.defence)",
    "the dummy plays its lowest legal card, ",
    "(dummy.raspas)",
    "it is the dummy's, which is out of play",
    "the dummy must follow ",
    "this row is named after the talon",
    "every row is named before the talon",
    "misere is named before the talon",
    "he has named the row ",
    "his row 10 is filled",
    "his row misere is filled",
)
"""Parts of reasons that only two players have."""


OF_REFET = (
    "numbers rise one step at a time",
    "of the players left he bids first, and holds ",
    " is held before it is raised",
    " has been held, and the next call is higher",
    "of the players left only the one who bids first",
    "the lowest number that is held is 3",
    "there is no number to hold",
    "game cannot be held",
    "after game betl no number is bid",
    "game betl does not outrank game sans",
    "a game is called as a first word, and he has said game",
    "preferans is not played in this variant",
    "who called a game first names its suit",
    "spades does not outrank ",
    "who called a game names its suit",
    "spades is below his bid, ",
    "nobody is invited in this variant",
    "nobody is invited at spades that are played under contra only",
    "only who came alone plays alone or invites",
    "he has come, and plays alone or invites the other",
    "(tricks.must_head)",
)
"""Parts of reasons that only the refet game has."""


def reasons_at(table: Any, section: str) -> list[str]:
    """The reason of every illegal action; a general one only where the action has no meaning."""
    at = Position(table)
    meant = {"auction": range(39), "row": range(7), "whist": range(3)}
    meant["contract"] = range(26) if at.is_razboinik else [*range(37), 62]
    if at.is_refet:
        bases = range(2, 9)
        meant |= {"auction": range(13), "suit": (0, *bases[:4]), "contract": bases}
        meant["come"] = range(4)
    cards = section in ("passed", "discard", "tricks")
    known = range(32) if cards else meant.get(section, range(2))
    found = []
    for action in range(-1, 256):
        if not is_legal(table, action):
            reason = why_illegal(at, action)
            assert reason and reason.isprintable()
            general = reason in GENERAL or reason.startswith("the dealer says pass")
            assert general == (action not in known), (section, action, reason)
            found.append(reason)
    return found


def test_every_illegal_action_has_a_reason() -> None:
    """At every phase of random deals under random conventions, also moves nobody is asked for."""
    seen: Counter[str] = Counter()
    kinds: set[str] = set()
    for seed in range(450):
        chance = random.Random(seed)
        start = play_record(random_start(chance), "a random deal")
        table, passes = start.table, chance.choice((0.3, 0.6, 0.9))
        while not table.done:
            section = SECTION_OF[int(table.view["phase"])]
            if section != "tricks" or chance.random() < (0.4 if is_refet(table.view) else 0.1):
                seen[PHASES[int(table.view["phase"])]] += 1
                kinds.update(reasons_at(table, section))
            table.apply(random_action(chance, table, passes))
        for section in SECTIONS:
            assert why_not_asked(Position(table), section).isprintable()
    assert set(seen) == set(PHASES) - {"done", "idle"}, seen
    assert len(kinds) > 300
    parts = (*OF_TWO, *OF_REFET)
    assert not [word for word in parts if not any(word in kind for kind in kinds)]


def test_who_must_beat_the_trick() -> None:
    """Of cards that are too low the reason names the convention and the cards that are not."""
    settings = {"tricks.must_head": True, "tricks.must_overtrump": True}
    seen: Counter[str] = Counter()
    for seed in range(200):
        chance = random.Random(seed)
        number = chance.randrange(N_DEALS)
        record = Record("refet", 3, 0, number, settings=settings, unfinished=True)
        table = play_record(record, "a random deal").table
        while not table.done:
            at = Position(table)
            low = int(legal_cards(at.view, at.hand)) & ~table.legal if at.phase == CARD else 0
            too_low = {why_illegal(at, card) for card in cards_of(low)}
            for reason in too_low:
                key = reason.rpartition("(")[2]
                seen[key] += 1
                cards = " ".join(map(format_card, cards_of(table.legal)))
                assert reason == f"he must beat the trick so far and can, with {cards} ({key}"
            table.apply(random_action(chance, table, 0.3))
    assert set(seen) == {"tricks.must_head)", "tricks.must_overtrump)"}, seen


def test_reasons_name_conventions_that_exist() -> None:
    """A key in brackets is that of a convention."""
    keys = {
        message.rpartition("(")[2].rstrip(")")
        for _, _, message in ALL_CASES
        if message.endswith(")") and "." in message.rpartition("(")[2]
    }
    assert len(keys) > 18 and keys <= set(BY_KEY), keys - set(BY_KEY)
