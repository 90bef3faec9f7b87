"""A game in PPN written on a sheet by the rules; every slip of the record is noted.

A slip is what does not follow from the rest: the value from contract, kontra and refa, soup and
column from the tricks, the results from the deals. The sheet has what the rules give. Source:
Portable Preferans Notation; Prefko rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...contract import BETL, MISERE_GAME, PREFERANS, RASPAS, TRICKS, refet_strain
from ...errors import quoted, shown
from ...kernel import to_records
from ...refet import hand_value
from ...refet_result import is_played, why_impossible
from ...result import INVITED, PASSED, UNIT, WHISTED
from ...score_sheet import DealResult, Entries, ScoreSheet
from ...variant import Variant, VariantError, find_variant
from ..keeping import Pulka, keep_result
from ..reading import Protocol, ProtocolError
from .model import SEATS, Part, PpnDeal, PpnGame, PpnPlay, is_together, told
from .results import check_results

USUAL_VARIANT = "prefko"
USUAL_SETTINGS = {"contra.levels": 4}
"""The notation has four levels of kontra; how many are allowed it does not tell."""
_PLAYERS = range(SEATS)
_NAMES = tuple(map(told, _PLAYERS))
_MOST_LETTERS = 60


@dataclass
class PpnKeeper:
    """A game being written, and the slips found so far, each a line with its place."""

    game: PpnGame
    pulka: Pulka
    slips: list[str] = field(default_factory=list)
    ids: dict[int, str] = field(default_factory=dict)
    before: PpnDeal | None = None
    n_deals: int = 0

    @property
    def sheet(self) -> ScoreSheet:
        return self.pulka.sheet

    def note(self, deal: PpnDeal, slip: str) -> None:
        """Note a slip of a deal."""
        self.slips.append(f"{deal.where}: {slip}")

    def read(self, deal: PpnDeal) -> DealResult:
        """The result of a deal but for its tricks, with slips of its turn and of who accepted."""
        self._check_turn(deal)
        if deal.play is None:
            return DealResult(deal.dealer, RASPAS)
        play = deal.play
        return DealResult(
            deal.dealer,
            MISERE_GAME if play.base == BETL else TRICKS,
            play.main,
            10 if play.base == PREFERANS else 6,
            refet_strain(play.base) if play.base != BETL else 0,
            decisions=self._decisions(deal, play),
            without_talon=play.is_game,
            contra=play.doubled,
            contra_by=play.by if play.doubled else -1,
        )

    def write(self, deal: PpnDeal, result: DealResult, tricks: Sequence[int] | None = None) -> None:
        """Write a deal by the rules, if it can be written, and note its slips.

        ``result`` is without tricks; ``tricks`` by player are those of the play where it is known,
        else the summary has them.
        """
        self.n_deals += 1
        if self.pulka.is_over:
            ended = self.game.deals[self.pulka.ended - 1].where
            self.note(deal, f"it is not written, for the game ended with {ended}")
            return
        if deal.play is not None:
            result = self._with_tricks(deal, deal.play, result, tricks)
            why = why_impossible(self.sheet.variant.conventions, result, _NAMES)
            if why:
                self.note(deal, f"it is not written: {why}")
                return
            self._check_amounts(deal, deal.play, result)
        self.pulka.dealer = deal.dealer
        keep_result(self.pulka, self.n_deals, result)

    def finish(self) -> None:
        """Note slips of the results, once all deals are written."""
        self.slips += check_results(self.game, self.pulka)

    def _check_turn(self, deal: PpnDeal) -> None:
        """The id and whose deal it is."""
        last, self.before = self.before, deal
        if deal.id in self.ids:
            self.note(deal, f"id {deal.id} is that of {self.ids[deal.id]}")
        elif last is not None and deal.id != last.id + 1 and deal.id != len(self.ids) + 1:
            self.note(deal, f"id {deal.id} does not follow {last.id}")
        self.ids.setdefault(deal.id, deal.where)
        if last is not None and deal.dealer != (last.dealer + 1) % SEATS:
            turn = told((last.dealer + 1) % SEATS)
            self.note(deal, f"{told(deal.dealer)} deals, by the turn {turn}")

    # The result

    def _with_tricks(
        self, deal: PpnDeal, play: PpnPlay, result: DealResult, tricks: Sequence[int] | None
    ) -> DealResult:
        self._check_roles(deal, play)
        if not is_played(self.sheet.variant.conventions, result):
            self._check_unplayed(deal, play)
            return result
        written = [_tricks(_part(deal, play, player)) for player in _PLAYERS]
        self._check_tricks(deal, play, written, tricks)
        return replace(result, tricks=tuple(written if tricks is None else tricks))

    def _decisions(self, deal: PpnDeal, play: PpnPlay) -> dict[int, int]:
        """What the followers said; who invited the other, or said kontra, came."""
        followers = [player for player in _PLAYERS if player != play.main]
        if is_together(play.base):
            if len(play.came) < len(followers):
                self.note(deal, "only some accepted, but at betl and preferans both play")
            return dict.fromkeys(followers, WHISTED)
        came = play.came
        if play.invites and came != {play.by}:
            self.note(deal, f"{told(play.by)} invites, so he alone accepted")
            came = frozenset([play.by])
        if play.doubled and not came:
            self.note(deal, f"{told(play.by)} says kontra, but nobody accepted")
            came = frozenset([play.by])
        other = INVITED if play.invites else PASSED
        return {player: WHISTED if player in came else other for player in followers}

    def _check_roles(self, deal: PpnDeal, play: PpnPlay) -> None:
        for player in _PLAYERS:
            part = _part(deal, play, player)
            if part is None or part.is_main in (None, player == play.main):
                continue
            role = "the main player" if part.is_main else "a follower"
            self.note(
                deal, f"the summary has {told(player)} as {role}, but main is {play.main + 1}"
            )

    def _check_unplayed(self, deal: PpnDeal, play: PpnPlay) -> None:
        for player in _PLAYERS:
            taken = _tricks(_part(deal, play, player))
            if taken and (player != play.main or taken != 10):
                self.note(deal, f"{told(player)} has {taken} tricks, but no card is played")

    def _check_tricks(
        self,
        deal: PpnDeal,
        play: PpnPlay,
        written: Sequence[int],
        tricks: Sequence[int] | None,
    ) -> None:
        """The tricks of the summary against those of the play, or the winners of the throws."""
        by, right = "play", tricks
        if right is None and play.throws:
            winners = [trick.winner for trick in play.throws]
            by, right = "winners of the throws", [winners.count(player) for player in _PLAYERS]
        for player in _PLAYERS:
            if right is not None and written[player] != right[player]:
                self.note(
                    deal,
                    f"tricks of {told(player)} are {written[player]} in the summary, "
                    f"{right[player]} by the {by}",
                )

    # Value and amounts

    def _check_amounts(self, deal: PpnDeal, play: PpnPlay, result: DealResult) -> None:
        """Value and summary, which is compared with the refa that the value implies."""
        held = self.sheet.on_refet(result)
        values = [_value(result, refa) for refa in (False, True)]
        is_refa = bool(values.index(play.value)) if play.value in values else held
        has = f"{told(play.main)} holds {'a' if held else 'no'} refa"
        if play.refa not in (None, held):
            self.note(deal, f"refa is {int(not held)}, but {has}")
        if play.value not in values or (is_refa != held and play.refa in (None, held)):
            why = f": {has}" if is_refa != held else ""
            told_contract = play.contract_text() + ", refa" * held
            self.note(
                deal,
                f"value is {play.value}, by the rules {values[held]} ({told_contract}){why}",
            )
        entries = self.sheet.entries(replace(result, refet=is_refa))
        reasons = [f"value {play.value}"] if is_refa != held else []
        for player in deal.order:
            self._check_part(deal, play, player, entries, reasons)

    def _check_part(
        self, deal: PpnDeal, play: PpnPlay, player: int, entries: Entries, reasons: Sequence[str]
    ) -> None:
        part = _part(deal, play, player) or Part(0)
        soup = int(entries.whists[player][play.main])
        is_left = play.main == (player - 1) % SEATS
        left, right = (soup, 0) if is_left else (0, soup)
        if (part.left, part.right) != (left, right):
            self.note(
                deal,
                f"soup of {told(player)} is {_soup(part.left, part.right)}, by the rules "
                f"{_soup(left, right)}{_because(reasons)}",
            )
        column = int(entries.mountain[player])
        if part.middle != column:
            if player != play.main and column > 0:
                reasons = [*reasons, "short of tricks"]
            self.note(
                deal,
                f"column of {told(player)} is {_column(part.middle)}, by the rules "
                f"{_column(column)}{_because(reasons)}",
            )


def _part(deal: PpnDeal, play: PpnPlay, player: int) -> Part | None:
    """A player's part of the summary."""
    return play.summary[deal.order.index(player)]


