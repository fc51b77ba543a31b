"""From the values of `-i` to sources: finds the files of folders and globs, and makes the other sources."""

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias

from vivavoce.errors import UsageError, nearest
from vivavoce.model.case import Case
from vivavoce.project.files import CASE_FILE_SUFFIXES
from vivavoce.project.project import Project
from vivavoce.protocols import Source
from vivavoce.sources.folder_defaults import FolderDefaults
from vivavoce.sources.folder_search import LOOKED_FOR, FoundFiles
from vivavoce.sources.input_ref import InputRef, classify
from vivavoce.sources.reading.case_file import FileSettings
from vivavoce.sources.reading.inline import MessageSource, StdinSource
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.selected import Pick, Selected, split_pick
from vivavoce.wording.quoting import shorten

Generators: TypeAlias = Mapping[str, Callable[[InputRef], Source]]
Notice: TypeAlias = Callable[[str], None]

_AS_A_MESSAGE = "--message sends a text"
_MAKERS = {
    "agent": "agents that generate cases",
    "script": "scripts that generate cases",
    "script_tests": "script tests",
}


def sources_for(
    inputs: Sequence[str],
    project: Project,
    *,
    messages: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    generators: Generators | None = None,
    notice: Notice = lambda _: None,
) -> list[Source]:
    """A source for each input, in their order; the files of a folder are sorted, and no file comes twice.

    `notice` gets one line per folder about YAML files that are not tests.
    """
    found = _Found(project, notice)
    if not inputs and not messages:
        _add_configured(found, project)
    for text in inputs:
        ref = classify(text)
        if ref.type == "file":
            found.add_files(ref.value)
        elif ref.type == "message":
            found.add_message(ref.value)
        elif ref.type == "stdin":
            if stdin is None:
                raise UsageError("there is no standard input to read cases from", at="-i -")
            found.add(StdinSource(stdin))
        else:
            found.add(_made_by(ref, generators or {}))
    for text in messages:
        found.add_message(text)
    return found.sources()


def configured_tests(project: Project) -> list[tuple[tuple[str | int, ...], str]]:
    """The entries of `tests:` in viva.yaml, each with the steps that lead to it."""
    tests = project.config.tests
    if tests is None or isinstance(tests, str):
        return [(("tests",), tests)] if tests else []
    return [(("tests", index), entry) for index, entry in enumerate(tests)]


def configured_path(entry: str, project: Project) -> str:
    """The path of an entry of `tests:`. Raises UsageError when it does not exist."""
    path = str(project.root / entry)
    if not (os.path.lexists(path) or os.path.exists(split_pick(path)[0]) or glob.has_magic(entry)):
        close = _close_path(path)
        hint = (
            f"did you mean {os.path.relpath(close, project.root)!r}?"
            if close
            else "paths go from the folder of viva.yaml"
        )
        raise UsageError(f"tests: there is no {entry}", hint=hint)
    return path


def _add_configured(found: "_Found", project: Project) -> None:
    entries = configured_tests(project)
    if not entries:
        hint = "give -i FILE, FOLDER or a message, or set 'tests:' in the project's viva.yaml"
        raise UsageError("nothing to test", hint=hint)
    for steps, entry in entries:
        try:
            found.add_files(configured_path(entry, project))
        except UsageError as problem:
            raise problem.placed(project.place(*steps)) from None


def _made_by(ref: InputRef, generators: Generators) -> Source:
    make = generators.get(ref.type)
    if make is None:
        raise UsageError(f"{_MAKERS[ref.type]} cannot be used here: {ref.value}", at="-i", hint="give a file of cases")
    return make(ref)


