"""Text tables: estimates with their intervals, variants, conventions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.tables import format_table
from scoring.variant import Variant

from .analysis import Estimate, Moments
from .metrics import Metric


def _digits(half: float, share: bool) -> int:
    """Decimals that show the interval's half width to two figures or so."""
    size = half * 100 if share else half
    return 1 if size >= 1 else 2 if size >= 0.1 else 3


def format_estimate(estimate: Estimate, metric: Metric) -> str:
    """``26.3% [26.1, 26.6]``; a dash where there is nothing to estimate."""
    if estimate.value is None:
        return "-"
    scale, sign = (100, "%") if metric.share else (1, "")
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value * scale:.2f}{sign}"
    digits = _digits((estimate.high - estimate.low) / 2, metric.share)
    value, low, high = (
        f"{x * scale:.{digits}f}" for x in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value}{sign} [{low}, {high}]"


def _label(metric: Metric) -> str:
    return f"{metric.title}, {metric.unit}" if metric.unit else metric.title


def format_moments(moments: Moments) -> str:
    """The estimates of each run side by side, then the differences of each pair of runs."""
    metrics = moments.metrics
    rows = [["95 % intervals", *moments.names]]
    for metric in metrics:
        cells = [
            format_estimate(moments.estimate(run, metric), metric)
            for run in range(len(moments.names))
        ]
        rows.append([_label(metric), *cells])
    text = format_table(rows)
    pairs = moments.pairs()
    if not pairs:
        return text
    rows = [["differences", *(f"{moments.names[a]} - {moments.names[b]}" for a, b in pairs)]]
    for metric in metrics:
        cells = [format_estimate(moments.difference(a, b, metric), metric) for a, b in pairs]
        rows.append([_label(metric), *cells])
    return f"{text}\n\n{format_table(rows)}"


def format_value(value: Any) -> str:
    """A convention's value as it is written in TOML, without quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "(none)"
    return str(value)


def format_target(variant: Variant, pool: int) -> str:
    """A variant and the target it is played to: ``rostov to 20``; ``serbian from 100``, the start
    of its columns; ``razboinik``, without one."""
    if variant.has_columns:
        return f"{variant.name} from {pool}"
    return f"{variant.name} to {pool}" if variant.has_target else variant.name


def format_players(variant: Variant) -> str:
    """The numbers of players: ``2, 3, 4``."""
    return ", ".join(map(str, variant.players))


def _pool_line(variant: Variant) -> str:
    if variant.has_pool:
        return f"default pool: {variant.pool} pool points per player"
    if variant.has_columns:
        return f"default pool: {variant.pool}, at which each contract column starts"
    return "pool: none; the game ends when all rows are played"


def format_variants(variants: Sequence[Variant]) -> str:
    """A line for each variant; the pool, in the refet game the start of a column, is a dash where
    there is none."""
    rows = [["variant", "base", "players", "pool", "title"]]
    for v in variants:
        pool = str(v.pool) if v.has_target else "-"
        title = f"{v.title} ({v.title_ru})"
        rows.append([v.name, v.base or "-", format_players(v), pool, title])
    return format_table(rows, right=5)


def format_variant(variant: Variant) -> str:
    """The conventions of a variant, those that differ from its base marked with ``*``."""
    base = variant.base or "the general defaults"
    head = [
        f"{variant.name}: {variant.title} ({variant.title_ru})",
        f"aliases: {', '.join(variant.aliases) or '-'}",
        f"players: {format_players(variant)}",
        _pool_line(variant),
        f"source: {variant.source or '-'}",
        f"notes: {variant.notes or '-'}",
        f"conventions (* = differs from {base}):",
    ]
    rows = []
    for convention in variant.own_conventions():
        mark = "*" if convention.key in variant.differs else " "
        value = format_value(variant.conventions[convention.key])
        meaning = convention.meaning + (f" [{convention.unit}]" if convention.unit else "")
        rows.append([f"{mark} {convention.key}", value, meaning])
    return "\n".join([*head, format_table(rows, right=3)])


def variant_json(variant: Variant) -> dict[str, Any]:
    """A variant as JSON data."""
    return {
        "name": variant.name,
        "title": variant.title,
        "title_ru": variant.title_ru,
        "aliases": list(variant.aliases),
        "family": variant.family,
        "base": variant.base or None,
        "players": list(variant.players),
        "pool": variant.pool if variant.has_target else None,
        "source": variant.source,
        "notes": variant.notes,
        "conventions": {
            c.key: {
                "value": variant.conventions[c.key],
                "unit": c.unit,
                "meaning": c.meaning,
                "allowed": c.allowed(),
                "differs": c.key in variant.differs,
            }
            for c in variant.own_conventions()
        },
    }
