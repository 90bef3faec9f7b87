"""What a training run is made of: sizes, seed, variants, and the bot that plays."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from scoring.errors import WrongUse

from ..botcall import Bot
from .cards import FULL as CARDS
from .cards import QUICK as QUICK_CARDS
from .cards import Recipe as Cards

STAGES = ("labels", "tables", "closed", "raspas", "misere", "cards", "environments")
"""In the order they run; each uses what those before it made."""
_LATER = ("cards", "environments")


class TrainingError(WrongUse):
    """Arguments of a training run that do not fit: one sentence saying what is allowed."""


@dataclass(frozen=True)
class Settling:
    """Sizes of the stage ``environments``: deals explored in a round, rounds, deals in which shifts
    are tried, the shifts, how often one that pays is made; ``variants``, or all that are there."""

    explored: int = 12_000
    rounds: int = 12
    paired: int = 40_000
    shifts: tuple[float, ...] = (-0.5, 0.5)
    more: int = 4
    variants: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What a fixpoint depends on."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if name != "variants"
        }


@dataclass(frozen=True)
class Recipe:
    """Sizes are numbers of shards and of deals in each; every ``hold_out``-th shard is kept from
    the fits and tells their errors. ``cards`` and ``environments`` are those of their stages."""

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
    cards: Cards = CARDS
    environments: Settling = Settling()

    def as_json(self) -> dict[str, Any]:
        """What tables depend on: all but the sizes of the last stages."""
        own = {name: value for name, value in asdict(self).items() if name not in _LATER}
        return {**own, "variants": list(self.variants)}

    def told(self) -> dict[str, Any]:
        """All of it."""
        cards, settling = asdict(self.cards), self.environments.as_json()
        return {**self.as_json(), "cards": cards, "environments": settling}


FULL = Recipe()
QUICK = replace(
    FULL, shard=512, random=6, own=4, closed=8, defence=8, raspas=16, miseres=4, catch=96, bids=64,
    hold_out=4, cards=QUICK_CARDS,
    environments=Settling(
        explored=400, rounds=2, paired=300, shifts=(0.5,), more=0, variants=("sochi",)
    ),
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
