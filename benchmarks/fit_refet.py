"""Fit the refet game's tables of ``cautious`` to its own play: ``python -m benchmarks.fit_refet``.

Rounds of self-play. A ducker plays betl on any hand that might; a wanderer bids like ``cautious``
and comes, invites and says contra by lot: least squares on them give what a follower's tricks and
the chances at betl come from. ``cautious`` himself, one of three bolder than the others, tells how
contracts are met and end by the tricks that their declarer expects. Tables of tricks of a declarer
are those of ``fit_cautious``. Writes ``bots/weights/refet.json``.
"""

from __future__ import annotations

import click
import numpy as np

from benchmarks.fitting import (
    Array,
    N,
    count_hands,
    solve,
    suit_columns,
)
from benchmarks.refet_fitting import (
    AGAIN,
    BOLDER,
    OUTBID,
    QUARTERS,
    Deals,
    Followers,
    buckets,
    chance_of,
    ducker,
    followers_of,
    logistic,
    play,
    player,
    prior,
    ranks_of,
    rules_for,
    save,
    score_buckets,
    smoothed,
    spread,
    wanderer,
    ways_prior,
)
from bots import refet_layout
from bots.hand_tables import BUCKETS
from bots.layout import BID_SUITS
from bots.refet_layout import (
    N_PLACES,
    N_SHIFTS,
)
from bots.refet_prices import FREE, INVITING, LONE, MOST, N_WAYS, PAIR
from scoring.batch import score_results, to_results
from scoring.contract import (
    RASPAS,
    REFET_SPADES,
    SANS,
    refet_strain,
)
from scoring.result import UNIT, WHISTED


def fit_betl(seed: int, pulkas: int, tables: dict[str, Array]) -> None:
    """Danger at betl, to the declarer and from a defender, from the ducker."""
    deals = Deals(play(ducker, (0.0,) * 3, seed, pulkas, {"refets.few": 0}))
    chosen = deals.betl & (deals.rows["without_talon"] == 0)
    made = ~deals.fell & chosen
    own = deals.hands[np.arange(len(made)), deals.declarer]
    for name, hands in (("play", deals.hands[:, 3]), ("bid", own)):
        columns = ranks_of(hands[chosen])
        tables[f"betl_{name}"] = logistic(columns, ~made[chosen], tables[f"betl_{name}"])
        score = tables[f"betl_{name}"][columns].sum(axis=1)
        tables[f"betl_{name}_failed"] = chance_of(score_buckets(score), ~made[chosen])
        click.echo(f"betl {name}: {chosen.sum()} played, {made[chosen].mean():.3f} made")
    sound = np.zeros(len(made), bool)
    sound[chosen] = tables["betl_play"][ranks_of(deals.hands[chosen, 3])].sum(axis=1) < 0.5
    columns, target = [], []
    for hand in range(3):
        seen = sound & deals.followers(hand)
        columns.append(ranks_of(deals.hands[seen, hand]))
        target.append(~made[seen])
    column, fell = np.concatenate(columns), np.concatenate(target)
    tables["betl_defence"] = logistic(column, fell, tables["betl_defence"])
    score = tables["betl_defence"][column].sum(axis=1)
    tables["betl_outcome"] = chance_of(score_buckets(score), fell)
    click.echo(f"  sound ones {sound.sum()}, {1 - fell.mean():.3f} made")


