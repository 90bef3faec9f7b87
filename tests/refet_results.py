"""Random results of the refet game, plausible under the conventions, in the twin's notation."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from naive.refet_auction import contracts
from naive.refet_follow import ALL_PLAY, is_plain_spades
from naive.refet_play import N_TRICKS, needed
from naive.refet_scoring import RefetResult
from random_results import share_out
from twin_refet_words import PARTS, kind_of

from scoring.score_sheet import DealResult

DECISIONS = {word: decision for decision, word in PARTS.items()}


def refet_result(result: RefetResult) -> DealResult:
    """The same result as the scorer of the project wants it."""
    kind, level, strain = kind_of(result.contract)
    return DealResult(
        dealer=result.dealer,
        kind=kind,
        declarer=-1 if result.declarer is None else result.declarer,
        level=level or 6,
        strain=strain,
        tricks=None if result.tricks is None else tuple(result.tricks),
        decisions={player: DECISIONS[word] for player, word in result.parts.items()},
        without_talon=result.from_hand,
        contra=result.contra,
        contra_by=-1 if result.contra_by is None else result.contra_by,
    )


class RandomRefet:
    """The deals of one pulka: some have many passed by all, some have mostly contracts made."""

    def __init__(self, chance: random.Random, conv: Mapping[str, Any], n: int) -> None:
        self.chance = chance
        self.conv = dict(conv)
        self.n = n
        self.dealer = chance.randrange(n)
        self.passed = chance.choice((0.05, 0.1, 0.4))
        self.luck = chance.choice((0.3, 0.6, 0.6, 0.95))
        self.doubles = chance.choice((0.1, 0.3, 0.7))

    def draw(self) -> RefetResult:
        """One more deal; the deal passes on."""
        chance = self.chance
        self.dealer = (self.dealer + 1) % self.n
        if chance.random() < self.passed:
            return RefetResult(self.n, self.dealer)
        hands = [(self.dealer + step) % self.n for step in (1, 2, 3)]
        place = chance.randrange(3)
        declarer = hands[place]
        followers = [hands[place - 2], hands[place - 1]]
        contract = chance.choice([*contracts(self.conv), "spades"])
        result = RefetResult(
            self.n, self.dealer, declarer, contract, from_hand=chance.random() < 0.3
        )
        result.parts = self._parts(result, followers)
        if result.inviter() is None:
            self._double(result, followers)
        playing = self._playing(result, followers)
        if playing:
            result.tricks = self._tricks(result, playing)
        return result

    def _is_plain(self, result: RefetResult) -> bool:
        return is_plain_spades(self.conv, result.contract, result.from_hand)

    def _parts(self, result: RefetResult, followers: list[int]) -> dict[int, str]:
        if result.contract in ALL_PLAY:
            return dict.fromkeys(followers, "comes")
        ways = [("comes", "comes")] * 2 + [("comes", "stays"), ("stays", "comes")]
        if self.conv["follow.invite"] and not self._is_plain(result):
            ways += [("comes", "invited"), ("invited", "comes")]
        ways.append(("stays", "stays"))
        return dict(zip(followers, self.chance.choice(ways), strict=True))

    def _double(self, result: RefetResult, followers: list[int]) -> None:
        came = result.came()
        either = self.conv["contra.by"] == "either"
        levels = self.conv["contra.levels"]
        if came and levels and self.chance.random() < self.doubles:
            result.contra = self.chance.randint(1, levels)
            result.contra_by = self.chance.choice(followers if either else came)

    def _playing(self, result: RefetResult, followers: list[int]) -> list[int]:
        """The followers who play; nobody where nobody comes, or spades lack a contra."""
        if result.contra or result.inviter() is not None:
            return followers
        return [] if self._is_plain(result) else result.came()

    def _tricks(self, result: RefetResult, playing: list[int]) -> list[int]:
        """Tricks by player; play may have stopped when the declarer had failed."""
        chance, need = self.chance, needed(result.contract)
        if chance.random() < self.luck:
            own = 0 if need == 0 else chance.choice((need, chance.randint(need, N_TRICKS)))
            rest = N_TRICKS - own
        elif need == 0:
            own = chance.randint(1, N_TRICKS)
            rest = N_TRICKS - own
            if self.conv["tricks.stop"]:
                own, rest = 1, chance.randint(0, N_TRICKS - 1)
        else:
            own = chance.randint(0, need - 1)
            rest = N_TRICKS - own
            if self.conv["tricks.stop"]:
                rest = N_TRICKS - need + 1
        tricks = [0] * self.n
        tricks[result.declarer] = own
        for player, count in zip(playing, share_out(chance, rest, len(playing)), strict=True):
            tricks[player] = count
        return tricks
