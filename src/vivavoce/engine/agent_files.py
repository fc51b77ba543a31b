"""What decides how an agent answers: its configuration, the environment it names, its own files."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, iter_texts
from vivavoce.project.packages import PACKAGE_FILE
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import Config

_ENV = re.compile(r"\$\{\s*ENV\.(\w+)|\$ENV\.(\w+)")
_LARGEST_SOURCE = 2**20
_MOST_FILES = 500


def environment_named_in(value: JsonValue) -> JsonObject:
    """The environment variables that texts inside the value name, with their values."""
    names = {found[1] or found[2] for text in iter_texts(value) for found in _ENV.finditer(text)}
    return {name: os.environ.get(name) for name in names}


def remember_secrets(config: Config, secrets: Secrets) -> None:
    """Registers as secrets the environment values that a configuration names, the keys written in it, for every
    agent, and the passwords of proxies."""
    for name, value in os.environ.items():
        if name.lower().endswith("_proxy"):
            secrets.add_address(value)
    secrets.add_all(str(value) for value in environment_named_in(msgspec.to_builtins(config)).values() if value)
    for agent in config.agents.values():
        secrets.add_configuration(agent.fields)
    for connector in config.connectors.values():
        secrets.add_configuration(connector.options)


def files_named_in(config: JsonObject, project: Project) -> Iterator[Path]:
    """The project's own files that a configuration names: scripts of a command, a Python file or module, a package."""
    for text in iter_texts(config):
        for word in text.split():
            place = project.root / word.partition(":")[0]
            module = project.root.joinpath(*word.partition(":")[0].split("."))
            for path in (place, module.with_suffix(".py"), module / "__init__.py"):
                # Not `Path.is_file`: it raises for a word that is too long to be a name.
                if os.path.isfile(path) and path.is_relative_to(project.root):
                    yield path
                elif os.path.isfile(path / PACKAGE_FILE):
                    yield from files_below(path, project)


def files_below(folder: Path, project: Project) -> list[Path]:
    if not folder.is_dir() or not folder.is_relative_to(project.root):
        return []
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return [path for path, _ in zip(found, range(_MOST_FILES), strict=False)]


def content_of(path: Path) -> JsonValue:
    """A file's name and content; of a large one its size and time."""
    try:
        status = path.stat()
        if status.st_size > _LARGEST_SOURCE:
            return [path.name, status.st_size, status.st_mtime_ns]
        return [path.name, path.read_text(encoding="utf-8", errors="replace")]
    except OSError as error:
        return [path.name, str(error)]
