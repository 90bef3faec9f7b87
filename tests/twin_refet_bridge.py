"""One pulka of the refet game kept twice: by the engine's table and by the naive twin."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from naive.cards import HANDS, PACK, SUITS
from naive.refet import RefetDeal
from naive.refet_scoring import RefetBefore, RefetRecords
from naive.refet_sheet import (
    RefetSheet,
    before_deal,
    by_player,
    is_over,
    settle_refet,
    write_refet_deal,
)
from refet_moods import RefetMood
from twin_bridge import Trace, none, same
from twin_refet_branches import count_refet_deal, count_refet_sheet
from twin_refet_words import ACTION_NAMES, CONTRACTS, PARTS, WORDS, call_name, kind_of
from twin_words import bits, fractions, matrix, names

from scoring.contract import TRICKS
from scoring.kernel import Record, outline
from scoring.result import UNIT
from scoring.variant import Variant
from sim.state import BIDDING, PASS, PHASES
from sim.table import Table
from sim.view import reveal_private


@outline
def _reveal(view: Record, hidden: Record) -> None:
    """Fill the private slots as the engine does before it asks a bot."""
    reveal_private(view, hidden)


class TwinRefet:
    """A pulka at one table and in the twin; every difference is an AssertionError with the deal."""

    def __init__(self, variant: Variant, n: int, start: int, label: str) -> None:
        self.conv = dict(variant.conventions)
        self.label = f"{n} players, start {start}, {label}"
        self.n = n
        self.table = Table(variant.rules(n, start))
        self.sheet = RefetSheet(n, start)
        self.dealer = n - 1
        self.over = False
        self.reached: Counter[str] = Counter()

    def play_deal(self, number: int, chance: random.Random, all_pass: bool = False) -> None:
        """Play one deal on both sides with random choices and compare everything."""
        table = self.table
        table.lay(number)
        mood = RefetMood(chance, table.hands())
        if all_pass:
            mood.pass_all()
        trace = Trace(self.label, number, self.dealer, self.sheet.n_deals, [])
        try:
            same("dealer", int(table.view["dealer"]), self.dealer)
            twin = self._same_deal(table)
            words: list[tuple[int, int, str]] = []
            while not table.done:
                compare_decision(table, twin)
                phase, mover = int(table.view["phase"]), int(table.view["mover"])
                passes = all_pass and phase == BIDDING
                action = PASS if passes else mood.choose(table.view, bits(table.legal))
                trace.actions.append(action)
                word = ACTION_NAMES[phase][action]
                if phase in WORDS:
                    words.append((phase, mover, word))
                twin.apply(word)
                table.apply(action)
            assert twin.phase == "done" and twin.legal() == []
            compare_public(table, twin)
            compare_history(table, twin, words)
            self._finish(twin)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{trace}") from error

    def _same_deal(self, table: Table) -> RefetDeal:
        talon = [PACK[int(card)] for card in table.hidden["talon_order"]]
        hands = [[PACK[card] for card in bits(mask)] for mask in table.hands()]
        return RefetDeal(self.conv, hands, talon, self.n)

    def _finish(self, twin: RefetDeal) -> None:
        table, before = self.table, self.sheet.copy()
        result = by_player(twin.result(), self.dealer, self.n)
        rows, self.over = table.finish()
        players = [player_at(table.view, seat) for seat in twin.seats]
        compare_row(rows[0], twin, twin.result(), players)
        known = before_deal(self.conv, before, result.declarer)
        compare_row_with_sheet(rows[0], known)
        records = write_refet_deal(self.conv, self.sheet, result)
        compare_entries(table.hidden, records, self.n)
        same("refets for all", bool(rows[0]["refets_written"]), bool(records.refets_for))
        self._compare_sheet(before, rows[0])
        self.dealer = (self.dealer + 1) % self.n
        count_refet_deal(self.reached, twin)
        count_refet_sheet(self.reached, self.conv, known, before, self.sheet, result, records)

    def _compare_sheet(self, before: RefetSheet, row: Any) -> None:
        view, sheet, n = self.table.view, self.sheet, self.n
        same("pools", fractions(view["pool"], n), [0] * n)
        same("columns", fractions(view["mountain"], n), sheet.column)
        same("soup", matrix(view["whists"], n), sheet.soup)
        same("refets", [int(x) for x in view["refets"]][:n], sheet.refets)
        same("refets written", int(view["refets_given"]), sheet.refets_written)
        was, now = settle_refet(self.conv, before), settle_refet(self.conv, sheet)
        values = [b - a for a, b in zip(was, now, strict=True)]
        same("deal values", fractions(row["value"], n), values)
        same("settlement", fractions(self.table.hidden["balance"], n), now)
        same("is over", self.over, is_over(sheet))


def player_at(view: Any, seat: int) -> int:
    """The player of a seat; of four players 3 is the dealer's."""
    return (int(view["dealer"]) + 1 + seat) % int(view["n_players"])


