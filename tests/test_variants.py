"""Variants as data: names, files, inheritance, settings; every mistake is one clear sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from variant_bridge import (
    FUZZ,
    HEAD,
    HEADS,
    base_of,
    head_of,
    in_toml,
    other_value,
    refused,
    write,
)

from scoring.convention import Convention
from scoring.conventions import BY_KEY, CONVENTIONS
from scoring.variant import (
    FOLDER,
    MAX_POOL,
    Variant,
    VariantError,
    check_pool,
    find_variant,
    parse_setting,
    parse_variant,
    variant_names,
)

# Names


def test_the_shipped_variants() -> None:
    """The three classical variants are there, in order."""
    assert {"leningrad", "rostov", "sochi"} <= set(variant_names())
    assert list(variant_names()) == sorted(path.stem for path in FOLDER.glob("*.toml"))


@pytest.mark.parametrize("name", variant_names())
def test_names_and_aliases(name: str) -> None:
    """A variant is found by its name and each alias, in any case of letters, in both scripts; one
    that is named after a program or a site has its Latin name alone."""
    variant = find_variant(name)
    assert variant.name == name and variant.title and variant.title_ru and variant.source
    words = (name, *variant.aliases)
    assert any(not word.isascii() for word in (*words, variant.title_ru))
    for word in words:
        for written in (word, word.upper(), word.title(), word.swapcase(), f"  {word} "):
            assert find_variant(written) == variant


def test_names_are_distinct() -> None:
    """No word means two variants."""
    words = [
        word.casefold()
        for name in variant_names()
        for word in {name, *(alias.casefold() for alias in find_variant(name).aliases)}
    ]
    assert len(words) == len(set(words))


def test_some_names_in_russian() -> None:
    """The names that a player would say."""
    for word, name in (("сочи", "sochi"), ("СОЧИНКА", "sochi"), ("Ростов", "rostov")):
        assert find_variant(word).name == name
    assert find_variant("Ленинградка").name == "leningrad"


def test_unknown_names() -> None:
    """The nearest names are suggested, and all are listed."""
    for word, near in (("rostof", "rostov"), ("Сочы", "сочи"), ("lenigrad", "leningrad")):
        with pytest.raises(VariantError) as caught:
            find_variant(word)
        message = str(caught.value)
        assert f"variant {word!r} is not known; did you mean " in message and near in message
        assert ", ".join(variant_names()) in message and ".toml" in message
    for word in ("", " ", "qqqqqqqqq"):
        with pytest.raises(VariantError) as caught:
            find_variant(word)
        assert "is not known (variants: " in str(caught.value)


# Texts


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_written_out_reads_back(name: str) -> None:
    """``toml()`` is a whole file of its own: the same conventions, digest, rules, and heading."""
    variant = find_variant(name)
    text = variant.toml()
    again = parse_variant(text, name, "the text")
    assert again.conventions == variant.conventions and again.digest() == variant.digest()
    assert again.base == "" and again.pool == variant.pool and again.family == variant.family
    for key in ("title", "title_ru", "source", "notes", "aliases"):
        assert getattr(again, key) == getattr(variant, key)
    assert again.players == variant.players
    for players in variant.players:
        assert np.array_equal(again.rules(players), variant.rules(players))
    assert again.toml() == text
    assert {
        f"{table}.{key}"
        for table, group in tomllib.loads(text).items()
        if isinstance(group, dict)
        for key in group
    } == {convention.key for convention in variant.own_conventions()}


def test_variants_differ() -> None:
    """Each shipped variant has a digest of its own, or is played by others; what differs from the
    base is told exactly."""
    found = [find_variant(name) for name in variant_names()]
    assert len({(variant.digest(), variant.players) for variant in found}) == len(found)
    for name in variant_names():
        variant = find_variant(name)
        if variant.base:
            base: Any = find_variant(variant.base).conventions
        else:
            base = {c.key: c.default for c in CONVENTIONS}
        assert variant.differs == {k for k in BY_KEY if variant.conventions[k] != base[k]}


def test_what_a_digest_covers() -> None:
    """The digest changes with every convention, and not with title, notes or pool."""
    plain = parse_variant(HEAD, "ours", "ours.toml")
    assert plain.digest() == find_variant("sochi").digest()
    assert parse_variant(f"{HEAD}pool = 9\nnotes = 'n'\n", "x", "x.toml").digest() == plain.digest()
    for variant in (parse_variant(head, "ours", "ours.toml") for head in HEADS.values()):
        for convention in variant.own_conventions():
            changed = variant.with_settings({convention.key: other_value(variant, convention)})
            assert changed.digest() != variant.digest()


TITLES = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@FUZZ
@given(TITLES, TITLES, st.lists(TITLES, max_size=3), st.integers(1, MAX_POOL))
@example("a\rb", "", [], 1)
@example('"\\ \n\t\x00\x7f', "\u2028\x85", ["\x1b"], MAX_POOL)
def test_any_heading_reads_back(title: str, notes: str, aliases: list[str], pool: int) -> None:
    """Whatever characters stand in title, notes and aliases, ``toml()`` reads back."""
    plain = find_variant("sochi")
    variant = Variant(
        **{**vars(plain), "title": title, "notes": notes, "aliases": tuple(aliases), "pool": pool}
    )
    again = parse_variant(variant.toml(), "ours", "ours.toml")
    assert (again.title, again.notes, again.aliases) == (title, notes, tuple(aliases))
    assert again.pool == pool and again.conventions == variant.conventions


# Headings


def test_wrong_headings() -> None:
    """Keys of the heading: unknown ones, wrong types, missing ones."""
    cases = {
        'title = "x"\npool = 5\nsorce = "y"\n': "sorce is not a key of a variant; did you mean",
        'title = "x"\npool = 5\n[rapsas]\nprice = 2\n': "did you mean raspas",
        "title = 3\npool = 5\n": "title = 3 must be text in quotes",
        'title = "x"\nbase = 3\n': "base = 3 must be text in quotes",
        'title = "x"\npool = 5\naliases = "y"\n': "aliases = 'y' must be a list of names in quotes",
        'title = "x"\npool = 5\naliases = [1]\n': "must be a list of names in quotes",
        'title = "x"\npool = 0\n': f"pool = 0 must be an integer from 1 to {MAX_POOL}",
        'title = "x"\npool = 10001\n': f"must be an integer from 1 to {MAX_POOL}",
        'title = "x"\npool = true\n': "pool = True must be an integer",
        'title = "x"\npool = 2.5\n': "pool = 2.5 must be an integer",
        'title = "x"\npool = 5\nfamily = "chess"\n': "family = 'chess'; allowed: pool",
        'title = "x"\n': "pool (default target in pool points) is missing",
        "pool = 5\n": "title is missing",
        'title = "x"\npool = 5\nraspas = 7\n': "raspas must be a table of conventions",
        'title = "x"\npool = 5\n[[raspas]]\nprice = 2\n': "raspas must be a table of conventions",
        'title = "x"\nbase = "sochi"\nfamily = "razboinik"\n': (
            "family = 'razboinik', but its base has 'pool'"
        ),
        'title = "x"\nfamily = "razboinik"\npool = 5\n': (
            "pool has no meaning in the family razboinik"
        ),
        'title = "x"\nfamily = "razboinik"\nplayers = [2, 3]\n': (
            "players = [2, 3]; razboinik is played by 2"
        ),
        'title = "x"\nfamily = "refet"\npool = 5\nplayers = [2, 3]\n': (
            "players = [2, 3]; refet is played by 3 or 4"
        ),
        'title = "x"\nfamily = "refet"\n': "pool (default target in pool points) is missing",
        'title = "x"\nbase = "refet"\n[raspas]\nprice = 2\n': (
            "raspas.price has no meaning in the family refet"
        ),
        'title = "x"\npool = 5\nplayers = [5]\n': "players = [5] must be a list of the numbers",
        'title = "x"\npool = 5\nplayers = 2\n': "out of 2, 3, 4",
        'title = "x"\npool = 5\nplayers = []\n': "players = [] must be a list",
        'title = "x"\npool = 5\nplayers = [2, 2]\n': "players = [2, 2] must be a list",
        'title = "x"\npool = 5\nplayers = [true]\n': "players = [True] must be a list",
        'title = "x\n': "not a TOML file",
        "\x00": "not a TOML file",
    }
    for text, words in cases.items():
        message = refused(text)
        assert message.startswith("ours.toml: ") and words in message


def test_pools() -> None:
    """A pool is 1 to the highest; also where a run gives it."""
    assert check_pool(1) == 1 and check_pool(MAX_POOL) == MAX_POOL
    for pool in (0, -1, MAX_POOL + 1):
        with pytest.raises(VariantError, match=f"pool {pool} is not possible: write 1 to"):
            find_variant("sochi").rules(3, pool)
    assert int(find_variant("sochi").rules(3, 7)["target"][0]) == 7
    assert int(find_variant("sochi").rules(3)["target"][0]) == find_variant("sochi").pool


def test_numbers_of_players() -> None:
    """As the variant says, its base, or all that the family knows; the usual one is three."""
    head = 'title = "x"\npool = 5\n'
    for text, players, usual in (
        (head, (2, 3, 4), 3),
        (f"{head}players = [4]\n", (4,), 4),
        (f"{head}players = [4, 2]\n", (4, 2), 2),
        ('title = "x"\nbase = "gusarik"\n', (2,), 2),
        ('title = "x"\nbase = "gusarik"\nplayers = [2, 3]\n', (2, 3), 3),
        ('title = "x"\nfamily = "razboinik"\n', (2,), 2),
        ('title = "x"\nfamily = "refet"\npool = 5\n', (3, 4), 3),
        ('title = "x"\nbase = "serbian"\nplayers = [4]\n', (4,), 4),
    ):
        variant = parse_variant(text, "ours", "ours.toml")
        assert variant.players == players and variant.table_size(None) == usual
        assert int(variant.rules()["n_players"][0]) == usual
        for n in {1, 2, 3, 4, 5} - set(players):
            with pytest.raises(VariantError, match=f"players, not by {n}$"):
                variant.rules(n)


def test_razboinik_has_no_pool() -> None:
    """Neither by itself, nor given; 0 stands for none."""
    variant = find_variant("razboinik")
    assert not variant.has_pool and (variant.pool, variant.target(None)) == (0, 0)
    assert int(variant.rules()["target"][0]) == 0 and "pool =" not in variant.toml()
    with pytest.raises(VariantError, match="has no pool: it ends when all rows are played"):
        variant.target(10)


def test_the_start_of_the_columns() -> None:
    """In the refet game the pool is where each column starts; it is written out and inherited."""
    variant = find_variant("refet")
    assert not variant.has_pool and variant.has_columns and variant.has_target
    assert (variant.pool, variant.target(None), variant.target(50)) == (30, 30, 50)
    assert int(variant.rules(4, 50)["target"][0]) == 50 and "pool = 30\n" in variant.toml()
    ours = parse_variant('title = "x"\nbase = "serbian"\npool = 400\n', "ours", "ours.toml")
    assert ours.target(None) == 400 and ours.players == (3, 4)
    with pytest.raises(VariantError, match="pool 0 is not possible"):
        variant.target(0)


# Files and inheritance


def test_a_file_inherits(tmp_path: Path) -> None:
    """What a file does not set comes from its base, and from the base of that."""
    rostov = find_variant("rostov")
    first = write(tmp_path, "first", 'title = "1"\nbase = "Ростов"\n[raspas]\nprice = 9\n')
    text = f'title = "2"\nbase = "{first}"\npool = 33\n[whist]\nlong = true\n'
    second_path = write(tmp_path, "second", text)
    second = find_variant(second_path)
    assert second.name == "second" and second.pool == 33 and second.title_ru == "2"
    assert find_variant(first).pool == rostov.pool
    third = find_variant(write(tmp_path, "third", f'title = "3"\nbase = "{second_path}"\n'))
    assert third.pool == 33 and third.conventions == second.conventions
    assert second.differs == {"whist.long"} and find_variant(first).differs == {"raspas.price"}
    changed = {"raspas.price": 9, "whist.long": True}
    assert second.conventions == {**rostov.conventions, **changed}


def test_a_file_with_the_same_values_differs_in_nothing(tmp_path: Path) -> None:
    """A convention that is set to the value of the base is not marked."""
    price = find_variant("rostov").conventions["raspas.price"]
    text = f'title = "x"\nbase = "rostov"\n[raspas]\nprice = {price}\n'
    variant = find_variant(write(tmp_path, "same", text))
    assert variant.differs == frozenset() and variant.digest() == find_variant("rostov").digest()


def test_a_file_without_a_base(tmp_path: Path) -> None:
    """It starts from the general defaults."""
    variant = find_variant(write(tmp_path, "own", 'title = "x"\npool = 5\n'))
    assert variant.conventions == {c.key: c.default for c in CONVENTIONS}
    assert variant.base == "" and variant.differs == frozenset()


def test_an_unknown_base(tmp_path: Path) -> None:
    """A base that is not there is named."""
    with pytest.raises(VariantError, match="'rostof' is not known; did you mean rostov"):
        find_variant(write(tmp_path, "a", 'title = "x"\nbase = "rostof"\n'))
    absent = str(tmp_path / "absent.toml")
    with pytest.raises(VariantError, match="absent.toml: cannot be read"):
        find_variant(write(tmp_path, "b", f'title = "x"\nbase = "{absent}"\n'))


@pytest.mark.parametrize("length", [1, 2, 3])
def test_bases_in_a_circle(length: int, tmp_path: Path) -> None:
    """Files that are each other's base are refused, however long the circle."""
    paths = [tmp_path / f"round{k}.toml" for k in range(length)]
    for k, path in enumerate(paths):
        base = paths[(k + 1) % length]
        path.write_text(f'title = "x"\nbase = "{base}"\n', encoding="utf-8")
    with pytest.raises(VariantError, match="leads back to itself") as caught:
        find_variant(str(paths[0]))
    assert "\n" not in str(caught.value) and str(tmp_path) in str(caught.value)


