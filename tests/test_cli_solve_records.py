"""The command ``preferans solve`` on records of deals, and on a game in PPN."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import FAILED, ROOT, RUNNER, run
from record_makers import FOLDER
from solve_bridge import N_STRAINS, SEVEN_SPADES, json_of, refusal, text_of, warm

from scoring.contract import MISERE, contract_strain, parse_contract
from sim.cards import format_card, format_hand, mask_of, parse_card
from sim.cli import cli
from sim.deals import unrank
from sim.records.jsonform import format_json
from sim.records.model import Record
from sim.records.text import parse_text
from sim.solve.asked import STRAIN_WORDS
from sim.solver import MISERE_STRAIN, parse_hands, solve, solve_table

# Records

RECORDED = (
    *("whist_3", "contracts_3", "without_3", "misere_3", "raspas_3", "contracts_4", "dealer_4"),
    *("defence_2", "razboinik_2", "refet_follow_3", "refet_betl_3", "refet_calls_4"),
)
SUITS_OF_REFET = {"spades": 0, "diamonds": 2, "hearts": 3, "clubs": 1, "sans": 4, "preferans": 4}


def strain_of(word: str) -> int | None:
    """The strain of a contract as a record has it; None for a concession."""
    word = word.removeprefix("game ")
    if word in SUITS_OF_REFET:
        return SUITS_OF_REFET[word]
    if word in ("betl", "misere", "misere wt"):
        return MISERE_STRAIN
    if word == "concede":
        return None
    code = parse_contract(word)
    return MISERE_STRAIN if code == MISERE else int(contract_strain(code))


def owners(record: Record, dummy: int | None) -> list[int]:
    """The players of the three hands; ``dummy`` is the seat of the dummy, whose player is -1."""
    players = [record.player_of(place) for place in range(len(record.hands or ()))]
    if dummy is not None:
        players.insert(dummy, -1)
    return players


def played_deals(name: str) -> Iterator[tuple[Record, Any]]:
    """The records of a file with a trick at least, and what the command finds of each."""
    path = FOLDER / f"{name}.deal"
    records = parse_text(path.read_text(encoding="utf-8"), name)
    found = json_of(path)
    assert len(found) == len(records)
    yield from (
        (record, one)
        for record, one in zip(records, found, strict=True)
        if record.tricks and record.tricks[0] and one["strain"] is not None
    )


@pytest.mark.parametrize("name", RECORDED)
def test_records(name: str) -> None:
    """Hands after the discard, contract, declarer and first leader, read from the records by other
    means; who has no cards in the tricks does not play."""
    n = 0
    for record, found in played_deals(name):
        n += 1
        assert record.hands is not None and record.talon is not None
        dummy = found["players"].index("dummy") if record.dummy is not None else None
        players = owners(record, dummy)
        assert [-1 if x == "dummy" else x for x in found["players"]] == players
        held = dict(zip([p for p in players if p >= 0], record.hands, strict=True))
        held[-1] = record.dummy or 0
        discard = record.moves.get("discard", ())
        if discard:
            taken = mask_of(record.talon) & ~mask_of(parse_card(move.word) for move in discard)
            laid = mask_of(parse_card(move.word) for move in discard) & ~mask_of(record.talon)
            assert discard[0].player is not None
            held[discard[0].player] = held[discard[0].player] & ~laid | taken
        whole = max(record.tricks, key=len)
        playing = {move.player for move in whole} if name != "dealer_4" else players
        hands = [held[player] if player in playing else 0 for player in players]
        assert found["hands"] == list(map(format_hand, hands))
        if "contract" in record.moves:
            last = record.moves["contract"][-1]
            assert found["strain"] == STRAIN_WORDS[strain_of(last.word) or 0]
            assert players[found["declarer"]] == last.player
        first = record.tricks[0][0].player
        assert first is not None
        assert name == "dealer_4" or players[found["leader"]] == first
        strain = STRAIN_WORDS.index(found["strain"])
        tricks = solve(hands, strain, found["declarer"], found["leader"])
        assert found["declarer_tricks"] == tricks and found["tricks_left"] == 10
        assert found["number"] == record.number
        assert found["talon"] == list(map(format_card, record.talon))
    assert n >= 2


def test_forms_of_records(tmp_path: Path) -> None:
    """Text and JSON, by suffix or by their beginning, give the same; so does standard input."""
    for name in ("misere_3", "raspas_3"):
        text = text_of(FOLDER / f"{name}.deal")
        assert text_of(FOLDER / f"{name}.json") == text
        data = (FOLDER / f"{name}.deal").read_text(encoding="utf-8")
        (tmp_path / "a").write_text(f"# a remark\n\n#\n{data}", encoding="utf-8")
        assert text_of(tmp_path / "a") == text
        done = RUNNER.invoke(cli, ["solve", "-"], input=(FOLDER / f"{name}.json").read_bytes())
        assert done.stdout == text


def test_options_go_before_a_record() -> None:
    """Strain, declarer and leader as they are said, with the hands after the discard."""
    path = FOLDER / "whist_3.deal"
    recorded = json_of(path)
    changed = json_of(path, "--misere", "--declarer", 2, "--leader", 1)
    assert [x["hands"] for x in changed] == [x["hands"] for x in recorded]
    assert {(x["strain"], x["declarer"], x["leader"]) for x in changed} == {("misere", 2, 1)}
    for found in changed:
        hands = parse_hands(" | ".join(found["hands"]))
        assert found["declarer_tricks"] == solve(hands, MISERE_STRAIN, 2, 1)


def test_raspas(tmp_path: Path) -> None:
    """Where nobody declares nothing is solved, unless a strain is given; the others are."""
    path = FOLDER / "raspas_3.deal"
    found = json_of(path)
    passed = [x for x in found if x["strain"] is None]
    assert passed and len(passed) < len(found)
    assert all(x["declarer_tricks"] is None for x in passed)
    assert text_of(path).count("nothing to solve, nobody declares\n") == len(passed)
    assert all(x["declarer_tricks"] is not None for x in json_of(path, "--misere"))
    assert all("cards" in x for x in json_of(path, "--misere", "--cards"))
    solved = [x["strain"] is not None for x in found]
    assert ["cards" in x for x in json_of(path, "--cards")] == solved
    assert all(len(x["table"]) == N_STRAINS for x in json_of(path, "--table"))
    only = parse_text(path.read_text(encoding="utf-8"), "raspas")[:1]
    (tmp_path / "one.json").write_text(format_json(only), encoding="utf-8")
    message = refusal(tmp_path / "one.json")
    assert message == (
        f"{tmp_path / 'one.json'}: nothing to solve, nobody declares: give --strain, --misere or "
        "--table"
    )
    assert text_of(FOLDER / "contracts_3.deal").count("nothing to solve, conceded\n") == 1


BEGUN = """deal 590635148515334
variant sochi
players 3
dealer 1
auction pass, 7♠, pass
"""


def test_a_record_that_breaks_off(tmp_path: Path) -> None:
    """Before the discard the hands are as dealt and no contract is named; then they are not."""
    path = tmp_path / "a.deal"
    path.write_text(BEGUN + "discard ♠7\nunfinished\n", encoding="utf-8")
    dealt = [format_hand(int(hand)) for hand in unrank(590635148515334)[:3]]
    assert "no contract is named" in refusal(path)
    (found,) = json_of(path, "--strain", "S")
    assert found["hands"] == dealt and found["declarer"] == 1 and found["leader"] == 0
    path.write_text(BEGUN + "discard ♠7 ♥7\nunfinished\n", encoding="utf-8")
    assert "no contract is named" in refusal(path)
    (found,) = json_of(path, "--strain", "S")
    assert found["hands"] == [format_hand(hand) for hand in parse_hands(SEVEN_SPADES)]
    path.write_text(BEGUN + "discard ♠7 ♥7\ncontract 8♠\nunfinished\n", encoding="utf-8")
    assert text_of(path) == (
        "deal 1: ♠ by hand 1 (player 0), hand 0 (player 2) leads: declarer takes 7 of 10\n"
    )
    assert text_of(path, "--cards").splitlines()[:6] == [
        "deal 1",
        "hand 0 (player 2)  ♠K ♣JT9 ♦T87 ♥KT8",
        "hand 1 (player 0)  ♠AQJT98 ♣8 ♦K9 ♥A",
        "hand 2 (player 1)  ♠- ♣AKQ7 ♦AQJ ♥QJ9",
        "talon              ♥7 ♦9",
        "♠ by hand 1 (player 0), hand 0 (player 2) leads: declarer takes 7 of 10",
    ]


def test_who_leads_before_the_first_card(tmp_path: Path) -> None:
    """A record without its cards names the same leader as with them, at sans not the eldest."""
    not_the_eldest = 0
    for name in ("refet_follow_3", "refet_last_3", "refet_calls_4", "whist_3", "misere_3"):
        played = [pair for pair in played_deals(name) if pair[0].tricks]
        begun = [
            replace(
                record,
                moves={key: moves for key, moves in record.moves.items() if key != "points"},
                tricks=(),
                claims=False,
                taken=None,
                value=None,
                unfinished=True,
            )
            for record, _ in played
        ]
        (tmp_path / "begun.json").write_text(format_json(begun), encoding="utf-8")
        for again, (_, found) in zip(json_of(tmp_path / "begun.json"), played, strict=True):
            assert again["leader"] == found["leader"], name
            not_the_eldest += found["leader"] != 0 and found["hands"][0] != "..."
    assert not_the_eldest > 0


def test_a_hand_out_of_play_is_in_the_table() -> None:
    """Who does not come in the refet game has cards, which the table counts."""
    found = json_of(FOLDER / "refet_follow_3.deal", "--table")
    alone = [x for x in found if "..." in x["hands"]]
    assert alone
    for one in alone:
        assert one["hands"].count("...") == 1
        number_of = STRAIN_WORDS.index(one["strain"])
        tricks = solve(" | ".join(one["hands"]), number_of, one["declarer"], one["leader"])
        assert one["declarer_tricks"] == tricks
        assert len(one["table"]) == N_STRAINS and max(map(max, one["table"][number_of])) <= 10
    records = parse_text((FOLDER / "refet_follow_3.deal").read_text(encoding="utf-8"), "refet")
    for record, one in zip(records, found, strict=True):
        missing = one["hands"].index("...") if "..." in one["hands"] else None
        if missing is None:
            continue
        assert record.hands is not None
        hands = [*one["hands"]]
        hands[missing] = format_hand(record.hands[missing])
        assert one["table"] == solve_table(" | ".join(hands)).tolist()


# Portable Preferans Notation


def test_a_game_in_ppn(tmp_path: Path) -> None:
    """Its deals are solved; its slips are told after them, and then the command fails."""
    warm()
    examples, data = ROOT / "tests" / "examples", ROOT / "tests" / "data" / "ppn"
    for path in (examples / "evening.ppn", data / "sample.ppn"):
        slips = path.with_suffix(".ppn.slips")
        told_slips = slips.read_text(encoding="utf-8").splitlines() if slips.exists() else []
        code = FAILED if told_slips else 0
        records = run("convert", path, "--to", "text", code=code).out
        (tmp_path / "a.deal").write_text(records, encoding="utf-8")
        done = run("solve", path, "--misere", "--json", code=code)
        found = json.loads(done.out)
        assert len(found) > 2 and found == json_of(tmp_path / "a.deal", "--misere")
        assert done.err.splitlines()[: len(told_slips)] == told_slips
        assert len(done.err.splitlines()) == len(told_slips) + bool(told_slips)


def test_rules_that_are_not_the_solvers() -> None:
    """A deal under the duty to beat is said in its place; options are answered all the same."""
    path = FOLDER / "refet_follow_3.deal"
    records = parse_text(path.read_text(encoding="utf-8"), "refet")
    (at,) = [k for k, one in enumerate(records, 1) if one.settings.get("tricks.must_head", False)]
    told = run("solve", path).out.splitlines()
    assert told[at - 1].startswith(f"deal {at}: ")
    assert "nothing to solve, a card has to beat those before it" in told[at - 1]
    assert sum("nothing to solve, a card" in line for line in told) == 1
    assert "nothing to solve" not in run("solve", path, "--strain", "S").out.splitlines()[at - 1]
