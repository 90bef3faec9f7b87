"""The command ``train``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli_tools import SHARDS_KEPT, errors, say_if_cold

if TYPE_CHECKING:
    from ..botcall import Bot

_OUT = Path(__file__).resolve().parents[2] / "bots" / "weights" / "expert.json"


def _read_stages(text: str) -> list[str]:
    """Stages named with commas between them. TrainingError for another word."""
    from .recipe import STAGES, TrainingError

    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in STAGES:
            raise TrainingError(f"stage {word!r} is not known: write some of {', '.join(STAGES)}")
    return words


def train_command(find_bot: Callable[[str], Bot]) -> click.Command:
    """The command, which is handed what finds a bot by its name."""

    @click.command()
    @click.option(
        "--out", type=click.Path(path_type=Path), default=_OUT, help="File of tables to write.  "
        "[default: that of the bot]",
    )  # fmt: skip
    @click.option(
        "--work",
        type=click.Path(path_type=Path),
        default=None,
        help="Folder that keeps finished shards: an interrupted run goes on from there.",
    )
    @click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Seed of deals and games.",
    )
    @click.option(
        "--bot", "bot_text", default="cautious", show_default=True, help="The bot that plays."
    )
    @click.option("--quick", is_flag=True, help="Small sizes: a try, not for use.")
    @click.option(
        "--stages",
        "stages_text",
        default="labels,tables,closed,raspas,misere",
        show_default=True,
        metavar="A[,B...]",
        help="Run these alone; tables of the others stay as they are in the file.",
    )
    @click.option(
        "--workers",
        type=click.IntRange(min=1),
        default=None,
        help="Worker threads; results do not depend on it.  [default: all cores]",
    )
    def train(
        out: Path,
        work: Path | None,
        seed: int,
        bot_text: str,
        quick: bool,
        stages_text: str,
        workers: int | None,
    ) -> None:
        """Train the tables of a bot: solve deals, let a bot play, fit, and tell the errors."""
        with errors(SHARDS_KEPT if work is not None else ""):
            say_if_cold()
            from . import pipeline
            from .recipe import FULL, QUICK

            recipe = replace(QUICK if quick else FULL, seed=seed)
            stages = _read_stages(stages_text)
            bot = find_bot(bot_text)
            pipeline.train(recipe, bot, out, work, stages, workers, click.echo)

    return train
