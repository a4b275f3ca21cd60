"""Packed rules as an ES module; actions that differ only in constants share a function that takes these.

    is_terminal(s)   to_move(s)   utility(s)   actions(s)   result(s, a)   symmetries   exchanged   ply

and `moves(s)`, the actions of a non-terminal state.

States are BigInt, truth values 0 and 1; `exchanged` and `ply` are null if the rules do not define them.
"""

from functools import partial

from solver.analysis.certificates.rules_code import LANGUAGES, function_for, function_of, of_action
from solver.engines.array_rules.tracing import templates, traced
from solver.packed import PackedGame
from solver.rules.asking import symmetries_of

JAVASCRIPT = LANGUAGES[-1]

WITH_ROW = JAVASCRIPT._replace(function=JAVASCRIPT.function.replace("(s)", "(s, row)"))
"""The language with functions that also take a row of constants of an action."""

TAIL = """\
export const moves = (s) => legal.flatMap((rule, a) => (rule(s) ? [a] : []));
export const actions = (s) => (is_terminal(s) ? [] : moves(s));
export const result = (s, a) => results[a](s);
export { is_terminal, to_move, utility };
"""


def printed_module(game: PackedGame) -> str:
    """The rules in JavaScript; raises `Untraceable` for rules that do more than apply operators."""
    printed = [
        function_for(JAVASCRIPT, name, getattr(game, name)) for name in ("is_terminal", "to_move", "utility")
    ]
    printed += [_of_actions(game, "legal", "legal"), _of_actions(game, "result", "results")]
    maps = [symmetry.state for symmetry in symmetries_of(game)]
    printed += [function_for(JAVASCRIPT, f"symmetry{nth}", image) for nth, image in enumerate(maps)]
    names = ", ".join(f"symmetry{nth}" for nth in range(len(maps)))
    printed.append(f"export const symmetries = [{names}];\n")
    for name in ("exchanged", "ply"):
        rule = getattr(game, name)
        is_known = rule(game.initial) is not None
        printed.append(
            f"export {function_for(JAVASCRIPT, name, rule)}" if is_known else f"export const {name} = null;\n"
        )
    return "".join([*printed, TAIL])


def _of_actions(game: PackedGame, rule: str, table: str) -> str:
    """The functions of a rule about actions, and the table of functions of a state, one for each action."""
    traces = {
        action: traced(partial(of_action, getattr(game, rule), action)) for action in range(game.action_count)
    }
    printed, entries = list[str](), dict[int, str]()
    for nth, template in enumerate(templates(traces)):
        places = {column: place for place, column in enumerate(template.columns)}
        constants = [
            f"row[{places[column]}]" if column in places else JAVASCRIPT.constant(column[0])
            for column in template.constants
        ]
        name = f"{rule}{nth}"
        printed.append(function_of(WITH_ROW, name, template.steps, template.answers[0], constants))
        for action, row in template.rows():
            entries[action] = f"(s) => {name}(s, [{', '.join(map(JAVASCRIPT.constant, row))}])"
    listed = ",\n".join(entries[action] for action in sorted(entries))
    return f"{''.join(printed)}const {table} = [\n{listed}\n];\n"
