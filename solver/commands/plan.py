"""`perfectplay plan`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from solver.commands import completion
from solver.commands.arguments import DATABASE, FiniteFloat
from solver.commands.options import command, marks, names_side, number, reads_files, writes
from solver.commands.output import bound_memory, deliver, target_of
from solver.database import open_database
from solver.errors import BadPlan, BrokenPlan, UsageError
from solver.system.progress import terminal_progress, waiting
from solver.system.strict_json import parse_json


def _goal(text: str) -> str | int:
    """The goal in the form of `Plan.goal`: "win", "draw" or an integer."""
    try:
        return text if text in ("win", "draw") else int(text)
    except ValueError:
        raise ValueError(f"{text!r} should be win, draw or an integer such as 2 or -3") from None


def _refuse_ending(output: str) -> None:
    from solver.plans.formats import format_of

    given = click.get_current_context().params
    if output != "-" and not (given["name"] or given["tree"]):
        format_of(Path(output))


@command(
    "perfectplay plan tictactoe.db --for o -o plan.json",
    'perfectplay plan tictactoe.db "xo..x...." --for x -o plan.svg',
    sections={
        "Which plan": ("owner", "goal", "smallest", "fold", "time_limit"),
        "What is written": ("output", "name", "tree", "depth", "follow", "certificates", "as_json"),
    },
    only_with={"time_limit": "smallest"},
)
@click.argument("file", type=DATABASE)
@click.argument("position", required=False)
@names_side("owner", "Owner of the plan; default: the player to move.")
@click.option(
    "--goal",
    type=_goal,
    metavar="WIN|DRAW|N",
    help="Value to guarantee: win, draw or a score such as 2 or -3; default: win if possible, else draw.",
)
@click.option(
    "--smallest",
    is_flag=True,
    help="Find the smallest plan that achieves the goal, even if play takes longer.",
)
@click.option("--fold", is_flag=True, help="Keep one representative of each class of symmetric positions.")
@click.option(
    "--time-limit",
    type=FiniteFloat(min=0, min_open=True),
    metavar="SECONDS",
    default=60,
    show_default=True,
    help="Limit of --smallest; counted in steps, so that every machine finds the same plan.",
)
@number("--depth", words="Cut a picture N plies below the root.")
@click.option(
    "--follow",
    metavar='"MOVE ..."',
    help="In a picture, draw only these replies; after the last of them, draw all replies.",
)
@writes("FILE", "Output file; default, or with -: standard output.", check=_refuse_ending)
@click.option(
    "--format",
    "name",
    metavar="NAME",
    is_eager=True,
    shell_complete=completion.formats,
    help="Format; default: by the suffix of the output file, else json.",
)
@click.option("--tree", is_flag=True, is_eager=True, help="Draw the plan as a tree; short for --format tree.")
@marks
@reads_files
def plan(
    file: str,
    position: str | None,
    smallest: bool,
    depth: int | None,
    follow: str | None,
    output: str | None,
    name: str | None,
    tree: bool,
    certificates: Sequence[str],
    as_json: bool,
    **options: Any,
) -> None:
    """Extract a strategy (AND-OR plan) and write or draw it.

    FILE is a database, POSITION a state as text (default: the start). The plan has one move for each position
    in which its owner is to move, and every reply of the opponent.

    The formats are json (for programs to play by), nested-json (the textbook's nested list), gv and dot (DOT
    text), svg, png and pdf (pictures), tree (a node for each line of play), map (boards inside boards), html
    (a page to play against), and those of installed packages.
    """
    from solver.analysis.certificates.mark import mark_of
    from solver.database.wording import plies
    from solver.plans.formats import TREES, format_of, refuse_unfit, render, takes
    from solver.plans.plan import unfold
    from solver.plans.selection import choose_plan
    from solver.plans.selection.choose import FAST_LIMIT, WHOLE_LIMIT
    from solver.plans.wording import plan_guarantee, plan_size
    from solver.proof.plan import verify_document, verify_plan

    path = target_of(output, "plan")
    if tree and name not in (None, "tree"):
        raise UsageError(f"--tree is --format tree: omit it or --format {name}")
    name = "tree" if tree else name or (format_of(path) if path else "json")
    refuse_unfit(name, depth, follow)
    bound_memory()
    with terminal_progress("positions") as progress:
        with open_database(file) as db:
            about = db.game, db.start if position is None else position, db.endless
            marks = tuple(mark_of(certificate, *about, progress=progress) for certificate in certificates)
            made = choose_plan(
                db,
                position,
                **options,
                smallest=smallest,
                tree=smallest and name in TREES,
                depth=depth,
                limit=FAST_LIMIT if takes(name, "depth") and follow is None else WHOLE_LIMIT,
                progress=progress,
            )
            made = replace(made, plan=replace(made.plan, marks=marks))
        try:
            with waiting(progress, "proving and writing"):
                verify_plan(made.plan)
                rendered = render(made.plan, name, depth, follow, path.suffix[1:].lower() if path else None)
                if name == "json":
                    verify_document(parse_json(rendered, "the plan"), game=made.plan.game)
        except BadPlan as error:
            raise BrokenPlan(
                "nothing is written: the plan that was made fails its proof, so the database, the rules or "
                f"this program are at fault: {error}"
            ) from error
    if path is None and not as_json:
        click.echo(rendered, nl=False)
        if smallest:
            click.echo(plan_size(made), err=True)
        return
    cut = f", at most {plies(depth)} drawn" if depth else ""
    cut += f", after the replies {follow}" if follow else ""
    promise = plan_guarantee(made.plan, unfold(made.plan))
    deliver(
        rendered,
        path,
        f"{promise}; {plan_size(made)}{cut}",
        as_json=as_json,
        format=name,
        owner=made.plan.owner_name,
        root=made.plan.root,
        value=made.plan.value,
        guarantee=promise,
        folded=made.plan.folded,
        positions=made.size,
        at_least=made.at_least,
    )
