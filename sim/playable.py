"""Which conventions the engine plays; a variant that asks for more is refused, not bent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.errors import WrongUse
from scoring.variant import Variant, find_variant, toml_value, variant_names

PLAYERS = (3, 4)
"""Numbers of players the engine plays."""

PLAYED: Mapping[str, tuple[Any, ...]] = {}
"""Values the engine plays, of the conventions of which it does not play all."""


class NotPlayable(WrongUse):
    """A variant the engine cannot play: one sentence naming the conventions and what is played."""


def check_playable(variant: Variant) -> None:
    """NotPlayable if the variant has a convention that the engine does not play."""
    asked = [key for key, values in PLAYED.items() if variant.conventions[key] not in values]
    if asked:
        said = ", ".join(f"{key} = {toml_value(variant.conventions[key])}" for key in asked)
        ways = " ".join(f"--set '{key}={toml_value(PLAYED[key][0])}'" for key in asked)
        raise NotPlayable(
            f"{variant.name} can be scored but not yet played, because of {said}; "
            f"to play it without, give {ways}"
        )


def is_playable(variant: Variant) -> bool:
    """Whether the engine plays every convention of the variant."""
    return all(variant.conventions[key] in values for key, values in PLAYED.items())


def playable_names() -> tuple[str, ...]:
    """Names of the shipped variants the engine plays."""
    return tuple(name for name in variant_names() if is_playable(find_variant(name)))
