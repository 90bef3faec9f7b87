"""Bots and how the engine calls them.

A *jitted bot* is ``@bot() def name(view, own) -> action``; the engine calls it by the address of
its compiled code, so that one compiled engine serves every line-up. ``view`` is what the player may
know (:data:`sim.state.VIEW_DTYPE`) with ``view.rules``; ``own`` is the bot's own: ``own.weights``
(float64, read-only, shared by all seats of the bot), ``own.memory`` (int64, per table and player,
zeroed when a pulka starts) and ``own.workspace`` (int64, contents undefined at every call). An
*outside bot* is a class: ``Class(rules, seed)`` with ``act(observations) -> actions``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.errors import PreferansError, WrongUse
from scoring.kernel import JIT, PlainRecord, make_records, outline
from scoring.result import MAX_PLAYERS
from scoring.rules import RULES_DTYPE

from .state import VIEW_DTYPE

OWN_DTYPE = np.dtype(
    [
        ("weights", np.int64),
        ("n_weights", np.int64),
        ("memory", np.int64),
        ("n_memory", np.int64),
        ("workspace", np.int64),
        ("n_workspace", np.int64),
        ("policy", np.int64),
        ("policy_owns", np.int64),
    ],
    align=True,
)
"""Addresses and lengths of a bot's own arrays; the address of the policy that a thinking bot asks,
and of that policy's own records, one for each player."""

WeightsMaker = Callable[[Any, Mapping[str, Any]], Any]


class BotError(PreferansError):
    """A bot did something wrong: one line naming the bot, where in the run, and the reason."""


class NoBot(BotError, WrongUse):
    """Something that cannot be seated as a bot, or an option that is not the bot's."""


@dataclass(frozen=True)
class BotNeeds:
    """What a jitted bot asks for: words of memory and workspace, options, its weights, and another
    jitted bot whose decisions it asks when it thinks ahead."""

    memory: int = 0
    workspace: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    weights: WeightsMaker | None = None
    policy: Any = None


