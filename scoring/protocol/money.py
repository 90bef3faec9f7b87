"""Whists made into money, balanced to the cent, and who pays whom (Code of Preferans 4.2.13)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import TypeVar

CENTS = 100

Amount = TypeVar("Amount", Decimal, Fraction)


def to_money(whists: Sequence[Fraction], stake: Decimal) -> list[Decimal]:
    """Amounts in whole cents that sum to zero: each rounded down, the cents over to those who lost
    most by it, in order of players where equal.

    >>> [str(x) for x in to_money([Fraction(20, 3), Fraction(20, 3), Fraction(-40, 3)], Decimal(1))]
    ['6.67', '6.67', '-13.34']
    """
    exact = [x * Fraction(stake) * CENTS for x in whists]
    cents = [floor(x) for x in exact]
    short = -sum(cents)
    by_loss = sorted(range(len(cents)), key=lambda i: (cents[i] - exact[i], i))
    for i in by_loss[:short]:
        cents[i] += 1
    return [Decimal(x) / CENTS for x in cents]


def payments(amounts: Sequence[Amount]) -> list[tuple[int, int, Amount]]:
    """Who pays whom how much, in at most n - 1 payments: the largest debt to the largest claim."""
    left = list(amounts)
    paid = []
    while any(left):
        payer = min(range(len(left)), key=lambda i: left[i])
        payee = max(range(len(left)), key=lambda i: left[i])
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        paid.append((payer, payee, amount))
    return paid
