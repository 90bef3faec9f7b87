"""Every mistake in the arguments ends in one clear sentence, with the right exit code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_bridge import (
    FAILED,
    RUNNER,
    SOURCE,
    TINY,
    USAGE,
    everything_in,
    outside,
    refused,
    simulate,
)

from bots import bot_descriptions
from scoring.variant import variant_names
from sim.cli import cli
from sim.store import open_dataset

# Mistakes in the arguments


def of_a_run(tmp_path: Path, *arguments: object) -> tuple[object, ...]:
    """A run into a new folder with some more arguments."""
    return ("simulate", "--variant", "rostov", "--out", tmp_path / "run", *TINY, *arguments)


def test_unknown_variants(tmp_path: Path) -> None:
    """The nearest name is suggested, and all are listed, in every command that takes one."""
    for arguments in (
        ("variants", "rostof"),
        ("compare", "sochi", "rostof"),
        ("simulate", "--variant", "rostof", "--out", tmp_path / "run"),
    ):
        message = refused(*arguments)
        assert "variant 'rostof' is not known; did you mean rostov" in message
        assert ", ".join(variant_names()) in message and ".toml" in message
    assert "did you mean" not in refused("variants", "zzzzzzzz")
    assert not (tmp_path / "run").exists()
    assert "Missing option '--variant'" in refused("simulate", "--out", tmp_path / "run")
    assert "Missing option '--out'" in refused("simulate", "--variant", "rostov")
    assert "Missing argument 'VARIANTS...'" in refused("compare")


HEAD = 'title = "Ours"\nbase = "rostov"\n'
VARIANT_FILES = {
    "title = ": ("not a TOML file",),
    "title = 'Ours'\n[raspas\n": ("not a TOML file", "line 2"),
    'title = "Ours"\nbase = "rostof"\n': ("'rostof' is not known", "did you mean rostov"),
    f"{HEAD}[raspas]\nprise = 3\n": ("raspas.prise is not a convention", "raspas.price"),
    f"{HEAD}[raspaz]\nprice = 3\n": ("raspaz is not a key", "did you mean raspas"),
    f'{HEAD}[raspas]\nprice = "3"\n': (
        "raspas.price = '3'",
        "allowed: an integer from 0 to 1000",
    ),
    f'{HEAD}[raspas]\ncolumn = "moon"\n': ("raspas.column = 'moon'", "mountain or whists"),
    f"{HEAD}[auction]\njumps = 1\n": ("auction.jumps = 1", "allowed: true or false"),
    f"{HEAD}[values]\nmade = [1, 2]\n": ("values.made = [1, 2]", "five integers"),
    f"{HEAD}raspas = 3\n": ("raspas must be a table",),
    f"{HEAD}pool = 0\n": ("pool = 0", "1 to 10000"),
    'base = "rostov"\n': ("title is missing",),
    'title = "Ours"\n': ("pool", "is missing"),
}


@pytest.mark.parametrize("text", VARIANT_FILES)
def test_wrong_variant_files(text: str, tmp_path: Path) -> None:
    """What is wrong with a variant file: the file, the key, the value, and what is allowed."""
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    for arguments in (("variants", path), ("compare", path, "sochi")):
        message = refused(*arguments)
        assert str(path) in message or "is not known" in message
        for words in VARIANT_FILES[text]:
            assert words in message


def test_variant_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is missing, a folder, or not text."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "binary.toml").write_bytes(bytes(range(128, 256)))
    for name in ("absent", "folder", "binary"):
        message = refused("variants", tmp_path / f"{name}.toml")
        assert message.startswith(f"{tmp_path / name}.toml: cannot be read: ")


SETTINGS = {
    "raspas.price": ("--set raspas.price: write KEY=VALUE", "raspas.price=10"),
    "=3": ("write KEY=VALUE",),
    "raspas.prise=3": ("raspas.prise is not a convention", "did you mean raspas.price"),
    "price=3": ("price is not a convention",),
    "raspas.price=dear": ("raspas.price = 'dear'", "an integer from 0 to 1000"),
    "raspas.price=": ("raspas.price = ''", "an integer from 0 to 1000"),
    "raspas.price=-1": ("raspas.price = -1", "an integer from 0 to 1000"),
    "raspas.price=1.5": ("raspas.price = 1.5", "an integer from 0 to 1000"),
    "raspas.column=moon": ("raspas.column = 'moon'", "allowed: mountain or whists"),
    "auction.jumps=yes": ("auction.jumps = 'yes'", "allowed: true or false"),
    "raspas.progression=3": ("raspas.progression = 3", "a list of 1 to 8 integers"),
    "values.made=[1, 2]": ("values.made = [1, 2]", "five integers"),
    "dummy.seat=left": ("dummy.seat = 'left'", "allowed: middle or first or last"),
    'dummy.defence=["pass"]': ("dummy.defence = ['pass']", "with open or blind"),
    "razboinik.misere=5": ("razboinik.misere has no meaning in the family pool",),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_wrong_settings(setting: str, tmp_path: Path) -> None:
    """``--set`` with a wrong key or value: what is wrong, and what is allowed."""
    for arguments in (of_a_run(tmp_path), ("compare", "rostov", "sochi", *TINY)):
        message = refused(*arguments, "--set", setting)
        assert "--set" in message
        for words in SETTINGS[setting]:
            assert words in message
    assert not (tmp_path / "run").exists()


NUMBERS = {
    ("--pulkas", "0"): "0 pulkas cannot be played: write 1 or more",
    ("--pulkas", "-5"): "-5 pulkas",
    ("--pulkas", "many"): "'many' is not a valid integer",
    ("--pool", "0"): "pool 0 is not possible: write 1 to 10000",
    ("--pool", "10001"): "pool 10001 is not possible: write 1 to 10000",
    ("--seed", "-1"): "seed -1 is not possible: write 0 to 9223372036854775807",
    ("--seed", str(1 << 63)): "is not possible: write 0 to 9223372036854775807",
    ("--players", "1"): "rostov is played by 2, 3 or 4 players, not by 1",
    ("--players", "5"): "rostov is played by 2, 3 or 4 players, not by 5",
    ("--players", "three"): "'three' is not a valid integer",
    ("--max-deals", "0"): "a limit of 0 deals is not possible: write 1 or more",
    ("--workers", "0"): "Invalid value for '--workers'",
    ("--record", "all"): "Invalid value for '--record'",
    ("--resumee",): "--resume",
}


@pytest.mark.parametrize("arguments", NUMBERS, ids=" ".join)
def test_wrong_numbers(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """A number that is out of range is refused with the range, before anything is written."""
    for command in (of_a_run(tmp_path), ("compare", "rostov", "sochi", *TINY)):
        assert NUMBERS[arguments] in refused(*command, *arguments)
    assert not (tmp_path / "run").exists()


# Mistakes with folders


def test_an_unwritable_folder(tmp_path: Path) -> None:
    """A folder below a regular file cannot be made; a regular file is no folder."""
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    place = tmp_path / "file" / "run"
    for arguments in (("simulate", "--variant", "rostov"), ("compare", "rostov", "sochi")):
        message = refused(*arguments, *TINY, "--out", place, code=FAILED)
        assert message.startswith(str(place)) and "cannot be written" in message
    for option in ((), ("--resume",), ("--overwrite",)):
        message = refused(
            "simulate", "--variant", "rostov", *TINY, "--out", tmp_path / "file", *option
        )
        assert "is no dataset" in message
    assert (tmp_path / "file").read_text(encoding="utf-8") == "precious"


def test_an_existing_dataset(copy: Path) -> None:
    """It is not touched without ``--resume`` or ``--overwrite``, nor with other arguments."""
    before = everything_in(copy)
    arguments = ("simulate", "--variant", "rostov", "--out", copy, *TINY, "--record", "plays")
    message = refused(*arguments)
    assert str(copy) in message and "--resume" in message and "--overwrite" in message
    for change, words in (
        (("--seed", "2"), "seed was 1"),
        (("--pulkas", "9"), "pulkas was 8"),
        (("--pool", "5"), "pool was 4"),
        (("--bots", "random"), "bots was ['expert', 'expert', 'expert']"),
        (("--set", "raspas.price=6"), "rules_digest was"),
        (("--max-deals", "6"), "max_deals was 500"),
        (("--players", "4"), "players was 3"),
        (("--claims",), "claims was False"),
        (("--variant", "sochi"), "variant was 'rostov'"),
    ):
        message = refused(*arguments, *change, "--resume")
        assert "cannot be resumed with other arguments" in message and words in message
    assert "exclude each other" in refused(*arguments, "--resume", "--overwrite")
    assert everything_in(copy) == before


@pytest.mark.parametrize("option", ["--resume", "--overwrite"])
def test_a_folder_without_a_dataset(option: str, tmp_path: Path) -> None:
    """``--resume`` and ``--overwrite`` leave a folder alone that this program did not write."""
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "thesis.txt").write_text("precious", encoding="utf-8")
    before = everything_in(tmp_path)
    arguments = ("simulate", "--variant", "rostov", "--out", tmp_path, *TINY, option)
    assert "is no dataset" in refused(*arguments)
    assert everything_in(tmp_path) == before


def test_a_folder_with_another_programs_manifest(tmp_path: Path) -> None:
    """Nor is it a dataset because something called ``run.json`` lies there."""
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "thesis.txt").write_text("precious", encoding="utf-8")
    (tmp_path / "run.json").write_text('{"name": "another"}', encoding="utf-8")
    before = everything_in(tmp_path)
    done = RUNNER.invoke(
        cli, ["simulate", "--variant", "rostov", "--out", str(tmp_path), *TINY, "--overwrite"]
    )
    assert everything_in(tmp_path) == before
    assert done.exit_code != 0 and "is no" in done.stderr


def test_options_that_need_a_folder() -> None:
    """``compare`` without ``--out`` has nothing to resume or overwrite."""
    for option in ("--resume", "--overwrite"):
        assert "need --out" in refused("compare", "rostov", "sochi", *TINY, option)


# Mistakes with bots


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with good and bad bots of a user."""
    path = tmp_path_factory.mktemp("users") / "bots_of_the_command_line.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_bots_of_a_user(file: Path, tmp_path: Path) -> None:
    """A jitted bot and a class from a file play together, and play alike."""
    tables = []
    for k, names in enumerate(("lowest,lowest,lowest", "lowest,Lowest,lowest@", "Lowest")):
        names = ",".join(f"{file}:{name}" for name in names.removesuffix("@").split(","))
        simulate(tmp_path / str(k), "--bots", names)
        tables.append(open_dataset(tmp_path / str(k)).read("deals"))
    assert tables[0].equals(tables[1]) and tables[0].equals(tables[2])


