"""What decides how an agent answers: its configuration, the environment it names, its own files."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from vivavoce.engine.imported_files import with_imports
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, iter_texts
from vivavoce.project.packages import PACKAGE_FILE
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import Config
from vivavoce.project.variables import environment_keys, environment_value

_ENV = re.compile(r"\$\{\s*ENV\.(\w+)|\$ENV\.(\w+)")
_MIXED = r"(?s)(?=.*\d)(?=.*[A-Za-z]).{8}"
"""A value of letters and digits. `DB_PASSWORD=postgres` is a word that answers may hold."""
_LARGEST_SOURCE = 2**20
_MOST_FILES = 5_000
_LONGEST_TEXT = 4_096
"""Longer texts are prompts and bodies: no word in them names a file."""
_MODULE = re.compile(r"\w+(\.\w+)*+")
_WORKING_FOLDER = "cwd"
_NAMES_NO_SOURCE = (_WORKING_FOLDER, "description", "model")
"""Fields of agents in which the name of a file or folder means something else."""
_NO_SOURCES = frozenset(("__pycache__", "node_modules", ".git", ".venv", "venv", ".viva", ".pytest_cache"))
_WRITTEN_BY_RUNS = (".log", ".pid", ".lock", ".tmp", ".db", ".sqlite", ".sqlite3", "-wal", "-shm", "-journal")
"""How the names of files end that programs write as they run: they say nothing about what the agent is."""


def environment_named_in(value: JsonValue) -> JsonObject:
    """The environment variables that texts inside the value name, with their values."""
    names = {found[1] or found[2] for text in iter_texts(value) for found in _ENV.finditer(text)}
    return {name: environment_value(name) for name in names}


def remember_secrets(config: Config, secrets: Secrets) -> None:
    """Registers as secrets the environment values that a configuration names, the keys written in it, for every
    agent, the passwords of proxies, and the keys in the environment: any agent may say them."""
    for name, value in os.environ.items():
        if name.lower().endswith("_proxy"):
            secrets.add_address(value)
    secrets.add_all(value for value in environment_keys() if re.match(_MIXED, value))
    secrets.add_all(str(value) for value in environment_named_in(msgspec.to_builtins(config)).values() if value)
    for agent in config.agents.values():
        secrets.add_configuration(agent.fields)
    for connector in config.connectors.values():
        secrets.add_configuration(connector.options)
    secrets.add_configuration(config.variables)


def sources_of(config: JsonObject, project: Project) -> list[Path]:
    """The files that a configuration names, and the project's Python files that they import."""
    named = list(dict.fromkeys(files_named_in(config, project)))
    return [*named, *sorted(with_imports(named, project.root) - set(named))]


def files_named_in(config: JsonObject, project: Project) -> Iterator[Path]:
    """The project's own files that a configuration names: scripts of a command, a Python file or module, a folder.

    They are looked for in the project's folder, and in those where its commands are started.
    """
    places = [project.root, *(project.root / text for text in _working_folders(config))]
    for text in iter_texts(config, without=_NAMES_NO_SOURCE):
        for path in paths_in(text, places):
            # A folder around the project's files is no source of one agent.
            if path.is_relative_to(project.root) and not project.root.is_relative_to(path):
                yield from files_below(path, project) if os.path.isdir(path) else [path]


def paths_in(text: str, places: Sequence[Path]) -> Iterator[Path]:
    """The files that exist where a text or one of its words names them: as a path, a module, a script, or as the
    value in `--prompt=FILE`. Folders only where the whole text names one, or beside a file: in a command line."""
    if len(text) > _LONGEST_TEXT:
        return
    words = list(dict.fromkeys((*text.split(), *_shell_words(text))))
    named = [path for word in dict.fromkeys((text, *words)) for path in _paths_at(word, places)]
    is_command = any(map(os.path.isfile, named))
    whole = set(_paths_at(text, places))
    yield from (path for path in named if is_command or path in whole or os.path.isfile(path / PACKAGE_FILE))


def _paths_at(word: str, places: Sequence[Path]) -> Iterator[Path]:
    for part in filter(None, (word, word.partition("=")[2])):
        name = part.removeprefix("file://").removeprefix("scripts:").partition(":")[0]
        for place in places if name else ():
            # Not `Path.exists`: it raises for a word that is too long to be a name.
            if os.path.exists(place / name):
                yield place / name
            if _MODULE.fullmatch(name):
                module = place.joinpath(*name.split("."))
                files = (module.with_suffix(".py"), module / "__init__.py", module / "__main__.py")
                yield from filter(os.path.isfile, files)


def _shell_words(text: str) -> list[str]:
    """Words in quotes may have blanks in them."""
    try:
        return shlex.split(text) if '"' in text or "'" in text else []
    except ValueError:
        return []


def _working_folders(value: JsonValue) -> Iterator[str]:
    """Where commands are started: every `cwd` inside a configuration."""
    if is_object(value):
        if isinstance(folder := value.get(_WORKING_FOLDER), str):
            yield folder
        for inner in value.values():
            yield from _working_folders(inner)


def files_below(folder: Path, project: Project) -> list[Path]:
    """The files of a folder of the project, but for what tools leave there: caches, installed packages, logs."""
    return files_in(folder) if folder.is_relative_to(project.root) else []


def files_in(folder: Path) -> list[Path]:
    """The same of any folder; links are followed."""
    found: list[Path] = []
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        folders[:] = sorted(name for name in folders if name not in _NO_SOURCES and real not in seen)
        if real not in seen:
            found += [Path(place, name) for name in sorted(names) if not name.endswith(_WRITTEN_BY_RUNS)]
        seen.add(real)
        if len(found) > _MOST_FILES:
            break
    return [path for path in sorted(found[:_MOST_FILES]) if os.path.isfile(path)]


def content_of(path: Path) -> JsonValue:
    """A file's name and content; of a large one its size and time."""
    try:
        status = path.stat()
        if status.st_size > _LARGEST_SOURCE:
            return [path.name, status.st_size, status.st_mtime_ns]
        content = path.read_bytes()
    except OSError as error:
        return [path.name, str(error)]
    try:
        return [path.name, content.decode()]
    except UnicodeDecodeError:
        return [path.name, blake2b(content, digest_size=16).hexdigest()]
