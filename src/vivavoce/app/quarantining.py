"""The quarantine in use: marks the results of its cases, and warns at the end of the run."""

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from msgspec import structs

from vivavoce.app.history_keeping import open_history
from vivavoce.app.planning import Planned
from vivavoce.errors import VivaError
from vivavoce.insight.flakiness import FlakyCase
from vivavoce.insight.quarantine.quarantine_entry import QuarantineEntry, entry_for, passed_in_a_row
from vivavoce.insight.quarantine.quarantine_file import QuarantineFile, read_quarantine, with_entries
from vivavoce.model.case import Case
from vivavoce.model.result import UNSUCCESSFUL, CaseResult, Quarantine, RunInfo, Status
from vivavoce.project.option import texts_of
from vivavoce.project.project import Project
from vivavoce.project.whole_files import write_whole
from vivavoce.results.history.facts import CaseFacts, facts_of
from vivavoce.sources.folder_search import QUARANTINE_FILE
from vivavoce.wording.plurals import counted, first_few

_MOST_NAMED = 20


def quarantine_path(project: Project) -> Path:
    return project.root / QUARANTINE_FILE


def quarantine_of(planned: Planned, info: RunInfo) -> "QuarantineInUse | None":
    """Returns the quarantine of the project; None without one, or with --no-quarantine. Raises UsageError."""
    if not planned.request.quarantine:
        return None
    project = planned.resources.project
    path = quarantine_path(project)
    file = read_quarantine(path, project.shown(path))
    if file is None or not file.entries:
        return None
    plan, inputs = planned.plan, texts_of(planned.request.inputs)
    everything = plan.found == plan.selected and not any("::" in one for one in inputs)
    return QuarantineInUse(
        file,
        info,
        project,
        every_file=everything and not inputs and not planned.only_messages,
        every_case=everything,
    )


class QuarantineInUse:
    """The quarantine during one run."""

    def __init__(
        self,
        file: QuarantineFile,
        info: RunInfo,
        project: Project,
        *,
        every_file: bool = False,
        every_case: bool = False,
        today: date | None = None,
    ) -> None:
        """`every_file`: all tests of the project run; `every_case`: all cases of the files that run."""
        self._file, self._info, self._project = file, info, project
        self._every_file, self._every_case = every_file, every_case
        self._today = today or date.today()
        self._files: set[str] = set()
        self._used: set[QuarantineEntry] = set()
        self._over: dict[str, QuarantineEntry] = {}
        self._failed: dict[str, QuarantineEntry] = {}
        self._passed: dict[str, tuple[QuarantineEntry, CaseFacts]] = {}
        self._something_passed = False

    def mark(self, result: CaseResult) -> CaseResult:
        """Returns the result as one that decides nothing, when its case is in quarantine."""
        case = result.case
        self._files.add(case.origin.path)
        self._something_passed = self._something_passed or result.status is Status.PASSED
        entry = self._entry_of(case)
        if entry is None:
            return result
        if result.status is Status.PASSED and (facts := facts_of(self._info, result)) is not None:
            self._passed[case.key] = entry, facts
        if entry.is_over(self._today):
            self._over[case.id] = entry
            return result
        if result.status in UNSUCCESSFUL:
            self._failed[case.id] = entry
        return structs.replace(result, quarantine=Quarantine(why=entry.why, until=entry.until.isoformat()))

    def warnings(self, *, complete: bool) -> tuple[str, ...]:
        """Returns the warnings; `complete`: every selected case was run."""
        unknown = self._unknown() if complete else ()
        return (*self._failures_in_words(), *self._expired(), *self._releases(), *unknown)

    def _entry_of(self, case: Case) -> QuarantineEntry | None:
        """Returns the entry of a case; of several, the one that holds longest."""
        agent = self._info.agent_for(case.agent, case.origin.path)
        found = [entry for entry in self._file.entries if entry.names(case.key, case.id, agent)]
        self._used.update(found)
        return max(found, key=lambda entry: entry.until, default=None)

    def _failures_in_words(self) -> Iterator[str]:
        if not self._failed:
            return
        named = [f"{name} ({entry.why}; until {entry.until})" for name, entry in self._failed.items()]
        cases = counted(len(named), "case", "cases")
        decides = "it does not decide" if len(named) == 1 else "they do not decide"
        if not self._something_passed:
            decides = "nothing passed in this run, so the quarantine does not hold"
        yield f"QUARANTINE: {cases} did not pass; {decides}: {first_few(named, _MOST_NAMED)}"

    def _expired(self) -> Iterator[str]:
        for name, entry in self._over.items():
            yield (
                f"{entry.at}: the quarantine of {name} ended on {entry.until}: it decides again "
                "(remove the entry, or give it a later date)"
            )

    def _releases(self) -> Iterator[str]:
        for entry, facts in self._passed.values():
            row = passed_in_a_row([*self._earlier(facts), facts])
            if row >= self._file.release_after:
                yield f"{entry.at}: {facts.case_id} passed {row} times in a row: take it out of quarantine"

    def _earlier(self, facts: CaseFacts) -> list[CaseFacts]:
        """Returns what the history knows of a case, without this run. A history that cannot be read is empty."""
        try:
            known = open_history(self._project).facts(facts.key, facts.agent)
        except VivaError:
            return []
        return [one for one in known if one.key == facts.key and one.run_id != facts.run_id]

    def _unknown(self) -> Iterator[str]:
        """Yields the entries that name no case, as far as this run can tell."""
        for entry in self._file.entries:
            if entry in self._used:
                continue
            its_file_ran = self._every_case and entry.file is not None and entry.file in self._files
            if self._every_file or its_file_ran:
                agent = f" of agent {entry.agent}" if entry.agent else ""
                yield f"{entry.at}: there is no case {entry.case!r}{agent}: correct the entry or remove it"


def quarantined_until(flaky: Sequence[FlakyCase], project: Project) -> list[date | None]:
    """Returns the last day in quarantine of each case; None for those that are not in it. Raises UsageError."""
    path = quarantine_path(project)
    known = read_quarantine(path, project.shown(path)) or QuarantineFile()
    days = [[entry.until for entry in known.entries if entry.names(case.key, case.id, case.agent)] for case in flaky]
    return [max(found, default=None) for found in days]


def add_to_quarantine(flaky: Sequence[FlakyCase], project: Project, today: date) -> list[QuarantineEntry]:
    """Adds the flaky cases that are not in quarantine.yaml yet; returns the new entries. Raises UsageError."""
    path = quarantine_path(project)
    shown = project.shown(path)
    known = read_quarantine(path, shown) or QuarantineFile()
    new = [
        entry_for(case, today)
        for case in flaky
        if not any(entry.names(case.key, case.id, case.agent) for entry in known.entries)
    ]
    if new:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        write_whole(with_entries(text, new, shown), path)
    return new
