"""Card play of a club player, by rules of thumb, for bots to share.

The declarer draws trumps, the defenders lead through him; second hand low, what cannot be won is
lost cheaply; at raspas and misère one ducks.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import outline

from .api import (
    ALL_CARDS,
    MISERE_GAME,
    N_HANDS,
    NO_TRUMP,
    RASPAS,
    REFET,
    WHISTED,
    ctz,
    kernel,
    lowest_rank,
    msb,
    popcount,
    suit_mask,
    trump_mask,
)

ALL_HANDS = (1 << N_HANDS) - 1
"""Mask of hands where none is out of play."""


@kernel
def _above(card: int) -> int:
    """Mask of the higher cards of the same suit."""
    return suit_mask(card >> 3) & ~((2 << card) - 1)


@kernel
def _void_mask(voids: int) -> int:
    spread = voids & 1 | (voids & 2) << 7 | (voids & 4) << 14 | (voids & 8) << 21
    return spread * 255


@kernel
def _next(view: Any, hand: int) -> int:
    """The next hand that plays cards."""
    after = 0 if hand == 2 else hand + 1
    if view.in_play >> after & 1:
        return after
    return 0 if after == 2 else after + 1


@kernel
def _is_last(view: Any) -> bool:
    """Whether the mover's card closes the trick."""
    return view.in_trick == (2 if view.in_play == ALL_HANDS else 1)


@outline
def _held_by_other(view: Any, unseen: int) -> int:
    """Of unseen cards, what the other of two hands in play may hold."""
    other = _next(view, view.mover)
    return 0 if view.shown[other] else unseen & ~_void_mask(view.voids[other])


@kernel
def _unseen(view: Any) -> int:
    """Cards that others may hold and whose place the player does not know.

    At raspas the talon cards that were turned up are out of play, and what he passed along is not,
    unless he was the last. With a hand out of play there are only those of the other one.
    """
    known = view.hand | view.played
    if view.kind == RASPAS:
        known |= view.talon
        if view.mover == 2:
            known |= view.discard
    else:
        known |= view.discard
    for hand in range(3):
        known |= view.shown[hand]
    unseen = ALL_CARDS & ~known
    return unseen if view.in_play == ALL_HANDS else _held_by_other(view, unseen)


@kernel
def cards_in_doubt(view: Any) -> int:
    """What a defender does not see, with what the declarer has played."""
    return _unseen(view) | view.played_by[view.declarer]


@kernel
def _may_hold(view: Any, hand: int, unseen: int) -> int:
    """Cards a hand may hold: what it shows, else the unseen cards of suits it is not void in.

    The talon is the declarer's.
    """
    if view.shown[hand]:
        return view.shown[hand]
    if hand != view.declarer:
        unseen &= ~view.talon
    return unseen & ~_void_mask(view.voids[hand])


@kernel
def _others(view: Any, unseen: int) -> int:
    """Cards that may stand against the mover's hand."""
    others = unseen
    for hand in range(3):
        if hand != view.mover:
            others |= view.shown[hand]
    return others


@kernel
def _winners(view: Any) -> int:
    """Legal cards that beat the trick so far."""
    if view.winner < 0:
        return view.legal & suit_mask(view.led)
    best = view.trick_card[view.winner]
    beating = _above(best)
    if view.strain != NO_TRUMP and best >> 3 != view.strain:
        beating |= trump_mask(view.strain)
    return view.legal & beating


@kernel
def _can_be_beaten(view: Any, card: int, unseen: int) -> bool:
    """Whether a hand still to play in this trick may beat the card."""
    hand = view.mover
    for _ in range((2 if view.in_play == ALL_HANDS else 1) - view.in_trick):
        hand = _next(view, hand)
        cards = _may_hold(view, hand, unseen)
        if cards & _above(card):
            return True
        if view.strain != NO_TRUMP and card >> 3 != view.strain:
            may_follow = cards & suit_mask(view.led if view.led >= 0 else card >> 3)
            if cards & trump_mask(view.strain) and not may_follow:
                return True
    return False


@kernel
def _throw(view: Any, unseen: int) -> int:
    """A discard in a game: the lowest card that is no master, from a suit without one."""
    others = _others(view, unseen)
    best = -1
    best_score = 1000
    for suit in range(4):
        cards = view.legal & suit_mask(suit)
        if cards:
            card = ctz(cards)
            top = msb(cards)
            score = (card & 7) + popcount(cards)
            if not _above(top) & others:
                score += 10 if cards & (cards - 1) else 30
            elif cards & (cards - 1) and not (_above(top) & others & (_above(top) & others) - 1):
                score += 6
            if score < best_score:
                best = card
                best_score = score
    return best


