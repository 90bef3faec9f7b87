"""What the command ``analyze`` does: deals of a file or of a run judged with all cards open."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cli_tools import print_json, tell_slips
from ..convert.commands import Find, deals_in_file, deals_in_run, file_title, run_title

if TYPE_CHECKING:
    from ..store import Dataset
    from . import Analysis

Judged = list[tuple[str, dict[str, Any], "Analysis"]]
"""A title, what names the deal in JSON, and the analysis."""


def _under_a_bar(deals: Iterable[tuple[str, dict[str, Any], Analysis]]) -> Judged:
    """All of them, with a bar on stderr (off when that is no terminal)."""
    from tqdm import tqdm

    return list(tqdm(deals, unit="deal", disable=None, file=sys.stderr))


def _tell(judged: Judged, as_json: bool) -> None:
    """Print analyses; PreferansError if the rules of no deal allow one."""
    from scoring.errors import PreferansError

    from .report import analysis_json, format_analysis

    if judged and all(one.outside for _, _, one in judged):
        title, _, one = judged[0]
        raise PreferansError(f"{title} cannot be judged: {one.outside}")
    if as_json:
        print_json([{**names, **analysis_json(one)} for _, names, one in judged])
        return
    click.echo("\n\n".join(f"{title}\n{format_analysis(one)}" for title, _, one in judged))


def analyze_file(path: Path, deal: int | None, as_json: bool) -> None:
    """Judge the deals of a file of records, or one of them (from 1)."""
    from . import analyse

    played, where, slips = deals_in_file(path, deal)

    def judged() -> Iterator[tuple[str, dict[str, Any], Analysis]]:
        for k, one in played:
            yield file_title(one, k, where), {"deal": k}, analyse(one.story, one.table)

    _tell(_under_a_bar(judged()), as_json)
    tell_slips(slips, where)


def analyze_run(dataset: Dataset, pulka: int, find: Find, deal: int | None, as_json: bool) -> None:
    """Judge a deal of a run, or all of a pulka. ``find`` finds decisions."""
    from . import analyse

    def judged() -> Iterator[tuple[str, dict[str, Any], Analysis]]:
        for k, story, table in deals_in_run(dataset, pulka, find, deal):
            names = {"pulka": pulka, "deal": k}
            yield run_title(dataset, pulka, k), names, analyse(story, table)

    _tell(_under_a_bar(judged()), as_json)
