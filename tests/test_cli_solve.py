"""The command ``preferans solve``: hands, numbers, files of hands and of records."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from cli_bridge import FAILED, RUNNER, USAGE, outside, run
from record_makers import FOLDER
from solve_bridge import N_STRAINS, SEVEN_SPADES, SMALL, json_of, refusal, text_of, told, warm

from sim.cards import ALL_CARDS, cards_of, format_card, format_hand, mask_of, parse_card
from sim.cli import cli
from sim.deals import N_DEALS, unrank
from sim.records.text import format_text, parse_text
from sim.solve.answers import count_steps, solve_deals
from sim.solve.asked import STRAIN_WORDS, Wanted, deal_of_number, deal_of_text
from sim.solver import (
    MISERE_STRAIN,
    Position,
    solve,
    solve_cards,
    solve_line,
    solve_many,
    solve_table,
)


def draw(chance: random.Random, n: int) -> tuple[int, int, int]:
    """Three random hands of n cards."""
    cards = chance.sample(range(32), 3 * n)
    a, b, c = (mask_of(cards[n * k : n * (k + 1)]) for k in range(3))
    return a, b, c


# Hands on the command line


@pytest.mark.parametrize("seed", range(12))
def test_json_is_what_python_finds(seed: int) -> None:
    """Value, cards, line and table of random hands are those of the solver."""
    chance = random.Random(seed)
    hands, strain = draw(chance, chance.randint(2, 6)), seed % N_STRAINS
    declarer, leader = chance.randrange(3), chance.randrange(3)
    game = ["--misere"] if strain == MISERE_STRAIN else ["--strain", STRAIN_WORDS[strain]]
    seats = ["--declarer", declarer, "--leader", leader]
    found = json_of(told(hands), *game, *seats, "--cards", "--line", "--table")
    tricks = solve(hands, strain, declarer, leader)
    cards = solve_cards(hands, strain, declarer, leader)
    position = Position(hands, strain, declarer, leader)
    best = [card for card, value in cards.items() if value == tricks]
    trick_cards = [
        [[(hand, parse_card(card)) for hand, card in trick["cards"]], trick["taker"]]
        for trick in found["line"]
    ]
    assert found == {
        "hands": [format_hand(hand) for hand in hands],
        "strain": STRAIN_WORDS[strain],
        "declarer": declarer,
        "leader": leader,
        "tricks_left": hands[0].bit_count(),
        "declarer_tricks": tricks,
        "mover": position.mover,
        "cards": {format_card(card): value for card, value in cards.items()},
        "best": list(map(format_card, best)),
        "line": found["line"],
        "table": solve_table(hands).tolist(),
    }
    line = solve_line(hands, strain, declarer, leader)
    assert [card for trick, _ in trick_cards for card in trick] == line
    assert sum(taker == declarer for _, taker in trick_cards) == tricks
    leads = [trick[0][0] for trick, _ in trick_cards]
    assert leads == [leader, *(taker for _, taker in trick_cards[:-1])]
    assert json_of(told(hands), *game, *seats) == {
        key: value for key, value in found.items() if key in list(found)[:6]
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_trick_begun(seed: int) -> None:
    """Cards on the table, one or two; the line's first trick has them."""
    chance = random.Random(seed)
    hands, strain, declarer, leader = draw(chance, 4), seed % N_STRAINS, seed % 3, seed // 3 % 3
    left: Position | None = Position(hands, strain, declarer, leader)
    for _ in range(1 + seed % 2):
        assert left is not None
        left, _ = left.after(chance.choice(cards_of(left.legal)))
    assert left is not None and left.leader == leader
    game = ["--misere"] if strain == MISERE_STRAIN else ["--strain", STRAIN_WORDS[strain]]
    laid = ", ".join(map(format_card, left.table))
    arguments = [told(left.hands), *game, "--declarer", declarer, "--leader", leader]
    found = json_of(*arguments, "--on-table", laid, "--cards", "--line")
    values = solve_cards(left.hands, strain, declarer, leader, left.table)
    assert found["declarer_tricks"] == solve(left.hands, strain, declarer, leader, left.table)
    assert found["cards"] == {format_card(card): value for card, value in values.items()}
    assert found["mover"] == left.mover and found["tricks_left"] == 4
    assert found["on_table"] == laid.split(", ")
    first = found["line"][0]["cards"]
    assert first[: len(left.table)] == [
        [(leader + k) % 3, format_card(card)] for k, card in enumerate(left.table)
    ]
    assert [len(trick["cards"]) for trick in found["line"]] == [3] * 4
    flat = [(hand, parse_card(card)) for trick in found["line"] for hand, card in trick["cards"]]
    assert flat[len(left.table) :] == solve_line(left.hands, strain, declarer, leader, left.table)
    summary = text_of(*arguments, "--on-table", laid)
    assert (
        f" led {laid.replace(',', '')}: declarer takes {found['declarer_tricks']} of 4" in summary
    )


