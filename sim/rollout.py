"""Thinking ahead: a bot lays a hypothetical table from what it may know and cards it guesses, and
lets a policy play it out on the rules core.

Tables lie in the bot's workspace, ``TABLE`` words each, one after the other; their contents are
undefined when the bot is called. The policy is another jitted bot (``@bot(policy=...)``), which
sees of a hypothetical table what its player would see. Values are deal values in twelfths of a
whist, by the compiled scorer, on the sheet that the asking bot sees.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import JIT, Record, ctz, i64, kernel, make_records, outline, u64
from scoring.result import MAX_PLAYERS
from scoring.rules import RULES_DTYPE
from scoring.sheet import settle

from .botcall import call_bot
from .pulka import apply_action, finish_deal, lay_hands
from .rng import splitmix
from .state import (
    CARD,
    DEAL_ROW_DTYPE,
    DISCARD,
    DONE,
    HIDDEN_DTYPE,
    MAX_DECISIONS,
    N_HANDS,
    VIEW_DTYPE,
)
from .view import prepare, reveal_private

_VIEW = VIEW_DTYPE.itemsize // 8
_HIDDEN = HIDDEN_DTYPE.itemsize // 8
TABLE = _VIEW + _HIDDEN + DEAL_ROW_DTYPE.itemsize // 8
"""Words of workspace that a hypothetical table takes."""

if JIT:
    from llvmlite import ir
    from numba import from_dtype
    from numba.core import cgutils
    from numba.core.types import int64, void
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    from .botcall import OWN_DTYPE, OWN_POINTER

    _VIEW_RECORD, _HIDDEN_RECORD, _ROW_RECORD, _RULES_RECORD = (
        from_dtype(dtype) for dtype in (VIEW_DTYPE, HIDDEN_DTYPE, DEAL_ROW_DTYPE, RULES_DTYPE)
    )

    def _word_pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> Any:
        data = make_array(array_type)(context, builder, array).data
        return builder.gep(data, [at])

    def _record_at(record: Any) -> Any:
        """How a record is found in an array of words, for an intrinsic."""

        def typed(typing_context: Any, words: Any, at: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                place = _word_pointer(context, builder, signature.args[0], *args)
                return builder.bitcast(place, context.get_value_type(record))

            return record(words, int64), generate

        return typed

    @intrinsic
    def _view_at(typing_context: Any, words: Any, at: Any) -> Any:
        return _record_at(_VIEW_RECORD)(typing_context, words, at)

    @intrinsic
    def _hidden_at(typing_context: Any, words: Any, at: Any) -> Any:
        return _record_at(_HIDDEN_RECORD)(typing_context, words, at)

    @intrinsic
    def _row_at(typing_context: Any, words: Any, at: Any) -> Any:
        return _record_at(_ROW_RECORD)(typing_context, words, at)

    @intrinsic
    def rules_of(typing_context: Any, rules: Any) -> Any:
        """``view.rules`` as the record that the rules core takes."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(_RULES_RECORD))

        return _RULES_RECORD(rules), generate

    @intrinsic
    def _copy_view(typing_context: Any, words: Any, at: Any, view: Any) -> Any:
        """Copy what a bot sees into the words of a table."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _word_pointer(context, builder, signature.args[0], args[0], args[1])
            byte = ir.IntType(8).as_pointer()
            size = ir.Constant(ir.IntType(64), VIEW_DTYPE.itemsize)
            seen = builder.bitcast(args[2], byte)
            cgutils.raw_memcpy(builder, builder.bitcast(place, byte), seen, size, 1)
            return context.get_dummy_value()

        return void(words, int64, view), generate

    @intrinsic
    def _policy_own(typing_context: Any, own: Any, player: Any) -> Any:
        """A player's own record of the policy."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            field = from_dtype(OWN_DTYPE).fields["policy_owns"]
            word = ir.IntType(64)
            place = cgutils.pointer_add(builder, args[0], ir.Constant(word, field.offset))
            first = builder.load(builder.bitcast(place, word.as_pointer()))
            step = builder.mul(args[1], ir.Constant(word, OWN_DTYPE.itemsize))
            return builder.inttoptr(builder.add(first, step), ir.IntType(8).as_pointer())

        return OWN_POINTER(own, int64), generate

    @kernel
    def branch(words: Any, to: int, at: int) -> None:
        """Copy the table at word ``at`` to word ``to``."""
        for k in range(TABLE):
            words[to + k] = words[at + k]