def test_wrong_names_of_bots(file: Path, tmp_path: Path) -> None:
    """A bot that is not known, with the nearest name; and a wrong number of bots."""
    command = of_a_run(tmp_path)
    message = refused(*command, "--bots", "cautios")
    assert "bot 'cautios' is not known; did you mean cautious?" in message
    assert ", ".join(bot_descriptions()) in message and "mybots.py:Name" in message
    assert "did you mean" not in refused(*command, "--bots", "zzzzzzzz")
    for players, bots in ((2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3), (4, 5)):
        names = ",".join(["random"] * bots)
        message = refused(*command, "--players", players, "--bots", names)
        assert message == (
            f"{bots} bots for {players} players: name one for all seats, or {players}"
        )
    for names in ("", "random,,random"):
        assert "name is empty" in refused(*command, "--bots", names)
    assert not (tmp_path / "run").exists()


def test_wrong_options_of_bots(file: Path, tmp_path: Path) -> None:
    """An option that a bot does not have, or that is no number."""
    command = of_a_run(tmp_path)
    message = refused(*command, "--bots", "cautious@bais=2")
    assert "cautious@bais=2 has no option 'bais'; its options: bias" in message
    message = refused(*command, "--bots", f"{file}:Lowest@shfit=2")
    assert "has no option 'shfit'; its options: shift" in message
    assert "it has none" in refused(*command, "--bots", "random@bias=2")
    for word in ("bias", "bias=", "bias=big"):
        message = refused(*command, "--bots", f"cautious@{word}")
        assert f"write options as NAME@key=number, not {word!r}" in message


