"""Tournament protocols in CSV: one deal a row, many tables, and the table of results.

Columns: ``table``; ``players`` (names between semicolons; once a table is enough) and ``deal`` (a
line such as ``Anna 6♣/-1, Boris whist 5, Vera pass``), or the deal in columns ``declarer``,
``contract``, ``result``, ``calls``, ``tricks``; further ``variant``, ``pool``, ``dealer``,
``open``, ``concession``, ``talon``, ``hand``, ``contra``, ``contra_by``, ``refet``, ``note``. The
result of a tournament is whists won (Code of Preferans 4.1.3).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..contract import MISERE_GAME, RASPAS
from ..errors import nearest, one_line, quoted, shown
from ..result import WHISTED
from ..tables import format_exact, format_table, number_json
from ..variant import Variant, VariantError
from .keeping import Pulka, keep_protocol
from .notation import ALL_PASS, CALLS, CONTRA, MANNERS, THROWN_IN, is_number
from .reading import (
    Protocol,
    ProtocolError,
    check_names,
    check_table,
    find_beside,
    with_rounding,
)
from .refet_notation import COMES
from .telling import told_by_name
from .words import Words

COLUMNS = (
    "table",
    "players",
    "variant",
    "pool",
    "deal",
    "dealer",
    "declarer",
    "contract",
    "result",
    "calls",
    "tricks",
    "open",
    "concession",
    "talon",
    "hand",
    "contra",
    "contra_by",
    "refet",
    "note",
)
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def looks_like_csv(text: str) -> bool:
    """Whether a text begins with a heading of our columns."""
    head = _from_heading(text).split("\n", 1)[0]
    return "table" in (word.strip().strip('"') for word in head.split(_delimiter(head)))


def _from_heading(text: str) -> str:
    """The text without a byte order mark and empty lines before the heading."""
    return text.lstrip("\ufeff \r\n")


def _delimiter(head: str) -> str:
    """A comma, unless the heading has tabs or, without commas, semicolons."""
    if "\t" in head:
        return "\t"
    return ";" if ";" in head and "," not in head else ","


@dataclass
class _Table:
    """The rows of one table, as a protocol in the making."""

    name: str
    players: tuple[str, ...] = ()
    variant: str = ""
    pool: str = ""
    entries: list[Any] = field(default_factory=list)


def _rows(text: str, where: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and the filled cells of the rows."""
    text = _from_heading(text)
    head = text.split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=_delimiter(head), strict=True)
    try:
        names = [name.strip() for name in reader.fieldnames or ()]
        for name in names:
            if name not in COLUMNS:
                near = nearest(name, COLUMNS)
                raise ProtocolError(f"{where}: column {quoted(name)} is not known{near}")
        if "table" not in names or len(set(names)) != len(names):
            raise ProtocolError(
                f"{where}: the heading needs the column table, and each column once"
            )
        reader.fieldnames = names
        for row in reader:
            if None in row:
                raise ProtocolError(f"{where}: line {reader.line_num}: more cells than columns")
            cells = {key: value.strip() for key, value in row.items() if value and value.strip()}
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise ProtocolError(f"{where}: not a CSV file: {one_line(error)}") from None


def _pairs(text: str) -> dict[str, str]:
    """``Boris whist, Vera pass`` as names and words: the last word is the value."""
    return _by_name(
        part.replace("=", " ").replace(":", " ").rpartition(" ")[::2] for part in _parts(text)
    )


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]


