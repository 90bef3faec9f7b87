"""Mistakes in heads, files, tournaments and options: each is refused with one sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cli_bridge import FAILED, ROOT, RUNNER, USAGE
from score_bridge import EXAMPLES, HEAD, refused_text, score_refused, warm

from scoring.protocol.contracts import DEAL_KEYS
from scoring.protocol.reading import CONTROL_KEYS
from sim.cli import cli

FRIDAY = EXAMPLES / "friday.toml"


# The head

TABLE = 'players = ["Anna", "Boris"]\nvariant = "razboinik"\n'
PLAYERS = 'variant = "sochi"\nplayers = '
HEADS = {
    'variant = "sochi"': "players is missing: 2, 3 or 4 names in clockwise order",
    'players = ["Anna", "Boris", "Vera"]': "variant is missing",
    f'{PLAYERS}["Anna"]': "players must be 2, 3 or 4 names in clockwise order",
    f'{PLAYERS}["A", "B", "C", "D", "E"]': "players must be 2, 3 or 4 names",
    f'{PLAYERS}"Anna, Boris, Vera"': "players must be 2, 3 or 4 names",
    f'{PLAYERS}["Anna", "Boris"]\ntotal = 40': "in sochi each pool is played to its own target",
    HEAD.replace("sochi", "gusarik"): "gusarik is played by 2 players, not by 3",
    HEAD.replace("sochi", "razboinik"): "razboinik is played by 2 players, not by 3",
    f"{TABLE}pool = 10": "razboinik has no pool: it ends when all rows are played",
    f"{TABLE}pool = 0": "razboinik has no pool",
    f"{TABLE}total = 20": "razboinik has no pool",
    f'{TABLE}pool = "ten"': "pool = 'ten' must be a whole number",
    f"{TABLE}pool = 10\ntotal = 20": "razboinik has no pool",
    f'{TABLE}conventions = {{"raspas.price" = 5}}': "raspas.price has no meaning in the family",
    f'{HEAD}conventions = {{"razboinik.misere" = 5}}': "razboinik.misere has no meaning in the",
    f"{TABLE}stake = 0": "stake = 0 must be a number above 0",
    f'{PLAYERS}["Anna", "Boris", 5]': "player 5 needs a name",
    f'{PLAYERS}["Anna", "Boris", ""]': "player '' needs a name",
    f'{PLAYERS}["Anna", "Boris", " Vera"]': "no space at ends",
    f'{PLAYERS}["Anna", "Boris", "Vera, jr"]': "a name has no , ; = :",
    f'{PLAYERS}["Anna", "Boris", "Ve\\nra"]': "player 'Ve\\nra'",
    f'{PLAYERS}["Anna", "Boris", "{"x" * 61}"]': "a name of 1 to 60 letters",
    f'{PLAYERS}["Anna", "Boris", "Anna"]': "two players have one name: Anna, Boris, Anna",
    f'{HEAD}varaint = "x"': "varaint is not a key of a protocol; did you mean variant?",
    f"{HEAD}[[deal]]\nAnna = 2": "deal is not a key of a protocol; did you mean deals?",
    'players = ["A", "B", "C"]\nvariant = "soci"': "variant 'soci' is not known; did you mean",
    'players = ["A", "B", "C"]\nvariant = 5': "variant = 5 must be text in quotes",
    'players = ["A", "B", "C"]\nvariant = "no.toml"': "no.toml: cannot be read",
    f'players = ["A", "B", "C"]\nvariant = "{"x" * 5000}"': "is not known",
    f"{HEAD}conventions = 5": "conventions must be a table",
    f'{HEAD}conventions = {{"raspas.prise" = 5}}': "conventions: raspas.prise is not a convention",
    f"{HEAD}[conventions.raspas]\nprice = 5000": "raspas.price = 5000; allowed: an integer from 0",
    f'{HEAD}[conventions.whist]\nstyle = "meek"': "'meek'; allowed: greedy or gentleman",
    f"{HEAD}[conventions.raspas.price]\nx = 1": "raspas.price = {'x': 1}; allowed: an integer",
    f"{HEAD}conventions = {{raspas = 5}}": "raspas is not a convention",
    f"{HEAD}pool = 0": "pool 0 is not possible: write 1 to 10000 pool points per player",
    f"{HEAD}pool = 10001": "pool 10001 is not possible",
    f"{HEAD}pool = -5": "pool -5 is not possible",
    f'{HEAD}pool = "20"': "pool = '20' must be a whole number",
    f"{HEAD}pool = 20.5": "pool = 20.5 must be a whole number",
    f"{HEAD}pool = true": "pool = True must be a whole number",
    f"{HEAD}pool = 0x{'f' * 4000}": "pool",
    f"{HEAD}total = 60": "in sochi each pool is played to its own target: give pool",
    f"{HEAD}pool = 20\ntotal = 60": "give pool (per player) or total (of all), not both",
    HEAD.replace("sochi", "leningrad") + "total = 0": "total 0 is not possible",
    HEAD.replace("sochi", "leningrad") + "total = 2": "total 2 is not possible",
    f'{HEAD}dealer = "Gleb"': "dealer = 'Gleb' is no player: Anna, Boris, Vera",
    f'{HEAD}dealer = "Ana"': "did you mean Anna?",
    f"{HEAD}dealer = 5": "dealer = 5 is no player",
    f"{HEAD}stake = 0": "stake = 0 must be a number above 0, such as 0.5",
    f"{HEAD}stake = -1": "stake = -1 must be",
    f"{HEAD}stake = nan": "stake = nan must be",
    f"{HEAD}stake = inf": "stake = inf must be",
    f"{HEAD}stake = 1e300": "stake = 1e+300 must be",
    f"{HEAD}stake = true": "stake = True must be",
    f'{HEAD}stake = "half"': "stake = 'half' must be",
    f'{HEAD}stake = "1e-99999"': "stake = '1e-99999' must be",
    f'{HEAD}stake = "1_0"': "stake = '1_0' must be",
    f"{HEAD}stake = []": "stake = [] must be",
    f"{HEAD}stake = 2026-11-27": "stake = ",
    f"{HEAD}title = 5": "title = 5 must be text in quotes",
    f"{HEAD}currency = 5": "currency = 5 must be text in quotes",
    f"{HEAD}date = 5": "date = 5 must be",
    f"{HEAD}deals = 5": "deals must be a list",
    f'{HEAD}deals = "Anna 2, Boris 3"': "deals must be a list",
    f"{HEAD}[deals]\nAnna = 2": "deals must be a list",
    f'{HEAD}"a\\nb" = 5': "is not a key of a protocol",
}


@pytest.mark.parametrize("text", HEADS, ids=lambda text: text.removeprefix(HEAD)[:50])
def test_a_wrong_head(text: str, tmp_path: Path) -> None:
    """What is wrong with a head: the key, its value, and what is allowed."""
    message = refused_text(text, tmp_path / "game.toml")
    assert HEADS[text] in message, message


@pytest.mark.parametrize("key", sorted({*DEAL_KEYS, *CONTROL_KEYS, "on", "amount", "pencil"}))
def test_a_name_that_is_a_key(key: str, tmp_path: Path) -> None:
    """A player may not have the name of a key."""
    message = refused_text(f'{PLAYERS}["Anna", "Boris", "{key}"]', tmp_path / "game.toml")
    assert message == f"player '{key}' has the name of a key; choose another"


# Files

FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "players is missing"),
    "words": (b"Anna won, Boris lost", "not a TOML file"),
    "toml": (HEAD.encode() + b"deals = [", "not a TOML file"),
    "repeated key": (HEAD.encode() * 2, "not a TOML file"),
    "json": (b'{"players": [', "not a JSON file"),
    "json list": (b"[]", "a protocol is a table with players, variant and deals"),
    "json text": (b'"Anna"', "not a TOML file"),
    "json twice": (
        b'{"players": ["A", "B", "C"], "variant": "sochi", "deals": [{"A": 2, "A": 3, "B": 4}]}',
        "A stands twice",
    ),
    "binary": (bytes(range(128, 256)), "cannot be read: "),
    "utf-16": (HEAD.encode("utf-16"), "cannot be read: "),
    "zeros": (b"\0" * 100, "not a TOML file"),
    "deep": (b'{"players": ' + b"[" * 100_000, "not a JSON file"),
    "deep toml": (b"a = " + b"[" * 100_000, "not a TOML file"),
    "half a letter": (
        b'{"players": ["A", "B", "C"], "variant": "sochi", "title": "\\ud800"}',
        "not a JSON file",
    ),
    "entries first": (b'[[deals]]\nAnna = "6/="\n', "players is missing"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("suffix", ["toml", "json", "txt"])
def test_a_file_that_is_no_protocol(name: str, suffix: str, tmp_path: Path) -> None:
    """Neither TOML nor JSON, or of another kind, whatever its name."""
    data, words = FILES[name]
    message = refused_text(data, tmp_path / f"game.{suffix}")
    assert words in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is missing, and a folder."""
    (tmp_path / "folder").mkdir()
    for name in ("absent.toml", "folder", "folder/absent", "x" * 300):
        message = score_refused(tmp_path / name)
        assert message.startswith(f"{tmp_path / name}: cannot be read: ")


