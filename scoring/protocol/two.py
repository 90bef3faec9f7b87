"""Deals of two players with the dummy: the defender's call, tricks that are nobody's.

Sources: Essay "Preferans", the game for two; Lesnoy, Russian Preferans (gusarik).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..result import HALF_WHISTED, PASSED, WHISTED
from .calls import Calls, is_checked, read_open, why_forced
from .notation import Call, EntryError, Order, parse_call, parse_count
from .seats import Seats

_MANNER_WORDS = {"open": "he turns up the dummy", "blind": "on his own cards"}


def read_call_of_two(
    seats: Seats, entry: Mapping[str, Any], order: Order, defender: int, calls: Mapping[int, Any]
) -> Calls:
    """The defender's part: pass, or whist with the dummy open or on his own cards. EntryError."""
    if "hand" in entry:
        raise EntryError("hand has no meaning with two players: no dealer takes a hand")
    name = seats.names[defender]
    call = _call(seats, order, name, calls.get(defender))
    allowed = seats.convention("dummy.defence")
    if call.decision == PASSED:
        if "pass" not in allowed:
            raise EntryError(f"{name} may not pass (dummy.defence = {', '.join(allowed)})")
        if call.tricks is not None:
            raise EntryError(f"{name} does not whist, so he takes no tricks")
        return Calls({defender: PASSED}, {}, read_open(entry, None))
    is_open = _manner(seats, order, name, read_open(entry, call.is_open))
    tricks = {}
    if call.tricks is not None:
        tricks[defender] = parse_count(call.tricks, f"tricks of {name}")
    return Calls({defender: WHISTED}, tricks, is_open)


def _call(seats: Seats, order: Order, name: str, said: Any) -> Call:
    """The call as said, or the whist that is forced."""
    forced = why_forced(seats, order)
    if said is None:
        if not forced:
            words = ", ".join(seats.convention("dummy.defence"))
            raise EntryError(f"call of {name} is missing: {words} (dummy.defence)")
        return Call(WHISTED)
    call = parse_call(said, name)
    if call.decision == HALF_WHISTED:
        raise EntryError("with two players nobody says half-whist")
    if forced and call.decision == PASSED:
        raise EntryError(f"nobody passes: {forced}")
    return call


def _manner(seats: Seats, order: Order, name: str, is_open: bool | None) -> bool:
    """Whether the dummy is open: as said, or as the variant leaves no choice."""
    allowed = seats.convention("dummy.defence")
    manners = [word for word in _MANNER_WORDS if word in allowed]
    if is_checked(seats, order):
        if is_open is False:
            raise EntryError("a ten is only checked, with open hands (whist.ten)")
        return True
    if is_open is None:
        if len(manners) > 1:
            ways = " or ".join(f"{word} ({_MANNER_WORDS[word]})" for word in manners)
            raise EntryError(f"how does {name} whist? write {ways}")
        return manners == ["open"]
    word = "open" if is_open else "blind"
    if word not in manners:
        raise EntryError(f"{name} may not whist {word} (dummy.defence = {', '.join(allowed)})")
    return is_open


def least_tricks(seats: Seats, is_open: bool) -> int:
    """To how much the players' tricks in a contract sum at least, for a dummy's are nobody's."""
    plays_on = seats.is_two and seats.convention("dummy.blind") == "lowest"
    return 0 if plays_on and not is_open else 10


def least_raspas(seats: Seats) -> int:
    """The same at raspas, where two talon cards too may take a trick for nobody."""
    if not seats.is_two:
        return 10
    if seats.convention("dummy.raspas") == "lowest":
        return 0
    return 8 if seats.convention("raspas.talon_two") == "may_win" else 10
