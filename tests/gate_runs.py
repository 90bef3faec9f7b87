"""What the gates of bots ask of runs: hands that were played, tricks that are sure, deals played
from an empty sheet by number, and runs of two rule sets compared."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from bot_runs import fresh, play, rules_of

from bots import find_bot
from bots.expert import study as expert_study
from bots.study.environment import learned, weights_with
from bots.study.rows import GRAIN, N_FEATURES
from scoring.kernel import JIT, make_records, outline
from scoring.result import UNIT
from scoring.variant import find_variant
from sim.analysis import Estimate
from sim.botcall import OWN_DTYPE, address_of, call_bot
from sim.deals import rank, unrank
from sim.engine import Batch
from sim.run import Run, make_run, study
from sim.state import CARD
from sim.table import Table
from sim.training.explore import Explorer
from sim.training.kernels.exploring import GROUP, N_HEAD, ROW, STRAYED, VALUE
from sim.view import reveal_private

RASPAS, TRICKS, MISERE_GAME = range(3)


def _masters(ranks: int) -> int:
    """Sure tricks of a suit: its tops, and all its cards if the tops draw the missing ones."""
    tops = next(k for k in range(9) if k == 8 or not ranks >> 7 - k & 1)
    return ranks.bit_count() if tops >= 8 - ranks.bit_count() else tops


MASTERS = [_masters(ranks) for ranks in range(256)]
"""By ranks held: how many tricks of a suit are sure, if nobody ruffs."""


@functools.cache
def run_of(bot: str, name: str, pulkas: int, free_raspas: bool = False) -> Batch:
    """Three of a bot at a table, with all decisions; raspas may be made worth nothing to all."""
    settings = {"raspas.price": 0, "raspas.zero_column": "none"} if free_raspas else None
    return play(name, [find_bot(bot)] * 3, pulkas, 10, 17, settings=settings)


def hands_of(number: int) -> tuple[int, int, int]:
    """The three hands as dealt."""
    a, b, c = unrank(number)[:3]
    return int(a), int(b), int(c)


def suits(hand: int) -> list[int]:
    return [hand >> 8 * suit & 0xFF for suit in range(4)]


def sure_trumps(hand: int) -> int:
    """Tricks that the best suit of a hand takes as trumps against any cards, whoever leads."""
    return max(map(MASTERS.__getitem__, suits(hand)))


def is_laydown(hand: int) -> bool:
    """Whether ten cards take all tricks against any others on their own lead, at no trump or in a
    suit of which they draw all that is missing: every card is a master."""
    return all(MASTERS[ranks] == ranks.bit_count() for ranks in suits(hand))


def may_lay_down(deal: Any) -> bool:
    """Whether the eldest declares and ten of his twelve cards may be masters."""
    hand, _, _, talon = unrank(int(deal["number"]))
    twelve = suits(int(hand) | int(talon))
    eldest = (int(deal["dealer"]) + 1) % 3 == int(deal["declarer"])
    return eldest and sum(map(MASTERS.__getitem__, twelve)) >= 10


class Played(NamedTuple):
    """A declarer's ten cards when the first card was led, the number of his hand, his row."""

    cards: int
    hand: int
    row: Any


def played_hands(batch: Batch, name: str, which: Sequence[int], pool: int = 10) -> Iterator[Played]:
    """The declarers' hands of some deals of a run, played again up to the first card."""
    assert batch.plays is not None
    table = Table(rules_of(name, None, 3, pool))
    for k in which:
        row = batch.deals[k]
        fresh(table, row).lay(int(row["number"]))
        given = iter(batch.plays[k, : row["n_decisions"]].tolist())
        while not table.done and int(table.view["phase"]) != CARD:
            legal = table.legal
            table.apply(next(given) if legal & (legal - 1) else legal.bit_length() - 1)
        hand = int(table.view["hand_of"][int(row["declarer"])])
        yield Played(table.hands()[hand], hand, row)


# Deals by number


