"""The only defender of two players, for ``cautious``: pass, whist with the dummy, or blindly."""

from __future__ import annotations

from typing import Any

from scoring.kernel import outline

from .api import (
    ALL_CARDS,
    CALL_PASS,
    CALL_WHIST,
    CLOSED,
    OPENED,
    kernel,
)
from .layout import BLIND_PRICE, FREE_PRICE, LONE_PRICE, PLAY_SUITS, SIDE
from .valuation import (
    blind_effect,
    count_tricks,
    defence_effect,
    discard_for,
    price_of,
    sum_suits,
)


@kernel
def _own_cards(view: Any) -> int:
    """The defender's hand, with a card that he has played already."""
    return view.hand | view.played_by[view.mover]


@kernel
def _counted_tricks(view: Any, w: Any) -> float:
    """Tricks expected of a declarer whose twelve cards are known, as he would count them."""
    twelve = ALL_CARDS & ~(_own_cards(view) | view.shown[view.dummy] | view.played_by[view.dummy])
    ten = twelve & ~discard_for(w, twelve, view.strain)[0]
    side = sum_suits(w, ten, PLAY_SUITS + SIDE)
    return count_tricks(w, ten, view.strain, view.declarer, PLAY_SUITS, side)


@kernel
def _open_tricks(view: Any, w: Any) -> float:
    """Tricks expected of the declarer against both hands: where the dummy is shown already and the
    talon was taken, as much by the declarer's cards as by one's own."""
    tricks = view.level + defence_effect(w, _own_cards(view), view.strain)
    if view.shown[view.dummy] and view.talon:
        tricks = 0.5 * (tricks + _counted_tricks(view, w))
    return tricks


@kernel
def _open_price(view: Any, w: Any) -> float:
    return price_of(w, LONE_PRICE, view.level, _open_tricks(view, w))


@kernel
def _blind_price(view: Any, w: Any) -> float:
    tricks = view.level + blind_effect(w, _own_cards(view), view.strain)
    return price_of(w, BLIND_PRICE, view.level, tricks)


@outline
def choose_whist_of_two(view: Any, w: Any) -> int:
    """Whist where the better way to do it is worth more than to leave the contract."""
    if not view.legal >> CALL_PASS & 1:
        return CALL_WHIST
    left = price_of(w, FREE_PRICE, view.level, view.level)
    whist = max(_open_price(view, w), _blind_price(view, w))
    return CALL_WHIST if whist > left else CALL_PASS


@outline
def choose_open(view: Any, w: Any) -> int:
    """With three or four players a lone whister plays open; with two it is what is worth more."""
    if view.dummy < 0 or _open_price(view, w) >= _blind_price(view, w):
        return OPENED
    return CLOSED
