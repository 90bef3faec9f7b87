"""Every convention (соглашение) a variant can set: name, values, unit, default, meaning.

A convention is one field of the packed ``Rules`` record that kernels read; its field name is the
key with the dot replaced (``raspas.price`` -> ``rules.raspas_price``). A choice is packed as the
index into its list of values, and the names of these indices stand beside the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .contract import LADDER, MISERE, N_CONTRACTS

LEVELS = (6, 7, 8, 9, 10)
MAX_PROGRESSION = 8
"""Longest list of raspas multipliers or exits; the last entry repeats for ever."""

HOLD = ("off", "may_raise")
HOLD_OFF, HOLD_MAY_RAISE = range(2)
MISERE_CALL = ("first_word", "any_turn")
MISERE_FIRST_WORD, MISERE_ANY_TURN = range(2)
STYLE = ("greedy", "gentleman")
GREEDY, GENTLEMAN = range(2)
REMISE = ("capped", "personal_if_pair_short", "personal_always")
REMISE_CAPPED, REMISE_PERSONAL_IF_SHORT, REMISE_PERSONAL_ALWAYS = range(3)
DUTY_ONE = ("last", "both_full", "split")
DUTY_LAST, DUTY_BOTH_FULL, DUTY_SPLIT = range(3)
TEN = ("whisted", "checked")
TEN_WHISTED, TEN_CHECKED = range(2)
CONSOLATION_PASSER = ("own", "none", "to_whister")
PASSER_OWN, PASSER_NONE, PASSER_TO_WHISTER = range(3)
RASPAS_COLUMN = ("mountain", "whists")
TO_MOUNTAIN, TO_WHISTS = range(2)
RASPAS_WHISTS = ("full", "difference")
WHISTS_FULL, WHISTS_DIFFERENCE = range(2)
RASPAS_TIE = ("halve", "each_full")
TIE_HALVE, TIE_EACH_FULL = range(2)
EXIT_ON = ("any_bid", "made", "made_and_whisted")
EXIT_ANY_BID, EXIT_MADE, EXIT_MADE_AND_WHISTED = range(3)
ZERO_COLUMN = ("none", "pool", "mountain")
ZERO_NONE, ZERO_POOL, ZERO_MOUNTAIN = range(3)
TALON = ("closed", "suit_only")
TALON_CLOSED, TALON_SUIT_ONLY = range(2)
TALON_FOUR = ("closed", "dealer_plays")
FOUR_CLOSED, FOUR_DEALER_PLAYS = range(2)
THIRD_LEAD = ("first_hand", "winner")
THIRD_FIRST_HAND, THIRD_WINNER = range(2)
NOBODY_FOLLOWS = ("first_hand", "highest_of_first")
NOBODY_FIRST_HAND, NOBODY_HIGHEST_OF_FIRST = range(2)
END_WHEN = ("each", "sum")
END_EACH, END_SUM = range(2)
LEFTOVER = ("mountain", "lost")
LEFTOVER_MOUNTAIN, LEFTOVER_LOST = range(2)

BY_LEVEL, INTEGER, BOOLEAN, CHOICE, LEVEL_SET, SERIES = (
    "by_level",
    "integer",
    "boolean",
    "choice",
    "level_set",
    "series",
)


@dataclass(frozen=True)
class Convention:
    """One convention: how it is written in TOML, checked, and packed."""

    key: str
    kind: str
    default: Any
    meaning: str
    unit: str = ""
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 1000

    @property
    def field(self) -> str:
        return self.key.replace(".", "_")

    def allowed(self) -> str:
        """What may be written, in words."""
        span = f"integers from {self.low} to {self.high}"
        return {
            BY_LEVEL: f"five {span} (for 6, 7, 8, 9, 10)",
            INTEGER: span.replace("integers", "an integer"),
            BOOLEAN: "true or false",
            CHOICE: " or ".join(self.values),
            LEVEL_SET: "a list of levels from 6 to 10",
            SERIES: f"a list of 1 to {MAX_PROGRESSION} {span}",
        }[self.kind]

    def check(self, value: Any) -> Any:
        """The value as it is kept (lists as tuples); ValueError says what is allowed."""
        if not self._fits(value):
            raise ValueError(f"{self.key} = {value!r}; allowed: {self.allowed()}")
        return tuple(value) if isinstance(value, list | tuple) else value

    def _fits(self, value: Any) -> bool:
        if self.kind == BOOLEAN:
            return isinstance(value, bool)
        if self.kind == CHOICE:
            return value in self.values
        if self.kind == INTEGER:
            return self._is_int(value)
        if not isinstance(value, list | tuple):
            return False
        if self.kind == LEVEL_SET:
            return all(type(x) is int and x in LEVELS for x in value) and len(set(value)) == len(
                value
            )
        sizes = (5, 5) if self.kind == BY_LEVEL else (1, MAX_PROGRESSION)
        return sizes[0] <= len(value) <= sizes[1] and all(map(self._is_int, value))

    def _is_int(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def pack(self, value: Any) -> Any:
        """The value as int64 or a list of int64 for the Rules record."""
        if self.kind == CHOICE:
            return self.values.index(value)
        if self.kind == LEVEL_SET:
            return sum(1 << level for level in value)
        if self.kind == SERIES:
            return [*value, *[value[-1]] * (MAX_PROGRESSION - len(value))]
        return value

    def shape(self) -> tuple[int, ...]:
        return {BY_LEVEL: (5,), SERIES: (MAX_PROGRESSION,)}.get(self.kind, ())


CONVENTIONS: tuple[Convention, ...] = (
    Convention("values.made", BY_LEVEL, (2, 4, 6, 8, 10), "for a made contract", "pool points"),
    Convention(
        "values.undertrick",
        BY_LEVEL,
        (2, 4, 6, 8, 10),
        "for each trick the declarer is short (подсад)",
        "mountain points",
    ),
    Convention(
        "values.whist", BY_LEVEL, (2, 4, 6, 8, 10), "for each trick of the defence", "whists"
    ),
    Convention(
        "values.remise",
        BY_LEVEL,
        (2, 4, 6, 8, 10),
        "for each trick the whister is short (ремиз на висте)",
        "mountain points",
    ),
    Convention(
        "values.consolation",
        BY_LEVEL,
        (2, 4, 6, 8, 10),
        "to each entitled player for each of the declarer's undertricks (консоляция)",
        "whists",
    ),
    Convention(
        "values.duty",
        BY_LEVEL,
        (4, 2, 1, 1, 1),
        "tricks a whisting defence owes (обязательные взятки)",
        "tricks",
        high=4,
    ),
    Convention("misere.made", INTEGER, 10, "for a made misère", "pool points"),
    Convention(
        "misere.undertrick", INTEGER, 10, "for each trick taken at misère", "mountain points"
    ),
    Convention(
        "auction.hold",
        CHOICE,
        "may_raise",
        "with two bidders left the senior may hold the junior's bid («здесь»)",
        values=HOLD,
    ),
    Convention(
        "auction.jumps", BOOLEAN, True, "a bid may skip rungs of the ladder (off: lowest rung only)"
    ),
    Convention(
        "auction.misere",
        CHOICE,
        "first_word",
        "misère only as a player's first and last bid (кабальный), or at any turn",
        values=MISERE_CALL,
    ),
    Convention(
        "contract.concession",
        INTEGER,
        0,
        "undertricks a declarer may write instead of playing («уход без трёх»), 0 = not allowed",
        "tricks",
        high=3,
    ),
    Convention(
        "whist.style",
        CHOICE,
        "greedy",
        "one whister, contract failed: whists to the whister, or shared with the passer",
        values=STYLE,
    ),
    Convention(
        "whist.remise",
        CHOICE,
        "capped",
        "two whisters short: the pair's shortfall, or each his own",
        values=REMISE,
    ),
    Convention(
        "whist.duty_one",
        CHOICE,
        "last",
        "two whisters without a trick at 8, 9, 10: who writes the remise",
        values=DUTY_ONE,
    ),
    Convention(
        "whist.half_levels", LEVEL_SET, (6, 7), "levels at which half-whist may be said (полвиста)"
    ),
    Convention(
        "whist.long", BOOLEAN, False, "whist, pass, half-whist is allowed («вист, пас, полвиста»)"
    ),
    Convention(
        "whist.return_on_high", BOOLEAN, False, "at 8, 9, 10 two passes may be followed by a whist"
    ),
    Convention(
        "whist.stalingrad", BOOLEAN, False, "at six spades both defenders must whist (Сталинград)"
    ),
    Convention(
        "whist.ten",
        CHOICE,
        "whisted",
        "ten is whisted, or checked with open hands and without duty",
        values=TEN,
    ),
    Convention(
        "whist.consolation_passer",
        CHOICE,
        "own",
        "the passer's consolation: he writes it, nobody does, or the whister does",
        values=CONSOLATION_PASSER,
    ),
    Convention(
        "whist.consolation_dealer",
        BOOLEAN,
        True,
        "the sitting-out dealer writes consolation (four players)",
    ),
    Convention(
        "raspas.column", CHOICE, "mountain", "where raspas tricks are written", values=RASPAS_COLUMN
    ),
    Convention("raspas.price", INTEGER, 1, "for a trick at raspas", "points or whists"),
    Convention(
        "raspas.progression",
        SERIES,
        (1,),
        "multiplier of the price by raspas in a row, the last repeats",
        low=1,
    ),
    Convention(
        "raspas.exit_levels",
        SERIES,
        (6,),
        "lowest level that may be bid, by raspas in a row",
        low=6,
        high=10,
    ),
    Convention(
        "raspas.exit_on", CHOICE, "any_bid", "what ends a row of raspas (выход)", values=EXIT_ON
    ),
    Convention(
        "raspas.whists",
        CHOICE,
        "full",
        "column whists: the lowest taker writes for all of another's tricks, or for the difference",
        values=RASPAS_WHISTS,
    ),
    Convention(
        "raspas.tie",
        CHOICE,
        "halve",
        "column whists: tied lowest takers share the whists, or each writes them",
        values=RASPAS_TIE,
    ),
    Convention(
        "raspas.zero_column",
        CHOICE,
        "none",
        "where the bonus for no trick is written (mountain: taken off)",
        values=ZERO_COLUMN,
    ),
    Convention(
        "raspas.zero_prices", INTEGER, 0, "bonus for no trick, in prices of a trick of that raspas"
    ),
    Convention("raspas.zero_points", INTEGER, 0, "bonus for no trick, fixed part", "points"),
    Convention(
        "raspas.amnesty",
        BOOLEAN,
        False,
        "column mountain: everyone's tricks are reduced by the smallest count (амнистия)",
    ),
    Convention(
        "raspas.talon",
        CHOICE,
        "closed",
        "three players: the talon stays closed, or its cards name the suits of two tricks",
        values=TALON,
    ),
    Convention(
        "raspas.talon_four",
        CHOICE,
        "closed",
        "four players: the talon stays closed, or the dealer plays its cards",
        values=TALON_FOUR,
    ),
    Convention(
        "raspas.third_lead",
        CHOICE,
        "first_hand",
        "after two talon-led tricks: who leads the third",
        values=THIRD_LEAD,
    ),
    Convention(
        "raspas.nobody_follows",
        CHOICE,
        "first_hand",
        "talon-led trick without the talon's suit: who takes it",
        values=NOBODY_FOLLOWS,
    ),
    Convention(
        "raspas.dealer_pool",
        INTEGER,
        0,
        "to the sitting-out dealer for each raspas with the talon closed",
        "pool points",
    ),
    Convention(
        "raspas.dealer_zero", BOOLEAN, False, "the dealer too writes the bonus for no trick"
    ),
    Convention(
        "end.when",
        CHOICE,
        "each",
        "the pulka ends when each pool is full (with help), or when their sum is reached",
        values=END_WHEN,
    ),
    Convention(
        "end.leftover",
        CHOICE,
        "mountain",
        "points left when all pools are full: off one's mountain, or lost",
        values=LEFTOVER,
    ),
    Convention(
        "end.pool_weight",
        INTEGER,
        1,
        "mountain points a missing pool point costs at settlement",
        "mountain points",
    ),
)

BY_KEY: Mapping[str, Convention] = {c.key: c for c in CONVENTIONS}

RULES_DTYPE = np.dtype(
    [
        *((c.field, np.int64, c.shape()) for c in CONVENTIONS),
        ("n_players", np.int64),
        ("target", np.int64),
        ("bids_above", np.int64, N_CONTRACTS + 1),
        ("bids_from_level", np.int64, 5),
    ],
    align=True,
)
"""The packed rules of a run: all conventions, ``n_players``, ``target`` (pool points per player),
``bids_above[1 + code]`` (mask of codes that outrank a bid; ``[0]``: no bid yet) and
``bids_from_level[level - 6]`` (mask of codes allowed when that is the lowest level)."""


def _masks_above() -> list[int]:
    masks = [sum(1 << code for code in LADDER)]
    for code in range(N_CONTRACTS):
        rung = LADDER.index(code)
        masks.append(sum(1 << other for other in LADDER[rung + 1 :]))
    return masks


def _masks_from_level() -> list[int]:
    """Misère may be bid while the lowest level is at most eight."""
    tricks = (1 << MISERE) - 1
    masks = [tricks & ~((1 << 5 * (level - 6)) - 1) for level in LEVELS]
    return [mask | (1 << MISERE) * (level <= 8) for mask, level in zip(masks, LEVELS, strict=True)]


def pack_rules(values: Mapping[str, Any], n_players: int, target: int) -> np.ndarray[Any, Any]:
    """The Rules record (array of one row of ``RULES_DTYPE``) for checked convention values."""
    rules = np.zeros(1, RULES_DTYPE)
    for convention in CONVENTIONS:
        rules[convention.field] = convention.pack(values[convention.key])
    rules["n_players"] = n_players
    rules["target"] = target
    rules["bids_above"] = _masks_above()
    rules["bids_from_level"] = _masks_from_level()
    return rules
