"""Variants (разновидности игры) as data: one TOML file each, found by name, alias or path."""

from __future__ import annotations

import functools
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from .convention import Convention
from .conventions import (
    BY_KEY,
    CONVENTIONS,
    FAMILIES,
    POOL_FAMILY,
    RAZBOINIK,
    REFET,
    conventions_of,
)
from .errors import WrongUse, nearest, one_line, quoted, shown
from .result import MAX_PLAYERS, TWO_PLAYERS
from .rules import pack_rules

FOLDER = Path(__file__).parent / "variants"
MAX_POOL = 10_000
TABLE_SIZES = (2, 3, 4)
USUAL_PLAYERS = 3
_SIZES = dict(zip(FAMILIES, (TABLE_SIZES, (TWO_PLAYERS,), (3, MAX_PLAYERS)), strict=True))

_TEXTS = ("title", "title_ru", "family", "base", "source", "notes")
_TABLES = tuple(dict.fromkeys(c.key.split(".")[0] for c in CONVENTIONS))


class VariantError(WrongUse):
    """A variant that cannot be used: one sentence naming file, key, value and what is allowed."""


@dataclass(frozen=True)
class Variant:
    """A variant with every convention resolved.

    ``pool`` is the default target of a pulka (пулька) in pool points per player, of the refet game
    the start of each contract column, 0 where there is none (razboinik); ``players`` are the
    numbers of players it can be played by; ``differs`` holds the keys whose value is not that of
    the base (of the general defaults where there is none).
    """

    name: str
    title: str
    title_ru: str
    family: str
    base: str
    pool: int
    source: str
    notes: str
    aliases: tuple[str, ...]
    conventions: Mapping[str, Any]
    players: tuple[int, ...] = TABLE_SIZES
    differs: frozenset[str] = field(default_factory=frozenset)

    def rules(
        self, n_players: int | None = None, target: int | None = None, total: int | None = None
    ) -> np.ndarray[Any, Any]:
        """The packed Rules record (array of one row) for a pulka to ``target`` pool points.

        ``n_players`` as in :meth:`table_size`; ``total`` of all players, for variants that end by
        the sum. Raises VariantError.
        """
        n = self.table_size(n_players)
        family = FAMILIES.index(self.family)
        return pack_rules(self.conventions, n, self.target(target), total, family)

    def table_size(self, n_players: int | None) -> int:
        """The number of players: as given, or three where the variant allows it, else its least.

        Raises VariantError.
        """
        if n_players is None:
            return USUAL_PLAYERS if USUAL_PLAYERS in self.players else min(self.players)
        if n_players not in self.players:
            allowed = " or ".join(", ".join(map(str, self.players)).rsplit(", ", 1))
            raise VariantError(f"{self.name} is played by {allowed} players, not by {n_players}")
        return n_players

    @property
    def has_pool(self) -> bool:
        """Whether the sheet has pools and mountains; razboinik has a table of rows instead, the
        refet game contract columns and soup."""
        return self.family == FAMILIES[POOL_FAMILY]

    @property
    def has_columns(self) -> bool:
        """Whether the sheet is the refet game's: contract columns, soup and refets."""
        return self.family == FAMILIES[REFET]

    @property
    def has_target(self) -> bool:
        """Whether a pulka is played to so many points, into the pools or off the columns."""
        return self.family != FAMILIES[RAZBOINIK]

    def target(self, pool: int | None) -> int:
        """The points to play to, into each pool or off each contract column: as given, or the
        variant's default. Raises VariantError."""
        if self.has_target:
            return check_pool(self.pool if pool is None else pool)
        if pool:
            raise VariantError(f"{self.name} has no pool: it ends when all rows are played")
        return 0

    def with_settings(self, settings: Mapping[str, Any], where: str = "--set") -> Variant:
        """This variant with some conventions changed (a house variant, домашние правила).

        ``where`` names the settings in errors (VariantError).
        """
        if not settings:
            return self
        values = dict(self.conventions)
        for key, value in settings.items():
            values[key] = _checked(key, value, where, self.family)
        changed = {key for key in settings if values[key] != self.conventions[key]}
        return replace(self, conventions=values, differs=self.differs | changed)

    def own_conventions(self) -> tuple[Convention, ...]:
        """The conventions that have a meaning in this variant's family, table by table."""
        return conventions_of(self.family)

    def toml(self) -> str:
        """The whole variant as TOML, every convention written out; reads back as itself."""
        lines = [
            f"{key} = {toml_value(value)}"
            for key, value in (
                ("title", self.title),
                ("title_ru", self.title_ru),
                ("aliases", self.aliases),
                ("family", self.family),
                ("players", self.players),
                ("pool", self.pool),
                ("source", self.source),
                ("notes", self.notes),
            )
            if key != "pool" or self.has_target
        ]
        table = ""
        for convention in self.own_conventions():
            head, key = convention.key.split(".")
            if head != table:
                lines += ["", f"[{head}]"]
                table = head
            lines.append(f"{key} = {toml_value(self.conventions[convention.key])}")
        return "\n".join(lines) + "\n"

    def digest(self) -> str:
        """Digest of the conventions alone (16 hex digits): equal digests play and score alike."""
        values = sorted((c.key, self.conventions[c.key]) for c in self.own_conventions())
        text = repr((self.family, values))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def check_pool(pool: int) -> int:
    """The pool target, if it is one; VariantError otherwise."""
    if not 1 <= pool <= MAX_POOL:
        raise VariantError(
            f"pool {quoted(pool)} is not possible: write 1 to {MAX_POOL} pool points per player"
        )
    return pool


