"""Stage ``environments``: a fixpoint for each variant, from three starts, and how sure it is.

Rounds of self-play start timid, neutral and bold. The neutral one is kept; how far apart the three
end is the band. A fixpoint is to be one: no shift of a threshold may pay (``shifts``); one that
does is made by all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.variant import Variant, find_variant, variant_names

from ..engine import Shard
from .calibration import Bucket, calibration, fit_judge, worst
from .environment import STEPS, explore_round, tune
from .recipe import Settling, TrainingError
from .shifts import Gain, largest, shift_gains, shifted
from .student import Floats, Student

Saved = dict[str, Any]
Say = Callable[[str], None]

STARTS = {"neutral": 0.0, "timid": -2.0, "bold": 2.0}
"""Units by which bids are valued higher at the start."""
MOST_GAIN = 0.1
"""Whists a deal that a shift may win, where a made six is worth what it is in ``SCALE``."""
SCALE = "sochi"
_FITTED, _HELD = 1000, 1001
"""Added to the seed: deals to which values are fitted, and that tell how true they are."""
MORE_PLAINLY = 10
"""So many times as many deals are played for that: no candidates are played out."""
MORE_WITH_COLUMNS = 4
"""The refet game's deals differ more and its contexts are rarer: so many times as many of them."""
SAID = ("raspas", "bids", "levels", "misere")
"""Of the band: shares of deals, and the mean level of contracts."""


@dataclass(frozen=True)
class Fixpoint:
    """``rows`` are the coefficients, ``band`` what is said of the play from each start, ``gain``
    the largest of a shift in whists a deal by the scale; ``buckets`` tell how true values of a deal
    are that rest on the coefficients."""

    variant: str
    players: int
    rows: Floats
    band: dict[str, dict[str, float]]
    gains: list[Gain]
    gain: float
    buckets: list[Bucket]

    def saved(self, student: Student, rules: Any) -> Saved:
        return {
            "variant": self.variant,
            "players": self.players,
            "conventions": student.digest(rules),
            "rows": student.packed(self.rows),
            "band": self.band,
            "gain": round(self.gain, 3),
            "calibration": [
                [b.kind, b.decisions, *(round(x, 3) for x in (b.predicted, b.realised, b.error))]
                for b in self.buckets
            ],
        }


def spoken(rules: Any, student: Student, rows: Floats, seed: int, deals: int) -> dict[str, float]:
    """What the play of these coefficients looks like."""
    players = int(rules["n_players"][0])
    weights = student.weights(rules, rows)
    deal = Shard(rules, [student.bot] * players, seed, 0, deals, 1, weights=[weights] * players)
    played = deal.run().deals
    tricks = played["kind"] == TRICKS
    levels = played["level"][tricks]
    found = {
        "raspas": (played["kind"] == RASPAS).mean(),
        "bids": tricks.mean(),
        "levels": levels.mean() if len(levels) else 0.0,
        "misere": (played["kind"] == MISERE_GAME).mean(),
    }
    return {name: round(float(found[name]), 4) for name in SAID}


def settle(
    student: Student,
    variant: Variant,
    players: int,
    seed: int,
    sizes: Settling,
    say: Say | None = None,
) -> Fixpoint:
    """The fixpoint of a variant, from all starts."""
    rules = variant.rules(players)
    steps = STEPS[-sizes.rounds :]
    more = MORE_WITH_COLUMNS if variant.has_columns else 1
    explored, paired = sizes.explored * more, sizes.paired * more
    scale = student.unit(find_variant(SCALE).rules(3)) / student.unit(rules)
    ends: dict[str, Floats] = {}
    band = {}
    for start, units in STARTS.items():
        first = student.biased(rules, student.believed, units * student.unit(rules))
        deals = explored if start == "neutral" else explored // 2
        ends[start] = tune(student, rules, first, seed, deals, steps)
        band[start] = spoken(rules, student, ends[start], seed, sizes.paired)
        if say is not None:
            said = ", ".join(f"{name} {value:.3f}" for name, value in band[start].items())
            say(f"{variant.name}, {players} players, {start}: {said}")
    rows = ends["neutral"]
    gains = shift_gains(student, rules, rows, seed + 1, paired, sizes.shifts)
    for k in range(sizes.more):
        best = largest(gains)
        if best.mean * scale <= MOST_GAIN:
            break
        rows = shifted(rows, student.thresholds(rules)[best.threshold], best.shift)
        band["neutral"] = spoken(rules, student, rows, seed, sizes.paired)
        gains = shift_gains(student, rules, rows, seed + 2 + k, paired, sizes.shifts)
    if say is not None:
        best = largest(gains)
        say(
            f"{variant.name}, {players} players: the best shift ({best.threshold} "
            f"{best.shift:+.2f}) wins {best.mean:+.3f} ± {best.error:.3f} whists a deal"
        )
    rows = student.unpacked(student.packed(rows))
    buckets = judged(student, rules, rows, seed, sizes)
    gain = largest(gains).mean * scale
    return Fixpoint(variant.name, players, rows, band, gains, gain, buckets)


