"""The sums over the deals of each pulka of which the figures are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scoring.result import MAX_PLAYERS, TWO_PLAYERS, UNIT

from .game import Game
from .metrics import GAMES, LEVELS, columns_of

Array = np.ndarray[Any, np.dtype[Any]]


def _array(table: pa.Table, name: str) -> Array:
    """A numeric column with nulls as zeros."""
    column = table.column(name)
    if column.null_count:
        column = pc.fill_null(column, False if pa.types.is_boolean(column.type) else 0)
    return np.asarray(column)


def _is_null(table: pa.Table, name: str) -> Array:
    return np.asarray(pc.is_null(table.column(name)))


def _is_word(table: pa.Table, name: str, word: str) -> Array:
    """Where a column of words holds ``word``."""
    column = table.column(name).unify_dictionaries().combine_chunks()
    words = column.dictionary.to_pylist()
    if word not in words:
        return np.zeros(len(column), bool)
    return np.asarray(pc.fill_null(column.indices, -1)) == words.index(word)


def _by_player(table: pa.Table, stem: str, n_players: int) -> Array:
    return np.column_stack([_array(table, f"{stem}_{i}") for i in range(n_players)])


def _calls(deals: pa.Table, word: str, n_players: int) -> Array:
    """Where a player's call was ``word``: booleans (deals, players)."""
    return np.column_stack([_is_word(deals, f"decision_{i}", word) for i in range(n_players)])


def _whists(deals: pa.Table, n_players: int, asked: Array) -> dict[str, Array]:
    """The columns of whists, ``asked`` where the defenders were to call; a sitting dealer's
    whist counts apart."""
    whists = _calls(deals, "whist", n_players)
    by_dealer = whists[np.arange(deals.num_rows), _array(deals, "dealer")]
    by_defenders = whists.sum(axis=1)
    out = {
        "defenders": min(2, n_players - 1) * asked,
        "whists": by_defenders,
        "halves": _calls(deals, "half", n_players).sum(axis=1),
    }
    if n_players == MAX_PLAYERS:
        out["whists"] = by_defenders - by_dealer
        out["dealer_whists"] = by_dealer
        out["left"] = asked & (out["whists"] == 0)
    return out


def _outcomes(deals: pa.Table, n_players: int) -> dict[str, Array]:
    """Of each level and of misère: games, made and failed ones, the declarer's tricks."""
    level, played = _array(deals, "level"), _array(deals, "played")
    misere = _is_word(deals, "kind", "misere")
    conceded = ~_is_null(deals, "concession")
    declarer = _array(deals, "declarer")
    tricks = _by_player(deals, "tricks", n_players)[np.arange(deals.num_rows), declarer]
    out = {
        "games_misere": misere,
        "made_misere": misere & (tricks == 0),
        "failed_misere": misere & (tricks > 0),
        "tricks_misere": misere * tricks,
    }
    for one in LEVELS:
        games = level == one
        failed = games & (conceded | (played & (tricks < one)))
        out[f"games_{one}"] = games
        out[f"failed_{one}"] = failed
        out[f"made_{one}"] = games & ~failed
        out[f"played_{one}"] = games & played
        out[f"tricks_{one}"] = (games & played) * tricks
    return out


def _pool_deals(deals: pa.Table, n_players: int) -> dict[str, Array]:
    """The columns that are sums over deals, a value a deal, in the pool family."""
    rows = np.arange(deals.num_rows)
    level, played = _array(deals, "level"), _array(deals, "played")
    passed = _is_word(deals, "kind", "raspas")
    raspas = passed & played
    contract = level > 0
    asked = contract & _is_null(deals, "concession")
    values = _by_player(deals, "value", n_players) / UNIT
    cost = np.abs(values).sum(axis=1) / 2
    opened = _array(deals, "open")
    chosen = contract & ~_is_null(deals, "open")
    out: dict[str, Array] = {
        "deals": np.ones(len(rows)),
        "raspas": raspas,
        "thrown_in": passed & ~raspas,
        "games": ~passed,
        "contracts": asked,
        "without_talon": _array(deals, "without_talon"),
        "whisted": contract & played,
        "opened": contract & opened,
        "chosen": chosen,
        "blind": chosen & ~opened,
        "raspas_cost": cost * raspas,
        "game_cost": cost * ~passed,
        **_whists(deals, n_players, asked),
    }
    dealer = _array(deals, "dealer")
    for seat in range(n_players):
        out[f"seat_{seat}"] = values[rows, (dealer + 1 + seat) % n_players]
    return out


def _razboinik_deals(deals: pa.Table, games: dict[str, Array]) -> dict[str, Array]:
    """The same in razboinik, where a deal costs its declarer the points of its row; ``games`` are
    the outcomes."""
    declarer = _array(deals, "declarer")
    values = _by_player(deals, "value", TWO_PLAYERS) / UNIT
    points = -values[np.arange(deals.num_rows), declarer]
    turn = _array(deals, "deal").astype(np.int64) // TWO_PLAYERS + 1
    out: dict[str, Array] = {}
    for one in GAMES:
        out[f"points_{one}"] = games[f"games_{one}"] * points
        out[f"turn_{one}"] = games[f"games_{one}"] * turn
    return out


def _per_deal(deals: pa.Table, game: Game) -> dict[str, Array]:
    """The columns that are sums over deals, a value a deal."""
    games = _outcomes(deals, game.players)
    if game.has_pool:
        return games | _pool_deals(deals, game.players)
    return games | _razboinik_deals(deals, games)


def _per_pulka(pulkas: pa.Table, game: Game) -> dict[str, Array]:
    """The columns that have a value a pulka."""
    results = _by_player(pulkas, "result", game.players) / UNIT
    out = {
        "pulkas": np.ones(len(results)),
        "unfinished": _array(pulkas, "unfinished"),
        "result_square": (results**2).mean(axis=1),
        **{f"result_{i}": results[:, i] for i in range(game.players)},
    }
    return out if game.has_pool else out | _razboinik_pulkas(pulkas, results)


def _razboinik_pulkas(pulkas: pa.Table, results: Array) -> dict[str, Array]:
    """Of razboinik too: points, who won, and by how much."""
    lost = _by_player(pulkas, "mountain", TWO_PLAYERS) / UNIT
    out = {"margin": np.abs(results[:, 0]), "drawn": results[:, 0] == 0}
    for i in range(TWO_PLAYERS):
        out[f"lost_{i}"] = lost[:, i]
        out[f"won_{i}"] = results[:, i] > 0
    return out


def pulka_sums(deals: pa.Table, pulkas: pa.Table, game: Game) -> Array:
    """The sums of ``columns_of(game)`` for each pulka: float64 (pulkas, columns), in whists,
    points and counts."""
    first = _array(pulkas, "pulka")
    place = np.searchsorted(first, _array(deals, "pulka"))
    per_deal, per_pulka = _per_deal(deals, game), _per_pulka(pulkas, game)
    columns: list[Array] = []
    for name in columns_of(game):
        if name in per_pulka:
            column = per_pulka[name]
        else:
            column = np.bincount(place, per_deal[name], len(first))
        columns.append(np.asarray(column, np.float64))
    return np.column_stack(columns)
