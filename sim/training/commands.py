"""The commands ``train`` and ``tune``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli_tools import SETTINGS, SHARDS_KEPT, VARIANT, errors, say_if_cold

if TYPE_CHECKING:
    from scoring.variant import Variant

    from ..botcall import Bot
    from .student import Student

_OUT = Path(__file__).resolve().parents[2] / "bots" / "weights" / "expert.json"


def _read_stages(text: str) -> list[str]:
    """Stages named with commas between them. TrainingError for another word."""
    from .recipe import STAGES, TrainingError

    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in STAGES:
            raise TrainingError(f"stage {word!r} is not known: write some of {', '.join(STAGES)}")
    return words


def train_command(
    find_bot: Callable[[str], Bot], find_student: Callable[[], Student]
) -> click.Command:
    """The command, which is handed what finds a bot by its name, and the one who learns."""

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
        "--bot",
        "bot_text",
        default="cautious",
        show_default=True,
        help="The bot that plays the games of the stages closed and raspas.",
    )
    @click.option("--quick", is_flag=True, help="Small sizes: a try, not for use.")
    @click.option(
        "--stages",
        "stages_text",
        default="labels,tables,closed,raspas,misere,cards,environments",
        show_default=True,
        metavar="A[,B...]",
        help="Run these alone; what the others made stays as it is in the file.",
    )
    @click.option(
        "--variants",
        default=None,
        metavar="NAME[/PLAYERS],...",
        help="Variants of the stage environments; fixpoints of the others stay.  [default: all]",
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
        variants: str | None,
        workers: int | None,
    ) -> None:
        """Teach `expert` all that it knows: solve deals, let bots play, fit, and tell the errors.

        labels and tables: tricks by a hand with the cards open. closed: the same as they are
        played, and the defence. raspas, misere: what they say. cards: which card to play.
        environments: how the players of each variant answer each other.
        """
        with errors(SHARDS_KEPT if work is not None else ""):
            say_if_cold()
            from . import pipeline
            from .recipe import FULL, QUICK
            from .settling import parse_tables

            recipe = replace(QUICK if quick else FULL, seed=seed)
            stages = _read_stages(stages_text)
            bot = find_bot(bot_text)
            only = parse_tables(variants) if variants else []
            student = find_student()
            pipeline.train(recipe, student, bot, out, work, stages, workers, click.echo, only)

    return train


def tune_command(find_student: Callable[[], Student]) -> click.Command:
    """The command, which is handed the one who learns."""

    @click.command()
    @click.argument("variant", type=VARIANT)
    @click.option("--players", type=int, default=None, help="Players, as the variant allows.")
    @SETTINGS
    @click.option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=False),
        default=None,
        help="File to write.  [default: one in your own folder, where `expert` finds it]",
    )
    @click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of deals.")
    @click.option("--quick", is_flag=True, help="Small sizes: a try, not for use.")
    def tune(
        variant: Variant,
        players: int | None,
        settings: Sequence[str],
        out: Path | None,
        seed: int,
        quick: bool,
    ) -> None:
        """Let `expert` learn a VARIANT of your own: how its players answer each other.

        VARIANT is a name or a file. It takes a minute or two; `expert` then plays any game with
        these conventions by what was found. Printed is what the play from a timid, a neutral and a
        bold start settles to, and what a player would win by moving one of his thresholds.
        """
        with errors():
            say_if_cold()
            from scoring.variant import parse_setting

            from .recipe import FULL, QUICK
            from .tuning import tune_variant

            chosen = variant.with_settings(dict(parse_setting(text) for text in settings))
            sizes = (QUICK if quick else FULL).environments
            tune_variant(find_student(), chosen, players, seed, sizes, out, click.echo)

    return tune