def test_standard_input_that_cannot_be_read() -> None:
    """Bytes that are no text, and standard input that is closed."""
    warm()
    done = RUNNER.invoke(cli, ["score", "-"], input=b"\xff\xfe")
    assert done.exit_code == USAGE and "standard input is not text in UTF-8" in done.stderr
    done = RUNNER.invoke(cli, ["score", "-"], input=b"players = 5")
    assert done.exit_code == USAGE and "standard input: players must be" in done.stderr
    command = "import sys; sys.stdin = None; from sim.cli import main; main()"
    closed = subprocess.run(
        [sys.executable, "-c", command, "score", "-"], cwd=ROOT, capture_output=True, text=True
    )
    assert closed.returncode == USAGE and "Traceback" not in closed.stderr
    assert closed.stderr.splitlines()[-1] == "Error: standard input cannot be read"


# Tournaments

LINES = "table,players,variant,deal\n"
COLUMNS = "table,players,variant,declarer,contract,result,calls,tricks,open\n"
FIRST = '1,Anna;Boris;Vera,sochi,"Anna 2, Boris 3"\n'
CSV_FILES = {
    "": "the heading needs the column table",
    "\n": "the heading needs the column table",
    "players,deal\n": "the heading needs the column table",
    "table,table\n": "each column once",
    "tabel,players\n": "column 'tabel' is not known; did you mean table?",
    f"{LINES.strip()},date\n": "column 'date' is not known",
    LINES: "there are no deals",
    f"{LINES},Anna;Boris;Vera,sochi,x\n": "line 2: table is missing",
    f"{LINES}1,Anna,sochi,x\n": "line 2: players must be 2, 3 or 4 names",
    f"{LINES}1,Anna;Boris,gusarik,x\n": "table 1: entry 1: 'x' begins with no player",
    f"{LINES}1,Anna;Boris;Vera,razboinik,x\n": "table 1: razboinik is played by 2 players",
    "table,players,variant,pool\n1,A;B,razboinik,0\n": "table 1: razboinik has no pool",
    f"{LINES}1,Anna;Boris;Anna,sochi,x\n": "line 2: two players have one name",
    f"{LINES}\x1b,,sochi,x\n": "players is missing",
    f"{LINES}{'9' * 5000},,sochi,x\n": "players is missing",
    f"{LINES}1,,sochi,x\n": "table 1: players is missing",
    f"{LINES}1,Anna;Boris;Vera,,x\n": "table 1: variant is missing: give a column variant, or",
    f"{LINES}1,Anna;Boris;Vera,soci,x\n": "table 1: variant 'soci' is not known; did you",
    f"{LINES}{FIRST}1,Boris;Anna;Vera,,x\n": "line 3: the players of table 1 change",
    f"{LINES}{FIRST}1,,rostov,x\n": "line 3: the variant of table 1 changes",
    f"{LINES}{FIRST}1,,,x,x\n": "line 3: more cells than columns",
    f'{LINES}{FIRST}1,,,"Anna 2\n': "not a CSV file",
    f'{LINES}{FIRST}1,,,"Anna 2" x\n': "not a CSV file",
    f'{LINES}{FIRST}1,,,"Anna 2, Boris 9"\n': "table 1: entry 2: tricks must sum to 10",
    f"{LINES}{FIRST}1,,,stop\n": "table 1: entry 2: ",
    f'{LINES}{FIRST}2,A;B;C,sochi,"A 2, D 9"\n': "table 2: entry 1: 'D 9' begins with no player",
    "table,players,variant,pool\n1,A;B;C,sochi,ten\n": "table 1: pool = 'ten' must be a whole",
    "table,players,variant,pool\n1,A;B;C,sochi,-4\n": "table 1: pool = '-4' must be a whole",
    "table,players,variant,pool\n1,A;B;C,sochi,0\n": "table 1: pool 0 is not possible",
    f"table,players,variant,pool\n1,A;B;C,sochi,{'9' * 5000}\n": "table 1: pool",
    "table,players,variant,pool\n1,A;B;C,sochi,4\n1,,,5\n": "line 3: the pool of table 1 changes",
    "table,deal,declarer\n1,x,A\n": "give the deal in the column deal or in columns such as",
    f"{COLUMNS}1,A;B;C,sochi,A,6,-1,B whist; C pass,,maybe\n": "line 2: open = 'maybe' must be yes",
    f"{COLUMNS}1,A;B;C,sochi,A,6,-1,B whist,,\n": "entry 1: call of C is missing",
    f"{COLUMNS}1,A;B;C,sochi,A,6,-1,B whist; D pass,,\n": "entry 1: D is neither a player nor",
    f"{COLUMNS}1,A;B;C,sochi,A,6,-1,whist; C pass,,\n": "line 2: calls",
    f"{COLUMNS}1,A;B;C,sochi,A,6,-1,B whist; B pass; C pass,,\n": "B stands twice",
    f"{COLUMNS}1,A;B;C,sochi,,raspas,,,A 2; A 3; B 4,\n": "A stands twice",
    f"{COLUMNS}1,A;B;C,sochi,,raspas,,,2; 3; 5,\n": "line 2: tricks",
    f"{COLUMNS}1,A;B;C,sochi,,6♣,=,,,\n": "entry 1: declarer is missing",
    f"{COLUMNS}1,A;B;C,sochi,,raspas,,,,\n": "entry 1: ",
}


