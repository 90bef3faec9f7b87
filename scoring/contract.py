"""Contracts: codes, the ladder of bids, and their text form.

A *code* is the number of a contract: ``5 * (level - 6) + strain`` for 0..24, then ``MISERE``.
The *ladder* is the order in which bids outrank each other (misère stands between 8NT and 9♠).
"""

from __future__ import annotations

from typing import Any

SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMP = range(5)
"""Strains in bidding order (♠ ♣ ♦ ♥ без козыря)."""

N_STRAINS = 5
MISERE = 25
"""Code of misère (мизер)."""
N_CONTRACTS = 26

RASPAS, TRICKS, MISERE_GAME = range(3)
"""Kinds of a deal: all passed (распасы), a contract for 6..10 tricks, misère."""
KINDS = ("raspas", "tricks", "misere")

LADDER = (*range(15), MISERE, *range(15, 25))
"""Codes from the lowest bid to the highest (Code of Preferans: misère is beaten by any nine)."""

STRAIN_SYMBOLS = ("♠", "♣", "♦", "♥", "NT")
STRAIN_LETTERS = ("S", "C", "D", "H", "NT")


def contract_code(level: Any, strain: Any) -> Any:
    """Code of the contract for ``level`` tricks (6..10) in ``strain``: of ints, or of arrays."""
    return N_STRAINS * (level - 6) + strain


def contract_level(code: int) -> int:
    """Level 6..10 of a tricks contract."""
    return 6 + code // N_STRAINS


def contract_strain(code: int) -> int:
    """Strain of a tricks contract."""
    return code % N_STRAINS


def format_contract(code: int) -> str:
    """Text of a contract: ``6♠``, ``7NT``, ``misere``.

    >>> format_contract(0), format_contract(9), format_contract(MISERE)
    ('6♠', '7NT', 'misere')
    """
    if code == MISERE:
        return "misere"
    return f"{contract_level(code)}{STRAIN_SYMBOLS[contract_strain(code)]}"


def parse_contract(text: str) -> int:
    """Code of a contract written as ``6♠``, ``6S``, ``7NT``, ``misere`` or ``M``.

    Raises ``ValueError`` for anything else.

    >>> parse_contract("6S"), parse_contract("10nt"), parse_contract("M")
    (0, 24, 25)
    """
    word = text.strip().upper()
    if word in ("MISERE", "M"):
        return MISERE
    for level in range(6, 11):
        head = str(level)
        if word.startswith(head):
            for strain, names in enumerate(zip(STRAIN_SYMBOLS, STRAIN_LETTERS, strict=True)):
                if word[len(head) :] in names:
                    return contract_code(level, strain)
    raise ValueError(
        f"contract {text!r} is not known: write a level 6..10 and S, C, D, H or NT "
        "(6S, 7NT, 10H), or misere"
    )
