"""Which branches of the refet game's rules a deal has touched, counted by name."""

from __future__ import annotations

from collections import Counter
from typing import Any

from naive.refet import RefetDeal
from naive.refet_auction import GAMES, YIELD
from naive.refet_scoring import RefetBefore, RefetRecords, RefetResult, hand_value, is_left
from naive.refet_sheet import RefetSheet, is_over, is_under_hat

Conventions = dict[str, Any]
DOUBLINGS = ("", "contra", "recontra", "subcontra", "mordcontra")


def count_refet_deal(reached: Counter[str], twin: RefetDeal) -> None:
    """Count what a finished deal has touched of auction, following and play."""
    _count_auction(reached, twin)
    if twin.declarer is None:
        return
    _count_following(reached, twin)
    if twin.play is None:
        return
    play = twin.play
    reached[f"{len(play.in_play)} hands play {twin.contract}"] += 1
    reached["stopped early"] += len(play.past_tricks) < 10
    reached["played on after a loss"] += play.is_lost() and len(play.past_tricks) == 10
    if twin.contract in ("sans", "preferans") and twin.conv["tricks.through"]:
        leads = play.past_tricks[0][0][0]
        near = (twin.declarer + 1) % 3
        reached["led under the declarer"] += leads != near
        reached["led by the other follower"] += leads == near
    reached["the first hand does not lead"] += 0 not in play.in_play
    for rule in ("must_head", "must_overtrump"):
        reached[rule] += bool(twin.conv[f"tricks.{rule}"])
    reached["betl laid open"] += twin.contract == "betl" and bool(twin.conv["betl.open"])


def _count_auction(reached: Counter[str], twin: RefetDeal) -> None:
    auction = twin.auction
    said = [call for _, call in auction.calls]
    rule = twin.conv["bidding.hold"]
    reached[f"hold, {rule}"] += "hold" in said
    reached[f"several holds, {rule}"] += said.count("hold") > 1
    holders = {hand for hand, call in auction.calls if call == "hold"}
    reached[f"holds of two players, {rule}"] += len(holders) > 1
    reached["the last number held"] += auction.held and auction.bid == str(auction.top)
    reached["number bid and outbid by a game"] += (
        any(call.isdigit() for call in said) and auction.bid in GAMES
    )
    numbers = [int(call) for call in said if call.isdigit()]
    reached["jump"] += any(b > a + 1 for a, b in zip(numbers, numbers[1:], strict=False))
    games = [call for call in said if call in GAMES]
    reached["a game beaten by a stronger one"] += len(set(games)) > 1
    reached[f"{said.count('game')} games in a suit"] += auction.bid == "game"
    if twin.suits is not None:
        words = [word for _, word in twin.suits.calls]
        reached["the first suit stands"] += set(words[1:]) == {YIELD}
        reached["a higher suit"] += words[0] != twin.contract
    if auction.bid is None:
        reached["passed by all"] += 1
    else:
        how = "from the hand" if twin.from_hand else f"with the talon, {auction.bid}"
        reached[f"{twin.contract} {how}"] += 1


def _count_following(reached: Counter[str], twin: RefetDeal) -> None:
    if twin.follow is not None:
        words = [word for _, word in twin.follow.calls]
        reached[", ".join(words)] += 1
    if twin.contra is not None:
        reached[DOUBLINGS[twin.contra.level]] += 1
        first = twin.contra.askers[:1] == [twin.contra.by]
        reached["contra by the second"] += twin.contra.level > 0 and not first
        came = twin.follow.came() if twin.follow else twin.contra.askers
        reached["contra of one who stayed away"] += (
            twin.contra.level > 0 and twin.contra.by not in came
        )
        reached["drawn in by contra"] += twin.contra.level > 0 and len(came) == 1


