"""The refet game told in text and JSON: contracts and calls, columns, soup, refets, settlement.

Source: Lesnoy, Russian Preferans (the Central-European game).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..contract import RASPAS
from ..deal_result import DealResult, Entries
from ..refet_result import CONTRA_WORDS, contract_word, is_all_or_nothing
from ..result import INVITED, PASSED, WHISTED
from ..settlement import Settlement
from ..tables import format_exact, format_table, number_json
from .words import Words

if TYPE_CHECKING:
    from ..score_sheet import ScoreSheet
    from .keeping import Step

_CALL_KEYS = {WHISTED: "comes", PASSED: "stays", INVITED: "invited"}


def order_text(result: DealResult, words: Words) -> str:
    """``clubs``, ``game betl``, with the language's words."""
    name = words(contract_word(result))
    return words("game", name) if result.without_talon else name


def call_key(result: DealResult, player: int) -> str:
    """The word for an opponent's part: who said contra has the word for how far it went."""
    if player == result.contra_by and result.contra:
        return CONTRA_WORDS[result.contra]
    call = result.decisions[player]
    if call == WHISTED and INVITED in result.decisions.values():
        return "invites"
    return "drawn in" if call == PASSED and result.contra else _CALL_KEYS[call]


def deal_parts(step: Step, result: DealResult, outcome: str, words: Words) -> Iterator[str]:
    """A hand in parts: contract with its ``outcome``, calls with tricks, a refet used."""
    if result.kind == RASPAS:
        yield words("all pass")
        return
    names, tricks = step.names, result.tricks
    stroke = f"/{outcome}" if tricks is not None else ""
    yield f"{names[result.declarer]} {order_text(result, words)}{stroke}"
    for player in result.decisions:
        key = call_key(result, player)
        if is_all_or_nothing(result):
            if player == result.contra_by:
                yield f"{names[player]} {words(key)}"
            continue
        counted = "" if tricks is None or key == "stays" else f" {tricks[player]}"
        yield f"{names[player]} {words(key)}{counted}"
    if tricks is None:
        yield words("unplayed")
    if step.used_refet:
        yield words("refet")


def entries_text(step: Step, entries: Entries, words: Words) -> str:
    """What a hand writes: ``Anna: column -6; Boris: soup on Anna +12``, and of refets."""
    told = []
    for i, name in enumerate(step.names):
        change = entries.columns[i]
        parts = [f"{words('column')} {_signed(change)}"] if change else []
        parts += [
            f"{words('soup')} {step.names[j]} +{format_exact(amount)}"
            for j, amount in enumerate(entries.soup[i])
            if amount
        ]
        if step.used_refet and step.result is not None and i == step.result.declarer:
            parts.append(words("refet crossed"))
        if parts:
            told.append(f"{name}: {', '.join(parts)}")
    if step.gave_refets:
        told.append(words("refet to all"))
    return "; ".join(told)


def sheet_text(shown: ScoreSheet | Step, names: Sequence[str], words: Words) -> str:
    """Contract column, unused refets, and soup by player."""
    on = [f"{words('soup')} {name}" for name in names]
    rows = [[words("player"), words("contract column"), words("refets"), *on]]
    for i, name in enumerate(names):
        soup = ["-" if i == j else format_exact(x) for j, x in enumerate(shown.whists[i])]
        rows.append([name, format_exact(shown.mountain[i]), str(shown.refets[i]), *soup])
    return format_table(rows)


def settlement_rows(
    settlement: Settlement, names: Sequence[str], words: Words
) -> Iterator[list[str]]:
    """What is left of the columns is written off; ten for each point, and soup."""

    def row(title: str, values: Sequence[Fraction]) -> list[str]:
        return [title, *map(format_exact, values)]

    left = sum(settlement.columns, Fraction(0))
    yield ["", *names]
    yield row(words("contract column"), settlement.columns)
    if left:
        yield row(words("written off", format_exact(left)), settlement.written_off)
        yield row(words("lowered"), settlement.lowered)
    yield row(words("reversed"), [-x for x in settlement.lowered])
    yield row(words("tenfold"), settlement.tenfold)
    yield row(words("soup for"), settlement.soup_for)
    yield row(words("soup against"), [-x for x in settlement.soup_against])
    yield row(words("result"), settlement.result)


def terms_text(settlement: Settlement, player: int) -> str:
    """A player's result as a sum: ``80+12-60 = +32``."""
    first, *others = settlement.terms(player)
    added = "".join(map(_signed, others))
    return f"{format_exact(first)}{added} = {_signed(settlement.result[player])}"


def _signed(x: Fraction) -> str:
    return f"{'+' if x > 0 else ''}{format_exact(x)}"


def terms_lines(settlement: Settlement, names: Sequence[str]) -> list[str]:
    """Each player's result as a sum."""
    return [f"{name}: {terms_text(settlement, i)}" for i, name in enumerate(names)]


# JSON


def _numbers(values: Sequence[Fraction]) -> list[int | str]:
    return list(map(number_json, values))


def _matrix(rows: Sequence[Sequence[Fraction]]) -> list[list[int | str]]:
    return [_numbers(row) for row in rows]


def sheet_json(shown: ScoreSheet | Step) -> dict[str, Any]:
    """Columns and unused refets by player, soup of player i on player j."""
    return {
        "columns": _numbers(shown.mountain),
        "soup": _matrix(shown.whists),
        "refets": list(shown.refets),
        "refets_given": shown.refets_given,
    }


def writes_json(step: Step, entries: Entries) -> dict[str, Any]:
    """What a hand writes, and whether it gave a refet to all."""
    return {
        "columns": _numbers(entries.columns),
        "soup": _matrix(entries.soup),
        "refet_to_all": step.gave_refets,
    }


def deal_json(step: Step, result: DealResult, outcome: str) -> dict[str, Any]:
    """A hand; null where nobody declares or no card is played."""
    passed = result.kind == RASPAS
    return {
        "kind": "all_pass" if passed else "contract",
        "dealer": step.names[result.dealer],
        "declarer": None if passed else step.names[result.declarer],
        "contract": None if passed else contract_word(result),
        "from_hand": None if passed else result.without_talon,
        "result": None if result.tricks is None else outcome,
        "calls": {step.names[p]: _CALL_KEYS[call] for p, call in result.decisions.items()},
        "contra": result.contra,
        "contra_by": step.names[result.contra_by] if result.contra else None,
        "refet": step.used_refet,
        "tricks": None if result.tricks is None else list(result.tricks),
    }


def settlement_json(settlement: Settlement) -> dict[str, Any]:
    """The arithmetic of the settlement."""
    players = range(len(settlement.result))
    return {
        "columns_sum": number_json(sum(settlement.columns, Fraction(0))),
        "written_off": _numbers(settlement.written_off),
        "lowered_columns": _numbers(settlement.lowered),
        "tenfold": _numbers(settlement.tenfold),
        "soup_for": _numbers(settlement.soup_for),
        "soup_against": _numbers(settlement.soup_against),
        "terms": [_numbers(settlement.terms(i)) for i in players],
        "result": _numbers(settlement.result),
    }
