"""`perfectplay stats`."""

import json
from typing import Any

import click

from solver.database import open_database
from solver.statistics import longest_wins, statistics
from solver.words import plies, standing


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(file: str, as_json: bool) -> None:
    """Count the states of the database FILE: per ply, by outcome, by remoteness, and the longest wins."""
    with open_database(file) as db:
        found = statistics(db)
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False))
            return
        start = db[db.start]
        click.echo(_overview(found))
        click.echo(f"start       {standing(start.to_move, start.outcome, start.remoteness)}")
        click.echo(f"best move   {start.best_move}")
        for position, remoteness in longest_wins(db):
            click.echo(f"longest win {position}  in {plies(remoteness)}")


def _overview(found: dict[str, Any]) -> str:
    parameters = "".join(f" {name}={json.dumps(value)}" for name, value in found["parameters"].items())
    lines = [
        f"game        {found['game']}{parameters}",
        f"states      {found['states']:,}, {found['terminal']:,} of them terminal; {found['moves']:,} moves",
        f"outcomes    {_list(found['outcomes'])} for the player to move",
        f"values      {_list(found['values'])} for the first player",
    ]
    lines += [
        f"{outcome} in     " + _list({f"{ply}:": count for ply, count in counts.items()}, reverse=False)
        for outcome, counts in found["remoteness"].items()
    ]
    if found["per_ply"]:
        lines.append(f"per ply     {' '.join(map(str, found['per_ply']))}")
    return "\n".join(lines)


def _list(counts: dict[str, int], *, reverse: bool = True) -> str:
    """Counts by name in one line."""
    texts = (f"{count:,} {name}" if reverse else f"{name} {count:,}" for name, count in counts.items())
    return ", ".join(texts)
