"""The scripts of the golden deals of two players with the dummy, and of razboinik."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from record_scripts import Script

_OFF = {"values.off_mountain_instead": 2}


def _of_two(note: str, auction: str, calls: Mapping[str, str] | None = None, **more: Any) -> Script:
    """A script of the classic game of two players, unless another variant is named."""
    return Script(note, auction, calls or {}, **{"variant": "classic_two", **more})


DEFENCE = (
    _of_two(
        "6, the defender opens the dummy",
        "6♠,pass",
        {"contract": "6♠", "whist": "whist", "open": "open"},
        strong=(0, "S"),
    ),
    _of_two(
        "6 in hearts after a hold, blind, the dummy is out of play",
        "6♣,6♦,hold,6♥,pass",
        {"contract": "6♥", "whist": "whist", "open": "blind"},
        strong=(2, "H"),
    ),
    _of_two(
        "7, blind, the dummy plays its lowest cards",
        "7♣,pass",
        {"contract": "7♣", "whist": "whist", "open": "blind"},
        settings={"dummy.blind": "lowest"},
        strong=(0, "C"),
    ),
    _of_two("8, the defender passes", "pass,8NT", {"contract": "8NT", "whist": "pass"}),
    _of_two(
        "9, opened",
        "pass,9♦",
        {"contract": "9♦", "whist": "whist", "open": "open"},
        strong=(2, "D"),
    ),
    _of_two(
        "10 that is whisted blind",
        "10♠,pass",
        {"contract": "10♠", "whist": "whist", "open": "blind"},
        settings={"dummy.blind_duty": (2, 1, 1, 1, 1)},
        strong=(0, "S"),
    ),
    _of_two(
        "10 that is checked",
        "pass,10♥",
        {"contract": "10♥"},
        variant="piter",
        strong=(2, "H"),
    ),
    _of_two(
        "six spades must be whisted (Stalingrad)",
        "6♠,pass",
        {"dark": "look", "contract": "6♠", "whist": "whist", "open": "blind"},
        variant="klassika",
        strong=(0, "S"),
    ),
    _of_two("conceded", "pass,7♣", {"contract": "concede"}, settings={"contract.concession": 3}),
    _of_two(
        "passed, off the mountain",
        "7♦,pass",
        {"contract": "7♦", "whist": "pass", "points": "mountain"},
        settings=_OFF,
        sheet={"mountain": (30, 4)},
    ),
    _of_two(
        "open or blind after the first card",
        "pass,6♣",
        {"contract": "6♣", "whist": "whist", "open": "open"},
        settings={"whist.first_card_dark": True},
        strong=(2, "C"),
    ),
    _of_two(
        "the dummy is first and leads, shown before the defender's choice",
        "pass,7♠",
        {"contract": "7♠", "whist": "whist", "open": "open"},
        variant="gusarik",
        settings={
            "dummy.seat": "first",
            "dummy.opened": "before_whist",
            "whist.first_card_dark": True,
        },
        strong=(2, "S"),
    ),
    _of_two(
        "the dummy is first and dead: the eldest leads",
        "6NT,pass",
        {"contract": "6NT", "whist": "whist", "open": "blind"},
        settings={"dummy.seat": "first"},
        strong=(1, "NT"),
    ),
    _of_two(
        "the dummy is last, the last tricks certain",
        "pass,8♣",
        {"contract": "8♣", "whist": "whist", "open": "open"},
        variant="gusarik",
        settings={"dummy.seat": "last"},
        strong=(1, "C"),
        more={"claims": True},
    ),
    _of_two(
        "an indivisible mountain: points beyond the pools count by half",
        "8♦,pass",
        {"contract": "8♦", "whist": "pass"},
        variant="gusarik_indivisible",
        sheet={"pool": (19, 18), "mountain": (10, 14), "n_deals": 9},
        strong=(0, "D"),
    ),
    _of_two(
        "a fir-tree doubles, and a bomb",
        "7♥,pass",
        {"dark": "look", "contract": "7♥", "whist": "whist", "open": "open"},
        variant="klassika",
        settings={"raspas.fir_trees": "each"},
        sheet={"fir_trees": (2, 1), "bombs": (1, 1), "n_deals": 3},
        strong=(0, "H"),
    ),
    _of_two(
        "nine without the talon",
        "pass,9♣ wt",
        {"contract": "9♣ wt", "whist": "whist", "open": "open"},
        variant="piter",
        strong=(2, "C"),
    ),
)

MISERE_OF_TWO = (
    _of_two("misere of the eldest, the defender plays both hands", "misere,pass", strong=(0, "M")),
    _of_two(
        "misere of the dealer: no catch or trust, no first trick in the dark",
        "pass,misere",
        settings={"misere.first_trick_dark": True, "misere.defence": "catch_or_trust"},
        strong=(2, "M"),
    ),
    _of_two(
        "misere, the dummy is first and leads",
        "pass,misere",
        settings={"dummy.seat": "first"},
        strong=(2, "M"),
    ),
    _of_two(
        "misere outbid by nine",
        "misere,9♠,pass",
        {"contract": "9♠", "whist": "whist", "open": "open"},
        strong=(2, "S"),
    ),
    _of_two("misere without the talon", "pass,misere wt", variant="piter", strong=(2, "M")),
    _of_two(
        "made misere, off the mountain",
        "misere,pass",
        {"points": "mountain"},
        settings=_OFF,
        sheet={"mountain": (40, 0)},
        strong=(0, "M"),
    ),
)

RASPAS_OF_TWO = (
    _of_two("raspas, the dummy and the talon are closed", "pass,pass"),
    _of_two(
        "raspas, the talon names suits", "pass,pass", settings={"raspas.talon_two": "suit_only"}
    ),
    _of_two(
        "raspas, the talon's cards may win",
        "pass,pass",
        settings={"raspas.talon_two": "may_win", "raspas.third_lead": "winner"},
    ),
    _of_two(
        "raspas, the dummy plays its lowest cards",
        "pass,pass",
        settings={"dummy.raspas": "lowest"},
    ),
    _of_two(
        "raspas, the dummy is first, plays its lowest cards, the talon may win",
        "pass,pass",
        variant="finka",
        settings={
            "dummy.raspas": "lowest",
            "dummy.seat": "first",
            "raspas.talon_two": "may_win",
        },
        sheet={"raspas_index": 1, "n_deals": 1},
    ),
    _of_two(
        "raspas, the dummy is last, nobody follows",
        "pass,pass",
        variant="leningrad",
        settings={
            "dummy.raspas": "lowest",
            "dummy.seat": "last",
            "raspas.talon_two": "suit_only",
            "raspas.nobody_follows": "highest_of_first",
        },
    ),
    _of_two(
        "thrown in",
        "pass,pass",
        settings={"dummy.raspas": "no_raspas", "raspas.progression": (1, 2, 3)},
        sheet={"raspas_index": 1, "n_deals": 4},
    ),
    _of_two(
        "raspas by agreement, the first deal of a pulka",
        "",
        {"agree": "agree,agree"},
        settings={"raspas.agreed": "first_deal"},
    ),
    _of_two(
        "no agreement, the second refuses",
        "pass,6♦",
        {"agree": "agree,refuse", "contract": "6♦", "whist": "whist", "open": "blind"},
        settings={"raspas.agreed": "any_deal"},
        sheet={"n_deals": 7, "pool": (4, 0)},
        strong=(2, "D"),
    ),
    _of_two(
        "raspas leave each player a fir-tree",
        "pass,pass",
        settings={"raspas.fir_trees": "each"},
        sheet={"fir_trees": (0, 2), "n_deals": 2, "raspas_index": 2},
    ),
    _of_two(
        "raspas leave the lowest a fir-tree",
        "pass,pass",
        variant="rostov",
        settings={"raspas.fir_trees": "lowest"},
    ),
    _of_two(
        "a dark pass and raspas, a bomb",
        "pass",
        {"dark": "dark pass"},
        variant="klassika",
        sheet={"raspas_index": 1, "dark_row": 1, "n_deals": 1},
    ),
    _of_two("the deal breaks off in the third trick", "pass,pass", stop=7),
)


def _rows(note: str, row: str, contract: str, talon: str, **more: Any) -> Script:
    """A script of razboinik: the row that is named first, the contract, how the talon is taken."""
    settings = {"razboinik.talon": talon, **more.pop("settings", {})}
    calls = {"row": row, "contract": contract}
    return Script(note, "", calls, variant="razboinik", settings=settings, **more)


RAZBOINIK = (
    _rows("the talon first, then six", "talon", "6♠", "misere_before", strong=(0, "S")),
    _rows("misere, named before the talon", "misere", "", "misere_before", strong=(0, "M")),
    _rows(
        "seven named before the talon, the dummy is dead",
        "7",
        "7♥",
        "row_before",
        settings={"razboinik.dummy": "dead"},
        sheet={"rows": ((None, 4, None, 0, None, None), (0, None, 12, None, None, 10))},
        strong=(0, "H"),
    ),
    _rows(
        "misere named before the talon, the dummy is first and dead",
        "misere",
        "",
        "row_before",
        settings={"razboinik.dummy": "dead", "dummy.seat": "first"},
        strong=(1, "M"),
    ),
    _rows("eight, named after the talon", "", "8♦", "row_after"),
    _rows(
        "misere, named after the talon, the dealer declares",
        "",
        "misere",
        "row_after",
        settings={"razboinik.declarer": "dealer"},
    ),
    _rows("nine without the talon", "", "9♣", "none", strong=(1, "C")),
    _rows(
        "misere without the talon, the dummy is last",
        "",
        "misere",
        "none",
        settings={"dummy.seat": "last"},
        strong=(0, "M"),
    ),
    _rows(
        "ten, the last row is forced",
        "talon",
        "10NT",
        "misere_before",
        sheet={"rows": ((0, 0, 0, 0, None, 0), (2, 0, 6, 8, None, 20))},
        strong=(0, "NT"),
    ),
    _rows(
        "misere, the last row is forced",
        "misere",
        "",
        "misere_before",
        settings={"razboinik.declarer": "dealer"},
        sheet={"rows": ((4, 4, 0, 0, None, None), (0, 0, 0, 16, 0, None))},
    ),
    _rows(
        "eight with dear rows, the last tricks certain",
        "8",
        "8♠",
        "row_before",
        settings={"razboinik.price": (4, 8, 12, 16, 20), "razboinik.misere": 30},
        strong=(0, "S"),
        more={"claims": True},
    ),
    _rows("the deal breaks off after the discard", "talon", "", "misere_before", stop=3),
)

FILES_OF_TWO: Mapping[str, Sequence[Script]] = {
    "defence_2": DEFENCE,
    "misere_2": MISERE_OF_TWO,
    "raspas_2": RASPAS_OF_TWO,
    "razboinik_2": RAZBOINIK,
}
