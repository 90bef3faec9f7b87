"""Who plays against the declarer in the refet game: who comes, who is invited, and contra."""

from .cards import Conventions, next_hand

ALL_PLAY = ["betl", "preferans"]
"""Contracts in which nobody is asked whether he comes."""


def followers_of(declarer: int) -> list[int]:
    """The followers (pratilac), the one next to the declarer first."""
    first = next_hand(declarer)
    return [first, next_hand(first)]


def is_plain_spades(conv: Conventions, contract: str, from_hand: bool) -> bool:
    """Whether the contract is played under contra only."""
    return contract == "spades" and not from_hand and conv["spades.needs_contra"]


class FollowCalls:
    """The followers say whether they come; a lone one may then invite the other (poziv)."""

    def __init__(self, conv: Conventions, declarer: int, contract: str, from_hand: bool) -> None:
        self.followers = followers_of(declarer)
        self.may_invite = conv["follow.invite"] and not is_plain_spades(conv, contract, from_hand)
        self.calls: list[tuple[int, str]] = []

    def came(self) -> list[int]:
        """Who has said that he comes."""
        return [hand for hand, word in self.calls if word == "comes"]

    @property
    def inviter(self) -> int | None:
        """Who invited the other."""
        return next((hand for hand, word in self.calls if word == "invites"), None)

    @property
    def over(self) -> bool:
        """Whether nobody is asked any more."""
        lone = self.may_invite and len(self.came()) == 1
        return len(self.calls) > 1 and len(self.calls) == (3 if lone else 2)

    @property
    def mover(self) -> int:
        """Whose word it is."""
        return self.followers[len(self.calls)] if len(self.calls) < 2 else self.came()[0]

    def legal(self) -> list[str]:
        """Words of the mover."""
        return ["stays", "comes"] if len(self.calls) < 2 else ["alone", "invites"]

    def apply(self, word: str) -> None:
        """Say a word for the mover."""
        self.calls.append((self.mover, word))


class ContraCalls:
    """Contra by one of `askers` in turn, then declarer and contra player double in turn.

    `level` counts how often the game is doubled, `by` said contra.
    """

    def __init__(self, conv: Conventions, declarer: int, askers: list[int]) -> None:
        self.conv = conv
        self.declarer = declarer
        self.askers = askers
        self.calls: list[tuple[int, str]] = []

    @property
    def level(self) -> int:
        """How often contra was said, recontra and the others included."""
        return len([hand for hand, word in self.calls if word == "contra"])

    @property
    def by(self) -> int | None:
        """Who said contra first."""
        return next((hand for hand, word in self.calls if word == "contra"), None)

    @property
    def over(self) -> bool:
        """Whether nobody may say more: all said no, or one did after contra, or it is enough."""
        if self.level == self.conv["contra.levels"]:
            return True
        if self.level == 0:
            return len(self.calls) == len(self.askers)
        return self.calls[-1][1] != "contra"

    @property
    def mover(self) -> int:
        """Whose word it is."""
        if self.by is None:
            return self.askers[len(self.calls)]
        return self.declarer if self.level % 2 else self.by

    def legal(self) -> list[str]:
        """Words of the mover."""
        return ["no contra", "contra"]

    def apply(self, word: str) -> None:
        """Say a word for the mover."""
        self.calls.append((self.mover, word))


def who_may_contra(conv: Conventions, came: list[int], followers: list[int]) -> list[int]:
    """Those who came; at some tables the other too, if only one did (Prefko rules)."""
    either = conv["contra.by"] == "either" and came
    return followers if either else [hand for hand in followers if hand in came]
