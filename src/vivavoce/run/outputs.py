"""Where results go: the journal while the run goes on, documents once it is over."""

import os
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from vivavoce.catalog import DOCUMENTS
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.events import Event
from vivavoce.model.result import RunInfo, RunReport, Summary
from vivavoce.project import Project
from vivavoce.reporters.formats import format_of, unused
from vivavoce.reporters.jsonl import JsonlReporter
from vivavoce.reporters.result_file import read_result_file


class Outputs:
    """The files of one run. Everything is opened or checked before the first agent is called."""

    def __init__(
        self, project: Project, paths: Sequence[str], default: Path | None, *, journal_wanted: bool = False
    ) -> None:
        self.warnings: list[str] = []
        self._project = project
        by_format = [(format_of(path), Path(path)) for path in paths]
        if unknown := [path for kind, path in by_format if kind not in ("jsonl", *DOCUMENTS)]:
            raise UsageError(f"no report format for {unknown[0]}", at="-o", hint="use .jsonl .json .md .html or .xml")
        journals = [path for kind, path in by_format if kind == "jsonl"]
        self._documents = [(kind, path) for kind, path in by_format if kind != "jsonl"]
        for _, path in self._documents:
            check_writable(path)
        if not paths and default is not None:
            journals = [self._default_journal(default)]
        self._scratch: Path | None = None
        if not journals and (self._documents or journal_wanted):
            self._scratch = _scratch_file(project)
        self._journals = journals if self._scratch is None else [self._scratch]
        self._streams = [JsonlReporter(_opened(path)) for path in self._journals]
        self._begun = False
        self.files = [*journals, *(path for _, path in self._documents)]

    def handle(self, event: Event) -> None:
        self._begun = True
        for stream in self._streams:
            stream.handle(event)

    def close(self) -> None:
        """Of a run that never began, no file is left behind."""
        for stream in self._streams:
            stream.close()
        if not self._begun:
            for path in self._journals:
                path.unlink(missing_ok=True)

    def report(self, info: RunInfo, summary: Summary) -> RunReport:
        """The run from its journal: a report never needs all results in memory."""
        return RunReport(info=info, summary=summary, results=read_result_file(self._journals[0]).results)

    def write_documents(self, info: RunInfo, summary: Summary) -> None:
        for kind, path in self._documents:
            try:
                write_document(kind, self.report(info, summary), path)
            except OSError as error:
                raise self.not_written(path, error) from None

    def not_written(self, path: Path, error: OSError) -> VivaError:
        """The complaint about a report that could not be written; the journal stays, for another try."""
        self._scratch = None
        return VivaError(f"cannot write {path}: {error.strerror}", hint=f"the results are in {self._journals[0]}")

    def remove_scratch(self) -> None:
        if self._scratch is not None:
            self._scratch.unlink(missing_ok=True)

    def _default_journal(self, default: Path) -> Path:
        try:
            check_writable(default)
        except UsageError as problem:
            folder = self._project.state_dir
            folder.mkdir(parents=True, exist_ok=True)
            self.warnings.append(f"{problem}; results go to {self._project.shown(folder)} instead")
            default = folder / default.name
        return unused(default)


def write_document(kind: str, report: RunReport, path: Path) -> None:
    """A report in one of the built-in formats."""
    with _whole(path) as out:
        DOCUMENTS.load(kind)(report, out)


def write_whole(text: str, path: Path) -> None:
    with _whole(path) as out:
        out.write(text)


@contextmanager
def _whole(path: Path) -> Generator[TextIO]:
    """Whole or not at all: a reader never meets half a report."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _opened(path: Path) -> Path:
    check_writable(path)
    return path


def check_writable(path: Path) -> None:
    """Finds out now, not after an hour of calls."""
    if path.is_dir():
        raise UsageError(f"{path} is a directory", at="-o", hint="give a file name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        existed = path.exists()
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", at="-o") from None


def _scratch_file(project: Project) -> Path:
    try:
        project.state_dir.mkdir(parents=True, exist_ok=True)
        folder = project.state_dir
    except OSError:
        folder = Path(tempfile.gettempdir())
    handle, name = tempfile.mkstemp(prefix="journal-", suffix=".jsonl", dir=folder)
    os.close(handle)
    return Path(name)
