"""Random deals of the twin alone, biased so that rare branches are reached, and checks of them."""

import random

from .cards import DEALER, HANDS, PACK, Conventions, is_misere, next_hand, suit_of, trump_of
from .deal import NaiveDeal
from .razboinik import RazboinikDeal
from .whist import is_checked_ten


def random_deal(chance: random.Random, conv: Conventions, index: int = 0, n: int = 3) -> NaiveDeal:
    """Shuffle and deal; a deal without raspas before it is taken for the first of a pulka."""
    hands, talon = shuffled(chance)
    return NaiveDeal(conv, hands, talon, index, n, index == 0)


def shuffled(chance: random.Random) -> tuple[list[list[str]], list[str]]:
    """Three hands and a talon."""
    pack = list(PACK)
    chance.shuffle(pack)
    return [pack[:10], pack[10:20], pack[20:30]], pack[30:]


def random_razboinik(
    chance: random.Random, conv: Conventions, open_rows: list[str]
) -> RazboinikDeal:
    """The same of razboinik."""
    hands, talon = shuffled(chance)
    return RazboinikDeal(conv, hands, talon, open_rows)


def random_action(chance: random.Random, deal: NaiveDeal, passes: float) -> str:
    """Choose mostly low bids, so that auctions end in every kind of game."""
    actions = deal.legal()
    if deal.phase in ["auction", "whist"] and "pass" in actions and chance.random() < passes:
        return "pass"
    if deal.phase in ["auction", "contract"] and chance.random() < 0.85:
        miseres = [action for action in actions if is_misere(action)]
        if miseres and chance.random() < 0.15:
            return miseres[0]
        return chance.choice(actions[:4]) if chance.random() < 0.6 else actions[0]
    return chance.choice(actions)


def play_out(chance: random.Random, deal: NaiveDeal) -> None:
    """Play a deal to its end with random actions and check every moment of it."""
    passes = chance.choice([0.0, 0.5, 0.9])
    while deal.phase != "done":
        actions = deal.legal()
        assert actions and len(set(actions)) == len(actions)
        if deal.phase == "card":
            assert deal.mover in deal.hands_in_play()
        else:
            assert deal.mover in deal.seats
        for seat in deal.seats:
            check_visible(deal, seat)
        if deal.decider is None:
            assert deal.mover == deal.dummy and len(actions) == 1
        elif deal.phase in ["card", "discard", "pass_along"]:
            assert set(actions) <= deal.visible(deal.decider)
        assert deal.decider in [*deal.seats, None]
        deal.apply(random_action(chance, deal, passes))
    assert deal.legal() == [] and deal.mover is None and deal.decider is None
    check_tricks(deal)


def check_visible(deal: NaiveDeal, seat: int) -> None:
    """Nobody sees a card put away by another, nor a card of a hand that is not face up."""
    seen = deal.visible(seat)
    own = {deal.taken} if seat == DEALER else {seat}
    if deal.phase in ["agree", "dark"]:
        assert (seen == set()) == (deal.phase == "agree" or seat in [deal.seats[0], DEALER])
        return
    for hand in own & set(HANDS):
        assert seen >= set(deal.hands[hand])
    public = set(deal.talon_face_up()) | set(deal.play.cards_played() if deal.play else [])
    mine = set(deal.put_away(seat)) | set(deal.received(seat))
    for hand in HANDS:
        if hand not in own and hand not in deal.hands_face_up():
            assert seen & set(deal.hands[hand]) <= public | mine
    if deal.declarer is None and deal.play is None and seat in HANDS:
        assert len(seen) == len(deal.hands[seat]) + len(deal.put_away(seat))


def check_tricks(deal: NaiveDeal) -> None:
    """Check revokes, winners and leads once more, looking back from the end of the deal."""
    if deal.play is None:
        return
    trump = trump_of(deal.contract)
    talon_led = deal.declarer is None and deal.raspas_rule() not in ["closed", "pass_along"]
    dealers = talon_led and deal.raspas_rule() != "suit_only"
    held = {h: {card for trick in deal.past_tricks for p, card in trick if p == h} for h in HANDS}
    in_play = [hand for hand in HANDS if held[hand]]
    assert in_play in [HANDS, deal.seats]
    assert all(len(held[hand]) == 10 for hand in in_play)
    taken = [0, 0, 0, 0]
    leader = in_play[0]
    for number, trick in enumerate(deal.past_tricks, start=1):
        by_talon = talon_led and number <= 2
        suit = suit_of(deal.talon[number - 1] if by_talon else trick[0][1])
        if by_talon and dealers:
            assert trick[0] == (DEALER, deal.talon[number - 1])
        plays = [(hand, card) for hand, card in trick if hand in HANDS]
        for hand, card in plays:
            assert hand == leader
            leader = next_hand(leader, in_play)
            suits = {suit_of(other) for other in held[hand]}
            must = suit if suit in suits else trump
            assert suit_of(card) == must or must not in suits
            held[hand].remove(card)
        assert len(plays) == len(in_play)
        winner = max(trick, key=lambda play: strength(play[1], suit, trump))[0]
        nobody = by_talon and not any(suit_of(card) == suit for _, card in trick)
        if nobody and deal.conv["raspas.nobody_follows"] == "first_hand":
            winner = in_play[0]
        elif nobody:
            suit = suit_of(plays[0][1])
            winner = max(trick, key=lambda play: strength(play[1], suit, trump))[0]
        taken[winner] += 1
        first_hand_again = number == 1 or deal.conv["raspas.third_lead"] == "first_hand"
        leader = in_play[0] if winner == DEALER or (by_talon and first_hand_again) else winner
    check_tricks_by_seat(deal, taken)


def check_tricks_by_seat(deal: NaiveDeal, taken: list[int]) -> None:
    """Whose the tricks of a hand are that another plays, and those of nobody."""
    nobodys = 0
    if deal.taken is not None:
        taken[DEALER], taken[deal.taken] = taken[deal.taken], 0
    if deal.dummy is not None:
        if deal.open_play or deal.kind() == "misere" or is_checked_ten(deal.conv, deal.contract):
            taken[deal.defender()] += taken[deal.dummy]
        else:
            nobodys = taken[deal.dummy] + taken[DEALER]
        taken[deal.dummy] = 0
    assert taken[: max(deal.n, 3)] == deal.tricks and sum(deal.tricks) == 10 - nobodys


def strength(card: str, suit: str, trump: str | None) -> int:
    """A number by which cards of a trick can be compared."""
    place = PACK.index(card)
    if suit_of(card) == trump:
        return 200 + place
    return 100 + place if suit_of(card) == suit else place


# Deals of the sorted pack, for tests by hand

SUITED = [PACK[2:12], PACK[12:22], PACK[22:32]]
"""Hand 2 holds the hearts; the talon is S7 S8."""


def start(conv: Conventions, actions: str = "", n: int = 3, index: int = 0) -> NaiveDeal:
    """A deal of the sorted pack after some actions; "_" stands for a blank inside an action."""
    deal = NaiveDeal(conv, SUITED, PACK[:2], index, n)
    act(deal, actions)
    return deal


def act(deal: NaiveDeal, actions: str) -> None:
    """Carry out some actions."""
    for action in actions.split():
        deal.apply(action.replace("_", " "))


def play_lowest(deal: NaiveDeal) -> None:
    """Play the lowest card to the end."""
    while deal.phase == "card":
        deal.apply(deal.legal()[0])
