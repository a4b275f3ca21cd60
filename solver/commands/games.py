"""`perfectplay games`."""

from typing import Any

import click

from solver.commands import completion
from solver.commands.options import command, prints_json
from solver.commands.output import say
from solver.errors import BadParameter, SolverError
from solver.rules.asking import bound_of
from solver.rules.loading import description_of, game_class, load_game
from solver.rules.parameters import PLAIN, defaults_of, in_words, parameter_types, typed
from solver.system.plugins import entries
from solver.system.words import in_digits


@command("perfectplay games", "perfectplay games connect")
@click.argument("name", required=False, shell_complete=completion.games)
@prints_json
def games(name: str | None, as_json: bool) -> None:
    """List the games, or the parameters of one game."""
    if name is None:
        listed = {game: _summary(game) for game in entries("games")}
        facts = {"games": [{"name": game, "summary": text} for game, text in listed.items()]}
        width = max(map(len, listed))
        say(facts if as_json else "\n".join(f"{game:<{width}}  {text}" for game, text in listed.items()))
    else:
        described = _described(name)
        bound, size = _size(name)
        words = f"{_in_words(described)}\nsize        {size}"
        say({**described, "states_at_most": bound} if as_json else words)


def _summary(name: str) -> str:
    try:
        return (description_of(game_class(name)) or "").partition("\n")[0]
    except SolverError as error:
        return " ".join(f"broken: {error}".split())


def _described(name: str) -> dict[str, Any]:
    rules = game_class(name)
    defaults = defaults_of(rules)
    return {
        "name": name,
        "description": description_of(rules),
        "players": list(rules.players) if isinstance(rules.players, tuple | list) else None,
        "parameters": [
            {
                "name": parameter,
                "type": wanted.__name__ if wanted in PLAIN else in_words(wanted),
                "required": parameter not in defaults,
                **({"default": defaults[parameter]} if parameter in defaults else {}),
            }
            for parameter, wanted in parameter_types(rules).items()
        ],
    }


def _in_words(game: dict[str, Any]) -> str:
    lines = [f"{game['name']}: {game['description'] or 'no description, as the class has no docstring'}", ""]
    if game["players"] is not None:
        lines.append(f"players     {', '.join(game['players'])}")
    for parameter in game["parameters"]:
        default = "required" if parameter["required"] else f"default {typed(parameter['default'])}"
        lines.append(f"parameter   {parameter['name']} ({parameter['type']}, {default})")
    if not game["parameters"]:
        lines.append("parameters  none")
    return "\n".join(lines)


def _size(name: str) -> tuple[int | None, str]:
    """The upper bound on the number of states with the default parameters, None if unknown, and its text."""
    try:
        bound = bound_of(load_game(name))
    except BadParameter:
        return None, "depends on the parameters"
    if bound is None:
        return None, "unknown before solving"
    return bound, f"at most {in_digits(bound)} states with the defaults"
