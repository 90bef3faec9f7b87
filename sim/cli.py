"""The command ``preferans``."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .advice.commands import add_commands
from .cli_score import rescore, score
from .cli_tools import SETTINGS, SHARDS_KEPT, VARIANT, errors, print_json, say_if_cold
from .convert.commands import FORMS, Find, convert, replay_file, replay_run
from .duel.commands import duel, tournament
from .prices_commands import prices
from .solve.commands import solve
from .training.commands import train_command, tune_command

if TYPE_CHECKING:
    from scoring.variant import Variant

    from .botcall import Bot
    from .run import Run
    from .store import Dataset
    from .training.student import Student


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that simulate and compare share."""
    options = [
        click.option(
            "--bots",
            "bots_text",
            default="expert",
            show_default=True,
            metavar="A[,B,C[,D]]",
            help="One bot for all seats or one for each player: NAME, NAME@key=value or "
            "mybots.py:Name; the names are listed by `preferans bots`.",
        ),
        click.option(
            "--players",
            type=int,
            default=None,
            help="Players, 2, 3 or 4 as the variant allows.  [default: 3, or the variant's own]",
        ),
        click.option("--pulkas", default=1000, show_default=True, help="Pulkas to play."),
        click.option(
            "--pool",
            type=int,
            default=None,
            help="Target in the variant's own pool points per player; in the refet game the start "
            "of each contract column; razboinik has none.  [default: the variant's]",
        ),
        click.option("--seed", default=0, show_default=True, help="Seed of deals and bots."),
        SETTINGS,
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            default=None,
            help="Worker threads; results do not depend on it.  [default: all cores]",
        ),
        click.option(
            "--max-deals",
            default=500,
            show_default=True,
            help="A pulka still open after so many deals is settled early and flagged.",
        ),
        click.option(
            "--record",
            type=click.Choice(["plays"]),
            default=None,
            help="Keep every decision, so that deals can be replayed without the bots.",
        ),
        click.option(
            "--claims",
            is_flag=True,
            help="End a deal when its remaining tricks are certain: fewer decisions, same scores.",
        ),
        click.option("--resume", is_flag=True, help="Go on with the dataset in --out."),
        click.option("--overwrite", is_flag=True, help="Replace the dataset in --out."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _make_run(variant: Variant, options: dict[str, Any]) -> Run:
    from bots import find_bot
    from scoring.variant import parse_setting

    from .run import make_run

    settings = dict(parse_setting(text) for text in options["settings"])
    bots = [find_bot(text) for text in options["bots_text"].split(",")]
    return make_run(
        variant.with_settings(settings),
        bots,
        options["pulkas"],
        options["pool"],
        options["seed"],
        options["players"],
        options["max_deals"],
        options["record"] == "plays",
        options["claims"],
    )


def _study(runs: list[Run], folders: list[Path | None], options: dict[str, Any]) -> Any:
    """Play the runs under a progress bar on stderr (off when that is no terminal)."""
    from tqdm import tqdm

    from .run import study

    if options["resume"] and options["overwrite"]:
        raise click.UsageError("--resume and --overwrite exclude each other")
    if (options["resume"] or options["overwrite"]) and folders[0] is None:
        raise click.UsageError("--resume and --overwrite need --out")
    total = sum(run.pulkas for run in runs)
    lock = threading.Lock()
    with tqdm(total=total, unit="pulka", disable=None, file=sys.stderr) as bar:

        def advance(pulkas: int) -> None:
            with lock:
                bar.update(pulkas)

        return study(
            runs,
            folders,
            options["workers"],
            options["resume"],
            options["overwrite"],
            advance,
        )


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="preferans")
def cli() -> None:
    """Simulate Preferans (преферанс): many variants, pluggable bots, exact scores."""


