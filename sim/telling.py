"""A deal told in words: cards, calls, tricks, score, and the sheet after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scoring.contract import N_ROWS, RASPAS, ROWS, TRICKS, format_contract
from scoring.conventions import TREES_NONE
from scoring.deal_score import row_of, row_points
from scoring.result import DECISIONS, MAX_PLAYERS, is_thrown_in
from scoring.tables import format_table

from .cards import format_card, format_suit_hand
from .records.words import DUMMY, WITH_HAND, owner_word, told_owner
from .show import THE_TALON, Step, Story, Trick
from .state import (
    AGREE,
    AUCTION,
    CARD,
    CATCH,
    CONTRACT,
    DARK,
    DARK_PASS,
    DEALER_WHIST,
    DISCARD,
    N_HANDS,
    N_TRICKS,
    OPEN,
    PASS_ALONG,
    POINTS,
    ROW,
    WHIST,
)
from .table import Table
from .telling_refet import format_refet_sheet, told_refet_calls, told_refet_score
from .telling_words import by_player, heading, laid, said, twelfths

_TALON = "talon"


def _told_passed(story: Story) -> str:
    """Cards passed along: who gave what to whom."""
    steps = story.of(PASS_ALONG)
    told = []
    for hand in range(N_HANDS):
        pair = laid(steps[2 * hand : 2 * hand + 2])
        if not pair:
            break
        took = " took the talon and" if hand == 0 else ""
        gave = f"gave {pair} to player {story.players[(hand + 1) % N_HANDS]}"
        did = gave if hand < N_HANDS - 1 else f"laid {pair} away"
        told.append(f"player {story.players[hand]}{took} {did}")
    return ", ".join(told)


def _told_cards(story: Story) -> Iterator[str]:
    sits = " and sits out" if story.n_players == MAX_PLAYERS else ""
    yield f"deal number {story.number}, player {story.dealer} deals{sits}"
    for player, hand in zip(story.players, story.hands, strict=True):
        name = f"player {player}" if player != DUMMY else owner_word(player)
        yield f"  {name:8}  {format_suit_hand(hand)}"
    yield f"  talon     {' '.join(map(format_card, story.talon))}"


def _told_auction(story: Story) -> Iterator[str]:
    yield from heading("agree", said(story.of(AGREE)))
    for step in story.of(DARK):
        did = "passes without looking" if step.action == DARK_PASS else "looks at his cards"
        yield f"dark      player {step.owner} {did}"
    yield from heading("auction", said(story.of(AUCTION)))
    yield from heading("row", said(story.of(ROW)))
    yield from heading("passed", _told_passed(story))
    yield from heading("discard", laid(story.of(DISCARD)))


def _told_contract(story: Story) -> Iterator[str]:
    row = story.row
    if row is None:
        yield from heading("contract", said(story.of(CONTRACT)))
    elif int(row["kind"]) == RASPAS:
        yield from _told_raspas(row)
    else:
        yield f"contract  {format_contract(story.contract)} by player {int(row['declarer'])}"
        yield from _told_weight(story)


def _told_raspas(row: Any) -> Iterator[str]:
    if is_thrown_in(row):
        yield "raspas    thrown in"
        return
    yield f"raspas    {int(row['raspas_index']) + 1} in a row"
    if int(row["dark_level"]):
        yield f"dark row  {int(row['dark_level'])} dark passes in a row"


def _told_weight(story: Story) -> Iterator[str]:
    """What the contract weighs besides its tricks: concession, doublings, quick tricks."""
    row = story.row
    declarer = int(row["declarer"])
    if int(row["concession"]):
        yield f"conceded  {int(row['concession'])} undertricks"
    trees = story.sheet["fir_trees"][declarer]
    bombs = int(row["bomb_level"]) - bool(trees)
    if bombs:
        yield f"bombs     {bombs} of player {declarer}"
    if trees:
        yield f"fir-trees {trees} of player {declarer}, one counts"
    if int(row["talon_units"]) and int(story.rules["talon_bonus"]):
        yield f"bonus     {int(row['talon_units'])} quick tricks in the talon"


def _told_force(story: Story) -> str:
    """Why both defend though nobody was asked; empty where it is not so."""
    row = story.row
    if row is None or int(row["kind"]) != TRICKS or int(row["concession"]) or story.of(WHIST):
        return ""
    if story.is_razboinik:
        return ""
    return "a ten is checked with open hands" if int(row["level"]) == 10 else "both by force"


def _told_defence(story: Story) -> Iterator[str]:
    yield from heading("whist", said(story.of(WHIST)) or _told_force(story))
    for step in story.of(DEALER_WHIST):
        word = step.word.replace(WITH_HAND, f"{WITH_HAND}the hand of player ")
        yield f"dealer    player {step.owner}: {word}"
    for step in story.of(OPEN):
        after = (
            story.steps.index(step) > 0 and story.steps[story.steps.index(step) - 1].phase == CARD
        )
        yield f"play      player {step.owner}: {step.word}{', after the first card' * after}"
    yield from heading("catch", said(story.of(CATCH)))


def _told_card(step: Step) -> str:
    by = "" if step.player == step.owner else f" by {step.player}"
    return f"{owner_word(step.owner)}:{step.word}{by}"


def _told_trick(story: Story, number: int, trick: Trick) -> str:
    """A trick: cards in order, who moved another's hand, the talon's card, and the winner."""
    cards = [_told_card(step) for step in trick.steps]
    if trick.lead_plays:
        who = story.dealer if story.n_players == MAX_PLAYERS else _TALON
        cards.insert(0, f"{who}:{format_card(trick.lead)}")
    elif trick.lead >= 0:
        cards.append(f"({_TALON} {format_card(trick.lead)})")
    if trick.winner is not None:
        cards.append(f"-> {_TALON if trick.winner == THE_TALON else owner_word(trick.winner)}")
    return f"  {number:2}. {'  '.join(cards)}"


def _told_play(story: Story) -> Iterator[str]:
    if story.tricks:
        yield "tricks"
        yield from (_told_trick(story, k, t) for k, t in enumerate(story.tricks, 1))
    if story.claimed:
        yield f"certain   {told_owner(story.claimer)}: {story.claimed} of {N_TRICKS}"


def _told_taken(story: Story) -> Iterator[str]:
    """Tricks by player; a dummy that nobody decides for, or the talon, takes them for nobody."""
    taken = [int(count) for count in story.row["tricks"][: story.n_players]]
    lost = 0 if story.is_refet else N_TRICKS - sum(taken)
    nobodys = f", nobody: {lost}" if lost else ""
    yield from heading("taken", by_player(list(map(str, taken))) + nobodys)


def _told_points(story: Story) -> Iterator[str]:
    """Where the points go, or what a row of razboinik's table costs."""
    row = story.row
    if story.is_razboinik:
        points = twelfths(row_points(story.rules, row))
        yield f"points    {points} in row {ROWS[row_of(row)]} of player {int(row['declarer'])}"
    else:
        yield from heading("points", said(story.of(POINTS)))


