"""Fit the trick tables of ``cautious`` to its own play: ``python -m benchmarks.fit_cautious``.

Rounds of self-play: an explorer plays sixes in every strain with the card play of ``cautious``, and
``cautious`` with every contract whisted plays pulkas. Least squares with a ridge gives additive
tables, one entry for each set of ranks in a suit, shrunk towards rules of thumb where a set is
rare. Tables of two players (``fit_two``) start from those of three. Writes
``bots/weights/cautious.json``.
"""

from __future__ import annotations

import click
import numpy as np

from benchmarks.fit_two import fit_two
from benchmarks.fitting import (
    Array,
    N,
    count_hands,
    deal_hands,
    explorer,
    outcomes,
    play,
    position_shift,
    prior_tables,
    save,
    solve,
    suit_columns,
    tricks_of,
    whister,
)
from bots import hand_tables
from bots.layout import BID_SUITS, PLAY_SUITS, make_weights
from bots.prices import N_MARGINS, SPAN
from scoring.contract import RASPAS, TRICKS
from scoring.variant import find_variant

FEWEST = 500
"""Games that tell what two passes mean."""


def hands_of(rows: Array) -> tuple[Array, Array]:
    """The hands of each deal (deals x 4), and the declarer's hand number (-1 at raspas)."""
    w = make_weights(find_variant("sochi").rules(), {"bias": 0.0})
    declarer = np.where(rows["declarer"] < 0, -1, (rows["declarer"] - rows["dealer"] - 1) % 3)
    hands = np.zeros((len(rows), 4), np.int64)
    deal_hands(w, rows["number"].copy(), declarer, rows["strain"].copy(), hands)
    return hands, declarer


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
    fit_two(seed, pulkas, rounds)
    save(dict(hand_tables.fitted_tables()), recipe)


if __name__ == "__main__":
    main()
