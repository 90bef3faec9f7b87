"""Tournaments: CSV in both forms and all delimiters, standings, and the further criteria."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cli_bridge import RUNNER
from score_bridge import EXAMPLES, NAMES, game, score, score_json, score_refused, warm

from scoring.protocol.keeping import Pulka
from scoring.protocol.tournament import (
    COLUMNS,
    Standing,
    looks_like_csv,
    read_tournament,
    standings,
    standings_json,
    standings_text,
)
from scoring.variant import find_variant
from sim.cli import cli

LINE = "Anna 6♣/-1, Boris whist 5, Vera pass"
RASPAS = "Anna 0, Boris 4, Vera 6"
PLAYERS = "Anna;Boris;Vera"


def written(rows: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    """Rows as CSV, quoted only where it must be."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def in_lines(*deals: str, players: str = PLAYERS, variant: str = "sochi") -> str:
    """One table with its deals as lines."""
    rows = [("1", players if k == 0 else "", variant, deal) for k, deal in enumerate(deals)]
    return written([("table", "players", "variant", "deal"), *rows])


def kept(text: str, **options: Any) -> list[Pulka]:
    return read_tournament(text, "club.csv", **options)


def told(pulkas: list[Pulka]) -> list[dict[str, Any]]:
    """Standings without those criteria that are zero."""
    return [{key: x for key, x in one.items() if x} for one in standings_json(pulkas)]


# Reading


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_delimiters(delimiter: str, mark: str, newline: str) -> None:
    """Commas, semicolons or tabs; with and without a byte-order mark; lines of any system."""
    for name in ("tournament.csv", "tournament_columns.csv"):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        own = ";" if text.startswith("table;") else ","
        rows = list(csv.reader(io.StringIO(text), delimiter=own))
        other = mark + written(rows, delimiter).replace("\n", newline)
        assert looks_like_csv(other)
        assert standings(kept(other)) == standings(kept(text))


def test_both_forms(tmp_path: Path) -> None:
    """Deals in lines and in columns are the same tournament."""
    lines, columns = (
        score_json(EXAMPLES / name) for name in ("tournament.csv", "tournament_columns.csv")
    )
    assert lines == columns
    assert [table["title"] for table in lines["tables"]] == ["1", "2"]
    assert lines["tables"][0]["sheet"]["mountain"] == [2, 20 + 4, 6]


def test_the_heading_decides() -> None:
    """A text is a tournament by its heading, quoted or after empty lines too; nothing else is."""
    for text in (
        "table,players\n",
        "players;table\n",
        "table\tdeal\r\n",
        '"table","players","deal"\n',
        '"table";"players"\r\n',
        "\n\r\n table , players\n",
        "\ufefftable",
    ):
        assert looks_like_csv(text), text
    for text in ("", "tables,players\n", "table = 1\n", '{"table": 1}', "players = []\n# table\n"):
        assert not looks_like_csv(text), text


def test_empty_lines_and_cells() -> None:
    """Empty lines and cells of spaces are nothing."""
    text = in_lines(LINE, RASPAS)
    spaced = "\n\n" + text.replace("\n", "\n,,,\n\n , ,  ,\n")
    assert standings(kept(spaced)) == standings(kept(text))


def test_quoted_tournaments_from_standard_input() -> None:
    """A spreadsheet that quotes every cell is read from standard input as well."""
    warm()
    rows = list(csv.reader(io.StringIO(in_lines(LINE))))
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)
    done = RUNNER.invoke(cli, ["score", "-"], input=text.encode())
    assert done.exit_code == 0 and done.stdout.startswith("table 1: Anna ")


def test_columns_of_a_deal() -> None:
    """Every column of a deal, with the meaning it has in a table of TOML."""
    heading = ("table", "players", "variant", *COLUMNS[5:])
    ours = [
        {"dealer": "Vera", "declarer": "Anna", "contract": "8♣", "result": "-1"}
        | {"calls": "Boris pass; Vera pass; Gleb whist", "hand": "Boris", "dealer": "Gleb"},
        {"declarer": "Boris", "contract": "7", "calls": "Vera whist 2, Gleb pass", "open": "yes"}
        | {"talon": "ace", "note": "late, and open"},
        {"contract": "raspas", "tricks": "Vera 2; Gleb=3; Anna: 5; Boris 0"},
        {"declarer": "Boris", "contract": "misere", "result": "-2", "tricks": "Gleb 3, Anna 5"},
    ]
    rows = [
        ["1", "Anna;Boris;Vera;Gleb", "fspr", *(one.get(k, "") for k in heading[3:])]
        for one in ours
    ]
    (pulka,) = kept(written([heading, *rows]))
    same = game(
        "Anna 8♣/-1, Boris pass, Vera pass, Gleb whist, hand Boris",
        {"Boris": "7", "Vera": "whist 2", "Gleb": "pass", "open": True, "talon": "ace"},
        {"Vera": 2, "Gleb": 3, "Anna": 5, "Boris": 0},
        {"Boris": "M/-2", "tricks": {"Gleb": 3, "Anna": 5}},
        players=4,
        variant="fspr",
    )
    assert pulka.sheet.whists == same.sheet.whists and pulka.sheet.pool == same.sheet.pool
    assert pulka.sheet.mountain == same.sheet.mountain
    results = [step.result for step in pulka.deals()]
    assert results == [step.result for step in same.deals()]
    assert pulka.steps[1].note == "late, and open"


