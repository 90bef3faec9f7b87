"""Protocols of the refet game by hand: notations, mistakes, reports, drawings, the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from score_bridge import EXAMPLES, example, game, refusal, score, score_json

from scoring.protocol.keeping import Pulka
from scoring.protocol.refet_notation import parse_refet_order
from scoring.protocol.telling import describe, pulka_text
from scoring.protocol.words import Words
from scoring.result import PASSED, WHISTED

HEAD: dict[str, Any] = {"variant": "serbian", "pool": 100}


def played(*deals: Any, **head: Any) -> Pulka:
    return game(*deals, **{**HEAD, **head})


def told(*deals: Any, **head: Any) -> list[str]:
    return [describe(step, Words()) for step in played(*deals, **head).steps]


def wrong(*deals: Any, **head: Any) -> str:
    """Why the last of some deals is refused."""
    message = refusal(*deals, **{**HEAD, **head})
    assert message.startswith(f"entry {len(deals)}: ")
    assert message.isprintable() and len(message) < 300
    return message.partition(": ")[2]


# Lesnoy's example


def test_the_example_of_lesnoy_line_by_line() -> None:
    """Lines 2 to 5 of the source, and its settlement."""
    second, third, fourth, fifth = example("lesnoy.toml").steps
    assert second.mountain == [30, 30, 24] and second.whists == [[0, 0, 12], [0, 0, 12], [0] * 3]
    assert third.mountain == [30, 20, 24] and third.whists[2] == [0, 30, 0]
    assert (fourth.mountain, fourth.whists) == (third.mountain, third.whists)
    assert fourth.refets == [1, 1, 1] and fourth.gave_refets
    assert fifth.mountain == [10, 20, 24] and fifth.whists[2] == [60, 30, 0]
    assert fifth.refets == [0, 1, 1] and fifth.used_refet
    out = score(EXAMPLES / "lesnoy.toml").out
    for line in (
        "written off, 54 in all   18   18   18",
        "columns that sum to 0    -8    2    6",
        "with the sign reversed    8   -2   -6",
        "ten for each point       80  -20  -60",
        "result, whists           32  -38    6",
        "A: 80+12-60 = +32",
        "B: -20+12-30 = -38",
        "C: -60+60+30-12-12 = +6",
    ):
        assert line in out.splitlines(), line


def test_the_example_of_lesnoy_in_json() -> None:
    """The same figures as data."""
    data = score_json(EXAMPLES / "lesnoy.toml", "--every-deal")
    assert data["pool"] == 30 and data["total"] is None
    assert data["sheet"] == {
        "columns": [10, 20, 24],
        "soup": [[0, 0, 12], [0, 0, 12], [60, 30, 0]],
        "refets": [0, 1, 1],
        "refets_given": 1,
    }
    assert data["settlement"] == {
        "columns_sum": 54,
        "written_off": [18, 18, 18],
        "lowered_columns": [-8, 2, 6],
        "tenfold": [80, -20, -60],
        "soup_for": [12, 12, 90],
        "soup_against": [60, 30, 24],
        "terms": [[80, 12, -60], [-20, 12, -30], [-60, 60, 30, -12, -12]],
        "result": [32, -38, 6],
    }
    assert data["entries"][3]["deal"] == {
        "kind": "contract",
        "dealer": "C",
        "declarer": "A",
        "contract": "clubs",
        "from_hand": False,
        "result": "+1",
        "calls": {"B": "stays", "C": "comes"},
        "contra": 0,
        "contra_by": None,
        "refet": True,
        "tricks": [7, 0, 3],
    }
    assert data["entries"][3]["writes"] == {
        "columns": [-20, 0, 0],
        "soup": [[0, 0, 0], [0, 0, 0], [60, 0, 0]],
        "refet_to_all": False,
    }
    assert data["entries"][2]["deal"]["kind"] == "all_pass"
    assert data["entries"][2]["writes"]["refet_to_all"]


# Notations

CLUBS_FAILED = [
    "Anna clubs/-1, Boris contra 3, Vera stays 2",
    "Anna clubs/-1, Boris contra 3, Vera drawn in 2",
    "Anna clubs/-1, Boris contra 3, Vera 2",
    "Anna clubs/-1, Boris contra 3",
    "Anna clubs/-1, Boris contra",
    "Anna: 5♣/–1; Boris: comes contra 5; Vera: pass",
    "Anna C, Boris kontra 3, Vera 2",
    "Anna 5/-1, Boris comes, contra, Vera stays",
    "Anna tref/-1, Boris dođem kontra, Vera ne dođem",
    "Anna трефы/-1, Boris вист контра, Vera пас",
    "Anna т/-1, Boris контра, dealer Vera",
    "declarer Anna, contract clubs, result -1, Boris comes, contra contra, note late",
    {"Anna": "clubs/-1", "Boris": "comes", "Vera": "stays", "contra": True},
    {"declarer": "Anna", "contract": 5, "result": -1, "contra_by": "Boris"},
    {"declarer": "Anna", "contract": "5", "contra": 1, "contra_by": "Boris", "tricks": {"Anna": 5}},
    {"Anna": "clubs", "Boris": "contra", "Vera": 2, "tricks": {"Boris": 3}},
    {"Anna": "clubs", "Boris": "contra", "tricks": {"Anna": 2, "Boris": 3, "Vera": 2}},
]


@pytest.mark.parametrize("deal", CLUBS_FAILED, ids=str)
def test_one_hand_in_many_notations(deal: Any) -> None:
    """Clubs failed under contra: all soup is his who said it."""
    pulka = played(deal)
    assert pulka.sheet.columns == [120, 100, 100]
    assert pulka.sheet.soup == [[0] * 3, [100, 0, 0], [0] * 3]
    result = pulka.steps[0].result
    assert result is not None and (result.contra, result.contra_by) == (1, 1)
    assert result.decisions == {1: WHISTED, 2: PASSED}


CONTRACTS = {
    "spades": "♠ S 2 2♠ pik пики п ♤ spades",
    "diamonds": "♦ D 3 3♦ karo бубны б ♢ 3d",
    "hearts": "♥ H 4 4♥ herc черви ч ♡ 4 hearts",
    "clubs": "♣ C 5 5♣ tref трефы т ♧ Clubs",
    "betl": "6 betl bettel berač BERAC m м мизер misere",
    "sans": "7 sans sanac NT бк бескозырная",
    "preferans": "8 preferans ПРЕФЕРАНС",
}


@pytest.mark.parametrize("name", CONTRACTS)
def test_contracts_in_many_spellings(name: str) -> None:
    """By sign, letter, name and number, from the hand in front or behind."""
    for word in CONTRACTS[name].replace("4 hearts", "4hearts").split():
        assert parse_refet_order(word).text() == name
        for said in (f"game {word}", f"igra {word}", f"игра {word}", f"{word} wt", f"{word} БП"):
            order = parse_refet_order(f"{said} / -1")
            assert (order.text(), order.result) == (f"game {name}", -1), said
    assert parse_refet_order("G5").text() == "game clubs"
    assert parse_refet_order("sans atout/=").text() == "sans"


def test_hands_are_told() -> None:
    """Each kind of hand in one line."""
    assert told(
        "Anna hearts/+1, Boris invites 2, Vera 1",
        "all pass",
        "Boris betl/-3, Anna contra",
        "Vera game sans/=, Anna recontra 4, Boris stays",
        "Anna spades/=, Boris comes 2, Vera comes 2",
        "Boris clubs/=, Vera stays, Anna pass",
        "svi dalje, note tired",
        conventions={"spades.needs_contra": False},
    ) == [
        "Anna hearts/+1, Boris invites 2, Vera invited 1 (Vera deals)",
        "all pass (Anna deals)",
        "Boris betl/-3, Anna contra, refet (Boris deals)",
        "Vera game sans/=, Anna recontra 4, Boris drawn in 0, refet (Vera deals)",
        "Anna spades/=, Boris comes 2, Vera comes 2, refet (Anna deals)",
        "Boris clubs, Vera stays, Anna stays, not played (Boris deals)",
        "all pass (Vera deals) [tired]",
    ]


DERIVED: list[tuple[Any, list[int] | None, Mapping[str, Any]]] = [
    ("Anna clubs, Boris comes 3, Vera stays", [7, 3, 0], {}),
    ("Anna clubs, Boris comes 5, Vera stays", [5, 5, 0], {}),
    ("Anna clubs, Boris comes 4, Vera comes 2", [4, 4, 2], {}),
    ("Anna clubs/-3, Boris comes, Vera stays", [3, 5, 0], {}),
    ("Anna clubs/-3, Boris comes, Vera stays", [3, 7, 0], {"tricks.stop": False}),
    ("Anna clubs/-3, Boris comes 3, Vera comes", [3, 3, 2], {}),
    ("Anna clubs/-3, Boris comes 3, Vera comes", [3, 3, 4], {"tricks.stop": False}),
    ("Anna clubs/-3, Boris comes 6, Vera comes", [3, 6, 1], {}),
    ("Anna clubs/-3, Boris comes 3, Vera comes 2", [3, 3, 2], {}),
    ("Anna clubs/-1, Boris invites, Vera invited", [5, 5, 0], {}),
    ("Anna clubs/+1, Vera invites", [7, 0, 3], {}),
    ("Anna clubs/+1, Vera invited", [7, 3, 0], {}),
    ("Anna clubs/+4, Boris comes, Vera stays", [10, 0, 0], {}),
    ("Anna betl/=", [0, 10, 0], {}),
    ("Anna betl/-1", [1, 9, 0], {}),
    ({"Anna": "betl", "tricks": {"Anna": 1, "Boris": 2, "Vera": 0}}, [1, 2, 0], {}),
    ("Anna preferans/=", [10, 0, 0], {"bidding.preferans": True}),
    ("Anna preferans/-1, Vera contra", [9, 1, 0], {"bidding.preferans": True}),
    ("Anna clubs, Boris stays, Vera stays", None, {}),
    ("Anna clubs/=, Boris stays, Vera stays", None, {}),
    ("Anna spades, Boris comes, Vera stays", None, {}),
    ("Anna spades/=, Boris stays, Vera stays", None, {}),
]


@pytest.mark.parametrize("deal, tricks, settings", DERIVED, ids=str)
def test_what_is_derived(deal: Any, tricks: list[int] | None, settings: dict[str, Any]) -> None:
    """The declarer's tricks, the last count, what stops at the fifth trick; none unplayed."""
    result = played(deal, conventions=settings).steps[0].result
    assert result is not None and result.tricks == tricks


