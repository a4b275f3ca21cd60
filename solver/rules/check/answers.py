"""The answers of rules about one state, its text and its pictures, and the faults of these."""

import sys
from collections.abc import Callable, Iterator
from math import fsum, isclose
from operator import index
from typing import Any, NamedTuple

from solver.errors import BrokenRules, SolverError, shown
from solver.game import NO_PARSE, AnyGame, Game
from solver.packed import PackedGame
from solver.rules.asking import (
    A_UTILITY,
    as_integer,
    board_of,
    cell_names_of,
    guess_of,
    is_over,
    listed,
    look_of,
    picture_of,
    title_of,
)
from solver.rules.evaluation import terms_of
from solver.rules.failures import last_question
from solver.rules.notation import INTEGERS, equality_hint
from solver.rules.source.rules_file import raised


class Fault(Exception):
    """A fault of the rules."""

    def __init__(self, rule: str, words: str) -> None:
        """Describe the fault of the member `rule`; `error` becomes the exception being handled, if any."""
        super().__init__(words)
        self.rule, self.words, self.error = rule, " ".join(words.split()), sys.exception()


class Answers(NamedTuple):
    """The answers of the rules about a state."""

    to_move: Any
    actions: tuple[Any, ...]
    children: tuple[Any, ...]
    is_terminal: Any
    utility: Any
    """None in a state with actions."""


def answers(game: AnyGame, state: Any) -> Answers:
    """The answers of the rules about a state; raises a `Fault` if they raise, or for unusable actions."""
    rule = "to_move"
    try:
        mover = game.to_move(state)
        rule = "actions"
        actions = listed(game, game.actions(state))
        rule = "result"
        children = tuple(game.result(state, action) for action in actions)
        rule = "is_terminal"
        over = bool(game.is_terminal(state))
        rule = "utility"
        utility = None if actions else game.utility(state)
    except BrokenRules as error:
        raise Fault(rule, f"{named(game, state)}: {error}") from error
    except (Exception, SystemExit) as error:
        raise Fault(rule, f"{named(game, state)}: {rule} raises {raised(error)}") from error
    if loose := [child for child in children if hash_of(child) is None]:
        raise Fault("hash", f"the state {shown(loose[0])}: it cannot be hashed: make it a tuple or a text")
    if loose := [action for action in actions if hash_of(action) is None]:
        words = f"the action {shown(loose[0])} cannot be hashed: make it a tuple or a text"
        raise Fault("actions", f"{named(game, state)}: {words}")
    if None in actions:
        raise Fault("actions", f"{named(game, state)}: None is an action: give it a name, such as 'pass'")
    return Answers(mover, actions, children, over, utility)


def faults_of_answers(game: AnyGame, state: Any, answer: Answers) -> "list[Fault]":
    """The faults of answers that are of a wrong type, or that contradict each other."""
    mover, utility = answer.to_move, answer.utility
    is_truth = isinstance(utility, bool) and not isinstance(game, PackedGame)  # False would be a draw
    is_score = answer.actions or (not is_truth and is_integer(utility, -(2**63) + 1, 2**63 - 1))
    words = {
        "to_move": "" if is_integer(mover, 0, 1) else f"to_move should be 0 or 1, not {shown(mover)}",
        "is_terminal": _wrong_end(answer),
        "utility": "" if is_score else f"utility should be {A_UTILITY}, not {shown(utility)}",
        "result": _wrong_children(game, state, answer),
        "action_name": _wrong_names(game, answer),
    }
    return [Fault(rule, f"{named(game, state)}: {wrong}") for rule, wrong in words.items() if wrong]


def hash_of(value: Any) -> int | None:
    """The hash of a value, None if it has none."""
    try:
        return hash(value)
    except (Exception, SystemExit):
        return None


def guarded(rule: str, faults: Iterator[Fault]) -> Iterator[Fault]:
    """The faults; an exception becomes the last one, of `rule` if the traceback names no member."""
    try:
        yield from faults
    except Fault as fault:
        yield fault
    except BrokenRules as error:
        yield Fault(rule, str(error))
    except (Exception, SystemExit) as error:
        question = last_question(error)
        member, argument = (question.member, question.argument) if question else (rule, "")
        yield Fault(member, f"{member} raises {raised(error)}{argument}")


def named(game: AnyGame, state: Any) -> str:
    """The state as a text that a person can type, or as its repr if the rules do not write it."""
    try:
        return f"the position {shown(game.position(state))}"
    except (Exception, SystemExit):
        return f"the state {shown(state)}"


def _wrong_end(answer: Answers) -> str | None:
    if answer.is_terminal and answer.actions:
        first, number = shown(answer.actions[0]), len(answer.actions)
        return f"the game is over, but there are actions: {first} is one of {number}"
    if not answer.is_terminal and not answer.actions:
        return "the game is not over, but there are no actions"
    return None


