"""The scripts of the golden deals of the refet game, for three and for four players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from record_scripts import Script


def _refet(note: str, auction: str, calls: Mapping[str, str] | None = None, **more: Any) -> Script:
    """A script of Lesnoy's variant, unless another is named."""
    return Script(note, auction, calls or {}, **{"variant": "refet", **more})


def _clubs(note: str, calls: Mapping[str, str], **more: Any) -> Script:
    """A script in which the eldest plays clubs, and is strong in them."""
    return _refet(
        note, "2,pass,pass", {"contract": "clubs", **calls}, **{"strong": (0, "C"), **more}
    )


def _spades(note: str, calls: Mapping[str, str], **more: Any) -> Script:
    """A script in which the eldest plays plain spades."""
    return _refet(note, "2,pass,pass", {"contract": "spades", **calls}, **more)


_BOTH = {"come": "comes,comes", "contra": "none,none"}
_FIRST = {"come": "comes,stays,alone", "contra": "none"}

CALLS = (
    _refet(
        "clubs after two holds, each for himself",
        "2,3,4,hold,pass,5,hold,pass",
        {"contract": "clubs", **_BOTH},
        strong=(0, "C"),
        want="made",
    ),
    _refet(
        "diamonds at the number bid, the dealer declares",
        "pass,2,3,pass",
        {"contract": "diamonds", **_BOTH},
        strong=(2, "D"),
    ),
    _refet(
        "a game from the hand, its suit named at last",
        "game,pass,pass",
        {"contract": "hearts", **_BOTH},
        strong=(0, "H"),
        want="made",
    ),
    _refet(
        "three games, the second in a higher suit",
        "game,game,game",
        {"suit": "diamonds,clubs,pass", **_BOTH},
        strong=(1, "C"),
        want="made",
    ),
    _refet(
        "two games after a number, the first is better",
        "2,game,game,pass",
        {"suit": "diamonds,pass", "come": "stays,comes,alone", "contra": "none"},
        strong=(1, "D"),
    ),
    _refet(
        "a game in spades from the hand needs no contra",
        "pass,game,pass",
        {"contract": "spades", **_BOTH},
        strong=(1, "S"),
        want="made",
    ),
    _refet(
        "game sans above a game, led through the declarer",
        "game,game sans,pass,pass",
        _BOTH,
        strong=(1, "NT"),
        want="made",
    ),
    _refet(
        "sans bid to seven, the talon not shown",
        "2,3,pass,hold,4,hold,5,hold,6,hold,7,hold,pass",
        _FIRST,
        settings={"bidding.talon_shown": False},
        strong=(0, "NT"),
    ),
    _refet(
        "numbers may jump, sans at no number",
        "5,7,pass,pass",
        {"contract": "sans", **_BOTH},
        settings={"bidding.jumps": True, "tricks.through": False},
        strong=(1, "NT"),
    ),
    _refet(
        "the next holds before another raises",
        "2,3,hold,4,pass,hold,pass",
        {"contract": "hearts", "come": "comes,comes", "contra": "none,none"},
        variant="ipref",
        strong=(2, "H"),
        want="made",
    ),
    _refet("passed by all, a refet for everybody", "pass,pass,pass"),
    _refet(
        "passed by all, the refets of this pulka are written",
        "pass,pass,pass",
        sheet={"refets": (1, 0, 1, 0), "refets_given": 1},
    ),
    _refet(
        "passed by all, a player is under the hat",
        "pass,pass,pass",
        variant="serbian",
        sheet={"columns": (-4, 30, 40, 20)},
    ),
    _refet(
        "passed by all, a player at zero is under the hat",
        "pass,pass,pass",
        variant="prefko",
        sheet={"columns": (0, 30, 40, 20)},
    ),
    _refet(
        "passed by all, the dealer who sits out has no refet",
        "pass,pass,pass",
        settings={"refets.for_dealer": False},
    ),
    _refet("the deal breaks off in the auction", "2,3", stop=2),
)

