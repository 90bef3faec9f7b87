"""A deal of the refet game told in words: calls, who comes, contra, and what is written."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.contract import RASPAS, format_refet_contract
from scoring.conventions_refet import HAT_AT_ZERO, LEFT_MADE, NOBODY_MADE
from scoring.refet import (
    gives_refets,
    hand_value,
    is_all_or_nothing,
    is_plain_spades,
    most_refets,
)
from scoring.result import MAX_PLAYERS, is_made
from scoring.tables import format_table

from .records.words import CONTRA_WORDS
from .show import Story
from .state import BIDDING, COME, COMES, CONTRA, CONTRACT, DISCARD, HOLD, N_TRICKS, PASS, SUIT
from .telling_words import heading, laid, said, twelfths

# The calls


def _told_bids(story: Story) -> str:
    """The auction: who holds a number says that it is his."""
    told, bid = [], ""
    for step in story.of(BIDDING):
        word = f"mine {bid}" if step.action == HOLD else step.word
        bid = bid if step.action in (PASS, HOLD) else step.word
        told.append(f"player {step.owner}: {word}")
    return ", ".join(told)


def _told_suits(story: Story) -> str:
    words = (
        f"player {step.owner}: {'yours is better' if step.action == PASS else step.word}"
        for step in story.of(SUIT)
    )
    return ", ".join(words)


def _contract_word(story: Story) -> str:
    return format_refet_contract(story.contract, bool(int(story.row["without_talon"])))


def _told_contract(story: Story) -> Iterator[str]:
    row = story.row
    if row is None:
        yield from heading("contract", said(story.of(CONTRACT)))
    elif int(row["kind"]) != RASPAS:
        yield f"contract  {_contract_word(story)} by player {int(row['declarer'])}"


def _told_force(story: Story) -> str:
    """Why nobody was asked whether he comes; empty where somebody was."""
    row = story.row
    if row is None or int(row["kind"]) == RASPAS or not is_all_or_nothing(row):
        return ""
    return "both, without a question"


def told_refet_calls(story: Story) -> Iterator[str]:
    """All that is said before the play."""
    yield from heading("auction", _told_bids(story))
    yield from heading("suit", _told_suits(story))
    yield from heading("discard", laid(story.of(DISCARD)))
    yield from _told_contract(story)
    yield from heading("come", said(story.of(COME)) or _told_force(story))
    yield from heading("contra", said(story.of(CONTRA)))


# What is written


def _changes(story: Story, field: str) -> list[int]:
    pairs = zip(story.after[field], story.sheet[field], strict=True)
    return [after - before for after, before in pairs]


def _is_left(story: Story) -> bool:
    """Whether these are spades left unplayed for want of a contra."""
    row, rules = story.row, story.rules
    if int(row["played"]) or int(row["kind"]) == RASPAS or not is_plain_spades(row):
        return False
    came = any(step.action == COMES for step in story.of(COME))
    return came or int(rules["spades_nobody_comes"]) != NOBODY_MADE


def _told_end(story: Story) -> Iterator[str]:
    """Why no card was played, or not all."""
    row = story.row
    if int(row["kind"]) == RASPAS:
        yield "left      all have passed"
    elif _is_left(story):
        yield "left      spades without contra are not played"
    elif not int(row["played"]):
        yield "left      nobody has come"
    elif len(story.tricks) + story.claimed < N_TRICKS:
        yield "stopped   the contract could not be made any more"


def _told_worth(story: Story) -> Iterator[str]:
    """The value of the hand, and what it is made of."""
    row = story.row
    contra, value = int(row["contra"]), int(hand_value(row))
    single = value >> contra + int(row["refet"])
    parts = [f"{_contract_word(story)} {twelfths(single)}"]
    if contra:
        parts.append(f"{CONTRA_WORDS[contra - 1]} x{1 << contra}")
    if int(row["refet"]):
        parts.append("refet x2")
    yield f"worth     {twelfths(value)}: {', '.join(parts)}"
    change = _changes(story, "mountain")[int(row["declarer"])]
    left = int(row["remaining"])
    if 0 < left == -change < value:
        yield f"cut       to {twelfths(left)}, what was left of the columns"
    if change == 2 * value:
        yield f"double    the declarer failed with more than {twelfths(left)}, what was left"


def _why_no_refets(story: Story) -> str:
    most = int(most_refets(story.rules))
    if story.sheet["refets_given"] >= most:
        return f"those of this pulka have been written ({most})"
    highest = 0 if int(story.rules["refets_hat"]) == HAT_AT_ZERO else -1
    columns = story.sheet["mountain"][: story.n_players]
    under = [f"player {i}" for i, column in enumerate(columns) if column <= highest]
    return f"{' and '.join(under)} {'is' if len(under) == 1 else 'are'} under the hat"


def _told_refets(story: Story) -> Iterator[str]:
    """Refets that are given, or not, and the one that the declarer uses."""
    row = story.row
    changes = _changes(story, "refets")[: story.n_players]
    if gives_refets(story.rules, row):
        gained = [f"player {i}" for i, change in enumerate(changes) if change > 0]
        yield f"refets    one for {', '.join(gained)}"
        return
    asked = int(row["kind"]) == RASPAS or _is_left(story)
    if asked and int(story.rules["spades_left"]) != LEFT_MADE:
        yield f"refets    none: {_why_no_refets(story)}"
    if int(row["refet"]):
        used = "used" if min(changes) < 0 else "kept"
        yield f"refet     of player {int(row['declarer'])}, {used}"


def _told_who_made(story: Story) -> Iterator[str]:
    """Whether the contract was made, and all who write their columns up."""
    row = story.row
    changes = _changes(story, "mountain")
    if int(row["played"]) and is_made(story.rules, row):
        yield f"made      by player {int(row['declarer'])}"
    failed = [f"player {i}" for i, change in enumerate(changes) if change > 0]
    yield from heading("failed", ", ".join(failed))


def _told_columns(story: Story) -> Iterator[str]:
    told = []
    for i, change in enumerate(_changes(story, "mountain")):
        if change:
            sign = "-" if change < 0 else "+"
            before, after = (twelfths(sheet["mountain"][i]) for sheet in (story.sheet, story.after))
            told.append(f"player {i}: {before} {sign} {twelfths(abs(change))} = {after}")
    yield from heading("columns", ", ".join(told))


def _told_soup(story: Story) -> Iterator[str]:
    told = []
    for k, change in enumerate(_changes(story, "whists")):
        if change:
            i, j = divmod(k, MAX_PLAYERS)
            told.append(f"player {i} on player {j}: {twelfths(change)}")
    yield from heading("soup", ", ".join(told))


def told_refet_score(story: Story) -> Iterator[str]:
    """What the hand is worth, and what is written."""
    yield from _told_end(story)
    if story.row["declarer"] >= 0:
        yield from _told_worth(story)
        yield from _told_who_made(story)
    yield from _told_refets(story)
    yield from _told_columns(story)
    yield from _told_soup(story)


def format_refet_sheet(story: Story) -> str:
    """The sheet after the deal: column, unused refets and soup of each player."""
    n, sheet = story.n_players, story.after
    rows = [["player", "column", "refets", *(f"soup on {j}" for j in range(n))]]
    for i in range(n):
        soup = sheet["whists"][MAX_PLAYERS * i : MAX_PLAYERS * i + n]
        cells = ["-" if i == j else twelfths(x) for j, x in enumerate(soup)]
        rows.append([str(i), twelfths(sheet["mountain"][i]), str(sheet["refets"][i]), *cells])
    return format_table(rows)
