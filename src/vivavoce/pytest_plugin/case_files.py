"""Case files as pytest sees them: a file is a collector, a case is an item."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from vivavoce.app.opening import sources_of
from vivavoce.app.stepped_run import NotRun
from vivavoce.engine.plan.case_refusals import refuse_silence
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.model.result import CaseResult, Status
from vivavoce.project.project import Project
from vivavoce.pytest_plugin import RUNS
from vivavoce.pytest_plugin.options import in_pytest
from vivavoce.pytest_plugin.project_runs import ProjectRuns
from vivavoce.pytest_plugin.shown_by_pytest import clean_logs, shown
from vivavoce.reporters.terminal.case_block import case_lines
from vivavoce.reporters.terminal.style import Look, console_width
from vivavoce.wording.results import quarantine_words, reason_of, why_not
from vivavoce.wording.terminal_text import neutral


class CaseFile(pytest.File):
    """All cases of a file. When one is wrong, all problems are reported and no case runs."""

    def __init__(self, *, project_runs: ProjectRuns, **more: Any) -> None:
        super().__init__(**more)
        self._project_runs = project_runs

    def collect(self) -> Iterator[pytest.Item]:
        try:
            project = self._project_runs.project(self.path.parent)
            (source,) = sources_of(project, [str(self.path)])
            found = [_checked(one, project) for one in source.read()]
        except UsageError as problem:
            raise self.CollectError(shown(str(problem))) from None
        if problems := [str(one) for one in found if isinstance(one, UsageError)]:
            raise self.CollectError(shown("\n".join(problems)))
        kind: Any = CaseItem  # pytest leaves its `from_parent` untyped
        for case in found:
            if isinstance(case, Case):
                name = shown(neutral(case.id, keep_newlines=False))
                yield kind.from_parent(self, name=name, case=case, project_runs=self._project_runs)


def _checked(found: Case | UsageError, project: Project) -> Case | UsageError:
    """The case, unless nobody would say anything in it."""
    try:
        if isinstance(found, Case):
            refuse_silence(found, simulated=project.config.run.simulator is not None)
    except UsageError as problem:
        return problem
    return found


class CaseItem(pytest.Item):
    """One case. Its tags are markers."""

    def __init__(self, *, case: Case, project_runs: ProjectRuns, **more: Any) -> None:
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]
        self.case = project_runs.with_agent(case)
        self._project_runs = project_runs
        for tag in case.tags:
            self._mark_with(tag)
        if case.name:
            self.extra_keyword_matches.add(case.name)
        if case.skip is not None:
            self.add_marker(pytest.mark.skip(reason=shown(case.skip)))

    def runtest(self) -> None:
        result = self._examined()
        if result.stability is not None:
            self.user_properties.append((RUNS, f"{result.stability.passed}/{result.stability.runs} passed"))
        if result.status is Status.PASSED:
            return
        if result.status is Status.SKIPPED:
            pytest.skip(shown(why_not(result.decisive)))
        if result.quarantine is not None:
            pytest.xfail(shown(f"{quarantine_words(result.quarantine)}: {reason_of(result)}"))
        if self._project_runs.run_of(self.case, self.path.parent).enough_failed:
            self.session.shouldfail = "viva: enough cases failed"
        if result.decisive.logs:
            self.add_report_section("call", "agent", shown(result.decisive.logs))
        pytest.fail(described(result), pytrace=False)

    def _examined(self) -> CaseResult:
        try:
            with clean_logs():
                return self._project_runs.examine(self.case, self.path.parent)
        except NotRun as problem:
            if self._project_runs.allow_not_run(self.path.parent):
                pytest.skip(shown(problem.what))
            self.session.shouldfail = shown(f"viva: {problem.what}")
            raise pytest.fail.Exception(shown(str(problem)), pytrace=False) from None
        except VivaError as problem:
            raise pytest.fail.Exception(shown(str(in_pytest(problem))), pytrace=False) from None

    def reportinfo(self) -> tuple[Any, int | None, str]:
        line = self.case.origin.line
        return self.path, line - 1 if line else None, self.name

    def _mark_with(self, tag: str) -> None:
        self.extra_keyword_matches.add(tag)
        known: list[str] = self.config.getini("markers")
        if tag.startswith("_") or any(line.startswith(f"{tag}(") for line in known):
            return  # a marker that takes arguments (skip, timeout) means something to pytest or to another plugin
        if not any(line.partition(":")[0].strip() == tag for line in known):
            self.config.addinivalue_line("markers", f"{tag}: a tag of agent tests")
        self.add_marker(tag)


def described(result: CaseResult) -> str:
    """Why, in the first line, which pytest's summary shows; below it the case as the console prints it."""
    look = Look(width=console_width(os.environ, isatty=False))  # pytest captures the terminal
    return shown("\n".join([reason_of(result), *case_lines(result, look, compact=False)]))
