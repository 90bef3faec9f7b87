"""The command ``convert``, and what ``replay`` does: records and recorded runs told or written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli_tools import errors, print_json, read_input, say_if_cold, tell_slips

if TYPE_CHECKING:
    from scoring.variant import Variant

    from ..records.model import Record
    from ..show import Story
    from ..store import Dataset
    from ..table import Table
    from .playing import Played

FORMS = ("text", "json")

Find = Callable[["Dataset", int, int], list[tuple[int, list[int]]]]


def form_of(path: Path, text: str) -> str:
    """The form of records in a file: ``ppn``, ``json`` or ``text``."""
    from scoring.protocol.ppn import is_ppn

    if is_ppn(path, text):
        return "ppn"
    is_json = path.suffix.casefold() == ".json" or text.lstrip()[:1] in ("{", "[")
    return "json" if is_json else "text"


def parse_records(text: str, where: str, form: str) -> tuple[list[Record], list[str]]:
    """Records in a form, and slips of PPN."""
    from ..records.jsonform import parse_json
    from ..records.text import parse_text

    if form == "ppn":
        say_if_cold()
        from .ppn import import_ppn

        done = import_ppn(text, where)
        return done.records, done.slips
    return (parse_json if form == "json" else parse_text)(text, where), []


def read_records(path: Path) -> tuple[list[Record], str, str, list[str]]:
    """The records of a file or of standard input, its name in errors, its form, and slips of
    PPN."""
    text, where = read_input(path)
    form = form_of(path, text)
    records, slips = parse_records(text, where, form)
    return records, where, form, slips


def play_records(records: list[Record], where: str, path: Path) -> Iterator[Played]:
    from .playing import play_record

    for k, record in enumerate(records, 1):
        yield play_record(record, f"{where}, deal {k}", path.parent)


def _written(records: list[Record], form: str) -> str:
    """Records in a form."""
    from ..records.jsonform import format_json
    from ..records.text import format_text

    return format_json(records) if form == "json" else format_text(records)


def _write(text: str, out: Path | None) -> None:
    from scoring.errors import PreferansError

    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PreferansError(f"{out} cannot be written: {error.strerror or error}") from error


@click.command()
@click.argument("record", type=click.Path(path_type=Path, allow_dash=True), required=False)
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMS),
    help="The form to write.  [default: by the suffix of --out, else the other form]",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write into this file.")
@click.option("--check", is_flag=True, help="Play the records again and write nothing.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of records and stop.")
def convert(
    record: Path | None, form: str | None, out: Path | None, check: bool, schema: bool
) -> None:
    """Convert the deals in the file RECORD between text and JSON (- reads standard input).

    Each deal is played again in the engine and checked move by move; it is written whole, with
    forced moves and the result. See docs/records.md. RECORD may be a game in PPN.
    """
    with errors():
        if schema:
            from ..records.jsonform import record_schema

            print_json(record_schema())
            return
        if record is None:
            raise click.UsageError("give a RECORD, or - for standard input")
        if check and (form or out):
            raise click.UsageError("--check writes nothing; leave out --to and --out")
        records, where, found, slips = read_records(record)
        say_if_cold()
        from .writing import complete

        whole = [complete(played) for played in play_records(records, where, record)]
        if not check:
            if form is None and out is not None:
                form = "json" if out.suffix.casefold() == ".json" else "text"
            _write(_written(whole, form or FORMS[found == "text"]), out)
        tell_slips(slips, where)


# Replay


def title_of(variant: Variant, pool: int | None) -> str:
    """The variant and the points it is played to, or those its contract columns start from."""
    if not variant.has_target:
        return variant.title
    return f"{variant.title} {'from' if variant.has_columns else 'to'} {variant.target(pool)}"


def deals_in_file(path: Path, deal: int | None) -> tuple[list[tuple[int, Played]], str, list[str]]:
    """The deals of a file of records, or one of them, by their numbers from 1, played again; the
    file's name in errors, and slips of PPN."""
    records, where, _, slips = read_records(path)
    if deal is not None and not 1 <= deal <= len(records):
        raise click.UsageError(f"deal {deal} is not there: the file has 1 to {len(records)}")
    played = list(enumerate(play_records(records, where, path), 1))
    return played if deal is None else played[deal - 1 : deal], where, slips