def test_a_base_beside_the_file(tmp_path: Path) -> None:
    """A relative base is looked for where the file is, not where the command runs."""
    write(tmp_path, "first", 'title = "1"\nbase = "rostov"\n[raspas]\nprice = 9\n')
    second = find_variant(write(tmp_path, "second", 'title = "2"\nbase = "first.toml"\n'))
    assert second.conventions["raspas.price"] == 9


def test_a_file_named_as_its_base(tmp_path: Path) -> None:
    """A file may have the name of the shipped variant that it changes."""
    text = 'title = "Our Sochi"\nbase = "sochi"\n[raspas]\nprice = 77\n'
    variant = find_variant(write(tmp_path, "sochi", text))
    sochi = find_variant("sochi").conventions
    assert variant.conventions == {**sochi, "raspas.price": 77} and variant.name == "sochi"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder, a file that is missing, and one that is not UTF-8."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "latin.toml").write_bytes('title = "Сочи"'.encode("cp1251"))
    for name in ("folder", "absent", "latin"):
        path = str(tmp_path / f"{name}.toml")
        with pytest.raises(VariantError) as caught:
            find_variant(path)
        assert str(caught.value).startswith(f"{path}: cannot be read: ")
        assert "\n" not in str(caught.value)


# Settings


def test_settings_are_parsed() -> None:
    """``KEY=VALUE`` with a TOML value, or a bare word."""
    cases: dict[str, tuple[str, Any]] = {
        "raspas.price=10": ("raspas.price", 10),
        " raspas.price = 10 ": ("raspas.price", 10),
        "auction.jumps=false": ("auction.jumps", False),
        "raspas.column=whists": ("raspas.column", "whists"),
        'raspas.column="whists"': ("raspas.column", "whists"),
        "raspas.progression=[1, 2, 4]": ("raspas.progression", [1, 2, 4]),
        "a=b=c": ("a", "b=c"),
        "a=": ("a", ""),
        "a=1 # no": ("a", 1),
        "a=1\nb=2": ("a", 1),
    }
    for text, expected in cases.items():
        key, value = parse_setting(text)
        assert (key, value) == expected and type(value) is type(expected[1])


