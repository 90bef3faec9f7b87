"""One pulka kept twice: by the engine's table and by the naive twin, compared move by move."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from naive.auction import Auction
from naive.cards import DEALER, HANDS, PACK, SUITS, is_without_talon, strain_of, trump_of
from naive.deal import NaiveDeal
from naive.pulka import by_player, declarer_of, new_pulka, new_razboinik
from naive.razboinik import RazboinikDeal
from naive.rows import ROWS, open_rows
from naive.scoring import MOST_DARK, Records
from naive.sheet import Sheet, deal_values, settle
from twin_branches import count_deal, count_rows, count_sheet
from twin_moods import Mood as Mood
from twin_moods import random_number as random_number
from twin_words import (
    ACTION_NAMES,
    CALLS,
    DECISION_WORDS,
    KIND_WORDS,
    bits,
    code_name,
    fractions,
    matrix,
    names,
)

from scoring.convention import MAX_PROGRESSION
from scoring.kernel import Record, outline
from scoring.result import UNIT
from scoring.variant import Variant
from sim.state import AGREE, DARK, PHASES
from sim.table import Table
from sim.view import reveal_private


@outline
def _reveal(view: Record, hidden: Record) -> None:
    """Fill the private slots as the engine does before it asks a bot."""
    reveal_private(view, hidden)


def player_at(view: Any, twin: NaiveDeal, seat: int | None) -> int:
    """The player of a seat, where 3 is that of a dealer without cards; -1 for the dummy."""
    if seat not in twin.seats:
        return -1
    return (int(view["dealer"]) + 1 + twin.seats.index(seat)) % twin.n


def known_cards(table: Table, twin: NaiveDeal, seat: int) -> int:
    """The cards that a player has seen, by the public record and his own slots.

    ``seat`` is his hand; of four, 3 is the dealer, who may have taken a hand to whist with.
    """
    view, hidden = table.view, table.hidden
    phase = int(view["phase"])
    mask = int(view["played"]) | int(view["talon"])
    for shown in view["shown"]:
        mask |= int(shown)
    if seat == DEALER:
        taken = [h for h in HANDS if int(view["decides_for"][h]) == int(view["dealer"])]
        return mask | sum(int(hidden["hands"][hand]) for hand in taken if len(taken) == 1)
    if phase != AGREE and (seat != twin.seats[0] or phase != DARK):
        mask |= int(hidden["hands"][seat])
    return mask | int(hidden["discard"][seat]) | int(hidden["received"][seat])


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

    def __init__(self, variant: Variant, n: int, target: int, label: str) -> None:
        self.conv = dict(variant.conventions)
        self.label = f"{n} players, {label}"
        self.n = n
        self.table = Table(variant.rules(n, target if variant.has_pool else None))
        self.pulka = (
            new_pulka(self.conv, n, target) if variant.has_pool else new_razboinik(self.conv)
        )
        self.over = False
        self.reached: Counter[str] = Counter()

    @property
    def sheet(self) -> Sheet:
        """The twin's sheet."""
        return self.pulka.sheet

    def play_deal(self, number: int, chance: random.Random, all_pass: bool = False) -> None:
        """Play one deal on both sides with random choices and compare everything."""
        table = self.table
        table.lay(number)
        mood = Mood(chance, table.hands())
        if all_pass:
            mood.pass_all()
        trace = Trace(self.label, number, self.pulka.dealer, self.sheet.raspas_index, [])
        try:
            same("dealer", int(table.view["dealer"]), self.pulka.dealer)
            twin = self._same_deal(table)
            words: list[tuple[int, int, str]] = []
            while not table.done:
                compare_decision(table, twin)
                phase, mover = int(table.view["phase"]), int(table.view["mover"])
                action = mood.choose(table.view, bits(table.legal))
                trace.actions.append(action)
                word = ACTION_NAMES[phase][action]
                if phase in CALLS:
                    words.append((phase, mover, word))
                twin.apply(word)
                table.apply(action)
            assert twin.phase == "done" and twin.legal() == []
            compare_public(table, twin)
            compare_history(table, twin, words)
            self._finish(twin)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{trace}") from error

    def _same_deal(self, table: Table) -> NaiveDeal:
        """The deal in the twin; at razboinik the declarer may hold the talon from the start."""
        talon = [PACK[int(card)] for card in table.hidden["talon_order"]]
        dealt = [[PACK[card] for card in bits(mask)] for mask in table.hands()]
        hands = [[card for card in hand if card not in talon] for hand in dealt]
        sheet = self.sheet
        if sheet.rows:
            rows = sheet.rows[declarer_of(self.pulka)]
            return RazboinikDeal(self.conv, hands, talon, open_rows(rows))
        first = sheet.n_deals == 0
        return NaiveDeal(self.conv, hands, talon, sheet.raspas_index, self.n, first)

    def _finish(self, twin: NaiveDeal) -> None:
        table = self.table
        result = twin.result()
        scored = by_player(self.conv, result, self.pulka.dealer)
        players = {seat: player_at(table.view, twin, seat) for seat in twin.seats}
        rows, self.over = table.finish()
        before = self.sheet.copy()
        compare_row(rows[0], twin, result, players)
        compare_row_with_sheet(rows[0], self.conv, result, scored.declarer, before)
        records = self.pulka.write(scored)
        compare_entries(table.hidden, records, self.n)
        self._compare_sheet(before, rows[0])
        if before.rows:
            count_rows(self.reached, twin, result, before)
        else:
            count_deal(self.reached, twin, result)
            count_sheet(self.reached, before, self.pulka, records)

    def _compare_sheet(self, before: Sheet, row: Any) -> None:
        view, sheet, n = self.table.view, self.sheet, self.n
        same("pool", fractions(view["pool"], n), sheet.pool)
        same("mountain", fractions(view["mountain"], n), sheet.mountain)
        same("whists", matrix(view["whists"], n), sheet.whists)
        same("bombs", [int(x) for x in view["bombs"]][:n], sheet.bombs)
        same("fir-trees", [int(x) for x in view["fir_trees"]][:n], sheet.fir_trees)
        compare_rows(view["row"], sheet)
        index = min(sheet.raspas_index, MAX_PROGRESSION - 1)
        same("raspas index", int(view["raspas_index"]), index)
        same("dark row", int(view["dark_row"]), min(sheet.dark_row, MOST_DARK))
        same("raspas of one dealer", int(view["stays"]), self.pulka.raspas_dealt)
        same("clock", int(view["clock"]), self.pulka.clock)
        same("deals left", int(view["deals_left"]), none(sheet.deals_left))
        same("deal values", fractions(row["value"], n), deal_values(self.conv, before, sheet))
        same("settlement", fractions(self.table.hidden["balance"], n), settle(self.conv, sheet))
        same("is over", self.over, self.pulka.over)


