"""The conventions of the refet game (Lesnoy's Central-European preferans and its relatives).

Sources: Lesnoy, Russian Preferans; Preferansklub rules; the rules of iKlub, Prefko and iPref.
"""

from __future__ import annotations

from .convention import INTEGER, Convention, amount, choice, flag

HOLDERS = ("earliest", "next")
HOLD_EARLIEST, HOLD_NEXT = range(2)
SHORT_FOLLOWER = ("own_or_pair", "own")
SHORT_OWN_OR_PAIR, SHORT_OWN = range(2)
CONTRA_BY = ("who_came", "either")
CONTRA_WHO_CAME, CONTRA_EITHER = range(2)
CONTRA_SOUP = ("all", "each_own")
SOUP_ALL, SOUP_EACH_OWN = range(2)
SPADES_LEFT = ("refet_or_made", "refet_or_four", "refet_or_nothing", "made")
LEFT_REFET_OR_MADE, LEFT_REFET_OR_FOUR, LEFT_REFET_OR_NOTHING, LEFT_MADE = range(4)
NOBODY_COMES = ("left", "made")
NOBODY_LEFT, NOBODY_MADE = range(2)
LOST_BETL = ("contra_five", "each_five", "contra_ten")
BETL_CONTRA_FIVE, BETL_EACH_FIVE, BETL_CONTRA_TEN = range(3)
HAT = ("below_zero", "at_zero")
HAT_BELOW_ZERO, HAT_AT_ZERO = range(2)
LAST_MADE = ("cap", "stop")
LAST_CAP, LAST_STOP = range(2)
WRITE_OFF = ("exact", "whole")
WRITE_OFF_EXACT, WRITE_OFF_WHOLE = range(2)

REFET_CONVENTIONS: tuple[Convention, ...] = (
    choice(
        "bidding.hold",
        HOLDERS,
        "who may take over a standing number from 3 up without raising it: of those who bid and "
        "have not passed the first to speak, who may not raise it then; or the next player, and "
        "nobody may raise a number that was not offered so",
    ),
    flag("bidding.jumps", False, "a number may skip others (off: one step at a time)"),
    flag("bidding.preferans", False, "preferans, all ten tricks, may be bid and named"),
    flag("bidding.talon_shown", True, "the declarer shows the talon before he takes it"),
    choice(
        "follow.short",
        SHORT_FOLLOWER,
        "of two followers (pratilac), each for himself, one with fewer than two tricks is short "
        "unless they have four together; or always, even if the declarer fails",
    ),
    flag("follow.invite", True, "a lone follower may invite the other to play for him (poziv)"),
    Convention(
        "contra.levels",
        INTEGER,
        4,
        "how often a game may be doubled: contra, recontra, subcontra, mordcontra",
        high=4,
    ),
    choice(
        "contra.by",
        CONTRA_BY,
        "contra may be said by followers who came, or by the other too where one came",
    ),
    choice(
        "contra.soup",
        CONTRA_SOUP,
        "under contra the soup of both hands is written by who said contra, or each writes his own",
    ),
    flag("spades.needs_contra", True, "plain spades are played under contra only"),
    choice(
        "spades.left",
        SPADES_LEFT,
        "plain spades without contra: each player gets a refet if refets may be written, else the "
        "declarer is credited as if he made them, or with four whatever refets he has, or nothing "
        "is written; or always as if made",
    ),
    choice(
        "spades.nobody_comes",
        NOBODY_COMES,
        "plain spades when nobody comes: as without contra, or the declarer is credited",
    ),
    choice(
        "betl.lost_contra",
        LOST_BETL,
        "soup for a betl lost under contra: who said contra writes five tricks, or each opponent "
        "does, or who said contra writes ten",
    ),
    flag("betl.open", False, "the declarer of betl lays his hand open before the first lead"),
    flag(
        "tricks.through",
        True,
        "at sans and preferans the hand before the declarer leads (под разыгрывающего), not the "
        "first hand",
    ),
    flag("tricks.stop", True, "play stops as soon as the declarer cannot make his contract"),
    flag("tricks.must_head", False, "who follows suit must beat the trick so far if he can"),
    flag("tricks.must_overtrump", False, "who trumps must beat the trick so far if he can"),
    Convention(
        "tricks.soup_most",
        INTEGER,
        5,
        "tricks of the followers together that are written as soup, of the larger share first",
        "tricks",
        high=10,
    ),
    amount("refets.few", 1, "most refets (рефет) in a pulka from below refets.many_from", ""),
    amount("refets.many", 3, "most refets in a pulka from refets.many_from or more", ""),
    amount("refets.many_from", 50, "the start from which refets.many counts", "column points"),
    choice(
        "refets.hat",
        HAT,
        "no refets are written while a player is under the hat (под шляпой): his column is below "
        "zero, or at zero too",
    ),
    flag("refets.frozen", False, "refets are not used while a player is under the hat"),
    flag("refets.for_dealer", True, "four players: the dealer who sits out gets a refet too"),
    choice(
        "last.made",
        LAST_MADE,
        "a hand that would bring the columns' sum below zero is written with what is left of the "
        "sum in place of its value, or in full",
    ),
    flag(
        "last.double_fall",
        False,
        "a declarer who fails with a value above what is left of the sum writes it twice",
    ),
    choice(
        "last.write_off",
        WRITE_OFF,
        "a pulka stopped early: each column is lowered by the mean, or by whole points, the "
        "largest columns by one more",
    ),
)
"""Tables ``bidding``, ``follow``, ``contra``, ``spades``, ``betl``, ``tricks``, ``refets``, and
``last`` for the last hand."""
