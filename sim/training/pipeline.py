"""All stages in order, and the file of tables that comes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scoring.result import MAX_PLAYERS
from scoring.variant import find_variant

from ..botcall import Bot
from .closed import fit_declarer, fit_defence
from .fits import Array
from .misere import fit_misere
from .raspas import fit_raspas
from .recipe import STAGES, Recipe, TrainingError, check_player
from .shards import Workshop
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
    return {"held_out": data.get("held_out", {}), "tables": tables}


def write_weights(path: Path, recipe: Recipe, bot: Bot, held_out: Saved, tables: Saved) -> None:
    """Write the file under a temporary name, then rename it."""
    data = {
        "version": VERSION,
        "what": "expected tricks by ranks in a suit (bit 0 = seven), chances; thousandths",
        "made_by": "preferans train",
        "recipe": {"bot": bot.name, **recipe.as_json()},
        "held_out": held_out,
        "tables": tables,
    }
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    temporary.replace(path)


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
    bot: Bot,
    path: Path,
    work: Path | None = None,
    stages: Sequence[str] = STAGES,
    workers: int | None = None,
    say: Say = print,
) -> Errors:
    """Run stages, tell their errors on what was held out, and write the tables to ``path``.

    Tables of stages that are left out stay as they are in the file. The bytes depend on recipe,
    bot and these alone. Raises TrainingError, or BotError.
    """
    check_player(bot)
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise TrainingError(f"{path} cannot be written: write a file in a folder that is there")
    shop = Workshop(work, recipe.seed, workers)
    rules = [find_variant(name).rules(3) for name in recipe.variants]
    old = read_weights(path) if set(stages) != set(STAGES) else {"held_out": {}, "tables": {}}
    tables, held_out = _unpacked(old["tables"]), dict(old["held_out"])
    for stage in STAGES:
        if stage not in stages:
            continue
        if stage == "labels":
            make_labels(recipe, shop)
            continue
        found, errors = _run(stage, recipe, shop, rules, bot, tables, path)
        tables |= found
        held_out |= {name: round(value, 4) for name, value in errors.items()}
        for name, value in errors.items():
            say(f"{stage}: {name.replace('_', ' ')} {value:.3f}")
    write_weights(path, recipe, bot, held_out, _packed(tables))
    return held_out


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