@outline
def _ask(view: Any, hidden: Any, own: Any, address: int) -> int:
    reveal_private(view, hidden)
    return int(call_bot(address, view, own))


class Seats:
    """A table of one jitted bot in all seats, at which any deal is played from an empty sheet."""

    def __init__(self, bot: str, name: str, pool: int = 10) -> None:
        one = find_bot(bot)
        assert one.needs is not None
        self._rules = rules_of(name, None, 3, pool)
        self._address = address_of(one.maker, bot)
        self._own = make_records(OWN_DTYPE, 3)
        self._memory = np.zeros((3, one.needs.memory), np.int64)
        self._keep = [one.weights(self._rules), np.zeros(one.needs.workspace, np.int64)]
        for player in range(3):
            arrays = (self._keep[0], self._memory[player], self._keep[1])
            for field, array in zip(("weights", "memory", "workspace"), arrays, strict=True):
                self._own[player][field] = array.ctypes.data if JIT else array
                self._own[player][f"n_{field}"] = len(array)

    def play(self, number: int, talon_order: Sequence[int]) -> Any:
        """The row of a deal; the talon's cards in this order."""
        table = Table(self._rules)
        table.lay(number)
        table.hidden["talon_order"] = list(talon_order)
        self._memory[:] = 0
        while not table.done:
            legal = table.legal
            if legal & (legal - 1) == 0:
                table.apply(legal.bit_length() - 1)
                continue
            own = self._own[int(table.view["player"])]
            table.apply(_ask(table.view, table.hidden, own, self._address))
        return table.finish()[0][0]


def relabelled(number: int, order: Sequence[int]) -> int:
    """The number of the deal in which suit k stands where ``order[k]`` was."""
    hands = [
        sum(ranks << 8 * k for k, ranks in enumerate(suits(int(cards))[s] for s in order))
        for cards in unrank(number)
    ]
    return int(rank(hands[0], hands[1], hands[3]))


# Rule sets compared


def compare(
    bot: str,
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    metric: str,
    pulkas: int,
    name: str = "sochi",
) -> Estimate:
    """A metric under one set of conventions minus that under another, same deals, 95 % interval."""
    runs: list[Run] = [
        make_run(find_variant(name, settings), [find_bot(bot)], pulkas, pool=10, seed=23)
        for settings in (one, other)
    ]
    moments = study(runs)
    (found,) = (m for m in moments.metrics if m.name == metric)
    return moments.difference(0, 1, found)


# What is thought of candidates, and what comes of them


class Gaps(NamedTuple):
    """By explored decision and candidate not chosen: how much less than the chosen one it was
    thought to bring, and how much less it brought, in whists; the first row of its block, and the
    number of the decision."""

    predicted: Any
    realised: Any
    row: Any
    group: Any


def explored_gaps(name: str, deals: int, seed: int = 41) -> Gaps:
    """Decisions of three of ``expert``, with every candidate that he studies played out."""
    rules = find_variant(name).rules(3)
    rows = learned(rules)
    weights = weights_with(rules, rows)
    explorer = Explorer(rules, find_bot("expert"), expert_study, N_FEATURES, weights)
    samples = explorer.samples(seed, 0, deals)
    samples = samples[samples[:, STRAYED] == 0]
    group, row = samples[:, GROUP], samples[:, ROW]
    predicted = (samples[:, N_HEAD:] * rows[row]).sum(axis=1) / GRAIN
    realised = samples[:, VALUE] / UNIT
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    counts = np.diff(starts, append=len(group))
    best = np.repeat(np.maximum.reduceat(predicted, starts), counts)
    chosen = np.flatnonzero(predicted == best)
    chosen = chosen[np.diff(group[chosen], prepend=-1) > 0]
    first = np.repeat(chosen, counts)
    others = np.flatnonzero(np.arange(len(group)) != first)
    base = first[others]
    return Gaps(
        predicted[base] - predicted[others],
        realised[base] - realised[others],
        row[base],
        group[others],
    )
