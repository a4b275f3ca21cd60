"""A plan as SVG, PNG or PDF."""

from functools import partial

from exporters.diagram import dot
from exporters.diagram.excerpt import legible_depth
from exporters.diagram.rendering import rendered
from exporters.diagram.scene import FEW_POSITIONS, Scene, make_scene
from exporters.palette import plain
from exporters.svg.plan_map import page as plan_map
from solver.analysis.certificates.mark import lines_of
from solver.database.wording import plies
from solver.errors import NotLegible
from solver.plans.plan import Plan, unfold
from solver.plans.wording import plan_title
from solver.system.words import number_of

ADVICE = "use a smaller --depth, a later position, or --format json"


def render(plan: Plan, depth: int | None = None, follow: str | None = None, *, picture_format: str) -> bytes:
    """The picture of `plan` as "svg", "png" or "pdf"; `depth` and `follow` are as in `excerpt`.

    A PDF fits a sheet of paper. Raises `NotLegible` if the picture would be too large, and what `excerpt`
    raises.
    """
    scene = make_scene(plan, depth, follow)
    title = plan_title(plan, scene.graph)
    return rendered(dot.digraph(scene), picture_format, title, description(scene), ADVICE)


def description(scene: Scene) -> str:
    """The diagram as text: its size, its legend, and the owner's move in each position."""
    part, owner = scene.part, scene.plan.owner_name
    moves = dict.fromkeys((before.position, after.position) for before, after in part.moves)
    size = f"{number_of(len(part.positions), 'position')} and {number_of(len(moves), 'move')}"
    lines = [f"{size} in {plies(len(part.plies) - 1)}.", f"{'; '.join(dot.legend(scene))}."]
    for position, child in moves:
        if scene.kind(position) == "or":
            lines.append(f"In {position} {owner} plays {scene.names(position, child)}.")
    return "\n".join(map(plain, [*lines, *lines_of(scene.plan.marks)]))


def in_notebook(plan: Plan) -> str:
    """The SVG of `plan` for a notebook: its map, or a diagram if boards do not nest, cut to be legible."""
    try:
        return plan_map.render(plan, plan_map.legible_depth(plan))
    except NotLegible:
        return svg(plan, legible_depth(unfold(plan), FEW_POSITIONS)).decode()


svg, png, pdf = (partial(render, picture_format=name) for name in ("svg", "png", "pdf"))