def test_four_players() -> None:
    """The dealer sits out and has no part; he deals in turn, and gets a refet."""
    four = {"players": 4}
    pulka = played("Anna clubs/=, Boris comes 2, Vera comes 2", "all pass", **four)
    assert pulka.sheet.refets == [1] * 4 and pulka.dealer == 1
    assert pulka.sheet.soup[1][0] == pulka.sheet.soup[2][0] == 20
    message = wrong("Anna clubs/=, Boris comes 2, Gleb comes 2", **four)
    assert message == "Gleb deals and sits out, so he neither comes nor takes tricks"
    message = wrong("Gleb clubs/=, Boris comes 2, Vera comes 2", **four)
    assert message == "Gleb deals and sits out, so he cannot declare"
    message = wrong({"Anna": "clubs/=", "Boris": "contra", "tricks": {"Gleb": 4}}, **four)
    assert message == "Gleb does not play, so he takes no tricks"
    message = wrong("Anna clubs/=, Boris comes 2, Vera comes 2, contra_by Gleb", **four)
    assert message == "contra is said by an opponent: say who"


# Mistakes

LESS = {"contra.levels": 2, "follow.invite": False}
MISTAKES: dict[str, tuple[Any, ...]] = {
    "call of Vera is missing: comes, stays, invites or contra": ("Anna clubs/=, Boris comes 4",),
    "call of Boris is missing": ("Anna clubs/=",),
    "contra = 0 is not known": (
        {"Anna": "clubs/=", "Boris": "comes", "Vera": "comes", "contra_by": "Boris", "contra": 0},
    ),
    "contra = false, but Boris says contra": (
        {"Anna": "betl/=", "Boris": "contra", "contra": False},
    ),
    "contra: who said it? write Boris contra, or contra_by": (
        "Anna clubs/=, Boris comes 2, Vera comes 2, contra",
    ),
    "Anna declares, so he cannot say contra": ("Anna clubs/=, Boris comes 4, contra_by Anna",),
    "Vera does not come, so he cannot say contra (contra.by = who_came)": (
        "Anna clubs/=, Boris comes 2, Vera stays contra 2",
    ),
    "nobody comes, so Vera cannot say contra": ("Anna clubs/=, Boris stays, Vera stays contra",),
    "Boris and Vera both say contra; the first contra": (
        "Anna clubs/=, Boris contra 2, Vera contra 2",
    ),
    "contra_by = 'Vera', but Boris says contra": ("Anna clubs/=, Boris contra, contra_by Vera",),
    "contra is given twice: levels 2 and 3": ("Anna clubs/=, Boris recontra, contra subcontra",),
    "contra = 5 is not known: contra, recontra, subcontra, mordcontra, or 1 to 4": (
        {"Anna": "clubs/=", "Boris": "comes", "contra": 5},
    ),
    "contra subcontra is not possible; allowed: contra, recontra (contra.levels = 2)": (
        "Anna clubs/-1, Boris subcontra",
        LESS,
    ),
    "nobody invites the other (follow.invite)": ("Anna clubs/=, Boris invites 4", LESS),
    "there is no contra after an invitation": (
        "Anna clubs/-1, Boris invites contra 5, Vera invited",
    ),
    "nobody invites the other on plain spades": ("Anna spades, Boris invites, Vera invited",),
    "Boris and Vera invite each other": ("Anna clubs/=, Boris invites 2, Vera invites 2",),
    "Boris invites Vera, so Vera is invited": ("Anna clubs/=, Boris invites 2, Vera comes 2",),
    "Vera is invited, but Boris, who would invite, does not come": (
        "Anna clubs/=, Boris stays, Vera invited",
    ),
    "Boris is invited, but Vera, who would invite, does not come": (
        "Anna clubs/=, Boris invited 2, Vera invited 2",
    ),
    "plain spades are not played without contra (spades.needs_contra)": (
        "Anna spades/=, Boris comes 2, Vera comes 2",
    ),
    "nobody comes, so no card is played": ("Anna clubs/-1, Boris stays, Vera stays",),
    "Vera does not play, so he takes no tricks": ("Anna clubs/=, Boris comes 2, Vera stays 2",),
    "the result gives Anna 6 tricks, but 7 are written": (
        {"Anna": "clubs/=", "Boris": "comes", "Vera": "stays", "tricks": {"Anna": 7}},
    ),
    "tricks of Boris and Vera are missing": ("Anna clubs/-1, Boris comes, Vera comes",),
    "result is missing": ("Anna clubs, Boris comes, Vera comes 2",),
    "tricks must sum to 10, or end with the defence's fifth, but 6 + 3 + 2 = 11": (
        "Anna clubs/=, Boris comes 3, Vera comes 2",
    ),
    "but 6 + 3 = 9": ("Anna clubs/=, Boris comes 3, Vera stays",),
    "but 4 + 2 + 2 = 8": ("Anna clubs/-2, Boris comes 2, Vera comes 2",),
    "tricks must sum to 10, but 4 + 3 + 2 = 9": (
        "Anna clubs/-2, Boris comes 3, Vera comes 2",
        {"tricks.stop": False},
    ),
    "tricks must sum to 10, or end with the declarer's first, but 2 + 1 + 1 = 4": (
        {"Anna": "betl", "tricks": {"Anna": 2, "Boris": 1, "Vera": 1}},
    ),
    "tricks of Boris = 11 must be a number of tricks from 0 to 10": (
        "Anna clubs/=, Boris comes 11, Vera stays",
    ),
    "clubs with result +5 makes 11 tricks": ("Anna clubs/+5, Boris comes, Vera stays",),
    "a betl is made (=) or has tricks taken (-1)": ("Anna betl/+1",),
    "at betl both opponents play, so nobody stays or invites": ("Anna betl/=, Boris stays",),
    "preferans is not played (bidding.preferans)": ("Anna preferans/=",),
    "contract 'claps/=' is not known: write spades, diamonds, hearts, clubs, betl or sans": (
        "Anna claps/=, Boris comes 4, Vera stays",
    ),
    "contract '1♣/=' is not known": ("declarer Anna, contract 1♣/=",),
    "contract '6♣/=': clubs are 5, not 6": ("Anna 6♣/=, Boris comes 4, Vera stays",),
    "two players have a contract: Anna and Boris": ("Anna clubs/=, Boris hearts/=",),
    "no declarer: write a player with a contract (Anna": ("Boris comes 4, Vera stays",),
    "declarer is missing: whose contract is game clubs?": ("contract game clubs/=, Boris comes 4",),
    "Boris = 'half' is no call: write comes, stays, invites, invited or contra": (
        "declarer Anna, contract clubs/=, Boris half, Vera stays",
    ),
    "raspas has no meaning in serbian": ({"raspas": {"Anna": 2}},),
    "talon has no meaning in serbian": ("Anna clubs/=, Boris comes 4, Vera stays, talon ace",),
    "thrown_in has no meaning in serbian": ("thrown in",),
    "Anna has no meaning where all pass": ({"all_pass": True, "Anna": "clubs"},),
    "all_pass = 'yes' must be true or false": ({"all_pass": "yes"},),
    "refet = 1 must be true or false": ({"Anna": "betl/=", "refet": 1},),
    "refet = true, but Anna has no refet": ("Anna betl/=, refet",),
    "refet = false, but every player gets a refet": ({"all_pass": True, "refet": False},),
    "serbian has no penalty for wrong records: write the deal as it was": (
        {"misrecord": "Anna", "column": "soup", "amount": 4},
    ),
    "serbian has no rule for a fourth player who joins": ({"join": "Gleb"},),
    "serbian does not end by time, but when the columns sum to nothing": ({"time": True},),
}


