"""What must hold for every position: bounds and patterns that are true, symmetries, certain tricks.

Not among them, for they are false: that a card played costs at most one trick, that no trump gives
at least what misère does (one who has no choice takes what others let him), and that a higher card
never hurts (who takes a trick must lead).
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_positions import (
    THREE_HANDS,
    draw_cards,
    draw_hands,
    draw_position,
    naive_value,
    playing_of,
)

from scoring.contract import NO_TRUMP
from sim.cards import ALL_CARDS, cards_of, mask_of, parse_hand
from sim.solver import (
    MISERE_STRAIN,
    Position,
    make_workspace,
    prepare,
    rate_position,
    solve,
    solve_cards,
    solve_many,
    solve_position,
    solve_tables,
)
from sim.solver.bounds import bound
from sim.solver.layouts import SURE, layout_number
from sim.solver.planes import MISERE_GAME, NO_TRUMP_GAME, PLANE, make_key
from sim.solver.search import search

SETTINGS = settings(derandomize=True, deadline=None, max_examples=60)
STRAIN_OF_GAME = (3, NO_TRUMP, MISERE_STRAIN)
"""Trump is always suit 3 in a key, and the declarer hand 0."""
MISERES = ("79J.79J.79.79", "79JK.79J.7.79", "79JKA.78T.78.", "789TJQKA.79..", "78.7.789T.79J")
"""Hands whose every suit is safe."""

# Bounds and patterns


def reshuffled(chance: Random, hands: list[int], relevant: int) -> list[int]:
    """Other hands with the same lengths of all suits and the same owners of the relevant places.

    The hands fill their suits from the top, as the keys do.
    """
    moved = [0, 0, 0]
    for suit in range(4):
        places = [
            (place, hand)
            for place in range(8 * suit, 8 * suit + 8)
            for hand in range(3)
            if hands[hand] >> place & 1
        ]
        free = [(place, hand) for place, hand in places if not relevant >> place & 1]
        owners = chance.sample([hand for _, hand in free], len(free))
        for place, hand in places:
            moved[hand if relevant >> place & 1 else owners.pop()] |= 1 << place
    return moved


def pushed_together(hands: list[int]) -> list[int]:
    """The same hands in their key's places."""
    key = int(make_key(*hands))
    low, high = key & PLANE, key >> 32 & PLANE
    return [low & ~high, high & ~low, low & high]


def ask_bound(hands: list[int], game: int, leader: int, n: int, need: int) -> int:
    key = make_key(*hands)
    low, high = key & PLANE, key >> 32 & PLANE
    numbers = (
        layout_number(low, high, 0),
        layout_number(low, high, 1),
        layout_number(low, high, 2),
        layout_number(low, high, 3),
    )
    return int(bound(game, low, high, numbers, leader, n, need))


def draw_game(chance: Random, n: int) -> tuple[list[int], int, int]:
    """Hands by role in their key's places, a game and a leader; sometimes one defender alone."""
    playing = chance.choice([THREE_HANDS] * 4 + [(0, 1), (0, 2)])
    hands = pushed_together(draw_hands(chance, n, playing))
    return hands, chance.randrange(3), chance.choice(playing)


def check_found(chance: Random, case: tuple[list[int], int, int, int], found: int) -> int:
    """An answer about hands, game, leader and tricks wanted is true, and for other hands that fit
    its pattern too; how many differed."""
    hands, game, leader, need = case
    others = [reshuffled(chance, hands, found >> 1) for _ in range(2)]
    for other in {tuple(hands), *map(tuple, others)}:
        value = naive_value(other, STRAIN_OF_GAME[game], 0, leader)
        assert (value >= need) == found & 1, (case, found, other)
    return sum(other != hands for other in others)


def check_bounds(seed: int, n: int, n_positions: int) -> Counter[str]:
    chance = Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(n_positions):
        hands, game, leader = draw_game(chance, n)
        for need in range(1, n + 1):
            found = ask_bound(hands, game, leader, n, need)
            seen[f"game {game} unknown"] += found < 0
            if found >= 0:
                seen[f"game {game} answer {found & 1}"] += 1
                seen[f"game {game} others"] += check_found(
                    chance, (hands, game, leader, need), found
                )
    return seen


def test_bounds_are_true() -> None:
    """What is certain without searching is so, whoever holds the places it does not hang on."""
    seen = sum((check_bounds(n, n, k) for n, k in ((1, 60), (2, 150), (3, 80), (4, 16))), Counter())
    for game in range(3):
        assert min(seen[f"game {game} {what}"] for what in ("unknown", "answer 0", "answer 1")) > 9
        assert seen[f"game {game} others"] > 99 or game == MISERE_GAME


