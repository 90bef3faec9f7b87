"""Which branches of the procedure and of the sheet a deal has touched, counted by name.

The counts tell whether a comparison of random deals means something.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from naive.cards import DEALER, MISERE, MISERE_WITHOUT, is_misere
from naive.deal import NaiveDeal
from naive.pulka import Pulka
from naive.scoring import Records
from naive.sheet import Sheet

Result = dict[str, Any]


def count_deal(reached: Counter[str], twin: NaiveDeal, result: Result) -> None:
    """Count what a finished deal has touched of the rules of auction, whist and play."""
    _count_auction(reached, twin)
    if twin.dummy is not None:
        _count_dummy(reached, twin, result)
    reached["conceded"] += result["conceded"]
    kind = result["kind"]
    if kind == "misere":
        _count_misere(reached, twin, result)
    elif kind == "raspas":
        _count_raspas(reached, twin)
    elif not result["conceded"]:
        _count_whist(reached, twin, result)
    if kind != "raspas":
        reached["asked for the points"] += twin.points_are_asked
        reached["off the mountain instead"] += result["off_mountain"]
        reached[f"talon units {result['talon_units']}"] += 1


def _count_dummy(reached: Counter[str], twin: NaiveDeal, result: Result) -> None:
    """Two players: the seats of the dummy, and what it does in each kind of game."""
    conv = twin.conv
    reached[f"dummy {conv['dummy.seat']}"] += 1
    if result["kind"] == "raspas":
        what = conv["dummy.raspas"] if result["played"] else "thrown in"
        reached[f"raspas of two, dummy {what}"] += 1
        if result["played"] and what == "lowest":
            reached[f"raspas of two, dummy lowest, {twin.raspas_rule()}"] += 1
            reached["dummy takes tricks of nobody"] += sum(result["tricks"]) < 10
    elif result["kind"] == "misere":
        dark = "dark" if conv["misere.first_trick_dark"] else "open"
        reached[f"misere against both hands, {dark}"] += 1
        reached["misere, the declarer leads to two"] += twin.declarer == 0
        reached["misere, the dummy leads"] += twin.dummy == 0
    elif not result["conceded"]:
        _count_lone_defender(reached, twin, result)


def _count_lone_defender(reached: Counter[str], twin: NaiveDeal, result: Result) -> None:
    conv = twin.conv
    assert twin.whist is not None
    early = conv["dummy.opened"] == "before_whist"
    if not result["played"]:
        reached["the defender passes"] += 1
        reached["the defender passes, the dummy seen"] += early
        return
    if not twin.whist.calls:
        reached["ten checked by two hands"] += 1
        return
    way = "open" if result["open"] else f"blind, dummy {conv['dummy.blind']}"
    when = "the first card" if conv["whist.first_card_dark"] and twin.dummy != 0 else "the choice"
    reached[f"the defender whists {way}"] += 1
    reached[f"the defender whists {way}, after {when}"] += 1
    reached[f"the defender whists {way}, dummy {conv['dummy.seat']}"] += 1
    reached[f"the defender whists {way}, the dummy seen"] += early
    reached["the defender may not pass"] += "pass" not in conv["dummy.defence"]
    reached["Stalingrad for one"] += bool(conv["whist.stalingrad"]) and twin.contract == "6S"
    duty = conv["values.duty" if result["open"] else "dummy.blind_duty"][result["level"] - 6]
    taken = result["tricks"][twin.defender()]
    reached[f"remise of one defender, {'open' if result['open'] else 'blind'}"] += taken < duty
    reached["tricks of nobody against a contract"] += taken + result["tricks"][twin.declarer] < sum(
        len(t) > 0 for t in twin.past_tricks
    )


def _count_auction(reached: Counter[str], twin: NaiveDeal) -> None:
    auction = twin.auction
    if twin.agree_words:
        agreed = "refuse" not in twin.agree_words
        n_asked = len(twin.agree_words)
        reached["raspas agreed" if agreed else f"raspas refused by number {n_asked}"] += 1
    said = [call for _, call in auction.calls]
    reached["hold"] += "hold" in said
    reached["hold and raise"] += said.count("hold") > 1
    reached["hold that ends the auction"] += said[-1:] == ["hold"]
    reached["misere bid"] += MISERE in said
    reached["misere overbid"] += MISERE in said and auction.bid != MISERE
    pairs = [(hand, call) for hand, call in auction.calls if is_misere(call)]
    both = [hand for hand, call in pairs if call == MISERE and (hand, MISERE_WITHOUT) in pairs]
    reached["misere, then without the talon"] += len(both)
    reached["bid without the talon overbid"] += any(
        call.endswith("-wt") and call != auction.bid for call in said
    )
    if twin.dark_pass:
        reached["dark pass and raspas" if auction.bid is None else "dark pass and a bid"] += 1


def _count_misere(reached: Counter[str], twin: NaiveDeal, result: Result) -> None:
    made = result["tricks"][twin.declarer] == 0
    reached["misere made" if made else "misere set"] += 1
    reached["misere of first hand"] += twin.declarer == 0
    reached["misere without the talon"] += result["without_talon"]
    if twin.catch_words:
        reached[f"misere, {', '.join(twin.catch_words)}"] += 1
    reached["misere, first trick dark"] += twin.conv["misere.first_trick_dark"]


def _count_raspas(reached: Counter[str], twin: NaiveDeal) -> None:
    if not twin.past_tricks:
        return
    row = min(twin.raspas_index, 2) + 1
    reached[f"raspas, number {row} in a row"] += 1
    reached["raspas without a trick"] += 0 in [twin.tricks[hand] for hand in twin.auction.hands]
    rule = twin.raspas_rule()
    reached[f"raspas of {twin.n}, {rule}"] += 1
    if rule in ("suit_only", "dealer_plays", "may_win"):
        led = list(zip(twin.talon, twin.past_tricks, strict=False))
        reached["talon suit not followed"] += any(
            card[0] != talon[0] for talon, trick in led for _, card in trick
        )
    if rule == "may_win":
        assert twin.play is not None
        reached[f"the talon takes {twin.play.tricks[DEALER]}"] += 1
        winner = next(hand for hand, _ in twin.past_tricks[2])
        reached["third lead after the talon of two"] += winner != twin.play.in_play[0]
    if twin.n == 2 and rule != "closed":
        nobody = [
            all(card[0] != talon[0] for hand, card in trick if hand != DEALER)
            for talon, trick in zip(twin.talon, twin.past_tricks, strict=False)
        ]
        reached[f"nobody follows the talon, {rule}"] += any(nobody)
        reached[f"nobody follows: {twin.conv['raspas.nobody_follows']}"] += any(nobody)
    if rule == "dealer_plays":
        reached[f"the dealer's talon takes {twin.tricks[DEALER]}"] += 1
        winner = next((hand for hand, _ in twin.past_tricks[2]), None)
        reached["third lead after the dealer's talon"] += winner != 0


def _count_whist(reached: Counter[str], twin: NaiveDeal, result: Result) -> None:
    assert twin.whist is not None
    words = [word for _, word in twin.whist.calls]
    reached[", ".join(words) or "whist by force"] += 1
    if twin.whist.mover == DEALER:
        reached["the dealer is asked"] += 1
        reached["the dealer is asked after half-whist"] += "half" in words
        reached["the dealer whists"] += twin.taken is not None
        if twin.taken is not None:
            first = twin.taken == twin.whist.defenders[0]
            reached[f"the dealer whists with the {'first' if first else 'second'} hand"] += 1
            reached["the dealer whists open"] += result["open"]
            reached["the dealer leads the first card"] += twin.taken == 0
    reached["half-whist returned, all to one"] += set(twin.whist.parts.values()) == {
        "half",
        "whist",
    }
    level = result["level"]
    if result["without_talon"]:
        reached[f"{level} without the talon"] += 1
    if not result["played"]:
        return
    short = level - result["tricks"][twin.declarer]
    n_whisters = list(result["whist"].values()).count("whist")
    ending = "set" if short > 0 else "made"
    reached[f"level {level} {ending}, {n_whisters} whisting"] += 1
    reached["open play"] += result["open"]
    reached["lone whister closed"] += n_whisters == 1 and not result["open"]
    reached["open after the first card"] += (
        bool(result["open"]) and twin.conv["whist.first_card_dark"]
    )
    reached["whisters took nothing"] += result["tricks"][twin.declarer] == 10


def count_sheet(reached: Counter[str], before: Sheet, pulka: Pulka, records: Records) -> None:
    """Count help, points left over, the time, and the end of the pulka."""
    after = pulka.sheet
    grown = [a - b for a, b in zip(after.fir_trees, before.fir_trees, strict=True)]
    reached["fir-trees"] += max(grown) > 0
    reached["fir-trees of some"] += max(grown) > 0 and min(grown) == 0
    reached["a fir-tree used up"] += min(grown) < 0
    reached["a fir-tree used up, others left"] += min(grown) < 0 and any(
        a > 0 for a, g in zip(after.fir_trees, grown, strict=True) if g < 0
    )
    reached["over"] += pulka.over
    reached["the deal stays"] += pulka.raspas_dealt > 0
    reached["time called"] += before.deals_left is None and after.deals_left is not None
    reached["a deal after the time"] += before.deals_left is not None
    reached["bombs"] += any(after.bombs)
    everyone = range(after.n)
    gains = [a + b for a, b in zip(records.gain, records.bonus, strict=True)]
    for player, gain in enumerate(gains):
        if gain == 0:
            continue
        others = [j for j in everyone if j != player]
        alone = gain == sum(gains)
        helped = sum(after.pool[j] - before.pool[j] for j in others)
        reached["help"] += alone and helped > 0
        n_helped = [after.pool[j] > before.pool[j] for j in others].count(True)
        reached["help to two"] += alone and n_helped >= 2
        room = after.n * after.target - sum(before.pool)
        half = after.n == 2 and pulka.conv["end.surplus"] == "half"
        left = max(after.pool) == after.target and gain > after.n * after.target - sum(before.pool)
        reached["half points left over"] += half and left and pulka.conv["help.pool"]
        reached["points left over"] += max(after.pool) == after.target and gain > room


def count_rows(reached: Counter[str], twin: NaiveDeal, result: Result, before: Sheet) -> None:
    """Count what a finished deal of razboinik has touched."""
    conv = twin.conv
    row = "misere" if result["kind"] == "misere" else str(result["level"])
    points = result["tricks"][twin.declarer]
    points = points if row == "misere" else max(0, result["level"] - points)
    reached[f"row {row} {'set' if points else 'made'}"] += 1
    reached[f"talon {conv['razboinik.talon']}"] += 1
    reached[f"talon {conv['razboinik.talon']}, row {row}"] += 1
    dummy = conv["razboinik.dummy"]
    kind = "misere" if row == "misere" else "tricks"
    reached[f"razboinik, {kind}, dummy {dummy} {conv['dummy.seat']}"] += 1
    reached[f"{conv['razboinik.declarer']} declares"] += 1
    leads = twin.declarer == twin.past_tricks[0][0][0]
    reached["the declarer leads to misere"] += kind == "misere" and leads
    left = min(sum(x is None for x in rows.values()) for rows in before.rows)
    reached["the last row"] += left == 1
    reached["the table is full"] += before.n_deals == 11
