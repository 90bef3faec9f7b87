"""A kept pulka told in text or JSON: deals, the sheet, the settlement with its arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ..contract import KINDS, MISERE_GAME, NO_TRUMP, RASPAS, STRAIN_SYMBOLS
from ..result import DECISIONS, HALF_WHISTED, MAX_PLAYERS, PASSED, TWO_PLAYERS, WHISTED
from ..score_sheet import DealResult, Entries
from ..settlement import Settlement
from ..tables import format_exact, format_table, number_json
from . import refet_telling, row_telling
from .keeping import CORRECTION, DEAL, JOIN, MISRECORD, Pulka, Step
from .money import payments, to_money
from .words import Words

_CALL_KEYS = {WHISTED: "whist", PASSED: "pass", HALF_WHISTED: "half"}


def format_result(result: DealResult) -> str:
    """``=``, ``-1``, ``+1``: the notation of tournament sheets (Code of Preferans 4.2.11)."""
    if result.concession:
        return f"-{result.concession}"
    if result.tricks is None:
        return "="
    taken = result.tricks[result.declarer]
    over = -taken if result.kind == MISERE_GAME else taken - result.level
    return "=" if over == 0 else f"{over:+d}"


def format_order(result: DealResult, words: Words) -> str:
    """``6♣``, ``misere``, with the language's words."""
    name = words("misere")
    if result.kind != MISERE_GAME:
        symbols = (*STRAIN_SYMBOLS[:NO_TRUMP], words("no trump"), "")
        name = f"{result.level}{symbols[result.strain]}"
    return words("without talon", name) if result.without_talon else name


def _call_key(step: Step, result: DealResult, call: int) -> str:
    """The word of a call; of two players with how the whister plays."""
    if call == WHISTED and len(step.names) == TWO_PLAYERS:
        return "whist open" if result.open_play else "whist blind"
    return _CALL_KEYS[call]


def _contract_parts(step: Step, result: DealResult, words: Words) -> Iterator[str]:
    names, tricks = step.names, result.tricks
    yield f"{names[result.declarer]} {format_order(result, words)}/{format_result(result)}"
    for player, call in result.decisions.items():
        counted = f" {tricks[player]}" if call == WHISTED and tricks is not None else ""
        yield f"{names[player]} {words(_call_key(step, result, call))}{counted}"
    if result.concession:
        yield words("conceded", result.concession)
    elif tricks is None:
        yield words("unplayed")
    if result.open_play and result.kind != MISERE_GAME and len(names) != TWO_PLAYERS:
        yield words("open")
    if result.talon_units:
        yield words("talon", result.talon_units)
    if result.off_mountain:
        yield words("off mountain")


def _raspas_parts(step: Step, result: DealResult, words: Words) -> Iterator[str]:
    if result.tricks is None:
        yield words("thrown in")
        return
    yield words("raspas in a row", step.raspas_index + 1)
    for player, taken in enumerate(result.tricks):
        if len(step.names) < MAX_PLAYERS or player != result.dealer or taken:
            yield f"{step.names[player]} {taken}"
    if result.dark_pass:
        yield words("dark")


def _event(step: Step, words: Words) -> str:
    if step.kind == JOIN:
        return words("join", step.names[step.player])
    if step.kind not in (MISRECORD, CORRECTION):
        return words(step.kind)
    column = words("whists alone") if step.on >= 0 else words(step.column)
    if step.on >= 0:
        column = f"{words('whists')} {step.names[step.on]}"
    told = words(
        step.kind, player=step.names[step.player], amount=f"{step.amount:+d}", column=column
    )
    if step.correction is None:
        return told
    fine = step.correction
    if fine.penalty == 0:
        return f"{told}; {words('warning')}"
    if fine.by < 0:
        return f"{told}; {words('penalty on mountain', amount=fine.penalty)}"
    by = step.names[fine.by]
    return f"{told}; {words('penalty in whists', by=by, amount=fine.penalty)}"


def describe(step: Step, words: Words) -> str:
    """An entry in one line."""
    told = _event(step, words) if step.kind != DEAL else ""
    if step.result is not None:
        told = ", ".join(_deal_parts(step, step.result, words))
        told += f" ({words('dealer', step.names[step.result.dealer])})"
    return f"{told} [{step.note}]" if step.note else told


