"""Self-check of the twin's scoring: examples worked out by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from naive.bundles import FINKA, LENINGRAD, PITER, ROSTOV, SOCHI
from naive.scoring import Before, Records, Result, score_deal
from naive.sheet import (
    Sheet,
    call_time,
    is_over,
    new_sheet,
    next_raspas_index,
    settle,
    write_bonus,
    write_deal,
    write_gain,
)


def game(level: int, tricks: list[int], calls: list[str], last_whister: int | None = 2) -> Result:
    """A trick contract of hand 0, dealt by hand 2; `calls` are of hands 1 and 2."""
    return Result(
        "tricks",
        dealer=2,
        tricks=tricks,
        declarer=0,
        level=level,
        played="whist" in calls,
        whist={1: calls[0], 2: calls[1]},
        last_whister=last_whister,
    )


def raspas(tricks: list[int]) -> Result:
    """Raspas dealt by player 2, or by player 3 of four."""
    return Result("raspas", dealer=len(tricks) - 1, tricks=tricks)


def misere(tricks: list[int]) -> Result:
    """A misere of player 0, dealt by the last player."""
    return replace(raspas(tricks), kind="misere", declarer=0)


def moved(result: Result, player_of: list[int]) -> Result:
    """The same deal with other players: who was hand `h` is player `player_of[h]`."""
    tricks = [0] * result.n
    for hand, player in enumerate(player_of):
        tricks[player] = result.tricks[hand]
    last = result.last_whister
    return replace(
        result,
        dealer=player_of[result.dealer],
        tricks=tricks,
        declarer=player_of[result.declarer],
        whist={player_of[hand]: word for hand, word in result.whist.items()},
        last_whister=None if last is None else player_of[last],
    )


WW, WP, PW = ["whist", "whist"], ["whist", "pass"], ["pass", "whist"]

PERSONAL = {"whist.remise": "personal_if_pair_short"}
ALWAYS = {"whist.remise": "personal_always"}

GAMES = [
    # source or rule; conventions; game; declarer's pool; mountain; whists of hands 1, 2 on 0
    (
        "Rules of Rostov: six less one, 3 and 2",
        ROSTOV,
        game(6, [5, 3, 2], WW),
        0,
        [2, 0, 0],
        16,
        14,
    ),
    ("Rules of Rostov: gentleman's whist", ROSTOV, game(6, [5, 5, 0], WP), 0, [2, 0, 0], 15, 15),
    ("Lesnoy, Sochinka: greedy whist", SOCHI, game(6, [5, 3, 2], WP), 0, [2, 0, 0], 12, 2),
    ("Lesnoy, Sochinka: eight less two", SOCHI, game(8, [6, 3, 1], WW), 0, [12, 0, 0], 30, 18),
    ("Lesnoy, Sochinka: seven made", SOCHI, game(7, [7, 2, 1], WW), 4, [0, 0, 0], 8, 4),
    ("a made game is never halved", LENINGRAD, game(7, [7, 3, 0], WP), 4, [0, 0, 0], 24, 0),
    ("half-responsible whist, none of 2", LENINGRAD, game(7, [10, 0, 0], PW), 4, [0, 0, 8], 0, 0),
    ("half-whist at six", LENINGRAD, game(6, [0, 0, 0], ["half", "pass"]), 2, [0, 0, 0], 8, 0),
    ("half-whist at seven", SOCHI, game(7, [0, 0, 0], ["pass", "half"]), 4, [0, 0, 0], 0, 4),
    ("not whisted", SOCHI, game(9, [0, 0, 0], ["pass", "pass"], None), 8, [0, 0, 0], 0, 0),
    ("Code 4.2.1: three and none, capped", SOCHI, game(6, [7, 3, 0], WW), 2, [0, 0, 2], 6, 0),
    ("three and none, personal", SOCHI | PERSONAL, game(6, [7, 3, 0], WW), 2, [0, 0, 4], 6, 0),
    ("one and none", SOCHI, game(6, [9, 1, 0], WW), 2, [0, 2, 4], 2, 0),
    ("pair has four: nobody is short", SOCHI | PERSONAL, game(6, [6, 4, 0], WW), 2, [0] * 3, 8, 0),
    ("four and none, always", SOCHI | ALWAYS, game(6, [6, 4, 0], WW), 2, [0, 0, 4], 8, 0),
    ("nine, one and none, always", SOCHI | ALWAYS, game(9, [9, 1, 0], WW), 8, [0, 0, 8], 8, 0),
    ("nine, one and none", SOCHI, game(9, [9, 1, 0], WW), 8, [0, 0, 0], 8, 0),
    ("eight, the last whister", LENINGRAD, game(8, [10, 0, 0], WW), 6, [0, 0, 6], 0, 0),
    ("Piter: eight, half each", PITER, game(8, [10, 0, 0], WW), 6, [0, 3, 3], 0, 0),
    ("Piter: ten is checked", PITER, game(10, [10, 0, 0], WW, None), 10, [0, 0, 0], 0, 0),
    ("Piter: ten less one", PITER, game(10, [9, 0, 1], WW, None), 0, [20, 0, 0], 20, 40),
    (
        "ten, both in full",
        LENINGRAD | {"whist.duty_one": "both_full"},
        game(10, [10, 0, 0], WW),
        10,
        [0, 10, 10],
        0,
        0,
    ),
    (
        "consolation all to the whister",
        SOCHI | {"whist.consolation_passer": "to_whister"},
        game(7, [5, 2, 3], PW),
        0,
        [8, 0, 0],
        0,
        36,
    ),
    (
        "no consolation for the passer",
        SOCHI | {"whist.consolation_passer": "none"},
        game(7, [5, 2, 3], PW),
        0,
        [8, 0, 0],
        0,
        28,
    ),
]


@pytest.mark.parametrize(
    ("conv", "result", "pool", "mountain", "first", "second"),
    [line[1:] for line in GAMES],
    ids=[line[0] for line in GAMES],
)
def test_trick_contracts(conv, result, pool, mountain, first, second):
    records = score_deal(conv, moved(result, [2, 0, 1]), Before())  # the declarer is player 2
    assert records.gain == [0, 0, pool] and records.bonus == [0, 0, 0]
    assert records.mountain == [mountain[1], mountain[2], mountain[0]]
    assert records.whists == [[0, 0, first], [0, 0, second], [0, 0, 0]]


DIFFERENCE = ROSTOV | {"raspas.whists": "difference", "raspas.tie": "each_full"}
KAZAKHSTAN = ROSTOV | {"raspas.price": 10}
AMNESTY = SOCHI | {"raspas.amnesty": True}
DEALER_PLAYS = DIFFERENCE | {"raspas.talon_four": "dealer_plays"}
CLOSED = {(2, 0): 25, (2, 1): 25}
DEALERS = {(3, 0): 10, (3, 1): 10, (3, 2): 10}

RASPAS = [
    # source or rule; conventions; raspas before; tricks; bonus; mountain; whists {(i, j): amount}
    ("Code 3.7.2.1", SOCHI, 0, [0, 4, 6], [1, 0, 0], [0, 4, 6], {}),
    ("second raspas, two zeros", SOCHI, 1, [0, 0, 10], [2, 2, 0], [0, 0, 20], {}),
    ("fourth raspas", SOCHI, 3, [6, 4, 0], [0, 0, 3], [18, 12, 0], {}),
    ("Leningrad price", LENINGRAD, 3, [0, 4, 6], [2, 0, 0], [0, 8, 12], {}),
    ("Piter zero", PITER, 1, [0, 4, 6], [0] * 3, [-4, 16, 24], {}),
    ("amnesty", AMNESTY, 0, [3, 5, 2], [0] * 3, [1, 3, 0], {}),
    ("Rostov, zero", ROSTOV, 0, [0, 4, 6], [1, 0, 0], [0] * 3, {(0, 1): 20, (0, 2): 30}),
    ("Code 3.7.2.2, tie", ROSTOV, 0, [2, 2, 6], [0] * 3, [0] * 3, {(0, 2): 15, (1, 2): 15}),
    ("difference", DIFFERENCE, 0, [2, 2, 6], [0] * 3, [0] * 3, {(0, 2): 20, (1, 2): 20}),
    ("Kazakhstan", KAZAKHSTAN, 0, [2, 3, 5], [0] * 3, [0] * 3, {(0, 1): 30, (0, 2): 50}),
    ("Kazakhstan, tie", KAZAKHSTAN, 0, [2, 2, 6], [0] * 3, [0] * 3, {(0, 2): 30, (1, 2): 30}),
    ("the dealer with the talon", SOCHI, 0, [0, 4, 4, 2], [1, 0, 0, 0], [0, 4, 4, 2], {}),
    ("the dealer without a trick", SOCHI, 0, [1, 4, 5, 0], [0] * 4, [1, 4, 5, 0], {}),
    ("Finka: any player", FINKA, 0, [1, 4, 5, 0], [0, 0, 0, 2], [2, 8, 10, 0], {}),
    ("Rostov: the talon closed", ROSTOV, 0, [5, 5, 0, 0], [0, 0, 1, 1], [0] * 4, CLOSED),
    ("the dealer takes fewest", DEALER_PLAYS, 0, [3, 3, 3, 1], [0] * 4, [0] * 4, DEALERS),
]


@pytest.mark.parametrize(
    ("conv", "index", "tricks", "bonus", "mountain", "whists"),
    [line[1:] for line in RASPAS],
    ids=[line[0] for line in RASPAS],
)
def test_raspas(conv, index, tricks, bonus, mountain, whists):
    records = score_deal(conv, raspas(tricks), Before(raspas_index=index))
    assert records.bonus == bonus and records.mountain == mountain
    assert whists_of(records) == whists


def whists_of(records: Records) -> dict[tuple[int, int], Fraction]:
    """What is written in whists, by (writer, on whom)."""
    table = enumerate(records.whists)
    return {(i, j): amount for i, row in table for j, amount in enumerate(row) if amount}


def test_misere_writes_no_whists():
    for conv, mountain in [(LENINGRAD, 40), (SOCHI, 20)]:
        records = score_deal(conv, misere([2, 4, 4]), Before())
        assert records.mountain == [mountain, 0, 0] and whists_of(records) == {}
    assert score_deal(SOCHI, misere([0, 5, 5]), Before()).gain == [10, 0, 0]


def test_conventions_of_misere():
    shared = SOCHI | {"misere.half_with_dealer": True, "misere.whists": 5}
    records = score_deal(shared, misere([3, 5, 2, 0]), Before())
    assert records.mountain == [15, 0, 0, 15] and whists_of(records) == {(1, 0): 15, (2, 0): 15}
    assert score_deal(shared, misere([0, 5, 5, 0]), Before()).gain == [5, 0, 0, 5]
    prize = SOCHI | {"prize.misere_made": 50, "values.off_mountain_instead": 2}
    records = score_deal(prize, replace(misere([0, 5, 5]), off_mountain=True), Before())
    assert records.gain == [0, 0, 0] and records.mountain == [-20, 0, 0]
    assert whists_of(records) == {(0, 1): 50, (0, 2): 50}


def test_the_dealer_of_four():
    """He writes consolation, or he whists and the owner of the hand does."""
    failed = Result("tricks", 3, [5, 3, 2, 0], 0, 6, whist={1: "whist", 2: "pass"}, last_whister=1)
    assert whists_of(score_deal(SOCHI, failed, Before())) == {(1, 0): 12, (2, 0): 2, (3, 0): 2}
    whist = {1: "pass", 3: "whist"}
    dealers = replace(failed, tricks=[5, 3, 0, 2], whist=whist, last_whister=3)
    assert whists_of(score_deal(SOCHI, dealers, Before())) == {(3, 0): 12, (1, 0): 2, (2, 0): 2}
    alone = replace(dealers, tricks=[9, 1, 0, 0])
    assert score_deal(SOCHI, alone, Before()).mountain == [0, 0, 0, 6]
    free = SOCHI | {"whist.dealer_responsible": False}
    assert score_deal(free, alone, Before()).mountain == [0] * 4


def test_talon_bonus():
    """Two quick tricks at a seven that failed; three players, then four."""
    failed = replace(game(7, [6, 2, 2], ["whist", "whist"]), talon_units=2)
    only = {"values.consolation": [0] * 5, "values.whist": [0, 8, 0, 0, 0]}
    conv = FINKA | only
    assert whists_of(score_deal(conv, failed, Before())) == {(1, 0): 16, (2, 0): 32}
    half = conv | {"talon.bonus_three": "half_each"}
    assert whists_of(score_deal(half, failed, Before())) == {(1, 0): 24, (2, 0): 24}
    own = replace(failed, dealer=0)
    assert whists_of(score_deal(conv, own, Before())) == {(1, 0): 16, (2, 0): 16}
    assert whists_of(score_deal(conv, replace(misere([0, 5, 5]), talon_units=2), Before())) == {}
    at_misere = conv | {"talon.bonus_at_misere": True}
    records = score_deal(at_misere, replace(misere([0, 5, 5, 0]), talon_units=2), Before())
    assert whists_of(records) == {(3, 0): 20}


def test_underbidding_and_responsibility():
    over = SOCHI | {"contract.underbid_fails": True}
    records = score_deal(over, game(6, [8, 2, 0], ["whist", "pass"]), Before())
    assert records.gain == [0, 0, 0] and records.mountain == [4, 4, 0]
    assert whists_of(records) == {(1, 0): 4}
    late = LENINGRAD | {"whist.responsible_after_close": True}
    short = game(6, [8, 2, 0], ["whist", "pass"])
    assert score_deal(late, short, Before()).mountain == [0, 4, 0]
    assert score_deal(late, short, Before(pools_full=True)).mountain == [0, 8, 0]


def test_bombs_and_dark_passes():
    """Two dark passes in a row leave two bombs: the next contract counts four times."""
    conv = SOCHI | {"auction.bombs": "until_made", "raspas.dark_factor": 2}
    sheet = new_sheet(conv, 3, 100)
    dark = replace(raspas([2, 4, 4]), dark_pass=True)
    write_deal(conv, sheet, dark)
    assert sheet.mountain == [4, 8, 8] and sheet.bombs == [1, 0, 0]
    write_deal(conv, sheet, dark)
    assert sheet.mountain == [4 + 16, 8 + 32, 8 + 32] and sheet.bombs == [2, 0, 0]
    records = write_deal(conv, sheet, game(6, [5, 3, 2], ["whist", "pass"]))
    assert records.mountain == [8, 0, 0] and whists_of(records) == {(1, 0): 48, (2, 0): 8}
    assert sheet.bombs == [2, 0, 0] and sheet.dark_row == 0
    assert write_deal(conv, sheet, game(6, [0] * 3, ["pass", "pass"], None)).gain == [8, 0, 0]
    assert sheet.bombs == [0, 0, 0]


HELP = [
    # source or rule; pools before, player, gain; pools after, own mountain, whists written
    ("Code 4.2.3", [20, 12, 4], 0, 2, [20, 14, 4], 0, {1: 20}),
    ("own pool first", [16, 10, 0], 0, 10, [20, 16, 0], 0, {1: 60}),
    ("cascade and leftover", [16, 18, 19], 0, 10, [20, 20, 20], -3, {1: 20, 2: 10}),
    ("all closed", [16, 20, 20], 0, 10, [20, 20, 20], -6, {}),
    ("a tie goes to the left", [8, 20, 8], 1, 2, [8, 20, 10], 0, {2: 20}),
    ("a tie goes to the left again", [8, 8, 20], 2, 2, [10, 8, 20], 0, {0: 20}),
]


@pytest.mark.parametrize(
    ("pools", "player", "gain", "after_help", "mountain", "whists"),
    [line[1:] for line in HELP],
    ids=[line[0] for line in HELP],
)
def test_help(pools, player, gain, after_help, mountain, whists):
    sheet = Sheet(n=3, target=20, pool=[Fraction(p) for p in pools])
    write_gain(SOCHI, sheet, player, Fraction(gain))
    assert sheet.pool == after_help and sheet.mountain[player] == mountain
    assert {j: amount for j, amount in enumerate(sheet.whists[player]) if amount} == whists
    assert is_over(SOCHI, sheet) == (after_help == [20, 20, 20])


def test_leftover_may_be_lost():
    sheet = Sheet(n=3, target=20, pool=[Fraction(16), Fraction(20), Fraction(20)])
    conv = SOCHI | {"end.leftover": "lost"}
    write_gain(conv, sheet, 0, Fraction(10))
    assert sheet.mountain == [0, 0, 0] and is_over(conv, sheet)


def columns(sheet: Sheet, pool: list[int], mountain: list[int]) -> Sheet:
    """The sheet with other pools and mountains."""
    sheet.pool = [Fraction(points) for points in pool]
    sheet.mountain = [Fraction(points) for points in mountain]
    return sheet


def test_finka_writes_in_both_columns():
    """A made misere: 4 points close the pool, 3 the mountain; the rest helps in both columns."""
    sheet = columns(new_sheet(FINKA, 3, 40), [36, 30, 39], [3, 20, 5])
    write_gain(FINKA, sheet, 0, Fraction(10))
    assert sheet.pool == [40, 35, 40] and sheet.mountain == [0, 18, 0]
    prizes = 120 + 80
    assert sheet.whists[0] == [0, prizes + 50 + 20, prizes + 10 + 50]
    write_bonus(FINKA, sheet, 1, Fraction(8))
    assert sheet.pool == [40, 40, 40] and sheet.mountain == [0, 15, 0]


def test_mountain_first():
    conv = SOCHI | {"values.mountain_first": True}
    sheet = columns(new_sheet(conv, 3, 20), [0, 0, 0], [4, 0, 0])
    write_gain(conv, sheet, 0, Fraction(10))
    assert sheet.pool == [6, 0, 0] and sheet.mountain == [0, 0, 0]


def test_the_last_entry_may_be_cut_off():
    conv = LENINGRAD | {"end.overshoot": "truncate"}
    sheet = columns(new_sheet(conv, 3, 20), [30, 20, 6], [0, 0, 0])
    write_gain(conv, sheet, 0, Fraction(8))
    assert sheet.pool == [34, 20, 6] and is_over(conv, sheet)


def test_prize_for_the_lowest_mountain():
    conv = SOCHI | {"prize.min_mountain": 50}
    sheet = columns(new_sheet(conv, 3, 20), [18, 20, 20], [7, 2, 2])
    write_deal(conv, sheet, game(6, [0] * 3, ["pass", "pass"], None))
    assert is_over(conv, sheet) and sheet.whists == [[0, 0, 0], [25, 0, 0], [25, 0, 0]]


def test_time():
    """Time called after one deal of four players: three of the round are left, and four."""
    sheet = new_sheet(FINKA, 4, 40)
    write_deal(FINKA, sheet, raspas([3, 3, 3, 1]))
    call_time(FINKA, sheet)
    assert sheet.deals_left == 7
    for _ in range(7):
        assert not is_over(FINKA, sheet)
        write_deal(FINKA, sheet, raspas([3, 3, 3, 1]))
    assert sheet.deals_left == 0 and not is_over(FINKA, sheet)
    assert is_over(FINKA | {"end.when": "time"}, sheet)
    sheet.pool[0] = Fraction(40)
    assert is_over(FINKA, sheet)


def test_leningrad_ends_by_the_sum():
    """Code of Preferans 4.2.3.3: 48 each of 50, then an eight is made."""
    sheet = Sheet(n=3, target=50, pool=[Fraction(48)] * 3)
    assert not is_over(LENINGRAD, sheet)
    write_gain(LENINGRAD, sheet, 0, Fraction(6))
    assert sheet.pool == [54, 48, 48] and is_over(LENINGRAD, sheet)
    assert settle(LENINGRAD, sheet) == [80, -40, -40]
    sheet.pool[0] = Fraction(56)
    assert settle(LENINGRAD, sheet) == [Fraction(320, 3), Fraction(-160, 3), Fraction(-160, 3)]
    sheet.raspas_index = 1
    assert not is_over(PITER, sheet)


def test_fractions_are_moved():
    """Code of Preferans 4.2.12: a point off against three whists of each other player.

    A mountain of one becomes none, a mountain of two becomes three.
    """
    conv = SOCHI | {"end.rounding": "code"}
    sheet = columns(new_sheet(conv, 3, 20), [20, 20, 20], [0, 1, 2])
    assert settle(SOCHI, sheet) == [10, 0, -10]
    assert settle(conv, sheet) == [10, 10 - 3 - 6, -20 + 3 + 6]
    sheet = columns(new_sheet(conv, 4, 20), [20] * 4, [0, 3, 0, 0])
    assert settle(conv, sheet) == [7, -21, 7, 7]
    sheet = columns(new_sheet(conv, 4, 20), [20] * 4, [0, 6, 0, 0])
    assert settle(conv | {"end.divisor": "opponents"}, sheet) == [20, -60, 20, 20]


def test_settlement():
    """Code of Preferans 4.2.14, with the figures of two printed settlements."""
    sheet = Sheet(n=3, target=10, pool=[Fraction(10)] * 3)
    sheet.mountain = [Fraction(42), Fraction(96), Fraction(132)]
    rows = [[0, 170, 60], [64, 0, 178], [88, 95, 0]]
    sheet.whists = [[Fraction(amount) for amount in row] for row in rows]
    assert settle(SOCHI, sheet) == [558, -83, -475]
    sheet = Sheet(n=3, target=14, pool=[Fraction(14), Fraction(8), Fraction(0)])
    sheet.mountain = [Fraction(12), Fraction(26), Fraction(6)]
    rows = [[0, 12, 0], [22, 0, 0], [22, 4, 0]]
    sheet.whists = [[Fraction(amount) for amount in row] for row in rows]
    assert settle(SOCHI, sheet) == [Fraction(184, 3), Fraction(-302, 3), Fraction(118, 3)]


def test_raspas_index():
    made, failed = game(7, [7, 2, 1], WW), game(7, [6, 2, 2], WW)
    unwhisted = game(7, [0, 0, 0], ["pass", "pass"], None)
    half = game(7, [0, 0, 0], ["pass", "half"], None)
    conceded = replace(unwhisted, concession=3, whist={})
    ten = game(10, [10, 0, 0], WW)
    results = [made, failed, unwhisted, half, conceded, misere([0, 5, 5]), misere([1, 4, 5]), ten]
    only = {"raspas.exit_on": "made"}
    expected = [
        ({"raspas.exit_on": "any_bid"}, [0, 0, 0, 0, 0, 0, 0, 0]),
        (only, [0, 2, 0, 0, 2, 0, 2, 0]),
        (only | {"raspas.exit_unwhisted": False}, [0, 2, 2, 2, 2, 0, 2, 0]),
        (only | {"raspas.exit_misere": False}, [0, 2, 0, 0, 2, 2, 2, 0]),
        (only | {"raspas.exit_ten": False}, [0, 2, 0, 0, 2, 0, 2, 2]),
        ({"raspas.exit_levels": [6, 7, 8]}, [2, 2, 2, 2, 2, 0, 0, 0]),
    ]
    for settings, indices in expected:
        conv = SOCHI | settings
        assert [next_raspas_index(conv, 2, result) for result in results] == indices
        assert next_raspas_index(conv, 2, raspas([3, 3, 4])) == 3