def check_partners(seed: int, n: int, n_positions: int) -> int:
    """At no trump, what a defender on lead makes with his partner; how often it was more than
    alone, for other hands that fit too. The declarer has low cards, so that it comes up."""
    chance = Random(seed)
    together = 0
    for _ in range(n_positions):
        cards = sorted(draw_cards(chance, 3 * n), key=lambda card: card % 8 + chance.random() * 4)
        rest = chance.sample(cards[n:], 2 * n)
        hands = pushed_together([*map(mask_of, (cards[:n], rest[:n], rest[n:]))])
        leader = chance.choice((1, 2))
        for need in range(1, n + 1):
            found = ask_bound(hands, NO_TRUMP_GAME, leader, n, need)
            alone = sum(count_cashed(hands, leader, suit) for suit in range(4))
            if found >= 0 and n - alone >= need:
                for _ in range(3):
                    together += check_found(chance, (hands, NO_TRUMP_GAME, leader, need), found)
    return together


def count_cashed(hands: list[int], leader: int, suit: int) -> int:
    """Tricks that a hand cashes alone in one suit."""
    key = make_key(*hands)
    number = layout_number(key & PLANE, key >> 32 & PLANE, suit)
    return int(SURE[number]) >> (16 * leader) & 15


def test_partners_make_tricks_together() -> None:
    assert sum(check_partners(n, n, k) for n, k in ((2, 100), (3, 350), (4, 20))) > 200


def test_what_partners_make_hangs_on_both_counts() -> None:
    """The one on lead cashes a suit in which his partner, to whom he gives the lead, has less: the
    places of both counts are relevant."""
    chance = Random(1)
    hands = [*map(parse_hand, (".J9.K.", "A.KQ..", ".AT.A."))]
    found = ask_bound(hands, NO_TRUMP_GAME, 2, 3, 1)
    assert found & 1 == 0
    for _ in range(20):
        check_found(chance, (hands, NO_TRUMP_GAME, 2, 1), found)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "n_positions"), [(2, 3000), (3, 5000), (4, 700), (5, 40)])
def test_partners_make_many_tricks_together(n: int, n_positions: int) -> None:
    assert check_partners(40 + n, n, n_positions) > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "n_positions"), [(1, 2000), (2, 5000), (3, 5000), (4, 1000), (5, 60)]
)
def test_many_bounds_are_true(n: int, n_positions: int) -> None:
    check_bounds(100 + n, n, n_positions)


def check_patterns(seed: int, n: int, n_positions: int) -> int:
    """Answers of the search with an empty table and with one that is never cleared."""
    chance = Random(seed)
    fresh, shared = make_workspace(), make_workspace()
    differed = 0
    for _ in range(n_positions):
        hands, game, leader = draw_game(chance, n)
        need = chance.randint(1, n)
        for work in (fresh, shared):
            prepare(fresh)
            found = int(search(work, game, make_key(*hands), leader, n, need))
            differed += check_found(chance, (hands, game, leader, need), found)
    return differed


@pytest.mark.parametrize(("n", "n_positions", "least"), [(2, 100, 40), (3, 70, 30), (4, 12, 5)])
def test_patterns_are_true(n: int, n_positions: int, least: int) -> None:
    """The search's answer holds for every position that looks the same where it is relevant."""
    assert check_patterns(n, n, n_positions) > least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "n_positions"), [(1, 2000), (2, 5000), (3, 5000), (4, 1000), (5, 100)]
)
def test_many_patterns_are_true(n: int, n_positions: int) -> None:
    assert check_patterns(50 + n, n, n_positions) > n_positions // 8


def check_large_patterns(seed: int, n_positions: int) -> int:
    """The same of larger positions, against searches of their own: for every other position that
    fits, the answer with an empty table is the same."""
    chance = Random(seed)
    work = make_workspace()
    differed = 0
    for _ in range(n_positions):
        n = chance.randrange(5, 10)
        hands = pushed_together(draw_hands(chance, n))
        game, leader, need = chance.randrange(2), chance.randrange(3), chance.randint(1, n)
        prepare(work)
        found = int(search(work, game, make_key(*hands), leader, n, need))
        for _ in range(4):
            other = reshuffled(chance, hands, found >> 1)
            prepare(work)
            again = int(search(work, game, make_key(*other), leader, n, need))
            assert again & 1 == found & 1, (hands, other, game, leader, need)
            differed += other != hands
    return differed


