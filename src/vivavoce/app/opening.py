"""What every run starts from: the project, its .env file, its sources and which of its cases are wanted."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from vivavoce.app.history_keeping import read_last_failed
from vivavoce.app.request import RunRequest
from vivavoce.configuration.project_finder import find_project
from vivavoce.containment.safe_stream import redact_with
from vivavoce.engine.agent_files import remember_secrets
from vivavoce.engine.plan.plan import Selection, parse_shard
from vivavoce.errors import UsageError, VivaError
from vivavoce.project.case_order import parse_order
from vivavoce.project.option import texts_of
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.run_options import SelectionOptions
from vivavoce.protocols import Source
from vivavoce.sources.discover import Generators, sources_for
from vivavoce.sources.input_ref import InputRef, folder_of_first


def open_project(config: str | None, start: Path | None = None, *, inputs: Sequence[str] = ()) -> Project:
    """The project around `start` (the working directory), its `.env` read, never overriding the environment.

    Where there is none, the one around the first of the inputs.
    """
    project = find_project(start or Path.cwd(), config, folder_of_first(inputs))
    env_file = project.root / ".env"
    if env_file.is_file():
        from dotenv import load_dotenv

        load_dotenv(env_file, override=False)
    _hide_secrets_of(project)
    return project


def _hide_secrets_of(project: Project) -> None:
    """From now on no error message quotes a secret that the configuration names, also where nothing is run."""
    secrets = Secrets()
    remember_secrets(project.config, secrets)
    redact_with(secrets.mask)


def hide_secrets_around(also: Iterable[str] = ()) -> None:
    """The same for commands that open no project: hides `also`, and the secrets of a project around them."""
    secrets = Secrets()
    secrets.add_all(also)
    with suppress(VivaError, OSError):
        remember_secrets(find_project(Path.cwd()).config, secrets)
    redact_with(secrets.mask)


def open_sources(project: Project, wanted: RunRequest, *, generators: Generators | None = None) -> list[Source]:
    """What `-i` and `--message` name, `-` being standard input.

    `generators` is passed only where agents may be called.
    """
    stdin: Any = sys.stdin if wanted.reads_stdin else None  # also None when it was closed
    return sources_of(
        project,
        texts_of(wanted.inputs),
        texts_of(wanted.messages),
        stdin=stdin and stdin.buffer,
        generators=generators,
    )


def sources_of(
    project: Project,
    inputs: Sequence[str],
    messages: Sequence[str] = (),
    *,
    stdin: BinaryIO | None = None,
    generators: Generators | None = None,
) -> list[Source]:
    """The sources that inputs and messages name; without any, the project's own tests."""

    def script_tests(ref: InputRef) -> Source:
        from vivavoce.sources.script_tests import ScriptTestsSource

        return ScriptTestsSource(ref, project)

    makers: Generators = {"script_tests": script_tests, **(generators or {})}
    return sources_for(inputs, project, messages=messages, stdin=stdin, generators=makers, notice=_warn)


def _warn(notice: str) -> None:
    print(f"viva: warning: {notice}", file=sys.stderr)


def selection_of(project: Project, wanted: SelectionOptions, *, skip_interactive: bool = False) -> Selection:
    """The selection options as data; the last failures are read only when asked for."""
    last: frozenset[str] | None = None
    only_failed = wanted.last_failed
    failed_first = wanted.failed_first or parse_order(wanted.order).name == "failed-first"
    if wanted.last_failed or failed_first:
        last = read_last_failed(project)
        if last is None and wanted.last_failed:
            raise UsageError(
                "no earlier run to take failures from", at="--last-failed", hint="run viva test once first"
            )
        if only_failed and not last:
            # As pytest does: when no case failed last time, all cases run.
            print("viva: --last-failed: nothing failed last time, so all cases are taken", file=sys.stderr)
            only_failed = False
    return Selection(
        pattern=wanted.pattern,
        keywords=wanted.keywords,
        marks=wanted.marks,
        tags=wanted.tag_names,
        keys=last if only_failed else None,
        first=last or frozenset() if failed_first else frozenset(),
        shard=parse_shard(wanted.shard) if wanted.shard else None,
        sample=wanted.sample,
        seed=wanted.seed,
        skip_interactive=skip_interactive,
    )