def count_refet_sheet(
    reached: Counter[str],
    conv: Conventions,
    known: RefetBefore,
    before: RefetSheet,
    after: RefetSheet,
    result: RefetResult,
    records: RefetRecords,
) -> None:
    """Count refets, hats, what was made and lost, and the end of the pulka."""
    reached["refets"] += bool(records.refets_for)
    reached["no refet for the dealer"] += 0 < len(records.refets_for) < after.n
    reached["a refet used"] += records.refet_used
    reached["a refet used, others kept"] += records.refet_used and after.refets[result.declarer] > 0
    hat = is_under_hat(conv, before)
    reached[f"a column at nothing, {conv['refets.hat']}"] += min(before.column) == 0
    reached["over"] += is_over(after)
    if result.declarer is None:
        reached["no refets: under the hat"] += hat
        reached["no refets: no more"] += not hat and not known.may_refet
        return
    held = before.refets[result.declarer] > 0
    reached["a frozen refet"] += held and not known.on_refet
    reached["a refet used under the hat"] += known.on_refet and hat
    if is_left(conv, result):
        _count_left(reached, conv, known, result, records)
        return
    _count_score(reached, conv, result, records)
    _count_last(reached, conv, known, before, result, records)


def _count_left(
    reached: Counter[str],
    conv: Conventions,
    known: RefetBefore,
    result: RefetResult,
    records: RefetRecords,
) -> None:
    way = "refets" if records.refets_for else "written" if any(records.column) else "nothing"
    reached[f"spades left, {conv['spades.left']}, {way}"] += 1
    reached[f"spades left, {conv['spades.left']}, {way}, with a refet"] += known.on_refet
    reached["spades left, nobody comes"] += not result.came()


def _count_score(
    reached: Counter[str], conv: Conventions, result: RefetResult, records: RefetRecords
) -> None:
    if result.tricks is None:
        reached["nobody comes"] += 1
        reached["nobody comes to spades"] += result.contract == "spades" and not result.from_hand
        return
    ending = "made" if result.made() else "lost"
    contra = f" under {DOUBLINGS[result.contra]}" if result.contra else ""
    reached[f"{result.contract} {ending}{contra}"] += 1
    reached[f"a game {ending}{contra}"] += result.from_hand
    if result.contract in ("betl", "preferans"):
        lost = not result.made() and result.contra > 0
        reached[f"betl lost under contra, {conv['betl.lost_contra']}"] += lost
        return
    how = f"{len(result.came())} came"
    how = "invited" if result.inviter() is not None else how
    how = f"contra, {conv['contra.soup']}" if result.contra else how
    short = sum(records.column[p] > 0 for p in result.followers())
    reached[f"{ending}, {how}, {short} short"] += 1
    reached[f"{ending}, {how}, {conv['follow.short']}, {short} short"] += 1
    written = sum(map(sum, records.soup))
    taken = sum(result.tricks[p] for p in result.followers())
    reached["soup cut off"] += 0 < written < taken * abs(records.column[result.declarer])
    shares = [result.tricks[p] for p in result.followers()]
    reached["soup of equal shares cut off"] += (
        shares[0] == shares[1] and sum(shares) > conv["tricks.soup_most"]
    )


def _count_last(
    reached: Counter[str],
    conv: Conventions,
    known: RefetBefore,
    before: RefetSheet,
    result: RefetResult,
    records: RefetRecords,
) -> None:
    value = hand_value(result, known.on_refet)
    beyond = value > sum(before.column)
    made = records.column[result.declarer] < 0
    reached[f"last hand made, {conv['last.made']}"] += beyond and made and sum(records.column) < 0
    reached["last hand made, with soup"] += (
        beyond and made and conv["last.made"] == "cap" and any(map(any, records.soup))
    )
    twice = records.column[result.declarer] == 2 * value
    reached["last hand lost"] += beyond and not made
    reached["double fall"] += beyond and not made and twice
    reached["last hand lost, not doubled"] += beyond and not made and not twice
    reached["last hand made, a follower short"] += beyond and made and sum(records.column) >= 0
