"""The whole analysis of a deal, as data."""

from __future__ import annotations

from dataclasses import dataclass

from ..show import Story
from ..table import Table
from .deal import Deal, read_deal, why_outside
from .play import JudgedPlay, judge_play
from .raspas import JudgedRaspas, judge_raspas
from .talon import BestContract, Discards, find_contracts, judge_discards


@dataclass(frozen=True)
class Analysis:
    """A deal judged: its play if it had a declarer, its raspas if they were played, the discards
    if the talon was taken, the best contracts; ``outside`` is why nothing can be told."""

    deal: Deal
    outside: str = ""
    play: JudgedPlay | None = None
    raspas: JudgedRaspas | None = None
    discards: Discards | None = None
    contracts: tuple[BestContract, ...] = ()


def analyse(story: Story, table: Table) -> Analysis:
    """Judge a deal that was played at ``table``, which is as its last move left it."""
    deal = read_deal(story, table)
    outside = why_outside(deal)
    if outside:
        return Analysis(deal, outside)
    declared = deal.declarer >= 0
    return Analysis(
        deal,
        play=judge_play(deal) if declared else None,
        raspas=judge_raspas(deal) if deal.all_passed and deal.began else None,
        discards=judge_discards(deal) if declared and deal.discard else None,
        contracts=find_contracts(deal),
    )
