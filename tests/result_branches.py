"""Which branches of the rules of scoring a deal has touched, counted by name.

The counts tell whether a comparison of random deals means something.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from naive.scoring import Records, Result, consolation, is_made, overtricks, undertricks
from naive.sheet import Sheet, is_over

Conventions = dict[str, Any]


def count_deal_branches(
    reached: Counter[str], conv: Conventions, before: Sheet, result: Result, records: Records
) -> None:
    """Count what a deal has touched of the rules of what it writes."""
    if result.kind == "raspas":
        _count_raspas(reached, conv, before, result)
        return
    _count_fir_tree(reached, before, result)
    bombs = before.bombs[result.declarer]
    reached[f"contract with {bombs} bombs"] += bombs > 0
    _count_talon_bonus(reached, conv, result)
    reached["off the mountain instead"] += result.off_mountain
    if result.kind == "misere":
        _count_misere(reached, conv, result)
    elif result.concession:
        reached["concession"] += 1
    elif not result.played:
        _count_unplayed(reached, result)
    elif result.n == 2:
        _count_lone_defender(reached, conv, result, records)
    elif len(result.who_said("whist")) == 1:
        _count_one_whister(reached, conv, result)
    else:
        _count_two_whisters(reached, conv, result)
    if result.kind == "tricks" and result.played and result.n > 2:
        _count_remise(reached, conv, before, result, records)


def _count_fir_tree(reached: Counter[str], before: Sheet, result: Result) -> None:
    marks, bombs = before.fir_trees[result.declarer], before.bombs[result.declarer]
    reached["contract with a fir-tree"] += marks > 0
    reached["contract with several fir-trees"] += marks > 1
    reached["contract with a fir-tree and bombs"] += marks > 0 and bombs > 0


def _count_lone_defender(
    reached: Counter[str], conv: Conventions, result: Result, records: Records
) -> None:
    """Two players: the only defender whists open, or blind on his own cards."""
    ending, way = _ending(conv, result), "blind" if result.blind else "open"
    (whister,) = result.who_said("whist")
    if result.level == 10 and conv["whist.ten"] == "checked":
        reached[f"ten checked of two, {ending}"] += 1
        return
    reached[f"level {result.level} {ending}, of two"] += 1
    reached[f"whist of two {way}, {ending}"] += 1
    reached[f"remise of two players, {way}"] += records.mountain[whister] > 0
    reached["tricks of nobody"] += sum(result.tricks) < 10
    set_ = ending == "set"
    reached["no gentleman's whist of two"] += set_ and conv["whist.style"] == "gentleman"
    reached["nobody's consolation of two"] += set_ and conv["whist.consolation_passer"] != "own"


def _count_raspas(reached: Counter[str], conv: Conventions, before: Sheet, result: Result) -> None:
    if not result.played:
        reached["thrown in"] += 1
        reached["thrown in after a dark pass"] += result.dark_pass
        return
    reached[f"raspas, number {min(before.raspas_index, 8) + 1} in a row"] += 1
    reached["raspas of two, tricks of nobody"] += sum(result.tricks) < 10
    if result.dark_pass:
        reached[f"dark pass, number {min(before.dark_row, 3) + 1} in a row"] += 1
    talon_led = result.n == 4 and conv["raspas.talon_four"] == "dealer_plays"
    players = result.in_turn() if talon_led else result.dealt()
    tricks = [result.tricks[player] for player in players]
    column = conv["raspas.column"]
    zeros = [result.tricks[player] for player in result.dealt()].count(0)
    reached["raspas, nobody without a trick"] += zeros == 0
    reached["raspas, two without a trick"] += zeros == 2
    reached[f"raspas by {column}, {tricks.count(min(tricks))} lowest"] += 1
    reached["raspas, amnesty"] += bool(conv["raspas.amnesty"]) and min(tricks) > 0
    reached["raspas, difference"] += conv["raspas.whists"] == "difference" and min(tricks) > 0
    if talon_led:
        dealers = result.tricks[result.dealer]
        reached["dealer takes tricks with the talon"] += dealers > 0
        reached["dealer takes no trick with the talon"] += dealers == 0
        reached["dealer is the only lowest"] += (
            column == "whists" and dealers == min(tricks) and tricks.count(dealers) == 1
        )
    elif result.n == 4:
        reached["dealer's pool points"] += conv["raspas.dealer_pool"] > 0


def _count_talon_bonus(reached: Counter[str], conv: Conventions, result: Result) -> None:
    if not conv["talon.bonus"] or result.talon_units == 0:
        return
    if result.kind == "misere":
        reached["talon bonus at misere"] += bool(conv["talon.bonus_at_misere"])
    elif result.n == 4:
        reached["talon bonus of the sitting dealer"] += 1
    elif conv["talon.bonus_three"] == "half_each":
        reached["talon bonus, half each"] += 1
    else:
        own = result.dealer == result.declarer
        reached["talon bonus, the dealer declares" if own else "talon bonus of the dealer"] += 1


def _count_misere(reached: Counter[str], conv: Conventions, result: Result) -> None:
    ending = "made" if result.tricks[result.declarer] == 0 else "failed"
    shared = result.n == 4 and conv["misere.half_with_dealer"]
    reached[f"misere {ending}" + (", half with the dealer" if shared else "")] += 1
    reached["misere, whists of the defenders"] += ending == "failed" and conv["misere.whists"] > 0


def _count_unplayed(reached: Counter[str], result: Result) -> None:
    half = bool(result.who_said("half"))
    reached["half-whist" if half else "not whisted"] += 1
    reached[f"half-whist at {result.level}"] += half


def _ending(conv: Conventions, result: Result) -> str:
    if undertricks(result):
        return "set"
    return "too many" if overtricks(conv, result) else "made"


def _count_one_whister(reached: Counter[str], conv: Conventions, result: Result) -> None:
    ending = _ending(conv, result)
    (whister,) = result.who_said("whist")
    returned = bool(result.who_said("half"))
    dealers = result.n == 4 and whister == result.dealer
    gentleman = conv["whist.style"] == "gentleman"
    reached[f"level {result.level} {ending}, 1 whisting"] += 1
    reached[f"dealer whists, {ending}"] += dealers
    reached[f"half-whist returned, {ending}"] += returned
    if ending == "set":
        reached[f"consolation of the passer: {conv['whist.consolation_passer']}"] += 1
        _count_consolation_of_the_sitter(reached, conv, result)
        alone = returned and conv["whist.returner_takes_all"]
        reached["gentleman's whist"] += gentleman and not alone
        reached["gentleman's whist, the returner takes all"] += gentleman and alone
        lost = conv["whist.passer_tricks"] == "lost"
        reached["passer's tricks are lost"] += lost
        reached["passer's tricks are lost, gentleman's whist"] += lost and gentleman
    elif ending == "made":
        reached["gentleman's whist, made"] += gentleman and bool(conv["whist.gentleman_made"])


def _count_two_whisters(reached: Counter[str], conv: Conventions, result: Result) -> None:
    ending = _ending(conv, result)
    reached[f"level {result.level} {ending}, 2 whisting"] += 1
    if ending == "set":
        _count_consolation_of_the_sitter(reached, conv, result)


def _count_consolation_of_the_sitter(
    reached: Counter[str], conv: Conventions, result: Result
) -> None:
    if result.sitter() is None:
        return
    written = result.sitter() in consolation(conv, result)
    who = "dealer" if result.sitter() == result.dealer else "owner of the dealer's hand"
    reached[f"consolation, {'' if written else 'not '}of the {who}"] += 1


def _count_remise(
    reached: Counter[str], conv: Conventions, before: Sheet, result: Result, records: Records
) -> None:
    whisters = result.who_said("whist")
    writers = [player for player in whisters if records.mountain[player] > 0]
    if len(whisters) == 2:
        group = "low" if result.level <= 7 else "high"
        by = conv["whist.remise"]
        if group == "high" and by != "personal_always":
            by = conv["whist.duty_one"]
        reached[f"remise of two, {group}, {by}"] += bool(writers)
        return
    whole = conv["whist.responsible_after_close"] and before.pools_full()
    dealers = result.n == 4 and whisters[0] == result.dealer
    reached["remise of one"] += bool(writers)
    reached["remise of one, the whole price"] += bool(writers) and bool(whole)
    reached["remise of a whisting dealer"] += bool(writers) and dealers
    duty = conv["values.duty"][result.level - 6]
    checked = result.level == 10 and conv["whist.ten"] == "checked"
    short = 10 - result.tricks[result.declarer] < duty and not checked
    reached["no remise of a whisting dealer"] += short and dealers and not writers


# The sheet


def count_sheet_branches(
    reached: Counter[str],
    conv: Conventions,
    before: Sheet,
    after: Sheet,
    result: Result,
    records: Records,
) -> None:
    """Count help, leftover points, prizes, rows of raspas, bombs and endings."""
    for player in range(after.n):
        gain, bonus = records.gain[player], records.bonus[player]
        if gain + bonus == sum(records.gain) + sum(records.bonus) and gain + bonus > 0:
            name = "gain" if gain else "bonus"
            _count_gain(reached, conv, before, after, records, player, name)
    _count_prizes(reached, conv, before, after)
    _count_row(reached, conv, before, after, result)
    _count_bombs(reached, conv, before, after, result)
    if is_over(conv, after):
        reached[f"over: {conv['end.when']}"] += 1
    elif conv["end.when"] == "sum_and_exit":
        reached["sum reached in a row of raspas"] += after.pools_full()
    elif conv["end.when"] == "time_and_close":
        reached["time is up and no pool is full"] += after.deals_left == 0


def _count_gain(
    reached: Counter[str],
    conv: Conventions,
    before: Sheet,
    after: Sheet,
    records: Records,
    player: int,
    name: str,
) -> None:
    """One player's pool points, when nobody else has won any."""
    points = records.gain[player] + records.bonus[player]
    others = [j for j in range(after.n) if j != player]
    filled = [after.pool[j] - before.pool[j] for j in range(after.n)]
    lowered = [before.mountain[j] + records.mountain[j] - after.mountain[j] for j in range(after.n)]
    helped = sum(filled[j] > 0 for j in others)
    reached[f"{name}, help to {helped} pools"] += 1
    relieved = sum(lowered[j] > 0 for j in others)
    reached[f"{name}, help to {relieved} mountains"] += relieved > 0
    reached["help in both columns"] += helped > 0 and relieved > 0
    half = after.n == 2 and conv["end.surplus"] == "half" and sum(filled) < points
    reached["half points left over"] += (
        half and bool(conv["help.pool"]) and conv["end.leftover"] == "mountain"
    )
    own = lowered[player]
    if conv["values.mountain_first"] and name == "gain":
        reached["mountain first, all" if own >= points else "mountain first, part"] += own > 0
    elif conv["help.pool"] and sum(filled) < points:
        to_zero = name == "bonus" and conv["raspas.zero_closed"] == "mountain"
        way = "off the own mountain" if to_zero else conv["end.leftover"]
        reached[f"{name} left over, {way}"] += 1
        reached["left over, below zero"] += own > 0 and after.mountain[player] < 0
        reached["off the mountain and left over"] += bool(conv["values.off_mountain_too"])
    elif not conv["help.pool"]:
        reached["cut off at the sum"] += sum(filled) < points
        reached["beyond the sum"] += sum(after.pool) > after.total > sum(before.pool)