def _by_name(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Values by name; ProtocolError if a name is missing or stands twice."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if not name.strip():
            raise ProtocolError(f"{quoted(value)} names no player")
        if name.strip() in found:
            raise ProtocolError(f"{shown(name.strip())} stands twice")
        found[name.strip()] = value
    return found


def _calls(text: str) -> dict[str, str]:
    """The same for calls, of one to three words: ``Boris whist 5``, ``Boris whist open 5``, of the
    refet game ``Boris comes contra 5``, ``Boris drawn in 2``."""
    pairs = []
    for part in _parts(text):
        words = part.replace("=", " ").replace(":", " ").split()
        count = 2 if len(words) > 2 and is_number(words[-1]) else 1
        if len(words) > count + 1 and words[-count].casefold() in MANNERS:
            count += CALLS.get(words[-count - 1].casefold()) == WHISTED
        elif len(words) > count + 1:
            last = words[-count].casefold()
            before = words[-count - 1].casefold()
            count += (last in CONTRA and before in COMES) or f"{before} {last}" in COMES
        pairs.append((" ".join(words[:-count]), " ".join(words[-count:])))
    return _by_name(pairs)


def _in_column(column: str, parse: Callable[[str], dict[str, str]], text: str) -> dict[str, str]:
    """A cell read; the column stands in an error."""
    try:
        return parse(text)
    except ProtocolError as error:
        raise ProtocolError(f"{column}: {error}") from None


def _entry(cells: Mapping[str, str]) -> Any:
    """The entry of a row: the line of its cell ``deal``, or a table made of the columns."""
    rest = {k: x for k, x in cells.items() if k not in ("table", "players", "variant", "pool")}
    if "deal" in rest:
        if len(rest) > 1:
            other = next(key for key in rest if key != "deal")
            raise ProtocolError(f"give the deal in the column deal or in columns such as {other}")
        return rest["deal"]
    entry: dict[str, Any] = {k: x for k, x in rest.items() if k not in ("calls", "tricks")}
    for key in ("open", "concession", "refet"):
        if key in entry:
            word = entry[key].casefold()
            if word not in _FLAGS:
                raise ProtocolError(f"{key} = {quoted(entry[key])} must be yes or no")
            entry[key] = _FLAGS[word]
    if "tricks" in rest:
        counts = _in_column("tricks", _pairs, rest["tricks"])
        is_raspas = "declarer" not in entry
        entry["raspas" if is_raspas else "tricks"] = counts
        if is_raspas and entry.get("contract", "").casefold() == "raspas":
            del entry["contract"]
    if entry.get("contract", "").casefold() in THROWN_IN:
        del entry["contract"]
        entry["thrown_in"] = True
    elif entry.get("contract", "").casefold() in ALL_PASS:
        del entry["contract"]
        entry["all_pass"] = True
    entry.update(_in_column("calls", _calls, rest.get("calls", "")))
    return entry


def _fill_table(table: _Table, cells: Mapping[str, str], where: str) -> None:
    if "players" in cells:
        players = check_names([x.strip() for x in cells["players"].split(";")], where)
        if table.players and table.players != players:
            raise ProtocolError(f"{where}: the players of table {table.name} change")
        table.players = players
    for key in ("variant", "pool"):
        if key in cells:
            if getattr(table, key) and getattr(table, key) != cells[key]:
                raise ProtocolError(f"{where}: the {key} of table {table.name} changes")
            setattr(table, key, cells[key])
    try:
        entry = _entry(cells)
    except ProtocolError as error:
        raise ProtocolError(f"{where}: {error}") from None
    if entry:
        table.entries.append(entry)


def _protocol(
    table: _Table, where: str, variant: Variant | None, pool: int | None, rounding: str | None
) -> Protocol:
    here = f"{where}: table {shown(table.name)}"
    if not table.players:
        raise ProtocolError(f"{here}: players is missing")
    if variant is None and not table.variant:
        raise ProtocolError(f"{here}: variant is missing: give a column variant, or --variant")
    n = len(table.players)
    try:
        found = find_beside(table.variant, where) if variant is None else variant
        if pool is None and table.pool:
            if not is_number(table.pool):
                raise ProtocolError(f"{here}: pool = {quoted(table.pool)} must be a whole number")
            pool = int(table.pool)
        check_table(found, n, pool, here)
        target = found.target(pool)
    except VariantError as error:
        raise ProtocolError(f"{here}: {error}") from None
    protocol = Protocol(
        here, table.name, table.players, found, target, None, n - 1, None, "", tuple(table.entries)
    )
    return with_rounding(protocol, rounding)


def read_tournament(
    text: str,
    where: str,
    variant: Variant | None = None,
    pool: int | None = None,
    rounding: str | None = None,
) -> list[Pulka]:
    """The kept pulkas of all tables, in order of appearance. Raises ProtocolError.

    ``variant`` and ``pool`` win over the columns, ``rounding`` over the variant.
    """
    tables: dict[str, _Table] = {}
    for line, cells in _rows(text, where):
        here = f"{where}: line {line}"
        if "table" not in cells:
            raise ProtocolError(f"{here}: table is missing")
        table = tables.setdefault(cells["table"], _Table(cells["table"]))
        _fill_table(table, cells, here)
    if not tables:
        raise ProtocolError(f"{where}: there are no deals")
    return [
        keep_protocol(_protocol(table, where, variant, pool, rounding)) for table in tables.values()
    ]


@dataclass
class Standing:
    """A player's tournament: whists won, and the further criteria of Code of Preferans 4.1.3."""

    name: str
    tables: int = 0
    whists: Fraction = Fraction(0)
    raspas_won: int = 0
    raspas_tricks: int = 0
    remises: int = 0
    misere_tricks: int = 0


def _count(standing: Standing, pulka: Pulka, player: int) -> None:
    for step in pulka.deals():
        result = step.result
        if result is None or standing.name not in step.names:
            continue
        seat = step.names.index(standing.name)
        standing.remises += result.concession > 0 and result.declarer == seat
        if result.tricks is None:
            continue
        sitter = result.dealer if len(step.names) == 4 else -1
        if result.kind == RASPAS and seat != sitter:
            lowest = min(count for i, count in enumerate(result.tricks) if i != sitter)
            standing.raspas_won += result.tricks[seat] == lowest
            standing.raspas_tricks += result.tricks[seat]
        elif result.declarer == seat:
            taken = result.tricks[seat]
            standing.misere_tricks += taken if result.kind == MISERE_GAME else 0
            standing.remises += taken > 0 if result.kind == MISERE_GAME else taken < result.level


def standings(pulkas: list[Pulka]) -> list[Standing]:
    """Players by whists won over all tables, then by name."""
    found: dict[str, Standing] = {}
    for pulka in pulkas:
        for player, (name, whists) in enumerate(
            zip(pulka.names, pulka.sheet.settle(), strict=True)
        ):
            standing = found.setdefault(name, Standing(name))
            standing.tables += 1
            standing.whists += whists
            _count(standing, pulka, player)
    return sorted(found.values(), key=lambda one: (-one.whists, one.name))


def standings_text(pulkas: list[Pulka], language: str = "en") -> str:
    """The tables' results, then the table of results."""
    words = Words(language)
    lines = []
    for pulka in pulkas:
        results = told_by_name(pulka.names, pulka.sheet.settle())
        lines.append(f"{words('table')} {pulka.protocol.title}: {results}")
    keys = ("raspas won", "raspas tricks", "remises", "misere tricks")
    head = ("place", "player", "result", "tables", *keys)
    rows = [[words(key) for key in head]]
    ranked = standings(pulkas)
    for one in ranked:
        place = 1 + sum(other.whists > one.whists for other in ranked)
        counts = (one.raspas_won, one.raspas_tricks, one.remises, one.misere_tricks)
        rows.append(
            [str(place), one.name, format_exact(one.whists), str(one.tables), *map(str, counts)]
        )
    return "\n".join([*lines, "", format_table(rows, right=2)])


def standings_json(pulkas: list[Pulka]) -> list[dict[str, Any]]:
    """The same as JSON data."""
    return [
        {
            "player": one.name,
            "tables": one.tables,
            "result": number_json(one.whists),
            "raspas_won": one.raspas_won,
            "raspas_tricks": one.raspas_tricks,
            "remises": one.remises,
            "misere_tricks": one.misere_tricks,
        }
        for one in standings(pulkas)
    ]
