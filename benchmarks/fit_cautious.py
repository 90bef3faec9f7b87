"""Fit the trick tables of ``cautious`` to its own play: ``python -m benchmarks.fit_cautious``.

Rounds of self-play: an explorer plays sixes in every strain with the card play of ``cautious``, and
``cautious`` with every contract whisted plays pulkas. Least squares with a ridge gives additive
tables, one entry for each set of ranks in a suit, shrunk towards rules of thumb where a set is
rare. Writes ``bots/weights/cautious.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from bots import hand_tables
from bots.api import (
    AUCTION,
    CALL_WHIST,
    CARD,
    CLOSED,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    NO_TRUMP,
    OPEN,
    PASS,
    WHIST,
    below,
    bot,
    ctz,
    kernel,
)
from bots.cautious import N_MEMORY, decide
from bots.club_play import choose_card
from bots.prices import N_MARGINS, SPAN
from bots.valuation import (
    BID_SUITS,
    PLAY_SUITS,
    SIDE,
    count_tricks,
    discard_for,
    make_weights,
    sum_suits,
)
from scoring.contract import RASPAS, TRICKS
from scoring.kernel import outline
from scoring.variant import find_variant
from sim.botcall import Bot
from sim.deals import unrank
from sim.engine import Shard

FILE = Path(hand_tables.__file__).parent / "weights" / "cautious.json"
RIDGE = 40.0
PRIOR_WEIGHT = 20.0
FEWEST = 500
"""Games that tell what two passes mean."""
USUAL_SPREAD = (0.03, 0.10, 0.22, 0.30, 0.22, 0.10, 0.03)
BUCKETS = hand_tables.BUCKETS
N = hand_tables.N_MASKS
Array = np.ndarray[Any, np.dtype[Any]]
Ranks = tuple[int, ...]


def _led_from_top(own: Ranks, left: Ranks, right: Ranks) -> float:
    """Tricks in a suit led by its holder from the top; the others beat when they can."""
    hands = [list(left), list(right)]
    tricks = 0
    for card in reversed(own):
        beaten = False
        for hand in hands:
            higher = [c for c in hand if c > card]
            if higher and not beaten:
                hand.remove(higher[0])
                beaten = True
            elif hand:
                hand.pop(0)
        tricks += not beaten
    return tricks


def _cashed_against(own: Ranks, left: Ranks, right: Ranks) -> float:
    """Tricks in a suit the others cash from the top: what they cannot take is won."""
    hands = [list(left), list(right)]
    mine = list(own)
    tricks = 0
    while mine:
        leader = 0 if not hands[1] or (hands[0] and hands[0][-1] > hands[1][-1]) else 1
        if not hands[leader]:
            return tricks + len(mine)
        led = hands[leader].pop()
        if hands[1 - leader]:
            hands[1 - leader].pop(0)
        higher = [c for c in mine if c > led]
        mine.remove(higher[0] if higher else mine[0])
        tricks += bool(higher)
    return tricks


def _ducked(own: Ranks, left: Ranks, right: Ranks) -> float:
    """Tricks in a suit at raspas: all play low, the holder ducks whenever he can."""
    hands = [list(left), list(right)]
    mine = list(own)
    tricks = 0
    while mine and any(hands):
        top = max(hand.pop(0) for hand in hands if hand)
        lower = [c for c in mine if c < top]
        tricks += not lower
        mine.remove(lower[-1] if lower else mine[-1])
    return tricks


def prior_tables() -> dict[str, Array]:
    """Rules of thumb the fits start from and fall back to."""
    top = hand_tables.suit_table(_led_from_top)
    cashed = hand_tables.suit_table(_cashed_against)
    ducked = hand_tables.suit_table(_ducked)
    stopper = np.minimum(2.0, cashed)
    side = (top + cashed) / 2
    return {
        "play_trump": top,
        "play_side": side,
        "play_no_trump": side,
        "bid_trump": top,
        "bid_side": side,
        "bid_no_trump": side,
        "raspas": ducked,
        "defence_trump": -stopper,
        "defence_side": -stopper,
        "play_position": np.zeros(6),
        "bid_position": np.zeros(6),
        **{
            f"{name}_outcome": outcomes(np.zeros(0), np.zeros(0))
            for name in ("play", "bid", "raspas", "defence")
        },
        "passed_outcome": np.tile(np.arange(2 * SPAN + 1) == SPAN, (N_MARGINS, 1)).astype(float),
        "dealer_raspas": np.array([1.0, 0.0, 0.0]),
    }


def explorer_weights(rules: Any, options: Mapping[str, float]) -> Any:
    return np.append(make_weights(rules, {"bias": 0.0}), options["best"])


@kernel
def _best_strain(w: Any, twelve: int, position: int) -> int:
    """The strain with the most tricks expected after its discard."""
    best = 0
    most = -1000.0
    for strain in range(5):
        rest = twelve & ~discard_for(w, twelve, strain)[0]
        side = sum_suits(w, rest, PLAY_SUITS + SIDE)
        tricks = count_tricks(w, rest, strain, position, PLAY_SUITS, side)
        if tricks > most:
            best = strain
            most = tricks
    return best


@bot(memory=2, options={"best": 0.0}, weights=explorer_weights)
def explorer(view: Any, own: Any) -> int:
    """Plays a six in a random strain, or in the one that promises most."""
    w = own.weights
    if view.phase == CARD:
        return choose_card(view, 0)
    if view.phase == AUCTION:
        bids = view.bid < 0 and (view.mover == 2 or below(view.random, 3) == 0)
        return FIRST_BID if bids else PASS
    if view.phase == DISCARD:
        if view.discard == 0:
            strain = below(view.random, 5)
            if w[len(w) - 1] > 0:
                strain = _best_strain(w, view.hand, view.mover)
            own.memory[1] = strain
            own.memory[0] = discard_for(w, view.hand, strain)[0]
        return ctz(own.memory[0] & view.legal & ~view.discard)
    if view.phase == CONTRACT:
        return own.memory[1]
    if view.phase == WHIST:
        return CALL_WHIST
    return CLOSED


@bot(memory=N_MEMORY, options={"bias": 0.0}, weights=make_weights)
def whister(view: Any, own: Any) -> int:
    """``cautious`` with every contract whisted by both and played closed."""
    if view.phase == WHIST:
        return CALL_WHIST
    return CLOSED if view.phase == OPEN else decide(view, own)


@outline
def count_hands(
    w: Any, hands: Any, strains: Any, positions: Any, suits: int, expected: Any
) -> None:
    """Tricks expected of each hand in its strain, or (strain -1) in its best one."""
    for k in range(len(hands)):
        side = sum_suits(w, hands[k], suits + SIDE)
        if strains[k] >= 0:
            expected[k] = count_tricks(w, hands[k], strains[k], positions[k], suits, side)
        else:
            expected[k] = -1000.0
            for strain in range(5):
                tricks = count_tricks(w, hands[k], strain, positions[k], suits, side)
                expected[k] = max(expected[k], tricks)


@outline
def deal_hands(w: Any, numbers: Any, declarer: Any, strain: Any, hands: Any) -> None:
    """hands[k] = three hands, and the declarer's hand after his discard, of each deal."""
    for k in range(len(numbers)):
        hand0, hand1, hand2, talon = unrank(numbers[k])
        hands[k, 0] = hand0
        hands[k, 1] = hand1
        hands[k, 2] = hand2
        if declarer[k] >= 0:
            twelve = hands[k, declarer[k]] | talon
            hands[k, 3] = twelve & ~discard_for(w, twelve, strain[k])[0]


