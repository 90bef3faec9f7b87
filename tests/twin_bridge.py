"""One pulka kept twice: by the engine's table and by the naive twin, compared move by move.

The translation between the two notations stands here once: cards, contracts, actions, results.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from naive.cards import HANDS, MISERE, PACK, STRAINS
from naive.deal import NaiveDeal
from naive.scoring import Records, Result
from naive.sheet import Sheet, deal_values, is_over, new_sheet, settle, write_deal

from scoring.convention import MAX_PROGRESSION
from scoring.deal_score import MAX_PLAYERS, UNIT
from sim.cards import mask_of
from sim.deals import N_DEALS, rank
from sim.state import (
    AUCTION,
    CALL_HALF,
    CALL_PASS,
    CALL_WHIST,
    CARD,
    CLOSED,
    CONCEDE,
    CONTRACT,
    DISCARD,
    FIRST_BID,
    HOLD,
    OPEN,
    OPENED,
    PASS,
    PHASES,
    WHIST,
)
from sim.table import Table

CONTRACTS = [*(f"{level}{strain}" for level in range(6, 11) for strain in STRAINS), MISERE]
"""The twin's name of each contract code."""

_CARD_NAMES = dict(enumerate(PACK))
ACTION_NAMES: dict[int, dict[int, str]] = {
    AUCTION: {
        PASS: "pass",
        HOLD: "hold",
        **{FIRST_BID + code: name for code, name in enumerate(CONTRACTS)},
    },
    DISCARD: _CARD_NAMES,
    CONTRACT: {**dict(enumerate(CONTRACTS)), CONCEDE: "concede"},
    WHIST: {CALL_PASS: "pass", CALL_WHIST: "whist", CALL_HALF: "half"},
    OPEN: {CLOSED: "closed", OPENED: "open"},
    CARD: _CARD_NAMES,
}
"""The twin's word for each action of each phase."""

DECISION_WORDS = (None, "pass", "whist", "half")
KIND_WORDS = ("raspas", "tricks", "misere")


