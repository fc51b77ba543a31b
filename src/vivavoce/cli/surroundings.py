"""What every command starts from: the project, its .env file, its sources and selection."""

import sys
from pathlib import Path
from typing import Any

from vivavoce.cli.last_failed import read_last_failed
from vivavoce.errors import UsageError
from vivavoce.project import Project, find_project
from vivavoce.protocols import Source
from vivavoce.run.plan import Selection, parse_shard
from vivavoce.sources.discover import Generators, sources_for
from vivavoce.sources.input_ref import InputRef


def open_project(config: str | None) -> Project:
    """The project around the working directory, with its `.env` read (never overriding the environment)."""
    project = find_project(Path.cwd(), config)
    env_file = project.root / ".env"
    if env_file.is_file():
        from dotenv import load_dotenv

        load_dotenv(env_file, override=False)
    return project


def open_sources(
    project: Project,
    inputs: tuple[str, ...],
    messages: tuple[str, ...],
    *,
    generators: Generators | None = None,
) -> list[Source]:
    """What `-i` and `--message` name. Only a command that may call agents passes `generators`."""

    def script_tests(ref: InputRef) -> Source:
        from vivavoce.sources.script_tests import ScriptTestsSource

        return ScriptTestsSource(ref, project)

    makers: Generators = {"script_tests": script_tests, **(generators or {})}
    return sources_for(inputs, project, messages=messages, stdin=sys.stdin.buffer, generators=makers)


def selection_of(project: Project, flags: dict[str, Any]) -> Selection:
    """The selection flags as data; the last failures are read only when asked for."""
    last: frozenset[str] | None = None
    if flags["last_failed"] or flags["failed_first"]:
        last = read_last_failed(project)
        if last is None and flags["last_failed"]:
            raise UsageError(
                "no earlier run to take failures from", at="--last-failed", hint="run viva test once first"
            )
    return Selection(
        pattern=flags["pattern"],
        tags=tuple(flags["tags"]),
        keys=last if flags["last_failed"] else None,
        first=last or frozenset() if flags["failed_first"] else frozenset(),
        shard=parse_shard(flags["shard"]) if flags["shard"] else None,
        sample=flags["sample"],
        seed=flags["seed"],
        skip_interactive=flags.get("skip_interactive", False),
    )
