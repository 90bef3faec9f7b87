"""The pieces of the solver one by one against plain Python: keys, layouts, lists of moves, table,
workspace."""

from __future__ import annotations

import itertools
from collections import defaultdict
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from naive.cards import PACK, suit_of
from solver_positions import draw_hands, draw_positions, garbage_workspace

from scoring.kernel import outline
from sim.cards import cards_of, mask_of
from sim.solver import bounds, layouts, ordering, planes, table, workspace
from sim.solver.values import place_of

Owners = str
"""Who holds the cards of a suit still in play, by role, from the highest card down."""


# Keys


def owners_of(hands: list[int], suit: int) -> Owners:
    """Owners of one suit's cards, from the hands."""
    held = {card: role for role in range(3) for card in cards_of(hands[role])}
    return "".join(str(held[8 * suit + r]) for r in reversed(range(8)) if 8 * suit + r in held)


def owners_in_key(key: int) -> list[Owners]:
    """Owners of the four suits, read from a key; places in use are the highest ones."""
    suits = []
    for suit in range(4):
        digits = ""
        for place in reversed(range(8 * suit, 8 * suit + 8)):
            owner = (key >> place & 1) + 2 * (key >> (32 + place) & 1)
            digits += " " if owner == 0 else str(owner - 1)
        assert digits == digits.rstrip().ljust(8) and " " not in digits.rstrip()
        suits.append(digits.rstrip())
    return suits


def test_keys_are_gapless_owners() -> None:
    """A key has the owners of each suit from the top, and names no card."""
    chance = Random(1)
    for n in range(1, 11):
        for _ in range(60):
            hands = draw_hands(chance, n)
            key = planes.make_key(*hands)
            assert -(1 << 63) <= key < 1 << 63
            assert owners_in_key(key) == [owners_of(hands, suit) for suit in range(4)]
            low, high = key & planes.PLANE, key >> 32 & planes.PLANE
            sizes = [planes.held(low, high, role).bit_count() for role in range(3)]
            assert sizes == [n, n, n]


def test_tricks_are_taken_out() -> None:
    """A key without the cards of a trick is the key of the hands without them."""
    chance = Random(2)
    for _ in range(600):
        hands = draw_hands(chance, chance.randrange(2, 11), chance.choice([(0, 1, 2), (0, 2)]))
        in_play = hands[0] | hands[1] | hands[2]
        cards = [chance.choice(cards_of(hand)) if hand else planes.NONE for hand in hands]
        laid = [planes.pushed_up(card, in_play) for card in cards]
        key = planes.make_key(*hands)
        left = [hand & ~(1 << card) for hand, card in zip(hands, cards, strict=True)]
        for a, b, c in itertools.permutations(laid):
            assert planes.remove_trick(key, a, b, c) == planes.make_key(*left)
        one = max(range(3), key=lambda role: (hands[role] > 0, chance.random()))
        single = [hand & ~(1 << cards[one]) for hand in hands]
        assert planes.remove(key, laid[one]) == planes.make_key(*single)
        assert planes.remove(key, planes.NONE) == key


