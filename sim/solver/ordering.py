"""Which cards are tried, and in what order.

Of cards in sequence only the lowest is tried. Every other card gets a score, a sum of the weights
of what it looks like (``weights.constants.json``, fitted by ``python -m benchmarks.fit_solver``);
the best is tried first. A list holds ``score << 6 | 63 - card`` in falling order, so that of equal
scores the lowest card comes first.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import ctz, kernel, msb, popcount

from .planes import (
    NONE,
    SUIT_GAME,
    TRUMPS,
    beats,
    held,
    lowest_of_runs,
    next_role,
    one_card,
    playable,
    suit_of,
)
from .workspace import N_FOLLOW, N_LEAD, N_WEIGHTS, SECOND, THIRD, WEIGHTS

_BITS = 6
_MOST = 63

WINNER, ONE_ABOVE, RANK, LENGTH, RIVALS, RUN, WINNER_RANK, SINGLETON = range(8)
TRUMP, WINNING_TRUMP, RUFFED, VOID, LOW_OR_PARTNER, UNDER_DECLARER = range(8, 14)
PARTNER_RUFFS, PARTNER_VOID = 14, 15
"""Weights of a lead."""
RANK_AFTER = 4
DISCARD = 8
"""In the weights of a second or third card: its outcome (4), its rank by outcome (4), a discard."""


@kernel
def listed(word: int) -> int:
    """The card of a word of a list."""
    return _MOST - int(word & _MOST)


@kernel
def _insert(work: Any, start: int, n: int, score: int, card: int) -> None:
    """Put a card into a sorted list of ``n``."""
    word = score << _BITS | _MOST - card
    k = start + n
    while k > start and work[k - 1] < word:
        work[k] = work[k - 1]
        k -= 1
    work[k] = word


@kernel
def _ruffs(game: int, cards: int, card: int) -> bool:
    """Whether a hand without the card's suit has to trump it."""
    return game == SUIT_GAME and card >> 3 != 3 and cards & TRUMPS != 0


@kernel
def _score_declarer_lead(work: Any, w: int, game: int, card: int, second: int, third: int) -> int:
    """What the defenders' hands make of the declarer's lead."""
    score = 0
    for cards in (second, third):
        same = cards & suit_of(card)
        if same == 0:
            score += work[w + RUFFED] if _ruffs(game, cards, card) else work[w + VOID]
        elif same & ((1 << card) - 1):
            score += work[w + LOW_OR_PARTNER]
    return score


@kernel
def _score_defender_lead(work: Any, w: int, game: int, card: int, rival: int, partner: int) -> int:
    """What the declarer's and the partner's hands make of a defender's lead."""
    score = 0
    his = rival & suit_of(card)
    ours = partner & suit_of(card)
    if his == 0:
        score += work[w + RUFFED] if _ruffs(game, rival, card) else work[w + VOID]
    else:
        if ours > his:
            score += work[w + LOW_OR_PARTNER]
        if ctz(his) > card:
            score += work[w + UNDER_DECLARER]
    if ours == 0:
        score += work[w + PARTNER_RUFFS] if _ruffs(game, partner, card) else work[w + PARTNER_VOID]
    return score


@kernel
def _score_shape(work: Any, w: int, game: int, card: int, mine: int, rivals: int) -> int:
    """What a lead looks like in its suit: ``mine`` and the rivals' cards of it."""
    rank = card & 7
    above = popcount(rivals >> card)
    score = work[w + RANK] * rank + work[w + LENGTH] * popcount(mine)
    score += work[w + RIVALS] * popcount(rivals) + work[w + RUN] * (ctz(~(mine >> card)) - 1)
    if above == 0:
        score += work[w + WINNER] + work[w + WINNER_RANK] * rank
    if above == 1:
        score += work[w + ONE_ABOVE]
    if mine & (mine - 1) == 0:
        score += work[w + SINGLETON]
    if game == SUIT_GAME and card >> 3 == 3:
        score += work[w + TRUMP]
        if above == 0:
            score += work[w + WINNING_TRUMP]
    return score


