"""`perfectplay check`."""

import click

from solver.commands.arguments import as_parameters, assignment
from solver.commands.options import command, names_game, number, prints_json
from solver.commands.output import bound_memory, say
from solver.rules.loading import game_name, game_parameters, load_game
from solver.system.words import number_of


@command("perfectplay check nim heaps=3,4,5", "perfectplay check connect rows=6 columns=7 --states 500")
@names_game("parameters", "[PARAM=VALUE]...", type=assignment)
@number("--states", default=2000, words="States to test.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random games.")
@prints_json
def check(game: str, parameters: tuple[tuple[str, str], ...], states: int, seed: int, as_json: bool) -> None:
    """Test the rules of a game for consistency.

    GAME is a name that `perfectplay games` lists, or FILE.py:CLASS. A game of up to N states is tested
    completely, a larger one in its first N states and in random games. Each kind of fault is printed with a
    position that shows it. The exit status is 1 if there are faults.
    """
    from solver.rules.check import check as check_game, misspelled

    bound_memory()
    rules = load_game(game, as_parameters(parameters))
    report = check_game(rules, states=states, seed=seed)
    for hint in misspelled(rules):
        click.echo(hint, err=True)
    facts = {
        "game": game_name(rules),
        "parameters": game_parameters(rules),
        "states": report.states,
        "whole": report.whole,
        "faults": report.faults,
    }
    counted = number_of(report.states, "state")
    tested = f"all {counted}" if report.whole else f"{counted}; the game has more, which were not tested"
    words = [f"{game}: {fault}" for fault in report.faults] or [f"{game}: no fault found in {tested}."]
    say(facts if as_json else "\n".join(words))
    if report.faults:
        raise SystemExit(1) from report.error