def test_settings_without_a_value() -> None:
    """Without ``=`` or without a key the form is shown."""
    for text in ("raspas.price", "", "=3", "  =3"):
        with pytest.raises(VariantError) as caught:
            parse_setting(text)
        assert str(caught.value).startswith(f"--set {text}")
        assert "write KEY=VALUE, for example raspas.price=10" in str(caught.value)


def test_settings_change_single_conventions() -> None:
    """They change what they name and nothing else, and are marked as differing."""
    plain = find_variant("rostov")
    house = find_variant("rostov", {"raspas.price": 9, "raspas.progression": [1, 2]})
    assert house.conventions == {
        **plain.conventions,
        "raspas.price": 9,
        "raspas.progression": (1, 2),
    }
    assert house.differs == plain.differs | {"raspas.price", "raspas.progression"}
    assert house.name == "rostov" and house.digest() != plain.digest()
    assert find_variant("rostov", {}) == plain == find_variant("rostov")
    same = {"raspas.price": plain.conventions["raspas.price"]}
    assert find_variant("rostov", same).digest() == plain.digest()


def test_wrong_settings() -> None:
    """An unknown key with suggestions; a wrong value with what is allowed; both ways to set."""
    cases: dict[str, tuple[str, Any, str]] = {
        "misspelt": ("raspas.prise", 3, "raspas.prise is not a convention; did you mean raspas"),
        "without a table": ("price", 3, "price is not a convention"),
        "a table": ("raspas", 3, "raspas is not a convention"),
        "a heading": ("pool", 3, "pool is not a convention"),
        "a type": ("raspas.price", "dear", "raspas.price = 'dear'; allowed: an integer from 0"),
        "a range": ("raspas.price", -1, "raspas.price = -1; allowed: an integer from 0"),
        "a choice": ("raspas.column", "moon", "allowed: mountain or whists"),
    }
    plain = find_variant("rostov")
    for key, value, words in cases.values():
        for change in (lambda s: find_variant("rostov", s), plain.with_settings):
            with pytest.raises(VariantError) as caught:
                change({key: value})
            assert str(caught.value).startswith("--set: ") and words in str(caught.value)


