"""No bot can learn more than its player may know, and no bot can harm the game.

What is hidden is changed behind a player's back: neither his view nor his bot's answer may change.
Bots that peek, write, answer nonsense or fail are stopped by one readable line.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from twin_bridge import Mood, bits, known_cards, random_number

from bots import bot_descriptions
from scoring.deal_score import MAX_PLAYERS
from scoring.kernel import JIT, Record, make_records, outline, to_records
from scoring.variant import find_variant
from sim.botcall import OWN_DTYPE, Bot, BotError, address_of, bot, call_bot
from sim.cards import mask_of
from sim.engine import Shard
from sim.playable import playable_names
from sim.state import HIDDEN_DTYPE, N_HANDS
from sim.table import Table
from sim.view import prepare, reveal_private

N_DEALS = 30
BOTS = ("wild", *bot_descriptions())
Seat = Callable[[str], Bot]

only_compiled = pytest.mark.skipif(not JIT, reason="a compiler's message; the JIT is off")


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


def save(record: Any, dtype: np.dtype[Any]) -> dict[str, Any]:
    """All fields of a record as integers and lists."""
    assert dtype.names is not None
    fields = {name: record[name] for name in dtype.names}
    return {name: list(map(int, x)) if dtype[name].shape else int(x) for name, x in fields.items()}


def restore(record: Any, saved: dict[str, Any]) -> None:
    """Write saved fields back into the record."""
    for name, value in saved.items():
        if isinstance(value, list):
            for k, item in enumerate(value):
                record[name][k] = item
        else:
            record[name] = value


def deal_anew(chance: random.Random, cards: list[int], sizes: Sequence[int]) -> list[int]:
    """Shuffle cards and cut them into masks of these sizes."""
    shuffled = chance.sample(cards, len(cards))
    cuts = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    return [mask_of(shuffled[a:b]) for a, b in pairwise(cuts)]


def move_unseen_cards(chance: random.Random, table: Table, hand: int) -> bool:
    """Change who holds what among the cards that the player of a hand cannot place.

    Every place keeps its number of cards. Returns whether anything has moved.
    """
    view, hidden = table.view, table.hidden
    before = save(hidden, HIDDEN_DTYPE)
    known = known_cards(table, hand)
    declarer = int(view["declarer"])
    places = [int(mask) & ~known for mask in hidden["hands"]]
    loose = int(hidden["talon"] if declarer < 0 else hidden["discard"]) & ~known
    places.append(loose)
    cards = [card for mask in places for card in bits(mask)]
    masks = deal_anew(chance, cards, [len(bits(mask)) for mask in places])
    for k in range(N_HANDS):
        hidden["hands"][k] = int(hidden["hands"][k]) & known | masks[k]
    if declarer < 0:
        _replace_talon(chance, hidden, known, masks[N_HANDS])
    else:
        hidden["discard"] = int(hidden["discard"]) & known | masks[N_HANDS]
        if declarer != hand:
            _discard_anew(chance, hidden, declarer)
    return save(hidden, HIDDEN_DTYPE) != before


def _replace_talon(chance: random.Random, hidden: Any, known: int, fresh: int) -> None:
    new = chance.sample(bits(fresh), len(bits(fresh)))
    order = [int(card) for card in hidden["talon_order"]]
    order = [card if known >> card & 1 else new.pop() for card in order]
    hidden["talon"] = mask_of(order)
    hidden["talon_order"][0], hidden["talon_order"][1] = order


def _discard_anew(chance: random.Random, hidden: Any, declarer: int) -> None:
    """The declarer has laid away other cards, perhaps of the talon."""
    hand, discard = int(hidden["hands"][declarer]), int(hidden["discard"])
    sizes = (len(bits(hand)), len(bits(discard)))
    hand, discard = deal_anew(chance, bits(hand | discard), sizes)
    hidden["hands"][declarer] = hand
    hidden["discard"] = discard


def garble_the_rest(chance: random.Random, hidden: Any, player: int) -> None:
    """Fill with garbage what is hidden besides cards: keys of others, numbers, entries."""
    for other in range(MAX_PLAYERS):
        if other != player:
            hidden["key"][other] = chance.getrandbits(64)
            hidden["drawn"][other] = chance.randrange(100)
    for name in ("pulka", "next_pulka", "number", "n_decisions"):
        hidden[name] = chance.getrandbits(40)
    for name in ("balance", "before", "gain", "mountain_entry", "whist_entry"):
        for k in range(len(hidden[name])):
            hidden[name][k] = chance.getrandbits(20)


class Session:
    """Deals at one table; every decision is asked twice, the second time with other secrets."""

    def __init__(self, name: str, one: Bot, seed: int) -> None:
        self.chance = random.Random(f"{name} {one.name} {seed}")
        rules = find_variant(name).rules(3, 10)
        self.table = Table(rules)
        self.rules = to_records(rules)[0]
        self.player = Player(one, rules)
        self.memory = [[0] * len(self.player.memory) for _ in range(MAX_PLAYERS)]
        self.asked = self.moved = 0

    def play_deal(self) -> None:
        """Play a deal of the bot, in one seat or more, with players who choose at random."""
        table, chance = self.table, self.chance
        table.lay(random_number(chance))
        for player in range(MAX_PLAYERS):
            table.hidden["key"][player] = chance.getrandbits(64)
        mood = Mood(chance, table.hands())
        bots = chance.choice(((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)))
        while not table.done:
            legal = bits(table.legal)
            action = mood.choose(table.view, legal)
            if len(legal) > 1 and int(table.view["player"]) in bots:
                action = self.decide()
            assert action in legal
            table.apply(action)
        table.finish()

    def decide(self) -> int:
        """The bot's answer, the same with other secrets and another workspace."""
        view, hidden, chance = self.table.view, self.table.hidden, self.chance
        secret = save(hidden, HIDDEN_DTYPE)
        player = int(view["player"])
        _show(view, hidden, self.rules)
        seen = snapshot(view)
        action, memory = self.player.answer(view, self.memory[player], chance.getrandbits(30))
        assert snapshot(view) == seen

        restore(hidden, secret)
        self.moved += move_unseen_cards(chance, self.table, int(view["hand_of"][player]))
        garble_the_rest(chance, hidden, player)
        _show(view, hidden, self.rules)
        assert snapshot(view) == seen, f"player {player} sees what he may not"
        again = self.player.answer(view, self.memory[player], chance.getrandbits(30))
        assert again == (action, memory), f"player {player} answers by what he may not see"
        restore(hidden, secret)
        self.memory[player] = memory
        self.asked += 1
        return action