def test_wrong_files_of_bots(file: Path, tmp_path: Path) -> None:
    """A file that is missing or broken, and names in a file that are no bots."""
    command = of_a_run(tmp_path)
    absent = tmp_path / "absent.py"
    assert f"there is no file {absent}" in refused(*command, "--bots", f"{absent}:Name")
    assert "has no 'absent'" in refused(*command, "--bots", f"{file}:absent")
    for stem, text, reason in (
        ("broken_of_the_command_line", "def f(:\n", "SyntaxError"),
        ("importing_of_the_command_line", "import no_such_module\n", "ModuleNotFoundError"),
        ("failing_of_the_command_line", "raise ValueError('a\\nb')\n", "ValueError"),
    ):
        path = tmp_path / f"{stem}.py"
        path.write_text(text, encoding="utf-8")
        message = refused(*command, "--bots", f"{path}:Name")
        assert str(path) in message and reason in message


NO_BOTS = {
    "undecorated": "put @bot() above def f(view, own)",
    "NUMBER": "neither a class with act(observations) nor a jitted bot",
    "NoAct": "the class has no method act(observations)",
    "one_argument": "it must take two arguments, (view, own)",
    "curious": "view has no attribute hands_of_all",
    "thief": "read-only",
    "speechless": "",
    "Unmade": "no room",
    "Bare": "could not be made",
}


