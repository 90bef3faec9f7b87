"""A person plays at the table: whole pulkas by a script, what he sees, and what is recorded."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import cards_in, refused, run
from scripted_person import Script, play

from bots import find_bot
from scoring.variant import find_variant
from sim.advice.ask import Mind
from sim.advice.evening import Evening, decider
from sim.advice.screen import Screen
from sim.cards import format_card, mask_of, parse_card
from sim.engine import Shard
from sim.show import Step, Story
from sim.state import N_HANDS
from sim.table import Table

PULKAS = [
    ("sochi", 3, ()),
    ("rostov", 3, ()),
    ("leningrad", 4, ("--set", "whist.dealer_may=true")),
    ("finka", 4, ()),
    ("kazakhstan", 3, ()),
    ("fspr", 4, ()),
    ("classic_two", 2, ()),
    ("gusarik", 2, ()),
    ("klassika", 3, ()),
    ("razboinik", 2, ()),
    ("refet", 3, ()),
    ("serbian", 4, ()),
]


def play_pulka(name: str, players: int, settings: Sequence[str], file: Path, seed: int) -> Script:
    """A pulka of a scripted person in the last seat, with hints; checks how it ends."""
    script = Script(seed, hints=True)
    pool = ("--pool", 20) if find_variant(name).has_target else ()
    where = ("--players", players, "--seat", players, "--seed", seed, "--record", file)
    done = play(
        script, "--variant", name, *where, *pool, *settings, "--deals", 10, "--hints", "cautious"
    )
    assert done.exception is None and done.exit_code == 0, done.output[-2000:]
    assert f"recorded in {file}" in done.output.splitlines()[-1]
    assert "cautious: " in done.output
    return script


@pytest.mark.parametrize(("name", "players", "settings"), PULKAS)
def test_a_person_plays_pulkas(
    name: str, players: int, settings: Sequence[str], tmp_path: Path
) -> None:
    """Every deal is recorded whole, one file for two evenings, and read back as it is written."""
    file = tmp_path / "evening.deal"
    scripts = [play_pulka(name, players, settings, file, seed) for seed in (1, 2)]
    assert sum(script.asked for script in scripts) > 50
    text = file.read_text(encoding="utf-8")
    deals = text.count("note       a person as player")
    assert deals == text.count("\ndealer ") > 2 and "unfinished" not in text
    assert run("convert", file, "--to", "text").out == text
    assert run("replay", file).out.count("sheet after the deal") == deals


def test_many_kinds_of_questions(tmp_path: Path) -> None:
    """The scripted pulkas ask for calls, discards, contracts, whists, cards of others, and more."""
    questions = set()
    for seed, (name, players, settings) in enumerate(PULKAS):
        questions |= play_pulka(name, players, settings, tmp_path / name, seed).questions
    heads = {question.split()[0] for question in questions}
    assert {"your", "which", "do", "how", "a"} <= heads and len(questions) > 10


class Taught:
    """Watches a table and checks that no card is told which the person may not know."""

    def __init__(self, table: Table, me: int) -> None:
        self.table = table
        self.me = me
        self.told = 0
        self.screen = Screen(table, me, self.say)
        self.own = 0
        self.steps: list[Step] = []

    def say(self, line: str) -> None:
        head = line.split()[0] if line.split() else ""
        if head in ("auction", "contract", "whist", "open", "defence") and "♠" in line:
            line = line if head == "open" else ""
        mask = mask_of(parse_card(card) for card in cards_in(line) if len(card) == 2)
        assert not mask & ~self.allowed(), (line, [format_card(c) for c in range(32)])
        self.told += mask.bit_count()

    def allowed(self) -> int:
        view, hidden = self.table.view, self.table.hidden
        known = self.own | int(view["talon"]) | int(view["played"])
        for hand in range(N_HANDS):
            known |= int(view["shown"][hand])
            decides = int(view["decides_for"][hand]) == self.me
            known |= int(hidden["hands"][hand]) if decides else 0
        hand = int(view["hand_of"][self.me])
        return known | (int(hidden["received"][hand]) if hand >= 0 else 0)

    def begin(self, story: Story) -> None:
        hand = int(self.table.view["hand_of"][self.me])
        self.own = story.hands[hand] if hand >= 0 else 0
        self.screen.begin(story)

    def tell(self, step: Step) -> None:
        self.screen.tell(step)
        self.steps.append(step)


@pytest.mark.parametrize(("name", "players", "settings"), PULKAS)
def test_what_the_person_sees_is_his_to_know(
    name: str, players: int, settings: Sequence[str]
) -> None:
    """Every card on the screen is in his hand, was turned up, played or lies open."""
    variant = find_variant(name)
    rules = variant.rules(players, 6 if variant.has_target else None)
    minds = {player: decider(Mind(find_bot("cautious"), rules)) for player in range(players)}
    evening = Evening(rules, 4, minds)
    taught = Taught(evening.table, 0)
    wild = decider(Mind(find_bot("random"), rules))

    def me(table: Table) -> Sequence[int]:
        taught.screen.show()
        return wild(table)

    evening.seat(0, me)
    for _ in range(6):
        evening.deal(taught)
        if evening.over:
            break
    assert taught.told > 100 and taught.steps


@pytest.mark.parametrize(("name", "players"), [("rostov", 3), ("fspr", 4), ("razboinik", 2)])
def test_bots_play_as_in_the_engine(name: str, players: int) -> None:
    """With bots in all seats an evening is the pulka number 0 of a run with the same seed."""
    variant = find_variant(name)
    rules = variant.rules(players, 6 if variant.has_target else None)
    bots = [find_bot("cautious"), *[find_bot("random")] * (players - 1)]
    batch = Shard(rules, bots, 11, 0, 1, record_plays=True).run()
    deciders = {player: decider(Mind(bot, rules)) for player, bot in enumerate(bots)}
    evening = Evening(rules, 11, deciders)
    assert batch.plays is not None
    for row, plays in zip(batch.deals, batch.plays, strict=True):
        story = evening.deal()
        asked = [step.action for step in story.steps if step.asked]
        assert story.number == row["number"]
        assert asked == plays[: row["n_decisions"]].tolist()
        assert story.row["value"] is not None
        assert [int(x) for x in story.row["value"]] == row["value"].tolist()
    assert evening.over and len(batch.deals) > 3


# What he types

START = ("--variant", "sochi", "--seed", "5", "--pool", "4")


def typed(*lines: str, more: Sequence[object] = ()) -> str:
    """What is shown to a person who types these lines and leaves."""
    from click.testing import CliRunner

    from sim.cli import cli

    words = ["play", *START, *map(str, more)]
    done = CliRunner().invoke(cli, words, input="\n".join([*lines, "q", ""]))
    assert done.exception is None, done.output
    return str(done.output)


def test_slips_are_told() -> None:
    """What cannot be understood, or is not legal, is one sentence, and he is asked again."""
    shown = typed("6x", "99", "hold", "", "6S", "q")
    assert "'6x' is not a call" in shown
    assert "there is no number 99: write 1 to 27" in shown
    assert "hold is not legal: there is no bid to hold" in shown
    assert shown.count("your call?") == 3
    assert "auction   you: 6♠" in shown
    assert "you leave the table" in shown


def test_words_and_letters() -> None:
    """A call by its number, in letters, or in symbols is the same call."""
    for word in ("3", "6c", "6♣", " 6♣ "):
        assert "auction   you: 6♣\n" in typed(word)


def test_the_end_of_the_input_ends_the_evening(tmp_path: Path) -> None:
    """Deals finished before are kept, the one that breaks off is not."""
    file = tmp_path / "evening.deal"
    first = Script(3)
    play(first, *START, "--deals", 2, "--record", file)
    whole = file.read_text(encoding="utf-8")
    file.unlink()
    script = Script(3, most=first.asked - 2)
    done = play(script, *START, "--record", file)
    assert done.exit_code == 0 and "you leave the table" in done.output
    kept = file.read_text(encoding="utf-8")
    assert kept and whole.startswith(kept) and kept != whole
    assert done.output.splitlines()[-1] == f"1 deal is recorded in {file}"


def test_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C says where the deals are."""

    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupted)
    file = tmp_path / "evening.deal"
    done = run("play", *START, "--record", file, code=130)
    assert done.err.strip() == f"stopped; the deals finished are in {file}"


