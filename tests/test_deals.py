"""Deal numbers, random words, and the text forms of cards, hands and contracts.

Uniformity is tested against exact fractions counted with ``math.comb``; seeds are fixed, and a
chi-square is turned into a p-value by the Wilson-Hilferty approximation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contract import (
    MISERE,
    MISERE_WITHOUT,
    N_CONTRACTS,
    RUNGS,
    STRAIN_LETTERS,
    STRAIN_SYMBOLS,
    contract_level,
    contract_strain,
    format_contract,
    is_misere,
    ladder_codes,
    parse_contract,
)
from scoring.kernel import JIT, ctz, msb, nth_bit, outline, popcount, u64
from sim.cards import (
    ALL_CARDS,
    RANKS,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    cards_of,
    format_card,
    format_hand,
    lowest_rank,
    mask_of,
    parse_card,
    parse_hand,
    suit_mask,
    trump_mask,
)
from sim.deals import (
    DEAL_STREAM,
    KEY_STREAM,
    N_DEALS,
    check_number,
    draw_deal,
    player_keys,
    rank,
    second_first,
    unrank,
)
from sim.rng import below, mix64, philox, splitmix

M64 = (1 << 64) - 1
N_ROUND_TRIPS = 200_000 if JIT else 5_000
N_DRAWN = 200_000 if JIT else 20_000
P_MIN = 1e-4
SEED = 20_240_607

repeatable = settings(derandomize=True, deadline=None)


# Numbers and deals


@outline
def _broken_round_trips(start: int, step: int, n: int) -> int:
    """How many of ``n`` numbers do not come back, or are not three tens and a two of 32 cards."""
    broken = 0
    for k in range(n):
        number = start + k * step
        hand0, hand1, hand2, talon = unrank(number)
        together = hand0 | hand1 | hand2 | talon
        tens = popcount(hand0) == 10 and popcount(hand1) == 10 and popcount(hand2) == 10
        whole = together == ALL_CARDS and popcount(talon) == 2
        if not (tens and whole and rank(hand0, hand1, talon) == number):
            broken += 1
    return broken


@outline
def _broken_draws(seed: int, n: int) -> int:
    """The same for the numbers of ``n`` drawn deals."""
    broken = 0
    for k in range(n):
        broken += _broken_round_trips(draw_deal(seed, k, 0), 1, 1)
    return broken


def test_number_of_deals() -> None:
    """32! / (10!^3 2!) deals."""
    assert N_DEALS == math.comb(32, 10) * math.comb(22, 10) * math.comb(12, 2)
    assert N_DEALS == 2_753_294_408_504_640


def test_numbers_and_deals_are_one_to_one() -> None:
    """Number -> deal -> number at both ends, across the whole range in steps, and at random."""
    n = N_ROUND_TRIPS // 4
    assert _broken_round_trips(0, 1, n) == 0
    assert _broken_round_trips(N_DEALS - n, 1, n) == 0
    assert _broken_round_trips(0, N_DEALS // n, n) == 0
    assert _broken_draws(SEED, N_ROUND_TRIPS) == 0


def test_hands_around_the_joints_of_the_digits() -> None:
    """A number next to a change of the first hand, or of the second, still comes back."""
    inner = math.comb(12, 2)
    outer = math.comb(22, 10) * inner
    for unit in (inner, outer):
        for k in (1, 2, 1000, N_DEALS // unit - 1):
            assert _broken_round_trips(k * unit - 3, 1, 6) == 0


@repeatable
@given(st.permutations(range(32)))
def test_deals_and_numbers_are_one_to_one(cards: list[int]) -> None:
    """Deal -> number -> deal for any cards."""
    hand0, hand1, hand2 = (mask_of(cards[k : k + 10]) for k in (0, 10, 20))
    talon = mask_of(cards[30:])
    number = rank(hand0, hand1, talon)
    assert 0 <= number < N_DEALS
    assert tuple(map(int, unrank(number))) == (hand0, hand1, hand2, talon)


def test_numbers_out_of_range_are_refused() -> None:
    """The message names the number and the range."""
    assert check_number(0) == 0 and check_number(N_DEALS - 1) == N_DEALS - 1
    for number in (-1, N_DEALS):
        with pytest.raises(ValueError, match=f"{number}.*0 to {N_DEALS - 1}"):
            check_number(number)


# Random words


@pytest.mark.parametrize(
    ("counter", "key"),
    [
        ((0, 0, 0, 0), (0, 0)),
        ((1, 2, 3, 4), (5, 6)),
        ((7, 123_456_789, 0, 0), (SEED, 1)),
        ((M64, M64, M64, M64), (M64, M64)),
        ((0x243F6A8885A308D3, 0x13198A2E03707344, 0, 9), (0x452821E638D01377, 0xBE5466CF34E90C6C)),
    ],
)
def test_philox_is_that_of_numpy(counter: tuple[int, ...], key: tuple[int, ...]) -> None:
    """Equal to ``numpy.random.Philox``."""
    ours = philox(*(np.uint64(word) for word in (*counter, *key)))
    assert [int(word) for word in ours] == philox_block(counter, key)


def test_splitmix_known_answers() -> None:
    """The first words of the sequence started at 1234567, as published with the generator."""
    words = [int(splitmix(1_234_567, n)) for n in range(5)]
    assert words == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_mix64_is_the_finaliser_of_splitmix() -> None:
    """``splitmix(key, n)`` is ``mix64`` of the key and n + 1 steps of the golden ratio."""
    for key in (0, 1, SEED):
        for n in range(4):
            word = (key + 0x9E3779B97F4A7C15 * (n + 1)) & M64
            assert int(splitmix(key, n)) == int(mix64(np.uint64(word)))


def test_below_scales_a_word_of_63_bits() -> None:
    """floor(word * n / 2**63), at the ends of the range too."""
    for n in (1, 2, 3, 7, 32, 62):
        for word in (0, 1, (1 << 62) - 1, 1 << 62, (1 << 63) - 1, splitmix(9, n) >> 1):
            assert int(below(int(word), n)) == int(word) * n >> 63


@outline
def _places(mask: int) -> tuple[int, int, int]:
    return popcount(mask), ctz(mask), msb(mask)


@repeatable
@given(st.integers(1, (1 << 62) - 1))
def test_bits_of_a_mask(mask: int) -> None:
    """popcount, lowest, highest and n-th set bit against the plain list."""
    places = [k for k in range(63) if mask >> k & 1]
    assert _places(mask) == (len(places), places[0], places[-1])
    assert [nth_bit(mask, n) for n in range(len(places))] == places


@repeatable
@given(st.integers(0, ALL_CARDS))
def test_the_lowest_card_of_a_mask(mask: int) -> None:
    """By rank, of equal ranks by suit: what a dummy plays that nobody decides for."""
    lowest = min(cards_of(mask), key=lambda card: (card % 8, card // 8), default=-1)
    assert lowest_rank(mask) == lowest


# Drawing


def accept(word: int, n: int, size: int) -> int | None:
    """Lemire's rule for words of ``size`` bits: a number below ``n``, None for a rejected word."""
    threshold = (1 << size) % n
    return None if word * n % (1 << size) < threshold else word * n >> size


