"""The command ``preferans prices``: what results are worth under a variant, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from .cli_tools import SETTINGS, VARIANT, errors, print_json, say_if_cold

if TYPE_CHECKING:
    from scoring.pricing import BreakEven, Prices
    from scoring.variant import Variant

SIDES = ("declarer", "defender", "other", "dealer")
"""Players 0 to 3 of a price: the declarer, the first defender (who whists where one does), the
second, the dealer who sits out."""
ROWS_OF_RASPAS = 3
GOOD_CARDS = range(1, 15)
WORDS = {
    "one": "one whists",
    "both": "both whist",
    "half": "half-whist",
    "nobody": "left",
    "dealer": "dealer whists",
    "open": "whist, dummy open",
    "blind": "whist in the dark",
}


@click.command()
@click.option("--variant", type=VARIANT, default="sochi", show_default=True, help="Variant.")
@click.option(
    "--players",
    type=int,
    default=None,
    help="Players, 2, 3 or 4 as the variant allows.  [default: 3, or the variant's own]",
)
@SETTINGS
@click.option(
    "--side",
    type=click.Choice(SIDES),
    default="declarer",
    show_default=True,
    help="Whose values the table of contracts and misère shows; JSON has all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, in exact fractions.")
def prices(
    variant: Variant, players: int | None, settings: Sequence[str], side: str, as_json: bool
) -> None:
    """What contracts, misère and raspas are worth in whists, and when to order a trick more.

    A value is the settlement after the deal, on an empty sheet, by the variant's own scorer: of a
    contract by the declarer's tricks and by how it is whisted (two whisters share the tricks
    evenly), of misère, of raspas where the others share the rest evenly. The last tables show the
    chance to be a trick short at which ordering more is worth the same (Litvin's table, for any
    rules), and misère by the number of good cards of which the talon must have one.
    """
    with errors():
        say_if_cold("the scorer", "a few seconds")
        from scoring.pricing import PriceError, Prices
        from scoring.variant import parse_setting

        chosen = variant.with_settings(dict(parse_setting(text) for text in settings))
        found = Prices(chosen, players)
        player = SIDES.index(side)
        if player >= found.n:
            allowed = " or ".join(SIDES[: found.n])
            raise PriceError(f"--side {side}: with {found.n} players write {allowed}")
        if as_json:
            print_json(prices_json(found))
        else:
            click.echo(format_prices(found, player))


def break_even_ways(found: Prices) -> dict[str, str | None]:
    """The columns of the break-even table: None is what pays the defender best."""
    from scoring.pricing import HALF_WHIST, NOBODY

    ways = dict.fromkeys(way for level in range(6, 11) for way in found.ways(level))
    answered = {WORDS[way]: way for way in ways if way not in (HALF_WHIST, NOBODY)}
    return {"as pays the defender": None, **answered}


def _amount(value: Fraction) -> str:
    return f"{float(value):.2f}".removesuffix(".00")


def _contract_rows(found: Prices, player: int) -> list[list[str]]:
    rows = []
    for level in range(6, 11):
        for way in found.ways(level):
            values = [_amount(found.contract(level, k, way)[player]) for k in range(11)]
            if len(set(values)) == 1:
                values = [values[0], *[""] * 10]
            rows.append([f"{level}, {WORDS[way]}", *values])
    return rows


def _worth_rows(found: Prices, player: int) -> list[list[str]]:
    """By tricks: contracts, misère, and with the declarer's side raspas."""
    rows = _contract_rows(found, player)
    rows.append(["misère", *(_amount(found.misere(k)[player]) for k in range(11))])
    if player == 0:
        for before in range(ROWS_OF_RASPAS):
            values = [_amount(found.raspas_share(k, before)) for k in range(11)]
            rows.append([f"raspas, {before + 1} in a row", *values])
    return rows


def _told_break_even(one: BreakEven) -> str:
    if one.value is None:
        return "always more" if one.short else "never more"
    return f"{100 * float(one.short):.1f}% ({one.short}), {_amount(one.value)}"


def _break_even_rows(found: Prices) -> list[list[str]]:
    ways = break_even_ways(found)
    rows = [["or one more", *ways]]
    for level in range(6, 10):
        cells = [_told_break_even(found.break_even(level, way)) for way in ways.values()]
        rows.append([f"{level} or {level + 1}", *cells])
    return rows


def _misere_rows(found: Prices) -> list[list[str]]:
    from .chances import talon_chance

    rows = [["good cards", "chance", "caught for 1", "for 2", "for 3"]]
    for good in GOOD_CARDS:
        chance = talon_chance(good)
        values = [_amount(found.misere_chance(chance, caught)) for caught in (1, 2, 3)]
        rows.append([str(good), f"{100 * float(chance):.1f}%", *values])
    return rows


def format_prices(found: Prices, player: int = 0) -> str:
    """The prices as text; ``player`` is whose values are shown."""
    from scoring.tables import format_table

    head = [f"{SIDES[player]}, by the declarer's tricks", *map(str, range(11))]
    parts = [
        f"{found.variant.name}, {found.n} players: whists on an empty sheet",
        format_table([head, *_worth_rows(found, player)]),
        "chance to be a trick short at which both are worth the same, and what\n"
        + format_table(_break_even_rows(found)),
        "misère that is clean with one of so many good cards in the talon\n"
        + format_table(_misere_rows(found)),
    ]
    return "\n\n".join(parts)


def _break_even_json(one: BreakEven) -> dict[str, Any]:
    from scoring.tables import number_json

    value = None if one.value is None else number_json(one.value)
    return {"short": number_json(one.short), "value": value}


def prices_json(found: Prices) -> dict[str, Any]:
    """The prices as JSON data: values by player (``sides``), in exact whists."""
    from scoring.tables import number_json

    from .chances import talon_chance

    def told(values: Sequence[Fraction]) -> list[int | str]:
        return list(map(number_json, values))

    levels = range(6, 11)
    return {
        "variant": found.variant.name,
        "players": found.n,
        "sides": list(SIDES[: found.n]),
        "contracts": {
            str(level): {
                way: [told(found.contract(level, k, way)) for k in range(11)]
                for way in found.ways(level)
            }
            for level in levels
        },
        "misere": [told(found.misere(k)) for k in range(11)],
        "raspas": [
            told([found.raspas_share(k, before) for k in range(11)])
            for before in range(ROWS_OF_RASPAS)
        ],
        "break_even": {
            str(level): {
                way or "best": _break_even_json(found.break_even(level, way))
                for way in break_even_ways(found).values()
            }
            for level in levels[:-1]
        },
        "misere_by_good_cards": {
            str(good): {
                "chance": number_json(talon_chance(good)),
                "values": told([found.misere_chance(talon_chance(good), k) for k in (1, 2, 3)]),
            }
            for good in GOOD_CARDS
        },
    }
