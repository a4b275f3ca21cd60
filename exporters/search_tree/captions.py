"""The finding of a search in a node, as the lines of a caption."""

from math import inf
from typing import Any, NamedTuple

from solver.database.wording import ending
from solver.game import AnyGame, outcome_sign
from solver.rules.asking import utility_of
from solver.search.and_or.game_problem import Endless
from solver.search.trace import Finding, Interval, Sample, SearchTrace, TracedNode, Visit
from solver.system.words import number_of

MINUS = "\N{MINUS SIGN}"

ALPHA, BETA = "\N{GREEK SMALL LETTER ALPHA}", "\N{GREEK SMALL LETTER BETA}"


class Notation(NamedTuple):
    """The notation of values."""

    scored: bool
    """Whether values are scores beyond win, draw and loss."""
    guessed: bool
    """Whether some values may come from the heuristic."""


def notation_of(trace: SearchTrace) -> Notation:
    """The notation of all values in a trace."""
    values = [value for node in trace.nodes for value in _utilities(node.finding)]
    values += [utility for _, utility in trace.playouts]
    values += [utility_of(trace.game, node.state) for node in trace.nodes if _is_end(node)]
    guessed = any(node.visit is Visit.EVALUATED for node in trace.nodes)
    return Notation(any(abs(value) > 1 for value in values), guessed)


def value_text(value: Any, notation: Notation) -> str:
    """A value for the first player: a score, or +1, 0 or -1; an evaluation is preceded by ≈."""
    utility, guess = value if isinstance(value, tuple) else (value, None)
    if guess is None or utility or not notation.guessed:
        return _signed(utility, plus=not notation.scored)
    return f"≈ {_signed(round(guess, 2), plus=False)}"


def window_text(letter: str, value: Any, notation: Notation) -> str:
    """Alpha or beta with its value: "α = 3"; before an evaluation, ≈ replaces =."""
    shown = value_text(value, notation)
    return f"{letter} {shown}" if shown.startswith("≈") else f"{letter} = {shown}"


def interval_text(finding: Interval, notation: Notation) -> str:
    """An interval: its only value, one bound, both bounds, or ""."""
    bounds = finding.low, finding.high
    low, high = (None if bound is None else value_text(bound, notation) for bound in bounds)
    if low is None or high is None:
        return "" if low == high else f"≤ {high}" if low is None else f"≥ {low}"
    return low if low == high else f"[{low}, {high}]"


def caption(game: AnyGame, node: TracedNode, finding: Finding, notation: Notation) -> list[str]:
    """The lines for a `finding`, which may be provisional, in the node."""
    more = " …" if node.hidden else ""
    if node.visit is Visit.CUT or finding is None:
        return []
    if node.visit is Visit.HORIZON:
        return ["…"]
    if isinstance(finding, Sample):
        visits = f"{number_of(finding.visits, 'visit')}{more}"
        if finding.proved is None:
            return [f"{finding.mean:+.2f}".replace("-", MINUS) if finding.visits else "", visits]
        proved = "" if node.visit is Visit.TERMINAL else " proved"
        return [f"{value_text(finding.proved, notation)}{proved}", visits]
    if isinstance(finding, bool):
        return [f"{_verdict(game, node, notation, succeeds=finding)}{more}", *_memory(node)]
    if node.visit is Visit.TERMINAL:
        return [value_text(_utility(finding.low), notation)]
    return [f"{interval_text(finding, notation)}{more}", *_memory(node)]


def sign_of(node: TracedNode, notation: Notation) -> int | None:
    """The outcome for the first player, or for the owner in AND-OR search: 1, 0 or -1; None if not known."""
    finding = node.finding
    if finding is None:
        return None
    if isinstance(finding, bool):
        return 1 if finding else -1
    if isinstance(finding, Sample):
        return None if finding.proved is None else outcome_sign(finding.proved)
    guessed = notation.guessed and node.visit is not Visit.TERMINAL
    low, high = (_sign(bound, guessed=guessed) for bound in (finding.low, finding.high))
    if low is not None and low == high:
        return low
    return 1 if low == 1 else -1 if high == -1 else None


def _sign(bound: Any, *, guessed: bool) -> int | None:
    """The sign of a bound; None if there is no bound, or only an evaluation."""
    if bound is None or (guessed and isinstance(bound, tuple) and not bound[0]):
        return None
    return outcome_sign(_utility(bound))


def _verdict(game: AnyGame, node: TracedNode, notation: Notation, *, succeeds: bool) -> str:
    if _is_end(node):
        utility = utility_of(game, node.state)
        return ending(game, utility, abs(utility) if notation.scored else None)
    return "plan" if succeeds else "no plan"


def _is_end(node: TracedNode) -> bool:
    """Whether the game is over in the state of a node; Endless represents endless play."""
    return node.visit is Visit.TERMINAL and not isinstance(node.state, Endless)


def _memory(node: TracedNode) -> list[str]:
    return {Visit.KNOWN: ["known"], Visit.REPEATED: ["again"]}.get(node.visit, [])


def _signed(number: float, *, plus: bool) -> str:
    """The number with a true minus sign, and with a plus sign if `plus`."""
    if abs(number) == inf:
        return f"{MINUS if number < 0 else '+'}∞"
    shown = f"{abs(number):,}" if isinstance(number, int) else f"{abs(number):,g}"
    return f"{MINUS if number < 0 else '+' if number > 0 and plus else ''}{shown}"


def _utility(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


def _utilities(finding: Finding) -> list[int]:
    if isinstance(finding, Interval):
        return [_utility(bound) for bound in (finding.low, finding.high) if bound is not None]
    return [finding.proved] if isinstance(finding, Sample) and finding.proved is not None else []
