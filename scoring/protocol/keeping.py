"""A protocol kept as a pulka: every entry written on the sheet in turn, with what it changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import nearest, quoted, shown
from ..score_sheet import (
    COLUMNS,
    Correction,
    DealResult,
    Entries,
    ScoreSheet,
    SheetError,
)
from ..settlement import Matrix
from .contracts import DEAL_KEYS
from .deals import DealReader
from .notation import EntryError, parse_deal_text, parse_flag
from .reading import CONTROL_KEYS, Protocol, ProtocolError, check_name
from .refet_deals import RefetReader
from .rows import RowReader
from .seats import Seats

DEAL, MISRECORD, CORRECTION, JOIN, TIME, STOP = (
    "deal",
    "misrecord",
    "correction",
    "join",
    "time",
    "stop",
)
MAX_AMOUNT = 1_000_000


@dataclass(frozen=True)
class Step:
    """One entry (numbered from 1) and the sheet after it.

    ``kind`` is DEAL or another event; a deal has its ``result`` and ``entries`` before help.
    ``rows`` is razboinik's table after it; of the refet game ``refets`` are those left after it,
    and it may have used its declarer's (``used_refet``) or have given one to all
    (``gave_refets``).
    """

    number: int
    kind: str
    names: tuple[str, ...]
    pool: list[Fraction]
    mountain: list[Fraction]
    whists: Matrix
    balance: list[Fraction]
    rows: list[list[Fraction | None]]
    refets: list[int]
    refets_given: int
    result: DealResult | None = None
    entries: Entries | None = None
    raspas_index: int = 0
    used_refet: bool = False
    gave_refets: bool = False
    player: int = -1
    on: int = -1
    column: str = ""
    amount: int = 0
    correction: Correction | None = None
    note: str = ""


@dataclass
class Pulka:
    """A protocol as it stands: sheet, names (a fourth player may have joined) and history."""

    protocol: Protocol
    names: tuple[str, ...]
    sheet: ScoreSheet
    dealer: int
    last_dealer: int
    steps: list[Step] = field(default_factory=list)
    stopped: bool = False
    ended: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the pulka ended by its rule, with entry ``ended``; a wrong record ends none."""
        return self.ended > 0

    def deals(self) -> list[Step]:
        """The steps that are deals."""
        return [step for step in self.steps if step.kind == DEAL]


def keep_protocol(protocol: Protocol) -> Pulka:
    """Write all entries of a protocol; ProtocolError names the first that cannot be."""
    n = len(protocol.players)
    sheet = ScoreSheet(protocol.variant, n, protocol.pool, protocol.total)
    pulka = Pulka(protocol, protocol.players, sheet, protocol.dealer, (protocol.dealer - 1) % n)
    for number, entry in enumerate(protocol.entries, 1):
        try:
            _keep_entry(pulka, number, entry)
        except (EntryError, SheetError) as error:
            raise ProtocolError(f"{protocol.where}: entry {number}: {error}") from None
    return pulka


def _keep_entry(pulka: Pulka, number: int, entry: Any) -> None:
    if pulka.stopped:
        raise EntryError("the pulka was stopped before this entry")
    if isinstance(entry, str):
        entry = parse_deal_text(entry, pulka.names, DEAL_KEYS)
    if not isinstance(entry, Mapping) or not entry:
        raise EntryError('an entry is a table such as {Anna = "6♣/=", ...} or a line of text')
    note = entry.get("note", "")
    if not isinstance(note, str):
        raise EntryError(f"note = {quoted(note)} must be text")
    kinds = [kind for kind in CONTROL_KEYS if kind in entry]
    if not kinds:
        _keep_deal(pulka, number, entry, note)
        return
    for key in entry:
        if key not in (kinds[0], "note", *CONTROL_KEYS[kinds[0]]):
            near = nearest(key, CONTROL_KEYS[kinds[0]])
            raise EntryError(f"{shown(key)} does not go with {kinds[0]}{near}")
    _EVENTS[kinds[0]](pulka, number, entry, note)


def _add_step(pulka: Pulka, number: int, kind: str, **more: Any) -> None:
    sheet = pulka.sheet
    if kind != MISRECORD:
        pulka.ended = (pulka.ended or number) if sheet.is_over() else 0
    pulka.steps.append(
        Step(
            number,
            kind,
            pulka.names,
            sheet.pool,
            sheet.mountain,
            sheet.whists,
            sheet.settle(),
            sheet.rows,
            sheet.refets,
            sheet.refets_given,
            **more,
        )
    )


def _keep_deal(pulka: Pulka, number: int, entry: Mapping[str, Any], note: str) -> None:
    if pulka.is_over:
        raise EntryError(
            f"the pulka ended with entry {pulka.ended}, so this deal is not part of it"
        )
    keep_result(pulka, number, _read_deal(pulka, entry), note)


