"""No bot can learn more than its player may know, and it is told all of that.

Whatever a player cannot have seen is dealt anew behind his back, and the same is called and played:
neither his view nor his bot's answer may change. A witness says what he must see.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from random_play import TABLES, bits, house_razboinik, house_refet, house_variant
from refet_moods import mood_of
from shipped_bots import slowly
from twin_moods import random_number
from witness import Witness, as_plain, mask
from witness_refet import watching

from bots import bot_descriptions
from scoring.contract import MISERE_GAME, RASPAS, TRICKS
from scoring.kernel import JIT, Record, make_records, outline
from scoring.result import MAX_PLAYERS
from scoring.variant import Variant, find_variant
from sim.botcall import OWN_DTYPE, Bot, Policy, address_of, bot, call_bot
from sim.deals import rank, unrank
from sim.engine import Shard
from sim.state import CARD, DISCARD, PASS_ALONG, PHASES, VIEW_DTYPE
from sim.table import Table
from sim.view import prepare, reveal_private

N_DEALS = 3
BOTS = ("wild", *bot_descriptions())
Seat = Callable[[str], Bot]


@outline
def _ask(address: int, view: Record, own: Record) -> int:
    return call_bot(address, view, own)


@outline
def _show(view: Record, hidden: Record, rules: Record) -> None:
    """Fill the private slots of the mover as the engine does before it asks a bot."""
    prepare(view, hidden, rules)
    reveal_private(view, hidden)


class Player:
    """A jitted bot called by address outside the engine, with memory that is given and returned."""

    def __init__(self, one: Bot, rules: np.ndarray[Any, Any]) -> None:
        needs = one.needs
        assert needs is not None
        self.address = address_of(one.maker, one.name)
        self.memory = np.zeros(needs.memory, np.int64)
        self._weights = one.weights(rules)
        self._workspace = np.zeros(needs.workspace, np.int64)
        self._own = make_records(OWN_DTYPE, 1)[0]
        for name, array in (
            ("weights", self._weights),
            ("memory", self.memory),
            ("workspace", self._workspace),
        ):
            self._own[name] = array.ctypes.data if JIT else array
            self._own[f"n_{name}"] = len(array)
        self._policy = None if one.policy is None else Policy(one.policy, rules)
        if self._policy is not None:
            self._policy.lend(self._own)

    def answer(self, view: Any, memory: list[int], garbage: int) -> tuple[int, list[int]]:
        """The action on a view, and the memory after it; the workspace is filled with garbage."""
        self.memory[:] = memory
        self._workspace[:] = np.random.default_rng(garbage).integers(
            -(1 << 62), 1 << 62, len(self._workspace)
        )
        return int(_ask(self.address, view, self._own)), self.memory.tolist()


def snapshot(record: Any) -> Any:
    """All fields of a view, to compare."""
    if JIT:
        return record.tobytes()
    fields = {name: x for name, x in record.fields().items() if name != "rules"}
    return repr(fields)


def save_view(view: Any) -> dict[str, Any]:
    """All fields of a view but the address of the rules, as integers and lists."""
    return {name: as_plain(view[name]) for name in VIEW_DTYPE.names or () if name != "rules"}


def restore(record: Any, saved: dict[str, Any]) -> None:
    """Write saved fields back into the record."""
    for name, value in saved.items():
        if isinstance(value, list):
            for k, item in enumerate(value):
                record[name][k] = item
        else:
            record[name] = value


def garble_the_rest(chance: random.Random, hidden: Any, player: int) -> None:
    """Fill with garbage what is hidden besides cards: keys of others, numbers, entries."""
    for other in range(MAX_PLAYERS):
        if other != player:
            hidden["key"][other] = chance.getrandbits(64)
            hidden["drawn"][other] = chance.randrange(100)
    for name in ("pulka", "next_pulka", "number", "n_decisions"):
        hidden[name] = chance.getrandbits(40)
    for name in ("balance", "before", "gain", "bonus", "mountain_entry", "whist_entry"):
        for k in range(len(hidden[name])):
            hidden[name][k] = chance.getrandbits(20)


Swap = dict[int, int]


class Deal:
    """A deal as it was laid and what was done in it, to be done again with other hidden cards."""

    def __init__(self, table: Table, number: int) -> None:
        self.before = save_view(table.view)
        table.lay(number)
        self.dealer = int(table.view["dealer"])
        self.hands = [bits(int(hand)) for hand in unrank(number)[:3]]
        self.talon = [int(card) for card in table.hidden["talon_order"]]
        self.done: list[tuple[int, int]] = []

    def do_again(self, mirror: Table, swap: Swap) -> bool:
        """Lay the deal with cards swapped, and do what was done; False where that is not legal.

        Who laid cards away lays the swapped ones away, in their order.
        """
        restore(mirror.view, self.before)
        hands = [mask(swap.get(card, card) for card in hand) for hand in self.hands]
        talon = [swap.get(card, card) for card in self.talon]
        mirror.lay(rank(hands[0], hands[1], mask(talon)), self.dealer)
        turned = bool(mirror.view["talon"])  # razboinik may begin with the talon
        for place, card in enumerate(talon):
            mirror.hidden["talon_order"][place] = card
            mirror.view["talon_card"][place] = card if turned else -1
        try:
            for action in self._actions(swap):
                mirror.apply(action)
        except ValueError:
            return False
        return True

    def _actions(self, swap: Swap) -> Iterator[int]:
        first = -1
        for k, (phase, action) in enumerate(self.done):
            if phase not in (DISCARD, PASS_ALONG):
                yield action
            elif first < 0 and k + 1 < len(self.done):
                first = action
            elif first < 0:  # the second is still to be laid away
                yield swap.get(action, action)
            else:
                yield from sorted(swap.get(card, card) for card in (first, action))
                first = -1


class Session:
    """Deals at one table; every decision of a bot is asked twice, then with other secrets."""

    def __init__(self, variant: Variant, n: int, one: Bot, seed: int) -> None:
        self.chance = random.Random(f"{variant.name} {n} {one.name} {seed}")
        self.variant = variant
        self.n = n
        rules = variant.rules(n)
        self.table, self.mirror = Table(rules), Table(rules)
        self.player = Player(one, rules)
        self.memory = [[0] * len(self.player.memory) for _ in range(MAX_PLAYERS)]
        self.asked: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()

    def play_deal(self) -> None:
        """Play a deal of the bot, in one seat or more, with players who choose at random."""
        table, chance = self.table, self.chance
        self.deal = Deal(table, random_number(chance))
        self.witness = watching(self.variant, self.n, table)
        for player in range(MAX_PLAYERS):
            table.hidden["key"][player] = chance.getrandbits(64)
        chooser = mood_of(self.variant, chance, table.hands())
        bots = chance.sample(range(self.n), chance.randint(1, self.n))
        while not table.done:
            legal = bits(table.legal)
            action = chooser.choose(table.view, legal)
            if len(legal) > 1 and int(table.view["player"]) in bots:
                action = self.decide()
            assert action in legal
            phase = int(table.view["phase"])
            self.witness.hear(phase, int(table.view["mover"]), action)
            self.deal.done.append((phase, action))
            table.apply(action)
        table.finish()

    def decide(self) -> int:
        """The bot's answer, the same with other secrets and another workspace."""
        view, hidden, chance = self.table.view, self.table.hidden, self.chance
        player, phase = int(view["player"]), int(view["phase"])
        drawn = int(hidden["drawn"][player])
        _show(view, hidden, self.table.rules)
        self.witness.check(view)
        seen = snapshot(view)
        action, memory = self.player.answer(view, self.memory[player], chance.getrandbits(30))
        assert snapshot(view) == seen

        self.asked[PHASES[phase]] += 1
        if chance.random() < 0.25 or phase != CARD:
            self.moved[PHASES[phase]] += self.deal_anew(player, phase)
            mirror = self.mirror
            mirror.hidden["key"][player] = hidden["key"][player]
            mirror.hidden["drawn"][player] = drawn
            garble_the_rest(chance, mirror.hidden, player)
            _show(mirror.view, mirror.hidden, self.table.rules)
            told = f"player {player} sees what he may not, in phase {PHASES[phase]}"
            assert snapshot(mirror.view) == seen, told
            again = self.player.answer(mirror.view, self.memory[player], chance.getrandbits(30))
            assert again == (action, memory), f"player {player} answers by what he may not see"
        self.memory[player] = memory
        return action

    def deal_anew(self, player: int, phase: int) -> bool:
        """At the mirror table, other cards where the player cannot know; False if none can be."""
        known = self.witness.known(player, phase)
        loose = [card for card in range(32) if not known >> card & 1]
        for tries in range(6):
            some = loose if tries < 2 else self.chance.sample(loose, min(3, len(loose)))
            swap = dict(zip(some, self.chance.sample(some, len(some)), strict=True))
            if self.deal.do_again(self.mirror, swap):
                hands = zip(self.mirror.hands(), self.table.hands(), strict=True)
                if any(one != other for one, other in hands):
                    return True
        assert self.deal.do_again(self.mirror, {})
        return False


