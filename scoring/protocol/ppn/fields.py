"""The fields of a deal in PPN: what may stand in each, one sentence for what may not.

Source: Portable Preferans Notation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...contract import PREFERANS
from ...errors import quoted
from ..notation import EntryError
from .model import CARDS, DOUBLINGS, HAND, SEATS, Bid, Part, PpnDeal, PpnPlay, Throws

Fields = dict[str, str]

_ORDERS = ("123", "231", "312")
_KONTRAS = "KRSM"
_MOST_ID = 999_999
_MOST_VALUE = 2 * 2 * (PREFERANS + 1) << len(DOUBLINGS)
_NOTHING = ("0", "-")
"""Where nobody starts, and for no throws."""
_BOTH = 4
"""``accepted`` from here on: both followers play (8 is usual)."""
IDS = {str(player + 1): player for player in range(SEATS)}
"""The players by their ids."""


def wrong(field: str, text: str, allowed: str) -> EntryError:
    """The error of a field: its value, and what may be written."""
    return EntryError(f"{field} = {quoted(text)} must be {allowed}")


def parse_whole(field: str, text: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``. EntryError."""
    if not re.fullmatch(r"-?[0-9]{1,6}", text, re.ASCII) or not low <= int(text) <= high:
        raise wrong(field, text, f"a whole number from {low} to {high}")
    return int(text)


def parse_player(field: str, text: str) -> int:
    """A player's id, 1 to 3. EntryError."""
    if text not in ("1", "2", "3"):
        raise wrong(field, text, "the id of a player, 1, 2 or 3")
    return int(text) - 1


def parse_order(text: str) -> tuple[int, ...]:
    """The order of dealing. EntryError."""
    if text not in _ORDERS:
        raise wrong("deal order", text, "123, 231 or 312, the dealer last")
    return tuple(int(digit) - 1 for digit in text)


def parse_cards(text: str) -> str:
    """Three hands and the talon. EntryError unless each of the 32 cards is there."""
    if sorted(text) != sorted(CARDS):
        missing = next((card for card in CARDS if card not in text), "")
        why = f", each once; {missing} is missing" if missing else ", each once"
        raise wrong("cards", text, f"the 32 cards 1 to 9 and A to W{why}")
    return text


def parse_bids(text: str) -> tuple[Bid, ...]:
    """The highest bids of the three players in the order of dealing. EntryError."""
    words = text.split(",")
    if len(words) != SEATS:
        raise wrong("bids", text, "three bids, parted by commas")
    return tuple(map(_parse_bid, words))


def _parse_bid(word: str) -> Bid:
    if word == "P":
        return Bid()
    match = re.fullmatch(r"([MG]?)([2-8])|G", word)
    if match is None:
        raise wrong("bids", word, "P, 2 to 8, M2 to M8 (mine), G (a game) or G2 to G8")
    return Bid(int(match[2] or 0), match[1] == "M", word[0] == "G")


def parse_discarded(text: str) -> str:
    """The two cards laid away; none for ``XX``. EntryError."""
    if text == "XX":
        return ""
    if len(text) != 2 or any(card not in CARDS for card in text):
        raise wrong("discarded", text, "two cards of 1 to 9 and A to W, or XX at a game")
    return text


def parse_contract(text: str) -> tuple[int, bool]:
    """The contract 2..8, and whether it is a game. EntryError."""
    if not re.fullmatch("G?[2-8]", text):
        raise wrong("contract", text, "2 to 8, or G2 to G8 for a game")
    return int(text[-1]), text[0] == "G"


def parse_kontra(text: str, parse_by: Mapping[str, int], lone: int) -> tuple[int, bool, int]:
    """How often the game is doubled, whether somebody invites, and who. EntryError.

    ``parse_by`` has the players by their signs; a letter without one is of the ``lone`` follower.
    """
    if text == "0":
        return 0, False, -1
    level = (_KONTRAS.find(text[:1]) + 1) if text else 0
    by = parse_by.get(text[1:], lone if len(text) == 1 else -1)
    if by < 0 or (level == 0 and text[0] != "I"):
        signs = " or ".join(sign for sign, player in parse_by.items() if player >= 0)
        raise wrong("kontra", text, f"0, or I, K, R, S or M and who began: {signs}")
    return level, level == 0, by


def parse_throws(text: str, winners: Mapping[str, int]) -> tuple[Throws, ...]:
    """The tricks; none for ``0`` or ``-``. EntryError."""
    if text in _NOTHING:
        return ()
    return check_count([parse_trick(word, winners) for word in text.split(",")])


