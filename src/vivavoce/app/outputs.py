"""Where results go: the journal while the run goes on, documents once it is over."""

import errno
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from glob import escape
from pathlib import Path
from typing import TextIO

from vivavoce.errors import UsageError, VivaError
from vivavoce.model.events import CaseKept, Event, RunStarted
from vivavoce.model.result import RunInfo, RunReport, Summary
from vivavoce.plugins.catalog import JOURNAL, JOURNAL_SUFFIX, REPORTS
from vivavoce.project.left_behind import remove_left_behind
from vivavoce.project.private_files import make_private_folder, make_state_folder, private_opener
from vivavoce.project.project import Project
from vivavoce.project.whole_files import UNFINISHED, whole_file
from vivavoce.reporters.formats import TEXT, document_suffixes, format_of, no_format, unused
from vivavoce.results.journal import JsonlReporter, write_result_file
from vivavoce.results.journal_file import is_being_written
from vivavoce.wording.terminal_text import one_line

_SCRATCH = "journal-"
_SCRATCH_KEPT_S = 7 * 24 * 3600.0
"""How long the results of a killed run without a result file are kept for --resume."""


class Outputs:
    """The files of one run. Everything is opened or checked before the first agent is called."""

    def __init__(
        self,
        project: Project,
        paths: Sequence[str],
        default: Path | None,
        *,
        journal_wanted: bool = False,
        resumed: Path | None = None,
    ) -> None:
        """`resumed` is the result file of an unfinished run: unless `-o` names another, this one goes on in it."""
        self.warnings: list[str] = []
        self.trouble: VivaError | None = None
        """What went wrong with the result file, when the run had to go on in another place."""
        self._project = project
        by_format = [(format_of(path), Path(path)) for path in paths]
        if unknown := [path for kind, path in by_format if kind == TEXT]:
            raise no_format(unknown[0], [JOURNAL_SUFFIX, *document_suffixes()])
        journals = [path for kind, path in by_format if kind == JOURNAL]
        self._documents = [(kind, path) for kind, path in by_format if kind != JOURNAL]
        for _, path in self._documents:
            check_writable(path)
        self._scratch: Path | None = None
        if not journals and resumed is not None:
            if _is_scratch(resumed, project):
                self._scratch = resumed
            else:
                journals = [resumed]
        elif not paths and default is not None:
            journals = [self._default_journal(default)]
        if not journals and not self._scratch and (self._documents or journal_wanted):
            self._scratch = _scratch_file(project)
        self._journals = journals if self._scratch is None else [self._scratch]
        self._streams = [_stream(path, in_place=resumed is None) for path in self._journals]
        self._in_place = resumed is None
        self._begun = False
        _clean_up(project, [*self._journals, *(path for _, path in self._documents)])
        self.files = [*journals, *(path for _, path in self._documents)]

    def handle(self, event: Event) -> None:
        self._begun = True
        if not self._in_place and not isinstance(event, RunStarted | CaseKept):
            self._put_in_place()
        for stream in self._streams:
            try:
                stream.handle(event)
            except VivaError as problem:
                self._go_on_elsewhere(stream, event, problem)

    def close(self) -> None:
        """Removes the files of a run that never began; a resumed file is left as it was."""
        for stream in self._streams:
            stream.close()
        if not self._begun or not self._in_place:
            for stream in self._streams:
                stream.file.path.unlink(missing_ok=True)

    @property
    def has_journal(self) -> bool:
        """Whether there is a result file to make reports from; a direct message leaves none."""
        return bool(self._journals)

    @property
    def result_file(self) -> Path | None:
        """The result file that is there for others to read, if any."""
        return next((path for path in self._journals if path.is_file()), None)

    def report(self, info: RunInfo, summary: Summary) -> RunReport:
        """The run from its journal: a report never needs all results in memory."""
        from vivavoce.results.result_file import report_of

        return report_of(self._journals[0], info, summary)

    def write_documents(self, info: RunInfo, summary: Summary) -> None:
        for kind, path in self._documents:
            try:
                write_document(kind, self.report(info, summary), path)
            except OSError as error:
                raise self.not_written(path, error) from None
            except VivaError as problem:
                raise self.results_kept(problem.what) from None

    def not_written(self, path: Path, error: OSError) -> VivaError:
        """Returns the error for a report that could not be written. The journal stays, for another try."""
        return self.results_kept(f"cannot write {path}: {error.strerror}")

    def results_kept(self, what: str) -> VivaError:
        """Returns an error that names the journal, which is not removed."""
        self._scratch = None
        return VivaError(what, hint=f"the results are in {self._journals[0]}")

    def remove_scratch(self) -> None:
        if self._scratch is not None:
            self._scratch.unlink(missing_ok=True)

    def _put_in_place(self) -> None:
        """Replaces the unfinished file with the new one, which holds all results that were kept."""
        for stream, path in zip(self._streams, self._journals, strict=True):
            try:
                stream.file.rename(path)
            except OSError as error:
                raise VivaError(f"the unfinished file cannot be replaced: {error.strerror}", at=str(path)) from None
        self._in_place = True

    def _go_on_elsewhere(self, stream: JsonlReporter, event: Event, problem: VivaError) -> None:
        """All results so far and this event go to a file in viva's own folder, or among the temporary ones."""
        at = self._streams.index(stream)
        lost = self._journals[at]
        for folder in (self._project.state_dir, Path(tempfile.gettempdir())):
            try:
                stream.file.move(unused(folder / lost.name))
                stream.handle(event)
            except (OSError, VivaError):
                continue
            self._journals[at] = refuge = stream.file.path
            self.files = [refuge if path == lost else path for path in self.files]
            if self._scratch is None:
                self.trouble = VivaError(problem.what, at=str(lost), hint=f"all results are in {refuge}")
            else:
                self._scratch = refuge
            return
        raise problem

    def _default_journal(self, default: Path) -> Path:
        try:
            check_writable(default, announce=False)
        except VivaError as problem:
            folder = _own_folder(self._project)
            self.warnings.append(f"{problem}; results go to {self._project.shown(folder)} instead")
            default = folder / default.name
        return unused(default)


