"""Rules as data and exact scores: conventions, variants, deal scores, the sheet, settlement.

``from scoring import ScoreSheet, DealResult, score_deal, settle``: the kernels behind these names
are compiled when one of them is first asked for.
"""

from __future__ import annotations

from typing import Any

_SCORE_SHEET = (
    "Correction",
    "DealResult",
    "Entries",
    "ScoreSheet",
    "Settlement",
    "SheetError",
    "score_deal",
    "settle",
)

__all__ = list(_SCORE_SHEET)


def __getattr__(name: str) -> Any:
    if name in _SCORE_SHEET:
        from . import score_sheet

        return getattr(score_sheet, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
