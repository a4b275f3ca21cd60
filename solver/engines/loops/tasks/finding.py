"""The search for all states by tasks: breadth first in each stage, from the first stage to the last.

    round 0   states where play enters the stage     -- expand -->  runs of children, runs of exits
    round 1   children that are not in round 0       -- expand -->  ...
    round 2   children that are not in rounds 0-1 ...

The states of many rounds are merged into few files: a round is merged with those before it that are not
twice as large together, so each state is written about as often as the logarithm of their number.
"""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.array_rules.rules import representatives
from solver.engines.loops.finding import RECENT, files_of_firsts, pending_tiers, tiers_of, without_repeats
from solver.engines.loops.stage_files import SOLVED
from solver.engines.loops.tasks.workplace import Steps, Workplace
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.records import FoundRound, ReachedStage
from solver.engines.storage.sorted_runs import ranges, write_run
from solver.engines.storage.steps import Answer, even_ranges, grouped
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, distinct, max_abs_value
from solver.system.executors import OnProgress

RUN = "children.run"
"""The kind of the sorted runs of children."""

GROWTH = 2
"""How many times larger than the rounds after it some rounds are that are not merged with them."""

KeyRange = tuple[int, int]
"""A range of keys, [low, high)."""


class Rounds(NamedTuple):
    """The states that some rounds of a stage have found, in files."""

    first: int
    last: int
    open_states: int
    terminal: int
    shards: int

    @property
    def states(self) -> int:
        """The number of states."""
        return self.open_states + self.terminal

    def kind(self, is_terminal: int) -> str:
        """The kind of the files of their open, or their terminal, states."""
        return f"rounds{self.first}-{self.last}.{'terminal' if is_terminal else 'open'}"

    def files(self, context: SolveContext, nth: int, is_terminal: int) -> KeyFile:
        """Their open, or their terminal, states in a stage."""
        return KeyFile(*context.work.shards(nth, self.kind(is_terminal), self.shards))


@dataclass(frozen=True)
class ExpandStates:
    """Find the children of the open states in some pieces of a round."""

    stage: int
    tier: int
    round: Rounds
    nth: int
    begin: int
    end: int

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write them as a sorted run, those of other tiers as exits; raises `BrokenRules`."""
        context, rules = workplace.context, workplace.context.rules
        states, moves, recent = self.round.files(context, self.stage, 0), 0, np.full(RECENT, -1)
        by_tier = defaultdict[int, list[Keys]](list, {self.tier: []})
        for piece in range(self.begin, self.end):
            context.check_cancelled()
            keys = states.read(piece, piece + 1)
            children, _ = rules.every_child(keys)
            moves += len(children)
            if context.fold:
                workplace.test_symmetries(rules, keys)
                children = representatives(rules, children)
            children = without_repeats(children, recent)
            tiers = tiers_of(context, children)
            for tier in distinct(tiers).tolist():
                if tier < self.tier:
                    raise BrokenRules(f"the tier falls from {self.tier} to {tier} by a move")
                by_tier[tier].append(children[tiers == tier])
            on_progress(len(keys))
        for tier, parts in by_tier.items():
            kind = RUN if tier == self.tier else f"exits{tier}"
            number = self.nth if tier == self.tier else self.round.last << 32 | self.nth
            run = distinct(np.concatenate([*parts, keys[:0]]))
            context.need_disk(2 * len(run))
            write_run(context.work, self.stage, kind, number, run)
        done = int(states.begins[self.end] - states.begins[self.begin])
        return {"states": done, "moves": moves, "exits": sorted({*by_tier} - {self.tier})}


@dataclass(frozen=True)
class AddStates:
    """Find the states of a round: those in some ranges of keys of sorted runs that are not known."""

    stage: int
    round: int
    nth: int
    runs: tuple[str, ...]
    ranges: tuple[KeyRange, ...]
    known: tuple[Rounds, ...]

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write a shard of the round, and return the facts about it."""
        context, work = workplace.context, workplace.context.work
        runs = [KeyFile(work.path / name) for name in self.runs]
        known = [[rounds.files(context, self.stage, kind) for rounds in self.known] for kind in (0, 1)]
        into, margin, states = Rounds(self.round, self.round, 0, 0, 0), 0, [0, 0]
        with _Shards(context, self.stage, [into.kind(0), into.kind(1)], self.nth) as shards:
            for low, high in self.ranges:
                context.check_cancelled()
                keys = distinct(np.concatenate([run.between(low, high) for run in runs]))
                for kind, found in enumerate(context.rules.open_and_terminal(keys, folded=False)):
                    new = found
                    for file in known[kind]:
                        new = new[file.ranks(new) < 0]
                    shards.write(kind, new)
                    states[kind] += len(new)
                    if kind:
                        margin = max(margin, max_abs_value(context.rules.utilities(new)))
        on_progress(sum(states))
        return {"states": sum(states), "open": states[0], "terminal": states[1], "margin": margin}