@pytest.mark.parametrize("text", CSV_FILES, ids=lambda text: text.partition("\n")[2][:40] or text)
def test_a_wrong_tournament(text: str, tmp_path: Path) -> None:
    """The sentence names the line or the table, and the entry of the table."""
    message = refused_text(text, tmp_path / "club.csv")
    assert CSV_FILES[text] in message, message


# Options


def test_wrong_options(tmp_path: Path) -> None:
    """Values that an option does not take."""
    for arguments, words in (
        (("--stake", "0"), "--stake: stake = '0' must be a number above 0"),
        (("--stake", "-1"), "--stake: stake = '-1' must be"),
        (("--stake", "nan"), "--stake: stake = 'nan' must be"),
        (("--stake", "1e10"), "--stake: stake = '1e10' must be"),
        (("--stake", "1e-99999"), "--stake: stake = '1e-99999' must be"),
        (("--stake", "dear"), "--stake: stake = 'dear' must be"),
        (("--pool", "0"), "pool 0 is not possible"),
        (("--pool", "ten"), "'ten' is not a valid integer"),
        (("--variant", "soci"), "variant 'soci' is not known; did you mean sochi"),
        (("--lang", "fr"), "--lang"),
        (("--rounding", "up"), "--rounding"),
        (("--sheet", "sheet.bmp"), "--sheet sheet.bmp: the name must end in .svg, .png or .txt"),
        (("--sheet", "sheet"), "--sheet sheet: the name must end in"),
        (("--sheet", "svg"), "--sheet svg: the name must end in"),
        (("--sheet", ""), "the name must end in"),
        (("--sheet", "-", "--json"), "--sheet - and --json"),
        (("another.toml",), "unexpected extra argument"),
    ):
        assert words in score_refused(FRIDAY, *arguments)