def fit_followers(seed: int, pulkas: int, tables: dict[str, Array]) -> None:
    """Tricks of followers, and what comes of each way to follow, from the wanderer."""
    all_of_them = followers_of(Deals(play(wanderer, (0.0, 0.0, 0.0), seed, pulkas, {})))
    leads = all_of_them.where(all_of_them.leads)
    alone, pair = (leads.where(leads.way == way) for way in (LONE, PAIR))
    fit_count("alone", tables, alone, alone.own)
    fit_count("pair", tables, pair, pair.own)
    both = all_of_them.where(all_of_them.way != LONE)
    fit_count("both", tables, both, both.both)
    thumb = spread(QUARTERS)
    usual = np.bincount(pair.both - pair.own, minlength=MOST + 1) / len(pair.own)
    tables["pair_outcome"] = smoothed(
        buckets(pair.expected(tables, "pair")),
        (MOST + 1) * pair.own + pair.both - pair.own,
        (MOST + 1) ** 2,
        (thumb[:, :, None] * usual).reshape(BUCKETS, -1),
    )
    tables["alone_outcome"] = smoothed(
        buckets(alone.expected(tables, "alone")), alone.own, MOST + 1, thumb
    )
    for name, chosen in (("invite", leads.way == INVITING), ("contra", leads.answers > 0)):
        some = leads.where(chosen)
        bucket = buckets(some.expected(tables, "both"))
        tables[f"{name}_outcome"] = smoothed(bucket, some.both, MOST + 1, thumb)
        click.echo(f"{name}: {len(bucket)}, declarer failed {(some.both == MOST).mean():.2f}")


def fit_count(name: str, tables: dict[str, Array], some: Followers, target: Array) -> None:
    """The table of one count, its shifts by contract and place."""
    columns = suit_columns(some.hands, some.strain, 0, 1, 2)
    table, shift, rest_spread = solve(columns, target.astype(float), tables[f"{name}_tricks"])
    rest = target - table[columns].sum(axis=1) - shift
    by_base = np.bincount(some.base, rest, N_SHIFTS)
    by_base /= np.bincount(some.base, minlength=N_SHIFTS) + 50
    rest -= by_base[some.base]
    by_place = np.bincount(some.cell, rest, N_PLACES)
    by_place /= np.bincount(some.cell, minlength=N_PLACES) + 50
    tables[f"{name}_tricks"] = table
    tables[f"{name}_shift"] = shift + by_base
    tables[f"{name}_place"] = by_place
    click.echo(
        f"{name}: {len(target)} followers, {target.mean():.2f} tricks, "
        f"residual SD {rest_spread:.2f}, expected SD {some.expected(tables, name).std():.2f}"
    )


def before_the_talon(deals: Deals) -> tuple[Array, Array]:
    """The contract that was worth most before the talon from the number bid up, betl apart, and
    the tricks expected in it."""
    w = deals.w
    own = deals.hands[np.arange(len(deals.rows)), deals.declarer]
    best = np.full(len(own), -1e9)
    base = np.zeros(len(own), int)
    tricks = np.zeros(len(own))
    names = {REFET_SPADES: refet_layout.BID_SPADES, SANS: refet_layout.BID_SANS}
    for one in (2, 3, 4, 5, SANS):
        count = np.zeros(len(own))
        strain = np.full(len(own), refet_strain(one))
        count_hands(w, own, strain, deals.declarer, BID_SUITS, count)
        table = names.get(one, refet_layout.BID_SUIT)
        bucket = buckets(count)
        price = 2 * one * (w[table + bucket] + w[table + BUCKETS + bucket])
        better = (price > best) & (deals.rows["bid"] <= one)
        best[better], base[better], tricks[better] = price[better], one, count[better]
    return base, tricks


def fit_ways(deals: Deals, tables: dict[str, Array]) -> None:
    """How a declarer is met and what comes of it, by the tricks that he expects."""
    rows = deals.rows
    named = deals.tricks
    base, tricks = before_the_talon(deals)
    expected = deals.expected()
    outcome = deals.way * (MOST + 1) + np.where(deals.way == FREE, 0, deals.defence)
    for when, count, contract in (("play", expected, deals.base), ("bid", tricks, base)):
        chosen = named if when == "play" else named & (rows["without_talon"] == 0)
        plain = (contract == REFET_SPADES) & (rows["without_talon"] == 0)
        sans = contract == SANS
        for name, kind in (("spades", plain), ("sans", sans), ("suit", ~plain & ~sans)):
            some = chosen & kind
            shares = np.bincount(deals.way[some & ~deals.left], minlength=N_WAYS) + 1.0
            thumb = ways_prior(shares / shares.sum(), 10 - QUARTERS)
            bucket = buckets(count[some])
            if name == "spades":
                left = deals.left[some].astype(int)
                often = left.mean() if len(left) else 0.9
                prior_left = np.tile([1 - often, often], (BUCKETS, 1))
                tables[f"{when}_left"] = smoothed(bucket, left, 2, prior_left)[:, 1]
                some &= ~deals.left
                bucket = buckets(count[some])
            found = smoothed(bucket, outcome[some], N_WAYS * (MOST + 1), thumb)
            if name == "spades":
                found = found * (1 - tables[f"{when}_left"])[:, None]
            tables[f"{when}_{name}_ways"] = found
            if when == "play" and some.any():
                tell_ways(name, deals, some)
    contra = named & (deals.rows["contra"] > 0)
    bucket = buckets(expected[contra])
    thumb = spread(10.5 - QUARTERS)
    tables["under_contra"] = smoothed(bucket, deals.defence[contra], MOST + 1, thumb)
    fit_answers(deals, contra, tables)


