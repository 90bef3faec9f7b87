"""A decision at a table described as its player would describe it to `preferans advise`."""

from __future__ import annotations

from sim.advice.position import Described
from sim.cards import format_card, format_hand
from sim.show import Story
from sim.state import CARD, DISCARD, N_HANDS, PASS_ALONG
from sim.table import Table


def asked_hand(table: Table) -> int:
    """The hand of who decides; -1 for a dealer who sits out."""
    return int(table.view["hand_of"][int(table.view["player"])])


def describe(table: Table, story: Story) -> Described:
    """The decision that waits at a table, by what its player knows; ``story`` has the moves."""
    view, me = table.view, asked_hand(table)
    calls: list[str] = []
    for step in story.steps:
        laid = step.phase in (DISCARD, PASS_ALONG)
        if step.phase != CARD and (not laid or step.hand == me):
            calls += step.word.split()
    cards = [step.action for step in story.steps if step.phase == CARD]
    talon = [int(card) for card in view["talon_card"] if int(card) >= 0]
    if int(view["phase"]) == PASS_ALONG:
        talon = list(story.talon)
    opened = {
        hand: int(view["shown"][hand]) | int(view["played_by"][hand])
        for hand in range(N_HANDS)
        if int(view["shown"][hand]) and hand != me
    }
    return Described(story.hands[me], me, calls, talon, cards, opened)


def command_of(said: Described) -> list[str]:
    """The arguments of `preferans advise` for a description."""
    words = [format_hand(said.cards)]
    if said.position is not None:
        words += ["--position", str(said.position + 1)]
    if said.calls:
        words += ["--calls", " ".join(said.calls)]
    for name, cards in (("--talon", said.talon), ("--cards", said.played)):
        if cards:
            words += [name, " ".join(map(format_card, cards))]
    for hand, mask in said.opened.items():
        words += ["--open", f"{hand + 1}={format_hand(mask)}"]
    return words
