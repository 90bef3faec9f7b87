"""The columns of the two datasets, ``deals`` and ``pulkas``, and rows made into Arrow tables."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scoring.contract import (
    BETL,
    KINDS,
    MISERE,
    MISERE_GAME,
    N_CONTRACTS,
    NINE_WITHOUT,
    PREFERANS,
    RASPAS,
    REFET_CLUBS,
    REFET_DIAMONDS,
    REFET_HEARTS,
    REFET_SPADES,
    ROWS,
    SANS,
    STRAIN_SYMBOLS,
    TRICKS,
    contract_code,
    format_contract,
    format_refet_contract,
)
from scoring.conventions import FAMILIES, POOL_FAMILY, RAZBOINIK, REFET
from scoring.result import DECISIONS, MAX_PLAYERS, NO_DECISION, TWO_PLAYERS, WHISTED

from .engine import Batch
from .game import Game
from .refet_words import CALLS, FOLLOWS, HAND_KINDS, PASSED_BY_ALL
from .state import DEAL_ROW_DTYPE

SCHEMA_VERSION = 4

TWELFTHS = "twelfths of a whist"
TWELFTH_POINTS = "twelfths of a point"
_PLAYERS = range(MAX_PLAYERS)

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Column:
    """A column: name, Arrow type, comment and unit; ``narrow`` columns are dictionary encoded."""

    name: str
    type: Any
    comment: str
    unit: str = ""
    narrow: bool = True

    def field(self) -> pa.Field:
        meta = {"comment": self.comment, "unit": self.unit}
        return pa.field(self.name, self.type, metadata=meta)


_WORD = pa.dictionary(pa.int8(), pa.string())


@dataclass(frozen=True)
class _Words:
    """How a family calls the kinds of a deal, contracts (last a deal without one), bids, and a
    defender's part, each by its number."""

    kinds: tuple[str, ...]
    contracts: tuple[str, ...]
    bids: tuple[str, ...]
    decisions: tuple[str, ...]


_CONTRACTS = tuple(format_contract(code) for code in range(N_CONTRACTS))
_BASES = range(REFET_SPADES, PREFERANS + 1)
_HANDS = tuple(format_refet_contract(b, game) for game in (False, True) for b in _BASES)
_POOL_WORDS = _Words(KINDS, (*_CONTRACTS, "raspas"), _CONTRACTS, DECISIONS)
_REFET_WORDS = _Words(HAND_KINDS, (*_HANDS, PASSED_BY_ALL), CALLS, FOLLOWS)

DEAL_COLUMNS = (
    Column("pulka", pa.int64(), "number of the pulka in the run", narrow=False),
    Column("deal", pa.int16(), "number of the deal in its pulka, from 0"),
    Column("number", pa.int64(), "the deal number, which fixes all cards", narrow=False),
    Column("dealer", pa.int8(), "player who deals; the eldest is the next player"),
    Column(
        "kind",
        _WORD,
        "raspas, tricks (a contract 6..10) or misere; refet game: passed (by all), tricks or betl",
    ),
    Column(
        "contract",
        _WORD,
        "final contract, or raspas; 9♥ wt is without the talon; refet game: spades to preferans, "
        "game clubs is from the hand, or passed",
    ),
    Column("level", pa.int8(), "tricks to make, 6..10; null unless kind is tricks", "tricks"),
    Column("strain", _WORD, "trump suit or NT; null unless kind is tricks"),
    Column("declarer", pa.int8(), "player who declares; null where all passed"),
    Column("bid", _WORD, "the winning bid, refet game: call; null where all passed"),
    Column("n_bids", pa.int8(), "bids made in the auction, holds and passes not counted"),
    Column("without_talon", pa.bool_(), "a contract or misere for which the talon was left"),
    Column("talon_units", pa.int8(), "in the talon that was taken, else 0", "quick tricks"),
    *(
        Column(
            f"decision_{i}",
            _WORD,
            f"last call of player {i} as defender, whist for a dealer who took a defender's hand; "
            "refet game: stays, comes (both at betl and preferans) or invited; null if none",
        )
        for i in _PLAYERS
    ),
    Column("contra", pa.int8(), "refet game: times the hand was doubled, by contra and answers"),
    Column("contra_by", pa.int8(), "refet game: player who said contra; null if nobody did"),
    Column("concession", pa.int8(), "undertricks conceded without play; null if none", "tricks"),
    Column(
        "open",
        pa.bool_(),
        "a lone whister played with open hands; two players: with the dummy open, false is blind, "
        "null where the defender chose neither; razboinik: with the dummy open",
    ),
    Column(
        "played",
        pa.bool_(),
        "cards were played; raspas without it is a deal thrown in; refet game: without it nobody "
        "came, or spades were left for want of contra",
    ),
    *(
        Column(
            f"tricks_{i}",
            pa.int8(),
            f"tricks of player {i}, an open dummy's are the defender's, another dummy's nobody's; "
            "refet game: up to the end of the play; null if not played",
            "tricks",
        )
        for i in _PLAYERS
    ),
    Column("off_mountain", pa.bool_(), "the declarer wrote off his mountain, not into his pool"),
    Column("raspas_index", pa.int8(), "raspas in a row before this deal"),
    Column("dark", pa.int8(), "raspas after dark passes in a row with this deal, else 0"),
    Column("refet", pa.bool_(), "refet game: the declarer had a refet that doubles the hand"),
    Column("refets_written", pa.bool_(), "refet game: the hand left every player a refet"),
    *(
        Column(f"value_{i}", pa.int32(), f"deal value of player {i}", TWELFTHS, narrow=False)
        for i in _PLAYERS
    ),
    Column("n_decisions", pa.int16(), "decisions asked of the bots"),
)
"""One row a deal. Columns of a player who is not at the table are null, and so are those of
``NO_MEANING`` in its family; a dealer who sits out has no tricks (0) and a value."""