def test_a_line_of_text() -> None:
    """The game, who declares and leads, and the tricks; every spelling of a strain."""
    said = text_of(SEVEN_SPADES, "--strain", "S", "--declarer", "1")
    assert said == "♠ by hand 1, hand 0 leads: declarer takes 7 of 10\n"
    assert text_of(SEVEN_SPADES, "--strain", "♠", "--declarer", 1) == said
    for words in ("SCDH", "♠♣♦♥", "scdh", ("S", "C", "D", "H", "NT", "misere")):
        for strain, word in enumerate(words):
            found = json_of(SMALL, "--strain", word)
            assert found["strain"] == STRAIN_WORDS[strain]
            assert found["declarer_tricks"] == solve(SMALL, strain)
    assert json_of(SMALL, "--misere") == json_of(SMALL, "--strain", "M")
    assert text_of(SMALL, "--misere") == "misère by hand 0, who leads: declarer takes 1 of 2\n"


def test_the_whole_text() -> None:
    """Cards with the best of them, the line, and the table by the leader."""
    hands = "A.7.. | K.8.. | .T9.."
    assert text_of(hands, "--strain", "nt", "--cards", "--line", "--table", "--leader", 0) == (
        "NT by hand 0, who leads: declarer takes 1 of 2\n"
        "\n"
        "hand 0 to play; declarer's tricks after each card\n"
        "   1  ♠A  best\n"
        "   0  ♣7\n"
        "\n"
        "best play\n"
        "trick 1    0:♠A, 1:♠K, 2:♣9  declarer takes it\n"
        "trick 2    0:♣7, 1:♣8, 2:♣T  hand 2 takes it\n"
        "\n"
        "declarer's tricks\n"
        "leader    0  0  0\n"
        "declarer  0  1  2\n"
        "♠         1  0  1\n"
        "♣         0  0  2\n"
        "♦         1  0  1\n"
        "♥         1  0  1\n"
        "NT        1  0  1\n"
        "misère    0  0  2\n"
    )
    assert text_of(hands, "--misere", "--cards").splitlines()[3:] == ["   0  ♣7  best", "   1  ♠A"]
    hands = "K.JT9.T8.KT8 | AQJT98.8.9.A | .AKQ7.AQJ.QJ9"
    seats = ["--strain", "S", "--declarer", 1]
    said = text_of(hands, *seats, "--on-table", "♦7 ♦K", "--cards").splitlines()
    assert said == [
        "♠ by hand 1, hand 0 led ♦7 ♦K: declarer takes 7 of 10",
        "",
        "hand 2 to play; declarer's tricks after each card",
        "   7  ♦A  best",
        "   8  ♦QJ",
    ]


def test_a_table_alone() -> None:
    """It needs no strain; without a leader it has all three, as JSON always."""
    table = solve_table(SEVEN_SPADES)
    lines = text_of(SEVEN_SPADES, "--table").splitlines()
    assert lines[:3] == [
        "declarer's tricks",
        "leader    0  0  0  1  1  1  2  2  2",
        "declarer  0  1  2  0  1  2  0  1  2",
    ]
    numbers = [[int(word) for word in line.split()[1:]] for line in lines[3:]]
    assert numbers == [table[strain].T.ravel().tolist() for strain in range(N_STRAINS)]
    one = text_of(SEVEN_SPADES, "--table", "--leader", 2).splitlines()[3:]
    assert [line.split()[1:] for line in one] == [list(map(str, t[:, 2])) for t in table]
    found = json_of(SEVEN_SPADES, "--table", "--leader", 2)
    assert found["table"] == table.tolist()
    assert found["strain"] is None and found["declarer_tricks"] is None