else:
    _TABLES: dict[int, tuple[Any, Any, Any]] = {}

    def _table_at(at: int) -> tuple[Any, Any, Any]:
        if at not in _TABLES:
            made = (make_records(d, 1)[0] for d in (VIEW_DTYPE, HIDDEN_DTYPE, DEAL_ROW_DTYPE))
            _TABLES[at] = (*made,)
        return _TABLES[at]

    def _view_at(words: Any, at: int) -> Any:
        return _table_at(at)[0]

    def _hidden_at(words: Any, at: int) -> Any:
        return _table_at(at - _VIEW)[1]

    def _row_at(words: Any, at: int) -> Any:
        return _table_at(at - _VIEW - _HIDDEN)[2]

    def rules_of(rules: Any) -> Any:
        return rules

    def _copy_fields(to: Any, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            to[name] = list(value) if isinstance(value, list | tuple) else value

    def _copy_view(words: Any, at: int, view: Any) -> None:
        _copy_fields(_table_at(at)[0], view.fields())

    def _policy_own(own: Any, player: int) -> Any:
        return own.policy_owns[player]

    def branch(words: Any, to: int, at: int) -> None:
        for mine, other in zip(_table_at(to), _table_at(at), strict=True):
            _copy_fields(mine, other.fields())


@kernel
def table_at(words: Any, at: int) -> tuple[Record, Record]:
    """The table at a word: what is public and the mover's own, and what is hidden."""
    return _view_at(words, at), _hidden_at(words, at + _VIEW)


@outline
def lay_world(words: Any, at: int, view: Any, world: Any, key: int) -> None:
    """Lay the present decision of ``view`` with the cards of a world (``sim.worlds``).

    ``key`` gives the policy's random words.
    """
    _copy_view(words, at, view)
    laid, hidden = table_at(words, at)
    rules = rules_of(view.rules)
    for hand in range(N_HANDS):
        hidden.hands[hand] = world[hand]
        hidden.discard[hand] = 0
        hidden.received[hand] = 0
    me = view.hand_of[view.player]
    if me >= 0:
        hidden.discard[me] = view.discard
        hidden.received[me] = view.received
    if view.declarer >= 0 and view.declarer != me:
        hidden.discard[view.declarer] = world[4]
    talon = view.talon if view.talon else world[3]
    hidden.talon = talon
    hidden.talon_order[0] = view.talon_card[0] if view.talon else ctz(talon)
    hidden.talon_order[1] = view.talon_card[1] if view.talon else ctz(talon & (talon - 1))
    hidden.claims = 0
    hidden.number = 0
    hidden.n_decisions = 0
    for player in range(MAX_PLAYERS):
        hidden.key[player] = splitmix(key, player)
        hidden.drawn[player] = 0
    settle(rules, laid, hidden.balance)


@kernel
def ask_policy(view: Record, hidden: Record, own: Any) -> int:
    """What the policy decides; its mover's own slots are filled first."""
    reveal_private(view, hidden)
    return call_bot(own.policy, view, _policy_own(own, view.player))


@outline
def play_out(words: Any, at: int, rules: Record, own: Any) -> None:
    """Play the deal to its end by the policy, and score it."""
    view, hidden = table_at(words, at)
    while view.phase != DONE:
        prepare(view, hidden, rules)
        legal = view.legal
        action = ctz(legal) if legal & (legal - 1) == 0 else ask_policy(view, hidden, own)
        apply_action(view, hidden, rules, action)
    finish_deal(view, hidden, rules, _row_at(words, at + _VIEW + _HIDDEN))


@kernel
def value_of(words: Any, at: int, player: int) -> int:
    """The deal value of a player at a table that was played out, in twelfths of a whist."""
    return _row_at(words, at + _VIEW + _HIDDEN).value[player]


@outline
def forget(own: Any) -> None:
    """Clear the policy's memory, as at the start of a pulka."""
    for player in range(MAX_PLAYERS):
        memory = _policy_own(own, player).memory
        for k in range(len(memory)):
            memory[k] = 0
