"""From the values of `-i` to sources: files found, globs and folders opened up, the rest handed on."""

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.notation.references import CASE_FILE_SUFFIXES
from vivavoce.project.project import Project
from vivavoce.protocols import Source
from vivavoce.sources.input_ref import InputRef, classify
from vivavoce.sources.reading.case_file import may_never_end
from vivavoce.sources.reading.inline import MessageSource, StdinSource
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.result_files import is_result_file
from vivavoce.sources.reading.selected import Pick, Selected, split_pick

Generators: TypeAlias = Mapping[str, Callable[[InputRef], Source]]

_TEST_SUFFIXES = (".viva.yaml", ".viva.yml", ".viva.json")
_TOP_LEVEL_TURNS = re.compile(rb"^[\"']?turns[\"']?[ \t]*:", re.MULTILINE)
_NOT_SEARCHED = {"node_modules", "__pycache__"}
_LOOKED_FOR = "*.jsonl with cases, *.viva.yaml|yml|json, and YAML files with top-level 'turns'"
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
) -> list[Source]:
    """A source for everything the user named, in that order; a folder's files are sorted, none comes twice."""
    if not inputs and not messages:
        inputs = _configured(project)
    found = _Found(project)
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


def _configured(project: Project) -> list[str]:
    tests = project.config.tests
    if not tests:
        raise UsageError(
            "nothing to test", hint="give -i FILE, FOLDER or a message, or set 'tests:' in the project's viva.yaml"
        )
    return [str(project.root / entry) for entry in ([tests] if isinstance(tests, str) else tests)]


def _made_by(ref: InputRef, generators: Generators) -> Source:
    make = generators.get(ref.type)
    if make is None:
        raise UsageError(f"{_MAKERS[ref.type]} cannot be used here: {ref.value}", at="-i", hint="give a file of cases")
    return make(ref)


class _Found:
    """The sources so far, each file once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._sources: dict[str, Source] = {}
        self._picks: dict[str, list[Pick]] = {}
        """Which cases of a file are wanted; no entry: all of them."""
        self._messages = 0

    def add(self, source: Source) -> None:
        self._sources[f"#{len(self._sources)}"] = source

    def add_message(self, text: str) -> None:
        self._messages += 1
        self.add(MessageSource(text, self._messages))

    def add_files(self, text: str) -> None:
        whole = os.path.exists(text) or not split_pick(text)[1]
        path, pick = (text, None) if whole else split_pick(text)
        for file in _files(path):
            key = os.path.realpath(file)
            if key not in self._sources:
                self._sources[key] = _file_source(file, self._shown(file))
                if pick is not None:
                    self._picks[key] = []
            if pick is None:
                self._picks.pop(key, None)
            elif key in self._picks and pick not in self._picks[key]:
                self._picks[key].append(pick)

    def _shown(self, file: Path) -> str:
        """The path by which the file can be opened from here, relative while that reads well."""
        full = os.path.abspath(file)
        near = any(Path(full).is_relative_to(base) for base in (Path.cwd(), self._project.root))
        return os.path.relpath(full) if near else full

    def sources(self) -> list[Source]:
        return [
            Selected(source, tuple(self._picks[key]), Path(key)) if key in self._picks else source
            for key, source in self._sources.items()
        ]


def _file_source(path: Path, shown: str) -> Source:
    # What most runs need is loaded; the others cost their time where they are used.
    if path.suffix == ".jsonl":
        return JsonlSource(path, shown)
    if path.suffix == ".json":
        from vivavoce.sources.reading.json_file import JsonSource

        return JsonSource(path, shown)
    from vivavoce.sources.reading.yaml_file import YamlSource

    return YamlSource(path, shown)


def _files(text: str) -> list[Path]:
    """The case files a path, folder or glob stands for."""
    path = Path(text)
    if path.is_dir():
        return _tests_below(path)
    if path.exists():
        if path.suffix not in CASE_FILE_SUFFIXES:
            known = ", ".join(CASE_FILE_SUFFIXES)
            raise UsageError(f"not a case file: {text}", hint=f"case files end in {known}; --message sends a text")
        return [path]
    if glob.has_magic(text):
        return _tests_matching(text)
    if path.is_symlink():
        raise UsageError(f"no such file: {text} is a link to {os.readlink(path)}, which is not there")
    raise UsageError(f"no such file: {text}", hint=_nearest(path) or "--message sends a text")


def _tests_below(folder: Path) -> list[Path]:
    tests = sorted(_walk(folder))
    if not tests:
        raise UsageError(f"no tests in {folder}", hint=f"looked for {_LOOKED_FOR}")
    return tests


def _tests_matching(pattern: str) -> list[Path]:
    matches = [Path(match) for match in glob.glob(pattern, recursive=True)]
    tests: set[Path] = set()
    for match in matches:
        if match.is_dir():
            tests.update(() if match.name in _NOT_SEARCHED else _walk(match))
        elif _is_test(match):
            tests.add(match)
    if not tests:
        what = f"no tests among what matches {pattern}" if matches else f"nothing matches {pattern}"
        raise UsageError(what, hint=f"looked for {_LOOKED_FOR}")
    return sorted(tests)


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _NOT_SEARCHED]
        for name in names:
            file = Path(root, name)
            if _is_test(file):
                yield file


def _is_test(file: Path) -> bool:
    """Whether a file found in passing, not named by the user, holds tests."""
    if file.name.endswith(_TEST_SUFFIXES):
        return True
    if file.suffix == ".jsonl":
        return not is_result_file(file)
    if file.suffix not in (".yaml", ".yml"):
        return False
    try:
        return may_never_end(file) or _TOP_LEVEL_TURNS.search(file.read_bytes()) is not None
    except OSError:
        return True


def _nearest(path: Path) -> str | None:
    """A hint at the first part of the path that does not exist."""
    while path.parent != path and not path.parent.exists():
        path = path.parent
    if not path.parent.is_dir():
        return None
    return did_you_mean(path.name, sorted(entry.name for entry in path.parent.iterdir()))
