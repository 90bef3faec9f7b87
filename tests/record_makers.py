"""Deals played by a script, for golden files and tests: ``python tests/record_makers.py`` writes
all golden files, or those that are named.

A script says the calls; cards are played by a simple rule with a seeded choice. The files in
``tests/data/records`` are frozen: write them again only when the form of records changes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from random_conventions import draw_settings
from record_scripts import FAMILIES, Script
from record_scripts_of_two import FILES_OF_TWO
from record_scripts_refet import REFET_FILES

from scoring.contract import MISERE, MISERE_GAME, MISERE_WITHOUT, N_ROWS, RASPAS
from scoring.conventions import FAMILIES as CONVENTION_FAMILIES
from scoring.conventions import REFET
from scoring.result import TWO_PLAYERS, WHISTED, is_made
from scoring.variant import find_variant
from sim.convert.playing import play_record
from sim.convert.writing import complete
from sim.deals import N_DEALS, unrank
from sim.records.actions import SECTION_OF, action_of, is_refet, word_of
from sim.records.jsonform import format_json
from sim.records.model import MARKS, Record
from sim.records.text import format_text
from sim.show import Story, begin_story, end_story, is_legal, take_step
from sim.state import AUCTION, BIDDING, CARD, CONTRACT, FIRST_BID, PASS
from sim.table import Table

FOLDER = Path(__file__).parent / "data" / "records"

FILES: Mapping[str, Sequence[Script]] = {
    **{
        f"{name}_{n}": found
        for name, found in FAMILIES.items()
        for n in ((4,) if name == "dealer" else (3, 4))
    },
    **FILES_OF_TWO,
    **REFET_FILES,
}
"""The scripts of each golden file; the last letter of its name is the number of players."""


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


class End:
    """How a deal of the refet game ended: who wrote his column down or up, and the tricks."""

    def __init__(self, story: Story) -> None:
        row, n = story.row, story.n_players
        pairs = zip(story.after["mountain"], story.sheet["mountain"], strict=True)
        columns = [after - before for after, before in pairs]
        declarer = int(row["declarer"])
        followers = [i for i in range(n) if int(row["decision"][i]) == WHISTED]
        self.taken = [int(row["tricks"][i]) for i in followers]
        self.own = int(row["tricks"][declarer])
        self.made = bool(int(row["played"])) and bool(is_made(story.rules, row))
        self.short = any(columns[i] > 0 for i in range(n) if i != declarer)
        self.claimed = story.claimed
        self.uneven = len(followers) == 2 and min(self.taken) < 2 and sum(self.taken) >= 4


ENDS: Mapping[str, Callable[[End], bool]] = {
    "made": lambda end: end.made,
    "clean": lambda end: end.made and not end.short,
    "failed": lambda end: not end.made and not end.short,
    "short": lambda end: end.made and end.short,
    "failed, short": lambda end: not end.made and end.short,
    "failed by two": lambda end: end.own <= 4,
    "saved": lambda end: end.made and end.uneven and not end.short,
    "uneven": lambda end: end.made and end.uneven and end.short,
    "claimed": lambda end: end.claimed > 0,
}
"""Ends that a script may want."""


def play_script(script: Script, players: int, dealer: int, seed: int) -> Record | None:
    """The whole record of a scripted deal; None if a word is left over (a misère that failed), or
    it ends otherwise than it shall."""
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
    if script.want and not ENDS[script.want](End(story)):
        return None
    return complete(replace(start, record=record, story=story))


# Random deals


def random_action(chance: random.Random, table: Table, passes: float) -> int:
    """Any legal action; in the auction mostly a pass or one of the lowest bids, in the refet game
    often the lowest contract."""
    legal = [action for action in range(63) if table.legal >> action & 1]
    if int(table.view["phase"]) == BIDDING and chance.random() < passes / 2:
        return PASS
    if int(table.view["phase"]) == CONTRACT and is_refet(table.view) and chance.random() < 0.5:
        return legal[0]
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
        "fir_trees": tuple(chance.randrange(3) for _ in range(players)),
        "raspas_index": row,
        "dark_row": min(row, chance.randrange(4)),
        "n_deals": chance.randrange(row, 20),
    }


def random_rows(chance: random.Random) -> dict[str, Any]:
    """A table of razboinik of which some rows are filled, never all of a player's."""
    tables = []
    for _ in range(TWO_PLAYERS):
        filled = chance.sample(range(N_ROWS), chance.randrange(N_ROWS))
        points = [Fraction(2 * chance.randrange(9)) for _ in range(N_ROWS)]
        tables.append(tuple(x if k in filled else None for k, x in enumerate(points)))
    return {"rows": tuple(tables)}


