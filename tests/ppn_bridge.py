"""Games of the refet variants played at random in the engine, and written in PPN.

What a deal writes is read from the engine's sheet before and after it, not from the scorer.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from random_play import bits

from scoring.contract import BETL, PREFERANS, REFET_SPADES
from scoring.refet import hand_value
from scoring.result import INVITED, MAX_PLAYERS, UNIT, WHISTED
from scoring.variant import Variant, find_variant
from sim.cards import cards_of
from sim.convert.ppn_play import card_of
from sim.deals import N_DEALS
from sim.show import Story, begin_story, end_story, take_step
from sim.state import (
    BIDDING,
    COME,
    CONTRA,
    CONTRACT,
    DISCARD,
    GAME_CALL,
    HOLD,
    PASS,
    SUIT,
)
from sim.table import Table

DATA = Path(__file__).parent / "data" / "ppn"
SIGNS = {card_of(sign): sign for sign in "123456789ABCDEFGHIJKLMNOPQRSTUVW"}
SEATS = 3
KONTRAS = "0KRSM"


def ppn_variant(refas: int) -> Variant:
    """The variant with which PPN is read, for a tag Refe."""
    settings = {"contra.levels": 4, "refets.few": refas, "refets.many": refas}
    return find_variant("prefko").with_settings(settings)


@dataclass(frozen=True)
class Habits:
    """How often players bid on, come, say contra, and choose the lowest call or contract."""

    bids: float = 0.6
    comes: float = 0.6
    contra: float = 0.35
    lowest: float = 0.8


@dataclass
class Deal:
    """A deal as played: its story, its row, and the sheet after it."""

    story: Story
    row: Any
    columns: list[int]
    soup: list[list[int]]


@dataclass
class PlayedGame:
    """A game, its tags by their values, and the table after it."""

    start: int
    refas: int
    table: Table
    deals: list[Deal] = field(default_factory=list)
    is_over: bool = False

    def running(self) -> list[int]:
        """Soup for less soup against less ten columns."""
        last = self.deals[-1]
        return [
            sum(last.soup[i][j] - last.soup[j][i] for j in range(SEATS)) - 10 * last.columns[i]
            for i in range(SEATS)
        ]


def _choice(table: Table, habits: Habits, chance: random.Random) -> int:
    legal, phase = bits(table.legal), int(table.view["phase"])
    lowest = chance.random() < habits.lowest
    if phase in (BIDDING, COME, CONTRA) and len(legal) > 1 and legal[0] == 0:
        often = {BIDDING: habits.bids, COME: habits.comes, CONTRA: habits.contra}[phase]
        if chance.random() >= often:
            return 0
        return legal[1] if lowest else chance.choice(legal[1:])
    return legal[0] if phase == CONTRACT and lowest else chance.choice(legal)


def _columns(view: Any) -> list[int]:
    return [int(x) // UNIT for x in view["mountain"][:SEATS]]


def _soup(view: Any) -> list[list[int]]:
    return [
        [int(x) // UNIT for x in view["whists"][MAX_PLAYERS * i : MAX_PLAYERS * i + SEATS]]
        for i in range(SEATS)
    ]


def play_game(
    seed: int, start: int = 60, refas: int = 2, habits: Habits | None = None, most: int = 12
) -> PlayedGame:
    """A game of random legal moves, to its end or for so many deals."""
    chance = random.Random(seed)
    table = Table(ppn_variant(refas).rules(SEATS, start))
    game = PlayedGame(start, refas, table)
    while len(game.deals) < most and not game.is_over:
        table.lay(chance.randrange(N_DEALS))
        story = begin_story(table)
        while not table.done:
            take_step(story, table, _choice(table, habits or Habits(), chance))
        end_story(story, table)
        view = table.view
        game.deals.append(Deal(story, story.row, _columns(view), _soup(view)))
        game.is_over = sum(game.deals[-1].columns) <= 0
    return game


# Writing


@dataclass
class Written:
    """The fields of a deal, as in the newest form, and its parts for the others."""

    id: int
    order: list[int]
    hands: list[str]
    talon: str
    bids: list[str]
    main: int = -1
    discarded: str = "XX"
    base: int = 0
    is_game: bool = False
    came: list[int] = field(default_factory=list)
    doubled: int = 0
    invites: bool = False
    by: int = -1
    refa: int = 0
    value: int = 0
    starts: int = -1
    tricks: list[tuple[str, int]] = field(default_factory=list)
    parts: list[dict[str, int] | None] = field(default_factory=list)

    @property
    def cards(self) -> str:
        return "".join(self.hands) + self.talon

    @property
    def contract(self) -> str:
        return f"{'G' * self.is_game}{self.base}"

    @property
    def accepted(self) -> int:
        return 8 if len(self.came) == 2 else sum(p + 1 for p in self.came)


def _bids(story: Story) -> list[str]:
    bids = ["P"] * SEATS
    standing = 0
    for step in story.steps:
        if step.phase == BIDDING and step.action != PASS:
            if step.action >= GAME_CALL:
                base = step.action - GAME_CALL + BETL - 1
                bids[step.hand] = "G" if step.action == GAME_CALL else f"G{base}"
            elif step.action == HOLD:
                bids[step.hand] = f"M{standing}"
            else:
                standing = step.action
                bids[step.hand] = str(standing)
        elif step.phase == SUIT and step.action != PASS:
            bids[step.hand] = f"G{step.action}"
    return bids


def _hand(mask: int, chance: random.Random) -> str:
    """A hand in the order in which it may have been dealt."""
    cards = [SIGNS[card] for card in cards_of(mask)]
    chance.shuffle(cards)
    return "".join(cards)


def write_deal(game: PlayedGame, k: int) -> Written:
    """A deal of a game as PPN has it."""
    deal, chance = game.deals[k], random.Random(k)
    story, row = deal.story, deal.row
    talon = "".join(SIGNS[card] for card in story.talon)
    hands = [_hand(hand, chance) for hand in story.hands]
    written = Written(k + 1, list(story.players), hands, talon, _bids(story))
    if int(row["declarer"]) < 0:
        return written
    written.main = int(row["declarer"])
    laid = [step for step in story.steps if step.phase == DISCARD]
    written.discarded = "".join(SIGNS[step.action] for step in laid) or "XX"
    written.base, written.is_game = story.contract, bool(row["without_talon"])
    _write_said(written, row)
    written.refa = int(row["refet"])
    written.value = int(hand_value(row)) // UNIT
    if story.tricks:
        written.starts = story.tricks[0].steps[0].owner
    for trick in story.tricks:
        assert trick.winner is not None
        written.tricks.append(("".join(SIGNS[step.action] for step in trick.steps), trick.winner))
    written.parts = [_part(game, k, player) for player in written.order]
    return written


def _write_said(written: Written, row: Any) -> None:
    decisions = [int(call) for call in row["decision"][:SEATS]]
    written.came = [p for p, call in enumerate(decisions) if call == WHISTED]
    written.doubled = int(row["contra"])
    if written.doubled:
        written.by = int(row["contra_by"])
    elif INVITED in decisions:
        written.invites, written.by = True, written.came[0]


def _part(game: PlayedGame, k: int, player: int) -> dict[str, int] | None:
    """A player's part of the summary, by the sheet before and after the deal."""
    deal, row = game.deals[k], game.deals[k].row
    before = game.deals[k - 1].columns if k else [game.start] * SEATS
    soup = game.deals[k - 1].soup if k else [[0] * SEATS] * SEATS
    main = int(row["declarer"])
    wrote = deal.soup[player][main] - soup[player][main]
    side = "left" if main == (player - 1) % SEATS else "right"
    middle = deal.columns[player] - before[player]
    tricks = int(row["tricks"][player])
    if player == main:
        tricks = tricks if int(row["played"]) else 10
        return {"tricks": tricks, "middle": middle} if int(row["played"]) or middle else None
    if not (tricks or wrote or middle or _plays(row, player)):
        return None
    return {"tricks": tricks, side: wrote, "middle": middle}


