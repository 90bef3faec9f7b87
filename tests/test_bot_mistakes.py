"""No bot can harm the game: who peeks, writes, answers nonsense or fails is stopped by one line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bots.api import msb
from scoring.contract import MISERE
from scoring.kernel import JIT
from scoring.variant import find_variant
from sim.botcall import Bot, BotError, bot
from sim.engine import Shard
from sim.state import (
    AGREE,
    AUCTION,
    BIDDING,
    CALL_HALF,
    CARD,
    COME,
    CONCEDE,
    CONTRA,
    CONTRACT,
    DISCARD,
    GAME_CALL,
    GAME_PREFERANS,
    HOLD,
    INVITES,
    OPEN,
    PASS,
    PHASES,
    ROW,
    SUIT,
    TAKE_TALON,
    WHIST,
)

only_compiled = pytest.mark.skipif(not JIT, reason="a compiler's message; the JIT is off")


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


def phase_and_action(rules: Any, options: Any) -> list[float]:
    """The options of the bot below as its weights."""
    return [options["phase"], options["action"], options["call"]]


@bot(options={"phase": 0.0, "action": 0.0, "call": 62.0}, weights=phase_and_action)
def mistaken(view: Any, own: Any) -> int:
    """The highest legal action, in the refet game's auction no higher than a call, but in one phase
    always the same."""
    if view.phase == own.weights[0]:
        return int(own.weights[1])
    if view.phase == BIDDING:
        return msb(view.legal & ((2 << int(own.weights[2])) - 1))
    return msb(view.legal)


class Mistaken:
    """The same as an outside bot."""

    def __init__(
        self, rules: Any, seed: int, phase: float = 0, action: float = 0, call: float = 62
    ) -> None:
        self.phase, self.action, self.call = int(phase), int(action), int(call)

    def act(self, seen: np.ndarray[Any, Any]) -> Any:
        most = np.where(seen["phase"] == BIDDING, (2 << self.call) - 1, -1)
        highest = [int(legal).bit_length() - 1 for legal in seen["legal"] & most]
        return np.where(seen["phase"] == self.phase, self.action, highest)


@pytest.mark.parametrize("maker", [mistaken, Mistaken], ids=["jitted", "class"])
@pytest.mark.parametrize(
    ("name", "settings", "phase", "action", "legal"),
    [
        ("classic_two", {"raspas.agreed": "any_deal"}, AGREE, 2, "0, 1)"),
        ("classic_two", {}, AUCTION, 1, "0, 2, 3, "),
        ("classic_two", {}, WHIST, CALL_HALF, "0, 1)"),
        ("classic_two", {}, OPEN, 2, "0, 1)"),
        ("gusarik", {}, CARD, 32, ""),
        ("razboinik", {}, ROW, 0, "5, 6)"),
        ("razboinik", {"razboinik.talon": "row_before"}, ROW, TAKE_TALON, "0, 1, 2, 3, 4, 5)"),
        ("razboinik", {}, CONTRACT, MISERE, "0, 1, 2, "),
        ("razboinik", {"razboinik.talon": "none"}, CONTRACT, CONCEDE, "0, 1, 2, "),
        ("razboinik", {}, DISCARD, 40, ""),
    ],
)
def test_mistakes_of_two_players(
    name: str, settings: dict[str, Any], phase: int, action: int, legal: str, maker: Any
) -> None:
    """In the phases of two players and of razboinik the line says the same of an illegal action."""
    rules = find_variant(name, settings).rules()
    options = {"phase": float(phase), "action": float(action)}
    assert_told([Bot("culprit", maker, options)] * 2, rules, phase, action, legal)


@pytest.mark.parametrize("maker", [mistaken, Mistaken], ids=["jitted", "class"])
@pytest.mark.parametrize(
    ("name", "call", "phase", "action", "legal"),
    [
        ("refet", PASS, BIDDING, HOLD, "0, 2, 9, 10, 11)"),
        ("prefko", PASS, BIDDING, GAME_PREFERANS + 1, "0, 2, 9, 10, 11, 12)"),
        ("refet", GAME_CALL, SUIT, PASS, "2, 3, 4, 5)"),
        ("refet", 3, CONTRACT, 2, "3, 4, 5, 6, 7)"),
        ("refet", 7, COME, INVITES, "0, 1)"),
        ("refet", 7, CONTRA, 2, "0, 1)"),
        ("serbian", 7, DISCARD, 40, ""),
        ("serbian", 7, CARD, 32, ""),
    ],
)
def test_mistakes_of_refet(
    name: str, call: int, phase: int, action: int, legal: str, maker: Any
) -> None:
    """The same in the phases of the refet game."""
    options = {"phase": float(phase), "action": float(action), "call": float(call)}
    bots = [Bot("culprit", maker, options)] * 3
    assert_told(bots, find_variant(name).rules(), phase, action, legal)


def assert_told(bots: list[Bot], rules: Any, phase: int, action: int, legal: str) -> None:
    """The line names the bot, the deal, the action, its phase and what is legal."""
    with pytest.raises(BotError) as caught:
        Shard(rules, bots, 9, 3, 4, row_limit=9).run()
    message = str(caught.value)
    assert message.startswith("bot culprit (player ") and ") in pulka 3, deal 0: " in message
    what = f"action {action} in phase {PHASES[phase]} is not legal (legal actions: {legal}"
    assert what in message and "\n" not in message


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