def _deal_parts(step: Step, result: DealResult, words: Words) -> Iterator[str]:
    if step.refets:
        return refet_telling.deal_parts(step, result, format_result(result), words)
    parts = _raspas_parts if result.kind == RASPAS else _contract_parts
    return parts(step, result, words)


def describe_entries(step: Step, entries: Entries, words: Words) -> str:
    """What a deal writes before help: ``Anna: pool +4; Boris: whists on Anna +12``."""
    names = step.names
    if step.rows:
        written = zip(names, entries.mountain, strict=True)
        return "; ".join(f"{name}: -{format_exact(x)}" for name, x in written if x)
    if step.refets:
        return refet_telling.entries_text(step, entries, words)
    told = []
    for i, name in enumerate(names):
        parts = [
            f"{words(key)} {'+' if amount > 0 else ''}{format_exact(amount)}"
            for key, amount in (("pool", entries.pool[i]), ("mountain", entries.mountain[i]))
            if amount
        ]
        parts += [
            f"{words('whists')} {names[j]} +{format_exact(amount)}"
            for j, amount in enumerate(entries.whists[i])
            if amount
        ]
        if parts:
            told.append(f"{name}: {', '.join(parts)}")
    return "; ".join(told)


def told_by_name(names: Sequence[str], values: Sequence[Fraction]) -> str:
    """An amount of each player: ``Anna 12, Boris -4, Vera -8``."""
    return ", ".join(f"{name} {format_exact(x)}" for name, x in zip(names, values, strict=True))


def sheet_table(pulka: Pulka, step: Pulka | Step, words: Words) -> str:
    """Pool, mountain and whists by player, now or after a step; of razboinik its table."""
    names = step.names
    shown = step.sheet if isinstance(step, Pulka) else step
    variant = pulka.protocol.variant
    if not variant.has_target:
        return row_telling.rows_text(variant, shown.rows, names, words)
    if variant.has_columns:
        return refet_telling.sheet_text(shown, names, words)
    on = [f"{words('whists')} {name}" for name in names]
    rows = [[words("player"), words("pool"), words("mountain"), *on]]
    for i, name in enumerate(names):
        whists = ["-" if i == j else format_exact(x) for j, x in enumerate(shown.whists[i])]
        rows.append([name, *map(format_exact, (shown.pool[i], shown.mountain[i])), *whists])
    return format_table(rows)


def _settlement_rows(pulka: Pulka, settlement: Settlement, words: Words) -> Iterator[list[str]]:
    sheet = pulka.sheet

    def row(title: str, values: Sequence[Fraction]) -> list[str]:
        return [title, *map(format_exact, values)]

    yield ["", *pulka.names]
    yield row(words("pool"), sheet.pool)
    yield row(words("mountain"), sheet.mountain)
    carried = [a - b for a, b in zip(settlement.carried, sheet.mountain, strict=True)]
    if any(carried):
        yield row(words("carried", format_exact(sheet.pool_weight)), carried)
        yield row(words("carried mountain"), settlement.carried)
    yield row(words("amnestied"), settlement.amnestied)
    if any(settlement.moved):
        yield row(words("moved"), settlement.moved)
    yield row(words("share"), settlement.share)
    yield [words("first way"), *[""] * len(pulka.names)]
    for j, name in enumerate(pulka.names):
        cells = [
            "-" if i == j else format_exact(line[j]) for i, line in enumerate(settlement.pairs)
        ]
        yield ["  " + words("against", name), *cells]
    yield row("  =", settlement.first_way)
    yield [words("second way"), *[""] * len(pulka.names)]
    mean = format_exact(settlement.mean)
    yield row("  " + words("mountain part", mean), settlement.mountain_part)
    yield row("  " + words("whist part"), settlement.whist_part)
    yield row("  =", settlement.second_way)
    yield row(words("result"), settlement.result)


def money_of(pulka: Pulka) -> list[Any] | None:
    """Money by player in the protocol's stake, or None without one."""
    stake = pulka.protocol.stake
    return None if stake is None else to_money(pulka.sheet.settle(), stake)


