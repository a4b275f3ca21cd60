"""Describes failures of rules: which member was asked, with which argument, and what it raised.

Member and argument are read from the innermost frame of the traceback that runs a member of a `Game`. So
callers need not name them, and an interrupt of rules that never return is described in the same words.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any, NamedTuple, NoReturn

from solver.errors import BrokenRules, SolverError, TooLarge, shown
from solver.game import Game
from solver.packed import PackedGame
from solver.rules.source.rules_file import raised
from solver.system.plugins import how_to_install
from solver.system.progress import Progress, no_progress

MEMBERS = frozenset(name for name in (*vars(Game), *vars(PackedGame)) if not name.startswith("_"))
"""The members that rules can be asked for."""

ARGUMENT_NOUNS = {"action_name": "of the action", "parse": "of the text", "player": "of"}
"""The nouns for arguments that are not states, by member."""

NOT_RULES = frozenset({"solver.game", "solver.packed", "solver.rules.textbook"})
"""Modules whose subclasses of `Game` are not the rules of one game."""

CALLERS = frozenset({"click.core", "solver.plans.formats", "solver.system.plugins"})
"""Modules that call plug-ins: commands, formats and pictures."""

FOREIGN_STATE_ERRORS = (ArithmeticError, LookupError, ValueError)
"""Exceptions that rules may raise for a foreign state, such as one of another game."""


NO_ORDER = "; states that < does not put in order need a canonical of their own"
"""The advice about states without a least one, such as sets, or None beside numbers."""


class Question(NamedTuple):
    """A question to rules."""

    game: str
    """The name of the class of the rules."""
    member: str
    """The member, or a method of a state, such as `State.__eq__`."""
    argument: str
    """The argument in words: " in the state 5", or nothing."""


def last_question(error: BaseException) -> Question | None:
    """The innermost question to rules in the traceback of an exception; None if there is none.

    Of a member that calls itself, it is the outermost call. A module with a plug-in that was called, such as
    a command, is not taken for rules, unless a member of theirs was asked.
    """
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    plugins = {_module(frame) for before, frame in pairwise(frames) if _module(before) in CALLERS}
    others = [frame for frame in frames if _module(frame) not in plugins]
    for question_of, asked in ((_member, frames), (_helper, others)):
        last = next((frame for frame in reversed(asked) if question_of(frame)), None)
        if last is not None:
            return question_of(next(frame for frame in asked if frame.f_code is last.f_code))
    return None


def _member(frame: FrameType) -> Question | None:
    names, rest, _, values = inspect.getargvalues(frame)
    arguments: list[Any] = [*map(values.get, names), *((values.get(rest) or ()) if rest else ())]
    game, *others = [*arguments, None]
    member = _codes(type(game)).get(frame.f_code) if isinstance(game, Game) else None
    if member is None:
        return None
    return Question(type(game).__name__, member, _in_words(member, others[0]) if len(others) > 1 else "")


def _in_words(member: str, argument: Any) -> str:
    if getattr(argument, "shape", ()):
        return " for an array of states"
    return f" {ARGUMENT_NOUNS.get(member, 'in the state')} {shown(argument)}"


def _helper(frame: FrameType) -> Question | None:
    """The question of a frame that runs other code of a module of rules, such as a method of a state."""
    if frame.f_code.co_name == "<module>":  # which is being loaded
        return None
    rules = next((rules for rules in _subclasses(Game) if rules.__module__ == _module(frame)), None)
    return None if rules is None else Question(rules.__name__, frame.f_code.co_qualname, "")


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _codes(rules: type) -> dict[CodeType, str]:
    codes = {}
    for name in MEMBERS:
        for base in rules.__mro__:
            rule = vars(base).get(name)
            rule = rule.fget if isinstance(rule, property) else rule
            rule = rule.func if isinstance(rule, cached_property) else rule
            if isinstance(code := getattr(rule, "__code__", None), CodeType):
                codes[code] = name
    return codes


def _subclasses(base: type) -> Iterator[type]:
    rules: type
    for rules in type.__subclasses__(base):
        if rules.__module__ not in NOT_RULES:
            yield rules
        yield from _subclasses(rules)


def refusal(error: BaseException) -> SolverError | None:
    """The error that describes how rules failed; None for an interrupt, or if no rules were asked."""
    if isinstance(error, SolverError):
        return error
    if isinstance(error, KeyboardInterrupt) or (question := last_question(error)) is None:
        return None
    if isinstance(error, MemoryError):
        return TooLarge(f"memory ran out while {_doing(question)}")
    why = raised_by(question.member, error)
    return BrokenRules(f"the rules of {question.game} fail in {question.member}{question.argument}: {why}")


def raised_by(member: str, error: BaseException) -> str:
    """What a member raised, as `raised` says it, with advice if `canonical` cannot compare states."""
    words = raised(error)
    return words + NO_ORDER if member == "canonical" and "'<' not supported" in words else words


def slowness(game: Game[Any, Any], error: Exception) -> str:
    """The reason why the rules of `game` are not compiled, and the remedy, in one line.

    `error` is what compiling them raised: an ImportError, or an error about anything but operators.
    """
    slow = "this is slower than it could be"
    if isinstance(error, ImportError):
        return f"{slow}: compiling the rules needs llvmlite: {how_to_install('fast')}"
    why = raised(error.__cause__ if isinstance(error.__cause__, Exception) else error)
    return f"{slow}: the rules of {type(game).__name__} cannot be compiled, which takes operators only: {why}"


def interruption(error: BaseException) -> str:
    """The message for an interrupt, with its notes."""
    question = last_question(error)
    doing = "interrupted" if question is None else f"interrupted while {_doing(question)}"
    return ": ".join([doing, *getattr(error, "__notes__", [])])


def _doing(question: Question) -> str:
    return f"the rules of {question.game} were asked for {question.member}{question.argument}"


def raise_broken_rules(
    game: Game[Any, Any], error: BaseException, rule: str = "", *argument: object
) -> NoReturn:
    """Raise the error that describes how the rules of `game` failed.

    `rule` and its `argument` are named if the traceback names no member. A `SolverError` is raised as it is,
    and so is an OSError without rules in its traceback.
    """
    refused = refusal(error) or _unattributed(game, error, rule, *argument)
    if refused is error:
        raise error
    raise refused from error


def _unattributed(game: Game[Any, Any], error: BaseException, rule: str, *argument: object) -> BaseException:
    if isinstance(error, OSError):
        return error
    state = "".join(_in_words(rule, state) for state in argument)
    if isinstance(error, MemoryError):
        return TooLarge(
            f"memory ran out while {_doing(Question(type(game).__name__, rule or 'play', state))}"
        )
    where = f" in {rule}{state}" if rule else state
    hint = "; make it a tuple, a text or a frozen dataclass" if "unhashable type" in raised(error) else ""
    return BrokenRules(f"the rules of {type(game).__name__} fail{where}: {raised(error)}{hint}")


@contextmanager
def rules_asked(game: Game[Any, Any], rule: str = "", *argument: object) -> Iterator[None]:
    """Turn whatever the rules of `game` raise in the block into `BrokenRules`, a MemoryError into `TooLarge`.

    `rule` and its `argument` are named if the traceback names no member.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, rule, *argument)


class CallerFailed(BaseException):
    """Carries an exception of the caller's `progress` past what handles exceptions of rules."""


@contextmanager
def reporting_to(progress: Progress) -> Iterator[Progress]:
    """Yield `progress`; what it raises is raised from the block, and not taken for a failure of rules."""

    def report(*facts: Any) -> None:
        try:
            progress(*facts)
        except Exception as error:
            raise CallerFailed from error

    try:
        yield progress if progress is no_progress else report
    except CallerFailed as failed:
        raise failed.__cause__ or failed from None