@cli.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def variants(name: str | None, as_json: bool) -> None:
    """List the variants, or show the conventions of the variant NAME.

    NAME is a variant's name, an alias, or the path of a .toml file.
    """
    from scoring.variant import find_variant, variant_names

    from .report import format_variant, format_variants, variant_json

    with errors():
        if name is not None:
            variant = find_variant(name)
            if as_json:
                print_json(variant_json(variant))
            else:
                click.echo(format_variant(variant))
            return
        found = [find_variant(one) for one in variant_names()]
        if as_json:
            print_json([variant_json(one) for one in found])
        else:
            click.echo(format_variants(found))


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bots(as_json: bool) -> None:
    """List the bots, a line each."""
    from bots import bot_descriptions

    found = bot_descriptions()
    if as_json:
        print_json(found)
        return
    width = max(map(len, found))
    for name, text in found.items():
        click.echo(f"{name.ljust(width)}  {text}")


@cli.command()
@click.option("--variant", type=VARIANT, required=True, help="Variant to play.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder for the datasets."
)
@_run_options
def simulate(variant: Variant, out: Path, **options: Any) -> None:
    """Play pulkas and keep them as Parquet datasets OUT/deals and OUT/pulkas."""
    with errors(SHARDS_KEPT):
        say_if_cold()
        from .report import format_moments

        run = _make_run(variant, options)
        moments = _study([run], [out], options)
        if options["as_json"]:
            print_json({"run": run.info().manifest(), **moments.as_json()})
        else:
            click.echo(format_moments(moments))
            click.echo(f"\n{moments.n} pulkas in {out}", err=True)


@cli.command()
@click.argument("variants", nargs=-1, required=True, type=VARIANT)
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Keep each run in OUT/VARIANT."
)
@_run_options
def compare(variants: tuple[Variant, ...], out: Path | None, **options: Any) -> None:
    """Play the same deals under several VARIANTS and compare them, with 95 % intervals."""
    with errors(SHARDS_KEPT):
        say_if_cold()
        from .report import format_moments
        from .run import run_names

        runs = [_make_run(variant, options) for variant in variants]
        names = run_names(runs)
        folders = [None if out is None else out / name for name in names]
        moments = _study(runs, folders, options)
        if options["as_json"]:
            manifests = {n: run.info().manifest() for n, run in zip(names, runs, strict=True)}
            print_json({"runs": manifests, **moments.as_json()})
        else:
            click.echo(_describe(runs))
            click.echo(format_moments(moments))


def _describe(runs: list[Run]) -> str:
    from .report import format_target

    one = runs[0]
    pools = ", ".join(format_target(run.variant, run.pool) for run in runs)
    line_up = ", ".join(dict.fromkeys(bot.name for bot in one.bots))
    return (
        f"{one.pulkas} pulkas each ({pools}), {one.players} players, bots {line_up}, "
        f"seed {one.seed}\n"
    )