def _told_result(story: Story) -> Iterator[str]:
    row = story.row
    if row is None:
        yield "the deal breaks off here"
        return
    n = story.n_players
    if int(row["played"]):
        yield from _told_taken(story)
    if story.is_refet:
        yield from told_refet_score(story)
    else:
        words = [DECISIONS[int(decision)] for decision in row["decision"][:n]]
        yield from heading("defence", by_player(words))
        yield from _told_points(story)
    values = by_player([twelfths(value) for value in row["value"][:n]])
    yield f"value     {values} whists"


def _format_rows(view: Any) -> str:
    """Razboinik's table: the points of each row, and their sum."""
    rows = [["player", *ROWS, "points"]]
    for i in range(int(view["n_players"])):
        cells = [int(x) for x in view["row"][N_ROWS * i : N_ROWS * (i + 1)]]
        points = ["-" if x < 0 else twelfths(x) for x in cells]
        rows.append([str(i), *points, twelfths(view["mountain"][i])])
    return format_table(rows)


def format_sheet(story: Story, table: Table) -> str:
    """The sheet of the table now: pool, mountain and whists by player, or razboinik's table."""
    view, n = table.view, story.n_players
    if story.is_razboinik:
        return _format_rows(view)
    if story.is_refet:
        return format_refet_sheet(story)
    has_trees = int(story.rules["raspas_fir_trees"]) != TREES_NONE
    more = ["fir-trees"] if has_trees else []
    rows = [["player", "pool", "mountain", *(f"whists on {j}" for j in range(n)), *more]]
    for i in range(n):
        whists = [
            "-" if i == j else twelfths(view["whists"][MAX_PLAYERS * i + j]) for j in range(n)
        ]
        points = [twelfths(view["pool"][i]), twelfths(view["mountain"][i])]
        trees = [str(int(view["fir_trees"][i]))] if has_trees else []
        rows.append([str(i), *points, *whists, *trees])
    return format_table(rows)


Part = Callable[[Story], Iterator[str]]

_PARTS: tuple[Part, ...] = (
    _told_cards,
    _told_auction,
    _told_contract,
    _told_defence,
    _told_play,
    _told_result,
)
_PARTS_OF_REFET: tuple[Part, ...] = (
    _told_cards,
    told_refet_calls,
    _told_play,
    _told_result,
)


def format_story(story: Story, table: Table) -> str:
    """A replayed deal as text, with the sheet after it."""
    parts = _PARTS_OF_REFET if story.is_refet else _PARTS
    lines = [line for part in parts for line in part(story)]
    if story.row is not None:
        lines += ["sheet after the deal", format_sheet(story, table)]
    return "\n".join(lines)