@pytest.mark.parametrize("words", MISTAKES)
def test_mistakes(words: str) -> None:
    """Each is refused in one sentence."""
    deal, *settings = MISTAKES[words]
    message = wrong(deal, conventions=settings[0] if settings else {})
    assert words in message, message


def test_mistakes_about_refets() -> None:
    """Limits and the hat are told."""
    lines = ["all pass", "all pass"]
    assert wrong(*lines, "all pass, refet") == (
        "refet = true, but nobody gets a refet: 2 of 2 are written (refets)"
    )
    fallen = ["Anna sans, Boris stays, Vera stays"]
    assert wrong(*fallen, "all pass, refet", pool=10) == (
        "refet = true, but nobody gets a refet: a player is under the hat (refets.hat)"
    )
    assert wrong("all pass", {"Anna": "betl/=", "refet": False}) == (
        "refet = false, but Anna plays on a refet"
    )
    assert played("all pass, refet", "Anna betl/=, refet").sheet.refets == [0, 1, 1]


def test_contra_by_either() -> None:
    """By some rules one who stayed may say contra where the other came."""
    pulka = played("Anna clubs/-1, Boris comes 3, Vera stays contra 2", variant="prefko")
    assert pulka.sheet.soup[2][0] == 100
    message = wrong("Anna clubs/-1, Boris stays, Vera stays contra", variant="prefko")
    assert message == "nobody comes, so Vera cannot say contra"


