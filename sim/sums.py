"""The sums over the deals of each pulka of which the figures are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scoring.contract import REFET_CONTRACTS
from scoring.refet import OWN_DUTY, PAIR_DUTY
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


def _values(deals: pa.Table, n_players: int) -> Array:
    return _by_player(deals, "value", n_players) / UNIT


def _costs(deals: pa.Table, n_players: int) -> Array:
    """Whists that change hands in a deal."""
    return np.abs(_values(deals, n_players)).sum(axis=1) / 2


def _seats(deals: pa.Table, n_players: int) -> dict[str, Array]:
    """Deal values from the eldest."""
    values, dealer = _values(deals, n_players), _array(deals, "dealer")
    rows = np.arange(deals.num_rows)
    return {
        f"seat_{seat}": values[rows, (dealer + 1 + seat) % n_players] for seat in range(n_players)
    }


def _pool_deals(deals: pa.Table, n_players: int) -> dict[str, Array]:
    """The columns that are sums over deals, a value a deal, in the pool family."""
    rows = np.arange(deals.num_rows)
    level, played = _array(deals, "level"), _array(deals, "played")
    passed = _is_word(deals, "kind", "raspas")
    raspas = passed & played
    contract = level > 0
    asked = contract & _is_null(deals, "concession")
    cost = _costs(deals, n_players)
    opened = _array(deals, "open")
    chosen = contract & ~_is_null(deals, "open")
    return {
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
        **_seats(deals, n_players),
    }


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


@dataclass(frozen=True)
class _Hands:
    """Deals of the refet game: who declares, what he made and what the defenders took and said."""

    games: Array
    played: Array
    made: Array
    asked: Array
    plain_spades: Array
    tricks: Array
    defence: Array
    comes: Array
    invited: Array
    contra: Array

    @property
    def came(self) -> Array:
        """How many followers came, at betl and preferans both."""
        return self.comes.sum(axis=1)


def _read_hands(deals: pa.Table, n_players: int) -> _Hands:
    games, played = ~_is_null(deals, "declarer"), _array(deals, "played")
    level = _array(deals, "level")
    tricks = _by_player(deals, "tricks", n_players)
    own = tricks[np.arange(deals.num_rows), _array(deals, "declarer")]
    return _Hands(
        games,
        played,
        made=played & np.where(_is_word(deals, "kind", "betl"), own == 0, own >= level),
        asked=level == 6,
        plain_spades=_is_word(deals, "contract", "spades"),
        tricks=tricks,
        defence=tricks.sum(axis=1) - own,
        comes=_calls(deals, "comes", n_players),
        invited=np.asarray(_calls(deals, "invited", n_players).any(axis=1)),
        contra=_array(deals, "contra"),
    )


def _refet_contracts(deals: pa.Table, hands: _Hands) -> dict[str, Array]:
    """Of each contract, from the hand or not: games, played and made ones."""
    out: dict[str, Array] = {}
    for one in REFET_CONTRACTS:
        games = _is_word(deals, "contract", one) | _is_word(deals, "contract", f"game {one}")
        out[f"games_{one}"] = games
        out[f"played_{one}"] = games & hands.played
        out[f"made_{one}"] = games & hands.made
    return out


def _refet_followers(hands: _Hands, game: Game) -> dict[str, Array]:
    """Who comes, and who is short of his duty without contra; one who invites answers for both."""
    came, asked = hands.came, hands.asked
    lone = asked & (came == 1)
    if game.contra_spades:
        lone = lone & ~hands.plain_spades
    for_himself = asked & hands.played & (hands.contra == 0)
    few = hands.defence < PAIR_DUTY
    lacking = (hands.comes & (hands.tricks < OWN_DUTY)).sum(axis=1)
    if not game.own_duty:
        lacking = lacking * (few | (came == 1))
    return {
        "asked": asked,
        "asked_followers": 2 * asked,
        "comes": asked * came,
        "nobody_came": asked & (came == 0),
        "lone": lone,
        "invites": hands.invited,
        "followers": for_himself * came,
        "short": for_himself * np.where(hands.invited, few, lacking),
        "played": asked & hands.played,
        "defence_tricks": asked * hands.defence,
    }


def _refet_deals(deals: pa.Table, game: Game) -> dict[str, Array]:
    """The same in the refet game."""
    hands = _read_hands(deals, game.players)
    cost = _costs(deals, game.players)
    contra, on_refet = hands.contra > 0, hands.games & _array(deals, "refet")
    written = _array(deals, "refets_written")
    return {
        "deals": np.ones(deals.num_rows),
        "passed": ~hands.games,
        "games": hands.games,
        "from_hand": _array(deals, "without_talon"),
        "spades": hands.plain_spades,
        "spades_left": hands.plain_spades & ~hands.played,
        "may_contra": (hands.came > 0) & ~hands.invited,
        "contra": contra,
        "recontra": hands.contra > 1,
        "subcontra": hands.contra > 2,
        "mordcontra": hands.contra > 3,
        "contra_won": contra & ~hands.made,
        "barred": ~hands.games & ~written,
        "on_refet": on_refet,
        "game_cost": cost,
        "refet_cost": cost * on_refet,
        "contra_cost": cost * contra,
        **_refet_contracts(deals, hands),
        **_refet_followers(hands, game),
        **_seats(deals, game.players),
    }


def _per_deal(deals: pa.Table, game: Game) -> dict[str, Array]:
    """The columns that are sums over deals, a value a deal."""
    if game.has_columns:
        return _refet_deals(deals, game)
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
    if game.has_columns:
        return out | _refet_pulkas(pulkas, game)
    return out if game.has_pool else out | _razboinik_pulkas(pulkas, results)


def _refet_pulkas(pulkas: pa.Table, game: Game) -> dict[str, Array]:
    """Of the refet game too: refets written and used, columns below zero."""
    given = _array(pulkas, "refets_given")
    taken = game.takers * given
    columns = _by_player(pulkas, "mountain", game.players)
    return {
        "refets_given": given,
        "refets_taken": taken,
        "refets_used": taken - _by_player(pulkas, "refets", game.players).sum(axis=1),
        "columns": np.full(len(given), game.players),
        "below_zero": (columns < 0).sum(axis=1),
    }


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