def _plays(row: Any, player: int) -> bool:
    """Whether a follower played; it does not matter to who reads it."""
    return bool(row["played"]) and int(row["decision"][player]) in (WHISTED, INVITED)


def _part_text(part: dict[str, int] | None, is_main: bool) -> str:
    if part is None:
        return "0"
    middle = f":{part['middle']}" if is_main or part["middle"] else ""
    if is_main:
        return f"M{part['tricks']}{middle}"
    soup = f"R{part['right']}" if "right" in part else f"L{part['left']}"
    return f"F{part['tricks']}:{soup}{middle}"


def newest_words(written: Written, refa: bool = True) -> list[str]:
    """The fields of a deal in square brackets."""
    order = "".join(str(p + 1) for p in written.order)
    words = [str(written.id), order, written.cards, ",".join(written.bids)]
    if written.main < 0:
        return words
    kontra = "I" if written.invites else KONTRAS[written.doubled]
    throws = ",".join(f"{cards}{winner + 1}" for cards, winner in written.tricks)
    parts = zip(written.parts, written.order, strict=True)
    return [
        *words,
        str(written.main + 1),
        written.discarded,
        written.contract,
        str(written.accepted),
        f"{kontra}{written.by + 1}" if written.by >= 0 else "0",
        *([str(written.refa)] if refa else []),
        str(written.value),
        str(written.starts + 1),
        throws or "0",
        ",".join(_part_text(part, player == written.main) for part, player in parts),
    ]