def _wrong_children(game: AnyGame, state: Any, answer: Answers) -> str | None:
    for action, child in zip(answer.actions, answer.children, strict=True):
        again = game.result(state, action)
        if child is None:
            return f"the action {shown(action)} leads to None, which cannot be a state"
        if child != again:
            return (
                f"the action {shown(action)} leads to {shown(child)}, and when played again to {shown(again)}"
                f"{equality_hint(child)}"
            )
        if hash_of(child) != hash_of(again):
            return (
                f"{shown(child)}, after the action {shown(action)}, is equal to itself, but its hash is not"
            )
    return None


def _wrong_names(game: AnyGame, answer: Answers) -> str | None:
    try:
        names = [game.action_name(action) for action in answer.actions]
    except (Exception, SystemExit) as error:
        return f"action_name raises {raised(error)}"
    earlier: set[int | str] = set()
    for name in names:
        if not isinstance(name, int | str) or (isinstance(name, str) and not name.isprintable()):
            return f"the name of an action should be a number or a text in one line, not {shown(name)}"
        if isinstance(name, int) and index(name) not in INTEGERS:
            return f"the name of an action should be an integer of 64 bits, not {shown(name)}"
        if isinstance(name, str) and (not name or name != name.strip()):
            return (
                f"the name of an action should neither be empty nor have blanks around it, as {shown(name)}"
            )
        if name in earlier:
            return f"two actions have the same name, {shown(name)}"
        earlier.add(name)
    if len({isinstance(name, int) for name in names}) > 1:
        return f"some actions are named by numbers, some by texts: {names}"
    return None


def is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer, of any type, from `least` to `most`."""
    try:
        return as_integer("it", value, range(least, most + 1), "an integer") is not None
    except BrokenRules:
        return False


def _terms(game: AnyGame, state: Any) -> None:
    """Raise `BrokenRules` unless the terms of the evaluation are numbers that sum to it."""
    terms = {} if is_over(game, state) else terms_of(game, state)
    if terms and not isclose(total := fsum(terms.values()), value := guess_of(game, state), abs_tol=1e-9):
        raise BrokenRules(f"evaluate is {value:g}, but the terms sum up to {total:g}, in {shown(state)}")


def faults_of_text(game: AnyGame, state: Any, texts: dict[str, Any]) -> Iterator[Fault]:
    """The faults of a state's text, which is added to `texts`, the checked states by text."""
    rule, hint = "position", equality_hint(state)
    try:
        text: Any = game.position(state)
        if not isinstance(text, str) or not text.isprintable() or text != text.strip() or not text:
            words = f"position should be a text in one line, without blanks around it, not {shown(text)}"
            yield Fault(rule, f"the state {shown(state)}: {words}")
        rule = "parse"
        again = game.parse(text)
    except (Exception, SystemExit) as error:
        yield Fault(rule, f"the state {shown(state)}: {rule} raises {raised(error)}{hint}")
        return
    where = f"the position {shown(text)}"
    if again != state:
        why = f": {NO_PARSE}" if type(game).parse is Game.parse is not type(game).position else ""
        yield Fault(
            "parse", f"{where}: it is the text of {shown(state)}, but read as {shown(again)}{why}{hint}"
        )
    elif hash_of(again) != hash_of(state):
        yield Fault("hash", f"{where}: {shown(state)} and {shown(again)} are equal, but their hashes are not")
    if texts.setdefault(text, state) != state:
        yield Fault("position", f"{where}: it stands for two states, {shown(texts[text])} and {shown(state)}")


def faults_of_play(game: AnyGame, state: Any) -> Iterator[Fault]:
    """The faults of the pictures of a state and of its heuristic evaluation."""
    wrong_board = [*_faults_of("board", board_of, game, state)]
    yield from wrong_board or _faults_of("show", picture_of, game, state)  # shows the board by default
    yield from _faults_of("evaluate", guess_of, game, state)
    yield from _faults_of("evaluation_terms", _terms, game, state)


def faults_of_look(game: AnyGame) -> Iterator[Fault]:
    """The faults of the style in which boards are drawn, of the names of their cells and of the title."""
    for rule, ask in (("look", look_of), ("cell_names", _cell_names), ("title", title_of)):
        yield from _faults_of(rule, ask, game)


def _cell_names(game: AnyGame) -> None:
    """Raise `BrokenRules` unless there is a name for each cell of the board, or none at all."""
    names, board = cell_names_of(game), board_of(game, game.initial)
    if names and board is not None and [*map(len, names)] != [*map(len, board)]:
        shapes = (", ".join(str(len(row)) for row in rows) for rows in (names, board))
        raise BrokenRules("cell_names has rows of {} names, and the board rows of {} cells".format(*shapes))


def _faults_of(rule: str, ask: Callable[..., object], *arguments: object) -> Iterator[Fault]:
    try:
        ask(*arguments)
    except (Exception, SystemExit) as error:
        yield Fault(rule, str(error) if isinstance(error, SolverError) else f"{rule} raises {raised(error)}")
