"""Protocols for tests: made of parts, kept as pulkas, refused, and scored by the command."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import Done, refused, run

from scoring.protocol.keeping import Pulka, keep_protocol
from scoring.protocol.reading import ProtocolError, parse_protocol
from scoring.score_sheet import ScoreSheet
from scoring.variant import find_variant, variant_names

EXAMPLES = Path(__file__).parent / "examples"
NAMES = ("Anna", "Boris", "Vera", "Gleb")
LONGEST = 500
"""Characters of the longest sentence that a person reads on a terminal."""
TWO = tuple(name for name in variant_names() if find_variant(name).has_pool)
THREE = tuple(name for name in TWO if 3 in find_variant(name).players)
"""Variants with a pool that two play, and that three play."""
REFET = tuple(name for name in variant_names() if find_variant(name).has_columns)
"""Variants of the refet game."""
HEAD = 'players = ["Anna", "Boris", "Vera"]\nvariant = "sochi"\n'
"""The head of a protocol in TOML."""


def protocol(*deals: Any, players: int = 3, variant: str = "sochi", **head: Any) -> str:
    """A protocol in JSON; the last player deals first, as where the file names no dealer."""
    data = {"players": NAMES[:players], "variant": variant, **head, "deals": deals}
    return json.dumps(data, ensure_ascii=False)


def game(*deals: Any, players: int = 3, variant: str = "sochi", **head: Any) -> Pulka:
    """The pulka of these entries."""
    return game_of(protocol(*deals, players=players, variant=variant, **head))


def game_of(text: str) -> Pulka:
    """The pulka of a text in TOML or JSON."""
    return keep_protocol(parse_protocol(text, "game"))


def refusal(*deals: Any, **head: Any) -> str:
    """The sentence with which a protocol is refused, without the name of the file."""
    with pytest.raises(ProtocolError) as caught:
        game(*deals, **head)
    message = str(caught.value)
    assert message.startswith("game: ")
    return message.removeprefix("game: ")


def example(name: str) -> Pulka:
    """The pulka of an example protocol."""
    return game_of((EXAMPLES / name).read_text(encoding="utf-8"))


@functools.cache
def warm() -> None:
    """Compile the scorer, so that the command does not tell of it."""
    ScoreSheet(find_variant("sochi")).settle()


def score(*arguments: object, code: int = 0) -> Done:
    """``preferans score`` in this process."""
    warm()
    return run("score", *arguments, code=code)


def score_json(*arguments: object) -> Any:
    """What ``preferans score --json`` prints."""
    return json.loads(score(*arguments, "--json").out)


def score_refused(*arguments: object, code: int = 2) -> str:
    """The one sentence with which ``preferans score`` refuses."""
    warm()
    return refused("score", *arguments, code=code)


def refused_text(text: str | bytes, path: Path, *arguments: object) -> str:
    """The sentence with which a protocol of this text is refused, after the name of the file."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    message = score_refused(path, *arguments)
    assert message.startswith(f"{path}: "), message
    message = message.removeprefix(f"{path}: ")
    assert len(message) <= LONGEST and message.isprintable()
    return message


def results(pulka: Pulka) -> dict[str, str]:
    """Results in whists by player, exact."""
    return dict(zip(pulka.names, map(str, pulka.sheet.settle()), strict=True))


def whists(pulka: Pulka) -> dict[tuple[str, str], str]:
    """The whists that stand on the sheet, by writer and on whom."""
    return {
        (writer, on): str(amount)
        for writer, row in zip(pulka.names, pulka.sheet.whists, strict=True)
        for on, amount in zip(pulka.names, row, strict=True)
        if amount
    }


def column(names: Sequence[str], values: Sequence[Any]) -> dict[str, str]:
    """A column of the sheet by player, without those who have nothing."""
    return {name: str(x) for name, x in zip(names, values, strict=True) if x}
