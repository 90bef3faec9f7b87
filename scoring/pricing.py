"""What results are worth on an empty sheet, exactly: prices of contracts, misère and raspas.

Every price is a deal value by the variant's own scorer, for as many players as sit at the table.
Player 0 declares, 1 and 2 defend, and of four the last deals and sits out; of two, 1 defends and
deals. What a declarer writes goes into the pool, also where he might write it off his mountain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .batch import value_results
from .contract import MISERE_GAME, RASPAS, TRICKS
from .convention import LEVELS
from .conventions import DEFENCE_TWO
from .deal_result import DealResult
from .errors import WrongUse
from .result import (
    HALF_WHISTED,
    MAX_PLAYERS,
    NO_DECISION,
    PASSED,
    TWO_PLAYERS,
    UNIT,
    WHISTED,
)
from .sheet import RESULT_DTYPE
from .variant import Variant

Rules = np.ndarray[Any, np.dtype[Any]]
Values = tuple[Fraction, ...]
"""Whists by player; they sum to zero."""

N_TRICKS = 10
LONE, PARTNER, BOTH, FREE, HALF, DEALER = range(6)
"""How a contract is whisted: by player 1 alone, by 2 alone, by both, by nobody, half by 1, by the
sitting-out dealer with the hand of 1."""

CALLS = {
    LONE: (NO_DECISION, WHISTED, PASSED, NO_DECISION),
    PARTNER: (NO_DECISION, PASSED, WHISTED, NO_DECISION),
    BOTH: (NO_DECISION, WHISTED, WHISTED, NO_DECISION),
    FREE: (NO_DECISION, PASSED, PASSED, NO_DECISION),
    HALF: (NO_DECISION, HALF_WHISTED, PASSED, NO_DECISION),
    DEALER: (NO_DECISION, NO_DECISION, PASSED, WHISTED),
}

ONE_WHISTS, BOTH_WHIST, HALF_WHIST, NOBODY, DEALER_WHISTS, OPENED, BLIND = (
    *("one", "both", "half", "nobody", "dealer"),
    *("open", "blind"),
)
_PATTERNS = {
    ONE_WHISTS: LONE,
    BOTH_WHIST: BOTH,
    HALF_WHIST: HALF,
    NOBODY: FREE,
    DEALER_WHISTS: DEALER,
    OPENED: LONE,
    BLIND: LONE,
}


class PriceError(WrongUse):
    """A price that does not exist: one sentence with what is allowed."""


def blank_results(rules: Rules, shape: tuple[int, ...], kind: int) -> Rules:
    """Blank results of a kind; the last player deals."""
    results = np.zeros(shape, RESULT_DTYPE)
    results["dealer"] = rules["n_players"][0] - 1
    results["kind"] = kind
    return results


def contract_results(rules: Rules, pattern: int) -> Rules:
    """[level - 6, k, 2]: contracts that end with k declarer tricks.

    The defence's tricks are shared evenly, an odd one either way.
    """
    results = blank_results(rules, (5, N_TRICKS + 1, 2), TRICKS)
    calls = CALLS[pattern]
    results["level"] = np.arange(6, 11)[:, None, None]
    results["decision"] = calls
    results["last_whister"] = max((i for i in range(MAX_PLAYERS) if calls[i] == WHISTED), default=1)
    results["played"] = pattern not in (FREE, HALF)
    tricks = np.arange(N_TRICKS + 1)[:, None]
    defence = N_TRICKS - tricks
    mine = np.concatenate([defence // 2, defence - defence // 2], axis=1)
    results["tricks"][..., 0] = tricks
    results["tricks"][..., 3 if pattern == DEALER else 1] = mine
    results["tricks"][..., 2] = defence - mine
    return results


def _results_of_two(rules: Rules, way: str) -> Rules:
    """The same of two players: the defender has all tricks that are not the declarer's."""
    results = blank_results(rules, (5, N_TRICKS + 1, 1), TRICKS)
    tricks = np.arange(N_TRICKS + 1)[:, None]
    results["level"] = np.arange(6, 11)[:, None, None]
    results["decision"][..., 1] = PASSED if way == NOBODY else WHISTED
    results["last_whister"] = 1
    results["open_play"] = way == OPENED
    results["played"] = way != NOBODY
    results["tricks"][..., 0] = tricks
    results["tricks"][..., 1] = N_TRICKS - tricks
    return results