def tell_ways(name: str, deals: Deals, some: Array) -> None:
    failed = deals.defence[some] == MOST
    shares = np.bincount(deals.way[some], minlength=N_WAYS) / some.sum()
    fails = [failed[deals.way[some] == way].mean() for way in range(N_WAYS)]
    click.echo(f"{name}: {some.sum()} named, failed {failed.mean():.3f}")
    click.echo(f"  met (free, lone, pair, invite, contra, recontra) {np.round(shares, 3).tolist()}")
    click.echo(f"  failed {np.round(fails, 2).tolist()}")


def fit_answers(deals: Deals, contra: Array, tables: dict[str, Array]) -> None:
    """How often contra is answered, and what comes of it then."""
    failed = deals.defence[contra] == MOST
    again = deals.rows["contra"][contra] > 1
    shares = [(again[~failed].sum() + 1) / ((~failed).sum() + 4)]
    shares.append((again[failed].sum() + 1) / (failed.sum() + 20))
    tables["recontra_share"] = np.array(shares)
    twice = deals.tricks & (deals.rows["contra"] > 1)
    usual = np.bincount(deals.defence[twice], minlength=MOST + 1) + np.array([1, 2, 3, 4, 4, 2])
    some = followers_of(deals)
    some = some.where(some.leads & (some.answers > 1))
    tables["recontra_outcome"] = smoothed(
        buckets(some.expected(tables, "both")),
        some.both,
        MOST + 1,
        np.tile(usual / usual.sum(), (BUCKETS, 1)),
    )
    click.echo(f"contra {contra.sum()}, answered (made, failed) {np.round(shares, 3).tolist()}")


def fit_betl_ways(deals: Deals, tables: dict[str, Array]) -> None:
    """Contra at betl: how often it is said and answered, if made and if failed."""
    contra = np.minimum(2, deals.rows["contra"][deals.betl])
    failed = deals.fell[deals.betl].astype(int)
    counts = np.array([[40, 2, 1], [10, 4, 1]], float)
    np.add.at(counts, (failed, contra), 1)
    share = counts / counts.sum(axis=1, keepdims=True)
    for when in ("play", "bid"):
        chance = tables[f"betl_{when}_failed"].reshape(BUCKETS, 2)
        tables[f"{when}_betl_ways"] = chance[:, None, :] * share.T[None]
    said = 1 - share[:, 0]
    under = tables["betl_play_failed"].reshape(BUCKETS, 2) * said
    tables["betl_under_contra"] = under / under.sum(axis=1, keepdims=True)
    twice = tables["betl_outcome"].reshape(BUCKETS, 2) * share[:, 2]
    tables["betl_recontra_outcome"] = twice / twice.sum(axis=1, keepdims=True)
    made = 1 - failed.mean() if len(failed) else 0
    click.echo(f"betl: {deals.betl.sum()}, made {made:.3f}, contra {np.round(share, 3).tolist()}")


