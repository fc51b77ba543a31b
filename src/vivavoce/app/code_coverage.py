"""`--cov`: measures with coverage.py which lines of Python agents each case ran, in as many processes as `-j` says."""

import sys
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from msgspec import Struct

from vivavoce.app.request import RunRequest
from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError
from vivavoce.model.result import Attempt
from vivavoce.protocols import Job, Work, WorkerSetup

DATA_FILE = ".coverage"
_HERE = ("local", "processes")
"""The executors whose conversations run on this machine."""


class _Data(Protocol):
    """What is used of coverage.CoverageData."""

    def measured_files(self) -> set[str]: ...


class _Coverage(Protocol):
    """What is used of coverage.Coverage."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def save(self) -> None: ...

    def set_option(self, option_name: str, value: list[str]) -> None: ...

    def erase(self) -> None: ...

    def get_data(self) -> "_Data": ...

    def report(self, *, file: StringIO) -> float: ...

    def combine(self, data_paths: list[str], strict: bool, keep: bool) -> None: ...

    def switch_context(self, new_context: str) -> None: ...


class Measuring(Struct, frozen=True):
    """What is measured, and where each process writes what it found. Plain data."""

    include: list[str]
    """Patterns of the files."""
    folder: str

    def begun(self) -> _Coverage:
        """Measures from now on, in this process."""
        library = import_module("coverage")
        measured: _Coverage = library.Coverage(
            data_file=str(Path(self.folder) / DATA_FILE), data_suffix=True, include=self.include
        )
        # A process that got no case has nothing to report, and that is fine.
        measured.set_option("run:disable_warnings", ["no-data-collected"])
        measured.start()
        return measured


class CodeCoverage:
    """One context for each case. The context is the process's own, so a process holds one conversation at a time."""

    def __init__(self, measuring: Measuring, measured: _Coverage) -> None:
        self._measuring = measuring
        self._measured = measured

    def around(self, work: Work) -> Work:
        """The same work, measured in this process."""
        return in_contexts(self._measured, work)

    def elsewhere(self, setup: WorkerSetup) -> WorkerSetup:
        """Returns the setup of processes that measure too."""
        return MeasuredSetup(setup, self._measuring)


def in_contexts(measured: _Coverage, work: Work) -> Work:
    async def attempt(job: Job) -> Attempt:
        measured.switch_context(job.case.key)
        try:
            return await work(job)
        finally:
            measured.switch_context("")

    return attempt


class MeasuredSetup:
    """protocols.WorkerSetup: another one, with coverage.py running in each of its processes."""

    def __init__(self, setup: WorkerSetup, measuring: Measuring) -> None:
        self._setup = setup
        self._measuring = measuring
        self.may_repeat = setup.may_repeat

    @property
    def most(self) -> int | None:
        return self._setup.most

    def opener(self, workers: int) -> Callable[[], AbstractAsyncContextManager[Work]]:
        return partial(open_measured, self._setup.opener(workers), self._measuring)


@asynccontextmanager
async def open_measured(
    opener: Callable[[], AbstractAsyncContextManager[Work]], measuring: Measuring
) -> AsyncGenerator[Work]:
    """Sets this process up as a worker, measured from before the agent's code is imported."""
    measured = measuring.begun()
    try:
        async with opener() as work:
            yield in_contexts(measured, work)
    finally:
        measured.stop()
        measured.save()


@contextmanager
def measured_code(request: RunRequest) -> Generator[CodeCoverage | None]:
    """Measures as long as it lasts, then writes `.coverage` to the working folder. None without `--cov`.

    Raises UsageError when coverage.py is not installed, a path does not exist, or the cases run elsewhere.
    """
    paths = request.cov_paths
    if not paths:
        yield None
        return
    if request.executor.partition("=")[0] not in _HERE:
        raise UsageError("--cov measures on this machine only", at="--cov", hint="leave out --executor")
    include = _patterns(paths)
    try:
        library = import_module("coverage")
    except ImportError:
        raise UsageError("--cov needs coverage.py", at="--cov", hint="pip install 'vivavoce[cov]'") from None
    result: _Coverage = library.Coverage(data_file=str(here() / DATA_FILE))
    with TemporaryDirectory(prefix="viva-cov-") as folder:
        measuring = Measuring(include, folder)
        measured = measuring.begun()
        try:
            yield CodeCoverage(measuring, measured)
        finally:
            measured.stop()
            measured.save()
            result.erase()
            result.combine([folder], strict=False, keep=True)
            result.save()
            print(f"viva: --cov: {_in_short(result, paths)}", file=sys.stderr)


def _in_short(result: _Coverage, paths: Sequence[str]) -> str:
    if not result.get_data().measured_files():
        return f"no line of {', '.join(paths)} was run in viva's processes"
    percent = result.report(file=StringIO())
    show = "`coverage html --show-contexts` shows which case ran which line"
    return f"{percent:.0f} % of the measured lines were run; {show}"


def _patterns(paths: Sequence[str]) -> list[str]:
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f"there is no {path}", at="--cov", hint="name the folders or files of your agent's code")
    places = [Path(path).resolve() for path in paths]
    # coverage.py ignores `include` beside `source`, and a source must be a folder: patterns say both.
    return [str(place / "*") if place.is_dir() else str(place) for place in places]
