"""The defenders' calls of a deal: derived where they can be, refused where they cannot have been.

Sources: Code of Preferans 3.8; Variant rules: Leningradka, Piter, Finka, Kazakhstanka.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..contract import SPADES, STRAIN_SYMBOLS
from ..errors import quoted
from ..result import HALF_WHISTED, PASSED, WHISTED
from .notation import EntryError, Order, parse_call, parse_count, parse_flag
from .seats import Seats


@dataclass(frozen=True)
class Calls:
    """The defenders' decisions in turn order, the tricks written with them, and whether the lone
    whister's hands lay open (None: not said)."""

    decisions: dict[int, int]
    tricks: dict[int, int]
    is_open: bool | None


def is_checked(seats: Seats, order: Order) -> bool:
    """Whether this contract is a ten that is only checked (проверяется)."""
    return order.level == 10 and bool(seats.convention("whist.ten") == "checked")


def read_open(entry: Mapping[str, Any], said: bool | None) -> bool | None:
    """Whether the defence lay open, by the key ``open`` or by what was ``said``; None: neither."""
    if "open" not in entry:
        return said
    flag = parse_flag(entry, "open")
    if said is not None and said != flag:
        key, word = ("true", "blind") if flag else ("false", "open")
        raise EntryError(f"open = {key}, but the whist is {word}")
    return flag


def read_calls(
    seats: Seats,
    entry: Mapping[str, Any],
    order: Order,
    defenders: Sequence[int],
    calls: Mapping[int, Any],
) -> Calls:
    """The parts of the two defenders, and of a dealer who whists."""
    given: dict[int, int] = {}
    tricks: dict[int, int] = {}
    manners = set()
    for player, value in calls.items():
        call = parse_call(value, seats.names[player])
        given[player] = call.decision
        if call.tricks is not None:
            tricks[player] = parse_count(call.tricks, f"tricks of {seats.names[player]}")
        if call.is_open is not None:
            manners.add(call.is_open)
    dealer_call = given.pop(seats.sitter, None)
    _derive_calls(seats, order, defenders, given)
    first, second = (given[p] for p in defenders)
    _check_calls(seats, order, defenders, first, second, dealer_call is not None)
    decisions = {p: given[p] for p in defenders}
    if dealer_call is not None:
        decisions = _dealer_whists(seats, entry, defenders, decisions, dealer_call)
    elif "hand" in entry:
        raise EntryError("hand names the hand of a whisting dealer, but he does not whist")
    for player in tricks:
        if decisions.get(player) != WHISTED:
            raise EntryError(f"{seats.names[player]} does not whist; write his tricks in tricks")
    return Calls(decisions, tricks, read_open(entry, max(manners, default=None)))


def why_forced(seats: Seats, order: Order) -> str:
    """Why the defenders whist by force, or nothing."""
    if is_checked(seats, order):
        return "a ten is only checked (whist.ten)"
    if order.level == 6 and order.strain == SPADES and seats.convention("whist.stalingrad"):
        return f"6{STRAIN_SYMBOLS[SPADES]} is whisted by force (whist.stalingrad)"
    return ""


def _derive_calls(
    seats: Seats, order: Order, defenders: Sequence[int], given: dict[int, int]
) -> None:
    why = why_forced(seats, order)
    if why:
        if any(call != WHISTED for call in given.values()):
            raise EntryError(f"nobody passes: {why}")
        given.update(dict.fromkeys(defenders, WHISTED))
    missing = [p for p in defenders if p not in given]
    if len(missing) == 1 and HALF_WHISTED in given.values():
        given[missing[0]] = PASSED
    elif missing:
        who = " and ".join(seats.names[p] for p in missing)
        raise EntryError(f"call of {who} is missing: whist, pass or half")


def _check_calls(
    seats: Seats, order: Order, defenders: Sequence[int], first: int, second: int, dealer: bool
) -> None:
    """Whether the two calls can have come about (Code of Preferans 3.8)."""
    levels = seats.convention("whist.half_levels")
    names = [seats.names[p] for p in defenders]
    if HALF_WHISTED in (first, second):
        if order.level not in levels:
            allowed = ", ".join(map(str, levels)) or "no level"
            raise EntryError(
                f"half-whist is said at {allowed}, not at {order.level} (whist.half_levels)"
            )
        if first == second:
            raise EntryError("only one defender says half-whist")
        if first == HALF_WHISTED and not seats.convention("whist.long"):
            raise EntryError(
                f"{names[0]} speaks first, so he cannot say half-whist (whist.long is off)"
            )
    if first == second == PASSED and order.level in levels:
        if not seats.convention("whist.both_may_pass"):
            raise EntryError(
                f"after the pass of {names[0]}, {names[1]} whists or says half-whist "
                "(whist.both_may_pass)"
            )
    if dealer and WHISTED in (first, second):
        raise EntryError("the dealer may whist only when no defender does")


def _dealer_whists(
    seats: Seats,
    entry: Mapping[str, Any],
    defenders: Sequence[int],
    decisions: Mapping[int, int],
    call: int,
) -> dict[int, int]:
    """The dealer takes one of the defenders' hands; its owner is out, the other passes."""
    dealer = seats.names[seats.sitter]
    if not seats.convention("whist.dealer_may"):
        raise EntryError(f"{dealer} deals and sits out, so he cannot call (whist.dealer_may)")
    if call != WHISTED:
        raise EntryError(f"{dealer} deals; leave him out unless he whists")
    if "hand" not in entry:
        raise EntryError(f"hand is missing: whose hand does {dealer} whist with?")
    owner = seats.player(entry["hand"], "hand")
    if owner not in defenders:
        raise EntryError(f"hand = {quoted(seats.names[owner])} is not a defender")
    other = next(p for p in defenders if p != owner)
    return {seats.sitter: WHISTED, other: PASSED}