@dataclass(frozen=True)
class MergeRounds:
    """Merge the states of some rounds in some ranges of keys."""

    stage: int
    nth: int
    rounds: tuple[Rounds, ...]
    ranges: tuple[KeyRange, ...]
    kinds: tuple[str, str]

    def run(self, workplace: Workplace, on_progress: OnProgress) -> Answer:
        """Write a shard of files of these kinds, of open and of terminal states."""
        context, states = workplace.context, 0
        with _Shards(context, self.stage, self.kinds, self.nth) as shards:
            for kind in (0, 1):
                files = [rounds.files(context, self.stage, kind) for rounds in self.rounds]
                for low, high in self.ranges:
                    context.check_cancelled()
                    keys = distinct(np.concatenate([file.between(low, high) for file in files]))
                    shards.write(kind, keys)
                    states += len(keys)
        on_progress(states)
        return {"states": states}


class _Shards:
    """Shards of open and of terminal states, which are written side by side."""

    def __init__(self, context: SolveContext, stage: int, kinds: Sequence[str], nth: int) -> None:
        self._context, self._stack = context, ExitStack()
        paths = [self._stack.enter_context(context.work.new_shard(stage, kind, nth)) for kind in kinds]
        self._files = [self._stack.enter_context(KeyWriter(path)) for path in paths]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> bool | None:
        return self._stack.__exit__(*error)

    def write(self, kind: int, keys: Keys) -> None:
        """Append ascending keys to one of the files; raises `DiskFull`."""
        self._context.need_disk(2 * len(keys))
        self._files[kind].write(packed(keys))


def find_stages(steps: Steps, tiers: Sequence[int], expected: int) -> list[ReachedStage]:
    """Write the states of all stages to the work folder; return a record of each.

    Play begins in some tiers, whose starts are in the work folder. Progress is measured by the `expected`
    number of states, or an upper bound of it, unless there are more. Raises `BrokenRules`, and `UnfitRules`
    for the state 2**63 - 1.
    """
    stages: list[ReachedStage] = []
    while pending := pending_tiers(tiers, stages):
        tier, nth = min(pending), len(stages)
        before = sum(stage.states for stage in stages)
        on_progress = steps.context.counted("finding states", expected, None, before)
        firsts = files_of_firsts(steps.context, tier, tiers, stages)
        stage = ReachedStage.read(steps.context.work, nth)
        stages.append(stage or _Search(steps, nth, tier, on_progress).run(firsts))
    return stages


