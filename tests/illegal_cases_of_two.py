"""Illegal moves of two players with the dummy, and of razboinik, as in ``illegal_cases``.

Player 0, the eldest, has ♠AKQJ ♣AKQ ♦AK ♥7, the dummy between the two ♠T987 ♣JT9 ♦QJ ♥8, player 1
♣87 ♦T987 ♥AKQJ; the talon is ♥T ♥9.
"""

from __future__ import annotations

from typing import Any

SIX = "auction 6♠, pass; discard ♥7 ♥9; contract 6♠"
BLIND = f"{SIX}; whist whist; open blind"
SEVEN = "row 7; discard ♥7 ♥9; contract 7♠"


def _two(**settings: str) -> dict[str, Any]:
    """Options of a deal of the classic game for two; of its keys the first ``_`` is the dot."""
    return {"variant": "classic_two", "settings": _dotted(settings), "players": 2}


def _rows(talon: str = "misere_before", sheet: str = "", **settings: str) -> dict[str, Any]:
    """Options of a deal of razboinik."""
    known = {**_dotted(settings), "razboinik.talon": f'"{talon}"'}
    return {"variant": "razboinik", "settings": known, "players": 2, "sheet": sheet}


def _dotted(settings: dict[str, str]) -> dict[str, str]:
    return {key.replace("_", ".", 1): value for key, value in settings.items()}


