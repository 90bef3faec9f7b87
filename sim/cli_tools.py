"""What all commands share: the variant parameter, errors as sentences, JSON, the cold start."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType

INTERRUPTED = 130
SHARDS_KEPT = "finished shards are kept"


class _Variant(ParamType):
    """A variant's name, alias or path."""

    name = "variant"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from scoring.variant import VariantError, find_variant

        try:
            return find_variant(value) if isinstance(value, str) else value
        except VariantError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from scoring.variant import variant_names

        return [CompletionItem(n) for n in variant_names() if n.startswith(incomplete)]


VARIANT = _Variant()
SETTINGS = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a convention, e.g. raspas.price=10; may be repeated.",
)
"""The option of a house variant, the same for every command that has it."""


@contextlib.contextmanager
def errors(kept: str = "") -> Iterator[None]:
    """Project errors as one sentence: exit code 2 for wrong arguments, 1 for failures; Ctrl-C says
    what is ``kept``."""
    from scoring.errors import PreferansError, WrongUse

    try:
        yield
    except WrongUse as error:
        raise click.UsageError(str(error)) from error
    except PreferansError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"stopped; {kept}" if kept else "stopped", err=True)
        sys.exit(INTERRUPTED)


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def say_if_cold(what: str = "the engine", how_long: str = "about a minute") -> None:
    """Tell of the first compilation, before the import that starts it."""
    from scoring.kernel import is_cold

    if is_cold():
        click.echo(f"compiling {what}, once: this takes {how_long}", err=True)


def read_input(path: Path) -> tuple[str, str]:
    """The text of a file by hand, from standard input for ``-``, and its name in errors."""
    from scoring.protocol.reading import ProtocolError, read_text

    if str(path) != "-":
        return read_text(path), str(path)
    if sys.stdin is None:
        raise ProtocolError("standard input cannot be read")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig"), "standard input"
    except UnicodeDecodeError as error:
        raise ProtocolError(f"standard input is not text in UTF-8: {error.reason}") from None


def tell_slips(slips: list[str], where: str) -> None:
    """Print the slips of a game in PPN on stderr and fail, if it has any. PreferansError."""
    from scoring.errors import PreferansError

    for slip in slips:
        click.echo(slip, err=True)
    if slips:
        count = "1 slip" if len(slips) == 1 else f"{len(slips)} slips"
        raise PreferansError(f"{where} has {count}, told above; what is written is by the rules")