def play(
    who: Any,
    options: Mapping[str, float],
    variant: str,
    seed: int,
    pulkas: int,
    n_players: int = 3,
) -> Array:
    bots = [Bot("fit", who, options)] * n_players
    rules = find_variant(variant).rules(n_players)
    return Shard(rules, bots, seed, 0, pulkas, max_deals=200).run().deals


def hands_of(rows: Array) -> tuple[Array, Array]:
    """The hands of each deal (deals x 4), and the declarer's hand number (-1 at raspas)."""
    w = make_weights(find_variant("sochi").rules(), {"bias": 0.0})
    declarer = np.where(rows["declarer"] < 0, -1, (rows["declarer"] - rows["dealer"] - 1) % 3)
    hands = np.zeros((len(rows), 4), np.int64)
    deal_hands(w, rows["number"].copy(), declarer, rows["strain"].copy(), hands)
    return hands, declarer


def suit_columns(hands: Array, strain: Array, trump: int, side: int, plain: int) -> Array:
    """Column of each of a hand's four suits in the design matrix (tables side by side)."""
    columns = np.zeros((len(hands), 4), np.int64)
    for suit in range(4):
        ranks = hands >> (8 * suit) & 255
        table = np.where(strain == NO_TRUMP, plain, np.where(strain == suit, trump, side))
        columns[:, suit] = table * N + ranks
    return columns


def solve(columns: Array, target: Array, prior: Array) -> tuple[Array, float, float]:
    """Ridge least squares around a prior; returns the table, its intercept, and the residual SD."""
    size = len(prior)
    predicted = prior[columns].sum(axis=1)
    shift = float((target - predicted).mean())
    rest = target - predicted - shift
    gram = np.zeros(size * size)
    right = np.zeros(size)
    for a in range(4):
        right += np.bincount(columns[:, a], rest, size)
        for b in range(4):
            gram += np.bincount(columns[:, a] * size + columns[:, b], minlength=size * size)
    matrix = gram.reshape(size, size) + RIDGE * np.eye(size)
    table = prior + np.linalg.solve(matrix, right)
    residual = target - shift - table[columns].sum(axis=1)
    return table, shift, float(residual.std())


