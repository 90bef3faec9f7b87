"""All stages in order, and the file that comes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scoring.result import MAX_PLAYERS
from scoring.variant import find_variant

from ..botcall import Bot
from .card_stage import fit_cards
from .closed import fit_declarer, fit_defence
from .fits import Array
from .misere import fit_misere
from .raspas import fit_raspas
from .recipe import STAGES, Recipe, TrainingError, check_player
from .settling import all_tables, format_fixpoints, settle_all, write_json
from .shards import Workshop
from .student import Student
from .tables import Errors, Tables, fit_tables, make_labels

VERSION = 1
Say = Callable[[str], None]
Saved = dict[str, Any]


def read_weights(path: Path) -> Saved:
    """What a file of tables says; empty if there is none. TrainingError if it is no such file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        tables, version = data["tables"], data["version"]
    except FileNotFoundError:
        return {"held_out": {}, "tables": {}}
    except (OSError, ValueError, KeyError, TypeError):
        raise TrainingError(f"{path} is no file of tables") from None
    if version != VERSION or not isinstance(tables, dict):
        raise TrainingError(f"{path} is of version {version}, this writes version {VERSION}")
    return {"held_out": data.get("held_out", {}), "tables": tables, **_parts(data)}


def _parts(data: Saved) -> Saved:
    """What there is besides tables: cards and fixpoints."""
    return {name: data[name] for name in ("cards", "fixpoints") if name in data}


def file_of(recipe: Recipe, bot: Bot, learned: Saved) -> Saved:
    """All that the file says."""
    return {
        "version": VERSION,
        "what": "expected tricks by ranks in a suit (bit 0 = seven), chances; thousandths. cards: "
        "weights of a policy of card play. fixpoints: how players of a variant answer each other",
        "made_by": "preferans train",
        "recipe": {"bot": bot.name, **recipe.told()},
        "held_out": learned["held_out"],
        "tables": learned["tables"],
        **_parts(learned),
    }


def _packed(tables: Tables) -> Saved:
    return {
        name: np.rint(1000 * table).astype(int).ravel().tolist() for name, table in tables.items()
    }


def _unpacked(saved: Saved) -> Tables:
    return {name: np.array(values) / 1000 for name, values in saved.items()}


def _needed(tables: Tables, path: Path) -> Tables:
    """The tables that played games correct."""
    if "open_play_trump" not in tables:
        raise TrainingError(f"stage closed needs the stage tables, run before or kept in {path}")
    return tables


def train(
    recipe: Recipe,
    student: Student,
    bot: Bot,
    path: Path,
    work: Path | None = None,
    stages: Sequence[str] = STAGES,
    workers: int | None = None,
    say: Say = print,
    only: Sequence[tuple[str, int]] = (),
) -> Errors:
    """Run stages, tell their errors on what was held out, and write the tables to ``path``.

    ``bot`` plays the games that tables are fitted to, ``student`` learns cards and fixpoints,
    ``only`` of these variants if there are any. What stages that are left out have made stays as it
    is in the file. The bytes depend on recipe, bot and these alone. Raises TrainingError, or
    BotError.
    """
    check_player(bot)
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise TrainingError(f"{path} cannot be written: write a file in a folder that is there")
    shop = Workshop(work, recipe.seed, workers)
    rules = [find_variant(name).rules(3) for name in recipe.variants]
    whole = set(stages) == set(STAGES) and not only
    learned = {"held_out": {}, "tables": {}} if whole else read_weights(path)
    for stage in STAGES:
        if stage not in stages:
            continue
        if stage == "labels":
            make_labels(recipe, shop)
        elif stage == "cards":
            cards = replace(recipe.cards, seed=recipe.cards.seed + recipe.seed)
            learned["cards"] = fit_cards(student, cards, work, say)
        elif stage == "environments":
            _settle(recipe, student, learned, work, only, say)
        else:
            tables = _unpacked(learned["tables"])
            found, errors = _run(stage, recipe, shop, rules, bot, tables, path)
            learned["tables"] |= _packed(found)
            learned["held_out"] |= {name: round(value, 4) for name, value in errors.items()}
            for name, value in errors.items():
                say(f"{stage}: {name.replace('_', ' ')} {value:.3f}")
    write_json(path, file_of(recipe, bot, learned))
    return dict(learned["held_out"])


def _settle(
    recipe: Recipe,
    student: Student,
    learned: Saved,
    work: Path | None,
    only: Sequence[tuple[str, int]],
    say: Say,
) -> None:
    """The fixpoints of what is learned so far; those of other variants than ``only`` stay."""
    if "cards" not in learned or "play_trump" not in learned["tables"]:
        raise TrainingError("stage environments needs what all stages before it make")
    sizes = recipe.environments
    tables = list(only) or all_tables(sizes)
    with student.taught({**learned, "fixpoints": []}):
        found = settle_all(student, tables, recipe.seed, sizes, work, say)
    say(format_fixpoints(found))
    made = {(one["variant"], one["players"]): one for one in found}
    kept = {(one["variant"], one["players"]): one for one in learned.get("fixpoints", []) if only}
    learned["fixpoints"] = [one for _, one in sorted({**kept, **made}.items())]


def _run(
    stage: str,
    recipe: Recipe,
    shop: Workshop,
    rules: list[Array],
    bot: Bot,
    tables: Tables,
    path: Path,
) -> tuple[Tables, Errors]:
    if stage == "tables":
        return fit_tables(recipe, shop)
    if stage == "closed":
        found, errors = fit_declarer(recipe, shop, rules, bot, _needed(tables, path))
        defence, more = fit_defence(recipe, shop, rules, bot)
        return found | defence, errors | more
    if stage == "raspas":
        names = recipe.variants[:1]
        four = [find_variant(name).rules(MAX_PLAYERS) for name in names]
        return fit_raspas(recipe, shop, rules, four, bot)
    return fit_misere(recipe, shop)