@kernel
def list_leads(work: Any, at: int, game: int, low: int, high: int, leader: int) -> int:
    """List the leads worth trying; their number."""
    hand = held(low, high, leader)
    moves = lowest_of_runs(hand)
    if moves & (moves - 1) == 0:
        work[at] = _MOST - one_card(moves)
        return 1
    after = next_role(leader)
    last = next_role(after)
    second, third = held(low, high, after), held(low, high, last)
    rival = held(low, high, 0)
    partner = third if after == 0 else second
    w = WEIGHTS + N_WEIGHTS * game + N_LEAD * leader
    count = 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        suit = suit_of(card)
        rivals = (second | third if leader == 0 else rival) & suit
        score = _score_shape(work, w, game, card, hand & suit, rivals)
        if leader == 0:
            score += _score_declarer_lead(work, w, game, card, second, third)
        else:
            score += _score_defender_lead(work, w, game, card, rival, partner)
        _insert(work, at, count, score, card)
        count += 1
    return count


@kernel
def _list_discards(work: Any, at: int, w: int, moves: int, low: int, high: int, role: int) -> int:
    """List discards."""
    hand = held(low, high, role)
    rivals = (low | high) & ~hand if role == 0 else held(low, high, 0)
    count = 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        mine = hand & suit_of(card)
        theirs = rivals & suit_of(card)
        score = work[w] * (card & 7) + work[w + 1] * popcount(mine)
        score += work[w + 3] * popcount(theirs)
        if mine > theirs:
            score += work[w + 2]
        if mine & (mine - 1) == 0:
            score += work[w + 4]
        if theirs >> card == 0:
            score += work[w + 5]
        _insert(work, at, count, score, card)
        count += 1
    return count


@kernel
def _is_discard(game: int, cards: int, led: int) -> bool:
    """Whether the playable cards neither follow nor trump."""
    return cards & suit_of(led) == 0 and (game != SUIT_GAME or cards & TRUMPS == 0)


@kernel
def _last_best(game: int, cards: int, led: int) -> int:
    """The highest card the third hand can lay that counts; -1 if it only discards."""
    return -1 if cards == 0 or _is_discard(game, cards, led) else msb(cards)


@kernel
def list_seconds(work: Any, at: int, game: int, low: int, high: int, role: int, led: int) -> int:
    """List what a role may lay on a lead as the second hand; their number.

    Outcomes: 0 wins the trick, 1 beats the lead but not the third hand, 2 and 3 does not beat the
    lead, which the third hand can, or cannot.
    """
    hand = held(low, high, role)
    cards = playable(game, hand, led)
    moves = lowest_of_runs(cards)
    if moves & (moves - 1) == 0:
        work[at] = _MOST - one_card(moves)
        return 1
    w = WEIGHTS + N_WEIGHTS * game + SECOND + N_FOLLOW * role
    if _is_discard(game, cards, led):
        return _list_discards(work, at, w + DISCARD, moves, low, high, role)
    best = _last_best(game, playable(game, held(low, high, next_role(role)), led), led)
    loses = 2 if beats(game, best, led) else 3
    count = 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        outcome = beats(game, best, card) if beats(game, card, led) else loses
        score = work[w + outcome] + work[w + RANK_AFTER + outcome] * (card & 7)
        _insert(work, at, count, score, card)
        count += 1
    return count


@kernel
def third_moves(cards: int, beaten: int) -> int:
    """Of the third hand's cards one for each run; the beaten card on the table parts no run."""
    if beaten == NONE or cards & suit_of(beaten) == 0:
        return lowest_of_runs(cards)
    gap = 1 << beaten
    moves = lowest_of_runs(cards | gap)
    if moves & gap:
        moves ^= gap
        if beaten & 7 != 7:
            moves |= cards & gap << 1
    return moves


@kernel
def list_thirds(
    work: Any,
    at: int,
    game: int,
    low: int,
    high: int,
    role: int,
    led: int,
    best: int,
    winner: int,
    beaten: int,
) -> int:
    """List what a role may lay as the third hand; their number. ``best`` is ``winner``'s.

    Outcomes: 0 and 1 beats a rival's card, or does not; 2 and 3 the same with a partner's.
    """
    hand = held(low, high, role)
    cards = playable(game, hand, led)
    moves = third_moves(cards, beaten)
    if moves & (moves - 1) == 0:
        work[at] = _MOST - one_card(moves)
        return 1
    w = WEIGHTS + N_WEIGHTS * game + THIRD + N_FOLLOW * role
    if _is_discard(game, cards, led):
        return _list_discards(work, at, w + DISCARD, moves, low, high, role)
    loses = 1 if role == 0 or winner == 0 else 3
    count = 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        outcome = loses - beats(game, card, best)
        score = work[w + outcome] + work[w + RANK_AFTER + outcome] * (card & 7)
        _insert(work, at, count, score, card)
        count += 1
    return count
