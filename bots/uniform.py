"""The template of a jitted bot: uniform over the legal actions."""

from __future__ import annotations

from typing import Any

from .api import below, bot, nth_bit, popcount


@bot()
def random(view: Any, own: Any) -> int:
    """Uniform over the legal actions; the template to copy."""
    return nth_bit(view.legal, below(view.random, popcount(view.legal)))