def philox_block(counter: tuple[int, ...], key: tuple[int, int]) -> list[int]:
    """One block of ``numpy.random.Philox``, which steps its counter before the first block."""
    before = (sum(word << 64 * k for k, word in enumerate(counter)) - 1) % (1 << 256)
    words = np.array([before >> 64 * k & M64 for k in range(4)], np.uint64)
    source = np.random.Philox(counter=words, key=np.array(key, np.uint64))
    return [int(word) for word in source.random_raw(4)]


def draw_plain(seed: int, pulka: int, deal: int) -> tuple[int, int]:
    """The deal drawn by that rule from NumPy's words, and how many words it took."""
    n_words = 0
    for block in range(100):
        for word in philox_block((deal, pulka, block, 0), (seed, DEAL_STREAM)):
            n_words += 1
            number = accept(word, N_DEALS, 64)
            if number is not None:
                return number, n_words
    raise AssertionError("a hundred blocks of rejected words")


@outline
def _next_rejected(seed: int, start: int, stop: int) -> int:
    """The first of these pulkas whose deal 0 has its first word rejected; -1 if there is none."""
    count = u64(N_DEALS)
    threshold = u64(u64(u64(0) - count) % count)
    for pulka in range(start, stop):
        word = philox(0, pulka, 0, 0, seed, DEAL_STREAM)[0]
        if u64(word * count) < threshold:
            return pulka
    return -1


