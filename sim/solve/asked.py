"""What ``preferans solve`` is asked: deals typed, by number, in a file of hands or of records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scoring.contract import MISERE_GAME, NO_TRUMP, RASPAS, STRAIN_LETTERS, STRAIN_SYMBOLS
from scoring.errors import WrongUse, quoted

from ..cards import HAND_SIZE, parse_card
from ..deals import check_number, unrank
from ..records.words import told_owner
from ..solver import (
    MISERE_STRAIN,
    Position,
    leader_by_rules,
    masked,
    parse_hands,
    why_other_rules,
)
from ..state import CONTRACT, N_HANDS

if TYPE_CHECKING:
    from ..convert.playing import Played

Hands = tuple[int, int, int]

STRAIN_NAMES = (*STRAIN_SYMBOLS, "misère")
"""Strains in a report, by number."""
STRAIN_WORDS = (*STRAIN_LETTERS, "misere")
"""Strains in JSON, and as they are written in a file."""
_ALSO = {"M": MISERE_STRAIN, "MISÈRE": MISERE_STRAIN}
_NUMBER_OF = {
    **{word.upper(): k for words in (STRAIN_WORDS, STRAIN_SYMBOLS) for k, word in enumerate(words)},
    **_ALSO,
}


class SolveError(WrongUse):
    """What cannot be solved: one sentence with the place and what may be written."""


@dataclass(frozen=True)
class Wanted:
    """What the options of the command say, None where they say nothing; what shall be told."""

    strain: int | None = None
    declarer: int | None = None
    leader: int | None = None
    on_table: tuple[int, ...] = ()
    cards: bool = False
    table: bool = False
    line: bool = False

    @property
    def details(self) -> bool:
        """Whether more than a line is told of a deal."""
        return self.cards or self.table or self.line


@dataclass(frozen=True)
class Deal:
    """A deal to be solved: the hands that play, in the order of play, and what they play.

    ``strain`` is None where nothing is named, ``lacks`` says of a recorded deal why; ``leader`` is
    None where nobody is named. ``all_hands`` are those of a recorded deal with the hand that is
    out of play, ``players`` the owners of its hands; ``where`` names the deal in errors, ``title``
    in a report.
    """

    hands: Hands
    strain: int | None = None
    declarer: int = 0
    leader: int | None = None
    on_table: tuple[int, ...] = ()
    number: int | None = None
    talon: tuple[int, ...] = ()
    all_hands: Hands | None = None
    players: tuple[int, ...] = ()
    lacks: str = ""
    where: str = ""
    title: str = ""

    @property
    def first(self) -> int:
        """The hand that leads."""
        return self.leader or 0

    @property
    def tabled(self) -> Hands:
        """The hands that the table is about."""
        return self.all_hands or self.hands

    def position(self) -> Position:
        """The position; at no trump where nothing is named. Raises PositionError."""
        strain = NO_TRUMP if self.strain is None else self.strain
        return Position(self.hands, strain, self.declarer, self.first, self.on_table)

    def name(self, hand: int) -> str:
        """A hand in a report: ``hand 0``, of a recorded deal ``hand 0 (player 2)``."""
        owner = f" ({told_owner(self.players[hand])})" if self.players else ""
        return f"hand {hand}{owner}"


def parse_strain(text: str) -> int:
    """The number of a strain written S, C, D, H, NT, ♠ … or misere. Raises SolveError.

    >>> parse_strain("h"), parse_strain("♠"), parse_strain("nt"), parse_strain("misere")
    (3, 0, 4, 5)
    """
    strain = _NUMBER_OF.get(text.strip().upper())
    if strain is None:
        raise SolveError(f"strain {quoted(text)} is not known: write S, C, D, H, NT or misere")
    return strain


def parse_cards(text: str) -> tuple[int, ...]:
    """Cards parted by spaces or commas. Raises SolveError.

    >>> parse_cards("♠A s7")
    (7, 0)
    """
    try:
        return tuple(parse_card(word) for word in text.replace(",", " ").split())
    except ValueError as error:
        raise SolveError(str(error)) from None


def _parse_hand_number(text: str, name: str) -> int:
    if text not in ("0", "1", "2"):
        raise SolveError(f"{name} {quoted(text)}: a hand is 0, 1 or 2, in the order of play")
    return int(text)


def _checked(deal: Deal, wanted: Wanted) -> Deal:
    """The deal, if it can be and all that is wanted of it is named. WrongUse."""
    deal.position()
    if deal.strain is None and not wanted.table and not deal.lacks:
        raise SolveError("what is played is missing: give --strain, --misere or --table")
    if deal.strain is None and (wanted.cards or wanted.line) and not deal.lacks:
        raise SolveError("--cards and --line need to know what is played: --strain or --misere")
    if wanted.table and deal.on_table:
        raise SolveError("--table is about hands before a lead: leave out --on-table")
    if wanted.table and not all(deal.tabled):
        empty = deal.tabled.index(0)
        raise SolveError(f"--table is about three hands that play, and hand {empty} has no cards")
    return deal


def _typed(hands: Hands, wanted: Wanted, **more: Any) -> Deal:
    """A deal that records nothing but cards."""
    deal = Deal(hands, wanted.strain, wanted.declarer or 0, wanted.leader, wanted.on_table, **more)
    return _checked(deal, wanted)


def deal_of_text(text: str, wanted: Wanted) -> Deal:
    """The deal whose hands are written ``A | B | C``. WrongUse."""
    return _typed(parse_hands(text), wanted)


def deal_of_number(number: int, wanted: Wanted) -> Deal:
    """The hands as dealt in the deal of a number, without the talon. WrongUse."""
    from ..show import talon_cards  # compiles a little when it is imported

    try:
        check_number(number)
    except ValueError as error:
        raise SolveError(str(error)) from None
    a, b, c = (int(hand) for hand in unrank(number)[:N_HANDS])
    return _typed((a, b, c), wanted, number=number, talon=tuple(talon_cards(number)))


_FIELDS = 4
"""Of a line: hands, strain, declarer, leader."""


def _read_line(text: str, wanted: Wanted) -> Deal:
    """A deal of a file: ``A | B | C``, or with what is played, ``A | B | C ; S ; 1 ; 0``."""
    hands, *rest = (part.strip() for part in text.split(";"))
    if "|" not in hands:
        raise SolveError(
            f"{quoted(hands)} is neither three hands, A | B | C, nor the line deal that begins a "
            "record"
        )
    if len(rest) >= _FIELDS:
        raise SolveError(f"{len(rest) + 1} fields: hands ; strain ; declarer ; leader at most")
    strain, declarer, leader = (*rest, "", "", "")[: _FIELDS - 1]
    if strain:
        wanted = replace(wanted, strain=parse_strain(strain))
    if declarer:
        wanted = replace(wanted, declarer=_parse_hand_number(declarer, "declarer"))
    if leader:
        wanted = replace(wanted, leader=_parse_hand_number(leader, "leader"))
    return _typed(parse_hands(hands), wanted)


def deals_of_lines(text: str, where: str, wanted: Wanted) -> list[Deal]:
    """The deals of a text, a line each; ``#`` begins a comment. SolveError names the line."""
    deals: list[Deal] = []
    wrong: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            deal = _read_line(line, wanted)
        except WrongUse as error:
            wrong.append((number, str(error)))
            continue
        title = f"deal {len(deals) + 1}"
        deals.append(replace(deal, where=f"{where}, line {number}", title=title))
    if wrong:
        others = [number for number, _ in wrong[1:]]
        raise SolveError(f"{where}, line {wrong[0][0]}: {wrong[0][1]}{_and_lines(others)}")
    return deals


