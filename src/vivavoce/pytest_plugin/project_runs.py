"""What the agent tests of one pytest session share: projects, runs, one event loop for the cases."""

import asyncio
import os
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import structs

from vivavoce.api.talking import Stage, Viva
from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.app.stepped_run import SteppedRun
from vivavoce.errors import EXIT_BROKEN, UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.model.result import CaseResult
from vivavoce.project.project import Project
from vivavoce.pytest_plugin.options import given_to
from vivavoce.pytest_plugin.xdist import output_of_worker, worker_of


class ProjectRuns:
    """Opens each project once; its cases are one run, examined one after the other as pytest asks for them."""

    def __init__(self, config: pytest.Config) -> None:
        self._root = config.rootpath
        self._worker = worker_of(config)
        command = shlex.join(["pytest", *config.invocation_params.args])
        try:
            self._request = RunRequest.of(given_to(config), os.environ, command=command)
        except UsageError as problem:
            raise pytest.UsageError(str(problem)) from None
        self._default_agent: str | None = config.getini("viva_agent") or None
        self._projects: dict[Path, Project] = {}
        self._runs: dict[Path, SteppedRun] = {}
        # A factory keeps the runner from replacing the thread's current loop, which is somebody else's.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)

    def project(self, folder: Path) -> Project:
        """The project a file in this folder belongs to: the nearest configuration upward, else pytest's rootdir."""
        found = self._projects.get(folder)
        if found is None:
            found = open_project(self._request.config_path, folder)
            if found.config_path is None and found.root == folder:
                found = open_project(None, self._root)
            self._projects[folder] = found
        return found

    def conversation(self, test_file: Path, mark: pytest.Mark | None) -> Viva:
        """A new conversation for a test, with the agent of the flag, else of the mark, else of the configuration."""
        marked = mark.kwargs.get("agent") if mark is not None else None
        try:
            project = self.project(test_file.parent)
            # The agent is the conversation's own: viva.agent(…) opens one with another.
            stage = Stage(project, self._request.replaced(agent=None))
        except UsageError as problem:
            raise pytest.fail.Exception(str(problem), pytrace=False) from None
        agent = self._request.agent or marked or self._default_agent
        return Viva(stage, agent, test_file=str(test_file))

    def with_agent(self, case: Case) -> Case:
        """The case, with the agent of pytest's configuration where it names none."""
        return case if case.agent is not None else structs.replace(case, agent=self._default_agent)

    def select(self, cases: Iterable[tuple[Case, Path]]) -> None:
        """The cases that pytest will run, each with its folder: one run for each project."""
        of_project: dict[Path, tuple[Project, list[Case]]] = {}
        for case, folder in cases:
            project = self.project(folder)
            of_project.setdefault(project.root, (project, []))[1].append(case)
        for root, (project, selected) in of_project.items():
            self._runs[root] = self._run(project, selected)

    def run_of(self, case: Case, folder: Path) -> SteppedRun:
        """The run a case belongs to."""
        project = self.project(folder)
        if project.root not in self._runs:
            self._runs[project.root] = self._run(project, [case])
        return self._runs[project.root]

    def examine(self, case: Case, folder: Path) -> CaseResult:
        """One case, as often as it or the project wants, with the engine of every run."""
        return self._runner.run(self.run_of(case, folder).examine(case))

    def allow_not_run(self, folder: Path) -> bool:
        """Whether cases that the budget or the time limit left out are skipped instead of failed."""
        return self._request.with_defaults(self.project(folder).config.run).allow_not_run

    def finish(self) -> Iterable[str]:
        """Ends every run. What went wrong, as lines to print; there is nothing to print when all is well."""
        for run in self._runs.values():
            try:
                outcome = self._runner.run(run.finish())
            except VivaError as problem:
                yield str(problem)
            else:
                if outcome is not None and outcome.exit_code == EXIT_BROKEN:
                    yield "the run is not in order: see above"
        self._runs.clear()

    def close(self) -> None:
        self._runner.close()

    def _run(self, project: Project, cases: list[Case]) -> SteppedRun:
        # A baseline decides about a whole run; pytest decides about each test.
        request = self._request.with_defaults(project.config.run).replaced(baseline=None, update_baseline=False)
        if self._worker is not None:
            # Two processes must not write one file.
            request = request.replaced(
                outputs=tuple(output_of_worker(path, self._worker) for path in request.output_paths),
                junitxml=request.junitxml and output_of_worker(request.junitxml, self._worker),
            )
        return SteppedRun(request, project, cases, partial=self._worker is not None)