@pytest.mark.parametrize("n", [3, 5, 6, 7, 11, 100, 255])
def test_the_rule_of_rejection_is_exactly_uniform(n: int) -> None:
    """Over all words of eight bits every number is drawn equally often."""
    drawn = Counter(accept(word, n, 8) for word in range(256))
    rejected = drawn.pop(None, 0)
    assert rejected == 256 % n
    assert set(drawn) == set(range(n)) and set(drawn.values()) == {256 // n}


def test_drawn_deals_follow_the_rule() -> None:
    """``draw_deal`` against the rule in plain Python, where nothing is rejected as a rule."""
    for k in range(500):
        seed, pulka, deal = SEED + k % 7, 31 * k, k % 40
        assert draw_deal(seed, pulka, deal) == draw_plain(seed, pulka, deal)[0]


def test_drawn_deals_after_a_rejected_word() -> None:
    """The first pulkas that need a second word (one in 7600) follow the rule too."""
    pulka, found = -1, 0
    while (pulka := _next_rejected(SEED, pulka + 1, 60_000)) >= 0:
        number, n_words = draw_plain(SEED, pulka, 0)
        assert n_words > 1 and draw_deal(SEED, pulka, 0) == number
        found += 1
    assert found >= 3


def test_keys_of_players_come_from_a_stream_of_their_own() -> None:
    """Four words of NumPy's Philox under the second key word of that stream."""
    assert KEY_STREAM != DEAL_STREAM
    for pulka, deal in ((0, 0), (5, 17), (1 << 40, 499)):
        ours = [int(word) for word in player_keys(SEED, pulka, deal)]
        assert ours == philox_block((deal, pulka, 0, 0), (SEED, KEY_STREAM))


# Uniformity of drawn deals

Deals = dict[str, np.ndarray[Any, np.dtype[np.int64]]]


@outline
def _fill(seed: int, table: Any) -> None:
    for k in range(len(table)):
        number = draw_deal(seed, k >> 5, k & 31)
        hand0, hand1, hand2, talon = unrank(number)
        table[k, 0] = number
        table[k, 1] = hand0
        table[k, 2] = hand1
        table[k, 3] = hand2
        table[k, 4] = talon
        table[k, 5] = 1 if second_first(number) else 0


@pytest.fixture(scope="module")
def deals() -> Deals:
    """The first 32 deals of many pulkas of one seed: number, hands, talon, order of the talon."""
    table = np.zeros((N_DRAWN, 6), np.int64)
    _fill(SEED, table)
    words = ("number", "hand0", "hand1", "hand2", "talon", "second_first")
    return {word: table[:, k] for k, word in enumerate(words)}


def p_value(chi_square: float, freedom: int) -> float:
    """Upper tail of the chi-square distribution (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    z = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 1 - NormalDist().cdf(z)


def assert_fits(values: Any, exact: Mapping[int, Fraction]) -> None:
    """Chi-square of observed values against exact probabilities; neither too far nor too near.

    Values expected fewer than ten times are put together.
    """
    assert sum(exact.values()) == 1
    seen_values, seen_times = np.unique(values, return_counts=True)
    counts = Counter(dict(zip(seen_values.tolist(), seen_times.tolist(), strict=True)))
    n = len(values)
    assert set(counts) <= {value for value, p in exact.items() if p > 0}
    rare = {value for value, p in exact.items() if n * p < 10}
    cells = [(counts[value], n * p) for value, p in exact.items() if value not in rare]
    if rare:
        left = n * sum(exact[value] for value in rare)
        cells.append((sum(counts[value] for value in rare), left))
    cells = [cell for cell in cells if cell[1] > 0]
    chi_square = sum(float((seen - wanted) ** 2 / wanted) for seen, wanted in cells)
    p = p_value(chi_square, len(cells) - 1)
    assert P_MIN < p < 1 - P_MIN, f"chi-square {chi_square:.1f}, {len(cells)} cells, p = {p:.2g}"


def even(n: int) -> dict[int, Fraction]:
    """The uniform distribution on 0 .. n - 1."""
    return dict.fromkeys(range(n), Fraction(1, n))


def suit_lengths(mask: Any, suit: int) -> Any:
    """Cards of a suit in each hand of a column."""
    return np.bitwise_count(mask >> 8 * suit & 255)


def exact_by_lengths(key: Callable[[list[int]], int]) -> dict[int, Fraction]:
    """Exact distribution of a function of the four suit lengths of ten cards."""
    ways: Counter[int] = Counter()
    spans = [(a, b, c, 10 - a - b - c) for a in range(9) for b in range(9) for c in range(9)]
    for lengths in spans:
        if 0 <= lengths[3] <= 8:
            ways[key(list(lengths))] += math.prod(math.comb(8, k) for k in lengths)
    return {value: Fraction(n, math.comb(32, 10)) for value, n in ways.items()}


def test_p_values_of_the_tables() -> None:
    """The 5 % and 0.1 % points of chi-square in print."""
    for chi_square, freedom, p in ((18.307, 10, 0.05), (124.342, 100, 0.05), (16.266, 3, 0.001)):
        assert p_value(chi_square, freedom) == pytest.approx(p, rel=0.15)


@pytest.mark.parametrize("k", [2, 3, 5, 7, 11, 13, 64, 66, 97, 1024])
def test_remainders_of_drawn_numbers(deals: Deals, k: int) -> None:
    """Remainders by k are even (N_DEALS / k is so large that its own remainder is nothing)."""
    assert_fits(deals["number"] % k, even(k))


def test_drawn_numbers_fill_the_range(deals: Deals) -> None:
    """A thousand equal parts of the range are hit evenly."""
    assert_fits(deals["number"] // (N_DEALS // 1000 + 1), even(1000))


@pytest.mark.parametrize("hand", ["hand0", "hand1", "hand2"])
def test_longest_suits(deals: Deals, hand: str) -> None:
    """The longest suit of ten cards, against the exact count."""
    longest = np.max([suit_lengths(deals[hand], suit) for suit in range(4)], axis=0)
    assert_fits(longest, exact_by_lengths(max))


@pytest.mark.parametrize("hand", ["hand0", "hand1", "hand2"])
def test_voids(deals: Deals, hand: str) -> None:
    """The number of suits that ten cards lack."""
    voids = sum((suit_lengths(deals[hand], suit) == 0).astype(np.int64) for suit in range(4))
    assert_fits(voids, exact_by_lengths(lambda lengths: lengths.count(0)))


@pytest.mark.parametrize("suit", range(4))
@pytest.mark.parametrize("missing", [3, 4, 5])
def test_splits_of_missing_cards(deals: Deals, suit: int, missing: int) -> None:
    """Where 4 cards of a suit are left to two hands: 4-0, 3-1, 2-2 and so on (3 and 5 as well)."""
    one = suit_lengths(deals["hand1"], suit)
    both = one + suit_lengths(deals["hand2"], suit)
    ways = [math.comb(missing, j) * math.comb(20 - missing, 10 - j) for j in range(missing + 1)]
    exact = {j: Fraction(n, math.comb(20, 10)) for j, n in enumerate(ways)}
    assert_fits(one[both == missing], exact)


@pytest.mark.parametrize("card", range(32))
def test_places_of_a_card(deals: Deals, card: int) -> None:
    """Each card is in each hand with 10/32 and in the talon with 2/32."""
    places = ("hand0", "hand1", "hand2", "talon")
    place = sum((deals[name] >> card & 1) * k for k, name in enumerate(places))
    exact = {k: Fraction(2 if k == 3 else 10, 32) for k in range(4)}
    assert_fits(place, exact)


def test_talons(deals: Deals) -> None:
    """All 496 talons, each in both orders."""
    ordinal = {mask_of((a, b)): b * (b - 1) // 2 + a for b in range(32) for a in range(b)}
    pairs = np.array([ordinal[int(talon)] for talon in deals["talon"]])
    assert_fits(2 * pairs + deals["second_first"], even(2 * 496))


# Text forms


@pytest.mark.parametrize("card", range(32))
def test_cards_as_text(card: int) -> None:
    """Symbol and letter forms, in any case and with blanks around, are read back."""
    text = format_card(card)
    letters = SUIT_LETTERS[card // 8] + RANKS[card % 8]
    for form in (text, letters, letters.lower(), f" {text} "):
        assert parse_card(form) == card


@repeatable
@given(st.integers(0, ALL_CARDS))
def test_hands_as_text(mask: int) -> None:
    """Any set of cards is read back, and lists its cards."""
    text = format_hand(mask)
    assert parse_hand(text) == parse_hand(text.lower()) == mask
    assert mask_of(cards_of(mask)) == mask and len(cards_of(mask)) == mask.bit_count()
    assert len(text) == mask.bit_count() + 3


@pytest.mark.parametrize("code", range(N_CONTRACTS))
def test_contracts_as_text(code: int) -> None:
    """Symbols and letters are read back; misère has a short form, ``wt`` is without the talon."""
    assert parse_contract(format_contract(code)) == code
    if is_misere(code):
        forms = ["misere", "M", "m", " Misere"]
    else:
        strain = contract_strain(code)
        heads = (STRAIN_SYMBOLS[strain], STRAIN_LETTERS[strain], STRAIN_LETTERS[strain].lower())
        forms = [f"{contract_level(code)}{head}" for head in heads]
    if code >= MISERE_WITHOUT:
        forms = [form + mark for form in forms for mark in ("wt", " WT ")]
    assert [parse_contract(form) for form in forms] == [code] * len(forms)


def test_ladder_and_masks() -> None:
    """Every code has one rung, misère between 8NT and 9S; suits and trumps as masks."""
    assert sorted(ladder_codes(RUNGS, ("misere", "nine", "ten"))) == list(range(N_CONTRACTS))
    ladder = ladder_codes(RUNGS, ())
    assert sorted(ladder) == list(range(MISERE + 1))
    rung = ladder.index(MISERE)
    beside = (format_contract(ladder[rung - 1]), format_contract(ladder[rung + 1]))
    assert beside == ("8NT", f"9{SUIT_SYMBOLS[0]}")
    assert [suit_mask(suit) for suit in range(4)] == [trump_mask(suit) for suit in range(4)]
    assert sum(suit_mask(suit) for suit in range(4)) == ALL_CARDS and trump_mask(4) == 0


@pytest.mark.parametrize(
    ("parse", "text", "bad"),
    [
        (parse_card, "S1", "'S1'"),
        (parse_card, "XA", "'XA'"),
        (parse_card, "S10", "'S10'"),
        (parse_card, "", "''"),
        (parse_hand, "AKQ.T98.J7", "3 suits"),
        (parse_hand, "A....", "5 suits"),
        (parse_hand, "AKQ.T9X.J7.A8", "'X'"),
        (parse_hand, "AKQ.TT.J7.A8", "♣T twice"),
        (parse_contract, "5S", "'5S'"),
        (parse_contract, "11S", "'11S'"),
        (parse_contract, "6", "'6'"),
        (parse_contract, "6X", "'6X'"),
        (parse_contract, "6SS", "'6SS'"),
        (parse_contract, "pass", "'pass'"),
    ],
)
def test_errors_name_the_bad_piece(parse: Callable[[str], int], text: str, bad: str) -> None:
    """One line with the text as written and the piece that is wrong."""
    with pytest.raises(ValueError) as caught:
        parse(text)
    message = str(caught.value)
    assert repr(text) in message and bad in message and "\n" not in message


@pytest.mark.parametrize("parse", [parse_card, parse_hand, parse_contract])
@repeatable
@given(text=st.text(alphabet="SCDH♠♣♦♥6789TJQKAN10. MISEREx\n", max_size=16))
def test_any_text_is_read_or_refused(parse: Callable[[str], int], text: str) -> None:
    """No other exception than a ValueError that quotes the text; what is read is written back."""
    write = {parse_card: format_card, parse_hand: format_hand, parse_contract: format_contract}
    try:
        value = parse(text)
    except ValueError as error:
        assert repr(text) in str(error)
    else:
        assert parse(write[parse](value)) == value
