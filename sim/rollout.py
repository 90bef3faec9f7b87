"""Thinking ahead: a bot lays a hypothetical table from what it may know and cards it guesses, and
lets a policy play it out on the rules core.

Tables lie in the bot's workspace, ``TABLE`` words each, one after the other; their contents are
undefined when the bot is called. The policy is another jitted bot (``@bot(policy=...)``), which
sees of a hypothetical table what its player would see. Values are deal values in twelfths of a
whist, by the compiled scorer, on the sheet that the asking bot sees.
"""

from __future__ import annotations

from typing import Any

from scoring.kernel import JIT, Record, ctz, kernel, make_records, outline, popcount
from scoring.result import MAX_PLAYERS
from scoring.rules import RULES_DTYPE
from scoring.sheet import settle

from .botcall import call_bot
from .play import who_takes
from .pulka import advance, finish_deal, lay_hands
from .rng import splitmix
from .state import (
    CARD,
    DEAL_ROW_DTYPE,
    DISCARD,
    DONE,
    HIDDEN_DTYPE,
    N_HANDS,
    VIEW_DTYPE,
)
from .view import ready, reveal_private

HIDDEN_AT = VIEW_DTYPE.itemsize // 8
ROW_AT = HIDDEN_AT + HIDDEN_DTYPE.itemsize // 8
TABLE = ROW_AT + DEAL_ROW_DTYPE.itemsize // 8
"""Words of workspace that a hypothetical table takes, and where in it stand what is hidden and the
row of its result; what is public stands first."""

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
    def view_at(typing_context: Any, words: Any, at: Any) -> Any:
        return _record_at(_VIEW_RECORD)(typing_context, words, at)

    @intrinsic
    def hidden_at(typing_context: Any, words: Any, at: Any) -> Any:
        return _record_at(_HIDDEN_RECORD)(typing_context, words, at)

    @intrinsic
    def row_at(typing_context: Any, words: Any, at: Any) -> Any:
        return _record_at(_ROW_RECORD)(typing_context, words, at)

    @intrinsic
    def rules_of(typing_context: Any, rules: Any) -> Any:
        """``view.rules`` as the record that the rules core takes."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(_RULES_RECORD))

        return _RULES_RECORD(rules), generate

    @intrinsic
    def copy_view(typing_context: Any, words: Any, at: Any, view: Any) -> Any:
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

else:
    _TABLES: dict[int, tuple[Any, Any, Any]] = {}

    def _table_at(at: int) -> tuple[Any, Any, Any]:
        if at not in _TABLES:
            made = (make_records(d, 1)[0] for d in (VIEW_DTYPE, HIDDEN_DTYPE, DEAL_ROW_DTYPE))
            _TABLES[at] = (*made,)
        return _TABLES[at]

    def view_at(words: Any, at: int) -> Any:
        return _table_at(at)[0]

    def hidden_at(words: Any, at: int) -> Any:
        return _table_at(at - HIDDEN_AT)[1]

    def row_at(words: Any, at: int) -> Any:
        return _table_at(at - ROW_AT)[2]

    def rules_of(rules: Any) -> Any:
        return rules

    def _copy_fields(to: Any, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            to[name] = list(value) if isinstance(value, list | tuple) else value

    def copy_view(words: Any, at: int, view: Any) -> None:
        _copy_fields(_table_at(at)[0], view.fields())

    def _policy_own(own: Any, player: int) -> Any:
        return own.policy_owns[player]


@outline
def _lay_world(words: Any, at: int, view: Any, world: Any, key: int) -> None:
    """Lay the present decision of ``view`` with the cards of a world (``sim.worlds``).

    ``key`` gives the policy's random words.
    """
    copy_view(words, at, view)
    laid = view_at(words, at)
    hidden = hidden_at(words, at + HIDDEN_AT)
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
def _ask_policy(view: Record, hidden: Record, own: Any) -> int:
    """What the policy decides; its mover's own slots are filled first."""
    reveal_private(view, hidden)
    return call_bot(own.policy, view, _policy_own(own, view.player))


@outline
def _play_out(view: Record, hidden: Record, rules: Record, own: Any, row: Record) -> None:
    """Play the deal to its end by the policy, and score it."""
    while view.phase != DONE:
        ready(view, hidden, rules)
        legal = view.legal
        action = ctz(legal) if legal & (legal - 1) == 0 else _ask_policy(view, hidden, own)
        advance(view, hidden, rules, action)
    finish_deal(view, hidden, rules, row)


@outline
def play_action(
    words: Any, at: int, view: Any, world: Any, key: int, own: Any, action: int, then: int
) -> int:
    """The asking player's deal value, in twelfths, if he does ``action`` now in a world, and the
    policy plays the rest; ``then`` is his next action too, where it is not -1 (the second card of
    a discard)."""
    _lay_world(words, at, view, world, key)
    forget(own)
    laid = view_at(words, at)
    hidden = hidden_at(words, at + HIDDEN_AT)
    row = row_at(words, at + ROW_AT)
    rules = rules_of(view.rules)
    advance(laid, hidden, rules, action)
    if then >= 0:
        advance(laid, hidden, rules, then)
    _play_out(laid, hidden, rules, own, row)
    return row.value[view.player]


@kernel
def ask_here(view: Any, own: Any) -> int:
    """What the policy decides in the asking bot's own place."""
    return call_bot(own.policy, view, _policy_own(own, view.player))


