"""The best discard and the best contract, with all cards open.

A discard lays two of twelve cards away: 66 ways, in the order of cards (``sim.cards``: ♠7 first),
the lower card first. Of equally good ones the first in this order is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scoring.contract import (
    BETL,
    MISERE,
    MISERE_ROW,
    MISERE_WITHOUT,
    N_CONTRACTS,
    N_ROWS,
    PREFERANS,
    REFET_SPADES,
    SANS,
    contract_level,
    contract_strain,
    format_contract,
    format_refet_contract,
    is_misere,
    refet_strain,
)
from scoring.conventions import RAZBOINIK, REFET

from ..cards import HAND_SIZE, cards_of, mask_of
from ..records.words import DUMMY
from ..solver import MISERE_STRAIN, leader_by_rules, masked, solve_many
from ..state import N_HANDS
from .deal import ALL_HANDS, Deal, Hands, cards_with_talon, makes

Pair = tuple[int, ...]
"""The cards of a discard, the lower first; none where the talon is not taken."""


@dataclass(frozen=True)
class Discards:
    """The discards from ``cards`` in the contract that was played.

    ``tricks`` are the declarer's after a best one (at misère the fewest), ``best`` all that reach
    them, ``reached`` what the discard that was ``made`` is worth.
    """

    cards: int
    tricks: int
    best: tuple[Pair, ...]
    made: Pair
    reached: int

    @property
    def cost(self) -> int:
        """Tricks that the discard gave away."""
        return abs(self.tricks - self.reached)


@dataclass(frozen=True)
class StrainTricks:
    """The most tricks of a declarer in a strain (at misère the fewest), after this discard."""

    strain: int
    tricks: int
    discard: Pair


@dataclass(frozen=True)
class Offer:
    """A contract that may be played: its name, strain, the tricks ordered (0: misère), and its
    value: pool points, of the refet game column points, of razboinik what a trick short costs."""

    name: str
    strain: int
    order: int
    value: int


@dataclass(frozen=True)
class BestContract:
    """What a hand makes of its cards as declarer: tricks by strain, and the highest offer that is
    made, None if none is."""

    hand: int
    owner: int
    strains: tuple[StrainTricks, ...]
    offer: Offer | None

    @property
    def found(self) -> StrainTricks | None:
        """Tricks and discard in the strain of the best contract."""
        return None if self.offer is None else self.strains[self.offer.strain]


def _discards_from(cards: int) -> list[Pair]:
    """The discards that leave ten cards."""
    return list(combinations(cards_of(cards), cards.bit_count() - HAND_SIZE))


def _with_hand(hands: Hands, hand: int, cards: int) -> Hands:
    """Three hands, one of them another."""
    a, b, c = (cards if k == hand else held for k, held in enumerate(hands))
    return a, b, c


def _after_discards(hands: Hands, hand: int, cards: int, pairs: Sequence[Pair]) -> list[Hands]:
    """The hands after each discard."""
    return [_with_hand(hands, hand, cards & ~mask_of(pair)) for pair in pairs]


def judge_discards(deal: Deal) -> Discards:
    """All discards in the contract that was played, against the hands that played."""
    declarer = deal.declarer
    cards = cards_with_talon(deal, declarer)
    pairs = _discards_from(cards)
    after = _after_discards(deal.playing, declarer, cards, pairs)
    tricks = solve_many(after, deal.strain, declarer, deal.leader, workers=1).tolist()
    best = (min if deal.is_misere else max)(tricks)
    reaching = tuple(pair for pair, count in zip(pairs, tricks, strict=True) if count == best)
    return Discards(cards, best, reaching, deal.discard, tricks[pairs.index(deal.discard)])


# Offers


def _pool_offers(deal: Deal) -> Iterator[Offer]:
    """The contracts of the ladder from the lowest, without the talon where it was left."""
    rules = deal.story.rules
    above = [int(mask) for mask in rules["bids_above"]]
    allowed = above[0] & int(rules["bids_from_level"][deal.min_level - 6])
    codes = [
        code
        for code in range(N_CONTRACTS)
        if allowed >> code & 1 and (code >= MISERE_WITHOUT) == deal.without_talon
    ]
    for code in sorted(codes, key=lambda code: -above[code + 1].bit_count()):
        name = format_contract(code)
        if is_misere(code):
            yield Offer(name, MISERE_STRAIN, 0, int(rules["misere_made"]))
        else:
            level = contract_level(code)
            value = int(rules["values_made"][level - 6])
            yield Offer(name, contract_strain(code), level, value)


def _row_offers(deal: Deal, owner: int) -> Iterator[Offer]:
    """The contracts of razboinik's rows that are open."""
    rules, rows = deal.story.rules, deal.story.sheet["row"][N_ROWS * owner :]
    for code in range(MISERE + 1):
        row = MISERE_ROW if is_misere(code) else contract_level(code) - 6
        if rows[row] >= 0:
            continue
        if is_misere(code):
            yield Offer(format_contract(code), MISERE_STRAIN, 0, int(rules["razboinik_misere"]))
        else:
            price = int(rules["razboinik_price"][row])
            yield Offer(format_contract(code), contract_strain(code), row + 6, price)