# Fuzz


KEYS = st.sampled_from(
    [
        "title",
        "pool",
        "base",
        "aliases",
        "family",
        "players",
        "notes",
        "source",
        "raspas",
        "whist",
        "ours",
    ]
    + [c.key for c in CONVENTIONS]
    + [c.key.split(".")[1] for c in CONVENTIONS]
)
WORDS = st.sampled_from(["sochi", "rostov", "ours", "pool", "whists", "", "ours.toml", "\u0130"])
SCALARS = st.one_of(
    st.integers(-2, 12).map(str),
    st.integers().map(str),
    st.floats().map(str),
    st.booleans().map(in_toml),
    WORDS.map(in_toml),
    st.sampled_from(["1979-05-27", "07:32:00", "inf", "nan", "'x'", '"""y"""', "0x1F", "+1"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=9).map(lambda x: f"[{', '.join(x)}]"),
        st.tuples(KEYS, inner).map(lambda x: f"{{{x[0]} = {x[1]}}}"),
    ),
    max_leaves=9,
)
LINES = st.one_of(
    st.tuples(KEYS, VALUES).map(" = ".join),
    KEYS.map(lambda key: f"[{key}]"),
    KEYS.map(lambda key: f"[[{key}]]"),
    st.text(max_size=6),
)