def toml_value(value: Any) -> str:
    """A convention's value as it is written in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return str(value)


_nearest = functools.partial(nearest, most=3, cutoff=0.5)


def _checked(key: str, value: Any, where: str, family: str) -> Any:
    """The value of a convention as it is kept, or VariantError."""
    if key not in BY_KEY:
        raise VariantError(f"{where}: {shown(key)} is not a convention{_nearest(key, BY_KEY)}")
    if BY_KEY[key] not in conventions_of(family):
        raise VariantError(f"{where}: {key} has no meaning in the family {family}")
    try:
        return BY_KEY[key].check(value)
    except ValueError as error:
        raise VariantError(f"{where}: {one_line(error)}") from None


def _flatten(data: Mapping[str, Any], where: str, family: str) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for table in _TABLES:
        entries = data.get(table, {})
        if not isinstance(entries, dict):
            raise VariantError(f"{where}: {table} must be a table of conventions, [{table}]")
        for key, value in entries.items():
            flat[f"{table}.{key}"] = _checked(f"{table}.{key}", value, where, family)
    return flat


def _check_heading(data: Mapping[str, Any], where: str) -> None:
    known = (*_TEXTS, "aliases", "players", "pool", *_TABLES)
    for key, value in data.items():
        if key not in known:
            raise VariantError(
                f"{where}: {shown(key)} is not a key of a variant{_nearest(key, known)}"
            )
        if key in _TEXTS and not isinstance(value, str):
            raise VariantError(f"{where}: {key} = {value!r} must be text in quotes")
    aliases = data.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(x, str) for x in aliases):
        raise VariantError(f"{where}: aliases = {aliases!r} must be a list of names in quotes")
    pool = data.get("pool", 1)
    if type(pool) is not int or not 1 <= pool <= MAX_POOL:
        raise VariantError(f"{where}: pool = {pool!r} must be an integer from 1 to {MAX_POOL}")
    if data.get("family", FAMILIES[0]) not in FAMILIES:
        raise VariantError(
            f"{where}: family = {data['family']!r}; allowed: {' or '.join(FAMILIES)}"
        )
    players = data.get("players", [USUAL_PLAYERS])
    known_sizes = isinstance(players, list) and all(
        type(n) is int and n in TABLE_SIZES for n in players
    )
    if not known_sizes or not players or len(set(players)) < len(players):
        raise VariantError(
            f"{where}: players = {players!r} must be a list of the numbers of players, out of "
            f"{', '.join(map(str, TABLE_SIZES))}"
        )


def _family(data: Mapping[str, Any], base: Variant | None, where: str) -> str:
    """The family of a variant: its base's, where it has one."""
    named = data.get("family")
    if base is not None and named not in (None, base.family):
        raise VariantError(f"{where}: family = {named!r}, but its base has {base.family!r}")
    return str(named or (base.family if base else FAMILIES[POOL_FAMILY]))


