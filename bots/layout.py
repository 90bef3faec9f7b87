"""The weights of ``cautious``: where each table and price stands in them, and how they are made.

Suit tables (tricks, fitted) come first, then prices in whists from the variant's own scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.convention import MAX_PROGRESSION
from scoring.result import TWO_PLAYERS

from .api import N_ROWS, RAZBOINIK
from .hand_tables import BUCKETS, N_MASKS, Floats, catch_table, fitted_tables
from .prices import (
    DARK_LEVELS,
    Defence,
    concession_prices,
    convention,
    declarer_prices,
    defence_prices,
    misere_prices,
    mountain_gains,
    n_players,
    raspas_prices,
    talon_costs,
)
from .prices_two import (
    blind_nobody,
    declarer_chances,
    declarer_prices_two,
    defence_prices_two,
    misere_prices_two,
    raspas_prices_two,
    tables_of_two,
    usual_defence,
)
from .row_prices import N_SETS, row_tables
from .samples import all_pass_chance

DECLARER_OVER = 0.4
"""Tricks a declarer is expected to make above his contract, against an average defence."""
CAUGHT_TRICKS = 2
UNWHISTED = (0.3, 0.3, 0.5, 0.7, 0.9)
"""Chance that nobody whists, by level: what a club player has learned to expect."""
EXPECTED_UNITS = 138 / 496
"""Quick tricks in a talon not yet seen."""

TABLES = (
    "play_trump",
    "play_side",
    "play_no_trump",
    "bid_trump",
    "bid_side",
    "bid_no_trump",
    "raspas",
    "defence_trump",
    "defence_side",
    "play_position",
    "bid_position",
)
"""Fitted tables in the order of the weights; CAUGHT follows them."""
TABLES_OF_TWO = ("blind_trump", "blind_side", "misere_play", "misere_bid", "raspas_place")
"""Those that two players have besides, at BLIND_TRUMP."""
(PLAY_SUITS, _, _, BID_SUITS, _, _, DUCK, DEFENCE_TRUMP, DEFENCE_SIDE, PLAY_POSITION) = (
    N_MASKS * k for k in range(10)
)
BID_POSITION = PLAY_POSITION + 6
CAUGHT = BID_POSITION + 6
TRUMP, SIDE, PLAIN = (N_MASKS * k for k in range(3))
"""Offsets within the three tables at PLAY_SUITS and BID_SUITS: trumps, side suit, at no trump."""
_TABLE = 5 * BUCKETS
DECLARER_TABLE = _TABLE + BUCKETS
PLAY_PRICE = CAUGHT + N_MASKS
BID_PRICE = PLAY_PRICE + DECLARER_TABLE
"""Prices of a declarer who knows the talon; of one who does not, and of such a one who deals."""
LONE_PRICE = BID_PRICE + 2 * DECLARER_TABLE
PARTNER_PRICE, BOTH_PRICE, FREE_PRICE, HALF_PRICE, RASPAS_PRICE = (
    LONE_PRICE + _TABLE * k for k in range(1, 6)
)
BLIND_PRICE = PARTNER_PRICE
"""With two players there is no partner."""
CONCEDE_PRICE = RASPAS_PRICE + DARK_LEVELS * MAX_PROGRESSION * BUCKETS
DEALER_GAIN = CONCEDE_PRICE + 5
MOUNTAIN_GAIN = DEALER_GAIN + 5
TALON_COST = MOUNTAIN_GAIN + 6
MISERE_MADE = TALON_COST + 12
MISERE_FAILED = MISERE_MADE + 1
DEFEND = MISERE_FAILED + 1
BIAS = DEFEND + 1
BLIND_TRUMP, BLIND_SIDE, MISERE_PLAY, MISERE_BID = (BIAS + 1 + N_MASKS * k for k in range(4))
RASPAS_PLACE = MISERE_BID + N_MASKS
MISERE_PLAY_PRICE = RASPAS_PLACE + 3
MISERE_BID_PRICE = MISERE_PLAY_PRICE + BUCKETS
ALL_PASS = MISERE_BID_PRICE + BUCKETS
"""Two players: tables, tricks at raspas more than the hand's own by its place, prices of a misère
by its fine bucket, and the chance that the other passes after me."""
ROW_PRICE = ALL_PASS + 1
ROW_BID_PRICE = ROW_PRICE + N_ROWS * BUCKETS
ROWS_LEFT = ROW_BID_PRICE + N_ROWS * BUCKETS
TALON_GAIN = ROWS_LEFT + N_SETS
N_WEIGHTS = TALON_GAIN + N_SETS
"""Razboinik: values of a row after the talon and before it, and by the set of open rows what they
are worth and what a look at the talon adds (``row_prices``)."""


def make_weights(
    rules: np.ndarray[Any, Any],
    options: Mapping[str, float],
    fitted: Mapping[str, Floats] | None = None,
) -> Any:
    """Suit tables (tricks), then the variant's prices (whists), in the order of the offsets;
    ``fitted`` are the tables to use instead of those of ``cautious``."""
    fitted = fitted_tables() if fitted is None else fitted
    bias = np.array([options["bias"]])
    if n_players(rules) != TWO_PLAYERS:
        tables = [*(fitted[name] for name in TABLES), catch_table()]
        return _joined([*tables, *_prices(rules, fitted), bias])
    own = tables_of_two(rules, fitted)
    tables = [*(own[name] for name in TABLES), catch_table()]
    more = [own[name] for name in TABLES_OF_TWO]
    if convention(rules, "family") == RAZBOINIK:
        rows = row_tables(rules, fitted)
        unused = [np.zeros(BIAS - PLAY_PRICE), bias, *more, np.zeros(ROW_PRICE - MISERE_PLAY_PRICE)]
        return _joined([*tables, *unused, rows.prices, rows.bid_prices, rows.left, rows.gains])
    prices = prices_of_two(rules, fitted)
    chance = np.array([all_pass_chance(rules, own, prices[2], prices[RASPAS_PART])])
    miseres = [
        misere_prices_two(rules, fitted[f"two_open_misere_{when}_outcome"].reshape(BUCKETS, 11))
        for when in ("play", "bid")
    ]
    return _joined([*tables, *prices, bias, *more, *miseres, chance])


def _joined(parts: list[Floats]) -> Floats:
    """One row of weights; what is not used at the end is zero."""
    weights = np.zeros(N_WEIGHTS)
    given = np.concatenate([part.ravel() for part in parts])
    weights[: len(given)] = given
    return weights


def _before_the_talon(prices: Floats, costs: Floats) -> list[Floats]:
    """A declarer's prices less what the talon is expected to cost, if he does not deal and does."""
    return [prices - EXPECTED_UNITS * cost[[*range(5), 0], None] for cost in costs]