_AUCTION = ("bid", "n_bids", "without_talon", *(f"decision_{i}" for i in _PLAYERS))
_POOL_ONLY = ("talon_units", "concession", "off_mountain", "raspas_index", "dark")
_REFET_ONLY = ("contra", "contra_by", "refet", "refets_written")
NO_MEANING = {
    FAMILIES[POOL_FAMILY]: _REFET_ONLY,
    FAMILIES[RAZBOINIK]: (*_AUCTION, *_POOL_ONLY, *_REFET_ONLY),
    FAMILIES[REFET]: (*_POOL_ONLY, "open"),
}
"""Columns of deals without a meaning, by family: razboinik has neither auction nor whist, and plays
one way with the talon throughout."""

PLAYS_COLUMN = Column(
    "plays",
    pa.binary(),
    "decisions in order, one byte each, those with one legal action left out",
    narrow=False,
)

PULKA_COLUMNS = (
    Column("pulka", pa.int64(), "number of the pulka in the run", narrow=False),
    Column("n_deals", pa.int16(), "deals played", "deals"),
    Column("unfinished", pa.bool_(), "stopped by the limit of deals"),
    *(
        Column(
            f"pool_{i}",
            pa.int32(),
            f"pool of player {i}; null in razboinik and in the refet game",
            TWELFTH_POINTS,
        )
        for i in _PLAYERS
    ),
    *(
        Column(
            f"mountain_{i}",
            pa.int32(),
            f"mountain of player {i}; in razboinik the sum of his rows, in the refet game his "
            "contract column",
            TWELFTH_POINTS,
            narrow=False,
        )
        for i in _PLAYERS
    ),
    *(
        Column(
            f"whists_{i}_{j}",
            pa.int32(),
            f"whists of {i} on {j}, in the refet game soup; null in razboinik",
            TWELFTHS,
            narrow=False,
        )
        for i in _PLAYERS
        for j in _PLAYERS
        if i != j
    ),
    *(
        Column(
            f"row_{row}_{i}",
            pa.int32(),
            f"razboinik: row {row} of player {i}; null while it is open, and in other games",
            TWELFTH_POINTS,
        )
        for i in range(TWO_PLAYERS)
        for row in ROWS
    ),
    Column("refets_given", pa.int16(), "refet game: hands that left every player a refet"),
    *(
        Column(f"refets_{i}", pa.int16(), f"refet game: refets that player {i} did not use")
        for i in _PLAYERS
    ),
    *(
        Column(f"result_{i}", pa.int32(), f"settlement of player {i}", TWELFTHS, narrow=False)
        for i in _PLAYERS
    ),
)
"""One row a pulka. Columns of a player who is not at the table are null."""

_ROW_COLUMNS = tuple(f"row_{row}_{i}" for i in range(TWO_PLAYERS) for row in ROWS)
_REFET_COLUMNS = ("refets_given", *(f"refets_{i}" for i in _PLAYERS))


def deal_columns(record_plays: bool) -> tuple[Column, ...]:
    """Columns of the deals dataset, with the recorded plays where they are kept."""
    return (*DEAL_COLUMNS, PLAYS_COLUMN) if record_plays else DEAL_COLUMNS


def make_schema(columns: Iterable[Column], metadata: dict[str, Any]) -> pa.Schema:
    """Arrow schema with units and comments; ``metadata`` goes in as JSON under ``preferans``."""
    text = json.dumps({"schema_version": SCHEMA_VERSION, **metadata}, ensure_ascii=False)
    return pa.schema([column.field() for column in columns], metadata={"preferans": text})


def narrow_names(columns: Iterable[Column]) -> list[str]:
    """Columns worth a dictionary in Parquet."""
    return [column.name for column in columns if column.narrow]


