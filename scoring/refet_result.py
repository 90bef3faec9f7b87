"""Which results of the refet game can have come about, and why others cannot.

Sources: Preferansklub rules 9-13; Lesnoy, Russian Preferans; conventions name the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from .contract import MISERE_GAME, NO_TRUMP, RASPAS, REFET_CONTRACTS, SPADES, TRICKS, refet_base
from .result import HALF_WHISTED, INVITED, MAX_PLAYERS, PASSED, WHISTED

CONTRA_WORDS = ("", "contra", "recontra", "subcontra", "mordcontra")
"""Words by level: each doubles the value once more (Preferansklub rules 10)."""
FAILING_TRICKS = 5
"""Tricks of the defence with which a contract for six has failed."""


class Hand(Protocol):
    """What is asked of a result (``scoring.score_sheet.DealResult``)."""

    @property
    def dealer(self) -> int: ...
    @property
    def kind(self) -> int: ...
    @property
    def declarer(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def strain(self) -> int: ...
    @property
    def tricks(self) -> Sequence[int] | None: ...
    @property
    def decisions(self) -> Mapping[int, int]: ...
    @property
    def without_talon(self) -> bool: ...
    @property
    def contra(self) -> int: ...
    @property
    def contra_by(self) -> int: ...


def contract_word(hand: Hand) -> str:
    """``spades`` ... ``sans``, ``betl``, ``preferans``."""
    return REFET_CONTRACTS[refet_base(hand.kind, hand.level, hand.strain) - 2]


def is_all_or_nothing(hand: Hand) -> bool:
    """Betl or preferans, where nobody is asked whether he comes."""
    return hand.kind == MISERE_GAME or hand.level == 10


def needs_contra(conventions: Mapping[str, Any], hand: Hand) -> bool:
    """Whether this is plain spades that are played under contra only."""
    plain = hand.kind == TRICKS and hand.strain == SPADES and not hand.without_talon
    return bool(conventions["spades.needs_contra"]) and plain


def defenders_of(hand: Hand, n: int) -> list[int]:
    """The two opponents in turn order after the declarer."""
    others = [(hand.declarer + step) % n for step in range(1, n)]
    return [p for p in others if n < MAX_PLAYERS or p != hand.dealer]


def plays(hand: Hand, player: int) -> bool:
    """Whether a defender plays: he came, was invited, or contra or the contract draws him in."""
    drawn_in = hand.contra > 0 or is_all_or_nothing(hand)
    return drawn_in or hand.decisions.get(player) in (WHISTED, INVITED)


def is_played(conventions: Mapping[str, Any], hand: Hand) -> bool:
    """Whether cards are played in this contract, by what was said."""
    if is_all_or_nothing(hand) or hand.contra > 0:
        return True
    return WHISTED in hand.decisions.values() and not needs_contra(conventions, hand)


def why_impossible(conventions: Mapping[str, Any], hand: Hand, names: Sequence[str]) -> str:
    """Why this result cannot have come about, in one sentence with the players' names; or
    nothing."""
    if hand.kind == RASPAS:
        if hand.declarer >= 0 or hand.tricks is not None or hand.decisions or hand.contra:
            return "all have passed, so nobody declares and no card is played"
        return ""
    whys = (_contract, _calls, _contra, _played)
    return next((why for check in whys for why in check(conventions, hand, names)), "")


Whys = Iterator[str]


def _contract(conventions: Mapping[str, Any], hand: Hand, names: Sequence[str]) -> Whys:
    if not 0 <= hand.declarer < len(names):
        yield "a contract has a declarer"
    elif len(names) == MAX_PLAYERS and hand.declarer == hand.dealer:
        yield f"{names[hand.declarer]} deals and sits out, so he cannot declare"
    elif hand.kind == TRICKS and hand.level not in (6, 10):
        yield f"a contract is for six tricks, or preferans for all ten, not for {hand.level}"
    elif hand.kind == TRICKS and hand.level == 10:
        if hand.strain != NO_TRUMP:
            yield "preferans, all ten tricks, is played without trumps"
        elif not conventions["bidding.preferans"]:
            yield "preferans is not played (bidding.preferans)"


def _calls(conventions: Mapping[str, Any], hand: Hand, names: Sequence[str]) -> Whys:
    defenders = defenders_of(hand, len(names))
    for player, call in hand.decisions.items():
        if player not in defenders:
            yield f"{names[player]} is no opponent, so he neither comes nor stays"
        if call == HALF_WHISTED or call not in (WHISTED, PASSED, INVITED):
            yield "an opponent comes, stays or is invited; there is no half-whist"
    said = [hand.decisions.get(player) for player in defenders]
    if is_all_or_nothing(hand):
        if PASSED in said or INVITED in said:
            yield f"at {contract_word(hand)} both opponents play, so nobody stays or invites"
        return
    for player in defenders:
        if player not in hand.decisions and hand.contra == 0:
            yield f"call of {names[player]} is missing: comes, stays, invites or contra"
    if INVITED in said:
        yield from _invitation(conventions, hand, names, defenders)


def _invitation(
    conventions: Mapping[str, Any], hand: Hand, names: Sequence[str], defenders: Sequence[int]
) -> Whys:
    for player, other in (defenders, defenders[::-1]):
        if hand.decisions.get(player) == INVITED and hand.decisions.get(other) != WHISTED:
            yield f"{names[player]} is invited, but {names[other]}, who would invite, does not come"
    if not conventions["follow.invite"]:
        yield "nobody invites the other (follow.invite)"
    if needs_contra(conventions, hand):
        yield "nobody invites the other on plain spades, which need a contra (spades.needs_contra)"
    if hand.contra:
        yield "there is no contra after an invitation"


def _contra(conventions: Mapping[str, Any], hand: Hand, names: Sequence[str]) -> Whys:
    levels, by = conventions["contra.levels"], hand.contra_by
    if hand.contra == 0:
        if by >= 0:
            yield f"{names[by]} says contra, but the game has none"
        return
    if not 0 < hand.contra <= levels:
        allowed = ", ".join(CONTRA_WORDS[1 : levels + 1]) or "none"
        word = CONTRA_WORDS[hand.contra] if 0 < hand.contra < len(CONTRA_WORDS) else hand.contra
        yield f"contra {word} is not possible; allowed: {allowed} (contra.levels = {levels})"
    elif by not in defenders_of(hand, len(names)):
        yield "contra is said by an opponent: say who"
    elif not is_all_or_nothing(hand):
        came = [p for p, call in hand.decisions.items() if call == WHISTED]
        if not came:
            yield f"nobody comes, so {names[by]} cannot say contra"
        elif by not in came and conventions["contra.by"] == "who_came":
            yield f"{names[by]} does not come, so he cannot say contra (contra.by = who_came)"


def _played(conventions: Mapping[str, Any], hand: Hand, names: Sequence[str]) -> Whys:
    defenders = defenders_of(hand, len(names))
    if not is_played(conventions, hand):
        if hand.tricks is not None and needs_contra(conventions, hand):
            yield "plain spades are not played without contra (spades.needs_contra)"
        elif hand.tricks is not None:
            yield "nobody comes, so no card is played"
        return
    if hand.tricks is None:
        yield "the hand is played, so its tricks or its result must be given"
        return
    if len(hand.tricks) != len(names):
        yield f"tricks are those of {len(names)} players"
        return
    for player, count in enumerate(hand.tricks):
        if not 0 <= count <= 10:
            yield f"{names[player]} cannot take {count} tricks"
        elif count and player != hand.declarer and not _takes(hand, defenders, player):
            yield f"{names[player]} does not play, so he takes no tricks"
    if not sums_up(conventions, hand, hand.tricks):
        playing = [p for p in defenders if plays(hand, p)]
        yield _wrong_sum(conventions, hand, [hand.tricks[p] for p in (hand.declarer, *playing)])


def _takes(hand: Hand, defenders: Sequence[int], player: int) -> bool:
    return player in defenders and plays(hand, player)


def sums_up(conventions: Mapping[str, Any], hand: Hand, tricks: Sequence[int]) -> bool:
    """Whether tricks sum to ten, or as play stops once the declarer has failed
    (``tricks.stop``)."""
    taken = tricks[hand.declarer]
    rest = sum(tricks) - taken
    if taken + rest == 10:
        return True
    if not conventions["tricks.stop"] or taken + rest > 10:
        return False
    if hand.kind == MISERE_GAME:
        return taken == 1
    return rest == (1 if hand.level == 10 else FAILING_TRICKS)


def _wrong_sum(conventions: Mapping[str, Any], hand: Hand, tricks: Sequence[int]) -> str:
    stop = "the declarer's first" if hand.kind == MISERE_GAME else "the defence's fifth"
    if hand.level == 10 and hand.kind == TRICKS:
        stop = "the defence's first"
    until = f", or end with {stop}" if conventions["tricks.stop"] else ""
    return f"tricks must sum to 10{until}, but {' + '.join(map(str, tricks))} = {sum(tricks)}"
