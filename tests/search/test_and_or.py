"""AND-OR search: plans for games and for the textbook's vacuum worlds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from solver.errors import TooLarge
from solver.game import ENDLESS, AnyGame
from solver.games.mnk import MNK, TicTacToe
from solver.games.ponghauki import PongHauKi
from solver.plans.plan import Plan
from solver.proof.plan import verify_plan
from solver.search.and_or.cyclic import cyclic_plan
from solver.search.and_or.game_problem import and_or
from solver.search.and_or.problem import Problem, nested_plan, plan_text
from solver.search.and_or.search import UnsettledStates, and_or_search
from solver.search.interface import Settings
from solver.search.tree import NodeBudget
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.search_examples import EXAMPLES, labelled

GOALS, SIDES = {"win": 1, "draw": 0}, st.integers(0, 1)


@pytest.mark.parametrize(
    "example",
    [*EXAMPLES["plans"], *EXAMPLES["first_moves"]],
    ids=lambda item: f"{item['position']} {item['goal']} {'plan' in item}",
)
def test_worked_examples_have_their_plans(example: dict[str, Any]) -> None:
    game = TicTacToe()
    actual = and_or(game, game.parse(example["position"]), Settings(goal=example["goal"]))
    assert actual.action == example["move"]
    assert (actual.plan is None) == (example["move"] is None)
    if "plan" in example:
        assert json.loads(plan_text(actual.plan)) == actual.plan == example["plan"]


@dataclass(frozen=True)
class Drawn(Problem):
    """A problem on a graph: for each state, for each of its actions, the results."""

    outcomes: Mapping[int, Mapping[Any, Sequence[int]]]
    goals: frozenset[int]
    initial: int = 0

    def actions(self, state: int) -> Sequence[Any]:
        return [*self.outcomes[state]]

    def results(self, state: int, action: Any) -> Sequence[int]:
        return self.outcomes[state][action]

    def is_goal(self, state: int) -> bool:
        return state in self.goals


RIGHT = {1: 2, 3: 4, 5: 6, 7: 8}
LEFT = {after: before for before, after in RIGHT.items()}


def vacuum_world(sucked: Sequence[Sequence[int]], *, slips: bool) -> Drawn:
    """A textbook's world of two squares, which may be dirty, with the results of sucking in states 1 to 8.

    The states have the numbers of the textbook's figures: L and R are squares, * is dirt, V is the cleaner.

        1  [V*][ *]   3  [V*][  ]   5  [V ][ *]   7  [V ][  ]
        2  [ *][V*]   4  [ *][V ]   6  [  ][V*]   8  [  ][V ]

    If the cleaner slips, a move may leave it in place.
    Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 4.3.
    """

    def moved(ways: dict[int, int], state: int) -> Sequence[int]:
        return sorted({state, ways.get(state, state)}) if slips else [ways.get(state, state)]

    outcomes = {
        state: {"Suck": results, "Right": moved(RIGHT, state), "Left": moved(LEFT, state)}
        for state, results in enumerate(sucked, start=1)
    }
    return Drawn(outcomes, frozenset({7, 8}), 1)


ERRATIC = vacuum_world(((5, 7), (4, 8), (7,), (2, 4), (1, 5), (8,), (3, 7), (6, 8)), slips=False)
"""Sucking a dirty square may clean the other one too; sucking a clean one may make it dirty."""

SLIPPERY = vacuum_world(((5,), (4,), (7,), (4,), (5,), (8,), (7,), (8,)), slips=True)


def test_erratic_vacuum_world_has_the_textbooks_plan() -> None:
    budget = NodeBudget()
    plan = ["Suck", [["if", 5, "then", ["Right", [["if", 6, "then", ["Suck", []]]]]], ["if", 7, "then", []]]]
    assert nested_plan(ERRATIC, and_or_search(ERRATIC, budget=budget) or {}) == plan
    assert budget.nodes == 5


def test_slippery_vacuum_world_has_only_a_cyclic_plan() -> None:
    assert and_or_search(SLIPPERY) is None
    again = ["Right", [["if", 5, "then", ["goto", 5]], ["if", 6, "then", ["Suck", []]]]]
    plan = ["Suck", [["if", 5, "then", again]]]
    assert nested_plan(SLIPPERY, cyclic_plan(SLIPPERY) or {}, cyclic=True) == plan


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("endless", ENDLESS)
@drawn(25, 300, game=explicit_games(utilities=(-1, 0, 1)))
def test_plan_exists_where_labels_allow_it_and_reaches_its_goal(
    owner: int, goal: str, endless: str, game: ExplicitGame
) -> None:
    check_every_state(game, owner, goal, endless)


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("endless", ENDLESS)
@pytest.mark.parametrize("games", [12, pytest.param(100, marks=pytest.mark.slow)])
def test_plans_hold_in_larger_games_with_many_loops(owner: int, goal: str, endless: str, games: int) -> None:
    random = Random(7)
    for _ in range(games):
        size, ends = random.randint(6, 24), random.randint(1, 3)
        children = [
            tuple(random.randrange(size) for _ in range(random.randint(1, 3))) if state >= ends else ()
            for state in range(size)
        ]
        movers = tuple(random.randrange(2) for _ in range(size))
        game = ExplicitGame(tuple(children), movers, tuple(random.choice((-1, 0, 1)) for _ in range(size)))
        check_every_state(game, owner, goal, endless, starts=range(size))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 99), st.integers(0, 9)), max_size=40))
def test_unsettled_states_equal_a_model(steps: list[tuple[bool, int, int]]) -> None:
    """As each step of the search leaves them: a mark is set before what is added above it."""
    unsettled, model = UnsettledStates(), dict[int, int]()
    for number, (adds, place, rests_on) in enumerate(steps):
        mark = place % (len(model) + 1)
        above = list(model)[mark:]
        if adds:
            model.update(dict.fromkeys([*above, number], rests_on))
            unsettled.add(number, mark, rests_on)
        else:
            assert sorted(map(str, unsettled.drop(mark))) == sorted(map(str, above))
            model = {state: model[state] for state in list(model)[:mark]}
        assert len(unsettled) == len(model)
        assert {state: unsettled.depends_on_depth(state) for state in model} == model
        assert number in unsettled or not adds


def test_default_goal_is_the_best_that_can_be_forced() -> None:
    game = TicTacToe()
    assert and_or(game, game.parse("xo.ox....")).plan == EXAMPLES["plans"][1]["plan"]
    assert and_or(game, 0).plan == and_or(game, 0, Settings(goal="draw")).plan


def test_plan_without_own_first_move_begins_with_replies() -> None:
    actual = and_or(PongHauKi(), PongHauKi().initial, Settings(owner=1, goal="draw"))
    assert actual.action is None
    assert [branch[0] for branch in actual.plan] == ["if"] * len(PongHauKi().actions(PongHauKi().initial))


def test_endless_play_of_the_opponent_is_a_draw_not_a_win() -> None:
    game = ExplicitGame(movers=(0, 1, 1), children=((1,), (2,), (1,)), utilities=(0, 0, 0))
    assert and_or(game, 0, Settings(goal="draw")).plan == [0, [["if", "endless", "then", "draw"]]]
    assert and_or(game, 0, Settings(goal="win")).plan is None


def test_verdicts_on_cycles_take_quadratic_work() -> None:
    """In a corridor of rooms that all lead back, plain depth-first search visits 2**60 paths."""
    size = 60
    back = [tuple(sorted({max(room - 1, 0), max(room - 2, 0), min(room + 1, size)})) for room in range(size)]
    for utility in (1, -1):
        game = ExplicitGame((*back, ()), (0,) * (size + 1), (utility,) * (size + 1))
        for goal in GOALS:
            actual = and_or(game, 0, Settings(owner=0, goal=goal))
            assert actual.nodes is not None
            assert actual.nodes < size**2
            assert (actual.plan is None) == (utility == -1 and goal == "win")


def test_failed_branches_are_not_searched_again() -> None:
    """At each of sixty steps the first way may lose and both lead on to the next, the last one back."""
    steps = 60
    lost = 2 * steps
    ways = [(steps + step, (step + 1) % steps) for step in range(steps)]
    risks = [((step + 1) % steps, lost) for step in range(steps)]
    game = ExplicitGame((*ways, *risks, ()), (0,) * steps + (1,) * steps + (0,), (-1,) * (lost + 1))
    actual = and_or(game, 0, Settings(goal="draw"))
    assert actual.nodes is not None
    assert actual.nodes < steps**2
    check_plan(game, 0, 0, "draw", actual.plan)


def test_plan_with_too_many_branches_is_refused() -> None:
    game = MNK(rows=4, columns=4, k=4)
    state = game.parse("xoxoxoxo........")
    doubling = Drawn({step: {"on": (step + 1, step + 1)} for step in range(60)}, frozenset({60}))
    plan = nested_plan(doubling, dict.fromkeys(range(60), "on"))
    with pytest.raises(TooLarge, match="branches when it is written out"):
        plan_text(plan)
    assert plan_text(and_or(game, state, Settings(goal="draw")).plan).startswith("[")


@st.composite
def problems(draw: st.DrawFn) -> Drawn:
    size = draw(st.integers(1, 5))
    results = st.lists(st.integers(0, size - 1), min_size=1, max_size=2, unique=True)
    actions = st.lists(results, max_size=2)
    outcomes = draw(st.lists(actions, min_size=size, max_size=size))
    goals = draw(st.frozensets(st.integers(0, size - 1), max_size=2))
    return Drawn({state: dict(enumerate(rows)) for state, rows in enumerate(outcomes)}, goals)


@drawn(150, 500, problem=problems())
def test_plan_exists_exactly_where_some_policy_reaches_the_goal(problem: Drawn) -> None:
    """Every policy of a small problem is tried."""
    choices = [[*problem.actions(state), None] for state in range(len(problem.outcomes))]
    policies = [dict(enumerate(choice)) for choice in product(*choices)]
    for cyclic, plan in ((False, and_or_search(problem)), (True, cyclic_plan(problem))):
        assert (plan is not None) == any(reaches_goal(problem, policy, cyclic) for policy in policies)
        assert plan is None or reaches_goal(problem, plan, cyclic)


def reaches_goal(problem: Drawn, choices: dict[int, Any], cyclic: bool) -> bool:
    """Whether a policy surely reaches the goal; if `cyclic`, unless its luck fails for ever."""
    play = nx.DiGraph()
    play.add_node(problem.initial)
    queue = [problem.initial]
    for state in queue:
        if not problem.is_goal(state) and choices.get(state) is not None:
            for result in problem.results(state, choices[state]):
                if result not in play:
                    queue.append(result)
                play.add_edge(state, result)
    goals = {state for state in play if problem.is_goal(state)}
    if cyclic:
        return all(goals & ({state} | nx.descendants(play, state)) for state in play)
    dead_ends = {state for state in play if not play.out_degree(state)} - goals
    return nx.is_directed_acyclic_graph(play) and not dead_ends


@drawn(
    40, 400, game=explicit_games(most=6, utilities=(-1, 0, 1)), owner=SIDES, goal=st.sampled_from([*GOALS])
)
def test_retrying_plan_exists_exactly_where_a_policy_wins(game: ExplicitGame, owner: int, goal: str) -> None:
    """Every policy of a small game is tried. To draw is to try again where endless play is lost."""
    endless = "draw" if goal == "win" else ("second", "first")[owner]
    actual = and_or(game, 0, Settings(owner=owner, goal=goal, endless=endless), retry=True)
    choices: list[Sequence[Any]] = [game.actions(state) or [None] for state in range(len(game.children))]
    policies = [dict(enumerate(policy)) for policy in product(*choices)]
    assert (actual.plan is not None) == any(wins_by_errors(game, item, owner, goal) for item in policies)
    if actual.plan is not None:
        moves, _ = written_moves("0", actual.plan)
        planned = {int(position): move for position, move in moves.items()}
        assert wins_by_errors(game, planned, owner, goal)


def wins_by_errors(game: ExplicitGame, policy: dict[int, Any], owner: int, goal: str) -> bool:
    """Whether play from 0 gets to the goal with probability 1 if the other player moves at random.

    In a finite graph it does exactly if the goal stays within reach, through circles of the other alone, too.
    """
    sign, outcomes, goals, choices = (1, -1)[owner], dict[int, Any](), set[int](), dict[int, Any]()
    for state, below in enumerate(game.children):
        own = game.movers[state] == owner
        outcomes[state] = {action: [child] for action, child in enumerate(below)} if own else {"any": below}
        choices[state] = policy.get(state) if own else "any"
        goals |= {state} if not below and sign * game.utilities[state] >= GOALS[goal] else set()
    return reaches_goal(Drawn(outcomes, frozenset(goals)), choices, cyclic=True)


def test_plan_without_fairness_is_preferred() -> None:
    """By its first action the first player relies on the other's leaving a circle, by the second he wins."""
    game = ExplicitGame(movers=(0, 1, 0), children=((1, 2), (1, 2), ()), utilities=(0, 0, 1))
    assert and_or(game, 0, Settings(goal="win"), retry=True).plan == [1, "win"]