@dataclass(frozen=True)
class _Search:
    """The search for the states of one stage."""

    steps: Steps
    nth: int
    tier: int
    on_progress: OnProgress

    def run(self, firsts: Sequence[Path]) -> ReachedStage:
        """Find the states, write them and the exits, and return the record of them."""
        work, rounds = self.steps.context.work, list[FoundRound]()
        while not rounds or rounds[-1].known[-1][2]:
            name = f"{self.nth:04}.round{len(rounds)}"
            found = FoundRound.read_from(work, name)
            rounds.append(found or self._round(rounds, firsts).write_to(work, name))
            for gone in {tuple(each) for record in rounds[-2:-1] for each in record.known}:
                if [*gone] not in rounds[-1].known:
                    work.drop(self.nth, Rounds(*gone).kind(0), Rounds(*gone).kind(1))
        known = [Rounds(*each) for each in rounds[-1].known]
        self._merged(known, (SOLVED.open, SOLVED.terminal), f"{self.nth:04}.writing")
        stage = ReachedStage(
            open_states=sum(each.open_states for each in known),
            terminal=sum(each.terminal for each in known),
            tier=self.tier,
            margin=max(each.margin for each in rounds),
            exits=sorted({tier for each in rounds for tier in each.exits}),
        ).write(work, self.nth)
        for each in known:
            work.drop(self.nth, each.kind(0), each.kind(1))
        return stage

    def _round(self, before: Sequence[FoundRound], firsts: Sequence[Path]) -> FoundRound:
        """Find the states of the next round."""
        context, number, known = self.steps.context, len(before), list[Rounds]()
        runs, moves, exits = firsts, 0, list[int]()
        if before:
            known = [Rounds(*each) for each in before[-1].known]
            answers = self._expanded(known[-1], before)
            moves = sum(answer["moves"] for answer in answers)
            exits = sorted({tier for answer in answers for tier in answer["exits"]})
            runs = context.work.shards(self.nth, RUN, len(answers))
        names = tuple(path.name for path in runs)
        shards = grouped(list(ranges(map(KeyFile, runs), context.keys_per_sort)), context.job.shards)
        tasks = [
            AddStates(self.nth, number, nth, names, shard, tuple(known)) for nth, shard in enumerate(shards)
        ]
        answers = self.steps.run(f"{self.nth:04}.adding", tasks, self.on_progress)
        open_states, terminal = (sum(answer[kind] for answer in answers) for kind in ("open", "terminal"))
        found = Rounds(number, number, open_states, terminal, len(answers))
        margin = max((answer["margin"] for answer in answers), default=0)
        record = FoundRound([[*each] for each in (*self._few(known), found)], margin, moves, exits)
        context.work.drop(self.nth, RUN)
        return record

    def _expanded(self, frontier: Rounds, before: Sequence[FoundRound]) -> list[Answer]:
        """Expand the open states of a round, so many in a task that their children can be sorted."""
        context, actions = self.steps.context, self.steps.context.rules.action_count
        states = sum(each[2] for each in before[-1].known[:-1])
        moves = sum(each.moves for each in before)
        per_state = min(actions, 1 + 5 * moves // (4 * states)) if states else actions
        most = max(1, context.keys_per_sort // (PIECE * per_state))
        pieces = frontier.files(context, self.nth, 0).pieces
        tasks = [
            ExpandStates(self.nth, self.tier, frontier, nth, begin, end)
            for nth, (begin, end) in enumerate(even_ranges(pieces, most, context.job.shards))
        ]
        return self.steps.run(f"{self.nth:04}.expanding", tasks)

    def _few(self, known: list[Rounds]) -> list[Rounds]:
        """Merge the last of the known rounds with those before that are not much larger."""
        first, states = len(known) - 1, 0
        while first > 0 and known[first - 1].states < GROWTH * (states := states + known[first].states):
            first -= 1
        some = known[first:]
        if len(some) < 2:
            return known
        open_states, terminal = (sum(each[column] for each in some) for column in (2, 3))
        merged = Rounds(some[0].first, some[-1].last, open_states, terminal, 0)
        shards = self._merged(some, (merged.kind(0), merged.kind(1)), f"{self.nth:04}.merging")
        return [*known[:first], merged._replace(shards=shards)]

    def _merged(self, rounds: Sequence[Rounds], kinds: tuple[str, str], step: str) -> int:
        """Merge rounds into files of these kinds; return the number of shards."""
        context = self.steps.context
        files = [each.files(context, self.nth, kind) for each in rounds for kind in (0, 1)]
        shards = grouped(list(ranges(files, context.keys_per_sort)), context.job.shards)
        tasks = [MergeRounds(self.nth, nth, tuple(rounds), shard, kinds) for nth, shard in enumerate(shards)]
        self.steps.run(step, tasks)
        for kind in kinds:
            for path in context.work.files(self.nth, kind)[len(tasks) :]:
                path.unlink()
        return len(tasks)