@pytest.mark.parametrize("name", playable_names())
@pytest.mark.parametrize("one", BOTS)
def test_secrets_change_no_answer(name: str, one: str, seat: Seat) -> None:
    """Cards a player cannot place, others' random words and the workspace: no view or answer."""
    found = seat(one)
    if found.needs is None:
        pytest.skip("an outside bot gets copies of its own rows only")
    session = Session(name, found, 1)
    for _ in range(N_DEALS):
        session.play_deal()
    assert session.asked > 5 * N_DEALS and session.moved > 0.75 * session.asked


def test_the_change_of_secrets_is_real(seat: Seat) -> None:
    """A card of one's own hand that changes does change the view."""
    session = Session("sochi", seat("random"), 2)
    table, rules = session.table, session.rules
    table.lay(12345)
    _show(table.view, table.hidden, rules)
    seen = snapshot(table.view)
    hands = table.hands()
    one, other = hands[0] & -hands[0], hands[1] & -hands[1]
    table.hidden["hands"][0] = hands[0] ^ one ^ other
    table.hidden["hands"][1] = hands[1] ^ one ^ other
    table.hidden["drawn"][int(table.view["player"])] = 0
    _show(table.view, table.hidden, rules)
    assert snapshot(table.view) != seen


# The workspace


def rows_of(one: Bot, name: str, poison: bool) -> bytes:
    """A few pulkas of one bot in all seats, as bytes."""
    rules = find_variant(name).rules(3, 4)
    batch = Shard(rules, [one] * 3, 9, 0, 4, max_deals=12, poison=poison, row_limit=64).run()
    return bytes(batch.deals.tobytes() + batch.pulkas.tobytes())


