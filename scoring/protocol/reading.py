"""Protocol files: TOML or JSON read and checked as a whole, before anything is scored."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from ..errors import WrongUse, nearest, one_line, quoted, shown
from ..variant import MAX_POOL, TABLE_SIZES, Variant, VariantError, check_pool, find_variant
from .contracts import DEAL_KEYS

HEAD_KEYS = (
    "title",
    "date",
    "players",
    "variant",
    "conventions",
    "pool",
    "total",
    "dealer",
    "stake",
    "currency",
    "deals",
)
CONTROL_KEYS = {
    "misrecord": ("column", "on", "amount"),
    "correction": ("column", "on", "amount", "pencil", "after_auction", "agreed"),
    "join": (),
    "time": (),
    "stop": (),
}
"""Entries that are no deals, by their first key, and their other keys."""
RESERVED = {*DEAL_KEYS, *CONTROL_KEYS, *(key for keys in CONTROL_KEYS.values() for key in keys)}
MAX_ENTRIES = 100_000
_STAKE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}", re.ASCII)


class ProtocolError(WrongUse):
    """A protocol that cannot be scored: one sentence with file, entry and what is wrong."""


@dataclass(frozen=True)
class Protocol:
    """A game as written down; ``entries`` are deals (tables or lines of text) and other events.

    ``pool`` is the target in pool points per player, of the refet game the start of each column (0
    where the variant has neither), ``total``
    that of all players where it was given instead; ``dealer`` deals first; ``stake`` is money per
    whist (of razboinik, per point).
    """

    where: str
    title: str
    players: tuple[str, ...]
    variant: Variant
    pool: int
    total: int | None
    dealer: int
    stake: Decimal | None
    currency: str
    entries: tuple[Any, ...]

    def stake_text(self) -> str:
        """The stake with its currency, if one is named."""
        return f"{self.stake} {self.currency}".rstrip()


def parse_stake(value: Any, where: str) -> Decimal:
    """Money per whist, a decimal number above zero; ProtocolError otherwise."""
    text = quoted(value).strip("'\"") if isinstance(value, str | int | float) else ""
    stake = Decimal(text) if _STAKE.fullmatch(text) else Decimal(0)
    if stake == 0:
        raise ProtocolError(
            f"{where}: stake = {quoted(value)} must be a number above 0, such as 0.5"
        )
    return stake


def check_names(names: Any, where: str) -> tuple[str, ...]:
    """Two to four players' names; ProtocolError otherwise."""
    if not isinstance(names, list | tuple) or len(names) not in TABLE_SIZES:
        raise ProtocolError(f"{where}: players must be 2, 3 or 4 names in clockwise order")
    for name in names:
        check_name(name, where)
    if len(set(names)) != len(names):
        raise ProtocolError(f"{where}: two players have one name: {', '.join(map(shown, names))}")
    return tuple(names)


def check_name(name: Any, where: str) -> str:
    """A player's name; ProtocolError for one that would be taken for something else."""
    if not isinstance(name, str) or not name.strip() or len(name) > 60:
        raise ProtocolError(f"{where}: player {quoted(name)} needs a name of 1 to 60 letters")
    if name != name.strip() or any(not c.isprintable() or c in ",;=:" for c in name):
        raise ProtocolError(
            f"{where}: player {quoted(name)}: a name has no , ; = : and no space at ends"
        )
    if name in RESERVED:
        raise ProtocolError(f"{where}: player {quoted(name)} has the name of a key; choose another")
    return name


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"{shown(key)} stands twice")
        table[key] = value
    return table


def loads_json(text: str) -> Any:
    """JSON without a key twice and without half letters (lone surrogates); ValueError."""
    data = json.loads(text, object_pairs_hook=_table)
    json.dumps(data, ensure_ascii=False).encode()
    return data