def test_names_of_several_words() -> None:
    """A call or a count is the last word, or the last two."""
    heading = ("table", "players", "variant", "declarer", "contract", "result", "calls", "tricks")
    players = "Anna Maria;Boris 2;Vera"
    rows = [
        ("1", players, "sochi", "Vera", "6", "-1", "Anna Maria whist 2, Boris 2 whist 3", ""),
        ("1", "", "", "Anna Maria", "6", "-1", "Boris 2 whist; Vera pass", ""),
        ("1", "", "", "", "", "", "", "Anna Maria 2, Boris 2 3, Vera 5"),
    ]
    (pulka,) = kept(written([heading, *rows]))
    assert [step.result.tricks for step in pulka.deals() if step.result] == [
        [2, 3, 5],
        [5, 5, 0],
        [2, 3, 5],
    ]


def test_tables_between_each_other() -> None:
    """Rows of several tables may stand in any order; each table has its own dealer and variant."""
    rows = [
        ("b", "Gleb;Dina;Egor", "rostov", "Gleb 0, Dina 4, Egor 6"),
        ("a", PLAYERS, "sochi", RASPAS),
        ("b", "", "", "Gleb 6/=, Dina whist, Egor pass"),
        ("a", "", "", "Anna 7/-1, Boris whist 4, Vera pass"),
    ]
    text = written([("table", "players", "variant", "deal"), *rows])
    first, second = kept(text)
    assert (first.protocol.title, second.protocol.title) == ("b", "a")
    assert first.sheet.whists[0] == [0, 20, 30] and second.sheet.mountain == [4, 4, 6]
    assert [step.number for step in second.steps] == [1, 2]
    assert len(kept(text, variant=find_variant("sochi"))) == 2
    assert kept(text, variant=find_variant("sochi"))[0].sheet.mountain == [0, 4, 6]


def test_the_pool_of_a_tournament() -> None:
    """By the column, by ``--pool``, or the variant's."""
    text = in_lines(RASPAS)
    assert kept(text)[0].sheet.target == 20
    assert kept(text, pool=7)[0].sheet.target == 7
    heading = "table,players,variant,pool\n"
    assert kept(f"{heading}1,{PLAYERS},sochi,12\n")[0].sheet.target == 12
    assert kept(f"{heading}1,{PLAYERS},sochi,12\n", pool=7)[0].sheet.target == 7


def test_a_table_without_deals() -> None:
    """It counts, with nothing won."""
    pulkas = kept(f"table,players,variant\n1,{PLAYERS},sochi\n")
    assert [(one.tables, one.whists) for one in standings(pulkas)] == [(1, 0)] * 3


