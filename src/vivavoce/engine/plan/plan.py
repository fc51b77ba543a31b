"""Which cases run: everything is read, checked and counted once before the first agent is called."""

import hashlib
import heapq
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import msgspec
from msgspec import Struct, field

from vivavoce.engine.plan.case_names import CaseNames
from vivavoce.engine.plan.checked_cases import CheckedCases
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.notation.expressions import Expression, parse_expression
from vivavoce.notation.patterns import compile_pattern
from vivavoce.protocols import Job, Source


class Selection(Struct, frozen=True, kw_only=True):
    """Which of the cases found are to run."""

    pattern: str | None = None
    keywords: str | None = None
    """An expression over words that path::id, name and tags contain."""
    marks: str | None = None
    """An expression over tags."""
    tags: tuple[str, ...] = ()
    keys: frozenset[str] | None = None
    """Only these `path::id`: what failed last time."""
    first: frozenset[str] = frozenset()
    """The keys that run before all others."""
    order: tuple[str, ...] = ()
    """The order of the `first` ones; empty: as they stand in their files."""
    affected: Callable[[Case], bool] | None = None
    """Only the cases this is true of: those that a changed file affects."""
    shard: tuple[int, int] | None = None
    sample: int | None = None
    seed: int = 0
    skip_interactive: bool = False


class Plan(Struct, frozen=True, kw_only=True):
    """What will run, checked and counted. The cases themselves stay on disk until they run."""

    sources: tuple[Source, ...]
    selection: Selection
    found: int
    selected: int
    runs: int
    in_all_shards: int | None = None
    """How many would be selected without `--shard`; None without `--shard`, or when it is not known."""
    sampled: frozenset[str] | None = None
    checked: CheckedCases | None = None
    """The selected cases as they were checked; None: they are read again from their sources."""
    names: CaseNames = field(default_factory=CaseNames)
    """What the cases name that is not in them: environment variables, files."""
    repeats: Callable[[Case], int] | None = None
    """How often each case is judged, where neither the cases nor `runs` decide it (recorded conversations)."""
    tags: tuple[str, ...] = ()
    """The tags of the selected cases, each once."""
    contenders: tuple[str, ...] = ()
    """The labels of the agents that are compared: each case runs once for each. Empty: one run of each case."""
    order: Sequence[int] | None = None
    """The places of the selected cases, before any sample, in the order they run; None: as they were read."""
    named: Callable[[Case], Case] = lambda case: case
    """The case with a name that may be shown."""

    @property
    def holds_variables(self) -> bool:
        """False when no case has a `${NAME}` in it."""
        return self.checked is None or self.checked.hold_variables

    @property
    def shard(self) -> str | None:
        """The shard as written: `2/5`."""
        chosen = self.selection.shard
        return None if chosen is None else f"{chosen[0]}/{chosen[1]}"

    def cases(self) -> Iterator[Case]:
        """The selected cases in the order they run; those of a comparison once for each contender."""
        cases = self._in_running_order()
        return self._for_each_contender(cases) if self.contenders else cases

    def compared(self, contenders: tuple[str, ...]) -> "Plan":
        """The same plan with each case once for each of these labels."""
        times = len(contenders)
        everywhere = None if self.in_all_shards is None else self.in_all_shards * times
        return msgspec.structs.replace(
            self,
            contenders=contenders,
            found=self.found * times,
            selected=self.selected * times,
            in_all_shards=everywhere,
        )

    def _for_each_contender(self, cases: Iterator[Case]) -> Iterator[Case]:
        """Yields a case for all contenders before the next one; another contender is the first each time."""
        labels = deque(self.contenders)
        for case in cases:
            for label in labels:
                yield msgspec.structs.replace(case, agent=label)
            labels.rotate(-1)

    def _in_running_order(self) -> Iterator[Case]:
        first = self.selection.first
        if not first:
            return self._chosen()
        return chain(
            self._in_order(case for case in self._chosen() if case.key in first),
            (case for case in self._chosen() if case.key not in first),
        )

    def _in_order(self, first: Iterator[Case]) -> Iterator[Case]:
        if not self.selection.order:
            return first
        rank = {key: at for at, key in enumerate(self.selection.order)}
        return iter(sorted(first, key=lambda case: rank.get(case.key, len(rank))))

    def cases_as_read(self) -> Iterator[Case]:
        """The selected cases in the order they were read, a sample not yet drawn."""
        return iter(self.checked or self._read_again())

    def jobs(self) -> Iterator[Job]:
        default, repeats = self.runs, self.repeats
        for index, case in enumerate(self.cases(), start=1):
            runs = runs_of(case, default) if repeats is None else repeats(case)
            if runs == 1:
                yield Job(case=case, index=index)
                continue
            for run in range(1, runs + 1):
                yield Job(case=case, index=index, run=run, runs=runs)

    def _chosen(self) -> Iterator[Case]:
        if self.order is not None and self.checked is not None:
            cases = self.checked.in_order(self.order)
        elif self.order is not None:
            # Cases that a program handed over: they are in memory already.
            listed = list(self._read_again())
            cases = (listed[place] for place in self.order)
        else:
            cases = self.cases_as_read()
        if self.sampled is not None:
            sampled = self.sampled
            cases = (case for case in cases if case.key in sampled)
        return map(_skipped_without_a_person, cases) if self.selection.skip_interactive else cases

    def _read_again(self) -> Iterator[Case]:
        wanted = _filter(self.selection)
        in_shard = _shard_filter(self.selection.shard)
        for source in self.sources:
            for read in source.read():
                if isinstance(read, UsageError):
                    # The file was valid when the plan was made, and has been edited since.
                    raise VivaError(f"{source.label} changed while the run was going on: {read}")
                case = self.named(read)
                if (wanted is None or wanted(case)) and (in_shard is None or in_shard(case)):
                    yield case