@functools.cache
def _dictionary(words: tuple[str, ...]) -> pa.Array:
    return pa.array(words)


def _words(codes: Array, words: tuple[str, ...], missing: Array) -> pa.Array:
    """A dictionary array of words by code, null where ``missing``."""
    indices = pa.array(codes.astype(np.int8), mask=missing)
    return pa.DictionaryArray.from_arrays(indices, _dictionary(words))


def _ints(values: Array, kind: pa.DataType, missing: Array | None = None) -> pa.Array:
    return pa.array(values, mask=missing).cast(kind)


def _words_of(game: Game) -> _Words:
    return _REFET_WORDS if game.has_columns else _POOL_WORDS


_BASE_BY_STRAIN = np.array([REFET_SPADES, REFET_CLUBS, REFET_DIAMONDS, REFET_HEARTS, SANS])


def _hand_codes(deals: Array) -> Array:
    """Places of the refet game's final contracts in its words, the last where all passed."""
    kinds = [deals["kind"] == RASPAS, deals["kind"] == MISERE_GAME, deals["level"] == 10]
    base = np.select(kinds, [0, BETL, PREFERANS], _BASE_BY_STRAIN[deals["strain"]])
    place = base - REFET_SPADES + len(_BASES) * deals["without_talon"]
    return np.where(kinds[0], len(_HANDS), place)


def _contract_codes(deals: Array) -> Array:
    """Codes of the final contracts, ``N_CONTRACTS`` for raspas."""
    left = deals["without_talon"]
    tricks = contract_code(deals["level"], deals["strain"])
    tricks = tricks + left * (NINE_WITHOUT - contract_code(9, 0))
    kinds = [deals["kind"] == TRICKS, deals["kind"] == RASPAS]
    return np.select(kinds, [tricks, N_CONTRACTS], MISERE + left)


def _codes(column: pa.ChunkedArray, words: tuple[str, ...], missing: int) -> Array:
    """Codes of a column of words, ``missing`` for null."""
    places = pc.index_in(column.cast(pa.string()), pa.array(words))
    return np.asarray(places.fill_null(missing), np.int64)


_AS_THEY_ARE = ("pulka", "deal", "number", "dealer", "n_decisions", "played")
"""Columns without nulls that have the name of their field."""
_OR_ZERO = (
    *("raspas_index", "n_bids", "without_talon", "talon_units", "off_mountain", "concession"),
    *("contra", "refet", "refets_written"),
)
"""Those that may be null, which is 0 in their field."""


def deal_rows(table: pa.Table, game: Game) -> Array:
    """The rows (``DEAL_ROW_DTYPE``) of a deals table: :func:`batch_tables` undone.

    The last whister is not kept: of two whisters he is the later one after the declarer (the refet
    game has none). Nor is what the sheet alone decides (``bomb_level``, ``after_close``,
    ``may_refet``, ``remaining``): writing the rows finds it.
    """
    words = _words_of(game)
    rows = np.zeros(len(table), DEAL_ROW_DTYPE)
    for name in _AS_THEY_ARE:
        rows[name] = table.column(name)
    named = [(name, name) for name in _OR_ZERO]
    for field, name in (*named, ("open_play", "open"), ("dark_level", "dark")):
        rows[field] = table.column(name).cast(pa.int64()).fill_null(0)
    rows["kind"] = _codes(table.column("kind"), words.kinds, 0)
    rows["strain"] = _codes(table.column("strain"), STRAIN_SYMBOLS, 0)
    rows["bid"] = _codes(table.column("bid"), words.bids, -1)
    for name, missing in (("level", 6), ("declarer", -1), ("contra_by", -1)):
        rows[name] = table.column(name).fill_null(missing)
    for i in _PLAYERS:
        rows["decision"][:, i] = _codes(table.column(f"decision_{i}"), words.decisions, NO_DECISION)
        rows["tricks"][:, i] = table.column(f"tricks_{i}").fill_null(0)
        rows["value"][:, i] = table.column(f"value_{i}").fill_null(0)
    rows["last_whister"] = -1
    if not game.has_columns:
        _find_last_whisters(rows, game.players)
    return rows


def _find_last_whisters(rows: Array, n_players: int) -> None:
    every = np.arange(len(rows))
    for step in range(1, n_players):
        player = (rows["declarer"] + step) % n_players
        whisted = rows["decision"][every, player] == WHISTED
        rows["last_whister"] = np.where(whisted, player, rows["last_whister"])


def _chose_no_opening(deals: Array, game: Game) -> Array:
    """Where the column ``open`` has nothing to say: two players, no whist that is open or blind."""
    if not game.has_dummy:
        return np.zeros(len(deals), bool)
    whisted = (deals["decision"] == WHISTED).any(axis=1)
    return ~whisted | (game.checked_ten & (deals["level"] == 10))