FOLLOW = (
    _clubs("both come, one is short", _BOTH, want="short"),
    _clubs("both come, less than two but four together", _BOTH, want="saved"),
    _clubs(
        "both come, less than two is short with four together",
        _BOTH,
        settings={"follow.short": "own"},
        want="uneven",
    ),
    _refet(
        "a follower is short though the declarer fails",
        "2,pass,pass",
        {"contract": "clubs", **_BOTH},
        variant="ipref",
        want="failed, short",
    ),
    _refet(
        "both come, the declarer fails and play stops",
        "pass,2,pass",
        {"contract": "diamonds", **_BOTH},
        want="failed",
    ),
    _refet(
        "the declarer fails and play goes on, soup for five tricks",
        "2,pass,pass",
        {"contract": "hearts", **_BOTH},
        settings={"tricks.stop": False},
        want="failed by two",
    ),
    _clubs("the first comes and plays alone", _FIRST, want="made"),
    _clubs(
        "the second comes and plays alone, short",
        {"come": "stays,comes,alone", "contra": "none"},
        want="short",
    ),
    _clubs("the first invites, four together", {"come": "comes,stays,invites"}, want="clean"),
    _clubs(
        "the second invites, less than four together",
        {"come": "stays,comes,invites"},
        want="short",
    ),
    _refet(
        "who invited writes for both",
        "2,pass,pass",
        {"contract": "hearts", "come": "comes,stays,invites"},
        want="failed",
    ),
    _clubs("nobody comes", {"come": "stays,stays"}),
    _clubs(
        "nobody is invited in this variant",
        {"come": "comes,stays", "contra": "none"},
        settings={"follow.invite": False},
        want="made",
    ),
    _clubs(
        "beating is compulsory",
        _BOTH,
        settings={"tricks.must_head": True, "tricks.must_overtrump": True},
        want="made",
    ),
    _clubs("the last tricks are certain", _FIRST, more={"claims": True}, want="claimed"),
)

CONTRA = (
    _clubs(
        "contra, who stayed away is drawn in, the contra fails",
        {"come": "comes,stays,alone", "contra": "contra,none"},
        want="short",
    ),
    _refet(
        "recontra, the declarer fails",
        "2,pass,pass",
        {"contract": "diamonds", "come": "comes,comes", "contra": "none,contra,recontra,none"},
        want="failed",
    ),
    _clubs(
        "subcontra",
        {"come": "comes,comes", "contra": "contra,recontra,subcontra,none"},
        want="made",
    ),
    _clubs(
        "mordcontra, the most there is",
        {"come": "stays,comes,alone", "contra": "contra,recontra,subcontra,mordcontra"},
        want="made",
    ),
    _refet(
        "recontra is the most in this variant",
        "2,pass,pass",
        {"contract": "hearts", "come": "comes,comes", "contra": "contra,recontra"},
        variant="iklub",
        want="failed",
    ),
    _refet(
        "contra of who stayed away",
        "2,pass,pass",
        {"contract": "hearts", "come": "comes,stays,alone", "contra": "none,contra,none"},
        variant="prefko",
        want="failed",
    ),
    _refet(
        "under contra each writes his own soup",
        "2,pass,pass",
        {"contract": "hearts", "come": "comes,comes", "contra": "contra,none"},
        settings={"contra.soup": "each_own"},
        want="failed",
    ),
    _clubs(
        "nobody says contra in this variant", {"come": "comes,comes"}, settings={"contra.levels": 0}
    ),
    _spades(
        "spades under contra",
        {"come": "comes,comes", "contra": "contra,none"},
        strong=(0, "S"),
        want="made",
    ),
    _spades("spades without contra, a refet for everybody", _BOTH),
    _spades(
        "spades without contra, one follower, the refets are written",
        {"come": "stays,comes", "contra": "none"},
        sheet={"refets": (1, 1, 0, 0), "refets_given": 1},
    ),
    _spades(
        "spades without contra, four are written",
        _BOTH,
        variant="iklub",
        sheet={"columns": (-10, 20, 40, 20), "refets": (1, 0, 1, 1)},
    ),
    _spades(
        "spades without contra, nothing is written",
        {"come": "stays,stays"},
        variant="slovenian",
        sheet={"refets": (1, 1, 1, 1)},
    ),
    _spades("spades without contra always count as made", _BOTH, settings={"spades.left": "made"}),
    _spades("nobody comes at spades, which are left", {"come": "stays,stays"}),
    _spades("nobody comes at spades, which are made", {"come": "stays,stays"}, variant="serbian"),
    _spades(
        "spades are played without contra",
        _FIRST,
        settings={"spades.needs_contra": False},
        strong=(0, "S"),
        want="made",
    ),
)

