"""Illegal moves of one deal, and the sentence with which each is refused.

The hands from the eldest, who is player 0, are ♠AKQJ ♣AKQ ♦AK ♥7, ♠T987 ♣JT9 ♦QJ ♥8 and ♣87 ♦T987
♥AKQJ; the talon is ♥T ♥9. ``;`` parts the lines of a record.
"""

from __future__ import annotations

from typing import Any

ORDER_TOLD = "(order ♠ ♣ ♦ ♥, from the seven to the ace)"
SIX = "auction 6♠, pass, pass; discard ♥7 ♥9; contract 6♠"
WITHOUT = {"auction.without_talon": '["misere", "nine", "ten"]'}

CASES: list[tuple[str, dict[str, Any], str]] = [
    # the auction
    (
        "auction 7♠, 6♣",
        {},
        "call 2 of the auction: 6♣ of player 1 is not legal: 6♣ does not outrank 7♠",
    ),
    (
        "auction 7♠, 7♠",
        {},
        "call 2 of the auction: 7♠ of player 1 is not legal: 7♠ does not outrank 7♠",
    ),
    (
        "auction 9♠, misere",
        {},
        "call 2 of the auction: misere of player 1 is not legal: misere does not outrank 9♠",
    ),
    (
        "auction 6♠",
        {
            "settings": {"raspas.exit_levels": "[6, 7, 8]"},
            "sheet": "raspas_index 2",
        },
        "call 1 of the auction: 6♠ of player 0 is not legal: the lowest level after 2 raspas in "
        "a row is 8 (raspas.exit_levels)",
    ),
    (
        "auction misere",
        {"settings": {"raspas.exit_levels": "[6, 9]"}, "sheet": "raspas_index 1"},
        "call 1 of the auction: misere of player 0 is not legal: the lowest level after 1 raspas "
        "in a row is 9 and misere may not be bid above eight (raspas.exit_levels)",
    ),
    (
        "auction 6♠, 6♣, pass, misere",
        {},
        "call 4 of the auction: misere of player 0 is not legal: misere may only be a first word, "
        "and he has bid 6♠",
    ),
    (
        "auction misere, 9♠, pass, 0:9♣",
        {},
        "call 4 of the auction: 9♣ of player 0 is not legal: he bid misere and may only pass "
        "or bid misere wt (auction.misere)",
    ),
    (
        "auction misere, 9♠, pass, 0:9♣",
        {"settings": {"auction.misere_then_without_talon": "false"}},
        "call 4 of the auction: 9♣ of player 0 is not legal: he bid misere and may only pass "
        "(auction.misere)",
    ),
    (
        "auction misere wt, 9♠ wt, pass, 0:10♠",
        {"settings": WITHOUT},
        "call 4 of the auction: 10♠ of player 0 is not legal: he bid misere wt and may only pass "
        "(auction.misere)",
    ),
    (
        "auction 9♠ wt",
        {},
        "call 1 of the auction: 9♠ wt of player 0 is not legal: 9♠ wt is not bid in this variant "
        "(auction.without_talon)",
    ),
    (
        "auction 6♠, 6♦",
        {"settings": {"auction.jumps": "false"}},
        "call 2 of the auction: 6♦ of player 1 is not legal: bids may not jump, and the next bid "
        "is 6♣ (auction.jumps)",
    ),
    (
        "auction hold",
        {},
        "call 1 of the auction: hold of player 0 is not legal: there is no bid to hold",
    ),
    (
        "auction 6♠, 6♣, pass, hold",
        {"settings": {"auction.hold": "off"}},
        "call 4 of the auction: hold of player 0 is not legal: there is no hold in this variant "
        "(auction.hold)",
    ),
    (
        "auction 6♠, 6♣, 6♦, hold",
        {},
        "call 4 of the auction: hold of player 0 is not legal: hold is for two bidders, and 3 "
        "have not passed",
    ),
    (
        "auction 6♠, pass, hold",
        {},
        "call 3 of the auction: hold of player 2 is not legal: only the senior of two bidders may "
        "hold, and he is the junior",
    ),
    (
        "auction 6♠, misere, pass, hold",
        {},
        "call 4 of the auction: hold of player 0 is not legal: misere cannot be held",
    ),
    (
        "auction misere, 9♠, pass, 0:hold",
        {},
        "call 4 of the auction: hold of player 0 is not legal: who bid misere may not hold "
        "(auction.misere)",
    ),
    (
        "auction 0:6♠, 2:6♣",
        {},
        "call 2 of the auction: 6♣ of player 2 is not legal: it is for player 1 to move",
    ),
    (
        "auction pass, 6♠, 6♣, 0:6♦",
        {},
        "call 4 of the auction: 6♦ of player 0 is not legal: it is for player 1 to move, and "
        "player 0 has passed",
    ),
    (
        "auction 3:6♠",
        {"players": 4},
        "call 1 of the auction: 6♠ of player 3 is not legal: it is for player 0 to move, and "
        "player 3 has no hand",
    ),
    ("auction pass, pass, pass, 6♠", {}, "the auction: 6♠ has no place: the auction was over"),
    # the dark pass
    (
        "dark look; auction pass",
        {},
        "before the auction: look has no place: the eldest is not asked in this variant "
        "(auction.dark_pass)",
    ),
    (
        "dark 1:look",
        {"settings": {"auction.dark_pass": "true"}},
        "before the auction: look of player 1 is not legal: it is for player 0 to move",
    ),
    # cards laid away and passed along
    (
        "auction 6♠, pass, pass; discard ♠T",
        {},
        "the discard: ♠T of player 0 is not legal: he holds no such card",
    ),
    (
        "auction 6♠, pass, pass; discard ♥9 ♥9",
        {},
        "the discard: ♥9 of player 0 is not legal: he has laid it away already",
    ),
    (
        "auction 6♠, pass, pass; discard ♥9 ♥7",
        {},
        "the discard: ♥7 of player 0 is not legal: the second card laid away must be higher than "
        f"the first, ♥9 {ORDER_TOLD}",
    ),
    (
        "auction 6♠, pass, pass; discard ♥T",
        {},
        "the discard: ♥T of player 0 is not legal: of two cards laid away the lower comes first, "
        f"and this is his highest {ORDER_TOLD}",
    ),
    (
        "auction pass, pass, pass; passed 0:♥9 ♥T, 1:♠A",
        {"settings": {"raspas.talon": "pass_along"}},
        "passing along: ♠A of player 1 is not legal: he holds no such card",
    ),
    (
        "auction pass, pass, pass; passed 0:♥9 ♥T; trick 1 ♠A",
        {},
        "passing along: ♥9 of player 0 has no place: every hand has passed two cards along, or "
        "raspas are played without (raspas.talon)",
    ),
    (
        f"{SIX}; passed ♠A",
        {},
        "passing along: ♠A has no place: a contract was bid, and cards are passed along at raspas "
        "only",
    ),
    (
        "auction pass, pass, pass; discard 0:♥7; trick 1 ♠A",
        {},
        "the discard: ♥7 of player 0 has no place: nobody takes the talon at raspas",
    ),
    (
        "auction 9♠ wt, pass, pass; discard ♥7; contract 9♠ wt",
        {"settings": WITHOUT},
        "the discard: ♥7 has no place: the talon was not taken",
    ),
    (
        "auction 6♠, pass, pass; discard ♠J ♥7 ♥9; contract 6♠",
        {},
        "the discard: ♥9 has no place: two cards were laid away",
    ),
    # the contract
    (
        "auction 7♠, pass, pass; discard ♥7 ♥9; contract 6NT",
        {},
        "the contract: 6NT of player 0 is not legal: 6NT is below his bid, 7♠",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract misere",
        {},
        "the contract: misere of player 0 is not legal: who bid for tricks may not turn to misere",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract concede",
        {},
        "the contract: concede of player 0 is not legal: conceding is not allowed in this variant "
        "(contract.concession)",
    ),
    (
        "auction 9♠ wt, pass, pass; contract concede",
        {"settings": {**WITHOUT, "contract.concession": "3"}},
        "the contract: concede of player 0 is not legal: who bid without the talon may not concede",
    ),
    (
        "auction 9♠ wt, pass, pass; contract 10♠",
        {"settings": WITHOUT},
        "the contract: 10♠ of player 0 is not legal: who bid without the talon names a contract "
        "without it",
    ),
    (
        "auction 9♠, pass, pass; discard ♥7 ♥9; contract 9♠ wt",
        {"settings": WITHOUT},
        "the contract: 9♠ wt of player 0 is not legal: the talon is taken, so a contract without "
        "it may not be named",
    ),
    (
        "auction 9♠ wt, pass, pass; contract 10♠ wt",
        {"settings": {"auction.without_talon": '["nine"]'}},
        "the contract: 10♠ wt of player 0 is not legal: 10♠ wt is not bid in this variant "
        "(auction.without_talon)",
    ),
    (
        "auction misere, pass, pass; discard ♥7 ♥9; contract 9♠; trick 1 ♠A",
        {},
        "the contract: 9♠ has no place: misere is played as it was bid",
    ),
    (
        "auction pass, pass, pass; contract 9♠; trick 1 ♠A",
        {},
        "the contract: 9♠ has no place: at raspas there is no contract",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract 6♠, 7♠; whist pass, pass",
        {},
        "the contract: 7♠ has no place: the contract was named",
    ),
    # the whist
    (
        f"{SIX}; whist half",
        {},
        "call 1 of the whist: half of player 1 is not legal: the first defender says pass or "
        "whist, half-whist only after he has whisted alone",
    ),
    (
        f"{SIX}; whist whist, half",
        {},
        "call 2 of the whist: half of player 2 is not legal: the second defender says half-whist "
        "only after the first has passed",
    ),
    (
        "auction 8♠, pass, pass; discard ♥7 ♥9; contract 8♠; whist pass, half",
        {},
        "call 2 of the whist: half of player 2 is not legal: half-whist is said at 6, 7 only "
        "(whist.half_levels)",
    ),
    (
        f"{SIX}; whist pass, half",
        {"settings": {"whist.half_levels": "[]"}},
        "call 2 of the whist: half of player 2 is not legal: half-whist is said at no level only "
        "(whist.half_levels)",
    ),
    (
        f"{SIX}; whist pass, pass",
        {"settings": {"whist.both_may_pass": "false"}},
        "call 2 of the whist: pass of player 2 is not legal: after the first pass he must whist "
        "or say half (whist.both_may_pass)",
    ),
    (
        f"{SIX}; whist pass, half, half",
        {},
        "call 3 of the whist: half of player 1 is not legal: asked again, a defender says whist "
        "or pass",
    ),
    (
        f"{SIX}; whist whist, pass, pass",
        {"settings": {"whist.long": "true"}},
        "call 3 of the whist: pass of player 1 is not legal: he has whisted and may only stay "
        "with it or go down to half-whist",
    ),
    (
        f"{SIX}; whist whist with 2",
        {},
        "call 1 of the whist: whist with 2 of player 1 is not legal: a defender says pass, whist "
        "or half",
    ),
    (
        f"{SIX}; whist pass, pass, whist with 0",
        {"settings": {"whist.dealer_may": "true"}, "players": 4},
        "the dealer's whist: whist with 0 of player 3 is not legal: the dealer says pass, whist "
        "with 1 or whist with 2",
    ),
    (
        f"{SIX}; whist pass, pass, 3:whist with 1",
        {"players": 4},
        "the whist: whist with 1 of player 3 has no place: the defenders' calls were over, and "
        "the dealer may not whist (whist.dealer_may)",
    ),
    (
        f"{SIX}; whist whist, whist, pass; trick 1 ♠A",
        {},
        "the whist: pass has no place: the calls were over",
    ),
    (
        f"{SIX}; whist whist, whist; trick 1 ♠A",
        {"settings": {"whist.stalingrad": "true"}},
        "the whist: whist has no place: both must whist at six spades (whist.stalingrad)",
    ),
    (
        "auction 10♠, pass, pass; discard ♥7 ♥9; contract 10♠; whist pass; trick 1 ♠A",
        {"settings": {"whist.ten": "checked"}},
        "the whist: pass has no place: a ten is checked without a question (whist.ten)",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract concede; whist whist",
        {"settings": {"contract.concession": "3"}},
        "the whist: whist has no place: the contract was conceded",
    ),
    (
        "auction misere, pass, pass; discard ♥7 ♥9; whist pass; trick 1 ♠A",
        {},
        "the whist: pass has no place: nobody whists at misere",
    ),
    (
        "auction pass, pass, pass; whist pass; trick 1 ♠A",
        {},
        "the whist: pass has no place: nobody whists at raspas",
    ),
    # open or closed, catch or trust, the points
    (
        f"{SIX}; whist whist, whist; open open; trick 1 ♠A, ♠T, ♣7",
        {},
        "open or closed: open has no place: only a lone whister is asked, once",
    ),
    (
        "auction misere, pass, pass; discard ♥7 ♥9; catch trust; trick 1 ♠A",
        {},
        "catch or trust: trust has no place: each defender plays his own hand in this variant "
        "(misere.defence)",
    ),
    (
        "auction misere, pass, pass; discard ♥7 ♥9; catch trust, catch; trick 1 ♠A",
        {"settings": {"misere.defence": "catch_or_trust"}},
        "catch or trust: catch has no place: the defenders had their say",
    ),
    (
        f"{SIX}; catch trust; whist whist, whist; trick 1 ♠A",
        {},
        "catch or trust: trust has no place: only the defenders of a misere are asked",
    ),
    (
        f"{SIX}; whist pass, pass; points pool",
        {},
        "the points: pool has no place: points go into the pool in this variant "
        "(values.off_mountain_instead)",
    ),
    (
        f"{SIX}; whist pass, half, pass; points mountain",
        {"settings": {"values.off_mountain_instead": "2"}},
        "the points: mountain has no place: only after an unwhisted contract or a made misere the "
        "declarer is asked, once",
    ),
    # the play
    (
        f"{SIX}; whist whist, whist; trick 1 ♠9",
        {},
        "trick 1: ♠9 of player 0 is not legal: he holds no such card",
    ),
    (
        f"{SIX}; whist whist, whist; trick 1 ♠A, ♣9",
        {},
        "trick 1: ♣9 of player 1 is not legal: he must follow ♠ and holds ♠7 ♠8 ♠9 ♠T",
    ),
    (
        "auction pass, 6♥, pass; discard ♥9 ♥T; contract 7♣; whist whist, whist; "
        "trick 1 ♠A, ♠T, ♦7",
        {},
        "trick 1: ♦7 of player 2 is not legal: he has no ♠ and must trump, holding ♣7 ♣8",
    ),
    (
        f"{SIX}; whist whist, whist; trick 1 ♠A, ♠T, ♣7; trick 2 ♠A",
        {},
        "trick 2: ♠A of player 0 is not legal: this card has been played",
    ),
    (
        f"{SIX}; whist whist, whist; trick 1 ♠A, ♠T, ♣7, ♣8",
        {},
        "trick 1: ♣8 has no place: every hand has played to this trick",
    ),
    (
        f"{SIX}; whist whist, whist; trick 1 1:♠T",
        {},
        "trick 1: ♠T of player 1 is not legal: it is for player 0 to move",
    ),
    (
        f"{SIX}; whist pass, pass; trick 1 ♠A",
        {},
        "trick 1: ♠A has no place: no card is played in this deal",
    ),
    (
        f"{SIX}; whist whist, whist; trick 1 talon ♥T, ♠A",
        {},
        "trick 1: talon ♥T of player 0 is not legal: no card of the talon leads to this trick",
    ),
    (
        "auction pass, pass, pass; trick 1 1:talon ♥T",
        {},
        "trick 1: talon ♥T of player 1 is not legal: the dealer turns the talon",
    ),
    (
        "auction pass, pass, pass; trick 1 talon ♥T, talon ♥T",
        {},
        "trick 1: talon ♥T of player 0 is not legal: a card of the talon leads once to a trick",
    ),
    (
        "auction pass, pass, pass; trick 1 talon ♥9",
        {},
        "trick 1: talon ♥9 of player 0 is not legal: the talon's card that leads here is ♥T",
    ),
    (
        "auction pass, pass, pass; trick 1 talon ♥T, ♠A",
        {},
        "trick 1: ♠A of player 0 is not legal: he must follow ♥ and holds ♥7",
    ),
]