def make_plan(
    sources: Sequence[Source],
    selection: Selection,
    *,
    runs: int,
    check: Callable[[Case], None] | None = None,
    checked: CheckedCases | None = None,
    named: Callable[[Case], Case] = lambda case: case,
) -> tuple[Plan, list[UsageError]]:
    """The plan, and every problem found on the way. `check` may object to a case by raising.

    `named` gives a case a name that may be shown, where its own holds a secret.
    A caller that will run the plan passes `checked`, which is filled; cases made by a program are not changed.
    """
    wanted = _filter(selection)
    in_shard = _shard_filter(selection.shard)
    sampler = _Sampler(selection.sample, selection.seed)
    problems: list[UsageError] = []
    tags: set[str] = set()
    found = in_all_shards = selected = 0
    for item in _read(sources, named, problems):
        found += 1
        if wanted is not None and not wanted(item):
            continue
        in_all_shards += 1
        if in_shard is not None and not in_shard(item):
            continue
        if check is not None:
            try:
                check(item)
            except UsageError as problem:
                problems += problem.each()
                continue
        selected += 1
        if item.tags:
            tags.update(item.tags)
        if checked is not None:
            checked.add(item)
        if sampler.active:
            sampler.offer(item.key)
    plan = Plan(
        sources=tuple(sources),
        selection=selection,
        found=found,
        selected=sampler.count if sampler.active else selected,
        runs=runs,
        tags=tuple(sorted(tags)),
        # Each shard draws a sample of its own.
        in_all_shards=None if selection.shard is None or sampler.active else in_all_shards,
        sampled=sampler.keys(),
        checked=checked if checked is not None and checked.complete else None,
        names=CaseNames() if checked is None else checked.names,
        named=named,
    )
    return plan, problems


def _read(sources: Sequence[Source], named: Callable[[Case], Case], problems: list[UsageError]) -> Iterator[Case]:
    """Yields the valid cases, each with an id that may be shown, and collects the problems of the others."""
    renamed: set[str] = set()
    for read in chain.from_iterable(source.read() for source in sources):
        if isinstance(read, UsageError):
            problems.append(read)
            continue
        case = named(read)
        if case is not read:
            if case.key in renamed:
                what = "the secrets in its id are hidden, and then another case has the same id"
                problems.append(UsageError(what, at=case.origin, hint="write no secret into an id"))
                continue
            renamed.add(case.key)
        yield case


