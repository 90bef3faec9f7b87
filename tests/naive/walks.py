"""Random deals of the twin alone, biased so that rare branches are reached, and checks of them."""

import random

from .cards import DEALER, HANDS, PACK, Conventions, is_misere, suit_of, trump_of
from .deal import NaiveDeal


def random_deal(chance: random.Random, conv: Conventions, index: int = 0, n: int = 3) -> NaiveDeal:
    """Shuffle and deal."""
    pack = list(PACK)
    chance.shuffle(pack)
    return NaiveDeal(conv, [pack[:10], pack[10:20], pack[20:30]], pack[30:], index, n)


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
        seats = [*HANDS, DEALER][: deal.n]
        assert deal.mover in seats and deal.decider in seats
        if deal.phase == "card":
            assert deal.mover in HANDS
        for seat in seats:
            check_visible(deal, seat)
        if deal.phase in ["card", "discard", "pass_along"]:
            assert set(actions) <= deal.visible(deal.decider)
        deal.apply(random_action(chance, deal, passes))
    assert deal.legal() == [] and deal.mover is None and deal.decider is None
    check_tricks(deal)


def check_visible(deal: NaiveDeal, seat: int) -> None:
    """Nobody sees a card put away by another, nor a card of a hand that is not face up."""
    seen = deal.visible(seat)
    own = {deal.taken} if seat == DEALER else {seat}
    if deal.phase == "dark":
        assert (seen == set()) == (seat in [0, DEALER])
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
    talon_led = deal.declarer is None and deal.raspas_rule() in ["suit_only", "dealer_plays"]
    dealers = talon_led and deal.n == 4
    held = {h: {card for trick in deal.past_tricks for p, card in trick if p == h} for h in HANDS}
    assert all(len(cards) == 10 for cards in held.values())
    taken = [0, 0, 0, 0]
    leader = 0
    for number, trick in enumerate(deal.past_tricks, start=1):
        by_talon = talon_led and number <= 2
        suit = suit_of(deal.talon[number - 1] if by_talon else trick[0][1])
        if by_talon and dealers:
            assert trick[0] == (DEALER, deal.talon[number - 1])
        plays = [(hand, card) for hand, card in trick if hand in HANDS]
        assert [hand for hand, _ in plays] == [leader, (leader + 1) % 3, (leader + 2) % 3]
        for hand, card in plays:
            suits = {suit_of(other) for other in held[hand]}
            must = suit if suit in suits else trump
            assert suit_of(card) == must or must not in suits
            held[hand].remove(card)
        winner = max(trick, key=lambda play: strength(play[1], suit, trump))[0]
        taken[winner] += 1
        first_hand_again = number == 1 or deal.conv["raspas.third_lead"] == "first_hand"
        leader = 0 if winner == DEALER or (by_talon and first_hand_again) else winner
    if deal.taken is not None:
        taken[DEALER], taken[deal.taken] = taken[deal.taken], 0
    assert taken[: deal.n] == deal.tricks and sum(deal.tricks) == 10


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