class _Found:
    """The sources so far, each file once."""

    def __init__(self, project: Project, notice: Notice) -> None:
        self._project = project
        self._notice = notice
        self._defaults = FolderDefaults(project)
        self._sources: dict[str, Source] = {}
        self._picks: dict[str, list[Pick]] = {}
        """The selected cases of a file; no entry: all of them."""
        self._messages = 0

    def add(self, source: Source) -> None:
        self._sources[f"#{len(self._sources)}"] = source

    def add_message(self, text: str) -> None:
        self._messages += 1
        self.add(MessageSource(text, self._messages))

    def add_problem(self, problem: UsageError) -> None:
        """Adds the problem of a file that is almost a test, to be reported with the problems of the other cases."""
        if str(problem) not in self._sources:
            self._sources[str(problem)] = _NearlyATest(problem)

    def add_files(self, text: str) -> None:
        whole = os.path.exists(text) or not split_pick(text)[1]
        path, pick = (text, None) if whole else split_pick(text)
        for file in _files(path, self._notice, self.add_problem):
            key = os.path.realpath(file)
            if key not in self._sources:
                self._sources[key] = file_source(file, self._shown(file), self._settings(file))
                if pick is not None:
                    self._picks[key] = []
            if pick is None:
                self._picks.pop(key, None)
            elif key in self._picks and pick not in self._picks[key]:
                self._picks[key].append(pick)

    def _settings(self, file: Path) -> FileSettings:
        """The settings that the project and its folders give to a file. Raises UsageError for bad defaults."""
        return FileSettings(
            root=self._project.root,
            variables=frozenset(self._project.config.variables),
            defaults=self._defaults.above(file),
        )

    def _shown(self, file: Path) -> str:
        """The path of the file for messages: relative for files of the project, else absolute."""
        full = os.path.abspath(file)
        near = any(Path(full).is_relative_to(base) for base in (Path.cwd(), self._project.root))
        return os.path.relpath(full) if near else full

    def sources(self) -> list[Source]:
        return [
            Selected(source, tuple(self._picks[key]), Path(key)) if key in self._picks else source
            for key, source in self._sources.items()
        ]


class _NearlyATest:
    """A source without cases, which only reports its problem."""

    def __init__(self, problem: UsageError) -> None:
        self.label = str(problem.at)
        self._problem = problem

    def read(self) -> Iterator[Case | UsageError]:
        yield self._problem


def refuse_message(text: str) -> None:
    """Raises UsageError for an argument without `-i` that would be a message: such an argument is always a path."""
    if classify(text).type == "message":
        raise _no_such_file(text)


def file_source(path: Path, shown: str, settings: FileSettings | None = None) -> Source:
    """The cases of one file, read as its suffix says."""
    # The readers that few runs need are loaded only when they are used.
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        return JsonlSource(path, shown, settings)
    if suffix == ".json":
        from vivavoce.sources.reading.json_file import JsonSource

        return JsonSource(path, shown, settings)
    from vivavoce.sources.reading.yaml_file import YamlSource

    return YamlSource(path, shown, settings)


def _files(text: str, notice: Notice, report: Callable[[UsageError], None]) -> list[Path]:
    """The case files of a path, folder or glob."""
    path = Path(text)
    if os.path.isdir(text):
        found = FoundFiles()
        found.add_below(path)
        return _tests(found, notice, report, f"no tests in {path}")
    if os.path.exists(text):
        if path.suffix.lower() not in CASE_FILE_SUFFIXES:
            known = ", ".join(CASE_FILE_SUFFIXES)
            raise UsageError(f"not a case file: {text}", hint=f"case files end in {known}; {_AS_A_MESSAGE}")
        return [path]
    if glob.has_magic(text):
        found = FoundFiles()
        if not found.add_matching(text):
            raise UsageError(f"nothing matches {text}", hint=f"looked for {LOOKED_FOR}; {_AS_A_MESSAGE}")
        return _tests(found, notice, report, f"no tests among what matches {text}")
    if os.path.islink(text):
        raise UsageError(f"no such file: {text} is a link to {os.readlink(text)}, which is not there")
    raise _no_such_file(text)


def _tests(found: FoundFiles, notice: Notice, report: Callable[[UsageError], None], nothing: str) -> list[Path]:
    found.leave_out_tables()
    found.leave_out_workspaces()
    if not found.tests:
        found.raise_any()
        raise UsageError(nothing, hint=f"looked for {LOOKED_FOR}")
    for line in found.notices():
        notice(line)
    for problem in found.problems:
        report(problem)
    return sorted(found.tests)


def _no_such_file(text: str) -> UsageError:
    close = _close_path(text)
    return UsageError(
        f"no such file: {shorten(text, 200)}",
        hint=f"did you mean {close!r}? {_AS_A_MESSAGE}" if close else _AS_A_MESSAGE,
    )


def _close_path(text: str) -> str | None:
    """The path with its first part that does not exist put right; cut there where the rest does not exist either."""
    path = Path(text)
    while path.parent != path and not os.path.exists(path.parent):
        path = path.parent
    try:
        close = nearest(path.name, sorted(os.listdir(path.parent)))
    except OSError:
        return None
    if close is None:
        return None
    whole = path.parent / close / Path(text).relative_to(path)
    return str(whole if os.path.exists(whole) else path.parent / close)