@pytest.mark.parametrize("name", playable_names())
@pytest.mark.parametrize("one", BOTS)
def test_garbage_in_the_workspace_changes_nothing(name: str, one: str, seat: Seat) -> None:
    """A workspace is for scratch: whatever stands in it before a call, the rows are the same."""
    assert rows_of(seat(one), name, poison=True) == rows_of(seat(one), name, poison=False)


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
    assert rows_of(one, "sochi", poison=True) != rows_of(one, "sochi", poison=False)


# Bots that do what they may not


@bot()
def peeks(view: Any, own: Any) -> int:
    """Reads the hidden record."""
    return view.hands[0]


@bot()
def writes_view(view: Any, own: Any) -> int:
    """Writes a field of the view."""
    view.legal = 1
    return 0


@bot()
def writes_view_array(view: Any, own: Any) -> int:
    """Writes an array of the view."""
    view.tricks[0] = 10
    return 0


@bot()
def writes_rules(view: Any, own: Any) -> int:
    """Writes the rules."""
    view.rules.raspas_price = 0
    return 0


@bot(weights=lambda rules, options: np.ones(2))
def writes_weights(view: Any, own: Any) -> int:
    """Writes the weights that all its seats share."""
    own.weights[0] = 2.0
    return 0


@bot()
def returns_float(view: Any, own: Any) -> Any:
    """Answers with a float."""
    return view.legal * 0.5


@bot()
def returns_nothing(view: Any, own: Any) -> Any:
    """Answers with nothing."""


@bot()
def one_argument(view: Any) -> int:
    """Takes the view alone."""
    return 0


@bot()
def two_types(view: Any, own: Any) -> Any:
    """Answers with an integer or a text."""
    return "pass" if view.legal & 1 else 0


def failure(one: Bot, first: int = 3) -> str:
    """The message of the BotError that a run with this bot as player 1 ends with."""
    rules = find_variant("sochi").rules(3, 4)
    honest = Bot("honest", quiet)
    with pytest.raises(BotError) as caught:
        Shard(rules, [honest, one, honest], 9, first, first + 2, max_deals=5, row_limit=9).run()
    message = str(caught.value)
    assert "\n" not in message and 20 < len(message) < 300, message
    assert one.name in message
    return message


@bot()
def quiet(view: Any, own: Any) -> int:
    """The lowest legal action: passes, and follows low."""
    place = 0
    while view.legal >> place & 1 == 0:
        place += 1
    return place


