"""A plan as SVG, PNG or PDF."""

from functools import partial

from exporters.diagram import dot
from exporters.diagram.description import description
from exporters.diagram.excerpt import legible_depth
from exporters.diagram.rendering import rendered
from exporters.diagram.scene import FEW_POSITIONS, make_scene
from exporters.svg.plan_map import page as plan_map
from solver.errors import NotLegible
from solver.plans.plan import Plan, unfold
from solver.plans.wording import plan_title

ADVICE = "use a smaller --depth, a later position, or --format json"


def render(plan: Plan, depth: int | None = None, follow: str | None = None, *, picture_format: str) -> bytes:
    """The picture of `plan` as "svg", "png" or "pdf"; `depth` and `follow` are as for `excerpt`.

    A PDF fits a sheet of paper. Raises `NotLegible` if the picture would be too large, and the errors of
    `excerpt`.
    """
    scene = make_scene(plan, depth, follow)
    title = plan_title(plan, scene.graph)
    return rendered(dot.digraph(scene), picture_format, title, description(scene), ADVICE)


def in_notebook(plan: Plan) -> str:
    """The SVG of `plan` for a notebook: its map, or a diagram if boards do not nest, cut where legible."""
    try:
        return plan_map.render(plan, plan_map.legible_depth(plan))
    except NotLegible:
        return svg(plan, legible_depth(unfold(plan), FEW_POSITIONS)).decode()


svg, png, pdf = (partial(render, picture_format=name) for name in ("svg", "png", "pdf"))