def test_patterns_of_large_positions() -> None:
    assert check_large_patterns(1, 250) > 200


@pytest.mark.slow
def test_patterns_of_many_large_positions() -> None:
    assert check_large_patterns(2, 8000) > 8000


# Symmetries

seeds = st.integers(0, 1 << 32)


def positions(most: int = 8, **told: int) -> st.SearchStrategy[Position]:
    """Positions of up to so many cards, tricks half played and two hands too."""
    return st.builds(
        lambda seed, n: draw_position(Random(seed), n, **told), seeds, st.integers(1, most)
    )


def moved_cards(position: Position, where: list[int], strain: int | None = None) -> Position:
    """The position with each card renamed."""
    a, b, c = (mask_of(where[card] for card in cards_of(hand)) for hand in position.hands)
    return Position(
        (a, b, c),
        position.strain if strain is None else strain,
        position.declarer,
        position.leader,
        tuple(where[card] for card in position.table),
    )


def cards_in_play(position: Position) -> list[int]:
    a, b, c = position.hands
    return cards_of(a | b | c | mask_of(position.table))


@given(positions(), st.permutations(range(4)))
@SETTINGS
def test_suits_have_no_names(position: Position, suits: list[int]) -> None:
    """Suits may be renamed, the trump with its cards."""
    where = [8 * suits[card // 8] + card % 8 for card in range(32)]
    strain = suits[position.strain] if position.strain < NO_TRUMP else position.strain
    values = rate_position(moved_cards(position, where, strain))
    assert values == {where[card]: tricks for card, tricks in rate_position(position).items()}


@given(positions(), st.integers(1, 2))
@SETTINGS
def test_seats_have_no_numbers(position: Position, places: int) -> None:
    """Hands, declarer and leader may all move on."""
    a, b, c = (position.hands[(k - places) % 3] for k in range(3))
    turned = Position(
        (a, b, c),
        position.strain,
        (position.declarer + places) % 3,
        (position.leader + places) % 3,
        position.table,
    )
    assert rate_position(turned) == rate_position(position)


@given(positions(), seeds)
@SETTINGS
def test_only_the_order_of_ranks_counts(position: Position, seed: int) -> None:
    """The cards of a suit in play may be any others in the same order."""
    chance = Random(seed)
    where = [-1] * 32
    for suit in range(4):
        here = [card for card in cards_in_play(position) if card // 8 == suit]
        ranks = sorted(chance.sample(range(8), len(here)))
        for card, rank in zip(here, ranks, strict=True):
            where[card] = 8 * suit + rank
    values = rate_position(moved_cards(position, where))
    assert values == {where[card]: tricks for card, tricks in rate_position(position).items()}


@given(positions())
@SETTINGS
def test_cards_in_sequence_are_equal(position: Position) -> None:
    """Cards of a hand with none of another hand or of the table between them do the same."""
    values = rate_position(position)
    in_play = cards_in_play(position)
    for lower, higher in zip(in_play, in_play[1:], strict=False):
        if lower // 8 == higher // 8 and {lower, higher} <= values.keys():
            assert values[lower] == values[higher]


@given(positions(most=6, two_of_ten=10), st.integers(0, 2))
@SETTINGS
def test_it_does_not_matter_who_is_out(position: Position, out: int) -> None:
    """Of two hands the value is the same wherever the empty seat stands."""
    (other,) = (hand for hand in playing_of(position) if hand != position.leader)
    seats = [seat for seat in THREE_HANDS if seat != out]
    hands = [0, 0, 0]
    hands[seats[0]] = position.hands[position.leader]
    hands[seats[1]] = position.hands[other]
    moved = Position(
        (hands[0], hands[1], hands[2]),
        position.strain,
        seats[0] if position.declarer == position.leader else seats[1],
        seats[0],
        position.table,
    )
    assert rate_position(moved) == rate_position(position)


# Numbers


@given(positions())
@SETTINGS
def test_a_value_is_that_of_the_best_card(position: Position) -> None:
    """Between none and all of the tricks left, and what the mover can get by a card of his."""
    value, values = solve_position(position), rate_position(position)
    assert 0 <= min(values.values()) and max(values.values()) <= position.n_tricks
    assert value == (max if position.wants_many else min)(values.values())


def test_trumps_nobody_has_are_none() -> None:
    """A trump suit without cards in play is no trump."""
    chance = Random(30)
    for _ in range(100):
        n, strain = chance.randrange(1, 9), chance.randrange(4)
        cards = chance.sample([card for card in range(32) if card // 8 != strain], 3 * n)
        hands = [mask_of(cards[n * k : n * k + n]) for k in range(3)]
        declarer, leader = chance.randrange(3), chance.randrange(3)
        values = solve_cards(hands, strain, declarer, leader)
        assert values == solve_cards(hands, NO_TRUMP, declarer, leader)


@pytest.mark.parametrize("n", range(1, 11))
def test_three_declarers_share_the_tricks(n: int) -> None:
    """What each can make against both others are tricks of one play: at most all of them together,
    and at misère, where each can stay that low, at least all."""
    chance = Random(n)
    hands = np.array([draw_hands(chance, n) for _ in range(40 if n < 9 else 12)])
    sums = solve_tables(hands, THREE_HANDS).sum(axis=2)
    assert (sums[:, :MISERE_STRAIN] <= n).all() and (sums[:, MISERE_STRAIN] >= n).all()
    assert (sums[:, NO_TRUMP] < n).any() or n == 1


@pytest.mark.parametrize("n", range(1, 9))
def test_two_hands_share_the_tricks(n: int) -> None:
    """Of two hands what one makes the other does not, in every game."""
    chance = Random(20 + n)
    for _ in range(60):
        playing = chance.sample(THREE_HANDS, 2)
        hands = draw_hands(chance, n, playing)
        strain, leader = chance.randrange(6), chance.choice(playing)
        assert sum(solve(hands, strain, declarer, leader) for declarer in playing) == n


def test_top_trumps_are_tricks() -> None:
    """The highest trumps in one hand make a trick each, whoever leads; on lead at no trump the
    highest cards of each suit do."""
    chance = Random(31)
    proper = 0
    for _ in range(400):
        n = chance.randrange(2, 11)
        hands = draw_hands(chance, n)
        strain, leader, holder = chance.randrange(4), chance.randrange(3), chance.randrange(3)
        top = count_top(hands, holder, strain)
        proper += 0 < top < n
        for declarer in range(3):
            value = solve(hands, strain, declarer, leader)
            assert value >= top if declarer == holder else value <= n - top
        cashed = sum(count_top(hands, holder, suit) for suit in range(4))
        assert solve(hands, NO_TRUMP, holder, holder) >= cashed
        assert solve(hands, NO_TRUMP, (holder + 1) % 3, holder) <= n - cashed
    assert proper > 50


def count_top(hands: list[int], holder: int, suit: int) -> int:
    """How many of the highest cards of a suit in play one hand has."""
    cards = [card for card in range(8 * suit, 8 * suit + 8) if any(h >> card & 1 for h in hands)]
    count = 0
    while cards and hands[holder] >> cards.pop() & 1:
        count += 1
    return count


# Misère


def deal_against(chance: Random, declarer: int, n_deals: int) -> np.ndarray:
    """Random hands of ten of the others."""
    rest = cards_of(ALL_CARDS & ~declarer)
    rows = []
    for _ in range(n_deals):
        cards = chance.sample(rest, 20)
        rows.append([declarer, mask_of(cards[:10]), mask_of(cards[10:])])
    return np.array(rows)


@pytest.mark.parametrize("text", MISERES)
def test_clean_miseres_are_never_caught(text: str) -> None:
    """A hand whose every suit is safe takes nothing when others lead, however the cards lie."""
    declarer = parse_hand(text)
    assert declarer.bit_count() == 10
    hands = deal_against(Random(text), declarer, 2000)
    for leader in (1, 2):
        assert not solve_many(hands, MISERE_STRAIN, 0, leader).any()


@pytest.mark.slow
@pytest.mark.parametrize("text", MISERES)
def test_clean_miseres_are_never_caught_in_10_000_deals(text: str) -> None:
    hands = deal_against(Random(text + "again"), parse_hand(text), 10_000)
    for leader in (1, 2):
        assert not solve_many(hands, MISERE_STRAIN, 0, leader).any()


@pytest.mark.parametrize("text", ["79J.79J.79.8T", "79JK.79J.J.79", "789J.79.79.7T"])
def test_holes_are_caught_in_some_deals(text: str) -> None:
    """A suit that is not safe takes a trick in some deals and none in others."""
    values = solve_many(deal_against(Random(text), parse_hand(text), 120), MISERE_STRAIN, 0, 1)
    assert values.min() == 0 < values.max()