@kernel
def _follow_game(view: Any, unseen: int, side_wins: bool) -> int:
    """Second and third hand in a game; ``side_wins``: the mover's side wins the trick so far (not
    with the card of a dummy for which nobody decides).

    A card that follows or trumps comes from one suit, so the lowest bit is the lowest card.
    """
    legal = view.legal
    if not legal & (suit_mask(view.led) | trump_mask(view.strain)):
        return _throw(view, unseen)
    low = ctz(legal)
    winners = _winners(view)
    if winners == 0:
        return low
    if _is_last(view):
        return low if side_wins else ctz(winners)
    if side_wins and not _can_be_beaten(view, view.trick_card[view.winner], unseen):
        return low
    while winners:
        card = ctz(winners)
        if not _can_be_beaten(view, card, unseen):
            return card
        winners &= winners - 1
    return low


@kernel
def _longest_master(view: Any, others: int, suits: int, avoid: int) -> int:
    """A card nothing outstanding beats, of the longest suit of a mask of suits; -1 if none."""
    best = -1
    wanted = view.hand & _void_mask(suits & ~avoid)
    for suit in range(4):
        cards = wanted & suit_mask(suit)
        top = msb(cards)
        key = popcount(cards) << 8 | (3 - suit) << 5 | top & 31
        master = (others & suit_mask(suit)) <= cards
        best = max(best, key if master and cards else -1)
    return best & 31 if best >= 0 else -1


@kernel
def _low_of_longest(view: Any, suits: int, avoid: int) -> int:
    """The lowest card of the longest suit of a mask of suits; -1 if there is none."""
    best = -1
    wanted = view.hand & _void_mask(suits & ~avoid)
    for suit in range(4):
        cards = wanted & suit_mask(suit)
        key = popcount(cards) << 8 | (3 - suit) << 5 | ctz(cards) & 31
        best = max(best, key if cards else -1)
    return best & 31 if best >= 0 else -1


@kernel
def _lead_declarer(view: Any, unseen: int) -> int:
    """Draw trumps, cash masters, then set up the longest side suit."""
    others = _others(view, unseen)
    side = 15
    if view.strain != NO_TRUMP:
        side = 15 & ~(1 << view.strain)
        mine = view.hand & trump_mask(view.strain)
        theirs = others & trump_mask(view.strain)
        if mine and theirs:
            top = msb(mine)
            if not _above(top) & theirs or _has_most_trumps(view, mine, theirs):
                return top
    elif view.rules.family == REFET and view.trick < 3:
        top = _top_to_set_up(view, others)
        if top >= 0:
            return top
    master = _longest_master(view, others, side, 0)
    if master >= 0:
        return master
    low = _low_of_longest(view, side, 0)
    if low >= 0:
        return low
    return msb(view.hand)


@kernel
def _has_most_trumps(view: Any, mine: int, theirs: int) -> bool:
    """Whether the declarer has more trumps than stand against him; in the refet game about half of
    what he does not see is out of play with the third hand."""
    count = popcount(mine)
    if view.rules.family == REFET and view.in_play != ALL_HANDS:
        count += count
    return count > popcount(theirs)


@kernel
def _top_to_set_up(view: Any, others: int) -> int:
    """The top of a long suit that is not high yet, to be led while the other suits are held: six
    tricks are enough at sans. -1 if there is none."""
    low = _low_of_longest(view, 15, 0)
    suit = view.hand & suit_mask(low >> 3)
    return msb(suit) if popcount(suit) >= 4 and _above(msb(suit)) & others else -1


@kernel
def _is_alone(view: Any) -> bool:
    """Whether no partner defends: with two players, or as a lone follower of the refet game."""
    return view.dummy >= 0 or view.in_play != ALL_HANDS


@kernel
def _cashes(view: Any) -> bool:
    """Whether a defender leads his masters now. Who has no partner who would come to it does; in
    the refet game all but at sans, and there from the fourth trick, since play ends at the fifth
    of the defence."""
    if _is_alone(view) or _next(view, view.mover) != view.declarer:
        return True
    if view.rules.family == REFET:
        return view.strain != NO_TRUMP or view.trick >= 3
    return view.trick >= 5


@kernel
def _lead_defender(view: Any, unseen: int) -> int:
    """Under the declarer low, under the partner a master; no suit the declarer ruffs. A lone
    follower at sans sets up his longest suit from the top."""
    others = _others(view, unseen)
    side = 15
    avoid = view.voids[view.declarer]
    if view.strain != NO_TRUMP:
        side = 15 & ~(1 << view.strain)
        if not _may_hold(view, view.declarer, unseen) & trump_mask(view.strain):
            avoid = 0
    if _cashes(view):
        master = _longest_master(view, others, side, avoid)
        if master >= 0:
            return master
    low = _low_of_longest(view, side, avoid)
    if low >= 0:
        from_top = view.rules.family == REFET and view.strain == NO_TRUMP and _is_alone(view)
        return msb(view.hand & suit_mask(low >> 3)) if from_top else low
    return lowest_rank(view.hand)


