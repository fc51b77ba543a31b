"""Notices at the end of a run whether it got slower, dearer or wordier than the last ten."""

from contextlib import suppress
from zlib import crc32

from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.result import RunInfo
from vivavoce.project.project import Project
from vivavoce.results.history.pace_file import CasePace, RunPace, pace_of, read_paces, write_paces

ENOUGH_CASES = 100
"""The number of cases looked at in a long suite, always the same ones: more would cost time and show no more."""
FILE = "pace.jsonl"


class DriftWatch:
    """Keeps a few numbers of the cases of a run as they pass by. Nothing it finds fails a run."""

    def __init__(self, info: RunInfo, project: Project) -> None:
        self._info = info
        self._path = project.state_dir / FILE
        self._every = -(-info.total_cases // ENOUGH_CASES)
        self._cases: list[CasePace] = []

    def handle(self, event: Event) -> None:
        if not isinstance(event, CaseFinished):
            return
        if self._every > 1 and crc32(event.result.case.key.encode("utf-8", "replace")) % self._every:
            return
        if (pace := pace_of(self._info, event.result)) is not None:
            self._cases.append(pace)

    def close(self) -> None:
        """Nothing is open."""

    def warnings(self) -> tuple[str, ...]:
        """Returns one line when the run took more than usual, and remembers what it took for the next ones."""
        if not self._cases:
            return ()
        now = RunPace(self._info.run_id, tuple(self._cases))
        earlier = read_paces(self._path)
        with suppress(OSError):  # the next runs know less
            write_paces(self._path, [*earlier, now])
        from vivavoce.insight.drift import LEAST_RUNS, growth_in, growth_line

        grown = growth_in(now, earlier) if len(earlier) >= LEAST_RUNS else []
        return (growth_line(grown),) if grown else ()
