"""Conventions: each is documented, can be set, packed, and refuses what is not allowed."""

from __future__ import annotations

import pytest
from variant_bridge import (
    BASES,
    HEADS,
    bad_values,
    base_of,
    good_values,
    head_of,
    refused,
    setting,
)

from scoring.convention import LEVELS, Convention
from scoring.conventions import BY_KEY, CONVENTIONS, FAMILIES, conventions_of
from scoring.errors import quoted
from scoring.rules import RULES_DTYPE
from scoring.variant import VariantError, find_variant, parse_variant

EVERY = pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: c.key)


@EVERY
def test_every_convention_is_documented(convention: Convention) -> None:
    """It has a meaning, says what is allowed, and its default is allowed and a field of Rules."""
    assert len(convention.meaning) > 5 and len(convention.allowed()) > 5
    assert convention.check(convention.default) == convention.default
    assert RULES_DTYPE.names is not None and convention.field in RULES_DTYPE.names
    if convention.kind == "choice":
        assert len(set(convention.values)) > 1
        assert all(value in convention.allowed() for value in convention.values)


@EVERY
def test_every_convention_can_be_set(convention: Convention) -> None:
    """Each allowed value is read from a file, kept, written out, and packed as its own number."""
    packed = set()
    for value in good_values(convention):
        variant = parse_variant(setting(convention, value), "ours", "ours.toml")
        assert variant.conventions[convention.key] == value
        again = parse_variant(variant.toml(), "ours", "ours.toml")
        assert again.conventions == variant.conventions
        packed.add(variant.rules()[convention.field].tobytes())
        others = set(BY_KEY) - {convention.key}
        base = find_variant(base_of(convention)).conventions
        assert all(variant.conventions[key] == base[key] for key in others)
        assert variant.differs == {key for key in BY_KEY if variant.conventions[key] != base[key]}
    assert len(packed) == len(good_values(convention))


@EVERY
def test_every_convention_refuses(convention: Convention) -> None:
    """A wrong type, length or range: the message names file, key, value and what is allowed."""
    for value in bad_values(convention):
        if value in good_values(convention) and type(value) is type(convention.default):
            continue
        message = refused(setting(convention, value))
        assert message == (
            f"ours.toml: {convention.key} = {quoted(value)}; allowed: {convention.allowed()}"
        )
        with pytest.raises(VariantError) as caught:
            find_variant(base_of(convention), {convention.key: value})
        assert str(caught.value) == (
            f"--set: {convention.key} = {quoted(value)}; allowed: {convention.allowed()}"
        )


@EVERY
def test_a_misspelt_convention(convention: Convention) -> None:
    """A key with a letter too many is refused with the right one among the suggestions."""
    table, key = convention.key.split(".")
    message = refused(f"{head_of(convention)}\n[{table}]\n{key}x = 1\n")
    assert message.startswith(f"ours.toml: {convention.key}x is not a convention; did you mean ")
    assert convention.key in message.partition("did you mean ")[2]


def test_the_last_of_a_series_repeats() -> None:
    """A packed series goes on with its last entry."""
    rules = find_variant("sochi", {"raspas.progression": [1, 2, 5]}).rules(3)
    assert rules["raspas_progression"][0].tolist() == [1, 2, 5, 5, 5, 5, 5, 5]


def test_levels_are_a_set() -> None:
    """The packed levels at which half-whist may be said are a mask of levels."""
    rules = find_variant("sochi", {"whist.half_levels": [10, 6]}).rules(3)
    assert int(rules["whist_half_levels"][0]) == 1 << 10 | 1 << 6
    assert LEVELS == (6, 7, 8, 9, 10)


def test_families_have_their_own_conventions() -> None:
    """A convention is of one family, but for the dummy's seat; in another it is refused by name."""
    keys = [{c.key for c in conventions_of(family)} for family in FAMILIES]
    assert set().union(*keys) == set(BY_KEY) and keys[0] & keys[1] == {"dummy.seat"}
    assert not keys[2] & (keys[0] | keys[1])
    for family, own, name in zip(FAMILIES, keys, BASES, strict=True):
        head = HEADS[name]
        assert find_variant(name).family == family
        assert [c.key for c in find_variant(name).own_conventions()] == [
            key for key in BY_KEY if key in own
        ]
        for key in set(BY_KEY) - own:
            words = f"{key} has no meaning in the family {family}"
            table, short = key.split(".")
            assert refused(f"{head}[{table}]\n{short} = 1\n") == f"ours.toml: {words}"
            with pytest.raises(VariantError) as caught:
                find_variant(name, {key: BY_KEY[key].default})
            assert str(caught.value) == f"--set: {words}"