def judged(student: Student, rules: Any, rows: Floats, seed: int, sizes: Settling) -> list[Bucket]:
    """How true values of deals are that rest on these coefficients."""
    deals = MORE_PLAINLY * sizes.explored
    told = [explore_round(student, rules, rows, seed + k, deals, True) for k in (_FITTED, _HELD)]
    return calibration(fit_judge(student, rows, student.kinds(rules), told[0]), told[1])


def parse_tables(text: str) -> list[tuple[str, int]]:
    """Variants with commas between them, each for all its numbers of players or NAME/PLAYERS."""
    found = []
    for word in text.split(","):
        name, _, players = word.strip().partition("/")
        variant = find_variant(name)
        if players and not players.isdecimal():
            raise TrainingError(f"{word!r}: write a variant as NAME or NAME/PLAYERS")
        sizes = [variant.table_size(int(players))] if players else variant.players
        found += [(variant.name, n) for n in sizes]
    return found


def all_tables(sizes: Settling) -> list[tuple[str, int]]:
    names = sizes.variants or tuple(variant_names())
    return [(name, n) for name in names for n in find_variant(name).players]


def settle_all(
    student: Student,
    tables: Sequence[tuple[str, int]],
    seed: int,
    sizes: Settling,
    work: Path | None,
    say: Say,
) -> list[Saved]:
    """The fixpoints of all these variants, as they are stored; each is kept in ``work``."""
    found = []
    for name, players in tables:
        variant = find_variant(name)
        rules = variant.rules(players)
        if student.is_studied(rules):
            path = _path(student, rules, seed, sizes, work)
            saved = _read(path)
            if saved is None:
                saved = settle(student, variant, players, seed, sizes, say).saved(student, rules)
                _write(path, saved)
            found.append({**saved, "variant": name})  # that of another with the same conventions
    return found


def _path(
    student: Student, rules: Any, seed: int, sizes: Settling, work: Path | None
) -> Path | None:
    """Where a fixpoint is kept that depends on all this."""
    if work is None:
        return None
    digest = hashlib.sha256(student.weights(rules, student.believed).tobytes())
    digest.update(json.dumps([student.code, seed, sizes.as_json()]).encode())
    folder = work / "fixpoints"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrainingError(f"{folder} cannot be made: {error.strerror}") from None
    return folder / f"{student.digest(rules)}-{digest.hexdigest()[:12]}.json"


def _read(path: Path | None) -> Saved | None:
    try:
        return None if path is None else dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def _write(path: Path | None, saved: Saved) -> None:
    if path is not None:
        write_json(path, saved)


def write_json(path: Path, data: Saved) -> None:
    """Write under a temporary name, then rename."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    temporary.replace(path)


def apart(saved: Saved, what: str) -> float:
    """How far apart the starts ended."""
    values = [one[what] for one in saved["band"].values()]
    return max(values) - min(values)


def format_fixpoints(all_saved: Sequence[Saved]) -> str:
    """A table: a variant a line, its play and in brackets how far apart the starts ended, the
    largest gain of a shift, the largest error of a prediction in whists."""
    from scoring.tables import format_table

    rows = [["variant", "players", *SAID, "best shift", "error"]]
    for saved in all_saved:
        told = [f"{saved['band']['neutral'][k]:.3f} ({apart(saved, k):.3f})" for k in SAID]
        name, players = saved["variant"], str(saved["players"])
        error = worst([Bucket(*one) for one in saved["calibration"]])
        rows.append([name, players, *told, f"{saved['gain']:+.3f}", f"{error:.2f}"])
    return format_table(rows)
