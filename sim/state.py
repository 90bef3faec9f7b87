"""The layout of a table: two records, one public with the mover's own slots, one hidden.

All fields are int64, so that a batch of views is a matrix. Hands are numbered 0, 1, 2 in turn order
from the eldest (первая рука), players 0..3 at the table; -1 is nobody or nothing. With two players
one of the hands is the dummy's (болван), which has no player; a player or nobody decides for it.
"""

from __future__ import annotations

import numpy as np

from scoring.contract import N_ROWS
from scoring.result import ENTRY_FIELDS, MAX_PLAYERS, RESULT_FIELDS, TWO_PLAYERS
from scoring.sheet import SHEET_FIELDS

N_HANDS = 3
N_TRICKS = 10
MAX_CALLS = 96
MAX_PLAYS = 32
MAX_DECISIONS = 128
"""Bounds for one deal: an auction has at most 37 bids, 37 holds and 3 passes."""
DEALER_HAND = 3
"""Stands for the sitting-out dealer where a hand is named: his call, his card from the talon."""

(
    AGREE,
    DARK,
    AUCTION,
    BIDDING,
    SUIT,
    ROW,
    PASS_ALONG,
    DISCARD,
    CONTRACT,
    WHIST,
    DEALER_WHIST,
    OPEN,
    CATCH,
    COME,
    CONTRA,
    CARD,
    POINTS,
    DONE,
    IDLE,
) = range(19)
"""Phases: raspas by agreement, look or pass in the dark (тёмный пас), auction (торговля), the refet
game's auction (licitacija), the suits of several game calls, a row of razboinik's table, two cards
passed along at raspas (передача), discard (снос), final contract, whist calls, the sitting-out
dealer's whist, open or closed, who catches a misère, who comes in the refet game (dođem), contra, a
card, into the pool or off the mountain, the deal is over, and no deal has been dealt."""
PHASES = (
    "agree",
    "dark",
    "auction",
    "bidding",
    "suit",
    "row",
    "pass_along",
    "discard",
    "contract",
    "whist",
    "dealer_whist",
    "open",
    "catch",
    "come",
    "contra",
    "card",
    "points",
    "done",
    "idle",
)

REFUSE, AGREES = range(2)
"""Actions of a player asked to agree to raspas, before anybody has seen his cards."""
LOOK, DARK_PASS = range(2)
"""Actions of the eldest before he sees his cards."""
PASS, HOLD, FIRST_BID = range(3)
"""Actions of the auction: pass, hold («здесь»); a bid of contract ``code`` is FIRST_BID + code."""
GAME_CALL, GAME_BETL, GAME_SANS, GAME_PREFERANS = range(9, 13)
"""Actions of the refet game's auction besides PASS, HOLD and numbers 2..8: a game (igra) from the
hand in a suit named later, betl, sans, preferans. The suits of several games are named by their
numbers 2..5, PASS is «yours is better»; contracts are named by theirs, 2..8."""
TAKE_TALON = N_ROWS
"""Action of the row phase besides rows 0..5 (6..10, misère): take the talon, name the row later."""
CONCEDE = 62
"""Action of the contract phase besides contract codes: write the undertricks («уход»)."""
CALL_PASS, CALL_WHIST, CALL_HALF = range(3)
"""Actions of the whist phase."""
CALL_FIRST_HAND, CALL_SECOND_HAND = range(1, 3)
"""Actions of the dealer's whist besides CALL_PASS: whist with the first or second defender's
hand."""
CLOSED, OPENED = range(2)
"""Actions of a lone whister: play closed (втёмную) or open (в светлую)."""
TRUST, CATCHES = range(2)
"""Actions of a defender at misère: the other plays both hands («доверяю»), or not («ловлю»)."""
STAYS, COMES, ALONE, INVITES = range(4)
"""Actions of a follower in the refet game: does not come (ne dođem), comes (dođem); who comes alone
plays alone, or invites the other to play for him (zovem)."""
NO_CONTRA, SAYS_CONTRA = range(2)
"""Actions where contra, recontra, subcontra or mordcontra may be said: not («može»), or said."""
TO_POOL, OFF_MOUNTAIN = range(2)
"""Actions of a declarer who may write off his mountain instead."""

