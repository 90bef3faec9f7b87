"""What one deal of the refet game writes: contract columns, which fall to nothing, and soup (юха).

Sources: Lesnoy, Russian Preferans; Preferansklub rules 9 to 13; iKlub, iPref and Prefko rules.
"""

from dataclasses import dataclass, field

from .cards import Conventions
from .refet_auction import BASES
from .refet_follow import ALL_PLAY, is_plain_spades
from .refet_play import is_made

FIVE_TRICKS = 5
"""The tricks that are written for a lost betl, whatever was taken."""
ENOUGH = {"alone": 2, "pair": 4, "contra": 5}
"""Tricks that a follower needs: of his own, with the other, and with the other under contra."""


@dataclass
class RefetResult:
    """The result of a deal, by player; without a declarer all passed.

    `parts` says of each follower if he "comes", "stays" away or was "invited"; `contra` counts
    doublings, `contra_by` said the first. `tricks` is None where no card was played.
    """

    n: int
    dealer: int
    declarer: int | None = None
    contract: str | None = None
    from_hand: bool = False
    parts: dict[int, str] = field(default_factory=dict)
    contra: int = 0
    contra_by: int | None = None
    tricks: list[int] | None = None

    def in_turn(self) -> list[int]:
        """The players after the declarer in turn."""
        assert self.declarer is not None
        return [(self.declarer + step) % self.n for step in range(1, self.n)]

    def followers(self) -> list[int]:
        """The two followers, the next to the declarer first."""
        return [player for player in self.in_turn() if player in self.parts]

    def came(self) -> list[int]:
        """The followers who came."""
        return [player for player in self.followers() if self.parts[player] == "comes"]

    def inviter(self) -> int | None:
        """Who invited the other to play for him."""
        return self.came()[0] if "invited" in self.parts.values() else None

    def made(self) -> bool:
        """Whether the declarer made his contract; if nobody played against him he did."""
        assert self.declarer is not None and self.contract is not None
        return self.tricks is None or is_made(self.contract, self.tricks[self.declarer])


@dataclass(frozen=True)
class RefetBefore:
    """What the sheet knows before a deal: whether the declarer plays on a refet (рефет), whether
    refets may be written, and what is left of the columns' sum (None if nothing is kept)."""

    on_refet: bool = False
    may_refet: bool = True
    remaining: int | None = None


class RefetRecords:
    """What a deal writes: `column` by player, `soup[i][j]` by player i on player j.

    `refets_for` are the players who get a refet, `refet_used` says that the declarer's is gone.
    """

    def __init__(self, n: int) -> None:
        self.column = [0] * n
        self.soup = [[0] * n for _ in range(n)]
        self.refets_for: list[int] = []
        self.refet_used = False


def hand_value(result: RefetResult, on_refet: bool) -> int:
    """Twice the base, one more from the hand, doubled by each contra and by a refet."""
    assert result.contract is not None
    base = BASES[result.contract] + result.from_hand
    return 2 * base * 2**result.contra * (2 if on_refet else 1)


def is_left(conv: Conventions, result: RefetResult) -> bool:
    """Whether this is plain spades that were not played for want of contra."""
    assert result.contract is not None
    plain = is_plain_spades(conv, result.contract, result.from_hand)
    nobodys = not result.came() and conv["spades.nobody_comes"] == "made"
    return plain and result.tricks is None and not nobodys


def score_refet(conv: Conventions, result: RefetResult, before: RefetBefore) -> RefetRecords:
    """The records of one deal."""
    if result.declarer is None:
        return _refets_for_all(conv, result, before)
    if is_left(conv, result) and conv["spades.left"] != "made":
        return _score_left(conv, result, before)
    return _score_value(conv, result, before, hand_value(result, before.on_refet))


def _refets_for_all(conv: Conventions, result: RefetResult, before: RefetBefore) -> RefetRecords:
    """A refet for everybody, at some tables not for a dealer who sits out; if there may be one."""
    records = RefetRecords(result.n)
    if before.may_refet:
        sits_out = result.n == 4 and not conv["refets.for_dealer"]
        records.refets_for = [
            player for player in range(result.n) if not (sits_out and player == result.dealer)
        ]
    return records