def write_document(kind: str, report: RunReport, path: Path) -> None:
    """A report or a result file. Raises OSError, or UsageError when a plug-in cannot write it."""
    if kind == JOURNAL and path.is_file() and is_being_written(path):
        raise BlockingIOError(errno.EWOULDBLOCK, "another viva is writing it")
    with whole_file(path) as out:
        write_format(kind, report, out)


def write_format(kind: str, report: RunReport, out: TextIO) -> None:
    """A report in one of the formats there are. A plug-in that raises is an error that names it."""
    if kind == JOURNAL:
        write_result_file(report, out)
        return
    with REPORTS.guard(kind):
        REPORTS.load(kind).writer(report, out)


def write_named_file(path: Path, write: Callable[[TextIO], None]) -> None:
    """Writes a file that `-o` named, with its folders. Raises VivaError."""
    try:
        make_named_folder(path.parent, "-o")
        with whole_file(path) as out:
            write(out)
    except OSError as error:
        raise VivaError(f"cannot write {path}: {error.strerror}", at="-o") from None


def make_named_folder(folder: Path, flag: str, *, announce: bool = True) -> None:
    """Makes the folder that a flag names, with those above it, and names it on stderr.

    Raises UsageError for a new folder in the root of the file system: that is a misspelt path.
    """
    missing = next((one for one in reversed((folder, *folder.parents)) if not one.exists()), None)
    if missing is None:
        return
    if missing.absolute().parent == Path(missing.absolute().anchor):
        raise UsageError(f"there is no folder {missing}", at=flag, hint="is it misspelt? if not, make it first")
    make_private_folder(folder)
    if announce:
        print(f"viva: made the folder {one_line(str(folder))}", file=sys.stderr)


def _clean_up(project: Project, outputs: Sequence[Path]) -> None:
    """Removes what killed runs left beside these outputs, and old results that nobody went on with."""
    for path in outputs:
        # The default name ends in the time of the run.
        name = re.sub(r"-\d{14}(-\d+)?(?=\.)", "-*", escape(path.name))
        remove_left_behind(path.parent.glob(f".{name}.*.tmp"))
    remove_left_behind(project.state_dir.glob(UNFINISHED))
    remove_left_behind(project.state_dir.glob(f"{_SCRATCH}*.jsonl"), older_than_s=_SCRATCH_KEPT_S)


def _stream(path: Path, *, in_place: bool) -> JsonlReporter:
    if in_place:
        if not path.is_fifo():  # opening and closing it once would tell its reader that the data ends here
            check_writable(path)
        return JsonlReporter(path)
    # Beside it: the unfinished file is read while this one is written, and stays whole until that is done.
    return JsonlReporter(path.with_name(f".{path.name}.resumed.tmp"))


def check_writable(path: Path, flag: str = "-o", *, announce: bool = True) -> None:
    """Checks it now, not after an hour of calls. `announce` names a folder that was made for it.

    A place that cannot be written is an error of the environment: exit 3.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a directory", at=flag, hint="give a file name")
    if path.is_fifo():
        raise UsageError(
            f"{path} is a pipe", at=flag, hint="give a file name; `viva test -o -` writes result lines to stdout"
        )
    try:
        make_named_folder(path.parent, flag, announce=announce)
        existed = path.exists()
        with open(path, "ab", opener=private_opener):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise VivaError(f"cannot write {path}: {error.strerror}", at=flag) from None


def _scratch_file(project: Project) -> Path:
    handle, name = tempfile.mkstemp(prefix=_SCRATCH, suffix=".jsonl", dir=_own_folder(project))
    os.close(handle)
    return Path(name)


def _is_scratch(path: Path, project: Project) -> bool:
    return path.name.startswith(_SCRATCH) and path.absolute().parent == project.state_dir.absolute()


def _own_folder(project: Project) -> Path:
    """viva's folder in the project; where that cannot be written, the one for temporary files."""
    try:
        make_state_folder(project.state_dir)
        if os.access(project.state_dir, os.W_OK):
            return project.state_dir
    except OSError:
        pass
    return Path(tempfile.gettempdir())