def payment_lines(pulka: Pulka, words: Words) -> list[str]:
    """Who pays whom: money where there is a stake, else whists."""
    money = money_of(pulka)
    currency = f" {pulka.protocol.currency}".rstrip()
    format_amount: Callable[[Any], str]
    if money is None:
        paid: list[Any] = payments(pulka.sheet.settle())

        def format_amount(amount: Any) -> str:
            unit = "whist unit" if pulka.protocol.variant.has_target else "point unit"
            return words(unit, format_exact(amount))
    else:
        paid = payments(money)

        def format_amount(amount: Any) -> str:
            return f"{amount:.2f}{currency}"

    lines = [
        words("pays", pulka.names[payer], pulka.names[payee], format_amount(amount))
        for payer, payee, amount in paid
    ]
    return lines or [words("nobody pays")]


def settlement_text(pulka: Pulka, words: Words) -> str:
    """The settlement with its arithmetic, money, and who pays whom."""
    settlement = pulka.sheet.settlement()
    variant = pulka.protocol.variant
    if variant.has_columns:
        rows = list(refet_telling.settlement_rows(settlement, pulka.names, words))
    elif variant.has_pool:
        rows = list(_settlement_rows(pulka, settlement, words))
    else:
        rows = list(row_telling.settlement_rows(settlement, pulka.names, words))
    money = money_of(pulka)
    if money is not None:
        title = words(
            "money" if variant.has_target else "money a point", pulka.protocol.stake_text()
        )
        rows.append([title, *(f"{x:.2f}" for x in money)])
    lines = [f"  {line}" for line in payment_lines(pulka, words)]
    told = [format_table(rows), ""]
    if variant.has_columns:
        told += [*refet_telling.terms_lines(settlement, pulka.names), ""]
    if not variant.has_target:
        told += [row_telling.winner_line(settlement, pulka.names, words), ""]
    return "\n".join([*told, words("payments"), *lines])


def heading(pulka: Pulka, words: Words, language: str) -> str:
    """Title, variant, target and number of deals."""
    variant = pulka.protocol.variant
    title = variant.title_ru if language == "ru" else variant.title
    target = {
        "each": words("to", pulka.sheet.target),
        "time": words("by time"),
        "time_and_close": words("to by time", pulka.sheet.target),
    }.get(variant.conventions["end.when"], words("together", pulka.sheet.total))
    if variant.has_columns:
        target = words("from", pulka.sheet.target)
    played = f"{title} {target}" if variant.has_target else title
    parts = [played, words("deals", len(pulka.deals())), state(pulka, words)]
    return ", ".join([pulka.protocol.title, *parts] if pulka.protocol.title else parts)


def state(pulka: Pulka, words: Words) -> str:
    """Whether the pulka is over, was stopped, or goes on."""
    if pulka.is_over:
        return words("over")
    return words("stopped" if pulka.stopped else "running")


def deal_values(pulka: Pulka) -> list[list[Fraction]]:
    """What each step changed in the settlement, by player (zero where a player joined)."""
    before = [Fraction(0)] * len(pulka.protocol.players)
    values = []
    for step in pulka.steps:
        joined = len(step.balance) != len(before)
        values.append(
            [Fraction(0)] * len(step.balance)
            if joined
            else [a - b for a, b in zip(step.balance, before, strict=True)]
        )
        before = step.balance
    return values


def every_deal_text(pulka: Pulka, words: Words) -> str:
    """Each entry with what it wrote, its value, and the sheet after it."""
    blocks = []
    for step, value in zip(pulka.steps, deal_values(pulka), strict=True):
        lines = [f"{step.number}. {describe(step, words)}"]
        if step.entries is not None:
            lines.append("   " + (describe_entries(step, step.entries, words) or "-"))
        lines.append(f"   {words('value')}: {told_by_name(step.names, value)}")
        lines += ["   " + line for line in sheet_table(pulka, step, words).splitlines()]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def pulka_text(pulka: Pulka, language: str = "en", every_deal: bool = False) -> str:
    """The whole report of ``preferans score``."""
    words = Words(language)
    blocks = [heading(pulka, words, language)]
    if every_deal and pulka.steps:
        blocks.append(every_deal_text(pulka, words))
    blocks.append(f"{words('sheet')}\n{sheet_table(pulka, pulka, words)}")
    blocks.append(f"{words('settlement')}\n{settlement_text(pulka, words)}")
    return "\n\n".join(blocks)


def _numbers(values: Sequence[Fraction]) -> list[int | str]:
    return list(map(number_json, values))


def _matrix(rows: Sequence[Sequence[Fraction]]) -> list[list[Any]]:
    return [_numbers(row) for row in rows]


