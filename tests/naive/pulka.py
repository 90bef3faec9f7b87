"""A pulka from deal to deal: who deals, how long the deals take, and the sheet they are kept on."""

from dataclasses import dataclass
from typing import Any

from .cards import Conventions
from .scoring import Records, Result
from .sheet import Sheet, call_time, is_over, new_sheet, new_table, write_deal


@dataclass
class Pulka:
    """A pulka: `dealer` deals next, `raspas_dealt` counts the raspas for which he stays.

    `clock` counts the seconds that the deals have taken; it runs where time ends the pulka.
    """

    conv: Conventions
    sheet: Sheet
    dealer: int
    raspas_dealt: int = 0
    clock: int = 0

    @property
    def over(self) -> bool:
        """Whether the pulka has ended."""
        return is_over(self.conv, self.sheet)

    def write(self, result: Result) -> Records:
        """Write a deal, pass the deal on, and let time go by."""
        assert result.dealer == self.dealer
        records = write_deal(self.conv, self.sheet, result)
        self._pass_the_deal(result)
        if not self.sheet.rows and self.conv["end.when"] in ["time", "time_and_close"]:
            self._spend_time(result)
        return records

    def _pass_the_deal(self, result: Result) -> None:
        """To the left; at some tables the dealer deals again after raspas, but not for ever."""
        raspas = result.kind == "raspas" and result.played
        if raspas and self.conv["deal.after_raspas"] == "stays":
            self.raspas_dealt += 1
            if self.raspas_dealt < self.conv["deal.stays_most"]:
                return
        self.dealer = (self.dealer + 1) % self.sheet.n
        self.raspas_dealt = 0

    def _spend_time(self, result: Result) -> None:
        """A deal that is not played is shorter; once the time is up it is called."""
        self.clock += self.conv["end.deal_seconds" if result.played else "end.unplayed_seconds"]
        if self.sheet.deals_left is None and self.clock >= 60 * self.conv["end.minutes"]:
            call_time(self.conv, self.sheet)


def new_pulka(conv: Conventions, n: int, target: int, total: int | None = None) -> Pulka:
    """A pulka that begins: the last player deals first, so that player 0 is the eldest."""
    return Pulka(conv, new_sheet(conv, n, target, total), dealer=n - 1)


def new_razboinik(conv: Conventions) -> Pulka:
    """The same of razboinik."""
    return Pulka(conv, new_table(), dealer=1)


def declarer_of(pulka: Pulka) -> int:
    """The player who declares the next deal of razboinik: he who does not deal, or the dealer."""
    return pulka.dealer if pulka.conv["razboinik.declarer"] == "dealer" else 1 - pulka.dealer


def by_player(conv: Conventions, result: dict[str, Any], dealer: int) -> Result:
    """The result of a deal by player instead of by seat, as the scorer wants it."""
    n = len(result["seats"])
    players = {seat: (dealer + step) % n for step, seat in enumerate(result["seats"], start=1)}

    def player(seat: int | None) -> int | None:
        return None if seat is None else players[seat]

    tricks = [0] * n
    for seat in result["seats"]:
        tricks[players[seat]] = result["tricks"][seat]
    return Result(
        kind=result["kind"],
        dealer=dealer,
        tricks=tricks,
        declarer=player(result["declarer"]),
        level=result["level"],
        played=result["played"],
        whist={players[seat]: part for seat, part in result["whist"].items()},
        last_whister=player(result["last_whister"]),
        blind=n == 2 and not result["open"],
        concession=conv["contract.concession"] if result["conceded"] else 0,
        off_mountain=result["off_mountain"],
        talon_units=result["talon_units"],
        dark_pass=result["dark_pass"],
    )