def test_an_outside_bot_sits_and_advises(tmp_path: Path) -> None:
    """A class plays, and gives hints."""
    bots = tmp_path / "slow_bots.py"
    bots.write_text(
        "class Slow:\n"
        "    def __init__(self, rules, seed): pass\n"
        "    def act(self, seen):\n"
        "        return [(int(x) & -int(x)).bit_length() - 1 for x in seen['legal']]\n",
        encoding="utf-8",
    )
    name = f"{bots}:Slow"
    done = play(Script(1, hints=True), *START, "--deals", 1, "--bots", name, "--hints", name)
    assert done.exception is None and f"{name}: " in done.output


WRONG: list[tuple[tuple[Any, ...], str]] = [
    (("--seat", 4), "--seat 4: there are 3 players, write 1 to 3"),
    (("--seed", -1), "seed -1 is not possible: write 0 to 9223372036854775807"),
    (("--players", 5), "sochi is played by 2, 3 or 4 players, not by 5"),
    (
        ("--bots", "random,random,random"),
        "--bots: 3 bots for 2 other players: name one for all, or 2",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_arguments(arguments: Sequence[object], message: str) -> None:
    assert refused("play", "--variant", "sochi", *arguments) == message


def test_the_file_of_records_is_checked_first(tmp_path: Path) -> None:
    """Deals are added to text that is a file of records, and to nothing else."""
    notes = tmp_path / "notes.txt"
    notes.write_text("milk\n", encoding="utf-8")
    assert "a record begins with a line deal" in refused("play", *START, "--record", notes)
    assert notes.read_text(encoding="utf-8") == "milk\n"
    assert "deals are added as text" in refused("play", *START, "--record", tmp_path / "x.json")
    away = tmp_path / "away" / "x.deal"
    assert refused("play", *START, "--record", away) == (
        f"--record {away}: No such file or directory"
    )