def parse_trick(word: str, winners: Mapping[str, int]) -> Throws:
    """A trick: the cards as thrown and the sign of who won it. EntryError."""
    cards, winner = word[:-1], word[-1:]
    if len(cards) not in (2, 3) or any(card not in CARDS for card in cards):
        raise wrong("throws", word, "two or three cards and who won them")
    if winner not in winners:
        raise wrong("throws", word, f"cards and who won them, {', '.join(winners)}")
    return Throws(cards, winners[winner])


def check_count(throws: Sequence[Throws]) -> tuple[Throws, ...]:
    """The tricks of a deal. EntryError if they are too many."""
    if len(throws) > HAND:
        raise EntryError(f"throws has {len(throws)} tricks, and there are at most {HAND}")
    return tuple(throws)


_MAIN = re.compile(r"M([0-9]{1,2})(?::(-?[0-9]{1,6}))?", re.ASCII)
_FOLLOWER = re.compile(r"F([0-9]{1,2})(?::([LR])(-?[0-9]{1,6}))?(?::(-?[0-9]{1,6}))?", re.ASCII)
_FOUR = re.compile(r"([0-9]{1,2}):(-?[0-9]{1,6}):(-?[0-9]{1,6}):(-?[0-9]{1,6})", re.ASCII)


def parse_part(word: str) -> Part | None:
    """A player's part of a summary: ``0`` (he did not play), ``M7:-8``, ``F3:L24``, ``F1:R20:20``,
    or of the older form ``3:24:0:0``. EntryError."""
    if word == "0":
        return None
    main, follower, four = (p.fullmatch(word) for p in (_MAIN, _FOLLOWER, _FOUR))
    if main is not None:
        return Part(_tricks(main[1]), middle=int(main[2] or 0), is_main=True)
    if follower is not None:
        soup = {"L": 0, "R": 0, follower[2] or "L": int(follower[3] or 0)}
        taken = _tricks(follower[1])
        return Part(taken, soup["L"], int(follower[4] or 0), soup["R"], is_main=False)
    if four is not None:
        return Part(_tricks(four[1]), int(four[2]), int(four[3]), int(four[4]))
    raise wrong("summary", word, "0, M7:-8, F3:L24 or F1:R20:20 (of the older form 3:24:0:0)")


def _tricks(text: str) -> int:
    return parse_whole("tricks of the summary", text, 0, HAND)


def parse_summary(text: str) -> tuple[Part | None, ...]:
    """The parts of the three players in the order of dealing. EntryError."""
    words = text.split(",")
    if len(words) != SEATS:
        raise wrong("summary", text, "three parts, parted by commas")
    return tuple(map(parse_part, words))


def _accepted(text: str, main: int) -> frozenset[int]:
    """The followers who decided to play."""
    count = parse_whole("accepted", text, 0, 9)
    if count == main + 1:
        raise wrong("accepted", text, f"0, 8 (both) or a follower's id, and player {text} is main")
    if count >= _BOTH:
        return frozenset(player for player in range(SEATS) if player != main)
    return frozenset([count - 1] if count else [])


def lone_of(came: frozenset[int]) -> int:
    """The only follower; -1 where none or both came."""
    return next(iter(came)) if len(came) == 1 else -1


def make_play(
    fields: Mapping[str, str], throws: tuple[Throws, ...], summary: tuple[Part | None, ...]
) -> PpnPlay:
    """What was played, by the fields in square brackets or of JSON. EntryError."""
    main = parse_player("main", fields["main"])
    base, is_game = parse_contract(fields["contract"])
    came = _accepted(fields["accepted"], main)
    followers = {sign: player for sign, player in IDS.items() if player != main}
    doubled, invites, by = parse_kontra(fields["kontra"], followers, lone_of(came))
    refa, starts = fields.get("refa"), fields.get("starts", "0")
    if refa not in (None, "0", "1"):
        raise wrong("refa", str(refa), "0 or 1")
    return PpnPlay(
        main=main,
        discarded=parse_discarded(fields["discarded"]),
        base=base,
        is_game=is_game,
        came=came,
        doubled=doubled,
        invites=invites,
        by=by,
        refa=None if refa is None else refa == "1",
        value=parse_value(fields["value"]),
        starts=-1 if starts in _NOTHING else parse_player("starts", starts),
        throws=throws,
        summary=summary,
    )


def parse_value(text: str) -> int:
    """The value of the contract. EntryError."""
    return parse_whole("value", text, 0, _MOST_VALUE)


def make_deal(
    place: str,
    fields: Mapping[str, str],
    order: tuple[int, ...],
    bids: tuple[Bid, ...],
    play: PpnPlay | None,
) -> PpnDeal:
    """A deal with its id and cards; ``place`` names it in messages. EntryError."""
    number = parse_whole("id", fields["id"], 0, _MOST_ID)
    return PpnDeal(place, number, order, parse_cards(fields["cards"]), bids, play)
