"""Reading PPN (Portable Preferans Notation), the notation of the Serbian game, in all its forms."""

from __future__ import annotations

from pathlib import Path

from ..reading import ProtocolError
from .jsonform import DEAL_ORDER, read_ppn_json
from .model import PpnGame
from .text import is_ppn_line, read_ppn_text


def is_ppn(path: Path, text: str) -> bool:
    """Whether a file is in PPN, by its suffix or its beginning."""
    return path.suffix.casefold() == ".ppn" or looks_like_ppn(text)


def looks_like_ppn(text: str) -> bool:
    """Whether a text begins like PPN: with a tag or a deal, or as JSON with an order of dealing."""
    if _is_json(text):
        return f'"{DEAL_ORDER}"' in text
    return is_ppn_line(text.lstrip().partition("\n")[0].strip())


def _is_json(text: str) -> bool:
    """Whether a text begins like JSON; a line of text in square brackets begins with a word."""
    start = "".join(text.split(maxsplit=2)[:2])[:2]
    return start[:1] == "{" or start in ("[{", "[]")


def read_ppn(text: str, where: str) -> PpnGame:
    """The game in a text; ``where`` names it in errors. ProtocolError."""
    game = (read_ppn_json if _is_json(text) else read_ppn_text)(text, where)
    if not game.deals:
        raise ProtocolError(f"{where}: there are no deals")
    return game
