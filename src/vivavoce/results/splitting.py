"""The shards of a run that was split: which of them are there, and what is lost without the others."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from vivavoce.model.result import RunInfo
from vivavoce.wording.plurals import counted, listed

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")
_MOST_NAMED = 10


class Split(Struct, frozen=True):
    """Runs of the same cases, split alike, and how many cases they have results of."""

    shards: tuple[tuple[int, int], ...]
    """What was given, as often as it was: (2, 5) is 2/5."""
    cases: int | None
    """How many cases the parts have together; None where that is not known."""
    results: int

    @property
    def lost(self) -> int:
        """Cases of the whole that have no result here."""
        return max((self.cases or 0) - self.results, 0)

    @property
    def written(self) -> str:
        """`1/5,2/5`, as the start line of a merged run has it."""
        return ",".join(self._named_once())

    def missing(self) -> list[str]:
        """Shards that were not given. One in which no case falls writes no file and is not missed."""
        if self.cases is not None and not self.lost:
            return []
        given = set(self.shards)
        counts = sorted({count for _, count in given})
        whole = ((index, count) for count in counts for index in range(1, count + 1))
        return [_named(shard) for shard in whole if shard not in given]

    def objections(self, *, last_wins: bool) -> list[str]:
        """Why this is not the whole run, in words; nothing when it is."""
        said: list[str] = []
        if missing := self.missing():
            lost = f": {counted(self.lost, 'case was', 'cases were')} not run" if self.lost else ""
            said.append(f"{_shards(missing)} missing{lost}")
        # With --last-wins, a shard that is given twice is meant so.
        if not last_wins and (twice := [_named(shard) for shard, times in Counter(self.shards).items() if times > 1]):
            said.append(f"{_shards(twice)} given more than once")
        if len({count for _, count in self.shards}) > 1:
            said.append(f"these are parts of different splits: {listed(self._named_once())}")
        return said

    def _named_once(self) -> list[str]:
        return [_named(shard) for shard in sorted(set(self.shards), key=lambda shard: (shard[1], shard[0]))]


def splits_of(runs: Sequence[RunInfo], keys: Sequence[set[str]]) -> list[Split]:
    """The split runs among these; `keys` are the cases that each of them has results of."""
    parts: dict[tuple[tuple[str, ...], int | None], list[int]] = {}
    for at, run in enumerate(runs):
        if run.shard is not None:
            parts.setdefault((run.inputs, run.cases_of_all_shards), []).append(at)
    return [
        Split(
            shards=tuple(shard for at in places for shard in _read(runs[at].shard or "")),
            cases=cases,
            results=len(set[str]().union(*(keys[at] for at in places))),
        )
        for (_, cases), places in parts.items()
    ]


def _read(text: str) -> list[tuple[int, int]]:
    return [(int(index), int(count)) for index, count in _SHARD.findall(text)]


def _named(shard: tuple[int, int]) -> str:
    return f"{shard[0]}/{shard[1]}"


def _shards(names: list[str]) -> str:
    if len(names) == 1:
        return f"shard {names[0]} is"
    more = len(names) - _MOST_NAMED
    return f"shards {listed([*islice(names, _MOST_NAMED), *([f'{more:,} more'] if more > 0 else [])])} are"