def _and_lines(numbers: Sequence[int]) -> str:
    """What a message says about more lines that are wrong."""
    if not numbers:
        return ""
    said = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
    return f" (wrong too: {'line' if len(numbers) == 1 else 'lines'} {said})"


def _at_play(played: Played) -> Hands:
    """The hands when play began: after the discard, after passing along; as dealt where the record
    breaks off before that."""
    hands = played.table.hands_at_play()
    if all(hand.bit_count() == HAND_SIZE for hand in hands):
        return hands
    a, b, c = played.story.hands
    return a, b, c


def _recorded_strain(view: Any, rules: Any) -> int | None:
    """What is played by the record; None for raspas, where no contract was named, and under rules
    that are not the solver's."""
    if why_other_rules(rules):
        return None
    is_named = int(view["phase"]) > CONTRACT and not int(view["concession"])
    if int(view["kind"]) == RASPAS or not is_named:
        return None
    return MISERE_STRAIN if int(view["kind"]) == MISERE_GAME else int(view["strain"])


def _what_lacks(view: Any, rules: Any) -> str:
    """Why there is no strain to solve a recorded deal in."""
    if why := why_other_rules(rules):
        return why
    if int(view["concession"]):
        return "conceded"
    return "no contract is named" if int(view["declarer"]) >= 0 else "nobody declares"


