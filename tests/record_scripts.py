"""The scripts of the golden deals of three and four players: what is said, and who is strong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.records.words import spell


@dataclass(frozen=True)
class Script:
    """A deal to play: the calls by section, who is strong in what, and the rest by chance.

    ``want`` is how it shall end (``record_makers.ENDS``).
    """

    note: str
    auction: str = ""
    calls: Mapping[str, str] = field(default_factory=dict)
    variant: str = "sochi"
    settings: Mapping[str, Any] = field(default_factory=dict)
    sheet: Mapping[str, Any] = field(default_factory=dict)
    strong: tuple[int, str] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    stop: int = -1
    want: str = ""

    def words(self, section: str) -> list[str]:
        """The scripted words of a section."""
        text = self.auction if section == "auction" else self.calls.get(section, "")
        return [spell(section, word) for word in text.split(",")] if text else []


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