@only_compiled
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (peeks, "does not compile: view has no attribute hands"),
        (writes_view, "does not compile: view.legal is read-only"),
        (writes_view_array, "does not compile: arrays of the view and weights are read-only"),
        (writes_rules, "does not compile: rules.raspas_price is read-only"),
        (writes_weights, "does not compile: arrays of the view and weights are read-only"),
        (returns_float, "must return an integer action, not float64"),
        (one_argument, "does not compile: it must take two arguments, (view, own)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_bots_that_do_not_compile(function: Any, reason: str) -> None:
    """What a bot may not do is refused before the first deal, in one line."""
    message = failure(Bot("culprit", function))
    assert message.startswith(f"bot culprit {reason}")


@only_compiled
@pytest.mark.parametrize(
    ("function", "word"),
    [(returns_nothing, "none"), (two_types, "str")],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_compile_errors_say_what_is_wrong(function: Any, word: str) -> None:
    """The line is the heart of the compiler's message, not the name of a stage of the compiler."""
    message = failure(Bot("culprit", function))
    assert message.startswith("bot culprit ") and word in message.lower()
    assert "pipeline" not in message, message


@pytest.mark.skipif(JIT, reason="the JIT refuses these bots when it compiles them")
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (peeks, "hands"),
        (writes_view, "legal is read-only"),
        (writes_view_array, "TypeError"),
        (returns_float, "float"),
        (returns_nothing, "NoneType"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_bots_that_misbehave_without_the_compiler(function: Any, reason: str) -> None:
    """With the JIT off the same bots are stopped at their first decision, in one line."""
    message = failure(Bot("culprit", function))
    assert message.startswith("bot culprit (player 1) in pulka 3, deal 0: ") and reason in message


@bot()
def answers_62(view: Any, own: Any) -> int:
    """Concedes, always."""
    return 62


@bot()
def answers_minus_one(view: Any, own: Any) -> int:
    """Answers what stands for no answer."""
    return -1


@bot()
def answers_far_off(view: Any, own: Any) -> int:
    """Answers a number no mask has a bit for, whose low bits look legal."""
    return 64


@bot()
def fails(view: Any, own: Any) -> int:
    """Raises an exception."""
    if view.legal:
        raise ValueError("no idea what to do")
    return 0


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (answers_62, "action 62 in phase auction is not legal (legal actions: 0, 2, 3, "),
        (answers_minus_one, "action -1 in phase auction is not legal (legal actions: 0, 2, 3, "),
        (answers_far_off, "action 64 in phase auction is not legal (legal actions: 0, 2, 3, "),
        (fails, "ValueError: no idea what to do"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_bots_that_fail_in_play(function: Any, reason: str) -> None:
    """Illegal answers and exceptions name bot, player, pulka, deal and reason in one line."""
    message = failure(Bot("culprit", function))
    assert message.startswith(f"bot culprit (player 1) in pulka 3, deal 0: {reason}")


class Faulty:
    """An outside bot that plays the lowest legal action until its first own decision of deal 2."""

    def __init__(self, rules: Any, seed: int) -> None:
        pass

    def act(self, seen: np.ndarray[Any, Any]) -> Any:
        lowest = np.bitwise_count((seen["legal"] & -seen["legal"]) - 1).astype(np.int64)
        return self.spoil(lowest) if seen["deal"].max() == 2 else lowest

    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        """What it answers in deal 2."""
        raise NotImplementedError("no spoiled answer")


class WrongShape(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return answers[:-1]


class WrongColumns(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return answers[:, None]


class WrongType(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return answers.astype(np.float64)


class Nothing(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return None


class Ragged(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return [[0], [0, 1]]


class Illegal(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return np.full(len(answers), 61)


class Negative(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        return np.full(len(answers), -1)


class Raises(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        raise RuntimeError("the net is not loaded")


class RaisesAtLength(Faulty):
    def spoil(self, answers: np.ndarray[Any, Any]) -> Any:
        raise RuntimeError("shapes do not fit:\n  (1, 2)\n  (3, 4)")


@pytest.mark.parametrize(
    ("one", "where", "reason"),
    [
        (WrongShape, "", "must return 1 integers"),
        (WrongColumns, "", "shape (1, 1)"),
        (WrongType, "", "float64"),
        (Nothing, "", "NoneType"),
        (Ragged, "", "act()"),
        (Illegal, "(player 1) in ", "action 61 in phase auction is not legal"),
        (Negative, "(player 1) in ", "action -1 in phase auction is not legal"),
        (Raises, "(player 1) in ", "RuntimeError: the net is not loaded"),
        (RaisesAtLength, "(player 1) in ", "RuntimeError: shapes do not fit"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_outside_bots_that_fail(one: type, where: str, reason: str) -> None:
    """Wrong shape, type, action, or an exception: bot, pulka, deal and reason in one line."""
    rules = find_variant("sochi").rules(3, 4)
    seats = [Bot("honest", quiet), Bot("culprit", one), Bot("honest", quiet)]
    with pytest.raises(BotError) as caught:
        Shard(rules, seats, 9, 3, 4, max_deals=5, row_limit=9).run()
    message = str(caught.value)
    assert message.startswith("bot culprit") and f"{where}pulka 3, deal 2" in message
    assert reason in message and "\n" not in message and len(message) < 300, message


def test_an_outside_bot_that_cannot_be_made() -> None:
    """An exception of its ``__init__`` is one line too."""

    class Broken(Faulty):
        def __init__(self, rules: Any, seed: int) -> None:
            raise FileNotFoundError("no weights at hand")

    message = failure(Bot("culprit", Broken))
    assert "could not be made" in message and "no weights at hand" in message