def test_options_that_razboinik_has_not(tmp_path: Path) -> None:
    """A pool, and a rounding of fractions it has none of."""
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    assert "razboinik has no pool" in score_refused(path, "--pool", "10")
    message = score_refused(path, "--rounding", "code")
    assert message == "--rounding: end.rounding has no meaning in the family razboinik"
    assert "is played by 2 players, not by 3" in score_refused(FRIDAY, "--variant", "razboinik")


def test_options_that_are_for_a_single_pulka(tmp_path: Path) -> None:
    """A tournament has no sheet, no money, and no list of deals."""
    for arguments in (
        ("--sheet", tmp_path / "x.svg"),
        ("--stake", "1"),
        ("--currency", "EUR"),
        ("--every-deal",),
    ):
        message = score_refused(EXAMPLES / "tournament.csv", *arguments)
        assert message == f"{arguments[0]} is for a single pulka, not for a tournament"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", ["svg", "txt"])
def test_a_sheet_that_cannot_be_written(suffix: str, tmp_path: Path) -> None:
    """A folder that is missing, and a folder of that name: a failure, not a wrong argument."""
    (tmp_path / f"folder.{suffix}").mkdir()
    for path in (tmp_path / "absent" / f"x.{suffix}", tmp_path / f"folder.{suffix}"):
        message = score_refused(FRIDAY, "--sheet", path, code=FAILED)
        assert message.startswith(f"{path} cannot be written: ")


def test_nothing_is_drawn_of_a_wrong_protocol(tmp_path: Path) -> None:
    """A protocol that is refused leaves no file."""
    score_refused(EXAMPLES / "wrong.toml", "--sheet", tmp_path / "x.svg")
    assert not list(tmp_path.iterdir())
