"""Bots: one file each. Names and descriptions are read without importing the files."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scoring.errors import WrongUse, nearest, one_line

if TYPE_CHECKING:
    from sim.botcall import Bot

FOLDER = Path(__file__).parent


class UnknownBot(WrongUse):
    """A bot that cannot be found or loaded: one sentence with what is allowed."""


def _is_bot(node: ast.stmt) -> bool:
    """A function under ``@bot(...)``, or a class with a method ``act``."""
    if isinstance(node, ast.FunctionDef):
        calls = (d.func for d in node.decorator_list if isinstance(d, ast.Call))
        return any(isinstance(f, ast.Name) and f.id == "bot" for f in calls)
    if isinstance(node, ast.ClassDef):
        return any(isinstance(x, ast.FunctionDef) and x.name == "act" for x in node.body)
    return False


@functools.cache
def _scan(folder: Path) -> dict[str, tuple[str, str]]:
    """Name of each shipped bot -> (module, first line of its docstring); each folder is read
    once."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and _is_bot(node):
                text = (ast.get_docstring(node) or "").strip().splitlines()
                found[node.name] = (path.stem, text[0] if text else "")
    return found


def bot_descriptions() -> dict[str, str]:
    """Shipped bots by name, with a line each."""
    return {name: text for name, (_, text) in sorted(_scan(FOLDER).items())}


def _parse_options(text: str, words: list[str]) -> dict[str, float | str]:
    """Numbers where they are numbers, else texts."""
    options: dict[str, float | str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise UnknownBot(f"bot {text!r}: write options as NAME@key=number, not {word!r}")
        try:
            options[key] = float(value)
        except ValueError:
            options[key] = value
    return options


def _load_file(path: Path, text: str) -> ModuleType:
    """Import a user's file under its stem, which numba's cache needs to find it again."""
    if not path.is_file():
        raise UnknownBot(f"bot {text!r}: there is no file {path}")
    stem = path.stem
    loaded = sys.modules.get(stem)
    if loaded is not None:
        if Path(getattr(loaded, "__file__", None) or "").resolve() == path.resolve():
            return loaded
        raise UnknownBot(f"bot {text!r}: a module {stem} is loaded already; rename the file")
    if importlib.util.find_spec(stem) is not None and stem not in _own_stem(path):
        raise UnknownBot(f"bot {text!r}: a module {stem} exists already; rename the file")
    spec = importlib.util.spec_from_file_location(stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[stem] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[stem]
        raise UnknownBot(
            f"bot {text!r}: {path} cannot be imported: {type(error).__name__}: {one_line(error)}"
        ) from error
    return module


def _own_stem(path: Path) -> set[str]:
    """The stem itself where the search path finds this very file."""
    spec = importlib.util.find_spec(path.stem)
    same = spec is not None and spec.origin and Path(spec.origin).resolve() == path.resolve()
    return {path.stem} if same else set()


def _from_file(text: str, target: str) -> tuple[Any, Path]:
    file, _, name = target.rpartition(":")
    path = Path(file)
    module = _load_file(path, text)
    maker = getattr(module, name, None)
    if maker is None:
        raise UnknownBot(f"bot {text!r}: {path} has no {name!r}")
    return maker, path


def _from_package(text: str, name: str) -> tuple[Any, Path]:
    shipped = _scan(FOLDER)
    if name not in shipped:
        near = nearest(name, shipped, cutoff=0.5)
        raise UnknownBot(
            f"bot {name!r} is not known{near} (bots: {', '.join(sorted(shipped))}, "
            "or a file: mybots.py:Name)"
        )
    stem = shipped[name][0]
    return getattr(importlib.import_module(f"bots.{stem}"), name), FOLDER / f"{stem}.py"


def _digest(path: Path) -> str:
    """Digest of a bot's file; of a shipped one with all that shipped bots share."""
    files = [path]
    if path.parent == FOLDER:
        files = sorted([*FOLDER.rglob("*.py"), *FOLDER.rglob("*.json")])
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def find_bot(text: str) -> Bot:
    """The bot written as ``NAME``, ``path/to/file.py:Name``, each with ``@key=value`` options.

    Raises UnknownBot, or ``sim.botcall.BotError`` for something that is no bot.
    """
    from sim.botcall import Bot, BotError

    target, *words = text.strip().split("@")
    if not target:
        raise UnknownBot("a bot's name is empty")
    options = _parse_options(text, words)
    try:
        maker, path = (_from_file if ".py:" in target else _from_package)(text, target)
    except BotError as error:
        raise UnknownBot(f"bot {text!r}: {error}") from error
    found = Bot(text.strip(), maker, options, _digest(path))
    found.check()
    return found
