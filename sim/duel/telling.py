"""A duel and a tournament told in text."""

from __future__ import annotations

from scoring.tables import format_table

from ..analysis import Estimate
from ..report import format_target
from .match import Match
from .results import PairTally, Results
from .seatings import A


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def format_whists(estimate: Estimate) -> str:
    """``1.23 [1.10, 1.36]``, to the digits that the interval bears; a dash for nothing."""
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    half = (estimate.high - estimate.low) / 2
    digits = 1 if half >= 1 else 2 if half >= 0.1 or half == 0 else 3
    value, low, high = (x + 0.0 for x in (estimate.value, estimate.low, estimate.high))
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _game(match: Match, results: Results) -> str:
    sheet = "" if match.start is None else f", from the sheet of {match.start.where}"
    return (
        f"{format_target(match.variant, match.pool)}, {match.players} players, seed {match.seed}"
        f"{sheet}: {_count(results.n, 'base deal')} in {_count(len(match.seatings), 'seating')}"
    )


def _end(results: Results) -> str:
    """Whether the half-width that was asked for has been reached, if one was."""
    if results.until is None:
        return ""
    reached = "reached" if results.is_narrow() else "not reached"
    return f"half-width {results.until:g}: {reached} after {_count(results.n, 'base deal')}\n"


def _question(tally: PairTally, lone: int) -> str:
    names = " ".join(one.name for one in tally.seatings if one.lone == lone)
    who = "A among B's" if lone == A else "B among A's"
    return f"A - B, {who} ({names})"


def _parts(results: Results, tally: PairTally) -> str:
    """Where tables differ first, with what this is worth; parts that never happened left out."""
    rows = [["decided otherwise first in", "share", "A - B, whists"]]
    for k, name in enumerate(results.match.parts):
        if tally.parted[k]:
            share = f"{100 * tally.share(tally.parted[k]):.2f}%"
            rows.append([name, share, format_whists(tally.part(k))])
    rows.append(["nothing", f"{100 * tally.share(tally.alike):.2f}%", "0"])
    rows.append(["in all", "100.00%", format_whists(tally.difference)])
    return format_table(rows)


def duel_text(results: Results) -> str:
    """A duel: the difference, what it is made of, and how far it can be trusted."""
    match, tally = results.match, results.pairs[0]
    rows = [
        ["95 % intervals by base deal", "whists a deal"],
        ["A - B", format_whists(tally.difference)],
    ]
    lone = dict.fromkeys(one.lone for one in match.seatings)
    if len(lone) > 1:
        rows += [
            [_question(tally, k), format_whists(tally.estimate(tally.question(k)))] for k in lone
        ]
    rows.append(["SD of a base deal", f"{tally.sd(PairTally.WHOLE):.2f}"])
    return (
        f"A {match.bots[0].name}, B {match.bots[1].name}\n{_game(match, results)}\n"
        f"{_end(results)}\n{format_table(rows)}\n\n{_parts(results, tally)}"
    )


def tournament_text(results: Results) -> str:
    """A tournament: the bots from the best to the worst, each against the others."""
    match, names, order = results.match, results.names(), results.ranking()
    rows = [["row - column, whists", "mean", *(names[one] for one in order)]]
    for place, one in enumerate(order, 1):
        cells = ["-" if one == x else format_whists(results.between(one, x)) for x in order]
        rows.append([f"{place}. {names[one]}", format_whists(results.bots.estimate(one)), *cells])
    return (
        f"{_count(len(names), 'bot')}, {_count(len(match.pairs), 'pair')}\n"
        f"{_game(match, results)}\n{_end(results)}\n{format_table(rows)}"
    )
