"""Problems with uncertain results, which AND-OR search solves: what one has to say."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Generic, TypeVar

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


class Problem(ABC, Generic[State, Action]):
    """A search problem whose actions may have one of several results.

    Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 4.3.1.
    """

    @property
    @abstractmethod
    def initial(self) -> State:
        """The state to begin with."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """What can be done in `state`, in the order in which it is tried; nothing in a dead end."""

    @abstractmethod
    def results(self, state: State, action: Action) -> Sequence[State]:
        """Every state that `action` may lead to, at least one, each once and in a fixed order."""

    @abstractmethod
    def is_goal(self, state: State) -> bool:
        """Whether nothing remains to be done in `state`."""

    def ends_at_once(self, state: State, action: Action) -> bool:
        """Whether `action` surely reaches the goal, so that a plan need not ask for the result."""
        results = self.results(state, action)
        return len(results) == 1 and self.is_goal(results[0])

    def leaf(self, state: State) -> Any:
        """What a plan has for a goal: the empty plan."""
        return []

    def state_name(self, state: State) -> Any:
        """How a plan names `state`."""
        return state

    def action_name(self, action: Action) -> Any:
        """How a plan names `action`."""
        return action