@dataclass(frozen=True)
class BreakEven:
    """When a declarer may as well order a trick more.

    ``level`` is the lower of the two, ``short`` the chance that the last trick is missing at which
    both are worth the same ``value``. Where one is better whatever comes, ``short`` is 1 (order
    more) or 0 (do not) and there is no value.
    """

    level: int
    short: Fraction
    value: Fraction | None

    @property
    def extra(self) -> Fraction:
        """The chance of the last trick from which more should be ordered."""
        return 1 - self.short


class Prices:
    """The exact prices of a variant of the pool family.

    How a contract is whisted is a word of ``ways``: ``one`` whists alone (with all the defence's
    tricks), ``both`` whist, ``half`` (half-whist), ``nobody``, of four the ``dealer`` who sits out;
    of two players the defender has the dummy ``open``, or whists ``blind``.

    >>> from scoring.variant import find_variant
    >>> sochi = Prices(find_variant("sochi"), 4)
    >>> print(*sochi.contract(7, 6, "one"))
    -58 30 14 14
    >>> sochi.break_even(6)
    BreakEven(level=6, short=Fraction(7, 72), value=Fraction(191, 18))
    """

    def __init__(self, variant: Variant, n_players: int | None = None) -> None:
        if not variant.has_pool:
            raise PriceError(
                f"{variant.name} is of the family {variant.family}: prices are told of variants of "
                "the family pool"
            )
        self.variant = variant
        self.n = variant.table_size(n_players)
        self._rules = variant.rules(self.n)
        self._contracts = {way: self._price(way) for way in self._all_ways()}

    def _all_ways(self) -> tuple[str, ...]:
        if self.n == TWO_PLAYERS:
            may = self.variant.conventions["dummy.defence"]
            words = dict(zip(DEFENCE_TWO, (OPENED, BLIND, NOBODY), strict=True))
            return tuple(words[word] for word in DEFENCE_TWO if word in may)
        ways = (ONE_WHISTS, BOTH_WHIST, HALF_WHIST, NOBODY)
        return (*ways, DEALER_WHISTS) if self.n == MAX_PLAYERS else ways

    def ways(self, level: int) -> tuple[str, ...]:
        """How a contract may be whisted under the variant's conventions."""
        allowed = self.variant.conventions
        barred = set()
        if level not in allowed["whist.half_levels"]:
            barred.add(HALF_WHIST)
        if not allowed["whist.dealer_may"]:
            barred.add(DEALER_WHISTS)
        return tuple(way for way in self._contracts if way not in barred)

    def _price(self, way: str) -> np.ndarray[Any, np.dtype[np.int64]]:
        """[level - 6, declarer's tricks, player]: twice the value, in twelfths of a whist."""
        if self.n == TWO_PLAYERS:
            results = _results_of_two(self._rules, way)
        else:
            results = contract_results(self._rules, _PATTERNS[way])
        values = value_results(self._rules, results.ravel()).reshape(*results.shape, MAX_PLAYERS)
        return np.asarray(values.sum(axis=2) * 2 // results.shape[2], np.int64)

    def _values(self, result: DealResult) -> Values:
        (row,) = value_results(self._rules, result.pack())
        return tuple(Fraction(int(x), UNIT) for x in row[: self.n])

    def contract(self, level: int, tricks: int, way: str) -> Values:
        """The values of a contract that ends with so many tricks of the declarer.

        A contract that is left, or half-whisted, is worth the same whatever the tricks. Tricks of
        two whisters are shared evenly, an odd one in the mean. Raises PriceError.
        """
        if level not in LEVELS or not 0 <= tricks <= N_TRICKS:
            raise PriceError(
                f"a contract of {level} with {tricks} tricks has no price: levels are 6 to 10, "
                "tricks 0 to 10"
            )
        if way not in self._contracts:
            raise PriceError(
                f"a contract is not whisted {way!r} here: write {' or '.join(self._contracts)}"
            )
        row = self._contracts[way][level - 6, tricks]
        return tuple(Fraction(int(x), 2 * UNIT) for x in row[: self.n])

    def misere(self, tricks: int) -> Values:
        """The values of a misère caught for so many tricks; of a clean one for 0. PriceError."""
        if not 0 <= tricks <= N_TRICKS:
            raise PriceError(f"a misère with {tricks} tricks has no price: write 0 to 10")
        others = [N_TRICKS - tricks, *[0] * (self.n - 2)]
        return self._values(DealResult(self.n - 1, MISERE_GAME, 0, tricks=(tricks, *others)))

    def raspas(self, tricks: Sequence[int], before: int = 0) -> Values:
        """The values of a raspas by everybody's tricks, ``before`` being how many stand in the row
        already. Raises PriceError."""
        if len(tricks) != self.n or min(tricks) < 0 or sum(tricks) > N_TRICKS:
            raise PriceError(
                f"a raspas of {self.n} players with tricks {' '.join(map(str, tricks))} has no "
                f"price: write {self.n} numbers, ten tricks in all"
            )
        return self._values(
            DealResult(self.n - 1, RASPAS, tricks=tuple(tricks), raspas_index=before)
        )

    def raspas_share(self, tricks: int, before: int = 0) -> Fraction:
        """What so many tricks at raspas are worth when the other two share the rest evenly.

        An odd trick goes either way, in the mean; a dealer who sits out takes none.
        """
        rest = N_TRICKS - tricks
        if self.n == TWO_PLAYERS:
            return self.raspas((tricks, rest), before)[0]
        idle = (0,) * (self.n - 3)
        shares = ((rest // 2, rest - rest // 2), (rest - rest // 2, rest // 2))
        return sum(self.raspas((tricks, *pair, *idle), before)[0] for pair in shares) / Fraction(2)

    def answer(self, level: int, tricks: int) -> str:
        """What pays the first defender most if he knows the tricks: to whist alone (of two: with
        the dummy), to say half-whist, or to leave the contract."""
        words = [way for way in self.ways(level) if way not in (BOTH_WHIST, DEALER_WHISTS)]
        return max(words, key=lambda way: self.contract(level, tricks, way)[1])

    def _declared(self, level: int, tricks: int, way: str | None) -> Fraction:
        chosen = self.answer(level, tricks) if way is None else way
        return self.contract(level, tricks, chosen)[0]

    def break_even(self, level: int, way: str | None = None) -> BreakEven:
        """Between this level and the next, with level + 1 tricks or one short of them.

        ``way`` is how either contract is whisted; None: as it pays the first defender best, who
        answers for the tricks and so leaves a contract that he cannot whist without loss (Litvin's
        table in Lesnoy, Russian Preferans). Raises PriceError.
        """
        if level not in LEVELS[:-1]:
            raise PriceError(f"there is nothing between {level} and {level + 1}: write 6 to 9")
        more_made, more_short = (self._declared(level + 1, level + k, way) for k in (1, 0))
        less_over, less_made = (self._declared(level, level + k, way) for k in (1, 0))
        gain, loss = max(more_made - less_over, Fraction(0)), less_made - more_short
        if gain == 0 or loss <= 0:
            return BreakEven(level, Fraction(int(gain > 0)), None)
        short = gain / (gain + loss)
        return BreakEven(level, short, (1 - short) * more_made + short * more_short)

    def misere_chance(self, chance: Fraction, caught: int = 1) -> Fraction:
        """What a misère is worth that is clean with this chance, else caught for so many tricks."""
        return chance * self.misere(0)[0] + (1 - chance) * self.misere(caught)[0]
