"""Random protocols for tests: legal deals, deals with a mistake, and junk; TOML of any data."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from scoring.protocol.contracts import DEAL_KEYS
from scoring.protocol.reading import CONTROL_KEYS, HEAD_KEYS
from scoring.variant import find_variant, variant_names

NAMES = ("Anna", "Boris", "Vera", "Gleb")
REFET = tuple(name for name in variant_names() if find_variant(name).has_columns)

# Legal deals


@st.composite
def _split(draw: st.DrawFn, hands: Sequence[str], total: int = 10) -> dict[str, int]:
    """Tricks of the hands that sum to ten."""
    counts = {}
    for name in hands[:-1]:
        counts[name] = draw(st.integers(0, total - sum(counts.values())))
    return {**counts, hands[-1]: total - sum(counts.values())}


@st.composite
def legal_deals(draw: st.DrawFn, names: Sequence[str] = NAMES[:3]) -> dict[str, Any]:
    """A deal of Sochi in the short notation, with its dealer named."""
    if len(names) == 2:
        return draw(_deals_of_two(names))
    dealer = draw(st.sampled_from(names))
    hands = [name for name in names if len(names) == 3 or name != dealer]
    kind = draw(st.sampled_from(["raspas", "misere", "half", "unwhisted", "whisted"]))
    if kind == "raspas":
        return {"dealer": dealer, **draw(_split(hands))}
    start = draw(st.integers(0, 2))
    declarer, first, second = (hands[(start + k) % 3] for k in range(3))
    if kind == "misere":
        return {"dealer": dealer, declarer: draw(MISERES)}
    level = draw(st.integers(6, 7 if kind == "half" else 10))
    if kind in ("half", "unwhisted"):
        word = "half" if kind == "half" else "pass"
        return {"dealer": dealer, declarer: f"{level}/=", first: "pass", second: word}
    tricks = draw(_split([declarer, first, second]))
    entry = {"dealer": dealer, declarer: draw(_orders(level, tricks[declarer]))}
    return entry | {name: f"whist {tricks[name]}" for name in (first, second)}


MISERES = st.sampled_from(["M/=", "misere/-2", "М/-10"])


@st.composite
def _orders(draw: st.DrawFn, level: int, taken: int) -> str:
    """A contract in some suit with its result."""
    strain = draw(st.sampled_from(["", "♠", "C", "БК", "nt"]))
    over = taken - level
    return f"{level}{strain}/{'=' if over == 0 else f'{over:+d}'}"


@st.composite
def _deals_of_two(draw: st.DrawFn, names: Sequence[str]) -> dict[str, Any]:
    """A deal of two players with the dummy."""
    dealer = draw(st.sampled_from(names))
    declarer, defender = draw(st.permutations(names))
    kind = draw(st.sampled_from(["raspas", "misere", "unwhisted", "whisted"]))
    tricks = draw(_split([declarer, defender]))
    if kind == "raspas":
        return {"dealer": dealer, **tricks}
    if kind == "misere":
        return {"dealer": dealer, declarer: draw(MISERES)}
    level = draw(st.integers(6, 10))
    if kind == "unwhisted":
        return {"dealer": dealer, declarer: f"{level}♣/=", defender: "pass"}
    words = st.sampled_from(["whist open", "open", "blind", "вист втёмную", "открыл"])
    entry = {"dealer": dealer, declarer: draw(_orders(level, tricks[declarer]))}
    return entry | {defender: f"{draw(words)} {tricks[defender]}"}


@st.composite
def legal_tables(draw: st.DrawFn, names: Sequence[str] = NAMES[:2]) -> list[dict[str, Any]]:
    """The deals of a table of razboinik, or the first of them; the last player deals first."""
    orders = [draw(st.permutations(["6", "7", "8", "9", "10", "misere"])) for _ in names]
    deals = []
    for row in range(6):
        for name, order in zip(names, orders, strict=True):
            word = order[row]
            said = MISERES if word == "misere" else _orders(int(word), draw(st.integers(0, 10)))
            deals.append({name: draw(said)})
    return deals[: draw(st.integers(0, 12))]


@st.composite
def legal_refets(draw: st.DrawFn, names: Sequence[str] = NAMES[:3]) -> dict[str, Any]:
    """A hand of the refet game under the Preferansklub rules, with its dealer named."""
    dealer = draw(st.sampled_from(names))
    hands = [name for name in names if len(names) == 3 or name != dealer]
    start = draw(st.integers(0, 2))
    declarer, first, second = (hands[(start + k) % 3] for k in range(3))
    head = {"dealer": dealer}
    kinds = ["all pass", "betl", "nobody", "left", "lone", "both", "invited", "contra"]
    kind = draw(st.sampled_from(kinds))
    if kind == "all pass":
        return {**head, "all_pass": True}
    if kind == "betl":
        word = draw(st.sampled_from(["betl/=", "game betl/-1", "6/-3", "мизер/="]))
        return {**head, declarer: word} | draw(st.sampled_from([{}, {first: "contra"}]))
    if kind == "left":
        return {
            **head,
            declarer: "♠",
            first: "comes",
            second: draw(st.sampled_from(["comes", "pass"])),
        }
    game = draw(st.sampled_from(["clubs", "game spades", "D", "herc", "NT", "трефы"]))
    if kind == "nobody":
        return {**head, declarer: game, first: "stays", second: "ne dođem"}
    split = draw(_split([declarer, first, second]))
    taken, one, two = split.values()
    over = taken - 6
    order = f"{game}/{'=' if over == 0 else f'{over:+d}'}"
    if kind == "lone":
        return {**head, declarer: order, first: "pass", second: f"comes {one + two}"}
    words = {
        "both": (f"comes {one}", f"whist {two}"),
        "invited": (f"invites {one}", f"invited {two}"),
        "contra": (draw(st.sampled_from(["contra", "rekontra", "мордконтра"])) + f" {one}", two),
    }
    return {**head, declarer: order, first: words[kind][0], second: words[kind][1]}


# Mistakes and junk

WORDS = (
    *NAMES,
    *DEAL_KEYS,
    *CONTROL_KEYS,
    *("thrown in", "open 5", "whist blind 3", "втёмную", "пересдача", "whist open"),
    *("clubs/=", "game hearts", "5♣/-1", "betl/=", "comes 2", "stays", "invites 3", "invited"),
    *("contra 5", "recontra", "all pass", "все пас", "drawn in 2", "comes contra", "refet"),
    *("whist", "pass", "half", "whist 5", "вист", "полвиста", "w 3", "whist 99", "whist -1"),
    *("6♣/=", "6", "7♥/-1", "9NT wt/=", "10/+1", "M/=", "misere/-2", "М", "5♣", "11/=", "6♣/x"),
    *("=", "-1", "+1", "–2", "0", "3", "10", "ace", "two_aces", "raspas", "pool", "whists"),
    *("", " ", ",", ";", "=", "-\t1", "6/- 1", "6/+\u00a02", "²", "٣", "½", "\x00", "\ufeff"),
    *("a\nb", "Anna, Boris", "Ann", "anna", "е́", "😀", "0x10", "1e5", "1_0", "--", "//"),
    *("9" * 30, "9" * 5000, "6" + " " * 50 + "x"),
)
NUMBERS = st.one_of(
    st.integers(-2, 12),
    st.sampled_from([10**6, -(10**6), 10**6 + 1, 2**63, -(2**63) - 1, 10**30, 10**4000]),
    st.sampled_from([0.0, 1.0, -1.5, 2.0, 1e300, math.inf, -math.inf, math.nan]),
)
SCALARS = st.one_of(NUMBERS, st.booleans(), st.none(), st.sampled_from(WORDS), st.text(max_size=8))
JUNK = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
TOML_JUNK = JUNK | st.sampled_from(
    [datetime.date(2026, 11, 27), datetime.datetime(2026, 11, 27, 20), datetime.time(20), 16**5000]
)
KEYS = st.sampled_from(
    [
        *NAMES,
        *DEAL_KEYS,
        *CONTROL_KEYS,
        *{key for more in CONTROL_KEYS.values() for key in more},
        *("Nobody", "opne", ""),
    ]
)
TRICKS = st.dictionaries(st.sampled_from(NAMES), st.integers(-1, 11) | JUNK, max_size=4)
PLAUSIBLE = st.one_of(
    st.sampled_from(WORDS), st.integers(-1, 11), st.booleans(), TRICKS, st.sampled_from(NAMES)
)


@st.composite
def mistaken_deals(draw: st.DrawFn, names: Sequence[str] = NAMES[:3]) -> dict[str, Any]:
    """A legal deal with a key taken away, added or changed."""
    return draw(_spoilt(draw(legal_deals(names))))


@st.composite
def mistaken_refets(draw: st.DrawFn, names: Sequence[str] = NAMES[:3]) -> dict[str, Any]:
    """A hand of the refet game with a key taken away, added or changed."""
    return draw(_spoilt(draw(legal_refets(names))))


@st.composite
def mistaken_tables(draw: st.DrawFn) -> list[Any]:
    """A table of razboinik with its last deal spoilt, or its deals in another order."""
    deals: list[Any] = draw(legal_tables())
    if not deals or draw(st.booleans()):
        return draw(st.permutations(deals))
    return [*deals[:-1], draw(_spoilt(deals[-1]) | entries(NAMES[:2]))]


@st.composite
def _spoilt(draw: st.DrawFn, entry: Mapping[str, Any]) -> dict[str, Any]:
    entry = dict(entry)
    for _ in range(draw(st.integers(1, 2))):
        key = draw(st.sampled_from(sorted(entry)) | KEYS) if entry else draw(KEYS)
        if draw(st.booleans()) and key in entry:
            del entry[key]
        else:
            entry[key] = draw(PLAUSIBLE | JUNK)
    return entry


EVENTS = st.one_of(
    st.builds(
        lambda kind, who, column, on, amount: {
            kind: who,
            "column": column,
            "amount": amount,
            **({"on": on} if column == "whists" else {}),
        },
        st.sampled_from(["misrecord", "correction"]),
        st.sampled_from(NAMES),
        st.sampled_from(["pool", "mountain", "whists"]),
        st.sampled_from(NAMES),
        st.sampled_from([2, -2]),
    ),
    st.builds(lambda who: {"join": who}, st.sampled_from(["Gleb", "Dina", "Anna"])),
    st.sampled_from([{"time": True}, {"stop": True}]),
)
LINES = st.lists(
    st.builds(lambda key, word: f"{key} {word}", KEYS, st.sampled_from(WORDS)), max_size=5
).map(", ".join)
LOOSE = st.dictionaries(KEYS, PLAUSIBLE | JUNK, max_size=6)


def entries(names: Sequence[str] = NAMES[:3]) -> st.SearchStrategy[Any]:
    """Entries of a protocol: legal and mistaken deals, events, lines, loose tables, junk."""
    return st.one_of(
        legal_deals(names), legal_deals(names), mistaken_deals(names), EVENTS, LINES, LOOSE, JUNK
    )


HEAD_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "title": st.text(max_size=8),
    "date": st.just("2026-11-27"),
    "pool": st.integers(1, 60),
    "total": st.integers(1, 200),
    "dealer": st.sampled_from(NAMES),
    "stake": st.sampled_from([1, 0.5, "0.1", "1e-3", 100]),
    "currency": st.sampled_from(["EUR", "", "₽"]),
    "conventions": st.sampled_from(
        [
            {},
            {"raspas.price": 3},
            {"raspas": {"price": 3}, "end.rounding": "code"},
            {"contract.concession": 3, "talon.bonus": True, "values.off_mountain_instead": 2},
            {"auction": {"dark_pass": True, "without_talon": ["misere", "nine"]}},
            {"whist.dealer_may": True, "whist.long": True},
            {"dummy.blind": "lowest", "dummy.raspas": "lowest"},
            {"dummy": {"defence": ["blind"], "raspas": "no_raspas"}},
            {"spades.needs_contra": False, "contra": {"levels": 1, "by": "either"}},
            {"tricks.stop": False, "follow": {"invite": False, "short": "own"}},
            {"raspas": {"talon_two": "may_win", "fir_trees": "each"}},
        ]
    ),
}
assert set(HEAD_VALUES) | {"players", "variant", "deals"} == set(HEAD_KEYS)


@st.composite
def protocols(draw: st.DrawFn) -> dict[str, Any]:
    """A protocol that may be right, with at most a few entries, or one mistake in its head."""
    names = NAMES[: draw(st.sampled_from([2, 2, 3, 3, 3, 4]))]
    fit = [name for name in variant_names() if len(names) in find_variant(name).players]
    variant = draw(st.sampled_from([*fit, *fit, *variant_names(), "Сочи"]))
    data: dict[str, Any] = {"players": list(names), "variant": variant}
    for key in draw(st.lists(st.sampled_from(sorted(HEAD_VALUES)), unique=True, max_size=3)):
        data[key] = draw(HEAD_VALUES[key])
    if draw(st.integers(0, 3)) == 0:
        data[draw(st.sampled_from(HEAD_KEYS))] = draw(JUNK)
    is_table = variant == "razboinik" and len(names) == 2
    is_refet = variant in REFET and len(names) > 2
    legal = legal_refets(names) if is_refet else legal_deals(names)
    deals = draw(legal_tables(names) if is_table else st.lists(legal, max_size=3))
    if draw(st.booleans()):
        deals = [*deals, draw(entries(names))]
    return {**data, "deals": deals} if draw(st.integers(0, 9)) else data


# TOML


def to_toml(data: Any) -> str:
    """A table as TOML, each key in quotes and each inner table inline; None is left out."""
    return "".join(
        f"{_text(key)} = {_value(value)}\n" for key, value in data.items() if value is not None
    )


def _text(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        pairs = (f"{_text(k)} = {_value(x)}" for k, x in value.items() if x is not None)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(x) for x in value if x is not None) + "]"
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return hex(value) if type(value) is int and value > 10**30 else repr(value)
