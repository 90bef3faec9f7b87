"""What a training run is made of: sizes, seed, variants, and the bot that plays."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from scoring.errors import WrongUse

from ..botcall import Bot

STAGES = ("labels", "tables", "closed", "raspas", "misere")
"""In the order they run; each uses what those before it made."""


class TrainingError(WrongUse):
    """Arguments of a training run that do not fit: one sentence saying what is allowed."""


@dataclass(frozen=True)
class Recipe:
    """Sizes are numbers of shards and of deals in each; every ``hold_out``-th shard is kept from
    the fits and tells their errors."""

    seed: int = 0
    shard: int = 4096
    random: int = 80
    own: int = 50
    closed: int = 240
    defence: int = 240
    raspas: int = 640
    miseres: int = 40
    catch: int = 1024
    bids: int = 1024
    hold_out: int = 8
    variants: tuple[str, ...] = ("sochi", "rostov")

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "variants": list(self.variants)}


FULL = Recipe()
QUICK = replace(
    FULL, shard=512, random=6, own=4, closed=8, defence=8, raspas=16, miseres=4, catch=96, bids=64,
    hold_out=4,
)  # fmt: skip
"""For a try: the same steps, in seconds."""


def check_player(bot: Bot) -> None:
    """TrainingError unless the bot is a compiled one."""
    if bot.needs is None:
        raise TrainingError(
            f"bot {bot.name} is an outside bot: only a jitted one plays enough games to train on"
        )


def digest_of(*parts: Any) -> str:
    """A short digest of what a shard depends on besides its number."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