def same(what: str, ours: Any, theirs: Any) -> None:
    """AssertionError unless engine and twin agree."""
    assert ours == theirs, f"{what}: engine {ours}, twin {theirs}"


def none(value: int | None) -> int:
    """The engine's number for nobody and nothing."""
    return -1 if value is None else value


# A decision


def compare_decision(table: Table, twin: NaiveDeal) -> None:
    """Phase, mover, decider, legal actions, what each player may know, and the public table."""
    view = table.view
    phase = int(view["phase"])
    same("phase", PHASES[phase], twin.phase)
    same("mover", int(view["mover"]), twin.mover)
    same("decider", int(view["player"]), player_at(view, twin, twin.decider))
    legal = twin.legal()
    assert len(set(legal)) == len(legal)
    words = ACTION_NAMES[phase]
    same("legal actions", {words.get(k, str(k)) for k in bits(table.legal)}, set(legal))
    compare_private(table, twin)
    for seat in twin.seats:
        known = names(known_cards(table, twin, seat))
        same(f"visible to seat {seat}", known, twin.visible(seat))
    compare_public(table, twin)
    if twin.phase == "auction":
        active = [hand for hand in twin.auction.hands if hand not in twin.auction.passed]
        same("not passed", bits(int(view["active"])), active)
        bids = [code_name(code) for code in view["last_bid"]]
        same("last bids", bids, [last_bid(twin.auction, hand) for hand in HANDS])
    compare_deciders(view, twin)
    compare_trick(view, twin)


def last_bid(auction: Auction, hand: int) -> str | None:
    """What this hand has bid last; a bid that it held is its own."""
    last = standing = None
    for caller, call in auction.calls:
        standing = standing if call in ("pass", "hold") else call
        if caller == hand and call != "pass":
            last = standing
    return last