def keep_result(pulka: Pulka, number: int, result: DealResult, note: str = "") -> None:
    """Write a deal as entry ``number``; the deal passes on. SheetError if it cannot be written."""
    sheet = pulka.sheet
    index, refets, given = sheet.raspas_index, sheet.refets, sheet.refets_given
    entries = sheet.write(result)
    _add_step(
        pulka,
        number,
        DEAL,
        result=result,
        entries=entries,
        raspas_index=index,
        used_refet=sum(sheet.refets) < sum(refets),
        gave_refets=sheet.refets_given > given,
        note=note,
    )
    pulka.last_dealer = pulka.dealer
    pulka.dealer = sheet.next_dealer(pulka.dealer)


def _read_deal(pulka: Pulka, entry: Mapping[str, Any]) -> DealResult:
    """The result of a deal; an entry may name its dealer, but in razboinik the deal alternates."""
    sheet = pulka.sheet
    if not sheet.variant.has_target:
        return RowReader(pulka.names, pulka.dealer, sheet).read(entry)
    if "dealer" in entry:
        pulka.dealer = Seats(pulka.names, pulka.dealer, sheet).player(entry["dealer"], "dealer")
    reader = RefetReader if sheet.variant.has_columns else DealReader
    return reader(pulka.names, pulka.dealer, sheet).read(entry)


class _Record(NamedTuple):
    """A wrong record: who wrote how much too much in which column, for whists on whom."""

    player: int
    column: str
    amount: int
    on: int


def _record(pulka: Pulka, entry: Mapping[str, Any], key: str) -> _Record:
    pulka.sheet.check_wrong_records()
    seats = Seats(pulka.names, pulka.dealer, pulka.sheet)
    player = seats.player(entry[key], key)
    for name, values in (("column", ", ".join(COLUMNS)), ("amount", "what was written too much")):
        if name not in entry:
            raise EntryError(f"{name} is missing: {values}")
    column = entry["column"]
    if column not in COLUMNS:
        raise EntryError(f"column = {quoted(column)} must be {', '.join(COLUMNS)}")
    amount = entry["amount"]
    if type(amount) is not int or not 0 < abs(amount) <= MAX_AMOUNT:
        raise EntryError(
            f"amount = {quoted(amount)} must be a whole number: what was written too much"
        )
    on = seats.player(entry["on"], "on") if "on" in entry else -1
    return _Record(player, str(column), amount, on)


def _misrecord(pulka: Pulka, number: int, entry: Mapping[str, Any], note: str) -> None:
    record = _record(pulka, entry, MISRECORD)
    pulka.sheet.misrecord(*record)
    _add_step(pulka, number, MISRECORD, **record._asdict(), note=note)


def _correction(pulka: Pulka, number: int, entry: Mapping[str, Any], note: str) -> None:
    record = _record(pulka, entry, CORRECTION)
    made = pulka.sheet.correct(
        *record,
        pencil=parse_flag(entry, "pencil"),
        after_auction=parse_flag(entry, "after_auction"),
        agreed=parse_flag(entry, "agreed"),
    )
    _add_step(pulka, number, CORRECTION, **record._asdict(), correction=made, note=note)


def _join(pulka: Pulka, number: int, entry: Mapping[str, Any], note: str) -> None:
    if pulka.is_over:
        raise EntryError("the pulka is over, so nobody can join it")
    try:
        name = check_name(entry[JOIN], JOIN)
    except ProtocolError as error:
        raise EntryError(str(error)) from None
    if name in pulka.names:
        raise EntryError(f"{name} plays already")
    pulka.sheet = pulka.sheet.join(pulka.last_dealer)
    seat = pulka.last_dealer + 1
    pulka.names = (*pulka.names[:seat], name, *pulka.names[seat:])
    pulka.dealer = seat
    _add_step(pulka, number, JOIN, player=seat, note=note)


def _check_true(entry: Mapping[str, Any], key: str) -> None:
    if entry[key] is not True:
        raise EntryError(f"{key} = {quoted(entry[key])} must be true")


def _time(pulka: Pulka, number: int, entry: Mapping[str, Any], note: str) -> None:
    _check_true(entry, TIME)
    pulka.sheet.call_time()
    _add_step(pulka, number, TIME, note=note)


def _stop(pulka: Pulka, number: int, entry: Mapping[str, Any], note: str) -> None:
    _check_true(entry, STOP)
    if pulka.is_over:
        raise EntryError("the pulka is over, so there is nothing to stop")
    pulka.stopped = True
    _add_step(pulka, number, STOP, note=note)


_EVENTS: dict[str, Callable[[Pulka, int, Mapping[str, Any], str], None]] = {
    MISRECORD: _misrecord,
    CORRECTION: _correction,
    JOIN: _join,
    TIME: _time,
    STOP: _stop,
}