def fit_usual(deals: Deals, tables: dict[str, Array]) -> None:
    """What is expected of the others."""
    rows = deals.rows
    open_suit = deals.tricks & ~deals.plain_spades
    alone = open_suit & np.isin(deals.way, (LONE, INVITING))
    counts = np.bincount(deals.defence[alone], minlength=MOST + 1)
    tables["stays_outcome"] = counts / counts.sum()
    first, second = (deals.call_of((deals.declarer + step) % 3) for step in (1, 2))
    came = [second[open_suit & (first != WHISTED)], second[open_suit & (first == WHISTED)]]
    tables["comes_too"] = np.array([(part == WHISTED).mean() for part in came])
    passed = (rows["kind"] == RASPAS).mean()
    tables["all_pass"] = passed ** np.array([2 / 3, 1 / 3, 0.0])
    usual = (rows["declarer"] >= 0) & (rows["declarer"] < 2)
    value = rows["value"][np.arange(len(rows)), rows["declarer"]] / UNIT
    gain = (value / (1 + rows["refet"]))[usual].mean()
    tables["refet_worth"] = np.array([AGAIN * max(0.0, gain)])
    tables["outbid"] = np.array([OUTBID])
    click.echo(
        f"all pass {passed:.3f}, comes too {np.round(tables['comes_too'], 2).tolist()}, "
        f"a declarer wins {gain:.1f}, tricks {np.round(tables['stays_outcome'], 2).tolist()}"
    )


def fit_defending(deals: Deals, tables: dict[str, Array]) -> None:
    """What letting others bid brings, in points, by the tricks of a lone follower's hand."""
    rows = deals.rows
    entries = score_results(rules_for(), to_results(rows))
    who = np.arange(len(rows))
    column = entries["mountain_entry"] / UNIT
    parts, bucket = [], []
    for hand in range(3):
        some = deals.followers(hand)
        player = deals.player(hand)
        his = column[who, rows["declarer"]]
        soup = entries["whist_entry"][who, 4 * player + rows["declarer"]] / UNIT
        points = np.stack(
            [np.maximum(0, -his), np.maximum(0, his), soup, column[who, player]], axis=1
        )
        parts.append(points[some])
        count = tables["alone_tricks"][N : 2 * N][ranks_of(deals.hands[some, hand])].sum(axis=1)
        bucket.append(buckets(count))
    points, where = np.concatenate(parts), np.concatenate(bucket)
    table = np.zeros((BUCKETS, 4))
    usual = points.mean(axis=0)
    for b in range(BUCKETS):
        weight = 0.5 ** np.abs(where - b)
        near = weight > 0.1
        total = weight[near].sum()
        table[b] = ((weight[near, None] * points[near]).sum(axis=0) + 50 * usual) / (total + 50)
    tables["defend_points"] = table
    click.echo(f"defending: made, failed, soup, short {np.round(usual, 2).tolist()}")


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the self-play.")
@click.option("--pulkas", default=3000, show_default=True, help="Pulkas of a run.")
@click.option("--rounds", default=5, show_default=True, help="Rounds of play and fit.")
def main(seed: int, pulkas: int, rounds: int) -> None:
    """Refit the tables from the rules of thumb on, and write them."""
    recipe = {"seed": seed, "pulkas": pulkas, "rounds": rounds}
    tables = prior()
    save(tables, recipe)
    for k in range(rounds):
        click.echo(f"round {k + 1}")
        before = dict(tables)
        fit_betl(seed + 10 * k, pulkas, tables)
        fit_followers(seed + 10 * k + 1, pulkas, tables)
        blend(before, tables, k)
        save(tables, recipe)
        deals = Deals(play(player, (0.0, 0.0, BOLDER), seed + 10 * k + 2, pulkas, {}))
        before = dict(tables)
        fit_betl_ways(deals, tables)
        fit_ways(deals, tables)
        fit_usual(deals, tables)
        fit_defending(deals, tables)
        blend(before, tables, k)
        save(tables, recipe)


def blend(before: dict[str, Array], tables: dict[str, Array], k: int) -> None:
    """Go half of the way after the first round: what is bid and what is met depend on each other,
    and would swing to and fro."""
    for name in before:
        if k > 0:
            tables[name] = (before[name].ravel() + tables[name].ravel()) / 2


if __name__ == "__main__":
    main()