def compare_private(table: Table, twin: NaiveDeal) -> None:
    """What only the one who decides is shown: all that he knows comes from his view."""
    view = table.view
    _reveal(view, table.hidden)
    mover, decider = twin.mover, twin.decider
    assert mover is not None
    if decider is None:
        return
    hand = twin.taken if mover == DEALER else mover
    blind = twin.phase in ("agree", "dark") or hand is None
    same("cards of the mover", names(view["hand"]), set() if blind else set(twin.hands[hand]))
    same("put away", names(view["discard"]), set(twin.put_away(decider)))
    same("received", names(view["received"]), set(twin.received(decider)))
    seen = int(view["hand"]) | int(view["discard"]) | int(view["received"])
    for public in (view["talon"], view["played"], *view["shown"]):
        seen |= int(public)
    same("all that his view tells him", names(seen), twin.visible(decider))
    if decider not in (mover, DEALER):
        same("another's hand is moved open", int(view["hand"]), int(view["shown"][mover]))


def compare_public(table: Table, twin: NaiveDeal) -> None:
    """Bid, declarer, contract, talon, tricks, open hands, and voids that are true."""
    view = table.view
    auction = twin.auction
    same("bid", code_name(view["bid"]), auction.bid)
    same("bidder", int(view["bidder"]), none(auction.bidder))
    same("dark pass", bool(view["dark"]), twin.dark_pass)
    same("lowest level", int(view["min_level"]), auction.lowest)
    same("declarer", int(view["declarer"]), none(twin.declarer))
    if twin.declarer is not None:
        same("contract", code_name(view["contract"]), twin.contract or auction.bid)
        same("without talon", bool(view["without_talon"]), is_without_talon(auction.bid))
    row = twin.row if isinstance(twin, RazboinikDeal) else None
    same("row named", int(view["row_named"]), -1 if row is None else ROWS.index(row))
    turned = [PACK[int(card)] for card in view["talon_card"] if card >= 0]
    same("talon", names(view["talon"]), set(twin.talon_face_up()))
    same("talon in order", turned, twin.talon_face_up())
    tricks = {seat: int(view["tricks"][player_at(view, twin, seat)]) for seat in twin.seats}
    same("tricks", tricks, {seat: twin.tricks[seat] for seat in twin.seats})
    open_hands = twin.hands_face_up()
    for hand in HANDS:
        shown = set(twin.hands[hand]) if hand in open_hands else set()
        same(f"hand {hand} lying open", names(view["shown"][hand]), shown)
        voids = sum(255 << 8 * suit for suit in bits(int(view["voids"][hand])))
        same("cards of a suit shown void", int(table.hidden["hands"][hand]) & voids, 0)


def compare_deciders(view: Any, twin: NaiveDeal) -> None:
    """Who sits where, who plays for whom, and which hands play."""
    same("number of players", int(view["n_players"]), twin.n)
    same("the dummy", int(view["dummy"]), none(twin.dummy))
    owners = [DEALER if hand == twin.taken else hand for hand in HANDS]
    players = [player_at(view, twin, seat) for seat in owners]
    same("player of each hand", [int(player) for player in view["player_of"]], players)
    seats = [int(hand) for hand in view["hand_of"]][: twin.n]
    dealt = {players[hand]: hand for hand in HANDS if players[hand] >= 0}
    same("hand of each player", seats, [dealt.get(player, -1) for player in range(twin.n)])
    if twin.dummy is not None and twin.phase != "card":
        owner = twin.who_plays(twin.dummy)
        same(
            "who has the dummy", int(view["decides_for"][twin.dummy]), player_at(view, twin, owner)
        )
    if twin.play is not None and twin.phase == "card":
        deciders = [player_at(view, twin, twin.who_plays(hand)) for hand in HANDS]
        same("who plays for whom", [int(player) for player in view["decides_for"]], deciders)
        same("hands in play", bits(int(view["in_play"])), twin.play.in_play)


def compare_trick(view: Any, twin: NaiveDeal) -> None:
    """While cards are played: the kind of game and the trick on the table."""
    if twin.play is None or twin.phase != "card":
        return
    play = twin.play
    same("played open", bool(view["open_play"]), twin.open_play)
    same("kind", KIND_WORDS[view["kind"]], twin.kind())
    trump = trump_of(twin.contract)
    same("trump", int(view["strain"]), len(SUITS) if trump is None else SUITS.index(trump))
    on_table = {seat: int(card) for seat, card in enumerate(view["trick_card"]) if card >= 0}
    same("trick", on_table, {seat: PACK.index(card) for seat, card in play.trick})
    hands = [seat for seat, _ in play.trick if seat in HANDS]
    same("first to this trick", int(view["leader"]), (hands or [play.mover])[0])
    same("trick number", int(view["trick"]), len(play.past_tricks))
    led = play.talon_card() or (play.trick[0][1] if play.trick else None)
    same("suit led", int(view["led"]), -1 if led is None else SUITS.index(led[0]))
    if play.trick and (play.talon_wins or not play.talon_card()):
        same("winner so far", int(view["winner"]), play.trick_winner())


