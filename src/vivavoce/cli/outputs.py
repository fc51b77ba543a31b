"""Where results go: the journal while the run goes on, documents once it is over."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

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

    def __init__(self, project: Project, paths: Sequence[str], default: Path | None) -> None:
        self.warnings: list[str] = []
        self._project = project
        by_format = [(format_of(path), Path(path)) for path in paths]
        if unknown := [path for kind, path in by_format if kind not in ("jsonl", *DOCUMENTS)]:
            raise UsageError(f"no report format for {unknown[0]}", at="-o", hint="use .jsonl .json .md .html or .xml")
        journals = [path for kind, path in by_format if kind == "jsonl"]
        self._documents = [(kind, path) for kind, path in by_format if kind != "jsonl"]
        for _, path in self._documents:
            _check_writable(path)
        if not paths and default is not None:
            journals = [self._default_journal(default)]
        self._streams = [JsonlReporter(_opened(path)) for path in journals]
        self._scratch: Path | None = None
        if not journals and self._documents:
            self._scratch = _scratch_file(project)
            self._streams.append(JsonlReporter(self._scratch))
        self._journal = journals[0] if journals else self._scratch
        self.files = [*journals, *(path for _, path in self._documents)]

    def handle(self, event: Event) -> None:
        for stream in self._streams:
            stream.handle(event)

    def close(self) -> None:
        for stream in self._streams:
            stream.close()

    def write_documents(self, info: RunInfo, summary: Summary) -> None:
        """Every document, from the journal: a report never needs all results in memory."""
        journal = self._journal
        for kind, path in self._documents:
            assert journal is not None
            report = RunReport(info=info, summary=summary, results=read_result_file(journal).results)
            try:
                write_document(kind, report, path)
            except OSError as error:
                self._scratch = None
                raise VivaError(
                    f"cannot write {path}: {error.strerror}", hint=f"the results are in {journal}"
                ) from None
        if self._scratch is not None:
            self._scratch.unlink(missing_ok=True)

    def _default_journal(self, default: Path) -> Path:
        try:
            _check_writable(default)
        except UsageError as problem:
            folder = self._project.state_dir
            folder.mkdir(parents=True, exist_ok=True)
            self.warnings.append(f"{problem}; results go to {self._project.shown(folder)} instead")
            default = folder / default.name
        return unused(default)


def write_document(kind: str, report: RunReport, path: Path) -> None:
    """Whole or not at all: a reader never meets half a report."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as out:
            DOCUMENTS.load(kind)(report, out)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _opened(path: Path) -> Path:
    _check_writable(path)
    return path


def _check_writable(path: Path) -> None:
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