@kernel
def _hands_dealt(view: Any, world: Any, away: int, talon: int) -> tuple[int, int, int]:
    """The three hands as they were dealt in a world."""
    first = world[0] | view.played_by[0]
    second = world[1] | view.played_by[1]
    third = world[2] | view.played_by[2]
    if view.declarer >= 0 and view.talon:
        first |= away if view.declarer == 0 else 0
        second |= away if view.declarer == 1 else 0
        third |= away if view.declarer == 2 else 0
    return first & ~talon, second & ~talon, third & ~talon


@kernel
def _next_of_deal(view: Any, laid: Any, away: int, n: int) -> int:
    """What was done next in the deal of ``view``, of which ``n`` calls have been made again; of two
    cards laid away the lower is the first."""
    if laid.phase == CARD:
        return view.plays[laid.n_plays] & 31
    if laid.phase == DISCARD:
        return ctz(away)
    return view.calls[n] & 63


@kernel
def _surprise_of(phase: int) -> int:
    """Units of surprise at what the policy would not have done; another card may be as good."""
    if phase == CARD:
        return 2
    return 10 if phase == DISCARD else 16


IMPOSSIBLE = 1000
"""Units of surprise at what could not have been done at all."""


@outline
def surprises(words: Any, at: int, view: Any, world: Any, own: Any, key: int, most: int) -> int:
    """Units of surprise at what the others called, laid away and played, if the cards lay as in a
    world: at all that the policy would not have done.

    The deal is laid anew and all is done again, at the table at word ``at``, until there are more
    than ``most``.
    """
    copy_view(words, at, view)
    laid = view_at(words, at)
    hidden = hidden_at(words, at + HIDDEN_AT)
    rules = rules_of(view.rules)
    forget(own)
    away = world[4]
    if view.declarer >= 0 and view.hand_of[view.player] == view.declarer:
        away = view.discard
    talon = view.talon if view.talon else world[3]
    if popcount(talon) != 2:
        return 0
    low, high = ctz(talon), ctz(talon & (talon - 1))
    if view.talon:
        low, high = view.talon_card[0], view.talon_card[1]
    lay_hands(laid, hidden, rules, _hands_dealt(view, world, away, talon), low, high)
    hidden.claims = 0
    for player in range(MAX_PLAYERS):
        hidden.key[player] = splitmix(key, player)
        hidden.drawn[player] = 0
    found = 0
    n = 0
    while n < view.n_calls or laid.phase != view.phase or laid.n_plays < view.n_plays:
        ready(laid, hidden, rules)
        phase = laid.phase
        if phase == DONE or (phase == CARD and laid.n_plays >= view.n_plays):
            break
        asked = -1
        if laid.player != view.player and laid.legal & (laid.legal - 1):
            asked = _ask_policy(laid, hidden, own)
        gone = hidden.discard[laid.mover] if phase == DISCARD else 0
        action = _next_of_deal(view, laid, away & ~gone, n)
        if asked >= 0 and asked != action:
            found += _surprise_of(phase)
        if action > 62 or laid.legal >> action & 1 == 0:
            return found + IMPOSSIBLE
        if found > most:
            break
        if phase != CARD and phase != DISCARD:
            n += 1
        advance(laid, hidden, rules, action)
    return found


@outline
def policy_pair(words: Any, at: int, view: Any, world: Any, own: Any, key: int) -> int:
    """The two cards that the policy would lay away at a table with a world laid."""
    _lay_world(words, at, view, world, key)
    forget(own)
    laid = view_at(words, at)
    hidden = hidden_at(words, at + HIDDEN_AT)
    rules = rules_of(view.rules)
    pair = 0
    phase = laid.phase
    for _ in range(2):
        if laid.phase == phase and laid.player == view.player:
            ready(laid, hidden, rules)
            card = _ask_policy(laid, hidden, own)
            pair |= 1 << card
            advance(laid, hidden, rules, card)
    return pair


@outline
def price_tricks(words: Any, at: int, view: Any, pays: Any) -> None:
    """Fill ``pays`` [11] with the player's deal value, in twelfths, by the declarer's tricks.

    What is left for the defence is shared evenly, an odd trick to who asks, if he defends.
    """
    rules = rules_of(view.rules)
    declarer = view.player_of[view.declarer]
    for k in range(11):
        copy_view(words, at, view)
        laid = view_at(words, at)
        hidden = hidden_at(words, at + HIDDEN_AT)
        settle(rules, laid, hidden.balance)
        hidden.number = 0
        hidden.talon = view.talon
        laid.n_plays = max(1, laid.n_plays)
        laid.tricks[declarer] = k
        _share(laid, 10 - k)
        row = row_at(words, at + ROW_AT)
        finish_deal(laid, hidden, rules, row)
        pays[k] = row.value[view.player]


@kernel
def _share(view: Record, tricks: int) -> None:
    """Share the defence's tricks between those who defend."""
    first = -1
    second = -1
    for hand in range(N_HANDS):
        if view.in_play >> hand & 1 and hand != view.declarer:
            player = who_takes(view, hand)
            if player >= 0 and (first < 0 or player == view.player):
                second = first
                first = player
            elif player >= 0:
                second = player
    if first < 0:
        return
    left = tricks - view.tricks[first]
    if second >= 0 and second != first:
        left -= view.tricks[second]
        half = max(0, left) // 2
        view.tricks[second] += half
        left -= half
    view.tricks[first] += max(0, left)


@outline
def forget(own: Any) -> None:
    """Clear the policy's memory, as at the start of a pulka."""
    for player in range(MAX_PLAYERS):
        memory = _policy_own(own, player).memory
        for k in range(len(memory)):
            memory[k] = 0