def _prices(rules: np.ndarray[Any, Any], fitted: Mapping[str, Floats]) -> list[Floats]:
    """From PLAY_PRICE to DEFEND, with three or four players."""
    bid, play, raspas = (
        fitted[f"{name}_outcome"].reshape(BUCKETS, 11) for name in ("bid", "play", "raspas")
    )
    defence = defence_prices(rules, fitted)
    costs = talon_costs(rules)
    before = declarer_prices(rules, bid, UNWHISTED, defence.dealer_gains)
    return [
        declarer_prices(rules, play, UNWHISTED, defence.dealer_gains),
        *_before_the_talon(before, costs),
        defence.lone,
        defence.partner,
        defence.both,
        defence.free,
        defence.half,
        raspas_prices(rules, raspas, fitted["dealer_raspas"]),
        concession_prices(rules),
        defence.dealer_gains,
        mountain_gains(rules),
        costs,
        misere_prices(rules, CAUGHT_TRICKS),
        np.array([_defending(defence)]),
    ]


RASPAS_PART = 8
"""The place of raspas among the prices."""


def prices_of_two(rules: np.ndarray[Any, Any], fitted: Mapping[str, Floats]) -> list[Floats]:
    """The same with two: what is for a partner, for half-whist and for a dealer who sits out is
    not used, and misère has prices of its own."""
    defence = defence_prices_two(rules, fitted)
    passing = usual_defence(rules, defence, fitted)
    nobody = blind_nobody(rules, fitted)
    play, bid = (
        declarer_prices_two(rules, *declarer_chances(rules, fitted, when), nobody, passing.left)
        for when in ("play", "bid")
    )
    costs = talon_costs(rules)
    none = np.zeros(_TABLE)
    return [
        play,
        *_before_the_talon(bid, costs),
        defence.open,
        defence.blind,
        none,
        defence.left,
        none,
        raspas_prices_two(rules, fitted),
        concession_prices(rules),
        np.zeros(5),
        mountain_gains(rules),
        costs,
        np.zeros(2),
        np.array([passing.value]),
    ]


def _defending(defence: Defence) -> float:
    """Value of defending against a usual six, whisted by both or left alone."""
    usual = int(4 * (6 + DECLARER_OVER))
    alone = UNWHISTED[0]
    return float((1 - alone) * defence.both[0, usual] + alone * defence.free[0, usual])
