"""Advice in words: a bot's choice, and what it thinks of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.tables import format_table
from scoring.variant import Variant

from ..cards import format_card, format_hand, format_suit_hand, told_cards
from ..records.actions import word_of
from ..table import Table
from .ask import Advice, Estimate, Mind, ask_pairs
from .position import Decision
from .screen import has_pairs, section_of

MOST_HINTS = 8
"""Lines of a hint; more are left to `preferans advise`."""


def counted(worlds: int) -> str:
    return "1 world" if worlds == 1 else f"{worlds} worlds"


def format_estimate(value: Estimate) -> str:
    """Whists with the interval.

    >>> format_estimate(Estimate(3.25, 0.5)), format_estimate(Estimate(-1.0, None))
    ('3.25 [2.75, 3.75]', '-1.00')
    """
    if value.half_width is None:
        return f"{value.mean:.2f}"
    low, high = value.mean - value.half_width, value.mean + value.half_width
    return f"{value.mean:.2f} [{low:.2f}, {high:.2f}]"


class Said:
    """Advice in words: the choice, the worlds, and words with their estimates, best first."""

    def __init__(self, choice: str, worlds: int, rated: list[tuple[str, Estimate]]) -> None:
        self.choice = choice
        self.worlds = worlds
        self.rated = rated

    def lines(self, who: str, most: int | None = None) -> list[str]:
        """The advice of a bot in lines, at most so many estimates."""
        lines = [f"{who}: {self.choice}"]
        if self.rated:
            lines[0] += f" ({counted(self.worlds)}; whists, 95 % intervals)"
            rows = [["  " + word, format_estimate(value)] for word, value in self.rated[:most]]
            lines += format_table(rows).splitlines()
        return lines


def ask_in_words(mind: Mind, table: Table, rules: np.ndarray[Any, Any], every: bool) -> Said:
    """A bot's advice at a decision; of two cards laid away, about pairs: all, or those with the
    card that it would lay away first."""
    view = table.view
    if has_pairs(view):
        pair, worlds, rated = ask_pairs(mind, table, rules, every)
        ranked = sorted(rated.items(), key=lambda item: -item[1].mean)
        words = [(" ".join(map(format_card, cards)), value) for cards, value in ranked]
        return Said(" ".join(map(format_card, pair)), worlds, words)
    advice: Advice = mind.ask(table)
    return Said(
        word_of(view, advice.action),
        advice.worlds,
        [(word_of(view, action), value) for action, value in advice.ranked()],
    )


def hint_lines(mind: Mind, table: Table, rules: np.ndarray[Any, Any]) -> list[str]:
    """A hint at the table."""
    return ask_in_words(mind, table, rules, False).lines(mind.bot.name, MOST_HINTS)


# The command advise


def advise(decision: Decision, mind: Mind, rules: np.ndarray[Any, Any]) -> Said:
    """A bot's advice at a decision, or the only action that there is."""
    if decision.forced >= 0:
        word = word_of(decision.table.view, decision.forced)
        return Said(word, 0, [])
    return ask_in_words(mind, decision.table, rules, True)


def _titles(decision: Decision) -> tuple[str, str]:
    """What is decided, and whose hand moves where it is not the asked player's."""
    view = decision.table.view
    mover = int(view["mover"])
    whose = "" if mover == decision.position else f", for hand {mover + 1}"
    return section_of(view), whose


def format_advice(decision: Decision, mind: Mind, said: Said, variant: Variant) -> str:
    """The decision and the advice as text."""
    view, table = decision.table.view, decision.table
    section, whose = _titles(decision)
    held = table.hands()[decision.position]
    lines = [f"{variant.title}, hand {decision.position + 1}: {format_suit_hand(held)}"]
    if int(view["discard"]):
        lines[0] += f", laid away {told_cards(int(view['discard']))}"
    name = mind.bot.name
    if decision.forced >= 0:
        return "\n".join([*lines, f"{section}{whose}, the only one: {said.choice}"])
    return "\n".join([*lines, f"{section}{whose}", *said.lines(name)])


def advice_json(decision: Decision, mind: Mind, said: Said, variant: Variant) -> dict[str, Any]:
    """The decision and the advice as JSON data; estimates in whists, the best first."""
    view, table = decision.table.view, decision.table
    legal = table.legal
    return {
        "variant": variant.name,
        "players": int(view["n_players"]),
        "position": decision.position + 1,
        "hand": format_hand(table.hands()[decision.position]),
        "decision": section_of(view),
        "mover": int(view["mover"]) + 1,
        "legal": [word_of(view, action) for action in range(63) if legal >> action & 1],
        "forced": decision.forced >= 0,
        "bot": mind.bot.name,
        "choice": said.choice,
        "worlds": said.worlds,
        "estimates": [
            {"action": word, "mean": value.mean, "half_width": value.half_width}
            for word, value in said.rated
        ],
    }
