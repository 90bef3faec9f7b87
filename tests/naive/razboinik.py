"""Razboinik («разбойник»), for two: without an auction each row of a table is played once.

A deal goes through some of these phases: row, discard, contract, card, and done.
"""

from .cards import MISERE, STRAINS, Conventions, is_misere, sort_cards
from .deal import NaiveDeal
from .whist import defenders_of

TAKE_TALON = "talon"
"""The word of a declarer who looks at the talon before he names a row."""


def contracts_of(row: str) -> list[str]:
    """The contracts of a row: any trump, or none."""
    return [MISERE] if row == MISERE else [row + strain for strain in STRAINS]


class RazboinikDeal(NaiveDeal):
    """A deal of razboinik; `open_rows` are those that its declarer has not yet played.

    `row` is the one he names before he takes the talon, if he does.
    """

    def __init__(
        self, conv: Conventions, hands: list[list[str]], talon: list[str], open_rows: list[str]
    ) -> None:
        self.open_rows = list(open_rows)
        self.row: str | None = None
        self.talon_is_taken = False
        super().__init__(conv, hands, talon, 0, 2)

    def _begin(self, first_deal: bool) -> None:
        """Nobody bids: the eldest declares, at some tables the dealer."""
        self.declarer = self.seats[self.conv["razboinik.declarer"] == "dealer"]
        way = self.conv["razboinik.talon"]
        if way in ["misere_before", "row_before"]:
            self._ask("row", self.declarer)
        elif way == "row_after":
            self._take_talon()
        else:
            self._ask("contract", self.declarer)

    def legal(self) -> list[str]:
        """Every legal action of `mover`: rows and contracts besides those of any deal."""
        if self.phase == "row":
            return self._rows_to_name()
        if self.phase == "contract":
            return self._contracts_to_name()
        return super().legal()

    def _rows_to_name(self) -> list[str]:
        """A row, or where only misere must be named before the talon, that or the talon."""
        if self.conv["razboinik.talon"] == "row_before":
            return list(self.open_rows)
        words = [MISERE] if MISERE in self.open_rows else []
        return words + ([TAKE_TALON] if set(self.open_rows) - {MISERE} else [])

    def _contracts_to_name(self) -> list[str]:
        """Contracts of the named row, or of all open ones."""
        rows = [self.row] if self.row else self.open_rows
        too_late = self.conv["razboinik.talon"] == "misere_before"
        return [
            contract
            for row in rows
            if not (too_late and row == MISERE)
            for contract in contracts_of(row)
        ]

    def _apply_row(self, word: str) -> None:
        self.row = None if word == TAKE_TALON else word
        self.contract = MISERE if word == MISERE else None
        self._take_talon()

    def _take_talon(self) -> None:
        self.talon_is_taken = True
        self.hands[self.declarer] = sort_cards(self.hands[self.declarer] + self.talon)
        self._ask("discard", self.declarer)

    def _apply_discard(self, card: str) -> None:
        self.hands[self.declarer].remove(card)
        self.discards.append(card)
        if len(self.discards) == 2 and self.row == MISERE:
            self._play_contract(MISERE)
        elif len(self.discards) == 2:
            self._ask("contract", self.declarer)

    def _apply_contract(self, action: str) -> None:
        self._play_contract(action)

    def _play_contract(self, contract: str) -> None:
        """Play is always carried out: nobody is asked if he whists."""
        self.contract = contract
        self.open_play = self.conv["razboinik.dummy"] == "open"
        self._start_play()

    def who_plays(self, hand: int) -> int | None:
        """The defender plays an open dummy, nobody a dead one."""
        if hand != self.dummy:
            return hand
        return self.defender() if self._is_dummy_taken() else None

    def _is_dummy_taken(self) -> bool:
        return self.open_play

    def _dummy_plays(self) -> bool:
        return self._is_dummy_taken()

    def hands_face_up(self) -> list[int]:
        """Both defending hands, or at misere with a dead dummy the defender's own."""
        if self.play is None:
            return []
        misere = is_misere(self.contract)
        if misere and not self._is_misere_open():
            return []
        if self.open_play:
            return defenders_of(self.declarer)
        return [self.defender()] if misere else []

    def talon_face_up(self) -> list[str]:
        """The talon is turned up for all when it is taken."""
        return list(self.talon) if self.talon_is_taken else []