def random_columns(chance: random.Random, players: int) -> dict[str, Any]:
    """What may stand on a sheet of the refet game in the middle of a pulka."""
    given = chance.randrange(3)
    return {
        "columns": tuple(Fraction(2 * chance.randrange(-3, 9)) for _ in range(players)),
        "soup": tuple(
            tuple(Fraction(2 * chance.randrange(30) * (i != j)) for j in range(players))
            for i in range(players)
        ),
        "refets": tuple(chance.randrange(given + 1) for _ in range(players)),
        "refets_given": given,
        "n_deals": chance.randrange(20),
    }


def _house_refet(chance: random.Random, players: int) -> dict[str, Any]:
    """A variant of the refet game with random settings, its start, and what is on its sheet."""
    names = ("refet", "slovenian", "serbian", "ipref", "iklub", "prefko")
    family = CONVENTION_FAMILIES[REFET]
    return {
        "variant": chance.choice(names),
        "settings": draw_settings(chance, family) if chance.random() < 0.7 else {},
        "pool": chance.choice((None, 10, 60)),
        "sheet": random_columns(chance, players) if chance.random() < 0.6 else {},
    }


def _house(chance: random.Random, players: int) -> dict[str, Any]:
    """A variant with random settings, its pool, and what stands on its sheet."""
    if players > TWO_PLAYERS and chance.random() < 0.4:
        return _house_refet(chance, players)
    razboinik = players == TWO_PLAYERS and chance.random() < 0.35
    names = ("sochi", "finka", "piter")
    variant = find_variant("razboinik" if razboinik else chance.choice(names))
    sheet = random_rows(chance) if razboinik else random_sheet(chance, players)
    return {
        "variant": variant.name,
        "settings": draw_settings(chance, variant.family) if chance.random() < 0.9 else {},
        "pool": chance.choice((None, 10, 25)) if variant.has_pool else None,
        "sheet": sheet if chance.random() < 0.5 else {},
    }


def random_start(chance: random.Random) -> Record:
    """A deal under random conventions of which no move has been made."""
    players = chance.choice((2, 2, 3, 4))
    return Record(
        players=players,
        dealer=chance.randrange(players),
        number=chance.randrange(N_DEALS),
        reversed=chance.random() < 0.2,
        note=chance.choice(("", "a deal by chance")),
        claims=chance.random() < 0.2,
        unfinished=True,
        **_house(chance, players),
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


def _fit(key: str, value: Any, players: int) -> Any:
    """An entry of a script's sheet for so many players."""
    if not isinstance(value, tuple):
        return value
    if key == "soup":
        return tuple(tuple(map(Fraction, row[:players])) for row in value[:players])
    if key == "rows":
        return tuple(tuple(x if x is None else Fraction(x) for x in row) for row in value)
    return value[:players] if key in MARKS else tuple(map(Fraction, value[:players]))


def golden(name: str) -> list[Record]:
    """The deals of a file; of the dealer's whist with player 3 as the dealer."""
    players, records = int(name[-1]), []
    for k, script in enumerate(FILES[name]):
        dealer = 3 if name == "dealer_4" else k % players
        fitted = replace(script, sheet={x: _fit(x, y, players) for x, y in script.sheet.items()})
        tries = (1000 * again + 100 * players + k for again in range(200))
        made = (play_script(fitted, players, dealer, seed) for seed in tries)
        records.append(next(record for record in made if record is not None))
    return records


def write_golden(names: Iterable[str]) -> None:
    """Write golden files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        records = golden(name)
        path = FOLDER / f"{name}.deal"
        path.write_text(format_text(records), encoding="utf-8")
        path.with_suffix(".json").write_text(format_json(records), encoding="utf-8")


if __name__ == "__main__":
    write_golden(sys.argv[1:] or FILES)