@pytest.mark.parametrize(("name", "n"), TABLES)
@pytest.mark.parametrize("one", BOTS)
def test_secrets_change_no_answer(name: str, one: str, n: int, seat: Seat) -> None:
    """Cards a player cannot place, others' random words and the workspace: no view or answer.

    And the view says all that its player may know.
    """
    found = seat(one)
    if found.needs is None:
        pytest.skip("an outside bot gets copies of its own rows only")
    variant = find_variant(name)
    session = Session(variant, n, found, 1)
    for _ in range(3 * N_DEALS if variant.has_columns else N_DEALS):  # few of columns are played
        session.play_deal()
    assert session.asked.total() > 2 * N_DEALS
    assert session.moved.total() > 0.1 * session.asked.total()


OF_REFET = {"bidding", "suit", "discard", "contract", "come", "contra", "card"}
ASKED = set(PHASES) - {"done", "idle", "row", "bidding", "suit", "come", "contra"}
NEVER = {2: {"pass_along", "dealer_whist", "catch"}, 3: {"dealer_whist"}, 4: set[str]()}
"""Phases of a pulka with an auction, and those that some numbers of players do not have."""


def reach(phases: set[str], draw: Callable[[], Variant], n: int, seat: Seat) -> None:
    """Play with other secrets under drawn conventions until each of the phases has come so."""
    missing = set(phases)
    for k in range(400):
        one = seat(("wild", "random")[k % 2])  # the one passes mostly, the other bids
        session = Session(draw(), n, one, 2)
        for _ in range(2):
            session.play_deal()
        missing -= {phase for phase, moved in session.moved.items() if moved}
        if k >= 5 * len(phases) and not missing:
            return
    pytest.fail(f"never reached: {', '.join(missing)}")


