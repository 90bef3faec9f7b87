"""A played deal written down as a record, whole: forced moves, numbers, cards, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoring.contract import N_ROWS
from scoring.kernel import make_records
from scoring.result import MAX_PLAYERS, UNIT
from scoring.sheet import SHEET_DTYPE, clear_sheet
from scoring.variant import Variant, find_variant, variant_names

from ..cards import format_card
from ..records.actions import SECTION_OF
from ..records.model import BY_PLAYER, FIELDS, MARKS, TABLES, Move, Record, sheet_keys
from ..records.words import DUMMY, FROM_TALON, SECTIONS
from ..show import Step, Story, Trick, sheet_of, talon_cards
from .playing import Played


def name_variant(variant: Variant, players: int) -> tuple[str, dict[str, Any]]:
    """A shipped variant and the settings that make this one of it, so that no file is needed.

    The shipped variant of that name if there is one, else the one with the fewest differences; of
    the same family, for so many players.
    """
    known = [find_variant(name) for name in variant_names()]
    fit = [one for one in known if one.family == variant.family and players in one.players]
    named = [one for one in fit if one.name == variant.name] or fit
    differences = {one.name: _differences(one, variant) for one in named}
    best = min(differences, key=lambda name: len(differences[name]))
    return best, differences[best]


def _differences(base: Variant, variant: Variant) -> dict[str, Any]:
    return {
        one.key: variant.conventions[one.key]
        for one in variant.own_conventions()
        if variant.conventions[one.key] != base.conventions[one.key]
    }


def _moves(steps: Sequence[Step]) -> tuple[Move, ...]:
    return tuple(Move(step.owner, step.word) for step in steps)


def _trick_moves(trick: Trick) -> tuple[Move, ...]:
    lead = () if trick.lead < 0 else (Move(None, FROM_TALON + format_card(trick.lead)),)
    return (*lead, *_moves(trick.steps))


def _by_section(story: Story) -> dict[str, tuple[Move, ...]]:
    found = {}
    for section in SECTIONS:
        steps = [step for step in story.steps if SECTION_OF[step.phase] == section]
        if steps and section != "tricks":
            found[section] = _moves(steps)
    return found


def _amounts(values: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(value, UNIT) for value in values)


def _sheet_value(name: str, value: Any, n: int) -> Any:
    if name == "rows":
        return _rows(value, n)
    if name in TABLES:
        return tuple(_amounts(value[MAX_PLAYERS * i : MAX_PLAYERS * i + n]) for i in range(n))
    if name in MARKS:
        return tuple(value[:n])
    return _amounts(value[:n]) if name in BY_PLAYER else value


def _rows(row: Sequence[int], n: int) -> tuple[tuple[Fraction | None, ...], ...]:
    """Razboinik's table by player; None where a row is open."""
    points = [None if x < 0 else Fraction(x, UNIT) for x in row]
    return tuple(tuple(points[N_ROWS * i : N_ROWS * (i + 1)]) for i in range(n))


def sheet_before(story: Story) -> dict[str, Any]:
    """What stood on the sheet before the deal, where it is not as at the start of a pulka.

    Of razboinik the rows, from which the rest follows.
    """
    start = make_records(SHEET_DTYPE, 1)[0]
    clear_sheet(story.rules, start)
    empty, n = sheet_of(start), story.n_players
    fields = {name: FIELDS.get(name, name) for name in sheet_keys(story.family)}
    return {
        name: _sheet_value(name, story.sheet[field], n)
        for name, field in fields.items()
        if story.sheet[field] != empty[field]
    }


def _hands_of(story: Story, dummy: bool) -> tuple[int, ...]:
    """The hands of the players from the eldest, or the dummy's."""
    pairs = zip(story.players, story.hands, strict=True)
    return tuple(hand for player, hand in pairs if (player == DUMMY) == dummy)


def _result(story: Story) -> Mapping[str, Any]:
    if story.row is None:
        return {"unfinished": True}
    n = story.n_players
    result: dict[str, Any] = {"value": _amounts([int(x) for x in story.row["value"][:n]])}
    if int(story.row["played"]):
        result["taken"] = tuple(int(x) for x in story.row["tricks"][:n])
    return result


def make_record(
    story: Story, variant: tuple[str, Mapping[str, Any]], pool: int | None, note: str = ""
) -> Record:
    """The record of a played deal; ``variant`` is a name and the settings that go with it."""
    name, settings = variant
    return Record(
        variant=name,
        players=story.n_players,
        dealer=story.dealer,
        number=story.number,
        reversed=story.talon != talon_cards(story.number),
        note=note,
        settings=dict(settings),
        pool=pool or None,
        claims=story.claims,
        sheet=sheet_before(story),
        hands=_hands_of(story, False),
        dummy=next(iter(_hands_of(story, True)), None),
        talon=tuple(story.talon),
        moves=_by_section(story),
        tricks=tuple(_trick_moves(trick) for trick in story.tricks),
        **_result(story),
    )


def complete(played: Played) -> Record:
    """A record that was played, whole: with forced moves, number and cards, pool and result.

    Its variant stays the file that it names, else it is written by its own name; settings that
    change nothing are left out.
    """
    record, variant = played.record, played.variant
    name = record.variant if record.variant.endswith(".toml") else variant.name
    settings = _differences(played.base, variant)
    pool = variant.target(record.pool)
    return make_record(played.story, (name, settings), pool, record.note)
