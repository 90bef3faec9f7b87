"""An analysis (``sim.analyst``) told to people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoring.contract import KINDS, STRAIN_SYMBOLS, format_contract, format_refet_contract
from scoring.conventions import RAZBOINIK, REFET

from ..cards import format_card, format_hand
from ..records.words import owner_data, owner_word, told_owner
from ..state import N_TRICKS
from ..telling_words import heading
from .analysis import Analysis
from .deal import Deal
from .play import JudgedCard, JudgedPlay, gave_away
from .raspas import JudgedRaspas
from .talon import BestContract, Discards, Offer, Pair, supposed

_STRAINS = (*STRAIN_SYMBOLS, "misere")
_SHOWN = 4
"""Discards named in the text; JSON has all."""
_N_DISCARDS = 66
"""Discards from twelve cards."""


def _cards(cards: Iterable[int]) -> str:
    return " ".join(map(format_card, cards))


def _tricks(count: int) -> str:
    return "1 trick" if count == 1 else f"{count} tricks"


def _by(pairs: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"{told_owner(player)}: {count}" for player, count in pairs)


def _contract(deal: Deal) -> str:
    if deal.story.family == REFET:
        return format_refet_contract(deal.story.contract, deal.without_talon)
    return format_contract(deal.story.contract)


def _declarer(deal: Deal) -> int:
    """The player who declares."""
    return deal.owners[deal.declarer]


# A contract


def _told_end(deal: Deal, tricks: int) -> str:
    """What so many tricks mean for the contract."""
    if deal.is_made(tricks):
        return "made"
    if deal.is_misere:
        return "down"
    over = tricks - deal.level
    return f"down {-over}" if over < 0 else f"down, for {over} more than ordered fail here"


def _told_par(deal: Deal, play: JudgedPlay) -> str:
    forced = "at least " if deal.is_misere and play.par else ""
    return f"{forced}{_tricks(play.par)} with all cards open, {_told_end(deal, play.par)}"


def _told_played(deal: Deal, play: JudgedPlay) -> str:
    """What came of it, and what both sides gave away."""
    who = told_owner(_declarer(deal))
    if not play.cards:
        row = deal.story.row
        conceded = row is not None and int(row["concession"]) > 0
        return f"no card was played{', the declarer conceded' * conceded}"
    gave = f"the defence gave {play.by_defence} away, the declarer {play.by_declarer}"
    if play.finished == N_TRICKS:
        return f"{who} took {_tricks(play.taken)}: {gave}"
    done = f"{who} took {play.taken} of {_tricks(play.finished)}: {gave}"
    if deal.story.claimed and not deal.story.is_refet:
        return f"{done}; the rest was certain, {_tricks(play.rest)} of it his"
    return f"{done}; the rest was not played, {_tricks(play.rest)} of it his by best play"


def _whose(card: JudgedCard) -> str:
    by = "" if card.by == card.owner else f" by {card.by}"
    return f"{owner_word(card.owner)}:{format_card(card.card)}{by}"


def _keep(card: JudgedCard) -> str:
    verb = "keeps" if len(card.best) == 1 else "keep"
    return f"{_cards(card.best)} {verb} it"


def _told_slips(cards: Sequence[JudgedCard]) -> Iterator[str]:
    """The cards that gave tricks away."""
    for card in cards:
        if card.gave:
            yield f"  {card.trick:2}. {_whose(card)} gave {_tricks(card.gave)} away, {_keep(card)}"


def _told_play(deal: Deal, play: JudgedPlay) -> Iterator[str]:
    yield f"contract  {_contract(deal)} by {told_owner(_declarer(deal))}"
    yield f"par       {_told_par(deal, play)}"
    yield f"play      {_told_played(deal, play)}"
    yield from _told_slips(play.cards)
    yield from heading("gave", _by(sorted(gave_away(play.cards).items())))


def _told_pairs(pairs: Sequence[Pair]) -> str:
    more = ", …" if len(pairs) > _SHOWN else ""
    return ", ".join(map(_cards, pairs[:_SHOWN])) + more


def _told_discards(found: Discards) -> str:
    made = f"{_cards(found.made)} is worth {_tricks(found.reached)}"
    count = f"{len(found.best)} of {_N_DISCARDS}"
    if found.cost == 0:
        return f"{made}, and none is better; so good are {count}: {_told_pairs(found.best)}"
    verb = "is" if len(found.best) == 1 else "are"
    best = f"the best, {count}, {verb} worth {_tricks(found.tricks)}: {_told_pairs(found.best)}"
    return f"{made}; {best}"


# The best contract


def _told_offer(deal: Deal, offer: Offer) -> str:
    if deal.story.family == RAZBOINIK:
        return offer.name
    points = "1 point" if offer.value == 1 else f"{offer.value} points"
    return f"{offer.name} ({points})"


def _told_best(deal: Deal, best: BestContract) -> str:
    if best.offer is None or best.found is None:
        return "none is made"
    after = f" after {_cards(best.found.discard)}" if best.found.discard else ""
    return f"{_told_offer(deal, best.offer)}, {_tricks(best.found.tricks)}{after}"


def _told_strains(best: BestContract) -> str:
    return ", ".join(f"{_STRAINS[one.strain]} {one.tricks}" for one in best.strains)


def _told_contracts(analysis: Analysis) -> Iterator[str]:
    deal, found = analysis.deal, analysis.contracts
    if deal.declarer >= 0:
        note = ", if all hands play" if supposed(deal) != deal.in_play else ""
        for best in found:
            yield f"makes     {_told_strains(best)}{note}"
            yield f"best      {_told_best(deal, best)}"
        return
    for best in found:
        name = f"with the talon {told_owner(best.owner)} makes {_told_strains(best)}"
        yield f"talon     {name}; best: {_told_best(deal, best)}"


# Raspas


def _told_raspas(deal: Deal, raspas: JudgedRaspas) -> Iterator[str]:
    since = f" from trick {raspas.first} on" if raspas.first > 1 else ""
    pairs = zip(deal.owners, raspas.guarantees, strict=True)
    most = _by((owner, count) for owner, count in pairs if count >= 0)
    yield f"at most   {most} in all, whatever the others do{since}"
    for card in raspas.cards:
        if card.gave:
            before = card.expected - card.gave
            yield (
                f"  {card.trick:2}. {_whose(card)} may cost {card.gave} more: at most "
                f"{card.expected} instead of {before}, {_keep(card)}"
            )
    if raspas.end is not None:
        pairs = zip(deal.owners, raspas.end.tricks, strict=True)
        ends = _by((owner, count) for owner, count in pairs if _takes_part(raspas, deal, owner))
        yield f"end       with six cards left, each playing for his own score: {ends}"


def _takes_part(raspas: JudgedRaspas, deal: Deal, owner: int) -> bool:
    return raspas.guarantees[deal.owners.index(owner)] >= 0


def _told_passed(analysis: Analysis) -> Iterator[str]:
    deal = analysis.deal
    if not deal.began:
        yield "passed    by all, and no card was played"
        return
    talon = "; the talon leads to the first two tricks, which are not judged" * deal.talon_led
    yield f"raspas    each plays for himself, so that there is no par{talon}"
    if analysis.raspas is not None:
        yield from _told_raspas(deal, analysis.raspas)
    row = deal.story.row
    if row is not None:
        taken = [int(count) for count in row["tricks"][: deal.story.n_players]]
        yield f"taken     {_by(enumerate(taken))}"


def format_analysis(analysis: Analysis) -> str:
    """An analysis as text: only the cards that gave something away are named."""
    deal = analysis.deal
    lines: list[str] = []
    if analysis.outside:
        return f"not judged: {analysis.outside}"
    if analysis.play is not None:
        lines += _told_play(deal, analysis.play)
    elif deal.all_passed:
        lines += _told_passed(analysis)
    else:
        lines.append("not judged: the deal breaks off before a contract stands")
    if analysis.discards is not None:
        lines += heading("discard", _told_discards(analysis.discards))
    lines += _told_contracts(analysis)
    return "\n".join(lines)


# JSON


def _names(cards: Iterable[int]) -> list[str]:
    return list(map(format_card, cards))


def _card_json(card: JudgedCard) -> dict[str, Any]:
    return {
        "trick": card.trick,
        "player": owner_data(card.owner),
        "by": owner_data(card.by),
        "card": format_card(card.card),
        "gave": card.gave,
        "expected": card.expected,
        "best": _names(card.best),
    }


def _play_json(deal: Deal, play: JudgedPlay) -> dict[str, Any]:
    return {
        "par": play.par,
        "par_makes": deal.is_made(play.par),
        "began": deal.began,
        "finished_tricks": play.finished,
        "taken": play.taken,
        "rest": play.rest,
        "defence_gave": play.by_defence,
        "declarer_gave": play.by_declarer,
        "gave": _by_owner(gave_away(play.cards).items()),
        "cards": [_card_json(card) for card in play.cards],
    }


def _by_owner(pairs: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
    return [{"player": owner_data(owner), "tricks": count} for owner, count in sorted(pairs)]


def _raspas_json(deal: Deal, raspas: JudgedRaspas) -> dict[str, Any]:
    playing = [hand for hand, count in enumerate(raspas.guarantees) if count >= 0]
    end = None
    if raspas.end is not None:
        ends = raspas.end.tricks
        end = {
            "tricks": _by_owner((deal.owners[hand], ends[hand]) for hand in playing),
            "line": [
                {"player": owner_data(deal.owners[hand]), "card": format_card(card)}
                for hand, card in raspas.end.line
            ],
        }
    return {
        "first_trick": raspas.first,
        "at_most": _by_owner((deal.owners[hand], raspas.guarantees[hand]) for hand in playing),
        "cards": [_card_json(card) for card in raspas.cards],
        "last_six": end,
    }


def _discards_json(found: Discards) -> dict[str, Any]:
    return {
        "cards": format_hand(found.cards),
        "made": _names(found.made),
        "reached": found.reached,
        "tricks": found.tricks,
        "best": [_names(pair) for pair in found.best],
    }


def _contract_json(best: BestContract) -> dict[str, Any]:
    offer, found = best.offer, best.found
    return {
        "player": owner_data(best.owner),
        "strains": {
            _STRAINS[one.strain]: {"tricks": one.tricks, "discard": _names(one.discard)}
            for one in best.strains
        },
        "best": None
        if offer is None or found is None
        else {
            "contract": offer.name,
            "value": offer.value,
            "tricks": found.tricks,
            "discard": _names(found.discard),
        },
    }


def _optional(data: Any, tell: Any) -> Any:
    return None if data is None else tell(data)


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """An analysis as data for JSON: every card with its value."""
    deal = analysis.deal
    declared = deal.declarer >= 0
    stands = declared or deal.all_passed
    return {
        "number": deal.story.number,
        "dealer": deal.story.dealer,
        "kind": KINDS[deal.kind] if stands else None,
        "contract": _contract(deal) if declared else None,
        "declarer": _declarer(deal) if declared else None,
        "hands": [
            {"player": owner_data(owner), "cards": format_hand(cards), "plays": bool(plays)}
            for owner, cards, plays in zip(deal.owners, deal.hands, deal.playing, strict=True)
        ],
        "not_judged": analysis.outside or None,
        "play": _optional(analysis.play, lambda play: _play_json(deal, play)),
        "raspas": _optional(analysis.raspas, lambda raspas: _raspas_json(deal, raspas)),
        "discard": _optional(analysis.discards, _discards_json),
        "contracts": [_contract_json(best) for best in analysis.contracts],
    }