# A decision


def compare_decision(table: Table, twin: RefetDeal) -> None:
    """Phase, mover, legal actions, what each player may know, and the public table."""
    view = table.view
    phase = int(view["phase"])
    same("phase", PHASES[phase], twin.phase)
    same("mover", int(view["mover"]), twin.mover)
    assert twin.mover is not None
    same("who decides", int(view["player"]), player_at(view, twin.mover))
    legal = twin.legal()
    assert len(set(legal)) == len(legal)
    words = ACTION_NAMES[phase]
    same("legal actions", {words.get(k, str(k)) for k in bits(table.legal)}, set(legal))
    compare_private(table, twin, twin.mover)
    for seat in twin.seats:
        known = names(known_cards(table, seat))
        same(f"visible to seat {seat}", known, twin.visible(seat))
    compare_public(table, twin)
    if twin.phase == "bidding":
        compare_bidding(view, twin)
    if twin.phase == "card":
        compare_trick(view, twin)


def known_cards(table: Table, seat: int) -> int:
    """The cards that a player has seen, by the public record and his own slots."""
    view, hidden = table.view, table.hidden
    mask = int(view["played"]) | int(view["talon"])
    for shown in view["shown"]:
        mask |= int(shown)
    if seat in HANDS:
        mask |= int(hidden["hands"][seat]) | int(hidden["discard"][seat])
    return mask


def compare_private(table: Table, twin: RefetDeal, mover: int) -> None:
    """What only the one who decides is shown: all that he knows comes from his view."""
    view = table.view
    _reveal(view, table.hidden)
    same("cards of the mover", names(view["hand"]), set(twin.hands[mover]))
    same("put away", names(view["discard"]), set(twin.put_away(mover)))
    same("received", int(view["received"]), 0)
    seen = int(view["hand"]) | int(view["discard"])
    for public in (view["talon"], view["played"], *view["shown"]):
        seen |= int(public)
    same("all that his view tells him", names(seen), twin.visible(mover))


def compare_bidding(view: Any, twin: RefetDeal) -> None:
    """Who is left, what each has said, and whether the standing number is held."""
    auction = twin.auction
    same("not passed", bits(int(view["active"])), auction.left)
    same("held", bool(view["held"]), auction.held)
    last: list[str | None] = [None for _ in HANDS]
    standing = None
    for hand, call in auction.calls:
        if call != "pass":
            standing = standing if call == "hold" else call
            last[hand] = standing
    same("last calls", [call_name(code) for code in view["last_bid"]], last)


def compare_public(table: Table, twin: RefetDeal) -> None:
    """Call, declarer, contract, contra, talon, tricks, open hands, and voids that are true."""
    view = table.view
    same("number of players", int(view["n_players"]), twin.n)
    same("standing call", call_name(view["bid"]), twin.auction.bid)
    same("who has it", int(view["bidder"]), none(twin.leader_of_auction()))
    same("declarer", int(view["declarer"]), none(twin.declarer))
    if twin.contract is not None:
        same("contract", CONTRACTS[int(view["contract"])], twin.contract)
        same("from the hand", bool(view["without_talon"]), twin.from_hand)
    same("contra", int(view["contra"]), twin.contra.level if twin.contra else 0)
    same("contra by", int(view["contra_by"]), none(twin.contra.by if twin.contra else None))
    same("talon", names(view["talon"]), set(twin.talon_face_up()))
    turned = [PACK[int(card)] for card in view["talon_card"] if card >= 0]
    same("talon in order", turned, twin.talon_face_up())
    tricks = [int(view["tricks"][player_at(view, hand)]) for hand in HANDS]
    same("tricks", tricks, twin.play.tricks if twin.play else [0, 0, 0])
    open_hands = twin.hands_face_up()
    for hand in HANDS:
        shown = set(twin.hands[hand]) if hand in open_hands else set()
        same(f"hand {hand} lying open", names(view["shown"][hand]), shown)
        voids = sum(255 << 8 * suit for suit in bits(int(view["voids"][hand])))
        same("cards of a suit shown void", int(table.hidden["hands"][hand]) & voids, 0)


