"""Proves states of one ply from the rules and the labels of the next.

    parents                     40   41   45
    what action 0 leads to      72    -   77      in ascending order: looked up as they are
    what action 1 leads to      99   62   61      out of order: put with others such and sorted first

The label of a parent should be the best, for the player to move, of those that are found for its children.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

import numpy as np

from solver.arrays import Flags, Keys, Labels
from solver.packed_layout.labels import LabelForm
from solver.packed_proof.asking import SHOWN, Asked, Places, Play
from solver.packed_proof.below import Below
from solver.packed_proof.classes import problems_of_classes, problems_of_play
from solver.packed_proof.reading import Run

Kind: TypeAlias = tuple[int, int, int, int]
"""Ply, is_terminal, the player to move and the label."""


@dataclass(frozen=True)
class Checked:
    """What came of some states."""

    problems: tuple[str, ...]
    kinds: Counter[Kind] = field(default_factory=Counter)
    """How many states there are of each kind."""
    moves: int = 0
    """How many moves there are in them."""
    placed: bool = False
    """Whether the rules tell of each state that it is at its ply."""


def checked_ends(asked: Asked, run: Run, ply: int) -> Checked:
    """States in which play is over, held against the rules."""
    movers, images = asked.movers(run.keys), asked.like(run.keys)
    return Checked(
        tuple(_problems_of_states(asked, run.keys, images, ply, is_terminal=True)),
        _kinds(ply, 1, movers, run.labels),
        0,
        asked.are_at(ply, run.keys),
    )


def checked_parents(asked: Asked, form: LabelForm, run: Run, ply: int, below: Below) -> Checked:
    """States in which play goes on, held against the rules and the states of the next ply."""
    movers, images = asked.movers(run.keys), asked.like(run.keys)
    problems = [*_problems_of_states(asked, run.keys, images, ply, is_terminal=False)]
    best = _Best(run, movers)
    moves = 0

    def plays() -> Iterator[Play]:
        for play in asked.plays(run.keys):
            if asked.folded:
                problems.extend(problems_of_play(asked, run.keys, images, ply, play))
            yield play

    for parents, children in _families(plays()):
        labels, found = below.find(children)
        best.take(parents, labels, found)
        moves += len(children)
        problems += _lost(asked, ply, run.keys[parents[~found]], children[~found])
    problems += asked.each_wrong(run.keys, ply, best.stuck, "play goes on, but there is no move")
    problems += _mislabelled(asked, form, ply, run, best)
    kinds = _kinds(ply, 0, movers, run.labels)
    return Checked(tuple(problems), kinds, moves, asked.are_at(ply, run.keys))


def ascend(keys: Keys) -> bool:
    """Whether these states are in ascending order; some may come more than once."""
    return bool((keys[1:] >= keys[:-1]).all())


def _families(plays: Iterable[Play]) -> Iterator[tuple[Places, Keys]]:
    """All children, in ascending order in each part, and the indices of their parents."""
    loose: list[tuple[Places, Keys]] = []
    for parents, children in (part for play in plays for part in play.parts()):
        if ascend(children):
            yield parents, children
        else:
            loose.append((parents, children))
    if loose:
        parents, children = (np.concatenate(parts) for parts in zip(*loose, strict=True))
        order = children.argsort()
        yield parents[order], children[order]


class _Best:
    """The best of the labels that were found for the children of states."""

    def __init__(self, run: Run, movers: Keys) -> None:
        self._sign = (1 - 2 * movers).astype(run.labels.dtype)
        self._none = np.iinfo(run.labels.dtype).min
        self._gains = np.full_like(run.labels, self._none)
        self._known = np.ones(len(run.labels), np.bool_)

    def take(self, parents: Places, labels: Labels, found: Flags) -> None:
        """Go on with these labels, of children of these parents, as far as they were found."""
        np.maximum.at(self._gains, parents, labels * self._sign[parents])
        self._known[parents[~found]] = False

    @property
    def stuck(self) -> Flags:
        """Which states have no children."""
        stuck: Flags = self._gains == self._none
        return stuck

    def labels(self) -> tuple[Labels, Flags]:
        """The labels that follow, and for which states they do."""
        return self._gains * self._sign, self._known & ~self.stuck


def _problems_of_states(
    asked: Asked, keys: Keys, images: Sequence[Keys], ply: int, *, is_terminal: bool
) -> Iterator[str]:
    right = asked.over(keys) == is_terminal
    told = f"is_terminal should be {int(not is_terminal)}, not {int(is_terminal)}"
    yield from asked.each_wrong(keys, ply, ~right, told)
    if asked.folded:
        images = [image[right] for image in images]
        yield from problems_of_classes(asked, keys[right], images, ply, over=is_terminal)


def _lost(asked: Asked, ply: int, parents: Keys, children: Keys) -> Iterator[str]:
    """Moves that lead out of the file, the first of them."""
    for parent, child in islice(zip(parents.tolist(), children.tolist(), strict=True), SHOWN):
        missing = asked.named(child, ply + 1)
        yield f"{asked.named(parent, ply)}: it has a move to {missing}, which is not there"


def _mislabelled(asked: Asked, form: LabelForm, ply: int, run: Run, best: _Best) -> Iterator[str]:
    """States with labels that do not follow from those of their children, the first of them."""
    labels, known = best.labels()
    wrong = np.flatnonzero(known & (labels != run.labels))[:SHOWN]
    for key, label, right in zip(*(part[wrong].tolist() for part in (*run, labels)), strict=True):
        said, follows = (_in_words(form, each, ply) for each in (label, right))
        yield f"{asked.named(key, ply)}: it should have {follows}, not {said}"


def _in_words(form: LabelForm, label: int, ply: int) -> str:
    end = form.end(label)
    return f"the value {form.value(label)} and " + (
        "no remoteness" if end is None else f"a remoteness of {end - ply}"
    )


def _kinds(ply: int, is_terminal: int, movers: Keys, labels: Labels) -> Counter[Kind]:
    kinds = np.sort(labels * np.int64(2) + movers)
    cuts = np.flatnonzero(np.append(True, kinds[1:] != kinds[:-1]))
    sizes = np.diff(np.append(cuts, len(kinds)))
    return Counter(
        {
            (ply, is_terminal, kind & 1, kind >> 1): size
            for kind, size in zip(kinds[cuts].tolist(), sizes.tolist(), strict=True)
        }
    )