def _sheet_json(step_or_sheet: Any) -> dict[str, Any]:
    if step_or_sheet.rows:
        return row_telling.rows_json(step_or_sheet.rows)
    if step_or_sheet.refets:
        return refet_telling.sheet_json(step_or_sheet)
    return {
        "pool": _numbers(step_or_sheet.pool),
        "mountain": _numbers(step_or_sheet.mountain),
        "whists": _matrix(step_or_sheet.whists),
    }


def _writes_json(step: Step, entries: Entries) -> dict[str, Any]:
    if step.rows:
        return {"points": _numbers(entries.mountain)}
    if step.refets:
        return refet_telling.writes_json(step, entries)
    return {
        "pool": _numbers(entries.pool),
        "mountain": _numbers(entries.mountain),
        "whists": _matrix(entries.whists),
    }


def _deal_json(step: Step, result: DealResult) -> dict[str, Any]:
    if step.refets:
        return refet_telling.deal_json(step, result, format_result(result))
    is_raspas = result.kind == RASPAS
    is_played = result.tricks is not None
    return {
        "kind": KINDS[result.kind],
        "dealer": step.names[result.dealer],
        "declarer": None if result.declarer < 0 else step.names[result.declarer],
        "contract": None if is_raspas else format_order(result, Words()),
        "result": None if is_raspas else format_result(result),
        "calls": {step.names[p]: DECISIONS[call] for p, call in result.decisions.items()},
        "open": result.open_play if is_played and result.decisions else None,
        "tricks": list(result.tricks) if result.tricks is not None else None,
        "raspas_index": None if step.rows else step.raspas_index,
    }


def _step_json(step: Step, value: list[Fraction]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "entry": step.number,
        "kind": step.kind,
        "text": describe(step, Words()),
        "players": list(step.names),
    }
    if step.result is not None and step.entries is not None:
        data["deal"] = _deal_json(step, step.result)
        data["writes"] = _writes_json(step, step.entries)
    data["value"] = _numbers(value)
    data["sheet"] = _sheet_json(step)
    return data


def _settlement_json(pulka: Pulka) -> dict[str, Any]:
    settlement = pulka.sheet.settlement()
    if pulka.protocol.variant.has_columns:
        return refet_telling.settlement_json(settlement)
    if not pulka.protocol.variant.has_pool:
        return row_telling.settlement_json(settlement, pulka.names)
    return {
        "carried_mountain": _numbers(settlement.carried),
        "amnestied_mountain": _numbers(settlement.amnestied),
        "moved_points": _numbers(settlement.moved),
        "share_to_each": _numbers(settlement.share),
        "pairs": _matrix(settlement.pairs),
        "first_way": _numbers(settlement.first_way),
        "mean_mountain": number_json(settlement.mean),
        "mountain_part": _numbers(settlement.mountain_part),
        "whist_part": _numbers(settlement.whist_part),
        "second_way": _numbers(settlement.second_way),
        "result": _numbers(settlement.result),
    }


def pulka_json(pulka: Pulka, every_deal: bool = False) -> dict[str, Any]:
    """The same as JSON data; numbers that are not whole are texts such as ``"65/3"``."""
    money = money_of(pulka)
    variant = pulka.protocol.variant
    data = {
        "title": pulka.protocol.title,
        "variant": variant.name,
        "players": list(pulka.names),
        "pool": pulka.sheet.target if variant.has_target else None,
        "total": pulka.sheet.total if variant.has_pool else None,
        "deals": len(pulka.deals()),
        "over": pulka.is_over,
        "stopped": pulka.stopped,
        "sheet": _sheet_json(pulka.sheet),
        "settlement": _settlement_json(pulka),
        "money": None if money is None else [str(x) for x in money],
        "currency": pulka.protocol.currency or None,
        "payments": [
            {"from": pulka.names[i], "to": pulka.names[j], "amount": _amount(x)}
            for i, j, x in payments(pulka.sheet.settle() if money is None else money)
        ],
    }
    if every_deal:
        data["entries"] = [
            _step_json(step, value)
            for step, value in zip(pulka.steps, deal_values(pulka), strict=True)
        ]
    return data


def _amount(x: Any) -> Any:
    return number_json(x) if isinstance(x, Fraction) else f"{x:.2f}"
