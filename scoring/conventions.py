"""Every convention (соглашение) a variant can set: name, values, unit, default, meaning.

A convention is one field of the packed ``Rules`` record that kernels read; its field name is the
key with the dot replaced (``raspas.price`` -> ``rules.raspas_price``). A choice is packed as the
index into its list of values, and the names of these indices stand beside the list.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from .contract import RUNGS
from .convention import (
    BY_LEVEL,
    INTEGER,
    LEVEL_SET,
    ORDER,
    SERIES,
    WORD_SET,
    Convention,
    amount,
    choice,
    flag,
    levels,
)
from .conventions_refet import REFET_CONVENTIONS

HOLD = ("off", "may_raise", "ends_auction")
HOLD_OFF, HOLD_MAY_RAISE, HOLD_ENDS_AUCTION = range(3)
MISERE_DEFENCE = ("each_own", "catch_or_trust")
DEFENCE_EACH_OWN, DEFENCE_CATCH_OR_TRUST = range(2)
MISERE_CALL = ("first_word", "any_turn")
MISERE_FIRST_WORD, MISERE_ANY_TURN = range(2)
WITHOUT_TALON = ("misere", "nine", "ten")
_ASCENDING = ("six", "seven", "eight", "nine", "ten")
_BEFORE = (
    *zip(_ASCENDING, _ASCENDING[1:], strict=False),
    *((word, f"{word}_without") for word in WITHOUT_TALON),
)
BOMBS = ("none", "next_contract", "until_made")
BOMBS_NONE, BOMBS_NEXT_CONTRACT, BOMBS_UNTIL_MADE = range(3)
STYLE = ("greedy", "gentleman")
GREEDY, GENTLEMAN = range(2)
REMISE = ("capped", "personal_if_pair_short", "personal_always")
REMISE_CAPPED, REMISE_PERSONAL_IF_SHORT, REMISE_PERSONAL_ALWAYS = range(3)
DUTY_ONE = ("last", "both_full", "split", "last_personal")
DUTY_LAST, DUTY_BOTH_FULL, DUTY_SPLIT, DUTY_LAST_PERSONAL = range(4)
TEN = ("whisted", "checked")
TEN_WHISTED, TEN_CHECKED = range(2)
PASSER_TRICKS = ("whister", "lost")
TRICKS_TO_WHISTER, TRICKS_LOST = range(2)
CONSOLATION_PASSER = ("own", "none", "to_whister")
PASSER_OWN, PASSER_NONE, PASSER_TO_WHISTER = range(3)
BONUS_THREE = ("dealer", "half_each")
BONUS_DEALER, BONUS_HALF_EACH = range(2)
RASPAS_COLUMN = ("mountain", "whists")
TO_MOUNTAIN, TO_WHISTS = range(2)
RASPAS_WHISTS = ("full", "difference")
WHISTS_FULL, WHISTS_DIFFERENCE = range(2)
RASPAS_TIE = ("halve", "each_full")
TIE_HALVE, TIE_EACH_FULL = range(2)
EXIT_ON = ("any_bid", "made")
EXIT_ANY_BID, EXIT_MADE = range(2)
ZERO_COLUMN = ("none", "pool", "mountain")
ZERO_NONE, ZERO_POOL, ZERO_MOUNTAIN = range(3)
ZERO_CLOSED = ("help", "mountain")
ZERO_CLOSED_HELP, ZERO_CLOSED_MOUNTAIN = range(2)
TALON = ("closed", "suit_only", "pass_along")
TALON_CLOSED, TALON_SUIT_ONLY, TALON_PASS_ALONG = range(3)
TALON_FOUR = ("closed", "dealer_plays", "pass_along")
FOUR_CLOSED, FOUR_DEALER_PLAYS, FOUR_PASS_ALONG = range(3)
TALON_TWO = ("closed", "suit_only", "may_win")
TWO_CLOSED, TWO_SUIT_ONLY, TWO_MAY_WIN = range(3)
AGREED = ("off", "first_deal", "any_deal")
AGREED_OFF, AGREED_FIRST_DEAL, AGREED_ANY_DEAL = range(3)
FIR_TREES = ("none", "each", "lowest")
TREES_NONE, TREES_EACH, TREES_LOWEST = range(3)
DUMMY_SEAT = ("middle", "first", "last")
SEAT_MIDDLE, SEAT_FIRST, SEAT_LAST = range(3)
DEFENCE_TWO = ("open", "blind", "pass")
DEFEND_OPEN, DEFEND_BLIND, DEFEND_PASS = range(3)
DUMMY_OPENED = ("by_whist", "before_whist")
OPENED_BY_WHIST, OPENED_BEFORE_WHIST = range(2)
DUMMY_BLIND = ("dead", "lowest")
BLIND_DEAD, BLIND_LOWEST = range(2)
DUMMY_RASPAS = ("dead", "lowest", "no_raspas")
DUMMY_DEAD, DUMMY_LOWEST, DUMMY_NO_RASPAS = range(3)
SURPLUS = ("full", "half")
SURPLUS_FULL, SURPLUS_HALF = range(2)
ROW_DECLARER = ("eldest", "dealer")
DECLARER_ELDEST, DECLARER_DEALER = range(2)
ROW_TALON = ("misere_before", "row_before", "row_after", "none")
ROW_MISERE_BEFORE, ROW_BEFORE, ROW_AFTER, ROW_NO_TALON = range(4)
ROW_DUMMY = ("open", "dead")
ROW_OPEN, ROW_DEAD = range(2)
THIRD_LEAD = ("first_hand", "winner")
THIRD_FIRST_HAND, THIRD_WINNER = range(2)
NOBODY_FOLLOWS = ("first_hand", "highest_of_first")
NOBODY_FIRST_HAND, NOBODY_HIGHEST_OF_FIRST = range(2)
AFTER_RASPAS = ("passes", "stays")
AFTER_PASSES, AFTER_STAYS = range(2)
END_WHEN = ("each", "sum", "sum_and_exit", "time", "time_and_close")
END_EACH, END_SUM, END_SUM_AND_EXIT, END_TIME, END_TIME_AND_CLOSE = range(5)
LEFTOVER = ("mountain", "mountain_to_zero", "lost")
LEFTOVER_MOUNTAIN, LEFTOVER_TO_ZERO, LEFTOVER_LOST = range(3)
OVERSHOOT = ("full", "truncate")
OVERSHOOT_FULL, OVERSHOOT_TRUNCATE = range(2)
DIVISOR = ("all_players", "opponents")
DIVISOR_ALL, DIVISOR_OPPONENTS = range(2)
CARRY = ("target", "mean", "zero")
ROUNDING = ("exact", "code")
ROUND_EXACT, ROUND_CODE = range(2)
FIRST_ERROR_FREE = ("player", "table", "no")

_FULL = (2, 4, 6, 8, 10)
_MOUNTAIN = "mountain points"


_POOL: tuple[Convention, ...] = (
    levels("values.made", _FULL, "for a made contract", "pool points"),
    levels("values.undertrick", _FULL, "for each trick the declarer is short (подсад)", _MOUNTAIN),
    levels("values.whist", _FULL, "for each trick of the defence", "whists"),
    levels(
        "values.remise", _FULL, "for each trick the whister is short (ремиз на висте)", _MOUNTAIN
    ),
    levels(
        "values.consolation",
        _FULL,
        "to each entitled player for each of the declarer's undertricks (консоляция)",
        "whists",
    ),
    Convention(
        "values.duty",
        BY_LEVEL,
        (4, 2, 1, 1, 1),
        "tricks a whisting defence owes (обязательные взятки)",
        "tricks",
        high=4,
    ),
    flag(
        "values.off_mountain_too",
        False,
        "a made contract or misère is written off the mountain as well as into the pool",
    ),
    flag(
        "values.mountain_first",
        False,
        "a made contract or misère lowers the mountain to zero before it fills the pool",
    ),
    amount(
        "values.off_mountain_instead",
        0,
        "off the mountain for each pool point, if the declarer of an unwhisted contract or a made "
        "misère so wishes; 0 = not allowed",
        _MOUNTAIN,
    ),
    amount("misere.made", 10, "for a made misère", "pool points"),
    amount("misere.undertrick", 10, "for each trick taken at misère", _MOUNTAIN),
    amount("misere.whists", 0, "to each defender for each trick taken at misère", "whists"),
    flag(
        "misere.half_with_dealer",
        False,
        "four players: the dealer shares what is written for a misère half and half",
    ),
    choice(
        "misere.defence",
        MISERE_DEFENCE,
        "the defenders, hands open, each play their own, or first say who catches: «ловлю» or "
        "«доверяю» (trust: the other plays both hands)",
    ),
    flag(
        "misere.first_trick_dark",
        False,
        "three or four players: the defenders lie open only after the first trick",
    ),
    choice(
        "auction.hold",
        HOLD,
        "with two bidders left the senior may hold the junior's bid («здесь»)",
        "may_raise",
    ),
    flag("auction.jumps", True, "a bid may skip rungs of the ladder (off: lowest rung only)"),
    choice(
        "auction.misere",
        MISERE_CALL,
        "misère only as a player's first and last bid (кабальный), or at any turn",
    ),
    Convention(
        "auction.without_talon",
        WORD_SET,
        (),
        "contracts that may be bid without the talon (без прикупа)",
        values=WITHOUT_TALON,
    ),
    Convention(
        "auction.ladder",
        ORDER,
        tuple(RUNGS),
        "bids from the lowest to the highest; those without the talon count where they are allowed",
        "six to ten ascending, each without the talon above the same with it",
        values=tuple(RUNGS),
        before=_BEFORE,
    ),
    flag(
        "auction.misere_then_without_talon",
        True,
        "a bidder of misère may go on to misère without the talon",
    ),
    flag("auction.dark_pass", False, "the eldest may pass without looking (тёмный пас)"),
    choice(
        "auction.bombs",
        BOMBS,
        "a dark pass that ends in raspas leaves a bomb that doubles all that is written for its "
        "owner's next contract, or for his contracts until he makes one (бомба)",
    ),
    Convention(
        "contract.concession",
        INTEGER,
        0,
        "undertricks a declarer may write instead of playing («уход без трёх»), 0 = not allowed",
        "tricks",
        high=3,
    ),
    flag(
        "contract.underbid_fails",
        False,
        "a trick more than ordered is written like a trick short (недозаказ)",
    ),
    choice(
        "whist.style",
        STYLE,
        "one whister, contract failed: whists to the whister, or shared with the passer",
    ),
    flag("whist.gentleman_made", False, "gentleman's whist shares whists at made contracts too"),
    choice(
        "whist.passer_tricks",
        PASSER_TRICKS,
        "one whister, contract failed: tricks of the passer's hand are the whister's, or lost",
    ),
    flag(
        "whist.returner_takes_all",
        False,
        "who returns a half-whist to a whist does not share with the half-whister",
    ),
    choice("whist.remise", REMISE, "two whisters short: the pair's shortfall, or each his own"),
    choice(
        "whist.duty_one",
        DUTY_ONE,
        "two whisters without a trick at 8, 9, 10: who writes the remise (last_personal: the last "
        "whister, whenever he has no trick of his own)",
    ),
    Convention(
        "whist.half_levels",
        LEVEL_SET,
        (6, 7),
        "levels at which half-whist may be said (полвиста)",
    ),
    flag("whist.long", False, "whist, pass, half-whist is allowed («вист, пас, полвиста»)"),
    flag("whist.both_may_pass", True, "at levels with half-whist both defenders may pass"),
    flag("whist.return_on_high", False, "at 8, 9, 10 two passes may be followed by a whist"),
    flag("whist.stalingrad", False, "at six spades both defenders must whist (Сталинград)"),
    flag("whist.first_card_dark", False, "the choice of open or closed follows the first card"),
    choice("whist.ten", TEN, "ten is whisted, or checked with open hands and without duty"),
    flag(
        "whist.dealer_may",
        False,
        "four players: the dealer may whist with one of two passed hands",
    ),
    flag("whist.dealer_responsible", True, "a whisting dealer writes remise like any whister"),
    flag(
        "whist.responsible_after_close",
        False,
        "once the pools reach the agreed sum, remise costs the whole price of an undertrick",
    ),
    choice(
        "whist.consolation_passer",
        CONSOLATION_PASSER,
        "the passer's consolation: he writes it, nobody does, or the whister does",
    ),
    flag(
        "whist.consolation_dealer",
        True,
        "the sitting-out dealer writes consolation (four players)",
    ),
    flag("talon.bonus", False, "whists for quick tricks in the talon (платный прикуп)"),
    choice(
        "talon.bonus_three",
        BONUS_THREE,
        "two or three players: the dealer writes the talon bonus, or the defenders share it",
    ),
    flag("talon.bonus_at_misere", False, "the talon bonus is written at misère too"),
    choice("raspas.column", RASPAS_COLUMN, "where raspas tricks are written"),
    amount("raspas.price", 1, "for a trick at raspas", "points or whists"),
    Convention(
        "raspas.progression",
        SERIES,
        (1,),
        "multiplier of the price by raspas in a row, the last repeats",
        low=1,
    ),
    Convention(
        "raspas.exit_levels",
        SERIES,
        (6,),
        "lowest level that ends a row of raspas, by its length",
        low=6,
        high=10,
    ),
    flag("raspas.exit_is_min_bid", True, "a level that does not end the row may not be bid"),
    choice("raspas.exit_on", EXIT_ON, "what ends a row of raspas (выход)"),
    flag("raspas.exit_unwhisted", True, "exit_on made: an unwhisted contract ends the row"),
    flag("raspas.exit_misere", True, "exit_on made: a made misère ends the row"),
    flag("raspas.exit_ten", True, "exit_on made: a made ten ends the row"),
    choice(
        "raspas.whists",
        RASPAS_WHISTS,
        "column whists: the lowest taker writes for all of another's tricks, or for the difference",
    ),
    choice(
        "raspas.tie",
        RASPAS_TIE,
        "column whists: tied lowest takers share the whists, or each writes them",
    ),
    choice(
        "raspas.zero_column",
        ZERO_COLUMN,
        "where the bonus for no trick is written (mountain: taken off)",
    ),
    amount("raspas.zero_prices", 0, "bonus for no trick, in prices of a trick of that raspas", ""),
    amount("raspas.zero_points", 0, "bonus for no trick, fixed part", "points"),
    choice(
        "raspas.zero_closed",
        ZERO_CLOSED,
        "pool points at raspas that do not fit into one's pool: help, or off one's mountain down "
        "to zero",
    ),
    flag(
        "raspas.amnesty",
        False,
        "column mountain: everyone's tricks are reduced by the smallest count (амнистия)",
    ),
    choice(
        "raspas.talon",
        TALON,
        "three players: the talon stays closed, names the suits of two tricks, or is taken and "
        "two cards passed along from hand to hand (с передачей)",
    ),
    choice(
        "raspas.talon_four",
        TALON_FOUR,
        "four players: the talon stays closed, or the dealer plays its cards, or two cards are "
        "passed along from hand to hand",
    ),
    choice(
        "raspas.talon_two",
        TALON_TWO,
        "two players: the talon stays closed, or is turned up and names the suits of two tricks; "
        "may_win: its card may also take the trick, for nobody",
    ),
    choice(
        "raspas.agreed",
        AGREED,
        "before the cards are seen, all may agree to play raspas without an auction",
    ),
    choice(
        "raspas.fir_trees",
        FIR_TREES,
        "raspas leave each player, or the lowest takers, a mark that doubles all that is written "
        "for his next contract (ёлочка)",
    ),
    choice("raspas.third_lead", THIRD_LEAD, "after two talon-led tricks: who leads the third"),
    choice(
        "raspas.nobody_follows",
        NOBODY_FOLLOWS,
        "talon-led trick without the talon's suit: who takes it",
    ),
    amount(
        "raspas.dealer_pool",
        0,
        "to the sitting-out dealer for each raspas whose talon he does not play",
        "pool points",
    ),
    flag("raspas.dealer_zero", False, "the dealer too writes the bonus for no trick"),
    Convention(
        "raspas.dark_factor",
        INTEGER,
        1,
        "multiplier of the price for each dark pass in a row",
        low=1,
        high=8,
    ),
    choice("dummy.seat", DUMMY_SEAT, "two players: the dummy's place among the hands (болван)"),
    Convention(
        "dummy.defence",
        WORD_SET,
        DEFENCE_TWO,
        "two players: what a defender may do: turn up the dummy and play both hands, whist on his "
        "own cards alone (втёмную), pass",
        values=DEFENCE_TWO,
        needs=("open", "blind"),
    ),
    choice(
        "dummy.opened",
        DUMMY_OPENED,
        "two players: the dummy is turned up by the whist, or before the defender's choice",
    ),
    choice(
        "dummy.blind",
        DUMMY_BLIND,
        "two players, whist on one's own cards: the dummy is out of play, or plays its lowest "
        "legal card for nobody",
    ),
    levels(
        "dummy.blind_duty",
        (4, 2, 1, 1, 1),
        "two players, whist on one's own cards: tricks the whister owes",
        "tricks",
    ),
    choice(
        "dummy.raspas",
        DUMMY_RASPAS,
        "two players, raspas: the dummy is out of play, or plays its lowest legal card for nobody, "
        "or the deal is thrown in",
    ),
    choice("deal.after_raspas", AFTER_RASPAS, "after raspas the deal passes on, or stays"),
    Convention(
        "deal.stays_most",
        INTEGER,
        3,
        "raspas in a row of one dealer after which the deal passes",
        low=1,
    ),
    amount("start.mountain", 0, "each player's mountain at the start", _MOUNTAIN),
    flag("help.pool", True, "pools are filled to the target, what is over helps another's pool"),
    flag(
        "help.mountain",
        False,
        "mountains are written off to zero, what is over helps the lowest open mountain",
    ),
    amount("help.whists", 10, "on the player helped, for each point of help", "whists"),
    amount("prize.misere_made", 0, "on every other player for a made misère", "whists"),
    amount("prize.raspas_zero", 0, "on every other player for no trick at raspas", "whists"),
    amount("prize.first_pool", 0, "on every other player, to the first with a full pool", "whists"),
    amount(
        "prize.first_mountain_three",
        0,
        "two or three players: on every other, to the first who brings his mountain to zero",
        "whists",
    ),
    amount("prize.first_mountain_four", 0, "the same with four players", "whists"),
    amount(
        "prize.min_mountain",
        0,
        "on every other player, for the lowest mountain at the end (shared by the lowest)",
        "whists",
    ),
    choice(
        "end.when",
        END_WHEN,
        "the pulka ends when each pool is full; when their sum is reached; the same outside a row "
        "of raspas; when time is up; the same and a pool is full",
    ),
    Convention(
        "end.minutes", INTEGER, 60, "how long is played where time ends the pulka", "minutes", low=1
    ),
    Convention(
        "end.deal_seconds", INTEGER, 100, "what a deal with card play lasts", "seconds", low=1
    ),
    Convention(
        "end.unplayed_seconds", INTEGER, 40, "what a deal without card play lasts", "seconds", low=1
    ),
    flag(
        "end.last_round",
        False,
        "when time is up, the round is finished and a whole last round is dealt",
    ),
    choice("end.overshoot", OVERSHOOT, "a last entry beyond the agreed sum: in full, or cut off"),
    choice(
        "end.leftover",
        LEFTOVER,
        "points left when all pools are full: off one's mountain, so down to zero, or lost",
    ),
    amount(
        "end.pool_weight", 1, "mountain points a missing pool point costs at settlement", _MOUNTAIN
    ),
    choice(
        "end.carry",
        CARRY,
        "pool points carried to the mountain are counted from the target, the players' mean, or "
        "zero (the same money)",
    ),
    amount("end.mountain_whists", 10, "a mountain point at settlement", "whists"),
    choice(
        "end.divisor", DIVISOR, "a mountain is divided by all players, or by its owner's opponents"
    ),
    choice(
        "end.surplus",
        SURPLUS,
        "two players: pool points beyond the pools, or missing at an early end, count in full on "
        "the mountain, or by half (with an indivisible mountain)",
    ),
    choice(
        "end.rounding", ROUNDING, "fractions at settlement stay exact, or are moved (Code 4.2.12)"
    ),
    choice(
        "records.first_error_free",
        FIRST_ERROR_FREE,
        "a first wrong record is corrected without penalty: of each player, of the table, never",
    ),
    amount("records.penalty_factor", 1, "penalty for a wrong record, times its size", ""),
)

_RAZBOINIK: tuple[Convention, ...] = (
    levels("razboinik.price", _FULL, "for each trick short in a row of the table", "points"),
    amount("razboinik.misere", 10, "for each trick taken at misère", "points"),
    choice("razboinik.declarer", ROW_DECLARER, "who declares: who does not deal, or the dealer"),
    choice(
        "razboinik.talon",
        ROW_TALON,
        "the talon is taken before the row is named, misère is named before; every row is named "
        "before; every row after; or the talon is left",
    ),
    choice(
        "razboinik.dummy", ROW_DUMMY, "the dummy is open and the defender's, or closed and dead"
    ),
)

CONVENTIONS = (*_POOL, *_RAZBOINIK, *REFET_CONVENTIONS)

POOL_FAMILY, RAZBOINIK, REFET = range(3)
FAMILIES = ("pool", "razboinik", "refet")
"""Families of variants: a sheet of pool, mountain and whists; a table of six rows to be played; a
sheet of contract columns (колонка контрактов), soup (юха) and refets (рефет)."""


@functools.cache
def conventions_of(family: str) -> tuple[Convention, ...]:
    """The conventions that have a meaning in a family."""
    own = {
        FAMILIES[POOL_FAMILY]: _POOL,
        FAMILIES[RAZBOINIK]: (BY_KEY["dummy.seat"], *_RAZBOINIK),
        FAMILIES[REFET]: REFET_CONVENTIONS,
    }
    return own[family]


BY_KEY: Mapping[str, Convention] = {c.key: c for c in CONVENTIONS}
