"""The house rule about imports, read from the sources: who may use whom.

``scoring`` knows no cards; the rules core of ``sim`` knows no bots; bots see what their player may
know; programs are handed bots; the command line is on top of everything.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("scoring", "sim", "bots")

SIM_LAYERS = (
    {"state", "cards", "clean", "rng", "deals", "refet_words"},
    {"auction", "bidding", "talon", "rows", "whist", "follow", "play"},
    {
        *("view", "botcall", "pulka", "engine", "table", "batch"),
        *("rollout", "standing", "solver", "records", "worlds"),
    },
)
"""Modules of ``sim`` from below; every other module is a program (schema, store, run, analysis,
report, duel, training, ...), a layer above these and below ``cli``."""
PROGRAM, CLI = len(SIM_LAYERS), len(SIM_LAYERS) + 1

BOTS_MAY_USE = {
    *("botcall", "cards", "clean", "rng", "state"),
    *("solver", "rollout", "standing", "worlds"),
}
NUMBERS = {"numpy", "numba", "llvmlite"}
"""What ``scoring`` may import besides the standard library."""


@dataclass(frozen=True)
class Import:
    """One import: the importing module, the imported one (full names), and where it stands."""

    source: str
    target: str
    lazy: bool  # inside a function
    typing: bool  # for the type checker only
    line: int

    def __str__(self) -> str:
        return f"{self.source} imports {self.target} (line {self.line})"


def modules() -> dict[str, Path]:
    """Full name of each module of the project and its file."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = list(path.relative_to(ROOT).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _targets(node: ast.stmt, module: str, is_package: bool) -> Iterator[str]:
    """Full names of what an import statement names, relative ones resolved."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parts = module.split(".")
            home = parts[: len(parts) - node.level + is_package]
            base = ".".join([*home, base] if base else home)
        for alias in node.names:
            inner = f"{base}.{alias.name}"
            yield inner if inner in MODULES else base


def _walk(
    node: ast.AST, lazy: bool = False, typing: bool = False
) -> Iterator[tuple[ast.stmt, bool, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, lazy, typing
        inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        guard = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        yield from _walk(child, lazy or inside, typing or guard)


def read_imports() -> list[Import]:
    """All imports of the project's modules."""
    found = []
    for module, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, lazy, typing in _walk(tree):
            for target in _targets(node, module, path.name == "__init__.py"):
                found.append(Import(module, target, lazy, typing, node.lineno))
    return found


MODULES = modules()
IMPORTS = read_imports()


def package(name: str) -> str:
    return name.split(".")[0]


def layer(name: str) -> int:
    """Layer of a module of ``sim`` (the package itself is empty: the lowest)."""
    parts = name.split(".")
    if len(parts) == 1:
        return 0
    if parts[1] == "cli" or parts[-1] == "commands":
        return CLI
    layers = (k for k, names in enumerate(SIM_LAYERS) if parts[1] in names)
    return next(layers, PROGRAM)


def assert_none(wrong: list[Import]) -> None:
    assert not wrong, "; ".join(map(str, wrong))


def test_the_reader_of_imports_reads() -> None:
    """A relative, an absolute, and a lazy import that are known to exist are seen."""
    pairs = {(one.source, one.target): one for one in IMPORTS}
    assert ("sim.pulka", "sim.auction") in pairs and ("sim.pulka", "scoring.kernel") in pairs
    assert ("bots.api", "sim.botcall") in pairs and ("bots.uniform", "bots.api") in pairs
    assert any(one.lazy for one in IMPORTS if one.source == "bots")
    assert layer("sim.state") < layer("sim.play") < layer("sim.engine") < PROGRAM < CLI
    assert layer("sim.training.tables") == PROGRAM and layer("sim.cli") == CLI


def test_scoring_stands_alone() -> None:
    """``scoring`` imports itself, the standard library, NumPy and numba.

    The PNG drawing alone imports matplotlib, when it draws.
    """
    allowed = {"scoring", *NUMBERS, *sys.stdlib_module_names}
    drawing = [x for x in IMPORTS if x.source == "scoring.drawing.png" and x.lazy]
    assert {package(x.target) for x in drawing} == {"matplotlib"}
    ours = [x for x in IMPORTS if package(x.source) == "scoring" and x not in drawing]
    assert_none([x for x in ours if package(x.target) not in allowed])


def test_sim_imports_downwards() -> None:
    """A module of ``sim`` imports modules of its own layer or below."""
    inner = [x for x in IMPORTS if package(x.source) == package(x.target) == "sim"]
    assert_none([x for x in inner if layer(x.target) > layer(x.source)])


def test_sim_is_handed_bots() -> None:
    """Only the command line imports ``bots``, inside functions."""
    to_bots = [x for x in IMPORTS if package(x.source) == "sim" and package(x.target) == "bots"]
    assert_none([x for x in to_bots if layer(x.source) != CLI or not x.lazy])


def test_bots_see_little() -> None:
    """A bot imports ``scoring``, other bots, and the few modules of ``sim`` made for bots."""
    of_sim = [x for x in IMPORTS if package(x.source) == "bots" and package(x.target) == "sim"]
    assert_none([x for x in of_sim if x.target.split(".")[1:] not in [[m] for m in BOTS_MAY_USE]])


def test_nothing_imports_the_command_line() -> None:
    """``sim.cli`` is the top."""
    assert_none([x for x in IMPORTS if x.target == "sim.cli" or x.target.startswith("sim.cli.")])


def test_no_circles() -> None:
    """Imports that run when a module is loaded form no circle."""
    after: dict[str, set[str]] = {name: set() for name in MODULES}
    for one in IMPORTS:
        if one.target in MODULES and one.target != one.source and not (one.lazy or one.typing):
            after[one.source].add(one.target)
    while free := [name for name, needs in after.items() if not needs]:
        for name in free:
            del after[name]
        for needs in after.values():
            needs.difference_update(free)
    assert not after, f"modules in a circle of imports: {sorted(after)}"


def loaded_modules(code: str) -> set[str]:
    """Top-level modules that a fresh Python has loaded after some code."""
    script = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_names_of_bots_need_no_numba() -> None:
    """``--help`` lists the bots without the second that numba takes."""
    assert "numba" not in loaded_modules("import bots; assert bots.bot_descriptions()")


@pytest.mark.skipif("sim.cli" not in MODULES, reason="there is no sim.cli yet")
def test_the_command_line_needs_no_numba() -> None:
    """Nor does the command line until something is played."""
    assert "numba" not in loaded_modules("import sim.cli")