@kernel
def _wants_own(view: Any) -> bool:
    """Whether a follower of the refet game, each for himself, is still short of his two tricks."""
    if view.rules.family != REFET or view.contra > 0 or view.tricks[view.player] >= 2:
        return False
    return view.whist_call[3 - view.declarer - view.mover] == WHISTED


@kernel
def _lead_low(view: Any, others: int) -> int:
    """A lead that is least likely to take the trick."""
    best = -1
    best_score = 1000
    for suit in range(4):
        cards = view.hand & suit_mask(suit)
        if cards:
            card = ctz(cards)
            against = others & suit_mask(suit)
            lower = popcount(against & ~_above(card))
            higher = popcount(against & _above(card))
            score = 100 if higher == 0 else 8 * lower - 2 * higher + popcount(cards)
            if score < best_score:
                best = card
                best_score = score
    return best


@kernel
def _throw_danger(view: Any, others: int) -> int:
    """The discard of one who wants no tricks: the highest card of the least guarded suit."""
    best = -1
    best_score = -1000
    for suit in range(4):
        cards = view.legal & suit_mask(suit)
        if cards:
            card = msb(cards)
            against = others & suit_mask(suit)
            lower = popcount(against & ~_above(card))
            score = 4 * lower - 5 * popcount(cards) + (card & 7)
            if against == 0:
                score -= 50
            if score > best_score:
                best = card
                best_score = score
    return best


@kernel
def _duck(view: Any, others: int) -> int:
    """Play below the winning card, as high as that allows; take with the highest if one must."""
    follows = view.legal & suit_mask(view.led)
    if not follows:
        return _throw_danger(view, others)
    if view.winner < 0:
        return ctz(follows)
    under = follows & ~_above(view.trick_card[view.winner])
    if under:
        return msb(under)
    return msb(follows) if _is_last(view) else ctz(follows)


@kernel
def _is_caught(mine: int, mate: int, held: int) -> bool:
    """Whether two defenders, playing their lowest each time, force the declarer in a suit."""
    while held and (mine or mate):
        low = mine & -mine
        low_mate = mate & -mate
        under = held & (max(low, low_mate) - 1)
        if under == 0:
            return True
        held ^= 1 << msb(under)
        mine ^= low
        mate ^= low_mate
    return False


@kernel
def _lead_catch(view: Any, unseen: int, away: int) -> int:
    """A defender's lead at misère: his lowest where the declarer may be caught, else a low card.

    ``away`` are cards the declarer is taken to have laid away.
    """
    partner = 3 - view.declarer - view.mover
    held = _may_hold(view, view.declarer, unseen) & ~away
    best = -1
    best_score = -1000
    for suit in range(4):
        cards = view.hand & suit_mask(suit)
        if cards:
            card = ctz(cards)
            mate = view.shown[partner] & suit_mask(suit)
            against = held & suit_mask(suit)
            higher = popcount(against & _above(max(card, ctz(mate) if mate else card)))
            score = 2 * higher - 4 * (popcount(against) - higher) - (card & 7)
            if against == 0:
                score = -100 - (card & 7)
            elif _is_caught(cards, mate, against):
                score += 100 - 8 * popcount(against)
            if score > best_score:
                best = card
                best_score = score
    return best


@kernel
def _follow_catch(view: Any, unseen: int) -> int:
    """A defender following at misère: low before the declarer, high when he has escaped."""
    follows = view.legal & suit_mask(view.led)
    if not follows:
        return _throw_danger(view, _others(view, unseen))
    declarer_card = view.trick_card[view.declarer]
    if declarer_card < 0:
        return ctz(follows)
    if view.winner == view.declarer:
        under = follows & ~_above(declarer_card)
        return msb(under) if under else msb(follows)
    return msb(follows)


@kernel
def choose_card(view: Any, away: int) -> int:
    """The card of a club player: who declares draws trumps and cashes, who defends leads through
    him and keeps his masters, and who wants no trick ducks.

    ``away`` are cards that a declarer of misère is taken to have laid away.
    """
    unseen = _unseen(view)
    leads = view.led < 0
    if view.kind == RASPAS or (view.kind == MISERE_GAME and view.mover == view.declarer):
        others = _others(view, unseen)
        return _lead_low(view, others) if leads else _duck(view, others)
    if view.kind == MISERE_GAME:
        return _lead_catch(view, unseen, away) if leads else _follow_catch(view, unseen)
    if view.mover == view.declarer:
        return _lead_declarer(view, unseen) if leads else _follow_game(view, unseen, False)
    if leads:
        return _lead_defender(view, unseen)
    takes = view.winner != view.declarer and view.decides_for[view.winner] >= 0
    return _follow_game(view, unseen, takes and not _wants_own(view))
