"""Answers as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scoring.tables import format_table

from ..cards import SUIT_SYMBOLS, format_card, format_hand, format_suit_hand, mask_of
from ..state import N_HANDS
from .answers import Answer, by_trick
from .asked import STRAIN_NAMES, Deal, Wanted


def summary(deal: Deal, tricks: int | None) -> str:
    """The answer in a line: ``♠ by hand 0, hand 1 leads: declarer takes 6 of 10``."""
    if deal.strain is None:
        return f"nothing to solve, {deal.lacks}"
    who = "who" if deal.first == deal.declarer else deal.name(deal.first)
    how = f"led {' '.join(map(format_card, deal.on_table))}" if deal.on_table else "leads"
    game = f"{STRAIN_NAMES[deal.strain]} by {deal.name(deal.declarer)}, {who} {how}"
    return f"{game}: declarer takes {tricks} of {deal.position().n_tricks}"


def _hand_lines(deal: Deal) -> Iterator[str]:
    names = [deal.name(hand) for hand in range(N_HANDS)]
    width = max(map(len, names))
    for name, cards in zip(names, deal.hands, strict=True):
        yield f"{name.ljust(width)}  {format_suit_hand(cards) if cards else 'does not play'}"
    if deal.talon:
        aside = "" if deal.players else " (not in play)"
        yield f"{'talon'.ljust(width)}  {' '.join(map(format_card, deal.talon))}{aside}"


def format_cards(cards: Iterable[int]) -> str:
    """Cards by suit, without the suits that have none.

    >>> format_cards([6, 7, 8])
    '♠AK ♣7'
    """
    suits = zip(SUIT_SYMBOLS, format_hand(mask_of(cards)).split("."), strict=True)
    return " ".join(sign + ranks for sign, ranks in suits if ranks)


def _cards_lines(answer: Answer) -> Iterator[str]:
    """The cards that may be played, by what the declarer takes after them, the best first."""
    position = answer.deal.position()
    yield f"{answer.deal.name(position.mover)} to play; declarer's tricks after each card"
    values = sorted(set(answer.cards.values()), reverse=position.wants_many)
    for value in values:
        alike = format_cards(card for card, tricks in answer.cards.items() if tricks == value)
        yield f"  {value:2}  {alike}{'  best' if value == values[0] else ''}"


def _table_lines(answer: Answer, leaders: Sequence[int]) -> Iterator[str]:
    """A row for each strain, a column for each declarer by leader."""
    columns = [(leader, declarer) for leader in leaders for declarer in range(N_HANDS)]
    rows = [
        ["leader", *(str(leader) for leader, _ in columns)],
        ["declarer", *(str(declarer) for _, declarer in columns)],
    ]
    for name, of_strain in zip(STRAIN_NAMES, answer.table, strict=True):
        rows.append([name, *(str(of_strain[declarer][leader]) for leader, declarer in columns)])
    yield "declarer's tricks"
    yield from format_table(rows).splitlines()


def _line_lines(answer: Answer) -> Iterator[str]:
    """Best play, a line for each trick, in the form of records."""
    yield "best play"
    for k, (trick, taker) in enumerate(by_trick(answer), 1):
        cards = ", ".join(f"{hand}:{format_card(card)}" for hand, card in trick)
        who = "declarer" if taker == answer.deal.declarer else f"hand {taker}"
        yield f"{f'trick {k}':10} {cards}  {who} takes it"


def _parts(answer: Answer, wanted: Wanted, show_hands: bool) -> Iterator[str]:
    """The parts of a report that an empty line parts."""
    deal = answer.deal
    head = list(_hand_lines(deal)) if show_hands else []
    if deal.strain is not None or not wanted.table:
        head.append(summary(deal, answer.tricks))
    if head:
        yield "\n".join(head)
    if answer.cards:
        yield "\n".join(_cards_lines(answer))
    if answer.line:
        yield "\n".join(_line_lines(answer))
    if wanted.table:
        leaders = range(N_HANDS) if deal.leader is None else [deal.leader]
        yield "\n".join(_table_lines(answer, leaders))


def answer_text(answer: Answer, wanted: Wanted) -> str:
    """The report about one deal; the hands are told where they were not typed."""
    return "\n\n".join(_parts(answer, wanted, answer.deal.number is not None))


def answers_text(answers: Sequence[Answer], wanted: Wanted) -> str:
    """The report about the deals of a file: a line each, or all that is wanted of each."""
    if wanted.details:
        texts = ("\n\n".join(_parts(answer, wanted, True)) for answer in answers)
        pairs = zip(answers, texts, strict=True)
        return "\n\n".join(f"{answer.deal.title}\n{text}" for answer, text in pairs)
    width = max(len(answer.deal.title) for answer in answers)
    titles = (f"{answer.deal.title}:".ljust(width + 1) for answer in answers)
    pairs_of_lines = zip(titles, answers, strict=True)
    return "\n".join(f"{title} {summary(one.deal, one.tricks)}" for title, one in pairs_of_lines)