def _players(data: Mapping[str, Any], base: Variant | None, family: str, where: str) -> Any:
    """The numbers of players: as written, else the base's, else all that the family knows."""
    known = _SIZES[family]
    players = tuple(data.get("players", base.players if base else known))
    if not set(players) <= set(known):
        raise VariantError(
            f"{where}: players = {data['players']!r}; {family} is played by "
            f"{' or '.join(map(str, known))}"
        )
    return players


def _pool(data: Mapping[str, Any], base: Variant | None, family: str, where: str) -> int:
    """The default target: as written, else the base's; 0 in a family that has no pool."""
    if family == FAMILIES[RAZBOINIK]:
        if "pool" in data:
            raise VariantError(f"{where}: pool has no meaning in the family {family}")
        return 0
    if "pool" not in data and base is None:
        raise VariantError(f"{where}: pool (default target in pool points) is missing")
    return int(data["pool"]) if "pool" in data or base is None else base.pool


def parse_variant(text: str, name: str, where: str, seen: tuple[str, ...] = ()) -> Variant:
    """The variant written in a TOML text; ``where`` names the text in errors (VariantError)."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise VariantError(f"{where}: not a TOML file: {one_line(error)}") from None
    _check_heading(data, where)
    base_name = data.get("base", "")
    if where in seen:
        raise VariantError(f"{where}: its base leads back to itself")
    base = _find(base_name, (*seen, where)) if base_name else None
    before = dict(base.conventions) if base else {c.key: c.default for c in CONVENTIONS}
    family = _family(data, base, where)
    own = _flatten(data, where, family)
    pool = _pool(data, base, family, where)
    if "title" not in data:
        raise VariantError(f"{where}: title is missing")
    return Variant(
        name=name,
        title=data["title"],
        title_ru=data.get("title_ru", data["title"]),
        family=family,
        base=base_name,
        pool=pool,
        source=data.get("source", ""),
        notes=data.get("notes", ""),
        aliases=tuple(data.get("aliases", [])),
        conventions=before | own,
        players=_players(data, base, family, where),
        differs=frozenset(key for key in own if own[key] != before[key]),
    )


def _read(path: Path, seen: tuple[str, ...] = ()) -> Variant:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {one_line(error)}") from None
    return parse_variant(text, path.stem, str(path), seen)


def variant_names() -> tuple[str, ...]:
    """Names of the shipped variants, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@functools.cache
def _aliases() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in variant_names():
        data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
        for word in (name, *data.get("aliases", [])):
            found[word.casefold()] = name
    return found


def _find(name: str, seen: tuple[str, ...] = ()) -> Variant:
    if name.endswith(".toml"):
        beside = Path(seen[-1]).parent if seen else Path()
        return _read(beside / name, seen)
    known = _aliases()
    shipped = known.get(name.strip().casefold())
    if shipped is None:
        raise VariantError(
            f"variant {quoted(name)} is not known{_nearest(name.casefold(), known)} "
            f"(variants: {', '.join(variant_names())}, or a path to a .toml file)"
        )
    return _read(FOLDER / f"{shipped}.toml", seen)


def find_variant(name: str, settings: Mapping[str, Any] | None = None) -> Variant:
    """The variant of that name, alias (found case-blind) or path to a ``.toml`` file.

    ``settings`` changes single conventions, as ``--set raspas.price=10`` does. Raises VariantError.

    >>> find_variant("Ростов").name
    'rostov'
    """
    return _find(name).with_settings(settings or {})


def parse_setting(text: str) -> tuple[str, Any]:
    """Key and value of ``KEY=VALUE``; the value is TOML, or a bare word. Raises VariantError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise VariantError(f"--set {text}: write KEY=VALUE, for example raspas.price=10")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        return key.strip(), value.strip()