def compare_history(table: Table, twin: NaiveDeal, words: list[tuple[int, int, str]]) -> None:
    """The recorded calls and cards of the whole deal."""
    view = table.view
    calls = [int(call) for call in view["calls"][: int(view["n_calls"])]]
    said = [(call >> 8, call >> 6 & 3, ACTION_NAMES[call >> 8][call & 63]) for call in calls]
    same("calls", said, words)
    plays = [int(play) for play in view["plays"][: int(view["n_plays"])]]
    past = [(seat, card) for trick in twin.past_tricks for seat, card in trick if seat in HANDS]
    same("plays", [(play >> 5, PACK[play & 31]) for play in plays], past)


# A finished deal


def compare_rows(cells: Any, sheet: Sheet) -> None:
    """Razboinik's tables: minus points by player and row, all open where none are kept."""
    found = [None if int(cell) < 0 else Fraction(int(cell), UNIT) for cell in cells]
    tables = [[rows[row] for row in ROWS] for rows in sheet.rows]
    same("rows", found, [cell for table in tables for cell in table] or [None] * len(found))


def compare_row(row: Any, twin: NaiveDeal, result: dict[str, Any], players: dict[int, int]) -> None:
    """The engine's row of a finished deal against the twin's result."""

    def player(seat: int | None) -> int:
        return -1 if seat is None else players[seat]

    same("kind", KIND_WORDS[row["kind"]], result["kind"])
    same("row's declarer", int(row["declarer"]), player(result["declarer"]))
    if result["kind"] == "tricks":
        same("level", int(row["level"]), result["level"])
        strain = [*SUITS, "NT"][int(row["strain"])]
        same("strain", strain, strain_of(result["contract"]))
    same("without the talon", bool(row["without_talon"]), result["without_talon"])
    tricks = {seat: int(row["tricks"][player]) for seat, player in players.items()}
    same("row's tricks", tricks, {seat: result["tricks"][seat] for seat in players})
    decisions = {seat: DECISION_WORDS[row["decision"][players[seat]]] for seat in players}
    same("decisions", {s: word for s, word in decisions.items() if word}, result["whist"])
    same("last whister", int(row["last_whister"]), player(result["last_whister"]))
    same("concession", bool(row["concession"]), result["conceded"])
    same("played", bool(row["played"]), result["played"])
    same("open", bool(row["open_play"]), result["open"])
    same("off the mountain", bool(row["off_mountain"]), result["off_mountain"])
    same("talon units", int(row["talon_units"]), result["talon_units"])
    same("winning bid", code_name(row["bid"]), twin.auction.bid)
    bids = [call for _, call in twin.auction.calls if call not in ("pass", "hold")]
    same("number of bids", int(row["n_bids"]), len(bids))


def compare_row_with_sheet(
    row: Any, conv: dict[str, Any], result: dict[str, Any], declarer: int | None, before: Sheet
) -> None:
    """What the row tells of the sheet before the deal."""
    index = min(before.raspas_index, MAX_PROGRESSION - 1)
    same("row's raspas index", int(row["raspas_index"]), index)
    dark = min(before.dark_row + 1, MOST_DARK) if result["dark_pass"] else 0
    same("dark level", int(row["dark_level"]), dark)
    doublings = 0 if declarer is None else before.before_deal().doublings(declarer)
    same("bomb level", int(row["bomb_level"]), doublings)
    closed = conv["whist.responsible_after_close"] and before.pools_full()
    same("after close", bool(row["after_close"]), closed)


def compare_entries(hidden: Any, records: Records, n: int) -> None:
    """What the deal writes before help: gains, mountain, whists."""
    same("gains", fractions(hidden["gain"], n), records.gain)
    same("bonuses", fractions(hidden["bonus"], n), records.bonus)
    same("mountain entries", fractions(hidden["mountain_entry"], n), records.mountain)
    same("whist entries", matrix(hidden["whist_entry"], n), records.whists)