def compare_trick(view: Any, twin: RefetDeal) -> None:
    """While cards are played: the hands that play, and the trick on the table."""
    play = twin.play
    assert play is not None
    deciders = [player_at(view, hand) for hand in HANDS]
    same("who plays for whom", [int(player) for player in view["decides_for"]], deciders)
    same("hands in play", bits(int(view["in_play"])), play.in_play)
    kind, level, strain = kind_of(twin.contract)
    same("kind", int(view["kind"]), kind)
    if kind == TRICKS:
        same("level and strain", (int(view["level"]), int(view["strain"])), (level, strain))
    on_table = {seat: int(card) for seat, card in enumerate(view["trick_card"]) if card >= 0}
    same("trick", on_table, {seat: PACK.index(card) for seat, card in play.trick})
    same("first to this trick", int(view["leader"]), play.leader)
    same("trick number", int(view["trick"]), len(play.past_tricks))
    led = SUITS.index(play.trick[0][1][0]) if play.trick else -1
    same("suit led", int(view["led"]), led)
    if play.trick:
        same("winner so far", int(view["winner"]), play.trick_winner())


def compare_history(table: Table, twin: RefetDeal, words: list[tuple[int, int, str]]) -> None:
    """The recorded calls and cards of the whole deal."""
    view = table.view
    calls = [int(call) for call in view["calls"][: int(view["n_calls"])]]
    said = [(call >> 8, call >> 6 & 3, ACTION_NAMES[call >> 8][call & 63]) for call in calls]
    same("calls", said, words)
    plays = [int(play) for play in view["plays"][: int(view["n_plays"])]]
    past = [play for trick in twin.play.past_tricks for play in trick] if twin.play else []
    same("plays", [(play >> 5, PACK[play & 31]) for play in plays], past)


# A finished deal


def compare_row(row: Any, twin: RefetDeal, result: dict[str, Any], players: list[int]) -> None:
    """The engine's row of a finished deal against the twin's result."""
    kind, level, strain = kind_of(result["contract"])
    same("row's kind", int(row["kind"]), kind)
    if kind == TRICKS:
        same("row's level", (int(row["level"]), int(row["strain"])), (level, strain))
    declarer = result["declarer"]
    same("row's declarer", int(row["declarer"]), -1 if declarer is None else players[declarer])
    same("from the hand", bool(row["without_talon"]), result["from_hand"])
    tricks = [int(row["tricks"][player]) for player in players[: len(HANDS)]]
    same("row's tricks", tricks, result["tricks"] or [0, 0, 0])
    same("played", bool(row["played"]), result["tricks"] is not None)
    parts = {seat: PARTS.get(int(row["decision"][player])) for seat, player in enumerate(players)}
    same("parts", {seat: part for seat, part in parts.items() if part}, result["parts"])
    same("contra", int(row["contra"]), result["contra"])
    by = result["contra_by"]
    same("contra by", int(row["contra_by"]), -1 if by is None else players[by])
    same("winning call", call_name(row["bid"]), twin.auction.bid)
    bids = [call for _, call in twin.auction.calls if call not in ("pass", "hold")]
    same("number of bids", int(row["n_bids"]), len(bids))


def compare_row_with_sheet(row: Any, before: RefetBefore) -> None:
    """What the row tells of the sheet before the deal."""
    same("on a refet", bool(row["refet"]), before.on_refet)
    same("refets may be written", bool(row["may_refet"]), before.may_refet)
    same("left of the sum", int(row["remaining"]), UNIT * (before.remaining or 0))


def compare_entries(hidden: Any, records: RefetRecords, n: int) -> None:
    """What the deal writes: columns and soup, nothing into pools."""
    same("gains", fractions(hidden["gain"], n), [0] * n)
    same("bonuses", fractions(hidden["bonus"], n), [0] * n)
    same("column entries", fractions(hidden["mountain_entry"], n), records.column)
    same("soup entries", matrix(hidden["whist_entry"], n), records.soup)