def runs_of(case: Case, default: int) -> int:
    """How often a case runs; one that is skipped needs no repeating."""
    return 1 if case.skip is not None else case.runs or default


def parse_shard(text: str) -> tuple[int, int]:
    """`2/5` → (2, 5)."""
    written = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    index, count = map(int, written.groups()) if written else (0, 0)
    if not 1 <= index <= count:
        raise UsageError(f"bad shard {text!r}", hint="write it like 2/5: the second of five")
    return index, count


def shard_of(case_id: str, count: int) -> int:
    """Returns the shard (from 1) of an id. It depends on the id alone."""
    return int.from_bytes(hashlib.blake2b(case_id.encode(), digest_size=8).digest()) % count + 1


def _filter(selection: Selection) -> Callable[[Case], bool] | None:
    """Returns the filter for all flags but `--shard`; None when every case is wanted."""
    tests: list[Callable[[Case], bool]] = []
    if selection.pattern is not None:
        try:
            pattern: JsonValue = compile_pattern(selection.pattern)
        except ValueError as error:
            raise UsageError(str(error), at="--run") from None
        tests.append(lambda case: any(pattern.search(text) for text in (case.id, case.name or "", case.key)))
    if selection.keywords is not None:
        tests.append(_keyword_filter(_expression(selection.keywords, "-k")))
    if selection.marks is not None:
        marked = _expression(selection.marks, "-m")
        tests.append(lambda case: marked(lambda tag: tag in case.tags))
    if selection.tags:
        tags = frozenset(selection.tags)
        tests.append(lambda case: not tags.isdisjoint(case.tags))
    if selection.keys is not None:
        keys = selection.keys
        tests.append(lambda case: case.key in keys)
    if selection.affected is not None:
        tests.append(selection.affected)
    return (lambda case: all(test(case) for test in tests)) if tests else None


def _keyword_filter(expression: Expression) -> Callable[[Case], bool]:
    """Returns a filter like pytest's -k: a word matches inside path::id, name or a tag, upper or lower case."""

    def wanted(case: Case) -> bool:
        texts = [text.lower() for text in (case.key, case.name or "", *case.tags)]
        return expression(lambda word: any(word.lower() in text for text in texts))

    return wanted


def _expression(text: str, flag: str) -> Expression:
    try:
        return parse_expression(text)
    except ValueError as error:
        hint = "write it like: refund and not slow; --run takes a regular expression"
        raise UsageError(str(error), at=flag, hint=hint) from None


def _shard_filter(shard: tuple[int, int] | None) -> Callable[[Case], bool] | None:
    if shard is None:
        return None
    index, count = shard
    return lambda case: shard_of(case.id, count) == index


def _skipped_without_a_person(case: Case) -> Case:
    if case.rules.interactive and case.skip is None:
        return msgspec.structs.replace(case, skip="needs a person (--skip-interactive)")
    return case


class _Sampler:
    """Draws a random sample in one pass: the N keys with the smallest hash under a seed."""

    def __init__(self, size: int | None, seed: int) -> None:
        self.active = size is not None
        self._size = size or 0
        self._seed = _hash_key(seed)
        self._heap: list[tuple[int, str]] = []

    def offer(self, key: str) -> None:
        if not self._size:
            return
        rank = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8, key=self._seed).digest())
        entry = (-rank, key)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    @property
    def count(self) -> int:
        return len(self._heap)

    def keys(self) -> frozenset[str] | None:
        return frozenset(key for _, key in self._heap) if self.active else None


def _hash_key(seed: int) -> bytes:
    """Returns a whole number as bytes short enough for the key of a hash."""
    key = seed.to_bytes(max(8, seed.bit_length() // 8 + 1), signed=True)
    return key if len(key) <= hashlib.blake2b.MAX_KEY_SIZE else hashlib.blake2b(key).digest()
