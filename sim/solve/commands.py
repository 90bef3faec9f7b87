"""The commands that look into deals with all cards open."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli_tools import errors, print_json, read_input, say_if_cold, tell_slips
from ..convert.commands import form_of, parse_records, play_records

if TYPE_CHECKING:
    from .answers import Answer
    from .asked import Deal, Wanted

_HAND = click.IntRange(0, 2)
_ONE_HAND = re.compile(r"\s*[2-9TJQKA]*(\.[2-9TJQKA]*){3}\s*", re.IGNORECASE)
_SOLVER = ("the solver", "about fifteen seconds")


def _read_deals(path: Path, wanted: Wanted) -> tuple[list[Deal], list[str], str]:
    """The deals of a file of hands or of records, slips of PPN, and the file's name in errors."""
    from .asked import check_deals, deals_of_lines, deals_of_records, is_lines

    if wanted.on_table:
        raise click.UsageError("--on-table is for one deal on the command line, not for a file")
    text, where = read_input(path)
    form, slips = form_of(path, text), list[str]()
    if form == "text" and is_lines(text):
        deals = deals_of_lines(text, where, wanted)
    else:
        records, slips = parse_records(text, where, form)
        say_if_cold()
        deals = deals_of_records(play_records(records, where, path), where, wanted)
    check_deals(deals, where, wanted)
    return deals, slips, where


def _solve(deals: list[Deal], wanted: Wanted) -> list[Answer]:
    """Solve deals under a progress bar on stderr (off when that is no terminal)."""
    from tqdm import tqdm

    from .answers import count_steps, solve_deals

    say_if_cold(*_SOLVER)
    total = count_steps(deals, wanted)
    with tqdm(total=total, unit="answer", disable=None, file=sys.stderr) as bar:

        def advance(steps: int) -> None:
            bar.update(steps)

        return solve_deals(deals, wanted, advance)


def _is_hands(source: str) -> bool:
    """Whether an argument is hands and no file: by its bars, or as a hand alone, to say so."""
    return "|" in source or _ONE_HAND.fullmatch(source) is not None


@click.command()
@click.argument("source", required=False)
@click.option(
    "--deal",
    "number",
    type=int,
    metavar="NUMBER",
    help="Solve the deal of this number: the three hands as dealt, without the talon.",
)
@click.option(
    "--strain",
    "strain_text",
    metavar="S|C|D|H|NT",
    help="Trump suit, ♠ ♣ ♦ ♥ too, or NT.  [default: that of the record or of the line]",
)
@click.option("--misere", is_flag=True, help="Misère: no trump, the declarer wants few tricks.")
@click.option(
    "--declarer",
    type=_HAND,
    metavar="HAND",
    help="Number of the declarer's hand: 0, 1 or 2 in the order of play.  "
    "[default: the record's, else 0]",
)
@click.option(
    "--leader",
    type=_HAND,
    metavar="HAND",
    help="Hand that leads, or led to the trick on the table.  [default: the record's, else 0]",
)
@click.option(
    "--on-table",
    "table_text",
    metavar='"CARDS"',
    help="Cards of a trick begun, the leader's first: '♠A ♠7'; the hands are without them.",
)
@click.option("--cards", is_flag=True, help="Show what each card is worth to the hand to play.")
@click.option("--line", is_flag=True, help="Show best play to the end, trick by trick.")
@click.option(
    "--table",
    is_flag=True,
    help="Show every strain and misère for every declarer; by the --leader, or by all three.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def solve(
    source: str | None,
    number: int | None,
    strain_text: str | None,
    misere: bool,
    declarer: int | None,
    leader: int | None,
    table_text: str | None,
    cards: bool,
    line: bool,
    table: bool,
    as_json: bool,
) -> None:
    """Solve deals with all cards open: how many tricks the declarer takes, both defenders against
    him.

    SOURCE is three hands in the order of play, suits ♠.♣.♦.♥, at most ten cards each; a hand
    without cards (...) does not play. Tricks are counted from here on.

    \b
      preferans solve "K.JT9.T87.KT8 | AQJT98.8.K9.A | .AKQ7.AQJ.QJ9" --strain S --declarer 1

    Or SOURCE is a file (- reads standard input), answered in a line for each deal, in JSON by a
    list. A file of hands has a deal in a line; # begins a comment, and what a line says goes
    before the options:

    \b
      A | B | C
      A | B | C ; S ; 1 ; 0           strain (or misere), declarer, leader

    A file of records (docs/records.md) is solved as recorded: hands after the discard, contract,
    declarer, first leader; here the options go before what is recorded.
    """
    with errors():
        if (source is None) == (number is None):
            raise click.UsageError("give hands or a file, or --deal NUMBER: one of them")
        if misere and strain_text is not None:
            raise click.UsageError("--misere and --strain exclude each other")
        from ..solver import MISERE_STRAIN
        from .answers import answer_json
        from .asked import Wanted, deal_of_number, deal_of_text, parse_cards, parse_strain
        from .report import answer_text, answers_text

        strain = MISERE_STRAIN if misere else None
        if strain_text is not None:
            strain = parse_strain(strain_text)
        on_table = parse_cards(table_text or "")
        wanted = Wanted(strain, declarer, leader, on_table, cards, table, line)
        if number is not None:
            say_if_cold(*_SOLVER)
            deal = deal_of_number(number, wanted)
        elif source is not None and _is_hands(source):
            deal = deal_of_text(source, wanted)
        else:
            deals, slips, where = _read_deals(Path(source or "-"), wanted)
            answers = _solve(deals, wanted)
            if as_json:
                print_json([answer_json(answer, wanted) for answer in answers])
            else:
                click.echo(answers_text(answers, wanted))
            tell_slips(slips, where)
            return
        (answer,) = _solve([deal], wanted)
        if as_json:
            print_json(answer_json(answer, wanted))
        else:
            click.echo(answer_text(answer, wanted))