def bits(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    return [k for k in range(63) if mask >> k & 1]


def names(mask: int) -> set[str]:
    """The twin's names of a set of cards."""
    return {PACK[card] for card in bits(mask)}


def fractions(values: Any) -> list[Fraction]:
    """Twelfths of three players as exact fractions; a fourth player must have nothing."""
    amounts = [Fraction(int(value), UNIT) for value in values]
    assert amounts[3] == 0
    return amounts[:3]


def matrix(values: Any) -> list[list[Fraction]]:
    """Sixteen twelfths as a 3 x 3 table of fractions."""
    return [fractions(values[MAX_PLAYERS * i : MAX_PLAYERS * (i + 1)]) for i in range(3)]


def known_cards(table: Table, hand: int) -> int:
    """The cards whose place the player of a hand reads from the public record and his own slots."""
    view, hidden = table.view, table.hidden
    mask = int(hidden["hands"][hand]) | int(view["played"]) | int(view["talon"])
    for shown in view["shown"]:
        mask |= int(shown)
    return mask | int(hidden["discard"]) if hand == int(view["declarer"]) else mask


def by_player(
    conv: Mapping[str, Any], result: Mapping[str, Any], player_of: Sequence[int]
) -> Result:
    """The twin's result of a deal of three by player, as its scorer wants it."""

    def player(hand: int | None) -> int | None:
        return None if hand is None else player_of[hand]

    tricks = [0] * 3
    for hand in HANDS:
        tricks[player_of[hand]] = result["tricks"][hand]
    return Result(
        kind=result["kind"],
        dealer=player_of[2],
        tricks=tricks,
        declarer=player(result["declarer"]),
        level=result["level"],
        played=result["played"],
        whist={player_of[hand]: word for hand, word in result["whist"].items()},
        last_whister=player(result["last_whister"]),
        concession=conv["contract.concession"] if result["conceded"] else 0,
    )


class Mood:
    """How the players of one deal choose: random, with a bias that reaches rare branches.

    In half of the deals one hand is ahead: the others mostly pass, and it names its longest suit.
    """

    def __init__(self, chance: random.Random, hands: list[int]) -> None:
        self.chance = chance
        self.hands = hands
        self.passes = chance.choice((0.2, 0.5, 0.5, 0.8, 0.97))
        self.misere = chance.choice((0.0, 0.1, 0.6))
        self.leap = chance.choice((0.0, 0.1, 0.5))
        self.styles = [chance.choice(("high", "low", "any")) for _ in HANDS]
        self.ahead = chance.choice((0, 1, 2, -1, -1, -1))
        if self.ahead >= 0:
            self._get_ahead()

    def _get_ahead(self) -> None:
        points = [sum(card & 7 for card in bits(hand)) for hand in self.hands]
        low = self.misere > 0.5
        self.ahead = points.index(min(points) if low else max(points))
        self.styles = ["any"] * 3
        self.styles[self.ahead] = "low" if low else "high"
        self.passes = 0.9

    def choose(self, view: Any, legal: list[int]) -> int:
        """One of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        phase, mover = int(view["phase"]), int(view["mover"])
        if phase == AUCTION:
            return self._call(mover == self.ahead, legal)
        if phase == CONTRACT:
            return self._contract(mover, legal)
        if phase == CARD and self.chance.random() < 0.85:
            return self._card(self.styles[mover], legal)
        return self.chance.choice(legal)

    def _call(self, ahead: bool, legal: list[int]) -> int:
        misere = FIRST_BID + CONTRACTS.index(MISERE)
        if misere in legal and self.chance.random() < self.misere * (ahead or self.ahead < 0):
            return misere
        if self.chance.random() < (0.1 if ahead else self.passes):
            return PASS
        if HOLD in legal and self.chance.random() < 0.6:
            return HOLD
        bids = [action for action in legal if action >= FIRST_BID] or [PASS]
        return self.chance.choice(bids if self.chance.random() < self.leap else bids[:2])

    def _contract(self, hand: int, legal: list[int]) -> int:
        if CONCEDE in legal and self.chance.random() < 0.25:
            return CONCEDE
        if hand != self.ahead:
            return legal[0] if self.chance.random() < 0.5 else self.chance.choice(legal)
        lengths = [(self.hands[hand] >> 8 * suit & 255).bit_count() for suit in range(4)]
        longest = lengths.index(max(lengths))
        named = [code for code in legal if code != CONCEDE and code % 5 == longest] or legal
        return named[0] if self.chance.random() < 0.3 else self.chance.choice(named)

    def _card(self, style: str, legal: list[int]) -> int:
        if style == "any":
            return self.chance.choice(legal)
        return (max if style == "high" else min)(legal, key=lambda card: (card & 7, card))


def random_number(chance: random.Random) -> int:
    """A deal number: uniform, or of a deal with one hand strong or weak in all or in one suit."""
    if chance.random() < 0.3:
        return chance.randrange(N_DEALS)
    slope = chance.choice((-30.0, -5.0, 5.0, 30.0))
    suit = chance.randrange(8)
    bonus = {card: slope * (card & 7) + 20 * (card >> 3 == suit) for card in range(32)}
    cards = sorted(range(32), key=lambda card: bonus[card] + 24 * chance.random(), reverse=True)
    special, others = cards[:10], cards[10:]
    chance.shuffle(others)
    hands = [others[:10], others[10:20]]
    hands.insert(chance.randrange(3), special)
    return rank(mask_of(hands[0]), mask_of(hands[1]), mask_of(others[20:]))


@dataclass
class Trace:
    """What was done in a deal, to say it in a failure."""

    label: str
    number: int
    dealer: int
    raspas_index: int
    actions: list[int]

    def __str__(self) -> str:
        return (
            f"{self.label}: deal number {self.number}, dealer {self.dealer}, "
            f"raspas index {self.raspas_index}, actions {self.actions}"
        )


class TwinPulka:
    """A pulka at one table and in the twin; every difference is an AssertionError with the deal."""

    def __init__(self, conventions: Mapping[str, Any], rules: Any, target: int, label: str) -> None:
        self.conv = dict(conventions)
        self.label = label
        self.table = Table(rules)
        self.sheet = new_sheet(self.conv, 3, target)
        self.n_deals = 0
        self.over = False
        self.reached: Counter[str] = Counter()

    def play_deal(self, number: int, chance: random.Random, all_pass: bool = False) -> None:
        """Play one deal on both sides with random choices and compare everything."""
        table = self.table
        table.lay(number)
        mood = Mood(chance, table.hands())
        if all_pass:
            mood.passes, mood.misere, mood.ahead = 1.0, 0.0, -1
        self.n_deals += 1
        dealer = (self.n_deals + 1) % 3  # player 2 deals first
        same("dealer", int(table.view["dealer"]), dealer)
        trace = Trace(self.label, number, dealer, self.sheet.raspas_index, [])
        twin = self._same_deal(table)
        try:
            while not table.done:
                compare_decision(table, twin)
                action = mood.choose(table.view, bits(table.legal))
                trace.actions.append(action)
                twin.apply(ACTION_NAMES[int(table.view["phase"])][action])
                table.apply(action)
            self._finish(twin, dealer)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{trace}") from error

    def _same_deal(self, table: Table) -> NaiveDeal:
        hands = [[PACK[card] for card in bits(mask)] for mask in table.hands()]
        talon = [PACK[int(card)] for card in table.hidden["talon_order"]]
        return NaiveDeal(self.conv, hands, talon, self.sheet.raspas_index)

    def _finish(self, twin: NaiveDeal, dealer: int) -> None:
        table = self.table
        assert twin.phase == "done" and twin.legal() == []
        compare_public(table, twin)
        compare_history(table, twin)
        result = twin.result()
        player_of = [(dealer + 1 + hand) % 3 for hand in HANDS]
        rows, self.over = table.finish()
        compare_row(rows[0], twin, result, player_of)
        before = self.sheet.copy()
        records = write_deal(self.conv, self.sheet, by_player(self.conv, result, player_of))
        compare_entries(table.hidden, records)
        self._compare_sheet(before, rows[0])
        count_branches(self.reached, self.conv, twin, result)
        count_sheet_branches(self.reached, before, self.sheet, records, self.over)

    def _compare_sheet(self, before: Sheet, row: Any) -> None:
        view, sheet = self.table.view, self.sheet
        same("pool", fractions(view["pool"]), sheet.pool)
        same("mountain", fractions(view["mountain"]), sheet.mountain)
        same("whists", matrix(view["whists"]), sheet.whists)
        index = min(sheet.raspas_index, MAX_PROGRESSION - 1)
        same("raspas index", int(view["raspas_index"]), index)
        same("deal values", fractions(row["value"]), deal_values(self.conv, before, sheet))
        same("settlement", fractions(self.table.hidden["balance"]), settle(self.conv, sheet))
        same("is over", self.over, is_over(self.conv, sheet))


def same(what: str, ours: Any, theirs: Any) -> None:
    """AssertionError unless engine and twin agree."""
    assert ours == theirs, f"{what}: engine {ours}, twin {theirs}"


def compare_decision(table: Table, twin: NaiveDeal) -> None:
    """Phase, mover, decider, legal actions, what each player may know, and the public table."""
    view = table.view
    phase = int(view["phase"])
    mover = int(view["mover"])
    same("phase", PHASES[phase], twin.phase)
    same("mover", mover, twin.mover)
    assert twin.decider is not None
    same("decider", int(view["player"]), int(view["player_of"][twin.decider]))
    legal = twin.legal()
    assert len(set(legal)) == len(legal)
    words = ACTION_NAMES[phase]
    same("legal actions", {words.get(k, str(k)) for k in bits(table.legal)}, set(legal))
    same("cards of the mover", int(view["hand"]), mask_of(map(PACK.index, twin.hands[mover])))
    if twin.decider != mover:
        same("another's hand is moved open", int(view["hand"]), int(view["shown"][mover]))
    for hand in HANDS:
        same(f"visible to hand {hand}", names(known_cards(table, hand)), twin.visible(hand))
    compare_public(table, twin)


def compare_public(table: Table, twin: NaiveDeal) -> None:
    """Bid, declarer, contract, tricks, cards on the table, and voids that are true."""
    view = table.view
    same("bid", code_name(view["bid"]), twin.bid)
    same("bidder", int(view["bidder"]), -1 if twin.bidder is None else twin.bidder)
    same("declarer", int(view["declarer"]), -1 if twin.declarer is None else twin.declarer)
    tricks = [int(view["tricks"][int(view["player_of"][hand])]) for hand in HANDS]
    same("tricks", tricks, twin.tricks)
    if not table.done and int(view["phase"]) == CARD:
        on_table = {h: int(view["trick_card"][h]) for h in HANDS if view["trick_card"][h] >= 0}
        same("trick", on_table, {hand: PACK.index(card) for hand, card in twin.trick})
    for hand in HANDS:
        voids = sum(255 << 8 * suit for suit in bits(int(view["voids"][hand])))
        same("cards of a suit shown void", int(table.hidden["hands"][hand]) & voids, 0)


def compare_history(table: Table, twin: NaiveDeal) -> None:
    """The recorded calls and cards of the whole deal."""
    view = table.view
    calls = [int(call) for call in view["calls"][: int(view["n_calls"])]]
    said = [(call >> 6 & 3, ACTION_NAMES[call >> 8][call & 63]) for call in calls]
    for phase, spoken in ((AUCTION, twin.calls), (WHIST, twin.whist_calls)):
        ours = [word for word, call in zip(said, calls, strict=True) if call >> 8 == phase]
        same("calls", ours, spoken)
    plays = [int(play) for play in view["plays"][: int(view["n_plays"])]]
    past = [(hand, card) for trick in twin.past_tricks for hand, card in trick]
    same("plays", [(play >> 5, PACK[play & 31]) for play in plays], past)


def code_name(code: Any) -> str | None:
    """The twin's name of a contract code; None for -1."""
    return CONTRACTS[int(code)] if int(code) >= 0 else None


def compare_row(row: Any, twin: NaiveDeal, result: dict[str, Any], player_of: list[int]) -> None:
    """The engine's row of a finished deal against the twin's result."""

    def player(hand: int | None) -> int:
        return -1 if hand is None else player_of[hand]

    same("kind", KIND_WORDS[row["kind"]], result["kind"])
    same("row's declarer", int(row["declarer"]), player(result["declarer"]))
    if result["kind"] == "tricks":
        same("contract", f"{row['level']}{STRAINS[row['strain']]}", result["contract"])
    tricks = [int(row["tricks"][player_of[hand]]) for hand in HANDS]
    same("row's tricks", tricks, result["tricks"])
    decisions = {hand: DECISION_WORDS[row["decision"][player_of[hand]]] for hand in HANDS}
    same("decisions", {h: word for h, word in decisions.items() if word}, result["whist"])
    if twin.whist_calls:
        same("last whister", int(row["last_whister"]), player(result["last_whister"]))
    same("concession", bool(row["concession"]), result["conceded"])
    same("played", bool(row["played"]), result["played"])
    same("open", bool(row["open_play"]), result["open"])
    index = min(result["raspas_index"], MAX_PROGRESSION - 1)
    same("row's raspas index", int(row["raspas_index"]), index)
    same("winning bid", code_name(row["bid"]), twin.bid)
    bids = [call for _, call in twin.calls if call not in ("pass", "hold")]
    same("number of bids", int(row["n_bids"]), len(bids))


def compare_entries(hidden: Any, records: Records) -> None:
    """What the deal writes before help: gains, mountain, whists."""
    same("gains", fractions(hidden["gain"]), records.gain)
    same("bonuses", fractions(hidden["bonus"]), records.bonus)
    same("mountain entries", fractions(hidden["mountain_entry"]), records.mountain)
    same("whist entries", matrix(hidden["whist_entry"]), records.whists)


def count_branches(
    reached: Counter[str], conv: dict[str, Any], twin: NaiveDeal, result: dict[str, Any]
) -> None:
    """Count what a finished deal has touched of the rules of auction, whist and play."""
    said = [call for _, call in twin.calls]
    reached["hold"] += "hold" in said
    reached["hold and raise"] += said.count("hold") > 1
    reached["misere bid"] += MISERE in said
    reached["misere overbid"] += MISERE in said and twin.bid != MISERE
    reached["conceded"] += result["conceded"]
    kind = result["kind"]
    if kind == "misere":
        made = result["tricks"][twin.declarer] == 0
        reached["misere made" if made else "misere set"] += 1
        reached["misere of first hand"] += twin.declarer == 0
    elif kind == "raspas":
        _count_raspas(reached, conv, twin)
    elif not result["conceded"]:
        _count_whist(reached, twin, result)


def _count_raspas(reached: Counter[str], conv: dict[str, Any], twin: NaiveDeal) -> None:
    row = min(twin.raspas_index, 2) + 1
    reached[f"raspas, number {row} in a row"] += 1
    reached["raspas without a trick"] += 0 in twin.tricks
    if conv["raspas.talon"] == "suit_only":
        led = zip(twin.talon, twin.past_tricks, strict=False)
        reached["talon suit not followed"] += any(
            card[0] != talon[0] for talon, trick in led for _, card in trick
        )


def _count_whist(reached: Counter[str], twin: NaiveDeal, result: dict[str, Any]) -> None:
    words = [word for _, word in twin.whist_calls]
    reached[", ".join(words) or "whist by force"] += 1
    level = result["level"]
    if not result["played"]:
        return
    short = level - result["tricks"][twin.declarer]
    n_whisters = list(result["whist"].values()).count("whist")
    ending = "set" if short > 0 else "made"
    reached[f"level {level} {ending}, {n_whisters} whisting"] += 1
    reached["open play"] += result["open"]
    reached["lone whister closed"] += n_whisters == 1 and not result["open"]
    reached["whisters took nothing"] += result["tricks"][twin.declarer] == 10


def count_sheet_branches(
    reached: Counter[str], before: Sheet, after: Sheet, records: Records, over: bool
) -> None:
    """Count help, points left over, and the end of the pulka."""
    reached["over"] += over
    gains = [a + b for a, b in zip(records.gain, records.bonus, strict=True)]
    for player, gain in enumerate(gains):
        if gain == 0:
            continue
        others = [j for j in range(3) if j != player]
        alone = gain == sum(gains)
        helped = sum(after.pool[j] - before.pool[j] for j in others)
        reached["help"] += alone and helped > 0
        reached["help to two"] += alone and all(after.pool[j] > before.pool[j] for j in others)
        room = 3 * after.target - sum(before.pool)
        reached["points left over"] += max(after.pool) == after.target and gain > room