def _count_prizes(reached: Counter[str], conv: Conventions, before: Sheet, after: Sheet) -> None:
    size = "four" if after.n == 4 else "three"
    won = after.first_pool_is_won > before.first_pool_is_won
    reached["prize for the first pool"] += won and conv["prize.first_pool"] > 0
    won = after.first_mountain_is_won > before.first_mountain_is_won
    reached["prize for the first mountain"] += won and conv[f"prize.first_mountain_{size}"] > 0
    if conv["prize.min_mountain"] and is_over(conv, after):
        lowest = after.mountain.count(min(after.mountain))
        reached[f"prize for the lowest mountain, {min(lowest, 3)} sharing"] += lowest < after.n


def _count_row(
    reached: Counter[str], conv: Conventions, before: Sheet, after: Sheet, result: Result
) -> None:
    """How a deal with a bid ended a row of raspas, or did not."""
    if result.kind == "raspas" or before.raspas_index == 0:
        return
    if after.raspas_index == 0:
        reached[f"exit: {conv['raspas.exit_on']}"] += 1
        return
    levels = conv["raspas.exit_levels"]
    lowest = levels[min(before.raspas_index, len(levels) - 1)]
    if result.kind == "tricks" and result.level < lowest:
        reached["no exit: level"] += 1
    elif not is_made(conv, result):
        reached["no exit: not made"] += 1
    elif result.kind == "misere":
        reached["no exit: misere"] += 1
    elif result.level == 10 and not conv["raspas.exit_ten"]:
        reached["no exit: ten"] += 1
    else:
        reached["no exit: not whisted"] += 1


def _count_bombs(
    reached: Counter[str], conv: Conventions, before: Sheet, after: Sheet, result: Result
) -> None:
    if result.kind == "raspas":
        reached["a bomb"] += sum(after.bombs) > sum(before.bombs)
        full = result.played and result.dark_pass and before.bombs[result.in_turn()[0]] == 3
        reached["no fourth bomb"] += full
        return
    kept = after.bombs[result.declarer] > 0
    reached["bomb kept" if kept else "bomb used up"] += before.bombs[result.declarer] > 0


# Razboinik


def count_row_branches(
    reached: Counter[str], before: Sheet, result: Result, records: Records
) -> None:
    """Count the rows of razboinik, made and not, and how its table fills."""
    row = "misere" if result.kind == "misere" else result.level
    taken = result.tricks[result.declarer]
    made = taken == 0 if result.level is None else taken >= result.level
    reached[f"row {row} {'made' if made else 'set'}"] += 1
    reached["more tricks than the row"] += result.level is not None and taken > result.level
    reached["the table is full"] += before.n_deals == 11
    reached["a row that costs nothing"] += not made and records.mountain[result.declarer] == 0
