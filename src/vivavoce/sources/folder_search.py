"""Finds the files with tests below a folder or among the matches of a glob."""

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from vivavoce.containment.working_folder import here, path_from_here
from vivavoce.errors import Problems, UsageError
from vivavoce.sources.folder_defaults import FOLDER_FILES
from vivavoce.sources.reading.result_files import is_own_file
from vivavoce.sources.scanning.special_files import may_never_end
from vivavoce.sources.yaml_kind import YamlKind, kind_of_yaml
from vivavoce.wording.plurals import first_few

TEST_SUFFIXES = (".viva.yaml", ".viva.yml", ".viva.json")
YAML_SUFFIXES = (".yaml", ".yml")
LOOKED_FOR = "*.jsonl with cases, *.viva.yaml|yml|json, and YAML files with top-level 'turns'"
_NOT_SEARCHED = {"node_modules", "__pycache__", "__snapshots__"}
_MOST_NAMED = 3
QUARANTINE_FILE = "quarantine.yaml"
"""The list of cases that do not decide the exit code, in the project's folder."""


class FoundFiles:
    """The tests that a search finds, and the YAML files beside them that are not tests."""

    def __init__(self) -> None:
        self.tests: set[Path] = set()
        self._foreign: dict[Path, list[str]] = {}
        self._workspaces: set[str] = set()
        self._problems = Problems()

    @property
    def problems(self) -> list[UsageError]:
        """Files that are almost tests, by their names: they must not be left out silently."""
        return sorted(self._problems.found, key=lambda problem: str(problem.at))

    def add_below(self, folder: Path) -> None:
        """Adds all tests below a folder. Follows links to folders, and searches each folder once."""
        seen = {os.path.realpath(folder)}

        def unreadable(error: OSError) -> None:
            what = f"cannot be searched for tests: {error.strerror}"
            self._problems.add(UsageError(what, at=path_from_here(Path(error.filename))))

        for root, folders, names in os.walk(folder, onerror=unreadable, followlinks=True):
            folders[:] = sorted(name for name in folders if _is_searched(root, name, seen))
            for name in names:
                self.add_file(Path(root, name))

    def add_matching(self, pattern: str) -> int:
        """Adds the tests that a glob matches, and those below folders that it matches. Returns how many match."""
        matches = [Path(match) for match in glob.glob(pattern, recursive=True)]
        for match in matches:
            if not match.is_dir():
                self.add_file(match)
            elif match.name not in _NOT_SEARCHED:
                self.add_below(match)
        return len(matches)

    def add_file(self, file: Path) -> None:
        """Adds a file with tests. A file that is almost a test is a problem."""
        name = file.name.lower()
        if name.endswith(TEST_SUFFIXES):
            self.tests.add(file)
        elif name.endswith(".jsonl"):
            if not is_own_file(file):
                self.tests.add(file)
        elif name.endswith(YAML_SUFFIXES) and name not in (*FOLDER_FILES, QUARANTINE_FILE):
            self._add_yaml(file)
        elif "." not in name and file.is_symlink() and (why := _broken_link(file)):
            # The link may have led to a folder of tests.
            self._problems.add(UsageError(why, at=path_from_here(file), hint="mend the link or remove it"))

    def _add_yaml(self, file: Path) -> None:
        if may_never_end(file):
            self.tests.add(file)
            return
        try:
            data = file.read_bytes()
        except OSError:
            # Reading it will say why it cannot be read.
            self.tests.add(file)
            return
        kind = kind_of_yaml(data)
        if kind is YamlKind.TEST:
            self.tests.add(file)
        elif kind is YamlKind.FOREIGN:
            self._foreign.setdefault(file.parent, []).append(file.name)
        elif kind is not YamlKind.LABELS:
            hint = None if kind is YamlKind.LIST else _INSTEAD
            self._problems.add(UsageError(kind.value, at=path_from_here(file), hint=hint))

    def leave_out_tables(self) -> None:
        """Removes the JSONL files that other cases name as tables with `each`."""
        if any(file.name.lower().endswith(".jsonl") for file in self.tests) and len(self.tests) > 1:
            from vivavoce.sources.tables.named_tables import tables_named_in

            named = {os.path.realpath(table) for file in self.tests for table in tables_named_in(file)}
            self.tests = {file for file in self.tests if os.path.realpath(file) not in named}

    def leave_out_workspaces(self) -> None:
        """Removes the files in folders that cases name as workspaces: they are for agents to work on."""
        from vivavoce.sources.named_workspaces import workspaces_named_in

        named = {folder for file in self.tests for folder in workspaces_named_in(file)}
        if not named:
            return
        self._workspaces = {folder for folder in named if any(_is_below(file, folder) for file in self.tests)}
        self.tests = {file for file in self.tests if not any(_is_below(file, folder) for folder in named)}
        self._foreign = {
            place: names for place, names in self._foreign.items() if not any(_is_below(place, f) for f in named)
        }
        self._problems.found = [
            one for one in self._problems.found if not any(_is_below(here() / str(one.at), folder) for folder in named)
        ]

    def raise_any(self) -> None:
        """Raises the problems of files that are almost tests."""
        self._problems.found = self.problems
        self._problems.raise_any()

    def notices(self) -> Iterator[str]:
        """One line per folder about what was left out: YAML files that are not tests, tests in workspaces."""
        for folder in sorted(self._workspaces):
            yield f"{os.path.relpath(folder)}: a workspace of a case, so it is not searched for tests"
        for folder, names in sorted(self._foreign.items()):
            files = "1 YAML file is no test" if len(names) == 1 else f"{len(names)} YAML files are no tests"
            hint = "; `viva import promptfoo` takes its tests along" if any(map(_is_promptfoo, names)) else ""
            named = first_few(sorted(names), _MOST_NAMED)
            yield f"{path_from_here(folder)}: {files} (no top-level 'turns', not named NAME.viva.yaml): {named}{hint}"


_INSTEAD = "write 'turns:' at the beginning of a line, or call the file NAME.viva.yaml"


def _is_promptfoo(name: str) -> bool:
    return name.startswith("promptfooconfig.")


def _broken_link(link: Path) -> str:
    """Why a link cannot be followed; empty when it can."""
    try:
        return "" if link.exists() else f"is a link to {os.readlink(link)}, which is not there"
    except OSError as error:
        return f"is a link that cannot be followed: {error.strerror}"


def _is_below(path: Path, folder: str) -> bool:
    real = os.path.realpath(path)
    return real == folder or real.startswith(folder + os.sep)


def _is_searched(root: str, name: str, seen: set[str]) -> bool:
    if name.startswith(".") or name in _NOT_SEARCHED:
        return False
    path = os.path.join(root, name)
    if os.path.islink(path):
        real = os.path.realpath(path)
        if real in seen or os.path.realpath(root).startswith(os.path.join(real, "")):
            return False
        seen.add(real)
    return True
