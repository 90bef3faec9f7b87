"""Whether anybody gains by leaving a stored fixpoint: ``python -m benchmarks.shifts [NAME/N ...]``.

For each variant and number of players the gains of all shifts of one seat's thresholds, in whists a
deal, and the largest of them by the scale of sochi.
"""

from __future__ import annotations

import click

from bots.study.fixpoints import shipped
from bots.study.student import parts
from scoring.variant import find_variant
from sim.training.settling import MOST_GAIN, SCALE, parse_tables
from sim.training.shifts import format_gains, largest, shift_gains
from sim.training.student import Student


@click.command()
@click.argument("tables", nargs=-1)
@click.option("--deals", default=120_000, show_default=True, help="Deals of each shift.")
@click.option("--seed", default=77, show_default=True, help="Seed of the deals.")
def main(tables: tuple[str, ...], deals: int, seed: int) -> None:
    """Tell the gains for all that is stored, or for these TABLES alone."""
    student = Student(**parts())
    stored = [(one["variant"], one["players"]) for one in shipped()]
    unit = student.unit(find_variant(SCALE).rules(3))
    above = []
    for name, players in parse_tables(",".join(tables)) if tables else stored:
        rules = find_variant(name).rules(players)
        gains = shift_gains(student, rules, student.learned(rules), seed, deals)
        best = largest(gains)
        scaled = best.mean * unit / student.unit(rules)
        click.echo(f"{name}, {players} players: {scaled:+.3f} by {best.threshold} {best.shift:+}")
        click.echo(format_gains(gains) + "\n")
        if scaled > MOST_GAIN:
            above.append(f"{name}/{players}")
    click.echo(f"above {MOST_GAIN}: {', '.join(above) or 'none'}")


if __name__ == "__main__":
    main()
