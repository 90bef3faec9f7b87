"""What each figure of the refet game counts, in plain Python over rows of deals and pulkas.

A row has the ``conventions`` of its run beside what stands in the dataset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CONTRACTS = ("spades", "diamonds", "hearts", "clubs", "betl", "sans", "preferans")
Row = dict[str, Any]
Count = Callable[[Row], float]


def is_game(row: Row) -> bool:
    return bool(row["contract"] != "passed")


def names(row: Row, contract: str) -> bool:
    """Whether this is declared, from the hand or not."""
    return row["contract"] in (contract, f"game {contract}")


def is_asked(row: Row) -> bool:
    """A hand in which each defender may come or stay away."""
    return is_game(row) and not names(row, "betl") and not names(row, "preferans")


def players(row: Row) -> list[int]:
    return [i for i in range(4) if row[f"value_{i}"] is not None]


def who(row: Row, word: str) -> list[int]:
    """The defenders who did this."""
    return [i for i in players(row) if row[f"decision_{i}"] == word]


def is_made(row: Row) -> bool:
    """Played, and made."""
    if not row["played"]:
        return False
    taken = row[f"tricks_{row['declarer']}"]
    if names(row, "betl"):
        return bool(taken == 0)
    return bool(taken == 10 if names(row, "preferans") else taken >= 6)


def defence(row: Row) -> int:
    """Tricks of all but the declarer in a hand of suits or sans."""
    if not row["played"] or not is_asked(row):
        return 0
    return sum(row[f"tricks_{i}"] for i in players(row) if i != row["declarer"])


def for_themselves(row: Row) -> list[int]:
    """Followers with a duty of their own: they came, and nobody said contra."""
    owe = row["played"] and is_asked(row) and row["contra"] == 0
    return who(row, "comes") if owe else []


def short(row: Row) -> int:
    """How many did not do their duty: two tricks each, or four together, or four for both."""
    owing, taken = for_themselves(row), defence(row)
    if who(row, "invited"):
        return int(bool(owing) and taken < 4)
    together = len(owing) == 2 and row["conventions"]["follow.short"] == "own_or_pair"
    if together and taken >= 4:
        return 0
    return sum(row[f"tricks_{i}"] < 2 for i in owing)


def is_lone(row: Row) -> bool:
    """A follower who may invite: he came alone, and not to spades that need a contra."""
    if row["contract"] == "spades" and row["conventions"]["spades.needs_contra"]:
        return False
    return is_asked(row) and len(who(row, "comes")) == 1


def may_contra(row: Row) -> bool:
    return is_game(row) and bool(who(row, "comes")) and not who(row, "invited")


def doubled(row: Row, times: int) -> bool:
    return bool(row["contra"] >= times)


def uses_refet(row: Row) -> bool:
    """A refet is crossed off, but where all get one, or spades are left for nothing."""
    if not row["refet"] or row["refets_written"]:
        return False
    nothing = row["conventions"]["spades.left"] == "refet_or_nothing"
    return not (nothing and row["contract"] == "spades" and not row["played"])


def gets_refets(row: Row) -> int:
    """How many players get a refet."""
    n = len(players(row))
    sits = n == 4 and not row["conventions"]["refets.for_dealer"]
    return row["refets_written"] * (n - sits)


def cost(row: Row) -> float:
    """Whists that change hands."""
    return 0.5 * sum(abs(row[f"value_{i}"]) / 12 for i in players(row))


PER_HAND: dict[str, tuple[Count, Count]] = {
    "passed_rate": (lambda r: r["kind"] == "passed", lambda r: 1),
    "from_hand_rate": (lambda r: r["contract"].startswith("game "), is_game),
    "unplayed_spades_rate": (
        lambda r: r["contract"] == "spades" and not r["played"],
        lambda r: r["contract"] == "spades",
    ),
    "come_rate": (
        lambda r: len(who(r, "comes")) * is_asked(r),
        lambda r: len(who(r, "comes") + who(r, "stays") + who(r, "invited")) * is_asked(r),
    ),
    "nobody_came_rate": (lambda r: is_asked(r) and not who(r, "comes"), is_asked),
    "invite_rate": (lambda r: len(who(r, "invited")), is_lone),
    "short_rate": (short, lambda r: len(for_themselves(r))),
    "defence_tricks": (defence, lambda r: is_asked(r) and r["played"]),
    "contra_rate": (lambda r: doubled(r, 1), may_contra),
    "recontra_rate": (lambda r: doubled(r, 2), lambda r: doubled(r, 1)),
    "subcontra_rate": (lambda r: doubled(r, 3), lambda r: doubled(r, 2)),
    "mordcontra_rate": (lambda r: doubled(r, 4), lambda r: doubled(r, 3)),
    "contra_won_rate": (lambda r: doubled(r, 1) and not is_made(r), lambda r: doubled(r, 1)),
    "barred_rate": (
        lambda r: r["kind"] == "passed" and not r["refets_written"],
        lambda r: r["kind"] == "passed",
    ),
    "used_rate": (uses_refet, gets_refets),
    "refet_rate": (lambda r: r["refet"], is_game),
    "refet_cost": (lambda r: cost(r) if r["refet"] else 0, lambda r: r["refet"]),
    "contra_cost": (lambda r: cost(r) if doubled(r, 1) else 0, lambda r: doubled(r, 1)),
}
for _contract in CONTRACTS:
    PER_HAND |= {
        f"share_{_contract}": (lambda r, c=_contract: names(r, c), lambda r: 1),
        f"made_{_contract}": (
            lambda r, c=_contract: names(r, c) and is_made(r),
            lambda r, c=_contract: names(r, c) and r["played"],
        ),
    }

PER_END: dict[str, tuple[Count, Count]] = {
    "refets_per_pulka": (lambda p: p["refets_given"], lambda p: 1),
    "under_hat_rate": (
        lambda p: sum((p[f"mountain_{i}"] or 0) < 0 for i in range(4)),
        lambda p: sum(p[f"mountain_{i}"] is not None for i in range(4)),
    ),
}
"""Figures from what stands on the sheets at the end."""
