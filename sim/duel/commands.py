"""The commands that play bots against each other: ``duel`` and ``tournament``."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cli_tools import SETTINGS, VARIANT, errors, print_json, read_input, say_if_cold

if TYPE_CHECKING:
    from .match import Match
    from .results import Results

_USUAL = "sochi"


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that duel and tournament share."""
    options = [
        click.option(
            "--variant",
            type=VARIANT,
            help=f"Variant to play.  [default: {_USUAL}, or that of --sheet]",
        ),
        click.option(
            "--players",
            type=int,
            help="Players, 2, 3 or 4 as the variant allows.  [default: 3, or the variant's own]",
        ),
        click.option(
            "--deals", default=10_000, show_default=True, help="Base deals to play, at most."
        ),
        click.option(
            "--until",
            type=float,
            metavar="HALFWIDTH",
            help="Stop as soon as the 95 % interval is so narrow: half of it, in whists a deal. "
            "Looked at after 512 base deals and then in steps that grow by a quarter, and not "
            "before 30 of them have differed.",
        ),
        SETTINGS,
        click.option(
            "--pool",
            type=int,
            help="Target in the variant's own pool points per player.  [default: the variant's]",
        ),
        click.option(
            "--sheet",
            type=click.Path(path_type=Path, allow_dash=True),
            metavar="FILE",
            help="Start each deal from the sheet at the end of a protocol (docs/protocol.md) "
            "instead of an empty one, with its variant, players and pool.",
        ),
        click.option("--seed", default=0, show_default=True, help="Seed of deals and bots."),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="Worker threads; results do not depend on it.  [default: all cores]",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            metavar="FILE.parquet",
            help="Keep every table: a row a base deal and seating.",
        ),
        click.option("--overwrite", is_flag=True, help="Replace the file in --out."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _make(names: Sequence[str], options: dict[str, Any], seatings: int | None) -> Match:
    from bots import find_bot
    from scoring.errors import WrongUse
    from scoring.variant import find_variant, parse_setting

    from .match import make_match
    from .sheet import read_start

    if options["overwrite"] and options["out"] is None:
        raise WrongUse("--overwrite needs --out")
    bots = [find_bot(name) for name in names]
    variant, players, pool = options["variant"], options["players"], options["pool"]
    settings = dict(parse_setting(text) for text in options["settings"])
    start = None
    if options["sheet"] is None:
        variant = variant or find_variant(_USUAL)
    if variant is not None:
        variant = variant.with_settings(settings)
    elif settings:
        raise WrongUse("--set needs --variant where there is a --sheet, which has its conventions")
    if options["sheet"] is not None:
        start, pulka = read_start(*read_input(options["sheet"]), variant, players, pool)
        variant, players = pulka.protocol.variant, pulka.sheet.n
        pool = pulka.protocol.pool if variant.has_target else None
    return make_match(
        variant, bots, options["deals"], players, pool, options["seed"], seatings, start
    )


def _play(match: Match, options: dict[str, Any]) -> Results:
    """Play a match under a progress bar on stderr (off when that is no terminal)."""
    from tqdm import tqdm

    from .playing import play_match
    from .storing import Sink

    lock = threading.Lock()
    total = match.deals * match.n_tables
    with ExitStack() as stack:
        sink = None
        if options["out"] is not None:
            sink = stack.enter_context(Sink(options["out"], match, options["overwrite"]))
        bar = stack.enter_context(tqdm(total=total, unit="deal", disable=None, file=sys.stderr))

        def advance(deals: int) -> None:
            with lock:
                bar.update(deals)

        return play_match(match, options["until"], options["workers"], advance, sink)


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--seatings",
    type=int,
    help="As many as players: A alone among B's at each seat; or twice as many, which adds B alone "
    "among A's. Two players have 2.  [default: all]",
)
@_options
def duel(a: str, b: str, seatings: int | None, **options: Any) -> None:
    """Play the bots A and B against each other on the same deals in all seatings.

    A - B is how many whists a deal an A is ahead of a B at the same table, with where its plays
    part from those of B. Bots are NAME, NAME@key=value or mybots.py:Name.
    """
    with errors():
        say_if_cold()
        from .telling import duel_text

        results = _play(_make([a, b], options, seatings), options)
        if options["as_json"]:
            print_json(results.duel_json())
        else:
            click.echo(duel_text(results))


@click.command()
@click.argument("bots", nargs=-1, required=True)
@_options
def tournament(bots: tuple[str, ...], **options: Any) -> None:
    """Play all pairs of BOTS on the same deals, each pair in all seatings, and rank them.

    A bot's mean is that of its differences from the others.
    """
    with errors():
        say_if_cold()
        from .telling import tournament_text

        results = _play(_make(bots, options, None), options)
        if options["as_json"]:
            print_json(results.tournament_json())
        else:
            click.echo(tournament_text(results))
