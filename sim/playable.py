"""The variants the engine plays: all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.variant import variant_names

PLAYED: Mapping[str, tuple[Any, ...]] = {}
playable_names = variant_names
