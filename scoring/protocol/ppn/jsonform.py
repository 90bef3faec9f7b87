"""PPN as JSON: one deal, a list of deals, or an object of tags with the list ``deals``.

Source: Portable Preferans Notation, for a deal; tags beside ``deals`` are our own. In ``cards``,
``bids`` and ``summary``, p1, p2 and p3 are the players in the order of dealing, as in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import one_line, quoted, shown
from ..notation import EntryError
from ..reading import MAX_ENTRIES, ProtocolError, loads_json
from .fields import (
    IDS,
    Fields,
    check_count,
    make_deal,
    make_play,
    parse_bids,
    parse_order,
    parse_player,
    parse_trick,
    parse_whole,
)
from .model import HAND, Part, PpnDeal, PpnGame, Throws, all_passed

DEAL_ORDER = "dealOrder"
_PLACES = ("p1", "p2", "p3")
_ALWAYS = ("id", DEAL_ORDER)
_PLAYED = ("main", "discarded", "contract", "accepted", "kontra", "value")
_OPTIONAL = ("refa", "starts")
_MOST_WRITTEN = 999_999


def read_ppn_json(text: str, where: str) -> PpnGame:
    """The game in a JSON text; ``where`` names it in errors. ProtocolError."""
    try:
        data = loads_json(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"{where}: not a JSON file: {one_line(error)}") from None
    tags, deals = _parts(data)
    if not isinstance(deals, list) or len(deals) > MAX_ENTRIES:
        raise ProtocolError(f"{where}: deals must be a list of at most {MAX_ENTRIES} deals")
    try:
        told = {name: _word(value, shown(name)) for name, value in tags.items()}
    except EntryError as error:
        raise ProtocolError(f"{where}: {error}") from None
    read = tuple(_read_deal(deal, f"deal {k}", where) for k, deal in enumerate(deals, 1))
    return PpnGame(where, told, read, False, not told)


def _parts(data: Any) -> tuple[Mapping[str, Any], Any]:
    """The tags and the deals."""
    if not isinstance(data, dict):
        return {}, data
    if DEAL_ORDER in data:
        return {}, [data]
    return {name: value for name, value in data.items() if name != "deals"}, data.get("deals")


def _word(value: Any, name: str) -> str:
    """A word or a number as the text has it. EntryError."""
    if isinstance(value, bool):
        return str(int(value))
    if not isinstance(value, str | int):
        raise EntryError(f"{name} = {quoted(value)} must be a word or a whole number")
    return quoted(value) if isinstance(value, int) else value.strip()


def _read_deal(data: Any, place: str, where: str) -> PpnDeal:
    try:
        if not isinstance(data, dict):
            raise EntryError(f"{quoted(data)} must be a table with id, dealOrder, cards and bids")
        return _deal(place, data)
    except EntryError as error:
        raise ProtocolError(f"{where}: {place}: {error}") from None


def _deal(place: str, data: Mapping[str, Any]) -> PpnDeal:
    fields = _fields(data, _ALWAYS)
    fields["cards"] = "".join(_by_place(data, "cards", (*_PLACES, "t")))
    order, bids = parse_order(fields[DEAL_ORDER]), parse_bids(",".join(_by_place(data, "bids")))
    if all_passed(bids):
        return make_deal(place, fields, order, bids, None)
    fields |= _fields(data, _PLAYED, _OPTIONAL)
    play = make_play(fields, _throws(data), _summary(data))
    return make_deal(place, fields, order, bids, play)


def _fields(data: Mapping[str, Any], needed: Sequence[str], optional: Sequence[str] = ()) -> Fields:
    fields = {}
    for key in (*needed, *optional):
        if data.get(key) is not None:
            fields[key] = _word(data[key], key)
        elif key in needed:
            raise EntryError(f"{key} is missing")
    return fields


def _by_place(data: Mapping[str, Any], key: str, places: Sequence[str] = _PLACES) -> list[str]:
    """The words of the players in the order of dealing. EntryError."""
    table = data.get(key)
    if not isinstance(table, dict) or any(place not in table for place in places):
        raise EntryError(f"{key} = {quoted(table)} must have {', '.join(places)}")
    return [_word(table[place], f"{key} of {place}") for place in places]


def _throws(data: Mapping[str, Any]) -> tuple[Throws, ...]:
    """The tricks, with who led to each where it is told. EntryError."""
    tricks = data.get("throws") or []
    if not isinstance(tricks, list) or not all(isinstance(trick, dict) for trick in tricks):
        raise EntryError(f"throws = {quoted(tricks)} must be a list of tricks")
    return check_count([_trick(trick) for trick in tricks])


def _trick(trick: Mapping[str, Any]) -> Throws:
    cards, winner = (_word(trick.get(key), f"throws: {key}") for key in ("cards", "winner"))
    if trick.get("starts") is None:
        return parse_trick(cards + winner, IDS)
    leader = parse_player("throws: starts", _word(trick["starts"], "throws: starts"))
    return parse_trick(cards + winner, IDS)._replace(leader=leader)


def _summary(data: Mapping[str, Any]) -> tuple[Part | None, ...]:
    """The parts of the players in the order of dealing; who is left out did not play."""
    table = data.get("summary")
    if not isinstance(table, dict):
        raise EntryError(f"summary = {quoted(table)} must have {', '.join(_PLACES)}")
    return tuple(_part(table.get(place), place) for place in _PLACES)


def _part(data: Any, place: str) -> Part | None:
    if data is None or data == 0:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("main", False), bool):
        raise EntryError(
            f"summary of {place} = {quoted(data)} must have main (true or false), tricks, and "
            "left, middle, right where he wrote there"
        )
    left, middle, right = (
        _amount(data, place, key, -_MOST_WRITTEN, _MOST_WRITTEN)
        for key in ("left", "middle", "right")
    )
    return Part(_amount(data, place, "tricks", 0, HAND), left, middle, right, data.get("main"))


def _amount(data: Mapping[str, Any], place: str, key: str, low: int, high: int) -> int:
    name = f"summary of {place}: {key}"
    return parse_whole(name, _word(data.get(key, 0), name), low, high)
