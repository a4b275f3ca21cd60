"""The search for all states: breadth first in each stage, from the first stage to the last.

    round 0   states in which play enters the stage  -- expand -->  runs of children, runs of exits
    round 1   children that are not in round 0       -- expand -->  ...
    round 2   children that are not in rounds 0-1 ...

The starts are written first. The states of many rounds are merged into few files: a round is merged with the
rounds before it unless these are twice as large, so a state is written about as often as the logarithm of the
number of states.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE
from solver.engines.loops.rounds import CHILDREN, AddStates, ExpandStates, Rounds, exits_kind
from solver.engines.loops.workplace import SOLVED, Workplace, tiers_of
from solver.engines.storage.key_file import key_shards
from solver.engines.storage.merging import Names, merge_runs, ranges_by_shard
from solver.engines.storage.records import FoundRound, FoundStarts, ReachedStage
from solver.engines.storage.steps import Answer, even_ranges
from solver.rules.arrays import Keys, distinct
from solver.system.executors import OnProgress

GROWTH = 2
"""Rounds that are this many times as large as all later ones together are not merged with these."""


def find_stages(workplace: Workplace, starts: FoundStarts, expected: int | None) -> list[ReachedStage]:
    """Write the states of all stages to the work folder; return a record of each.

    Progress is measured against the `expected` number of states, or an upper bound on it, if it is known.
    Raises `BrokenRules`.
    """
    context, stages, firsts = workplace.context, list[ReachedStage](), defaultdict[int, list[str]](list)

    def add(nth: int, kind: str, shards_by_tier: Sequence[Sequence[int]]) -> None:
        """Add the files of a stage that have states of later tiers, where a search begins, by tier."""
        for tier, *shards in shards_by_tier:
            firsts[tier] += [context.work.shard(nth, f"{kind}{tier}", shard).name for shard in shards]

    add(0, "starts", starts.tiers)
    while firsts:
        tier, nth = min(firsts), len(stages)
        names, stage = tuple(firsts.pop(tier)), ReachedStage.read(context.work, nth)
        if stage is None:
            before = sum(earlier.states for earlier in stages)
            on_progress = context.counted("finding states", expected, None, before)
            stage = _Search(workplace, nth, tier, on_progress).run(names)
        stages.append(stage)
        add(nth, "exits", stage.exits)
    return stages


def _known(record: FoundRound) -> list[Rounds]:
    """The files of states after a round; the last has the states of that round."""
    return [Rounds(*numbers) for numbers in record.known]


@dataclass(frozen=True)
class _Search:
    """The search for the states of one stage."""

    workplace: Workplace
    nth: int
    tier: int
    on_progress: OnProgress

    def run(self, firsts: Names) -> ReachedStage:
        """Find the states; write them and the exits; return the record."""
        work, rounds = self.workplace.context.work, list[FoundRound]()
        self.workplace.context.hold(FoundRound.read(work, self.nth, 0) is None)
        while not rounds or _known(rounds[-1])[-1].open_states:
            place = work, self.nth, len(rounds)
            rounds.append(FoundRound.read(*place) or self._round(rounds, firsts).write(*place))
            if work.held.was_full:
                work.write_held()
                for nth, record in enumerate(rounds):
                    record.write(work, self.nth, nth)
            for before in rounds[-2:-1]:
                for merged in {*_known(before)} - {*_known(rounds[-1])}:
                    work.drop(self.nth, merged.kind(0), merged.kind(1))
        known = _known(rounds[-1])
        shards = self._merged(known, (SOLVED.open, SOLVED.terminal))
        exits = defaultdict[int, list[str]](list)
        for tier, run in (run for record in rounds for run in record.exits):
            exits[tier].append(work.shard(self.nth, exits_kind(tier), run).name)
        stage = ReachedStage(
            open_states=sum(part.open_states for part in known),
            terminal=sum(part.terminal for part in known),
            shards=shards,
            tier=self.tier,
            margin=max(record.margin for record in rounds),
            exits=_merge_tiers(self.workplace, self.nth, "exits", exits)[0],
        ).write(work, self.nth)
        work.drop(self.nth, "*.run")
        return stage

    def _round(self, before: Sequence[FoundRound], firsts: Names) -> FoundRound:
        """Find the states of the next round."""
        context, number, known = self.workplace.context, len(before), list[Rounds]()
        runs, moves, exits = firsts, 0, list[list[int]]()
        if before:
            known = _known(before[-1])
            answers = self._expanded(before)
            moves = sum(answer["moves"] for answer in answers)
            exits = [run for answer in answers for run in answer["exits"]]
            runs = tuple(path.name for path in context.work.shards(self.nth, CHILDREN, len(answers)))
        shards = ranges_by_shard(context, runs)
        tasks = [AddStates(self.nth, number, nth, runs, shard, known) for nth, shard in enumerate(shards)]
        answers = self.workplace.run(f"{self.nth:04}.adding", tasks, self.on_progress)
        open_states, terminal = (sum(answer[kind] for answer in answers) for kind in ("open", "terminal"))
        new = Rounds(number, number, open_states, terminal, len(answers))
        margin = max((answer["margin"] for answer in answers), default=0)
        record = FoundRound([[*part] for part in (*self._few(known), new)], margin, moves, exits)
        context.work.drop(self.nth, CHILDREN)
        return record

    def _expanded(self, before: Sequence[FoundRound]) -> list[Answer]:
        """Expand the open states of the last round, in tasks whose children can be sorted in memory."""
        context, actions = self.workplace.context, self.workplace.context.rules.action_count
        *expanded, frontier = _known(before[-1])
        states = sum(part.open_states for part in expanded)
        moves = sum(record.moves for record in before)
        per_state = min(actions, 1 + 5 * moves // (4 * states)) if states else actions
        most = max(1, context.keys_per_sort // (PIECE * per_state))
        parts = even_ranges(frontier.files(context, self.nth, 0).pieces, most, context.job.shards)
        tasks = [ExpandStates(self.nth, self.tier, frontier, nth, *part) for nth, part in enumerate(parts)]
        return self.workplace.run(f"{self.nth:04}.expanding", tasks)

    def _few(self, known: list[Rounds]) -> list[Rounds]:
        """Merge the last of the known rounds with the ones before that are not much larger."""
        first, states = len(known) - 1, 0
        while first > 0 and known[first - 1].states < GROWTH * (states := states + known[first].states):
            first -= 1
        last = known[first:]
        if len(last) < 2:
            return known
        open_states, terminal = sum(part.open_states for part in last), sum(part.terminal for part in last)
        merged = Rounds(last[0].first, last[-1].last, open_states, terminal, 0)
        shards = self._merged(last, (merged.kind(0), merged.kind(1)))
        return [*known[:first], merged._replace(shards=shards)]

    def _merged(self, rounds: Sequence[Rounds], kinds: tuple[str, str]) -> int:
        """Merge rounds into files of these kinds, open and terminal states; return the number of shards."""
        context = self.workplace.context
        names = [[name for part in rounds for name in part.names(context, self.nth, kind)] for kind in (0, 1)]
        return merge_runs(self.workplace, self.nth, dict(zip(kinds, names, strict=True)))[0]


def _merge_tiers(
    workplace: Workplace, stage: int, prefix: str, runs: Mapping[int, Sequence[str]]
) -> tuple[list[list[int]], int]:
    """Merge the runs of each tier into files, whose kind is the `prefix` and the tier.

    Returns [tier, number of a shard, ...] for each tier, and the number of states.
    """
    shards_by_tier, states = list[list[int]](), 0
    for tier, names in sorted(runs.items()):
        shards, more = merge_runs(workplace, stage, {f"{prefix}{tier}": names})
        shards_by_tier.append([tier, *range(shards)])
        states += more
    return shards_by_tier, states


def write_starts(workplace: Workplace, parts: Iterable[Keys]) -> FoundStarts:
    """Write the starts to the work folder; return their record.

    They are given in parts, perhaps with repetitions.
    """
    context, runs = workplace.context, defaultdict[int, list[str]](list)
    if (known := FoundStarts.read(context.work)) is not None:
        return known
    context.hold()
    on_progress = context.counted("finding initial states", None, None)
    for nth, portion in enumerate(_portions(parts, context.keys_per_sort)):
        keys = distinct(np.concatenate(portion))
        tiers = tiers_of(context, keys)
        for tier in distinct(tiers).tolist():
            kind = f"starts{tier}.run"
            with key_shards(context, 0, nth, kind) as (file,):
                file.add(keys[tiers == tier])
            runs[tier].append(context.work.shard(0, kind, nth).name)
        on_progress(len(keys))
    shards_by_tier, states = _merge_tiers(workplace, 0, "starts", runs)
    record = FoundStarts(states, shards_by_tier).write(context.work)
    context.work.drop(0, "starts*.run")
    return record


def _portions(parts: Iterable[Keys], most: int) -> Iterator[list[Keys]]:
    """Yield lists of parts with more than `most` states together, except for the last list."""
    portion = list[Keys]()
    for part in parts:
        portion.append(part)
        if sum(map(len, portion)) > most:
            yield portion
            portion = []
    if portion:
        yield portion