def _tricks(part: Part | None) -> int:
    return 0 if part is None else part.tricks


def _value(result: DealResult, refa: bool) -> int:
    return int(hand_value(to_records(replace(result, refet=refa).pack())[0])) // UNIT


def _soup(left: int, right: int) -> str:
    return " ".join(f"{side}{x}" for side, x in (("L", left), ("R", right)) if x) or "nothing"


def _column(amount: int) -> str:
    return f"{amount:+d}" if amount else "nothing"


def _because(reasons: Sequence[str]) -> str:
    return f" ({', '.join(reasons)})" if reasons else ""


# The head


def begin_ppn(game: PpnGame, variant: Variant | None = None, pool: int | None = None) -> PpnKeeper:
    """An empty sheet for a game. ProtocolError if its tags or the variant do not fit.

    The tags give start and refas, ``pool`` wins over the start; the variant is Prefko's unless
    given.
    """
    start = _whole_tag(game, "Bula") if pool is None else pool
    refas = _whole_tag(game, "Refe")
    try:
        found = variant or find_variant(USUAL_VARIANT).with_settings(USUAL_SETTINGS)
        if not found.has_columns:
            raise ProtocolError(
                f"{game.where}: {found.name} has no contract columns; PPN is for the refet game"
            )
        if refas is not None:
            found = found.with_settings({"refets.few": refas, "refets.many": refas}, "the tag Refe")
        start = found.target(start)
    except VariantError as error:
        raise ProtocolError(f"{game.where}: {error}") from None
    names = _names(game)
    dealer = game.deals[0].dealer
    protocol = Protocol(game.where, "", names, found, start, None, dealer, None, "", ())
    sheet = ScoreSheet(found, SEATS, start)
    keeper = PpnKeeper(game, Pulka(protocol, names, sheet, dealer, (dealer - 1) % SEATS))
    keeper.slips += _missing_tags(game, found, start)
    return keeper