CASES_OF_TWO: list[tuple[str, dict[str, Any], str]] = [
    # raspas by agreement, the auction
    (
        "agree 0:agree, 0:agree",
        _two(raspas_agreed='"any_deal"'),
        "before the cards are seen: agree of player 0 is not legal: it is for player 1 to move",
    ),
    (
        "agree agree, agree; auction pass, pass",
        _two(),
        "before the cards are seen: agree has no place: raspas are not agreed on in this variant "
        "(raspas.agreed)",
    ),
    (
        "agree agree, agree; auction pass, pass",
        {**_two(raspas_agreed='"first_deal"'), "sheet": "n_deals 3"},
        "before the cards are seen: agree has no place: raspas are agreed on before the first deal "
        "of a pulka only (raspas.agreed)",
    ),
    (
        "agree refuse, refuse; auction pass, pass",
        _two(raspas_agreed='"any_deal"'),
        "before the cards are seen: refuse has no place: all have agreed, or one has refused",
    ),
    (
        "agree agree, agree; auction pass, pass; trick 1 ♠A",
        _two(raspas_agreed='"any_deal"'),
        "the auction: pass has no place: all have agreed to raspas (raspas.agreed)",
    ),
    (
        "agree agree, agree; dark look; trick 1 ♠A",
        _two(raspas_agreed='"any_deal"', auction_dark_pass="true"),
        "before the auction: look has no place: all have agreed to raspas (raspas.agreed)",
    ),
    (
        "auction dummy:6♠",
        _two(),
        "call 1 of the auction: 6♠ of the dummy is not legal: it is for player 0 to move, and the "
        "dummy has no word",
    ),
    (
        "auction 6♠, 6♣, 6♦, hold",
        _two(),
        "call 4 of the auction: hold of player 1 is not legal: only the senior of two bidders may "
        "hold, and he is the junior",
    ),
    (
        "auction pass, pass; passed ♥9 ♥T; trick 1 ♠A",
        _two(),
        "passing along: ♥9 has no place: two players pass no cards along",
    ),
    ("auction pass, pass; row 7", _two(), "the row: 7 has no place: only razboinik has rows"),
    # the defender
    (
        f"{SIX}; whist half",
        _two(),
        "call 1 of the whist: half of player 1 is not legal: there is no half-whist with two "
        "players",
    ),
    (
        f"{SIX}; whist whist with 0",
        _two(),
        "call 1 of the whist: whist with 0 of player 1 is not legal: a defender says pass or whist",
    ),
    (
        f"{SIX}; whist pass",
        _two(dummy_defence='["open", "blind"]'),
        "call 1 of the whist: pass of player 1 is not legal: the defender may not pass in this "
        "variant (dummy.defence)",
    ),
    (
        f"{SIX}; whist pass",
        _two(whist_stalingrad="true"),
        "call 1 of the whist: pass of player 1 is not legal: six spades must be whisted "
        "(whist.stalingrad)",
    ),
    (
        f"{SIX}; whist whist, pass; open open; trick 1 ♠A",
        _two(),
        "the whist: pass has no place: the only defender has had his say",
    ),
    (
        f"{SIX}; whist whist; open blind",
        _two(dummy_defence='["open", "pass"]'),
        "open or closed: blind of player 1 is not legal: the defender may not whist blind in this "
        "variant (dummy.defence)",
    ),
    (
        f"{SIX}; whist whist; open open",
        _two(dummy_defence='["blind", "pass"]'),
        "open or closed: open of player 1 is not legal: the defender may only whist blind in this "
        "variant (dummy.defence)",
    ),
    (
        f"{SIX}; whist whist; open closed",
        _two(),
        "open or closed: closed of player 1 is not legal: a defender says blind or open",
    ),
    (
        f"{SIX}; whist pass; open open",
        _two(),
        "open or closed: open has no place: only a defender who whists is asked, once",
    ),
    (
        "auction 10♠, pass; discard ♥7 ♥9; contract 10♠; whist whist; trick 1 ♠A",
        _two(whist_ten='"checked"'),
        "the whist: whist has no place: a ten is checked without a question (whist.ten)",
    ),
    (
        "auction misere, pass; discard ♥7 ♥9; catch trust; trick 1 ♠A",
        _two(misere_defence='"catch_or_trust"'),
        "catch or trust: trust has no place: with two players there is one defender",
    ),
    # the play
    (
        f"{BLIND}; trick 1 ♠A, dummy:♠T",
        _two(),
        "trick 1: ♠T of the dummy is not legal: it is for player 1 to move, and the dummy is out "
        "of play",
    ),
    (
        f"{BLIND}; trick 1 ♠A, ♠T",
        _two(),
        "trick 1: ♠T of player 1 is not legal: it is the dummy's, which is out of play",
    ),
    (
        f"{BLIND}; trick 1 ♠A, ♣7; trick 2 ♠K, dummy:♠T",
        _two(),
        "trick 2: ♠T of the dummy is not legal: it is for player 1 to move, and the dummy is out "
        "of play",
    ),
    (
        f"{BLIND}; trick 1 ♠A, dummy:♠T",
        _two(dummy_blind='"lowest"'),
        "trick 1: ♠T of the dummy is not legal: the dummy plays its lowest legal card, ♠7 "
        "(dummy.blind)",
    ),
    (
        "auction pass, pass; trick 1 ♥7, dummy:♥8, ♥J; trick 2 1:♣7, 0:♣A, dummy:♣J",
        _two(dummy_raspas='"lowest"'),
        "trick 2: ♣J of the dummy is not legal: the dummy plays its lowest legal card, ♣9 "
        "(dummy.raspas)",
    ),
    (
        f"{SIX}; whist whist; open open; trick 1 ♠A, dummy:♣9",
        _two(),
        "trick 1: ♣9 of the dummy is not legal: the dummy must follow ♠ and holds ♠7 ♠8 ♠9 ♠T",
    ),
    (
        f"{SIX}; whist whist; open open; trick 1 ♠A, dummy:♠A",
        _two(),
        "trick 1: ♠A of the dummy is not legal: this card has been played",
    ),
    (
        f"{SIX}; whist whist; open open; trick 1 ♠A, dummy:♥A",
        _two(),
        "trick 1: ♥A of the dummy is not legal: the dummy holds no such card",
    ),
    (
        f"{SIX}; whist whist; open open; trick 1 ♠A, 1:♣7",
        _two(),
        "trick 1: ♣7 of player 1 is not legal: it is for the dummy to move",
    ),
    (
        "auction pass, pass; trick 1 ♠A",
        _two(dummy_raspas='"no_raspas"'),
        "trick 1: ♠A has no place: the deal is thrown in (dummy.raspas)",
    ),
    (
        "auction pass, pass; trick 1 talon ♥9",
        _two(raspas_talon_two='"may_win"'),
        "trick 1: talon ♥9 of player 0 is not legal: the talon's card that leads here is ♥T",
    ),
    # razboinik: the row
    (
        "row 7",
        _rows(),
        "the row: 7 of player 0 is not legal: this row is named after the talon is taken "
        "(razboinik.talon)",
    ),
    (
        "row talon",
        _rows("row_before"),
        "the row: talon of player 0 is not legal: every row is named before the talon is taken "
        "(razboinik.talon)",
    ),
    (
        "row 7",
        _rows("row_before", "rows - 4 - - - - / - - - - - -"),
        "the row: 7 of player 0 is not legal: his row 7 is filled",
    ),
    (
        "row misere",
        _rows(sheet="rows - - - - - 30 / - - - - - -"),
        "the row: misere of player 0 is not legal: his row misere is filled",
    ),
    (
        "row talon",
        _rows(sheet="rows 0 0 0 0 5/2 - / - - - - - -"),
        "the row: talon of player 0 is not legal: only his row misere is open, and it is named "
        "before the talon is taken",
    ),
    (
        "row 1:talon",
        _rows(),
        "the row: talon of player 1 is not legal: it is for player 0 to move",
    ),
    (
        "row talon",
        _rows(razboinik_declarer='"dealer"', sheet="rows - - - - - - / 0 0 0 0 0 -"),
        "the row: talon of player 1 is not legal: only his row misere is open, and it is named "
        "before the talon is taken",
    ),
    (
        "row 7; discard ♥7 ♥9; contract 7♠",
        _rows("row_after"),
        "the row: 7 has no place: the contract names the row in this variant (razboinik.talon)",
    ),
    (
        "row talon, talon; discard ♥7 ♥9; contract 7♠",
        _rows(),
        "the row: talon has no place: the row was named, or the talon taken",
    ),
    # its contract
    (
        "row 8; discard ♥7 ♥9; contract 7♠",
        _rows("row_before"),
        "the contract: 7♠ of player 0 is not legal: he has named the row 8",
    ),
    (
        "row talon; discard ♥7 ♥9; contract misere",
        _rows(),
        "the contract: misere of player 0 is not legal: misere is named before the talon is taken "
        "(razboinik.talon)",
    ),
    (
        "discard ♥7 ♥9; contract 7NT",
        _rows("row_after", "rows - 4 - - - - / - - - - - -"),
        "the contract: 7NT of player 0 is not legal: his row 7 is filled",
    ),
    (
        "contract misere",
        _rows("none", "rows - 4 - - - 10 / - - - - - -"),
        "the contract: misere of player 0 is not legal: his row misere is filled",
    ),
    (
        "contract concede",
        _rows("none"),
        "the contract: concede of player 0 is not legal: the declarer names a contract of an open "
        "row",
    ),
    (
        "row misere; discard ♥7 ♥9; contract 9♠; trick 1 ♠A",
        _rows(),
        "the contract: 9♠ has no place: misere was named",
    ),
    # what it has not
    (
        f"auction 7♠; {SEVEN}",
        _rows("row_before"),
        "the auction: 7♠ has no place: there is no auction in razboinik",
    ),
    (
        f"dark look; {SEVEN}",
        _rows("row_before"),
        "before the auction: look has no place: there is no auction in razboinik",
    ),
    (
        f"agree agree; {SEVEN}",
        _rows("row_before"),
        "before the cards are seen: agree has no place: there are no raspas in razboinik",
    ),
    (
        "discard ♥7 ♥9; contract 7♠",
        _rows("none"),
        "the discard: ♥7 has no place: the talon is left in this variant (razboinik.talon)",
    ),
    (
        f"{SEVEN}; whist whist; trick 1 ♠A",
        _rows("row_before"),
        "the whist: whist has no place: nobody whists in razboinik",
    ),
    (
        f"{SEVEN}; open open; trick 1 ♠A, ♠T, ♣7; trick 2 ♠K",
        _rows("row_before"),
        "open or closed: open has no place: nobody is asked in razboinik (razboinik.dummy)",
    ),
    (
        f"{SEVEN}; trick 1 ♠A, dummy:♠T",
        _rows("row_before", razboinik_dummy='"dead"'),
        "trick 1: ♠T of the dummy is not legal: it is for player 1 to move, and the dummy is out "
        "of play",
    ),
]