@pytest.mark.parametrize("name", NO_BOTS)
def test_names_that_are_no_bots(name: str, file: Path, tmp_path: Path) -> None:
    """What is no bot is a wrong argument, a bot that does not work a failure; both are named."""
    code = USAGE if name in ("undecorated", "NUMBER", "NoAct") else FAILED
    message = refused(*of_a_run(tmp_path), "--bots", f"{file}:{name}", code=code)
    assert f"{file}:{name}" in message and NO_BOTS[name] in message


MISTAKES = {
    "illegal": "action 61 in phase card is not legal (legal actions: ",
    "Illegal": "action 61 in phase card is not legal (legal actions: ",
    "Negative": "action -1 in phase auction is not legal (legal actions: 0, ",
    "failing": "ValueError: no idea",
    "Failing": "ValueError: no idea",
    "FailingAtLength": "ValueError: no idea:",
    "fractional": "integer",
    "Fractional": "float64",
    "Speechless": "NoneType",
    "Wordy": "integers",
    "Short": "integers",
    "Ragged": "no array of actions",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_bot_makes_a_mistake(name: str, file: Path, tmp_path: Path) -> None:
    """A bot that plays what is not legal, raises, or answers with a wrong type, at seat 1.

    The command fails with one line: bot, player, pulka, deal, and what was wrong. A jitted bot's
    wrong type is found when it is compiled, before any pulka.
    """
    command = of_a_run(tmp_path, "--bots", f"cautious,{file}:{name},random")
    message = refused(*command, code=FAILED)
    assert MISTAKES[name] in message
    if name != "fractional":
        where = re.match(rf"bot {re.escape(str(file))}:{name} \(player 1\) .*", message)
        assert where, message
        assert re.search(r"in pulka \d, deal \d+", message), message
    else:
        assert message.startswith(f"bot {file}:{name} ")
    folder = tmp_path / "run"
    assert not list(folder.rglob("part-*")) and not list(folder.rglob(".*"))


def test_the_deal_of_a_mistake(file: Path, tmp_path: Path) -> None:
    """The pulka and deal in the message are those where it happened."""
    text = SOURCE.replace(
        "if view.phase == CARD:\n        return 61", "if view.deal == 2:\n        return 61"
    )
    path = tmp_path / "late_of_the_command_line.py"
    path.write_text(text, encoding="utf-8")
    command = of_a_run(tmp_path, "--bots", f"cautious,cautious,{path}:illegal")
    message = refused(*command, "--pool", "20", code=FAILED)
    assert message.startswith(f"bot {path}:illegal (player 2) in pulka 0, deal 2: action 61 in")


def test_a_mistake_in_its_own_process(file: Path, tmp_path: Path) -> None:
    """The same from outside: exit code 1, stdout empty, one line on stderr."""
    done = outside(*of_a_run(tmp_path, "--bots", f"{file}:illegal"))
    lines = [x for x in done.err.splitlines() if not x.startswith("compiling the engine")]
    assert (done.code, done.out, len(lines)) == (FAILED, "", 1)
    assert re.match(rf"Error: bot {file}:illegal \(player \d\) in pulka \d, deal \d+: ", lines[0])