@pytest.mark.parametrize("n", NEVER)
def test_secrets_in_every_phase(n: int, seat: Seat) -> None:
    """The same under random conventions, until every phase has come with other secrets."""
    chance = random.Random(n)
    reach(ASKED - NEVER[n], lambda: house_variant(chance, n), n, seat)


def test_secrets_of_razboinik_in_every_phase(seat: Seat) -> None:
    """The same for razboinik, in all its ways to take the talon and to name a row."""
    chance = random.Random(22)
    reach({"row", "discard", "contract", "card"}, lambda: house_razboinik(chance), 2, seat)


@pytest.mark.parametrize("n", [3, 4])
def test_secrets_of_refet_in_every_phase(n: int, seat: Seat) -> None:
    """The same for the refet game, under random conventions of its own."""
    chance = random.Random(30 + n)
    reach(OF_REFET, lambda: house_refet(chance), n, seat)


def watch_deal(variant: Variant, table: Table, chance: random.Random) -> tuple[Witness, Any]:
    """Play a deal that a witness watches, every move and every view; he and its row.

    AssertionError unless they agree.
    """
    table.lay(random_number(chance))
    witness = watching(variant, int(table.view["n_players"]), table)
    chooser = mood_of(variant, chance, table.hands())
    while not table.done:
        if table.legal & (table.legal - 1):
            _show(table.view, table.hidden, table.rules)
            witness.check(table.view)
        action = chooser.choose(table.view, bits(table.legal))
        witness.hear(int(table.view["phase"]), int(table.view["mover"]), action)
        table.apply(action)
    row = table.finish()[0][0]
    assert row["tricks"].tolist() == witness.tricks
    assert (row["kind"], row["level"]) == (witness.kind, witness.level)
    declarer = witness.players[witness.declarer] if witness.declarer >= 0 else -1
    assert row["declarer"] == declarer and row["played"] == (witness.plays != [])
    return witness, row


