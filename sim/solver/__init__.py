"""What a deal is worth with all cards open: exact values, best cards, lines of play.

Tricks of a declarer against two defenders who play together, misère, any equal number of cards
from one to ten, tricks half played; the end of raspas, where each hand plays for itself.

From Python: ``solve`` and its relatives, one position or many. From compiled code (bots): a
workspace of ``WORKSPACE`` words made ready by ``prepare``, then ``count_tricks``,
``takes_at_least``, ``rate_cards``, ``find_card`` (``sim.solver.values`` describes a position).
"""

from .batch import count_nodes, solve_many, solve_tables
from .endings import MOST_CARDS, finish
from .position import (
    Position,
    PositionError,
    leader_by_rules,
    masked,
    parse_hands,
    why_other_rules,
)
from .solving import (
    Line,
    best_cards,
    find_line,
    rate_position,
    solve,
    solve_cards,
    solve_line,
    solve_position,
    solve_raspas,
    solve_table,
)
from .values import MISERE_STRAIN, count_tricks, find_card, rate_cards, takes_at_least
from .workspace import WORKSPACE, make_workspace, prepare

__all__ = [
    "MISERE_STRAIN",
    "MOST_CARDS",
    "WORKSPACE",
    "Line",
    "Position",
    "PositionError",
    "best_cards",
    "count_nodes",
    "count_tricks",
    "find_card",
    "find_line",
    "finish",
    "leader_by_rules",
    "make_workspace",
    "masked",
    "parse_hands",
    "prepare",
    "rate_cards",
    "rate_position",
    "solve",
    "solve_cards",
    "solve_line",
    "solve_many",
    "solve_position",
    "solve_raspas",
    "solve_table",
    "solve_tables",
    "takes_at_least",
    "why_other_rules",
]
