"""The command ``preferans``."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
    from scoring.protocol.keeping import Pulka
    from scoring.variant import Variant

    from .run import Run
    from .store import Dataset

else:
    ParamType = click.ParamType

INTERRUPTED = 130


class _Variant(ParamType):
    """A variant's name, alias or path."""

    name = "variant"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from scoring.variant import VariantError, find_variant

        try:
            return find_variant(value) if isinstance(value, str) else value
        except VariantError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from scoring.variant import variant_names

        return [CompletionItem(n) for n in variant_names() if n.startswith(incomplete)]


VARIANT = _Variant()


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    """Project errors as one sentence: exit code 2 for wrong arguments, 1 for failures."""
    from scoring.errors import PreferansError, WrongUse

    try:
        yield
    except WrongUse as error:
        raise click.UsageError(str(error)) from error
    except PreferansError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo("stopped; finished shards are kept", err=True)
        sys.exit(INTERRUPTED)


def _print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that simulate and compare share."""
    options = [
        click.option(
            "--bots",
            "bots_text",
            default="cautious",
            show_default=True,
            metavar="A[,B,C]",
            help="One bot for all seats or one for each player: NAME, NAME@key=value or "
            "mybots.py:Name; the names are listed by `preferans bots`.",
        ),
        click.option("--players", default=3, show_default=True, help="Players at the table."),
        click.option("--pulkas", default=1000, show_default=True, help="Pulkas to play."),
        click.option(
            "--pool",
            type=int,
            default=None,
            help="Target in the variant's own pool points per player.  [default: the variant's]",
        ),
        click.option("--seed", default=0, show_default=True, help="Seed of deals and bots."),
        click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="KEY=VALUE",
            help="Change a convention, e.g. raspas.price=10; may be repeated.",
        ),
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
        click.option("--resume", is_flag=True, help="Go on with the dataset in --out."),
        click.option("--overwrite", is_flag=True, help="Replace the dataset in --out."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _say_if_cold() -> None:
    """Tell of the first compilation, before the import that starts it."""
    from scoring.kernel import is_cold

    if is_cold():
        click.echo("compiling the engine, once: this takes about half a minute", err=True)


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
    """List the variants, or show all conventions of the variant NAME.

    NAME is a variant's name, an alias, or the path of a .toml file.
    """
    from scoring.tables import format_table
    from scoring.variant import find_variant, variant_names

    from .report import format_variant, variant_json

    with _errors():
        if name is not None:
            variant = find_variant(name)
            if as_json:
                _print_json(variant_json(variant))
            else:
                click.echo(format_variant(variant))
            return
        found = [find_variant(one) for one in variant_names()]
        if as_json:
            _print_json([variant_json(one) for one in found])
        else:
            rows = [["variant", "base", "pool", "title"]]
            rows += [
                [v.name, v.base or "-", str(v.pool), f"{v.title} ({v.title_ru})"] for v in found
            ]
            click.echo(format_table(rows, right=4))


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def bots(as_json: bool) -> None:
    """List the bots, a line each."""
    from bots import bot_descriptions

    found = bot_descriptions()
    if as_json:
        _print_json(found)
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
    with _errors():
        _say_if_cold()
        from .report import format_moments

        run = _make_run(variant, options)
        moments = _study([run], [out], options)
        if options["as_json"]:
            _print_json({"run": run.info().manifest(), **moments.as_json()})
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
    with _errors():
        _say_if_cold()
        from .report import format_moments
        from .run import run_names

        runs = [_make_run(variant, options) for variant in variants]
        names = run_names(runs)
        folders = [None if out is None else out / name for name in names]
        moments = _study(runs, folders, options)
        if options["as_json"]:
            manifests = {n: run.info().manifest() for n, run in zip(names, runs, strict=True)}
            _print_json({"runs": manifests, **moments.as_json()})
        else:
            click.echo(_describe(runs))
            click.echo(format_moments(moments))


def _describe(runs: list[Run]) -> str:
    one = runs[0]
    pools = ", ".join(f"{run.variant.name} to {run.pool}" for run in runs)
    line_up = ", ".join(dict.fromkeys(bot.name for bot in one.bots))
    return f"{one.pulkas} pulkas each ({pools}), bots {line_up}, seed {one.seed}\n"


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


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--pulka", required=True, type=click.IntRange(min=0), help="Number of the pulka.")
@click.option("--deal", required=True, type=click.IntRange(min=0), help="Number of its deal.")
def replay(folder: Path, pulka: int, deal: int) -> None:
    """Tell one deal of a dataset: auction, whist, play trick by trick, score, sheet.

    The decisions come from the record (`--record plays`), or are played again from the seed.
    """
    with _errors():
        _say_if_cold()
        from .show import RecordError, format_story, replay_deal
        from .store import open_dataset
        from .table import Table

        dataset = open_dataset(folder)
        info = dataset.info
        if pulka >= info.pulkas:
            raise click.UsageError(
                f"pulka {pulka} is not there: the run has 0 to {info.pulkas - 1}"
            )
        find = _recorded if info.record_plays else _played_again
        deals = find(dataset, pulka, deal)
        if deal >= len(deals):
            raise click.UsageError(f"deal {deal} is not there: the pulka has 0 to {len(deals) - 1}")
        variant = dataset.variant()
        table = Table(variant.rules(info.players, info.pool))
        for k, (number, decisions) in enumerate(deals):
            try:
                story = replay_deal(table, number, decisions)
            except RecordError as error:
                raise RecordError(f"pulka {pulka}, deal {k}: {error}") from error
        click.echo(f"{variant.title} to {info.pool}, pulka {pulka}, deal {deal}")
        click.echo(format_story(story, table))


def _read_protocol(path: Path) -> tuple[str, str]:
    """The text of a protocol, from standard input for ``-``, and its name in errors."""
    from scoring.protocol.reading import ProtocolError, read_text

    if str(path) != "-":
        return read_text(path), str(path)
    try:
        return click.get_binary_stream("stdin").read().decode("utf-8-sig"), "standard input"
    except UnicodeDecodeError as error:
        raise ProtocolError(f"standard input is not text in UTF-8: {error.reason}") from None


def _draw(pulka: Pulka, path: str, language: str) -> None:
    """Write the drawn sheet in the format of the path's suffix; ``-`` prints the text drawing."""
    from scoring.errors import PreferansError, WrongUse
    from scoring.protocol.picturing import make_picture, picture_words

    suffix = "txt" if path == "-" else path.rpartition(".")[2].casefold()
    words = picture_words(language)
    picture = make_picture(pulka, language, suffix == "txt")
    if suffix == "svg":
        from scoring.drawing.svg import svg_sheet

        data = svg_sheet(picture, words).encode()
    elif suffix == "png":
        from scoring.drawing.png import png_sheet

        data = png_sheet(picture, words)
    elif suffix == "txt":
        from scoring.drawing.text import text_sheet

        data = (text_sheet(picture, words=words) + "\n").encode()
    else:
        raise WrongUse(f"--sheet {path}: the name must end in .svg, .png or .txt, or be - to print")
    if path == "-":
        click.echo(data.decode(), nl=False)
        return
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise PreferansError(f"{path} cannot be written: {error.strerror or error}") from error


