"""The runs that can be looked at: the history's, and the files that were named."""

from collections.abc import Sequence
from pathlib import Path

from vivavoce.results.file_run import FileRun
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import KeptRun
from vivavoce.results.stored_runs import RunData, StoredRun

MOST_LISTED = 500


class Library:
    def __init__(self, history: History, files: Sequence[Path] = ()) -> None:
        self.history = history
        self._paths = list(files)
        self._files = [FileRun(path) for path in files]

    def runs(self) -> list[KeptRun]:
        """The newest first. A run that is in a file and in the history is read from the file."""
        from_files = [file.kept() for file in self._files]
        known = {run.info.run_id for run in from_files}
        kept = [run for run in self.history.runs(MOST_LISTED) if run.info.run_id not in known]
        return sorted([*from_files, *kept], key=lambda run: run.info.started_at, reverse=True)

    def first_file_id(self) -> str:
        return self._files[0].kept().info.run_id

    def name_of(self, run_id: str) -> str:
        """The run as commands name it: the path of its file, or its id."""
        return next((str(file.path.absolute()) for file in self._files if file.kept().info.run_id == run_id), run_id)

    def find(self, run_id: str) -> RunData | None:
        for file in self._files:
            if file.kept().info.run_id == run_id:
                return file
        return StoredRun(self.history, run_id) if self.history.run(run_id) is not None else None

    def reference(self, run_id: str) -> str | None:
        """How the commands name a run of the library: its file, or its id."""
        for file, path in zip(self._files, self._paths, strict=True):
            if file.kept().info.run_id == run_id:
                return str(path)
        return run_id if self.history.run(run_id) is not None else None
