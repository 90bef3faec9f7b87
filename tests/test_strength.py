"""The duels of ``benchmarks.strength``: tables say what ``preferans duel`` says, parts sum up."""

from __future__ import annotations

import pytest

from benchmarks import readme, strength
from benchmarks.strength import PILOT, difference_rows, part_rows, play_duel, play_for
from sim.duel.telling import format_whists


def test_a_duel_told() -> None:
    """The row of a duel has its figures; what its parts are worth sums to the whole difference."""
    duel = play_duel("sochi", "cautious", "random", 60)
    found = duel.results.pairs[0]
    _, row = difference_rows([duel], "A cautious")
    assert row[:2] == ["sochi", "3"] and row[3:5] == [format_whists(found.difference), "60"]
    head, *parts, whole = part_rows(duel)
    assert whole[2] == row[3] and len(parts) > 5 and all(len(one) == len(head) for one in parts)
    each = [float(part[3]) * float(part[1].rstrip("%")) / 100 for part in parts]
    assert found.difference.value == pytest.approx(sum(each), abs=0.2)


def test_a_slow_duel_is_as_long_as_it_may_be() -> None:
    """A alone among B's, and no fewer base deals than the pilot."""
    duel = play_for("sochi", "cautious", "random", 0.001)
    assert [one.lone for one in duel.match.seatings] == [0, 0, 0]
    assert duel.results.n == PILOT and len(strength.SAMPLED) == 7


def test_every_part_has_its_place_in_the_readme() -> None:
    """Each generated part stands between its markers, once."""
    text = readme.README.read_text(encoding="utf-8")
    for name in readme.MAKERS:
        assert text.count(f"<!-- begin {name} -->") == text.count(f"<!-- end {name} -->") == 1
        assert "new" in readme.replace_part(text, name, "new")
