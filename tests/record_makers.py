"""Deals played by a script, for golden files and tests: ``python tests/record_makers.py`` writes.

A script says the calls; cards are played by a simple rule with a seeded choice. The files in
``tests/data/records`` are frozen: write them again only when the form of records changes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from random_conventions import draw_settings

from scoring.contract import MISERE, MISERE_GAME, MISERE_WITHOUT, RASPAS
from sim.convert.playing import play_record
from sim.convert.writing import complete
from sim.deals import N_DEALS, unrank
from sim.records.actions import SECTION_OF, action_of, word_of
from sim.records.jsonform import format_json
from sim.records.model import Record
from sim.records.text import format_text
from sim.records.words import spell
from sim.show import begin_story, end_story, is_legal, take_step
from sim.state import AUCTION, CARD, FIRST_BID
from sim.table import Table

FOLDER = Path(__file__).parent / "data" / "records"


@dataclass(frozen=True)
class Script:
    """A deal to play: the calls by section, who is strong in what, and the rest by chance."""

    note: str
    auction: str = ""
    calls: Mapping[str, str] = field(default_factory=dict)
    variant: str = "sochi"
    settings: Mapping[str, Any] = field(default_factory=dict)
    sheet: Mapping[str, Any] = field(default_factory=dict)
    strong: tuple[int, str] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    stop: int = -1

    def words(self, section: str) -> list[str]:
        """The scripted words of a section."""
        text = self.auction if section == "auction" else self.calls.get(section, "")
        return [spell(section, word) for word in text.split(",")] if text else []


def strength(cards: int, strain: str) -> int:
    """How well a hand suits a contract in a suit, at no trump (NT), or low for misère (M)."""
    ranks = [sum(1 << k for k in range(8) if cards >> 8 * s & 1 << k) for s in range(4)]
    high = sum((r >> 7 & 1) * 6 + (r >> 6 & 1) * 4 + (r >> 5 & 1) * 2 for r in ranks)
    if strain == "M":
        return -sum(k for r in ranks for k in range(8) if r >> k & 1)
    if strain == "NT":
        return high
    return high + 5 * ranks["SCDH".index(strain)].bit_count()


def find_number(chance: random.Random, strong: tuple[int, str] | None, tries: int = 400) -> int:
    """A random deal; where a hand shall be strong, the best of many."""
    numbers = [chance.randrange(N_DEALS) for _ in range(tries if strong else 1)]
    if strong is None:
        return numbers[0]
    hand, strain = strong
    return max(numbers, key=lambda number: strength(int(unrank(number)[hand]), strain))


def choose_card(chance: random.Random, view: Any, cards: list[int]) -> int:
    """High or low cards, as the deal asks for, mostly."""
    kind, declares = int(view["kind"]), int(view["mover"]) == int(view["declarer"])
    low = declares if kind == MISERE_GAME else kind == RASPAS
    if chance.random() < 0.15:
        return chance.choice(cards)
    return min(cards, key=lambda c: c & 7) if low else max(cards, key=lambda c: c & 7)


def choose(chance: random.Random, table: Table, words: dict[str, list[str]]) -> int:
    """The scripted word if there is one, else a card, or the first action."""
    view = table.view
    section = SECTION_OF[int(view["phase"])]
    legal = [action for action in range(63) if table.legal >> action & 1]
    if words[section]:
        word = words[section].pop(0)
        action = action_of(view, word)
        assert is_legal(table, action), (section, word, [word_of(view, a) for a in legal])
        return action
    if int(view["phase"]) == CARD:
        return choose_card(chance, view, legal)
    return legal[0] if section != "discard" else min(legal, key=lambda c: (c & 7, c))


def play_script(script: Script, players: int, dealer: int, seed: int) -> Record | None:
    """The whole record of a scripted deal; None if a word is left over (a misère that failed)."""
    chance = random.Random(seed)
    number = find_number(chance, script.strong)
    record = Record(
        variant=script.variant,
        players=players,
        dealer=dealer,
        number=number,
        note=script.note,
        settings=script.settings,
        sheet=script.sheet,
        unfinished=True,
        **script.more,
    )
    start = play_record(record, script.note)
    table, story = start.table, begin_story(start.table)
    words = {section: script.words(section) for section in SECTION_OF.values()}
    while not table.done and len(story.steps) != script.stop:
        take_step(story, table, choose(chance, table, words))
    if any(words.values()):
        return None
    end_story(story, table)
    return complete(replace(start, record=record, story=story))


# Random deals


def random_action(chance: random.Random, table: Table, passes: float) -> int:
    """Any legal action; in the auction mostly a pass or one of the lowest bids."""
    legal = [action for action in range(63) if table.legal >> action & 1]
    if int(table.view["phase"]) == AUCTION:
        misere = FIRST_BID + chance.choice((MISERE, MISERE_WITHOUT))
        if misere in legal and chance.random() < 0.1:
            return misere
        if chance.random() < passes:
            return 0
        legal = legal[: chance.choice((3, 6, 30))]
    return chance.choice(legal)


def random_sheet(chance: random.Random, players: int) -> dict[str, Any]:
    """What may stand on a sheet in the middle of a pulka."""
    row = chance.choice((0, 0, 1, 2, 5))
    return {
        "pool": tuple(Fraction(chance.randrange(40), 2) for _ in range(players)),
        "mountain": tuple(Fraction(chance.randrange(-9, 60), 2) for _ in range(players)),
        "whists": tuple(
            tuple(Fraction(chance.randrange(99) * (i != j), 12) for j in range(players))
            for i in range(players)
        ),
        "bombs": tuple(chance.randrange(4) for _ in range(players)),
        "raspas_index": row,
        "dark_row": min(row, chance.randrange(4)),
        "n_deals": chance.randrange(row, 20),
    }


def random_start(chance: random.Random) -> Record:
    """A deal under random conventions of which no move has been made."""
    players = chance.choice((3, 4))
    return Record(
        variant=chance.choice(("sochi", "finka", "piter")),
        players=players,
        dealer=chance.randrange(players),
        number=chance.randrange(N_DEALS),
        reversed=chance.random() < 0.2,
        note=chance.choice(("", "a deal by chance")),
        settings=draw_settings(chance) if chance.random() < 0.9 else {},
        pool=chance.choice((None, 10, 25)),
        claims=chance.random() < 0.2,
        sheet=random_sheet(chance, players) if chance.random() < 0.5 else {},
        unfinished=True,
    )


def random_record(chance: random.Random) -> Record:
    """The whole record of a random deal, of which some break off."""
    start = play_record(random_start(chance), "a random deal")
    table, story = start.table, begin_story(start.table)
    passes = chance.choice((0.3, 0.6, 0.9))
    most = chance.choice((1000, 1000, 1000, chance.randrange(50)))
    while not table.done and len(story.steps) < most:
        take_step(story, table, random_action(chance, table, passes))
    end_story(story, table)
    return complete(replace(start, story=story))


# The golden deals

_PASS_ALONG = {"raspas.talon": "pass_along", "raspas.talon_four": "pass_along"}
_CATCH = {"misere.defence": "catch_or_trust"}
_OFF = {"values.off_mountain_instead": 2}
_WITHOUT = {"auction.without_talon": ("misere", "nine", "ten")}

CONTRACTS = (
    Script("6 closed, both whist", "6♠,pass,pass", {"contract": "6♠", "whist": "whist,whist"}),
    Script(
        "6 in hearts after a hold, one whister, open",
        "pass,6♠,6♣,hold,6♦,6♥,pass",
        {"contract": "6♥", "whist": "pass,whist", "open": "open"},
        strong=(1, "H"),
    ),
    Script(
        "7 bid as 6, one whister, closed",
        "6♠,6♣,pass,6♦,pass",
        {"contract": "7♦", "whist": "whist,pass", "open": "closed"},
        strong=(0, "D"),
    ),
    Script(
        "8 at no trump, nobody whists",
        "pass,pass,8NT",
        {"contract": "8NT", "whist": "pass,pass"},
        strong=(2, "NT"),
    ),
    Script(
        "9 in clubs, both whist",
        "pass,9♣,pass",
        {"contract": "9♣", "whist": "whist,whist"},
        strong=(1, "C"),
    ),
    Script(
        "10 that is whisted",
        "10♠,pass,pass",
        {"contract": "10♠", "whist": "pass,whist", "open": "open"},
        strong=(0, "S"),
    ),
    Script(
        "10 that is checked",
        "pass,7♥,8♥,pass",
        {"contract": "10♥"},
        variant="piter",
        strong=(2, "H"),
    ),
    Script(
        "six spades by force (Stalingrad)",
        "6♠,pass,pass",
        {"dark": "look", "contract": "6♠"},
        variant="klassika",
        strong=(0, "S"),
    ),
    Script(
        "conceded",
        "pass,pass,7♣",
        {"contract": "concede"},
        settings={"contract.concession": 3},
    ),
    Script(
        "unwhisted, off the mountain",
        "7♦,pass,pass",
        {"contract": "7♦", "whist": "pass,pass", "points": "mountain"},
        settings=_OFF,
        sheet={"mountain": (30, 4, 0, 8)},
    ),
    Script(
        "open or closed after the first card",
        "pass,6♣,pass",
        {"contract": "6♣", "whist": "whist,pass", "open": "open"},
        settings={"whist.first_card_dark": True},
        strong=(1, "C"),
    ),
    Script(
        "only the next bid, the last tricks certain",
        "6♠,6♣,pass,6♦,6♥,6NT,pass",
        {"contract": "9NT", "whist": "whist,whist"},
        settings={"auction.jumps": False, "auction.hold": "off"},
        strong=(0, "NT"),
        more={"claims": True},
    ),
)

WHIST = (
    Script("half-whist that stands", "6♥,pass,pass", {"contract": "6♥", "whist": "pass,half,pass"}),
    Script(
        "half-whist returned, played open",
        "pass,7♠,pass",
        {"contract": "7♠", "whist": "pass,half,whist", "open": "open"},
        strong=(1, "S"),
    ),
    Script(
        "half-whist returned, the returner takes all",
        "6NT,pass,pass",
        {"contract": "6NT", "whist": "pass,half,whist", "open": "closed"},
        variant="rostov",
        settings={"whist.returner_takes_all": True},
        strong=(0, "NT"),
    ),
    Script(
        "long whist: down to half, which stands",
        "pass,pass,6♣",
        {"contract": "6♣", "whist": "whist,pass,half,pass"},
        variant="leningrad",
    ),
    Script(
        "long whist: down to half, returned",
        "pass,6♣,pass",
        {"contract": "6♣", "whist": "whist,pass,half,whist", "open": "closed"},
        variant="leningrad",
        strong=(1, "C"),
    ),
    Script(
        "long whist: he stays with his whist",
        "6♦,pass,pass",
        {"contract": "6♦", "whist": "whist,pass,whist", "open": "open"},
        variant="leningrad",
        strong=(0, "D"),
    ),
    Script(
        "pass, pass, whist at eight",
        "pass,8♥,pass",
        {"contract": "8♥", "whist": "pass,pass,whist", "open": "closed"},
        variant="finka",
        strong=(1, "H"),
    ),
    Script(
        "both may not pass",
        "6♠,pass,pass",
        {"contract": "6♠", "whist": "pass,whist", "open": "open"},
        settings={"whist.both_may_pass": False},
        strong=(0, "S"),
    ),
)

DEALER = (
    Script(
        "the dealer whists with the first hand, after a half-whist",
        "6♣,pass,pass",
        {"contract": "6♣", "whist": "pass,half,pass,whist with 1", "open": "open"},
        variant="fspr",
        strong=(0, "C"),
    ),
    Script(
        "the dealer whists with the second hand, closed",
        "pass,8♦,pass",
        {"contract": "8♦", "whist": "pass,pass,whist with 0", "open": "closed"},
        variant="fspr",
        strong=(1, "D"),
    ),
    Script(
        "the dealer passes, the half-whist stands",
        "pass,pass,7♠",
        {"contract": "7♠", "whist": "pass,half,pass,pass"},
        variant="fspr",
    ),
    Script(
        "the dealer whists at nine without the talon",
        "9♥ wt,pass,pass",
        {"contract": "9♥ wt", "whist": "pass,pass,whist with 2", "open": "open"},
        variant="fspr",
        settings=_WITHOUT,
        strong=(0, "H"),
    ),
)

MISERE_DEALS = (
    Script("misere, each defender his own hand", "misere,pass,pass", strong=(0, "M")),
    Script("misere over eight, hold is not for it", "8♠,pass,misere,pass", strong=(2, "M")),
    Script(
        "misere, the first defender trusts",
        "pass,misere,pass",
        {"catch": "trust"},
        settings=_CATCH,
        strong=(1, "M"),
    ),
    Script(
        "misere, the first catches and the second trusts",
        "misere,pass,pass",
        {"catch": "catch,trust"},
        settings=_CATCH,
        strong=(0, "M"),
    ),
    Script(
        "misere, both catch, the first trick in the dark",
        "pass,pass,misere",
        {"catch": "catch,catch"},
        settings={**_CATCH, "misere.first_trick_dark": True},
        strong=(2, "M"),
    ),
    Script(
        "misere outbid by nine",
        "misere,9♠,pass,pass",
        {"contract": "9♠", "whist": "whist,pass", "open": "open"},
        strong=(1, "S"),
    ),
    Script(
        "misere without the talon over nine",
        "misere,9♣,pass,misere wt,pass",
        variant="piter",
        strong=(0, "M"),
    ),
    Script("misere without the talon", "pass,pass,misere wt", variant="piter", strong=(2, "M")),
    Script(
        "made misere, into the pool",
        "pass,misere,pass",
        {"points": "pool"},
        settings=_OFF,
        strong=(1, "M"),
    ),
)

WITHOUT = (
    Script(
        "nine without the talon",
        "pass,9♣ wt,pass",
        {"contract": "9♣ wt", "whist": "whist,whist"},
        variant="piter",
        strong=(1, "C"),
    ),
    Script(
        "nine without the talon named as ten, which is checked",
        "9NT wt,pass,pass",
        {"contract": "10NT wt"},
        variant="piter",
        strong=(0, "NT"),
    ),
    Script(
        "ten without the talon, nobody whists",
        "10♠,pass,10♠ wt,pass",
        {"contract": "10♥ wt", "whist": "pass,pass"},
        settings=_WITHOUT,
        strong=(2, "H"),
    ),
    Script(
        "a ladder with misere without the talon below nine",
        "pass,misere wt,9♦,pass",
        {"contract": "9♦", "whist": "pass,whist", "open": "closed"},
        settings={
            **_WITHOUT,
            "auction.ladder": (
                *("six", "seven", "eight", "misere", "misere_without"),
                *("nine", "nine_without", "ten", "ten_without"),
            ),
        },
        strong=(2, "D"),
    ),
)

RASPAS_DEALS = (
    Script("raspas, the talon closed", "pass,pass,pass", variant="rostov"),
    Script("raspas, the talon names suits or is the dealer's", "pass,pass,pass"),
    Script(
        "the third raspas in a row, the winner leads the third trick",
        "pass,pass,pass",
        settings={"raspas.third_lead": "winner", "raspas.progression": (1, 2, 3)},
        sheet={"raspas_index": 2, "mountain": (3, 8, 9, 1), "n_deals": 2},
    ),
    Script(
        "nobody follows: the highest of the first card's suit",
        "pass,pass,pass",
        settings={"raspas.nobody_follows": "highest_of_first"},
    ),
    Script(
        "raspas with two cards passed along",
        "pass,pass,pass",
        variant="kazakhstan",
        settings=_PASS_ALONG,
    ),
    Script(
        "a dark pass and raspas, the second dark pass in a row",
        "pass,pass",
        {"dark": "dark pass"},
        variant="klassika",
        sheet={"raspas_index": 1, "dark_row": 1, "stays": 1, "bombs": (0, 1, 0, 0)},
    ),
    Script(
        "a dark pass and a contract with a bomb",
        "6♦,pass",
        {"dark": "dark pass", "contract": "6♦", "whist": "whist,whist"},
        variant="klassika",
        sheet={"bombs": (1, 0, 2, 0), "n_deals": 4},
        strong=(1, "D"),
    ),
    Script(
        "after two raspas in a row seven is the lowest level",
        "pass,7♣,pass",
        {"contract": "7♣", "whist": "whist,pass", "open": "open"},
        variant="piter",
        sheet={"raspas_index": 2},
        strong=(1, "C"),
    ),
    Script("the deal breaks off in the seventh trick", "pass,pass,pass", stop=23),
)

FAMILIES: Mapping[str, Sequence[Script]] = {
    "contracts": CONTRACTS,
    "whist": WHIST,
    "dealer": DEALER,
    "misere": MISERE_DEALS,
    "without": WITHOUT,
    "raspas": RASPAS_DEALS,
}


def _fitted(script: Script, players: int) -> Script:
    """The script with a sheet of so many players."""
    sheet = {
        key: (
            tuple(Fraction(x) if key != "bombs" else x for x in value[:players])
            if isinstance(value, tuple)
            else value
        )
        for key, value in script.sheet.items()
    }
    return Script(**{**vars(script), "sheet": sheet})


def golden(family: str, players: int) -> list[Record]:
    """The deals of a family; of the dealer's whist with player 3 as the dealer."""
    records = []
    for k, script in enumerate(FAMILIES[family]):
        dealer = 3 if family == "dealer" else k % players
        tries = (1000 * again + 100 * players + k for again in range(200))
        made = (play_script(_fitted(script, players), players, dealer, seed) for seed in tries)
        records.append(next(record for record in made if record is not None))
    return records


def write_golden() -> None:
    """Write all golden files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for family in FAMILIES:
        for players in (3, 4) if family != "dealer" else (4,):
            records = golden(family, players)
            path = FOLDER / f"{family}_{players}.deal"
            path.write_text(format_text(records), encoding="utf-8")
            path.with_suffix(".json").write_text(format_json(records), encoding="utf-8")


if __name__ == "__main__":
    write_golden()
