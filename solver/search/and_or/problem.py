"""Search problems whose actions may have several results."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any


class Problem(ABC):
    """A search problem in which an action may have several possible results.

    Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 4.3.1.
    """

    @property
    @abstractmethod
    def initial(self) -> Hashable:
        """The initial state."""

    @abstractmethod
    def actions(self, state: Any) -> Sequence[Any]:
        """The actions in `state`, in the order in which they are tried; none in a dead end."""

    @abstractmethod
    def results(self, state: Any, action: Any) -> Sequence[Any]:
        """The distinct states that `action` may lead to, at least one, in a fixed order."""

    @abstractmethod
    def is_goal(self, state: Any) -> bool:
        """Whether `state` is a goal."""

    def after(self, state: Any, action: Any) -> Any:
        """The AND node that pictures show between an action and its results; by default the action."""
        return action

    def ends_at_once(self, state: Any, action: Any) -> bool:
        """Whether a goal is the only result of `action`, so that a plan need not branch on it."""
        results = self.results(state, action)
        return len(results) == 1 and self.is_goal(results[0])

    def leaf(self, state: Any) -> Any:
        """The leaf of a plan at a goal: the empty plan."""
        return []

    def state_name(self, state: Any) -> Any:
        """The name of `state` in a plan."""
        return state

    def action_name(self, action: Any) -> Any:
        """The name of `action` in a plan."""
        return action

    def followed(self, chosen: Mapping[Any, Any]) -> dict[Any, Any]:
        """The chosen action of each state that the choices can reach, in breadth-first order."""
        followed, queue = dict[Any, Any](), [self.initial]
        for state in queue:  # which grows
            if state not in followed and not self.is_goal(state):
                followed[state] = chosen[state]
                queue += self.results(state, chosen[state])
        return followed