def words_of(witness: Witness, row: Any) -> set[str]:
    """What a deal of two players has shown of the rules of the dummy."""
    raspas, rules = witness.kind == RASPAS, witness.rules
    contract = witness.kind == TRICKS and not witness.razboinik
    blind = contract and row["played"] and not witness.opened and not witness.checked
    found = {
        "agreed": raspas and len(witness.calls) == 2 and not witness.dark,
        "thrown in": raspas and not row["played"],
        "talon led": raspas and row["played"] and len(witness.turned) == 2,
        "nobody's": row["played"] and sum(witness.tricks) < 10,
        "opened": contract and witness.opened,
        "turned up": witness.turned_up,
        "checked": witness.checked,
        "misere": witness.kind == MISERE_GAME,
        "razboinik": witness.razboinik,
    }
    for key, of_this in (("dummy.raspas", raspas), ("dummy.blind", blind)):
        found[f"{key} {rules[key]}"] = of_this and row["played"]
    return {word for word, seen in found.items() if seen}


WORDS = {
    *("agreed", "thrown in", "talon led", "nobody's", "opened", "turned up", "checked", "misere"),
    *("razboinik", "dummy.raspas dead", "dummy.raspas lowest"),
    *("dummy.blind dead", "dummy.blind lowest"),
}


@pytest.mark.parametrize(("n", "n_deals"), [(2, 240), (3, 60), (4, 60)])
def test_a_witness_follows_every_move(n: int, n_deals: int) -> None:
    """Under random conventions he finds all moves legal and all views right, and counts the same.

    With two players the rules of the dummy are all met, each more than once.
    """
    chance = random.Random(f"witness {n}")
    met: Counter[str] = Counter()
    for _ in range(n_deals):
        variant = house_variant(chance, n)
        met.update(words_of(*watch_deal(variant, Table(variant.rules(n)), chance)))
    if n == 2:
        assert all(met[word] > 1 for word in WORDS), met


def test_a_witness_follows_razboinik_to_its_end() -> None:
    """The same for all twelve deals of some razboiniks, while the open rows become few."""
    chance = random.Random("rows")
    for _ in range(10):
        variant = house_razboinik(chance)
        table = Table(variant.rules())
        for _ in range(12):
            assert -1 in table.view["row"]
            watch_deal(variant, table, chance)
        assert -1 not in table.view["row"]


def test_the_change_of_secrets_is_real(seat: Seat) -> None:
    """A card of one's own hand that changes does change the view."""
    session = Session(find_variant("sochi"), 3, seat("random"), 2)
    deal = Deal(session.table, 12345)
    _show(session.table.view, session.table.hidden, session.table.rules)
    one, other = deal.hands[0][0], deal.hands[1][0]
    assert deal.do_again(session.mirror, {one: other, other: one})
    _show(session.mirror.view, session.mirror.hidden, session.table.rules)
    assert snapshot(session.mirror.view) != snapshot(session.table.view)


# The workspace


def rows_of(one: Bot, name: str, n: int, poison: bool) -> bytes:
    """A few pulkas of one bot in all seats, as bytes."""
    variant = find_variant(name)
    rules = variant.rules(n, 4 if variant.has_target else None)
    batch = Shard(rules, [one] * n, 9, 0, 3, max_deals=8, poison=poison, row_limit=64).run()
    return bytes(batch.deals.tobytes() + batch.pulkas.tobytes())


@pytest.mark.parametrize(
    ("one", "name", "n"), [slowly(one, *table) for one in BOTS for table in TABLES]
)
def test_garbage_in_the_workspace_changes_nothing(one: str, name: str, n: int, seat: Seat) -> None:
    """A workspace is for scratch: whatever stands in it before a call, the rows are the same."""
    assert rows_of(seat(one), name, n, poison=True) == rows_of(seat(one), name, n, poison=False)


@bot(workspace=1)
def leans_on_workspace(view: Any, own: Any) -> int:
    """A bot that breaks the rule: its answer depends on what it finds in the workspace."""
    lowest, legal = view.legal & -view.legal, view.legal
    place = 0
    if own.workspace[0] & 1:
        lowest = legal & (legal - 1)
        lowest &= -lowest
    while lowest >> place & 1 == 0:
        place += 1
    return place


def test_the_garbage_is_noticed() -> None:
    """A bot whose answers depend on its workspace gives other rows with garbage in it."""
    one = Bot("leans", leans_on_workspace)
    assert rows_of(one, "sochi", 3, poison=True) != rows_of(one, "sochi", 3, poison=False)
