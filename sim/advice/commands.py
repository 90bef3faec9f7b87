"""The commands at the table: a person plays against bots, a bot gives advice.

The command line hands over how a bot is found, which these modules may not know.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cli_tools import SETTINGS, VARIANT, errors, print_json, say_if_cold

if TYPE_CHECKING:
    from scoring.variant import Variant

    from ..botcall import Bot
    from ..show import Story
    from ..table import Table
    from .ask import Mind
    from .evening import Evening
    from .position import Described
    from .screen import Screen

Find = Callable[[str], "Bot"]

PLAYS, ADVISES = "expert", "sampling"
"""Who does where nobody is named."""


def add_commands(cli: click.Group, find: Find) -> None:
    """Add the commands to a group; ``find`` finds a bot by its text."""
    cli.add_command(_play_command(find))
    cli.add_command(_advise_command(find))


def _read_line() -> str | None:
    """An answer typed by a person, or a line of a pipe, which is echoed; None at the end."""
    from scoring.errors import PreferansError

    try:
        text = input("> ")
    except EOFError:
        click.echo()
        return None
    except UnicodeDecodeError as error:
        raise PreferansError(f"standard input is not text in UTF-8: {error.reason}") from None
    if not sys.stdin.isatty():
        click.echo(text)
    return text


def check_seed(seed: int | None) -> int:
    """A seed as given, or a new one to play again. WrongUse."""
    from scoring.errors import WrongUse

    if seed is None:
        return secrets.randbelow(10**9)
    if not 0 <= seed < 1 << 63:
        raise WrongUse(f"seed {seed} is not possible: write 0 to {(1 << 63) - 1}")
    return seed


def _hinter(mind: Mind, evening: Evening) -> Callable[[], Sequence[str]]:
    """Asks a bot about the decision at the table."""

    def hint() -> Sequence[str]:
        from .report import hint_lines

        return hint_lines(mind, evening.table, evening.rules)

    return hint


def _play_deals(
    evening: Evening, screen: Screen, write: Callable[[Story, int], None], deals: int | None
) -> int:
    """Play deals until the pulka ends or so many are played; tells each, and returns how many."""
    from ..telling import format_story

    k = 0
    while deals is None or k < deals:
        story = evening.deal(screen)
        k += 1
        write(story, k)
        click.echo("")
        click.echo(format_story(story, evening.table))
        if evening.over:
            click.echo(f"\nthe pulka is over after {k} deals")
            return k
    return k


def _tell_end(evening: Evening, screen: Screen, played: int, file: Path | None) -> None:
    """The settlement so far, and where the deals are."""
    from ..telling_words import twelfths

    if played:
        balance = evening.table.hidden["balance"]
        n = int(evening.table.view["n_players"])
        told = [f"{screen.name(player)} {twelfths(balance[player])}" for player in range(n)]
        click.echo(f"settlement in whists: {', '.join(told)}")
    if file is not None:
        count = "1 deal is" if played == 1 else f"{played} deals are"
        click.echo(f"{count} recorded in {file}")


def _play_command(find: Find) -> click.Command:
    @click.command()
    @click.option("--variant", type=VARIANT, required=True, help="Variant to play.")
    @click.option(
        "--bots",
        "bots_text",
        default=PLAYS,
        show_default=True,
        metavar="A[,B[,C]]",
        help="The others: one bot for all, or one for each in the order of the players.",
    )
    @click.option(
        "--players",
        type=int,
        default=None,
        help="Players with you, 2, 3 or 4 as the variant allows.  [default: 3, or the variant's]",
    )
    @click.option(
        "--seat",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Your seat: 1 is the eldest hand of the first deal.",
    )
    @click.option("--seed", type=int, default=None, help="Seed of the deals.  [default: a new one]")
    @click.option(
        "--deals", type=click.IntRange(min=1), default=None, help="Stop after so many deals."
    )
    @click.option(
        "--pool",
        type=int,
        default=None,
        help="Target as for `preferans simulate`.  [default: the variant's]",
    )
    @SETTINGS
    @click.option(
        "--record",
        type=click.Path(path_type=Path, dir_okay=False),
        default=None,
        help="Add each deal to this file of records (docs/records.md).",
    )
    @click.option(
        "--hints",
        "hints_text",
        default=ADVISES,
        show_default=True,
        metavar="BOT",
        help="Whom to ask by ?.",
    )
    def play(variant: Variant, seat: int, record: Path | None, **options: Any) -> None:
        """Play against bots in the terminal.

        You are asked in words and answer by a word or its number; ? asks a bot for a hint, q leaves
        the table. Deals that were finished are kept in the file of --record.
        """
        with errors(f"the deals finished are in {record}" if record else ""):
            say_if_cold()
            _play(find, variant, seat, record, options)

    return play


def _play(
    find: Find, variant: Variant, seat: int, record: Path | None, options: dict[str, Any]
) -> None:
    from scoring.errors import WrongUse
    from scoring.variant import parse_setting

    from .ask import Mind
    from .evening import Evening, RecordFile, decider, find_seats, recorder
    from .person import Person, Quit
    from .screen import Screen

    chosen = variant.with_settings(dict(parse_setting(text) for text in options["settings"]))
    players, pool = chosen.table_size(options["players"]), chosen.target(options["pool"])
    if seat > players:
        raise WrongUse(f"--seat {seat}: there are {players} players, write 1 to {players}")
    me, seed = seat - 1, check_seed(options["seed"])
    rules = chosen.rules(players, pool)
    seats = find_seats([find(text) for text in options["bots_text"].split(",")], players, me)
    adviser = Mind(find(options["hints_text"]), rules, seed)
    minds = {player: Mind(bot, rules, seed + player) for player, bot in seats.items()}
    file = None if record is None else RecordFile(record)
    evening = Evening(rules, seed, {player: decider(mind) for player, mind in minds.items()})
    screen = Screen(evening.table, me, click.echo)
    person = Person(_read_line, click.echo, _hinter(adviser, evening))

    def choose(table: Table) -> Sequence[int]:
        return person.choose(table, screen)

    evening.seat(me, choose)
    names = ", ".join(f"player {player}: {bot.name}" for player, bot in seats.items())
    click.echo(f"{chosen.title}, seed {seed}: you are player {me}; {names}")
    note = f"a person as player {me}, seed {seed}"
    write = recorder(file, chosen, players, pool, note)
    played = 0

    def written(story: Story, k: int) -> None:
        nonlocal played
        write(story, k)
        played = k

    try:
        _play_deals(evening, screen, written, options["deals"])
    except Quit:
        click.echo("you leave the table; the deal that is not finished does not count")
    _tell_end(evening, screen, played, record)


# Advice


def _advise_command(find: Find) -> click.Command:
    @click.command()
    @click.argument("hand")
    @click.option("--variant", type=VARIANT, required=True, help="Variant that is played.")
    @click.option(
        "--players",
        type=int,
        default=None,
        help="Players, 2, 3 or 4 as the variant allows.  [default: 3, or the variant's own]",
    )
    @click.option(
        "--position",
        type=click.IntRange(1, 3),
        default=None,
        help="Number of the hand, 1 is the eldest.  [default: whose turn it is after the calls]",
    )
    @click.option(
        "--calls",
        "calls_text",
        default="",
        metavar='"WORDS"',
        help="What was said so far by all, in order: 'pass 6S pass'; then two cards laid away by "
        "the hand that asks, the contract, whist calls.",
    )
    @click.option(
        "--talon", "talon_text", default="", metavar='"CARDS"', help="The talon, in its order."
    )
    @click.option(
        "--cards",
        "cards_text",
        default="",
        metavar='"CARDS"',
        help="The cards played so far by all, in order.",
    )
    @click.option(
        "--open",
        "open_texts",
        multiple=True,
        metavar="N=HAND",
        help="The ten cards of the hand N at the first card, where it lies open; may be repeated.",
    )
    @click.option(
        "--pool", type=int, default=None, help="Target as for `preferans simulate`, on a new sheet."
    )
    @SETTINGS
    @click.option(
        "--bot",
        "bot_text",
        default=ADVISES,
        show_default=True,
        help="Whom to ask: NAME, NAME@key=value or mybots.py:Name.",
    )
    @click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bot.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
    def advise(hand: str, variant: Variant, as_json: bool, **options: Any) -> None:
        """Ask a bot what to call, lay away or play with the cards HAND (AKQ.T98.J7.A8: ♠.♣.♦.♥).

        A bot that thinks says what each action is worth to the player in whists, with 95 %
        intervals, the best first.

        \b
          preferans advise AKQ.T98.J7.A8 --variant sochi --calls "pass 6S"
          preferans advise AKQJT.98.J7.A --variant sochi --position 1 \\
              --calls "6S pass pass" --talon "H7 D9"
        """
        with errors():
            say_if_cold()
            _advise(find, hand, variant, as_json, options)

    return advise


def _parse_cards(text: str, option: str) -> list[int]:
    from scoring.errors import WrongUse

    from ..cards import parse_card

    try:
        return [parse_card(word) for word in text.replace(",", " ").split()]
    except ValueError as error:
        raise WrongUse(f"{option}: {error}") from None


def _parse_hand(text: str, where: str) -> int:
    from scoring.errors import WrongUse

    from ..cards import parse_hand

    try:
        return parse_hand(text)
    except ValueError as error:
        raise WrongUse(f"{where}{error}") from None


def _parse_open(texts: Sequence[str]) -> dict[int, int]:
    from scoring.errors import WrongUse, quoted

    from ..cards import HAND_SIZE

    opened = {}
    for text in texts:
        number, _, cards = text.partition("=")
        if number.strip() not in ("1", "2", "3"):
            raise WrongUse(f"--open: {quoted(text)} begins with no hand: write 2=AKQ.T98.J7.A8")
        opened[int(number) - 1] = _parse_hand(cards, "--open: ")
        count = opened[int(number) - 1].bit_count()
        if count != HAND_SIZE:
            raise WrongUse(f"--open: hand {number.strip()} has {count} cards, not ten")
    return opened


def _described(hand: str, options: dict[str, Any]) -> Described:
    from scoring.errors import WrongUse

    from ..cards import TALON_SIZE
    from .position import Described

    talon = _parse_cards(options["talon_text"], "--talon")
    if len(talon) > TALON_SIZE or len(set(talon)) < len(talon):
        raise WrongUse("--talon: the talon has two different cards")
    position = options["position"]
    return Described(
        _parse_hand(hand, ""),
        None if position is None else position - 1,
        options["calls_text"].replace(",", " ").split(),
        talon,
        _parse_cards(options["cards_text"], "--cards"),
        _parse_open(options["open_texts"]),
    )


def _advise(
    find: Find, hand: str, variant: Variant, as_json: bool, options: dict[str, Any]
) -> None:
    from scoring.variant import parse_setting

    from .ask import Mind
    from .position import find_decision
    from .report import advice_json, advise, format_advice

    chosen = variant.with_settings(dict(parse_setting(text) for text in options["settings"]))
    rules = chosen.rules(options["players"], options["pool"])
    seed = check_seed(options["seed"])
    decision = find_decision(rules, _described(hand, options), seed)
    mind = Mind(find(options["bot_text"]), rules, seed)
    said = advise(decision, mind, rules)
    if as_json:
        print_json(advice_json(decision, mind, said, chosen))
    else:
        click.echo(format_advice(decision, mind, said, chosen))