def older_words(written: Written) -> list[str]:
    """The fields of a deal of the older form."""
    words = [f"{written.id}.", str(written.order[-1] + 1), written.cards, ",".join(written.bids)]
    if written.main < 0:
        return words
    signs = {written.main: "M", (written.main + 1) % SEATS: "L", (written.main + 2) % SEATS: "R"}
    came = "B" if len(written.came) == 2 else "".join(signs[p] for p in written.came) or "0"
    kontra = "I" if written.invites else KONTRAS[written.doubled]
    throws = ",".join(f"{cards}{signs[winner]}" for cards, winner in written.tricks)
    score = [
        "0"
        if part is None
        else f"{part['tricks']}:{part.get('left', 0)}:{part['middle']}:{part.get('right', 0)}"
        for part in written.parts
    ]
    return [
        *words,
        written.discarded,
        written.contract,
        came,
        f"{kontra}{signs[written.by]}" if written.by >= 0 else "0",
        str(written.value),
        *([throws] if throws else []),
        ",".join(score),
    ]


def deal_json(written: Written) -> dict[str, Any]:
    """A deal of the JSON form."""
    places = ("p1", "p2", "p3")
    data: dict[str, Any] = {
        "id": written.id,
        "dealOrder": int("".join(str(p + 1) for p in written.order)),
        "cards": {**dict(zip(places, written.hands, strict=True)), "t": written.talon},
        "bids": dict(zip(places, written.bids, strict=True)),
    }
    if written.main < 0:
        return data
    kontra = "I" if written.invites else KONTRAS[written.doubled]
    leaders = [written.starts, *(winner for _, winner in written.tricks)]
    tricks = zip(written.tricks, leaders[:-1], strict=True)
    parts = zip(places, written.parts, written.order, strict=True)
    return data | {
        "main": written.main + 1,
        "discarded": written.discarded,
        "contract": written.contract if written.is_game else written.base,
        "accepted": written.accepted,
        "kontra": f"{kontra}{written.by + 1}" if written.by >= 0 else 0,
        "refa": bool(written.refa),
        "value": written.value,
        "starts": written.starts + 1,
        "throws": [
            {"id": k, "starts": leader + 1, "cards": cards, "winner": winner + 1}
            for k, ((cards, winner), leader) in enumerate(tricks, 1)
        ],
        "summary": {
            place: {"main": player == written.main, **part}
            for place, part, player in parts
            if part is not None
        },
    }


def tags_of(game: PlayedGame) -> dict[str, Any]:
    """The tags of a game; results are those of the places."""
    score = game.running()
    places = sorted(range(SEATS), key=lambda player: -score[player])
    return {
        "Bula": game.start,
        "Refe": game.refas,
        **{f"Player{p + 1}": name for p, name in enumerate(("Ana", "Bora", "Vera"))},
        **{f"Result{k + 1}": score[p] for k, p in enumerate(places)},
        **{f"Place{k + 1}": p + 1 for k, p in enumerate(places)},
    }


FORMS = ("newest", "without refa", "older", "json")


def lines_of(game: PlayedGame, form: str = "newest") -> list[str]:
    """The lines of a game in a text form."""
    written = [write_deal(game, k) for k in range(len(game.deals))]
    if form == "older":
        tags = [f'[{name} "{value}"]' for name, value in tags_of(game).items()]
        return [*tags, "", *(" ".join(older_words(one)) for one in written)]
    tags = [f"[{name} {value}]" for name, value in tags_of(game).items()]
    deals = [f"[{' '.join(newest_words(one, form == 'newest'))}]" for one in written]
    return [*tags, "", *deals]


def text_of(game: PlayedGame, form: str = "newest") -> str:
    """A whole file of a game in a form."""
    if form == "json":
        deals = [deal_json(write_deal(game, k)) for k in range(len(game.deals))]
        return json.dumps({**tags_of(game), "deals": deals}, indent=1)
    return "\n".join(lines_of(game, form)) + "\n"


def counts_of(games: Sequence[PlayedGame]) -> dict[str, int]:
    """How often what matters came about in some games."""
    deals = [deal for game in games for deal in game.deals]
    rows = [deal.row for deal in deals]
    said = [[(step.phase, step.action) for step in deal.story.steps] for deal in deals]
    tricks = [trick for deal in deals for trick in deal.story.tricks]
    contras, contracts = ([int(row["contra"]) for row in rows], [d.story.contract for d in deals])
    return {
        "all passed": sum(int(row["declarer"]) < 0 for row in rows),
        "from the hand": sum(int(row["without_talon"]) for row in rows),
        "on a refet": sum(int(row["refet"]) for row in rows),
        "invited": sum(INVITED in [int(x) for x in row["decision"]] for row in rows),
        "several games": sum(any(phase == SUIT for phase, _ in steps) for steps in said),
        "held": sum((BIDDING, HOLD) in steps for steps in said),
        "two-card tricks": sum(len(trick.steps) == 2 for trick in tricks),
        "not played": sum(int(row["declarer"]) >= 0 and not int(row["played"]) for row in rows),
        "over": sum(game.is_over for game in games),
        **{f"contra {level}": contras.count(level) for level in (1, 2, 3, 4)},
        **{
            f"contract {base}": contracts.count(base) for base in range(REFET_SPADES, PREFERANS + 1)
        },
    }
