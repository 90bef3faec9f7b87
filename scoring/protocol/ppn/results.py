"""The tags Result and Place of a game in PPN against what its deals give.

The notation does not define them. In its samples the results fall from Result1 to Result3, so they
are those of Place1 to Place3; without places they are the players'. A result is the running score,
soup written less soup against less ten times the column, which in the end is the settlement.
Sources: Portable Preferans Notation; Prefko rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ...errors import quoted
from ...refet import POINT_WHISTS
from ...score_sheet import ScoreSheet
from ...tables import format_exact
from ..keeping import Pulka
from ..reading import ProtocolError
from .model import SEATS, PpnGame, told

_PLAYERS = range(SEATS)
_RESULT = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)

Amounts = Sequence[int | Fraction]


def running_score(sheet: ScoreSheet) -> list[Fraction]:
    """Soup for less soup against less ten columns; no column is lowered (Prefko rules)."""
    soup = sheet.soup
    return [
        sum((soup[i][j] - soup[j][i] for j in range(sheet.n)), -POINT_WHISTS * sheet.columns[i])
        for i in range(sheet.n)
    ]


def check_results(game: PpnGame, pulka: Pulka) -> list[str]:
    """The slips of results and places. ProtocolError for a tag that is none."""
    results = [_result(game, f"Result{k + 1}") for k in _PLAYERS]
    places = _places(game, pulka.names)
    slips = list(_check_places(places))
    if game.is_excerpt:
        scores = _scores_of_players(results)
    else:
        scores = running_score(pulka.sheet)
        slips += _check_amounts(results, places, scores, pulka.sheet.settle())
    return slips + list(_check_ranking(places, scores))


def _scores_of_players(results: Sequence[int | None]) -> Amounts:
    """Results that must be the players', since they do not fall from place to place; else none."""
    found = [x for x in results if x is not None]
    return [] if len(found) < SEATS or found == sorted(found, reverse=True) else found


def _result(game: PpnGame, tag: str) -> int | None:
    text = game.tags.get(tag)
    if text is not None and not _RESULT.fullmatch(text):
        raise ProtocolError(f"{game.where}: {tag} = {quoted(text)} must be a whole number")
    return None if text is None else int(text)


def _places(game: PpnGame, names: Sequence[str]) -> list[int | None]:
    """The players of the places, by their id (in the older form by their name). ProtocolError."""
    found: list[int | None] = []
    for k in _PLAYERS:
        text = game.tags.get(f"Place{k + 1}")
        if text is None:
            found.append(None)
        elif text in ("1", "2", "3"):
            found.append(int(text) - 1)
        elif text in names:
            found.append(names.index(text))
        else:
            raise ProtocolError(
                f"{game.where}: Place{k + 1} = {quoted(text)} is no player: 1, 2, 3, or "
                f"{', '.join(names)}"
            )
    return found


def _check_places(places: Sequence[int | None]) -> Iterator[str]:
    for k, player in enumerate(places):
        if player is not None and player in places[:k]:
            first = places.index(player) + 1
            yield f"Place{k + 1} is {told(player)}, who has Place{first}"


def _check_amounts(
    results: Sequence[int | None],
    places: Sequence[int | None],
    running: Amounts,
    settled: Amounts,
) -> list[str]:
    """The results against the reading of them that fits best: whose, and which score."""
    seats = [list(_PLAYERS)]
    if None not in places:
        seats.insert(0, [place for place in places if place is not None])
    readings = [
        [(k, player, score[player]) for k, player in enumerate(order) if results[k] is not None]
        for order in seats
        for score in (running, settled)
    ]
    wrong = [[one for one in reading if results[one[0]] != one[2]] for reading in readings]
    best = min(wrong, key=len)
    return [
        f"Result{k + 1} is {results[k]}, by the deals {format_exact(Fraction(right))} "
        f"({told(player)})"
        for k, player, right in best
    ]


def _check_ranking(places: Sequence[int | None], scores: Amounts) -> Iterator[str]:
    """Whether nobody is placed after one whom he outscored."""
    order = [place for place in places if place is not None]
    if len(set(order)) < SEATS or not scores:
        return
    for k in (1, 2):
        before, after = order[k - 1], order[k]
        if scores[before] < scores[after]:
            yield (
                f"Place{k} is {told(before)} with {format_exact(Fraction(scores[before]))}, "
                f"Place{k + 1} {told(after)} with {format_exact(Fraction(scores[after]))}"
            )