@pytest.mark.parametrize("key", ["all_pass", "contra", "contra_by", "refet"])
def test_keys_have_no_meaning_in_other_games(key: str) -> None:
    """Other families refuse them."""
    entry = {"Anna": "6♣/=", "Boris": "pass", "Vera": "pass", key: True}
    assert refusal(entry) == f"entry 1: {key} has no meaning in sochi"
    row = {"Anna": "6♣/=", key: True}
    told = refusal(row, players=2, variant="razboinik")
    assert told == f"entry 1: {key} has no meaning in razboinik"
    assert refusal("all pass") == "entry 1: all_pass has no meaning in sochi"


def test_wrong_heads() -> None:
    """Two players, a total, a start of nothing."""
    assert "refet is played by 3 or 4 players, not by 2" in refusal(players=2, variant="refet")
    message = refusal(variant="refet", total=90)
    assert message == ("total = 90, but in refet each contract column has its start: give pool")
    assert "pool 0 is not possible" in refusal(variant="refet", pool=0)
    assert "raspas.price has no meaning" in refusal(
        variant="refet", conventions={"raspas.price": 2}
    )


def test_a_hand_after_the_end() -> None:
    """The pulka is over when the columns sum to nothing."""
    deals = [
        "Anna sans, Boris stays, Vera stays",
        "Boris game clubs, Anna stays, Vera stays",
        "Vera clubs/=, Anna comes 2, Boris comes 2",
    ]
    pulka = played(*deals, pool=10, variant="refet")
    assert pulka.is_over and pulka.sheet.columns == [-4, -2, 6]
    assert pulka.sheet.soup[0][2] == pulka.sheet.soup[1][2] == 8
    message = wrong(*deals, "all pass", pool=10, variant="refet")
    assert message == "the pulka ended with entry 3, so this deal is not part of it"
    report = pulka_text(pulka)
    assert "the pulka is over" in report and "written off" not in report
    stopped = played(*deals[:2], {"stop": True}, pool=10)
    assert stopped.stopped and sum(stopped.sheet.settle()) == 0