@cli.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--every-deal", is_flag=True, help="Show each deal and the sheet after it.")
@click.option(
    "--sheet",
    "sheet_path",
    metavar="OUT.svg|png|txt|-",
    help="Draw the sheet into a file, by its suffix; - prints the text drawing. PNG needs the "
    "extra `plot`.",
)
@click.option(
    "--rounding",
    type=click.Choice(["exact", "code"]),
    help="Fractions at settlement: exact, or moved by Code of Preferans 4.2.12.  "
    "[default: the variant's]",
)
@click.option("--stake", metavar="AMOUNT", help="Money for a whist, e.g. 0.5.")
@click.option("--currency", help="Name of the money.")
@click.option("--variant", type=VARIANT, help="Variant, instead of the protocol's own.")
@click.option("--pool", type=int, help="Target, instead of the protocol's own.")
@click.option(
    "--lang", type=click.Choice(["en", "ru"]), default="en", show_default=True, help="Language."
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of protocols and stop.")
def score(
    file: Path | None,
    as_json: bool,
    every_deal: bool,
    sheet_path: str | None,
    rounding: str | None,
    stake: str | None,
    currency: str | None,
    variant: Variant | None,
    pool: int | None,
    lang: str,
    schema: bool,
) -> None:
    """Score the protocol in FILE (TOML, JSON, or a tournament's CSV; - reads standard input).

    A protocol names the players and the variant and has an entry a deal; see docs/protocol.md.
    """
    with _errors():
        if schema:
            from scoring.protocol.json_schema import protocol_schema

            _print_json(protocol_schema())
            return
        if file is None:
            raise click.UsageError("give a FILE, or - for standard input")
        text, where = _read_protocol(file)
        from scoring.kernel import is_cold

        if is_cold():
            click.echo("compiling the scorer, once: a few seconds", err=True)
        from scoring.protocol.tournament import looks_like_csv

        if variant is not None and rounding is not None:
            variant = variant.with_settings({"end.rounding": rounding})
        if file.suffix.casefold() == ".csv" or looks_like_csv(text):
            only = {"--sheet": sheet_path, "--stake": stake, "--every-deal": every_deal or None}
            wrong = [name for name, value in only.items() if value is not None]
            if wrong:
                raise click.UsageError(f"{wrong[0]} is for a single pulka, not for a tournament")
            _score_tournament(text, where, variant, pool, as_json, lang)
            return
        from scoring.protocol.keeping import keep_protocol
        from scoring.protocol.reading import parse_protocol, with_money, with_rounding
        from scoring.protocol.telling import pulka_json, pulka_text

        protocol = with_rounding(parse_protocol(text, where, variant, pool), rounding)
        pulka = keep_protocol(with_money(protocol, stake, currency))
        if sheet_path is not None:
            _draw(pulka, sheet_path, lang)
        if as_json:
            _print_json(pulka_json(pulka, every_deal))
        elif sheet_path != "-":
            click.echo(pulka_text(pulka, lang, every_deal))


def _score_tournament(
    text: str, where: str, variant: Variant | None, pool: int | None, as_json: bool, lang: str
) -> None:
    from scoring.protocol.telling import pulka_json
    from scoring.protocol.tournament import read_tournament, standings_json, standings_text

    pulkas = read_tournament(text, where, variant, pool)
    if as_json:
        tables = [pulka_json(pulka) for pulka in pulkas]
        _print_json({"standings": standings_json(pulkas), "tables": tables})
    else:
        click.echo(standings_text(pulkas, lang))


def main() -> None:
    """Entry point of the command."""
    cli()