def _score_left(conv: Conventions, result: RefetResult, before: RefetBefore) -> RefetRecords:
    """Spades nobody doubled: a refet for all; if there is none, nothing or as if they were made."""
    if before.may_refet:
        return _refets_for_all(conv, result, before)
    if conv["spades.left"] == "refet_or_nothing":
        return RefetRecords(result.n)
    four = conv["spades.left"] == "refet_or_four"
    value = 4 if four else hand_value(result, before.on_refet)
    return _score_value(conv, result, before, value)


def _score_value(
    conv: Conventions, result: RefetResult, before: RefetBefore, value: int
) -> RefetRecords:
    """A deal that somebody writes: in full, or with what is left of the columns' sum."""
    left = before.remaining
    records = _write(conv, result, value)
    if left is not None and left + sum(records.column) < 0 and conv["last.made"] == "cap":
        records = _write(conv, result, left)
    elif left is not None and value > left and not result.made() and conv["last.double_fall"]:
        records.column[result.declarer] += value
    records.refet_used = before.on_refet
    return records


def _write(conv: Conventions, result: RefetResult, value: int) -> RefetRecords:
    records = RefetRecords(result.n)
    records.column[result.declarer] += -value if result.made() else value
    if result.tricks is None:
        return records
    _write_soup(conv, result, value, records)
    for player in short_followers(conv, result):
        records.column[player] += value
    return records


def _write_soup(conv: Conventions, result: RefetResult, value: int, records: RefetRecords) -> None:
    """Soup on the declarer: of each follower, or all of it of the one who answers for both."""
    if result.contract in ALL_PLAY:
        tricks = _tricks_of_lost_betl(conv, result)
    else:
        tricks = _tricks_written(conv, result)
    for player, count in tricks.items():
        records.soup[player][result.declarer] += count * value


def _tricks_of_lost_betl(conv: Conventions, result: RefetResult) -> dict[int, int]:
    """Five tricks for each opponent; under contra for who said it, five or ten, or for each."""
    if result.made():
        return {}
    if result.contra_by is None or conv["betl.lost_contra"] == "each_five":
        return dict.fromkeys(result.followers(), FIVE_TRICKS)
    ten = conv["betl.lost_contra"] == "contra_ten"
    return {result.contra_by: 2 * FIVE_TRICKS if ten else FIVE_TRICKS}


def _tricks_written(conv: Conventions, result: RefetResult) -> dict[int, int]:
    """At most so many of both, of the larger share first, of equal ones the nearer player's."""
    room = conv["tricks.soup_most"]
    written = {}
    for player in sorted(result.followers(), key=lambda p: -result.tricks[p]):
        written[player] = min(room, result.tricks[player])
        room -= written[player]
    owner = responsible(conv, result)
    return written if owner is None else {owner: sum(written.values())}


def responsible(conv: Conventions, result: RefetResult) -> int | None:
    """Who writes the soup of both: the inviter, and as a rule who said contra."""
    if result.contra_by is None:
        return result.inviter()
    return None if conv["contra.soup"] == "each_own" else result.contra_by


def short_followers(conv: Conventions, result: RefetResult) -> list[int]:
    """Followers who took too few tricks; against a declarer who failed, only at some tables."""
    taken = {player: result.tricks[player] for player in result.followers()}
    together = sum(taken.values())
    if result.contra_by is not None:
        lost = result.made() if result.contract in ALL_PLAY else together < ENOUGH["contra"]
        return [result.contra_by] if lost else []
    if result.contract in ALL_PLAY:
        return []
    inviter = result.inviter()
    if inviter is not None:
        return [inviter] if together < ENOUGH["pair"] else []
    few = [player for player in result.came() if taken[player] < ENOUGH["alone"]]
    if conv["follow.short"] == "own" or len(result.came()) == 1:
        return few
    return few if together < ENOUGH["pair"] else []
