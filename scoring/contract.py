"""Contracts: codes, the rungs of the ladder of bids, and their text form.

A *code* is the number of a contract: ``5 * (level - 6) + strain`` for 0..24, then ``MISERE``; then
the contracts bid without the talon (без прикупа): misère, nines, tens.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from .kernel import kernel

SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMP = range(5)
"""Strains in bidding order (♠ ♣ ♦ ♥ без козыря)."""

N_STRAINS = 5
MISERE = 25
"""Code of misère (мизер)."""
MISERE_WITHOUT = 26
"""Code of misère without the talon."""
NINE_WITHOUT = 27
"""Code of nine spades without the talon; the tens without it end the codes."""
N_CONTRACTS = 37
TRICKS_MASK = (1 << MISERE) - 1
WITHOUT_MASK = ((1 << N_CONTRACTS) - 1) & ~((1 << NINE_WITHOUT) - 1)
"""Masks of the codes for tricks with the talon, and without it."""

RASPAS, TRICKS, MISERE_GAME = range(3)
"""Kinds of a deal: all passed (распасы), a contract for 6..10 tricks, misère."""
KINDS = ("raspas", "tricks", "misere")

N_ROWS = 6
MISERE_ROW = 5
LEVEL_ROWS = (1 << MISERE_ROW) - 1
"""Rows of razboinik's table: 6..10, misère; the mask of those for tricks."""
ROWS = ("6", "7", "8", "9", "10", "misere")

RUNGS = {
    "six": range(5),
    "seven": range(5, 10),
    "eight": range(10, 15),
    "misere": range(MISERE, MISERE + 1),
    "nine": range(15, 20),
    "misere_without": range(MISERE_WITHOUT, MISERE_WITHOUT + 1),
    "nine_without": range(NINE_WITHOUT, NINE_WITHOUT + 5),
    "ten": range(20, 25),
    "ten_without": range(NINE_WITHOUT + 5, N_CONTRACTS),
}
"""Codes of each rung of the ladder, in the usual order: misère is beaten by any nine, without the
talon by a nine without it (Code of Preferans 3.4; Lesnoy, Russian Preferans)."""

REFET_SPADES, REFET_DIAMONDS, REFET_HEARTS, REFET_CLUBS, BETL, SANS, PREFERANS = range(2, 9)
"""Contracts of the refet game by their base value: suits, betl (no trick), sans (without trumps),
preferans (all ten tricks)."""
REFET_CONTRACTS = ("spades", "diamonds", "hearts", "clubs", "betl", "sans", "preferans")

STRAIN_SYMBOLS = ("♠", "♣", "♦", "♥", "NT")
STRAIN_LETTERS = ("S", "C", "D", "H", "NT")


def contract_code(level: Any, strain: Any) -> Any:
    """Code of the contract for ``level`` tricks (6..10) in ``strain``: of ints, or of arrays."""
    return N_STRAINS * (level - 6) + strain


@kernel
def contract_level(code: int) -> int:
    """Level 6..10 of a tricks contract."""
    if code >= NINE_WITHOUT:
        return 9 + (code - NINE_WITHOUT) // N_STRAINS
    return 6 + code // N_STRAINS


@kernel
def contract_strain(code: int) -> int:
    """Strain of a tricks contract."""
    if code >= NINE_WITHOUT:
        return (code - NINE_WITHOUT) % N_STRAINS
    return code % N_STRAINS


@kernel
def is_misere(code: int) -> bool:
    """Whether this is misère, with the talon or without."""
    return code == MISERE or code == MISERE_WITHOUT


@kernel
def refet_base(kind: int, level: int, strain: int) -> int:
    """Base value 2..8 of a refet contract: six tricks in a strain, ten at no trump, or misère."""
    if kind == MISERE_GAME:
        return BETL
    if strain == NO_TRUMP:
        return PREFERANS if level == 10 else SANS
    if strain == CLUBS:
        return REFET_CLUBS
    return REFET_SPADES if strain == SPADES else strain + 1


@kernel
def refet_strain(base: int) -> int:
    """Strain of a refet contract; betl has no trump."""
    if base >= BETL:
        return NO_TRUMP
    if base == REFET_CLUBS:
        return CLUBS
    return SPADES if base == REFET_SPADES else base - 1


def ladder_codes(words: Iterable[str], without_talon: Iterable[str]) -> list[int]:
    """Codes from the lowest bid to the highest: the rungs in this order, those without the talon
    where they are allowed (``misere``, ``nine``, ``ten``)."""
    absent = {"misere_without", "nine_without", "ten_without"}
    absent -= {f"{word}_without" for word in without_talon}
    return [code for word in words if word not in absent for code in RUNGS[word]]


def format_contract(code: int) -> str:
    """Text of a contract: ``6♠``, ``7NT``, ``misere``; ``9♥ wt`` is without the talon.

    >>> format_contract(0), format_contract(9), format_contract(MISERE), format_contract(30)
    ('6♠', '7NT', 'misere', '9♥ wt')
    """
    mark = " wt" if code >= MISERE_WITHOUT else ""
    if is_misere(code):
        return f"misere{mark}"
    return f"{contract_level(code)}{STRAIN_SYMBOLS[contract_strain(code)]}{mark}"


def format_refet_contract(base: int, from_hand: bool) -> str:
    """Text of a contract of the refet game: ``clubs``; ``game clubs`` is from the hand.

    >>> format_refet_contract(REFET_SPADES, False), format_refet_contract(BETL, True)
    ('spades', 'game betl')
    """
    mark = "game " if from_hand else ""
    return mark + REFET_CONTRACTS[base - REFET_SPADES]


def _spellings(code: int) -> list[str]:
    names = ["MISERE", "M"]
    if not is_misere(code):
        strain = contract_strain(code)
        signs = (STRAIN_SYMBOLS[strain], STRAIN_LETTERS[strain])
        names = [f"{contract_level(code)}{sign}" for sign in signs]
    marks = (" WT", "WT") if code >= MISERE_WITHOUT else ("",)
    return [name + mark for name in names for mark in marks]


@functools.cache
def _codes() -> dict[str, int]:
    """Codes by spelling; made when needed, since an import compiles nothing."""
    return {spelling: code for code in range(N_CONTRACTS) for spelling in _spellings(code)}


def parse_contract(text: str) -> int:
    """Code of a contract written as ``6♠``, ``6S``, ``7NT``, ``misere`` or ``M``, ``9S wt``.

    Raises ``ValueError`` for anything else.

    >>> parse_contract("6S"), parse_contract("10nt"), parse_contract("M"), parse_contract("M wt")
    (0, 24, 25, 26)
    """
    code = _codes().get(text.strip().upper())
    if code is None:
        raise ValueError(
            f"contract {text!r} is not known: write a level 6..10 and S, C, D, H or NT "
            "(6S, 7NT, 10H), or misere; after misere, 9 and 10 wt for without the talon (9S wt)"
        )
    return code
