"""The figures of a match: differences of pairs, their parts, and the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scoring.result import UNIT

from ..analysis import Estimate
from .match import Array, Match
from .parts import ALIKE
from .seatings import LETTERS
from .tally import Tally


class PairTally(Tally):
    """The sums of a pair: its difference, the same of A among B's and of B among A's, and the parts
    of the whole."""

    WHOLE, N_WHOLE = 0, 3

    @staticmethod
    def question(lone: int) -> int:
        """The column of A among B's, or of B among A's."""
        return 1 + lone

    def __init__(self, match: Match) -> None:
        mean = UNIT * (match.players - 1)
        whole = mean * len(match.seatings)
        super().__init__([whole, *(mean * match.players,) * 2, *(whole,) * len(match.parts)])
        self.seatings = match.seatings
        self.alike = 0
        self.parted = [0] * len(match.parts)

    def add_parts(self, parts: Array) -> None:
        """Count the tables that differ first in each part; parts by (deal, seating)."""
        for k in range(len(self.parted)):
            self.parted[k] += int((parts == k).sum())
        self.alike += int((parts == ALIKE).sum())

    @property
    def difference(self) -> Estimate:
        """A's value minus B's, in whists a deal."""
        return self.estimate(self.WHOLE)

    def part(self, k: int) -> Estimate:
        """What of the difference is laid to a part."""
        return self.estimate(self.N_WHOLE + k)

    def share(self, tables: int) -> float:
        """So many of all tables as a share."""
        return tables / (self.n * len(self.seatings))

    def questions(self) -> dict[str, Estimate]:
        """The difference of A among B's, and of B among A's where this was played."""
        asked = dict.fromkeys(one.lone for one in self.seatings)
        names = {
            lone: f"{LETTERS[lone].lower()}_among_{LETTERS[1 - lone].lower()}" for lone in asked
        }
        return {name: self.estimate(self.question(lone)) for lone, name in names.items()}


class Results:
    """What a match has come to so far."""

    def __init__(self, match: Match, until: float | None) -> None:
        self.match = match
        self.until = until
        self.pairs = [PairTally(match) for _ in match.pairs]
        opponents = len(match.bots) - 1
        unit = self.pairs[0].units[PairTally.WHOLE] * opponents
        self.bots = Tally([unit] * len(match.bots))

    @property
    def n(self) -> int:
        """Base deals played."""
        return self.bots.n

    def add(self, pairs: Sequence[tuple[Array, Array]]) -> None:
        """Add a shard: by pair its columns and its parts."""
        won = np.zeros((len(pairs[0][0]), len(self.match.bots)), np.int64)
        both = zip(self.match.pairs, self.pairs, pairs, strict=True)
        for (one, other), tally, (columns, parts) in both:
            tally.add(columns)
            tally.add_parts(parts)
            won[:, one] += columns[:, PairTally.WHOLE]
            won[:, other] -= columns[:, PairTally.WHOLE]
        self.bots.add(won)

    def is_narrow(self, least: int = 0) -> bool:
        """Whether every pair's interval is as narrow as was asked for, after ``least`` base deals
        in which it differed."""
        halves = [tally.half_width(PairTally.WHOLE) for tally in self.pairs]
        assert self.until is not None
        narrow = all(half is not None and half <= self.until for half in halves)
        return narrow and all(tally.filled[PairTally.WHOLE] >= least for tally in self.pairs)

    def ranking(self) -> list[int]:
        """The bots from the best to the worst by their mean difference from the others."""
        return sorted(range(len(self.match.bots)), key=lambda one: (-self.bots.mean(one), one))

    def between(self, one: int, other: int) -> Estimate:
        """The difference of two bots of the match, in this order."""
        if one < other:
            return self.pairs[self.match.pairs.index((one, other))].difference
        found = self.pairs[self.match.pairs.index((other, one))].difference
        assert found.value is not None
        if found.low is None or found.high is None:
            return Estimate(-found.value, None, None, found.unit)
        return Estimate(-found.value, -found.high, -found.low, found.unit)

    def names(self) -> list[str]:
        """A name for each bot, numbered where one plays twice."""
        written = [one.name for one in self.match.bots]
        before = [written[:k].count(name) for k, name in enumerate(written)]
        return [
            name if k == 0 else f"{name}#{k + 1}" for name, k in zip(written, before, strict=True)
        ]

    def heading(self) -> dict[str, Any]:
        """What was played, as JSON data."""
        match = self.match
        reached = None if self.until is None else self.is_narrow()
        return {
            "variant": match.variant.name,
            "players": match.players,
            "pool": match.pool or None,
            "seed": match.seed,
            "sheet": None if match.start is None else match.start.where,
            "deals": self.n,
            "seatings": [one.name for one in match.seatings],
            "until": self.until,
            "reached": reached,
        }

    def pair_json(self, pair: int) -> dict[str, Any]:
        """The figures of a pair as JSON data."""
        tally = self.pairs[pair]
        parts = {
            name: {**tally.part(k).as_json(), "share": tally.share(tally.parted[k])}
            for k, name in enumerate(self.match.parts)
        }
        return {
            "difference": tally.difference.as_json(),
            "half_width": tally.half_width(PairTally.WHOLE),
            "sd": tally.sd(PairTally.WHOLE),
            "deals_that_differ": tally.filled[PairTally.WHOLE] / tally.n,
            **{name: one.as_json() for name, one in tally.questions().items()},
            "alike": tally.share(tally.alike),
            "parts": parts,
        }

    def duel_json(self) -> dict[str, Any]:
        """A duel as JSON data."""
        bots = {letter: one.name for letter, one in zip("AB", self.match.bots, strict=True)}
        return {"bots": bots, **self.heading(), **self.pair_json(0)}

    def tournament_json(self) -> dict[str, Any]:
        """A tournament as JSON data: pairs, and the bots from the best to the worst."""
        names = self.names()
        return {
            "bots": names,
            **self.heading(),
            "ranking": [
                {"bot": names[one], **self.bots.estimate(one).as_json()} for one in self.ranking()
            ],
            "pairs": [
                {"a": names[a], "b": names[b], **self.pair_json(k)}
                for k, (a, b) in enumerate(self.match.pairs)
            ],
        }
