"""Illegal moves of the refet game, as in ``illegal_cases``: the same hands and talon."""

from __future__ import annotations

from typing import Any

CLUBS = "auction 2, pass, pass; discard ♥7 ♥9; contract clubs"
BOTH = f"{CLUBS}; come comes, comes; contra none, none"
SPADES = "auction 2, pass, pass; discard ♥7 ♥9; contract spades"
SANS = "auction 2, pass, pass; discard ♠J ♣Q; contract sans; come comes, stays, alone"


def _refet(sheet: str = "", **settings: str) -> dict[str, Any]:
    """Options of a deal of Lesnoy's variant; of its keys the first ``_`` is the dot."""
    known = {key.replace("_", ".", 1): value for key, value in settings.items()}
    return {"variant": "refet", "settings": known, "sheet": sheet}


_NEXT = {**_refet(), "variant": "ipref"}

CASES_OF_REFET: list[tuple[str, dict[str, Any], str]] = [
    # numbers
    (
        "auction 3",
        _refet(),
        "call 1 of the auction: 3 of player 0 is not legal: numbers rise one step at a time, and "
        "the next is 2 (bidding.jumps)",
    ),
    (
        "auction 2, 4",
        _refet(),
        "call 2 of the auction: 4 of player 1 is not legal: numbers rise one step at a time, and "
        "the next is 3 (bidding.jumps)",
    ),
    (
        "auction 2, 2",
        _refet(),
        "call 2 of the auction: 2 of player 1 is not legal: 2 does not outrank 2",
    ),
    (
        "auction 2, pass, 3, 4",
        _refet(),
        "call 4 of the auction: 4 of player 0 is not legal: of the players left he bids first, and "
        "holds 3 or passes (bidding.hold)",
    ),
    (
        "auction 2, 3, 4",
        _NEXT,
        "call 3 of the auction: 4 of player 2 is not legal: 3 is held before it is raised "
        "(bidding.hold)",
    ),
    (
        "auction 8",
        _refet(bidding_jumps="true"),
        "call 1 of the auction: 8 of player 0 is not legal: preferans is not played in this "
        "variant (bidding.preferans)",
    ),
    (
        "auction game, 2",
        _refet(),
        "call 2 of the auction: 2 of player 1 is not legal: after game no number is bid",
    ),
    (
        "auction 6♠",
        _refet(),
        "call 1 of the auction: 6♠ of player 0 is not legal: a call is pass, hold, a number from 2 "
        "to 8, or a game",
    ),
    # the hold
    (
        "auction hold",
        _refet(),
        "call 1 of the auction: hold of player 0 is not legal: there is no number to hold",
    ),
    (
        "auction 2, hold",
        _refet(),
        "call 2 of the auction: hold of player 1 is not legal: the lowest number that is held is 3",
    ),
    (
        "auction 2, 3, hold",
        _refet(),
        "call 3 of the auction: hold of player 2 is not legal: of the players left only the one "
        "who bids first may hold (bidding.hold)",
    ),
    (
        "auction 3, 0:pass, hold",
        _refet(bidding_jumps="true"),
        "call 2 of the auction: pass of player 0 is not legal: it is for player 1 to move",
    ),
    (
        "auction pass, 2, 3, 4",
        _refet(),
        "call 4 of the auction: 4 of player 1 is not legal: of the players left he bids first, and "
        "holds 3 or passes (bidding.hold)",
    ),
    (
        "auction 2, 3, hold, hold",
        _NEXT,
        "call 4 of the auction: hold of player 0 is not legal: 3 has been held, and the next call "
        "is higher (bidding.hold)",
    ),
    (
        "auction game, hold",
        _refet(),
        "call 2 of the auction: hold of player 1 is not legal: game cannot be held",
    ),
    # games
    (
        "auction 2, 3, pass, game",
        _refet(),
        "call 4 of the auction: game of player 0 is not legal: a game is called as a first word, "
        "and he has said 2",
    ),
    (
        "auction game betl, game",
        _refet(),
        "call 2 of the auction: game of player 1 is not legal: game does not outrank game betl",
    ),
    (
        "auction game betl, game betl",
        _refet(),
        "call 2 of the auction: game betl of player 1 is not legal: game betl does not outrank "
        "game betl",
    ),
    (
        "auction game preferans",
        _refet(),
        "call 1 of the auction: game preferans of player 0 is not legal: preferans is not played "
        "in this variant (bidding.preferans)",
    ),
    (
        "auction game, game betl, pass, 0:game sans",
        _refet(),
        "call 4 of the auction: game sans of player 0 is not legal: a game is called as a first "
        "word, and he has said game",
    ),
    (
        "auction pass, 2, 3, 0:hold",
        _refet(),
        "call 4 of the auction: hold of player 0 is not legal: it is for player 1 to move, and "
        "player 0 has passed",
    ),
    ("auction pass, pass, pass, 2", _refet(), "the auction: 2 has no place: the auction was over"),
    # the suits of several games
    (
        "auction game, game, pass; suit pass",
        _refet(),
        "the suits of the games: pass of player 0 is not legal: who called a game first names its "
        "suit",
    ),
    (
        "auction game, game, pass; suit hearts, diamonds",
        _refet(),
        "the suits of the games: diamonds of player 1 is not legal: diamonds does not outrank "
        "hearts",
    ),
    (
        "auction game, game, pass; suit hearts, hearts",
        _refet(),
        "the suits of the games: hearts of player 1 is not legal: hearts does not outrank hearts",
    ),
    (
        "auction game, game, pass; suit hearts, pass, clubs; come comes",
        _refet(),
        "the suits of the games: clubs has no place: everybody who called a game has named its "
        "suit",
    ),
    (
        "auction game, pass, pass; suit hearts; contract hearts",
        _refet(),
        "the suits of the games: hearts has no place: suits are named here where several called a "
        "game and nobody more",
    ),
    (
        "auction 6♠, pass, pass; suit hearts; discard ♥7 ♥9; contract 6♠",
        {},
        "the suits of the games: hearts has no place: only the refet game has suits of several "
        "games",
    ),
    # discard and contract
    (
        "auction pass, pass, pass; discard ♥7",
        _refet(),
        "the discard: ♥7 has no place: all have passed, and nobody takes the talon",
    ),
    (
        "auction game, pass, pass; discard ♥7; contract hearts",
        _refet(),
        "the discard: ♥7 has no place: the talon was not taken",
    ),
    (
        "auction 2, 3, pass, hold, 4, hold, pass; discard ♥7 ♥9; contract diamonds",
        _refet(),
        "the contract: diamonds of player 0 is not legal: diamonds is below his bid, 4",
    ),
    (
        "auction game, pass, pass; contract sans",
        _refet(),
        "the contract: sans of player 0 is not legal: who called a game names its suit",
    ),
    (
        "auction 2, pass, pass; discard ♥7 ♥9; contract preferans",
        _refet(),
        "the contract: preferans of player 0 is not legal: preferans is not played in this variant "
        "(bidding.preferans)",
    ),
    (
        "auction 2, pass, pass; discard ♥7 ♥9; contract concede",
        _refet(),
        "the contract: concede of player 0 is not legal: he names spades, diamonds, hearts, clubs, "
        "betl, sans or preferans",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract spades",
        {},
        "the contract: spades of player 0 is not legal: he names a contract or concedes",
    ),
    (
        "auction 2",
        {},
        "call 1 of the auction: 2 of player 0 is not legal: a call is pass, hold or a contract",
    ),
    (
        "auction game betl, pass, pass; contract betl; contra none",
        _refet(),
        "the contract: betl has no place: the contract was named",
    ),
    (
        "auction pass, pass, pass; contract hearts",
        _refet(),
        "the contract: hearts has no place: all have passed",
    ),
    # who comes
    (
        f"{CLUBS}; come alone",
        _refet(),
        "who comes: alone of player 1 is not legal: only who came alone plays alone or invites, "
        "once both have spoken",
    ),
    (
        f"{CLUBS}; come comes, invites",
        _refet(),
        "who comes: invites of player 2 is not legal: only who came alone plays alone or invites, "
        "once both have spoken",
    ),
    (
        f"{CLUBS}; come comes, stays, comes",
        _refet(),
        "who comes: comes of player 1 is not legal: he has come, and plays alone or invites the "
        "other",
    ),
    (
        f"{CLUBS}; come comes, stays, stays",
        _refet(),
        "who comes: stays of player 1 is not legal: he has come, and plays alone or invites the "
        "other",
    ),
    (
        f"{CLUBS}; come comes, 1:comes",
        _refet(),
        "who comes: comes of player 1 is not legal: it is for player 2 to move",
    ),
    (
        f"{CLUBS}; come comes, comes, comes; contra none",
        _refet(),
        "who comes: comes has no place: the followers have had their say",
    ),
    (
        f"{CLUBS}; come comes, stays, alone, alone; contra none",
        _refet(),
        "who comes: alone has no place: the followers have had their say",
    ),
    (
        f"{SPADES}; come invites",
        _refet(),
        "who comes: invites of player 1 is not legal: nobody is invited at spades that are played "
        "under contra only (spades.needs_contra)",
    ),
    (
        f"{SPADES}; come comes, stays, invites; contra none",
        _refet(),
        "who comes: invites has no place: the followers have had their say, and nobody is invited "
        "at spades that are played under contra only (spades.needs_contra)",
    ),
    (
        f"{CLUBS}; come invites",
        _refet(follow_invite="false"),
        "who comes: invites of player 1 is not legal: nobody is invited in this variant "
        "(follow.invite)",
    ),
    (
        f"{CLUBS}; come comes, stays, invites; contra none",
        _refet(follow_invite="false"),
        "who comes: invites has no place: the followers have had their say, and nobody is invited "
        "(follow.invite)",
    ),
    (
        "auction game betl, pass, pass; come comes; contra none",
        _refet(),
        "who comes: comes has no place: both opponents play at betl and preferans without a "
        "question",
    ),
    (
        "auction pass, pass, pass; come comes",
        _refet(),
        "who comes: comes has no place: all have passed",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract 6♠; come comes; whist whist, whist; "
        "trick 1 ♠A",
        {},
        "who comes: comes has no place: only the refet game has followers who come",
    ),
    # contra
    (
        f"{CLUBS}; come comes, comes; contra recontra",
        _refet(),
        "call 1 of the contra: recontra of player 1 is not legal: the next word here is contra or "
        "none",
    ),
    (
        f"{CLUBS}; come comes, comes; contra contra, contra",
        _refet(),
        "call 2 of the contra: contra of player 0 is not legal: the next word here is recontra or "
        "none",
    ),
    (
        f"{CLUBS}; come comes, comes; contra contra, recontra, mordcontra",
        _refet(),
        "call 3 of the contra: mordcontra of player 1 is not legal: the next word here is "
        "subcontra or none",
    ),
    (
        f"{CLUBS}; come comes, comes; contra contra, recontra, 2:subcontra",
        _refet(),
        "call 3 of the contra: subcontra of player 2 is not legal: it is for player 1 to move",
    ),
    (
        f"{CLUBS}; come comes, stays, alone; contra none, contra; trick 1 ♠A",
        _refet(),
        "the contra: contra has no place: everybody who may say contra has been asked (contra.by)",
    ),
    (
        f"{CLUBS}; come comes, comes; contra contra, none, subcontra; trick 1 ♠A",
        _refet(),
        "the contra: subcontra has no place: the last doubling was not answered",
    ),
    (
        f"{CLUBS}; come comes, comes; contra contra, recontra, subcontra; trick 1 ♠A",
        _refet(contra_levels="2"),
        "the contra: subcontra has no place: a game is doubled 2 times at most in this variant "
        "(contra.levels)",
    ),
    (
        f"{CLUBS}; come comes, comes; contra contra; trick 1 ♠A",
        _refet(contra_levels="0"),
        "the contra: contra has no place: nobody says contra in this variant (contra.levels)",
    ),
    (
        f"{CLUBS}; come comes, stays, invites; contra contra; trick 1 ♠A",
        _refet(),
        "the contra: contra has no place: who has invited may not say contra",
    ),
    (
        f"{CLUBS}; come stays, stays; contra contra",
        _refet(),
        "the contra: contra has no place: nobody has come",
    ),
    (
        "auction pass, pass, pass; contra contra",
        _refet(),
        "the contra: contra has no place: all have passed",
    ),
    (
        "auction 6♠, pass, pass; discard ♥7 ♥9; contract 6♠; whist whist, whist; contra contra; "
        "trick 1 ♠A",
        {},
        "the contra: contra has no place: there is contra in the refet game only",
    ),
    # the play
    (
        f"{BOTH}; trick 1 ♠A, ♣9",
        _refet(),
        "trick 1: ♣9 of player 1 is not legal: he must follow ♠ and holds ♠7 ♠8 ♠9 ♠T",
    ),
    (
        f"{BOTH}; trick 1 ♠A, ♠T, ♦7",
        _refet(),
        "trick 1: ♦7 of player 2 is not legal: he has no ♠ and must trump, holding ♣7 ♣8",
    ),
    (
        f"{SANS}; contra none; trick 1 ♥8, ♥7",
        _refet(tricks_must_head="true"),
        "trick 1: ♥7 of player 0 is not legal: he must beat the trick so far and can, with ♥9 ♥T "
        "(tricks.must_head)",
    ),
    (
        "auction game sans, pass, pass; come comes, comes; contra none, none; trick 1 0:♠A",
        _refet(),
        "trick 1: ♠A of player 0 is not legal: it is for player 2 to move",
    ),
    (
        "auction pass, 2, pass; discard ♥9 ♥T; contract diamonds; come comes, comes; "
        "contra none, none; trick 1 ♥7, ♥8, ♥J; trick 2 2:♦T, 0:♦K, 1:♦J; trick 3 0:♣A, 1:♣9, "
        "2:♣7; trick 4 0:♣K, 1:♣T, 2:♣8; trick 5 0:♣Q, 1:♣J, 2:♥A",
        _refet(),
        "trick 5: ♥A of player 2 is not legal: he has no ♣ and must trump, holding ♦7 ♦8 ♦9",
    ),
    (
        f"{CLUBS}; come comes, stays, alone; contra none; trick 1 ♠A, 2:♣7",
        _refet(),
        "trick 1: ♣7 of player 2 is not legal: it is for player 1 to move, and player 2 does not "
        "play",
    ),
    (
        f"{CLUBS}; come comes, stays, alone; contra none; trick 1 ♠A, ♠T, ♣7",
        _refet(),
        "trick 1: ♣7 has no place: every hand has played to this trick",
    ),
    (
        "auction pass, pass, pass; trick 1 ♠A",
        _refet(),
        "trick 1: ♠A has no place: all have passed, and no card is played",
    ),
    (
        f"{CLUBS}; come stays, stays; trick 1 ♠A",
        _refet(),
        "trick 1: ♠A has no place: nobody has come, and no card is played",
    ),
    (
        f"{SPADES}; come comes, comes; contra none, none; trick 1 ♠A",
        _refet(),
        "trick 1: ♠A has no place: spades without contra are not played (spades.needs_contra)",
    ),
    (
        "auction game betl, pass, pass; contra none, none; trick 1 ♠A, ♠T, ♣8; trick 2 ♠K",
        _refet(),
        "trick 2: ♠K has no place: the declarer could not make his contract any more, and play "
        "stopped (tricks.stop)",
    ),
    # what it has not
    (
        f"agree agree; {CLUBS}; come comes",
        _refet(),
        "before the cards are seen: agree has no place: there are no raspas in the refet game",
    ),
    (
        f"dark look; {CLUBS}; come comes",
        _refet(),
        "before the auction: look has no place: there is no pass in the dark in the refet game",
    ),
    (
        f"row 7; {CLUBS}; come comes",
        _refet(),
        "the row: 7 has no place: only razboinik has rows",
    ),
    (
        "auction pass, pass, pass; passed ♥7",
        _refet(),
        "passing along: ♥7 has no place: no cards are passed along in the refet game",
    ),
    (
        f"{CLUBS}; whist whist; come comes",
        _refet(),
        "the whist: whist has no place: a follower comes or stays in the refet game (the line "
        "come)",
    ),
    (
        f"{BOTH}; open open; trick 1 ♠A, ♠T, ♣7",
        _refet(),
        "open or closed: open has no place: followers play with closed hands in the refet game",
    ),
    (
        f"{BOTH}; catch trust; trick 1 ♠A",
        _refet(),
        "catch or trust: trust has no place: nobody catches or trusts in the refet game",
    ),
    (
        f"{CLUBS}; come stays, stays; points pool",
        _refet(),
        "the points: pool has no place: a contract made is written off the column in the refet "
        "game",
    ),
]