def parse_or_refuse(text: str) -> None:
    """A variant or a VariantError of one line; nothing else."""
    try:
        variant = parse_variant(text, "ours", "ours.toml")
    except VariantError as error:
        assert "\n" not in str(error)
        return
    for convention in CONVENTIONS:
        convention.check(variant.conventions[convention.key])
    variant.rules()


@FUZZ
@given(st.lists(LINES, max_size=8), st.booleans())
def test_fuzzed_files(lines: list[str], head: bool) -> None:
    """Lines that nearly make sense: a variant, or a VariantError of one line."""
    parse_or_refuse((HEAD if head else "") + "\n".join(lines))


@FUZZ
@given(st.text())
@example("title = 'x'\npool = 1\nnotes = 'a\r'\n")
def test_fuzzed_texts(text: str) -> None:
    """Any text at all."""
    parse_or_refuse(text)


@FUZZ
@given(st.sampled_from(CONVENTIONS), VALUES)
def test_fuzzed_values(convention: Convention, value: str) -> None:
    """Any TOML value for any convention, in a file and as a setting."""
    table, key = convention.key.split(".")
    parse_or_refuse(f"{head_of(convention)}[{table}]\n{key} = {value}\n")
    try:
        find_variant(base_of(convention), dict([parse_setting(f"{convention.key}={value}")]))
    except VariantError as error:
        assert "\n" not in str(error)


@FUZZ
@given(st.text())
def test_fuzzed_settings(text: str) -> None:
    """Any text after ``--set``."""
    try:
        find_variant("sochi", dict([parse_setting(text)]))
    except VariantError as error:
        assert str(error).startswith("--set")


MONSTERS = {"deep": "[" * 10_000, "deep tables": "{a=" * 10_000, "long": "1" + "0" * 5000}


@pytest.mark.parametrize("monster", MONSTERS)
def test_monstrous_values(monster: str) -> None:
    """Values that are too deep or too long for Python's own reader of TOML are refused as well."""
    text = MONSTERS[monster]
    outcomes = []
    for action in (
        lambda: parse_variant(f"{HEAD}[raspas]\nprice = {text}\n", "ours", "ours.toml"),
        lambda: find_variant("sochi", dict([parse_setting(f"raspas.price={text}")])),
    ):
        try:
            action()
        except Exception as error:
            outcomes.append(type(error).__name__)
    assert outcomes == ["VariantError", "VariantError"]


@FUZZ
@given(st.text(max_size=8))
@example("\x00.toml")
@example("a" * 5000 + ".toml")
@example("..toml")
def test_fuzzed_names(text: str) -> None:
    """Any text as the name of a variant."""
    try:
        assert find_variant(text).name in variant_names()
    except VariantError as error:
        assert "\n" not in str(error)