def _data(text: str, where: str) -> Mapping[str, Any]:
    start = text.lstrip()[:2]
    is_json = start[:1] == "{" or start == "[]"
    try:
        data = loads_json(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if is_json else "TOML"
        raise ProtocolError(f"{where}: not a {kind} file: {one_line(error)}") from None
    if not isinstance(data, dict):
        raise ProtocolError(f"{where}: a protocol is a table with players, variant and deals")
    return data


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise ProtocolError(f"{where}: {key} = {quoted(value)} must be text in quotes")
    return value


def _integer(data: Mapping[str, Any], key: str, where: str) -> int | None:
    value = data.get(key)
    if key in data and type(value) is not int:
        raise ProtocolError(f"{where}: {key} = {quoted(value)} must be a whole number")
    return value


def _settings(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Conventions as dotted keys (``"raspas.price" = 2``) or as tables ([conventions.raspas])."""
    table = data.get("conventions", {})
    if not isinstance(table, dict):
        raise ProtocolError(f"{where}: conventions must be a table of conventions")
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": x for inner, x in value.items()})
        else:
            flat[key] = value
    return flat


def find_beside(name: str, where: str) -> Variant:
    """A variant by name; the path of a file is taken from the folder of ``where``."""
    return find_variant(str(Path(where).parent / name) if name.endswith(".toml") else name)


def _variant(data: Mapping[str, Any], default: Variant | None, where: str) -> Variant:
    name = _text(data, "variant", where)
    if default is None and not name:
        raise ProtocolError(f"{where}: variant is missing")
    try:
        found = find_beside(name, where) if default is None else default
        return found.with_settings(_settings(data, where), "conventions")
    except VariantError as error:
        raise ProtocolError(f"{where}: {error}") from None


def check_table(variant: Variant, n: int, pool: int | None, where: str) -> None:
    """ProtocolError unless ``n`` may play the variant, and to a ``pool`` where one is given."""
    try:
        variant.table_size(n)
    except VariantError as error:
        raise ProtocolError(f"{where}: {error}") from None
    if pool is not None and not variant.has_target:
        raise ProtocolError(
            f"{where}: {variant.name} has no pool: it ends when all rows are played"
        )


def _target(
    data: Mapping[str, Any], variant: Variant, n: int, where: str
) -> tuple[int, int | None]:
    """Pool points per player, and those of all players where these were given."""
    pool, total = _integer(data, "pool", where), _integer(data, "total", where)
    check_table(variant, n, pool if total is None else total, where)
    if pool is not None and total is not None:
        raise ProtocolError(f"{where}: give pool (per player) or total (of all), not both")
    try:
        if total is None:
            return variant.target(pool), None
        if variant.has_columns:
            raise ProtocolError(
                f"{where}: total = {quoted(total)}, but in {variant.name} each contract column has "
                "its start: give pool"
            )
        if not variant.conventions["end.when"].startswith("sum"):
            raise ProtocolError(
                f"{where}: total = {quoted(total)}, but in {variant.name} each pool is played to "
                "its own target: give pool"
            )
        if not n <= total <= n * MAX_POOL:
            raise ProtocolError(
                f"{where}: total {quoted(total)} is not possible: write {n} to {n * MAX_POOL} pool "
                f"points for {n} players"
            )
        return check_pool(total // n), total
    except VariantError as error:
        raise ProtocolError(f"{where}: {error}") from None


def parse_protocol(
    text: str, where: str, variant: Variant | None = None, pool: int | None = None
) -> Protocol:
    """The protocol in a text; ``where`` names it in errors.

    ``variant`` and ``pool`` win over those of the text. Raises ProtocolError.
    """
    data = dict(_data(text, where))
    for key in data:
        if key not in HEAD_KEYS:
            near = nearest(key, HEAD_KEYS)
            raise ProtocolError(f"{where}: {shown(key)} is not a key of a protocol{near}")
    if "players" not in data:
        raise ProtocolError(f"{where}: players is missing: 2, 3 or 4 names in clockwise order")
    players = check_names(data["players"], where)
    found = _variant(data, variant, where)
    if pool is not None:
        data = {key: x for key, x in data.items() if key != "total"} | {"pool": pool}
    target, total = _target(data, found, len(players), where)
    dealer = data.get("dealer", players[-1])
    if dealer not in players:
        near = nearest(str(dealer), players) if isinstance(dealer, str) else ""
        raise ProtocolError(
            f"{where}: dealer = {quoted(dealer)} is no player: {', '.join(players)}{near}"
        )
    entries = data.get("deals", [])
    if not isinstance(entries, list) or len(entries) > MAX_ENTRIES:
        raise ProtocolError(f"{where}: deals must be a list of at most {MAX_ENTRIES} entries")
    if not isinstance(data.get("date", ""), str | date):
        raise ProtocolError(
            f"{where}: date = {quoted(data['date'])} must be a date or text in quotes"
        )
    return Protocol(
        where,
        _text(data, "title", where),
        players,
        found,
        target,
        total,
        players.index(dealer),
        parse_stake(data["stake"], where) if "stake" in data else None,
        _text(data, "currency", where),
        tuple(entries),
    )


def with_money(protocol: Protocol, stake: str | None, currency: str | None) -> Protocol:
    """The protocol with another stake or currency, where given."""
    if stake is not None:
        protocol = replace(protocol, stake=parse_stake(stake, "--stake"))
    return protocol if currency is None else replace(protocol, currency=currency)


def with_rounding(protocol: Protocol, rounding: str | None) -> Protocol:
    """The protocol settled with other fractions (``exact`` or ``code``), where given."""
    if rounding is None:
        return protocol
    changed = protocol.variant.with_settings({"end.rounding": rounding}, "--rounding")
    return replace(protocol, variant=changed)


def read_text(path: Path) -> str:
    """The text of a file in UTF-8; ProtocolError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise ProtocolError(f"{path}: cannot be read: {one_line(error)}") from None
