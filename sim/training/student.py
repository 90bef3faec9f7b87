"""The bot that is taught, as training is handed it: training knows no bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..botcall import Bot

Floats = np.ndarray[Any, np.dtype[np.float64]]
Packed = dict[str, list[int]]


@dataclass(frozen=True)
class Student:
    """A bot whose candidates' values are fitted, and a policy of cards.

    ``code`` is a digest of his sources. ``study`` notes candidates (``explore``), ``weights(rules,
    rows)`` are his weights with these coefficients [row, feature], ``believed`` those before
    anything is learned, ``learned(rules)`` those he has, ``blocks`` the rows of each context,
    ``grain`` what features are stored in.
    ``biased`` coefficients value every bid so many whists higher, ``unit`` is a made six in whists,
    ``thresholds`` names rows whose constants are shifted together, ``kinds`` those whose values are
    told together. ``taught(data)`` makes the bot
    know what a file of tables would say. Fields of cards are those of ``cards.Policy``.
    """

    bot: Bot
    code: str
    study: Any
    weights: Callable[[Any, Floats], Floats]
    believed: Floats
    blocks: Sequence[range]
    grain: float
    biased: Callable[[Any, Floats, float], Floats]
    unit: Callable[[Any], float]
    thresholds: Callable[[Any], dict[str, list[int]]]
    kinds: Callable[[Any], dict[str, list[int]]]
    is_studied: Callable[[Any], bool]
    learned: Callable[[Any], Floats]
    packed: Callable[[Floats], Packed]
    unpacked: Callable[[Packed], Floats]
    digest: Callable[[Any], str]
    tuned_path: Callable[[Any], Path]
    taught: Callable[[dict[str, Any]], AbstractContextManager[None]]
    card_player: Bot
    card_study: Any
    card_weights: Callable[[Any, Floats], Floats]
    card_start: Floats
    card_contexts: Sequence[str]
    card_worth: Callable[[bool], Floats]
    tell_cards: Callable[[Floats], dict[str, dict[str, int]]]
