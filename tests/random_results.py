"""Random results of deals, plausible under the conventions, in the notation of the naive twin."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from naive.rows import ROWS
from naive.scoring import Result

from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.result import HALF_WHISTED, PASSED, WHISTED
from scoring.score_sheet import DealResult

KINDS = {"raspas": RASPAS, "tricks": TRICKS, "misere": MISERE_GAME}
DECISIONS = {"whist": WHISTED, "pass": PASSED, "half": HALF_WHISTED}


def deal_result(result: Result, strain: int = 0, **more: Any) -> DealResult:
    """The same result as the scorer of the project wants it.

    With two players an unblind whist is open play; with more, open play is not scored.
    """
    if result.n == 2:
        more["open_play"] = not result.blind
    return DealResult(
        dealer=result.dealer,
        kind=KINDS[result.kind],
        declarer=-1 if result.declarer is None else result.declarer,
        level=result.level or 6,
        strain=strain,
        tricks=tuple(result.tricks) if result.played else None,
        decisions={player: DECISIONS[word] for player, word in result.whist.items()},
        last_whister=-1 if result.last_whister is None else result.last_whister,
        concession=result.concession,
        off_mountain=result.off_mountain,
        talon_units=result.talon_units,
        dark_pass=result.dark_pass,
        **more,
    )


def share_out(chance: random.Random, total: int, n: int) -> list[int]:
    """Tricks split among some hands, often with nothing for one or with equal numbers."""
    if n == 1:
        return [total]
    cuts = [0, *sorted(chance.randint(0, total) for _ in range(n - 1)), total]
    parts = [cuts[k + 1] - cuts[k] for k in range(n)]
    shape = chance.random()
    if shape < 0.3:
        parts[1], parts[0] = parts[0] + parts[1], 0
    elif shape < 0.4 and n == 3:
        parts = [0, 0, total]
    elif shape < 0.6:
        equal = chance.randint(0, total // n)
        parts = [equal] * (n - 1) + [total - equal * (n - 1)]
    chance.shuffle(parts)
    return parts


class RandomResults:
    """The deals of one pulka: some have raspas in rows, some have mostly contracts made."""

    def __init__(self, chance: random.Random, conv: Mapping[str, Any], n: int) -> None:
        self.chance = chance
        self.conv = conv
        self.n = n
        self.dealer = chance.randrange(n)
        self.raspas = chance.choice((0.1, 0.3, 0.3, 0.85))
        self.luck = chance.choice((0.3, 0.6, 0.6, 0.95))

    def draw(self) -> Result:
        """One more deal; the deal mostly passes on."""
        chance = self.chance
        if chance.random() < 0.7:
            self.dealer = (self.dealer + 1) % self.n
        if chance.random() < self.raspas:
            return self._raspas()
        hands = self._hands()
        declarer = chance.choice(hands)
        defenders = [player for player in hands if player != declarer]
        if chance.random() < 0.25:
            return self._misere(declarer, defenders)
        if self.conv["contract.concession"] and chance.random() < 0.15:
            concession = chance.choice((2, 3))
            return self._contract(declarer, played=False, concession=concession)
        return self._tricks(declarer, defenders)

    def _hands(self) -> list[int]:
        """Those who are dealt cards, from the eldest."""
        return [(self.dealer + step) % self.n for step in (1, 2, 3)[: self.n]]

    def _is_dark(self, often: float) -> bool:
        return bool(self.conv["auction.dark_pass"]) and self.chance.random() < often

    def _is_lucky(self) -> bool:
        return self.chance.random() < self.luck

    def _wishes_off_mountain(self) -> bool:
        return self.conv["values.off_mountain_instead"] > 0 and self.chance.random() < 0.5

    def _seated(self, counts: Mapping[int, int]) -> list[int]:
        return [counts.get(player, 0) for player in range(self.n)]

    def _raspas(self) -> Result:
        if self.n == 2 and self.conv["dummy.raspas"] == "no_raspas":
            return Result("raspas", self.dealer, [0, 0], played=False, dark_pass=self._is_dark(0.7))
        hands = self._hands()
        talon = self._nobodys()
        if self.n == 4 and self.conv["raspas.talon_four"] == "dealer_plays":
            talon = self.chance.choice((0, 0, 1, 2))
        counts = dict(zip(hands, share_out(self.chance, 10 - talon, len(hands)), strict=True))
        if self.n == 4:
            counts[self.dealer] = talon
        return Result("raspas", self.dealer, self._seated(counts), dark_pass=self._is_dark(0.7))

    def _nobodys(self) -> int:
        """Tricks at raspas of two that are the talon's or the dummy's, and nobody's."""
        if self.n != 2:
            return 0
        most = 2 if self.conv["raspas.talon_two"] == "may_win" else 0
        if self.conv["dummy.raspas"] == "lowest":
            most = 10
        return self.chance.choice((0, min(1, most), min(3, most), self.chance.randint(0, most)))

    def _contract(self, declarer: int, **fields: Any) -> Result:
        fields = {"kind": "tricks", "level": self._level(), "tricks": [0] * self.n} | fields
        return Result(
            dealer=self.dealer,
            declarer=declarer,
            talon_units=self.chance.choice((0, 0, 1, 2, 3)),
            dark_pass=self._is_dark(0.2),
            **fields,
        )

    def _level(self) -> int:
        return self.chance.choice((6, 6, 6, 7, 7, 8, 8, 9, 10))

    def _misere(self, declarer: int, defenders: list[int]) -> Result:
        taken = 0 if self._is_lucky() else self.chance.choice((1, 2, 5))
        counts = {declarer: taken}
        shares = share_out(self.chance, 10 - taken, len(defenders))
        counts |= zip(defenders, shares, strict=True)
        return self._contract(
            declarer,
            kind="misere",
            level=None,
            tricks=self._seated(counts),
            off_mountain=taken == 0 and self._wishes_off_mountain(),
        )

    def _tricks(self, declarer: int, defenders: list[int]) -> Result:
        if self.n == 2:
            return self._tricks_of_two(declarer, defenders[0])
        level = self._level()
        defence = self._defence(level, defenders)
        whisters = [player for player in defence if defence[player] == "whist"]
        if not whisters:
            off = self._wishes_off_mountain()
            return self._contract(
                declarer, level=level, played=False, whist=defence, off_mountain=off
            )
        taken = self._declarers_tricks(level)
        counts = {declarer: taken}
        counts |= zip(defence, share_out(self.chance, 10 - taken, 2), strict=True)
        return self._contract(
            declarer,
            level=level,
            tricks=self._seated(counts),
            whist=defence,
            last_whister=self.chance.choice(whisters),
        )

    def _tricks_of_two(self, declarer: int, defender: int) -> Result:
        """One defender, who passes, or whists with the dummy or without it."""
        level, chance = self._level(), self.chance
        checked = level == 10 and self.conv["whist.ten"] == "checked"
        if not checked and chance.random() < 0.2:
            return self._contract(
                declarer,
                level=level,
                played=False,
                whist={defender: "pass"},
                blind=True,
                off_mountain=self._wishes_off_mountain(),
            )
        blind = checked or chance.random() < 0.5
        taken = self._declarers_tricks(level)
        rest = 10 - taken
        if blind and not checked and self.conv["dummy.blind"] == "lowest":
            rest = chance.choice((rest, chance.randint(0, rest)))
        return self._contract(
            declarer,
            level=level,
            tricks=self._seated({declarer: taken, defender: rest}),
            whist={defender: "whist"},
            last_whister=defender,
            blind=blind,
        )

    def _declarers_tricks(self, level: int) -> int:
        if self._is_lucky():
            return max(level, self.chance.choice((level, self.chance.randint(level, 10), 9, 10)))
        return level - self.chance.choice((1, 1, 2, 3))

    def _defence(self, level: int, defenders: list[int]) -> dict[int, str]:
        """What the defenders ended as, by all the words they may say (Code of Preferans 3.8)."""
        if level == 10 and self.conv["whist.ten"] == "checked":
            return dict.fromkeys(defenders, "whist")
        endings = [("whist", "whist")] * 3 + [("whist", "pass"), ("pass", "whist")] * 2
        endings.append(("pass", "pass"))
        if level in self.conv["whist.half_levels"]:
            endings += [("pass", "half"), ("whist", "half")]
            if self.conv["whist.long"]:
                endings += [("half", "pass"), ("half", "whist")]
        ending = self.chance.choice(endings)
        defence = dict(zip(defenders, ending, strict=True))
        if "whist" not in ending and self._dealer_may_whist() and self.chance.random() < 0.5:
            del defence[self.chance.choice(defenders)]
            defence[self.dealer] = "whist"
        return defence

    def _dealer_may_whist(self) -> bool:
        return self.n == 4 and bool(self.conv["whist.dealer_may"])


class RandomRows:
    """The deals of one razboinik: each player declares each of his rows once."""

    N_DEALS = 2 * len(ROWS)

    def __init__(self, chance: random.Random, conv: Mapping[str, Any]) -> None:
        self.chance = chance
        self.dealer = 1
        self.is_dealers = conv["razboinik.declarer"] == "dealer"
        self.rows = [chance.sample(ROWS, len(ROWS)) for _ in range(2)]
        self.luck = chance.choice((0.3, 0.6, 0.95))

    def draw(self) -> Result:
        """One more deal; the deal passes on."""
        dealer, self.dealer = self.dealer, 1 - self.dealer
        declarer = dealer if self.is_dealers else 1 - dealer
        row = self.rows[declarer].pop()
        level = None if row == ROWS[-1] else int(row)
        lucky = self.chance.random() < self.luck
        least, most = (0, 0) if level is None else (level, 10)
        taken = self.chance.randint(least, most) if lucky else self.chance.randint(0, 10)
        tricks = [10 - taken, 10 - taken]
        tricks[declarer] = taken
        kind = "misere" if level is None else "tricks"
        return Result(kind, dealer, tricks, declarer=declarer, level=level)
