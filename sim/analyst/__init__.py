"""A played deal judged with all cards open: what it was worth, what each card gave away, the best
discard and the best contract.

``analyse`` takes a story (``sim.show``) and the table at which it was played. Everything rests on
exact values (``sim.solver``): the tricks of a declarer against two defenders who see all cards and
play together. That is no advice to a player, who does not see them. At raspas each plays for
himself and no such value exists; ``sim.analyst.raspas`` says what is told instead.
"""

from .analysis import Analysis, analyse
from .deal import Deal, read_deal
from .play import JudgedCard, JudgedPlay
from .raspas import JudgedRaspas
from .talon import BestContract, Discards

__all__ = [
    "Analysis",
    "BestContract",
    "Deal",
    "Discards",
    "JudgedCard",
    "JudgedPlay",
    "JudgedRaspas",
    "analyse",
    "read_deal",
]