def _nulls(names: Iterable[str], schema: pa.Schema, n: int) -> dict[str, pa.Array]:
    return {name: pa.nulls(n, schema.field(name).type) for name in names}


def _fill(arrays: dict[str, Any], rows: Array, schema: pa.Schema) -> pa.Table:
    """The table of these columns, the others taken from the field of their name."""
    for field in schema:
        if field.name not in arrays:
            arrays[field.name] = pa.array(rows[field.name]).cast(field.type)
    return pa.table([arrays[field.name] for field in schema], schema=schema)


def _deals_table(batch: Batch, game: Game, schema: pa.Schema) -> pa.Table:
    """The deals of a batch under ``schema`` (made of ``deal_columns``)."""
    deals, words = batch.deals, _words_of(game)
    all_passed = deals["declarer"] < 0
    no_tricks = deals["kind"] != TRICKS
    unplayed = deals["played"] == 0
    absent = np.ones(len(deals), bool)
    codes = _hand_codes(deals) if game.has_columns else _contract_codes(deals)
    arrays: dict[str, Any] = {
        "kind": _words(deals["kind"], words.kinds, ~absent),
        "contract": _words(codes, words.contracts, ~absent),
        "level": _ints(deals["level"], pa.int8(), no_tricks),
        "strain": _words(deals["strain"], STRAIN_SYMBOLS, no_tricks),
        "declarer": _ints(deals["declarer"], pa.int8(), all_passed),
        "bid": _words(deals["bid"], words.bids, deals["bid"] < 0),
        "concession": _ints(deals["concession"], pa.int8(), deals["concession"] == 0),
        "open": pa.array(deals["open_play"] == 1, mask=_chose_no_opening(deals, game)),
        "dark": _ints(deals["dark_level"], pa.int8()),
    }
    if game.has_columns:
        arrays["contra_by"] = _ints(deals["contra_by"], pa.int8(), deals["contra_by"] < 0)
    for i in _PLAYERS:
        out = absent if i >= game.players else ~absent
        decision = deals["decision"][:, i]
        arrays[f"decision_{i}"] = _words(decision, words.decisions, out | (decision == NO_DECISION))
        arrays[f"tricks_{i}"] = _ints(deals["tricks"][:, i], pa.int8(), out | unplayed)
        arrays[f"value_{i}"] = _ints(deals["value"][:, i], pa.int32(), out)
    if batch.plays is not None:
        arrays["plays"] = pa.array(
            [
                row[:n].tobytes()
                for row, n in zip(batch.plays, deals["n_decisions"].tolist(), strict=True)
            ],
            pa.binary(),
        )
    return _fill(arrays | _nulls(NO_MEANING[game.family], schema, len(deals)), deals, schema)


def _pulkas_table(batch: Batch, game: Game, schema: pa.Schema) -> pa.Table:
    """The pulkas of a batch under ``schema`` (made of ``PULKA_COLUMNS``)."""
    pulkas = batch.pulkas
    absent = np.ones(len(pulkas), bool)
    no_pool = ~absent if game.has_pool else absent
    no_whists = absent if game.has_rows else ~absent
    arrays: dict[str, Any] = {"unfinished": pa.array(pulkas["unfinished"] == 1)}
    for i in _PLAYERS:
        out = absent if i >= game.players else ~absent
        arrays[f"pool_{i}"] = _ints(pulkas["pool"][:, i], pa.int32(), out | no_pool)
        for name in ("mountain", "result"):
            arrays[f"{name}_{i}"] = _ints(pulkas[name][:, i], pa.int32(), out)
        for j in _PLAYERS:
            if i != j:
                pair = out if j < game.players else absent
                values = pulkas["whists"][:, MAX_PLAYERS * i + j]
                arrays[f"whists_{i}_{j}"] = _ints(values, pa.int32(), pair | no_whists)
        arrays[f"refets_{i}"] = _ints(pulkas["refets"][:, i], pa.int16(), out)
    if not game.has_columns:
        arrays |= _nulls(_REFET_COLUMNS, schema, len(pulkas))
    if game.has_rows:
        for k, name in enumerate(_ROW_COLUMNS):
            points = pulkas["row"][:, k]
            arrays[name] = _ints(points, pa.int32(), points < 0)
    else:
        arrays |= _nulls(_ROW_COLUMNS, schema, len(pulkas))
    return _fill(arrays, pulkas, schema)


def batch_tables(
    batch: Batch, game: Game, record_plays: bool, metadata: dict[str, Any]
) -> list[pa.Table]:
    """The deals and the pulkas of a batch, under one metadata."""
    return [
        _deals_table(batch, game, make_schema(deal_columns(record_plays), metadata)),
        _pulkas_table(batch, game, make_schema(PULKA_COLUMNS, metadata)),
    ]