def _refet_offers(deal: Deal) -> Iterator[Offer]:
    """The contracts of the refet game, games from the hand where the talon was left."""
    highest = PREFERANS if int(deal.story.rules["bidding_preferans"]) else SANS
    for base in range(REFET_SPADES, highest + 1):
        name = format_refet_contract(base, deal.without_talon)
        value = 2 * (base + deal.without_talon)
        if base == BETL:
            yield Offer(name, MISERE_STRAIN, 0, value)
        else:
            yield Offer(name, refet_strain(base), 10 if base == PREFERANS else 6, value)


def offers(deal: Deal, owner: int) -> list[Offer]:
    """What a player may declare, the lowest first."""
    if deal.story.family == RAZBOINIK:
        return list(_row_offers(deal, owner))
    return list(_refet_offers(deal) if deal.story.family == REFET else _pool_offers(deal))


def _best_offer(deal: Deal, owner: int, strains: Sequence[StrainTricks]) -> Offer | None:
    """The highest offer that is made; of equal ones the lowest on the ladder."""
    made = [x for x in offers(deal, owner) if makes(deal.story, x.order, strains[x.strain].tricks)]
    return max(made, key=lambda offer: offer.value, default=None)


# Contracts


def supposed(deal: Deal) -> int:
    """The hands supposed to play: all but razboinik's dummy where it is out of play."""
    return deal.in_play if deal.story.family == RAZBOINIK else ALL_HANDS


def _strain_tricks(deal: Deal, hand: int, hands: Hands) -> tuple[StrainTricks, ...]:
    """Each strain, and misère, with the best discard in it."""
    in_play, cards = supposed(deal), cards_with_talon(deal, hand)
    pairs = _discards_from(cards)
    after = np.array(_after_discards(masked(hands, in_play), hand, cards, pairs), np.int64)
    games = range(MISERE_STRAIN + 1)
    leaders = [leader_by_rules(deal.story.rules, strain, hand, in_play) for strain in games]
    n = len(pairs)
    solved = solve_many(
        np.tile(after, (len(games), 1)), np.repeat(games, n), hand, np.repeat(leaders, n), workers=1
    ).reshape(len(games), n)
    found = []
    for strain in games:
        at = int((np.argmin if strain == MISERE_STRAIN else np.argmax)(solved[strain]))
        found.append(StrainTricks(strain, int(solved[strain, at]), pairs[at]))
    return tuple(found)


def find_contract(deal: Deal, hand: int) -> BestContract:
    """What a hand makes as declarer when it is known what the others hold, and all play."""
    hands = deal.hands if deal.declarer >= 0 else _dealt(deal)
    strains, owner = _strain_tricks(deal, hand, hands), deal.owners[hand]
    return BestContract(hand, owner, strains, _best_offer(deal, owner, strains))


def _dealt(deal: Deal) -> Hands:
    a, b, c = deal.story.hands
    return a, b, c


def find_contracts(deal: Deal) -> tuple[BestContract, ...]:
    """The declarer's best contract; of a deal without one each player's, with the talon."""
    if deal.declarer >= 0:
        return (find_contract(deal, deal.declarer),)
    if not deal.all_passed:
        return ()
    hands = [hand for hand in range(N_HANDS) if deal.owners[hand] != DUMMY]
    return tuple(find_contract(deal, hand) for hand in hands)