_BETL = {"contract": "betl", "contra": "none,none"}

BETL = (
    _refet("betl of the eldest, made", "2,pass,pass", _BETL, strong=(0, "M"), want="made"),
    _refet("game betl, failed", "game betl,pass,pass", {"contra": "none,none"}, want="failed"),
    _refet(
        "betl under contra, made, the declarer's hand open",
        "pass,pass,2",
        {"contract": "betl", "contra": "none,contra,none"},
        settings={"betl.open": True},
        strong=(2, "M"),
        want="made",
    ),
    _refet(
        "betl under contra, failed",
        "pass,2,pass",
        {"contract": "betl", "contra": "contra,none"},
        want="failed",
    ),
    _refet(
        "betl under contra, failed, each opponent writes",
        "2,pass,pass",
        {"contract": "betl", "contra": "contra,none"},
        settings={"betl.lost_contra": "each_five"},
        want="failed",
    ),
    _refet(
        "betl under recontra, failed, ten tricks of soup",
        "2,pass,pass",
        {"contract": "betl", "contra": "contra,recontra,none"},
        settings={"betl.lost_contra": "contra_ten"},
        want="failed",
    ),
    _refet(
        "preferans after the talon",
        "2,pass,pass",
        {"contract": "preferans", "contra": "none,none"},
        variant="prefko",
        strong=(0, "NT"),
    ),
    _refet(
        "game preferans, contra",
        "game sans,game preferans,pass,pass",
        {"contra": "none,contra,none"},
        variant="prefko",
    ),
)

LAST = (
    _clubs(
        "a refet doubles the hand and is crossed off",
        _BOTH,
        sheet={"columns": (24, 20, 30, 26), "refets": (1, 1, 1, 1)},
        want="made",
    ),
    _clubs(
        "one of two refets is used, though nobody comes",
        {"come": "stays,stays"},
        variant="serbian",
        sheet={"columns": (50, 60, 70, 80), "refets": (2, 2, 2, 2), "refets_given": 2},
    ),
    _clubs(
        "a refet is frozen while a player is under the hat",
        _FIRST,
        settings={"refets.frozen": True},
        sheet={"columns": (-6, 20, 30, 26), "refets": (1, 1, 1, 1)},
        want="made",
    ),
    _clubs(
        "the last hand is cut to what is left of the columns",
        _FIRST,
        sheet={
            "columns": (-6, 20, -8, 0),
            "soup": ((0, 12, 6, 0), (20, 0, 0, 4), (0, 60, 0, 0), (0, 0, 8, 0)),
            "refets": (1, 0, 1, 0),
            "n_deals": 17,
        },
        want="clean",
    ),
    _clubs(
        "the last hand in full, the columns end below nothing",
        _FIRST,
        variant="ipref",
        sheet={"columns": (-6, 20, -8, 0), "n_deals": 30},
        want="clean",
    ),
    _clubs(
        "a follower is short, so that the last hand is not the last",
        _BOTH,
        sheet={"columns": (-6, 20, -8, 0), "n_deals": 12},
        want="short",
    ),
    _refet(
        "who fails with more than is left writes it twice",
        "2,pass,pass",
        {"contract": "hearts", **_BOTH},
        variant="iklub",
        sheet={"columns": (-6, 20, -8, 0), "n_deals": 22},
        want="failed",
    ),
)

REFET_FILES: Mapping[str, Sequence[Script]] = {
    "refet_calls_3": CALLS,
    "refet_calls_4": CALLS,
    "refet_follow_3": FOLLOW,
    "refet_contra_3": CONTRA,
    "refet_betl_3": BETL,
    "refet_last_3": LAST,
    "refet_last_4": LAST,
}
