"""PPN as text: the newest form in square brackets, and the older ``1. 1 ...`` with L, R and M.

Source: Portable Preferans Notation. Its samples leave out the field ``refa``; so may a file, and of
a deal that was not played ``starts`` and ``throws``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...errors import quoted, shown
from ..notation import EntryError
from ..reading import MAX_ENTRIES, ProtocolError
from .fields import (
    IDS,
    Fields,
    lone_of,
    make_deal,
    make_play,
    parse_bids,
    parse_contract,
    parse_discarded,
    parse_kontra,
    parse_order,
    parse_player,
    parse_summary,
    parse_throws,
    parse_value,
    wrong,
)
from .model import SEATS, Bid, PpnDeal, PpnGame, PpnPlay, all_passed, winner_of

_TAG = re.compile(r"\[([A-Za-z][A-Za-z0-9_]*)\s+([^\s.].*)\]", re.ASCII)
_DEAL = re.compile(r"\[([0-9].*)\]", re.ASCII)
_OLDER = re.compile(r"([0-9]+)\.\s+(.*)", re.ASCII)
_ELLIPSIS = ("...", "…")
"""A line that says that more followed."""

_SHORT = ("id", "deal order", "cards", "bids")
_LONG = ("main", "discarded", "contract", "accepted", "kontra")
_OLDER_SHORT = ("id", "dealer", "cards", "auction")
_OLDER_LONG = ("exchange", "game", "came", "kontra", "value")


def is_ppn_line(line: str) -> bool:
    """Whether a line is a tag or a deal."""
    return any(pattern.fullmatch(line) for pattern in (_TAG, _DEAL, _OLDER))


def read_ppn_text(text: str, where: str) -> PpnGame:
    """The game in a text; ``where`` names it in errors. ProtocolError."""
    tags: Fields = {}
    deals: list[PpnDeal] = []
    is_excerpt = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line in _ELLIPSIS:
            is_excerpt = True
        elif line:
            _read_line(line, f"{where}: line {number}", number, tags, deals)
    return PpnGame(where, tags, tuple(deals), is_excerpt, False)


def _read_line(line: str, here: str, number: int, tags: Fields, deals: list[PpnDeal]) -> None:
    tag, newest, older = (form.fullmatch(line) for form in (_TAG, _DEAL, _OLDER))
    place = f"deal {len(deals) + 1} (line {number})"
    try:
        if tag is not None:
            _add_tag(tags, tag[1], tag[2].strip())
        elif len(deals) == MAX_ENTRIES:
            raise EntryError(f"there are more than {MAX_ENTRIES} deals")
        elif newest is not None:
            deals.append(_newest_deal(place, newest[1].split()))
        elif older is not None:
            deals.append(_older_deal(place, [older[1], *older[2].split()]))
        else:
            raise EntryError(
                f"{quoted(line)} is neither a tag, [Bula 60], nor a deal, [1 231 ...] or 1. 1 ..."
            )
    except EntryError as error:
        raise ProtocolError(f"{here}: {error}") from None


def _add_tag(tags: Fields, name: str, value: str) -> None:
    if name in tags:
        raise EntryError(f"the tag {shown(name)} stands twice")
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    if not is_quoted and len(value.split()) > 1:
        raise EntryError(
            f"{shown(name)} = {quoted(value)} has spaces: a tag's value is in quotes then, and a "
            "deal begins with its id"
        )
    tags[name] = value[1:-1].strip() if is_quoted else value


def _named(names: Sequence[str], words: Sequence[str], before: str) -> Fields:
    """The fields of a line by name. EntryError where one is missing."""
    if len(words) < len(names):
        raise EntryError(f"{names[len(words)]} is missing after {quoted([before, *words][-1])}")
    return dict(zip(names, words, strict=False))


def _check_nothing(rest: Sequence[str]) -> None:
    """EntryError if more stands after the bids of a deal passed by all."""
    if rest:
        raise EntryError(f"all passed, but {quoted(rest[0])} stands after the bids")


# The newest form


def _newest_deal(place: str, words: Sequence[str]) -> PpnDeal:
    fields = _named(_SHORT, words, "[")
    order, bids = parse_order(fields["deal order"]), parse_bids(fields["bids"])
    rest = words[len(_SHORT) :]
    if all_passed(bids):
        _check_nothing(rest)
        return make_deal(place, fields, order, bids, None)
    fields |= _named(_LONG, rest, fields["bids"])
    fields |= _end_fields(list(rest[len(_LONG) :]))
    throws = parse_throws(fields.get("throws", "0"), IDS)
    play = make_play(fields, throws, parse_summary(fields["summary"]))
    return make_deal(place, fields, order, bids, play)


def _end_fields(rest: list[str]) -> Fields:
    """The fields after kontra: refa, value, starts, throws, summary. EntryError."""
    fields = {}
    if len(rest) > 2 and rest[0] in ("0", "1"):
        fields["refa"] = rest.pop(0)
    if len(rest) < 2:
        raise EntryError("value or summary is missing")
    between = rest[1:-1]
    if len(between) > 2:
        raise EntryError(
            f"{quoted(between[2])} is one field too many between value and summary: starts and "
            "throws stand there"
        )
    fields |= {"value": rest[0], "summary": rest[-1]}
    return fields | dict(zip(("starts", "throws"), between, strict=False))


# The older form


def _older_bids(text: str) -> tuple[Bid, ...]:
    """The bids; D (dalje) is a pass."""
    return parse_bids(",".join("P" if word == "D" else word for word in text.split(",")))


def _older_deal(place: str, words: Sequence[str]) -> PpnDeal:
    fields = _named(_OLDER_SHORT, words, ".")
    dealer, bids = parse_player("dealer", fields["dealer"]), _older_bids(fields["auction"])
    order = tuple((dealer + k) % SEATS for k in (1, 2, 3))
    rest = words[len(_OLDER_SHORT) :]
    if all_passed(bids):
        _check_nothing(rest)
        return make_deal(place, fields, order, bids, None)
    fields |= _named(_OLDER_LONG, rest, fields["auction"])
    rest = rest[len(_OLDER_LONG) :]
    if not 1 <= len(rest) <= 2:
        raise EntryError("after value stand play and score, in a deal not played score alone")
    fields |= {"play": rest[0] if len(rest) == 2 else "0", "score": rest[-1]}
    return make_deal(place, fields, order, bids, _older_play(fields, winner_of(order, bids)))


def _older_play(fields: Mapping[str, str], main: int) -> PpnPlay:
    """What was played; the followers are L, next after the main player, and R."""
    left, right = (main + 1) % SEATS, (main + 2) % SEATS
    followers = {"0": (), "L": (left,), "R": (right,), "B": (left, right)}
    if fields["came"] not in followers:
        raise wrong("came", fields["came"], "0, L, R or B")
    came = frozenset(followers[fields["came"]])
    base, is_game = parse_contract(fields["game"])
    signs = {"L": left, "R": right}
    doubled, invites, by = parse_kontra(fields["kontra"], signs, lone_of(came))
    # the still older G (glavni, the main player) and D (desni, the right one) are in the samples
    winners = {"M": main, **signs, "G": main, "D": right}
    return PpnPlay(
        main=main,
        discarded=parse_discarded(fields["exchange"]),
        base=base,
        is_game=is_game,
        came=came,
        doubled=doubled,
        invites=invites,
        by=by,
        refa=None,
        value=parse_value(fields["value"]),
        starts=-1,
        throws=parse_throws(fields["play"], winners),
        summary=parse_summary(fields["score"]),
    )
