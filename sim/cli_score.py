"""The commands that score: protocols written by hand, and recorded runs under another variant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .cli_tools import SHARDS_KEPT, VARIANT, errors, print_json, read_input, say_if_cold, tell_slips

if TYPE_CHECKING:
    from scoring.protocol.keeping import Pulka
    from scoring.variant import Variant


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--variant", type=VARIANT, required=True, help="Variant to score under.")
@click.option("--pool", type=int, help="Target in its pool points.  [default: the variant's]")
@click.option(
    "--time-after",
    type=click.IntRange(min=1),
    metavar="DEALS",
    help="Call time after so many deals, for variants that end by time.  [default: by their "
    "clock, end.minutes and end.deal_seconds]",
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Keep the rescored dataset in OUT."
)
@click.option("--overwrite", is_flag=True, help="Replace the dataset in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def rescore(
    folder: Path,
    variant: Variant,
    pool: int | None,
    time_after: int | None,
    out: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Score the recorded deals of a dataset in FOLDER under another variant.

    Each pulka's results are written in order until it ends by the new rules. The bidding and the
    play were made under the first variant, so this tells what its scores would have been, not how
    people would play the second. The second must be of the first's family and be played by as many
    players; with 4 the dealer takes part in raspas as he did there. In the refet game contras stay
    as they were said, and a hand whose play stopped early has the tricks taken by then.
    """
    with errors(SHARDS_KEPT):
        say_if_cold()
        from .report import format_moments
        from .rescore import make_rescore
        from .rescore import rescore as rescore_dataset
        from .store import open_dataset

        job = make_rescore(open_dataset(folder), variant, pool, time_after or 0)
        moments = rescore_dataset(job, out, overwrite)
        if as_json:
            made = {
                "bid_and_played_under": job.played,
                "scored_under": variant.name,
                "pool": job.pool or None,
            }
            print_json({**made, **moments.as_json()})
            return
        click.echo(job.headline(moments.n))
        click.echo(format_moments(moments))


def _draw(pulka: Pulka, path: str, language: str) -> None:
    """Write the drawn sheet in the format of the path's suffix; ``-`` prints the text drawing."""
    from scoring.errors import PreferansError, WrongUse
    from scoring.protocol.picturing import make_picture, picture_words

    suffix = "txt" if path == "-" else Path(path).suffix[1:].casefold()
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


@click.command()
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

    A protocol names the players and the variant and has an entry a deal; see docs/protocol.md. A
    game in PPN is scored too, and its slips are told.
    """
    with errors():
        if schema:
            from scoring.protocol.json_schema import protocol_schema

            print_json(protocol_schema())
            return
        if file is None:
            raise click.UsageError("give a FILE, or - for standard input")
        if sheet_path == "-" and as_json:
            raise click.UsageError("--sheet - and --json both print; give one of them")
        text, where = read_input(file)
        from scoring.protocol.ppn import is_ppn

        in_ppn = is_ppn(file, text)
        say_if_cold(*() if in_ppn else ("the scorer", "some seconds"))
        from scoring.protocol.tournament import looks_like_csv, read_tournament

        if not in_ppn and (file.suffix.casefold() == ".csv" or looks_like_csv(text)):
            only = {
                "--sheet": sheet_path,
                "--stake": stake,
                "--currency": currency,
                "--every-deal": every_deal or None,
            }
            wrong = [name for name, value in only.items() if value is not None]
            if wrong:
                raise click.UsageError(f"{wrong[0]} is for a single pulka, not for a tournament")
            pulkas = read_tournament(text, where, variant, pool, rounding)
            _tell_tournament(pulkas, as_json, lang)
            return
        from scoring.protocol.keeping import keep_protocol
        from scoring.protocol.reading import parse_protocol, with_money, with_rounding
        from scoring.protocol.telling import pulka_json, pulka_text

        slips: list[str] = []
        if in_ppn:
            from .convert.ppn import import_ppn

            done = import_ppn(text, where, variant, pool)
            pulka, slips = done.pulka, done.slips
            protocol = with_rounding(pulka.protocol, rounding)
            pulka.protocol = with_money(protocol, stake, currency)
        else:
            protocol = with_rounding(parse_protocol(text, where, variant, pool), rounding)
            pulka = keep_protocol(with_money(protocol, stake, currency))
        if sheet_path is not None:
            _draw(pulka, sheet_path, lang)
        if as_json:
            found = {"slips": slips} if in_ppn else {}
            print_json({**pulka_json(pulka, every_deal), **found})
        elif sheet_path != "-":
            click.echo(pulka_text(pulka, lang, every_deal))
        tell_slips(slips, where)


def _tell_tournament(pulkas: list[Pulka], as_json: bool, lang: str) -> None:
    from scoring.protocol.telling import pulka_json
    from scoring.protocol.tournament import standings_json, standings_text

    if as_json:
        tables = [pulka_json(pulka) for pulka in pulkas]
        print_json({"standings": standings_json(pulkas), "tables": tables})
    else:
        click.echo(standings_text(pulkas, lang))