@dataclass(frozen=True)
class Bot:
    """A bot ready to be seated: its name as written, a jitted function or a class, its options."""

    name: str
    maker: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    @property
    def needs(self) -> BotNeeds | None:
        """What a jitted bot needs; None for an outside bot."""
        return getattr(self.maker, "bot_needs", None)

    def check(self) -> None:
        """NoBot if this cannot be seated, or an option is not the bot's."""
        if self.needs is not None:
            known: tuple[str, ...] = tuple(self.needs.options)
        elif inspect.isclass(self.maker) and callable(getattr(self.maker, "act", None)):
            known = tuple(inspect.signature(self.maker).parameters)[2:]
        elif inspect.isclass(self.maker):
            raise NoBot(f"bot {self.name}: the class has no method act(observations)")
        else:
            raise NoBot(
                f"bot {self.name}: neither a class with act(observations) nor a jitted bot; "
                "put @bot() above def f(view, own), from bots.api import bot"
            )
        for key in self.options:
            if key not in known:
                raise NoBot(
                    f"bot {self.name} has no option {key!r}; "
                    + (f"its options: {', '.join(known)}" if known else "it has none")
                )
            if self.needs is not None:
                self._check_value(key, self.needs.options[key])

    def _check_value(self, key: str, default: Any) -> None:
        """NoBot if an option's value is no number where its default is one."""
        value = self.options[key]
        if isinstance(value, str) and not isinstance(default, str):
            raise NoBot(
                f"bot {self.name}: write options as NAME@key=number, not {key + '=' + value!r}"
            )

    @property
    def policy(self) -> Bot | None:
        """The bot that this one asks when it thinks ahead, with the options that both have."""
        if self.needs is None or self.needs.policy is None:
            return None
        maker = self.needs.policy
        known = maker.bot_needs.options
        shared = {key: value for key, value in self.options.items() if key in known}
        return Bot(f"{self.name}'s policy", maker, shared, self.digest)

    def weights(self, rules: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The weights of a jitted bot under these packed rules (float64)."""
        needs = self.needs
        if needs is None or needs.weights is None:
            return np.zeros(0)
        options = {**needs.options, **self.options}
        return np.ascontiguousarray(needs.weights(rules, options), np.float64)


def bot(
    memory: int = 0,
    workspace: int = 0,
    options: Mapping[str, Any] | None = None,
    weights: WeightsMaker | None = None,
    policy: Any = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: make ``f(view, own) -> action`` a jitted bot.

    ``memory`` and ``workspace`` are numbers of int64; ``options`` names the bot's options with
    their defaults; ``weights(rules, options)`` gives ``own.weights`` when the bot is seated, from
    the packed rules (array of one row of ``RULES_DTYPE``). An option whose default is a text takes
    a text. ``policy`` is another jitted bot, asked through ``sim.rollout``; options that both have
    are its own as well.
    """
    if callable(memory):
        raise NoBot("write @bot() with brackets above a bot")
    needs = BotNeeds(memory, workspace, dict(options or {}), weights, policy)

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = outline(function)
        compiled.bot_needs = needs  # type: ignore[attr-defined]
        return compiled

    return decorate


_COMPLAINTS = (
    (r"Unknown attribute '?(\w+)'? of type (\w+)", r"\2 has no attribute \1"),
    (r"No definition for lowering (\w+)\.(\w+) =", r"\1.\2 is read-only"),
    (r"readonly array", "arrays of the view and weights are read-only"),
    (r"Signature mismatch: 2 argument types given", "it must take two arguments, (view, own)"),
    (r"(?:No implementation of function|Untyped global name) .*", r"\g<0>"),
)


def explain(error: BaseException) -> str:
    """The heart of a compiler's message in one line."""
    text = str(error)
    for pattern, words in _COMPLAINTS:
        found = re.search(pattern, text)
        if found:
            return found.expand(words)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Failed in nopython mode")] or lines
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


if JIT:
    from llvmlite import ir
    from numba import from_dtype, types
    from numba.core import cgutils
    from numba.core.extending import models, register_model
    from numba.core.imputils import lower_getattr_generic
    from numba.core.typing.templates import AttributeTemplate, infer_getattr
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    def _word(value: int) -> Any:
        return ir.Constant(ir.IntType(64), value)

    def _array_at(context: Any, builder: Any, typ: Any, address: Any, shape: list[Any]) -> Any:
        """An array of 8-byte items over memory that numba does not own."""
        array = make_array(typ)(context, builder)
        strides = [_word(8)]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        item = context.get_data_type(typ.dtype).as_pointer()
        populate_array(
            array,
            data=builder.bitcast(address, item),
            shape=shape,
            strides=strides,
            itemsize=_word(8),
            meminfo=None,
            parent=None,
        )
        return array._getvalue()

    class _Pointer(types.Type):
        """A read-only pointer to a record whose fields are read by attribute."""

        def __init__(self) -> None:
            super().__init__(type(self).__name__.lower())

    # Classes of the module, not made in a function: numba's cache must find them again by name.
    class Rules(_Pointer):
        """``view.rules``."""

    class View(_Pointer):
        """What a bot gets as ``view``."""

    class Own(_Pointer):
        """What a bot gets as ``own``."""

    def _register(pointer: type[_Pointer], dtype: np.dtype[Any], special: dict[str, Any]) -> Any:
        """Give a pointer type the fields of a record; returns its only instance.

        ``special`` maps a field that holds an address to the type of what stands there.
        """
        record = from_dtype(dtype)
        register_model(pointer)(models.OpaqueModel)

        @infer_getattr
        class Attributes(AttributeTemplate):
            key = pointer

            def generic_resolve(self, typ: Any, attribute: str) -> Any:
                if attribute in special:
                    return special[attribute]
                found = record.fields.get(attribute)
                if found is None:
                    return None
                if isinstance(found.type, types.NestedArray):
                    return types.Array(found.type.dtype, found.type.ndim, "C", readonly=True)
                return found.type

        def address_of(builder: Any, value: Any, attribute: str) -> Any:
            return cgutils.pointer_add(builder, value, _word(record.fields[attribute].offset))

        def load_word(builder: Any, value: Any, attribute: str) -> Any:
            place = address_of(builder, value, attribute)
            return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))

        @lower_getattr_generic(pointer)
        def get(context: Any, builder: Any, typ: Any, value: Any, attribute: str) -> Any:
            if attribute in special:
                target = builder.inttoptr(
                    load_word(builder, value, attribute), ir.IntType(8).as_pointer()
                )
                wanted = special[attribute]
                if not isinstance(wanted, types.Array):
                    return target
                shape = [load_word(builder, value, f"n_{attribute}")]
                return _array_at(context, builder, wanted, target, shape)
            found = record.fields[attribute].type
            place = address_of(builder, value, attribute)
            if isinstance(found, types.NestedArray):
                array = types.Array(found.dtype, found.ndim, "C", readonly=True)
                return _array_at(context, builder, array, place, [_word(n) for n in found.shape])
            typed = builder.bitcast(place, context.get_data_type(found).as_pointer())
            return context.unpack_value(builder, found, typed)

        return pointer()

    RULES_POINTER = _register(Rules, RULES_DTYPE, {})
    VIEW_POINTER = _register(View, VIEW_DTYPE, {"rules": RULES_POINTER})
    OWN_POINTER = _register(
        Own,
        OWN_DTYPE,
        {
            "weights": types.Array(types.float64, 1, "C", readonly=True),
            "memory": types.Array(types.int64, 1, "C"),
            "workspace": types.Array(types.int64, 1, "C"),
        },
    )
    BOT_SIGNATURE = types.int64(VIEW_POINTER, OWN_POINTER)

    @intrinsic
    def call_bot(typing_context: Any, address: Any, view: Any, own: Any) -> Any:
        """Call the bot at ``address`` by numba's own convention; its exceptions pass through."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arguments = BOT_SIGNATURE.args
            convention = context.call_conv
            function = builder.inttoptr(
                args[0], convention.get_function_type(types.int64, arguments).as_pointer()
            )
            byte = ir.IntType(8).as_pointer()
            pointers = [builder.bitcast(pointer, byte) for pointer in args[1:]]
            status, result = convention.call_function(
                builder, function, types.int64, arguments, pointers
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return types.int64(types.int64, view, own), generate

    def address_of(function: Any, name: str) -> int:
        """Address of a jitted bot's code, compiled or from the cache. BotError if it fails."""
        try:
            function.compile(BOT_SIGNATURE.args)
            compiled = function.overloads[BOT_SIGNATURE.args]
        except Exception as error:
            raise BotError(f"bot {name} does not compile: {explain(error)}") from error
        returns = types.unliteral(compiled.signature.return_type)
        if returns != types.int64:
            raise BotError(f"bot {name} must return an integer action, not {returns}")
        return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))