def test_two_hands() -> None:
    """A hand without cards does not play."""
    hands = "AQ... | ... | K7..."
    assert text_of(hands, "--strain", "NT", "--line") == (
        "NT by hand 0, who leads: declarer takes 1 of 2\n"
        "\n"
        "best play\n"
        "trick 1    0:♠Q, 2:♠K  hand 2 takes it\n"
        "trick 2    2:♠7, 0:♠A  declarer takes it\n"
    )
    assert json_of(hands, "--strain", "NT", "--leader", 2)["declarer_tricks"] == 2
    message = refusal(hands, "--table")
    assert message == "--table is about three hands that play, and hand 1 has no cards"


# A number


def test_a_deal_of_a_number() -> None:
    """The hands as dealt; the talon is told and not in play."""
    number = 590635148515334
    deal = run("deal", number).out.splitlines()
    said = text_of("--deal", number, "--strain", "S", "--declarer", 1).splitlines()
    hands = [int(hand) for hand in unrank(number)[:3]]
    assert [line.split(maxsplit=2)[2] for line in said[:3]] == [
        line.split(maxsplit=2)[2] for line in deal[1:4]
    ]
    assert said[3] == "talon   ♥7 ♦9 (not in play)"
    tricks = solve(hands, 0, 1)
    assert said[4:] == [f"♠ by hand 1, hand 0 leads: declarer takes {tricks} of 10"]
    found = json_of("--deal", number, "--strain", "S", "--declarer", 1)
    assert found["number"] == number and found["talon"] == ["♥7", "♦9"]
    assert found["hands"] == list(map(format_hand, hands)) and found["declarer_tricks"] == tricks
    assert mask_of(map(parse_card, found["talon"])) == ALL_CARDS & ~sum(hands)
    assert json_of(told(hands), "--strain", "S", "--declarer", 1).items() <= found.items()


# Files of hands


def test_a_file_of_hands(tmp_path: Path) -> None:
    """Comments and empty lines, what a line says before the options, in the order of the file."""
    path = tmp_path / "deals.txt"
    path.write_text(
        "\ufeff# two by hand\n\n"
        f"{SEVEN_SPADES}   # as the options say\r\n"
        f"{SEVEN_SPADES} ; ♠ ; 1\n"
        f"  {SEVEN_SPADES};;2;1\n"
        f"{SEVEN_SPADES} ; misère ; ; 2\n",
        encoding="utf-8",
    )
    games = [(3, 0, 0), (0, 1, 0), (3, 2, 1), (MISERE_STRAIN, 0, 2)]
    tricks = [solve(SEVEN_SPADES, *game) for game in games]
    assert text_of(path, "--strain", "H").splitlines() == [
        f"deal 1: ♥ by hand 0, who leads: declarer takes {tricks[0]} of 10",
        f"deal 2: ♠ by hand 1, hand 0 leads: declarer takes {tricks[1]} of 10",
        f"deal 3: ♥ by hand 2, hand 1 leads: declarer takes {tricks[2]} of 10",
        f"deal 4: misère by hand 0, hand 2 leads: declarer takes {tricks[3]} of 10",
    ]
    found = json_of(path, "--strain", "H")
    assert [(STRAIN_WORDS.index(x["strain"]), x["declarer"], x["leader"]) for x in found] == games
    assert [x["declarer_tricks"] for x in found] == tricks
    assert json_of(path, "--strain", "H", "--declarer", 2, "--leader", 1)[1]["leader"] == 1
    detailed = json_of(path, "--strain", "H", "--cards", "--line", "--table")
    assert all({"cards", "best", "line", "table"} < set(x) for x in detailed)
    blocks = text_of(path, "--strain", "H", "--cards").split("\n\n")
    assert [block.splitlines()[0] for block in blocks[::2]] == [f"deal {k}" for k in range(1, 5)]
    assert blocks[0].splitlines()[1] == "hand 0  ♠K ♣JT9 ♦T87 ♥KT8"