def test_cards_are_pushed_up() -> None:
    """A card's place is the top of its suit less the cards in play above it, and the owner in the
    key is the holder of the card."""
    chance = Random(3)
    for _ in range(200):
        hands = draw_hands(chance, chance.randrange(1, 11))
        in_play = hands[0] | hands[1] | hands[2]
        key = planes.make_key(*hands)
        for role in range(3):
            places = 0
            for card in cards_of(hands[role]):
                above = [c for c in cards_of(in_play) if c // 8 == card // 8 and c > card]
                place = planes.pushed_up(card, in_play)
                assert place == card // 8 * 8 + 7 - len(above)
                assert place_of(card, 3, in_play) == place_of(card, 4, in_play) == place
                places |= 1 << place
            assert planes.held(key & planes.PLANE, key >> 32 & planes.PLANE, role) == places


def test_trumps_change_places_with_suit_three() -> None:
    chance = Random(4)
    for _ in range(300):
        cards, trump = chance.getrandbits(32), chance.randrange(4)
        swap = {trump: 3, 3: trump}
        wanted = {8 * swap.get(card // 8, card // 8) + card % 8 for card in cards_of(cards)}
        assert planes.to_trump_suit(cards, trump) == mask_of(wanted)
        assert planes.to_trump_suit(planes.to_trump_suit(cards, trump), trump) == cards


def test_what_beats_what() -> None:
    """A card laid later, against the best so far; a hand that does not play beats nothing."""
    for game in (planes.SUIT_GAME, planes.NO_TRUMP_GAME, planes.MISERE_GAME):
        for card, best in itertools.permutations(range(32), 2):
            same = suit_of(PACK[card]) == suit_of(PACK[best])
            trumps = game == planes.SUIT_GAME and suit_of(PACK[card]) == "H"
            wanted = card > best if same else trumps and suit_of(PACK[best]) != "H"
            assert planes.beats(game, card, best) == wanted
        assert not any(planes.beats(game, planes.NONE, best) for best in range(32))


# Layouts

LAYOUTS = ["".join(digits) for n in range(9) for digits in itertools.product("012", repeat=n)]
"""All layouts of a suit."""
WITHOUT = 9
"""Where the card of a hand without the suit stands: below all."""


def number_of(owners: Owners) -> int:
    return sum((int(owner) + 1) * 3**k for k, owner in enumerate(owners))


def test_every_layout_has_a_number() -> None:
    """The number in the tables is that of the planes, and no two layouts share one."""
    assert sorted(map(number_of, LAYOUTS)) == list(range(layouts.N_LAYOUTS))
    chance = Random(5)
    for _ in range(300):
        key = planes.make_key(*draw_hands(chance, chance.randrange(1, 11)))
        for suit, owners in enumerate(owners_in_key(key)):
            found = layouts.layout_number(key & planes.PLANE, key >> 32 & planes.PLANE, suit)
            assert found == number_of(owners)


def cash(owners: Owners, leader: int, ruffs: int) -> int:
    """Tricks that a leader cashes: his highest card wins for certain against the best a rival has,
    a partner lays his lowest, and who is without the suit ruffs if he can."""
    ranks = {role: [8 - k for k, who in enumerate(owners) if int(who) == role] for role in range(3)}
    tricks = 0
    while ranks[leader]:
        lead = ranks[leader].pop(0)
        for step in (1, 2):
            role = (leader + step) % 3
            held = ranks[role]
            if not held:
                if ruffs >> (step - 1) & 1:
                    return tricks
            elif max(held) > lead if 0 in (leader, role) else min(held) > lead:
                return tricks
            else:
                held.remove(min(held))
        tricks += 1
    return tricks


def sure_trumps(owners: Owners, role: int) -> int:
    """How far a hand is ahead in any number of the highest trumps: so many are never covered.

    The declarer's may be covered by both defenders, a defender's by the declarer alone."""
    ahead = most = 0
    for owner in map(int, owners):
        ahead += 1 if owner == role else -1 if 0 in (owner, role) else 0
        most = max(most, ahead)
    return most


def test_tricks_of_every_layout() -> None:
    """The tables say what playing the suit in plain Python gives, for all 9 841 layouts."""
    total = 0
    for owners in LAYOUTS:
        packed = int(layouts.SURE[number_of(owners)])
        for leader in range(3):
            for ruffs in range(4):
                tricks = layouts.nibble(packed, 4 * leader + ruffs)
                assert tricks == cash(owners, leader, ruffs), (owners, leader, ruffs)
                total += tricks
        for role in range(3):
            assert layouts.nibble(packed, 12 + role) == sure_trumps(owners, role), owners
    assert total > len(LAYOUTS)


@pytest.mark.parametrize("k", range(15))
def test_tricks_hang_on_no_more_places(k: int) -> None:
    """Every layout of the same lengths with the same owners of the highest places, as many as the
    table names, makes as many tricks; with one place less some would not."""
    least: dict[tuple[int, int, int, Owners], int] = defaultdict(lambda: 99)
    for owners in LAYOUTS:
        tricks = layouts.nibble(int(layouts.SURE[number_of(owners)]), k)
        for depth in range(len(owners) + 1):
            at = (*map(owners.count, "012"), owners[:depth])
            least[at] = min(least[at], tricks)
    tight = 0
    for owners in LAYOUTS:
        tricks = layouts.nibble(int(layouts.SURE[number_of(owners)]), k)
        depth = layouts.nibble(int(layouts.DEPTH[number_of(owners)]), k)
        lengths = tuple(map(owners.count, "012"))
        assert least[*lengths, owners[:depth]] == tricks, owners
        tight += depth > 0 and least[*lengths, owners[: depth - 1]] < tricks
    assert tight > 1000


@cache
def is_caught(owners: Owners) -> bool:
    """Whether defenders who lead this suit again and again can give the declarer a trick in it.

    He is the last to lay on a lead of role 1, and lays before role 1 on a lead of role 2.
    """
    places = {role: [k for k, who in enumerate(owners) if int(who) == role] for role in range(3)}

    def bad(lead: int, other: int, lay: int) -> bool:
        left = "".join(who for k, who in enumerate(owners) if k not in (lead, other, lay))
        return lay < min(lead, other) or is_caught(left)

    if not places[0]:
        return False
    ones, twos = (places[role] or [WITHOUT] for role in (1, 2))
    last = any(
        all(bad(lead, other, lay) for lay in places[0]) for lead in places[1] for other in twos
    )
    return last or any(
        all(any(bad(lead, other, lay) for other in ones) for lay in places[0]) for lead in places[2]
    )


def test_safe_suits_of_misere_are_not_caught() -> None:
    """A suit called safe never takes a trick; where one defender has all cards of the others, a
    suit that is not called safe does."""
    n_safe = 0
    for owners in LAYOUTS:
        safe = int(layouts.SHAPE[number_of(owners)]) >> layouts.MISERE_SHIFT & 1
        n_safe += safe
        if safe:
            assert not is_caught(owners), owners
        elif "1" not in owners or "2" not in owners:
            assert is_caught(owners), owners
    assert 0 < n_safe < len(LAYOUTS)


def takes_it(owners: Owners, leader: int) -> bool:
    """Whether the declarer must take the first trick in the suit: the defenders have cards to lay
    that all of his beat (none at all if they are without it)."""
    places = {role: [k for k, who in enumerate(owners) if int(who) == role] for role in range(3)}
    if leader and not (places[leader] and places[0]):
        return False
    lowest = [max(places[role]) for role in (1, 2) if places[role]]
    return all(mine < other for mine in places[0] for other in lowest)


def test_shapes_of_every_layout() -> None:
    """Lengths, and the tricks that the declarer of a misère cannot refuse."""
    for owners in LAYOUTS:
        packed = int(layouts.SHAPE[number_of(owners)])
        assert [packed >> (4 * role) & 15 for role in range(3)] == [*map(owners.count, "012")]
        bits = packed >> layouts.MISERE_SHIFT
        assert bits >> 1 & 1 == takes_it(owners, 1), owners
        assert bits >> 2 & 1 == takes_it(owners, 2), owners
        assert bits >> 3 & 1 == takes_it(owners, 0), owners


# Moves


def groups(cards: int, in_play: int, gone: int) -> list[list[int]]:
    """Cards of a hand in groups worth the same: no card of others in play stands between, the card
    ``gone`` (-1 for none) not counted."""
    found: list[list[int]] = []
    for card in cards_of(cards):
        before = found[-1][-1] if found else -9
        between = [c for c in cards_of(in_play & ~cards) if before < c < card and c != gone]
        if before // 8 == card // 8 and not between:
            found[-1].append(card)
        else:
            found.append([card])
    return found


def test_equal_cards() -> None:
    """Of each group of equal cards the lowest; for the third hand the beaten card is gone."""
    chance = Random(6)
    joined = 0
    for _ in range(3000):
        hands = draw_hands(chance, chance.randrange(1, 11))
        key = planes.make_key(*hands)
        low, high = key & planes.PLANE, key >> 32 & planes.PLANE
        cards = planes.held(low, high, 2)
        plain = [group[0] for group in groups(cards, low | high, -1)]
        assert cards_of(planes.lowest_of_runs(cards)) == plain
        beaten = chance.choice([*cards_of(planes.held(low, high, 0)), planes.NONE])
        moves = [group[0] for group in groups(cards, low | high, beaten)]
        assert cards_of(ordering.third_moves(cards, beaten)) == moves
        joined += moves != plain
    assert joined > 50


@outline
def list_all(work: Any, game: int, key: int, leader: int, a: int, b: int) -> int:
    """The list of moves of the hand to play; its length."""
    low, high = key & planes.PLANE, key >> 32 & planes.PLANE
    second = planes.next_role(leader)
    third = planes.next_role(second)
    if a < 0:
        return ordering.list_leads(work, 0, game, low, high, leader)
    if b < 0:
        return ordering.list_seconds(work, 0, game, low, high, second, a)
    best, winner, beaten = a, leader, b
    if planes.beats(game, b, a):
        best, winner, beaten = b, second, a
    return ordering.list_thirds(work, 0, game, low, high, third, a, best, winner, beaten)


def test_lists_have_every_move_once() -> None:
    """One card of each group of equal cards that may be played, the best score first and of equal
    scores the lowest card."""
    chance = Random(7)
    work = workspace.make_workspace()
    for _ in range(1500):
        n, game, leader = chance.randrange(1, 11), chance.randrange(3), chance.randrange(3)
        key = planes.make_key(*draw_hands(chance, n))
        low, high = key & planes.PLANE, key >> 32 & planes.PLANE
        hands = [planes.held(low, high, (leader + step) % 3) for step in range(3)]
        laid: list[int] = []
        for step in range(3):
            cards = planes.playable(game, hands[step], laid[0]) if laid else hands[step]
            gone = -1
            if step == 2:
                gone = laid[0] if planes.beats(game, laid[1], laid[0]) else laid[1]
            moves = [group[0] for group in groups(cards, low | high, gone)]
            count = list_all(work, game, key, leader, *[*laid, -1, -1][:2])
            words = work[:count].tolist()
            listed = [ordering.listed(word) for word in words]
            assert sorted(listed) == moves and words == sorted(words, reverse=True)
            laid.append(chance.choice(moves))


# Table


def kept(work: Any, key: int, game: int, leader: int, need: int) -> int:
    """What the table says about a position."""
    signature, bucket = where(key, game, leader)
    return int(table.probe(work, bucket, signature, key, need))


def keep(work: Any, key: int, game: int, leader: int, need: int, found: int) -> None:
    signature, bucket = where(key, game, leader)
    table.keep(work, bucket, signature, key, need, found)


def where(key: int, game: int, leader: int) -> tuple[int, int]:
    low, high = key & planes.PLANE, key >> 32 & planes.PLANE
    numbers = tuple(layouts.layout_number(low, high, suit) for suit in range(4))
    signature = table.signature_of(game, numbers, leader)
    return signature, table.bucket_of(game, signature, key)


def key_of(owners: list[Owners]) -> int:
    """The key of four suits."""
    hands = [0, 0, 0]
    for suit, text in enumerate(owners):
        for k, owner in enumerate(text):
            hands[int(owner)] |= 1 << (8 * suit + 7 - k)
    return int(planes.make_key(*hands))


def test_patterns_answer_what_fits() -> None:
    """An answer serves positions with the same lengths and the same owners of relevant places."""
    work = workspace.make_workspace()
    key = key_of(["0121", "02", "", "102"])
    top_two = 0xC0
    assert kept(work, key, 0, 1, 2) == table.UNKNOWN
    keep(work, key, 0, 1, 2, 1 | top_two << 1)
    same = key_of(["0112", "20", "", "210"])
    other_owner = key_of(["1021", "02", "", "102"])
    other_lengths = key_of(["0121", "01", "", "202"])
    for need in (1, 2):
        assert kept(work, key, 0, 1, need) == 1 | top_two << 1
        assert kept(work, same, 0, 1, need) == 1 | top_two << 1
    for strange in (other_owner, other_lengths):
        assert kept(work, strange, 0, 1, 2) == table.UNKNOWN
    assert kept(work, key, 0, 2, 2) == table.UNKNOWN
    assert kept(work, key, 1, 1, 2) == table.UNKNOWN
    assert kept(work, key, 0, 1, 3) == table.UNKNOWN


def test_answers_grow_sharper() -> None:
    """At least and at most stand side by side; a sharper answer stays."""
    work = workspace.make_workspace()
    key = key_of(["012012", "021", "210", "012"])
    keep(work, key, 1, 0, 2, 1 | 0x80 << 1)
    keep(work, key, 1, 0, 1, 1 | 0x80 << 1)
    assert kept(work, key, 1, 0, 2) & 1 == 1
    keep(work, key, 1, 0, 4, 0x80 << 1)
    assert kept(work, key, 1, 0, 4) == 0x80 << 1
    assert kept(work, key, 1, 0, 5) == 0x80 << 1
    assert kept(work, key, 1, 0, 3) == table.UNKNOWN
    keep(work, key, 1, 0, 5, 0x80 << 1)
    assert kept(work, key, 1, 0, 4) == 0x80 << 1
    assert np.count_nonzero(work[: workspace.TURNS]) == 4


def test_the_oldest_answer_goes() -> None:
    """A bucket keeps as many answers as it has ways, and forgets the first of them."""
    work = workspace.make_workspace()
    suits = ["".join(x) for x in sorted(set(itertools.permutations("001122")))]
    keys = [key_of([text, "", "", ""]) for text in suits[: workspace.WAYS + 1]]
    assert len({where(key, 0, 0) for key in keys}) == 1
    for key in keys[:-1]:
        keep(work, key, 0, 0, 1, 1 | 0xFF << 1)
    assert all(kept(work, key, 0, 0, 1) & 1 == 1 for key in keys[:-1])
    keep(work, keys[-1], 0, 0, 1, 1 | 0xFF << 1)
    assert kept(work, keys[0], 0, 0, 1) == table.UNKNOWN
    assert all(kept(work, key, 0, 0, 1) & 1 == 1 for key in keys[1:])


# Workspace


def test_garbage_is_cleared() -> None:
    """Whatever a workspace held, it is the same when it is ready (payoffs are written when asked
    for), and a search writes nowhere beyond it."""
    fresh = workspace.make_workspace()
    assert len(fresh) == workspace.WORKSPACE
    for seed in range(3):
        dirty = garbage_workspace(seed)
        assert np.array_equal(dirty[: workspace.PAYOFFS], fresh[: workspace.PAYOFFS])
    room = np.full(workspace.WORKSPACE + 64, 7, np.int64)
    inner = room[32:-32]
    workspace.prepare(inner)
    from sim.solver import count_tricks

    for position in draw_positions(15, 200, range(1, 9)):
        count_tricks(inner, position.packed, 2)
    assert (room[:32] == 7).all() and (room[-32:] == 7).all()
    weights = slice(workspace.WEIGHTS, workspace.WEIGHTS + 3 * workspace.N_WEIGHTS)
    assert np.array_equal(inner[weights], fresh[weights]) and inner[workspace.NODES] > 0


def test_weights_are_told_by_name() -> None:
    told = workspace.tell_weights(workspace.WEIGHTS_USED)
    assert np.array_equal(workspace.pack_weights(told), workspace.WEIGHTS_USED)
    row = workspace.WEIGHTS_USED[1]
    w = 2 * workspace.N_LEAD + ordering.TRUMP
    assert told["no_trump"]["lead"]["trump"][2] == row[w]
    w = workspace.THIRD + workspace.N_FOLLOW + ordering.DISCARD
    assert told["no_trump"]["third"]["discard_rank"][1] == row[w]


def test_unknown_is_no_answer() -> None:
    assert bounds.UNKNOWN == table.UNKNOWN == -1