def file_title(played: Played, k: int, where: str) -> str:
    """A deal of a file, named."""
    return f"{title_of(played.variant, played.record.pool)}, deal {k} of {where}"


def replay_file(path: Path, deal: int | None, form: str | None) -> None:
    """Tell the deals of a file of records, or one of them (from 1); ``form``: write them."""
    from ..telling import format_story
    from .writing import complete

    played, where, slips = deals_in_file(path, deal)
    if form is not None:
        _write(_written([complete(one) for _, one in played], form), None)
        tell_slips(slips, where)
        return
    told = [f"{file_title(x, k, where)}\n{format_story(x.story, x.table)}" for k, x in played]
    click.echo("\n\n".join(told))
    tell_slips(slips, where)


def _deals_of(
    dataset: Dataset, pulka: int, find: Find, deal: int | None
) -> list[tuple[int, list[int]]]:
    """Numbers and decisions of the deals of a pulka, up to the one that is asked for."""
    from ..show import RecordError

    info = dataset.info
    if info.rescored_from:
        raise RecordError(
            f"{dataset.folder} holds deals of {info.rescored_from} rescored as {info.variant}: "
            "replay the dataset they come from"
        )
    if pulka >= info.pulkas:
        raise click.UsageError(f"pulka {pulka} is not there: the run has 0 to {info.pulkas - 1}")
    deals = find(dataset, pulka, info.max_deals if deal is None else deal)
    if deal is not None and deal >= len(deals):
        raise click.UsageError(f"deal {deal} is not there: the pulka has 0 to {len(deals) - 1}")
    return deals


def _stories(table: Table, deals: list[tuple[int, list[int]]], pulka: int) -> Iterator[Story]:
    """The deals of a pulka one after the other, each with the sheet before it."""
    from ..show import RecordError, replay_deal

    for k, (number, decisions) in enumerate(deals):
        try:
            yield replay_deal(table, number, decisions)
        except RecordError as error:
            raise RecordError(f"pulka {pulka}, deal {k}: {error}") from error


def deals_in_run(
    dataset: Dataset, pulka: int, find: Find, deal: int | None
) -> Iterator[tuple[int, Story, Table]]:
    """The deals of a pulka, or one of them, by their numbers from 0, each as the table has just
    played it again. ``find`` finds decisions."""
    from ..table import Table

    info = dataset.info
    deals = _deals_of(dataset, pulka, find, deal)
    table = Table(dataset.variant().rules(info.players, info.pool))
    table.hidden["claims"] = int(info.claims)
    for k, story in enumerate(_stories(table, deals, pulka)):
        if deal is None or k == deal:
            yield k, story, table


def run_title(dataset: Dataset, pulka: int, k: int) -> str:
    """A deal of a run, named."""
    return f"{title_of(dataset.variant(), dataset.info.pool)}, pulka {pulka}, deal {k}"


def replay_run(
    dataset: Dataset, pulka: int, find: Find, deal: int | None, form: str | None
) -> None:
    """Tell a deal of a run, or all of a pulka; ``form``: write them. ``find`` finds decisions."""
    from ..telling import format_story
    from .writing import make_record, name_variant

    info = dataset.info
    name = name_variant(dataset.variant(), info.players)
    told, written = [], []
    for k, story, table in deals_in_run(dataset, pulka, find, deal):
        if form is not None:
            note = f"pulka {pulka}, deal {k}, seed {info.seed}"
            written.append(make_record(story, name, info.pool, note))
        else:
            told.append(f"{run_title(dataset, pulka, k)}\n{format_story(story, table)}")
    _write(_written(written, form) if form else "\n\n".join(told) + "\n", None)