def test_many_deals_from_standard_input() -> None:
    """A line each, as the solver finds them all; a list of one deal is a list."""
    chance = random.Random(5)
    hands = [draw(chance, 5) for _ in range(300)]
    text = "\n".join(map(told, hands))
    warm()
    done = RUNNER.invoke(cli, ["solve", "-", "--strain", "D", "--leader", "2"], input=text)
    assert done.exit_code == 0 and done.stderr == ""
    found = re.findall(r"^deal +(\d+): +♦ .* takes (\d) of 5$", done.stdout, re.MULTILINE)
    wanted = solve_many(hands, 2, 0, 2).tolist()
    assert [int(tricks) for _, tricks in found] == wanted and len(set(wanted)) > 3
    assert [int(k) for k, _ in found] == list(range(1, 301))
    done = RUNNER.invoke(cli, ["solve", "-", "--misere", "--json"], input=SMALL)
    assert [x["declarer_tricks"] for x in json.loads(done.stdout)] == [1]
    done = RUNNER.invoke(cli, ["solve", "-", "--misere"], input="nothing")
    assert done.exit_code == USAGE and "Error: standard input, line 1: 'nothing'" in done.stderr


def test_progress() -> None:
    """As many steps are told as were announced."""
    for more in ({}, {"cards": True}, {"line": True, "table": True}, {"table": True}):
        wanted = Wanted(strain=1, **more)
        deals = [deal_of_text(SMALL, wanted), deal_of_number(N_DEALS - 1, wanted)]
        steps: list[int] = []
        answers = solve_deals(deals, wanted, steps.append)
        assert sum(steps) == count_steps(deals, wanted) == 2 * (1 + len(more))
        assert [answer.deal for answer in answers] == deals


# What is refused