# Reports


def test_russian() -> None:
    """The words of the source."""
    pulka = played(
        "Anna clubs/=, Boris contra 4, Vera 0",
        "all pass",
        "Boris game hearts/=, Anna invites 4, Vera invited 0",
    )
    text = pulka_text(pulka, "ru", every_deal=True)
    for words in (
        *("колонка контрактов", "рефеты", "юха на Anna", "Сербский преферанс с 100"),
        *("Anna трефы/=, Boris контра 4, Vera по контре 0 (сдаёт Vera)", "рефет каждому"),
        *("Boris игра черви/=, Vera зван 0, Anna зовёт 4, рефет", "рефет зачёркнут"),
        *("все пас", "с обратным знаком", "своя юха", "юха других", "итог, висты"),
    ):
        assert words in text, words


def test_money() -> None:
    """A stake is for a whist."""
    out = score(EXAMPLES / "novisad.toml").out
    assert "money, 0.05 EUR a whist" in out and "Ana: 580-20-20 = +540" in out


# Tournaments


def test_a_tournament(tmp_path: Any) -> None:
    """Lines and columns; tables of the refet game beside others."""
    path = tmp_path / "club.csv"
    path.write_text(
        "table;players;variant;pool;declarer;contract;result;calls;contra;refet\n"
        '1;"Anna;Boris;Vera";serbian;60;;all pass;;;;yes\n'
        "1;;;;Anna;clubs;-1;Boris comes contra 3, Vera drawn in 2;;yes\n"
        "1;;;;Boris;betl;-1;Anna recontra;;\n"
        "1;;;;Vera;game hearts;=;Anna comes, Boris stays;recontra;no\n"
        "1;;;;Vera;spades;;Anna comes, Boris stays;;\n"
        '2;"Anna;Gleb;Dina";sochi;4;Anna;10♠;=;Gleb whist 0, Dina pass;;\n',
        encoding="utf-8",
    )
    with pytest.raises(AssertionError):
        score(path)  # Vera plays on a refet
    path.write_text(path.read_text(encoding="utf-8").replace(";no\n", ";yes\n"), encoding="utf-8")
    out = score(path).out
    assert "table 1: Anna" in out
    data = score_json(path)
    standing = {one["player"]: one for one in data["standings"]}
    assert standing["Anna"]["remises"] == 1 and standing["Boris"]["misere_tricks"] == 1
    assert data["tables"][0]["sheet"]["columns"] == [100 + 80, 60 + 96, 60 - 80 - 4]
    lines = tmp_path / "lines.csv"
    lines.write_text(
        'table,players,variant,deal\n1,A;B;C,refet,"A clubs/-1, B contra 3, C 2"\n1,,,all pass\n',
        encoding="utf-8",
    )
    assert score_json(lines)["tables"][0]["sheet"]["refets"] == [1, 1, 1]
