"""Mistakes in entries: each is refused with one sentence that names file, entry and reason."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from score_bridge import HEAD, protocol, refused_text, score, warm

# Contradictions in entries

RASPAS = "Anna 2, Boris 3, Vera 5"
TEN = "Anna 10/=, Boris pass, Vera pass"
WRONG = {"column": "pool", "amount": 2}
MISRECORD = {"misrecord": "Anna", **WRONG}
CORRECTION = {"correction": "Anna", **WRONG}
CONCESSION = {"conventions": {"contract.concession": 3}}
FOUR = {"players": 4}
FSPR4 = {"players": 4, "variant": "fspr"}
UNWHISTED = "Anna 8/=, Boris pass, Vera pass"


def wrong(words: str, *deals: Any, **head: Any) -> Any:
    """A mistake in the last of some entries, and the words that tell it."""
    told = deals[-1] if isinstance(deals[-1], str) else json.dumps(deals[-1], ensure_ascii=False)
    return pytest.param(words, deals, head, id=f"{told[:60]}{' ' if head else ''}{head or ''}")


TRICKS = [
    wrong("tricks must sum to 10, but 2 + 3 + 4 = 9", "Anna 2, Boris 3, Vera 4"),
    wrong("tricks must sum to 10, but 6 + 5 = 11", "Anna 6/=, Boris whist 5, Vera pass"),
    wrong("tricks must sum to 10, but 6 + 2 + 1", "Anna 6/=, Boris whist 2, Vera whist 1"),
    wrong("tricks must sum to 10, but 8 + 3 = 11", "Anna 8, Boris 3"),
    wrong("tricks of Boris and Vera are missing", "Anna 2"),
    wrong("tricks of Boris and Vera are missing", "Anna 6/-1, Boris whist, Vera whist"),
    wrong("Anna = 11 must be a number of tricks from 0 to 10", "Anna 11, Boris 0"),
    wrong("Anna = -1 must be a number of tricks from 0 to 10", {"Anna": -1, "Boris": 5}),
    wrong("must be a number of tricks from 0 to 10", {"raspas": {"Anna": 2.5, "Boris": 3}}),
    wrong("must be a number of tricks from 0 to 10", {"raspas": {"Anna": True, "Boris": 3}}),
    wrong("must be a number of tricks from 0 to 10", {"raspas": {"Anna": None, "Boris": 3}}),
    wrong("must be a number of tricks from 0 to 10", "Anna 6/=, Boris whist 44, Vera pass"),
    wrong("raspas = 5 must give tricks by player", {"raspas": 5}),
    wrong("raspas = [2, 3, 5] must give tricks by player", {"raspas": [2, 3, 5]}),
    wrong("tricks = 4 must give", {"Anna": "6", "Boris": "whist", "Vera": "pass", "tricks": 4}),
    wrong(
        "tricks of Anna are given twice: 2 and 3", {"Anna": 2, "Boris": 3, "raspas": {"Anna": 3}}
    ),
    wrong(
        "tricks of Boris are given twice: 3 and 4",
        {"Anna": "6/=", "Boris": "whist 4", "Vera": "pass", "tricks": {"Boris": 3}},
    ),
    wrong(
        "the result gives Anna 6 tricks, but 7 are written",
        {"Anna": "6/=", "Boris": "whist", "Vera": "pass", "tricks": {"Anna": 7}},
    ),
    wrong("the result gives Anna 2 tricks, but 1 are", {"Anna": "M/-2", "tricks": {"Anna": 1}}),
    wrong("6 with result +5 makes 11 tricks", "Anna 6/+5, Boris whist, Vera pass"),
    wrong("6 with result -7 makes -1 tricks", "Anna 6/-7, Boris whist, Vera pass"),
    wrong("nobody whists, so the contract counts as made", "Anna 6/-1, Boris pass, Vera pass"),
    wrong("nobody whists, so the contract counts as made", "Anna 6/+1, Boris pass, Vera half"),
    wrong("Vera does not whist", "Anna 6/=, Boris whist 2, Vera pass 2"),
    wrong("no meaning at raspas", {"Anna": 2, "Boris": 3, "open": True}),
    wrong("no meaning at raspas", {"Anna": 2, "Boris": 3, "result": "="}),
]
CONTRACTS = [
    wrong("two players have a contract: Anna and Boris", "Anna 6/=, Boris 7/="),
    wrong("two players have a contract", {"declarer": "Anna", "contract": "6/=", "Boris": "7/="}),
    wrong("the contract of Anna stands twice", {"declarer": "Anna", "contract": 6, "Anna": "6/="}),
    wrong("the result stands twice", {"Anna": "6/=", "result": "-1", "Boris": "pass"}),
    wrong("contract of Anna is missing", {"declarer": "Anna", "Boris": "whist", "Vera": "pass"}),
    wrong("no declarer: write declarer and contract", "Boris whist, Vera pass"),
    wrong("declarer is missing: whose contract is 6♣?", {"contract": "6♣", "result": "="}),
    wrong("no declarer: write declarer and contract", {"note": "they went home"}),
    wrong("contract '5♣/=' is not known", "Anna 5♣/=, Boris whist, Vera pass"),
    wrong("contract '11/=' is not known", "Anna 11/=, Boris pass, Vera pass"),
    wrong("contract '6X/=' is not known", {"Anna": "6X/=", "Boris": "whist", "Vera": "pass"}),
    wrong("contract 'misery/=' is not known", "Anna misery/="),
    wrong("is not known: write = (made), -1 (short) or", "Anna 6♣/x, Boris pass, Vera pass"),
    wrong("contract 4 is not known", {"declarer": "Anna", "contract": 4, "result": "="}),
    wrong("contract [6] is not known", {"declarer": "Anna", "contract": [6], "result": "="}),
    wrong("result 'won' is not known", {"declarer": "Anna", "contract": 6, "result": "won"}),
    wrong("result is missing: write =, -1, +1", "Anna 6, Boris whist, Vera pass"),
    wrong("result is missing", "Anna misere"),
    wrong("a misere is made (=) or has tricks taken (-1)", "Anna M/+1"),
    wrong(
        "6♣ may not be bid: after 1 raspas in a row the lowest bid is 7 (raspas.exit_levels)",
        RASPAS,
        "Anna 6♣/=, Boris pass, Vera pass",
        variant="piter",
    ),
    wrong(
        "the lowest bid is 8",
        RASPAS,
        RASPAS,
        "Anna 7/=, Boris pass, Vera pass",
        variant="hard_piter",
    ),
    wrong(
        "without the talon one may bid nothing (auction.without_talon)",
        "Anna 9NT wt/=, Boris pass, Vera pass",
    ),
    wrong("without the talon one may bid misere, nine, ten", "Anna 8 wt/=", variant="piter"),
]
CALLS = [
    wrong("half-whist is said at 6, 7, not at 8 (whist.half_levels)", "Anna 8/=, Vera half"),
    wrong("half-whist is said at no level", "Anna 6/=, Vera half", variant="klassika"),
    wrong("Boris speaks first, so he cannot say half-whist (whist.long", "Anna 6/=, Boris half"),
    wrong("only one defender says half-whist", "Anna 6/=, Boris half, Vera half"),
    wrong("Boris has a call, but nobody whists on a misere", "Anna M/=, Boris whist"),
    wrong("Vera has a call, but nobody whists on a misere", "Anna M/=, Vera pass"),
    wrong("call of Vera is missing: whist, pass or half", "Anna 6/=, Boris whist"),
    wrong("Boris and Vera", "Anna 6/="),
    wrong(
        "Boris = 'visst' is no call: write whist, pass, half", "Anna 6/=, Boris visst, Vera pass"
    ),
    wrong("Boris = 4 is no call", {"Anna": "6/=", "Boris": 4, "Vera": "pass"}),
    wrong("Boris = 'whist -1' is no call", "Anna 6/=, Boris whist -1, Vera pass"),
    wrong(
        "after the pass of Boris, Vera whists or says",
        "Anna 6/=, Boris pass, Vera pass",
        variant="finka",
    ),
    wrong("nobody passes: a ten is only checked (whist.ten)", TEN, variant="piter"),
    wrong("6♠ is whisted by force", "Anna 6♠/=, Boris pass, Vera pass", variant="klassika"),
    wrong("open = true, but a defence lies open only with one whister", f"{UNWHISTED}, open"),
    wrong("only with one whister", "Anna 6/=, Boris whist 2, Vera whist 2, open"),
    wrong("open = 1 must be true or false", {"Anna": "M/=", "open": 1}),
    wrong("hand names the hand of a whisting dealer", f"{UNWHISTED}, hand Boris"),
]
DEALERS = [
    wrong(
        "Gleb deals and sits out, so he cannot declare", "Gleb 6/=, Anna pass, Boris pass", **FOUR
    ),
    wrong(
        "Gleb deals and sits out, so he cannot call (whist.dealer_may)",
        f"{UNWHISTED}, Gleb whist, hand Boris",
        **FOUR,
    ),
    wrong("Gleb deals; leave him out unless he whists", f"{UNWHISTED}, Gleb pass", **FSPR4),
    wrong("hand is missing: whose hand does Gleb whist with?", f"{UNWHISTED}, Gleb whist", **FSPR4),
    wrong("hand = 'Anna' is not a defender", f"{UNWHISTED}, Gleb whist, hand Anna", **FSPR4),
    wrong("hand = 'Bo' is no player", f"{UNWHISTED}, Gleb whist, hand Bo", **FSPR4),
    wrong(
        "the dealer may whist only when no defender does",
        "Anna 8/=, Boris whist, Vera pass, Gleb whist, hand Vera",
        **FSPR4,
    ),
    wrong(
        "Boris does not play, so he takes no tricks",
        {
            "Anna": "8/=",
            **dict.fromkeys(("Boris", "Vera"), "pass"),
            "Gleb": "whist 1",
            "hand": "Boris",
            "tricks": {"Boris": 1},
        },
        **FSPR4,
    ),
    wrong("cannot take more than 2 tricks", "Anna 2, Boris 3, Vera 2, Gleb 3", **FOUR),
    wrong("cannot take more than 2 tricks", "Anna 2, Boris 3, Vera 1", **FOUR),
    wrong("(raspas.talon_four), so he takes no", "Anna 2, Gleb 1", variant="rostov", **FOUR),
    wrong("Gleb does not play", {"Anna": "M/=", "tricks": {"Gleb": 5}}, **FOUR),
    wrong(
        "Gleb does not play",
        {
            **json.loads('{"Anna": "6/=", "Vera": "pass"}'),
            "Boris": "whist 3",
            "tricks": {"Gleb": 1},
        },
        **FOUR,
    ),
    wrong(
        "dealer = 'Bor' is no player: Anna, Boris, Vera; did you mean Boris?",
        f"{RASPAS}, dealer Bor",
    ),
    wrong("dealer = 5 is no player", {"Anna": 2, "Boris": 3, "dealer": 5}),
]
AGREEMENTS = [
    wrong("a concession is not allowed (contract.concession)", "Anna 6, concession"),
    wrong("a concession writes 3 undertricks", "Anna 6, concession 2", **CONCESSION),
    wrong("a concession writes 3 undertricks", "Anna 6/-1, concession", **CONCESSION),
    wrong("neither whisted nor played", "Anna 6, concession, Boris whist", **CONCESSION),
    wrong("concession has no meaning at misere", "Anna M/-3, concession", **CONCESSION),
    wrong("concession = 'all' must be a number", "Anna 6, concession all", **CONCESSION),
    wrong("nothing is written for quick tricks (talon.bonus)", f"{UNWHISTED}, talon ace"),
    wrong("talon = 'king' is not known: nothing, ace", f"{UNWHISTED}, talon king", variant="fspr"),
    wrong("talon = 4 is not known", {"Anna": "M/=", "talon": 4}, variant="fspr"),
    wrong("off_mountain is not allowed (values.off_mountain", f"{UNWHISTED}, off_mountain"),
    wrong(
        "off_mountain needs an unwhisted contract or a made misere",
        "Anna M/-1, off_mountain",
        conventions={"values.off_mountain_instead": 2},
    ),
    wrong("a dark pass is not allowed (auction.dark_pass)", f"{RASPAS}, dark"),
    wrong("dark marks a dark pass", f"{UNWHISTED}, dark", variant="klassika"),
]
EVENTS = [
    wrong("too late: the auction of the next deal has ended", MISRECORD, RASPAS, CORRECTION),
    wrong("too late", MISRECORD, {**CORRECTION, "after_auction": True}),
    wrong("there is no such wrong record to correct", CORRECTION),
    wrong("there is no such wrong record", MISRECORD, {**CORRECTION, "amount": 3}),
    wrong("there is no such wrong record", MISRECORD, CORRECTION, CORRECTION),
    wrong("a record of whists names another player", {**MISRECORD, "column": "whists"}),
    wrong("names another player", {**MISRECORD, "column": "whists", "on": "Anna"}),
    wrong("others name nobody", {**MISRECORD, "on": "Boris"}),
    wrong("column = 'moon' must be pool, mountain, whists", {**MISRECORD, "column": "moon"}),
    wrong("column is missing: pool, mountain, whists", {"misrecord": "Anna", "amount": 2}),
    wrong("amount is missing", {"misrecord": "Anna", "column": "pool"}),
    wrong("amount = 0 must be a whole number", {**MISRECORD, "amount": 0}),
    wrong("amount = 2.5 must be a whole number", {**MISRECORD, "amount": 2.5}),
    wrong("amount = 1000001 must be", {**MISRECORD, "amount": 1_000_001}),
    wrong("misrecord = 'Ana' is no player", {**MISRECORD, "misrecord": "Ana"}),
    wrong("agreed = 1 must be true or false", MISRECORD, {**CORRECTION, "agreed": 1}),
    wrong("agreed does not go with misrecord", {**MISRECORD, "agreed": True}),
    wrong("pencl does not go with correction; did you mean pencil?", {**CORRECTION, "pencl": True}),
    wrong("only a fourth player can join; 4 play", {"join": "Gleb"}, {"join": "Dina"}),
    wrong("Gleb plays already", {"join": "Gleb"}, {"join": "Gleb"}),
    wrong("Anna plays already", {"join": "Anna"}),
    wrong("player 'time' has the name of a key", {"join": "time"}),
    wrong("player 5 needs a name", {"join": 5}),
    wrong("Boris does not go with join", {"join": "Gleb", "Boris": 3}),
    wrong(
        "the pulka is over",
        TEN,
        "Boris 10/=, Vera pass, Anna pass",
        {"join": "Gleb"},
        variant="leningrad",
        total=20,
    ),
    wrong("sochi does not end by time (end.when = each)", {"time": True}),
    wrong("time was called before", {"time": True}, {"time": True}, variant="finka"),
    wrong("must be true", {"time": False}, variant="fspr"),
    wrong("stop = 'yes' must be true", {"stop": "yes"}),
    wrong("the pulka was stopped before this entry", {"stop": True}, {"stop": True}),
    wrong("the pulka was stopped before this entry", {"stop": True}, RASPAS),
    wrong("nothing to stop", {"time": True}, {"stop": True}, variant="fspr"),
    wrong("so this deal is not part of it", {"time": True}, RASPAS, variant="fspr"),
    wrong("the pulka ended with entry 1", TEN, RASPAS, variant="leningrad", total=10),
    wrong("does not go with", {"stop": True, "time": True}),
]
ENTRIES = [
    wrong(
        "Ana is neither a player nor a key of a deal; did you mean Anna?", {"Ana": 2, "Boris": 3}
    ),
    wrong("did you mean open?", {"Anna": "M/=", "opne": True}),
    wrong("did you mean Anna?", "Ana 6♣/=, Boris whist 4, Vera pass"),
    wrong(
        "'anna 2' begins with no player and no key: players are Anna, Boris, Vera",
        "anna 2, Boris 3",
    ),
    wrong("tricks = 'Ana' is no player", {"Anna": "M/=", "tricks": {"Ana": 0}}),
    wrong("raspas = 'Gleb' is no player", {"raspas": {"Gleb": 2, "Anna": 3}}),
    wrong("declarer = 'Dina' is no player", {"declarer": "Dina", "contract": 6}),
    wrong("declarer = ['Anna'] is no player", {"declarer": ["Anna"], "contract": 6}),
    wrong("Anna stands twice", "Anna 2, Anna 3, Boris 4"),
    wrong("nothing is said of Boris", "Anna 2, Boris, Vera 5"),
    wrong("note = 5 must be text", {"Anna": 2, "Boris": 3, "note": 5}),
    wrong("an entry is a table such as", {}),
    wrong("an entry is a table such as", 5),
    wrong("an entry is a table such as", None),
    wrong("an entry is a table such as", [RASPAS]),
    wrong("an entry is a table such as", ""),
    wrong("an entry is a table such as", " ,; "),
    wrong(
        "raspas has no meaning with a contract",
        {
            "declarer": "Anna",
            "contract": "8/=",
            "Boris": "pass",
            "Vera": "pass",
            "raspas": {"Anna": 2},
        },
    ),
    wrong("in a line", "Anna 6/=, Boris whist, Vera pass, tricks Boris 4"),
    wrong("open stands alone in a line", "Anna M/=, open false"),
]
PAIR: dict[str, Any] = {"players": 2, "variant": "classic_two"}
"""The head of a protocol of two players, who may do all that a defender may."""


def of_two(words: str, *deals: Any, **conventions: Any) -> Any:
    """A mistake of two players, under conventions with two underscores for the dot."""
    settings = {key.replace("__", "."): value for key, value in conventions.items()}
    return wrong(words, *deals, **PAIR, **({"conventions": settings} if settings else {}))


TWO = [
    of_two("call of Boris is missing: open, blind, pass (dummy.defence)", "Anna 6/="),
    of_two("how does Boris whist? write open (he turns up the dummy) or", "Anna 6/=, Boris whist"),
    of_two("how does Boris whist? write open", "Anna 6/=, Boris whist 4"),
    of_two("with two players nobody says half-whist", "Anna 6/=, Boris half"),
    of_two("Boris = 'pass open' is no call", "Anna 6/=, Boris pass open"),
    of_two("Boris = 'open open' is no call", "Anna 6/=, Boris open open"),
    of_two("Boris = 'whist 4 open' is no call", "Anna 6/=, Boris whist 4 open"),
    of_two("Boris = 'half blind' is no call", "Anna 6/=, Boris half blind"),
    of_two("open = true, but the whist is blind", "Anna 6/=, Boris blind 4, open"),
    of_two("open = false, but the whist is open", {"Anna": "6/=", "Boris": "open", "open": False}),
    of_two("open = 'no' must be true or false", {"Anna": "6/=", "Boris": "whist", "open": "no"}),
    of_two("a defence lies open only with one whister", "Anna 6/=, Boris pass, open"),
    of_two("Boris does not whist, so he takes no tricks", "Anna 6/=, Boris pass 4"),
    of_two("counts as made (=) and no card is played", "Anna 6/-1, Boris pass"),
    of_two("hand has no meaning with two players", "Anna 6/=, Boris open, hand Boris"),
    of_two(
        "Boris may not pass (dummy.defence = open)", "Anna 6/=, Boris pass", dummy__defence=["open"]
    ),
    of_two(
        "Boris may not whist blind (dummy.defence = open, pass)",
        "Anna 6/=, Boris blind 4",
        dummy__defence=["open", "pass"],
    ),
    of_two(
        "Boris may not whist open (dummy.defence = blind)",
        {"Anna": "6/=", "Boris": "whist 4", "open": True},
        dummy__defence=["blind"],
    ),
    of_two("nobody passes: 6♠ is whisted", "Anna 6♠/=, Boris pass", whist__stalingrad=True),
    of_two("how does Boris whist?", "Anna 6♠/=", whist__stalingrad=True),
    of_two("nobody passes: a ten is only checked", "Anna 10/=, Boris pass", whist__ten="checked"),
    of_two("a ten is only checked, with open", "Anna 10/=, Boris blind 0", whist__ten="checked"),
    of_two("tricks must sum to 10, but 6 + 3 = 9", "Anna 6/=, Boris open 3"),
    of_two("tricks must sum to 10, but 6 + 3 = 9", "Anna 6/=, Boris blind 3"),
    of_two("tricks must sum to 10, but 6 + 3 = 9", "Anna 6/=, Boris open 3", dummy__blind="lowest"),
    of_two("must sum to 0 to 10, but 6 + 5", "Anna 6/=, Boris blind 5", dummy__blind="lowest"),
    of_two("tricks of Boris are missing", "Anna 6/=, Boris blind", dummy__blind="lowest"),
    of_two("result is missing", "Anna 6, Boris blind 3", dummy__blind="lowest"),
    of_two("result is missing", "Anna 6, Boris open"),
    of_two("tricks must sum to 10, but 4 + 5 = 9", "Anna 4, Boris 5"),
    of_two("tricks of Boris are missing at raspas, or the result and the call", "Anna 6"),
    of_two("tricks of Boris are missing", {"raspas": {"Anna": 4}}, dummy__raspas="lowest"),
    of_two("must sum to 0 to 10, but 6 + 5 = 11", "Anna 6, Boris 5", dummy__raspas="lowest"),
    of_two("must sum to 8 to 10, but 4 + 3 = 7", "Anna 4, Boris 3", raspas__talon_two="may_win"),
    of_two("no deal is thrown in: raspas are played (dummy.raspas)", "thrown in"),
    of_two("no raspas are played: write thrown in", "Anna 4, Boris 6", dummy__raspas="no_raspas"),
    of_two("dark has no meaning in a deal that", "thrown in, dark", dummy__raspas="no_raspas"),
    of_two("Anna has no meaning in a", "пересдача, Anna 6/=", dummy__raspas="no_raspas"),
    of_two("thrown_in = 1 must be true", {"thrown_in": 1}, dummy__raspas="no_raspas"),
    of_two("thrown_in stands alone in a line", "thrown_in yes", dummy__raspas="no_raspas"),
    of_two("thrown_in stands twice", "thrown in, пересдача", dummy__raspas="no_raspas"),
    wrong("no deal is thrown in", "thrown in"),
    of_two("Boris has a call, but nobody whists on a misere", "Anna M/=, Boris open"),
    of_two("only a fourth player can join; 2 play", {"join": "Vera"}),
    of_two("names another player on whom", {**MISRECORD, "column": "whists"}),
]


def of_table(words: str, *deals: Any, **head: Any) -> Any:
    """A mistake in a table of razboinik."""
    return wrong(words, *deals, players=2, variant="razboinik", **head)


ALL_ROWS = [f"{who} {row}/=" for row in (*range(6, 11), "M") for who in ("Anna", "Boris")]
TABLE = [
    of_table("it is not Boris's turn: Boris deals, so Anna declares", "Boris 6/="),
    of_table("it is not Anna's turn: Anna deals", "Anna 6/=", "Anna 7/="),
    of_table(
        "Boris declares (razboinik.declarer = dealer)",
        "Anna 6/=",
        conventions={"razboinik.declarer": "dealer"},
    ),
    of_table("dealer = 'Anna', but it is Boris's deal", "Anna 6/=, dealer Anna"),
    of_table("dealer = 'Vera' is no player", "Anna 6/=, dealer Vera"),
    of_table(
        "Anna has played 8 already; left: 6, 7, 9, 10, misere",
        *("Anna 8/=", "Boris 8/-1", "Anna 8♥/-3"),
    ),
    of_table(
        "Anna has played misere already; left: 6, 7, 8, 9, 10",
        *("Anna M/=", "Boris M/-1", "Anna misere/-3"),
    ),
    of_table("the pulka ended with entry 12", *ALL_ROWS, "Anna 6/="),
    of_table("the pulka is over, so there is nothing to stop", *ALL_ROWS, {"stop": True}),
    of_table("result is missing", "Anna 6"),
    of_table("result is missing", "Anna M"),
    of_table("result is missing", {"Anna": 6}),
    of_table("6 with result +5 makes 11 tricks", "Anna 6/+5"),
    of_table("a misere is made (=) or has tricks taken", "Anna M/+1"),
    of_table("tricks must sum to 10", {"Anna": "6/=", "tricks": {"Boris": 5}}),
    of_table("the result gives Anna 6 tricks, but 5", {"Anna": "6/=", "tricks": {"Anna": 5}}),
    of_table("two players have a contract", "Anna 6/=, Boris 7/="),
    of_table("Boris has a call, but nobody whists in razboinik", "Anna 6/=, Boris whist 4"),
    of_table("Boris has a call, but nobody whists in razboinik", "Anna 6/=, Boris pass"),
    of_table("9NT wt: in razboinik nothing is bid without the talon", "Anna 9NT wt/="),
    of_table("no declarer: write declarer and contract", {"note": "they went home"}),
    of_table("open has no meaning in razboinik", "Anna 6/=, open"),
    of_table("raspas has no meaning in razboinik", {"raspas": {"Anna": 4}}),
    of_table("thrown_in has no meaning in razboinik", "thrown in"),
    of_table("concession has no meaning in razboinik", "Anna 6, concession"),
    of_table("talon has no meaning in razboinik", "Anna 6/=, talon ace"),
    of_table("razboinik has no penalty for wrong records", MISRECORD),
    of_table("razboinik has no penalty for wrong records", CORRECTION),
    of_table("razboinik does not end by time, but when all is played", {"time": True}),
    of_table("only a fourth player can join; 2 play", {"join": "Vera"}),
]


@pytest.mark.parametrize(
    "words, deals, head",
    [*TRICKS, *CONTRACTS, *CALLS, *DEALERS, *AGREEMENTS, *EVENTS, *ENTRIES, *TWO, *TABLE],
)
def test_a_wrong_entry(words: str, deals: tuple[Any, ...], head: Any, tmp_path: Path) -> None:
    """The sentence names the entry and what is wrong; the entries before it are right."""
    message = refused_text(protocol(*deals, **head), tmp_path / "game.json")
    assert message.startswith(f"entry {len(deals)}: ") and words in message, message
    (tmp_path / "game.json").write_text(protocol(*deals[:-1], **head), encoding="utf-8")
    score(tmp_path / "game.json")


STRANGE = [
    {"Anna": "6♣/-\t1", "Boris": "whist", "Vera": "pass"},
    {"Anna": "6♣/-\u00a01", "Boris": "whist", "Vera": "pass"},
]


@pytest.mark.parametrize("deal", STRANGE, ids=str)
def test_spaces_of_other_kinds(deal: Mapping[str, Any], tmp_path: Path) -> None:
    """A tab or a hard space from a word processor is a space."""
    (tmp_path / "game.json").write_text(protocol(deal), encoding="utf-8")
    told = json.loads(score(tmp_path / "game.json", "--json").out)
    assert told["sheet"]["mountain"] == [2, 0, 0]


ENORMOUS = [
    f"Anna {'9' * 5000}, Boris 3",
    {"raspas": {"Anna": "9" * 5000, "Boris": 3}},
    {"Anna": "6/=", "Boris": "whist " + "9" * 5000, "Vera": "pass"},
    {"Anna": "M/=", "talon": "9" * 5000},
    {"Anna": "6/" + "=" * 5000, "Boris": "pass", "Vera": "pass"},
    {"Anna": "6" + " " * 1500 + "x", "Boris": "pass", "Vera": "pass"},
    {"Anna": 10**4000, "Boris": 3},
    {"Anna": [[[["x" * 1000]]]] * 100, "Boris": 3},
    {"x" * 5000: 1},
    {"a\nb": 1},
    "a\nb" * 1000,
    {"misrecord": "Anna", "column": "pool", "amount": 10**4000},
    {"join": "x" * 5000},
    {"note": ["x"] * 1000},
]


@pytest.mark.parametrize("deal", ENORMOUS, ids=lambda x: str(x)[:30])
def test_enormous_values(deal: Any, tmp_path: Path) -> None:
    """What is too long to show is cut short; the sentence stays a line, and comes at once."""
    warm()
    begun = time.process_time()
    message = refused_text(protocol(deal), tmp_path / "game.json")
    assert message.startswith("entry 1: ") and time.process_time() - begun < 2


HUGE = f"0x{'f' * 4500}"


@pytest.mark.parametrize(
    "deal",
    [
        f"contract = {HUGE}",
        f'declarer = "Anna", contract = {HUGE}',
        f"Anna = {HUGE}",
        f"Anna = [{HUGE}]",
        f"Anna = {{x = {HUGE}}}",
        f'Anna = "M", result = {HUGE}',
        f'Anna = "M/=", talon = {HUGE}',
        f'Anna = "6", concession = {HUGE}',
        f'misrecord = "Anna", column = "pool", amount = {HUGE}',
        f"join = {HUGE}",
        f"stop = {HUGE}",
    ],
    ids=lambda deal: deal[:30],
)
def test_numbers_that_python_does_not_print(deal: str, tmp_path: Path) -> None:
    """TOML has hexadecimal numbers of any length; Python refuses to print the longest."""
    message = refused_text(f"{HEAD}deals = [{{{deal}}}]", tmp_path / "game.toml")
    assert message.startswith("entry 1: ")