def tricks_of(rows: Array, player: Array) -> Array:
    return rows["tricks"][np.arange(len(rows)), player].astype(float)


def position_shift(strain: Array, hand: Array, residual: Array) -> Array:
    """Mean residual by (suit contract or no trump, the declarer's hand number)."""
    cell = 3 * (strain == NO_TRUMP) + hand
    return np.bincount(cell, residual, 6) / np.maximum(1, np.bincount(cell, minlength=6))


def outcomes(expected: Array, tricks: Array) -> Array:
    """[bucket, k]: chance of k tricks when bucket / 4 are expected, smoothed over neighbours."""
    bucket = np.clip(np.rint(4 * expected), 0, BUCKETS - 1).astype(int)
    counts = np.bincount(bucket * 11 + tricks.astype(int), minlength=BUCKETS * 11)
    counts = counts.reshape(BUCKETS, 11).astype(float)
    padded = np.pad(counts, ((1, 1), (0, 0)))
    smooth = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    usual = np.zeros((BUCKETS, 11))
    for b in range(BUCKETS):
        for offset, chance in enumerate(USUAL_SPREAD, -(len(USUAL_SPREAD) // 2)):
            usual[b, min(10, max(0, round(b / 4) + offset))] += chance
    total = smooth + PRIOR_WEIGHT * usual
    return total / total.sum(axis=1, keepdims=True)


def fit_declarer(seed: int, pulkas: int, tables: dict[str, Array]) -> None:
    """Play tables from both explorers, bid tables from the one with random strains; outcomes from
    the one that plays his best strain."""
    uniform = play(explorer, {"best": 0.0}, "sochi", seed, pulkas)
    best = play(explorer, {"best": 1.0}, "sochi", seed + 1, pulkas)
    for prefix, rows in (("play", np.concatenate([uniform, best])), ("bid", uniform)):
        hands, hand = hands_of(rows)
        own = hands[:, 3] if prefix == "play" else hands[np.arange(len(rows)), hand]
        columns = suit_columns(own, rows["strain"], 0, 1, 2)
        names = [f"{prefix}_{kind}" for kind in ("trump", "side", "no_trump")]
        prior = np.concatenate([tables[name] for name in names])
        tricks = tricks_of(rows, rows["declarer"])
        table, shift, spread = solve(columns, tricks, prior)
        for k, name in enumerate(names):
            tables[name] = table[k * N : (k + 1) * N]
        residual = tricks - table[columns].sum(axis=1)
        tables[f"{prefix}_position"] = position_shift(rows["strain"], hand, residual)
        click.echo(f"{prefix}: {len(rows)} deals, intercept {shift:.2f}, residual SD {spread:.2f}")
        click.echo(f"  by position {np.round(tables[f'{prefix}_position'], 2).tolist()}")
    save(tables, {})
    fit_outcomes(best, tables)


def fit_outcomes(best: Array, tables: dict[str, Array]) -> None:
    """Tricks by expected tricks, for the explorer that plays his best strain."""
    w = make_weights(find_variant("sochi").rules(), {"bias": 0.0})
    hands, hand = hands_of(best)
    tricks = tricks_of(best, best["declarer"])
    expected = np.zeros((2, len(best)))
    count_hands(w, hands[:, 3], best["strain"].copy(), hand, PLAY_SUITS, expected[0])
    before = hands[np.arange(len(best)), hand]
    count_hands(w, before, np.full(len(best), -1), hand, BID_SUITS, expected[1])
    for k, name in enumerate(("play", "bid")):
        tables[f"{name}_outcome"] = outcomes(expected[k], tricks)
        error = tricks - expected[k]
        click.echo(f"  {name} outcome: mean error {error.mean():.2f}, SD {error.std():.2f}")


def fit_others(seed: int, pulkas: int, variants: tuple[str, ...], tables: dict[str, Array]) -> None:
    """Raspas and defence tables from the bot's own pulkas."""
    rows = np.concatenate(
        [play(whister, {}, name, seed + k, pulkas) for k, name in enumerate(variants)]
    )
    hands, declarer = hands_of(rows)
    raspas = rows["kind"] == RASPAS
    columns, target = [], []
    for hand in range(3):
        player = (rows["dealer"] + 1 + hand) % 3
        columns.append(suit_columns(hands[raspas, hand], np.full(raspas.sum(), 4), 0, 0, 0))
        target.append(tricks_of(rows, player)[raspas])
    column, tricks = np.concatenate(columns), np.concatenate(target)
    table, shift, spread = solve(column, tricks, tables["raspas"])
    tables["raspas"] = table + shift / 4
    tables["raspas_outcome"] = outcomes(tables["raspas"][column].sum(axis=1), tricks)
    click.echo(f"raspas: {raspas.sum()} deals, intercept {shift:.2f}, residual SD {spread:.2f}")

    fit_defence(rows, hands, declarer, tables)
    four = play(whister, {}, "sochi", seed + len(variants), pulkas, 4)
    four = four[four["kind"] == RASPAS]
    tables["dealer_raspas"] = np.bincount(tricks_of(four, four["dealer"]).astype(int), minlength=3)
    tables["dealer_raspas"] = tables["dealer_raspas"] / len(four)
    click.echo(f"dealer at raspas: {np.round(tables['dealer_raspas'], 3).tolist()}")


def fit_defence(rows: Array, hands: Array, declarer: Array, tables: dict[str, Array]) -> None:
    """Defence tables from games that both defenders whisted, and what two passes would have said
    of them."""
    columns, target, levels = [], [], []
    games = (rows["kind"] == TRICKS) & (rows["played"] == 1)
    over = tricks_of(rows, rows["declarer"]) - rows["level"]
    for hand in range(3):
        chosen = games & (declarer != hand)
        columns.append(suit_columns(hands[chosen, hand], rows["strain"][chosen], 1, 0, 0))
        target.append(over[chosen])
        levels.append(rows["level"][chosen])
    prior = np.concatenate([tables["defence_side"], tables["defence_trump"]])
    column, excess, level = map(np.concatenate, (columns, target, levels))
    table, shift, spread = solve(column, excess, prior)
    tables["defence_side"] = table[:N] + shift / 4
    tables["defence_trump"] = table[N:] + shift / 4
    expected = level + shift + table[column].sum(axis=1)
    tables["defence_outcome"] = outcomes(expected, excess + level)
    for one in range(6, 11):
        chosen = games & (rows["level"] == one)
        if chosen.any():
            click.echo(f"{one}: {chosen.sum()} played, declarer over {over[chosen].mean():.2f}")
    click.echo(f"defence: intercept {shift:.2f}, residual SD {spread:.2f}")
    least = np.full(len(rows), 99.0)
    for hand in range(3):
        chosen = games & (declarer != hand)
        effect = table[suit_columns(hands[chosen, hand], rows["strain"][chosen], 1, 0, 0)]
        least[chosen] = np.minimum(least[chosen], shift + effect.sum(axis=1))
    tables["passed_outcome"] = outcomes_after_passes(least[games], over[games])


def outcomes_after_passes(least: Array, over: Array) -> Array:
    """[margin, overtricks + SPAN]: chances of overtricks where both defenders expect at least so
    many, in quarters around none; ``least`` is the less of what the two expect.

    Margins that hardly any two defenders reach are taken like the last that many do.
    """
    table = np.zeros((N_MARGINS, 2 * SPAN + 1))
    for k in range(N_MARGINS):
        margin = (k - N_MARGINS // 2) / 4
        passed = least >= margin - 0.125
        if k > 0 and passed.sum() < FEWEST:
            table[k] = table[k - 1]
            continue
        made = np.clip(over[passed], -SPAN, SPAN).astype(int) + SPAN
        table[k] = np.bincount(made, minlength=2 * SPAN + 1) / len(made)
        mean = over[passed].mean()
        click.echo(f"  both expect {margin:+.2f} or more: {passed.sum()} games, over {mean:.2f}")
    return table


def save(tables: dict[str, Array], recipe: dict[str, int]) -> None:
    data = {
        "what": "expected tricks by ranks in a suit (bit 0 = seven), chances; thousandths",
        "made_by": "python -m benchmarks.fit_cautious",
        "recipe": recipe,
        "tables": {
            name: np.rint(1000 * table).astype(int).ravel().tolist()
            for name, table in tables.items()
        },
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    hand_tables.fitted_tables.cache_clear()


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the self-play.")
@click.option("--pulkas", default=6000, show_default=True, help="Pulkas of an explorer a round.")
@click.option("--rounds", default=3, show_default=True, help="Rounds of play and fit.")
def main(seed: int, pulkas: int, rounds: int) -> None:
    """Refit the tables from the rules of thumb on, and write them."""
    prior = prior_tables()
    recipe = {"seed": seed, "pulkas": pulkas, "rounds": rounds}
    save(prior, recipe)
    for k in range(rounds):
        click.echo(f"round {k + 1}")
        tables = prior_tables() if k == 0 else dict(hand_tables.fitted_tables())
        fit_declarer(seed + 10 * k, pulkas, tables)
        save(tables, recipe)
        fit_others(seed + 10 * k + 5, pulkas // 2, ("sochi", "rostov"), tables)
        save(tables, recipe)


if __name__ == "__main__":
    main()
