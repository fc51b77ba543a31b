"""The exam of a run: everything that decides its results besides the cases, gathered and hashed."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from vivavoce.app.planning import Planned
from vivavoce.engine.wiring import Workshop
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue, iter_texts
from vivavoce.project.packages import PACKAGE_FILE
from vivavoce.project.project import Project
from vivavoce.results.exam import RULES, ExamKey, agent_part, exam_key

_ENV = re.compile(r"\$\{\s*ENV\.(\w+)|\$ENV\.(\w+)")
_SETTINGS = ("on_missing_input", "max_turns", "strict_protocol", "simulator", "interactive")
_LARGEST_SOURCE = 2**20
_MOST_FILES = 500


def exam_of(planned: Planned) -> dict[str, str]:
    """Part → keyed hash, for the first line of the result file; empty where there is no place for a key."""
    key = exam_key(planned.workshop.project.state_dir)
    return {} if key is None else _hashed(planned, key)


def _hashed(planned: Planned, key: ExamKey) -> dict[str, str]:
    workshop, request = planned.workshop, planned.request
    project, settings = workshop.project, workshop.settings
    files = [_content(path) for path in _files_below(project.connectors_dir, project)]
    connectors: JsonValue = [msgspec.to_builtins(project.config.connectors), files]
    variables: JsonValue = dict(project.config.variables)
    parts: JsonObject = {
        "rules": RULES,
        **{name: getattr(settings, name) for name in _SETTINGS},
        "variables": [variables, _environment(variables)],
        "context": structs.asdict(settings.context),
        "connectors": [connectors, _environment(connectors)],
        "hooks": [request.before, request.after],
    }
    for name in sorted(workshop.agents_in_use()):
        parts |= _agent_parts(name, workshop)
    return key.hashes(parts)


def _agent_parts(name: str, workshop: Workshop) -> JsonObject:
    try:
        spec = workshop.spec(name)
    except VivaError:
        return {}
    # A live object has no configuration: its name says which it is.
    config = {field: value for field, value in spec.config.items() if not callable(value)}
    shown = workshop.secrets.mask(name)
    return {
        agent_part("configuration", shown): [spec.kind, config],
        agent_part("environment", shown): _environment(config),
        agent_part("source", shown): [_content(path) for path in _sources(config, workshop.project)],
    }


def _environment(value: JsonValue) -> JsonObject:
    """The environment variables that texts inside the value name, with their values."""
    names = {found[1] or found[2] for text in iter_texts(value) for found in _ENV.finditer(text)}
    return {name: os.environ.get(name) for name in names}


def _sources(config: JsonObject, project: Project) -> Iterator[Path]:
    """The project's own files that a configuration names: scripts of a command, a Python file or module, a package."""
    for text in iter_texts(config):
        for word in text.split():
            place = project.root / word.partition(":")[0]
            module = project.root.joinpath(*word.partition(":")[0].split("."))
            for path in (place, module.with_suffix(".py"), module / "__init__.py"):
                if path.is_file() and path.is_relative_to(project.root):
                    yield path
                elif (path / PACKAGE_FILE).is_file():
                    yield from _files_below(path, project)


def _files_below(folder: Path, project: Project) -> list[Path]:
    if not folder.is_dir() or not folder.is_relative_to(project.root):
        return []
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return [path for path, _ in zip(found, range(_MOST_FILES), strict=False)]


def _content(path: Path) -> JsonValue:
    """A file's name and content; of a large one its size and time."""
    try:
        status = path.stat()
        if status.st_size > _LARGEST_SOURCE:
            return [path.name, status.st_size, status.st_mtime_ns]
        return [path.name, path.read_text(encoding="utf-8", errors="replace")]
    except OSError as error:
        return [path.name, str(error)]