@cli.command()
@click.argument("number", type=int)
def deal(number: int) -> None:
    """Show the deal of a NUMBER (0 to 2 753 294 408 504 639)."""
    from .show import format_deal

    try:
        click.echo(format_deal(number))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _stored(dataset: Dataset, pulka: int, last: int) -> Any:
    """The rows of the deals 0..last of a pulka."""
    import pyarrow.compute as pc

    table = dataset.read_part("deals", pulka // dataset.info.shard_pulkas)
    return table.filter(pc.field("pulka") == pulka).slice(0, last + 1)


def _recorded(dataset: Dataset, pulka: int, last: int) -> list[tuple[int, list[int]]]:
    """Numbers and decisions of the deals 0..last of a pulka, from the record."""
    from .store import StoreError

    rows = _stored(dataset, pulka, last)
    if "plays" not in rows.column_names:
        raise StoreError(f"{dataset.folder} has no column plays to replay from")
    plays = rows.column("plays").to_pylist()
    return [(n, list(p)) for n, p in zip(rows.column("number").to_pylist(), plays, strict=True)]


def _played_again(dataset: Dataset, pulka: int, last: int) -> list[tuple[int, list[int]]]:
    """The same, played again from the seed by the same bots, and checked against the dataset."""
    from bots import find_bot

    from .run import Run
    from .show import RecordError

    info = dataset.info
    run = Run(
        dataset.variant(),
        tuple(find_bot(name) for name in info.bots),
        info.pulkas,
        info.pool,
        info.seed,
        info.players,
        info.max_deals,
        record_plays=True,
        claims=info.claims,
        shard_pulkas=info.shard_pulkas,
    )
    batch = run.pulka(pulka).run()
    mine = batch.deals["pulka"] == pulka
    deals = batch.deals[mine][: last + 1]
    assert batch.plays is not None
    if dataset.is_finished(pulka // info.shard_pulkas):
        stored = _stored(dataset, pulka, last)
        for i in range(info.players):
            if stored.column(f"value_{i}").to_pylist() != deals["value"][:, i].tolist():
                changed = [
                    b.name for b, d in zip(run.bots, info.bot_digests, strict=True) if b.digest != d
                ]
                raise RecordError(
                    f"pulka {pulka} does not come out as in {dataset.folder} when played again; "
                    f"bots changed since the run: {', '.join(changed) or 'none'}"
                )
    plays = batch.plays[mine][: last + 1]
    return [
        (int(row["number"]), play[: row["n_decisions"]].tolist())
        for row, play in zip(deals, plays, strict=True)
    ]


def _deal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What replay and analyze share: which deals of a dataset or of a file."""
    options = [
        click.argument("source", type=click.Path(path_type=Path, allow_dash=True)),
        click.option(
            "--pulka", type=click.IntRange(min=0), help="Number of the pulka of a dataset."
        ),
        click.option(
            "--deal",
            type=click.IntRange(min=0),
            help="Number of the deal: in a pulka from 0, in a file from 1.  [default: all]",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _open_run(source: Path, pulka: int | None) -> tuple[Dataset, int, Find] | None:
    """The dataset that is meant, the pulka, and who finds its decisions; None: a file."""
    from .store import open_dataset

    if source.is_file() or str(source) == "-":
        if pulka is not None:
            raise click.UsageError("--pulka is for a dataset, not for a file of records")
        return None
    dataset = open_dataset(source)
    if pulka is None:
        raise click.UsageError("--pulka is missing: which pulka of the dataset?")
    return dataset, pulka, _recorded if dataset.info.record_plays else _played_again


@cli.command()
@_deal_options
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    help="Write the deals as records, in text or in JSON, instead of telling them.",
)
def replay(source: Path, pulka: int | None, deal: int | None, form: str | None) -> None:
    """Tell deals of a dataset in the folder SOURCE, or of a file of records (docs/records.md).

    Cards, auction, whist, play trick by trick, score and sheet. The decisions of a dataset come
    from its record (`--record plays`), or are played again from the seed.
    """
    with errors():
        say_if_cold()
        run = _open_run(source, pulka)
        if run is None:
            replay_file(source, deal, form)
            return
        replay_run(*run, deal, form)


@cli.command()
@_deal_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def analyze(source: Path, pulka: int | None, deal: int | None, as_json: bool) -> None:
    """Judge deals of a file of records, or of a dataset in the folder SOURCE, with all cards open.

    Par before the first card, what each card gave away, the best discard, the best contract. At
    raspas, where each plays for himself: the most that a hand can be made to take, and how the
    last six tricks go when each looks for his own score. SOURCE is as for `preferans replay`.
    """
    with errors():
        say_if_cold()
        from .analyst.commands import analyze_file, analyze_run

        run = _open_run(source, pulka)
        if run is None:
            analyze_file(source, deal, as_json)
            return
        analyze_run(*run, deal, as_json)


def _find_bot(text: str) -> Bot:
    from bots import find_bot

    return find_bot(text)


def _find_student() -> Student:
    from bots.study.student import parts

    from .training.student import Student

    return Student(**parts())


cli.add_command(convert)
cli.add_command(duel)
cli.add_command(prices)
cli.add_command(rescore)
cli.add_command(score)
cli.add_command(solve)
cli.add_command(tournament)
add_commands(cli, _find_bot)
cli.add_command(train_command(_find_bot, _find_student))
cli.add_command(tune_command(_find_student))


def main() -> None:
    """Entry point of the command."""
    cli()