HANDS = "AK... | QJ... | T9..."
WRONG = {
    "the hands, a file or a number": ((), "give hands or a file, or --deal NUMBER: one of them"),
    "hands and a number": (
        (HANDS, "--deal", 5, "--misere"),
        "give hands or a file, or --deal NUMBER: one of them",
    ),
    "misere and a strain": (
        (HANDS, "--misere", "--strain", "S"),
        "--misere and --strain exclude each other",
    ),
    "nothing to play": (
        (HANDS,),
        "what is played is missing: give --strain, --misere or --table",
    ),
    "nothing to play, but details": (
        (HANDS, "--table", "--line"),
        "--cards and --line need to know what is played: --strain or --misere",
    ),
    "a strain": (
        (HANDS, "--strain", "X"),
        "strain 'X' is not known: write S, C, D, H, NT or misere",
    ),
    "a card twice": (
        ("AK... | AJ... | T9...", "--misere"),
        "hands 0 and 1 both have ♠A",
    ),
    "unequal hands": (
        ("AK... | QJ8... | T9...", "--misere"),
        "hands of 2, 3 and 2 cards: each hand that plays has as many, and at least two play",
    ),
    "eleven cards": (
        ("AKQJT987.AKQ.. | ... | ...", "--misere"),
        "hand 0 has 11 cards (AKQJT987.AKQ..): ten at most",
    ),
    "two hands": (
        ("AK... | QJ...", "--misere"),
        "hands 'AK... | QJ...': 2 of them; write three, parted by |",
    ),
    "one hand": (
        ("AKQ.T98.J7.A8", "--misere"),
        "hands 'AKQ.T98.J7.A8': 1 of them; write three, parted by |",
    ),
    "a rank": (
        ("AX... | QJ... | T9...", "--misere"),
        "hand 'AX...': 'X' is not a rank (789TJQKA)",
    ),
    "a number": (
        ("--deal", N_DEALS, "--misere"),
        f"deal number {N_DEALS} is not possible: write 0 to {N_DEALS - 1}",
    ),
    "a negative number": (
        ("--deal", -1, "--misere"),
        f"deal number -1 is not possible: write 0 to {N_DEALS - 1}",
    ),
    "a hand that is not there": (
        (HANDS, "--misere", "--declarer", 3),
        "Invalid value for '--declarer': 3 is not in the range 0<=x<=2.",
    ),
    "a declarer without cards": (
        ("AK... | QJ... | ...", "--misere", "--declarer", 2),
        "declarer 2 has no cards",
    ),
    "a card on the table": (
        (HANDS, "--misere", "--on-table", "♠A ♠1"),
        "card '♠1' is not known: write suit S C D H and rank 7 8 9 T J Q K A",
    ),
    "a card on the table and in a hand": (
        (HANDS, "--misere", "--on-table", "♠K"),
        "hand 0 has ♠K, which lies on the table",
    ),
    "a whole trick on the table": (
        ("A... | Q... | T...", "--misere", "--on-table", "♣A ♣K ♣Q"),
        "3 cards on the table: two at most",
    ),
    "a table in the middle of a trick": (
        ("A... | QJ... | T9...", "--table", "--on-table", "♣A"),
        "--table is about hands before a lead: leave out --on-table",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use(name: str) -> None:
    """One sentence that says what is wrong."""
    arguments, message = WRONG[name]
    assert refusal(*arguments) == message


WRONG_LINES = {
    "AK... | AJ... | T9...": "hands 0 and 1 both have ♠A",
    "AK...": "'AK...' is neither three hands, A | B | C, nor the line deal that begins a record",
    f"{HANDS} ; X": "strain 'X' is not known: write S, C, D, H, NT or misere",
    f"{HANDS} ; S ; 3": "declarer '3': a hand is 0, 1 or 2, in the order of play",
    f"{HANDS} ; S ; ; x": "leader 'x': a hand is 0, 1 or 2, in the order of play",
    f"{HANDS} ; S ; 0 ; 0 ; 0": "5 fields: hands ; strain ; declarer ; leader at most",
    f"{HANDS}": "what is played is missing: give --strain, --misere or --table",
}


@pytest.mark.parametrize("line", WRONG_LINES)
def test_wrong_lines(line: str, tmp_path: Path) -> None:
    """The line has its number."""
    path = tmp_path / "deals.txt"
    path.write_text(f"# deals\n\n{HANDS} ; S\n{line} # wrong\n{HANDS} ; C\n", encoding="utf-8")
    assert refusal(path) == f"{path}, line 4: {WRONG_LINES[line]}"


def test_several_wrong_lines(tmp_path: Path) -> None:
    """The first is told, and where the others are."""
    path = tmp_path / "deals.txt"
    path.write_text(f"one\n{HANDS};S\ntwo\n", encoding="utf-8")
    assert refusal(path).endswith("begins a record (wrong too: line 3)")
    path.write_text("bad\n" * 9, encoding="utf-8")
    message = refusal(path)
    assert message.startswith(f"{path}, line 1: 'bad' is ")
    assert message.endswith(" (wrong too: lines 2, 3, 4, 5, 6, …)")


def test_wrong_files(tmp_path: Path) -> None:
    """Files that cannot be read, are empty, or hold records that cannot be."""
    path = tmp_path / "deals.txt"
    assert refusal(path, "--misere").startswith(f"{path}: cannot be read: ")
    assert refusal(tmp_path, "--misere").startswith(f"{tmp_path}: cannot be read: ")
    path.write_bytes(b"\xff")
    assert refusal(path, "--misere").startswith(f"{path}: cannot be read: ")
    path.write_text("\n# nothing\n", encoding="utf-8")
    message = f"{path} holds no deal: write three hands in a line, A | B | C"
    assert refusal(path, "--misere") == message
    path.write_text(SMALL, encoding="utf-8")
    message = "--on-table is for one deal on the command line, not for a file"
    assert refusal(path, "--misere", "--on-table", "♣K") == message
    path.write_text("deal 5\nvariant sochi\nplayers 3\ndealer 1\nhm\n", encoding="utf-8")
    assert refusal(path, "--misere") == f"{path}, line 5: hm begins no line"
    text = (FOLDER / "contracts_3.deal").read_text(encoding="utf-8")
    path.write_text(text.replace("auction    1:6♠", "auction    1:hold"), encoding="utf-8")
    message = refusal(path, code=FAILED)
    assert message.startswith(f"{path}, deal 1, call 1 of the auction: hold of player 1 is not ")
    records = parse_text((FOLDER / "refet_follow_3.deal").read_text(encoding="utf-8"), "refet")
    path.write_text(format_text(records), encoding="utf-8")
    message = refusal(path, "--declarer", 2)
    assert message.startswith(f"{path}, deal ") and message.endswith(": declarer 2 has no cards")


# From outside


def test_exit_codes_from_outside() -> None:
    """0 and one line on stdout, nothing on stderr; 2 and a sentence for what is refused."""
    warm()
    done = outside("solve", SEVEN_SPADES, "--strain", "S", "--declarer", 1)
    assert (done.code, done.err) == (0, "")
    assert done.out == "♠ by hand 1, hand 0 leads: declarer takes 7 of 10\n"
    done = outside("solve", SEVEN_SPADES)
    assert done.code == USAGE and done.out == ""
    assert done.message == "what is played is missing: give --strain, --misere or --table"
