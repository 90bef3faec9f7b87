"""The import of PPN: a game scored by the rules, its slips, and its deals as records."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoring.protocol.keeping import Pulka
from scoring.protocol.ppn import read_ppn
from scoring.protocol.ppn.keeping import begin_ppn
from scoring.result import MAX_PLAYERS, UNIT
from scoring.score_sheet import ScoreSheet
from scoring.sheet import settle
from scoring.variant import Variant

from ..records.model import MOST_NOTE, Record
from ..show import end_story
from ..table import Table
from .ppn_play import PpnPlayer, lay_ppn
from .writing import make_record, name_variant


@dataclass
class PpnImport:
    """A game in PPN by the rules: the sheet, its deals as records, and the slips of the file.

    The record of a deal that cannot have been played ends before the first wrong move, unfinished;
    its note says what is wrong.
    """

    pulka: Pulka
    slips: list[str]
    records: list[Record] = field(default_factory=list)


def import_ppn(
    text: str, where: str, variant: Variant | None = None, pool: int | None = None
) -> PpnImport:
    """The game in a text, ``where`` names it in errors; as ``begin_ppn``. ProtocolError."""
    game = read_ppn(text, where)
    keeper = begin_ppn(game, variant, pool)
    found = keeper.pulka.protocol.variant
    start = keeper.pulka.protocol.pool
    name = name_variant(found, keeper.sheet.n)
    table = Table(found.rules(keeper.sheet.n, start))
    done = PpnImport(keeper.pulka, keeper.slips)
    for deal in game.deals:
        result = keeper.read(deal)
        lay_ppn(table, deal)
        player = PpnPlayer(table, deal, result)
        player.play()
        for slip in player.slips:
            keeper.note(deal, slip)
        keeper.write(deal, result, player.tricks)
        if table.done:
            end_story(player.story, table)
        _put_sheet(table, keeper.sheet)
        note = f"PPN deal {deal.id}: {'; '.join(player.slips)}".removesuffix(": ")
        done.records.append(make_record(player.story, name, start, _shortened(note)))
    keeper.finish()
    return done


def _shortened(note: str) -> str:
    return note if len(note) <= MOST_NOTE else f"{note[: MOST_NOTE - 1]}…"


def _put_sheet(table: Table, sheet: ScoreSheet) -> None:
    """Put the sheet as the scorer keeps it on a table, whose deal may not have been played."""
    view, n = table.view, sheet.n
    for i in range(n):
        view["mountain"][i] = int(UNIT * sheet.columns[i])
        view["refets"][i] = sheet.refets[i]
        for j in range(n):
            view["whists"][MAX_PLAYERS * i + j] = int(UNIT * sheet.soup[i][j])
    view["refets_given"], view["n_deals"] = sheet.refets_given, sheet.n_deals
    balance = np.zeros(MAX_PLAYERS, np.int64)
    settle(table.rules, view, balance)
    for player in range(MAX_PLAYERS):
        table.hidden["balance"][player] = int(balance[player])