else:
    _CALLED: list[Any] = []

    def call_bot(address: int, view: PlainRecord, own: PlainRecord) -> int:
        action = _CALLED[address - 1](PlainRecord(view.fields(), sealed=True), own)
        if not isinstance(action, int | np.integer):
            raise TypeError(f"an action is an integer, not {type(action).__name__}")
        return int(action)

    def address_of(function: Any, name: str) -> int:
        if len(inspect.signature(function).parameters) != 2:
            raise BotError(f"bot {name} does not compile: it must take two arguments, (view, own)")
        _CALLED.append(function)
        return len(_CALLED)


@outline
def ask_bot(address: int, view: Any, own: Any) -> int:
    """Call the bot at ``address`` from Python, with records of one table."""
    return call_bot(address, view, own)


def give(own: Any, name: str, array: np.ndarray[Any, Any]) -> None:
    """Put an array of a bot's own into its record."""
    own[name] = array.ctypes.data if JIT else array
    own[f"n_{name}"] = len(array)


class Policy:
    """A jitted bot ready to be asked by another: its code, and its own things for each player."""

    def __init__(self, asked: Bot, rules: np.ndarray[Any, Any]) -> None:
        needs = asked.needs
        assert needs is not None
        self.address = address_of(asked.maker, asked.name)
        self.owns = make_records(OWN_DTYPE, MAX_PLAYERS)
        self._weights = asked.weights(rules)
        self._memory = np.zeros((MAX_PLAYERS, needs.memory), np.int64)
        self._workspace = np.zeros(needs.workspace, np.int64)
        for player in range(MAX_PLAYERS):
            own = self.owns[player]
            give(own, "weights", self._weights)
            give(own, "memory", self._memory[player])
            give(own, "workspace", self._workspace)

    def lend(self, own: Any) -> None:
        """Let a bot ask it through the bot's own record."""
        own["policy"] = self.address
        own["policy_owns"] = self.owns.ctypes.data if JIT else self.owns
