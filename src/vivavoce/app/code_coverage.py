"""`--cov`: measures with coverage.py which lines of Python agents each case ran."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Protocol

from vivavoce.app.request import RunRequest
from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError
from vivavoce.model.result import Attempt
from vivavoce.protocols import Job, Work

DATA_FILE = ".coverage"


class _Coverage(Protocol):
    """What is used of coverage.Coverage."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def save(self) -> None: ...

    def switch_context(self, new_context: str) -> None: ...


class CodeCoverage:
    """One context for each case. The context is the process's own, so only one case may run at a time."""

    def __init__(self, measured: _Coverage) -> None:
        self._measured = measured

    def around(self, work: Work) -> Work:
        async def attempt(job: Job) -> Attempt:
            self._measured.switch_context(job.case.key)
            try:
                return await work(job)
            finally:
                self._measured.switch_context("")

        return attempt


@contextmanager
def measured_code(request: RunRequest) -> Generator[CodeCoverage | None]:
    """Measures as long as it lasts, then writes `.coverage` to the working folder. None without `--cov`.

    Raises UsageError when coverage.py is not installed, a path does not exist, or the cases run elsewhere.
    """
    paths = request.cov_paths
    if not paths:
        yield None
        return
    if request.executor.partition("=")[0] != "local":
        raise UsageError("--cov measures this process only", at="--cov", hint="leave out --executor")
    measured = _opened(paths)
    measured.start()
    try:
        yield CodeCoverage(measured)
    finally:
        measured.stop()
        measured.save()


def _opened(paths: Sequence[str]) -> _Coverage:
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f"there is no {path}", at="--cov", hint="name the folders or files of your agent's code")
    try:
        library = import_module("coverage")
    except ImportError:
        raise UsageError("--cov needs coverage.py", at="--cov", hint="pip install 'vivavoce[cov]'") from None
    places = [Path(path).resolve() for path in paths]
    # coverage.py ignores `include` beside `source`, and a source must be a folder: patterns say both.
    include = [str(place / "*") if place.is_dir() else str(place) for place in places]
    return library.Coverage(data_file=str(here() / DATA_FILE), include=include)