def _recorded_leader(played: Played, strain: int | None, declarer: int, hands: Hands) -> int:
    """The hand that led first by the record; by the rules where no card is played."""
    view = played.table.view
    if int(view["n_plays"]):
        hand = int(view["plays"][0]) >> 5
        if hand < N_HANDS and hands[hand]:
            return hand
    in_play = sum(1 << hand for hand in range(N_HANDS) if hands[hand])
    game = MISERE_STRAIN if strain is None else strain
    return leader_by_rules(played.story.rules, game, declarer, in_play)


def _deal_of_record(played: Played, wanted: Wanted) -> Deal:
    """A recorded deal; the options of the command go before what is recorded. WrongUse."""
    view, story = played.table.view, played.story
    recorded = _recorded_strain(view, story.rules)
    strain = recorded if wanted.strain is None else wanted.strain
    all_hands = _at_play(played)
    in_play = int(view["in_play"])
    alone = recorded is None or in_play.bit_count() < 2
    hands = all_hands if alone else masked(all_hands, in_play)
    declarer = max(int(view["declarer"]), 0) if wanted.declarer is None else wanted.declarer
    leader = wanted.leader
    if leader is None:
        leader = _recorded_leader(played, strain, declarer, hands)
    deal = Deal(
        hands,
        strain,
        declarer,
        leader,
        number=story.number,
        talon=tuple(story.talon),
        all_hands=all_hands,
        players=tuple(story.players),
        lacks="" if strain is not None else _what_lacks(view, story.rules),
    )
    return _checked(deal, wanted)


def deals_of_records(games: Iterable[Played], where: str, wanted: Wanted) -> list[Deal]:
    """The deals of records, each played again. PreferansError names the deal."""
    deals = []
    for k, played in enumerate(games, 1):
        place = f"{where}, deal {k}"
        try:
            deal = _deal_of_record(played, wanted)
        except WrongUse as error:
            raise SolveError(f"{place}: {error}") from None
        deals.append(replace(deal, where=place, title=f"deal {k}"))
    return deals


_RECORD = re.compile(r"\s*(?:#[^\n]*\n\s*)*deal\b", re.IGNORECASE)


def is_lines(text: str) -> bool:
    """Whether a text holds lines of hands and no record in text.

    >>> is_lines("# mine\\ndeal 5"), is_lines("AK... | QJ... | T9...")
    (False, True)
    """
    return _RECORD.match(text) is None


def check_deals(deals: Sequence[Deal], where: str, wanted: Wanted) -> None:
    """SolveError for a file without a deal that can be solved."""
    if not deals:
        raise SolveError(f"{where} holds no deal: write three hands in a line, A | B | C")
    if not wanted.table and all(deal.strain is None for deal in deals):
        raise SolveError(
            f"{where}: nothing to solve, {deals[0].lacks}: give --strain, --misere or --table"
        )