def _missing_tags(game: PpnGame, variant: Variant, start: int) -> list[str]:
    """A slip for each tag that must be there and is not."""
    if game.is_bare:
        return []
    refas = variant.conventions["refets.few"]
    taken = {"Bula": f"; the start is taken as {start}", "Refe": f"; taken as {refas}"}
    required = ("Bula", "Refe", *(f"{tag}{k}" for tag in ("Player", "Result") for k in (1, 2, 3)))
    return [
        f"the tag {tag} is missing{taken.get(tag, '')}" for tag in required if tag not in game.tags
    ]


def _whole_tag(game: PpnGame, tag: str) -> int | None:
    text = game.tags.get(tag)
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise ProtocolError(f"{game.where}: {tag} = {quoted(text)} must be a whole number")
    return int(text)


def _names(game: PpnGame) -> tuple[str, ...]:
    """The players' names, or their ids where they have none. ProtocolError."""
    names = []
    for player in _PLAYERS:
        name = game.tags.get(f"Player{player + 1}", str(player + 1))
        if not name or len(name) > _MOST_LETTERS or not name.isprintable():
            raise ProtocolError(
                f"{game.where}: Player{player + 1} = {quoted(name)} must be a name of 1 to "
                f"{_MOST_LETTERS} letters"
            )
        if name in names:
            raise ProtocolError(f"{game.where}: two players have the name {shown(name)}")
        names.append(name)
    return tuple(names)
