"""What the agent tests of one pytest session share: projects, live agents, one event loop for the cases."""

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from vivavoce.api.talking import Stage, Viva
from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.containment.loop_watch import LoopWatch
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.plan import runs_of
from vivavoce.engine.run import result_of
from vivavoce.engine.wiring import Workshop
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.events import Event
from vivavoce.model.result import CaseResult
from vivavoce.project.project import Project
from vivavoce.protocols import Job


class Bench:
    """Opens each project once; runs cases one after the other, as pytest asks for them."""

    def __init__(self, config: pytest.Config) -> None:
        self._root = config.rootpath
        self._agent: str | None = config.getoption("--viva-agent")
        self._default_agent: str | None = config.getini("viva_agent") or None
        self._connector: str | None = config.getoption("--viva-connector")
        self._projects: dict[Path, Project] = {}
        self._workshops: dict[Path, Workshop] = {}
        # A factory keeps the runner from replacing the thread's current loop, which is somebody else's.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)

    def project(self, folder: Path) -> Project:
        """The project a file in this folder belongs to: the nearest configuration upward, else pytest's rootdir."""
        found = self._projects.get(folder)
        if found is None:
            found = open_project(None, folder)
            if found.config_path is None and found.root == folder:
                found = open_project(None, self._root)
            self._projects[folder] = found
        return found

    def conversation(self, test_file: Path, mark: pytest.Mark | None) -> Viva:
        """A fresh one for a test: the flag's agent, else the mark's, else the configured one."""
        marked = mark.kwargs.get("agent") if mark is not None else None
        try:
            project = self.project(test_file.parent)
        except UsageError as problem:
            raise pytest.fail.Exception(str(problem), pytrace=False) from None
        stage = Stage(project, RunRequest(connector=self._connector))
        return Viva(stage, self._agent or marked or self._default_agent, test_file=str(test_file))

    def examine(self, case: Case, folder: Path) -> CaseResult:
        """One case, as often as it or the project wants, with the engine of every run."""
        project = self.project(folder)
        request = RunRequest(agent=self._agent, connector=self._connector).with_defaults(project.config.run)
        workshop = self._workshops.get(project.root)
        if workshop is None:
            workshop = self._workshops[project.root] = Workshop(project, request.settings())
        if case.agent is None:
            case = structs.replace(case, agent=self._default_agent)
        runs = runs_of(case, request.runs)
        return self._runner.run(_examined(case, runs, workshop))

    def close(self) -> None:
        for workshop in self._workshops.values():
            self._runner.run(workshop.close())
        self._runner.close()


async def _examined(case: Case, runs: int, workshop: Workshop) -> CaseResult:
    examination = Examination(workshop, _ignore)
    jobs = [Job(case=case, index=1, run=run, runs=runs) for run in range(1, runs + 1)]
    with LoopWatch(workshop.settings.judge_timeout_s):
        return result_of(jobs[0], tuple([await examination.attempt(job) for job in jobs]))


def _ignore(event: Event) -> None:
    """pytest tells what happens."""