def test_a_variant_beside_the_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant's file is looked for beside the tournament, as beside a protocol."""
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "ours.toml").write_text(
        'title = "Ours"\nbase = "sochi"\n[raspas]\nprice = 3\n', encoding="utf-8"
    )
    (folder / "may.csv").write_text(in_lines(RASPAS, variant="ours.toml"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert score_json("club/may.csv")["tables"][0]["sheet"]["mountain"] == [0, 12, 18]


def test_options_of_a_tournament() -> None:
    """Variant, pool, rounding and language act on every table."""
    path = EXAMPLES / "tournament.csv"
    plain = score_json(path)
    assert score_json(path, "--rounding", "exact") == plain
    moved = score_json(path, "--rounding", "code")
    assert moved == score_json(path, "--variant", "sochi", "--rounding", "code")
    assert all(type(one["result"]) is int for one in moved["standings"])
    assert [one["variant"] for one in score_json(path, "--variant", "rostov")["tables"]] == [
        "rostov"
    ] * 2
    assert [one["pool"] for one in score_json(path, "--pool", "9")["tables"]] == [9, 9]
    text = score(path, "--lang", "ru").out
    assert text.startswith("стол 1: Anna 79⅓") and "место" in text


# Standings


def test_standings_of_the_example() -> None:
    """Counted by hand: whists over both tables, and the criteria."""
    anna = Fraction(10 * 43, 3) - 50 - 14 + Fraction(292, 3)
    pulkas = kept((EXAMPLES / "tournament.csv").read_text(encoding="utf-8"))
    assert standings(pulkas)[0] == Standing("Anna", 2, anna, 1, 0, 1, 0)
    boris = next(one for one in standings(pulkas) if one.name == "Boris")
    assert (boris.raspas_tricks, boris.remises, boris.misere_tricks) == (4, 1, 2)


def test_places() -> None:
    """By whists, then by name; players with as many whists share a place."""
    text = written(
        [
            ("table", "players", "variant", "deal"),
            ("1", "Vera;Boris;Anna", "sochi", "Vera 10/=, Boris pass, Anna pass"),
            ("2", "Gleb;Dina;Egor", "sochi", "Gleb 10/=, Dina pass, Egor pass"),
            ("3", "Zoya;Yuri;Xenia", "sochi", "Zoya 6/=, Yuri pass, Xenia pass"),
        ]
    )
    lines = standings_text(kept(text)).splitlines()[5:]
    placed = [line.split()[:2] for line in lines]
    assert placed == [
        *(["1", "Gleb"], ["1", "Vera"], ["3", "Zoya"], ["4", "Xenia"], ["4", "Yuri"]),
        *(["6", "Anna"], ["6", "Boris"], ["6", "Dina"], ["6", "Egor"]),
    ]
    names = [one["player"] for one in standings_json(kept(text))]
    assert names == [name for _, name in placed]


def test_many_tables() -> None:
    """Forty tables in a rotation: everybody plays, the results sum to zero, exactly."""
    pack = [f"P{k:02}" for k in range(30)]
    rows = [("table", "players", "variant", "pool", "deal")]
    for table in range(40):
        one, two, three = (pack[(table + k * (1 + table // 30)) % 30] for k in range(3))
        first = f"{one} 7/-1, {two} whist 3, {three} whist 1"
        rows.append((str(table), f"{one};{two};{three}", "sochi", "10", first))
        rows.append((str(table), "", "", "", f"{one} 0, {two} 4, {three} 6"))
    pulkas = kept(written(rows))
    ranked = standings(pulkas)
    assert len(pulkas) == 40 and len(ranked) == 30
    assert sum(one.tables for one in ranked) == 120
    assert sum((one.whists for one in ranked), Fraction(0)) == 0
    assert sum(one.raspas_won for one in ranked) == sum(one.remises for one in ranked) == 40
    assert sum(one.raspas_tricks for one in ranked) == 400
    assert [one.whists for one in ranked] == sorted((x.whists for x in ranked), reverse=True)
    text = standings_text(pulkas)
    assert len(text.splitlines()) == 40 + 1 + 1 + 30


def criteria(*deals: Any, **head: Any) -> dict[str, tuple[int, int, int, int]]:
    """Raspas won, tricks at raspas, contracts failed, tricks at misere, by player."""
    found = standings([game(*deals, **head)])
    return {
        one.name: (one.raspas_won, one.raspas_tricks, one.remises, one.misere_tricks)
        for one in sorted(found, key=lambda one: one.name)
    }


def test_criteria_of_three() -> None:
    """Counted by hand."""
    found = criteria(
        "Anna 0, Boris 4, Vera 6",
        "Anna 3, Boris 3, Vera 4",
        "Anna M/-2",
        "Boris M/=",
        "Vera 6/-1, Anna whist, Boris pass",
        "Vera 7/+1, Anna whist, Boris pass",
        "Boris 8/-3, Vera whist, Anna pass",
        "Boris 6/=, Anna half",
        "Anna 6/=, Boris pass, Vera pass",
        pool=1000,
    )
    assert found == {
        "Anna": (2, 3, 1, 2),
        "Boris": (1, 7, 1, 0),
        "Vera": (0, 10, 1, 0),
    }


def test_criteria_of_four() -> None:
    """The dealer of four takes no part in raspas, though the talon's tricks are his."""
    found = criteria(
        "Anna 3, Boris 3, Vera 4, Gleb 0",
        {"Boris": 2, "Vera": 3, "Gleb": 4, "Anna": 1},
        "Gleb M/-1, dealer Boris",
        players=4,
        pool=1000,
    )
    assert found == {
        "Anna": (1, 3, 0, 0),
        "Boris": (2, 5, 0, 0),
        "Gleb": (0, 4, 1, 1),
        "Vera": (0, 7, 0, 0),
    }


def test_a_concession_is_a_failed_contract() -> None:
    """It counts among the contracts that failed, though no card was played."""
    conventions = {"contract.concession": 3}
    assert criteria("Anna 6♣, concession", conventions=conventions)["Anna"] == (0, 0, 1, 0)


def test_a_player_at_tables_of_three_and_four() -> None:
    """His tables are added up, in each with his own part."""
    text = written(
        [
            ("table", "players", "variant", "deal"),
            ("1", ";".join(NAMES), "sochi", "Anna 0, Boris 4, Vera 6"),
            ("2", "Gleb;Anna;Dina", "sochi", "Gleb 0, Anna 4, Dina 6"),
        ]
    )
    by_name = {one.pop("player"): one for one in told(kept(text))}
    assert by_name["Gleb"]["tables"] == by_name["Anna"]["tables"] == 2
    assert by_name["Gleb"]["raspas_won"] == by_name["Anna"]["raspas_won"] == 1
    assert "raspas_tricks" not in by_name["Gleb"] and by_name["Anna"]["raspas_tricks"] == 4
    assert sum(Fraction(one.get("result", 0)) for one in by_name.values()) == 0


def test_tables_of_two() -> None:
    """Two players and razboinik stand among other tables, in columns and in lines."""
    heading = ("table", "players", "variant", "declarer", "contract", "result", "calls", "tricks")
    rows = [
        ("1", "Anna;Boris", "classic_two", "Anna", "6♣", "-1", "Boris whist open 5", ""),
        ("1", "", "", "Boris", "7", "=", "Anna втёмную 3", ""),
        ("1", "", "", "Anna", "8", "=", "Boris pass", ""),
        ("1", "", "", "", "raspas", "", "", "Anna 4, Boris 6"),
        ("2", "Anna;Boris", "razboinik", "Anna", "8♥", "-3", "", ""),
        ("2", "", "", "Boris", "misere", "-2", "", ""),
        ("2", "", "", "Anna", "6", "", "", "Anna 7"),
    ]
    two, table = kept(written([heading, *rows]))
    same = game(
        *("Anna 6♣/-1, Boris open 5", "Boris 7/=, Anna blind 3", "Anna 8/=, Boris pass"),
        "Anna 4, Boris 6",
        players=2,
        variant="classic_two",
    )
    assert [x.result for x in two.deals()] == [x.result for x in same.deals()]
    assert table.sheet.rows == [[0, None, 18, *[None] * 3], [*[None] * 5, 20]]
    lines = standings_text([two, table]).splitlines()
    assert lines[1] == "table 2: Anna 2, Boris -2"
    found = {one.name: one for one in standings([two, table])}
    assert (found["Anna"].raspas_won, found["Anna"].remises, found["Anna"].tables) == (1, 2, 2)
    assert (found["Boris"].remises, found["Boris"].misere_tricks) == (1, 2)
    assert found["Anna"].whists == two.sheet.settle()[0] + 2


def test_calls_of_several_words() -> None:
    """A name may end with what looks like a call; the last words are the call."""
    heading = ("table", "players", "variant", "declarer", "contract", "result", "calls")
    players = "Anna;Boris P"
    calls = ["Boris P open 4", "Boris P whist blind 4", "Boris P w open", "Boris P pass"]
    rows = [("1", players, "classic_two", "Anna", "6", "=", call) for call in calls]
    texts = [written([heading, row]) for row in rows]
    results = [kept(text)[0].deals()[0].result for text in texts]
    assert [result.open_play for result in results if result] == [True, False, True, False]


@pytest.mark.parametrize("word", ["thrown in", "Пересдача"])
def test_a_deal_thrown_in(word: str, tmp_path: Path) -> None:
    """In the column of the contract, where the variant plays no raspas."""
    (tmp_path / "ours.toml").write_text(
        'title = "Ours"\nbase = "classic_two"\n[dummy]\nraspas = "no_raspas"\n', encoding="utf-8"
    )
    text = f"table,players,variant,contract\n1,Anna;Boris,ours.toml,{word}\n"
    (tmp_path / "club.csv").write_text(text, encoding="utf-8")
    (table,) = score_json(tmp_path / "club.csv")["tables"]
    assert (table["deals"], table["sheet"]["mountain"]) == (1, [0, 0])


def test_events_are_not_for_tournaments(tmp_path: Path) -> None:
    """A line is a deal: nobody joins, stops or corrects in a CSV file."""
    for line in ("stop", "join Gleb", "time", "misrecord Anna"):
        (tmp_path / "club.csv").write_text(in_lines(RASPAS, line), encoding="utf-8")
        message = score_refused(tmp_path / "club.csv")
        assert f"table 1: entry 2: '{line}' begins with no player and no key" in message