def check_every_state(game: ExplicitGame, owner: int, goal: str, endless: str, starts: Any = (0,)) -> None:
    graph = labelled(game, *starts, endless=endless)
    for state, node in graph.nodes.data():
        gain = node["value"] if owner == 0 else -node["value"]
        actual = and_or(game, state, Settings(owner=owner, goal=goal, endless=endless))
        assert (actual.plan is not None) == (gain >= GOALS[goal])
        if actual.plan is not None:
            check_plan(game, state, owner, goal, actual.plan, endless)


def check_plan(game: AnyGame, root: Any, owner: int, goal: str, plan: Any, endless: str = "draw") -> None:
    """Play the plan against every reply: it should end, or for a draw go on, with no worse than its goal."""
    moves, leaves = written_moves(game.position(root), plan)
    value = GOALS[goal] if owner == 0 else -GOALS[goal]
    start = game.position(root)
    assert verify_plan(Plan(game, owner, goal, start, value, moves, start, endless)).gain >= GOALS[goal]
    play = nx.DiGraph()
    play.add_node(root)
    queue = [root]
    for state in queue:
        actions = list(game.actions(state))
        if not actions:
            gain = game.utility(state) * (1 if owner == 0 else -1)
            assert gain >= GOALS[goal]
            assert leaves.get(game.position(state), "win" if gain else "draw") == ("win" if gain else "draw")
        elif game.to_move(state) == owner:
            actions = [item for item in actions if game.action_name(item) == moves[game.position(state)]]
            assert len(actions) == 1
        for action in actions:
            child = game.result(state, action)
            if child not in play:
                queue.append(child)
            play.add_edge(state, child)
    going_on = ENDLESS[endless] if owner == 0 else -ENDLESS[endless]
    assert going_on >= GOALS[goal] or nx.is_directed_acyclic_graph(play)


def written_moves(root: str, plan: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """The moves and the ends that a nested plan has for positions; each position has one of them."""
    moves: dict[str, Any] = {}
    leaves: dict[str, str] = {}
    seen: set[int] = set()
    queue = [(root, plan)] if isinstance(plan, str) or not isinstance(plan[0], list) else branches(plan)
    for position, part in queue:
        if isinstance(part, str):
            assert leaves.setdefault(position, part) == part
        elif part[0] == "goto":
            assert part == ["goto", position]
        else:
            assert moves.setdefault(position, part[0]) == part[0]
            if id(part) not in seen and isinstance(part[1], list):
                queue.extend(branches(part[1]))
            seen.add(id(part))
    return moves, leaves


def branches(parts: list[Any]) -> list[tuple[str, Any]]:
    assert all(len(part) == 4 and (part[0], part[2]) == ("if", "then") for part in parts)
    return [(part[1], part[3]) for part in parts]
