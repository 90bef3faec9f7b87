"""Arrays of results scored at once: what deals write, what they are worth, whole pulkas."""

from __future__ import annotations

from typing import Any

import numpy as np

from .deal_score import score_deal
from .kernel import as_array, make_records, outline, to_records
from .result import MAX_PLAYERS
from .sheet import (
    ENTRY_DTYPE,
    RESULT_DTYPE,
    SHEET_DTYPE,
    call_time,
    clear_sheet,
    copy_sheet,
    is_over,
    settle,
    spend_time,
    write_deal,
    write_entries,
)

Array = np.ndarray[Any, Any]


def to_results(rows: Array) -> Array:
    """The results (``RESULT_DTYPE``) in rows that have their fields among others."""
    results = np.zeros(len(rows), RESULT_DTYPE)
    for name in RESULT_DTYPE.names or ():
        results[name] = rows[name]
    return results


@outline
def _score_all(rules: Any, results: Any, entries: Any) -> None:
    for k in range(len(results)):
        score_deal(rules[0], results[k], entries[k])


def score_results(rules: Array, results: Array) -> Array:
    """What each deal writes: n rows of ``ENTRY_DTYPE``, twelfths of a point or whist.

    ``rules`` is one row of ``RULES_DTYPE``, ``results`` n rows of ``RESULT_DTYPE`` with all fields
    filled in.
    """
    entries = make_records(ENTRY_DTYPE, len(results))
    _score_all(to_records(rules), to_records(results), entries)
    return as_array(entries, ENTRY_DTYPE)


@outline
def _value_all(rules: Any, results: Any, sheets: Any, entries: Any, values: Any) -> None:
    for k in range(len(results)):
        clear_sheet(rules[0], sheets[0])
        score_deal(rules[0], results[k], entries[0])
        write_entries(rules[0], sheets[0], entries[0], results[k].dealer)
        settle(rules[0], sheets[0], values[k])


def value_results(rules: Array, results: Array) -> Array:
    """Deal values on an empty sheet: int64 (n, 4), twelfths of a whist by player.

    Arguments as for :func:`score_results`.
    """
    values = np.zeros((len(results), MAX_PLAYERS), np.int64)
    _value_all(
        to_records(rules),
        to_records(results),
        make_records(SHEET_DTYPE, 1),
        make_records(ENTRY_DTYPE, 1),
        values,
    )
    return values


@outline
def _value_all_on(
    rules: Any, results: Any, starts: Any, sheets: Any, entries: Any, values: Any
) -> None:
    before = (0, 0, 0, 0)
    for k in range(len(results)):
        copy_sheet(starts[k], sheets[0])
        settle(rules[0], sheets[0], values[k])
        before = (values[k, 0], values[k, 1], values[k, 2], values[k, 3])
        write_deal(rules[0], sheets[0], results[k], entries[0])
        settle(rules[0], sheets[0], values[k])
        for i in range(MAX_PLAYERS):
            values[k, i] -= before[i]


def value_on_sheets(rules: Array, results: Array, starts: Array) -> Array:
    """Deal values like those of :func:`value_results`, each on the sheet before it.

    ``starts`` is n rows of ``SHEET_DTYPE``.
    """
    values = np.zeros((len(results), MAX_PLAYERS), np.int64)
    _value_all_on(
        to_records(rules),
        to_records(results),
        to_records(starts),
        make_records(SHEET_DTYPE, 1),
        make_records(ENTRY_DTYPE, 1),
        values,
    )
    return values


def empty_sheet(rules: Array) -> Array:
    """The sheet before the first deal, one row of ``SHEET_DTYPE``."""
    sheets = make_records(SHEET_DTYPE, 1)
    clear_sheet(to_records(rules)[0], sheets[0])
    return np.array(as_array(sheets, SHEET_DTYPE))


@outline
def _write_pulkas(
    rules: Any,
    results: Any,
    ends: Any,
    time_after: int,
    sheets: Any,
    entries: Any,
    values: Any,
    ended: Any,
) -> None:
    first = 0
    balance = np.zeros(MAX_PLAYERS, np.int64)
    for p in range(len(ends)):
        sheet = sheets[p]
        clear_sheet(rules[0], sheet)
        settle(rules[0], sheet, balance)
        for k in range(first, ends[p]):
            if sheet.n_deals == time_after and time_after > 0:
                call_time(rules[0], sheet)
                if is_over(rules[0], sheet):
                    ended[p] = 1
                    break
            write_deal(rules[0], sheet, results[k], entries[0])
            if time_after == 0:
                spend_time(rules[0], sheet, results[k])
            settle(rules[0], sheet, values[k])
            for i in range(MAX_PLAYERS):
                after = values[k, i]
                values[k, i] -= balance[i]
                balance[i] = after
            if is_over(rules[0], sheet):
                ended[p] = 1
                break
        if ended[p] == 0 and sheet.n_deals == time_after and time_after > 0:
            call_time(rules[0], sheet)
            ended[p] = 1 if is_over(rules[0], sheet) else 0
        first = ends[p]


def write_pulkas(
    rules: Array, results: Array, ends: Array, time_after: int = 0
) -> tuple[Array, Array, Array]:
    """Sequences of results written as pulkas, each until it ends by the rules or runs out.

    ``ends[p]`` (int64) is the row after pulka p's last result; time is called after ``time_after``
    deals (0: by the clock of the variant, ``end.minutes``). Returns the deal values, int64
    (n, 4) in twelfths of a whist (zero for deals that were not needed); the last sheets, rows of
    ``SHEET_DTYPE`` whose ``n_deals`` counts the deals written; and whether each pulka ended. What
    the sheet decides in a result, such as ``raspas_index``, is filled in.
    """
    values = np.zeros((len(results), MAX_PLAYERS), np.int64)
    ended = np.zeros(len(ends), np.int64)
    sheets = make_records(SHEET_DTYPE, len(ends))
    rows = to_records(results)
    _write_pulkas(
        to_records(rules),
        rows,
        ends,
        time_after,
        sheets,
        make_records(ENTRY_DTYPE, 1),
        values,
        ended,
    )
    if rows is not results:
        results[:] = as_array(rows, results.dtype)
    return values, as_array(sheets, SHEET_DTYPE), ended == 1