VIEW_DTYPE = np.dtype(
    [
        # the decision
        ("phase", np.int64),
        ("legal", np.int64),  # mask of the legal actions of this phase
        ("player", np.int64),  # who decides
        ("mover", np.int64),  # the hand whose call or card it is, or DEALER_HAND
        ("hand", np.int64),  # its cards; 0 for the dealer, and before a look
        ("discard", np.int64),  # what the player has laid away or passed on
        ("received", np.int64),  # what was passed along to him at raspas; to the eldest, the talon
        ("random", np.int64),  # 63 random bits of this player for this decision
        # seats
        ("n_players", np.int64),
        ("dealer", np.int64),
        ("player_of", np.int64, N_HANDS),  # player by hand, -1 for the dummy
        ("hand_of", np.int64, MAX_PLAYERS),  # hand by player
        ("dummy", np.int64),  # the dummy's hand with two players, else -1
        ("decides_for", np.int64, N_HANDS),  # the player who decides for a hand, -1 for nobody
        ("in_play", np.int64),  # mask of the hands that play cards
        ("deal", np.int64),  # number of the deal in its pulka
        # auction
        ("min_level", np.int64),  # lowest level that may be bid
        ("active", np.int64),  # mask of hands that have not passed
        ("bid", np.int64),  # standing bid, a contract code; of the refet game a call, 2..12
        ("bidder", np.int64),  # the hand that made it
        ("held", np.int64),  # refet game: 1 if the standing number was taken over by a hold
        ("last_bid", np.int64, N_HANDS),  # last bid of each hand
        ("calls", np.int64, MAX_CALLS),  # public calls: phase << 8 | hand << 6 | action
        ("n_calls", np.int64),
        ("dark", np.int64),  # 1 if the eldest passed without looking
        # contract
        ("kind", np.int64),  # raspas, tricks, misere
        ("declarer", np.int64),  # a hand
        ("row_named", np.int64),  # the row of razboinik named before the discard, else -1
        # final contract code, of the refet game its base 2..8; the winning bid before it is named
        ("contract", np.int64),
        ("level", np.int64),
        ("strain", np.int64),  # NO_TRUMP where there is no trump
        ("without_talon", np.int64),  # 1 if the talon is left (без прикупа)
        ("concession", np.int64),
        ("off_mountain", np.int64),  # 1 if the declarer writes off his mountain instead
        ("talon", np.int64),  # mask of talon cards turned up for all
        ("talon_card", np.int64, 2),  # the same in order
        # whist; two players: open_play 0 after a whist is blind, the dummy closed (втёмную)
        ("whist_stage", np.int64),
        ("whist_call", np.int64, N_HANDS),  # a defender's part so far (scoring.result)
        ("last_whister", np.int64),  # the hand that whisted last
        ("open_play", np.int64),  # 1 if a lone whister chose open
        ("contra", np.int64),  # times the game is doubled
        ("contra_by", np.int64),  # the hand that said contra, -1 if none
        ("catcher", np.int64),  # the hand that plays both at misère once they lie open, else -1
        # play
        ("trick", np.int64),  # tricks finished
        ("leader", np.int64),  # hand that plays first to this trick
        ("led", np.int64),  # suit to follow, -1 before the lead
        ("winner", np.int64),  # hand winning the trick so far, or DEALER_HAND
        ("best_key", np.int64),
        ("in_trick", np.int64),  # cards on the table
        ("trick_card", np.int64, N_HANDS + 1),  # by hand; last what the dealer led from the talon
        ("played", np.int64),  # mask of all cards played
        ("played_by", np.int64, N_HANDS),
        ("shown", np.int64, N_HANDS),  # cards held by a hand that lies open, else 0
        ("voids", np.int64, N_HANDS),  # mask of suits a hand has shown to lack
        ("plays", np.int64, MAX_PLAYS),  # hand << 5 | card, in order
        ("n_plays", np.int64),
        ("tricks", np.int64, MAX_PLAYERS),  # by player
        # the score sheet before this deal, in twelfths
        *SHEET_FIELDS,
        ("rules", np.int64),  # address of the rules; bots read view.rules.raspas_price and so on
    ],
    align=True,
)
"""What a player may know: the public table and his own slots, ``hand``, ``discard``, ``received``,
``random``."""

HIDDEN_DTYPE = np.dtype(
    [
        ("hands", np.int64, N_HANDS),
        ("talon", np.int64),
        ("talon_order", np.int64, 2),
        ("discard", np.int64, N_HANDS),
        ("received", np.int64, N_HANDS),
        ("claims", np.int64),  # 1 to end deals whose remaining tricks are certain
        ("key", np.uint64, MAX_PLAYERS),
        ("drawn", np.int64, MAX_PLAYERS),  # random words given so far
        ("pulka", np.int64),
        ("next_pulka", np.int64),
        ("number", np.int64),
        ("waiting", np.int64),  # 1 while an outside bot is asked
        ("n_decisions", np.int64),
        ("balance", np.int64, MAX_PLAYERS),  # settlement so far, twelfths
        ("before", np.int64, MAX_PLAYERS),
        *ENTRY_FIELDS,
    ],
    align=True,
)
"""What no bot sees."""

DEAL_ROW_DTYPE = np.dtype(
    [
        ("pulka", np.int64),
        ("deal", np.int64),
        ("number", np.int64),
        *RESULT_FIELDS,
        ("bid", np.int64),
        ("n_bids", np.int64),
        ("n_decisions", np.int64),
        ("refets_written", np.int64),
        ("value", np.int64, MAX_PLAYERS),
    ],
    align=True,
)
"""One finished deal: the result, the winning bid (-1 at raspas), bids and games (without holds),
decisions asked of bots, 1 if it left every player a refet, and the deal value of each player in
twelfths of a whist."""

START_DTYPE = np.dtype([("dealer", np.int64), *SHEET_FIELDS], align=True)
"""A sheet in mid-game to start pulkas from, and who deals next."""

PULKA_ROW_DTYPE = np.dtype(
    [
        ("pulka", np.int64),
        ("n_deals", np.int64),
        ("unfinished", np.int64),
        ("pool", np.int64, MAX_PLAYERS),
        ("mountain", np.int64, MAX_PLAYERS),
        ("whists", np.int64, MAX_PLAYERS * MAX_PLAYERS),
        ("row", np.int64, TWO_PLAYERS * N_ROWS),  # razboinik's table, -1 for an open row
        ("refets", np.int64, MAX_PLAYERS),  # of the refet game, left unused
        ("refets_given", np.int64),  # how often they were written
        ("result", np.int64, MAX_PLAYERS),
    ],
    align=True,
)
"""One finished pulka: the last sheet and the settlement, in twelfths; ``unfinished`` is 1 where the
limit of deals stopped it."""
